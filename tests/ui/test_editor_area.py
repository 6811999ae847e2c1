"""The editor's text area by itself: lists, boxes, several cursors, rows that hang; each step is taken back by one key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.events import Paste
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import TextArea

from tests.ui.driving import drawn, screen_text
from zsmem_tui.ui.memory.editor_area import EditorArea
from zsmem_tui.ui.widgets.hanging_wrap import HangingDocument


class Bare(App[None]):
    """Nothing but the text area."""

    CSS = "EditorArea { height: 1fr; border: none; padding: 0; }"

    def compose(self) -> ComposeResult:
        yield EditorArea(id="text")


class Hand:
    """Types into the text area."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot
        self.area = pilot.app.query_one(EditorArea)

    async def does(self, text: str, at: tuple[int, int], *keys: str) -> str:
        """The text after these keys, from this place of a text on."""
        self.area.put(text)
        self.area.move_cursor(at)
        await self.pilot.press(*keys)
        return self.area.value

    async def undoes(self, *texts: str) -> None:
        """Each ctrl+z leads to the next of the texts, and as many ctrl+y back again."""
        now = self.area.value
        for text in texts:
            await self.pilot.press("ctrl+z")
            assert self.area.value == text
        await self.pilot.press(*["ctrl+y"] * len(texts))
        assert self.area.value == now
        assert rows_as_new(self.area)

    def cursors(self) -> list[tuple[int, int]]:
        return sorted([self.area.selection.end, *(span.head for span in self.area.carets.more)])


@asynccontextmanager
async def a_hand(size: tuple[int, int] = (40, 10)) -> AsyncIterator[Hand]:
    async with Bare().run_test(size=size) as pilot:
        yield Hand(pilot)


async def test_the_cursor_stays_in_view_however_the_size_changes() -> None:
    async with a_hand((80, 24)) as hand:

        async def sees(size: tuple[int, int], words: str) -> None:
            await hand.pilot.resize_terminal(*size)
            await hand.pilot.pause()
            assert words in screen_text(hand.pilot.app), size

        long = "\n".join(f"{number} {'word ' * 30}" for number in range(60))
        assert (await hand.does(long, (59, 153), *"here")).endswith("here")
        for size in ((80, 23), (60, 20), (20, 6), (80, 24), (20, 3)):
            await sees(size, "here")
        hand.area.begin_at(2)
        await sees((40, 10), "here")
        hand.area.scroll_home(animate=False)
        hand.area.on_mouse_scroll_up()
        await sees((40, 8), "0 word")


async def test_cutting_where_nothing_stands_keeps_what_was_copied() -> None:
    async with a_hand() as hand:
        hand.pilot.app.copy_to_clipboard("copied")
        assert await hand.does("one\n", (1, 0), "ctrl+x", "ctrl+v") == "one\ncopied"


async def test_enter_goes_on_with_a_list_and_ends_it_where_nothing_was_typed() -> None:
    async with a_hand() as hand:
        assert await hand.does("- one", (0, 5), "enter", "a") == "- one\n- a"
        await hand.undoes("- one\n- ", "- one")
        assert await hand.does("9. one two", (0, 6), "enter") == "9. one\n10.  two"
        assert await hand.does("- [x] one", (0, 9), "enter", "enter") == "- [x] one\n"
        await hand.undoes("- [x] one\n- [ ] ", "- [x] one")
        assert await hand.does("- a\n  - b", (1, 5), "enter", "enter", "c") == "- a\n  - b\n- c"
        assert await hand.does("> said", (0, 6), "enter", "enter", "enter") == "> said\n\n"
        assert await hand.does("> > - said", (0, 10), "enter", "enter", "enter") == "> > - said\n> "
        assert await hand.does("- one", (0, 0), "enter") == "\n- one"
        assert await hand.does("```\n- one\n```", (1, 5), "enter") == "```\n- one\n\n```"
        assert await hand.does("---", (0, 3), "enter") == "---\n"
        assert await hand.does("- one two", (0, 2), "shift+right", "shift+right", "shift+right", "enter") == "- \n-  two"
        hand.pilot.app.post_message(Paste("x\ny"))
        await hand.pilot.pause()
        assert hand.area.value == "- \n- x\ny two", "what is pasted is not continued"
        hand.pilot.app.post_message(Paste("\u2028\r"))
        await hand.pilot.pause()
        assert hand.area.value == "- \n- x\ny\u2028\n two", "and nothing but line ends ends a line"


