"""The stores on this machine: which kinds there are, where they are, and how to open a session on one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from zsmem_tui.agents import registry
from zsmem_tui.agents.agent import Agent, GoesBy
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.agents.places import Machine, Where
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, ConfigError, MemError
from zsmem_tui.core.layout import Layout, find_ref, only_instructions
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.names import project_name
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.named_project import may_be
from zsmem_tui.service.searching import Scope, Sought
from zsmem_tui.service.session import EVERYBODY, Session, local_clock
from zsmem_tui.store.disk import state
from zsmem_tui.store.disk.files import root_problem
from zsmem_tui.store.disk.listing import DiskHeads
from zsmem_tui.store.disk.repositories import main_folder
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.scan import project_slugs, scan

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.service import instructions, previewing
    from zsmem_tui.store.disk import agent_locks
else:  # loaded with the first folder of instructions, prompt or write: a start waits for what finds the stores
    instructions, previewing = late_modules("zsmem_tui.service", "instructions previewing")
    (agent_locks,) = late_modules("zsmem_tui.store.disk", "agent_locks")


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store of this machine.

    `groups` have files; `group` is that of the current folder (empty: none). `prompt` is the size in bytes of the prompt here, None
    if unknown. `problem` says why the store or its prompt cannot be read.
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
    """The names of all kinds of stores."""
    return (DEFAULT.kind, *registry.kinds())


def open_store(
    config: Config,
    store: str,
    *,
    group: str = "",
    cwd: str = "",
    user: str = "",
    needs_group: bool = True,
    clock: Callable[[], datetime] = local_clock,
) -> Session:
    """Open the store named `KIND` or `KIND:ROOT`, for an agent that works in `cwd` (default: the current folder).

    The kind `instructions` is the instruction files of a folder (default: `cwd`). `group` is a group's name, or the part after its
    colon if that is unique; default: the folder's group, or everybody's if `needs_group` is False.

    The session's folder is that of the group, empty if unknown; for a group that is of no folder, it is `cwd`.

    Raises `BadTarget` for an unknown kind or group, `ConfigError` if there is no root.
    """
    kind, _, root = store.partition(":")
    if kind == DEFAULT.kind:
        session = Session.open(config, root=root or None, project=group or None, cwd=cwd or None, clock=clock)
        session.store = f"{kind}:{session.root}"
        if group and not may_be(session, group):
            raise _unknown(session.layout, group, project_slugs(session.root, session.layout))
        return session
    folder = locate.folder_meant(cwd)
    if registry.kind(kind) is None and kind == instructions.KIND:
        return instructions.open_folder(config, locate.absolute(root) if root else folder, clock=clock)
    agent = kind_of(kind)
    place = locate.absolute(root) if root else _default_root(kind, agent, folder)
    session = _session(config, kind, place, folder, clock, user)
    named = _group(session, agent, group) if group or needs_group else session.project
    if (own := _folder_of(session, agent, named)) != folder:
        session = _session(config, kind, place, own, clock, user)
    session.project = named
    if not root:
        session.beside = beside(session)
    return session


def beside(session: Session) -> tuple[Session, ...]:
    """The other existing stores of the session's kind and folder, which its agent reads together with it."""
    kind = session.layout.kind
    agent = kind_of(kind)
    others = [root for root in _roots(agent, session.folder) if root != session.root and _is_there(root)]
    return tuple(_session(session.config, kind, root, session.folder, session.clock) for root in others)


def kind_of(name: str) -> Agent:
    """The agent of that name. Raises `BadTarget`."""
    found = registry.kind(name)
    if found is None:
        meant = did_you_mean(name, kinds())
        raise BadTarget(f"There is no kind of store {name!r}.{meant} Nothing was done.", f"Kinds are {', '.join(kinds())}.")
    return found


