"""Find the folder of every memory, with the cheapest sources first and a walk over the home folder last.

A slug is never decoded into a path: a candidate folder counts only if its own slug is equal.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.config import locate
from zsmem_tui.core.errors import ConfigError, StoreError
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import (
    TOP,
    FolderFacts,
    ProjectRecord,
    differ,
    is_alike,
    is_same_by_identity,
    is_same_remote,
    is_worth_a_look,
    may_follow,
    other_spellings,
)
from zsmem_tui.core.slug_hash import START, SlugParts, folders_above, onwards, parts
from zsmem_tui.core.text import grouped, printable_path
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.projects.own import of_folders, own_folder
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import files, folder_walk, git_facts
from zsmem_tui.store.disk.deadlines import BUDGET, ask_each
from zsmem_tui.store.disk.folder_walk import SeenFolder
from zsmem_tui.store.disk.listing import DiskHeads
from zsmem_tui.store.project_register import Register, repository_key, with_commits
from zsmem_tui.store.scan import project_slugs

_MOST_CANDIDATES: Final = 16
"""The most candidates kept for a folder that is gone; if there is more than one, none is chosen automatically."""


class NamingResult(NamedTuple):
    """The result, or how far it is: the number of memories with a known folder, of all memories, and of folders walked over.

    `problems` are sentences about what could not be read; `is_whole` is False if the walk was cancelled or cut short. `sought` are
    the memories whose folder was missing before the walk.
    """

    named: int
    memories: int
    folders: int = 0
    problems: tuple[str, ...] = ()
    is_whole: bool = True
    sought: frozenset[str] = frozenset()


def name_projects(
    session: Session,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[NamingResult], None] = lambda progress: None,
    on_named: Callable[[str, str], object] = lambda slug, folder: None,
) -> NamingResult:
    """Find the folder of every memory of a store, and what became of folders that are gone; store the result.

    Run it in a thread of its own, since it may walk over the home folder. It calls `progress` and `on_named` (slug, folder) from
    this and other threads. It runs git once per repository for first commits.

    Raises `WriteFailed` if the result cannot be stored.
    """
    slugs = _named_after_folders(session)
    if not slugs and not session.is_default:
        return NamingResult(0, 0, 0)
    naming = _Naming(session, slugs, project_register.load(session.root), cancelled, progress, on_named)
    naming.add_registered()
    naming.add_from_sessions()
    naming.walk_home()
    naming.look_closer()
    if not cancelled():
        naming.ask_for_commits()
    return naming.kept()


def refresh(session: Session) -> tuple[str, ...]:
    """Update what is recorded about known folders and the current one; this is quick and searches for nothing.

    The record lets a later run recognize a moved folder. Returns sentences about what could not be read. Raises `WriteFailed`.
    """
    slugs = _named_after_folders(session)
    if slugs or session.is_default:
        naming = _Naming(session, slugs, project_register.load(session.root), lambda: False, lambda _: None, lambda *_: None)
        naming.add_registered()
        naming.look_closer()
        return naming.kept().problems
    return ()


def _named_after_folders(session: Session) -> frozenset[str]:
    """The groups of a store that belong to a folder."""
    return frozenset(of_folders(session, project_slugs(session.root, session.layout)))


class _Naming:
    """The state of a search. `_present` has the existing folders by path."""

    def __init__(
        self,
        session: Session,
        slugs: frozenset[str],
        register: Register,
        cancelled: Callable[[], bool],
        progress: Callable[[NamingResult], None],
        on_named: Callable[[str, str], object],
    ) -> None:
        self.session = session
        self._slugs = slugs
        self._register = register
        self._cancelled = cancelled
        self._progress = progress
        self._on_named = on_named
        self._folders: dict[str, set[str]] = {slug: set() for slug in slugs}
        self.gone_by_name: dict[str, set[str]] = {}
        """Folders that do not exist, by the slug that they would have."""
        self._present: dict[str, FolderFacts] = {}
        self._like: dict[str, set[str]] = {}
        self._said_by_store, self._ran_in = self._by_store()
        self.repositories: list[str] = []
        """Folders that are the top of a git work tree."""
        self._commits = dict(register.commits)
        self._problems = [register.problem] if register.problem else []
        self._walked = 0
        self._is_whole = True
        self._sought: frozenset[str] = frozenset()

    def _by_store(self) -> tuple[dict[str, str], dict[str, str]]:
        """The folder of each group for which the store itself says it, by whether the group is named after it.

        If it is, other folders of the same name are ruled out; else the agent once named its memory differently.
        """
        agent = registry.kind(self.session.layout.kind)
        if agent is None:
            return {}, {}
        heads = DiskHeads(self.session.root)
        said = {slug: path for slug, path in agent.folders(heads) if slug in self._slugs}
        own = {slug: path for slug, path in said.items() if agent.group(path, heads) == slug}
        return own, {slug: path for slug, path in said.items() if slug not in own}

    # -- candidates -----------------------------------------------------------------------------------------------------

    def add_registered(self) -> None:
        """Take the remembered folders and the current one."""
        for slug in self._slugs & self._register.records.keys():
            for folder in self._register.records[slug].folders:
                self.found(slug, folder)
            self._like[slug] = set(self._register.records[slug].candidates)
        for slug, folder in self._said_by_store.items():
            self.found(slug, folder)
        own = own_folder(self.session)
        self.check_names(filter(None, [own]))
        known = (folder for found in self._folders.values() for folder in found)
        self._look_at([*known, *self._ran_in.values(), *filter(None, [own])])
        here = self._present.get(own)
        for slug, was in self.gone().items() if here is not None else ():
            if here is not None and is_worth_a_look(was, here):
                self.found_like(slug, own)  # found without a walk, which may be slow or not reach it

    def add_from_sessions(self) -> None:
        """Take the folders that agents' sessions ran in, and their parents."""
        if not self._without_existing_folder():
            return
        said: dict[str, None] = {}
        for path in self._session_folders():
            folder = os.path.normpath(path)
            said[path] = None
            while folder not in said:
                said[folder] = None
                folder = os.path.dirname(folder)
        self.check_names(said)
        unnamed = self._with_hash(slug for slug in self._slugs if not self._folders[slug]).values()
        above = {value: each.base for each in unnamed for value in folders_above(each)}
        for path in said:
            base = above.get(onwards(START, os.fsencode(path)))
            self.check_names([os.path.join(path, base)] if base else [])
        self._look_at(folder for found in self._folders.values() for folder in found)

    def _session_folders(self) -> Iterable[str]:
        """Folders recorded in the agents' session files."""
        try:
            home, env, root = locate.home_folder(), locate.environment(), self.session.root
        except ConfigError:
            return
        yield from (each.folder for each in known_folders(self.session.folder))
        told = [
            (each.sessions, place) for each in registry.every() if each.sessions for place in each.sessions.folders(root, env, home)
        ]
        for sessions, place in told:
            for name in sorted(files.list_all(place)):
                if name.endswith(sessions.ending) and not self._cancelled():
                    try:
                        yield from sessions.working_folders(files.pieces(os.path.join(place, name)))
                    except StoreError:
                        continue

    def walk_home(self) -> None:
        """Walk over the home folder and the configured roots if some memory's folder is unknown or gone."""
        self._sought = frozenset(self._without_existing_folder())
        if not self._sought or self._cancelled():
            return
        try:
            home = [locate.home_folder()]
        except ConfigError:
            home = []
        roots = [*home, *map(locate.expanded, self.session.config.roots)]
        done = folder_walk.walk(
            roots,
            _Visit(self),
            cancelled=self._cancelled,
            progress=lambda count: self._progress(NamingResult(self._named_count(), len(self._slugs), count)),
        )
        self._walked = done.folders
        self._problems += done.problems
        self._is_whole = done.is_whole
        for slug, gone in self.gone_by_name.items():
            if not self._folders[slug]:
                for folder in gone:
                    self.found(slug, folder)

    # -- state ----------------------------------------------------------------------------------------------------------

    def gone(self) -> dict[str, FolderFacts]:
        """The descriptions that were recorded of folders that do not exist, by their memories."""
        records = self._register.records
        known = ((slug, records[slug].facts) for slug in self._without_existing_folder() if slug in records)
        return {slug: facts for slug, facts in known if facts is not None}

    def unnamed(self) -> dict[str, SlugParts]:
        """The memories without an existing folder, with the parts of their slugs."""
        return self._with_hash(self._without_existing_folder())

    def found_like(self, slug: str, folder: str) -> None:
        """Record a folder that a missing one may have become."""
        self._like.setdefault(slug, set()).add(folder)

    def _without_existing_folder(self) -> list[str]:
        return [slug for slug in self._slugs if not any(folder in self._present for folder in self._folders[slug])]

    def _with_hash(self, slugs: Iterable[str]) -> dict[str, SlugParts]:
        return {slug: each for slug in slugs if (each := parts(slug))} if self.session.is_default else {}

    def _named_count(self) -> int:
        return sum(bool(self._folders[slug]) or self._ran_in.get(slug) in self._present for slug in self._slugs)

    def found(self, slug: str, folder: str) -> None:
        """Record that a folder has this slug."""
        if folder not in self._folders[slug] and self._said_by_store.get(slug, folder) == folder:
            self._folders[slug].add(folder)
            self._on_named(slug, folder)

    def check_names(self, paths: Iterable[str]) -> None:
        """Record those of these folders whose names fit a memory."""
        for path in paths:
            for spelled in (path, *other_spellings(path)):
                if (slug := self.session.layout.group_named_after(spelled)) in self._slugs:
                    self.found(slug, path)

    def _look_at(self, folders: Iterable[str]) -> None:
        """Find out which of these folders exist, and describe them."""
        wanted = sorted({folder for folder in folders if folder not in self._present})
        found, silent = ask_each(wanted, git_facts.observed, cancelled=self._cancelled)
        self._present |= {folder: with_commits(facts, self._commits) for folder, facts in found if facts is not None}
        self._problems += [f"{printable_path(folder)} does not answer: it was left out." for folder in silent]

    # -- details --------------------------------------------------------------------------------------------------------

    def look_closer(self) -> None:
        """Describe every folder that has a memory, and those that a missing one may have become."""
        self._look_at(folder for found in self._folders.values() for folder in found)
        self._look_at(folder for found in self._like.values() for folder in found)
        gone = {slug: own for slug, was in self.gone().items() if (own := was.repository) is not None and own.remote}
        if not gone:
            return
        tops, silent = ask_each(self.repositories, git_facts.repository_of, cancelled=self._cancelled)
        self._problems += [f"{printable_path(folder)} does not answer: it was left out." for folder in silent]
        for top, found in tops:
            for slug, was in gone.items() if found is not None and found.remote else ():
                if found is not None and may_follow(was, found._replace(within=was.within)):
                    self.found_like(slug, top if was.within == TOP else os.path.join(top, was.within))
        self._look_at(folder for like in self._like.values() for folder in like)

    def ask_for_commits(self) -> None:
        """Ask git for the first commits of the repositories of all these folders."""
        wanted = {folder for found in (*self._folders.values(), *self._like.values()) for folder in found}
        by_key: dict[str, str] = {}
        for folder in sorted(wanted & self._present.keys()):
            own = self._present[folder].repository
            if own is not None and repository_key(own) not in self._commits:
                by_key.setdefault(repository_key(own), folder)
        environment = locate.environment()
        asked, _ = ask_each(
            sorted(by_key.items()),
            lambda each: git_facts.first_commits(each[1], environment),
            cancelled=self._cancelled,
            budget=git_facts.GIT_SECONDS + BUDGET,
        )
        self._commits |= {key: roots for (key, _), roots in asked if roots}
        self._present = {path: with_commits(facts, self._commits) for path, facts in self._present.items()}

    def kept(self) -> NamingResult:
        """Store the result in the register."""
        now = self.session.now_ns()
        project_register.change(self.session.root, lambda known: self._updated(known, now))
        named = self._named_count()
        self._progress(NamingResult(named, len(self._slugs), self._walked))
        is_whole = self._is_whole and not self._cancelled()
        return NamingResult(named, len(self._slugs), self._walked, tuple(dict.fromkeys(self._problems)), is_whole, self._sought)

    def _updated(self, known: Register, now: int) -> Register:
        records = dict(known.records)
        for slug in self._slugs:
            old = records.get(slug, ProjectRecord(slug))
            folders = tuple(sorted({*old.folders, *self._folders[slug]}))
            living = [self._present[folder] for folder in folders if folder in self._present]
            record = old._replace(folders=folders, candidates=())
            if len(living) == 1:
                record = record._replace(facts=living[0], first_seen_ns=old.first_seen_ns or now, last_seen_ns=now)
            elif not living:
                record = record._replace(candidates=self._best(slug, old))
            if record != ProjectRecord(slug):
                records[slug] = record
        return known._replace(records=records, commits={**known.commits, **self._commits})

    def _best(self, slug: str, record: ProjectRecord) -> tuple[str, ...]:
        """The folders that a missing one may have become, best first."""
        was = record.facts
        like = [self._present[path] for path in sorted(self._like.get(slug, ())) if path in self._present]
        if was is None:
            return tuple(filter(self._present.get, [self._ran_in.get(slug, "")]))
        like = [each for each in like if not differ(was.repository, each.repository)]
        like.sort(
            key=lambda each: (not is_same_by_identity(was, each), each.identity != was.identity, not is_same_remote(was, each))
        )
        return tuple(each.path for each in like[:_MOST_CANDIDATES])


