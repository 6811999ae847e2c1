"""The files of a project's own folder, by their paths alone: what its ignore files take out is not walked into."""

from __future__ import annotations

import os
from typing import Final

from zsmem_tui.core.checks.paths import Tree, tree
from zsmem_tui.core.ignore_rules import Rule, is_ignored, parse
from zsmem_tui.store.disk import files

IGNORE_FILE: Final = ".gitignore"

MOST_ENTRIES: Final = 200_000
"""Files and folders after which a folder counts as too large to know what is not in it."""


def project_tree(root: str) -> Tree | None:
    """What lies below a folder, links to folders not followed; None where there is no such folder."""
    if not os.path.isdir(root):
        return None
    found: set[str] = set()
    folders: set[str] = set()
    rules: list[Rule] = []
    waiting = [""]
    while waiting and len(found) + len(folders) < MOST_ENTRIES:
        folder = waiting.pop()
        place = os.path.join(root, folder) if folder else root
        text = files.text_or_none(os.path.join(place, IGNORE_FILE))
        rules += parse(text, folder) if text else ()
        for name, is_folder in _entries(place):
            path = f"{folder}/{name}" if folder else name
            if not is_folder:
                found.add(path)
            elif name != ".git":
                folders.add(path)
                if not is_ignored(rules, path, True):
                    waiting.append(path)
    return tree(frozenset(found), frozenset(folders), lambda path: _is_out(rules, path), is_whole=not waiting)


def _is_out(rules: list[Rule], path: str) -> bool:
    return is_ignored(rules, path, False) or is_ignored(rules, path, True)


def _entries(place: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(place) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
    except OSError:
        return []
