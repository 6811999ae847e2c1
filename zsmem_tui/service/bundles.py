"""Export the whole store or some projects as one bundle file, and import such a file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Final

from zsmem_tui.config import locate
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadTarget, Missing, StoreError, WriteFailed
from zsmem_tui.core.layout import Layout, foreign_problem, in_project
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, listed, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.named_project import goal
from zsmem_tui.service.outgoing_secrets import of_files
from zsmem_tui.service.plan import IS_THERE, YOU_LEFT_IT, Edit, Fate, Gate, Handling, Plan, Policy, Row
from zsmem_tui.service.projects.own import folder_slug
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import interrupted
from zsmem_tui.store.disk import files, temporary
from zsmem_tui.store.disk.files import NO_FILE, digest_of
from zsmem_tui.store.disk.folders import every_file, inside
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.transfer import bundle, exports

_MOST_NAMED: Final = 5
"""The most left-out files that a sentence names."""


_NOTHING: Final = "Nothing was imported."

_NO_PROGRAM: Final = 0o664
"""The permission bits taken from a bundle: no execute bits, no write access for everybody."""


def paths_out(session: Session, projects: list[str] | None = None) -> list[str]:
    """The paths of the files in a bundle of the store or of these projects. Raises `BadTarget`, `Missing` or `StoreError`."""
    paths = []
    for path in every_file(session.root, lambda name: not name.startswith(".zsmem")):
        whole, name = os.path.join(session.root, path), os.path.basename(path)
        wanted = ".zsmem-" not in name and _is_wanted(session.layout, path, projects)
        if wanted and os.path.isfile(whole) and not os.path.islink(whole) and not foreign_problem(session.layout, path):
            paths.append(path)
    there = {session.layout.group_of(path) for path in paths}
    if absent := next((each for each in projects or () if each not in there), ""):
        raise BadTarget(f"There is no project {printable_path(absent)}. Nothing was exported.", "`zsmem projects` lists them.")
    if not paths:
        raise Missing(session.root, f"{printable_path(session.root)}: there is nothing to export.")
    return paths


def left_out(session: Session, projects: list[str] | None = None, *, without: Collection[str] = ()) -> list[tuple[str, str]]:
    """The files of the store or of these projects that the bundle lacks, with the reason: links, special and hidden files.

    `without` are files that the user excluded.
    """
    own = [(path, YOU_LEFT_IT) for path in without]
    try:
        found = inside(session.root)
    except OSError as error:
        return [*own, (os.path.relpath(str(error.filename), session.root), f"it cannot be listed: {error.strerror}")]
    layout = session.layout
    hidden = () if layout.has_others else (path for path in found.files if foreign_problem(layout, path))
    every = (path for path in (*found.others, *hidden) if not path.startswith(".zsmem") and ".zsmem-" not in os.path.basename(path))
    return [*own, *((path, _kind(session, path)) for path in every if _is_wanted(layout, path, projects))]


def left_said(left: Sequence[tuple[str, str]]) -> str:
    """Sum up the left-out files in a sentence that names the first ones; empty if there are none."""
    if not left:
        return ""
    named = [f"{printable_path(path)} ({why})" for path, why in left]
    return f"Left out: {counted(len(left), 'file')}: {listed(named, _MOST_NAMED)}."


def _kind(session: Session, path: str) -> str:
    place = os.path.join(session.root, path)
    why = foreign_problem(session.layout, path) if os.path.isfile(place) else "no ordinary file"
    return "a link" if os.path.islink(place) else why


def gate(session: Session, paths: Iterable[str], *, cancelled: Callable[[], bool] = lambda: False) -> Gate:
    """Find the credentials that a bundle of these files would contain; stops early when cancelled.

    A file that cannot be read is skipped: writing the bundle reads it again.
    """
    found: list[Notice] = []
    for path in paths:
        if cancelled():
            break
        with contextlib.suppress(StoreError):
            raw, _ = files.read(os.path.join(session.root, path))
            found += of_files({path: raw}, Handling.STOP)[0].found
    return Gate(Handling.STOP, tuple(found))


def export(
    session: Session,
    out: IO[bytes],
    projects: list[str] | None = None,
    *,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    told: Callable[[str], object] = str,
) -> int:
    """Write the store or these projects as a bundle, except the files `without`; return the number of files.

    `told` is called with a sentence about credentials. Raises `RuleBroken` for a credential that would be exported undecided,
    `Missing` or `StoreError`; nothing was written then.
    """
    paths = [path for path in paths_out(session, projects) if path not in without]
    slugs = {slug for path in paths if (slug := session.layout.group_of(path))}

    def through(texts: Mapping[str, bytes]) -> Mapping[str, bytes]:
        found, goes = of_files(texts, secrets)
        found.check()
        if found.said:
            told(found.said)
        return goes

    return bundle.write(session.root, paths, _folders(session, slugs), session.layout, out, through)


def plan_out(
    session: Session,
    place: str,
    *,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    again: Plan | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Plan:
    """Plan writing the store as a bundle to a file, except the files `without`. Raises `Missing` or `StoreError`.

    Credentials are searched once, not again if there is a plan `again`, and once more on writing.
    """
    paths = paths_out(session)
    found: Gate = again.read if again else gate(session, paths, cancelled=cancelled)
    stay = {*map(printable_path, without)}
    left = left_said(left_out(session, without=sorted(without)))
    rows = (Row(path, place, Fate.ADD, key=path, ref=session.ref_at(path), can_be=True) for path in paths)
    return Plan(
        "",
        "",
        rows=tuple(row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT, ticked=False) if row.key in without else row for row in rows),
        gate=Gate(secrets, tuple(each for each in found.found if each.place not in stay)),
        rest=left or "Nothing is lost: every file goes along.",
        target=session,
        later=lambda keys: (Edit(session, ref, b"", files.read(session.path(ref))[0]) for ref in map(session.ref_at, keys)),
        act=partial(export_to, session, place, without=without, secrets=secrets),
        read=found,
    )


@says_undo
def export_to(
    session: Session,
    place: str,
    projects: list[str] | None = None,
    *,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
) -> VerbResult:
    """Write a bundle to a file, as an undoable step. An existing bundle is kept under another name.

    Raises `BadTarget` if any other file is there, `RuleBroken` as `export` does, `Missing` or `StoreError`.
    """
    if "\0" in place:
        raise BadTarget("A file's name cannot hold a NUL byte. Nothing was exported.")
    place = os.path.join(locate.working_folder(), locate.expanded(place))
    if is_inside(place, session.root):
        raise BadTarget(f"{printable_path(place)} lies in the store itself. Nothing was exported.")
    recorder = session.recorder(f"Exported a bundle to {os.path.basename(place)}", relation=exports.RELATION)
    told: list[str] = []

    def write(stream: IO[bytes]) -> int:
        try:
            return export(session, stream, projects, without=without, secrets=secrets, told=told.append)
        except WriteFailed as error:
            raise error.__cause__ if isinstance(error.__cause__, OSError) else error from error

    count, kept = exports.write_bundle(session.root, recorder, place, write)
    more = f" The one that was there is {printable_path(kept)} now." if kept else ""
    left = left_out(session, projects, without=without)
    wrote = f"Wrote {counted(count, 'file')} to {printable_path(place)}.{more}"
    return VerbResult(" ".join(filter(None, (wrote, *told, left_said(left)))), 1, warning=bool(left))


@contextmanager
def taken_from(stream: IO[bytes]) -> Iterator[str]:
    """Copy a bundle from a pipe to a temporary file that exists within the block. Raises `WriteFailed`."""
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(temporary.held(stream, ".tar.gz"))
        except OSError as error:
            raise WriteFailed("", f"The bundle cannot be taken from standard input: {error.strerror}. {_NOTHING}") from error
        yield place


def plan(session: Session, place: str, *, into: str = "", policy: Policy = Policy.SKIP, without: Collection[str] = ()) -> Plan:
    """Plan an import. `into` renames the bundle's only project; `without` are the keys of files to leave out.

    Without `into`, the project of a folder with the same name as the session's goes to the session's project, since the folder was
    moved or is on another machine. Other projects keep their names. Texts are read when they are written.

    Raises `BadTarget`, `BadContent`, `BadName`, `Missing` or `Unreadable`.
    """
    place = locate.expanded(place)
    if not os.path.isfile(place):
        kind = "is a folder" if os.path.isdir(place) else "is no ordinary file" if os.path.lexists(place) else "does not exist"
        raise Missing(place, f"{printable_path(place)} {kind}. Nothing was imported.")
    interrupted.recover()
    contents = bundle.look(place, session.layout)
    layout = session.layout
    slugs = {slug for member in contents.members if (slug := layout.group_of(member.path))}
    if into and len(slugs) != 1:
        raise BadTarget(f"The bundle has {len(slugs)} projects, so --into cannot say which one is meant. Nothing was imported.")
    own = goal(session, into, "Nothing was imported.") if into else ""
    moved = {} if into else _moved(session, contents.folders, slugs)
    note = "".join(
        f"What is of {printable_path(contents.folders[slug])} goes to {printable_path(goal)}, "
        f"for {printable_path(session.folder)} has that name here."
        for slug, goal in moved.items()
    )

    def target(path: str) -> str:
        goal = own or moved.get(layout.group_of(path), "")
        return in_project(layout, path, goal) if goal else path

    targets = {member.path: target(member.path) for member in contents.members}
    taken = {path.casefold() for path in targets.values()}
    placed = [_placed(session, member, targets[member.path], policy, taken) for member in contents.members]
    rows = tuple(row._replace(ticked=row.ticked and row.key not in without) for row, _ in placed)
    there = sum(row.ticked for row in rows)
    same = sum(row.fate is Fate.DUPLICATE for row in rows)
    left = sum(not row.ticked and row.fate is not Fate.DUPLICATE for row in rows)
    said = f"Left out: {counted(left, 'file')}." if left else ""
    replaced = sum(row.ticked and row.fate is Fate.CONFLICT for row in rows) if policy is Policy.REPLACE else 0
    over = f"{counted(replaced, 'file')} of the store {'is' if replaced == 1 else 'are'} replaced." if replaced else ""
    whole = "Nothing is lost: every file was checked and is in the store afterwards."
    done = f"Imported {counted(there, 'file')}; {same:,} {'was' if same == 1 else 'were'} there already."
    expected = {row.key: digest for row, digest in placed}
    return Plan(
        f"Imported {os.path.basename(place)}",
        " ".join(filter(None, (done, note if there else "", said))),
        nothing=_NOTHING,
        rows=rows,
        notes=(note,) if note else (),
        unchanged=f"Imported 0 files; {same:,} {'was' if same == 1 else 'were'} there already. {said}".rstrip(),
        origin=Origin.IMPORTED,
        rest=" ".join(filter(None, (over, said))) or whole,
        hints=tuple(f"--into {printable_path(slug)} puts it where it was." for slug in moved),
        target=session,
        later=partial(_read, session, place, contents, {row.key: row for row in rows}, expected, policy),
    )


def _read(
    session: Session,
    place: str,
    contents: bundle.Contents,
    rows: Mapping[str, Row],
    expected: Mapping[str, str],
    policy: Policy,
    keys: Collection[str],
) -> Iterator[Edit]:
    """Yield the edits for the files of a bundle with these keys. Raises what `plan` does."""
    for member, raw in bundle.texts(place, contents) if keys else ():
        if member.path not in keys:
            continue
        row = rows[member.path]
        now: bytes | None = None
        with contextlib.suppress(StoreError):
            now = interrupted.standing(session.root, row.ref.path)
        merged = raw if policy is Policy.MERGE and now is not None and row.fate is not Fate.DUPLICATE else None
        after = raw if merged is None or now is None else keep_both(now, raw)
        modified = None if merged is not None else member.modified
        mode = member.mode & _NO_PROGRAM
        yield Edit(session, row.ref, now, after, merged=merged, mode=mode, modified=modified, expected=expected[member.path])


def _folders(session: Session, slugs: set[str]) -> dict[str, str]:
    """The folders of these projects, as far as an agent of this machine has worked in them."""
    found = {session.project: session.folder} if session.folder else {}
    for each in known_folders(session.folder) if slugs - found.keys() else ():
        with contextlib.suppress(BadTarget):  # a store without groups by folder
            found.setdefault(folder_slug(session, each.folder), each.folder)
    return {slug: folder for slug, folder in found.items() if slug in slugs}


def _moved(session: Session, folders: Mapping[str, str], slugs: Collection[str]) -> dict[str, str]:
    """Map the bundle's project that is the session's under another path, if exactly one fits; else empty."""
    name = os.path.basename(session.folder.rstrip("/"))
    alike = [slug for slug, folder in folders.items() if slug in slugs and os.path.basename(folder.rstrip("/")) == name]
    if not name or session.project in slugs or len(alike) != 1:
        return {}
    home = os.path.join(session.root, session.layout.home_of(alike[0]))
    is_at_home = os.path.lexists(home) and os.path.isdir(folders[alike[0]])
    return {} if is_at_home else {alike[0]: session.project}


def _placed(session: Session, member: bundle.Member, path: str, policy: Policy, taken: set[str]) -> tuple[Row, str]:
    """The row for a file, and the digest of the existing file at its target."""
    ref = session.ref_at(path)
    row = Row(member.path, session.path(ref), Fate.SKIPPED, key=member.path, ticked=False, ref=ref)
    if problem := foreign_problem(session.layout, path):
        return row._replace(reason=problem), NO_FILE
    try:
        now = interrupted.standing(session.root, path)
    except StoreError as error:
        return row._replace(reason=error.reason), NO_FILE
    expected = digest_of(now)
    if expected == member.digest:
        return row._replace(fate=Fate.DUPLICATE, reason=IS_THERE), expected
    if now is None:
        return row._replace(fate=Fate.ADD, ticked=True, can_be=True), NO_FILE
    row = row._replace(fate=Fate.CONFLICT, reason=f"another text has its name: {policy}", can_be=policy is not Policy.SKIP)
    if policy is Policy.RENAME:
        free = session.ref_at(_free(session, path, taken))
        taken.add(free.path.casefold())
        return row._replace(place=session.path(free), ref=free, ticked=True), NO_FILE
    return row._replace(ticked=row.can_be), expected


def _free(session: Session, path: str, taken: set[str]) -> str:
    """A similar path that is neither in the store nor in the bundle."""
    stem, ending = os.path.splitext(path)
    for free in (f"{stem}-{number}{ending}" for number in range(2, 10_000)):
        if free.casefold() not in taken and not os.path.lexists(os.path.join(session.root, free)):
            return free
    raise BadTarget(f"{printable_path(path)} is taken ten thousand times. {_NOTHING}")


def _is_wanted(layout: Layout, path: str, projects: list[str] | None) -> bool:
    return projects is None or layout.group_of(path) in projects
