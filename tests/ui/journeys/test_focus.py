"""After every verb the focus is on a list or a text, never in a line that would take the next key for a letter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tests.builders import AStore
from tests.ui.driving import an_app, asked, running, screen_text, shows, until
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.ui.memory.editor import FindLine
from zsmem_tui.ui.memory.pane_focus import unless_gone
from zsmem_tui.ui.messages import FileChosen

OTHER = "other-99999999"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "# Facts\n\n- one\n- two\n")
        .has("~/notes/alpha.md", "# alpha\n\nalpha words\n")
        .has("~/notes/beta.md", "# beta\n\nbeta words\n")
        .has("~/SCRATCHPAD.md", "- [ ] first\n- [ ] second\n")
        .has(f"projects/{OTHER}/notes/n.md", "x\n")
    )


def typing(app: object) -> bool:
    return isinstance(app.screen.focused, Input) or app.screen.focused is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(120, 40), pytest.param((80, 24), marks=pytest.mark.slow)])
async def test_after_deleting_renaming_and_undoing_keys_are_keys_and_cursor_viewer_and_status_line_follow(
    store: AStore, size: tuple[int, int]
) -> None:
    def at_cursor(pilot: Any) -> str:
        return getattr(pilot.app.main.tree_pane.file_at_cursor(), "path", "")

    alpha = store.at("~/notes/alpha.md")
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("slash", *"alpha", "enter", "j", "d")
        await until(pilot, lambda: not alpha.exists())
        await shows(pilot, "u to undo")
        await pilot.pause(0.2)
        assert not typing(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: alpha.exists())
        await until(pilot, lambda: "alpha" in at_cursor(pilot))
        assert not typing(pilot.app)
        await pilot.press("r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"gamma", "enter")
        await until(pilot, lambda: store.at("~/notes/gamma.md").exists())
        await shows(pilot, "Renamed alpha to gamma.")
        await pilot.pause(0.2)
        assert not typing(pilot.app)
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "gamma")
        await pilot.pause(0.8)
        text = screen_text(pilot.app)
        assert "Nothing is here" not in text and "note gamma" in pilot.app.main.status.left
        await pilot.press("u")
        await until(pilot, lambda: alpha.exists())
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "alpha")
        assert "note alpha" in pilot.app.main.status.left
        for after in ("enter", "escape"):  # from the viewer, its find line open
            await pilot.press("escape", "1", "slash", "ctrl+u", *"alpha", "enter", "j", "enter")
            await until(pilot, lambda: pilot.app.focused.id == "page")
            await pilot.press("slash", "ctrl+u", *"words", after)
            await until(pilot, lambda: pilot.app.focused.id == "page")
            await pilot.press("d")
            await asked(pilot, "This deletes the whole file")
            await pilot.press("down", "enter")
            await until(pilot, lambda: not alpha.exists())
            await pilot.pause(0.5)
            assert not typing(pilot.app)
            await pilot.press("u")
            await until(pilot, lambda: alpha.exists())
        await pilot.press("escape", "escape", "1", "slash", "ctrl+u", "escape", "g", *"jjj")
        await until(pilot, lambda: "alpha" in at_cursor(pilot))
        for keys, name in ((["d"], "alpha"), (["g", "d"], "MEMORY.md")):  # no filter: the cursor comes back to the file
            await pilot.press(*keys)
            await shows(pilot, "Deleted", "u to undo")
            await until(pilot, lambda name=name: name not in at_cursor(pilot))  # type: ignore[misc]
            await pilot.press("u")
            await until(pilot, lambda name=name: name in at_cursor(pilot), seconds=3)  # type: ignore[misc]
            await pilot.pause(0.6)
            assert name in at_cursor(pilot)


async def test_hits_that_vanish_keep_the_focus(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"alpha", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        store.at("~/notes/alpha.md").unlink()
        await shows(pilot, "Nothing found here")
        await pilot.pause(0.2)
        assert pilot.app.focused.id == "hits"
        await pilot.press("k")
        await until(pilot, lambda: pilot.app.focused.id == "query")


async def test_a_file_that_is_emptied_or_gone_keeps_the_viewers_focus(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("2")
        for content in (b"", b"again\n"):
            store.has("MEMORY.md", content)
            await shows(pilot, "This file is empty." if not content else "again")
            assert pilot.app.focused.id == "page"
        store.at("MEMORY.md").unlink()
        await shows(pilot, "Nothing is here any more")
        assert pilot.app.focused.id == "page"


async def test_triage_verbs_under_a_filter_keep_the_focus_on_the_list(store: AStore) -> None:
    before = store.raw("~/SCRATCHPAD.md")
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "first")
        await pilot.press("slash", *"first", "enter")
        for verb in ("x", "d", "p", "X"):
            await pilot.press(verb)
            await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") != before)
            await shows(pilot, "u to undo")
            await pilot.pause(0.2)
            assert pilot.app.screen.focused.id == "todos", verb
            await pilot.press("u")
            await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") == before)
            await shows(pilot, "Undid", "☐ first")


async def test_an_answer_that_comes_when_the_panes_are_gone_is_nobodys(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        going = main.query_one("#body").remove()
        with unless_gone(main):
            main.tree_pane.query_one("#gone-before-the-pane")
        await going
        await main.open_file(FileChosen(MemRef("MEMORY.md", Role.FACTS))).wait()
        await main.follow().wait()


async def test_a_hidden_line_of_the_editor_that_is_handed_the_focus_before_the_text_is_there_gives_it_to_the_viewer(
    store: AStore,
) -> None:
    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        await main.editor.mount(FindLine(id="editor-find", classes="line-input"))
        main.query_one("#editor-find").focus()
        await until(pilot, lambda: pilot.app.focused is main.viewer.view)
        assert main.current == "viewer"
