"""Our themes, dark and light, in all colours and in 16. Everything on the screen takes its colours from these tokens."""

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

DARK_16: Final = Theme(
    name="zsmem-dark-16",
    ansi=True,
    primary="ansi_bright_cyan",
    secondary="ansi_bright_green",
    accent="ansi_bright_yellow",
    warning="ansi_bright_yellow",
    error="ansi_bright_red",
    success="ansi_bright_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    dark=True,
    variables={
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "border-blurred": "ansi_bright_black",
        "screen-selection-background": "ansi_white",
        "input-selection-background": "ansi_white",
        "input-selection-foreground": "ansi_black",
    },
)

LIGHT_16: Final = Theme(
    name="zsmem-light-16",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_green",
    accent="ansi_magenta",
    warning="ansi_magenta",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    dark=False,
    variables={
        "ansi-background": "ansi_white",
        "ansi-foreground": "ansi_black",
        "border-blurred": "ansi_bright_black",
        "screen-selection-background": "ansi_cyan",
        "input-selection-background": "ansi_cyan",
        "input-selection-foreground": "ansi_black",
    },
)

OURS: Final = (DARK, LIGHT, DARK_16, LIGHT_16)

NAMES: Final = {"dark": (DARK, DARK_16), "light": (LIGHT, LIGHT_16)}
"""The settings' words for them: where there are many colours, and where there are 16."""


def use(app: App[None], name: str, *, few_colours: bool = False) -> None:
    """Draw with the theme that a setting names. Raises `ConfigError` where there is none of that name.

    `few_colours` says that the terminal has 16: of any other, nearly every hue would come out as the same grey.
    """
    for theme in OURS:
        app.register_theme(theme)
    wanted = NAMES[name][few_colours].name if name in NAMES else name
    if wanted not in app.available_themes:
        known = [*NAMES, *(theme.name for theme in OURS), *BUILTIN_THEMES]
        raise ConfigError(
            f"theme: there is no theme called {name!r}.{did_you_mean(name, known)} There are {', '.join(sorted(known))}."
        )
    app.theme = wanted


def other(theme: Theme) -> str:
    """The light theme for a dark one, and the other way round, in as many colours."""
    return NAMES["light" if theme.dark else "dark"][theme.ansi].name
