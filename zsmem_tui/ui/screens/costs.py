"""What every project's memory costs each of its sessions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.layout import group_word
from zsmem_tui.service import previewing
from zsmem_tui.ui.format import prompt as format_prompt
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class CostList(RowList):
    """The projects, the dearest first."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("costs")]


class CostScreen(ToolScreen):
    """What every project's memory costs each of its sessions."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"costs": "costs"}
    PAGE = "costs"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._costs: dict[str, previewing.Cost] = {}

    def compose_body(self) -> Iterable[Widget]:
        """One table."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("What costs what, in every session")
            yield CostList(self._draw_row, id="costs")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Work all blocks out."""
        rows = self.query_one(CostList)
        rows.nothing = "Adding up what each project's prompt takes …"
        rows.refresh()
        catalog = self.host.main.here.catalog
        slugs = [project.slug for project in catalog.projects] if catalog else []
        word = group_word(self.session.layout)
        if not slugs and word != "project":
            slugs = [self.session.project]  # without groups there is one prompt
        found = await self.asking(previewing.costs, self.session, slugs)
        self._costs = {cost.project: cost for cost in found}
        rows.nothing = f"There is no {word} yet, so no session pays for memory."
        keys: list[Any] = [("head", "")] if found else []
        for cost in found:
            keys += [("cost", cost.project), *(("part", (cost.project, number)) for number in _largest_first(cost))]
        rows.show(keys)
        self.query_one(".tool-list").border_subtitle = Content(format_prompt.costs_total(found, word))

    def _draw_row(self, key: Any) -> ListRow:
        kind, about = key
        if kind == "head":
            return ListRow([(format_prompt.cost_heading(group_word(self.session.layout)), "head")], heading=True)
        if kind == "cost":
            return format_prompt.cost_row(self._costs[about])
        project, number = about
        return format_prompt.part_row(self._costs[project], number)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        _, about = event.key
        project = about if isinstance(about, str) else about[0]
        self.host.openers.open_prompt(previewing.subject(self.session)._replace(project=project))


def _largest_first(cost: previewing.Cost) -> list[int]:
    return sorted(range(len(cost.sections)), key=lambda number: -cost.sections[number].size)
