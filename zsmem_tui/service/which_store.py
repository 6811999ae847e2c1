"""Choose the store when none is named: the one with memory of the current folder. All front ends use this rule."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, ConfigError, MemError
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.suggest import near
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.named_project import SHOWN, can_be_project, is_there, may_be
from zsmem_tui.service.session import Session, local_clock
from zsmem_tui.store.disk import listing

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.config.model import Config
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.store.history.journal import Guard


class Has(IntEnum):
    """What a store has for someone who works in a folder; the store with the highest value is chosen."""

    NOTHING = 0
    """Nothing, and no history either."""
    AGENT = 1
    """No memory, but the folder of its agent, so that this is on the machine."""
    OTHERS = 2
    """Memory of other folders only, or a history."""
    FOR_ALL = 3
    """Memory for all folders."""
    OWN = 4
    """Memory of the folder."""


def open_here(
    config: Config,
    *,
    project: str = "",
    group: str = "",
    user: str = "",
    cwd: str = "",
    but: str = "",
    needs_group: bool = True,
) -> Session:
    """Open the store that has memory of the folder `cwd` (default: the current one); zerostack's if several have.

    Memory of the folder wins over memory for all, then zerostack's counts first and the order of kinds. The setting `stores` lists
    the candidates in order; the setting `root` alone selects zerostack's. If no store has any, it is the first with memory of
    other folders, else zerostack's if that is on this machine, else that of the first agent that is, else zerostack's; it need not
    exist. An agent with files of its own in the folder (`CLAUDE.md`) comes before the others; without such, `rivals` names those.
    `project` or `group` selects the store that has it. The store with the format named `but` is never chosen.

    An unknown project is taken as zerostack's if its store or no other is here, and if the name is possible.

    Raises `BadTarget` for an unknown project, group or user, and what `stores.open_store` raises.
    """
    if not (group or user or config.stores or _is_called(DEFAULT.kind, but)):
        first = Session.open(config, project=project or None, cwd=cwd or None)
        own = Has.NOTHING if project else what_is_in(first)  # memory for all counts only if no other can be of the folder
        is_own = is_there(first) if project else own is Has.OWN or (own is Has.FOR_ALL and not _may_have_others(first))
        if config.root or is_own:
            return named_project(first) if project else first
    from zsmem_tui.service import stores  # deferred: 50 ms for every agent's rules

    named = project or group
    every = [each for each in _every(config, cwd, local_clock) if not _is_called(each.layout.kind, but)]
    is_called = False
    if named or user:
        has = [each for each in every if stores.has_group(each, named or f"user:{user}")]
        if not has and named:
            from zsmem_tui.service.projects.known import group_called, groups_called  # deferred: loads the register

            has = [each for each in every if groups_called(each, named)]
            is_called = bool(has)
        if not has and not (project and can_be_project(named) and (not every or any(each.is_default for each in every))):
            raise _unknown(named or user, every, f"`zsmem projects` lists them. {looked_at(config, cwd)}.")
        every = has or [each for each in every if each.is_default]
    found = max(every, key=_rank, default=None)  # the first one on a tie
    if found is not None and is_called:
        named = group_called(found, named)
    store, rivals = found.store if found is not None else DEFAULT.kind, []
    root = found.root if found is not None and found.is_default else None
    if not (root or named or user or config.stores) and (found is None or what_is_in(found) <= Has.OTHERS):
        most = _rank(found) if found is not None else Has.NOTHING
        alike = [each for each in every if _rank(each) == most and what_is_in(each) is Has.OTHERS]
        store, *rivals = _to_begin(config, alike, cwd, but)
    if root or store == DEFAULT.kind:
        return Session.open(config, root=root, project=named or None, cwd=cwd or None)
    opened = stores.open_store(config, store, group=named, cwd=cwd, user=user, needs_group=needs_group)
    opened.rivals = tuple(each.partition(":")[0] for each in rivals)
    if not config.stores:
        opened.beside = stores.beside(opened)
    return opened


def _to_begin(config: Config, every: Iterable[Session], cwd: str, but: str) -> list[str]:
    """The stores in which memory of a folder without any can be begun, the first to open: several if nothing tells which.

    They are those with memory of other folders, else zerostack's if that is on this machine, else those of all agents that are. Of
    several, only those are meant whose agent has files of its own in the folder.
    """
    from zsmem_tui.agents import registry  # deferred: not used by the screen
    from zsmem_tui.service import instructions, stores  # deferred: only needed without any memory

    folder = locate.folder_meant(cwd)
    found = {each.layout.kind: each.store for each in reversed([*every])}
    if not found and not _is_called(DEFAULT.kind, but) and what_is_in(Session.open(config, cwd=cwd or None)):
        return [DEFAULT.kind]
    here, at_folder = [], [instructions.agent_of(folder)]
    for kind, agent in registry.kinds().items():
        on = stores.machine_at(stores.project_folder(agent, folder))
        homes = agent.homes(on)
        own = (home.replace(on.home, on.folder, 1) if os.path.dirname(home) == on.home else home for home in homes)
        if any(home.startswith(f"{on.folder}/") and on.is_there(home) for home in own):
            at_folder.append(kind)
        if kind in found if found else kind in at_folder or any(map(on.is_there, homes)):
            here.append(kind)
    here = [kind for kind in here if not _is_called(kind, but)]
    return [found.get(kind, kind) for kind in [each for each in here if each in at_folder] or here] or [DEFAULT.kind]


def refuse_to_begin(session: Session) -> Guard:
    """A guard for a store with rivals, none of which was named: a first file of it is refused with `ConfigError`."""

    def guard(path: str, before: bytes | None, after: bytes | None) -> None:
        if before is None and after is not None:
            titles = " or ".join(f"{stores.kind_of(kind).title}'s" for kind in kinds)
            named = " or ".join(f"--store {kind}" for kind in kinds)
            raise ConfigError(f"This folder has no memory yet; it may be {titles}. Nothing was written.", f"Say {named}.")
        if own is not None:
            own(path, before, after)

    from zsmem_tui.service import stores  # deferred, as above

    own, kinds = session.guard, (session.layout.kind, *session.rivals)
    return guard


def named_project(session: Session) -> Session:
    """Zerostack's store at the named project: an existing one by slug or label, or a possible one.

    Raises `BadTarget` for any other name, and for an ambiguous one.
    """
    if may_be(session, session.project):
        return session
    from zsmem_tui.service.projects.known import group_called  # deferred: loads the register

    if (called := group_called(session, session.project)) == session.project:
        raise _unknown(called, (session,), "`zsmem projects` lists them.")
    session.project = called
    return session


def what_is_in(session: Session) -> Has:
    """What a store has for the session's folder, judged by file names only; an unreadable store counts as `FOR_ALL`."""
    if session.root_problem():
        return Has.FOR_ALL
    if not os.path.isdir(session.root):
        return _without_memory(session)
    layout = session.layout
    if _any_file(session, layout.project_folders(session.project)):
        return Has.OWN
    if _any_file(session, layout.global_folders()):
        return Has.OWN if session.is_about_folder else Has.FOR_ALL
    every = layout.groups(listing.DiskHeads(session.root))
    if any(_any_file(session, layout.project_folders(each)) for each in every):
        return Has.FOR_ALL if session.has_no_group else Has.OTHERS  # groups of users may be meant, in any folder
    return _without_memory(session)


