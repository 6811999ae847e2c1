"""The program around the screens: how it is drawn, signals, its end, what happens when something breaks."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.css.query import NoMatches
from textual.filter import LineFilter, Monochrome, NoColor
from textual.messages import ExitApp
from textual.screen import Screen
from textual.worker import Worker, WorkerFailed
from textual.worker_manager import WorkerManager

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.visible import visible_line, without_hidden
from zsmem_tui.ui import themes
from zsmem_tui.ui.conversations import Conversations
from zsmem_tui.ui.keys.typed_ahead import LOOK_SECONDS, KeysInOrder, keys_wait
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.textual_private import LazyStylesheet
from zsmem_tui.ui.wording import refusal

LAST_KEYS_SECONDS = 2.0
"""Seconds that keys on their way are waited for before the end, of the three that a program told to end has."""

AnyScreen = TypeVar("AnyScreen")


class Background(WorkerManager):
    """Textual's own, which ends for good: once all was cancelled, what is asked for is not begun.

    Textual cancels the workers of a screen when its widgets have gone, one by one. What wakes up in between finds half a screen.
    """

    ended = False
    """Whether all was cancelled: the program is ending."""

    def cancel_all(self) -> None:
        """Cancel everything, and begin nothing any more."""
        self.ended = True
        super().cancel_all()

    def add_worker(self, worker: Worker[Any], start: bool = True, exclusive: bool = True) -> None:
        """Begin it, unless the program is ending."""
        if not self.ended:
            super().add_worker(worker, start, exclusive)


class ControlCharFilter(LineFilter):
    """The last net: no control character of any text reaches the terminal, whichever widget let it through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Show stand-ins instead; they were counted as no cell, so they are dropped where they would shift the line."""
        line = "".join(segment.text for segment in segments if not segment.control)
        if (line.isascii() and line.isprintable()) or without_hidden(line) == line:
            return segments
        return [segment if segment.control else Segment(without_hidden(segment.text), segment.style) for segment in segments]


class Uncoloured(NoColor):
    """The two colours of a terminal of 16, for who wants none: any grey would be black. What stands on another is reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Without colours, selections still seen."""
        styles = [style or Style.null() for _, style, _ in segments]
        marks = [Style(reverse=True) if style.bgcolor and not style.bgcolor.is_default else Style.null() for style in styles]
        marked = [each._replace(style=style + mark) for each, style, mark in zip(segments, styles, marks, strict=True)]
        return super().apply(marked, background)


class Program(KeysInOrder):
    """An app that ends in order, however it ends, and lets no control character through."""

    CSS_PATH = "styles/app.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # declared so by Textual
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-normal"),
        (160, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (12, "-short"), (18, "-high"), (24, "-tall")]  # noqa: RUF012  # declared so by Textual
    PAUSE_GC_ON_SCROLL = True
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, log_crash: Callable[[BaseException], str] | None) -> None:
        """`log_crash` puts an error into a file and says where that is."""
        super().__init__()
        self.background = Background(self)
        self._log_crash = log_crash
        self.crash_note = ""
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self._starting = False
        self._end_wanted = 0
        self.conversations = Conversations(self, self.say, lambda: self.told)
        self.told: Sequence[tuple[int, str]] = ()
        """What the status line said, and when."""
        self.ends: Callable[[int], object] = lambda code: None
        """Is told once the terminal is as it was, and with what exit code the program ends."""
        self._filter_of_last_resort = ControlCharFilter()
        self._uncoloured = Uncoloured()
        self._styled_as = ""
        self.animation_level = "none"  # a jump to the end of a long file shall be there at once, not on its way

    def look_like(self, theme: str, *, few_colours: bool) -> None:
        """Begin with a theme. Raises `ConfigError` where there is none of that name."""
        themes.use(self, theme, few_colours=few_colours)
        self.stylesheet = LazyStylesheet()
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_as = self.theme

    @property
    def workers(self) -> WorkerManager:
        """Those that begin nothing once the program ends."""
        return self.background

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever lies over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen))

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result where the person looks."""
        raise NotImplementedError

    def refresh_css(self, animate: bool = True) -> None:
        """Style everything anew, unless it is styled as is wanted now: the theme that was chosen before the start is no news."""
        if self.theme == self._styled_as:
            self._styled_as = ""
        else:
            super().refresh_css(animate)

    def push_screen(self, screen: Any, *how: Any, **named: Any) -> Any:
        """As always; a screen knows how wide it is before anything is on it: told later, all of it would be styled once more."""
        return super().push_screen(self.sized(screen), *how, **named)

    def sized(self, screen: AnyScreen) -> AnyScreen:
        """A screen that knows how large the terminal is."""
        if isinstance(screen, Screen):
            screen.update_classes(_size_classes(self), update=False)
        return screen

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and ours behind them."""
        found = super().get_line_filters()
        if self.no_color and self.native_ansi_color:  # Textual has chosen one for its own theme, before ours was
            found = [self._uncoloured if isinstance(each, Monochrome) else each for each in found]
        return [*found, self._filter_of_last_resort]

    def on_load(self) -> None:
        """From now on there is a screen to take down."""
        self._starting = True

    def on_mount(self) -> None:
        """Be ready for signals, and for coming back from the shell."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        self._loop_of_screen = asyncio.get_running_loop()
        if self._end_wanted:
            _end(self, self._end_wanted)

    def on_ready(self) -> None:
        """What was made while starting stays for good; from now on garbage is looked for."""
        gc.freeze()
        gc.enable()

    def end_soon(self, number: int) -> bool:
        """End as a signal of this number asks for, from any thread, drafts kept; False before there is a screen."""
        self._end_wanted = number
        if self._loop_of_screen is None:
            return self._starting
        with contextlib.suppress(RuntimeError):  # the loop has ended: so has the program, nearly
            self._loop_of_screen.call_soon_threadsafe(_begin_end, self, number)
        return True

    def on_exit_app(self, message: ExitApp) -> None:
        """Whoever shows us, such as the server of a page that was closed, asks for the end without a word to the person."""
        if self.return_code is None:
            message.prevent_default()
            _begin_end(self, signal.SIGHUP)

    async def run_async(self, **how: Any) -> Any:
        """As always; then what threads still do has an end."""
        try:
            return await super().run_async(**how)
        finally:
            self.ends(self.return_code or 0)

    def before_shutdown(self) -> None:
        """What goes on in the background ends before the screens go; what a thread has begun to write, it writes."""
        self.background.cancel_all()
        self.conversations.close()

    def is_expected(self, error: Exception) -> bool:
        """A refusal of work in the background is told; what finds no screen while we leave is none."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        leaving = self.return_code is not None or self.background.ended or not self.screen_stack
        if isinstance(error, WorkerFailed) and isinstance(cause, MemError) and not leaving:
            self.say(refusal(cause), warning=True)
            return True
        return leaving and isinstance(cause, NoMatches)

    def tell_crash(self, error: Exception) -> None:
        """Something broke: a file with the places in the code, one line for the person, and no text of theirs in either."""
        _keep_draft_now(self)
        cause = error.error if isinstance(error, WorkerFailed) else error
        if self._log_crash is not None:
            place = visible_line(self._log_crash(cause))
            self.crash_note = f"zsmem stopped because of an error of its own ({type(cause).__name__}). Details: {place}"


def _size_classes(app: Program) -> dict[str, bool]:
    """The classes of a screen that say how large the terminal is, as Textual gives them."""
    found = {}
    for length, breakpoints in zip(app.size, (app.HORIZONTAL_BREAKPOINTS, app.VERTICAL_BREAKPOINTS), strict=True):
        widest = max(least for least, _ in breakpoints if least <= length)
        found.update({name: least == widest for least, name in breakpoints})
    return found


def _keep_draft_now(app: Program) -> None:
    """Unsaved text goes to disk before the program ends, however it ends."""
    try:
        editor = app.main.editor
        if editor.ref is not None and editor.unsaved:
            from zsmem_tui.service.editing import keep_draft  # loaded with the editor

            keep_draft(app.main.session, editor.ref, editor.content(), editor.base)
    except (MemError, LookupError, NoMatches, StopIteration):
        return  # the screen is already gone, or there is no room: the draft of a second ago stays


def _begin_end(app: Program, number: int) -> None:
    """The end, once the keys that were pressed before have arrived, as they belong in the draft: but it comes."""
    app.call_later(_end_after_keys, app, number)
    asyncio.get_running_loop().call_later(LAST_KEYS_SECONDS, _end, app, number)


def _end_after_keys(app: Program, number: int) -> None:
    if keys_wait(app):
        app.set_timer(LOOK_SECONDS, partial(_end_after_keys, app, number))
    else:
        _end(app, number)


def _end(app: Program, number: int) -> None:
    if app.return_code is None:
        _keep_draft_now(app)
        app.exit(return_code=128 + number)
