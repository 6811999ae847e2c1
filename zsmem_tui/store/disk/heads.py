"""Folders in which memory lies beside gigabytes that are none: names, and the first bytes of one file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from zsmem_tui.core.errors import StoreError
from zsmem_tui.store.disk import files, listing


class DiskHeads:
    """The answers of `core.tree.Heads` for what lies below `root`."""

    def __init__(self, root: str) -> None:
        self._root = root

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder."""
        return listing.folder_names(self._root, folder)

    def newest(self, folder: str, ending: str) -> str:
        """The file that was changed last; of two at one time, the last by name. Links count for nothing."""
        newest = (-1, "")
        try:
            with os.scandir(os.path.join(self._root, folder)) as found:
                for entry in found:
                    if entry.name.endswith(ending) and entry.is_file(follow_symlinks=False):
                        with contextlib.suppress(OSError):  # it is gone since it was listed
                            newest = max(newest, (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name))
        except OSError:
            return ""
        return newest[1]

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        """The first bytes of a file."""
        try:
            return files.read_head(os.path.join(self._root, path), limit, enough)
        except StoreError:
            return b""
