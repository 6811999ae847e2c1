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
