"""Map the memory groups of this machine to folders of the sync branch, and files between the two."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final

from zsmem_tui.agents import registry
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.layout import find_ref, foreign_problem, is_named_after_folder, kept_folders, ref_at
from zsmem_tui.core.project_folders import Repository
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.sync.branch_files import EVERYBODY, MOST_BYTES, Group, Groups, Known, folders_of, group_of, name_problem
from zsmem_tui.core.sync.texts import Shape
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import folders
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import machine_at, open_store, project_folder, sessions
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import folder_walk, listing
from zsmem_tui.store.disk.git_facts import repository_of
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.scan import project_slugs
from zsmem_tui.store.sync.remembered import Setup

_WALK_SECONDS: Final = 5.0
_MOST_WALKED: Final = 50_000
_ELSEWHERE: Final = "_store"
"""The subfolder of a group's branch folder for files outside the group's own folder."""

_SHAPES: Final = {
    Role.INDEX: Shape.INDEX,
    Role.LOG: Shape.LOG,
    Role.FACTS: Shape.MAIN,
    Role.CHECKLIST: Shape.MAIN,
    Role.INSTRUCTIONS: Shape.MAIN,
}


@dataclass
class Local:
    """One group of a store of this machine. `group` is empty for shared files; `home` is the group's own folder.

    `branch` is its folder in the branch; `was_here` says whether its files were here at the last merge.
    """

    session: Session
    group: str
    key: str
    folder: str = ""
    branch: str = ""
    name: str = ""
    repository: Repository | None = None
    was_here: bool = False

    @property
    def home(self) -> str:
        """The group's own folder relative to the root; empty if it has none."""
        return self.session.layout.home_of(self.group) if self.group else ""

    @property
    def known(self) -> Known:
        """The facts by which groups of different machines are matched."""
        own = self.repository
        place = (own.remote, own.within) if own is not None and own.remote else ("", "")
        return Known(self.key, *place, self.name)

    def path_here(self, path: str) -> str:
        """The path in the store of a file of the branch."""
        inside = path.removeprefix(f"{self.branch}/")
        if inside.startswith(f"{_ELSEWHERE}/"):
            return inside.removeprefix(f"{_ELSEWHERE}/")
        return f"{self.home}/{inside}" if self.home else inside

    def path_there(self, path: str) -> str:
        """The path in the branch of a file of the store."""
        if not self.home:
            return f"{self.branch}/{path}"
        inside = path.removeprefix(f"{self.home}/")
        return f"{self.branch}/{inside}" if inside != path else f"{self.branch}/{_ELSEWHERE}/{path}"

    def files(self) -> Iterator[tuple[MemRef, Fingerprint | None]]:
        """Yield the files that are synced, with their fingerprints; None if a file cannot be examined."""
        session, layout = self.session, self.session.layout
        places = layout.project_folders(self.group) if self.group else layout.global_folders()
        kept = kept_folders(layout, self.group) if self.group else ()
        look = os.lstat
        for folder in listing.expanded(session.root, (*places, *kept)):
            home = os.path.join(session.root, folder.path) if folder.path else session.root
            names = listing.names(session.root, folder)
            if not names or not is_inside(home, session.root):
                continue
            for name in names:
                ref = folder.ref(name)
                if ref.role is Role.DERIVED or (ref.role is Role.INSTRUCTIONS and locate.repository_of(home)):
                    continue
                try:
                    found = look(f"{home}/{name}")
                except OSError:
                    yield ref, None
                    continue
                if stat.S_ISREG(found.st_mode):
                    yield ref, Fingerprint(found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns)

    def ref(self, path: str) -> MemRef:
        """The reference to the store's file for a path in the branch."""
        return self.session.ref_at(self.path_here(path))

    def left_out(self, ref: MemRef, mark: Fingerprint | None) -> str:
        """Why a file of the store is not synced, as a sentence; empty if it is."""
        problem = name_problem(self.path_there(ref.path))
        problem = problem or ("it is too large" if mark is not None and mark.size > MOST_BYTES else "")
        return f"{printable_path(self.session.path(ref))} does not travel: {problem}." if problem else ""

    def problem(self, path: str) -> str:
        """Why a file of the branch is not written here, as a clause; empty if it can be."""
        session, layout, here = self.session, self.session.layout, self.path_here(path)
        found = find_ref(layout, here)
        kept = any(folder.at(here) for folder in kept_folders(layout, self.group)) if self.group else False
        if found is None and not kept:
            return "it is no memory there"
        if found is not None and found.role is Role.DERIVED:
            return "its agent makes it anew"
        if layout.group_of(here) != self.group or (reason := foreign_problem(layout, here)):
            return reason if layout.group_of(here) == self.group else "it belongs to another group"
        place = os.path.join(session.root, here)
        if not is_inside(place, session.root):
            return "a link leads it out of the store"
        if os.path.isdir(place) or os.path.islink(place):
            return "something else has its name here"
        above = os.path.dirname(place)
        while not os.path.lexists(above):
            above = os.path.dirname(above)
        return "" if os.path.isdir(above) else "something else has the name of its folder here"


