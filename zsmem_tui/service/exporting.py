"""Taking memory out, into another agent's store or a plain folder. What is there and not ours stays as it is."""

from __future__ import annotations

import os
from typing import NamedTuple

from zsmem_tui.agents.base import AgentFormat, Memory
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, StoreError, WriteFailed
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.render import counted
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import files, outside, scan, writing


class Exported(NamedTuple):
    """What an export did: a sentence, the files written with their sizes, and texts that could not be taken along."""

    message: str
    written: tuple[tuple[str, int], ...]
    left: tuple[str, ...]
    losses: str


def export(session: Session, format: AgentFormat, path: str = "", *, dry_run: bool = False) -> Exported:
    """Write the session's project, and the facts that all share, as another agent keeps them.

    An existing file is only ever added to, and backed up first. Raises `BadTarget` or `StoreError`.
    """
    folder = locate.expanded(path) or _default_place(session, format)
    real, root = os.path.realpath(folder), os.path.realpath(session.root)
    if real == root or real.startswith(f"{root}/") or root.startswith(f"{real}/"):
        raise BadTarget(f"{printable_path(folder)} is, or holds, or lies in the store itself. Nothing was exported.")
    memory, left = _memory(session)
    there: dict[str, bytes] = {}
    if os.path.lexists(folder):
        there, _ = outside.read_tree(folder, lambda name: name.endswith(".md"))
    wanted = format.export(memory, there)
    written = []
    for name, raw in sorted(wanted.items()):
        if there.get(name) == raw:
            continue
        if not dry_run:
            os.makedirs(folder, exist_ok=True)
            writing.update(folder, name, _if_unchanged(there.get(name), raw, name), backup=name in there)
        written.append((os.path.join(folder, name), len(raw)))
    verb = "Would write" if dry_run else "Wrote"
    message = f"{verb} {counted(len(written), 'file')} to {printable_path(folder)}."
    return Exported(message, tuple(written), tuple(left), format.losses)


def _if_unchanged(base: bytes | None, raw: bytes, name: str) -> writing.Change:
    def change(now: bytes | None) -> bytes:
        if now != base:
            raise WriteFailed(name, f"{printable_path(name)} changed meanwhile. It was not written.")
        return raw

    return change


def _memory(session: Session) -> tuple[Memory, list[str]]:
    mem = session.mem()
    left: list[str] = []

    def text(path: str) -> str:
        try:
            return files.read_text(os.path.join(session.root, path))
        except StoreError as error:
            if os.path.lexists(os.path.join(session.root, path)):
                left.append(error.message)
            return ""

    project = scan.scan(session.root, session.layout).project(session.project)
    entries = project.files if project else ()
    notes = {entry.ref.name: text(entry.ref.path) for entry in entries if entry.ref.target is WriteTarget.NOTE}
    logs = {entry.ref.name: text(entry.ref.path) for entry in entries if entry.ref.target is WriteTarget.DAILY}
    long_term = text(mem.ref(WriteTarget.LONG_TERM).path)
    scratchpad = text(mem.ref(WriteTarget.SCRATCHPAD).path)
    kept = {stem: body for stem, body in notes.items() if body}
    return Memory(session.project, long_term, scratchpad, kept, {day: body for day, body in logs.items() if body}), left


def _default_place(session: Session, format: AgentFormat) -> str:
    places = format.places(locate.home_folder(), session.folder or locate.working_folder())
    if not places:
        raise BadTarget(f"Name the folder to export {format.name} to. Nothing was exported.")
    return next((place for place in places if os.path.isdir(place)), places[0])
