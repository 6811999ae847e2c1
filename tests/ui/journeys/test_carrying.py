"""Copying and moving files of the tree: by name, between groups, between agents, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.ui.driving import an_app, asked, running, screen_text, shows, until
from tests.ui.journeys.test_write_protected import protected
from tests.ui.several import CLAUDE, Machine, at, both

NOTE = "~/notes/deploy.md"
TOPIC = f"{CLAUDE}/project_deploy.md"


async def planned(pilot: Pilot[Any], key: str, target: str, says: str = "nothing is written before A") -> None:
    """Ask for a plan: what is meant, to where some letters of a place lead."""
    await pilot.press(key)
    await asked(pilot, "type to filter")
    await pilot.press(*target, "enter")
    await asked(pilot, says)


async def test_files_go_to_another_agent_by_a_plan_marked_ones_as_one_step_and_one_undo_brings_all_back(machine: Machine) -> None:
    token = "ghp_" + "aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT"
    machine.own.has("~/notes/tea.md", "green\n").has("~/notes/key.md", f"- the token {token}\n")
    machine.own.has("~/SCRATCHPAD.md", "- [x] bought tea\n")
    before = (machine.own.tree(), machine.claude.tree())
    async with running(machine.app()) as pilot:
        await both(pilot)
        await at(pilot, "notes/deploy.md")
        await pilot.press("c")
        await asked(pilot, "type to filter")
        assert "Claude Code" in screen_text(pilot.app) and "for everybody" not in screen_text(pilot.app)  # it has no such notes
        await pilot.press("escape")
        await planned(pilot, "m", "claudelantern", "nothing would be written")
        await shows(
            pilot, "! note deploy", "conflict » project_deploy.md", "It is not moved:", "is there already", "give it another name"
        )
        await pilot.press("r")
        await asked(pilot, "Other name")
        await pilot.press(*"release", "enter")
        await asked(pilot, "add »", "It becomes", "note project_release of Claude Code", "Claude Code: changes", "push the tag")
        assert (machine.own.tree(), machine.claude.tree()) == before
        await pilot.press("A")
        await shows(pilot, "Moved", "to Claude Code · u to undo", "· note project_release ─")
        assert not machine.own.at(NOTE).exists() and b"project_release.md" in machine.claude.raw(f"{CLAUDE}/MEMORY.md")
        after = (machine.own.tree(), machine.claude.tree())
        await pilot.press("u")
        await shows(pilot, "Undid: Moved", "· note deploy ─")
        assert (machine.own.tree(), machine.claude.tree()) == before
        assert pilot.app.main.here.title == "zerostack"
        await pilot.press("U")
        await shows(pilot, "Redid: Moved", "· note project_release ─")
        assert (machine.own.tree(), machine.claude.tree()) == after
        await pilot.press("u")
        await shows(pilot, "Undid: Moved", "· note deploy ─")
        # marks in several agents are moved by one plan
        await pilot.resize_terminal(160, 40)
        await at(pilot, "notes/deploy.md")
        await pilot.press("space")
        await at(pilot, "project_deploy.md")
        await pilot.press("space")
        await planned(pilot, "m", "other-1")
        await shows(
            pilot,
            "add » deploy.md",
            "add » project_deploy.md",
            "It becomes other-11112222 · note deploy of zerostack, and",
        )
        assert (machine.own.tree(), machine.claude.tree()) == before
        await pilot.press("A")
        await shows(pilot, "Moved 2 files to zerostack. MEMORY.md follows · u to undo")
        assert machine.own.raw("projects/other-11112222/notes/project_deploy.md") == b"- ask Bob for the tag\n"
        assert not machine.own.at(NOTE).exists() and not machine.claude.at(TOPIC).exists()
        assert b"project_deploy" not in machine.claude.raw(f"{CLAUDE}/MEMORY.md") and "✓ " not in screen_text(pilot.app)
        await pilot.press("u")
        await shows(pilot, "Undid: Moved 2 files")
        assert (machine.own.tree(), machine.claude.tree()) == before
        # and deleted as one step
        await at(pilot, "project_deploy.md")
        await pilot.press("space")
        await at(pilot, "notes/deploy.md")
        await pilot.press("space", "d")
        await shows(pilot, "Deleted 2 files. MEMORY.md follows · u to undo")
        assert not machine.own.at(NOTE).exists() and not machine.claude.at(TOPIC).exists()
        assert machine.own.raw("~/notes/tea.md") == b"green\n" and "✓ " not in screen_text(pilot.app)
        assert b"project_deploy" not in machine.claude.raw(f"{CLAUDE}/MEMORY.md")
        await pilot.press("u")
        await shows(pilot, "Undid: Deleted 2 files")
        assert (machine.own.tree(), machine.claude.tree()) == before
        # what another agent has no place for
        await pilot.resize_terminal(120, 40)
        await at(pilot, "SCRATCHPAD.md")
        await planned(pilot, "c", "claudelantern", "nothing would be written")
        await shows(pilot, "skipped", "It is not copied: no task is open.")
        assert "A Apply" not in screen_text(pilot.app)
        await pilot.press("A")
        await shows(pilot, "Nothing here would change a file. Nothing was written.")
        assert (machine.own.tree(), machine.claude.tree()) == before
        await pilot.press("escape")
        # a key goes out only as the person says, and no plan shows it
        await at(pilot, "notes/key.md")
        await planned(pilot, "c", "claudelantern")
        await shows(pilot, "1 credential would go out", "the token ghp_… (40 characters)")
        head = str(pilot.app.screen.query_one("#plan-head", Static).render())
        assert head.split("\n")[0].endswith("A asks what becomes of them.")
        assert token not in screen_text(pilot.app)
        await pilot.press("A")
        await asked(pilot, "Credentials would go out", "Mask them on the way out")
        await pilot.press("escape")
        await shows(pilot, "Nothing was written.")
        assert (machine.own.tree(), machine.claude.tree()) == before
        await pilot.press("escape")
        await planned(pilot, "c", "claudelantern")
        await pilot.press("A")
        await asked(pilot, "Credentials would go out")
        await pilot.press("enter")
        await shows(pilot, "Copied", "u to undo")
        held = b"".join(machine.claude.tree().values())
        assert "ghp_…".encode() in held and token.encode() not in held


@pytest.mark.slow
async def test_marked_files_are_copied_to_another_project_in_one_step_and_esc_takes_marks_off(machine: Machine) -> None:
    machine.own.has("~/notes/tea.md", "green\n")
    before = machine.own.tree()
    async with running(an_app(machine.own)) as pilot:
        await at(pilot, "notes/deploy.md")
        await pilot.press("v")
        await shows(pilot, "✓ deploy", "Marked from here: moving marks all between, v ends that, esc unmarks.")
        await pilot.press("j")
        await shows(pilot, "✓ deploy", "✓ tea", "2 files marked")
        await pilot.press("k")
        await shows(pilot, "✓ deploy", "1 file marked")
        await pilot.press("j", "v", "G")
        assert len(pilot.app.main.tree_pane.project_tree.marked) == 2
        await pilot.press("c")
        await asked(pilot, "Copy 2 files to:", "other-11112222")
        await pilot.press("enter")
        await shows(pilot, "Copied 2 files to other-11112222 · u to undo")
        assert machine.own.raw("projects/other-11112222/notes/tea.md") == b"green\n" and "✓" not in screen_text(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: machine.own.tree() == before)
        await at(pilot, "notes/deploy.md")
        await pilot.press("asterisk")
        await shows(pilot, "✓ deploy", "✓ tea", "marked: c copies")
        assert all(each.ref.project for each in pilot.app.main.tree_pane.project_tree.marked), "none of everybody's"
        await pilot.press("asterisk")
        # esc takes marks off
        await pilot.press("space")
        await shows(pilot, "✓ deploy")
        await pilot.press("escape")
        await until(pilot, lambda: "✓" not in screen_text(pilot.app))


def _becomes_a_folder(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.claude.at(TOPIC).mkdir()


def _is_gone(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.claude.root.rename(machine.claude.root.with_name("away"))


def _index_is_protected(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    protected(monkeypatch, machine.claude.at(f"{CLAUDE}/MEMORY.md"))


@pytest.mark.slow
@pytest.mark.draw(3)
@pytest.mark.parametrize(
    ("happens", "words"),
    [(_becomes_a_folder, "it is a folder"), (_is_gone, "renamed, or its disk is away"), (_index_is_protected, "write-protected")],
)
async def test_a_place_that_changes_while_the_plan_is_looked_at_keeps_everything(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    happens: Callable[[Machine, pytest.MonkeyPatch], None],
    words: str,
) -> None:
    machine.claude.at(TOPIC).unlink()
    machine.claude.has(f"{CLAUDE}/MEMORY.md", "# Memory Index\n")
    async with running(machine.app()) as pilot:
        await both(pilot)
        await at(pilot, "notes/deploy.md")
        await planned(pilot, "m", "claudelantern")
        before, index = machine.own.tree(), machine.claude.raw(f"{CLAUDE}/MEMORY.md")
        happens(machine, monkeypatch)
        await pilot.press("A")
        await shows(pilot, words)
        await until(pilot, lambda: not pilot.app.conversations.under_way)
        assert machine.own.tree() == before and "Moved" not in screen_text(pilot.app)
        assert not machine.claude.root.exists() or machine.claude.raw(f"{CLAUDE}/MEMORY.md") == index
        assert not machine.claude.at(TOPIC).is_file()


@pytest.mark.slow
async def test_undo_of_a_copy_leaves_the_cursor_on_what_was_copied_and_not_on_an_index_that_follows(machine: Machine) -> None:
    before = machine.claude.tree()
    async with running(machine.app(), (80, 24)) as pilot:
        await both(pilot)
        pane = pilot.app.main.tree_pane
        for words in ((), ("slash", *"project_dep", "enter")):
            note = await at(pilot, "project_deploy.md")
            await pilot.press(*words)
            await pilot.press("c")
            await asked(pilot, "type to filter")
            await pilot.press(*"far", "enter")
            await shows(pilot, "Copied")
            await until(pilot, lambda: machine.claude.tree() != before)
            await pilot.press("u")
            await shows(pilot, "Undid: Copied")
            assert machine.claude.tree() == before
            assert pane.file_at_cursor() == pilot.app.main.viewer.file.ref == note
