"""What all agents remember of each folder, and of persons: the groups of several stores put side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zsmem_tui.agents.registry import KINDS
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config import locate
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import EVERYBODY, Session


class GroupIn(NamedTuple):
    """A group of one of several stores: the store's place among them, and the group's name; empty: what is everybody's."""

    store: int
    group: str


class FolderMemory(NamedTuple):
    """What the stores keep about one folder, or, with an empty `path`, about whom `label` says."""

    label: str
    path: str
    parts: tuple[GroupIn, ...]


def folder_group(session: Session, folder: str) -> str | None:
    """The group in which a store keeps what it knows of a folder; None when it keeps nothing by folder.

    Empty: all of the store is about that folder.
    """
    kind = session.layout.kind
    if kind == ZEROSTACK.kind:
        return locate.folder_project(folder)
    agent = KINDS.get(kind)
    if agent is None:
        return None
    if agent.folder_of(session.root) == folder:
        return ""
    return agent.group(folder) or None


def works_with(session: Session, folder: str) -> bool:
    """Whether an agent that works in a folder uses a store: it does not when all of that is about another folder."""
    return _own_folder(session) in ("", folder)


def by_folder(stores: Sequence[tuple[Session, Iterable[str]]], folders: Iterable[str]) -> list[FolderMemory]:
    """The memory of every folder, the `folders` that are known first and in their order, then the others by name.

    Then persons and personalities, by name, then what is everybody's. Each store comes with the names of its groups. Of a folder
    that is not known, a store's own name is shown. Where two known folders share a group, the first has it.
    """
    left = [dict.fromkeys(groups) for _, groups in stores]
    whole = {place for place, (session, _) in enumerate(stores) if _own_folder(session)}
    out: list[FolderMemory] = []
    roots = [_own_folder(session) for session, _ in stores]
    for folder in dict.fromkeys([*folders, *(root for root in roots if root)]):
        parts = []
        for place, (session, _) in enumerate(stores):
            group = folder_group(session, folder)
            if group == "" and place in whole:
                parts.append(GroupIn(place, ""))
            elif group and group in left[place]:
                del left[place][group]
                parts.append(GroupIn(place, group))
        if parts or not out:
            out.append(FolderMemory(folder, folder, tuple(parts)))
    return [*out, *_others(stores, left), *_everybody(stores, whole)]


def _own_folder(session: Session) -> str:
    agent = KINDS.get(session.layout.kind)
    return agent.folder_of(session.root) if agent else ""


def _others(stores: Sequence[tuple[Session, Iterable[str]]], left: Sequence[Iterable[str]]) -> list[FolderMemory]:
    """Groups of folders that nobody knows, then those of persons."""
    folders: list[FolderMemory] = []
    persons: list[FolderMemory] = []
    for place, groups in enumerate(left):
        layout = stores[place][0].layout
        for group in groups:
            label = printable_path(layout.group_label(group))
            kind = group.partition(":")[0]
            is_person = label.startswith(f"{kind} ")
            (persons if is_person else folders).append(FolderMemory(label, "", (GroupIn(place, group),)))
    return [*sorted(folders), *sorted(persons)]


def _everybody(stores: Sequence[tuple[Session, Iterable[str]]], whole: set[int]) -> list[FolderMemory]:
    parts = tuple(
        GroupIn(place, "") for place, (session, _) in enumerate(stores) if place not in whole and session.layout.global_folders()
    )
    return [FolderMemory(EVERYBODY, "", parts)] if parts else []
