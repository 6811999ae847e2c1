"""Split lines, trim white space and cut at byte limits by the memory's own rules (specification, section 3).

Python's `splitlines`, `strip` and `split` follow other rules and must not be used on memory text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeVar

from zsmem_tui.core.pattern import Pattern

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The Unicode White_Space set. Unlike `str.isspace()`, U+001C to U+001F are not in it."""

LONGEST_NAME: Final = 255 + 2
"""Characters: no file system allows longer names; includes two quotation marks."""

LONGEST_PATH: Final = 4_096 + 2
"""Characters of a path, including two quotation marks."""

_SHOWN: Final = 60
"""Characters shown of each end of a longer word."""

_LONG: Final = Pattern(f"[^{WHITE_SPACE}]{{{LONGEST_NAME + 1},}}")

_HALVES: Final = Pattern("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates that do not stand for a byte of a name (surrogateescape); JSON may contain them."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_TO_BLANK: Final = str.maketrans(dict.fromkeys(WHITE_SPACE, " "))


def is_utf8(raw: bytes) -> bool:
    """Whether bytes are valid UTF-8 (specification, section 3)."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def lines(text: str) -> list[str]:
    r"""The lines of `text`: split at `\n` only, one `\r` before it dropped, no empty line after a final `\n`."""
    found = raw_lines(text)
    last = found.pop()
    found = [piece.removesuffix("\r") for piece in found]
    if last:
        found.append(last)
    return found


def raw_lines(text: str) -> list[str]:
    r"""`text` split at `\n`, keeping carriage returns and a last empty piece: joined by `\n` it is the text again."""
    return text.split("\n")


def one_line(text: str) -> str:
    """Join the lines of a text with blanks, each trimmed, empty ones left out."""
    return " ".join(piece for piece in map(trim, raw_lines(text)) if piece)


def plain_words(text: str, unwanted: str = "") -> str:
    """The words of a text in one line; unprintable characters and those in `unwanted` count as blanks."""
    return " ".join("".join(char if char.isprintable() and char not in unwanted else " " for char in text).split())


def line_begin(text: str, at: int, least: int = 0) -> int:
    """The offset behind the last line feed before `at`, `least` (0 if negative) if there is none from there on."""
    least = max(least, 0)
    return max(text.rfind("\n", least, at) + 1, least)


def line_end(text: str, at: int, most: int) -> int:
    """The offset of the line feed at or after `at`, `most` if there is none before that."""
    end = text.find("\n", at, most)
    return most if end < 0 else end


def trim(text: str) -> str:
    """`text` without white space at both ends."""
    return text.strip(WHITE_SPACE)


def trim_start(text: str) -> str:
    """`text` without leading white space."""
    return text.lstrip(WHITE_SPACE)


def trim_end(text: str) -> str:
    """`text` without trailing white space."""
    return text.rstrip(WHITE_SPACE)


def words(text: str) -> list[str]:
    """The non-empty pieces of `text` between white space."""
    return [word for word in text.translate(_TO_BLANK).split(" ") if word]


def cut(text: str, limit: int) -> str:
    """The longest prefix of `text` of at most `limit` bytes of UTF-8, never splitting a character."""
    return text.encode()[: max(limit, 0)].decode(errors="ignore")


def clipped(text: str, most: int) -> str:
    """`text`, or its beginning with an ellipsis, in at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def truncate(text: str, limit: int, marker: str) -> str:
    """`text` if it fits into `limit` bytes, else its longest prefix that does, followed by `marker`."""
    raw_length = len(text.encode())
    return text if raw_length <= limit else cut(text, limit) + marker


def printable_path(path: str) -> str:
    """`path` for display: bytes that are not UTF-8, and lone surrogates, become U+FFFD (specification, section 5)."""
    return path if path.isascii() else _HALVES.sub("\ufffd", path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shortened(sentence: str) -> str:
    """`sentence` with the middle cut out of each word that is too long for a file name, or for a path."""
    return _LONG.sub(_without_middle, sentence)


def _without_middle(word: re.Match[str]) -> str:
    if len(word[0]) > LONGEST_PATH:
        return _middle_cut(word[0])
    return "/".join(_middle_cut(name) if len(name) > LONGEST_NAME else name for name in word[0].split("/"))


def _middle_cut(word: str) -> str:
    return f"{word[:_SHOWN]}…{word[-_SHOWN:]}"


def of_cap(used: int, cap: int, unit: str, of: str = "") -> str:
    """Format how much of a cap is used, like "12 of 200 lines of MEMORY.md"; a cap of 0 means none."""
    most, what = f" of {cap:,}" if cap else "", f" of {of}" if of else ""
    return f"{used:,}{most} {unit}{what}"


def plural(noun: str, count: int) -> str:
    """`noun` for 1, else with an "s"."""
    return noun if count == 1 else f"{noun}s"


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The values of each key, keys and values in the order given."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def earlier(items: Iterable[Hashable]) -> list[int]:
    """For each item, how many equal ones come before it."""
    known: Counter[Hashable] = Counter()
    found = []
    for item in items:
        found.append(known[item])
        known[item] += 1
    return found


def common_ends(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """How many items are the same at the start of both, and how many of the others at their end."""
    most = min(len(one), len(other))
    head = _common(one, other, most)
    return head, _common(one[: head - len(one) - 1 : -1], other[: head - len(other) - 1 : -1], most - head)


def _common(one: Sequence[object], other: Sequence[object], most: int) -> int:
    """How many of the first `most` items are the same: pieces are compared as wholes, each twice as large as the one before."""
    at, size = 0, 1
    while at < most and one[at : min(at + size, most)] == other[at : min(at + size, most)]:
        at, size = min(at + size, most), size * 2
    return next((place for place in range(at, min(at + size, most)) if one[place] != other[place]), most)


def beyond(lines: Iterable[Key], counts: Counter[Key]) -> list[Key]:
    """The lines without the first of each, as many as `counts` has."""
    left, kept = counts.copy(), []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
        else:
            kept.append(line)
    return kept


def listed(names: Sequence[str], most: int) -> str:
    """The first `most` names and how many more there are: `a, b and 3 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def counted(count: int, noun: str) -> str:
    """A count with its noun: `1 line`, `2,000 lines`."""
    return f"{count:,} {plural(noun, count)}"


_WIDE: Final = Pattern("[\u1100-\u11ff\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def estimate_tokens(text: str) -> int:
    """Estimate tokens: nine tenths per wide (CJK) character, a quarter per other character; at least 1."""
    wide = 0 if text.isascii() else len(_WIDE.split(text)) - 1
    return max(1, wide * 9 // 10 + (len(text) - wide) // 4)
