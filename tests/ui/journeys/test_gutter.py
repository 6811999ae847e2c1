"""The gutter of the viewer: what of each line is in the prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import AStore
from tests.ui.driving import an_app, by_name, running, screen_text, shows, until


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "agent" / "memory").has("MEMORY.md", "".join(f"- fact number {number}\n" for number in range(20)))
    made.has("~/SCRATCHPAD.md", "# Plan\n\n- [ ] seen\n- [x] done\n")
    return made.has("~/notes/n.md", "# N\n\nnever there\n").has("~/daily/2026-05-25.md", "today\n")


def row(pilot: Pilot[Any], words: str) -> str:
    """The row of the viewer with these words."""
    found = next(line for line in screen_text(pilot.app).split("\n") if words in line)
    return found.replace("┃", "│").rpartition("│")[0].rpartition("│")[2].strip()


async def test_each_line_has_the_mark_that_the_preview_of_the_prompt_has_and_follows_what_agents_write_in_other_files(
    store: AStore,
) -> None:
    async with running(an_app(store, inject_cap=250)) as pilot:
        await shows(pilot, "  • fact number 0")
        marks = {number: row(pilot, f"• fact number {number}")[0] for number in range(20)}
        assert "".join(marks.values()).strip("•").strip("✗") in ("", "✂") and marks[19] == "✗"
        lost = sum(mark != "•" for mark in marks.values())
        await shows(pilot, f"✗ {lost} facts lost")
        await pilot.press("enter")
        await by_name(pilot, "Prompt marks")
        await shows(pilot, "Without the marks of the prompt.")
        assert row(pilot, "fact number 19").startswith("•") and "facts lost" not in screen_text(pilot.app)
        await by_name(pilot, "Prompt marks")
        await shows(pilot, "✗ • fact number 19", "✗ lost")
        store.has("MEMORY.md", "short\n")
        await pilot.app.main.look_now()
        await pilot.press("1", "g", "j", "j")
        await shows(pilot, "  ☐ seen")
        store.has("MEMORY.md", "- a much longer fact\n" * 60)
        await pilot.app.main.look_now()
        await shows(pilot, "✗ ☐ seen")


@pytest.mark.slow
async def test_lines_that_agents_do_not_look_for_are_told_from_lost_ones_and_marks_are_no_part_of_a_selection(
    store: AStore,
) -> None:
    async with running(an_app(store)) as pilot:
        await shows(pilot, "  • fact number 0")
        view = pilot.app.main.viewer.view
        for start in (0, 2, 3):
            await pilot.mouse_down("#page", offset=(start, 1))
            await pilot.hover("#page", offset=(8, 3))
            await pilot.mouse_up("#page", offset=(8, 3))
            await until(pilot, lambda: view.selected_text())
            assert view.selected_text() == "• fact number 1\n• fact number 2\n• fact", start
            await pilot.press("escape")
            await until(pilot, lambda: not view.selected_text())
        # a note says it once
        await pilot.press("1", "g")
        await pilot.press("j", "j")
        await shows(pilot, "  ☐ seen", "◌ ☑ done")
        await pilot.press("G")
        await shows(pilot, "never there", "◌ not loaded by design")
        assert screen_text(pilot.app).count("◌") == 1
        # a loaded line has no mark for the one that goes on in its row
        store.has("~/SCRATCHPAD.md", "- [ ] seen\nMINE- [ ] of nobody\n\nBeside.\n")
        await pilot.app.main.look_now()
        await pilot.press("g", "j", "j")
        await shows(pilot, "  ☐ seen MINE- [ ] of nobody", "◌ Beside.")
