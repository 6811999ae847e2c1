from __future__ import annotations

import pytest

from zsmem_tui.core.suggest import did_you_mean, near

VERBS = ["search", "status", "start", "list", "history", "completion"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("serch", "search"),
        ("Search", "search"),
        ("hist", "history"),
        ("lsit", "list"),
        ("zzz", ""),
        ("", ""),
        ("s", ""),
        ("hi", "history"),
        ("st", "start"),
        ("SERACH", "search"),
    ],
)
def test_a_word_begun_or_mistyped_is_guessed_and_no_other(word: str, meant: str) -> None:
    assert near(word, VERBS) == meant


def test_the_question_is_there_only_where_something_is_near() -> None:
    assert did_you_mean("serch", VERBS) == " Did you mean 'search'?"
    assert did_you_mean("zzz", VERBS) == ""


def test_a_name_that_ends_in_the_word_is_nearer_than_one_that_begins_so() -> None:
    assert near("edit", ["editor.above", "file.edit", "editor.save"]) == "file.edit"
    assert near("edi", ["editor.above", "file.edit"]) == "editor.above"


def test_of_names_with_a_dot_the_last_part_counts_most() -> None:
    known = ["list.down", "file.delete", "editor.delete", "facts.delete"]
    assert near("memory.delete", known) == "file.delete"
    assert near("fcts.delete", known) == "facts.delete" and near("file.delte", known) == "file.delete"
