"""Keys that arrive faster than screens come and go: each is done once, waits, or is dropped."""

from __future__ import annotations

import asyncio
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from tests.builders import AStore
from tests.soak.monkey import a_key
from tests.ui.driving import an_app, asked, back, lit, running, screen_text, shows, to_the_tree, until
from zsmem_tui.service import editing, undoing
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.ask import ChoiceDialog, PromptDialog, choose
from zsmem_tui.ui.dialogs.finder import FinderDialog
from zsmem_tui.ui.dialogs.help import HelpDialog
from zsmem_tui.ui.doctor.screen import DoctorScreen
from zsmem_tui.ui.facts.screen import FactsScreen
from zsmem_tui.ui.history.screen import HistoryScreen
from zsmem_tui.ui.keys import typed_ahead
from zsmem_tui.ui.keys.typed_ahead import LOST_SECONDS, KeyDone, keys_wait
from zsmem_tui.ui.memory import reading
from zsmem_tui.ui.memory.editing import go_to_line
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.memory.tree import ProjectTree
from zsmem_tui.ui.review import opening
from zsmem_tui.ui.triage.screen import TriageScreen
from zsmem_tui.ui.widgets.row_list import RowList


def a_store(folder: Path) -> AStore:
    store = AStore(folder / "store").has("MEMORY.md", "# Facts\n\n- one\n").has("~/notes/plan.md", "words\n")
    return store.has("~/SCRATCHPAD.md", "- [ ] first\n- [ ] second\n- [x] third\n")


def at_once(pilot: Any, *keys: str) -> None:
    """Everything is in the queue before the first of it is looked at."""
    for key in keys:
        pilot.app._driver.send_message(a_key(pilot.app, key))


@pytest.mark.slow
async def test_every_press_of_undo_and_redo_counts_however_slow_the_step_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, store = undoing.undo_newest, a_store(tmp_path)

    def slow(*given: Any, **named: Any) -> undoing.UndoResult:
        time.sleep(0.3)
        return own(*given, **named)

    monkeypatch.setattr(undoing, "undo_newest", slow)
    async with running(an_app(store)) as pilot:
        await until(pilot, lambda: pilot.app.main.viewer.file)
        before = store.tree()
        at_once(pilot, "6", "x", "x", "g", "a", *"new", "enter")
        await until(pilot, lambda: b"- [ ] new" in store.raw("~/SCRATCHPAD.md"))
        after = store.tree()
        for screen in ("6", "1"):
            await pilot.press(screen)
            at_once(pilot, *"uuu")
            await until(pilot, lambda: store.tree() == before)
            await pilot.press(screen)
            at_once(pilot, *"UUU")
            await until(pilot, lambda: store.tree() == after)
        # it is offered no key that was pressed already
        await pilot.press("6", "g")
        at_once(pilot, "x", "u")
        await until(pilot, lambda: [text for _, text in pilot.app.told if text.endswith(" · undo comes next")])
        await until(pilot, lambda: store.tree() == after and not pilot.app.conversations.begun)


async def test_each_press_of_a_key_in_a_row_counts_is_said_and_esc_ends_those_that_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, own, gate = a_store(tmp_path), undoing.undo_newest, threading.Semaphore(0)
    monkeypatch.setattr(undoing, "undo_newest", lambda *given, **named: gate.acquire(timeout=20) and own(*given, **named))
    monkeypatch.setattr(typed_ahead, "HOLD_SECONDS", 60.0)
    for number in range(4):
        store.session().mem().write("long_term", f"- fact {number}")

    def left() -> int:
        return store.raw("MEMORY.md").count(b"- fact ")

    async with running(app := an_app(store)) as pilot:
        await until(pilot, lambda: app.main.viewer.file)
        for screen in ("7", "1"):
            await pilot.press(screen)
            at_once(pilot, "u")
            await shows(pilot, "Undo is under way …")
            await pilot.pause(0.8)  # who waits and presses again wants two
            at_once(pilot, *"uuu")
            for number in (1, 2):
                await shows(pilot, f"Undo is under way … · {4 - number} more wait, esc drops the rest")
                gate.release()
                await until(pilot, lambda number=number: left() == 4 - number)  # type: ignore[misc]
            await shows(pilot, "1 more wait")
            pilot.app._driver.send_message(a_key(app, "escape"))
            gate.release()
            await shows(pilot, "Undid", "U to redo")
            await until(pilot, lambda: not app.conversations.begun and not keys_wait(app))
            assert (left() == 1 and app.tool is not None) or screen == "1"
            at_once(pilot, *"UUU")
            gate.release(3)
            await until(pilot, lambda: left() == 4 and not app.conversations.begun)


