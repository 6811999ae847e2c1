"""The project of zerostack's that a person names: whether it is there, can be, or is new."""

from __future__ import annotations

import os
from typing import Final

from zsmem_tui.config.locate import NO_FOLDER_PROJECT
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.names import project_name
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.suggest import near
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store.scan import project_slugs

SHOWN: Final = 100
"""Characters of a wrong name that a sentence says again."""


def can_be_project(name: str) -> bool:
    """Whether agents could have a project of this name: the slug of some folder, or the one of no folder.

    What is written into any other, nobody would find.
    """
    return parts(name) is not None or name == NO_FOLDER_PROJECT


def is_there(session: Session) -> bool:
    """Whether the session's project, one of zerostack's, is there."""
    return os.path.isdir(os.path.join(session.root, session.layout.home_of(session.project)))


def may_be(session: Session, project: str) -> bool:
    """Whether a store has this project or can have it. Of other agents' stores each says itself what it can have."""
    return not session.is_default or can_be_project(project) or project in project_slugs(session.root, session.layout)


def goal(session: Session, name: str, undone: str) -> str:
    """The project that memory is to go to. Raises `BadTarget`, with what was not done, for one that cannot be, or `BadName`."""
    if may_be(session, project_name(name)):
        return name
    raise BadTarget(f"There is no project {printable_path(name[:SHOWN])}. {undone}", "`zsmem projects` lists them.")


def said_of_new(session: Session) -> str:
    """Of a project that was not there before: that it is new, or is not there yet and which may be meant, as a sentence."""
    name, title = printable_path(session.project[:SHOWN]), session.layout.title
    if is_there(session):
        return f"{name} is a new project of {title}'s, in {printable_path(session.root)}."
    found = near(session.project, project_slugs(session.root, session.layout))
    meant = f" Did you mean {printable_path(found)}?" if found else ""
    return f"{title} has no project {name} yet.{meant}"
