"""Connecting an agent in the running program: the plan, Apply, undo, taking out, and what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, by_name, running, screen_text, shows, until
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


async def test_an_agent_is_connected_with_every_change_shown_and_u_takes_it_back(tmp_path: Path, home: Path) -> None:
    servers = home / ".claude.json"
    async with running(an_app(AStore(tmp_path / "memory")), size=(160, 40)) as pilot:
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "Installed here", "Not found here", "  Claude Code", "! Gemini CLI", "is new", '"command": "/opt/zsmem"')
        await shows(pilot, "2 files would change · nothing is written before A")
        assert not servers.exists()
        await pilot.press("A")
        await shows(pilot, "Connected Claude Code: ~/.claude.json, ~/.claude/settings.json.", "u to undo", "5 hooks")
        assert "zsmem" in json.loads(servers.read_text())["mcpServers"]
        await pilot.press("u")
        await shows(pilot, "Undid: Connected Claude Code", "2 files would change")
        assert not servers.exists()
        await pilot.press("U")
        await until(pilot, servers.exists)
        await shows(pilot, "Redid: Connected Claude Code", "nothing to write")
        await pilot.press("d", "f")
        await shows(pilot, "Take ours out of Claude Code · your settings, only the server", "goes")
        await pilot.press("A")
        await shows(pilot, "Took ours out of ~/.claude.json.", "5 hooks")
        assert not servers.exists() and (home / ".claude/settings.json").exists()


async def test_what_is_not_changed_is_said_with_what_goes_there_by_hand(tmp_path: Path, home: Path) -> None:
    async with running(an_app(AStore(tmp_path / "memory")), size=(120, 30)) as pilot:
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "is new")
        await pilot.press("j", "j", "j")
        await shows(pilot, "Connect Gemini CLI", "it has comments. It was not changed.", "by hand", '"mcpServers"')
        await pilot.press("A")
        await shows(pilot, "Gemini CLI: nothing was written.")
        assert "// mine" in (home / ".gemini/settings.json").read_text() and "\x1b" not in screen_text(pilot.app)
        await pilot.press("S")
        await asked(pilot, "Gemini CLI: what works", "FAILS")
        await pilot.press("escape", "w")
        await shows(pilot, "this project's settings")


async def test_it_fits_on_twenty_by_six(tmp_path: Path, home: Path) -> None:
    async with running(an_app(AStore(tmp_path / "memory")), size=(20, 6)) as pilot:
        await by_name(pilot, "Connect an agent")
        await shows(pilot, "Claude")
        await pilot.press("j", "enter", "escape", "escape")
        await until(pilot, lambda: pilot.app.tool is None)
