"""Plans as they are shown before anything is written, and progress of slow work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.version import line_counts
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.plan import NO_FILE, Edit, Fate, Gate, Handling, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import folder_name, kind_of, name_of, title_of

if TYPE_CHECKING:
    from textual.timer import Timer

    from zsmem_tui.ui.dialogs.plan import PlanDialog
    from zsmem_tui.ui.tool import Place, ToolScreen


SLOW_SECONDS: Final = 0.2
"""Seconds after which slow work shows progress, and between updates."""


class Pulse(threading.Event):
    """A stop flag for work in a thread, which calls it once per file or item; it counts the calls as progress."""

    count = 0

    def __call__(self) -> bool:
        """Count a call and return whether to stop."""
        self.count += 1
        return self.is_set()


class Progress:
    """Shows progress of slow work on a screen, with the hint that esc stops it."""

    def __init__(self, screen: ToolScreen | PlanDialog) -> None:
        self._screen = screen
        self._pulse: Pulse | None = None
        self._ticker: Timer | None = None
        self._is_told = False

    def begin(self, words: str, pulse: Pulse, of: int = 0) -> None:
        """Start to show progress of work that calls `pulse`, `of` times in all if known."""
        self._end()
        self._pulse = pulse

        def tell() -> None:
            self._is_told = True
            far = f" {pulse.count:,} of {of:,}" if of else f" {pulse.count:,} looked at"
            self._screen.say(f"{words} …{far if pulse.count else ''} · esc stops")

        self._ticker = None if self._screen.closed else self._screen.set_interval(SLOW_SECONDS, tell)

    def end(self, pulse: Pulse) -> None:
        """End the work of `pulse`, and show its progress no longer."""
        pulse.set()
        if pulse is self._pulse and self._end():
            self._screen.say("")

    def stop(self) -> bool:
        """Ask the work to stop if its progress is shown; else False."""
        if self._pulse is None or not self._is_told:
            return False
        self._pulse.set()
        self._screen.say("Stopping …")
        return True

    def _end(self) -> bool:
        if self._ticker is not None:
            self._ticker.stop()
        was_told, self._pulse, self._ticker, self._is_told = self._is_told, None, None, False
        return was_told


class Sides(NamedTuple):
    """The file that a row of a plan changes: its name, and its content before and after, with credentials masked."""

    name: str
    before: bytes | None
    after: bytes | None


def sides_of(name: str, edit: Edit | None) -> Sides:
    """Both versions of a file that changes; empty if `edit` is None."""
    return Sides(name, *redacted(edit.before, edit.after)) if edit is not None else Sides(name, b"", b"")


class Draft:
    """A plan that is shown for confirmation: rows for its items, then rows for other files that change.

    `changes` are the ids of actions that can modify it. For one that asks a question, there is a method of its name; it gets the
    dialog and the numbers of rows, and returns whether anything was changed. `plan` is called with the handling of credentials.
    `make` is slow and runs in a thread; `take` stores its result.
    """

    changes: frozenset[str] = frozenset()
    nothing = "It is so already: there is nothing to write."

    def __init__(self, title: str, plan: Callable[..., Plan], *, is_move: bool = False) -> None:
        self.title = title
        self.is_move = is_move
        self.plan = Plan("", "")
        self.items: Sequence[Row | Edit] = ()
        self.secrets = Handling.STOP
        self.ticks: dict[str, bool] = {}
        """Rows ticked or unticked by the person, by row key. Replaced, never changed in place, since a thread may be reading it."""
        self._plan = plan

    def make(self, pulse: Pulse) -> Plan:
        """Make the plan with the person's changes so far. Raises `MemError`."""
        return self._plan(self.secrets)

    def take(self, plan: Plan) -> None:
        """Store the plan and build its rows."""
        told = {row.place for row in plan.rows if row.ticked}
        told |= {row.store.path(row.file) for row in plan.rows if row.store is not None and row.is_taken and self.is_move}
        self.plan, self.items = plan, [*plan.rows, *(edit for edit in plan.changes if edit.place not in told)]

    @property
    def left_out(self) -> frozenset[str]:
        """The keys of the unticked rows."""
        return frozenset(key for key, ticked in self.ticks.items() if not ticked)

    @property
    def banner(self) -> str:
        """The title, with what the dialog does."""
        return f"{self.title}: {'nothing would be written' if self.plan.is_idle else 'nothing is written before A'}"

    @property
    def head(self) -> str:
        """A summary shown above the rows."""
        gate = self.plan.gate
        return f"{gate.said} A asks what becomes of them." if gate.stops else gate.said

    @property
    def notes(self) -> str:
        """Notes on the plan as a whole."""
        return " ".join(map(visible_line, (*self.plan.notes, *sentences(self.plan.findings), *self.plan.left[:MOST_LEFT])))

    def draw(self, number: int) -> ListRow:
        """Render a row."""
        item = self.items[number]
        if isinstance(item, Row):
            return self.draw_row(item)
        pieces = [("~ ", "mark"), (title_of(item.ref, item.session), "text")]
        return ListRow(pieces, f"{self.agent_of(item)}: {fate_of(item)}")

    def agent_of(self, edit: Edit) -> str:
        """The title of the agent whose file changes."""
        return edit.session.layout.title

    def words(self, number: int) -> list[str]:
        """What happens to a row and why, in sentences."""
        item = self.items[number]
        return [f"{folder_name(item.place)} {fate_of(item)}."] if isinstance(item, Edit) else self.row_words(item)

    def sides(self, number: int) -> Sides:
        """Both versions of the file that a row changes. Slow. Raises `MemError`."""
        item = self.items[number]
        return sides_of("", item) if isinstance(item, Edit) else self.row_sides(item)

    def draw_row(self, row: Row) -> ListRow:
        """Render a row of the plan: for a file, or for something else with a name."""
        name = f"{kind_of(row.file)}{name_of(row.file)}" if row.file != NO_FILE else visible_line(printable_path(row.source))
        where = visible_line(printable_path(row.ref.path)).rpartition("/")[2]
        facts = f"{row.fate.value} {signs.MOVED} {where}" if where else row.fate.value
        return ListRow([(f"{MARKS[row.fate]} ", "mark"), (name, "warn" if row.fate is Fate.SKIPPED else "text")], facts)

    def row_words(self, row: Row) -> list[str]:
        """What happens to a row of the plan."""
        return [visible_line(" ".join(filter(None, (row.reason, *row.losses, *row.warnings))))]

    def row_sides(self, row: Row) -> Sides:
        """Both versions of the file that a row of the plan changes."""
        return sides_of("", self.plan.of_row(row))

    def sought(self, number: int) -> str:
        """The text of a row that a filter is matched against."""
        item = self.items[number]
        return item.place if isinstance(item, Edit) else f"{item.source} {item.group} {item.text}"

    def turn_policy(self) -> None:
        """Switch to the next way to treat names that are taken."""


