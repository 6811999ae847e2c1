"""The sample store: copied to a temporary folder, its dates moved so that its last day is today."""

from __future__ import annotations

import calendar
import os
import re
import shutil
import tempfile
from datetime import date, timedelta
from typing import Final

from zsmem_tui.config.model import Config
from zsmem_tui.service.session import Session, local_clock

LAST_DAY: Final = date(2026, 5, 25)
"""The day on which the sample store was left, as its files are dated."""

PROJECT: Final = "lantern-2cf21588"
"""The project that the sample store opens on."""

_HOME: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "demo", "store")
_DATE: Final = re.compile(rb"\b2026-0[3-6]-[0-3][0-9]\b")

_opened: list[str] = []


def make_demo(today: date, folder: str | None = None) -> str:
    """Copy the sample store to `folder` (default: a new temporary one) as it would look on `today`; return its root."""
    root = folder or os.path.join(tempfile.mkdtemp(prefix="zsmem-demo-"), "memory")
    shutil.copytree(_HOME, root, dirs_exist_ok=True)
    shift = today - LAST_DAY
    noon = calendar.timegm(today.timetuple()) + 12 * 3600
    for place, _, names in os.walk(root):
        for name in names:
            path = os.path.join(place, name)
            _shift_text(path, shift)
            moved = _shifted(os.fsencode(name), shift)
            os.utime(path, (noon, noon - _age(name, os.path.relpath(place, root), shift, today)))
            if moved != os.fsencode(name):
                os.rename(path, os.path.join(place, f".moving-{os.fsdecode(moved)}"))
        for name in os.listdir(place):
            if name.startswith(".moving-"):
                os.rename(os.path.join(place, name), os.path.join(place, name.removeprefix(".moving-")))
    return root


def _age(name: str, place: str, shift: timedelta, today: date) -> int:
    """Seconds since a sample file was last written: a log on its day, the rest some days ago, by its name."""
    try:
        day = date.fromisoformat(name[:10]) + shift
    except ValueError:
        return (sum(name.encode("utf-8", "replace")) + 7 * len(place)) % 30 * 86_400 + 3_600
    return max((today - day).days * 86_400 - 3_600, 1_800)


def open_demo(config: Config) -> Session:
    """A session on a fresh copy of the sample store; settings that name another root do not count."""
    clock = local_clock
    root = make_demo(clock().date())
    _opened.append(root)
    return Session(root, PROJECT, config=config, clock=clock, history_home=os.path.join(os.path.dirname(root), "history"))


def remove_demos() -> None:
    """Delete the sample stores that this run opened: they were made for looking around."""
    while _opened:
        shutil.rmtree(os.path.dirname(_opened.pop()), ignore_errors=True)


def _shift_text(path: str, shift: timedelta) -> None:
    with open(path, "rb") as stream:
        raw = stream.read()
    moved = _shifted(raw, shift)
    if moved != raw:
        with open(path, "wb") as stream:
            stream.write(moved)


def _shifted(raw: bytes, shift: timedelta) -> bytes:
    def move(found: re.Match[bytes]) -> bytes:
        try:
            return (date.fromisoformat(found[0].decode()) + shift).isoformat().encode()
        except ValueError:
            return found[0]

    return _DATE.sub(move, raw) if shift else raw
