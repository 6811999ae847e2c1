"""Claude Code's index on the screen: it follows its topics, and what is wrong with it is marked."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import pytest

from tests.ui.driving import asked, running, screen_text, sees_nothing_new, shows, until
from tests.ui.several import CLAUDE, Machine, at, both
from zsmem_tui.service import file_ops
from zsmem_tui.ui.app import ZsmemApp

INDEX = f"{CLAUDE}/MEMORY.md"


async def test_after_a_file_that_is_gone_the_cursor_is_on_the_next(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcde":
        machine.claude.has(f"{CLAUDE}/project_{name}.md", f"about {name}\n")
    app: ZsmemApp = machine.app()

    def is_at(name: str) -> bool:
        main = app.main
        at = main.tree_pane.file_at_cursor()
        ends = at is not None and at.path.endswith(name) and main.viewer.file is not None and main.viewer.file.ref == at
        return ends and main.viewer.store == main.stores[1].key

    async with running(app) as pilot:
        await both(pilot)
        await at(pilot, "project_a.md")
        await pilot.press("d")
        await until(pilot, lambda: is_at("project_b.md"))
        await pilot.press("j")
        await until(pilot, lambda: is_at("project_c.md"))
        app.main.status.clear()
        machine.claude.at(f"{CLAUDE}/project_c.md").unlink()
        await app.main.look_now()
        await shows(pilot, "project_c is gone")  # others did it: the cursor goes on, and what is read stays
        read, ref = app.main.viewer.file, app.main.tree_pane.file_at_cursor()
        assert read is not None and read.ref.path.endswith("project_c.md") and ref is not None and ref.path.endswith("project_d.md")
        await at(pilot, "project_e.md")
        await pilot.press("r")
        await asked(pilot, "Rename")
        await shows(pilot, "unless it begins with a type:")
        verb = file_ops.rename

        def seen_first(*about: Any) -> Any:
            done = verb(*about)
            looks.append(asyncio.run_coroutine_threadsafe(app.main.look_now(), loop))
            time.sleep(0.5)
            return done

        loop, looks = asyncio.get_running_loop(), list[Any]()
        monkeypatch.setattr(file_ops, "rename", seen_first)  # a poll that comes before what the key does is shown
        await pilot.press("ctrl+u", *"aa", "enter")
        await until(pilot, lambda: is_at("project_aa.md"))
        await at(pilot, "project_deploy.md")
        await pilot.press("d")
        await until(pilot, lambda: is_at("project_d.md"))
        await pilot.press("d")
        await until(pilot, lambda: is_at("project_b.md"))
    assert machine.claude.at(INDEX).exists()


@pytest.mark.slow
async def test_a_new_topic_gets_a_name_and_its_line_unless_it_is_not_wanted_and_one_that_went_is_said_to_be_gone(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(machine.app()) as pilot:
        await both(pilot)
        await at(pilot, "project_deploy.md")
        await pilot.press("a", "enter")
        await asked(pilot, "New note")
        await pilot.press("space", "enter")
        await shows(pilot, "Type a name first; esc leaves without one.", "New note")
        await pilot.press(*"deploy", "enter")
        await shows(pilot, "! project_deploy.md is there already. Nothing was written over.", "New note")
        await pilot.press("ctrl+u", *"v1.2", "enter")
        await shows(pilot, "! invalid note name (no slashes or dots). v1-2 would do.")
        await pilot.press("ctrl+u")
        await shows(pilot, "v1-2 would do.")
        await pilot.press(*"dd")  # the reason is none against what stands there now
        await until(pilot, lambda: "dd" in screen_text(pilot.app) and "invalid note name" not in screen_text(pilot.app))
        await pilot.press("enter")
        await asked(pilot, "New note dd", "What does it say")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        assert machine.claude.at(f"{CLAUDE}/project_dd.md").exists() and machine.claude.at(f"{CLAUDE}/project_deploy.md").exists()
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        # its line in the index, unless that is not wanted
        await at(pilot, "project_deploy.md")
        await pilot.press("a")
        await asked(pilot, "A note, with its line in MEMORY.md", "A note, MEMORY.md left as it is")
        await pilot.press("enter")
        await asked(pilot, "New note", "In front, user_, feedback_,", "reference_ say its type; without, it is project.")
        await pilot.press(*"ports", "enter")
        await asked(pilot, "New note ports", "What does it say, in one sentence? That is what Claude Code sees of it")
        await pilot.press(*"On 6380", "enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        assert b"- [Ports](project_ports.md) \xe2\x80\x94 On 6380\n" in machine.claude.raw(INDEX)
        assert b'description: "On 6380"\n' in machine.claude.raw(f"{CLAUDE}/project_ports.md")
        assert machine.claude.raw(f"{CLAUDE}/project_ports.md").endswith(b"type: project\n---\n\nOn 6380\n")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        before = machine.claude.raw(INDEX)
        await at(pilot, "project_ports.md")
        await pilot.press("a", "down", "enter")
        await asked(pilot, "New note")
        await pilot.press(*"alone", "enter", "enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        assert machine.claude.at(f"{CLAUDE}/project_alone.md").exists() and machine.claude.raw(INDEX) == before
        await pilot.press("escape")
        await shows(pilot, "! not in index")
        await at(pilot, "project_deploy.md")
        await pilot.press("d")
        await shows(pilot, "· u to undo. MEMORY.md follows.")
        assert b"project_deploy.md" not in machine.claude.raw(INDEX)
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.at(f"{CLAUDE}/project_deploy.md").exists())
        # one that cannot be read says that, and not that no index lists it
        os.mkfifo(machine.claude.at(f"{CLAUDE}/project_pipe.md"))
        machine.claude.has(f"{CLAUDE}/project_loose.md", "loose\n")
        await pilot.app.main.look_now(pilot.app.main.stores[1])
        await at(pilot, "project_loose.md")
        await shows(pilot, "not in index")
        (row,) = (line for line in screen_text(pilot.app).split("\n") if "project_pipe" in line)
        assert "! unreadable" in row and "not in index" not in row
        await at(pilot, "project_pipe.md")
        await until(pilot, lambda: "cannot be read" in str(pilot.app.main.viewer.border_subtitle))
        assert "0 lines" not in screen_text(pilot.app)
        # one that went under the cursor is said to be gone
        await at(pilot, "project_deploy.md")
        sees_nothing_new(pilot.app, monkeypatch)
        machine.claude.at(f"{CLAUDE}/project_deploy.md").unlink()
        for key in "dreoFcm":
            pilot.app.main.say("")
            await pilot.press(key)
            await shows(pilot, "project_deploy.md is gone; H shows its versions.")


@pytest.mark.slow
async def test_what_is_wrong_with_the_index_is_marked_in_the_tree_and_beside_its_lines(machine: Machine) -> None:
    machine.claude.has(INDEX, "- [Gone](gone.md) - no\n- [Deploy](project_deploy.md)\n- [Again](project_deploy.md)\n")
    machine.claude.has(f"{CLAUDE}/loose.md", "nobody lists me\n")
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, "lantern/memory/MEMORY.md")
        await shows(pilot, "! 1 dead link, 1 double link", "! not in index", "! • Gone", "! • Again", "  • Deploy")
        await pilot.press("h", "h")
        await shows(pilot, "! 1 not in index, 1 dead link")
        await pilot.press("l")
        await at(pilot, "lantern/memory/MEMORY.md")
        await shows(pilot, "! Line 1 of MEMORY.md leads to gone.md, which is not there.")
        machine.claude.has(INDEX, "- [Deploy](project_deploy.md)\n- [Loose](loose.md)\n" + "- more\n" * 200)
        await shows(pilot, "! 2 lost", "are not whole in the prompt")
