"""Review with the changes: the list of what others wrote, and beside it the diff of the file under its cursor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.content import Content
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import losses, prompts, review_lines
from zsmem_tui.service.news import Row
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session
from zsmem_tui.service.today_rows import hidden
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.review import opening
from zsmem_tui.ui.review.page import Judging, ReviewList, ReviewPage, Spot, Which, scope_name
from zsmem_tui.ui.tool import ListScreen
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.frame import pane
from zsmem_tui.ui.widgets.line_diff import LineDiff
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import ago, title_of, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.open_store import OpenStore


class ChangeDiff(Judging, LineDiff, keys="change"):
    """The diff of a file."""

    NOTHING = "What others wrote into the file of the row under the cursor shows up here."

    change: PendingReview | None = None
    """The changes that it shows; None if the row under the cursor of the list is about no file."""
    lines: Sequence[ReviewLine] = ()
    """The changed lines of the file."""

    @property
    def around(self) -> ReviewPage:
        """The page beside it."""
        return self.screen.query_one(ReviewPage)

    @property
    def changed(self) -> ReviewLine | None:
        """The changed line at the cursor."""
        return self.lines[self.at] if self.at < len(self.lines) else None

    def spot(self) -> Spot:
        """The line at the cursor."""
        store, ref, *_ = self.around.rows.spot()
        added = self.changed.change.added if self.changed is not None else None
        version = self.changed.version if self.changed is not None else None
        return Spot(store, ref, self.line(), -1 if added is None else added, version, self.cursor_row())

    def parts(self, which: Which = "line") -> dict[OpenStore, list[Pick]]:
        """The chosen lines, or the whole file; if there is none, say so."""
        if not self.marked:
            self.check_seen()
        if self.change is None:
            self.place.warn("Nothing selected: there is no changed file.")
            return {}
        return {self.around.rows.spot().store: [Pick(self.change, None if which == "whole" else self.numbers())]}


class ReviewScreen(ListScreen):
    """The list of the page, and the changes of the file under its cursor. They are in effect already."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"today-list": "today", "change-diff": "change"}
    PAGE = "review"
    OF_FOLDER = True

    def __init__(self, host: ZsmemApp, row: Row | None = None, *, into: bool = False) -> None:
        """`row` is where the cursor begins, `into` its line."""
        super().__init__(host)
        self._at: object = None
        """The row that the cursor of the changes has followed to."""
        self._begins, self._into = row, into
        self._at_a_line = False
        """Whether the person came to a line of the page, and has not been in the list yet: it is no step on the way back."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        main, again = self.host.main, partial(opening.list_so_much, self.host.main)
        yield ReviewPage(main, self, again, lambda _: self.diff.focus(), id="review").add_class("tool-list")
        yield pane("side", "Changes", ChangeDiff(id="change-diff"))

    page = query_one(ReviewPage)
    rows = query_one(ReviewList)
    diff = query_one(ChangeDiff)

    @property
    def memories(self) -> list[OpenStore]:
        """All stores, `home` first."""
        return [self.home, *(store for store in self.host.main.stores if store is not self.home)]

    @property
    def scope_name(self) -> str:
        """The folder that the person works in, or "all memories"."""
        return scope_name(self.host.main)

    async def read(self) -> None:
        """Show what waits, keeping cursor and marks; does nothing once the screen is closed."""
        main, begins = self.host.main, self._begins
        if not self.query(ReviewList):  # closed just now: its parts go one after the other
            return
        wiped = {prompts.is_here(store.session, each.ref) for store in main.stores for each in store.wipes}
        is_first, extent = not self.rows.is_filled, main.extent
        if begins is not None:
            self.rows.seek(begins.key)
        await opening.list_so_much(main, extent._replace(is_of_all=extent.is_of_all or (is_first and wiped == {False})))
        if not self.query(ReviewList):
            return
        if begins is not None and self.rows.key != begins.key:
            self.rows.seen = begins.key  # it has gone: no key may act on another one instead
        elif self._into:
            self.diff.focus()
            self._at_a_line = True
        self._begins, self._into = None, False

    @property
    def _store(self) -> OpenStore:
        """The store of the row under the cursor."""
        row = self.rows.at_cursor()
        return self.page.store_of(row) if row is not None else self.memory

    @on(RowList.Moved)
    @on(RowList.Shown)
    def _moved(self, event: RowList.Moved | RowList.Shown) -> None:
        self.look_at(self._store)
        before = self.diff.change
        self._compare()
        is_other = self.diff.change is not None and (before is None or before.ref != self.diff.change.ref)
        if is_other and self.diff.change is not None and (told := dropped_words(self.diff.change)):
            words = with_titles(told, self.host.main.here, self.host.main.stores)
            self.query_one(StatusLine).mention(words, warning=True)  # any result replaces it

    def _compare(self) -> None:
        """Show the file under the cursor, at the line."""
        row, side = self.rows.at_cursor(), self.query_one(".tool-side")
        pick = row.pick if row is not None else None
        if row is None or pick is None:
            self.diff.change, self.diff.lines, self._at = None, [], None
            self.diff.show_nothing()
            side.border_title = Content("Changes")
            if self.focused is self.diff:
                self.rows.focus()
            self._tell()
            return
        is_same = self.diff.change is not None and (self.diff.change.ref, self.session) == (pick.change.ref, row.session)
        if pick.change is not self.diff.change:
            self.diff.change, self.diff.lines = pick.change, review_lines.lines(pick.change)
            name, old, new = "\0".join(row.key[:2]), pick.change.reviewed, pick.change.now
            self.diff.show_lines(name, old, new, self.diff.lines, hidden(old, new))
            side.border_title = Content(pending_title(pick.change, row.session))
            self._find_authors(pick.change)
        if row.key != self._at and not (is_same and self.focused is self.diff):
            self.diff.go(min(pick.numbers, default=0) if pick.numbers is not None else 0)
        self._at = row.key
        self._tell()

    @work(exclusive=True, group="authors")
    async def _find_authors(self, change: PendingReview) -> None:
        """Find out who wrote each line, by looking at all versions."""
        try:
            found = await self.asking(review_lines.with_versions, self._store.session, change)
        except MemError:
            return  # the authors stay unknown
        if change is self.diff.change:
            self.diff.lines = found
            self._tell()

    @on(LineDiff.Changed)
    def _tell(self) -> None:
        """Show the line's author and the marks; the list follows the cursor of the changes."""
        change, at, line = self.diff.change, self.diff.at, self.diff.changed
        facts = "the text is the same" if change is not None and change.came_from else ""
        if change is not None and line is not None:
            facts = line_facts(change, line, (at + 1, len(self.diff.lines)), len(self.diff.marked), self.host.now_ns())
        self.query_one(".tool-side").border_subtitle = Content(change.note if change is not None and change.note else facts)
        if change is not None and self.focused is self.diff:
            own = (row for row in self.rows.listed() if row.pick is not None and row.pick.change is change)
            key = next((row.key for row in own if row.pick and at in (row.pick.numbers or ())), None)
            if key not in (None, self.rows.key):
                self._at = key
                self.rows.show(self.rows.keys, cursor=key)
        self.show_keys()

    def offered(self, action: Action) -> Action | None:
        """The action, if it applies to the row, named after what it would show."""
        if action.id == "today.wider" and self.host.main.extent.is_of_all:
            return action._replace(label="This folder")
        return action if self.rows.offers(action.id) else None

    def back(self) -> None:
        """Drop the filter, else the marks, else go one step back."""
        if self.focused is self.diff and self.diff.unmark():
            return
        if self._at_a_line and self.focused is self.diff:
            self.dismiss(None)
        else:
            super().back()

    @on(DescendantFocus, "ReviewList")
    def _in_the_list(self) -> None:
        self._at_a_line = False

    @in_turn
    async def action_open(self) -> None:
        """Read the file at the line; esc returns here."""
        self.diff.check_seen()
        spot = self.diff.spot()
        if self.diff.change is not None and self.diff.change.now is None:
            self.warn("The file was deleted: b reverts that.")
        elif spot.ref is not None:
            self.host.read_file(spot.ref, spot.at, store=spot.store.key)

    def action_mark(self) -> None:
        """Toggle the mark of the line, or of the row."""
        (self.diff if self.focused is self.diff else self.rows).toggle_mark()


def pending_title(change: PendingReview, session: Session) -> str:
    """The title of a file's changes."""
    count = len(change.versions)
    writes = counted(count, "write") if count > 1 else ""
    return " · ".join(filter(None, (title_of(change.ref, session), ", ".join(change.authors) if count else "", writes)))


def line_facts(change: PendingReview, line: ReviewLine, count: tuple[int, int], marked: int, now_ns: int) -> str:
    """The facts on a changed line: why it should be checked, author, age, its number, and the number of marked lines."""
    at, version = line.change.added, line.version
    hazards = [each for each in change.hazards if at is not None and each.line == at + 1]
    facts = [f"! {visible_line(reasons(hazards))}"] if hazards else []
    facts += [f"{version.author} · {ago(version.since, now_ns)}"] if version else []
    facts += [f"line {count[0]} of {count[1]}"]
    return " · ".join([*facts, f"{marked} marked"] if marked else facts)


def dropped_words(change: PendingReview) -> str:
    """A warning if a write removed lines that were written here; empty if not."""
    if change.dropped is None:
        return f"{losses.describe(change.mended[0]).removesuffix('.')}: put back." if change.mended else ""
    return f"{losses.describe(change.dropped)} b reverts what is marked, x lets it be"
