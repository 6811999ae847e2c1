"""memsearch's store: the journals of one project."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout
from zsmem_tui.agents.memsearch import files
from zsmem_tui.agents.memsearch.memory import MemsearchMemory
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.tree import Tree


def _day(path: str) -> MemRef | None:
    return ref_of(path, files.place(path)) if files.is_day(path) else None


def _note(path: str) -> MemRef | None:
    return None if files.is_day(path) else ref_of(path, files.place(path))


class MemsearchLayout(AgentLayout):
    """A file a day at the top, and other Markdown at any depth."""

    kind = "memsearch"
    title = "memsearch"
    programs = files.PROGRAMS

    def global_folders(self) -> tuple[Folder, ...]:
        """The days, then what else is indexed."""
        return (
            Folder("", role=Role.LOG, dated=True, place=_day, endings=files.ENDINGS),
            Folder("", place=_note, deep=True, endings=files.ENDINGS),
        )

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes."""
        return files.new_path(role, name)

    def is_lock(self, name: str) -> bool:
        """Locks of a capture or a maintenance task."""
        return files.is_lock(name)

    def lock_folders(self, path: str) -> list[str]:
        """Beside the journals, and in the folder above them."""
        return ["", ".."]

    def part(self, role: Role | None) -> str:
        """What the share of files of this role is called."""
        return "days" if role is Role.LOG else super().part(role)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """What Claude Code is told at the start of a session."""
        return MemsearchMemory(tree, ".").session_start()


LAYOUT: Final = MemsearchLayout
