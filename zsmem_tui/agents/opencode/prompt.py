"""The prompt of opencode-agent-memory: all blocks in full, with numbered lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import Block
from zsmem_tui.agents.prompt_parts import AgentPrompt, PromptSection
from zsmem_tui.core.context import Meter, Shown
from zsmem_tui.core.moments import moment
from zsmem_tui.core.text import raw_lines

RULE: Final = "opencode puts every block there whole; its limit bounds what may be written into it, and cuts nothing."
NOTHING: Final = "opencode puts every block there, and there is none."


def file_of(block: Block) -> str:
    """The name of a block's file."""
    return block.file


def prompt(blocks: Sequence[Block], now: datetime, path_of: Callable[[Block], str] = file_of) -> AgentPrompt:
    """The prompt for sorted blocks; empty if there are none. Nothing is ever cut.

    `used` counts all of it; the meters show each block's size and limit. `path_of` gives the path of a block's file.
    """
    if not blocks:
        return AgentPrompt(None, unit="characters", rule=NOTHING)
    parts = [_block(block, path_of(block)) for block in blocks]
    shown = zip(blocks, parts, strict=True)
    sections = tuple(
        PromptSection(block.label, path_of(block), "\n".join(run.text for run in part if run.end)) for block, part in shown
    )
    newest = max(block.modified_ns for block in blocks)
    runs = [Shown(line) for line in ("{INSTRUCTIONS}", "", "<memory_blocks>", "{BLOCKS_SENTENCE}", "")]
    for part in parts:
        runs += part
    runs += [
        Shown("</memory_blocks>"),
        Shown(""),
        Shown("<memory_metadata>"),
        Shown(f"- The current system date is: {iso(now)}"),
        Shown(f"- Memory blocks were last modified: {iso(time_of(newest))}"),
        Shown("{TOOLS_SENTENCE}"),
        Shown("</memory_metadata>", end=""),
    ]
    text = "".join(f"{run.text}{run.end}" for run in runs)
    meters = [Meter(js.units(each.value), each.limit, f"the block {each.label}", path_of(each)) for each in blocks]
    return AgentPrompt(text, sections, (), js.units(text), 0, "characters", tuple(runs), "", RULE, tuple(meters))


def iso(when: datetime) -> str:
    """A time as JavaScript writes it: UTC, truncated to milliseconds."""
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_of(nanoseconds: int) -> datetime:
    """The time for a file's modification time."""
    return moment(nanoseconds // 10**9, UTC).replace(microsecond=nanoseconds % 10**9 // 1000)


def _block(block: Block, path: str) -> list[Shown]:
    about = block.description.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    head = (
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
    )
    lines = raw_lines(block.value) if block.value else []
    value = [Shown(f"{number + 1}→ {line}", path, block.first_line + number) for number, line in enumerate(lines)]
    said = [Shown("", path, number, end="") for number in block.head_lines]
    return [*said, *map(Shown, head), *(value or [Shown("")]), Shown("</value>"), Shown(f"</{block.label}>")]
