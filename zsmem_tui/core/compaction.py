"""What the agent's session needs to know about memory: reserve, tokens, and the block's place in the prompt
(specification, sections 8 and 12)."""

from __future__ import annotations

from zsmem_tui.core.tokens import estimate_tokens


def effective_reserve(base: int, block: str | None) -> int:
    """The compaction reserve in tokens: `base`, plus what the memory block costs when there is one."""
    return base if block is None else base + estimate_tokens(block)


def compaction_heading(count: int | None = None) -> str:
    """The heading under which a compaction summary of `count` messages is logged."""
    return "compaction summary" if count is None else f"compaction summary ({count} msgs)"


def append_memory_block(preamble: str, block: str | None) -> str:
    """`preamble` with the block set off below it; unchanged when there is no block or it is empty."""
    return f"{preamble}\n\n---\n\n{block}" if block else preamble
