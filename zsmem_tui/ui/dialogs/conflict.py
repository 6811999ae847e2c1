"""The dialog for conflicts: lines that two sides changed, decided one by one, with the result beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from zsmem_tui.core.conflict import Conflicts, Decision, Edited, Region, Take, carried_over, decided, lines_of
from zsmem_tui.core.diff import DiffRow, Side, line_text, word_marks
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.limits import POLL_SECONDS
from zsmem_tui.core.merge import split
from zsmem_tui.core.text import is_utf8
from zsmem_tui.service.editing import Editable, is_given_up
from zsmem_tui.ui import signs
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.keys.bindings import bindings, help_bindings
from zsmem_tui.ui.keys.typed_ahead import KeysInOrder
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.cursored import UNSEEN_SECONDS
from zsmem_tui.ui.widgets.line_diff import DiffPage, DiffView
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea, holds_back_characters

_LOOK_AGAIN = " · ! The file has just changed on disk: look again."


def both_sides(found: Conflicts, decisions: Sequence[Decision | None], names: tuple[str, str]) -> DiffPage:
    """The whole text with both versions of each conflict; rejected lines are struck out.

    `names` are the titles of theirs and mine.
    """
    rows = _same(found.between[0])
    for number, region in enumerate(found.regions):
        rows += _versions(region, number, decisions[number], names)
        rows += _same(found.between[number + 1])
    return DiffPage(rows)


def result(found: Conflicts, decisions: Sequence[Decision | None], names: tuple[str, str]) -> DiffPage:
    """The resulting text, with a placeholder for each undecided conflict."""
    rows = _same(found.between[0])
    for number, (region, decision) in enumerate(zip(found.regions, decisions, strict=True)):
        if decision is None:
            rows.append(DiffRow(Side.GAP, f"{number + 1}: not decided yet", 0, number))
        else:
            rows.append(DiffRow(Side.GAP, f"{number + 1}: {_name(decision, names)}", 0, number))
            kept = [DiffRow(Side.ADDED, line_text(line), 0, number) for line in split(lines_of(region, decision))]
            rows += kept or [DiffRow(Side.GAP, "no line stands here then", 0, number)]
        rows += _same(found.between[number + 1])
    return DiffPage(rows)


def _versions(region: Region, number: int, decision: Decision | None, names: tuple[str, str]) -> Iterator[DiffRow]:
    left, right = [[line_text(line) for line in lines] for lines in (region.theirs, region.mine)]
    pairs = [word_marks(*both) if None not in both else ((), ()) for both in zip_longest(left, right)]
    kept = [line_text(line) for line in split(decision.text)] if isinstance(decision, Edited) else []
    for side, (take, text) in enumerate(((Take.THEIRS, left), (Take.MINE, right))):
        stays = [line in kept for line in text]
        is_kept = all(stays) if text else not kept  # an empty side is taken where no line is left
        is_taken = is_kept if isinstance(decision, Edited) else decision in (take, Take.BOTH)
        how = f" {signs.MARKED} taken" if is_taken else " · partly taken" if any(stays) else " · not taken"
        none = "" if text else ": deleted here"
        yield DiffRow(Side.GAP, f"{number + 1} {names[side]}{none}{'' if decision is None else how}", 0, number)
        for line, marks, is_left in zip(text, pairs, stays, strict=False):
            style = Side.ADDED if is_taken or is_left or decision is None else Side.REMOVED
            yield DiffRow(style, line, 0, number, marks[side])


def _name(decision: Decision, names: tuple[str, str]) -> str:
    """A decision by the titles of theirs and mine, in short."""
    theirs, mine = (each.partition(",")[0].lower() for each in names)
    taken = {Take.THEIRS: theirs, Take.MINE: mine, Take.BOTH: f"both, {theirs} first"}
    return "edited" if isinstance(decision, Edited) else taken[decision]


def _same(lines: Sequence[bytes]) -> list[DiffRow]:
    return [DiffRow(Side.SAME, line_text(line), 0) for line in lines]


class ConflictView(DiffView, keys="sides"):
    """One of the two views; both show the same conflict."""


class ConflictDialog(ModalScreen[bytes | None], Overlay[bytes | None]):
    """Returns the text once every conflict is decided, or None: write nothing.

    A decision moves on to the next open conflict; `n` right after it stays there, for people who press both without looking.
    `names` are the titles of theirs and mine, `leaving` tells what `esc` does, `about` why they conflict. `again` gives the
    conflicts anew if others have changed the file: then nothing is returned before the person has seen them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("conflict"),
        *help_bindings(),
        ("f3", "decide_rest('theirs')", "Theirs wherever it is open, and save"),
        ("f4", "decide_rest('mine')", "Mine wherever it is open, and save"),
        ("escape", "leave", "Leave"),
    ]
    PAGE = "conflict"

    def __init__(
        self,
        title: str,
        found: Conflicts,
        *,
        names: tuple[str, str],
        leaving: str,
        about: str = "",
        again: Callable[[], Conflicts | None] = lambda: None,
    ) -> None:
        super().__init__(classes="dialog-screen")
        self._title, self._about = title, about or "Both changed the same lines"
        self._found = found
        self._found_at = 0.0
        """When others changed the file last, in monotonic time."""
        self._again = again
        self._looking = asyncio.Lock()
        self._changed = -UNSEEN_SECONDS
        """The monotonic time at which others changed the lines of the current conflict."""
        self._typed: dict[tuple[bytes, ...], Edited] = {}
        """The lines typed instead of mine, which neither a change of theirs nor `esc` discards."""
        self._names = names
        self._leaving = leaving
        self._decisions: list[Decision | None] = [None] * len(found.regions)
        self._current = 0
        self._went_on = False
        """Whether the last key was a decision that moved on to another conflict."""
        self._area: MarkdownArea | None = None
        self._editing = False
        self._shape = Editable(b"")

    def compose(self) -> ComposeResult:
        """Yield both versions and the result, side by side, or stacked on narrow screens."""
        with Vertical(classes="dialog -wide") as box:
            box.border_title = Content(self._title)
            yield Static("", id="which", markup=False)
            with Horizontal(classes="sides"):
                for id, title in (("versions", " · ".join(self._names)), ("result", "The result")):
                    with Vertical(classes="side", id=f"{id}-side") as column:
                        column.border_title = Content(title)
                        yield ConflictView(id=id)

    def on_mount(self) -> None:
        """Show the first conflict in both views."""
        self.set_focus(self.query_one("#versions", ConflictView))
        self.call_after_refresh(self._show)
        self.set_interval(POLL_SECONDS, self._look)
        self.call_after_refresh(self.call_after_refresh, self._go)  # only then do both views have their positions on the screen

    def on_resize(self) -> None:
        """Keep the conflict visible and adapt the texts to the width."""
        self.call_after_refresh(self._go)

    def action_next_conflict(self, step: int) -> None:
        """Go to the next or previous conflict, wrapping around; right after a decision moved on, stay."""
        if self._decisions and not self._editing:
            is_there, self._went_on = self._went_on and step > 0, False
            if not is_there:
                self._current = (self._current + step) % len(self._decisions)
            self._go(stayed=is_there)

    def action_decide(self, which: str) -> None:
        """Decide the current conflict and go to the next open one; not if what it is about has only just changed."""
        if monotonic() - self._changed < UNSEEN_SECONDS:
            self._go(_LOOK_AGAIN)
        elif not self._editing:
            self._decide(Take(which))

    def action_undecide(self) -> None:
        """Mark the current conflict as undecided."""
        if self._decisions and not self._editing:
            self._decisions[self._current], self._went_on = None, False
            self._show()

    async def action_decide_rest(self, which: str) -> None:
        """Decide all open conflicts alike, and close."""
        self._decisions = [Take(which) if each is None else each for each in self._decisions]
        await self.action_finish()

    async def action_edit(self) -> None:
        """Edit the lines of the current conflict, starting from the decision, what was typed before, or both versions."""
        async with self._looking:
            if self._editing or not self._decisions:
                return
            region = self._found.regions[self._current]
            begun = self._decisions[self._current] or self._typed.get(region.mine) or Take.BOTH
            raw = lines_of(region, begun)
            self._shape = Editable(raw)
            if not is_utf8(raw) or holds_back_characters(self._shape.text):
                self._tell(" · ! These lines cannot be edited here: take one side, or both.")
                return
            column = self.query_one("#result-side", Vertical)
            whose = "your edit" if isinstance(begun, Edited) else _name(begun, self._names)
            column.border_title = Content(f"Other lines for conflict {self._current + 1}, from {whose}")
            if self._area is None:
                self._area = MarkdownArea(id="edited")
                await column.mount(self._area)
            self._editing = True
            self.query_one("#result", ConflictView).display = False
            self._area.display = True
            self._area.put(self._shape.text)
            self._area.focus()
            self._tell()

    def on_said(self, event: Said) -> None:
        """Show what the editor says."""
        event.stop()
        self._tell(f" · ! {event.text}")

    async def action_finish(self) -> None:
        """Finish editing; or close with the result once everything is decided, unless others wrote since the key was pressed."""
        assert isinstance(self.app, KeysInOrder)
        pressed = self.app.pressed
        if self._editing and self._area is not None:
            try:
                edited = Edited(self._shape.encode(self._area.value))
            except MemError as error:
                self._tell(f" · ! {error.message}")
                return
            self._end_edit()
            self._typed[self._sides[1]] = edited
            self._decide(edited)
            return
        if await self._look() or pressed < self._found_at:
            self._go_to_open()
            self._go(_LOOK_AGAIN)
            return
        done = [each for each in self._decisions if each is not None]
        if len(done) == len(self._decisions):
            self.dismiss(decided(self._found, done))
        else:
            self._go_to_open()
            self._go(" · ! Not all is decided yet: nothing was written.")

    def action_leave(self) -> None:
        """Leave the edit, which `e` goes on with; or close without a result."""
        if self._editing:
            self._remember_typed()
            self._end_edit()
            self._show()
        else:
            self.dismiss(None)

    async def _look(self) -> bool:
        """Show what others wrote into the file since; whether they had. Decisions about what is as it was stay."""
        async with self._looking:
            found = None if self._editing or self.closed else await asyncio.to_thread(self._again)
            if found is None or self.closed:
                return False
            theirs, mine = self._sides
            self._decisions = carried_over(self._found, self._decisions, found)
            self._found, self._found_at, self._went_on = found, monotonic(), False
            self._current = next((number for number, each in enumerate(found.regions) if each.mine == mine), 0)
            if self._sides != (theirs, mine):
                self._changed = monotonic()
            self._show(_LOOK_AGAIN)
        return True

    @property
    def _sides(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """Theirs and mine of the current conflict."""
        return self._found.regions[self._current][:2] if self._decisions else ((), ())

    def _remember_typed(self) -> None:
        """Remember what is being typed, unless nothing is."""
        if self._editing and self._area is not None and self._area.value != self._shape.text:
            with suppress(MemError):
                self._typed[self._sides[1]] = Edited(self._shape.encode(self._area.value))

    def unused(self, result: bytes | None) -> bytes | None:
        """The text with the lines that were typed here, if some of them are nowhere in the `result`; else None."""
        self._remember_typed()
        left = dict(self._typed)
        chosen = [left.pop(region.mine, Take.MINE) for region in self._found.regions]
        text = decided(self._found, chosen) + b"".join(each.text for each in left.values())
        others = decided(self._found, [Take.BOTH] * len(self._found.regions))
        return text if self._typed and is_given_up(others, text, result or b"") else None

    def _end_edit(self) -> None:
        self._editing = False
        if self._area is not None:
            self._area.display = False  # hidden, not removed: it is still handling the key
        self.query_one("#result-side", Vertical).border_title = Content("The result")
        self.query_one("#result", ConflictView).display = True
        self.query_one("#versions", ConflictView).focus()

    def _decide(self, decision: Decision) -> None:
        if self._decisions:
            self._decisions[self._current] = decision
            decided_here = self._current
            self._go_to_open()
            self._went_on = self._current != decided_here
            self._show()

    def _go_to_open(self) -> None:
        """Go to the next open conflict; stay if there is none."""
        count = len(self._decisions)
        places = [(self._current + step) % count for step in range(count)]
        self._current = next((place for place in places if self._decisions[place] is None), self._current)

    def _show(self, problem: str = "") -> None:
        self.query_one("#versions", ConflictView).show(both_sides(self._found, self._decisions, self._names))
        self.query_one("#result", ConflictView).show(result(self._found, self._decisions, self._names))
        self._go(problem)

    def _give_room(self) -> None:
        """Of two sides of which one is below the other, let both have the rows of the conflict, if there are as many."""
        first, second = self.query(".side")
        is_beside = first.region.x != second.region.x
        is_one = is_beside or self._editing or self.has_class("-low") or self.has_class("-short")
        rows = 0 if is_one else self.query_one(".sides").size.height
        above, below = (3 + view.page.rows_of(self._current) for view in self.query(ConflictView))  # with the borders
        first.styles.height = min(max(rows // 2, above), rows - below) if above + below <= rows else None

    def _go(self, problem: str = "", *, stayed: bool = False) -> None:
        for view in self.query(ConflictView):
            if self._decisions:
                view.page.select(self._current)
                above = 0 if self.has_class("-low") else 1  # the rest of the room is for the conflict's lines
                view.go_to(view.page.start_of(self._current), row=view.content_region.y + above)
                view.refresh()
        self._tell(problem, stayed=stayed)

    def _tell(self, problem: str = "", *, stayed: bool = False) -> None:
        self._give_room()
        count = len(self._decisions)
        done = sum(each is not None for each in self._decisions)
        is_small, is_done = self.has_class("-tiny"), done == count
        place = (
            f"{signs.CURSOR} {'' if is_small else 'Conflict '}{self._current + 1} of {count}" if count else "No conflict is left"
        )
        more = " · This is the next one: n again goes past it." if stayed else " · n N to others" if count > 1 else ""
        keys = "" if self._editing else f"{more} · ? help"  # while typing, they are letters
        words = problem or ("" if is_small else f" · {done} of {count} decided{keys}")
        about = "" if is_small or self.has_class("-low") else f"{self._about}. Nothing is written yet.\n"
        self.query_one("#which", Static).update(Content.assemble(about, (place, "bold"), words))
        box = self.query_one(".dialog", Vertical)
        if self._editing:
            keys = "ctrl+s take these lines · esc leave them"
        elif is_small:
            keys = "enter saves · esc" if is_done else "t m b e · ? · esc"
        elif is_done:
            keys = f"enter or ctrl+s saves this · t m b e decide anew · esc {self._leaving}"
        else:
            theirs, mine = (_name(take, self._names) for take in (Take.THEIRS, Take.MINE))
            keys = f"t {theirs} · m {mine} · b both · e edit · esc {self._leaving}"
        box.border_subtitle = Content(keys)
