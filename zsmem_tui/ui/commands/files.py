"""The actions on files: which file is meant, and which conversation it starts."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.commands.stores import in_store, in_store_meant
from zsmem_tui.ui.memory import copy_move as carrying
from zsmem_tui.ui.memory import editing, reading
from zsmem_tui.ui.memory import file_verbs as arranging
from zsmem_tui.ui.memory.selection import file_meant, nothing_meant, project_meant

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.copy_move import Part
    from zsmem_tui.ui.memory.screen import MainScreen


class FileCommands:
    """Every action on the file under the cursor, by its name."""

    def __init__(self, host: ZsmemApp) -> None:
        self._host = host

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {
            "edit": lambda: self._on_file(editing.edit),
            "edit_outside": lambda: self._on_file(editing.edit_outside),
            "save": lambda: self._talk(editing.save(self._host.main)),
            "find": lambda: self._host.main.editor.open_find(),
            "replace": lambda: self._host.main.editor.open_find(replace=True),
            "find_next": lambda step: self._host.main.editor.find_next(step),
            "go_to_line": lambda: self._talk(editing.go_to_line(self._host.main)),
            "add": self._add,
            "rename": lambda: self._on_file(arranging.rename),
            "duplicate": lambda: self._on_files(carrying.copy),
            "move": lambda: self._on_files(carrying.move),
            "delete": lambda: self._on_file(arranging.delete if self._host.main.current == "tree" else arranging.delete_read),
            "copy": self._copy,
            "grouping": lambda: self._host.main.say(self._host.main.tree_pane.switch_grouping()),
            "outline": lambda: self._talk(reading.outline(self._host.main)),
            "history": self._history,
        }

    def _add(self) -> None:
        """Something new in the project that is meant."""
        main = self._host.main
        project = project_meant(main)
        in_store_meant(self._host, lambda: self._talk(arranging.add(main, project)))

    def _copy(self) -> None:
        """What is selected in the text that is read, or all of it; else the file that is meant, or the line of a hit."""
        if self._host.main.current == "viewer":
            self._host.main.viewer.copy()
        else:
            self._on_file(arranging.copy_text)

    def _history(self) -> None:
        """All versions of the file that is meant; of the whole store where the cursor of the tree is on a project."""
        in_store_meant(self._host, self._history_here)

    def _history_here(self) -> None:
        main = self._host.main
        at = main.tree_pane.at_cursor() if main.current == "tree" else None
        if at is not None and at.ref is None and at.group and not at.folder:
            self._host.openers.open_history(None)
        elif (ref := self._file()) is not None:
            self._host.openers.open_history(ref)

    def _on_file(self, flow: Callable[[MainScreen, MemRef], Coroutine[Any, Any, None]]) -> None:
        if (ref := self._file()) is not None:
            in_store_meant(self._host, lambda: self._talk(flow(self._host.main, ref)))

    def _on_files(self, flow: Callable[[MainScreen, Sequence[Part]], Coroutine[Any, Any, None]]) -> None:
        """About the files that are marked in the tree, else about the one that is meant."""
        main = self._host.main
        marked = main.tree_pane.project_tree.marked_files() if main.current == "tree" else []
        if not marked:
            self._on_file(lambda main, ref: flow(main, [(main.here, [ref])]))
            return
        stores = [store for store in main.stores if any(at.store == store.key for at in marked)]
        parts = [(store, [at.ref for at in marked if at.ref is not None and at.store == store.key]) for store in stores]
        in_store(self._host, main.here if main.here in stores else stores[0], lambda: self._talk(flow(main, parts)))

    def _file(self) -> MemRef | None:
        """The file that is meant; when there is none, that is said."""
        main = self._host.main
        ref = file_meant(main)
        if ref is None:
            main.say(nothing_meant(main), warning=True)
        return ref

    def _talk(self, conversation: Coroutine[Any, Any, Any]) -> None:
        self._host.talk(conversation)
