"""What the doctor finds by the rules of one agent: what its layout says, and the lines that its prompt leaves out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from zsmem_tui.core.checks.fault import Check, Fault, Level, Repair
from zsmem_tui.core.context import LeftOut
from zsmem_tui.core.errors import BadName, StoreError
from zsmem_tui.core.finding import Rule
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk.tree import DiskTree


def by_layout(session: Session, group: str, refs: Collection[MemRef], day: str) -> list[Fault]:
    """The faults of a group's files (empty: of those of no group) by the rules of their agent, and by what its prompt leaves out.

    A file that cannot be read now has none: that is said where it is read.
    """
    tree = DiskTree(session.root)
    try:
        found = list(session.layout.checks.faults(tree, group))
    except StoreError:
        found = []
    judged = {fault.path for fault in found if fault.kind == Rule.PASSED_OVER}
    roles = {ref.path: ref.role for ref in refs if ref.path not in judged}
    paths = {path for path, role in roles.items() if role is not Role.LOG}
    return [*found, *lost_lines(_left_out(session, group, day), paths, lambda path: _shortened(session, tree, path))]


def _shortened(session: Session, tree: DiskTree, path: str) -> Repair:
    """How a file is made to fit into the prompt."""
    try:
        return session.layout.checks.shortened(tree, path) or Repair("move-tail")
    except StoreError:
        return Repair("move-tail")


def lost_lines(left_out: Iterable[LeftOut], paths: Collection[str], shortened: Callable[[str], Repair]) -> Iterator[Fault]:
    """The lines of these files that do not reach the agent, one fault for each file and reason.

    `shortened` says of a file that is too long how it is made to fit.

    Logs are left out by their age as a matter of course: nobody is told of them.
    """
    by_reason: dict[tuple[str, str, bool], list[LeftOut]] = {}
    for each in left_out:
        if each.path in paths:
            by_reason.setdefault((each.path, each.reason, each.for_size), []).append(each)
    for (path, reason, for_size), own in by_reason.items():
        check = Check.OVER_BUDGET if for_size else Check.UNSEEN
        repair = shortened(path) if for_size else None
        line, kind = own[0].line + 1, Rule.LOST_LINES.value
        yield Fault(check, Level.WARNING, path, line, kind=kind, text=reason, size=len(own), quoted=reason, repair=repair)


def _left_out(session: Session, group: str, day: str) -> tuple[LeftOut, ...]:
    """The lines that the prompt of a group leaves out; none where its kind makes one that is a plain cut of its files."""
    if session.layout.projects_folder and not group:
        return ()
    try:
        composed = session.mem(group or EVERYBODY, day=day).block().composed
    except (BadName, StoreError):
        return ()
    return composed.left_out if composed is not None else ()