BURSTS = [
    ("ctrl+p", *"rev", "enter", "enter", "enter"),
    ("a", "enter", "enter", "enter"),
    ("6", "slash", *"qzx", "enter", "v"),
    ("7", "slash", *"qzx", "enter", "v"),
    ("question_mark", "escape", "escape", "q"),
    ("O", "enter", "enter", "escape"),
    ("f2", "escape", "escape", "f3", "escape", "escape"),
    ("ctrl+p", "pageup", "pagedown", "enter"),
    ("f4", "enter", "enter", "escape", "escape"),
]


async def test_keys_typed_ahead_wait_for_rows_for_hits_and_for_the_key_before_and_a_burst_of_them_never_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = a_store(tmp_path).has("projects/xd-1a2b3c4d/SCRATCHPAD.md", "- [ ] theirs\n")
    async with running(an_app(store)) as pilot:
        await until(pilot, lambda: pilot.app.main.viewer.file)
        at_once(pilot, "6", "j", "x")
        await until(pilot, lambda: b"- [x] second" in store.raw("~/SCRATCHPAD.md"))
        assert b"- [ ] first" in store.raw("~/SCRATCHPAD.md")
        at_once(pilot, "g", "m", *"xd")  # the letters are for the question that m asks once it has read
        await shows(pilot, "› xd")
        await pilot.press("enter")
        await until(pilot, lambda: b"first" in store.raw("projects/xd-1a2b3c4d/SCRATCHPAD.md"))
        await until(pilot, lambda: not keys_wait(pilot.app) and not pilot.app.conversations.begun)
        assert store.raw("~/SCRATCHPAD.md") == b"- [x] second\n- [x] third\n"
        await back(pilot)
        at_once(pilot, "s", *"words", "enter", "H")
        await shows(pilot, "History of", "plan")
        assert pilot.app.main.search.line.value == "words"
        # a key waits for the one before, however long that takes
        await to_the_tree(pilot)
        pane = pilot.app.main.tree_pane

        async def slow(_: object) -> None:
            await asyncio.sleep(3 * LOST_SECONDS)
            pane.action_filter()

        monkeypatch.setattr(ProjectTree, "key_f12", slow, raising=False)
        await pilot.press("1")
        at_once(pilot, "f12", "x", "y")
        await until(pilot, lambda: [line.value for line in pane.query("#tree-filter").results(Input)] == ["xy"])
        await pilot.press("escape")
        for keys in BURSTS:
            at_once(pilot, *keys)
            await pilot.pause(0.2)
            at_once(pilot, *["escape"] * 6)
            await until(pilot, lambda: not keys_wait(pilot.app))
            for _ in range(
                6
            ):  # where a screen comes slowly, keys go where they can after a while: those were for the one before it
                await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, MainScreen) and not pilot.app.conversations.under_way)
            assert pilot.app.is_running, keys


@pytest.mark.slow
async def test_a_key_that_follows_esc_at_once_is_no_key_with_alt(tmp_path: Path) -> None:
    """Terminals send the same bytes for both."""
    async with running(an_app(a_store(tmp_path))) as pilot:
        sent = pilot.app._driver.send_message
        await pilot.press("7")
        await until(pilot, lambda: isinstance(pilot.app.screen, FactsScreen))
        sent(Key("∞", "∞"))  # what Textual makes of esc and 5
        await lit(pilot, "review")
        sent(Key("alt+7", "7"))
        await until(pilot, lambda: isinstance(pilot.app.screen, FactsScreen))
        await pilot.press("escape", "s")
        sent(Key("∞", "∞"))  # where letters are typed it is one
        await until(pilot, lambda: pilot.app.main.search.line.value == "∞")


