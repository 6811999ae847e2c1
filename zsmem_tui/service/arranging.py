"""Making, renaming, copying, moving and deleting memory files. Nothing is ever written over."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.daily import entry
from zsmem_tui.core.errors import BadName, BadTarget, Missing, WriteFailed
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.names import note_stem, project_name
from zsmem_tui.core.refs import MemRef, WriteTarget
from zsmem_tui.core.report import WriteReport
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import files, trash, writing


class Arranged(NamedTuple):
    """What was done: the file it is about now, and a sentence."""

    ref: MemRef
    message: str


def new_note(session: Session, name: str, project: str | None = None, content: str = "") -> Arranged:
    """Make a note. Raises `BadName`, also when there is one of that name (in either case), or `WriteFailed`."""
    stem = note_stem(name)
    ref = session.layout.ref(WriteTarget.NOTE, project or session.project, stem)
    _refuse_if_taken(session, ref)
    _create(session, ref, (content or f"# {stem}\n").encode())
    return Arranged(ref, f"Made note {printable_path(stem)}.")


def new_scratchpad(session: Session, project: str | None = None) -> Arranged:
    """Make an empty checklist where there is none. Raises `BadName` or `WriteFailed`."""
    ref = session.layout.ref(WriteTarget.SCRATCHPAD, project or session.project)
    _refuse_if_taken(session, ref)
    _create(session, ref, b"- [ ] \n")
    return Arranged(ref, "Made a scratchpad.")


def log_entry(session: Session, heading: str, body: str = "", project: str | None = None) -> WriteReport:
    """Add a timestamped entry to today's log. Raises what `Mem.write` raises."""
    now = session.clock()
    return session.mem(project, dry_run=session.dry_run).write(WriteTarget.DAILY, entry(heading, body, now))


def rename(session: Session, ref: MemRef, name: str) -> Arranged:
    """Give a note another name. Raises `BadTarget` for other files, `BadName`, `Missing` or `WriteFailed`."""
    _only_notes(ref, "renamed")
    new = session.layout.ref(WriteTarget.NOTE, ref.project, note_stem(name))
    if new == ref:
        return Arranged(ref, "It is called that already.")
    _move(session, ref, new)
    return Arranged(new, f"Renamed {printable_path(ref.name)} to {printable_path(new.name)}.")


def duplicate(session: Session, ref: MemRef, name: str) -> Arranged:
    """Copy a file to a note of another name. Raises `BadName`, `Missing`, `Unreadable` or `WriteFailed`."""
    new = session.layout.ref(WriteTarget.NOTE, ref.project or session.project, note_stem(name))
    _refuse_if_taken(session, new)
    _create(session, new, files.read(session.path(ref))[0])
    return Arranged(new, f"Copied to note {printable_path(new.name)}.")


def move(session: Session, ref: MemRef, project: str) -> Arranged:
    """Move a note or a log to another project. Raises `BadTarget`, `BadName`, `Missing` or `WriteFailed`."""
    if ref.target not in (WriteTarget.NOTE, WriteTarget.DAILY) or ref.target is None:
        raise BadTarget("Only notes and daily logs can be moved to another project. Nothing was moved.")
    new = session.layout.ref(ref.target, project_name(project), ref.name)
    if new == ref:
        return Arranged(ref, "It is there already.")
    _move(session, ref, new)
    return Arranged(new, f"Moved {printable_path(ref.name)} to {printable_path(project)}.")


def delete(session: Session, ref: MemRef) -> Arranged:
    """Delete a file; it is kept in the trash first. Raises `Missing` or `WriteFailed`."""
    writing.remove(session.root, ref.path, keep=True, dry_run=session.dry_run)
    return Arranged(ref, f"Deleted {printable_path(ref.path)}. It is in the trash.")


def deleted(session: Session) -> list[trash.Kept]:
    """What is in the trash, the latest first."""
    return trash.listing(session.root)


def restore(session: Session, id: str | None = None) -> Arranged:
    """Bring a deleted file back (default: the latest). Raises `Missing`, `BadName` when its place is taken, or `WriteFailed`."""
    found = next((kept for kept in trash.listing(session.root) if id in (None, kept.id) and (id or kept.reason == "deleted")), None)
    if found is None:
        raise Missing(session.root, "There is nothing in the trash to bring back.")
    ref = find_ref(session.layout, found.path) or MemRef(found.path)
    _refuse_if_taken(session, ref)
    _create(session, ref, trash.content(session.root, found.id))
    if not session.dry_run:
        trash.drop(session.root, found.id)
    return Arranged(ref, f"Brought back {printable_path(found.path)}.")


def _only_notes(ref: MemRef, what: str) -> None:
    if ref.target is not WriteTarget.NOTE:
        raise BadTarget(f"Only notes can be {what}: the agent finds the other files by their names. Nothing was changed.")


def _refuse_if_taken(session: Session, ref: MemRef) -> None:
    """Raise when there is a file of that name, or one that some systems take for the same."""
    folder = session.path(ref).rpartition("/")[0]
    wanted = ref.path.rpartition("/")[2]
    for name in files.list_names(folder):
        if name.casefold() == wanted.casefold():
            raise BadName(f"There is a {printable_path(name)} already. Nothing was written over.", "Choose another name.")


def _create(session: Session, ref: MemRef, content: bytes) -> None:
    def change(now: bytes | None) -> bytes:
        if now is not None:
            raise BadName(f"There is a {printable_path(ref.path)} already. Nothing was written over.")
        return content

    writing.update(session.root, ref.path, change, dry_run=session.dry_run)


def _move(session: Session, old: MemRef, new: MemRef) -> None:
    """Write it in its new place first, then take it from the old one: a crash between leaves two, never none."""
    if old.path.casefold() != new.path.casefold():
        _refuse_if_taken(session, new)
    raw = files.read(session.path(old))[0]
    if old.path.casefold() == new.path.casefold():
        if not session.dry_run:
            writing.rename(session.root, old.path, new.path)
        return
    _create(session, new, raw)
    try:
        writing.remove(session.root, old.path, expected=raw, dry_run=session.dry_run)
    except WriteFailed as error:
        raise WriteFailed(error.path, f"{error.message} A copy is in {printable_path(new.path)}.") from error
