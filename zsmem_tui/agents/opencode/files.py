"""Where opencode-agent-memory keeps blocks and journal, and which names it accepts."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.places import Place
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Entry, EntryKind

GLOBAL_FOLDER: Final = ".config/opencode/memory"
"""In the home folder, on every system."""

PROJECT_FOLDER: Final = ".opencode/memory"
"""In the project's folder."""

JOURNAL: Final = "journal"
"""Next to the global blocks."""

IGNORE_FILE: Final = (".gitignore", b"*\n")
"""What opencode adds next to a project's blocks when it creates the folder."""

_LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,60}")
_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


def is_block(entry: Entry) -> bool:
    """Whether an entry in a folder of blocks is one: a regular file that ends in `.md`; hidden files too."""
    return entry.kind is EntryKind.FILE and not entry.is_link and is_block_name(entry.name)


def is_block_name(name: str) -> bool:
    """Whether a file of that name can be a block."""
    return name.endswith(".md")


def label_of(name: str) -> str:
    """The default label of a file: its name without extension; a leading dot starts no extension."""
    stem = name.rpartition(".")[0]
    return stem or name


def checked_label(label: str) -> str:
    """The trimmed label, as the agent's tools accept it. Raises `RuleBroken` (`label`)."""
    label = js.trim(label)
    if not _LABEL.fullmatch(label):
        raise RuleBroken(
            "label",
            f"opencode does not take the label {label!r}. Nothing was written.",
            "It has 2 to 61 ASCII letters, digits, - and _, the first a letter or digit.",
        )
    return label


def checked_id(name: str) -> str:
    """The trimmed id of a journal entry. Raises `RuleBroken` (`id`)."""
    name = js.trim(name)
    if not _ID.fullmatch(name):
        raise RuleBroken("id", f"{name!r} is no id of a journal entry.", "It has ASCII letters, digits, - and _.")
    return name


def place(path: str, scope: str) -> Place | None:
    """The place of a file in a folder of blocks (`scope`: `global` or the project's group); None if opencode ignores it."""
    if "/" in path or not path.endswith(".md"):
        return None
    return Place(scope, Role.FACTS, label_of(path))


def new_path(role: Role, name: str) -> str | None:
    """The path for a new block; None for other roles."""
    return f"{name}.md" if role is Role.FACTS and _LABEL.fullmatch(name) else None
