"""Write git's files: loose objects, packs, references and a new repository.

Each is written completely under a temporary name and then put in place: if the program dies or the disk is full, the repository is
unchanged. A pack takes one pass: each object is hashed and compressed once.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha1
from itertools import accumulate
from typing import IO, Final, NamedTuple

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
    whole = sha1()
    at: dict[bytes, tuple[int, int]] = {}
    with _durable(f"{place}.pack", _READ_ONLY, _TEMPORARY) as stream:
        head = struct.pack(">4sLL", b"PACK", 2, len(names))
        whole.update(head)
        stream.write(head)
        offset = len(head)
        for each in objects:
            body = _head(each.kind, len(each.raw)) + bytes.fromhex(each.base) + zlib.compress(each.raw, level)
            whole.update(body)
            stream.write(body)
            at[bytes.fromhex(each.id)] = (offset, zlib.crc32(body))
            offset += len(body)
        stream.write(whole.digest())
    with _durable(f"{place}.idx", _READ_ONLY, _TEMPORARY) as stream:
        stream.write(_index(names, at, whole.digest()))


def _head(kind: int, size: int) -> bytes:
    """The header of an object in a pack: type and size, seven bits per byte."""
    out = bytearray()
    byte, size = kind << 4 | size & 15, size >> 4
    while size:
        out.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    out.append(byte)
    return bytes(out)


def _index(names: Sequence[bytes], at: dict[bytes, tuple[int, int]], checksum: bytes) -> bytes:
    """A pack index in git's version 2; offsets of 2 GiB and more are in a separate table."""
    counts = [0] * 256
    for name in names:
        counts[name[0]] += 1
    places = [at[name][0] for name in names]
    far = [place for place in places if place >= 2**31]
    numbers = iter(range(2**31, 2**31 + len(far)))
    near = [place if place < 2**31 else next(numbers) for place in places]
    pieces = [
        b"\377tOc",
        struct.pack(">L256L", 2, *accumulate(counts)),
        *names,
        struct.pack(f">{len(names)}L", *(at[name][1] for name in names)),
        struct.pack(f">{len(near)}L", *near),
        struct.pack(f">{len(far)}Q", *far),
        checksum,
    ]
    raw = b"".join(pieces)
    return raw + sha1(raw).digest()


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
