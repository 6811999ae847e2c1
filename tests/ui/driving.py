"""Driving the app in tests: waiting for what is asked for, and reading the screen as text."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any

import pytest
from textual._context import visible_screen_stack
from textual._wait import wait_for_idle
from textual.events import Key, Paste
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input, OptionList, TextArea
from textual.worker import Worker, WorkerCancelled
from textual.worker_manager import WorkerManager

from tests.builders import NOW, AStore
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import editing
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.finder import FinderDialog
from zsmem_tui.ui.keys.typed_ahead import KeysInOrder, keys_wait
from zsmem_tui.ui.memory import reading  # noqa: F401  # the first app in a process is as quick as the others
from zsmem_tui.ui.memory import store_watcher as following  # noqa: F401  # the first app in a process is as quick as the others
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.prompt.moments import MomentBar
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.frame import Notice
from zsmem_tui.ui.widgets.strip import ScreenStrip

NOW_NS = int(NOW.timestamp()) * 10**9


def an_app(store: AStore, **settings: Any) -> ZsmemApp:
    return ZsmemApp(store.session(**settings), now_ns=lambda: NOW_NS)


async def to_changes(pilot: Any) -> None:
    """To Review's full screen, past its page."""
    for _ in range(3):
        if pilot.app.tool is None or pilot.app.tool.PAGE != "review":
            await pilot.press("f3")
            await until(pilot, lambda: not pilot.app.conversations.begun)
    assert pilot.app.tool.PAGE == "review"


class Typist(Pilot[Any]):
    """Presses keys one by one as Textual's pilot does, but writes words into a line or a text as fast as a terminal sends them.

    The pilot waits after each key until the whole process rests, which is most of the time of a test that types.
    """

    async def press(self, *keys: str) -> None:
        """Press keys; letters in a row where letters are typed are one word."""
        at = 0
        while at < len(keys):
            end = at
            if isinstance(self.app.focused, Input | TextArea):
                end = next((place for place in range(at, len(keys)) if len(keys[place]) > 1), len(keys))
            if end - at > 1:
                await typed(self, "".join(keys[at:end]))
                await self.pause()
                at = end
            else:
                await self._press(keys[at])
                at += 1

    async def _press(self, key: str) -> None:
        """One key as the pilot's, which waits twice for the process to rest: once more for animations, and here are none."""
        name = _character_to_key(key) if len(key) == 1 else key
        char = name if len(name) == 1 else None
        with suppress(KeyError):
            char = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
        app: Any = self.app
        event = Key(name, char)
        event.set_sender(app)
        app._driver.send_message(event)
        for _ in range(_LOOKS):
            await wait_for_idle(0)
            if not keys_wait(app):
                break
        await self._wait_for_screen()

    async def _wait_for_screen(self, timeout: float = 30.0) -> bool:
        """As the pilot's, which asks each widget whether it is done: half of what a key costs, where all of them rest."""
        app = self.app
        for _ in range(_ROUNDS):
            if not app._screen_stack or not all(map(_rests, (app, *app.screen.walk_children(with_self=True)))):
                return await super()._wait_for_screen(timeout)
            await asyncio.sleep(0)  # what comes from threads and timers meanwhile may give them something to do
        return True


_LOOKS = 25
"""How often it is looked whether a key was taken, on a machine with other work too; one behind what is held back never is."""

_ROUNDS = 4
"""Of the event loop, in which nothing may happen: about as many as it takes to ask all widgets."""


def _rests(pump: MessagePump) -> bool:
    """Whether it has done all it was told, and waits for more."""
    queue: Any = pump._message_queue
    return queue.empty() and bool(queue.ready_event._waiters)


@asynccontextmanager
async def running(app: ZsmemApp, size: tuple[int, int] = (120, 40)) -> Any:
    """The app with its store read."""
    async with app.run_test(size=size, notifications=True):
        pilot = Typist(app)
        await until(
            pilot, lambda: any(isinstance(screen, MainScreen) and screen.here.catalog is not None for screen in app.screen_stack)
        )
        for line in app.main.query(Input):
            line.cursor_blink = False
        await pilot.pause()
        yield pilot
        if app.is_running:
            screen_text(app)  # whatever the last keys led to can be drawn


