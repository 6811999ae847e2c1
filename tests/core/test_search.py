"""Search against a second implementation that is naive on purpose: line by line, character by character."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zsmem_tui.core import find, search
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.markdown import naming_lines
from zsmem_tui.core.refs import Role
from zsmem_tui.core.search import matched_lines
from zsmem_tui.core.text import lines, trim_end
from zsmem_tui.core.texts import TextFile

TABLE = {int(code): set(equal) for code, equal in json.loads(Path("tests/golden/fold.json").read_text()).items()}

ALPHABET = st.sampled_from("abkKsSſ\u212aßẞéÉİıiI記👍σςΣ.*[ \n\r\x1c")
TEXT = st.lists(st.text(ALPHABET, max_size=8), max_size=40).map("\n".join)
TERM = st.text(st.sampled_from("abkKsSſ\u212aßẞéÉİıiI記👍σςΣ.*["), min_size=1, max_size=3)


def equal(one: str, other: str) -> bool:
    return one == other or ord(other) in TABLE.get(ord(one), ())


def holds(line: str, term: str) -> bool:
    starts = range(len(line) - len(term) + 1)
    return any(all(equal(line[at + place], char) for place, char in enumerate(term)) for at in starts)


def naive_body(text: str, terms: list[str]) -> str:
    found = lines(text)
    windows: list[list[int]] = []
    for number, line in enumerate(found):
        if not any(holds(line, term) for term in terms):
            continue
        start, end = max(0, number - 3), min(len(found) - 1, number + 3)
        if windows and start <= windows[-1][1] + 1:
            windows[-1][1] = end
        elif len(windows) == 5:
            break
        else:
            windows.append([start, end])
    return trim_end("".join("".join(f"{line}\n" for line in found[start : end + 1]) + "…\n" for start, end in windows))


def document(text: str, name: str = "note.md") -> TextFile:
    found = TextFile("/store", Folder("", role=Role.NOTE), name, lambda _: text.encode())
    found.hold(text.encode())
    return found


def look_for(files: Iterable[TextFile], query: str, **how: Any) -> search.SearchResults:
    return search.search([search.Searched((file,) for file in files)], query, **how)


@settings(max_examples=300, deadline=None)
@given(TEXT, st.lists(TERM, min_size=1, max_size=4))
@example("I\r", ["I"])
def test_counts_and_excerpts_are_those_of_the_naive_search(text: str, terms: list[str]) -> None:
    results = look_for([document(text, "\x1f.md")], " ".join(terms))
    spelled = search.split_terms(" ".join(terms))
    assert results.terms == [(term, sum(holds(line, term) for line in lines(text))) for term in spelled]
    hit_lines = [number for number, line in enumerate(lines(text)) if any(holds(line, term) for term in spelled)]
    content = [hit for hit in results.hits if not hit.filename_only]
    assert bool(content) == bool(hit_lines)
    for hit in content:
        assert hit.total_hits == len(hit_lines)
        assert list(hit.hit_lines()) == hit_lines
        matched = matched_lines(hit)
        names = naming_lines(text.split("\n"))
        best = sorted(matched, key=lambda line: (-line.words, -line.whole, line.number < names, line.number))
        assert [(line.number, line.text) for line in hit.first_lines()] == [(line.number, line.text) for line in best[:3]]
        assert hit.body == naive_body(text, spelled)


@settings(max_examples=60, deadline=None)
@given(TEXT, st.lists(TERM, min_size=1, max_size=3), st.integers(4, 40))
def test_a_text_searched_in_pieces_gives_the_same(text: str, terms: list[str], span: int) -> None:
    query = " ".join(terms)
    whole = look_for([document(text)], query)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find, "SPAN_BYTES", span * 4)
        pieces = look_for([document(text)], query)
        assert pieces.terms == whole.terms
        assert [(hit.total_hits, hit.body) for hit in pieces.hits] == [(hit.total_hits, hit.body) for hit in whole.hits]


def test_a_text_of_nothing_but_continuation_bytes_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "SPAN_BYTES", 4)
    assert list(islice(find.spans(b"\x80" * 6), 3)) == [b"\x80" * 4, b"\x80" * 2] and not find.is_valid(b"\x80")


def test_the_fast_finder_answers_like_the_plain_one() -> None:
    texts = [b"", b"abc", b"xx\nabcabc", "記憶abc".encode()]
    plain = [[find.find(text, term, start) for term in (b"abc", b"c", b"zz")] for text in texts for start in (0, 1)]
    odd = [b"", b"a", b"\xff", b"a\xc3", "é".encode(), b"\xed\xa0\x80"]
    valid = [find.is_valid(text) for text in odd]
    assert valid == [True, True, False, False, True, False]
    find.use_fastest()
    assert [find.is_valid(text) for text in odd] == valid
    assert [[find.find(text, term, start) for term in (b"abc", b"c", b"zz")] for text in texts for start in (0, 1)] == plain


def test_a_search_stops_between_two_files_when_it_is_cancelled() -> None:
    seen = []

    def documents() -> Iterator[TextFile]:
        for name in ("a.md", "b.md", "c.md"):
            seen.append(name)
            yield document("word", name)

    try:
        look_for(documents(), "word", cancelled=lambda: len(seen) == 2)
    except search.Cancelled:
        assert seen == ["a.md", "b.md"]
    else:
        raise AssertionError("it went on")


def test_a_text_that_was_given_back_meanwhile_is_read() -> None:
    file = document("a b\n", "1.md")
    file.drop()
    (hit,) = look_for([file], "a").hits
    assert hit.body == "a b\n…" and file.text is None


def test_a_file_found_by_its_name_shows_its_first_lines_that_are_not_blank() -> None:
    assert look_for([document("\na\n \nb\nc\nd\n", "word.md")], "word").hits[0].body == "(filename match)\na\nb\nc"


def test_thousands_of_hits_are_ranked_as_a_few_are() -> None:
    many = [document("w\n" * (1 + number % 7), f"{number:05}.md") for number in range(5_000)]
    order = [(-hit.total_hits, hit.path) for hit in look_for(many, "w").hits]
    assert order == sorted(order) and len(order) == 5_000


def test_a_term_of_200000_characters_is_an_ordinary_term() -> None:
    term = "a" * 200_000
    assert look_for([document(f"x\n{term}b\n")], term).hits[0].total_hits == 1
    assert look_for([document("x")], term).hits == []


def test_a_query_that_is_not_valid_unicode_matches_nothing() -> None:
    assert look_for([document("a\ufffdb")], "\udcff").terms == [("\udcff", 0)]
