"""A store that is open on the main screen, and what is known of it by now."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.checks.checkup import NOT_LOOKED
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.watching import PromptUse, StoreFollower
from zsmem_tui.ui import signs

if TYPE_CHECKING:
    from zsmem_tui.core.catalog import Catalog
    from zsmem_tui.core.checks.checkup import Checkup
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.service.checkups import Rounds
    from zsmem_tui.service.folders import Beside
    from zsmem_tui.service.news import News
    from zsmem_tui.service.projects.known import KnownProjects
    from zsmem_tui.service.projects.naming import Progress
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session

MoreStores = Callable[[], "Beside"]
"""The stores that are open beside the first, and the folders that are known: slow, for a thread."""

GONE: Final = f"{signs.GONE} "
"""Before the name of a project whose folder is not there."""
FAMILY: Final = f"{signs.FAMILY} "
"""Before the name of a project whose repository has other memories too."""


class ProjectName(NamedTuple):
    """What a project is called where there is room for a word; what became of its folder; and an id that its family shares."""

    label: str
    mark: str = ""
    family: str = ""


class Naming:
    """A search for the folders of projects that is under way: `stop` ends it."""

    def __init__(self, stop: threading.Event) -> None:
        self.stop = stop
        self.progress: Progress | None = None
        """How far it is, as far as it has told."""


class At(NamedTuple):
    """A place in the tree: a file, a group, a whole store by its key, or a `folder` of several stores, with the first of them."""

    store: str
    group: str = ""
    ref: MemRef | None = None
    folder: str = ""


class OpenStore:
    """One memory of one agent: its session, what it holds, and what others did to it since the person looked."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.key = f"{session.layout.kind}:{session.root}"
        """Its name among the open stores."""
        self.follower = StoreFollower(session)
        self._first_look: asyncio.Task[Catalog] | None = None
        self.looking = asyncio.Lock()
        """Held while the store is looked at, or written so that the change is no news."""
        self.drafting = asyncio.Lock()
        """Held while a draft is kept or dropped: one that is on its way to disk does not outlive a save."""
        self.showing = asyncio.Lock()
        """Held from a look until what it found is on the screen: who looks next can count on it."""
        self.catalog: Catalog | None = None
        self.known: KnownProjects | None = None
        """What is known of the folder of each project."""
        self.told: Mapping[str, Mapping[str, frozenset[str]]] = {}
        """The instruction files of other stores in the prompt of each project, as far as it was looked for: by store and path."""
        self.names: Mapping[str, ProjectName] = {}
        """What projects are called, by slug, as far as a name is known."""
        self.naming: Naming | None = None
        """The search for folders that is under way."""
        self.names_wanted = asyncio.Event()
        """Set to have the folders looked for again."""
        self.sought: frozenset[str] | None = frozenset()  # the projects that the last one left gone; None: a person wants one
        self.naming_problems: tuple[str, ...] = ()
        """What the last one could not read, in sentences."""
        self.hint = ""
        """That another folder's memory seems to belong to the one worked in; empty: none does."""
        self.unconnected: Mapping[str, str] = {}
        """Which agents of this machine are not connected, once somebody asked (`service.today.unconnected`)."""
        self.prompts: Mapping[str, PromptUse | None] = {}
        """How full the prompt of each project is, as far as somebody asked; None: that cannot be told."""
        self.unreviewed: frozenset[MemRef] = frozenset()
        self.listing: Mapping[str, Sequence[Notice]] = {}
        """What is wrong between files and what lists them, by path as it is shown."""
        self.news: News | None = None
        """What others wrote, by lines; None: nobody has looked yet."""
        self.wipes: list[Wipe] = []
        self.dropped: tuple[object, ...] = ()  # what others' writes did to the person's own changes, as it was told
        self.rounds: Rounds | None = None
        """Who looks for findings in it; None: nobody has yet."""
        self.checkup: Checkup = NOT_LOOKED
        self.looked_at = 0.0
        """When it was looked at last, by the clock that never goes back."""
        self.problem = ""  # why its undo and history are off; empty: they are not
        self.trouble = ""
        """What could not be done with it when it was looked at last, as it was told; empty: nothing."""

    def find_told(self, project: str) -> None:
        """Find out which instruction files are in the prompt of a project, beside what is here. For a thread."""
        from zsmem_tui.service.prompts import told_beside  # with every kind of store, of which there may be one

        self.told = {**self.told, project: told_beside(self.session, project)}

    def has_in(self, project: str, store: OpenStore, path: str) -> bool:
        """Whether a file of a store is of the memory of a project here: of that, for all, or an instruction in its prompt."""
        if store is self:
            return is_of(project, self.session.layout.group_of(path))
        return path in self.told.get(project, {}).get(store.key, ())

    def found_in(self, project: str, stores: Sequence[OpenStore]) -> int:
        """How many findings of the open `stores` are to be decided in the memory of a project here."""
        known = ((store, path, count) for store in stores for path, count in store.checkup.counts.items())
        return sum(count for store, path, count in known if self.has_in(project, store, path))

    def unreviewed_in(self, project: str, stores: Sequence[OpenStore]) -> list[MemRef]:
        """The files that others changed in that memory."""
        return [ref for store in stores for ref in store.unreviewed if self.has_in(project, store, ref.path)]

    def begin(self) -> None:
        """Begin to look, in a thread, while the screen is made: so the first frame has rows where the disk is quick."""
        self._first_look = asyncio.create_task(asyncio.to_thread(self.follower.glance))

    def seen(self) -> Catalog | None:
        """What the look that was begun has found by now; None where it has not ended, or cannot be done."""
        look = self._first_look
        return look.result() if look and look.done() and not look.cancelled() and not look.exception() else None

    async def glance(self) -> Catalog:
        """What is there at a glance: of the look that was begun, else of one now (`StoreFollower.glance`)."""
        look, self._first_look = self._first_look, None
        return await (look or asyncio.to_thread(self.follower.glance))

    def has_problem(self, problem: str) -> bool:
        """Take down why its undo and history are off (empty: they are not); whether that is another reason than before."""
        is_news, self.problem = problem != self.problem, problem
        return is_news

    @property
    def title(self) -> str:
        """The agent's name, as people write it."""
        return self.session.layout.title

    @property
    def folders(self) -> Mapping[str, str]:
        """Of which folder each group is, as far as that is known; the group "" stands for the whole store."""
        return self.session.folders

    def folder_of(self, group: str) -> str:
        """The folder that a group is of, or without one the session's; empty where that is not known."""
        is_own = group in ("", self.session.project) or self.session.has_no_group
        return self.folders.get(group) or self.folders.get("") or (self.session.folder if is_own else "")

    def call(self, names: Mapping[str, ProjectName]) -> None:
        """From now on projects are called so, everywhere a person reads of them."""
        self.names = names
        self.session.names = {slug: each.label for slug, each in names.items()}

    def group_name(self, group: str) -> str:
        """What a group is called (`Session.group_name`)."""
        return visible_line(self.session.group_name(group))

    @property
    def empty(self) -> bool:
        """Whether it holds nothing that could be shown."""
        return self.catalog is None or not (self.catalog.shared or self.catalog.projects)

    def listed(self, ref: MemRef) -> Sequence[Notice]:
        """What is wrong between a file and what lists it."""
        return self.listing.get(printable_path(ref.path), ()) if self.listing else ()

    def has(self, ref: MemRef) -> bool:
        """Whether there is such a file, as far as is known."""
        if self.catalog is None:
            return False
        project = self.catalog.project(ref.project) if ref.project else None
        return any(entry.ref == ref for entry in (project.files if project else self.catalog.shared))


def are_several(stores: Sequence[OpenStore]) -> bool:
    """Whether several agents have memory here: where one has, its name tells nothing, and is left out."""
    return sum(not (store.empty or only_instructions(store.session.layout)) for store in stores) > 1


def is_named(store: OpenStore, stores: Sequence[OpenStore]) -> bool:
    """Whether a store is told from the other open `stores` by its name: it is of one of several agents, or of instructions."""
    return are_several(stores) or only_instructions(store.session.layout)


def memory_name(store: OpenStore, group: str, stores: Sequence[OpenStore]) -> str:
    """What a group of a store is called, or what all groups share; with the name of the store where that tells something."""
    name = visible_line(store.session.whose(group))
    return f"{store.title} · {name}" if is_named(store, stores) else name


def is_of(project: str, group: str) -> bool:
    """Whether what is in a group belongs to the memory of a project: it is of that, or for all."""
    return group in ("", project) or project == EVERYBODY


class FactsAbout(NamedTuple):
    """Which facts: those of a project. The cursor is on the one at `line` (from 0) of `ref` at first."""

    project: str
    ref: MemRef | None = None
    line: int = 0
