"""Claude Code's store: the memory of projects and sub-agents, and the instructions for all. Transcripts are never looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code import files, orders, prompt
from zsmem_tui.agents.claude_code.checks import TopicChecks
from zsmem_tui.agents.claude_code.files import INDEX, encoded
from zsmem_tui.agents.claude_code.index_lists import IndexLists
from zsmem_tui.agents.claude_code.topic_dress import TopicDress
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment, Reader
from zsmem_tui.core.layout import Disk, Folder, Listing
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.tree import Tree, read_if_there, walk


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


class ClaudeCodeLayout(AgentLayout):
    """An index and topics for each project and sub-agent; `CLAUDE.md` and rules for all."""

    kind = "claude-code"
    title = "Claude Code"
    has_others = True
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

    def group_named_after(self, folder: str) -> str:
        """The project whose name is the path, with `-` for all but letters and digits: other folders may share it."""
        return f"project:{encoded(folder)}"

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

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """`CLAUDE.md` and the rules that are for all paths, with what of the store they import."""
        root, tree = self.where.root, reader.tree()

        def read(path: str) -> str | None:
            return reader.text(path.removeprefix(f"{root}/")) if path.startswith(f"{root}/") else None

        def below(folder: str) -> list[str]:
            return [f"{folder}/{path}" for path in walk(tree, folder) if path.endswith(EXTENSION)]

        found = orders.of_everybody(root, self.where.home, Disk(read, below))
        return {each.path.removeprefix(f"{root}/"): each.lines for each in found}

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """`CLAUDE.md` and its kin of the folder and of those above it, with what they import."""
        return [(each.path, each.text) for each in self._told(folder, disk)]

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """`CLAUDE.md`, the others that are there, a rule; `AGENTS.md` where it is read."""
        return orders.takes(folder, self._told(folder, disk), disk)

    def _told(self, folder: str, disk: Disk) -> list[orders.Told]:
        return orders.of_folder(folder, self.where.root, self.where.home, disk)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The start of the group's index."""
        home = self.home_of(moment.project)
        path = f"{home}/{INDEX}"
        if not home:
            return no_prompt("Claude Code loads the index of a project or of a sub-agent, and none is chosen.")
        return prompt.prompt(read_if_there(tree, path), path)


LAYOUT: Final = ClaudeCodeLayout
