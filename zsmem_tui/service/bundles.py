"""The whole store, or some projects, as one file; and back."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import IO, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadTarget, Missing, StoreError, WriteFailed
from zsmem_tui.core.finding import Finding
from zsmem_tui.core.layout import Layout, foreign_problem, in_project, project_of
from zsmem_tui.core.names import project_name
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.importing import YOU_LEFT_IT, Policy
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.outgoing_secrets import of_files
from zsmem_tui.service.plan import Fate, Gate, Handling
from zsmem_tui.service.projects.own import folder_slug
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import interrupted
from zsmem_tui.store.disk import files, temporary
from zsmem_tui.store.disk.digests import NO_FILE, digest_of
from zsmem_tui.store.disk.folders import every_file, inside
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.transfer import bundle, exports

_MOST_NAMED: Final = 5
"""Files that are named where some are left out."""


_NO_PROGRAM: Final = 0o664
"""The permission bits that a file from elsewhere may bring: it cannot be run, nor written by everybody."""


class PlannedFile(NamedTuple):
    """A file of a bundle with its target in the store and its fate. `expected` tells what stood there when it was planned."""

    source: str
    path: str
    fate: Fate
    reason: str
    ticked: bool
    expected: str = NO_FILE


class BundlePlan(NamedTuple):
    """What an import of a bundle would do; all of it was checked, and nothing is written yet.

    `moved` has projects of it that go to another one here without being asked to, with that one; `note` says so, as a sentence.
    """

    place: str
    contents: bundle.Contents
    files: tuple[PlannedFile, ...]
    policy: Policy
    moved: Mapping[str, str] = MappingProxyType({})
    note: str = ""

    @property
    def folders(self) -> Mapping[str, str]:
        """The folder of each project that it was of where the bundle was made, as far as the bundle tells."""
        return self.contents.folders

    @property
    def left(self) -> int:
        """How many files of the bundle stay out although the store does not hold them."""
        return sum(not each.ticked and each.fate is not Fate.DUPLICATE for each in self.files)

    @property
    def rest(self) -> str:
        """What stays out, and what stands here and is replaced, counted, as sentences; or that nothing is lost."""
        replaced = sum(each.ticked and each.fate is Fate.CONFLICT for each in self.files) if self.policy is Policy.REPLACE else 0
        said = [f"{counted(replaced, 'file')} of the store {'is' if replaced == 1 else 'are'} replaced."] if replaced else []
        said += [f"Left out: {counted(self.left, 'file')}."] if self.left else []
        return " ".join(said) or "Nothing is lost: every file was checked and is in the store afterwards."


def paths_out(session: Session, projects: list[str] | None = None) -> list[str]:
    """The files of the store, or of these projects, that a bundle of it holds. Raises `Missing` or `StoreError`."""
    paths = []
    for path in every_file(session.root, lambda name: not name.startswith(".zsmem")):
        whole, name = os.path.join(session.root, path), os.path.basename(path)
        wanted = ".zsmem-" not in name and _is_wanted(session.layout, path, projects)
        if wanted and os.path.isfile(whole) and not os.path.islink(whole) and not foreign_problem(session.layout, path):
            paths.append(path)
    if not paths:
        raise Missing(session.root, f"{printable_path(session.root)}: there is nothing to export.")
    return paths


def left_out(session: Session, projects: list[str] | None = None, *, without: Collection[str] = ()) -> list[tuple[str, str]]:
    """What of the store, or of these projects, is not in the bundle, by path, and why: links, what is no file, what is hidden.

    `without` are files that stay out because somebody said so. A backup that is not whole must say so.
    """
    own = [(path, YOU_LEFT_IT) for path in without]
    try:
        found = inside(session.root)
    except OSError as error:
        return [*own, (os.path.relpath(str(error.filename), session.root), f"it cannot be listed: {error.strerror}")]
    layout = session.layout
    hidden = () if layout.has_others else (path for path in found.files if foreign_problem(layout, path))
    left = [path for path in (*found.others, *hidden) if not _is_ours(path) and _is_wanted(layout, path, projects)]
    return [*own, *((path, _kind(session, path)) for path in left)]


def left_said(left: Sequence[tuple[str, str]]) -> str:
    """What is not in a bundle, counted, the first of it named, as a sentence; empty where all is."""
    if not left:
        return ""
    named = [f"{printable_path(path)} ({why})" for path, why in left[:_MOST_NAMED]]
    more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
    return f"Left out: {counted(len(left), 'file')}: {', '.join(named)}{more}."


def _is_ours(path: str) -> bool:
    """Whether it is a file that this program works with, which is there for a moment."""
    return path.startswith(".zsmem") or ".zsmem-" in os.path.basename(path)


def _kind(session: Session, path: str) -> str:
    place = os.path.join(session.root, path)
    if os.path.islink(place):
        return "a link"
    return foreign_problem(session.layout, path) if os.path.isfile(place) else "no ordinary file"


def gate(session: Session, paths: Iterable[str], *, cancelled: Callable[[], bool] = lambda: False) -> Gate:
    """The credentials that a bundle of these files would take out; of those before it was told to stop.

    A file that cannot be read now has none: it is read again when the bundle is written.
    """
    found: list[Finding] = []
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
    """Write the store, or these projects, as a bundle, `without` these files; how many.

    `told` gets what became of credentials, as a sentence. Raises `RuleBroken` where one would go out that nobody has decided about,
    `Missing` or `StoreError`; nothing was written then.
    """
    paths = [path for path in paths_out(session, projects) if path not in without]
    slugs = {slug for path in paths if (slug := project_of(session.layout, path))}

    def through(texts: Mapping[str, bytes]) -> Mapping[str, bytes]:
        found, goes = of_files(texts, secrets)
        found.check()
        if found.said:
            told(found.said)
        return goes

    return bundle.write(session.root, paths, _folders(session, slugs), session.layout, out, through)


@says_undo
def export_to(
    session: Session,
    place: str,
    projects: list[str] | None = None,
    *,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
) -> VerbResult:
    """Write a bundle to a file, in one step that can be undone.

    A bundle that is there already is kept beside it. Raises `BadTarget` (any other file that is there), `RuleBroken` as `export`
    does, `Missing` or `StoreError`.
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
    """A bundle that comes through a pipe, as a file while the block lasts. Raises `WriteFailed`."""
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(temporary.held(stream, ".tar.gz"))
        except OSError as error:
            raise WriteFailed(
                "", f"The bundle cannot be taken from standard input: {error.strerror}. Nothing was imported."
            ) from error
        yield place


