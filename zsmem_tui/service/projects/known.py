"""What is known of the folder of every memory: the register compared with the folders that exist."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.config import locate
from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.errors import BadTarget, ConfigError, StoreError, WriteFailed
from zsmem_tui.core.layout import group_label
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import FolderFacts, ProjectRecord, State, Verdict, judge
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.projects.own import group_maker, listed_folders, of_folders, own_folder
from zsmem_tui.service.session import Session
from zsmem_tui.service.status import projects
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import files, git_facts
from zsmem_tui.store.disk.deadlines import ask_each
from zsmem_tui.store.project_register import Register, with_commits
from zsmem_tui.store.scan import project_slugs

_OF_NO_FOLDER: Final = Verdict(State.UNKNOWN, why="This memory is not named after a folder: there is none that it could follow.")


class KnownProject(NamedTuple):
    """One memory with what is known of its folder. `label` is for display: the user's name for it, the folder's, or the slug. Only
    memory `of_folder` can be moved, merged, labeled and archived. `came_from` names the projects whose memory was moved here.
    """

    slug: str
    place: str
    label: str
    verdict: Verdict
    record: ProjectRecord
    of_folder: bool = True
    came_from: tuple[str, ...] = ()


class KnownProjects(NamedTuple):
    """Every memory of a store, by slug. `problems` are sentences about a damaged register or unresponsive folders."""

    projects: tuple[KnownProject, ...]
    problems: tuple[str, ...] = ()

    def of(self, slug: str) -> KnownProject | None:
        """The project with a slug; None if there is none."""
        return next((each for each in self.projects if each.slug == slug), None)

    @property
    def gone(self) -> frozenset[str]:
        """The slugs whose folder does not exist and has no candidate."""
        return frozenset(each.slug for each in self.projects if each.verdict.state is State.GONE)


def folders_here(session: Session) -> list[str]:
    """The existing folders of the store's memories, as far as the register knows them."""
    return [each.verdict.folder for each in known_projects(session).projects if each.verdict.state is State.HERE]


def known_projects(session: Session) -> KnownProjects:
    """The register's knowledge, with a check of which folders exist. Quick: it searches for nothing (see `naming`)."""
    slugs = project_slugs(session.root, session.layout)
    own = of_folders(session, slugs)
    if not own:
        return KnownProjects(tuple(_of_no_folder(session, slug) for slug in slugs))
    register = project_register.load(session.root)
    records = with_own_folder(session, register.records, slugs)
    present, silent = _present(register, {slug: records[slug] for slug in slugs if slug in records}, own_folder(session))
    verdicts = judge(own, records, present, group_maker(session))
    every = [
        _known(session, slug, records.get(slug, ProjectRecord(slug)), verdicts[slug], records)
        if slug in verdicts
        else _of_no_folder(session, slug)
        for slug in slugs
    ]
    problems = [register.problem] if register.problem else []
    problems += [f"{printable_path(folder)} does not answer." for folder in silent]
    return KnownProjects(tuple(every), tuple(problems))


def groups_called(session: Session, name: str) -> list[str]:
    """The projects that a name means: by slug, by the part after the colon, else by label."""
    if not name:
        return []
    there = project_slugs(session.root, session.layout)
    found = [name] if name in there else [slug for slug in there if slug.partition(":")[2] == name]
    if found:
        return found
    from zsmem_tui.service.projects.naming import refresh  # deferred: only for a name that is no slug

    with contextlib.suppress(WriteFailed):
        refresh(session)
    return [each.slug for each in known_projects(session).projects if each.of_folder and each.label == visible_line(name)]


def group_called(session: Session, name: str) -> str:
    """The project that a name means, or the name itself if none. Raises `BadTarget` if it is ambiguous."""
    found = groups_called(session, name)
    if len(found) > 1:
        shown = ", ".join(map(printable_path, found))
        raise BadTarget(f"{len(found)} projects are called {printable_path(name)}. Nothing was done.", f"They are {shown}.")
    return found[0] if found else name


def memory_for(session: Session, known: KnownProjects, folder: str) -> KnownProject | None:
    """The memory that seems to belong to a folder without one: that of a folder which became this one, certainly or maybe.

    None if the folder has memory, or if no memory or more than one fits.
    """
    if not folder or any(each.slug == group_maker(session)(folder) for each in known.projects):
        return None
    fitting = [each for each in known.projects if each.verdict.moved_to == folder]
    return fitting[0] if len(fitting) == 1 else None


