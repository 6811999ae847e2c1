"""Where zerostack keeps its files, and what they are (specification, section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.refs import MemRef, WriteTarget

if TYPE_CHECKING:
    from zsmem_tui.core.context import Block, Moment, Reader

LONG_TERM_FILE: Final = "MEMORY.md"
SCRATCHPAD_FILE: Final = "SCRATCHPAD.md"
PROJECTS_FOLDER: Final = "projects"
DAILY_FOLDER: Final = "daily"
NOTES_FOLDER: Final = "notes"
ARCHIVE_FOLDER: Final = "archive"
"""The agent neither lists nor searches it: finished items a person archives leave the prompt and stay in every backup."""

LONG_TERM_INJECT_LIMIT: Final = 128 * 1024
"""Bytes. The agent leaves MEMORY.md out of the context, silently, when it is larger."""


class ZerostackLayout:
    """`MEMORY.md` for all, and for each project `SCRATCHPAD.md`, `notes/` and `daily/`."""

    kind = "zerostack"
    projects_folder = PROJECTS_FOLDER
    context_files = ("AGENTS.md", "CLAUDE.md", "ARCHITECTURE.md")

    def global_folders(self) -> tuple[Folder, ...]:
        """The root: `MEMORY.md`, and any other Markdown that lies there."""
        return (Folder("", target=WriteTarget.LONG_TERM, main=LONG_TERM_FILE, first=LONG_TERM_FILE),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The scratchpad (never searched by the agent), the notes, the daily logs."""
        home = f"{PROJECTS_FOLDER}/{project}"
        return (
            Folder(home, project, WriteTarget.SCRATCHPAD, only=(SCRATCHPAD_FILE,), searched=False, first=LONG_TERM_FILE),
            Folder(f"{home}/{NOTES_FOLDER}", project, WriteTarget.NOTE, first=LONG_TERM_FILE),
            Folder(f"{home}/{DAILY_FOLDER}", project, WriteTarget.DAILY, dated=True, first=LONG_TERM_FILE),
        )

    def ref(self, target: WriteTarget, project: str, name: str = "") -> MemRef | None:
        """Where a write to `target` goes (specification, section 1); zerostack has a place for each."""
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

    def archive(self, project: str) -> str | None:
        """Where finished items of a project go when a person archives them (specification, section 19)."""
        return f"{PROJECTS_FOLDER}/{project}/{ARCHIVE_FOLDER}/{SCRATCHPAD_FILE}"

    def label(self, target: WriteTarget) -> str:
        """What a file of this target is called."""
        match target:
            case WriteTarget.LONG_TERM:
                return LONG_TERM_FILE
            case WriteTarget.SCRATCHPAD:
                return "scratchpad"
            case WriteTarget.DAILY:
                return "log"
            case WriteTarget.NOTE:
                return "note"

    def inject_limit(self, target: WriteTarget) -> int | None:
        """Bytes above which the agent leaves a whole file out of the prompt; None when it knows no such limit."""
        return LONG_TERM_INJECT_LIMIT if target is WriteTarget.LONG_TERM else None

    def block(self, reader: Reader, moment: Moment) -> Block:
        """The `<memory>` block (specification, section 8)."""
        from zsmem_tui.agents.zerostack.prompt import block  # with `dataclasses`, which a search can do without

        return block(self, reader, moment)


ZEROSTACK: Final = ZerostackLayout()
