"""What hooks remember between two starts of the program, in the state folder: a reading, an answer given, a summary written."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import files, state

READING_NS: Final = 60 * 10**9
"""Nanoseconds that a reading of the block counts: all parts of one start of a session come from it."""

ANSWER_NS: Final = 10 * 10**9
"""Nanoseconds in which the same hook of another agent is the same start."""

_KEPT_NS: Final = 30 * 24 * 3_600 * 10**9
"""Nanoseconds after which it is forgotten that a summary was written: no agent sends one again after a month."""

_MOST: Final = 200
"""Entries of a kind that are kept without looking for old ones."""

_FAILED: Final = "The hook remembers nothing."

READINGS: Final = "readings"
ANSWERS: Final = "answers"
SUMMARIES: Final = "summaries"
_LASTS: Final = {READINGS: READING_NS, ANSWERS: ANSWER_NS, SUMMARIES: _KEPT_NS}


@contextmanager
def held() -> Iterator[bool]:
    """Keep other hooks out; whether that was possible. Where the state folder cannot be written, each goes on by itself."""
    with contextlib.ExitStack() as stack:
        is_held = True
        try:
            stack.enter_context(state.held(_home(), _FAILED))
        except WriteFailed:
            is_held = False
        yield is_held


def recall(kind: str, key: tuple[str, ...], now_ns: int) -> str | None:
    """What was remembered under a key, as long as it counts; None otherwise. A time that is still to come does not count."""
    found = state.document(_place(kind, key))
    if found is None or not isinstance(found.get("when"), int) or not isinstance(found.get("text"), str):
        return None
    text: str = found["text"]
    return text if 0 <= now_ns - found["when"] < _LASTS[kind] else None


def remember(kind: str, key: tuple[str, ...], text: str, now_ns: int) -> None:
    """Remember a text under a key. Raises `WriteFailed`."""
    place = _place(kind, key)
    raw = json.dumps({"when": now_ns, "text": text}).encode("utf-8", "surrogatepass")
    state.put(place, raw, _FAILED, durable=kind == SUMMARIES)
    _forget_old(kind, os.path.dirname(place), now_ns)


def _forget_old(kind: str, home: str, now_ns: int) -> None:
    names = files.list_all(home)
    if len(names) <= _MOST:
        return
    for name, found in state.documents(home):
        when = found.get("when")
        if not isinstance(when, int) or not 0 <= now_ns - when < _LASTS[kind]:
            with contextlib.suppress(OSError):
                state.drop(os.path.join(home, f"{name}.json"))


def _place(kind: str, key: tuple[str, ...]) -> str:
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return os.path.join(_home(), kind, f"{digest}.json")


def _home() -> str:
    return os.path.join(locate.state_folder(), "hooks")
