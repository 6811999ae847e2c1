"""The base class of the layouts of all agents except zerostack: they place files one by one and compose their prompt."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

from zsmem_tui.agents.places import Place, Where, ref_of
from zsmem_tui.core.errors import DERIVED, RuleBroken, StoreError
from zsmem_tui.core.json_value import nested
from zsmem_tui.core.layout import Disk, Layout
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree, read_if_there

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents import prompt_parts
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.agents.yaml import reading
    from zsmem_tui.agents.yaml.reading import Value
    from zsmem_tui.core.context import Block, Moment, Reader
else:  # loaded with the first prompt
    js, prompt_parts = late_modules("zsmem_tui.agents", "javascript prompt_parts")
    (reading,) = late_modules("zsmem_tui.agents.yaml", "reading")


class AgentLayout(Layout):
    """Defaults for a kind of store. A subclass places files, names folders and composes the prompt."""

    orders: tuple[str, ...] = ()
    """The agent's instruction files in a folder, to which facts can be added."""
    prompts_of: tuple[str, ...] | None = None
    """The kinds of groups that have a prompt; None: there is one for any group."""
    is_lock: Callable[[str], bool] | None = None
    """Whether a file of that name is a lock of the agent; None: it has no lock files."""

    def __init__(self, where: Where) -> None:
        self.where = where

    @abstractmethod
    def place(self, path: str) -> Place | None:
        """The place of a file; None if it is no memory."""

    def ref_at(self, path: str) -> MemRef | None:
        """The memory file at a path."""
        return ref_of(path, self.place(path))

    def log_at(self, path: str) -> MemRef | None:
        """The log at a path; None if there is none, or another file."""
        found = self.ref_at(path)
        return found if found is not None and found.role is Role.LOG else None

    def other_at(self, path: str) -> MemRef | None:
        """The memory file at a path that is no log."""
        found = self.ref_at(path)
        return found if found is not None and found.role is not Role.LOG else None

    @abstractmethod
    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """The path for a file of a role; None if this kind has no such file."""

    @abstractmethod
    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """Compose the prompt."""

    def has_prompt(self, group: str) -> bool:
        """Whether the group's kind has a prompt, and its name is valid."""
        own = self.prompts_of
        return own is None or (group.partition(":")[0] in own and bool(self.home_of(group)))

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """The files in `orders`."""
        return self.orders

    def lock_folders(self, path: str) -> list[str]:
        """The folders of lock files for a memory file: its own."""
        return [path.rpartition("/")[0]]

    def group_of(self, path: str) -> str:
        """The group of the file at a path."""
        found = self.ref_at(path)
        return found.project if found is not None else ""

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """The file for a role."""
        path = self.new_path(role, project, name)
        return self.ref_at(path) if path is not None else None

    def locks(self, tree: Tree, path: str) -> list[str]:
        """The lock files next to a file."""
        if self.is_lock is None:
            return []  # listing a large folder takes as long as writing a file
        found = [(folder, entry.name) for folder in self.lock_folders(path) for entry in tree.entries(folder, self.is_lock)]
        return [f"{folder}/{name}" if folder else name for folder, name in found]

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Refuse writing files that the agent generates."""
        place = self.place(path)
        if place is not None and place.role is Role.DERIVED:
            raise RuleBroken(
                DERIVED,
                f"{printable_path(path)} is not edited here: {place.reason}. Nothing was written.",
                "Copy it to edit the copy.",
            )

    def as_of(self, now: Callable[[], datetime]) -> AgentLayout:
        """A copy with another clock."""
        other = copy(self)
        other.where = self.where._replace(now=now)
        return other

    def block(self, reader: Reader, moment: Moment) -> Block:
        """The prompt line by line."""
        tree = reader.tree()
        prompt = self.prompt(tree, moment)
        paths = dict.fromkeys([*(each.path for each in prompt.sections if each.path), *(each.path for each in prompt.lost)])
        return prompt_parts.block_of(prompt, {path: js.decode(read_if_there(tree, path) or b"") for path in paths})


def no_prompt(rule: str) -> AgentPrompt:
    """An empty prompt, with a sentence `rule` that says why."""
    return prompt_parts.AgentPrompt(None, rule=rule)


def settings(tree: Tree, files: Sequence[str]) -> Mapping[str, Value] | None:
    """The first existing of these YAML files; None if there is none, or it is no map or cannot be read."""
    try:
        raw = next((raw for file in files if (raw := read_if_there(tree, file)) is not None), b"")
    except StoreError:
        return None
    return reading.head_map(js.decode(raw)) if raw else None


def size_at(found: Mapping[str, Value] | None, *keys: str) -> int | None:
    """The value at these nested keys of settings, if it is a number of something that can be printed; else None."""
    value = nested(found, *keys)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= sys.maxsize else None
