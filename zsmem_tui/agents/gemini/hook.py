"""Gemini CLI's hooks: memory at the start of a session."""

from __future__ import annotations

import json
from typing import Final

from zsmem_tui.agents.hook_shape import HookShape


def _answer(text: str) -> str:
    return json.dumps({"hookSpecificOutput": {"additionalContext": text}}, ensure_ascii=False)


HOOK: Final = HookShape("gemini", start=("SessionStart",), answer=_answer)
