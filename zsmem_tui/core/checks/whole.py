"""What is wrong with a text whatever it says: broken pieces, lines that are too long, open items that no agent sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checklist import REWRITTEN, hidden_items, shown_as_open
from zsmem_tui.core.checks.fault import Check, Fault, Level, LineEdit, Repair
from zsmem_tui.core.checks.links import without_code
from zsmem_tui.core.checks.sheet import Sheet

LONGEST_LINE: Final = 1_000
"""Characters of a line that a person and an agent can still use as one."""

_CONFLICT: Final = re.compile(r"<{7}(?:[ \t\r]|$)")
_MIDDLE: Final = re.compile(r"={7}[ \t\r]*$")
_CONFLICT_END: Final = re.compile(r">{7}(?:[ \t\r]|$)")
_MARKERS: Final = frozenset(("<" * 7, "=" * 7, ">" * 7))
_LIST_MARK: Final = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def broken(text: Sheet, path: str, block_end: str) -> Iterator[Fault]:
    """Conflicts that were never resolved, a fence that is never closed, and text that ends the prompt's block early."""
    yield from _conflicts(text, path)
    if text.open_fence >= 0:
        row = text.rows[text.open_fence]
        last = _end_of_block(text, text.open_fence)
        edit = LineEdit(path, last + 1, (text.rows[last],), (text.rows[last], text.fence_mark))
        yield Fault(
            Check.BROKEN,
            Level.ERROR,
            path,
            text.open_fence + 1,
            kind="open-fence",
            text=text.fence_mark,
            quoted=row,
            repair=Repair("close-fence", text.fence_mark, (edit,)),
        )
    if block_end:
        for at, row in enumerate(text.rows):
            if block_end in row and at not in text.code and block_end in (bare := without_code(row)):
                place = bare.index(block_end)
                after = f"{row[:place]}`{block_end}`{row[place + len(block_end) :]}"
                repair = Repair("tick", block_end, (LineEdit(path, at + 1, (row,), (after,)),))
                yield Fault(Check.BROKEN, Level.ERROR, path, at + 1, kind="ends-block", text=block_end, quoted=row, repair=repair)


def _end_of_block(text: Sheet, start: int) -> int:
    """The last line of what an open fence seems to hold: it ends before the next blank line."""
    at = start
    while at + 1 < len(text.rows) and text.rows[at + 1].strip():
        at += 1
    return at


def _conflicts(text: Sheet, path: str) -> Iterator[Fault]:
    start = middle = -1
    for at, row in enumerate(text.rows):
        if row[:7] not in _MARKERS or at in text.code:
            continue
        if _CONFLICT.match(row):
            if start >= 0 and middle >= 0:
                yield _conflict(text, path, start, middle, middle)
            start, middle = at, -1
        elif start >= 0 and _MIDDLE.match(row):
            middle = at
        elif start >= 0 and _CONFLICT_END.match(row):
            yield _conflict(text, path, start, at, middle)
            start = middle = -1
    if start >= 0 and middle >= 0:
        yield _conflict(text, path, start, middle, middle)


def _conflict(text: Sheet, path: str, start: int, end: int, middle: int) -> Fault:
    """A conflict; where it has all its marks, with what stands above and below the middle to choose from."""
    rows = tuple(text.rows[start : end + 1])
    sides: tuple[tuple[str, ...], ...] = ()
    if start < middle < end:
        above, below = rows[1 : middle - start], rows[middle - start + 1 : -1]
        base = next((at for at, row in enumerate(above) if row.startswith("|||||||")), len(above))
        sides = (above[:base], below)
    labels = (text.rows[start][7:].strip(), text.rows[end][7:].strip())
    choices = (
        Repair("keep-side", label, (LineEdit(path, start + 1, rows, side),)) for label, side in zip(labels, sides, strict=False)
    )
    return Fault(
        Check.BROKEN,
        Level.ERROR,
        path,
        start + 1,
        end + 1,
        kind="conflict",
        quoted=text.rows[start],
        repair=Repair("take-side", choices=tuple(choices)),
    )


def long_lines(text: Sheet, path: str) -> Iterator[Fault]:
    """Lines of more characters than anybody reads."""
    for at, row in enumerate(text.rows):
        if len(row) > LONGEST_LINE:
            parts = _split(row) if at not in text.code and "|" not in row else ()
            edits = (LineEdit(path, at + 1, (row,), parts),) if parts else ()
            yield Fault(
                Check.OVER_BUDGET,
                Level.WARNING,
                path,
                at + 1,
                kind="line",
                size=len(row),
                limit=LONGEST_LINE,
                quoted=row,
                repair=Repair("split-line", edits=edits),
            )


def _split(row: str) -> tuple[str, ...]:
    """A long line as several, cut at blanks, those after the first indented below its list mark; none where that cannot be."""
    mark = _LIST_MARK.match(row)
    indent = "  " if mark else ""
    out: list[str] = []
    rest = row
    while len(rest) > LONGEST_LINE:
        at = max(rest.rfind(". ", 1, LONGEST_LINE) + 1, rest.rfind("。", 1, LONGEST_LINE) + 1)
        if at < LONGEST_LINE // 2:
            at = rest.rfind(" ", len(indent) + 1, LONGEST_LINE)
        if at <= len(indent):
            return ()
        out.append(rest[:at].rstrip())
        rest = indent + rest[at:].lstrip(" ")
    return (*out, rest)


def hidden(text: str, path: str) -> Iterator[Fault]:
    """Open items of a checklist that the agent's filter drops."""
    for at, row in hidden_items(text):
        edit = LineEdit(path, at + 1, (row,), (shown_as_open(row),))
        yield Fault(
            Check.HIDDEN_ITEM,
            Level.WARNING,
            path,
            at + 1,
            text=row,
            quoted=row,
            repair=Repair("rewrite-mark", REWRITTEN, (edit,)),
        )
