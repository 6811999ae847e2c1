"""What the agent sees, in the running program: the block, lost lines, other days and profiles, the meter, costs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from tests.ui.driving import an_app, running, screen_text, shows, until
from zsmem_tui.ui.screens.prompt import PromptScreen


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "agent" / "memory")
    made.has("MEMORY.md", "".join(f"fact number {number} stands here\n" for number in range(40)))
    made.has("~/SCRATCHPAD.md", "# Plan\n\n- [ ] open item\n+ [ ] hidden item\n")
    return made.has("~/daily/2026-05-25.md", "today \x1b[31mred [bold]\n").has("~/daily/2026-05-20.md", "older\n")


async def test_the_block_its_sections_and_every_lost_line_are_shown(store: AStore) -> None:
    app = an_app(store, inject_cap=300)
    async with running(app) as pilot:
        await pilot.press("f2")
        await shows(pilot, "· today · documented", "Long-term memory (MEMORY.md)", "truncated", "omitted", "32 lines lost")
        await shows(pilot, "✂ cut MEMORY.md:11 ", "✗ MEMORY.md:12 fact number 11", "1 checklist line of")
        await pilot.press("G", "enter")
        await shows(pilot, "✗ today ␛[31mred [bold]")
        await pilot.press("y")
        await shows(pilot, "to the terminal's clipboard")


async def test_a_line_of_the_block_leads_to_its_file_and_escape_comes_back(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "Scratchpad (open items)")
        await pilot.press("j", "enter", "j", "j", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main and pilot.app.main.viewer.file)
        await shows(pilot, "scratchpad", "hidden item")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "▌  - [ ] open item")


async def test_another_profile_day_and_project(store: AStore) -> None:
    store.has("projects/other-00000000/SCRATCHPAD.md", "- [ ] elsewhere\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "documented")
        await pilot.press("v")
        await shows(pilot, "zerostack-1.7", "Daily log 2026-05-20", "V shows the difference")
        await pilot.press("V")
        await shows(pilot, "- zerostack-1.7   + documented")
        await pilot.press("V", "v", "left_square_bracket", *["left_square_bracket"] * 3)
        await shows(pilot, "· 2026-05-21 ·", "Daily log 2026-05-20")
        await pilot.press("t", "o")
        await shows(pilot, "Whose prompt?")
        await pilot.press("j", "enter")
        await shows(pilot, "other-00000000 · today", "1 line, ")


async def test_the_meter_turns_before_saving(store: AStore) -> None:
    async with running(an_app(store, inject_cap=1400)) as pilot:
        await pilot.press("e")
        await shows(pilot, "198 bytes left of 1.4K", "first to fall: Daily log")
        pilot.app.main.editor.area.insert("x" * 200)
        await shows(pilot, "bytes over", "lost, the first")
        assert store.raw("MEMORY.md").startswith(b"fact number 0")


async def test_the_meter_says_that_a_note_is_never_in_the_prompt(store: AStore) -> None:
    store.has("~/notes/n.md", "note\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("j", "l", "G", "e")
        await shows(pilot, "Not in the prompt: the agent finds this by searching.")


async def test_costs_have_the_dearest_project_first(store: AStore) -> None:
    store.has("projects/other-00000000/SCRATCHPAD.md", "- [ ] " + "long " * 90 + "\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("C")
        await shows(pilot, "What costs what, in every session", "other-00000000", "Scratchpad (open items)")
        text = screen_text(pilot.app)
        assert text.index("other-00000000") < text.index("demo-1a2b3c4d")
        await pilot.press("enter")
        await shows(pilot, "other-00000000 · today · documented")


async def test_midnight_a_vanished_project_and_an_empty_store(store: AStore) -> None:
    app = an_app(store)
    async with running(app) as pilot:
        await pilot.press("f2")
        await shows(pilot, "Daily log 2026-05-25 (today)")
        app.main.session.clock = lambda: NOW + timedelta(days=1)
        await shows(pilot, "Daily log 2026-05-25  ")
        for path in store.tree():
            store.at(path).unlink()
        await shows(pilot, "Nothing goes into the prompt.")
        await pilot.press("y", "enter", "j", "V", "v")
        await until(pilot, lambda: isinstance(app.screen, PromptScreen))


async def test_a_log_of_ten_megabytes_is_shown(store: AStore) -> None:
    store.has("~/daily/2026-05-25.md", "a line of the log of today\n" * 390_000)
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await until(pilot, lambda: "lines lost" in screen_text(pilot.app), 30)


@pytest.mark.parametrize("size", [(20, 6), (60, 20), (200, 60)])
async def test_at_every_size(store: AStore, size: tuple[int, int]) -> None:
    async with running(an_app(store, inject_cap=300), size=size) as pilot:
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await pilot.press("j", "enter", "j", "G", "escape", "v", "V", "escape", "C", "j")
        await pilot.pause()
