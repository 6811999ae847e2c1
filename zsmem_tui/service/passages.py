"""The text around a finding, as it may be shown: credentials cut down, hidden text decoded, a few hundred lines at most."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from zsmem_tui.core.checks.excerpt import shown
from zsmem_tui.core.checks.finding import Place
from zsmem_tui.core.text import lines, raw_lines
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

AROUND: Final = 120
"""Lines that are shown on each side of a finding."""


LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a file of which some lines are shown."""

_REACH: Final = 45_000
"""Characters on each side that are looked at for what is cut down: more than the longest private key has."""


class Passage(NamedTuple):
    """Some lines of a file: `text`, beginning at line `start` (from 0), in which the lines `marked` (of the passage) are meant."""

    text: str = ""
    start: int = 0
    marked: range = range(0)


def passage(session: Session, place: Place, last: int = 0) -> Passage:
    """The lines around a place of the store, or of a file beside it. Raises `StoreError`."""
    where = place.path if os.path.isabs(place.path) else session.path(session.ref_at(place.path))
    if (size := files.look(where).size) > LARGEST:
        return Passage(f"With {size} bytes it is too large to be shown here.")
    raw = files.read(where)[0]
    rows = lines(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    first, stop = place.line - 1, min(max(last, place.line), len(rows))
    start = max(0, first - AROUND)
    end = min(min(stop, first + AROUND) + AROUND, len(rows))
    top, bottom = start, end
    reach = _REACH
    while top > 0 and reach > 0:
        top -= 1
        reach -= len(rows[top]) + 1
    reach = _REACH
    while bottom < len(rows) and reach > 0:
        reach -= len(rows[bottom]) + 1
        bottom += 1
    text = "\n".join(raw_lines(shown(rows[top:bottom]))[start - top : end - top])
    return Passage(text, start, range(first - start, stop - start))
