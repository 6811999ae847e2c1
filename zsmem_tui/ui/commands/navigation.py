"""The actions that go from pane to pane, and one step back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from zsmem_tui.ui.memory import editing
from zsmem_tui.ui.memory.pane_focus import next_of

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.tool import ToolScreen


class NavigationCommands:
    """Where to go, on the main screen or on the tool over it."""

    def __init__(self, host: ZsmemApp) -> None:
        self._host = host

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {
            "focus_pane": self.focus_pane,
            "next_pane": self._next,
            "back": self._back,
            "split": lambda step: (self._host.tool or self._host.main).split.step(step),
            "maximize": lambda: (self._host.tool or self._host.main).toggle_class("-max"),
        }

    def focus_pane(self, name: str) -> None:
        """Go to a pane of the main screen; tools over it are closed."""
        while (tool := self._tool_on_top()) is not None:
            tool.dismiss()
        self._host.main.focus_pane(name)

    def _tool_on_top(self) -> ToolScreen | None:
        tool = self._host.tool
        return tool if tool is not None and tool.is_active else None

    def _next(self, step: int) -> None:
        """Go to the next pane: on the main screen left to right: tree, search with its hits, viewer or editor."""
        tool, main = self._tool_on_top(), self._host.main
        if tool is not None:
            next_of(tool.app.screen, tool.SCOPE_OF, step)
        else:
            next_of(main.app.screen, ("tree-view", "query", "hits", "page" if main.editor.ref is None else "text"), step)

    def _back(self) -> None:
        """One step back, never out."""
        tool = self._tool_on_top()
        if tool is not None:
            tool.back()
        else:
            self._host.talk(_back_on_main(self._host.main))


async def _back_on_main(main: MainScreen) -> None:
    """Close what is open in the pane, then go to where the person came from."""
    if main.current == "editor":
        if not main.editor.close_find():
            await editing.leave(main)
    elif main.has_class("-max"):
        main.remove_class("-max")
    elif main.current == "tree":
        main.tree_pane.close_filter() or main.tree_pane.project_tree.unmark()
    elif main.current == "viewer":
        if not main.viewer.view.selecting.stop() and not main.viewer.close_find():
            _leave_viewer(main)
    else:
        main.search.close()
        main.focus_pane("tree")


def _leave_viewer(main: MainScreen) -> None:
    """To where the person came from: a pane, or the screen they were on, as they left it."""
    back, main.way_back = main.way_back, None
    if back is not None:
        back()
    else:
        main.focus_pane("tree")
