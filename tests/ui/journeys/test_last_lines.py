"""The two last lines: what is true of the store stays beside what is said, and no key is offered that can do nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, an_app, running, screen_text, shows, until
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


@pytest.mark.parametrize("key", [*"4567890"])
async def test_the_status_line_says_whose_and_how_full_on_every_screen(store: AStore, key: str) -> None:
    async with running(an_app(store), size=(120, 36)) as pilot:
        await shows(pilot, "prompt 66B of 32K")
        await pilot.press(key)
        await until(pilot, lambda: pilot.app.tool is not None)
        await until(pilot, lambda: "demo-1a2b3c4d · " in last_lines(pilot)[0] and "prompt 66B of 32K (0%)" in last_lines(pilot)[0])


async def test_project_and_prompt_stay_beside_what_is_said(store: AStore) -> None:
    async with running(an_app(store), size=(120, 36)) as pilot:
        await shows(pilot, "prompt 66B of 32K")
        for words in ("Moved it.", "A sentence of sixty cells about MEMORY.md and what came of it", "Each word " * 9, "long " * 40):
            pilot.app.main.say(words)
            await pilot.pause()
            await pilot.pause()
            said = "\n".join(screen_text(pilot.app).split("\n")[-3:])
            assert words.strip()[-9:] in said and "demo-1a2b3c4d" in said and "prompt" in said, said


async def test_a_long_name_gives_way_to_project_and_prompt(store: AStore) -> None:
    name = "a-note-with-a-long-name-" * 6 + "and-its-end"
    store.has(f"~/notes/{name}.md", "- kept\n")
    async with running(an_app(store), size=(120, 36)) as pilot:
        pilot.app.main.open_file(FileChosen(MemRef(f"projects/demo-1a2b3c4d/notes/{name}.md", Role.NOTE, "demo-1a2b3c4d", name)))
        await shows(pilot, "and-its-end  ", "demo-1a2b3c4d · prompt 0 %")


async def test_the_welcome_offers_no_key_of_a_file(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "nothing"))) as pilot:
        await shows(pilot, "There is no memory yet.")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        assert offered(pilot) == ["viewer.find"]


async def test_a_file_that_comes_and_goes_brings_and_takes_its_keys(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "There is no memory yet.")
        store.has("MEMORY.md", "- one\n")
        await pilot.app.main.look_now()
        pilot.app.main.open_file(FileChosen(MemRef("MEMORY.md", Role.FACTS)))
        await shows(pilot, "• one")
        await until(pilot, lambda: pilot.app.focused.id == "page" and "file.edit" in offered(pilot))


@pytest.mark.parametrize(
    ("key", "left"),
    [
        ("4", ["prompt.profile", "prompt.moment", "prompt.project"]),
        ("5", []),
        ("6", ["todos.add", "todos.wider"]),
        ("7", ["facts.add", "facts.which", "facts.wider"]),
        ("8", ["findings.which"]),
    ],
)
async def test_an_empty_list_offers_only_what_can_be_done_without_a_row(tmp_path: Path, key: str, left: list[str]) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "\n"))) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: pilot.app.tool is not None and offered(pilot) == left)


async def test_triage_offers_nothing_to_add_where_there_is_no_checklist(tmp_path: Path) -> None:
    session = open_store(Config(), f"claude-code:{AStore(tmp_path / 'claude').has('CLAUDE.md', '- one').root}", clock=lambda: NOW)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
        await pilot.press("6")
        await shows(pilot, "Claude Code has no checklist")
        await until(pilot, lambda: offered(pilot) == ["todos.wider"])


async def test_keys_come_with_the_first_row(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "\n"))) as pilot:
        await pilot.press("6", "a", *"first", "enter")
        await shows(pilot, "☐ first")
        await until(pilot, lambda: "todos.tick" in offered(pilot))


async def test_facts_offers_enter_and_calls_promote_what_it_would_do(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("7")
        await shows(pilot, "redis listens", "p demote, into a note")
        assert offered(pilot)[0] == "facts.open"
        assert label(pilot, "facts.promote") == "Demote"
        await pilot.press("j")
        await shows(pilot, "p promote")
        await until(pilot, lambda: label(pilot, "facts.promote") == "Promote")
