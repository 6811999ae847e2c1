"""Connecting an agent in the running program: the plan, Apply, undo, taking out, and what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, back, by_name, running, screen_text, shows, until
from zsmem_tui.service import connecting


@pytest.fixture
def home(away_from_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    (away_from_home / ".claude").mkdir()
    (away_from_home / ".gemini").mkdir()
    (away_from_home / ".gemini/settings.json").write_text('{\n  // mine\n  "a\x1b": [red]\n}\n')
    monkeypatch.setattr(connecting, "own_command", lambda: "/opt/zsmem")
    monkeypatch.setattr(connecting, "which", lambda name: None)
    monkeypatch.chdir(tmp_path)
    return away_from_home


async def test_an_agent_is_connected_with_every_change_shown_u_takes_it_back_and_what_is_not_changed_is_said(
    tmp_path: Path, home: Path
) -> None:
    """What goes there by hand is said too."""
    async with running(an_app(AStore(tmp_path / "memory")), size=(120, 30)) as pilot:
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "! Gemini CLI")
        await pilot.press("j", "enter")
        await shows(pilot, "Connect Gemini CLI", "it has comments. It was not changed.", "by hand", '"mcpServers"')
        await pilot.press("A")
        await shows(pilot, "Nothing here would change a file. Nothing was written.")
        await pilot.press("escape")
        assert "// mine" in (home / ".gemini/settings.json").read_text() and "\x1b" not in screen_text(pilot.app)
        await pilot.press("S")
        await asked(pilot, "Gemini CLI: what works", "FAILS")
        await pilot.press("escape", "enter", "C")
        await shows(pilot, "this project's settings · server and hooks")
        await pilot.press("escape")
        await back(pilot)
        await pilot.resize_terminal(160, 40)
        servers = home / ".claude.json"
        await by_name(pilot, "Connect an agent")
        await shows(
            pilot,
            "Installed, or with files here",
            "No program found",
            "  Claude Code",
            "! Gemini CLI",
            "In your settings: not connected.",
        )
        await pilot.press("enter")
        await shows(
            pilot, "Connect Claude Code: nothing is written before A", "your settings · server and hooks · 2 files would change"
        )
        await shows(pilot, "is new", '"command": "/opt/zsmem"')
        assert not servers.exists()
        await pilot.press("A")
        await shows(pilot, "Connected Claude Code: ~/.claude.json, ~/.claude/settings.json", "u to undo", "5 hooks")
        assert "zsmem" in json.loads(servers.read_text())["mcpServers"]
        await pilot.press("u")
        await shows(pilot, "Undid: Connected Claude Code", "In your settings: not connected.")
        assert not servers.exists()
        await pilot.press("U")
        await until(pilot, servers.exists)
        await shows(pilot, "Redid: Connected Claude Code", "In your settings: server")
        await pilot.press("enter")
        await shows(pilot, "nothing to write")
        await pilot.press("escape")
        await by_name(pilot, "Server or hooks")
        await shows(pilot, "Meant is: server.")
        await pilot.press("d")
        await shows(pilot, "Take zsmem out of Claude Code", "your settings · server · 1 file would change", "goes")
        await pilot.press("A")
        await shows(pilot, "Took zsmem out of ~/.claude.json", "5 hooks")
        assert not servers.exists() and (home / ".claude/settings.json").exists()
        # it fits on twenty by six
        await back(pilot)
        await pilot.resize_terminal(20, 6)
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "Claude")
        await pilot.press("j", "enter", "escape", "escape", "escape")
        await until(pilot, lambda: pilot.app.tool is None)


@pytest.mark.slow
async def test_an_agent_without_hooks_is_promised_none(tmp_path: Path, home: Path) -> None:
    async with running(an_app(AStore(tmp_path / "memory")), size=(200, 40)) as pilot:
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "  zerostack", "It gets zsmem's server, and hooks put ")
        await pilot.press("j", "j")
        await shows(pilot, "It gets zsmem's server.", "Its program is not on PATH.")
        await pilot.press("enter")
        await shows(pilot, "Connect zerostack", "your settings · server · 1 file would change")
        await pilot.press("escape")
        await by_name(pilot, "Server or hooks")
        await by_name(pilot, "Server or hooks")
        await shows(pilot, "Meant is: hooks.")
        await pilot.press("enter")
        await shows(pilot, "your settings · it takes no hooks · nothing to write")
