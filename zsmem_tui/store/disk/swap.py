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
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Final

from zsmem_tui.core.errors import OutsideStore, StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import displaced, files
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.folders import sync_folder
from zsmem_tui.store.disk.places import is_below
from zsmem_tui.store.disk.processes import alive
from zsmem_tui.store.disk.rename_exchange import Unsupported, exchange, move_to_free_name

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


class Appeared(Exception):
    """Somebody made or changed the file a moment ago, and nothing was done: look at it again."""


class NotTakenBack(Exception):
    """The new text is still in place: the names cannot be exchanged once more."""


class Swap:
    """One text on its way into the place of a file, as a context: when it ends, the temporary file is gone.

    `path` is the place relative to its root, `home` where the write is noted (`displaced.home_of`), empty for none. `inside`
    is the folder that the place has to lie in, also if one above it has become a link since that was looked at. `modified`
    (nanoseconds since 1970) is the time that the file gets; None: now. Without `durable`, somebody else sees to it that what was
    written survives a power cut. All methods raise `WriteFailed`.
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
        self._note = ""
        self._own: tuple[int, int] | None = None
        self._is_in_place = False
        self._unsynced: int | None = None
        self._replaced: bytes | None = None

    def __enter__(self) -> Swap:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._unsynced is not None:
            os.close(self._unsynced)
            self._unsynced = None
        if not self._is_in_place:
            with contextlib.suppress(OSError):
                os.unlink(self._temp)
            if self._home and not os.path.lexists(self._temp):
                displaced.finish(self._home, self._note)

    def write(self, *, sync: bool = True, displaces: bool = True) -> None:
        """Put the text on disk, beside the place. Without `sync`, that it lasts is seen to after the exchange.

        Where it `displaces` nothing as far as is known, nothing is noted: what is left of it when the program is killed is swept.
        """
        refuse_irregular(self.place)
        if self._home and displaces:
            self._note = displaced.begin(self._home, self._path, self._temp)
        try:
            self._write(sync)
        except OSError as error:
            raise failed(self.place, error) from error

    def exchange(self, expected: bytes | None) -> bytes | None:
        """Put it in place; what stood there (None: no file), which is not gone yet. `Appeared`: the place changed, nothing is done.

        Where names cannot be exchanged, the place is compared with `expected` and replaced.
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
            refuse_irregular(self._temp, self.place)
            found = files.read(self._temp)[0]
            step("displaced text read")
        except (OSError, StoreError) as error:
            self._give_up(error)
        return found

    def take_back(self, keep: Keep) -> bytes | None:
        """Exchange once more, because what stood there was not what it should have been. What stands there now is theirs again.

        The text that somebody has made of ours meanwhile, if anybody has: it is in nobody's hands but the caller's. `keep` is given
        what comes into it after it was read. Raises `NotTakenBack`.
        """
        try:
            exchange(self._temp, self.place)
        except (OSError, Unsupported) as error:
            raise NotTakenBack from error
        self._is_in_place = False
        with contextlib.suppress(OSError, StoreError):
            newer = files.read(self._temp)[0]
            self._put_aside(newer, keep)
            return None if newer == self.content else newer
        return None

    def is_displaced_open(self) -> bool:
        """Whether somebody has the displaced file open for writing."""
        return displaced.writer_at(self._temp) is True

    def give_back(self, keep: Keep) -> bool:
        """Exchange once more, unless somebody has written over ours meanwhile: that is newer, and stays.

        Whether the place holds again what was displaced. `keep` is for what comes into ours yet.
        """
        try:
            exchange(self._temp, self.place)  # at once: whoever reads ours before goes on from a text that theirs is not in
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
        """Whether the file there is the one that was written here, with nothing else in it and nobody at it."""
        with contextlib.suppress(OSError, StoreError):
            found = os.lstat(place)
            is_own = (found.st_dev, found.st_ino) == self._own
            return is_own and not displaced.writer_at(place) and files.read(place)[0] == self.content
        return False

    def let_go(self, was: bytes | None, keep: Keep, *, holds: bool = False) -> Displaced | None:
        """Take the displaced file away; when somebody is writing into it, or with `holds`, keep it and say where.

        `keep` is given what came into it since it held `was`. Then all is made to last: `OSError` when it cannot be.
        """
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

    def _put_aside(self, was: bytes, keep: Keep, *, holds: bool = False) -> Displaced | None:
        """Take the file away that has lost its name, or keep it when somebody is writing into it, or with `holds`."""
        busy = (holds and self._note != "") or displaced.writer_at(self._temp)
        if self._home and (busy or busy is None):
            held = displaced.hold(self._home, self._note, self._path, self._temp, was, keep)
            self._note = ""
            return held
        with contextlib.suppress(StoreError):
            late = files.read(self._temp)[0]
            if late != was:
                keep(late)
        with contextlib.suppress(OSError):
            os.unlink(self._temp)
        return None

    def _write(self, sync: bool) -> None:
        handle = os.open(self._temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            step("temporary file made")
            refuse_outside(self._temp, self._inside, self.place)
            _take_attributes(self.place, handle)
            view = memoryview(self.content)
            while view:
                view = view[os.write(handle, view) :]
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
        """Whether the temporary name now holds what stood in the place."""
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
        """Compare and replace, with the old file held under a second name while that can be."""
        if (now := present(self.place)) != expected:
            raise Appeared
        other = os.path.join(self._folder, temp_name(os.path.basename(self.place)))
        if now is not None:
            with contextlib.suppress(OSError):
                os.link(self.place, other)
        os.replace(self._temp, self.place)
        self._temp, self._replaced = other, now
        return os.path.lexists(other)

    def _give_up(self, error: OSError | StoreError) -> None:
        """What was displaced cannot be read: put it back, or say where it is."""
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
    """Raise `WriteFailed` when what stands at `place` is there and is no ordinary file; `named` is the place to speak of."""
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
    """The bytes of a file; None when there is none. Raises `WriteFailed` when it cannot be read."""
    try:
        return files.read_if_there(place)
    except StoreError as error:
        raise WriteFailed(place, f"{error.message}. Nothing was written.", error.hint) from error


def _take_attributes(place: str, handle: int) -> None:
    """Give a new file the group, the permission bits and the extended attributes of the one whose place it takes, if there is one.

    Those that only the system may give are left out. Raises `OSError` where the permission bits cannot be given.
    """
    try:
        found = os.stat(place)
    except OSError:
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
    """Raises `OutsideStore` where a name of ours at `place` lies in no folder of the store at `root`, which is without links: one
    above it became a link that leads away.

    Asked once the name is there: later ones of the same write go by it, and where the folder is another by then, they fail.
    """
    if root and not is_below(os.path.realpath(os.path.dirname(temp)), root):
        shown = printable_path(os.path.dirname(place))
        raise OutsideStore(place, f"{shown} is a link that leaves the store now. Nothing was written.")


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
