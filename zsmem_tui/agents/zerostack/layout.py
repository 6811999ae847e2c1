"""Where zerostack keeps its files, and what they are (specification, section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zsmem_tui.core.layout import Disk, Folder, Layout
from zsmem_tui.core.limits import BLOCK_END, EXTENSION
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.refs import MemRef, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class ZerostackLayout(Layout):
    """`MEMORY.md` for all, and for each project `SCRATCHPAD.md`, `notes/` and `daily/`."""

    kind = "zerostack"
    title = "zerostack"
    projects_folder = PROJECTS_FOLDER
    block_end = BLOCK_END
    has_profiles = True
    context_files = ("AGENTS.md", "CLAUDE.md", "ARCHITECTURE.md")

    def group_named_after(self, folder: str) -> str:
        """Its slug."""
        return project_slug(folder)

    def global_folders(self) -> tuple[Folder, ...]:
        """The root: `MEMORY.md`, and any other Markdown that lies there."""
        return (Folder("", role=Role.FACTS, main=LONG_TERM_FILE, first=LONG_TERM_FILE),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The scratchpad (never searched by the agent), the notes, the daily logs."""
        home = f"{PROJECTS_FOLDER}/{project}"
        return (
            Folder(home, project, Role.CHECKLIST, only=(SCRATCHPAD_FILE,), searched=False, first=LONG_TERM_FILE),
            Folder(f"{home}/{NOTES_FOLDER}", project, Role.NOTE, first=LONG_TERM_FILE),
            Folder(f"{home}/{DAILY_FOLDER}", project, Role.LOG, dated=True, first=LONG_TERM_FILE),
        )

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """Where a write to `role` goes (specification, section 1); None for what it has not."""
        home = f"{PROJECTS_FOLDER}/{project}"
        match role:
            case Role.FACTS:
                return MemRef(LONG_TERM_FILE, role)
            case Role.CHECKLIST:
                return MemRef(f"{home}/{SCRATCHPAD_FILE}", role, project)
            case Role.LOG:
                return MemRef(f"{home}/{DAILY_FOLDER}/{name}{EXTENSION}", role, project, name)
            case Role.NOTE:
                return MemRef(f"{home}/{NOTES_FOLDER}/{name}{EXTENSION}", role, project, name)
            case _:
                return None

    def archive(self, project: str) -> str | None:
        """Where finished items of a project go when a person archives them (specification, section 19)."""
        return f"{PROJECTS_FOLDER}/{project}/{ARCHIVE_FOLDER}/{SCRATCHPAD_FILE}"

    def label(self, role: Role) -> str:
        """What a file of this role is called."""
        match role:
            case Role.FACTS:
                return LONG_TERM_FILE
            case Role.CHECKLIST:
                return "scratchpad"
            case Role.LOG:
                return "log"
            case _:
                return role.value

    def part(self, role: Role | None) -> str:
        """What the share of files of this role is called."""
        match role:
            case Role.FACTS:
                return "MEMORY"
            case Role.CHECKLIST:
                return "scratchpad"
            case Role.LOG:
                return "logs"
            case _:
                return "other"

    def inject_limit(self, role: Role) -> int | None:
        """Bytes above which the agent leaves a whole file out of the prompt; None when it knows no such limit."""
        return LONG_TERM_INJECT_LIMIT if role is Role.FACTS else None

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """`AGENTS.md` and `ARCHITECTURE.md`; what stands in `CLAUDE.md` is other agents' as well."""
        return tuple(name for name in self.context_files if name != "CLAUDE.md")

    def block(self, reader: Reader, moment: Moment) -> Block:
        """The `<memory>` block (specification, section 8)."""
        from zsmem_tui.agents.zerostack.prompt import block  # with `dataclasses`, which a search can do without

        return block(self, reader, moment)


ZEROSTACK: Final = ZerostackLayout()
