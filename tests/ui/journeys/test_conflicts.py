"""The conflict dialog: it opens where both sides clash, and goes from one clash to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, until
from zsmem_tui.core.conflict import conflicts
from zsmem_tui.ui.dialogs.conflict import ConflictDialog

BASE = "".join(f"- fact number {number}\n" for number in range(200))
MINE = (
    BASE.replace("number 150\n", "number one-fifty MINE\n")
    .replace("number 40\n", "number forty MINE\n")
    .replace("number 90\n", "90\n")
)
THEIRS = BASE.replace("number 150\n", "number 150 THEIRS\n").replace("- fact number 40\n", "").replace("number 10\n", "10!\n")


def a_dialog(base: str, mine: str, theirs: str) -> ConflictDialog:
    return ConflictDialog("n", conflicts(base.encode(), mine.encode(), theirs.encode()))


def the_styles(app: object, words: str) -> set[str]:
    found = set()
    for strip in app.screen._compositor.render_strips():  # type: ignore[attr-defined]
        for segment in strip:
            if segment.text == words and segment.style:
                found.add(str(segment.style.bgcolor))
    return found


@pytest.mark.parametrize("size", [(80, 24), (120, 40), pytest.param((200, 60), marks=pytest.mark.slow)])
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
        await pilot.press("m", "enter")
        await until(pilot, lambda: b"- fact number 150 THEIRS\n- fact number one-fifty MINE" in store.raw("MEMORY.md"))
        assert b"10!\n" in store.raw("MEMORY.md") and b"- fact 90\n" in store.raw("MEMORY.md")
        assert b"- fact number forty MINE\n" in store.raw("MEMORY.md")


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
@pytest.mark.parametrize("ends", ["", "\n"])
async def test_a_conflict_on_the_last_line_of_a_long_file_is_shown_on_both_sides(
    tmp_path: Path, size: tuple[int, int], ends: str
) -> None:
    text = "# First line\n" + "- a longer line that is broken where the screen is narrow, and again, and again\n" * 3_000
    store = AStore(tmp_path / "store").has("MEMORY.md", "one\n")
    async with running(an_app(store), size=size) as pilot:
        dialog = a_dialog(text + "last" + ends, text + "last MINE" + ends, text + "last THEIRS" + ends)
        pilot.app.push_screen(dialog)
        await shows(pilot, "last MINE", "last THEIRS", "1: not decided yet")
        assert "First line" not in screen_text(pilot.app)
        await pilot.resize_terminal(size[0] - 10, size[1])
        await shows(pilot, "last MINE", "last THEIRS", "1: not decided yet")
        await pilot.press("t")
        await shows(pilot, "1 of 1 decided", "1: theirs", "✓ taken", "not taken")


async def test_three_conflicts_take_four_keys_and_nothing_is_written_before_the_last(tmp_path: Path) -> None:
    base = "".join(f"- fact {number}\n" for number in range(9))
    mine, theirs = (base.replace("1", f"1 {by}").replace("4", f"4 {by}").replace("7", f"7 {by}") for by in ("mine", "theirs"))
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n"))) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog(base, mine, theirs), answer.append)
        await shows(pilot, "Conflict 1 of 3 · 0 of 3 decided")
        for key, words in (("m", "1 of 3 decided"), ("t", "2 of 3 decided"), ("b", "3 of 3 decided · enter saves")):
            await pilot.press(key)
            await shows(pilot, words)
            assert not answer
        await pilot.press("enter")
        wanted = base.replace("1", "1 mine").replace("4", "4 theirs").replace("fact 7", "fact 7 theirs\n- fact 7 mine")
        await until(pilot, lambda: answer == [wanted.encode()])


NINE = "".join(f"- fact {number}\n" for number in range(9))
BY_MINE, BY_THEIRS = (NINE.replace("1", f"1 {by}").replace("4", f"4 {by}").replace("7", f"7 {by}") for by in ("mine", "theirs"))
DECIDED = NINE.replace("1", "1 mine").replace("4", "4 theirs").replace("fact 7", "fact 7 theirs\n- fact 7 mine")


@pytest.mark.parametrize("keys", ["mtb", "mntnb", "nnbmt", "NbmNnt"])
async def test_each_decision_is_about_the_conflict_that_was_next(tmp_path: Path, keys: str) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n"))) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog(NINE, BY_MINE, BY_THEIRS), answer.append)
        await shows(pilot, "▶ Conflict 1 of 3 · 0 of 3 decided")
        await pilot.press(*keys, "enter")
        await until(pilot, lambda: answer)
        assert answer == [DECIDED.encode()]


async def test_n_goes_past_an_open_conflict_only_when_it_is_pressed_for_that(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n"))) as pilot:
        pilot.app.push_screen(a_dialog(NINE, BY_MINE, BY_THEIRS))
        await shows(pilot, "▶ Conflict 1 of 3")
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


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_help_explains_a_conflict_and_leads_back_to_it(tmp_path: Path, key: str) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n")), size=(80, 24)) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog("one\n", "two\n", "three\n"), answer.append)
        await shows(pilot, "Conflict 1 of 1")
        await pilot.press("m", key)
        await shows(pilot, "A conflict", "esc close")
        await pilot.press("escape")
        await shows(pilot, "1 of 1 decided")
        await pilot.press("enter")
        await until(pilot, lambda: answer == [b"two\n"])


async def test_lines_of_a_conflict_are_edited_and_a_decision_taken_back(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n"))) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog("a\r\nb\r\n", "a\r\nMINE\r\n", "a\r\nTHEIRS\r\n"), answer.append)
        await shows(pilot, "0 of 1 decided")
        await pilot.press("m")
        await shows(pilot, "1 of 1 decided")
        await pilot.press("backspace")
        await shows(pilot, "0 of 1 decided")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "edited")
        await pilot.press(*"mt", "escape")
        await shows(pilot, "0 of 1 decided", "1: not decided yet")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused.id == "edited")
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "1 of 1 decided", "1: edited")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: answer == [b"a\r\nXTHEIRS\r\nMINE\r\n"])


async def test_leaving_writes_nothing(tmp_path: Path) -> None:
    async with running(an_app(AStore(tmp_path / "store").has("MEMORY.md", "one\n")), size=(20, 6)) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog("one\n", "two\n", "three\n"), answer.append)
        await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog) and pilot.app.focused is not None)
        await pilot.press("m", "escape")
        await until(pilot, lambda: answer == [None])


@pytest.mark.parametrize("mine", ["", "x", "a\r\nb\n", "- [x] [bold]\x1b[2J\n", "\n\n\n"])
async def test_texts_of_every_shape_can_be_shown(tmp_path: Path, mine: str) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "one\n")
    async with running(an_app(store)) as pilot:
        answer: list[bytes | None] = []
        pilot.app.push_screen(a_dialog("one\n", mine, "two\n"), answer.append)
        await shows(pilot, "Theirs, on disk")
        await pilot.press("n", "N", "f4")
        await until(pilot, lambda: answer == [mine.encode()])
