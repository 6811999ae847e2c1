"""Replace a file's content atomically and get hold of the displaced text.

The new text is written to a uniquely named hidden file in the same folder, synced, and given the old file's permission bits; then
the two names are swapped. A crash at any time leaves the old text or the new one, complete.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Final

from zsmem_tui.core.errors import OutsideStore, StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import displaced, files
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.files import failed, failing
from zsmem_tui.store.disk.folders import delete_if_possible, stat_of, sync_folder
from zsmem_tui.store.disk.places import is_below
from zsmem_tui.store.disk.processes import alive
from zsmem_tui.store.disk.rename_exchange import Unsupported, exchange, move_to_free_name
from zsmem_tui.store.disk.replace import TEMP, temp_name
from zsmem_tui.store.disk.state import write_all

Keep = Callable[[bytes], bool]
"""Called with a text that is about to be deleted, while it is still on disk; returns whether it was kept."""


_TO_FIND: Final = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
"""How a folder is opened in which names are to be found: where the system has a way, without the right to list it."""

_ATTEMPTS: Final = 12
"""Attempts to place a file that appears and vanishes meanwhile."""

_swept: set[str] = set()


def no_step(name: str) -> None:
    """Called between two steps of a write: does nothing. Tests inject failures here."""


step: Callable[[str], None] = no_step


class Appeared(Exception):
    """Somebody created or changed the file a moment ago, and nothing was done: examine it again."""


class NotTakenBack(Exception):
    """The new text is still in place, because the names could not be swapped back."""


class Swap:
    """Puts one text in the place of a file. A context manager: at its end, the temporary file is gone.

    `path` is the place relative to its root, `home` the folder for notes about the write (`displaced.home_of`), empty for none.
    `inside` is the folder that must contain the place, even if a parent has become a link meanwhile. `modified` (nanoseconds since
    1970) is the file's modification time; None: now. `mode` are its permission bits; None: those of the replaced file. Without
    `durable`, the caller takes care of syncing. All methods raise `WriteFailed`.
    """

    def __init__(
        self,
        place: str,
        content: bytes,
        *,
        path: str = "",
        home: str = "",
        inside: str = "",
        modified: int | None = None,
        durable: bool = True,
        mode: int | None = None,
    ) -> None:
        self.place = place
        self.content = content
        self._folder, name = os.path.split(place)
        self._temp = os.path.join(self._folder, temp_name(name))
        self._path = path
        self._home = home
        self._inside = inside
        self._modified = modified
        self._durable = durable
        self._mode = mode
        self._note = ""
        self._own: tuple[int, int] | None = None
        self._handle: int | None = None
        """The folder, by which the temporary file is found also where the folder was moved meanwhile."""
        self._is_in_place = False
        self._unsynced: int | None = None
        self._replaced: bytes | None = None
        self._under = content
        """The text under the temporary name, once something was taken back."""

    def __enter__(self) -> Swap:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._unsynced is not None:
            os.close(self._unsynced)
            self._unsynced = None
        if not self._is_in_place:
            with contextlib.suppress(OSError):
                os.unlink(os.path.basename(self._temp) if self._handle is not None else self._temp, dir_fd=self._handle)
            if self._home and not os.path.lexists(self._temp):
                displaced.finish(self._home, self._note)
        if self._handle is not None:
            os.close(self._handle)

    def write(self, *, sync: bool = True, displaces: bool = True) -> None:
        """Write the text to the temporary file. Without `sync`, it is synced after the exchange.

        If it probably `displaces` nothing, no note is made; a file left by a killed process is swept later.
        """
        refuse_irregular(self.place)
        if self._home and displaces:
            self._note = displaced.begin(self._home, self._path, self._temp)
        with failing(self.place):
            self._write(sync)

    def exchange(self, expected: bytes | None) -> bytes | None:
        """Swap the new text into place and return the displaced one (None: no file), which is still on disk.

        Raises `Appeared` if the place changed; nothing is done then. If names cannot be swapped, the place is compared with
        `expected` and replaced.
        """
        try:
            is_in_hand = self._into_place(expected)
            self._is_in_place = True
            if not is_in_hand:
                step("moved into place")
                return self._replaced
        except OSError as error:
            raise failed(self.place, error) from error
        try:
            step("exchanged")
            self._follow()
            refuse_irregular(self._temp, self.place)
            found = files.read(self._temp)[0]
            step("displaced text read")
        except (OSError, StoreError) as error:
            self._restore_unreadable(error)
        return found

    def take_back(self, found: bytes) -> tuple[bytes, ...]:
        """Swap back, because the displaced text `found` was not the expected one: the place has the other program's text again.

        A text that somebody has meanwhile put in place of ours is newer: it is swapped back in turn. Returns such texts, the one
        that stands last, without one that is half-written. Raises `NotTakenBack`. To be followed by `put_aside`.
        """
        newer: list[bytes] = []
        stands, self._under = self.content, found
        for _ in range(_ATTEMPTS):
            try:
                exchange(self._temp, self.place)
            except (OSError, Unsupported) as error:
                if self._is_in_place:
                    raise NotTakenBack from error
                break  # somebody has deleted it
            self._is_in_place = False
            stands, self._under = self._under, stands
            is_written = displaced.writer_at(self._temp)
            with contextlib.suppress(OSError, StoreError):
                if (text := files.read(self._temp)[0]) != self._under:
                    self._under = text
                    newer += [] if is_written else [text]
                    continue
            break
        return tuple(newer)

    def put_aside(self, keep: Keep) -> None:
        """Delete what was taken back. `keep` is called with what somebody has written into it since."""
        with contextlib.suppress(OSError, StoreError):
            self._put_aside(self._under, keep)

    @property
    def kept(self) -> str:
        """The file that has the displaced text."""
        return self._temp

    def is_displaced_open(self) -> bool:
        """Whether somebody has the displaced file open for writing."""
        return displaced.writer_at(self._temp) is True

    def give_back(self, keep: Keep) -> bool:
        """Swap back, unless somebody has written over our text meanwhile: that is newer, and stays.

        Returns whether the place has the displaced text again. `keep` is called with what is still written into our file.
        """
        try:
            exchange(self._temp, self.place)  # at once: who reads our text now would go on without theirs
        except (OSError, Unsupported):
            return False
        if self._is_untouched(self._temp):
            self._is_in_place = False
            self._put_aside(self.content, keep, holds=True)
            return True
        with contextlib.suppress(OSError, Unsupported):
            exchange(self._temp, self.place)
        return False

    def _is_untouched(self, place: str) -> bool:
        """Whether the file there is the one written here, unchanged, and nobody has it open for writing."""
        with contextlib.suppress(OSError, StoreError):
            found = os.lstat(place)
            is_own = (found.st_dev, found.st_ino) == self._own
            return is_own and not displaced.writer_at(place) and files.read(place)[0] == self.content
        return False

    def let_go(self, was: bytes | None, keep: Keep, *, holds: bool = False) -> Displaced | None:
        """Delete the displaced file; or, if somebody is writing into it, or with `holds`, keep it and return where it is.

        `keep` is called with what was written into it since its content was `was`. Then everything is synced. Raises `OSError` if
        that fails.
        """
        self._follow()
        held = self._put_aside(was, keep, holds=holds) if was is not None and os.path.lexists(self._temp) else None
        if held is None and self._home and not os.path.lexists(self._temp):
            displaced.finish(self._home, self._note)
        step("temporary file removed")
        if self._unsynced is not None:
            os.fsync(self._unsynced)
        if self._durable:
            sync_folder(self._folder)
        step("folder synced")
        return held

    def _follow(self) -> None:
        """Find the temporary file again where its folder was moved meanwhile, if the system tells where a folder is."""
        if self._handle is not None and not os.path.lexists(self._temp):
            with contextlib.suppress(OSError):
                folder = os.readlink(f"/proc/self/fd/{self._handle}")
                self._temp = os.path.join(folder, os.path.basename(self._temp))

    def _put_aside(self, was: bytes, keep: Keep, *, holds: bool = False) -> Displaced | None:
        """Delete the file that has lost its name, or hold it: with `holds`, if somebody is writing into it, or `keep` failed."""
        is_held = (holds and self._note != "") or displaced.writer_at(self._temp) is not False
        if not is_held or not self._home:
            with contextlib.suppress(StoreError):
                late = files.read(self._temp)[0]
                is_held = late != was and not keep(late)
        if is_held and self._home:
            held = displaced.hold(self._home, self._note, self._path, self._temp, was, keep)
            self._note = ""
            return held
        delete_if_possible(self._temp)
        return None

    def _write(self, sync: bool) -> None:
        with contextlib.suppress(OSError):
            self._handle = os.open(self._folder, _TO_FIND)
        handle = os.open(self._temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            step("temporary file made")
            refuse_outside(self._temp, self._inside, self.place)
            _take_attributes(self.place, handle)
            if self._mode is not None:
                os.fchmod(handle, self._mode)
            write_all(handle, self.content)
            if self._modified is not None:
                os.utime(handle, ns=(self._modified, self._modified))
            found = os.fstat(handle)
            self._own = (found.st_dev, found.st_ino)
            step("temporary file written")
            if sync and self._durable:
                os.fsync(handle)
            elif self._durable:
                self._unsynced = os.dup(handle)
            step("temporary file synced")
        finally:
            os.close(handle)

    def _into_place(self, expected: bytes | None) -> bool:
        """Put the file in place; return whether the temporary name now has the displaced file."""
        for _ in range(_ATTEMPTS):
            try:
                exchange(self._temp, self.place)
            except FileNotFoundError:
                try:
                    move_to_free_name(self._temp, self.place)
                except FileExistsError:
                    continue
                except Unsupported:
                    os.link(self._temp, self.place)
                    os.unlink(self._temp)
                return False
            except Unsupported:
                return self._replace(expected)
            return True
        raise FileNotFoundError(errno.ENOENT, "it keeps appearing and vanishing", self.place)

    def _replace(self, expected: bytes | None) -> bool:
        """Replace the file if it has the `expected` content, keeping the old file under a second name if possible."""
        if (now := present(self.place)) != expected:
            raise Appeared
        other = os.path.join(self._folder, temp_name(os.path.basename(self.place)))
        if now is not None:
            with contextlib.suppress(OSError):
                os.link(self.place, other)
        os.replace(self._temp, self.place)
        self._temp, self._replaced = other, now
        return os.path.lexists(other)

    def _restore_unreadable(self, error: OSError | StoreError) -> None:
        """The displaced file cannot be read: swap back, or raise an error that says where it is."""
        try:
            exchange(self._temp, self.place)
        except (OSError, Unsupported):
            words = error.strerror if isinstance(error, OSError) else error.message
            shown, kept = printable_path(self.place), printable_path(self._temp)
            raise WriteFailed(
                self.place, f"{shown} was written, but what stood there ({kept}): {words}. It lies there still."
            ) from error
        self._is_in_place = False
        if isinstance(error, OSError):
            raise failed(self.place, error) from error
        raise WriteFailed(self.place, f"{error.message}. Nothing was written.".replace("..", "."), error.hint) from error


def refuse_irregular(place: str, named: str = "") -> None:
    """Raise `WriteFailed` if `place` exists and is not a regular file; the message names `named` if given."""
    try:
        found = os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise failed(named or place, error) from error
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a link" if stat.S_ISLNK(found.st_mode) else "not an ordinary file"
        raise WriteFailed(named or place, f"{printable_path(named or place)}: it is {kind}. Nothing was written.")


def present(place: str) -> bytes | None:
    """The bytes of a file; None if it does not exist. Raises `WriteFailed` if it cannot be read."""
    try:
        return files.read_if_there(place)
    except StoreError as error:
        raise WriteFailed(place, f"{error.message}. Nothing was written.", error.hint) from error


def _take_attributes(place: str, handle: int) -> None:
    """Copy group, permission bits and extended attributes of the replaced file, if any, to a new file.

    Attributes that only the system may set are skipped. Raises `OSError` if the permission bits cannot be set.
    """
    found = stat_of(place)
    if found is None:
        return
    if found.st_gid != os.fstat(handle).st_gid:
        with contextlib.suppress(OSError):
            os.fchown(handle, -1, found.st_gid)
    os.fchmod(handle, stat.S_IMODE(found.st_mode))
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for name in os.listxattr(place):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(place, name))


def refuse_outside(temp: str, root: str, place: str) -> None:
    """Raise `OutsideStore` if our file `temp` is not below `root` (a real path), because a parent became a link that leads away.

    Checked after the file is created: later names in the same write depend on it, and fail if the folder is another by then.
    """
    if root and not is_below(os.path.realpath(os.path.dirname(temp)), root):
        shown = printable_path(os.path.dirname(place))
        raise OutsideStore(place, f"{shown} is a link that leaves the store now. Nothing was written.")


def sweep(folder: str, keep: Callable[[str, bytes], bool]) -> None:
    """Delete our temporary files whose process is dead; once per folder and process.

    Such a file may have a text that was displaced just before the crash: `keep` is called with the name it stands for, and the
    text; where it returns False, the file stays.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError, StoreError):
        for name in os.listdir(folder):
            found = TEMP.match(name)
            if found and not alive(int(found[2])):
                left = os.path.join(folder, name)
                content = files.read(left)[0]
                if not content or keep(found[1], content):
                    os.unlink(left)
