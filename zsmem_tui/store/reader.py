"""A store as a layout looks at it while it composes what goes into the prompt."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType

from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Entry, EntryKind, Tree, Wanted, anything
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.disk.tree import DiskTree


class StoreReader:
    """The files below `root`; `unsaved` has texts that stand for files, by relative path. See `core.context.Reader`.

    With `inside`, files that links lead out of the store to are not read: their paths are in `outside`.
    """

    def __init__(self, root: str, unsaved: Mapping[str, str] = MappingProxyType({}), *, inside: bool = False) -> None:
        self._root = root
        self._unsaved = unsaved
        self._inside = inside
        self.outside: dict[str, None] = {}

    def text(self, path: str) -> str | None:
        """What stands in a file; None when it is missing, unreadable or not valid UTF-8."""
        known = self._unsaved.get(path)
        if known is not None:
            return known
        return None if self._leaves(path) else files.text_or_none(os.path.join(self._root, path))

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
        return _WithUnsaved(self._root, self._unsaved, self._leaves)

    def _leaves(self, path: str) -> bool:
        place = os.path.join(self._root, path)
        leaves = self._inside and os.path.lexists(place) and not is_inside(place, self._root)
        if leaves:
            self.outside[path] = None
        return leaves


class _WithUnsaved(DiskTree):
    """The files below a root, with texts that stand for some of them."""

    def __init__(self, root: str, unsaved: Mapping[str, str], leaves: Callable[[str], bool]) -> None:
        super().__init__(root)
        self._unsaved = unsaved
        self._leaves = leaves

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
        if known is None and self._leaves(path):
            raise Missing(path, f"{printable_path(path)} is a link that leaves the store. Nothing was read.")
        return super().read(path) if known is None else known.encode("utf-8", "surrogatepass")

    def _known(self, path: str) -> str | None:
        return self._unsaved.get(os.path.relpath(os.path.join(self.root, path), self.root))
