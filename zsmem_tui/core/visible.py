"""Making every character of a text visible: what is drawn can never steer a terminal, nor hide from who reads.

One table by category says what is shown as a stand-in: control characters, format characters (direction marks, tag characters,
blanks without width), line and paragraph separators, lone surrogates, letters that are blank. What scripts and emoji need stays:
joiners between their letters, one variation selector behind a character, signs of Arabic that are seen. Everything that a person or
an agent wrote goes through here on its way to a screen; files and pipes get it unchanged.
"""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.core.pattern import Pattern

_CONTROL: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
"""Cc, but for tab and line feed."""

_FORMAT: Final = (
    r"\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
"""Cf, and what is set aside for more of it, but for the joiners and for signs that are drawn (such as U+0600)."""

_SEPARATORS: Final = r"\u2028\u2029"
"""Zl and Zp."""

_BLANK: Final = r"\u034f\u17b4\u17b5\u3164\uffa0"
"""Letters and marks of which nothing is seen."""

_SURROGATE: Final = r"\ud800-\udfff"
_JOINERS: Final = r"\u200c\u200d"
_SELECTORS: Final = r"\u180b-\u180d\u180f\ufe00-\ufe0f"
_OF_IDEOGRAPHS: Final = r"\U000e0100-\U000e01ef"
"""Variation selectors: one behind a character chooses how that is drawn, more of them are bytes that nobody sees."""

_SOMETIMES: Final = f"{_JOINERS}{_SELECTORS}{_OF_IDEOGRAPHS}"
_ALWAYS: Final = f"{_CONTROL}{_FORMAT}{_SEPARATORS}{_BLANK}{_SURROGATE}"

HIDDEN_ONE: Final = Pattern(f"[{_ALWAYS}]")
"""A character that is shown as a stand-in wherever it stands."""

_TEXT: Final = Pattern(f"[{_ALWAYS}{_SOMETIMES}]")
_LINE: Final = Pattern(rf"[\t\n{_ALWAYS}{_SOMETIMES}]")
_JOINER: Final = Pattern(f"[{_JOINERS}]")
_SELECTOR: Final = Pattern(f"[{_SELECTORS}]")
_OTHER_SELECTOR: Final = Pattern(f"[{_OF_IDEOGRAPHS}]")
_BEFORE_A_JOINER: Final = Pattern(rf"[^\x00-\x7f{_JOINERS}{_ALWAYS}]")
_BEFORE_A_SELECTOR: Final = Pattern(rf"[^\s{_SELECTORS}{_ALWAYS}]")
_IDEOGRAPH: Final = Pattern(r"[\u2e80-\u2fff\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG: Final = Pattern(r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The letters of a region behind a black flag: England's are `gbeng`."""


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
    """`text` with everything that could steer a terminal, or hide, shown instead; line breaks and tabs stay."""
    return _TEXT.sub(_stand_in, text if text.isascii() else _FLAG.sub(_region, text))


def visible_line(text: str) -> str:
    """The same for a name or a label: line breaks and tabs are shown too."""
    return _LINE.sub(_stand_in, text if text.isascii() else _FLAG.sub(_region, text))


def without_hidden(text: str) -> str:
    """A line without all of that, for one that was measured already: of most of it no cell was counted."""
    return _LINE.sub(lambda found: found[0] if _stand_in(found) == found[0] else "", text)
