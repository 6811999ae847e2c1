"""What an export leaves behind, looked up in the files as they would be: nobody has to say it, so nobody can forget to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.outgoing import Whole
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.left_lines import LeftLine, left_lines
from zsmem_tui.core.text import counted
from zsmem_tui.store.disk import files

_LINE: Final = re.compile(r":\d+\Z")


def lines_left(whole: Iterable[Whole], goes: Iterable[tuple[str, str]], after: Mapping[str, bytes | None]) -> tuple[LeftLine, ...]:
    """The lines of whole files that are nowhere afterwards.

    `goes` has each text that is there then, by its source, and where its file lies; `after` what files become, by place.
    """
    places: dict[str, dict[str, None]] = {}
    for source, place in goes:
        for name in (source, _LINE.sub("", source)):
            places.setdefault(name, {})[place] = None
    texts: dict[str, str] = {}

    def text(place: str) -> str:
        if place not in texts:
            texts[place] = _text(after[place] if place in after else _read(place))
        return texts[place]

    out: list[LeftLine] = []
    for each in whole:
        there = dict.fromkeys(place for name in (each.source, *each.goes_as) for place in places.get(name, ()))
        out += left_lines(each.source, each.text, [text(place) for place in there])
    return tuple(out)


def said(lines: Sequence[LeftLine], files_left: int = 0) -> str:
    """What stays behind, counted, as a sentence; or that nothing does."""
    gone = [each for each in lines if not each.is_changed]
    parts = [f"{counted(len(gone), 'line')} of {counted(len({each.source for each in gone}), 'file')}"] if gone else []
    parts += [f"{counted(files_left, 'file')} that cannot be read"] if files_left else []
    found = [f"left out: {' and '.join(parts)}"] if parts else []
    changed = len(lines) - len(gone)
    found += [f"of {counted(changed, 'line')} only the words go along"] if changed else []
    text = "; ".join(found)
    return f"{text[:1].upper()}{text[1:]}." if text else "Nothing is lost: every line goes along."


def _read(place: str) -> bytes | None:
    try:
        return files.read_if_there(place)
    except StoreError:
        return None


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "surrogateescape")
