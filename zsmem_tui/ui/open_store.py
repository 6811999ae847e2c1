"""A store that is open on the main screen, with everything known about it so far."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.checks.checkup import NOT_LOOKED
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import view_state
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.watching import PromptUse, StoreFollower
from zsmem_tui.ui import signs

if TYPE_CHECKING:
    from zsmem_tui.core.catalog import Catalog, FileEntry
    from zsmem_tui.core.checks.checkup import Checkup
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.service.checkups import Rounds
    from zsmem_tui.service.folders import Beside
    from zsmem_tui.service.news import News
    from zsmem_tui.service.projects.known import KnownProjects
    from zsmem_tui.service.projects.naming import NamingResult
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session

MoreStores = Callable[[], "Beside"]
"""Returns the other stores and the known folders; slow, so call it in a thread."""

GONE: Final = f"{signs.GONE} "
"""Before the name of a project whose folder is missing."""
AWAY: Final[dict[State | None, str]] = {State.MOVED: f"{signs.MOVED} ", State.MAYBE: f"{signs.MAYBE} ", State.GONE: GONE}
"""The marks of projects whose folder is not where it was."""
FAMILY: Final = f"{signs.FAMILY} "
"""Before the name of a project whose repository has other memories, too."""


class ProjectName(NamedTuple):
    """A project's short name, the mark for its folder's state, and an id shared by projects of the same repository."""

    label: str
    mark: str = ""
    family: str = ""


class Naming:
    """A running search for the folders of projects; setting `stop` ends it."""

    def __init__(self, stop: threading.Event) -> None:
        self.stop = stop
        self.progress: NamingResult | None = None
        """How far it has come, if known."""


class At(NamedTuple):
    """A place in the tree: a file, a group, a store by its key, or a `folder` across stores with the first of them."""

    store: str
    group: str = ""
    ref: MemRef | None = None
    folder: str = ""


class Extent(NamedTuple):
    """How much Review lists: of all folders or of the current one, and the most files and lines with rows; 0: the default."""

    is_of_all: bool = False
    files: int = 0
    lines: int = 0


class OpenStore:
    """An open store: its session, its contents, and what others changed in it since the person last looked."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.key = f"{session.layout.kind}:{session.root}"
        """Unique among the open stores."""
        self.follower = StoreFollower(session)
        self._first_look: asyncio.Task[Catalog] | None = None
        self.looking = asyncio.Lock()
        """Held while the store is polled, or written so that the change is not reported as one by others."""
        self.drafting = asyncio.Lock()
        """Held while a draft is written or removed, so that a late draft does not survive a save."""
        self.showing = asyncio.Lock()
        """Held from a poll until its result is shown, so that the next caller can rely on that."""
        self.comparing = asyncio.Lock()
        """Held while it is found out what others wrote, by lines, and while that is shown."""
        self.is_recorded = False  # whether the history has what others wrote, as far as that was noticed
        self.asked_news = self.told_news = 0
        """How often that was asked for, and up to which time it is answered."""
        self.catalog: Catalog | None = None
        self.known: KnownProjects | None = None
        """The known folders of projects."""
        self.told: Mapping[str, Mapping[str, frozenset[str]]] = {}
        """For each project, the instruction files of other stores in its prompt, as far as determined: store key to paths."""
        self._read: dict[str, tuple[object, frozenset[str]]] = {}  # (state of the files, `reads`) by folder
        self.names: Mapping[str, ProjectName] = {}
        """The known names of projects, by slug."""
        if (own := session.project) not in session.names and session.layout.group_named_after(session.folder) == own:
            name = os.path.basename(session.folder) if session.layout.projects_folder else locate.shortened(session.folder)
            session.names = {**session.names, own: printable_path(name) or own}  # the first frame comes before the search
        self.naming: Naming | None = None
        """The running search for folders, or None."""
        self.names_wanted = asyncio.Event()
        """Set to start another search for folders."""
        self.sought: frozenset[str] | None = frozenset()  # projects last found to have no folder; None: a person wants a search
        self.naming_problems: tuple[str, ...] = ()
        """What the last search could not read, in sentences."""
        self.hint = ""
        """A hint that another folder's memory seems to belong to the current folder; empty for none."""
        self.unconnected: Mapping[str, str] = {}
        """The agents on this machine that are not connected, once determined (`service.today.unconnected`)."""
        self.prompts: Mapping[str, PromptUse | None] = {}
        """How full each project's prompt is, once determined; None: unknown."""
        self.unreviewed: frozenset[MemRef] = frozenset()
        self.waiting: frozenset[MemRef] = frozenset()
        """Those of them that are of the folder that the person works in."""
        self.listing: Mapping[str, Sequence[Notice]] = {}
        """The problems between files and their indexes, by displayed path."""
        self.news: News | None = None
        """What others wrote, by lines; None until determined."""
        self.wipes: list[Wipe] = []
        self.hidden_wipes = {*view_state.read(f"put away {self.key}")}
        """Those that the person has put away, also in a run before, in words: told again once these differ."""
        self.last_news: tuple[str, frozenset[MemRef], frozenset[MemRef]] = ("", frozenset(), frozenset())
        """What was said last of files that others changed, which they are, and all files before."""
        self.dropped = view_state.read(f"dropped {self.key}")  # when others' writes took own lines, as last said
        self.rounds: Rounds | None = None
        """The doctor for this store; None until its first run."""
        self.checkup: Checkup = NOT_LOOKED
        self.looked_at = 0.0
        """The monotonic time of the last poll."""
        self.can_undo = False  # whether it has a step that is not undone
        self.problem = ""  # why undo and history are off; empty if they are not
        self.trouble = ""  # the error of the last background work, as shown; empty for none

    @property
    def is_comparing(self) -> bool:
        """Whether what others wrote is still being found out; of a store that cannot be read, nothing is."""
        return (self.told_news < self.asked_news or not self.is_recorded) and not (self.session.refusal or self.problem)

    @property
    def missing(self) -> list[Wipe]:
        """The wipes without those of deleted files that are there again, which a slow comparison of texts may have still."""
        return [each for each in self.wipes if not (each.deleted and self.has(each.ref))]

    @property
    def wipes_to_tell(self) -> list[Wipe]:
        """The wipes to warn of, until they are brought back, seen or put away."""
        return [each for each in self.missing if str(each) not in self.hidden_wipes]

    def went(self, stores: Iterable[OpenStore]) -> str:
        """Where the folder of a store that is about one was moved, if any of these stores knows; else empty."""
        root = self.session.root if self.session.is_about_folder else ""
        verdicts = (each.verdict for store in stores if store.known is not None for each in store.known.projects)
        return next((each.moved_to for each in verdicts if each.folder == root and each.moved_to), "")

    def group_beside(self, told: OpenStore) -> str:
        """The group for the folder of a store of instructions; that of the current folder if there is none, or they are for all."""
        found = self.folders.items() if told.session.root != self.session.folder else ()
        return next((group for group, its in found if group and its == told.session.root), self.session.project)

    def find_told(self, project: str) -> None:
        """Determine which instruction files are in a project's prompt in addition to its own. Call it in a thread."""
        from zsmem_tui.service.prompts import told_beside  # deferred: imports every kind of store

        self.told = {**self.told, project: told_beside(self.session, project)}

    def reads(self, folder: str, entries: Sequence[FileEntry]) -> frozenset[str]:
        """Which of a folder's instruction files its agent reads, by relative path. Slow if they are new to it: it reads them."""
        from zsmem_tui.service.prompts import reads_in  # deferred, as above

        now = [(entry.ref.path, entry.size, entry.modified_ns) for entry in entries]
        if self._read.get(folder, (None,))[0] != now:
            self._read[folder] = now, reads_in(self.session, folder, (path for path, *_ in now))
        return self._read[folder][1]

    def has_in(self, project: str, store: OpenStore, path: str) -> bool:
        """Whether a file belongs to a project's memory: it is in the project, global, or an instruction in its prompt."""
        if store is self:
            return is_of(project, self.session.layout.group_of(path))
        return path in self.told.get(project, {}).get(store.key, ())

    def found_in(self, project: str, stores: Sequence[OpenStore]) -> int:
        """The number of findings to decide in a project's memory, across the open `stores`."""
        there = (store for store in stores if not (store.catalog and store.catalog.problem))
        known = ((store, path, count) for store in there for path, count in store.checkup.counts.items())
        return sum(count for store, path, count in known if self.has_in(project, store, path))

    def begin(self) -> None:
        """Start a first look in a thread while the screen is built, so that the first frame can have rows."""
        self._first_look = asyncio.create_task(asyncio.to_thread(self.follower.glance))

    def seen(self) -> Catalog | None:
        """The result of the first look if it has succeeded by now, else None."""
        look = self._first_look
        return look.result() if look and look.done() and not look.cancelled() and not look.exception() else None

    async def glance(self) -> Catalog:
        """The result of the first look, or of a new one (`StoreFollower.glance`)."""
        look, self._first_look = self._first_look, None
        return await (look or asyncio.to_thread(self.follower.glance))

    def has_problem(self, problem: str) -> bool:
        """Store why undo and history are off (empty: they are not); whether that has changed."""
        is_news, self.problem = problem != self.problem, problem
        return is_news

    @property
    def gone(self) -> str:
        """A sentence that the memory is gone or cannot be read; empty if it is there."""
        return self.session.store_problem() or (self.catalog.problem if self.catalog else "")

    @property
    def title(self) -> str:
        """The agent's display name."""
        return self.session.layout.title

    @property
    def by_group(self) -> str:
        """A sentence that it keeps memory by group, and where there is one."""
        where = "go to one in the tree, and 9 is about that" if self.catalog and self.catalog.projects else "it has none yet"
        return f"{self.title} keeps memory by group: {where}."

    @property
    def folders(self) -> Mapping[str, str]:
        """The known folder of each group; the group "" stands for the whole store."""
        return self.session.folders

    def folder_of(self, group: str) -> str:
        """The folder of a group, or without one, of the session; empty if unknown."""
        is_own = group in ("", self.session.project) or self.session.has_no_group
        return self.folders.get(group) or self.folders.get("") or (self.session.folder if is_own else "")

    def instructions_of(self, group: str, stores: Sequence[OpenStore]) -> OpenStore | None:
        """Of the open `stores`, the instructions in the folder of a group."""
        told = (each for each in stores if only_instructions(each.session.layout))
        return next((each for each in told if each.session.root == self.folder_of(group)), None)

    def call(self, names: Mapping[str, ProjectName]) -> None:
        """Set the displayed names of projects."""
        self.names = names
        self.session.names = {slug: each.label for slug, each in names.items()}

    def group_name(self, group: str) -> str:
        """The displayed name of a group (`Session.group_name`)."""
        return visible_line(self.session.group_name(group))

    @property
    def empty(self) -> bool:
        """Whether the store has no files, or has not been read."""
        return self.catalog is None or not (self.catalog.shared or self.catalog.projects)

    def listed(self, ref: MemRef) -> Sequence[Notice]:
        """The problems between a file and its index, without those that are ignored in the Doctor."""
        return self.checkup.without_ignored(ref, self.listing.get(printable_path(ref.path), ()) if self.listing else ())

    def has(self, ref: MemRef) -> bool:
        """Whether the catalog has this file."""
        catalog = self.catalog
        project = catalog.project(ref.project) if catalog is not None and ref.project else None
        return catalog is not None and any(entry.ref == ref for entry in (project.files if project else catalog.shared))


