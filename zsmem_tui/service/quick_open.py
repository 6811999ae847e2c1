"""Find files of all open stores by a part of their name, a heading, or their project."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from heapq import nlargest
from itertools import islice
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog, FileEntry, Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.fuzzy import Named, best, named
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.markdown import heading_level, heading_words, outside_code
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import printable_path, raw_lines, trim
from zsmem_tui.service.titles import kind_of
from zsmem_tui.store.disk import files

HEADINGS_FROM: Final = 2
"""The query length from which headings are searched; a single letter occurs in all of them."""

MOST_HEADINGS: Final = 150_000
"""The most headings kept; those of recently modified files come first."""


class OpenedStore(NamedTuple):
    """An open store: `group_name` gives a group's display name, `title` is empty if there is only one store.

    `here` are the groups of the current folder, `gone` those whose folder is gone.
    """

    key: str
    title: str
    root: str
    catalog: Catalog
    group_name: Callable[[str], str]
    here: frozenset[str] = frozenset({""})
    gone: frozenset[str] = frozenset()


class Target(NamedTuple):
    """A place to open: a file, or a 0-based line with the heading `words`. `where` names its project and agent."""

    store: str
    ref: MemRef
    words: str
    where: str
    modified_ns: int
    line: int | None = None


class Matches(NamedTuple):
    """The best targets, how many match, and of how many files."""

    targets: list[Target]
    fitting: int
    files: int


_Names = list[tuple[Target, Named]]

_NO_MORE: Final[_Names] = []


class QuickIndex:
    """An index built once per set of catalogs. One thread may search while another reads headings, not more."""

    def __init__(self) -> None:
        self._headings: dict[str, tuple[Fingerprint, tuple[_Heading, ...]]] = {}
        """By path, as long as the fingerprint is unchanged."""
        self._made_of: list[OpenedStore] = []
        self._files: _Names = []
        self._more: _Names = []
        self._read: list[OpenedStore] = []
        self._ordered: dict[bool, tuple[_Names, _Names, list[Target], list[Named]]] = {}
        """Files and headings, and both in the order used for equal matches, without headings (False) and with them (True)."""

    def find(self, stores: Sequence[OpenedStore], query: str, limit: int, *, cancelled: Callable[[], bool] = never) -> Matches:
        """The matches of a query, best first. Raises `Cancelled`.

        A file with what is typed at the start of its name, or of a word in it, comes before headings. Among equal matches, those
        of the current folder come first and those of missing folders last; then files before headings, then the latest modified.
        Without a query, the latest modified files. Headings are included after `read_headings` has read them.
        """
        if not _same(stores, self._made_of):
            found = [_target(store, entry) for store in stores for entry in _entries(store.catalog)]
            self._files = [(target, named(target.words, f"{kind_of(target.ref)}· {target.where}", EXTENSION)) for target in found]
            self._made_of = list(stores)
        words = trim(query.replace("/", " "))  # of a path, the folder and the file are known, not what is between them
        if not words:
            last = nlargest(limit, (target for target, _ in self._files), key=lambda target: target.modified_ns)
            return Matches(last, len(self._files), len(self._files))
        targets, names = self._in_order(stores, with_headings=len(words) >= HEADINGS_FROM)
        places, fitting = best(words, names, limit, cancelled=cancelled)
        return Matches([targets[at] for at in places], fitting, len(self._files))

    def _in_order(self, stores: Sequence[OpenedStore], *, with_headings: bool) -> tuple[list[Target], list[Named]]:
        files, more = self._files, self._more if with_headings else _NO_MORE
        known = self._ordered.get(with_headings)
        if known is None or known[0] is not files or known[1] is not more:
            of = {store.key: store for store in stores}

            def order(each: tuple[Target, Named]) -> tuple[int, bool, int]:
                target, store = each[0], of.get(each[0].store)
                group = target.ref.project
                rank = 1 if store is None else 0 if group in store.here else 2 if group in store.gone else 1
                return rank, target.line is not None, -target.modified_ns

            found = sorted([*files, *more], key=order)
            known = files, more, [target for target, _ in found], [name for _, name in found]
            self._ordered[with_headings] = known
        return known[2:]

    def read_headings(self, stores: Sequence[OpenedStore], *, cancelled: Callable[[], bool] = never) -> None:
        """Read the headings of all files that are new or changed. Raises `Cancelled`."""
        if _same(stores, self._read):
            return
        found: _Names = []
        every = [(store, entry) for store in stores for entry in _entries(store.catalog)]
        every.sort(key=lambda each: -each[1].modified_ns)
        for store, entry in every:
            if cancelled():
                raise Cancelled  # what was read stays
            headings = self._read_one(os.path.join(store.root, entry.ref.path), entry.fingerprint)
            if len(found) < MOST_HEADINGS:
                base = _target(store, entry)
                own = _plain(base.words.removesuffix(EXTENSION))
                for line, words in headings:
                    if _plain(words) == own:
                        continue  # found by its name already
                    target = base._replace(words=words, line=line, where=f"{base.words} · {base.where}".rstrip(" ·"))
                    found.append((target, named(words, target.where)._replace(is_part=True)))
        self._more, self._read = found, list(stores)

    def _read_one(self, path: str, now: Fingerprint | None) -> tuple[_Heading, ...]:
        """The headings of a file, read if it is new or changed; none if it is gone or unreadable: it is still found by its name."""
        known, headings = self._headings.get(path, (None, ()))
        if now is None or known == now:
            return headings
        try:
            raw = _start_of(path)
        except StoreError:
            self._headings.pop(path, None)
            return ()
        self._headings[path] = now, tuple(islice(_headings(raw), MOST_A_FILE))
        return self._headings[path][1]


def _same(one: Sequence[OpenedStore], other: Sequence[OpenedStore]) -> bool:
    """Whether both have the identical catalogs (a changed store has a new one) and folders."""
    return len(one) == len(other) and all(
        a.catalog is b.catalog and (a.here, a.gone) == (b.here, b.gone) for a, b in zip(one, other, strict=True)
    )


def _plain(text: str) -> list[str]:
    """The words of a name or a heading, without punctuation and in lower case."""
    return re.findall(r"[^\W_]+", text.casefold())


def _entries(catalog: Catalog) -> list[FileEntry]:
    """Every file of a store."""
    return [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]


def _target(store: OpenedStore, entry: FileEntry) -> Target:
    """The target for a file."""
    group = store.group_name(entry.ref.project) if entry.ref.project else ""
    where = " · ".join(part for part in (group, store.title) if part)
    return Target(store.key, entry.ref, printable_path(entry.ref.path.rpartition("/")[2]), where, entry.modified_ns)


MOST_BYTES: Final = 64 * 1024
"""The bytes read of each file, so that a large one does not delay the others."""

MOST_A_FILE: Final = 40
"""The most headings kept of one file."""


_Heading = tuple[int, str]
"""A 0-based line, and the words of the heading there."""


def _start_of(path: str) -> bytes:
    """The first bytes of a file. Raises `Missing` or `Unreadable`."""
    raw = b""
    with closing(files.pieces(path)) as pieces:
        while len(raw) < MOST_BYTES and (piece := next(pieces, b"")):
            raw += piece
    return raw[:MOST_BYTES]


def _headings(raw: bytes) -> Iterator[_Heading]:
    """The headings of a text in order, except in code."""
    for number, line, outside in outside_code(raw_lines(raw.decode("utf-8", "replace"))):
        if outside and "#" in line[:4] and heading_level(line) and (words := heading_words(line)):
            yield number, words
