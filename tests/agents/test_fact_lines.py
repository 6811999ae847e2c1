from __future__ import annotations

import pytest

from zsmem_tui.agents.fact_lines import only_facts, taken_apart


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("- a\n* b\n+ c", ["a", "b", "c"]),
        ("one line\n\nanother", ["one line", "another"]),
        ("one line\nof two", None),
        ("- a\n  more", None),
        ("- a\n  - nested", None),
        ("- a\n  ```\n  x\n  ```", None),
        ("1. first\n2. second", None),
        ("# Heading\n- a", None),
        ("| a | b |", None),
        ("> quoted", None),
        ("---", None),
        ("<!-- comment -->", None),
        ("- [ ] open", ["[ ] open"]),
        ("", None),
    ],
)
def test_a_text_is_facts_only_where_every_line_is_one(text: str, facts: list[str] | None) -> None:
    found = only_facts(text)
    assert (None if found is None else [each.text for each in found]) == facts


def test_what_belongs_together_stays_and_a_longer_fence_is_needed_to_end_code() -> None:
    found = taken_apart("# H\n- a\n\n````\n- x\n```\n- y\n````\n- b\n  c\n- d\n")
    assert [(each.line, each.text) for each in found.facts] == [(2, "a"), (11, "d")]
    assert found.rest == "# H\n\n````\n- x\n```\n- y\n````\n- b\n  c\n" and found.has_rest
    assert not taken_apart("# only\n\n## headings\n- a\n").has_rest
