"""The settings as one immutable object.

It is a `NamedTuple`, since importing `dataclasses` would cost a cold command 10 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.profile import Profile


class Config(NamedTuple):
    """All settings with their defaults. The fields are the keys of the settings file; `ABOUT` explains them."""

    profile: Profile = Profile.DOCUMENTED
    root: str = ""
    inject_cap: int = MAX_INJECT_BYTES
    theme: str = "dark"
    line_breaks: str = "join"
    history_days: int = 365
    history_bytes: int = 256 * 1024 * 1024
    search_memory: int = 512
    search_log: bool = True
    stores: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    sync: str | int = "manual"
    keys: Mapping[str, str] = MappingProxyType({})


ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "profile": "Which zerostack is matched: `documented`, as its documents say, or `zerostack-1.7`, as that version does it.",
        "root": "zerostack's memory folder; empty: where it keeps it (specification, section 1).",
        "inject_cap": "Bytes that zerostack's prompt takes of memory at most.",
        "theme": (
            "`dark`, `light` (each in 16 colours where the terminal has no more), `zsmem-dark` and its like for just these "
            "colours, or the name of any Textual theme, such as `nord`."
        ),
        "line_breaks": (
            "`join`: the viewer draws the lines of a paragraph as one, as Markdown means it; `keep`: each line stays a line."
        ),
        "history_days": "Days after which only the last version of each day is kept of a file; 0 keeps all.",
        "history_bytes": (
            "Bytes that the history of a store may take; older versions go first, never a file's newest. 0 is no bound."
        ),
        "search_memory": (
            "Megabytes of text that the screen holds to search in, of all stores together. What is more is read for each search, "
            "which finds the same; all of it is given back after ten minutes without a search, or when other programs need the "
            "memory."
        ),
        "search_log": (
            "Whether searches are noted in the state folder, for you alone: `zsmem misses` finds in them what was looked for in "
            "vain."
        ),
        "stores": (
            'Whose memory is opened: `["zerostack", "claude-code", "markdown:~/notes"]`, each `KIND` or `KIND:FOLDER`; '
            "none: every agent's on this machine. A verb works on what `--store` names, else on the first of these that has memory "
            "of the folder."
        ),
        "roots": 'Folders that are looked over for the folders of projects, beside the home folder: `["/srv/code"]`.',
        "sync": (
            'When the program syncs with your other machines, once that is set up: `"manual"`, when you say so; `"start"`, when it '
            "opens; `15`, every so many minutes."
        ),
        "keys": 'Keys by action id, several separated by commas: `"app.search" = "s,3,f12"`.',
    }
)
"""Explanations by setting name."""
