"""Read files as bytes and list folders. Every failure becomes a `StoreError` that names the file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from zsmem_tui.core.catalog import FileEntry, Fingerprint
from zsmem_tui.core.errors import Missing, StoreError, Undecodable, Unreadable, WriteFailed
from zsmem_tui.core.layout import memory_names
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.places import leads_out, left_by

_READ_BYTES: Final = 1024 * 1024
"""Bytes per read: reading releases the interpreter lock, joining does not."""

LARGEST: Final = 512 * 1024 * 1024
"""The most bytes of a file to read: a larger text, and what is derived from it, would take too much memory."""

_HEAD_BYTES: Final = 8 * 1024
"""Bytes per read of a file's head: mostly the first block is enough."""

_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})


def list_names(folder: str) -> list[str]:
    """The names of the memory files in `folder`, unsorted; empty if it cannot be read (section 5)."""
    try:
        return memory_names(os.listdir(folder))
    except (OSError, ValueError):
        return []


def list_all(folder: str) -> list[str]:
    """All names in `folder`, unsorted; empty if it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def list_problem(folder: str) -> str:
    """Why `list_all` would take a folder for empty, as a sentence; empty if it would not."""
    try:
        os.listdir(folder)
    except OSError as error:
        return f"{printable_path(folder)} cannot be listed: {error.strerror}."
    return ""


def is_gone(path: str) -> bool:
    """Whether nothing is there; False if that cannot be told, as in a folder that must not be searched."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def look(path: str) -> Fingerprint:
    """The fingerprint of the regular file at `path`, following links. Raises `Missing` or `Unreadable`."""
    try:
        return _fingerprint(path, os.stat(path))
    except (OSError, ValueError) as error:
        raise failure(path, error) from error


def mark_of(path: str) -> Fingerprint | None:
    """`look`; None if that fails."""
    with suppress(StoreError):
        return look(path)
    return None


def entry(root: str, ref: MemRef, *, is_out: bool | None = None) -> FileEntry:
    """The entry of one file, from stat only. Never fails: problems are in the entry.

    `is_out` says whether its folder leads out of the store, if that is known.
    """
    place = os.path.join(root, ref.path)
    try:
        found, is_link = look(place), os.path.islink(place)
        is_out = leads_out(root, ref.path) if is_link or is_out is None else is_out
        problem = "" if os.access(place, os.R_OK) else f"{printable_path(place)}: Permission denied"
        return FileEntry(ref, found, left_by(place) if is_out else problem, is_link=is_link, is_out=is_out)
    except StoreError as error:
        return FileEntry(ref, None, error.message, missing=isinstance(error, Missing))


def read(path: str) -> tuple[bytes, Fingerprint]:
    """The bytes at `path`, and the fingerprint from before they were read.

    Only regular files are read, so that a pipe called `x.md` does not block, and none above `LARGEST`. Raises `Missing` or
    `Unreadable`.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # not `_opened`, which takes a fifth longer
        try:
            fingerprint = _fingerprint(path, os.fstat(handle))
            if fingerprint.size > LARGEST:
                raise OSError(errno.EFBIG, f"it has more than {LARGEST >> 20} MiB, and is not read")
            pieces = []
            # Allocate no more than a small file needs: shrinking a large buffer costs more than reading.
            room = min(fingerprint.size + 1, _READ_BYTES) if fingerprint.size else _READ_BYTES
            while piece := os.read(handle, room):
                pieces.append(piece)
            return pieces[0] if len(pieces) == 1 else b"".join(pieces), fingerprint
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise failure(path, error) from error


def read_or_empty(path: str) -> bytes:
    """The bytes of a file; empty if it cannot be read."""
    try:
        return read(path)[0]
    except StoreError:
        return b""


def read_head(path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
    """The first bytes of the regular file at `path`, until `enough` returns True, at most `limit`; empty if it cannot be read.

    Links are not followed.
    """
    with suppress(StoreError), _opened(path, os.O_NOFOLLOW) as (handle, _):
        found = b""
        while len(found) < limit and not enough(found):
            piece = os.read(handle, min(_HEAD_BYTES, limit - len(found)))
            if not piece:
                break
            found += piece
        return found
    return b""


def read_tail(path: str, limit: int) -> bytes:
    """The last bytes of the regular file at `path`, at most `limit`. Raises `Missing` or `Unreadable`."""
    with _opened(path) as (handle, found):
        return os.pread(handle, limit, max(0, found.size - limit))


def read_if_there(path: str) -> bytes | None:
    """The bytes at `path`; None if there is no file. Raises `Unreadable`."""
    try:
        return read(path)[0]
    except Missing:
        return None


def read_text(path: str) -> str:
    """The text at `path` (section 4). Raises `Missing`, `Unreadable` or `Undecodable`."""
    return decoded(path, read(path)[0])


def decoded(path: str, raw: bytes, outcome: str = "") -> str:
    """Decode the bytes of the file at `path`. Raises `Undecodable` with a message that ends with `outcome`."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        said = f"{printable_path(path)} is not valid UTF-8{outcome}"
        raise Undecodable(path, said, "Agents cannot read this file either.") from error


