"""Files of other agents: read with bounds, never through a link that leaves the folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from zsmem_tui.core.errors import BadContent, Missing, StoreError, Unreadable
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside

MOST_FILES: Final = 20_000
"""Files of a source; more is refused: it is not a memory."""

MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of a source, all files together."""


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
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(place, name), folder)
            if cancelled():
                return found, problems
            if not wants(path):
                continue
            whole = os.path.join(place, name)
            if os.path.islink(whole) and not is_inside(whole, folder):
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
