"""Find the real path for a write, which must be inside the store, and create its folders."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from zsmem_tui.core.errors import HistoryError, OutsideStore, WriteFailed
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.store.disk import state
from zsmem_tui.store.disk.files import failed
from zsmem_tui.store.disk.folders import make_folders
from zsmem_tui.store.disk.places import is_below
from zsmem_tui.store.disk.swap import refuse_irregular


class Where(NamedTuple):
    """A file of a store: its real path, the requested `path`, and `own`, its real path relative to `real_root`."""

    place: str
    path: str
    real_root: str
    own: str

    def state(self, kind: str) -> str:
        """The folder for one kind of state of the store."""
        return state.folder_of_real(kind, self.real_root)


def resolve(root: str, path: str) -> str:
    """The real path for `path`. Raises the errors of `locate`."""
    return locate(root, path).place


def locate(root: str, path: str) -> Where:
    """Locate `path`: it must be inside `root` with all links resolved, and a regular file or free.

    Raises `OutsideStore` or `WriteFailed`.
    """
    wanted = os.path.join(root, path)
    try:
        real_root, place = os.path.realpath(root), os.path.realpath(wanted)
        inside = place != real_root and is_below(place, real_root)
        if os.path.islink(place):
            raise WriteFailed(wanted, f"{printable_path(wanted)} is a link that leads to itself. Nothing was written.")
    except (OSError, ValueError) as error:
        raise failed(wanted, error) from error
    if not inside:
        raise OutsideStore(
            wanted,
            f"{printable_path(wanted)} is a link that leaves the store, to {printable_path(place)}. Nothing was written.",
            "Edit that file where it lies, or replace the link by a file.",
        )
    if os.path.islink(wanted) and not os.path.lexists(place):
        raise WriteFailed(
            wanted, f"{printable_path(wanted)} is a link that leads nowhere: {printable_path(place)}. Nothing was written."
        )
    refuse_irregular(place, wanted)
    own = place[len(real_root.rstrip("/")) + 1 :]
    return Where(wanted if own == path else place, path, real_root, own)


def require_root(root: str, *, make: bool) -> None:
    """Create the store's folder, or raise `WriteFailed` if it does not exist and must not be created."""
    if make:
        refuse_gone(root)
        make_folder(root, root)
    elif not os.path.isdir(root):
        raise WriteFailed(
            root,
            f"{printable_path(root)} is not there any more. Nothing was written.",
            "It was moved, renamed or unmounted: bring it back, or start zsmem again.",
        )


def refuse_gone(root: str) -> None:
    """Raise `WriteFailed` if the store's folder is missing and the history misses files of it, which a new one would hide."""
    if os.path.lexists(root) or not state.has_history(root):
        return
    from zsmem_tui.store.history.history import History  # deferred: loads the repository, needed only for a missing folder

    history = History(root, time.time_ns)
    try:
        history.drain()
        count = len(history.missed())
    except HistoryError:
        return  # nothing could be brought back
    if count:
        raise WriteFailed(
            root,
            f"{printable_path(root)} is gone: renamed, or its disk is away. The history has {counted(count, 'file')} of it. "
            "Nothing was written.",
            "`zsmem review back` brings them back. To begin anew, make the folder first.",
        )


def make_folder(root: str, folder: str) -> None:
    """Create a folder of the store and its parents. Raises `WriteFailed`."""
    try:
        make_folders(folder)
    except (OSError, ValueError) as error:
        if isinstance(error, FileExistsError | NotADirectoryError):
            where = root if folder == root else folder
            raise WriteFailed(where, f"{printable_path(where)} is not a folder. Nothing was written.") from error
        raise failed(folder, error) from error
