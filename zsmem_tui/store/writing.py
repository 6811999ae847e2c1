"""The one write path: every byte that this project puts into a store goes through `update` or `remove`.

A new text is written to a uniquely named hidden file in the same folder, synced and given the old file's permission bits. Then
the two names are exchanged, so that the text that was there is in hand: when it is not the one that the new text was made from,
an agent wrote in between, and both are merged and put in place the same way. Afterwards the file is read back: an agent that had
read before us may have written after us. A crash at any moment leaves the old text or the new one, whole. A symbolic link is
written through when its target lies inside the store and refused when it leaves (specification, section 15).
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import stat
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.constants import BACKUP_SUFFIX
from zsmem_tui.core.errors import Missing, OutsideStore, StoreError, WriteFailed
from zsmem_tui.core.merge import Overlap, lasts, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files, lock, trash
from zsmem_tui.store.exchange import Unsupported, exchange, move_to_free_name

Change = Callable[[bytes | None], bytes | None]
"""From the bytes a file has now (None: no file) to those it shall have (None: leave it alone)."""

_TEMP_NAME_BYTES: Final = 180
"""Bytes of the real name kept in a temporary one, so that process id and counter fit into 255."""

_TEMP: Final = re.compile(r"^\..*\.zsmem-(\d+)-\d+$", re.DOTALL)
_CANNOT_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF})

_ATTEMPTS: Final = 12
"""Times that a text is put in place anew because somebody else wrote meanwhile; then the person is told."""

_counter = itertools.count()
_swept: set[str] = set()


def no_step(name: str) -> None:
    """What happens between two steps of a write: nothing. Tests put a failure here."""


step: Callable[[str], None] = no_step


class Conflicting(WriteFailed):
    """Others changed the same lines while this was written. Their text, `theirs`, stands in the file."""

    def __init__(self, place: str, theirs: bytes) -> None:
        super().__init__(place, f"{printable_path(place)}: somebody changed the same lines meanwhile. Nothing was written.")
        self.theirs = theirs


class Written(NamedTuple):
    """What an update did. `before` is None for a new file; `changed` is False when nothing had to be written."""

    path: str
    before: bytes | None
    after: bytes | None
    changed: bool
    backup_error: str = ""
    kept_lines: int = 0
    """Lines that somebody else added while this was written, and that were kept."""
    confirmed: bool = True
    """False when others kept writing over it: it may not last."""


def update(root: str, path: str, change: Change, *, backup: bool = False, dry_run: bool = False) -> Written:
    """Make the file at `path` (relative to `root`) what `change` makes of its present bytes.

    `change` is called while no other process of ours can write, and may raise to give up. With `backup`, the old bytes go to
    the same name with `.bak` first; when that fails, the reason is in `backup_error`. Folders are made as needed.
    With `dry_run`, what would be written is worked out and nothing is touched.
    Raises `OutsideStore` or `WriteFailed`; nothing has been written then.
    """
    if dry_run:
        return _planned(_resolve(root, path), change)
    _make_folder(root, root)
    with lock.writer(root):
        place = _resolve(root, path)
        _make_folder(root, os.path.dirname(place))
        _sweep(root, os.path.dirname(place))
        before = _present(place)
        if before is not None and not os.access(place, os.W_OK):
            raise WriteFailed(place, f"{printable_path(place)} is write-protected. Nothing was written.")
        step("read")
        after = change(before)
        if after is None or (after == before and not backup):
            return Written(place, before, before, changed=False)
        backup_error = _back_up(place, before) if backup and before is not None else ""
        return _put(place, before, after)._replace(backup_error=backup_error)


def confirm(root: str, written: Written) -> Written:
    """Look again, a moment later, whether what was written lasts; put it back, merged, when somebody wrote over it.

    Worth doing some milliseconds after `update`: an agent that read the file before us and writes it after us leaves no other
    trace. Raises `WriteFailed`.
    """
    if not written.changed or written.after is None:
        return written
    with lock.writer(root):
        now = _present(written.path)
        if now is not None and lasts(written.before or b"", written.after, now):
            return written
        found = merge(written.before or b"", written.after, now or b"")
        if isinstance(found, Overlap) or now is None:
            return written._replace(confirmed=False)
        return _put(written.path, now, found.text)._replace(before=written.before, kept_lines=found.kept_lines)


def _planned(place: str, change: Change) -> Written:
    """What a write would do, or `WriteFailed` where it is plain that it could not."""
    folder = os.path.dirname(place)
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        reason = "it is not a folder" if not os.path.isdir(folder) else "permission denied"
        raise WriteFailed(folder, f"{printable_path(folder)}: {reason}. Nothing would be written.")
    before = _present(place)
    after = change(before)
    unchanged = after is None or after == before
    return Written(place, before, before if unchanged else after, changed=not unchanged)


def remove(
    root: str, path: str, *, backup: bool = False, dry_run: bool = False, keep: bool = False, expected: bytes | None = None
) -> Written:
    """Delete the file at `path`, after a `.bak` copy when asked for.

    With `keep`, what it holds goes into the trash first. With `expected`, it is left alone when it holds anything else.
    Raises `Missing`, `OutsideStore` or `WriteFailed`; nothing has been deleted then.
    """
    if not os.path.isdir(root):
        raise Missing(path, f"{printable_path(os.path.join(root, path))}: No such file or directory")
    with lock.writer(root):
        place = _resolve(root, path)
        before = _present(place)
        if before is None:
            raise Missing(place, f"{printable_path(place)}: No such file or directory")
        if expected is not None and before != expected:
            raise WriteFailed(place, f"{printable_path(place)} changed meanwhile. It was not deleted.")
        if dry_run:
            return Written(place, before, None, changed=True)
        backup_error = _back_up(place, before) if backup else ""
        if keep:
            trash.keep(root, path, before, "deleted")
        try:
            _take_away(root, path, before, keep=keep or expected is not None)
            _sync_folder(os.path.dirname(place))
        except OSError as error:
            raise _failed(place, error, "It was not deleted.") from error
        return Written(place, before, None, changed=True, backup_error=backup_error)


def _take_away(root: str, path: str, before: bytes, *, keep: bool) -> None:
    """Unlink a file under a name of ours, so that a text somebody put there a moment ago is seen and kept."""
    wanted = os.path.join(root, path)
    temp = os.path.join(os.path.dirname(wanted), _temp_name(os.path.basename(wanted)))
    os.rename(wanted, temp)
    step("taken away")
    with contextlib.suppress(StoreError):
        displaced = files.read(temp)[0]
        if keep and displaced != before:
            trash.keep(root, path, displaced, "deleted")
    os.unlink(temp)


def rename(root: str, old: str, new: str) -> None:
    """Change the case of a file's name, in one step. Raises `OutsideStore` or `WriteFailed`."""
    with lock.writer(root):
        place, target = _resolve(root, old), os.path.join(root, new)
        try:
            os.rename(place, target)
            _sync_folder(os.path.dirname(target))
        except OSError as error:
            raise _failed(place, error, "It was not renamed.") from error


