from __future__ import annotations

import pytest

from zsmem_tui.agents.oh_my_pi import files, lessons, prompt
from zsmem_tui.agents.oh_my_pi.lessons import Lesson
from zsmem_tui.core.context import Shown
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines


@pytest.mark.parametrize(
    ("text", "by_old", "by_new"),
    [
        ("token_bucket_limiter", True, False),
        ("keyboard-shortcuts-cheatsheet", True, False),
        ("monkey-patching-tests", True, False),
        ("monkey_business_0123456789abcdef", True, True),
        ("sk-1a2b3c4d5e6f", True, True),
        ("plain words", False, False),
    ],
)
def test_words_that_the_redaction_hits_can_be_told_before(text: str, by_old: bool, by_new: bool) -> None:
    assert bool(lessons.warnings(text)) is by_new
    assert (lessons.redacted(text, before_18_2_3=True) != text) is by_old


def test_an_empty_summary_counts_as_absent() -> None:
    assert prompt.prompt(" \n", "").text is None
    assert prompt.prompt("\ufeff\n", "- x").text == "{GUIDANCE}\n{LEARNED_HEAD}\n- x"


def test_a_long_summary_leaves_no_lessons_and_they_are_named() -> None:
    found = prompt.prompt("x" * 39, "# Head\n\n- lesson\n", limit=10)
    assert "LEARNED_HEAD" not in (found.text or "")
    assert [(each.path, each.line) for each in found.lost] == [("learned.md", 1), ("learned.md", 3)]


def test_what_is_cut_out_of_the_middle_is_named_by_its_lines() -> None:
    text = "".join(f"- fact {number}\n" for number in range(20))
    found = prompt.prompt(text, "", limit=20)
    shown = found.text or ""
    lost = {each.line - 1 for each in found.lost}
    assert all((f"- fact {number}\n" in f"{shown}\n") is (number not in lost) for number in range(20))
    assert found.used > found.cap == 80


def test_a_context_that_changes_makes_a_second_lesson() -> None:
    raw = lessons.learned(lessons.learned(None, Lesson("a", "one")), Lesson("a", "two"))
    assert raw == b"- a _(context: two)_\n- a _(context: one)_\n"


def test_the_same_lesson_with_a_carriage_return_is_found_again() -> None:
    assert lessons.learned(b"- a\r\n- b\r\n", Lesson("a")) == b"- a\n- b\r\n"


def test_the_lowest_of_more_than_a_hundred_lessons_goes() -> None:
    raw = "".join(f"- l{number}\n" for number in range(100)).encode()
    assert lessons.learned(raw, Lesson("new")) == b"- new\n" + raw.removesuffix(b"- l99\n")
    assert lessons.learned(raw, Lesson("l99")) == b"- l99\n" + raw.removesuffix(b"- l99\n")


def test_a_lesson_of_nothing_is_not_stored() -> None:
    assert lessons.learned(b"- a\n", Lesson(" \n`<>` ")) is None


def test_half_an_emoji_is_never_stored() -> None:
    assert lessons.normal("x" * 1999 + "😀", 2000) == "x" * 1999


@pytest.mark.parametrize("name", ["Work", "a.", "con", "nul.x", "", "default", "x" * 65, "a b"])
def test_a_bad_profile_name_means_none_and_the_other_variable_is_not_asked(name: str) -> None:
    assert files.profile({"OMP_PROFILE": name, "PI_PROFILE": "work"}) == ""


@pytest.mark.parametrize(
    ("env", "root"),
    [
        ({"PI_CODING_AGENT_DIR": "~/x"}, "/work/~/x/memories"),
        ({"PI_CODING_AGENT_DIR": "x/../y/"}, "/work/y/memories"),
        ({"PI_CODING_AGENT_DIR": "/abs"}, "/abs/memories"),
        ({"XDG_STATE_HOME": "state"}, "/work/state/omp/memories"),
        ({"PI_CODING_AGENT_DIR": "x", "OMP_PROFILE": "work", "XDG_STATE_HOME": "s"}, "/work/s/omp/profiles/work/memories"),
        ({"PI_CONFIG_DIR": "/abs", "XDG_STATE_HOME": ""}, "/home/ann/abs/agent/memories"),
    ],
)
def test_a_relative_folder_in_a_setting_is_taken_from_the_folder_worked_in(env: dict[str, str], root: str) -> None:
    assert files.root(env, "/home/ann", lambda _: True, "/work") == root


@pytest.mark.parametrize(
    ("summary", "learned", "end"),
    [("```\ncode", "- a\n", "- a"), ("```\ncode\n", "", "code"), ("~~~", "- a\n\n- b\n\n", "- a\n\n- b"), ("```", "", "```")],
)
def test_a_prompt_ends_in_no_line_break_also_in_an_open_fence(summary: str, learned: str, end: str) -> None:
    made = prompt.prompt(summary, learned)
    assert made.text is not None and made.text.endswith(f"\n{end}")
    assert "".join(f"{run.text}{run.end}" for run in made.runs) == made.text


@pytest.mark.parametrize(
    "path",
    [
        "agent.db",
        "mnemopi/x.db",
        "sharpshooter/b/style.md",
        "--p--/.learned.tmp",
        "--p--/skills/x/scripts/bump.sh",
        "--p--/other.md",
    ],
)
def test_what_is_no_memory_is_none(path: str) -> None:
    assert files.place(path) is None


def test_only_lessons_may_be_written() -> None:
    assert files.new_path(Role.FACTS, "folder:--p--") == "--p--/learned.md"
    assert [files.new_path(role, "folder:--p--") for role in (Role.NOTE, Role.LOG, Role.CHECKLIST, Role.INDEX)] == [None] * 4


def test_tables_are_tightened_outside_fences_only() -> None:
    lines = raw_lines("| a |  b |\n|:-- | --:|\n```\n| a | b |\n\n\n```\nx\n\n\ny\n\n</end>\n")
    tidied = "\n".join(run.text for run in prompt.tidied(map(Shown, lines)))
    assert tidied == "|a|b|\n|:---|---:|\n```\n| a | b |\n\n\n```\nx\ny\n</end>"
