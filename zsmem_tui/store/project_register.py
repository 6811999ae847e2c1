"""What is remembered of the folders that memories belong to: one file a store, in the state folder.

A cache and a memory in one: what is there is looked at again and again, what is gone is only known from here. Losing it loses names
of folders that are gone and labels, never memory.
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
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.project_folders import FolderFacts, Identity, ProjectRecord, Repository
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state

LABELS: Final = "labels "
"""How the relation of a step begins that gave a project a name."""

FORMAT: Final = 1
_FAILED: Final = "What is known of projects' folders was not kept."
_ENTRIES: Final = re.compile(r"\d+ -?\d+ [^/]+(?:/\d+ -?\d+ [^/]+)*", re.DOTALL)
_BROKEN: Final = (ValueError, KeyError, TypeError, IndexError)
"""What a damaged register raises while it is read."""


class Register(NamedTuple):
    """The records by slug. `commits` has the first commits of repositories, by `repository_key`: asking git takes a process.

    `problem` says in a sentence why there is nothing where there was something.
    """

    records: Mapping[str, ProjectRecord] = MappingProxyType({})
    commits: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    problem: str = ""


def load(root: str) -> Register:
    """What is remembered of the store at `root`. One that is damaged is as one that is not there, and says so."""
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
        return Register(records, {key: tuple(map(_text, roots)) for key, roots in found["commits"].items()})
    except _BROKEN:
        return Register(problem=f"{printable_path(place)} is damaged: the names of projects' folders are looked for anew.")


def change(root: str, make: Callable[[Register], Register], *, durable: bool = False) -> Register:
    """Replace what is remembered by what `make` makes of it, as one step among all our processes.

    A damaged register stays beside the new one, with `.damaged` behind its name: it may hold a label that a person gave. With
    `durable`, what is new outlives a power cut. Raises `WriteFailed`.
    """
    place = place_of(root)
    with state.held(os.path.dirname(place), _FAILED):
        known = load(root)
        wanted = make(known)
        if known.problem:
            with contextlib.suppress(WriteFailed):  # it cannot even be given another name
                state.put_aside(place, _FAILED)
        if known.problem or wanted != known:
            records = {slug: _document(each) for slug, each in wanted.records.items()}
            about = {"format": FORMAT, "records": records, "commits": dict(wanted.commits)}
            state.put(place, json.dumps(about, separators=(",", ":")).encode(), _FAILED, durable=durable)
        return wanted._replace(problem=known.problem)


def repository_key(found: Repository) -> str:
    """What tells a repository's common folder from another one that may be made in its place."""
    inode = found.identity.inode if found.identity and not found.is_linked else 0
    return f"{found.common} {inode}"


def place_of(root: str) -> str:
    """Where it is kept."""
    return os.path.join(state.folder("projects", root), "register.json")


def _document(record: ProjectRecord) -> list[Any]:
    facts = record.facts
    seen: list[Any] | None = None
    if facts is not None:
        own = facts.repository
        git = [*own[:2], list(own.identity) if own.identity else None, *own[3:]] if own else None
        seen = [facts.path, list(facts.identity), facts.entries, git]
    return [
        list(record.folders),
        seen,
        record.first_seen_ns,
        record.last_seen_ns,
        record.label,
        list(record.formerly),
        list(record.candidates),
    ]


def _record(slug: str, about: list[Any]) -> ProjectRecord:
    folders, seen, first, last, label, *lists = about
    formerly, candidates = (tuple(map(_text, each)) for each in lists)
    facts: FolderFacts | None = None
    if seen is not None:
        path, identity, entries, git = seen
        facts = FolderFacts(_text(path), _identity(identity), _entries(entries), _repository(git))
    paths = tuple(map(_text, folders))
    return ProjectRecord(slug, paths, facts, _whole(first), _whole(last), _text(label), formerly, candidates)


def _entries(value: Any) -> str:
    """Entries as they are kept. Raises `ValueError` or `TypeError` where they are none."""
    text = _text(value)
    if text and not _ENTRIES.fullmatch(text):
        raise ValueError("no entries of a folder")
    return text


def _repository(git: list[Any] | None) -> Repository | None:
    if git is None:
        return None
    common, within, identity, made, is_linked, remote, roots, first_log = git
    own = _identity(identity) if identity else None
    commits = tuple(map(_text, roots))
    return Repository(_text(common), _text(within), own, _whole(made), bool(is_linked), _text(remote), commits, _text(first_log))


def _identity(pair: list[Any]) -> Identity:
    device, inode = pair
    return Identity(_whole(device), _whole(inode))


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError("no number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def label_relation(slug: str, before: str, after: str) -> str:
    """What the history keeps of a step that gave a project another name."""
    return LABELS + json.dumps([slug, before, after])


def label_of(relation: str) -> tuple[str, str, str]:
    """The project, and its names before and after such a step."""
    slug, before, after = json_value(relation.removeprefix(LABELS))
    return str(slug), str(before), str(after)


def relabelled(relation: str, change: Callable[[str], str]) -> str:
    """The relation of a step with other names in it, where it gave one."""
    if not relation.startswith(LABELS):
        return relation
    slug, before, after = label_of(relation)
    return label_relation(slug, change(before), change(after))
