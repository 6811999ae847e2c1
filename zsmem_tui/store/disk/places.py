"""Where places lie to one another, whatever links lead there."""

from __future__ import annotations

import os


def is_inside(place: str, folder: str) -> bool:
    """Whether a place is a folder or lies below it, with all links followed. Raises `OSError` or `ValueError`."""
    real, home = os.path.realpath(place), os.path.realpath(folder)
    return real == home or real.startswith(home.rstrip("/") + "/")


def overlap(one: str, other: str) -> bool:
    """Whether two places are the same, or one lies below the other."""
    return is_inside(one, other) or is_inside(other, one)
