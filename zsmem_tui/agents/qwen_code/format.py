"""Import and export for Qwen Code, based on Claude Code's format."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code.format import ClaudeCodeFormat
from zsmem_tui.agents.gemini.format import GeminiFormat
from zsmem_tui.agents.outgoing import Spot, Wish
from zsmem_tui.agents.qwen_code.agent import LOCAL_ORDERS, ORDERS, OWN_FOLDER, PRIVATE, TEAM_FOLDER


class QwenCodeFormat(ClaudeCodeFormat):
    """`user` and `feedback` of one paragraph become facts, as do lines below `## Qwen Added Memories`; everything else notes.

    Notes (topic files) are read on demand; of each, its line in the index is in every prompt.
    """

    group_kinds: tuple[str, ...] = ("project",)
    files = PRIVATE
    instructions = (ORDERS, LOCAL_ORDERS, f"{OWN_FOLDER}/{ORDERS}")
    instructed = GeminiFormat.instructed
    added = "## Qwen Added Memories"

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """Its folder; never a team's memory, which is shared by git."""
        if f"{wish.path.rstrip('/')}/".endswith(f"/{TEAM_FOLDER}/"):
            return {"": Spot(self.name, wish.path, problem="a team's memory takes no whole memory: copy what all are to have")}
        return super().spots(wish)


FORMAT: Final = QwenCodeFormat
