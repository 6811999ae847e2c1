"""A store as a layout looks at it while it composes what goes into the prompt."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

from zsmem_tui.core.errors import StoreError
from zsmem_tui.store.disk import files


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