class _Visit:
    """Called for each folder of a walk; it does a few look-ups, independent of the number of memories."""

    def __init__(self, naming: _Naming) -> None:
        self._naming = naming
        unnamed, gone = naming.unnamed(), naming.gone()
        self._spelled = frozenset(unnamed)
        self._here = grouped((each.value, slug) for slug, each in unnamed.items())
        self._above = grouped((above, (slug, each.base)) for slug, each in unnamed.items() for above in folders_above(each))
        self._numbers = grouped((was.identity, slug) for slug, was in gone.items())
        self._names = grouped((child.name, slug) for slug, was in gone.items() for child in was.children)
        self._known = {slug: len(was.children) for slug, was in gone.items()}

    def __call__(self, folder: SeenFolder) -> None:
        """Compare one folder with what is searched for."""
        naming = self._naming
        if not naming.session.is_default:  # its slugs are looked up by hash instead
            naming.check_names([folder.path])
        for slug in self._here.get(folder.hash, ()):
            if project_slug(folder.path) == slug:
                naming.found(slug, folder.path)
        for slug, base in self._above.get(folder.hash, ()):
            path = os.path.join(folder.path, base)
            if base not in folder.names and project_slug(path) == slug:
                naming.gone_by_name.setdefault(slug, set()).add(path)
            elif base in folder.names and project_slug(path) == slug:
                naming.found(slug, path)
        for spelled in other_spellings(folder.path):
            if (slug := project_slug(spelled)) in self._spelled:
                naming.found(slug, folder.path)
        for slug in self._numbers.get(folder.identity, ()):
            naming.found_like(slug, folder.path)
        if ".git" in folder.names:
            naming.repositories.append(folder.path)
        common = folder.names & self._names.keys() if self._names else ()
        alike = Counter(slug for name in common for slug in self._names[name]) if len(common) > 2 else {}
        for slug, count in alike.items():
            if is_alike(count, self._known[slug]):
                naming.found_like(slug, folder.path)
