"""What all agents remember about each folder and person: the groups of several stores by folder."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import group_label, only_instructions
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import instructions
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.session import EVERYBODY, Session, local_clock
from zsmem_tui.service.stores import has_folder, project_folder, sessions
from zsmem_tui.store import project_register
from zsmem_tui.store.disk.listing import DiskHeads

if TYPE_CHECKING:
    from datetime import datetime


class GroupIn(NamedTuple):
    """A group of one of several stores: the store's index, and the group's name (empty: shared files)."""

    store: int
    group: str


class StoreGroups(NamedTuple):
    """One of several stores: the names of its groups, and the folder of each (`folders_of`)."""

    session: Session
    groups: Sequence[str]
    folders: Mapping[str, str]


class FolderMemory(NamedTuple):
    """What the stores keep about one folder, or with an empty `path`, about whoever `label` names."""

    label: str
    path: str
    parts: tuple[GroupIn, ...]


def folders_of(session: Session, known: Iterable[str]) -> dict[str, str]:
    """The folder of each group of a store, as far as known; the key "" stands for a whole store about one folder.

    `known` folders are supplemented by those in the register of projects. If two share a group, the first wins. May read the start
    of a file per group: use a thread.
    """
    kind = session.layout.kind
    if only_instructions(session.layout):
        return {"": session.root}
    near = [folder for folder in known if folder]
    listed = (folder for each in project_register.load(session.root).records.values() for folder in each.folders)
    folders = [*near, *filter(os.path.isdir, listed)]
    if kind == DEFAULT.kind:
        return {locate.folder_project(folder): folder for folder in reversed(folders)}
    agent = registry.kind(kind)
    if agent is None:
        return {}
    if own := agent.folder_of(session.root):
        return {"": next((folder for folder in folders if project_folder(agent, folder) == own), own)}
    heads = DiskHeads(session.root)
    groups = [(agent.group(project_folder(agent, folder), heads), folder) for folder in reversed(folders)]
    found = {group: folder for group, folder in groups if group}
    named = agent.named_group(locate.environment(), session.root)
    here = {named: near[0]} if named and near else {}
    return here | found | dict(agent.folders(heads)) | here


def name_groups(session: Session, found: Mapping[str, str] | None = None) -> None:
    """Let a session name its groups by their folders; `found` are these (`folders_of`), else they are looked up."""
    session.folders = folders_of(session, [session.folder]) if found is None else found
    names = Counter(os.path.basename(folder) for folder in session.folders.values())
    session.names = {group: name for group, folder in session.folders.items() if names[name := os.path.basename(folder)] == 1}


def by_folder(stores: Sequence[StoreGroups], folders: Iterable[str]) -> list[FolderMemory]:
    """The memory of every folder: the given `folders` first and in order, then others by name.

    Then persons and personalities by name, then shared memory. An unknown folder is shown by the store's name for it.
    """
    known = dict.fromkeys([*folders, *(folder for each in stores for folder in each.folders.values())])
    parts: dict[str, list[GroupIn]] = {folder: [] for folder in known}
    left: list[list[str]] = []
    for place, each in enumerate(stores):
        own = [group for group in each.groups if group in each.folders] + ([""] if "" in each.folders else [])
        for group in own:
            parts[each.folders[group]].append(GroupIn(place, group))
        left.append([group for group in each.groups if group not in each.folders])
    first = next(iter(known), None)
    found = [FolderMemory(folder, folder, tuple(its)) for folder, its in parts.items() if its or folder == first]
    every = (place for place, each in enumerate(stores) if "" not in each.folders and each.session.layout.global_folders())
    shared = tuple(GroupIn(place, "") for place in every)
    return [*found, *_others(stores, left), *([FolderMemory(EVERYBODY, "", shared)] if shared else [])]


def _others(stores: Sequence[StoreGroups], left: Sequence[Iterable[str]]) -> list[FolderMemory]:
    """Groups of unknown folders, then those of persons."""
    folders: list[FolderMemory] = []
    persons: list[FolderMemory] = []
    for place, groups in enumerate(left):
        layout = stores[place].session.layout
        for group in groups:
            label = printable_path(group_label(layout, group))
            is_person = label.startswith(f"{group.partition(':')[0]} ")
            (persons if is_person else folders).append(FolderMemory(label, "", (GroupIn(place, group),)))
    return [*sorted(folders), *sorted(persons)]


class Beside(NamedTuple):
    """The other stores, and the known folders with the current one first; `folders_of` maps each store's groups to folders.

    The keys of `folders_of` are `KIND:ROOT`.
    """

    sessions: list[Session]
    folders: list[str]
    folders_of: dict[str, dict[str, str]]


def beside(first: Session, config: Config, *, cwd: str = "") -> Beside:
    """Every store of this machine except `first`, including the instruction files of the known folders.

    Slow: it reads the start of a file for each group that may tell its folder.
    """
    folders = _known(cwd)
    found = sessions(config, cwd=cwd, folders=folders)
    others = [each for each in found if (each.layout.kind, each.root) != (first.layout.kind, first.root)]
    others += _instructions([first, *others], config, folders, first.clock)
    return Beside(others, folders, {f"{each.layout.kind}:{each.root}": folders_of(each, folders) for each in (first, *others)})


def every_store(
    config: Config, *, cwd: str = "", clock: Callable[[], datetime] = local_clock, also: Session | None = None
) -> list[Session]:
    """Every store of this machine, including the instruction files of the known folders, as a screen shows them.

    `also` is a store that may be somewhere else.
    """
    folders = _known(cwd)
    found = sessions(config, cwd=cwd, folders=folders, clock=clock, also=also)
    return [*found, *_instructions(found, config, folders, clock)]


def _known(cwd: str) -> list[str]:
    return list(dict.fromkeys(each.folder for each in known_folders(cwd)))


def _instructions(stores: list[Session], config: Config, folders: Sequence[str], clock: Callable[[], datetime]) -> list[Session]:
    """A store for each folder with instruction files, unless another store has these; found by names alone.

    An agent may have one for all folders, next to its memory.
    """
    found = []
    beside_memory = [os.path.dirname(each.root) for each in stores if each.layout.context_files]
    for folder in dict.fromkeys([*folders, *beside_memory]):
        if not instructions.is_place(folder) or any(has_folder(each, folder) for each in stores):
            continue
        session = instructions.open_folder(config, folder, clock=clock)
        is_read_here = folder in beside_memory or f"{folders[0]}/".startswith(f"{folder}/")
        session.is_elsewhere = bool(folders) and not is_read_here
        if instructions.refs(session):
            found.append(session)
    return found
