"""What others wrote since the person last looked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import ClassVar, Literal

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import reviewing
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.flows import reviewing as flow
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.format import versions as format_versions
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class ChangeList(RowList):
    """The changed files, by project."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("changes")]


class ChangeDiff(DiffView):
    """What others changed in one file."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("change")]


class ReviewScreen(ToolScreen):
    """Left the files that others changed, right the changes of the one under the cursor. Nothing waits for approval."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"changes": "changes", "change-diff": "change"}
    PAGE = "review"

    def __init__(self, host: Host, at: str = "") -> None:
        super().__init__(host)
        self._at = at
        """The path that the cursor goes to at first."""
        self._pending: dict[str, PendingReview] = {}

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Review: what others wrote")
            yield ChangeList(self._row, id="changes")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("Changes")
            yield ChangeDiff(id="change-diff")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask what is unseen."""
        rows = self.query_one(ChangeList)
        found: list[PendingReview] = []
        try:
            found = await self.asking(reviewing.pending, self.session)
            if not found:
                rows.nothing = await self.asking(self._nothing)
        except MemError as error:
            rows.nothing = format.refusal(error)
        self._pending = {each.ref.path: each for each in found}
        rows.show(_grouped(found), cursor=self._at if self._at in self._pending else None)
        self._at = ""
        self.query_one(".tool-list").border_subtitle = Content(format_versions.pending_counts(found))
        if not found:
            self._diff.compare(b"", b"")
            self.query_one(".tool-side").border_title = Content("Changes")

    def _nothing(self) -> str:
        return format_versions.nothing_pending(reviewing.last_of_others(self.session), self.host.now_ns())

    def _row(self, key: Hashable) -> ListRow:
        name = str(key)
        if name.startswith("\0"):
            return ListRow([(visible_line(printable_path(name[1:])) or "Shared by all projects", "head")], heading=True)
        return format_versions.pending_row(self._pending[name], self.host.now_ns())

    @property
    def _current(self) -> PendingReview | None:
        return self._pending.get(str(self.query_one(ChangeList).key))

    @property
    def _diff(self) -> ChangeDiff:
        return self.query_one(ChangeDiff)

    @on(RowList.Moved)
    def _moved(self) -> None:
        change = self._current
        if change is not None:
            self._diff.compare(change.reviewed, change.now)
            side = self.query_one(".tool-side")
            side.border_title = Content(format_versions.pending_title(change))
            side.border_subtitle = Content(change.note)
            if words := format_versions.dropped_words(change):
                self.say(words, warning=True)

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self._diff.focus()

    def action_accept(self, which: Literal["one", "all"] = "one") -> None:
        """Mark as seen."""
        change = self._current
        seen = list(self._pending.values()) if which == "all" else [change] if change else []
        if not seen:
            self.say("Nothing to mark as seen.", warning=True)
            return
        self._act(lambda: reviewing.accept(self.session, seen))

    def action_put_back(self, which: Literal["change", "file"] = "file") -> None:
        """Take back what others did: one change, or all in this file."""
        change, hunk = self._current, self._diff.current
        if change is None or (which == "change" and hunk < 0):
            self.say("Nothing to put back.", warning=True)
            return
        if change.note:
            self.say(f"{change.note} Nothing was put back.", warning=True)
            return
        hunks = (hunk,) if which == "change" else None
        self._act(lambda: reviewing.revert(self.session, change, hunks))

    def action_move_lines(self) -> None:
        """Move the lines of this change to another file."""
        change, lines = self._current, self._diff.added_lines()
        if change is None or not lines:
            self.say("This change added no line that could be moved.", warning=True)
        else:
            self.host.talk(flow.move_lines(self, change, lines), self)

    def _act(self, verb: Callable[[], VerbResult]) -> None:
        self.host.talk(flow.act(self, verb), self)

    def action_edit(self) -> None:
        """Edit the file at this change; leaving the editor comes back."""
        change, host = self._current, self.host
        if change is None:
            self.say("Nothing selected: there is no changed file.", warning=True)
            return
        rows = self._diff.current_rows()
        self.dismiss(None)
        host.main.post_message(FileChosen(change.ref))
        host.openers.edit(change.ref, rows[0].line if rows else 0, lambda: host.openers.open_review(change.ref.path))

    def action_history(self) -> None:
        """All versions of the file."""
        change = self._current
        if change is not None:
            self.host.openers.open_history(change.ref)


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
