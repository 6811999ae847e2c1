"""The versions of one file, or of all: who, when, what changed; and any of it brought back."""

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
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.core.version import Version
from zsmem_tui.service import history
from zsmem_tui.service.history import PutBackResult
from zsmem_tui.service.results import Resolution
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.history import rows as version_rows
from zsmem_tui.ui.history.rows import WHOSE
from zsmem_tui.ui.history.verbs import look_again, resolve_clash, show_then
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.perform import attempt, perform, show
from zsmem_tui.ui.tool import ToolScreen, after
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.line_diff import DiffView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import refusal, title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

TIMELINE = 5_000
"""Versions of the whole store that are shown at most: reading them takes 50 ms."""


class VersionList(RowList):
    """The versions, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("versions")]


class VersionDiff(DiffView):
    """What one version changed."""

    NOTHING = "What the chosen version changed shows up here; b puts a change back, B the whole file."

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("version")]


class HistoryScreen(ToolScreen):
    """Left the versions of a file, or of the whole store by day; right what the one under the cursor changed."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"versions": "versions", "version-diff": "version"}
    PAGE = "history"

    def __init__(self, host: ZsmemApp, ref: MemRef | None) -> None:
        super().__init__(host)
        self._home = self._ref = ref
        """The file; None: all files."""
        self._whose = WHOSE[0]
        self._versions: dict[str, Version] = {}

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content(self._title)
            yield FilterLine("words of the file's name, the author or the step", id="version-filter", rows="versions")
            yield VersionList(self._row, id="versions")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("What this version changed")
            yield VersionDiff(id="version-diff")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the list of versions."""
        rows, ref = self.query_one(VersionList), self._ref
        found: list[Version] = []
        try:
            if ref is not None:
                found = await self.asking(history.of_file, self.session, ref)
            else:
                found = await self.asking(history.timeline, self.session, TIMELINE)
            rows.nothing = "No version is recorded yet. Every change, yours or an agent's, makes one: e edits the file."
        except MemError as error:
            rows.nothing = refusal(error)
        self._versions = {version.id: version for version in found}
        self.show()

    @on(Input.Changed, "#version-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it."""
        rows, wanted = self.query_one(VersionList), self.query_one(FilterLine).words
        found = version_rows.wanted_versions(self._versions.values(), self._whose, wanted)
        if self._versions and not found:
            rows.nothing = "No version is like this: f shows those of everybody, esc drops the words."
        rows.show(version_rows.by_day(found) if self._ref is None else [version.id for version in found])
        pane = self.query_one(".tool-list")
        pane.border_title = Content(self._title)
        pane.border_subtitle = Content(counted(len(found), "version"))
        if not found:
            self.query_one(VersionDiff).compare(b"", b"")

    @property
    def _title(self) -> str:
        name = title_of(self._ref, self.session) if self._ref is not None else "all files"
        return f"History of {name}" + (f" · {self._whose}" if self._whose != WHOSE[0] else "")

    def back(self) -> None:
        """Drop the filter, then one step back."""
        if not self.query_one(FilterLine).close():
            super().back()

    def action_filter(self) -> None:
        """Type words."""
        self.query_one(FilterLine).begin()

    def action_cycle(self, what: str) -> None:
        """The file or all of them; versions of everybody, of the person, or of others."""
        if what == "whose":
            self._whose = after(self._whose, WHOSE)
            self.show()
            return
        version = self._current
        if self._ref is not None:
            self._home, self._ref = self._ref, None
        elif self._home is not None or version is not None:
            there = version.path if version is not None else ""
            self._ref = self._home if self._home is not None else self.session.ref_at(there) if there else None
        self.load()

    def _row(self, key: Hashable) -> ListRow:
        name = str(key)
        if name.startswith("\0"):
            return ListRow([(name[1:], "head")], heading=True)
        version = self._versions[name]
        is_named = self._ref is None and version.path
        title = title_of(self.session.ref_at(version.path), self.session) if is_named else ""
        return version_rows.version_row(version, self.host.now_ns(), title)

    @property
    def _current(self) -> Version | None:
        return self._versions.get(str(self.query_one(VersionList).key))

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(VersionDiff).focus()

    @on(RowList.Moved)
    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        version = self._current
        if version is None:
            return
        found = await self.asking(history.texts, self.session, version)
        if version is self._current:
            view = self.query_one(VersionDiff)
            view.compare(found.before, found.after)
            right = self.query_one(".tool-side")
            right.border_title = Content(version_rows.version_title(version, view.diff_page.changes if view.diff_page else 0))
            right.border_subtitle = Content(found.note)

    async def _refresh(self, done: VerbResult) -> None:
        if not done.conflicted:
            await look_again(self.host)
        self.load()

    @in_turn
    async def action_restore(self) -> None:
        """Make the file what it was in this version."""
        version = self._current
        if version is None:
            return
        if not version.path:
            self.warn("This step wrote no file: u takes it back, once it is the last.")
        else:
            await perform(self.host, lambda: history.restore(self.session, version), self, refresh=self._refresh)

    @in_turn
    async def action_show_then(self) -> None:
        """The prompt just before the version was written."""
        version = self._current
        if version is None or not version.path:
            self.warn("This step wrote no file.")
        else:
            await show_then(self.host, version, self)

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file where the change stands now; leaving the editor comes back."""
        version, view = self._current, self.query_one(VersionDiff)
        if version is None or view.diff_page is None or view.current < 0:
            self.warn("This version changed no line.")
            return
        place = view.diff_page.place_of(view.current)
        line, row = view.diff_page.diff[place].line, view.screen_row(place)
        now = await attempt(asyncio.to_thread(history.line_now, self.session, version, line), self.warn)
        if now is not None:
            self.host.edit_file(self.session.ref_at(version.path), now, row=row)

    @in_turn
    async def action_put_back(self) -> None:
        """Put back what stood there before one change of this version."""
        version, hunk = self._current, self.query_one(VersionDiff).current
        if version is None or hunk < 0:
            self.warn("This version changed no line.")
            return
        done = await attempt(self._put_back(version, hunk), self.warn)
        if done is not None:
            await show(self.host, done, self, refresh=self._refresh)

    async def _put_back(self, version: Version, hunk: int) -> PutBackResult:
        """Put a change back, asking as often as it clashes; with a clash left, nothing is written. Raises `MemError`."""
        resolved: Resolution | None = None
        while True:
            done = await asyncio.to_thread(history.put_back_change, self.session, version, (hunk,), resolved=resolved)
            if done.clash is None:
                return done
            resolved = await resolve_clash(self.host.main, done.clash, mine="Without this change")
            if resolved is None:
                return done
