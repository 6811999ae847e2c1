"""Gemini CLI's memory, in and out, as Claude Code's."""

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
        """Its folder: what a project is called there, only its list tells."""
        return self.whole(on)

    def group_of(self, folder: str) -> str:
        """Only its list of projects tells."""
        return ""

    def refused(self, path: str, after: bytes) -> str:
        """Nothing: no limit of its index is known."""
        return ""


FORMAT: Final = GeminiFormat
