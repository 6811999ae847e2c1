"""Write and read bundles: a store, or a part of it, as a reproducible `.tar.gz` that is verified as a whole.

The first member is a manifest with digest and time of all others. The whole archive is read and checked before anything is written
to a store (by `steps`).
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final, NamedTuple, Self

from zsmem_tui.core.errors import BadContent, Missing, Unreadable, WriteFailed
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.layout import Layout, store_prefix
from zsmem_tui.core.limits import LATEST_NS
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files

FORMAT: Final = 1
"""The version of the bundle format."""

MANIFEST: Final = "zsmem-bundle.json"

MOST_FILES: Final = 100_000
MOST_BYTES: Final = 1 << 30
"""The most bytes that a bundle may unpack to."""

_EXTENDED_HEADERS: Final = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_MOST_EXTENDED_BYTES: Final = 16 * 1024
"""The most bytes of a file's extended header: four times the longest path. Python parses it in quadratic time."""

_SEAL_HEAD: Final = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"
_SEAL_TAIL: Final = b"\x00\x03\x00" + b"\x00" * 8
"""The archive is followed by an empty gzip member whose comment is the digest of all bytes before it, since deflate can encode the
same data in several ways and the archive's checksum does not detect every altered byte. `tar` ignores it.
"""

_SEAL_BYTES: Final = len(_SEAL_HEAD) + 64 + len(_SEAL_TAIL)
_BROKEN: Final = (
    tarfile.TarError,
    zlib.error,
    EOFError,
    gzip.BadGzipFile,
    ValueError,
    KeyError,
    TypeError,
    UnicodeError,
    OverflowError,
)
_END: Final = "its end"


class Member(NamedTuple):
    """A file in a bundle: path, size, digest, permission bits, and modification time (nanoseconds since 1970; None: unknown)."""

    path: str
    size: int
    digest: str
    mode: int
    modified: int | None = None


class Contents(NamedTuple):
    """The content of a bundle. `folders` maps projects to their folders where known; `plain`: an archive without a manifest."""

    members: tuple[Member, ...]
    folders: Mapping[str, str]
    prefix: str
    plain: bool


def write(
    root: str,
    paths: list[str],
    folders: Mapping[str, str],
    layout: Layout,
    out: IO[bytes],
    through: Callable[[Mapping[str, bytes]], Mapping[str, bytes]] = lambda texts: texts,
) -> int:
    """Write the files at these paths as a bundle; return their number. The same files give the same bytes. Raises `StoreError`.

    `through` is called with all texts before anything is written and returns those to write; an error it raises cancels.
    """
    kept: list[tuple[str, bytes, int, int]] = []
    for path in sorted(paths, key=os.fsencode):
        place = os.path.join(root, path)
        raw, mark = files.read(place)
        try:
            mode = os.stat(place).st_mode & 0o777
        except OSError as error:
            raise files.failure(place, error) from error
        kept.append((path, raw, mode, mark.mtime_ns))
    goes = through({path: raw for path, raw, _, _ in kept})
    return _pack([(path, goes[path], mode, modified) for path, _, mode, modified in kept], folders, layout, out)


def replaced(place: str, secret: bytes, mask: bytes, layout: Layout) -> bytes | None:
    """The bundle with `secret` replaced by `mask` in every file; None if none contains it. Raises `BadContent` or `StoreError`."""
    contents = look(place, layout)
    kept = [(member.path, raw, member.mode, member.modified or 0) for member, raw in texts(place, contents)]
    if not any(secret in raw for _, raw, _, _ in kept):
        return None
    out = io.BytesIO()
    _pack([(path, raw.replace(secret, mask), mode, modified) for path, raw, mode, modified in kept], contents.folders, layout, out)
    return out.getvalue()


