"""Searching several agents' memories: the scopes, whose a hit is, and what is done with it in its store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, until
from tests.ui.several import CLAUDE, Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


async def found(pilot: Pilot[Any], query: str, wider: int = 0) -> list[tuple[str, str]]:
    """Search, this often wider; whose files were found, and which."""
    app: Any = pilot.app
    await until(pilot, lambda: len(app.main.stores) == 2 and all(store.catalog for store in app.main.stores))
    if query:
        await pilot.press("s", *query)
    for _ in range(wider):
        await pilot.press("f8")
    rows = app.main.search.found
    await until(
        pilot, lambda: rows.answer is not None and rows.answer.query == app.main.search.scope.query(rows.answer.query.words)
    )
    return [(rows.answer.store(hit).title, hit.ref.path.rpartition("/")[2]) for hit in rows.hits]


async def test_w_widens_from_what_one_agent_searches_to_the_folder_in_all_and_to_everything(machine: Machine) -> None:
    machine.own.has("~/SCRATCHPAD.md", "- [ ] a tag\n").has("projects/other-11112222/notes/far.md", "a tag\n")
    async with running(machine.app()) as pilot:
        assert await found(pilot, "tag") == [("zerostack", "deploy.md")]
        await shows(pilot, "3 Search · what zerostack searches")
        here = {("zerostack", "deploy.md"), ("zerostack", "SCRATCHPAD.md")}
        assert set(await found(pilot, "", 1)) == here
        folder = here | {("Claude Code", "project_deploy.md")}
        assert set(await found(pilot, "", 1)) == folder
        await shows(pilot, "wider: this folder, all agents", "Claude Code ·")
        assert set(await found(pilot, "", 1)) == folder | {("zerostack", "far.md")}
        await shows(pilot, "wider: everything of all agents")


async def test_a_hit_of_another_store_is_read_copied_and_edited_there(machine: Machine) -> None:
    async with running(machine.app()) as pilot:
        app: Any = pilot.app
        copied: list[str] = []
        app.copy_to_clipboard = copied.append
        assert [title for title, _ in await found(pilot, "Bob", 2)] == ["Claude Code"]
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.focused.id == "page" and app.main.here.title == "Claude Code")
        await shows(pilot, "ask Bob for the tag")
        await pilot.press("escape", "l", "j", "y")
        await until(pilot, lambda: copied == ["- ask Bob for the tag"])
        await pilot.press("e")
        await until(pilot, lambda: app.main.editor.ref is not None)
        assert app.main.editor.area.cursor_location == (4, 0)
        await pilot.press(*"XY", "ctrl+s")
        await until(pilot, lambda: b"XY- ask Bob" in machine.claude.raw(f"{CLAUDE}/project_deploy.md"))


async def test_the_history_of_a_hit_is_that_of_its_store(machine: Machine) -> None:
    async with running(machine.app()) as pilot:
        app: Any = pilot.app
        await found(pilot, "Bob", 2)
        await pilot.press("enter")
        await until(pilot, lambda: app.main.here.title == "Claude Code")
        await pilot.press("H")
        await until(pilot, lambda: app.tool is not None and app.tool.session.layout.kind == "claude-code")


async def test_the_same_file_in_two_stores_is_two_hits(machine: Machine, tmp_path: Path) -> None:
    from zsmem_tui.config.model import Config
    from zsmem_tui.service.folders import Beside
    from zsmem_tui.service.stores import open_store
    from zsmem_tui.ui.app import ZsmemApp

    first, second = machine.sessions()
    twice = open_store(Config(), f"markdown:{machine.claude.root}", cwd=first.folder, clock=first.clock)
    async with running(ZsmemApp(first, more=lambda: Beside([second, twice], [], {}))) as pilot:
        app: Any = pilot.app
        await until(pilot, lambda: len(app.main.stores) == 3 and all(store.catalog for store in app.main.stores))
        await pilot.press("s", *"Bob", "f8", "f8", "f8")
        await until(pilot, lambda: len(app.main.search.found.hits) == 2)
        await shows(pilot, "Claude Code ·", "Markdown ·")


async def test_one_store_has_the_scopes_that_it_had(machine: Machine) -> None:
    async with running(an_app(machine.own)) as pilot:
        await pilot.press("s", *"tag")
        await shows(pilot, "3 Search · what the agent searches")
        await until(pilot, lambda: pilot.app.main.search.found.hits)
        await pilot.press("f8")
        await shows(pilot, "wider: with the scratchpad")
        await pilot.press("f8")
        await shows(pilot, "wider: all projects")
        await pilot.press("f8")
        await shows(pilot, "3 Search · what the agent searches")
        assert "zerostack" not in screen_text(pilot.app)


async def test_widening_before_the_first_answer_shows_the_hits(machine: Machine) -> None:
    async with running(an_app(machine.own)) as pilot:
        pilot.app.main.search.action_to_query()
        await shows(pilot, "type words: the hits follow")
        await pilot.press("t", "a", "g", "f8")
        await until(pilot, lambda: pilot.app.main.search.active)
        await until(pilot, lambda: pilot.app.main.search.found.hits)


async def test_the_title_names_the_group_that_is_searched_while_the_cursor_is_in_another(tmp_path: Path) -> None:
    store = (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "- one\n")
        .has("~/notes/n.md", "a\n")
        .has("projects/other-99999999/notes/o.md", "b\n")
    )
    async with running(an_app(store)) as pilot:
        await shows(pilot, "3 Search · what the agent searches ─")
        await pilot.press("G")
        await shows(pilot, "3 Search · what the agent searches for demo-1a2b3c4d ─")
        await pilot.press("g")
        await shows(pilot, "3 Search · what the agent searches ─")
