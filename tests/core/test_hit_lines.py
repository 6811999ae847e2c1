from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore, look_for
from zsmem_tui.core.search import SearchHit, best_line, matched_lines


def the_hit(tmp_path: Path, text: str, query: str) -> SearchHit:
    (hit,) = look_for(query, AStore(tmp_path).has("MEMORY.md", text).session()).hits
    return hit


@pytest.mark.parametrize(
    ("text", "query", "lines", "best"),
    [
        ("redis\nport\nx\nRedis PORT\r\nport redis\n", "redis port", [(0, 1), (1, 1), (3, 2), (4, 2)], 3),
        ("a\nb one\nb two\n", "b", [(1, 1), (2, 1)], 1),
        ("nothing\n", "memory", [], None),
    ],
)
def test_a_hit_opens_on_the_line_with_the_most_of_the_words(
    tmp_path: Path, text: str, query: str, lines: list[tuple[int, int]], best: int | None
) -> None:
    hit = the_hit(tmp_path, text, query)
    assert [(line.number, line.words) for line in matched_lines(hit)] == lines
    assert best_line(hit) == best
    assert [line.number for line in hit.first_lines()][:1] == [each for each in [best] if each is not None]
    assert [line.text for line in matched_lines(hit)] == [text.replace("\r", "").split("\n")[number] for number, _ in lines]


NAMED = "---\nname: redis\ndescription: port and why\n---\n# Redis\n\n- moved, as reported\n- redis listens on 6380\n- redis too\n"


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        (NAMED, "redis port", [7, 8, 1]),  # what the file says comes before what only names it
        (NAMED, "redis", [7, 8, 1]),
        (NAMED, "port", [2, 6]),  # a whole word there comes before a part of a word
        (NAMED, "why redis port", [2, 7, 8]),  # and more of the words before anything
        ("\ufeff" + NAMED, "redis", [7, 8, 1]),
        ("# Redis\nredis\n", "redis", [1, 0]),
        ("redis\n# Redis\nredis\n", "redis", [0, 1, 2]),  # only the first line is a name
        ("reported\nport\nports\nport\nport\nport\n", "port", [1, 3, 4]),
    ],
)
def test_the_lines_shown_are_those_that_say_most_about_the_words(tmp_path: Path, text: str, query: str, shown: list[int]) -> None:
    hit = the_hit(tmp_path, text, query)
    assert [line.number for line in hit.first_lines()] == shown
    assert best_line(hit) == shown[0]
