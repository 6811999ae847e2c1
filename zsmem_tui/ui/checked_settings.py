"""What of the settings only the screen can judge: the names of themes, of actions and of keys."""

from __future__ import annotations

from textual.app import App

from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.ui import themes
from zsmem_tui.ui.keys.bindings import remapped


def problems(config: Config) -> list[tuple[str, str, str]]:
    """For each mistake the setting, the entry of it, if it is a table, and the sentence."""
    found: list[tuple[str, str, str]] = []
    try:
        themes.use(App(), config.theme)
    except ConfigError as error:
        found.append(("theme", "", error.message))
    good: dict[str, str] = {}
    for action, keys in config.keys.items():
        try:
            remapped({**good, action: keys})
        except ConfigError as error:
            found.append(("keys", action, error.message))
        else:
            good[action] = keys
    return found
