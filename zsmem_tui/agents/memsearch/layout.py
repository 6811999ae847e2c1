"""memsearch's store: the journals of one project, and how its plugins see them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent import Write
from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.memsearch import files
from zsmem_tui.agents.places import ENDINGS
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree

if TYPE_CHECKING:
    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents.memsearch import prompt
    from zsmem_tui.agents.memsearch.prompt import Day
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.context import Moment
else:  # loaded with the first prompt
    (js,) = late_modules("zsmem_tui.agents", "javascript")
    (prompt,) = late_modules("zsmem_tui.agents.memsearch", "prompt")

_NO_ENV: Final[Mapping[str, str]] = MappingProxyType({})


class MemsearchMemory:
    """The journals in `root`."""

    def __init__(self, tree: Tree, root: str) -> None:
        self._tree = tree
        self.root = root

    def session_start(self, working: str = "", env: Mapping[str, str] = _NO_ENV) -> AgentPrompt:
        """What Claude Code gets at the start of a session, for these journals or those of a `working` folder and environment."""
        if env.get(files.DISABLE) == "1":
            return prompt.session_start([])
        folder = files.memory_folder(self._tree, working, env) if working else self.root
        names = prompt.session_days(self._tree.entries(folder, is_log_name))
        return prompt.session_start([self._day(folder, name) for name in names])

    def opencode_recent(self) -> AgentPrompt:
        """What OpenCode gets."""
        entries = self._tree.entries(self.root, is_log_name)
        days = [self._day(self.root, name) for name in prompt.recent_days(entries)]
        return prompt.opencode_recent(days, sum(is_log_name(each.name) for each in entries))

    def scan(self, paths: Sequence[str] = (), *, exclude: Sequence[str] = (), ignore_files: Sequence[str] = ()) -> list[str]:
        """The files that memsearch would index, in the journals or these paths. Raises `ValueError` or `FileNotFoundError`."""
        return files.scan(self._tree, [posixpath.normpath(path) for path in paths] or [self.root], exclude, ignore_files)

    def _day(self, folder: str, name: str) -> Day:
        try:
            return prompt.Day(name, js.decode(self._tree.read(f"{folder}/{name}")))
        except StoreError:
            return prompt.Day(name, None)


class MemsearchLayout(AgentLayout):
    """One file per day at the top, and other Markdown at any depth."""

    kind = "memsearch"
    title = "memsearch"
    programs = files.PROGRAMS

    def global_folders(self) -> tuple[Folder, ...]:
        """The days, then other indexed files."""
        return (
            Folder("", role=Role.LOG, dated=True, place=self.log_at, endings=ENDINGS),
            Folder("", place=self.other_at, deep=True, endings=ENDINGS),
        )

    place = staticmethod(files.place)
    new_path = staticmethod(files.new_path)

    is_lock = staticmethod(files.is_lock)

    def lock_folders(self, path: str) -> list[str]:
        """The journals' folder and its parent."""
        return ["", ".."]

    def part(self, role: Role | None) -> str:
        """The label of the prompt's share of files of this role."""
        return "days" if role is Role.LOG else super().part(role)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """What Claude Code gets at the start of a session."""
        why = files.not_shown(self.where.env, self.where.folder, self.where.root)
        return no_prompt(why) if why else MemsearchMemory(tree, ".").session_start()


def memory(tree: Tree, root: str, folder: str, write: Write) -> MemsearchMemory:
    """The journals, for programs."""
    return MemsearchMemory(tree, root)


LAYOUT: Final = MemsearchLayout
