"""The prompts of several stores: those of the agents for a folder, and the order in which a user goes through them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import instructions, previewing
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.stores import works_with
from zsmem_tui.store.disk.listing import DiskHeads


class PromptOf(NamedTuple):
    """A prompt of one of several stores: the store's index, and the subject."""

    store: int
    about: Subject


def prompts_of(stores: Sequence[StoreGroups], folder: str) -> list[PromptOf]:
    """The prompts of the agents that work in a folder (empty: unknown), in the order of their stores.

    A store whose prompt depends on day and profile comes with both profiles, the session's first. A store without a group of the
    folder comes with the prompt for everybody or of its only personality, or with one for which the preview says why it is empty.
    Refused stores are left out. Slow: it may look into folders.
    """
    found: list[PromptOf] = []
    places = [_folder_of_store(each.session) for each in stores]
    about = {each.session.layout.kind for each, place in zip(stores, places, strict=True) if folder and place == folder}
    for place, each in enumerate(stores):
        session = each.session  # one without groups and folder is read together with that in the folder
        is_everybodys = places[place] == "" and not each.groups and session.project == EVERYBODY
        if session.refusal or not works_with(session, folder) or (is_everybodys and session.layout.kind in about):
            continue
        for group in _groups(each, folder):
            found += [PromptOf(place, Subject(group, "", profile)) for profile in profiles(session)]
    return found


def order_from(stores: Sequence[StoreGroups], folder: str, current: PromptOf) -> list[PromptOf]:
    """`prompts_of` a folder as a cycle that includes `current`: in its place, or instead of its store's prompts.

    One agent follows another; prompts in another profile than the session's come behind them all.
    """
    found = [each._replace(about=each.about._replace(day="")) for each in prompts_of(stores, folder)]
    here = current._replace(about=current.about._replace(day=""))
    if here not in found:
        own = [here._replace(about=here.about._replace(profile=profile)) for profile in profiles(stores[here.store].session)]
        found = [each for each in found if each.store != here.store] + (own if here in own else [here, *own])
        found.sort(key=lambda each: each.store)
    return sorted(found, key=lambda each: each.about.profile is not stores[each.store].session.profile)


def after(order: Sequence[PromptOf], current: PromptOf) -> PromptOf:
    """The next prompt of the cycle, for the same day in the same store; `current` itself if there is no other."""
    place = order.index(current._replace(about=current.about._replace(day="")))
    found = order[(place + 1) % len(order)]
    return found._replace(about=found.about._replace(day=current.about.day)) if found.store == current.store else found


def profiles(session: Session) -> tuple[Profile, ...]:
    """The profiles for which a store has a prompt, the session's first."""
    return (
        tuple(sorted(Profile, key=lambda each: each is not session.profile)) if session.layout.has_profiles else (session.profile,)
    )


def folder_of(store: StoreGroups, group: str) -> str:
    """The folder of a group, empty if unknown; for a group that is not of a folder, the session's folder."""
    session = store.session
    if found := store.folders.get(group) or store.folders.get(""):
        return found
    of_folders, _, name = own_group(session, os.sep).partition(":")
    is_unknown = bool(of_folders) and (not name or group.partition(":")[0] == of_folders)
    return "" if is_unknown and group not in (session.project, EVERYBODY) else session.folder


def told_beside(session: Session, project: str, folder: str = "") -> dict[str, frozenset[str]]:
    """The instruction files in a project's prompt outside of its store: by their store, with relative paths.

    `folder` is the project's, if the caller knows it. Slow: it reads them.
    """
    folder = folder or folder_of(StoreGroups(session, (), session.folders), project)
    return instructions.among(path for path, _ in previewing.context_files(session, folder)) if folder else {}


def reads_in(session: Session, folder: str, paths: Iterable[str]) -> frozenset[str]:
    """Those of these instruction files of a folder, by relative path, that a store's agent reads. Slow: it reads them."""
    known = told_beside(session, "", folder).get(f"{instructions.KIND}:{folder}", frozenset()) | {
        *instructions.goals(session, folder)
    }
    return frozenset(path for path in paths if path in known or instructions.is_own(session, path))


def stores_told(session: Session) -> list[tuple[Session, frozenset[str]]]:
    """The instruction files in the prompt of the session's project (`told_beside`), with a session of each folder's."""
    memory = (session, *session.beside)
    found = {store: paths for each in memory for store, paths in told_beside(each, each.project).items()}
    return [(told_session(session, store), paths) for store, paths in found.items()]


def told_session(session: Session, store: str) -> Session:
    """A session of the instruction files of a folder, by the name of their store."""
    return instructions.open_folder(session.config, store.partition(":")[2], clock=session.clock)


def own_group(session: Session, folder: str) -> str:
    """The group in which a store would keep a folder's memory; empty if its groups are not of folders."""
    if session.layout is DEFAULT:
        return locate.folder_project(folder)
    agent = registry.kind(session.layout.kind)
    return agent.group(folder, DiskHeads(session.root)) if agent is not None and not _folder_of_store(session) else ""


def is_here(session: Session, ref: MemRef) -> bool:
    """Whether a file belongs to the current folder: its group's or shared; any file if groups are not of folders.

    No file of a store that is about another folder does.
    """
    return not session.is_elsewhere and (ref.project in ("", session.project) or not own_group(session, "/"))


def is_of_person(session: Session, group: str) -> bool:
    """Whether a group has a prompt and is not of a folder, such as a personality."""
    return group not in ("", EVERYBODY) and not own_group(session, os.sep) and session.layout.has_prompt(group)


def persons(store: StoreGroups) -> list[str]:
    """The groups with a prompt that are not of a folder, such as personalities; none if the store's groups are of folders."""
    return [group for group in store.groups if group not in store.folders and is_of_person(store.session, group)]


def whose(session: Session, group: str) -> str:
    """Whose prompt it is, for display: a group, or the folder of a store without groups."""
    if group not in ("", EVERYBODY) or session.layout is DEFAULT:
        return session.group_name(group)
    own = _folder_of_store(session)
    own = session.root * only_instructions(session.layout) if own is None else own
    if not own and own_group(session, os.sep) and not session.layout.group_named_after(os.sep):
        own = session.folder  # its agent's list of folders lacks it
    if own:
        return printable_path(locate.shortened(own))
    return "everybody" if session.layout.has_prompt(EVERYBODY) else "nobody chosen"


def _groups(store: StoreGroups, folder: str) -> list[str]:
    session = store.session
    known = [group for group, its in store.folders.items() if group and folder and its == folder]
    if known:
        return known
    if folder and (own := own_group(session, folder)):
        return [own]
    if session.layout.has_prompt(session.project):
        return [session.project]
    choice = persons(store)
    return choice if len(choice) == 1 else [EVERYBODY]


def _folder_of_store(session: Session) -> str | None:
    """The folder that a store is only about, empty if it is about several; None for a kind without an agent."""
    agent = registry.kind(session.layout.kind)
    return None if agent is None else agent.folder_of(session.root)
