"""A page of text on the screen: how wide its rows are."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from tests.ui.driving import until
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
