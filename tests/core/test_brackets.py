"""Which bracket belongs to another one."""

from __future__ import annotations

import pytest

from zsmem_tui.core.brackets import MOST_LOOKED_AT, matching_bracket


@pytest.mark.parametrize(
    ("text", "place", "other"),
    [
        ("a (b [c] d) e", (0, 2), (0, 10)),
        ("a (b [c] d) e", (0, 10), (0, 2)),
        ("a (b [c] d) e", (0, 5), (0, 7)),
        ("{\n\n  x: (1)\n}", (0, 0), (3, 0)),
        ("{\n\n  x: (1)\n}", (3, 0), (0, 0)),
        ("- a (b", (0, 4), None),
        ("1) a", (0, 1), None),
        ("([)]", (0, 0), None),
        ("words", (0, 2), None),
        ("()", (0, 2), None),
    ],
)
def test_brackets_belong_together_over_lines_and_in_either_direction(
    text: str, place: tuple[int, int], other: tuple[int, int] | None
) -> None:
    assert matching_bracket(text.split("\n"), place) == other


def test_only_near_brackets_are_looked_for() -> None:
    far = ["(", "x" * MOST_LOOKED_AT, ")"]
    assert matching_bracket(far, (0, 0)) is None and matching_bracket(far, (2, 0)) is None
