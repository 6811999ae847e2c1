"""Search as the agent does, or wider: in the session's store and in those of other agents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.core import search as core
from zsmem_tui.core.errors import Missing, StoreError, WriteFailed
from zsmem_tui.core.layout import Folder, Layout, find_ref, searched_folders
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.search import Searched, SearchHit, SearchResults, never
from zsmem_tui.core.texts import TextFile
from zsmem_tui.service.session import Session
from zsmem_tui.store import text_cache
from zsmem_tui.store.disk import files, ram
from zsmem_tui.store.disk.places import left_by

PERSON: Final = "you"
"""The client name of the screen in the log of searches."""

CHECK: Final = "zsmem connect --check"
"""The client name of our own check of a server, whose search is not logged: nobody looked for anything."""

FIRST_TOLD_SECONDS: Final = 0.15
"""The seconds after which an unfinished search shows its first results."""


class Scope(StrEnum):
    """Where to search: as the agent does, with the project's scratchpad too, or in every project (section 15).

    `FOLDER` is for several stores: what every agent working in the folder has. `ALL` is then all of every store.
    """

    AGENT = "agent"
    PROJECT = "project"
    FOLDER = "folder"
    ALL = "all"

    def wider(self, layout: Layout, *, several: bool = False) -> Scope:
        """The next wider scope that differs, for a store of this kind or `several`; after the widest comes the agent's."""
        same = {*(() if several else [Scope.FOLDER]), *(() if layout.has_search else [Scope.PROJECT])}
        scopes = [scope for scope in Scope if scope is self or scope not in same]
        return scopes[(scopes.index(self) + 1) % len(scopes)]


class Sought(NamedTuple):
    """One store to search. `group` is whose memory to search; empty: that of the current folder."""

    session: Session
    group: str = ""


class Query(NamedTuple):
    """What to search for and where.

    `whole_words` excludes matches inside words, which the agent finds too. `once` says that no other search follows: nothing is
    cached. `unsearched` leaves out what the agent searches itself.
    """

    words: str
    stores: tuple[Sought, ...]
    scope: Scope = Scope.AGENT
    whole_words: bool = False
    once: bool = False
    unsearched: bool = False


def search(
    query: Query,
    *,
    cancelled: Callable[[], bool] = never,
    max_age: float = 0.0,
    so_far: Callable[[SearchResults], None] | None = None,
    now: Callable[[], float] = time.monotonic,
    near: bool = False,
) -> SearchResults:
    """Search, ranked by the agent's rules in every scope (specification, section 6), with one ranking for several stores.

    In the agent's scope, each store is searched as its own agent does. `max_age` is how old in seconds cached texts may be. A slow
    search calls `so_far` with partial results, at growing intervals. With `near`, the answer has words similar to the terms that
    were not found. Raises `Cancelled` once `cancelled()` is true.
    """
    tell = None if so_far is None else _Progress(so_far, now)
    empty: list[tuple[Session, TextFile]] = []
    sizes: list[int] = []
    every = ((store.session, _searched(store, query, cancelled, max_age)) for store in query.stores)
    stores = [each._replace(batches=_noted(session, each.batches, empty, sizes)) for session, each in every]
    found = core.search(stores, query.words, whole_words=query.whole_words, cancelled=cancelled, so_far=tell)
    if query.scope is Scope.ALL and found.terms and not (query.once or found.ranked):
        stores = []
        for of in (store.session for store in query.stores):
            folders = () if of.refusal else tuple(_of_unplaced(of))  # listing them takes too long for every letter typed
            batches = text_cache.stream(of.root, folders, of.config.search_memory << 20, cancelled=cancelled)
            stores.append(Searched(batches))
        found = core.search(stores, query.words, whole_words=query.whole_words, cancelled=cancelled)
    found.unread = [(file, why) for session, file in empty if (why := _unreadable(session, file))]
    found.searched = sum(sizes) - len(found.unread)
    if near:
        add_near(query, found, cancelled=cancelled, max_age=max_age)
    return found


def _noted(
    session: Session, batches: Iterable[Sequence[TextFile]], empty: list[tuple[Session, TextFile]], sizes: list[int]
) -> Iterator[Sequence[TextFile]]:
    """Pass on the batches and collect the files without text or not in UTF-8 in `empty`, and the sizes of the batches."""
    for batch in batches:
        yield batch
        sizes.append(len(batch))
        empty += [(session, file) for file in batch if not (file.is_text() and file.text)]


def unreadable(session: Session, folders: Sequence[Folder]) -> dict[str, str]:
    """Why a search in these folders finds no word of a file, by its path; without links out of the store, which agents follow."""
    every = session.texts.files(session.root, folders)
    empty = (file for file in every if not (file.is_text() and file.text))
    return {file.ref.path: why for file in empty if not session.leaves_store(file.ref) and (why := _unreadable(session, file))}


def _unreadable(session: Session, file: TextFile) -> str:
    """Why a file has no text; empty if it is empty or gone."""
    if session.leaves_store(file.ref):
        return left_by(file.os_path)
    try:
        files.read_text(file.os_path)
    except Missing:
        return ""
    except StoreError as error:
        return error.message
    return ""


