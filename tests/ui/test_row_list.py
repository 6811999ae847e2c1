"""Rows of several lines: what is in sight, and how far the list scrolls."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical

from tests.ui.driving import screen_text, until
from zsmem_tui.core.errors import Conflict
from zsmem_tui.ui.widgets import cursored
from zsmem_tui.ui.widgets.row_list import ListRow, MarkList, RowList

LONG = "word " * 30


HEADINGS = 5_000
"""Keys from here on are headings."""


class OneList(App[None]):
    """A list on a screen of 40 to 12, whose every third row is long."""

    drawn = 0

    def compose(self) -> ComposeResult:
        yield RowList(self._draw)

    def _draw(self, key: int) -> ListRow:
        self.drawn += 1
        words = f"{key} {LONG}end{key}" if key % 3 == 0 or key == 999 else f"{key} short"
        return ListRow([("- ", "text"), (words, "text")], f"f{key}", heading=key >= HEADINGS)

    @property
    def rows(self) -> RowList:
        return self.query_one(RowList)


def numbers(app: OneList) -> list[int]:
    """The rows in sight, in their order."""
    return [int(line.split("-")[1].split()[0]) for line in screen_text(app).split("\n") if line.startswith(" - ")]


def moved(rows: RowList, steps: Iterable[int]) -> None:
    for step in steps:
        rows.action_move(step)


async def test_long_rows_take_lines_and_the_cursors_row_is_whole() -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.rows
        rows.focus()
        rows.show(range(1000))
        await pilot.pause()
        # the first row is the cursor's: all of it; the others end in a sign after three lines
        assert "end0" in screen_text(app) and "end3" not in screen_text(app)
        assert numbers(app)[:4] == [0, 1, 2, 3]
        assert app.drawn < 200, "only what is in sight is drawn"

        moved(rows, [1, 1, 1])
        await pilot.pause()
        assert "end3" in screen_text(app) and "end0" not in screen_text(app)
        assert rows.screen_row == next(y for y, line in enumerate(screen_text(app).split("\n")) if line.startswith(" - 3 "))

        rows.action_edge(1)
        await pilot.pause()
        assert numbers(app)[-1] == 999 and "end999" in screen_text(app)
        assert screen_text(app).split("\n")[-1].strip(), "the last row ends at the bottom: nothing is scrolled past it"

        seen = numbers(app)
        rows.action_page(-1)
        await pilot.pause()
        assert rows.key in seen and rows.key < 999, "a page ends where the page before began"

        rows.action_edge(-1)
        await pilot.pause()
        assert numbers(app)[0] == 0
        assert app.drawn < 800

        places: list[int] = []
        for _ in range(40):
            moved(rows, [1])
            await pilot.pause()
            assert rows.cursor in numbers(app)
            places.append(rows.cursor)
        assert [key for key, _ in groupby(places)] == list(range(1, 41))

        rows.cursor = 0
        rows.scroll_to(y=0, animate=False, immediate=True, force=True)
        rows.refresh()
        await pilot.pause()
        line = next(y for y, text in enumerate(screen_text(app).split("\n")) if text.startswith(" - 3 "))
        await pilot.click(RowList, offset=(5, line + 1))
        assert rows.key == 3, "each of its lines is the row"


async def test_a_list_that_has_become_shorter_is_not_scrolled_past_its_last_row() -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.rows
        rows.focus()
        rows.show(range(1000))
        rows.action_edge(1)
        await pilot.pause()
        rows.show([*range(1, 160), 999])
        await pilot.pause()
        assert numbers(app) == [157, 158, 159, 999], "as many as there is room for"
        rows.show([each for each in range(100) if each % 3])
        await pilot.pause()
        assert numbers(app)[-1] == 98 and len(numbers(app)) == 12


async def test_what_changes_is_measured_again() -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.rows
        rows.show(range(4))
        await pilot.pause()
        assert not rows.show_vertical_scrollbar
        rows.show(range(9))
        await until(pilot, lambda: rows.show_vertical_scrollbar)  # nine rows have more than twelve lines
        await pilot.resize_terminal(160, 12)
        await pilot.pause()
        assert "end6" in screen_text(app)
        rows.show([])
        rows.nothing = "Nothing here."
        await pilot.pause()
        assert "Nothing here." in screen_text(app)
        await pilot.resize_terminal(6, 1)
        rows.show(range(3))
        moved(rows, [1, 1, 1, -1])
        await pilot.pause()


async def test_the_cursor_goes_to_the_next_row_that_is_left_and_an_undo_back_to_what_it_lost() -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.rows
        rows.show([10, 11, 12, 13, 14], cursor=12)
        rows.show([11, 13, 14])  # one above has gone along
        assert rows.key == 13
        rows.show([11, 23, 14])
        assert rows.key == 23, "its own words have changed"
        rows.show([11, 13, 14], cursor=13)
        rows.show([11, 13, 13], cursor=13)
        rows.seek_new(lambda: False)
        rows.show([4, 11, 13, 13, 14])  # the first is of somebody else
        assert rows.key == 4, "nothing that the cursor was on has gone"
        rows.show([4, 11, 13], cursor=11)
        rows.show([4, 13])
        rows.seek_new(lambda: False)
        rows.show([2, 4, 11, 13])
        assert rows.key == 11
        # a heading that counts its rows is another one with each of them, and no row
        rows.show([5003, 10, 11, 12], cursor=12)
        rows.show([5002, 10, 11])
        rows.seek_new(lambda: False)
        rows.show([5004, 10, 11])
        assert rows.key == 11
        rows.show([5003, 10, 11, 12])
        assert rows.key == 12
        await pilot.pause()


async def test_what_comes_under_the_cursor_is_acted_on_once_it_is_on_display(monkeypatch: pytest.MonkeyPatch) -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.rows
        rows.show([10, 11, 12], cursor=11)
        rows.others_wrote()
        rows.show([10, 12])
        with pytest.raises(Conflict):
            rows.check_seen()
        rows.others_wrote()
        rows.show([10])
        monkeypatch.setattr(cursored, "UNSEEN_SECONDS", 0)
        rows.check_seen()
        rows.show([10, 11, 12], cursor=11)
        rows.others_wrote()
        rows.show([10, 12])
        rows.others_wrote()
        monkeypatch.setattr(cursored, "UNSEEN_SECONDS", 3_600)
        rows.check_seen()
        await pilot.pause()


async def test_the_pane_is_drawn_again_for_another_title_and_not_for_each_move_of_the_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []

    class OfPane(App[None]):
        def compose(self) -> ComposeResult:
            with Vertical(classes="pane"):
                yield MarkList[int](lambda key: ListRow([(f"{key}", "text")]))

    app = OfPane()
    async with app.run_test(size=(40, 12)) as pilot:
        rows, pane = app.query_one(MarkList), app.query_one(Vertical)
        rows.items = dict.fromkeys(range(9), "")
        rows.show(range(9))
        rows.title = "Nine [bold]"
        await pilot.pause()
        monkeypatch.setattr(pane, "refresh", lambda *regions, **how: drawn.append(str(pane.border_title)))
        moved(rows, [1, 1, -1])
        await pilot.pause()
        assert not drawn
        rows.toggle_mark()
        assert [title.partition("Nine")[0] for title in drawn] == ["1 marked · "]


async def test_the_lines_that_rows_take_with_room_for_all_are_counted_no_further_than_asked() -> None:
    class OfRows(App[None]):
        def compose(self) -> ComposeResult:
            yield MarkList[int](lambda key: ListRow([("word " * 12 if key else "short", "text")]))

    async with OfRows().run_test(size=(40, 4)) as pilot:
        rows = pilot.app.query_one(MarkList)
        rows.show([0, 1, 0])
        await pilot.pause()
        assert rows.lines_wanted(99) == 4 and rows.lines_wanted(2) == 3, "the second row takes two lines"
        rows.show([])
        assert rows.lines_wanted(99) == 0
