"""Filters: the cursor goes to the first row that fits, and back to where it was when the filter is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from tests.soak.monkey import a_key
from tests.ui.driving import an_app, running, screen_text, shows, until
from zsmem_tui.ui.doctor import rows as finding_rows

OTHERS = tuple(f"{name}-0000000{at}" for at, name in enumerate(("zulu-one", "zulu-two", "able")))


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has(
        "MEMORY.md", "# Facts\n\n- alpha\n- uuid one\n- bravo\n- uuid two\n- uuid three\n- last\n"
    )
    made.has("~/SCRATCHPAD.md", "# Now\n\n- [ ] alpha\n- [ ] uuid one\n- [ ] uuid two\n- [ ] last\n")
    for other in OTHERS:
        made.has(f"projects/{other}/notes/n.md", "- [dead](gone.md)\n\nsee [[nowhere]]\n")
    return made


LISTS: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "facts": ("7", "uuid", lambda app: app.tool.rows),
    "triage": ("6", "uuid", lambda app: app.tool.rows),
    "projects": ("0", "zulu", lambda app: app.tool.rows),
    "transfer": ("9", "claude", lambda app: app.tool.rows),
    "tree": ("1", "zulu", lambda app: app.main.tree_pane.project_tree),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTS)
async def test_a_filter_goes_to_its_first_row_and_back_to_the_row_of_before(store: AStore, name: str) -> None:
    opener, words, rows_in = LISTS[name]
    async with running(an_app(store)) as pilot:
        await pilot.press(opener)
        await until(pilot, lambda: rows_in(pilot.app).key is not None)
        await pilot.press("G")
        rows = rows_in(pilot.app)
        before = rows.key
        await pilot.press("slash", *words)
        first = rows.key
        await pilot.press("down")
        assert rows.key != first and pilot.app.focused is not rows, "the words go on"
        await pilot.press("up")
        assert rows.key == first
        await pilot.press("enter", "G")
        last = rows.key
        assert last != first, "several rows fit"
        # what was gone to stays under the cursor; a filter that is left at once leads back
        await pilot.press("G")
        await pilot.press("escape")
        assert rows.key == last or name == "transfer", "rows that the filter unfolded are folded again"
        await pilot.press("G", "slash", *words)
        assert rows.key == first
        await pilot.press("escape")
        assert rows.key == before
        await pilot.press("slash", *words, *["backspace"] * len(words))
        assert rows.key == before


@pytest.mark.slow
async def test_what_was_unfolded_is_so_again_after_a_filter(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await shows(pilot, "▾ ◆ demo", "└ scratchpad", "▸ able")
        await pilot.press("slash", *"zulu", "enter")
        await until(pilot, lambda: "└ scratchpad" not in screen_text(pilot.app))
        await pilot.press("escape")
        await shows(pilot, "└ scratchpad", "▸ able")


@pytest.mark.slow
async def test_a_filter_of_the_tree_stays_and_its_cursor_keeps_to_the_project(store: AStore) -> None:
    zulu, able = f"projects/{OTHERS[0]}/notes/", f"projects/{OTHERS[2]}/notes/"
    store.has(f"{able}tea.md", "green\n").has(f"{able}mint.md", "fresh\n").has(f"{zulu}tea.md", "black\n")
    async with running(an_app(store)) as pilot:
        pane = pilot.app.main.tree_pane

        def at() -> tuple[str, str]:
            row = pane.project_tree.key
            return (row.group, row.ref.name if row.ref else "") if row else ("", "")

        async def goes(group: str, name: str, *words: str) -> None:
            await shows(pilot, "filtered from", *words)
            await until(pilot, lambda: at() == (group, name))

        await shows(pilot, "▸ able")
        await pilot.press("slash", *"tea", "enter")
        await goes(OTHERS[2], "tea")
        # of a copy elsewhere, the cursor stays where it is
        await pilot.press("c", *"zulu-two", "enter")
        await goes(OTHERS[2], "tea", "Copied able-00000002 · note tea")
        await until(pilot, lambda: store.raw(f"projects/{OTHERS[1]}/notes/tea.md") == b"green\n")
        await pilot.press("u")
        await goes(OTHERS[2], "tea", "Undid: Copied")
        # the only row of a project that fits: its heading is left
        await pilot.press("d")
        await goes(OTHERS[2], "", "Deleted able-00000002 · note tea", "▾ able", "▾ zulu-one")
        await pilot.press("u")
        await goes(OTHERS[2], "tea", "Undid: Deleted")
        # also of several
        await pilot.press("escape", "slash", "t", "enter")
        await until(pilot, lambda: "mint" in screen_text(pilot.app))
        while at() != (OTHERS[2], "mint"):
            await pilot.press("j")
        await pilot.press("asterisk", "d")
        await goes(OTHERS[2], "", "Deleted 2 files")
        await pilot.press("u")
        await shows(pilot, "Undid: Deleted 2 files", "filtered from")
        # a name that no longer fits stays under the cursor
        await pilot.press("escape", "slash", *"mint", "enter", "r", "ctrl+u", *"herb", "enter")
        await goes(OTHERS[2], "herb", "note herb")
        await pilot.press("escape")
        await until(pilot, lambda: "filtered" not in screen_text(pilot.app) and at() == (OTHERS[2], "herb"))


@pytest.mark.slow
async def test_what_no_longer_fits_goes_from_a_filtered_tree_once_the_cursor_leaves_it(store: AStore) -> None:
    store.has(f"projects/{OTHERS[0]}/notes/tea.md", "black\n").has(f"projects/{OTHERS[2]}/notes/tea.md", "green\n")
    async with running(an_app(store)) as pilot:
        tree = pilot.app.main.tree_pane.project_tree
        await shows(pilot, "▸ able")
        await pilot.press("slash", *"tea", "enter")
        await until(pilot, lambda: tree.key.ref is not None and tree.key.group == OTHERS[2])
        await pilot.press("r", "ctrl+u", *"herb", "enter")
        await until(pilot, lambda: tree.key.ref is not None and tree.key.ref.name == "herb")
        await pilot.press("j", "j")
        await until(pilot, lambda: tree.key.ref is not None and tree.key.group == OTHERS[0] and len(tree.keys) == 2)
        await shows(pilot, "note tea", "black")


@pytest.mark.slow
async def test_filter_then_delete_takes_the_first_row_that_fits(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("7")
        await shows(pilot, "10 facts")
        await pilot.press("G", "slash", *"uuid", "enter", "d")
        await until(pilot, lambda: b"uuid one" not in store.raw("MEMORY.md"))
        assert b"uuid two" in store.raw("MEMORY.md") and b"uuid three" in store.raw("MEMORY.md")


@pytest.mark.slow
async def test_a_key_behind_a_slow_filter_waits_for_its_rows(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.has("~/notes/fence.md", "# A fence\n\n```\nnever closed\n").has("~/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n")
    gate, arranged = threading.Event(), finding_rows.arranged
    async with running(an_app(store)) as pilot:
        app: Any = pilot.app
        await pilot.press("8")
        await until(pilot, lambda: len(app.tool.rows.items) > 1 and app.tool._is_settled)
        found = next(each for each, *_ in app.tool.rows.items.values() if each.path.endswith("fence.md"))
        await pilot.press("g" if app.tool.rows.at_cursor()[0] is not found else "G")
        assert app.tool.rows.at_cursor()[0] is not found
        monkeypatch.setattr(finding_rows, "MOST_ROWS", 1)
        monkeypatch.setattr(finding_rows, "arranged", lambda *about, **how: gate.wait(60) and arranged(*about, **how))
        for key in ("slash", *"fence", "enter", "enter"):
            app._driver.send_message(a_key(app, key))
        await until(pilot, lambda: app.focused is app.tool.rows and app._ahead)
        gate.set()
        await until(pilot, lambda: app.tool is None and app.main.viewer.file is not None)
        assert app.main.viewer.file.ref.path == found.path
