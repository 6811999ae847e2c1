"""What the agent sees, in the running program: the block, lost lines, other days and profiles, the meter, costs."""

from __future__ import annotations

import os
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from tests.ui.driving import an_app, asked, back, by_name, running, screen_text, shows, to_changes, until
from tests.ui.several import CLAUDE, Machine
from zsmem_tui.service import previewing
from zsmem_tui.service.history import look_at_all
from zsmem_tui.service.session import Session
from zsmem_tui.ui.prompt.screen import PromptScreen
from zsmem_tui.ui.review.screen import ReviewScreen


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "agent" / "memory")
    made.has("MEMORY.md", "".join(f"fact number {number} stands here\n" for number in range(40)))
    made.has("~/SCRATCHPAD.md", "# Plan\n\n- [ ] open item\n+ [ ] hidden item\n")
    return made.has("~/daily/2026-05-25.md", "today \x1b[31mred [bold]\n").has("~/daily/2026-05-20.md", "older\n")


async def test_the_block_its_sections_every_lost_line_and_how_a_lost_fact_is_brought_in(store: AStore) -> None:
    app = an_app(store, inject_cap=300)
    async with running(app) as pilot:
        await pilot.press("f2")
        await shows(pilot, "· today · as docs say", "Long-term memory (MEMORY.md)", "cut, 1.1K in all", "lost, 44B in all")
        await shows(pilot, "1.2K in all, 300B loaded, 3 facts lost (32 lines)", "█ MEMORY 300B", "░ lost 9")
        await shows(pilot, "✂ cut MEMORY.md:11 ", "✗ MEMORY.md:12 fact number 11", "1 checklist line of", "f lost only")
        await shows(pilot, "Not in the prompt, searched on demand: 1")
        await pilot.press("G", "l")
        await shows(pilot, "✗ today ␛[31mred [bold]")
        await by_name(pilot, "Copy block")
        await shows(pilot, "Sent the block to the terminal's clipboard (")
        await pilot.press("escape", "escape", "f2")
        await shows(pilot, "facts lost", "f lost only")
        assert "Version 1.7" not in screen_text(pilot.app)
        await pilot.press(*"jjj", "enter")  # what is not in the prompt stands in Facts
        await shows(pilot, "Facts · 2 of 5 facts · not loaded", "◌ hidden item", "◌ older")
        await pilot.press("escape")
        await shows(pilot, "facts lost", "f lost only")
        await pilot.press("f")
        await shows(pilot, "lost lines only", "Not whole in the prompt: 3 facts lost", "f Part")
        assert "1 checklist line" in screen_text(pilot.app) and "fact number 3 " not in screen_text(pilot.app)
        await pilot.press("G", "f")
        await shows(pilot, "only Daily log 2026-05-25", "Not whole in the prompt: 1 fact lost", "f All")
        assert "fact number 12" not in screen_text(pilot.app).partition("Daily log")[2]
        await pilot.press("f")
        await shows(pilot, "f lost only")
        await pilot.press("2", "g")
        await shows(pilot, "fact number 3 stands")
        await pilot.press("escape", "f2")
        await shows(pilot, "facts lost")
        await pilot.press("slash", *"number 3", "enter")
        await shows(pilot, "1 of 11", "▶  fact number 3 stands")
        await pilot.press("n")
        await shows(pilot, "2 of 11", "▶✗ fact number 30 stands")
        await pilot.press("N", "N")
        await shows(pilot, "11 of 11", "▶✗ fact number 39 stands")
        await pilot.press("escape", "N")
        await shows(pilot, "Nothing to find yet")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await shows(pilot, "fact number 39 stands")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "▶✗ fact number 39 stands")
        await pilot.press("equals_sign")
        await until(pilot, lambda: not isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "Fit")
        # keys that need a line are offered on one only
        await pilot.press("escape", "tab")
        assert pilot.app.focused.id == "uses", "not the table of costs, which is hidden"
        await pilot.press("g")
        await until(pilot, lambda: "enter Open  = Fit  f Only lost  t As it was" in screen_text(pilot.app))
        await pilot.press("G")
        await shows(pilot, "enter Open  + Load  e Edit  d Delete  = Fit")
        # a lost fact is brought in with three keys typed ahead, and undo takes it back
        await pilot.press("escape")
        await back(pilot)
        store.has("MEMORY.md", "".join(f"- fact {number}\n" for number in range(60)))
        before = store.raw("MEMORY.md")
        await pilot.app.main.look_now()
        await pilot.press("f2", "f", "plus")
        await until(pilot, lambda: not store.raw("MEMORY.md").startswith(b"- fact 0\n"))
        await shows(
            pilot, "Moved up “fact 27” in MEMORY.md, to line 1", "Not whole in the prompt: 35 facts lost", "1 line in", "u to undo"
        )
        assert "Long-term memory" not in screen_text(pilot.app)  # lost lines only
        screen = pilot.app.screen
        assert isinstance(screen, PromptScreen) and store.raw("MEMORY.md").startswith(b"- fact ")
        brought = store.raw("MEMORY.md").decode().split("\n")[0]
        assert screen.rows.seen is not None and all(lost.text != brought for lost in screen.rows.seen.lost)
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == before)
        await until(pilot, lambda: screen.rows.seen is not None and any(lost.text == brought for lost in screen.rows.seen.lost))
        # the cursor stays on the fact that went to the top, or goes to the next lost one
        await back(pilot)
        store.has("MEMORY.md", "".join(f"- fact {number:02}\n" for number in range(60)))
        await pilot.app.main.look_now()
        await pilot.press("f2")
        await shows(pilot, "facts lost")
        screen = pilot.app.screen
        lost = [each.text for each in screen.rows.seen.lost if each.path == "MEMORY.md"]
        await pilot.press("f")
        await shows(pilot, "lost lines only")
        await pilot.press("j", "j", "j")

        def meant() -> str:
            path, line = screen.rows.place_meant()
            return store.raw(path).decode().split("\n")[line] if path else ""

        assert meant() == lost[3]
        await pilot.press("plus")
        await shows(pilot, "Moved up “fact 29” in MEMORY.md, to line 1")
        assert store.raw("MEMORY.md").decode().startswith(lost[3])
        assert meant() == lost[4]
        await pilot.press("plus")
        await until(pilot, lambda: store.raw("MEMORY.md").decode().startswith(lost[4]))
        await until(pilot, lambda: meant() == lost[5])
        await pilot.press("f", "f", "tab")
        await until(pilot, lambda: pilot.app.focused.id == "block")
        view = screen.query_one("BlockPane").view
        view.select(view.block.place_of("MEMORY.md", 6))
        words = meant()
        await pilot.press("plus")
        await until(pilot, lambda: store.raw("MEMORY.md").decode().startswith(words))
        await until(pilot, lambda: screen.rows.place_meant() == ("MEMORY.md", 0))
        following = store.raw("MEMORY.md").decode().split("\n")[1]
        await pilot.press("d")
        await until(pilot, lambda: words not in store.raw("MEMORY.md").decode())
        await until(pilot, lambda: meant() == following)
        await pilot.press("e")
        await shows(pilot, "The words of this fact:")
        await pilot.press("end", "x", "enter")
        await until(pilot, lambda: f"{following}x" in store.raw("MEMORY.md").decode())
        await until(pilot, lambda: meant() == f"{following}x")


