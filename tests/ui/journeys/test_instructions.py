"""Instruction files in the tree, and facts that are loaded into them and unloaded again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, asked, back, by_name, lit, running, screen_text, shows, to_changes, until
from tests.ui.several import at
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.project_folders import ProjectRecord
from zsmem_tui.service import folders, history, instructions
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store import project_register
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.facts.screen import FactsScreen
from zsmem_tui.ui.memory import checkups


class Desk:
    """A folder with instructions, and zerostack's memory of it."""

    def __init__(self, place: Path) -> None:
        self.own = AStore(place / "zerostack").has("MEMORY.md", "- Ann likes tea\n- the port is 8080\n")
        self.folder = AStore(place / "lantern").has("AGENTS.md", "# Rules\n\nBe kind.\n").has("README.md", "no memory\n")

    def app(self, waits: Callable[[], object] = lambda: None) -> ZsmemApp:
        folder = str(self.folder.root)
        first = Session(str(self.own.root), self.own.project, config=Config(), clock=lambda: NOW, folder=folder)

        def more() -> folders.Beside:
            waits()
            return folders.beside(first, Config(), cwd=folder)

        return ZsmemApp(first, more=more, now_ns=lambda: NOW_NS)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("HOME", str(tmp_path))
    return Desk(tmp_path)


async def ready(pilot: Pilot[Any]) -> None:
    await shows(pilot, "▾ ◆ ", "AGENTS.md")
    await until(pilot, lambda: all(store.catalog for store in pilot.app.main.stores))  # type: ignore[attr-defined]
    counts = str(pilot.app.main.tree_pane.border_subtitle)  # type: ignore[attr-defined]
    assert "files" in counts and "memories" not in counts, "one agent is one memory, whatever instructions it reads"


async def at_row(pilot: Pilot[Any], root: str) -> None:
    """Go down the tree to a row of the instructions of a folder."""
    main = pilot.app.main  # type: ignore[attr-defined]
    tree = main.tree_pane.project_tree
    for _ in range(40):
        if tree.has_focus and main.store_meant().session.root.endswith(root) and main.store_meant().title == "Instructions":
            break
        await pilot.press("l" if tree.row.below is not None and tree.key not in tree.unfolded else "j")
    assert main.store_meant().session.root.endswith(root), screen_text(pilot.app)


async def on_facts(pilot: Pilot[Any]) -> None:
    await pilot.press("7")
    await until(pilot, lambda: isinstance(pilot.app.screen, FactsScreen) and bool(pilot.app.screen.rows.items))


@pytest.mark.slow
async def test_a_tool_that_was_opened_before_the_instructions_were_found_has_them_then(desk: Desk) -> None:
    gate = threading.Event()
    desk.folder.has("AGENTS.md", "- [ ] ship\n")
    async with running(desk.app(lambda: gate.wait(60))) as pilot:
        await pilot.press("6")
        await shows(pilot, "0 open items")
        gate.set()
        await shows(pilot, "1 open item", "☐ ship")


async def test_a_fact_loaded_into_new_instructions_is_seen_there_at_once_and_taken_back(desk: Desk) -> None:
    desk.folder.at("AGENTS.md").unlink()
    async with running(desk.app(), (80, 24)) as pilot:
        await until(pilot, lambda: pilot.app.main.more is None and pilot.app.main.here.catalog is not None)
        before = desk.own.tree()
        await at(pilot, "MEMORY.md")
        await on_facts(pilot)
        await pilot.press("slash", *"tea", "enter", "plus")
        await asked(pilot, "━ Load ━", "AGENTS.md, the instructions of")
        await pilot.press(*"agents", "enter")
        await asked(pilot, "nothing is written before A")
        await pilot.press("A")
        await shows(pilot, "Loaded 1 fact into AGENTS.md · u to undo", "1 of 2 facts", "Ann likes tea")
        await pilot.press("u")
        await shows(pilot, "Undid", "1 of 2 facts", "Ann likes tea")
        assert desk.own.tree() == before and not desk.folder.at("AGENTS.md").exists()
        await pilot.press("U")
        await shows(pilot, "Redid", "1 of 2 facts", "~/lantern · AGENTS.md", "Ann likes tea")
        await pilot.press("g", "minus")
        await asked(pilot, "Unload to zerostack: nothing is written before A")
        await pilot.press("A")
        await shows(pilot, "Unloaded 1 fact to MEMORY.md", "1 of 2 facts", "Ann likes tea")


