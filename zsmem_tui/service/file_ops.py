"""Create, rename, copy, move and delete memory files. Nothing is ever overwritten."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from zsmem_tui.core.daily import entry
from zsmem_tui.core.errors import BadName, BadTarget, MemError, Missing, StoreError
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.layout import Layout, has_main_file, main_file, named_role, same_in
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.outcomes import VerbResult, WriteReport
from zsmem_tui.core.refs import MemRef, Role, WriteTarget
from zsmem_tui.core.text import counted, grouped, listed, printable_path
from zsmem_tui.core.version import Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.editing import draft_of, refuse_read_only
from zsmem_tui.service.named_project import goal
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import place_of
from zsmem_tui.store import scan, step_record
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import mode_of
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.steps import Batch
from zsmem_tui.store.write_path.locating import resolve

if TYPE_CHECKING:
    from zsmem_tui.service.plan import Plan

_MOST_NAMED: Final = 3
"""The most files that a sentence names."""

ALONE: Final = "alone"
"""A note that is not listed in an index, as an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOpResult(VerbResult):
    """What was done, with the file's present reference."""

    ref: MemRef
    also: tuple[MemRef, ...] = ()
    """Other files changed with it, such as an index that lists it."""


class Companion(NamedTuple):
    """A file that is updated with another: its content now (None: no file yet) and afterwards."""

    ref: MemRef
    before: bytes | None
    after: bytes


def companions(session: Session, before: MemRef | None, after: MemRef | None, text: bytes = b"") -> list[Companion]:
    """The files that would be updated when a file is created (`before` None), renamed, moved or deleted (`after` None).

    `text` is the content of the file. Writes nothing. Raises `Unreadable`.
    """
    found = []
    for path, rewrite in _rewrites(session, before, after, text).items():
        ref = session.ref_at(path)
        now = files.read_if_there(session.path(ref))
        wanted = rewrite(now)
        if wanted is not None and wanted != now:
            found.append(Companion(ref, now, wanted))
    return found


def why_not(layout: Layout, ref: MemRef, verb: Literal["renamed", "moved to another project"]) -> str:
    """Why a file can never be renamed or moved; empty if it can."""
    if verb == "renamed" and ref.role is not Role.NOTE:
        return "Only notes can be renamed: the agent finds the other files by their names."
    if verb == "moved to another project" and ref.role not in (Role.NOTE, Role.LOG):
        logs = " and daily logs" if layout.ref(Role.LOG, ref.project, "2026-01-01") is not None else ""
        return f"Only notes{logs} can be moved to another project."
    return ""


def why_gone(session: Session, ref: MemRef) -> str:
    """A sentence that the file is gone; empty if it exists or has an unsaved draft."""
    if os.path.lexists(session.path(ref)) or draft_of(session, ref) is not None:
        return ""
    return f"{printable_path(ref.path.rpartition('/')[2])} is gone; H shows its versions."


def additions(session: Session, project: str) -> list[tuple[str, str]]:
    """What a person can add to a project, each with words; only what its agent has."""
    noun, index = word_of_new(session, project), index_of_new_notes(session, project)
    notes = [("note", f"A {noun}")] if noun else []
    if index:
        notes = [("note", f"A note, with its line in {index}"), (ALONE, f"A note, {index} left as it is")]
    with suppress(BadTarget):
        session.place_of(Role.LOG, project, session.clock().date().isoformat())
        notes.append(("entry", "An entry in today's log"))
    with suppress(BadTarget):
        has_one = os.path.lexists(session.path(session.place_of(Role.CHECKLIST, project)))
        notes.append(("item", "An open item") if has_one else ("scratchpad", "A scratchpad"))
    main = main_file(session.layout, project) if has_main_file(session.layout, project) else None
    is_there = main is not None and os.path.lexists(session.path(main))
    words = "A line in" if is_there else "A fact, the first of"
    return [*notes, *([("fact", f"{words} {main.path.rpartition('/')[2]}")] if main is not None else [])]


def word_of_new(session: Session, project: str) -> str:
    """What a person adds under a name: `note`, or what this kind has instead; empty if nothing has a name."""
    role = named_role(session.layout, project)
    return "note" if role is Role.NOTE else session.layout.part(role).removesuffix("s") if role else ""


def new_name(session: Session, name: str, project: str | None = None) -> MemRef:
    """The file for a new note or its like. Raises `BadName`, also if the name is taken in any case, or `BadTarget`."""
    project = session.project if project is None else project
    ref = session.mem(project).ref(named_role(session.layout, project) or Role.NOTE, note_stem(name))
    _refuse_if_taken(session, ref)
    return ref


