"""When an agent last worked in the folder of each memory, as its session files tell."""

from __future__ import annotations

import os

from zsmem_tui.agents.zerostack import sessions
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config import locate
from zsmem_tui.core.errors import ConfigError, StoreError
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.scan import project_slugs


def last_sessions(session: Session) -> dict[str, int]:
    """By slug, when the newest session of its folder was written last, in nanoseconds since 1970. For a thread: it reads all."""
    if session.layout is not ZEROSTACK:
        return {}
    try:
        places = sessions.session_folders(session.root, locate.environment(), locate.home_folder())
    except ConfigError:
        return {}
    slugs = set(project_slugs(session.root, session.layout))
    latest: dict[str, int] = {}
    for place in (os.path.join(folder, name) for folder in places for name in files.list_all(folder)):
        if not place.endswith(sessions.ENDING):
            continue
        try:
            when = files.look(place).mtime_ns
            found = {project_slug(folder) for folder in sessions.working_folders(files.pieces(place))}
        except StoreError:
            continue
        for slug in found & slugs:
            latest[slug] = max(latest.get(slug, 0), when)
    return latest
