"""Findings without those that the person ignores, for whoever shows them once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored


class Sorted(NamedTuple):
    """Findings to decide, and ignored ones. `problem` says why it is not known what is ignored; everything is to decide then."""

    to_decide: tuple[Finding, ...]
    ignored: tuple[Finding, ...] = ()
    problem: str = ""


def by_ignored(session: Session, faults: Sequence[Finding]) -> Sorted:
    """The findings of a store, told apart by what was ignored on its screen."""
    known = ignored.read(session.root)
    left = tuple(fault for fault in faults if fault.id not in known.ids)
    return Sorted(left, tuple(fault for fault in faults if fault.id in known.ids), known.problem)
