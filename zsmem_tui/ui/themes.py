"""Our two themes. Everything on the screen takes its colours from these tokens."""

from __future__ import annotations

from typing import Final

from textual.app import App
from textual.theme import BUILTIN_THEMES, Theme

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.near import did_you_mean

DARK: Final = Theme(
    name="zsmem-dark",
    primary="#7aa2f7",
    secondary="#9ece6a",
    accent="#e0af68",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c8d0e0",
    background="#16181f",
    surface="#1b1e27",
    panel="#242835",
    dark=True,
    variables={"border-blurred": "#3a4052", "footer-key-foreground": "#e0af68"},
)

LIGHT: Final = Theme(
    name="zsmem-light",
    primary="#2f5fc4",
    secondary="#3d7a1f",
    accent="#a05a00",
    warning="#a05a00",
    error="#b3203c",
    success="#3d7a1f",
    foreground="#23262f",
    background="#f7f6f2",
    surface="#fbfaf7",
    panel="#e6e4dc",
    dark=False,
    variables={"border-blurred": "#c2bfb4"},
)

NAMES: Final = {"dark": DARK.name, "light": LIGHT.name}
"""The settings' words for them."""


def use(app: App[None], name: str) -> None:
    """Draw with the theme that a setting names. Raises `ConfigError` where there is none of that name."""
    for theme in (DARK, LIGHT):
        app.register_theme(theme)
    wanted = NAMES.get(name, name)
    if wanted not in app.available_themes:
        names = ", ".join(sorted([*NAMES, *BUILTIN_THEMES]))
        near = did_you_mean(name, [*NAMES, *BUILTIN_THEMES])
        raise ConfigError(f"theme: there is no theme called {name!r}.{near} There are {names}.")
    app.theme = wanted