@pytest.mark.slow
async def test_a_letter_with_alt_types_nothing_as_terminals_send_it_and_one_of_the_settings_is_typed_where_letters_are(
    tmp_path: Path,
) -> None:
    """Terminals send `esc` and the letter, which Textual hands on as a key that also types that letter."""
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n- two\n")
    async with running(an_app(store, keys={"app.quit": "q,ctrl+q", "app.palette": ":"})) as pilot:
        sent = pilot.app._driver.send_message
        await pilot.press("s")
        at_once(pilot, "q", "colon")
        await until(pilot, lambda: pilot.app.main.search.line.value == "q:")
        await shows(pilot, "ctrl+q Quit")
        assert ": Palette" not in screen_text(pilot.app)
        await pilot.press("ctrl+l", *"on")
        sent(Key("alt+o", "o"))
        await until(pilot, lambda: pilot.app.main.search.scope.whole_words)
        assert pilot.app.main.search.line.value == "on"
        await pilot.press("escape", "1", "e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        for key, sign in (("alt+d", "d"), ("alt+z", "z"), ("alt+x", "x"), ("alt+c", "c"), ("y", "y")):
            sent(Key(key, sign))
        await until(pilot, lambda: "y" in pilot.app.main.editor.area.value)
        assert pilot.app.main.editor.area.value == "- one\ny- [ ] one\ny- two\n"
        at_once(pilot, "q", "colon")
        await until(pilot, lambda: pilot.app.main.editor.area.value == "- one\nyq:- [ ] one\nyq:- two\n")
        pilot.app.push_screen(ChoiceDialog("Where", "", [("q", "a queue")], names=True))
        await until(pilot, lambda: isinstance(pilot.app.focused, OptionList))
        at_once(pilot, "q", "u")
        await shows(pilot, "› qu")
        await pilot.press("escape", "escape", "escape", "escape")
        await shows(pilot, "There is unsaved text", "Keep it as a draft")
        await pilot.press("j", "enter")
        await to_the_tree(pilot)
        at_once(pilot, "colon")
        await until(pilot, lambda: isinstance(pilot.app.screen, FinderDialog))
        await pilot.press("escape")
        at_once(pilot, "q")
        await until(pilot, lambda: pilot.app._exit)


async def test_screens_that_come_and_go_under_keys(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    async with running(an_app(store)) as pilot:
        app: Any = pilot.app
        await go_to_line(app.main)  # of an editor that was left meanwhile: nothing is asked
        assert isinstance(app.screen, MainScreen)
        app.action_palette()  # one that goes before it has come ends nothing
        app.pop_screen()
        await until(pilot, lambda: len(app.screen_stack) == 1)
        at_once(pilot, "ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, FinderDialog))
        await pilot.press(*"doctor")
        await shows(pilot, "Doctor")
        at_once(pilot, "enter", "enter", "enter", "enter")  # chosen twice, done once
        await until(pilot, lambda: isinstance(app.screen, DoctorScreen))
        await pilot.pause(0.2)
        assert [type(screen) for screen in app.screen_stack] == [MainScreen, DoctorScreen]
        await back(pilot)
        at_once(pilot, "6", "slash", *"sec")  # typed ahead, for the screen that is still to come
        await shows(pilot, "second")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen))
        await until(pilot, lambda: app.screen.query_one("#todo-filter").value == "sec")
        await pilot.press("enter", "escape")
        triage = app.screen
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, PromptDialog))
        triage.dismiss(None)  # with it goes what lies over it, and nothing below
        triage.dismiss(None)
        await until(pilot, lambda: not app.conversations.under_way)
        assert [type(screen) for screen in app.screen_stack] == [MainScreen]
        at_once(pilot, "slash", *"pl", "enter", "escape", "slash", *"plan")
        await until(pilot, lambda: [line.value for line in app.main.query("#tree-filter")] == ["plan"])
        await pilot.press("escape", "escape", "g")
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen) and app.screen.rows.keys)
        at_once(pilot, "x", "escape")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md").startswith(b"- [x]"))
        await shows(pilot, "u to undo")
        at_once(pilot, "H")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        screen: Any = app.screen
        screen.dismiss(None)
        screen.load()
        screen.say("words for nobody")
        await shows(pilot, "words for nobody")
        screen.warn("why a key did nothing")
        await shows(pilot, "why a key did nothing")
        await pilot.press("j")
        await until(pilot, lambda: "why a key" not in screen_text(app), 3)
        before = store.tree()
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("ctrl+q")  # leaving answers the open question with no
        await until(pilot, lambda: app._exit)
    assert store.tree() == before


async def test_keys_that_still_wait_when_the_program_ends_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        monkeypatch.setattr(app, "is_busy", lambda: True)
        at_once(pilot, "j", "k")
        await until(pilot, lambda: len(app._ahead) == 2)
        app.exit()
    monkeypatch.setattr(app, "is_busy", lambda: False)
    await app._look_again()
    assert not app._screen_stack and not app._ahead


