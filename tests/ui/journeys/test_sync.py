"""Several machines on the screen: what would go is shown and asked once; then one key, a word at the bottom, lines to decide."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from tests.service.sync.machines import Machine, in_branch
from tests.ui.driving import asked, by_name, running, shows, typed
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def opened_on(machine: Machine) -> ZsmemApp:
    return ZsmemApp(Session.open(machine.wake().config), now_ns=time.time_ns)


async def test_two_machines_from_the_first_question_to_the_lines_that_both_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = tmp_path / "remote.git"
    a = Machine(tmp_path, "laptop", monkeypatch).has("MEMORY.md", "# Memory\n\n- one\n- two\n").has("x.md", "x\n")
    b = Machine(tmp_path, "desktop", monkeypatch)
    a.has("MEMORY.md", "# Memory\n\n- port\n", root=a.notes)
    async with running(opened_on(a), size=(80, 24)) as pilot:
        await by_name(pilot, "Sync")
        await asked(pilot, "Sync: the remote")
        await typed(pilot, "nosuch://x")
        await pilot.press("enter")
        await shows(pilot, "is no way to a remote")
        await pilot.press("ctrl+u")
        await typed(pilot, str(remote))
        await pilot.press("enter")
        await asked(pilot, "Sync: what would go", "3 files of 2 groups", "code-of-laptop/api (claude-code)")
        await pilot.press("enter")
        await shows(pilot, "Nothing was set up, and nothing is sent.")
        assert not remote.exists()
        await by_name(pilot, "Sync")
        await asked(pilot, "Sync: the remote")
        await typed(pilot, str(remote))
        await pilot.press("enter")
        await asked(pilot, "Sync: what would go")
        await pilot.press("down", "enter")
        await shows(pilot, "3 files went out.", "synced just now")
        a.has("MEMORY.md", f"# Memory\n\n- one\n- two\n- {TOKEN}\n")
        await pilot.press("9", "S")
        await asked(pilot, "Sync: credentials")
        await pilot.press("enter")
        await shows(pilot, "Nothing was sent.")
        monkeypatch.setattr("zsmem_tui.ui.dialogs.ask.UNSEEN_SECONDS", 2)
        await pilot.press("S")
        await shows(pilot, "Sync: credentials")
        await pilot.press("j", "j", "enter")  # meant for the list
        await asked(pilot, "Sync: credentials")
        await pilot.press("down", "enter")
        await shows(pilot, "1 file went out.")
        assert TOKEN not in "".join(in_branch(remote).values())
    a.has("MEMORY.md", "# Memory\n\n- one\n- two\n").sync()
    b.set_up(remote).sync()
    a.has("MEMORY.md", "# Memory\n\n- one\n- II\n").sync()
    b.has("MEMORY.md", "# Memory\n\n- one\n- 2\n")
    async with running(opened_on(b), size=(200, 60)) as pilot:
        await pilot.press("9", "S")
        await shows(pilot, f"1 file came in from {socket.gethostname()}", "1 place that both changed", "1 line both changed")
        await by_name(pilot, "Lines that two machines changed")
        await asked(pilot, "leave both lines there")
        await pilot.press("escape")
    assert {"- II", "- 2"} < set(b.read("MEMORY.md").split("\n"))
