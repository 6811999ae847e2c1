"""The verbs that bring projects in order: move, merge, follow, archive and label. Each is one step, and one undo takes it back."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadName, BadTarget, MemError, Missing, StoreError
from zsmem_tui.core.layout import is_named_after_folder
from zsmem_tui.core.names import project_name
from zsmem_tui.core.near import did_you_mean
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.project_merge import Home, relation
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.text import counted, one_line, printable_path
from zsmem_tui.service.projects import carried
from zsmem_tui.service.projects.known import KnownProject, group_called, known_projects
from zsmem_tui.service.projects.own import folder_slug
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session, as_it_was
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import files
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.scan import project_slugs
from zsmem_tui.store.transfer import archives, relocation
from zsmem_tui.store.transfer.relocation import Fate as Fate
from zsmem_tui.store.transfer.relocation import Planned as Planned
from zsmem_tui.store.transfer.relocation import PlannedText as PlannedText

LONGEST_LABEL = 100
"""Characters of a name that a person gives."""

TRANSCRIPT: Final = ".jsonl"
"""How the names of files end in which agents keep what was said."""


class Way(NamedTuple):
    """The memory of one slug on its way to another's."""

    source: str
    target: str
    folder: str = ""
    """The folder that the target is the slug of, where it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult(VerbResult):
    """What was done, or with `dry_run` would be, with which files. `stays` are those that were still written when all was done."""

    ways: tuple[Way, ...] = ()
    files: tuple[Planned, ...] = ()
    stays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveResult(VerbResult):
    """What was put away, and where the bundle is (empty for a dry run)."""

    place: str = ""
    stays: tuple[str, ...] = ()


def target_of(session: Session, word: str) -> tuple[str, str]:
    """The slug that a word means, with its folder: one of the store, one that could be, or that of a folder, there or not.

    Raises `BadName` for a word that is neither, `BadTarget` for a folder where memory is not named after folders.
    """
    if word in project_slugs(session.root, session.layout):
        return word, ""
    if "/" in word or word.startswith(("~", "$HOME", ".")) or os.path.isdir(word):
        folder = os.path.abspath(locate.expanded(word))
        return folder_slug(session, folder), folder
    if (called := group_called(session, word)) != word:
        return called, ""
    if parts(word) is None if session.is_zerostack else not _can_be_group(session, word):
        meant = did_you_mean(word, project_slugs(session.root, session.layout))
        raise BadName(
            f"{printable_path(word)} is no project and no folder.{meant} Nothing was done.", "Name a folder, or a project's slug."
        )
    return project_name(word), ""


def plan(session: Session, ways: Sequence[Way]) -> list[Planned]:
    """What would go where. Raises what `merge` raises."""
    _check(session, ways)
    return relocation.plan(session.root, session.layout, _homes(session, ways))


def plan_texts(session: Session, ways: Sequence[Way]) -> list[PlannedText]:
    """The same with what each file would lie in, before and after. Raises what `merge` raises."""
    _check(session, ways)
    return list(relocation.plan_texts(session.root, session.layout, _homes(session, ways)))


@says_undo
def move(session: Session, slug: str, to: str) -> MoveResult:
    """Take the memory of `slug` to that of a folder or slug; where that has memory, it is a merge.

    Raises `Missing`, `BadName`, `BadTarget`, or `StoreError`: nothing has changed then, or the sentence says what has.
    """
    target, folder = target_of(session, to)
    ways = [Way(slug, target, folder)]
    return _relocated(session, ways, f"Moved {_called(session, slug)} to {_called(session, target, folder)}")


@says_undo
def merge(session: Session, slugs: Sequence[str], into: str) -> MoveResult:
    """Take the memory of all these into that of a folder or slug, which so has what they had. Raises what `move` raises."""
    target, folder = target_of(session, into)
    ways = [Way(slug, target, folder) for slug in dict.fromkeys(slugs)]
    names = ", ".join(_called(session, way.source) for way in ways)
    return _relocated(session, ways, f"Merged {names} into {_called(session, target, folder)}")


@says_undo
def follow(session: Session, slugs: Sequence[str] | None = None) -> MoveResult:
    """Take every memory whose folder has moved, for sure, to where that is now. Raises what `move` raises.

    With `slugs`, just these, also those whose folder only may have moved: a person has looked.
    """
    known = known_projects(session)
    wanted = known.moved if slugs is None else tuple(each for each in known.projects if each.slug in slugs)
    ways = ways_of(session, wanted)
    if not ways:
        return MoveResult(message="No project's folder is known to have moved.")
    names = [(_called(session, way.source), _called(session, way.target, way.folder)) for way in ways[:1]]
    label = f"Followed {names[0][0]} to {names[0][1]}" if len(ways) == 1 else f"Followed {len(ways)} projects"
    return _relocated(session, ways, label)


def ways_of(session: Session, known: Iterable[KnownProject]) -> list[Way]:
    """Where following would take the memory of those whose folder moved, or may have."""
    moved = [(each.slug, each.verdict.moved_to) for each in known if each.verdict.moved_to]
    return [Way(slug, session.layout.group_named_after(moved_to), moved_to) for slug, moved_to in moved]


def left_beside(session: Session, ways: Iterable[Way]) -> list[str]:
    """What the agent keeps of the folders of these beside their memory, and what stays when that moves: sentences."""
    said: list[str] = []
    records = project_register.load(session.root).records
    settings = _settings_of_folders(session)
    for way in ways:
        home = session.layout.home_of(way.source)
        beside = os.path.join(session.root, os.path.dirname(home))
        if os.path.basename(beside) == way.source.partition(":")[2]:
            names = [name for name in files.list_all(beside) if name != os.path.basename(home)]
            transcripts = sum(name.endswith(TRANSCRIPT) for name in names)
            others = len(names) - transcripts
            counts = [counted(transcripts, "transcript")] if transcripts else []
            counts += [f"{others} {'entry' if others == 1 else 'entries'} of other kinds"] if others else []
            if counts:
                verb = "stays" if len(names) == 1 else "stay"
                said.append(f"{' and '.join(counts)} {verb} in {printable_path(locate.shortened(beside))}.")
        folders = records[way.source].folders if way.source in records else ()
        own = [folder for folder in folders if json.dumps(folder).encode() in settings.text] if settings.text else []
        said += [f"What {_shown(settings.place)} has set for {_shown(folder)} stays there." for folder in own]
    return said


@says_undo
def archive(session: Session, *slugs: str) -> ArchiveResult:
    """Put projects away: a bundle in the state folder, and no more in the store. `import bundle` or undo brings them back.

    Raises `Missing`, or `StoreError`: nothing has changed in the store then.
    """
    names = list(dict.fromkeys(slugs))
    _check(session, [Way(slug, "") for slug in names])
    homes = [session.layout.home_of(slug) for slug in names]
    inside = [relocation.files_of(session.root, home) for home in homes]
    label = f"Archived {_called(session, names[0])}" if len(names) == 1 else f"Archived {counted(len(names), 'project')}"
    if session.dry_run:
        return ArchiveResult(message=f"{label}: {counted(sum(map(len, inside)), 'file')}.", changed=1)
    recorder = _recorder(session, label)
    verdicts = {each.slug: each.verdict for each in known_projects(session).projects}
    known = {slug: verdicts[slug].folder for slug in names if slug in verdicts and verdicts[slug].folder}
    empty = next((slug for slug, its in zip(names, inside, strict=True) if not its), "")
    if empty:
        raise BadTarget(f"{printable_path(empty)} has no files. Nothing was put away.")
    done = archives.archive(session.root, homes, [path for its in inside for path in its], known, session.layout, recorder)
    message = f"{label}: {counted(done.files, 'file')} in {printable_path(done.place)}.{_stays(done.stays)}"
    return ArchiveResult(message=message, changed=done.files, place=done.place, stays=done.stays, warning=bool(done.stays))


@says_undo
def label(session: Session, slug: str, text: str) -> VerbResult:
    """Give a project a name, or with no words take it away. The folder and the memory stay as they are.

    Raises `Missing`, `BadName` for one that is too long, `WriteFailed`.
    """
    _check(session, [Way(slug, "")])
    name = one_line(text)
    if len(name) > LONGEST_LABEL:
        raise BadName(f"A name may have {LONGEST_LABEL} characters. Nothing was changed.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise BadName("A name has to be text. Nothing was changed.") from None
    known = known_projects(session).of(slug)
    before = known.record.label if known is not None else ""
    shown = printable_path(slug)
    if name == before:
        return VerbResult(f"{shown} is called that already." if name else f"{shown} has no name of yours.")
    words = f"Called {slug} {name}" if name else f"Took the name of {slug} away"
    if not session.dry_run:
        recorder = session.recorder(words, relation=project_register.label_relation(slug, before, name))
        carried.set_label(session, slug, name)
        recorder.record_step_end()
    return VerbResult(f"{printable_path(words)}.", 1)


def _relocated(session: Session, ways: Sequence[Way], label: str) -> MoveResult:
    _check(session, ways)
    homes = _homes(session, ways)
    beside = "".join(f" {each}" for each in left_beside(session, ways))
    if session.dry_run:
        wanted = tuple(relocation.plan(session.root, session.layout, homes))
        message = f"{printable_path(label)}: {_counts(wanted)}.{beside}"
        return MoveResult(message=message, changed=1, ways=tuple(ways), files=wanted)
    done = relocation.relocate(session.root, session.layout, homes, _recorder(session, label, relation(homes)))
    problem = ""
    try:
        carried.follow(session, done.carried)
        carried.remember(session, ways)
    except MemError as error:
        problem = f" {error.message}"
    busy = "" if done.lasting else " Somebody keeps writing over it: look again whether it lasts."
    message = f"{printable_path(label)}: {_counts(done.files)}.{_stays(done.stays)}{beside}{busy}{problem}"
    warning = bool(done.stays or busy)
    return MoveResult(
        message=message, changed=max(1, len(done.files)), ways=tuple(ways), files=done.files, stays=done.stays, warning=warning
    )


def _homes(session: Session, ways: Sequence[Way]) -> list[Home]:
    """The folders of these in the store."""
    return [Home(session.layout.home_of(way.source), session.layout.home_of(way.target)) for way in ways]


def _check(session: Session, ways: Sequence[Way]) -> None:
    """Raises where a project is not there, would go into itself, or into one that goes elsewhere itself."""
    session.require_store()
    if not session.layout.group_named_after("/"):
        raise BadTarget(f"{session.layout.title} does not name its memory after folders. Nothing was done.")
    there = set(project_slugs(session.root, session.layout))
    sources = {way.source for way in ways}
    for way in ways:
        shown = printable_path(way.source)
        if way.source not in there:
            meant = did_you_mean(way.source, there)
            raise Missing(session.root, f"There is no project {shown}.{meant} Nothing was done.", "`zsmem projects` lists them.")
        for group in filter(None, (way.source, way.target)):
            if not is_named_after_folder(session.layout, group):
                raise BadTarget(f"{printable_path(group)} is not the memory of a folder. Nothing was done.")
        if way.source == way.target:
            raise BadTarget(f"{shown} is there already: a project cannot go into itself. Nothing was done.")
        if way.target in sources:
            raise BadTarget(f"{printable_path(way.target)} goes elsewhere itself. Nothing was done.", "Do one after the other.")


def _recorder(session: Session, label: str, relation: str = "") -> Recorder:
    """What takes down such a step: texts go elsewhere as they are, also those that the agent makes itself."""
    recorder = session.recorder(label, relation=relation)
    recorder.guard = as_it_was(session.guard) if session.guard is not None else None
    return recorder


def _called(session: Session, slug: str, folder: str = "") -> str:
    """What a project is called in a sentence: its slug, or where that is all of a path its folder, if that is known."""
    if session.is_zerostack:
        return slug
    if not folder:
        record = project_register.load(session.root).records.get(slug)
        folder = record.folders[0] if record is not None and len(record.folders) == 1 else ""
    return locate.shortened(folder) if folder else slug


class _Settings(NamedTuple):
    place: str = ""
    text: bytes = b""


def _settings_of_folders(session: Session) -> _Settings:
    """The file in which the agent keeps what is set for single folders; empty where it has none."""
    from zsmem_tui.service.stores import kind_of  # every agent's rules, which zerostack can do without

    if session.is_zerostack:
        return _Settings()
    place = kind_of(session.layout.kind).folder_settings(session.root)
    with contextlib.suppress(StoreError):
        return _Settings(place, files.read_if_there(place) or b"") if place else _Settings()
    return _Settings()


def _shown(path: str) -> str:
    return printable_path(locate.shortened(path))


def _can_be_group(session: Session, word: str) -> bool:
    """Whether a word is the name of a group that a folder could have."""
    return is_named_after_folder(session.layout, word) and bool(session.layout.home_of(word))


def _counts(planned: Sequence[Planned]) -> str:
    """How many files, and what became of those that are not just in another place."""
    words = {Fate.MERGED: "merged", Fate.ONCE: "there already", Fate.BESIDE: "kept beside another of its name"}
    counts = [(sum(each.fate is fate for each in planned), said) for fate, said in words.items()]
    more = [f"{count} {said}" for count, said in counts if count]
    return ", ".join([counted(len(planned), "file"), *more])


def _stays(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    return f" Written meanwhile, and so still there: {', '.join(map(printable_path, paths))}."
