"""Claude Code's store: the memory of projects and sub-agents, and the instructions for all. Transcripts are never looked at."""

from __future__ import annotations

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code import files, prompt
from zsmem_tui.agents.claude_code.checks import TopicChecks
from zsmem_tui.agents.claude_code.index_lists import IndexLists
from zsmem_tui.agents.claude_code.naming import INDEX
from zsmem_tui.agents.claude_code.topic_dress import TopicDress
from zsmem_tui.agents.prompt_parts import AgentPrompt, Place, ref_of
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder, Listing
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.tree import Tree, read_if_there


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


class ClaudeCodeLayout(AgentLayout):
    """An index and topics for each project and sub-agent; `CLAUDE.md` and rules for all."""

    kind = "claude-code"
    title = "Claude Code"
    prompts_of = ("project", "agent")
    lists = IndexLists()
    checks = TopicChecks()
    dress = TopicDress()

    def groups(self, folders: Listing) -> list[str]:
        """`project:NAME` for each project that has memory, then `agent:NAME`. Only names of folders are looked at."""
        projects = [name for name in folders(files.PROJECTS) if folders.has(f"{files.PROJECTS}/{name}/{files.MEMORY}")]
        agents = dict.fromkeys(name for home in files.SUB_AGENTS for name in folders(home))
        return [*(f"project:{name}" for name in projects), *(f"agent:{name}" for name in agents)]

    def home_of(self, group: str) -> str:
        """The folder of its memory."""
        return next(iter(files.homes(group)), "")

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with all below it; a sub-agent may have a second one."""
        found = files.homes(project)
        return tuple(Folder(home, project, first=INDEX, place=_ref, deep=True, endings=(EXTENSION,)) for home in found)

    def global_folders(self) -> tuple[Folder, ...]:
        """The instructions."""
        return (
            Folder("", first=INDEX, place=_ref, endings=(EXTENSION,)),
            Folder(files.RULES, first=INDEX, place=_ref, deep=True, endings=(EXTENSION,)),
        )

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes. A topic that says what type it is keeps its name."""
        kind, _, title = name.partition("_")
        if role is Role.NOTE and title and (found := files.new_path(role, group, title, kind)) is not None:
            return found
        return files.new_path(role, group, name)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The start of the group's index."""
        home = self.home_of(moment.project)
        path = f"{home}/{INDEX}"
        if not home:
            return no_prompt("Claude Code loads the index of a project or of a sub-agent, and none is chosen.")
        return prompt.prompt(read_if_there(tree, path), path)
