"""A plain folder of Markdown files as a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.markdown_files import LONG_TERM_FILE, SCRATCHPAD_FILE
from zsmem_tui.agents.places import BAD_STEM, ENDINGS, GLOBAL, Place, visible
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree

if TYPE_CHECKING:
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.context import Moment


def place(path: str) -> Place | None:
    """The place of a file by its name: `MEMORY.md` has facts, `SCRATCHPAD.md` tasks, a date is a log, everything else a note."""
    if not path.endswith(ENDINGS) or not visible(path):
        return None
    stem = path.rpartition("/")[2].removesuffix(".markdown").removesuffix(".md")
    other = Role.LOG if is_log_name(f"{stem}.md") else Role.NOTE
    return Place(GLOBAL, {LONG_TERM_FILE: Role.FACTS, SCRATCHPAD_FILE: Role.CHECKLIST}.get(path, other), path)


def new_path(role: Role, group: str, name: str) -> str | None:
    """The path for a new file of a role; None for an index or instructions."""
    if (role is Role.NOTE and not BAD_STEM.search(name)) or (role is Role.LOG and is_log_name(f"{name}.md")):
        return f"{name}.md"
    return {Role.FACTS: LONG_TERM_FILE, Role.CHECKLIST: SCRATCHPAD_FILE}.get(role)


class MarkdownLayout(AgentLayout):
    """Every Markdown file that is not hidden, at any depth; it is in no agent's prompt."""

    kind = "markdown"
    title = "Markdown"
    prompts_of = ()
    has_others = True
    has_search = False

    def global_folders(self) -> tuple[Folder, ...]:
        """Everything except logs, then the logs."""
        return (
            Folder("", place=self.other_at, deep=True, endings=ENDINGS, first=LONG_TERM_FILE),
            Folder("", role=Role.LOG, dated=True, place=self.log_at, deep=True, endings=ENDINGS, first=LONG_TERM_FILE),
        )

    place = staticmethod(place)
    new_path = staticmethod(new_path)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """No prompt."""
        return no_prompt("No agent says what of a folder of Markdown is in its prompt.")


LAYOUT: Final = MarkdownLayout
