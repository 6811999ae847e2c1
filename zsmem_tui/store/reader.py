"""Read access to a store for layouts that compose the prompt."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType

from zsmem_tui.core.errors import Missing
from zsmem_tui.core.tree import Entry, EntryKind, Tree, Wanted, anything
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import leads_out, left_by
from zsmem_tui.store.disk.tree import DiskTree


class StoreReader:
    """Implements `core.context.Reader` for the files below `root`; `unsaved` maps relative paths to texts used instead of files.

    With `inside`, files reached by links that leave the store are not read; their paths are collected in `outside`.
    """

    def __init__(self, root: str, unsaved: Mapping[str, str] = MappingProxyType({}), *, inside: bool = False) -> None:
        self._root = root
        self._unsaved = unsaved
        self._inside = inside
        self.outside: dict[str, None] = {}

    def text(self, path: str) -> str | None:
        """The content of a file; None if it is missing, unreadable or not valid UTF-8."""
        known = self._unsaved.get(path)
        if known is not None:
            return known
        return None if self._leaves(path) else files.text_or_none(os.path.join(self._root, path))

    def size(self, path: str) -> int | None:
        """The size of a file in bytes; None if stat fails."""
        known = self._unsaved.get(path)
        if known is not None:
            return len(known.encode())
        found = files.mark_of(os.path.join(self._root, path))
        return found.size if found else None

    def names(self, folder: str) -> list[str]:
        """The names of the memory files in a folder; empty if it cannot be read."""
        return files.list_names(os.path.join(self._root, folder) if folder else self._root)

    def tree(self) -> Tree:
        """The same files as bytes and names."""
        return _WithUnsaved(self._root, self._unsaved, self._leaves)

    def _leaves(self, path: str) -> bool:
        leaves = self._inside and leads_out(self._root, path)
        if leaves:
            self.outside[path] = None
        return leaves


class _WithUnsaved(DiskTree):
    """A disk tree in which unsaved texts replace some files or add new ones."""

    def __init__(self, root: str, unsaved: Mapping[str, str], leaves: Callable[[str], bool]) -> None:
        super().__init__(root)
        self._unsaved = unsaved
        self._leaves = leaves

    def entry(self, path: str) -> Entry | None:
        """The entry at a path; an unsaved text counts as a file."""
        found = super().entry(path)
        is_new = self._known(path) is not None and (found is None or found.kind is not EntryKind.FILE)
        return Entry(os.path.basename(path), EntryKind.FILE) if is_new else found

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """The entries of a folder, including unsaved files."""
        found = {entry.name: entry for entry in super().entries(folder, wanted)}
        home = os.path.relpath(os.path.join(self.root, folder), self.root)
        for path in self._unsaved:
            if (os.path.dirname(path) or ".") == home and wanted(os.path.basename(path)):
                found.setdefault(os.path.basename(path), Entry(os.path.basename(path), EntryKind.FILE))
        return [found[name] for name in sorted(found, key=os.fsencode)]

    def read(self, path: str) -> bytes:
        """The bytes of a file, or of its unsaved text. Raises `Missing` or `Unreadable`."""
        known = self._known(path)
        if known is None and self._leaves(path):
            raise Missing(path, f"{left_by(path)}. Nothing was read.")
        return super().read(path) if known is None else known.encode("utf-8", "surrogatepass")

    def _known(self, path: str) -> str | None:
        return self._unsaved.get(os.path.relpath(os.path.join(self.root, path), self.root))
