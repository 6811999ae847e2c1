"""The strip at the top of every screen: where one can go, with which key, and what waits there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.widget import Widget

from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.widgets.strip_words import Counts, Spot, spots


class ScreenStrip(Widget):
    """One row. It asks for the counts when it is painted: whoever knows of new ones says `tell`."""

    def __init__(self, page: str, actions: Sequence[Action], counts: Callable[[], Counts]) -> None:
        """The strip of the screen that `page` of help explains."""
        super().__init__(id="strip")
        self._page = page
        self._actions = actions
        self._counts = counts

    @property
    def spots(self) -> list[Spot]:
        """What stands where, at the width it has."""
        return spots(self._actions, self._counts(), self._page, self.content_size.width)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as there is room."""
        return container.width

    def render(self) -> Content:
        """The screens one after the other; the one that is seen is bold as well as in brackets, its key with it."""
        parts: list[tuple[str, str]] = []
        for spot in self.spots:
            key, blank, rest = spot.text[1:].partition(" ")
            style = "bold $primary" if spot.here else "$text-muted"
            parts += [(spot.text[0], style), (key, style if spot.here else "bold $accent"), (f"{blank}{rest}", style)]
        return Content.assemble(*parts)

    async def on_click(self, event: Click) -> None:
        """Go to the screen that was clicked, as its key does."""
        at = event.get_content_offset_capture(self).x
        spot = next((each for each in self.spots if each.start <= at < each.end), None)
        act = next((action.act for action in self._actions if spot is not None and action.id == spot.tab.action), "")
        if act:
            await self.app.run_action(act)


def tell(app: App[object]) -> None:
    """There are new counts: every strip on a screen shows them."""
    for screen in app.screen_stack:
        for strip in screen.query(ScreenStrip):
            strip.refresh()
