"""What the environment says of the terminal."""

from __future__ import annotations

import os
from unittest.mock import patch

import pytest
from rich.console import Console

from zsmem_tui.config import locate


@pytest.mark.parametrize(
    ("environ", "few"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "linux"}, True),
        ({"TERM": "xterm-16color"}, True),
        ({}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty"}, False),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, False),
        ({"TERM": "xterm", "COLORTERM": "yes"}, True),
        ({"TERM": "linux", "TEXTUAL_COLOR_SYSTEM": "256"}, False),
        ({"TERM": "xterm-256color", "TEXTUAL_COLOR_SYSTEM": "standard"}, True),
    ],
)
def test_whether_a_terminal_has_few_colours(environ: dict[str, str], few: bool) -> None:
    with patch.dict(os.environ, environ, clear=True):
        assert locate.has_few_colours() is few
    if "TEXTUAL_COLOR_SYSTEM" not in environ and environ:  # what draws sees it the same way
        drawn = Console(force_terminal=True, _environ=environ).color_system
        assert (drawn == "standard") is few


@pytest.mark.parametrize("home", ["/home/ann", None])
def test_where_another_home_folder_fails_the_variables_are_as_before(monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    if home is None:
        monkeypatch.delenv("HOME", raising=False)
    else:
        monkeypatch.setenv("HOME", home)
    before = dict(os.environ)
    with pytest.raises(OSError, match="full"), locate.moved_home("/tmp/other"):
        raise OSError("full")
    assert dict(os.environ) == before
