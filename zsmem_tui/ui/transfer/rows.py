"""The list of import and export, and what is said of its rows; how far work is that takes long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer

from zsmem_tui.core.fold import fold
from zsmem_tui.core.text import words
from zsmem_tui.service.plan import Fate, Plan
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.transfer import wording as format
from zsmem_tui.ui.transfer.jobs import Job, Pulse
from zsmem_tui.ui.transfer.wording import Source
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.notice import Notice
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.tool import ToolScreen

SLOW_SECONDS: Final = 0.2
"""Seconds after which work says what it does, and how often it says how far it is."""

_LEAST_DIFF: Final = 3
"""Rows that are kept for the diff, however much there is to say."""

_NO_PLAN: Final = Plan("", "")


class TransferList(RowList):
    """Sources, then the items of one."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("transfer")]


class LandingView(DiffView):
    """The file that an item would land in."""

    NOTHING = "The file that the chosen row lands in shows up here, with what A would write into it."

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("landing")]


class Reasons(Notice):
    """What becomes of the row under the cursor and why, wrapped."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As much as the diff below can spare; before there is a plan, there is no diff."""
        spared = _LEAST_DIFF if self.screen.query_one(LandingView).display else 0
        return min(max(container.height - spared, 1), len(wrapped(self.text, width))) if self.text else 0


class Progress:
    """Says on a screen what is being done once it takes long, how far that is, and that esc stops it."""

    def __init__(self, screen: ToolScreen) -> None:
        self._screen = screen
        self._pulse: Pulse | None = None
        self._ticker: Timer | None = None
        self._is_told = False

    def begin(self, words: str, pulse: Pulse, of: int = 0) -> None:
        """Work begins that asks `pulse`, so often in all where that is known."""
        self._end()
        self._pulse = pulse

        def tell() -> None:
            self._is_told = True
            far = f" {pulse.count:,} of {of:,}" if of else f" {pulse.count:,} looked at"
            self._screen.say(f"{words} …{far if pulse.count else ''} · esc stops")

        self._ticker = None if self._screen.closed else self._screen.set_interval(SLOW_SECONDS, tell)

    def end(self, pulse: Pulse) -> bool:
        """It has ended, or nobody waits for it any more; whether it was said how far it is."""
        pulse.stop()
        return self._end() if pulse is self._pulse else False

    def stop(self) -> bool:
        """Stop what is said to be under way; False when nothing is."""
        if self._pulse is None or not self._is_told:
            return False
        self._pulse.stop()
        self._screen.say("Stopping …")
        return True

    def _end(self) -> bool:
        if self._ticker is not None:
            self._ticker.stop()
        was_told, self._pulse, self._ticker, self._is_told = self._is_told, None, None, False
        return was_told


