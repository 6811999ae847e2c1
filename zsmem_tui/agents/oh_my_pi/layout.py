"""oh-my-pi's store: one folder of lessons, and of what it makes of them, for each folder worked in."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.oh_my_pi import files, prompt
from zsmem_tui.agents.oh_my_pi.checks import LessonChecks
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder, Listing
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.tree import Tree, read_if_there


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


class OhMyPiLayout(AgentLayout):
    """`learned.md` for each folder worked in; all else there is made by the agent."""

    kind = "oh-my-pi"
    title = "oh-my-pi"
    orders = ("AGENTS.md",)
    prompts_of = ("folder",)
    programs = files.PROGRAMS
    checks = LessonChecks()

    def groups(self, folders: Listing) -> list[str]:
        """`folder:NAME`, with the name as oh-my-pi encodes it."""
        return [f"folder:{name}" for name in folders("") if name.startswith("--") and name.endswith("--")]

    def home_of(self, group: str) -> str:
        """The folder of that name."""
        kind, _, name = group.partition(":")
        return name if kind == "folder" and name.startswith("--") and name.endswith("--") else ""

    def group_named_after(self, folder: str) -> str:
        """The folder whose name is the path, with `-` for what parts it: other folders may share it."""
        return f"folder:{files.encoded(folder)}"

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with all below it."""
        home = self.home_of(project)
        return (Folder(home, project, place=_ref, deep=True, endings=(EXTENSION,)),) if home else ()

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes."""
        return files.new_path(role, group)

    def is_lock(self, name: str) -> bool:
        """`*.lock`."""
        return files.is_lock(name)

    def part(self, role: Role | None) -> str:
        """What the share of files of this role is called."""
        return {Role.FACTS: "lessons", Role.DERIVED: "summary"}.get(role, "other") if role else "other"

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The summary and the lessons of the folder."""
        home = self.home_of(moment.project)
        if not home:
            return no_prompt("oh-my-pi remembers by the folder worked in, and none is chosen.")
        paths = (f"{home}/{files.SUMMARY}", f"{home}/{files.LEARNED}")
        summary, learned = (decode(read_if_there(tree, path) or b"").removeprefix("\ufeff") for path in paths)
        return prompt.prompt(summary, learned, paths=paths)


LAYOUT: Final = OhMyPiLayout
