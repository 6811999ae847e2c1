"""Every agent's memory on this machine as a store: which kinds there are, where they lie, and a session over one of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zsmem_tui.agents.agent_layout import Where
from zsmem_tui.agents.registry import KINDS, AgentKind, Machine
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, ConfigError, MemError
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import instructions, previewing
from zsmem_tui.service.session import EVERYBODY, Session, local_clock
from zsmem_tui.store.disk.agent_locks import refuse_held
from zsmem_tui.store.disk.files import root_problem
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.scan import project_slugs, scan

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store of this machine.

    `groups` are those that have files, `group` is the one of the folder worked in (empty: none of its own); `prompt` is how many
    bytes would be in the prompt here, None where it cannot be told. `problem` says why the store, or its prompt, cannot be read.
    """

    kind: str
    root: str
    groups: tuple[str, ...] = ()
    group: str = ""
    files: int = 0
    bytes: int = 0
    prompt: int | None = None
    problem: str = ""


def kinds() -> tuple[str, ...]:
    """Every kind of store."""
    return (ZEROSTACK.kind, *KINDS)


def open_store(
    config: Config,
    store: str,
    *,
    group: str = "",
    cwd: str = "",
    user: str = "",
    clock: Callable[[], datetime] = local_clock,
) -> Session:
    """A session over the store that `KIND` or `KIND:ROOT` names, for an agent that works in `cwd` (default: here).

    The kind `instructions` is the instruction files of a folder (default: `cwd`). `group` is one of its groups, or what such a name
    has behind its colon where that is enough; by default the group of the folder.
    Raises `BadTarget` for a kind or group that there is not, `ConfigError` where no root can be told.
    """
    kind, _, root = store.partition(":")
    if kind == ZEROSTACK.kind:
        session = Session.open(config, root=root or None, project=group or None, cwd=cwd or None, clock=clock)
        session.store = f"{kind}:{session.root}"
        return session
    folder = locate.expanded(cwd) if cwd else locate.working_folder()
    if kind == instructions.KIND:
        return instructions.open_folder(config, locate.expanded(root) if root else folder, clock=clock)
    agent = kind_of(kind)
    place = os.path.abspath(locate.expanded(root)) if root else _default_root(kind, agent, folder)
    layout = agent.layout(Where(place, folder, locate.home_folder(), user, clock))
    session = Session(place, EVERYBODY, config=config, clock=clock, layout=layout, folder=folder, guard=_guard(place, layout))
    session.project = _group(session, agent, group)
    session.store = f"{kind}:{place}"
    return session


def kind_of(name: str) -> AgentKind:
    """The kind of that name. Raises `BadTarget`."""
    if name not in KINDS:
        raise BadTarget(f"There is no kind of store {name!r}. Nothing was done.", f"Kinds are {', '.join(kinds())}.")
    return KINDS[name]


def sessions(config: Config, *, cwd: str = "", clock: Callable[[], datetime] = local_clock) -> list[Session]:
    """A session over each store that is on this machine, for the folder worked in: zerostack's, then the others."""
    found = [Session.open(config, cwd=cwd or None, clock=clock)]
    folder = locate.expanded(cwd) if cwd else locate.working_folder()
    for agent in KINDS.values():
        for root in dict.fromkeys(agent.roots(_machine(folder))):
            if os.path.lexists(root):
                layout = agent.layout(Where(root, folder, locate.home_folder(), "", clock))
                made = Session(
                    root, EVERYBODY, config=config, clock=clock, layout=layout, folder=folder, guard=_guard(root, layout)
                )
                made.project = _own_group(made, agent)
                found.append(made)
    for each in found:
        each.store = f"{each.layout.kind}:{each.root}"
    return [each for each in found if os.path.lexists(each.root)]


def lines(every: list[Session]) -> list[StoreLine]:
    """What each store holds."""
    return [_line(session) for session in every]


def group_of(session: Session) -> str | None:
    """The session's group as it is printed; None where the store has no groups."""
    return None if session.project == EVERYBODY else printable_path(session.project)


def _line(session: Session) -> StoreLine:
    kind = session.layout.kind
    problem = root_problem(session.root)
    if problem:
        return StoreLine(kind, session.root, problem=problem)
    catalog = scan(session.root, session.layout)
    entries = [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
    size, group = sum(entry.size for entry in entries), group_of(session) or ""
    groups = tuple(project.slug for project in catalog.projects if project.files)
    try:
        prompt: int | None = previewing.preview(session).size
        if not group and groups:
            prompt, problem = None, f"Its prompt depends on the group: name one of {counted(len(groups), 'group')} with --group."
    except MemError as error:
        prompt, problem = None, error.message
    return StoreLine(kind, session.root, groups, group, len(entries), size, prompt, problem)


def _guard(root: str, layout: Layout) -> Callable[[str, bytes | None, bytes | None], None]:
    """What a write into such a store is checked against: the agent's rules, and its locks."""
    tree = DiskTree(root)

    def guard(path: str, before: bytes | None, after: bytes | None) -> None:
        layout.check(tree, path, before, after)
        locks = [os.path.normpath(os.path.join(root, lock)) for lock in layout.locks(tree, path)]
        refuse_held(locks, layout.kind, layout.programs)

    return guard


def _machine(folder: str) -> Machine:
    return Machine(locate.environment(), locate.home_folder(), folder, os.path.exists)


def _default_root(kind: str, agent: AgentKind, folder: str) -> str:
    roots = agent.roots(_machine(folder))
    if not roots:
        raise ConfigError(f"{kind} has no folder of its own: name one as {kind}:ROOT. Nothing was done.")
    return roots[0]


def _own_group(session: Session, agent: AgentKind) -> str:
    own = agent.group(session.folder)
    return own or EVERYBODY


def _group(session: Session, agent: AgentKind, name: str) -> str:
    """The group that a name means. Raises `BadTarget`."""
    layout = session.layout
    there = project_slugs(session.root, layout)
    if not name:
        own = agent.group(session.folder)
        if own or not there or layout.global_folders():
            return own or EVERYBODY
        if len(there) == 1:
            return there[0]
        raise BadTarget(f"{layout.kind} keeps its memory by group: name one with --group. Nothing was done.", _choices(there))
    ending = [group for group in there if group.partition(":")[2] == name]
    if name in there or layout.project_folders(name) or (name == EVERYBODY and layout.global_folders()):
        return name
    if len(ending) == 1:
        return ending[0]
    problem = f"{layout.kind} has no groups" if not there and layout.global_folders() else f"{layout.kind} has no group {name!r}"
    raise BadTarget(f"{problem}. Nothing was done.", _choices(there))


def _choices(groups: list[str]) -> str:
    return f"Groups are {', '.join(map(printable_path, groups))}." if groups else ""
