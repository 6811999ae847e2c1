"""Keep files that a write has displaced until nobody writes into them any more.

A program that writes in place (opens, truncates, writes slowly) goes on writing into the file it has opened, even when that file
has no name in the store any more. So each temporary file of a write is noted in the state folder before it is created. If a writer
has a displaced file open, the file is moved to the state folder and checked later: by the write that displaced it, at exit, or by
the next zsmem that writes or starts. If the state folder is on another file system, the file stays beside its place, under its
hidden name.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import json
import os
import signal
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.store.disk import files, processes, state
from zsmem_tui.store.disk.folders import delete_if_possible, stat_of
from zsmem_tui.store.disk.waiting import Waits

WAIT_FOR_WRITER: Final = 0.4
"""Seconds that a write waits for a program that is writing the file in place."""

_QUIET: Final = 2.0
"""Seconds without a change after which nobody is assumed to write, where the system cannot tell who has a file open."""

_EMPTY_FOR: Final = 0.05
"""Seconds that a file that was just truncated is given to be filled."""

_PAUSE: Final = 0.002

_HELD: Final = "-held"
"""Suffix of notes whose file is kept; others are for writes in progress."""


class Displaced(NamedTuple):
    """A file that a write displaced from `path` (relative to the root). `file` is its current path, `was` its content at that time
    (None: not recorded, because the program was killed).
    """

    home: str
    name: str
    path: str
    file: str
    was: bytes | None

    def has_writer(self) -> bool:
        """Whether somebody may still be writing into it."""
        found = writer_at(self.file)
        if found is not None:
            return found
        now = stat_of(self.file)
        return now is not None and time.time_ns() - now.st_mtime_ns < _QUIET * 10**9

    def is_at_work(self) -> bool:
        """Whether somebody is writing into it: has it open or, where the system cannot tell, has changed it since."""
        found = writer_at(self.file)
        if found is not None:
            return found
        now, made = stat_of(self.file), int(self.name.partition("-")[0])
        is_changed = now is not None and (now.st_mtime_ns > made or (self.was is not None and now.st_size != len(self.was)))
        return is_changed and self.has_writer()

    @property
    def age(self) -> float:
        """Seconds since it was noted."""
        return (time.time_ns() - int(self.name.partition("-")[0])) / 10**9

    @property
    def is_held(self) -> bool:
        """Whether it was kept on purpose, rather than left by a dead process."""
        return self.name.endswith(_HELD)

    def text(self) -> bytes | None:
        """Its current content; None if it is gone. Raises `Unreadable`."""
        return files.read_if_there(self.file)

    def drop(self) -> None:
        """Delete it and its note."""
        delete_if_possible(self.file)
        finish(self.home, self.name)


def home_of(root: str) -> str:
    """The folder of the notes about a store's writes."""
    return state.folder("displaced", root)


def begin(home: str, path: str, temp: str) -> str:
    """Note that the file `temp` is about to be created for `path`; return the name of the note, empty if that failed.

    The note is written in place, not atomically: `temp` is created only after it is complete.
    """
    name = processes.unique_name()
    own = [slot for slot in _free.pop(home, []) if slot.split("-")[1] == str(os.getpid())]  # a forked process inherits its parent's
    slot = own.pop() if own else name
    _own.add(slot)
    _free[home] = own
    try:
        state.put_over_own(os.path.join(home, f"{slot}.json"), _document(path, temp))
    except OSError:
        return ""
    _slots[name] = slot
    return name


_free: dict[str, list[str]] = {}
"""By folder: note files that are free. They are reused, since creating a file takes a quarter of a write."""

_own: set[str] = set()
"""The note files of this process."""

_slots: dict[str, str] = {}
"""The note file of each write of this process."""


def finish(home: str, name: str) -> None:
    """Delete a note: its temporary file is gone."""
    slot = _slots.pop(name, "")
    if slot:
        with contextlib.suppress(OSError):
            state.put_over_own(os.path.join(home, f"{slot}.json"), b"")
            _free.setdefault(home, []).append(slot)
    elif name:
        for ending in (".was", ".json"):
            delete_if_possible(os.path.join(home, name + ending))


