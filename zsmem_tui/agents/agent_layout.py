"""What the layouts of all agents but zerostack share: they place files one by one and compose prompts of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.places import Place, Where, ref_of
from zsmem_tui.agents.prompt_parts import AgentPrompt, block_of
from zsmem_tui.core.carried import NO_DRESS, Dress
from zsmem_tui.core.checks.by_kind import NO_CHECKS, Checks
from zsmem_tui.core.context import Block, Moment, Reader
from zsmem_tui.core.errors import DERIVED, RuleBroken
from zsmem_tui.core.layout import Disk, Folder, Listing
from zsmem_tui.core.listed import NO_LISTS, Lists
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree, read_if_there


class AgentLayout(ABC):
    """Everything a kind need not say itself. It has to place its files, name its folders and compose its prompt."""

    kind = ""
    title = ""
    """The agent's name as people write it."""
    context_files: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    """The instruction files of a folder that the agent reads, and that facts can be added to."""
    lists: Lists = NO_LISTS
    checks: Checks = NO_CHECKS
    dress: Dress = NO_DRESS
    prompts_of: tuple[str, ...] | None = None
    """The kinds of groups that have a prompt; None: there is one, whatever the group."""
    projects_folder = ""
    programs: tuple[str, ...] = ()
    block_end = ""
    has_profiles = False
    has_others = False

    def __init__(self, where: Where) -> None:
        self.where = where

    @abstractmethod
    def place(self, path: str) -> Place | None:
        """What a file is; None for what is no memory."""

    @abstractmethod
    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes; None when this kind has no such file."""

    @abstractmethod
    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """What goes into the prompt."""

    def groups(self, folders: Listing) -> list[str]:
        """None."""
        return []

    def home_of(self, group: str) -> str:
        """None."""
        return ""

    def group_named_after(self, folder: str) -> str:
        """None."""
        return ""

    def has_prompt(self, group: str) -> bool:
        """Whether it is of a kind that has, and is named as those are."""
        own = self.prompts_of
        return own is None or (group.partition(":")[0] in own and bool(self.home_of(group)))

    def finds(self, text: str, query: str) -> bool:
        """Any word is enough."""
        return True

    def global_folders(self) -> tuple[Folder, ...]:
        """None: every file belongs to a group."""
        return ()

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """None: every file belongs to everybody."""
        return ()

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """None is."""
        return {}

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """None."""
        return ()

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """Those that it names."""
        return self.orders

    def is_lock(self, name: str) -> bool:
        """Whether a file of that name says that the agent is at work."""
        return False

    def lock_folders(self, path: str) -> list[str]:
        """Where the lock files for a memory file lie: beside it."""
        return [path.rpartition("/")[0]]

    def group_of(self, path: str) -> str:
        """The group that the file at a path belongs to."""
        found = ref_of(path, self.place(path))
        return found.project if found is not None else ""

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """Where a file of a role goes."""
        path = self.new_path(role, project, name)
        return ref_of(path, self.place(path)) if path is not None else None

    def archive(self, project: str) -> str | None:
        """There is no place for finished items."""
        return None

    def label(self, role: Role) -> str:
        """What a file of this role is called: its role."""
        return role.value

    def part(self, role: Role | None) -> str:
        """Its role."""
        return role.value if role else "other"

    def inject_limit(self, role: Role) -> int | None:
        """No file is left out for its size alone."""
        return None

    def locks(self, tree: Tree, path: str) -> list[str]:
        """The lock files beside a file."""
        found = [(folder, entry.name) for folder in self.lock_folders(path) for entry in tree.entries(folder, self.is_lock)]
        return [f"{folder}/{name}" if folder else name for folder, name in found]

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """What the agent makes itself is not written here."""
        place = self.place(path)
        if place is not None and place.role is Role.DERIVED:
            raise RuleBroken(
                DERIVED,
                f"{printable_path(path)} is not edited here: {place.reason}. Nothing was written.",
                "Copy it to edit the copy.",
            )

    def block(self, reader: Reader, moment: Moment) -> Block:
        """What goes into the prompt, line by line."""
        tree = reader.tree()
        prompt = self.prompt(tree, moment)
        paths = dict.fromkeys([*(each.path for each in prompt.sections if each.path), *(each.path for each in prompt.lost)])
        return block_of(prompt, {path: js.decode(read_if_there(tree, path) or b"") for path in paths})


def no_prompt(rule: str) -> AgentPrompt:
    """Nothing goes into a prompt by itself, for the reason that `rule` says in a sentence."""
    return AgentPrompt(None, rule=rule)
