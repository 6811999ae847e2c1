"""The lines around the panes: status line, key bar and tour bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.messages import Told

SAID_SECONDS = 6.0
"""Seconds for which a result stays on the status line."""

MOST_ROWS = 3
"""Maximum number of rows for a long message."""

_LEAST_HEIGHT: Final = 8
"""Rows of a screen that has room for more than one of a message."""


def end_of(name: str, room: int) -> str:
    """The end of a name that fits in `room` cells, after `…`."""
    at = next((at for at in range(len(name)) if cell_len(name[at:]) < room), len(name))
    return f"…{name[at:]}"


def both_ends(name: str, room: int) -> str:
    """The start and the end of a name that fit in `room` cells, with `…` between them."""
    return set_cell_size(name, room // 2) + end_of(name, room - room // 2)


class Beside(NamedTuple):
    """What the status line says about the current store: project, prompt use, and the prompt's share as on the strip."""

    project: str = ""
    use: str = ""
    share: str = ""

    def worded(self, *, is_low: bool) -> Iterator[str]:
        """Yield the text in two forms; the shorter one has the project and, with `is_low`, the share."""
        for parts in ((self.project, self.use), (self.project, self.share if is_low else "")):
            yield " · ".join(part for part in parts if part)


class Act:
    """An action or a conversation: when it said last why it cannot be done; 0 if it said something else since."""

    refused = 0.0


acting: ContextVar[Act] = ContextVar("acting", default=Act())  # noqa: B039 - of all that is none
"""The one that runs here, so that a warning of another one is no refusal of its own."""


_PATH: Final = Pattern(r"(?<![^\s“(`])[/~][^\s”)`]+")
"""Matches a path in a sentence."""


def _said(text: str) -> str:
    """A message in one line, with `~` for the home folder."""
    return visible_line(_PATH.sub(lambda path: shortened(path[0]), text))


