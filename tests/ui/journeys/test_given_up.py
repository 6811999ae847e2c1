"""Text that a person typed and then gave up: every way there leaves it in the file's history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import PROJECT, AStore
from tests.ui.driving import an_app, asked, running, screen_text, shows, until
from zsmem_tui.service import editing, history, review_lines, reviewing
from zsmem_tui.service.session import Session
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.ui.dialogs.conflict import ConflictDialog
from zsmem_tui.ui.memory.editing import warn

BEFORE = "# Redis\n\nThe timeout is 30 seconds.\n\nThe port is 6379.\n\nThe host is alpha.\n"
MINE = BEFORE.replace("30", "60").replace("6379", "6380")
THEIRS = BEFORE.replace("30", "45").replace("6379", "7000")
IN_HISTORY = "What you typed is in its history: esc, then H shows it."


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", BEFORE)


def given_up(session: Session, path: str = "MEMORY.md") -> list[bytes]:
    """The texts that the history has of a file as given up, oldest first."""
    found = history.of_file(session, session.ref_at(path))
    return [session.history.text(each.after) or b"" for each in reversed(found) if each.is_beside and each.after]


async def in_conflict(pilot: Pilot[Any], store: AStore, mine: str = MINE) -> None:
    """Type `mine`, while an agent writes `THEIRS`, and save."""
    await pilot.press("e")
    await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
    pilot.app.main.editor.area.put(mine)  # type: ignore[attr-defined]
    await until(pilot, lambda: pilot.app.main.editor.unsaved)  # type: ignore[attr-defined]
    store.has("MEMORY.md", THEIRS)
    await pilot.press("ctrl+s")
    await shows(pilot, "Conflict 1 of")


async def left(pilot: Pilot[Any]) -> None:
    await pilot.press("escape")
    await until(pilot, lambda: pilot.app.main.editor.ref is None)  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_what_is_decided_against_is_in_the_history_and_said_to_be(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        session = pilot.app.main.session
        await in_conflict(pilot, store)
        await pilot.press("t", "t", "enter")
        await shows(pilot, "Took theirs: MEMORY.md is as it stands on disk.", "What you typed is in its history: esc, then H shows")
        assert given_up(session) == [MINE.encode()] and store.raw("MEMORY.md") == THEIRS.encode()
        assert editing.draft_of(session, session.ref_at("MEMORY.md")) is None
        await pilot.press("ctrl+z")
        await shows(pilot, f"Theirs was taken: ctrl+z ends there. {IN_HISTORY}")
        await left(pilot)
        await pilot.press("H")
        await shows(pilot, "History of MEMORY.md", "unsaved text, discarded")


@pytest.mark.draw(3)
@pytest.mark.parametrize(
    ("mine", "keys", "written", "is_kept"),
    [
        (MINE, "mt", THEIRS.replace("45", "60"), True),
        (MINE, "bb", None, False),
        (BEFORE.replace("The timeout is 30 seconds.\n", ""), "t", THEIRS, False),  # nothing was typed
    ],
)
async def test_only_words_that_are_nowhere_in_the_result_are_given_up(
    store: AStore, mine: str, keys: str, written: str | None, is_kept: bool
) -> None:
    async with running(an_app(store)) as pilot:
        await in_conflict(pilot, store, mine)
        await pilot.press(*keys, "enter")
        await until(pilot, lambda: not pilot.app.conversations.under_way)
        await shows(pilot, *(["What you typed is in its history"] if is_kept else []))
        assert ("What you typed" in screen_text(pilot.app)) == is_kept
        assert given_up(pilot.app.main.session) == [mine.encode()] * is_kept
        assert written is None or store.raw("MEMORY.md") == written.encode()


async def test_what_the_history_cannot_keep_stays_in_the_editor(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(an_app(store)) as pilot:
        session = pilot.app.main.session
        await in_conflict(pilot, store)
        monkeypatch.setattr(Recorder, "record_leftover", lambda *_: False)
        await pilot.press("m", "t", "enter")
        await shows(pilot, "The unsaved text stays.", "Not saved.")
        await warn(pilot.app.main, session.ref_at("MEMORY.md"))  # what is said of the file besides does not take its place
        await shows(pilot, "The unsaved text stays.", "Changed on disk by", "Not saved.")
        assert pilot.app.main.editor.area.value == MINE and store.raw("MEMORY.md") == THEIRS.encode()
        draft = editing.draft_of(session, session.ref_at("MEMORY.md"))
        assert draft is not None and draft.text == MINE.encode()


async def test_lines_typed_to_decide_are_kept_however_the_dialog_is_left(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        session = pilot.app.main.session
        await in_conflict(pilot, store)
        for keys in (["ctrl+s", "escape"], ["escape", "escape"]):
            await pilot.press("e")
            await shows(pilot, "Other lines for conflict 1")
            await pilot.press(*"Both: ", *keys)
            await shows(pilot, "Nothing was written. What you typed there is in the file's history.")
            assert b"\nBoth: The timeout is 45 seconds.\n" in given_up(session)[-1] and b"6380" in given_up(session)[-1]
            assert pilot.app.main.editor.area.value == MINE and store.raw("MEMORY.md") == THEIRS.encode()
            await pilot.press("ctrl+s")
            await shows(pilot, "Conflict 1 of 2")
        await pilot.press("e", *"Both: ", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog) and not pilot.app.screen._editing)
        await pilot.press("e")
        await shows(pilot, "from your edit", "Both: The timeout is 45 seconds.")
        await pilot.press("ctrl+s", "m", "N", "m", "enter")
        await shows(pilot, "Saved MEMORY.md")
        assert len(given_up(session)) == 3, "the timeout as it was typed"


async def test_lines_typed_for_one_file_of_an_undo_are_kept_when_it_is_left_at_the_next_and_written_when_it_is_not(
    tmp_path: Path,
) -> None:
    paths = ("MEMORY.md", f"projects/{PROJECT}/notes/n.md")
    store = AStore(tmp_path / "store")
    for text in ("- one\n", "- two\n"):
        for path in paths:
            store.has(path, text)
        history.look_at_all(store.session())
    review_lines.revert(store.session(), [review_lines.Pick(each) for each in reviewing.pending(store.session())])
    for path in paths:
        store.has(path, "- three\n")
    async with running(an_app(store), (120, 40)) as pilot:
        session = pilot.app.main.session
        for keys in (["escape"], ["m", "enter"]):
            await pilot.press("u")
            await shows(pilot, "0 of 1 decided", "MEMORY.md")
            await pilot.press("e")
            await until(pilot, lambda: pilot.app.focused.id == "edited")
            await pilot.press(*"typed", "ctrl+s", "enter")
            await shows(pilot, "0 of 1 decided", "note n")
            await pilot.press(*keys)
            if keys == ["escape"]:
                await asked(pilot, "Nothing was undone", "Pass over it")
                await pilot.press("escape")
                await until(pilot, lambda: not pilot.app.conversations.under_way)
                assert [store.raw(path) for path in paths] == [b"- three\n"] * 2
        await shows(pilot, "Undid")
        assert [store.raw(path) for path in paths] == [b"typed- three\n- two\n", b"- two\n"]
        assert [given_up(session, path) for path in paths] == [[b"typed- three\n- two\n"], []]


async def test_a_discarded_text_is_given_up_the_same_way(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        pilot.app.main.editor.area.put(MINE)
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("end", "enter")
        await shows(pilot, "Discarded the unsaved text: the history of MEMORY.md has it still.")
        assert given_up(pilot.app.main.session) == [MINE.encode()]
