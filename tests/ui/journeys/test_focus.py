"""After every verb the focus is on a list or a text, never in a line that would take the next key for a letter."""

from __future__ import annotations

from pathlib import Path

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


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_deleting_the_only_file_of_a_filter_leaves_u_an_undo(store: AStore, size: tuple[int, int]) -> None:
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("slash", *"alpha", "enter", "j", "d")
        await until(pilot, lambda: not store.at("~/notes/alpha.md").exists())
        await shows(pilot, "u to undo")
        await pilot.pause(0.2)
        assert not typing(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/alpha.md").exists())
        await until(pilot, lambda: (ref := pilot.app.main.tree_pane.file_at_cursor()) is not None and ref.name == "alpha")
        assert not typing(pilot.app)


async def test_renaming_out_of_a_filter_leaves_the_focus_on_the_tree(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("slash", *"alpha", "enter", "j", "r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"gamma", "enter")
        await until(pilot, lambda: store.at("~/notes/gamma.md").exists())
        await shows(pilot, "Renamed alpha to gamma.")
        await pilot.pause(0.2)
        assert not typing(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/alpha.md").exists())


@pytest.mark.parametrize("after", ["enter", "escape"])
async def test_deleting_from_the_viewer_with_its_find_line_open(store: AStore, after: str) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("slash", *"alpha", "enter", "j", "enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("slash", *"words", after)
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("d")
        await asked(pilot, "This deletes the whole file")
        await pilot.press("down", "enter")
        await until(pilot, lambda: not store.at("~/notes/alpha.md").exists())
        await pilot.pause(0.8)
        assert not typing(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/alpha.md").exists())


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


@pytest.mark.parametrize("verb", ["x", "d", "p", "X"])
async def test_triage_verbs_under_a_filter_keep_the_focus_on_the_list(store: AStore, verb: str) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "first")
        await pilot.press("slash", *"first", "enter", verb)
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") != b"- [ ] first\n- [ ] second\n")
        await shows(pilot, "u to undo")
        await pilot.pause(0.2)
        assert pilot.app.screen.focused.id == "todos"
        await pilot.press("u")
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") == b"- [ ] first\n- [ ] second\n")


async def test_undoing_a_delete_puts_the_cursor_on_the_file(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("j", "l", "j", "j", "d")
        await until(pilot, lambda: not store.at("~/notes/alpha.md").exists())
        await shows(pilot, "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/alpha.md").exists())
        await until(pilot, lambda: getattr(pilot.app.main.tree_pane.file_at_cursor(), "name", "") == "alpha", seconds=3)
        await shows(pilot, "alpha words")
        await pilot.pause(1.2)
        assert pilot.app.main.tree_pane.file_at_cursor().name == "alpha"
        await pilot.press("g", "d")
        await until(pilot, lambda: getattr(pilot.app.main.tree_pane.file_at_cursor(), "path", "") != "MEMORY.md")
        await pilot.press("u")
        await until(pilot, lambda: getattr(pilot.app.main.tree_pane.file_at_cursor(), "path", "") == "MEMORY.md", seconds=3)


async def test_after_a_rename_the_viewer_and_the_status_line_follow(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("slash", *"alpha", "enter", "j")
        await shows(pilot, "alpha words")
        await pilot.press("r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"gamma", "enter")
        await until(pilot, lambda: store.at("~/notes/gamma.md").exists())
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "gamma", seconds=3)
        await pilot.pause(0.8)
        text = screen_text(pilot.app)
        assert "Nothing is here" not in text and "alpha words" in text and "note gamma" in pilot.app.main.status.left
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/alpha.md").exists())
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "alpha", seconds=3)
        assert "note alpha" in pilot.app.main.status.left


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
