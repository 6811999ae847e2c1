"""Our memory as oh-my-pi's lessons: one line each, as its own tool would write them, a hundred at most. Nothing else is written."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.oh_my_pi import files, writes
from zsmem_tui.agents.oh_my_pi.redaction import is_redacted, neutralised
from zsmem_tui.agents.oh_my_pi.writes import LONGEST_LESSON, MOST_LESSONS, Lesson
from zsmem_tui.agents.outgoing import MAIN, Ours, Outgoing, Spot, Wish, WithoutIndex, bare_facts
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim
from zsmem_tui.core.tree import Tree

_TASK: Final = "Open task: "
_FULL: Final = f"oh-my-pi keeps {MOST_LESSONS} lessons, and there are as many"


class OhMyPiWriter(WithoutIndex):
    """Every lesson is in the prompt, as far as the summary leaves room."""

    name = "oh-my-pi"
    title = "oh-my-pi"
    losses = (
        "Lessons are one line each without backticks and angle brackets, a hundred at most; of notes only the first line goes "
        "along, and tasks that are done and daily logs stay behind."
    )
    group_kinds: tuple[str, ...] = ("folder",)

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """All memories; a path may name that folder, the agent's, or the memory of one folder in it."""
        group = wish.group or (f"folder:{files.encoded(wish.folder)}" if wish.folder else "")
        if not wish.path:
            return {MAIN: Spot(self.name, files.root(wish.env, wish.home, wish.is_there), group)}
        path = wish.path.rstrip("/")
        name = posixpath.basename(path)
        if name.startswith("--") and name.endswith("--"):
            return {MAIN: Spot(self.name, posixpath.dirname(path), f"folder:{name}")}
        below = next((each for each in (files.MEMORIES, f"agent/{files.MEMORIES}") if wish.is_there(f"{path}/{each}")), "")
        return {MAIN: Spot(self.name, posixpath.join(path, below) if below else path, group)}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Facts, open tasks, the first lines of notes, in our order from the top: what is learned last stands first."""
        out = [_lesson(source, fact.says, _lost(fact.text)) for source, fact in bare_facts(ours.fact_files())]
        if ours.tasks is not None:
            for item in items(ours.tasks.text):
                source = ours.tasks.spot(item.line)
                if item.box is Box.OPEN:
                    out.append(_lesson(source, f"{_TASK}{item.text}", ("It is a lesson there, which nobody ticks off.",)))
                else:
                    out.append(Outgoing(source, item.text, skip="it is not open, and oh-my-pi knows no tasks"))
        for held in ours.notes:
            first = next((trim(line).lstrip("# ") for line in raw_lines(held.text) if trim(line).lstrip("# ")), "")
            losses = () if trim(held.text).lstrip("# ") == first else ("Only its first line goes along.",)
            out.append(_lesson(held.source, first, losses) if first else Outgoing(held.source, held.text, skip="it is empty"))
        out += [Outgoing(log.source, log.text, skip="oh-my-pi has no daily logs") for log in ours.logs]
        return out


def _lost(text: str) -> tuple[str, ...]:
    return ("Its lines become one.",) if "\n" in trim(text) else ()


def _lesson(source: str, words: str, losses: tuple[str, ...]) -> Outgoing:
    lesson = Lesson(words)
    line = js.trim(writes.line_of(lesson))  # one that was cut may end in a blank, which nobody finds again
    if not line:
        return Outgoing(source, words, skip="nothing of it is left as a lesson")
    if any(mark in words for mark in "<>`"):
        losses = (*losses, "Angle brackets and backticks stay behind.")
    if js.units(neutralised(words)) > LONGEST_LESSON:
        losses = (*losses, f"What is behind its first {LONGEST_LESSON:,} characters stays behind.")
    warnings = ("oh-my-pi would take a part of it for a secret: that part is [REDACTED].",) if is_redacted(words) else ()

    def join(now: bytes | None) -> bytes | None:
        there = [js.trim(each) for each in raw_lines(js.decode(now or b"")) if writes.is_lesson(each)]
        if line in there:
            return None
        if len(there) >= MOST_LESSONS:
            raise RuleBroken("full", f"{_FULL}. Nothing was written.")
        return _added(now, line)

    return Outgoing(source, line, Role.FACTS, join=join, losses=losses, warnings=warnings, in_prompt=True)


def _added(now: bytes | None, line: str) -> bytes:
    """The file with a lesson above the others, every other byte as it is."""
    raw = now or b""
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    parts = raw.split(b"\n")
    at = next((number for number, each in enumerate(parts) if writes.is_lesson(js.decode(each))), None)
    new = js.encode(line) + end.removesuffix(b"\n")
    if at is None:
        joint = b"" if not raw or raw.endswith(b"\n") else end
        return raw + joint + new + b"\n"
    return b"\n".join([*parts[:at], new, *parts[at:]])
