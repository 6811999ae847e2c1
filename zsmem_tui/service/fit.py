"""Make the memory of a project fit into the prompt: propose moves, and apply them as one step (`core.fit`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.core import fit as rules
from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.checks.structure import OVER_BUDGET
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.fit import Fit, FitMove, FitStore, MoveKind, applied
from zsmem_tui.core.layout import has_main_file, main_file
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, cut, printable_path
from zsmem_tui.service import previewing, wanted
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.plan import Edit, Plan
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree

_NAME_BYTES: Final = 60
"""The bytes of a heading used for the name of a note."""


class Proposal(NamedTuple):
    """The moves proposed for a project's prompt, and the data they are based on."""

    about: Subject
    store: FitStore
    fit: Fit


def propose(
    session: Session, about: Subject | None = None, *, without: Collection[FitMove] = (), keep: Sequence[FactRow] = ()
) -> Proposal:
    """The fewest moves that make a prompt's block (default: the session's) fit, leaving in place the lines of the moves `without`.

    The facts of `keep` are to stay in it, as those that the person marked; for these, no more goes than must. None if it fits.
    Nothing is written.
    """
    about = about or previewing.subject(session)
    store = _store(session, about)
    now = previewing.preview(session, about)
    if now.rule:  # cut by another agent's rules, for which the moves would be wrong
        return Proposal(about, store, Fit((), now, now, len(now.lost)))

    def measure(texts: Mapping[str, str]) -> Preview:
        return previewing.preview(session, about, unsaved=texts)

    marked = wanted.lines(session, store.texts, keep)
    return Proposal(about, store, rules.fit(store, measure, marked, without, leaves_room=not keep))


def reason_for_no_moves(proposal: Proposal) -> str:
    """Why Fit has no moves for a prompt that is not cut as a whole, and what may help instead; empty for any other."""
    before = proposal.fit.before
    if not before.rule or (before.uses and not before.lost):
        return ""
    instead = "The doctor may have a fix for what is lost. " if before.lost else ""
    return f"Fit makes room where all files share one limit, and here they do not. {instead}{before.rule}"


def shortening(session: Session, project: str = "") -> Finding | None:
    """The doctor's fix for a project's main file (default: the session's) of which an agent loads only the start; None if none."""
    project = project or session.project
    if session.layout.has_profiles or not has_main_file(session.layout, project):
        return None
    path = main_file(session.layout, project).path
    try:
        found = session.layout.checks.shortened(DiskTree(session.root), path)
    except StoreError:
        return None
    if found is None or not found.is_ready:
        return None
    return Finding(OVER_BUDGET, path, says="The file is longer than what the agent loads of it.", fix=found)


def can_help(session: Session, about: Subject, seen: Preview | None = None) -> bool:
    """Whether there may be moves for a prompt, whose preview is `seen` if known: it loses lines and is cut as a whole, or the start
    of a file can be shortened. Slow.
    """
    if not (seen or previewing.preview(session, about)).lost:
        return False
    return session.layout.has_profiles or shortening(session, about.project) is not None


def leaving(proposal: Proposal) -> str:
    """A clause on how many facts would be in no prompt any more; empty if none."""
    count = rules.leaving(proposal.store, proposal.fit.moves, proposal.fit.before)
    return f"{counted(count, 'fact')} {'leaves' if count == 1 else 'leave'} every prompt" if count else ""


def spare(proposal: Proposal) -> str:
    """A clause on how much more fits after the moves."""
    after = proposal.fit.after
    return f"{counted(max(after.cap - after.needed, 0), 'byte')} to spare"


def plan(session: Session, proposal: Proposal, moves: Sequence[FitMove]) -> Plan:
    """Plan making these moves. Nothing is written."""
    texts = applied(proposal.store, moves)
    known = {**proposal.store.others, **proposal.store.texts}
    edits = []
    for path in sorted(texts, key=lambda path: path in proposal.store.texts):  # files that gain lines first
        gone = not texts[path] and path in proposal.store.logs
        before = known[path].encode() if path in known else None
        edits.append(Edit(session, session.ref_at(path), before, None if gone else texts[path].encode()))
    changed = sum(each.before != each.after for each in edits)
    freed = sum(move.frees for move in moves)
    done = f"Made {counted(len(moves), 'move')} in {counted(changed, 'file')}: {freed:,} bytes less to load."
    label = f"Made it fit by {counted(len(moves), 'move')}"
    return Plan(label, done, tuple(edits), nothing="Nothing was moved.", unchanged="Nothing to move.")


def describe(move: FitMove) -> str:
    """Describe a move in one line."""
    now = "lost now" if move.lost else "loaded now"
    what = counted(len(move.ranges), "fact")
    match move.kind:
        case MoveKind.DONE:
            words = f"{what} of {move.path} that {'is' if len(move.ranges) == 1 else 'are'} done, to {move.target}"
        case MoveKind.DOUBLE:
            words = f"{what} of {move.path} that also {'stands' if len(move.ranges) == 1 else 'stand'} elsewhere in the prompt, out"
        case MoveKind.LOG:
            kept = "" if not move.ranges[0][0] else " below its first lines"
            words = f"the log {move.path}{kept}, {now}, to {move.target}"
        case MoveKind.SECTION:
            words = f"section “{move.title}” of {move.path}, {now}, to {move.target}"
        case MoveKind.FACTS:
            words = f"{what} of {move.path}, {now}, to {move.target}"
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
    home = long_term.removesuffix(long_term.rpartition("/")[2])
    beside = [f"{home}{name}" for name in files.list_names(os.path.join(session.root, home)) if name.endswith(EXTENSION)]
    paths = [
        f"{folder}/{name}" for folder in (notes, archive) if folder for name in files.list_names(os.path.join(session.root, folder))
    ]
    found = {path: files.text_or_none(os.path.join(session.root, path)) for path in (*paths, *beside) if path != long_term}
    others = {path: text for path, text in found.items() if text is not None}
    known = {path.casefold(): path for path in (*paths, *beside)}

    def usable(path: str) -> str:
        """The path with the actual case of its file; empty if that file is unreadable, so that nothing can be added."""
        found = known.get(path.casefold(), path)
        return found if found in others or found not in known.values() else ""

    def free(title: str, path_of: Callable[[str], str]) -> str:
        """The first usable path for a file of that title; `path_of` makes a path of a name."""
        name = note_name(title)
        names = (path_of(name if number == 1 else f"{name}-{number}") for number in range(1, len(known) + 2))
        return next(filter(None, map(usable, names)), "")

    def shared(title: str) -> str:
        """A file next to long-term memory, which agents of every project search."""
        return free(title, lambda name: f"{home}{name}{EXTENSION}") if long_term else ""

    def in_archive(path: str) -> str:
        return usable(f"{archive}/{path.rpartition('/')[2]}") if archive else ""

    old = tuple(path for day, path in logs if day != mem.today and path in texts)
    return FitStore(texts, others, long_term, checklist, old, partial(free, path_of=partial(place, Role.NOTE)), in_archive, shared)


def note_name(title: str) -> str:
    """A name of a note for a heading or other words: lower-case letters and digits with hyphens; `memory` if there are none."""
    kept = "".join(char if char.isalnum() else " " for char in title.lower())
    name = cut("-".join(word for word in kept.split(" ") if word), _NAME_BYTES)
    return name.strip("-").removesuffix(EXTENSION) or "memory"
