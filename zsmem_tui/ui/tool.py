"""The base classes of all tool screens, which lie over the main screen: layout, focus, lists, and actions on items."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import applying
from zsmem_tui.service.plan import Plan, joined
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import Overlay, in_turn
from zsmem_tui.ui.dialogs.ask import Asked, choose, lets_in
from zsmem_tui.ui.keys.bindings import bar_actions, pane_bindings
from zsmem_tui.ui.memory.reading import reload_tool
from zsmem_tui.ui.open_store import OpenStore, memory_name
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine, TourBar
from zsmem_tui.ui.widgets.frame import FilterLine, SplitBody
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.widgets.strip import ScreenStrip, place
from zsmem_tui.ui.wording import in_several, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.memory.screen import MainScreen


Place: TypeAlias = "MainScreen | ToolScreen"
"""A screen that can ask or say something."""

Answer = TypeVar("Answer")
Either = TypeVar("Either")

_MOST_IN_A_RING: Final = 3
"""Values of a view setting that a key goes through; of more it asks which."""

MOST_STASHED: Final = 3
"""Maximum number of stashed stacks of tools: from a tool to the viewer or editor, and from there to another tool."""

_CHOICES: Final = {"which": "Show", "state": "Show", "group": "Group by", "order": "Sort by"}


class ToolScreen(Overlay[None]):
    """A tool screen. `SCOPE_OF` maps widget ids to scopes of actions; its first widget gets the focus at the start and on `esc`."""

    AUTO_FOCUS = ""  # Textual's default would focus the first widget, a hidden input
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings()]
    SCOPE_OF: ClassVar[dict[str, str]] = {}
    HAS_KEY: ClassVar[bool] = True
    """Whether the key of its page leads to it."""
    OF_FOLDER: ClassVar[bool] = False
    """Whether "this memory" is that of the folder that the person works in, wherever the screen is opened."""

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(classes="tool")
        self.host = host
        self.split = SplitBody(self.PAGE, self.say, classes="tool-body")
        self.home = host.main.here
        """The store for which the screen was opened; with `project`, "this memory"."""
        self.project = self.home.session.project if self.OF_FOLDER else host.main.project_in_view()
        self.session = self.home.session
        """The session of the row under the cursor. The main screen's current store changes only when something is opened."""
        self.is_of_all = False
        self.above: Sequence[Widget] = ()
        """Widgets above the two panes; most screens have none."""

    def compose(self) -> ComposeResult:
        """Yield the body with the strip above and the status and key lines below."""
        yield ScreenStrip(self.PAGE, self.host)
        yield from self.above
        with self.split:
            yield from self.compose_body()
        yield TourBar()
        yield StatusLine(id="status", place=place(self.PAGE, self.host.actions))
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Paint first, then start loading."""
        self.set_focus(self.widget_of())
        own, main = self.query_one(StatusLine), self.host.main.status
        main.clear()
        self.watch(main, "right", partial(setattr, own, "right"))
        self.watch(main, "alerts", partial(setattr, own, "alerts"))
        self.call_after_refresh(self.load)

    def take_off(self) -> None:
        """Take the screen off the stack as it is, and close whatever lies over it."""
        while self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.app.install_screen(self, f"stashed-{id(self)}")  # otherwise Textual would remove it
        self.app.pop_screen()

    def restore(self) -> None:
        """Push the screen that was taken off again, as it was."""
        self.app.uninstall_screen(self)
        self.closed = False
        self.app.push_screen(self)

    def on_screen_resume(self) -> None:
        """The screen is seen: the right end of the status line is about it."""
        self.host.main.tell_right()

    def on_unmount(self) -> None:
        """Close the screen. The tool below shows what changed meanwhile."""
        self.closed = True
        reload_tool(self.host)

    @property
    def memory(self) -> OpenStore:
        """The open store of `session`."""
        return next((store for store in self.host.main.stores if store.session is self.session), self.home)

    @property
    def memories(self) -> list[OpenStore]:
        """The stores shown, `home` first: all, or in addition the instruction stores that are in its prompt."""
        others = (store for store in self.host.main.stores if store is not self.home)
        return [self.home, *(store for store in others if self.is_of_all or store.key in self.home.told.get(self.project, ()))]

    async def find_told(self) -> None:
        """Determine which instruction files belong to this memory; must precede showing anything."""
        if self.host.main.stores[1:]:
            await asyncio.to_thread(self.home.find_told, self.project)

    def is_shown(self, store: OpenStore, path: str) -> bool:
        """Whether a file belongs to what the screen shows."""
        return self.is_of_all or self.home.has_in(self.project, store, path)

    @property
    def scope_name(self) -> str:
        """What is shown: the memory's name, or "all memories"."""
        return "all memories" if self.is_of_all else self.name_of(self.home, self.project)

    def name_of(self, store: OpenStore, group: str) -> str:
        """The name of a group, or of what all groups share; with several agents, with the agent's name."""
        return memory_name(store, group, self.host.main.stores)

    def heading_of(self, store: OpenStore) -> str:
        """The heading over a store's rows; empty if none is needed."""
        return self.title_of(store) if self.is_of_all and self.memories[1:] else ""

    def title_of(self, store: OpenStore) -> str:
        """The name of a store among others: of instructions, their folder."""
        return self.name_of(store, "") if only_instructions(store.session.layout) else store.title

    def action_widen(self) -> None:
        """Switch between all memories and this one."""
        self.is_of_all = not self.is_of_all
        self.session = self.home.session
        for rows in self.query(RowList):
            rows.marked, rows.hidden, rows.seen = set(), frozenset(), None
        self.host.main.tell_right()
        self.load()

    def look_at(self, store: OpenStore) -> None:
        """Make `store` the one that keys apply to, unless an action is running."""
        if not self.host.conversations.under_way:
            self.session = store.session

    def is_in_one(self, stores: Iterable[OpenStore]) -> bool:
        """Whether all of these stores are one (none counts as `home`), which then becomes the current session; if not, say so."""
        found = {store.key: store for store in stores} or {self.home.key: self.home}
        if len(found) > 1:
            self.warn(in_several(map(self.title_of, found.values())))
            return False
        self.session = next(iter(found.values())).session
        return True

    def compose_body(self) -> Iterable[Widget]:
        """The widgets of the screen's body."""
        raise LookupError("every tool says what is in it")

    def widget_of(self, scope: str = "") -> Widget:
        """The widget with this scope; by default the one that is focused first."""
        return self.query_one(f"#{next(id for id, each in self.SCOPE_OF.items() if scope in ('', each))}")

    @property
    def awaits_rows(self) -> bool:
        """Whether rows of the list that has the focus at first are still to come; while the screen is taken down, there is none."""
        return not self.is_mounted or any(each.awaits_rows and each is self.widget_of() for each in self.query(RowList))

    async def asking(self, ask: Callable[..., Answer], *about: Any) -> Answer:
        """Call `ask` in a thread. If the screen was closed meanwhile, the worker is cancelled instead of continuing."""
        try:
            return await asyncio.to_thread(ask, *about)
        finally:
            if not (self.query(f"#{next(iter(self.SCOPE_OF))}") and self.query(StatusLine)):
                raise asyncio.CancelledError

    def say(self, text: str, *, warning: bool = False, refused: bool = False) -> None:
        """Show a message, later if the screen is not mounted yet; if it is closed or below another one, on that which is seen."""
        if self.closed or (self.is_mounted and self.host.tool is not self):
            self.host.warn(text) if refused else self.host.say(text, warning=warning)
        elif lines := self.query(StatusLine):
            lines.first().say(with_titles(text, self.host.main.here, self.host.main.stores), warning=warning, refused=refused)
        else:
            self.host.call_after_refresh(self.say, text, warning=warning, refused=refused)

    def warn(self, reason: str) -> None:
        """Say why nothing was done, until a key does something."""
        self.say(reason, warning=True, refused=True)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Load the data and show it."""
        await self.read()

    async def read(self) -> None:
        """Read and show the screen's data, keeping cursor and marks; does nothing once the screen is closed."""

    def back(self) -> None:
        """Focus the first widget; if it has the focus, close the screen."""
        if self.is_mounted and self.focused is not self.widget_of():
            self.widget_of().focus()
        else:
            self.dismiss(None)

    def offered(self, action: Action) -> Action | None:
        """The action as the key bar should show it now; None to leave it out."""
        return action._replace(label="This memory") if self.is_of_all and action.act == "screen.widen" else action

    @on(RowList.Shown)
    def show_keys(self) -> None:
        """Show the keys of the focused widget."""
        scope = self.SCOPE_OF.get((self.focused.id if self.focused is not None else "") or "", "line")
        lists = [rows for rows in self.query(RowList) if all(each.display for each in rows.ancestors_with_self if each is not self)]
        is_bare = bool(lists) and all(rows.is_empty for rows in lists)
        actions = [self.offered(each) for each in bar_actions(self.host.actions, scope, bare=is_bare)]
        self.query_one(KeyBar).show([each for each in actions if each is not None])

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        self.show_keys()
        for pane in self.query(".pane"):
            pane.set_class(event.widget in pane.walk_children(), "-current")


