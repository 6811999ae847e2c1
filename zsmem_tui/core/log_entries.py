"""Split the log of a day into its entries, to merge two logs of one day."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import ended_lines, outside_code, unclosed
from zsmem_tui.core.text import raw_lines, trim

_START: Final = re.compile(r"^#{2,4} (?:[^\n]*?[^0-9:\n])?([0-2][0-9]:[0-5][0-9](?::[0-5][0-9])?)(?![0-9:])")


class Log(NamedTuple):
    """The text before the first entry, the entries as (time, text), and the blank lines at the end. Together they are the log.

    The blank lines above a heading belong to the entry, since agents write them with it.
    """

    head: str
    entries: list[tuple[str, str]]
    tail: str


def parted(*texts: str, in_code: bool = False) -> list[Log]:
    """Split logs of one day at their headings with a time.

    Headings in fences are text, unless `in_code`, or a fence of one of the logs is left open: what follows it below another log is
    no code.
    """
    is_open = in_code or any(unclosed(raw_lines(text)) >= 0 for text in texts)
    return [_parted(text, is_open=is_open) for text in texts]


def _parted(text: str, *, is_open: bool) -> Log:
    pieces: list[tuple[str, list[str]]] = [("", [])]
    for line, (_, _, outside) in zip(ended_lines(text), outside_code(raw_lines(text)), strict=False):
        if (outside or is_open) and (match := _START.match(line)):
            pieces.append((match[1], _without_blank_end(pieces[-1][1])))
        pieces[-1][1].append(line)
    tail = _without_blank_end(pieces[-1][1])
    (_, head), *entries = pieces
    return Log("".join(head), [(moment, "".join(held)) for moment, held in entries], "".join(tail))


def _without_blank_end(held: list[str]) -> list[str]:
    """Take the blank lines at the end out of `held`, and return them."""
    kept = len(held)
    while kept and not trim(held[kept - 1]):
        kept -= 1
    blank = held[kept:]
    del held[kept:]
    return blank
