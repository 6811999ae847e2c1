"""Where things are: the only module that reads the environment and the home directory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import Final

from zsmem_tui.core.errors import ConfigError, MemError
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.text import trim

APP: Final = "zsmem"

NO_FOLDER_PROJECT: Final = "default"
"""The project of a process whose current directory cannot be told (specification, section 1)."""


def memory_root() -> str:
    """The agent's memory folder (specification, sections 1 and 15), whether it exists or not.

    A leading `~` or `$HOME` in `ZS_CONFIG_DIR` and `ZS_DATA_DIR` is expanded in both profiles.
    Raises `ConfigError` when it is needed and there is no home directory.
    """
    for variable in ("ZS_CONFIG_DIR", "ZS_DATA_DIR"):
        if variable in os.environ:
            return os.path.join(expanded(os.environ[variable]), "agent", "memory")
    data = os.environ.get("XDG_DATA_HOME", "")
    if not data.startswith("/"):
        data = os.path.join(home_folder(), ".local", "share")
    return os.path.join(data, "zerostack", "agent", "memory")


def settings_file() -> str:
    """The settings file: `$ZSMEM_CONFIG`, or `zsmem/config.toml` in the user's configuration folder."""
    return named_settings_file() or os.path.join(_user_folder("config"), "config.toml")


def named_settings_file() -> str:
    """What `$ZSMEM_CONFIG` names; empty when it names nothing."""
    return expanded(os.environ.get("ZSMEM_CONFIG", ""))


def state_folder() -> str:
    """Our own state (never inside a store): `$ZSMEM_STATE_DIR`, or `zsmem` in the user's state folder."""
    return expanded(os.environ.get("ZSMEM_STATE_DIR", "")) or _user_folder("state")


def shipped(*parts: str) -> str:
    """A file or folder that comes with the program, by its path in the package."""
    return os.path.join(os.path.dirname(os.path.dirname(__file__)), *parts)


def environment() -> Mapping[str, str]:
    """The environment, for rules of other agents that look at variables of theirs."""
    return os.environ


@contextmanager
def moved_home(folder: str) -> Iterator[None]:
    """Let this process, and those that it starts, live in another home folder, with nothing that leads back to the person's own.

    What ends in `_HOME`, `_DIR` or `_PROFILE` says where a program keeps things, and is dropped. It stays so, unless what is done
    there fails.
    """
    before = dict(os.environ)
    for name in [each for each in os.environ if each.endswith(("_HOME", "_DIR", "_PROFILE")) and each != "XDG_RUNTIME_DIR"]:
        del os.environ[name]
    os.environ["HOME"] = folder
    try:
        yield
    except (OSError, MemError):
        os.environ.update(before)
        raise


def expanded(path: str) -> str:
    """A path that a person named, with `~`, `~user` or `$HOME` at its front as the home folder; every other stays as it is.

    The shell does the same before we see it, but not in quotes, in the settings file, or in a line of the screen.
    Raises `ConfigError` when there is no such user, so that no folder called `~user` is ever made by mistake.
    """
    first = path.partition("/")[0]
    if first in ("~", "$HOME"):
        return home_folder() + path[len(first) :]
    if not first.startswith("~"):
        return path
    found = os.path.expanduser(path)
    if found == path:
        raise ConfigError(
            f"There is no user called {first[1:]!r}: {path!r} means nothing. Nothing was done.", "Write ./~ for a name."
        )
    return found


def absolute(folder: str) -> str:
    """The one name of a folder that a person named: `expanded`, from `/` on, no slash at its end; no name stays none.

    Agents call the memory of a folder after that name. Raises `ConfigError` where a name means one in a folder that is gone.
    """
    found = expanded(folder)
    if not found:
        return found
    here = "" if found.startswith("/") else working_folder()
    if not (here or found.startswith("/")):
        raise ConfigError(f"The current folder is gone: {folder!r} means nothing. Nothing was done.", "Write a path from / on.")
    return "/" + os.path.normpath(os.path.join(here, found)).lstrip("/")


def shortened(path: str) -> str:
    """A path as people write it: what is in the home folder begins with `~`."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if home not in ("/", "~") and f"{path}/".startswith(f"{home}/") else path


def working_folder() -> str:
    """The current directory as the shell knows it; empty when it cannot be told (it was deleted)."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def folder_project(cwd: str | PathLike[str] | None = None) -> str:
    """The project of the folder `cwd` (default: the current directory; `default` when that cannot be told)."""
    folder = working_folder() if cwd is None else absolute(os.fspath(cwd))
    return project_slug(folder) if cwd is not None or folder else NO_FOLDER_PROJECT


def repository_of(folder: str) -> str:
    """The nearest folder, `folder` itself or one above it, that holds a git repository; empty when there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def editor_command() -> str:
    """The person's editor: `$VISUAL`, else `$EDITOR`, else `vi`."""
    return trim(os.environ.get("VISUAL", "")) or trim(os.environ.get("EDITOR", "")) or "vi"


def terminal_kind() -> str:
    """What the terminal calls itself: `$TERM`."""
    return os.environ.get("TERM", "")


def draws_elsewhere() -> bool:
    """Whether Textual has been told to draw on something that is no terminal (`$TEXTUAL_DRIVER`), such as a page of a browser."""
    return bool(os.environ.get("TEXTUAL_DRIVER"))


def wants_no_colour() -> bool:
    """Whether the person wants no colours (`$NO_COLOR` is not empty), or the terminal has none."""
    return bool(os.environ.get("NO_COLOR")) or terminal_kind() in ("", "dumb")


def has_few_colours() -> bool:
    """Whether the terminal shows 16 colours and no more, as far as it says: what Textual's output comes down to there."""
    forced = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto").lower()
    if forced != "auto":
        return forced == "standard"
    if os.environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    return os.environ.get("TERM", "").strip().lower().rpartition("-")[2] not in ("256color", "kitty")


def _user_folder(kind: str) -> str:
    """On Linux what XDG says, read here because platformdirs costs 16 ms; elsewhere platformdirs."""
    if os.uname().sysname == "Linux":
        variable, fallback = {"config": ("XDG_CONFIG_HOME", ".config"), "state": ("XDG_STATE_HOME", ".local/state")}[kind]
        base = os.environ.get(variable, "")
        return os.path.join(base if base.startswith("/") else os.path.join(home_folder(), fallback), APP)
    import platformdirs  # 16 ms, and only where XDG does not apply

    found = {"config": platformdirs.user_config_dir, "state": platformdirs.user_state_dir}[kind]
    return found(APP, appauthor=False)


def home_folder() -> str:
    """The person's home folder. Raises `ConfigError` when there is none."""
    home = os.environ.get("HOME") or os.path.expanduser("~")
    if not home or home == "~":
        raise ConfigError("There is no home directory: HOME is not set.", "Name the memory folder with --root DIR.")
    return home