def index_of_new_notes(session: Session, project: str) -> str:
    """The name of the index that lists new notes of a project; empty if there is none or it is unknown."""
    try:
        follow = companions(session, None, session.place_of(Role.NOTE, project, "new"))
    except MemError:
        return ""
    return printable_path(follow[0].ref.path.rpartition("/")[2]) if follow else ""


@says_undo
def new_note(session: Session, name: str, project: str | None = None, content: str = "", *, alone: bool = False) -> FileOpResult:
    """Create a note, or its like where a kind has none. Raises what `new_name` raises, or `WriteFailed`.

    With `alone`, here and below, no other file is updated (`companions`).
    """
    stem, ref = note_stem(name), new_name(session, name, project)
    raw = session.layout.dress.begun(ref.path, (content or f"# {printable_path(stem)}\n").encode())
    return _arrange(session, f"Made {word_of_new(session, ref.project)} {ref.name or stem}", None, ref, raw, alone=alone)


@says_undo
def new_scratchpad(session: Session, project: str | None = None) -> FileOpResult:
    """Create an empty checklist. Raises `BadName` if there is one, or `WriteFailed`."""
    ref = session.place_of(Role.CHECKLIST, project)
    _refuse_if_taken(session, ref)
    return _arrange(session, "Made a scratchpad", None, ref, b"- [ ] \n", alone=True)


def first_fact(session: Session, text: str, project: str) -> FileOpResult:
    """Add a fact to the file of a project that is in every prompt. Raises what `acts.add_first` raises, or `WriteFailed`."""
    from zsmem_tui.service.facts import acts  # deferred: needed only for a plan

    return _added(acts.add_first(session, project, text), main_file(session.layout, project))


def new_item(session: Session, text: str, project: str) -> FileOpResult:
    """Add an open item to the checklist of a project. Raises what `triage.add` raises, or `WriteFailed`."""
    from zsmem_tui.service import triage  # deferred: needed only for a plan

    return _added(triage.add(session, project, text), session.place_of(Role.CHECKLIST, project))


def _added(plan: Plan, ref: MemRef) -> FileOpResult:
    from zsmem_tui.service import applying  # deferred: needed only for a plan

    done = applying.apply(plan)
    return FileOpResult(message=done.message, changed=done.changed, undo_problem=done.undo_problem, ref=ref)


def log_entry(session: Session, heading: str, project: str | None = None) -> WriteReport:
    """Add a timestamped entry without a body to today's log. Raises what `Mem.write` raises."""
    now = session.clock()
    session.require_store()
    return session.mem(project, dry_run=session.dry_run).write(WriteTarget.DAILY, entry(heading, "", now))


@says_undo
def new_entry(session: Session, heading: str, project: str | None = None) -> FileOpResult:
    """Add a timestamped entry without a body to today's log. Raises what `Mem.write` raises."""
    report = log_entry(session, heading, project=project)
    ref = session.mem(project).ref(Role.LOG)
    return FileOpResult(message=f"Added an entry to {printable_path(report.path)}.", changed=int(report.changed), ref=ref)


@says_undo
def rename(session: Session, ref: MemRef, name: str, *, alone: bool = False) -> FileOpResult:
    """Rename a note. Raises `BadTarget` for other files, `BadName`, `Missing` or `WriteFailed`."""
    if problem := why_not(session.layout, ref, "renamed"):
        raise BadTarget(f"{problem} Nothing was changed.")
    session.require_store()
    new = _renamed_ref(session, ref, name)
    if new == ref:
        return FileOpResult(message="It is called that already.", ref=ref)
    if (meant := _meant(session, new)) not in (ref, new):
        _refuse_if_taken(session, meant)
    refuse_read_only(session, ref)
    links = _links_to(session, [ref], new)
    done = _arrange(session, f"Renamed {ref.name} to {new.name}", ref, new, alone=alone)
    lead = links_said({new if each == ref else each: count for each, count in links.items()}, done.also, "to the old name")
    done = replace(done, message=f"{done.message}{lead}")
    own = session.layout.dress.unwrapped(ref.path, files.read_or_empty(session.path(ref if session.dry_run else new))).name
    if own and own.replace("-", "_") == ref.name.replace("-", "_"):
        stays = f"Its frontmatter keeps the name {visible_line(own)}, so that links [[{visible_line(own)}]] still lead to it."
        done = replace(done, message=f"{done.message} {stays}")
    return done


