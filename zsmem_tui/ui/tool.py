"""What every screen over the main one shares: status line, key bar, one step back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.widget import Widget

from zsmem_tui.ui.keys.bindings import bar_actions, pane_bindings
from zsmem_tui.ui.overlay import Overlay
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine, TourBar
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.widgets.split import SplitBody
from zsmem_tui.ui.widgets.strip import ScreenStrip
from zsmem_tui.ui.wording import with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.memory.screen import MainScreen

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
    """Whether it is about all stores that are open."""

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(classes="tool")
        self.host = host
        self.split = SplitBody(self.PAGE, self.say, stacks=True, classes="tool-body")
        self.session = host.main.session
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
        self.watch(main, "alert", partial(setattr, own, "alert"))
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
        return action

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
