"""What lies around the texts of a project: what links may lead to, and the files and folders of the project itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from posixpath import dirname
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Links:
    """What links may lead to: the paths of the store's files, and those of a project's folder (`outside`).

    `stems` has the files by their names without ending, in small letters and with hyphens for blanks, `folders` the same by folder.
    """

    paths: frozenset[str]
    stems: dict[str, tuple[str, ...]]
    folders: dict[str, dict[str, str]]
    outside: frozenset[str] = frozenset()
    names: frozenset[tuple[str, str]] = frozenset()
    """What files are called by agents that go by other names than those of files, with their paths."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The files and folders below a project's folder, and which paths its ignore files take out.

    `tails` has the ends of all paths, from each slash on; `by_name` the files by their names.
    """

    files: frozenset[str]
    folders: frozenset[str]
    is_ignored: Callable[[str], bool]
    tails: frozenset[str] = frozenset()
    by_name: dict[str, tuple[str, ...]] = field(default_factory=dict)
    is_whole: bool = True


class Around(NamedTuple):
    """What the rules about one text need to know beside it.

    `home` is the folder of its project in the store, `links` what links may lead to, `tree` the project's own folder (None: not
    known), `instructions` the keys of what is in every prompt there anyway, with file and line; `names` are those of all files.
    """

    home: str
    links: Links
    tree: Tree | None
    instructions: Mapping[str, tuple[str, int]]
    names: frozenset[str]
    today: date


def links(paths: frozenset[str]) -> Links:
    """Everything that a link may lead to in a store with these files."""
    stems: dict[str, list[str]] = {}
    folders: dict[str, dict[str, str]] = {}
    for path in sorted(paths):
        stem = stem_of(path)
        stems.setdefault(stem, []).append(path)
        folder = dirname(path)
        folders.setdefault(folder, {})[stem] = path
        while folder:
            folder = dirname(folder)
            folders.setdefault(folder, {})
    return Links(paths, {stem: tuple(own) for stem, own in stems.items()}, folders)


def named(known: Links, names: Mapping[str, Iterable[str]]) -> Links:
    """The same, where files have other names too, by their paths."""
    more = frozenset((stem_of(name), path) for path, own in names.items() for name in own)
    if not more:
        return known
    stems = dict(known.stems)
    for stem, path in sorted(more):
        stems[stem] = (*stems.get(stem, ()), path)
    return replace(known, stems=stems, names=more)


def tree(files: frozenset[str], folders: frozenset[str], is_ignored: Callable[[str], bool], *, is_whole: bool = True) -> Tree:
    """A tree from its paths, which are relative and have no slash at their end."""
    tails = frozenset(path[slash.end() :] for path in (*files, *folders) for slash in re.finditer("/", path))
    names: dict[str, list[str]] = {}
    for path in files:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    by_name = {name: tuple(sorted(own)) for name, own in names.items()}
    return Tree(files, folders, is_ignored, tails, by_name, is_whole)


def stem_of(path: str) -> str:
    """What a note is called in links."""
    return path.rpartition("/")[2].removesuffix(".md").strip().lower().replace(" ", "-")
