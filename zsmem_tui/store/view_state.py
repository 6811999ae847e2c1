"""How the screens were arranged last, in the state folder: of no memory, so it may be lost without loss."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from zsmem_tui.config import locate
from zsmem_tui.store.disk import files, state

_FAILED: Final = "How the screen is arranged is not remembered."

_MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of what is no text: a start waits for it. What is kept has some 50 KB."""


def read(kind: str) -> dict[str, Any]:
    """What was kept of a kind; empty when nothing was, or when it cannot be read."""
    found = (state.document(_place()) or {}).get(kind)
    return found if isinstance(found, dict) else {}


def keep(kind: str, changes: Mapping[str, Any]) -> None:
    """Keep these values of a kind beside the others; None forgets one. Raises `WriteFailed`."""
    import json  # a start has none to write

    place = _place()
    with state.held(os.path.dirname(place), _FAILED):
        whole = state.document_to_change(place, _FAILED)
        own = whole.get(kind)
        kept = {**(own if isinstance(own, dict) else {}), **changes}
        whole[kind] = {key: value for key, value in kept.items() if value is not None}
        state.put(place, json.dumps(whole, indent=1, sort_keys=True).encode(), _FAILED, durable=False)


def read_raw(kind: str) -> bytes:
    """What was kept of a kind that is no text; empty when nothing was, when it cannot be read or may be somebody else's."""
    return files.read_own(_place(kind), _MOST_BYTES)


def keep_raw(kind: str, raw: bytes) -> None:
    """Keep this of a kind instead of what was kept. Raises `WriteFailed`."""
    state.put(_place(kind), raw, _FAILED, durable=False)


def _place(name: str = "screens.json") -> str:
    return os.path.join(locate.state_folder(), "view", name)
