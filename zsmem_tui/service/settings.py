"""The settings for display: each with value, origin and meaning; and all mistakes in the settings file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from zsmem_tui.config import load, locate
from zsmem_tui.config.examine import Examined, Mistake
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
    config, examined = load.load(), load.read()
    defaults = Config()
    return Settings(
        locate.settings_file(),
        examined is not None,
        tuple(
            Setting(key, getattr(config, key), getattr(defaults, key), _line(examined, key), ABOUT[key]) for key in Config._fields
        ),
    )


def mistakes(check_screen: ScreenCheck | None = None) -> list[Mistake]:
    """All mistakes in the settings file, by line; empty if there is no file.

    `check_screen` checks themes and keys. Raises `ConfigError` for a file that cannot be read.
    """
    examined = load.read()
    if examined is None:
        return []
    config = Config(**examined.values)
    found = [*examined.mistakes, *_no_kinds(config, examined), *_no_folders(config, examined)]
    for key, entry, message in check_screen(config) if check_screen is not None else ():
        found.append(Mistake(examined.line(key, entry) or examined.line(key), key, message))
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


def _line(examined: Examined | None, key: str) -> int:
    return examined.line(key) if examined is not None and key in examined.values else 0


def _no_kinds(config: Config, examined: Examined) -> list[Mistake]:
    from zsmem_tui.service.stores import kinds  # deferred: every agent's rules

    unknown = [entry for entry in config.stores if entry.partition(":")[0] not in kinds()]
    line, known = examined.line("stores"), f"Kinds are {', '.join(kinds())}."
    return [Mistake(line, "stores", f"stores: there is no kind of store {entry.partition(':')[0]!r}.", known) for entry in unknown]


def _no_folders(config: Config, examined: Examined) -> list[Mistake]:
    """Configured root folders that do not exist, which is probably a typing mistake."""
    return [
        Mistake(examined.line("roots"), "roots", f"roots: there is no folder {root!r}.")
        for root in config.roots
        if not os.path.isdir(locate.expanded(root))
    ]
