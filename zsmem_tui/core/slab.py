"""Texts of many files in one piece of bytes, so that one look goes over all of them.

A slab holds its texts once. Characters outside ASCII stand in it as they are compared; those that this changed, few in any
language, are kept beside it, so that each text can be given back byte for byte. ASCII letters keep their case: a search folds
them for itself, which takes a tenth of the time that finding does.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from zsmem_tui.core.find import find, is_valid, lowered, matching_line_ends
from zsmem_tui.core.fold import changed_in, fold
from zsmem_tui.core.text import printable_path

if TYPE_CHECKING:
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.core.refs import MemRef

SLAB_BYTES: Final = 512 * 1024
"""Bytes of text put together: small enough to be made again when one file changes, large enough that calls cost nothing."""

_NO_NAME: Final = b"\xff"
"""What stands for a line break in a name, which no term holds."""

_NOWHERE: Final[Sequence[int]] = ()

_RECENT: Final = 8
"""Answers that a slab keeps: the words of a query, and the last of one that is being typed."""

_RECENT_SHARE: Final = 8
"""The part of the texts that these answers may take."""

_SPARSE: Final = 12
"""Bytes of text for each changed character, from which on noting them one by one takes less room than packing the text."""


class HeldText:
    """A file's bytes, and the same as they are compared. A text that is not valid UTF-8 is empty (section 4)."""

    __slots__ = ("folded", "raw")

    def __init__(self, raw: bytes, folded: bytes) -> None:
        self.raw = raw
        self.folded = folded


class _Original(NamedTuple):
    """What a text was before its characters outside ASCII were folded: those that changed and their places, or all of it."""

    places: Sequence[int]
    changed: str
    packed: bytes = b""

    def of(self, text: bytes) -> bytes:
        if self.packed:
            import zlib  # with such a text

            return zlib.decompress(self.packed)
        parts: list[bytes] = []
        position = 0
        for at, char in zip(self.places, self.changed, strict=True):
            was = char.encode()
            parts += (text[position:at], was)
            position = at + len(fold(was))
        return b"".join((*parts, text[position:]))

    @property
    def size(self) -> int:
        return 8 * len(self.changed) + len(self.packed)


class SlabTexts(Protocol):
    """What a search asks of the texts of a slab."""

    @property
    def starts(self) -> Sequence[int]:
        """Where each text begins among all of them, and where one more would."""

    def line_ends(self, needles: Sequence[bytes]) -> list[Sequence[int]]:
        """For each needle, in folded text, the ends of the lines that hold it, rising; each once."""

    def line(self, end: int) -> bytes:
        """The folded line that ends there, as was answered last."""

    def text(self, place: int) -> HeldText:
        """The text at a place."""

    def raw(self, place: int) -> bytes:
        """The bytes of the text at a place; none when they are not valid UTF-8."""