async def test_a_line_of_the_block_leads_to_its_file_and_the_verbs_of_facts_work_on_it(store: AStore) -> None:
    """`escape` comes back from the file; what a difference hides is never touched."""
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "Scratchpad (open items)")
        await pilot.press("j", "enter", "j", "j", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main and pilot.app.main.viewer.file)
        await shows(pilot, "scratchpad", "hidden item")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "▶  - [ ] open item")
        await back(pilot)
        store.has("MEMORY.md", "# Facts\n\n- one\n- two\n  more of two\n- three\n")
        store.has("~/SCRATCHPAD.md", "- [ ] open item\n")
        await pilot.app.main.look_now()
        await pilot.press("f2")
        await shows(pilot, "no line lost", "more of two")
        await pilot.press("d")
        await shows(pilot, "This is not a line of a file")
        await pilot.press("slash", *"open it", "enter")
        await shows(pilot, "1 of 2")
        await pilot.press("n")
        await shows(pilot, "2 of 2")
        before = store.tree()
        await pilot.press("|")
        await shows(pilot, "- as docs say   + as 1.7 does")
        await pilot.app.screen.read()  # as when others write meanwhile
        await pilot.press("d")
        await shows(pilot, "This is not a line of a file", "- as docs say   + as 1.7 does")
        assert store.tree() == before
        await pilot.press("|", "slash", "ctrl+u", *"more of", "enter")
        await shows(pilot, "1 of 1")
        await pilot.press("e")  # a fact of several lines: in the editor, at the line, and back to it
        await until(pilot, lambda: pilot.app.main.editor.ref is not None and pilot.app.focused is pilot.app.main.editor.area)
        assert pilot.app.main.editor.area.cursor_location[0] == 4
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "▶    more of two")
        await pilot.press("y")
        await shows(pilot, "Sent 1 fact to the terminal's clipboard (20B)")
        await pilot.press("d")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"# Facts\n\n- one\n- three\n")
        await pilot.press("u")
        await until(pilot, lambda: b"more of two" in store.raw("MEMORY.md"))
        await shows(pilot, "▶    more of two")
        await pilot.press("H")
        await shows(pilot, "History of “two more of two” in MEMORY.md")
        await pilot.press("escape", "k", "k", "e")
        await shows(pilot, "The words of this fact")
        await pilot.press("end", "x", "enter")
        await until(pilot, lambda: b"- onex\n" in store.raw("MEMORY.md"))
        await shows(pilot, "Edited “")
        await pilot.press("k", "k", "d")
        await shows(pilot, "This line is no fact")
        # midnight, a project that vanishes, an empty store
        await back(pilot)
        app = pilot.app
        await pilot.press("f2")
        await shows(pilot, "Daily log 2026-05-25 (today)")
        app.main.session.clock = lambda: NOW + timedelta(days=1)
        await shows(pilot, "Daily log 2026-05-25  ")
        for path in store.tree():
            store.at(path).unlink()
        await shows(pilot, "No memory goes into the prompt.")
        await pilot.press("y", "enter", "j", "|", "E")
        await until(pilot, lambda: isinstance(app.screen, PromptScreen))


