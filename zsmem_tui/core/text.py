"""Lines, white space and byte-safe cutting, as the memory understands them (specification, section 3).

Python's own `splitlines`, `strip` and `split` follow other rules; nothing else in this package may use them on memory
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zsmem_tui.core.pattern import Pattern

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The Unicode White_Space set. Unlike `str.isspace()`, U+001C to U+001F are not in it."""

LONGEST_NAME: Final = 255 + 2
"""Characters: no system has a longer name of a file; it may stand in quotation marks."""

LONGEST_PATH: Final = 4_096 + 2
"""Characters of a path, likewise."""

_SHOWN: Final = 60
"""Characters of each end of a longer one that are shown."""

_HALVES: Final = Pattern("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of characters that stand for no byte of a name: JSON may have them."""

_TO_BLANK: Final = str.maketrans(dict.fromkeys(WHITE_SPACE, " "))


def is_utf8(raw: bytes) -> bool:
    """Whether bytes are text that can be shown and given back (specification, section 3)."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def lines(text: str) -> list[str]:
    """The lines of `text`: split at `\\n` only, one `\\r` before it dropped, no empty line after a final `\\n`."""
    found = raw_lines(text)
    last = found.pop()
    found = [piece.removesuffix("\r") for piece in found]
    if last:
        found.append(last)
    return found


def raw_lines(text: str) -> list[str]:
    """What stands between the `\\n` of a text, carriage returns and a last empty piece included: joined again it is the text."""
    return text.split("\n")


def one_line(text: str) -> str:
    """The lines of a text as one: trimmed, blanks between them, empty ones left out."""
    return " ".join(piece for piece in map(trim, raw_lines(text)) if piece)


def plain_words(text: str, unwanted: str = "") -> str:
    """The words of a text in one line; what cannot be printed, and each sign of `unwanted`, only parts them."""
    return " ".join("".join(char if char.isprintable() and char not in unwanted else " " for char in text).split())


def line_end(text: str, at: int, most: int) -> int:
    """Where the line around a place ends; `most` where it is longer."""
    end = text.find("\n", at, most)
    return most if end < 0 else end


def trim(text: str) -> str:
    """`text` without white space at both ends."""
    return text.strip(WHITE_SPACE)


def trim_start(text: str) -> str:
    """`text` without white space in front."""
    return text.lstrip(WHITE_SPACE)


def trim_end(text: str) -> str:
    """`text` without white space at its end."""
    return text.rstrip(WHITE_SPACE)


def words(text: str) -> list[str]:
    """The pieces of `text` between white space, none of them empty."""
    return [word for word in text.translate(_TO_BLANK).split(" ") if word]


def cut(text: str, limit: int) -> str:
    """The longest start of `text` that is at most `limit` bytes of UTF-8; never half a character."""
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return raw[: max(limit, 0)].decode(errors="ignore")


def truncate(text: str, limit: int, marker: str) -> str:
    """`text` itself when it fits into `limit` bytes, else its longest fitting start and `marker` on top."""
    raw_length = len(text.encode())
    return text if raw_length <= limit else cut(text, limit) + marker


def printable_path(path: str) -> str:
    """`path` as it is shown: bytes that are not UTF-8 become U+FFFD (specification, section 5), as do halves of characters."""
    return path if path.isascii() else _HALVES.sub("\ufffd", path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shortened(sentence: str) -> str:
    """`sentence` with the middle left out of each word that is too long to be the name of anything, or the path to it."""
    if len(sentence) <= LONGEST_NAME:
        return sentence
    for word in sorted(set(words(sentence)), key=len, reverse=True):
        if len(word) > LONGEST_PATH:
            sentence = sentence.replace(word, _ends(word))
        elif len(word) > LONGEST_NAME:
            sentence = sentence.replace(
                word, "/".join(_ends(name) if len(name) > LONGEST_NAME else name for name in word.split("/"))
            )
    return sentence


def _ends(word: str) -> str:
    return f"{word[:_SHOWN]}…{word[-_SHOWN:]}"


def of_cap(used: int, cap: int, unit: str, of: str = "") -> str:
    """How much of a cap is used, and of what, as "12 of 200 lines of the index"; a cap of 0 is none."""
    most, what = f" of {cap:,}" if cap else "", f" of {of}" if of else ""
    return f"{used:,}{most} {unit}{what}"


def plural(noun: str, count: int) -> str:
    """`noun` alone for 1, else with an s."""
    return noun if count == 1 else f"{noun}s"


def listed(names: Sequence[str], most: int) -> str:
    """The first of several, and how many there are beside them: `a, b and 3 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def counted(count: int, noun: str) -> str:
    """So many of something: `1 line`, `2 lines`."""
    return f"{count} {plural(noun, count)}"
