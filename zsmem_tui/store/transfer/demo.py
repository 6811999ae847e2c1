"""Write the sample store with its dates moved to now, and imitate writes of other programs to it."""

from __future__ import annotations

import calendar
import os
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import every_file, make_folders

LAST_DAY: Final = date(2026, 5, 25)
"""The last day in the dates of the sample store."""

_DATE: Final = re.compile(rb"\b2026-0[3-6]-[0-3][0-9]\b")


def make_demo(sample: str, today: date, root: str, renamed: Mapping[str, str] | None = None) -> None:
    """Write the store in the folder `sample` to `root`, as it would look on `today`. Raises `OSError` or `StoreError`.

    `renamed` maps folders in it, as relative paths, to other names.
    """
    shift = today - LAST_DAY
    noon = calendar.timegm(today.timetuple()) + 12 * 3600
    for path in every_file(sample):
        folder, name = os.path.split(path)
        moved = os.fsdecode(shifted(os.fsencode(name), shift))
        place = os.path.join(root, placed(folder, renamed or {}), moved)
        make_folders(os.path.dirname(place))
        _put(
            place,
            shifted(files.read(os.path.join(sample, path))[0], shift),
            (noon - _age(name, folder or ".", shift, today)) * 10**9,
        )


def write_as_others(root: str, path: str, raw: bytes, when_ns: int) -> None:
    """Write a file like another program: without the write path. Raises `OSError`."""
    place = os.path.join(root, path)
    make_folders(os.path.dirname(place))
    _put(place, raw, when_ns)


def placed(path: str, renamed: Mapping[str, str]) -> str:
    """A path of the sample with renamed folders applied."""
    found = next((each for each in renamed if path == each or path.startswith(f"{each}/")), None)
    return path if found is None else renamed[found] + path[len(found) :]


def shifted(raw: bytes, shift: timedelta) -> bytes:
    """A text with the sample's dates moved by `shift`."""

    def move(found: re.Match[bytes]) -> bytes:
        try:
            return (date.fromisoformat(found[0].decode()) + shift).isoformat().encode()
        except ValueError:
            return found[0]

    return _DATE.sub(move, raw) if shift else raw


def _put(place: str, raw: bytes, when_ns: int) -> None:
    with open(place, "wb") as stream:
        stream.write(raw)
    os.utime(place, ns=(when_ns, when_ns))


def _age(name: str, place: str, shift: timedelta, today: date) -> int:
    """Seconds since a sample file was last written: a log on its day, others some days ago, derived from the name."""
    try:
        day = date.fromisoformat(name[:10]) + shift
    except ValueError:
        return (sum(name.encode("utf-8", "replace")) + 7 * len(place)) % 30 * 86_400 + 3_600
    return max((today - day).days * 86_400 - 3_600, 1_800)