class Packed:
    """Texts one behind the other, a line break after each. `starts` says where each begins, and where one more would."""

    __slots__ = ("_recent", "data", "originals", "starts")

    def __init__(self, data: bytes, starts: Sequence[int], originals: Mapping[int, _Original] = MappingProxyType({})) -> None:
        self.data = data
        self.starts = starts
        self.originals = originals
        self._recent: dict[bytes, Sequence[int]] = {}

    def line_ends(self, needles: Sequence[bytes]) -> list[Sequence[int]]:
        """For each needle, in folded text, the ends of the lines that hold it, rising.

        The last answers are kept: who types looks for words of before beside the one under the fingers, and for a word that
        begins with one that is not there.
        """
        folded = b""
        found: list[Sequence[int]] = []
        for needle in needles:
            ends = self._known(needle)
            if ends is None:
                folded = folded or lowered(self.data)
                at = find(folded, needle)
                ends = matching_line_ends(folded, needle, at) if at >= 0 else _NOWHERE
                self._note(needle, ends)
            found.append(ends)
        return found

    def _known(self, needle: bytes) -> Sequence[int] | None:
        """The answer for a needle, where it is kept or follows from others."""
        known = self._recent.get(needle)
        if known is None and any(not ends and part in needle for part, ends in list(self._recent.items())):
            return _NOWHERE
        return known

    def _note(self, needle: bytes, ends: Sequence[int]) -> None:
        room = len(self.data) // _RECENT_SHARE - sum(8 * len(each) for each in list(self._recent.values()))
        for oldest in list(self._recent):
            if len(self._recent) < _RECENT and 8 * len(ends) <= room:
                break
            room += 8 * len(self._recent.pop(oldest, _NOWHERE))
        if 8 * len(ends) <= room:
            self._recent[needle] = array("L", ends) if ends else _NOWHERE  # "L" is made in half the time of "Q"

    def line(self, end: int) -> bytes:
        """The folded line that ends there."""
        return lowered(self.data[self.data.rfind(b"\n", 0, end) + 1 : end])

    def text(self, place: int) -> HeldText:
        """The text at a place."""
        half = self.data[self.starts[place] : self.starts[place + 1] - 1]
        original = self.originals.get(place)
        return HeldText(half if original is None else original.of(half), lowered(half))

    def raw(self, place: int) -> bytes:
        """The bytes of the text at a place."""
        half = self.data[self.starts[place] : self.starts[place + 1] - 1]
        original = self.originals.get(place)
        return half if original is None else original.of(half)

    @property
    def size(self) -> int:
        """Bytes of memory that the texts take."""
        return len(self.data) + sum(original.size for original in self.originals.values())


def pack(raws: Sequence[bytes]) -> Packed:
    """Texts as a slab holds them; one that is not valid UTF-8 is held as empty."""
    return pack_joined(_joined(raws), _starts(raws))


def pack_joined(data: bytes, starts: Sequence[int]) -> Packed:
    """The same, of texts that stand one behind the other already, a line break after each."""
    if not is_valid(data):  # a line break is no part of a character: all are valid together, or one of them is not
        raws = [raw if is_valid(raw) else b"" for raw in _apart(data, starts)]
        data, starts = _joined(raws), _starts(raws)
    folded = {char: fold(char) for char in changed_in(data)}
    places = _holding(data, starts, folded)
    if not places:
        return Packed(data, starts)
    view, parts = memoryview(data), list[bytes | memoryview]()
    originals: dict[int, _Original] = {}
    longer = dict.fromkeys(places, 0)
    position = 0
    for place in sorted(places):
        start, stop = starts[place], starts[place + 1] - 1
        half, originals[place] = _folded_outside_ascii(data[start:stop], folded)
        parts += (view[position:start], half)
        longer[place] = len(half) - (stop - start)
        position = stop
    if any(longer.values()):
        starts = [*accumulate((b - a + longer.get(place, 0) for place, (a, b) in enumerate(pairwise(starts))), initial=0)]
    return Packed(b"".join((*parts, view[position:])), starts, originals)


def _joined(texts: Sequence[bytes]) -> bytes:
    return b"\n".join((*texts, b""))


def _apart(data: bytes, starts: Sequence[int]) -> list[bytes]:
    return [data[start : stop - 1] for start, stop in pairwise(starts)]


def _starts(texts: Sequence[bytes]) -> list[int]:
    return [*accumulate((len(text) + 1 for text in texts), initial=0)]


def _holding(data: bytes, starts: Sequence[int], chars: Collection[bytes]) -> set[int]:
    """The places of the texts that hold some of the characters."""
    found: set[int] = set()
    for char in chars:
        at = find(data, char)
        while at >= 0:
            place = bisect_right(starts, at) - 1
            found.add(place)
            at = find(data, char, starts[place + 1])
    return found


def _folded_outside_ascii(raw: bytes, chars: Mapping[bytes, bytes]) -> tuple[bytes, _Original]:
    """A text with these characters as they are compared, and what it was."""
    where: list[tuple[int, bytes]] = []
    for char in chars:
        at = find(raw, char)
        while at >= 0:
            where.append((at, char))
            at = find(raw, char, at + len(char))
    where.sort()
    parts: list[bytes] = []
    places = array("Q" if len(raw) > 2**31 else "I")
    position = length = 0
    for at, char in where:
        parts += (raw[position:at], chars[char])
        length += at - position
        places.append(length)
        length += len(chars[char])
        position = at + len(char)
    half = b"".join((*parts, raw[position:]))
    if len(where) * _SPARSE > len(raw):
        import zlib  # half a millisecond that only texts in capitals of another alphabet need

        return half, _Original((), "", zlib.compress(raw, 1))
    return half, _Original(places, b"".join(char for _, char in where).decode())


