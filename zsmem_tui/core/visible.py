"""Making every character of a text visible: what is drawn can never steer a terminal.

Control characters (C0, DEL, C1), direction overrides and lone surrogates are replaced by stand-ins. Everything that a
person or an agent wrote goes through here on its way to a screen; files and pipes get it unchanged.
"""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\ud800-\udfff]"
_LINE: Final = "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\ud800-\udfff]"


def _stand_in(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


def visible(text: str) -> str:
    """`text` with everything that could steer a terminal shown instead; line breaks and tabs stay."""
    return re.sub(_CONTROL, _stand_in, text)


def visible_line(text: str) -> str:
    """The same for a name or a label: line breaks and tabs are shown too."""
    return re.sub(_LINE, _stand_in, text)