def sessions(
    config: Config,
    *,
    named: Sequence[str] = (),
    root: str = "",
    group: str = "",
    user: str = "",
    cwd: str = "",
    folders: Sequence[str] = (),
    clock: Callable[[], datetime] = local_clock,
    also: Session | None = None,
) -> list[Session]:
    """The stores to open for someone who works in `cwd` (default: the current folder), zerostack's first, then by kind.

    `named` are those asked for, as `KIND` or `KIND:ROOT`; `root` names one of zerostack's instead. Without either, the settings
    decide; without those, every store of this machine is taken. A kind without a root means its stores for this folder and for
    `folders` (`known_folders`). `group` and `user` select the memory within a single store. `also` is an open store that comes
    first.

    No file is read. A store that cannot be read, or shares files with an earlier one, is included with its reason
    (`Session.root_problem`). Raises `BadTarget` and `ConfigError` for invalid choices.
    """
    if root and named:
        raise ConfigError("--root and --store name two stores. Nothing was opened.")
    if root:
        named = [f"{DEFAULT.kind}:{root}"]
    if (group or user) and len(named) == 1:
        return [open_store(config, named[0], group=group, cwd=cwd, user=user, clock=clock)]
    if user or (group and named):
        raise ConfigError("--group and --user say whose memory of one store: name one with --store. Nothing was opened.")
    folder = locate.folder_meant(cwd)
    around = tuple(dict.fromkeys((folder, *folders)))
    found: list[Session] = []
    for store in named or config.stores or kinds():
        try:
            found += _sessions_of(config, store, around, clock, is_named=bool(named or config.stores))
        except MemError as error:
            if named or not config.stores:
                raise
            place = printable_path(locate.settings_file())
            what = error.message.removesuffix(" Nothing was done.")
            raise ConfigError(f"{place}: stores: {what} No store was opened.", error.hint) from error
    for session in found:
        session.is_elsewhere = not named and not works_with(session, folder)
        if group and session.layout is DEFAULT:
            session.project = project_name(group)
    if also is not None:
        also.store = also.store or f"{also.layout.kind}:{also.root}"
        found.insert(0, also)
    return _without_shared(found)


def _sessions_of(
    config: Config, store: str, around: Sequence[str], clock: Callable[[], datetime], *, is_named: bool
) -> list[Session]:
    """The stores that `KIND` or `KIND:ROOT` means; a named one is included even if it does not exist yet."""
    kind, _, named = store.partition(":")
    if kind == DEFAULT.kind:
        session = Session.open(config, root=named or None, cwd=around[0] or None, clock=clock)
        session.store = f"{kind}:{session.root}"
        return [session] if is_named or _is_there(session.root) or _is_gone(session) else []
    agent = kind_of(kind)
    if named:
        return [_session(config, kind, locate.absolute(named), around[0], clock)]
    places: dict[str, str] = {}
    for folder in around:
        for place in filter(os.path.isabs, _roots(agent, folder)):  # none of a folder that is not known
            places.setdefault(place, folder)
    known = ((place, folder) for place, folder in places.items() if _is_there(place) or state.has_history(place))
    every = [_session(config, kind, place, folder, clock) for place, folder in known]
    there = [each for each in every if _is_there(each.root)]
    found = [*there, *(each for each in every if each not in there and _is_gone(each) and not has_moved(each, there))]
    if not found and is_named:
        found.append(_session(config, kind, _default_root(kind, agent, around[0]), around[0], clock))
    return found


def _session(config: Config, kind: str, root: str, folder: str, clock: Callable[[], datetime], user: str = "") -> Session:
    """Open another agent's store at `root`, for someone who works in `folder`."""
    agent = kind_of(kind)
    environment = dict(locate.environment())  # a copy: it goes to other processes, too
    layout = agent.layout(Where(root, folder, locate.home_folder(), user, clock, environment))
    session = Session(root, EVERYBODY, config=config, clock=clock, layout=layout, folder=folder, guard=_guard(root, layout))
    session.project = _own_group(session, agent)
    session.is_about_folder = bool(agent.folder_of(root))
    session.store = f"{kind}:{root}"
    return session


def _without_shared(found: list[Session]) -> list[Session]:
    """Each store once; a store that would share files with an earlier one is marked as refused."""
    opened: list[tuple[str, Session]] = []
    out: list[Session] = []
    for session in found:
        real = os.path.realpath(session.root)
        if any(real == place and session.layout.kind == other.layout.kind for place, other in opened):
            continue
        session.refusal = next(filter(None, (_shared(session, real, other, place) for place, other in opened)), "")
        if not session.refusal:
            opened.append((real, session))
        out.append(session)
    return out


def _shared(session: Session, real: str, other: Session, place: str) -> str:
    """Why a store may not be opened next to another, as a sentence; empty if it may."""
    shown = f"{printable_path(session.root)} is not opened as a store of {session.layout.kind}"
    if real == place:
        return f"{shown}: it is the same folder as {printable_path(other.store)}."
    if _holds(other.layout, place, real):
        return f"{shown}: its files are in {printable_path(other.store)}."
    if _holds(session.layout, real, place):
        return f"{shown}: the files of {printable_path(other.store)} are in it."
    return ""


def has_folder(session: Session, folder: str) -> bool:
    """Whether Markdown files in a folder are memory of a store."""
    return _holds(session.layout, os.path.realpath(session.root), os.path.realpath(folder))


def _holds(layout: Layout, outer: str, inner: str) -> bool:
    """Whether a Markdown file in the folder `inner` would be memory of a store at `outer`."""
    path = os.path.relpath(f"{inner}/a.md", outer)
    return not path.startswith("../") and find_ref(layout, path) is not None


