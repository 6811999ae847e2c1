"""Guess the encoding of bytes that are not UTF-8."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Final

_KANA: Final = re.compile("[\u3040-\u30ff]")
_LEAST_KANA: Final = 0.2
"""The share of kana in the non-ASCII text from which on it counts as Japanese; other texts decode to almost none."""

_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def as_text(raw: bytes) -> str:
    """Decode bytes: UTF-16 by its byte order mark, else EUC-JP or CP932 if plausible, else by line as UTF-8, CP1252 or Latin-1."""
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
