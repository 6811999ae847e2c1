"""Reading the settings file. Unknown keys and wrong values are refused, naming the file, the key and what would do."""

from __future__ import annotations

import os
from typing import Any, Final

from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.near import did_you_mean
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path

_MAX_CAP: Final = 1 << 30
"""Bytes. A cap above this is a typing error."""

_MAX_BOUND: Final = 1 << 50


def load(path: str | None = None) -> Config:
    """The settings in the file at `path` (default: where `locate` says); the defaults when none was named and there is none.

    Raises `ConfigError` when it cannot be read, is not TOML, or holds a key or value that means nothing, and when a file was
    named, here or in `$ZSMEM_CONFIG`, that is not there.
    """
    named = path or locate.named_settings_file()
    place = named or locate.settings_file()
    shown = printable_path(place)
    if not os.path.lexists(place):
        if not named:
            return Config()
        by = "" if path else " ZSMEM_CONFIG names it."
        raise ConfigError(f"{shown}: there is no such settings file.{by} Nothing was done.", "Make it, or unset ZSMEM_CONFIG.")
    if not os.path.exists(place):
        raise ConfigError(f"{shown}: a link to what is not there. No setting was read.")
    import tomllib  # 8 ms, and most people have no settings file

    try:
        with open(place, "rb") as stream:
            found = tomllib.load(stream)
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror}. No setting was read.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{shown} is not valid TOML: {error}. No setting was read.") from error
    known = Config._fields
    for key in found:
        if key not in known:
            raise ConfigError(f"{shown}: there is no setting called {key!r}.{_nearest(key, sorted(known))}")
    return Config(**{key: _checked(shown, key, value) for key, value in found.items()})


def _checked(shown: str, key: str, value: Any) -> Any:
    match key, value:
        case "profile", str() if value in [each.value for each in Profile]:
            return Profile(value)
        case "profile", _:
            raise ConfigError(f"{shown}: profile must be one of {', '.join(Profile)}, not {value!r}.")
        case "inject_cap", int() if not isinstance(value, bool) and 0 <= value <= _MAX_CAP:
            return value
        case "inject_cap", _:
            raise ConfigError(f"{shown}: inject_cap must be a number of bytes from 0 to {_MAX_CAP}, not {value!r}.")
        case "history_days" | "history_bytes", int() if not isinstance(value, bool) and 0 <= value <= _MAX_BOUND:
            return value
        case "history_days" | "history_bytes", _:
            raise ConfigError(f"{shown}: {key} must be a whole number, 0 or more, not {value!r}.")
        case "keys", dict() if all(isinstance(each, str) for each in value.values()):
            return value
        case "keys", _:
            raise ConfigError(f'{shown}: [keys] must hold lines like tree.filter = "slash", not {value!r}.')
        case "stores", list() if all(isinstance(each, str) for each in value):
            for each in value:
                _check_store(shown, each)
            return tuple(value)
        case "stores", _:
            raise ConfigError(f'{shown}: stores must be a list of texts like "ethos" or "markdown:~/notes", not {value!r}.')
        case "roots", list() if all(isinstance(each, str) and each.startswith(("/", "~", "$HOME")) for each in value):
            return tuple(value)
        case "roots", _:
            raise ConfigError(f'{shown}: roots must be a list of folders from / or ~ on, like "~/git", not {value!r}.')
        case _, str():
            return value
        case _:
            raise ConfigError(f"{shown}: {key} must be text, not {value!r}.")


def _check_store(shown: str, entry: str) -> None:
    """Which kinds there are is known where stores are opened; here, whether it can be one at all. Raises `ConfigError`."""
    kind, colon, root = entry.partition(":")
    if not kind or (colon and not root.startswith(("/", "~", "$HOME"))) or not entry.isprintable():
        raise ConfigError(
            f"{shown}: stores: {entry!r} is no store. No setting was read.",
            "Write KIND or KIND:FOLDER, with the folder from / or ~ on.",
        )


def _nearest(key: str, known: list[str]) -> str:
    return did_you_mean(key, known) or f" Settings are {', '.join(known)}."
