"""A plain folder of Markdown as a store."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.markdown import files
from zsmem_tui.agents.markdown_files import LONG_TERM_FILE
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.tree import Tree


def _day(path: str) -> MemRef | None:
    found = ref_of(path, files.place(path))
    return found if found is not None and found.role is Role.LOG else None


def _other(path: str) -> MemRef | None:
    found = ref_of(path, files.place(path))
    return found if found is not None and found.role is not Role.LOG else None


class MarkdownLayout(AgentLayout):
    """Every Markdown file at any depth that is not hidden; no agent says what of it is in a prompt."""

    kind = "markdown"
    title = "Markdown"
    prompts_of = ()
    has_others = True

    def global_folders(self) -> tuple[Folder, ...]:
        """Everything but days, then the days."""
        return (
            Folder("", place=_other, deep=True, endings=files.ENDINGS, first=LONG_TERM_FILE),
            Folder("", role=Role.LOG, dated=True, place=_day, deep=True, endings=files.ENDINGS, first=LONG_TERM_FILE),
        )

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes."""
        return files.new_path(role, name)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """Nothing."""
        return no_prompt("No agent says what of a folder of Markdown is in its prompt.")


LAYOUT: Final = MarkdownLayout
