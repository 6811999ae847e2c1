"""What the doctor finds in oh-my-pi's memory beside what any memory can have: more lessons than it keeps."""

from __future__ import annotations

from collections.abc import Iterator

from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.oh_my_pi.files import LEARNED
from zsmem_tui.agents.oh_my_pi.writes import MOST_LESSONS, is_lesson
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.checks.finding import Finding, Fix, LineEdit
from zsmem_tui.core.checks.whole import OVER_BUDGET
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there


class LessonChecks(Checks):
    """The rule of a hundred."""

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """What is wrong with the lessons of a folder."""
        kind, _, name = group.partition(":")
        if kind == "folder" and name:
            path = f"{name}/{LEARNED}"
            yield from _too_many(read_if_there(tree, path) or b"", path)


def _too_many(raw: bytes, path: str) -> Iterator[Finding]:
    """More lessons than are kept; the first that would go is named by its line."""
    rows = raw_lines(decode(raw))
    lessons = [number for number, line in enumerate(rows, 1) if is_lesson(line)]
    if len(lessons) > MOST_LESSONS:
        yield Finding(
            OVER_BUDGET,
            path,
            lessons[MOST_LESSONS],
            says="The file has {size} lessons: of more than {limit} the agent drops the lowest when it learns another.",
            kind="many-lessons",
            size=len(lessons),
            limit=MOST_LESSONS,
            fix=Fix(
                "Begin the lessons that are too many with `*` instead of `-`: the agent does not drop them then.",
                edits=tuple(_kept(path, number, rows[number - 1]) for number in lessons[MOST_LESSONS:]),
            ),
        )


def _kept(path: str, number: int, row: str) -> LineEdit:
    """A lesson with the mark of a list that is not counted: the agent reads it as before, and never drops it."""
    row = row.removesuffix("\r")
    mark = row.index("-")
    return LineEdit(path, number, (row,), (f"{row[:mark]}*{row[mark + 1 :]}",))
