"""Records of the exact texts that were imported from other agents' memories, or exported to them.

With them, nothing is offered twice, originals can be exported unchanged, and exports can be updated and removed. They are kept in
the state folder per store, never in the store (where they would cost space in every prompt). A record alone claims nothing: a text
counts as ours only while it is still exactly as written.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from zsmem_tui.core.errors import MemError, StoreError
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import step_record
from zsmem_tui.store.disk import state
from zsmem_tui.store.history.journal import Recorder


class Written(NamedTuple):
    """A text that an export put into the file at `path`: the whole file if `is_whole`, else lines of it.

    `format` and `source` say what it was made from, `origin` and `project` from which store and project of ours.
    """

    path: str
    text: bytes
    is_whole: bool
    format: str
    origin: str
    project: str
    source: str


class Imported(NamedTuple):
    """One imported item: the file of ours it went to, and the exact text written there.

    `format`, `source` and `file` say where it comes from, `head` is the text around it there, as written. `digest` is that of its
    whole source file at `place`; `within` is the position in it. `batch` is the step that imported it, and `undone` is not empty if
    that step was undone: then it counts as not imported. `key` identifies it; without one, it is what an export put back into its
    file. In records of older versions, all fields but `key` and `path` are empty.
    """

    path: str
    format: str = ""
    source: str = ""
    text: str = ""
    head: str = ""
    digest: str = ""
    file: str = ""
    place: str = ""
    within: str = ""
    batch: str = ""
    undone: str = ""
    key: str = ""

    @property
    def origin(self) -> tuple[str, str, str]:
        """Identifies the item's source even if its text changes: format, path of the file, position in it."""
        return self.format, self.place, self.within


class Part(NamedTuple):
    """A text written to the file at `path` of our store."""

    path: str
    text: str


class Original(NamedTuple):
    """A source file `file` of a format at `place`, byte for byte, and all places its content went to.

    `raw` is its content, `digest` the digest of that. If it is an index, `follows` are the files it lists: it can be restored only
    while these exist unchanged.
    """

    format: str
    file: str
    digest: str
    raw: bytes
    parts: tuple[Part, ...]
    follows: tuple[str, ...] = ()
    place: str = ""


_TAKEN: Final = "taken"
"""The name in the record of a step for what it took out: by store root, these texts and what it left of them."""

Entry = TypeVar("Entry", Written, Imported, Original)


class _Book(Generic[Entry]):
    """Records of one kind, in one JSON document per store."""

    def __init__(
        self, folder: str, name: str, field: str, read: Callable[[Any], Entry], row: Callable[[Entry], Any], *, keyed: bool = False
    ) -> None:
        self._folder, self._name, self._field, self._is_keyed = folder, name, field, keyed
        self._read: Callable[[Any], Entry] = read
        self._row: Callable[[Entry], Any] = row
        self._outcome = f"What was {folder.replace('imports', 'imported')} is not remembered."

    def entries(self, root: str) -> list[Entry]:
        """The records of the store at `root`, latest last."""
        return self._understood(state.document(self._place(root)) or {})[0]

    def change(self, root: str, become: Callable[[list[Entry]], Iterable[Entry]]) -> None:
        """Replace the records by `become(records)`, under a lock against other processes. Raises `WriteFailed`."""
        place = self._place(root)
        with state.held(os.path.dirname(place), self._outcome):
            document = state.document_to_change(place, self._outcome, lambda found: self._understood(found)[1])
            rows: Any = [self._row(each) for each in become(self._understood(document)[0])]
            about = {"root": printable_path(root), self._field: dict(rows) if self._is_keyed else rows}
            state.put(place, json.dumps(about).encode(), self._outcome)

    def _understood(self, document: Mapping[str, Any]) -> tuple[list[Entry], bool]:
        """Parse the records of a document; also return whether all were valid."""
        rows = document.get(self._field)
        out: list[Entry] = []
        is_whole = isinstance(rows, dict if self._is_keyed else list)
        for row in (rows.items() if self._is_keyed else rows) if is_whole and rows else ():
            try:
                out.append(self._read(row))
            except (KeyError, TypeError, ValueError):
                is_whole = False
        return out, is_whole

    def _place(self, root: str) -> str:
        return os.path.join(state.folder(self._folder, root), self._name)


def _written(row: Any) -> Written:
    if set(row) != set(Written._fields):
        raise ValueError("another record")
    texts = {key: str(row[key]) for key in Written._fields if key not in ("text", "is_whole")}
    return Written(text=str(row["text"]).encode("utf-8", "surrogateescape"), is_whole=row["is_whole"] is True, **texts)


def _written_row(each: Written) -> dict[str, Any]:
    return each._asdict() | {"text": each.text.decode("utf-8", "surrogateescape")}


def _imported(row: Any) -> Imported:
    """Parse a record; older versions stored only the path."""
    key, known = row
    known = {"path": known} if isinstance(known, str) else known
    return Imported(
        **{"path": known["path"]} | {name: str(known[name]) for name in Imported._fields if name in known} | {"key": key}
    )


def _imported_row(each: Imported) -> tuple[str, Any]:
    about = each._asdict()
    return about.pop("key"), each.path if each == Imported(each.path, key=each.key) else about