@says_undo
def duplicate(session: Session, ref: MemRef, name: str, *, alone: bool = False) -> FileOpResult:
    """Copy a file to a note with another name. Raises `BadName`, `Missing`, `Unreadable` or `WriteFailed`."""
    session.require_store()
    new = _renamed_ref(session, ref, name)
    _refuse_if_taken(session, _meant(session, new))
    session.refuse_link_out(ref)
    place = session.path(ref)
    return _arrange(session, f"Copied to note {new.name}", None, new, files.read(place)[0], mode=mode_of(place), alone=alone)


@says_undo
def move(session: Session, ref: MemRef, project: str, *, alone: bool = False) -> FileOpResult:
    """Move a note or a log to another project, given by its slug or its displayed name.

    Raises `BadTarget`, `BadName`, `Missing` or `WriteFailed`.
    """
    from zsmem_tui.service.projects.known import group_called  # deferred: loads OpenSSL, not needed for the first frame

    problem = why_not(session.layout, ref, "moved to another project")
    if problem or ref.role is None:
        raise BadTarget(f"{problem} Nothing was moved.")
    project = goal(session, group_called(session, project), "Nothing was moved.")
    if not session.layout.project_folders(project):
        raise BadTarget(f"There is no project {printable_path(project)}. Nothing was moved.", "`zsmem projects` lists them.")
    new = same_in(session.layout, ref, project) or session.place_of(ref.role, project, ref.name)
    if new == ref:
        return FileOpResult(message="It is there already.", ref=ref)
    refuse_read_only(session, ref)
    links = links_behind(session, [ref])
    done = _arrange(session, f"Moved {ref.name} to {session.group_name(project)}", ref, new, alone=alone)
    return replace(done, message=f"{done.message}{links_said(links, done.also, 'to where it was')}")


@says_undo
def delete(session: Session, ref: MemRef, *, alone: bool = False) -> FileOpResult:
    """Delete a file; its content is in the history. Raises `RuleBroken`, `Missing` or `WriteFailed`."""
    refuse_read_only(session, ref)
    session.require_undo()
    return _arrange(session, f"Deleted {place_of(ref, session)}", ref, None, alone=alone)


def plan_deleting(parts: Sequence[tuple[Session, Sequence[MemRef]]]) -> Plan:
    """The plan to delete files of one or more stores as one step, like `delete`."""
    from zsmem_tui.service.plan import Plan  # deferred: needed only for several files

    label = _deleted(parts)
    return Plan(label, f"{label}.", act=partial(_delete_all, parts))


def _delete_all(every: Sequence[tuple[Session, Sequence[MemRef]]]) -> VerbResult:
    from zsmem_tui.service.applying import step_batches  # deferred: needed only for several files

    why: dict[tuple[str, MemRef], StoreError] = {}
    for session, ref in ((session, ref) for session, refs in every for ref in refs):
        try:
            resolve(session.root, ref.path)
        except StoreError as error:  # a link out of the store or to nowhere: the history has no such text to bring back
            why[session.root, ref] = error
    parts = [(session, [ref for ref in refs if (session.root, ref) not in why]) for session, refs in every]
    parts = [(session, refs) for session, refs in parts if refs]
    if not parts:
        raise next(iter(why.values()))
    for session, refs in parts:
        for ref in refs:
            refuse_read_only(session, ref)
        session.require_undo()
    also: list[tuple[Session, MemRef]] = []
    label = _deleted(parts)
    with step_batches(label, [session for session, _ in parts]) as batches:
        for (session, refs), batch in zip(parts, batches, strict=True):
            found = dict.fromkeys(each for ref in refs for each in follow(session, batch, ref, None)[0])
            also += [(session, each) for each in found if each not in refs]
            for ref in refs:
                batch.remove(ref.path)
    problem = next((session.undo_problem for session, _ in parts if session.undo_problem), "")
    stay = "".join(f" {error.message.removesuffix(' Nothing was written.')} It stays." for error in why.values())
    done = f"{label}.{follows(also)}{stay}"
    return VerbResult(done, sum(len(refs) for _, refs in parts), undo_problem=problem, warning=bool(stay))


def _deleted(parts: Sequence[tuple[Session, Sequence[MemRef]]]) -> str:
    """What is done, with the name of a single file."""
    first, *more = [place_of(ref, session) for session, refs in parts for ref in refs]
    return f"Deleted {counted(len(more) + 1, 'file') if more else first}"


def follows(also: Sequence[tuple[Session, MemRef]]) -> str:
    """The sentence on files that changed with others, with a blank before it; empty if there are none."""
    names = dict.fromkeys(each.path.rpartition("/")[2] for _, each in also)
    if len(names) < len(also):  # several have one name
        names = dict.fromkeys(place_of(each, session) for session, each in also)
    return printable_path(f" {' and '.join(names)} {'follows' if len(also) == 1 else 'follow'}.") if also else ""


