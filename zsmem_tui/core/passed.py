"""Texts that one search goes over, and no other: nothing is made of them for a next one.

They are searched as they stand in their files. Only where a text may hold a character that is compared as one of the words
and is another, such as a capital outside ASCII, are they folded first, as those that are held for many searches are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Final

from zsmem_tui.core.find import find, is_valid, lowered, matching_line_ends
from zsmem_tui.core.fold import fold, others_of
from zsmem_tui.core.slab import HeldText, Packed, by_text, pack, pack_joined
from zsmem_tui.core.text import is_utf8

_FEW: Final = 6
"""Characters that are looked for before a search, about as quickly as the texts can be folded."""

_FEW_TEXTS: Final = 8
"""One text of so many is looked at for itself in the time that all of them take together."""

_NOWHERE: Final[Sequence[int]] = ()


class Allowance:
    """How many bytes of text may still be kept."""

    def __init__(self, left: int) -> None:
        self.left = left


class PassedTexts:
    """The texts of a slab, for the turn of that slab; of those that were found in, the text stays at hand.

    What is asked of others, and of all of them after `let_go`, is answered by reading the file again.
    """

    __slots__ = ("_allowance", "_data", "_kept", "_packed", "_read", "_starts", "_text")

    def __init__(self, data: memoryview, starts: Sequence[int], read: Callable[[int], bytes], allowance: Allowance) -> None:
        """Of texts one behind the other, a line break after each. `read` gives the bytes of the file at a place.

        `allowance` says how much may be kept, by all that share it.
        """
        self._data: memoryview | None = data
        self._starts = starts
        self._read = read
        self._allowance = allowance
        self._kept: dict[int, bytes] = {}
        self._text = b""
        self._packed: Packed | None = None
        """The texts, where they had to be folded before they were searched."""

    @property
    def starts(self) -> Sequence[int]:
        """Where each text begins among those that were searched, and where one more would."""
        return self._starts

    def line_ends(self, needles: Sequence[bytes]) -> list[Sequence[int]]:
        """For each needle, in folded text, the ends of the lines that hold it, rising; each once."""
        data, wanted = self._data, tuple(needles)
        if data is None:
            return self._found(pack([self._read(place) for place in range(len(self._starts) - 1)]), wanted)
        text = lowered(data)
        if not text.isascii() and (_has_many_forms(wanted) or any(find(text, other) >= 0 for other in _other_forms(wanted))):
            return self._found(pack_joined(bytes(data), self._starts), wanted)
        self._text = text
        ends = [matching_line_ends(text, needle, at) if (at := find(text, needle)) >= 0 else _NOWHERE for needle in wanted]
        places = self._places(ends)
        if not text.isascii() and not self._are_valid(text, places):
            return self._found(pack_joined(bytes(data), self._starts), wanted)
        self._keep(places, lambda place: bytes(data[self._starts[place] : self._starts[place + 1] - 1]))
        return ends

    def line(self, end: int) -> bytes:
        """The folded line that ends there, as was answered in its turn."""
        return self._packed.line(end) if self._packed else fold(self._text[self._text.rfind(b"\n", 0, end) + 1 : end])

    def text(self, place: int) -> HeldText:
        """The text at a place: the one that was found in, where it is kept, else what the file holds now."""
        raw = self.raw(place)
        return HeldText(raw, fold(raw))

    def raw(self, place: int) -> bytes:
        """The bytes of the text at a place; none when they are not valid UTF-8."""
        raw = self._kept.get(place)
        if raw is None:
            raw = self._read(place)
            return raw if is_utf8(raw) else b""
        return raw

    def let_go(self) -> None:
        """Its turn is over: what the texts stood in is used for others."""
        self._data, self._text, self._packed = None, b"", None

    def _found(self, texts: Packed, needles: Sequence[bytes]) -> list[Sequence[int]]:
        """The answer of texts that are folded; they stand a little otherwise."""
        self._packed = texts
        ends = texts.line_ends(needles)
        self._starts = texts.starts
        self._keep(self._places(ends), texts.raw)
        return ends

    def _places(self, ends: Sequence[Sequence[int]]) -> set[int]:
        """The places of the texts that these lines are of."""
        return {place for of_one in ends for place, _, _ in by_text(of_one, self._starts)}

    def _are_valid(self, text: bytes, places: Collection[int]) -> bool:
        """Whether the texts at these places are text: what is found in another is not there."""
        if len(places) * _FEW_TEXTS > len(self._starts):
            return is_valid(text)
        return all(is_utf8(text[self._starts[place] : self._starts[place + 1]]) for place in places)

    def _keep(self, places: Iterable[int], raw: Callable[[int], bytes]) -> None:
        """Keep these texts, as far as there is room."""
        for place in places:
            size = self._starts[place + 1] - self._starts[place]
            if size <= self._allowance.left:
                self._allowance.left -= size
                self._kept[place] = raw(place)


@cache
def _other_forms(needles: tuple[bytes, ...]) -> list[bytes]:
    """The characters that are compared as one of these needles, each once."""
    return sorted({other for needle in needles for other in others_of(needle)})


def _has_many_forms(needles: tuple[bytes, ...]) -> bool:
    return len(_other_forms(needles)) > _FEW