async def test_words_typed_behind_a_screen_that_comes_late_are_searched_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, read = a_store(tmp_path), opening.list_so_much

    async def late(*about: Any) -> None:
        await asyncio.sleep(0.3)
        await read(*about)

    async with running(an_app(store)) as pilot:
        main = pilot.app.main
        monkeypatch.setattr(opening, "list_so_much", late)
        for keys in (["5"], ["5", "5"]):
            await pilot.press("f6")
            await until(pilot, lambda: isinstance(pilot.app.screen, DoctorScreen))
            at_once(pilot, *keys, "s", *"xyz")
            await until(pilot, lambda: main.search.line.value == "xyz", 5)
            await until(pilot, lambda: pilot.app.conversations.begun == 0)
            assert pilot.app.screen is main and main.current == "search", keys
            await pilot.press("ctrl+l")


@pytest.mark.slow
async def test_no_hidden_line_has_the_focus_while_a_screen_comes_and_letters_typed_ahead_of_the_editor_are_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first key that comes early would be typed there, and filter a list by a letter that nobody sees."""
    store = a_store(tmp_path)
    had: list[str] = []
    real = Screen.set_focus

    def set_focus(self: Screen[Any], widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        if isinstance(widget, Input):
            had.append(f"{widget.id} of {self!r}")
        real(self, widget, scroll_visible, from_app_focus)

    monkeypatch.setattr(Screen, "set_focus", set_focus)
    async with running(an_app(store)) as pilot:
        seen: list[str] = []
        for key in "467890":
            await pilot.press(key)
            await until(pilot, lambda: pilot.app.tool is not None and pilot.app.tool.PAGE not in seen and pilot.app.focused)
            seen.append(pilot.app.tool.PAGE)
        assert not had
        # keys behind one whose widget was closed with it are not left waiting
        await to_the_tree(pilot)
        await pilot.press("7")
        await until(pilot, lambda: pilot.app.tool is not None and pilot.app.tool.query_one(RowList).has_focus)
        post, lost = Widget.post_message, list[Message]()

        def closing(self: Widget, message: Message) -> bool:
            if not (isinstance(message, Key) and message.key == "escape") and not (lost and isinstance(message, KeyDone)):
                return post(self, message)
            if not lost:
                pilot.app.call_later(pilot.app.pop_screen)
            lost.append(message)
            if isinstance(message, KeyDone):
                monkeypatch.setattr(Widget, "post_message", post)
            return True  # taken, and gone with the queue of the widget

        monkeypatch.setattr(Widget, "post_message", closing)
        at_once(pilot, "escape", "6")
        await lit(pilot, "triage")
        await until(pilot, lambda: not keys_wait(pilot.app))
        assert [type(each) for each in lost] == [Key, KeyDone]
        # letters typed ahead of the editor are text, and no verbs, also if they are looked at just before it has the focus
        await to_the_tree(pilot)
        await shows(pilot, "one")
        opened = EditorPane.open

        async def looked_at(self: EditorPane, *about: Any, **named: Any) -> None:
            await opened(self, *about, **named)
            pilot.app.call_later(pilot.app._look_again)

        monkeypatch.setattr(EditorPane, "open", looked_at)
        at_once(pilot, "e", *"drum")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await until(pilot, lambda: pilot.app.main.editor.content().startswith(b"drum"))
        # and none is for the dialog that the key before it closes
        at_once(pilot, *["backspace"] * 4, "escape", "enter", "a", "enter", *"hat", "enter", *"box")
        await until(pilot, lambda: pilot.app.main.editor.content().split() == [b"#", b"hat", b"box"])
    assert store.raw("MEMORY.md") == b"# Facts\n\n- one\n"


@pytest.mark.slow
async def test_keys_typed_behind_one_that_is_refused_do_nothing_and_those_after_the_sentence_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typed_ahead, "HOLD_SECONDS", 0.3)
    monkeypatch.setattr(editing, "MAX_EDIT_BYTES", 99)
    store = a_store(tmp_path).has("MEMORY.md", "- one\n" * 17)
    async with running(an_app(store)) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.main.viewer.file)
        for keys, begun, said in (("edxd", 1, ""), ("edxd", 4, ""), ("ex", 2, "x does nothing")):
            gate = asyncio.Event()

            async def slow(gate: asyncio.Event = gate) -> None:
                await gate.wait()

            app.talk(slow())
            app.main.status.clear()
            at_once(pilot, *keys)
            # keys wait for what is under way, for a while; what another key cannot do is no refusal of it
            while app.conversations.begun < begun or not app.main.status.said.startswith(said):
                await pilot.pause(0.01)
            gate.set()
            await shows(pilot, "It is too large to edit here (over 4 MiB): o opens it in your own editor.")
            await until(pilot, lambda: not keys_wait(app) and not app.conversations.begun)
            await shows(pilot, "It is too large to edit here (over 4 MiB): o opens it in your own editor.")
            assert store.at("MEMORY.md").exists()
        await pilot.press("2")
        await until(pilot, lambda: "Delete file" in screen_text(app) and "e Edit" not in screen_text(app))
        gate = asyncio.Event()
        app.talk(_refused(app.main, gate))
        await shows(pilot, "No.")
        for key in map(partial(a_key, app), "dx"):  # those from before it do nothing, and leave the sentence
            key.time = 0.0
            app._driver.send_message(key)
        while app.conversations.begun < 2 or keys_wait(app):
            await pilot.pause(0.01)
        gate.set()
        await until(pilot, lambda: not app.conversations.begun)
        assert app.main.status.said == "No." and store.at("MEMORY.md").exists()
        await pilot.press("s", *"on")
        app.call_later(lambda: app.talk(_refused(app.main)))
        at_once(pilot, *"es")  # letters of a line are not lost
        await shows(pilot, "No.")
        await until(pilot, lambda: app.main.search.line.value == "ones")
        await pilot.press("escape", "escape", "1", "g")
        gate = asyncio.Event()
        app.talk(_refused(app.main, gate))
        await shows(pilot, "No.")
        at_once(pilot, "d")  # one from after it counts, though what was refused still reads
        await until(pilot, lambda: keys_wait(app))
        gate.set()
        await until(pilot, lambda: not store.at("MEMORY.md").exists())


async def _refused(main: MainScreen, gate: asyncio.Event | None = None) -> None:
    main.warn("No.")
    if gate is not None:
        await gate.wait()


@pytest.mark.slow
async def test_keys_behind_enter_wait_for_the_file_that_it_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would be for the file that was shown before."""
    gate, read = threading.Event(), reading._read
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.main.viewer.file)
        await pilot.press("2", "6")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen) and app.screen.rows.keys)
        monkeypatch.setattr(reading, "_read", lambda *about: gate.wait(60) and read(*about))
        for key in ("e", "escape"):
            gate.clear()
            at_once(pilot, "enter", key)
            await until(pilot, lambda: isinstance(app.screen, MainScreen))
            await pilot.pause(0.1)
            gate.set()
            await until(pilot, lambda: not keys_wait(app) and not app.conversations.begun)
            assert key == "escape" or app.main.editor.ref.path.endswith("SCRATCHPAD.md")
            await pilot.press(*["escape", "escape"] * (key == "e"))
            await until(pilot, lambda: isinstance(app.screen, TriageScreen))


