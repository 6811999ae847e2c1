"""The prompt of oh-my-pi: summary and lessons share a budget, are cut in the middle, then reformatted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.oh_my_pi.files import LEARNED, SUMMARY
from zsmem_tui.agents.oh_my_pi.lessons import neutralised, redacted
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine, PromptSection
from zsmem_tui.core.context import Shown
from zsmem_tui.core.text import raw_lines

LIMIT: Final = 5000
"""The budget for summary and lessons in tokens (`memories.summaryInjectionTokenLimit`) of four UTF-16 units each."""

_UNITS: Final = 4
_NOTHING: Final = "oh-my-pi puts memory_summary.md and learned.md there, and neither says anything; MEMORY.md never goes there."
_MARK: Final = "\n\n...[truncated]...\n\n"
_FENCE: Final = re.compile(f"{js.SPACES}*(?:```|~~~)")
_CLOSING: Final = re.compile(f"{js.SPACES}*</[a-z_-]+>")
_RULE: Final = re.compile(r"[|:\- ]+")
_CUT: Final = "it is in the middle, which is cut out"


def prompt(summary: str, learned: str, *, limit: int = LIMIT, paths: tuple[str, str] = (SUMMARY, LEARNED)) -> AgentPrompt:
    """The prompt section for `memory_summary.md` and `learned.md` (empty: no file), both without byte order mark.

    A summary that uses up the budget leaves no room for lessons. `paths` are the two files' paths in the result.
    """
    whole = js.trim(summary)
    lessons = "\n".join(redacted(neutralised(line)) for line in raw_lines(js.trim(learned)))
    first = [js.first_line(text) - 1 for text in (summary, learned)]
    summary_runs = _shortened(Shown(whole, paths[0], first[0]), limit)
    shown = _text(summary_runs)
    rest = limit - -(-js.units(shown) // _UNITS)
    lesson_runs = _shortened(Shown(lessons, paths[1], first[1]), rest)
    shown_lessons = _text(lesson_runs)
    lost = [*_lost(paths[0], summary, whole, limit), *_lost(paths[1], learned, lessons, rest, "the summary leaves no room for it")]
    lost += _rewritten(paths[1], learned)
    rule = (
        f"Of more than {limit * _UNITS:,} characters oh-my-pi cuts the middle out; the summary comes first, and the lessons get "
        "the room that it leaves."
    )
    used, cap = js.units(whole) + js.units(js.trim(lessons)), limit * _UNITS
    if not shown and not shown_lessons:
        return AgentPrompt(None, (), tuple(lost), used, cap, "characters", rule=_NOTHING if not lost else rule)
    runs = [Shown("{GUIDANCE}")]
    runs += [Shown("Memory summary:"), *summary_runs] if shown else []
    runs += [Shown("{LEARNED_HEAD}"), *lesson_runs] if shown_lessons else []
    runs = tidied([*runs, Shown("")])
    sections = (PromptSection("Memory summary", paths[0], shown), PromptSection("Lessons", paths[1], shown_lessons))
    text = _text(runs)
    runs[-1] = runs[-1]._replace(end="")
    return AgentPrompt(
        text, tuple(each for each in sections if each.text), tuple(lost), used, cap, "characters", tuple(runs), "", rule
    )


def tidied(runs: Iterable[Shown]) -> list[Shown]:
    """The lines as the agent has them in the end: trimmed, blank ones collapsed, tables tight; not inside fences."""
    out: list[Shown] = []
    blank = 0
    is_fenced = False
    for run in runs:
        line = js.trim_end(run.text)
        is_fence = _FENCE.match(line) is not None
        if not line and not is_fenced:
            blank += 1
            continue
        if blank == 1 and not _CLOSING.fullmatch(line):
            out.append(Shown(""))
        blank = 0
        out.append(run._replace(text=line if is_fenced or is_fence else _tightened(line)))
        is_fenced ^= is_fence
    while out and not out[-1].text:  # also in an unclosed fence
        out.pop()
    return out


def _text(runs: Iterable[Shown]) -> str:
    return "\n".join(run.text for run in runs)


def _shortened(whole: Shown, tokens: int) -> list[Shown]:
    """The lines of a text that fit the budget, trimmed as a whole; `whole.line` is the first line's number."""
    if tokens <= 0:
        return []
    size, head = tokens * _UNITS, _head(tokens)
    if js.units(whole.text) <= size:
        return _trimmed(_numbered(whole))
    start, end = js.first_units(whole.text, head), js.last_units(whole.text, size - head)
    last = whole.line + whole.text.count("\n") - end.count("\n")
    marks = [Shown(line) for line in raw_lines(_MARK)[1:-1]]
    return _trimmed([*_numbered(whole._replace(text=start)), *marks, *_numbered(whole._replace(text=end, line=last))])


def _numbered(whole: Shown) -> list[Shown]:
    return [whole._replace(text=line, line=number) for number, line in enumerate(raw_lines(whole.text), whole.line)]


def _trimmed(runs: list[Shown]) -> list[Shown]:
    while runs and not js.trim(runs[0].text):
        runs = runs[1:]
    while runs and not js.trim(runs[-1].text):
        runs = runs[:-1]
    if runs:
        runs[0] = runs[0]._replace(text=js.trim_start(runs[0].text))
        runs[-1] = runs[-1]._replace(text=js.trim_end(runs[-1].text))
    return runs


def _rewritten(path: str, learned: str) -> Iterable[LostLine]:
    """Lessons that lose more than markup."""
    for number, line in enumerate(raw_lines(learned), 1):
        plain = neutralised(line)
        if js.trim(line) and not plain:
            yield LostLine(path, number, "nothing of it is left without marks")
        elif redacted(plain) != plain:
            yield LostLine(path, number, "oh-my-pi takes out what looks like a secret", cut=True)


def _head(tokens: int) -> int:
    """The UTF-16 units kept from the start: three fifths."""
    return tokens * _UNITS * 3 // 5


def _lost(path: str, file: str, text: str, tokens: int, no_room: str = "no memory is let in") -> Iterable[LostLine]:
    """The lines of a file that are cut, fully or partly; `text` is what should have been shown of it."""
    if not text:
        return
    first = js.first_line(file)
    size = js.units(text)
    start, end = (0, size + 1) if tokens <= 0 else (_head(tokens), size - tokens * _UNITS + _head(tokens))
    reason = _CUT if tokens > 0 else no_room
    if tokens > 0 and size <= tokens * _UNITS:
        return
    at = 0
    for number, line in enumerate(raw_lines(text), first):
        if at < end and at + js.units(line) > start and line:
            yield LostLine(path, number, reason, at < start or at + js.units(line) > end, for_size=True)
        at += js.units(line) + 1


def _tightened(line: str) -> str:
    """A table row with trimmed cells; any other line unchanged."""
    row = js.trim_start(line)
    if len(row) < 2 or row[0] != "|" or row[-1] != "|":
        return line
    cells = [js.trim(cell) for cell in row[1:-1].split("|")]
    if _RULE.fullmatch(row):
        cells = [_rule(cell) for cell in cells if cell]
    return f"{line[: len(line) - len(row)]}|{'|'.join(cells)}|"


def _rule(cell: str) -> str:
    return (":" if cell.startswith(":") else "") + "---" + (":" if cell.endswith(":") and len(cell) > 1 else "")
