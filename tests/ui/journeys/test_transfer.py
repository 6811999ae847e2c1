"""Import and export in the running program: the plan, ticks, reasons, the diff, Apply and undo, whichever way it goes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from tests.builders import NOW, AStore
from tests.service.test_importing import CLAUDE, NOTES
from tests.six_agents import SixAgents
from tests.ui.driving import NOW_NS, an_app, asked, back, pasted, running, screen_text, shows, typed, until
from tests.ui.several import Machine, at, both
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.refs import Role
from zsmem_tui.service import bundles, importing, stores
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.undoing import UndoResult
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.help import HelpDialog
from zsmem_tui.ui.dialogs.plan import PlanDialog
from zsmem_tui.ui.history import verbs as history_verbs
from zsmem_tui.ui.transfer.screen import TransferScreen


@pytest.fixture
def store(tmp_path: Path, away_from_home: Path) -> AStore:
    place = away_from_home / ".claude/projects" / encoded("/code/lantern") / "memory"
    place.mkdir(parents=True)
    for file in CLAUDE.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    return AStore(tmp_path / "memory").has("~/notes/reference_tracker.md", "mine\n")


def the_app(store: AStore) -> ZsmemApp:
    app = an_app(store)
    app._session.folder = "/code/lantern"
    return app


async def choose(pilot: Any, title: str, answer: str | None = None, *, out: bool = False, key: str = "enter") -> None:
    """Press a key on what can be brought in or taken out; the answer is the folder, or the file, that is asked for then."""
    await until(pilot, lambda: isinstance(pilot.app.screen, TransferScreen) and pilot.app.screen.sources)
    await until(pilot, lambda: not pilot.app.conversations.under_way)
    screen = pilot.app.screen
    rows = screen.rows

    def key_of(title: str) -> Any:
        return next((each.key for each in screen.sources.values() if each.out is out and each.title == title), None)

    if key_of(title) is None:
        rows.show(rows.keys, cursor=key_of("another agent"))
        await pilot.press("enter")
        await until(pilot, lambda: key_of(title))
    rows.show(rows.keys, cursor=key_of(title))
    await pilot.press(key)
    if answer is not None:
        await asked(pilot)
        await pilot.press("ctrl+u")  # what was typed before is offered
        await pasted(pilot, answer)
        await pilot.press("enter")


async def taken_into_rules(pilot: Any, key: str, store: AStore) -> None:
    """Take the row of the plan, or all of them, into a new note, and do it."""
    await pilot.press(key)
    await shows(pilot, "Take it into:")
    await pilot.press("G", "end", "enter")
    await shows(pilot, "The name of the note:")
    await pilot.press("ctrl+u", *"rules", "enter")
    await asked(pilot, "note rules")
    await pilot.press("A")
    await until(pilot, lambda: store.at("~/notes/rules.md").exists())


async def test_what_is_found_is_planned_shown_changed_applied_and_undone(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before = store.tree()
    async with running(the_app(store), size=(220, 40)) as pilot:
        await pilot.press("f4")
        await shows(
            pilot,
            "Claude Code · this folder",
            "3 of 9 items",
            "demo-1a2b3c4d · prompt",
            "has 9 items; 3 would come in.",
            "enter plans it.",
        )
        assert "memory in ~/.claude" in screen_text(pilot.app)
        await pilot.press("slash", *"ethos")
        await shows(pilot, "Import from Ethos", "Export to   Ethos")
        await until(pilot, lambda: "Claude Code" not in screen_text(pilot.app))
        await pilot.press(*"xyz")
        await shows(pilot, "No row has these words. esc drops the filter.")
        await pilot.press("escape", "slash", *"another")  # a row that holds others is one of them
        await shows(pilot, "Import from another agent", "Export to   another agent")
        await pilot.press("escape")
        await shows(pilot, "Import from Claude Code · this folder")
        await pilot.press("space")
        await shows(pilot, "space does nothing here")
        await pilot.press("enter")
        await shows(
            pilot,
            "Import from Claude Code: nothing is written before A",
            "[x] + feedback_make_check.md · Run",
            "[ ] ! reference_tracker.md · Hardware bugs",
            "on conflict skip",
        )
        await shows(pilot, "3 of 9 items into demo-1a2b3c4d · prompt +", "MEMORY.md, as it would be", "+│ - Run `make check`")
        await shows(
            pilot,
            "[x] + feedback_make_check.md · Run",
            "MEMORY.md, in every prompt",
            "MEMORY.md, in the prompt of every project: +",
            "m takes it into a note",
        )
        await shows(
            pilot,
            "It goes into MEMORY.md. That file is in the prompt of every project.",
            "before any `git push`, also for docs-only changes",
            "Lost on the way",
        )
        assert store.tree() == before
        await pilot.press("I")
        await shows(pilot, "on conflict rename (I: replace)", "[x] ! reference_tracker.md · Hardware bugs")
        await pilot.press("space")
        await shows(pilot, "[ ] - feedback_make_check.md · Run `make check`", "3 of 9 items")
        await pilot.press("f", "f")
        await until(pilot, lambda: "[ ] - Run `make" not in screen_text(pilot.app))
        await shows(pilot, "only conflict", "I says what becomes of such.")
        await pilot.press("asterisk")
        await shows(pilot, "2 of 9 items", "[ ] ! reference_tracker.md · Hardware bugs", "space Take ")
        await pilot.press("asterisk")
        await shows(pilot, "3 of 9 items", "space Leave out")
        await pilot.press("enter", "L")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpDialog))
        await shows(
            pilot, "Lost on the way, whatever the item: the frontmatter of notes and the order of notes."
        )  # in the width that is there
        before_it = store.tree()
        await pilot.press("escape", "A")
        await shows(pilot, "The filter hides 2 rows that A does, too: A again does all. Nothing was written yet.")
        assert store.tree() == before_it
        await pilot.press("A")
        await shows(pilot, "Imported 1 fact and 2 notes from Claude Code · u to undo. 6 items are left out")
        assert store.raw("MEMORY.md") == b"- Ann has ten years of firmware work and is new to the web panel.\n"
        assert store.raw(f"{NOTES}/reference_tracker-2.md").startswith(b"Hardware")
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)
        # the words and the target of an item can be changed
        await back(pilot)
        await pilot.press("f4")
        await shows(pilot, "4 of 9 items")
        await choose(pilot, "Claude Code")
        await shows(pilot, "[x] + feedback_make_check.md · Run")
        await pilot.press("e")
        await shows(pilot, "The words to take:")
        await pilot.press("ctrl+u", *"Check", "enter")
        await shows(pilot, "[x] + feedback_make_check.md · Check")
        await taken_into_rules(pilot, "m", store)
        assert store.raw("~/notes/rules.md") == b"- Check\n"
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)
        await back(pilot)
        # all items go to another file at once, and notes stay notes
        await pilot.press("f4")
        await shows(pilot, "4 of 9 items")
        await choose(pilot, "Claude Code")
        await shows(pilot, "[x] + feedback_make_check.md · Run")
        plan = pilot.app.screen._draft.plan
        facts = [row for row in plan.rows if row.ref.role is not Role.NOTE]
        notes = {row.ref.path for row in plan.rows if row.ref.role is Role.NOTE}
        assert facts and notes
        await taken_into_rules(pilot, "M", store)
        words = store.raw("~/notes/rules.md").decode()
        assert [row.text.strip() for row in facts if row.ticked and row.text.strip().removeprefix("- ") not in words] == []
        assert not notes - store.tree().keys()
        await pilot.press("u")
        await until(pilot, lambda: store.tree() == before)
        await back(pilot)
        # what cannot be finished brings nothing in
        await pilot.press("f4")
        await shows(pilot, "4 of 9 items")
        await choose(pilot, "Claude Code")
        await shows(pilot, "nothing is written before A")
        store.at("~/notes/project_v3_scope.md").mkdir()
        await pilot.press("A")
        await shows(pilot, "it is a folder. Nothing was")
        assert store.tree() == before
        await back(pilot)
        plan = importing.plan

        def endless(*about: Any, cancelled: Any = None, **named: Any) -> Any:
            if cancelled is None:
                return plan(*about, **named)
            while not cancelled():
                time.sleep(0.001)
            raise BadContent("Stopped while reading. Nothing was imported.")

        monkeypatch.setattr(importing, "plan", endless)
        await pilot.press("f4")
        await choose(pilot, "Claude Code")
        await shows(pilot, "Import from Claude Code … ", " looked at · esc stops")
        await pilot.press("escape")
        await shows(pilot, "Stopped while reading. Nothing was imported.", "Import from")


@pytest.mark.slow
@pytest.mark.parametrize("words", ["", "another"])
@pytest.mark.parametrize("way", ["in", "out"])
async def test_a_row_that_holds_others_opens_at_the_first_of_them(store: AStore, words: str, way: str) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "Import from another agent")
        screen, folded = pilot.app.screen, ("", "", way == "out")
        assert isinstance(screen, TransferScreen)
        await until(pilot, lambda: folded in screen.sources)
        place = list(screen.sources).index(folded)
        if words:
            await pilot.press("slash", *words)
            await until(pilot, lambda: len(screen.sources) == 2)
        screen.rows.show(screen.rows.keys, cursor=folded)
        screen.rows.focus()
        await pilot.press("enter")
        await until(pilot, lambda: folded not in screen.sources and len(screen.sources) > place + 1)
        await pilot.pause()
        assert screen.rows.key == list(screen.sources)[place]


async def test_import_and_export_are_about_the_memory_that_the_cursor_of_the_tree_is_in(store: AStore) -> None:
    other = "lantern-99999999"
    store.has(f"projects/{other}/notes/mine.md", "mine\n")
    app = the_app(store)
    app._session.folder, app._session.folders = "/code/elsewhere", {other: "/code/lantern"}
    async with running(app, size=(160, 40)) as pilot:
        await shows(pilot, other)
        await pilot.press("f4")
        await shows(pilot, "demo-1a2b3c4d · prompt", "from another agent · ")
        assert "from Claude Code" not in screen_text(pilot.app).replace("from Claude Code · every project", "")
        await pilot.press("escape", "G", "f4")
        await shows(pilot, f"{other} · prompt", "from Claude Code · this folder", "4 of 9 items")
        await pilot.press("enter")
        await shows(pilot, f"items into {other} · prompt +")
        await pilot.press("C")
        await asked(pilot)
        await pilot.press(*"demo")  # what is typed chooses, not the first of the list
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 1)
        await pilot.press("enter")
        await shows(pilot, "items into demo-1a2b3c4d · prompt +")
        await pilot.press("C")
        await asked(pilot)
        await pilot.press(*"lant", "enter")
        await asked(pilot, f"items into {other} · prompt +")
        await pilot.press("A")
        await shows(pilot, "Imported 2 facts and 2 notes from Claude Code")
        assert {path.name for path in store.at(f"projects/{other}/notes").iterdir()} > {"mine.md"}
        assert store.raw("~/notes/reference_tracker.md") == b"mine\n"


async def test_what_goes_out_has_a_plan_too_and_comes_in_or_is_taken_out_again(store: AStore, tmp_path: Path) -> None:
    place = tmp_path / "all.tar.gz"
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await choose(pilot, "bundle", str(place), out=True)
        await shows(pilot, "1 of 1 file of the whole memory", "It goes in as it stands.", "+│ mine")
        assert not place.exists()
        await pilot.press("A")
        await until(pilot, place.exists)
        store.at("~/notes/reference_tracker.md").unlink()
        await shows(pilot, "Wrote 1 file to")
        await choose(pilot, "bundle")
        await asked(pilot)
        await pasted(pilot, f"{tmp_path}/al")
        await pilot.press("tab", "enter")  # which waits for the completion
        await shows(pilot, "1 of 1 file · on conflict skip (I: rename)", "+│ mine")
        await pilot.press("space")
        await asked(pilot, "0 of 1 file ·")
        await pilot.press("A")
        await shows(pilot, "Nothing is ticked that would change a file.")
        await pilot.press("space", "A")
        await until(pilot, lambda: store.at("~/notes/reference_tracker.md").exists())
        # an agent's files in a folder
        await back(pilot)
        out = tmp_path / "out"
        store.has("~/notes/plan.md", "# Plan\n\nsteps\n- of projects/demo-1a2b3c4d/notes/x.md\n")
        await pilot.press("f4")
        await choose(pilot, "Markdown", "/dev/null/x", out=True)
        await shows(pilot, "is not a folder", "/dev/null/x")
        await pilot.press("escape")
        await choose(pilot, "Markdown", str(out), out=True)
        await shows(
            pilot, "Export to Markdown: nothing is written before A", "2 of 2 items", "[x] + plan.md · Plan", "add » plan.md"
        )
        await shows(pilot, "It goes into", "+│ # Plan", "Every line goes along.", "2 files would change", "esc Back  ? Keys")
        assert not out.exists()
        await pilot.press("enter")
        await shows(pilot, "n Next", "esc Back")
        await pilot.press("escape", "L")
        # a text of a file is no heading of the page, and stays as it is
        await until(
            pilot, lambda: "┃  steps" in (text := screen_text(pilot.app)) and "┃  - of projects/demo-1a2b3c4d/notes/x.md" in text
        )
        await pilot.press("escape")
        await pilot.press("space")
        await shows(pilot, "1 of 2 items")
        await pilot.press("L")
        await shows(pilot, "note plan:1 # Plan", "note plan:3 steps")
        await pilot.press("escape")
        await pilot.press("slash", *"mine")
        await shows(pilot, "1 of 2 items")
        await until(pilot, lambda: "· Plan" not in screen_text(pilot.app))
        await pilot.press(*"zzz")
        await shows(pilot, "No row has these words. esc shows all.")
        await pilot.press("escape", "A")
        await shows(pilot, "Exported 1 item to Markdown: 1 file in", "u to undo")
        assert [path.name for path in (out / "notes").iterdir()] == ["reference_tracker.md"]
        await choose(pilot, "Markdown", str(out), out=True, key="d")
        await asked(pilot, "Take out of Markdown again", "1 of 1 item", "It is taken out of")
        await pilot.press("A")
        await shows(pilot, "Took 1 item out of Markdown again: 1 file in ")
        assert not list(out.rglob("*.md"))
        await pilot.press("u")
        await until(pilot, lambda: (out / "notes/reference_tracker.md").exists())
        # what would be written stands above what is there already
        store.has("~/notes/zebra.md", "# Zebra\n")
        await until(pilot, lambda: isinstance(pilot.app.screen, TransferScreen))
        await choose(pilot, "Markdown", str(out), out=True)
        await shows(pilot, "2 of 3 items")
        text = screen_text(pilot.app)
        assert (
            text.index("[x] + plan.md · Plan") < text.index("+ zebra.md · Zebra") < text.index("duplicate » reference_tracker.md")
        )
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TransferScreen))
        store.at("~/notes/zebra.md").unlink()
        # credentials are asked about once, before anything goes out
        await back(pilot)
        token = "ghp_" + "aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT"
        store.has("MEMORY.md", f"- CI token {token}\n")
        out, place = tmp_path / "masked", tmp_path / "a.tar.gz"
        await pilot.press("f4")
        await choose(pilot, "Markdown", str(out), out=True)
        await shows(pilot, "1 credential would go out: MEMORY.md:1", "A asks what becomes of them", "ghp_…")
        await pilot.press("G", "L")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpDialog) and "- CI token ghp_" in screen_text(pilot.app))
        assert token not in screen_text(pilot.app)
        await pilot.press("escape")
        await pilot.press("A")
        await asked(pilot, "Let them go out as they are")
        await pilot.press("escape")
        await shows(pilot, "Nothing was written.")
        assert not out.exists()
        await pilot.press("A")
        await asked(pilot, "Let them go out as they are")
        await pilot.press("enter")
        await shows(pilot, "Exported", "u to undo")
        written = b"".join(each.read_bytes() for each in out.rglob("*") if each.is_file())
        assert "ghp_…".encode() in written and token.encode() not in written
        await choose(pilot, "bundle", str(place), out=True)
        await asked(pilot, "1 credential would go out")
        await pilot.press("A")
        await asked(pilot, "Mask them on the way out")
        await pilot.press("down", "enter")
        await shows(pilot, "1 credential as they are")
        assert place.exists() and token.encode() in store.raw("MEMORY.md")


async def test_whose_memory_is_asked_for_and_one_agents_goes_to_another_at_once(store: AStore, away_from_home: Path) -> None:
    home = AStore(away_from_home).has(".ethos/personalities/eng/MEMORY.md", "x\n").has(".ethos/personalities/ops/MEMORY.md", "x\n")
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await choose(pilot, "bundle", key="c")
        await shows(pilot, "c is for another agent's memory")
        assert "c To an agent" not in screen_text(pilot.app)
        await choose(pilot, "Claude Code", key="c")
        await asked(pilot, "Take the memory of Claude Code to:")
        await typed(pilot, "ethos")
        await pilot.press("enter")
        await asked(pilot, "The personality that gets it:", "eng", "ops")
        await pilot.press("end", "enter")
        await asked(pilot, "The name of the personality that gets it:")
        await pilot.press("enter")
        await asked(pilot, "! Nothing was typed: type an answer, or esc closes.")
        await pilot.press(*"x/y", "enter")
        await asked(pilot, "! Ethos takes no group called 'personality:x/y'.")
        assert pilot.app.screen.query_one(Input).value == "x/y"
        await pilot.press(*["backspace"] * 3, *"ops", "enter")
        await asked(pilot, "Claude Code to Ethos: nothing is written before A", "USER.md, as it would be", "bytes on every turn")
        await pilot.press("A")
        await shows(pilot, "to Ethos:", "u to undo")
        assert b"make check" in b"".join(raw for path, raw in home.tree().items() if "/ops/" in path)
        assert home.tree()[".ethos/personalities/eng/MEMORY.md"] == b"x\n" and "make check" not in str(store.tree())
        assert "changed on disk" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_what_goes_to_an_open_store_is_no_news_and_an_item_is_offered_only_the_files_that_the_agent_has(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path)
    async with running(machine.app(), size=(160, 40)) as pilot:
        await both(pilot)
        await pilot.press("f4")
        await choose(pilot, "Claude Code", str(machine.claude.root), out=True)
        await shows(pilot, "Export to Claude Code", "2 files would change")
        made = stores.open_store(Config(), f"markdown:{AStore(tmp_path / 'made').has('a.md', 'x').root}")
        pilot.app.main.every_store = lambda: Beside([made], [], {})
        await pilot.press("A")
        await shows(pilot, "to Claude Code: 2 files in", "u to undo")
        await until(pilot, lambda: pilot.app.main.stores[2:] and pilot.app.main.stores[2].session is made)
        other = pilot.app.main.stores[1]
        assert other.catalog is not None and any("facts" in path for path in machine.claude.tree())
        assert not other.unreviewed and "changed on disk" not in screen_text(pilot.app)
        await pilot.press("escape")
        await shows(pilot, "to Claude Code: 2 files in")
        assert sum("to Claude Code: 2 files in" in text for _, text in pilot.app.told) == 1
        notes = AStore(tmp_path / "notes").has("tea.md", "Ann likes tea.\n")
        await both(pilot)
        await at(pilot, "project_deploy.md")
        await pilot.press("f4")
        await choose(pilot, "Markdown", str(notes.root))
        await shows(pilot, "[x] + tea.md · Ann likes tea.")
        await pilot.press("m")
        await asked(pilot, "Take it into:", "memory/MEMORY.md", "A note, under a name that you give")
        assert "SCRATCHPAD" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_memory_that_an_export_made_goes_with_its_undo_and_no_other_and_comes_with_its_redo(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo, ethos = history_verbs._undo, AStore(away_from_home).has(".ethos/personalities/eng/MEMORY.md", "x\n").at(".ethos")

    async def undo_while_another_goes(*about: Any) -> UndoResult:
        done = await undo(*about)
        ethos.rename(tmp_path / "unmounted")
        return done

    monkeypatch.setattr(history_verbs, "_undo", undo_while_another_goes)
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- Ann likes tea\n").has("~/notes/n.md", "mine\n")
    own = store.session()
    own.folder = "/code/lantern"
    every = lambda: Beside(stores.sessions(Config(), cwd="/code/lantern", clock=lambda: NOW), [], {})  # noqa: E731
    async with running(ZsmemApp(own, more=every, now_ns=lambda: NOW_NS), size=(160, 40)) as pilot:
        main = pilot.app.main
        await pilot.press("9")
        await choose(pilot, "Claude Code", "", out=True)
        await asked(pilot, "Export to Claude Code", "would change")
        await pilot.press("A")
        await until(pilot, lambda: "Claude Code" in [store.title for store in main.stores])
        await until(pilot, lambda: all(store.catalog for store in main.stores))
        await pilot.press("u")
        await until(pilot, lambda: not (away_from_home / ".claude").exists())
        await until(pilot, lambda: [store.title for store in main.stores] == ["zerostack", "Ethos"])
        (tmp_path / "unmounted").rename(ethos)
        store.has("~/notes/news.md", "what others write is still seen\n")
        await back(pilot)
        await shows(pilot, "news")
        assert not [
            text for _, text in pilot.app.told if text.startswith("Claude Code:") and "is gone" in text
        ] and "▸ Claude Code" not in screen_text(pilot.app)
        await pilot.press("U")
        await until(pilot, lambda: "Claude Code" in [each.title for each in main.stores])


async def test_what_changed_under_a_plan_is_said_and_the_screen_lives(store: AStore, tmp_path: Path) -> None:
    async with running(the_app(store), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "from Claude Code", "to   bundle", "from another agent · ")
        await choose(pilot, "zerostack", str(tmp_path / "gone"))
        await shows(pilot, "exist.", "imported.")
        await pilot.press("escape")
        await shows(pilot, "from zerostack · a backup, or any folder", "A memory of zerostack in a folder that you name.")
        await pilot.press("d", "k")
        chosen = pilot.app.screen.source
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.press("f4")
        await shows(pilot, "Import from zerostack")
        assert pilot.app.screen.source == chosen
        await choose(pilot, "bundle", str(tmp_path / "nowhere"))
        await asked(pilot, "! ", "nowhere")
        assert pilot.app.screen.query_one(Input).value == str(tmp_path / "nowhere")
        # a bundle is replaced, or vanishes
        await back(pilot)
        other = AStore(tmp_path / "other").has("MEMORY.md", "fact\n").has("~/notes/x.md", "x\n")
        place = tmp_path / "b.tar.gz"
        bundles.export_to(other.session(), str(place))
        await pilot.press("f4")
        await choose(pilot, "bundle", str(place))
        await shows(pilot, "2 of 2 files", "2 files would change")
        assert "looked at" not in screen_text(pilot.app)
        other.has("MEMORY.md", "another fact\n")
        bundles.export_to(other.session(), str(place))
        await pilot.press("A")
        await shows(pilot, "Nothing was")
        place.unlink()
        await pilot.press("j")
        await asked(pilot, "does not exist. Nothing was written")
        await pilot.press("A")
        await shows(pilot, "does not exist. Nothing was written")
        assert not store.at("MEMORY.md").exists()
        # an agent wrote since the plan was made: it is made anew
        await back(pilot)
        bundles.export_to(other.session(), str(place))
        await pilot.press("f4")
        await choose(pilot, "bundle", str(place))
        await shows(pilot, "2 of 2 files")
        store.has("MEMORY.md", "the agent's\n")
        await pilot.press("A")
        await shows(pilot, "Somebody changed MEMORY.md since the plan was made", "1 of 2 files")
        assert store.raw("MEMORY.md") == b"the agent's\n"
        await pilot.press("enter", "A")
        await shows(pilot, "Imported 1 file; 0 were there already. Left out: 1 file · u to undo")
        await pilot.press("escape")
        await shows(pilot, "Review ●1")  # what the agent wrote is news, what was brought in here is none


@pytest.mark.parametrize("size", [(20, 6), *(pytest.param(size, marks=pytest.mark.slow) for size in ((60, 20), (200, 60)))])
async def test_at_every_size(store: AStore, size: tuple[int, int]) -> None:
    async with running(the_app(store), size=size) as pilot:
        await pilot.press("f4")
        await until(pilot, lambda: pilot.app.screen.source)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlanDialog))
        await pilot.press("j", "G", "enter", "n", "escape", "slash", "x", "escape", "escape", "f1")
        await pilot.pause()


@pytest.mark.slow
async def test_a_personality_is_written_to_from_the_tree_or_where_there_is_only_one(tmp_path: Path) -> None:
    six = SixAgents(tmp_path)
    ethos = six.session("ethos")
    ethos.project, ethos.folders = EVERYBODY, {}
    memory = AStore(six.roots["ethos"])
    before = memory.tree()
    async with running(ZsmemApp(ethos, now_ns=lambda: NOW_NS), size=(140, 40)) as pilot:
        await until(pilot, lambda: pilot.app.main.here.catalog is not None)
        await pilot.press("1", "f4")
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes/tea.md").write_text("oolong\n")
        await until(pilot, lambda: isinstance(pilot.app.screen, TransferScreen))
        await choose(pilot, "Markdown", str(tmp_path / "notes"))
        await asked(pilot, "It goes into personality engineer · note tea")
        await pilot.press("A")
        await shows(pilot, "Imported 1 note from Markdown · u to undo")
        assert (memory.root / "personalities/engineer/tea.md").exists()
        await pilot.press("u")
        await until(pilot, lambda: memory.tree() == before)


@pytest.mark.slow
async def test_where_an_agent_keeps_its_memory_is_what_enter_takes_in_both_directions(store: AStore, away_from_home: Path) -> None:
    session = store.session()
    session.folder = str(away_from_home / "code")
    (away_from_home / "code").mkdir()
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await choose(pilot, "memsearch", "")
        await asked(pilot, "The folder with the memory, or its project's:", "! Nothing was typed")  # it keeps none there
        await pilot.press("escape")
        (away_from_home / "code/.memsearch").mkdir()
        await choose(pilot, "memsearch")
        await asked(pilot, "Where memsearch keeps this folder's memory, or another:", "┃  ~/code/.memsearch")
        await pilot.press("enter")
        await asked(pilot, "is no memsearch memory", "imported.", "┃  ~/code/.memsearch")
        await pilot.press("escape")
        await choose(pilot, "memsearch", "", out=True)
        await shows(pilot, "Export to memsearch: nothing is written before A", "~/code/.memsearch/memory/")


@pytest.mark.slow
async def test_the_agent_whose_memory_it_is_gets_it_only_where_the_person_says(store: AStore, away_from_home: Path) -> None:
    claude = stores.open_store(Config(), "claude-code", cwd="/code/lantern", clock=lambda: NOW)
    out = away_from_home / "copy/.claude"
    async with running(ZsmemApp(claude, now_ns=lambda: NOW_NS), size=(160, 40)) as pilot:
        await pilot.press("f4")
        await shows(pilot, "to   Claude Code · a copy in a folder that you name")
        await choose(pilot, "Claude Code", "", out=True)
        await asked(pilot, "! Nothing was typed")
        assert "where Claude Code keeps this folder" not in screen_text(pilot.app)
        await pasted(pilot, str(out))
        await pilot.press("enter")
        await shows(pilot, "Export to Claude Code: nothing is written before A", "5 files would change")
        await pilot.press("escape")
        await choose(pilot, "Markdown", str(out), key="c")
        await asked(pilot, "Take the memory of Markdown to:", "Ethos · where it keeps")
        assert "Claude Code · where it keeps" not in screen_text(pilot.app)
        await pilot.press("escape")
        await choose(pilot, "Gemini CLI", "", out=True)  # which names a folder's memory once it has worked there
        await asked(pilot, "Gemini CLI has not worked in /code/lantern yet: start it there once,", "! Nothing")
