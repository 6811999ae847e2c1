"""A page of text on the screen: how wide its rows are, and what of a long line is seen."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from tests.ui.driving import until
from zsmem_tui.service.checkups import Passage
from zsmem_tui.ui.doctor.screen import PassageView
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.widgets.page_view import PageView


class OnePage(App[None]):
    """A page on a screen of 40 to 12, a blank beside its text."""

    CSS = "PageView { padding: 0 1; scrollbar-size-vertical: 1; }"

    def compose(self) -> ComposeResult:
        yield PageView()

    @property
    def view(self) -> PageView:
        return self.query_one(PageView)


@pytest.mark.slow
@pytest.mark.parametrize("first", [3, 300])
async def test_a_text_is_as_wide_as_the_cells_beside_the_bar_whether_or_not_there_is_one(first: int) -> None:
    """40 cells, of which a blank on each side and the bar are not the text's."""
    app = OnePage()
    async with app.run_test(size=(40, 12)) as pilot:
        for lines in (first, 3, 300, 12):
            app.view.show(Page("word " * 20 + "\n" + "short\n" * lines))
            shown = app.view.page
            assert shown.width == 37
            await until(pilot, lambda shown=shown: shown.complete)  # type: ignore[misc]
            await pilot.pause()
            assert shown.width == 37


class OnePassage(App[None]):
    """The lines of a finding on a screen of 40 to 8."""

    CSS = "PassageView { width: 1fr; height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield PassageView(id="finding-text")


async def test_of_a_long_line_what_was_found_in_it_is_seen_and_otherwise_its_beginning() -> None:
    """40 cells, of which a few are the number's."""
    app, line = OnePassage(), "- " + "word " * 100 + "The lift is serviced in March. " + "more " * 40
    async with app.run_test(size=(40, 8)) as pilot:
        view = app.query_one(PassageView)
        view.display = True
        await until(pilot, lambda: view.size.height)
        for sought, is_late in ((["the LIFT is serviced"], True), (["gone", "March"], True), (["gone", "wor"], False), ([], False)):
            view.present(str(sought), Passage(f"# N\n\n{line}\n- next", 0, range(2, 3)), sought)
            await pilot.pause()
            rows = [view.page.plain(row) for row in range(view.scroll_offset.y, view.scroll_offset.y + view.size.height)]
            assert any("serviced" in row for row in rows) == is_late and any("- word" in row for row in rows) != is_late


async def test_a_page_of_a_dialog_that_was_closed_meanwhile_is_shown_nowhere() -> None:
    app = OnePage()
    async with app.run_test(size=(40, 12)):
        view = app.view
        await view.remove()
        view.show(Page("late\n"))
        assert not view.page.row_count
