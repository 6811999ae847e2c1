"""What the agent's session needs to know about memory: token reserve for compaction, and where the block goes in the prompt
(specification, sections 8 and 12).
"""

from __future__ import annotations

from zsmem_tui.core.tokens import estimate_tokens


def effective_reserve(base: int, block: str | None) -> int:
    """The compaction reserve in tokens: `base` plus the tokens of the memory block, if there is one."""
    return base if block is None else base + estimate_tokens(block)


def compaction_heading(count: int | None = None) -> str:
    """The heading under which the summary of `count` messages is written to the log."""
    return "compaction summary" if count is None else f"compaction summary ({count} msgs)"


def append_memory_block(preamble: str, block: str | None) -> str:
    """Append the block to `preamble` below a rule; return it unchanged if the block is None or empty."""
    return f"{preamble}\n\n---\n\n{block}" if block else preamble
