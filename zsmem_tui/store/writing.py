"""The one write path: every byte that this project puts into a store goes through `update` or `remove`.

The text that is about to be displaced is in the journal first. Then the new one is put in its place (`placing`), merged with what
others write meanwhile. Afterwards the file is read back, and `confirming` looks again a moment later: an agent that had read before
us may have written after us. A symbolic link is written through when its target lies inside the store and refused when it leaves
(specification, section 15).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from zsmem_tui.core.constants import BACKUP_SUFFIX
from zsmem_tui.core.errors import Missing, NotKept, StoreError, WriteConflict, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import LEFT_OVER
from zsmem_tui.store.disk import displaced, files, lock
from zsmem_tui.store.disk import swap as store_disk_swap
from zsmem_tui.store.disk.folders import sync_folder
from zsmem_tui.store.disk.rename_exchange import Unsupported, move_to_free_name
from zsmem_tui.store.disk.swap import Keep, failed, present, swap, sweep, temp_name
from zsmem_tui.store.history.journal import Recorder, own_recorder
from zsmem_tui.store.write_path import late, lost_updates, placing
from zsmem_tui.store.write_path.locating import make_folder, require_root, resolve
from zsmem_tui.store.write_path.lost_updates import Recent
from zsmem_tui.store.write_path.placing import FileRecorder, Together, WriteResult

Transform = Callable[[bytes | None], bytes | None]
"""From the bytes a file has now (None: no file) to those it shall have (None: leave it alone)."""

_NOT_KEPT: Final = "What was to be written does not stand there; it is in the history."
_WHERE: Final = "`zsmem history` lists it."

_BUSY_WITHIN: Final = 2 * 10**9
"""Nanoseconds since somebody else's write within which they are thought to be at work."""


def update(
    root: str,
    path: str,
    change: Transform,
    *,
    backup: bool = False,
    dry_run: bool = False,
    recorder: Recorder | None = None,
    modified: int | None = None,
    make_root: bool = True,
    watched: bool = True,
    durable: bool = True,
    together: Together | None = None,
) -> WriteResult:
    """Make the file at `path` (relative to `root`) what `change` makes of its present bytes.

    `change` is called while no other process of ours can write, and may raise to give up. With `backup`, the old bytes go to
    the same name with `.bak`; when that fails, the reason is in `backup_error`. Folders are made as needed, the root only
    with `make_root`. With `dry_run`, what would be written is worked out and nothing is touched. A `recorder` takes down every
    text displaced; without one, that is taken down as a step of its own. `modified` (nanoseconds since 1970) is the time that the
    written file gets; None: now. With `together`, the change is made anew to each text that others write meanwhile, instead of
    being merged with it by lines, and nothing is put in the place of a file that somebody has open for writing (`InUse`).
    With `watched`, the change is remembered for some minutes (`lost_updates`).
    Raises `OutsideStore` or `WriteFailed`; nothing has been written then, or the sentence says what has.
    """
    recorder = recorder or own_recorder(root, path)
    if recorder.guard is not None:
        change = _guarded(path, change, recorder)
    if dry_run:
        return _planned(resolve(root, path), change)
    require_root(root, make=make_root)
    with lock.writer(_locked(root, path)):
        require_root(root, make=False)
        place = resolve(root, path)
        make_folder(root, os.path.dirname(place))
        _sweep(path, os.path.dirname(place), recorder)
        if together is None:
            late.take_all(root, recorder)
        displaced.wait_for_writer(place, recorder.waits)
        if not recorder.waits.patience.left:
            raise NotKept(place, f"{printable_path(place)}: it was given up to wait. Nothing was written.")
        before = present(place)
        if before is not None:
            refuse_protected(place)
        store_disk_swap.step("read")
        after = change(before)
        if after is None or (after == before and not backup):
            return WriteResult(place, before, before, changed=False)
        recent = Recent(root, path)
        is_busy = _is_busy(place) and not recent.made(before)
        wanted = after

        def remake(now: bytes | None) -> bytes | None:
            nonlocal wanted
            made = change(now)
            wanted = wanted if made is None else made
            return made

        noting = FileRecorder(path, recorder)
        if after != before:
            noting.plan(before, after, durable=durable)
        else:
            noting.keep(before, durable=durable)
        done = placing.put(place, before, after, noting, root, modified, remake, durable=durable, together=together)
        backup_error = _back_up(root, path, before, noting.beside(BACKUP_SUFFIX)) if backup and before is not None else ""
        if done.changed or done.after == wanted:
            noting.wrote_merged(done.before, wanted, done.after)
            recent.remember(done.before, done.after, watched=watched and done.confirmed)
        if not done.confirmed:
            why = "others keep writing it" if recorder.waits.patience.left else "it was given up to wait"
            raise NotKept(place, f"{printable_path(place)}: {why}. {_NOT_KEPT}", _WHERE)
        if done.unsynced:
            raise failed(place, done.unsynced, "It was written, but may not survive a power cut.")
        return done._replace(backup_error=backup_error, is_busy=done.is_busy or is_busy, wanted=wanted)