@dataclass
class Places:
    """All synced groups of this machine by their folder in the branch, and sentences about problems."""

    groups: dict[str, Local] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def of(self, path: str) -> Local | None:
        """The group of a file of the branch; None if this machine does not have it."""
        return self.groups.get(group_of(path))


def found_here(config: Config, setup: Setup, groups: Groups) -> Places:
    """The groups of this machine's stores with their folders in the branch; `groups` are those the branch has."""
    around, opened = stores_of(config, setup)
    out = Places()
    by_kind: dict[str, list[Local]] = {kind: [] for kind in setup.stores}
    has_all: set[str] = set()
    for session in opened:
        if problem := session.root_problem():
            out.problems.append(problem)
        else:
            by_kind[session.layout.kind] += _groups(session, around, has_all)
    for kind, own in by_kind.items():
        _assign_folders(kind, own, setup, groups, out)
    _place_others(config, setup, groups, around, out)
    return out


def stores_of(config: Config, setup: Setup) -> tuple[list[str], list[Session]]:
    """The folders that agents of this machine have worked in, and its stores that are synced."""
    known = (each.folder for each in known_folders() if each.folder)
    around = list(dict.fromkeys([*known, *setup.joins.values()]))
    every = [each for each in sessions(config, folders=around) if each.layout.kind in setup.stores]
    if DEFAULT.kind in setup.stores and not any(each.is_default for each in every):
        every.insert(0, Session.open(config))
    return around, every


def every_group(config: Config, setup: Setup) -> Iterator[Local]:
    """Yield the groups of this machine's stores without their branch folders, just to look at their files."""
    for session in stores_of(config, setup)[1]:
        if not session.root_problem():
            yield Local(session, "", "")
            yield from (Local(session, group, group) for group in project_slugs(session.root, session.layout))


def _groups(session: Session, around: Sequence[str], has_all: set[str]) -> Iterator[Local]:
    """Yield the groups of one store. `has_all` collects the kinds whose shared files were given out."""
    layout, kind = session.layout, session.layout.kind
    agent = registry.agent(kind)
    whole = agent.folder_of(session.root) if agent is not None else ""
    has_no_root = not session.is_default and agent is not None and not agent.roots(machine_at(session.folder))
    if not whole and (session.is_default or agent is not None) and (has_no_root or kind in has_all):
        whole = session.root
    if layout.global_folders():
        if whole:
            folder = project_folder(agent, whole) if agent is not None else whole
            yield Local(session, "", f"folder:{folder}", folder, name=os.path.basename(folder), repository=_repository(folder))
        else:
            has_all.add(kind)
            yield Local(session, "", EVERYBODY, branch=f"{kind}/{EVERYBODY}")
    records = project_register.load(session.root).records if session.is_default else {}
    of_folder = folders.folders_of(session, around)
    for group in project_slugs(session.root, layout):
        record = records.get(group)
        folder = of_folder.get(group, "") or (record.folders[0] if record is not None and len(record.folders) == 1 else "")
        folder = project_folder(agent, folder) if agent is not None and folder else folder
        repository = _repository(folder) or (record.facts.repository if record is not None and record.facts is not None else None)
        name = os.path.basename(folder) or _bare(group)
        yield Local(session, group, group, folder, name=name, repository=repository)


