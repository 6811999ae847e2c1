"""The remembered facts about projects' folders: one register file per store, in the state folder.

For existing folders it is a cache, checked again and again; for missing ones it is the only source. Losing it loses labels and the
names of missing folders, but no memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import Missing, StoreError, WriteFailed
from zsmem_tui.core.json_value import json_value, typed
from zsmem_tui.core.project_folders import FolderFacts, ProjectRecord, Repository
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state

LABELS: Final = "labels "
"""The prefix of the relation of a step that gave a project a label."""

FORMAT: Final = 1
_FAILED: Final = "What is known of projects' folders was not kept."
_ENTRIES: Final = re.compile(r"\d+ -?\d+ [^/]+(?:/\d+ -?\d+ [^/]+)*", re.DOTALL)
_BROKEN: Final = (ValueError, KeyError, TypeError, IndexError)
"""Raised by parsing a damaged register."""


class Register(NamedTuple):
    """The records by slug. `commits` caches the first commits of repositories by `repository_key`: git has to be run for them.

    `problem` is a sentence on why an existing register could not be read.
    """

    records: Mapping[str, ProjectRecord] = MappingProxyType({})
    commits: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    problem: str = ""


def load(root: str) -> Register:
    """Load the register of the store at `root`. A damaged one counts as empty, with a `problem`."""
    place = place_of(root)
    try:
        raw = files.read(place)[0]
    except Missing:
        return Register()
    except StoreError as error:
        return Register(problem=f"{error.message}. The names of projects' folders are looked for anew.")
    try:
        found = json_value(raw)
        if found["format"] != FORMAT:
            raise ValueError("another format")
        records = {slug: _record(slug, about) for slug, about in found["records"].items()}
        return Register(records, typed(found["commits"], dict[str, tuple[str, ...]]))
    except _BROKEN:
        return Register(problem=f"{printable_path(place)} is damaged: the names of projects' folders are looked for anew.")


def change(root: str, make: Callable[[Register], Register], *, durable: bool = False) -> Register:
    """Replace the register by `make(register)`, under a lock against our other processes.

    A damaged register is kept with the suffix `.damaged`, since it may hold a label given by a person. With `durable`, the change
    is synced to disk. Raises `WriteFailed`.
    """
    place = place_of(root)
    with state.held(os.path.dirname(place), _FAILED):
        known = load(root)
        wanted = make(known)
        if known.problem:
            with contextlib.suppress(WriteFailed):  # the damaged file cannot even be renamed
                state.put_aside(place, _FAILED)
        if known.problem or wanted != known:
            records = {slug: each[1:] for slug, each in wanted.records.items()}
            about = {"format": FORMAT, "records": records, "commits": dict(wanted.commits)}
            state.put(place, json.dumps(about, separators=(",", ":")).encode(), _FAILED, durable=durable)
        return wanted._replace(problem=known.problem)


def repository_key(found: Repository) -> str:
    """A key that distinguishes a repository from a later one in the same place."""
    inode = found.identity.inode if found.identity and not found.is_linked else 0
    return f"{found.common} {inode}"


def with_commits(facts: FolderFacts, commits: Mapping[str, tuple[str, ...]]) -> FolderFacts:
    """What was observed of a folder, with the known first commits of its repository."""
    own = facts.repository
    return facts._replace(repository=own._replace(roots=commits.get(repository_key(own), ()))) if own else facts


def place_of(root: str) -> str:
    """The path of the register file."""
    return os.path.join(state.folder("projects", root), "register.json")


def _record(slug: str, about: list[Any]) -> ProjectRecord:
    record: ProjectRecord = typed([slug, *about], ProjectRecord)
    if record.facts is not None and record.facts.entries and not _ENTRIES.fullmatch(record.facts.entries):
        raise ValueError("no entries of a folder")
    return record


def label_relation(slug: str, before: str, after: str) -> str:
    """The relation recorded in the history for a new label of a project."""
    return LABELS + json.dumps([slug, before, after])


def label_of(relation: str) -> tuple[str, str, str]:
    """Parse such a relation: (slug, label before, label after)."""
    slug, before, after = json_value(relation.removeprefix(LABELS))
    return str(slug), str(before), str(after)


def relabelled(relation: str, change: Callable[[str], str]) -> str:
    """A step's relation with its labels replaced by `change`; other relations are returned unchanged."""
    if not relation.startswith(LABELS):
        return relation
    slug, before, after = label_of(relation)
    return label_relation(slug, change(before), change(after))
