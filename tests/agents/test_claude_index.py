"""Claude Code's index: what its lines name, what is wrong with them, how they follow a topic."""

from __future__ import annotations

import pytest

from tests.agents.trees import MappingTree
from tests.layouts import where
from zsmem_tui.agents.claude_code import index
from zsmem_tui.agents.claude_code.layout import ClaudeCodeLayout
from zsmem_tui.agents.claude_code.topics import title_and_hook
from zsmem_tui.core.context import Moment
from zsmem_tui.core.notice import NoticeKind, sentence
from zsmem_tui.core.profile import Profile

HOME = "projects/-p/memory"


def told(raw: str | bytes, *topics: str) -> list[tuple[NoticeKind, int, str]]:
    found = index.findings(raw.encode() if isinstance(raw, str) else raw, topics, "MEMORY.md")
    return [(each.kind, each.line, each.text) for each in found]


def test_dead_double_and_unlisted_topics_are_told_by_line() -> None:
    raw = "\ufeff- [A](a.md) — hook\r\n* [Gone](gone.md)\r\n- [Again](a.md)\r\n- [Web](https://x.org)\r\n- a fact\r\n"
    found = index.findings(raw.encode(), ["a.md", "b c.md"], "MEMORY.md")
    assert [(each.kind, each.line, each.text) for each in found] == [
        (NoticeKind.DEAD_LINK, 2, "gone.md"),
        (NoticeKind.DOUBLE_LINK, 3, "a.md"),
        (NoticeKind.UNLISTED, 0, "b c.md"),
    ]
    assert [sentence(each) for each in found] == [
        "Line 2 of MEMORY.md leads to gone.md, which is not there.",
        "Line 3 of MEMORY.md leads to a.md, as line 1 does.",
        "No line of MEMORY.md leads to b c.md: the agent does not know that it is there.",
    ]


@pytest.mark.parametrize(
    "target",
    ["a b.md", "a%20b.md", "./a%20b.md", "<a b.md>", "a%20b.md#part", "x/../a%20b.md", 'a%20b.md "A title"', "<./a b.md>"],
)
def test_every_spelling_of_a_link_leads_to_its_topic(target: str) -> None:
    line = f"- [A]({target}) — hook\n"
    assert told(line, "a b.md") == []
    assert told(index.renamed(line.encode(), "a b.md", "new (1).md"), "new (1).md") == []
    assert index.removed(line.encode(), "a b.md") == b""
    assert index.added(line.encode(), "a b.md", "A") == line.encode()


def test_a_name_in_another_case_is_told_and_counts_as_the_same_line() -> None:
    raw = "- [A](User_Role.md)\n- [B](user_role.md)\n"
    assert told(raw, "user_role.md") == [(NoticeKind.LINK_CASE, 1, "user_role.md"), (NoticeKind.DOUBLE_LINK, 2, "user_role.md")]
    assert told(raw, "user_role.md", "User_Role.md") == []
    assert index.removed(raw.encode(), "user_role.md", ["user_role.md"]) == b""
    assert index.removed(raw.encode(), "user_role.md", ["user_role.md", "User_Role.md"]) == b"- [A](User_Role.md)\n"


@pytest.mark.parametrize(
    "raw",
    [
        "```\n- [A](gone.md)\n```\n",
        "````\n```\n- [A](gone.md)\n````\n",
        "~~~\n- [A](gone.md)\n",
        "- write `[A](gone.md)` so\n",
        "- \\[A](gone.md)\n",
        "- ![A](gone.md)\n",
        "- [A](#part)\n- [B](mailto:a@b.md)\n",
        "- [A](build.sh)\n",
    ],
)
def test_what_is_no_link_to_a_topic_is_not_judged(raw: str) -> None:
    assert told(raw) == [] and index.renamed(raw.encode(), "gone.md", "x.md") == raw.encode()


