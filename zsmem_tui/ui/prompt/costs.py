"""The screen of costs: what each agent's memory costs per session, and what is paid for twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import costing, prompts
from zsmem_tui.service.costing import Total, Twice
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.previewing import Cost
from zsmem_tui.service.prompts import PromptOf
from zsmem_tui.ui.prompt.wording import BAR_CELLS, bar
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.frame import pane
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import size

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen

AT_ONCE = 25
"""Prompts computed in one step, after which the screen can react."""


_NUMBERS: Final = 16
"""Width of a prompt's numbers, including the blanks."""

_TWICE: Final = 18
"""Width of the numbers for a text that is paid for twice."""


class CostList(RowList, keys="costs"):
    """The list of prompts, most expensive first, then of texts that are paid for twice."""


class CostScreen(ToolScreen):
    """The table of costs; `enter` there shows a prompt."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"costs": "costs"}
    PAGE = "prompt"
    HAS_KEY = False

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.is_of_all = True
        self._costs: dict[PromptOf, Cost] = {}
        self._dearest = 0
        self._twice: list[Twice] = []
        self._several: dict[tuple[PromptOf, int], int] = {}

    def compose_body(self) -> Iterable[Widget]:
        """Yield the table."""
        yield pane("list", "What costs what, in every session", CostList(self._draw_row, id="costs"))

    def on_screen_resume(self) -> None:
        """Back from the prompt of another store: the one for which the screen was opened is the current one again."""
        if self.host.main.editor.ref is None:
            self.host.main.use(self.home)

    async def read(self) -> None:
        """Compute the costs of all prompts in steps, and show them."""
        rows, main = self.query_one(CostList), self.host.main
        stores, folder = groups_of(main), main.folders[0] if main.folders else self.session.folder
        rows.nothing = f"Adding up what each {self._word}'s prompt takes …"
        rows.refresh()
        every = await self.asking(costing.paying, stores, folder)
        found: list[tuple[PromptOf, Cost]] = []
        for start in range(0, len(every), AT_ONCE):
            found += await self.asking(costing.costs, stores, every[start : start + AT_ONCE])
            rows.nothing = f"Adding up what each {self._word}'s prompt takes: {len(found):,} of {len(every):,} …"
            rows.refresh()
        self._show(stores, found)
        shared = {place: store.catalog.shared for place, store in enumerate(main.stores) if store.catalog}
        orders = {place: [each.ref for each in own if each.ref.role is Role.INSTRUCTIONS] for place, own in shared.items()}
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
            keys += [("cost", prompt), *(("part", (prompt, number)) for number in self._listed_sections(prompt, cost))]
        if self._twice:
            keys += [("twices", ""), *((kind, number) for number in range(len(self._twice)) for kind in ("twice", "quote"))]
        rows.show(keys)
        taken = costing.total(stores, found)
        self.query_one(".tool-list").border_subtitle = Content(subtitle(len(found), self._word, taken, self._twice))

    @property
    def _word(self) -> str:
        """The word for what has a prompt."""
        return "prompt" if len(self.host.main.stores) > 1 else group_word(self.session.layout)

    def _draw_row(self, key: Any) -> ListRow:
        kind, about = key
        stores = self.host.main.stores
        several = len(stores) > 1
        match kind:
            case "head":
                words = "agent · project" if several else self._word
                return ListRow([(f" {'bytes':>6} {'tokens':>7}  {words}, then its sections", "head")], heading=True)
            case "cost":
                cost, session = self._costs[about], stores[about.store].session
                whose = prompts.whose(session, cost.project) if several else session.group_name(cost.project)
                own = [use.size for number, use in enumerate(cost.sections) if (about, number) not in self._several]
                its = sum(own) if len(own) < len(cost.sections) else None
                return cost_row(cost, whose, self._dearest, session.layout.title if several else "", its)
            case "part":
                part, prompts_with = self._costs[about[0]].sections[about[1]], self._several.get(about, 0)
                times = f" · in {prompts_with} prompts, listed once" if prompts_with else ""
                words = f"{size(part.size):>6} {part.tokens:>7}    {visible_line(part.title)}{times}"
                return ListRow([(words, "quiet")], hang=_NUMBERS + 2)
            case "twices":
                lines, taken = sum(each.lines for each in self._twice), size(sum(each.size for each in self._twice))
                words = f"Paid for more than once in this folder: {taken} too many, {counted(lines, 'line')}"
                return ListRow([(words, "head")], heading=True)
            case "twice":
                twice = self._twice[about]
                places = " = ".join(f"{place.name}:{line + 1}" for place, line in zip(twice.places, twice.at, strict=True))
                took = f"{size(twice.size):>6} {counted(twice.lines, 'line'):>9}  "
                return ListRow([(took, "text"), (visible_line(printable_path(places)), "head")], hang=_TWICE)
            case _:
                twice = self._twice[about]
                more = f"  and {counted(twice.lines - 1, 'line')} more" if twice.lines > 1 else ""
                quoted = f"{'':>{_TWICE}}{visible_line(twice.quoted)}{more}"
                return ListRow([(quoted, "quiet")], heading=True, hang=_TWICE)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        kind, about = event.key
        places = self._twice[about].places if kind not in ("cost", "part") else ()
        first = next((place.prompt for place in places if place.prompt is not None), None)
        prompt = about if kind == "cost" else about[0] if kind == "part" else first
        if prompt is None:
            self.warn("This text is in instruction files only: it is in no prompt of memory.")
        else:
            self.session = self.host.main.stores[prompt.store].session
            self.host.open_prompt(prompt.about)

    def _listed_sections(self, prompt: PromptOf, cost: Cost) -> list[int]:
        """The indices of a prompt's sections, largest first, without empty ones and those listed with another prompt."""
        order = sorted(range(len(cost.sections)), key=lambda number: -cost.sections[number].size)
        return [number for number in order if cost.sections[number].size and self._several.get((prompt, number)) != 0]


def groups_of(main: MainScreen) -> list[StoreGroups]:
    """The open stores with their known groups and folders."""
    return [
        StoreGroups(each.session, [group.slug for group in each.catalog.projects] if each.catalog else [], each.folders)
        for each in main.stores
    ]


def subtitle(count: int, word: str, taken: Total, twice: Sequence[Twice]) -> str:
    """The totals of all prompts."""
    again = f" · {size(sum(each.size for each in twice))} paid for twice" if twice else ""
    return f"{counted(count, word)} · {size(taken.size)} · {taken.tokens:,} tokens, what is shared counted once{again}"


def cost_row(cost: Cost, whose: str, dearest: int, agent: str = "", own: int | None = None) -> ListRow:
    """Render a prompt; the bar is relative to the most expensive one. `own`: bytes in no other prompt, if fewer than all."""
    pieces = [(f"{size(cost.size):>6} {cost.tokens:>7}  ", "text"), (f"{bar(cost.size, dearest)}  ", "mark")]
    pieces += [(f"{agent} · ", "text")] if agent else []
    pieces.append((visible_line(whose), "head"))
    pieces += [(f" · {size(own)} its own", "quiet")] if own is not None else []
    lost = [(f"  ! {cost.lost.brief}", "warn")] if cost.lost.lines else []
    return ListRow([*pieces, *lost], hang=_NUMBERS + BAR_CELLS + 2)
