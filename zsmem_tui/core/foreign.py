"""One thing that another memory holds, as it may come into ours; and what makes a text suspicious."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """What a found thing would become."""

    FACT = "fact"
    NOTE = "note"
    LOG = "daily"
    PAD = "scratchpad"


_MARKED: Final = re.compile(r"[-*+] |>|#{1,6} |\||\d+[.)] |```|~~~|\s")


class Found(NamedTuple):
    """One thing that was found. `source` names its place in the other memory, with a line where it is one of many.

    `name` is a note's stem or a log's date. `project` is a slug when the other memory knows one. `skip` says why it is not taken at
    all; `doubt` why it is not ticked by default.
    """

    source: str
    kind: Kind
    name: str
    text: str
    project: str = ""
    skip: str = ""
    doubt: str = ""
    listed: bool = False
    """Whether a fact goes in as an item of a list, which it was not where it comes from."""

    @property
    def as_written(self) -> str:
        """The text as it goes into a file."""
        if not self.listed or self.kind is not Kind.FACT or "\n" in self.text or _MARKED.match(self.text):
            return self.text
        return f"- {self.text}"


_KEYS: Final = re.compile(
    r"sk-[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|xox[baprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{30,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}"
    r"|(?i:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*['\"]?[^\s'\"]{8,}"
)
_ORDERS: Final = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all)\b[^.\n]{0,30}"
    r"\b(?:instruction|prompt|rule|message)s?"
    r"|\byou are now\b|\bsystem prompt\b|\bdo not tell the user\b|\bwithout (?:asking|telling) the user\b"
    r"|<\s*/?\s*(?:system|assistant)\s*>"
)
_HIDDEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e007f]")


def doubts(text: str) -> str:
    """Why a text should be looked at before it is taken; empty when nothing stands out."""
    found = []
    if "</memory>" in text:
        found.append("holds </memory>, which would end the prompt block early")
    if _KEYS.search(text):
        found.append("has the shape of a key or password")
    if _ORDERS.search(text):
        found.append("reads like an order to the agent")
    if _HIDDEN.search(text):
        found.append("holds hidden characters")
    return ", ".join(found)


def stem_of(name: str) -> str:
    """A note's stem made from another memory's name: what a name may not hold becomes `-`."""
    kept = "".join("-" if char in "/\\." else char for char in name if char.isprintable()).strip(" ")
    stem = kept.encode()[:80].decode("utf-8", "ignore").strip(" ")
    return stem or "unnamed"
