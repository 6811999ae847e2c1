"""What of a store goes out: the facts that all share, and the tasks, notes and logs of one project, each without its dress."""

from __future__ import annotations

import os

from zsmem_tui.agents.outgoing import Held, Ours
from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.export_targets import folder_of
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree


def ours_of(session: Session) -> tuple[Ours, list[str]]:
    """What goes out of the session's store, and what cannot, as sentences."""
    left: list[str] = []
    catalog = scan.scan(session.root, session.layout)
    project = catalog.project(session.project)
    entries: tuple[FileEntry, ...] = tuple(project.files) if project else ()
    if session.project == EVERYBODY and not session.layout.home_of(EVERYBODY):
        entries = tuple(catalog.shared)
    mains = [session.layout.ref(role, session.project) for role in (Role.FACTS, Role.CHECKLIST)]
    facts, tasks = (_held(session, ref, left) if ref is not None else None for ref in mains)
    found: dict[Role, dict[str, MemRef]] = {role: {} for role in (Role.NOTE, Role.LOG)}
    for entry in entries:
        if entry.ref.role in found:
            found[entry.ref.role][entry.ref.name] = entry.ref
    carried = {ref.path for ref in mains if ref} | {ref.path for own in found.values() for ref in own.values()}
    left += [
        f"{printable_path(each.ref.path)} was not exported: the format has no place of its own for it."
        for each in dict.fromkeys((*catalog.shared, *entries))
        if each.ref.role is not None and each.ref.path not in carried
    ]
    notes, logs = (
        tuple(held for _, ref in sorted(found[role].items()) if (held := _held(session, ref, left)) is not None)
        for role in (Role.NOTE, Role.LOG)
    )
    return Ours(session.project, folder_of(session), facts, tasks, notes, logs), left


def _held(session: Session, ref: MemRef, left: list[str]) -> Held | None:
    """A file as it goes out; None for one that is empty, not there, or cannot be read."""
    place = session.path(ref)
    try:
        files.read_text(place)  # with its own words for what is no text
        raw, _ = files.read(place)
    except StoreError as error:
        if os.path.lexists(place):
            left.append(error.message)
        return None
    bare = session.layout.dress.unwrapped(ref.path, raw)
    entry = DiskTree(session.root).entry(ref.path)
    text = bare.body.decode("utf-8", "surrogateescape")
    return Held(ref.path, ref.name, text, entry.modified_ns if entry else 0, bare.about) if raw else None
