"""What cannot be done is said before anything is asked; what was typed is kept; dialogs take letters as words or not at all."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from tests.builders import AStore
from tests.ui.driving import NOW_NS, an_app, back, edits_at, running, screen_text, shows, to_changes, until, watching
from tests.ui.several import at
from zsmem_tui.service import undoing
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.ask import ChoiceDialog, PromptDialog
from zsmem_tui.ui.review.screen import ReviewScreen
from zsmem_tui.ui.widgets import bars

PROJECTS = ["apple-00000001", "banana-00000002", "jelly-00000003", "kiwi-00000004"]


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    found = (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "# Facts\n\n" + "".join(f"- fact {number}\n" for number in range(120)))
        .has("~/notes/alpha.md", "".join(f"row {number} of alpha\n" if number % 40 else "needle here\n" for number in range(120)))
        .has("~/SCRATCHPAD.md", "# Now\n\n- [ ] first\n- [x] done one\n- [x] done two\n")
    )
    for project in PROJECTS:
        found.has(f"projects/{project}/notes/n.md", "x\n")
    return found


def editing(app: object) -> bool:
    return app.screen.focused is not None and app.screen.focused.id == "text"  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_what_another_window_undid_names_no_key_that_would_undo_it(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "SAID_SECONDS", 60.0)
    async with running(an_app(store)) as pilot:
        await pilot.press("6")
        await shows(pilot, "first", "esc Back")
        await pilot.press("x")
        await shows(pilot, said := "Done “first” · u to undo")
        pilot.app.main.say(said)
        assert undoing.undo(store.session()).message == "Undid: Done “first”"
        await until(pilot, lambda: said not in screen_text(pilot.app) and not pilot.app.main.status.said)


@pytest.mark.slow
async def test_what_cannot_be_done_is_said_before_a_dialog_opens_and_no_letter_is_silent(store: AStore) -> None:
    only = {"r": "Only notes can be renamed", "m": "Only notes and daily logs can be moved"}
    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        for key, words in only.items():
            await pilot.press(key)
            await shows(pilot, words)
            assert pilot.app.screen is main
        for key in ("j", "question_mark", "escape", "l", "z", "z", "slash", "x", "escape", "2", "R", "s", "q", "?"):
            main.say("")
            await pilot.press(key)
            await pilot.pause(0.05)
            assert "does nothing" not in main.status.said and "quits" not in main.status.said, key
        await pilot.press("escape", "escape", "1", "g", "j")
        for key in "eodrmcy":
            main.say("")
            await pilot.press(key)
            await shows(pilot, "demo-1a2b3c4d is a project, not a file")
        keys = main.query_one(bars.KeyBar)
        assert not any(word in keys.render().plain for word in ("Delete", "Edit"))  # what a project refuses
        await pilot.press("j")
        await until(pilot, lambda: main.tree_pane.file_at_cursor() is not None)
        await until(pilot, lambda: "d Delete" in keys.render().plain)
        for key, words in only.items():
            await pilot.press(key)
            await shows(pilot, words)
            assert pilot.app.screen is main
            await pilot.press("j", "k")  # it says nothing of another file
            await until(pilot, lambda words=words: words not in screen_text(pilot.app))  # type: ignore[misc]
        silent = {"q": "ctrl+q quits", "Q": "Q does nothing here: it is One by one in Triage, Facts", "é": "é does nothing"}
        silent["x"] = "x does nothing here: it is Seen in Review; Done in Triage"
        silent["ctrl+s"] = "ctrl+s does nothing here: it is Save in Editor"
        silent["alt+k"] = "alt+k does nothing here: it is Delete line in Editor"
        for key, words in (*silent.items(), ("ctrl+c", "ctrl+q quits")):
            await pilot.press(key)
            await until(pilot, partial(_is_said, main, words))
        await pilot.press("j")
        await until(pilot, lambda: not main.status.said)  # that key does something
        await pilot.press("f2")
        await until(pilot, lambda: pilot.app.tool is not None)
        for key, words in silent.items():
            await pilot.press(key)
            await shows(pilot, words)
        # esc leaves the difference before the prompt, and leads back to it after editing
        await back(pilot)
        await pilot.press("1", "g")
        app = pilot.app
        for first in ([], ["enter"]):
            await pilot.press("f2")
            await shows(pilot, "fact 0")
            await pilot.press(*first, "|")
            await shows(pilot, "- as docs say   + as 1.7 does")
            assert app.screen.focused is not None and app.screen.focused.id == ("profiles" if first else "uses")
            await pilot.press("escape")
            await until(pilot, lambda: "+ zerostack" not in screen_text(app))
            assert app.tool is not None and app.screen.focused.id == ("block" if first else "uses")
            await pilot.press("escape", "escape") if first else await back(pilot)
        await pilot.press("f2")
        await shows(pilot, "fact 0")
        await pilot.press("enter", "j", "j", "j", "j", "enter")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "page")
        await pilot.press("e")
        await until(pilot, lambda: editing(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "page")
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is not None and app.tool.PAGE == "prompt")
        # e in the review opens at the change, and comes back
        await back(pilot)
        await pilot.press("1", "g")
        text = store.raw("MEMORY.md").decode()
        await watching(pilot)
        store.has("MEMORY.md", text.replace("fact 20\n", "FACT 20\n").replace("fact 99\n", "FACT 99\n"))
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await shows(pilot, "FACT 20")
        await pilot.press("enter", "n", "e")
        await edits_at(pilot, (101, 0))
        await pilot.press("escape")
        await until(pilot, lambda: app.tool is not None and app.tool.PAGE == "review")
        await shows(pilot, "▶+│ - FACT 99")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.main)
        # taking theirs says so
        await back(pilot)
        await pilot.press("1", "g")
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("ctrl+home", *"My ")
        store.has("MEMORY.md", store.raw("MEMORY.md").replace(b"# Facts", b"agent # Facts"))
        await pilot.press("ctrl+s")
        await shows(pilot, "Both changed the same lines")
        await pilot.press("f3")
        await shows(pilot, "Took theirs: MEMORY.md is as it stands on disk.")


def _is_said(main: Any, words: str) -> bool:
    return words in main.status.said


async def test_a_long_question_filters_and_in_a_short_one_no_letter_leads_to_another_answer(store: AStore) -> None:
    store.has("MEMORY.md", "# One\n\n## Apples\n\n" + "- x\n" * 90 + "\n## Jam\n\ny\n")
    async with running(an_app(store)) as pilot:
        answers: list[str | None] = []
        few = [("no", "Nothing"), ("yes", "white one")]
        for pressed, answer in (
            (["w", "h", "i"], "no"),
            (["q", " ", "é"], "no"),
            (["j", "k", "j"], "yes"),
            (["2"], "yes"),
            (["9"], "no"),
        ):
            pilot.app.push_screen(ChoiceDialog("Q", "Which?", few), answers.append)
            await shows(pilot, "Which?", "Nothing")
            await pilot.press(*pressed)
            await shows(pilot, "Nothing", "white one")
            await pilot.press("enter")
            await until(pilot, lambda: answers)
            assert answers == [answer], pressed
            answers.clear()
        await pilot.press("2", "O")
        await shows(pilot, "Outline", "Jam")
        await pilot.press("j", "a", "m", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await shows(pilot, "Jam")
        assert pilot.app.main.viewer.view.line_meant == 95
        await pilot.press("1", "slash", *"alpha", "enter", "j", "m")
        await shows(pilot, "type to filter · j k move", "apple", "kiwi")
        await pilot.press("j")  # a letter that moves in every list filters by no name
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).highlighted == 1)
        await pilot.press("k")
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).highlighted == 0)
        await pilot.press(*"kiw")
        await until(pilot, lambda: "apple" not in screen_text(pilot.app))
        await pilot.press("x")
        await shows(pilot, "› iwx   nothing fits")
        await pilot.press("enter", "backspace")
        await shows(pilot, "kiwi")
        await pilot.press("escape")
        await shows(pilot, "apple", "type to filter")
        await pilot.press(*"kiw", "ctrl+u")
        await shows(pilot, "apple", "type to filter")
        await pilot.press(*"jelly", "enter")
        await until(pilot, lambda: store.at("projects/jelly-00000003/notes/alpha.md").exists())


async def test_e_opens_where_one_was_and_an_answer_that_is_refused_keeps_what_was_typed(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"needle", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("n", "n")
        await pilot.pause(0.1)
        await pilot.press("e")
        await edits_at(pilot, (80, 0))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("g", "e")
        await edits_at(pilot, (0, 0))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await pilot.press("escape", "escape")
        await back(pilot)
        await pilot.press("1", "g")
        store.has("~/notes/alpha.md", "x\n" * 70 + "needle\n" + "y\n" * 30)
        await pilot.app.main.look_now()
        await pilot.press("y")
        await shows(pilot, "Sent MEMORY.md to the terminal's clipboard")
        assert pilot.app.clipboard == store.raw("MEMORY.md").decode()
        store.has("~/notes/large.md", "- a line of many\n" * 70_000)
        await pilot.app.main.look_now()
        await at(pilot, "notes/large.md")
        for pane in ("1", "2"):
            await pilot.press(pane, "y")
            await shows(pilot, "1.1M is too much for a terminal's clipboard. V selects lines for it; o opens the file")
            assert pilot.app.clipboard == store.raw("MEMORY.md").decode()
        await pilot.press("V", "y")
        await until(pilot, lambda: pilot.app.clipboard == "- a line of many\n")
        await pilot.press("s", *"needle", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await pilot.press("y")
        await until(pilot, lambda: pilot.app.clipboard == store.raw("~/notes/alpha.md").decode())
        await pilot.press("e")
        await edits_at(pilot, (70, 0))
        assert pilot.app.main.editor.ref.name == "alpha"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await pilot.press("escape", "escape")
        await back(pilot)
        await pilot.press("1", "g")
        # the archive takes only what the filter shows
        before = store.raw("~/SCRATCHPAD.md")
        await pilot.press("6")
        await shows(pilot, "first")
        await pilot.press("slash", *"zzz", "enter", "Z")
        await shows(pilot, "No done item holds 'zzz'. Nothing was archived.")
        assert store.raw("~/SCRATCHPAD.md") == before
        await pilot.press("slash", "ctrl+u", *"two", "enter", "Z")
        await until(pilot, lambda: store.at("~/archive/SCRATCHPAD.md").exists())
        await shows(pilot, "Archived “done two”")
        assert store.raw("~/SCRATCHPAD.md") == b"# Now\n\n- [ ] first\n- [x] done one\n"
        await back(pilot)
        await pilot.press("1", "g")
        # an invalid name, and one that is taken
        await pilot.press("j", "a", "enter", *"plan v1.2", "enter")
        await shows(pilot, "! invalid note name")
        line = pilot.app.screen.query_one(Input)
        assert line.value == "plan v1.2" and isinstance(pilot.app.screen, PromptDialog)
        await pilot.press("backspace", "backspace", "enter")
        await until(pilot, lambda: store.at("~/notes/plan v1.md").exists())
        await edits_at(pilot, (1, 0))
        await pilot.press(*"below")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: store.raw("~/notes/plan v1.md") == b"# plan v1\nbelow\n")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await back(pilot)
        await pilot.press("1", "g")
        store.has("~/notes/taken.md", "x\n")
        await pilot.press("slash", *"alpha", "enter", "j", "r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"TAKEN", "enter")
        await shows(pilot, "! taken.md is there already")
        assert pilot.app.screen.query_one(Input).value == "TAKEN"
        await pilot.press("escape", "escape", "6")
        await shows(pilot, "first")
        await pilot.press("minus")
        await shows(pilot, "The name of the note:")
        await pilot.press("ctrl+u", *"a.b", "enter")
        await shows(pilot, "! invalid note name")
        assert pilot.app.screen.query_one(Input).value == "a.b"
        await pilot.press("backspace", "backspace", *"bc", "enter")
        await until(pilot, lambda: store.at("~/notes/abc.md").exists())
        await back(pilot)
        await pilot.press("1", "g")
        # from Triage, at the item
        store.has("~/SCRATCHPAD.md", "".join(f"- [ ] item {number}\n" for number in range(90)))
        await pilot.press("6")
        await shows(pilot, "item 3")
        await pilot.press("G", "enter")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "page")
        await pilot.press("e")
        await edits_at(pilot, (89, 0))


async def test_ages_go_on_while_nobody_does_anything(store: AStore) -> None:
    for path in store.tree():
        os.utime(store.at(path), ns=(NOW_NS, NOW_NS))
    clock = [NOW_NS]
    drawn: list[object] = []
    async with running(ZsmemApp(store.session(), now_ns=lambda: clock[0]), (80, 24)) as pilot:
        app = pilot.app
        await shows(pilot, "MEMORY.md", "now")
        await pilot.press("1", "g", "j")
        at = app.main.tree_pane.at_cursor()
        clock[0] += 3_600 * 10**9
        app.tick()
        await pilot.pause()
        assert screen_text(app).count(" now") == 0 and screen_text(app).count(" 60m") >= 3, "also below a group that is unfolded"
        assert app.main.tree_pane.at_cursor() == at
        await pilot.press("0")
        await shows(pilot, "Projects", "60m", "jelly")
        rows = app.tool.rows
        await until(pilot, lambda: app.focused is rows)
        app.tick()  # the first rows may have been measured before the layout was done
        await until(pilot, lambda: screen_text(app) and rows._known)  # rows are measured when they are drawn
        rows.refresh = lambda *regions, **how: drawn.append(regions)
        app.tick()
        assert not drawn, "no age has changed"
        clock[0] += 3 * 3_600 * 10**9
        app.tick()
        assert drawn
        del rows.refresh
        rows.refresh()
        await shows(pilot, "4h")
        tree = app.main.tree_pane.project_tree
        assert "60m" in "".join(text for line in tree._lines(0) for text, _ in line), "below a screen, nothing is looked at"


async def test_what_was_said_can_be_read_again_whole(store: AStore) -> None:
    async with running(an_app(store), (80, 24)) as pilot:
        main = pilot.app.main
        main.say("first")
        main.say("[b]a name[/b] `of` " + "a long file " * 40 + "to the end", warning=True)
        await pilot.pause()
        assert "to the end" not in screen_text(pilot.app)
        await pilot.press("semicolon")
        await shows(pilot, "Messages", "[b]a name[/b] `of`", "to the end", "first")
        assert screen_text(pilot.app).index("to the end") < screen_text(pilot.app).index("first")
        copied: list[str] = []
        pilot.app.copy_to_clipboard = copied.append
        await shows(pilot, "y copy")
        await pilot.press("y")
        await shows(pilot, "Sent to the terminal's clipboard")
        assert copied[0].startswith("[b]a name[/b] `of` a long file") and copied[0].endswith("to the end\nfirst\n")
        await pilot.press("escape", "n", "7")  # n: told by the screen itself, while it handles a key
        await until(pilot, lambda: pilot.app.tool is not None)
        await pilot.press("semicolon")
        await shows(pilot, "Messages", "n does nothing here: it is Next in Viewer, Search,", "first")
        await pilot.press("escape", "escape", "s", *"qzx", "enter")
        await shows(pilot, "No hit to go to: type other words")
        assert [text for _, text in pilot.app.told][-1].startswith("No hit to go to: ")
        app = pilot.app  # and told to a screen that is still being made: said once it is there
        app.call_next(lambda: (app.push_screen(ReviewScreen(app)), app.say("told [b]early")))
        await shows(pilot, "told [b]early")
        assert isinstance(app.tool, ReviewScreen)
