"""What a text can hold is told from its own words, and nothing that it does hold is left out."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zsmem_tui.core.checks import scan

SOUGHT = ("ab", "abc", " ab ", "b a", "not see", "the ab", "鍵", "気づか", "](", "b\u00a0")
PIECES = st.sampled_from(["a", "b", "c", " ", "\n", "not", "see", "the", "鍵", "気づか", "](", "\u00a0", "x" * 49])


@pytest.fixture(autouse=True)
def own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_by_part", "_by_start", "_of_word"):
        monkeypatch.setattr(scan, name, {})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40).map("".join))
def test_all_that_a_text_holds_is_found(text: str) -> None:
    group = scan.words(SOUGHT)
    there = {word for word in SOUGHT if word in text}
    assert {word for _, word in scan.found(text, group)} == there == {word for _, word in scan.found(text, group)}


def test_words_are_found_where_they_stand_whatever_else_is_looked_for() -> None:
    group = scan.words(("lamp", "lamplight", "灯"))
    assert scan.found("a lamplight 灯 lamp", group) == [(2, "lamp"), (2, "lamplight"), (12, "灯"), (14, "lamp")]


def test_keywords_that_come_while_another_thread_searches_stop_no_search_and_are_found() -> None:
    """A rule that is loaded late brings its own: nothing may be kept of what was looked up without them."""
    groups, over, problems = list[frozenset[str]](), threading.Event(), list[RuntimeError]()

    def search() -> None:
        try:
            while not over.is_set():
                for number in range(60):
                    scan.found(f"see qz{number}", frozenset())
        except RuntimeError as error:
            problems.append(error)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    searcher = threading.Thread(target=search)
    searcher.start()
    for number in range(60):
        groups.append(scan.words((f"qz{number}",)))
        time.sleep(0.0005)
    over.set()
    searcher.join()
    sys.setswitchinterval(usual)
    assert not problems
    assert all(scan.found(f"see qz{number}", group) for number, group in enumerate(groups))
