"""Bring the new lines of a text into one that holds most of its lines already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from zsmem_tui.core.append import line_key
from zsmem_tui.core.merge import line_hunks, placed
from zsmem_tui.core.text import raw_lines

_SAYS: Final = 6
"""The fewest letters and digits of a line that says something; brackets and fences stand in many texts."""
_FEWEST: Final = 2
"""The fewest such lines that both texts have; a single one may be chance."""


def grown(old: bytes, part: bytes, key: Callable[[str], str] = line_key) -> bytes | None:
    """`old` with each line that only `part` has, below the line that it follows there; `old` itself if it has them all.

    None if `old` holds neither most of the lines of `part` that say something, nor half of its lines as one run, nor all of
    several, nor `part` all of `old`. Lines with the same `key` are equal.
    """
    there, own = map(_rows, (old, part))
    before, after = [key(line) for line in there], [key(line) for line in own]
    lacking = Counter(filter(None, after)) - Counter(before)
    stood, left, same = [*filter(None, before)], lacking.copy(), list[str]()
    for line in filter(None, after):
        if left[line]:
            left[line] -= 1
        else:
            same.append(line)
    says, held = (_saying(lines).total() for lines in (after, same))
    is_run = len(same) >= lacking.total() and "\n".join(["", *same, ""]) in "\n".join(["", *stood, ""])
    is_much = held and len(same) >= _FEWEST and (is_run or not lacking)
    is_most = held >= _FEWEST and 2 * held > says
    if not (is_most or is_much or (stood and not Counter(stood) - Counter(after))):
        return None
    return with_lacking(old, part, key) if lacking else old


def with_lacking(old: bytes, part: bytes, key: Callable[[str], str] = line_key) -> bytes:
    """`old` with each line that only `part` has, below the line that it follows there; what stands there stays as it is."""
    there, own = map(_rows, (old, part))
    there = there if old else []
    before, after = [key(line) for line in there], [key(line) for line in own]
    lacking = Counter(filter(None, after)) - Counter(before)
    ending = _ending(there)
    out: list[str] = []
    at = 0
    old_keys, new_keys = ([line.encode("utf-8", "surrogateescape") for line in keys] for keys in (before, after))
    for start, hunk in placed(line_hunks(old_keys, new_keys)):
        stop = hunk.start if start else hunk.stop  # what stands above all that both have goes right above that
        out += there[at:stop]
        at = stop
        for number in range(start, start + len(hunk.lines)):
            if lacking[after[number]]:
                lacking[after[number]] -= 1
                is_apart = number > start and not after[number - 1] and out and out[-1].strip()
                out += [*([ending] * bool(is_apart)), own[number].removesuffix("\r") + ending]
    out += there[at:]
    return "\n".join([*out, ""]).encode("utf-8", "surrogateescape")


def is_alike(one: bytes, other: bytes) -> bool:
    """Whether most of the lines that say something of each text stand in the other, and two at least."""
    texts = (raw_lines(raw.decode("utf-8", "surrogateescape")) for raw in (one, other))
    left, right = (_saying(map(line_key, text)) for text in texts)
    held = (left & right).total()
    return held >= _FEWEST and 2 * held > max(left.total(), right.total())


def extends(old: bytes, new: bytes) -> bool:
    """Whether every line of `old` that is not blank stands in `new`, in this order."""
    there, rows = ([line_key(line) for line in raw_lines(raw.decode("utf-8", "surrogateescape"))] for raw in (old, new))
    left = iter(rows)
    return all(line in left for line in there if line)


def filled(old: bytes, new: bytes) -> bytes:
    """`old` with the lines that it lacks of `new`, which has all of its lines in order (see `extends`), each where it stands there.

    What is in `old` stays as it is, also its blank lines and the white space in a line; further blank lines come only beside a new
    line.
    """
    there, rows = map(_rows, (old, new))
    ending = _ending(there)
    keys = [*map(line_key, there)]
    out: list[str] = []
    at = blank = 0
    is_new = False
    for line in rows:
        if not (key := line_key(line)):
            blank += 1
            continue
        start, was_new = at, is_new
        at = next((number for number in range(at, len(keys)) if keys[number]), len(keys))
        is_new = keys[at : at + 1] != [key]
        if blank or not is_new:
            out += there[start:at] or [ending] * (blank if out and (was_new or is_new) else 0)
        else:
            at = start
        out.append(line.removesuffix("\r") + ending if is_new else there[at])
        at, blank = at + (not is_new), 0
    is_ended = (new if is_new else old).endswith(b"\n")
    text = "\n".join([*out, *there[at:], *([""] * is_ended)])
    return (text.removesuffix("\r") if is_new and not is_ended else text).encode("utf-8", "surrogateescape")


def _rows(raw: bytes) -> list[str]:
    return raw_lines(raw.removesuffix(b"\n").decode("utf-8", "surrogateescape"))


def _ending(rows: Sequence[str]) -> str:
    """What stands before the line feed of most rows."""
    return "\r" * (2 * sum(row.endswith("\r") for row in rows) > len(rows))


def _saying(lines: Iterable[str]) -> Counter[str]:
    return Counter(line for line in lines if sum(map(str.isalnum, line)) >= _SAYS)
