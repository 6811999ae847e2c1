"""What goes on in the background ends before the screens that it tells, and nothing begins any more."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from textual.events import Key
from textual.messages import ExitApp
from textual.worker import WorkerFailed

from tests.builders import AStore
from tests.ui.driving import an_app, running, until
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.service.checkups import Rounds
from zsmem_tui.service.editing import draft_of, drafted
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.ask import PromptDialog
from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.widgets.frame import begin


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", "- one\n")


@pytest.mark.slow
async def test_work_that_goes_on_while_the_program_ends_finds_no_screen_without_its_panes(store: AStore) -> None:
    app = an_app(store)
    told: list[bool] = []

    async def tell(main: MainScreen) -> None:
        while True:
            main.tell_right()
            told.append(bool(main.children))
            await asyncio.sleep(0)

    async with running(app):
        begin(app.main, partial(tell, app.main), group="a")
        begin(app, partial(tell, app.main), group="b")
    assert told and all(told)
    app.tick()  # the last of the clock, behind all screens
    app.say("What a widget said as it went.")


@pytest.mark.slow
async def test_a_question_that_is_closed_before_it_was_drawn_looks_for_nothing_in_it(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        dialog = PromptDialog("A name", "Which?", "x")
        await pilot.app.push_screen(dialog)
        await dialog.remove_children()
        dialog._show_whole()
        dialog.dismiss(None)
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)


@pytest.mark.slow
async def test_nothing_begins_once_the_program_is_ending_and_nothing_is_left_waiting(store: AStore) -> None:
    app = an_app(store)
    begun: list[str] = []

    async def work() -> None:
        begun.append("worker")

    async def converse() -> None:
        begun.append("conversation")

    async with running(app):
        app.conversations.start(converse(), lambda: True)
        app.workers.cancel_all()
        for node in (app, app.main):
            begin(node, work, group="late")
        app.conversations.start(converse(), lambda: True)
        await asyncio.sleep(0)
    gc.collect()  # a coroutine that nobody awaits is an error of the test
    assert begun == [] and app.conversations.begun == 0


@pytest.mark.slow
async def test_looking_again_before_the_first_look_began_is_one_look_and_one_that_nobody_waits_for_stops(store: AStore) -> None:
    app = an_app(store)
    async with running(app) as pilot:
        for _ in range(3):
            checking.soon(app.main, app.main.here)
        assert len(looks(app)) >= 3
        await until(pilot, lambda: len(looks(app)) <= 1)
        begun, stopped = threading.Event(), threading.Event()

        class Endless(Rounds):
            def look(self, folders: Sequence[str], *, cancelled: Callable[[], bool] = never, **_: object) -> Checkup:
                begun.set()
                while not cancelled():
                    time.sleep(0.001)
                stopped.set()
                raise Cancelled

        async def look() -> None:
            await checking.look(app.main, app.main.here)

        app.main.here.rounds = Endless(app.main.session)
        begin(app.main, look, group="a look")
        await until(pilot, begun.is_set)
    assert stopped.wait(10.0)
    gc.collect()


def looks(app: ZsmemApp) -> list[str]:
    return [worker.group for worker in app.workers if worker.group.startswith("doctor")]


@pytest.mark.parametrize("tell", [lambda app: app.post_message(ExitApp()), lambda app: app.end_soon(signal.SIGTERM)])
async def test_letters_on_their_way_to_the_editor_are_in_the_draft_of_a_program_told_to_end(
    store: AStore, tell: Callable[[ZsmemApp], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsmem_tui.ui.program.LAST_KEYS_SECONDS", 60.0)  # a machine with other work may need it
    app = an_app(store)
    async with running(app) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: app.main.editor.ref is not None and app.main.editor.has_focus_within)
        for letter in "never lost ":
            app.post_message(Key("space" if letter == " " else letter, letter))
        tell(app)
        await until(pilot, lambda: app._exit)
    assert app.return_code == 128 + (signal.SIGTERM if app._end_signal else signal.SIGHUP)
    session = store.session()
    drafts = [draft_of(session, ref) for ref in drafted(session)]
    assert [draft.text for draft in drafts if draft] == [b"never lost - one\n"]


async def test_a_crash_in_the_background_is_logged_with_where_it_came_from(tmp_path: Path) -> None:
    async def broken() -> None:
        raise ZeroDivisionError

    logged: list[BaseException] = []
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n")
    app = ZsmemApp(store.session(), log_crash=lambda error: logged.append(error) or "crash.log")  # type: ignore[func-returns-value]
    with pytest.raises(WorkerFailed):
        async with running(app) as pilot:
            begin(app, broken, group="broken")
            await until(pilot, lambda: logged)
    assert [type(each) for each in logged] == [ZeroDivisionError]
    assert "ZeroDivisionError" in app.last_words