@pytest.mark.slow
async def test_tab_moves_items_in_and_out_and_is_spaces_elsewhere_and_boxes_are_ticked() -> None:
    async with a_hand() as hand:
        assert await hand.does("- a\n- b\n  c\n- d", (1, 3), "tab") == "- a\n  - b\n    c\n- d"
        assert hand.area.cursor_location == (1, 5)
        await hand.pilot.press("tab", "tab")
        assert hand.area.value == "- a\n  - b\n    c\n- d", "an item is at most one step below the one above"
        await hand.pilot.press("shift+tab")
        assert hand.area.value == "- a\n- b\n  c\n- d" and hand.area.cursor_location == (1, 3)
        await hand.undoes("- a\n  - b\n    c\n- d", "- a\n- b\n  c\n- d")
        assert await hand.does("ab", (0, 1), "tab") == "a   b"
        assert await hand.does("ab", (0, 1), "alt+right", "alt+right", "alt+left") == "  ab"
        assert await hand.does("- a\n- b\n- c", (1, 0), "shift+down", "shift+end", "tab") == "- a\n  - b\n  - c"
        assert hand.area.selected_text == "- b\n  - c"
        assert await hand.does("- [ ] a\n- b", (0, 7), "alt+x") == "- [x] a\n- b"
        await hand.pilot.press("shift+down", "alt+x")
        assert hand.area.value == "- [ ] a\n- [ ] b"
        await hand.undoes("- [x] a\n- b", "- [ ] a\n- b")
        assert await hand.does("words", (0, 2), "alt+x") == "words"


async def test_the_next_places_of_a_word_are_selected_one_by_one_and_changed_together() -> None:
    text = "port is a port\nreport: port\n"
    async with a_hand() as hand:
        await hand.does(text, (0, 1), "ctrl+d")
        assert hand.area.selected_text == "port" and not hand.area.carets.more
        await hand.pilot.press("ctrl+d", "ctrl+d", "ctrl+d")
        assert hand.cursors() == [(0, 4), (0, 14), (1, 12)]
        await hand.pilot.press(*"ga", "space", *"xy", "backspace")
        assert hand.area.value == "ga x is a ga x\nreport: ga x\n"
        await hand.undoes("ga xy is a ga xy\nreport: ga xy\n", "ga  is a ga \nreport: ga \n", "ga is a ga\nreport: ga\n", text)
        assert await hand.does(text, (1, 8), "alt+a", "delete") == " is a \nreport: \n"
        await hand.undoes(text)
        assert await hand.does(text, (1, 8), "alt+a", "escape", "x") == "port is a port\nreport: x\n"


async def test_cursors_below_each_other_type_delete_and_move_together() -> None:
    text = "one\ntwo\n\nfour"
    async with a_hand() as hand:
        await hand.does(text, (0, 2), "alt+c", "alt+c", "alt+c")
        assert hand.cursors() == [(0, 2), (1, 2), (2, 0), (3, 2)]
        await hand.pilot.press("home", "-", "space", "end", "!")
        assert hand.area.value == "- one!\n- two!\n- !\n- four!"
        await hand.pilot.press("ctrl+left", "shift+right", "X")
        assert hand.area.value == "- oneX\n- twoX\nX !\n- fourX"
        await hand.does(text, (3, 0))
        for _ in range(3):
            hand.area.action_cursors("above")
        await hand.pilot.press("enter")
        assert hand.area.value == "\none\n\ntwo\n\n\n\nfour"
        await hand.undoes(text)
        assert await hand.does("- a\n- b", (0, 3), "alt+c", "enter", "c") == "- a\n- c\n- b\n- c"
        fenced = "```\n- a\n- b\n```"
        assert await hand.does(fenced, (1, 3), "alt+c", "enter", "c") == "```\n- a\nc\n- b\nc\n```", "no list in code"
        assert await hand.does("ab\ncd", (0, 0), "alt+c", "backspace", "delete", "delete") == ""
        assert hand.cursors() == [(0, 0)]
        await hand.does("ab\ncd", (0, 0), "alt+c")
        hand.pilot.app.post_message(Paste("1\n2"))
        await hand.pilot.pause()
        assert hand.area.value == "1ab\n2cd", "a line of what is pasted at each cursor"
        hand.pilot.app.post_message(Paste("x\r\ny\n"))
        await hand.pilot.pause()
        assert hand.area.value == "1xab\n2ycd"


