"""The temporary folders that samples are made in: apart from the samples, which a start does not load."""

from __future__ import annotations

import os

from zsmem_tui.store.disk import temporary

_made: list[str] = []


def new_folder() -> str:
    """A new temporary folder, gone when `remove_demos` is called. Raises `OSError`."""
    folder = os.path.realpath(temporary.make_folder("zsmem-demo-"))
    _made.append(folder)
    return folder


def remove_demos() -> None:
    """Delete the samples that this run opened: they were made for looking around."""
    while _made:
        temporary.drop_folder(_made.pop())
