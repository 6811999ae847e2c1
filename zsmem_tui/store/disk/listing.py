"""What lies in the folders of a layout."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from zsmem_tui.core.layout import Folder
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside


def expanded(root: str, folders: Iterable[Folder]) -> Iterator[Folder]:
    """These folders, each deep one as itself and all those below it, by name; hidden folders and links to folders are left out.

    None of the answers is deep.
    """
    for folder in folders:
        if folder.deep:
            yield from _with_below(root, folder._replace(deep=False))
        else:
            yield folder


def names(root: str, folder: Folder) -> list[str]:
    """The names of the memory files of one folder, in no order; empty when it cannot be read. What is below it is not looked at."""
    home = os.path.join(root, folder.path) if folder.path else root
    if folder.place is None:
        found = files.list_names(home)
        return [name for name in found if name in folder.only] if folder.only else found
    found = files.list_all(home)
    if folder.endings:
        found = [name for name in found if name.lower().endswith(folder.endings)]
    found = [name for name in found if folder.holds(name)]
    return [name for name in found if is_inside(os.path.join(home, name), root)] if folder.inside else found


class FolderNames:
    """The answers of `core.layout.Listing` for the store at `root`."""

    def __init__(self, root: str) -> None:
        self._root = root

    def __call__(self, folder: str) -> list[str]:
        """The names of the folders in a folder."""
        return folder_names(self._root, folder)

    def has(self, folder: str) -> bool:
        """Whether there is such a folder."""
        return os.path.isdir(os.path.join(self._root, folder))


def folder_names(root: str, folder: str) -> list[str]:
    """The names of the folders in a folder, by name; hidden ones are left out."""
    home = os.path.join(root, folder) if folder else root
    try:
        with os.scandir(home) as found:
            return sorted(entry.name for entry in found if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []


def _with_below(root: str, folder: Folder) -> Iterator[Folder]:
    yield folder
    home = os.path.join(root, folder.path) if folder.path else root
    for name in folder_names(root, folder.path):
        if not os.path.islink(os.path.join(home, name)):
            yield from _with_below(root, folder._replace(path=f"{folder.path}/{name}" if folder.path else name))