def text_or_none(path: str) -> str | None:
    """The text at `path`; None if it is missing, unreadable or not UTF-8, as for most of the agent's readers."""
    try:
        return read_text(path)
    except StoreError:
        return None


def below(folder: str) -> list[str]:
    """The paths of all files in a folder, recursively, sorted by name; hidden ones and links to folders are skipped."""
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted((each for each in folders if not each.startswith(".")), key=os.fsencode)
        found += [os.path.join(place, each) for each in sorted(names, key=os.fsencode) if not each.startswith(".")]
    return found


def root_problem(root: str) -> str:
    """Why the root cannot be used, as a sentence; empty if it can, or if it does not exist yet."""
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
    """Convert a system error about `path` to one of ours."""
    shown = printable_path(path)
    if not isinstance(error, OSError):
        return Unreadable(path, f"{shown}: file name contained an unexpected NUL byte")
    if error.errno == errno.ENOENT:
        return missing(path)
    return (Missing if error.errno in _GONE else Unreadable)(path, f"{shown}: {error.strerror or error}")


def failed(place: str, error: OSError | ValueError, outcome: str = "Nothing was written.") -> WriteFailed:
    """Convert a system error about `place` to an error with a message that ends with `outcome`."""
    words = (error.strerror or str(error)) if isinstance(error, OSError) else "file name contained an unexpected NUL byte"
    return WriteFailed(place, f"{printable_path(place)}: {words}. {outcome}")


@contextmanager
def failing(place: str, outcome: str = "Nothing was written.") -> Iterator[None]:
    """Raise `WriteFailed` for a system error about `place`, with a message that ends with `outcome`."""
    try:
        yield
    except OSError as error:
        raise failed(place, error, outcome) from error


def missing(path: str, outcome: str = "") -> Missing:
    """The error for a file that does not exist, with a message that ends with `outcome`."""
    return Missing(path, f"{printable_path(path)} does not exist{outcome}")


@contextmanager
def _opened(path: str, flags: int = 0) -> Iterator[tuple[int, Fingerprint]]:
    """Open a regular file for reading: (descriptor, fingerprint). Raises `Missing` or `Unreadable`."""
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
    """Yield the bytes of the regular file at `path` in pieces, whatever its size. Raises `Missing` or `Unreadable`."""
    with _opened(path) as (handle, _):
        while piece := os.read(handle, _READ_BYTES):
            yield piece


NO_FILE: Final = ""
"""The digest that stands for "no file"."""


def digest_of(raw: bytes | None) -> str:
    """The SHA-256 digest of a text; `NO_FILE` for None."""
    import hashlib  # deferred: loads OpenSSL, which the first frame does not need

    return NO_FILE if raw is None else hashlib.sha256(raw).hexdigest()


def digest_of_file(place: str) -> str:
    """The SHA-256 digest of a file of any size. Raises `OSError`."""
    import hashlib  # as above

    with open(place, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
