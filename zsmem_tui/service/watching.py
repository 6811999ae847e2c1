"""Follow the store while it is open: its catalog, changes, and how full the prompt is."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog, ProjectEntry
from zsmem_tui.core.errors import MemError, WriteFailed
from zsmem_tui.core.index_file import NO_LISTS
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.browsing import OpenFile
from zsmem_tui.service.session import Session
from zsmem_tui.service.status import with_open_items
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of
from zsmem_tui.store.disk.waiting import Patience, patient
from zsmem_tui.store.watch import StoreChange, Watcher

AT_REST_NS: Final = 500_000_000
"""Nanoseconds for which a file that others made shorter has to rest before that is told: at the next look, mostly."""


_MOST_COMPARED: Final = 50
"""The most files whose content is compared with the last one: whoever changes more has changed some bytes."""


class PromptUse(NamedTuple):
    """How much of the prompt memory takes without the wrapper, and the cap, both in `unit`; `of` says of what."""

    used: int
    cap: int
    unit: str = "bytes"
    of: str = ""
    is_empty: bool = False
    """Whether nothing is in the prompt."""
    instructed: str = ""
    """What is in the prompt instead, if no memory is (`Preview.instructed`)."""
    cut: bool = False
    """Whether some of it is cut."""
    left_out: str = ""
    """The first file that the agent leaves out because of its size."""
    open_items: Mapping[str, int] = MappingProxyType({})
    """The open items of each file of the project's memory, where checklists are not apart (`tasks.open_by_file`)."""


Changed = StoreChange
"""The result of `StoreFollower.poll`: the new catalog, the new, changed and deleted files, and which of them others changed."""


