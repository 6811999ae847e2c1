"""Random keys on every screen, an agent writing underneath: nothing ends the program, stops it or loses a line.

    python -m tests.soak.monkey [KEYS [SEED]]

Each round is a fresh sample store, a size of the terminal and some hundred events: keys, pauses of any length between them, lines
that an agent appends, other sizes, the store renamed away and back. A failure is shrunk to a short sequence that still fails.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import threading
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from textual.css.query import NoMatches
from textual.events import Key
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import WaitForScreenTimeout
from textual.screen import ModalScreen

from tests.soak.monkey_keys import SIZES, events
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import ref_at
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import demo
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.finder import FinderDialog
from zsmem_tui.ui.keys.typed_ahead import keys_wait

NOW = datetime(2026, 5, 25, 14, 7, 9)

HANG = 2.0
"""Seconds that the loop may work on one thing. Seconds of its own work, not of waiting for a busy machine."""

DEAF = 20.0
"""Seconds after which a program that has nothing to do and does not answer is taken for stuck."""

HOME_STEPS = 60
"""Keys that must be enough to close everything that is open and to answer every question."""


class Failure(NamedTuple):
    """What went wrong, in a word and at length."""

    kind: str
    detail: str


class Watched(ZsmemApp):
    """The program, with whatever would have ended it taken down."""

    CSS_PATH = str(Path(sys.modules[ZsmemApp.__module__].__file__ or "").parent / "styles" / "app.tcss")
    draws_unseen = True
    failure: BaseException | None = None

    def _handle_exception(self, error: Exception) -> None:
        cause = getattr(error, "error", error)
        if isinstance(cause, MemError) or (self._exit and isinstance(cause, NoMatches)):
            super()._handle_exception(error)
            return
        self.failure = self.failure or error
        self.exit(return_code=1)


class Pulse:
    """Measures how long the loop worked without looking up, and where it was then."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.where = ""
        self._last = time.monotonic()
        self._over = threading.Event()

    async def beat(self) -> None:
        watcher = threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True)
        watcher.start()
        before = time.thread_time()
        try:
            while True:
                await asyncio.sleep(0.05)
                now = time.thread_time()
                self.longest, before = max(self.longest, now - before), now
                self._last = time.monotonic()
        finally:
            self._over.set()

    def _watch(self, loop_thread: int) -> None:
        while not self._over.wait(0.5):
            frame = sys._current_frames().get(loop_thread)
            if time.monotonic() - self._last > HANG and frame is not None:
                self.where = "".join(traceback.format_stack(frame)[-8:])


