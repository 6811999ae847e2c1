"""The editor gives back every byte of a file but those that the person changed, whatever characters stand in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.driving import screen_text
from tests.ui.test_editor_area import Hand, a_hand
from zsmem_tui.core.visible import HIDDEN_ONE
from zsmem_tui.service.editing import Editable
from zsmem_tui.ui.widgets.markdown_area import given_back, held, holds_back_characters

HIDDEN = [
    *"\u200b\ufeff\u061c\u200e\u202e\u2066\u2069\u00ad\u2060\u3164\U000e0041\U000e007f\U000e0001",
    *"\0\x07\x1b\x7f\x9b\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\r\t",
]
PIECES = st.sampled_from(
    [*HIDDEN, "\r\n", "\n", "\n\n", "- ", "- [ ] ", "words", " ", "漢字", "👨‍👩‍👧", "é", "\ud7ff", "\U0010ffff"]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(st.characters(codec="utf-8"), max_size=40)
EXAMPLES = pytest.mark.parametrize("examples", [75, pytest.param(300, marks=pytest.mark.slow)])
FILES = TEXTS.filter(lambda text: not holds_back_characters(text)).map(str.encode)


def put(hand: Hand, raw: bytes) -> Editable:
    """The text of a file in the area, as the program puts it there."""
    file = Editable(raw)
    hand.area.put(file.text)
    return file


@EXAMPLES
async def test_a_letter_typed_anywhere_changes_no_other_byte_and_is_taken_back(examples: int) -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=examples)
        @given(raw=FILES, data=st.data())
        def typed(raw: bytes, data: st.DataObject) -> None:
            file = put(hand, raw)
            rows = file.text.split("\n")
            assert area.document.line_count == len(rows)
            row = data.draw(st.integers(0, len(rows) - 1))
            column = data.draw(st.integers(0, len(rows[row])))
            area.move_cursor((row, column))
            area._replace_via_keyboard("q", *area.selection)
            rows[row] = rows[row][:column] + "q" + rows[row][column:]
            end = "\r\n" if file.crlf else "\n"
            after = ("\ufeff" * file.bom + end.join(rows)).encode()
            assert file.encode(area.value) == after and len(after) == len(raw) + 1
            assert Editable(after).encode(area.value) == after, "and it is the text that stands on disk"
            area.undo()
            assert file.encode(area.value) == raw
            area.redo()
            assert file.encode(area.value) == after
            area.action_delete_left()
            assert Editable(after).encode(area.value) == raw

        typed()


@EXAMPLES
async def test_what_is_cut_and_put_back_is_what_it_was(examples: int) -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=examples)
        @given(raw=FILES, data=st.data())
        def moved(raw: bytes, data: st.DataObject) -> None:
            file = put(hand, raw)
            row = data.draw(st.integers(0, area.document.line_count - 1))
            is_last = row == area.document.line_count - 1
            area.move_cursor((row, 0))
            if data.draw(st.booleans()) or is_last:
                area.move_cursor((row, len(area.document.get_line(row))), select=True)
            if area.selection.start != area.selection.end or not is_last:
                area.clip("ctrl+x")
                area.clip("ctrl+v")
                assert file.encode(area.value) == raw
                area.undo()
                area.undo()
                assert file.encode(area.value) == raw

        moved()


@EXAMPLES
async def test_a_letter_typed_at_the_end_of_each_line_changes_no_other_byte_and_is_taken_back(examples: int) -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=examples)
        @given(raw=FILES)
        def typed(raw: bytes) -> None:
            file = put(hand, raw)
            rows = file.text.split("\n")
            area.move_cursor((0, 0))
            for _ in rows[1:]:
                area.carets.add_below(1)
            if len(rows) > 1:
                area.carets.take("home", None)
                area.carets.take("q", "q")
                end = "\r\n" if file.crlf else "\n"
                smart = area.value
                area.undo()
                assert file.encode(area.value) == raw
                area.redo()
                assert area.value == smart and smart.replace("q", "") == file.text.replace("q", "")
                assert file.encode(smart).count(end.encode()) == raw.count(end.encode())

        typed()


@pytest.mark.slow
def test_every_hidden_character_has_a_private_one_of_its_own() -> None:
    every = [chr(code) for code in range(0x110000) if HIDDEN_ONE.match(chr(code))]
    away = held("".join(every))
    assert len(set(away)) == len(every) > 400 and given_back(away) == "".join(every)
    assert all(not HIDDEN_ONE.match(char) for char in away) and all(map(holds_back_characters, away))
    assert not any(map(holds_back_characters, "\U000f000d\ue0a0\U000fffff")), "icons of fonts are edited as any letter"


async def test_what_is_hidden_is_seen_where_it_stands() -> None:
    async with a_hand((30, 12)) as hand:
        hand.area.put("a\u200bb\n\x1b[2Jc\r\nx\u2028y\u3164\n\u202e\U000e0041z" + "\n" + "w" * 2_001 + "\ufeff")
        hand.area.move_cursor((0, 3))
        await hand.pilot.pause()
        assert hand.area.cursor_location == (0, 3)
        rows = [row.partition("  ")[0].rstrip() for row in screen_text(hand.pilot.app).split("\n")]
        assert rows[:4] == ["a▯b", "␛[2Jc␍", "x␤y▯", "▯▯z"]
        hand.area.move_cursor((4, 2_002))
        await hand.pilot.pause()
        assert "www▯" in screen_text(hand.pilot.app)
        await hand.pilot.press("backspace")
        assert hand.area.value.endswith("w")


async def test_hidden_characters_are_found_and_replaced() -> None:
    async with a_hand() as hand:
        hand.area.put("a\u200bb\u200bc")
        assert hand.area.find_next("\u200bb", 1) == (1, 1)
        assert hand.area.replace_all("\u200b", "-") == 2 and hand.area.value == "a-b-c"
