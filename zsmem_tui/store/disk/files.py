"""Reading files as bytes, and listing folders. Every failure becomes a `StoreError` that names the file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.catalog import FileEntry, Fingerprint
from zsmem_tui.core.errors import Missing, StoreError, Undecodable, Unreadable
from zsmem_tui.core.layout import memory_names
from zsmem_tui.core.text import printable_path

if TYPE_CHECKING:
    from zsmem_tui.core.refs import MemRef


_READ_BYTES: Final = 1024 * 1024
"""Bytes asked for at once; reading releases the interpreter, joining does not."""

LARGEST: Final = 512 * 1024 * 1024
"""Bytes of a file: a larger one is not read. Its text, and what is worked out of it, would take the memory of other programs."""

_HEAD_BYTES: Final = 8 * 1024
"""Bytes of a head that are asked for at once: what is looked for mostly stands in the first of them."""

_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})


def list_names(folder: str) -> list[str]:
    """The names of the memory files in `folder`, in no order; empty when it cannot be read (section 5)."""
    try:
        return memory_names(os.listdir(folder))
    except (OSError, ValueError):
        return []


def list_all(folder: str) -> list[str]:
    """Every name in `folder`, in no order; empty when it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def look(path: str) -> Fingerprint:
    """The fingerprint of the ordinary file at `path`, links followed. Raises `Missing` or `Unreadable`."""
    try:
        return _fingerprint(path, os.stat(path))
    except (OSError, ValueError) as error:
        raise failure(path, error) from error


def entry(root: str, ref: MemRef) -> FileEntry:
    """What is known of one file without opening it. Never fails: the answer says what is wrong."""
    place = os.path.join(root, ref.path)
    try:
        found = look(place)
        return FileEntry(ref, found, "" if os.access(place, os.R_OK) else f"{printable_path(place)}: Permission denied")
    except StoreError as error:
        return FileEntry(ref, None, error.message, missing=isinstance(error, Missing))


def read(path: str) -> tuple[bytes, Fingerprint]:
    """The bytes at `path` and the fingerprint they had before they were read.

    Only ordinary files are read, so that a pipe called `x.md` stops nobody, and none above `LARGEST`.
    Raises `Missing` or `Unreadable`.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # not `_opened`, which takes a fifth longer
        try:
            fingerprint = _fingerprint(path, os.fstat(handle))
            if fingerprint.size > LARGEST:
                raise OSError(errno.EFBIG, f"it has more than {LARGEST >> 20} MiB, and is not read")
            pieces = []
            # Room for a small file and no more: what a text is read into is cut to its size, which costs more than reading it.
            room = min(fingerprint.size + 1, _READ_BYTES) if fingerprint.size else _READ_BYTES
            while piece := os.read(handle, room):
                pieces.append(piece)
            return pieces[0] if len(pieces) == 1 else b"".join(pieces), fingerprint
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise failure(path, error) from error


def read_or_empty(path: str) -> bytes:
    """The bytes of a file; none when it cannot be read."""
    try:
        return read(path)[0]
    except StoreError:
        return b""


def read_head(path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
    """The first bytes of the ordinary file at `path`: as many as are `enough`, `limit` at most.

    Links are not followed. Raises `Missing` or `Unreadable`.
    """
    with _opened(path, os.O_NOFOLLOW) as (handle, _):
        found = b""
        while len(found) < limit and not enough(found):
            piece = os.read(handle, min(_HEAD_BYTES, limit - len(found)))
            if not piece:
                break
            found += piece
        return found


def read_tail(path: str, limit: int) -> bytes:
    """The last bytes of the ordinary file at `path`, `limit` at most. Raises `Missing` or `Unreadable`."""
    with _opened(path) as (handle, found):
        return os.pread(handle, limit, max(0, found.size - limit))


def read_if_there(path: str) -> bytes | None:
    """The bytes at `path`; None when there is no file. Raises `Unreadable`."""
    try:
        return read(path)[0]
    except Missing:
        return None


def read_text(path: str) -> str:
    """The text at `path` (section 4). Raises `Missing`, `Unreadable` or `Undecodable`."""
    return decoded(path, read(path)[0])


def decoded(path: str, raw: bytes, outcome: str = "") -> str:
    """What the bytes of the file at `path` say. Raises `Undecodable`, whose sentence ends with `outcome`."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Undecodable(
            path, f"{printable_path(path)}: stream did not contain valid UTF-8{outcome}", "Agents cannot read this file either."
        ) from error


def text_or_none(path: str) -> str | None:
    """The text at `path`, or None when it is missing, unreadable or not UTF-8, as most of the agent's readers see it."""
    try:
        return read_text(path)
    except StoreError:
        return None


def below(folder: str) -> list[str]:
    """The paths of the files in a folder and in those below it, by name; hidden ones and links to folders are left out."""
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted((each for each in folders if not each.startswith(".")), key=os.fsencode)
        found += [os.path.join(place, each) for each in sorted(names, key=os.fsencode) if not each.startswith(".")]
    return found


def root_problem(root: str) -> str:
    """Why the root cannot be used, as a sentence; empty when it can, or when it is not there yet."""
    shown = printable_path(root)
    if os.path.islink(root) and not os.path.exists(root):
        return f"{shown} is a link to a place that does not exist."
    try:
        os.lstat(root)
    except PermissionError:
        return f"{shown} cannot be looked at: permission denied."
    except (OSError, ValueError):
        return ""
    if not os.path.isdir(root):
        return f"{shown} is not a folder."
    if not os.access(root, os.R_OK | os.X_OK):
        return f"{shown} cannot be read: permission denied."
    return ""


def failure(path: str, error: OSError | ValueError) -> StoreError:
    """What the system said about `path`, as one of our errors."""
    shown = printable_path(path)
    if not isinstance(error, OSError):
        return Unreadable(path, f"{shown}: file name contained an unexpected NUL byte")
    return (Missing if error.errno in _GONE else Unreadable)(path, f"{shown}: {error.strerror or error}")


@contextmanager
def _opened(path: str, flags: int = 0) -> Iterator[tuple[int, Fingerprint]]:
    """An ordinary file, open for reading, and as what it was opened. Raises `Missing` or `Unreadable`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
        try:
            yield handle, _fingerprint(path, os.fstat(handle))
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise failure(path, error) from error


def _fingerprint(path: str, found: os.stat_result) -> Fingerprint:
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not an ordinary file"
        raise Unreadable(path, f"{printable_path(path)}: it is {kind}")
    return Fingerprint(found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns)


def pieces(path: str) -> Generator[bytes]:
    """The bytes of the ordinary file at `path`, piece by piece, whatever its size. Raises `Missing` or `Unreadable`."""
    with _opened(path) as (handle, _):
        while piece := os.read(handle, _READ_BYTES):
            yield piece


NO_FILE: Final = ""
"""The digest of a place where no file is."""


def digest_of(raw: bytes | None) -> str:
    """The digest of a text; `NO_FILE` for none."""
    import hashlib  # OpenSSL with it, which the first frame can do without

    return NO_FILE if raw is None else hashlib.sha256(raw).hexdigest()


def digest_of_file(place: str) -> str:
    """The digest of a file of any size, as `digest_of` has it. Raises `OSError`."""
    import hashlib  # as above

    with open(place, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