class TransferRows:
    """What the list shows: what can be brought in and taken out, or the plan of one of these."""

    def __init__(self, screen: ToolScreen) -> None:
        self._screen = screen
        self._sources: dict[tuple[str, str, bool], Source] = {}
        self._shown: Fate | None = None
        self._job: Job | None = None
        self.plan = _NO_PLAN
        """The plan, as it was made last."""

    @property
    def widget(self) -> TransferList:
        """The widget."""
        return self._screen.query_one(TransferList)

    @property
    def source(self) -> Source | None:
        """What the cursor is on, of what can be brought in and taken out."""
        key = self.widget.key
        return self._sources.get(key[1]) if key and key[0] == "source" else None

    @property
    def number(self) -> int | None:
        """The row of the plan that the cursor is on."""
        key = self.widget.key
        return key[1] if key and key[0] == "item" and key[1] < len(self.plan.rows) else None

    def source_of(self, key: tuple[str, str, bool]) -> Source:
        """What can be done, by its key."""
        return self._sources[key]

    def looking(self) -> None:
        """What the list says while nothing is known yet."""
        if not self._sources:
            self.widget.nothing = "Looking for other memories …"

    def found(self, sources: Sequence[Source]) -> None:
        """This can be brought in and taken out."""
        self._sources = {(each.format, each.path, each.out): each for each in sources}

    def show_sources(self, about: Source | None = None) -> None:
        """What can be done, the cursor on `about`, or where it was."""
        self.plan, self._job, self._shown = _NO_PLAN, None, None
        keys: list[Any] = []
        whose = self._whose()
        for head, out in (
            (f"Bring in{f', to {whose}' if whose else ''}", False),
            (f"Take out{f' of {whose}' if whose else ''}", True),
        ):
            keys += [("head", head), *(("source", key) for key in self._sources if key[2] is out)]
        cursor = ("source", (about.format, about.path, about.out)) if about is not None else None
        self._titled("Import and export", "")
        self.widget.show(keys if self._sources else [], cursor=cursor)

    def show_plan(self, job: Job, *, is_new: bool = False) -> None:
        """The rows of the plan that are of the fate, and that the filter lets through."""
        if is_new:
            self._shown = None
        self._job, shown = job, self._shown
        needles = [fold(word.encode("utf-8", "replace")) for word in words(self._screen.query_one(FilterLine).words)]
        kept = [
            ("item", number)
            for number, row in enumerate(self.plan.rows)
            if shown in (None, row.fate)
            and (not needles or all(needle in fold(format.looked_for(row).encode("utf-8", "replace")) for needle in needles))
        ]
        which = f"only {shown.value} · " if shown is not None else ""
        self._titled(f"{job.title}: nothing is written before A", f"{which}{job.total()}", names_memory=not job.passes_by)
        self.widget.nothing = "No item is like that." if self.plan.rows else "There is nothing in it."
        self.widget.show(kept, cursor=kept[0] if is_new and kept else None)
        if not kept:
            self.tell("What would be written", [self.widget.nothing, job.losses()])
            self._screen.query_one(LandingView).compare(b"", b"")

    def next_fate(self) -> None:
        """Show only what has the next fate of those there are, then everything again."""
        there: list[Fate | None] = [None, *(fate for fate in Fate if any(row.fate is fate for row in self.plan.rows))]
        self._shown = there[(there.index(self._shown) + 1) % len(there)] if self._shown in there else None

    def ticks(self, *, every: bool) -> dict[str, bool]:
        """What ticking changes: the row of the cursor the other way round, or every one that is shown and can be."""
        if not every:
            number = self.number
            row = self.plan.rows[number] if number is not None else None
            return {row.key: not row.ticked} if row is not None and row.can_be else {}
        can = [row for row in (self.plan.rows[key[1]] for key in self.widget.keys) if row.can_be]
        wanted = not all(row.ticked for row in can)
        return {row.key: wanted for row in can}

    def told(self, job: Job | None) -> list[str]:
        """What there is to say of the row under the cursor, in full sentences."""
        if job is not None and self.number is not None:
            said, title, *rest = job.words(self.number)
            return [said, title, job.losses(), *rest]
        return format.source_words(self.source) if self.source is not None else [format.EXPLAINED]

    def tell(self, title: str, told: Sequence[str]) -> None:
        """Say this at the right."""
        self._screen.query_one(".tool-side").border_title = Content(title)
        self._screen.query_one(Reasons).show("\n".join(told))

    def draw(self, key: Any) -> ListRow:
        """A row of the list."""
        kind, which = key
        if kind == "head":
            return ListRow([(which, "head")], heading=True)
        if kind == "source":
            return format.source_row(self._sources[which])
        assert self._job is not None
        return format.item_row(self.plan.rows[which], self._job.way, self._job.session)

    def _whose(self) -> str:
        """Which memory it is, and of whom; empty where one alone is open: there is no other."""
        store = self._screen.host.main.here
        if len(self._screen.host.main.stores) < 2:
            return ""
        own = self._screen.session.project
        return " · ".join([store.title, *([store.group_name(own)] if own != EVERYBODY else [])])

    def _titled(self, title: str, below: str, *, names_memory: bool = True) -> None:
        """Which memory it is stands first: over a plan there is no other place that says so."""
        main = self._screen.host.main
        whose = f"{main.here.title} · " if len(main.stores) > 1 and names_memory else ""
        pane = self._screen.query_one(".tool-list")
        pane.border_title, pane.border_subtitle = Content(f"{whose}{title}"), Content(below)