def _resolve(root: str, path: str) -> str:
    """The real place of `path`, which must lie inside `root` however many links lead there."""
    wanted = os.path.join(root, path)
    try:
        real_root, place = os.path.realpath(root), os.path.realpath(wanted)
        if os.path.islink(place):
            raise WriteFailed(wanted, f"{printable_path(wanted)}: Too many levels of symbolic links. Nothing was written.")
    except (OSError, ValueError) as error:
        raise _failed(wanted, error) from error
    if not place.startswith(real_root.rstrip("/") + "/"):
        raise OutsideStore(
            wanted,
            f"{printable_path(wanted)} is a link that leaves the store, to {printable_path(place)}. Nothing was written.",
            "Edit that file where it lies, or replace the link by a file.",
        )
    return place if place != os.path.join(real_root, path) else wanted


def _present(place: str) -> bytes | None:
    try:
        return files.read(place)[0]
    except Missing:
        return None
    except StoreError as error:
        raise WriteFailed(place, f"{error.message}. Nothing was written.", error.hint) from error


def _mode(place: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(place).st_mode)
    except OSError:
        return None


def _put(place: str, before: bytes | None, after: bytes) -> Written:
    """Make `place`, which was read as `before`, hold `after`, merged with whatever others write meanwhile."""
    expected, wanted, kept = before, after, 0
    giving_back = False
    for _ in range(_ATTEMPTS):
        displaced = _swap(place, wanted)
        if displaced == expected:
            if giving_back:
                raise Conflicting(place, wanted)
            found = _read_back(place, before, wanted)
            if found is None:
                return Written(place, before, wanted, changed=True, kept_lines=kept)
            expected, wanted = found
        else:
            merged = merge(expected or b"", wanted, displaced or b"")
            expected = wanted
            if isinstance(merged, Overlap):
                wanted = merged.proposal if giving_back else displaced or b""
                giving_back = True
                continue
            wanted, kept = merged.text, kept + merged.kept_lines
    return Written(place, before, wanted, changed=True, kept_lines=kept, confirmed=False)