def _bare(group: str) -> str:
    """A name for a group whose folder is unknown."""
    return group.partition(":")[2] or group


def _repository(folder: str) -> Repository | None:
    return repository_of(folder) if folder and os.path.isdir(folder) else None


def _assign_folders(kind: str, own: Sequence[Local], setup: Setup, groups: Groups, out: Places) -> None:
    """Assign a branch folder to each group of a kind; a group that had files here and has none any more keeps its folder."""
    fixed = [each for each in own if each.branch]
    free = [each for each in own if not each.branch]
    there = {each.key for each in free}
    kept = {key: folder for key, folder in setup.groups.get(kind, {}).items() if key in there}
    found = folders_of(kind, [each.known for each in free], groups, kept)
    for each in (*fixed, *free):
        each.branch = each.branch or found[each.key]
        each.was_here = each.branch in setup.placed
        out.groups.setdefault(each.branch, each)
    gone = {
        key: folder for key, folder in setup.groups.get(kind, {}).items() if folder in setup.placed and folder not in out.groups
    }
    whole = next((each.session for each in own if each.branch == f"{kind}/{EVERYBODY}" or each.group), None)
    for key, folder in gone.items():
        if whole is not None and not key.startswith("folder:"):
            out.groups[folder] = Local(whole, key, key, branch=folder, name=_bare(key), was_here=True)


def _place_others(config: Config, setup: Setup, groups: Groups, around: Sequence[str], out: Places) -> None:
    """Find a place for groups of other machines: by the user's choice, by a repository that is here, or by the same path."""
    waiting = {
        folder: group for folder, group in groups.items() if folder.partition("/")[0] in setup.stores and folder not in out.groups
    }
    if not waiting:
        return
    store_of = cache(partial(_user_store, config))  # cached, since thousands of folders may be looked at
    for folder, group in waiting.items():
        kind, _, name = folder.partition("/")
        if name == EVERYBODY:
            continue
        joined = setup.joins.get(folder, "")
        if joined:
            _place(config, kind, folder, group, joined, out)
        elif (session := store_of(kind)) is not None and os.path.isdir(session.root):
            keys = (key for key in group.keys if not key.startswith("folder:"))
            if personal := next((key for key in keys if not is_named_after_folder(session.layout, key)), ""):
                out.groups[folder] = Local(session, personal, personal, branch=folder, name=_bare(personal))
    left = {folder: group for folder, group in waiting.items() if folder not in out.groups and not folder.endswith(f"/{EVERYBODY}")}
    for place in _candidates(config, around) if left else ():
        if not left:
            return
        repository = _repository(place)
        for folder, group in list(left.items()):
            kind = folder.partition("/")[0]
            is_same = (
                repository is not None
                and repository.remote
                and (repository.remote, repository.within) == (group.remote, group.within)
            )
            if is_same or (not group.remote and _key_in(store_of(kind), kind, place) in group.keys):
                _place(config, kind, folder, group, place, out)
                if folder in out.groups:
                    del left[folder]


def _candidates(config: Config, around: Sequence[str]) -> Iterator[str]:
    """Folders that a group may belong to: known ones first, then all below the home folder."""
    yield from around
    found: list[str] = []
    known = set(around)
    roots = [locate.home_folder(), *map(locate.expanded, config.roots)]
    folder_walk.walk(roots, lambda each: found.append(os.fsdecode(each.path)), budget=_WALK_SECONDS, most=_MOST_WALKED)
    yield from (each for each in found if each not in known)


