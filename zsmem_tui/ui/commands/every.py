"""All commands, by the names that the registry of actions gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from textual.app import App

if TYPE_CHECKING:
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.commands.tools import ToolCommands
    from zsmem_tui.ui.open_store import MoreStores


class Commands(Mapping[str, Callable[..., object]]):
    """What actions do. It is loaded when the first of them is asked for: what writes comes with it."""

    def __init__(self, host: ZsmemApp, app: App[None], open_demo: Callable[[], tuple[Session, MoreStores]] | None) -> None:
        """`open_demo` makes the sample store, where there is one to offer."""
        self._host = host
        self._app = app
        self._open_demo = open_demo

    def __getitem__(self, name: str) -> Callable[..., object]:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @cached_property
    def openers(self) -> ToolCommands:
        """Ways to the other screens."""
        from zsmem_tui.ui.commands.tools import ToolCommands  # with the conversations, after the first frame

        return ToolCommands(self._host)

    @cached_property
    def _by_name(self) -> Mapping[str, Callable[..., object]]:
        from zsmem_tui.ui.commands.files import FileCommands  # 40 modules together, after the first frame
        from zsmem_tui.ui.commands.finding import FindCommands  # as above
        from zsmem_tui.ui.commands.navigation import NavigationCommands  # as above
        from zsmem_tui.ui.commands.program import ProgramCommands  # as above
        from zsmem_tui.ui.commands.reading import ReadingCommands  # as above

        host, app = self._host, self._app
        on_text = (FileCommands(host), ReadingCommands(host))
        own = ProgramCommands(host, app, self._open_demo)
        objects = (*on_text, self.openers, NavigationCommands(host), FindCommands(host, app), own)
        return {name: act for each in objects for name, act in each.by_name().items()}
