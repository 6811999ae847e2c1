"""A search that takes long says what it has by then, the project worked in first."""

from __future__ import annotations

import itertools
from pathlib import Path

from tests.builders import PROJECT, AStore
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.search import SearchResults
from zsmem_tui.service.searching import Query, Scope, Sought, give_back, search
from zsmem_tui.service.stores import open_store

OTHERS = ("aaa-00000001", "zzz-00000002")


def a_store(home: Path) -> AStore:
    store = AStore(home).has("~/notes/own.md", "tea\n")
    for slug in OTHERS:
        store.has(f"projects/{slug}/notes/other.md", "tea\ntea\n")
    return store


def test_a_long_search_tells_what_it_has_and_the_own_project_first(tmp_path: Path) -> None:
    session = a_store(tmp_path).session()
    told: list[SearchResults] = []
    seconds = itertools.count(0.0, 0.2)
    query = Query("tea", (Sought(session),), Scope.ALL)
    whole = search(query, so_far=told.append, now=lambda: next(seconds))
    assert [hit.ref.project for hit in told[0].hits] == [PROJECT]
    assert [len(each.hits) for each in told] == sorted({len(each.hits) for each in told})
    assert [(hit.ref.project, hit.total_hits) for hit in whole.hits] == [(OTHERS[0], 2), (OTHERS[1], 2), (PROJECT, 1)]
    assert whole.terms == [("tea", 5)]


def test_a_short_search_answers_once(tmp_path: Path) -> None:
    told: list[SearchResults] = []
    query = Query("tea", (Sought(a_store(tmp_path).session()),), Scope.ALL)
    assert search(query, so_far=told.append, now=lambda: 0.0).hits
    assert not told


def test_beyond_the_bound_people_set_the_same_is_found(tmp_path: Path) -> None:
    bounded = a_store(tmp_path).session(search_memory=0)
    found = search(Query("tea", (Sought(bounded),), Scope.ALL))
    assert [hit.body for hit in found.hits] == ["tea\ntea\n…", "tea\ntea\n…", "tea\n…"]
    assert bounded.texts.held_bytes == 0
    give_back(bounded)


def test_the_scopes_go_round_without_a_step_that_searches_nothing_more() -> None:
    def round_of(layout: Layout, *, several: bool) -> list[Scope]:
        seen = [Scope.AGENT]
        while (wider := seen[-1].wider(layout, several=several)) is not Scope.AGENT:
            seen.append(wider)
        return seen

    assert round_of(DEFAULT, several=True) == list(Scope)
    assert round_of(DEFAULT, several=False) == [Scope.AGENT, Scope.PROJECT, Scope.ALL]
    claude = open_store(Config(), "claude-code", cwd="/srv/code").layout
    assert round_of(claude, several=True) == [Scope.AGENT, Scope.FOLDER, Scope.ALL]
    assert round_of(claude, several=False) == [Scope.AGENT, Scope.ALL]
    assert Scope.PROJECT.wider(claude) is Scope.ALL, "it was chosen for another memory"
