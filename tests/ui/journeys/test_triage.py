"""Triage in the running program: one key for each thing, marked sets, runs, an agent writing underneath."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.builders import PROJECT, AStore
from tests.ui.driving import an_app, asked, back, lit, rewritten, running, screen_text, sees_nothing_new, shows, until
from tests.ui.several import CLAUDE, Machine
from zsmem_tui.service.tasks import task_list
from zsmem_tui.ui.keys import typed_ahead
from zsmem_tui.ui.keys.typed_ahead import keys_wait
from zsmem_tui.ui.triage.rows import task_row
from zsmem_tui.ui.triage.screen import TriageScreen

PAD = "# Now\n\n- [ ] first\n- [ ] second\n- [x] third\n+ [ ] fourth\n\n# Later\n\n- [ ] fifth [bold]\n"
OTHER = "other-00000000"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", PAD).has(f"projects/{OTHER}/SCRATCHPAD.md", "- [ ] theirs\n")


def pad(store: AStore, project: str = PROJECT) -> str:
    return store.raw(f"projects/{project}/SCRATCHPAD.md").decode()


async def opened(pilot) -> None:  # type: ignore[no-untyped-def]
    await pilot.press("6")
    await shows(pilot, "Triage · ", "first")


async def test_items_their_state_one_character_for_x_marked_sets_as_one_step_and_runs(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await opened(pilot)
        await shows(
            pilot, "3 open items, 1 that the agent does not see · by project", "◌ its bullet is +", "fifth [bold]", "open items add"
        )
        await pilot.press("x")
        await until(pilot, lambda: pad(store) == PAD.replace("- [ ] first", "- [x] first"))
        await shows(pilot, "Done “first” · u to undo", "at first")
        await pilot.press("u")
        await until(pilot, lambda: pad(store) == PAD)
        await shows(pilot, "☐ first", "Now · line 3")  # the cursor is on what came back
        await pilot.press("slash", *"fif", "enter")
        await shows(pilot, "1 open item")
        await pilot.press("escape")
        for group in ("heading", "age", "none", "project"):
            pilot.app.tool.switch("group", group)
            pilot.app.tool.action_cycle("order")
        pilot.app.tool.switch("order", "line")
        await shows(pilot, "by project")
        await pilot.press("g", "J")
        await until(pilot, lambda: pad(store).index("second") < pad(store).index("first"))
        await pilot.press("K")
        await until(pilot, lambda: pad(store) == PAD)
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: "\n  - [ ] first" in pad(store))
        await pilot.press("less_than_sign")
        await until(pilot, lambda: pad(store) == PAD)
        await pilot.press("V", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.press("1", "g")
        await opened(pilot)
        await pilot.press("f")
        await shows(pilot, "☑ third", "1 done item")
        await pilot.press("f", "w")
        await shows(pilot, "all memories", OTHER, "theirs")
        screen = pilot.app.screen
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main and not screen.query("#todo-filter"))
        screen.show()  # an answer that comes after the screen was closed is dropped
        await screen.read(None)
        await opened(pilot)
        await pilot.press("g", "v")
        await shows(pilot, "Marked from here: moving marks all between, v ends that, esc unmarks.")
        await pilot.press("j", "j", "k")
        assert len(pilot.app.tool.rows.marked) == 2, "the marks follow the cursor"
        await pilot.press("escape")
        await shows(pilot, "Nothing is marked any more.")
        assert "Marked from here" not in screen_text(pilot.app) and not pilot.app.tool.rows.marked
        await pilot.press("g", "v", "j", "v")
        await shows(pilot, "2 marked: esc unmarks.")
        await pilot.press("j", "x")
        await until(pilot, lambda: pad(store).count("[x]") == 3)
        await pilot.press("u")
        await until(pilot, lambda: pad(store) == PAD)
        await shows(pilot, "3 open items, 1 that the agent does not see")
        await pilot.press("asterisk", "d")
        await until(pilot, lambda: pad(store) == "# Now\n\n- [x] third\n\n# Later\n")
        await shows(pilot, "Deleted 4 items")
        # a run decides one item with one key, and goes on where it stopped
        await back(pilot)
        await rewritten(pilot, "~/SCRATCHPAD.md", PAD)
        await pilot.press("1", "g")
        await opened(pilot)
        await pilot.press("Q")
        await shows(pilot, "1 of 4", "space Leave")
        assert "One by one" not in screen_text(pilot.app)
        await pilot.press("x")
        await shows(pilot, "2 of 4")
        await pilot.press("space")
        await shows(pilot, "3 of 4")
        await pilot.press("escape")
        await shows(pilot, "Stopped: Q goes on from here.", "Q One by one")
        await pilot.press("g", "Q")
        await shows(pilot, "1 of 2")
        await pilot.press("d")
        await shows(pilot, "2 of 2")
        await pilot.press("x")
        await shows(pilot, "Every item is decided.")
        assert pad(store) == PAD.replace("- [ ] first", "- [x] first").replace("+ [ ] fourth\n", "").replace(
            "- [ ] fifth", "- [x] fifth"
        )


async def test_edit_add_move_promote_note_log_archive_and_what_the_agent_took_away_meanwhile(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store)) as pilot:
        await opened(pilot)
        await pilot.press("e")
        await shows(pilot, "The words of this item:")
        await pilot.press("ctrl+w", *"1st", "enter")
        await until(pilot, lambda: "- [ ] 1st\n" in pad(store))
        await shows(pilot, "☐ 1st")
        await pilot.press("a")
        await shows(pilot, "A new item in")
        pilot.app.screen.focused.post_message(events.Paste("one\n- two\n"))
        await shows(pilot, "(2 lines)")
        await pilot.press("enter")
        await until(pilot, lambda: "- [ ] one\n- [ ] two\n" in pad(store))
        await shows(pilot, "☐ one", "☐ two")
        await pilot.press("a")
        await asked(pilot, "A new item in")
        await pilot.press("enter")
        await shows(pilot, "Add: nothing was typed, nothing was done.")
        await pilot.press("a")
        await asked(pilot, "A new item in")
        await pilot.press(*"two", "escape")
        await shows(pilot, "Add: nothing was done. What you typed is kept.")
        await pilot.press("a")
        await asked(pilot, "A new item in", "two")
        pilot.app.screen.focused.post_message(events.Paste("three\n- four\n"))
        await shows(pilot, "three … (2 lines)")
        await pilot.press("escape", "a")
        await shows(pilot, "three … (2 lines)")
        await pilot.press("enter")
        await until(pilot, lambda: "- [ ] three\n- [ ] four\n" in pad(store))
        await shows(pilot, "Added 2 items to demo-1a2b3c4d · u to undo")
        await pilot.press("u")
        await shows(pilot, "Undid: Added 2 items", "☐ two")
        await pilot.press("a")
        await asked(pilot, "A new item in")
        assert pilot.app.focused.value == ""  # those were taken
        await pilot.press("escape", "e")
        await asked(pilot, "The words of this item:", "1st")
        await pilot.press(*" more", "escape", "e")
        await asked(pilot, "The words of this item:", "1st more")
        await pilot.press("escape", "j", "e")
        await asked(pilot, "The words of this item:")
        assert pilot.app.focused.value == "second"
        await pilot.press("escape", "k")
        await pilot.press("m")
        await asked(pilot, "Move “1st” to:")
        await pilot.press("enter")
        await until(pilot, lambda: pad(store, OTHER) == "- [ ] theirs\n- [ ] 1st\n")
        await shows(pilot, "Moved “1st” to other-00000000")
        await pilot.press("plus")
        await until(pilot, lambda: store.at("MEMORY.md").exists() and store.raw("MEMORY.md") == b"- second\n")
        await shows(pilot, "Loaded “second”")
        await pilot.press("minus")
        await shows(pilot, "The name of the note:")
        await pilot.press("enter")
        await until(pilot, lambda: store.at("~/notes/fourth.md").exists())
        await shows(pilot, "into note fourth")
        await pilot.press("X")
        await until(pilot, lambda: store.at("~/daily/2026-05-25.md").exists())
        await shows(pilot, "Logged “")
        await pilot.press("Z")
        await until(pilot, lambda: store.at("~/archive/SCRATCHPAD.md").exists())
        await until(pilot, lambda: "third" not in pad(store))
        # what the agent took away is said, and nothing else is touched
        await back(pilot)
        await rewritten(pilot, "~/SCRATCHPAD.md", PAD)
        await pilot.press("1", "g")
        await opened(pilot)
        sees_nothing_new(pilot.app, monkeypatch)
        store.has("~/SCRATCHPAD.md", "- [ ] agent\n")
        await pilot.press("x")
        await shows(pilot, "1 item is gone: “first”")
        assert pad(store) == "- [ ] agent\n"


async def test_an_item_is_listed_and_asked_about_with_its_credentials_masked(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "# Now\n- [ ] rotate ghp_Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue\n")
    [item] = task_list(store.session(), [PROJECT]).tasks
    assert ("rotate ghp_…", "text") in task_row(item, "none", 0, lambda _: "").pieces
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "rotate ghp_…")
        await pilot.press("m")
        await asked(pilot, "Move “rotate ghp_…” to")


@pytest.mark.slow
async def test_an_item_that_came_under_the_cursor_when_the_agent_took_the_one_there_is_not_ticked_unseen(store: AStore) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] bread\n- [ ] second\n- [ ] third\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "bread")
        store.has("~/SCRATCHPAD.md", "- [ ] second\n- [ ] third\n")
        await until(pilot, lambda: "bread" not in screen_text(pilot.app))
        await shows(pilot, "just came")
        await pilot.press("x")
        await shows(pilot, "The row under the cursor has gone, and another is there now. Nothing was done.")
        assert pad(store) == "- [ ] second\n- [ ] third\n"
        await pilot.press("x")
        await until(pilot, lambda: pad(store) == "- [x] second\n- [ ] third\n")


@pytest.mark.slow
async def test_scratchpads_that_are_empty_broken_or_huge(store: AStore) -> None:
    store.has("projects/bad-00000000/SCRATCHPAD.md", b"- [ ] x\xff\n").has("projects/none-00000000/SCRATCHPAD.md", "")
    store.has("projects/big-00000000/SCRATCHPAD.md", "- [ ] one of very many\n" * 20_000)
    async with running(an_app(store)) as pilot:
        await pilot.press("6", "w")
        await until(pilot, lambda: "20,004 open items, 1 that the agent does not see" in screen_text(pilot.app), 60)
        await pilot.press("j", "G", "g")
        await shows(pilot, "bad-00000000", "not valid UTF-8")
    async with running(an_app(AStore(store.root, "none-00000000"))) as pilot:
        await pilot.press("6")
        await shows(pilot, "No item yet. a adds one", "w shows all memories.")
        await pilot.press("x")
        await shows(pilot, "Nothing selected")


async def test_items_of_all_stores_say_whose_they_are_and_are_done_edited_and_undone_there(tmp_path: Path) -> None:
    machine = with_items(tmp_path)
    topic, index = (f"{CLAUDE}/{name}" for name in ("project_deploy.md", "MEMORY.md"))
    before = machine.claude.tree()
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await pilot.press("6")
        await lit(pilot, "triage")
        await shows(pilot, "Triage · 1 open item", "zerostack · lantern · prompt", "mine", "6 Triage 1")
        await pilot.press("w")
        await shows(pilot, "all memories", "4 open items", "of the other project", "Claude Code · ", "ask Bob", "be brief")
        await pilot.press("w")
        await until(pilot, lambda: "Claude Code" not in screen_text(pilot.app))
        await pilot.press("w")
        await at_item(pilot, "ask Bob")
        await shows(pilot, "not loaded by design: its file is not in the prompt")
        await pilot.press("g")
        await at_item(pilot, "be brief")
        assert pilot.app.main.here.title == "zerostack"
        for key, words in (
            ("a", "Claude Code has no checklist"),
            ("X", "Claude Code has no daily logs"),
            ("m", "There is no other project or heading to move it to (m in Facts, 7, goes to other files)."),
        ):
            await pilot.press(key)
            await shows(pilot, words)
        await pilot.press("plus")
        await shows(pilot, "“be brief” is in every prompt already, as an instruction")
        await pilot.press("asterisk", "m")
        await shows(pilot, "These lie in ", "Mark those of one. Nothing was done.")
        assert machine.claude.tree() == before
        await pilot.press("x")  # done in all of them, as one step
        await until(pilot, lambda: b"- [x] ask Bob" in machine.claude.raw(topic))
        await shows(pilot, "zerostack: Done 2 items. Claude Code: Done 2 items · u to undo")
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.tree() == before)
        await shows(pilot, "☐ ask Bob", "be brief")
        await pilot.press("g")
        await at_item(pilot, "ask Bob")
        await pilot.press("x")
        await until(pilot, lambda: b"- [x] ask Bob" in machine.claude.raw(topic))
        assert pilot.app.main.here.title == "zerostack"
        await shows(pilot, "Done “ask Bob” · u to undo")
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.tree() == before)
        await shows(pilot, "☐ ask Bob")
        await at_item(pilot, "ask Bob")
        await pilot.press("plus")  # what it offers in Facts, and the index where there is no long-term memory
        await shows(pilot, "Load this item, moving it to:", "The index, MEMORY.md", "CLAUDE.md, the instructions of")
        await pilot.press("enter")
        await shows(pilot, "Loaded “ask Bob” into MEMORY.md · u to undo")
        assert machine.claude.raw(index).endswith(b"\n- ask Bob\n") and b"ask Bob" not in machine.claude.raw(topic)
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.tree() == before)
        await at_item(pilot, "ask Bob")
        await pilot.press("plus", *"CLAUDE", "enter")
        await shows(
            pilot, "Load into CLAUDE.md", "- ask Bob", "<!-- zerostack-memory:begin -->", "is in every prompt of Claude Code"
        )
        await pilot.press("escape")
        await at_item(pilot, "ask Bob")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.main.viewer.file is not None and pilot.app.main.viewer.file.ref.path == topic)
        assert pilot.app.main.here.title == "Claude Code"
        await until(pilot, lambda: any("You are in the memory of Claude Code now." in text for _, text in pilot.app.told))


async def at_item(pilot, text: str) -> None:  # type: ignore[no-untyped-def]
    await shows(pilot, text)
    rows = pilot.app.tool.rows
    await until(pilot, lambda: any(text in task.item.text for task in pilot.app.tool.tasks.values()))
    for _ in range(12):
        task = rows.at_cursor()
        if task is not None and text in task.item.text:
            return
        await pilot.press("j")
    raise AssertionError(screen_text(pilot.app))


def with_items(place: Path) -> Machine:
    machine = Machine(place)
    machine.own.has("~/SCRATCHPAD.md", "- [ ] mine\n").has("projects/other-11112222/SCRATCHPAD.md", "- [ ] of the other project\n")
    machine.claude.has(f"{CLAUDE}/project_deploy.md", "---\nname: deploy\n---\n\n- [ ] ask Bob\n- [x] done\n")
    machine.claude.has("CLAUDE.md", "- [ ] be brief\n- [a link](x.md)\n")
    return machine


async def both(pilot) -> None:  # type: ignore[no-untyped-def]
    await until(pilot, lambda: len(pilot.app.main.stores) == 2 and all(store.catalog for store in pilot.app.main.stores))


@pytest.mark.slow
async def test_a_key_before_the_first_read_of_a_screen_that_is_left_holds_up_none(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TriageScreen, "load", lambda self: None)
    monkeypatch.setattr(typed_ahead, "HOLD_SECONDS", 0.5)
    async with running(an_app(store)) as pilot:
        for key, leave in (("m", "1"), ("X", "1"), ("m", "escape"), ("X", "escape")):
            await pilot.press("6")
            await until(pilot, lambda: isinstance(pilot.app.screen, TriageScreen))
            await pilot.press(key)
            if leave != "escape":  # which is not dropped behind what is refused
                await until(pilot, lambda: not keys_wait(pilot.app) and not pilot.app.conversations.under_way)
            await pilot.press(leave)
            await until(pilot, lambda: pilot.app.screen is pilot.app.main and not pilot.app.conversations.under_way)
