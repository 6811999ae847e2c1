"""Where Ethos keeps its memory: scopes, keys, what is memory and what never.

Everything lies below one folder. A scope is a personality, a user or a team; ids and keys are plain ASCII names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.places import Place
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role

MEMORY: Final = "MEMORY.md"
USER: Final = "USER.md"
ARCHIVE: Final = "memory-archive.md"
SOUL: Final = "SOUL.md"
PERSONALITIES: Final = "personalities"
USERS: Final = "users"
TEAMS: Final = "teams"
SETTINGS: Final = "config.yaml"
PROGRAMS: Final = ("ethos",)
"""What the agent's process is called: a lock file counts only while one of these holds it."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]+")
_KEY: Final = re.compile(r"(?!\.)[A-Za-z0-9_.-]+")
_LOCK: Final = re.compile(r".*\.(lock|rotating)")
_ROOTS: Final = {"personality": PERSONALITIES, "user": USERS}


def root(env: Mapping[str, str], home: str) -> str:
    """Ethos' folder: `ETHOS_STATE_DIR`, else `.ethos` below home, on every system."""
    return env.get("ETHOS_STATE_DIR") or f"{home}/.ethos"


def is_id(name: str) -> bool:
    """Whether Ethos takes a name for a personality, a user or a team."""
    return _ID.fullmatch(name) is not None


def is_key(name: str) -> bool:
    """Whether Ethos takes a file name: ASCII letters, digits, `_ . -`, no dot in front, no two dots together."""
    return _KEY.fullmatch(name) is not None and ".." not in name


def scope_folder(scope: str) -> str:
    """The folder of a scope, relative to the root: `personality:<id>`, `user:<id>`, or the root itself for `team:<id>`.

    Raises `RuleBroken` (`scope`).
    """
    kind, colon, name = scope.partition(":")
    if not colon or kind not in (*_ROOTS, "team") or not is_id(name):
        raise RuleBroken(
            "scope",
            f"Ethos has no {scope or 'scope without a name'}.",
            "A scope is personality:ID, user:ID or team:ID; an ID has ASCII letters, digits, - and _.",
        )
    return "" if kind == "team" else f"{_ROOTS[kind]}/{name}"


def path_of(scope: str, key: str) -> str:
    """The path of a key in a scope. Raises `RuleBroken` (`scope` or `key`)."""
    folder = scope_folder(scope)
    if not is_key(key):
        raise RuleBroken(
            "key",
            f"Ethos does not take the file name {key!r}. Nothing was written.",
            "It may have ASCII letters, digits, - _ and ., no dot in front and no two dots together.",
        )
    return f"{folder}/{key}" if folder else key


def archive_of(path: str) -> str:
    """Where what overflows a file goes: the archive beside it."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{ARCHIVE}" if folder else ARCHIVE


def is_listed(name: str) -> bool:
    """Whether a file of a scope is listed and searched: it ends in `.md` and is a good key."""
    return name.endswith(".md") and is_key(name)


def place(path: str) -> Place | None:
    """What a file below the root is; None for what is no memory.

    `MEMORY.md` and `USER.md` of a personality or user are in the prompt, other Markdown there is read on demand. The soul of a
    personality, settings, skills, histories, pending and tombstone files, archives of old versions and legacy files at the root
    are no memory to edit; a folder whose name Ethos refuses is not read at all.
    """
    match path.split("/"):
        case [root, name, key] if root == PERSONALITIES and is_id(name) and is_listed(key):
            return _in_scope(f"personality:{name}", key)
        case [root, name, key] if root == USERS and is_id(name) and key == USER:
            return Place(f"user:{name}", Role.FACTS, USER)
        case [root, team, "memory", key] if root == TEAMS and is_id(team) and is_listed(key):
            return Place(f"team:{team}", Role.NOTE, key)
        case _:
            return None


def new_path(role: Role, group: str, name: str = "") -> str | None:
    """Where a new file of a role goes, relative to the root; None: Ethos has no such role (checklists, logs, an index)."""
    kind, _, who = group.partition(":")
    if role is Role.FACTS and kind in _ROOTS and is_id(who):
        return f"{_ROOTS[kind]}/{who}/{USER if kind == 'user' else MEMORY}"
    key = f"{name}.md"
    if role is Role.NOTE and kind == "personality" and is_id(who) and is_key(key) and key not in (MEMORY, USER, SOUL, ARCHIVE):
        return f"{PERSONALITIES}/{who}/{key}"
    if role is Role.NOTE and kind == "team" and is_id(who) and is_key(key):
        return f"{TEAMS}/{who}/memory/{key}"
    return None


def is_lock(name: str) -> bool:
    """Whether a file beside a memory file says that somebody is at work: `*.lock`, or a history that is being rotated."""
    return _LOCK.fullmatch(name) is not None


def _in_scope(group: str, key: str) -> Place | None:
    if key == SOUL:
        return None
    if key == ARCHIVE:
        return Place(group, Role.DERIVED, key, "Ethos moves retired facts there itself")
    return Place(group, Role.FACTS if key in (MEMORY, USER) else Role.NOTE, key)