def _without_memory(session: Session) -> Has:
    """What a store without files has: a history, or the folder of its agent."""
    from zsmem_tui.store.disk import state  # deferred: hashes, only needed without memory

    if state.has_history(session.root):
        return Has.OTHERS
    agent = os.path.dirname(os.path.dirname(session.root)) if session.is_default else session.root
    return Has.AGENT if os.path.isdir(agent) else Has.NOTHING


def said_of_folder(session: Session, cwd: str) -> str:
    """A sentence that the folder `cwd` does not exist but has memory; empty if it exists. Raises `BadTarget` if it has none."""
    folder = locate.absolute(cwd)
    if not folder or os.path.isdir(folder):
        return ""
    shown = printable_path(folder)
    said = f"{shown} is not a folder" if os.path.lexists(folder) else f"The folder {shown} is not there"
    if Has.OWN not in (what_is_in(session), *others(beside(session, folder)).values()):
        raise BadTarget(f"{said}, and no memory is of it. Nothing was done.")
    return f"{said}."


def left_behind(session: Session) -> tuple[str, str]:
    """For a folder without memory: a sentence on the other memory that seems to belong to it, and the command that moves it here.

    Both are empty if there is none.
    """
    if not session.folder or what_is_in(session) >= Has.OWN:
        return "", ""
    from zsmem_tui.core.project_folders import State  # deferred: loads the register
    from zsmem_tui.service.projects.known import belongs_here, known_projects, memory_for  # the same
    from zsmem_tui.service.projects.own import own_folder  # the same

    found = memory_for(session, known_projects(session), own_folder(session))
    if found is None:
        return "", ""
    verb = "follow" if found.verdict.state is State.MOVED else f"move {shlex.quote(found.label)} --to ."
    return belongs_here(found), f"zsmem projects {verb}"


