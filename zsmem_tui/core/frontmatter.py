"""Take the frontmatter off a memory file and put another kind's on, to carry files between stores of different kinds."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.markdown import MAX_FIELDS, front_matter
from zsmem_tui.core.text import raw_lines

_BOM: Final = b"\xef\xbb\xbf"
_FENCES: Final = (b"---", b"...")


class Carried(NamedTuple):
    """A memory file without its store's format. `body` is its text, byte for byte; `name` and `about` are its name and description.

    `fields` are the keys of its frontmatter. All but `body` are empty for a plain text file.
    """

    body: bytes
    name: str = ""
    about: str = ""
    fields: tuple[str, ...] = ()


def split_frontmatter(raw: bytes) -> tuple[bytes, bytes]:
    """Split a file into the lines of its frontmatter, without the fences, and the text below; the first is empty if it has none.

    A byte order mark and CRLF are accepted; one blank line after the frontmatter is dropped. Lines without a colon, or very many
    lines, are text between two rules.
    """
    lines = raw.removeprefix(_BOM).split(b"\n")
    if lines[0].rstrip(b"\r") != b"---":
        return b"", raw
    end = next((number for number, line in enumerate(lines[1:MAX_FIELDS], 1) if line.rstrip(b"\r") in _FENCES), None)
    if end is None or (end > 1 and not any(b":" in line for line in lines[1:end])):
        return b"", raw
    below = lines[end + 1 :]
    if below and not below[0].strip() and len(below) > 1:
        below = below[1:]
    return b"\n".join(lines[1:end]), b"\n".join(below)


def loses_head(dress: Dress, path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether a change leaves a file whose frontmatter its agent read with none that it reads."""
    if not before or not after or not is_headed(before):
        return False
    return not is_headed(after) or (bool(dress.unwrapped(path, before).fields) and not dress.unwrapped(path, after).fields)


def is_headed(raw: bytes) -> bool:
    """Whether a text begins with a front matter."""
    return front_matter(raw_lines(raw.decode("utf-8", "replace"))) > 0


class Dress:
    """How a kind of store wraps the text of a file, for instance in frontmatter; by default, files are plain text."""

    kept_fields: tuple[str, ...] = ()
    """The keys of another kind's frontmatter that this kind can keep."""
    naming = ""
    """A sentence with what a person should know when naming a new note; empty if there is nothing."""

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """The plain text and metadata of a file, for a store of another kind."""
        return Carried(raw)

    def wrapped(self, path: str, text: Carried) -> bytes:
        """The bytes of a new file for text that came from another kind. Raises `RuleBroken`."""
        return text.body

    def begun(self, path: str, text: bytes) -> bytes:
        """The bytes of a new file for a text that was written for this kind of store."""
        return text

    def called(self, path: str, raw: bytes, name: str) -> str:
        """The file name to use when a file, or a copy of it, is to be called `name`."""
        return name


NO_DRESS: Final = Dress()
