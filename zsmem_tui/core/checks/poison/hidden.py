"""Find text hidden from the reader: invisible characters, look-alike letters of another script, orders in base64."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from zsmem_tui.core.checks.poison.orders import ACTS, is_order
from zsmem_tui.core.checks.scan import Span, folded, replaced, runs
from zsmem_tui.core.checks.secret import decoded, masked
from zsmem_tui.core.text import line_begin, line_end

INVISIBLE: Final = "invisible text"
LONE: Final = "invisible character"
MIXED: Final = "letters of another script inside a word"
ENCODED: Final = "order in base64"

_CHARACTERS: Final = re.compile(
    "[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]+")
"""Not tab, line ends and form feed: what no text needs, and what a terminal may take for orders."""

_TAGS: Final = re.compile("[\U000e0000-\U000e007f]+")
_ZERO_WIDTH: Final = re.compile("[\u180e\u200b-\u200d\u2060-\u2064\ufeff]{8,}")
_OVERRIDES: Final = frozenset("\u202d\u202e")
_EMBEDDINGS: Final = frozenset("\u202a\u202b\u2066\u2067\u2068")
_CLOSERS: Final = frozenset("\u202c\u2069")
_ISOLATES: Final = frozenset("\u2066\u2067\u2068")
_END_OF_ISOLATE: Final = "\u2069"
_DIRECTIONS: Final = re.compile("[\n\u202a-\u202e\u2066-\u2069]")
_MARKS: Final = frozenset("\u200e\u200f\u061c")
_JOINERS: Final = frozenset("\u200c\u200d")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_JOINED: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_IDEOGRAPHS: Final = re.compile("[\u2e80-\u2fff\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG: Final = "\U0001f3f4"
_LONGEST_SHOWN: Final = 200
_LINE_REACH: Final = 400

_CYRILLIC: Final = "аеорсухіїѕјһԁԛԝкмтвнгпиАВЕКМНОРСТУХІЅЈЗЬ"
_GREEK: Final = "ονρυιεΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_MIXED: Final = re.compile(rf"(?<!\w)(?:[A-Za-z]+[{_CYRILLIC}{_GREEK}]+[A-Za-z]|[{_CYRILLIC}]{{1,2}}[A-Za-z]{{3}})\w*")

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,4096}={0,2}")
_LEAST_RUN: Final = 24
_IMAGE: Final = re.compile(r"base64,\s?$")


def hidden(text: str) -> Iterator[Span]:
    """Find invisible text, decoded if possible; a single invisible or control character may be an accident and is uncertain."""
    for match in _CONTROLS.finditer(text):
        yield Span(match.start(), match.end(), LONE, f"U+{ord(match[0][0]):04X}", sure=False)
    ends = _ends(text)
    for match in _CHARACTERS.finditer(text) if not text.isascii() else ():
        run, start, end = match[0], match.start(), match.end()
        before, after = text[start - 1 : start], text[end : end + 1]
        line = text[line_begin(text, start, start - _LINE_REACH) : line_end(text, end, end + _LINE_REACH)]
        if tags := _TAGS.search(run):
            if before != _FLAG:
                yield Span(start, end, INVISIBLE, _printable("".join(chr(ord(each) - 0xE0000) for each in tags[0])))
        elif any(ord(each) >= 0xE0100 for each in run):
            if len(run) > 1 or not _IDEOGRAPHS.match(before):
                yield Span(start, end, INVISIBLE, _printable(_bytes(run)))
        elif _ZERO_WIDTH.search(run) or _OVERRIDES & set(run) or (_EMBEDDINGS & set(run) and not _RIGHT_TO_LEFT.search(line)):
            yield Span(start, end, INVISIBLE)
        elif start or run != "\ufeff":
            for closes, own in groupby(range(start, end), lambda at: (text[at] in _CLOSERS) + (at in ends)):
                first, last = (at := [*own])[0], at[-1] + 1
                if closes == 1 or (not closes and not _is_needed_by_script(set(text[first:last]), f"{before} {after}", line)):
                    yield Span(first, last, LONE, f"U+{ord(text[first]):04X}", sure=False)


def seen_only(text: str, spots: Sequence[Span]) -> str:
    """The text without these places, and without what ends a direction that began in them."""
    left = replaced(text, spots, lambda _: "")
    lone = {at for at, char in enumerate(left) if char in _CLOSERS} - _ends(left)
    return "".join(char for at, char in enumerate(left) if at not in lone)


def _ends(text: str) -> set[int]:
    """The offsets of the characters that end an embedding or isolate which began before in the same line."""
    found: set[int] = set()
    open_: list[str] = []
    isolates = 0
    for match in _DIRECTIONS.finditer(text) if not text.isascii() else ():
        char = match[0]
        if char == "\n":
            open_.clear()
            isolates = 0
        elif char not in _CLOSERS:
            open_.append(char)
            isolates += char in _ISOLATES
        elif char == _END_OF_ISOLATE and isolates:
            while open_.pop() not in _ISOLATES:  # the embeddings inside end with it
                pass
            isolates -= 1
            found.add(match.start())
        elif char != _END_OF_ISOLATE and open_ and open_[-1] not in _ISOLATES:
            open_.pop()
            found.add(match.start())
    return found


def _is_needed_by_script(run: set[str], beside: str, line: str) -> bool:
    """Whether marks and joiners are in a place where a script or emoji needs them."""
    if run <= _JOINERS:
        return bool(_JOINED.search(beside))
    return run <= _MARKS | _EMBEDDINGS and bool(_RIGHT_TO_LEFT.search(line))


def _printable(text: str) -> str:
    """The printable part of a hidden text, shortened, with credentials masked."""
    said = "".join(each for each in text if each.isprintable())
    return masked(said)[:_LONGEST_SHOWN]


def _bytes(run: str) -> str:
    """Decode the bytes that variation selectors encode, one each."""
    return bytes(code - 0xE0100 + 16 for code in map(ord, run) if code >= 0xE0100).decode("utf-8", "replace")


def mixed(text: str) -> Iterator[Span]:
    """Find Latin words that contain look-alike Cyrillic or Greek letters."""
    for match in _MIXED.finditer(text) if not text.isascii() else ():
        yield Span(match.start(), match.end(), MIXED, match[0])


def encoded(text: str) -> Iterator[Span]:
    """Find base64 text that decodes to an order."""
    for at in runs(text, _LEAST_RUN):
        match = _BASE64.match(text, at)
        if match and not _IMAGE.search(text, max(0, at - 9), at):
            said = _decoded(match[0])
            if said and (is_order(folded(said)) or ACTS.match(folded(said))):
                yield Span(at, match.end(), ENCODED, _printable(said))


def _decoded(run: str) -> str:
    body = run.rstrip("=")
    said = decoded(body[:-1] if len(body) % 4 == 1 else body)
    return said if sum(each.isprintable() or each.isspace() for each in said) == len(said) else ""
