"""The actions on the program itself: help, theme, reading again, the sample store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual.app import App

from zsmem_tui.service import help
from zsmem_tui.service.session import Session
from zsmem_tui.ui import themes
from zsmem_tui.ui.flows.asking import show_page
from zsmem_tui.ui.keys.bindings import PANE_NAMES, PANES, SCOPES
from zsmem_tui.ui.keys.table import key_list

if TYPE_CHECKING:
    from zsmem_tui.ui.host import Host


class ProgramCommands:
    """What is about no file and no pane. `open_demo` makes the sample store, where there is one to offer."""

    def __init__(self, host: Host, app: App[None], open_demo: Callable[[], Session] | None) -> None:
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
            "demo": self._demo,
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
        app.theme = themes.LIGHT.name if app.current_theme.dark else themes.DARK.name
        self._host.main.say(f"{'Dark' if app.current_theme.dark else 'Light'} theme. The setting `theme` makes it last.")

    def _show_keys(self) -> None:
        """All keys."""
        show_page(self._app, "All keys", help.read("changing_keys") + "\n" + key_list(self._host.actions))

    def _show_help(self) -> None:
        """The pane in use, explained."""
        tool = self._host.tool
        pane = tool.PAGE if tool else self._host.main.current
        scopes = [scope for scope in SCOPES if PANES.get(scope) == pane]
        text = f"{help.read(f'panes/{pane}')}\n## Its keys\n\n{key_list(self._host.actions, scopes)}"
        show_page(self._app, f"Help: {PANE_NAMES[pane]}", text, help.GUIDE)

    def _demo(self) -> None:
        """Open the sample store, where there is no other."""
        main = self._host.main
        if self._open_demo is None or not main.empty:
            main.say("Start `zsmem --demo` for the sample store; this one has memory in it.", warning=True)
            return
        session = self._open_demo()
        self._host.show_store(session)
        self._app.call_after_refresh(lambda: self._host.main.say(f"A sample store, in {session.root}"))
