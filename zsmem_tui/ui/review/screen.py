"""What others wrote since the person last looked, judged by lines."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import review_lines, reviewing
from zsmem_tui.service.review_lines import ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.ui import wording as format
from zsmem_tui.ui.history import rows as format_versions
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.review import verbs as flow
from zsmem_tui.ui.review.marks import ReviewMarks, Which
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.line_diff import LineDiff
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp


class ChangeList(RowList):
    """The changed files, by project."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("changes")]


class ChangeDiff(LineDiff):
    """What others changed in one file."""

    NOTHING = "What others wrote into the file chosen beside shows up here, line by line: x takes note of it, b puts it back."

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("change")]

    async def action_next(self, step: int) -> None:
        """To the next line that was found, or the one before; without words, to the next hunk."""
        await self.run_action(f"screen.go({step})")


class ReviewScreen(ToolScreen):
    """Left the files that others changed, right the changed lines of the one under the cursor. Nothing waits for approval."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"changes": "changes", "change-diff": "change"}
    PAGE = "review"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.marks = ReviewMarks()
        self.lines: list[ReviewLine] = []
        """The changed lines of the file on the right."""
        self._reading = asyncio.Lock()
        self._shown = self.session
        """Whose changes are on the screen: `session` may be another one, until that is read."""

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list"):
            yield ChangeList(self._row, id="changes")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("Changes")
            yield FilterLine("words that a changed line holds", id="line-find", rows="change-diff")
            yield ChangeDiff(id="change-diff")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask what is unseen."""
        await self.read()

    async def read(self) -> None:
        """Ask what is unseen, and show it: the cursor stays on its line, and the marks on theirs. Nothing once it is closed."""
        async with self._reading:
            nothing, session = "", self.session
            found: list[PendingReview] = []
            try:
                found = await asyncio.to_thread(reviewing.pending, session)
                last = None if found else await asyncio.to_thread(reviewing.last_of_others, session)
                nothing = format_versions.nothing_pending(last, self.host.now_ns())
            except MemError as error:
                nothing = format.refusal(error)
            if session is not self._shown:
                self._shown, self.marks = session, ReviewMarks()
            if self.query(ChangeList):
                self._show(found, nothing)

    def _show(self, found: list[PendingReview], nothing: str) -> None:
        rows = self.query_one(ChangeList)
        rows.nothing = nothing
        self.marks.show(found)
        rows.show(_grouped(found))
        self.query_one(".tool-list").border_subtitle = Content(format_versions.pending_counts(found))
        self._compare()
        if not found and self.focused is self.diff:
            rows.focus()

    def _row(self, key: Hashable) -> ListRow:
        name = str(key)
        if name.startswith("\0"):
            return ListRow(
                [(visible_line(self.session.group_name(name[1:])) if name[1:] else "Shared by all projects", "head")], heading=True
            )
        return format_versions.pending_row(self.marks.pending[name], self.host.now_ns())

    @property
    def change(self) -> PendingReview | None:
        """The file under the cursor."""
        return self.marks.pending.get(str(self.query_one(ChangeList).key))

    @property
    def diff(self) -> ChangeDiff:
        """Its changed lines."""
        return self.query_one(ChangeDiff)

    @on(RowList.Moved)
    @on(RowList.Chosen)
    def _moved(self, event: RowList.Moved | RowList.Chosen) -> None:
        self._compare()
        if isinstance(event, RowList.Chosen):
            self.diff.focus()
        elif self.change is not None and (told := format_versions.dropped_words(self.change)):
            self.say(told, warning=True)

    def _compare(self) -> None:
        """Show the file under the cursor."""
        change, side = self.change, self.query_one(".tool-side")
        main, group = self.host.main, change.ref.project if change is not None else ""
        store = next((each for each in main.stores if len(main.stores) > 1 and each.session is self._shown), None)
        told = (store.title, store.group_name(group) if group else "") if store is not None else ()
        self.query_one(".tool-list").border_title = Content(format_versions.review_title(told))
        if change is None:
            self.lines = []
            self.diff.lines.show("", b"", b"", [], set())
            side.border_title = Content("Changes")
        else:
            path = change.ref.path
            self.lines = self.marks.lines(path)
            keys = [line.key for line in self.lines]
            self.diff.lines.show(path, change.reviewed, change.now, keys, self.marks.of(path))
            side.border_title = Content(format_versions.pending_title(change, self.session))
            self._find_authors(change)
        self._tell()

    @work(exclusive=True, group="authors")
    async def _find_authors(self, change: PendingReview) -> None:
        """Who brought each line: every version between is looked at."""
        try:
            found = await self.asking(review_lines.with_versions, self.session, change)
        except MemError:
            return  # who it was is not known: the title says what is
        if change is self.change:
            self.lines = found
            self._tell()

    @on(LineDiff.Changed)
    def _tell(self) -> None:
        """Who brought the line, and what is marked."""
        change, at = self.change, self.diff.lines.at
        line = self.lines[at] if change is not None and at < len(self.lines) else None
        facts = ""
        if change is not None and line is not None:
            hazard = format_versions.hazard_of(change, line)
            facts = format_versions.line_facts(line, len(self.lines), self.marks.count, self.host.now_ns(), hazard)
        self.query_one(".tool-side").border_subtitle = Content(change.note if change is not None and change.note else facts)
        rows = self.query_one(ChangeList)
        if rows.marked != self.marks.paths:
            rows.marked = set(self.marks.paths)
            rows.refresh()

    def back(self) -> None:
        """Drop what was looked for, then the marks, then one step back."""
        if self.query_one(FilterLine).close():
            return
        if self.marks.clear():
            self._compare()
        else:
            super().back()

    def action_verb(self, name: str, which: Which = "line") -> None:
        """Do something with what is meant."""
        self.host.talk(flow.judge(self, name, which), self)

    def action_mark(self) -> None:
        """Mark the changed line and go on; in the list of files, every changed line of the file, or none."""
        if self.focused is self.diff:
            self.diff.lines.mark(1)
        else:
            self.diff.lines.mark_all()

    @on(Input.Changed, "#line-find")
    def action_go(self, what: object = 0) -> None:
        """Type words with `find`; else to the next line that has them, or the one before, or without words, to the next hunk."""
        wanted, step = self.query_one(FilterLine).words, what if isinstance(what, int) else 0
        if what == "find":
            self.query_one(FilterLine).begin()
        elif wanted:
            rows, here = self.query_one(ChangeList), self.change
            paths = [path for path in map(str, rows.keys) if path in self.marks.pending]
            found = self.marks.match(wanted, paths, (here.ref.path if here else "", self.diff.lines.at), step)
            if found is None:
                self.say("No changed line has these words.", warning=True)
                return
            if here is None or here.ref.path != found[0]:
                rows.show(rows.keys, cursor=found[0])
                self._compare()
            self.diff.lines.go(found[1])
        elif step:
            self.diff.lines.hunk(step)


def _grouped(found: list[PendingReview]) -> list[str]:
    """Paths under the heading of their project."""
    keys: list[str] = []
    project: str | None = None
    for each in found:
        if each.ref.project != project:
            project = each.ref.project
            keys.append(f"\0{project}")
        keys.append(each.ref.path)
    return keys