class ListScreen(ToolScreen):
    """A tool screen with a list that can be filtered, marked, and shown in several ways."""

    WAYS: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The view settings that keys cycle through, each with its values; the first is the initial one."""
    rows = query_one(MarkList)

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.way = {what: values[0] for what, values in self.WAYS.items()}

    @property
    def words(self) -> str:
        """The words of the filter."""
        return self.query_one(FilterLine).words

    def show(self) -> None:
        """Show the data that has been read, by the current view settings and the filter."""

    @on(Input.Changed)
    def _filter(self) -> None:
        self.show()

    def action_cycle(self, what: str) -> None:
        """Switch a view setting to its next value; of many, ask which."""
        if len(self.WAYS[what]) > _MOST_IN_A_RING:
            self._choose_way(what)
        else:
            self.switch(what, after(self.way[what], self.WAYS[what]))

    def switch(self, what: str, way: str) -> None:
        """Show the list with this value of a view setting."""
        self.way[what] = way
        if self.is_mounted:
            self.rows.seen = None
            self.show()

    def sizes(self, what: str) -> Mapping[str, int]:
        """How many rows each value of a view setting would show, where that is known."""
        return {}

    @in_turn
    async def _choose_way(self, what: str) -> None:
        """Ask which value a view setting gets; the cursor is on the present one."""
        now, ways, sizes = self.way[what], self.WAYS[what], self.sizes(what)
        rows = [(way, f"{way}{f' · {sizes[way]:,}' if way in sizes else ''}{' · shown now' * (way == now)}") for way in ways]
        chosen = await choose(self, _CHOICES[what], "", rows, names=True, first=ways.index(now))
        if chosen is not None:
            self.switch(what, chosen)

    def back(self) -> None:
        """Drop the filter, else the marks, else go one step back."""
        if not self.query_one(FilterLine).close():
            is_marked = (self.rows.marked or self.rows.hidden) and self.focused is self.rows
            (self.rows.unmark if is_marked else super().back)()

    def action_filter(self) -> None:
        """Open the filter line."""
        self.query_one(FilterLine).begin()

    def action_mark(self) -> None:
        """Toggle the mark of the row under the cursor."""
        self.rows.toggle_mark()


def after(one: Either, every: Sequence[Either]) -> Either:
    """The element after `one`, wrapping around."""
    return every[(every.index(one) + 1) % len(every)]


Item = TypeVar("Item")

Make = Callable[[], "Plan"]
"""Makes the plan of an action; reads files, so call it in a thread."""


class VerbScreen(ToolScreen):
    """A tool screen with actions on items."""

    async def meant(self, *, at_cursor: bool = False, anywhere: bool = False) -> list[Any]:
        """The marked items, or the one `at_cursor`; empty, with a message, if there are none. `anywhere`: in several stores."""
        raise LookupError("every screen says which items are meant")

    async def read_again(self, items: Sequence[Any]) -> None:
        """Reload after an action on these items."""
        await self.read()

    def next_after(self, items: Sequence[Any], *, edited: bool = False) -> None:
        """Called after an action on these items, to move on. `edited`: their text has changed."""

    def apply(self, make: Make, items: Sequence[Any], *, lifts: bool) -> VerbResult:
        """Apply the plan; `lifts` says that it brings facts into the prompt. Runs in a thread. Raises `MemError`."""
        return applying.apply(make())

    def store_of(self, item: Any) -> OpenStore:
        """The store of an item."""
        return self.memory

    def planned(self, items: Sequence[Any], plan: Callable[[Session, Sequence[Any]], Plan]) -> Plan:
        """Plan an action on these items as one step, also if they are in several stores."""
        stores = {store.key: store for store in map(self.store_of, items)}
        own = ((store, [each for each in items if self.store_of(each) is store]) for store in stores.values())
        return joined([(self.title_of(store), plan(store.session, some)) for store, some in own])

    async def do(self, items: Sequence[Any], make: Make, *, lifts: bool = False) -> None:
        """Apply a plan to these items and show the result."""
        await self.ask_and_do(items, lambda _: asyncio.sleep(0, make), lifts=lifts)

    async def ask_and_do(
        self,
        items: Sequence[Any],
        how: Callable[[Asked], Awaitable[Make | None]],
        *,
        lifts: bool = False,
        refresh: Callable[[], Awaitable[None]] | None = None,
        edited: bool = False,
    ) -> None:
        """Call `how` for a plan and apply it; if typed input is refused, ask again. Nothing is done if `how` returns None.

        `refresh` is called afterwards instead of `read_again`.
        """

        async def look(_: VerbResult) -> None:
            if not self.closed:
                await (refresh() if refresh is not None else self.read_again(items))

        asked = Asked(self)
        while True:
            refused: list[str] = []

            def refuse(reason: str, refused: list[str] = refused) -> None:
                (refused.append if asked.text else self.warn)(reason)

            make = await attempt(how(asked), refuse)
            if make is not None:
                done = await perform(self.host, partial(self.apply, make, items, lifts=lifts), self, refresh=look, refused=refuse)
                if self.closed:
                    return
                if done is not None:
                    self.next_after(items, edited=edited)
                elif not refused:
                    await self.read()
            if not refused:
                return
            asked.problem = refused[0]


def verb(plan: Callable[..., Plan], *, lifts: bool = False) -> Callable[..., None]:
    """Make an action of a plan function, which gets the session, the chosen items and the key's arguments."""

    @in_turn
    async def act(screen: VerbScreen, *about: object) -> None:
        items = await screen.meant(anywhere=True)
        if items and (not lifts or await lets_in(screen, [each.fact.text for each in items])):
            await screen.do(items, lambda: screen.planned(items, lambda session, own: plan(session, own, *about)), lifts=lifts)

    return act