def _is_there(root: str) -> bool:
    """Whether the path exists, even if it cannot be examined."""
    return os.path.lexists(root) or bool(root_problem(root))


def _is_gone(session: Session) -> bool:
    """Whether the folder of a store is missing but its history has files."""
    if not state.has_history(session.root):
        return False
    from zsmem_tui.service import reviewing  # deferred: the history, needed only for a missing store

    return bool(reviewing.what_is_gone(session))


def has_moved(gone: Session, there: Sequence[Session]) -> bool:
    """Whether a missing store moved with its folder: another about a folder has, or had, every file of it with the same text."""
    if not gone.is_about_folder:
        return False
    from zsmem_tui.service import reviewing  # deferred, as above

    return any(each.is_about_folder and reviewing.has_all_of(each, gone) for each in there)


def places(config: Config, cwd: str = "") -> list[tuple[str, str]]:
    """Each kind with each place for the memory of `cwd` (default: the current folder), or those in the settings."""
    folder = locate.folder_meant(cwd)
    found: list[tuple[str, str]] = []
    for store in config.stores or kinds():
        kind, _, named = store.partition(":")
        if named:
            found.append((kind, locate.absolute(named)))
        elif kind == DEFAULT.kind:
            found.append((kind, locate.absolute(config.root) or locate.memory_root()))
        else:
            found += [(kind, root) for root in _roots(kind_of(kind), folder)]
    return found


def has_group(session: Session, name: str) -> bool:
    """Whether a store has a group with that name, or with that name after its colon."""
    return any(name in (group, group.partition(":")[2]) for group in project_slugs(session.root, session.layout))


def lines(every: list[Session], cwd: str = "") -> list[StoreLine]:
    """Describe each store, for someone who works in `cwd` (default: the current folder)."""
    here = locate.folder_meant(cwd)
    return [_line(session, here) for session in every]


def group_of_folder(session: Session, folder: str) -> str:
    """The group for a folder's memory in the session's kind. Raises `BadTarget` if the kind has no memory by folder."""
    kind = session.layout.kind
    agent = kind_of(kind)
    found = agent.group(project_folder(agent, folder), DiskHeads(session.root))
    if not found:
        raise BadTarget(f"{kind} does not name its memory after folders. Nothing was done.")
    return found


def group_of(session: Session) -> str | None:
    """The session's group for output; None if the store has no groups."""
    return None if session.project == EVERYBODY else printable_path(session.project)


