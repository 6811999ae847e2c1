"""The colour themes, dark and light, in full colour and in 16 colours, and adjustment of others for contrast."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from textual.app import App
from textual.color import BLACK, WHITE, Color
from textual.theme import BUILTIN_THEMES, Theme

from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.ui.keys.bindings import usable

DARK: Final = Theme(
    name="zsmem-dark",
    primary="#7aa2f7",
    secondary="#9ece6a",
    accent="#e0af68",
    warning="#e0af68",
    error="#f77c94",
    success="#9ece6a",
    foreground="#c8d0e0",
    background="#16181f",
    surface="#1b1e27",
    panel="#242835",
    dark=True,
    variables={"text-muted": "#9ca3b1", "border-blurred": "#3a4052", "footer-key-foreground": "#e0af68"},
)

LIGHT: Final = Theme(
    name="zsmem-light",
    primary="#2f5fc4",
    secondary="#33671a",
    accent="#8f5100",
    warning="#8f5100",
    error="#b3203c",
    success="#33671a",
    foreground="#23262f",
    background="#f7f6f2",
    surface="#fbfaf7",
    panel="#e6e4dc",
    dark=False,
    variables={"text-muted": "#595b61", "border-blurred": "#c2bfb4"},
)


def _theme_of_16(name: str, primary: str, good: str, accent: str, error: str, selection: str, *, dark: bool) -> Theme:
    """A theme of the terminal's own 16 colours."""
    variables = {
        "ansi-background": "ansi_black" if dark else "ansi_white",
        "ansi-foreground": "ansi_white" if dark else "ansi_black",
        "border-blurred": "ansi_bright_black",
        "screen-selection-background": selection,
        "input-selection-background": selection,
        "input-selection-foreground": "ansi_black",
    }
    ours = "ansi_default"
    return Theme(
        name, primary, good, accent, error, good, accent, ours, ours, ours, ours, dark=dark, ansi=True, variables=variables
    )


DARK_16: Final = _theme_of_16(
    "zsmem-dark-16", "ansi_bright_cyan", "ansi_bright_green", "ansi_bright_yellow", "ansi_bright_red", "ansi_white", dark=True
)
LIGHT_16: Final = _theme_of_16("zsmem-light-16", "ansi_blue", "ansi_green", "ansi_magenta", "ansi_red", "ansi_cyan", dark=False)

LEAST_CONTRAST: Final = 4.55
"""Minimum contrast of text; WCAG 2 level AA requires 4.5, the rest is for rounding."""

CURSOR: Final = 0.2
"""The share of the primary colour behind the cursor's row; must match the style sheets."""

_BEHIND: Final = ("surface", "panel", "background")

OURS: Final = (DARK, LIGHT, DARK_16, LIGHT_16)

NAMES: Final = {"dark": (DARK, DARK_16), "light": (LIGHT, LIGHT_16)}
"""Names in the settings: the theme for many colours, and for 16."""


def use(app: App[None], name: str, *, few_colours: bool = False) -> None:
    """Use the theme named in the settings. Raises `ConfigError` if there is none.

    `few_colours`: the terminal has 16, where most colours of other themes would become the same grey.
    """
    for theme in OURS:
        app.register_theme(theme)
    wanted = NAMES[name][few_colours].name if name in NAMES else name
    if wanted not in app.available_themes:
        known = [*NAMES, *(theme.name for theme in OURS), *BUILTIN_THEMES]
        raise ConfigError(
            f"theme: there is no theme called {name!r}.{did_you_mean(name, known)} There are {', '.join(sorted(known))}."
        )
    if wanted in BUILTIN_THEMES:
        app.register_theme(readable(BUILTIN_THEMES[wanted]))
    app.theme = wanted


def readable(theme: Theme) -> Theme:
    """A theme with its text colours made lighter or darker as needed for contrast."""
    if theme.ansi:
        return theme
    known = theme.to_color_system().generate()
    towards = WHITE if theme.dark else BLACK
    primary = _with_contrast(Color.parse(known["primary"]), [Color.parse(known[name]) for name in _BEHIND], towards)
    behind = backgrounds(theme, primary)
    accent, warning, error, success = (
        _with_contrast(Color.parse(known[name]), behind, towards).hex for name in ("accent", "warning", "error", "success")
    )
    words = _with_contrast(Color.parse(known["foreground"]), behind, towards)
    surface, panel, background = (known[name] for name in _BEHIND)
    return replace(
        theme,
        primary=primary.hex,
        accent=accent,
        warning=warning,
        error=error,
        success=success,
        surface=surface,
        panel=panel,
        background=background,
        foreground=words.hex,
        variables={"text-muted": _muted(words, behind), **theme.variables},
    )


def _muted(words: Color, behind: list[Color]) -> str:
    """The colour for less important text: as faint as contrast allows.

    It replaces Textual's, which is a translucent black or white that gets full strength within a text.
    """
    steps = (words.blend(behind[0], step / 20) for step in range(10, -1, -1))
    return next((each for each in steps if all(contrast(each, other) >= LEAST_CONTRAST for other in behind)), words).hex


def backgrounds(theme: Theme, primary: Color) -> list[Color]:
    """The backgrounds of text: panes, bars, and the cursor's row."""
    known = theme.to_color_system().generate()
    surface = Color.parse(known["surface"])
    return [*(Color.parse(known[name]) for name in _BEHIND), surface.blend(primary, CURSOR)]


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two colours by WCAG 2, from 1 to 21."""
    low, high = sorted(_luminance(each) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _with_contrast(color: Color, behind: list[Color], towards: Color) -> Color:
    """The colour, blended towards black or white as far as needed for contrast."""
    steps = (color.blend(towards, step / 20) for step in range(21))
    return next((each for each in steps if all(contrast(each, other) >= LEAST_CONTRAST for other in behind)), towards)


def other(theme: Theme) -> str:
    """The light theme for a dark one and vice versa, with the same number of colours."""
    return NAMES["light" if theme.dark else "dark"][theme.ansi].name


def problems(config: Config) -> list[tuple[str, str, str]]:
    """Mistakes in the settings that only the screen can find: themes, actions and keys.

    Each has the setting, its entry if it is a table, and the message.
    """
    found: list[tuple[str, str, str]] = []
    try:
        use(App(), config.theme)
    except ConfigError as error:
        found.append(("theme", "", error.message))
    return [*found, *(("keys", action, why) for action, why in usable(config.keys)[1].items())]
