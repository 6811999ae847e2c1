"""Where an agent keeps its files: the one place that knows folder names (specification, section 1).

A `Layout` turns targets into relative paths and says which folders the agent lists and searches. Everything else
(listing, search, the catalogue, the tree) works on what a layout says, so a store of another shape needs a layout and
nothing more.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from zsmem_tui.core.constants import (
    DAILY_FOLDER,
    EXTENSION,
    LONG_TERM_FILE,
    NOTES_FOLDER,
    PROJECTS_FOLDER,
    SCRATCHPAD_FILE,
)
from zsmem_tui.core.refs import MemRef, WriteTarget


class Folder(NamedTuple):
    """One folder of memory files, not recursive.

    `path` is relative to the root (empty: the root itself). `only` limits it to these file names. `searched` says
    whether the agent lists and searches it; `dated` whether its file names are dates that count when hits tie.
    """

    path: str
    project: str = ""
    target: WriteTarget | None = None
    only: tuple[str, ...] = ()
    searched: bool = True
    dated: bool = False

    def ref(self, file_name: str) -> MemRef:
        """The memory file called `file_name` in here."""
        path = f"{self.path}/{file_name}" if self.path else file_name
        if self.target in (WriteTarget.NOTE, WriteTarget.DAILY):
            return MemRef(path, self.target, self.project, file_name.removesuffix(EXTENSION))
        if self.only or file_name == LONG_TERM_FILE:
            return MemRef(path, self.target, self.project)
        return MemRef(path, None, self.project, file_name.removesuffix(EXTENSION))


class Layout(Protocol):
    """The shape of one kind of store. All paths are relative to its root, with `/`."""

    @property
    def projects_folder(self) -> str:
        """The folder that has one folder a project."""

    def global_folders(self) -> tuple[Folder, ...]:
        """The folders that belong to no project, in the agent's order."""

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The folders of one project, in the agent's order."""

    def ref(self, target: WriteTarget, project: str, name: str = "") -> MemRef:
        """Where a write to `target` goes. `name` is a note's stem or a log's date, already checked."""


class ZerostackLayout:
    """`MEMORY.md` for all, and for each project `SCRATCHPAD.md`, `notes/` and `daily/`."""

    projects_folder = PROJECTS_FOLDER

    def global_folders(self) -> tuple[Folder, ...]:
        """The root: `MEMORY.md`, and any other Markdown that lies there."""
        return (Folder("", target=WriteTarget.LONG_TERM),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The scratchpad (never searched by the agent), the notes, the daily logs."""
        home = f"{PROJECTS_FOLDER}/{project}"
        return (
            Folder(home, project, WriteTarget.SCRATCHPAD, only=(SCRATCHPAD_FILE,), searched=False),
            Folder(f"{home}/{NOTES_FOLDER}", project, WriteTarget.NOTE),
            Folder(f"{home}/{DAILY_FOLDER}", project, WriteTarget.DAILY, dated=True),
        )

    def ref(self, target: WriteTarget, project: str, name: str = "") -> MemRef:
        """Where a write to `target` goes (specification, section 1)."""
        home = f"{PROJECTS_FOLDER}/{project}"
        match target:
            case WriteTarget.LONG_TERM:
                return MemRef(LONG_TERM_FILE, target)
            case WriteTarget.SCRATCHPAD:
                return MemRef(f"{home}/{SCRATCHPAD_FILE}", target, project)
            case WriteTarget.DAILY:
                return MemRef(f"{home}/{DAILY_FOLDER}/{name}{EXTENSION}", target, project, name)
            case WriteTarget.NOTE:
                return MemRef(f"{home}/{NOTES_FOLDER}/{name}{EXTENSION}", target, project, name)


ZEROSTACK = ZerostackLayout()


def is_memory_name(file_name: str) -> bool:
    """True when a directory entry of this name is memory: its extension is exactly `md` (specification, section 5)."""
    return file_name.endswith(EXTENSION) and file_name != EXTENSION


def searched_folders(layout: Layout, project: str) -> tuple[Folder, ...]:
    """The folders that the agent lists and searches in `project`, in its order."""
    every = (*layout.global_folders(), *layout.project_folders(project))
    return tuple(folder for folder in every if folder.searched)


def find_ref(layout: Layout, path: str) -> MemRef | None:
    """The memory file at a relative path, or None when the layout has no such place."""
    parent, _, name = path.rpartition("/")
    prefix = f"{layout.projects_folder}/"
    project = path[len(prefix) :].split("/", 1)[0] if path.startswith(prefix) and path.count("/") > 1 else ""
    folders = layout.project_folders(project) if project else layout.global_folders()
    for folder in folders:
        if folder.path == parent and is_memory_name(name) and (not folder.only or name in folder.only):
            return folder.ref(name)
    return None
