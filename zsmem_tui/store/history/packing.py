"""Pack the repository: texts and folders as deltas to similar newer ones."""

from __future__ import annotations

import errno
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, TypeVar

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException, NotGitRepository, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, ShaFile, Tree
from dulwich.pack import PackFileDisappeared, PackInflater, create_delta

from zsmem_tui.core.errors import HistoryError, HistoryIncomplete
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.history.git_files import DELTA, HARD, Packed, pack_name, write_pack

FOLDER: Final = 0o040000
"""The file mode of a folder in git."""

_CHAIN: Final = 40
"""The longest chain of deltas; then a text is stored whole. Reading a delta takes about 10 µs."""


class Packer:
    """Writes packs into an object store, for the commits that end in `head`."""

    def __init__(self, store: DiskObjectStore, folder: str, tree: Callable[[bytes], Tree], head: str) -> None:
        self._store = store
        self._folder = folder
        self._tree = tree
        self._head = head

    def reachable(self, reviewed: str) -> list[ObjectID]:
        """All objects needed by a commit or by the reviewed folder."""
        found: dict[ObjectID, None] = {}
        line = list(commits(self._store, self._head))
        folders = [commit.tree for commit in line] + ([object_id(reviewed)] if reviewed else [])
        while folders:
            folder = folders.pop()
            if folder in found:
                continue
            found[folder] = None
            for _, mode, id in self._tree(folder).items():
                if mode == FOLDER:
                    folders.append(id)
                else:
                    found[id] = None
        return [*found, *(commit.id for commit in line)]

    def pack(self, ids: list[ObjectID]) -> bytes:
        """Write these objects into a pack, texts and folders as deltas if possible; return the pack's name."""
        if not ids:
            return b""
        wanted = set(ids)
        texts = [id.decode() for id in wanted]
        name = pack_name(texts)
        is_new = not os.path.exists(os.path.join(self._folder, f"pack-{name}.idx"))
        if is_new:
            write_pack(self._folder, texts, self._deltas(wanted), HARD)
        made = [pack for pack in self._store.packs if pack.name() == name.encode()]
        found = {each.id for pack in made for each in PackInflater.for_pack_data(pack.data)}
        if found != wanted:  # read before the loose ones are deleted
            for ending in ("idx", "pack") if is_new else ():
                os.unlink(os.path.join(self._folder, f"pack-{name}.{ending}"))
            raise ObjectFormatException(f"the pack {name} is not what was put into it")
        for id in list(self._store._iter_loose_objects()):
            self._store.delete_loose_object(id)
        return name.encode()

    def _deltas(self, wanted: set[ObjectID]) -> Iterator[Packed]:
        """Yield the objects, newest first: the newest version of a file whole, older ones as deltas."""
        done: set[ObjectID] = set()
        last: dict[str, tuple[ObjectID, bytes, int]] = {}
        for key, id in self._chains(wanted):
            if id in done:
                continue
            done.add(id)
            made = self._store[id]
            raw = made.as_raw_string()
            base = last.get(key)
            delta = b"".join(create_delta(base[1], raw)) if base and base[2] < _CHAIN else None
            if base is not None and delta is not None and len(delta) < len(raw) // 2:
                last[key] = (id, raw, base[2] + 1)
                yield Packed(DELTA, delta, id.decode(), base[0].decode())
            else:
                last[key] = (id, raw, 0)
                yield Packed(made.type_num, raw, id.decode())
        for id in wanted - done:
            made = self._store[id]
            yield Packed(made.type_num, made.as_raw_string(), id.decode())

    def _chains(self, wanted: set[ObjectID]) -> Iterator[tuple[str, ObjectID]]:
        """Yield (path, id) of new objects, newest commit first, as far as the commits are wanted."""
        for commit in commits(self._store, self._head):
            if commit.id not in wanted:
                return
            before = object_of(self._store, commit.parents[0], Commit).tree if commit.parents else b""
            for path, id in self._new_objects(before, commit.tree, ""):
                if id in wanted:
                    yield path, id

    def _new_objects(self, old: bytes, new: bytes, above: str) -> Iterator[tuple[str, ObjectID]]:
        """Yield the folders and texts that `new` has and `old` lacks."""
        if old == new or not new:
            return
        yield f"{above}/", ObjectID(new)
        before = {name: id for name, _, id in self._tree(old).items()} if old else {}
        for name, mode, id in self._tree(new).items():
            if before.get(name) == id:
                continue
            path = f"{above}/{unescape_part(name)}"
            if mode == FOLDER:
                yield from self._new_objects(before.get(name, b""), id, path)
            else:
                yield path, id


def unescape_part(name: bytes) -> str:
    """Reverse of `escape_part`."""
    if name.startswith(b"%"):
        name = bytes([int(name[1:3], 16)]) + name[3:] if len(name) > 2 else b""
    return os.fsdecode(name)


def object_id(id: str) -> ObjectID:
    """The library's form of an id."""
    return ObjectID(id.encode())


BROKEN: Final = (
    OSError,
    KeyError,
    ValueError,
    AssertionError,
    OverflowError,
    BufferError,
    RecursionError,
    struct.error,
    zlib.error,
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    PackFileDisappeared,
)
"""Errors raised when reading a damaged repository; `tests/store/history/test_damage.py` checks many cases."""

_PASSING: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Errors of the machine rather than the repository: a new repository would not help."""

Kind = TypeVar("Kind", bound=ShaFile)


def object_of(store: DiskObjectStore, id: bytes, kind: type[Kind]) -> Kind:
    """The object with this id. Raises one of `BROKEN`, also if it is of another kind."""
    found = store[ObjectID(id)]
    if not isinstance(found, kind):
        raise ObjectFormatException(f"{id!r} is no {kind.__name__.lower()}")
    return found


def commits(store: DiskObjectStore, head: str, until: str = "") -> Iterator[Commit]:
    """The commits from `head` back to the first one, or to `until` (excluded).

    Raises one of `BROKEN`, also if they form a cycle.
    """
    seen: set[str] = set()
    at = head
    while at and at != until:
        if at in seen:
            raise ObjectFormatException(f"{at} comes before itself")
        seen.add(at)
        commit = object_of(store, at.encode(), Commit)
        yield commit
        at = commit.parents[0].decode() if commit.parents else ""


@contextmanager
def history_errors(home: str) -> Iterator[None]:
    """Convert errors of a repository to `HistoryError`."""
    try:
        yield
    except HistoryError:
        raise
    except BROKEN as error:
        if isinstance(error, OSError) and error.errno in _PASSING:
            raise HistoryError(
                _told(home, os.strerror(error.errno)), "What it holds is not lost: it goes on once that is mended."
            ) from error
        if isinstance(error, OSError) and error.strerror:
            raise HistoryError(_told(home, error.strerror), _anew(home)) from error
        raise _damaged(home, error) from error
    except (TypeError, IndexError) as error:
        if not _is_dulwichs(error.__traceback__):
            raise  # a mistake of ours; dulwich raises these for a one-byte object, or a truncated index
        raise _damaged(home, error) from error


def _damaged(home: str, error: Exception) -> HistoryError:
    return HistoryIncomplete(_told(home, f"it is damaged ({type(error).__name__})"), _anew(home))


def _anew(home: str) -> str:
    return f"Move {printable_path(os.path.dirname(home))} away to begin a new history."


def _told(home: str, words: str) -> str:
    return f"{printable_path(home)}: {words}. Earlier versions cannot be used; memory is saved all the same."


def _is_dulwichs(trace: TracebackType | None) -> bool:
    """Whether an error was raised in dulwich's own code."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__", "")).startswith("dulwich.")
