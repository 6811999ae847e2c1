"""Putting a text in a file's place in one step, with the text that stood there in hand.

The new text is written to a uniquely named hidden file in the same folder, synced and given the old file's permission bits; then
the two names are exchanged. A crash at any moment leaves the old text or the new one, whole.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import stat
from collections.abc import Callable
from typing import Final

from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files
from zsmem_tui.store.exchange import Unsupported, exchange, move_to_free_name
from zsmem_tui.store.folders import sync_folder
from zsmem_tui.store.processes import alive

Keep = Callable[[bytes], object]
"""Is given a text that is about to be gone, while it is still on disk."""

_TEMP_NAME_BYTES: Final = 180
"""Bytes of the real name kept in a temporary one, so that process id and counter fit into 255."""

_TEMP: Final = re.compile(r"^\.(.*)\.zsmem-(\d+)-\d+$", re.DOTALL)

_ATTEMPTS: Final = 12
"""Times that a name is tried anew because it appears and vanishes meanwhile."""

_counter = itertools.count()
_swept: set[str] = set()


def no_step(name: str) -> None:
    """What happens between two steps of a write: nothing. Tests put a failure here."""


step: Callable[[str], None] = no_step


def swap(place: str, content: bytes, keep: Keep, modified: int | None = None) -> bytes | None:
    """Put `content` at `place` in one step; what stood there before, or None. Raises `WriteFailed`.

    `keep` is given the displaced text before it goes. The temporary file is gone, unless what it holds could not be read.
    `modified` (nanoseconds since 1970) is the time that the file gets; None: now.
    """
    folder, name = os.path.split(place)
    temp = os.path.join(folder, temp_name(name))
    try:
        _write_temp(temp, content, _mode(place), modified)
        exchanged, displaced = _into_place(temp, place, keep)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise failed(place, error) from error
    try:
        if exchanged:
            displaced = _displaced(temp, keep)
        sync_folder(folder)
        step("folder synced")
    except OSError as error:
        raise failed(place, error, "It was written, but may not survive a power cut.") from error
    return displaced


def _write_temp(temp: str, content: bytes, mode: int | None, modified: int | None) -> None:
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        step("temporary file made")
        if mode is not None:
            os.fchmod(handle, mode)
        view = memoryview(content)
        while view:
            view = view[os.write(handle, view) :]
        if modified is not None:
            os.utime(handle, ns=(modified, modified))
        step("temporary file written")
        os.fsync(handle)
        step("temporary file synced")
    finally:
        os.close(handle)


def _into_place(temp: str, place: str, keep: Keep) -> tuple[bool, bytes | None]:
    """Give `temp` the name `place`: whether `temp` now holds what stood there, else that text, or None when there was none."""
    for _ in range(_ATTEMPTS):
        try:
            exchange(temp, place)
        except FileNotFoundError:
            try:
                move_to_free_name(temp, place)
            except FileExistsError:
                continue
            except Unsupported:
                os.link(temp, place)
                os.unlink(temp)
            step("moved into place")
            return False, None
        except Unsupported:
            if (displaced := present(place)) is not None:
                keep(displaced)
            os.replace(temp, place)
            step("moved into place")
            return False, displaced
        return True, None
    raise FileNotFoundError(errno.ENOENT, "it keeps appearing and vanishing", place)


def _displaced(temp: str, keep: Keep) -> bytes:
    """What stood in the place before; taken away once it is kept."""
    step("exchanged")
    displaced, _ = files.read(temp)
    step("displaced text read")
    keep(displaced)
    os.unlink(temp)
    step("temporary file removed")
    return displaced


def present(place: str) -> bytes | None:
    """The bytes of a file; None when there is none. Raises `WriteFailed` when it cannot be read."""
    try:
        return files.read_if_there(place)
    except StoreError as error:
        raise WriteFailed(place, f"{error.message}. Nothing was written.", error.hint) from error


def _mode(place: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(place).st_mode)
    except OSError:
        return None


def temp_name(name: str) -> str:
    """A name for a temporary file that stands for `name`: hidden, unique, and it says which process made it."""
    kept = os.fsdecode(os.fsencode(name)[:_TEMP_NAME_BYTES])
    return f".{kept}.zsmem-{os.getpid()}-{next(_counter)}"


def sweep(folder: str, keep: Callable[[str, bytes], object]) -> None:
    """Once per folder and process: clear away temporary files of ours whose process is dead.

    One may hold a text that an exchange displaced just before the end: `keep` is given the name it stands for, and the text.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError, StoreError):
        for name in os.listdir(folder):
            found = _TEMP.match(name)
            if found and not alive(int(found[2])):
                left = os.path.join(folder, name)
                if content := files.read(left)[0]:
                    keep(found[1], content)
                os.unlink(left)


def failed(place: str, error: OSError | ValueError, outcome: str = "Nothing was written.") -> WriteFailed:
    """What the system said about `place`, as a sentence that ends with `outcome`."""
    words = (error.strerror or str(error)) if isinstance(error, OSError) else "file name contained an unexpected NUL byte"
    return WriteFailed(place, f"{printable_path(place)}: {words}. {outcome}")
