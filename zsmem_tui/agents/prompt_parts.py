"""What a prompt is made of, for every agent: the text, where it comes from, and what does not get into it."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.refs import Role


class PromptSection(NamedTuple):
    """A part of a prompt that comes from one file (`path`), or from the agent itself (an empty path)."""

    title: str
    path: str
    text: str


class LostLine(NamedTuple):
    """A line that the agent does not see. `line` counts from 1; `reason` is a clause."""

    path: str
    line: int
    reason: str


class AgentPrompt(NamedTuple):
    """What goes into an agent's prompt. `text` is None where nothing does.

    `used` of `cap` in `unit` is what a meter shows; a cap of 0 is none. An agent's own fixed sentences stand in `text` as
    `{NAME}`, and `own_words` has their lengths.
    """

    text: str | None
    sections: tuple[PromptSection, ...] = ()
    lost: tuple[LostLine, ...] = ()
    used: int = 0
    cap: int = 0
    unit: str = ""
    own_words: tuple[tuple[str, int], ...] = ()


class Place(NamedTuple):
    """What a file of a store is. `group` is whom it belongs to, as `kind:name` or `global`; `role` what it is there for.

    `reason` says why a derived file is not edited here, or why one is never read.
    """

    group: str
    role: Role
    label: str
    reason: str = ""


GLOBAL = "global"
"""The group of what belongs to everybody."""


def own_words(text: str, lengths: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Which of an agent's own sentences stand in `text`, each with its length."""
    return tuple((name, size) for name, size in lengths.items() if f"{{{name}}}" in text)
