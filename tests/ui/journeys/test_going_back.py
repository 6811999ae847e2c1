"""`esc` leads to where one came from, as it was left: from the viewer, from the editor, from whatever screen."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.builders import PROJECT, AStore
from tests.ui.driving import (
    an_app,
    asked,
    back,
    by_name,
    rewritten,
    running,
    screen_text,
    shows,
    to_the_tree,
    until,
    watching,
)
from zsmem_tui.ui.tool import ToolScreen

FACTS = "# Facts\n\n" + "".join(f"- fact number {number}\n" for number in range(60))
TODO = "# Todo\n\n" + "".join(f"- [ ] item number {number}\n" for number in range(60))
SIZES = [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)]


def a_store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", FACTS).has(f"projects/{PROJECT}/SCRATCHPAD.md", TODO)


def is_on(app: Any, page: str) -> bool:
    return app.tool is not None and page == app.tool.PAGE and app.screen is app.tool


def _is_as_before(app: Any, page: str, before: str) -> bool:
    return is_on(app, page) and screen_text(app) == before


def is_in(app: Any, id: str) -> bool:
    return app.tool is None and app.focused is not None and app.focused.id == id


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_from_the_viewer_to_the_same_row_of_facts_with_filter_and_marks_of_triage_and_of_the_prompt(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with running(an_app(a_store(tmp_path)), size=size) as pilot:
        await pilot.press("2", "7", "slash", *"number", "enter", "space", *["j"] * 30)
        await until(pilot, lambda: is_on(pilot.app, "facts") and pilot.app.tool.rows.cursor >= 30)
        rows = pilot.app.tool.rows
        key, marked, row = rows.key, set(rows.marked), rows.screen_row
        text = rows.at_cursor().fact.says
        await pilot.press("enter")
        await until(pilot, lambda: is_in(pilot.app, "page") and text in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: is_on(pilot.app, "facts"))
        rows = pilot.app.tool.rows
        await until(pilot, lambda: (rows.key, rows.marked, rows.screen_row) == (key, marked, row))
        await pilot.press("j")
        await until(pilot, lambda: rows.key != key)
        await pilot.press("escape", "escape", "escape")
        await until(pilot, lambda: is_in(pilot.app, "page") or is_in(pilot.app, "tree-view"))
        for open, page in (("6", "triage"), ("f2", "prompt")):
            await back(pilot)
            await pilot.press(open)
            await until(pilot, partial(is_on, pilot.app, page))
            await shows(pilot, "number 3" if page == "triage" else "# Facts")
            await pilot.press(*(["tab"] if page == "prompt" else []), *["j"] * 14)
            await shows(pilot, "number 7")
            await pilot.pause(0.1)
            before = screen_text(pilot.app)
            await pilot.press("enter")
            await until(pilot, lambda: is_in(pilot.app, "page"))
            await pilot.press("escape")
            await until(pilot, partial(_is_as_before, pilot.app, page, before))


@pytest.mark.slow
async def test_esc_leads_to_the_screen_that_one_came_from_which_is_read_again_and_to_the_tree_at_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        await by_name(pilot, "What costs what")
        await until(pilot, lambda: is_on(pilot.app, "prompt") and pilot.app.tool.query_one("#costs").key is not None)
        await pilot.press("enter", "tab", *"jjjj")
        await shows(pilot, "fact number 1")
        await pilot.press("enter")
        await until(pilot, lambda: is_in(pilot.app, "page"))
        await pilot.press("escape")
        await until(pilot, lambda: is_on(pilot.app, "prompt"))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: is_on(pilot.app, "prompt") and pilot.app.tool.query("#costs"))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.tool is None)
        # though the present one was open below it
        for key, page in zip("86706", ("doctor", "triage", "facts", "projects", "triage"), strict=True):
            await pilot.press(key)
            await until(pilot, partial(is_on, pilot.app, page))
        for page in ("projects", "facts", "doctor"):
            await pilot.press("escape")
            await until(pilot, partial(is_on, pilot.app, page))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.tool is None)
        # one that comes to the top is read again, and those that lay over it stay as they are
        read: list[str] = []
        load = ToolScreen.load

        def noted(tool: ToolScreen) -> object:
            read.append(tool.PAGE)
            return load(tool)

        monkeypatch.setattr(ToolScreen, "load", noted)
        for key, page in zip("98", ("transfer", "doctor"), strict=True):
            await pilot.press(key)
            await until(pilot, partial(is_on, pilot.app, page))
            await until(pilot, partial(read.count, page))
        read.clear()
        await pilot.press("9")
        await until(pilot, partial(is_on, pilot.app, "transfer"))
        await until(pilot, lambda: read == ["transfer"])
        await pilot.press("escape")
        await until(pilot, partial(is_on, pilot.app, "doctor"))
        await until(pilot, lambda: read == ["transfer", "doctor"])
        # from the editor to the hit, from the tree to the tree
        await to_the_tree(pilot)
        await pilot.press("s", *"number 37", "down", "l", "j")
        await until(pilot, lambda: is_in(pilot.app, "hits"))
        at = pilot.app.main.search.hits.cursor
        await pilot.press("e")
        await until(pilot, lambda: is_in(pilot.app, "text"))
        await pilot.press("end", "X", "ctrl+s")
        await shows(pilot, "Saved MEMORY.md")
        await pilot.press("escape")
        await until(pilot, lambda: is_in(pilot.app, "hits") and pilot.app.main.search.hits.cursor == at)
        await pilot.press("enter")
        await until(pilot, lambda: is_in(pilot.app, "page"))
        await pilot.press("e")
        await until(pilot, lambda: is_in(pilot.app, "text"))
        await pilot.press("escape")
        await until(pilot, lambda: is_in(pilot.app, "page"))
        await pilot.press("escape")
        await until(pilot, lambda: is_in(pilot.app, "hits"))
        await pilot.press("1", "e")
        await until(pilot, lambda: is_in(pilot.app, "text"))
        await pilot.press("escape")
        await until(pilot, lambda: is_in(pilot.app, "tree-view"))


@pytest.mark.slow
async def test_a_screen_that_was_set_aside_shows_what_is_there_now_fits_the_terminal_and_e_keeps_its_row(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    async with running(an_app(store), size=(200, 60)) as pilot:
        await pilot.press("2", "7", *"jjj")
        await until(pilot, lambda: is_on(pilot.app, "facts") and pilot.app.tool.rows.at_cursor() is not None)
        text = pilot.app.tool.rows.at_cursor().fact.says
        await pilot.press("enter")
        await until(pilot, lambda: is_in(pilot.app, "page"))
        store.has("MEMORY.md", FACTS.replace("# Facts\n\n", "# Facts\n\n- new one\n- new two\n"))
        await pilot.resize_terminal(80, 24)
        await pilot.press("escape")
        await shows(pilot, "new one")
        await until(pilot, lambda: pilot.app.tool.rows.at_cursor().fact.says == text)
        assert all(len(row) <= 80 for row in screen_text(pilot.app).split("\n")) and pilot.app.tool.has_class("-narrow")
        await to_the_tree(pilot)
        store.has("MEMORY.md", FACTS.replace("number 27\n", "number 27\n  and more of it\n"))
        await pilot.app.main.look_now()
        for keys in (["2", "7"], ["f2", "tab"]):
            await pilot.press(*keys)
            await shows(pilot, "acts")
            for _ in range(80):
                if (about := _line_at(pilot.app)) is not None and "number 27" in about:
                    break
                await pilot.press("j")
                await pilot.pause(0.02)
            row = _row_at(pilot.app)
            assert row is not None
            await pilot.press("e")
            await until(pilot, lambda: is_in(pilot.app, "text") and pilot.app.main.editor.area.cursor_location[0] == 29)
            await until(pilot, partial(_edits_row, pilot.app, row))  # the viewer showed it there, too
            assert _shows_at(pilot.app, row, "fact number 27")
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.tool is not None and "number 27" in (_line_at(pilot.app) or ""))
            await until(pilot, partial(_is_row_at, pilot.app, row))
            await pilot.press("escape", "escape")
            await until(pilot, lambda: pilot.app.tool is None)
        # a stack of them, of which each shows what was written while others lay over it
        await rewritten(pilot, "MEMORY.md", FACTS)
        await pilot.resize_terminal(200, 60)
        await watching(pilot)
        for key, text in zip("58674", ("Nothing to review", "Doctor", "60 open items", "120 facts", "# Facts"), strict=True):
            await pilot.press(key)
            await shows(pilot, text)
        store.has("MEMORY.md", f"{FACTS}- written by the agent, with TODO in [gone](gone.md)\n")
        store.has(f"projects/{PROJECT}/SCRATCHPAD.md", f"{TODO}- [ ] an item more\n")
        await pilot.app.main.look_now()
        for text in ("122 facts", "61 open items", "gone.md", "written by the agent"):
            await pilot.press("escape")
            await shows(pilot, text)


def _shows_at(app: Any, row: int, words: str) -> bool:
    return words in screen_text(app).split("\n")[row]


def _edits_row(app: Any, row: int) -> bool:
    return bool(app.main.editor.area.cursor_row == row)


def _is_row_at(app: Any, row: int) -> bool:
    return _row_at(app) == row


def _row_at(app: Any) -> int | None:
    row = app.tool.rows.screen_row
    found: int | None = row() if callable(row) else row
    return found


def _line_at(app: Any) -> str | None:
    tool = app.tool
    if tool is None:
        return None
    if tool.PAGE == "facts":
        row = tool.rows.at_cursor()
        return row.fact.text if row is not None else None
    block = tool.query_one("#block").block
    return block.row.text if block is not None and block.row is not None else None


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_facts_show_the_one_that_was_read_from_the_start(tmp_path: Path, size: tuple[int, int]) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "".join(f"- fact number {number}\n" for number in range(700)))
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("2", "slash", *"number 543", "enter", "7")
        await until(pilot, lambda: is_on(pilot.app, "facts") and pilot.app.tool.rows.at_cursor() is not None)
        rows = pilot.app.tool.rows
        await until(pilot, lambda: not pilot.app.tool.awaits_rows)
        await pilot.pause()
        assert "number 543" in rows.at_cursor().fact.says
        assert 0 <= rows.cursor - rows.scroll_offset.y < rows.size.height


@pytest.mark.slow
async def test_a_adds_where_there_is_no_memory_yet_as_the_pages_say(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store"))) as pilot:
        await shows(pilot, "There is no memory yet")
        await pilot.press("4")
        await shows(pilot, "the latest logs would: esc, then a, adds")
        await pilot.press("escape")
        await until(pilot, lambda: is_in(pilot.app, "page"))
        await pilot.press("a")
        await asked(pilot, "Add", "A note")
