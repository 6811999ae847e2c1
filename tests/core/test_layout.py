"""A store of another shape needs a layout and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.layouts import NOTEBOOK, TWO_FILES, a_notebook, where
from zsmem_tui import Mem, Profile
from zsmem_tui.agents.claude_code.layout import ClaudeCodeLayout
from zsmem_tui.agents.ethos.layout import EthosLayout
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.errors import BadName, BadTarget
from zsmem_tui.core.layout import Folder, find_ref, group_label, group_word, place_of, store_prefix
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.store.scan import project_problem, scan


def made_up_store(root: Path) -> Mem:
    for path, text in {
        "people/USER.md": "likes tea\n",
        "helpers/engineer/MEMORY.md": "the build wants tea\n",
        "helpers/engineer/other.md": "tea that nobody reads\n",
        "helpers/reviewer/MEMORY.md": "tea for reviewers\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Mem(root, "engineer", "2026-05-25", layout=TWO_FILES)


def test_list_search_and_catalogue_work_over_a_made_up_layout(tmp_path: Path) -> None:
    mem = made_up_store(tmp_path)
    assert mem.list() == [f"{tmp_path}/helpers/engineer/MEMORY.md", f"{tmp_path}/people/USER.md"]
    assert [hit.ref.path for hit in mem.search("TEA").hits] == ["helpers/engineer/MEMORY.md", "people/USER.md"]
    catalog = scan(str(tmp_path), TWO_FILES)
    assert [entry.ref.path for entry in catalog.shared] == ["people/USER.md"]
    assert [(project.slug, len(project.files)) for project in catalog.projects] == [("engineer", 1), ("reviewer", 1)]


def test_only_what_is_there_and_no_folder_that_can_be_looked_into_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "projects/p").mkdir(parents=True)
    (tmp_path / "projects/file").write_text("")
    said = {slug: project_problem(str(tmp_path), ZEROSTACK, slug) for slug in ("p", "none", "file")}
    assert said == {"p": "", "none": "", "file": f"{tmp_path}/projects/file: it is not a folder"}


def test_a_write_goes_where_the_layout_says(tmp_path: Path) -> None:
    made_up_store(tmp_path).write("long_term", "and biscuits")
    assert (tmp_path / "people/USER.md").read_text() == "likes tea\nand biscuits\n"


@pytest.mark.parametrize(
    ("path", "prefix"),
    [
        ("a/b/projects/p/notes/n.md", "a/b/"),
        ("projects/p/notes/n.md", ""),
        ("a/b/MEMORY.md", "a/b/"),
        ("MEMORY.md", ""),
        ("a/no-MEMORY.md", None),
        ("a/other.md", None),
        ("", None),
    ],
)
def test_a_store_in_a_larger_tree_is_known_by_its_own_paths(path: str, prefix: str | None) -> None:
    assert store_prefix(ZEROSTACK, path) == prefix


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (" ", "A note needs a name."),
        (".md", "A note needs a name."),
        ("a/b", "a-b would do."),
        ("half \ud800", ""),
    ],
)
def test_a_name_that_is_no_name_of_a_note_is_refused_with_what_would_be_one(name: str, hint: str) -> None:
    with pytest.raises(BadName) as refused:
        note_stem(name)
    assert refused.value.hint == hint


def test_a_path_is_found_again_as_what_it_is() -> None:
    for ref in (
        place_of(ZEROSTACK, Role.FACTS, "p"),
        place_of(ZEROSTACK, Role.CHECKLIST, "p"),
        place_of(ZEROSTACK, Role.LOG, "p", "2026-05-25"),
        place_of(ZEROSTACK, Role.NOTE, "p", "a b"),
    ):
        assert find_ref(ZEROSTACK, ref.path) == ref
    assert find_ref(ZEROSTACK, "projects/p/notes/x.txt") is None
    assert find_ref(ZEROSTACK, "projects/p/notes/deep/x.md") is None
    assert find_ref(ZEROSTACK, "other.md") == MemRef("other.md", None, "", "other")


def test_groups_that_belong_to_folders_are_called_projects() -> None:
    claude, ethos = ClaudeCodeLayout(where("/home/ann/.claude")), EthosLayout(where("/home/ann/.ethos"))
    assert [group_word(each) for each in (ZEROSTACK, claude, ethos, TWO_FILES)] == ["project", "project", "group", "project"]


def test_a_group_is_shown_by_its_name_and_by_whose_it_is_unless_that_is_a_projects() -> None:
    claude, ethos = ClaudeCodeLayout(where("/home/ann/.claude")), EthosLayout(where("/home/ann/.ethos"))
    shown = [(claude, "project:-w"), (ethos, "personality:eng"), (ethos, "odd"), (ZEROSTACK, "a-0b1c2d3e"), (ZEROSTACK, "a:b")]
    assert [group_label(*each) for each in shown] == ["-w", "personality eng", "odd", "a-0b1c2d3e", "a:b"]


def test_a_layout_says_what_a_kind_has_not() -> None:
    assert TWO_FILES.ref(Role.NOTE, "engineer", "x") is None
    with pytest.raises(BadTarget, match=r"Two files has no daily logs\. Nothing was done\."):
        place_of(TWO_FILES, Role.LOG, "engineer", "2026-05-25")


@pytest.mark.parametrize("profile", Profile)
def test_no_agents_rules_leak_into_another_kind(tmp_path: Path, profile: Profile) -> None:
    made_up_store(tmp_path)
    mem = Mem(tmp_path, "engineer", "2026-05-25", layout=TWO_FILES, profile=profile)
    assert mem.context_block() is None, "this kind injects a file that is not there, and nothing of its own as a daily log"


@pytest.mark.parametrize("profile", Profile)
def test_the_tools_of_an_agent_say_what_a_kind_has_not(tmp_path: Path, profile: Profile) -> None:
    mem = Mem(a_notebook(tmp_path), "any", "2026-05-25", layout=NOTEBOOK, profile=profile)
    before = {place: place.read_bytes() for place in tmp_path.rglob("*.md")}
    for act in (
        lambda: mem.write("daily", "x"),
        lambda: mem.write("scratchpad", "- [ ] x"),
        lambda: mem.edit("scratchpad", None, "a", "b"),
        lambda: mem.read("daily"),
        lambda: mem.append_daily("x", "y"),
    ):
        with pytest.raises(BadTarget, match="Notebook has no"):
            act()
    assert {place: place.read_bytes() for place in tmp_path.rglob("*.md")} == before
    assert mem.context_block() == "<<\n[facts]\n- The build wants tea.\n- Deploys on Friday.\n>>"


def test_a_folder_holds_what_lies_in_it_and_a_deep_one_what_lies_below() -> None:
    def held(*paths: str, folder: Folder) -> list[str]:
        return [path for path in paths if folder.at(path) is not None]

    top, below = ("a.md", "b.md"), ("n/a.md", "n/x/a.md", "nn/a.md")
    assert held(*top, *below, folder=Folder("", role=Role.NOTE)) == [*top]
    assert held(*top, *below, folder=Folder("", role=Role.NOTE, deep=True)) == [*top, *below]
    assert held(*top, *below, folder=Folder("n", role=Role.NOTE)) == ["n/a.md"]
    assert held(*top, *below, folder=Folder("n", role=Role.NOTE, deep=True)) == ["n/a.md", "n/x/a.md"]
