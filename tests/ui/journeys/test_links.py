"""Links of the text that is read: chosen and followed with keys and the mouse, and back again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, by_name, running, screen_text, shows, to_the_tree, until
from tests.ui.several import at
from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.memory import search
from zsmem_tui.ui.memory.reading import follow
from zsmem_tui.ui.reading.page import Page, Spot, Trail, next_link

FACTS = """\
# Facts

- [deploy](projects/{slug}/notes/deploy.md#second) is *two
  lines* and [[far]]
- [gone](notes/gone.md), [out](../../etc/passwd) and https://example.org/x.
"""


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    store = AStore(tmp_path / "store")
    store.has("~/notes/deploy.md", "# Deploy\n\none\n\n## Second\n\n[[MEMORY]]\n\n```python\nimport os\n```\n")
    store.has("~/notes/far.md", "far away\n")
    return store.has("MEMORY.md", FACTS.format(slug=store.project))


async def on(pilot: Any, name: str) -> None:
    def is_shown() -> bool:
        file = pilot.app.main.viewer.file
        return file is not None and file.ref.path.endswith(name) and pilot.app.main.current == "viewer"

    await until(pilot, is_shown)


async def test_links_footnotes_and_references_are_followed_and_the_way_back_is_known(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store)) as pilot:
        await shows(pilot, "deploy")
        await pilot.press("2", "left_square_bracket")
        await shows(pilot, "nothing to go back to: enter follows a link")
        await pilot.press("enter")
        await shows(pilot, "note deploy#second · enter follows")
        await pilot.press("enter")
        await on(pilot, "notes/deploy.md")
        await shows(pilot, "note deploy · [ goes back")
        assert pilot.app.main.tree_pane.file_at_cursor() == pilot.app.main.viewer.file.ref
        assert pilot.app.main.viewer.view.line_meant == 4
        await pilot.press("l", "enter")
        await on(pilot, "MEMORY.md")
        await pilot.press("[")
        await on(pilot, "notes/deploy.md")
        await pilot.press("backspace")
        await on(pilot, "MEMORY.md")
        assert "goes back" not in screen_text(pilot.app), "it was said of the other file"
        await pilot.press("]")
        await on(pilot, "notes/deploy.md")
        await pilot.press("[")
        await on(pilot, "MEMORY.md")
        await pilot.press("l", "l", "l")
        await shows(pilot, "Link to notes/gone.md")
        await pilot.press("enter")
        await shows(pilot, "This link leads to nothing")
        await pilot.press("l", "enter")
        await shows(pilot, "is outside the store: it was not opened.")
        await pilot.press("h", "h", "enter")
        await on(pilot, "notes/far.md")
        await pilot.press("[")
        await on(pilot, "MEMORY.md")
        await pilot.press("h", "enter")
        await shows(pilot, "https://example.org/x is on the web: zsmem opens nothing there. y copies it.")
        await pilot.press("y")
        assert pilot.app.clipboard == "https://example.org/x"
        rows = screen_text(pilot.app).split("\n")
        y = next(place for place, row in enumerate(rows) if "far" in row[40:])
        await pilot.click(offset=(rows[y].index("far", 40) + 1, y))
        await on(pilot, "notes/far.md")
        # a footnote and a reference
        await to_the_tree(pilot)
        store.has(
            "MEMORY.md",
            "see [how][d] and[^1]\n" + "\n- filler\n" * 60 + f"\n[d]: projects/{store.project}/notes/deploy.md\n\n[^1]: why\n",
        )
        await pilot.app.main.look_now()
        await pilot.press("2", "l", "l")
        await shows(pilot, "Link to line 125 · enter follows")
        await pilot.press("enter")
        await shows(pilot, "Line 125 · [ goes back", "[^1]: why")
        await pilot.press("[")
        await until(pilot, lambda: pilot.app.main.viewer.view.top_line == 0)
        await pilot.press("l", "enter")
        await on(pilot, "notes/deploy.md")
        await at(pilot, "far.md")
        await pilot.press("enter")
        await on(pilot, "notes/far.md")
        pilot.app.main.here.catalog = None  # as while a store cannot be read
        await follow(pilot.app.main, "#not-there")
        await shows(pilot, "has no heading 'not-there'")
        await pilot.press("enter")
        await shows(pilot, "There is no link in this text.")
        # a second enter, right behind the one that opened the only hit, follows nothing
        monkeypatch.setattr(search, "TWICE_SECONDS", 3_600)
        await pilot.press("s", *"filler how", "enter", "enter")
        await on(pilot, "MEMORY.md")
        await pilot.press("enter")
        assert "Link to" not in screen_text(pilot.app)
        monkeypatch.setattr(search, "TWICE_SECONDS", 0)
        await pilot.press("enter")
        await shows(pilot, "Link to ")
        await pilot.press("escape")
        await until(pilot, lambda: "Link to" not in screen_text(pilot.app))


async def test_raw_lines_have_numbers_and_lines_stay_lines_on_request(store: AStore) -> None:
    async with running(an_app(store, line_breaks="keep")) as pilot:
        await shows(pilot, "and far")
        assert "deploy is two lines" not in screen_text(pilot.app).replace("  ", " ")
        await pilot.press("2")
        await by_name(pilot, "Line breaks")
        await shows(pilot, "are joined. The setting `line_breaks` makes it last.")
        await pilot.press("R")
        await shows(pilot, "1   # Facts")
        await shows(pilot, "4     lines* and [[far]]")
        assert pilot.app.main.viewer.view.page.plain(0) == "# Facts"  # what is selected is without numbers


def page(text: str) -> Page:
    found = Page(text)
    found.start(40, raw=False)
    for _ in found.lay_out():
        pass
    return found


def test_after_the_last_link_comes_the_first() -> None:
    found = page("[a](a) [b](b)\n\nno\nlink\n\n[c](c)\n")
    way = [next_link(found, None, 0, 1)]
    for _ in range(4):
        way.append(next_link(found, way[-1], 0, 1))
    assert way == [(0, 0), (0, 1), (5, 0), (0, 0), (0, 1)]
    assert next_link(found, (0, 0), 0, -1) == (5, 0) and next_link(found, None, 2, 1) == (5, 0)
    assert next_link(found, None, 2, -1) == (0, 1)
    assert next_link(page("nothing\n"), None, 0, 1) is None
    assert next_link(page("[a](a)\n"), (0, 0), 0, 1) == (0, 0)


def test_a_new_link_forgets_what_lay_ahead() -> None:
    a, b, c = (Spot("s", MemRef(name), 0) for name in "abc")
    trail: Trail[Spot] = Trail()
    trail.leave(a)
    assert trail.go(-1, b) == a and trail.go(-1, a) is None
    assert trail.go(1, a) == b and trail.go(1, b) is None
    assert trail.go(-1, b) == a
    trail.leave(a)
    assert trail.go(1, c) is None and trail.go(-1, c) == a


async def test_links_of_a_page_of_help_lead_back_and_a_folded_frontmatter_unfolds_for_what_is_found_in_it(tmp_path: Path) -> None:
    text = "---\nname: tabs\ndescription: Tabs in Go\nmetadata:\n  type: feedback\n  origin: zebra\n---\n\nBody of it.\n"
    store = AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n").has("tabs.md", text)
    async with running(an_app(store)) as pilot:
        await pilot.press("f1", *["tab"] * 4)
        await shows(pilot, "What agents read", "line by line")
        await pilot.press("l")
        await shows(pilot, "enter follows the link to specification.md")
        await pilot.press("enter")
        await shows(pilot, "─ The exact behaviour ─".replace("─", "━"))
        await pilot.press("l", "left_square_bracket")
        await shows(pilot, "━ What agents read ━", "line by line")
        await pilot.press("right_square_bracket")
        await shows(pilot, "━ The exact behaviour ━")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        view = pilot.app.main.viewer.view
        await at(pilot, "tabs.md")
        await pilot.press("enter")
        await shows(pilot, "▸ feedback · Tabs in Go · R shows all of it", "Body of it.")
        assert "origin" not in screen_text(pilot.app) and view.line_meant == 0
        await pilot.press("slash", *"zeb", "enter")
        await shows(pilot, "origin: zebra", "Body of it.", "1 of 1")
        store.has("tabs.md", text + "More.\n")
        await pilot.app.main.look_now()
        await shows(pilot, "origin: zebra", "More.")
        await pilot.press("escape")
        await at(pilot, "MEMORY.md")
        await at(pilot, "tabs.md")
        await shows(pilot, "▸ feedback")
        await pilot.press("s", *"zebra", "down", "enter")
        await shows(pilot, "origin: zebra", "description")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        assert pilot.app.main.editor.area.text.startswith("---\nname: tabs\n")
        assert pilot.app.main.editor.area.cursor_location[0] == 5


@pytest.mark.slow
async def test_the_viewer_says_where_a_link_out_of_the_memory_leads(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("# Outside\n\nwords of others\n")
    store.at("~/notes/out.md").symlink_to(tmp_path / "outside.md")
    store.at("~/notes/in.md").symlink_to("far.md")
    async with running(an_app(store), (160, 30)) as pilot:
        await at(pilot, "notes/out.md")
        await shows(pilot, "words of others", "! A link that leaves this memory, to", f"{tmp_path}/outside.md: agents")
        await shows(pilot, "here it is only shown.")
        await at(pilot, "notes/in.md")
        await shows(pilot, "far away")
        assert "leaves this memory" not in screen_text(pilot.app)
