"""What takes long is named, for whoever looks at a terminal meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zsmem_tui.cli.output import say

AFTER: Final = 2.0
"""Seconds after which a verb says what it is doing."""

WORKS: Final = {
    "today": "Looking at what others wrote",
    "review": "Looking at what others wrote",
    "history": "Looking at what others wrote",
    "doctor": "Looking into every file",
    "sync": "Syncing",
}
"""What verbs do that may take long on very many files."""


@contextmanager
def named(verb: str) -> Iterator[None]:
    """Say what a verb is doing where that takes long, once, and only to a terminal."""
    if verb not in WORKS or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Timer  # a search, and what goes into a pipe, can do without

    timer = Timer(AFTER, say, [f"{WORKS[verb]}: that takes a while here. ctrl+c ends it."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
