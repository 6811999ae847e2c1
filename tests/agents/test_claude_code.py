from __future__ import annotations

import pytest

from zsmem_tui.agents.claude_code import files, prompt
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.agents.claude_code.topics import TopicDress, frontmatter, is_too_long
from zsmem_tui.core.frontmatter import Carried
from zsmem_tui.core.refs import Role

NAMED, TYPED = 'name: "project-x"\ndescription: "what"\n', "metadata:\n  node_type: memory\n  type: project\n"


def test_the_index_ends_after_two_hundred_lines() -> None:
    raw = b"".join(b"- line %d\n" % number for number in range(1, 251))
    found = prompt.prompt(raw)
    assert prompt.first_lost_line(raw) == 201 and (found.text or "").endswith("- line 200\n")
    assert [each.line for each in found.lost] == list(range(201, 251)) and (found.used, found.cap, found.unit) == (
        250,
        200,
        "lines",
    )
    assert prompt.first_lost_line(b"x\n" * 200) is None and prompt.first_lost_line(b"x\n" * 199 + b"x") is None


def test_the_index_ends_before_the_line_that_passes_the_bytes() -> None:
    raw = b"- " + b"a" * 997 + b"\n"
    assert prompt.first_lost_line(raw * 25) is None
    assert prompt.first_lost_line(raw * 25 + b"more\n") == 26
    assert prompt.loaded(b"x" * 30_000) == b"x" * 25_000
    found = prompt.prompt(raw * 30)
    assert (found.used, found.cap, found.unit) == (30_000, 25_000, "bytes") and "25,000 bytes" in found.lost[0].reason


def test_folders_that_differ_in_case_or_in_a_hash_are_found_by_their_own_name() -> None:
    long = "/srv/" + "deep/" * 45 + "end"
    assert encoded(long).endswith("-p3dav5") and files.CLAUDE.is_project_of(encoded(long)[:201] + "other", long)
    assert not files.CLAUDE.is_project_of("-home-ann-Code", "/home/ann/code")
    assert files.CLAUDE.is_project_of("c--Users-Ann", "C:\\Users\\Ann")


def test_a_transcript_tells_its_folder_in_whole_lines_only() -> None:
    assert files.cwd_of(b'{"type":"x"}\nnot json\n{"cwd":"/home/ann"}\n{"cwd":"/other"}') == "/home/ann"
    assert files.cwd_of(b'{"cwd":"/home/a') is None and files.cwd_of(b"[" * 100_000) is None


@pytest.mark.parametrize(
    "path",
    [
        "projects/-p/x.jsonl",
        "projects/-p/session/memory.md",
        "todos/x.md",
        ".credentials.json",
        "projects/-p/memory/.DS_Store",
        "projects/-p/memory/x.bak",
    ],
)
def test_what_is_no_memory_is_none(path: str) -> None:
    assert files.CLAUDE.place(path) is None


def test_dated_logs_in_folders_are_notes_of_their_project() -> None:
    found = files.CLAUDE.place("projects/-p/memory/logs/2026-05-01.md")
    assert found is not None and (found.group, found.role, found.label) == ("project:-p", "note", "logs/2026-05-01.md")


def test_claude_code_has_no_checklist_and_no_log() -> None:
    assert [files.CLAUDE.new_path(role, "project:-p", "x") for role in (Role.CHECKLIST, Role.LOG, Role.FACTS)] == [None] * 3
    assert files.CLAUDE.new_path(Role.NOTE, "project:-p", "Über Größe 2") == "projects/-p/memory/project_über_größe_2.md"
    assert files.CLAUDE.new_path(Role.INDEX, "agent:reviewer") == "agent-memory/reviewer/MEMORY.md"


def test_instructions_are_loaded_from_the_root_down() -> None:
    found = files.instruction_places("/home/ann")
    assert found[0] == "/CLAUDE.md" and found[-4:] == [
        "/home/ann/CLAUDE.md",
        "/home/ann/.claude/CLAUDE.md",
        "/home/ann/CLAUDE.local.md",
        "/home/ann/.claude/rules",
    ]
    assert files.reads_other_orders(["/home/ann/AGENTS.md"]) and not files.reads_other_orders(["/CLAUDE.local.md"])


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("name: a\ndescription: >-\n  folded\n  text\ntype: user", {"name": "a", "description": "folded text", "type": "user"}),
        ("description: one: two\ntype: user", {"description": "one: two", "type": "user"}),
        ('description: "quoted: \\u00e9"\nmetadata: \n  type: feedback', {"description": "quoted: é", "type": "feedback"}),
        ("name: 010\ndescription: yes\nmodified: 2026-01-02", {"name": "010", "description": "yes", "modified": "2026-01-02"}),
        ("name: [a, b]\ntype: user # why", {"type": "user"}),
        ("name: 'it''s'\n\tbroken: yaml", {"name": "it's", "broken": "yaml"}),
        (
            "a: &a [x]\n" + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 9)}]\n" for m, n in zip("abcdefg", "bcdefgh", strict=True)),
            {},
        ),
    ],
)
def test_frontmatter_is_yaml_and_line_by_line_where_it_is_none(head: str, fields: dict[str, str]) -> None:
    assert frontmatter(f"---\n{head}\n---\n\nbody\n") == (fields, "body\n")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("---\n\na rule\n\n---\n\nmore\n", f"---\n{NAMED}{TYPED}---\n\n---\n\na rule\n\n---\n\nmore\n"),
        ("---\na sentence\n---\nbody\n", f"---\n{NAMED}{TYPED}---\n\n---\na sentence\n---\nbody\n"),
        ("---\ntags: [x]\n---\nbody\n", f"---\n{NAMED}{TYPED}tags: [x]\n---\nbody\n"),
        ("---\r\nname: n\r\ndescription: d\r\n---\r\n", f"---\n{TYPED}name: n\ndescription: d\n---\n"),
        ("---\nname: n\ndescription: d\nmetadata:\n---\n", "---\ntype: project\nname: n\ndescription: d\nmetadata:\n---\n"),
        ("---\nname: n\ndescription: a: b\ntype: user\n---\n", "---\nname: n\ndescription: a: b\ntype: user\n---\n"),
    ],
)
def test_a_topic_has_name_description_and_type_beside_what_its_frontmatter_said(text: str, made: str) -> None:
    found = TopicDress(files.CLAUDE).wrapped("projects/-p/memory/project_x.md", Carried(text.encode(), about="what"))
    assert found.decode() == (made.replace("\n", "\r\n") if "\r" in text else made)


def test_a_topic_that_begins_with_a_rule_has_no_frontmatter() -> None:
    text = "---\n\na rule\n\n---\n\nmore\n"
    assert frontmatter(text) == ({}, text)
    assert TopicDress(files.CLAUDE).unwrapped("projects/-p/memory/project_x.md", text.encode()) == Carried(text.encode())


def test_a_frontmatter_of_many_megabytes_is_not_understood() -> None:
    assert is_too_long(b"---\nname: " + b"x" * 50_000_000) and not is_too_long(b"---\nname: x\n---\n" + b"x" * 1_000_000)
    assert not is_too_long(b"text" * 1_000_000)
