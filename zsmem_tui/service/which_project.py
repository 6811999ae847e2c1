"""Which project an agent means that calls the server or a hook: the one rule for both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final, NamedTuple

from zsmem_tui.agents.places import AGENT_VARIABLES
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, ConfigError
from zsmem_tui.core.names import project_name, project_slug
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.named_project import SHOWN, can_be_project
from zsmem_tui.service.session import Session

OWN_VARIABLE: Final = "ZSMEM_PROJECT_DIR"
"""Set by a person, in the agent's configuration: it says more than what the agent tells by itself."""

SAY_WHICH: Final = "Say which project: pass its folder as `project`."

_PLUGIN_CACHE: Final = "/plugins/cache/"
"""Where agents keep and start what they have downloaded: never a project that somebody works in."""

_UNFILLED: Final = "${"
"""The start of a place-holder such as `${workspaceFolder}`, which an agent that does not know it passes on as it stands."""


class MeantProject(NamedTuple):
    """The project that is meant: its slug, and the folder that it is the slug of, empty when only the slug is known."""

    slug: str
    folder: str = ""


class Start(NamedTuple):
    """What is known since the program started: its options, its environment, its own folder, the person's home folder."""

    project: str = ""
    cwd: str = ""
    environ: Mapping[str, str] = {}
    working: str = ""
    home: str = ""


def started(project: str = "", cwd: str = "") -> Start:
    """What this process knows since its start, beside these two options of its command line."""
    try:
        home = locate.home_folder()
    except ConfigError:  # only needed to tell it from a project
        home = ""
    working = locate.working_folder()
    is_home = bool(home) and os.path.realpath(home) == working  # a home behind a link, which the system tells by its own name
    return Start(project, cwd, locate.environment(), home if is_home else working, home)


def which_project(start: Start, *, asked: str = "", told: str = "") -> MeantProject:
    """The project that a call means. `asked` is the call's own argument, a slug or a folder; `told` the folder in a hook's input.

    In this order: `asked`, `--project` or `--cwd`, our own variable, `told`, the agents' variables, the folder of the process,
    unless that is the home folder, `/`, or in a plugin cache. A folder that is not absolute says nothing, but for `--cwd`.
    Raises `BadTarget` with the sentence that the agent shall see, `BadName` for a slug that cannot be a folder.
    """
    if asked:
        folder = _absolute(asked, start.home)
        return _of_folder(folder) if folder else MeantProject(project_name(asked))
    if start.project:
        return MeantProject(project_name(start.project))
    if start.cwd and not start.cwd.startswith(_UNFILLED):
        return _of_folder(_absolute(start.cwd, start.home) or os.path.normpath(os.path.join(start.working or "/", start.cwd)))
    variables = (start.environ.get(name, "") for name in AGENT_VARIABLES)
    for each in (start.environ.get(OWN_VARIABLE, ""), told, *variables):
        if folder := _absolute(each, start.home):
            return _of_folder(folder)
    own = _absolute(start.working, start.home)
    if own and own not in ("/", _absolute(start.home, "")) and _PLUGIN_CACHE not in f"{own}/":
        return _of_folder(own)
    raise BadTarget(SAY_WHICH)


def _of_folder(folder: str) -> MeantProject:
    return MeantProject(project_slug(folder), folder)


def _absolute(path: str, home: str) -> str:
    """An absolute folder without a slash at its end, which would make it another project; empty for what can be none."""
    if "\0" in path or (not path.isascii() and not _is_encodable(path)):
        return ""
    if home and (path == "~" or path.startswith("~/")):
        path = home + path[1:]
    return "/" + os.path.normpath(path).lstrip("/") if path.startswith("/") else ""


def _is_encodable(path: str) -> bool:
    """Whether a file could be called so: JSON can say half a character."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


_MOST_NAMED: Final = 5
"""Slugs that a sentence names."""


def check_slug(session: Session, slug: str) -> None:
    """Raises `BadTarget` for a word that no project is called and no folder would be."""
    if can_be_project(slug):
        return
    from zsmem_tui.store.scan import project_slugs  # only for a word that looks like no slug

    known = project_slugs(session.root, session.layout)
    if slug not in known:
        like = [each for each in known if each.lower().startswith(slug.lower())][:_MOST_NAMED]
        hint = f" Or do you mean {', '.join(map(printable_path, like))}?" if like else ""
        raise BadTarget(f"There is no project called {slug[:SHOWN]!r}: pass its folder, as an absolute path.{hint}")
