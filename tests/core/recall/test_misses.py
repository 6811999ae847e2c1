"""What searches that missed teach."""

from __future__ import annotations

from typing import Any

import pytest

from zsmem_tui.core.recall.misses import alias_of, made_up_for, missed_searches, share_of_misses, too_common

NOTE = "notes/redis.md"


def search(t: float, query: str, *hits: str, client: str = "claude-code") -> dict[str, Any]:
    return {"t": t, "client": client, "op": "search", "query": query, "hits": list(hits)}


def read(t: float, path: str = NOTE, client: str = "claude-code") -> dict[str, Any]:
    return {"t": t, "client": client, "op": "read", "path": path}


def test_a_search_without_a_hit_that_another_one_made_up_for_names_what_was_read() -> None:
    events = [search(0, "in-memory store"), search(20, "redis cache", "notes/x.md", NOTE), read(25, "notes/other.md"), read(30)]
    assert missed_searches(events) == [{"path": NOTE, "aliases": ["in-memory store"]}]


def test_so_does_one_whose_hits_nobody_read() -> None:
    events = [search(0, "hot keys", "notes/keys.md"), search(20, "redis", NOTE), read(30)]
    assert missed_searches(events) == [{"path": NOTE, "aliases": ["hot keys"]}]


@pytest.mark.parametrize(("asked", "opened", "taught"), [(360, 600, True), (361, 600, False), (360, 601, False)])
def test_short_words_that_begin_alike_are_others_and_a_search_is_made_up_for_in_time(asked: int, opened: int, taught: bool) -> None:
    events = [search(0, "house"), search(asked, "houskeeper", NOTE), read(opened)]
    assert missed_searches(events) == ([{"path": NOTE, "aliases": ["house"]}] if taught else [])


def test_several_misses_before_the_hit_all_count_once_each() -> None:
    events = [search(0, "disaster"), search(9, "continuity"), search(20, "disaster"), search(30, "snapshot", NOTE), read(40)]
    assert missed_searches(events) == [{"path": NOTE, "aliases": ["disaster", "continuity"]}]


def test_of_many_questions_in_a_row_only_the_last_two_were_about_what_was_found() -> None:
    events = [
        *(search(at, query) for at, query in enumerate(("kennel", "lease", "lease", "quota"))),
        search(20, "snapshot", NOTE),
        read(30),
    ]
    assert missed_searches(events) == [{"path": NOTE, "aliases": ["lease", "quota"]}]


@pytest.mark.parametrize(
    "events",
    [
        [search(0, "caching"), search(20, "caches", NOTE), read(30)],
        [search(0, "bounceback"), search(20, "bounces", NOTE), read(30)],
        [search(0, "bounce"), search(20, "bouncyhouse", NOTE), read(30)],
        [search(0, "databse"), search(20, "database copies", NOTE), read(30)],
        [search(0, "store"), search(20, "redis", NOTE)],
        [search(0, "store"), search(20, "redis", NOTE), read(30, "notes/other.md")],
        [search(0, "store"), search(590, "redis", NOTE), read(601)],
        [search(0, "store"), search(20, "redis", NOTE, client="codex"), read(30, client="codex")],
        [search(0, "store", "notes/a.md"), read(5, "notes/a.md"), search(20, "redis", NOTE), read(30)],
        [search(0, "redis", NOTE), read(10)],
        [read(10)],
        [],
        [search(0, "?!"), search(20, "redis", NOTE), read(30)],
        [search(0, "word " * 50), search(20, "redis", NOTE), read(30)],
    ],
    ids=[
        *(
            "a form of a word",
            "the same beginning",
            "the same beginning of six letters",
            "a letter wrong",
            "nothing read",
            "another file read",
            "too late",
            "another client",
            "it was read",
        ),
        *("found at once", "no search", "nothing", "only signs", "a text"),
    ],
)
def test_these_teach_nothing(events: list[dict[str, Any]]) -> None:
    assert missed_searches(events) == []


def test_events_need_not_be_in_order_and_clients_do_not_mix() -> None:
    events = [read(30), search(20, "redis", NOTE), search(0, "store"), search(10, "kennel", client="codex")]
    (miss,) = made_up_for(events)
    assert (miss.query, miss.client, miss.at, miss.path, miss.instead) == ("store", "claude-code", 0, NOTE, "redis")


@pytest.mark.parametrize(("query", "alias"), [("a, b", "a b"), ("x\ny", "x y"), ("[link]", "link"), ("\x1b[1m", "1m"), ("  ", "")])
def test_an_alias_has_no_sign_that_would_end_it(query: str, alias: str) -> None:
    assert alias_of(query) == alias


def test_words_that_each_lead_to_more_than_a_fifth_of_all_notes_are_too_common() -> None:
    assert too_common([3, 2], 9)
    assert not too_common([3, 2], 10)
    assert not too_common([9, 0], 9)


def test_the_share_of_misses_counts_searches_without_a_hit_and_those_made_up_for() -> None:
    events = [
        search(0, "kennel"),
        search(5, "hot keys", "notes/x.md"),
        search(20, "redis", NOTE),
        read(30),
        search(60, "redis", NOTE),
    ]
    assert share_of_misses(events, made_up_for(events)) == (4, 2)
