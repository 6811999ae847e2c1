"""What is known of a project beside its files."""

from __future__ import annotations

import os

from zsmem_tui.config import locate
from zsmem_tui.core.project import Project
from zsmem_tui.service.session import Session


def project_of(session: Session, slug: str = "") -> Project:
    """The project called `slug` (default: the session's), whether it has any memory yet or not."""
    slug = slug or session.project
    folder = session.folder if slug == session.project else ""
    place = os.path.join(session.root, session.layout.home_of(slug))
    return Project(slug, place, folder, locate.repository_of(folder) if folder else "")
