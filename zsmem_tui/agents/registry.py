"""The list of agents in order of display. Each description is loaded on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zsmem_tui.agents.agent import Agent
    from zsmem_tui.agents.format import Format

AGENTS: Final = {
    "claude-code": "claude_code",
    "ethos": "ethos",
    "opencode": "opencode",
    "memsearch": "memsearch",
    "oh-my-pi": "oh_my_pi",
    "qwen-code": "qwen_code",
    "gemini": "gemini",
    "codex": "codex",
    "cursor": "cursor",
    "vscode": "vscode",
    "instructions": "instructions",
    "zerostack": "zerostack",
    "markdown": "markdown",
}
"""Every agent with its package; a new agent only needs a line here."""


@cache
def agent(name: str) -> Agent | None:
    """The agent of that name; None if there is none."""
    if name not in AGENTS:
        return None
    found: Agent = import_module(f"zsmem_tui.agents.{AGENTS[name]}.agent").AGENT
    return found


def every() -> tuple[Agent, ...]:
    """All agents."""
    return tuple(found for name in AGENTS if (found := agent(name)) is not None)


def kinds() -> dict[str, Agent]:
    """Every kind of store except the default one, by name."""
    return {each.name: each for each in every() if each.has_stores}


def kind(name: str) -> Agent | None:
    """The kind of that name; None for the default one, and if there is none."""
    found = agent(name)
    return found if found is not None and found.has_stores else None


@cache
def formats() -> tuple[Format, ...]:
    """All import and export formats."""
    return tuple(each.format() for each in every() if each.has_format)


def with_clients() -> tuple[str, ...]:
    """The names of the agents that can be connected."""
    return tuple(each.name for each in every() if each.has_client)
