"""The app: themes, keys, signals, what happens when something breaks."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.color import Color
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.events import Key
from textual.filter import LineFilter
from textual.messages import ExitApp
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.visible import visible_line, without_hidden
from zsmem_tui.service.session import Session
from zsmem_tui.ui import themes
from zsmem_tui.ui.background import Background, begin
from zsmem_tui.ui.commands.every import Commands
from zsmem_tui.ui.conversations import Conversations
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import bindings, elsewhere, remapped
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.keys.typed_ahead import LOOK_SECONDS, KeysInOrder, keys_wait
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.messages import Told
from zsmem_tui.ui.overlay import Layer
from zsmem_tui.ui.recalled_styles import StyleStore, recall
from zsmem_tui.ui.stylesheet import RememberingStylesheet
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.wording import refusal

if TYPE_CHECKING:
    from zsmem_tui.ui.commands.tools import ToolCommands
    from zsmem_tui.ui.open_store import MoreStores
    from zsmem_tui.ui.tour import Tour

MOST_TOLD = 200
"""Sentences of the status line that are kept."""

LAST_KEYS_SECONDS = 2.0
"""Seconds that keys on their way are waited for before the end, of the three that a program told to end has."""

LAST_WAIT_SECONDS = 1.0
"""Seconds that what is under way still waits for other programs once the person wants to leave."""

SETTLED_SECONDS = 1.0
"""Seconds after the first frame at which what it is styled with is known."""


class ControlCharFilter(LineFilter):
    """The last net: no control character of any text reaches the terminal, whichever widget let it through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Show stand-ins instead; they were counted as no cell, so they are dropped where they would shift the line."""
        if all(segment.control or (segment.text.isascii() and segment.text.isprintable()) for segment in segments):
            return segments
        return [segment if segment.control else Segment(without_hidden(segment.text), segment.style) for segment in segments]


class ZsmemApp(KeysInOrder):
    """zsmem on a full screen."""

    TITLE = "zsmem"
    CSS_PATH = "styles/app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # declared so by Textual
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-normal"),
        (160, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (12, "-short"), (18, "-high")]  # noqa: RUF012  # declared so by Textual
    PAUSE_GC_ON_SCROLL = True
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        session: Session,
        *,
        beside: Sequence[Session] = (),
        more: MoreStores | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        follow: bool = True,
        open_demo: Callable[[], tuple[Session, MoreStores]] | None = None,
        log_crash: Callable[[BaseException], str] | None = None,
        few_colours: bool = False,
        tour: bool = False,
        styles: StyleStore | None = None,
    ) -> None:
        """A program over the store of `session`, with those `beside` it, and those that `more` finds.

        `few_colours` says that the terminal has 16; `tour` begins one; `styles` is what starts know of each other.
        """
        super().__init__()
        self._workers = self.background = Background(self)
        self.now_ns = now_ns
        self._session = session
        self._beside = beside
        self._more = more
        self._follow = follow
        self._log_crash = log_crash
        self.crash_note = ""
        self.tour: Tour | None = None
        self.tour_line = ""
        self.left_over: Sequence[str] = ()
        """What is to be said of steps that were killed before this start."""
        self.told: Sequence[tuple[int, str]] = ()
        self._tours = tour
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self._starting = False
        self._end_wanted = 0
        self._leaving = 0  # how many wishes to leave are under way
        self.actions: tuple[Action, ...] = remapped(session.config.keys)
        self.conversations = Conversations(self, self.say, lambda: self.told)
        self._latest = ""
        """The action that was run last, as bindings say it."""
        self.ends: Callable[[int], object] = lambda code: None
        """Is told once the terminal is as it was, and with what exit code the program ends."""
        # on the main screen letters after `e` are for the editor that the conversation opens
        self.hold.busy = lambda: self.conversations.begun > 0 and self.screen is self.main
        self._commands = Commands(self, self, open_demo)
        self._filter_of_last_resort = ControlCharFilter()
        if session.config.keys:  # without own keys the bindings are right as they are; to go over them takes 6 ms of every key
            self.set_keymap({action.id: ",".join(action.bound) for action in self.actions if action.bound})
        themes.use(self, session.config.theme, few_colours=few_colours)
        self.stylesheet = RememberingStylesheet(variables=self.get_css_variables())
        self._styled_as = self._css_update_count
        self.keep_styles = None if styles is None else recall(styles, self.stylesheet)
        self.animation_level = "none"  # a jump to the end of a long file shall be there at once, not on its way

    def get_default_screen(self) -> MainScreen:
        """The main screen itself: an empty one below it would cost the first frame 60 ms."""
        return MainScreen(self, (self._session, *self._beside), follow=self._follow, more=self._more)

    def refresh_css(self, animate: bool = True) -> None:
        """Style everything anew, unless it is styled as is wanted now: the theme that was chosen before the start is no news."""
        if self._css_update_count != self._styled_as:
            self._styled_as = -1
            super().refresh_css(animate)

    def _register(self, parent: DOMNode, *widgets: Widget, **rest: Any) -> list[Widget]:
        """A screen knows how wide it is before anything is on it: told later, all of it would be styled once more."""
        for screen in widgets:
            if isinstance(screen, Screen):
                screen.update_classes(_size_classes(self), update=False)
        return super()._register(parent, *widgets, **rest)

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
        for sentence in self.left_over:
            self.call_after_refresh(self.say, sentence, warning=True)
        if self._tours:
            self.call_after_refresh(self.action_do, "tour")
        if self._end_wanted:
            _end(self, self._end_wanted)

    def on_ready(self) -> None:
        """What was made while starting stays for good; from now on garbage is looked for."""
        gc.freeze()
        gc.enable()
        if self.keep_styles is not None:
            self.set_timer(SETTLED_SECONDS, partial(begin, self, self.keep_styles, group="styles"))

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever lies over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen))

    @property
    def tool(self) -> ToolScreen | None:
        """The tool that lies over the main screen."""
        return self.tools[-1] if self.tools else None

    @property
    def tools(self) -> list[ToolScreen]:
        """All tools that lie over it, the one on top last."""
        return [screen for screen in self.screen_stack if isinstance(screen, ToolScreen)]

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result where the person looks."""
        (self.tool or self.main).say(text, warning=warning)

    def talk(self, conversation: Coroutine[Any, Any, Any], about: Layer[Any] | None = None) -> None:
        """Start a conversation once the one before has ended, in the store that is in use now.

        One `about` a screen that is closed by then is not begun.
        """
        main = self.main
        doing = next((each.label for each in self.actions if each.act.removeprefix("app.") == self._latest), "")
        self.conversations.start(conversation, partial(main.use, main.here), about, doing=doing)

    @property
    def openers(self) -> ToolCommands:
        """Ways to the other screens."""
        return self._commands.openers

    async def run_action(self, action: Any, *rest: Any, **named: Any) -> bool:
        """As always; what comes of it is known by the name of the action."""
        self._latest = str(action).removeprefix("app.")
        return await super().run_action(action, *rest, **named)

    def action_do(self, name: str, *about: object) -> None:
        """Do what an action of the registry names."""
        self._commands[name](*about)

    def on_key(self, event: Key) -> None:
        """A letter that nothing took: say so instead of keeping silent."""
        if not event.is_printable or not event.character or isinstance(self.screen, ModalScreen):
            return
        if not any(key in self.screen.active_bindings for key in event.aliases):
            quits = next(key_name(action.listed[0]) for action in self.actions if action.id == "app.quit")
            known = elsewhere(self.actions, event.key)
            nothing = f"{visible_line(event.character)} does nothing here{': ' if known else ''}{known}"
            words = f"{quits} quits" if event.character == "q" else nothing
            self.say(f"{words} · ? shows all keys.", warning=True)

    def show_store(self, session: Session, more: MoreStores) -> None:
        """Show another store, and those that `more` finds; the one below is not looked at meanwhile."""
        self._session = session
        self.workers.cancel_node(self.main)
        self.push_screen(MainScreen(self, (session,), follow=self._follow, more=more))

    def end_soon(self, number: int) -> bool:
        """End as a signal of this number asks for, from any thread, drafts kept; False before there is a screen."""
        self._end_wanted = number
        if self._loop_of_screen is None:
            return self._starting
        with contextlib.suppress(RuntimeError):  # the loop has ended: so has the program, nearly
            self._loop_of_screen.call_soon_threadsafe(_begin_end, self, number)
        return True

    def on_told(self, message: Told) -> None:
        """Keep what was said: it may be longer than its line, or gone before it was read."""
        self.told = (*self.told, (self.now_ns(), message.text))[-MOST_TOLD:]

    def on_exit_app(self, message: ExitApp) -> None:
        """Whoever shows us, such as the server of a page that was closed, asks for the end without a word to the person."""
        if not self._exit:
            message.prevent_default()
            _begin_end(self, signal.SIGHUP)

    def gives_up(self, event: Key) -> bool:
        """Leaving does not wait for other programs for long, and `esc` not at all; a tour ends."""
        if event.key in self._quits:
            self.conversations.give_up(LAST_WAIT_SECONDS)
        if event.key != "escape":
            return False
        if self.conversations.waits:
            self.conversations.give_up(0)
            return True
        if self.tour is not None and not isinstance(self.screen, ModalScreen):
            self.tour.end()
            return True
        return False

    @property
    def _quits(self) -> list[str]:
        return next(action.bound for action in self.actions if action.id == "app.quit")

    async def run_async(self, **how: Any) -> Any:
        """As always; then what threads still do has an end."""
        try:
            return await super().run_async(**how)
        finally:
            self.ends(self.return_code or 0)

    async def action_quit(self) -> None:
        """Leave; with unsaved text, ask once: quitting once more keeps it as a draft. What else is being asked is answered no."""
        while isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        main = self.main
        if main.editor.ref is not None:
            self._leaving += 1
            self.talk(self._leave(main, asks=self._leaving == 1))
        else:
            self.exit()

    async def _leave(self, main: MainScreen, *, asks: bool) -> None:
        from zsmem_tui.ui.memory import editing  # loaded with the editor

        try:
            if await (editing.leave(main) if asks else editing.keep_draft(main)):
                self.exit()
        finally:
            self._leaving -= 1

    async def _shutdown(self) -> None:
        """What goes on in the background ends before the screens go; what a thread has begun to write, it writes."""
        self.background.cancel_all()
        self.conversations.close()
        await super()._shutdown()

    def _handle_exception(self, error: Exception) -> None:
        """As always, but an expected error of work in the background is told; what finds no screen while we leave is none."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        leaving = self._exit or self.background.ended or not self._screen_stack
        if leaving and isinstance(cause, NoMatches):
            return
        if isinstance(error, WorkerFailed) and isinstance(cause, MemError) and not leaving:
            self.say(refusal(cause), warning=True)
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Something broke: a file with the places in the code, one line for the person, and no text of theirs in either."""
        _keep_draft_now(self)
        error = self._exception.error if isinstance(self._exception, WorkerFailed) else self._exception
        if error is not None and self._log_crash is not None:
            place = visible_line(self._log_crash(error))
            self.crash_note = f"zsmem stopped because of an error of its own ({type(error).__name__}). Details: {place}"
        self._close_messages_no_wait()


