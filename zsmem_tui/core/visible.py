"""Make every character of a text visible: what is displayed can neither control a terminal nor hide anything from the reader.

By category, these are replaced by a stand-in: control characters, format characters (direction marks, tag characters, zero-width
blanks), line and paragraph separators, lone surrogates, blank letters. Characters that scripts and emoji need are kept: joiners
between letters, one variation selector after a character, visible Arabic signs. All text of people and agents passes through here
on its way to a screen; files and pipes get it unchanged.
"""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.core.pattern import Pattern

_CONTROL: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
"""Category Cc without tab and line feed."""

_FORMAT: Final = (
    r"\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
"""Category Cf and code points reserved for it, without joiners and visible signs (such as U+0600)."""

_SEPARATORS: Final = r"\u2028\u2029"
"""Categories Zl and Zp."""

_BLANK: Final = r"\u034f\u17b4\u17b5\u3164\uffa0"
"""Invisible letters and marks."""

_SURROGATE: Final = r"\ud800-\udfff"
_JOINERS: Final = r"\u200c\u200d"
_SELECTORS: Final = r"\u180b-\u180d\u180f\ufe00-\ufe0f"
_OF_IDEOGRAPHS: Final = r"\U000e0100-\U000e01ef"
"""Variation selectors: a single one selects the form of the character before it, more of them can hide bytes."""

_SOMETIMES: Final = f"{_JOINERS}{_SELECTORS}{_OF_IDEOGRAPHS}"
_ALWAYS: Final = f"{_CONTROL}{_FORMAT}{_SEPARATORS}{_BLANK}{_SURROGATE}"

HIDDEN_ONE: Final = Pattern(f"[{_ALWAYS}]")
"""A character that is always replaced by a stand-in."""

_TEXT: Final = Pattern(f"[{_ALWAYS}{_SOMETIMES}]")
_LINE: Final = Pattern(rf"[\t\n{_ALWAYS}{_SOMETIMES}]")
_JOINER: Final = Pattern(f"[{_JOINERS}]")
_SELECTOR: Final = Pattern(f"[{_SELECTORS}]")
_OTHER_SELECTOR: Final = Pattern(f"[{_OF_IDEOGRAPHS}]")
_BEFORE_A_JOINER: Final = Pattern(rf"[^\x00-\x7f{_JOINERS}{_ALWAYS}]")
_BEFORE_A_SELECTOR: Final = Pattern(rf"[^\s{_SELECTORS}{_ALWAYS}]")
_IDEOGRAPH: Final = Pattern(r"[\u2e80-\u2fff\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG: Final = Pattern(r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The region letters after a black flag emoji, such as `gbeng` for England."""


def _stand_in(found: re.Match[str]) -> str:
    char, before = found[0], found.string[found.start() - 1 : found.start()] if found.start() else ""
    for kind, wanted in ((_JOINER, _BEFORE_A_JOINER), (_SELECTOR, _BEFORE_A_SELECTOR), (_OTHER_SELECTOR, _IDEOGRAPH)):
        if kind.match(char) and wanted.match(before):
            return char
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


def _region(found: re.Match[str]) -> str:
    return f"⟨{''.join(chr(ord(each) - 0xE0000) for each in found[0][:-1])}⟩"


def visible(text: str) -> str:
    """`text` with stand-ins for everything that could control a terminal or be invisible; line feeds and tabs stay."""
    return _TEXT.sub(_stand_in, text if text.isascii() else _FLAG.sub(_region, text))


def visible_line(text: str) -> str:
    """`visible` for a name or a label: line feeds and tabs are replaced, too."""
    return _LINE.sub(_stand_in, text if text.isascii() else _FLAG.sub(_region, text))


def without_hidden(text: str) -> str:
    """A line with all such characters removed, for text that was already measured: most of them have no width."""
    return _LINE.sub(lambda found: found[0] if _stand_in(found) == found[0] else "", text)
