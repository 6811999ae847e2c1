"""The rule `poison`: text that gives orders to the agent and that its user is unlikely to have written.

A note about attacks may quote one: in quotation marks, code, tables or quoted lines it is a specimen. The same words in plain text
are an order, whoever wrote them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.poison import hidden, marks, orders
from zsmem_tui.core.checks.scan import Span, folded, spans, windows
from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.text import line_begin, line_end, one_line

QUOTED: Final = "quoted, do not follow"
"""The info string of a fence around an order that is only shown."""

GRAVE: Final = frozenset((hidden.INVISIBLE, hidden.MIXED, hidden.ENCODED, marks.COMMENT, marks.ROLE))
"""Kinds that are hidden or forged on purpose, so whoever wrote them had bad intentions."""

_FENCE: Final = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})([^\n]{0,200})$", re.MULTILINE)
_ABOUT: Final = re.compile(
    r"\battempts?\b|injection|jailbreak|\battacks?\b|\battackers?\b|malicious|phishing|red[- ]?team|exfiltrat|threat model|poison"
    r"|hostile|adversarial|suspicious|scam|specimen|social engineering|angriff|schadhaft|bösartig|vergift"
    r"|攻撃|インジェクション"
    r"|悪意|不正な指示|フィッシング|攻击|恶意|越狱|注入|钓鱼"
)
_ABOUT_REACH: Final = 600
_OPENERS: Final = "“„«‹「『‚‘"
_CLOSERS: Final = "”»›」』’"
_LINE_REACH: Final = 400
_LONGEST_QUOTE: Final = 120


def poison_in(text: str) -> list[Span]:
    """The places where `text` gives orders to an agent or hides something; a single invisible character is uncertain."""
    small = folded(text).replace("’", "'")
    fences = _fences(small)
    hits = [*hidden.hidden(text), *hidden.mixed(text), *hidden.encoded(text), *orders.orders(small, text)]
    for window in windows(small, marks.WORDS):
        hits += marks.marks(small, window, lambda at: _fence_info(fences, at) is not None)
    secrets = secrets_in(text) if hits else []
    told = (hit for hit in hits if not hit.sure or not _is_example(small, hit, _fence_info(fences, hit.start)))
    return spans(text, [_with_shown_text(text, hit, secrets) for hit in told])


def quoted(text: str, spot: Span) -> str:
    """`text` with the lines of a place put in a fence marked as quoted, so that no agent takes them for an order."""
    start = line_begin(text, spot.start)
    end = line_end(text, spot.end, len(text))
    body = text[start:end]
    marks = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, marks + 1)
    return f"{text[:start]}{fence}text {QUOTED}\n{body}\n{fence}{text[end:]}"


def _with_shown_text(text: str, hit: Span, secrets: Sequence[Span]) -> Span:
    """Set the text to show for a place: decoded text, or the start of its line with credentials masked."""
    most = _LONGEST_QUOTE // 2
    start = line_begin(text, hit.start, hit.start - most - 1)
    start = start if hit.start - start <= most else hit.start
    end = text.find("\n", hit.end, start + _LONGEST_QUOTE)
    stop = max(end, min(hit.end, start + 2 * _LONGEST_QUOTE))
    own = [replace(each, start=max(each.start - start, 0), end=min(each.end, stop) - start) for each in secrets]
    said = hit.shown or masked(text[start:stop], [each for each in own if each.start < each.end]).lstrip(" \t>*+-")
    said = one_line(said)[:_LONGEST_QUOTE].removesuffix(".")
    return Span(hit.start, hit.end, hit.kind, said, hit.sure)


def _fences(small: str) -> list[tuple[int, int, str]]:
    """(start, end, info string) of the fences in a text."""
    found: list[tuple[int, int, str]] = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(small) if "```" in small or "~~~" in small else ():
        if opening is None:
            opening = match
        elif match[1].startswith(opening[1]) and not match[2].strip():
            found.append((opening.start(), match.end(), opening[2]))
            opening = None
    return [*found, (opening.start(), len(small), opening[2])] if opening else found


def _fence_info(fences: Sequence[tuple[int, int, str]], at: int) -> str | None:
    """The info string of the fence around an offset; None outside of fences."""
    number = bisect_right(fences, at, key=lambda fence: fence[0])
    return fences[number - 1][2] if number and at < fences[number - 1][1] else None


def _is_example(small: str, hit: Span, fence: str | None) -> bool:
    """Whether a place only shows an attack as an example."""
    if fence is not None and QUOTED in fence:
        return True
    start = line_begin(small, hit.start, hit.start - _LINE_REACH)
    end = line_end(small, hit.start, hit.start + _LINE_REACH)
    before, after = small[start : hit.start + 1], small[hit.start : end]
    is_code = small.count("`", start, hit.start) % 2 == 1
    if fence is None and is_code and hit.kind == marks.ROLE:
        return True
    is_apart = fence is not None or is_code or before.lstrip().startswith((">", "|"))
    if not is_apart and not (before.count('"') % 2 == 1 and '"' in after):
        opened, closed = max(map(before.rfind, _OPENERS)), max(map(before.rfind, _CLOSERS))
        is_apart = opened > closed and any(each in after for each in _CLOSERS)
        if not is_apart:
            return False
    return bool(_ABOUT.search(small, 0, _ABOUT_REACH) or _ABOUT.search(small, max(0, hit.start - _ABOUT_REACH), end))
