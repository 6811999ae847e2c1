"""The list and the block on the prompt screen: their rows, search in the block, and the line under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one

from zsmem_tui.core.preview import BlockRow, Preview
from zsmem_tui.ui import signs
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.open_store import none
from zsmem_tui.ui.prompt import wording as format_prompt
from zsmem_tui.ui.prompt.wording import Key, Show
from zsmem_tui.ui.reading.rows import Drawn, break_line, clean
from zsmem_tui.ui.widgets.frame import LEAST_ROWS, FilterLine, Findable
from zsmem_tui.ui.widgets.line_diff import DiffView, RowPage
from zsmem_tui.ui.widgets.page_view import PageView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.tool import ToolScreen


class BlockPage(RowPage):
    """A page of preview rows with a cursor."""

    def __init__(self, rows: Sequence[BlockRow]) -> None:
        super().__init__([row.whole for row in rows], 0)
        self.block = list(rows)

    @property
    def row(self) -> BlockRow | None:
        """The row under the cursor, or None."""
        return self.block[self.current] if self.current < len(self.block) else None

    def select(self, place: int) -> None:
        """Put the cursor on a row, limited to the page."""
        super().select(max(0, min(place, len(self.block) - 1)))

    def place_of(self, path: str, line: int) -> int:
        """The index of the row for a line of a file; 0 if there is none."""
        return next((place for place, row in enumerate(self.block) if row.path == path and row.line == line), 0)

    def start_of(self, section: int) -> int:
        """The index of the first row of a section."""
        return next((place for place, row in enumerate(self.block) if row.section == section), 0)

    def find(self, terms: list[bytes], *, whole_words: bool = False) -> list[int]:
        """The rows that contain any of the folded terms, each once."""
        return list(dict.fromkeys(super().find(terms, whole_words=whole_words)))

    def _draw(self, line: int) -> tuple[Drawn, list[int]]:
        row = self.block[line]
        mark = signs.LOST if row.lost and not row.text else signs.CUT if row.lost else " "
        style = "head" if row.text.startswith("## ") and not row.path else "text" if row.path else "mark"
        spans = [(clean(row.text), style)] if row.text else []
        if row.lost:
            spans.insert(0 if row.is_end else len(spans), (clean(row.lost), "cut"))
        edge = signs.CURSOR if line == self.current else " "
        drawn = Drawn(spans or [("", "text")], f"{edge}{mark} ", "   ", "key" if line == self.current else "mark")
        return drawn, break_line(drawn, self.width)

    def _rows(self, line: int) -> int:
        text = self.lines[line]
        return 1 if len(text) * 2 + 3 <= self.width else super()._rows(line)


NOTHING: Final = "Nothing is loaded. What is stands here as the agent gets it, with what is lost struck out."


class BlockView(PageView, keys="block"):
    """The widget for the block, with a cursor."""

    nothing = "Reading what the agent gets …"

    @property
    def block(self) -> BlockPage | None:
        """The page if it is a block, else None."""
        return self.page if isinstance(self.page, BlockPage) else None

    def select(self, place: int) -> None:
        """Put the cursor on a row and scroll to it."""
        if self.block is not None and self.block.block:
            self.block.select(place)
            self.go_to(self.block.current)
            self.refresh()

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self.select((self.block.current if self.block else 0) + step)

    def action_page(self, step: int) -> None:
        """Move the cursor by pages."""
        self.action_move(step * max(self.scrollable_content_region.height - 1, 1))

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first or last row."""
        self.select(0 if step < 0 else 1 << 40)


class ProfileDiff(DiffView):
    """The diff of two prompts, with the keys of a diff and those that apply to a whole prompt."""

    BINDINGS: ClassVar[list[BindingType]] = [each for each in bindings("block") if not each.action.startswith("screen.jump")]