@pytest.mark.slow
async def test_letters_behind_a_key_that_could_open_no_line_act_on_nothing(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    async with running(an_app(store)) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.main.viewer.file)
        await pilot.press("g")

        async def asks_twice() -> None:
            for _ in range(2):
                await choose(app.main, "A question", "Which?", [("no", "Leave it"), ("yes", "Do it")])

        app.talk(asks_twice())
        await asked(pilot, "A question")
        at_once(pilot, "escape", "ctrl+o", *"jmd", "enter")
        await shows(pilot, "ctrl+o does nothing here · enter choose · esc close")
        await until(pilot, lambda: not keys_wait(app))
        assert app.screen.query_one(OptionList).highlighted == 0, "the letters were for the line that did not open"
        at_once(pilot, "escape", "d")  # after a key of another kind they count again
        await until(pilot, lambda: not store.at("MEMORY.md").exists())
        gate = asyncio.Event()
        app.talk(_refused(app.main, gate))
        at_once(pilot, "ctrl+o")
        await until(pilot, lambda: app._ahead)
        gate.set()
        await until(pilot, lambda: not app.conversations.begun)
        at_once(pilot, *"dmd", "enter")
        await until(pilot, lambda: not keys_wait(app))
        await pilot.pause(0.1)
        assert isinstance(app.screen, MainScreen) and store.at("~/notes/plan.md").exists()


