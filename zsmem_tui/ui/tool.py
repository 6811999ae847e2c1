"""What every screen over the main one shares: status line, key bar, one step back; and verbs about the items of a list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.layout import has_main_file, only_instructions
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.service import applying
from zsmem_tui.service.plan import Handling, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import Overlay, in_turn
from zsmem_tui.ui.dialogs.ask import ask_line, choose, lets_in
from zsmem_tui.ui.keys.bindings import bar_actions, pane_bindings
from zsmem_tui.ui.open_store import memory_name
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine, TourBar
from zsmem_tui.ui.widgets.frame import FilterLine, SplitBody
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.widgets.strip import ScreenStrip
from zsmem_tui.ui.wording import title_of, with_titles

if TYPE_CHECKING:
    from zsmem_tui.service.facts.rows import FactRow
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


Place: TypeAlias = "MainScreen | ToolScreen"
"""Where something is asked, or told."""

Answer = TypeVar("Answer")
Either = TypeVar("Either")


class ToolScreen(Overlay[None]):
    """A screen for one job. `SCOPE_OF` says which actions belong to which widget; the first widget is where `esc` leads first."""

    AUTO_FOCUS = ""  # Textual's own way gives it to the first of all widgets: a line that is not shown
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings()]
    SCOPE_OF: ClassVar[dict[str, str]] = {}
    OF_ALL: ClassVar[bool] = False
    """Whether it can be about all memories that are open."""

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(classes="tool")
        self.host = host
        self.split = SplitBody(self.PAGE, self.say, stacks=True, classes="tool-body")
        self.home = host.main.here
        """The store that it was opened for: "this memory" is that of its `project`."""
        self.project = host.main.project_in_view()
        self.session = self.home.session
        """Of the store that is looked at. Which is in use, only opening something changes."""
        self.is_of_all = False
        """Whether it shows all memories."""
        self._early: tuple[str, bool] | None = None
        """What was told before there was a line to say it on."""
        self.above: Sequence[Widget] = ()
        """What stands above the two panes: of most screens nothing."""

    def compose(self) -> ComposeResult:
        """The body between a line above and two below, as on the main screen."""
        yield ScreenStrip(self.PAGE, self.host)
        yield from self.above
        with self.split:
            yield from self.compose_body()
        yield TourBar()
        yield StatusLine(id="status")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Paint first, read afterwards."""
        self.set_focus(self.widget_of())
        own, main = self.query_one(StatusLine), self.host.main.status
        self.watch(main, "right", partial(setattr, own, "right"))
        self.watch(main, "alerts", partial(setattr, own, "alerts"))
        self.call_after_refresh(self.load)
        if self._early is not None:
            text, warning = self._early
            self.say(text, warning=warning)

    def stash(self) -> None:
        """Pop the screen without destroying it, with whatever lies over it; `restore` pushes it again. Meanwhile it is closed."""
        while self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.closed = True
        self.workers.cancel_node(self)
        self.app.install_screen(self, f"stashed-{id(self)}")  # else Textual would remove it
        self.app.pop_screen()

    def restore(self) -> None:
        """Push it again, as it was left, with what is there now."""
        self.app.uninstall_screen(self)
        self.closed = False
        self.app.push_screen(self)
        self.load()

    def drop(self) -> None:
        """Destroy it: nothing leads back to it any more."""
        self.app.uninstall_screen(self)
        self.remove()

    @property
    def memory(self) -> OpenStore:
        """The store that is looked at."""
        return next((store for store in self.host.main.stores if store.session is self.session), self.home)

    @property
    def memories(self) -> list[OpenStore]:
        """The stores that are shown, the one that it was opened for first: all, or beside it the instructions in its prompt."""
        others = (store for store in self.host.main.stores if store is not self.home)
        return [self.home, *(store for store in others if self.is_of_all or store.key in self.home.told.get(self.project, ()))]

    async def find_told(self) -> None:
        """Find out which instructions are of this memory: it is to be known before anything is shown."""
        if self.host.main.stores[1:]:
            await asyncio.to_thread(self.home.find_told, self.project)

    def is_shown(self, store: OpenStore, path: str) -> bool:
        """Whether a file of a store is of what is shown."""
        return self.is_of_all or self.home.has_in(self.project, store, path)

    @property
    def scope_name(self) -> str:
        """What is shown: this memory by its name, or all."""
        return "all memories" if self.is_of_all else self.name_of(self.home, self.project)

    def name_of(self, store: OpenStore, group: str) -> str:
        """What a group of a store is called, or what all groups share; of several agents, whose it is too."""
        return memory_name(store, group, self.host.main.stores)

    def heading_of(self, store: OpenStore) -> str:
        """What stands over what is of a store, where several are shown; nothing over this memory's own."""
        if only_instructions(store.session.layout):
            return self.name_of(store, "") if self.memories[1:] else ""
        return store.title if self.is_of_all and self.memories[1:] else ""

    def action_widen(self) -> None:
        """All memories, or this one again."""
        self.is_of_all = not self.is_of_all
        self.session = self.home.session
        for rows in self.query(MarkList):
            rows.marked.clear()
        self.load()

    def look_at(self, store: OpenStore) -> None:
        """The cursor is in a store: keys are about that, unless something is being done in another."""
        if not self.host.conversations.under_way:
            self.session = store.session

    def is_in_one(self, stores: Iterable[OpenStore]) -> bool:
        """Whether a verb can be about what is in these stores, in none or in one, which is looked at then; else that is told."""
        found = {store.key: store for store in stores} or {self.home.key: self.home}
        if len(found) > 1:
            words = f"The chosen ones are in {len(found)} memories, and a step is undone in one: choose those of one."
            self.warn(f"{words} Nothing was done.")
            return False
        self.session = next(iter(found.values())).session
        return True

    def compose_body(self) -> Iterable[Widget]:
        """What the screen is about."""
        raise LookupError("every tool says what is in it")

    def widget_of(self, scope: str = "") -> Widget:
        """The widget that a scope of actions belongs to; without one, the widget that has the focus at first."""
        return self.query_one(f"#{next(id for id, each in self.SCOPE_OF.items() if scope in ('', each))}")

    async def asking(self, ask: Callable[..., Answer], *about: Any) -> Answer:
        """What `ask` answers, in a thread. An answer that comes once the screen is closed goes nowhere: the worker ends."""
        try:
            return await asyncio.to_thread(ask, *about)
        finally:
            if not (self.query(f"#{next(iter(self.SCOPE_OF))}") and self.query(StatusLine)):
                raise asyncio.CancelledError

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result: as soon as this screen is there; once it is closed, on the one that is seen instead."""
        if self.closed:
            self.host.say(text, warning=warning)
        elif lines := self.query(StatusLine):
            lines.first().say(with_titles(text, self.host.main.here, self.host.main.stores), warning=warning)
        else:
            self._early = text, warning

    def warn(self, reason: str) -> None:
        """Tell why something was not done."""
        self.say(reason, warning=True)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Show how things are now."""
        await self.read()

    async def read(self) -> None:
        """Read what the screen is about again, and show it: cursor and marks stay on theirs. Nothing once it is closed."""

    def back(self) -> None:
        """To the first widget, then away."""
        if not self.is_mounted:
            self.dismiss(None)
        elif self.focused is not self.widget_of():
            self.widget_of().focus()
        else:
            self.dismiss(None)

    def offered(self, action: Action) -> Action | None:
        """An action as the key bar calls it as things are; None where it can do nothing: its key says why."""
        return action._replace(label="This memory") if self.is_of_all and action.act == "screen.widen" else action

    @on(RowList.Shown)
    def show_keys(self) -> None:
        """The keys of the widget that has the focus."""
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
    """A screen with a list whose rows can be filtered and marked, and be shown in several ways."""

    WAYS: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What a key turns on of how rows are shown, each with its values in turn; the first is that of the start."""

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.way = {what: values[0] for what, values in self.WAYS.items()}

    def show(self) -> None:
        """Show what is known, as the person wants it."""

    def action_cycle(self, what: str) -> None:
        """The next of the ways in which rows are shown."""
        self.way[what] = after(self.way[what], self.WAYS[what])
        self.show()

    @property
    def rows(self) -> MarkList[Any]:
        """The list."""
        return self.query_one(MarkList)

    def back(self) -> None:
        """Drop the filter, then the marks, then one step back."""
        if self.query_one(FilterLine).close():
            return
        if self.rows.marked and self.focused is self.rows:
            self.rows.unmark()
        else:
            super().back()

    def action_filter(self) -> None:
        """Type words that rows must have."""
        self.query_one(FilterLine).begin()

    def action_mark(self) -> None:
        """Mark the row under the cursor, or not."""
        self.rows.mark()


def pane(kind: str, title: str, *widgets: Widget, id: str | None = None) -> Vertical:
    """A pane of a tool with its title: of the `kind` list, or of what is beside that, the side."""
    made = Vertical(*widgets, classes=f"pane tool-{kind}", id=id)
    made.border_title = Content(title)
    return made


def after(one: Either, every: Sequence[Either]) -> Either:
    """The next of several, round the end."""
    return every[(every.index(one) + 1) % len(every)]


Item = TypeVar("Item")

Make = Callable[[], "Plan"]
"""What makes the plan of a verb: it reads files, so it runs in a thread."""


class Asked:
    """What the person typed for a verb; when that was refused, the question comes again with the reason."""

    def __init__(self, screen: Place) -> None:
        self.text = ""
        self.problem = ""
        self._screen = screen

    async def line(self, title: str, question: str, value: str = "", *, lines: bool = False, mend: bool = False) -> str:
        """Ask for a line of text; empty when the question was closed."""
        value, problem = self.text or value, self.problem
        self.text = await ask_line(self._screen, title, question, value, lines=lines, mend=mend, problem=problem) or ""
        return trim(self.text)


class VerbScreen(ToolScreen):
    """A screen with verbs about single items."""

    async def meant(self, *, at_cursor: bool = False) -> list[Any]:
        """The items that a verb is about, of several marked ones only that `at_cursor`; none when there is none, which is told."""
        raise LookupError("every screen says which items are meant")

    async def read_again(self, items: Sequence[Any]) -> None:
        """Show how things are after a verb about these items."""
        await self.read()

    def next_after(self, items: Sequence[Any], *, edited: bool = False) -> None:
        """Go on, for these are decided. When they were `edited`, they have other words now."""

    def apply(self, make: Make, items: Sequence[Any], *, lifts: bool) -> VerbResult:
        """Do it; of what `lifts` facts into the prompt, also when it did not. Slow. Raises `MemError`."""
        return applying.apply(make())

    async def do(self, items: Sequence[Any], make: Make, *, lifts: bool = False) -> None:
        """Do one thing with these items, and show what came of it."""

        async def how(_: Asked) -> Make:
            return make

        await self.ask_and_do(items, how, lifts=lifts)

    async def ask_and_do(
        self,
        items: Sequence[Any],
        how: Callable[[Asked], Awaitable[Make | None]],
        *,
        lifts: bool = False,
        refresh: Callable[[], Awaitable[None]] | None = None,
        edited: bool = False,
    ) -> None:
        """Ask how, and do that; ask again as long as what was typed is refused. Nothing is done when `how` answers None.

        `refresh` shows how things are then, in place of `read_again`.
        """

        async def look(_: VerbResult) -> None:
            if not self.closed:
                await (refresh() if refresh is not None else self.read_again(items))

        asked = Asked(self)
        while True:
            refused: list[str] = []

            def refuse(reason: str, refused: list[str] = refused) -> None:
                if asked.text:
                    refused.append(reason)
                else:
                    self.warn(reason)

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
    """Make an action of what plans a verb: it is told the session, the items that are meant, and what the key says besides."""

    @in_turn
    async def act(screen: VerbScreen, *about: object) -> None:
        if (items := await screen.meant()) and (not lifts or await lets_in(screen, [each.fact.text for each in items])):
            await screen.do(items, lambda: plan(screen.session, items, *about), lifts=lifts)

    return act


class DecidingScreen(VerbScreen, ListScreen, Generic[Item]):
    """A list of items that are decided with one key each: those marked, the one under the cursor, or one after another.

    What is decided lasts longer than the screen.
    """

    NOUN: ClassVar[str] = ""
    KEYS: ClassVar[str] = ""
    """The keys that decide, as they are told while one item comes after another."""

    def __init__(self, host: ZsmemApp, decided: set[Any]) -> None:
        super().__init__(host)
        self.ready = asyncio.Event()
        """Set once items were read: keys typed ahead are about what they show."""
        self.one_by_one = False
        self._decided = decided
        self._total = 0

    def named(self) -> Mapping[Any, Any]:
        """The keys of the items that are shown, in order, by what names an item for as long as it has its words."""
        raise LookupError("every list names its items")

    def names_after(self, items: Sequence[Item], *, edited: bool) -> Iterable[Hashable]:
        """What names these items, which were decided, also where they have other words or another place now."""
        raise LookupError("every list names its items")

    async def meant(self, *, at_cursor: bool = False) -> list[Item]:
        """The marked items, else the one under the cursor; none when there is none, which is told."""
        await self.ready.wait()
        if self.closed:
            return []
        here = self.rows.at_cursor()
        found: list[Item] = self.rows.chosen() if not at_cursor else [here] if here is not None else []
        if not found:
            self.warn(f"Nothing selected: put the cursor on {'an' if self.NOUN[0] in 'aeiou' else 'a'} {self.NOUN} first.")
        return found

    def next_after(self, items: Sequence[Item], *, edited: bool = False) -> None:
        """When one comes after another: on to the next."""
        if not self.one_by_one:
            return
        self._decided.update(self.names_after(items, edited=edited))
        left = self._left()
        if left:
            self.rows.show(self.rows.keys, cursor=left[0])
        else:
            self.one_by_one = False
            self.say(f"Every {self.NOUN} is decided.")
        self.tell()

    def back(self) -> None:
        """Decide no more one after another, else one step back as in every list."""
        if self.one_by_one:
            self.one_by_one = False
            self.tell()
            self.say("Stopped: Q goes on from here.")
        else:
            super().back()

    async def action_run(self) -> None:
        """One item after another; from the first again when all are decided."""
        await self.ready.wait()
        left = self._left()
        if not left:
            self._decided.clear()
            left = self._left()
        self._total = len(left)
        self.one_by_one = bool(left)
        if not left:
            self.warn(f"There is no {self.NOUN} to decide.")
            return
        self.rows.marked.clear()
        self.next_after([])

    def action_mark(self) -> None:
        """Mark the item; when one comes after another, leave it and go on."""
        if self.one_by_one:
            self.next_after(self.rows.chosen())
        else:
            super().action_mark()
            self.tell()

    def tell(self) -> None:
        """How far it is, and the keys that decide."""
        line = self.query_one("#run", Static)
        line.set_class(self.one_by_one, "-shown")
        if self.one_by_one:
            place = self._total - len(self._left()) + 1
            line.update(Content(f"{place} of {self._total} · {self.KEYS} · esc stop"))

    def _left(self) -> list[Any]:
        """The keys of what is not decided."""
        return [key for name, key in self.named().items() if name not in self._decided]


_MEMORY: Final = "memory"
"""The answer for a place within the store."""


class PromotingScreen(VerbScreen):
    """A screen with items that can be promoted."""

    def can_promote(self, project: str) -> bool:
        """Whether there is a place that facts of a project can be promoted to."""
        from zsmem_tui.service import promoting  # with every kind of store

        return bool(self.within(project) or promoting.takers(self.session, [project])[1])

    def within(self, project: str, *, is_down: bool = False) -> str:
        """Where promoting leads within the store, in words; empty: nowhere."""
        layout = self.session.layout
        if not has_main_file(layout, project):
            return ""
        if is_down:
            return "A note of this store …"
        return "Long-term memory" if layout.ref(Role.FACTS, project) is not None else "The index, MEMORY.md"

    async def is_within_store(
        self, items: Sequence[Any], rows: Sequence[FactRow], within: str, *, is_down: bool = False, noun: str = "fact"
    ) -> bool:
        """Whether `items`, which are these facts, go to the place `within` the store.

        Else they go to instructions that the person chose, or nowhere.
        """
        from zsmem_tui.service import promoting  # with every kind of store, before the first fact is promoted

        session = self.session
        if any(row.ref.role is Role.INSTRUCTIONS for row in rows):
            return True
        asked = asyncio.to_thread(promoting.takers, session, {row.ref.project for row in rows})
        place, takers = await attempt(asked, self.warn) or ("", ())
        if not takers:
            if not within:
                unread = "has no file that is in every prompt, and no instructions of this folder that it reads are known"
                self.warn(f"{session.layout.title} {unread}. Nothing was done.")
            return bool(within)
        folder = printable_path(shortened(place))
        files = [(name, f"{name}, the instructions of {folder}") for name in takers]
        answers = [*([(_MEMORY, within)] if within else []), *files]
        name = meant_name(rows, noun)
        title, question = "Promote", f"Promote {name} to:"
        if is_down:
            title, question = "Promote or demote", f"{name.capitalize()} {'goes' if len(rows) == 1 else 'go'} to:"
        answer = await choose(self, title, question, answers, names=True)
        if answer is not None and answer != _MEMORY:
            goal = self._instructions_of(place)
            plan = partial(promoting.plan_promote, session, rows, goal, answer)
            await self.show_and_do(items, f"Promote to {answer}", lambda secrets: plan(secrets=secrets))
        return answer == _MEMORY

    def _instructions_of(self, folder: str) -> Session:
        """The store of a folder's instructions: the one that is open, where it is."""
        from zsmem_tui.service import instructions  # likewise

        every = (store.session for store in self.host.main.stores if store.session.layout.kind == instructions.KIND)
        found = next((each for each in every if each.root == folder), None)
        return found or instructions.open_folder(self.session.config, folder, clock=self.session.clock)

    async def with_room(self, rows: Sequence[FactRow], make: Make, top: Make) -> Make | None:
        """`make`, or where the prompt has no room for what it brings to a file, what the person wants instead: `top`."""
        from zsmem_tui.service.facts.acts import without_room  # with the verbs of facts

        def missing() -> str:
            for edit in make().changes:
                if without_room(self.session, edit.ref, (edit.after or b"").decode(), {row.fact.says for row in rows}):
                    return title_of(edit.ref, self.session)
            return ""

        name = await attempt(asyncio.to_thread(missing), self.warn)
        if not name:
            return make if name == "" else None
        answers = [("top", f"The top of {name}, where it is loaded"), ("end", "There all the same, where it is not loaded")]
        words = f"{name} is full: {meant_name(rows).capitalize()} would be lost there, and the agent would not see it."
        answer = await choose(self, "No room", words, answers)
        return {"top": top, "end": make}.get(answer or "")

    async def show_and_do(self, items: Sequence[Any], title: str, make: Callable[[Handling], Plan]) -> None:
        """Show what every file would hold; then do it, in one step."""
        from zsmem_tui.ui.dialogs.plan import plan_and_show  # with the diff
        from zsmem_tui.ui.plans import Draft  # likewise

        plan = await plan_and_show(self, Draft(title, make, is_move=True))
        if plan is None:
            return

        async def refresh(_: VerbResult) -> None:
            main = self.host.main
            for store in main.stores:
                if store.session in plan.sessions:
                    await main.look_now(store)
            if not self.closed:
                await self.read_again(items)

        done = await perform(self.host, lambda: applying.apply(plan), self, refresh=refresh)
        if done is not None and not self.closed:
            self.next_after(items)


def meant_name(items: Sequence[Any], noun: str = "fact") -> str:
    """What is meant, to speak of it in a question."""
    return f"this {noun}" if len(items) == 1 else counted(len(items), noun)
