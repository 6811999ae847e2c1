"""Which groups of a store belong to folders, and the group of the session's own folder."""

from __future__ import annotations

from collections.abc import Callable

from zsmem_tui.config import locate
from zsmem_tui.core.layout import is_named_after_folder
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.session import Session


def listed_folders(session: Session) -> dict[str, str]:
    """Map groups to folders by the agent's own list, for agents whose groups are not named after folders."""
    if session.is_default or session.layout.group_named_after("/"):
        return {}
    from zsmem_tui.agents import registry  # deferred: every agent's rules
    from zsmem_tui.store.disk.listing import DiskHeads  # the same

    agent = registry.kind(session.layout.kind)
    return dict(agent.folders(DiskHeads(session.root))) if agent is not None else {}


def group_maker(session: Session) -> Callable[[str], str]:
    """A function that maps a folder to its group, by name or by the agent's list; empty if there is none."""
    if session.layout.group_named_after("/"):
        return session.layout.group_named_after
    listed = {folder: group for group, folder in listed_folders(session).items()}
    return lambda folder: listed.get(folder, "")


def has_folders(session: Session) -> bool:
    """Whether the store has memory by folder."""
    return bool(session.layout.group_named_after("/") or listed_folders(session))


def of_folders(session: Session, groups: list[str]) -> list[str]:
    """Those of the groups that belong to a folder, by name or by the agent's list."""
    listed = listed_folders(session)
    return [each for each in groups if each in listed or is_named_after_folder(session.layout, each)]


def own_folder(session: Session) -> str:
    """The folder that the session's memory belongs to, such as the repository's top; empty if unknown."""
    if session.is_default or not session.folder or not session.layout.group_named_after(session.folder):
        return session.folder
    from zsmem_tui.service.stores import kind_of, project_folder  # deferred, as below

    return project_folder(kind_of(session.layout.kind), session.folder)


def folder_slug(session: Session, folder: str) -> str:
    """The group for a folder's memory in the session's store; the folder need not exist.

    Raises `BadTarget` if the store has no memory by folder.
    """
    path = locate.expanded(folder)
    if session.is_default:
        return project_slug(path)
    from zsmem_tui.service.stores import group_of_folder  # deferred: every agent's rules

    return group_of_folder(session, path)
