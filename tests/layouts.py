"""Made-up shapes of stores, which no agent has: what works over them works by what a layout says."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from zsmem_tui.agents.places import Where
from zsmem_tui.core.context import Block, Moment, Reader, section_of, whole_pieces
from zsmem_tui.core.layout import Folder, Layout
from zsmem_tui.core.refs import MemRef, Role


def where(root: str, folder: str = "", home: str = "/home/ann") -> Where:
    """What a layout may know beside its store."""
    return Where(root, folder, home, "", lambda: datetime(2026, 5, 25, 14, 7, 9))


class Notebook(Layout):
    """Facts in one file and topics beside it: no projects, no logs, no checklist; the prompt is the facts in brackets."""

    kind = "notebook"
    title = "Notebook"
    projects_folder = ""
    context_files: tuple[str, ...] = ()
    block_end = ">>"

    def global_folders(self) -> tuple[Folder, ...]:
        return (
            Folder("book", role=Role.FACTS, only=("FACTS.md",), first="FACTS.md"),
            Folder("book/topics", role=Role.NOTE, first="FACTS.md"),
        )

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        return ()

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        match role:
            case Role.FACTS:
                return MemRef("book/FACTS.md", role)
            case Role.NOTE:
                return MemRef(f"book/topics/{name}.md", role, "", name)
            case _:
                return None

    def archive(self, project: str) -> str | None:
        return None

    def label(self, role: Role) -> str:
        return "facts" if role is Role.FACTS else "topic"

    def inject_limit(self, role: Role) -> int | None:
        return None

    def block(self, reader: Reader, moment: Moment) -> Block:
        found = section_of("Facts", "\n[facts]\n", reader.text("book/FACTS.md"), "book/FACTS.md")
        kept = (found,) if found else ()
        return Block(kept, tuple(whole_pieces(kept)), moment.cap, "<<", "\n>>", "\n(more)")


class TwoFiles(Notebook):
    """One file about the person for all, one memory for each helper."""

    kind = "two files"
    title = "Two files"
    projects_folder = "helpers"

    def global_folders(self) -> tuple[Folder, ...]:
        return (Folder("people", role=Role.FACTS, only=("USER.md",)),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        return (Folder(f"helpers/{project}", project, Role.CHECKLIST, only=("MEMORY.md",)),)

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        match role:
            case Role.FACTS:
                return MemRef("people/USER.md", role)
            case Role.CHECKLIST:
                return MemRef(f"helpers/{project}/MEMORY.md", role, project)
            case _:
                return None


NOTEBOOK = Notebook()
TWO_FILES = TwoFiles()


def a_notebook(root: Path) -> Path:
    """A store of that shape, with a file that is no memory of it."""
    for path, text in {
        "book/FACTS.md": "- The build wants tea.\n- Deploys on Friday.\n",
        "book/topics/tea.md": "# Tea\n\nGreen tea, three minutes.\n",
        "book/other.md": "tea that nobody reads\n",
        "projects/x/MEMORY.md": "tea of another agent\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root
