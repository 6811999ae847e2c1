"""What every agent's memory costs each of its sessions, and what of it is paid for more than once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service import costing, prompts
from zsmem_tui.service.costing import Twice
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.previewing import Cost
from zsmem_tui.service.prompts import PromptOf
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.prompt import cost_rows as format_costs
from zsmem_tui.ui.prompt.screen import groups_of
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

AT_ONCE = 25
"""Prompts that are worked out in one go: after each, the screen may be closed, or look at what has changed meanwhile."""


class CostList(RowList):
    """The prompts, the dearest first, then what is paid for more than once."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("costs")]


class CostScreen(ToolScreen):
    """What every prompt of every open store costs each of its sessions."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"costs": "costs"}
    PAGE = "costs"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._from = host.main.here
        self._costs: dict[PromptOf, Cost] = {}
        self._dearest = 0
        self._twice: list[Twice] = []
        self._several: dict[tuple[PromptOf, int], int] = {}

    def compose_body(self) -> Iterable[Widget]:
        """One table."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("What costs what, in every session")
            yield CostList(self._draw_row, id="costs")

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Work all prompts out, some at a time."""
        rows, main = self.query_one(CostList), self.host.main
        stores, folder = groups_of(main), main.folders[0] if main.folders else self.session.folder
        rows.nothing = f"Adding up what each {self._word}'s prompt takes …"
        rows.refresh()
        every = await self.asking(costing.paying, stores, folder)
        found: list[tuple[PromptOf, Cost]] = []
        for start in range(0, len(every), AT_ONCE):
            found += await self.asking(costing.costs, stores, every[start : start + AT_ONCE])
            rows.nothing = f"Adding up what each {self._word}'s prompt takes: {len(found)} of {len(every)} …"
            rows.refresh()
        self._show(stores, found)
        orders = {place: _orders(store.catalog.shared) for place, store in enumerate(main.stores) if store.catalog}
        self._twice = await self.asking(costing.twice, stores, folder, self.session.config, orders)
        self._show(stores, found)

    def _show(self, stores: list[StoreGroups], found: list[tuple[PromptOf, Cost]]) -> None:
        rows = self.query_one(CostList)
        self._costs = dict(costing.dearest_first(found))
        self._several = costing.in_several(stores, self._costs.items())
        self._dearest = max((cost.size for _, cost in found), default=0)
        rows.nothing = (
            f"There is no {self._word} yet, so no session pays for memory. esc, then a, adds to one; 9 brings a memory in."
        )
        keys: list[Any] = [("head", "")] if found else []
        for prompt, cost in self._costs.items():
            keys += [("cost", prompt), *(("part", (prompt, number)) for number in self._listed(prompt, cost))]
        if self._twice:
            keys += [("twices", ""), *((kind, number) for number in range(len(self._twice)) for kind in ("twice", "quote"))]
        rows.show(keys)
        taken = costing.total(stores, found)
        self.query_one(".tool-list").border_subtitle = Content(format_costs.subtitle(len(found), self._word, taken, self._twice))

    @property
    def _word(self) -> str:
        """What has a prompt."""
        return "prompt" if len(self.host.main.stores) > 1 else group_word(self.session.layout)

    def _draw_row(self, key: Any) -> ListRow:
        kind, about = key
        stores = self.host.main.stores
        several = len(stores) > 1
        match kind:
            case "head":
                return format_costs.heading("agent · project" if several else self._word)
            case "cost":
                cost, session = self._costs[about], stores[about.store].session
                whose = prompts.whose(session, cost.project) if several else session.group_name(cost.project)
                return format_costs.cost_row(cost, whose, self._dearest, session.layout.title if several else "", self._own(about))
            case "part":
                prompt, number = about
                return format_costs.part_row(self._costs[prompt], number, self._several.get(about, 0))
            case "twices":
                return format_costs.twice_heading(self._twice)
            case "twice":
                return format_costs.twice_row(self._twice[about])
            case _:
                return format_costs.quote_row(self._twice[about])

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        kind, about = event.key
        prompt = about if kind == "cost" else about[0] if kind == "part" else self._twice_prompt(about)
        main = self.host.main
        if prompt is None:
            self.say("This text is in instruction files only: it is in no prompt of memory.", warning=True)
        elif main.editor.ref is not None and main.stores[prompt.store] is not main.here:
            self.say(f"{title_of(main.editor.ref, main.session)} is being edited: esc leaves it first.", warning=True)
        elif main.use(main.stores[prompt.store]):
            self.host.open_prompt(prompt.about)

    def _listed(self, prompt: PromptOf, cost: Cost) -> list[int]:
        """The sections of a prompt, the largest first, without those that take nothing or are listed with another prompt."""
        order = sorted(range(len(cost.sections)), key=lambda number: -cost.sections[number].size)
        return [number for number in order if cost.sections[number].size and self._several.get((prompt, number)) != 0]

    def _own(self, prompt: PromptOf) -> int | None:
        """The bytes that no other prompt has; None where all are so."""
        sections = self._costs[prompt].sections
        own = [use.size for number, use in enumerate(sections) if (prompt, number) not in self._several]
        return sum(own) if len(own) < len(sections) else None

    def _twice_prompt(self, number: int) -> PromptOf | None:
        return next((place.prompt for place in self._twice[number].places if place.prompt is not None), None)

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close, and go on in the store that was in use before."""
        if not self.closed and not self.host.conversations.under_way:
            self.host.main.use(self._from)
        return super().dismiss(result)


def _orders(shared: Iterable[Any]) -> list[MemRef]:
    """The instruction files of a whole store."""
    return [entry.ref for entry in shared if entry.ref.role is Role.INSTRUCTIONS]
