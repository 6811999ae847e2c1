"""The conflict dialog: it opens where both sides clash, and goes from one clash to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, until
from zsmem_tui.ui.dialogs.conflict import ConflictDialog

BASE = "".join(f"- fact number {number}\n" for number in range(200))
MINE = (
    BASE.replace("number 150\n", "number one-fifty MINE\n")
    .replace("number 40\n", "number forty MINE\n")
    .replace("number 90\n", "90\n")
)
THEIRS = BASE.replace("number 150\n", "number 150 THEIRS\n").replace("- fact number 40\n", "").replace("number 10\n", "10!\n")


def the_styles(app: object, words: str) -> set[str]:
    found = set()
    for strip in app.screen._compositor.render_strips():  # type: ignore[attr-defined]
        for segment in strip:
            if segment.text == words and segment.style:
                found.add(str(segment.style.bgcolor))
    return found


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_it_opens_at_the_first_conflict_and_n_goes_to_the_next(tmp_path: Path, size: tuple[int, int]) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", BASE)
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        pilot.app.main.editor.area.put(MINE)
        store.has("MEMORY.md", THEIRS)
        await pilot.press("ctrl+s")
        await shows(pilot, "Conflict 1 of 2", "number forty MINE", "deleted here")
        assert "fact number 0\n" not in screen_text(pilot.app)
        await pilot.press("n")
        await shows(pilot, "Conflict 2 of 2", "fact number 150 THEIRS", "fact number one-fifty MINE")
        assert the_styles(pilot.app, "THEIRS") and the_styles(pilot.app, "THEIRS") != the_styles(pilot.app, "fact number ")
        await pilot.press("n")
        await shows(pilot, "Conflict 1 of 2", "number forty MINE")
        await pilot.press("N")
        await shows(pilot, "Conflict 2 of 2", "150 THEIRS")
        await pilot.press("G")
        await shows(pilot, "number 199")
        await pilot.press("tab", "tab")
        await until(pilot, lambda: pilot.app.screen.focused.id == "result")
        await pilot.press("ctrl+n", "ctrl+n")
        assert pilot.app.screen.focused.cursor_location[0] == 150
        await pilot.press(*"nN", "ctrl+s")
        await until(pilot, lambda: b"nN- fact number 150 THEIRS\n- fact number one-fifty MINE" in store.raw("MEMORY.md"))
        assert b"10!\n" in store.raw("MEMORY.md") and b"- fact 90\n" in store.raw("MEMORY.md")


@pytest.mark.parametrize("mine", ["", "x", "a\r\nb\n", "- [x] [bold]\x1b[2J\n", "\n\n\n"])
async def test_texts_of_every_shape_can_be_shown(tmp_path: Path, mine: str) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "one\n")
    async with running(an_app(store)) as pilot:
        answer: list[str | None] = []
        dialog = ConflictDialog("n", mine, "two\n", "two\n" + mine, base="one\n")
        pilot.app.push_screen(dialog, answer.append)
        await shows(pilot, "Theirs, on disk")
        await pilot.press("n", "N", "f4")
        await until(pilot, lambda: answer == [mine])