def hold(home: str, name: str, path: str, temp: str, was: bytes, keep: Callable[[bytes], bool]) -> Displaced:
    """Keep the file `temp`, which somebody has open for writing; `was` is its content when it was displaced.

    If it has to stay in the store, `keep` is called at exit with what was written into it by then.
    """
    held = f"{name or processes.unique_name()}{_HELD}"
    file = os.path.join(home, f"{held}.file")
    with contextlib.suppress(WriteFailed):
        state.put(os.path.join(home, f"{held}.was"), was, "", durable=False)
    _note(home, held, path, file)
    try:
        os.rename(temp, file)
    except OSError:
        file = temp
        _note(home, held, path, file)
        _beside.append((Displaced(home, held, path, file, was), keep))
    finish(home, name)
    return Displaced(home, held, path, file, was)


def waiting(home: str) -> list[Displaced]:
    """The files to check again: those that are kept, and those that dead processes left."""
    found = []
    for name in sorted(files.list_all(home)):
        made, _, rest = name.removesuffix(".json").partition("-")
        pid = rest.partition("-")[0]
        is_held = rest.endswith(_HELD)
        if not name.endswith(".json") or not (made.isdigit() and pid.isdigit()):
            continue
        name = name.removesuffix(".json")
        if not is_held and (name in _own or processes.owns(int(pid), int(made))):
            continue
        match state.document(os.path.join(home, f"{name}.json")):
            case {"path": str(path), "file": str(file)} if "\0" not in path + file:
                found.append(Displaced(home, name, path, file, _stored_text(home, name) if is_held else None))
            case _ if not is_held:  # incomplete note: the file was not created
                finish(home, name)
    return found


def writer_at(place: str) -> bool | None:
    """Whether somebody has the file open for writing; None if the system cannot tell."""
    wanted = getattr(fcntl, "F_SETLEASE", None)
    if wanted is None or not hasattr(fcntl, "F_SETSIG"):
        return None
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)  # SIGURG is ignored; the default signal would end the program
        fcntl.fcntl(handle, wanted, fcntl.F_RDLCK)
        fcntl.fcntl(handle, wanted, fcntl.F_UNLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    finally:
        os.close(handle)
    return False


def wait_for_writer(place: str, waits: Waits, most: float = WAIT_FOR_WRITER) -> float:
    """Wait briefly for a program that is writing the file in place; return the seconds waited."""
    clock = waits.patience.now
    with waits.counted():
        begun = clock()
        while True:
            waited = clock() - begun
            is_written = writer_at(place) or (waited < _EMPTY_FOR and _just_emptied(place))
            if not is_written or waited > most or not waits.left:
                return waited
            waits.pause(_PAUSE)


def _just_emptied(place: str) -> bool:
    found = stat_of(place)
    return found is not None and found.st_size == 0 and 0 <= time.time_ns() - found.st_mtime_ns < _EMPTY_FOR * 10**9


def _note(home: str, name: str, path: str, file: str) -> None:
    with contextlib.suppress(WriteFailed):
        state.put(os.path.join(home, f"{name}.json"), _document(path, file), "", durable=False)


def _document(path: str, file: str) -> bytes:
    return json.dumps({"path": path, "file": file}).encode()


def _stored_text(home: str, name: str) -> bytes | None:
    try:
        return files.read_if_there(os.path.join(home, f"{name}.was"))
    except StoreError:
        return None


_beside: list[tuple[Displaced, Callable[[bytes], bool]]] = []
"""Files of this process that could not be moved to the state folder, with the function that records late text."""


@atexit.register
def _clear_beside() -> None:
    """Record what was written late into files left in the store, then delete them; they stay where that fails."""
    for each, keep in _beside:
        with contextlib.suppress(StoreError):
            text = each.text()
            if not text or text == each.was or keep(text):
                each.drop()
    _beside.clear()