class Round:
    """One run of the program over one sequence."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "memory"
        self.away = folder / "elsewhere"
        self.work = folder / "work"
        self.work.mkdir()
        demo.make_demo(NOW.date(), str(self.root))
        config = Config()
        self.session = Session(
            str(self.root),
            demo.PROJECT,
            config=config,
            clock=lambda: NOW,
            history_home=str(folder / "history"),
            folder=str(self.work),
        )
        self.lines = {line for text in self._texts() for line in text.split(b"\n")}
        self.app = Watched(self.session, now_ns=lambda: int(NOW.timestamp()) * 10**9)

    async def play(self, sequence: Sequence[str], size: str) -> Failure | None:
        """Do it all; what went wrong, or None."""
        width, height = map(int, size.split("x"))
        pulse = Pulse()
        beating = asyncio.create_task(pulse.beat())
        loose: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: loose.append(repr(context)))
        try:
            async with self.app.run_test(size=(width, height), notifications=True) as pilot:
                failure = await self._play(pilot, sequence)
                if failure is None and self.app.is_running and self.app.failure is None:
                    failure = await self._come_home(pilot)
        except WaitForScreenTimeout:  # also raised when the program ended meanwhile
            failure = None if self.app.failure or self.app._exit else Failure("deaf", "the screen does not settle")
        finally:
            beating.cancel()
        error = self.app.failure
        if error is not None:
            inner = error.__cause__ or getattr(error, "error", None) or error
            return Failure(type(inner).__name__, "".join(traceback.format_exception(inner)[-9:]))
        if failure is None and loose:
            failure = Failure("loose error", loose[0])
        if failure is None and pulse.longest > HANG:
            failure = Failure("hang", f"busy for {pulse.longest:.1f} s with one thing\n{pulse.where}")
        return failure or self._afterwards()

    async def _play(self, pilot: Any, sequence: Sequence[str]) -> Failure | None:
        sent = 0
        for number, event in enumerate(sequence):
            if not self.app.is_running or self.app.failure is not None or self.app._exit:
                return None
            if event.startswith("wait:"):
                await asyncio.sleep(int(event[5:]) / 1000)
            elif event == "idle":
                await self._settle()
            elif event.startswith("agent:"):
                self._agent_writes(int(event[6:]))
            elif event.startswith("size:"):
                await pilot.resize_terminal(*map(int, event[5:].split("x")))
            elif event == "vanish":
                if self.root.is_dir() and not self.away.exists():
                    self.root.rename(self.away)
            elif event == "return":
                if self.away.exists():
                    if self.root.exists():
                        return Failure(
                            "made anew", f"{sorted(os.listdir(self.root))} after {sequence[max(0, number - 20) : number]}"
                        )
                    self.away.rename(self.root)
            else:
                self.app._driver.send_message(a_key(self.app, event))  # type: ignore[union-attr]
                await asyncio.sleep(0)
                sent += 1
                if sent % 25 == 0 and not await self._answers():
                    return Failure("deaf", f"no answer after {sequence[max(0, number - 20) : number + 1]}")
        if self.away.exists():
            if self.root.exists():
                return Failure("made anew", str(sorted(os.listdir(self.root))))
            self.away.rename(self.root)
        return None

    async def _has_handled_keys(self) -> bool:
        """Whether every key sent is handled in time, as long as the program runs."""
        end = time.monotonic() + DEAF
        while keys_wait(self.app) and time.monotonic() < end and self.app.is_running and self.app.failure is None:
            await asyncio.sleep(0.005)
        return not keys_wait(self.app) or not self.app.is_running or self.app.failure is not None

    async def _settle(self) -> None:
        """Let what was sent take effect, as a person does who looks before they go on."""
        await asyncio.sleep(0.02)
        await self._answers()
        await asyncio.sleep(0.02)

    async def _answers(self) -> bool:
        """Whether the app and the screen on top still take messages."""
        heard = asyncio.Event()
        self.app.call_later(lambda: self.app.screen.call_later(heard.set))
        end = time.monotonic() + DEAF
        asked = 0
        while not heard.is_set() and time.monotonic() < end:
            if not self.app.is_running or self.app.failure is not None or self.app._exit:
                return True
            await asyncio.sleep(0.005)
            asked += 1
            if not asked % 100:  # the screen that was asked may have been closed meanwhile
                self.app.call_later(lambda: self.app.screen.call_later(heard.set))
        return heard.is_set()

    async def _come_home(self, pilot: Any) -> Failure | None:
        """Close everything: one step back after the other leads to the main screen, and no conversation is stuck."""
        app = self.app
        for _ in range(HOME_STEPS):
            await self._wait_for_work()
            if not await self._has_handled_keys():
                return Failure("deaf", f"keys wait that nobody handles, on {type(app.screen).__name__}")
            if not app.is_running or app.failure is not None or app._exit:
                return None
            if len(app.screen_stack) == 1 and app.main.editor.ref is None and not app.conversations.under_way:
                return None
            if len(app.screen_stack) == 1 and app.main.current != "editor":
                app.action_focus_pane("viewer")
            if isinstance(app.screen, FinderDialog):
                key = "escape"
            elif isinstance(app.screen, ModalScreen):
                key = "f4" if type(app.screen).__name__ == "ConflictDialog" else random.choice(("down", "enter", "escape"))
            else:
                key = "escape"
            app._driver.send_message(a_key(app, key))  # type: ignore[union-attr]
            await self._settle()
        stack = [type(screen).__name__ for screen in app.screen_stack]
        return Failure("stuck", f"screens {stack}, editing {app.main.editor.ref}, conversation {app.conversations.under_way}")

    async def _wait_for_work(self) -> None:
        """What goes on without a question, in a thread mostly, takes as long as a busy machine needs: no key ends it."""
        end = time.monotonic() + DEAF
        app = self.app
        while app.is_running and not app._exit and len(app.screen_stack) == 1 and app.conversations.under_way:
            if time.monotonic() > end:
                return
            await asyncio.sleep(0.01)

    def _agent_writes(self, number: int) -> None:
        """Reads, appends and renames, as the agent does."""
        places = ["MEMORY.md", f"projects/{demo.PROJECT}/SCRATCHPAD.md", f"projects/{demo.PROJECT}/daily/2026-05-25.md"]
        path = self.root / places[number % len(places)]
        if not path.parent.is_dir():
            return
        line = b"- [ ] agent %d" % number if number % 3 == 1 else b"- agent %d" % number
        before = path.read_bytes() if path.is_file() else b""
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(before + (b"" if not before or before.endswith(b"\n") else b"\n") + line + b"\n")
        temporary.rename(path)
        self.lines.add(line)

    def _texts(self) -> Iterator[bytes]:
        for place, _, names in os.walk(self.root):
            for name in names:
                yield Path(place, name).read_bytes()

    def _afterwards(self) -> Failure | None:
        """What is to be found in the store and its history."""
        strays = [
            str(path)
            for place, _, names in os.walk(self.root)
            for path in (Path(place, name).relative_to(self.root) for name in names)
            if ref_at(ZEROSTACK, str(path)) == MemRef(str(path)) and path.suffix != ".bak"
        ]
        if strays:
            return Failure("stray file", str(strays))
        left = self.lines - {line for text in self._texts() for line in text.split(b"\n")}
        if left:
            try:
                history = self.session.history
                history.drain()
                for version in history.latest():
                    for id in (version.before, version.after):
                        left -= set((history.text(id) or b"").split(b"\n"))
            except MemError as error:
                return Failure("history", error.message)
        return Failure("lost line", str(sorted(left)[:5])) if left else None


def a_key(app: ZsmemApp, key: str) -> Key:
    """The event of a key, as a terminal would send it."""
    if len(key) == 1 and not key.isalnum():
        key = _character_to_key(key)
    try:
        char: str | None = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(key, key)))
    except KeyError:
        char = key if len(key) == 1 else None
    event = Key(key, char)
    event.set_sender(app)
    return event


@contextmanager
def a_home() -> Iterator[Path]:
    """A folder with a home of its own in it, and the working folder inside."""
    kept = {name: os.environ.get(name) for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    here = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="zsmem-monkey-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "home").mkdir()
        (folder / "cwd").mkdir()
        for variable in kept:
            os.environ.pop(variable, None)
        os.environ["HOME"] = str(folder / "home")
        os.chdir(folder / "cwd")
        try:
            yield folder
        finally:
            os.chdir(here)
            for variable, value in kept.items():
                if value is None:
                    os.environ.pop(variable, None)
                else:
                    os.environ[variable] = value


async def try_out(sequence: Sequence[str], size: str) -> Failure | None:
    """The sequence on a fresh store."""
    with a_home() as folder:
        return await asyncio.wait_for(Round(folder).play(sequence, size), 600)


def a_round(seed: int, keys: int) -> tuple[list[str], str]:
    """The events of one round, and its size."""
    dice = random.Random(seed)
    return events(dice, keys), dice.choice(SIZES)


def shrunk(sequence: Sequence[str], size: str, kind: str, seconds: float = 120.0) -> list[str]:
    """A short part of the sequence that still fails in this way: each half, quarter, … is left out in turn."""
    left = list(sequence)
    end = time.monotonic() + seconds
    step = max(len(left) // 2, 1)
    while time.monotonic() < end:
        at = 0
        before = len(left)
        while at < len(left) and time.monotonic() < end:
            fewer = left[:at] + left[at + step :]
            failure = asyncio.run(try_out(fewer, size))
            if failure is not None and failure.kind == kind:
                left = fewer
            else:
                at += step
        if step == 1 and len(left) == before:
            break
        step = max(step // 2, 1)
    return left


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    done, failures = 0, Counter[str]()
    begun = time.monotonic()
    keys = 250
    while done < total:
        sequence, size = a_round(seed, keys)
        failure = asyncio.run(try_out(sequence, size))
        done += keys
        if failure is not None:
            failures[failure.kind] += 1
            print(f"seed {seed} at {size}: {failure.kind}\n{failure.detail}", flush=True)
            if failures[failure.kind] == 1 and failure.kind != "hang" and "--no-shrink" not in sys.argv:
                print(f"  shortest: {shrunk(sequence, size, failure.kind)}", flush=True)
        seed += 1
        if not seed % 10:
            print(f"{done} keys, {sum(failures.values())} failures, {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{done} keys in {time.monotonic() - begun:.0f} s: {dict(failures) or 'nothing ended, stopped, lost or left behind'}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    main()
