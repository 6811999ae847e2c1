"""The memory of any agent by its kind, as that agent sees it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Mapping
from typing import Final, Literal, overload

from zsmem_tui.agents.ethos import files as ethos
from zsmem_tui.agents.memsearch import files as memsearch
from zsmem_tui.agents.memsearch.memory import MemsearchMemory
from zsmem_tui.agents.oh_my_pi import files as oh_my_pi
from zsmem_tui.agents.oh_my_pi.memory import OhMyPiMemory
from zsmem_tui.agents.opencode import files as opencode
from zsmem_tui.agents.opencode.memory import OpencodeMemory
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.service.ethos_memory import EthosMemory
from zsmem_tui.store.disk.agent_locks import refuse_held
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history.journal import own_recorder
from zsmem_tui.store.history.library_use import take_if_many
from zsmem_tui.store.write_path import confirming

AgentMemory = EthosMemory | MemsearchMemory | OhMyPiMemory | OpencodeMemory
"""What `agent_memory` gives, by kind."""

_Path = str | os.PathLike[str] | None

Root = Callable[[Mapping[str, str], str, str], str]
"""From environment, home and the folder worked in to where a kind's memory lies."""

_ROOTS: Final[dict[str, Root]] = {
    "ethos": lambda env, home, folder: ethos.root(env, home),
    "memsearch": lambda env, home, folder: posixpath.join(folder, memsearch.FOLDER, memsearch.MEMORY),
    "oh-my-pi": lambda env, home, folder: oh_my_pi.root(env, home, folder, os.path.exists),
    "opencode": lambda env, home, folder: posixpath.join(home, opencode.GLOBAL_FOLDER),
}
"""Every kind with where it keeps its memory when nobody says otherwise."""


def agent_root(kind: str, *, env: Mapping[str, str], home: str, folder: str) -> str:
    """Where a kind's memory lies, by the environment given, for an agent that works in `folder`. Raises `BadTarget`."""
    return _root_of(kind)(env, home, folder)


def agent_group(kind: str, folder: str, *, platform: str = "posix") -> str:
    """What a kind calls the memory of a folder; other folders may share it. Raises `BadTarget` for one that has no such names."""
    if kind != "oh-my-pi":
        raise BadTarget(f"{kind} does not name its memory after folders.")
    return oh_my_pi.encoded(folder, platform)


@overload
def agent_memory(
    kind: Literal["ethos"], root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> EthosMemory: ...
@overload
def agent_memory(
    kind: Literal["memsearch"], root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> MemsearchMemory: ...
@overload
def agent_memory(
    kind: Literal["oh-my-pi"], root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> OhMyPiMemory: ...
@overload
def agent_memory(
    kind: Literal["opencode"], root: _Path = None, *, folder: _Path = None, group: str | None = None, user: str | None = None
) -> OpencodeMemory: ...
def agent_memory(
    kind: str,
    root: _Path = None,
    *,
    folder: _Path = None,
    group: str | None = None,
    user: str | None = None,
) -> AgentMemory:
    """The memory of the agent `kind`, in `root` (default: where the agent keeps it) for one who works in `folder` (default: here).

    `group` is a personality of Ethos (`personality:engineer`, or just the id), `user` the user it talks to. Nothing is read yet.
    Raises `BadTarget` for a kind there is not, or where Ethos is asked for without a personality.
    """
    working = locate.expanded(os.fspath(folder)) if folder is not None else locate.working_folder()
    place = (
        locate.expanded(os.fspath(root))
        if root is not None
        else _root_of(kind)(locate.environment(), locate.home_folder(), working)
    )
    tree = DiskTree(place)
    match kind:
        case "ethos":
            if not group:
                raise BadTarget("Ethos' memory belongs to a personality: name one as the group.")
            return EthosMemory(place, group.removeprefix("personality:"), user)
        case "opencode":
            return OpencodeMemory(tree, place, working)
        case "memsearch":
            return MemsearchMemory(tree, place)
        case _:
            return OhMyPiMemory(tree, place, working, _writer(place, kind))


def _root_of(kind: str) -> Root:
    if kind not in _ROOTS:
        raise BadTarget(f"There is no kind of memory {kind!r}.", f"Kinds are {', '.join(_ROOTS)}.")
    return _ROOTS[kind]


def _writer(root: str, kind: str) -> Callable[[str, Callable[[bytes | None], bytes | None]], None]:
    """What writes one file below `root`, unless the agent holds a lock beside it."""

    def write(path: str, change: Callable[[bytes | None], bytes | None]) -> None:
        home = os.path.join(root, os.path.dirname(path))
        locks = [os.path.join(home, each.name) for each in DiskTree(home).entries("") if oh_my_pi.is_lock(each.name)]
        refuse_held(locks, kind, oh_my_pi.PROGRAMS)
        recorder = own_recorder(root, path)
        confirming.write(root, path, change, recorder=recorder)
        take_if_many(root, recorder)

    return write
