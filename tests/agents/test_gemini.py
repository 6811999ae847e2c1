from __future__ import annotations

import pytest

from tests.agents.trees import MappingTree
from zsmem_tui.agents.gemini.agent import AGENT, FILES
from zsmem_tui.agents.gemini.layout import GeminiLayout
from zsmem_tui.agents.places import Machine, Where
from zsmem_tui.core.layout import Disk
from zsmem_tui.core.refs import Role

LAYOUT = GeminiLayout(Where("/home/ann/.gemini", "/p", "/home/ann", "", lambda: None))  # type: ignore[arg-type, return-value]


def test_notes_lie_at_any_depth_and_drafts_of_skills_are_none() -> None:
    note = FILES.place("tmp/lantern/memory/more/panel.md")
    assert note is not None and note.role is Role.NOTE
    others = (
        "tmp/lantern/memory/skills/flash/SKILL.md",
        "tmp/lantern/memory/.lock",
        "tmp/lantern/logs.json",
        "tmp/lantern/plan.md",
    )
    assert [FILES.place(path) for path in (*others, "commands/x.md")] == [None] * 5


def test_a_note_is_called_after_its_title_alone() -> None:
    assert LAYOUT.new_path(Role.NOTE, "project:lantern", "project_panel") == "tmp/lantern/memory/panel.md"
    assert LAYOUT.group_named_after("/p") == ""
    assert AGENT.roots(Machine({}, "/home/ann", "/p", lambda path: True)) == ["/home/ann/.gemini"]


def test_all_of_an_index_is_loaded_whatever_its_length() -> None:
    raw = b"- a fact of the project\n" * 4000 + b"- the last"
    made = LAYOUT.loaded(raw, "tmp/p/memory/MEMORY.md")
    assert made.text == raw.decode() and made.lost == () and (made.used, made.cap) == (len(raw), 0)
    assert "".join(f"{run.text}{run.end}" for run in made.runs) == made.text


def test_a_long_index_has_room_for_a_line_more() -> None:
    index = b"- a fact of the project\n" * 4000
    tree = MappingTree({"tmp/p/memory/MEMORY.md": index, "tmp/p/memory/panel.md": b"The panel.\n"})
    [found] = LAYOUT.checks.faults(tree, "project:p")
    assert found.fix is not None and [edit.line for edit in found.fix.edits] == [4001]
    assert LAYOUT.checks.shortened(tree, "tmp/p/memory/MEMORY.md") is None


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (["/a/.git/HEAD", "/a/GEMINI.md", "/a/b/GEMINI.md", "/GEMINI.md"], ["/a/GEMINI.md", "/a/b/GEMINI.md"]),
        (["/a/GEMINI.md", "/a/b/GEMINI.md"], ["/a/b/GEMINI.md"]),
        (["/a/b/.git", "/a/GEMINI.md", "/a/b/GEMINI.md"], ["/a/b/GEMINI.md"]),
    ],
)
def test_instructions_are_those_up_to_the_top_of_the_repository(there: list[str], told: list[str]) -> None:
    disk = Disk(lambda path: "words\n" if path in there else None, lambda folder: ())
    assert [path for path, _ in LAYOUT.told_in("/a/b", disk)] == told


def test_settings_of_the_folder_may_call_the_instructions_otherwise() -> None:
    texts = {
        "/p/.gemini/settings.json": '{"context": {"fileName": ["A.md", "G.md"]}}',
        "/home/ann/.gemini/settings.json": '{"context": {"fileName": "H.md"}}',
    }
    assert LAYOUT.takes_facts("/p", Disk(texts.get, lambda folder: ())) == ("A.md", "G.md")
    assert LAYOUT.takes_facts("/q", Disk(texts.get, lambda folder: ())) == ("H.md",)
    assert LAYOUT.takes_facts("/q", Disk(lambda path: None, lambda folder: ())) == ("GEMINI.md",)
