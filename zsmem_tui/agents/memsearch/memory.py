"""memsearch's journals as its plugins see them, asked of a tree."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.memsearch import files, prompt
from zsmem_tui.agents.memsearch.prompt import Day
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.tree import Tree

_NO_ENV: Final[Mapping[str, str]] = MappingProxyType({})


class MemsearchMemory:
    """The journals in `root`."""

    def __init__(self, tree: Tree, root: str) -> None:
        self._tree = tree
        self.root = root

    def session_start(self, working: str = "", env: Mapping[str, str] = _NO_ENV) -> AgentPrompt:
        """What Claude Code is told when a session starts, for these journals or those of a `working` folder and environment."""
        if env.get("MEMSEARCH_DISABLE") == "1":
            return prompt.session_start([])
        folder = files.memory_folder(self._tree, working, env) if working else self.root
        names = prompt.session_days(self._tree.entries(folder, files.is_day))
        return prompt.session_start([self._day(folder, name) for name in names])

    def opencode_recent(self) -> AgentPrompt:
        """What OpenCode is told."""
        entries = self._tree.entries(self.root, files.is_day)
        days = [self._day(self.root, name) for name in prompt.recent_days(entries)]
        return prompt.opencode_recent(days, sum(files.is_day(each.name) for each in entries))

    def scan(self, paths: Sequence[str] = (), *, exclude: Sequence[str] = (), ignore_files: Sequence[str] = ()) -> list[str]:
        """The files that memsearch would index, of the journals or of these paths. Raises `ValueError` or `FileNotFoundError`."""
        return files.scan(self._tree, [posixpath.normpath(path) for path in paths] or [self.root], exclude, ignore_files)

    def _day(self, folder: str, name: str) -> Day:
        try:
            return Day(name, decode(self._tree.read(f"{folder}/{name}")))
        except StoreError:
            return Day(name, None)