def by_text(ends: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Of which text of a slab the lines are that end at `ends`: its place, and from where to where in `ends` they stand."""
    count = len(ends)
    if count >= len(starts):  # most texts hold some: one look a text
        cuts = [bisect_left(ends, start) for start in starts]
        yield from ((place, start, stop) for place, (start, stop) in enumerate(pairwise(cuts)) if start < stop)
        return
    start = 0
    while start < count:
        place = bisect_right(starts, ends[start]) - 1
        stop = bisect_left(ends, starts[place + 1], start)
        yield place, start, stop
        start = stop


class Slab:
    """Some files of one folder, with their texts where these are held. `home` is where the folder lies.

    `first` is the place of the file whose hits come before all others, -1 where it is elsewhere.
    """

    __slots__ = ("_read", "first", "folded_names", "folder", "held", "home", "names")

    def __init__(self, home: str, folder: Folder, names: Sequence[str], read: Callable[[Slab], SlabTexts]) -> None:
        """`read` gives the texts of a slab that holds none."""
        self.home = home
        self.folder = folder
        self.names = names
        self.first = names.index(folder.first) if folder.first in names else -1
        self.folded_names = _folded_names(names)
        self.held: Packed | None = None
        self._read = read

    def texts(self) -> SlabTexts:
        """Its texts; what is not held is read."""
        return self.held or self._read(self)

    def date(self, place: int) -> str | None:
        """In a dated folder, the name of the file at a place without the last extension; empty when that is not UTF-8."""
        if not self.folder.dated:
            return None
        name = self.names[place]
        return name.rpartition(".")[0] if name.isascii() or _folded_name(name) else ""

    def documents(self) -> list[Document]:
        """Its files."""
        return [Document(self, place) for place in range(len(self.names))]


def _folded_names(names: Sequence[str]) -> bytes:
    """Names as they are compared, a line each."""
    joined = "\n".join(names)
    if joined.isascii() and joined.count("\n") == len(names) - 1:
        return joined.lower().encode()
    return b"\n".join(map(_folded_name, names))


def _folded_name(name: str) -> bytes:
    """A name as it is compared, in one line; empty when it is not valid Unicode."""
    if name.isascii():
        return name.lower().encode().replace(b"\n", _NO_NAME)
    try:
        return fold(name.encode()).replace(b"\n", _NO_NAME)
    except UnicodeEncodeError:
        return b""


class Document:
    """One file as search sees it: where it is, what it is called, what it holds."""

    __slots__ = ("place", "slab")

    def __init__(self, slab: Slab, place: int) -> None:
        self.slab = slab
        self.place = place

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.slab.names[self.place]

    @property
    def folder(self) -> Folder:
        """The folder that it is in."""
        return self.slab.folder

    @property
    def os_path(self) -> str:
        """Its path as the system opens it."""
        return f"{self.slab.home}/{self.slab.names[self.place]}"

    @property
    def path(self) -> str:
        """Its path as it is printed."""
        return printable_path(self.os_path)

    @property
    def text(self) -> HeldText:
        """What it holds. Where the texts were given back meanwhile, that is what the file holds now."""
        return self.slab.texts().text(self.place)

    @property
    def raw(self) -> bytes:
        """Its bytes; none when they are not valid UTF-8."""
        return self.slab.texts().raw(self.place)

    @property
    def date(self) -> str | None:
        """For a file in a dated folder, its name without the last extension; empty when that is not UTF-8."""
        return self.slab.date(self.place)

    @property
    def ref(self) -> MemRef:
        """Which memory file it is."""
        return self.slab.folder.ref(self.name)
