"""zerostack's hooks: it has memory by itself, but its sub-agents get none."""

from __future__ import annotations

import json
from typing import Final

from zsmem_tui.agents.hook_shape import HookShape


def _answer(text: str) -> str:
    return json.dumps({"additionalContext": text}, ensure_ascii=False)


HOOK: Final = HookShape("zerostack", start=("SubagentStart",), answer=_answer)
