"""Ethos' store: personalities, users and teams, each with a flat folder of keys."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.ethos import files, prompt, scopes, writes
from zsmem_tui.agents.ethos.checks import SectionChecks
from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.places import Place, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.context import Moment
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.layout import Folder, Listing
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree


def _ref(path: str) -> MemRef | None:
    return ref_of(path, files.place(path))


class EthosLayout(AgentLayout):
    """`MEMORY.md` and `USER.md` of a personality, with other keys beside them; `USER.md` of a user; keys of a team."""

    kind = "ethos"
    title = "Ethos"
    has_others = True
    prompts_of = ("personality",)
    programs = files.PROGRAMS
    checks = SectionChecks()

    def groups(self, folders: Listing) -> list[str]:
        """`personality:ID`, then `user:ID` and `team:ID`; folders that Ethos would not name so are none."""
        kinds = (("personality", files.PERSONALITIES), ("user", files.USERS), ("team", files.TEAMS))
        return [f"{kind}:{name}" for kind, home in kinds for name in folders(home) if files.is_id(name)]

    def home_of(self, group: str) -> str:
        """The folder of a scope."""
        kind, _, name = group.partition(":")
        if kind == "team" and files.is_id(name):
            return f"{files.TEAMS}/{name}/memory"
        return files.scope_folder(group) if kind in ("personality", "user") and files.is_id(name) else ""

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The one folder of a scope."""
        home = self.home_of(project)
        return (Folder(home, project, first=files.MEMORY, place=_ref, endings=(EXTENSION,)),) if home else ()

    def place(self, path: str) -> Place | None:
        """What a file is."""
        return files.place(path)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes."""
        return files.new_path(role, group, name)

    def is_lock(self, name: str) -> bool:
        """`*.lock`, and a history that is being rotated."""
        return files.is_lock(name)

    def finds(self, text: str, query: str) -> bool:
        """Only the whole query, whatever the case."""
        return prompt.matches(text, query)

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Nothing that Ethos encrypts is written, and no name that it refuses."""
        super().check(tree, path, before, after)
        if scopes.is_encrypting(tree) or writes.is_encrypted(before or b""):
            raise RuleBroken("encrypted", "Ethos encrypts this store, and plain text is not put there. Nothing was written.")
        key = path.rpartition("/")[2]
        if before is None and not files.is_key(key):
            raise RuleBroken(
                "key",
                f"Ethos does not take the file name {printable_path(key)!r}. Nothing was written.",
                "It may have ASCII letters, digits, - _ and ., no dot in front and no two dots together.",
            )
        if after is not None and decode(after).encode() != after:
            raise RuleBroken("utf8", f"{printable_path(path)}: Ethos reads UTF-8 only. Nothing was written.")

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The prompt of a personality, before the person has said anything; users and teams have none of their own."""
        if self.has_prompt(moment.project):
            return scopes.prompt_of(tree, moment.project.partition(":")[2], self.where.user)
        return no_prompt("Ethos makes a prompt for a personality: users and teams have none of their own.")


LAYOUT: Final = EthosLayout