async def test_instructions_are_found_take_facts_and_give_them_back_and_are_edited_by_agent_and_by_folder(desk: Desk) -> None:
    async with running(desk.app()) as pilot:
        await ready(pilot)
        # a fact is loaded into them once the changes were seen, and unloaded again; one undo takes each back
        before = (desk.own.tree(), desk.folder.tree())
        await at(pilot, "MEMORY.md")
        await on_facts(pilot)
        await pilot.press("plus")
        await asked(pilot, "━ Load ━", "Load this fact, moving it to:", "the top of MEMORY.md", "AGENTS.md, the instructions of")
        await pilot.press(*"agents", "enter")
        await asked(pilot, "nothing is written before A", "Instructions: changes", "zerostack: changes", "zerostack-memory:begin")
        assert (desk.own.tree(), desk.folder.tree()) == before
        await pilot.press("A")
        await shows(pilot, "Loaded 1 fact into AGENTS.md · u to undo")
        assert b"tea" in desk.folder.raw("AGENTS.md") and b"tea" not in desk.own.raw("MEMORY.md")
        await shows(pilot, "Facts · ", "~/lantern · AGENTS.md › Rules", "Be kind.", "Ann likes tea", "3 facts")
        after = (desk.own.tree(), desk.folder.tree())
        await pilot.press("u")
        await until(pilot, lambda: (desk.own.tree(), desk.folder.tree()) == before)
        await pilot.press("U")
        await until(pilot, lambda: (desk.own.tree(), desk.folder.tree()) == after)
        await pilot.press("escape")
        await at(pilot, "AGENTS.md")
        await on_facts(pilot)
        await pilot.press("minus")
        await shows(pilot, "Only facts between the markers")
        await pilot.press("G", "minus")
        await asked(pilot, "Unload to zerostack: nothing is written before A")
        await pilot.press("A")
        await shows(pilot, "Unloaded 1 fact to MEMORY.md · u to undo")
        assert b"tea" not in desk.folder.raw("AGENTS.md") and b"tea" in desk.own.raw("MEMORY.md")
        await back(pilot)
        # a folder in the place of an instruction file is said, and the fact stays
        desk.folder.at("ARCHITECTURE.md").mkdir()
        facts = desk.own.tree()
        await at(pilot, "MEMORY.md")
        await on_facts(pilot)
        await pilot.press("plus")
        await asked(pilot, "Load this fact, moving it to:")
        await pilot.press(*"archi", "enter")
        await shows(pilot, "it is a folder")
        assert desk.own.tree() == facts
        await back(pilot)
        # they are edited in the tree, and stand there by folder too
        await at(pilot, "AGENTS.md")
        await shows(pilot, "Be kind.", "AGENTS.md")
        assert "README" not in screen_text(pilot.app)
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press("ctrl+end", *"Now", "ctrl+s")
        await until(pilot, lambda: desk.folder.raw("AGENTS.md").endswith(b"Now\n"))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await pilot.press("1")
        await by_name(pilot, "By folder")
        await shows(pilot, "▾ ◆ ~/lantern", "▾ Instructions", "AGENTS.md")
        await until(pilot, lambda: "AGENTS.md" in str(pilot.app.main.tree_pane.file_at_cursor()))
        await shows(pilot, "lantern · prompt ", "3 Search · lantern with its instructions")
        await pilot.press("f4")
        await shows(pilot, "Import from", "lantern · prompt")
        await back(pilot)
        # what instructions never take is not offered them
        desk.own.has("~/SCRATCHPAD.md", "- [ ] ship\n").has(f"~/daily/{NOW.date()}.md", "- a day\n")
        await pilot.app.main.look_now()
        for name in ("SCRATCHPAD.md", f"{NOW.date()}.md"):
            await at(pilot, name)
            await pilot.press("space")
        await pilot.press("m")
        await shows(pilot, "Only notes and daily logs can be moved to another project.")
        assert pilot.app.screen is pilot.app.main
        # the instructions that the agent reads are found below, and by the first wider search among its own
        await pilot.press("s", *"Be kind")
        await shows(pilot, "0 files · 1 more below", "┃ Instructions · 1 file  ", "AGENTS.md")
        await pilot.press("alt+w")
        await shows(pilot, "wider: with the scratchpad and instructions", "AGENTS.md", "Instructions ·")


