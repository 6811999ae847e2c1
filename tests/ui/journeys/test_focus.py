"""After every verb the focus is on a list or a text, never in a line that would take the next key for a letter."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import DescendantFocus
from textual.widgets import Input

from tests.builders import AStore
from tests.ui.driving import an_app, asked, back, running, screen_text, sees_nothing_new, shows, to_the_tree, until
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service import editing, file_ops, history
from zsmem_tui.ui.memory.editor import FindLine
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.memory.tree import ProjectTree
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


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 40), pytest.param((80, 24), marks=pytest.mark.slow)])
async def test_after_deleting_renaming_and_undoing_keys_are_keys_and_cursor_viewer_and_status_line_follow(
    store: AStore, size: tuple[int, int]
) -> None:
    def at_cursor(pilot: Any) -> str:
        return getattr(pilot.app.main.tree_pane.file_at_cursor(), "path", "")

    alpha = store.has(f"projects/{OTHER}/notes/alpha.md", "x\n").at("~/notes/alpha.md")
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("slash", *"alpha", "enter", "d")
        await until(pilot, lambda: not alpha.exists())
        await shows(pilot, "u to undo")
        await pilot.pause(0.2)
        assert pilot.app.main.project_in_view() == store.project
        assert not typing(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: alpha.exists())
        await until(pilot, lambda: "alpha" in at_cursor(pilot))
        assert not typing(pilot.app)
        await pilot.press("r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"gamma", "enter")
        await until(pilot, lambda: store.at("~/notes/gamma.md").exists())
        await shows(pilot, "Renamed alpha to gamma")
        await pilot.pause(0.2)
        assert not typing(pilot.app)
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "gamma")
        await pilot.pause(0.8)
        text = screen_text(pilot.app)
        assert "Nothing is here" not in text and "note gamma" in str(pilot.app.main.viewer.border_title)
        await pilot.press("u")
        await until(pilot, lambda: alpha.exists())
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.name == "alpha")
        assert "note alpha" in str(pilot.app.main.viewer.border_title)
        for after in ("enter", "escape"):  # from the viewer, its find line open
            await pilot.press("escape", "1", "slash", "ctrl+u", *"alpha", "enter", "enter")
            await until(pilot, lambda: pilot.app.focused.id == "page")
            await pilot.press("slash", "ctrl+u", *"words", after)
            await until(pilot, lambda: pilot.app.focused.id == "page")
            await pilot.press("d")
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


@pytest.mark.slow
async def test_the_focus_and_the_cursor_are_the_persons_whatever_comes_late_vanishes_or_has_no_row(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(_: object, event: object) -> None:
        await asyncio.sleep(0.3)

    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        # a key right after the program put the cursor somewhere
        notes = [MemRef(f"projects/{store.project}/notes/{name}.md", Role.NOTE, store.project, name) for name in ("alpha", "beta")]
        assert main.tree_pane.reveal(main.here.key, notes[1])
        main.tree_pane.project_tree.action_move(-1)
        await until(pilot, lambda: main.viewer.file is not None and main.viewer.file.ref == notes[0])
        # where the program puts the cursor it opens nothing, when the tree tells late of it too
        await until(pilot, lambda: main.viewer.file is not None)
        shown = main.viewer.file
        with monkeypatch.context() as patch:
            patch.setattr(ProjectTree, "on_row_list_moved", late, raising=False)
            assert main.tree_pane.reveal(main.here.key, notes[1])
            await pilot.pause(0.8)
            assert main.viewer.file is shown and main.tree_pane.file_at_cursor() == notes[1]
        # a pane that tells late of its focus does not take the keys of the one in use
        await pilot.press("1")
        await until(pilot, lambda: main.focused is main.tree_pane.project_tree)
        main.post_message(DescendantFocus(main.query_one("#page")))
        await pilot.press("H")
        await until(pilot, lambda: pilot.app.tool is not None)
        assert main.current == "tree"
        await back(pilot)
        # a file that the tree has no row of is still what verbs are about
        gamma = MemRef(f"projects/{store.project}/notes/gamma.md", Role.NOTE, store.project, "gamma")
        with monkeypatch.context() as patch:
            sees_nothing_new(pilot.app, patch)
            store.has("~/notes/gamma.md", "not yet in the tree\n")
            main.post_message(FileChosen(gamma, enter=True, store=main.here.key))
            await shows(pilot, "not yet in the tree")
            await pilot.press("1")
            await until(pilot, lambda: main.current == "tree")
            assert main.file_meant() == gamma and main.project_meant() == store.project
        await main.look_now()
        tree = main.tree_pane.project_tree
        await until(pilot, lambda: tree.key is not None and tree.key.ref == gamma)
        assert main.viewer.file.ref == gamma
        await pilot.press("k")
        await until(pilot, lambda: main.viewer.file.ref != gamma and main.file_meant() == main.viewer.file.ref)
        # hits that vanish, a file that is emptied or gone
        await pilot.press("s", *"alpha", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        store.at("~/notes/alpha.md").unlink()
        await shows(pilot, "No memory file holds")
        await pilot.pause(0.2)
        assert pilot.app.focused.id == "hits"
        await pilot.press("k")
        await until(pilot, lambda: pilot.app.focused.id == "query")
        await pilot.press("escape")
        await to_the_tree(pilot)
        await pilot.press("2")
        for content in (b"", b"again\n"):
            store.has("MEMORY.md", content)
            await shows(pilot, "This file is empty." if not content else "again")
            assert pilot.app.focused.id == "page"
        store.at("MEMORY.md").unlink()
        await shows(pilot, "Nothing is here any more")
        assert pilot.app.focused.id == "page"
        store.has("MEMORY.md", "- one\n")
        await main.look_now()
        await shows(pilot, "• one")
        # a hidden line of the editor that is handed the focus before there is a text
        await main.editor.mount(FindLine(id="editor-find", classes="line-input"))
        main.query_one("#editor-find").focus()
        await until(pilot, lambda: pilot.app.focused is main.viewer.view)
        assert main.current == "viewer"


async def test_an_undo_moves_the_cursor_only_back_to_where_a_step_had_taken_it_from(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- fact\n")
    for name in ("alpha", "beta", "gamma", "omega"):
        store.has(f"~/notes/{name}.md", f"about {name}\n")
    async with running(app := an_app(store)) as pilot:
        main = app.main

        async def on(name: str) -> None:
            await until(pilot, lambda: not app.conversations.begun)
            await until(pilot, lambda: getattr(main.file_meant(), "name", "") == name)
            await until(pilot, lambda: main.viewer.file is not None and main.viewer.file.ref.name == name)

        async def step(*keys: str, says: str) -> None:
            await pilot.press(*keys)
            await shows(pilot, says)

        ref = main.session.ref_at(f"projects/{store.project}/notes/alpha.md")
        main.post_message(FileChosen(ref))
        await on("alpha")
        for key, asks in (("c", "to copy"), ("r", "A new name")):
            await step(key, says=asks)
            await step("ctrl+u", *"zeta", "enter", says="u to undo")
            assert getattr(main.file_meant(), "name", "") == "zeta"
            await step("u", says="Undid")
            await on("alpha")
            await step("U", says="Redid")
            await on("alpha" if key == "c" else "zeta")
            await step("u", says="Undid")
            await on("alpha")
        await step("d", says="Deleted")
        await on("beta")
        await step("u", says="Undid")
        await on("alpha")
        # through several steps it leads back to the first file, but not from where the person has put it since
        for name in ("one", "two"):
            await step("c", says="to copy")
            await step("ctrl+u", *name, "enter", says="u to undo")
            await until(pilot, lambda name=name: getattr(main.file_meant(), "name", "") == name)  # type: ignore[misc]
        for name in ("one", "alpha"):
            await step("u", says="Undid")
            await on(name)
        await step("c", says="to copy")
        await step("ctrl+u", *"phi", "enter", says="u to undo")
        await until(pilot, lambda: getattr(main.file_meant(), "name", "") == "phi")
        await pilot.press("k")
        await on("omega")
        await step("d", says="Deleted")
        await pilot.press("home", "j", "j")
        await on("alpha")
        for _ in range(2):
            await step("u", says="Undid")
            await on("alpha")
        # a step elsewhere, which changed, deleted or made a file, is undone without it
        there = main.session.ref_at(ref.path.replace("alpha", "omega"))
        editing.save(main.session, there, b"- changed\n", b"about omega\n")
        file_ops.delete(main.session, there)
        file_ops.duplicate(main.session, ref, "theta")
        for said in ("theta", "Deleted", "Saved"):
            await step("u", says=f"Undid: {said}" if said != "theta" else "theta")
            await on("alpha")
        for _ in range(3):
            await step("U", says="Redid")
            await on("alpha")


@pytest.mark.slow
async def test_triage_verbs_under_a_filter_keep_the_focus_on_the_list(store: AStore) -> None:
    before = store.raw("~/SCRATCHPAD.md")
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "first")
        await pilot.press("slash", *"first", "enter")
        for verb in ("x", "d", "plus", "X"):
            await pilot.press(verb)
            await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") != before)
            await shows(pilot, "u to undo")
            await pilot.pause(0.2)
            assert pilot.app.screen.focused.id == "todos", verb
            await pilot.press("u")
            await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") == before)
            await shows(pilot, "Undid", "☐ first")
        # undone over the tree, its cursor stays on what is shown beside it
        await pilot.press("x")
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") != before)
        await to_the_tree(pilot)
        main = pilot.app.main
        await until(pilot, lambda: main.viewer.file and main.viewer.file.ref.path == "MEMORY.md")
        await pilot.press("6")
        await shows(pilot, "second")
        await pilot.press("u")
        await shows(pilot, "Undid", "first")
        await back(pilot)
        assert main.tree_pane.file_at_cursor() == main.viewer.file.ref


WAYS = {
    "the hit of a search": (["s", *"beta words", "enter", "enter"], "notes/beta.md"),
    "a hit of several": (["s", *"words", "down", "j", "enter"], None),
    "a hit that is only looked at": (["s", *"words", "down", "j"], None),
    "a word near one that was not found": (["s", *"betaa", "enter", "enter", "enter"], "notes/beta.md"),
    "open file": (["ctrl+o", *"beta", "enter"], "notes/beta.md"),
    "the palette": (["ctrl+p", *"beta", "enter"], "notes/beta.md"),
    "facts": (["7", "slash", *"one", "enter", "enter"], "MEMORY.md"),
    "triage": (["6", "enter"], "SCRATCHPAD.md"),
    "the prompt": (["4", "tab", *"jjjj", "enter"], "MEMORY.md"),
    "the doctor": (["8", "enter"], None),
    "projects": (["0", "slash", *"other", "enter", "enter"], f"{OTHER}/notes/n.md"),
    "a link": (["slash", *"alpha", "enter", "j", "enter", "enter", "enter"], "notes/beta.md"),
}
"""Ways to open a file in the viewer: the keys, and the file where only one can be meant."""


@pytest.mark.slow
@pytest.mark.draw(3)
@pytest.mark.parametrize("way", WAYS)
async def test_whatever_opens_a_file_takes_the_cursor_of_the_tree_along(store: AStore, way: str) -> None:
    """The file on the screen is the one that every verb is about, from the tree too: `d` there deletes no other."""
    keys, meant = WAYS[way]
    history.look_at_all(store.session())
    store.has("~/notes/alpha.md", "# alpha\n\nalpha words, [[beta]]\n- password: hunter2Secret99\n")
    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        await until(pilot, lambda: pilot.app.main.has_class("-today"))
        await pilot.press("1", "g")
        before = main.tree_pane.at_cursor()
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)

        def is_open() -> bool:
            file = main.viewer.file
            return file is not None and (file.ref.path.endswith(meant) if meant else file.ref.path != "MEMORY.md")

        await until(pilot, lambda: is_open() and pilot.app.tool is None)
        shown = main.viewer.file.ref
        assert main.file_meant() == shown
        if main.current != "viewer":
            await pilot.press("escape")
        await pilot.press("1")
        await until(pilot, lambda: main.current == "tree")
        assert main.file_meant() == main.tree_pane.file_at_cursor() == shown == main.viewer.file.ref and before is not None
        await pilot.press("d")
        await until(pilot, lambda: not Path(store.root, shown.path).exists())


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", ["tree", pytest.param("viewer", marks=pytest.mark.slow)])
async def test_an_editor_left_for_the_screen_that_opened_it_takes_no_key_and_esc_leads_on_to_where_the_person_was(
    store: AStore, size: tuple[int, int], place: str
) -> None:
    store.has("~/notes/alpha.md", "# alpha\n\n- password: hunter2Secret99\n").has("MEMORY.md", "- one\n  of two lines\n")
    async with running(an_app(store), size=size) as pilot:
        app, main = pilot.app, pilot.app.main
        await pilot.press("1", "slash", *"beta", "enter", *(["enter"] if place == "viewer" else []))
        await until(pilot, lambda: main.current == place and main.viewer.file is not None)
        was = main.focused
        await pilot.press("8")
        await shows(pilot, "Doctor · 1 to decide")
        await pilot.press("e")
        await until(pilot, lambda: main.editor.ref is not None and main.editor.area.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is not None and app.tool.PAGE == "doctor")
        assert main.editor.ref is None
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is None)
        main.editor.area.focus()
        await pilot.press("X")
        await until(pilot, lambda: main.focused is was and main.current == place)
        assert not main.editor.region.area and "X" not in main.editor.area.value
        # from one screen into the editor, from there to another, and into the editor again
        await pilot.press("8")
        await shows(pilot, "Doctor · 1 to decide")
        await pilot.press("e")
        await until(pilot, lambda: main.editor.ref is not None and main.editor.area.has_focus)
        await pilot.press("Z", "f2")
        await shows(pilot, "of two lines")
        await pilot.press("tab", "g", "j", "j", "j", "e")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is not None and not app.conversations.under_way)
        assert app.tool.PAGE == "prompt" and main.editor.unsaved
        await pilot.press("e")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: app.tool is None and main.editor.ref is not None and not main.editor.unsaved)
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is not None)
        assert app.tool.PAGE == "prompt" and main.editor.ref is None
        await back(pilot)
        await until(pilot, lambda: main.current == "viewer" and main.focused is main.viewer.view)


async def test_the_viewer_is_focused_before_there_is_a_page_in_it(store: AStore) -> None:
    app = an_app(store)
    async with app.run_test(size=(50, 16)) as pilot:
        await until(pilot, lambda: app.screen_stack and isinstance(app.screen, MainScreen) and app.screen.is_mounted)
        app.main.viewer._view = None
        for page in app.main.query("#page"):
            await page.remove()
        app.main.focus_pane("viewer")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "page")


async def test_no_key_acts_on_the_file_that_came_under_the_cursor_when_another_deleted_the_one_there(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- fact\n")
    for name in ("alpha", "beta", "gamma", "omega"):
        store.has(f"~/notes/{name}.md", f"about {name}\n")
    async with running(an_app(store)) as pilot:
        tree = pilot.app.main.tree_pane
        ref = next(each for each in pilot.app.main.here.catalog.refs if each.name == "alpha")
        tree.reveal(pilot.app.main.here.key, ref)
        pilot.app.main.post_message(FileChosen(ref))
        await shows(pilot, "about alpha")
        store.at("~/notes/alpha.md").unlink()
        await until(pilot, lambda: tree.file_at_cursor() is not None and tree.file_at_cursor().name == "beta")
        await shows(pilot, "Nothing is here any more")
        assert pilot.app.main.viewer.file.ref == ref
        for key in ("e", "e", "d"):  # also the second time it is not the file that is read
            pilot.app.main.status.clear()
            await pilot.press(key)
            await shows(pilot, "alpha was deleted, and enter opens what is under the cursor now. Nothing was done.")
            assert pilot.app.focused.id == "tree-view"
        await pilot.press("enter")
        await shows(pilot, "about beta")
        await pilot.press("1")
        await pilot.press("d", "d")  # seen now: beta, and after it gamma, by the person's own keys
        await until(pilot, lambda: not store.at("~/notes/gamma.md").exists())
        assert not store.at("~/notes/beta.md").exists() and store.at("~/notes/omega.md").exists()
