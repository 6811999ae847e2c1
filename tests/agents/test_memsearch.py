from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.trees import MappingTree
from zsmem_tui.agents.memsearch import files, prompt
from zsmem_tui.agents.memsearch.format import exported
from zsmem_tui.agents.memsearch.layout import MemsearchMemory
from zsmem_tui.agents.memsearch.prompt import Day
from zsmem_tui.core.refs import Role
from zsmem_tui.store.disk.tree import DiskTree


@pytest.mark.parametrize(
    ("name", "is_day"), [("2026-5-9.md", False), ("2026-02-30.md", True), ("2026-05-01-x.md", False), ("٢٠٢٦-05-01.md", False)]
)
def test_a_day_is_known_by_its_digits_alone(name: str, is_day: bool) -> None:
    place = files.place(name)
    assert place is not None and place.role == ("log" if is_day else "note")


def test_only_the_last_forty_lines_stay_and_their_heading_may_go() -> None:
    text = "## S\n" + "".join(f"- {number}\n" for number in range(45))
    found = prompt.session_start([Day("2026-05-01.md", text)])
    assert found.sections[0].text.startswith("- 5\n") and [each.line for each in found.lost] == [1, 2, 3, 4, 5, 6]
    recent = prompt.opencode_recent([Day("2026-05-01.md", text)], 1)
    assert recent.sections[0].text.startswith("- 15\n") and recent.cap == 60


def test_unreadable_days_use_up_a_place_in_opencode_and_a_count_is_told() -> None:
    assert prompt.opencode_recent([Day("2026-05-01.md", None)], 3).text == "{COUNT_SENTENCE:3}"
    assert prompt.opencode_recent([], 0).text is None


def test_crlf_stays_in_claude_code_and_goes_in_opencode() -> None:
    day = Day("2026-05-01.md", "## S\r\n- a\r\n")
    assert "- a\r" in (prompt.session_start([day]).text or "") and "\r" not in (prompt.opencode_recent([day], 1).text or "")


def test_a_switch_turns_the_start_of_a_session_off() -> None:
    tree = MappingTree({"/p/.memsearch/memory/2026-05-01.md": b"## S\n- a\n"})
    memory = MemsearchMemory(tree, "/p/.memsearch/memory")
    assert memory.session_start().text is not None
    assert memory.session_start(env={"MEMSEARCH_DISABLE": "1"}).text is None


@pytest.mark.parametrize("path", [".index-state.json", "x/.hidden.md", ".git/x.md", "opencode-turns.db", "x.md.bak"])
def test_what_is_not_indexed_is_no_memory(path: str) -> None:
    assert files.place(path) is None


def test_memsearch_has_no_checklist_and_no_facts() -> None:
    assert [files.new_path(role, "", "x") for role in (Role.CHECKLIST, Role.FACTS, Role.INDEX)] == [None] * 3
    assert files.new_path(Role.NOTE, "", "x") == "notes/x.md" and files.new_path(Role.LOG, "", "2026-5-9") is None


def test_ignore_files_hold_from_their_folder_down_and_can_take_back() -> None:
    tree = MappingTree(
        {
            "m/a/.ig": b"*.md\n!keep.md\n/only/\n",
            "m/a/x.md": b"",
            "m/a/keep.md": b"",
            "m/a/only/keep.md": b"",
            "m/x.md": b"",
            "m/b/d.md": b"",
        }
    )
    assert files.scan(tree, ["m"], ignore_files=[".ig"]) == ["m/a/keep.md", "m/b/d.md", "m/x.md"]
    assert files.scan(tree, ["m"], ["a/", "**/d.md"]) == ["m/x.md"]


def test_a_dead_link_of_markdown_stops_the_scan_and_a_folder_in_an_ignore_files_name_too() -> None:
    with pytest.raises(FileNotFoundError):
        files.scan(MappingTree({"m/x.md": None}), ["m"])
    assert files.scan(MappingTree({"m/x.txt": None}), ["m"]) == []
    with pytest.raises(ValueError, match="folders"):
        files.scan(MappingTree({}), ["m"], ignore_files=["a/b"])


def linked(tmp_path: Path, links: dict[str, str], *names: str) -> DiskTree:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    for name, target in links.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(target)
    return DiskTree(str(tmp_path))


def test_of_a_link_to_a_file_rules_look_at_the_place_that_it_leads_to(tmp_path: Path) -> None:
    links = {
        "m/one.md": "out/x.md",
        "m/two.md": "in.md",
        "m/drop.md": "../o/far.md",
        "m/n.md": "../o/note.txt",
        "m/h.md": ".h/y.md",
    }
    tree = linked(tmp_path, links, "m/out/x.md", "m/in.md", "o/far.md", "o/note.txt", "m/.h/y.md")
    hidden, far = "m/.h/y.md", ["o/far.md", "o/note.txt"]
    assert files.scan(tree, ["m"], ["out/"]) == [hidden, "m/in.md", *far]
    assert files.scan(tree, ["m"], ["drop.md", "one.md", "*.txt", "n.md"]) == [hidden, "m/in.md", "m/out/x.md", *far]
    assert files.scan(tree, ["m"], ["in.md", ".h"]) == ["m/out/x.md", *far]
    assert files.scan(tree, ["."], ["o/"]) == [hidden, "m/in.md", "m/out/x.md"]


def test_a_dead_link_that_a_rule_takes_out_stops_nothing(tmp_path: Path) -> None:
    tree = linked(tmp_path, {"m/dead.md": "gone/x.md"}, "m/a.md")
    assert files.scan(tree, ["m"], ["gone/"]) == ["m/a.md"]
    with pytest.raises(FileNotFoundError):
        files.scan(tree, ["m"], ["dead.md"])


def test_a_link_that_is_named_itself_is_what_it_leads_to(tmp_path: Path) -> None:
    tree = linked(tmp_path, {"a": "x.md", "b.md": "x.txt", "c.md": "gone.md", "d.md": "m"}, "x.md", "x.txt", "m/y.md")
    assert files.scan(tree, ["a", "b.md", "c.md", "d.md"]) == ["m/y.md", "x.md"]


def test_our_own_entries_add_a_missing_line_end_first() -> None:
    assert exported(None, "2026-05-01", "09:12", "- a", "id") == (
        b"# 2026-05-01\n\n## Session 09:12\n\n### 09:12\n<!-- zerostack:id -->\n- a\n"
    )
    assert exported(b"x", "2026-05-01", "09:12", "- a", "id").startswith(b"x\n\n## Session")


def test_a_capture_that_is_at_work_is_known_by_its_file() -> None:
    assert files.is_lock(".capture.pid") and files.is_lock(".maintenance-claude-project.lock") and not files.is_lock(".watch.pid")


def test_the_title_of_a_day_and_a_line_that_leads_to_a_transcript_are_nothing_that_is_lost() -> None:
    text = "# 2026-05-04\n# 2026-05-03\n## Session 10:00\n\n### 10:00\n"
    text += "<!-- session:a turn:b transcript:/x y/z.jsonl -->\n- in\n<!-- a thought -->\n"
    for told in (prompt.session_start([Day("2026-05-04.md", text)]), prompt.opencode_recent([Day("2026-05-04.md", text)], 1)):
        assert [each.line for each in told.lost] == [2, 8]
