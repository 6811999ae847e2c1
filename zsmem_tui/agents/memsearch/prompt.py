"""The prompt of memsearch's plugins: headings and items of the two newest days.

The Claude Code plugin is a shell script with awk; this follows gawk. mawk, Debian's default, never matches `###` lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.memsearch.files import ANCHOR
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine, PromptSection
from zsmem_tui.core.context import Meter, Shown
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Entry, EntryKind

DAYS: Final = 2
SESSION_LINES: Final = 40
RECENT_LINES: Final = 30
_END: Final = r"\n"
"""A backslash and the letter n: the hook never converts the ones it writes into line feeds."""

_AWK_SPACE: Final = "[ \t\v\f\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]"
_SECTION: Final = re.compile(f"##{_AWK_SPACE}")
_SUB: Final = re.compile(f"#{{3,4}}{_AWK_SPACE}")
_ITEM: Final = re.compile(f"-{_AWK_SPACE}")
_JS_SECTION: Final = re.compile(f"##{js.SPACES}")
_JS_SUB: Final = re.compile(f"#{{3,4}}{js.SPACES}")
_JS_ITEM: Final = re.compile(r"- |\[User\]|\[Assistant\]")
_NO_ITEM: Final = "its section has no item"
_PLAIN: Final = "only headings and items are shown"
_LAST: Final = "only the last {} such lines of a day are shown"


RULE: Final = (
    f"memsearch shows headings and items of the two newest days, of each the last {SESSION_LINES}; a heading without an item is "
    "not loaded."
)
NOTHING: Final = "memsearch shows the two newest days, and there is none."


class Day(NamedTuple):
    """A day's file; `text` is None if it is unreadable."""

    name: str
    text: str | None


def session_days(entries: Iterable[Entry]) -> list[str]:
    """The names of the days that Claude Code shows, newest first: regular files only."""
    found = (each.name for each in entries if is_log_name(each.name) and each.kind is EntryKind.FILE and not each.is_link)
    return sorted(found, reverse=True)[:DAYS]


def recent_days(entries: Iterable[Entry]) -> list[str]:
    """The names that OpenCode shows, oldest first; a folder or broken link with such a name counts too."""
    return sorted(each.name for each in entries if is_log_name(each.name))[-DAYS:]


def session_start(days: Sequence[Day]) -> AgentPrompt:
    """What Claude Code gets at the start of a session; `days` as returned by `session_days`."""
    if not days:
        return AgentPrompt(None, cap=SESSION_LINES, unit="lines", of="a day", rule=NOTHING)
    sections: list[PromptSection] = []
    lost: list[LostLine] = []
    runs = [Shown(f"# Recent Memory{_END}{_END}", end="")]
    meters: list[Meter] = []
    for day in days:
        lines = raw_lines((day.text or "").replace("\0", ""))
        kept, out = _select_lines(day.name, lines, _SECTION, _SUB, _ITEM, SESSION_LINES)
        lost += out
        wanted = len(kept) + sum(each.reason == _LAST.format(SESSION_LINES) for each in out)
        meters.append(Meter(wanted, SESSION_LINES, day.name, day.name))
        if kept:
            sections.append(PromptSection(day.name, day.name, "\n".join(line for _, line in kept)))
            runs += [Shown(f"## {day.name}{_END}", end=""), *_shown(day.name, kept), Shown(f"{_END}{_END}", end="")]
    text = "".join(f"{run.text}{run.end}" for run in runs)
    used, cap, of, _ = max(meters, key=lambda meter: meter.used)
    return AgentPrompt(
        text, tuple(sections), tuple(lost), used, cap, "lines", runs=tuple(runs), of=of, rule=RULE, meters=tuple(meters)
    )


def opencode_recent(days: Sequence[Day], count: int) -> AgentPrompt:
    """What OpenCode gets; `days` as returned by `recent_days`, `count` is the number of all days."""
    sections: list[PromptSection] = []
    lost: list[LostLine] = []
    runs: list[Shown] = []
    used = 0
    for day in days:
        if day.text is None:
            continue
        lines = [js.trim_end(line) for line in raw_lines(day.text)]
        kept, out = _select_lines(day.name, lines, _JS_SECTION, _JS_SUB, _JS_ITEM, RECENT_LINES)
        lost += out
        used += len(kept)
        if kept:
            sections.append(PromptSection(day.name, day.name, "\n".join(line for _, line in kept)))
            runs += [Shown(f"\n[{day.name}]"), *_shown(day.name, kept)]
    if sections:
        runs.insert(0, Shown("Recent memories (use memory_search for full search):", end=""))
    elif count:
        runs = [Shown(f"{{COUNT_SENTENCE:{count}}}", end="")]
    text = "".join(f"{run.text}{run.end}" for run in runs)
    return AgentPrompt(text or None, tuple(sections), tuple(lost), used, RECENT_LINES * DAYS, "lines", tuple(runs))


def _select_lines(
    name: str,
    lines: Sequence[str],
    section: re.Pattern[str],
    sub: re.Pattern[str],
    item: re.Pattern[str],
    most: int,
) -> tuple[list[tuple[int, str]], list[LostLine]]:
    """(last headings and items of sections that have an item, with line numbers; lines left out)."""
    groups: list[list[tuple[int, str]]] = [[]]
    title = f"# {name.removesuffix('.md')}"  # in the prompt, the name stands in its place
    lost: list[LostLine] = []
    for number, line in enumerate(lines, 1):
        if section.match(line):
            groups.append([(number, line)])
        elif sub.match(line) or item.match(line):
            groups[-1].append((number, line))
        elif js.trim(line) not in ("", title) and not ANCHOR.match(line):
            lost.append(LostLine(name, number, _PLAIN))
    kept: list[tuple[int, str]] = []
    for group in groups:
        if any(item.match(line) for _, line in group):
            kept += group
        else:
            lost += [LostLine(name, number, _NO_ITEM) for number, _ in group]
    cut = kept[: max(len(kept) - most, 0)]
    lost += [LostLine(name, number, _LAST.format(most), for_size=True) for number, _ in cut]
    return kept[len(cut) :], sorted(lost, key=lambda each: each.line)


def _shown(path: str, kept: Sequence[tuple[int, str]]) -> list[Shown]:
    """Lines as they are in the prompt; without a line feed after the last."""
    runs = [Shown(line, path, number - 1) for number, line in kept]
    return [*runs[:-1], runs[-1]._replace(end="")]
