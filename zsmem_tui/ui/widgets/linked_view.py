"""A page whose links can be chosen, with keys or the mouse."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.events import Click

from zsmem_tui.ui.reading.line_marks import gutter_of
from zsmem_tui.ui.reading.links import link_at, links_of, next_link
from zsmem_tui.ui.widgets.page_view import PageView


class LinkedView(PageView):
    """Whoever shows it says with `FOLLOW` which action follows the chosen link."""

    FOLLOW: ClassVar[str] = ""

    def choose_link(self, step: int) -> bool:
        """Choose the next link of the page, or the one before, and bring it into sight; False when there is none."""
        page = self.page
        found = next_link(page, self.link, self.top_line, step) if page.laid_out else None
        self.link = found
        if found is None:
            return False
        row = links_of(page, found[0])[found[1]][0]
        height = self.scrollable_content_region.height
        if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
            self.scroll_to(y=max(0, row - height // 3), animate=False, immediate=True, force=True)
        self.refresh()
        return True

    @property
    def link_target(self) -> str:
        """Where the chosen link leads; empty when none is chosen."""
        found = link_at(self.page, self.link)
        return found[1].target if found is not None else ""

    async def on_click(self, event: Click) -> None:
        """The mouse follows a link, unless it has selected something."""
        at = event.get_content_offset(self)
        row = self.scroll_offset.y + at.y if at is not None else self.page.row_count
        if at is None or row >= self.page.row_count or self.text_selection is not None:
            return
        left = gutter_of(self.page, self.line_marks).width
        for words, style in self.page.spans(row)[0]:
            left += cell_len(words)
            if at.x < left:
                line = self.page.leader(self.page.line_of(row))
                number = next((place for place, (_, each) in enumerate(links_of(self.page, line)) if each is style), None)
                if number is not None:
                    self.link = (line, number)
                    await self.run_action(self.FOLLOW)
                return
