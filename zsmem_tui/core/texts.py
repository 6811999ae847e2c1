"""Files as searched: path, name and text held in memory.

A text is kept once, as it is in its file. If it may contain a non-ASCII letter that folds to one in a term, such as a non-ASCII
capital, these letters are replaced by their folded forms, and the original is kept beside it. ASCII letters keep their case: each
search lowers them, which is as quick as finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.find import is_valid, spans
from zsmem_tui.core.fold import changed_in, fold
from zsmem_tui.core.text import printable_path

if TYPE_CHECKING:
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.core.refs import MemRef

_NO_NAME: Final = b"\xff"
"""Replaces a line feed in a name; no term contains it."""


class TextFile:
    """One file to search. `home` is the path of its folder; `text` is its content, if held in memory.

    `is_hit`: a search found it; `is_folded`: the non-ASCII letters in `text` are folded.
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
        """`read` returns the bytes of the file at a path, for access to a text that is not in memory."""
        self.home = home
        self.folder = folder
        self.name = name
        self.folded_name = _folded_name(name)
        self.text: bytes | None = None
        self.is_hit = False
        self.without: frozenset[bytes] = frozenset()
        """Non-ASCII letters known not to occur in the text, from earlier searches."""
        self._read = read
        self._original: bytes | None = None
        self.is_folded = self._is_valid = False

    def hold(self, raw: bytes) -> None:
        """Keep the content of the file in memory."""
        self.text, self._original, self.without = raw, None, frozenset()
        self.is_folded = self._is_valid = raw.isascii()

    def drop(self) -> None:
        """Release the content from memory."""
        self.text = self._original = None

    def is_text(self) -> bool:
        """Whether the text is valid UTF-8; if not, it counts as empty (section 4)."""
        if not self._is_valid and self.text is not None:
            self._is_valid = is_valid(self.text)
            if not self._is_valid:
                self.text, self.is_folded, self._is_valid = b"", True, True
                return False
        return True

    def line(self, lowered: bytes, end: int) -> bytes:
        """The line of this text that ends at offset `end` of `lowered`, folded."""
        line = lowered[lowered.rfind(b"\n", 0, end) + 1 : end]
        return line if self.is_folded else fold(line)

    def fold(self) -> None:
        """Replace the non-ASCII letters in `text` by their folded forms."""
        text = self.text
        if self.is_text() and text is not None and (chars := {char: fold(char) for char in changed_in(text)}):
            self.text, self._original = b"".join(_with(chars, piece) for piece in spans(text)), text
        self.is_folded = True

    @property
    def raw(self) -> bytes:
        """The original bytes; empty if not valid UTF-8. Reads the file if the text is not in memory."""
        text, original = self.text, self._original
        if text is None:
            text = self._read(self.os_path)
            return text if is_valid(text) else b""
        if not self.is_text():
            return b""
        return text if original is None else original

    @property
    def folded(self) -> bytes:
        """The text case-folded."""
        return fold(self.raw)

    @property
    def size(self) -> int:
        """Bytes of memory that the text takes."""
        return len(self.text or b"") + len(self._original or b"")

    @property
    def os_path(self) -> str:
        """The real path of the file."""
        return f"{self.home}/{self.name}"

    @property
    def path(self) -> str:
        """The path in printable form."""
        return printable_path(self.os_path)

    @property
    def date(self) -> str | None:
        """In a dated folder, the name without its last extension, empty if not UTF-8; None in other folders."""
        if not self.folder.dated:
            return None
        return self.name.rpartition(".")[0] if self.name.isascii() or self.folded_name else ""

    @property
    def ref(self) -> MemRef:
        """The memory file's `MemRef`."""
        return self.folder.ref(self.name)


def _with(chars: Mapping[bytes, bytes], piece: bytes) -> bytes:
    """A piece of a text with these characters replaced."""
    for char, same in chars.items():
        piece = piece.replace(char, same)
    return piece


def _folded_name(name: str) -> bytes:
    """The folded name, on one line; empty if it is not valid Unicode."""
    try:
        return fold(name.encode()).replace(b"\n", _NO_NAME)
    except UnicodeEncodeError:
        return b""
