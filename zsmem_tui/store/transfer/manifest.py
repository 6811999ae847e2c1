"""What was imported into a store before, so that it is not offered again."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Final

from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import state

_NOT_REMEMBERED: Final = "What was imported is not remembered."


def imported(root: str) -> dict[str, str]:
    """What was imported into a store before: marks of items with the path that each went to."""
    found = dict(state.documents(state.folder("imports", root))).get("manifest", {})
    items = found.get("items", {})
    return items if isinstance(items, dict) else {}


def remember(root: str, keys: dict[str, str]) -> None:
    """Keep the marks of what was imported, beside those that another process keeps at the same time. Raises `WriteFailed`."""
    home = state.folder("imports", root)
    with state.held(home, _NOT_REMEMBERED):
        about = {"root": printable_path(root), "items": imported(root) | keys}
        state.put(os.path.join(home, "manifest.json"), json.dumps(about).encode(), _NOT_REMEMBERED)


def item_key(format: str, source: str, text: str) -> str:
    """What tells one imported item from every other."""
    raw = f"{format}\0{source.rpartition(':')[0] or source}\0{text}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:32]
