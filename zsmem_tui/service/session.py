"""One run of the program: settings, root, project, clock and the texts held. Where everything is put together."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import DERIVED, TOO_LONG, HistoryError, OutsideStore, RuleBroken, StoreGone
from zsmem_tui.core.layout import Layout, group_label, place_of, ref_at
from zsmem_tui.core.names import project_name
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Author, Origin
from zsmem_tui.store.disk.files import root_problem
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.disk.ram import is_scarce
from zsmem_tui.store.text_cache import PROCESS, Texts

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.store.history.history import History
    from zsmem_tui.store.history.journal import Guard, Recorder
    from zsmem_tui.store.history.past import Past
    from zsmem_tui.store.mem import Mem
    from zsmem_tui.store.steps import Batch

    Clock = Callable[[], datetime]


DEFAULT_KIND = DEFAULT.kind
"""The kind of store that is meant where none is named."""

EVERYBODY = "global"
"""The group of a store that has none: its files belong to everybody."""

WAITING_LIMIT = 64
"""Journal entries after which a headless verb loads the history to take them; until then that waits for whoever reads it."""


def local_clock() -> datetime:
    """The local time."""
    from datetime import datetime  # 2 ms that a search can do without

    return datetime.now()


def as_it_was(guard: Guard) -> Guard:
    """A guard of texts that come back, or go elsewhere, as they were: however long they are, and whoever made them."""

    def asked(path: str, before: bytes | None, after: bytes | None) -> None:
        try:
            guard(path, before, after)
        except RuleBroken as error:
            if error.rule not in (TOO_LONG, DERIVED):
                raise

    return asked


class Session:
    """What front ends hold. `mem()` is made anew for each verb, so that one left open past midnight writes to the right log."""

    def __init__(
        self,
        root: str,
        project: str,
        *,
        config: Config | None = None,
        clock: Clock = local_clock,
        layout: Layout = DEFAULT,
        texts: Texts | None = None,
        history_home: str = "",
        folder: str = "",
        guard: Guard | None = None,
    ) -> None:
        self.root = root
        self.project = project_name(project)
        self.config = Config() if config is None else config
        self.clock = clock
        self.layout = layout
        if texts is None:
            texts = Texts(self.config.search_memory * 1024 * 1024, is_scarce=is_scarce, room=PROCESS)
        self.texts = texts
        self.folder = folder
        """The folder that the project is the slug of; empty when it is not known."""
        self.store = ""
        """`KIND:ROOT`, where the person has named a store; empty for the one that is meant anyway."""
        self.refusal = ""
        """Why this store is not opened beside others, as a sentence; empty for one that is."""
        self.guard = guard
        """Asked before each write: another agent's rules and locks (`store.history.journal.Guard`)."""
        self.folders: Mapping[str, str] = {}
        """Of which folder each group is, as far as that is known (`service.folders`); the group "" stands for the whole store."""
        self.names: Mapping[str, str] = {}
        """What people call a group whose own name is a code made of its folder, as far as a screen has found that out."""
        self.is_about_folder = False
        """Whether all of the store is of the folder worked in, and none of it for everybody."""
        self.beside: tuple[Session, ...] = ()
        """Other stores of the kind that its agent reads as one with this: opencode's blocks for all, beside those of a project."""
        self.dry_run = False
        """Whether verbs on files only say what they would do."""
        self.writer: Author | None = None
        """Who writes here, where it is not the person: what an agent writes is somebody else's change, and no step of theirs."""
        self._was_there = False
        self._history_home = history_home
        self._history: History | None = None
        self._past: Past | None = None
        self._used: Recorder | None = None

    @classmethod
    def open(
        cls,
        config: Config,
        *,
        root: str | None = None,
        project: str | None = None,
        cwd: str | None = None,
        clock: Clock = local_clock,
    ) -> Session:
        """The session for what the person asked for, `root` and `cwd` made absolute; nothing is read yet.

        Raises `ConfigError` when no root can be told, `BadName` for a project that cannot be a folder.
        """
        where = locate.absolute(root or config.root) or locate.memory_root()
        cwd = locate.absolute(cwd) if cwd else None
        folder = "" if project else cwd or locate.working_folder()
        return cls(where, project or locate.folder_project(cwd), config=config, clock=clock, folder=folder)

    @property
    def profile(self) -> Profile:
        """Which agent is matched."""
        return self.config.profile

    def mem(self, project: str | None = None, *, day: str = "", profile: Profile | None = None, dry_run: bool = False) -> Mem:
        """The memory of `project` (default: the session's) as of now, or of `day`; with `dry_run`, one that writes nothing."""
        from zsmem_tui.store.mem import Mem  # 16 ms with the write path, which a search can do without

        self.store_problem()
        return Mem(
            self.root,
            project or self.project,
            day or self.clock().date().isoformat(),
            profile=profile or self.profile,
            layout=self.layout,
            texts=self.texts,
            inject_cap=self.config.inject_cap,
            dry_run=dry_run,
            recorder=self._new_recorder(),
            make_root=not self._was_there,
        )

    def for_group(self, group: str) -> Session:
        """The same store as seen from another of its groups, with one history for both. Raises `BadName`."""
        if group == self.project:
            return self
        other = copy(self)
        other._history = self.history  # made by being asked for
        other.project = project_name(group)
        return other

    def hold_at_most(self, held_bytes: int) -> None:
        """Keep fewer texts between searches than the screen does: for a program that stays, beside others like it."""
        self.texts = Texts(held_bytes, is_scarce=is_scarce)

    def now_ns(self) -> int:
        """Nanoseconds since 1970, as the session's clock has it."""
        return int(self.clock().timestamp() * 10**9)

    @property
    def history(self) -> History:
        """Every version of every file of this store; nothing is loaded yet."""
        if self._history is None:
            from zsmem_tui.store.history.history import History  # 4 ms that no search needs

            self._history = History(self.root, self.now_ns, self._history_home)
        return self._history

    @property
    def past(self) -> Past:
        """What went into prompts at other times; nothing is loaded yet."""
        if self._past is None:
            from zsmem_tui.store.history.past import Past  # only for who asks about the past

            self._past = Past(self.history, self.layout)
        return self._past

    def recorder(self, label: str = "", origin: Origin = Origin.YOU, *, relation: str = "") -> Recorder:
        """What takes down one step of writes, so that it can be undone: every verb that writes asks for it first.

        Raises `StoreGone`.
        """
        self.require_store()
        return self._new_recorder(label, origin, relation=relation)

    def _new_recorder(self, label: str = "", origin: Origin = Origin.YOU, *, relation: str = "") -> Recorder:
        from zsmem_tui.store.history.journal import Recorder, pending_folder  # 4 ms with `json`, which a search can do without

        def when() -> int:
            self._used = recorder  # asked whenever it takes something down: only then does it say how undo is
            return self.now_ns()

        pending = os.path.join(self._history_home, "pending") if self._history_home else pending_folder(self.root)
        who = ""
        if self.writer is not None:
            origin, who = Origin.OTHER, self.writer.evidence
        recorder = Recorder(pending, when, label=label, origin=origin, who=who, relation=relation)
        match origin:
            case Origin.UNDO | Origin.SYNCED if self.guard is not None:
                recorder.guard = as_it_was(self.guard)
            case _:
                recorder.guard = self.guard
        return recorder

    def batch(
        self,
        label: str,
        origin: Origin = Origin.YOU,
        *,
        relation: str = "",
        ends: bool = False,
        nothing: str = "",
    ) -> Batch:
        """Several writes as one step: all of them, or as if none had been made. With `dry_run`, none is.

        `ends` and `nothing` are those of `Batch`.
        """
        from zsmem_tui.store.steps import NOTHING, Batch  # with the write path, which a search can do without

        recorder = self.recorder(label, origin, relation=relation)
        return Batch(
            self.root,
            recorder,
            dry_run=self.dry_run,
            make_root=not self._was_there,
            ends=ends,
            nothing=nothing or NOTHING,
        )

    @property
    def write_problem(self) -> str:
        """Why the last write here cannot be undone, as a sentence; empty when it can, or nothing was written yet."""
        return self._used.problem if self._used is not None else ""

    @property
    def undo_problem(self) -> str:
        """Why the last write here cannot be undone, or versions cannot be used, as a sentence; empty while all is well.

        Reading changes nothing about it: it lasts until a write can be undone again.
        """
        return self.write_problem or (self._history.problem if self._history is not None else "")

    def settle(self) -> None:
        """After a verb that wrote: let the history take what waits, when it has become much."""
        if self._used is not None and self.history.waiting() > WAITING_LIMIT:
            with contextlib.suppress(HistoryError):
                self.history.drain()

    def store_problem(self) -> str:
        """That the memory folder is gone, as a sentence; empty while it is there, and for one that has not been there yet."""
        if os.path.isdir(self.root):
            self._was_there = True
            return ""
        return f"The memory folder {printable_path(self.root)} is gone: renamed, or its disk is away." if self._was_there else ""

    def require_store(self) -> None:
        """Raises `StoreGone` where the memory folder was there and is not now: a write would make another one in its place.

        So it does where the store is not opened beside others.
        """
        if self.refusal:
            raise StoreGone(self.root, f"{self.refusal} Nothing was written.")
        if problem := self.store_problem():
            raise StoreGone(self.root, f"{problem} Nothing was written.", "It goes on as soon as the folder is back.")

    @property
    def is_default(self) -> bool:
        """Whether it is a store of zerostack's own, for which every verb needs no more than its root."""
        return self.layout.kind == DEFAULT.kind

    @property
    def is_default_root(self) -> bool:
        """Whether the root is where the agent keeps its memory when nobody says otherwise."""
        return self.root == locate.memory_root()

    def path(self, ref: MemRef) -> str:
        """Where a memory file lies on this system."""
        return os.path.join(self.root, ref.path)

    def leaves_store(self, ref: MemRef) -> bool:
        """Whether a memory file is a link, or lies in one, that leads out of the store."""
        return not is_inside(self.path(ref), self.root)

    def refuse_link_out(self, ref: MemRef) -> None:
        """Raises `OutsideStore` for a memory file that leaves the store: what is read to go elsewhere is what lies in it."""
        if self.leaves_store(ref):
            place = self.path(ref)
            raise OutsideStore(place, f"{printable_path(place)} is a link that leaves the store. Nothing was read.")

    def place_of(self, role: Role, project: str | None = None, name: str = "") -> MemRef:
        """Where `role` is written to in a project (default: the session's). Raises `BadTarget` where there is no such file."""
        return place_of(self.layout, role, project or self.project, name)

    def ref_at(self, path: str) -> MemRef:
        """The memory file at a relative path, also one that the layout has no place for."""
        return ref_at(self.layout, path)

    def group_name(self, group: str) -> str:
        """What people read for a group whose own name is a code: its name or folder, where that is known, else its label."""
        if self.layout.projects_folder:
            return self.names.get(group) or printable_path(group)
        folder = self.folders.get("" if group == EVERYBODY else group, "")
        if group == EVERYBODY and not folder:
            return "everybody"
        return printable_path(locate.shortened(folder) if folder else self.names.get(group) or group_label(self.layout, group))

    def whose(self, group: str) -> str:
        """Whose a file of a group is, as a heading says it: of that, of the folder that all of the store is about, or of all."""
        if group:
            return self.group_name(group)
        own = self.folders.get("", "")
        return printable_path(locate.shortened(own)) if own else "Shared by all projects"

    @property
    def has_no_group(self) -> bool:
        """Whether the store has no group of the folder worked in."""
        return self.project == EVERYBODY

    def root_problem(self) -> str:
        """Why the store cannot be read, or is not opened, as a sentence; empty when it can be read, or is not there yet."""
        return self.refusal or root_problem(self.root)


class Portable(NamedTuple):
    """What another process needs to know of a session to look at the same store."""

    root: str
    project: str
    config: Config
    layout: Layout
    history_home: str
    folder: str
    store: str

    def session(self) -> Session:
        """The same store there: with no texts, no writer, and the clock of the machine."""
        layout = DEFAULT if self.layout.kind == DEFAULT.kind else self.layout  # which is known by being the one that there is
        session = Session(
            self.root, self.project, config=self.config, layout=layout, history_home=self.history_home, folder=self.folder
        )
        session.store = self.store
        return session


def portable(session: Session) -> Portable:
    """What another process needs to know of a session."""
    home = session._history_home
    config = session.config._replace(keys={})  # of no use without a screen, and of a kind that is not sent
    return Portable(session.root, session.project, config, session.layout, home, session.folder, session.store)
