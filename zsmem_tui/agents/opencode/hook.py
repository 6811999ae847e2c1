"""What our plugin for opencode sends: the summary of a compaction. Memory it gets by itself."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.hook_shape import HookShape

HOOK: Final = HookShape("opencode", summary_event="session.compacted", summary="summary")
