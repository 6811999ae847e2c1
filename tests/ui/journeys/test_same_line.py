"""`e` puts the cursor on the line that is looked at, on the same row of the screen; leaving shows the edited line there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, to_changes, until

TEXT = "# Facts\n\n" + "".join(f"- fact {number} of a long list\n" for number in range(3_000))


def row_of(app: object, words: str) -> int:
    """The last row of the screen that shows `words`: the viewer and the editor are below the hits."""
    rows = screen_text(app).split("\n")
    return max((row for row, text in enumerate(rows) if words in text), default=-1)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
@pytest.mark.parametrize("number", [2_990, *(pytest.param(each, marks=pytest.mark.slow) for each in (17, 150))])
async def test_a_line_that_was_found_stays_on_its_row(tmp_path: Path, size: tuple[int, int], number: int) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("2", "slash", *f"fact {number} ", "enter")
        await shows(pilot, f"fact {number} of")
        await until(pilot, lambda: pilot.app.main.viewer.view.screen_row(number + 2) is not None)
        row = row_of(pilot.app, f"fact {number} of")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "text" and row_of(pilot.app, f"fact {number} of") == row)
        assert pilot.app.main.editor.area.cursor_location[0] == number + 2
        await pilot.press("end", "X", "ctrl+s")
        await shows(pilot, "Saved MEMORY.md")
        await pilot.press("down", "down", "up", "escape")
        await until(pilot, lambda: pilot.app.focused.id == "page" and row_of(pilot.app, f"fact {number + 1} of") == row + 1)
        await until(pilot, lambda: pilot.app.main.viewer.view.line_meant == number + 3)


@pytest.mark.slow
async def test_a_text_that_was_shown_much_lower_begins_at_the_top(tmp_path: Path) -> None:
    """Beside the tree, where empty rows above it would not bring it to its row either."""
    store = AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- one\n")
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("1", "g")
        await until(pilot, lambda: row_of(pilot.app, "Facts") > 5)
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "text" and row_of(pilot.app, "# Facts") == 2)


@pytest.mark.slow
async def test_lines_that_an_agent_adds_above_leave_the_cursor_on_its_line_when_saved(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", "slash", *"fact 150 ", "enter", "e")
        await until(pilot, lambda: pilot.app.focused.id == "text" and row_of(pilot.app, "fact 150 of") > 0)
        await pilot.press("end", "X")
        row = row_of(pilot.app, "fact 150 of")
        store.has(
            "MEMORY.md",
            TEXT.replace("- fact 0 of", "- from an agent\n- and more\n- fact 0 of").replace("- fact 3 of a long list\n", ""),
        )
        await pilot.press("ctrl+s")
        await shows(pilot, "Saved MEMORY.md")
        area = pilot.app.main.editor.area
        await until(pilot, lambda: area.document.get_line(area.cursor_location[0]) == "- fact 150 of a long listX")
        await until(pilot, lambda: row_of(pilot.app, "fact 150 of") == row)
        await pilot.press("Y")
        await shows(pilot, "- fact 150 of a long listXY")


@pytest.mark.slow
async def test_lines_that_an_agent_adds_above_leave_the_line_that_is_read_at_the_top(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", *["pagedown"] * 5)
        await until(pilot, lambda: pilot.app.main.viewer.view.top_line > 30)
        view = pilot.app.main.viewer.view
        top = view.page.lines[view.top_line]
        store.has("MEMORY.md", TEXT.replace("- fact 0 of", "- from an agent\n- and\n- more\n- fact 0 of"))
        await shows(pilot, "Reloaded MEMORY.md, +3 -0 · 5 shows it")
        await until(pilot, lambda: view.page.lines[view.top_line] == top)
        store.has("projects/other-1a2b3c4d/notes/x.md", "- there\n")
        await shows(pilot, "· 5 w shows it")  # Review opens on the memory in view
        await to_changes(pilot)
        await pilot.press("w")
        await shows(pilot, " all memories", "note x")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.tool is None)
        store.has("projects/other-1a2b3c4d/notes/y.md", "- there\n").has("~/notes/here.md", "- here\n")
        main = pilot.app.main
        await until(pilot, lambda: len(main.here.unreviewed) == 4)
        assert main.in_review("1 file is new on disk.", main.here, ["MEMORY.md"]) == "1 file is new on disk.", "the page has it"
        await pilot.press("1")
        far, own = [f"projects/other-1a2b3c4d/notes/{name}.md" for name in "xy"], f"projects/{store.project}/notes/here.md"
        assert main.in_review("3 files are new on disk.", main.here, [*far, own]).endswith("disk · 5 shows 1 of them, 5 w all")
        assert main.in_review("2 files are new on disk.", main.here, far).endswith("disk · 5 w shows them")
        assert main.in_review("2 files are new on disk.", main.here, [own, "MEMORY.md"]).endswith("disk · 5 shows them")


@pytest.mark.slow
async def test_an_editor_with_nothing_typed_follows_the_file_and_one_with_typed_text_keeps_it(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    theirs = TEXT.replace("- fact 0 of", "- from an agent\n- and more\n- fact 0 of").replace("- fact 3 of a long list\n", "")
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", "slash", *"fact 150 ", "enter")
        await shows(pilot, "fact 150 of")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "text" and row_of(pilot.app, "fact 150 of") > 0)
        editor, row = pilot.app.main.editor, row_of(pilot.app, "fact 150 of")
        store.has("MEMORY.md", theirs)
        await shows(pilot, "MEMORY.md, +2 -1: the editor follows", "· saved")
        assert editor.area.value == theirs and not editor.unsaved and editor.base == theirs.encode()
        assert editor.area.document.get_line(editor.area.cursor_location[0]) == "- fact 150 of a long list"
        await until(pilot, lambda: row_of(pilot.app, "fact 150 of") == row)
        assert "ctrl+s merges" not in screen_text(pilot.app)
        await pilot.press("end", "X")
        store.has("MEMORY.md", TEXT)
        await shows(pilot, "! Changed on disk by somebody: lines +1 -2 · ctrl+s merges", "fact 150 of a long listX")
        await pilot.press("backspace")
        store.at("MEMORY.md").write_bytes(b"\xff not text\n")
        await shows(pilot, "Your text is still here.", "fact 150 of a long list")
