"""Where opencode-agent-memory keeps blocks and journal, and which names it takes."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.places import Place
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Entry, EntryKind

GLOBAL_FOLDER: Final = ".config/opencode/memory"
"""Below the home folder, on every system."""

PROJECT_FOLDER: Final = ".opencode/memory"
"""Below the project's folder."""

JOURNAL: Final = "journal"
"""Beside the global blocks."""

IGNORE_FILE: Final = (".gitignore", b"*\n")
"""What opencode puts beside a project's blocks when it makes their folder."""

_LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,60}")
_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


def is_block(entry: Entry) -> bool:
    """Whether a name in a folder of blocks is one: an ordinary file, no link, that ends in `.md`; dot files too."""
    return entry.kind is EntryKind.FILE and not entry.is_link and is_block_name(entry.name)


def is_block_name(name: str) -> bool:
    """Whether a file of that name can be one."""
    return name.endswith(".md")


def label_of(name: str) -> str:
    """The label of a file that names none: its name without the last ending; a dot in front begins no ending."""
    stem = name.rpartition(".")[0]
    return stem or name


def checked_label(label: str) -> str:
    """A label as the agent's tools take it. Raises `RuleBroken` (`label`)."""
    label = js.trim(label)
    if not _LABEL.fullmatch(label):
        raise RuleBroken(
            "label",
            f"opencode does not take the label {label!r}. Nothing was written.",
            "It has 2 to 61 ASCII letters, digits, - and _, the first a letter or digit.",
        )
    return label


def checked_id(name: str) -> str:
    """The id of a journal entry. Raises `RuleBroken` (`id`)."""
    name = js.trim(name)
    if not _ID.fullmatch(name):
        raise RuleBroken("id", f"{name!r} is no id of a journal entry.", "It has ASCII letters, digits, - and _.")
    return name


def place(path: str, scope: str) -> Place | None:
    """What a file of a folder of blocks is (`scope`: `global` or the project's group); None for what opencode does not read."""
    if "/" in path or not path.endswith(".md"):
        return None
    return Place(scope, Role.FACTS, label_of(path))


def new_path(role: Role, name: str) -> str | None:
    """Where a new block goes; None: every block is in the prompt, and there is no checklist, no note and no index."""
    return f"{name}.md" if role is Role.FACTS and _LABEL.fullmatch(name) else None
