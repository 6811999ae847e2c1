"""A plain folder of Markdown: everything that is not hidden is memory, and no agent says what it puts into a prompt."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents.markdown_files import DATE, LONG_TERM_FILE, SCRATCHPAD_FILE
from zsmem_tui.agents.places import GLOBAL, Place
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.refs import Role

ENDINGS: Final = (".md", ".markdown")
"""How the names of memory files end."""
_BAD_STEM: Final = re.compile(r"[/\\\x00-\x1f]|^\.|^$")


def place(path: str) -> Place | None:
    """What a file is, by its name: `MEMORY.md` has facts, `SCRATCHPAD.md` tasks, a date is a day, everything else a note."""
    if not path.endswith(ENDINGS) or any(part.startswith(".") for part in path.split("/")):
        return None
    stem = path.rpartition("/")[2].removesuffix(".markdown").removesuffix(".md")
    role = {LONG_TERM_FILE: Role.FACTS, SCRATCHPAD_FILE: Role.CHECKLIST}.get(path, Role.LOG if DATE.match(stem) else Role.NOTE)
    return Place(GLOBAL, role, path)


def new_path(role: Role, name: str = "") -> str | None:
    """Where a new file of a role goes; None: a plain folder has no index and no instructions."""
    if role in (Role.NOTE, Role.LOG) and not _BAD_STEM.search(name) and (role is Role.NOTE or DATE.match(name)):
        return f"{name}.md"
    return {Role.FACTS: LONG_TERM_FILE, Role.CHECKLIST: SCRATCHPAD_FILE}.get(role)


def prompt() -> AgentPrompt:
    """Nothing: no agent reads it by itself."""
    return AgentPrompt(None)
