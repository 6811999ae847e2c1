"""oh-my-pi's memory of one folder as the agent sees it, asked of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.oh_my_pi import files, prompt, writes
from zsmem_tui.agents.oh_my_pi.writes import Lesson
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.tree import Tree, read_if_there

Write = Callable[[str, Callable[[bytes | None], bytes | None]], None]
"""Makes the file at a path what a function makes of its bytes, on the one write path."""


class OhMyPiMemory:
    """What is remembered of `folder` below `root`, the folder of all memories."""

    def __init__(self, tree: Tree, root: str, folder: str, write: Write, *, platform: str = "posix") -> None:
        self._tree = tree
        self._write = write
        self.group_folder = files.encoded(folder, platform)
        """The name of the folder's memory; other folders may share it."""
        self._home = f"{root}/{self.group_folder}"

    def prompt(self, *, limit: int = prompt.LIMIT, backend: str = "local") -> AgentPrompt:
        """What goes into the prompt; nothing while oh-my-pi's memory backend is another one. Raises `Unreadable`."""
        if backend != "local":
            return AgentPrompt(None)
        return prompt.prompt(self._text(files.SUMMARY), self._text(files.LEARNED), limit=limit)

    def learn(self, lessons: Iterable[Lesson]) -> list[int]:
        """Write lessons as the agent's tool does, one after the other: for each, how many were stored.

        Raises `OutsideStore` or `WriteFailed`.
        """
        stored: list[int] = []
        for lesson in lessons:
            count = int(bool(writes.line_of(lesson)))
            if count:
                path = f"{self.group_folder}/{files.LEARNED}"
                self._write(path, partial(writes.learned, lesson=lesson))
            stored.append(count)
        return stored

    def _text(self, name: str) -> str:
        return decode(read_if_there(self._tree, f"{self._home}/{name}") or b"").removeprefix("\ufeff")
