"""Texts and names that try to be more than text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.events import Paste

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, typed
from tests.ui.several import at
from zsmem_tui.ui.program import ControlCharFilter
from zsmem_tui.ui.widgets.bars import KeyBar

PAYLOADS = [
    "[/]",
    "[/nope] [link=http://x]y[/link]",
    "[@click=app.quit]press[/]",
    "[bold red]x",
    "a[0] [ ] [x] [b]",
    "\x1b]52;c;aGFja2Vk\x07",
    "\x1b[2J\x1b[31mred",
    "\x9b31mC1",
    "\x00\x07\x08\x0e\x7f",
    "\u202eevil\u202c \u2066x\u2069",
    "zero\u200bwidth\ufeff",
    "tab\there",
    "記憶 👍 👨‍👩‍👧 é",
]


def hostile_store(root: Path) -> AStore:
    store = AStore(root).has("MEMORY.md", "".join(f"# {each}\n- {each}\n`{each}`\n> {each}\n" for each in PAYLOADS))
    store.has("~/SCRATCHPAD.md", "".join(f"- [ ] {each}\n" for each in PAYLOADS))
    notes = os.fsencode(store.at("~/notes"))
    os.makedirs(notes)
    names = [each.replace("/", "-").replace("\0", "").encode("utf-8", "surrogateescape") for each in PAYLOADS] + [b"caf\xe9"]
    for name in names:
        Path(os.fsdecode(os.path.join(notes, name + b".md"))).write_bytes(b"---\ntitle: [/]\n---\n# h\nwords \x1b[31m\n")
    store.has(f"projects/{PAYLOADS[3]}-x/SCRATCHPAD.md", "- [ ] x\n")
    return store


@pytest.mark.parametrize("size", [pytest.param((120, 40), marks=pytest.mark.slow), (50, 16)])
async def test_hostile_texts_and_names_are_only_ever_text(tmp_path: Path, size: tuple[int, int]) -> None:
    store = hostile_store(tmp_path / "store")
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("l", "j", "l")
        for _ in range(18):
            await pilot.press("j")
            await pilot.pause()
        await pilot.press("g", "enter", "R", "R", "G", "O", "escape", "1", "s")
        await typed(pilot, "[/ words")
        await pilot.press("down", "j", "j", "enter")
        await pilot.press("slash", *"[x]", "enter", "n", "escape", "escape", "f1", "escape", "ctrl+p", "[", "slash", "escape")
        await pilot.pause()
        text = screen_text(pilot.app)
        assert pilot.app.is_running
        assert not any(char in text for char in "\x1b\x07\x9b\x00\x7f\u202e")


async def test_a_click_in_a_file_runs_nothing_a_paste_into_the_search_line_is_cut_and_what_cannot_be_shown_says_why(
    tmp_path: Path,
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "[@click=app.quit]press me[/]\n")
    store.has("~/notes/latin.md", b"caf\xe9 here\n").has("~/notes/empty.md", "")
    store.at("~/notes/folder.md").mkdir()
    store.at("~/notes/gone.md").symlink_to(tmp_path / "nowhere.md")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "press me")
        await pilot.click("#page", offset=(5, 1))
        await pilot.pause()
        assert pilot.app.is_running
        await pilot.press("s")
        pilot.app.focused.post_message(Paste("first\nsecond " + "x" * 200_000))
        await shows(pilot, "The query was cut at 2,000")
        assert pilot.app.main.search.line.value.startswith("first second xxx")
        assert len(pilot.app.main.search.line.value) == 2_000
        await pilot.press("escape", "escape", "1")
        await at(pilot, "empty.md")
        await shows(pilot, "This file is empty.")
        await pilot.press("j")
        await shows(pilot, "! unreadable", "It cannot be shown.", "enter Open  a Add")
        await pilot.press("j")
        await shows(pilot, "Nothing is here any more", "enter Open  a Add")
        await pilot.press("enter")
        await shows(pilot, "Nothing is here any more", "/ Find")
        assert not {"file.edit", "file.delete"} & {each.id for each in pilot.app.main.query_one(KeyBar)._actions}
        await pilot.press("1", "j")
        await shows(pilot, "not valid UTF-8, so agents cannot read it", "caf\ufffd here", "enter Open  e Edit  d Delete")


def test_the_last_net_lets_no_control_character_through() -> None:
    segments = [Segment(text) for text in PAYLOADS] + [Segment("\udcff")]
    out = "".join(segment.text for segment in ControlCharFilter().apply(segments, Color(0, 0, 0)))
    assert all(char.isprintable() or ord(char) in (0x200B, 0x200D, 0xFEFF) for char in out)


@pytest.mark.parametrize("kind", ["file", "dangling"])
async def test_a_root_that_cannot_be_read_is_a_sentence(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "store"
    store = AStore(root)
    root.rmdir()
    if kind == "file":
        root.write_text("x")
    else:
        root.symlink_to(tmp_path / "nowhere")
    async with running(an_app(store), size=(200, 40)) as pilot:
        await shows(pilot, "The memory cannot be read.", "Nothing was changed.")


@pytest.mark.slow
async def test_two_thousand_hits_show_fifty_and_more_on_request(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store")
    for number in range(2_000):
        store.has(f"~/notes/n{number:04}.md", "needle\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"needle", "down")
        await shows(pilot, "top 50 of 2,000 files · n in the list shows more")
        await pilot.press("down", "n")
        await shows(pilot, "top 100 of 2,000 files")
