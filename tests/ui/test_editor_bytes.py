"""The editor gives back every byte of a file but those that the person changed, whatever characters stand in it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.test_editor_area import Hand, a_hand
from zsmem_tui.service.editing import Editable
from zsmem_tui.ui.widgets.markdown_area import holds_back_characters

HIDDEN = [
    *"\u200b\ufeff\u061c\u200e\u202e\u2066\u2069\u00ad\u2060\u3164\U000e0041\U000e007f\U000e0001",
    *"\0\x07\x1b\x7f\x9b\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\r\t",
]
PIECES = st.sampled_from(
    [*HIDDEN, "\r\n", "\n", "\n\n", "- ", "- [ ] ", "words", " ", "漢字", "👨‍👩‍👧", "é", "\ud7ff", "\U0010ffff"]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(st.characters(codec="utf-8"), max_size=40)
FILES = TEXTS.filter(lambda text: not holds_back_characters(text)).map(str.encode)


def put(hand: Hand, raw: bytes) -> Editable:
    """The text of a file in the area, as the program puts it there."""
    file = Editable(raw)
    hand.area.put(file.text)
    return file


async def test_a_letter_typed_anywhere_changes_no_other_byte_and_is_taken_back() -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=300)
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


async def test_what_is_cut_and_put_back_is_what_it_was() -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=300)
        @given(raw=FILES, data=st.data())
        def moved(raw: bytes, data: st.DataObject) -> None:
            file = put(hand, raw)
            row = data.draw(st.integers(0, area.document.line_count - 1))
            is_last = row == area.document.line_count - 1
            area.move_cursor((row, 0))
            if data.draw(st.booleans()) or is_last:
                area.move_cursor((row, len(area.document.get_line(row))), select=True)
            if area.selection.start != area.selection.end or not is_last:
                area.clipping.take("ctrl+x")
                area.clipping.take("ctrl+v")
                assert file.encode(area.value) == raw
                area.undo()
                area.undo()
                assert file.encode(area.value) == raw

        moved()


async def test_a_letter_typed_at_the_end_of_each_line_changes_no_other_byte_and_is_taken_back() -> None:
    async with a_hand() as hand:
        area = hand.area

        @settings(max_examples=200)
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
