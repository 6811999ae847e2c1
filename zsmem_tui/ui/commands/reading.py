"""The actions on the text that is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from zsmem_tui.ui.memory import links

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp


class ReadingCommands:
    """What the keys of the viewer do."""

    def __init__(self, host: ZsmemApp) -> None:
        self._host = host

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {
            "find_words": lambda: self._host.main.viewer.open_find(),
            "toggle_raw": lambda: self._host.main.viewer.toggle_raw(),
            "toggle_breaks": lambda: self._host.main.viewer.toggle_breaks(),
            "toggle_marks": lambda: self._host.main.viewer.toggle_marks(),
            "select_text": lambda how, sideways=0, down=0: self._host.main.viewer.select(how, sideways, down),
            "next_link": lambda step: self._host.main.viewer.choose_link(step),
            "follow": self._follow,
            "trail": lambda step: links.back_or_forward(self._host.main, step),
        }

    def _follow(self) -> None:
        """Go where the chosen link leads; where none is chosen, choose the first in sight."""
        main = self._host.main
        target = main.viewer.view.link_target
        if target:
            self._host.talk(links.follow(main, target))
        else:
            main.viewer.choose_link(1)
