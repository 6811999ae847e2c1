"""Which theme is used: the setting's, in as many colours as the terminal has."""

from __future__ import annotations

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from zsmem_tui.ui import themes


@pytest.mark.parametrize(
    ("setting", "few", "used"),
    [
        ("dark", False, "zsmem-dark"),
        ("light", False, "zsmem-light"),
        ("dark", True, "zsmem-dark-16"),
        ("light", True, "zsmem-light-16"),
        ("zsmem-dark", True, "zsmem-dark"),
        ("zsmem-light-16", False, "zsmem-light-16"),
        ("nord", True, "nord"),
    ],
)
def test_a_setting_names_a_theme_for_the_colours_there_are(setting: str, few: bool, used: str) -> None:
    app: App[None] = App()
    themes.use(app, setting, few_colours=few)
    assert app.theme == used


def test_the_other_theme_has_as_many_colours() -> None:
    assert [themes.other(theme) for theme in themes.OURS] == ["zsmem-light", "zsmem-dark", "zsmem-light-16", "zsmem-dark-16"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "theme", [themes.DARK, themes.LIGHT, *map(themes.readable, BUILTIN_THEMES.values())], ids=lambda each: each.name
)
def test_words_can_be_read_in_every_theme_whatever_their_colour(theme: Theme) -> None:
    if theme.ansi:
        return
    known = theme.to_color_system().generate()
    for name in ("primary", "accent", "warning", "error", "success", "foreground", "text-muted"):
        color = Color.parse(known[name])
        behind = themes.backgrounds(theme, Color.parse(known["primary"]))
        assert name == "primary" or min(themes.contrast(color, each) for each in behind) >= 4.5, name
        assert min(themes.contrast(color, each) for each in behind[:3]) >= 4.5, name