@pytest.mark.parametrize("target", ["../other/a.md", "/home/ann/a.md", "~/a.md", "C:/a.md", "x/../../a.md", "..%2Fa.md"])
def test_a_link_out_of_the_folder_is_told_and_never_changed(target: str) -> None:
    raw = f"- [A]({target})\n"
    assert [rule for rule, _, _ in told(raw, "a.md")] == [NoticeKind.AWAY_LINK, NoticeKind.UNLISTED]
    assert index.removed(raw.encode(), "a.md") == raw.encode() == index.renamed(raw.encode(), "a.md", "b.md")


def test_wiki_links_name_topics_by_file_or_by_what_they_call_themselves() -> None:
    raw = "- [[user-role]] — who\n- [[other|Words]]\n- [[nothing#part]]\n"
    assert told(raw, "user_role.md", "x.md") == [
        (NoticeKind.DEAD_LINK, 2, "other"),
        (NoticeKind.DEAD_LINK, 3, "nothing"),
        (NoticeKind.UNLISTED, 0, "x.md"),
    ]
    assert [each.line for each in index.findings(raw.encode(), ["user_role.md", "x.md"], "M", {"other": "x.md"})] == [3]
    assert index.renamed(raw.encode(), "user_role.md", "user_work.md").startswith(b"- [[user_work]] ")


def test_lines_past_the_cut_are_told_by_lines_and_by_bytes() -> None:
    many = "".join(f"- line {number}\n" for number in range(1, 203)) + "\n"
    (found,) = index.findings(many.encode(), [], "MEMORY.md")
    assert (found.kind, found.line, found.count) == (NoticeKind.LOST_LINES, 201, 2) and "past line 200" in sentence(found)
    (found,) = index.findings((b"- " + b"a" * 997 + b"\n") * 26, [], "MEMORY.md")
    assert (found.line, found.count) == (26, 1) and "25,000 bytes" in sentence(found)


def test_a_line_is_added_as_the_index_writes_them() -> None:
    raw = b"# Memory Index\r\n* [A](a.md) - hook"
    more = index.added(raw, "b c.md", "B [x]", "one\nline")
    assert more == raw + "\r\n* [B (x)](b%20c.md) — one line\r\n".encode()
    assert index.added(more, "b c.md", "B") == more
    assert (
        index.added(None, "a.md", "A") == b"# Memory Index\n\n- [A](a.md)\n" and index.added(b"", "a.md", "A") == b"- [A](a.md)\n"
    )
    long = index.added(b"", "a.md", "A", "word " * 60).decode()
    assert len(long) < 150 and long.endswith("word…\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [("- **Due (on Friday)**: ZKM", "**Due (on Friday)**: ZKM"), ("## - * Tea", "Tea"), ("*now*", "*now*"), ("#tag", "#tag")],
)
def test_the_words_of_a_topic_are_its_first_line_without_the_signs_before_it(line: str, words: str) -> None:
    assert title_and_hook("t.md", f"---\n\n{line}\n".encode())[1] == words


@pytest.mark.parametrize(("title", "hook"), [("`", "x ` y"), ("use `a", "`b` c"), ("``", "`` x"), ("`whole`", "`too`")])
@pytest.mark.parametrize("file", ["a.md", "a`b.md"])
def test_a_line_that_is_added_names_its_topic_whatever_code_the_words_hold(title: str, hook: str, file: str) -> None:
    once = index.added(None, file, title, hook)
    assert [link.file for link in index.links(once)] == [file] and index.added(once, file, title, hook) == once


def test_a_line_is_never_added_into_a_fence_that_is_not_closed() -> None:
    raw = b"- [A](a.md)\n```\n- x\n"
    assert index.added(raw, "b.md", "B") == b"- [A](a.md)\n- [B](b.md)\n```\n- x\n"
    assert index.added(b"\xef\xbb\xbf```\nx\n", "b.md", "B") == b"\xef\xbb\xbf- [B](b.md)\n```\nx\n"


