"""The description of opencode with the plugin opencode-agent-memory as an agent."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.agent import Agent, in_folder
from zsmem_tui.agents.hook_shape import HookShape
from zsmem_tui.agents.opencode import files
from zsmem_tui.agents.places import Machine

HOOK: Final = HookShape("opencode", start=("session.started",), summary_event="session.compacted", summary="summary")
"""What our plugin for opencode sends: the start of a session, and the summary of a compaction."""


class Opencode(Agent):
    """Global and project blocks, and a journal."""

    name = "opencode"
    title = "opencode"
    travels = True
    format_name = "opencode-agent-memory"
    has_stores = has_format = has_client = is_below = True
    hook = HOOK

    def roots(self, on: Machine) -> list[str]:
        """The folders of global blocks and of the project's blocks."""
        return [f"{on.home}/{files.GLOBAL_FOLDER}", posixpath.join(on.folder, files.PROJECT_FOLDER)]

    def folder_of(self, root: str) -> str:
        """The project's folder."""
        return in_folder(root, files.PROJECT_FOLDER)


AGENT: Final = Opencode()