class FilesDraft(Draft):
    """A plan that copies or moves files to another project or agent; files can get other names."""

    changes = frozenset({"plan.rename"})

    def __init__(
        self, title: str, plan: Callable[[Handling], Plan], target: Session, names: dict[str, str], *, is_move: bool
    ) -> None:
        """New names are stored in `names`, keyed by the files' paths."""
        super().__init__(title, plan, is_move=is_move)
        self._target = target
        self._names = names

    def row_words(self, row: Row) -> list[str]:
        """What happens to a file."""
        return [" ".join([self._file_fate(row), *map(visible_line, row.losses)])]

    def _file_fate(self, row: Row) -> str:
        title, where = self._target.layout.title, visible_line(printable_path(row.ref.path))
        if not row.is_taken:
            return f"It is not {'moved' if self.is_move else 'copied'}: {visible_line(row.reason)}."
        if row.fate is Fate.DUPLICATE:
            gone = ", so it is only taken from here" if self.is_move else ", so nothing is written"
            return f"{title} has its text in {where} already{gone}."
        of = row.store.layout.title if row.store is not None else ""
        goes = f", and {visible_line(printable_path(row.source))} of {of} goes" if self.is_move else ""
        edit = self.plan.of_row(row)
        is_new = edit is not None and edit.before is None
        return f"It becomes {where} of {title}{goes}." if is_new else f"Its lines are added to {where} of {title}{goes}."

    async def rename(self, dialog: PlanDialog, number: int) -> bool:
        """Ask for another name for a file."""
        place = item.store.path(item.file) if (item := self.plan.rows[number]).store is not None else item.source
        question = f"The name of {printable_path(shortened(place))} there:"
        now = self._names.get(place) or place.rpartition("/")[2].removesuffix(".md")
        name = trim(await ask_line(dialog.place, "Other name", question, now) or "")
        if name:
            self._names[place] = name
        return bool(name)


async def ask_handling(place: Place, gate: Gate, *, is_move: bool = False) -> Handling | None:
    """Ask what to do with credentials that would leave the store; None if cancelled."""
    masks = f"Mask them on the way out; {'only the history' if is_move else 'the store'} keeps them"
    answers = [(Handling.MASK, masks), (Handling.ALLOW, "Let them go out as they are")]
    answer = await choose(place, "Credentials would go out", gate.said, answers)
    return None if answer is None else Handling(answer)


MARKS: Final = {
    Fate.ADD: "+",
    Fate.CONFLICT: "!",
    **dict.fromkeys((Fate.DUPLICATE, Fate.IMPORTED, Fate.RETURNED, Fate.ONCE), "="),
    **dict.fromkeys((Fate.LEFT, Fate.SKIPPED, Fate.TAKEN), "-"),
    **dict.fromkeys((Fate.MOVED, Fate.MERGED, Fate.BESIDE), signs.MOVED),
}

MOST_LEFT: Final = 5
"""Maximum number of sentences shown about what is not done."""


def box(row: Row) -> tuple[str, str]:
    """The tick box of a row; blank if it cannot be ticked."""
    return (f"{signs.TICKED} ", "mark") if row.ticked else (f"{signs.UNTICKED} " if row.can_be else "    ", "quiet")


def fate_of(edit: Edit) -> str:
    """What becomes of a file, as the end of a sentence."""
    changes = "changes, +{} -{} lines".format(*line_counts(edit.before, edit.after))
    return "is new" if edit.before is None else "goes" if edit.after is None else changes
