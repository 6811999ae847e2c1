"""Merge one project's memory file into another's. Merging twice adds nothing more.

Works on bytes; None means that the two cannot be merged and both have to be kept.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.append import ended_as
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.markdown import ended_lines, heading_level, outside_code, parts, unclosed
from zsmem_tui.core.text import beyond, grouped, raw_lines, trim, words

MOVES: Final = "moves "
"""The prefix of a step's relation that says it moved projects."""

_BOX: Final = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[^\]]?\]")


class Home(NamedTuple):
    """Relative paths of a project's folder and of the folder that its content moves to."""

    source: str
    target: str


def relation(homes: Sequence[Home]) -> str:
    """The relation recorded in the history for such a step."""
    return MOVES + json.dumps([list(home) for home in homes])


def homes_of(relation: str) -> list[Home]:
    """The folders that a step with this relation moved; empty if it moved none."""
    if not relation.startswith(MOVES):
        return []
    try:
        return [Home(str(source), str(target)) for source, target in json_value(relation.removeprefix(MOVES))]
    except (ValueError, TypeError):
        return []


def moved_path(homes: Sequence[Home], path: str) -> str:
    """The new path of a file if no other text is there; empty if the file is not moved."""
    return next((home.target + path[len(home.source) :] for home in homes if path.startswith(f"{home.source}/")), "")


def merged_lines(mine: bytes, theirs: bytes) -> bytes | None:
    """Append to `mine` the lines of `theirs` with words that it lacks, under their headings. None if not UTF-8.

    They end as the lines of `mine` do.
    """
    texts = _decoded(mine, theirs)
    if texts is None:
        return None
    have = {_words_without_box(line) for line in raw_lines(texts[0])}
    out = texts[0]
    last = next((_words_without_box(line) for line in reversed(raw_lines(out)) if heading_level(line)), ())
    for heading, piece in _pieces(texts[1].replace("\r\n", "\n") if "\n" in texts[0] else texts[1]):
        if all(_words_without_box(line) in have or not trim(line) for line in raw_lines(piece or heading)):
            continue
        out += "\n" if out and not out.endswith("\n") else ""
        if heading and _words_without_box(heading) != last:
            out += ("\n" if out else "") + heading
            last = _words_without_box(heading)
        out += piece
    return ended_as(mine, out.encode())


def merged_log(mine: bytes, theirs: bytes) -> bytes | None:
    """Merge the entries of two logs by time, equal ones once; text before the first entry stays first. None if not UTF-8."""
    texts = _decoded(mine, theirs)
    if texts is None:
        return None
    if _lacking(*parted(*texts, in_code=True)) == ("", []):  # all of it is there, also where a fence of one holds that of the other
        return mine
    log, other = parted(*texts)
    lacking, new = _lacking(log, other)
    if not lacking and not new:
        return mine
    head = _with_line_feed(log.head) + lacking if lacking else log.head
    every = sorted([*log.entries, *new], key=lambda entry: entry[0])
    return "".join([_with_line_feed(head), *(_with_line_feed(text) for _, text in every), log.tail or other.tail]).encode()


def _lacking(log: Log, other: Log) -> tuple[str, list[tuple[str, str]]]:
    """What a log lacks of another one: its text before the first entry, if that is not there, and its entries."""
    have = {trim(text) for _, text in log.entries}
    head = other.head if trim(other.head) not in log.head else ""
    return head, [(at, text) for at, text in other.entries if trim(text) not in have]


def without_unseen(text: bytes, now: bytes, seen: bytes) -> bytes:
    """Remove from a text the lines that the file `now` has but the version seen by the person did not have."""
    if not now.strip():
        return text
    unseen = Counter(filter(bytes.strip, now.split(b"\n"))) - Counter(seen.split(b"\n"))
    return b"\n".join(beyond(text.split(b"\n"), unseen))


def sources_of(homes: Sequence[Home], pairs: Mapping[str, tuple[str, str]]) -> dict[str, list[str]]:
    """For each file changed by such a step, the files merged into it. `pairs` maps path to (before, after); empty means no file."""
    gone = (path for path, (before, after) in pairs.items() if before and not after)
    return grouped((goal, path) for path in gone if (goal := moved_path(homes, path)) in pairs)


def _decoded(mine: bytes, theirs: bytes) -> tuple[str, str] | None:
    try:
        return mine.decode(), theirs.decode()
    except UnicodeDecodeError:
        return None


def _words_without_box(line: str) -> tuple[str, ...]:
    """The words of a line, without its check box."""
    return tuple(words(_BOX.sub("", line)))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """(heading, piece) for each line that is neither blank nor a heading; a fenced block is one piece.

    A heading that nothing stands below has an empty piece.
    """
    heading, is_bare = "", False
    for _, own, is_code in parts(raw_lines(text)):
        whole = "".join(f"{line}\n" for line in own)
        if not is_code and heading_level(own[0]):
            if is_bare:
                yield heading, ""
            heading, is_bare = whole, True
        elif is_code or trim(own[0]):
            yield heading, whole
            is_bare = False
    if is_bare:
        yield heading, ""


def _with_line_feed(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


_START: Final = re.compile(r"^#{2,4} (?:[^\n]*?[^0-9:\n])?([0-2][0-9]:[0-5][0-9](?::[0-5][0-9])?)(?![0-9:])")


class Log(NamedTuple):
    """The text before the first entry, the entries as (time, text), and the blank lines at the end. Together they are the log.

    The blank lines above a heading belong to the entry, since agents write them with it.
    """

    head: str
    entries: list[tuple[str, str]]
    tail: str


def parted(*texts: str, in_code: bool = False) -> list[Log]:
    """Split logs of one day at their headings with a time.

    Headings in fences are text, unless `in_code`, or a fence of one of the logs is left open: what follows it below another log is
    no code.
    """
    is_open = in_code or any(unclosed(raw_lines(text)) >= 0 for text in texts)
    logs = []
    for text in texts:
        pieces: list[tuple[str, list[str]]] = [("", [])]
        for line, (_, _, outside) in zip(ended_lines(text), outside_code(raw_lines(text)), strict=False):
            if (outside or is_open) and (match := _START.match(line)):
                pieces.append((match[1], _without_blank_end(pieces[-1][1])))
            pieces[-1][1].append(line)
        tail = _without_blank_end(pieces[-1][1])
        (_, head), *entries = pieces
        logs.append(Log("".join(head), [(moment, "".join(held)) for moment, held in entries], "".join(tail)))
    return logs


def _without_blank_end(held: list[str]) -> list[str]:
    """Take the blank lines at the end out of `held`, and return them."""
    kept = len(held)
    while kept and not trim(held[kept - 1]):
        kept -= 1
    blank = held[kept:]
    del held[kept:]
    return blank
