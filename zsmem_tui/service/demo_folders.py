"""The temporary folders of demos; separate from `demo`, which is not loaded at start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zsmem_tui.core.errors import MemError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import temporary

_ELSEWHERE: Final = "TMPDIR names the folder in which it is made."

_PREFIX: Final = "zsmem-sample-"

_made: list[str] = []
_handles: dict[str, int] = {}
"""Open locks that tell other runs that a demo is in use."""


def new_folder() -> str:
    """Create a temporary folder that `remove_demos` deletes. Raises `OSError`."""
    folder, handle = temporary.make_held_folder(_PREFIX)
    _made.append(folder)
    _handles[folder] = handle
    return folder


def remove_left() -> None:
    """Delete the demos of runs that were killed."""
    for folder in () if _made else temporary.left_behind(_PREFIX):
        temporary.drop_folder(folder)


def remove_demos(but: int = 0) -> None:
    """Delete the demos of this run, except for the first `but`."""
    while len(_made) > but:
        folder = _made.pop()
        temporary.drop_folder(folder)
        os.close(_handles.pop(folder))


@contextmanager
def whole() -> Iterator[None]:
    """Within the block, delete a half-made demo on failure. Raises `MemError`."""
    before = len(_made)
    try:
        yield
    except (OSError, MemError) as error:
        where = printable_path(_made[-1] if len(_made) > before else temporary.place())
        words = (error.strerror or "") if isinstance(error, OSError) else error.message
        remove_demos(before)
        said = ": ".join(filter(None, (where, words)))
        raise WriteFailed(where, f"{said}. The sample was not made; nothing else was touched.", _ELSEWHERE) from error