async def test_instructions_without_an_agent_say_what_is_not_theirs(desk: Desk) -> None:
    told = instructions.open_folder(Config(), str(desk.folder.root), clock=lambda: NOW)
    async with running(ZsmemApp(told, now_ns=lambda: NOW_NS)) as pilot:
        await pilot.press("9")
        await shows(pilot, "Instructions are no agent's memory: 9 is about that, once an agent has some here.")
        await pilot.press("0")
        await shows(pilot, "Instructions keep no memory by project")


@pytest.mark.slow
async def test_with_the_cursor_on_instructions_prompt_and_triage_are_those_of_the_agent(tmp_path: Path, monkeypatch: Any) -> None:
    """Also on those for all folders, which lie beside its memory and are read, edited and kept like any."""
    monkeypatch.setenv("HOME", str(tmp_path))
    desk = Desk(tmp_path)
    desk.own = (
        AStore(tmp_path / "zerostack/agent/memory").has("MEMORY.md", "- Ann likes tea\n").has("~/SCRATCHPAD.md", "- [ ] ship\n")
    )
    everywhere = AStore(tmp_path / "zerostack/agent").has("AGENTS.md", "Say please.\n")
    async with running(desk.app(), (120, 40)) as pilot:
        await ready(pilot)
        await shows(pilot, "AGENTS.md for all projects")
        for name in ("agent", "lantern"):
            await pilot.press("g")
            await at_row(pilot, name)
            await until(pilot, lambda: "Triage 1" in screen_text(pilot.app).splitlines()[0])
            await pilot.press("4")
            await shows(pilot, "Long-term memory", "Ann likes tea", "Say please.")
            assert "No memory goes into the prompt" not in screen_text(pilot.app)
            await pilot.press("escape")
            await pilot.press("6")
            await shows(pilot, "Triage ·", "ship")
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.main.is_active)
        await pilot.press("g", "enter")
        await shows(pilot, "· AGENTS.md", "Say please.")
        await pilot.press("e", "ctrl+end", *"Now", "ctrl+s")
        await until(pilot, lambda: everywhere.raw("AGENTS.md") == b"Say please.\nNow\n")


@pytest.mark.slow
async def test_items_of_another_project_go_to_its_instructions_and_to_the_project_worked_in(desk: Desk, tmp_path: Path) -> None:
    """Which has no folder in the memory yet."""
    shop = AStore(tmp_path / "shop").has("README.md", "a shop\n")
    slug = locate.folder_project(str(shop.root))
    record = ProjectRecord(slug, (str(shop.root),))
    desk.own.has(f"projects/{slug}/SCRATCHPAD.md", "- [ ] pay the bill\n- [ ] other\n")
    project_register.change(str(desk.own.root), lambda register: register._replace(records={slug: record}))
    async with running(desk.app(), (120, 30)) as pilot:
        await ready(pilot)
        await pilot.press("6", "w")
        await shows(pilot, "pay the bill")
        await pilot.press("plus")
        await asked(pilot, "Load this item, moving it to:", "Long-term memory", "AGENTS.md, the instructions of ~/shop")
        assert "lantern" not in "".join(line for line in screen_text(pilot.app).splitlines() if "instructions of" in line)
        await pilot.press(*"agents", "enter")
        await asked(pilot, "nothing is written before A")
        await pilot.press("A")
        await until(pilot, lambda: shop.at("AGENTS.md").exists())
        assert b"pay the bill" in shop.raw("AGENTS.md") and b"pay the bill" not in desk.folder.raw("AGENTS.md")
        await until(pilot, lambda: "other" in str(pilot.app.screen.rows.at_cursor()))
        await pilot.press("m")
        await asked(pilot, "Move “other” to:")
        await pilot.press("enter")
        await until(pilot, lambda: desk.own.at(f"projects/{desk.own.project}/SCRATCHPAD.md").exists())
        assert b"- [ ] other\n" in desk.own.raw(f"projects/{desk.own.project}/SCRATCHPAD.md")


