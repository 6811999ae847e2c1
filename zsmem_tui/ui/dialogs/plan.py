"""The dialog that shows a plan: what happens to each item, what is left out, and the diffs. Nothing is written before `A`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partialmethod
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from zsmem_tui.core.checks.secret import masked
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service.plan import Fate, Plan, Row
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.dialogs.ask import ask, show_page
from zsmem_tui.ui.dialogs.help import page_cells
from zsmem_tui.ui.keys.bindings import help_bindings, with_bases
from zsmem_tui.ui.perform import attempt, late
from zsmem_tui.ui.plans import Draft, Progress, Pulse, ask_handling
from zsmem_tui.ui.widgets.bars import KeyBar
from zsmem_tui.ui.widgets.frame import FilterLine, Notice
from zsmem_tui.ui.widgets.line_diff import DiffView
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import fenced, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.tool import Place

_ROOM: Final = (("-low", 2), ("-short", 2), ("-narrow", 4), ("", 6))
"""Rows for the sentences, by CSS class of the screen."""

_CHANGES: Final = frozenset(
    f"plan.{name}" for name in ("tick", "all", "fate", "rename", "retarget", "retarget_all", "reword", "regroup", "policy")
)
"""The actions that change a plan or its rows; each draft names those that apply."""

_ALWAYS: Final = ("plan.apply", "plan.open", "planned.apply", "diff.next", "line.rows", "app.back", "app.keys")


class PlanList(RowList, keys="plan"):
    """The rows of a plan."""


class PlanDiff(DiffView, keys="planned"):
    """The diff of the file that the row under the cursor changes."""


class PlanDialog(ModalScreen[bool | None], Overlay[bool | None]):
    """Returns True if the plan, as changed by the person, is to be applied."""

    BINDINGS: ClassVar[list[BindingType]] = [*help_bindings(), ("escape", "back", "Close")]
    PAGE = "plan"

    def __init__(self, place: Place, draft: Draft, actions: Sequence[Action], said: str = "") -> None:
        """`said` is a message shown at first."""
        super().__init__(classes="dialog-screen")
        self.place = place
        self._draft = draft
        self._actions = actions
        self._said = said
        self._said_at: object = None
        """The row under the cursor when the message was shown."""
        self._seen_from = inf
        """When the plan was drawn."""
        self._fate: Fate | None = None
        self._knows_hidden = False
        """Whether it was said that the filter hides rows that would be applied."""
        self._is_stale = False
        self._progress = Progress(self)

    def compose(self) -> ComposeResult:
        """Yield the summary, the filter, the rows, the sentences, the diff and the keys."""
        with Vertical(classes="dialog -wide"):
            yield Static("", id="plan-head", markup=False)
            yield FilterLine("words of a row", id="plan-filter", rows="plan")
            yield PlanList(self._draft.draw, id="plan")
            yield Notice("L shows all", id="plan-words", room=_ROOM)
            yield PlanDiff(id="planned")
            yield KeyBar(id="plan-keys")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that do not apply to this plan."""
        return f"plan.{action}" not in _CHANGES - self._draft.changes and super().check_action(action, parameters)

    def on_mount(self) -> None:
        """Show all rows."""
        self.set_focus(self.rows)
        self.show()
        self.call_after_refresh(lambda: setattr(self, "_seen_from", monotonic()))

    def on_resize(self) -> None:
        """Name the key that matters where there is no room for a bar of keys."""
        self.query_one(".dialog").border_subtitle = Content("A does it" if self.has_class("-low") else "")
        self.call_after_refresh(self._give_room)

    def _give_room(self) -> None:
        """Let the list be as high as its rows; where there are none, with room for why."""
        self.rows.styles.max_height = self.rows.lines_wanted(self.size.height) or 3

    rows = query_one(PlanList)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a message until the cursor moves."""
        if self.is_mounted and not self.closed:
            self._said, self._said_at = text, self.rows.key
            self._tell()

    def warn(self, reason: str) -> None:
        """Show why something was not done."""
        self.say(reason, warning=True)

    @on(Input.Changed, "#plan-filter")
    def show(self) -> None:
        """Show the rows that match the filters, last those for which no file changes."""
        self._knows_hidden = False
        draft, rows, fate = self._draft, self.rows, self._fate
        terms = terms_of(self.query_one(FilterLine).words)

        def is_shown(number: int) -> bool:
            return fate in (None, getattr(draft.items[number], "fate", None)) and holds(draft.sought(number), terms)

        keys = sorted(
            filter(is_shown, range(len(draft.items))), key=lambda number: getattr(draft.items[number], "is_settled", False)
        )
        rows.nothing = draft.nothing if not draft.items else "No row has these words. esc shows all."
        rows.show(keys)
        self.call_after_refresh(self._give_room)
        self._said_at = rows.key
        said = "\n".join(filter(None, (draft.head, f"only {fate.value}" if fate is not None else "")))
        self.query_one(".dialog").border_title = Content(visible_line(self._titled(draft.banner)))
        head = self.query_one("#plan-head", Static)
        head.update(Content(visible(said)))
        head.display = bool(said)
        self._tell()
        self._compare()
        self.show_keys()

    @on(DescendantFocus)
    def show_keys(self) -> None:
        """Show the keys of what is focused."""
        is_typing = isinstance(self.focused, FilterLine)
        scope = "line" if is_typing else "planned" if isinstance(self.focused, PlanDiff) else "plan"
        scopes = (*with_bases([scope]), "app")
        offered = {*_ALWAYS, *self._draft.changes, *(("plan.full", "plan.filter") if len(self._draft.items) > 1 else ())}
        row = self._row()
        offered -= {"plan.tick"} if row is None or not row.can_be else set()
        offered -= {"app.keys"} if is_typing else set()
        offered -= {"plan.apply", "planned.apply"} if self._draft.plan.is_idle else set()
        label = {"plan.tick": "Take"} if row is not None and not row.ticked else {}
        shown = (each for each in self._actions if each.id in offered and each.scope in scopes)
        self.query_one(KeyBar).show([each._replace(label=label.get(each.id, each.label)) for each in shown])

    def action_back(self) -> None:
        """Stop running work, else drop the filter, else go from the diff to the rows, else close."""
        if self._progress.stop() or self.query_one(FilterLine).close():
            return
        self.dismiss(False) if self.focused is self.rows else self.set_focus(self.rows)

    def say_dead(self, name: str) -> None:
        """Say that a key does nothing here, and which keys there are."""
        self.say(f"{name} does nothing here · A does it, esc leaves all as it is.")

    def action_apply(self) -> None:
        """Apply the plan, but not by a key that was pressed before it could be seen, nor at once if a filter hides some of it."""
        done = {number for number, item in enumerate(self._draft.items) if getattr(item, "ticked", True)}
        hidden = done.difference(self.rows.keys)
        if self.place.host.pressed < self._seen_from:
            self.warn("A was pressed before this stood here. Nothing was written yet.")
        elif hidden and not self._knows_hidden:
            rows = counted(len(hidden), "row")
            self.warn(f"The filter hides {rows} that A does, too: A again does all. Nothing was written yet.")
            self._knows_hidden = True
        else:
            self._apply()

    @work(exclusive=True, group="plan")
    async def _apply(self) -> None:
        """Close with True, after making the plan again if it is out of date, and asking about credentials."""
        draft = self._draft
        if self._is_stale and not await self._make_again():
            return
        if draft.plan.is_idle:
            what = "is ticked that" if "plan.tick" in draft.changes else "here"
            self.warn(f"Nothing {what} would change a file. Nothing was written.")
            return
        if draft.plan.gate.stops:
            answer = await ask_handling(self.place, draft.plan.gate, is_move=draft.is_move)
            if answer is None:
                self.say("Nothing was written.")
                return
            draft.secrets = answer
            if not await self._make_again():
                return
        self.dismiss(True)

    def action_tick(self) -> None:
        """Toggle the tick of a row."""
        row = self._row()
        if row is None or not row.can_be:
            self.warn("This cannot be taken, or left out.")
            return
        self._tick([row], wanted=not row.ticked)
        self.rows.action_move(1)

    def action_all(self) -> None:
        """Tick all visible rows, or untick them if all are ticked."""
        shown = (self._draft.items[number] for number in self.rows.keys)
        can = [row for row in shown if isinstance(row, Row) and row.can_be]
        if can:
            self._tick(can, wanted=not all(row.ticked for row in can))
        else:
            self.warn("None of these can be taken, or left out.")

    def _tick(self, rows: Sequence[Row], *, wanted: bool) -> None:
        self._draft.ticks = {**self._draft.ticks, **{row.key: wanted for row in rows}}
        self._plan_again()

    def action_fate(self) -> None:
        """Filter by the next fate that occurs, or by none after the last."""
        fates = [item.fate for item in self._draft.items if isinstance(item, Row)]
        there = [None, *(fate for fate in Fate if fate in fates)]
        self._fate = there[(there.index(self._fate) + 1) % len(there)] if self._fate in there else None
        self.show()

    def action_filter(self) -> None:
        """Open the filter line."""
        self.query_one(FilterLine).begin()

    def action_full(self) -> None:
        """Show all sentences on the row, its whole text, and the lines that are left out, as a page."""
        how = {True: " (without < and >)", False: " (words)"}
        lines = (
            f"{self._titled(each.source)}:{each.number}{how[each.loses_signs] if each.is_changed else ''} {each.text}"
            for each in self._draft.plan.left_lines
        )
        left_lines = "\n".join(visible_line(masked(printable_path(each))) for each in lines)
        text = visible(masked(trim(row.text))) if (row := self._row()) is not None else ""
        said, *more = self._sentences()
        parts = (self._draft.head, said, text, *(each for each in more if each != f"“{text}”"), left_lines)
        rows = wrapped("\n\n".join(filter(None, parts)), page_cells(self.size.width))
        show_page(self.app, self._titled(self._draft.title), fenced(rows))

    @work(exclusive=True, group="plan")
    async def _change(self, name: str, *, every: bool = False) -> None:
        """Ask how the row or `every` visible one is to change, and make the plan again."""
        chosen = self.rows.keys if every else [self.rows.key]
        numbers = [number for number in chosen if number is not None and isinstance(self._draft.items[number], Row)]
        if not numbers and name != "regroup":
            self.warn("This follows from other rows: it cannot be changed by itself.")
        elif await getattr(self._draft, name)(self, *numbers):
            await self._make_again()

    action_rename = partialmethod(_change, "rename")
    action_retarget = partialmethod(_change, "retarget")
    action_retarget_all = partialmethod(_change, "retarget", every=True)
    action_reword = partialmethod(_change, "reword")
    action_regroup = partialmethod(_change, "regroup")

    def action_policy(self) -> None:
        """Switch to the next way to treat names that are taken."""
        self._draft.turn_policy()
        self._plan_again()

    def _plan_again(self) -> None:
        self._is_stale = True
        self.run_worker(self._make_again, exclusive=True, group="plan")

    async def _make_again(self) -> bool:
        """Make the plan again with the person's changes; False if that was refused or stopped."""
        draft, pulse = self._draft, Pulse()
        self._is_stale = True
        self._progress.begin(draft.title, pulse)
        try:
            plan = await attempt(asyncio.to_thread(draft.make, pulse), self.warn)
            if plan is None or pulse.is_set() or self.closed:
                return False
        finally:
            self._progress.end(pulse)
        draft.take(plan)
        self._is_stale, self._said = False, ""
        self.show()
        return True

    @on(RowList.Chosen)
    def _to_changes(self) -> None:
        self.set_focus(self.query_one(PlanDiff))

    @on(RowList.Moved)
    def _moved(self) -> None:
        if self.rows.key != self._said_at:
            self._said = ""
        self._tell()
        self._compare()
        self.show_keys()

    def _tell(self) -> None:
        self.query_one(Notice).show("\n".join(filter(None, (self._said, *self._sentences()))))

    def _sentences(self) -> list[str]:
        """The sentences on the row under the cursor and on the whole plan."""
        number = self.rows.key
        said, *more = self._draft.words(number) if number is not None else [""]
        return [self._titled(each) for each in (said, self._draft.notes, *more)]

    def _titled(self, words: str) -> str:
        """Replace paths by titles."""
        main = self.place.host.main
        return with_titles(words, main.here, main.stores)

    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        number, view = self.rows.key, self.query_one(PlanDiff)
        view.border_title = ""
        if number is None:
            view.compare(b"", b"")
            return
        found = attempt(asyncio.to_thread(self._draft.sides, number), self.warn)
        sides = await late(found, lambda: view.compare(b"", b""))
        if not self.closed and self.rows.key == number:
            view.border_title = Content(self._titled(sides.name) if sides is not None else "")
            view.compare(*sides[1:]) if sides is not None else view.compare(b"", b"")

    def _row(self) -> Row | None:
        """The row of the plan under the cursor; None for a file that only follows from others."""
        number = self.rows.key
        return item if number is not None and isinstance(item := self._draft.items[number], Row) else None


async def plan_and_show(place: Place, draft: Draft, *, shows: Callable[[Plan], bool] = lambda plan: True) -> Plan | None:
    """Make the plan and let the person confirm it if `shows` returns True; None, with a message, if it is not to be applied."""
    plan = await attempt(asyncio.to_thread(draft.make, Pulse()), place.warn)
    if plan is None or not shows(plan):
        return plan
    draft.take(plan)
    return await show_plan(place, draft)


async def show_plan(place: Place, draft: Draft, said: str = "") -> Plan | None:
    """Show the draft's plan and return it if confirmed, else None; `said` is a message shown at first."""
    if await ask(place, PlanDialog(place, draft, place.host.actions, said)):
        return draft.plan
    place.say("Nothing was written.")
    return None