class StatusLine(Widget):
    """The status line. Left: the last result, for some seconds. Right: the project that all screens are about, and its prompt.

    Alerts that the strip does not show, or all without a strip, are at the right edge. If room is short, the use gives way first;
    if there is a strip, the alerts give way to a message. Project and prompt stay as long as a message has most of
    the row.
    """

    place = reactive("")
    """The name of the screen, or the key of the pane, at the left where nothing else shows it."""
    edited = reactive("")
    """Shown at the left while a file is edited."""
    right = reactive(Beside())
    alerts = reactive(("", ""))
    """The alerts that the strip does not show, and all alerts."""
    said = reactive("", layout=True)
    warning = reactive(False)

    def __init__(self, *, id: str | None = None, place: str = "") -> None:
        super().__init__(id=id)
        self.set_reactive(StatusLine.place, place)
        self.shown: Timer | None = None
        """Ends the last message, and is another for each; None before the first."""
        self._news = ""
        self._news_warns = self._is_news = self._is_refusal = False

    @property
    def alert(self) -> str:
        """The alerts that nothing else on the screen shows."""
        return self.alerts[self.screen.has_class("-low")]

    def say(self, text: str, *, warning: bool = False, refused: bool = False) -> None:
        """Show a result for some seconds; `refused`: why a key did nothing, until one does something."""
        self._news, self._is_news, self._is_refusal = self._news if self._news_warns else "", False, refused
        self.said = _said(text)
        self.post_message(told := Told(self.said, warning).set_sender(self))  # else a screen's own handler would stop it
        acting.get().refused = told.time if warning else 0.0
        self.warning = warning
        if self.shown:
            self.shown.stop()
        self.shown = self.set_timer(SAID_SECONDS, self._forget)

    def key_taken(self) -> None:
        """A key does something: drop why another did nothing."""
        if self._is_refusal and self.said:
            self._forget()

    def clear(self) -> None:
        """Drop what was said, as it was about another screen or step, but for a warning that waits."""
        self._news = self._news if self._news_warns else ""
        self._forget()
        acting.get().refused = 0.0

    def mention(self, news: str, *, warning: bool = False) -> None:
        """Show a change made by others; a result on display stays its full time first."""
        if self.said and not self._is_news:
            if warning or not (self._news and self._news_warns):
                self._news, self._news_warns = news, warning
        elif self.said != _said(news):
            self._tell(news, warning)

    def _tell(self, news: str, warning: bool) -> None:
        self._news, self._news_warns = "", False
        self.say(news, warning=warning)
        self._is_news = True

    def _forget(self) -> None:
        if self._news:
            self._tell(self._news, self._news_warns)
        else:
            self.said = ""

    def notify_style_update(self) -> None:
        """Render again: with the screen's height, what no strip shows changes."""
        super().notify_style_update()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the message needs, up to the maximum; at least one."""
        return min(self._most_rows, len(self._wrapped(width))) or 1

    @property
    def _most_rows(self) -> int:
        """On a very low screen, more would cover the pane."""
        return MOST_ROWS if self.screen.size.height >= _LEAST_HEIGHT else 1

    def _right_edge(self, width: int) -> str:
        """What stays at the right edge beside a message of any length."""
        if self.screen.has_class("-low"):  # where no strip shows it
            return self.alert if width - cell_len(self.alert) - _GAP >= _LEAST_WORDS else ""
        return [*self.right.worded(is_low=False)][-1] if width >= _ROOMY else ""

    def _wrapped(self, width: int) -> list[str]:
        """Wrap the message; if a single row leaves no room for the right edge, add an empty one below it."""
        end = self._right_edge(width)
        taken = cell_len(end) + 2 if end else 0
        room = width - (taken if self.screen.has_class("-low") else 0)
        words = _PATH.sub(lambda path: both_ends(path[0], room) if cell_len(path[0]) > room else path[0], self.said)
        rows = [row.plain.rstrip() for row in Content(words).wrap(max(1, room))] if words else []
        return [*rows, ""] if len(rows) == 1 and cell_len(rows[0]) + taken > width else rows

    def render(self) -> Content:
        """Render as much as fits: the message first, then the project, then the counts."""
        width = self.size.width
        if len(rows := self._wrapped(width)) > 1:
            return self._rendered_rows(rows, width)
        place = self.place if self.screen.has_class("-low") else ""
        left, said = self.edited or place, self.said
        for first, right, alert in self._choices(left):
            middle = f"  {said}" if said and first else said
            room = width - cell_len(first) - cell_len(middle) - (cell_len(alert) + 2 if alert else 0)
            if cell_len(right) + (2 if right and (first or said) else 0) <= room:
                break
        style = "bold $warning" if self.warning else "bold $success"
        end = [("  " if right else "", ""), (alert, "bold $accent")] if alert else []
        gap = " " * (room + (0 if right else 2 if alert else 0) - cell_len(right))
        name = len(self.right.project)
        return Content.assemble((first, "bold"), (middle, style), gap, right[:name], (right[name:], "$text-muted"), *end)

    def _choices(self, left: str) -> Iterator[tuple[str, str, str]]:
        """Yield (left, right, edge) from the fullest to the emptiest choice."""
        words = list(self.right.worded(is_low=(is_low := self.screen.has_class("-low"))))
        yield left, words[0], self.alert
        if self.said:
            yield "", words[0], self.alert
            yield "", words[1], self.alert
            yield "", words[1], self.alert * is_low
            yield "", "", ""
        else:
            yield left, words[1], self.alert
            taken = sum(cell_len(each) + 2 for each in (words[1], self.alert) if each)
            if self.size.width - taken >= _LEAST_WORDS:
                yield end_of(left, self.size.width - taken), words[1], self.alert
            yield left, "", self.alert
            yield left, "", ""

    def _rendered_rows(self, rows: list[str], width: int) -> Content:
        """A message of several rows, with "…" if it was cut."""
        style, end = "bold $warning" if self.warning else "bold $success", self._right_edge(width)
        shown = rows[: self._most_rows]
        if len(rows) > len(shown):
            shown[-1] = f"{set_cell_size(shown[-1], min(cell_len(shown[-1]), max(0, width - cell_len(end) - 3)))}…"
        at = next((at for at in reversed(range(len(shown))) if cell_len(shown[at]) + cell_len(end) + 2 <= width), -1)
        lines = [Content.styled(row, style) for row in shown]
        if end and at >= 0:
            lines[at] = Content.assemble(lines[at], " " * (width - cell_len(shown[at]) - cell_len(end)), (end, "$text-muted"))
        return Content("\n").join(lines)


_ROOMY: Final = 90
"""Width in cells from which project and prompt stay beside a message, which may take one more row."""

_LEAST_WORDS: Final = 20
"""The least width in cells of a message before anything is put beside it."""

_GAP: Final = 2
"""Cells between two keys."""

_FEW, _MOST = 7, 8
"""Keys of the pane for which the palette's gives way, and the maximum number shown: more are not read."""