async def test_another_profile_day_and_project_and_what_each_costs(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    other, can_read, real = "other-00000000", threading.Event(), previewing.preview
    can_read.set()
    monkeypatch.setattr(previewing, "preview", lambda *given, **named: [can_read.wait(20), real(*given, **named)][1])
    store.has(f"projects/{other}/SCRATCHPAD.md", "- [ ] " + "long " * 90 + "\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "as docs say")
        await pilot.press("E")
        await shows(pilot, "as 1.7 does", "Daily log 2026-05-20", "| shows the difference")
        await pilot.press("|")
        await shows(pilot, "- as 1.7 does   + as docs say")
        await pilot.press("|", "E")
        for _ in range(4):
            await by_name(pilot, "Day before")
        await shows(pilot, "· 2026-05-21 ·", "Daily log 2026-05-20")
        await by_name(pilot, "Today's prompt")
        await pilot.press("C")
        await shows(pilot, "The prompt of which ")
        can_read.clear()  # on a slow disk
        await pilot.press("down", "enter")
        await shows(pilot, "· reading …", "Reading what the agent gets …")
        assert not any(words in screen_text(pilot.app) for words in ("fact number", "1 checklist line", "free "))
        can_read.set()
        await shows(pilot, f" {other} ", "1 line of ")
        await back(pilot)
        await by_name(pilot, "What costs what")  # the dearest first
        await shows(pilot, "What costs what, in every session", other, "Scratchpad (open items)")
        text = screen_text(pilot.app)
        assert text.index(other) < text.index("demo-1a2b3c4d")
        await pilot.press("enter")
        await shows(pilot, "· today", f"{other} · prompt")
        await pilot.press("escape", "escape", "1", "G")  # the project of the cursor
        await shows(pilot, "l unfolds it, h folds it")
        for key, words in (("f2", "· today"), ("6", "Triage ·"), ("7", "Facts ·")):
            await pilot.press(key)
            await shows(pilot, words, f"{other} · prompt")
            await pilot.press("1")


@pytest.mark.slow
async def test_the_meter_turns_before_saving_and_says_that_a_note_is_never_in_the_prompt(store: AStore) -> None:
    store.has("~/notes/n.md", "note\n")
    async with running(an_app(store, inject_cap=1400)) as pilot:
        await pilot.press("j", "l", "G", "e")
        await shows(pilot, "Not in the prompt: the agent finds this by searching.")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await pilot.press("1", "g", "e")
        await shows(pilot, "198 bytes left of 1.4K", "first to fall: Daily log")
        pilot.app.main.editor.area.insert("x" * 200)
        await shows(pilot, "bytes over", "lost, the first")
        assert store.raw("MEMORY.md").startswith(b"fact number 0")


@pytest.mark.slow
async def test_a_log_of_ten_megabytes_is_shown(store: AStore) -> None:
    store.has("~/daily/2026-05-25.md", "a line of the log of today\n" * 390_000)
    async with running(an_app(store)) as pilot:
        await pilot.press("f2")
        await until(pilot, lambda: "1 fact lost (388,831 lines)" in screen_text(pilot.app), 30)


@pytest.mark.slow
async def test_a_warning_that_does_not_fit_ends_in_dots_and_a_key_shows_it_and_every_loss_in_full(store: AStore) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] open item\n+ [ ] " + "a hidden item of many words " * 3 + "\n")
    store.has("MEMORY.bak", "")  # only version 1.7 writes one
    async with running(an_app(store, inject_cap=300), size=(80, 24)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "1 checklist line of", "… 1 of 2, L shows all")
        await pilot.press("L")
        await shows(
            pilot,
            "a hidden item of many words",
            "Version 1.7 loads 2 other lines and leaves out 8 of these",
            "MEMORY.md:11 fact number 10",
        )


async def test_fit_shows_the_difference_the_lines_of_a_move_and_what_keys_do(store: AStore) -> None:
    store.has("MEMORY.md", "# Facts\n\n## One\n\n" + "- a fact of one\n" * 4 + "\n## Two\n\n" + "- another fact of two\n" * 12)
    async with running(an_app(store, inject_cap=400), size=(80, 24)) as pilot:
        await pilot.press("f2")
        await shows(pilot, "lost")
        await pilot.press("equals_sign")
        await shows(pilot, "before █", "after  █", "freed: ", "┃░")
        text = screen_text(pilot.app).split("\n")
        bars = [next(line for line in text if f"┃ {name}" in line).split("█")[-1][:12] for name in ("before ", "after  ")]
        assert "░" in bars[0] and "░" not in bars[1]
        await pilot.press("x")
        await shows(pilot, "x does nothing here")
        before = store.tree()
        await pilot.press("j", "k", "enter")
        await shows(pilot, "Frees ", "-│ - another fact of two")
        await pilot.press("escape")
        await pilot.press("escape")
        await shows(pilot, "Nothing was written.")
        assert store.tree() == before
        # it is planned for the prompt that is on screen
        await pilot.press("E")
        await shows(pilot, "as 1.7 does", "| shows the difference")
        lost = str(pilot.app.screen.rows.seen.loss())
        await pilot.press("equals_sign")
        await shows(pilot, "before █", "after  █")
        assert next(line for line in screen_text(pilot.app).split("\n") if "┃ before " in line).count(lost)


async def test_a_main_file_that_is_left_out_for_its_size_is_an_alarm_wherever_the_prompt_is_counted(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact of some words\n" * 6_000)
    async with running(an_app(store), size=(120, 36)) as pilot:
        await shows(pilot, "4 Prompt lost!", "prompt 0B of 32K ! MEMORY.md lost")
        pilot.app.main.say("A sentence that needs its row, nearly all of it, with a few words more")
        await shows(pilot, "4 Prompt lost!", "with a few words more")
        await pilot.press("4")
        await shows(pilot, "134.8K in all, 0B of 32.0K loaded, 6,000 facts lost", "lost, 135K in all")
        await pilot.press("7")
        await shows(pilot, "6000 lost", "the agent loads nothing of a MEMORY.md above 131,072 bytes")


def _saved(store: AStore, session: Session, path: str, text: str, when: datetime) -> None:
    store.has(path, text)
    os.utime(store.at(path), ns=(int(when.timestamp()) * 10**9,) * 2)
    session.clock = lambda: when
    session.history.observe([str(store.at(path).relative_to(store.root))])


@pytest.fixture
def told(tmp_path: Path) -> AStore:
    """A store whose agent wrote three times, the last time so much that a log fell out of the prompt."""
    store = AStore(tmp_path / "agent" / "memory")
    session = store.session()
    look_at_all(session)
    _saved(store, session, "MEMORY.md", "- one\n", NOW - timedelta(hours=3))
    _saved(store, session, "~/daily/2026-05-25.md", "- logged a\n- logged b\n", NOW - timedelta(hours=2))
    many = "".join(f"- many words of fact number {number}\n" for number in range(11))
    _saved(store, session, "MEMORY.md", f"- one\n{many}", NOW - timedelta(hours=1))
    return store


async def test_the_prompt_as_it_was_by_steps_by_words_side_by_side_and_from_where_a_line_or_a_version_is_shown(
    told: AStore,
) -> None:
    app = an_app(told, inject_cap=400)
    async with running(app, size=(160, 40)) as pilot:
        await pilot.press("4")
        await shows(
            pilot,
            "last change 3 of 3 · 13:07: 11 in, 2 out · another program added 11 lines to MEMORY.md (",
            "pushed over the cap",
            "over time ╎",
        )
        before = told.tree()
        await pilot.press("{")  # what is before now, not now again
        await shows(
            pilot, "as of 2026-05-25 12:07:09", "12:07: ", "· another program wrote 2026-05-25.md", "change 2 of 3", "- logged b"
        )
        await pilot.press("|")
        await shows(pilot, "- 2026-05-25 12:07:09   + 2026-05-25 13:07:09", "what came next: change 3 of 3", " added 11 lines")
        await pilot.press("|")
        await shows(pilot, "f Part  t As it was  } Later  / Find  { Earlier  | Compare  C Project")
        await until(pilot, lambda: "+ Load" not in screen_text(pilot.app))
        await pilot.press("l", "G", "d")
        await shows(pilot, "nothing is changed in the past. esc goes back.")
        await pilot.press("=")
        await shows(pilot, "nothing is changed in the past.")
        await pilot.press("{", "{")
        await shows(pilot, "as of 2026-05-25 11:07:09", "Nothing is recorded of this prompt before that.")
        await pilot.press("}")
        await shows(pilot, "as of 2026-05-25 12:07:09")
        await pilot.press("t")
        await shows(pilot, "It changed:", "13:07  ", "11:07  ", "another program wrote MEMORY.md")
        await pilot.press("down", "enter")
        await shows(pilot, "as of 2026-05-25 12:07:09")
        # what is typed is a moment, too, if it names one or fits no row
        await pilot.press("t")
        await asked(pilot, "another, which you type")
        await pilot.press(*"90m")
        await asked(pilot, "90m · as you typed it")
        await pilot.press("enter")
        await shows(pilot, "as of 2026-05-25 12:37:09")
        await pilot.press("t")
        await asked(pilot, "another, which you type")
        await pilot.press(*"2h", "enter")
        await shows(pilot, "as of 2026-05-25 12:07:09")
        await pilot.press("t")
        await asked(pilot, "another, which you type")
        await pilot.press(*"zzz", "enter")
        await asked(pilot, "'zzz' is no moment", "A moment is a date or time,")
        await pilot.press("escape", "t")
        await shows(pilot, "another, which you type")
        await pilot.press("up", "enter")
        await shows(pilot, "When: a date or time")
        await pilot.press("enter")
        await shows(pilot, "Nothing was typed")
        await pilot.press(*"soon", "enter")
        await shows(pilot, "'soon' is no moment")
        await pilot.press(*["backspace"] * 4, *"11:30", "enter")
        await shows(
            pilot, "as of 2026-05-25 11:30:00", "since change 1 of 3 · 11:07: ", " in, 0 out · another program wrote MEMORY.md"
        )
        await pilot.press("|")
        await shows(pilot, "- 2026-05-25 11:30:00   + 2026-05-25 12:07:09", "from 11:30 to 12:07")
        await pilot.press("|", "escape")
        await shows(pilot, "· today ·", "last change 3 of 3", "+ Load  e Edit  d Delete")
        await pilot.press("}")
        await shows(pilot, "no later change is known")
        assert told.tree() == before
        # a lost line leads to the moment when it fell out
        await back(pilot)
        await pilot.press("4")
        await shows(pilot, "change 3 of 3", "logged b")
        await pilot.press("f", "G")
        await shows(pilot, "in the prompt until 13:07; fell out when another program added 11 lines to MEMORY.md")
        await pilot.press("i")
        await shows(pilot, "as of 2026-05-25 13:07:09", "change 3 of 3")
        await pilot.press("escape", "7")
        await shows(pilot, "Facts", "logged b")
        await pilot.press("slash", *"many words of fact number 3", "enter", "i")
        await shows(pilot, "This fact is in the prompt.")
        await pilot.press("escape", "slash", *"logged b", "enter", "i")
        await shows(pilot, "as of 2026-05-25 13:07:09")
        # a version, and a line in Review, lead to what it saw then
        await back(pilot)
        await to_changes(pilot)
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen) and pilot.app.screen.diff.change is not None)
        await pilot.press("g", "t")
        await shows(pilot, "as of 2026-05-25 ", "- one")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, PromptScreen))
        await pilot.press("H")
        await shows(pilot, "History of")
        await pilot.press("t")
        await shows(pilot, "as of 2026-05-25 12:07:09", "- one")
        await pilot.press("|")
        await shows(pilot, "- before   + after")


