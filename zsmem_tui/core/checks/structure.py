"""Rules about a text's form: broken parts, overlong lines, open items that no agent sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checklist import REWRITTEN, hidden_items, shown_as_open
from zsmem_tui.core.checks.document import Document, conflicts
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule
from zsmem_tui.core.checks.open_fence import closing, end_of_open_fence
from zsmem_tui.core.code_spans import without_code
from zsmem_tui.core.markdown import is_broken_front_matter
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path

TOO_MUCH: Final = Fix("Move its tail into a note.")
"""The fix where a person has to decide what is less needed."""

LONGEST_LINE: Final = 1_000
"""The most characters of a line that people and agents can still use."""

_LIST_MARK: Final = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def broken_at(path: str, line: int, kind: str, says: str, text: str, quoted: str, fix: Fix, end: int = 0) -> Finding:
    """A finding about a file, or lines of it, that an agent cannot read."""
    return Finding(BROKEN, path, line, end, says, Level.ERROR, kind, text, quoted=quoted, fix=fix)


def broken(text: Document, path: str, block_end: str) -> Iterator[Finding]:
    """Findings about unresolved conflicts, an unclosed fence, and text that ends the prompt's block early."""
    for start, end, middle in conflicts(text):
        yield _conflict(text, path, start, end, middle)
    if text.open_fence >= 0:
        at, mark = text.open_fence, text.fence_mark
        last = end_of_open_fence(text.rows, at)
        edit = LineEdit(path, last + 1, (text.rows[last],), (text.rows[last], closing(text.rows[at])))
        notes = f"That the code ends in line {last + 1} of {printable_path(path)} is a guess."
        fix = Fix("Close the fence with a line of {name}.", mark, (edit,), notes=notes)
        says = "A fence of {text} is never closed: what follows is code for whoever reads it."
        yield broken_at(path, at + 1, "open-fence", says, mark, text.rows[at], fix)
    for at, row in enumerate(text.rows if block_end else ()):
        if block_end in row and at not in text.code and block_end in (bare := without_code(row)):
            place = bare.index(block_end)
            after = f"{row[:place]}`{block_end}`{row[place + len(block_end) :]}"
            fix = Fix("Put {name} in ticks.", block_end, (LineEdit(path, at + 1, (row,), (after,)),))
            yield broken_at(path, at + 1, "ends-block", "The line holds {text}, which ends the block early.", block_end, row, fix)


def unread_head(path: str) -> Finding:
    """The finding about a front matter that agents take for text, or that takes text for its fields."""
    says = "The front matter is not read: a line of `---` alone has to open it, and another to close it below its fields."
    return broken_at(path, 1, "head", says, "", "", Fix("Mend the lines that open and close it."))


def _conflict(text: Document, path: str, start: int, end: int, middle: int) -> Finding:
    """A finding about a merge conflict; if all its marks are there, its two sides are the choices."""
    rows = tuple(text.rows[start : end + 1])
    sides: tuple[tuple[str, ...], ...] = ()
    if start < middle < end:
        above, below = rows[1 : middle - start], rows[middle - start + 1 : -1]
        base = next((at for at, row in enumerate(above) if row.startswith("|||||||")), len(above))
        sides = (above[:base], below)
    labels = (text.rows[start][7:].strip(), text.rows[end][7:].strip())
    choices = (
        Fix("Keep {name}.", label, (LineEdit(path, start + 1, rows, side),)) for label, side in zip(labels, sides, strict=False)
    )
    fix = Fix("Keep one of the two sides.", choices=tuple(choices))
    says = "A merge conflict was never resolved: both sides stand here."
    return broken_at(path, start + 1, "conflict", says, "", text.rows[start], fix, end + 1)


