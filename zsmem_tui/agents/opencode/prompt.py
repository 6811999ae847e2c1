"""What opencode-agent-memory puts into every prompt: all blocks, whole, with a number before each line of their values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import Block
from zsmem_tui.agents.prompt_parts import AgentPrompt, PromptSection, own_words
from zsmem_tui.core.text import raw_lines

OWN_WORDS: Final = {
    "INSTRUCTIONS": 1828,
    "LINE_WARNING": 152,
    "BLOCKS_SENTENCE": 0,
    "TOOLS_SENTENCE": 0,
    "DESCRIPTION:persona": 0,
    "DESCRIPTION:human": 0,
    "DESCRIPTION:project": 0,
    "DESCRIPTION:other": 0,
}
"""opencode's own sentences, with their lengths where they are known and long enough to matter."""


def prompt(blocks: Sequence[Block], now: datetime) -> AgentPrompt:
    """The text for blocks that are in order; nothing where there are none. A limit never cuts anything: nothing is lost.

    `used` and `cap` are of the block that is fullest for its limit.
    """
    if not blocks:
        return AgentPrompt(None, unit="characters")
    sections = tuple(PromptSection(block.label, block.file, _block(block)) for block in blocks)
    newest = max(block.modified_ns for block in blocks)
    text = "\n".join(
        (
            "{INSTRUCTIONS}",
            "",
            "<memory_blocks>",
            "{BLOCKS_SENTENCE}",
            "",
            *(each.text for each in sections),
            "</memory_blocks>",
            "",
            "<memory_metadata>",
            f"- The current system date is: {iso(now)}",
            f"- Memory blocks were last modified: {iso(time_of(newest))}",
            "{TOOLS_SENTENCE}",
            "</memory_metadata>",
        )
    )
    fullest = max(blocks, key=lambda block: js.units(block.value) / block.limit)
    return AgentPrompt(
        text, sections, (), js.units(fullest.value), fullest.limit, "characters", own_words=own_words(text, OWN_WORDS)
    )


def iso(when: datetime) -> str:
    """A time as JavaScript writes it: UTC, milliseconds cut off, not rounded."""
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_of(nanoseconds: int) -> datetime:
    """The time of a file."""
    return datetime.fromtimestamp(nanoseconds // 10**9, UTC).replace(microsecond=nanoseconds % 10**9 // 1000)


def _block(block: Block) -> str:
    about = block.description.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    lines = [f"{number}→ {line}" for number, line in enumerate(raw_lines(block.value), 1)] if block.value else [""]
    return "\n".join(
        (
            f"<{block.label}>",
            "<description>",
            about,
            "</description>",
            "<metadata>",
            f"- chars_current={js.units(block.value)}",
            f"- chars_limit={block.limit}",
            f"- read_only={str(block.read_only).lower()}",
            f"- scope={block.scope}",
            "</metadata>",
            "<warning>",
            "{LINE_WARNING}",
            "</warning>",
            "<value>",
            *lines,
            "</value>",
            f"</{block.label}>",
        )
    )