class BlockPane(Vertical, Findable):
    """The pane with the block, or a comparison; `/` searches the block, including lost lines."""

    FIND_IN = "the block or in what is lost"

    def __init__(self) -> None:
        super().__init__(classes="pane tool-side")
        self.named = "The block"
        """The title of the block."""

    def compose(self) -> ComposeResult:
        """Yield the find line, the block and the hidden diff."""
        self.border_title = Content(self.named)
        yield FilterLine("find in the block and in what is lost", id="block-find", rows="block", keeps=True)
        yield BlockView(id="block")
        difference = ProfileDiff(id="profiles")
        difference.display = False
        yield difference

    view = query_one(BlockView)

    @property
    def rows(self) -> Sequence[BlockRow]:
        """The rows shown of the block."""
        return self.view.block.block if self.view.block else ()

    @property
    def here(self) -> int:
        """The index of the row with the cursor."""
        return self.view.block.current if self.view.block else 0

    @property
    def compares(self) -> bool:
        """Whether the comparison is shown."""
        return bool(self.query_one(ProfileDiff).display)

    def show(self, rows: Sequence[BlockRow], place: int) -> None:
        """Show these rows, with the cursor on row `place`; the search is kept."""
        page, self.view.nothing = BlockPage(rows), NOTHING
        page.select(place)
        if not self.compares:
            self.border_title = Content(self.named)
        before = self.view.block
        is_same = before is not None and before.current == place
        self.view.show(page, line=None if is_same else max(0, page.current - 5), keep=is_same, terms=self.terms)
        if is_same:
            self.view.select(page.current)  # it may have been scrolled out of sight
        self.matches = page.find(list(self.terms)) if self.terms else ()
        self.at = min(self.at, len(self.matches) - 1)
        self.tell_found()

    def show_block(self) -> None:
        """Show the block instead of the comparison."""
        view, profiles = self.view, self.query_one(ProfileDiff)
        view.display = True
        if profiles.has_focus:
            view.focus()
        profiles.display = False
        self.border_title = Content(self.named)

    def compare(self, title: str, here: str | None, there: str | None) -> None:
        """Show the comparison of two blocks."""
        self.close_find()
        view, profiles = self.view, self.query_one(ProfileDiff)
        profiles.display = True
        if view.has_focus:
            profiles.focus()
        view.display = False
        profiles.compare((here or "").encode(), (there or "").encode())
        self.border_title = Content(title)

    def next_place(self, step: int) -> int:
        """The next or previous match as seen from the cursor."""
        ahead = [place for place, row in enumerate(self.matches) if (row > self.here if step > 0 else row < self.here)]
        return (ahead[0] if step > 0 else ahead[-1]) if ahead else (0 if step > 0 else -1)

    def show_line(self, line: int, *, is_match: bool) -> None:
        """Put the cursor on a row."""
        self.view.select(line)

    def tell_found(self) -> None:
        """Show which match is the current one."""
        self.border_subtitle = Content(self.found_words)


class UseList(RowList, keys="uses"):
    """The list of sections and lost lines."""

    same = staticmethod(lambda key: (key.kind, key.path, key.text))


