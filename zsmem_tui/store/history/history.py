"""The history of a store: every version of every memory file, whoever wrote it (specification, section 19).

The texts are in a git repository in the state folder (`repository`), the metadata of each version in a list beside it
(`version_log`). Our own writes arrive through the journal; other programs' changes are read from the store when the watcher detects
them. Nothing is loaded before it is needed, and if the history is broken, all other parts of the program go on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import takewhile
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from zsmem_tui.core.catalog import Catalog, Fingerprint
from zsmem_tui.core.errors import HistoryBusy, HistoryError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import (
    AS_IT_STANDS,
    BESIDE,
    CAME_LATE,
    FIRST_LOOK,
    LEFT_OVER,
    THROWN_AWAY,
    WHILE_AWAY,
    WHILE_RUNNING,
    WHILE_WRITING,
    Origin,
    Version,
    line_counts,
)
from zsmem_tui.store.disk import files, lock, state, waiting
from zsmem_tui.store.disk.folders import make_private, stat_of
from zsmem_tui.store.disk.replace import sweep
from zsmem_tui.store.history import index, journal, review_baseline
from zsmem_tui.store.history.commit_message import NOT_KEPT, REVIEWED, Meta, content, entries_of, id_of, message
from zsmem_tui.store.history.index import IndexEntry
from zsmem_tui.store.history.intents import read_now, settled
from zsmem_tui.store.history.journal import Entry, Recorder, Text
from zsmem_tui.store.history.review_baseline import WIPED, UnreviewedFile
from zsmem_tui.store.history.undo_log import Step, redoable, step_of, undoable
from zsmem_tui.store.history.version_log import (
    ANOTHER_STORE,
    NOT_COUNTED,
    Lines,
    LogReading,
    Row,
    VersionLog,
    made_anew,
    version_of,
)

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository

_SLICE_FILES: Final = 200
"""Files read in one go, so that a save never waits long for the store's lock."""

_BATCH_BYTES: Final = 24 * 1024 * 1024
"""Bytes of texts per pack: half a second of work, after which the lock is released."""

_MANY_TEXTS: Final = 20

_PIECE: Final = 128
"""Items that are read with the history opened once."""

_TURN_SECONDS: Final = 0.03
"""Seconds between two packs: longer than the interval at which others try to lock the history."""

_LOOK_SECONDS: Final = 0.05
"""Seconds between looks whether the wait for another thread was given up."""

_PROBE: Final = 65_536
"""Bytes written to see whether the history can be written: more than a small write's journal entry takes."""

