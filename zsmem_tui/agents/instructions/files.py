"""Which files of a folder are instructions: those that agents put into every prompt. All else is none."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code import files as claude_code
from zsmem_tui.agents.gemini import agent as gemini
from zsmem_tui.agents.places import GLOBAL, Place
from zsmem_tui.agents.qwen_code import agent as qwen_code
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.refs import Role

AT_THE_TOP: Final = tuple(
    dict.fromkeys((*ZEROSTACK.context_files, claude_code.ORDERS, claude_code.LOCAL_ORDERS, qwen_code.ORDERS, gemini.ORDERS))
)
"""Files of the folder itself, in the order in which they are offered."""

TAKE_MEMORY: Final = tuple(name for name in AT_THE_TOP if name not in (claude_code.ORDERS, claude_code.LOCAL_ORDERS))
"""Those that facts can be promoted to."""

SEEN_WHOLE: Final = ZEROSTACK.context_files
"""Those that some agent puts into its prompt as they stand, comments and all."""

OWN_FOLDER: Final = claude_code.OWN_FOLDER
RULES: Final = f"{OWN_FOLDER}/{claude_code.RULES}"


def place(path: str) -> Place | None:
    """What a file is; None for one that no agent is told by."""
    is_rule = path.startswith(f"{RULES}/") and path.endswith(".md") and "/." not in path.removeprefix(RULES)
    if path in AT_THE_TOP or path == f"{OWN_FOLDER}/{claude_code.ORDERS}" or is_rule:
        return Place(GLOBAL, Role.INSTRUCTIONS, path)
    return None


def new_path(name: str) -> str | None:
    """Where the file of that name goes: one that agents look for, with or without its ending and in any case."""
    if place(name) is not None:
        return name
    wanted = name.casefold().removesuffix(".md").replace("-", ".").removesuffix(".md") or AT_THE_TOP[0].casefold().removesuffix(
        ".md"
    )
    return next((each for each in AT_THE_TOP if each.casefold().removesuffix(".md") == wanted), None)
