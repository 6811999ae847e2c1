"""One thing that another memory holds, as it may come into ours."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from zsmem_tui.core.notice import Notice, NoticeKind, reasons
from zsmem_tui.core.refs import Role

_MARKED: Final = re.compile(r"[-*+] |>|#{1,6} |\||\d+[.)] |```|~~~|\s")

_LINE: Final = re.compile(r":\d+\Z")

_ASKED_FOR: Final = frozenset((NoticeKind.ON_REQUEST, NoticeKind.INSTRUCTIONS, NoticeKind.BYTES_REPLACED))
"""What comes only when it is asked for, as what would not come as it is; whatever else is found of an item is a mark on it."""


class ImportItem(NamedTuple):
    """One thing that was found. `source` names its place in the other memory, with a line where it is one of many.

    `name` is a note's stem or a log's date. `project` is a slug when the other memory knows one, `folder` the folder that it is of.
    `skip` says why it is not taken at all; `doubts` what is to be known of it, of which some keep it from being ticked (`stays`).
    `group` is whose it is in the other memory: a personality, a user, a project. `head` is what stood around the text there and
    does not come along: frontmatter, anchors; as it was written. `file` is the file that it is from, `digest` that of all of it,
    where they are known; `place` is where it lies on this machine: memories of two folders may call theirs the same, and
    `modified_ns` when it was changed last. `about` is the file that a line of an index speaks of, `described` what a file says of
    itself.
    """

    source: str
    role: Role
    name: str
    text: str
    project: str = ""
    skip: str = ""
    doubts: tuple[Notice, ...] = ()
    listed: bool = False
    """Whether a fact goes in as an item of a list, which it was not where it comes from."""
    group: str = ""
    head: str = ""
    digest: str = ""
    file: str = ""
    about: str = ""
    place: str = ""
    folder: str = ""
    modified_ns: int = 0
    described: str = ""

    @property
    def stays(self) -> str:
        """Why it is not taken unless it is asked for, in words; empty when it is."""
        return reasons(each for each in self.doubts if each.kind in _ASKED_FOR)

    @property
    def mark(self) -> str:
        """What to look at in it, in words: it comes in all the same; empty when there is nothing."""
        return reasons(each for each in self.doubts if each.kind not in _ASKED_FOR)

    @property
    def origin(self) -> tuple[str, str]:
        """What is the same of an item when its memory is read again, whatever it says by then, and on whatever line."""
        return self.place, _LINE.sub("", self.source.removeprefix(self.file))

    @property
    def as_written(self) -> str:
        """The text as it goes into a file."""
        if not self.listed or self.role is not Role.FACTS or "\n" in self.text or _MARKED.match(self.text):
            return self.text
        return f"- {self.text}"


def stem_of(name: str) -> str:
    """A note's stem made from another memory's name: what a name may not hold becomes `-`."""
    kept = "".join("-" if char in "/\\." else char for char in name if char.isprintable()).strip(" ")
    stem = kept.encode()[:80].decode("utf-8", "ignore").strip(" ")
    return stem or "unnamed"
