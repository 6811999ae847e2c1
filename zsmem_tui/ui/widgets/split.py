"""Two panes beside or above each other, and the edge between them: moved with keys and with the mouse, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from textual import work
from textual.containers import Horizontal
from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.widget import Widget

from zsmem_tui.service import view_state
from zsmem_tui.ui.perform import attempt

STEP: Final = 4
"""Cells that a key moves the edge."""

STEP_ROWS: Final = 2
"""Rows that a key moves it, where one pane stands above the other."""

LEAST: Final = 20
"""Cells that either pane keeps: what is in it can still be read."""

LEAST_ROWS: Final = 5
"""Rows that either keeps: three within its border."""

_NARROW, _TINY = 100, 60
"""Cells below which the screens are laid out otherwise, as in `ZsmemApp.HORIZONTAL_BREAKPOINTS`."""


def bounded(first: int, room: int, least: int) -> int:
    """What the first of two panes gets of `room` when it asks for `first`: both keep `least`, or half where that is too much."""
    least = min(least, room // 2)
    return max(least, min(first, room - least))


class SplitBody(Horizontal):
    """The two panes of a screen. `kind` says whose division it is; `stacks` whether they stand above each other when narrow.

    Results are told to `say`.
    """

    ALLOW_SELECT = False
    BLANK = True  # its panes cover it: nothing of it is drawn, line for line, below them

    def __init__(
        self, kind: str, say: Callable[..., None], *, stacks: bool = False, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._kind = kind
        self._say = say
        self._stacks = stacks
        self._shares: dict[str, float] = {}
        self._drag = False

    def on_mount(self) -> None:
        """Divide it as it was left."""
        self._shares = view_state.splits()
        self._divide()

    def on_resize(self) -> None:
        """The same shares of another size."""
        self._divide()

    def step(self, step: int) -> None:
        """Move the edge by a key's step: backwards when negative; 0 puts it where it is without anybody's doing."""
        panes = self._both()
        if panes is None:
            self._say("One pane is on the screen: there is no edge to move.", warning=True)
            return
        if not step:
            self._keep(None)
            self._say("The panes are divided as at first.")
            return
        before = self._extent(panes[0])
        after = bounded(before + step * (STEP_ROWS if self._is_stacked else STEP), self._room(panes), self._least)
        if after == before:
            what = f"{LEAST_ROWS} rows" if self._is_stacked else f"{LEAST} cells"
            self._say(f"No further: either pane keeps {what}.", warning=True)
        else:
            self._keep(after / max(self._room(panes), 1))

    def on_mouse_down(self, event: MouseDown) -> None:
        """The edge is taken hold of."""
        if self._is_edge(event):
            event.stop()
            self.screen.clear_selection()
            self._drag = True
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """It follows the mouse."""
        panes = self._both()
        if not self._drag or panes is None:
            return
        event.stop()
        start = panes[0].region.y if self._is_stacked else panes[0].region.x
        at = event.screen_y if self._is_stacked else event.screen_x
        room = self._room(panes)
        self._shares[self._division] = bounded(at - start + 1, room, self._least) / max(room, 1)
        self._divide()

    def on_mouse_up(self, event: MouseUp) -> None:
        """It stays there."""
        if self._drag:
            event.stop()
            self._drag = False
            self.release_mouse()
            if self._division in self._shares:
                self._keep(self._shares[self._division])

    def on_click(self, event: Click) -> None:
        """Twice puts the edge back."""
        if event.chain == 2 and self._is_edge(event):
            self.step(0)

    @property
    def _is_stacked(self) -> bool:
        return self._stacks and self.app.size.width < _NARROW

    @property
    def _division(self) -> str:
        """Wide and narrow screens are divided each in its own way."""
        return f"{self._kind} narrow" if self.app.size.width < _NARROW else self._kind

    @property
    def _least(self) -> int:
        return LEAST_ROWS if self._is_stacked else LEAST

    def _both(self) -> tuple[Widget, Widget] | None:
        """The two panes, while both are on the screen."""
        shown = [pane for pane in self.children if pane.display]
        return (shown[0], shown[1]) if len(shown) == 2 else None

    def _extent(self, pane: Widget) -> int:
        return pane.outer_size.height if self._is_stacked else pane.outer_size.width

    def _room(self, panes: tuple[Widget, Widget]) -> int:
        return sum(self._extent(pane) for pane in panes)

    def _is_edge(self, event: MouseDown | Click) -> bool:
        """Whether the mouse is on the borders between the panes. Without borders text is there, and belongs to itself."""
        panes = self._both()
        if panes is None:
            return False
        first, second = panes
        if self._is_stacked:
            return first.gutter.bottom > 0 and first.region.bottom - 1 <= event.screen_y <= second.region.y
        return first.gutter.right > 0 and first.region.right - 1 <= event.screen_x <= second.region.x

    def _divide(self) -> None:
        """Give each pane its part; where nobody chose one, what the style sheet gives it.

        Parts are fractions, so that one alone still takes all of it.
        """
        if len(self.children) != 2:
            return
        share = self._shares.get(self._division) if self.app.size.width >= _TINY else None
        room = self.size.height if self._is_stacked else self.size.width
        first = bounded(round(room * (share or 0.5)), room, self._least)
        for pane, part in zip(self.children, (first, room - first), strict=True):
            wanted = None if share is None or part < 1 else f"{part}fr"
            pane.styles.width = None if self._is_stacked else wanted
            pane.styles.height = wanted if self._is_stacked else None

    def _keep(self, share: float | None) -> None:
        """Divide it so, now and at the next start."""
        if share is None:
            self._shares.pop(self._division, None)
        else:
            self._shares[self._division] = share
        self._divide()
        self._remember(self._division)

    @work(group="split")
    async def _remember(self, name: str) -> None:
        def keep() -> None:
            view_state.keep_split(name, self._shares.get(name))  # as it is by then: of quick keys, the last one counts

        await attempt(asyncio.to_thread(keep), lambda words: self._say(words, warning=True))
