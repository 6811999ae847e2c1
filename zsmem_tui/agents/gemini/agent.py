"""Gemini CLI."""

from __future__ import annotations

import json
from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.hook_shape import HookShape


def _answer(text: str) -> str:
    return json.dumps({"hookSpecificOutput": {"additionalContext": text}}, ensure_ascii=False)


HOOK: Final = HookShape("gemini", start=("SessionStart",), answer=_answer)
"""Gemini CLI's hooks: memory at the start of a session."""


class Gemini(Agent):
    """What connects it, and its hooks."""

    name = "gemini"
    title = "Gemini CLI"
    has_client = True
    hook = HOOK


AGENT: Final = Gemini()
