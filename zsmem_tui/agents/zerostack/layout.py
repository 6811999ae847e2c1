"""zerostack's files and their roles (specification, section 1)."""

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
"""Neither listed nor searched by the agent: archived items leave the prompt but stay in every backup."""

LONG_TERM_INJECT_LIMIT: Final = 128 * 1024
"""In bytes: the agent silently leaves a larger MEMORY.md out of the context."""


class ZerostackLayout(Layout):
    """Shared `MEMORY.md`, and for each project `SCRATCHPAD.md`, `notes/` and `daily/`."""

    kind = "zerostack"
    title = "zerostack"
    projects_folder = PROJECTS_FOLDER
    block_end = BLOCK_END
    has_profiles = True
    context_files = ("AGENTS.md", "CLAUDE.md", "ARCHITECTURE.md")

    def group_named_after(self, folder: str) -> str:
        """The folder's slug."""
        return project_slug(folder)

    def global_folders(self) -> tuple[Folder, ...]:
        """The root: `MEMORY.md` and other Markdown files there."""
        return (Folder("", role=Role.FACTS, main=LONG_TERM_FILE, first=LONG_TERM_FILE),)

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The scratchpad (never searched by the agent), the notes, the daily logs."""
        home = f"{PROJECTS_FOLDER}/{project}"
        return (
            Folder(home, project, Role.CHECKLIST, searched=False, main=SCRATCHPAD_FILE),
            Folder(f"{home}/{NOTES_FOLDER}", project, Role.NOTE, first=LONG_TERM_FILE),
            Folder(f"{home}/{DAILY_FOLDER}", project, Role.LOG, dated=True, first=LONG_TERM_FILE),
        )

    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """The path for a file of a role (specification, section 1); None for roles it does not have."""
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
        """The file for archived items of a project (specification, section 19)."""
        return f"{PROJECTS_FOLDER}/{project}/{ARCHIVE_FOLDER}/{SCRATCHPAD_FILE}"

    def label(self, role: Role) -> str:
        """The label of a file of this role."""
        return {Role.FACTS: LONG_TERM_FILE, Role.CHECKLIST: "scratchpad", Role.LOG: "log"}.get(role, role.value)

    def part(self, role: Role | None) -> str:
        """The label of the prompt's share of files of this role."""
        parts: dict[Role | None, str] = {Role.FACTS: "MEMORY", Role.CHECKLIST: "scratchpad", Role.LOG: "logs"}
        return parts.get(role, "other")

    def inject_limit(self, role: Role) -> int | None:
        """The size in bytes above which the agent leaves a file out of the prompt; None if there is no limit."""
        return LONG_TERM_INJECT_LIMIT if role is Role.FACTS else None

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """Those that are there; then `AGENTS.md` and `ARCHITECTURE.md`, but no new `CLAUDE.md`, which other agents read too."""
        there = [name for name in self.context_files if disk.read(f"{folder}/{name}") is not None]
        return (*there, *(name for name in self.context_files if name not in (*there, "CLAUDE.md")))

    def block(self, reader: Reader, moment: Moment) -> Block:
        """The `<memory>` block (specification, section 8)."""
        from zsmem_tui.agents.zerostack.prompt import block  # deferred: `dataclasses`, not needed for a search

        return block(self, reader, moment)


ZEROSTACK: Final = ZerostackLayout()
