"""What is known of a project beside its files."""

from __future__ import annotations

from zsmem_tui.config import locate
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.session import Session


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
