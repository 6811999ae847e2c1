"""Selecting text of the viewer with keys."""

from __future__ import annotations

from pathlib import Path

from tests.builders import AStore
from tests.ui.driving import an_app, running, shows, until


async def test_text_is_selected_with_keys_and_copied(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- **one** 日本\n- two\n- three\n" + "- more\n" * 90)
    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        await until(pilot, lambda: main.viewer.file)
        view = main.viewer.view
        await pilot.press("2", "v")
        await shows(pilot, "y copies · esc drops it", "selecting ·", "y Copy   esc Drop it   V Whole lines   j More   k Less")
        await pilot.press("j", "j", "l", "l", "l", "l", "l", "l", "right")
        assert view.selected_text() == "▌ Facts\n\n• one 日本"
        await pilot.press("h", "y")
        assert pilot.app.clipboard == "▌ Facts\n\n• one 日"
        assert not view.selected_text() and not view.selecting.is_on, "what was copied is not selected any more"

        await shows(pilot, "e Edit")  # the keys of the viewer again
        await pilot.press("V", "down", "down", "down")
        await shows(pilot, "v Characters")
        assert view.selected_text().endswith("• two")
        await pilot.press("y")
        assert pilot.app.clipboard == "# Facts\n\n- **one** 日本\n- two\n"
        await shows(pilot, "Sent 4 lines to")

        await pilot.press("shift+down", "shift+right", "G")
        assert view.scroll_offset.y > 0 and view.selected_text().endswith("• more")
        await pilot.press("escape")
        assert not view.selected_text() and main.current == "viewer", "esc drops what is selected first"

        await pilot.press("g", "v", "R")
        assert not view.selecting.is_on, "the rows of the raw text are others"
        await pilot.press("v", "v")
        await shows(pilot, "Nothing is selected any more")
        await pilot.press("j", "escape")
        await until(pilot, lambda: main.current == "tree")
