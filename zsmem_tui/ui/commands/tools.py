"""The actions that open a screen for one job, and undo and redo, which work on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual.css.query import NoMatches
from textual.worker import WorkerFailed

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.actions import ACTIONS, MAIN_SCOPES, TYPED_INTO, Action
from zsmem_tui.ui.commands.files import FileCommands
from zsmem_tui.ui.flows import editing
from zsmem_tui.ui.screens.tool import ToolScreen

if TYPE_CHECKING:
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.ui.app import ZsmemApp


class ToolCommands(FileCommands):
    """The app as far as it has tools."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        super().__init__()
        self._now_ns = now_ns
        self._decided: set[str] = set()
        self.actions: tuple[Action, ...] = ACTIONS
        """Every action, with the person's own keys."""

    def bar_actions(self, scope: str) -> list[Action]:
        """What the key bar shows for a scope."""
        own = [action for action in self.actions if action.bar and action.scope == scope]
        if scope in TYPED_INTO:
            return own + [action for action in self.actions if action.id in ("app.back", "app.help", "app.quit")]
        return own + [action for action in self.actions if action.bar and action.scope == "app"]

    def palette_actions(self) -> list[Action]:
        """What can be done now: everywhere, and on the tool or the panes that are on the screen."""
        scopes = ("app", *(self.tool.scopes if self.tool else MAIN_SCOPES))
        return [action for action in self.actions if action.palette and action.scope in scopes]

    def tell(self, text: str, *, warning: bool = False) -> None:
        """Tell a result where the person looks."""
        tool = self.tool
        (tool or self.main).say(text, warning=warning)

    def edit(self, ref: MemRef, line: int | None = None, back: Callable[[], object] | None = None) -> None:
        """Edit a file on the main screen; leaving the editor leads to `back`."""
        self.talk(editing.edit(self.main, ref, line=line, back=back))

    def _handle_exception(self, error: Exception) -> None:
        """As always, but an expected error of work in the background is told; what finds no screen while we leave is none."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        leaving = self._exit or not self._screen_stack
        if leaving and isinstance(cause, NoMatches):
            return
        if isinstance(error, WorkerFailed) and isinstance(cause, MemError) and not leaving:
            self.tell(f"{cause.message} {cause.hint}".rstrip(" "), warning=True)
        else:
            super()._handle_exception(error)

    def open_history(self, ref: MemRef) -> None:
        """Show the versions of a file."""
        from zsmem_tui.ui.screens.history import HistoryScreen  # with its widgets 5 ms that a start can do without

        self.push_screen(HistoryScreen(self.main.session, ref, self._now_ns))

    def reload_tool(self) -> None:
        """What the tool on the screen shows may have changed."""
        if self.tool is not None and self.tool.is_mounted:
            self.tool.load()

    def tick_tool(self) -> None:
        """Time has passed."""
        if self.tool is not None and self.tool.is_mounted:
            self.tool.tick()

    def action_undo(self) -> None:
        """The last step back."""
        self._undo(redo=False)

    def action_redo(self) -> None:
        """And forth again."""
        self._undo(redo=True)

    def _undo(self, *, redo: bool) -> None:
        from zsmem_tui.ui.flows import history_flows  # with undo and review 8 ms that a start can do without

        self.talk(history_flows.undo(cast("ZsmemApp", self), redo=redo))

    def action_review(self) -> None:
        """What others wrote."""
        if self.tool is None or self.tool.PAGE != "review":
            self.open_review()

    def open_review(self, at: str = "") -> None:
        """Show what others wrote, the cursor on the file with the path `at`."""
        from zsmem_tui.ui.screens.review import ReviewScreen  # with its widgets 5 ms that a start can do without

        self.push_screen(ReviewScreen(self.main.session, self._now_ns, at))

    def open_prompt(self, about: Subject, row: int = 0) -> None:
        """Show what the agent sees."""
        from zsmem_tui.ui.screens.prompt import PromptScreen  # with its widgets 5 ms that a start can do without

        self.push_screen(PromptScreen(self.main.session, about, row))

    def action_prompt(self) -> None:
        """What the agent sees of the project that is meant."""
        from zsmem_tui.service.previewing import subject  # with the preview 9 ms that a start can do without

        if self.tool is None or self.tool.PAGE != "prompt":
            project = self.main.project_meant() if self.main.current == "tree" else ""
            file = self.main.viewer.file
            project = project or (file.ref.project if file else "") or self.main.session.project
            self.open_prompt(subject(self.main.session)._replace(project=project))

    def action_triage(self) -> None:
        """The scratchpad items of the project that is meant."""
        from zsmem_tui.ui.screens.triage import TriageScreen  # with its widgets 6 ms that a start can do without

        if self.tool is None or self.tool.PAGE != "triage":
            project = self.main.project_meant()
            self.push_screen(TriageScreen(self.main.session, project, self._now_ns, self._decided))

    def action_transfer(self) -> None:
        """Import and export."""
        from zsmem_tui.ui.screens.transfer import TransferScreen  # with the formats 8 ms that a start can do without

        if self.tool is None or self.tool.PAGE != "transfer":
            self.push_screen(TransferScreen(self.main.session))

    def action_costs(self) -> None:
        """What every project's memory costs."""
        from zsmem_tui.ui.screens.prompt import CostScreen  # with its widgets 5 ms that a start can do without

        if self.tool is None or self.tool.PAGE != "costs":
            self.push_screen(CostScreen(self.main.session))

    def action_bring_back_wiped(self) -> None:
        """A text that was wiped."""
        from zsmem_tui.ui.flows import history_flows  # with undo and review 8 ms that a start can do without

        self.talk(history_flows.bring_back(cast("ZsmemApp", self)))

    def action_file_history(self) -> None:
        """All versions of the file that is meant."""
        ref = self.main.file_meant()
        if ref is None:
            self.main.say(self.main.nothing_meant(), warning=True)
        else:
            self.open_history(ref)

    @property
    def tool(self) -> ToolScreen | None:
        """The tool that lies over the main screen."""
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, ToolScreen)), None)

    def leave_tools(self) -> None:
        """Back to the main screen."""
        while isinstance(self.screen, ToolScreen):
            self.screen.dismiss(None)
