"""A store as a layout looks at it while it composes what goes into the prompt."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.tree import Entry, EntryKind, Tree, Wanted, anything
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree


class StoreReader:
    """The files below `root`; `unsaved` has texts that stand for files, by relative path. See `core.context.Reader`."""

    def __init__(self, root: str, unsaved: Mapping[str, str] = MappingProxyType({})) -> None:
        self._root = root
        self._unsaved = unsaved

    def text(self, path: str) -> str | None:
        """What stands in a file; None when it is missing, unreadable or not valid UTF-8."""
        known = self._unsaved.get(path)
        return files.text_or_none(os.path.join(self._root, path)) if known is None else known

    def size(self, path: str) -> int | None:
        """Bytes of a file; None when it cannot be looked at."""
        known = self._unsaved.get(path)
        try:
            return files.look(os.path.join(self._root, path)).size if known is None else len(known.encode())
        except StoreError:
            return None

    def names(self, folder: str) -> list[str]:
        """The names of the memory files in a folder; none when it cannot be read."""
        return files.list_names(os.path.join(self._root, folder) if folder else self._root)

    def tree(self) -> Tree:
        """The same files as bytes and names."""
        return _WithUnsaved(self._root, self._unsaved)


class _WithUnsaved(DiskTree):
    """The files below a root, with texts that stand for some of them."""

    def __init__(self, root: str, unsaved: Mapping[str, str]) -> None:
        super().__init__(root)
        self._unsaved = unsaved

    def entry(self, path: str) -> Entry | None:
        """What lies at a path; a text that is not saved yet is a file."""
        found = super().entry(path)
        is_new = self._known(path) is not None and (found is None or found.kind is not EntryKind.FILE)
        return Entry(os.path.basename(path), EntryKind.FILE) if is_new else found

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """What lies in a folder, and what shall."""
        found = {entry.name: entry for entry in super().entries(folder, wanted)}
        home = os.path.relpath(os.path.join(self.root, folder), self.root)
        for path in self._unsaved:
            if (os.path.dirname(path) or ".") == home and wanted(os.path.basename(path)):
                found.setdefault(os.path.basename(path), Entry(os.path.basename(path), EntryKind.FILE))
        return [found[name] for name in sorted(found, key=os.fsencode)]

    def read(self, path: str) -> bytes:
        """The bytes of a file, or of what shall stand in it. Raises `Missing` or `Unreadable`."""
        known = self._known(path)
        return super().read(path) if known is None else known.encode("utf-8", "surrogatepass")

    def _known(self, path: str) -> str | None:
        return self._unsaved.get(os.path.relpath(os.path.join(self.root, path), self.root))
