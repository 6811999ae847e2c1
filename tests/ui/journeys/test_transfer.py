"""Import and export in the running program: the plan, ticks, the diff, Apply and undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.service.test_importing import CLAUDE, NOTES
from tests.ui.driving import an_app, pasted, running, screen_text, shows, until
from zsmem_tui.agents.claude_code.naming import encoded
from zsmem_tui.service import bundles


@pytest.fixture
def store(tmp_path: Path, away_from_home: Path) -> AStore:
    place = away_from_home / ".claude/projects" / encoded("/code/lantern") / "memory"
    place.mkdir(parents=True)
    for file in CLAUDE.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    return AStore(tmp_path / "memory").has("~/notes/reference_tracker.md", "mine\n")


def the_app(store: AStore):  # type: ignore[no-untyped-def]
    app = an_app(store)
    app._session.folder = "/code/lantern"
    return app


async def test_what_is_found_is_planned_shown_applied_and_undone(store: AStore) -> None:
    before = store.tree()
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "claude-code · 4 items, 4 new", "Bring in", "Take out")
        await pilot.press("enter")
        await shows(pilot, "nothing is written before A", "☑ + Run", "☐ ! Hardware bugs", "conflict skip")
        await shows(pilot, "skipped", "prompt +", "MEMORY.md, as it would be", "+ - Run `make check`")
        assert store.tree() == before
        await pilot.press("c")
        await shows(pilot, "on conflict rename", "☑ ! Hardware bugs")
        await pilot.press("space")
        await shows(pilot, "☐ + Run `make check`")
        await pilot.press("A")
        await shows(pilot, "Imported 3 items from claude-code into 3 files.", "u to undo")
        assert store.raw("MEMORY.md") == b"- Ann has ten years of firmware work and is new to the web panel.\n"
        assert store.raw(f"{NOTES}/reference_tracker-2.md").startswith(b"Hardware")
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)


async def test_words_and_target_of_an_item_can_be_changed(store: AStore) -> None:
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "claude-code · 4 items")
        await pilot.press("enter")
        await shows(pilot, "☑ + Run")
        await pilot.press("e")
        await shows(pilot, "The words to take:")
        await pilot.press("ctrl+u", *"Check", "enter")
        await shows(pilot, "☑ + Check")
        await pilot.press("m")
        await shows(pilot, "Take it into:")
        await pilot.press("G", "end", "enter")
        await shows(pilot, "The name of the note:")
        await pilot.press("ctrl+u", *"rules", "enter")
        await shows(pilot, "note rules")
        await pilot.press("A")
        await until(pilot, lambda: store.at("~/notes/rules.md").exists())
        assert store.raw("~/notes/rules.md") == b"- Check\n"


async def test_a_bundle_goes_out_and_comes_in(store: AStore, tmp_path: Path) -> None:
    place = tmp_path / "all.tar.gz"
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "the whole store in one file")
        rows = pilot.app.screen.rows
        out = next(key for key in rows.keys if key[0] == "source" and pilot.app.screen._sources[key[1]].out)
        rows.show(rows.keys, cursor=out)
        await pilot.press("enter")
        await shows(pilot, "The .tar.gz file:")
        await pasted(pilot, str(place))
        await pilot.press("enter")
        await until(pilot, place.exists)
        store.at("~/notes/reference_tracker.md").unlink()
        came = next(key for key in rows.keys if key[0] == "source" and pilot.app.screen._sources[key[1]].words.startswith("bundle"))
        rows.show(rows.keys, cursor=came)
        await pilot.press("enter")
        await shows(pilot, "The .tar.gz file:")
        await pasted(pilot, str(place))
        await pilot.press("enter")
        await shows(pilot, "1 of 1 files would be written", "+ mine")
        await pilot.press("A")
        await until(pilot, lambda: store.at("~/notes/reference_tracker.md").exists())


async def choose(pilot, words: str, answer: str, *, out: bool = False) -> None:  # type: ignore[no-untyped-def]
    screen = pilot.app.screen
    rows = screen.rows
    key = next(
        key
        for key in rows.keys
        if key[0] == "source" and screen._sources[key[1]].out is out and words in screen._sources[key[1]].words
    )
    rows.show(rows.keys, cursor=key)
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.screen is not screen)
    await pasted(pilot, answer)
    await pilot.press("enter")


async def test_a_bundle_that_vanishes_is_said_and_the_screen_lives(store: AStore, tmp_path: Path) -> None:
    other = AStore(tmp_path / "other").has("MEMORY.md", "fact\n").has("~/notes/x.md", "x\n")
    place = tmp_path / "b.tar.gz"
    bundles.export_to(other.session(), str(place))
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "the whole store in one file")
        await choose(pilot, "bundle", str(place))
        await shows(pilot, "2 of 2 files would be written", "Nothing is written before A.")
        assert "Reading" not in screen_text(pilot.app)
        place.unlink()
        await pilot.press("j")
        await shows(pilot, "No such file or directory. Nothing was written")
        await pilot.press("A")
        await shows(pilot, "No such file or directory. Nothing was written")
        assert not store.at("MEMORY.md").exists()


async def test_what_an_agent_wrote_since_the_plan_is_shown_and_the_plan_made_anew(store: AStore, tmp_path: Path) -> None:
    other = AStore(tmp_path / "other").has("MEMORY.md", "fact\n").has("~/notes/x.md", "x\n")
    place = tmp_path / "b.tar.gz"
    bundles.export_to(other.session(), str(place))
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "the whole store in one file")
        await choose(pilot, "bundle", str(place))
        await shows(pilot, "2 of 2 files would be written")
        store.has("MEMORY.md", "the agent's\n")
        await pilot.press("A")
        await shows(pilot, "Somebody changed MEMORY.md since the plan was made", "1 of 2 files would be written")
        assert store.raw("MEMORY.md") == b"the agent's\n"
        await pilot.press("enter", "A")
        await shows(pilot, "Imported 1 file; 1 were there already or left out. · u to undo")
        await pilot.press("escape")
        await shows(pilot, "Imported 1 file")
        assert "changed on disk" not in screen_text(pilot.app)


async def test_an_export_that_cannot_be_is_said_and_one_that_is_not_wanted_too(store: AStore, tmp_path: Path) -> None:
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "the whole store in one file")
        await pilot.press("A")
        await shows(pilot, "Choose what to bring in first")
        await choose(pilot, "markdown", "/dev/null/x", out=True)
        await shows(pilot, "is not a folder")
        await choose(pilot, "bundle", "/dev/null/x", out=True)
        await shows(pilot, "Not a directory. Nothing was written")
        await choose(pilot, "markdown", str(tmp_path / "out"), out=True)
        await shows(pilot, "Write nothing")
        await pilot.press("enter")
        await shows(pilot, "Nothing was written.")
        await choose(pilot, "markdown", str(tmp_path / "out"), out=True)
        await shows(pilot, "Write nothing")
        await pilot.press("j", "enter")
        await shows(pilot, "Wrote 1 file to")
        await pilot.press("u")
        await until(pilot, lambda: not (tmp_path / "out/notes/reference_tracker.md").exists())


async def test_a_folder_that_is_no_memory_is_said(store: AStore, tmp_path: Path) -> None:
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "zerostack · from a folder")
        await pilot.press("j", "enter")
        await shows(pilot, "The folder:")
        await pasted(pilot, str(tmp_path / "gone"))
        await pilot.press("enter")
        await shows(pilot, "No such file or directory")
        await pilot.press("space", "A", "slash", *"x", "escape", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main or "Import and export" in screen_text(pilot.app))


@pytest.mark.parametrize("size", [(20, 6), (60, 20), pytest.param((200, 60), marks=pytest.mark.slow)])
async def test_at_every_size(store: AStore, size: tuple[int, int]) -> None:
    async with running(the_app(store), size=size) as pilot:
        await pilot.press("f4")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.3)
        await pilot.press("j", "G", "enter", "n", "escape", "slash", "x", "escape", "escape", "f1")
        await pilot.pause()