@pytest.mark.slow
async def test_any_other_key_is_for_one_cursor_and_what_is_dropped_does_not_come_back() -> None:
    async with a_hand() as hand:
        for other in ("ctrl+z", "ctrl+end", "pagedown", "alt+d", "tab", "alt+up"):
            await hand.does("a\nb\nc\n", (1, 0), "x", "alt+c")
            place = hand.area.cursor_location
            await hand.pilot.press(other)
            assert len(hand.cursors()) == 1, other
            hand.area.move_cursor(place)
            assert len(hand.cursors()) == 1, other
            value = hand.area.value
            await hand.pilot.press("y")
            assert hand.area.value.count("y") == 1 and len(hand.area.value) == len(value) + 1, other


async def test_rows_hang_on_the_screen_and_a_click_goes_where_it_points() -> None:
    async with a_hand((16, 6)) as hand:
        await hand.does("- one two three four\nwords", (0, 7))
        assert screen_text(hand.pilot.app).split("\n")[:3] == ["- one two       ", "  three four    ", "words           "]
        for key, column in (("down", 15), ("home", 0), ("end", 20), ("ctrl+a", 0), ("ctrl+e", 20), ("up", 9), ("down", 20)):
            await hand.pilot.press(key)  # home and end are those of the line, not of its row
            assert hand.area.cursor_location == (0, column), key
        await hand.pilot.press("up", "shift+home")
        assert hand.area.selected_text == "- one two"
        await hand.pilot.press("shift+end")
        assert hand.area.selected_text == " three four"
        for column in (2, 0, 2):
            await hand.does("  words of a line that is long", (0, 20 if column else 2), "home")
            assert hand.area.cursor_location == (0, column), "first to the words, then before them"
        await hand.does("- one two three four\nwords", (0, 0))
        await hand.pilot.click(offset=(2, 1))
        assert hand.area.cursor_location == (0, 10)
        await hand.pilot.click(offset=(0, 1))
        assert hand.area.cursor_location == (0, 10)
        await hand.pilot.press("alt+c", "shift+end")
        row = drawn(hand.pilot.app)[1]
        assert any(segment.style is not None and segment.style.reverse for segment in row), "a cursor is seen without colour"


@pytest.mark.slow
async def test_what_is_typed_after_a_step_back_is_a_step_of_its_own() -> None:
    async with a_hand() as hand:
        assert await hand.does("one", (0, 0), "enter", "a", "ctrl+z", "b", "c") == "\nbcone"
        await hand.undoes("\none", "one")
        assert await hand.does("", (0, 0), "a", "space", "b", "ctrl+z", "c") == "a c"
        await hand.undoes("a ", "")


ODD = "a\u2028b\x0cc\rd\r\ne\x85"
"""Characters that the widget itself takes for line ends."""


async def test_what_is_copied_is_as_it_stands_in_the_file_and_put_back_to_the_character() -> None:
    async with a_hand() as hand:
        app = hand.pilot.app
        assert await hand.does(f"{ODD}\n", (0, 0), "shift+end", "ctrl+c", "end") == f"{ODD}\n"
        assert app.clipboard == ODD.partition("\n")[0]
        await hand.does(f"{ODD}\n", (0, 0), "f7", "ctrl+x")
        assert (app.clipboard, hand.area.value) == (f"{ODD}\n", "")
        await hand.pilot.press("ctrl+v", "ctrl+v")
        assert hand.area.value == f"{ODD}\n" * 2
        await hand.undoes(f"{ODD}\n", "")
        await hand.does("a\u2028b a\u2028b", (0, 0), "shift+right", "shift+right", "shift+right", "alt+a", "ctrl+x")
        assert app.clipboard == "a\u2028b\na\u2028b" and hand.area.value == " "
        await hand.pilot.press("ctrl+v")
        assert hand.area.value == "a\u2028b a\u2028b"
        app.copy_to_clipboard("1\r\n2\u20293")
        assert await hand.does("", (0, 0), "ctrl+v") == "1\n2\u20293", "from elsewhere in the program"


