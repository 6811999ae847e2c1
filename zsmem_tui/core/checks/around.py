"""The surroundings of a project's texts that rules need: possible link targets, and the project's own files and folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from posixpath import dirname
from typing import NamedTuple

from zsmem_tui.core.link_target import stem_of


@dataclass(frozen=True, slots=True)
class Links:
    """The possible targets of links: the paths of the store's files, and those of a project's folder (`outside`).

    `stems` maps names without extension (lower case, hyphens for blanks) to files, `folders` does the same per folder.
    """

    paths: frozenset[str]
    stems: dict[str, tuple[str, ...]]
    folders: dict[str, dict[str, str]]
    outside: frozenset[str] = frozenset()
    names: frozenset[tuple[str, str]] = frozenset()
    """(name, path) of files with other names than their file names, for agents that use such names."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The files and folders in a project's folder, and a function that says which paths its ignore files exclude.

    `tails` has the ends of all paths after each slash; `by_name` maps file names to paths.
    """

    files: frozenset[str]
    folders: frozenset[str]
    is_ignored: Callable[[str], bool]
    tails: frozenset[str] = frozenset()
    by_name: dict[str, tuple[str, ...]] = field(default_factory=dict)
    is_whole: bool = True


class Around(NamedTuple):
    """The context for rules about one text.

    `home` is the folder of its project in the store, `links` the possible link targets, `tree` the project's own folder (None:
    unknown), `names` are those of all files.
    """

    home: str
    links: Links
    tree: Tree | None
    names: frozenset[str]
    today: date


def links(paths: frozenset[str]) -> Links:
    """All possible link targets in a store with these files."""
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
    """Add further names of files, given by path."""
    more = frozenset((stem_of(name), path) for path, own in names.items() for name in own)
    if not more:
        return known
    stems = dict(known.stems)
    for stem, path in sorted(more):
        stems[stem] = (*stems.get(stem, ()), path)
    return replace(known, stems=stems, names=more)


def tree(files: frozenset[str], folders: frozenset[str], is_ignored: Callable[[str], bool], *, is_whole: bool = True) -> Tree:
    """Build a tree from relative paths, which have no trailing slash."""
    tails = frozenset(path[slash.end() :] for path in (*files, *folders) for slash in re.finditer("/", path))
    names: dict[str, list[str]] = {}
    for path in files:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    by_name = {name: tuple(sorted(own)) for name, own in names.items()}
    return Tree(files, folders, is_ignored, tails, by_name, is_whole)
