from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.agents.trees import MappingTree
from zsmem_tui.agents.format import Source
from zsmem_tui.agents.opencode import blocks, journal, writes
from zsmem_tui.agents.opencode.format import OpencodeFormat
from zsmem_tui.agents.opencode.journal import JournalEntry, Query, parsed
from zsmem_tui.agents.opencode.layout import OpencodeMemory
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role

NOW = datetime(2026, 11, 20, 10, 11, 12, 345000, UTC)
BLOCK = b"---\ndescription: about\nlabel: tools\nlimit: 30\nread_only: false\nowner: ann\n---\njust a value\n"


def rule_of(error: pytest.ExceptionInfo[RuleBroken]) -> str:
    return error.value.rule


def test_without_frontmatter_everything_is_the_value() -> None:
    for raw in (b"plain\n", b"---\r\nlabel: x\r\n---\r\nv\r\n", b"\xef\xbb\xbf---\nlabel: x\n---\nv", b"---\nlabel: x\n---"):
        assert blocks.parse("global", "a.md", raw).label == "a"


def test_what_frontmatter_says_is_in_the_prompt_but_for_keys_of_others() -> None:
    home = "/home/ann/.config/opencode/memory"
    raw = b"---\ndescription: >-\n  about\n  it\nowner: ann\n'label': tools\nlimit: 3\n---\n- a value over it\n"
    prompt = OpencodeMemory(MappingTree({f"{home}/a.md": raw}), home).prompt(NOW)
    assert {run.line for run in prompt.runs if run.path} == {0, 1, 2, 3, 5, 6, 7, 8}
    assert prompt.text == "".join(f"{run.text}{run.end}" for run in prompt.runs) and "<tools>" in prompt.text
    assert (prompt.cap, prompt.used, prompt.lost) == (0, len(prompt.text), ())
    raw = raw.replace(b">-\n  about\n  it", b"true")
    prompt = OpencodeMemory(MappingTree({f"{home}/a.md": raw}), home).prompt(NOW)
    assert {run.line for run in prompt.runs if run.path} == {0, 3, 4, 5, 6}


@pytest.mark.parametrize(
    "line",
    [
        "limit: -3",
        "label: 42",
        "read_only: yes",
        "description:",
        "label: ''",
        "limit: .inf",
        "- a",
        "description: 5",
        "description: [a]",
    ],
)
def test_a_wrong_type_hides_the_file_and_says_why(line: str) -> None:
    with pytest.raises(RuleBroken) as error:
        blocks.parse("global", "a.md", f"---\n{line}\n---\nv\n".encode())
    assert rule_of(error) == "frontmatter" and "a.md" in error.value.message


@pytest.mark.parametrize("kind", ["true", "2026-08-03", "{a: b}", "!!str", "|"])
def test_a_description_of_some_other_kinds_gives_way_to_the_agents_own(kind: str) -> None:
    block = blocks.parse("project", "project.md", f"---\ndescription: {kind}\nlimit: 7\n---\nv\n".encode())
    assert (block.description, block.is_described, block.limit, block.value) == ("{DESCRIPTION:project}", False, 7, "v")


def test_two_blocks_with_one_label_are_both_shown() -> None:
    home = "/home/ann/.config/opencode/memory"
    tree = MappingTree({f"{home}/a.md": b"---\nlabel: same\n---\n1\n", f"{home}/same.md": b"2\n", f"{home}/sub/x.md": b"3"})
    found = OpencodeMemory(tree, home).load()
    assert [block.value for block in found.blocks] == ["1", "2"] and found.ignored == [f"{home}/sub/x.md"]


def test_a_read_only_block_is_refused_with_its_rule() -> None:
    raw = BLOCK.replace(b"read_only: false", b"read_only: true")
    for write in (
        lambda: writes.set_block("project", "tools", "x", raw),
        lambda: writes.check_edit("project", "tools.md", raw, raw.replace(b"just", b"x")),
    ):
        with pytest.raises(RuleBroken) as error:
            write()
        assert rule_of(error) == "read_only" and "Nothing was written" in error.value.message
    writes.check_edit("project", "tools.md", raw, raw.replace(b"read_only: true", b"read_only: false"))


@pytest.mark.parametrize("label", ["a", "has.dot", "-lead", "café", "x" * 62, "../x", ""])
def test_a_label_that_the_tools_refuse_is_refused(label: str) -> None:
    with pytest.raises(RuleBroken) as error:
        writes.set_block("project", label, "x", None)
    assert rule_of(error) == "label"


def test_a_limit_counts_an_emoji_as_two_and_is_never_exceeded() -> None:
    assert writes.set_block("project", "tools", "😀" * 15, BLOCK)
    with pytest.raises(RuleBroken) as error:
        writes.set_block("project", "tools", "😀" * 15 + " ", BLOCK)
    assert rule_of(error) == "limit"
    grown = BLOCK.replace(b"just a value", b"just a value that has become longer")
    with pytest.raises(RuleBroken):
        writes.check_edit("project", "tools.md", BLOCK, grown)
    writes.check_edit("project", "tools.md", grown, grown.replace(b"longer", b"long"))  # over, but shorter than before


