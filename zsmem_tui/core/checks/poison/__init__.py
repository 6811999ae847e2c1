"""The rule `poison`: text that gives orders to the agent and that its user would hardly have written.

A note that says it is about attacks may quote one: what it has in quotation marks, code, tables or quoted lines is a specimen. The
same words in plain text are an order, whoever wrote them there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.poison import hidden, marks, orders
from zsmem_tui.core.checks.scan import Spot, Window, folded, spots, windows
from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.text import one_line

QUOTED: Final = "quoted, do not follow"
"""What the info string of a fence says that holds an order only to show it."""

GRAVE: Final = frozenset((hidden.INVISIBLE, hidden.MIXED, hidden.ENCODED, marks.COMMENT, marks.ROLE))
"""Kinds of places that somebody meant not to be seen, or to be taken for another's words: whoever wrote them meant no good."""

_FENCE: Final = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})([^\n]{0,200})$", re.MULTILINE)
_ABOUT: Final = re.compile(
    r"\battempts?\b|injection|jailbreak|\battacks?\b|\battackers?\b|malicious|phishing|red[- ]?team|exfiltrat|threat model|poison"
    r"|hostile|adversarial|suspicious|scam|specimen|social engineering|angriff|schadhaft|bösartig|vergift"
    r"|攻撃|インジェクション"
    r"|悪意|不正な指示|フィッシング|攻击|恶意|越狱|注入|钓鱼"
)
_ABOUT_REACH: Final = 600
_OPENERS: Final = "“„«‹「『‚‘"
_CLOSERS: Final = "”“»›」』‘’"
_LINE_REACH: Final = 400
_LONGEST_QUOTE: Final = 120


def poison_in(text: str) -> list[Spot]:
    """Where `text` gives orders to an agent or hides something; a lone invisible character is a perhaps."""
    small = folded(text).replace("’", "'")
    hits = [*hidden.hidden(text), *hidden.mixed(text), *hidden.encoded(text)]
    fences = _Fences(small)
    found = list(_visible(text, small, fences))
    if found or any(hit.sure for hit in hits):
        specimens = _Specimens(text, small, fences)
        hits += found
        hits = [hit for hit in hits if not hit.sure or not specimens.holds(hit.start, hit.kind)]
    return spots(text, [_quoting(text, hit) for hit in hits])


def quoted(text: str, spot: Spot) -> str:
    """`text` with the lines of a place inside a fence that says so, so that no agent takes them for an order."""
    start = text.rfind("\n", 0, spot.start) + 1
    end = text.find("\n", spot.end)
    end = len(text) if end < 0 else end
    body = text[start:end]
    marks = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, marks + 1)
    return f"{text[:start]}{fence}text {QUOTED}\n{body}\n{fence}{text[end:]}"


def _quoting(text: str, hit: Spot) -> Spot:
    """A place with what it says: decoded, or the line it stands in, or the first of it; a credential in it is masked."""
    start = text.rfind("\n", max(0, hit.start - _LONGEST_QUOTE // 2), hit.start) + 1 or hit.start
    end = text.find("\n", hit.end, start + _LONGEST_QUOTE)
    said = hit.shown or text[start : max(end, min(hit.end, start + 2 * _LONGEST_QUOTE))].lstrip(" \t>*+-")
    said = one_line(masked(said, secrets_in(said)))[:_LONGEST_QUOTE]
    return Spot(hit.start, hit.end, hit.kind, said, hit.sure)


def _visible(text: str, small: str, fences: _Fences) -> Iterator[Spot]:
    yield from orders.orders(small, text)
    for window in windows(small, marks.WORDS):
        at = window.start
        for stop in (*fences.between(window), window.end):
            if stop > at:
                yield from marks.marks(small, Window(at, stop), fences.inside(at))
            at = stop


class _Fences:
    """Where the fences of a text begin and end."""

    def __init__(self, small: str) -> None:
        self._edges: list[int] = []
        self._info: list[str] = []
        mark = ""
        if "```" not in small and "~~~" not in small:
            return
        for match in _FENCE.finditer(small):
            if not mark:
                mark = match[1]
                self._edges.append(match.start())
                self._info.append(match[2])
            elif match[1][0] == mark[0] and len(match[1]) >= len(mark) and not match[2].strip():
                mark = ""
                self._edges.append(match.end())

    def inside(self, at: int) -> bool:
        """Whether a place lies in a fence."""
        return bisect_right(self._edges, at) % 2 == 1

    def info(self, at: int) -> str:
        """The info string of the fence around a place."""
        number = bisect_right(self._edges, at)
        return self._info[number // 2] if number % 2 else ""

    def between(self, window: Window) -> list[int]:
        """The edges of fences inside a stretch."""
        first, last = bisect_right(self._edges, window.start), bisect_right(self._edges, window.end)
        return self._edges[first:last]


class _Specimens:
    """What a text shows as an attack, without giving the order itself."""

    def __init__(self, text: str, small: str, fences: _Fences) -> None:
        self._text = text
        self._small = small
        self._fences = fences
        title = small[:_ABOUT_REACH]
        self._all = bool(
            _ABOUT.search(title.split("\n\n", 2)[0]) or any(map(_ABOUT.search, re.findall(r"(?m)^#{1,2} .{0,200}$", title)))
        )

    def holds(self, at: int, kind: str) -> bool:
        """Whether a place only shows an attack."""
        fenced = self._fences.inside(at)
        if fenced and QUOTED in self._fences.info(at):
            return True
        if not fenced and kind == marks.ROLE and self._ticked(at):
            return True
        return (fenced or self._set_apart(at)) and self._told(at)

    def _told(self, at: int) -> bool:
        return (
            self._all
            or bool(_ABOUT.search(self._small, max(0, at - _ABOUT_REACH), at))
            or bool(_ABOUT.search(self._small, at, self._line_end(at)))
        )

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at, at + _LINE_REACH)
        return min(len(self._text), at + _LINE_REACH) if end < 0 else end

    def _line_start(self, at: int) -> int:
        start = self._text.rfind("\n", max(0, at - _LINE_REACH), at)
        return max(0, at - _LINE_REACH) if start < 0 else start + 1

    def _ticked(self, at: int) -> bool:
        return self._text.count("`", self._line_start(at), at) % 2 == 1

    def _set_apart(self, at: int) -> bool:
        """Whether a place stands in quotation marks, in code, in a table or in a quoted line."""
        start = self._line_start(at)
        line = self._text[start : self._line_end(at)]
        if line.lstrip().startswith((">", "|")) or self._ticked(at):
            return True
        before, after = self._text[start : at + 1], self._text[at : self._line_end(at)]
        if before.count('"') % 2 == 1 and '"' in after:
            return True
        opened = max(map(before.rfind, _OPENERS))
        return (
            opened >= 0 and any(each in after for each in _CLOSERS) and not any(each in before[opened + 1 :] for each in "”»›」』")
        )