def test_removing_takes_the_item_and_leaves_what_a_person_wrote_around_a_link() -> None:
    raw = b"\xef\xbb\xbf- [A](a.md) hook\r\n  goes on\r\n  - child\r\n- see [A \xff](a.md) too\r\n- [B](b.md)"
    assert index.removed(raw, "a.md") == b"\xef\xbb\xbf  - child\r\n- see A \xff too\r\n- [B](b.md)"


def a_layout(**files: str) -> tuple[ClaudeCodeLayout, MappingTree]:
    return ClaudeCodeLayout(where("/r")), MappingTree({f"{HOME}/{path}": text.encode() for path, text in files.items()})


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('{"autoMemoryEnabled": false}', "loads no memory"),
        ('{"autoMemoryDirectory": "~/notes"}', "loads the index in ~/notes"),
        ('{"autoMemoryDirectory": "/notes"}', "loads the index in /notes"),
        ('{"autoMemoryDirectory": "notes", "autoMemoryEnabled": true}', ""),
        ('{"autoMemoryDirectory": 5, "autoMemoryEnabled": "false"}', ""),
        ("[]", ""),
        ("{", ""),
    ],
)
def test_memory_that_the_settings_switch_off_or_move_is_not_in_the_prompt(settings: str, says: str) -> None:
    layout, tree = a_layout(**{"MEMORY.md": "- a fact\n"})
    tree.files |= {"settings.json": settings.encode(), "agent-memory/a/MEMORY.md": b"- its own\n"}
    found = layout.prompt(tree, Moment("project:-p", "", "", Profile.DOCUMENTED, 0))
    assert (found.text, says in found.rule) == (None if says else "- a fact\n", True)
    assert layout.prompt(tree, Moment("agent:a", "", "", Profile.DOCUMENTED, 0)).text == "- its own\n"