def _locked(root: str, path: str) -> str:
    """The folder by which our processes keep out of each other's way: the store's, or for a file that is in none, its own."""
    if root != os.sep:
        return root
    folder = os.path.dirname(resolve(root, path))
    make_folder(root, folder)
    return folder


def _guarded(path: str, change: Transform, recorder: Recorder) -> Transform:
    """The same change, asking the guard about each text that it makes."""

    def asked(before: bytes | None) -> bytes | None:
        after = change(before)
        if after is not None:
            recorder.ask(path, before, after)
        return after

    return asked


def refuse_protected(place: str, nothing: str = "Nothing was written.") -> None:
    """Raises `WriteFailed`, whose sentence ends with `nothing`, where it is plain that a file cannot be written, or made."""
    if os.path.lexists(place) and not os.access(place, os.W_OK):
        raise WriteFailed(place, f"{printable_path(place)} is write-protected. {nothing}")
    folder = os.path.dirname(place)
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        reason = "it is not a folder" if not os.path.isdir(folder) else "permission denied"
        raise WriteFailed(folder, f"{printable_path(folder)}: {reason}. {nothing}")


def _planned(place: str, change: Transform) -> WriteResult:
    """What a write would do, or `WriteFailed` where it is plain that it could not."""
    refuse_protected(place, "Nothing would be written.")
    before = present(place)
    after = change(before)
    unchanged = after is None or after == before
    return WriteResult(place, before, before if unchanged else after, changed=not unchanged)


def remove(
    root: str,
    path: str,
    *,
    backup: bool = False,
    dry_run: bool = False,
    expected: bytes | None = None,
    recorder: Recorder | None = None,
) -> WriteResult:
    """Delete the file at `path`, after a `.bak` copy when asked for.

    It is deleted only once what it holds is kept. With `expected`, it is left alone when it holds anything else.
    Raises `Missing`, `OutsideStore` or `WriteFailed`; nothing has been deleted then.
    """
    if not os.path.isdir(root):
        raise Missing(path, f"{printable_path(os.path.join(root, path))}: No such file or directory")
    recorder = recorder or own_recorder(root, path)
    with lock.writer(_locked(root, path)):
        place = resolve(root, path)
        displaced.wait_for_writer(place, recorder.waits)
        before = present(place)
        if before is None:
            raise Missing(place, f"{printable_path(place)}: No such file or directory")
        if expected is not None and before != expected:
            raise WriteConflict(place, before, f"{printable_path(place)} changed meanwhile. It was not deleted.")
        recorder.ask(path, before, None)
        if dry_run:
            return WriteResult(place, before, None, changed=True)
        noting = FileRecorder(path, recorder)
        if not noting.can_remove(before):
            raise WriteFailed(
                place, f"{printable_path(place)} was not deleted: it could not be kept first. {recorder.problem}".rstrip(" ")
            )
        try:
            held = _take_away(root, path, before, noting)
        except OSError as error:
            raise failed(place, error, "It was not deleted.") from error
        backup_error = _back_up(root, path, before, noting.beside(BACKUP_SUFFIX)) if backup else ""
        noting.wrote(before, None)
        lost_updates.forget(root, path)
        Recent(root, path).remember(before, None, watched=False)  # that it is gone is no news of others
        return WriteResult(place, before, None, changed=True, backup_error=backup_error, late=held)


