"""Import and export for Gemini CLI, based on Claude Code's format."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code.format import ClaudeCodeFormat
from zsmem_tui.agents.gemini.agent import FILES, ORDERS
from zsmem_tui.agents.places import Machine
from zsmem_tui.core.notice import Notice, NoticeKind


class GeminiFormat(ClaudeCodeFormat):
    """What its index says itself, and lines below `## Gemini Added Memories`, become facts; its notes are notes.

    Notes are read on demand; of each, its line in the index is in every prompt.
    """

    losses = "In: links between notes and their order. Out: facts belong to one project there; checkboxes become plain text."
    group_kinds: tuple[str, ...] = ("project",)
    files = FILES
    instructions = (ORDERS, f"{FILES.own_folder}/{ORDERS}")
    instructed = Notice(NoticeKind.ON_REQUEST, text="instructions, not memory")
    added = "## Gemini Added Memories"

    def places(self, on: Machine) -> list[str]:
        """Its whole folder, since only its list tells a project's id."""
        return self.whole(on)

    def group_of(self, folder: str) -> str:
        """Empty, since only its list of projects tells."""
        return ""

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Empty, since no limit of its index is known."""
        return ""


FORMAT: Final = GeminiFormat
