"""Which lines of a text are told to be missing from what was made of it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.left_lines import left_lines


def told(text: str, *made: str, own: dict[int, str] | None = None) -> dict[int, str]:
    """By line: whether its words go, go without signs, or are gone."""
    found = left_lines("a.md", text, made, own or {})
    return {each.number: "signs" if each.loses_signs else "words" if each.is_changed else "gone" for each in found}


@pytest.mark.parametrize(
    ("line", "made", "state"),
    [
        ("- one", "- one", ""),
        ("one", "- one", ""),
        ("* one", "- one", "words"),
        ("### Pipeline", "- the pipeline of Pipeline days", "gone"),
        ("### Pipeline", "## Pipeline", "words"),
        ("**How to apply:**", "- use it; apply: always", "gone"),
        ("description: >-", "description: other", "gone"),
        ("description: >-", "description:", "words"),
        ("- see [it](it.md)", "- see [it]", "words"),
        ("- use `uv`", "- use uv", "words"),
        ("- a >= 5", "- a = 5", "signs"),
        ("- a >= 5", "* a >= 5", "words"),
        ("- run `x --to <id>`", "- run x --to id", "signs"),
        ("Use Map<String, int> where a > b.", "- Use MapString, int where a b.", "signs"),
        ("> quoted", "quoted", "words"),
        ("---", "***", "gone"),
    ],
)
def test_a_line_goes_along_if_its_words_are_a_whole_line(line: str, made: str, state: str) -> None:
    assert told(line, made) == ({1: state} if state else {})


def test_lines_that_together_make_one_line_go_along() -> None:
    text = "---\ndescription: >-\n  about it\n---\nThe fact.\n\n**Why:** so.\n**How to apply:** thus\n"
    gone, kept = dict.fromkeys(range(1, 5), "gone"), dict.fromkeys((5, 7, 8), "words")
    assert told(text, "The fact; why: so; apply: thus") == gone | kept
    assert told("- one\n  two\n- three\n", "- one two\n") == {1: "words", 2: "words", 3: "gone"}
    assert told("- one\n  a > b\n", "- one a b\n") == {1: "words", 2: "signs"}


def test_what_was_made_of_one_fact_holds_the_words_of_its_lines_alone() -> None:
    made = "- Open task: one"
    assert told("- [ ] one\n- [ ] one\n", own={1: made}) == {1: "words", 2: "gone"}
    assert told("- [ ] one\n  more\n", own={1: f"{made} more"}) == {1: "words", 2: "words"}