def _original(row: Any) -> Original:
    raw = base64.b64decode(row["raw"], validate=True)
    parts = tuple(Part(str(path), str(text)) for path, text in row["parts"])
    names = {key: str(row.get(key, "")) for key in ("format", "file", "digest", "place")}
    return Original(raw=raw, parts=parts, follows=tuple(map(str, row["follows"])), **names)


_WRITTEN: Final = _Book("exported", "manifest.json", "items", _written, _written_row)
_IMPORTED: Final = _Book("imports", "manifest.json", "items", _imported, _imported_row, keyed=True)
_ORIGINALS: Final = _Book(
    "imports", "originals.json", "files", _original, lambda each: each._asdict() | {"raw": base64.b64encode(each.raw).decode()}
)


def written(root: str) -> list[Written]:
    """The texts exported into the store at `root`, in order."""
    return _WRITTEN.entries(root)


def imported(root: str) -> dict[str, Imported]:
    """The items imported into a store, by key."""
    return {each.key: each for each in _IMPORTED.entries(root) if not each.undone}


def originals(root: str) -> list[Original]:
    """The files imported as a whole into a store, the latest version of each."""
    return _ORIGINALS.entries(root)


def remember_written(root: str, new: Iterable[Written], gone: Iterable[Written] = ()) -> None:
    """Add records and remove those in `gone`; a new whole file replaces older records of it. Raises `WriteFailed`."""
    new = list(new)
    renewed, dropped = {each.path for each in new if each.is_whole}, {*gone, *new}

    def become(known: list[Written]) -> list[Written]:
        return [*(each for each in known if each not in dropped and not (each.is_whole and each.path in renewed)), *new]

    _WRITTEN.change(root, become)


def remember_imported(root: str, new: Iterable[Imported]) -> None:
    """Add imported items. An item imported before keeps its earlier step, so that undoing the later one does not affect it.

    Raises `WriteFailed`.
    """

    def become(known: list[Imported]) -> list[Imported]:
        before = {each.key: each for each in known}
        again = {each.key: each for each in new}
        for key, each in again.items():
            if key in before and not before[key].undone:
                again[key] = each._replace(batch=before[key].batch)
        return [*(each for each in known if each.key not in again), *again.values()]

    _IMPORTED.change(root, become)


def remember_originals(root: str, new: Iterable[Original]) -> None:
    """Add these files, replacing earlier versions. Raises `WriteFailed`."""
    _ORIGINALS.change(root, lambda known: {(each.format, each.file, each.place): each for each in (*known, *new)}.values())


def step_undone(root: str, batch: str, *, redo: bool) -> None:
    """Mark the items imported by a step as undone or, with `redo`, as imported again; likewise what a step took out.

    Raises `WriteFailed`.
    """
    with contextlib.suppress(KeyError, TypeError, ValueError):
        taken, left = (list(map(_written, own)) for own in step_record.get(batch)[_TAKEN][os.path.realpath(root)])
        remember_written(root, *((left, taken) if redo else (taken[::-1], left)))  # they were taken out newest first
    if batch and any(each.batch == batch for each in _IMPORTED.entries(root)):
        undone = "" if redo else "yes"
        _IMPORTED.change(root, lambda known: (each._replace(undone=undone) if each.batch == batch else each for each in known))


def item_key(format: str, source: str, text: str) -> str:
    """A digest that identifies an imported item."""
    raw = f"{format}\0{source.rpartition(':')[0] or source}\0{text}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:32]


class Records(NamedTuple):
    """The records of a step: by store root, texts exported into it and texts removed from it; and what is imported into the store
    at `root`.
    """

    written: Mapping[str, tuple[Written, ...]] = MappingProxyType({})
    gone: Mapping[str, tuple[Written, ...]] = MappingProxyType({})
    root: str = ""
    imported: tuple[Imported, ...] = ()
    originals: tuple[Original, ...] = ()


@contextmanager
def kept(new: Records, recorder: Callable[[], Recorder]) -> Iterator[list[str]]:
    """Record what the block does; yields a list of problems, as sentences, that is filled at its end.

    Exports are recorded before they are written, so that our text is never taken for others', and removed again if the block fails.
    """
    problems: list[str] = []
    before = {root: written(root) for root in new.written}
    for root, own in new.written.items():
        try:
            remember_written(root, own)
        except StoreError as error:
            recorder().fail(f"{error.message} It cannot be taken out again by itself.")
    try:
        yield problems
    except MemError:
        for root, own in new.written.items():
            paths = {each.path for each in own}  # records of earlier texts there are restored
            with contextlib.suppress(StoreError):
                remember_written(root, [each for each in before[root] if each.path in paths], [*own])
        raise
    if any(new.gone.values()):
        both = {root: (own, new.written.get(root, ())) for root, own in new.gone.items()}
        rows = {os.path.realpath(root): [[*map(_written_row, own)] for own in pair] for root, pair in both.items()}
        with contextlib.suppress(StoreError):  # a record without its text claims nothing
            step_record.put(recorder().batch, {_TAKEN: rows}, "")
            for root, own in new.gone.items():
                remember_written(root, (), own)
    if new.imported:
        batch = recorder().batch
        try:
            keyed = (each._replace(batch=batch, key=each.key or f"{batch}:{each.path}") for each in new.imported)
            remember_imported(new.root, keyed)
            remember_originals(new.root, new.originals)
        except StoreError as error:
            problems.append(error.message)
