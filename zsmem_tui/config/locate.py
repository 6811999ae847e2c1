"""Paths from the environment; the only module that reads environment variables and the home directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Final

from zsmem_tui.core.errors import ConfigError, MemError
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.text import trim

APP: Final = "zsmem"

NO_FOLDER_PROJECT: Final = "default"
"""The project of a process whose current directory is unknown (specification, section 1)."""


def memory_root() -> str:
    """The agent's memory folder (specification, section 1), whether it exists or not. Raises as `agent_folder` does."""
    return os.path.join(agent_folder(), "agent", "memory")


def agent_folder() -> str:
    """zerostack's configuration folder (specification, sections 1 and 15), whether it exists or not.

    A leading `~` or `$HOME` in `ZS_CONFIG_DIR` and `ZS_DATA_DIR` is expanded in both profiles. Raises `ConfigError` if it is needed
    and there is no home directory.
    """
    return agent_folder_of(os.environ, home_folder)


def agent_folder_of(env: Mapping[str, str], home: Callable[[], str]) -> str:
    """`agent_folder` with another environment and home folder, which is only asked for if it is needed."""
    for variable in ("ZS_CONFIG_DIR", "ZS_DATA_DIR"):
        if variable in env:
            return _at_home(env[variable], home)
    data = env.get("XDG_DATA_HOME", "")
    if not data.startswith("/"):
        data = os.path.join(home(), ".local", "share")
    return os.path.join(data, "zerostack")


def settings_file() -> str:
    """The settings file: `$ZSMEM_CONFIG`, or `zsmem/config.toml` in the user's configuration folder."""
    return named_settings_file() or os.path.join(_user_folder("config"), "config.toml")


def named_settings_file() -> str:
    """The path in `$ZSMEM_CONFIG`; empty if it is not set."""
    return expanded(os.environ.get("ZSMEM_CONFIG", ""))


def state_folder() -> str:
    """The folder for our own state, never inside a store: `$ZSMEM_STATE_DIR`, or `zsmem` in the user's state folder."""
    return expanded(os.environ.get("ZSMEM_STATE_DIR", "")) or _user_folder("state")


def shipped(*parts: str) -> str:
    """The path of a file or folder shipped in the package."""
    return os.path.join(os.path.dirname(os.path.dirname(__file__)), *parts)


def environment() -> Mapping[str, str]:
    """The environment, for rules of other agents that read their own variables."""
    return os.environ


@contextmanager
def moved_home(folder: str) -> Iterator[None]:
    """A context in which this process and its children have another home folder, with no variable that leads to the person's own.

    Variables that end in `_HOME`, `_DIR` or `_PROFILE` are dropped. The change lasts, unless the block fails.
    """
    before = dict(os.environ)
    for name in [each for each in os.environ if each.endswith(("_HOME", "_DIR", "_PROFILE")) and each != "XDG_RUNTIME_DIR"]:
        del os.environ[name]
    os.environ["HOME"] = folder
    try:
        yield
    except (OSError, MemError):
        del os.environ["HOME"]
        os.environ.update(before)
        raise


def expanded(path: str) -> str:
    """Expand `~`, `~user` or `$HOME` at the start of a path that a person entered.

    Shells do the same, but not in quotes, in the settings file, or in an input on the screen. Raises `ConfigError` if there is no
    such user, so that no folder called `~user` is created by mistake.
    """
    inside = _at_home(path, home_folder)
    if inside != path or not path.startswith("~"):
        return inside
    found = os.path.expanduser(path)
    if found == path:
        user = path.partition("/")[0][1:]
        raise ConfigError(f"There is no user called {user!r}: {path!r} means nothing. Nothing was done.", "Write ./~ for a name.")
    return found


def _at_home(path: str, home: Callable[[], str]) -> str:
    """Expand `~` or `$HOME` at the start of a path, and no `~user`, as zerostack does."""
    first = path.partition("/")[0]
    return home() + path[len(first) :] if first in ("~", "$HOME") else path


def absolute(folder: str) -> str:
    """The absolute, normalised form of a folder that a person entered, without a slash at its end; empty stays empty.

    Agents derive names of memory folders from it. Raises `ConfigError` if it is relative and the current directory is gone.
    """
    found = expanded(folder)
    if not found:
        return found
    here = "" if found.startswith("/") else working_folder()
    if not (here or found.startswith("/")):
        raise ConfigError(f"The current folder is gone: {folder!r} means nothing. Nothing was done.", "Write a path from / on.")
    return "/" + os.path.normpath(os.path.join(here, found)).lstrip("/")


def shortened(path: str) -> str:
    """The path with `~` for the home folder."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if home not in ("/", "~") and f"{path}/".startswith(f"{home}/") else path


def working_folder() -> str:
    """The current directory; empty if it is unknown because it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def folder_meant(cwd: str) -> str:
    """The absolute form of a folder that a person entered; of none, the current directory. Raises `ConfigError` as `absolute`."""
    return absolute(cwd) if cwd else working_folder()


def folder_project(cwd: str | PathLike[str] | None = None) -> str:
    """The project of the folder `cwd` (default: the current directory; `default` if that is unknown)."""
    folder = working_folder() if cwd is None else absolute(os.fspath(cwd))
    return project_slug(folder) if cwd is not None or folder else NO_FOLDER_PROJECT


def repository_of(folder: str) -> str:
    """The nearest folder at or above `folder` that contains a git repository; empty if there is none."""
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
    """The terminal's type, `$TERM`."""
    return os.environ.get("TERM", "")


def draws_elsewhere() -> bool:
    """Whether Textual uses a driver without a terminal (`$TEXTUAL_DRIVER`), for instance for a browser."""
    return bool(os.environ.get("TEXTUAL_DRIVER"))


def wants_no_colour() -> bool:
    """Whether `$NO_COLOR` is set, or the terminal has no colours."""
    return bool(os.environ.get("NO_COLOR")) or terminal_kind() in ("", "dumb")


def has_few_colours() -> bool:
    """Whether the terminal has only 16 colours, by the rules of Textual's output."""
    forced = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto").lower()
    if forced != "auto":
        return forced == "standard"
    if os.environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    return os.environ.get("TERM", "").strip().lower().rpartition("-")[2] not in ("256color", "kitty")


def _user_folder(kind: str) -> str:
    """The XDG folder on Linux, computed here since importing platformdirs costs 16 ms; elsewhere platformdirs' folder."""
    if os.uname().sysname == "Linux":
        variable, fallback = {"config": ("XDG_CONFIG_HOME", ".config"), "state": ("XDG_STATE_HOME", ".local/state")}[kind]
        base = os.environ.get(variable, "")
        return os.path.join(base if base.startswith("/") else os.path.join(home_folder(), fallback), APP)
    import platformdirs  # deferred: 16 ms, not needed on Linux

    found = {"config": platformdirs.user_config_dir, "state": platformdirs.user_state_dir}[kind]
    return found(APP, appauthor=False)


def home_folder() -> str:
    """The person's home folder; with an empty `HOME`, as without one, the account's. Raises `ConfigError` if there is none."""
    home = os.environ.get("HOME", "")
    if not home:
        import pwd  # deferred: HOME is nearly always set

        with suppress(KeyError):  # an account that the system does not list
            home = pwd.getpwuid(os.getuid()).pw_dir
    if not home:
        raise ConfigError("There is no home directory: HOME is not set.", "Name the memory folder with --root DIR.")
    return home
