"""What several agents see of a folder, one after the other, and what all of them cost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import NOW
from tests.six_agents import SixAgents
from tests.ui.driving import NOW_NS, asked, by_name, running, screen_text, shows, until
from tests.ui.several import CLAUDE, Machine
from zsmem_tui.config.model import Config
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.watching import prompt_use
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.prompt.screen import PromptScreen

SAID = "Always run make check before a commit."


def an_app(six: SixAgents) -> ZsmemApp:
    return ZsmemApp(six.sessions[0], more=six.beside, now_ns=lambda: NOW_NS)


async def read(pilot: Pilot[Any], count: int) -> None:
    """Wait until all stores are read."""
    stores = pilot.app.main.stores  # type: ignore[attr-defined]
    await until(pilot, lambda: len(stores) == count and all(store.catalog for store in stores))


async def turned(pilot: Pilot[Any], kind: str) -> None:
    """Turn to the next agent, which is this one, and wait until its prompt is there."""
    await pilot.press("E")
    await until(pilot, partial(_is_of, pilot, kind))


def _is_of(pilot: Pilot[Any], kind: str) -> bool:
    screen: Any = pilot.app.screen
    return screen.store.session.layout.kind == kind and screen.rows.seen is not None and not pilot.app.conversations.under_way  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_the_prompts_of_six_agents_one_after_the_other_each_with_group_unit_and_cap(tmp_path: Path) -> None:
    six = SixAgents(tmp_path)
    async with running(an_app(six), (200, 60)) as pilot:
        await read(pilot, 6)
        await pilot.press("f2")
        await shows(pilot, "· today · as docs say", f"zerostack · {six.folder.name} · prompt", "at most 32.0K")
        await turned(pilot, "claude-code")
        await shows(pilot, "Claude Code · at most 200 lines of MEMORY.md", "Claude Code: ", "; zerostack as docs say: ")
        await turned(pilot, "ethos")
        await shows(pilot, "Ethos · personality engineer", "Ethos · personality engineer · at most 20,000 characters")
        await pilot.press("|")
        await shows(pilot, "- Ethos · personality engineer   + oh-my-pi")
        await turned(pilot, "oh-my-pi")
        await shows(pilot, "oh-my-pi · at most 20,000 characters")
        await turned(pilot, "opencode")
        await shows(pilot, f"opencode · {str(six.folder)[:20]}", "opencode · no cap")
        await turned(pilot, "memsearch")
        await shows(pilot, f"memsearch · {str(six.folder)[:20]}", "memsearch · at most 40 lines of each file")
        await turned(pilot, "zerostack")
        await shows(pilot, "as 1.7 does", "| compares with zerostack as docs say")
        await pilot.press("E")
        await shows(pilot, "today · as docs say")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert pilot.app.main.here is pilot.app.main.stores[0]


async def test_of_several_personalities_one_is_chosen_and_stays_so(tmp_path: Path) -> None:
    six = SixAgents(tmp_path)
    poet = six.roots["ethos"] / "personalities/poet"
    poet.mkdir()
    (poet / "MEMORY.md").write_text("- rhymes\n")
    async with running(an_app(six), (160, 40)) as pilot:
        await read(pilot, 6)
        await pilot.press("f2")
        await shows(pilot, "· today ·")
        for kind in ("claude-code", "ethos"):
            await turned(pilot, kind)
        assert ".;" not in screen_text(pilot.app) and ". ·" not in screen_text(pilot.app)
        await shows(pilot, "Ethos · nobody chosen", "No memory goes into the prompt", "C chooses one: personality")
        await pilot.press("C")
        await asked(pilot, "The prompt of which ")
        await pilot.press("down", "enter")
        await shows(pilot, "Ethos · personality poet", "rhymes")
        for kind in ("oh-my-pi", "opencode", "memsearch", "zerostack", "zerostack", "claude-code", "ethos"):
            await turned(pilot, kind)
        await shows(pilot, "Ethos · personality poet", "rhymes")


async def test_the_only_personality_of_a_store_is_the_one_that_is_meant(tmp_path: Path) -> None:
    async with running(ZsmemApp(SixAgents(tmp_path).session("ethos"), now_ns=lambda: NOW_NS)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "personality engineer · prompt", "Lantern stores all times in UTC.", "╭─ Ethos · personality engineer")
        await pilot.press("E")
        await shows(pilot, "Ethos has one prompt, the same on every day")


@pytest.mark.slow
async def test_a_fact_of_another_agents_prompt_is_edited_in_its_store_and_escape_leads_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    async with running(machine.app()) as pilot:
        await read(pilot, 2)
        await pilot.press("f2")
        await shows(pilot, "zerostack · lantern · prompt")
        await turned(pilot, "claude-code")
        await pilot.press("l", "g", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main and pilot.app.main.viewer.file)
        await until(pilot, lambda: pilot.app.main.viewer.file.ref.path == f"{CLAUDE}/MEMORY.md")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await until(pilot, partial(_is_of, pilot, "claude-code"))
        await pilot.press("d")
        await until(pilot, lambda: machine.claude.raw(f"{CLAUDE}/MEMORY.md") == b"")
        await until(pilot, lambda: not pilot.app.conversations.under_way)
        await pilot.press("u")
        await until(pilot, lambda: b"Deploy" in machine.claude.raw(f"{CLAUDE}/MEMORY.md"))
    assert machine.own.raw("MEMORY.md") == b"- Ann likes tea\n"


async def test_where_facts_went_last_is_no_place_in_another_store(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    async with running(machine.app(), (160, 50)) as pilot:
        await read(pilot, 2)
        await pilot.press("f2")
        await shows(pilot, "zerostack · lantern ·", "Ann likes tea")
        await pilot.press("l")
        pilot.app.screen.rows.go_to_line("MEMORY.md", 0)
        await pilot.press("m")
        await asked(pilot, "Move “Ann likes tea” to:")
        await pilot.press(*"a new note", "enter")
        await asked(pilot, "The name of the note:")
        await pilot.press("ctrl+u", *"quokka", "enter")
        await shows(pilot, "Moved 1 fact to", "quokka")
        await turned(pilot, "claude-code")
        await pilot.press("g", "m")
        await asked(pilot, "Move ", "a new note …")
        assert "quokka" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_keys_typed_ahead_work_in_the_store_that_the_person_sees_next(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.claude.has(f"{CLAUDE}/MEMORY.md", "- Ann likes coffee\n")
    async with running(machine.app()) as pilot:
        await read(pilot, 2)
        await pilot.press("f2")
        await shows(pilot, "zerostack · lantern ·", "Ann likes tea")
        await pilot.press("l", "g", "E", "d")
        await until(pilot, lambda: machine.claude.raw(f"{CLAUDE}/MEMORY.md") == b"" or "not a line" in screen_text(pilot.app))
    assert machine.own.raw("MEMORY.md") == b"- Ann likes tea\n"


@pytest.mark.slow
async def test_costs_have_all_agents_the_dearest_first_and_what_is_paid_for_twice(tmp_path: Path) -> None:
    six = SixAgents(tmp_path)
    for file in (six.roots["zerostack"] / "MEMORY.md", six.folder / "AGENTS.md"):
        file.write_text(f"{file.read_text()}- {SAID}\n")
    (six.roots["zerostack"] / "projects/far-00000000").mkdir()
    async with running(an_app(six), (100, 50)) as pilot:
        await read(pilot, 6)
        await pilot.press("4")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await by_name(pilot, "What costs what")
        await pilot.press("4")  # costs are explained on the page of the prompt, and its key leads there
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await pilot.press("escape")
        await shows(pilot, "Paid for more than once in this folder", "zerostack MEMORY.md:3 = AGENTS.md:", SAID, "paid for twice")
        await shows(
            pilot,
            "Ethos · personality engineer",
            "opencode · ",
            "lantern",
            "zerostack · far-00000000",
            "tokens, what is shared counted once",
        )
        await pilot.press("g")
        first = pilot.app.screen.query_one("#costs").key[1]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        assert (pilot.app.screen.about, pilot.app.screen.store) == (first.about, pilot.app.main.stores[first.store])
        assert pilot.app.screen.project == first.about.project, "the status line is about the same prompt"
        await pilot.press("escape", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert pilot.app.main.here is pilot.app.main.stores[0]


async def test_a_line_that_an_agent_takes_from_another_store_leads_there(tmp_path: Path, away_from_home: Path) -> None:
    six = SixAgents(tmp_path)
    blocks = away_from_home / ".config/opencode/memory"
    blocks.mkdir(parents=True)
    (blocks / "human.md").write_text("---\ndescription: x\n---\nAnn likes tea\n")
    here, for_all = (
        open_store(Config(), f"opencode:{root}", cwd=str(six.folder), clock=lambda: NOW) for root in (six.roots["opencode"], blocks)
    )
    async with running(ZsmemApp(here, more=lambda: Beside([for_all], [], {}), now_ns=lambda: NOW_NS)) as pilot:
        await read(pilot, 2)
        (blocks / "human.md").write_text("---\ndescription: x\n---\nAnn likes tea, and a good deal of it\n")
        main = pilot.app.main
        await main.look_now(main.stores[1])
        assert main.stores[0].prompts[here.project] == prompt_use(here), "the prompt holds what changed in another store"
        await pilot.press("f2", "slash", *"likes tea", "enter")
        await shows(pilot, "1 of 1")
        await pilot.press("d")
        await shows(pilot, "This line is of another store")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main and pilot.app.main.here.session is for_all)
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.path == "human.md")
    assert "tea" in (blocks / "human.md").read_text()


@pytest.mark.parametrize("size", [(20, 6), pytest.param((80, 24), marks=pytest.mark.slow)])
async def test_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with running(an_app(SixAgents(tmp_path)), size) as pilot:
        await read(pilot, 6)
        await pilot.press("f2", "E", "E", "|", "E", "escape", "escape")
        await by_name(pilot, "What costs what")
        await pilot.press("G", "enter", "escape", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main or isinstance(pilot.app.screen, PromptScreen))