async def test_a_history_that_cannot_be_read_is_said_and_the_prompt_is_there(told: AStore) -> None:
    app = an_app(told)
    home = Path(told.session().history.home)
    (home / "git" / "zsmem-format").write_text("99\n")
    async with running(app, size=(120, 40)) as pilot:
        await pilot.press("4")
        await shows(pilot, "was written by a newer zsmem", "- one")
        await pilot.press("{")
        await shows(pilot, "git was written")


async def test_the_prompt_of_another_agent_says_of_when_it_is_and_leads_to_how_it_began(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.looked_at()
    _, claude = machine.sessions()
    place = machine.claude.at(f"{CLAUDE}/MEMORY.md")
    for line in ("- first\n", "- second\n"):
        place.write_text(place.read_text() + line)
        claude.history.observe([f"{CLAUDE}/MEMORY.md"])
    async with running(machine.app(), size=(160, 40)) as pilot:
        await until(pilot, lambda: [store.catalog is not None for store in pilot.app.main.stores] == [True, True])
        await pilot.press("4")
        screen = pilot.app.screen
        while screen.session.layout.kind != "claude-code":
            await pilot.press("E")
            await until(pilot, lambda: not pilot.app.conversations.under_way)
        await shows(pilot, "Claude Code · /home/ann/lantern ", "last change 2 of 2", "- second")
        await shows(pilot, "What the agent sees · /home/ann/lantern ━")
        await shows(pilot, "In the prompt, too: 1 instruction file", "11B + block ", "## In the prompt, too: ", "- be brief")
        await shows(pilot, "Not in the prompt, read on demand: ")
        await pilot.press("G", "k", "enter")
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.path == "CLAUDE.md")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("{", "{", "{")
        await shows(pilot, "What the agent sees · as of ", "before the first of 2 changes")
        await shows(pilot, "Instruction files were in the prompt, too")
        await until(pilot, lambda: "- first" not in screen_text(pilot.app))
        await pilot.press("{")
        await shows(pilot, "Nothing is recorded of this prompt before that.")
        await pilot.press("|")
        await shows(pilot, "- before   + after", "+│ - first")
        await pilot.press("}")
        await shows(pilot, "change 1 of 2 · 14:07: 1 in, 0 out · another program added 1 line to MEMORY.md")
