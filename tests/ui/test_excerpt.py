"""A line of a hit, cut to the room there is."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from zsmem_tui.core.search import MatchedLine
from zsmem_tui.ui.memory import hit_rows
from zsmem_tui.ui.memory.hit_rows import HitRows
from zsmem_tui.ui.memory.hit_rows import excerpt as excerpt_pieces
from zsmem_tui.ui.widgets.row_lines import Piece


def excerpt(text: str, terms: list[str], width: int, *, whole_words: bool = False) -> tuple[str, list[Piece]]:
    """The text of an excerpt, and what of it is marked how."""
    pieces = excerpt_pieces(text, terms, width, whole_words=whole_words)
    return "".join(words for words, _ in pieces), [piece for piece in pieces if piece[1] != "text"]


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
    plain, marked = excerpt(text, ["port"], width)
    assert plain == shown and cell_len(plain) <= width
    assert marked == [("port", "match")]


def test_a_match_that_is_cut_is_marked_as_far_as_it_is_seen() -> None:
    assert excerpt("xx porterhouse", ["porterhouse"], 8) == ("…x port…", [("port", "match")])
    assert excerpt("no such word at all", ["port"], 8) == ("no such…", [])


def test_a_whole_word_is_marked_more_strongly_than_a_part_of_one_and_is_what_is_shown() -> None:
    assert excerpt("a report on port 6379", ["port"], 40)[1] == [("port", "part"), ("port", "match")]
    assert excerpt("a report on port 6379", ["port"], 40, whole_words=True)[1] == [("port", "match")]
    assert excerpt("a report that goes on for long, and then some, on port 6379", ["port"], 24)[0] == "…then some, on port 6379"


def test_a_part_of_a_word_next_to_a_whole_one_keeps_its_own_mark() -> None:
    assert {style for _, style in excerpt("redis redis-ports", ["redis", "ports", "port"], 40)[1]} == {"match"}


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200_000 + "then Zebra end",
        "Zebra " + "word " * 200_000,
        "ß" * 9_000 + " zebra " + "x" * 9_000,
        "İ" * 9_000 + " zebra",
    ],
)
def test_the_match_in_a_line_of_any_length_is_shown(text: str) -> None:
    plain, _ = excerpt(text, ["zebra"], 40)
    assert "zebra" in plain.lower() and cell_len(plain) <= 40
    assert plain.startswith("Zebra") == text.startswith("Zebra")


async def test_lines_that_are_listed_late_are_of_no_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    found, go_on = HitRows(), threading.Event()
    hit: Any = SimpleNamespace(os_path="a.md")

    def slow(_: object) -> list[MatchedLine]:
        go_on.wait(10)
        return [MatchedLine(1, "of the words before", 1)]

    monkeypatch.setattr(hit_rows, "matched_lines", slow)
    found.hits = [hit]
    listing = asyncio.create_task(found.unfold(hit))
    await asyncio.sleep(0)
    found.take(None)
    go_on.set()
    assert await listing and not found.unfolded