class DecidingScreen(VerbScreen, ListScreen, Generic[Item]):
    """A list of items to decide one by one, all marked ones, or the one under the cursor.

    The set of decided items outlives the screen.
    """

    NOUN: ClassVar[str] = ""
    KEYS: ClassVar[str] = ""
    """The keys that decide, shown while going through the items."""

    def __init__(self, host: ZsmemApp, decided: set[Any]) -> None:
        super().__init__(host)
        self.one_by_one = False
        self._decided = decided
        self._total = 0

    def named(self) -> Mapping[Any, Any]:
        """Map each item's stable name to its key in the list, in the order shown."""
        raise LookupError("every list names its items")

    def names_after(self, items: Sequence[Item], *, edited: bool) -> Iterable[Hashable]:
        """The stable names of decided items, under which they are listed now."""
        raise LookupError("every list names its items")

    async def meant(self, *, at_cursor: bool = False, anywhere: bool = False) -> list[Item]:
        """The chosen items; empty, with a message, if none or, unless `anywhere`, of several stores. Raises `Conflict`."""
        if self.closed:
            return []
        found: list[Item] = self.rows.meant(at_cursor=at_cursor)
        if not found:
            self.warn(f"Nothing selected: put the cursor on {'an' if self.NOUN[0] in 'aeiou' else 'a'} {self.NOUN} first.")
            return []
        stores = {store.key: store for store in map(self.store_of, found)}
        return found if (anywhere and len(stores) > 1) or self.is_in_one(stores.values()) else []

    def next_after(self, items: Sequence[Item], *, edited: bool = False) -> None:
        """While going through the items, go to the next one."""
        if not self.one_by_one:
            return
        self._decided.update(self.names_after(items, edited=edited))
        if left := self._undecided():
            self.rows.show(self.rows.keys, cursor=left[0])
        else:
            self.one_by_one = False
            self.say(f"Every {self.NOUN} is decided.")
        self.tell()

    def back(self) -> None:
        """Stop going through the items, else go one step back as in other lists."""
        if self.one_by_one:
            self.one_by_one = False
            self.tell()
            self.say("Stopped: Q goes on from here.")
        else:
            super().back()

    async def action_run(self) -> None:
        """Go through the items one by one; if all are decided, start again."""
        if not (left := self._undecided()):
            self._decided.clear()
            left = self._undecided()
        self._total, self.one_by_one = len(left), bool(left)
        if not left:
            self.warn(f"There is no {self.NOUN} to decide.")
            return
        self.rows.unmark()
        self.next_after([])

    def offered(self, action: Action) -> Action | None:
        """While going through the items, offer to leave one where it is otherwise offered to begin."""
        if not self.one_by_one or action.act not in ("screen.run", "screen.mark"):
            return super().offered(action)
        leave = next(each for each in self.host.actions if each.id == "marks.mark")._replace(label="Leave")
        return leave if action.act == "screen.run" else None

    def action_mark(self) -> None:
        """Toggle the mark; while going through the items, skip the item instead."""
        if self.one_by_one:
            self.next_after(self.rows.chosen())
        else:
            super().action_mark()
            self.tell()

    def tell(self) -> None:
        """Show the progress and the keys that decide."""
        self.show_keys()
        line = self.query_one("#run", Static)
        line.set_class(self.one_by_one, "-shown")
        if self.one_by_one:
            place = self._total - len(self._undecided()) + 1
            line.update(Content(f"{place} of {self._total} · {self.KEYS} · esc stop"))

    def _undecided(self) -> list[Any]:
        """The keys of the undecided items."""
        return [key for name, key in self.named().items() if name not in self._decided]


