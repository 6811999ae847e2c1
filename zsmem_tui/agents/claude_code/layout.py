"""Claude Code's store: memory of projects and sub-agents, and global instructions. Transcripts are never read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code.files import CLAUDE, INDEX, Files, below, encoded
from zsmem_tui.agents.places import Place
from zsmem_tui.core.layout import Disk, Folder, Listing
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree, read_if_there, walk

if TYPE_CHECKING:
    from zsmem_tui.agents.claude_code import checks, index, index_lists, index_room, orders, prompt, topics
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.checks.by_kind import Checks
    from zsmem_tui.core.context import Moment, Reader
    from zsmem_tui.core.frontmatter import Dress
    from zsmem_tui.core.index_file import Lists
else:  # loaded with the first text: names tell which files there are
    checks, index, index_lists, index_room, orders, prompt, topics = late_modules(
        "zsmem_tui.agents.claude_code", "checks index index_lists index_room orders prompt topics"
    )


class ClaudeCodeLayout(AgentLayout):
    """An index and topics for each project and sub-agent; global `CLAUDE.md` and rules."""

    kind = "claude-code"
    title = "Claude Code"
    has_others = True
    has_search = False
    prompts_of: tuple[str, ...] | None = ("project", "agent")
    prompts_are_of = "a project or of a sub-agent"
    files: Files = CLAUDE
    is_cut = True
    """Whether the agent loads only the start of a long index."""

    @property
    def lists(self) -> Lists:
        """The index and its topics."""
        return index_lists.IndexLists(self.files, is_cut=self.is_cut)

    @property
    def checks(self) -> Checks:
        """The checks of the index and of the frontmatter of topics."""
        return checks.TopicChecks(self.files, is_cut=self.is_cut)

    @property
    def dress(self) -> Dress:
        """The frontmatter of topics."""
        return topics.TopicDress(self.files)

    def groups(self, folders: Listing) -> list[str]:
        """`project:NAME` for each project with memory, then `agent:NAME`. Reads only folder names."""
        projects = [name for name in folders(self.files.projects) if folders.has(self.files.homes(f"project:{name}")[0])]
        agents = dict.fromkeys(name for home in self.files.sub_agents for name in folders(home))
        return [*(f"project:{name}" for name in projects), *(f"agent:{name}" for name in agents)]

    def home_of(self, group: str) -> str:
        """The folder of its memory."""
        return next(iter(self.files.homes(group)), "")

    def group_named_after(self, folder: str) -> str:
        """The project with the folder's encoded path, which other folders may share."""
        return f"project:{encoded(folder)}"

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with everything below; a sub-agent may have a second one."""
        found = self.files.homes(project) if ":" in project else []
        return tuple(Folder(home, project, first=INDEX, place=self.ref_at, deep=True, endings=(EXTENSION,)) for home in found)

    def global_folders(self) -> tuple[Folder, ...]:
        """The instructions, and the shared memory."""
        homes = self.files.homes("")
        folders = [("", "" in homes), *((home, True) for home in (self.files.rules, *homes) if home)]
        return tuple(Folder(home, first=INDEX, place=self.ref_at, deep=deep, endings=(EXTENSION,)) for home, deep in folders)

    def place(self, path: str) -> Place | None:
        """The place of a file."""
        return self.files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """The path for a file of a role. A topic name that starts with a type keeps it."""
        kind, _, title = name.partition("_")
        if role is Role.NOTE and title and (found := self.files.new_path(role, group, title, kind)) is not None:
            return found
        return self.files.new_path(role, group, name)

    def may_mean(self, name: str, path: str) -> bool:
        """Whether they differ only in case, in what stands for other characters, or in that one has no type."""
        return self.files.are_alike(name, path.rpartition("/")[2].removesuffix(EXTENSION))

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """The loaded lines of its instruction files and of rules for all paths, with imports from the store."""
        root, tree = self.where.root, reader.tree()

        def read(path: str) -> str | None:
            return reader.text(path.removeprefix(f"{root}/")) if path.startswith(f"{root}/") else None

        def below(folder: str) -> list[str]:
            return [f"{folder}/{path}" for path in walk(tree, folder) if path.endswith(EXTENSION)]

        disk = Disk(read, below)
        found = orders.of_everybody(root, self.where.home, disk, self.told_everybody(disk), self.files.rules)
        return {each.path.removeprefix(f"{root}/"): each.lines for each in found}

    def told_everybody(self, disk: Disk) -> Sequence[str]:
        """The names of its instruction files in the root of the store."""
        return self.files.orders

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """`CLAUDE.md` and similar files of the folder and its parents, with their imports."""
        return [(each.path, each.loaded) for each in self._told(folder, disk)]

    def dead_imports(self, path: str, text: str, is_there: Callable[[str], bool]) -> Sequence[tuple[int, str]]:
        """Those that begin with `@`."""
        return orders.dead_imports(path, text, self.where.home, is_there)

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """`CLAUDE.md`, other existing files, a rule; `AGENTS.md` if it is read."""
        return orders.takes(folder, self._told(folder, disk), disk)

    def _told(self, folder: str, disk: Disk) -> list[orders.Told]:
        return orders.of_folder(folder, self.where.root, self.where.home, disk)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The start of the group's index, and of the index for all projects."""
        homes = self.files.homes(moment.project)
        if not homes:
            why = "none is chosen" if self.group_named_after(os.sep) else "has none of this folder"
            return no_prompt(f"{self.title} loads the index of {self.prompts_are_of}, and {why}.")
        has_settings = self.files is CLAUDE and moment.project.startswith("project:")
        if has_settings and (why := prompt.not_read(read_if_there(tree, prompt.SETTINGS), self.where.env)):
            return no_prompt(why)
        paths = dict.fromkeys(below(home, INDEX) for home in (homes[0], *self.files.homes("")))
        return reduce(prompt.joined, [self.loaded(read_if_there(tree, path), path) for path in paths])

    def unloaded(self, path: str, before: bytes | None, after: bytes | None) -> str:
        """Sentences about new lines about topics: those that are not loaded, and what they push out. Empty if there is neither."""
        found = self.place(path)
        if found is None or found.role is not Role.INDEX:
            return ""
        lost = {each.line: each.reason for each in self.loaded(after, path).lost}
        numbers = index.gained(before or b"", after or b"")
        said = []
        if gone := [number for number in numbers if number in lost]:
            what = f"its line {gone[0]}" if not gone[1:] else f"{len(gone):,} new lines, the first of them {gone[0]},"
            said.append(f"{self.title} does not load {what} of {INDEX}: {lost[gone[0]]}.")
        if self.is_cut and numbers and (out := index_room.pushed_out(before or b"", after or b"")):
            said.append(f"Out goes: {out} of {INDEX}: {next(iter(lost.values()))}.")
        return " ".join([*said, "= (Fit), or `zsmem fit`, makes room."]) if said else ""

    def loaded(self, raw: bytes | None, path: str) -> AgentPrompt:
        """The part of an index that is loaded."""
        return prompt.prompt(raw, path)


LAYOUT: Final = ClaudeCodeLayout
