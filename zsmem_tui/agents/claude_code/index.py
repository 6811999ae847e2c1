"""The lines of Claude Code's index: which topic each names, what is wrong with them, and how they follow a topic."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple
from urllib.parse import unquote

_LINE: Final = re.compile(rb"^[ \t]*[-*][ \t]+\[([^\]]*)\]\(([^)\s]+)\)")
_ELSEWHERE: Final = ("http:", "https:", "mailto:", "/", "#")


class IndexLine(NamedTuple):
    """A line that names a topic; `number` counts from 1."""

    number: int
    title: str
    file: str


class IndexState(NamedTuple):
    """What is wrong between an index and its topics."""

    dead: tuple[IndexLine, ...]
    """Lines whose topic is not there."""
    double: tuple[IndexLine, ...]
    """Lines whose topic an earlier line names already."""
    unlisted: tuple[str, ...]
    """Topics that no line names."""


def lines(raw: bytes) -> list[IndexLine]:
    """The lines that name topics, in their order."""
    out: list[IndexLine] = []
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        found = _LINE.match(line)
        if found:
            file = unquote(found[2].decode("utf-8", "replace")).removeprefix("./")
            if not file.startswith(_ELSEWHERE):
                out.append(IndexLine(number, found[1].decode("utf-8", "replace"), file))
    return out


def state(raw: bytes, topics: Collection[str]) -> IndexState:
    """What is wrong between the index and the topics beside it."""
    named = lines(raw)
    seen: set[str] = set()
    double: list[IndexLine] = []
    for each in named:
        if each.file in seen:
            double.append(each)
        seen.add(each.file)
    dead = tuple(each for each in named if each.file not in topics)
    return IndexState(dead, tuple(double), tuple(sorted(set(topics) - seen)))


def added(raw: bytes, file: str, title: str, hook: str = "") -> bytes:
    """The index with a line for a topic at its end; as it is when one names it already. Line ends stay as the file has them."""
    if any(each.file == file for each in lines(raw)):
        return raw
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    joint = b"" if not raw or raw.endswith(b"\n") else end
    about = f" — {' '.join(hook.split())}" if hook.strip() else ""
    shown = " ".join(title.split()).replace("[", "(").replace("]", ")")
    return raw + joint + f"- [{shown}]({_escaped(file)}){about}".encode() + end


def renamed(raw: bytes, old: str, new: str) -> bytes:
    """The index with every line that names a topic naming its new file; nothing else of the lines changes."""
    pieces = raw.split(b"\n")
    for each in lines(raw):
        if each.file == old:
            piece = pieces[each.number - 1]
            found = _LINE.match(piece.removeprefix(b"\xef\xbb\xbf"))
            if found:
                shift = len(piece) - len(piece.removeprefix(b"\xef\xbb\xbf"))
                pieces[each.number - 1] = piece[: found.start(2) + shift] + _escaped(new).encode() + piece[found.end(2) + shift :]
    return b"\n".join(pieces)


def removed(raw: bytes, file: str) -> bytes:
    """The index without the lines that name a topic."""
    gone = {each.number for each in lines(raw) if each.file == file}
    return b"\n".join(piece for number, piece in enumerate(raw.split(b"\n"), 1) if number not in gone)


def _escaped(file: str) -> str:
    return file.replace("%", "%25").replace(" ", "%20").replace("(", "%28").replace(")", "%29")
