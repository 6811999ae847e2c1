"""What must be seen on every screen: selections, room for lists, what the prompt takes, and views that stay where they are."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widgets import Input, OptionList

from tests.builders import AStore
from tests.ui.driving import an_app, asked, back, drawn, running, screen_text, shows, to_changes, until
from zsmem_tui.service import history
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.help import HelpPage
from zsmem_tui.ui.memory.viewer import ViewerPane
from zsmem_tui.ui.widgets import budget
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.page_view import PageView
from zsmem_tui.ui.widgets.row_list import RowList

THEMES = [
    "dark",
    "zsmem-dark-16",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("light", "ansi-dark", "ansi-light", "zsmem-light-16", "nord", "solarized-light")
    ),
]


@pytest.mark.slow
async def test_the_match_is_seen_in_the_selected_hit_without_colours(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"bold")
        await shows(pilot, "1 file", "one bold code")
        for keys in ((), ("down",)):
            await pilot.press(*keys)
            await pilot.pause(0.05)
            region = pilot.app.main.search.hits.content_region
            row = next(strip for strip in drawn(pilot.app)[region.y : region.bottom] if "bold" in strip.text)
            lined = [each.text for each in row.crop(region.x, region.right) if each.style and each.style.underline]
            assert lined == ["bold"], keys


@pytest.mark.slow
async def test_styles_that_are_remembered_are_those_that_would_be_found(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever has the focus, is under the mouse, is small, in another theme, or in an app without colours after one with them."""

    def are_those(app: ZsmemApp) -> None:
        for node in app.screen.walk_children(with_self=True):
            remembered = sorted(node.styles.base.css_lines)
            node.styles.base.reset()
            Stylesheet.apply(app.stylesheet, node)
            assert sorted(node.styles.base.css_lines) == remembered, node
            for name, styles in node._component_styles.items():
                part = DOMNode(classes=name)
                part._attach(node)
                Stylesheet.apply(app.stylesheet, part)
                assert sorted(part.styles.base.css_lines) == sorted(styles.base.css_lines), (node, name)

    for _ in range(2):
        async with running(an_app(store)) as pilot:
            are_those(pilot.app)
            for keys in (("2",), ("s", "b"), ("1",), ("escape", "1", "a"), ("escape",), ("f3",), ("1", "e")):
                await pilot.press(*keys)
                are_those(pilot.app)
            await pilot.hover("#page")
            pilot.app.main.viewer.disabled = True
            are_those(pilot.app)
            pilot.app.main.viewer.view.can_focus = False
            pilot.app.update_styles(pilot.app.screen)
            are_those(pilot.app)
            pilot.app.action_switch_theme()
            await pilot.pause()
            are_those(pilot.app)
            await pilot.resize_terminal(60, 12)
            are_those(pilot.app)
        monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
async def test_what_is_selected_is_seen_in_every_theme(store: AStore, theme: str) -> None:
    """An answer of a question, with the mouse in the viewer, with keys in a line and in the editor."""
    async with running(an_app(store, theme=theme)) as pilot:
        await shows(pilot, "one bold code")
        await pilot.press("a")
        await asked(pilot, "A note", "An entry")
        assert "1 Memory" in screen_text(pilot.app), "what is behind a question stays on the screen"
        assert "? Keys" not in screen_text(pilot.app), "but its keys do nothing meanwhile"
        region = pilot.app.screen.query_one(OptionList).content_region
        rows = [cells(pilot.app, type(region)(region.x, region.y + row, 6, 1)) for row in (0, 1)]
        assert not {back for _, _, back in rows[0]} & {back for _, _, back in rows[1]}
        await pilot.press("escape")
        await shows(pilot, "? Keys")
        view = pilot.app.main.viewer.view
        region = view.content_region
        part = type(region)(region.x, region.y, 20, 5)
        before = cells(pilot.app, part)
        await pilot.mouse_down("#page", offset=(1, 0))
        await pilot.hover("#page", offset=(60, 9))
        await pilot.mouse_up("#page", offset=(60, 9))
        await until(pilot, lambda: view.selected_text())
        await pilot.pause(0.05)
        seen(cells(pilot.app, part), before)
        await pilot.press("escape", "s", *"abcdefgh")
        line = pilot.app.main.query_one("#query", Input)
        part = type(line.content_region)(line.content_region.x, line.content_region.y, 7, 1)
        await pilot.press("home")
        await pilot.pause(0.05)
        before = cells(pilot.app, part)
        await pilot.press("end", "shift+home")
        await pilot.pause(0.05)
        seen(cells(pilot.app, part)[1:], before[1:])
        await pilot.press("1", "escape", "1", "e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        area = pilot.app.main.editor.area
        area.move_cursor((2, 0))
        await pilot.pause(0.05)
        region = area.content_region
        part = type(region)(region.x, region.y, 30, 2)
        before = cells(pilot.app, part)
        area.select_all()
        await pilot.pause(0.05)
        found = cells(pilot.app, part)
        assert all(front != back for char, front, back in found if char != " ")
        assert found != before


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)])
async def test_no_list_has_a_bar_to_scroll_sideways_and_each_has_room(store: AStore, size: tuple[int, int]) -> None:
    store.has("~/SCRATCHPAD.md", "".join(f"- [ ] item {number} {'long ' * 40}\n" for number in range(90)))
    app = an_app(store, inject_cap=600)
    async with running(app, size=size) as pilot:
        await pilot.pause(0.8)
        for number in range(40):
            store.has(f"~/notes/n{number}.md", "x\n" * 50)
            store.has(f"projects/p{number}-00000000/SCRATCHPAD.md", "- [ ] x\n")
        await shows(pilot, "●40")
        for key, page in (("f2", "prompt"), ("f3", "review"), ("6", "triage"), ("7", "facts")):
            await (to_changes(pilot) if key == "f3" else pilot.press(key))
            await until(pilot, partial(_lists, app, page, 20))
            await pilot.pause(0.1)
            assert app.tool is not None
            rows = app.tool.query_one(RowList)
            await until(pilot, lambda rows=rows: rows.scrollable_content_region.height >= 8)  # type: ignore[misc]
            assert rows.show_vertical_scrollbar and not rows.show_horizontal_scrollbar, key
            await back(pilot)


