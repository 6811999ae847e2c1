"""Where facts can be moved or copied to: files, headings in them, other projects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zsmem_tui.core.errors import BadTarget, StoreError
from zsmem_tui.core.layout import Folder, find_ref, in_project, place_of
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactRow, headings
from zsmem_tui.service.fit import note_name
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import every_project
from zsmem_tui.store import scan

_FIRST: Final = (Role.FACTS, Role.CHECKLIST, Role.LOG)
"""What is offered also where there is no such file yet, and in this order."""


def targets(session: Session, rows: Sequence[FactRow], project: str) -> list[Target]:
    """Headings of the facts' own file, then the files of a project and those that all share, then those of other projects.

    Long-term memory and the checklist come with their headings. Of other projects, the files that match the facts' own come first.
    """
    own = rows[0].ref if len({row.ref.path for row in rows}) == 1 else None
    found = [*_below(session, own)] if own is not None else []
    mem = session.mem(project)
    main = [ref for target in _FIRST if (ref := session.layout.ref(target, project, _day(mem.today, target))) is not None]
    here = _files(session, (*session.layout.global_folders(), *session.layout.project_folders(project)))
    for ref in dict.fromkeys([*main, *here]):
        found.append(Target(ref))
        if ref.role in (Role.FACTS, Role.CHECKLIST) and ref != own:
            found += _below(session, ref)
    others = [slug for slug in every_project(session) if slug != project]
    matching = [ref for slug in others if (ref := _there(session, rows[0], slug))]
    theirs = _files(session, [folder for slug in others for folder in session.layout.project_folders(slug)])
    return found + [Target(ref) for ref in dict.fromkeys([*matching, *theirs])]


def _files(session: Session, folders: Iterable[Folder]) -> list[MemRef]:
    return [entry.ref for folder in folders for entry in scan.entries(session.root, folder)]


def new_note(session: Session, project: str, name: str) -> Target:
    """A note of a project, which is made when there is none. Raises `BadName`, or `BadTarget` where there are no notes."""
    return Target(place_of(session.layout, Role.NOTE, project, note_stem(name)))


def proposed_note(row: FactRow) -> str:
    """A name for the note that a fact goes to: that of the heading above it."""
    return note_name(row.fact.headings[-1] if row.fact.headings else "")


def _day(today: str, target: Role) -> str:
    return today if target is Role.LOG else ""


def _below(session: Session, ref: MemRef) -> list[Target]:
    try:
        return [Target(ref, path) for path in headings(session, ref)]
    except StoreError:
        return []


def _there(session: Session, row: FactRow, project: str) -> MemRef | None:
    """The file of another project that matches a fact's own; for one that all share, a note."""
    layout = session.layout
    if row.ref.project:
        return find_ref(layout, in_project(layout, row.ref.path, project))
    try:
        return place_of(layout, Role.NOTE, project, proposed_note(row))
    except BadTarget:
        return None
