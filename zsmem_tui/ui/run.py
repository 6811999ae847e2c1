"""Start of the full-screen program: check the terminal, open the stores, and end with the right exit code."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Final

from zsmem_tui.config import locate
from zsmem_tui.config.load import load, sentence
from zsmem_tui.config.locate import draws_elsewhere, has_few_colours, settings_file, terminal_kind
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError, MemError
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible
from zsmem_tui.service import crash
from zsmem_tui.service.demo_folders import remove_demos
from zsmem_tui.service.patience import await_steps
from zsmem_tui.service.session import DEFAULT_KIND, Session
from zsmem_tui.service.sweeping import sweep
from zsmem_tui.service.which_store import named_project, open_here, said_of_folder
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.textual_private import tell_esc_apart

if TYPE_CHECKING:
    from argparse import Namespace
    from types import SimpleNamespace

    from zsmem_tui.service import folders
    from zsmem_tui.ui.open_store import MoreStores
else:  # loaded after the first frame: all agents' rules
    (folders,) = late_modules("zsmem_tui.service", "folders")


USAGE_ERROR = 2

TURN_SECONDS = 0.0005
"""The thread switch interval in seconds while busy threads (search, doctor) run.

Python's default of 5 ms is paid at each turn of the event loop, of which a key press takes about twenty.
"""


def run(args: Namespace | SimpleNamespace) -> int:
    """Run the program; return the exit code: 0, 1 after a crash, 2 without a terminal, 128 + n after signal n."""
    problem = _no_screen()
    if problem:
        return _tell(problem)
    made: list[ZsmemApp] = []
    ending = Ending(lambda number: bool(made) and made[0].end_soon(number))
    ending.watch()
    try:
        try:
            left_over = [visible(sentence) for sentence in sweep()]
            _tell(*left_over)
            made.append(_make_app(args))
            made[0].left_over = [*left_over, *made[0].left_over]
        except MemError as error:
            return _tell(*(_mistakes(error) or [f"{error.message} {error.hint}".rstrip(" ")]))
        made[0].ends = ending.leave
        tell_esc_apart()
        sys.setswitchinterval(TURN_SECONDS)
        made[0].run()
    finally:
        remove_demos()
    [app] = made
    if app.last_words:
        print(app.last_words, file=sys.stderr)
    return app.return_code or 0


def _make_app(args: Namespace | SimpleNamespace) -> ZsmemApp:
    """Make the app for the settings and arguments, or for the sample. Raises `MemError`."""
    config = load()
    if args.profile:
        config = config._replace(profile=Profile(args.profile))
    log_crash = partial(crash.log_crash, folder=locate.state_folder())  # in the person's home, also when the sample has its own
    if args.demo:
        from zsmem_tui.service import demo  # deferred: needed only for the sample

        config, args.cwd = demo.move_in(config)
    sessions, more = _stores(config, args)
    said_of_folder(sessions[0], args.cwd or "")
    return _app(sessions, more, log_crash, tour=args.tour)


def _stores(config: Config, args: Namespace | SimpleNamespace) -> tuple[list[Session], MoreStores | None]:
    """The sessions to open at once, the first is the current one, and what finds others. Raises `ConfigError` or `BadTarget`."""
    if not args.store and (args.group or args.user):
        raise ConfigError("--group and --user say which memory of a store: name it with --store. Nothing was opened.")
    if args.root:
        session = Session.open(config, root=args.root, project=args.project, cwd=args.cwd)
        return [named_project(session) if args.project else session], None
    if not args.store and (not config.stores or config.stores[0].partition(":")[0] == DEFAULT_KIND):
        first = open_here(config, project=args.project or "", cwd=args.cwd or "", needs_group=False)
        return [first], lambda: folders.beside(first, config, cwd=args.cwd or "")
    from zsmem_tui.service.stores import sessions  # deferred: imports the rules of all agents

    group = args.group or args.project or ""
    return sessions(config, named=args.store or (), group=group, user=args.user or "", cwd=args.cwd or ""), None


def _app(sessions: list[Session], more: MoreStores | None, log_crash: Callable[[BaseException], str], *, tour: bool) -> ZsmemApp:
    """Make the app; errors about keys or the theme are raised with the name of the settings file."""
    try:
        first, *beside = sessions
        return ZsmemApp(
            first,
            beside=beside,
            more=more,
            open_demo=partial(_open_demo, first.config),
            log_crash=log_crash,
            tour=tour,
            few_colours=has_few_colours(),
        )
    except ConfigError as error:
        raise ConfigError(f"{printable_path(settings_file())}: {error.message}", error.hint) from error


def _mistakes(error: MemError) -> list[str]:
    """All mistakes in the settings file, with lines, if the error is about that file; else none."""
    if printable_path(settings_file()) not in error.message:
        return []
    from zsmem_tui.service import settings  # deferred: needed only after a mistake
    from zsmem_tui.ui.themes import problems  # deferred: likewise

    try:
        found = settings.mistakes(problems)
    except MemError:
        return []
    return [f"{sentence(settings_file(), each)} {each.hint}".rstrip(" ") for each in found]


def _open_demo(config: Config) -> tuple[Session, MoreStores]:
    """Open the sample, as `--demo` does."""
    from zsmem_tui.service import demo  # deferred: needed only for the sample

    config, folder = demo.move_in(config)
    first = open_here(config, cwd=folder)
    return first, lambda: folders.beside(first, config, cwd=folder)


def _no_screen() -> str:
    """Why there is no screen to draw on; empty if there is."""
    if draws_elsewhere():
        return ""
    streams = (sys.__stdin__, sys.__stderr__)
    if any(stream is None or not stream.isatty() for stream in streams):
        return "zsmem needs a terminal to draw on. Without one, use a verb: zsmem --help lists them."
    if terminal_kind() in ("dumb", ""):
        return "This terminal (TERM=dumb) cannot show a full screen. Use a verb: zsmem --help lists them."
    return ""


def _tell(*sentences: str) -> int:
    """Say this in the terminal; returns the exit code of a start that is refused."""
    for each in sentences:
        print(f"zsmem: {visible(each)}", file=sys.stderr)
    return USAGE_ERROR


GRACE_SECONDS: Final = 3.0
"""Seconds to keep drafts and restore the terminal after a signal. Then the process is ended, even if a write blocks."""

LEAVE_SECONDS: Final = 0.8
"""Seconds that threads get to finish after the person has quit."""


class Ending:
    """Calls `ask` on SIGTERM, SIGHUP and loss of the terminal, and ends the process if it does not end by itself.

    `ask` gets the signal's number, may be called from any thread, and returns whether there was a screen to ask. The terminal is
    watched since only the process that owns it gets a SIGHUP when it closes.
    """

    def __init__(self, ask: Callable[[int], bool]) -> None:
        self._ask = ask
        self._is_ending = threading.Event()
        self._code = 0
        self._seconds = GRACE_SECONDS

    def watch(self) -> None:
        """Install the handlers and start the threads. Call it from the main thread."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        for work in (self._watch_terminal, self._see_to_it):  # started now: threads cannot be started while the interpreter exits
            threading.Thread(target=work, name=work.__name__, daemon=True).start()

    def end(self, number: int) -> bool:
        """Call `ask`, and end the process after the grace period; False if there was no screen."""
        self.leave(128 + number, GRACE_SECONDS)
        return self._ask(number)

    def leave(self, code: int, seconds: float = LEAVE_SECONDS) -> None:
        """End the process with this exit code after this many seconds, unless an end is scheduled already."""
        if not self._is_ending.is_set():
            self._code, self._seconds = code, seconds
            self._is_ending.set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.end(number):
            raise SystemExit(128 + number)  # there is no screen yet

    def _see_to_it(self) -> None:
        """End the process, even if a thread still waits for a disk or another program; but no step is left half written."""
        self._is_ending.wait()
        await_steps(time.sleep)
        time.sleep(self._seconds)
        os._exit(self._code)

    def _watch_terminal(self) -> None:
        """Wait until the terminal is gone, then end."""
        if sys.__stdin__ is None:
            return
        watched = select.poll()
        watched.register(sys.__stdin__.fileno(), 0)  # POLLHUP is always reported
        while not self._is_ending.is_set():
            if any(what & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, what in watched.poll(500)):
                self.end(signal.SIGHUP)