def _lists(app: ZsmemApp, page: str, most: int) -> bool:
    return app.tool is not None and page == app.tool.PAGE and len(app.tool.query_one(RowList).keys) > most


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    text = "# Facts\n\n- one **bold** `code` [link](http://x)\n\n```\ncode\n```\n\n> quote\n"
    return AStore(tmp_path / "store").has("MEMORY.md", text).has("~/SCRATCHPAD.md", "- [ ] first\n- [ ] second\n")


def is_shown(app: ZsmemApp, text: str) -> bool:
    file = app.main.viewer.file
    return file is not None and file.raw == text.encode()


def cells(app: Any, region: Any) -> list[tuple[str, Any, Any]]:
    """Each cell of a part of the screen: its text, its front and its back as they are drawn."""
    found = []
    for strip in drawn(app)[region.y : region.bottom]:
        for segment in strip.crop(region.x, region.right):
            style: Any = segment.style
            front, back = (style.color, style.bgcolor) if style else (None, None)
            front = "the terminal's own front" if front is None or front.is_default else front
            back = "the terminal's own back" if back is None or back.is_default else back
            pair = (back, front) if style and style.reverse else (front, back)
            found += [(char, *pair) for char in segment.text]
    return found


def seen(found: list[tuple[str, Any, Any]], before: list[tuple[str, Any, Any]]) -> None:
    """Letters are still letters, and the part looks different from before."""
    assert [each[0] for each in found] == [each[0] for each in before]
    assert not [each for each in found if each[0] != " " and each[1] == each[2]]
    changed = sum(one != other for one, other in zip(found, before, strict=True) if one[0] != " ")
    assert changed >= sum(each[0] != " " for each in found) // 2


