"""The lines around the panes: what is and what happened, the keys that help now, a tour, and what must not be missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.messages import Told

SAID_SECONDS = 6.0
"""Seconds for which the last result stays on the status line."""


MOST_ROWS = 3
"""Rows that a long sentence may take."""


def end_of(name: str, room: int) -> str:
    """As much of the end of a name as there is room for."""
    at = next((at for at in range(len(name)) if cell_len(name[at:]) < room), len(name))
    return f"…{name[at:]}"


def both_ends(name: str, room: int) -> str:
    """As much of the start and of the end of a name as there is room for."""
    return set_cell_size(name, room // 2) + end_of(name, room - room // 2)


class Beside(NamedTuple):
    """What is true of the memory that is meant: whose, how much its store holds, what the prompt takes, that as on the strip."""

    project: str = ""
    counts: str = ""
    use: str = ""
    share: str = ""

    def worded(self, *, is_low: bool) -> Iterator[str]:
        """In fewer and fewer words: what there is stands in the tree too; whose comes last, with what no strip says."""
        last = (self.project, self.share if is_low else "")
        for parts in ((self.project, self.counts, self.use), (self.project, self.use), last):
            yield " · ".join(part for part in parts if part)


class StatusLine(Widget):
    """Left: the open file, or that of the row. Middle: the last result, for a few seconds.

    Right: project, counts, use of the prompt; and at the edge what asks to be seen beyond what the strip on top says, or all of it
    where there is no strip. That gives way only to a sentence, and only below a strip. So does the file. Project and prompt stay as
    long as they leave a sentence most of the row.
    """

    left = reactive("")
    edited = reactive("")
    """What stands in its place while it is edited."""
    waiting = reactive("")
    """The same while the cursor is on what waits."""
    right = reactive(Beside())
    alerts = reactive(("", ""))
    """What asks to be seen: what the strip does not say, and all of it."""
    said = reactive("", layout=True)
    warning = reactive(False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._timer: Timer | None = None
        self._news = ""
        self._is_news = False

    @property
    def alert(self) -> str:
        """What asks to be seen, as far as nothing else on the screen says it."""
        return self.alerts[self.screen.has_class("-low")]

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a result for a few seconds."""
        self._news, self._is_news = "", False
        self.said = visible_line(text)
        self.post_message(Told(self.said).set_sender(self))  # else what a screen says of a message would end at the screen
        self.warning = warning
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(SAID_SECONDS, self._forget)

    def mention(self, news: str) -> None:
        """Show what others did: a result stays until it was there long enough to be read, then come the news."""
        if self.said and not self._is_news:
            self._news = news
        else:
            self._tell(news)

    def _tell(self, news: str) -> None:
        self.say(news)
        self._is_news = True

    def _forget(self) -> None:
        if self._news:
            self._tell(self._news)
        else:
            self.said = ""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row, or as many as what is said needs: half a sentence may say the opposite."""
        return min(MOST_ROWS, len(self._wrapped(width))) or 1

    def _end(self, width: int) -> str:
        """What stays at the right edge beside what is said, however long that is."""
        if self.screen.has_class("-low"):  # where there is no strip that says it
            return self.alert if width - cell_len(self.alert) - _GAP >= _LEAST_WORDS else ""
        return [*self.right.worded(is_low=False)][-1] if width >= _ROOMY else ""

    def _wrapped(self, width: int) -> list[str]:
        """What is said in rows; a single one without room for what stays at the edge gets another below it."""
        end = self._end(width)
        taken = cell_len(end) + 2 if end else 0
        room = width - (taken if self.screen.has_class("-low") else 0)
        rows = [row.plain.rstrip() for row in Content(self.said).wrap(max(1, room))] if self.said else []
        return [*rows, ""] if len(rows) == 1 and cell_len(rows[0]) + taken > width else rows

    def render(self) -> Content:
        """What is said comes before everything when room is short, then the file, then the counts."""
        width = self.size.width
        if len(rows := self._wrapped(width)) > 1:
            return self._sentence(rows, width)
        left, said = self.edited or self.waiting or self.left, self.said
        for first, right, alert in self._choices(left):
            middle = f"  {said}" if said and first else said
            room = width - cell_len(first) - cell_len(middle) - (cell_len(alert) + 2 if alert else 0)
            if cell_len(right) + (2 if right and (first or said) else 0) <= room:
                break
        style = "bold $warning" if self.warning else "bold $success"
        end = [("  " if right else "", ""), (alert, "bold $accent")] if alert else []
        gap = " " * max(1, room + (0 if right else 2 if alert else 0) - cell_len(right))
        return Content.assemble((first, "bold"), (middle, style), gap, (right, "$text-muted"), *end)

    def _choices(self, left: str) -> Iterator[tuple[str, str, str]]:
        """What may stand left and right of what is said, and at the edge, what gives way first told last."""
        words = list(self.right.worded(is_low=(is_low := self.screen.has_class("-low"))))
        for right in words[:2]:
            yield left, right, self.alert
        if self.said:
            yield "", words[1], self.alert
            yield "", words[2], self.alert
            yield "", words[2], self.alert * is_low
            yield "", "", ""
        else:
            yield left, words[2], self.alert
            taken = sum(cell_len(each) + 2 for each in (words[2], self.alert) if each)
            if self.size.width - taken >= _LEAST_WORDS:
                yield end_of(left, self.size.width - taken), words[2], self.alert
            yield left, "", self.alert
            yield left, "", ""

    def _sentence(self, rows: list[str], width: int) -> Content:
        """A sentence of several rows, with "…" where they are more than there may be."""
        style, end = "bold $warning" if self.warning else "bold $success", self._end(width)
        shown = rows[:MOST_ROWS]
        if len(rows) > MOST_ROWS:
            shown[-1] = f"{set_cell_size(shown[-1], min(cell_len(shown[-1]), max(0, width - cell_len(end) - 3)))}…"
        at = next((at for at in reversed(range(len(shown))) if cell_len(shown[at]) + cell_len(end) + 2 <= width), -1)
        lines = [Content.styled(row, style) for row in shown]
        if end and at >= 0:
            lines[at] = Content.assemble(lines[at], " " * (width - cell_len(shown[at]) - cell_len(end)), (end, "$text-muted"))
        return Content("\n").join(lines)


_ROOMY: Final = 90
"""Cells from which on project and prompt stay beside a sentence, which takes a row more for it."""

_LEAST_WORDS: Final = 20
"""Cells that a sentence has in a row at least, before anything stands beside it."""

_GAP: Final = 3
"""Cells between two keys."""

_ALWAYS: Final = ("app.keys", "app.help", "app.palette")
"""What is never left out: what leads to all other keys. Where letters are typed, help is there instead of all keys."""


class KeyBar(Widget):
    """The most useful keys of the pane that has the focus."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._actions: Sequence[Action] = ()

    def show(self, actions: Sequence[Action]) -> None:
        """Show these."""
        if list(actions) != list(self._actions):
            self._actions = actions
            self.refresh()

    def render(self) -> Content:
        """As many as fit, none of them cut; the keys that lead to all others are always there, at the end."""
        last = [action for action in self._actions if action.id in _ALWAYS]
        labels = [_said(action) for action in last]
        if cell_len((" " * _GAP).join(labels)) > self.size.width:
            labels = [_key(action) for action in last]
        room = self.size.width - sum(cell_len(each) for each in labels) - _GAP * (len(labels) - 1)
        shown: list[Action] = []
        for action in (each for each in self._actions if each not in last):
            taken = cell_len(_said(action)) + _GAP
            if taken <= room:
                room -= taken
                shown.append(action)
        parts: list[tuple[str, str] | str] = []
        for words, action in [*((_said(action), action) for action in shown), *zip(labels, last, strict=True)]:
            key = _key(action)
            parts += [(key, "bold $accent"), f"{words[len(key) :]}{' ' * _GAP}"]
        return Content.assemble(*parts)


def _key(action: Action) -> str:
    return key_name(action.listed[0])


def _said(action: Action) -> str:
    return f"{_key(action)} {action.label}"


class TourBar(Static):
    """What the tour says; not there while there is no tour."""

    def __init__(self) -> None:
        super().__init__("", classes="notice tour", markup=False)

    def on_mount(self) -> None:
        """The tour may be under way when a screen comes."""
        self.watch(self.app, "tour_line", self._tell)

    def _tell(self, text: str) -> None:
        self.set_class(bool(text), "-shown")
        parts = text.split("`")  # keys stand between two of them
        self.update(Content.assemble(*((part, "bold $accent" if number % 2 else "") for number, part in enumerate(parts))))