@pytest.mark.slow
async def test_a_row_of_instructions_means_the_memory_of_the_agent_that_works_there_on_every_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the counts of the strip say before; also of another folder than the one worked in."""
    monkeypatch.setattr(checkups, "REST_SECONDS", 0)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder, far = AStore(tmp_path / "tidepool"), AStore(tmp_path / "harbor")
    memory = AStore(tmp_path / ".claude").has("CLAUDE.md", "- [ ] greet\n")
    for each, port in ((folder, 6379), (far, 5432)):
        each.has("CLAUDE.md", f"- Redis listens on port {port}\n")
        group = str(each.root).replace("/", "-").replace("_", "-")
        memory.has(f"projects/{group}/memory/MEMORY.md", f"- Redis listens on port {port}\n")
        memory.has(f"projects/{group}/s.jsonl", f'{{"cwd": "{each.root}"}}\n')
    first = open_store(Config(), f"claude-code:{memory.root}", cwd=str(folder.root), clock=lambda: NOW)
    more = folders.beside(first, Config(), cwd=str(folder.root))
    for session in (first, *more.sessions):
        history.look_at_all(session)
    folder.has("CLAUDE.md", "- Redis listens on port 6380\n- [ ] ship\n- @docs/lost.md\n")
    far.has("CLAUDE.md", "- Redis listens on port 5433\n")
    async with running(ZsmemApp(first, more=lambda: more, now_ns=lambda: NOW_NS), (140, 40)) as pilot:
        await shows(pilot, "Instructions › ~/tidepool · CLAUDE.md", "Doctor 2", "CLAUDE.md for all projects")
        await pilot.press("8")
        await shows(pilot, "Doctor · 2 to decide", "Doctor 2", "port 6380", "imports docs/lost.md")
        await pilot.press("7")
        await shows(pilot, "Facts · ", "port 6380", "CLAUDE.md for all projects", "~/tidepool · CLAUDE.md")
        await to_changes(pilot)
        await shows(pilot, "5 Review · ", "▶+│ - Redis listens on port 6380")
        await pilot.press("4")
        await shows(pilot, "! docs/lost.md is not there: nothing is imported", "! Line 3 of ~/tidepool/CLAUDE.md")
        await pilot.press("6")
        await lit(pilot, "triage")
        await shows(pilot, "6 Triage 2", "Triage · 2 open items", "greet", "ship")
        await pilot.press("G", "x")
        await until(pilot, lambda: b"- [x] ship" in folder.raw("CLAUDE.md"))
        await lit(pilot, "triage")
        await shows(pilot, "6 Triage 1", "Triage · 1 open item")
        await pilot.press("1")
        await by_name(pilot, "By folder")
        await pilot.press("g")
        await at_row(pilot, "harbor")
        await shows(pilot, "Doctor 1")
        await pilot.press("j", "enter")
        await shows(pilot, "2 ~/harbor · CLAUDE.md", "port 5433")
        await pilot.press("ctrl+o", *"claude")
        await shows(pilot, "CLAUDE.md  ~/harbor", "CLAUDE.md  ~/tidepool")
        await pilot.press("escape", "escape", "s", *"5433")
        await shows(pilot, " 1 ~/harbor · CLAUDE.md", "3 Search · ~/harbor with its instructions")
        await pilot.press("escape", "2")
        await pilot.press("8")
        await shows(pilot, "Doctor · ", "~/harbor", "port 5433")


@pytest.mark.slow
async def test_a_copy_in_an_instruction_file_is_listed_with_those_of_memory_and_goes_only_by_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = AStore(tmp_path / "tidepool").has("CLAUDE.md", "- Redis listens on the port of the house\n" * 2)
    group = str(folder.root).replace("/", "-").replace("_", "-")
    memory = AStore(tmp_path / ".claude").has(f"projects/{group}/memory/MEMORY.md", "- The lift is serviced in March by Kim\n" * 2)
    first = open_store(Config(), f"claude-code:{memory.root}", cwd=str(folder.root), clock=lambda: NOW)
    more = folders.beside(first, Config(), cwd=str(folder.root))
    async with running(ZsmemApp(first, more=lambda: more, now_ns=lambda: NOW_NS), (80, 24)) as pilot:
        await shows(pilot, "CLAUDE.md", "Facts")
        await pilot.press("8")
        await shows(pilot, "Twice the same (2)", "by rule · ~/tidepool", "A Plan", "A  Delete this line and keep the other one.")
        await pilot.press("j")
        await shows(pilot, "~/tidepool · CLAUDE.md · warning", "A Plan")
        await pilot.pause(0.1)
        await pilot.press("A")
        await shows(pilot, "nothing is written before A", "The file is no memory")
        await pilot.press("A")
        await until(pilot, lambda: folder.raw("CLAUDE.md").count(b"Redis") == 1)


async def test_a_claude_md_alone_is_read_searched_and_seen_in_the_prompt_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claude Code has no memory here, nor anywhere: its own file is all there is."""
    monkeypatch.setenv("HOME", str(tmp_path))
    shop = AStore(tmp_path / "shop").has("CLAUDE.md", "# Shop\n\n- type hints everywhere\n")
    first = open_store(Config(), f"claude-code:{tmp_path}/.claude", cwd=str(shop.root), clock=lambda: NOW)
    more = folders.beside(first, Config(), cwd=str(shop.root))
    async with running(ZsmemApp(first, more=lambda: more, now_ns=lambda: NOW_NS), (120, 30)) as pilot:
        await shows(pilot, "▾ ◆ ~/shop", "└ CLAUDE.md", "2 ~/shop · CLAUDE.md", "type hints everywhere")
        await pilot.press("s", *"hints")
        await shows(pilot, "3 Search · ~/shop with its instructions", " 1 ~/shop · CLAUDE.md", "alt+w Wider")
        await pilot.press("down")
        await shows(pilot, "w Wider")
        await pilot.press("escape", "escape", "4")
        await shows(pilot, " bytes from 1 CLAUDE.md file", "In the prompt: 1 instruction file", "~/shop/CLAUDE.md")
        assert "free" not in screen_text(pilot.app), "a bar of the memory's limit, with no memory"
        await pilot.press("7")
        await shows(pilot, "1 fact")
        await pilot.press("d")
        await shows(pilot, "Deleted “type hints everywhere”", "u to undo")
        await pilot.press("4")
        await shows(pilot, "~/shop/CLAUDE.md")
        await pilot.press("u")  # one row of steps, whatever the screen
        await shows(pilot, "Undid: Deleted “type hints everywhere”")
    assert shop.raw("CLAUDE.md").endswith(b"- type hints everywhere\n")


async def test_the_page_of_a_folder_counts_its_instructions_as_its_row_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shop = AStore(tmp_path / "shop").has("CLAUDE.md", "# Shop\n\n" + "- type hints everywhere\n" * 500)
    AStore(tmp_path / ".claude").has(f"projects/{encoded(str(shop.root))}/memory/MEMORY.md", "- one\n")
    first = open_store(Config(), f"claude-code:{tmp_path}/.claude", cwd=str(shop.root), clock=lambda: NOW)
    more = folders.beside(first, Config(), cwd=str(shop.root))
    async with running(ZsmemApp(first, more=lambda: more, now_ns=lambda: NOW_NS), (120, 30)) as pilot:
        await shows(pilot, "▾ ◆ ~/shop", "├ CLAUDE.md", "└ MEMORY.md")
        await pilot.press("1", "g")
        await shows(pilot, "2 ~/shop ─", "• 6B in 1 file", "• 12K in 1 instruction file")
