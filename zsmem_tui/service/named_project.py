"""Check a zerostack project named by the user: whether it exists, is possible, or is new."""

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
"""The most characters of a wrong name that a message repeats."""


def can_be_project(name: str) -> bool:
    """Whether agents could have a project of this name: a folder's slug, or the one for no folder.

    Nobody would find memory in any other.
    """
    return parts(name) is not None or name == NO_FOLDER_PROJECT


def is_there(session: Session) -> bool:
    """Whether the session's zerostack project exists."""
    return os.path.isdir(os.path.join(session.root, session.layout.home_of(session.project)))


def may_be(session: Session, project: str) -> bool:
    """Whether a store has or could have this project. Other agents' stores check it themselves."""
    return not session.is_default or can_be_project(project) or project in project_slugs(session.root, session.layout)


def goal(session: Session, name: str, undone: str) -> str:
    """The target project for memory. Raises `BadTarget`, ending with `undone`, for an impossible one, or `BadName`."""
    if may_be(session, project_name(name)):
        return name
    raise BadTarget(f"There is no project {printable_path(name[:SHOWN])}. {undone}", "`zsmem projects` lists them.")


def said_of_new(session: Session) -> str:
    """A sentence that a project is new or does not exist yet, with a suggestion."""
    name, title = printable_path(session.project[:SHOWN]), session.layout.title
    if is_there(session):
        return f"{name} is a new project of {title}'s, in {printable_path(session.root)}."
    found = near(session.project, project_slugs(session.root, session.layout))
    meant = f" Did you mean {printable_path(found)}?" if found else ""
    return f"{title} has no project {name} yet.{meant}"
