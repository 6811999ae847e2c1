"""The description of Claude Code as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import GoesBy
from zsmem_tui.agents.claude_code import files
from zsmem_tui.agents.hook_shape import HookShape
from zsmem_tui.agents.places import Machine

HOOK: Final = HookShape(
    "claude-code",
    start=("SessionStart",),
    limit=9_500,  # an answer of more than 10,000 characters is replaced by a reference
    parts=4,
    summary_event="PostCompact",
    summary="compact_summary",
    session=("session_id", "conversation_id"),
    twin="cursor",
)
"""Memory at the start of a session, and the summary of a compaction."""


class ClaudeCode(files.TopicAgent):
    """An index and topics for each project and sub-agent, and its instruction files."""

    name = "claude-code"
    title = "Claude Code"
    travels = True
    goes_by = GoesBy.REPOSITORY
    hook = HOOK
    files = files.CLAUDE

    def folder_settings(self, root: str) -> str:
        """`.claude.json`: next to the folder in the home folder, else within the named one."""
        above, _, name = root.rpartition("/")
        return f"{above if name == files.OWN_FOLDER else root}/{files.FOLDER_SETTINGS}"

    def traces(self, on: Machine) -> list[str]:
        """The global instructions, and the memory of the folder; the agent's own folder exists for other reasons too."""
        root, name = files.CLAUDE.root(on.env, on.home), files.encoded(on.folder)
        projects = f"{root}/{files.PROJECTS}"
        named = [f"{root}/{each}" for each in files.CLAUDE.homes(files.CLAUDE.named_group(on.env, root))]
        own = f"{projects}/{name}" if len(name) <= files.LONGEST else projects
        return [f"{root}/{files.ORDERS}", f"{root}/{files.RULES}", own, *named]


AGENT: Final = ClaudeCode()