def none(words: str, stores: Sequence[OpenStore], group: str = "") -> str:
    """What an empty list of these stores says: that one of them is gone, or the memory of this group, else `words`."""
    deleted = group and any(wipe.deleted and wipe.ref.project == group for each in stores for wipe in each.wipes)
    is_gone = deleted and not any(own.files for each in stores if each.catalog and (own := each.catalog.project(group)))
    return next((each.gone for each in stores if each.gone), "Its memory is gone: W brings it back." if is_gone else words)


def are_several(stores: Sequence[OpenStore]) -> bool:
    """Whether several agents have memory; otherwise the agent's name is left out."""
    return sum(not (store.empty or only_instructions(store.session.layout)) for store in stores) > 1


def memory_name(store: OpenStore, group: str, stores: Sequence[OpenStore]) -> str:
    """The name of a group, or of what all groups share; with the store's name if there are several."""
    name = visible_line(store.session.whose(group))
    return f"{store.title} · {name}" if are_several(stores) else name


def is_of(project: str, group: str) -> bool:
    """Whether a group belongs to a project's memory: it is the project's own, or global."""
    return group in ("", project) or project == EVERYBODY


class FactsAbout(NamedTuple):
    """What the facts screen shows: a project's facts, with the cursor at 0-based `line` of `ref` in the `store` with that key."""

    project: str
    ref: MemRef | None = None
    line: int = 0
    store: str = ""
