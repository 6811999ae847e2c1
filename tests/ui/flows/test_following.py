"""How often the stores are looked at: rarely while the keyboard is elsewhere, at once when it comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import AppBlur, AppFocus
from textual.pilot import Pilot

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, until
from zsmem_tui.service import editing, history
from zsmem_tui.service.watching import StoreFollower
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.history import verbs as history_verbs
from zsmem_tui.ui.memory import store_watcher as following
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.open_store import OpenStore


@pytest.fixture
def an_hour_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(following, "AWAY_SECONDS", 3_600.0)


async def keyboard_elsewhere(pilot: Pilot[Any], app: ZsmemApp) -> MainScreen:
    """The main screen of an app whose stores were looked at once, and whose terminal has the keyboard no more."""
    main = app.main
    await until(pilot, lambda: main.here.catalog is not None and main.here.looked_at)
    app.post_message(AppBlur())
    await until(pilot, lambda: not main.attended.is_set())
    return main


@pytest.mark.usefixtures("an_hour_away")
def test_the_next_look_waits_for_the_keyboard_to_come_back_or_for_a_store_in_which_something_stirs(tmp_path: Path) -> None:
    async def looks() -> None:
        attended, stirring = asyncio.Event(), list[OpenStore]()

        async def asked() -> list[OpenStore]:
            return stirring

        attended.set()
        assert await following._pause(attended, asked) == []
        attended.clear()
        waiting = asyncio.create_task(following._pause(attended, asked))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        attended.set()
        assert await waiting == []
        attended.clear()
        stirring.append(OpenStore(AStore(tmp_path).session()))
        assert await following._pause(attended, asked) == stirring

    asyncio.run(looks())


@pytest.mark.slow
@pytest.mark.usefixtures("an_hour_away")
async def test_what_an_agent_writes_while_the_keyboard_is_elsewhere_is_shown_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoreFollower, "stirs", lambda _: False)
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    app = an_app(store)
    async with running(app) as pilot:
        main = await keyboard_elsewhere(pilot, app)
        await pilot.pause(0.05)
        looked = main.here.looked_at
        store.has("MEMORY.md", "one\ntwo\n").has("~/notes/new.md", "new\n")
        await pilot.pause(0.1)
        assert main.here.looked_at == looked
        app.post_message(AppFocus())
        await until(pilot, lambda: main.here.looked_at > looked and main.here.catalog and main.here.catalog.file_count == 2)


@pytest.mark.usefixtures("an_hour_away")
async def test_each_of_an_agents_writes_is_recorded_while_the_keyboard_is_elsewhere(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    app = an_app(store)
    async with running(app) as pilot:
        await keyboard_elsewhere(pilot, app)

        def newest() -> str:
            [version] = history.latest(store.session(), 1)
            return str(history.texts(store.session(), version).after)

        store.has("MEMORY.md", "two\n")
        await until(pilot, lambda: "two" in newest())
        store.has("MEMORY.md", "three\n")
        await until(pilot, lambda: "three" in newest())


@pytest.mark.slow
async def test_the_open_file_as_it_was_written_here_is_no_news_and_a_look_ends_once_what_another_found_is_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = an_app(store := AStore(tmp_path / "memory").has("MEMORY.md", "one\n"))
    async with running(app) as pilot:
        main = app.main
        await until(pilot, lambda: main.here.looked_at and main.viewer.file and "one" in screen_text(app))
        main.status.said = "the last result"
        assert main.viewer.file
        await asyncio.to_thread(editing.save, main.session, main.viewer.file.ref, b"one\ntwo\n", b"one\n")
        await until(pilot, lambda: "two" in screen_text(app))
        assert main.status.said == "the last result"
        gate, shown = asyncio.Event(), following._show

        async def slow(*found: Any) -> None:
            await gate.wait()
            await shown(*found)

        await until(pilot, lambda: main.here.looked_at and main.viewer.file)
        monkeypatch.setattr(following, "_show", slow)
        store.has("MEMORY.md", "one\ntwo\nthree\n")
        looks = [asyncio.create_task(main.look_now()) for _ in range(2)]
        await pilot.pause(0.1)
        assert not any(look.done() for look in looks)
        gate.set()
        await asyncio.gather(*looks)
        assert main.viewer.file and main.viewer.file.text == "one\ntwo\nthree\n"


async def test_what_others_wrote_is_in_the_tree_before_it_is_recorded_and_the_status_line_says_that_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = an_app(store := AStore(tmp_path / "memory").has("~/notes/small.md", "one\n"))
    gate, record = asyncio.Event(), history_verbs.record

    async def slow(*found: Any) -> None:
        if any(ref.name == "large" for ref in found[2]):
            await gate.wait()
        await record(*found)

    async with running(app) as pilot:
        main = app.main
        await until(pilot, lambda: any(main.session.history.latest()) and not main.here.showing.locked())
        monkeypatch.setattr(following, "LONG_SECONDS", 0.01)
        monkeypatch.setattr(history_verbs, "record", slow)
        store.has("~/notes/large.md", "large\n")
        await until(pilot, lambda: "large" in screen_text(app) and main.status.said == "Recording what changed …")
        gate.set()
        await until(pilot, lambda: "note large is new on disk" in main.status.said)
