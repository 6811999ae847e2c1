"""One memory taken into another."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from zsmem_tui.core.merge import split
from zsmem_tui.core.project_merge import (
    Home,
    homes_of,
    merged_lines,
    merged_log,
    moved_path,
    relation,
    sources_of,
    without_unseen,
)

LINES = st.lists(
    st.sampled_from(
        ["- [ ] a", "- [x] a", "- [ ] b c", "  - [ ] d", "# One", "## Two", "", "words", "```", "### 09:10 — x", "text"]
    ),
    max_size=12,
).map(lambda lines: "".join(f"{line}\n" for line in lines).encode())


def test_a_checklist_keeps_its_text_and_gets_the_lines_it_lacks_under_their_headings() -> None:
    mine = b"# Now\n- [ ] one\n\n# Later\n- [x] two"
    theirs = b"- [ ] zero\n# Now\n- [x] one\n- [ ] three\n# Ideas\n- [ ] four\n- [ ] two\n"
    assert merged_lines(mine, theirs) == (
        b"# Now\n- [ ] one\n\n# Later\n- [x] two\n- [ ] zero\n\n# Now\n- [ ] three\n\n# Ideas\n- [ ] four\n"
    )
    assert merged_lines(b"# Now\r\n- a\r\n", b"# Alone\n\n## Deep\n- b\n# End\n") == (
        b"# Now\r\n- a\r\n\r\n# Alone\r\n\r\n## Deep\r\n- b\r\n\r\n# End\r\n"
    )
    assert merged_lines(b"- a\n", b"- a\r\n- b\r\n") == b"- a\n- b\n"


def test_a_log_has_the_entries_of_both_in_the_order_of_their_times() -> None:
    mine = b"\n### 09:00 \xe2\x80\x94 a\nfirst\n\n### 12:00 \xe2\x80\x94 c\nthird"
    theirs = b"\n### 10:30 \xe2\x80\x94 b\nsecond\n\n### 12:00 \xe2\x80\x94 c\nthird\n"
    assert merged_log(mine, theirs) == (
        b"\n### 09:00 \xe2\x80\x94 a\nfirst\n\n### 10:30 \xe2\x80\x94 b\nsecond\n\n### 12:00 \xe2\x80\x94 c\nthird\n"
    )
    fenced = b"\n### 11:00 d\n```\n### 08:00 e\n```\n"
    assert merged_log(b"\n### 09:00 a\nfirst\n", fenced) == b"\n### 09:00 a\nfirst\n" + fenced
    assert merged_log(b"### 09:00 z\nfirst\n", b"### 09:00 a\nsecond\n") == b"### 09:00 z\nfirst\n### 09:00 a\nsecond\n"


@given(LINES, LINES)
@example(b"```\n- [ ] a\n", b"```\n### 09:10 \xe2\x80\x94 x\n```\n")
def test_doing_it_twice_adds_nothing_and_nothing_said_is_lost(mine: bytes, theirs: bytes) -> None:
    for merged in (merged_lines, merged_log):
        once = merged(mine, theirs)
        assert once is not None
        assert merged(once, theirs) == once
        said = {line.split(b"] ")[-1].strip() for line in split(once)}
        assert {line.split(b"] ")[-1].strip() for line in (*split(mine), *split(theirs)) if not line.startswith(b"#")} <= said | {
            b""
        }
    assert merged_lines(mine, b"") == mine == merged_log(mine, b"")


def test_what_is_no_text_is_not_made_one() -> None:
    assert merged_lines(b"\xff", b"- [ ] a") is None and merged_log(b"a", b"\xff") is None


def test_where_a_step_went_is_read_from_what_the_history_keeps() -> None:
    homes = [Home("projects/a", "projects/b"), Home('projects/"odd" name', "projects/c")]
    assert homes_of(relation(homes)) == homes and homes_of("undoes x") == homes_of("moves [1]") == []
    assert moved_path(homes, "projects/a/notes/n.md") == "projects/b/notes/n.md"
    assert moved_path(homes, "projects/ab/n.md") == ""
    pairs = {"projects/a/x.md": ("1", ""), "projects/b/x.md": ("2", "3"), "projects/a/y.md": ("4", "")}
    assert sources_of(homes, pairs) == {"projects/b/x.md": ["projects/a/x.md"]}


def test_lines_that_nobody_has_seen_are_taken_out_once_each() -> None:
    assert without_unseen(b"a\nx\nb\nx\n", b"a\nx\n", b"a\n") == b"a\nb\nx\n"
    assert without_unseen(b"a\nb\n", b"a\n", b"a\nold\n") == b"a\nb\n"
