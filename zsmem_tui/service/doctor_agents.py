"""What the doctor finds by the rules of one agent: what its layout says, and the lines that its prompt leaves out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from zsmem_tui.core.checks.finding import Finding, Fix
from zsmem_tui.core.checks.whole import OVER_BUDGET, PASSED_OVER, TOO_MUCH, UNSEEN
from zsmem_tui.core.context import LeftOut
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.fact_prompt import lost_facts
from zsmem_tui.core.preview import InBlock, Loss
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.reader import StoreReader


def by_layout(session: Session, group: str, refs: Collection[MemRef], left_out: Iterable[LeftOut]) -> list[Finding]:
    """The faults of a group's files (empty: of those of no group) by the rules of their agent, and by what its prompt leaves out.

    A file that cannot be read now has none: that is said where it is read.
    """
    tree = DiskTree(session.root)
    try:
        found = list(session.layout.checks.faults(tree, group))
    except StoreError:
        found = []
    judged = {fault.path for fault in found if fault.kind == PASSED_OVER}
    roles = {ref.path: ref.role for ref in refs if ref.path not in judged}
    paths = {path for path, role in roles.items() if role is not Role.LOG}
    return [*found, *lost_lines(left_out, paths, lambda path: _shortened(session, tree, path), StoreReader(session.root).text)]


def _shortened(session: Session, tree: DiskTree, path: str) -> Fix:
    """How a file is made to fit into the prompt."""
    try:
        return session.layout.checks.shortened(tree, path) or TOO_MUCH
    except StoreError:
        return TOO_MUCH


def lost_lines(
    left_out: Iterable[LeftOut], paths: Collection[str], shortened: Callable[[str], Fix], text: Callable[[str], str | None]
) -> Iterator[Finding]:
    """What of these files does not reach the agent, one fault for each file and reason, in facts, and in lines beside them.

    `shortened` says of a file that is too long how it is made to fit, `text` what stands in it. Logs are left out by their age as a
    matter of course: nobody is told of them.
    """
    by_reason: dict[tuple[str, str, bool], list[LeftOut]] = {}
    for each in left_out:
        if each.path in paths:
            by_reason.setdefault((each.path, each.reason, each.for_size), []).append(each)
    for (path, reason, for_size), own in by_reason.items():
        line = own[0].line + 1
        gone = frozenset(each.line for each in own)
        known = text(path) or ""
        facts = lost_facts(known, InBlock("", frozenset(range(len(known))) - gone, frozenset(), gone))
        lost = str(Loss(facts, len(gone))).replace(" lost", "") + (" is" if (facts or len(gone)) == 1 else " are")
        yield Finding(
            OVER_BUDGET if for_size else UNSEEN,
            path,
            line,
            says=f"{lost} not whole in the prompt: {{text}}. The first is {{file}} line {line}.",
            kind="lost-lines",
            text=reason,
            size=len(own),
            quoted=reason,
            fix=shortened(path) if for_size else None,
        )
