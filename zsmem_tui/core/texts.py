"""Files as a search goes over them: where each is, what it is called, what it holds.

A text is kept once, as it stands in its file. Where it may hold a letter that is compared as one of the words and is another, such
as a capital outside ASCII, those letters stand in it as they are compared from then on, and what they were is kept beside it, so
that it can be given back byte for byte. ASCII letters keep their case: a search folds them for itself, as quickly as it finds.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.find import find, is_valid
from zsmem_tui.core.fold import changed_in, fold
from zsmem_tui.core.text import printable_path

if TYPE_CHECKING:
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.core.refs import MemRef

_NO_NAME: Final = b"\xff"
"""What stands for a line break in a name, which no term holds."""

_SPARSE: Final = 12
"""Bytes of text for each changed character, from which on noting them one by one takes less room than keeping the text."""


class TextFile:
    """One file as search sees it. `home` is where its folder lies; `text` is what it holds, as far as that is in memory.

    `is_hit` says that a search found it, `is_folded` that the letters outside ASCII stand in its text as they are compared.
    """

    __slots__ = (
        "_is_valid",
        "_original",
        "_read",
        "folded_name",
        "folder",
        "home",
        "is_folded",
        "is_hit",
        "name",
        "text",
        "without",
    )

    def __init__(self, home: str, folder: Folder, name: str, read: Callable[[str], bytes]) -> None:
        """`read` gives the bytes of a file for who looks at a text that is not in memory any more."""
        self.home = home
        self.folder = folder
        self.name = name
        self.folded_name = _folded_name(name)
        self.text: bytes | None = None
        self.is_hit = False
        self.without: frozenset[bytes] = frozenset()
        """Letters outside ASCII of which none is in the text: a search has looked."""
        self._read = read
        self._original: _Original | None = None
        self.is_folded = self._is_valid = False

    def hold(self, raw: bytes) -> None:
        """Keep what the file holds."""
        self.text, self._original, self.without = raw, None, frozenset()
        self.is_folded = self._is_valid = raw.isascii()

    def drop(self) -> None:
        """Keep it no longer."""
        self.text = self._original = None

    def is_text(self) -> bool:
        """Whether it is valid UTF-8; what is not counts as empty (section 4)."""
        if not self._is_valid and self.text is not None:
            self._is_valid = is_valid(self.text)
            if not self._is_valid:
                self.text, self.is_folded, self._is_valid = b"", True, True
                return False
        return True

    def line(self, lowered: bytes, end: int) -> bytes:
        """The line of this text that ends there, as it is compared."""
        line = lowered[lowered.rfind(b"\n", 0, end) + 1 : end]
        return line if self.is_folded else fold(line)

    def fold(self) -> None:
        """Make the letters outside ASCII what they are compared as."""
        text = self.text
        if self.is_text() and text is not None:
            chars = {char: fold(char) for char in changed_in(text)}
            if chars:
                self.text, self._original = _folded_outside_ascii(text, chars)
        self.is_folded = True

    @property
    def raw(self) -> bytes:
        """Its bytes; none when they are not valid UTF-8. What is not in memory any more is what the file holds now."""
        text, original = self.text, self._original
        if text is None:
            text = self._read(self.os_path)
            return text if is_valid(text) else b""
        if not self.is_text():
            return b""
        return text if original is None else original.of(text)

    @property
    def folded(self) -> bytes:
        """The same as it is compared."""
        return fold(self.raw)

    @property
    def size(self) -> int:
        """Bytes of memory that the text takes."""
        return len(self.text or b"") + (self._original.size if self._original is not None else 0)

    @property
    def os_path(self) -> str:
        """Its path as the system opens it."""
        return f"{self.home}/{self.name}"

    @property
    def path(self) -> str:
        """Its path as it is printed."""
        return printable_path(self.os_path)

    @property
    def date(self) -> str | None:
        """In a dated folder, its name without the last extension; empty when that is not UTF-8."""
        if not self.folder.dated:
            return None
        return self.name.rpartition(".")[0] if self.name.isascii() or self.folded_name else ""

    @property
    def ref(self) -> MemRef:
        """Which memory file it is."""
        return self.folder.ref(self.name)


class _Original(NamedTuple):
    """What a text was before its characters outside ASCII were folded: those that changed and their places, or all of it."""

    places: Sequence[int]
    changed: str
    raw: bytes = b""

    def of(self, text: bytes) -> bytes:
        if self.raw:
            return self.raw
        parts: list[bytes] = []
        position = 0
        for at, char in zip(self.places, self.changed, strict=True):
            was = char.encode()
            parts += (text[position:at], was)
            position = at + len(fold(was))
        return b"".join((*parts, text[position:]))

    @property
    def size(self) -> int:
        return 8 * len(self.changed) + len(self.raw)


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
    text = b"".join((*parts, raw[position:]))
    if len(where) * _SPARSE > len(raw):
        return text, _Original((), "", raw)
    return text, _Original(places, b"".join(char for _, char in where).decode())


def _folded_name(name: str) -> bytes:
    """A name as it is compared, in one line; empty when it is not valid Unicode."""
    if name.isascii():
        return name.lower().encode().replace(b"\n", _NO_NAME)
    try:
        return fold(name.encode()).replace(b"\n", _NO_NAME)
    except UnicodeEncodeError:
        return b""
