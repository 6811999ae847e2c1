"""Many files of a folder read into one piece of bytes, with as few calls of the system as there can be."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui.store.disk.files import LARGEST

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC

_LEAST_BYTES: Final = 64 * 1024
"""Bytes asked for at once of a file whose size is not known."""

_MOSTLY_BYTES: Final = 64 * 1024
"""Bytes that most files have fewer of: those are read in one piece, others a second time."""

_LINE_BREAK: Final = 0x0A


class JoinedReader:
    """Reads the texts of ordinary files one behind the other. Threads may share one.

    What is read into is kept for the next time: asking the system for fresh memory costs as much as reading the files.
    """

    def __init__(self, keep_bytes: int) -> None:
        """`keep_bytes` is about what is read at once; what a larger file takes is given back."""
        self._keep = keep_bytes + keep_bytes // 16
        self._spare: list[bytearray] = []

    def read(self, home: str, names: Sequence[str], sizes: Sequence[int]) -> tuple[bytes, list[int]]:
        """The texts of files of a folder, a line break after each, and where each begins and one more would.

        `sizes` are the bytes that they had when somebody looked, 0 where that is not known or the file is no ordinary one: what
        holds as much is taken to be whole, everything else is looked at again. A file that cannot be read is empty.
        """
        if max(sizes, default=0) > LARGEST:
            sizes = [size if size <= LARGEST else 0 for size in sizes]
        try:
            folder = os.open(home, os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, ValueError):
            return b"\n" * len(names), list(range(len(names) + 1))
        try:
            room = self._spare.pop()  # not after a look at whether there is one: another thread may take it between
        except IndexError:
            room = bytearray(self._keep)
        if len(room) < sum(sizes) + len(names) + 1:
            room = bytearray(sum(sizes) + len(names) + 1)
        view = memoryview(room)
        starts, at = [0], 0
        try:
            for name, size in zip(names, sizes, strict=True):
                # The inner loop of a first search: nothing is asked of the system or made here that is not needed.
                try:
                    handle = os.open(name, _FLAGS, dir_fd=folder)
                    try:
                        got = os.readv(handle, (view[at : at + size + 1],)) if size else 0
                        if got != size or not size:
                            text = bytes(view[at : at + got]) + _rest(handle)
                            view, got = _with_text(view, at, text, size), len(text)
                    finally:
                        os.close(handle)
                except (OSError, ValueError):
                    got = 0
                at += got
                view[at] = _LINE_BREAK
                at += 1
                starts.append(at)
        finally:
            os.close(folder)
        joined = bytes(view[:at])
        if len(room) <= 2 * self._keep:
            self._spare.append(room)
        return joined, starts

    def give_back(self) -> None:
        """Keep nothing for the next time."""
        self._spare.clear()


class PieceReader:
    """Reads every file of folders once, with nothing known about any: some texts at a time, one behind the other."""

    def __init__(self, piece_bytes: int) -> None:
        """A piece has about so many bytes, or one larger file."""
        self._piece = piece_bytes
        self._view = memoryview(bytearray(piece_bytes + _MOSTLY_BYTES + 1))

    def pieces(self, home: str, names: Sequence[str]) -> Iterator[tuple[Sequence[str], memoryview, list[int]]]:
        """Names of files of a folder, their texts, a line break after each, and where each begins and one more would.

        The texts are there until the next piece is asked for. A file that cannot be read, or is no ordinary one, is empty.
        """
        if not names:
            return
        try:
            folder = os.open(home, os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, ValueError):
            yield names, memoryview(b"\n" * len(names)), list(range(len(names) + 1))
            return
        view, first, at, starts = self._view, 0, 0, [0]
        try:
            for number, name in enumerate(names):
                # As above, the inner loop of a search. What can be read from a place in it is a file, or a device without end.
                try:
                    handle = os.open(name, _FLAGS, dir_fd=folder)
                    try:
                        got = os.preadv(handle, (view[at : at + _MOSTLY_BYTES],), 0)
                        if got == _MOSTLY_BYTES or (got and os.preadv(handle, (view[at + got : at + got + 1],), got)):
                            text = _rest(handle)
                            view, got = _with_text(view, at, text, _MOSTLY_BYTES), len(text)
                    finally:
                        os.close(handle)
                except (OSError, ValueError):
                    got = 0
                at += got
                view[at] = _LINE_BREAK
                at += 1
                starts.append(at)
                if at > self._piece:
                    yield names[first : number + 1], view[:at], starts
                    view, first, at, starts = self._view, number + 1, 0, [0]
        finally:
            os.close(folder)
        if at:
            yield names[first:], view[:at], starts


def _with_text(view: memoryview, at: int, text: bytes, expected: int) -> memoryview:
    """The same bytes up to `at`, then `text`, and as much room behind it as if it had as many bytes as were `expected`."""
    if len(text) > expected:
        larger = memoryview(bytearray(len(view) + len(text) - expected))
        larger[:at] = view[:at]
        view = larger
    view[at : at + len(text)] = text
    return view


def _rest(handle: int) -> bytes:
    """What is left of a file that is not as it was said to be. Raises `OSError` for what is no ordinary file, or too large."""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    if found.st_size > LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    pieces: list[bytes] = []
    while piece := os.read(handle, max(found.st_size, _LEAST_BYTES)):
        pieces.append(piece)
    return b"".join(pieces)