@says_undo
def add_listing(session: Session, ref: MemRef) -> FileOpResult:
    """Add a file to the index that should list it. Raises `Missing`, `Unreadable` or `WriteFailed`."""
    session.refuse_link_out(ref)
    raw = files.read(session.path(ref))[0]
    with session.batch(f"Listed {ref.path}") as batch:
        also, unloaded = follow(session, batch, None, ref, raw)
    return _listed("Listed", ref, also, "It is listed already, or nothing lists such files.", unloaded)


@says_undo
def remove_listing(session: Session, ref: MemRef) -> FileOpResult:
    """Remove a file, such as a missing one, from the index that lists it. Raises `Unreadable` or `WriteFailed`."""
    with session.batch(f"Took {ref.path} off the list") as batch:
        also, _ = follow(session, batch, ref, None)
    return _listed("Took off the list:", ref, also, "Nothing lists it.")


def deleted(session: Session) -> list[Version]:
    """The deleted files, latest first, as the versions that deleted them. Raises `HistoryError`.

    Renamed and moved files are not included.
    """
    session.history.drain()
    newest: dict[str, Version] = {}
    moved: set[tuple[str, str]] = set()
    for version in session.history.latest():
        if version.path:
            newest.setdefault(version.path, version)
            moved.add((version.batch, version.after))
    gone = [version for version in newest.values() if not version.after and version.before]
    return [version for version in gone if not version.batch or (version.batch, version.before) not in moved]


@says_undo
def restore(session: Session, id: str | None = None, *, alone: bool = False) -> FileOpResult:
    """Restore a deleted file (default: the latest).

    Raises `Missing`, `BadName` if its path is taken, `HistoryError` or `WriteFailed`.
    """
    found = next((version for version in deleted(session) if id in (None, version.id)), None)
    if found is None:
        raise Missing(session.root, "There is no deleted file to bring back.")
    ref = session.ref_at(found.path)
    _refuse_if_taken(session, ref)
    raw = session.history.text(found.before) or b""
    was = step_record.gone(found.batch, session.root).get(found.path, step_record.UNKNOWN)
    return _arrange(session, f"Brought back {found.path}", None, ref, raw, alone=alone, was=was)


def follow(
    session: Session, batch: Batch, before: MemRef | None, after: MemRef | None, text: bytes = b""
) -> tuple[tuple[MemRef, ...], str]:
    """Update the files that list another, in the same step; return those changed, and a sentence on what is not loaded.

    See `companions`; the sentence may be empty.
    """
    done = {path: batch.update(path, rewrite) for path, rewrite in _rewrites(session, before, after, text).items()}
    changed = {path: each for path, each in done.items() if each.changed}
    unloaded = [session.layout.unloaded(path, each.before, each.after) for path, each in changed.items()]
    return tuple(map(session.ref_at, changed)), "".join(filter(None, unloaded))


def _rewrites(session: Session, before: MemRef | None, after: MemRef | None, text: bytes) -> dict[str, Rewrite]:
    paths = (before.path if before else None, after.path if after else None)
    return session.layout.lists.companions(DiskTree(session.root), *paths, text)


def _listed(verb: str, ref: MemRef, also: tuple[MemRef, ...], nothing: str, unloaded: str = "") -> FileOpResult:
    message = printable_path(f"{verb} {ref.path}. {unloaded}".rstrip()) if also else nothing
    return FileOpResult(message=message, changed=len(also), ref=ref, also=also)


def name_rule(session: Session, ref: MemRef) -> str:
    """What comes in front of the name that a person gives a note or a copy of a file, as the end of a clause; empty if nothing."""
    try:
        front = _renamed_ref(session, ref, "x").name.removesuffix("x")
    except MemError:
        return ""  # naming it tells why
    return f"; {front} comes in front, unless it begins with a type" if front else ""


def _renamed_ref(session: Session, ref: MemRef, name: str) -> MemRef:
    """The note for this name: of a renamed note, or a copy of a file. Raises `BadName`, `Missing` or `Unreadable`."""
    stem = note_stem(name, "The name of a note has no slashes or dots. Nothing was changed.")
    return session.place_of(Role.NOTE, ref.project, session.layout.dress.called(ref.path, files.read(session.path(ref))[0], stem))