def add_near(query: Query, found: SearchResults, *, cancelled: Callable[[], bool] = never, max_age: float = 0.0) -> None:
    """Add to an answer the words of the memory that are similar to the terms it lacks. Raises `Cancelled`."""
    if not (missed := found.missed()):
        return
    from zsmem_tui.core.recall.near_words import joined, near_words  # deferred: word lists, only needed after a miss

    every = []
    for store in query.stores:
        session = store.session
        if not session.refusal:
            words = session.texts.vocabulary(session.root, _searched_folders(store, query), cancelled=cancelled, max_age=max_age)
            every.append(near_words(missed, words, are_found=bool(found.apart())))
    found.near = joined(every) if every else ()


def _searched_folders(store: Sought, query: Query) -> tuple[Folder, ...]:
    folders = () if store.session.refusal else _folders(store, query.scope)  # its files belong to another store
    if folders and query.once and query.scope is Scope.ALL:
        folders = (*folders, *_of_unplaced(store.session))
    if query.unsearched:
        own = searched_folders(store.session.layout, _group(store))
        folders = tuple(folder for folder in folders if folder not in own)
    return folders


def _searched(store: Sought, query: Query, cancelled: Callable[[], bool], max_age: float) -> Searched:
    """One store's files to search, and a test for what its agent finds."""
    session = store.session
    folders = _searched_folders(store, query)
    batches = (
        text_cache.stream(session.root, folders, session.config.search_memory << 20, cancelled=cancelled)
        if query.once
        else session.texts.batches(session.root, folders, cancelled=cancelled, max_age=max_age)
    )
    own = query.scope is Scope.AGENT and session.layout is not DEFAULT
    return Searched(batches, (lambda file: session.layout.finds(file.raw.decode(), query.words)) if own else None)


class _Progress:
    """Reports partial results of a slow search; the interval doubles each time."""

    def __init__(self, tell: Callable[[SearchResults], None], now: Callable[[], float]) -> None:
        self._tell = tell
        self._now = now
        self._pause = FIRST_TOLD_SECONDS
        self._due = now() + self._pause

    def __call__(self, results: Callable[[], SearchResults]) -> None:
        if self._now() >= self._due:
            self._tell(results())
            self._pause *= 2
            self._due = self._now() + self._pause


def warm_up(session: Session) -> None:
    """Read the files of the agent's scope, so that the first search is as fast as the second."""
    if not session.refusal:
        for _ in session.texts.batches(session.root, _folders(Sought(session), Scope.AGENT)):
            pass  # iterating reads them


def give_back(session: Session) -> None:
    """Drop texts unused for ten minutes, or all if other programs need the memory, and return what was freed to the system."""
    session.texts.give_back()
    ram.trim_if_grown()


def agent_searches(store: Sought, hit: SearchHit) -> bool:
    """Whether the agent's own search in its project would cover the file."""
    return hit.file.folder.searched and is_of(store, hit)


def is_of(store: Sought, hit: SearchHit) -> bool:
    """Whether the file is of the group that is searched, or shared by all."""
    return hit.file.folder.project in ("", _group(store))


def _group(store: Sought) -> str:
    """The group to search: the given one, else that of the current folder."""
    return store.group or store.session.project


def _folders(store: Sought, scope: Scope) -> tuple[Folder, ...]:
    layout, group = store.session.layout, _group(store)
    if scope is Scope.AGENT:
        return searched_folders(layout, group)
    if scope in (Scope.PROJECT, Scope.FOLDER):
        return (*layout.global_folders(), *layout.project_folders(group))
    return all_folders(store.session, group)


def _of_unplaced(session: Session) -> Iterator[Folder]:
    """The files at places where no agent looks, and that no folder lists."""
    from zsmem_tui.store.scan import project_slugs, unplaced  # deferred, as below

    for group in ("", *project_slugs(session.root, session.layout)):
        for path in unplaced(session.root, session.layout, group):
            above, _, name = path.rpartition("/")
            if find_ref(session.layout, path) is None:  # others are listed, and so searched with the rest
                yield Folder(above, group, only=(name,), searched=False)


def all_folders(session: Session, group: str = "") -> tuple[Folder, ...]:
    """Every folder of a store: shared ones, those of `group`, then those of other groups."""
    from zsmem_tui.store.scan import project_slugs  # deferred: 3 ms, not needed for the agent's scope

    layout = session.layout
    slugs = project_slugs(session.root, layout)
    slugs.sort(key=lambda slug: slug != group)
    return (*layout.global_folders(), *(folder for slug in slugs for folder in layout.project_folders(slug)))


def note_search(session: Session, client: str, words: str, found: SearchResults) -> None:
    """Add a search to the log of searches, if enabled; a failure to write is ignored."""
    if session.config.search_log and not session.dry_run and client != CHECK:
        from zsmem_tui.store import search_log  # deferred: 2 ms, not needed for an answer

        paths = [hit.ref.path for hit in found.ranked[: search_log.MOST_HITS]]
        with suppress(WriteFailed):
            search_log.note_search(session.root, client, words, paths, session.now_ns() / 1e9)


def note_read(session: Session, client: str, ref: MemRef) -> None:
    """Add the reading of a file to the log of searches, likewise."""
    if session.config.search_log and not session.dry_run:
        from zsmem_tui.store import search_log  # deferred, likewise

        with suppress(WriteFailed):
            search_log.note_read(session.root, client, ref.path, session.now_ns() / 1e9)
