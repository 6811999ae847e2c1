"""The base of the app: styling, signals, shutdown, and crashes."""

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
"""Seconds to wait for keys already pressed before quitting; a program told to terminate has three."""

AnyScreen = TypeVar("AnyScreen")


class Background(WorkerManager):
    """A worker manager that starts nothing more after `cancel_all`.

    Textual cancels workers one by one while it removes their widgets; a worker that wakes up in between finds half a screen.
    """

    ended = False
    """Whether `cancel_all` was called, since the program is ending."""

    def cancel_all(self) -> None:
        """Cancel all workers and start none from now on."""
        self.ended = True
        super().cancel_all()

    def add_worker(self, worker: Worker[Any], start: bool = True, exclusive: bool = True) -> None:
        """Start a worker, unless the program is ending."""
        if not self.ended:
            super().add_worker(worker, start, exclusive)


class ControlCharFilter(LineFilter):
    """The last safeguard: replaces control characters before they reach the terminal, whichever widget let them through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace them by visible signs, or drop them if that would shift the line."""
        line = "".join(segment.text for segment in segments if not segment.control)
        if (line.isascii() and line.isprintable()) or without_hidden(line) == line:
            return segments
        return [segment if segment.control else Segment(without_hidden(segment.text), segment.style) for segment in segments]


class Uncoloured(NoColor):
    """Removes colours instead of painting greys; text with a background is reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Remove colours, keeping selections visible."""
        styles = [style or Style.null() for _, style, _ in segments]
        marks = [Style(reverse=True) if style.bgcolor and not style.bgcolor.is_default else Style.null() for style in styles]
        marked = [each._replace(style=style + mark) for each, style, mark in zip(segments, styles, marks, strict=True)]
        return super().apply(marked, background)


