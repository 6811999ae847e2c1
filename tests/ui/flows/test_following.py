"""How often the stores are looked at: rarely while the keyboard is elsewhere, at once when it comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.events import AppBlur, AppFocus

from tests.builders import AStore
from tests.ui.driving import an_app, running, until
from zsmem_tui.ui.flows import following


@pytest.fixture
def an_hour_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(following, "AWAY_SECONDS", 3_600.0)


@pytest.mark.usefixtures("an_hour_away")
def test_the_next_look_waits_for_the_keyboard_to_come_back() -> None:
    async def looks() -> None:
        attended = asyncio.Event()
        attended.set()
        await following._pause(attended)
        attended.clear()
        waiting = asyncio.create_task(following._pause(attended))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        attended.set()
        await waiting

    asyncio.run(looks())


@pytest.mark.usefixtures("an_hour_away")
async def test_what_an_agent_writes_while_the_keyboard_is_elsewhere_is_shown_when_it_is_back(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    app = an_app(store)
    async with running(app) as pilot:
        main = app.main
        await until(pilot, lambda: main.here.catalog is not None and main.here.looked_at)
        app.post_message(AppBlur())
        await until(pilot, lambda: not main.attended.is_set())
        await pilot.pause(0.05)
        looked = main.here.looked_at
        store.has("MEMORY.md", "one\ntwo\n").has("~/notes/new.md", "new\n")
        await pilot.pause(0.1)
        assert main.here.looked_at == looked
        app.post_message(AppFocus())
        await until(pilot, lambda: main.here.looked_at > looked and main.here.catalog and main.here.catalog.file_count == 2)
