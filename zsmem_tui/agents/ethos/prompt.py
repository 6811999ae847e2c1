"""What Ethos puts into a prompt: guarded, redacted, and for a long text only the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.ethos.files import MEMORY, USER
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine, PromptSection
from zsmem_tui.core.context import Shown
from zsmem_tui.core.text import raw_lines

CAP: Final = 20_000
"""The most UTF-16 units of the section including headings; the last ones are kept (setting `promptBudget.memorySnapshotCap`)."""

MOST_FOUND: Final = 5
"""The most files that a search for the user's message may add."""


def rule(cap: int) -> str:
    """A sentence on how Ethos cuts."""
    if cap <= 0:
        return "Ethos keeps all of it, and says that it is cut: its settings give it no room."
    return f"Of more than {cap:,} characters Ethos keeps the last; USER.md stands before MEMORY.md."


NOTHING: Final = "Ethos puts MEMORY.md and USER.md of a personality there, and neither says anything."
TRUNCATED: Final = "[...truncated]\n\n"
GUARDED: Final = "[line removed by injection guard]"

_S: Final = f"{js.SPACES}+"
_O: Final = f"{js.SPACES}*"
_WORD: Final = "[A-Za-z0-9]"
_GUARD: Final = re.compile(
    "|".join(
        (
            f"ignore{_S}(?:all{_S})?(?:previous|prior|above){_S}instructions",
            f"disregard{_S}(?:your|all|any|the){_S}(?:previous|prior|above|system|original){_S}",
            f"you{_S}are{_S}now{_S}(?:a|an|the){_S}",
            f"forget{_S}(?:everything|all){_S}(?:you|above|prior)",
            f"override{_S}(?:your|all|the){_S}(?:instructions|rules|constraints|guidelines)",
            f"new{_S}(?:system{_S})?prompt{_O}:",
            r"\[system\]",
            f"<{_O}system{_O}>",
        )
    ),
    re.IGNORECASE | re.ASCII,
)
_SECRETS: Final = tuple(
    (re.compile(pattern), f"[REDACTED:{name}]")
    for pattern, name in (
        (f"ghp_{_WORD}{{36}}|github_pat_[A-Za-z0-9_]{{82}}", "github-pat"),
        ("sk-ant-[A-Za-z0-9_-]{93,}", "anthropic-key"),
        ("sk-(?:proj-)?[A-Za-z0-9_-]{40,}", "openai-key"),
        ("AKIA[A-Z0-9]{16}", "aws-key"),
        (f"xox[bpoa]-[0-9]{{10,}}-[0-9]{{10,}}-{_WORD}{{24,}}|xapp-[0-9]+-{_WORD}+-{_WORD}+", "slack-token"),
        (f"sk_live_{_WORD}{{24,}}", "stripe-key"),
        (f"gsk_{_WORD}{{20,}}", "groq-key"),
    )
)
_GENERIC: Final = re.compile(
    rf"(^|[{js.SPACE},{{;(])(?:key|token|password|secret)=['\"]?[A-Za-z0-9+/=_-]{{20,}}['\"]?", re.IGNORECASE | re.ASCII
)
_HEADINGS: Final = {USER: "About You", MEMORY: "Memory"}
_BLANK_LINES: Final = re.compile(f"\n{_O}\n")


class Found(NamedTuple):
    """A file that may go into a prompt."""

    key: str
    text: str
    path: str = ""


def is_blank(text: str | None) -> bool:
    """Whether a text is blank by JavaScript's rules."""
    return not js.trim(text or "")


def guarded(text: str) -> str:
    """`text` with lines that look like orders to the model replaced by Ethos' sentence; ordinary lines may match too."""
    return "\n".join(GUARDED if _GUARD.search(line) else line for line in raw_lines(text))


