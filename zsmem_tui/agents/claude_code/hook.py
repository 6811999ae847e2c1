"""Claude Code's hooks: memory at the start of a session, the summary of a compaction at its end."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.hook_shape import HookShape

HOOK: Final = HookShape(
    "claude-code",
    start=("SessionStart",),
    limit=9_500,  # an answer of more than 10,000 characters is replaced by a pointer
    parts=4,
    summary_event="PostCompact",
    summary="compact_summary",
    session=("session_id", "conversation_id"),
    twin="cursor",
)
