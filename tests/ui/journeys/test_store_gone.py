"""The memory folder is renamed away or deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import NOW_NS, an_app, running, screen_text, shows, until, watching
from tests.ui.several import CLAUDE, Machine
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.history import verbs as history_verbs


@pytest.mark.slow
async def test_every_verb_says_that_the_store_is_gone_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n")
    away = tmp_path / "away"
    async with running(an_app(store), size=(200, 40)) as pilot:
        await pilot.press("e")
        await shows(pilot, "saved")
        await pilot.press("x")
        store.root.rename(away)
        await pilot.press("ctrl+s")
        await shows(pilot, "is gone: renamed", "still here.")
        assert not store.root.exists()
        away.rename(store.root)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"x- one\n" and not pilot.app.main.editor.unsaved)
        await pilot.press("escape")
        store.root.rename(away)
        await shows(pilot, "The memory cannot be read.", "is gone: renamed")
        await pilot.press("u")
        await shows(pilot, "Nothing was written.")
        assert not store.root.exists()
        away.rename(store.root)
        await shows(pilot, "x- one")
    assert store.raw("MEMORY.md") == b"x- one\n"


@pytest.mark.slow
@pytest.mark.parametrize("is_before", [False, True], ids=["while it runs", "before the start"])
async def test_a_deleted_memory_is_told_everywhere_and_comes_back_as_one_step_after_a_question(
    tmp_path: Path, is_before: bool
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/notes/plan.md", "p\n").has("~/notes/way.md", "w\n")
    was = store.tree()
    if is_before:
        async with running(an_app(store)) as pilot:
            await watching(pilot)
        shutil.rmtree(store.root)
    async with running(an_app(store), size=(140, 40)) as pilot:
        if not is_before:
            await watching(pilot)
            shutil.rmtree(store.root)
        await shows(pilot, "! zerostack's memory is gone: 3 files. W brings them back", "cannot be read", "renamed, or its disk")
        assert await history_verbs.mend(pilot.app.main, pilot.app.main.here) == ("", {}), "not said a second time, at each start"
        for key in "s0876543":
            await pilot.press(*("s", "o", "n", "e") if key == "s" else key)
            await shows(pilot, "3 files. Its")
            assert "adds one" not in screen_text(pilot.app) and "a in the tree" not in screen_text(pilot.app), key
            await pilot.press("escape")
        await pilot.press("W")
        await shows(pilot, "Make it anew", str(tmp_path)[:40])
        await pilot.press("enter")
        await until(pilot, lambda: "Make it anew" not in screen_text(pilot.app))
        assert not store.root.exists()
        await pilot.press("W")
        await shows(pilot, "Make it anew")
        await pilot.press("down", "enter")
        await until(pilot, lambda: store.root.exists() and store.tree() == was)
        await until(pilot, lambda: "is gone" not in screen_text(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: not store.tree())
        await shows(pilot, "3 files. W brings them back")
        await pilot.press("W")
        await shows(pilot, "It is meant so")
        await pilot.press("end", "enter")
        await shows(pilot, "stay away")
        await until(pilot, lambda: "is gone" not in screen_text(pilot.app))


@pytest.mark.parametrize(("key", "found"), [("7", "1 fact"), ("8", "Nothing found in this memory")])
async def test_an_empty_list_says_that_the_memory_it_is_about_is_gone(tmp_path: Path, key: str, found: str) -> None:
    store = (
        AStore(tmp_path / "store").has("projects/other-11112222/notes/o.md", "theirs\n").has("~/notes/plan.md", text := "p\n" * 9)
    )
    async with running(an_app(store), (140, 30)) as pilot:
        await watching(pilot)
        await pilot.press(key)
        await shows(pilot, found)
        shutil.rmtree(store.at("~/"))
        await shows(pilot, "Its memory is gone: W brings it back.")
        store.has("~/notes/plan.md", text)
        await shows(pilot, found)


@pytest.mark.slow
async def test_all_that_the_banner_names_comes_back_at_once(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/notes/plan.md", "p\n" * 9).has("~/notes/way.md", "w\n")
    was = store.tree()
    async with running(an_app(store)) as pilot:
        await watching(pilot)
        shutil.rmtree(store.at("~/"))
        await shows(pilot, "memory is gone: 2 files. W brings them back")
        await pilot.press("1", "end")
        await shows(pilot, "Its memory is gone: W brings it back.")
        await pilot.press("W")
        await until(pilot, lambda: store.tree() == was)
        await shows(pilot, "Brought back 2 files of demo-1a2b3c4d", "2 demo-1a2b3c4d · note plan")
        at = pilot.app.main.tree_pane.file_at_cursor()
        assert at is not None and at.name == "plan", "the cursor stands on what came back"
        shutil.rmtree(store.at("~/"))
        await shows(pilot, "memory is gone: 2 files. W brings them back")
        await pilot.press("home", "W")
        await until(pilot, lambda: store.tree() == was)
        at = pilot.app.main.tree_pane.file_at_cursor()
        assert at is not None and at.path == "MEMORY.md", "the cursor stays on its file"


async def test_of_what_comes_back_the_memory_here_is_shown_and_not_the_instructions_before_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.looked_at()
    async with running(ZsmemApp(machine.sessions()[1], now_ns=lambda: NOW_NS), size=(140, 40)) as pilot:
        await watching(pilot)
        shutil.rmtree(machine.claude.root)
        await shows(pilot, "Claude Code's memory is gone: 4 files. W brings them back")
        await pilot.press("W")
        await shows(pilot, "Make it anew")
        await pilot.press("down", "enter")
        await shows(pilot, "Brought back 4 files")
        await until(pilot, lambda: pilot.app.main.viewer.file is not None)
        assert pilot.app.main.tree_pane.file_at_cursor() == pilot.app.main.viewer.file.ref
        assert pilot.app.main.viewer.file.ref.path == f"{CLAUDE}/MEMORY.md"
