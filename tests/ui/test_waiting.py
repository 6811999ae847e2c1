"""What waits for another program can be given up, and the program ends all the same."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.builders import AStore, held_by_another
from tests.soak.monkey import a_key
from tests.ui.driving import an_app, running, screen_text, sees_nothing_new, shows, to_changes, until
from tests.ui.several import at
from zsmem_tui.service import applying, history, previewing, undoing
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.store import steps
from zsmem_tui.store.disk import waiting
from zsmem_tui.store.history import history as history_module
from zsmem_tui.ui import app as app_module
from zsmem_tui.ui import conversations, run
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.dialogs.finder import FinderDialog
from zsmem_tui.ui.facts import screen as prompt_effect
from zsmem_tui.ui.keys import typed_ahead
from zsmem_tui.ui.keys.typed_ahead import keys_wait
from zsmem_tui.ui.memory import reading
from zsmem_tui.ui.run import Ending


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", "- one\n")


async def typed(pilot: Pilot[Any]) -> None:
    """Open the file in the editor and type a letter."""
    editor = pilot.app.main.editor  # type: ignore[attr-defined]
    await pilot.press("e")
    await until(pilot, lambda: editor.ref is not None and editor.has_focus_within)
    await pilot.press("x")


async def test_nothing_waits_for_another_program_against_the_persons_will(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "LONG_SECONDS", 0.01)
    monkeypatch.setattr(app_module, "LAST_WAIT_SECONDS", 0.0)
    app = an_app(store)
    async with running(app) as pilot:
        await typed(pilot)
        with held_by_another(store.root):
            await pilot.press("ctrl+s")
            await shows(pilot, "esc gives up waiting")
            await pilot.press("escape")
            await shows(pilot, "Not saved.", "Your text is still here.")
        assert app.main.editor.unsaved and app.main.editor.area.text == "x- one\n"
        assert store.raw("MEMORY.md") == b"- one\n"
        monkeypatch.setattr(conversations, "LONG_SECONDS", 3_600)
        await pilot.press("ctrl+s", "escape")  # typed ahead of a quick save: it leaves the editor
        await until(pilot, lambda: app.main.editor.ref is None)
        assert store.raw("MEMORY.md") == b"x- one\n"
        monkeypatch.setattr(conversations, "LONG_SECONDS", 0.01)
        monkeypatch.setattr(history_module, "_LOCK_SECONDS", 60.0)
        with held_by_another(Path(app.main.session.history.home)):
            store.has("~/notes/x.md", "- theirs\n")  # which the program records by itself once it can
            await until(pilot, lambda: app.main.session.history.is_held_off)
            await pilot.press("u")
            await shows(pilot, "esc gives up waiting")
            await pilot.press("escape")
            await shows(pilot, "another zsmem is at work in the history")
        monkeypatch.setattr(conversations, "LONG_SECONDS", 3_600)
        await typed(pilot)
        with held_by_another(store.root):
            await pilot.press("ctrl+s")
            await until(
                pilot, lambda: app.conversations.patience is not None and app.conversations.patience.waits_since is not None
            )
            await pilot.press("ctrl+q")
            await shows(pilot, "There is unsaved text.")
        assert store.raw("MEMORY.md") == b"x- one\n"


async def test_a_save_that_others_write_over_again_and_again_keeps_the_text_in_the_editor(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: store.has("MEMORY.md", "- theirs\n"))
    app = an_app(store)
    async with running(app) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: app.main.editor.ref is not None and app.main.editor.has_focus_within)
        sees_nothing_new(app, monkeypatch)  # else it puts the line back later
        app.main.editor.area.put("- one\n- a line of mine\n")
        await pilot.press("ctrl+s")
        await shows(pilot, "did not last", "Your text is still here.")
        assert app.main.editor.unsaved


@pytest.mark.parametrize(("how", "code"), [("leave", 3), ("end", 143)])
def test_the_process_ends_though_a_thread_of_it_does_not(monkeypatch: pytest.MonkeyPatch, how: str, code: int) -> None:
    codes: list[int] = []
    monkeypatch.setattr(run, "time", SimpleNamespace(sleep=lambda seconds: codes.append(-math.ceil(seconds))))
    monkeypatch.setattr(os, "_exit", codes.append)
    made = Ending(lambda _: True)
    made.leave(3) if how == "leave" else made.end(15)
    made.leave(7)
    made._see_to_it()
    assert codes == [-1 if how == "leave" else -3, code]


@pytest.mark.parametrize("gets_on", [True, False])
def test_the_process_ends_once_no_step_of_many_files_gets_on(monkeypatch: pytest.MonkeyPatch, gets_on: bool) -> None:
    step, slept = waiting.Patience(), list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        step.far = (len(slept) if gets_on else 1, 200)
        if len(slept) == 100:
            waiting.steps.remove(step)

    monkeypatch.setattr(waiting, "steps", [step])
    waiting.await_steps(sleep)
    assert (len(slept) == 100) is gets_on and (sum(slept) <= waiting.STUCK + 1) is not gets_on
    monkeypatch.setattr(run, "await_steps", lambda _: slept.append(-1))
    monkeypatch.setattr(run, "time", SimpleNamespace(sleep=lambda _: None))
    monkeypatch.setattr(os, "_exit", slept.append)
    (ending := Ending(lambda _: True)).leave(7)
    ending._see_to_it()
    assert slept[-2:] == [-1, 7]


@pytest.mark.parametrize("key", ["1", "0"])
async def test_who_quits_while_many_files_are_written_waits_for_their_end(
    store: AStore, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    session, gate, write = store.session(), threading.Event(), steps._write_one
    with session.batch("Made two notes") as batch:
        for number in range(2):
            batch.update(f"projects/{store.project}/notes/n{number}.md", lambda now: b"- x\n")
    seen: list[int] = []

    def write_one(*about: Any, **named: Any) -> None:
        seen.append(len(waiting.steps))
        assert gate.wait(10)
        write(*about, **named)

    monkeypatch.setattr(steps, "_write_one", write_one)
    monkeypatch.setattr(typed_ahead, "HOLD_SECONDS", 0.0)
    async with running(app := an_app(store)) as pilot:
        await shows(pilot, "n1")
        await pilot.press(key, "u")
        await shows(pilot, "Undo is under way … 0 of 2 files")
        pilot.app._driver.send_message(a_key(app, "ctrl+q"))
        await shows(pilot, "Undo is under way … 0 of 2 files · the program ends then")
        assert app.return_code is None and seen == [1]
        gate.set()
        await until(pilot, lambda: app.return_code == 0)
    assert app.last_words.startswith("zsmem: Undid: Made two notes") and not waiting.steps
    assert not list(store.root.rglob("n?.md"))


@pytest.mark.slow
async def test_what_takes_long_says_what_is_under_way(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    apply = applying.apply
    monkeypatch.setattr(applying, "apply", lambda plan: gate.wait(60) and apply(plan))
    store.has("MEMORY.md", "- one\n- two\n")
    async with running(app := an_app(store)) as pilot:
        await pilot.press("7")
        await shows(pilot, "one")
        await pilot.press("d")
        await shows(pilot, "Delete is under way …")
        await pilot.press("enter")  # it leads to the file, and the result along
        await until(pilot, lambda: not keys_wait(app))
        gate.set()
        await until(pilot, lambda: pilot.app.screen is app.main)
        await shows(pilot, "Deleted")
        assert [text for _, text in app.told if "Deleted" in text], "and it is among the messages"
        await pilot.press("0")
        await until(pilot, lambda: app.tool is not None and not app.tool.awaits_rows)
        await pilot.press("A")
        assert app.conversations._latest == "Follow", "not that of another screen's action of this name"


async def test_what_was_under_way_is_said_neither_beside_its_question_nor_after_its_end(store: AStore) -> None:
    async def works() -> None:
        for _ in range(2):
            await asyncio.sleep(5 * conversations.LOOK_SECONDS)
            await choose(app.main, "Work", "Which?", [("a", "This one")])
        await asyncio.sleep(5 * conversations.LOOK_SECONDS)

    async with running(app := an_app(store)) as pilot:
        app.conversations.name("Work", is_of_dialog=False)
        app.talk(works())
        for _ in range(2):
            await shows(pilot, "Work is under way …")
            await shows(pilot, "This one")
            await until(pilot, lambda: "under way" not in screen_text(app))
            await pilot.press("escape")
        await shows(pilot, "Work is under way …")
        await until(pilot, lambda: app.conversations.begun == 0)
        await until(pilot, lambda: "under way" not in screen_text(app))


@pytest.mark.slow
async def test_a_step_of_many_files_says_how_far_it_is(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    session, gates = store.session(), [threading.Event() for _ in range(3)]
    with session.batch("Made three notes") as batch:
        for number in range(3):
            batch.update(f"projects/{store.project}/notes/n{number}.md", lambda now: b"- x\n")
    waits, write = iter(gates), steps._write_one
    monkeypatch.setattr(steps, "_write_one", lambda *about, **named: next(waits).wait(10) and write(*about, **named))

    async def says_and_keeps_the_loop_busy() -> None:
        await asyncio.sleep(1.5 * conversations.LOOK_SECONDS)
        app.say("Done.")
        time.sleep(conversations.LOOK_SECONDS)  # the next look is due before anybody hears of it
        await asyncio.sleep(conversations.LOOK_SECONDS)

    async with running(app := an_app(store)) as pilot:
        await shows(pilot, "n2")
        app.talk(says_and_keeps_the_loop_busy())
        await until(pilot, lambda: app.conversations.begun == 0)
        assert app.main.status.said == "Done.", "a result is not written over"
        await pilot.press("u")
        for number, gate in enumerate(gates):
            await shows(pilot, f"Undo is under way … {number} of 3 files{' · ctrl+p waits for it' * bool(number)}")
            if not number:
                pilot.app._driver.send_message(a_key(app, "ctrl+p"))  # it is seen that it does nothing yet
            gate.set()
        await until(pilot, lambda: isinstance(app.screen, FinderDialog))
        await pilot.press("escape")
        await shows(pilot, "Undid: Made three notes")
        assert len([text for _, text in app.told if "under way" in text]) == 1, "of the messages, the last alone"


@pytest.mark.slow
async def test_what_the_keys_would_do_to_a_fact_is_not_shown_of_the_one_before(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.has("MEMORY.md", "- one\n- two\n")
    gate = threading.Event()
    weighed = prompt_effect.weighed
    async with running(an_app(store)) as pilot:
        await pilot.press("7")
        await shows(pilot, "d delete · - unload for all projects, into a")
        monkeypatch.setattr(prompt_effect, "weighed", lambda *about: gate.wait(60) and weighed(*about))
        await pilot.press("j")
        await shows(pilot, "Working out what each key would do")
        assert "d delete" not in screen_text(pilot.app)
        gate.set()
        await shows(pilot, "d delete · - unload for all projects, into a")
        monkeypatch.setattr(prompt_effect, "QUIET_SECONDS", 3_600)
        await pilot.press("k")
        await until(pilot, lambda: "d delete" not in screen_text(pilot.app))  # at once, however long it takes to know


async def test_what_the_keys_would_do_is_worked_out_no_further_once_the_cursor_has_moved(store: AStore) -> None:
    rows = FactReader(store.has("MEMORY.md", "- one\n").session()).read(Scope.PROJECT).rows
    seen = prompt_effect.weighed(store.session(), rows[:1], store.project)
    assert len(seen) > 1 and not any("“" in each.problem for each in seen), "the fact is quoted beside it"
    assert prompt_effect.weighed(store.session(), rows[:1], store.project, lambda: True) == []


@pytest.mark.slow
async def test_that_a_file_takes_long_to_read_is_said_in_the_title(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.has("MEMORY.md", "- one\n").has("~/notes/large.md", "# Large\n")
    gate, read = threading.Event(), reading._read
    async with running(an_app(store)) as pilot:
        await at(pilot, "MEMORY.md")
        monkeypatch.setattr(reading, "_read", lambda session, ref: gate.wait(60) and read(session, ref))
        await pilot.press("1", "G")
        await shows(pilot, "note large · reading …")
        assert "- one" not in screen_text(pilot.app) and "• one" not in screen_text(pilot.app), "no text of another file below it"
        gate.set()
        await until(pilot, lambda: "reading" not in screen_text(pilot.app))
        assert "Large" in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_prompt_that_is_being_read_is_not_said_to_be_empty(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.has("MEMORY.md", "- the one fact\n")
    gate, preview = threading.Event(), previewing.preview
    async with running(an_app(store)) as pilot:
        await at(pilot, "MEMORY.md")
        monkeypatch.setattr(previewing, "preview", lambda *about, **named: gate.wait(60) and preview(*about, **named))
        await pilot.press("4")
        await shows(pilot, "Reading what the agent gets …")
        assert "Write a fact" not in screen_text(pilot.app)
        gate.set()
        await shows(pilot, "the one fact")


@pytest.mark.slow
async def test_the_changes_of_a_version_are_not_shown_beside_another(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("- one\n", "- one\n- two\n"):
        history.look_at_all(store.has("MEMORY.md", text).session())
    gate, texts = threading.Event(), history.texts
    async with running(an_app(store)) as pilot:
        await at(pilot, "MEMORY.md")
        await pilot.press("H")
        await shows(pilot, "+│ - two")
        monkeypatch.setattr(history, "texts", lambda *about, **named: gate.wait(60) and texts(*about, **named))
        await pilot.press("j")
        await until(pilot, lambda: "+│ - two" not in screen_text(pilot.app))
        gate.set()
        await shows(pilot, "+│ - one")


@pytest.mark.slow
async def test_a_question_that_comes_late_takes_no_key_on_another_screen(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    look = undoing.undo_newest
    monkeypatch.setattr(undoing, "undo_newest", lambda *about, **named: gate.wait(60) and look(*about, **named))
    store.session().mem().write("long_term", "- two")
    monkeypatch.setattr(undoing, "is_of_here", lambda order: False)
    before = store.raw("MEMORY.md")
    async with running(app := an_app(store)) as pilot:
        await to_changes(pilot)
        await shows(pilot, "Nothing to review")
        await pilot.press("u")
        await shows(pilot, "Undo is under way …")
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is None)
        await pilot.press("s", *"lint")
        gate.set()
        await shows(pilot, "Nothing was undone of: changed MEMORY.md")
        assert app.screen is app.main and app.main.query_one("#query", Input).value == "lint"
        assert store.raw("MEMORY.md") == before
