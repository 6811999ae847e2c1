"""Access to the sync remote by dulwich, if git is not installed: folders and https only.

The sizes of all objects in a received pack are checked before it is unpacked.
"""

from __future__ import annotations

import io
import os
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, Any, Final

from dulwich.client import HttpGitClient, HTTPProxyUnauthorized, HTTPUnauthorized, LocalGitClient
from dulwich.errors import GitProtocolError, MissingCommitError, ObjectMissing, RefFormatError, WrongObjectException
from dulwich.objects import ObjectID
from dulwich.pack import UnresolvedDeltas
from dulwich.refs import Ref
from dulwich.repo import Repo
from urllib3.exceptions import HTTPError

from zsmem_tui.core.errors import BadTarget, MemError, RemoteFailed
from zsmem_tui.core.sync.branch_files import MOST_BYTES
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.history.git_files import set_reference
from zsmem_tui.store.history.packing import BROKEN
from zsmem_tui.store.sync.place import THERE, Place, is_folder

_LARGEST_PACK: Final = 2 * 1024 * 1024 * 1024
_PIECE: Final = 1 << 16
_FAILED: Final = (
    *BROKEN,
    GitProtocolError,
    HTTPProxyUnauthorized,
    HTTPUnauthorized,
    HTTPError,
    IndexError,
    EOFError,
    MissingCommitError,
    ObjectMissing,
    RefFormatError,
    UnresolvedDeltas,
    WrongObjectException,
)
"""Errors that dulwich raises if a remote is unreachable, refuses, or sends invalid data."""


class Dulwich:
    """Does in this process what `git` would do."""

    def __init__(self, place: Place) -> None:
        if not is_folder(place.url) and not place.url.startswith(("https://", "http://")):
            raise BadTarget(f"{place.shown} needs a git program, and there is none. Nothing was synced.", "Install git.")
        self._place = place
        self._ref = Ref(f"refs/heads/{place.branch}".encode())
        self._asked = ExitStack()

    def head(self) -> str:
        """The id of the branch's last commit; empty if there is no such branch."""
        with self._told():
            client, path = self._client()
            found = client.get_refs(path).refs.get(self._ref)
            return found.decode() if found else ""

    def fetch(self) -> str:
        """Fetch the branch into the local repository; return the id of its last commit."""
        with self._told(), Repo(self._place.home) as repo, tempfile.TemporaryFile() as pack:
            client, path = self._client()
            size = 0

            def take(raw: bytes) -> int:
                nonlocal size
                size += len(raw)
                if size > _LARGEST_PACK:
                    raise RemoteFailed(f"{self._place.shown}: it sends more than {_LARGEST_PACK >> 30} GiB. Nothing was synced.")
                return pack.write(raw)

            def wanted(refs: Any, depth: int | None = None) -> list[ObjectID]:
                own = refs.get(self._ref)
                return [own] if own and own not in repo.object_store else []

            done = client.fetch_pack(path, wanted, repo.get_graph_walker(), take)
            head = done.refs.get(self._ref)
            if head is None:
                raise RemoteFailed(f"{self._place.shown}: it has no branch {self._place.branch}. Nothing was synced.")
            if size:
                pack.seek(0)
                _check(pack, self._place.shown)
                pack.seek(0)
                repo.object_store.add_thin_pack(pack.read, pack.read)
            set_reference(self._place.home, THERE, "", head.decode(), str)
            return str(head.decode())

    def push(self, commit: str, expected: str, *, force: bool = False) -> bool:
        """Push `commit`, which follows `expected`; False if somebody else has pushed meanwhile."""
        with self._told(), Repo(self._place.home) as repo:
            client, path = self._client()
            is_late = False

            def update(refs: Any) -> Any:
                nonlocal is_late
                is_late = (refs.get(self._ref) or b"").decode() != expected
                return {} if is_late else {self._ref: ObjectID(commit.encode())}

            done = client.send_pack(path, update, repo.generate_pack_data)
            status = (done.ref_status or {}).get(self._ref)
            if status:
                raise RemoteFailed(f"{self._place.shown}: {status}. Nothing was sent.")
            return not is_late

    def sizes(self, ids: Sequence[str]) -> dict[str, int]:
        """Zero for each of these objects: their sizes were checked when they were received."""
        return dict.fromkeys(ids, 0)

    def _client(self) -> tuple[Any, Any]:
        if is_folder(self._place.url):
            return LocalGitClient(), self._place.url
        client: Any = HttpGitClient.from_parsedurl(_parsed(self._place.url))
        pool = client.pool_manager
        ask = pool.request

        def noted(*words: Any, **named: Any) -> Any:
            answer = ask(*words, **named)
            self._asked.callback(answer.close)
            return answer

        pool.request = noted  # dulwich leaves a refused response open, and its connection with it
        self._asked.callback(pool.clear)
        return client, _parsed(self._place.url).path

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            with self._asked:
                yield
        except MemError:
            raise
        except _FAILED as error:
            words = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
            reason = printable_path(self._place.told(words)[:400].rstrip("."))
            raise RemoteFailed(f"{self._place.shown}: {reason}. Nothing was synced.") from error


def _parsed(url: str) -> Any:
    from urllib.parse import urlparse  # deferred: needed only for https

    return urlparse(url)


def _check(pack: IO[bytes], shown: str) -> None:
    """Check the size of every object in a pack. Raises `RemoteFailed` if one is too large."""
    head = pack.read(12)
    if head[:4] != b"PACK":
        raise ValueError("it sent no pack")
    for _ in range(int.from_bytes(head[8:12], "big")):
        first = pack.read(1)[0]
        kind, size, shift, byte = first >> 4 & 7, first & 15, 4, first
        while byte & 0x80:
            byte = pack.read(1)[0]
            size |= (byte & 0x7F) << shift
            shift += 7
        if kind == 6:
            while pack.read(1)[0] & 0x80:
                pass
        elif kind == 7:
            pack.seek(20, io.SEEK_CUR)
        goal = _unpacked(pack, is_delta=kind in (6, 7))
        if max(size, goal) > MOST_BYTES:
            raise RemoteFailed(f"{shown}: it sends a file of more than {MOST_BYTES >> 20} MiB. Nothing was synced.")


def _unpacked(pack: IO[bytes], *, is_delta: bool) -> int:
    """Skip an object in a pack; return its size, or for a delta the size of its result."""
    stream = zlib.decompressobj()
    count, start = 0, b""
    while not stream.eof:
        raw = pack.read(_PIECE)
        if not raw:
            raise ValueError("the pack is cut short")
        while raw and not stream.eof:
            found = stream.decompress(raw, _PIECE)
            raw = stream.unconsumed_tail
            count += len(found)
            start += found[: 32 - len(start)]
            if count > MOST_BYTES:
                return count
    pack.seek(-len(stream.unused_data), os.SEEK_CUR)
    return _second_number(start) if is_delta else count


def _second_number(raw: bytes) -> int:
    """The second of two varint numbers at the start of a delta: the size of its result."""
    at = number = 0
    for _ in range(2):
        number = shift = 0
        while at < len(raw):
            byte = raw[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
    return number
