"""Editing beside a writing agent, as a person does it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot

from tests.builders import NOW, AStore
from tests.soak.monkey import a_key
from tests.store.test_drafts import typing
from tests.ui.driving import NOW_NS, an_app, asked, rewritten, running, screen_text, shows, until
from tests.ui.several import at
from zsmem_tui.config.model import Config
from zsmem_tui.service import editing as verbs
from zsmem_tui.service import history
from zsmem_tui.service.stores import open_store
from zsmem_tui.store import writing
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.finder import FinderDialog
from zsmem_tui.ui.keys import typed_ahead
from zsmem_tui.ui.keys.typed_ahead import keys_wait
from zsmem_tui.ui.memory import editing as flows
from zsmem_tui.ui.memory import editor
from zsmem_tui.ui.memory.editing import measure

OTHER = "other-99999999"
HIDDEN = "\ufeff\ufeffa\u200b\u061c\u202e\U000e0041\0\x1b[2J\rb\r\n\tc\u3164\U000e007f\n\n".encode()


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "# Facts\n\n- one\n- two\n")
        .has("~/notes/crlf.md", b"\xef\xbb\xbfalpha\r\nbeta\r\nlast")
        .has("~/notes/odd.md", "form\x0cfeed\u2028sep\nplain\x85nel\n")
        .has("~/notes/hidden.md", HIDDEN)
        .has("~/notes/latin.md", b"caf\xe9\n")
        .has(f"projects/{OTHER}/notes/n.md", "x\n")
    )


def editing(app: object) -> bool:
    return app.focused is not None and app.focused.id == "text"  # type: ignore[attr-defined]


def drafted(store: AStore, path: str = "MEMORY.md") -> bytes:
    """The unsaved text that is kept of a file."""
    session = store.session()
    draft = verbs.draft_of(session, session.ref_at(path))
    return draft.text if draft else b""


async def begun(pilot: Pilot[Any], name: str = "MEMORY.md") -> None:
    """Edit a file of the tree."""
    await at(pilot, name)
    await pilot.press("e")
    await until(pilot, lambda: editing(pilot.app))


async def left(pilot: Pilot[Any]) -> None:
    """Leave the editor, in which nothing is unsaved."""
    await until(pilot, lambda: not pilot.app.main.editor.unsaved)  # type: ignore[attr-defined]
    await pilot.press("escape")
    await until(pilot, lambda: pilot.app.main.editor.ref is None and not pilot.app.conversations.under_way)  # type: ignore[attr-defined]


async def test_what_is_typed_is_saved_every_other_byte_stays_and_leaving_with_unsaved_text_asks_once(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("down", "down", "end", *" more")
        await shows(pilot, "* MEMORY.md", "unsaved")
        await pilot.press("ctrl+s")
        await shows(pilot, "Saved MEMORY.md, +1 -1 · esc, then u to undo")
        assert store.raw("MEMORY.md") == b"# Facts\n\n- one more\n- two\n"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "tree-view")
        await shows(pilot, "one more")
        for name, before, after in (
            ("crlf", b"\xef\xbb\xbfalpha\r\nbeta\r\nlast", b"\xef\xbb\xbfXalpha\r\nbeta\r\nlast"),
            ("hidden", HIDDEN, HIDDEN[:3] + b"X" + HIDDEN[3:]),
            ("odd", "form\x0cfeed\u2028sep\nplain\x85nel\n".encode(), "Xform\x0cfeed\u2028sep\nplain\x85nel\n".encode()),
        ):
            await begun(pilot, f"{name}.md")
            assert not pilot.app.main.editor.unsaved
            assert not any(
                char in screen_text(pilot.app) for char in "\u200b\u061c\u202e\ufeff\U000e0041\U000e007f\0\x1b\r\x0c\u2028\x85"
            )
            await pilot.press("X", "ctrl+s")
            await until(pilot, partial(_holds, store, f"~/notes/{name}.md", after))
            await pilot.press("backspace", "ctrl+s")
            await until(pilot, partial(_holds, store, f"~/notes/{name}.md", before))
            await left(pilot)
        await begun(pilot)
        await pilot.press("ctrl+f", *"TWO", "enter")
        await until(pilot, lambda: pilot.app.main.editor.area.selected_text == "two")
        await pilot.press("escape")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("ctrl+end", *"DRAFT LINE", "ctrl+s")  # a text that ended in a line end, or is new, ends in one
        await until(pilot, lambda: store.raw("MEMORY.md") == b"# Facts\n\n- one more\n- two\nDRAFT LINE\n")
        await shows(pilot, "saved")
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+s")  # a word at a time
        await until(pilot, lambda: store.raw("MEMORY.md") == b"# Facts\n\n- one more\n- two\n")
        await left(pilot)
        await begun(pilot)
        await pilot.press("ctrl+home", "Q", "ctrl+s", "W", "ctrl+s", "ctrl+s")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"QW# Facts\n\n- one more\n- two\n")
        await pilot.pause(0.3)
        assert store.raw("MEMORY.md") == b"QW# Facts\n\n- one more\n- two\n"
        assert type(pilot.app.screen).__name__ == "MainScreen" and not pilot.app.conversations.under_way
        assert verbs.Editable(b"").ended("new") == "new\n" and verbs.Editable(b"\xff").ended("latin") == "latin"
        assert verbs.Editable(b"none").ended("none more") == "none more" and verbs.Editable(b"a\r\n").ended("b") == "b\n"
        # leaving with unsaved text asks once
        await left(pilot)
        await rewritten(pilot, "MEMORY.md", "# Facts\n\n- one\n- two\n")
        await begun(pilot)
        await pilot.press("Z")
        await shows(pilot, "ctrl+f Find")
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await until(pilot, lambda: "ctrl+f Find" not in screen_text(pilot.app))  # it does nothing below a question
        await pilot.press("escape")
        await shows(pilot, "ctrl+f Find")
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("enter")
        await shows(pilot, "Saved MEMORY.md, +1 -1 · u to undo")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"# Facts\n\n- one\n- two\n")
        await shows(pilot, "U to redo")
        await begun(pilot)
        await pilot.press("Z", "escape")
        await shows(pilot, "There is unsaved text.", "Keep it as a draft")
        await pilot.press("escape")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("ctrl+q")
        await shows(pilot, "There is unsaved text. The program ends with the answer; esc stays.")
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: not pilot.app.is_running or pilot.app._exit)
    assert store.raw("MEMORY.md") == b"# Facts\n\n- one\n- two\n"


async def test_opening_another_file_asks_about_unsaved_text_first_and_leaves_an_editor_with_none(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.has("~/notes/other.md", "other words\n")
    before = store.raw("MEMORY.md")
    async with running(an_app(store)) as pilot:
        app: Any = pilot.app
        await begun(pilot)
        await pilot.press("Z")
        for key in ("ctrl+o", *"other", "enter"):  # typed for the line: no answer to the question
            app._driver.send_message(a_key(app, key))
        await asked(pilot, "There is unsaved text.")
        await until(pilot, lambda: not keys_wait(app))
        await pilot.press("escape")
        await until(pilot, lambda: editing(app))
        assert store.raw("MEMORY.md") == before and app.main.editor.unsaved
        monkeypatch.setattr(typed_ahead, "PAUSE_SECONDS", 0.0)  # who reads the question makes a pause
        await pilot.press("ctrl+o")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, FinderDialog))
        await pilot.press("escape")
        await begun(pilot)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(app.screen, FinderDialog))
        await pilot.press(*"other.md", "enter")
        await shows(pilot, "other words")
        assert app.main.editor.ref is None and store.raw("MEMORY.md") == before
        await at(pilot, "notes/other.md")
        await pilot.press("e", *"typed")
        await until(pilot, lambda: app.main.editor.unsaved)
        app.main.focus_pane("tree")
        await pilot.press("e")  # of the same file: there it goes on
        await until(pilot, lambda: editing(app) and app.focused.id == "text")
        await pilot.press("X")
        assert app.main.editor.area.value == "typedXother words\n"
        app.main.focus_pane("tree")
        await pilot.press("g", "e")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("escape")
        await until(pilot, lambda: not app.conversations.under_way)
        assert app.main.editor.area.value == "typedXother words\n"
        await pilot.press("e")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("enter")
        await until(pilot, lambda: editing(app) and app.main.editor.ref.path == "MEMORY.md")
        assert store.raw("~/notes/other.md") == b"typedXother words\n"


async def test_the_editor_starts_below_a_front_matter_and_says_when_a_save_breaks_it(tmp_path: Path) -> None:
    blocks = AStore(tmp_path / ".opencode" / "memory").has("project.md", "---\nlimit: 900\n---\nfine\n")
    session = open_store(Config(), f"opencode:{blocks.root}", cwd=str(tmp_path), clock=lambda: NOW)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
        await begun(pilot, "project.md")
        await pilot.press(*"X", "ctrl+s")
        await shows(pilot, "Saved project.md, +1 -1 · esc, then u to undo")
        assert blocks.raw("project.md") == b"---\nlimit: 900\n---\nXfine\n"
        await pilot.press("ctrl+home", "Y", "ctrl+s")
        words = "Saved project.md, +1 -1, but it no longer has a front matter that its agent reads · esc, then u to undo"
        await shows(pilot, words)
        await pilot.press("backspace", "ctrl+s")
        await shows(pilot, "Saved project.md, +1 -1 · esc, then u to undo")


def _holds(store: AStore, path: str, text: bytes) -> bool:
    return store.raw(path) == text


async def test_files_are_made_named_moved_deleted_and_brought_back_and_quitting_twice_keeps_what_is_unsaved(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "Facts")
        await pilot.mouse_down("#page", offset=(1, 0))
        await pilot.hover("#page", offset=(60, 3))
        await pilot.mouse_up("#page", offset=(60, 3))
        await pilot.press("2", "y")
        await shows(pilot, "Sent the selection to the terminal's clipboard")
        assert "one" in pilot.app.clipboard and "two" in pilot.app.clipboard
        await pilot.press("escape", "escape", "1")
        await at(pilot, "crlf.md")
        await pilot.press("d")
        await shows(pilot, "u to undo")
        assert not store.at("~/notes/crlf.md").exists()
        await pilot.press("u")
        await shows(pilot, "Undid: Deleted", "U to redo")
        assert store.raw("~/notes/crlf.md") == b"\xef\xbb\xbfalpha\r\nbeta\r\nlast"
        await at(pilot, "crlf.md")
        await pilot.press("a", "enter", *"v1.2", "enter")
        await shows(pilot, "invalid note name")
        await pilot.press("ctrl+u", *"CRLF", "enter")
        await shows(pilot, "crlf.md is there already. Nothing was written over.")
        await pilot.press("ctrl+u", *"plan", "enter")
        await until(pilot, lambda: editing(pilot.app))
        assert store.raw("~/notes/plan.md") == b"# plan\n"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "tree-view")
        await pilot.press("r")
        await shows(pilot, "A new name for")
        await pilot.press("ctrl+u", *"plan-b", "enter")
        await shows(pilot, "Renamed plan to plan-b")
        assert store.raw("~/notes/plan-b.md") == b"# plan\n" and not store.at("~/notes/plan.md").exists()
        await at(pilot, "crlf.md")
        await pilot.press("m")
        await shows(pilot, "Move", OTHER)
        await pilot.press("enter")
        await shows(pilot, f"to {OTHER}")
        assert store.raw(f"projects/{OTHER}/notes/crlf.md").endswith(b"last") and not store.at("~/notes/crlf.md").exists()
        await pilot.press("o")
        await until(pilot, lambda: "editor" in pilot.app.main.status.said or "cannot be left" in pilot.app.main.status.said)
        assert "There is no editor called" in pilot.app.main.status.said or "cannot be left" in pilot.app.main.status.said
        await at(pilot, "plan-b.md")
        await pilot.press("a", "down", "enter", *"looked at it", "enter")
        await until(pilot, lambda: store.at("~/daily/2026-05-25.md").exists())
        assert store.raw("~/daily/2026-05-25.md").decode() == "\n### 14:07 — looked at it\n\n"
        # quitting twice quits, and keeps what is unsaved
        await begun(pilot)
        await pilot.press("Q", "ctrl+q")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.conversations.begun)
        await pilot.press("ctrl+q")
        await asked(pilot, "There is unsaved text.")
        assert not pilot.app._exit
        await pilot.press("ctrl+q")
        await until(pilot, lambda: pilot.app._exit)
    assert store.raw("MEMORY.md").startswith(b"# Facts") and drafted(store).startswith(b"Q# Facts")


async def test_a_draft_on_its_way_to_disk_does_not_outlive_a_save_and_what_is_not_utf8_is_converted_as_shown(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_its_way, gate, done, keep = Event(), Event(), Event(), verbs.keep_draft

    def slow(*about: Any) -> None:
        on_its_way.set()
        gate.wait(60)
        keep(*about)
        done.set()

    monkeypatch.setattr(verbs, "keep_draft", slow)
    monkeypatch.setattr(editor, "DRAFT_SECONDS", 0.01)
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        pilot.app.post_message(Key("x", "x"))
        while not on_its_way.is_set():  # not a pause of the pilot: the editor is at rest only once its draft is written
            await asyncio.sleep(0.01)
        save = asyncio.create_task(flows.save(pilot.app.main))
        while not store.raw("MEMORY.md").startswith(b"x"):
            await asyncio.sleep(0.01)
        await asyncio.wait([save], timeout=0.5)
        gate.set()
        assert await save
        await until(pilot, done.is_set)
        assert drafted(store) == b""
        await left(pilot)
        # a file that is not UTF-8 is edited only as a conversion that stores what it shows
        store.has("~/notes/latin2.md", "Grüße, 中文\n".encode() + b"\x93caf\xe9\x94 \x81\x8d\x90\x80\n")
        await at(pilot, "latin.md")
        await pilot.press("e")
        await shows(pilot, "This file is not valid UTF-8", "café", "Leave it as it is")
        await pilot.press("down", "enter")
        await until(pilot, lambda: editing(pilot.app))
        assert store.raw("~/notes/latin.md") == b"caf\xe9\n"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: store.raw("~/notes/latin.md") == "café\n".encode())
        await left(pilot)
        await at(pilot, "latin2.md")
        await pilot.press("e")
        await shows(pilot, "With 7 bytes read as Latin-1", "“café” ⟨U+0081⟩⟨U+008D⟩⟨U+0090⟩€", "Leave it as it is")
        await pilot.press("down", "enter")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: store.raw("~/notes/latin2.md") == "Grüße, 中文\n“café” \x81\x8d\x90€\n".encode())
        await pilot.app.main.editor.query("#meter").remove()  # an answer about the prompt that comes while the program ends
        await measure(pilot.app.main)


async def test_no_draft_is_offered_where_somebody_types_and_it_opens_at_its_change(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, known, typed, read = store.session(), verbs.drafted, Event(), Event()
    lines = [f"- fact {number}" for number in range(40)]
    store.has("MEMORY.md", "\n".join([*lines, ""])).has("~/notes/n.md", "- seen\n")
    history.look_at_all(session)
    store.has("~/notes/n.md", "- seen\n- of others\n")
    lines[20:21] = ["- changed", "- and more"]
    verbs.keep_draft(session, session.ref_at("MEMORY.md"), "\n".join([*lines, ""]).encode(), store.raw("MEMORY.md"))

    def late(session: Any) -> Any:
        assert typed.wait(60)
        read.set()
        return known(session)

    monkeypatch.setattr(verbs, "drafted", late)
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"fact")
        await until(pilot, lambda: pilot.app.main.search.line.value == "fact")
        typed.set()
        await until(pilot, lambda: read.is_set() and pilot.app.conversations.begun == 0)
        await pilot.press(*" 7")
        await until(pilot, lambda: pilot.app.main.search.line.value == "fact 7")
        await shows(pilot, "There is unsaved text from before, of MEMORY.md: e on that file brings it back.")
        await pilot.press("escape", "escape", "1", "g")
        await at(pilot, "MEMORY.md")
        await shows(pilot, "5 Review ●1")
        assert "5 shows it" not in screen_text(pilot.app), "it would have taken the place of the other sentence"
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        assert pilot.app.main.editor.area.cursor_location[0] == 21


async def test_a_draft_is_offered_at_the_next_start_but_not_while_another_program_types_nor_elsewhere(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.session()
    verbs.keep_draft(session, session.ref_at(f"projects/{OTHER}/notes/n.md"), b"of another project\n", None)
    with typing(store, "# Facts\n\ntheirs") as other:
        async with running(an_app(store)) as pilot:
            await pilot.press("e")
            await until(pilot, lambda: editing(pilot.app))
            assert "from before" not in screen_text(pilot.app) and "theirs" not in pilot.app.main.editor.area.text
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.main.editor.ref is None)
        other.kill()
        other.wait()
    async with running(an_app(store)) as pilot:
        await asked(pilot, "There is unsaved text from before, of MEMORY.md.")
        await pilot.press("d", "5", "backspace")
        await shows(
            pilot,
            "Open it in the editor",
            "Later: it stays",
            "Discard it: H on the file still shows this text",
        )
        await pilot.press("enter")
        await until(pilot, lambda: editing(pilot.app))
        assert "theirs" in pilot.app.main.editor.area.text and drafted(store).endswith(b"theirs")
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("f1")
        await shows(pilot, "Help: Editor")
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        await begun(pilot)
        monkeypatch.setattr(editor, "DRAFT_SECONDS", 600)
        await pilot.press("ctrl+home", "D")  # the first change is kept at once
        await until(pilot, lambda: drafted(store).startswith(b"D# Facts"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: drafted(store) == b"" and not pilot.app.main.editor.unsaved)
        await pilot.press("backspace")  # and the first after a save
        await until(pilot, lambda: drafted(store).startswith(b"# Facts"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: drafted(store) == b"" and not pilot.app.main.editor.unsaved)
        monkeypatch.setattr(editor, "DRAFT_SECONDS", 0.5)
        await pilot.press("ctrl+home", *"Draft ")
        for _ in range(40):  # typing goes on without a pause
            if drafted(store).startswith(b"Draft "):
                break
            for key in (Key("x", "x"), Key("backspace", None)):
                pilot.app.post_message(key)
            await asyncio.sleep(0.1)
        else:
            raise AssertionError("nothing is kept while typing goes on")
        await until(pilot, lambda: drafted(store).startswith(b"Draft # Facts"))
    monkeypatch.setattr("zsmem_tui.ui.memory.editing.UNSEEN_SECONDS", 2)
    async with running(an_app(store)) as pilot:
        await shows(pilot, "There is unsaved text from before, of MEMORY.md.")
        await pilot.press("j", "enter", "escape")  # meant for the tree
        await asked(pilot, "There is unsaved text from before, of MEMORY.md.")
        await pilot.press("enter")
        await until(pilot, lambda: editing(pilot.app))
        assert pilot.app.main.editor.area.text.startswith("Draft # Facts")
        await pilot.press("ctrl+s")
        await shows(pilot, "Saved MEMORY.md, +")
    assert store.raw("MEMORY.md").startswith(b"Draft # Facts")
    verbs.keep_draft(session, session.ref_at("MEMORY.md"), b"one\ntwo\nthree\n", store.raw("MEMORY.md"))
    store.at("MEMORY.md").unlink()
    async with running(an_app(store)) as pilot:
        await asked(pilot, "There is unsaved text from before, of MEMORY.md.")
        await pilot.press("enter")
        await shows(pilot, "! Somebody deleted this file · ctrl+s asks whether to save yours as a new one")
        await pilot.press("ctrl+s")
        await asked(pilot, "Go on editing")
        await pilot.press("down", "enter")
        await shows(pilot, "Saved MEMORY.md, +3 -0")
    verbs.keep_draft(session, session.ref_at("MEMORY.md"), b"another try\n", None)
    async with running(an_app(store)) as pilot:
        await asked(
            pilot, "There is unsaved text from before, of MEMORY.md.", "+1 -3 beside the file as it stands:", "+ another try"
        )
        await pilot.press("down", "down", "enter")
        await shows(pilot, "Discarded the unsaved text: the history of MEMORY.md has it still.")
        await at(pilot, "MEMORY.md")
        await pilot.press("H")
        await shows(pilot, "History of MEMORY.md", "unsaved text, discarded")


async def overwritten(store: AStore, text: str) -> None:
    """Another process of ours writes the facts."""
    code = "import sys, zsmem_tui\nzsmem_tui.Mem(sys.argv[1], 'p', '2026-05-25').write('long_term', sys.argv[2], 'overwrite')"
    await asyncio.to_thread(partial(subprocess.run, [sys.executable, "-c", code, str(store.root), text], check=True))


@pytest.mark.slow
async def test_what_another_zsmem_saves_under_the_editor_is_called_so(store: AStore) -> None:
    facts = "# Facts\n\n- one\n- two\n"
    async with running(an_app(store)) as pilot:
        await rewritten(pilot, "MEMORY.md", facts)
        await begun(pilot)
        await pilot.press("ctrl+home", *"My ")
        await overwritten(store, f"{facts}- three\n")
        await shows(pilot, "! Changed on disk by another zsmem: lines +1 -0")
        await overwritten(store, f"Their {facts}")
        await shows(pilot, "! Changed on disk by another zsmem: lines +1 -1")
        await pilot.press("ctrl+s")
        await asked(pilot, "Theirs, by another zsmem", "Mine")
        await pilot.press("escape")
        store.has("MEMORY.md", f"An agent's {facts}")
        await shows(pilot, "! Changed on disk by somebody: lines +1 -1")
        writing.update(str(store.root), "MEMORY.md", lambda now: f"{facts}- here\n".encode())
        await shows(pilot, "! Changed on disk by this zsmem: lines +1 -0")


async def test_the_agent_writes_under_the_editor_and_both_texts_survive(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = writing.save
    under_way, may_go_on = Event(), Event()

    def slow(*arguments: object, **options: object) -> object:
        under_way.set()
        may_go_on.wait(30)
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "save", slow)
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("Q", "ctrl+s")
        await until(pilot, under_way.is_set)
        await pilot.press("W")
        store.has("MEMORY.md", store.raw("MEMORY.md") + b"- agent\n")
        may_go_on.set()
        await shows(pilot, "keeping 1 line")
        await until(pilot, lambda: pilot.app.main.editor.area.value == "QW# Facts\n\n- one\n- two\n- agent\n")
        assert store.raw("MEMORY.md") == b"Q# Facts\n\n- one\n- two\n- agent\n" and pilot.app.main.editor.unsaved
        await pilot.press("ctrl+s")
        await left(pilot)
        await rewritten(pilot, "MEMORY.md", "# Facts\n\n- one\n- two\n")
        facts, icon = "# Facts\n\n- one\n- two\n", "\U0010000d"
        for name in ("both", "theirs", "mine", "held", "folder"):
            store.has(f"~/notes/{name}.md", facts)
        await pilot.app.main.look_now()
        await begun(pilot)
        await pilot.press("ctrl+home", *"My ")
        store.has("MEMORY.md", f"{facts}- agent\n")
        await shows(pilot, "! Changed on disk by somebody: lines +1 -0 · ctrl+s merges or asks")
        await pilot.resize_terminal(20, 6)
        await shows(pilot, "! Changed on", "My # Facts")
        await pilot.resize_terminal(120, 40)
        store.has("MEMORY.md", facts)
        await until(pilot, lambda: "Changed on disk" not in screen_text(pilot.app))
        store.has("MEMORY.md", f"{facts}- agent\n")
        await shows(pilot, "! Changed on disk by somebody: lines +1 -0 · ctrl+s merges or asks")
        assert pilot.app.main.editor.area.text.startswith("My # Facts")
        await pilot.press("ctrl+s")
        await shows(pilot, "keeping 1 line written meanwhile")
        assert store.raw("MEMORY.md") == b"My # Facts\n\n- one\n- two\n- agent\n"
        assert "agent" in pilot.app.main.editor.area.text and not pilot.app.main.editor.unsaved
        await pilot.press("ctrl+z")
        await shows(pilot, "A save merged others' lines: ctrl+z ends there. esc, then u takes it back.")
        await left(pilot)
        for name, key, result in (
            ("theirs", "f3", b"agent # Facts\n"),
            ("mine", "f4", b"My # Facts\n"),
            ("both", "b", b"agent # Facts\nMy # Facts\n"),
        ):
            await begun(pilot, f"{name}.md")
            await pilot.press(*"My ")
            store.has(f"~/notes/{name}.md", f"agent {facts}")
            await pilot.press("ctrl+s")
            await shows(pilot, "Both changed the same lines. Nothing is written yet", "Theirs, on disk", "Mine")
            assert store.raw(f"~/notes/{name}.md") == b"agent # Facts\n\n- one\n- two\n"
            if name == "both":  # they write on while the question is open
                store.has("~/notes/both.md", f"agent {facts}- later\n")
                result += b"\n- one\n- two\n- later\n"
                await shows(pilot, "look again", "+│ My # Facts", "│ - later")
            await pilot.press(key, *(["enter"] if key == "b" else []))
            await until(pilot, lambda: not pilot.app.conversations.under_way)
            await shows(pilot, *(["keeping 2 lines written meanwhile"] if name == "both" else []))
            assert store.raw(f"~/notes/{name}.md") == result + b"\n- one\n- two\n" * (name != "both")
            await left(pilot)
        await begun(pilot, "held.md")
        await pilot.press(*"My ")
        store.has("~/notes/held.md", f"{facts}- {icon}\n")  # what the editor cannot hold stays in the file
        await pilot.press("ctrl+s")
        await shows(pilot, "keeping 1 line written meanwhile")
        await pilot.app.main.look_now()  # what was saved is no news, though the editor does not hold all of it
        await shows(pilot, "keeping 1 line written meanwhile")
        assert not pilot.app.main.editor.unsaved and "Changed on disk" not in screen_text(pilot.app)
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: not pilot.app.main.editor.unsaved)
        assert store.raw("~/notes/held.md") == f"My x# Facts\n\n- one\n- two\n- {icon}\n".encode()
        await left(pilot)
        await begun(pilot, "folder.md")
        await pilot.press("X")
        pilot.app.main.say("Saved note folder, +1 -0 · esc, then u to undo")
        store.at("~/notes/folder.md").unlink()
        await pilot.app.main.look_now()
        await until(pilot, lambda: "then u to undo" not in screen_text(pilot.app))
        await pilot.press("escape")  # one question, whether the banner came before it or not
        await asked(
            pilot,
            "Somebody deleted this file. There is unsaved text.",
            "Save it as a new file",
            "Keep it as a draft; the file stays deleted",
        )
        await pilot.press("enter")
        await until(pilot, lambda: store.at("~/notes/folder.md").exists() and not editing(pilot.app))
        await pilot.app.main.look_now()
        await begun(pilot, "folder.md")
        await pilot.press("X")
        store.at("~/notes/folder.md").unlink()
        await shows(pilot, "! Somebody deleted this file · ctrl+s asks whether to save yours as a new one")
        store.at("~/notes/folder.md").mkdir()
        await pilot.press("ctrl+s")
        await shows(pilot, "it is a folder", "Your text is still")
        assert pilot.app.main.editor.unsaved


@pytest.mark.slow
async def test_a_paste_of_five_megabytes_is_refused_in_words_and_one_of_one_is_taken(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot.app))
        pilot.app.focused.post_message(Paste("word " * 1_000_000))
        await shows(pilot, "too much to paste here: nothing was pasted")
        pilot.app.focused.post_message(Paste("icon \U0010000d"))
        await shows(pilot, "nothing was put there")
        assert not pilot.app.main.editor.unsaved
        pilot.app.focused.post_message(Paste("word\n" * 200_000))
        await until(pilot, lambda: pilot.app.main.editor.area.document.line_count > 200_000, seconds=30)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(store.raw("MEMORY.md")) > 1_000_000, seconds=30)


async def test_a_draft_of_a_conversion_is_offered_again_and_outlasts_a_change_of_the_file(store: AStore) -> None:
    session, raw, draft = store.session(), store.raw("~/notes/latin.md"), "café, and more\n"
    for base in (b"c\xe9\n", raw):
        verbs.keep_draft(session, session.mem().source_ref("note", "latin"), draft.encode(), base)
        async with running(an_app(store)) as pilot:
            await asked(pilot, "There is unsaved text from before")
            await pilot.press("enter")
            await until(pilot, lambda: editing(pilot.app))
            assert pilot.app.main.editor.area.text == draft and store.raw("~/notes/latin.md") == raw
            if base != raw:
                await shows(pilot, "! This file is not valid UTF-8")
                await pilot.press("ctrl+s")
                await shows(pilot, "Nothing is written yet")
                continue
            last = screen_text(pilot.app).splitlines()[-2]
            assert last.startswith((" * ", "* ")) and "note latin" in last and "MEMORY.md" not in last, (
                "the status line names what is edited"
            )
            await pilot.press("ctrl+s")
            await until(pilot, lambda: store.raw("~/notes/latin.md") == draft.encode())