def plan(session: Session, place: str, *, into: str = "", policy: Policy = Policy.SKIP) -> BundlePlan:
    """What an import would do. `into` gives the bundle's only project another slug.

    Without it, what is of a folder that is called as the session's goes to the session's project: the folder was moved, or is on
    another machine. Everything else goes to the project that it was of.

    Raises `BadTarget`, `BadContent`, `BadName`, `Missing` or `Unreadable`.
    """
    place = locate.expanded(place)
    if not os.path.isfile(place):
        kind = "It is a folder" if os.path.isdir(place) else "It is no ordinary file" if os.path.lexists(place) else "No such file"
        raise Missing(place, f"{printable_path(place)}: {kind}. Nothing was imported.")
    interrupted.recover()
    contents = bundle.look(place, session.layout)
    layout = session.layout
    slugs = {slug for member in contents.members if (slug := project_of(layout, member.path))}
    if into and len(slugs) != 1:
        raise BadTarget(f"The bundle has {len(slugs)} projects, so --into cannot say which one is meant. Nothing was imported.")
    own = project_name(into) if into else ""
    moved = {} if into else _moved(session, contents.folders, slugs)
    note = "".join(
        f"What is of {printable_path(contents.folders[slug])} goes to {printable_path(goal)}, "
        f"for {printable_path(session.folder)} has that name here."
        for slug, goal in moved.items()
    )

    def target(path: str) -> str:
        goal = own or moved.get(project_of(layout, path), "")
        return in_project(layout, path, goal) if goal else path

    targets = {member.path: target(member.path) for member in contents.members}
    taken = {path.casefold() for path in targets.values()}
    placed = [_fate(session, member, targets[member.path], policy, taken) for member in contents.members]
    return BundlePlan(place, contents, tuple(placed), policy, moved, note)


@says_undo
def apply(session: Session, wanted: BundlePlan, texts: Mapping[str, bytes] = MappingProxyType({})) -> VerbResult:
    """Put in what was planned, all or none. One step to undo. `texts` are merged ones that were decided, by their place in it.

    Raises `Conflict` when somebody wrote one of the places since, `BadContent` or `StoreError`; nothing has been written then,
    or the sentence says what has.
    """
    targets = {each.source: each for each in wanted.files if each.ticked}
    label = f"Imported {os.path.basename(wanted.place)}"
    with session.batch(label, Origin.IMPORTED, nothing="Nothing was imported.") as batch:
        for member, raw in bundle.texts(wanted.place, wanted.contents) if targets else ():
            each = targets.get(member.path)
            if each is not None:
                merged = wanted.policy is Policy.MERGE and each.fate is Fate.CONFLICT
                now = interrupted.standing(session.root, each.path) if merged else None
                text = texts.get(member.path, keep_both(now, raw)) if now is not None else raw
                modified = None if now is not None else member.modified
                batch.put(each.path, each.expected, text, mode=member.mode & _NO_PROGRAM, modified=modified)
    written = batch.written
    same = sum(each.fate is Fate.DUPLICATE for each in wanted.files)
    message = f"Imported {counted(len(written), 'file')}; {same} {'was' if same == 1 else 'were'} there already."
    note = wanted.note if written else ""
    left = f"Left out: {counted(wanted.left, 'file')}." if wanted.left else ""
    return VerbResult(" ".join(filter(None, (message, note, left))), len(written))


