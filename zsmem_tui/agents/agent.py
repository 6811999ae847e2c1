"""What there is of an agent: its kind of store, its formats, its client and hooks, told by one description in `<agent>/agent.py`.

A description is loaded whenever a verb asks what agents there are: what it needs for more is imported when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    from zsmem_tui.agents.connection import Client
    from zsmem_tui.agents.format import Format
    from zsmem_tui.agents.hook_shape import HookShape
    from zsmem_tui.agents.places import Machine, Where
    from zsmem_tui.core.layout import Layout
    from zsmem_tui.core.tree import Heads, Tree


Write = Callable[[str, Callable[[bytes | None], bytes | None]], None]
"""Makes the file at a path what a function makes of its bytes, on the one write path."""


class GoesBy(Enum):
    """By which folder an agent tells projects apart, for one who works somewhere in a repository."""

    FOLDER = auto()
    """The one worked in."""
    WORKTREE = auto()
    """The top of the work tree that it is in, where it is in one."""
    REPOSITORY = auto()
    """The top of the repository: its linked work trees share a memory."""


class Sessions(NamedTuple):
    """Files of an agent that say in which folders it worked: where they lie beside a store, and how their names end."""

    folders: Callable[[str, Mapping[str, str], str], list[str]]
    ending: str
    working_folders: Callable[[Iterable[bytes]], list[str]]
    """The folders that one of them names, from its bytes one piece after another."""


class Agent:
    """One agent, or another shape of memory. A package of this room has one, called `AGENT`, and a line in `registry`.

    One with stores of its own says `has_stores`, one of which memory is brought in and taken out `has_format`, one that can be
    connected `has_client`: then its package has the module for it. All else has an answer here.
    """

    name = ""
    """What it is called on the command line, in settings and in JSON."""
    title = ""
    """Its name as people write it."""
    format_name = ""
    """What its format is called in records of earlier imports and exports, where that is not its name; may be given for that."""
    has_stores = False
    has_format = False
    has_client = False
    travels = False
    """Whether its memory goes to other machines where nobody says what goes: it is written, and not made anew by the agent."""
    goes_by = GoesBy.FOLDER
    hook: HookShape | None = None
    """What its hooks look like."""
    sessions: Sessions | None = None

    @property
    def recorded_as(self) -> str:
        """What records of imports and exports call its format."""
        return self.format_name or self.name

    def client(self) -> Client:
        """What connects it: `CLIENT` in its `connect.py`."""
        found: Client = self._module("connect").CLIENT
        return found

    def format(self) -> Format:
        """Its memory as it is brought in and taken out: `FORMAT` in its `format.py`."""
        found: Format = self._module("format").FORMAT(self.name, self.title, self.recorded_as)
        return found

    def memory(self, tree: Tree, root: str, folder: str, write: Write) -> object:
        """What a program can ask of its memory beside what it can of any: what `memory` in its `layout.py` gives; None: nothing."""
        made = getattr(self._module("layout"), "memory", None)
        return made(tree, root, folder, write) if made is not None else None

    def folder_name(self, folder: str, platform: str) -> str:
        """What the memory of a folder is called; empty where that is not made of the folder alone."""
        return ""

    def layout(self, where: Where) -> Layout:
        """The shape of a store: `LAYOUT` in its `layout.py`."""
        found: Layout = self._module("layout").LAYOUT(where)
        return found

    def _module(self, name: str) -> ModuleType:
        """A module of its package, loaded when it is first asked for."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")

    def roots(self, on: Machine) -> list[str]:
        """Where it keeps its memory when nobody says otherwise, the one that is meant first."""
        return []

    def group(self, folder: str, heads: Heads) -> str:
        """The group of a folder; empty where there are none of folders."""
        return ""

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """The groups of which the store itself says what folder they are of, with that folder."""
        return []

    def folder_of(self, root: str) -> str:
        """The folder that a whole store at a root is about; empty where it is about more."""
        return ""

    def folder_settings(self, root: str) -> str:
        """The file beside a root in which the agent keeps what is set for single folders; empty where there is none."""
        return ""

    def traces(self, on: Machine) -> Iterable[str]:
        """Paths of which one is there where it has memory for one who works in the folder; what is there need not be memory."""
        return self.roots(on)


def in_folder(root: str, below: str) -> str:
    """The folder that has a store at this place in it; empty for a root that lies elsewhere."""
    return root.removesuffix(f"/{below}") if root.endswith(f"/{below}") else ""