class StoreFollower:
    """Keeps the catalog of a session's store up to date, with open items counted. Not thread-safe."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._watcher = Watcher(session.root, session.layout)
        self._stopped = threading.Event()
        self._unrecorded: set[str] = set()
        self._reviewed = self._looked_ns = 0
        self.is_behind = False
        """Whether there was something to record at the last poll, besides what that found."""
        self._untold: set[MemRef] = set()
        self._gone = ""
        self._told = Catalog()
        self._counted: dict[str, tuple[object, int]] = {}
        self._listed: dict[str, tuple[object, list[Notice]]] = {}

    def glance(self) -> Catalog:
        """The catalog of the shared files and the session's project, with open items; fast, however large the store.

        For a refused store, this and the methods below only return the reason.
        """
        if self._session.refusal:
            return self.first()
        return self.counted(self._watcher.glance(self._session.project))

    def first(self) -> Catalog:
        """The catalog from file names alone, without open items."""
        if self._session.refusal:
            return Catalog(problem=self._session.refusal)
        return self._watcher.scan().catalog

    def counted(self, catalog: Catalog) -> Catalog:
        """`catalog` with the open items of every project; a scratchpad is read only if it changed."""
        self._gone = self._session.store_problem()
        projects = tuple(self._count(project) for project in catalog.projects)
        self._told = catalog._replace(projects=projects, problem=catalog.problem or self._gone)
        return self._told

    def listing(self, catalog: Catalog) -> dict[str, tuple[Notice, ...]]:
        """Notices about mismatches between files and their index, by the path of the file concerned.

        Only changed groups are examined. A group with an unreadable index is left out; the catalog reports it.
        """
        lists = self._session.layout.lists
        if lists is NO_LISTS:
            return {}
        from zsmem_tui.core.notice import NoticeKind  # deferred: only other agents have such files
        from zsmem_tui.store.disk.tree import DiskTree  # the same

        tree = DiskTree(self._session.root)
        out: dict[str, tuple[Notice, ...]] = {}
        for project in catalog.projects:
            state = tuple((entry.ref.path, entry.fingerprint) for entry in project.files)
            known = self._listed.get(project.slug)
            if known is None or known[0] != state:
                try:
                    known = (state, lists.findings(tree, project.slug))
                except MemError:
                    continue
                self._listed[project.slug] = known
            for found in known[1]:
                home = found.place.rpartition("/")[0]
                path = f"{home}/{found.text}" if found.kind is NoticeKind.UNLISTED else found.place
                out[path] = (*out.get(path, ()), found)
        return out

    def poll(self, opened: MemRef | None, *, folders: bool = False) -> Changed | None:
        """What changed since the last call, or None; with `folders`, everything in all folders is compared."""
        if self._session.refusal:
            return None
        history = self._session.history
        reviewed = history.reviewed_ns()
        self._reviewed = self._reviewed or reviewed  # at the first look, nobody waits for it
        self.is_behind = bool(self._unrecorded) or history.waiting() > 0 or reviewed != self._reviewed
        before, self._looked_ns = self._looked_ns, self._session.now_ns()
        change = self._watcher.poll(self._session.project, opened, folders=folders)
        if change is None and self._untold:
            change = self._watcher.scan()
        if change is None and self._gone != self._session.store_problem():  # it disappeared or came back just after a look
            change = StoreChange(self._watcher.scan().catalog, frozenset())
        if change is None:
            return None
        from zsmem_tui.service import losses  # deferred: the write path, after the first frame

        changed, self._untold = change.changed | self._untold, set()
        try:
            others = losses.others(self._session, changed)
        except WriteFailed:  # whose they are is asked again at the next poll
            others, self._untold = frozenset(), set(changed)
        if len(others) <= _MOST_COMPARED:
            others = frozenset(ref for ref in others if not self._is_same(ref, before))
        if short := set(filter(self._is_shortening, others)):
            held = others if short - change.catalog.refs else short  # what came as another went may be its new name
            changed, others, self._untold = changed - held, others - held, set(held)
            if not changed:
                return None
        return StoreChange(self.counted(change.catalog), changed, others)

    def _is_same(self, ref: MemRef, since: int) -> bool:
        """Whether a file holds what the history had of it then, so that only its dates or its mode have changed.

        False where that would take a wait for another program.
        """
        history, place = self._session.history, self._session.path(ref)
        found = stat_of(place)
        if found is None or found.st_size != self._size_told(ref):
            return False
        try:
            with patient(Patience(0)):
                last = history.versions(ref.path)[:1]
                return bool(last) and last[0].when <= since and history.text(last[0].after) == files.read_if_there(place)
        except MemError:
            return False

    def _is_shortening(self, ref: MemRef) -> bool:
        """Whether a file became shorter than last told, or went, just now: who writes it may not have come to its end."""
        place = self._session.path(ref)
        try:
            found = os.stat(place if (is_there := os.path.exists(place)) else os.path.dirname(place))
        except OSError:
            return False
        if not 0 <= time.time_ns() - found.st_ctime_ns < AT_REST_NS:
            return False
        return self._size_told(ref) > (found.st_size if is_there else 0)

    def _size_told(self, ref: MemRef) -> int:
        of_group = self._told.project(ref.project)
        told = (self._told.shared, of_group.files if of_group else (), self._told.kept)
        return next((entry.size for each in told for entry in each if entry.ref == ref), 0)

    def stirs(self) -> bool:
        """Whether polling now is worth it; checks only a few dozen names."""
        return not self._session.refusal and self._watcher.stirs(self._session.project)

    def catch_up(self, catalog: Catalog, shown: OpenFile | None = None) -> None:
        """Record changes made while nobody watched, and prune versions by the settings. Raises `HistoryError`.

        What came after the text that was `shown` meanwhile waits for review, also in a new history.
        """
        if self._session.refusal:
            return
        if not self._stopped.is_set():
            from zsmem_tui.store import interrupted  # deferred: the write path, after the first frame

            interrupted.recover()
            if shown is not None and shown.fingerprint is not None:
                recorder = self._session.history.recorder()
                recorder.written[shown.ref.path] = shown.fingerprint.mtime_ns
                recorder.record_displaced(shown.ref.path, shown.raw, durable=False)
            from zsmem_tui.store.history import apart  # deferred: the history, after the first frame

            bounds = apart.Bounds(self._session.config.history_days, self._session.config.history_bytes)
            apart.catch_up(self._session.history, catalog, bounds, cancelled=self._stopped.is_set)
            self._reviewed = self._session.history.reviewed_ns()

    def record(self, changed: Collection[MemRef]) -> bool:
        """Record these files and our own writes in the journal; return whether anything was new, or reviewed in another window.

        Raises `HistoryError`.
        """
        history = self._session.history
        self._unrecorded |= {ref.path for ref in changed}
        if self._stopped.is_set() or self._session.refusal:
            return False
        waiting = history.waiting()
        if self._unrecorded:
            history.observe(self._unrecorded)
        elif waiting:
            history.drain()
        elif history.reviewed_ns() == self._reviewed:
            return False
        self._unrecorded.clear()
        self._reviewed = history.reviewed_ns()
        if history.is_new:
            found = self._watcher.scan()
            self._untold |= found.changed
            self.catch_up(found.catalog)
        return True

    def stop(self) -> None:
        """Start nothing new."""
        self._stopped.set()

    def _count(self, project: ProjectEntry) -> ProjectEntry:
        pads = tuple(entry.fingerprint for entry in project.of(Role.CHECKLIST))
        known = self._counted.get(project.slug)
        if known and known[0] == pads:
            return project._replace(open_items=known[1])
        counted = with_open_items(self._session, project)
        self._counted[project.slug] = (pads, counted.open_items or 0)
        return counted


def prompt_use(session: Session) -> PromptUse:
    """How much of the prompt the session's project takes now, before it is cut."""
    from zsmem_tui.core.preview import instructed  # deferred, after the first rows
    from zsmem_tui.service import previewing  # the same
    from zsmem_tui.service.tasks import open_by_file  # the same

    block = session.mem().block()
    made = block.composed
    if made is None:
        is_cut = block.needed > block.cap or bool(block.skipped)
        return PromptUse(block.needed, block.cap, cut=is_cut, left_out="".join(each.path for each in block.skipped[:1]))
    told = () if made.runs else previewing.instructions_beside(session, session.folder)
    return PromptUse(
        made.used,
        made.cap,
        made.unit,
        made.of,
        not made.runs,
        instructed(told, is_of_each=only_instructions(session.layout)),
        bool(made.left_out),
        open_items=open_by_file(session, session.project),
    )
