"""Searching several agents' memories: the scopes, whose a hit is, and what is done with it in its store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import AStore
from tests.ui.driving import an_app, back, edits_at, running, screen_text, shows, until
from tests.ui.several import CLAUDE, FOLDER, Machine
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.folders import Beside, folders_of
from zsmem_tui.ui.app import ZsmemApp


async def found(pilot: Pilot[Any], query: str, wider: int = 0) -> list[tuple[str, str]]:
    """Search, this often wider; whose files were found, and which."""
    app: Any = pilot.app
    await until(pilot, lambda: len(app.main.stores) == 2 and all(store.catalog for store in app.main.stores))
    if query:
        await pilot.press("s", "ctrl+l", *query)
    for _ in range(wider):
        await pilot.press("f8")
    rows = app.main.search.found
    await until(
        pilot, lambda: rows.answer is not None and rows.answer.query == app.main.search.scope.query(rows.answer.query.words)
    )
    await until(pilot, lambda: rows.is_whole)
    return [(rows.answer.store(hit).title, hit.ref.path.rpartition("/")[2]) for hit in rows.results.ranked]


@pytest.mark.slow
async def test_what_was_said_of_the_search_goes_with_it(machine: Machine) -> None:
    async with running(machine.app()) as pilot:
        await found(pilot, "tag", 1)
        await shows(pilot, "Searching wider: with the scratchpad")
        await pilot.press("escape")
        await until(pilot, lambda: "Searching" not in screen_text(pilot.app), 3)


@pytest.mark.slow
async def test_a_wider_search_begins_at_its_best_hit_unless_the_person_has_moved_in_the_list(machine: Machine) -> None:
    machine.own.has("projects/other-11112222/notes/tag.md", "# tag\n\ntag tag tag\n").has("~/notes/z.md", "a tag\n")
    async with running(machine.app()) as pilot:
        first = await found(pilot, "tag")
        hits = pilot.app.main.search.hits
        await until(pilot, lambda: hits.cursor == 0)
        wider = await found(pilot, "", 3)
        assert wider[0] not in first
        await until(pilot, lambda: len(hits.keys) >= len(wider))
        assert hits.cursor == 0 and hits.scroll_offset.y == 0
        await pilot.press("down", "down")
        await until(pilot, lambda: hits.has_focus and hits.cursor == 1)
        kept = hits.keys[1]
        await found(pilot, "", 0)
        await pilot.press("w")
        await until(pilot, lambda: pilot.app.main.search.found.answer is not None and pilot.app.main.search.found.is_whole)
        assert hits.key == kept or kept not in hits.keys


@pytest.mark.slow
async def test_f8_widens_to_the_folder_in_all_agents_and_a_hit_of_another_store_is_read_copied_and_edited_there(
    machine: Machine,
) -> None:
    machine.own.has("~/SCRATCHPAD.md", "- [ ] a tag\n").has("projects/other-11112222/notes/far.md", "a tag\n")
    async with running(machine.app()) as pilot:
        assert await found(pilot, "tag") == [("zerostack", "deploy.md")]
        await shows(pilot, "━ 1 file · 3 more below · alt+w wider ━", " tag 1 line   1 file · 3 more below")
        await shows(pilot, "┃ The scratchpad · 1 file  ", "┃ Claude Code · 1 file  ", "┃ Other projects · 1 file  ")
        await shows(pilot, " 3 note project_deploy  1 line", " 4 other-11112222 · note far  zerostack · 1 line")
        app: Any = pilot.app
        await pilot.press("down", "down", "down")  # a heading is no row to stop at
        await until(pilot, lambda: app.focused.id == "hits" and app.main.here.title == "Claude Code")
        await pilot.press("G")
        await until(pilot, lambda: app.main.viewer.file.ref.name == "far")
        await shows(pilot, "3 Search · zerostack · lantern ")
        here = {("zerostack", "deploy.md"), ("zerostack", "SCRATCHPAD.md")}
        assert set(await found(pilot, "", 1)) == here
        folder = here | {("Claude Code", "project_deploy.md")}
        assert set(await found(pilot, "", 1)) == folder
        await shows(pilot, "3 Search · wider: all agents · lantern", "Claude Code ·")
        assert set(await found(pilot, "", 1)) == folder | {("zerostack", "far.md")}
        await shows(pilot, "wider: everything of all agents", " 4 files ")
        assert "alt+w wider" not in screen_text(pilot.app), "there is no wider one"
        await pilot.press("ctrl+l", *"scratchpad")
        await shows(pilot, "scratchpad  by name only  zerostack · the agent does not search this  ")
        await pilot.press("f8")
        # the history of a hit is that of its store
        await found(pilot, "Bob", 2)
        await pilot.press("enter")
        await until(pilot, lambda: app.main.here.title == "Claude Code")
        await pilot.press("H")
        await until(pilot, lambda: app.tool is not None and app.tool.session.layout.kind == "claude-code")
        # it is read, copied and edited there
        await back(pilot)
        copied: list[str] = []
        app.copy_to_clipboard = copied.append
        assert [title for title, _ in await found(pilot, "Bob")] == ["Claude Code"]
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.focused.id == "page" and app.main.here.title == "Claude Code")
        await shows(pilot, "ask Bob for the tag")
        await pilot.press("escape", "l", "j", "y")
        await until(pilot, lambda: copied == ["- ask Bob for the tag"])
        await pilot.press("e")
        await edits_at(pilot, (4, 0))
        await pilot.press(*"XY", "ctrl+s")
        await until(pilot, lambda: b"XY- ask Bob" in machine.claude.raw(f"{CLAUDE}/project_deploy.md"))


@pytest.mark.slow
async def test_the_same_file_in_two_stores_is_two_hits(machine: Machine, tmp_path: Path) -> None:
    from zsmem_tui.config.model import Config
    from zsmem_tui.service.stores import open_store

    first, second = machine.sessions()
    twice = open_store(Config(), f"markdown:{machine.claude.root}", cwd=first.folder, clock=first.clock)
    async with running(ZsmemApp(first, more=lambda: Beside([second, twice], [], {}))) as pilot:
        app: Any = pilot.app
        await until(pilot, lambda: len(app.main.stores) == 3 and all(store.catalog for store in app.main.stores))
        await pilot.press("s", *"Bob", "f8", "f8", "f8")
        await until(pilot, lambda: len(app.main.search.found.hits) == 2)
        await shows(pilot, "Claude Code ·", "Markdown ·")


@pytest.mark.slow
async def test_one_store_has_the_scopes_that_it_had_and_widening_before_the_first_answer_shows_the_hits(machine: Machine) -> None:
    async with running(an_app(machine.own)) as pilot:
        pilot.app.main.search.action_to_query()
        await shows(pilot, "type words: the hits follow")
        await pilot.press("t", "a", "g", "f8")
        await until(pilot, lambda: pilot.app.main.search.active)
        await until(pilot, lambda: pilot.app.main.search.found.hits)
        await pilot.press("f8", "f8")
        await pilot.press("s", "ctrl+l", *"tag")
        await shows(pilot, "3 Search · lantern-1e474c12 ")
        await until(pilot, lambda: pilot.app.main.search.found.hits)
        await pilot.press("f8")
        await shows(pilot, "wider: with the scratchpad")
        await pilot.press("f8")
        await shows(pilot, "wider: all projects")
        await pilot.press("f8")
        await shows(pilot, "3 Search · lantern-1e474c12 ")
        # what was widened is this memory again when the search is opened anew
        await pilot.press("f8")
        await shows(pilot, "wider: with the scratchpad")
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.main.search.active)
        await pilot.press("s")
        await shows(pilot, "3 Search · lantern-1e474c12 ")
        await until(pilot, lambda: pilot.app.main.search.found.hits)
        assert "zerostack" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_the_search_is_about_the_memory_that_the_cursor_of_the_tree_is_in_and_its_hits_follow(tmp_path: Path) -> None:
    store = (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "- one\n")
        .has("~/notes/n.md", "a tag\n")
        .has("projects/other-99999999/notes/o.md", "b tag\n")
    )
    async with running(an_app(store)) as pilot:
        main = pilot.app.main

        def hits() -> list[str]:
            return [hit.ref.path.rpartition("/")[2] for hit in main.search.found.results.ranked]

        await shows(pilot, "3 Search · demo-1a2b3c4d ")
        await pilot.press("s", *"tag")
        await until(pilot, lambda: hits() == ["n.md"])
        await pilot.press("escape", "G")
        await shows(pilot, "3 Search · other-99999999 ")
        await until(pilot, lambda: hits() == ["o.md"])
        await pilot.press("3", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits" and main.viewer.file and main.viewer.file.ref.name == "o")
        await pilot.press("f8", "f8")
        await until(pilot, lambda: hits() == ["n.md", "o.md"])
        await shows(pilot, "wider: all projects", "the agent does not search this")
        await pilot.press("k")
        await until(pilot, lambda: main.viewer.file.ref.name == "n")
        await pilot.press("f8")
        await shows(pilot, "3 Search · other-99999999 ")  # what is read of the hits changes nothing of what is searched
        await pilot.press("1", "g")
        await shows(pilot, "3 Search · demo-1a2b3c4d ")
        await until(pilot, lambda: hits() == ["n.md"])
        await pilot.press("s", "f8", "f8")
        await pilot.resize_terminal(60, 24)  # why a file was found stands indented below its name where both have no room
        await until(pilot, lambda: "the agent does not search this┃\n┃   · 1 line" in screen_text(pilot.app))


async def test_the_search_of_a_folder_in_all_agents_is_of_the_one_that_the_cursor_is_in(machine: Machine) -> None:
    machine.claude.has("projects/-home-ann-far/memory/MEMORY.md", "- a tag far away\n")
    slug = project_slug("/home/ann/far")
    machine.own.has(f"projects/{slug}/notes/far.md", "far away, no tag\n")
    first, second = machine.sessions()
    known = [FOLDER, "/home/ann/far"]
    folders = {f"{each.layout.kind}:{each.root}": folders_of(each, known) for each in (first, second)}
    async with running(ZsmemApp(first, more=lambda: Beside([second], known, folders))) as pilot:
        assert len(await found(pilot, "tag", 2)) == 2
        await pilot.press("escape", "G", "l", "G")
        await shows(pilot, "3 Search · wider: all agents · /home/ann/far")
        main = pilot.app.main
        await until(pilot, lambda: {hit.ref.project for hit in main.search.found.results.ranked} == {"project:-home-ann-far", slug})
        await pilot.press("s", "f8", "f8")
        await until(pilot, lambda: len({hit.ref.project for hit in main.search.found.results.ranked}) > 2)
        await shows(pilot, "Claude Code · 1 line", "zerostack · the agent does not search this")
        assert "Claude Code · the agent" not in screen_text(pilot.app), "it has no search that leaves something out"
