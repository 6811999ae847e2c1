"""A message on the terminal for verbs that take long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zsmem_tui.cli.output import say

AFTER: Final = 2.0
"""Seconds after which the message is printed."""

WORKS: Final = {
    "today": "Looking at what others wrote",
    "review": "Looking at what others wrote",
    "history": "Looking at what others wrote",
    "doctor": "Looking into every file",
    "sync": "Syncing",
}
"""Verbs that can take long with many files, and what they do."""


@contextmanager
def named(verb: str) -> Iterator[None]:
    """A context that prints once what the verb is doing if it takes long; only to a terminal."""
    if verb not in WORKS or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Timer  # deferred: not needed in a pipe

    timer = Timer(AFTER, say, [f"{WORKS[verb]}: that takes a while here. ctrl+c ends it."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
