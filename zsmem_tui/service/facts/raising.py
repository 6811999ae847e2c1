"""Bringing facts into the prompt: the least change of their files after which it has them, or why there is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from zsmem_tui.core import block_edits
from zsmem_tui.core.block_edits import Edge
from zsmem_tui.core.checks.finding import without_secrets
from zsmem_tui.core.errors import BadTarget, MemError
from zsmem_tui.core.fact_prompt import lacks_room
from zsmem_tui.core.facts import Fact, Kind, facts
from zsmem_tui.core.layout import has_main_file, main_file
from zsmem_tui.core.list_edits import line_start
from zsmem_tui.core.text import clipped, grouped, printable_path
from zsmem_tui.service import fit, previewing
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactRow, names_of
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

_NOTHING: Final = "Nothing was moved."
_QUOTED: Final = 60
"""The most characters of a heading in a sentence."""

_OTHER_BULLETS: Final = ("*", "+", "\u2022")


def into_prompt(session: Session, rows: Sequence[FactRow]) -> Plan:
    """What `to_top` plans, or if that is not enough, moves of other facts that make room, which are then `read` of the plan.

    Raises `BadTarget` if neither brings all of them in, with the reason and the keys that help.
    """
    try:
        return to_top(session, rows)
    except BadTarget:
        projects = {row.ref.project or session.project for row in rows}
        if not session.layout.has_profiles or len(projects) > 1 or any(row.is_out for row in rows):
            raise
        proposal = fit.propose(session, previewing.subject(session, projects.pop()), keep=rows)
        plan = replace(fit.plan(session, proposal, proposal.fit.moves), read=proposal)
        if not proposal.fit.moves or _missing(session, rows, plan):
            raise
        return plan


def to_top(session: Session, rows: Sequence[FactRow]) -> Plan:
    """Move facts to where the prompt has them: the top of their sections, if it is loaded, else of their files.

    If no prompt has lines of theirs, it is the top of the main file. Where the agent loads items alone, a line becomes one, and
    where it loads the last lines, they go to the end. Raises `BadTarget`, with the keys that help, if none of this brings them in.
    """
    out = [row for row in rows if row.is_out]
    if out and len(out) < len(rows):
        raise BadTarget(f"No prompt takes in {names_of(out)}: press + there alone. {_NOTHING}")
    if out:
        return to_main(session, rows)
    before, tried = _missing(session, rows), list[tuple[int, Plan]]()
    where = printable_path(rows[0].ref.path) if len({row.ref for row in rows}) == 1 else "their files"
    for verb, change in _WAYS:
        plan = acts.in_place(session, rows, verb, "moved", partial(change, session))
        plan = replace(plan, done=plan.done.removesuffix(".") + _now_at(rows, plan)) if change is _raised else plan
        missing = _missing(session, rows, plan)
        if not missing:
            state = (
                "are loaded already, at the top of their sections" if rows[1:] else "is loaded already, at the top of its section"
            )
            there = f"{names_of(rows)} {state} in {where}. {_NOTHING}"
            return plan if before else replace(plan, unchanged=there)
        tried.append((missing, plan))
    missing, plan = min(tried, key=lambda each: each[0])
    if missing < before:
        return plan
    name, why = names_of(rows), next((row.reason for row in rows if row.reason), "")
    said = f"{name} would be lost at any place of {where}: {why or 'the prompt has no room for it there'}"
    raise BadTarget(f"{said}. m takes it to another file or agent, e changes it. {_NOTHING}")


def to_main(session: Session, rows: Sequence[FactRow]) -> Plan:
    """The plan that moves facts to the top of the main file. Raises `BadTarget` if they would not be loaded there."""
    homes = {row.ref.project or session.project for row in rows}
    if not all(has_main_file(session.layout, home) for home in homes):
        title = session.layout.title
        raise BadTarget(f"{title} has no file that is in every prompt: m takes it to another file or agent. {_NOTHING}")
    plan, goal = acts.promote(session, rows, Edge.TOP), main_file(session.layout, homes.pop())
    if goal.path not in {edit.ref.path for edit in plan.changes}:
        raise BadTarget(f"{names_of(rows)} stands in {printable_path(goal.path)} already: d takes it out here. {_NOTHING}")
    if _missing(session, [row._replace(ref=goal) for row in rows], plan):
        name = printable_path(goal.path)
        raise BadTarget(
            f"{name} has no room for {names_of(rows)}, not even at its top: e shortens it, m takes it elsewhere. {_NOTHING}"
        )
    return plan


def _missing(session: Session, rows: Sequence[FactRow], plan: Plan | None = None) -> int:
    """How many facts with the words of these the prompt would not have whole after a plan, or has not now."""
    then = {edit.ref.path: (edit.after or b"").decode("utf-8", "replace") for edit in plan.changes} if plan is not None else {}
    count = 0
    for ref, own in grouped((row.ref, row.fact.says) for row in rows).items():
        text = then[ref.path] if ref.path in then else files.text_or_none(os.path.join(session.root, ref.path)) or ""
        seen = previewing.in_block(session, previewing.subject(session, ref.project), unsaved=then).get(ref.path)
        found = [fact for fact in facts(text) if fact.says in own]
        count += sum(seen is None or lacks_room(fact, seen) for fact in found) if found else len(own)
    return count


def _now_at(rows: Sequence[FactRow], plan: Plan) -> str:
    """Where the first of facts of one file stands after a plan, as the end of a sentence: its line, and the heading above.

    Nothing where others of that file say the same.
    """
    words = {row.fact.says for row in rows}
    texts = [(edit.after or b"").decode("utf-8", "replace") for edit in plan.changes]
    alike = [fact for fact in facts(texts[0]) if fact.says in words] if len(texts) == 1 else []
    if not alike or len(alike) > len(rows):
        return "."
    return f", to line {alike[0].line + 1:,}{_below(alike[0], ', ')}."


def _below(fact: Fact, comma: str = " · ") -> str:
    return f"{comma}below “{clipped(without_secrets(fact.headings[-1]), _QUOTED)}”" if fact.headings else ""


def below(session: Session, rows: Sequence[FactRow], *, in_main: bool) -> str:
    """Under which heading `to_main` or `into_prompt` brings the first fact, as the end of a name; empty for none or no such way."""
    try:
        plan = (to_main if in_main else into_prompt)(session, rows)
    except MemError:
        return ""
    edits = sorted(plan.changes, key=lambda edit: edit.ref == rows[0].ref)  # the file that they leave is the last
    words = {row.fact.says for row in rows}
    there = (fact for edit in edits for fact in facts((edit.after or b"").decode("utf-8", "replace")) if fact.says in words)
    return next(map(_below, there), "")


def _raised(session: Session, text: str, found: list[Fact], path: str) -> str:
    """The text with facts at the top of their sections, or of the nearest above where they are not yet and all are loaded."""
    words, most = {fact.says for fact in found}, max(len(fact.headings) for fact in found)
    tries = (block_edits.raised(text, found, up) for up in range(most))
    return next(
        (new for new in tries if new != text and not acts.without_room(session, session.ref_at(path), new, words)),
        block_edits.raised(text, found, most),
    )


def _as_items(session: Session, text: str, found: list[Fact], path: str) -> str:
    """The text with facts of one line as items, which begin with a hyphen."""
    for fact in sorted(found, key=lambda fact: -fact.line):
        line = fact.text.strip()
        start = line_start(line)
        if "\n" not in line and not start.quote and (fact.kind is Kind.PARAGRAPH or start.bullet in _OTHER_BULLETS):
            text = block_edits.replaced(text, fact, f"- {line[start.length - len(start.box) :]}")
    return text


def _at_end(session: Session, text: str, found: list[Fact], path: str) -> str:
    """The text with facts at its end, as items."""
    text = _as_items(session, text, found, path)
    own = acts.located(text, found, path, _NOTHING)
    return block_edits.inserted(block_edits.without(text, own), block_edits.blocks(own), Edge.END)


_WAYS: Final[Sequence[tuple[str, Callable[[Session, str, list[Fact], str], str]]]] = (
    ("Moved up", _raised),
    ("Made an item of", _as_items),
    ("Moved to the end", _at_end),
)
"""What may bring facts into the prompt, the least change of meaning first, with the words for it."""
