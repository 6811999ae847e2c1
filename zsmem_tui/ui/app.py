"""The app: themes, keys, signals, what happens when something breaks."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.color import Color
from textual.css.query import NoMatches
from textual.events import Key
from textual.filter import LineFilter
from textual.screen import ModalScreen
from textual.theme import BUILTIN_THEMES

from zsmem_tui.core.errors import ConfigError, MemError
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import help
from zsmem_tui.service.editing import keep_draft
from zsmem_tui.service.session import Session
from zsmem_tui.ui import themes
from zsmem_tui.ui.actions import PANE_NAMES, PANES, SCOPES, Action, bindings, key_name, remapped
from zsmem_tui.ui.commands.tools import ToolCommands
from zsmem_tui.ui.dialogs.help import HelpDialog
from zsmem_tui.ui.flows import editing
from zsmem_tui.ui.keytable import key_list
from zsmem_tui.ui.palette import ActionProvider, Palette
from zsmem_tui.ui.screens.main import MainScreen
from zsmem_tui.ui.screens.tool import ToolScreen

_STEERS_A_TERMINAL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


class ControlCharFilter(LineFilter):
    """The last net: no control character of any text reaches the terminal, whichever widget let it through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Show stand-ins instead; they were counted as no cell, so they are dropped where they would shift the line."""
        if not any(_STEERS_A_TERMINAL.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment if segment.control else Segment(_STEERS_A_TERMINAL.sub("", segment.text), segment.style) for segment in segments
        ]


class ZsmemApp(ToolCommands):
    """zsmem on a full screen."""

    TITLE = "zsmem"
    CSS_PATH = "styles/app.tcss"
    COMMANDS: ClassVar[set[Any]] = {ActionProvider}
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # declared so by Textual
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-normal"),
        (160, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (12, "-high")]  # noqa: RUF012  # declared so by Textual
    PAUSE_GC_ON_SCROLL = True
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        session: Session,
        *,
        now_ns: Callable[[], int] = time.time_ns,
        follow: bool = True,
        open_demo: Callable[[], Session] | None = None,
        log_crash: Callable[[BaseException], str] | None = None,
    ) -> None:
        super().__init__(now_ns)
        self._session = session
        self._follow = follow
        self._open_demo = open_demo
        self._log_crash = log_crash
        self.crash_note = ""
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self._starting = False
        self._end_wanted = 0
        self.actions = remapped(session.config.keys)
        self._filter_of_last_resort = ControlCharFilter()
        self.set_keymap({action.id: action.keys for action in self.actions})
        self._use_theme(session.config.theme)
        self.animation_level = "none"  # a jump to the end of a long file shall be there at once, not on its way

    def get_default_screen(self) -> MainScreen:
        """The main screen itself: an empty one below it would cost the first frame 60 ms."""
        return MainScreen(self._session, now_ns=self._now_ns, follow=self._follow)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and ours behind them."""
        return [*super().get_line_filters(), self._filter_of_last_resort]

    def on_load(self) -> None:
        """From now on there is a screen to take down."""
        self._starting = True

    def on_mount(self) -> None:
        """Be ready for signals, and for coming back from the shell."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        self._loop_of_screen = asyncio.get_running_loop()
        if self._end_wanted:
            self._end(self._end_wanted)

    def on_ready(self) -> None:
        """What was made while starting stays for good; from now on garbage is looked for."""
        gc.freeze()
        gc.enable()

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever lies over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen))

    async def run_from_palette(self, action: Action) -> None:
        """Do what was chosen, in the pane that it belongs to."""
        main = self.main
        targets = {
            "tree": main.tree_pane.project_tree,
            "viewer": main.viewer.view,
            "query": main.search.line,
            "hits": main.search.hits,
        }
        tool = self.tool
        if tool is not None and action.scope in tool.scopes:
            await self.run_action(action.act, default_namespace=tool.query_one(f"#{tool.id_of(action.scope)}"))
            return
        target = targets.get(action.scope)
        if target is not None:
            main.focus_pane(PANES[action.scope])
        await self.run_action(action.act, default_namespace=target or self)

    def action_focus_pane(self, name: str) -> None:
        """Go to a pane."""
        self.leave_tools()
        self.main.focus_pane(name)

    def action_focus_next_pane(self, step: int) -> None:
        """Go to the next pane."""
        if isinstance(self.screen, ToolScreen):
            self.screen.focus_next() if step > 0 else self.screen.focus_previous()
        else:
            self.main.next_pane(step)

    async def action_back(self) -> None:
        """One step back, never out."""
        if isinstance(self.screen, ToolScreen):
            self.screen.back()
        else:
            self.talk(self.main.back())

    def action_maximize_pane(self) -> None:
        """One pane on the whole screen."""
        (self.tool or self.main).toggle_class("-max")

    def on_key(self, event: Key) -> None:
        """A letter that nothing took: say so instead of keeping silent."""
        if not event.is_printable or not event.character or isinstance(self.screen, ModalScreen):
            return
        if not any(key in self.screen.active_bindings for key in event.aliases):
            quits = next(key_name(action.keys.split(",")[0]) for action in self.actions if action.id == "app.quit")
            words = f"{quits} quits" if event.character == "q" else f"{visible_line(event.character)} does nothing here"
            self.tell(f"{words} · ? shows all keys.", warning=True)

    def action_reload(self) -> None:
        """Read the store again."""
        self._session.texts.forget()
        self.main.follow()
        self.main.search.search_again()
        self.main.say("Read the store again.")

    def action_switch_theme(self) -> None:
        """Light or dark."""
        self.theme = themes.LIGHT.name if self.current_theme.dark else themes.DARK.name
        self.main.say(f"{'Dark' if self.current_theme.dark else 'Light'} theme. The setting `theme` makes it last.")

    def action_show_keys(self) -> None:
        """All keys."""
        self.push_screen(HelpDialog("All keys", help.read("changing_keys") + "\n" + key_list(self.actions)))

    def action_show_help(self) -> None:
        """The pane in use, explained."""
        tool = self.tool
        pane = tool.PAGE if tool else self.main.current
        scopes = [scope for scope in SCOPES if PANES.get(scope) == pane]
        text = f"{help.read(f'panes/{pane}')}\n## Its keys\n\n{key_list(self.actions, scopes)}"
        self.push_screen(HelpDialog(f"Help: {PANE_NAMES[pane]}", text, help.GUIDE))

    def action_demo(self) -> None:
        """Open the sample store, where there is no other."""
        if self._open_demo is None or not self.main.empty:
            self.main.say("Start `zsmem --demo` for the sample store; this one has memory in it.", warning=True)
            return
        self._session = self._open_demo()
        self.push_screen(MainScreen(self._session, now_ns=self._now_ns, follow=self._follow))
        self.call_after_refresh(lambda: self.main.say(f"A sample store, in {self._session.root}"))

    def action_command_palette(self) -> None:
        """The palette, once; a question is answered before anything else begins."""
        if not isinstance(self.screen, ModalScreen):
            self.push_screen(Palette(placeholder="An action, by its name"))

    def _use_theme(self, name: str) -> None:
        for theme in (themes.DARK, themes.LIGHT):
            self.register_theme(theme)
        wanted = themes.NAMES.get(name, name)
        if wanted not in self.available_themes:
            names = ", ".join(sorted([*themes.NAMES, *BUILTIN_THEMES]))
            raise ConfigError(f"theme: there is no theme called {name!r}. There are {names}.")
        self.theme = wanted

    def end_soon(self, number: int) -> bool:
        """End as a signal of this number asks for, from any thread, drafts kept; False before there is a screen."""
        self._end_wanted = number
        if self._loop_of_screen is None:
            return self._starting
        with contextlib.suppress(RuntimeError):  # the loop has ended: so has the program, nearly
            self._loop_of_screen.call_soon_threadsafe(self._end, number)
        return True

    def _end(self, number: int) -> None:
        self._keep_draft_now()
        self.exit(return_code=128 + number)

    def _keep_draft_now(self) -> None:
        """Unsaved text goes to disk before the program ends, however it ends."""
        try:
            editor = self.main.editor
            if editor.ref is not None and editor.unsaved:
                keep_draft(self.main.session, editor.ref, editor.content(), editor.base)
        except (MemError, LookupError, NoMatches, StopIteration):
            return  # the screen is already gone, or there is no room: the draft of a second ago stays

    async def action_quit(self) -> None:
        """Leave; with unsaved text, ask once. What is being asked already is answered with no."""
        while isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        main = self.main
        if main.editor.ref is not None:
            self.talk(editing.leave_and_quit(main))
        else:
            self.exit()

    def _fatal_error(self) -> None:
        """Something broke: a file with the places in the code, one line for the person, and no text of theirs in either."""
        self._keep_draft_now()
        error = self._exception
        if error is not None and self._log_crash is not None:
            place = visible_line(self._log_crash(error))
            self.crash_note = f"zsmem stopped because of an error of its own ({type(error).__name__}). Details: {place}"
        self._close_messages_no_wait()
