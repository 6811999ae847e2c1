"""Qwen Code: where its servers and hooks are kept, and our entries there: as in Gemini CLI, of which it is a fork."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.connection import Client
from zsmem_tui.agents.gemini.connect import entries_in
from zsmem_tui.agents.qwen_code.agent import HOOK, OWN_FOLDER

CLIENT: Final = Client(
    HOOK.agent,
    "Qwen Code",
    ("qwen",),
    lambda on: [posixpath.join(on.home, OWN_FOLDER)],
    lambda setup: entries_in(f"{OWN_FOLDER}/settings.json", HOOK, setup),
)
