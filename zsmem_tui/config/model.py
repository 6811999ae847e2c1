"""The settings, read once into one frozen object.

A `NamedTuple`, like the values of `core` that a search needs: importing `dataclasses` would cost a cold command 10 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from zsmem_tui.core.constants import MAX_INJECT_BYTES
from zsmem_tui.core.profile import Profile


class Config(NamedTuple):
    """Every setting with its default. The keys of the settings file are these names."""

    profile: Profile = Profile.DOCUMENTED
    """Which agent is matched: `documented` or `zerostack-1.7`."""

    root: str = ""
    """The memory folder; empty: where the agent keeps it (specification, section 1)."""

    inject_cap: int = MAX_INJECT_BYTES
    """Bytes that the prompt takes of memory at most."""

    theme: str = "dark"
    """`dark`, `light` (each in 16 colours where the terminal has no more), `zsmem-dark` and its like for just these colours, or the
    name of any Textual theme, such as `nord`."""

    line_breaks: str = "join"
    """`join`: the viewer draws the lines of a paragraph as one, as Markdown means it; `keep`: each line stays a line."""

    history_days: int = 365
    """Days after which only the last version of each day is kept of a file; 0 keeps all."""

    history_bytes: int = 256 * 1024 * 1024
    """Bytes that the history of a store may take; older versions go first, never a file's newest. 0 is no bound."""

    search_memory: int = 512
    """Megabytes of text that the screen holds of each store to search in. What is more is read for each search, which finds the
    same; all of it is given back after ten minutes without a search, or when other programs need the memory."""

    stores: tuple[str, ...] = ()
    """Whose memory is opened: `["zerostack", "claude-code", "markdown:~/notes"]`, each `KIND` or `KIND:FOLDER`; none: every agent's
    on this machine. Headless verbs work on zerostack's, or on what `--store` names."""

    roots: tuple[str, ...] = ()
    """Folders that are looked over for the folders of projects, beside the home folder: `["/srv/code"]`."""

    keys: Mapping[str, str] = MappingProxyType({})
    """Keys by action id, several separated by commas: `"app.search" = "s,3,f7"`."""
