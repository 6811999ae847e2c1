"""What a memory file is without the dress of its kind, so that it can be put into a store of another kind."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

_BOM: Final = b"\xef\xbb\xbf"
_FENCES: Final = (b"---", b"...")


class Carried(NamedTuple):
    """A memory file as it travels. `body` is its text, byte for byte; `name` what it calls itself, `about` what it says of itself.

    `fields` are the keys of its frontmatter. All but `body` are empty for a file that is plain text.
    """

    body: bytes
    name: str = ""
    about: str = ""
    fields: tuple[str, ...] = ()


def split_frontmatter(raw: bytes) -> tuple[bytes, bytes]:
    """The lines of a frontmatter without its fences, and the text below; the first is empty where there is none.

    Byte order mark and CRLF do not hide it; the blank line that usually follows it goes with it.
    """
    lines = raw.removeprefix(_BOM).split(b"\n")
    if lines[0].rstrip(b"\r") != b"---":
        return b"", raw
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip(b"\r") in _FENCES), None)
    if end is None:
        return b"", raw
    below = lines[end + 1 :]
    if below and not below[0].strip() and len(below) > 1:
        below = below[1:]
    return b"\n".join(lines[1:end]), b"\n".join(below)


class Dress(Protocol):
    """What a kind of store puts around the text of a file, such as frontmatter."""

    @property
    def kept_fields(self) -> tuple[str, ...]:
        """Which keys of another kind's frontmatter it can hold."""

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """A file without it, as it goes into a store of another kind."""

    @property
    def naming(self) -> str:
        """What a person who names a new note should know, as a sentence; empty for nothing."""

    def wrapped(self, path: str, text: Carried) -> bytes:
        """What a new file holds for a text that came from another kind. Raises `RuleBroken`."""

    def begun(self, path: str, text: bytes) -> bytes:
        """What a new file holds for a text that was written for it."""

    def called(self, path: str, raw: bytes, name: str) -> str:
        """What a file, or a copy of it, is called that gets this name."""


class NoDress:
    """Of a kind whose files are text and nothing else."""

    kept_fields: tuple[str, ...] = ()
    naming = ""

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """All of it is text."""
        return Carried(raw)

    def wrapped(self, path: str, text: Carried) -> bytes:
        """The text alone."""
        return text.body

    def begun(self, path: str, text: bytes) -> bytes:
        """Just that."""
        return text

    def called(self, path: str, raw: bytes, name: str) -> str:
        """Just that."""
        return name


NO_DRESS: Final = NoDress()