def _size_classes(app: ZsmemApp) -> dict[str, bool]:
    """The classes of a screen that say how large the terminal is, as Textual gives them."""
    found = {}
    for length, breakpoints in zip(app.size, (app.HORIZONTAL_BREAKPOINTS, app.VERTICAL_BREAKPOINTS), strict=True):
        widest = max(least for least, _ in breakpoints if least <= length)
        found.update({name: least == widest for least, name in breakpoints})
    return found


def _keep_draft_now(app: ZsmemApp) -> None:
    """Unsaved text goes to disk before the program ends, however it ends."""
    try:
        editor = app.main.editor
        if editor.ref is not None and editor.unsaved:
            from zsmem_tui.service.editing import keep_draft  # loaded with the editor

            keep_draft(app.main.session, editor.ref, editor.content(), editor.base)
    except (MemError, LookupError, NoMatches, StopIteration):
        return  # the screen is already gone, or there is no room: the draft of a second ago stays


def _begin_end(app: ZsmemApp, number: int) -> None:
    """The end, once the keys that were pressed before have arrived, as they belong in the draft: but it comes."""
    app.call_later(_end_after_keys, app, number)
    asyncio.get_running_loop().call_later(LAST_KEYS_SECONDS, _end, app, number)


def _end_after_keys(app: ZsmemApp, number: int) -> None:
    if keys_wait(app):
        app.set_timer(LOOK_SECONDS, partial(_end_after_keys, app, number))
    else:
        _end(app, number)


def _end(app: ZsmemApp, number: int) -> None:
    if not app._exit:
        _keep_draft_now(app)
        app.exit(return_code=128 + number)