def _take_away(root: str, path: str, before: bytes, noting: FileRecorder) -> tuple[displaced.Displaced, ...]:
    """Unlink a file under a name of ours, so that a text somebody put there a moment ago is seen; it is theirs again then."""
    wanted, home = os.path.join(root, path), displaced.home_of(root)
    folder = os.path.dirname(wanted)
    temp = os.path.join(folder, temp_name(os.path.basename(wanted)))
    note = displaced.begin(home, path, temp)
    try:
        os.rename(wanted, temp)
        store_disk_swap.step("taken away")
        store_disk_swap.refuse_outside(temp, root, wanted)
        found = files.read(temp)[0]
    except (OSError, StoreError) as error:
        _give_back(temp, wanted, home, note)
        if isinstance(error, StoreError):
            reason = error.message.removesuffix(" Nothing was written.").rstrip(".")
            raise WriteFailed(wanted, f"{reason}. It was not deleted.", error.hint) from error
        raise
    if found != before:
        noting.keep(found)
        _give_back(temp, wanted, home, note)
        raise WriteConflict(wanted, found, f"{printable_path(wanted)} changed meanwhile. It was not deleted.")
    if displaced.writer_at(temp):
        return (displaced.hold(home, note, path, temp, found, noting.late),)
    os.unlink(temp)
    displaced.finish(home, note)
    try:
        sync_folder(folder)
    except OSError as error:
        noting.recorder.problem = f"{printable_path(folder)}: {error.strerror}. The deletion may not survive a power cut."
    return ()


def _give_back(temp: str, wanted: str, home: str, note: str) -> None:
    """Give a file its name again; where somebody has made a new one meanwhile, it stays noted, for the next start."""
    try:
        move_to_free_name(temp, wanted)
    except Unsupported:
        os.link(temp, wanted)
        os.unlink(temp)
    except FileNotFoundError:
        pass
    except OSError:
        return
    displaced.finish(home, note)


def rename(root: str, old: str, new: str, recorder: Recorder | None = None) -> None:
    """Change the case of a file's name, in one step. Raises `OutsideStore` or `WriteFailed`."""
    recorder = recorder or own_recorder(root, old)
    with lock.writer(root):
        place, target = resolve(root, old), os.path.join(root, new)
        raw = present(place)
        recorder.ask(old, raw, None)
        recorder.ask(new, None, raw)
        FileRecorder(old, recorder).plan(raw, None)
        FileRecorder(new, recorder).plan(None, raw)
        try:
            if os.path.lexists(target) and not os.path.samefile(place, target):
                raise FileExistsError(17, "There is a file of that name already", target)
            os.rename(place, target)
        except OSError as error:
            raise failed(place, error, "It was not renamed.") from error
        FileRecorder(old, recorder).wrote(raw, None)
        FileRecorder(new, recorder).wrote(None, raw)
        lost_updates.moved(root, old, new)
        try:
            sync_folder(os.path.dirname(target))
        except OSError as error:
            raise failed(place, error, "It was renamed, but that may not survive a power cut.") from error


def _is_busy(place: str) -> bool:
    """Whether the file was written a moment ago."""
    try:
        return 0 <= time.time_ns() - os.stat(place).st_mtime_ns < _BUSY_WITHIN
    except OSError:
        return False


def _back_up(root: str, path: str, content: bytes, keep: Keep) -> str:
    try:
        swap(resolve(root, os.path.splitext(path)[0] + BACKUP_SUFFIX), content, keep)
    except StoreError as error:
        return str(error.__cause__ or error).removesuffix(" Nothing was written.")  # the file itself was, or will be
    return ""


def _sweep(path: str, folder: str, recorder: Recorder) -> None:
    """Keep what an interrupted write has left behind, then clear it away."""
    parent = path.rpartition("/")[0]

    def keep(name: str, raw: bytes) -> None:
        leftover = Recorder(recorder.home, time.time_ns, label=LEFT_OVER)
        leftover.record_leftover(f"{parent}/{name}" if parent else name, raw)

    sweep(folder, keep)
