"""Exactly what the agent sees: the block, what each section takes, and every line that is lost."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible
from zsmem_tui.service import previewing
from zsmem_tui.service.previewing import Subject
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.flows.previewing import choose_project
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.format import prompt as format_prompt
from zsmem_tui.ui.host import Host, PromptPlace
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.reading.block_page import BlockPage
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.page_view import PageView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

TICK_SECONDS = 0.5
"""Seconds between two looks at the calendar."""

MOST_LISTED = 5_000
"""Lost lines listed at the left; the block at the right has every one."""


class UseList(RowList):
    """Sections, then lost lines."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("uses")]


class BlockView(PageView):
    """The block, with a cursor on one of its rows."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("block")]

    @property
    def block(self) -> BlockPage | None:
        """What is shown."""
        return self.page if isinstance(self.page, BlockPage) else None

    def select(self, place: int) -> None:
        """Put the cursor on a row and show it."""
        if self.block is not None and self.block.block:
            self.go_to(self.block.select(place))
            self.refresh()

    def action_line(self, step: int) -> None:
        """Move the cursor by rows."""
        self.select((self.block.current if self.block else 0) + step)

    def action_lines(self, step: int) -> None:
        """Move the cursor by pages."""
        self.action_line(step * max(self.scrollable_content_region.height - 1, 1))

    def action_end(self, step: int) -> None:
        """Move the cursor to the first or last row."""
        self.select(0 if step < 0 else 1 << 40)


class ProfileDiff(DiffView):
    """What the profiles make different, with the keys of a diff and of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("landing"),
        *(each for each in bindings("block") if each.action.startswith("screen.") and each.action != "screen.jump"),
    ]