async def test_what_could_not_be_given_back_exactly_is_not_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Bare, "on_said", lambda app, event: said.append(event.text), raising=False)
    async with a_hand() as hand:
        await hand.does("ab\ncd", (0, 0), "shift+right")
        for keys in ((), ("left", "alt+c")):
            await hand.pilot.press(*keys)
            hand.pilot.app.post_message(Paste("icon \U0010000d"))
            await hand.pilot.pause()
            hand.pilot.app.copy_to_clipboard("\U00102028")
            await hand.pilot.press("ctrl+v")
            assert hand.area.value == "ab\ncd"
        assert len(said) == 4 and len(set(said)) == 1 and "nothing was put there" in said[0]


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_was_typed_at_several_cursors_is_taken_back_to_the_first_letter(seed: int) -> None:
    chance = Random(seed)
    text = "- [ ] one\n  - two two\n\n> 漢字 one\n1. é one two three four five six\n"
    keys = ["left", "right", "up", "down", "home", "end", "shift+right", "shift+down", "backspace", "delete", "ctrl+w", "ctrl+left"]
    async with a_hand((20, 8)) as hand:
        area = hand.area
        area.put(text)
        for _ in range(200):
            match chance.randrange(8):
                case 0:
                    area.action_cursors(chance.choice(["next", "all", "below", "above"]))
                case 1:
                    chance.choice([area.action_tick, area.action_tab, area.action_duplicate_lines])()
                case 2:
                    area.carets.take("enter", None) or area.break_line()
                case 3:
                    area.move_cursor((chance.randrange(area.document.line_count), 0))
                case 4 | 5:
                    area.carets.take(chance.choice(keys), None)
                case _:
                    area.carets.take("x", chance.choice("x y漢"))
            await hand.pilot.pause(0) if chance.random() < 0.1 else None
            assert rows_as_new(area)
            assert all(span.head[1] <= len(area.document.get_line(span.head[0])) for span in area.carets.more)
        typed = area.value
        steps = len(area.history.undo_stack)
        for _ in range(steps):
            area.undo()
            assert rows_as_new(area)
        assert area.value == text
        for _ in range(steps):
            area.redo()
        assert area.value == typed and rows_as_new(area)


def rows_as_new(area: EditorArea) -> bool:
    """Whether the rows are those of a text that is wrapped from the start."""
    rows = area.wrapped_document
    return rows.rows == HangingDocument(area.document, rows._cells, rows._tabs).rows


@pytest.mark.draw(2)
@pytest.mark.parametrize("part", ["lorem ipsum (dolor) sit ", "翻訳、テスト ", "a\tb ", "x"])
async def test_a_row_of_a_long_line_is_drawn_as_by_who_draws_all_of_it(part: str) -> None:
    """Cursor, selection, brackets, the other cursors: in each row, also the last, whose end the cursor is behind."""
    text = f"above\n- {part * 1_500}\nbelow"
    length = len(text.split("\n")[1])
    async with a_hand() as hand:
        area = hand.area
        area.put(text)
        await hand.pilot.pause()
        for start, end in (((1, 100), (1, 100)), ((1, 14), (1, 14)), ((1, 90), (1, 700)), ((2, 1), (1, 130)), ((1, length),) * 2):
            area.move_cursor(start)
            area.move_cursor(end, select=start != end)
            if start == end:
                area.carets.add_next()
                area.carets.add_next()
            await hand.pilot.pause()
            for y in range(area.size.height):
                assert cells(area._render_line(y)) == cells(TextArea._render_line(area, y)), (start, end, y)


def cells(strip: Strip) -> list[tuple[str, object, object, object]]:
    return [
        (char, style.color, style.bgcolor, style.reverse)
        for text, style, _ in strip
        for char in text
        for style in [style or Style()]
    ]
