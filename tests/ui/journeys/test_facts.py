"""Facts in the running program: what the agent sees of each, one key for each thing to do, files that change underneath."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tests.builders import NOW, PROJECT, AStore
from tests.ui.driving import (
    NOW_NS,
    an_app,
    asked,
    by_name,
    pasted,
    rewritten,
    running,
    screen_text,
    sees_nothing_new,
    show_only,
    shows,
    to_the_tree,
    until,
)
from tests.ui.several import CLAUDE, Machine, both
from zsmem_tui.config.model import Config
from zsmem_tui.service import wanted
from zsmem_tui.service.facts.rows import MANY_FILES, FactList, FactReader, Scope
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.facts import screen
from zsmem_tui.ui.facts.screen import FactsScreen, Known
from zsmem_tui.ui.prompt.screen import PromptScreen
from zsmem_tui.ui.widgets import row_list

MEMORY = "# Memory\n\n- the build needs make\n- the port is 8080 [bold]\n\n## Style\n\n- tabs, never blanks\n- two\n  lines\n"
NOTE = "# n\n\nA note.\n\n- the port is 8080 [bold]\n"
OTHER = "other-00000000"
WIDE = (200, 40)
"""Room for whole sentences."""


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", MEMORY).has("~/notes/n.md", NOTE)
    return made.has(f"projects/{OTHER}/notes/n.md", "- theirs\n")


def memory(store: AStore) -> str:
    return store.raw("MEMORY.md").decode()


def facts(pilot: Any) -> FactsScreen:
    assert isinstance(pilot.app.tool, FactsScreen)
    return pilot.app.tool


def at_cursor(pilot: Any) -> str:
    row = facts(pilot).rows.at_cursor()
    return row.fact.says if row is not None else ""


async def opened(pilot: Any, count: int = 6) -> None:
    await pilot.press("7")
    await shows(pilot, f"{count} facts", "If you press")


@pytest.mark.slow
async def test_every_effect_has_room_in_windows_of_any_size_and_a_key_stands_once(tmp_path: Path) -> None:
    items = "".join(f"- [ ] item number {number} with words that need two rows\n" for number in range(30))
    store = AStore(tmp_path / "memory").has("MEMORY.md", MEMORY).has("~/SCRATCHPAD.md", items)
    async with running(an_app(store, inject_cap=600), (120, 36)) as pilot:
        await pilot.press("7", "G")
        for size in ((120, 36), (80, 24), (120, 30)):
            await pilot.resize_terminal(*size)
            await shows(pilot, "│ + load", "or into MEMORY.md: 1 line in, 1", "│ d delete: the prompt stays as it is")


async def test_facts_say_what_of_them_is_in_the_prompt_in_groups_orders_and_under_a_filter(store: AStore) -> None:
    async with running(an_app(store, inject_cap=100), WIDE) as pilot:
        await opened(pilot)
        await shows(pilot, "the build needs make", "✗ two lines", "◌ A note.", "the port is 8080 [bold]", "twice")
        await shows(pilot, "written before zsmem saw it", "loaded", "d delete", "- unload for all projects, into a note:")
        await pilot.press("G")
        await shows(
            pilot,
            "d delete: the prompt stays as it is",
            "+ load for all projects: it stands in MEMORY.md already",
        )
        await until(pilot, lambda: "+ Load" not in screen_text(pilot.app))
        await pilot.press("g", "f", "j")
        await asked(pilot, "all · 6 · shown now", "lost or cut · 2", "not loaded · 2")
        await pilot.press("enter")
        await shows(pilot, "2 of 6 facts · lost or cut", "✗ two lines", " 2 loaded · ✗ 2 lost · ◌ 2 not loaded by design")
        for size in ((80, 24), (110, 30)):
            await pilot.resize_terminal(*size)
            await pilot.press("G")
            await shows(pilot, "lost: past the agent's limit", "before zsmem saw it", "bytes, ", " tokens", f"{PROJECT} · prompt")
        await pilot.resize_terminal(20, 6)
        await until(pilot, lambda: facts(pilot).rows.region.width == 20)
        await pilot.resize_terminal(*WIDE)
        await show_only(pilot, "not loaded")
        await shows(pilot, "2 of 6 facts · not loaded")
        await show_only(pilot, "all")
        await pilot.press("w")
        await shows(pilot, "Facts · 7 facts · by place · all memories ━")
        await pilot.press("G")
        await shows(pilot, "theirs")
        await pilot.press("w", "g")
        await shows(pilot, "Facts · 6 facts · by place · demo-1a2b3c4d ━")
        await by_name(pilot, "Group")
        await asked(pilot, "place · shown now", "author")
        await pilot.press("j", "enter")
        await shows(pilot, "by prompt", "✗ lost", "◌ not loaded by design")
        await by_name(pilot, "Group")
        await asked(pilot, "prompt · shown now")
        await pilot.press("j", "enter")
        await shows(pilot, "by author", "before zsmem")
        for what, ways in (("order", ("age", "author", "size")), ("group", ("age", "size", "none"))):
            for way in ways:
                pilot.app.tool.switch(what, way)
        await shows(pilot, "size first")
        await pilot.press("slash", *"style", "enter")
        await shows(pilot, "2 of 6 facts")
        await pilot.press("escape", "slash", *"quokka", "enter")
        await shows(pilot, "No fact here holds 'quokka'")
        # a project that has no prompt
        odd = store.at("projects/\ufffd..x/notes/n.md")
        store.has("projects/\ufffd..x/notes/n.md", "- odd, and longer\n- even\n")
        await pilot.app.main.look_now()
        await pilot.press("escape", "w", "slash", *"..x", "enter", "g")
        await shows(pilot, "all memories", "2 of ")
        await until(pilot, lambda: at_cursor(pilot) == "odd, and longer")
        await pilot.press("d")
        await until(pilot, lambda: odd.read_text() == "- even\n")


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("f", "j", "enter"), ("slash", *"tabs", "enter")])
async def test_a_key_acts_on_a_fact_that_a_filter_brought_under_the_cursor_after_others_wrote(
    store: AStore, keys: tuple[str, ...]
) -> None:
    async with running(an_app(store, inject_cap=100), WIDE) as pilot:
        await opened(pilot)
        store.has("~/notes/n.md", NOTE + "- of the agent\n")
        await shows(pilot, "7 facts")
        await pilot.press(*keys)
        await until(pilot, lambda: at_cursor(pilot) == "tabs, never blanks" and facts(pilot).rows.has_focus)
        await pilot.press("plus")
        await shows(pilot, "Moved up “tabs, never blanks”")


async def test_the_row_of_a_long_fact_shows_the_words_that_the_filter_found(store: AStore) -> None:
    store.has("~/notes/n.md", f"{'A paragraph goes on. ' * 40}Here the quokka sleeps. {'And on. ' * 9}\n\nA note.\n")
    async with running(an_app(store), (80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"QUOKKA", "enter")
        await shows(pilot, "1 of 6 facts", "◌ …", "Here the quokka sleeps.")


async def test_the_first_of_many_facts_are_shown_while_the_rest_is_read(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MANY_FILES + 40):
        store.has(f"projects/p{number:02}-00000000/notes/n.md", f"- fact {number} of many\n- a line of all\n")
    goes_on, list_of = threading.Event(), FactReader._list

    def slow(self: FactReader, entries: Any, wanted: Any, home: str) -> FactList:
        if len(entries) > MANY_FILES:
            goes_on.wait(10)
        return list_of(self, entries, wanted, home)

    async with running(an_app(store), (120, 24)) as pilot:
        await opened(pilot)
        monkeypatch.setattr(FactReader, "_list", slow)
        await pilot.press("j", "w")
        await shows(pilot, "Facts · reading the rest …", "  the port is 8080 [bold]")
        assert at_cursor(pilot) == "the port is 8080 [bold]"
        await pilot.press("j", "j", "j")
        goes_on.set()
        await shows(pilot, f"{7 + 2 * (MANY_FILES + 40)} facts", "loaded")
        assert at_cursor(pilot) == "A note."
        shown = [key for key in facts(pilot).rows.keys if not isinstance(key, str)]
        assert shown == [row.key for row in FactReader(store.session()).read(Scope.ALL).rows]
        await pilot.press("slash", *"many", "enter")
        await shows(pilot, f"{MANY_FILES + 40} of {7 + 2 * (MANY_FILES + 40)} facts")


@pytest.mark.slow
async def test_facts_of_all_memories_are_changed_where_they_are_and_go_to_the_top_and_to_another_agent(tmp_path: Path) -> None:
    """Both stores have a MEMORY.md: what is done to a fact of one leaves the other as it is, and so does looking at it."""
    machine = Machine(tmp_path)
    machine.claude.has(f"{CLAUDE}/MEMORY.md", "- Ann likes tea\n- bravo\n")
    own, before = machine.own.tree(), machine.claude.tree()
    async with running(machine.app(), WIDE) as pilot:
        await both(pilot)
        await pilot.press("7")
        await shows(pilot, "zerostack · lantern · prompt", "2 facts", "w Wider")
        await pilot.press("w")
        await shows(pilot, " all memories", "8 facts", "zerostack", "Claude Code", "be brief", "far away", "w This memory")
        await pilot.press("slash", *"bravo", "enter")
        await shows(pilot, "1 of ", "prompt of /home/ann/lantern")
        assert pilot.app.main.here.title == "zerostack"
        await pilot.press("space", "escape", "g", "space", "m")
        await shows(pilot, "These lie in ", "Mark those of one. Nothing was done.", "At a fact, or marked ones")
        assert (machine.own.tree(), machine.claude.tree()) == (own, before)
        await pilot.press("d")  # in both, as one step
        await until(pilot, lambda: machine.own.tree() != own and machine.claude.raw(f"{CLAUDE}/MEMORY.md") == b"- Ann likes tea\n")
        await shows(pilot, "zerostack: Deleted ", "Claude Code: Deleted “bravo”", "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: (machine.own.tree(), machine.claude.tree()) == (own, before))
        await pilot.press("slash", *"bravo", "enter", "d")
        await until(pilot, lambda: machine.claude.raw(f"{CLAUDE}/MEMORY.md") == b"- Ann likes tea\n")
        await shows(pilot, "Deleted", "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: machine.claude.tree() == before)
        await shows(pilot, "· in Claude Code", "1 of ")
        assert machine.own.tree() == own and pilot.app.main.here.title == "zerostack"
        await pilot.press("4")  # of the memory and the project of the row
        await until(pilot, lambda: isinstance(pilot.app.tool, PromptScreen))
        await shows(pilot, "Claude Code · /home/ann/lantern", "MEMORY.md 1%, 2 of 200 lines")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: pilot.app.tool is None)
        # it goes to the top, where there is room; to another agent too
        index, full = f"{CLAUDE}/MEMORY.md", "".join(f"- fact {number}\n" for number in range(205))
        await to_the_tree(pilot)
        await rewritten(pilot, index, full, pilot.app.main.stores[1])
        await pilot.press("7", "w", "slash", *"ask Bob", "enter")
        await shows(pilot, "1 of ", "prompt of /home/ann/lantern")
        await pilot.press("plus")
        await asked(
            pilot,
            "━ Load ━",
            "Load this fact, moving it to:",
            "MEMORY.md · in the prompt of /home",
            "CLAUDE.md, the instructions of",
        )
        await pilot.press("escape")
        await shows(pilot, "1 fact")
        assert machine.claude.raw(index).decode() == full
        await pilot.press("plus", "enter")
        await until(pilot, lambda: machine.claude.raw(index).startswith(b"- ask Bob for the tag\n- fact 0\n"))
        await shows(pilot, "The prompt: 1 line in, 1 line out, ", "Out goes: - fact 199.")
        await pilot.press("c")
        await asked(pilot, "CLAUDE.md for all projects", "zerostack · MEMORY.md")
        await pilot.press(*"zerostack", "enter")
        await shows(pilot, "Copy to zerostack", "- ask Bob for the tag")
        await pilot.press("f3")
        await shows(pilot, "f3 does nothing here · A does it, esc leaves all as it is.")
        await pilot.press("A")
        await until(pilot, lambda: machine.own.raw("MEMORY.md").endswith(b"- ask Bob for the tag\n"))
        assert b"ask Bob" in machine.claude.raw(index), "a copy leaves it where it is"
        await pilot.press("u")
        await until(pilot, lambda: b"ask Bob" not in machine.own.raw("MEMORY.md"))
        both_before = machine.claude.raw(index), machine.own.raw("MEMORY.md")
        await pilot.press("m")
        await asked(pilot, "zerostack · MEMORY.md")
        await pilot.press(*"zerostack", "enter")
        await shows(pilot, "Move to zerostack", "- ask Bob for the tag")
        await pilot.press("A")
        await until(pilot, lambda: machine.own.raw("MEMORY.md").endswith(b"- ask Bob for the tag\n"))
        await until(pilot, lambda: machine.claude.raw(index).decode() == full)  # a move takes it away afterwards
        await shows(pilot, "Moved 1 fact to MEMORY.md of zerostack", "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: (machine.claude.raw(index), machine.own.raw("MEMORY.md")) == both_before)


@pytest.mark.slow
async def test_marked_facts_go_as_one_step_and_the_cursor_stays_on_its_fact_or_finds_it_again(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, gate, parts = store.tree(), threading.Event(), Known.parts

    def slow(*about: Any) -> Any:
        yield from parts(*about) if gate.wait(60) else ()

    async with running(an_app(store), WIDE) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"8080", "enter", "space")
        await shows(pilot, "1 marked · Facts · ")
        await pilot.press("asterisk")
        await shows(pilot, "2 marked · Facts · ")
        await pilot.press("d")
        await until(pilot, lambda: "8080" not in memory(store) and b"8080" not in store.raw("~/notes/n.md"))
        await shows(pilot, "Deleted 2 facts", "u to undo", "The prompt: 0 lines in, 1 line out")
        await until(pilot, lambda: " marked ·" not in screen_text(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)
        await shows(pilot, "2 facts")
        await pilot.press("escape", "g", "d")
        await until(pilot, lambda: at_cursor(pilot) == "the port is 8080 [bold]")
        await shows(pilot, "Deleted “the build needs make” in MEMORY.md")
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before and at_cursor(pilot) == "the build needs make")
        # a key paints the rows that it changes
        pilot.app.draws_unseen = True
        rows, painted = facts(pilot).rows, list[Any]()
        draw = rows._draw
        await until(pilot, lambda: "written before zsmem saw it" in screen_text(pilot.app))

        def noted(key: Any) -> Any:
            painted.append(key)
            return draw(key)

        rows._draw = noted
        for key in "jk" * 9:  # what was read about them meanwhile paints all of them
            painted.clear()
            first = rows.key
            await pilot.press(key)
            if set(painted) == {first, rows.key}:
                break
        assert set(painted) == {first, rows.key}
        rows._draw, pilot.app.draws_unseen = draw, False
        # the list follows an agent, and the cursor stays on its fact
        await pilot.press("g", "slash", *"a", "enter", "escape", "j", "j")
        assert at_cursor(pilot) == "tabs, never blanks"
        store.has("MEMORY.md", "# Memory\n\nAn agent wrote this.\n\n" + MEMORY.removeprefix("# Memory\n\n"))
        await shows(pilot, "7 facts", "An agent wrote this.", "new")
        assert at_cursor(pilot) == "tabs, never blanks"
        # a fact that comes back is found, however long reading takes
        await rewritten(pilot, "MEMORY.md", MEMORY)
        await shows(pilot, "6 facts")
        await pilot.press("g", "d")
        await until(pilot, lambda: at_cursor(pilot) == "the port is 8080 [bold]")
        monkeypatch.setattr(Known, "parts", slow)
        monkeypatch.setattr(row_list, "LOOK_SECONDS", 0.01)
        await pilot.press("u")
        await shows(pilot, "Undid")
        await pilot.pause(0.1)
        gate.set()
        await until(pilot, lambda: store.tree() == before and at_cursor(pilot) == "the build needs make")
        rows = pilot.app.screen.rows
        await until(pilot, lambda: rows.before_undo is None)
        store.has("MEMORY.md", "- first of all\n" + memory(store))
        await shows(pilot, "first of all")
        assert at_cursor(pilot) == "the build needs make"
        # what each key would do is never that of before the last one
        held, weighed = threading.Event(), screen.weighed
        monkeypatch.setattr(screen, "weighed", lambda *about: weighed(*about) if held.wait(60) else [])
        await pilot.press("d")
        await shows(pilot, "Deleted “the build needs make”", screen.WEIGHING)
        held.set()
        await shows(pilot, "│ d delete · - unload for all projects")
        assert "+ load" not in screen_text(pilot.app).lower(), "what is loaded is not offered to load"


async def test_facts_are_edited_added_ordered_judged_in_a_run_moved_copied_demoted_and_promoted(store: AStore) -> None:
    async with running(an_app(store), WIDE) as pilot:
        await opened(pilot)
        await pilot.press("e")
        await asked(pilot, "The words of this fact:")
        await pilot.press("x", "ctrl+s")  # a key adds to the words instead of replacing them
        await until(pilot, lambda: "- the build needs makex\n" in memory(store))
        await shows(pilot, "  the build needs makex", "to undo", "written just now by you")
        await pilot.press("H")
        await shows(pilot, "of “the build needs makex”", "-│ - the build needs make", "+│ - the build needs makex", "2 versions")
        await pilot.press("escape", "e")
        await asked(pilot, "The words of this fact:")
        await pasted(pilot, " and" * 30 + " ninja")
        await shows(pilot, "the build needs makex and and", "and ninja")
        await pilot.press("escape")
        await shows(pilot, "Edit: nothing was done. What you typed is kept.")
        await pilot.press("e")
        await asked(pilot, "The words of this fact:", "and ninja")
        await pilot.press("ctrl+u")
        await pasted(pilot, "it needs  ninja")
        await pilot.press("enter")
        await until(pilot, lambda: "- it needs ninja\n" in memory(store))
        await pilot.press("a")
        await asked(pilot, "A fact below")
        await pasted(pilot, "and python")
        await pilot.press("enter")
        await until(pilot, lambda: "- it needs ninja\n- and python\n" in memory(store))
        await shows(pilot, "  and python")
        await pilot.press("J")
        await until(pilot, lambda: "- and python\n- it needs ninja\n" in memory(store))
        await until(pilot, lambda: at_cursor(pilot) == "it needs ninja")
        await pilot.press("K")
        await until(pilot, lambda: "- it needs ninja\n- and python\n" in memory(store))
        await pilot.press("slash", *"tabs", "enter", "plus")
        await until(pilot, lambda: memory(store).startswith("# Memory\n\n- tabs, never blanks\n"))
        await shows(pilot, "to undo")
        assert at_cursor(pilot) == "tabs, never blanks"
        await pilot.press("escape", "G")
        await until(pilot, lambda: at_cursor(pilot) == "the port is 8080 [bold]")
        await pilot.press("plus")
        await shows(pilot, "stands in MEMORY.md already: d takes it out here. Nothing was moved.")
        await pilot.press("minus")
        await shows(pilot, "is not loaded: no prompt takes in", "m moves what is there. Nothing was moved.")
        assert store.raw("~/notes/n.md").decode() == NOTE
        # a run judges each fact with one key, and one of several lines goes to the editor
        await rewritten(pilot, "MEMORY.md", MEMORY)
        await shows(pilot, "6 facts")
        await pilot.press("slash", *"two", "enter", "e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None and pilot.app.focused.id == "text")
        assert pilot.app.main.editor.area.cursor_location[0] == 8
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.tool, FactsScreen) and at_cursor(pilot) == "two lines")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.tool is None and pilot.app.main.current == "viewer")
        before = store.tree()
        await until(pilot, lambda: "d Delete " in screen_text(pilot.app))  # and not the file, of which the fact is meant
        await pilot.press("d")
        await asked(pilot, "Only “two lines”", "The whole file, 10 lines")
        await pilot.press("escape", "d")
        await asked(pilot, "Only “two lines”")
        await pilot.press("enter")
        await until(pilot, lambda: b"lines" not in store.raw("MEMORY.md") and b"tabs" in store.raw("MEMORY.md"))
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)
        await pilot.press("1", "g")
        await opened(pilot)
        await pilot.press("g", "Q")
        await shows(pilot, "1 of 6")
        await pilot.press("space")
        await shows(pilot, "2 of 6")
        await pilot.press("d")
        await shows(pilot, "3 of 6")
        await pilot.press("e")
        await asked(pilot, "The words of this fact:")
        await pilot.press("ctrl+u", *"blanks", "enter")
        await shows(pilot, "4 of 6")
        await pilot.press("escape", "g", "Q")
        await shows(pilot, "1 of 3")
        await pilot.press("space", "space", "space")
        await shows(pilot, "Every fact is decided.")
        assert memory(store) == MEMORY.replace("- the port is 8080 [bold]\n", "").replace("tabs, never blanks", "blanks")
        # to another place, the one of last time first
        await rewritten(pilot, "MEMORY.md", MEMORY)
        await shows(pilot, "6 facts")
        await pilot.press("g", "m")
        await asked(pilot, "Move “the build needs make” to:", "MEMORY.md › Memory › Style")
        await pilot.press(*"style", "enter")
        await until(pilot, lambda: memory(store).endswith("  lines\n- the build needs make\n"))
        await shows(pilot, "Moved 1 fact to MEMORY.md, below Style")
        await pilot.press("slash", *"tabs", "enter", "c")
        await asked(pilot, "Copy “tabs, never blanks” to:")
        await pilot.press(*"note ")
        await shows(pilot, "other-00000000 · note n", "other-00000000 · note style (new)")
        assert " note n" in screen_text(pilot.app).replace("· note n", ""), "one's own is named without its project"
        await pilot.press(*"n", "enter")
        await until(pilot, lambda: b"tabs" in store.raw("~/notes/n.md"))
        await shows(pilot, "Copied 1 fact")
        await pilot.press("escape", "g", "minus")
        await asked(pilot, "━ Unload ━", "The note that")
        proposed = pilot.app.screen.query_one(Input).value
        await pilot.press(*"zzz", "escape", "minus")
        await asked(pilot, "━ Unload ━", "The note that")
        assert pilot.app.screen.query_one(Input).value == proposed, "what was typed and left is no proposal"
        await pilot.press("ctrl+u", *"a/b", "enter")
        await shows(pilot, "invalid note name")
        await pilot.press("ctrl+u", *"ports", "enter")
        await until(pilot, lambda: store.at("~/notes/ports.md").exists() and "8080" not in memory(store))
        await shows(pilot, "Moved 1 fact to")
        await pilot.press("g", "m")
        await asked(pilot, "to:")
        await pilot.press(*"other", "enter")
        await shows(pilot, f"Moved 1 fact to {OTHER} · note style")
        await pilot.press("slash", *"note.", "enter", "m")
        await asked(pilot, "Move “A note.” to:")
        await pilot.press("enter")  # from another file, to where the last one went
        await until(pilot, lambda: b"A note." not in store.raw("~/notes/n.md"))
        assert b"A note." in store.raw(f"projects/{OTHER}/notes/style.md")
        assert sum(b"A note." in raw for raw in store.tree().values()) == 1
        await shows(pilot, "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: b"A note." in store.raw("~/notes/n.md"))
        await pilot.press("escape", "slash", *"note.", "enter")
        await until(pilot, lambda: at_cursor(pilot) == "A note.")
        await pilot.press("plus")
        await until(pilot, lambda: "A note.\n" in memory(store))


async def test_wanted_facts_and_fit_are_one_step(store: AStore) -> None:
    sections = "".join(f"## S{part}\n\n" + "".join(f"- fact {part}.{n} {'x' * 40}\n" for n in range(20)) for part in range(6))
    store.has("MEMORY.md", f"# Memory\n\n{sections}")
    app = an_app(store, inject_cap=3_000)
    async with running(app, WIDE) as pilot:
        await opened(pilot, 122)
        await pilot.press("slash", *"5.19", "enter")
        await by_name(pilot, "Keep")
        await shows(pilot, "Marked 1 fact to stay in the prompt", "fact 5.19", "marked to stay in the prompt")
        before = store.tree()
        await pilot.press("equals_sign")
        await shows(pilot, "Fit: ", "before", "after", "of 2.9K, no line lost", "every prompt")
        await pilot.press("space")
        await shows(pilot, "1 left out", "[ ]")
        assert store.tree() == before
        await pilot.press("k", "space")
        await until(pilot, lambda: "left out ·" not in screen_text(pilot.app))
        await pilot.press("A")
        await shows(pilot, "Made ", "u to undo")
        found = FactReader(app.main.session).read(Scope.PROJECT).rows
        assert {row.prompt for row in found if row.ref.path == "MEMORY.md"} == {"whole"}
        assert [row.fact.says[:9] for row, is_so in zip(found, wanted.is_wanted(app.main.session, found), strict=True) if is_so]
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)


async def test_a_fact_of_an_agent_that_loads_items_alone_becomes_one_and_keys_that_cannot_work_are_not_offered(
    tmp_path: Path,
) -> None:
    store = AStore(tmp_path / "a" / ".memsearch" / "memory").has(
        "2026-05-24.md", "## Session\n\nA line.\n\nTwo\nlines.\n\n- item\n"
    )
    session = open_store(Config(), "memsearch", cwd=str(tmp_path / "a"), clock=lambda: NOW)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS), WIDE) as pilot:
        await opened(pilot, 3)
        await pilot.press("g")
        await until(pilot, lambda: at_cursor(pilot) == "A line.")
        await shows(pilot, "+ load: 1 line in, 0 lines out", "+ Load  e Edit")
        await pilot.press("plus")
        await until(pilot, lambda: "\n- A line.\n" in store.raw("2026-05-24.md").decode())
        await pilot.press("j")
        await until(pilot, lambda: at_cursor(pilot) == "Two lines.")
        await shows(
            pilot, "+ load: it would be lost at any place", "items are shown. m takes it", "e Edit  d Delete  / Filter  m Move"
        )
        await pilot.press("plus")
        await shows(pilot, "m takes it to another file or agent, e changes it. Nothing was moved.")


async def test_the_other_memories_are_among_the_first_places_to_move_to(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.own.has(
        "MEMORY.md", "- Ann likes tea\n" + "".join(f"\n## Section {number}\n\n- of it {number}\n" for number in range(40))
    )
    async with running(machine.app(), (100, 30)) as pilot:
        await both(pilot)
        await pilot.press("7")
        await shows(pilot, "Ann likes tea")
        await pilot.press("g", "m")
        await asked(pilot, "Section 0", "Claude Code · /home/ann/lantern · MEMORY.md")
        await pilot.press("down", "enter")
        await shows(pilot, "Move to Claude Code", "- Ann likes tea")
        await pilot.press("escape", "m")
        await asked(pilot, "type to filter")
        await pilot.press(*"claudefar", "enter")  # its other projects are there, too
        await shows(pilot, "Move to Claude Code", "-home-ann-far", "- Ann likes tea")


@pytest.mark.slow
async def test_a_fact_comes_into_a_full_prompt_by_a_plan_and_a_key_that_cannot_work_is_not_offered(store: AStore) -> None:
    store.has("MEMORY.md", "# Memory\n\n" + "".join(f"- known {number} {'x' * 60}\n" for number in range(60)))
    log = "## Notes\n\n---\nname: of the day\n---\n\n" + "".join(f"- logged {number} {'z' * 60}\n" for number in range(40))
    store.has("~/daily/2026-05-24.md", f"{log}- meant\n")
    async with running(an_app(store, inject_cap=4_000), WIDE) as pilot:
        await opened(pilot, 103)
        await pilot.press("slash", *"meant", "enter")
        await shows(pilot, "+ load, by 3 moves that it shows: ", "+ Load")
        await pilot.press("plus", "enter")
        await asked(pilot, "Fit: demo-1a2b3c4d into its prompt", "3 moves")
        assert store.raw("~/daily/2026-05-24.md").decode() == f"{log}- meant\n"
        await pilot.press("A")
        await shows(pilot, "Made 3 moves in", "loaded · written before zsmem saw it ·")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("~/daily/2026-05-24.md").decode() == f"{log}- meant\n")


def gone(store: AStore) -> None:
    store.has("MEMORY.md", "")


def twice(store: AStore) -> None:
    store.has("MEMORY.md", "- x\n- y\n- the build needs make\n- the build needs make\n")


def folder(store: AStore) -> None:
    store.at("MEMORY.md").unlink()
    store.at("MEMORY.md").mkdir()


def not_utf8(store: AStore) -> None:
    store.has("MEMORY.md", b"\xff\xfe")


@pytest.mark.slow
async def test_what_changed_between_two_keys_is_said_and_nothing_is_written(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = "is no longer in MEMORY.md"
    app = an_app(store)
    async with running(app, WIDE) as pilot:
        await opened(pilot)
        await pilot.press("asterisk", "m")
        await asked(pilot, "to:")
        store.at("~/notes/n.md").unlink()
        store.at("~/notes/n.md").mkdir()
        before = store.tree()
        await pilot.press(*"note n", "enter")
        await shows(pilot, "Nothing was moved")
        assert store.tree() == before
        store.at("~/notes/n.md").rmdir()
        store.has("~/notes/n.md", NOTE)
        await app.main.look_now()
        await pilot.press("escape", "g")
        sees_nothing_new(app, monkeypatch)
        for change, sentence in ((gone, lost), (twice, lost), (not_utf8, "MEMORY.md"), (folder, "MEMORY.md")):
            change(store)
            before = store.tree()
            facts(pilot).say("")
            await pilot.press("d")
            await shows(pilot, sentence, "Nothing was deleted")
            assert store.tree() == before
            if change is not folder:
                store.has("MEMORY.md", MEMORY)
                await pilot.press("escape", "7")
                await opened(pilot)


@pytest.mark.slow
async def test_odd_texts_are_shown_and_deleted_to_the_byte(store: AStore) -> None:
    odd = "- one\r\n\t- nested\r\n\t\t- deeper\r\n- fence\r\n  ```\r\n  - no fact\r\n  ```\r\n- same\r\n- same\r\n"
    store.has("MEMORY.md", odd + "- " + "y" * 100_000 + "\r\n")
    async with running(an_app(store), size=(80, 24)) as pilot:
        await opened(pilot, 7)
        await pilot.press("slash", *"same", "enter", "d")
        await until(pilot, lambda: memory(store).count("same") == 1)
        await shows(pilot, "1 of ")
        await pilot.press("u", "escape", "slash", *"yyyy", "enter", "e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        assert memory(store).startswith(odd)


@pytest.mark.slow
async def test_a_store_without_facts_says_so(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "memory").has("~/notes/n.md", ""))) as pilot:
        await pilot.press("7")
        await shows(pilot, "No fact yet. a adds one to MEMORY.md")
        await pilot.press("d", "e", "m")
        await shows(pilot, "Nothing selected")
        await pilot.press("slash", "x", "enter")
        await shows(pilot, "No fact here holds 'x'")
        await pilot.press("escape", "equals_sign")
        await shows(pilot, "It fits already")
        await pilot.press("a")
        await shows(pilot, "A fact for MEMORY.md:")
        await pilot.press(*"first", "enter")
        await shows(pilot, "Added 1 fact to MEMORY.md.")
        await until(pilot, lambda: at_cursor(pilot) == "first")
    assert (tmp_path / "memory/MEMORY.md").read_text() == "- first\n"