def _user_store(config: Config, kind: str) -> Session | None:
    """The store of a kind that covers all folders; None if there is none."""
    if kind == DEFAULT.kind:
        return Session.open(config)
    agent = registry.agent(kind)
    if agent is None:
        return None
    root = next((root for root in agent.roots(machine_at("")) if not agent.folder_of(root)), "")
    return open_store(config, f"{kind}:{root}", needs_group=False) if root else None


def key_of(config: Config, kind: str, folder: str) -> str:
    """The key by which a kind of store knows the memory of a folder."""
    return _key_in(_user_store(config, kind), kind, folder)


def _key_in(session: Session | None, kind: str, folder: str) -> str:
    """Like `key_of`, with the kind's store for all folders opened by the caller."""
    if kind == DEFAULT.kind:
        return locate.folder_project(folder)
    if session is None or not session.layout.group_named_after(folder):
        return f"folder:{folder}"
    return session.layout.group_named_after(folder)


def _place(config: Config, kind: str, branch: str, group: Group, folder: str, out: Places) -> None:
    """Place a group of the branch in a folder of this machine, unless another group of the branch is there."""
    agent = registry.agent(kind)
    session = _user_store(config, kind)
    key = _key_in(session, kind, project_folder(agent, folder) if agent is not None else folder)
    if key.startswith("folder:") and agent is not None:
        roots = agent.roots(machine_at(folder))
        root = next((root for root in roots if agent.folder_of(root)), "" if roots else folder)
        session = open_store(config, f"{kind}:{root}", cwd=folder, needs_group=False) if root else None
    if session is None:
        return
    own = "" if key.startswith("folder:") else key
    if any(each.session.root == session.root and each.group == own for each in out.groups.values()):
        return
    out.groups[branch] = Local(session, own, key, folder, branch, group.name or os.path.basename(folder), _repository(folder))


def known_by(places: Places, machine: str) -> dict[str, Group]:
    """The entries for `zsmem.json` about the groups of this machine."""
    found = {}
    for folder, each in places.groups.items():
        known = each.known
        keys = () if each.key == EVERYBODY else (each.key,)
        found[folder] = Group("" if each.key == EVERYBODY else each.name, known.remote, known.within, keys, (machine,))
    return found


def names_of(places: Places, setup: Setup) -> dict[str, dict[str, str]]:
    """The branch folder of each group by the kind of its store, including those of earlier runs."""
    out = {kind: dict(names) for kind, names in setup.groups.items()}
    for folder, each in places.groups.items():
        if each.key != EVERYBODY:
            out.setdefault(folder.partition("/")[0], {})[each.key] = folder
    return out


def shape_by(places: Places, groups: Groups) -> Callable[[str], Shape]:
    """A function that returns how to merge a file of the branch, by its role for its agent."""
    known: dict[str, Local] = dict(places.groups)
    layouts = {folder.partition("/")[0]: each for folder, each in places.groups.items()}

    def shape(path: str) -> Shape:
        folder = group_of(path)
        local = known.get(folder)
        if local is None:
            of_kind, group = layouts.get(folder.partition("/")[0]), groups.get(folder)
            if of_kind is None or group is None:
                return Shape.NOTE
            key = next((key for key in group.keys if not key.startswith("folder:")), "")
            local = known[folder] = Local(of_kind.session, key, key, branch=folder)
        role = ref_at(local.session.layout, local.path_here(path)).role
        return _SHAPES.get(role, Shape.NOTE) if role is not None else Shape.NOTE

    return shape


def waiting(groups: Groups, places: Places, kinds_: Iterable[str], machine: str) -> list[dict[str, Any]]:
    """The groups that only other machines have, with these machines."""
    wanted: Mapping[str, Group] = {
        folder: group for folder, group in groups.items() if folder not in places.groups and folder.partition("/")[0] in kinds_
    }
    return [
        {"group": folder, "name": group.name, "machines": [each.partition(" ")[2] for each in group.machines if each != machine]}
        for folder, group in sorted(wanted.items())
    ]
