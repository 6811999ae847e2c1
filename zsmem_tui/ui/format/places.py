"""Places in sentences, as the tree calls them: checks know a file by its path, people by its project and its name."""

from __future__ import annotations

from dataclasses import replace

from zsmem_tui.core.checks.finding import Finding, Fix
from zsmem_tui.core.finding import Finding as Notice
from zsmem_tui.service.session import Session
from zsmem_tui.ui.format.common import title_of


def place_name(path: str, session: Session) -> str:
    """What the tree calls a file of the store that lies below a folder of it; any other path as it is."""
    inside = path.removeprefix(f"{session.root}/")
    if "/" not in inside or inside.startswith(("/", "~")):
        return inside
    ref = session.ref_at(inside)
    return title_of(ref, session) if ref.project else inside


def named_finding(finding: Notice, session: Session) -> Notice:
    """A finding whose sentence names its file so."""
    return replace(finding, place=place_name(finding.place, session))


def named_fault(fault: Finding, session: Session) -> Finding:
    """What the doctor found, for its words only: the files in them are named so. It has another id than the finding itself."""
    related = tuple(each._replace(path=place_name(each.path, session)) for each in fault.related)
    fix = None if fault.fix is None else _named_fix(fault.fix, session)
    return replace(fault, path=place_name(fault.path, session), related=related, fix=fix)


def _named_fix(fix: Fix, session: Session) -> Fix:
    if "{file}" in fix.says:
        fix = fix._replace(name=", ".join(place_name(each, session) for each in fix.name.split(", ")))
    return fix._replace(fits=session.group_name(fix.fits) if fix.fits else "")
