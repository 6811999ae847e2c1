"""What every start ends that a process which was killed had begun: steps over several files, and edits of agents' settings."""

from __future__ import annotations

from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import begun_folder, steps_folder


def sweep() -> list[str]:
    """Finish, take back or clear up what was left in the middle; what the person has to know of it, as sentences.

    Where nothing was, as ever, that is a look into two folders that are not there.
    """
    said: list[str] = []
    if files.list_all(begun_folder()):  # first: what others wrote late stands in its place before a step is finished over it
        from zsmem_tui.store.transfer import connections  # the write path, which most starts can do without

        said += connections.recover()
    if files.list_all(steps_folder()):
        from zsmem_tui.store import interrupted  # as above

        said += interrupted.recover()
    return said
