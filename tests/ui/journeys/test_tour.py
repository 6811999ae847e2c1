"""The tour goes over every screen with one key, and says what is seen there."""

from __future__ import annotations

from pathlib import Path

from tests.builders import AStore
from tests.ui.driving import running, shows
from zsmem_tui.service import help
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.bindings import ACTIONS
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.tour import STOPS, stops

MARKS = "●!∅"
"""What stands beside files in the tree."""


def test_every_stop_is_a_heading_of_its_page() -> None:
    titles = [line.removeprefix("## ") for line in help.read("tour").split("\n") if line.startswith("## ")]
    assert titles == list(STOPS) and len(stops()) == len(titles)


def test_the_keys_it_names_are_keys() -> None:
    known = {key_name(key) for action in ACTIONS for key in action.keys.split(",")}
    named = {word for stop in stops() for word in stop.text.split("`")[1::2]}
    assert {word.lower() if len(word) > 1 else word for word in named} - set(MARKS) <= known


async def test_one_key_goes_from_screen_to_screen_and_out_again(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("MEMORY.md", "- tea\n")
    app = ZsmemApp(store.session(), follow=False, tour=True)
    async with running(app, size=(100, 30)) as pilot:
        await shows(pilot, "Tour 1 of 10 · Memory")
        pages = []
        for number, title in enumerate(list(STOPS)[1:], 2):
            await pilot.press("f7")
            await shows(pilot, f"Tour {number} of 10 · {title}")
            pages.append(app.tool.PAGE if app.tool else app.main.current)
        assert pages == ["prompt", "facts", "review", "triage", "search", "doctor", "transfer", "projects", "tree"]
        await pilot.press("f7")
        await shows(pilot, "That was the tour.")
        assert not app.tour_line
