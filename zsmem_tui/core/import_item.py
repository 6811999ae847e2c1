"""One item found in another program's memory that may be imported."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from zsmem_tui.core.names import DEVICE
from zsmem_tui.core.notice import Notice, NoticeKind, reasons
from zsmem_tui.core.refs import Role

_MARKED: Final = re.compile(r"[-*+] |>|#{1,6} |\||\d+[.)] |```|~~~|\s")

_LINE: Final = re.compile(r":(\d+)\Z")

_ASKED_FOR: Final = frozenset((NoticeKind.ON_REQUEST, NoticeKind.INSTRUCTIONS, NoticeKind.BYTES_REPLACED, NoticeKind.HOLDS_NUL))
"""Problems because of which an item is imported only on request; all other doubts are only shown as marks."""


class ImportItem(NamedTuple):
    """One item that was found. `source` is its place in the other memory, with a line number if the file has several items.

    `name` is a note's stem or a log's date. `project` is a slug if the other memory knows it, `folder` the folder it is about.
    `skip` says why the item cannot be imported; `doubts` are notices about it, some of which keep it from being ticked (`stays`).
    `group` is its owner in the other memory: a personality, a user, a project. `head` is text around it that is not imported
    (frontmatter, anchors), as written. `file` is the file it comes from and `digest` the digest of that whole file, if known;
    `place` is that file's path on this machine, since memories of two folders may use the same names, and `modified_ns` its
    modification time. `about` is the file that a line of an index describes, `described` a file's description of itself.
    `to` is the path in the store for a copy of a file of the store's own kind, empty for anything else; then `parts` are the texts
    that others take out of it, and `follows` is the line above, with line feeds up to this one.
    """

    source: str
    role: Role
    name: str
    text: str
    project: str = ""
    skip: str = ""
    doubts: tuple[Notice, ...] = ()
    listed: bool = False
    """Whether a fact is written as a list item though it was none in its source."""
    group: str = ""
    head: str = ""
    digest: str = ""
    file: str = ""
    about: str = ""
    place: str = ""
    folder: str = ""
    modified_ns: int = 0
    described: str = ""
    to: str = ""
    parts: tuple[str, ...] = ()
    follows: str = ""
    is_of_person: bool = False
    """Whether it is a fact about the user, by its type or its file, in a memory whose other facts are of one project."""
    is_ours: bool = False
    """Whether it went out from the store that imports, and stands there unchanged."""
    sent_from: tuple[str, ...] = ()
    """The paths of the files of the store that imports whose lines it holds, since they went out from there."""
    was: str = ""
    """The text of its whole file as that went out from there, if it went as a file of its own."""
    rest: str = ""
    """The text without the lines that went out from there, if some but not all did."""

    @property
    def stays(self) -> str:
        """Why the item is imported only on request, in words; empty if it is imported by default."""
        return reasons(each for each in self.doubts if each.kind in _ASKED_FOR)

    @property
    def mark(self) -> str:
        """What a person should check in the item, in words; it is imported all the same. Empty if there is nothing."""
        return reasons(each for each in self.doubts if each.kind not in _ASKED_FOR)

    @property
    def origin(self) -> tuple[str, str]:
        """Identifies the item when its memory is read again, even if its text or line number has changed."""
        within = self.source.removeprefix(self.file)
        return self.place, f":{self.name}" if within and self.role is Role.NOTE else file_of(within)

    @property
    def as_written(self) -> str:
        """The text in the form in which it is written to a file."""
        if not self.listed or self.role is not Role.FACTS or "\n" in self.text or _MARKED.match(self.text):
            return self.text
        return f"- {self.text}"


def file_of(source: str) -> str:
    """The file of a `FILE:LINE` or `FILE`."""
    return _LINE.sub("", source)


def line_of(source: str) -> int:
    """The line number in a `FILE:LINE`; 0 if there is none."""
    found = _LINE.search(source)
    return int(found[1]) if found else 0


_MOST_BYTES: Final = 240
"""Of a stem: with its extension and a number behind it, a file system takes it."""


def stem_of(name: str) -> str:
    """Make a note's stem from a name in another memory: characters not allowed in a stem become `-`, at most 80 characters.

    A name that Windows has for a device gets an addition.
    """
    kept = "".join("-" if char in "/\\." else char for char in name if char.isprintable()).strip(" ")
    stem = kept[:80].encode()[:_MOST_BYTES].decode("utf-8", "ignore").strip(" ")
    return f"{stem}-note" if DEVICE.fullmatch(stem) else stem or "unnamed"
