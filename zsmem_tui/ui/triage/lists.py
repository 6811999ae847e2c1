"""The items of one project, of all of its store or of all stores, as triage shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.layout import group_word, has_checklist
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.tasks import Task, TaskList, task_groups, task_list, with_ages
from zsmem_tui.ui.tool import after
from zsmem_tui.ui.widgets.row_list import PROBLEM

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


class ListPlace(NamedTuple):
    """A project of one of the stores, by its key."""

    store: str
    project: str


REACHES: Final = ("project", "store", "stores")
"""What is shown: a project, all of its store, all stores."""


class TaskLists:
    """What was read, by project and store. `home` is the store that the screen was opened for, `project` the project."""

    def __init__(self, main: MainScreen, project: str) -> None:
        self._main = main
        self.home = main.here
        self.project = project
        self.reach = REACHES[0]
        self.lists: dict[ListPlace, TaskList] = {}
        self._ages: dict[tuple[str, str, str], int] = {}
        """When an item first appeared, by its store, path and words."""
        self._names: dict[ListPlace, str] = {}

    @property
    def several(self) -> bool:
        """Whether there are several stores."""
        return len(self._main.stores) > 1

    @property
    def stores(self) -> list[OpenStore]:
        """The stores that are shown, that of the screen first."""
        return [self.home, *(store for store in self._main.stores if store is not self.home and self.reach == "stores")]

    @property
    def tasks(self) -> list[Task]:
        """Every item, as old as is known."""
        every = [task for each in self.lists.values() for task in each.tasks]
        ages = self._ages
        since = (ages.get((task.store, task.path, task.item.text), task.since) for task in every)
        return [task if at == task.since else task._replace(since=at) for task, at in zip(every, since, strict=True)]

    @property
    def problems(self) -> list[str]:
        """The rows of scratchpads that cannot be read: whose they are, and why."""
        found = ((self.name(place), problem) for place, each in self.lists.items() for problem in list(each.problems.values())[:1])
        return [f"{PROBLEM}{name}: {problem.rpartition(': ')[2]}" for name, problem in found]

    @property
    def without(self) -> str:
        """The agent that has no checklist, where only its items are shown."""
        has_none = self.reach != "stores" and not has_checklist(self.home.session.layout)
        return self.home.title if has_none else ""

    @property
    def scope_name(self) -> str:
        """What is shown, in words."""
        if self.reach == "project":
            return self.name(ListPlace(self.home.key, self.project))
        if not self.several:
            return f"all {group_word(self.home.session.layout)}s"
        return f"all of {self.home.title}" if self.reach == "store" else "all agents"

    @property
    def beyond(self) -> str:
        """What `widen` would show besides, in words; empty where that is less than now."""
        if self.reach == "project":
            return f"the other {group_word(self.home.session.layout)}s"
        return "the other agents" if self.reach == "store" and self.several else ""

    def name(self, place: ListPlace) -> str:
        """What a project is called; where several stores are shown, whose it is too."""
        if place not in self._names:
            store = self._main.store_of(place.store)
            is_shared = place.project == EVERYBODY and not has_checklist(store.session.layout)
            label = "for everybody" if is_shared else store.group_name(place.project)
            self._names[place] = f"{store.title} · {label}" if self.reach == "stores" and self.several else label
        return self._names[place]

    def where(self, task: Task) -> str:
        """What the project of an item is called."""
        return self.name(ListPlace(task.store, task.project))

    def widen(self) -> None:
        """Show more, or behind everything, one project again."""
        self._names.clear()
        reaches = REACHES if self.several else REACHES[:2]
        self.reach = after(self.reach, reaches) if self.reach in reaches else REACHES[0]

    async def read(self, places: Sequence[ListPlace] | None) -> None:
        """Read the items of these projects again (None: of all that are shown)."""
        if places is not None:
            for place in places:
                self.lists |= await asyncio.to_thread(_read, self._main.store_of(place.store), [place.project])
            return
        found: dict[ListPlace, TaskList] = {}
        for store in self.stores:
            found |= await asyncio.to_thread(_read, store, [self.project] if self.reach == "project" else None)
        self.lists = found

    async def find_ages(self) -> None:
        """Find out how old the items are: a file that was just written is young, what stood in it is not."""
        for store in self.stores:
            own = tuple(task for place, each in self.lists.items() if place.store == store.key for task in each.tasks)
            if not own:
                continue
            try:
                dated = await asyncio.to_thread(with_ages, store.session, TaskList(own, {}, 0, 0))
            except HistoryError:
                continue  # the times of the files stay
            for task in dated.tasks:
                key = (task.store, task.path, task.item.text)
                self._ages[key] = min(self._ages.get(key, task.since), task.since)


def _read(store: OpenStore, wanted: list[str] | None) -> dict[ListPlace, TaskList]:
    """The items of these projects of a store (None: of all that may hold some), for a thread."""
    out = {}
    for project in task_groups(store.session) if wanted is None else wanted:
        found = task_list(store.session, [project])
        own = tuple(task._replace(store=store.key) for task in found.tasks)
        out[ListPlace(store.key, project)] = found._replace(tasks=own)
    return out