@pytest.mark.parametrize(("value", "is_off"), [("1", True), ("", False), ("0", False)])
def test_memory_that_the_environment_switches_off_is_not_in_the_prompt(value: str, is_off: bool) -> None:
    _, tree = a_layout(**{"MEMORY.md": "- a fact\n"})
    layout = ClaudeCodeLayout(where("/r")._replace(env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": value}))
    found = layout.prompt(tree, Moment("project:-p", "", "", Profile.DOCUMENTED, 0))
    assert (found.text is None, "loads no memory" in found.rule) == (is_off, is_off)


def test_a_topic_that_moves_takes_its_words_to_the_other_index() -> None:
    layout, tree = a_layout(**{"MEMORY.md": "- [Mine](a.md) - my words\n", "a.md": "x\n"})
    found = layout.lists.companions(tree, f"{HOME}/a.md", "projects/-q/memory/a.md", b"x\n")
    assert list(found) == [f"{HOME}/MEMORY.md", "projects/-q/memory/MEMORY.md"]
    assert [change(raw) for change, raw in zip(found.values(), [b"- [Mine](a.md) - my words\n", None], strict=True)] == [
        b"",
        "# Memory Index\n\n- [Mine](a.md) — my words\n".encode(),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Red tape\n\nFirst words.\n", "- [Red tape](project_x.md) — First words."),
        ('---\nname: x\ndescription: "a: b"\n---\nBody\n', "- [X](project_x.md) — a: b"),
        ("---\r\nname: x\r\n---\r\nBody\r\n", "- [X](project_x.md) — Body"),
        ("", "- [X](project_x.md)"),
    ],
)
def test_a_new_line_says_what_the_topic_says_of_itself(text: str, line: str) -> None:
    layout, tree = a_layout(**{"MEMORY.md": ""})
    (change,) = layout.lists.companions(tree, None, f"{HOME}/project_x.md", text.encode()).values()
    assert change(b"") == f"{line}\n".encode()


def test_only_topics_are_followed() -> None:
    layout, tree = a_layout(**{"MEMORY.md": ""})
    for path in (f"{HOME}/MEMORY.md", "CLAUDE.md", "rules/x.md", "projects/-p/x.jsonl"):
        assert layout.lists.companions(tree, None, path, b"") == {} == layout.lists.companions(tree, path, None, b"")


def test_a_group_is_judged_from_its_files() -> None:
    layout, tree = a_layout(**{"MEMORY.md": "- [[mine]]\n", "a.md": "---\nname: mine\n---\nx\n", "logs/2026-05-01.md": "x\n"})
    assert [each.text for each in layout.lists.findings(tree, "project:-p")] == ["logs/2026-05-01.md"]
    assert layout.lists.findings(tree, "project:-q") == layout.lists.findings(tree, "global") == []


def test_a_line_break_in_a_name_breaks_no_line() -> None:
    raw = index.added(b"- a\n", "a\nb\t.md", "A")
    assert raw == b"- a\n- [A](a%0Ab%09.md)\n"
    assert [link.file for link in index.links(raw)] == ["a\nb\t.md"]


FACTS = b"# I\n\n" + b"".join(b"- fact %d\n" % number for number in range(3, 251))


@pytest.mark.parametrize(
    ("raw", "free", "number"),
    [
        (FACTS, 0, 3),  # above the first fact, since no note is listed yet
        (FACTS, 40, 40),  # where a fact went
        (FACTS, 230, 3),  # that place is not loaded
        (FACTS.replace(b"fact 9\n", b"[A](a.md)\n").replace(b"fact 7\n", b"[B](b.md)\n"), 0, 10),  # below the last note
        (FACTS.replace(b"- fact 40\n", b"  - fact 40\n"), 40, 41),  # not between a fact and what belongs to it
        (FACTS.replace(b"- fact 40\n", b"\n  fact 40\n"), 40, 42),
        (FACTS.replace(b"- fact 40\n", b"| a | b |\n|---|---|\n| c | d |\n"), 42, 43),  # not into a table
        (FACTS.replace(b"- fact 3\n", b"```\n- x\n```\n"), 0, 6),  # not into code
        (FACTS.replace(b"- fact 3\n", b"words\nand more\n"), 0, 5),
        (b"```\n" + b"- x\n" * 300 + b"```\n", 0, 1),
        (b"# I\n\n" + b"words\n\n" * 150, 0, 200),  # there is no list
        (b"# I\n\n" + b"- \xc3\xa9" + b"x" * 1000 + b"\n- [A](a.md)\n" + b"- long fact\n" * 195 + b"y" * 24_000 + b"\n", 0, 5),
    ],
)
def test_a_line_that_would_not_be_loaded_at_the_end_goes_where_it_is(raw: bytes, free: int, number: int) -> None:
    after = index.added(raw, "new.md", "New", "", [], is_cut=True, free=free)
    lines = after.split(b"\n")
    assert lines.index(b"- [New](new.md)") + 1 == number
    del lines[number - 1]
    assert b"\n".join(lines) == raw and index.added(raw, "new.md", "New") == raw + b"- [New](new.md)\n"
    assert [link.file for link in index.links(after) if link.file == "new.md" and link.heads] == ["new.md"]


@pytest.mark.parametrize(
    "raw",
    [
        b"# I\n" + b"".join(b"- [A](a%d.md)\n" % number for number in range(220)),
        b"- fact\n" * 199 + b"- [A](a.md)\n",
        b"\xef\xbb\xbf" + b"x" * 30_000 + b"\n",
    ],
)
def test_a_line_that_would_push_out_that_of_another_note_stays_at_the_end(raw: bytes) -> None:
    assert index.added(raw, "new.md", "New", "", [], is_cut=True) == raw + b"- [New](new.md)\n"


def test_a_line_that_is_loaded_at_the_end_stays_there() -> None:
    raw = b"- [A](a.md)\n" + b"- fact\n" * 198
    assert index.added(raw, "new.md", "New", "", [], is_cut=True, free=4) == raw + b"- [New](new.md)\n"
