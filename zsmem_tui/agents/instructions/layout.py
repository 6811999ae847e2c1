"""A project's folder as a store of its instruction files. All else is invisible; links out of it are not followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code import orders
from zsmem_tui.agents.instructions import files
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.context import Moment, Reader
from zsmem_tui.core.layout import Disk, Folder
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, walk


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


class InstructionsLayout(AgentLayout):
    """`AGENTS.md`, `CLAUDE.md`, `ARCHITECTURE.md` and rules of one folder, for everybody."""

    kind = "instructions"
    title = "Instructions"
    has_others = True
    prompts_of = ()

    def global_folders(self) -> tuple[Folder, ...]:
        """The folder itself, Claude Code's own in it, and the rules in that with all below them."""
        first = files.AT_THE_TOP[0]
        return (
            Folder("", first=first, place=_ref, inside=True),
            Folder(files.OWN_FOLDER, first=first, place=_ref, inside=True),
            Folder(files.RULES, first=first, place=_ref, deep=True, inside=True),
        )

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where an instruction file goes."""
        return files.new_path(name) if role is Role.INSTRUCTIONS else None

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """Every one is in the prompts of the agents that read it; of a rule, or what Claude Code alone reads, what that loads."""
        root, tree = self.where.root, reader.tree()

        def read(path: str) -> str | None:
            own = path.removeprefix(f"{root}/")
            return reader.text(own) if own != path and files.place(own) is not None else None

        def below(folder: str) -> list[str]:
            return [f"{folder}/{path}" for path in walk(tree, folder)]

        loaded = orders.of_folder(root, "", self.where.home, Disk(read, below))
        found = {each.path.removeprefix(f"{root}/"): each.lines for each in loaded}
        for name in files.SEEN_WHOLE:
            text = reader.text(name)
            if text is not None:
                found[name] = frozenset(range(len(raw_lines(text))))
        return found

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """Nothing by itself."""
        return no_prompt("Each agent reads the instruction files that it knows; its own prompt says so.")


LAYOUT: Final = InstructionsLayout
