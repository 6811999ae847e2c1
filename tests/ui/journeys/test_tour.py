"""The tour asks for one key after the other, and goes on once it was pressed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import asked, back, running, shows, until
from zsmem_tui.config.model import Config
from zsmem_tui.service import help
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.bindings import ACTIONS
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.tour import DONE, LOOK_SECONDS, steps

ASKED = ["enter", "4", "7", "5", "8", "s", "enter", "?"]
"""The key that each step asks for."""


def test_every_step_is_a_heading_of_its_page() -> None:
    titles = [line.removeprefix("## ") for line in help.read("tour").split("\n") if line.startswith("## ")]
    assert titles == list(DONE) and len(steps()) == len(titles) == 8


def test_the_keys_it_names_are_keys_and_the_last_one_is_the_one_to_press() -> None:
    known = {key_name(key) for action in ACTIONS for key in action.bound}
    named = [step.text.split("`")[1::2] for step in steps()]
    assert {word for words in named for word in words} <= known
    assert [words[-1] for words in named] == ASKED


def touring(tmp_path: Path) -> ZsmemApp:
    store = AStore(tmp_path).has("MEMORY.md", "# Facts\n\n- tea at five\n")
    return ZsmemApp(store.session(), follow=False, tour=True)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in ((200, 60), (40, 12)))])
async def test_each_step_sees_that_its_key_was_pressed(tmp_path: Path, size: tuple[int, int]) -> None:
    async with running(app := touring(tmp_path), size=size) as pilot:
        for number, (title, key) in enumerate(zip(DONE, ASKED, strict=True), 1):
            await shows(pilot, f"Tour {number} of 8 · {title}", "(esc")
            if title == "Search":
                await pilot.press(*"tea")
                await shows(pilot, "1 file")
            await pilot.press("question_mark" if key == "?" else key)
        await until(pilot, lambda: app.tour is None)
        await shows(pilot, "All keys")
        assert not app.tour_line


async def test_one_key_goes_through_all_of_it_who_goes_ahead_is_not_held_back_and_esc_ends_it_anywhere(tmp_path: Path) -> None:
    async with running(app := touring(tmp_path), size=(100, 30)) as pilot:
        seen = []
        for number, title in enumerate(DONE, 1):
            await shows(pilot, f"Tour {number} of 8 · {title}")
            seen.append(app.tool.PAGE if app.tool else app.main.current)
            await pilot.press("f7")
        await shows(pilot, "That was the tour.")
        assert seen == ["tree", "viewer", "prompt", "facts", "today", "doctor", "search", "viewer"]
        await pilot.press("escape", "escape", "1", "f7")
        await shows(pilot, "Tour 1 of 8")
        await pilot.press("5")
        await shows(pilot, "Tour 5 of 8 · Review")
        await pilot.press("4")
        await asyncio.sleep(3 * LOOK_SECONDS)
        await shows(pilot, "Tour 5 of 8 · Review")
        # esc answers a question first, and does nothing else
        await pilot.press("escape")
        await shows(pilot, "The tour ended at step 5 of 8. F7 begins it again")
        await back(pilot)
        await pilot.press("1", "f7")
        await shows(pilot, "Tour 1 of 8")
        await pilot.press("a")
        await asked(pilot, "Add to")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        assert app.tour is not None
        for way in ([], ["4"], ["s", "t"], ["1", "e"]):
            await back(pilot)
            app.main.say("")
            await pilot.press(*(["f7"] if way else []), *way)
            await shows(pilot, "Tour ")
            await until(pilot, lambda: not app.conversations.begun)  # the editor is open
            was = app.screen, app.main.current
            await pilot.press("escape")
            await shows(pilot, "The tour ended at step")
            assert not app.tour_line and (app.screen, app.main.current) == was, way


async def test_it_begins_on_a_file_also_with_claude_code_alone(tmp_path: Path) -> None:
    (place := tmp_path / "projects" / "-srv-code" / "memory").mkdir(parents=True)
    (place / "MEMORY.md").write_text("# Facts\n\n- tea at five\n")
    app = ZsmemApp(open_store(Config(), f"claude-code:{tmp_path}", cwd="/srv/code"), follow=False, tour=True)
    async with running(app, size=(80, 24)) as pilot:
        await shows(pilot, "Tour 1 of 8 · Memory", "MEMORY.md")
        await pilot.press("enter")
        await shows(pilot, "Tour 2 of 8 · A file", "tea at five")


async def test_without_memory_it_says_what_shows_some(tmp_path: Path) -> None:
    app = ZsmemApp(AStore(tmp_path).session(), follow=False, tour=True)
    async with running(app, size=(100, 30)) as pilot:
        await shows(pilot, "There is no memory yet.", "Tour: there is no memory here to show.")
        tour = app.tour
    assert tour is not None
    tour._look()  # its timer may come once more when the screens are gone