def redacted(text: str) -> str:
    """`text` with everything that looks like a key or a password replaced by the name of its kind."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return _GENERIC.sub(r"\1[REDACTED:generic-secret]", text)


def summary(text: str) -> str | None:
    """The first non-blank block between blank lines; None if there is none."""
    return next((js.trim(block) for block in _BLANK_LINES.split(text) if js.trim(block)), None)


def matches(text: str, query: str) -> bool:
    """Whether a file contains the whole query, ignoring case; a blank query never matches."""
    wanted = js.trim(query).lower()
    return bool(wanted) and wanted in text.lower()


def search(files: Iterable[tuple[str, str]], query: str, *, limit: int | None = None, mode: str = "") -> list[str]:
    """The keys of the files that contain the query, in order; the semantic mode finds nothing in plain files."""
    if mode == "semantic" or not js.trim(query):
        return []
    return [key for key, text in files if matches(text, query)][:limit]


def prompt(files: Sequence[Found], *, cap: int = CAP, index_mode: bool = False) -> AgentPrompt:
    """The prompt section for these non-blank files; in index mode (for small context windows) only their names.

    Order: `USER.md`, `MEMORY.md`, then the others as given. Lines removed by the guard or cut by the cap are in `lost`, including a
    partly cut line.
    """
    if not files:
        return AgentPrompt(None, cap=cap, unit="characters", rule=NOTHING)
    order = sorted(files, key=lambda each: (each.key != USER, each.key != MEMORY))
    if index_mode:
        names = "".join(f"\n- {_heading(each.key)} (`{each.key}`)" for each in order)
        text = f"## Memory\n\n{{INDEX_SENTENCE}}{names}"
        return AgentPrompt(text, used=js.units(text), cap=cap, unit="characters", runs=(Shown(text, end=""),))
    shown = [redacted(js.trim(guarded(each.text))) for each in order]
    sections = tuple(
        PromptSection(_heading(each.key), each.path or each.key, text) for each, text in zip(order, shown, strict=True)
    )
    whole = "## Memory\n\n" + "\n\n".join(f"## {each.title}\n\n{each.text}" for each in sections)
    used = js.units(whole)
    cut = max(used - cap, 0)
    text = (TRUNCATED + (whole if cap <= 0 else js.last_units(whole, cap))) if cut else whole
    runs, gone = _cut(_runs(order, sections), cut if cap > 0 else 0)
    runs = [Shown(TRUNCATED, end=""), *runs] if cut else runs
    lost = (*_rewritten_lines(order), *gone)
    return AgentPrompt(text, sections, lost, used, cap, "characters", runs=tuple(runs), rule=rule(cap))


def _heading(key: str) -> str:
    return _HEADINGS.get(key, key)


def _rewritten_lines(files: Sequence[Found]) -> Iterable[LostLine]:
    """The lines removed by the guard, and those with redacted secrets."""
    for each in files:
        path, text = each.path or each.key, guarded(each.text)
        first = js.first_line(text)
        shown = dict(enumerate(raw_lines(redacted(js.trim(text))), first))
        trimmed = dict(enumerate(raw_lines(js.trim(text)), first))
        for number, line in enumerate(raw_lines(each.text), 1):
            if _GUARD.search(line):
                yield LostLine(path, number, "Ethos' injection guard takes it out")
            elif number in shown and shown[number] != trimmed[number]:
                yield LostLine(path, number, "Ethos takes out what looks like a secret", cut=True)


def _runs(files: Sequence[Found], sections: Sequence[PromptSection]) -> list[Shown]:
    """The whole section line by line."""
    runs = [Shown("## Memory"), Shown("")]
    for each, section in zip(files, sections, strict=True):
        runs += [Shown(f"## {section.title}"), Shown("")]
        first = js.first_line(guarded(each.text)) - 1
        runs += [Shown(line, section.path, number) for number, line in enumerate(raw_lines(section.text), first)]
        runs.append(Shown(""))
    last = runs[-2]._replace(end="")
    return [*runs[:-2], last]


def _cut(runs: Sequence[Shown], cut: int) -> tuple[list[Shown], list[LostLine]]:
    """(the runs after the first `cut` UTF-16 units, the lines that begin before)."""
    out: list[Shown] = []
    lost: list[LostLine] = []
    at = 0
    for run in runs:
        end = at + js.units(run.text)
        if run.path and at < cut:
            reason = "it is before the last characters that fit"
            lost.append(LostLine(run.path, run.line + 1, reason, cut=end > cut, for_size=True))
        if out or at >= cut:
            out.append(run)
        elif end > cut:
            out.append(run._replace(text=js.last_units(run.text, end - cut)))
        elif end == cut:
            out.append(Shown("", end=run.end))
        at = end + len(run.end)
    return out, lost
