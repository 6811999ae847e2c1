"""What places are called: a group of another agent's store by its folder, wherever a person reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.six_agents import SixAgents
from tests.ui.driving import NOW_NS, asked, running, screen_text, shows, until
from tests.ui.several import Machine, at, both
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui.app import ZsmemApp


async def _shows_the_folder(pilot: Pilot[Any], *texts: str) -> None:
    await shows(pilot, *texts)
    await until(pilot, lambda: "-home-ann-lantern" not in screen_text(pilot.app))


async def test_a_store_alone_knows_the_folder_of_a_group_too(machine: Machine) -> None:
    app = ZsmemApp(machine.sessions()[1], now_ns=lambda: NOW_NS)
    async with running(app, (200, 40)) as pilot:
        await _shows_the_folder(pilot, "▾ ◆ ∅ /home/ann/lantern", "project_deploy", "2 /home/ann/lantern · MEMORY.md")


async def test_something_new_for_a_store_where_nothing_is_everybodys_asks_whose_it_is(tmp_path: Path) -> None:
    machine = SixAgents(tmp_path)
    app = ZsmemApp(machine.session("zerostack"), beside=[machine.session("ethos")], now_ns=lambda: NOW_NS)
    async with running(app) as pilot:
        await shows(pilot, "▸ Ethos")
        main = app.main
        main.tree_pane.project_tree.action_edge(1)
        assert (main.here.session.layout.kind, main.store_meant().session.layout.kind) == ("zerostack", "ethos")  # as typed ahead
        assert main.project_meant() == main.store_meant().session.project == EVERYBODY
        await pilot.press("a")
        await asked(pilot, "Whose memory?", "personality engineer")
        await pilot.press(*"engineer", "enter")
        await asked(pilot, "Add to personality engineer:")


@pytest.mark.slow
async def test_a_group_is_called_by_its_folder_in_titles_dialogs_and_what_is_said_of_a_file(machine: Machine) -> None:
    async with running(machine.app(), (200, 40)) as pilot:
        await both(pilot)
        await at(pilot, "project_deploy.md")
        await pilot.press("d")
        await shows(pilot, "Deleted /home/ann/lantern · note project_deploy · u to undo. MEMORY.md follows.")
        await pilot.press("u")
        await shows(pilot, "Undid: Deleted /home/ann/lantern · note project_deploy")
        left = "~/projects/x/y.md, /a/projects/-home-ann-lantern/memory/z.md, docs/a.md"
        pilot.app.main.say(f"A note (projects/-home-ann-lantern/memory/a b.md), {left}")
        await shows(pilot, f"A note (/home/ann/lantern · note a b), {left}")
        pilot.app.main.say("")
        await at(pilot, "project_deploy.md")
        await _shows_the_folder(pilot, "2 /home/ann/lantern · note project_deploy")
        for key, words in (("c", "Copy /home/ann/lantern · note project_deploy to:"), ("a", "Add to /home/ann/lantern:")):
            await pilot.press(key)
            await asked(pilot, words)
            await _shows_the_folder(pilot)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.press("7")
        await _shows_the_folder(pilot, "Facts · ", "Claude Code · /home/ann/lantern")
        await pilot.press("escape", "H")
        await _shows_the_folder(pilot, "History of /home/ann/lantern · note project_deploy")
        await pilot.press("escape", "e")
        await _shows_the_folder(pilot, "2 /home/ann/lantern · note project_deploy", ":1 · saved")
