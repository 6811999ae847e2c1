"""What the doctor finds in oh-my-pi's memory beside what any memory can have: more lessons than it keeps."""

from __future__ import annotations

from collections.abc import Iterator

from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.oh_my_pi.files import LEARNED
from zsmem_tui.agents.oh_my_pi.writes import MOST_LESSONS, is_lesson
from zsmem_tui.core.checks.fault import Check, Fault, Level
from zsmem_tui.core.finding import Rule
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there


class LessonChecks:
    """The rule of a hundred."""

    def faults(self, tree: Tree, group: str) -> Iterator[Fault]:
        """What is wrong with the lessons of a folder."""
        kind, _, name = group.partition(":")
        if kind == "folder" and name:
            path = f"{name}/{LEARNED}"
            yield from _too_many(read_if_there(tree, path) or b"", path)


def _too_many(raw: bytes, path: str) -> Iterator[Fault]:
    """More lessons than are kept; the first that would go is named by its line."""
    lessons = [number for number, line in enumerate(raw_lines(decode(raw)), 1) if is_lesson(line)]
    if len(lessons) > MOST_LESSONS:
        kind, size = Rule.MANY_LESSONS.value, len(lessons)
        yield Fault(Check.OVER_BUDGET, Level.WARNING, path, lessons[MOST_LESSONS], kind=kind, size=size, limit=MOST_LESSONS)