class Program(KeysInOrder):
    """An app that shuts down in order, keeping drafts, and lets no control character through."""

    CSS_PATH = "styles/app.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # as Textual declares it
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-normal"),
        (160, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (12, "-short"), (18, "-high"), (24, "-tall")]  # noqa: RUF012  # as Textual declares it
    PAUSE_GC_ON_SCROLL = True
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, log_crash: Callable[[BaseException], str] | None) -> None:
        """`log_crash` writes an error to a file and returns its path."""
        super().__init__()
        self.background = Background(self)
        self._log_crash = log_crash
        self.last_words = ""
        """What is said in the terminal once the screen is gone."""
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self._starting = False
        self._end_signal = 0
        self.conversations = Conversations(self, self.say)
        self.told: Sequence[tuple[int, str]] = ()
        """Past status messages with their times."""
        self.ends: Callable[[int], object] = lambda code: None
        """Called with the exit code once the terminal is restored."""
        self._filter_of_last_resort = ControlCharFilter()
        self._uncoloured = Uncoloured()
        self._styled_theme = ""
        self.animation_level = "none"  # jump to the end of a long file at once

    def look_like(self, theme: str, *, few_colours: bool, switched: bool) -> None:
        """Set the initial theme, or the other one if it is `switched`. Raises `ConfigError` if there is none of that name."""
        themes.use(self, theme, few_colours=few_colours or self.no_color)
        if self.no_color and not self.current_theme.ansi:  # without colours, one of many would be painted in greys
            themes.use(self, "dark" if self.current_theme.dark else "light", few_colours=True)
        self.own_theme = self.theme
        """The theme of the settings."""
        self.theme = themes.other(self.current_theme) if switched else self.theme
        self.stylesheet = LazyStylesheet()
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_theme = self.theme

    @property
    def workers(self) -> WorkerManager:
        """Textual's worker manager, replaced by ours."""
        return self.background

    @property
    def main(self) -> MainScreen:
        """The main screen, also while other screens lie over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen))

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a message on the visible screen."""
        raise NotImplementedError

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the styles again, except for the initial theme, which is applied already."""
        if self.theme == self._styled_theme:
            self._styled_theme = ""
        else:
            super().refresh_css(animate)

    def push_screen(self, screen: Any, *how: Any, **named: Any) -> Any:
        """Push a screen after setting its size classes, so that it need not be styled twice."""
        return super().push_screen(self.sized(screen), *how, **named)

    def sized(self, screen: AnyScreen) -> AnyScreen:
        """Set a screen's CSS classes for the size of the terminal, as Textual sets them."""
        if isinstance(screen, Screen):
            found: dict[str, bool] = {}
            for length, breakpoints in zip(self.size, (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), strict=True):
                widest = max(least for least, _ in breakpoints if least <= length)
                found.update({name: least == widest for least, name in breakpoints})
            screen.update_classes(found, update=False)
        return screen

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's filters, then ours."""
        found = super().get_line_filters()  # with its filter for no colours, chosen before our theme was set
        return [*(self._uncoloured if isinstance(each, Monochrome) else each for each in found), self._filter_of_last_resort]

    def on_load(self) -> None:
        """From now on there is a screen to shut down."""
        self._starting = True

    def on_mount(self) -> None:
        """Get ready for signals, and for resuming after suspension."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        self.screen_change_signal.subscribe(  # hide keys that do nothing; a CSS class would style all widgets of a screen again
            self, lambda top: [each.query("#keys").set(visible=each is top) for each in self.screen_stack], immediate=True
        )
        self._loop_of_screen = asyncio.get_running_loop()
        if self._end_signal:
            _end(self, self._end_signal)

    def on_ready(self) -> None:
        """Exclude objects made at the start from garbage collection, and enable it."""
        gc.freeze()
        gc.enable()

    def end_soon(self, number: int) -> bool:
        """Quit as on this signal, keeping drafts; may be called from any thread. False if there is no screen yet."""
        self._end_signal = number
        if self._loop_of_screen is None:
            return self._starting
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop_of_screen.call_soon_threadsafe(_begin_end, self, number)
        return True

    def on_exit_app(self, message: ExitApp) -> None:
        """Quit without asking when the host closes the app, for instance with a browser tab."""
        if self.return_code is None:
            message.prevent_default()
            _begin_end(self, signal.SIGHUP)

    async def run_async(self, **how: Any) -> Any:
        """Run the app, then call `ends`."""
        try:
            return await super().run_async(**how)
        finally:
            self.ends(self.return_code or 0)

    def before_shutdown(self) -> None:
        """Cancel background work before the screens are removed; writes already begun in threads finish."""
        self.background.cancel_all()
        self.conversations.close()

    def is_expected(self, error: Exception) -> bool:
        """Whether an error is handled: a refused action is shown, and missing widgets are ignored while quitting."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        leaving = self.return_code is not None or self.background.ended or not self.screen_stack
        if isinstance(error, WorkerFailed) and isinstance(cause, MemError) and not leaving:
            self.say(refusal(cause), warning=True)
            self.drop_keys(queued=True)
            return True
        return leaving and isinstance(cause, NoMatches)

    def tell_crash(self, error: Exception) -> None:
        """Keep the draft, and log the error without any text of the person's files."""
        _keep_draft_now(self)
        cause = error.error if isinstance(error, WorkerFailed) else error
        if self._log_crash is not None:
            place = visible_line(self._log_crash(cause))
            self.last_words = f"zsmem stopped because of an error of its own ({type(cause).__name__}). Details: {place}"


def _keep_draft_now(app: Program) -> None:
    """Save unsaved text as a draft, as the program is ending."""
    try:
        editor = app.main.editor
        if editor.ref is not None and editor.unsaved:
            from zsmem_tui.service.editing import keep_draft  # deferred: the editor has imported it already

            keep_draft(app.main.session, editor.ref, editor.content(), editor.base)
    except (MemError, LookupError, NoMatches, StopIteration):
        return  # no screen or no disk space: the draft of a second ago stays


def _begin_end(app: Program, number: int) -> None:
    """Quit once all keys pressed so far have arrived, since they belong to the draft, or after a timeout."""
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