def sees_nothing_new(app: ZsmemApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the screen does not notice what is written to its stores."""

    def poll(opened: MemRef | None, *, folders: bool = False) -> None:
        """Nothing has changed."""

    for store in app.main.stores:
        monkeypatch.setattr(store.follower, "poll", poll)


async def done(workers: WorkerManager, counts: Callable[[Worker[Any]], bool] = lambda _: True) -> None:
    """Wait until no worker that counts is at work; where one was cancelled, a newer one took its place, and is waited for."""
    while own := [worker for worker in workers if counts(worker) and not worker.is_finished]:
        with suppress(WorkerCancelled):
            await workers.wait_for_complete(own)


async def until(pilot: Pilot[Any], happened: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until something is so, and what comes with it has come; fail with the screen when it never is."""
    for look in range(int(seconds * 20)):
        if happened():
            if look:
                await pilot.pause()
            return
        if look < 5:
            await asyncio.sleep(0.01 * (look + 1))
        else:  # to draw the screen for a look takes longer than to wait for it
            await pilot.pause(0.05)
    raise AssertionError("it did not happen; the screen was\n" + screen_text(pilot.app))


def screen_text(app: Any) -> str:
    """What is on the screen, without colours."""
    height = app.size.height
    return "\n".join("".join(segment.text for segment in strip) for strip in drawn(app)[:height])


def drawn(app: Any) -> list[Strip]:
    """The rows of the screen, with what shows through from the screens below it."""
    visible_screen_stack.set(app._background_screens)
    strips: list[Strip] = app.screen._compositor.render_strips()
    return strips


async def watching(pilot) -> None:  # type: ignore[no-untyped-def]
    """Wait until the first look is recorded: what comes after it is news."""
    await until(pilot, lambda: pilot.app.main.session.history.latest() and any(pilot.app.main.session.history.latest()))


async def asked(pilot: Pilot[Any], *texts: str) -> None:
    """Wait until a dialog with these texts takes keys; a plan does once it was drawn."""
    await shows(pilot, *texts)
    await until(pilot, lambda: isinstance(pilot.app.screen, ModalScreen) and pilot.app.focused is not None)
    await until(pilot, lambda: getattr(pilot.app.screen, "_seen_from", 0) < inf)


async def edits_at(pilot: Pilot[Any], place: tuple[int, int]) -> None:
    """Wait until the editor has the keys, its cursor at this line and column from 0."""
    editor: EditorPane = pilot.app.main.editor  # type: ignore[attr-defined]
    await until(pilot, lambda: editor.ref is not None and editor.area.has_focus and editor.area.cursor_location == place)


async def lit(pilot: Pilot[Any], page: str) -> None:
    """Wait until this is the screen that is lit on the strip."""
    await until(pilot, lambda: [strip.page for strip in pilot.app.screen.query(ScreenStrip)] == [page])


async def shows(pilot: Pilot[Any], *texts: str) -> None:
    """Wait until all `texts` are on the screen; a sentence may go over several rows, as where a path in it is long."""

    def are_there() -> bool:
        drawn = screen_text(pilot.app)
        missing = [text for text in texts if text not in drawn]
        wrapped = sentences(pilot.app, drawn) if missing else ""
        return all(text in wrapped for text in missing)

    await until(pilot, are_there)


def sentences(app: Any, drawn: str) -> str:
    """What stands in the rows of the screen that wrap sentences, a blank for each end of a row."""
    rows = drawn.split("\n")
    places = [each.region for kind in (StatusLine, Notice, MomentBar) for each in app.screen.query(kind)]
    return "\n".join(" ".join(row.strip("│┃ ") for row in rows[place.y : place.bottom]) for place in places)


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Type a text as fast as a terminal sends it: `press` waits after each letter until nothing happens any more."""
    app = pilot.app
    assert isinstance(app, KeysInOrder)
    sent = asyncio.Event()
    for char in text:
        app.post_message(Key(_character_to_key(char), char))
    app.call_later(sent.set)
    await sent.wait()
    await until(pilot, lambda: not keys_wait(app))


async def back(pilot: Pilot[Any]) -> None:
    """`esc` until no tool lies over the main screen."""
    app: Any = pilot.app
    for _ in range(9):
        if app.tool is None:
            return
        await pilot.press("escape")
        await until(pilot, lambda: not keys_wait(app))
    raise AssertionError("esc does not lead out; the screen was\n" + screen_text(app))


async def to_the_tree(pilot: Pilot[Any]) -> None:
    """Leave every tool, for the first row of the tree."""
    await back(pilot)
    await pilot.press("1", "g")


async def rewritten(pilot: Pilot[Any], path: str, text: str, store: OpenStore | None = None) -> None:
    """The person writes a whole file, as another window does: it is no news, and nothing that it leaves out is put back."""
    main = pilot.app.main  # type: ignore[attr-defined]
    session = (store or main.here).session
    ref = session.ref_at(path.replace("~/", f"projects/{session.project}/"))
    place = Path(session.path(ref))
    editing.save(session, ref, text.encode(), place.read_bytes() if place.exists() else None)
    await main.look_now(store or main.here)


async def by_name(pilot: Pilot[Any], name: str) -> None:
    """Do what has no key: by its name, from the palette."""
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, FinderDialog))
    palette = pilot.app.screen
    await typed(pilot, name)
    await until(pilot, lambda: _is_first(palette, name))
    await pilot.press("enter")
    await until(pilot, lambda: palette not in pilot.app.screen_stack)
    await pilot.pause()


async def show_only(pilot: Pilot[Any], way: str) -> None:
    """Show only these rows of a list that asks which."""
    await pilot.press("f")
    await asked(pilot, "shown now", way)
    await typed(pilot, way)
    await pilot.press("enter")
    await pilot.pause()


def _is_first(palette: Any, name: str) -> bool:
    """Whether the first row of the palette has this name: behind its key, or before it where there is little room."""
    rows = palette.query_one(OptionList)
    first = str(rows.options[0].prompt) if rows.options else ""
    return first.startswith(name) or first[11:].startswith(name)


async def pasted(pilot: Pilot[Any], text: str) -> None:
    """A long answer, given at once: a key a character would take seconds."""
    assert pilot.app.focused is not None
    pilot.app.focused.post_message(Paste(text))
    await pilot.pause()
