"""The actions on files, for the app: which file is meant, and which conversation it starts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from textual.css.query import NoMatches

from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.flows import arranging, editing
from zsmem_tui.ui.keys_ahead import KeysInOrder

if TYPE_CHECKING:
    from zsmem_tui.ui.layer import Layer
    from zsmem_tui.ui.screens.main import MainScreen


class FileCommands(KeysInOrder):
    """Every action on the file under the cursor. Conversations run as workers of the app, one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = asyncio.Lock()

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever lies over it."""
        raise LookupError("the app says which screen is the main one")

    def action_edit_file(self) -> None:
        """Edit here."""
        self._on_file(editing.edit)

    def action_edit_outside(self) -> None:
        """Edit in the person's own editor."""
        self._on_file(editing.edit_outside)

    def action_save_file(self) -> None:
        """Save the editor's text."""
        self.talk(editing.save(self.main))

    def action_find_in_editor(self) -> None:
        """Find in the text being edited."""
        self.main.editor.open_find()

    def action_add_file(self) -> None:
        """Add something to the project under the cursor."""
        self.talk(arranging.add(self.main, self.main.project_meant()))

    def action_rename_file(self) -> None:
        """Rename a note."""
        self._on_file(arranging.rename)

    def action_duplicate_file(self) -> None:
        """Copy a file to a note."""
        self._on_file(arranging.duplicate)

    def action_move_file(self) -> None:
        """Move a file to another project."""
        self._on_file(arranging.move)

    def action_delete_file(self) -> None:
        """Delete a file, recoverably."""
        self._on_file(arranging.delete)

    def action_copy_file(self) -> None:
        """The text of a file to the clipboard."""
        self._on_file(arranging.copy_text)

    def _on_file(self, flow: Callable[[MainScreen, MemRef], Coroutine[Any, Any, None]]) -> None:
        ref = self.main.file_meant()
        if ref is None:
            self.main.say(self.main.nothing_meant(), warning=True)
        else:
            self.talk(flow(self.main, ref))

    def talk(self, conversation: Coroutine[Any, Any, Any], about: Layer[Any] | None = None) -> None:
        """Start a conversation once the one before has ended: a save that is under way is never cut off.

        One `about` a screen that is closed by then is not begun.
        """
        self.run_worker(self._in_turn(conversation, about), group="conversation")

    async def _in_turn(self, conversation: Coroutine[Any, Any, Any], about: Layer[Any] | None) -> None:
        try:
            async with self._turn:
                if about is None or not about.closed:
                    await conversation
        except NoMatches:
            if self.is_running and not (about is not None and about.closed):
                raise  # else the screen went away meanwhile
        finally:
            conversation.close()  # it may never have had its turn
