"""A store of another shape needs a layout and nothing else."""

from __future__ import annotations

from pathlib import Path

from zsmem_tui import Mem
from zsmem_tui.core.layout import ZEROSTACK, Folder, find_ref
from zsmem_tui.core.refs import MemRef, WriteTarget
from zsmem_tui.store.scan import scan


class TwoFiles:
    """One file about the person for all, one memory for each helper."""

    projects_folder = "helpers"

    def global_folders(self) -> tuple[Folder, ...]:
        return (Folder("people", target=WriteTarget.LONG_TERM, only=("USER.md",)),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        return (Folder(f"helpers/{project}", project, WriteTarget.SCRATCHPAD, only=("MEMORY.md",)),)

    def ref(self, target: WriteTarget, project: str, name: str = "") -> MemRef:
        if target is WriteTarget.LONG_TERM:
            return MemRef("people/USER.md", target)
        return MemRef(f"helpers/{project}/MEMORY.md", WriteTarget.SCRATCHPAD, project)


def made_up_store(root: Path) -> Mem:
    for path, text in {
        "people/USER.md": "likes tea\n",
        "helpers/engineer/MEMORY.md": "the build wants tea\n",
        "helpers/engineer/other.md": "tea that nobody reads\n",
        "helpers/reviewer/MEMORY.md": "tea for reviewers\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Mem(root, "engineer", "2026-05-25", layout=TwoFiles())


def test_list_search_and_catalogue_work_over_a_made_up_layout(tmp_path: Path) -> None:
    mem = made_up_store(tmp_path)
    assert mem.list() == [f"{tmp_path}/helpers/engineer/MEMORY.md", f"{tmp_path}/people/USER.md"]
    assert [hit.ref.path for hit in mem.search("TEA").hits] == ["helpers/engineer/MEMORY.md", "people/USER.md"]
    catalog = scan(str(tmp_path), TwoFiles())
    assert [entry.ref.path for entry in catalog.shared] == ["people/USER.md"]
    assert [(project.slug, len(project.files)) for project in catalog.projects] == [("engineer", 1), ("reviewer", 1)]


def test_a_write_goes_where_the_layout_says(tmp_path: Path) -> None:
    made_up_store(tmp_path).write("long_term", "and biscuits")
    assert (tmp_path / "people/USER.md").read_text() == "likes tea\nand biscuits\n"


def test_a_path_is_found_again_as_what_it_is() -> None:
    for ref in (
        ZEROSTACK.ref(WriteTarget.LONG_TERM, "p"),
        ZEROSTACK.ref(WriteTarget.SCRATCHPAD, "p"),
        ZEROSTACK.ref(WriteTarget.DAILY, "p", "2026-05-25"),
        ZEROSTACK.ref(WriteTarget.NOTE, "p", "a b"),
    ):
        assert find_ref(ZEROSTACK, ref.path) == ref
    assert find_ref(ZEROSTACK, "projects/p/notes/x.txt") is None
    assert find_ref(ZEROSTACK, "projects/p/notes/deep/x.md") is None
    assert find_ref(ZEROSTACK, "other.md") == MemRef("other.md", None, "", "other")
