"""Places in sentences, as the tree calls them: checks know a file by its path, people by its project and its name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.fault import Fault, Repair
from zsmem_tui.core.finding import Finding
from zsmem_tui.service.session import Session
from zsmem_tui.ui.format.common import title_of

_PLACED: Final = ("delete", "move-tail")
"""Kinds of fixes whose words name a file by its path."""


def place_name(path: str, session: Session) -> str:
    """What the tree calls a file of the store that lies below a folder of it; any other path as it is."""
    inside = path.removeprefix(f"{session.root}/")
    if "/" not in inside or inside.startswith(("/", "~")):
        return inside
    ref = session.ref_at(inside)
    return title_of(ref, session) if ref.project else inside


def named_finding(finding: Finding, session: Session) -> Finding:
    """A finding whose sentence names its file so."""
    return replace(finding, place=place_name(finding.place, session))


def named_fault(fault: Fault, session: Session) -> Fault:
    """What the doctor found, for its words only: the files in them are named so. It has another id than the fault itself."""
    related = tuple(each._replace(path=place_name(each.path, session)) for each in fault.related)
    repair = None if fault.repair is None else _named_repair(fault.repair, session)
    return replace(fault, path=place_name(fault.path, session), related=related, repair=repair)


def _named_repair(repair: Repair, session: Session) -> Repair:
    if repair.kind not in _PLACED:
        return repair
    name = ", ".join(place_name(each, session) for each in repair.name.split(", "))
    return repair._replace(name=name, fits=session.group_name(repair.fits) if repair.fits else "")
