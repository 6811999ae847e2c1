"""Taking memory out, into another agent's store or a plain folder. What is there and not ours stays as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zsmem_tui.agents.base import AgentFormat, ExportFormat, Memory
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, BadTarget, MemError, StoreError, WriteFailed
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.default_place import default_place
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import overlap
from zsmem_tui.store.history.journal import Recorder, pending_folder
from zsmem_tui.store.transfer import all_or_none, exports, sources

NOTHING: Final = "Nothing was exported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResult(VerbResult):
    """What an export did: the files written with their sizes, and texts that could not be taken along."""

    written: tuple[tuple[str, int], ...]
    left: tuple[str, ...]
    losses: str


@says_undo
def export(session: Session, format: AgentFormat, path: str = "", *, dry_run: bool = False) -> ExportResult:
    """Write the session's project, and the facts that all share, as another agent keeps them; all of it or nothing.

    An existing file is only ever added to, and backed up first. One step to undo. Raises `BadTarget`, `Conflict` when somebody
    wrote one of the files meanwhile, or `StoreError`; nothing has been written then, or the sentence says what has.
    """
    if not isinstance(format, ExportFormat):
        raise BadTarget(f"zsmem writes no {format.name} memory. {NOTHING}.")
    folder = locate.expanded(path) or _own_place(session, format)
    if "\0" in folder:
        raise BadTarget("A folder's name cannot hold a NUL byte. Nothing was exported.")
    folder = os.path.join(locate.working_folder(), folder)
    if overlap(folder, session.root):
        raise BadTarget(f"{printable_path(folder)} is, or holds, or lies in the store itself. {NOTHING}.")
    memory, left = _memory(session)
    there: dict[str, bytes] = {}
    if os.path.lexists(folder):
        all_or_none.recover(folder)
        there = _there(folder)
    wanted = {name: raw for name, raw in sorted(format.export(memory, there).items()) if there.get(name) != raw}
    for name in wanted if dry_run else ():
        all_or_none.standing(folder, name)
    if wanted and not dry_run:
        _write(session, folder, f"Exported to {format.name}", there, wanted)
    verb = "Would write" if dry_run else "Wrote"
    message = f"{verb} {counted(len(wanted), 'file')} to {printable_path(folder)}."
    written = tuple((os.path.join(folder, name), len(raw)) for name, raw in wanted.items())
    return ExportResult(message=message, changed=len(written), written=written, left=tuple(left), losses=format.losses)


def _there(folder: str) -> dict[str, bytes]:
    """The Markdown files of the folder. A file that cannot be read is nothing that can be added to."""
    try:
        there, problems = sources.read_tree(folder, lambda name: name.endswith(".md"))
    except (StoreError, BadContent) as error:
        raise WriteFailed(folder, f"{error.message.removesuffix(' Nothing was imported.')} {NOTHING}.") from error
    if problems:
        name, why = next(iter(problems.items()))
        raise WriteFailed(folder, f"{printable_path(os.path.join(folder, name))}: {why}. {NOTHING}.")
    return there


def _write(session: Session, folder: str, label: str, there: Mapping[str, bytes], wanted: Mapping[str, bytes]) -> None:
    """Write the files as one step, which the store's history names and the folder's own tells."""
    own = session.recorder(label, relation=all_or_none.EXPORT)
    recorder = Recorder(pending_folder(folder), session.now_ns, label=label)
    recorder.batch = own.batch
    exports.remember(session.root, own, exports.Export(folder))
    items = (
        all_or_none.Item(name, all_or_none.digest_of(there.get(name)), raw, 0, None, backup=name in there)
        for name, raw in wanted.items()
    )
    try:
        all_or_none.put_in(folder, items, recorder, NOTHING, step=own)
    except MemError:
        exports.forget(session.root, own.batch)
        raise


def _memory(session: Session) -> tuple[Memory, list[str]]:
    left: list[str] = []

    def text(path: str) -> str:
        try:
            return files.read_text(os.path.join(session.root, path))
        except StoreError as error:
            if os.path.lexists(os.path.join(session.root, path)):
                left.append(error.message)
            return ""

    catalog = scan.scan(session.root, session.layout)
    project = catalog.project(session.project)
    entries = (
        catalog.shared
        if session.project == EVERYBODY and not session.layout.home_of(EVERYBODY)
        else project.files
        if project
        else ()
    )
    notes = {entry.ref.name: text(entry.ref.path) for entry in entries if entry.ref.role is Role.NOTE}
    logs = {entry.ref.name: text(entry.ref.path) for entry in entries if entry.ref.role is Role.LOG}
    mains = [session.layout.ref(role, session.project) for role in (Role.FACTS, Role.CHECKLIST)]
    long_term, scratchpad = (text(ref.path) if ref else "" for ref in mains)
    carried = {ref.path for ref in mains if ref} | {
        path
        for role in (Role.NOTE, Role.LOG)
        for path in {each.ref.name: each.ref.path for each in entries if each.ref.role is role}.values()
    }
    left += [
        f"{printable_path(each.ref.path)} was not exported: the format has no place of its own for it."
        for each in dict.fromkeys((*catalog.shared, *entries))
        if each.ref.role is not None and each.ref.path not in carried
    ]
    kept = {stem: body for stem, body in notes.items() if body}
    return Memory(session.project, long_term, scratchpad, kept, {day: body for day, body in logs.items() if body}), left


def _own_place(session: Session, format: AgentFormat) -> str:
    place, _ = default_place(session, format)
    if not place:
        raise BadTarget(f"Name the folder to export {format.name} to. Nothing was exported.")
    return place