def texts(session: Session, wanted: BundlePlan, source: str) -> tuple[bytes | None, bytes]:
    """What stands where a file of the bundle would go (None: nothing), and what would stand there.

    Raises `BadContent`, `Missing` or `Unreadable`.
    """
    for _, now, raw in sides(session, wanted, {source}):
        return now, keep_both(now, raw) if wanted.policy is Policy.MERGE and now is not None else raw
    return None, b""


def sides(session: Session, wanted: BundlePlan, sources: Collection[str]) -> Iterator[tuple[str, bytes | None, bytes]]:
    """Of these files of the bundle: its place in it, what stands where it would go (None: nothing), and what the bundle has.

    Raises `BadContent`, `Missing` or `Unreadable`.
    """
    targets = {each.source: each.path for each in wanted.files if each.source in sources}
    for member, raw in bundle.texts(wanted.place, wanted.contents):
        if member.path in targets:
            now: bytes | None = None
            with contextlib.suppress(StoreError):
                now = interrupted.standing(session.root, targets[member.path])
            yield member.path, now, raw


def _folders(session: Session, slugs: set[str]) -> dict[str, str]:
    """The folder of each of these projects, where an agent of this machine has worked in it."""
    found = {session.project: session.folder} if session.folder else {}
    for each in known_folders(session.folder) if slugs - found.keys() else ():
        with contextlib.suppress(BadTarget):  # a store that has no groups of folders
            found.setdefault(folder_slug(session, each.folder), each.folder)
    return {slug: folder for slug, folder in found.items() if slug in slugs}


def _moved(session: Session, folders: Mapping[str, str], slugs: Collection[str]) -> dict[str, str]:
    """The project of a bundle that is the session's, seen from another folder of the same name; empty when none plainly is."""
    name = os.path.basename(session.folder.rstrip("/"))
    alike = [slug for slug, folder in folders.items() if slug in slugs and os.path.basename(folder.rstrip("/")) == name]
    if not name or session.project in slugs or len(alike) != 1:
        return {}
    home = os.path.join(session.root, session.layout.home_of(alike[0]))
    is_at_home = os.path.lexists(home) and os.path.isdir(folders[alike[0]])
    return {} if is_at_home else {alike[0]: session.project}


def _fate(session: Session, member: bundle.Member, path: str, policy: Policy, taken: set[str]) -> PlannedFile:
    source = member.path
    if problem := foreign_problem(session.layout, path):
        return PlannedFile(source, path, Fate.SKIPPED, problem, False)
    try:
        now = interrupted.standing(session.root, path)
    except StoreError as error:
        return PlannedFile(source, path, Fate.SKIPPED, error.message.removesuffix(" Nothing was written."), False)
    expected = digest_of(now)
    if expected == member.digest:
        return PlannedFile(source, path, Fate.DUPLICATE, "it is there already", False, expected)
    if now is None:
        return PlannedFile(source, path, Fate.ADD, "", True)
    if policy is Policy.RENAME:
        free = _free(session, path, taken)
        taken.add(free.casefold())
        return PlannedFile(source, free, Fate.CONFLICT, "another text has its name: rename", True)
    ticked = policy in (Policy.REPLACE, Policy.MERGE)
    return PlannedFile(source, path, Fate.CONFLICT, f"another text has its name: {policy}", ticked, expected)


def _free(session: Session, path: str, taken: set[str]) -> str:
    """A name like it that neither the store has nor the bundle brings."""
    stem, ending = os.path.splitext(path)
    for number in range(2, 10_000):
        free = f"{stem}-{number}{ending}"
        if free.casefold() not in taken and not os.path.lexists(os.path.join(session.root, free)):
            return free
    raise BadTarget(f"{printable_path(path)} is taken ten thousand times. Nothing was imported.")


def _is_wanted(layout: Layout, path: str, projects: list[str] | None) -> bool:
    if projects is None:
        return True
    return project_of(layout, path) in projects
