"""The editor's own keys: where the cursor is, lines, words, and taking back."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from tests.builders import AStore
from tests.ui.driving import an_app, asked, running, shows, until
from zsmem_tui.ui.dialogs.ask import PromptDialog


async def test_keys_of_the_editor_go_find_replace_move_and_take_back_and_its_border_says_where_the_cursor_is(
    tmp_path: Path,
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "".join(f"- line {number}\n" for number in range(1, 101)))
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        area = pilot.app.main.editor.area
        await shows(pilot, "1:1 · saved")
        await pilot.press("ctrl+end")
        await shows(pilot, "101:1 · saved", "- line 100")
        await pilot.press("ctrl+home", "right")
        await shows(pilot, "1:2 · saved")
        await pilot.press("ctrl+g")
        await asked(pilot, "A line of 101")
        await pilot.press(*"x", "enter")
        await asked(pilot, "A number, or two with a colon")
        pilot.app.screen.query_one(Input).value = "9" * 5_000  # more digits than Python takes for a number
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptDialog) and pilot.app.screen.words.startswith("999"))
        await pilot.press("ctrl+u", *"50:4", "enter")
        await shows(pilot, "50:4 · saved")
        assert area.cursor_location == (49, 3)
        # lines are moved, duplicated and deleted, each as one step
        area.put("a\nb\nc\n")
        await pilot.press("alt+up")
        assert area.text == "a\nb\nc\n"
        await pilot.press("alt+down")
        assert area.text == "b\na\nc\n" and area.cursor_location == (1, 0)
        await pilot.press("shift+down", "shift+end", "alt+up")
        assert area.text == "a\nc\nb\n"
        await pilot.press("alt+down", "alt+down")
        assert area.text == "b\na\nc\n", "nothing goes below the last line break"
        await pilot.press("ctrl+z", "ctrl+z")
        assert area.text == "b\na\nc\n"
        await pilot.press("ctrl+home", "alt+d")
        assert area.text == "b\nb\na\nc\n" and area.cursor_location == (1, 0)
        await pilot.press("alt+k")
        assert area.text == "b\na\nc\n"
        await pilot.press("ctrl+z", "ctrl+z")
        assert area.text == "b\na\nc\n"
        # typing is taken back word by word
        area.put("")
        await pilot.press(*"one two", "space", *"three")
        for left in ("one two ", "one ", ""):
            await pilot.press("ctrl+z")
            assert area.text == left
        await pilot.press("ctrl+y", "ctrl+y")
        assert area.text == "one two "
        # words are found in either case, and replaced one by one or all
        area.put("Port a\nport b\nPORT c port\n")
        await pilot.press("ctrl+f", *"port", "enter")
        await shows(pilot, "1 of 4")
        await pilot.press("down", "down")
        await shows(pilot, "3 of 4")
        assert area.selected_text == "PORT"
        await pilot.press("up")
        await shows(pilot, "2 of 4")
        await pilot.press("ctrl+r", *"gate", "enter")
        await until(pilot, lambda: area.text == "Port a\ngate b\nPORT c port\n" and area.selected_text == "PORT")
        await pilot.press("ctrl+r")
        await shows(pilot, "Replaced 3 places")
        assert area.text == "gate a\ngate b\ngate c gate\n"
        await pilot.press("escape", "ctrl+z")
        await until(pilot, lambda: area.text == "Port a\ngate b\nPORT c port\n")
        await pilot.press("ctrl+f", *"gate", "enter", "escape", *"way")
        await until(pilot, lambda: area.text == "Port a\ngateway b\nPORT c port\n")
        # cursors are counted, and esc leaves one before it leaves the editor
        area.put("- [ ] port\n- port\n")
        await pilot.press("end", "ctrl+d", "ctrl+d")
        await shows(pilot, "2 cursors · esc one", "2 selected: keys act on all of them, esc leaves one.")
        await pilot.press("x", "escape")
        await shows(pilot, "2:4 · unsaved")
        assert area.text == "- [ ] x\n- x\n" and area.has_focus
        await pilot.press("ctrl+p", *"tick the box")
        await shows(pilot, "alt+x")
        await pilot.press("enter")
        await until(pilot, lambda: area.text == "- [ ] x\n- [ ] x\n")
        await pilot.press("ctrl+s")
        await shows(pilot, "· saved")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await pilot.press("ctrl+p", *"tick the box", "enter")
        await shows(pilot, "Nothing is being edited")