_LOCK_SECONDS: Final = 5.0
"""Seconds to wait for another zsmem that is using the history before raising an error."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class History:
    """The history of the store at `root`, stored in the folder `home` (default: in the state folder)."""

    def __init__(self, root: str, now: Callable[[], int], home: str = "") -> None:
        self.root = root
        self.home = home or state.folder("history", root)
        self.pending = os.path.join(self.home, "pending")
        self.problem = ""
        """Why earlier versions cannot be used, as a sentence; empty if they can."""
        self.log = VersionLog(os.path.join(self.home, "versions"))
        """The list of all versions."""
        self.is_new = False
        """Whether it was just created, so that only our own writes are in it."""
        self.outside: frozenset[str] = frozenset()
        """Files that were links out of the store at the last check: their targets are not recorded."""
        self.now = now
        self._index_place = os.path.join(self.home, "known")
        self._repo: Repository | None = None
        self._folder = ""
        self._mutex = threading.RLock()
        self.is_held_off = False
        """Whether a thread of this process waits until another program lets go of the history."""

    # -- recording ----------------------------------------------------------------------------------------------------

    def recorder(self, label: str = "", origin: Origin = Origin.YOU, *, who: str = "", relation: str = "") -> Recorder:
        """A recorder for one step of writes."""
        return Recorder(self.pending, self.now, label=label, origin=origin, who=who, relation=relation)

    def waiting(self) -> int:
        """The number of journal entries that are not in the history yet."""
        return len(journal.names(self.pending))

    def drain(self) -> None:
        """Move the journal's entries into the history. Raises `HistoryError`."""
        found = journal.names(self.pending)
        if found:
            with self.opened() as repo:
                self._drain(repo, found)
                repo.repack_if_needed()

    def observe(self, paths: Iterable[str]) -> list[Version]:
        """Record the current content of these files where it is new; return the new versions. Raises `HistoryError`."""
        if not os.path.isdir(self.root):
            return []
        with self.opened() as repo:
            paths = sorted(paths)
            texts, waiting, outside = read_now(self.root, self.pending, paths)
            self.outside = self.outside.difference(paths) | outside
            self._drain(repo, waiting)
            found = {path: text for path, (text, _) in texts.items() if repo.find(self._folder, path) != id_of(text)}
            times = {path: fingerprint.mtime_ns for path in found if (fingerprint := texts[path][1]) is not None}
            meta = Meta(max(times.values(), default=self.now()), Origin.OTHER, WHILE_RUNNING)
            made = self._record(repo, found, meta, written=times)
            repo.repack_if_needed()
            return made

    def catch_up(self, catalog: Catalog, *, cancelled: Callable[[], bool] = lambda: False) -> list[Version]:
        """Record what changed while no zsmem was running, as one commit; return the new versions.

        The first time, everything is recorded and counts as reviewed; so does what another folder in the root's place has, but not
        that the files of the one before are gone. Raises `HistoryError`.
        """
        return [] if catalog.problem else self.catch_up_with(index.present(catalog), cancelled=cancelled)

    def catch_up_with(self, here: index.Present, *, cancelled: Callable[[], bool] = lambda: False) -> list[Version]:
        """`catch_up`, given the files that are in the store."""
        if not os.path.isdir(self.root):
            return []
        made = self._catch_up_once(here, cancelled)
        if made is None:
            with self.opened():
                made = self._catch_up_once(here, cancelled, is_alone=True)
        return made or []

    def _catch_up_once(self, here: index.Present, cancelled: Callable[[], bool], *, is_alone: bool = False) -> list[Version] | None:
        """The new versions; None if another program removed something from the history that this run relied on."""
        with self.opened() as repo:
            self._drain(repo, journal.names(self.pending))
            first, start = not repo.reviewed, self._folder
            known, identity, commit = index.load(self._index_place)
            if first or not repo.has(commit):
                known = {}
            if not known and start:
                nowhere = Fingerprint(0, -1, 0)
                known = {path: IndexEntry(nowhere, id) for path, id in repo.every(start).items()}
                commit = repo.head
            newer = takewhile(lambda row: row.commit != commit, self.log.rows() if commit != repo.head else ())
            there = {*known, *(row.version.path for row in newer if row.version.after)}
        changed = [path for path, found in here.items() if (old := known.get(path)) is None or old.fingerprint != found]
        gone = [path for path in there - here.keys() if files.is_gone(os.path.join(self.root, path))]
        another = bool(identity) and identity != index.root_identity(self.root) and len(gone) == len(there) and bool(gone)
        if another and not here:
            return []  # the store is not mounted now
        lines: dict[str, int] = {}
        self.outside = frozenset()
        ids = self._keep_all(changed, known, lines, cancelled)
        if cancelled():
            return []
        ids |= dict.fromkeys(gone, "")
        with self.opened() as repo:
            self._drain(repo, journal.names(self.pending))
            if not is_alone and not repo.has(*{start, *ids.values()} - {""}):
                return None
            first = first and not repo.reviewed  # another program may have been first
            ids = {path: id for path, id in ids.items() if repo.find(self._folder, path) == repo.find(start, path)}
            times = {path: mark.mtime_ns for path in ids if (mark := here.get(path)) is not None}
            made: list[Version] = []
            found = {path for path in ids if first and not repo.find(self._folder, path)}
            for paths, who in ((found, FIRST_LOOK), (ids.keys() - found, WHILE_AWAY)):
                own = {path: ids[path] for path in paths}
                meta = Meta(self.now(), Origin.OTHER, who, relation=ANOTHER_STORE if another else "")
                made += self._record_ids(repo, own, meta, lines=lines, written=times)
            here_now = self._folder or repo.with_changes("", {})
            if first:
                repo.set_reviewed(review_baseline.at_first_look(repo, self.log.rows(), here_now))
            elif another:  # what is here now is known; what is gone waits, as the folder may have been removed and made anew
                every = (each for path in gone for each in (path, WIPED + path))
                known_before = {path: id for path in every if (id := repo.find(repo.reviewed, path))}
                repo.set_reviewed(repo.with_changes(here_now, known_before))
            index.save(self._index_place, known, index.root_identity(self.root), repo.head)
            self.is_new = False
            repo.repack_if_needed()
        return made

    # -- reading ------------------------------------------------------------------------------------------------------

    def versions(self, path: str, *, discarded: bool = False) -> list[Version]:
        """The versions of one file, newest first, including those from before it was moved here; and `discarded` drafts of it.

        Raises `HistoryError`.
        """
        with self.opened():
            return [each for each in self.log.reading().followed(path) if _is_listed(each, discarded)]

    def in_pieces(self, items: Sequence[Item], read: Callable[[Item, LogReading], Answer]) -> Iterator[list[Answer]]:
        """What `read` makes of each item and of the list of versions, some at a time. Raises `HistoryError`.

        Some are read with the history opened once; it is closed before the next, so that others need not wait for all.
        """
        for at in range(0, len(items), _PIECE):
            with self.opened():
                log = self.log.reading()
                found = [read(item, log) for item in items[at : at + _PIECE]]
            yield found

    def latest(self, *, discarded: bool = False) -> Iterator[Version]:
        """The versions of all files, newest first, and `discarded` drafts. Raises `HistoryError`."""
        with self.opened():
            return (row.version for row in self.log.rows() if _is_listed(row.version, discarded))

    def named(self, id: str) -> list[Version]:
        """The versions whose ids start with `id`, newest first. Raises `HistoryError`."""
        with self.opened():
            return self.log.named(id)

    def text(self, id: str) -> bytes | None:
        """The text with this id; None for an empty id (no file). Raises `HistoryError`, also if it was too large to store."""
        if not id:
            return None
        with self.opened() as repo:
            raw = repo.text_if_there(id)
        if raw is None:  # said outside: a history without one version can be written all the same
            from zsmem_tui.store.history.repository import gone  # deferred, as below

            raise gone()
        if raw.startswith(NOT_KEPT):
            raise HistoryError(raw.decode("utf-8", "replace").rstrip("\n"))
        return raw

    def step(self, *, redo: bool = False, batch: str = "") -> Step | None:
        """The step that undo (or `redo`) would apply to, or the step `batch`; None if there is none. Raises `HistoryError`."""
        return self._step(lambda: batch or (redoable if redo else undoable)(self.log.steps()), redo=redo)

    def own_step(self) -> Step | None:
        """The last step that this process made and that is not undone; None if there is none. Raises `HistoryError`."""
        return self._step(lambda: undoable(self.log.steps(), journal.is_of_here))

    def _step(self, find: Callable[[], str], *, redo: bool = False) -> Step | None:
        self.drain()
        with self.opened():
            wanted = find()
            return step_of(self.log.of_step(wanted), wanted, redo=redo) if wanted else None

    def every(self) -> dict[str, str]:
        """All files by path with the ids of their texts, as last recorded. Raises `HistoryError`."""
        with self.opened() as repo:
            return repo.every(self._folder)

    def missed(self) -> dict[str, str]:
        """All files by path as last recorded, for a store that has none; empty if the person has seen that they are gone.

        Raises `HistoryError`.
        """
        with self.opened() as repo:
            return self.every() if not repo.reviewed or repo.every(repo.reviewed) else {}

    # -- review -------------------------------------------------------------------------------------------------------

    def pending_review(self) -> list[UnreviewedFile]:
        """The files that others changed since the person's last review, sorted. Raises `HistoryError`."""
        with self.opened() as repo:
            if not repo.reviewed:
                return []
            found = repo.differences(repo.reviewed, self._folder)
            return [UnreviewedFile(path, *found[path]) for path in sorted(found) if not path.startswith(WIPED)]

    def reviewed_ns(self) -> int:
        """When a review was last noted, in this program or another, without waiting for the history; 0 if never."""
        found = stat_of(os.path.join(self.home, "git", *REVIEWED.split("/")))
        return found.st_mtime_ns if found else 0

    def last_seen(self, paths: Collection[str]) -> dict[str, str]:
        """The ids of the texts that the person last saw of those of these files that others wiped lines of unseen.

        Raises `HistoryError`.
        """
        with self.opened() as repo:
            return {path: id for path in paths if (id := repo.find(repo.reviewed, WIPED + path))}

    def mark_reviewed(self, texts: Mapping[str, str]) -> None:
        """Mark these texts as reviewed: path to text id (empty: no file). Raises `HistoryError`."""
        with self.opened() as repo:
            kept = {path: id for path, id in texts.items() if not id or repo.has(id)}
            repo.set_reviewed(repo.with_changes(repo.reviewed, kept | dict.fromkeys(map(WIPED.__add__, kept), "")))

    def can_be_kept(self) -> bool:
        """Whether the history can be written; sets `problem` accordingly."""
        try:
            with self.opened(), TemporaryFile(dir=self.home) as probe:
                probe.write(bytes(_PROBE))
                probe.flush()
        except (HistoryError, OSError):
            return False
        return True

    # -- below --------------------------------------------------------------------------------------------------------

    @contextmanager
    def opened(self) -> Iterator[Repository]:
        """Open the repository, locked against our other threads and processes; again within is free. Raises `HistoryError`."""
        with self._turn():
            try:
                with nullcontext(self._repo) if self._repo is not None else self._opened_anew() as repo:
                    yield repo
                    self.problem = ""
            except HistoryError as error:
                self.problem = error.message
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the mutex. While the thread that has it waits for another program, this one does, and may give up waiting."""
        patience = waiting.current()
        with ExitStack() as wait:
            while not self._mutex.acquire(timeout=_LOOK_SECONDS):
                if self.is_held_off and patience.waits_since is None:
                    wait.enter_context(patience.waiting())
                if self.is_held_off and not patience.left:
                    raise self._busy()
        try:
            yield
        finally:
            self._mutex.release()

    def _busy(self) -> HistoryError:
        return HistoryBusy(f"{printable_path(self.home)}: another zsmem is at work in the history.", "Try again in a moment.")

    @contextmanager
    def _opened_anew(self) -> Iterator[Repository]:
        with self._locked():
            self._repo = self._ready()
            try:
                yield self._repo
            finally:
                self._repo.close()
                self._repo = None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from zsmem_tui.store.history.repository import in_use  # deferred, as below

        try:
            make_private(self.home)
            holding = lock.writer(self.home, wait=_LOCK_SECONDS)
            self.is_held_off = True
            try:
                holding.__enter__()
            finally:
                self.is_held_off = False
        except OSError as error:
            raise HistoryError(f"{printable_path(self.home)}: {error.strerror}. Undo and history are off.") from error
        except WriteFailed as error:
            raise self._busy() from error
        try:
            with in_use(self.home, os.path.join(self.home, "git")):
                for folder in (self.home, self.pending, state.folder("drafts", self.root), state.folder("imports", self.root)):
                    sweep(folder)
                yield
        finally:
            holding.__exit__(None, None, None)

    def _ready(self) -> Repository:
        from zsmem_tui.store.history.repository import Repository  # deferred: dulwich takes 40 to 60 ms and is needed only here

        repo = Repository(os.path.join(self.home, "git"), printable_path(self.root))
        self.is_new = self.is_new or repo.is_new
        try:
            head = repo.head
            if self.log.last_commit() != head:
                made_anew(self.log, repo)
            self._folder = repo.folder_of(head)
        except HistoryError:
            repo.close()
            raise
        return repo

    def _keep_all(
        self, paths: list[str], known: dict[str, IndexEntry], lines: dict[str, int], cancelled: Callable[[], bool]
    ) -> dict[str, str]:
        """Store the texts of these files in batches; return their ids. Updates `known` and `lines`."""
        ids: dict[str, str] = {}
        at = 0
        while at < len(paths) and not cancelled():
            texts: dict[str, tuple[Text | None, Fingerprint | None]] = {}
            size = 0
            while at < len(paths) and size < _BATCH_BYTES:
                slice, _, outside = read_now(self.root, self.pending, paths[at : at + _SLICE_FILES])
                self.outside |= outside
                at += _SLICE_FILES
                texts |= slice
                size += sum(text.size for text, _ in slice.values() if text is not None and text.raw is not None)
            kept = {path: content(text) for path, (text, _) in texts.items() if text is not None}
            with self.opened() as repo:
                found = _put_all(repo, kept.values())
            ids |= dict.fromkeys(texts.keys() - kept.keys(), "")
            for (path, raw), id in zip(kept.items(), found, strict=True):
                ids[path] = id
                lines[id] = line_counts(None, raw)[0]
                fingerprint = texts[path][1]
                if fingerprint is not None:
                    known[path] = IndexEntry(fingerprint, id)
            if at < len(paths):
                time.sleep(_TURN_SECONDS)
        return ids

    def _drain(self, repo: Repository, names: list[str]) -> None:
        """Turn journal entries into commits, adjacent ones of a batch into one; each entry is deleted once its commit exists."""
        taken = set(entries_of(repo.message(repo.head))) if names else set()
        group: dict[str, Text | None] = {}
        meta: Meta | None = None
        done: list[str] = []
        times: dict[str, int] = {}

        def finish() -> None:
            nonlocal group, meta, done
            if meta is not None:
                self._record(repo, group, meta, done, times)
            for name in done:
                journal.drop(self.pending, name)
            group, meta, done = {}, None, []

        for number, name in enumerate(names):
            entries = [] if name in taken else settled(self.root, self.pending, name, names[number + 1 :])
            if entries is None:
                break  # later entries have to wait, too
            if not entries:
                done.append(name)
                continue
            entry = entries[0]  # time and origin are the same in all
            times |= {each.path: each.written for each in entries}
            stood = {each.path: each.before for each in entries if self._is_news(repo, each, group)}
            if meta is not None and (stood or entry.batch != meta.batch):
                finish()
            if stood:
                self._record(repo, stood, Meta(entry.when, Origin.OTHER, WHILE_WRITING), written=times)
            if entry.kind == "left":  # this text was never in the file: restore the previous one on top
                evidence = entry.label if entry.label in (LEFT_OVER, THROWN_AWAY) else CAME_LATE
                beside = Meta(entry.when, Origin.OTHER, evidence, relation=BESIDE if evidence == THROWN_AWAY else "")
                before = repo.find(self._folder, entry.path)
                self._record(repo, {entry.path: entry.before}, beside)
                self._record_ids(repo, {entry.path: before}, beside._replace(who=AS_IT_STANDS))
            done.append(name)
            for who in dict.fromkeys(each.who for each in entries) if entry.kind in ("wrote", "mark") else ():
                if meta is not None and who != meta.who:
                    self._record(repo, group, meta, (), times)
                    group, meta = {}, None
                meta = meta or Meta(entry.when, entry.origin, who, entry.batch, entry.label, entry.relation)
                if entry.kind == "wrote":
                    group |= {each.path: each.after for each in entries if each.who == who}
            if entry.kind == "mark":
                self._record_step_end(repo, meta or Meta(entry.when, entry.origin), group, done, times)
                group, meta = {}, None
        finish()

    def _record_step_end(
        self, repo: Repository, meta: Meta, group: dict[str, Text | None], entries: list[str], written: Mapping[str, int]
    ) -> None:
        """Record that a step is done, even if it changed nothing."""
        self._record(repo, group, meta, [], written)
        folder = self._folder or repo.with_changes("", {})
        commit = repo.commit(folder, message(meta, {}, entries), meta.when, meta.who or meta.origin.value)
        self._folder = folder
        self.log.append([Row(commit, Version("", "", *meta, "", "", 0, 0))])

    def _is_news(self, repo: Repository, entry: Entry, group: dict[str, Text | None]) -> bool:
        """Whether the text that an entry displaced is not in the history yet."""
        if entry.kind in ("mark", "left") or (entry.before is None and entry.kind == "seen"):
            return False
        if entry.path in group:
            return group[entry.path] != entry.before and id_of(group[entry.path]) != id_of(entry.before)
        return repo.find(self._folder, entry.path) != id_of(entry.before)

    def _record(
        self,
        repo: Repository,
        texts: dict[str, Text | None],
        meta: Meta,
        entries: Sequence[str] = (),
        written: Mapping[str, int] = MappingProxyType({}),
    ) -> list[Version]:
        """Commit new texts of files, which came from these journal entries; `written` are the files' own times by path."""
        kept = {path: content(text) for path, text in texts.items() if text}
        ids = dict.fromkeys(texts, "") | dict(zip(kept, _put_all(repo, kept.values()), strict=True))
        return self._record_ids(repo, ids, meta, entries, written=written)

    def _record_ids(
        self,
        repo: Repository,
        ids: dict[str, str],
        meta: Meta,
        entries: Sequence[str] = (),
        lines: Lines = NOT_COUNTED,
        written: Mapping[str, int] = MappingProxyType({}),
    ) -> list[Version]:
        before = {path: repo.find(self._folder, path) for path in ids}
        ids = {path: id for path, id in ids.items() if before[path] != id}
        if not ids:
            return []
        if not (repo.reviewed or any(before[path] for path in ids)) and meta.who == WHILE_WRITING:
            meta = meta._replace(who=FIRST_LOOK)
        pairs = {path: (before[path], id) for path, id in sorted(ids.items())}
        folder = repo.with_changes(self._folder, ids)
        ours = meta.origin.is_ours and bool(repo.reviewed)
        undone = review_baseline.of_step(repo, self.log.rows(), meta.relation, pairs) if ours and meta.relation else {}
        seen = review_baseline.moves(repo, pairs, undone, meta) if ours else {}
        if repo.reviewed and not meta.origin.is_ours and meta.who not in (LEFT_OVER, THROWN_AWAY, CAME_LATE, AS_IT_STANDS):
            seen = review_baseline.of_others(repo, pairs, folder)
        first = {path: at for path, (old, _) in pairs.items() if not old and 0 < (at := written.get(path, 0)) < meta.when}
        words = message(meta, pairs, entries, seen, written=first)
        commit = repo.commit(folder, words, meta.when, meta.who or meta.origin.value)
        self._folder = folder
        made = [version_of(repo, number, commit, path, pair, meta, lines) for number, (path, pair) in enumerate(pairs.items())]
        made = [each._replace(written=first[each.path]) if each.path in first else each for each in made]
        self.log.append(Row(commit, version) for version in made)
        if seen:
            review_baseline.follow(repo, seen)
        return made


def _is_listed(version: Version, discarded: bool) -> bool:
    """Whether a version was in the file; or with `discarded`, is the text of a draft."""
    return not version.is_beside or (discarded and version.who != AS_IT_STANDS)


def _put_all(repo: Repository, texts: Collection[bytes]) -> Sequence[str]:
    """Store these texts; return their ids. Many go into one pack, since syncing each as a file would take minutes."""
    return repo.put_many(texts) if len(texts) > _MANY_TEXTS else [repo.put(raw) for raw in texts]
