"""What is known of a project beside its files."""

from __future__ import annotations

from collections.abc import Callable

from zsmem_tui.config import locate
from zsmem_tui.core.layout import is_named_after_folder
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.session import Session


def listed_folders(session: Session) -> dict[str, str]:
    """Of which folder each group is that has no name made of it, where the agent keeps a list of them."""
    if session.is_default or session.layout.group_named_after("/"):
        return {}
    from zsmem_tui.agents import registry  # every agent's rules, which zerostack can do without
    from zsmem_tui.store.disk.listing import DiskHeads  # the same

    agent = registry.kind(session.layout.kind)
    return dict(agent.folders(DiskHeads(session.root))) if agent is not None else {}


def group_maker(session: Session) -> Callable[[str], str]:
    """What tells the group of a folder by its path: by its name, or by the agent's list; empty where there is none."""
    if session.layout.group_named_after("/"):
        return session.layout.group_named_after
    listed = {folder: group for group, folder in listed_folders(session).items()}
    return lambda folder: listed.get(folder, "")


def has_folders(session: Session) -> bool:
    """Whether memory of the store is of folders."""
    return bool(session.layout.group_named_after("/") or listed_folders(session))


def of_folders(session: Session, groups: list[str]) -> list[str]:
    """Those of the groups that are of a folder, by their names or the agent's list."""
    listed = listed_folders(session)
    return [each for each in groups if each in listed or is_named_after_folder(session.layout, each)]


def own_folder(session: Session) -> str:
    """The folder that the memory for who works where the session does is named after; empty when that is not known."""
    if session.is_default or not session.folder or not session.layout.group_named_after(session.folder):
        return session.folder
    from zsmem_tui.service.stores import kind_of, project_folder  # as below

    return project_folder(kind_of(session.layout.kind), session.folder)


def folder_slug(session: Session, folder: str) -> str:
    """What the memory of a folder is called in the session's store; the folder need not exist.

    Raises `BadTarget` where the store does not name its memory after folders.
    """
    path = locate.expanded(folder)
    if session.is_default:
        return project_slug(path)
    from zsmem_tui.service.stores import group_of_folder  # every agent's rules, which zerostack can do without

    return group_of_folder(session, path)