def return_to(app: ZsmemApp, page: str) -> bool:
    """If the screen is open for the memory in view, put it over the others and reload it; else False."""
    tools, home = app.tools, app.main.in_view
    own = app.main.project_in_view(home)
    same = (page == each.PAGE and each.HAS_KEY and each.home is home and (each.OF_FOLDER or each.project == own) for each in tools)
    at = max((place for place, is_same in enumerate(same) if is_same), default=None)
    if at is None:
        return False
    for each in reversed(tools[at:]):
        each.take_off()
    for each in (*tools[at + 1 :], tools[at]):
        each.restore()
    tools[at].load()
    return True


def stash(app: ZsmemApp) -> Callable[[], object] | None:
    """Stash all tools, showing the main screen; return a function that restores them, or None if there were none."""
    if not (tools := app.tools):
        return None
    main, stashed = app.main, app.stashed
    to_pane = main.way_to(main.current) or partial(main.focus_pane, "viewer")
    for tool in reversed(tools):
        tool.take_off()
        tool.closed = True
        tool.workers.cancel_node(tool)
    stashed.append(tools)
    while len(stashed) > MOST_STASHED:
        for tool in stashed.pop(0):
            app.uninstall_screen(tool)
            tool.remove()

    def back() -> None:
        if tools not in stashed:
            app.main.focus_pane("tree")
            return
        stashed.remove(tools)
        to_pane()
        for tool in tools:
            tool.restore()
        tools[-1].load()  # those below load when they are shown

    return back