@pytest.mark.slow
async def test_the_prompt_stays_on_the_status_line_a_slow_list_says_so_and_all_keys_are_told_with_nothing_cut(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = an_app(store)
    async with running(app) as pilot:
        status = app.main.query_one(StatusLine)
        for width in (60, 80, 96, 100, 104, 110, 118, 140):
            await pilot.resize_terminal(width, 30)
            for said in ("", "Saved MEMORY.md."):
                status.said = said
                await pilot.pause(0.05)
                assert "prompt " in str(status.render()), (width, said)
                assert len(str(status.render())) <= width
        # a list that takes long to read says so until it is there
        gate = threading.Event()
        of_file = history.of_file
        monkeypatch.setattr(history, "of_file", lambda *about: gate.wait(60) and of_file(*about))
        await pilot.press("1", "H")
        await shows(pilot, "Reading …")
        gate.set()
        await shows(pilot, "History of")
        await until(pilot, lambda: "Reading" not in screen_text(app))
        await back(pilot)
        await pilot.press("1")
        # all keys are told with nothing cut
        for size in ((80, 24), (60, 15), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.press("question_mark")
            await shows(pilot, "All keys")
            await pilot.pause(0.1)
            page = app.screen.query_one(HelpPage).page
            drawn = " ".join(page.plain(row).strip(" ") for row in range(page.row_count))
            assert "…" not in drawn
            for action in (each for each in app.actions if each.keys or each.palette):  # others are names that settings may have
                assert action.help.replace("`", "") in " ".join(drawn.split()), (size, action.id)
            await pilot.press("escape")


async def test_a_viewer_that_has_no_file_yet_is_blank() -> None:
    """Its widgets come with the first file, on a busy machine seconds after the tree."""

    class OfViewer(App[None]):
        def compose(self) -> ComposeResult:
            yield ViewerPane()

    async with OfViewer().run_test(size=(40, 6)) as pilot:
        assert {strip.text.strip() for strip in drawn(pilot.app)} == {""}


@pytest.mark.slow
async def test_an_append_does_not_move_the_view(store: AStore) -> None:
    text = "".join(f"paragraph {number} " + "words that go on and on " * 30 + "\nsecond line\n\n" for number in range(40))
    store.has("MEMORY.md", text)
    app = an_app(store)
    async with running(app, size=(90, 30)) as pilot:
        await pilot.press("2")
        view = app.main.viewer.view
        for row in (0, 1, 3, 17, 100, 101, 102, view.max_scroll_y):
            view.scroll_to(y=row, animate=False, immediate=True)
            await pilot.pause(0.05)
            top = screen_text(app).split("\n")[5:20]
            text += f"- appended {row}\n"
            store.has("MEMORY.md", text)
            await until(pilot, partial(is_shown, app, text))
            await pilot.pause(0.1)
            now = screen_text(app).split("\n")[5:20]
            assert view.scroll_offset.y == row and [line[:-5] for line in now] == [line[:-5] for line in top]


def test_sizes_that_are_compared_have_the_same_unit_and_no_riddle(store: AStore) -> None:
    from zsmem_tui.service import previewing

    store.has("MEMORY.md", "x" * 70 + "\n" + "fact\n" * 10_000)
    session = store.session()
    seen = previewing.preview(session, previewing.subject(session))
    assert budget.sentence(seen) == "49.0K in all, 32.0K loaded, 3 facts lost (3,470 lines)"


@pytest.mark.slow
async def test_a_long_sentence_is_whole_and_what_asks_to_be_seen_gives_way_only_where_the_strip_says_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n")
    said = "There is no editor called 'nope'. /home/ann/.local/share/agent/memory/MEMORY.md was not touched, not even read."
    async with running(an_app(store), size=(80, 24)) as pilot:
        main = pilot.app.main
        monkeypatch.setattr(main, "tell_right", lambda: None)  # what asks to be seen is what this test says
        main.status.alerts = ("● 1 to review [5]",) * 2
        panes = [each.region.offset for each in main.query(".pane")]
        main.say(said)
        await shows(pilot, "not even read.")
        assert [each.region.offset for each in main.query(".pane")] == panes  # what somebody reads does not move
        assert screen_text(pilot.app).splitlines()[-4].endswith("╯"), "nor is the edge of a pane hidden"
        assert said in " ".join(screen_text(pilot.app).split()) and "to review" not in screen_text(pilot.app)
        main.say("Short.")
        await until(pilot, lambda: main.status.size.height == 1 and "● 1 to review [5]" in screen_text(pilot.app))
        main.say(row := "This sentence has just room on a row that is its own, at 80 cells")
        await shows(pilot, row)
        assert main.status.size.height == 1 and "to review" not in screen_text(pilot.app)
        await pilot.resize_terminal(80, 10)
        await until(pilot, lambda: main.has_class("-low"))
        main.say(row + " or less")
        await shows(pilot, "● 1 to review [5]")
        await pilot.resize_terminal(80, 24)
        main.say("x" * 400)
        await until(pilot, lambda: main.status.size.height == 3)
        *_, last_of_it, keys = screen_text(pilot.app).splitlines()
        assert "…" in last_of_it and "? Keys" in keys


@pytest.mark.slow
async def test_in_few_rows_a_list_has_most_of_them_and_what_belongs_to_it_is_a_key_away(store: AStore) -> None:
    store.has("MEMORY.md", "".join(f"- a fact of some words, number {number}\n" for number in range(90)))
    async with running(app := an_app(store, inject_cap=600), size=(60, 15)) as pilot:
        for keys in ("4", "55", "7", "8"):
            await pilot.press(*keys)
            await until(pilot, lambda: app.tool is not None and app.tool.query_one(RowList).has_focus)
            assert app.tool is not None
            rows = app.tool.query_one(RowList)
            await until(pilot, partial(_has_rows, rows))
            page = next(iter(app.tool.query(PageView)), None)
            if page is not None:
                await until(pilot, partial(getattr, page, "display"))  # there is a row that it is about
                await pilot.press("tab")
                await until(pilot, partial(_has_rows, page))
                assert page.has_focus and page.page.width > 40, keys
            while app.tool is not None:
                await pilot.press("escape")
                await pilot.pause()


def _has_rows(widget: Any) -> bool:
    return bool(widget.scrollable_content_region.height >= 6 and widget.has_focus)
