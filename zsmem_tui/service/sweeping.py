"""Clean up at start what a killed process left: steps over several files, and edits of agents' settings."""

from __future__ import annotations

from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import begun_folder, steps_folder


def sweep(*, dry_run: bool = False) -> list[str]:
    """Complete, revert or clean up interrupted work; return sentences for the user. A dry run leaves it, and so does what follows.

    Usually that is a look into two folders that do not exist.
    """
    said: list[str] = []
    # first, so that late writes by others are in place before a step is completed over them
    if not dry_run and files.list_all(begun_folder()):
        from zsmem_tui.store.transfer import connections  # deferred: the write path, rarely needed

        said += connections.recover()
    if files.list_all(steps_folder()):
        from zsmem_tui.store import interrupted  # deferred, as above

        if dry_run:
            interrupted.hold_off()
        said += interrupted.recover()
    return said
