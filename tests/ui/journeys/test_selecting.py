"""Selecting text of the viewer with keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, rewritten, running, screen_text, shows, until
from zsmem_tui.config.model import Config
from zsmem_tui.service import file_ops, instructions, undoing
from zsmem_tui.service.editing import delete_lines
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp


async def test_text_is_selected_with_keys_and_copied_and_d_deletes_the_lines_that_are_selected_or_asks(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- **one** 日本\n- two\n- three\n" + "- more\n" * 90)
    app = ZsmemApp(store.session(), now_ns=lambda: NOW_NS, follow=False)  # what others write is looked at where it is said here
    async with running(app) as pilot:
        main = pilot.app.main
        await until(pilot, lambda: main.viewer.file)
        view = main.viewer.view
        await pilot.press("2", "v")
        await shows(pilot, "y copies · esc drops it", "selecting ·", "y Copy  V Whole lines  j More  k Less", "esc Drop it")
        await pilot.press("j", "j", "l", "l", "l", "l", "l", "l", "right")
        assert view.selected_text() == "▌ Facts\n\n• one 日本"
        await pilot.press("h", "y")
        assert pilot.app.clipboard == "▌ Facts\n\n• one 日"
        assert not view.selected_text() and not view.selecting.is_on, "what was copied is not selected any more"

        await shows(pilot, "e Edit", "d Delete file")  # the keys of the viewer again
        await pilot.press("V", "down", "down", "down")
        await shows(pilot, "v Characters")
        assert view.selected_text().endswith("• two")
        await pilot.press("y")
        assert pilot.app.clipboard == "# Facts\n\n- **one** 日本\n- two\n"
        await shows(pilot, "Sent 4 lines to")

        await pilot.press("shift+down", "shift+right", "G")
        assert view.scroll_offset.y > 0 and view.selected_text().endswith("• more")
        await pilot.press("escape")
        assert not view.selected_text() and main.current == "viewer", "esc drops what is selected first"

        await pilot.press("g", "v", "R")
        assert not view.selecting.is_on, "the rows of the raw text are others"
        await pilot.press("v", "v")
        await shows(pilot, "Nothing is selected any more")
        await pilot.press("j", "escape")
        await until(pilot, lambda: main.current == "tree")
        # d deletes the lines that are selected, and nothing else
        text = "# Facts\n\n- one\n- two\n- three\n"
        await rewritten(pilot, "MEMORY.md", text)
        await shows(pilot, "three")
        await pilot.press("2", "V", "j", "j")
        await shows(pilot, "d Delete lines")
        await pilot.press("g", "j", "j", "j", "v")
        await pilot.press("d")
        await shows(pilot, "Only whole lines are deleted here: V selects them. Nothing was deleted.")
        assert store.raw("MEMORY.md") == text.encode()
        await pilot.press("escape", "g", "V", "j", "j")
        await rewritten(pilot, "MEMORY.md", text := f"{text}- four\n")
        await until(pilot, lambda: not main.viewer.view.selecting.is_on)
        await pilot.press("d")
        await shows(pilot, "The text has changed, and nothing is selected any more. Nothing was deleted.")
        await pilot.press("g", "V", "j", "j")
        store.has("MEMORY.md", text + "- of an agent\n")
        await pilot.press("d")
        await shows(pilot, "Deleted 3 lines of MEMORY.md · u to undo")
        assert store.raw("MEMORY.md") == b"- two\n- three\n- four\n- of an agent\n"
        assert not main.viewer.view.selecting.is_on
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == f"{text}- of an agent\n".encode())
        # without a selection it deletes the whole file, which u brings back: nothing is asked
        await rewritten(pilot, "MEMORY.md", "- one\n- two\n")
        await until(pilot, lambda: "three" not in screen_text(pilot.app))
        await pilot.press("2", "d")
        await until(pilot, lambda: not store.at("MEMORY.md").exists())
        await shows(pilot, "Deleted MEMORY.md · u to undo")
        await pilot.press("u")
        await until(pilot, lambda: store.tree().get("MEMORY.md") == b"- one\n- two\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shown", "numbers", "left"),
    [
        (b"a\nb\nc\n", range(1, 2), b"a\nc\n"),
        (b"a\nb\nc", range(1, 2), b"a\nc"),
        (b"a\r\nb\r\nc\r\n", range(1), b"b\r\nc\r\n"),
        (b"a\nb\n", range(2), b""),
        (b"a\xff\nb\xe4\nc\n", range(1, 2), b"a\xff\nc\n"),
        ("a\u2028b\x0bc\nd\n".encode(), range(1, 2), "a\u2028b\x0bc\n".encode()),
    ],
)
def test_lines_are_taken_out_to_the_byte(tmp_path: Path, shown: bytes, numbers: range, left: bytes) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", shown)
    session = store.session()
    done = delete_lines(session, session.ref_at("MEMORY.md"), shown, numbers)
    assert store.raw("MEMORY.md") == left and done.changed


def test_lines_that_somebody_changed_meanwhile_are_not_deleted(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n- two, better\n")
    session = store.session()
    done = delete_lines(session, session.ref_at("MEMORY.md"), b"- one\n- two\n", range(1, 2))
    assert not done.changed and done.message == "Somebody changed these lines of MEMORY.md meanwhile. Nothing was deleted."
    assert store.raw("MEMORY.md") == b"- one\n- two, better\n"


def test_deleting_instructions_says_where_they_stood_as_many_folders_have_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in (".claude", "lantern"):
        AStore(tmp_path / folder).has("CLAUDE.md", "- be brief\n- and kind\n")
    whole = open_store(Config(), f"claude-code:{tmp_path}/.claude", cwd=str(tmp_path / "lantern"), clock=lambda: NOW)
    own = instructions.open_folder(Config(), str(tmp_path / "lantern"), clock=lambda: NOW)
    for session, place in ((whole, "~/.claude/CLAUDE.md"), (own, "~/lantern/CLAUDE.md")):
        ref = session.ref_at("CLAUDE.md")
        assert delete_lines(session, ref, b"- be brief\n- and kind\n", range(1, 2)).message.startswith(f"Deleted 1 line of {place}")
        assert file_ops.delete(session, ref).message.startswith(f"Deleted {place}")
        assert undoing.undo(session).message.startswith(f"Undid: Deleted {place}")
