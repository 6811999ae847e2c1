"""A diff with a cursor on one of its changes."""

from __future__ import annotations

from zsmem_tui.core.diff import diff
from zsmem_tui.ui.reading.diff_page import DiffPage
from zsmem_tui.ui.widgets.page_view import PageView


class DiffView(PageView):
    """Shows what leads from one text to another."""

    def compare(self, old: bytes | None, new: bytes | None, *, keep: bool = False) -> None:
        """Show two texts; the first change is the current one, or with `keep`, the one that was, and the view stays."""
        before = self.current if keep else 0
        page = DiffPage(diff(old or b"", new or b""))
        page.select(min(before, page.changes - 1))
        self.show(page, keep=keep)
        if keep:
            self.go_to(page.start_of(page.current))

    @property
    def diff_page(self) -> DiffPage | None:
        """The diff that is shown."""
        return self.page if isinstance(self.page, DiffPage) else None

    @property
    def current(self) -> int:
        """The number of the current change; -1 when there is none."""
        return self.diff_page.current if self.diff_page else -1

    async def action_next(self, step: int) -> None:
        """Go to the next change, round the end."""
        page = self.diff_page
        if page is None or not page.changes:
            return
        page.select((page.current + step) % page.changes)
        self.go_to(page.start_of(page.current))
        self.refresh()
