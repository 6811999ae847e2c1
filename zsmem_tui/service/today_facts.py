"""The facts behind rows of Today, and the selections to mark as reviewed when acting on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.facts import facts
from zsmem_tui.service import review_lines
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.news import Kind, Row
from zsmem_tui.service.review_lines import Pick


def has_facts(row: Row) -> bool:
    """Whether a row is text of an existing file."""
    return row.pick is not None and not row.is_gone and not row.pick.change.note and row.pick.change.now is not None


def facts_of(rows: Sequence[Row]) -> list[FactRow]:
    """The facts that begin in the lines or files of these rows. Raises `BadTarget` if a file has changed."""
    found: list[FactRow] = []
    for row in rows:
        if row.pick is None or row.ref is None:
            continue
        change = row.pick.change
        meant = row.pick.numbers
        numbers = {line.change.added for line in review_lines.lines(change) if meant is None or line.number in meant}
        own = [each for each in FactReader(row.session).read(Scope.FILE, row.ref).rows if each.fact.line in numbers]
        shown = {fact.line: fact.says for fact in facts((change.now or b"").decode("utf-8", "replace"))}
        if not all(each.fact.says == shown.get(each.fact.line) for each in own):
            raise BadTarget(f"{row.ref.path} changed just now. Nothing was done.", "Look again.")
        found += own
    return found


def words(row: FactRow) -> str:
    """The words of a fact with credentials masked."""
    return masked(row.fact.says, secrets_in(row.fact.says))


def picks(rows: Iterable[Row]) -> list[Pick]:
    """The selections of rows of one store, combined per file."""
    found: dict[str, Pick] = {}
    for row in rows:
        pick = row.pick
        if pick is None:
            continue
        before = found.get(pick.change.ref.path)
        if before is not None and before.numbers is not None and pick.numbers is not None:
            pick = Pick(pick.change, before.numbers | pick.numbers)
        found[pick.change.ref.path] = pick
    return list(found.values())


def picks_of(row: FactRow, every: Sequence[Pick]) -> list[Pick]:
    """These selections restricted to the lines of one fact."""
    own = range(row.fact.line, row.fact.stop)
    found = []
    for each in every:
        numbers = frozenset(line.number for line in review_lines.lines(each.change) if line.change.added in own)
        if each.change.ref == row.ref:
            found.append(Pick(each.change, numbers))
    return found


def hidden(rows: Sequence[Row]) -> Row | None:
    """The row about unconnected agents among these; None if there are rows to review."""
    is_judged = any(row.pick is not None for row in rows)
    return next((row for row in rows if row.kind is Kind.AGENTS and not is_judged), None)
