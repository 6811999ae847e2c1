"""Two agents' stores over two runs of the program: drafts, what waits for review, and undo are each store's own, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.driving import asked, running, screen_text, shows, to_changes, until
from tests.ui.several import CLAUDE, Machine, at, both
from zsmem_tui.service import editing, history

TOPIC = f"{CLAUDE}/project_deploy.md"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    for session in made.sessions():
        history.look_at_all(session)
    return made


@pytest.mark.slow
async def test_drafts_reviews_and_undo_of_two_stores_go_on_after_a_restart(machine: Machine) -> None:
    before = machine.own.raw("~/notes/deploy.md"), machine.claude.raw(TOPIC)
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, "notes/deploy.md")
        await pilot.press("d")
        await shows(pilot, "Deleted", "u to undo")
        await at(pilot, "project_deploy.md")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press(*"Mine", "escape")
        await asked(pilot, "Keep it as a draft")
        await pilot.press("j", "enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
    machine.own.has("MEMORY.md", "- Ann likes tea\n- alpha\n")
    machine.claude.has("CLAUDE.md", "- be brief\n- bravo\n")
    async with running(machine.app(), (160, 40)) as pilot:
        await asked(pilot, "There is unsaved text from before, of /home/ann/lantern · note", "project_deploy.")
        for size in ((40, 12), (60, 15), (20, 6), (160, 40)):  # an answer that is not seen could be taken all the same
            await pilot.resize_terminal(*size)
            await asked(pilot, "Open it", "Later")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await shows(pilot, "2 * /home/ann/lantern · note project_deploy", "Mine")
        assert pilot.app.main.here.title == "Claude Code" and machine.claude.raw(TOPIC) == before[1]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: b"Mine" in machine.claude.raw(TOPIC))
        await pilot.press("escape")
        await shows(pilot, "●1 zerostack", "●1 Claude Code")
        await pilot.press("u")
        await shows(pilot, "Undid: Saved", "· in Claude Code · U to redo")
        assert machine.claude.raw(TOPIC) == before[1]
        await pilot.press("u")
        await shows(pilot, "Undid: Deleted", "· in zerostack · U to redo")
        assert machine.own.raw("~/notes/deploy.md") == before[0]
        await pilot.press("1", "g")
        await to_changes(pilot)
        await shows(pilot, "5 Review · ", "zerostack › ", "Claude Code › ")
        await pilot.press("g")
        await shows(pilot, "+│ - alpha")
        await pilot.press("x")
        await shows(pilot, "Marked 1 line of MEMORY.md as seen", "1 file")
    async with running(machine.app(), (160, 40)) as pilot:
        await shows(pilot, "▾ zerostack", "▸ ●1 Claude Code")
        assert "unsaved text" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_the_drafts_of_two_stores_are_both_told_and_one_is_opened_at_a_time(machine: Machine) -> None:
    for session, path in zip(machine.sessions(), ("MEMORY.md", TOPIC), strict=True):
        ref = session.ref_at(path)
        editing.keep_draft(session, ref, b"Mine of " + path.encode(), Path(session.path(ref)).read_bytes())
    async with running(machine.app(), (160, 40)) as pilot:
        await asked(pilot, "There is unsaved text from before, of MEMORY.md.")
        await pilot.press("enter")
        await shows(
            pilot, "Mine of MEMORY.md", "unsaved text from before, of /home/ann/lantern · note project_deploy, too: e on that file"
        )
        await pilot.press("ctrl+s", "escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await at(pilot, "project_deploy.md")
        await pilot.press("e")
        await shows(pilot, f"Mine of {TOPIC}", "This is unsaved text from before.")
