"""One memory taken into another: what of one project's file is added to the other's. Doing it twice adds nothing more.

Bytes in, bytes out; None where the two cannot be made one text, and both have to be kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.markdown import ended_lines, heading_level, parts
from zsmem_tui.core.text import raw_lines, trim, words

MOVES: Final = "moves "
"""How the relation of a step begins that took projects to other places."""

_BOX: Final = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[^\]]?\]")
_ENTRY: Final = re.compile(r"^### (\d\d:\d\d)(?!\d)")


class Home(NamedTuple):
    """A project's folder in a store, and the one that all in it goes to: relative paths."""

    source: str
    target: str


def relation(homes: Sequence[Home]) -> str:
    """What the history keeps of such a step."""
    return MOVES + json.dumps([list(home) for home in homes])


def homes_of(relation: str) -> list[Home]:
    """The folders that a step of this relation moved; none of a step that moved none."""
    if not relation.startswith(MOVES):
        return []
    try:
        return [Home(str(source), str(target)) for source, target in json_value(relation.removeprefix(MOVES))]
    except (ValueError, TypeError):
        return []


def moved_path(homes: Sequence[Home], path: str) -> str:
    """Where a file goes, if nothing of another text is there; empty for one that does not move."""
    return next((home.target + path[len(home.source) :] for home in homes if path.startswith(f"{home.source}/")), "")


def merged_lines(mine: bytes, theirs: bytes) -> bytes | None:
    """`mine`, then the lines of `theirs` whose words it does not have, under their headings."""
    texts = _decoded(mine, theirs)
    if texts is None:
        return None
    have = {_said(line) for line in raw_lines(texts[0])}
    out, last = texts[0], _last_heading(texts[0])
    for heading, piece in _pieces(texts[1]):
        if all(_said(line) in have or not trim(line) for line in raw_lines(piece)):
            continue
        out += "\n" if out and not out.endswith("\n") else ""
        if heading and _said(heading) != last:
            out += ("\n" if out else "") + heading
            last = _said(heading)
        out += piece
    return out.encode()


def merged_log(mine: bytes, theirs: bytes) -> bytes | None:
    """The entries of both in the order of their times, equal ones once; what stands before the first of `mine` comes first."""
    texts = _decoded(mine, theirs)
    if texts is None:
        return None
    (head, own), (other_head, others) = (_entries(text) for text in texts)
    have = {trim(text) for _, text in own}
    new = [(at, text) for at, text in others if trim(text) not in have]
    if trim(other_head) and trim(other_head) not in head:
        head = _ended(head) + other_head
    elif not new:
        return mine
    every = sorted([*own, *new], key=lambda entry: entry[0])
    return "".join([_ended(head), *(_ended(text) for _, text in every)]).encode()


def without_unseen(text: bytes, now: bytes, seen: bytes) -> bytes:
    """A text without the lines that the file called `now` has and the one that a person had seen had not."""
    known: dict[bytes, int] = {}
    for line in seen.split(b"\n"):
        known[line] = known.get(line, 0) + 1
    unseen: dict[bytes, int] = {}
    for line in now.split(b"\n"):
        if known.get(line, 0):
            known[line] -= 1
        elif line.strip():
            unseen[line] = unseen.get(line, 0) + 1
    out = []
    for line in text.split(b"\n"):
        if unseen.get(line, 0):
            unseen[line] -= 1
        else:
            out.append(line)
    return b"\n".join(out)


def sources_of(homes: Sequence[Home], pairs: Mapping[str, tuple[str, str]]) -> dict[str, list[str]]:
    """Of each file that such a step changed, the files that went into it. `pairs` has before and after by path; empty: no file."""
    found: dict[str, list[str]] = {}
    for path, (before, after) in pairs.items():
        goal = moved_path(homes, path)
        if before and not after and goal in pairs:
            found.setdefault(goal, []).append(path)
    return found


def _decoded(mine: bytes, theirs: bytes) -> tuple[str, str] | None:
    try:
        return mine.decode(), theirs.decode()
    except UnicodeDecodeError:
        return None


def _said(line: str) -> tuple[str, ...]:
    """What a line says, whether it is done or not."""
    return tuple(words(_BOX.sub("", line)))


def _last_heading(text: str) -> tuple[str, ...]:
    headings = [line for line in raw_lines(text) if heading_level(line)]
    return _said(headings[-1]) if headings else ()


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text but its headings, each with the heading that it stands under; a fenced block is one piece."""
    heading = ""
    for _, own, is_code in parts(raw_lines(text)):
        whole = "".join(f"{line}\n" for line in own)
        if not is_code and heading_level(own[0]):
            heading = whole
        elif is_code or trim(own[0]):
            yield heading, whole


def _entries(text: str) -> tuple[str, list[tuple[str, str]]]:
    """What stands before the first entry, and the entries with their times."""
    head = ""
    found: list[tuple[str, str]] = []
    for line in ended_lines(text):
        if match := _ENTRY.match(line):
            found.append((match[1], line))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
        else:
            head += line
    return head, found


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"
