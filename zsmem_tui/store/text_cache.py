"""File texts held in memory for search, refreshed by fingerprint and bounded by a cap."""

from __future__ import annotations

import os
import time
from _thread import allocate_lock  # `threading` would cost a cold search a millisecond
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.find import WORTH_LOADING_BYTES, use_fastest
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.search import Cancelled, Document, HeldText, hold, never
from zsmem_tui.store.disk import files, listing

DEFAULT_CAP_BYTES: Final = 384 * 1024 * 1024
"""Bytes of raw and folded text held at most: a store of 30,000 files and 190 MB stays in memory whole."""

_SETTLED_NS: Final = 2_000_000_000
"""A file changed less than two seconds before it was read is read again: a second change may leave the same time."""

_NOTHING: Final = HeldText(b"", b"", valid=False)


class _Entry:
    __slots__ = ("document", "fingerprint", "round")

    def __init__(self, document: Document, fingerprint: Fingerprint | None) -> None:
        self.document = document
        self.fingerprint = fingerprint
        self.round = 0


class Texts:
    """The texts of the folders asked for. One instance may serve several threads; they take turns."""

    def __init__(self, cap_bytes: int = DEFAULT_CAP_BYTES, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._cap = cap_bytes
        self._now_ns = now_ns
        self._held: OrderedDict[str, _Entry] = OrderedDict()
        self._bytes = 0
        self._round = 0
        self._lock = allocate_lock()
        self._latest: tuple[tuple[str, tuple[Folder, ...]], float, list[Document]] | None = None

    @property
    def held_bytes(self) -> int:
        """Bytes of raw and folded text held now."""
        return self._bytes

    def documents(
        self, root: str, folders: Sequence[Folder], *, cancelled: Callable[[], bool] = never, max_age: float = 0.0
    ) -> list[Document]:
        """A document for every memory file in `folders`, with the text it has now.

        What the fingerprint says is unchanged is not read again. With `max_age`, the answer of an earlier call for the
        same folders serves when it is at most that many seconds old. Files that cannot be read are there with an empty text.
        Raises `Cancelled` when `cancelled()` says so between two files.
        """
        wanted = (root, tuple(folders))
        with self._lock:
            if max_age and self._latest and self._latest[0] == wanted and time.monotonic() - self._latest[1] <= max_age:
                return self._latest[2]
            self._round += 1
            found: list[Document] = []
            for folder in listing.expanded(root, folders):
                home = os.path.join(root, folder.path) if folder.path else root
                for name in listing.names(root, folder):
                    if cancelled():
                        raise Cancelled
                    found.append(self._document(f"{home}/{name}", name, folder))
            if self._bytes > WORTH_LOADING_BYTES:
                use_fastest()
            self._latest = (wanted, time.monotonic(), found)
            return found

    def expire(self) -> None:
        """Look at the files again at the next call, whatever `max_age` it allows: something has changed."""
        self._latest = None

    def forget(self) -> None:
        """Drop every text held."""
        with self._lock:
            self._held.clear()
            self._bytes = 0
            self._latest = None

    def _document(self, path: str, name: str, folder: Folder) -> Document:
        entry = self._held.get(path)
        try:
            fingerprint = files.look(path)
            if entry and entry.fingerprint == fingerprint and entry.document.folder == folder:
                entry.round = self._round
                self._held.move_to_end(path)
                return entry.document
            raw, fingerprint = files.read(path)
            text = hold(raw)
        except StoreError:
            self._drop(path)
            return Document(path, name, folder, _NOTHING)
        document = Document(path, name, folder, text)
        settled = self._now_ns() - fingerprint.mtime_ns > _SETTLED_NS
        self._keep(path, _Entry(document, fingerprint if settled else None))
        return document

    def _keep(self, path: str, entry: _Entry) -> None:
        """Hold `entry`, making room from what this round has not asked for; when there is none, do without."""
        self._drop(path)
        size = entry.document.text.size
        while self._held and self._bytes + size > self._cap:
            oldest = next(iter(self._held))
            if self._held[oldest].round == self._round:
                return
            self._drop(oldest)
        if size <= self._cap:
            entry.round = self._round
            self._held[path] = entry
            self._bytes += size

    def _drop(self, path: str) -> None:
        entry = self._held.pop(path, None)
        if entry:
            self._bytes -= entry.document.text.size
