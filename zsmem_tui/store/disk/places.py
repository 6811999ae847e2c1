"""Where places lie to one another, whatever links lead there, and where a start looks for what was left in the middle."""

from __future__ import annotations

import os
from collections.abc import Iterable

from zsmem_tui.config import locate


def is_inside(place: str, folder: str) -> bool:
    """Whether a place is a folder or lies below it, with all links followed. Raises `OSError` or `ValueError`."""
    return is_below(os.path.realpath(place), os.path.realpath(folder))


def is_below(real: str, home: str) -> bool:
    """The same of two places without links."""
    return real == home or real.startswith(home.rstrip("/") + "/")


def links_out(root: str, paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths in a folder that are links, or lie in one, that lead out of it. Raises `OSError` or `ValueError`."""
    home = os.path.realpath(root)
    inside: dict[str, bool] = {}
    found = []
    for path in paths:
        folder, place = os.path.dirname(path), os.path.join(root, path)
        if folder not in inside:
            inside[folder] = is_below(os.path.realpath(os.path.join(root, folder)), home)
        if not inside[folder] or (os.path.islink(place) and not is_below(os.path.realpath(place), home)):
            found.append(path)
    return frozenset(found)


def overlap(one: str, other: str) -> bool:
    """Whether two places are the same, or one lies below the other."""
    return is_inside(one, other) or is_inside(other, one)


def steps_folder() -> str:
    """Where there is a note for each step over several files that goes on, or that was killed; none as a rule."""
    return os.path.join(locate.state_folder(), "steps")


def begun_folder() -> str:
    """Where there is a folder for each step in other programs' files that goes on, or that was killed; none as a rule."""
    return os.path.join(locate.state_folder(), "begun")
