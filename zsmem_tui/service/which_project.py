"""Resolve which project an agent means that calls the server or a hook."""

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
"""Set by the user in the agent's configuration; it has priority over what the agent itself says."""

SAY_WHICH: Final = "Say which project: pass its folder as `project`."

_PLUGIN_CACHE: Final = "/plugins/cache/"
"""Where agents keep downloaded plugins and start them: never a project."""

_UNFILLED: Final = "${"
"""The start of a placeholder such as `${workspaceFolder}`, which some agents pass on unexpanded."""


class MeantProject(NamedTuple):
    """The resolved project: its slug, and its folder (empty: only the slug is known)."""

    slug: str
    folder: str = ""


class Start(NamedTuple):
    """What is known from the program's start: options, environment, current folder, home folder."""

    project: str = ""
    cwd: str = ""
    environ: Mapping[str, str] = {}
    working: str = ""
    home: str = ""


def started(project: str = "", cwd: str = "") -> Start:
    """The `Start` of this process, with these two command line options."""
    try:
        home = locate.home_folder()
    except ConfigError:  # only needed to recognize the home folder
        home = ""
    working = locate.working_folder()
    is_home = bool(home) and os.path.realpath(home) == working  # the home folder may be a symbolic link
    return Start(project, cwd, locate.environment(), home if is_home else working, home)


def which_project(start: Start, *, asked: str = "", told: str = "") -> MeantProject:
    """Resolve the project of a call. `asked` is the call's argument, a slug or a folder; `told` the folder in a hook's input.

    In this order: `asked`, `--project` or `--cwd`, our own variable, `told`, the agents' variables, the current folder unless it is
    the home folder, `/`, or in a plugin cache. Relative folders are ignored, except for `--cwd`. Raises `BadTarget` with a message
    for the agent, `BadName` for an impossible slug.
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
    """An absolute folder without a trailing slash (which would change the slug); empty if it is impossible."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:  # JSON can contain lone surrogates
        return ""
    if home and (path == "~" or path.startswith("~/")):
        path = home + path[1:]
    return "/" + os.path.normpath(path).lstrip("/") if path.startswith("/") and "\0" not in path else ""


_MOST_NAMED: Final = 5
"""The most slugs that a sentence names."""


def check_slug(session: Session, slug: str) -> None:
    """Raise `BadTarget` for a word that is no project's slug and could be none."""
    if can_be_project(slug):
        return
    from zsmem_tui.store.scan import project_slugs  # deferred: only for an unlikely slug

    known = project_slugs(session.root, session.layout)
    if slug not in known:
        like = [each for each in known if each.lower().startswith(slug.lower())][:_MOST_NAMED]
        hint = f" Or do you mean {', '.join(map(printable_path, like))}?" if like else ""
        raise BadTarget(f"There is no project called {slug[:SHOWN]!r}: pass its folder, as an absolute path.{hint}")
