"""Resolve a link in a memory file: to a file of the store, a heading in it, the web, or nothing. It never leaves the store."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import dirname, normpath
from typing import Final, TypeAlias
from urllib.parse import unquote

_WEB: Final = re.compile(r"(?i)(?:https?|ftp)://|mailto:")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_NOT_IN_ANCHOR: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class LeadsTo:
    """The link leads to a file, by its path in the store, and a heading in it (empty: none)."""

    path: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class LeadsAway:
    """The link leads to an address on the web."""

    address: str


@dataclass(frozen=True, slots=True)
class LeadsNowhere:
    """The link leads to nothing in the store; `why` is a sentence."""

    why: str


Leads: TypeAlias = LeadsTo | LeadsAway | LeadsNowhere


def by_path(target: str, path: str, home: str, paths: Iterable[str], root: str = "") -> Leads:
    """Resolve a Markdown link in the file at `path`. `home` is the folder of its project, `paths` are the store's files.

    An absolute path is looked up in the store at `root`.
    """
    if _WEB.match(target):
        return LeadsAway(target)
    if _SCHEME.match(target):
        return LeadsNowhere(f"{target} is no file of the store: it was not opened.")
    named, _, heading = target.strip("<>").partition("#")
    heading, named = unquote(heading), unquote(named.partition("?")[0])
    if not named:
        return LeadsTo(path, heading)
    known = frozenset(paths)
    if named.startswith(("/", "~", "\\")):
        inside = normpath(named).removeprefix(f"{root.rstrip('/')}/") if root else named
        found = inside if inside in known else ""
        return LeadsTo(found, heading) if found else LeadsNowhere(f"{named} is not in this store: it was not opened.")
    for folder in (dirname(path), home, f"{home}/notes".lstrip("/"), ""):
        place = normpath(f"{folder}/{named}" if folder else named)
        for each in (place, f"{place}.md"):
            if each in known:
                return LeadsTo(each, heading)
    if normpath(f"{dirname(path)}/{named}".lstrip("/")).startswith(".."):
        return LeadsNowhere(f"{named} is outside the store: it was not opened.")
    return LeadsNowhere(f"This link leads to nothing: no memory file is at {named}.")


def by_name(target: str, path: str, home: str, paths: Iterable[str]) -> Leads:
    """Resolve `[[target]]` to the file with that name: in the same folder first, then the same project, the root, anywhere."""
    named, _, heading = target.partition("#")
    stem = stem_of(named)
    if not stem:
        return LeadsTo(path, heading)
    found = sorted(each for each in paths if stem_of(each) == stem)
    if not found:
        return LeadsNowhere(f"This link leads to nothing: no memory file is called {named.strip()}.")

    def distance(each: str) -> tuple[int, str]:
        near = dirname(each) == dirname(path), bool(home) and each.startswith(f"{home}/"), "/" not in each
        return (near.index(True) if True in near else len(near), each)

    return LeadsTo(min(found, key=distance), heading)


def heading_line(wanted: str, outline: Iterable[tuple[int, int, str]]) -> int | None:
    """The line of a heading, by its words or by its Markdown anchor; None if there is none."""
    anchor = _anchor(wanted)
    return next((line for line, _, words in outline if _anchor(words) == anchor), None)


def _anchor(words: str) -> str:
    return _NOT_IN_ANCHOR.sub("", words.strip().lower()).replace(" ", "-")


def stem_of(path: str) -> str:
    """A file's name as written in links: no extension, lower case, hyphens for blanks."""
    return path.strip().rpartition("/")[2].removesuffix(".md").strip().lower().replace(" ", "-")