def test_a_set_keeps_description_and_limit() -> None:
    made = writes.set_block("project", "tools", "new", BLOCK)
    assert made == b"---\ndescription: about\nlabel: tools\nlimit: 30\nread_only: false\n---\nnew\n"


def test_the_agents_own_description_is_never_written_as_a_placeholder() -> None:
    assert b"description: ''\n" in writes.set_block("global", "human", "me", b"me\n")


def test_a_journal_entry_with_an_unquoted_time_is_passed_over() -> None:
    raw = b"---\ntitle: T\ncreated: 2026-08-03T09:45:12.118Z\n---\nb\n"
    with pytest.raises(RuleBroken):
        journal.parse("a.md", raw, NOW)


@pytest.mark.parametrize(
    "time",
    [
        *("never", "2026-13-01", "2026-08-03T25:00:00Z", " "),
        *("0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "Jan 1, 0100 BC", "31 Dec 9999 23:59 GMT-0500"),
    ],
)
def test_a_journal_entry_with_a_time_that_is_none_is_listed_as_invalid(time: str) -> None:
    folder = "/home/ann/.config/opencode"
    texts = {"a": "2026-08-03T09:45:12.118Z", "b": time}
    tree = MappingTree(
        {f"{folder}/journal/{name}.md": f"---\ntitle: T\ncreated: '{at}'\n---\nb\n".encode() for name, at in texts.items()}
    )
    found = OpencodeMemory(tree, f"{folder}/memory").journal_list(Query(), NOW)
    assert {each.id: each.created_as_listed for each in found.entries} == {"a": "2026-08-03T09:45:12.118Z", "b": "invalid"}


def test_an_entry_of_the_last_hour_of_the_calendar_is_imported() -> None:
    raw = b"---\ntitle: T\ncreated: '9999-12-31T23:59:59Z'\n---\nb\n"
    source = Source({"journal/a.md": raw}, local=timezone(timedelta(hours=8)))
    assert [each.role for each in OpencodeFormat("opencode", "opencode", "opencode").parse(source)] == [Role.LOG]


def test_what_is_written_into_the_journal_is_read_again() -> None:
    entry = JournalEntry("20261120-101112-345", "A: b # c", NOW, "body", project="/p", tags=("x y", "- z", "yes", "12:30"))
    assert journal.file_name(NOW) == "20261120-101112-345.md"
    assert journal.parse("20261120-101112-345.md", journal.written(entry).encode(), NOW) == entry


def test_a_listing_never_gives_more_than_fifty() -> None:
    entries = [JournalEntry(f"{number:03d}", "t", NOW, "b") for number in range(60)]
    found = journal.listing(entries, Query(limit=1000))
    assert len(found.entries) == 50 and found.total == 60 and found.entries[0].id == "059"


def test_labels_are_sorted_as_people_sort_them() -> None:
    labels = "b a B A a1 a-b a_b ab 1 10 2 _x -x é f eá éa øre oz zå zä æ az"
    found = [each.label for each in blocks.in_order(blocks.parse("global", f"{label}.md", b"v") for label in labels.split())]
    assert " ".join(found) == "_x -x 1 10 2 a A a_b a-b a1 ab az æ b B é eá éa f øre oz zå zä"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-08-03T09:45:12.1189Z", "2026-08-03T09:45:12.118000+00:00"),
        ("2026-08-03", "2026-08-03T00:00:00+00:00"),
        ("2026-08-03 24:00", "2026-08-04T00:00:00+00:00"),
        ("2026/8/3", "2026-08-03T00:00:00+00:00"),
        ("8/3/26 10:20", "2026-08-03T10:20:00+00:00"),
        ("2026-08-03 09:45:12 +02:00", "2026-08-03T09:45:12+02:00"),
        ("3 Aug 2026", "2026-08-03T00:00:00+00:00"),
        ("August 3, 1999 12:05 AM", "1999-08-03T00:05:00+00:00"),
        ("Mon, 03 Aug 2026 09:45:12 GMT", "2026-08-03T09:45:12+00:00"),
        ("Mon Aug 03 2026 09:45:12 GMT+0200 (CEST)", "2026-08-03T09:45:12+02:00"),
        ("Aug 2026", "2026-08-01T00:00:00+00:00"),
        ("2026-13-03", None),
        ("13/13/2026", None),
        ("3 2026", None),
        ("Aug 3, 2026 25:00", None),
        ("soon", None),
        ("1 Jan 2020 10:00 +9999", None),
        ("1 Jan 2020 " + "9" * 5000, None),
        ("", None),
    ],
)
def test_times_are_read_as_javascript_reads_them(text: str, iso: str | None) -> None:
    found = parsed(text)
    assert (found and found.isoformat()) == iso
