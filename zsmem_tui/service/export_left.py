"""What an export leaves behind, looked up in the files as they would be: nobody has to say it, so nobody can forget to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.outgoing import Whole
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.left_lines import LeftLine, left_lines, says
from zsmem_tui.core.listed import About
from zsmem_tui.core.text import counted
from zsmem_tui.store.disk import files

_LINE: Final = re.compile(r":\d+\Z")
_BETWEEN: Final = re.compile(r"[\W_]+")


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
        for line in left_lines(each.source, each.text, [text(place) for place in there]):
            about = each.told.get(line.number)
            goals = places.get(about.path, ()) if about is not None else ()
            is_said = about is not None and bool(goals) and _is_said(about, goals, [text(place) for place in goals])
            out.append(line._replace(is_changed=line.is_changed or is_said))
    return tuple(out)


def _is_said(about: About, places: Iterable[str], texts: Sequence[str]) -> bool:
    """Whether a file says by itself, where it went, what an index says of it: it is called so, and its text has the rest."""
    stem = _stem(about.path)
    is_called_so = stem in "\n".join([*map(_stem, places), *texts]) and _called(about.title) in _called(stem)
    return says(texts, about.rest) and (is_called_so or says(texts, about.title))


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(EXTENSION)


def _called(name: str) -> str:
    """A name in words, whatever stands between them, each with a hyphen on both sides."""
    return f"-{_BETWEEN.sub('-', name.casefold()).strip('-')}-"


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
