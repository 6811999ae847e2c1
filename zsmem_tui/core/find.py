"""Search bytes in texts held in memory without blocking other threads for long.

One call processes a few MiB at most, so that the screen's thread gets the interpreter between two calls. `stringzilla` uses vector
instructions, about seven times as fast as `bytes.find` on 40 MB; results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from zsmem_tui.core.text import is_utf8


def _lower(text: bytes | memoryview, table: bytes) -> bytes:
    return bytes(text).lower()


find_here: Callable[..., int] = bytes.find
"""`bytes.find` or a faster equivalent, for a text of at most `SPAN_BYTES`."""

lower_here: Callable[[bytes | memoryview, bytes], bytes] = _lower
"""Lower-case the ASCII letters of a text of at most `SPAN_BYTES`; the second argument is `SMALL`."""

_is_valid: Callable[[bytes], bool] = is_utf8

SPAN_BYTES: Final = 4 * 1024 * 1024
"""The most bytes processed in one call: under 5 ms even for `bytes.find`."""


SMALL: Final = bytes(range(256)).lower()

WORTH_LOADING_BYTES: Final = 8 * 1024 * 1024
"""The size of the texts, in bytes, above which loading `stringzilla` (2 ms) pays off within one search."""


def use_fastest() -> None:
    """Switch to `stringzilla`; results stay the same."""
    global find_here, lower_here, _is_valid
    import stringzilla  # deferred: 2 ms, worth it only with enough text to search

    check = stringzilla.utf8_uncased_search

    def is_valid(text: bytes) -> bool:
        try:
            check(text, b"\0", validate=True)
        except ValueError:
            return False
        return True

    find_here, lower_here = stringzilla.find, stringzilla.translate
    _is_valid = is_valid


def lowered(text: bytes | memoryview) -> bytes:
    """`text` with its ASCII letters in lower case."""
    if len(text) <= SPAN_BYTES:
        return lower_here(text, SMALL)
    return b"".join(lower_here(text[at : at + SPAN_BYTES], SMALL) for at in range(0, len(text), SPAN_BYTES))


def is_valid(text: bytes) -> bool:
    """Whether `text` is valid UTF-8."""
    return _is_valid(text) if len(text) <= SPAN_BYTES else all(map(_is_valid, spans(text)))


def spans(text: bytes) -> Iterator[bytes]:
    """Yield `text` in pieces of at most `SPAN_BYTES`, split between characters."""
    start, size = 0, len(text)
    while start < size:
        end = min(start + SPAN_BYTES, size)
        while start < end < size and text[end] & 0xC0 == 0x80:
            end -= 1
        end = end if end > start else min(start + SPAN_BYTES, size)  # not UTF-8: only continuation bytes
        yield text[start:end]
        start = end


def find(text: bytes, needle: bytes, start: int = 0) -> int:
    """The offset of the first `needle` at or after `start`, or -1."""
    size = len(text)
    if size - start <= SPAN_BYTES:
        return find_here(text, needle, start)
    while start < size:
        at = find_here(text, needle, start, min(size, start + SPAN_BYTES + len(needle) - 1))
        if at >= 0:
            return at
        start += SPAN_BYTES
    return -1


def count_lines(text: bytes, start: int, end: int) -> int:
    """Count the line feeds between two offsets."""
    return sum(text.count(b"\n", at, min(at + SPAN_BYTES, end)) for at in range(start, end, SPAN_BYTES))


def line_end(text: bytes, at: int) -> int:
    """The offset of the line feed that ends the line around `at`, or the end of `text`."""
    end = text.find(b"\n", at, at + SPAN_BYTES)
    if end < 0:
        end = find(text, b"\n", at) if len(text) - at > SPAN_BYTES else -1
    return end if end >= 0 else len(text)


def matching_line_ends(text: bytes, needle: bytes, first: int) -> list[int]:
    """The end offsets of all lines that contain `needle`, rising, one per line. `first` is the offset of its first occurrence."""
    ends: list[int] = []
    if len(text) > SPAN_BYTES:
        while first >= 0:
            ends.append(line_end(text, first))
            first = find(text, needle, ends[-1])
        return ends
    # This is the inner loop of every search: calling a helper per match would double its cost. Line feeds are searched with
    # `find_here`, too: where most lines match, the overhead of a call decides, and that of `text.find` is twice as high.
    look, at, line_break = find_here, first, b"\n"
    add = ends.append
    while at >= 0:
        end = look(text, line_break, at)
        if end < 0:
            add(len(text))
            break
        add(end)
        at = look(text, needle, end)
    return ends
