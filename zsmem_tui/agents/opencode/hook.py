"""What our plugin for opencode sends: that a session begins, and the summary of a compaction."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.hook_shape import HookShape

HOOK: Final = HookShape("opencode", start=("session.started",), summary_event="session.compacted", summary="summary")
