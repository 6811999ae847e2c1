"""The part of Claude Code's index in the prompt: the first 200 lines or 25,000 bytes, whichever comes first.

Based on public documents and reports; the screen says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from zsmem_tui.agents.claude_code.files import INDEX
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine, PromptSection
from zsmem_tui.core.context import Shown
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.text import printable_path, raw_lines

INDEX_LINES: Final = 200
"""The most lines of the index that Claude Code loads."""

INDEX_BYTES: Final = 25_000
"""The most bytes of the index that Claude Code loads."""

BY_DOCUMENTS: Final = "By Claude Code's documents; not observed."

RULE: Final = (
    f"Claude Code loads the first {INDEX_LINES} lines or {INDEX_BYTES:,} bytes of MEMORY.md, whichever comes first, and reads "
    f"notes when it wants them. {BY_DOCUMENTS}"
)
SETTINGS: Final = "settings.json"
_OFF: Final = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
NOTHING: Final = "Claude Code loads MEMORY.md, and it is not there or says nothing."


def loaded(raw: bytes) -> bytes:
    """The loaded start of the index, as whole lines; only a first line that exceeds the limit is cut."""
    lines = raw.split(b"\n", INDEX_LINES)
    text = b"\n".join(lines[:INDEX_LINES]) + (b"\n" if len(lines) > INDEX_LINES else b"")
    if len(text) <= INDEX_BYTES:
        return text
    end = text.rfind(b"\n", 0, INDEX_BYTES)
    return text[: end + 1] if end >= 0 else text[:INDEX_BYTES].decode("utf-8", "ignore").encode()


def first_lost_line(raw: bytes) -> int | None:
    """The 1-based number of the first line that is not completely loaded; None if all are."""
    text = loaded(raw)
    return None if len(text) == len(raw) else text.count(b"\n") + 1


def not_read(settings: bytes | None, env: Mapping[str, str]) -> str:
    """Why projects' indexes in Claude Code's folder are not loaded, by its settings and environment; empty if they are."""
    if env.get(_OFF) == "1":
        return f"Claude Code loads no memory: {_OFF} is set. {BY_DOCUMENTS}"
    said = json_object(settings or b"{}") or {}
    place = said.get("autoMemoryDirectory")
    if said.get("autoMemoryEnabled") is False:
        return f"Claude Code loads no memory: autoMemoryEnabled is off in its {SETTINGS}. {BY_DOCUMENTS}"
    if isinstance(place, str) and place.startswith(("/", "~/")):
        return f"Claude Code loads the index in {printable_path(place)}, as its {SETTINGS} says, not this one. {BY_DOCUMENTS}"
    return ""


def prompt(raw: bytes | None, path: str = INDEX) -> AgentPrompt:
    """The index as it is loaded, and the lines that are not. Topics are read on demand and are not part of it."""
    if not raw or not raw.strip():
        return AgentPrompt(None, cap=INDEX_LINES, unit="lines", of=INDEX, rule=NOTHING)
    text = loaded(raw).decode("utf-8", "replace")
    count = raw.count(b"\n") + (0 if raw.endswith(b"\n") else 1)
    first = first_lost_line(raw)
    by_lines = count > INDEX_LINES and len(b"\n".join(raw.split(b"\n")[:INDEX_LINES])) < INDEX_BYTES
    reason = f"past line {INDEX_LINES}" if by_lines else f"past {INDEX_BYTES:,} bytes"
    begun = not text.endswith("\n")
    past = range(first, count + 1) if first else ()
    lost = tuple(LostLine(path, number, reason, begun and number == first, for_size=True) for number in past)
    shown = raw_lines(text)
    runs = [Shown(line, path, number) for number, line in enumerate(shown[:-1])]
    runs += [Shown(shown[-1], path, len(shown) - 1, end="")] if shown[-1] else []
    by_bytes = len(raw) * INDEX_LINES > count * INDEX_BYTES
    caps = (count, INDEX_LINES, "lines"), (len(raw), INDEX_BYTES, "bytes")
    first_cut, (used, cap, unit) = caps[::-1] if by_bytes else caps
    other = f"{cap - used:,} {unit} of {cap:,}"
    sections = (PromptSection(INDEX, path, text),)
    return AgentPrompt(text, sections, lost, *first_cut, runs=tuple(runs), of=INDEX, rule=RULE, other=other)


def of_lines(path: str, text: str, kept: Collection[int], used: tuple[int, int, str], rule: str, reason: str = "") -> AgentPrompt:
    """An index of which the lines with 0-based numbers in `kept` are loaded; `used` is (used, cap, unit) for the meter."""
    if not text.strip():
        return AgentPrompt(None, cap=used[1], unit=used[2], of=INDEX, rule=f"The index is not there, or says nothing. {rule}")
    lines = raw_lines(text)
    last = len(lines) - 1
    runs = tuple(Shown(lines[at], path, at, end="" if at == last else "\n") for at in range(last + bool(lines[-1])) if at in kept)
    lost = tuple(LostLine(path, at + 1, reason, for_size=True) for at in range(last + bool(lines[-1])) if at not in kept)
    shown = "".join(f"{run.text}{run.end}" for run in runs)
    return AgentPrompt(shown, (PromptSection(INDEX, path, shown),), lost, *used, runs=runs, of=INDEX, rule=rule)


def joined(one: AgentPrompt, other: AgentPrompt) -> AgentPrompt:
    """Two indexes loaded one after the other; the meter is the first one's."""
    if one.text is None or other.text is None:
        return other if one.text is None and other.text is not None else one
    runs = (*one.runs[:-1], one.runs[-1]._replace(end="\n"), *other.runs)
    text = "".join(f"{run.text}{run.end}" for run in runs)
    return one._replace(text=text, sections=(*one.sections, *other.sections), lost=(*one.lost, *other.lost), runs=runs)