def belongs_here(found: KnownProject) -> str:
    """A sentence about memory that seems to belong to the current folder (`memory_for`)."""
    folder = found.verdict.folder
    if folder == found.verdict.moved_to:
        return "The memory made in this folder lies under another name."
    return f"The memory of {visible_line(printable_path(locate.shortened(folder)))} seems to belong here."


def former_slugs(session: Session) -> dict[str, tuple[str, ...]]:
    """The former slugs of each project whose memory was moved to it."""
    return {slug: each.formerly for slug, each in project_register.load(session.root).records.items() if each.formerly}


def with_entries(session: Session, known: KnownProjects) -> list[tuple[ProjectEntry, KnownProject]]:
    """Like `known`, with the files and open items of each."""
    by_slug = {each.slug: each for each in known.projects}
    folders = {each.slug: each.verdict.folder for each in known.projects}
    return [(entry, by_slug[entry.slug]) for entry in projects(session, folders) if entry.slug in by_slug]


def with_own_folder(session: Session, records: Mapping[str, ProjectRecord], slugs: list[str]) -> Mapping[str, ProjectRecord]:
    """The records, supplemented by folders that the agent lists, and by the current folder for the session's project."""
    for slug, listed in listed_folders(session).items():
        record = records.get(slug, ProjectRecord(slug))
        records = {**records, slug: record if listed in record.folders else record._replace(folders=(listed,))}
    own, folder = session.project, own_folder(session)
    if not folder or own not in slugs or session.layout.group_named_after(folder) != own:
        return records
    record = records.get(own, ProjectRecord(own))
    return records if folder in record.folders else {**records, own: record._replace(folders=(*record.folders, folder))}


def _present(register: Register, records: Mapping[str, ProjectRecord], own: str) -> tuple[dict[str, FolderFacts], list[str]]:
    """The existing folders among the recorded ones and the current one, and those that did not respond.

    A folder with the same identity as before is not examined again.
    """
    seen = {record.facts.path: record.facts for record in records.values() if record.facts}
    named = {folder for record in records.values() for folder in (*record.folders, *record.candidates)}
    wanted = sorted({*named, *filter(None, [own])})

    def look(folder: str) -> FolderFacts | None:
        was = seen.get(folder)
        if was is not None and git_facts.identity_of(folder) == was.identity:
            return was
        facts = git_facts.observed(folder)
        return None if facts is None else with_commits(facts, register.commits)

    found, silent = ask_each(wanted, look)
    return {folder: facts for folder, facts in found if facts is not None}, silent


def _known(
    session: Session, slug: str, record: ProjectRecord, verdict: Verdict, records: Mapping[str, ProjectRecord]
) -> KnownProject:
    name = record.label or os.path.basename(verdict.folder) or group_label(session.layout, slug)
    place = os.path.join(session.root, session.layout.home_of(slug))
    former = {each: records[each].folders if each in records else () for each in record.formerly}
    called = (locate.shortened(own[0]) if own else group_label(session.layout, each) for each, own in former.items())
    came_from = tuple(visible_line(printable_path(each)) for each in called)
    return KnownProject(slug, place, visible_line(printable_path(name)), verdict, record, came_from=came_from)


def _of_no_folder(session: Session, slug: str) -> KnownProject:
    return _known(session, slug, ProjectRecord(slug), _OF_NO_FOLDER, {})._replace(of_folder=False)


def last_sessions(session: Session) -> dict[str, int]:
    """When the newest session of each project's folder was last written, in nanoseconds since 1970, by slug.

    Run it in a thread: it reads all session files.
    """
    agent = registry.agent(session.layout.kind)
    sessions = agent.sessions if agent is not None else None
    if sessions is None:
        return {}
    try:
        places = sessions.folders(session.root, locate.environment(), locate.home_folder())
    except ConfigError:
        return {}
    slugs = set(project_slugs(session.root, session.layout))
    latest: dict[str, int] = {}
    for place in (os.path.join(folder, name) for folder in places for name in files.list_all(folder)):
        if not place.endswith(sessions.ending):
            continue
        try:
            when = files.look(place).mtime_ns
            found = {project_slug(folder) for folder in sessions.working_folders(files.pieces(place))}
        except StoreError:
            continue
        for slug in found & slugs:
            latest[slug] = max(latest.get(slug, 0), when)
    return latest
