"""How oh-my-pi learns a lesson: one line, newest first, a hundred at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.oh_my_pi.redaction import neutralised, redacted
from zsmem_tui.core.text import raw_lines

MOST_LESSONS: Final = 100
LONGEST_LESSON: Final = 2000
LONGEST_CONTEXT: Final = 400
"""UTF-16 units that are kept of a lesson's text, and of what it says about its context."""

_BOM: Final = "\ufeff"


class Lesson(NamedTuple):
    """What is to be learned, and optionally in what context."""

    content: str
    context: str = ""


def normal(text: str, longest: int) -> str:
    """A text as it is stored: one plain line, redacted and cut."""
    text = js.trim(redacted(neutralised(text)))
    if js.units(text) <= longest:
        return text
    cut = js.first_units(text, longest)
    return cut[:-1] if "\ud800" <= cut[-1:] <= "\udbff" else cut


def line_of(lesson: Lesson) -> str:
    """The line of a lesson; empty when nothing of it is left."""
    content, context = normal(lesson.content, LONGEST_LESSON), normal(lesson.context, LONGEST_CONTEXT)
    if not content:
        return ""
    return f"- {content} _(context: {context})_" if context else f"- {content}"


def is_lesson(line: str) -> bool:
    """Whether a line of the file is a lesson; also inside a code fence."""
    return js.trim_start(line).startswith("- ")


def learned(raw: bytes | None, lesson: Lesson) -> bytes | None:
    """The file with a lesson on top of the others; None when there is nothing to learn.

    The same lesson further down goes; headings and prose stay where they are; the lowest of more than a hundred goes.
    A byte order mark and bytes that are no UTF-8 do not survive, as when oh-my-pi writes: whoever writes it keeps the old bytes.
    """
    line = line_of(lesson)
    if not line:
        return None
    lines = raw_lines(js.decode(raw or b"").removeprefix(_BOM))
    if not lines[-1]:
        lines.pop()
    lines = [each for each in lines if not (is_lesson(each) and js.trim(each) == line)]
    at = next((number for number, each in enumerate(lines) if is_lesson(each)), len(lines))
    lines.insert(at, line)
    lessons = [number for number, each in enumerate(lines) if is_lesson(each)]
    for number in reversed(lessons[MOST_LESSONS:]):
        del lines[number]
    return js.encode("\n".join(lines) + "\n")


def dropped(raw: bytes | None, lesson: Lesson) -> list[str]:
    """The lessons that would fall off the end, so that who writes can be told."""
    after = set(raw_lines(js.decode(learned(raw, lesson) or raw or b"")))
    return [line for line in raw_lines(js.decode(raw or b"")) if is_lesson(line) and line not in after]


def stored(lessons: Sequence[Lesson]) -> list[int]:
    """For each lesson, 1 when something of it is stored, else 0."""
    return [int(bool(line_of(each))) for each in lessons]
