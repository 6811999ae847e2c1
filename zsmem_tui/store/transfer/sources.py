"""Read files of other agents, within limits, never through a link that leaves the folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.errors import BadContent, StoreError, Unreadable
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside

MOST_FILES: Final = 20_000
"""The most files of a source: with more, it is not a memory."""

MOST_BYTES: Final = 256 * 1024 * 1024
"""The most bytes of a source, all files together."""

_NARROWER: Final = "Name a folder in it, one after the other: each is a step of its own."


class TreeRead(NamedTuple):
    """The files below a folder by relative path, their modification times, and why others could not be read."""

    files: dict[str, bytes]
    times_ns: dict[str, int]
    problems: dict[str, str]


def read(
    folder: str,
    wants: Callable[[str], bool],
    enters: Callable[[str], bool] = lambda path: True,
    *,
    name: str = "",
    links: bool = True,
    cancelled: Callable[[], bool] = lambda: False,
) -> TreeRead:
    """Read the wanted files below a folder, or the one called `name` in it; `enters` filters subfolders, and with
    `links` links that stay in the folder are read.

    Raises `Missing`, `Unreadable`, or `BadContent` if there is too much.
    """
    place = os.path.join(folder, name) if name else folder
    if not os.path.lexists(place):
        raise files.missing(place, ". Nothing was imported.")
    if not os.path.isdir(folder):
        raise Unreadable(folder, f"{printable_path(folder)} is not a folder. Nothing was imported.")
    out = TreeRead({}, {}, {})
    paths = [name] if name else _paths(folder, wants, enters, cancelled, out.problems)
    total = 0
    for path in paths:
        if cancelled():
            return out
        whole = os.path.join(folder, path)
        if os.path.islink(whole) and not (links and is_inside(whole, folder)):
            out.problems[path] = "a link that leaves the folder" if links else "a link: the agent passes over it"
            continue
        try:
            total += files.look(whole).size
            if total > MOST_BYTES:
                raise BadContent(_too_much(folder, f"{MOST_BYTES >> 20} MB"), _NARROWER)
            raw, found = files.read(whole)
        except StoreError as error:
            out.problems[path] = error.message.rpartition(": ")[2]
            continue
        out.files[path] = raw
        out.times_ns[path] = found.mtime_ns
    return out


def _paths(
    folder: str,
    wants: Callable[[str], bool],
    enters: Callable[[str], bool],
    cancelled: Callable[[], bool],
    problems: dict[str, str],
) -> list[str]:
    """The relative paths of the wanted files, in the order of a walk."""
    found: list[str] = []

    def unlisted(error: OSError) -> None:
        problems[os.path.relpath(error.filename, folder)] = f"cannot be listed: {error.strerror}"

    for place, folders, names in os.walk(folder, onerror=unlisted):
        below = os.path.relpath(place, folder)
        base = "" if below == "." else f"{below}/"
        folders[:] = sorted(name for name in folders if enters(base + name))
        for name in folders:
            whole = os.path.join(place, name)
            if os.path.islink(whole) and not is_inside(whole, folder):
                problems[base + name] = "a link that leaves the folder"
        found += [base + name for name in sorted(names) if wants(base + name)]
        if len(found) > MOST_FILES:
            raise BadContent(_too_much(folder, f"{MOST_FILES} files"), _NARROWER)
        if cancelled():
            break
    return found


def _too_much(folder: str, bound: str) -> str:
    return f"{printable_path(folder)} has more than {bound} to bring in. Nothing was imported."
