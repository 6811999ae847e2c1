"""Write git's files: loose objects, packs, references and a new repository.

Each is written completely under a temporary name and then put in place: if the program dies or the disk is full, the repository is
unchanged. A pack takes one pass: each object is hashed and compressed once.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from typing import IO, Final, NamedTuple

from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.pack import HashWriter, pack_object_header, write_pack_header, write_pack_index_v2

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.disk.replace import replacing

BLOB: Final = 3
"""The type number of a text in a pack."""

DELTA: Final = 7
"""The type number of a delta against an object given by id (REF_DELTA)."""

_KINDS: Final = {1: b"commit", 2: b"tree", BLOB: b"blob"}

_READ_ONLY: Final = 0o444
"""Permission bits of objects, as in git: they never change."""

_ORDINARY: Final = 0o644

_TEMPORARY: Final = "tmp_obj_"
"""git's prefix for incomplete objects: `fsck` ignores them, `gc` deletes them.

Below `refs`, a name with this prefix would be a reference.
"""

FAST: Final = 1
"""The zlib level for new texts, as in git."""

HARD: Final = -1
"""The zlib level for packs that are kept for long."""

_FOLDERS: Final = ("info", "hooks", "branches", "refs/heads", "refs/tags", "objects/info", "objects/pack")
_CONFIG: Final = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"


class Packed(NamedTuple):
    """An object to be written to a pack: type number, bytes and id.

    With a `base`, the id of another object in the same pack, `raw` is a delta against it.
    """

    kind: int
    raw: bytes
    id: str
    base: str = ""


def packed(kind: int, raw: bytes) -> Packed:
    """An object with its git id."""
    return Packed(kind, raw, sha1(b"%b %d\0" % (_KINDS[kind], len(raw)) + raw).hexdigest())


def write_loose(objects: str, kind: bytes, raw: bytes, id: str) -> None:
    """Write a loose object into the folder `objects`. Raises `OSError`."""
    folder = os.path.join(objects, id[:2])
    make_private(folder)
    with _durable(os.path.join(folder, id[2:]), _READ_ONLY, _TEMPORARY) as stream:
        stream.write(zlib.compress(b"%b %d\0" % (kind, len(raw)) + raw))


def pack_name(ids: Iterable[str]) -> str:
    """The name of a pack with these objects."""
    return sha1(b"".join(sorted(map(bytes.fromhex, ids)))).hexdigest()


def write_pack(folder: str, ids: Collection[str], objects: Iterable[Packed], level: int) -> None:
    """Write a pack with these objects, each id once, and its index. Raises `OSError`."""
    make_private(folder)
    names = sorted(map(bytes.fromhex, ids))
    place = os.path.join(folder, f"pack-{pack_name(ids)}")
    at: dict[bytes, tuple[int, int]] = {}
    with _durable(f"{place}.pack", _READ_ONLY, _TEMPORARY) as stream:
        out = HashWriter(stream, sha1)
        write_pack_header(out.write, len(names))
        for each in objects:
            head = pack_object_header(each.kind, bytes.fromhex(each.base) or None, len(each.raw), DEFAULT_OBJECT_FORMAT)
            body = bytes(head) + zlib.compress(each.raw, level)
            at[bytes.fromhex(each.id)] = (out.offset(), zlib.crc32(body))
            out.write(body)
        checksum = out.write_hash()
    with _durable(f"{place}.idx", _READ_ONLY, _TEMPORARY) as stream:
        write_pack_index_v2(stream, [(name, *at[name]) for name in names], checksum)


def set_reference(home: str, name: str, old: str, id: str, now: Callable[[], str]) -> None:
    """Set the reference `name` of the repository in `home` to the object `id`, if it is still `old` according to `now`.

    Raises `OSError`, or `HistoryError` if git's lock file exists.
    """
    place = os.path.join(home, *name.split("/"))
    make_private(os.path.dirname(place))
    lock = f"{place}.lock"
    try:
        os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC))
    except FileExistsError as error:
        raise HistoryError(
            f"{printable_path(lock)}: another program changes the history now. Memory is saved all the same.",
            "Where none does, delete that file.",
        ) from error
    try:
        if old and now() != old:
            raise HistoryError("another program changed the history meanwhile")
        with _durable(place, _ORDINARY) as stream:
            stream.write(f"{id}\n".encode())
    finally:
        os.unlink(lock)


def make_repository(home: str, files: dict[str, bytes]) -> None:
    """Create an empty repository in the folder `home`, with further files. Raises `OSError`.

    A partial one does not count as a repository and is created again: the objects folder is made last.
    """
    own = {"HEAD": b"ref: refs/heads/main\n", "config": _CONFIG, "info/exclude": b""} | files
    make_private(os.path.join(home, "info"))
    for name, raw in own.items():
        with _durable(os.path.join(home, name), _ORDINARY) as stream:
            stream.write(raw)
    for folder in _FOLDERS:
        make_private(os.path.join(home, folder))


@contextmanager
def _durable(place: str, mode: int, prefix: str = ".") -> Iterator[IO[bytes]]:
    """Like `replacing`, with the bytes synced but, like git, not the directory entry."""
    with replacing(place, mode=mode, durable=False, prefix=prefix) as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())
