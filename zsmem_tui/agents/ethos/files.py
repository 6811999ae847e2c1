"""Where Ethos keeps its memory: scopes, keys, and which files are memory.

Everything is in one folder. A scope is a personality, a user or a team; ids and keys are plain ASCII names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.places import Place
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path

MEMORY: Final = "MEMORY.md"
USER: Final = "USER.md"
ARCHIVE: Final = "memory-archive.md"
SOUL: Final = "SOUL.md"
PERSONALITIES: Final = "personalities"
USERS: Final = "users"
TEAMS: Final = "teams"
SETTINGS: Final = "config.yaml"
PROGRAMS: Final = ("ethos",)
"""The names of the agent's process: a lock file counts only while one of these holds it."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]+")
_KEY: Final = re.compile(r"(?!\.)[A-Za-z0-9_.-]+")
_LOCK: Final = re.compile(r".*\.(lock|rotating)")
_ROOTS: Final = {"personality": PERSONALITIES, "user": USERS}


def root(env: Mapping[str, str], home: str) -> str:
    """Ethos' folder: `ETHOS_STATE_DIR`, else `.ethos` in the home folder, on every system."""
    return posixpath.normpath(env.get("ETHOS_STATE_DIR") or f"{home}/.ethos")


def is_id(name: str) -> bool:
    """Whether Ethos accepts a name for a personality, a user or a team."""
    return _ID.fullmatch(name) is not None


def is_key(name: str) -> bool:
    """Whether Ethos accepts a file name: ASCII letters, digits, `_ . -`, no leading dot, no two dots in a row."""
    return _KEY.fullmatch(name) is not None and ".." not in name


def scope_folder(scope: str) -> str:
    """The relative folder of a scope `personality:<id>` or `user:<id>`; the root itself for `team:<id>`.

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
    refuse_odd(key)
    return f"{folder}/{key}" if folder else key


def refuse_odd(key: str) -> None:
    """Raise `RuleBroken` (`key`) for a file name that Ethos does not take."""
    if not is_key(key):
        raise RuleBroken(
            "key",
            f"Ethos does not take the file name {printable_path(key)!r}. Nothing was written.",
            "It may have ASCII letters, digits, - _ and ., no dot in front and no two dots together.",
        )


def archive_of(path: str) -> str:
    """The archive file that takes what overflows a file: next to it."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{ARCHIVE}" if folder else ARCHIVE


def is_listed(name: str) -> bool:
    """Whether a file of a scope is listed and searched: a valid key that ends in `.md`."""
    return name.endswith(".md") and is_key(name)


def place(path: str) -> Place | None:
    """The place of a file below the root; None if it is no memory.

    `MEMORY.md` and `USER.md` of a personality or user are in the prompt; other Markdown there is read on demand. The soul of a
    personality, settings, skills, histories, pending and tombstone files, old archives and legacy files at the root are not
    editable memory; folders with invalid names are ignored.
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
    """The relative path for a new file of a role; None for roles that Ethos does not have (checklists, logs, an index)."""
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
    """Whether a file next to a memory file is a lock: `*.lock`, or a history being rotated."""
    return _LOCK.fullmatch(name) is not None


def _in_scope(group: str, key: str) -> Place | None:
    if key == SOUL:
        return None
    if key == ARCHIVE:
        return Place(group, Role.DERIVED, key, "Ethos moves retired facts there itself")
    return Place(group, Role.FACTS if key in (MEMORY, USER) else Role.NOTE, key)
