"""Files of other agents: read with bounds, never through a link that leaves the folder; and what was imported before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from typing import Final

from zsmem_tui.core.errors import BadContent, Missing, StoreError, Unreadable
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files, state

MOST_FILES: Final = 20_000
"""Files of a source; more is refused: it is not a memory."""

MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of a source, all files together."""

_NOT_REMEMBERED: Final = "What was imported is not remembered."


def read_tree(
    folder: str, wants: Callable[[str], bool], cancelled: Callable[[], bool] = lambda: False
) -> tuple[dict[str, bytes], dict[str, str]]:
    """The wanted files below a folder (or the one file named), and those that could not be read with the reason.

    Raises `Missing`, `Unreadable` or `BadContent` when there is too much.
    """
    if not os.path.lexists(folder):
        raise Missing(folder, f"{printable_path(folder)}: No such file or directory. Nothing was imported.")
    if not os.path.isdir(folder):
        raise Unreadable(folder, f"{printable_path(folder)} is not a folder. Nothing was imported.")
    found: dict[str, bytes] = {}
    problems: dict[str, str] = {}
    total = 0
    real = os.path.realpath(folder)
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(place, name), folder)
            if cancelled():
                return found, problems
            if not wants(path):
                continue
            whole = os.path.join(place, name)
            if os.path.islink(whole) and not os.path.realpath(whole).startswith(f"{real}/"):
                problems[path] = "a link that leaves the folder"
                continue
            try:
                raw, _ = files.read(whole)
            except StoreError as error:
                problems[path] = error.message.rpartition(": ")[2]
                continue
            total += len(raw)
            if len(found) >= MOST_FILES or total > MOST_BYTES:
                raise BadContent(
                    f"{printable_path(folder)} has more than {MOST_FILES} files or {MOST_BYTES >> 20} MB. Nothing was imported."
                )
            found[path] = raw
    return found, problems


def imported(root: str) -> dict[str, str]:
    """What was imported into a store before: marks of items with the path that each went to."""
    found = dict(state.documents(state.folder("imports", root))).get("manifest", {})
    items = found.get("items", {})
    return items if isinstance(items, dict) else {}


def remember(root: str, marks: dict[str, str]) -> None:
    """Keep the marks of what was imported, beside those that another process keeps at the same time. Raises `WriteFailed`."""
    home = state.folder("imports", root)
    with state.held(home, _NOT_REMEMBERED):
        about = {"root": printable_path(root), "items": imported(root) | marks}
        state.put(os.path.join(home, "manifest.json"), json.dumps(about).encode(), _NOT_REMEMBERED)


def mark_of(format: str, source: str, text: str) -> str:
    """What tells one imported item from every other."""
    raw = f"{format}\0{source.rpartition(':')[0] or source}\0{text}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:32]