def _line(session: Session, here: str) -> StoreLine:
    kind = session.layout.kind
    problem = session.root_problem()
    if not problem and not os.path.lexists(session.root):
        problem = f"{printable_path(session.root)} is not there yet."
    if problem:
        return StoreLine(kind, session.root, problem=problem)
    catalog = scan(session.root, session.layout)
    entries = [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
    size, group = sum(entry.size for entry in entries), group_of(session) or ""
    groups = tuple(project.slug for project in catalog.projects if project.files)
    try:
        prompt: int | None
        prompt, problem = _in_prompt(session) if works_with(session, here) else (0, "")
        if only_instructions(session.layout) and entries:
            prompt, where = (None, "") if f"{here}{os.sep}".startswith(f"{session.root}{os.sep}") else (0, " there")
            problem = f"They are in the prompt of each agent that reads them{where}."
        elif not group and groups:
            prompt, problem = None, f"Its prompt depends on the group: name one of {counted(len(groups), 'group')} with --group."
    except MemError as error:
        prompt, problem = None, error.message
    return StoreLine(kind, session.root, groups, group, len(entries), size, prompt, problem)


def _in_prompt(session: Session) -> tuple[int, str]:
    """Bytes of the memory in the prompt, or if there is none, of the instruction files that are, with a sentence that says so."""
    seen = previewing.preview(session)
    told = 0 if seen.size else previewing.with_instructions(session, seen).told_size
    return seen.size or told, "Instruction files alone: it has no memory in the prompt." if told else ""


def _guard(root: str, layout: Layout) -> Callable[[str, bytes | None, bytes | None], None]:
    """A function that checks each write against the agent's rules and locks."""

    def guard(path: str, before: bytes | None, after: bytes | None) -> None:
        refuse_locked(root, layout, path)
        layout.check(DiskTree(root), path, before, after)

    return guard


def refuse_locked(root: str, layout: Layout, path: str) -> None:
    """Raise an error of the store if the agent holds a lock on a file."""
    locks = [os.path.normpath(os.path.join(root, lock)) for lock in layout.locks(DiskTree(root), path)]
    agent_locks.refuse_held(locks, layout.kind, layout.programs)


def works_with(session: Session, folder: str) -> bool:
    """Whether an agent that works in a folder uses a store, which may be about another folder only."""
    if only_instructions(session.layout):
        return session.root == folder
    agent = registry.kind(session.layout.kind)
    about = agent.folder_of(session.root) if agent is not None else ""
    return agent is None or about in ("", folder) or about == project_folder(agent, folder)


def searched_with(here: Sought, every: Sequence[Session], scope: Scope, folder: str) -> list[Sought]:
    """Which of several stores to search for a group's memory in `here`, each with its own group of the same `folder`.

    The instruction files of that folder are included from the scope `PROJECT` on. The first store is of the current folder.
    """
    is_own = here.group in ("", here.session.project) or (bool(folder) and folder == every[0].folder)
    found = []
    for each in every:
        if each is here.session:
            found.append(here)
            continue
        group = next((group for group, its in each.folders.items() if its == folder), None)
        match scope:
            case Scope.AGENT:
                is_meant = False
            case Scope.PROJECT:
                is_meant = only_instructions(each.layout) and each.root == folder
            case Scope.FOLDER:
                is_meant = works_with(each, folder) if is_own else group is not None
            case Scope.ALL:
                is_meant = True
            case _:
                assert_never(scope)
        if is_meant:
            found.append(Sought(each, "" if is_own else group or ""))
    return found


def project_folder(agent: Agent, folder: str) -> str:
    """The folder by which an agent identifies the project of someone who works in `folder`."""
    match agent.goes_by:
        case GoesBy.FOLDER:
            return folder
        case GoesBy.WORKTREE:
            return (locate.repository_of(folder) if folder else "") or folder
        case GoesBy.REPOSITORY:
            return (main_folder(folder) if folder else "") or folder
        case _:
            assert_never(agent.goes_by)


def machine_at(folder: str) -> Machine:
    """This machine, as an agent that works in a folder sees it."""
    return Machine(locate.environment(), locate.home_folder(), folder, os.path.exists, DiskHeads)


def _roots(agent: Agent, folder: str) -> list[str]:
    return agent.roots(machine_at(project_folder(agent, folder)))


def _default_root(kind: str, agent: Agent, folder: str) -> str:
    """The default root of a kind: the existing one for this folder alone, else the first."""
    roots = _roots(agent, folder)
    if not roots:
        raise ConfigError(f"{kind} has no folder of its own: name one as {kind}:ROOT. Nothing was done.")
    if _is_there(roots[0]) and agent.group(os.sep, DiskHeads(roots[0])):  # this root has a part for each folder
        return roots[0]
    return next((root for root in roots if agent.folder_of(root) and _is_there(root)), roots[0])


def _own_group(session: Session, agent: Agent) -> str:
    if agent.folder_of(session.root):  # the whole store is about one folder
        return EVERYBODY
    named = agent.named_group(locate.environment(), session.root)
    return named or agent.group(project_folder(agent, session.folder), DiskHeads(session.root)) or EVERYBODY


def _group(session: Session, agent: Agent, name: str) -> str:
    """The group that a name means. Raises `BadTarget`."""
    layout = session.layout
    if not name and session.project != EVERYBODY:
        return session.project
    there = project_slugs(session.root, layout)
    if not name:
        if not there or layout.global_folders():
            return EVERYBODY
        if len(there) == 1:
            return there[0]
        choices = f"Groups are {', '.join(map(printable_path, there))}." if there else ""
        raise BadTarget(f"{layout.kind} keeps its memory by group: name one with --group. Nothing was done.", choices)
    ending = [group for group in there if group.partition(":")[2] == name]
    if name in there or layout.project_folders(name) or (name == EVERYBODY and layout.global_folders()):
        return name
    if len(ending) == 1:
        return ending[0]
    raise _unknown(layout, name, there)


def _folder_of(session: Session, agent: Agent, group: str) -> str:
    """The folder of a group, empty if unknown; the session's for its own group, and for one that is of no folder."""
    if group in (session.project, EVERYBODY):
        return session.folder
    heads = DiskHeads(session.root)
    known = dict(agent.folders(heads))
    kind, _, name = (agent.group(os.sep, heads) or next(iter(known), "")).partition(":")
    is_of_folder = bool(kind) and (not name or group.partition(":")[0] == kind)
    return known.get(group, "") if is_of_folder else session.folder


def _unknown(layout: Layout, name: str, there: list[str]) -> BadTarget:
    """The error for an unknown group, with a suggestion and the existing ones."""
    what, every = ("project", "Projects") if layout.projects_folder else ("group", "Groups")
    has_none = not there and bool(layout.global_folders()) and not layout.projects_folder
    problem = f"{layout.kind} has no groups" if has_none else f"{layout.kind} has no {what} {name!r}"
    meant = did_you_mean(name, {group.partition(":")[2] or group for group in there})
    return BadTarget(
        f"{problem}.{meant} Nothing was done.", f"{every} are {', '.join(map(printable_path, there))}." if there else ""
    )
