"""The place for a new line in an index of which the agent loads only the start."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui.agents.claude_code import prompt
from zsmem_tui.core.markdown import Kind, Line
from zsmem_tui.core.text import clipped, counted, trim

_INSIDE: Final = (Kind.CODE, Kind.HTML, Kind.FIELD, Kind.FIELD_RULE, Kind.INDENTED)
"""Kinds of lines above which there is no place for an item."""

_QUOTED: Final = 80
"""The most characters of a line quoted in a sentence."""

_BEGINS: Final = re.compile(rb"[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|```|~~~")
"""What does not become a part of an item that stands above it."""


def is_loaded(raw: bytes, at: int) -> bool:
    """Whether the agent loads a line (0-based) of an index."""
    first = prompt.first_lost_line(raw)
    return first is None or at + 1 < first


def places(lines: Sequence[bytes], found: Sequence[Line], free: int, listed: Sequence[int], stops: Sequence[int]) -> Iterator[int]:
    """The lines (0-based) above which a new item could be loaded, the best first.

    That is where a line came `free` (1-based; 0: none did), then below the last item about a note: `listed` are the 0-based lines
    of such items that are loaded, `stops` where each of them ends. Then above the first item, so that what is added later does not
    push it out; then as far down as possible.
    """
    first = prompt.first_lost_line(b"".join(lines)) or len(lines) + 1
    fit = [at for at in range(min(first, len(lines))) if _is_place(lines, found, at)]
    if free:
        yield from [at for at in fit if at >= free - 1][:1]
    if listed:
        yield from [at for at in fit if at >= stops[-1]][:1]
    yield from [at for at in fit if lines[at].strip() and lines[at][:1] not in (b"#", b"`", b"~")][:1]
    yield from reversed(fit)


def _is_place(lines: Sequence[bytes], found: Sequence[Line], at: int) -> bool:
    """Whether an item above a line would take nothing of it in, and would not stand in anything else."""
    kind = found[at].leaf.kind
    if kind in _INSIDE or (kind is Kind.FENCE and found[at].leaf.level):
        return False
    if lines[at].strip():
        return _BEGINS.match(lines[at]) is not None and (at > 0 or kind is not Kind.HEADING)
    below = next((line for line in lines[at:] if line.strip()), b"")
    return at > 0 and below[:1] not in (b" ", b"\t")


def pushed_out(before: bytes, after: bytes) -> str:
    """The first line that is loaded of `before`, and stands in `after` but is no longer loaded; with the count of the others."""
    from zsmem_tui.core.checks.finding import without_secrets  # deferred: needed only when lines are pushed out

    (was, gone), (_, lost) = _parts(before), _parts(after)
    here, new = Counter(was), Counter(lost) - Counter(gone)
    out = [line for line in dict.fromkeys(lost) if line.strip() and new[line] and here[line]]
    if not out:
        return ""
    count = sum(min(new[line], here[line]) for line in out)
    more = f" and {counted(count - 1, 'more line')}" if count > 1 else ""
    return f"“{clipped(without_secrets(trim(out[0].decode('utf-8', 'replace'))), _QUOTED)}”{more}"


def _parts(raw: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines of an index that are loaded, and those that are not."""
    lines = raw.removesuffix(b"\n").split(b"\n")
    first = prompt.first_lost_line(raw) or len(lines) + 1
    return lines[: first - 1], lines[first - 1 :]
