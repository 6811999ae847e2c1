"""Find text hidden from the reader: invisible characters, look-alike letters of another script, orders in base64."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.poison.orders import ACTS, is_order
from zsmem_tui.core.checks.scan import Span, folded, runs
from zsmem_tui.core.checks.secret import decoded, masked, secrets_in

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
_MARKS: Final = frozenset("\u200e\u200f\u061c")
_JOINERS: Final = frozenset("\u200c\u200d")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_JOINED: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_IDEOGRAPHS: Final = re.compile("[\u2e80-\u2fff\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG: Final = "\U0001f3f4"
_LONGEST_SHOWN: Final = 200

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
    for match in _CHARACTERS.finditer(text) if not text.isascii() else ():
        run, start, end = match[0], match.start(), match.end()
        before, after = text[start - 1 : start], text[end : end + 1]
        line = text[text.rfind("\n", max(0, start - 400), start) + 1 or max(0, start - 400) : end + 400].split("\n", 1)[0]
        if tags := _TAGS.search(run):
            if before != _FLAG:
                yield Span(start, end, INVISIBLE, _printable("".join(chr(ord(each) - 0xE0000) for each in tags[0])))
        elif any(ord(each) >= 0xE0100 for each in run):
            if len(run) > 1 or not _IDEOGRAPHS.match(before):
                yield Span(start, end, INVISIBLE, _printable(_bytes(run)))
        elif _ZERO_WIDTH.search(run) or _OVERRIDES & set(run) or (_EMBEDDINGS & set(run) and not _RIGHT_TO_LEFT.search(line)):
            yield Span(start, end, INVISIBLE)
        elif not _is_needed_by_script(set(run), f"{before} {after}", line) and (start or run != "\ufeff"):
            yield Span(start, end, LONE, f"U+{ord(run[0]):04X}", sure=False)


def _is_needed_by_script(run: set[str], beside: str, line: str) -> bool:
    """Whether marks and joiners are in a place where a script or emoji needs them."""
    if run <= _JOINERS:
        return bool(_JOINED.search(beside))
    return run <= _CLOSERS or (run <= _CLOSERS | _MARKS | _EMBEDDINGS and bool(_RIGHT_TO_LEFT.search(line)))


def _printable(text: str) -> str:
    """The printable part of a hidden text, shortened, with credentials masked."""
    said = "".join(each for each in text if each.isprintable())
    return masked(said, secrets_in(said))[:_LONGEST_SHOWN]


def _bytes(run: str) -> str:
    """Decode the bytes that variation selectors encode, one each."""
    return bytes(
        code - 0xE0100 + 16 if code >= 0xE0100 else code - 0xFE00
        for code in map(ord, run)
        if code >= 0xE0100 or 0xFE00 <= code <= 0xFE0F
    ).decode("utf-8", "replace")


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