async def test_help_is_left_for_what_a_key_opens_and_a_key_that_does_nothing_in_a_dialog_says_so(tmp_path: Path) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.main.viewer.file)
        for key in ("f1", "question_mark"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, HelpDialog))
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(app.screen, FinderDialog))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("f1", "8")
        await until(pilot, lambda: isinstance(app.screen, DoctorScreen))
        await pilot.press("f1", "u")
        await shows(pilot, "u does nothing here · esc close")
        await pilot.press("escape", "4")
        await lit(pilot, "prompt")
        await until(pilot, lambda: app.tool.rows.seen is not None)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, HelpDialog))
        for key, name in (("tab", "tab"), ("u", "u"), ("equals_sign", "=")):
            await pilot.press(key)
            await shows(pilot, f"{name} does nothing here · esc close")
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        app.push_screen(ChoiceDialog("A draft", "", [("no", "Later"), ("yes", "Take it")]))
        await asked(pilot, "A draft")
        for key in "8A":
            await pilot.press(key)
            await shows(pilot, f"{key} does nothing here · enter choose · esc close")
        await pilot.press("j", "ctrl+p")
        await shows(pilot, "ctrl+p does nothing here")
        assert app.screen.query_one(OptionList).highlighted == 1


async def test_a_key_pressed_before_a_plan_is_there_does_not_carry_it_out(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- The lift is serviced in March.\n" * 2 + "- See [a](gone.md).\n")
    store.has("~/SCRATCHPAD.md", "- [ ] seen by all\n+ [ ] call the plumber\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("8")
        await shows(pilot, "3 to decide", "A  Delete this line")
        await pilot.press("asterisk")
        await shows(pilot, "3 marked", "A Plan 2")
        before = store.tree()
        gate = asyncio.Event()
        pilot.app.talk(_held(gate))
        at_once(pilot, "A", "A")
        await until(pilot, lambda: keys_wait(pilot.app))
        gate.set()
        await asked(pilot, "nothing is written before A", "A was pressed before this stood here. Nothing was written yet.")
        assert store.tree() == before
        await pilot.press("A")
        await shows(pilot, "Mended 2 findings")


async def _held(gate: asyncio.Event) -> None:
    await gate.wait()


async def test_a_key_that_comes_when_no_screen_is_left_ends_nothing(tmp_path: Path) -> None:
    app = an_app(AStore(tmp_path))
    await app.on_event(Key("j", "j"))
    assert not app._screen_stack


@pytest.mark.slow
async def test_keys_are_held_for_some_seconds_by_the_clock_and_not_by_how_often_a_slow_machine_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, looks = 100.0, 0

    def is_busy(_: object) -> bool:
        nonlocal now, looks
        now, looks = now + 1, looks + 1
        return True

    async with running(an_app(a_store(tmp_path))) as pilot:
        await until(pilot, lambda: pilot.app.main.viewer.file)
        monkeypatch.setattr(typed_ahead, "monotonic", lambda: now)
        monkeypatch.setattr(ZsmemApp, "is_busy", is_busy)
        at_once(pilot, "e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        assert 5 <= looks <= 10


@pytest.mark.slow
async def test_a_key_that_comes_while_a_tool_is_taken_down_waits_for_no_rows_of_it(tmp_path: Path) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        await pilot.press("8")
        await until(pilot, lambda: isinstance(pilot.app.screen, DoctorScreen) and not pilot.app.screen.awaits_rows)
        await pilot.app.screen.remove_children()
        assert not pilot.app.screen.awaits_rows


async def test_what_is_typed_into_a_question_is_dropped_only_by_quitting_twice(tmp_path: Path) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        await to_the_tree(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: isinstance(app.screen, PromptDialog))
        for more in ("a sentence", ", longer"):
            await pilot.press(*(each if each.isalpha() else {" ": "space", ",": "comma"}[each] for each in more), "f1")
            await until(pilot, lambda: isinstance(app.screen, HelpDialog))
            await pilot.press("ctrl+q")
            await shows(pilot, "ctrl+q again drops what you typed", "a sentence")
            assert isinstance(app.screen, PromptDialog) and not app._exit
        await pilot.press("ctrl+q")
        await until(pilot, lambda: app._exit)


@pytest.mark.slow
@pytest.mark.parametrize("changed", [False, True])
async def test_a_question_with_nothing_typed_keeps_nobody_from_quitting(tmp_path: Path, changed: bool) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        await to_the_tree(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: isinstance(app.screen, PromptDialog))
        await pilot.press(*("x", "backspace") * changed, "ctrl+q")
        await until(pilot, lambda: app._exit)