def _read_back(place: str, before: bytes | None, wanted: bytes) -> tuple[bytes, bytes] | None:
    """None when `wanted` is there; else what stands there instead, and the merge that shall replace it."""
    now = _present(place)
    step("read back")
    if now is None or lasts(before or b"", wanted, now):
        return None
    merged = merge(before or b"", wanted, now)
    return None if isinstance(merged, Overlap) else (now, merged.text)


def _swap(place: str, content: bytes) -> bytes | None:
    """Put `content` at `place` in one step; what stood there before, or None. Raises `WriteFailed`.

    The temporary file is gone in either case.
    """
    folder, name = os.path.split(place)
    temp = os.path.join(folder, _temp_name(name))
    outcome = "Nothing was written."
    try:
        _write_temp(temp, content, _mode(place))
        displaced = _into_place(temp, place)
        outcome = "It was written, but may not survive a power cut."
        _sync_folder(folder)
        step("folder synced")
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise _failed(place, error, outcome) from error
    return displaced


def _write_temp(temp: str, content: bytes, mode: int | None) -> None:
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        step("temporary file made")
        if mode is not None:
            os.fchmod(handle, mode)
        view = memoryview(content)
        while view:
            view = view[os.write(handle, view) :]
        step("temporary file written")
        os.fsync(handle)
        step("temporary file synced")
    finally:
        os.close(handle)


def _into_place(temp: str, place: str) -> bytes | None:
    """Give `temp` the name `place`; the bytes that had it, or None when it was free."""
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
            return None
        except Unsupported:
            displaced = _present(place)
            os.replace(temp, place)
            step("moved into place")
            return displaced
        step("exchanged")
        displaced, _ = files.read(temp)
        step("displaced text read")
        os.unlink(temp)
        step("temporary file removed")
        return displaced
    raise FileNotFoundError(errno.ENOENT, "it keeps appearing and vanishing", place)


def _back_up(place: str, content: bytes) -> str:
    """Keep `content` under the `.bak` name; the reason in words when that fails, else an empty string."""
    try:
        _swap(os.path.splitext(place)[0] + BACKUP_SUFFIX, content)
    except WriteFailed as error:
        return str(error.__cause__ or error)
    return ""


def _temp_name(name: str) -> str:
    kept = os.fsdecode(os.fsencode(name)[:_TEMP_NAME_BYTES])
    return f".{kept}.zsmem-{os.getpid()}-{next(_counter)}"


def _sweep(root: str, folder: str) -> None:
    """Once per folder and process: clear away temporary files of ours whose process is dead.

    One may hold a text that an exchange displaced just before the end, so what it holds is kept in the trash.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError, StoreError):
        for name in os.listdir(folder):
            found = _TEMP.match(name)
            if found and not _alive(int(found[1])):
                left = os.path.join(folder, name)
                if content := files.read(left)[0]:
                    trash.keep(root, os.path.relpath(left, root), content, "interrupted")
                os.unlink(left)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _make_folder(root: str, folder: str) -> None:
    if os.path.isdir(folder):
        return
    missing = [folder]
    while not os.path.isdir(parent := os.path.dirname(missing[-1])) and parent != missing[-1]:
        missing.append(parent)
    try:
        os.makedirs(folder, exist_ok=True)
        for made in missing:
            _sync_folder(os.path.dirname(made))
    except (OSError, ValueError) as error:
        if isinstance(error, FileExistsError | NotADirectoryError):
            where = root if folder == root else folder
            raise WriteFailed(where, f"{printable_path(where)} is not a folder. Nothing was written.") from error
        raise _failed(folder, error) from error


def _sync_folder(folder: str) -> None:
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(handle)


def _failed(place: str, error: OSError | ValueError, outcome: str = "Nothing was written.") -> WriteFailed:
    words = (error.strerror or str(error)) if isinstance(error, OSError) else "file name contained an unexpected NUL byte"
    return WriteFailed(place, f"{printable_path(place)}: {words}. {outcome}")