def _pack(kept: list[tuple[str, bytes, int, int]], folders: Mapping[str, str], layout: Layout, out: IO[bytes]) -> int:
    """Write (path, text, mode, modification time) of these files as a bundle; return their number."""
    about = {
        "format": FORMAT,
        "folders": dict(sorted(folders.items())),
        "counts": {"files": len(kept), "bytes": sum(len(raw) for _, raw, _, _ in kept)},
        "projects": sorted({slug for path, _, _, _ in kept if (slug := layout.group_of(path))}),
        "files": {
            path: {"sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw), "modified": modified}
            for path, raw, _, modified in kept
        },
    }
    manifest = json.dumps(about, indent=1).encode() + b"\n"
    sealed = DigestingWriter(out)
    try:
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=sealed, mtime=0, compresslevel=6) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT, errors="surrogateescape") as archive,
        ):
            for path, raw, mode, modified in [(MANIFEST, manifest, 0o644, 0), *kept]:
                info = tarfile.TarInfo(path)
                info.size, info.mode, info.mtime = len(raw), mode, max(0, modified // 10**9)
                archive.addfile(info, io.BytesIO(raw))
        out.write(_seal(sealed.digest))
        out.flush()
    except OSError as error:
        raise WriteFailed("", f"The bundle could not be written: {error.strerror}.") from error
    return len(kept)


def look(place: str, layout: Layout) -> Contents:
    """Read and check a whole bundle, or a plain archive of a store.

    Raises `BadContent`, `Missing` or `Unreadable`; nothing has been written.
    """
    shown = printable_path(place)
    members: list[Member] = []
    manifest: dict[str, object] | None = None
    folded: dict[str, str] = {}
    total = 0
    name = ""
    try:
        with _opened(place) as (archive, rest):
            for info in archive:
                name = info.name
                if info.isdir():
                    continue
                _check_name(shown, info)
                total += info.size
                if len(members) >= MOST_FILES or total > MOST_BYTES:
                    raise BadContent(
                        f"{shown} unpacks to more than {MOST_FILES} files or {MOST_BYTES >> 20} MB, at {printable_path(name)}. "
                        "Nothing was written."
                    )
                stream = archive.extractfile(info)
                raw = stream.read() if stream else b""
                if name == MANIFEST and not members and manifest is None:
                    manifest = json_value(raw)
                    if not isinstance(manifest, dict):
                        raise _no_manifest(shown)
                    continue
                if (clash := folded.get(name.casefold())) is not None:
                    twice = "it is there twice" if clash == name else f"another member is called {printable_path(clash)}"
                    _refuse(shown, name, twice)
                folded[name.casefold()] = name
                digest = hashlib.sha256(raw).hexdigest()
                members.append(Member(name, info.size, digest, info.mode & 0o777, _time(info.mtime, 10**9)))
            name = _END
            rest()
        if manifest is None:
            return _plain_contents(shown, members, layout)
        folders = _checked(shown, place, manifest, members)
    except BadContent:
        raise
    except _BROKEN as error:
        raise BadContent(f"{shown} {_what_is_wrong(error, members, name)}. Nothing was written.") from error
    except OSError as error:
        raise _unreadable(place, error) from error
    listed: Any = manifest["files"]
    timed = [member._replace(modified=_time(listed[member.path].get("modified"), 1)) for member in members]
    return Contents(tuple(timed), folders, "", plain=False)


def texts(place: str, wanted: Contents) -> Iterator[tuple[Member, bytes]]:
    """The files of a bundle that was checked by `look`, in its order.

    Raises `BadContent` if it has changed since, `Missing` or `Unreadable` if it cannot be read any more.
    """
    known = {f"{wanted.prefix}{member.path}": member for member in wanted.members}
    changed = BadContent(f"{printable_path(place)} changed while it was read. Nothing was written.")
    try:
        with _opened(place) as (archive, _):
            for info in archive:
                member = known.pop(info.name, None)
                if member is None:
                    continue
                stream = archive.extractfile(info) if info.isreg() and info.size == member.size else None
                raw = stream.read() if stream else b""
                if hashlib.sha256(raw).hexdigest() != member.digest:
                    raise changed
                yield member, raw
    except _BROKEN as error:
        raise changed from error
    except OSError as error:
        raise _unreadable(place, error) from error
    if known:
        raise changed


def _time(value: Any, unit: int) -> int | None:
    """A time in nanoseconds; None if it is invalid."""
    if not isinstance(value, int | float) or not 0 < value < LATEST_NS / unit:
        return None
    return int(value * unit)


def _what_is_wrong(error: Exception, members: list[Member], name: str) -> str:
    """Describe why an archive cannot be read to its end: in the member `name` (empty: before the first)."""
    if isinstance(error, gzip.BadGzipFile) and not name:
        return "is no .tar.gz archive, or is damaged"
    early = isinstance(error, EOFError) or (isinstance(error, tarfile.ReadError) and "unexpected end" in str(error))
    if early or (isinstance(error, tarfile.ReadError) and "empty" in str(error)):
        after = f", in {printable_path(name)}" if name and name != _END else ""
        return f"is damaged: it is cut short{after}"
    return f"is damaged at {printable_path(name)}" if name else "is damaged"


def _unreadable(place: str, error: OSError) -> Missing | Unreadable:
    found = files.failure(place, error)
    kind = Missing if isinstance(found, Missing) else Unreadable
    return kind(place, f"{found.message}. Nothing was written.")


class _Header(tarfile.TarInfo):
    """A tar header; extended headers that are too long are refused."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Parse a header. Raises `ValueError` before the data of a too long one is read."""
        found = super().frombuf(buf, encoding, errors)
        if found.type in _EXTENDED_HEADERS and found.size > _MOST_EXTENDED_BYTES:
            raise ValueError("more than is said of a file")
        return found


class DigestingWriter:
    """Passes bytes on to a stream and computes their SHA-256."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._sha = hashlib.sha256()

    def write(self, raw: bytes) -> int:
        """Write like a stream; return the number of bytes written."""
        self._sha.update(raw)
        return self._out.write(raw)

    def flush(self) -> None:
        """Flush the stream."""
        self._out.flush()

    @property
    def digest(self) -> str:
        """The SHA-256 of what was written so far, as a hexadecimal string."""
        return self._sha.hexdigest()


def _seal(digest: str) -> bytes:
    return _SEAL_HEAD + digest.encode() + _SEAL_TAIL


def _is_sealed(place: str) -> bool:
    """Whether the digest at the end matches all bytes before it."""
    sha = hashlib.sha256()
    with open(place, "rb") as stream:
        left = os.fstat(stream.fileno()).st_size - _SEAL_BYTES
        while left > 0 and (piece := stream.read(min(left, 1 << 20))):
            sha.update(piece)
            left -= len(piece)
        return stream.read() == _seal(sha.hexdigest())


class _Bounded(io.RawIOBase):
    """A stream that raises an error beyond the largest size of a bundle."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner
        self._left = MOST_BYTES + (MOST_FILES + 10) * 2_048

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > self._left:
            raise ValueError("more than a bundle may have")
        found = self._inner.read(size)
        self._left -= len(found)
        return found


@contextmanager
def _opened(place: str) -> Iterator[tuple[tarfile.TarFile, Callable[[], None]]]:
    """Open an archive for one pass; also return a function that reads the rest, so that its checksum is verified."""
    with open(place, "rb", opener=_open_regular) as stream:
        packed = gzip.GzipFile(fileobj=stream)
        bounded = _Bounded(packed)  # type: ignore[arg-type]

        def rest() -> None:
            while packed.read(1 << 20):
                pass
            if stream.read(1):
                raise ValueError("something follows the archive")

        with tarfile.open(fileobj=bounded, mode="r|", errors="surrogateescape", tarinfo=_Header) as archive:
            yield archive, rest


def _open_regular(place: str, flags: int) -> int:
    """An opener for regular files only, which never blocks on a pipe or device. Raises `OSError`."""
    handle = os.open(place, flags | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "It is no ordinary file", place)
    return handle


def _check_name(shown: str, info: tarfile.TarInfo) -> None:
    parts = info.name.removeprefix("./").split("/")
    if not info.isreg():
        kind = "a link" if info.issym() or info.islnk() else "no ordinary file"
        _refuse(shown, info.name, f"it is {kind}")
    if info.name.startswith("/") or any(part in ("", ".", "..") for part in parts) or "\0" in info.name or "\\" in info.name:
        _refuse(shown, info.name, "its name leads out of the store")
    if len(os.fsencode(parts[-1])) > 255:
        _refuse(shown, info.name, "its name is too long")


def _refuse(shown: str, name: str, why: str) -> None:
    raise BadContent(f"{shown}: {printable_path(name)} is refused: {why}. Nothing was written.")


def _no_manifest(shown: str) -> BadContent:
    return BadContent(f"{shown}: {MANIFEST} is no manifest. Nothing was written.")


def _checked(shown: str, place: str, manifest: dict[str, object], members: list[Member]) -> Mapping[str, str]:
    """Check all files against the manifest; return its project folders."""
    listed, format, folders = manifest.get("files"), manifest.get("format"), manifest.get("folders")
    if not isinstance(format, int) or not isinstance(listed, dict) or not isinstance(folders, dict):
        raise _no_manifest(shown)
    if format > FORMAT:
        raise BadContent(f"{shown} was made by a newer zsmem (format {format}). Nothing was written.", "Update zsmem.")
    for member in members:
        about = listed.get(member.path)
        if not isinstance(about, dict) or about.get("sha256") != member.digest:
            _refuse(shown, member.path, "it is not what the manifest says")
    if not _is_sealed(place):
        raise BadContent(f"{shown} is damaged: it is not as it was written. Nothing was written.")
    missing = listed.keys() - {member.path for member in members}
    if missing:
        _refuse(shown, min(missing), "it is missing")
    return {str(slug): str(folder) for slug, folder in folders.items()}


def _plain_contents(shown: str, members: list[Member], layout: Layout) -> Contents:
    """The content of a plain archive of a store, with the path prefix before the store's own paths removed."""
    for member in members:
        prefix = store_prefix(layout, member.path)
        if prefix is not None:
            own = tuple(each._replace(path=each.path.removeprefix(prefix)) for each in members if each.path.startswith(prefix))
            return Contents(own, {}, prefix, plain=True)
    wanted = [layout.label(folder.role) for folder in layout.global_folders() if folder.role]
    wanted += [f"{layout.projects_folder}/"] if layout.projects_folder else []
    what = f"there is no {' and no '.join(wanted)} in it" if wanted else f"nothing in it is memory of {layout.title}"
    raise BadContent(f"{shown} holds no store: {what}. Nothing was written.")
