"""Where oh-my-pi's local backend keeps its memory, by environment and working folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Final

from zsmem_tui.agents.places import Place
from zsmem_tui.core.names import DEVICE
from zsmem_tui.core.refs import Role

LEARNED: Final = "learned.md"
SUMMARY: Final = "memory_summary.md"
LONG_TERM: Final = "MEMORY.md"
RAW: Final = "raw_memories.md"
ROLLOUTS: Final = "rollout_summaries"
SKILLS: Final = "skills"
MEMORIES: Final = "memories"
BANKS: Final = "sharpshooter"
"""Next to the memories: banks about architecture, product and style, whose names do not tell their folder."""
BANK_FILES: Final = ("architecture.md", "product.md", "style.md")
SETTINGS: Final = ("../config.yml", "../config.yaml")
"""The agent's settings, next to the folder of all memories."""
PROGRAMS: Final = ("omp", "oh-my-pi")
"""The names of the agent's process: a lock file counts only while one of these holds it."""

_SEPARATOR: Final = re.compile(r"[/\\:]")
_PROFILE: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}(?<!\.)")
_GENERATED: Final = "oh-my-pi's consolidation writes it anew"


def encoded(folder: str, platform: str = "posix") -> str:
    """The name of a folder's memory: without a leading separator, others and colons become `-`; lower case on `win32`.

    It cannot be decoded: `/a/b` and `/a-b` share a memory.
    """
    if platform == "win32":
        folder = folder.lower()
    return f"--{_SEPARATOR.sub('-', folder[1:] if folder[:1] in ('/', chr(92)) else folder)}--"


def profile(env: Mapping[str, str]) -> str:
    """The named profile, or empty: `OMP_PROFILE` if set at all, else `PI_PROFILE`; an invalid name means none."""
    name = env["OMP_PROFILE"] if "OMP_PROFILE" in env else env.get("PI_PROFILE", "")
    is_good = name != "default" and _PROFILE.fullmatch(name) and not DEVICE.fullmatch(name)
    return name if is_good else ""


def root(env: Mapping[str, str], home: str, is_there: Callable[[str], bool], folder: str) -> str:
    """The folder of all memories.

    In the home folder, unless `PI_CODING_AGENT_DIR` names the agent's folder (ignored with a profile), or oh-my-pi has a folder in
    `XDG_STATE_HOME`. Relative paths start at the folder worked in, and `~` is not expanded.
    """
    named = profile(env)
    below = f"profiles/{named}" if named else ""
    if not named and env.get("PI_CODING_AGENT_DIR"):
        return posixpath.normpath(posixpath.join(folder or home, env["PI_CODING_AGENT_DIR"], MEMORIES))
    if env.get("XDG_STATE_HOME"):
        state = posixpath.normpath(posixpath.join(folder or home, env["XDG_STATE_HOME"], "omp", below))
        if is_there(state):
            return posixpath.join(state, MEMORIES)
    base = f"{home}/{env.get('PI_CONFIG_DIR') or '.omp'}"
    return posixpath.normpath(posixpath.join(base, below, "agent", MEMORIES))


def place(path: str) -> Place | None:
    """The place of a file in the memories; None if it is no memory (databases, queues, locks, other folders)."""
    parts = path.split("/")
    if len(parts) < 2 or not (parts[0].startswith("--") and parts[0].endswith("--")) or any(part[:1] == "." for part in parts[1:]):
        return None
    group = f"folder:{parts[0]}"
    match parts[1:]:
        case [name] if name == LEARNED:
            return Place(group, Role.FACTS, name)
        case [name] if name in (SUMMARY, LONG_TERM, RAW):
            return Place(group, Role.DERIVED, name, _GENERATED)
        case [folder, name] if folder == ROLLOUTS and name.endswith(".md"):
            return Place(group, Role.DERIVED, name, _GENERATED)
        case [folder, name, "SKILL.md"] if folder == SKILLS:
            return Place(group, Role.DERIVED, f"{SKILLS}/{name}", _GENERATED)
        case _:
            return None


def new_path(role: Role, group: str, name: str = "") -> str | None:
    """The path for a new file of a role; None unless it is for lessons."""
    folder = group.partition(":")[2]
    return f"{folder}/{LEARNED}" if role is Role.FACTS and folder else None


def is_lock(name: str) -> bool:
    """Whether a file next to a memory file is a lock of oh-my-pi."""
    return name.endswith(".lock")
