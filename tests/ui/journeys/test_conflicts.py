"""The conflict dialog: it opens where both sides clash, and goes from one clash to the next."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import pytest

from tests.builders import AStore
from tests.soak.monkey import a_key
from tests.ui.driving import an_app, drawn, running, screen_text, shows, until
from zsmem_tui.core.conflict import Edited, conflicts
from zsmem_tui.core.diff import Side
from zsmem_tui.core.text import trim
from zsmem_tui.service import review_lines, reviewing, undoing
from zsmem_tui.service.session import Session
from zsmem_tui.ui.dialogs.conflict import ConflictDialog, both_sides

BASE = "".join(f"- fact number {number}\n" for number in range(200))
MINE = (
    BASE.replace("number 150\n", "number one-fifty MINE\n")
    .replace("number 40\n", "number forty MINE\n")
    .replace("number 90\n", "90\n")
)
THEIRS = BASE.replace("number 150\n", "number 150 THEIRS\n").replace("- fact number 40\n", "").replace("number 10\n", "10!\n")


def a_dialog(base: str, mine: str, theirs: str) -> ConflictDialog:
    return ConflictDialog(
        "n", conflicts(base.encode(), mine.encode(), theirs.encode()), names=("Theirs, on disk", "Mine"), leaving="go on editing"
    )


def waiting(session: Session) -> list[str]:
    found = [line for change in reviewing.pending(session) for line in review_lines.lines(change)]
    return sorted(trim(line.key.added.decode()) for line in found if line.key.added is not None)


def the_styles(app: object, words: str) -> set[str]:
    found = set()
    for strip in drawn(app):
        for segment in strip:
            if segment.text == words and segment.style:
                found.add(str(segment.style.bgcolor))
    return found


@pytest.mark.parametrize("size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in ((120, 40), (200, 60)))])
async def test_it_opens_at_the_first_conflict_and_n_goes_to_the_next(tmp_path: Path, size: tuple[int, int]) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", BASE)
    async with running(an_app(store), size=size) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        pilot.app.main.editor.area.put(MINE)
        store.has("MEMORY.md", THEIRS)
        await pilot.press("ctrl+s")
        await shows(pilot, "Conflict 1 of 2", "0 of 2 decided", "number forty MINE", "deleted here")
        assert "fact number 0\n" not in screen_text(pilot.app)
        await pilot.press("n")
        await shows(pilot, "Conflict 2 of 2", "fact number 150 THEIRS", "fact number one-fifty MINE")
        assert the_styles(pilot.app, "THEIRS") and the_styles(pilot.app, "THEIRS") != the_styles(pilot.app, "fact number ")
        await pilot.press("n")
        await shows(pilot, "Conflict 1 of 2", "number forty MINE")
        await pilot.press("N")
        await shows(pilot, "Conflict 2 of 2", "150 THEIRS")
        await pilot.press("G")
        await shows(pilot, "number 199")
        await pilot.press("b", "enter")
        await shows(pilot, "Conflict 1 of 2", "Not all is decided yet: nothing was written.")
        assert store.raw("MEMORY.md") == THEIRS.encode()
        await pilot.press("m")
        await until(pilot, lambda: None not in pilot.app.screen._decisions)
        store.has("MEMORY.md", THEIRS.replace("number 90\n", "number 90 AGAIN\n"))
        await pilot.press("enter")
        await shows(pilot, "Conflict 2 of 3", "look again", "number 90 AGAIN")
        await pilot.press("m", "enter")
        await until(pilot, lambda: b"- fact number 150 THEIRS\n- fact number one-fifty MINE" in store.raw("MEMORY.md"))
        assert b"10!\n" in store.raw("MEMORY.md") and b"- fact 90\n" in store.raw("MEMORY.md")
        assert b"- fact number forty MINE\n" in store.raw("MEMORY.md")
        session = pilot.app.main.session  # what stood in the dialog was seen; what was merged beside it was not
        await until(pilot, lambda: waiting(session) == ["- fact 10!"])
        assert undoing.undo(session).done
        session.history.observe(["MEMORY.md"])
        assert waiting(session) == ["- fact 10!", "- fact number 150 THEIRS", "- fact number 90 AGAIN"]  # none is accepted any more
        assert undoing.undo(session, redo=True).done
        assert waiting(session) == ["- fact 10!"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
async def test_a_conflict_on_the_last_line_of_a_long_file_is_shown_on_both_sides(tmp_path: Path, size: tuple[int, int]) -> None:
    text = "# First line\n" + "- a longer line that is broken where the screen is narrow, and again, and again\n" * 3_000
    store = AStore(tmp_path / "store").has("MEMORY.md", "one\n")
    async with running(an_app(store), size=size) as pilot:
        for ends in ("", "\n"):
            await pilot.resize_terminal(*size)
            dialog = a_dialog(text + "last" + ends, text + "last MINE" + ends, text + "last THEIRS" + ends)
            pilot.app.push_screen(dialog)
            await shows(pilot, "last MINE", "last THEIRS", "1: not decided yet")
            assert "First line" not in screen_text(pilot.app), ends
            await pilot.resize_terminal(size[0] - 10, size[1])
            await shows(pilot, "last MINE", "last THEIRS", "1: not decided yet")
            await pilot.press("t")
            await shows(pilot, "1 of 1 decided", "1: theirs", "✓ taken", "not taken")
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)


async def test_of_two_sides_one_below_the_other_the_upper_has_the_rows_of_its_conflict(tmp_path: Path) -> None:
    many = " and a good deal more is said of it, in so many words that it takes several rows of a screen" * 2
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n")), size=(80, 24)) as pilot:
        pilot.app.push_screen(a_dialog(NINE, *(NINE.replace("4", f"4 {who}{many} ENDS") for who in ("mine", "theirs"))))
        await until(pilot, lambda: (text := screen_text(pilot.app)).count("ENDS") == 2 and "▶ 1: not decided" in text)
        side = pilot.app.screen.query_one("#result-side")
        assert side.outer_size.height < 10
        await pilot.press("e")
        await until(pilot, lambda: side.outer_size.height >= 10)  # what is typed has its half


NINE = "".join(f"- fact {number}\n" for number in range(9))
BY_MINE, BY_THEIRS = (NINE.replace("1", f"1 {by}").replace("4", f"4 {by}").replace("7", f"7 {by}") for by in ("mine", "theirs"))
DECIDED = NINE.replace("1", "1 mine").replace("4", "4 theirs").replace("fact 7", "fact 7 theirs\n- fact 7 mine")


async def test_what_is_shown_is_what_is_saved_though_the_agent_goes_on_writing(tmp_path: Path) -> None:
    before = "# Redis\n\nThe timeout is 30 seconds.\n\nThe port is 6379.\n\nThe host is alpha.\n"
    mine = before.replace("30", "60").replace("6379", "6380")
    theirs = before.replace("30", "45").replace("6379", "7000")
    store = AStore(tmp_path / "store").has("MEMORY.md", before)
    async with running(an_app(store)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        pilot.app.main.editor.area.put(mine)
        store.has("MEMORY.md", theirs)
        await pilot.press("ctrl+s")
        await shows(pilot, "Conflict 1 of 2 · 0 of 2 decided")
        await pilot.press("m")
        await shows(pilot, "Conflict 2 of 2 · 1 of 2 decided")
        await pilot.press("e")
        await shows(pilot, "Other lines for conflict 2")
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "2 of 2 decided", "2: edited", "XThe port is 7000.")
        store.has("MEMORY.md", theirs.replace("7000", "9000").replace("alpha", "beta"))
        await shows(pilot, "The file has just changed on disk: look again.", "The host is beta.", "The port is 9000.")
        await shows(pilot, "1: mine", "2: not decided yet")
        pilot.app.screen._changed = monotonic()
        await pilot.press("m")  # it was meant for the lines before
        await shows(pilot, "look again", "2: not decided yet")
        await pilot.press("e")
        await shows(pilot, "Other lines for conflict 2, from your edit", "XThe port is 7000.")
        await pilot.press("escape")
        pilot.app.screen._changed = 0.0
        await pilot.press("t")
        await shows(pilot, "2 of 2 decided")
        last = theirs.replace("7000", "9000").replace("alpha", "gamma")
        pilot.app.screen._again = lambda real=pilot.app.screen._again: store.has("MEMORY.md", last) and real()
        looking = pilot.app.screen._looking
        async with looking:  # a look of the dialog's own finds it, while the key waits
            pilot.app.screen.call_later(pilot.app.screen._look)
            while not looking._waiters:
                await asyncio.sleep(0.01)
            pilot.app._driver.send_message(a_key(pilot.app, "enter"))
            while len(looking._waiters) < 2:
                await asyncio.sleep(0.01)
        await shows(pilot, "look again", "The host is gamma.", "2: theirs")
        assert store.raw("MEMORY.md") == last.encode(), "nothing is saved that was not seen"
        await pilot.press("enter")
        await until(pilot, lambda: store.raw("MEMORY.md") == last.replace("45", "60").encode())


async def test_conflicts_are_decided_in_any_order_taken_back_edited_and_explained(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n"))) as pilot:
        answers: list[bytes | None] = []

        async def asks(base: str, mine: str, theirs: str, *words: str) -> None:
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)
            answers.clear()
            pilot.app.push_screen(a_dialog(base, mine, theirs), answers.append)
            await shows(pilot, *words)

        async def answered(text: str | None) -> None:
            await until(pilot, lambda: answers)
            assert answers == [text.encode() if text is not None else None]

        await asks(NINE, BY_MINE, BY_THEIRS, "Conflict 1 of 3 · 0 of 3 decided")
        assert "enter save" not in screen_text(pilot.app), "nothing is saved before all is decided"
        for key, words in (("m", "1 of 3 decided"), ("t", "2 of 3 decided"), ("b", "3 of 3 decided")):
            await pilot.press(key)
            await shows(pilot, words)
            assert not answers
        await shows(pilot, "━ enter or ctrl+s saves this · t m b e decide anew · esc ")
        await pilot.press("enter")
        await answered(DECIDED)
        for keys in ("mtb", "mntnb", "nnbmt", "NbmNnt"):  # each decision is about the conflict that was next
            await asks(NINE, BY_MINE, BY_THEIRS, "▶ Conflict 1 of 3 · 0 of 3 decided")
            await pilot.press(*keys, "enter")
            await answered(DECIDED)
        await asks(NINE, BY_MINE, BY_THEIRS, "▶ Conflict 1 of 3")
        await pilot.press("m", "n")
        await shows(pilot, "▶ Conflict 2 of 3 · 1 of 3 decided", "n again goes past it")
        await pilot.press("n")
        await shows(pilot, "▶ Conflict 3 of 3", "▶ 3 Theirs, on disk", "┄ 2 Mine ┄")
        await pilot.press("m")
        await shows(pilot, "▶ Conflict 2 of 3 · 2 of 3 decided")  # round the end, to the one that is open
        await pilot.press("N")
        await shows(pilot, "▶ Conflict 1 of 3 · 2 of 3 decided", "▶ 1 Mine ✓ taken")
        await pilot.press("b")
        await shows(pilot, "▶ Conflict 2 of 3 · 2 of 3 decided", "1: both, theirs first")
        await pilot.press("escape")
        await answered(None)
        await asks("a\r\nb\r\n", "a\r\nMINE\r\n", "a\r\nTHEIRS\r\n", "0 of 1 decided")
        await pilot.press("m")
        await shows(pilot, "1 of 1 decided")
        await pilot.press("backspace")
        await shows(pilot, "0 of 1 decided")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "edited")
        await pilot.press(*"mt", "escape")
        await shows(pilot, "0 of 1 decided", "1: not decided yet")
        await pilot.press("e")
        await shows(pilot, "Other lines for conflict 1, from your edit", "ctrl+s take these lines")
        await until(pilot, lambda: "? help" not in screen_text(pilot.app))  # it types here
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "1 of 1 decided", "1: edited", "? help")
        await pilot.press("e")
        await shows(pilot, "Other lines for conflict 1, from your edit")
        await pilot.press("escape")
        await pilot.press("ctrl+s")
        await answered("a\r\nXmtTHEIRS\r\nMINE\r\n")
        for mine in ("", "x", "a\r\nb\n", "- [x] [bold]\x1b[2J\n", "\n\n\n"):  # texts of every shape
            await asks("one\n", mine, "two\n", "Theirs, on disk")
            await pilot.press("n", "N", "f4")
            await answered(mine)
        await pilot.resize_terminal(80, 24)
        for key in ("f1", "question_mark"):
            await asks("one\n", "two\n", "three\n", "Conflict 1 of 1")
            await pilot.press("m", key)
            await shows(pilot, "A conflict", "esc close")
            await pilot.press("escape")
            await shows(pilot, "1 of 1 decided")
            await pilot.press("enter")
            await answered("two\n")
        await pilot.resize_terminal(20, 6)
        await asks("one\n", "two\n", "three\n")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog) and pilot.app.focused is not None)
        await pilot.press("m", "escape")
        await answered(None)


@pytest.mark.draw(3)
@pytest.mark.parametrize(
    ("typed", "theirs", "mine"),
    [
        ("- 30 or 45\n- 30, said the agent\n", "· not taken", "· not taken"),
        ("- 45 by theirs\n- between\n- 60 by mine\n", "✓ taken", "✓ taken"),
        ("- 45 by theirs\n", "✓ taken", "· not taken"),
    ],
)
async def test_lines_that_an_edit_keeps_are_taken(tmp_path: Path, typed: str, theirs: str, mine: str) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n")), size=(120, 40)) as pilot:
        dialog = a_dialog("- 30\n", "- 60 by mine\n", "- 45 by theirs\n")
        pilot.app.push_screen(dialog)
        await shows(pilot, "0 of 1 decided")
        await pilot.press("e")
        await until(pilot, lambda: dialog._area is not None and dialog._area.has_focus)
        assert dialog._area is not None
        dialog._area.put(typed)
        await pilot.press("ctrl+s")
        await shows(pilot, "1: edited", f"Theirs, on disk {theirs}", f"1 Mine {mine}")


def test_of_some_lines_that_an_edit_keeps_it_says_so() -> None:
    found = conflicts(b"- 30\n", b"- 60\n- 61\n", b"- 45\n")
    page = both_sides(found, [Edited(b"- 61\n")], ("Theirs", "Mine"))
    assert [row.text for row in page.diff if row.side is Side.GAP] == ["1 Theirs · not taken", "1 Mine · partly taken"]
    assert [row.side for row in page.diff if row.side is not Side.GAP] == [Side.REMOVED, Side.REMOVED, Side.ADDED]
