"""Read a text that is not valid UTF-8: the only guess of an encoding, for the editor and for the doctor."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from zsmem_tui.core.text import counted, is_utf8, raw_lines

_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_KANA: Final = re.compile("[\u3040-\u30ff]")
_LEAST_KANA: Final = 0.2
"""The share of kana in the non-ASCII text from which on it counts as Japanese; other texts decode to almost none."""

_LEAST_ZEROS: Final = 0.1
"""The share of zero bytes from which on a text is UTF-16: blanks and line ends alone bring about as many."""

_PLAIN: Final = frozenset(b"\t\n\r" + bytes(range(0x20, 0x7F)))
_LEAST_PLAIN: Final = 0.9
"""The share of ASCII from which on bytes are a text without any decoding."""

_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""Bytes that are no UTF-8, as `surrogateescape` holds them."""

_LONG: Final = re.compile("[\u0800-\ud7ff\ue000-\U0010ffff]")
"""Characters of three bytes or more, which other encodings hardly ever yield by chance."""

_WESTERN: Final = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", "ignore") or bytes([byte]).decode("latin-1") for byte in range(0x80, 0x100)
}
"""Latin-1, with the quotes, dashes and euro sign that Windows-1252 has instead of control characters: no two bytes are alike."""


class Recoded(NamedTuple):
    """A `text`, its first line that was read by a guess, and the guess in words: "3 bytes read as Latin-1"."""

    text: str
    line: str
    how: str


def recoded(raw: bytes) -> Recoded:
    """Decode bytes that are not valid UTF-8: UTF-16 by its byte order mark, or EUC-JP or CP932, if plausible.

    In any other text what is valid UTF-8 stays, and only the other bytes are read as Latin-1.
    """
    if raw.startswith(_MARKS) and (text := _utf16(raw)) is not None:
        return _whole(text, "UTF-16")
    held = raw.decode("utf-8", "surrogateescape")
    strange = _ESCAPED.findall(held)
    if sum(len(char.encode()) for char in _LONG.findall(held)) < len(strange):
        for codec, name in (("euc_jp", "EUC-JP"), ("cp932", "Shift JIS")):
            if (text := _japanese(raw, codec)) is not None:
                return _whole(text, name)
    line = next((line for line in raw_lines(held) if _ESCAPED.search(line)), "")
    return Recoded(held.translate(_WESTERN), line.translate(_WESTERN), f"{counted(len(strange), 'byte')} read as Latin-1")


def _whole(text: str, name: str) -> Recoded:
    return Recoded(text, next((line for line in raw_lines(text) if not line.isascii()), ""), f"all of it read as {name}")


def _utf16(raw: bytes) -> str | None:
    """The text of bytes after the mark of UTF-16; None if they make no sense as such, or make sense as they are."""
    try:
        text = raw.decode("utf-16")
    except UnicodeDecodeError:
        return None
    body = raw[2:]
    if body.count(0) >= _LEAST_ZEROS * len(raw) or len(_KANA.findall(text)) >= _LEAST_KANA * max(len(text), 1):
        return text
    plain = sum(byte in _PLAIN for byte in body)
    return None if plain >= _LEAST_PLAIN * len(body) or is_utf8(body) else text


def _japanese(raw: bytes, codec: str) -> str | None:
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return None
    foreign = [each for each in text if each > "\x7f"]
    return text if len(_KANA.findall(text)) >= _LEAST_KANA * len(foreign) else None