def _meant(session: Session, new: MemRef) -> MemRef:
    """The existing note that the name of a new one means, as it may only be written otherwise; else the new one."""
    return session.mem(new.project).ref(Role.NOTE, os.path.basename(new.path).removesuffix(EXTENSION))


def links_behind(session: Session, refs: Sequence[MemRef]) -> dict[MemRef, int]:
    """How many links lead to files that are about to move away, by the file that has them; those in the files go along."""
    every = grouped((ref.project, ref) for ref in refs).values()
    links = sum((Counter(_links_to(session, own)) for own in every), Counter[MemRef]())
    return {each: count for each, count in links.items() if each not in refs}


def _links_to(session: Session, refs: Sequence[MemRef], new: MemRef | None = None) -> dict[MemRef, int]:
    """How many links lead to files of one group, by the file that has them, of that group and of those for everybody.

    Links by a name that a file keeps under its `new` one are not among them.
    """
    from zsmem_tui.core.checks.links import links_to  # deferred: many patterns, which no start needs
    from zsmem_tui.core.link_target import stem_of  # deferred: likewise

    layout, project = session.layout, refs[0].project
    folders = (*layout.global_folders(), *layout.project_folders(project))
    every = [entry for folder in folders for entry in scan.entries(session.root, folder)]
    paths, home = frozenset(each.ref.path for each in every), layout.home_of(project) if project else ""
    names = () if new is None else (*layout.lists.names(new.path, files.read_or_empty(session.path(refs[0]))), new.name)
    goals, kept = {each.path for each in refs}, {*map(stem_of, names)}
    inside = [each.ref for each in every if not each.is_out]
    texts = ((each, files.read_or_empty(session.path(each)).decode("utf-8", "replace")) for each in inside)
    found = {each: links_to(goals, text, each.path, home, paths, kept) for each, text in texts}
    return {each: count for each, count in found.items() if count}


def links_said(links: Mapping[MemRef, int], also: Collection[MemRef], where_to: str) -> str:
    """A sentence, after a space, on links that still lead `where_to`, but for those in files that follow; empty for none."""
    left = {each: count for each, count in links.items() if each not in also}
    if not left:
        return ""
    where, count = listed([each.path for each in left], _MOST_NAMED), sum(left.values())
    return printable_path(f" {counted(count, 'link')} in {where} still {'leads' if count == 1 else 'lead'} {where_to}.")


def _refuse_if_taken(session: Session, ref: MemRef) -> None:
    """Raise if a file of that name exists, ignoring case, as some file systems do."""
    folder, _, wanted = session.path(ref).rpartition("/")
    for name in files.list_names(folder):
        if name.casefold() == wanted.casefold():
            raise BadName(f"{printable_path(name)} is there already. Nothing was written over.", "Choose another name.")


def _arrange(
    session: Session,
    label: str,
    before: MemRef | None,
    after: MemRef | None,
    raw: bytes = b"",
    *,
    mode: int = 0,
    alone: bool,
    was: step_record.Gone | None = None,
) -> FileOpResult:
    """Create a file with content `raw`, rename or move one, or delete it (`after` None), and update other files.

    A moved file is written before it is deleted at its old path, and keeps its permission bits. `mode` are those of a new file (0:
    default). `was`: the content stood there before, in such a file.
    """
    only_case = before is not None and after is not None and before.path.casefold() == after.path.casefold()
    if before is not None and after is not None:
        if not only_case:
            _refuse_if_taken(session, after)
        raw, mode = files.read(session.path(before))[0], mode_of(session.path(before))

    def put(now: bytes | None) -> bytes:
        if now is not None and after is not None:
            raise BadName(f"{printable_path(after.path)} is there already. Nothing was written over.")
        return raw

    with session.batch(label) as batch:
        batch.recorder.carried = (after.path,) if after is not None and was is not None else ()
        if after is not None and not only_case:
            like = was or step_record.Gone(mode)
            batch.update(after.path, put, mode=like.mode, modified=like.modified)
        also, unloaded = ((), "") if alone else follow(session, batch, before, after, raw)
        if before is not None and only_case and after is not None:
            batch.rename(before.path, after.path)
        elif before is not None:
            batch.remove(before.path, expected=raw if after is not None else None)
    if before is not None and after is not None and not session.dry_run:
        from zsmem_tui.service.projects import carried  # deferred: loads OpenSSL, not needed for the first frame

        carried.follow(session, {before.path: after.path})
    ref = after or before
    assert ref is not None
    lead = f"{follows([(session, each) for each in also])} {unloaded}".rstrip()
    return FileOpResult(message=printable_path(f"{label}.{lead}"), changed=1 + len(also), ref=ref, also=also)
