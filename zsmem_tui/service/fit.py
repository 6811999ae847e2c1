"""Making the memory of a project fit into the prompt: what to move, and moving it as one step (`core.fit`)."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core import fit as rules
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.errors import Conflict
from zsmem_tui.core.fit import Fit, FitMove, FitStore, MoveKind, applied
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import previewing, wanted
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

_NAME_BYTES: Final = 60
"""Bytes of a heading that make the name of a note."""


class Proposal(NamedTuple):
    """Moves for the prompt of a project, and what they were made from."""

    about: Subject
    store: FitStore
    fit: Fit


def propose(session: Session, project: str = "", *, without: Collection[str] = ()) -> Proposal:
    """The fewest moves that make the block of a project (default: the session's) fit, but for those whose ids are in `without`.

    There are none when it fits. Nothing is written.
    """
    about = previewing.subject(session)._replace(project=project or session.project)
    store = _store(session, about)
    now = previewing.preview(session, about)
    if now.rule:  # no cut of a whole block: moves would be made by another agent's rules
        return Proposal(about, store, Fit((), now, now, len(now.lost)))

    def measure(texts: Mapping[str, str]) -> Preview:
        return previewing.preview(session, about, unsaved=texts)

    return Proposal(about, store, rules.fit(store, measure, wanted.lines(session, store.texts), without))


def after(session: Session, proposal: Proposal, moves: Sequence[FitMove]) -> Preview:
    """The block after some of the proposed moves; nothing is written."""
    return previewing.preview(session, proposal.about, unsaved=applied(proposal.store, moves))


@says_undo
def apply(session: Session, proposal: Proposal, moves: Sequence[FitMove]) -> VerbResult:
    """Make these moves as one step. Raises `Conflict` when a file changed since, or `StoreError`: nothing was moved then."""
    if not moves:
        return VerbResult("Nothing to move.")
    texts = applied(proposal.store, moves)
    known = {**proposal.store.others, **proposal.store.texts}
    changed = 0
    with session.batch(f"Fit: {counted(len(moves), 'move')}") as batch:
        for path in sorted(texts, key=lambda path: path in proposal.store.texts):  # what gains lines first
            if not texts[path] and path in proposal.store.logs:
                batch.remove(path, expected=known[path].encode())
                changed += 1
                continue

            def put(now: bytes | None, path: str = path) -> bytes:
                if (now or b"") != known.get(path, "").encode():
                    raise Conflict(
                        f"{printable_path(path)} changed since this was proposed. Nothing was moved.", "Propose it again."
                    )
                return texts[path].encode()

            changed += batch.update(path, put).changed
    freed = sum(move.frees for move in moves)
    message = f"Made {counted(len(moves), 'move')} in {counted(changed, 'file')}: {freed} bytes freed in the prompt."
    return VerbResult(message, changed)


def describe(move: FitMove) -> str:
    """What a move does, in a line."""
    what = counted(len(move.ranges), "fact")
    match move.kind:
        case MoveKind.DONE:
            words = f"{what} of {move.path} that {'is' if len(move.ranges) == 1 else 'are'} done, to {move.target}"
        case MoveKind.DOUBLE:
            words = f"{what} of {move.path} that also {'stands' if len(move.ranges) == 1 else 'stand'} elsewhere in the prompt, out"
        case MoveKind.LOG:
            words = f"the log {move.path}, to {move.target}"
        case MoveKind.SECTION:
            words = f"section “{move.title}” of {move.path}, to {move.target}"
        case MoveKind.FACTS:
            words = f"{what} of {move.path}, to {move.target}"
        case MoveKind.TOP:
            words = f"{what} of {move.path}, to the top"
    return printable_path(words)


def _store(session: Session, about: Subject) -> FitStore:
    mem = session.mem(about.project, day=about.day, profile=about.profile)
    block = mem.block()
    paths = [*(section.path for section in block.sections), *(skipped.path for skipped in block.skipped)]
    refs = {path: session.ref_at(path) for path in paths}

    def place(role: Role, name: str = "") -> str:
        ref = session.layout.ref(role, about.project, name)
        return ref.path if ref else ""

    long_term, checklist = place(Role.FACTS), place(Role.CHECKLIST)
    logs = sorted((ref.name, path) for path, ref in refs.items() if ref.role is Role.LOG)
    texts = {}
    for path in (long_term, *(path for _, path in logs), checklist):
        text = files.text_or_none(os.path.join(session.root, path)) if path else None
        if text is not None:
            texts[path] = text
    archive = (session.layout.archive(about.project) or "").rpartition("/")[0]
    if os.path.lexists(folder := os.path.join(session.root, archive)) and not os.path.isdir(folder):
        archive = ""
    notes = place(Role.NOTE, "memory").rpartition("/")[0]
    others = {path: text for folder in (notes, archive) if folder for path, text in _texts_in(session, folder).items()}
    known = {path.casefold(): path for folder in (notes, archive) if folder for path in _names_in(session, folder)}

    def usable(path: str) -> str:
        """The path with the case that its file has; empty where there is one that cannot be read, so that nothing can be added."""
        found = known.get(path.casefold(), path)
        return found if found in others or found not in known.values() else ""

    def note(title: str) -> str:
        name = note_name(title)
        names = (place(Role.NOTE, name if number == 1 else f"{name}-{number}") for number in range(1, len(known) + 2))
        return next(filter(None, map(usable, names)), "")

    def in_archive(path: str) -> str:
        return usable(f"{archive}/{path.rpartition('/')[2]}") if archive else ""

    old = tuple(path for day, path in logs if day != mem.today and path in texts)
    return FitStore(texts, others, long_term, checklist, old, note, in_archive)


def _names_in(session: Session, folder: str) -> list[str]:
    return [f"{folder}/{name}" for name in files.list_names(os.path.join(session.root, folder))]


def _texts_in(session: Session, folder: str) -> dict[str, str]:
    found = ((path, files.text_or_none(os.path.join(session.root, path))) for path in _names_in(session, folder))
    return {path: text for path, text in found if text is not None}


def note_name(title: str) -> str:
    """A name of a note for a heading, or for other words: their letters and digits, with hyphens between; `memory` for none."""
    kept = "".join(char if char.isalnum() else " " for char in title.lower())
    name = "-".join(word for word in kept.split(" ") if word)
    return name.encode()[:_NAME_BYTES].decode("utf-8", "ignore").strip("-").removesuffix(EXTENSION) or "memory"
