"""Agent memory in plain Markdown: read it, search it, write it (specification, section 16).

    from zsmem_tui import Mem
    mem = Mem.open()                     # the store and project that an agent started here would use
    print(mem.search("redis port").render(32768))

Names are loaded when first used; neither Textual nor Rich is imported by any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zsmem_tui.agents.memsearch.layout import MemsearchMemory
    from zsmem_tui.agents.oh_my_pi.layout import OhMyPiMemory
    from zsmem_tui.agents.oh_my_pi.lessons import Lesson
    from zsmem_tui.agents.opencode.journal import Query
    from zsmem_tui.agents.opencode.layout import OpencodeMemory
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.compaction import MEMORY_TOOLS_PROMPT, append_memory_block, compaction_heading, effective_reserve
    from zsmem_tui.core.errors import (
        BadContent,
        BadName,
        BadTarget,
        ConfigError,
        HistoryError,
        MemError,
        Missing,
        NotExactlyOnce,
        OutsideStore,
        RuleBroken,
        StoreError,
        Undecodable,
        Unreadable,
        WriteFailed,
    )
    from zsmem_tui.core.limits import MAX_INJECT_BYTES, MAX_WRITE_BYTES
    from zsmem_tui.core.names import project_slug
    from zsmem_tui.core.outcomes import WriteReport
    from zsmem_tui.core.profile import Profile
    from zsmem_tui.core.provider import MemoryEntry, MemoryProvider, MemoryUpdate, SyncReport
    from zsmem_tui.core.recall.misses import missed_searches
    from zsmem_tui.core.refs import WriteMode, WriteTarget
    from zsmem_tui.core.search import SearchHit, SearchResults
    from zsmem_tui.core.text import estimate_tokens
    from zsmem_tui.service.agent_memory import agent_group, agent_memory, agent_root
    from zsmem_tui.service.agent_tools import Tool, memory_tools
    from zsmem_tui.service.providers import EthosMemory, ZerostackMemory
    from zsmem_tui.store.mem import Mem, flush_compaction_summary

__version__: Final = "0.3.0"

_HOMES: Final = {
    "agents.memsearch.layout": ("MemsearchMemory",),
    "agents.oh_my_pi.layout": ("OhMyPiMemory",),
    "agents.oh_my_pi.lessons": ("Lesson",),
    "agents.opencode.journal": ("Query",),
    "agents.opencode.layout": ("OpencodeMemory",),
    "agents.prompt_parts": ("AgentPrompt",),
    "service.agent_memory": ("agent_group", "agent_memory", "agent_root"),
    "core.compaction": ("MEMORY_TOOLS_PROMPT", "append_memory_block", "compaction_heading", "effective_reserve"),
    "core.limits": ("MAX_INJECT_BYTES", "MAX_WRITE_BYTES"),
    "core.errors": (
        "BadContent",
        "BadName",
        "BadTarget",
        "ConfigError",
        "HistoryError",
        "MemError",
        "Missing",
        "NotExactlyOnce",
        "OutsideStore",
        "RuleBroken",
        "StoreError",
        "Undecodable",
        "Unreadable",
        "WriteFailed",
    ),
    "core.names": ("project_slug",),
    "core.outcomes": ("WriteReport",),
    "core.profile": ("Profile",),
    "core.provider": ("MemoryEntry", "MemoryProvider", "MemoryUpdate", "SyncReport"),
    "core.recall.misses": ("missed_searches",),
    "core.refs": ("WriteMode", "WriteTarget"),
    "core.search": ("SearchHit", "SearchResults"),
    "core.text": ("estimate_tokens",),
    "service.agent_tools": ("Tool", "memory_tools"),
    "service.providers": ("EthosMemory", "ZerostackMemory"),
    "store.mem": ("Mem", "flush_compaction_summary"),
}

__all__ = [
    "MAX_INJECT_BYTES",
    "MAX_WRITE_BYTES",
    "MEMORY_TOOLS_PROMPT",
    "AgentPrompt",
    "BadContent",
    "BadName",
    "BadTarget",
    "ConfigError",
    "EthosMemory",
    "HistoryError",
    "Lesson",
    "Mem",
    "MemError",
    "MemoryEntry",
    "MemoryProvider",
    "MemoryUpdate",
    "MemsearchMemory",
    "Missing",
    "NotExactlyOnce",
    "OhMyPiMemory",
    "OpencodeMemory",
    "OutsideStore",
    "Profile",
    "Query",
    "RuleBroken",
    "SearchHit",
    "SearchResults",
    "StoreError",
    "SyncReport",
    "Tool",
    "Undecodable",
    "Unreadable",
    "WriteFailed",
    "WriteMode",
    "WriteReport",
    "WriteTarget",
    "ZerostackMemory",
    "agent_group",
    "agent_memory",
    "agent_root",
    "append_memory_block",
    "compaction_heading",
    "effective_reserve",
    "estimate_tokens",
    "flush_compaction_summary",
    "memory_tools",
    "missed_searches",
    "project_slug",
]


def __getattr__(name: str) -> object:
    """Load a public name from the module that defines it."""
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module  # the lazy public API

            return getattr(import_module(f"zsmem_tui.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return sorted([*__all__, "__version__"])