def beside(session: Session, cwd: str = "") -> list[Session]:
    """The stores for the folder `cwd` of other kinds than the chosen one, with or without memory."""
    if session.is_default and not session.config.stores and not _may_have_others(session):
        return []
    return [each for each in _every(session.config, cwd, session.clock) if each.layout.kind != session.layout.kind]


def others(stores: Iterable[Session]) -> dict[str, Has]:
    """Of these stores, the kinds that have memory of the folder or for all, and which of both."""
    found: dict[str, Has] = {}
    for each in stores:
        if (has := what_is_in(each)) > Has.OTHERS:
            found[each.layout.kind] = max(has, found.get(each.layout.kind, has))
    return found


def unreadable(stores: Iterable[Session]) -> list[str]:
    """Sentences on folders of these stores that cannot be read, whatever they have."""
    problems = ((each, [problem] if (problem := each.root_problem()) else each.folder_problems()) for each in stores)
    return [f"{problem} What {each.layout.title} keeps there is left out." for each, found in problems for problem in found]


def elsewhere(session: Session, cwd: str = "") -> list[Session]:
    """One store of each other kind whose agent is on this machine, with or without memory."""
    every = {each.layout.kind: each for each in reversed(_every(session.config, cwd, session.clock)) if os.path.isdir(each.root)}
    return [each for kind, each in reversed(every.items()) if kind != session.layout.kind]


def looked_at(config: Config, cwd: str = "") -> str:
    """Where memory of the folder was searched: every kind of store with its places."""
    from zsmem_tui.service.stores import places  # deferred, as above

    found = (f"{kind} ({printable_path(locate.shortened(place))})" for kind, place in places(config, cwd))
    return f"Looked at: {', '.join(found)}"


def with_wiped(session: Session, cwd: str = "") -> Session:
    """The first store of the folder `cwd` in which text was wiped, that of `session` before the others; else `session`."""
    from zsmem_tui.service import history, reviewing  # deferred: only needed to bring something back

    def has_wiped(each: Session) -> bool:
        if os.path.isdir(each.root):
            history.look_at_all(each)
        return bool(reviewing.wipes(each))

    return _first(session, cwd, has_wiped)


def with_version(session: Session, id: str, cwd: str = "") -> Session:
    """The first store of the folder `cwd` with a version whose id begins so, that of `session` first; else `session`."""
    return _first(session, cwd, lambda each: any(version.path for version in each.history.named(id)))


