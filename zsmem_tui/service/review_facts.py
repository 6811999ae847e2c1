"""The facts behind changes by others, and the selections to mark as reviewed when acting on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.facts import facts
from zsmem_tui.core.merge import split
from zsmem_tui.service import review_lines
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.news import Row
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.reviewing import has_words
from zsmem_tui.service.session import Session
from zsmem_tui.store.history import review_baseline


def has_facts(row: Row) -> bool:
    """Whether a row is text of an existing file."""
    return row.pick is not None and not row.is_gone and not row.pick.change.note and row.pick.change.now is not None


def facts_of(session: Session, picks: Sequence[Pick]) -> list[FactRow]:
    """The facts that begin in these lines or files. Raises `BadTarget` if a file has changed."""
    found: list[FactRow] = []
    for pick in picks:
        change = pick.change
        if change.now is None or change.note:
            continue
        numbers = {line.change.added for line in review_lines.picked(pick)}
        own = [each for each in FactReader(session).read(Scope.FILE, change.ref).rows if each.fact.line in numbers]
        shown = {fact.line: fact.says for fact in facts(change.now.decode("utf-8", "replace"))}
        if not all(each.fact.says == shown.get(each.fact.line) for each in own):
            raise BadTarget(f"{change.ref.path} changed just now. Nothing was done.", "Look again.")
        found += own
    return found


def by_hand(plan: Plan, rows: Sequence[FactRow]) -> Plan:
    """The plan of what a person does with a single fact, which they have thereby seen; of many they may not have read each."""
    if len(rows) != 1 or plan.relation:
        return plan
    return replace(plan, relation=review_baseline.showing(split(rows[0].fact.text.encode())))


def picks(rows: Iterable[Row]) -> list[Pick]:
    """The selections of rows of one store, combined per file."""
    return review_lines.together(row.pick for row in rows if row.pick is not None)


def picks_of(rows: Sequence[FactRow], every: Sequence[Pick]) -> list[Pick]:
    """Of these selections, the lines of these facts, and blank ones."""
    found = []
    for each in every:
        own = {line for row in rows if row.ref == each.change.ref for line in range(row.fact.line, row.fact.stop)}
        lines = review_lines.picked(each) if own else []
        is_own = (line.change.added in own or not has_words((line.key.added or b"") + (line.key.removed or b"")) for line in lines)
        found.append(Pick(each.change, frozenset(line.number for line, its in zip(lines, is_own, strict=True) if its)))
    return [each for each in found if each.numbers]
