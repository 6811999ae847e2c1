"""Review, history, wipe guard and undo, in the running program with another program writing underneath."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, back, rewritten, running, screen_text, shows, to_changes, until, watching
from tests.ui.several import at
from zsmem_tui.service import losses, undoing, view_state
from zsmem_tui.ui.history import verbs
from zsmem_tui.ui.widgets.bars import StatusLine

LONG = "".join(f"fact {number}\n" for number in range(10))


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory").has("MEMORY.md", LONG).has("~/notes/n.md", "note\n").has("~/SCRATCHPAD.md", "- [ ] a\n")


@pytest.mark.slow
async def test_the_banner_leads_to_what_was_wiped_in_another_project_and_undo_of_a_deletion_shows_the_file_again(
    store: AStore,
) -> None:
    store.has("projects/other-99999999/notes/o.md", f"{LONG}- more\n").has("~/notes/deploy.md", "# Deploy\n\n- on Friday\n")
    async with running(an_app(store), size=(140, 40)) as pilot:
        await watching(pilot)
        store.at("projects/other-99999999/notes/o.md").unlink()
        await shows(pilot, "note o deleted by another program · W brings it back")
        await pilot.press("escape")
        await until(pilot, lambda: "deleted by another" not in screen_text(pilot.app))
        store.at("MEMORY.md").unlink()
        await shows(pilot, "! MEMORY.md deleted by another program · W brings it back · esc hides this")
        await to_changes(pilot)
        await shows(pilot, "-│ fact 0")
        await pilot.press("1")
        await shows(pilot, "! MEMORY.md deleted by another program")
        await to_changes(pilot)
        await shows(pilot, "-│ fact 0")
        await pilot.press("x", "x")
        await shows(pilot, "Nothing to review")
        await until(pilot, lambda: "deleted by another" not in screen_text(pilot.app))
        await back(pilot)
        main = pilot.app.main
        await pilot.press("ctrl+o", *"deploy", "enter")
        await until(pilot, lambda: main.viewer.file and main.viewer.file.ref.name == "deploy" and main.current == "viewer")
        await pilot.press("d")
        await shows(pilot, "note deploy · u to undo")
        await pilot.press("1", "j", "2", "u")
        await shows(pilot, "Undid: Deleted", "on Friday")
        assert main.viewer.file.ref.name == main.tree_pane.at_cursor().ref.name == "deploy"
        await pilot.press("r")
        await shows(pilot, "A new name for demo-1a2b3c4d · note deploy:")


@pytest.mark.slow
async def test_a_wiped_file_raises_a_banner_now_or_at_the_next_start_and_one_key_brings_it_back(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await watching(pilot)
    store.has("MEMORY.md", "")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "! MEMORY.md lost 10 lines")
        await to_changes(pilot)
        await shows(pilot, "MEMORY.md · ! lost most lines", "deleted 10 lines", "MEMORY.md · another program")
        await pilot.press("asterisk", "x")
        await shows(pilot, "Nothing to review")
        store.has("MEMORY.md", LONG)
        await shows(pilot, "+│ fact 0")
        await pilot.press("X")
        await shows(pilot, "Nothing to review")
        await back(pilot)
        store.has("MEMORY.md", "new\n")
        await shows(pilot, "! MEMORY.md lost 10 lines", "W brings them back")
        await pilot.resize_terminal(20, 6)
        await until(pilot, lambda: pilot.app.main.query_one("#banner").size.height == 1)
        await pilot.resize_terminal(80, 24)
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "text")
        await shows(pilot, "! MEMORY.md lost 10 lines · esc, then W brings them back · 5 shows it")
        await pilot.press("escape")
        await until(pilot, lambda: "esc, then" not in screen_text(pilot.app))
        await pilot.press("s")
        await shows(pilot, "esc, then W brings them back")
        await pilot.press("escape")
        await shows(pilot, "lines · W brings them back · 5 shows it, x lets it be")
        await pilot.press("W")
        for _ in range(2):
            await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode() + b"new\n")
            await until(pilot, lambda: "lost 10 lines" not in screen_text(pilot.app))
            await pilot.press("u")
            await until(pilot, lambda: store.raw("MEMORY.md") == b"new\n")
            await shows(pilot, "Undid: Brought back MEMORY.md", "lost 10 lines · W brings them back · 5 shows it, x lets it be")
            await pilot.press("W")
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode() + b"new\n")
        await until(pilot, lambda: "lost 10 lines" not in screen_text(pilot.app))


async def test_what_was_put_away_stays_so_in_the_next_run_until_it_happens_anew(store: AStore) -> None:
    store.has("~/notes/a.md", f"# a\n\n{LONG}")
    said = "note a deleted by another program"
    async with running(an_app(store)) as pilot:
        await watching(pilot)
        store.at("~/notes/a.md").unlink()
        await shows(pilot, said)
        await pilot.press("1", "escape")
        await until(pilot, lambda: said not in screen_text(pilot.app) and view_state.read(f"put away {pilot.app.main.here.key}"))
    async with running(an_app(store)) as pilot:
        here = pilot.app.main.here
        await until(pilot, lambda: here.wipes and here.told_news)
        assert not here.wipes_to_tell and said not in screen_text(pilot.app)
        await pilot.press("W")
        await until(pilot, lambda: store.at("~/notes/a.md").exists() and not here.wipes)
        await watching(pilot)
        store.at("~/notes/a.md").unlink()
        await shows(pilot, said)


async def test_the_files_that_the_banner_tells_of_come_back_before_those_put_away_and_none_that_is_there(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        store.has(f"~/notes/{name}.md", f"# {name}\n\n{LONG}")
    async with running(an_app(store), size=(80, 24)) as pilot:
        here = pilot.app.main.here
        await watching(pilot)
        for name in "ab":
            store.at(f"~/notes/{name}.md").unlink()
        await shows(pilot, "2 files deleted by another program")
        await pilot.press("1", "escape")
        await until(pilot, lambda: "deleted by another" not in screen_text(pilot.app))
        store.at("~/notes/d.md").unlink()
        await shows(pilot, "note d deleted by another program · W brings it back")
        await pilot.press("W")
        await asked(pilot, "note d · was deleted with 12 lines", "note a · was deleted with 12 lines · hidden")
        assert "All " not in screen_text(pilot.app)
        await pilot.press("escape")
        store.at("~/notes/c.md").unlink()
        await shows(pilot, "2 files deleted by another program")
        await pilot.press("W")
        await asked(pilot, "All 2 files", "note b · was deleted with 12 lines · hidden")
        await pilot.press("end", "enter")
        await until(pilot, lambda: store.at("~/notes/c.md").exists() and store.at("~/notes/d.md").exists())
        await until(pilot, lambda: "deleted by another" not in screen_text(pilot.app) and len(here.wipes) == 2)
        assert not store.at("~/notes/a.md").exists()
        store.at("~/notes/d.md").unlink()
        await shows(pilot, "note d deleted by another program")
        monkeypatch.setattr(verbs, "_compare", lambda *_: asyncio.sleep(60))  # large texts
        for name in "abd":
            store.has(f"~/notes/{name}.md", "# anew\n")
        await until(pilot, lambda: "deleted by another" not in screen_text(pilot.app))
        await pilot.press("W")
        await shows(pilot, "Nothing to bring back")


async def test_of_several_lost_texts_one_or_all_come_back_and_the_cursor_stays(store: AStore) -> None:
    for name in "abc":
        store.has(f"~/notes/{name}.md", f"# {name}\n\n{LONG}")
    async with running(an_app(store), size=(80, 24)) as pilot:
        main = pilot.app.main
        await watching(pilot)
        await at(pilot, "MEMORY.md")
        for name in "ab":
            store.at(f"~/notes/{name}.md").unlink()
        await shows(pilot, "2 files deleted by another program · W brings them back · esc hides this")
        assert main.query_one("#banner").size.height == 1
        store.has("MEMORY.md", "")
        await shows(pilot, "3 files", "lost text · W brings them back")
        await pilot.press("5")
        await shows(pilot, "deleted 32 lines in 3 files")
        await pilot.press("escape", "1", "escape")
        await shows(pilot, "3 files", "lost text · W brings them back · 5 shows it, x lets it be")
        await pilot.press("W")
        await asked(pilot, "All 3 files", "MEMORY.md · lost 10 lines", "note b · was deleted with 12 lines")
        await pilot.press("escape")
        await pilot.press("W")
        await asked(pilot, "All 3 files")
        await pilot.press("down", "enter")
        await until(pilot, lambda: store.at("~/notes/a.md").exists())
        await shows(pilot, "Brought back")
        assert not store.at("~/notes/b.md").exists() and store.raw("MEMORY.md") == b""
        assert main.tree_pane.at_cursor().ref.path == main.viewer.file.ref.path == "MEMORY.md"
        await pilot.press("W")
        await asked(pilot, "All 2 files")
        await pilot.press("end", "enter")
        await until(pilot, lambda: store.at("~/notes/b.md").exists() and store.raw("MEMORY.md") == LONG.encode())
        await until(pilot, lambda: "brings them back" not in screen_text(pilot.app))
        assert main.tree_pane.at_cursor().ref.path == main.viewer.file.ref.path == "MEMORY.md"


async def test_a_history_that_is_damaged_is_said_and_editing_goes_on(store: AStore) -> None:
    session = store.session()
    session.history.observe(["MEMORY.md"])
    Path(session.history.home, "git", "zsmem-format").write_text("99\n")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "newer")
        await pilot.press("u")
        await shows(pilot, "Undo and history are off.")
        await pilot.press("j", "d")
        await until(pilot, lambda: True)
        await to_changes(pilot)
        await shows(pilot, "newer")


async def test_undo_is_not_promised_where_it_is_off(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    app = an_app(store)
    app._session._history_home = str(tmp_path / "state" / "history")
    async with running(app) as pilot:
        await shows(pilot, "Undo and history are off.")
        for first, shown, then in (
            ("a", "An entry in today's log", ("down", "enter", *"heading", "enter")),
            ("6", "1 open item", ("a", *"words", "enter")),
        ):
            await pilot.press(first)
            await shows(pilot, shown)
            await pilot.press(*then)
            await until(pilot, lambda: ". Undo is off." in pilot.app.screen.query_one(StatusLine).said)
            assert "u to undo" not in screen_text(pilot.app)
        await pilot.press("x")
        await shows(pilot, "could not be kept first")
        await pilot.press("escape", "1", "g", "d")
        await shows(pilot, "Nothing was deleted: what it holds could not be kept first.")


async def test_the_banner_that_undo_is_off_stays_while_files_are_read(store: AStore, tmp_path: Path) -> None:
    app = an_app(store)
    app._session._history_home = str(tmp_path / "state" / "history")
    async with running(app) as pilot:
        await watching(pilot)
        (tmp_path / "state").rename(tmp_path / "away")
        (tmp_path / "state").write_text("a file")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "text")
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "Undo and history are off.")
        await pilot.press("escape", "j", "s", *"fact", "down")
        for _ in range(3):
            await pilot.app.main.look_now()
        assert "Undo and history are off." in screen_text(pilot.app)
        (tmp_path / "state").unlink()
        (tmp_path / "away").rename(tmp_path / "state")
        await until(pilot, lambda: "Undo and history are off." not in screen_text(pilot.app))


async def test_what_the_agent_writes_is_counted_shown_put_back_moved_and_marked_as_seen(store: AStore) -> None:
    """An answer that comes after a screen was closed is dropped."""
    async with running(an_app(store)) as pilot:
        await watching(pilot)
        for key in ("f3", "H", "f2", "f4"):
            await (to_changes(pilot) if key == "f3" else pilot.press(key))
            await until(pilot, lambda: pilot.app.screen is not pilot.app.main)
            screen = pilot.app.screen
            await until(pilot, partial(_is_at_rest, pilot.app, screen))
            await back(pilot)
            await until(pilot, partial(_is_gone, pilot.app, screen))
            with pytest.raises(asyncio.CancelledError):
                await screen.asking(lambda: 1)
        # a version is shown and put back
        store.has("MEMORY.md", LONG + "second\n")
        await shows(pilot, "Review ●")
        await pilot.press("H", "w")
        await shows(pilot, "History of MEMORY.md", "+│ second", "before zsmem")
        await pilot.press("b")  # what the version at the cursor changed
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode())
        await shows(pilot, "Reverted this change · u to undo")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode() + b"second\n")
        await pilot.press("G", "B")
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode())
        await shows(pilot, "Restored MEMORY.md, as it was in this version · u to undo")
        await pilot.press("g", "tab")
        await shows(pilot, "-│ second")
        await pilot.press("b")
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode() + b"second\n")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        # undo shows both sides where the agent changed the same line
        await rewritten(pilot, "MEMORY.md", LONG)
        await pilot.press("1", "e")
        await until(pilot, lambda: pilot.app.focused.id == "text")
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "Saved MEMORY.md")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None and pilot.app.focused.id == "tree-view")
        store.has("MEMORY.md", "agent" + LONG[6:])
        await pilot.press("u")
        await shows(pilot, "These lines have changed since")
        await pilot.press("f4")
        await until(pilot, lambda: store.raw("MEMORY.md") == LONG.encode())
        await to_changes(pilot)
        await pilot.press("X")
        await shows(pilot, "Nothing to review.")
        await back(pilot)
        changed = LONG.replace("fact 1\n", "FACT 1\n").replace("fact 9\n", "fact 9\nfact 10\n")
        store.has("MEMORY.md", changed)
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await shows(pilot, "▶+│ FACT 1")
        await pilot.press("enter", "n", "b")
        await until(pilot, lambda: store.raw("MEMORY.md") == changed.replace("fact 10\n", "").encode())
        await shows(pilot, "u to undo")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == changed.encode())
        await shows(pilot, "Undid", "▶+│ fact 10")
        await pilot.press("X")
        await shows(pilot, "Nothing to review.")
        store.has("MEMORY.md", changed + "- [ ] belongs elsewhere\n")
        await shows(pilot, "belongs elsewhere")
        await pilot.press("enter", "m")
        await shows(pilot, "Move “belongs elsewhere” to:")
        await pilot.press(*"scratchpad", "enter")
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") == b"- [ ] a\n- [ ] belongs elsewhere\n")
        await until(pilot, lambda: store.raw("MEMORY.md") == changed.encode())
        await pilot.press("u")
        await until(pilot, lambda: store.raw("~/SCRATCHPAD.md") == b"- [ ] a\n")
        await until(pilot, lambda: store.raw("MEMORY.md").endswith(b"belongs elsewhere\n"))
        await shows(pilot, "Undid", "belongs elsewhere")
        await pilot.press("X")
        await shows(pilot, "Nothing to review.")
        await back(pilot)
        store.has("~/notes/n.md", "note\nagent wrote [bold] this\n")
        await shows(pilot, "5 Review ●1")
        await to_changes(pilot)
        await shows(pilot, "note n", "1 line in 1 file", "+│ agent wrote [bold] this", "note n · another program")
        await pilot.press("x")
        await shows(pilot, "Nothing to review.")
        await pilot.press("escape")
        await until(pilot, lambda: "Review ●" not in screen_text(pilot.app))


def _is_at_rest(app: Any, screen: Any) -> bool:
    return not any(each.is_running for each in app.workers if each.node is screen)


def _is_gone(app: Any, screen: Any) -> bool:
    return app.screen is app.main and not screen.query(StatusLine)


@pytest.mark.draw(2)
@pytest.mark.parametrize("opened", ["text", "page", "", "facts"])
async def test_lines_that_are_put_back_are_said_last_and_stand_in_the_review(store: AStore, opened: str) -> None:
    store.has("MEMORY.md", "- one\n- two\n")
    async with running(an_app(store), size=(200, 40)) as pilot:
        await watching(pilot)
        await pilot.press(*{"text": ["e", "x"], "page": ["enter"], "": ["j", "l", "j"], "facts": ["7"]}[opened])
        await until(pilot, lambda: pilot.app.focused.id == opened or not opened)
        undo = f"· {'esc, then ' * (opened == 'text')}u if it was deleted on purpose"
        main = pilot.app.main
        await asyncio.to_thread(lambda: main.session.mem().write("long_term", "- mine"))
        await main.look_now()
        store.has("MEMORY.tmp", "- one\n- two\n- theirs\n").at("MEMORY.tmp").rename(store.at("MEMORY.md"))
        await until(pilot, lambda: sorted(store.raw("MEMORY.md").split()) == sorted(b"- one - two - mine - theirs".split()))
        await shows(pilot, "Put back 1 line in MEMORY.md that another program's write had dropped", undo)
        await shows(pilot, *["lines +2 -0, 1 line put back · ctrl+s merges"] * (opened == "text"))
        await main.look_now()
        await shows(pilot, "Put back 1 line in MEMORY.md", undo)
        await to_changes(pilot)
        await shows(pilot, "dropped 1 line written here: put back", "MEMORY.md · ! lines put back")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"- one\n- two\n- theirs\n")
        await main.look_now()
        assert store.raw("MEMORY.md") == b"- one\n- two\n- theirs\n"


@pytest.mark.parametrize("is_told", [False, True])
async def test_a_loss_is_said_once_also_in_the_next_run_and_again_when_more_goes(store: AStore, is_told: bool) -> None:
    session, less = store.has("~/notes/n.md", LONG).session(), LONG.replace("fact 3\n", "")
    key = f"dropped {session.layout.kind}:{session.root}"
    for target, name in (("long_term", None), ("note", "n")):
        session.mem().edit(target, old_str="fact 3\n", new_str="", name=name)
        undoing.undo(session)
    store.has("MEMORY.md", less)
    if is_told:
        view_state.keep(key, {"MEMORY.md": losses.dropped(session)[0].when})
    store.has("MEMORY.md", f"{less}added\n")
    async with running(an_app(store), size=(200, 40)) as pilot:
        await watching(pilot)
        main = pilot.app.main
        if not is_told:
            await shows(pilot, "MEMORY.md: another program's write at", "dropped 1 line brought back here")
        await until(pilot, lambda: {**main.here.dropped} == view_state.read(key) != {})
        assert await verbs.mend(main, main.here) == ("", {})
        assert ("another program's write" in screen_text(pilot.app)) is not is_told
        store.has("~/notes/n.md", less)
        assert "1 more" in (await verbs.mend(main, main.here))[0] and await verbs.mend(main, main.here) == ("", {})


async def test_lines_that_the_agent_writes_again_after_they_were_deleted_stay_and_the_review_takes_them_out(store: AStore) -> None:
    store.has("~/notes/n.md", "open\n")
    cut = LONG.removeprefix("fact 0\nfact 1\nfact 2\n")
    async with running(an_app(store), size=(200, 40)) as pilot:
        await watching(pilot)
        main = pilot.app.main
        await asyncio.to_thread(lambda: main.session.mem().write("long_term", cut, "overwrite"))
        await main.look_now()
        store.has("MEMORY.tmp", LONG).at("MEMORY.tmp").rename(store.at("MEMORY.md"))
        await shows(pilot, "wrote 3 lines again that you had deleted", "5 shows it")
        assert store.raw("MEMORY.md") == LONG.encode()
        await to_changes(pilot)
        await shows(pilot, "▶+│ fact 0", "wrote 3 lines in", "MEMORY.md · ! dropped lines that were")
        await pilot.press("B")
        await until(pilot, lambda: store.raw("MEMORY.md") == cut.encode())
