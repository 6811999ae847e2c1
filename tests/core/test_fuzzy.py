from __future__ import annotations

import time

import pytest

from zsmem_tui.core.fuzzy import best, marks, named
from zsmem_tui.core.search import Cancelled

FILES = [
    ("plan.md", "harbor"),
    ("redis-port.md", "lantern"),
    ("notes-on-redis.md", "kite"),
    ("predistort.md", "kite"),
    ("release.md", "redisco"),
    ("检索.md", "kite"),
]
NAMES = [named(*each) for each in FILES]


def fitting(query: str, limit: int = 10) -> list[str]:
    return [FILES[at][0] for at in best(query, NAMES, limit)[0]]


def test_the_start_of_a_name_comes_before_a_word_in_it_and_that_before_the_middle_and_the_project() -> None:
    assert fitting("redis") == ["redis-port.md", "notes-on-redis.md", "predistort.md", "release.md"]


def test_a_word_that_begins_so_counts_wherever_it_stands_in_a_name() -> None:
    names = [named(name) for name in ("a-supports.md", "a-transport-port.md", "a-port.md")]
    assert best("port", names, 9)[0] == [1, 2, 0]


def test_every_word_must_be_there_in_any_order_and_the_project_counts() -> None:
    assert fitting("kite redis") == ["notes-on-redis.md", "predistort.md"]
    assert fitting("kite plan") == []


@pytest.mark.parametrize("query", ["rdprt", "RDPRT", "rdprt lantern", "rdprt lntrn"])
def test_letters_in_their_order_are_enough(query: str) -> None:
    assert fitting(query) == ["redis-port.md"]


def test_letters_are_not_gathered_from_several_words_of_what_else_is_known() -> None:
    assert best("theme", [named("Undo", "the last step made here"), named("Light", "the light theme")], 9) == ([1], 1)


def test_nothing_typed_is_everything_in_its_order() -> None:
    assert best("  ", NAMES, 2) == ([0, 1], len(NAMES))


def test_signs_that_mean_something_to_patterns_are_letters() -> None:
    names = [named("a^b]c\\d-e.md"), named("abcde.md")]
    assert best("^]\\-", names, 5) == ([0], 1)


def test_other_scripts_are_found_and_marked() -> None:
    assert fitting("索") == ["检索.md"]
    assert marks("索", "检索.md") == [(1, 2)]


def test_what_is_marked_is_what_was_found() -> None:
    assert marks("rp", "redis-port.md") == [(0, 1), (6, 7)]
    assert marks("port nothing", "redis-port.md") == [(6, 10)]


def test_a_search_that_is_out_of_date_ends() -> None:
    with pytest.raises(Cancelled):
        best("redis", NAMES, 5, cancelled=lambda: True)


def test_a_name_of_one_letter_again_and_again_is_looked_at_once() -> None:
    began = time.process_time()
    best("a" * 30 + "b", [named("a" * 5_000)] * 20, 5)
    assert time.process_time() - began < 2


def test_the_name_itself_comes_first_and_letters_in_order_fill_up_what_is_asked_for() -> None:
    assert best("note", [named("notebook"), named("note")], 9) == ([1, 0], 2)
    assert best("ab", [named("axb"), named("ab")], 9) == ([1, 0], 2)
    assert best("ab", [named("axb"), named("ab")], 1) == ([1], 1)
    assert best("port", [named("x", "port of call"), named("transport")], 9) == ([1, 0], 2)
    assert best("abc", [named("axxbc"), named("axbc")], 9) == ([1, 0], 2)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("rdprt", "redis-port.md"),
        ("nst", "notes step"),
        ("1123", "2026-11-23.md"),
        ("sch", "search"),
        ("检引", "检查索引"),
        ("plnmd", "plan.md"),
        ("archtecture", "the architecture"),
        ("rchitecure", "architecture"),
    ],
)
def test_letters_from_the_beginnings_of_words_find_a_name_and_so_does_a_word_that_misses_one(query: str, name: str) -> None:
    assert best(query, [named(name)], 9)[0] == [0]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("prt", "spreadsheet"),
        ("eot", "the report"),
        ("theme", "to heap remnants"),
        ("undo", "run the next idea over"),
        ("sh", "slow and rather much"),
    ],
)
def test_letters_that_lie_scattered_inside_words_are_no_match(query: str, name: str) -> None:
    assert best(query, [named(name)], 9) == ([], 0)
    assert best(query, [named("x", name)], 9) == ([], 0)


def test_beside_a_name_that_has_the_word_whole_others_need_nearly_all_of_its_letters_in_a_row() -> None:
    names = [named("undo"), named("union and zero"), named("undzo"), named("x", "unravel dough")]
    assert best("undo", names, 9) == ([0, 2], 2)
    assert best("undo", names[1:], 9)[0] == [1]


def test_one_or_two_letters_inside_a_word_of_what_else_is_known_say_nothing() -> None:
    names = [named("one", "a report"), named("two", "port of call"), named("three rt")]
    assert best("po", names, 9) == ([1], 1)
    assert best("port", names, 9)[0] == [1, 0]


def test_the_inside_of_words_of_a_sentence_counts_only_where_nothing_fits_better() -> None:
    names = [named("archive", "put it away"), named("wider", "search wider"), named("rest", "an arch")]
    assert best("arch", names, 9, sentences=True) == ([0, 2], 2)
    assert best("earch", names, 9, sentences=True) == ([1], 1)
    assert best("arch", names, 9) == ([0, 2, 1], 3)
