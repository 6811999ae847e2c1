"""Where there is little room: one pane at a time, the screens named above it, dialogs that can be read and answered."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, lit, running, screen_text, sees_nothing_new, shows, until

PANES = ("1 Memory ━", "2 MEMORY.md", "3 Search")


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- redis listens on 6380\n").has("~/notes/redis.md", "redis\n")


def panes(app: object) -> list[str]:
    return [pane for pane in PANES if pane in screen_text(app)]


def _keys(app: object) -> str:
    return screen_text(app).rstrip().split("\n")[-1]


def _is_alone(app: object, pane: str) -> bool:
    return panes(app) == [pane]


async def saved_against_another(pilot: Any, store: AStore) -> None:
    """Edit the line that somebody else changes meanwhile, and save."""
    await pilot.press("2", "e")
    await until(pilot, lambda: pilot.app.main.editor.ref is not None)
    await pilot.press("ctrl+end", "up", "end", *" mine")
    store.has("MEMORY.md", "# Facts\n\n- redis listens on 1234\n")
    await pilot.press("ctrl+s")


def _is_focused(app: Any, id: str) -> bool:
    return app.focused is not None and app.focused.id == id


@pytest.mark.slow
async def test_one_pane_at_a_time_as_narrow_as_it_gets_text_below_the_tree_where_there_is_height_and_all_from_100_columns_on(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await until(pilot, lambda: panes(pilot.app) == ["1 Memory ━", "2 MEMORY.md"])
        assert "redis listens on 6380" in screen_text(pilot.app)
        assert "s Search" in _keys(pilot.app)
        for pane in ("2 MEMORY.md", "3 Search"):
            await pilot.press("tab")
            await until(pilot, partial(_is_alone, pilot.app, pane))
            assert "esc Back" in _keys(pilot.app), "how to leave stands there"
        pilot.app.say("Saved · u to undo")
        await shows(pilot, "u to undo")
        await pilot.press("escape", "4")
        await until(pilot, lambda: pilot.app.tool is not None and not pilot.app.main.status.said)
        await until(
            pilot, lambda: pilot.app.tool.split.region.y <= 3
        )  # a line and a bar say how much there is; the rest is the list
        await pilot.press("escape", "escape", "z")
        await until(pilot, partial(_is_alone, pilot.app, "1 Memory ━"))
        await pilot.press("z")
        await until(pilot, lambda: panes(pilot.app) == ["1 Memory ━", "2 MEMORY.md"])
        await pilot.resize_terminal(100, 24)
        await until(pilot, lambda: panes(pilot.app) == [*PANES])
        await pilot.press("1")
        for id in ("query", "page", "tree-view"):  # from above to below, as they stand there
            await pilot.press("tab")
            await until(pilot, partial(_is_focused, pilot.app, id))
        for size in ((99, 23), (79, 20), (60, 20), (59, 20), (40, 12)):
            await pilot.resize_terminal(*size)
            await pilot.press("1")
            await until(pilot, lambda: panes(pilot.app) == ["1 Memory ━"])
            if size[0] < 60:  # the screens are named also where there is little room
                first = screen_text(pilot.app).split("\n")[0]
                assert all(f" {digit}" in first for digit in "14567890"), first
            for pane in ("2 MEMORY.md", "3 Search", "1 Memory ━"):
                await pilot.press("tab")
                await until(pilot, partial(_is_alone, pilot.app, pane))
            await pilot.press("enter")
            await until(pilot, lambda: panes(pilot.app) == ["2 MEMORY.md"])
            await pilot.press("escape")
            await until(pilot, lambda: panes(pilot.app) == ["1 Memory ━"])
        for size in ((99, 23), (59, 20), (40, 12)):
            await pilot.resize_terminal(*size)
            await pilot.press("s", "ctrl+u", *"redis")
            await until(pilot, lambda: panes(pilot.app) == ["3 Search"] and "redis 2" in screen_text(pilot.app))
            await pilot.press("down", "enter")
            await until(pilot, lambda: panes(pilot.app) == ["2 MEMORY.md"])
            await pilot.press("escape")
            await until(pilot, lambda: panes(pilot.app) == ["3 Search"])
        await pilot.press("escape", "s")
        await until(pilot, lambda: panes(pilot.app) == ["3 Search"] and "redis 2" in screen_text(pilot.app))
        await pilot.press("escape", "7")
        await lit(pilot, "facts")
        # what is asked can be answered in the smallest terminal
        await pilot.press("escape")
        await pilot.resize_terminal(20, 6)
        await pilot.press("1", "g")
        await pilot.press("a")
        await asked(pilot, "A note")
        # a conflict stays in sight when the terminal gets small
        await pilot.press("escape")
        await pilot.resize_terminal(120, 40)
        sees_nothing_new(pilot.app, monkeypatch)
        await saved_against_another(pilot, store)
        await asked(pilot, "t theirs", "m mine")
        await pilot.resize_terminal(20, 6)
        await shows(pilot, "▶ 1 of 1", "▶ 1 Theirs", "t m b e")
        await pilot.resize_terminal(120, 40)
        await shows(pilot, "▶ Conflict 1 of 1", "t theirs", "m mine")


@pytest.mark.slow
async def test_a_tree_that_another_pane_hides_starts_at_its_first_row_as_long_as_the_cursor_is_in_sight(store: AStore) -> None:
    for number in range(30):
        store.has(f"~/notes/n{number:02}.md", f"- {number}\n")
    async with running(an_app(store), size=(80, 24)) as pilot:
        await shows(pilot, "n03")
        await pilot.press("2", "z")
        main = pilot.app.main
        await until(pilot, lambda: not main.tree_pane.project_tree.size.height)
        for name, top in (("n02", 0), ("n29", 1)):
            ref = next(ref for ref in main.here.catalog.refs if ref.name == name)
            assert main.tree_pane.reveal(main.here.key, ref)
            await pilot.press("escape", "1", "z")
            await shows(pilot, name)
            assert min(main.tree_pane.project_tree.scroll_offset.y, 1) == top
            await pilot.press("2", "z")
            await until(pilot, lambda: not main.tree_pane.project_tree.size.height)


@pytest.mark.slow
async def test_in_the_smallest_terminal_each_screen_has_its_name_and_a_plan_the_key_that_does_it(store: AStore) -> None:
    store.has("~/notes/doubled.md", "# Doubled\n\n```\nnever closed\n")
    async with running(an_app(store), size=(20, 6)) as pilot:
        await shows(pilot, "1 Memory")
        for key, name in (
            ("2", "2 Viewer"),
            ("1", "1 Memory"),
            ("4", "4 Prompt"),
            ("5", "5 Review"),
            ("7", "7 Facts"),
            ("9", "9 Import"),
            ("0", "0 Projects"),
            ("8", "8 Doctor"),
        ):
            await pilot.press(key)
            await shows(pilot, name)
        await shows(pilot, "A ", "esc Back")
        await pilot.press("A")
        await asked(pilot, "A does it")
        await pilot.press("escape", "1", "g", "e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None and pilot.app.main.editor.area.has_focus)
        await pilot.press("Z", "escape")
        await asked(pilot, "There is unsaved", "Save it", "Keep it as", "Discard it")


@pytest.mark.draw(2)
@pytest.mark.parametrize(
    "size", [(20, 6), (120, 14), *(pytest.param(size, marks=pytest.mark.slow) for size in ((40, 12), (59, 20)))]
)
async def test_a_conflict_is_read_and_decided_where_there_is_little_room(
    store: AStore, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store), size=size) as pilot:
        sees_nothing_new(pilot.app, monkeypatch)
        await saved_against_another(pilot, store)
        await asked(pilot, "▶")
        await shows(pilot, "Theirs")
        for words in ("1234", "mine"):
            for _ in range(5):
                if words not in screen_text(pilot.app):
                    await pilot.press("j")
            await shows(pilot, words)
        await pilot.press("m")
        await shows(pilot, "enter")
        await pilot.press("enter")
        await until(pilot, lambda: b"6380 mine" in store.at("MEMORY.md").read_bytes())
