"""The versions of one file: who, when, what changed; and any of it brought back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.version import Version
from zsmem_tui.service import history
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.flows import reviewing
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.format import versions as format_versions
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class VersionList(RowList):
    """The versions, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("versions")]


class VersionDiff(DiffView):
    """What one version changed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("version")]


class HistoryScreen(ToolScreen):
    """Left the versions of a file, right what the one under the cursor changed."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"versions": "versions", "version-diff": "version"}
    PAGE = "history"

    def __init__(self, host: Host, ref: MemRef) -> None:
        super().__init__(host)
        self._ref = ref
        self._versions: dict[str, Version] = {}

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content(f"History of {format.title_of(self._ref)}")
            yield VersionList(self._row, id="versions")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("What this version changed")
            yield VersionDiff(id="version-diff")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the list of versions."""
        rows = self.query_one(VersionList)
        found: list[Version] = []
        try:
            found = await self.asking(history.of_file, self.session, self._ref)
            rows.nothing = "No version is recorded yet."
        except MemError as error:
            rows.nothing = format.refusal(error)
        self._versions = {version.id: version for version in found}
        rows.show([version.id for version in found])

    def _row(self, key: Hashable) -> ListRow:
        return format_versions.version_row(self._versions[str(key)], self.host.now_ns())

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
            right.border_title = Content(format_versions.version_title(version, view.diff_page.changes if view.diff_page else 0))
            right.border_subtitle = Content(found.note)

    def action_put_back_version(self) -> None:
        """Make the file what it was in this version."""
        version = self._current
        if version is not None:
            self.host.talk(reviewing.act(self, lambda: history.restore(self.session, version)), self)

    def action_take_back_change(self) -> None:
        """Take one change of this version back."""
        version, hunk = self._current, self.query_one(VersionDiff).current
        if version is None or hunk < 0:
            self.say("This version changed no line.", warning=True)
            return
        self.host.talk(reviewing.act(self, lambda: history.take_back(self.session, version, (hunk,))), self)