def long_lines(text: Document, path: str) -> Iterator[Finding]:
    """Findings about lines of more than `LONGEST_LINE` characters."""
    for at, row in enumerate(text.rows):
        if len(row) > LONGEST_LINE:
            parts = _split(row) if at not in text.code and "|" not in row else ()
            edits = (LineEdit(path, at + 1, (row,), parts),) if parts else ()
            fix = Fix("Split the line at the ends of its sentences.", edits=edits)
            says, size, limit = "The line has {size:,} characters, more than {limit:,}.", len(row), LONGEST_LINE
            yield Finding(OVER_BUDGET, path, at + 1, says=says, kind="line", size=size, limit=limit, quoted=row, fix=fix)


def _split(row: str) -> tuple[str, ...]:
    """Split a long line at sentences; further lines are indented below its bullet. Empty if it has no blanks to split at."""
    indent = "  " if _LIST_MARK.match(row) else ""
    sentences = re.split(r"(?<=\. )|(?<=。)", row)
    pieces = (piece for each in sentences for piece in ([each] if len(each) <= LONGEST_LINE // 2 else re.split("(?<= )", each)))
    out = [""]
    for piece in pieces:
        if len(out[-1]) + len(piece.rstrip()) > LONGEST_LINE:
            out.append(indent)
        out[-1] += piece
    rows = tuple(each.rstrip() for each in out)
    return rows if max(map(len, rows)) <= LONGEST_LINE else ()


def hidden(text: str, path: str) -> Iterator[Finding]:
    """Findings about open items of a checklist that the agent's filter drops."""
    for at, row in hidden_items(text):
        edit = LineEdit(path, at + 1, (row,), (shown_as_open(row),))
        says = "The agent does not see this item, because only `- [ ]` and `* [ ]` are seen."
        fix = Fix("Begin the item with `{name}`.", REWRITTEN, (edit,))
        yield Finding(HIDDEN_ITEM, path, at + 1, says=says, text=row, quoted=row, fix=fix)


HIDDEN_ITEM: Final = Rule(
    "hidden-item",
    Level.WARNING,
    "Items that the agent does not see",
    "An open item that the agent does not see for its check box.",
    "Rewrites the mark to `- [ ]`.",
)
OVER_BUDGET: Final = Rule(
    "over-budget",
    Level.WARNING,
    "Too large",
    "More than the agent takes: a file, a prompt, a line of over 1,000 characters; an error where a whole file is lost.",
    "Splits a long line; moves what does not fit into a prompt into notes and the archive, of opencode into further blocks,"
    " facts of Claude Code's index into a note; keeps oh-my-pi from dropping lessons.",
)
BROKEN: Final = Rule(
    "broken",
    Level.ERROR,
    "Broken",
    "What agents cannot read: bytes that are not UTF-8, an open conflict or fence, a spoilt front matter, a name that they refuse,"
    " a left-over file, one where none is looked for.",
    "Closes a fence, puts a tag in ticks, moves a log to its day and a file to the notes, deletes what is left over.",
)

INDEX: Final = Rule(
    "index",
    Level.WARNING,
    "Indexes that differ from their files",
    "An index that differs from its files: one is in it twice or not at all, or in another case. Claude Code.",
    "Takes the line out, mends it, or adds one.",
)
HEAD: Final = Rule(
    "head",
    Level.WARNING,
    "Heads of files",
    "A file whose head gives it another file's name, or does not say what it is about. Claude Code.",
    "Writes the name of the file into it, or its first words.",
)
UNSEEN: Final = Rule(
    "unseen",
    Level.WARNING,
    "Lines that the agent does not get",
    "Lines that the agent takes out of the prompt, or rewrites, whatever their size. Ethos, oh-my-pi.",
)
PASSED_OVER: Final = "passed-over"
"""The `kind` of a finding about a file that an agent does not read at all: no other finding about it is reported."""

ALONE: Final = (
    lambda own: broken(own.page, own.ref.path, own.block_end),
    lambda own: [unread_head(own.ref.path)] if own.has_head and is_broken_front_matter(own.page.rows) else [],
    lambda own: long_lines(own.page, own.ref.path),
    lambda own: hidden(own.text, own.ref.path) if own.ref.role is Role.CHECKLIST else (),
)
