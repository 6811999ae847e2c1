"""The verbs of facts on the lines of a prompt: the fact of a line, in the prompt or lost from it, is looked up in its file."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from textual.app import App

from zsmem_tui.core.layout import find_ref
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.ui.facts import verbs as facting
from zsmem_tui.ui.open_store import FactsAbout

if TYPE_CHECKING:
    from textual.await_complete import AwaitComplete

    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.prompt.screen import PromptScreen


class Chosen:
    """The fact under the cursor: the rows of a list of one."""

    def __init__(self) -> None:
        self.marked: set[Any] = set()
        self.found: list[FactRow] = []
        self.screen_row: int | None = None

    def at_cursor(self) -> FactRow | None:
        """The fact that was looked up last."""
        return self.found[0] if self.found else None

    def chosen(self) -> list[FactRow]:
        """The fact that was looked up last, if there was one."""
        return self.found


class PromptFacts:
    """What the verbs of facts take for the screen of facts, while the person is on that of a prompt."""

    def __init__(self, screen: PromptScreen) -> None:
        self._screen = screen
        self._reader = FactReader(screen.session)
        self.rows = Chosen()
        self.session = screen.session
        self.host: ZsmemApp = screen.host
        self.last_target: Target | None = None
        self.ready = asyncio.Event()
        self.ready.set()  # what a line is, is read when it is asked for

    @property
    def app(self) -> App[object]:
        """The program."""
        return self._screen.app

    @property
    def closed(self) -> bool:
        """Whether the screen is on its way off."""
        return self._screen.closed

    @property
    def about(self) -> FactsAbout:
        """The facts of the project whose prompt is shown."""
        return FactsAbout(self._screen.about.project, Scope.PROJECT)

    async def act(self, verb: str) -> None:
        """Do one thing with the fact under the cursor; Fit is about the whole prompt."""
        screen = self._screen
        self.rows.found = []
        if verb != "fit":
            if screen.rows.seen is None:
                await screen.read()  # typed ahead
            path, line = screen.rows.place_meant()
            if not path:
                self.say("This is not a line of a file: put the cursor on one first.", warning=True)
                return
            if os.path.isabs(path):
                self.say("This line is of another store, which the agent adds to the prompt: enter goes to it.", warning=True)
                return
            row = await asyncio.to_thread(self._fact_at, path, line)
            if row is None:
                self.say("This line is no fact: headings and rules only group them.", warning=True)
                return
            self.rows.found, self.rows.screen_row = [row], screen.rows.screen_row()
            if verb == "edit" and (row.fact.lines > 1 or len(row.fact.text) > facting.LONGEST_LINE):
                self._edit_in_file(row)
                return
        await facting.act(self, verb)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result on the screen."""
        self._screen.say(text, warning=warning)

    async def read(self) -> None:
        """Work the block out again."""
        await self._screen.read()

    def next_after(self, rows: list[FactRow], *, edited: bool = False) -> None:
        """The cursor has stayed on its line, or gone to the next; a fact with other words is where it was."""
        if edited:
            self._screen.rows.go_to_line(rows[0].ref.path, rows[0].fact.line)

    def dismiss(self) -> AwaitComplete:
        """Close the screen."""
        return self._screen.dismiss()

    def _fact_at(self, path: str, line: int) -> FactRow | None:
        """The innermost fact that a line is part of, for a thread."""
        ref = find_ref(self.session.layout, path)
        if ref is None:
            return None
        found = self._reader.read(Scope.FILE, ref).rows
        return next((row for row in found if row.fact.line <= line < row.fact.stop), None)

    def _edit_in_file(self, row: FactRow) -> None:
        """Edit the file at the line; leaving the editor comes back to the prompt."""
        rows = self._screen.rows
        self.host.edit_file(row.ref, rows.place_meant()[1], row=rows.screen_row())
