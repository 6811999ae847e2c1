"""Compare paths with links resolved, and the folders in which a start looks for unfinished steps."""

from __future__ import annotations

import os

from zsmem_tui.config import locate
from zsmem_tui.core.text import printable_path


def is_inside(place: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it, with all links resolved. Raises `OSError` or `ValueError`."""
    return is_below(os.path.realpath(place), os.path.realpath(folder))


def is_below(real: str, home: str) -> bool:
    """`is_inside` for paths whose links are resolved already."""
    return real == home or real.startswith(home.rstrip("/") + "/")


def leads_out(root: str, path: str) -> bool:
    """Whether a path leads out of a folder, as by a link; quick if none is on the way. Raises `OSError` or `ValueError`."""
    place, steps = root, path.split("/") if path else []
    for step in steps:
        place = f"{place}/{step}"
        if step in ("", "..") or os.path.islink(place):
            return not is_inside(os.path.join(root, path), root)
    return False


def left_by(place: str) -> str:
    """What is said of a file that lies behind a link out of the store, without a full stop."""
    return f"{printable_path(place)} is a link that leaves the store"


def overlap(one: str, other: str) -> bool:
    """Whether two paths are the same, or one lies below the other."""
    return is_inside(one, other) or is_inside(other, one)


def steps_folder() -> str:
    """The folder with a note for each unfinished step over several files; usually empty."""
    return os.path.join(locate.state_folder(), "steps")


def begun_folder() -> str:
    """The folder with a subfolder for each unfinished step in other programs' files; usually empty."""
    return os.path.join(locate.state_folder(), "begun")