def with_last_step(session: Session, cwd: str = "", *, redo: bool = False) -> Session:
    """The store of the folder `cwd` in which the last step was made, or with `redo` undone; `session` if there is none."""
    from zsmem_tui.service.undoing import newest  # deferred, as above

    with suppress(MemError):  # the verb reports what is wrong with the store that it works on
        return newest([session, *(each for each in _with_history(session, cwd) if each.root != session.root)], redo=redo) or session
    return session


def _first(session: Session, cwd: str, has: Callable[[Session], bool]) -> Session:
    for each in sorted(_with_history(session, cwd), key=lambda each: each.root != session.root):
        with suppress(MemError):  # the verb reports what is wrong with the store that it works on
            if has(each):
                if each.root == session.root:
                    return session
                from zsmem_tui.service.stores import open_store  # deferred, as above

                # opened anew: one that was seen to be gone expects its folder, and refuses to work without
                return open_store(session.config, each.store, cwd=cwd, needs_group=False, clock=session.clock)
    return session


def _with_history(session: Session, cwd: str) -> list[Session]:
    from zsmem_tui.service.folders import every_store  # deferred, as above
    from zsmem_tui.store.disk import state  # the same

    every = every_store(session.config, cwd=cwd, clock=session.clock)
    return [each for each in every if not (each.refusal or each.is_elsewhere) and state.has_history(each.root)]


def _unknown(name: str, stores: Iterable[Session], hint: str) -> BadTarget:
    """The error for an unknown project, with a suggestion if one is similar."""
    from zsmem_tui.service.projects.known import known_projects  # deferred: loads the register

    every = [each for store in stores for each in known_projects(store).projects]
    words = {each.slug.rpartition(":")[2]: each.slug for each in every} | {each.label: each.label for each in every}
    words |= {slug.base: word for word in words if (slug := parts(word)) is not None}
    found = near(name, words)
    meant = f" Did you mean {printable_path(words[found])!r}?" if found else ""
    return BadTarget(f"No memory here is of {name[:SHOWN]!r}.{meant} Nothing was done.", hint)


def _every(config: Config, cwd: str, clock: Callable[[], datetime]) -> list[Session]:
    from zsmem_tui.service.stores import sessions  # deferred, as above

    return [each for each in sessions(config, cwd=cwd, clock=clock) if not each.refusal]


def _is_called(kind: str, format: str) -> bool:
    """Whether a kind's format has that name, in full or abbreviated (opencode's is `opencode-agent-memory`)."""
    return bool(format) and (f"{format}-".startswith(f"{kind}-") or kind.startswith(f"{format}-"))


def _rank(session: Session) -> int:
    has = what_is_in(session)
    is_gone = has is Has.OTHERS and not os.path.isdir(session.root)  # with a history alone: after memory of other folders
    return has - is_gone


def _may_have_others(session: Session) -> bool:
    """Whether other agents have left traces, so that it is worth opening their stores."""
    from zsmem_tui.agents import registry  # deferred: not used by the screen
    from zsmem_tui.agents.places import Machine  # the same
    from zsmem_tui.store.disk.repositories import main_folder  # the same

    folder = session.folder
    folders = dict.fromkeys(filter(None, (folder, locate.repository_of(folder), main_folder(folder)) if folder else ()))
    around = [Machine(locate.environment(), locate.home_folder(), each, os.path.exists) for each in folders or ("",)]
    return any(_may_be(path) for each in registry.kinds().values() for on in around for path in each.traces(on))


def _may_be(path: str) -> bool:
    """Whether a path exists, or cannot be looked at."""
    try:
        os.lstat(path)
    except (OSError, ValueError) as error:
        return isinstance(error, PermissionError)
    return True


def _any_file(session: Session, folders: Iterable[Folder]) -> bool:
    return any(listing.names(session.root, each) for each in listing.expanded(session.root, folders))
