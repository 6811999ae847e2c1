"""The actions on the program itself: help, theme, reading again, the sample store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.app import App

from zsmem_tui.service import help
from zsmem_tui.ui import themes
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.keys.bindings import PANE_NAMES, PANES, SCOPES, with_bases
from zsmem_tui.ui.keys.table import ALL_KEYS, key_list
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF
from zsmem_tui.ui.overlay import Layer
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.signs import legend
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.wording import age, fenced

if TYPE_CHECKING:
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import MoreStores


_TOLD_CELLS: Final = 54
"""Cells of a row of a sentence that is read again, as on a page at 80 columns."""


class ProgramCommands:
    """What is about no file and no pane. `open_demo` makes the sample store, where there is one to offer."""

    def __init__(self, host: ZsmemApp, app: App[None], open_demo: Callable[[], tuple[Session, MoreStores]] | None) -> None:
        self._host = host
        self._app = app
        self._open_demo = open_demo

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {
            "reload": self._reload,
            "switch_theme": self._switch_theme,
            "show_keys": self._show_keys,
            "show_help": self._show_help,
            "show_told": self._show_told,
            "demo": self._demo,
            "tour": self._tour,
        }

    def _reload(self) -> None:
        """Read the store again."""
        main = self._host.main
        main.session.texts.forget()
        main.follow()
        main.search.search_again()
        main.say("Read the store again.")

    def _switch_theme(self) -> None:
        """Light or dark."""
        app = self._app
        app.theme = themes.other(app.current_theme)
        self._host.main.say(f"{'Dark' if app.current_theme.dark else 'Light'} theme. The setting `theme` makes it last.")

    def _show_keys(self) -> None:
        """All keys, those of the pane in use first; the pages of help are behind them."""
        (explained, explain), keys, *more = self._pages()
        show_page(self._app, keys[0], keys[1](), [*more, (explained, explain)])

    def _show_help(self) -> None:
        """The pane in use, explained; all keys and the other pages are behind it."""
        (title, explain), *more = self._pages()
        show_page(self._app, title, explain(), more)

    def _show_told(self) -> None:
        """What the status line said, the latest first."""
        now = self._host.now_ns()
        rows: list[str] = []
        for then, text in reversed(self._host.told):
            first, *more = wrapped(text, _TOLD_CELLS) or [""]
            rows += [f"{age(then, now):>4}  {first}", *(f"      {line}" for line in more)]
        show_page(self._app, "Messages", fenced(rows) if rows else "Nothing was said yet.")

    def _pages(self) -> list[tuple[str, Callable[[], str]]]:
        """The pages of help: about what is in use, all keys, then the others."""
        pane, scopes = self._pane()
        scopes = with_bases(scopes)
        actions = self._host.actions
        own, everywhere = key_list(actions, scopes), key_list(actions, ["app"])
        others = key_list(actions, [scope for scope in SCOPES if scope not in ("app", *scopes)])
        parts = [f"## Here: {PANE_NAMES[pane]}", own, everywhere, "## In other panes", others, "## Changing keys"]
        return [
            (f"Help: {PANE_NAMES[pane]}", lambda: f"{help.read(f'panes/{pane}')}\n## Its keys\n\n{own}"),
            (ALL_KEYS, lambda: "\n\n".join([f"Signs: {legend()}", *parts, help.read("changing_keys")])),
            *((title, partial(help.read, name)) for name, title in help.GUIDE.items()),
        ]

    def _pane(self) -> tuple[str, list[str]]:
        """The page of help about what is in use, and the scopes it is about: first that of the widget with the focus."""
        screen, tool, focused = self._app.screen, self._host.tool, self._app.focused
        explained = screen.PAGE if isinstance(screen, Layer) else ""
        pane = explained or (tool.PAGE if tool else self._host.main.current)
        known = tool.SCOPE_OF if tool else SCOPE_OF
        in_use = known.get(focused.id or "") if focused is not None else None
        return pane, sorted((scope for scope in SCOPES if PANES.get(scope) == pane), key=lambda scope: scope != in_use)

    def _tour(self) -> None:
        """Begin the tour, or go on with it."""
        host = self._host
        if host.tour is None:
            from zsmem_tui.ui.tour import Tour  # with its page; a first frame tours nothing

            host.tour = Tour(host)
        else:
            host.tour.go_on()

    def _demo(self) -> None:
        """Open the sample store, where there is no other."""
        main = self._host.main
        if self._open_demo is None or not main.empty:
            main.say("`zsmem --demo` shows the sample: there is memory here already.", warning=True)
            return
        self._host.talk(self._show_demo(self._open_demo))

    async def _show_demo(self, open_demo: Callable[[], tuple[Session, MoreStores]]) -> None:
        sample = await attempt(asyncio.to_thread(open_demo), lambda why: self._host.main.say(why, warning=True))
        if sample is not None:
            self._host.show_store(*sample)
            said = f"A sample, in {sample[0].root}: nothing here is yours, and it goes when you leave. F7 begins a tour."
            self._app.call_after_refresh(lambda: self._host.main.say(said))
