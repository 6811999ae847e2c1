from __future__ import annotations

import unicodedata
from itertools import chain
from pathlib import Path

import pytest

from tests.builders import AStore, look_for
from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import matched_lines
from zsmem_tui.core.whole_words import holds_word, word_finder, word_places


def test_a_line_is_folded_around_bytes_that_are_not_utf8() -> None:
    assert fold(b"CAF\xe9 \xc3\x89T\xff") == b"caf\xe9 \xc3\xa9t\xff"


@pytest.mark.parametrize(
    ("text", "word", "whole"),
    [
        ("the port is 6379", "port", True),
        ("report", "port", False),
        ("ports", "port", False),
        ("a report on port 6379", "port", True),
        ("redis_port", "port", False),
        ("redis-port: 6379", "port", True),
        ("`port`", "port", True),
        ("c++11", "c++", True),
        ("libc++", "c++", False),
        ("--port=6379", "--port", True),
        ("naïve", "na", False),
        ("cafe\u0301", "cafe", False),
        ("全文検索する", "検索", True),
        ("検索port番号", "port", True),
        ("xaxa", "xa", False),
        ("aa a", "a", True),
        ("port", "", False),
    ],
)
def test_a_word_is_whole_between_characters_that_are_of_no_word(text: str, word: str, whole: bool) -> None:
    assert holds_word(text.encode(), word.encode()) is whole
    assert word_finder(word.encode())(text.encode()) is whole


def test_a_word_is_marked_where_it_stands_whole_only() -> None:
    assert list(word_places("report port, export port", "port")) == [(7, 11), (20, 24)]


TEXT = "a report\nPORT 6379\nimported, exported\nport\n"


def test_a_search_for_whole_words_counts_shows_and_ranks_only_these(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("MEMORY.md", "reports\n")
    store.has("~/notes/a.md", TEXT).has("~/notes/b.md", "export\n").has("~/notes/port.md", "x\n").has("~/notes/reports.md", "y\n")
    loose, whole = look_for("port nowhere", store.session()), look_for("port nowhere", store.session(), whole_words=True)
    assert [hit.file.name for hit in loose.hits] == ["MEMORY.md", "a.md", "b.md", "port.md", "reports.md"]
    assert [hit.file.name for hit in whole.hits] == ["a.md", "port.md"]
    assert loose.terms == [("port", 6), ("nowhere", 0)]
    assert whole.terms == [("port", 2), ("nowhere", 0)]
    hit, by_name = whole.hits
    assert (hit.total_hits, by_name.filename_only) == (2, True)
    assert [(line.number, line.words) for line in matched_lines(hit)] == [(1, 1), (3, 1)]
    assert [line.number for line in hit.first_lines()] == [1, 3]
    assert [line.number for window in hit.excerpts() for line in window if line.matches] == [1, 3]


def test_of_several_words_each_has_to_be_whole_to_count(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/notes/a.md", "port\nredis reports\n").has("~/notes/b.md", "redis port\n")
    whole = look_for("redis port", store.session(), whole_words=True)
    assert [(hit.file.name, hit.matched_terms) for hit in whole.hits] == [
        ("a.md", ["redis", "port"]),
        ("b.md", ["redis", "port"]),
    ]
    assert [line.words for line in matched_lines(whole.hits[0])] == [1, 1]
    assert whole.terms == [("redis", 2), ("port", 2)]


def test_only_letters_of_scripts_without_blanks_end_a_word_anywhere() -> None:
    scripts = ("THAI ", "LAO ", "MYANMAR ", "KHMER ", "CJK ", "HIRAGANA ", "KATAKANA", "BOPOMOFO ", "HALFWIDTH KATAKANA")
    edges = (
        (0xE00, 0x1800),
        (0x3030, 0x3500),
        (0x4DA0, 0x4E10),
        (0x9FE0, 0xA010),
        (0xA9D0, 0xAA90),
        (0xF8F0, 0xFB10),
        (0xFF60, 0xFFA0),
    )
    letters = [
        char for char in map(chr, chain.from_iterable(range(*each) for each in edges)) if unicodedata.category(char)[0] == "L"
    ]
    ends = {char for char in letters if any(True for _ in word_places(f"{char}a", "a"))}
    assert ends == {char for char in letters if unicodedata.name(char).startswith(scripts)} and len(letters) > 2_000
