"""Prepare the memory block for hooks of agents: in parts where their output is limited, with no text that closes their tags."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.text import cut

_HEAD_ROOM: Final = 64
"""The most characters of the heading line above a part."""

_NOTE_ROOM: Final = 120
"""Characters reserved for the note that the memory did not fit."""

_MOST: Final = 999


class Part(NamedTuple):
    """Part `number` of `of`, 1-based."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """Parse `i/n`. Raises `BadTarget`."""
        number, slash, of = text.partition("/")
        if slash and all(each.isascii() and each.isdigit() and len(each) < 4 for each in (number, of)):
            found = cls(int(number), int(of))
            if 1 <= found.number <= found.of <= _MOST:
                return found
        raise BadTarget(f"There is no part {text!r}: write --part 1/4 for the first of four. Nothing was printed.")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def part_of(block: str, part: Part, limit: int, *, in_bytes: bool = False) -> str:
    """One part with a heading line; empty if that part is not needed. Without heading lines, all parts concatenated are the block.

    A part has at most `limit` characters, or bytes with `in_bytes`; 0 means no limit. Parts end at line ends, unless the block only
    fits as a whole when lines are cut. If it does not fit, the last part says so.
    """
    pieces, left = split(block, part.of, limit - _HEAD_ROOM if limit else len(block.encode()) + 1, in_bytes=in_bytes)
    if part.number > len(pieces):
        return ""
    needed = len(pieces)
    rest = "" if needed == part.of else f" (only {needed} {'is' if needed == 1 else 'are'} needed)"
    note = ""
    if left and part.number == part.of:
        note = f"\n(The memory is longer by {left:,} {'bytes' if in_bytes else 'characters'}: `zsmem context` prints all of it.)"
    return f"memory, part {part.number} of {part.of}{rest}\n{pieces[part.number - 1]}{note}"


def fitted(block: str, limit: int, *, in_bytes: bool = False) -> str:
    """The block as one answer, cut with a note at its end if it is longer than `limit`."""
    size = _size(in_bytes)
    return block if not limit or size(block) <= limit else part_of(block, Part(1, 1), limit, in_bytes=in_bytes)


def split(block: str, count: int, room: int, *, in_bytes: bool = False) -> tuple[list[str], int]:
    """At most `count` pieces of size `room` at most, and the size of the rest; if there is one, the last piece leaves room for a
    note.
    """
    size = _size(in_bytes)
    pieces: list[str] = []
    rest = block
    fits = size(block) <= count * room
    for number in range(count):
        if not rest:
            break
        is_last = number == count - 1
        most = room - _NOTE_ROOM if is_last and size(rest) > room else room
        least = size(rest) - (count - number - 1) * room if fits else 0
        pieces.append(_piece(rest, most, least, in_bytes=in_bytes))
        rest = rest[len(pieces[-1]) :]
    return pieces, size(rest)


def _piece(text: str, most: int, least: int, *, in_bytes: bool) -> str:
    """The longest prefix of size `most` at most that ends a line; if that is shorter than `least`, the longest prefix."""
    units = text[:most].encode("utf-16-le", "surrogatepass")[: 2 * most]
    longest = cut(text, most) if in_bytes else units.decode("utf-16-le", "ignore")
    if len(longest) == len(text):
        return text
    whole = longest[: longest.rfind("\n") + 1]
    return whole if whole and _size(in_bytes)(whole) >= least else longest or text[:1]


def _size(in_bytes: bool) -> Callable[[str], int]:
    """A function to measure text: in bytes, or in UTF-16 code units as the agents with such a limit count (an emoji has two)."""
    if in_bytes:
        return lambda text: len(text.encode("utf-8", "surrogatepass"))
    return lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2


_UNSEEN: Final = r"\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
"""Invisible characters that may be hidden between the letters of a tag."""

_NAMES: Final = ("memory", "system-reminder")
"""The tag of the block itself, and the one that an agent puts around the output of a hook."""

_ANY_NAME: Final = "|".join(f"[{_UNSEEN}]*".join(name) for name in _NAMES)
_MARK: Final = re.compile(rf"<(?=[\s{_UNSEEN}]*/?[\s{_UNSEEN}]*(?:{_ANY_NAME})(?![\w-]))", re.IGNORECASE)

NOTE: Final = "(Marks in these texts that would begin or end such a block are written with &lt; here.)"


def with_safe_frame(block: str) -> str:
    """Escape `<` as `&lt;` in every tag inside the block that would open or close a frame; a note at its start then says so.

    For hooks and prompts of other agents; the bytes in zerostack's own prompt are `context_block`.
    """
    opening, closing = block.find(">") + 1, block.rfind("<")
    inner, count = _MARK.subn("&lt;", block[opening:closing])
    return f"{block[:opening]}\n{NOTE}{inner}{block[closing:]}" if count else block