_ALWAYS: Final = ("app.back", "app.keys", "app.help", "app.palette")
"""Actions that lead to all others, the last of which gives way; while typing, help takes the place of the key list."""


class KeyBar(Widget):
    """The most useful keys of the focused pane."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._actions: Sequence[Action] = ()

    def on_mount(self) -> None:
        """Offer undo while there is something to undo."""
        self.watch(self.app, "can_undo", self._draw_again)

    def _draw_again(self) -> None:
        self.refresh()

    @property
    def _fitted(self) -> list[tuple[str, Content]]:
        offered = [each for each in self._actions if each.id != "app.undo" or getattr(self.app, "can_undo", False)]
        return fitted(offered, self.size.width)

    def show(self, actions: Sequence[Action]) -> None:
        """Show these actions."""
        if list(actions) != list(self._actions):
            self._actions = actions
            self.refresh()

    def render(self) -> Content:
        """Render the keys that fit, the keys themselves in colour."""
        return Content("").join(shown for _, shown in self._fitted).rstrip()

    def on_click(self, event: Click) -> None:
        """Press the key that was clicked."""
        at = event.get_content_offset_capture(self).x
        for key, shown in self._fitted:
            if 0 <= at < shown.cell_length:
                self.app.simulate_key(key)
            at -= shown.cell_length


def fitted(actions: Sequence[Action], width: int) -> list[tuple[str, Content]]:
    """Each key and how it is shown, as many as fit. Those that lead to all others are last; of them, the palette gives way.

    Where none of the pane's would fit beside them, only the one that leads back stays, if need be without its label.
    """
    others = [_parts(each) for each in actions if each.id not in _ALWAYS]
    back = _ALWAYS[:1]
    for ids, least, bare in ((_ALWAYS, _FEW, False), (_ALWAYS[:-1], 1, False), (back, 1, False), (back, 1, True), (back, 0, False)):
        end = [_parts(each._replace(label="") if bare else each) for each in actions if each.id in ids]
        shown: list[tuple[str, Content]] = []
        room = width + _GAP - sum(each.cell_length for _, each in end)
        for key, each in others:
            if each.cell_length <= room and len(shown) < _MOST:
                room -= each.cell_length
                shown.append((key, each))
        if room >= 0 and len(shown) >= min(least, len(others)):
            break
    return [*shown, *end]


def _parts(action: Action) -> tuple[str, Content]:
    key, label = action.listed[0], f" {action.label}{' ' * _GAP}"
    return key, Content.assemble((key_name(key), "bold $accent"), label)


class TourBar(Static):
    """The current line of the tour; hidden if no tour is running."""

    def __init__(self) -> None:
        super().__init__("", classes="notice tour", markup=False)

    def on_mount(self) -> None:
        """Follow the tour's text; a tour may be running already."""
        self.watch(self.app, "tour_line", self._tell)

    def _tell(self, text: str) -> None:
        self.set_class(bool(text), "-shown")
        parts = text.split("`")  # backticks enclose keys
        self.update(Content.assemble(*((part, "bold $accent" if number % 2 else "") for number, part in enumerate(parts))))
