"""What is known of a project beside its files."""

from __future__ import annotations

import os

from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config import locate
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project import Project
from zsmem_tui.service.session import Session


def project_of(session: Session, slug: str = "") -> Project:
    """The project called `slug` (default: the session's), whether it has any memory yet or not."""
    slug = slug or session.project
    folder = session.folder if slug == session.project else ""
    place = os.path.join(session.root, session.layout.home_of(slug))
    return Project(slug, place, folder, locate.repository_of(folder) if folder else "")


def folder_slug(session: Session, folder: str) -> str:
    """What the memory of a folder is called in the session's store; the folder need not exist.

    Raises `BadTarget` where the store does not name its memory after folders.
    """
    path = locate.expanded(folder)
    if session.layout is ZEROSTACK:
        return project_slug(path)
    from zsmem_tui.service.stores import group_of_folder  # every agent's rules, which zerostack can do without

    return group_of_folder(session, path)
