"""Bring the new lines of a text into one that holds most of its lines already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
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
    there, own = (raw_lines(raw.removesuffix(b"\n").decode("utf-8", "surrogateescape")) for raw in (old, part))
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
    if not lacking:
        return old
    ending = "\r" * (2 * sum(line.endswith("\r") for line in there) > len(there))
    out: list[str] = []
    at = 0
    old_keys, new_keys = ([line.encode("utf-8", "surrogateescape") for line in keys] for keys in (before, after))
    for start, hunk in placed(line_hunks(old_keys, new_keys)):
        stop = hunk.start if start else hunk.stop  # what stands above all that both have goes right above that
        out += there[at:stop]
        at = stop
        for number in range(start, start + len(hunk.lines)):
            if after[number] and lacking[after[number]] > 0:
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


def _saying(lines: Iterable[str]) -> Counter[str]:
    return Counter(line for line in lines if sum(map(str.isalnum, line)) >= _SAYS)