class PromptRows:
    """Keeps the list and the block of a screen on the same part of the same prompt."""

    def __init__(self, screen: ToolScreen) -> None:
        self._screen = screen
        self.seen: Preview | None = None
        self._show: Show = "all"
        self._listed: Key | None = None
        self._held = format_prompt.Held()

    @property
    def _list(self) -> UseList:
        return self._screen.query_one(UseList)

    @property
    def _block(self) -> BlockPane:
        return self._screen.query_one(BlockPane)

    def draw(self, key: Key) -> ListRow:
        """Render a row of the list."""
        return format_prompt.row(key, self.seen, has_search=self._screen.session.layout.has_search)

    def show(self, seen: Preview) -> None:
        """Show another preview; the cursors stay on their lines, or go to the next remaining ones."""
        old, self.seen = self.seen, seen
        if self._show not in {"all", "lost", *(use.path for use in seen.uses)} or (old is None and not seen.lost):
            self._show = "all"
        stays = old is not None and not self._block.compares
        rows, at = self._block.rows, self._block.here
        self._arrange(self._held.row(rows, at, format_prompt.shown_rows(seen, self._show)) if stays else None)

    def forget(self) -> None:
        """Show nothing until the next preview, since the present one is another's and keys must not apply to it."""
        self.seen, self._listed, self._list.nothing = None, None, ""
        self._list.show([])
        self._block.show([], 0)
        self._block.view.nothing = BlockView.nothing

    def go_to_line(self, path: str, line: int) -> None:
        """Put the cursor of the focused side on a line of a file, if it is shown."""
        seen = self.seen
        if seen is None or self._block.compares:
            return
        if self._list.has_focus:
            key = next((key for key in self._list.keys if key.kind == "lost" and seen.lost[key.number][:2] == (path, line)), None)
            if key is not None:
                self._list.show(self._list.keys, cursor=key)
                self._listed = key
                self._follow_in_block(key)
        elif (place := next((at for at, row in enumerate(self._block.rows) if (row.path, row.line) == (path, line)), -1)) >= 0:
            self._block.view.select(place)

    def next_filter(self) -> None:
        """Cycle between everything, lost lines only, and the cursor's section only."""
        if self.seen is None:
            self._show = "lost"  # pressed before the preview was loaded
            return
        if self._block.compares:
            return
        self._show = self.next_show
        self._arrange(0)

    @property
    def next_show(self) -> Show:
        """What the filter shows next."""
        if self._show == "all" and (self.seen is None or self.seen.lost):
            return "lost"
        return self._section() if self._show in ("all", "lost") and self._section() else "all"

    def moved(self, key: Key) -> None:
        """The list's cursor has moved: move the block's cursor to the same part."""
        if key != self._listed:  # otherwise the list is new and its cursor has not moved
            self._listed = key
            self._follow_in_block(key)

    def place_meant(self) -> tuple[str, int]:
        """The path and line under the cursor; an empty path if the row is not from a file."""
        if self._list.has_focus and self.seen is not None:
            key = self._list.key
            line = self.seen.lost[key.number].line if key is not None and key.kind == "lost" else 0
            return (key.path, line) if key is not None and key.kind in ("lost", "told") else ("", -1)
        page = self._block.view.block
        row = page.row if page and not self._block.compares else None
        return (row.path, row.line) if row else ("", -1)

    @property
    def lost_line(self) -> str:
        """The text of the lost line under the cursor; empty if it is on none."""
        seen = self.seen
        path, line = self.place_meant() if seen is not None else ("", -1)
        return next((each.text for each in (seen.lost if seen else ()) if path and (each.path, each.line) == (path, line)), "")

    def screen_row(self) -> int | None:
        """The screen row of the cursor."""
        if self._list.has_focus:
            return self._list.screen_row
        view = self._block.view
        return view.screen_row(view.block.current) if view.block else None

    def _arrange(self, row: int | None) -> None:
        seen = self.seen
        if seen is None:
            return
        rows = self._list
        rows.nothing = none(
            format_prompt.nothing(seen, self._show, has_search=self._screen.session.layout.has_search), self._screen.memories
        )
        rows.show(format_prompt.listed(seen, self._show))
        self._listed = rows.key
        pane, split = self._screen.query_one(".tool-list"), self._screen.split
        self._screen.call_after_refresh(lambda: split.needs(max(rows.rows_of(pane), LEAST_ROWS)))  # the block gets the rest
        pane.border_subtitle = Content(format_prompt.shown(seen, self._show))
        self._block.show(format_prompt.shown_rows(seen, self._show), self._block.here if row is None else row)
        if rows.has_focus and rows.key and rows.key.kind == "lost":
            self._follow_in_block(rows.key)

    def _follow_in_block(self, key: Key) -> None:
        """Put the block's cursor on what a row of the list refers to."""
        view = self._block.view
        if view.block is None or self.seen is None or self._block.compares:
            return
        if key.kind == "use":
            view.select(view.block.start_of(key.number))
        elif key.kind in ("lost", "told"):
            view.select(view.block.place_of(key.path, self.seen.lost[key.number].line if key.kind == "lost" else 0))

    def _section(self) -> str:
        """The path of the cursor's section; by default the first."""
        uses, rows = self.seen.uses if self.seen else (), self._list
        if rows.has_focus and rows.key and rows.key.kind == "use":
            return str(rows.key.path)
        path, _ = self.place_meant()
        return path or (uses[0].path if uses else "")