class PromptScreen(ToolScreen):
    """Left what each section takes and what is lost, right the block itself."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"uses": "uses", "block": "block"}
    PAGE = "prompt"

    def __init__(self, host: Host, about: Subject, row: int = 0) -> None:
        super().__init__(host)
        self.about = about
        self._row = row
        self._seen: Preview | None = None
        self._today = ""
        self._listed: Any = None

    def compose_body(self) -> Iterable[Widget]:
        """Warnings over the list at the left; the block at the right, or once it is asked for, how the profiles differ."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("What the agent sees")
            yield Static("", classes="notice", id="warnings", markup=False)
            yield UseList(lambda key: format_prompt.row(key, self._seen), id="uses")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("The block")
            yield BlockView(id="block")
            difference = ProfileDiff(id="profiles")
            difference.display = False
            yield difference

    def on_mount(self) -> None:
        """Another day may begin."""
        self.set_interval(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        if self._today and self._today != self.session.clock().date().isoformat():
            self.load()

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Work the block out."""
        self._today = self.session.clock().date().isoformat()
        about = self.about
        seen = await self.asking(previewing.preview, self.session, about)
        warnings = await self.asking(previewing.warnings, self.session, about, seen)
        first = self._seen is None
        self._seen = seen
        notice = self.query_one("#warnings", Static)
        words = "\n".join(f"! {warning}" for warning in warnings).replace(f"{printable_path(self.session.root)}/", "")
        notice.update(Content(visible(words)))
        notice.set_class(bool(warnings), "-shown")
        rows = self.query_one(UseList)
        rows.nothing = "Nothing goes into the prompt.\n\nMEMORY.md, open scratchpad items and the latest logs would."
        keys: list[Any] = [(kind, number) for number in range(len(seen.uses)) for kind in ("use", "bar")]
        if seen.lost:
            keys += [("head", 0), *(("lost", number) for number in range(min(len(seen.lost), MOST_LISTED)))]
            if len(seen.lost) > MOST_LISTED:
                keys.append(("more", len(seen.lost) - MOST_LISTED))
        rows.show(keys)
        self._listed = rows.key
        self.query_one(".tool-list").border_title = Content(format_prompt.title(about, self._today))
        self.query_one(".tool-list").border_subtitle = Content(format_prompt.total(seen))
        self.query_one(".tool-side").border_title = Content("The block")
        page = BlockPage(seen.rows)
        view = self.query_one(BlockView)
        page.select(self._row if first else view.block.current if view.block else 0)
        view.show(page, line=max(0, page.current - 5))
        if first and self._row:
            view.focus()
            self.call_after_refresh(view.select, page.current)

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        if event.key == self._listed:
            return  # the list is new, the cursor is where it was
        self._listed = event.key
        kind, number = event.key
        view = self.query_one(BlockView)
        if view.block is None or self._seen is None or self.query_one("#profiles").display:
            return
        if kind == "use":
            view.select(view.block.start_of(number))
        elif kind == "lost":
            lost = self._seen.lost[number]
            view.select(view.block.place_of(lost.path, lost.line))

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(BlockView).focus()

    def back(self) -> None:
        """From the difference between the profiles to the block, then as everywhere."""
        if self.query_one("#profiles").display:
            self.show(self.about)
        else:
            super().back()

    def action_jump(self) -> None:
        """Go to the file and line that the row comes from; esc there comes back."""
        page = self.query_one(BlockView).block
        row = page.row if page else None
        ref = find_ref(self.session.layout, row.path) if row and row.path else None
        if row is None or ref is None:
            self.say("This line is not from a file: the agent adds it.", warning=True)
            return
        main = self.host.main
        self.dismiss(None)
        main.post_message(FileChosen(ref, enter=True, line=row.line))
        main.come_back = PromptPlace(self.about, page.current if page else 0)

    def action_day(self, step: int) -> None:
        """The prompt of the day before or after; 0: today."""
        today = self.session.clock().date()
        shown = date.fromisoformat(self.about.day) if self.about.day else today
        wanted = today if step == 0 else shown + timedelta(days=step)
        self.show(self.about._replace(day="" if wanted == today else wanted.isoformat()))

    def action_profile(self) -> None:
        """As the other agent would get it."""
        self.show(self.about._replace(profile=_other(self.about.profile)))
        self._compare(side_by_side=False)

    def action_profiles(self) -> None:
        """What the two profiles make of the same files, side by side."""
        if self.query_one("#profiles").display:
            self.show(self.about)
        else:
            self._compare(side_by_side=True)

    def action_project(self) -> None:
        """The prompt of another project."""
        self.host.talk(choose_project(self), self)

    def action_copy(self) -> None:
        """The block, byte for byte, to the clipboard."""
        text = self._seen.text if self._seen else None
        if text:
            self.app.copy_to_clipboard(text)
            self.say(f"Sent {format.size(len(text.encode()))} to the terminal's clipboard.")
        else:
            self.say("Nothing goes into the prompt.", warning=True)

    def show(self, about: Subject) -> None:
        """Show this prompt, as a block."""
        self.about = about
        profiles, block = self.query_one("#profiles"), self.query_one(BlockView)
        block.display = True
        if profiles.has_focus:
            block.focus()
        profiles.display = False
        self.load()

    @work(exclusive=True, group="difference")
    async def _compare(self, *, side_by_side: bool) -> None:
        """How the prompt of the other profile differs, side by side or in a sentence."""
        about, other = self.about, self.about._replace(profile=_other(self.about.profile))
        here = await self.asking(previewing.preview, self.session, about)
        there = await self.asking(previewing.preview, self.session, other)
        if not side_by_side:
            self.say(format_prompt.difference(about.profile, here, there))
            return
        block, view = self.query_one(BlockView), self.query_one("#profiles", DiffView)
        view.display = True
        if block.has_focus:
            view.focus()
        block.display = False
        view.compare((here.text or "").encode(), (there.text or "").encode())
        self.query_one(".tool-side").border_title = Content(f"- {about.profile}   + {other.profile}")


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
        catalog = self.host.main.catalog
        slugs = [project.slug for project in catalog.projects] if catalog else []
        found = await self.asking(previewing.costs, self.session, slugs)
        self._costs = {cost.project: cost for cost in found}
        rows.nothing = "There is no project yet, so no session pays for memory."
        keys: list[Any] = [("head", "")] if found else []
        for cost in found:
            keys += [("cost", cost.project), *(("part", (cost.project, number)) for number in _largest_first(cost))]
        rows.show(keys)
        self.query_one(".tool-list").border_subtitle = Content(format_prompt.costs_total(found))

    def _draw_row(self, key: Any) -> ListRow:
        kind, about = key
        if kind == "head":
            return ListRow([(format_prompt.COST_HEADING, "head")], heading=True)
        if kind == "cost":
            return format_prompt.cost_row(self._costs[about])
        project, number = about
        return format_prompt.part_row(self._costs[project], number)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        _, about = event.key
        project = about if isinstance(about, str) else about[0]
        self.host.openers.open_prompt(previewing.subject(self.session)._replace(project=project))


def _other(profile: Profile) -> Profile:
    return Profile.DOCUMENTED if profile is Profile.ZEROSTACK_1_7 else Profile.ZEROSTACK_1_7


def _largest_first(cost: previewing.Cost) -> list[int]:
    return sorted(range(len(cost.sections)), key=lambda number: -cost.sections[number].size)
