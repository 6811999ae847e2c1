"""A line of a hit, cut to the room there is."""

from __future__ import annotations

import pytest

from zsmem_tui.ui.memory.hit_rows import excerpt


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("  the port is here", 40, "the port is here"),
        ("the port of the gateway behind the wall", 20, "the port of the gat…"),
        ("a long way before it says that the port is shut and gone and over", 24, "…hat the port is shut a…"),
        ("a long way before it says that the port is", 24, "…t says that the port is"),
        ("日本語日本語日本語 port 日本語", 14, "…日本語 port …"),
    ],
)
def test_it_uses_the_room_and_says_where_there_is_more(text: str, width: int, shown: str) -> None:
    found = excerpt(text, ["port"], width)
    assert found.plain == shown and found.cell_length <= width
    assert [found.plain[span.start : span.end] for span in found.spans] == ["port"]


def test_a_match_that_is_cut_is_marked_as_far_as_it_is_seen() -> None:
    assert excerpt("xx porterhouse", ["porterhouse"], 8).plain == "…x port…"
    assert excerpt("no such word at all", ["port"], 8).plain == "no such…"


def test_a_whole_word_is_marked_more_strongly_than_a_part_of_one_and_is_what_is_shown() -> None:
    found = excerpt("a report on port 6379", ["port"], 40)
    styles = {(span.start, span.end): str(span.style) for span in found.spans}
    assert styles == {(4, 8): "underline $accent", (12, 16): "bold underline $accent"}
    only = excerpt("a report on port 6379", ["port"], 40, whole_words=True)
    assert [(span.start, span.end) for span in only.spans] == [(12, 16)]
    far = excerpt("a report that goes on for long, and then some, on port 6379", ["port"], 24)
    assert far.plain == "…then some, on port 6379"


def test_a_part_of_a_word_next_to_a_whole_one_keeps_its_own_mark() -> None:
    found = excerpt("redis redis-ports", ["redis", "ports", "port"], 40)
    assert all("bold" in str(span.style) for span in found.spans)


@pytest.mark.parametrize(
    "text", ["word " * 200_000 + "then Zebra end", "Zebra " + "word " * 200_000, "ß" * 9_000 + " zebra " + "x" * 9_000]
)
def test_the_match_in_a_line_of_any_length_is_shown(text: str) -> None:
    found = excerpt(text, ["zebra"], 40)
    assert "zebra" in found.plain.lower() and found.cell_length <= 40
    assert found.plain.startswith("Zebra") == text.startswith("Zebra")
