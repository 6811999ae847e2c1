"""Addresses that carry something away: an image or a link whose query holds a variable, a command, or "summary of the talk".

Each part of an address is looked for by itself, from where the part before it ends: one expression for all of it would go back
over every address once for each of its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.scan import Window

_VARIABLE: Final = re.compile(
    r"(?:\$\([^)\n]{1,120}\)|\$\{[^}\n]{1,80}\}|\$[a-z_]{3,40}|\{\{[^}\n]{1,80}\}\}"
    r"|\{[a-z_ .'-]{2,60}\}|%7b[^\s)]{2,60}%7d|\[[a-z_ -]{4,60}\]|<[a-z_ -]{3,60}>|`[^`\n]{2,60}`)"
)
_TALK: Final = (
    r"(?:summary|summar(?:y|ise|ize)[\w -]*|conversation|chat|history|transcript|memory|secrets?|tokens?"
    r"|api[_ -]?keys?|passwords?|env(?:ironment)?|credentials?|context|system[_ ]prompt|file[_ ]contents?|contents?"
    r"|user[_ ]?(?:data|input|message)|session|last[_ ]message|zusammenfassung|gespräch|résumé|resumen|要約|会話|摘要"
    r"|对话|сводк\w+|разговор)"
)
_IMAGE: Final = re.compile(r"!\[[^\]\n]{0,200}\]\(\s?<?https?://")
_ELEMENT: Final = re.compile(r"<img\b[^>\n]{0,100}?src=[\"']?https?://")
_LINK: Final = re.compile(r"\[[^\]\[\n]{0,200}\]\(\s?<?https?://")
_IN_LINK: Final = re.compile(r"[^\s)]{1,300}")
_IN_ELEMENT: Final = re.compile(r"[^\n>]{1,300}")
_QUERY: Final = re.compile(r"[?&#=]")
_PART: Final = re.compile(r"[?&#/=]")
_REST_OF_LINK: Final = re.compile(r"[^\n)]{0,400}")
_REST_OF_ELEMENT: Final = re.compile(r"[^\n>]{0,400}")
_MOST_BEHIND: Final = 130
"""Characters of a variable from its first on."""
_ADDRESS: Final = re.compile(r"https?://[^\s)\]]{1,400}")
_TALK_HELD: Final = re.compile(rf"[?&=/#](?:[{{<\[(]{{1,2}}|%7b|\$\{{)[^\n}}>\])]{{0,40}}?{_TALK}")
_TALK_TOLD: Final = re.compile(rf"{_TALK}[\w %+-]{{0,40}}(?:of|de|der|du|the|here|dieses|の)")


def carrying(small: str, window: Window, *, links: bool) -> Iterator[tuple[int, int]]:
    """Where addresses that carry data stand in a stretch of a text in small letters; `links`: those of links, too."""
    yield from _with_variable(small, window, _IMAGE, (_IN_LINK, _PART, _REST_OF_LINK), told=True)
    yield from _with_variable(small, window, _ELEMENT, (_IN_ELEMENT, _PART, _REST_OF_ELEMENT))
    if links:
        yield from _with_variable(small, window, _LINK, (_IN_LINK, _QUERY, _REST_OF_LINK))
    for address in _ADDRESS.finditer(small, *window):
        first = address.start() + len("http://") + 1
        held = _TALK_HELD.search(small, first, min(window.end, address.end() + _MOST_BEHIND))
        if held and held.start() <= address.end():
            yield address.start(), held.end()


def _with_variable(
    small: str,
    window: Window,
    opening: re.Pattern[str],
    parts: tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]],
    *,
    told: bool = False,
) -> Iterator[tuple[int, int]]:
    """Addresses behind `opening` that have a variable in them; `told`: or words for what was said."""
    within, sign, rest = parts
    last = window.start
    for begin in opening.finditer(small, *window):
        own = within.match(small, begin.end(), window.end)
        query = sign.search(small, begin.end() + 1, own.end()) if own else None
        if begin.start() < last or query is None:
            continue
        behind = rest.match(small, query.end(), window.end)
        end = behind.end() if behind else query.end()
        held = _VARIABLE.search(small, query.end(), min(window.end, end + _MOST_BEHIND))
        if held is None or held.start() > end:
            held = _TALK_TOLD.search(small, query.end(), end) if told else None
        if held:
            last = held.end()
            yield begin.start(), last
