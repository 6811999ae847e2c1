"""The sample store, written anew with its dates moved."""

from __future__ import annotations

import calendar
import os
import re
from datetime import date, timedelta
from typing import Final

from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import every_file, make_folders

LAST_DAY: Final = date(2026, 5, 25)
"""The day on which the sample store was left, as its files are dated."""

_DATE: Final = re.compile(rb"\b2026-0[3-6]-[0-3][0-9]\b")


def make_demo(sample: str, today: date, root: str) -> None:
    """Write the store in the folder `sample` to `root` as it would look on `today`. Raises `OSError` or `StoreError`."""
    shift = today - LAST_DAY
    noon = calendar.timegm(today.timetuple()) + 12 * 3600
    for path in every_file(sample):
        folder, name = os.path.split(path)
        moved = os.fsdecode(_shifted(os.fsencode(name), shift))
        place = os.path.join(root, folder, moved)
        make_folders(os.path.dirname(place))
        with open(place, "wb") as stream:
            stream.write(_shifted(files.read(os.path.join(sample, path))[0], shift))
        os.utime(place, (noon, noon - _age(name, folder or ".", shift, today)))


def _age(name: str, place: str, shift: timedelta, today: date) -> int:
    """Seconds since a sample file was last written: a log on its day, the rest some days ago, by its name."""
    try:
        day = date.fromisoformat(name[:10]) + shift
    except ValueError:
        return (sum(name.encode("utf-8", "replace")) + 7 * len(place)) % 30 * 86_400 + 3_600
    return max((today - day).days * 86_400 - 3_600, 1_800)


def _shifted(raw: bytes, shift: timedelta) -> bytes:
    def move(found: re.Match[bytes]) -> bytes:
        try:
            return (date.fromisoformat(found[0].decode()) + shift).isoformat().encode()
        except ValueError:
            return found[0]

    return _DATE.sub(move, raw) if shift else raw
