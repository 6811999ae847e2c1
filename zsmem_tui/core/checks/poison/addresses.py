"""Addresses that carry something away: an image or a link whose query holds a command, or a variable for what was said.

Each part of an address is looked for by itself, from where the part before it ends: one expression for all of it would go back
over every address once for each of its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.scan import Window

_TALK: Final = (
    r"(?:summar(?:y|ise|ize)\w*|conversation|chat|history|transcript|memory|secrets?|api[_ -]?keys?|passwords?|env(?:ironment)?\b"
    r"|credentials?|system[_ ]prompt|file[_ ]contents?|user[_ ]?(?:data|input|message|e?mail)|last[_ ]message|zusammenfassung"
    r"|gespräch|要約|会話|摘要|对话)"
)
_COMMAND: Final = re.compile(
    r"[?&#/=](?:\$\(|`)\s?(?:cat|env|printenv|whoami|hostname|base64|id|uname|history|head|tail|git|pass|echo)\b"
)
_VARIABLE: Final = re.compile(rf"[?&#=/](?:\$?\{{{{?|%7b|\[|<)[^\n}}>\])]{{0,40}}?{_TALK}")
_TOLD: Final = re.compile(rf"[?&#=]{_TALK}?[\w %+-]{{0,12}}(?:summary|zusammenfassung|要約|摘要)[\w %+-]{{0,12}}(?:of|der|の)")
_OPENING: Final = re.compile(r"\]\(\s?<?https?://|<img\b[^>\n]{0,100}?src=[\"']?https?://")
_REST: Final = re.compile(r"[^\n]{0,500}")
_ENDS: Final = re.compile(r"\)(?=\s|$|[.,;:])|\"|'\s?/?>")


def carrying(small: str, window: Window) -> Iterator[tuple[int, int]]:
    """Where addresses of images and links that carry data stand in a stretch of a text in small letters."""
    last = window.start
    for begin in _OPENING.finditer(small, *window):
        if begin.start() < last:
            continue
        rest = _REST.match(small, begin.end(), window.end)
        last = rest.end() if rest else begin.end()
        end = _ENDS.search(small, begin.end(), last)
        last = end.end() if end else last
        for shape in (_COMMAND, _VARIABLE, _TOLD):
            held = shape.search(small, begin.end(), last)
            if held:
                yield begin.start(), last
                break
