"""Whether a word that an agent passes as a project can be one."""

from __future__ import annotations

from typing import Final

from zsmem_tui.config.locate import NO_FOLDER_PROJECT
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.near import near
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session

_MOST_NAMED: Final = 5
"""Slugs that a sentence names."""
_SHOWN: Final = 100
"""Characters of a wrong name that it says again."""


def check_slug(session: Session, slug: str) -> None:
    """Raises `BadTarget` for a word that no project is called and no folder would be: what is written there, nobody would find."""
    is_made = slug[-9:-8] == "-" and all(char in "0123456789abcdef" for char in slug[-8:])
    if is_made or slug == NO_FOLDER_PROJECT:
        return
    from zsmem_tui.store.scan import project_slugs  # only for a word that looks like no slug

    known = project_slugs(session.root, session.layout)
    if slug not in known:
        like = [each for each in known if each.lower().startswith(slug.lower())][:_MOST_NAMED]
        hint = f" Or do you mean {', '.join(map(printable_path, like))}?" if like else ""
        raise BadTarget(f"There is no project called {slug[:_SHOWN]!r}: pass its folder, as an absolute path.{hint}")


def project_meant(session: Session, slug: str) -> str:
    """Which project may be meant by one that is not there, as a sentence; empty where it is there, or none is near."""
    from zsmem_tui.store.scan import project_slugs  # only where a project was named

    known = project_slugs(session.root, session.layout)
    found = "" if slug in known else near(slug, known)
    return f"There is no project {printable_path(slug[:_SHOWN])} yet. Did you mean {printable_path(found)}?" if found else ""
