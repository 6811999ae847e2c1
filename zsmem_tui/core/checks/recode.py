"""Bytes that are not UTF-8 as the text that somebody once wrote, as far as that can be told without asking."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Final

_KANA: Final = re.compile("[\u3040-\u30ff]")
_LEAST_KANA: Final = 0.2
"""Share of kana among what is not ASCII, from which on a text is Japanese: chance gives other writing nearly none."""

_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def as_text(raw: bytes) -> str:
    """The text of bytes: what is UTF-8 in them stays, the rest is read as the Japanese or the western encodings of old."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return raw.decode(name, "replace")
    for name in ("euc_jp", "cp932"):
        try:
            text = raw.decode(name)
        except UnicodeDecodeError:
            continue
        foreign = [each for each in text if each > "\x7f"]
        if len(_KANA.findall(text)) >= _LEAST_KANA * len(foreign):
            return text
    return b"\n".join(_western(row) for row in raw.split(b"\n")).decode()


def _western(row: bytes) -> bytes:
    for name in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return row.decode(name).encode()
    return row.decode("latin-1").encode()
