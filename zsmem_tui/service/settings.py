"""The settings for display: each with value, origin and meaning; and all mistakes in the settings file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from zsmem_tui.config import load, locate
from zsmem_tui.config.examine import Mistake
from zsmem_tui.config.model import ABOUT, Config

ScreenCheck = Callable[[Config], Sequence[tuple[str, str, str]]]
"""Returns the mistakes that only the screen can find: (setting, key within it if it is a table, message)."""


class Setting(NamedTuple):
    """One setting. `line` is its line in the file, or 0 if the value is the program's `default`."""

    key: str
    value: Any
    default: Any
    line: int
    about: str


class Settings(NamedTuple):
    """Every setting, and the path of the settings file; `is_there` says whether it exists."""

    place: str
    is_there: bool
    settings: tuple[Setting, ...]


def settings() -> Settings:
    """All settings in force. Raises `ConfigError` as starting the program would."""
    config, examined, defaults = load.load(), load.read(), Config()
    lines = {key: examined.line(key) for key in examined.values} if examined is not None else {}
    every = zip(Config._fields, config, defaults, strict=True)
    found = tuple(Setting(key, value, default, lines.get(key, 0), ABOUT[key]) for key, value, default in every)
    return Settings(locate.settings_file(), examined is not None, found)


def mistakes(check_screen: ScreenCheck | None = None) -> list[Mistake]:
    """All mistakes in the settings file, by line; empty if there is no file.

    `check_screen` checks themes and keys. Raises `ConfigError` for a file that cannot be read.
    """
    examined = load.read()
    if examined is None:
        return []
    from zsmem_tui.service.stores import kinds  # deferred: every agent's rules

    config, line, known = Config(**examined.values), examined.line, f"Kinds are {', '.join(kinds())}."
    unknown = (kind for entry in config.stores if (kind := entry.partition(":")[0]) not in kinds())
    gone = (root for root in config.roots if not os.path.isdir(locate.expanded(root)))  # probably a typing mistake
    found = [
        *examined.mistakes,
        *(Mistake(line("stores"), "stores", f"stores: there is no kind of store {kind!r}.", known) for kind in unknown),
        *(Mistake(line("roots"), "roots", f"roots: there is no folder {root!r}.") for root in gone),
    ]
    for key, entry, message in check_screen(config) if check_screen is not None else ():
        found.append(Mistake(line(key, entry) or line(key), key, message))
    return sorted(found)


def as_toml(values: Mapping[str, Any] | Sequence[Any] | str | int) -> str:
    """A value in TOML syntax."""
    if isinstance(values, int):
        return str(values).lower()
    if isinstance(values, str):
        from tomlkit import string  # deferred: 30 ms, only needed for strings

        return string(str(values)).as_string()
    if isinstance(values, Mapping):
        return "{" + ", ".join(f"{as_toml(name)} = {as_toml(value)}" for name, value in values.items()) + "}"
    return "[" + ", ".join(map(as_toml, values)) + "]"
