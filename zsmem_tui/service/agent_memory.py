"""The memory of any agent by its kind, as that agent sees it."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, overload

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.agents.places import Machine, Where
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import searching
from zsmem_tui.service.providers import EthosMemory
from zsmem_tui.service.session import Session, local_clock
from zsmem_tui.service.stores import kind_of, open_store, refuse_locked
from zsmem_tui.service.which_store import open_here
from zsmem_tui.store import writing
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history.journal import own_recorder
from zsmem_tui.store.history.library_use import take_if_many


class StoreMemory:
    """The memory of one group of the store named `store` (`KIND:ROOT`), for an agent that works in `folder`.

    Keys are paths relative to the store's root. Files are read on demand; errors raise `MemError`. Attributes of `own`, the agent's
    own functions, are available here too.
    """

    def __init__(self, store: str, folder: str, group: str = "", user: str = "", own: object = None) -> None:
        self._named = (store, folder, group, user)
        self._opened: Session | None = None
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__.get("_own"), name)  # a copy is asked before it has anything

    @property
    def session(self) -> Session:
        """The session on the store, with its group. Raises `BadTarget` for an unknown group."""
        if self._opened is None:
            store, folder, group, user = self._named
            self._opened = open_store(Config(), store, group=group, cwd=folder, user=user)
        return self._opened

    @property
    def _stores(self) -> tuple[Session, ...]:
        """The store, and those that its agent reads together with it."""
        return (self.session, *self.session.beside)

    def list(self) -> builtins.list[str]:
        """The keys of the files that the agent lists."""
        return [os.path.relpath(path, printable_path(each.root)) for each in self._stores for path in each.mem().list()]

    def read(self, key: str) -> str | None:
        """The text of a memory file; None if there is none with that key, or it is not valid UTF-8."""
        ref = find_ref(self.session.layout, key)
        found = (files.text_or_none(each.path(ref)) for each in self._stores) if ref is not None else iter(())
        return next((text for text in found if text is not None), None)

    def search(self, query: str, limit: int | None = None) -> builtins.list[str]:
        """The keys of the files that the agent's search finds, in the order of the specification, section 6."""
        found = searching.search(searching.Query(query, tuple(map(searching.Sought, self._stores))))
        return [hit.ref.path for hit in found.ranked[:limit]]

    def context_block(self, at: datetime | None = None) -> str | None:
        """The text for the prompt, now or at a past moment as in `Mem.context_block`; None if there is none."""
        return self.session.mem().context_block(at)


AgentMemory = EthosMemory | StoreMemory
"""The result of `agent_memory`, by kind."""

_Path = str | os.PathLike[str] | None


def agent_root(kind: str, *, env: Mapping[str, str], home: str, folder: str) -> str:
    """The root of a kind's memory in the given environment, for an agent that works in `folder`. Raises `BadTarget`."""
    roots = kind_of(kind).roots(Machine(env, home, folder, os.path.exists))
    if not roots:
        raise BadTarget(f"{kind} has no folder of its own: name one.")
    return roots[0]


def agent_group(kind: str, folder: str, *, platform: str = "posix") -> str:
    """The group for a folder's memory in a kind of store; folders may share one. Raises `BadTarget` if it has none."""
    found = kind_of(kind).folder_name(folder, platform)
    if not found:
        raise BadTarget(f"{kind} does not name its memory after the folder alone: `agent_memory` opens it. Nothing was done.")
    return found


@overload
def agent_memory(
    kind: Literal["ethos"], root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> EthosMemory: ...
@overload
def agent_memory(
    kind: str = "", root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> Any: ...
def agent_memory(
    kind: str = "",
    root: _Path = None,
    *,
    folder: _Path = None,
    group: str | None = None,
    user: str | None = None,
) -> AgentMemory:
    """The memory of the agent `kind` in `root` (default: the agent's place) for work in `folder` (default: the current one).

    Without a kind, that with memory of the folder is taken; zerostack's if several have. `group` is a personality of Ethos
    (`personality:engineer` or just the id), `user` the user it talks to. Nothing is read yet.

    Each has `list`, `read`, `search` and `context_block`; those of Ethos, opencode, memsearch and oh-my-pi have functions of their
    own too. Raises `BadTarget` for an unknown kind, or for Ethos without a personality.
    """
    working = locate.absolute(os.fspath(folder)) if folder is not None else locate.working_folder()
    if not kind:
        kind = open_here(Config(), cwd=working, needs_group=False).layout.kind
    place = locate.absolute(os.fspath(root)) if root is not None else ""
    if root is None and kind != DEFAULT.kind:
        place = agent_root(kind, env=locate.environment(), home=locate.home_folder(), folder=working)
    if kind == EthosMemory.kind:
        if not group:
            raise BadTarget("Ethos' memory belongs to a personality: name one as the group.")
        return EthosMemory(place, group.removeprefix("personality:"), user)
    store = kind if root is None else f"{kind}:{place}"
    if kind == DEFAULT.kind:
        return StoreMemory(store, working, group or "", user or "")
    own = kind_of(kind).memory(DiskTree(place), place, working, _writer(place, kind))
    return StoreMemory(store, working, group or "", user or "", own)


def _writer(root: str, kind: str) -> Callable[[str, Callable[[bytes | None], bytes | None]], None]:
    """A function that writes one file below `root`, unless the agent holds a lock on it."""
    layout = kind_of(kind).layout(Where(root, "", locate.home_folder(), "", local_clock))

    def write(path: str, change: Callable[[bytes | None], bytes | None]) -> None:
        refuse_locked(root, layout, path)
        recorder = own_recorder(root, path)
        writing.update(root, path, change, recorder=recorder, confirm=True)
        take_if_many(root, recorder)

    return write
