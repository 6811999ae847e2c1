"""The two last lines: what is true of the store stays beside what is said, and no key is offered that can do nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, an_app, back, running, screen_text, shows, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.widgets.bars import KeyBar


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- redis listens on 6380\n").has("~/notes/n.md", "- kept\n")


def last_lines(pilot: Pilot[Any]) -> list[str]:
    return screen_text(pilot.app).split("\n")[-2:]


def offered(pilot: Pilot[Any]) -> list[str]:
    actions: list[Action] = list(pilot.app.screen.query_one(KeyBar)._actions)
    return [action.id for action in actions if action.scope != "app"]


def label(pilot: Pilot[Any], id: str) -> str:
    return next((action.label for action in pilot.app.screen.query_one(KeyBar)._actions if action.id == id), "")


@pytest.mark.slow
async def test_the_project_stays_on_the_status_line_beside_what_is_said_and_the_keys_are_those_of_the_row(store: AStore) -> None:
    async with running(an_app(store), size=(120, 36)) as pilot:
        await shows(pilot, "prompt 66B of 32K")
        for words in ("Moved it.", "A sentence of sixty cells about MEMORY.md and what came of it", "Each word " * 9, "long " * 40):
            pilot.app.main.say(words)
            await pilot.pause()
            await pilot.pause()
            said = "\n".join(screen_text(pilot.app).split("\n")[-3:])
            assert words.strip()[-9:] in said and "demo-1a2b3c4d" in said, said
        for key in "4567890":
            await pilot.press(key)
            await until(pilot, lambda: pilot.app.tool is not None or pilot.app.main.current == "today")
            await until(pilot, lambda: all(x in last_lines(pilot)[0] for x in ("demo-1a2b3c4d · ", "prompt 66B of 32K")))
            await back(pilot)
        # Facts offers enter, and of + and - what can be done
        await pilot.press("7")
        await shows(pilot, "redis listens", "- unload for all projects, into a")
        assert "facts.open" in offered(pilot)
        assert "facts.demote" in offered(pilot)
        await pilot.press("j")
        await shows(pilot, "+ load")
        await until(pilot, lambda: "facts.top" in offered(pilot) and "facts.demote" not in offered(pilot))
        # a long name gives way to the project
        await back(pilot)
        name = "a-note-with-a-long-name-" * 6 + "and-its-end"
        store.has(f"~/notes/{name}.md", "- kept\n")
        pilot.app.main.open_file(FileChosen(MemRef(f"projects/demo-1a2b3c4d/notes/{name}.md", Role.NOTE, "demo-1a2b3c4d", name)))
        await shows(pilot, "and-its-end  ", "demo-1a2b3c4d ")


@pytest.mark.slow
async def test_the_welcome_offers_no_key_of_a_file_and_the_first_file_brings_its_keys(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "There is no memory yet.")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        assert offered(pilot) == ["viewer.find"]
        store.has("MEMORY.md", "- one\n")
        await pilot.app.main.look_now()
        pilot.app.main.open_file(FileChosen(MemRef("MEMORY.md", Role.FACTS)))
        await shows(pilot, "• one")
        await until(pilot, lambda: pilot.app.focused.id == "page" and "file.edit" in offered(pilot))


@pytest.mark.slow
async def test_an_empty_list_offers_only_what_can_be_done_without_a_row_and_keys_come_with_the_first(tmp_path: Path) -> None:
    left = {
        "4": ["prompt.moment", "prompt.earlier", "prompt.profile", "prompt.project"],
        "55": ["today.wider"],
        "7": ["facts.add", "facts.wider", "facts.which"],
        "8": ["findings.wider", "findings.which"],
        "6": ["todos.add", "todos.wider"],
    }
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "\n"))) as pilot:
        for keys, ids in left.items():
            await until(pilot, lambda: pilot.app.tool is None)
            await pilot.press(*keys)
            await until(pilot, partial(_offers, pilot, ids))
            if keys != "6":
                await pilot.press("escape")
        await pilot.press("a", *"first", "enter")
        await shows(pilot, "☐ first")
        await until(pilot, lambda: "todos.tick" in offered(pilot))


def _offers(pilot: Pilot[Any], ids: list[str]) -> bool:
    return pilot.app.tool is not None and offered(pilot) == ids  # type: ignore[attr-defined]


async def test_triage_offers_nothing_to_add_where_there_is_no_checklist(tmp_path: Path) -> None:
    session = open_store(Config(), f"claude-code:{AStore(tmp_path / 'claude').has('CLAUDE.md', '- one').root}", clock=lambda: NOW)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
        await pilot.press("6")
        await shows(pilot, "Claude Code has no checklist")
        await until(pilot, lambda: offered(pilot) == ["todos.wider"])
