"""Claude Code's store: the memory of projects and sub-agents, and the instructions for all. Transcripts are never looked at."""

from __future__ import annotations

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code import files, index, prompt
from zsmem_tui.agents.claude_code.naming import INDEX
from zsmem_tui.agents.claude_code.topics import frontmatter_name, title_and_hook, unwrapped, wrapped
from zsmem_tui.agents.prompt_parts import AgentPrompt, Place, ref_of
from zsmem_tui.core.carried import Carried
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.finding import Finding
from zsmem_tui.core.layout import Folder, Listing, Rewrite
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree, read_if_there, walk


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


def _topics(tree: Tree, path: str) -> list[str]:
    """The topics that belong into an index, seen from its folder."""
    home = path.rpartition("/")[0]
    return [each for each in walk(tree, home) if files.listed_by(f"{home}/{each}") == (path, each)]


def _readable(tree: Tree, path: str) -> bytes:
    try:
        return tree.read(path)
    except StoreError:
        return b""  # what it calls itself cannot be told then


class ClaudeCodeLayout(AgentLayout):
    """An index and topics for each project and sub-agent; `CLAUDE.md` and rules for all."""

    kind = "claude-code"
    title = "Claude Code"
    kept_fields = ("name", "description", "label")

    def groups(self, folders: Listing) -> list[str]:
        """`project:NAME` for each project that has memory, then `agent:NAME`. Only names of folders are looked at."""
        projects = [name for name in folders(files.PROJECTS) if files.MEMORY in folders(f"{files.PROJECTS}/{name}")]
        agents = dict.fromkeys(name for home in files.SUB_AGENTS for name in folders(home))
        return [*(f"project:{name}" for name in projects), *(f"agent:{name}" for name in agents)]

    def home_of(self, group: str) -> str:
        """The folder of its memory."""
        kind, _, name = group.partition(":")
        homes = {"project": f"{files.PROJECTS}/{name}/{files.MEMORY}", "agent": f"{files.SUB_AGENTS[0]}/{name}"}
        return homes.get(kind, "") if name else ""

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with all below it; a sub-agent may have a second one."""
        kind, _, name = project.partition(":")
        homes = [self.home_of(project)] + ([f"{files.SUB_AGENTS[1]}/{name}"] if kind == "agent" else [])
        return tuple(Folder(home, project, first=INDEX, place=_ref, deep=True, endings=(EXTENSION,)) for home in homes if home)

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

    def companions(self, tree: Tree, before: str | None, after: str | None, text: bytes) -> dict[str, Rewrite]:
        """A topic's line in the index comes, changes and goes with it; between two indexes it keeps what it says."""
        old = files.listed_by(before) if before is not None else None
        new = files.listed_by(after) if after is not None else None
        if old is not None and new is not None and old[0] == new[0]:
            topics, names = _topics(tree, old[0]), (old[1], new[1])
            return {old[0]: lambda raw: None if raw is None else index.renamed(raw, *names, topics)}
        out: dict[str, Rewrite] = {}
        words = title_and_hook(new[1], text) if new is not None else ("", "")
        if old is not None:
            place, file = old
            known = _topics(tree, place)
            words = index.said(read_if_there(tree, place) or b"", file, known) or words
            out[place] = lambda raw: None if raw is None else index.removed(raw, file, known)
        if new is not None:
            goal, name = new
            beside = _topics(tree, goal)
            out[goal] = lambda raw: index.added(raw, name, *words, beside)
        return out

    def findings(self, tree: Tree, group: str) -> list[Finding]:
        """What is wrong between the group's index and its topics."""
        home = self.home_of(group)
        path = f"{home}/{INDEX}"
        topics = _topics(tree, path) if home else []
        raw = read_if_there(tree, path) if home else None
        if raw is None and not topics:
            return []
        names = {}
        if b"[[" in (raw or b""):
            names = {frontmatter_name(_readable(tree, f"{home}/{topic}")): topic for topic in topics}
        return index.findings(raw or b"", topics, printable_path(path), names)

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """A topic without its frontmatter."""
        return unwrapped(raw) if files.listed_by(path) is not None else Carried(raw)

    def wrapped(self, path: str, text: Carried) -> bytes:
        """A topic with frontmatter of the newer generation, unless it brings one along."""
        return wrapped(path, text) if files.listed_by(path) is not None else text.body

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The start of the group's index."""
        home = self.home_of(moment.project)
        path = f"{home}/{INDEX}"
        if not home:
            return no_prompt("Claude Code loads the index of a project or of a sub-agent, and none is chosen.")
        return prompt.prompt(read_if_there(tree, path), path)
