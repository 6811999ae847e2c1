"""Several agents' memories in one program: the tree, and what is done in which store."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from tests.ui.driving import NOW_NS, an_app, back, by_name, running, screen_text, shows, to_changes, to_the_tree, until
from tests.ui.several import CLAUDE, FOLDER, Machine, at, both
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import ref_at
from zsmem_tui.service import view_state
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp


@pytest.mark.slow
async def test_several_stores_in_one_tree_by_agent_and_by_folder_filtered_and_named_on_every_screen(machine: Machine) -> None:
    async with running(machine.app(), (160, 40)) as pilot:
        main = pilot.app.main
        await both(pilot)
        await shows(pilot, "2 memories · 7 files", "zerostack · lantern · prompt ")
        text = screen_text(pilot.app)
        assert text.index("zerostack") < text.index("lantern") < text.index("Claude Code")
        await pilot.press("f4")
        await shows(pilot, "Import from zerostack", "zerostack · lantern · prompt")
        await back(pilot)
        await at(pilot, "project_deploy.md")
        await shows(pilot, "· prompt: MEMORY.md 0%, 1 of 200 lines", "ask Bob for the tag")
        await pilot.press("s")  # the search line is empty: an action of the palette is about what the screen shows
        await until(pilot, lambda: main.current == "search")
        assert main.use(main.stores[0])  # as what began before does
        shown = main.file_meant()
        assert shown is not None and shown.path.endswith("project_deploy.md") and main.store_meant().title == "Claude Code"
        await to_the_tree(pilot)
        await pilot.press("f4")
        await shows(pilot, "Import from zerostack", "zerostack · lantern · prompt")  # not the other store's name of the folder
        await back(pilot)
        await at(pilot, "project_deploy.md")
        await pilot.press("f4")
        await shows(pilot, "Claude Code · /home/ann/lantern · prompt")
        await to_the_tree(pilot)
        await pilot.press("slash", *"deploy")
        await shows(pilot, "deploy", "project_deploy")
        await pilot.press("enter", "escape")
        await shows(pilot, "far")
        await pilot.press("slash", *"project_dep", "enter")
        await shows(pilot, "ask Bob for the tag")
        ref = main.tree_pane.file_at_cursor()
        assert ref is not None and ref.path.endswith("project_deploy.md")
        own = main.stores[0]  # what the filter hides is shown once it is gone to
        main.tree_pane.reveal(own.key, ref_at(own.session.layout, "MEMORY.md"))
        ref = main.tree_pane.file_at_cursor()
        assert ref is not None and ref.path == "MEMORY.md"
        await shows(pilot, "MEMORY.md", "project_deploy", "filtered from")
        await pilot.press("escape")
        await by_name(pilot, "By folder")
        await shows(pilot, "1 Memory by folder", "▾ ◆ /home/ann/lantern", "deploy", "MEMORY.md", "other-11112222", "For everybody")
        await until(pilot, lambda: view_state.read("tree") == {"by_folder": True})
    async with running(machine.app(), (160, 40)) as pilot:
        await shows(pilot, "1 Memory by folder", "▾ ◆ /home/ann/lantern", "other-11112222", "For everybody")
        await by_name(pilot, "By folder")
        await shows(pilot, "1 Memory", "▾ zerostack")


async def test_a_store_alone_is_shown_as_before_and_has_nothing_to_group(machine: Machine) -> None:
    async with running(an_app(machine.own)) as pilot:
        await shows(pilot, "1 Memory", "MEMORY.md")
        assert "zerostack" not in screen_text(pilot.app)
        await by_name(pilot, "By folder")
        await shows(pilot, "There is one store only")


@pytest.mark.slow
async def test_the_other_agents_are_named_once_and_again_only_when_there_are_more(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, asked = view_state.read, list[str]()

    def noted(kind: str) -> dict[str, Any]:
        asked.append(kind)
        return read(kind)

    def is_told(app: ZsmemApp) -> bool:
        return any("This is the memory of zerostack; 1 g h j lead to Claude Code." in text for _, text in app.told)

    monkeypatch.setattr(view_state, "read", noted)
    async with running(machine.app()) as pilot:
        await until(pilot, lambda: is_told(pilot.app))
    asked.clear()
    async with running(machine.app()) as pilot:
        await until(pilot, lambda: "agents_named" in asked)
        await both(pilot)
        assert not is_told(pilot.app)


@pytest.mark.slow
async def test_undo_names_the_agent_only_among_several(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n- two\n")
    beside = open_store(Config(), f"instructions:{AStore(tmp_path / 'work').has('AGENTS.md', '# Rules').root}")
    app = ZsmemApp(store.session(), more=lambda: Beside([beside], [], {}), now_ns=lambda: NOW_NS)
    async with running(app) as pilot:
        await until(pilot, lambda: pilot.app.main.stores[1:])
        await pilot.press("d")
        await shows(pilot, "u to undo")
        await pilot.press("u")
        await shows(pilot, "Undid: ")
        assert " · in zerostack" not in screen_text(pilot.app)


async def test_a_file_of_another_store_is_edited_deleted_and_brought_back_there(machine: Machine) -> None:
    topic = f"{CLAUDE}/project_deploy.md"
    async with running(machine.app()) as pilot:
        await both(pilot)
        await at(pilot, "project_deploy.md")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press("ctrl+end", *"Now", "ctrl+s")
        await until(pilot, lambda: b"Now" in machine.claude.raw(topic))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await at(pilot, "project_deploy.md")
        await pilot.press("d")
        await until(pilot, lambda: not machine.claude.at(topic).exists())
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.at(topic).exists())
        assert machine.own.raw("~/notes/deploy.md") == b"# Deploy\n\n- push the tag\n"
        await at(pilot, "notes/deploy.md")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press(*"Mine")
        pilot.app.main.focus_pane("tree")  # while a file is edited nothing begins in another store
        for _ in range(12):
            await pilot.press("j", "l")
            if str(pilot.app.main.tree_pane.file_at_cursor() or "").find("project_deploy") >= 0:
                break
        await pilot.press("d")
        await shows(pilot, "is being edited: 2 goes to it, esc leaves it first")
        await pilot.press("2", "ctrl+s")
        await until(pilot, lambda: b"Mine" in machine.own.raw("~/notes/deploy.md"))
    assert machine.claude.at(topic).exists()


@pytest.mark.slow
async def test_what_another_program_writes_into_another_store_is_marked_and_reviewed_there(machine: Machine) -> None:
    machine.looked_at()
    async with running(machine.app()) as pilot:
        await both(pilot)
        machine.claude.has(f"{CLAUDE}/project_deploy.md", "---\nname: deploy\n---\n\n- ask Eve for the tag\n")
        await until(pilot, lambda: pilot.app.main.stores[1].unreviewed, seconds=15)
        await shows(pilot, "●1 Claude Code", "5 Review ●1")
        await to_changes(pilot)
        await shows(pilot, "5 Review · ", "▶+│ - ask Eve for the tag")


async def test_reading_again_while_other_stores_are_looked_for_still_opens_them(machine: Machine) -> None:
    app = machine.app()
    found, go_on = app._more, threading.Event()

    def slowly() -> Any:
        assert found is not None and go_on.wait(20)
        return found()

    app._more = slowly
    async with running(app) as pilot:
        await pilot.press("f5")
        go_on.set()
        await both(pilot)


@pytest.mark.slow
async def test_a_folders_row_stands_for_the_first_agent_that_has_something_there(machine: Machine) -> None:
    """What is used there is not whichever store the cursor happened to come from."""
    machine.claude.has("agent-memory/reviewer/MEMORY.md", "- reads twice\n")
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await pilot.press("0")
        await shows(pilot, "Projects of zerostack · all · by state · 2")
        await pilot.press("escape")
        await by_name(pilot, "By folder")
        await shows(pilot, "▾ ◆ /home/ann/lantern", "agent reviewer")
        main = pilot.app.main
        claude = main.stores[1]
        tree = main.tree_pane.project_tree
        top = [row.node for row in tree.rows if row.above < 0]
        tree.show(cursor=next(node.at for node in top if "reviewer" in node.name))
        await until(pilot, lambda: main.here is claude)
        await shows(pilot, "2 agent reviewer", "h folds it")
        await pilot.press("H")
        await shows(pilot, "This is no file: l unfolds it.")
        await pilot.press("f2")
        await shows(pilot, "reads twice")
        await pilot.press("escape")
        tree.show(cursor=top[0].at)
        await until(pilot, lambda: main.here is main.stores[0])
        tree.show(cursor=top[-1].at)
        await shows(pilot, "2 For everybody")


@pytest.mark.slow
async def test_memory_of_another_agent_that_comes_later_ends_the_welcome_and_is_what_search_searches(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    _, claude = machine.sessions()
    found: list[Session] = []
    empty = AStore(tmp_path / "nothing", machine.own.project).session()
    app = ZsmemApp(empty, more=lambda: Beside(list(found), [FOLDER], {}), now_ns=lambda: NOW_NS)
    async with running(app) as pilot:
        await shows(pilot, "There is no memory yet.")
        await pilot.press("1")
        found.append(claude)
        await shows(pilot, "CLAUDE.md")
        await pilot.press("s", *"bob")
        await shows(pilot, "3 Search · /home/ann/lantern ", "project_deploy")
