"""opencode's store: one folder of blocks, for all or for one project. A prompt has the blocks of both."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout
from zsmem_tui.agents.javascript import decode, trim
from zsmem_tui.agents.opencode import files, prompt, writes
from zsmem_tui.agents.opencode.block_dress import BlockDress
from zsmem_tui.agents.opencode.blocks import Block
from zsmem_tui.agents.opencode.checks import BlockChecks
from zsmem_tui.agents.opencode.memory import OpencodeMemory, PassedOver
from zsmem_tui.agents.places import GLOBAL, Place, Where, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt, LostLine
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path, GLOBAL))


class OpencodeLayout(AgentLayout):
    """Blocks, all of them always in the prompt. Which scope they are of, the store's own folder says."""

    kind = "opencode"
    title = "opencode"
    orders = ("AGENTS.md",)

    def __init__(self, where: Where) -> None:
        super().__init__(where)
        self.scope = "project" if f"/{where.root}".endswith(f"/{files.PROJECT_FOLDER}") else "global"
        self.dress = BlockDress(self.scope)
        self._homes = (where.root, where.folder)
        if self.scope == "project":
            own = where.root.removesuffix(f"/{files.PROJECT_FOLDER}")
            self._homes = (posixpath.join(where.home, files.GLOBAL_FOLDER), own)
        self.checks = BlockChecks(self.scope, *self._homes)

    def global_folders(self) -> tuple[Folder, ...]:
        """The one folder."""
        return (Folder("", place=_ref, endings=(EXTENSION,)),)

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path, GLOBAL)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a block goes; the one that is meant where none is named is `project` here and `human` for all."""
        return files.new_path(role, name or ("project" if self.scope == "project" else "human"))

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """A block that is read-only, would grow over its limit, or that opencode would pass over is not written."""
        super().check(tree, path, before, after)
        if after is not None:
            writes.check_edit(self.scope, path, before, after)

    def part(self, role: Role | None) -> str:
        """What the share of files of this role is called."""
        return "blocks" if role is Role.FACTS else super().part(role)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The blocks for all and those of the project, whichever of the two this store is."""
        home, folder = self._homes
        roots = {"global": home, "project": posixpath.join(folder, files.PROJECT_FOLDER)}

        def path_of(block: Block | PassedOver) -> str:
            return block.file if block.scope == self.scope else f"{roots[block.scope]}/{block.file}"

        memory = OpencodeMemory(tree, home, folder)
        made = prompt.prompt(memory.blocks(), self.where.now().astimezone(), path_of)
        return made._replace(lost=tuple(lost for each in memory.passed_over() for lost in _lines_of(path_of(each), each)))


def _lines_of(path: str, passed_over: PassedOver) -> Iterator[LostLine]:
    """Every line of a file that the agent leaves out, with the reason."""
    for number, line in enumerate(raw_lines(decode(passed_over.raw)), 1):
        if trim(line):
            yield LostLine(path, number, passed_over.reason)


LAYOUT: Final = OpencodeLayout
