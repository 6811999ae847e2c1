"""What oh-my-pi puts into a prompt: the summary and the lessons in one budget, cut in the middle, then tidied."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.oh_my_pi.files import LEARNED, SUMMARY
from zsmem_tui.agents.oh_my_pi.redaction import neutralised, redacted
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine, PromptSection, own_words
from zsmem_tui.core.text import raw_lines

LIMIT: Final = 5000
"""Tokens for summary and lessons together (`memories.summaryInjectionTokenLimit`), of four UTF-16 units each."""

OWN_WORDS: Final = {"GUIDANCE": 639, "LEARNED_HEAD": 96}

_UNITS: Final = 4
_MARK: Final = "\n\n...[truncated]...\n\n"
_FENCE: Final = re.compile(f"{js.SPACES}*(?:```|~~~)")
_CLOSING: Final = re.compile(f"{js.SPACES}*</[a-z_-]+>")
_RULE: Final = re.compile(r"[|:\- ]+")
_CUT: Final = "it is in the middle, which is cut out"


def prompt(summary: str, learned: str, *, limit: int = LIMIT) -> AgentPrompt:
    """The section for `memory_summary.md` and `learned.md` (empty: no file), both without byte order mark.

    A summary that uses up the budget leaves no lessons.
    """
    whole = js.trim(summary)
    lessons = "\n".join(redacted(neutralised(line)) for line in raw_lines(js.trim(learned)))
    shown = js.trim(_shortened(whole, limit))
    rest = limit - -(-js.units(shown) // _UNITS)
    shown_lessons = js.trim(_shortened(lessons, rest))
    lost = [*_lost(SUMMARY, summary, whole, limit), *_lost(LEARNED, learned, lessons, rest)]
    used, cap = js.units(whole) + js.units(js.trim(lessons)), limit * _UNITS
    if not shown and not shown_lessons:
        return AgentPrompt(None, (), tuple(lost), used, cap, "characters")
    parts = ["{GUIDANCE}"]
    parts += ["Memory summary:", shown] if shown else []
    parts += ["{LEARNED_HEAD}", shown_lessons] if shown_lessons else []
    sections = (PromptSection("Memory summary", SUMMARY, shown), PromptSection("Lessons", LEARNED, shown_lessons))
    text = tidied("\n".join(parts) + "\n")
    return AgentPrompt(
        text, tuple(each for each in sections if each.text), tuple(lost), used, cap, "characters", own_words(text, OWN_WORDS)
    )


def tidied(text: str) -> str:
    """`text` as it is laid out last: line ends trimmed, several blank lines in a row gone, tables tightened; not inside fences."""
    out: list[str] = []
    blank = 0
    is_fenced = False
    for line in map(js.trim_end, raw_lines(text)):
        is_fence = _FENCE.match(line) is not None
        if not line and not is_fenced:
            blank += 1
            continue
        if blank == 1 and not _CLOSING.fullmatch(line):
            out.append("")
        blank = 0
        out.append(line if is_fenced or is_fence else _tightened(line))
        is_fenced ^= is_fence
    return "\n".join(out)


def _shortened(text: str, tokens: int) -> str:
    if tokens <= 0:
        return ""
    size, head = tokens * _UNITS, _head(tokens)
    if js.units(text) <= size:
        return text
    return js.first_units(text, head) + _MARK + js.last_units(text, size - head)


def _head(tokens: int) -> int:
    """Units of the start that stay: three fifths."""
    return tokens * _UNITS * 3 // 5


def _lost(path: str, file: str, text: str, tokens: int) -> Iterable[LostLine]:
    """The lines of a file that are cut out, whole or in part; `text` is what of it was to be shown."""
    if not text:
        return
    first = file[: len(file) - len(js.trim_start(file))].count("\n") + 1
    size = js.units(text)
    start, end = (0, size + 1) if tokens <= 0 else (_head(tokens), size - tokens * _UNITS + _head(tokens))
    reason = _CUT if tokens > 0 else "the summary leaves no room for it" if path == LEARNED else "no memory is let in"
    if tokens > 0 and size <= tokens * _UNITS:
        return
    at = 0
    for number, line in enumerate(raw_lines(text), first):
        if at < end and at + js.units(line) > start and line:
            yield LostLine(path, number, reason)
        at += js.units(line) + 1


def _tightened(line: str) -> str:
    """A row of a table with its cells trimmed; any other line as it is."""
    row = js.trim_start(line)
    if len(row) < 2 or row[0] != "|" or row[-1] != "|":
        return line
    cells = [js.trim(cell) for cell in row[1:-1].split("|")]
    if _RULE.fullmatch(row):
        cells = [_rule(cell) for cell in cells if cell]
    return f"{line[: len(line) - len(row)]}|{'|'.join(cells)}|"


def _rule(cell: str) -> str:
    return (":" if cell.startswith(":") else "") + "---" + (":" if cell.endswith(":") and len(cell) > 1 else "")
