"""The only write path: everything this project writes into a store goes through `update`, `save`, `remove` or `rename`.

The text to be replaced is first recorded in the journal. Then the new one is put in its place (`install_file`), merged with what
others write meanwhile. Afterwards the file is read back, and `confirming` checks again a moment later, since an agent that read
before us may have written after us. A symbolic link is written through if its target is inside the store and refused otherwise
(specification, section 15).
"""

from __future__ import annotations

import os
import shlex
import stat
import time
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.core.errors import NotKept, StoreError, WriteConflict, WriteFailed
from zsmem_tui.core.limits import BACKUP_SUFFIX
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.outcomes import Conflicted, Saved, SaveOutcome, Unchanged
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import LEFT_OVER
from zsmem_tui.store.disk import displaced, files, lock, swap
from zsmem_tui.store.disk.files import failed, failing, missing
from zsmem_tui.store.disk.folders import mode_of, stat_of, sync_folder
from zsmem_tui.store.disk.rename_exchange import Unsupported, move_to_free_name
from zsmem_tui.store.disk.replace import temp_name
from zsmem_tui.store.disk.swap import present, sweep
from zsmem_tui.store.history.journal import Recorder, own_recorder
from zsmem_tui.store.write_path import confirming, late_writes, lost_updates
from zsmem_tui.store.write_path.install_file import Install, Together, Transform, WriteResult, refuse_loss
from zsmem_tui.store.write_path.locating import Where, locate, make_folder, refuse_gone, require_root, resolve
from zsmem_tui.store.write_path.lost_updates import Mended, Recent

_NOT_KEPT: Final = "What was to be written does not stand there; it is in the history."
_WHERE: Final = "`zsmem history` lists it."

_BUSY_WITHIN: Final = 2 * 10**9
"""Nanoseconds since another program's last write within which it is assumed to be still writing."""


def update(
    root: str,
    path: str,
    change: Transform,
    *,
    backup: bool = False,
    dry_run: bool = False,
    recorder: Recorder | None = None,
    modified: int | None = None,
    mode: int = 0,
    make_root: bool = True,
    watched: bool = True,
    durable: bool = True,
    together: Together | None = None,
    confirm: bool = False,
) -> WriteResult:
    """Change the file at `path` (relative to `root`) by `change`, a function of its current bytes.

    `change` is called while no other process of ours can write, and may raise to cancel. With `backup`, the old bytes are copied to
    the same name with `.bak`; if that fails, `backup_error` has the reason. Missing folders are created, the root only with
    `make_root`. With `dry_run`, the result is computed but nothing is written. A `recorder` records every replaced text; without
    one, the write is a step of its own. `modified` (nanoseconds since 1970) is the modification time to set; None: now; `mode` are
    the permission bits of a new file; 0: the default. With `together`, `change` is applied anew to each text that others write
    meanwhile, instead of a merge by lines, and a file that somebody has open for writing is not replaced (`InUse`). With
    `watched`, the change is remembered for some minutes (`lost_updates`); with `confirm`, the file is watched briefly afterwards,
    and lines lost to a stale copy are restored (`confirming`). Raises `OutsideStore` or `WriteFailed`; nothing has been written
    then, or the message says what has.
    """
    write = Write(root, path, change, recorder or own_recorder(root, path), modified, mode, watched, durable, together)
    return write.plan() if dry_run else write.run(backup=backup, make_root=make_root, confirm=confirm)


def save(
    root: str,
    path: str,
    mine: bytes,
    base: bytes | None,
    *,
    confirm: bool = True,
    recorder: Recorder | None = None,
    modified: int | None = None,
    mode: int = 0,
) -> SaveOutcome:
    """Save `mine`, edited from `base` (None: no file), merged with what others wrote since.

    `confirm`, `modified` and `mode` are as for `update`. Raises `OutsideStore` or `WriteFailed`; nothing has been written then.
    """
    edited = EditedText(mine, base)
    try:
        write = Write(root, path, edited, recorder or own_recorder(root, path), modified, mode)
        done = write.run(make_root=True, confirm=confirm)
    except WriteConflict as error:
        return Conflicted(error.theirs)
    if edited.conflict is not None:
        return edited.conflict
    if not done.changed:
        return Unchanged(done.after or b"")
    return Saved(done.after or b"", edited.kept_lines + done.kept_lines, done.confirmed)


class EditedText:
    """A change function that saves `mine`, edited from `base`, merged with what others wrote since.

    If they changed the same lines or deleted the file, it changes nothing and sets `conflict`.
    """

    def __init__(self, mine: bytes, base: bytes | None) -> None:
        self.mine = mine
        self.base = base
        self.conflict: Conflicted | None = None
        self.kept_lines = 0
        """The number of lines added by others."""

    def __call__(self, now: bytes | None) -> bytes | None:
        """The new content of a file that has the content `now`; None on conflict."""
        self.conflict, self.kept_lines = None, 0
        if now == self.base:
            return self.mine
        found = Overlap(self.mine) if now is None else merge(self.base or b"", self.mine, now)
        if isinstance(found, Overlap):
            self.conflict = Conflicted(now)
            return None
        self.kept_lines = found.kept_lines
        return found.text


class Write(NamedTuple):
    """One write of one file. The methods are in the order in which `run` calls them."""

    root: str
    path: str
    change: Transform
    recorder: Recorder
    modified: int | None = None
    mode: int = 0
    watched: bool = True
    durable: bool = True
    together: Together | None = None

    def plan(self) -> WriteResult:
        """What `run` would do. Raises `WriteFailed` if it certainly could not."""
        refuse_gone(self.root)
        place = resolve(self.root, self.path)
        refuse_protected(place, "Nothing would be written.")
        before = present(place)
        after = self._apply(before)
        unchanged = after is None or after == before
        return WriteResult(place, before, before if unchanged else after, changed=not unchanged)

    def run(self, *, backup: bool = False, make_root: bool, confirm: bool) -> WriteResult:
        """Write the file. Raises `OutsideStore` or `WriteFailed`; nothing has been written then, or the message says what has."""
        require_root(self.root, make=make_root)
        with lock.writer(_locked(self.root, self.path)):
            require_root(self.root, make=False)
            where = self._find_place()
            before = self._read(where)
            after = self._apply(before)
            if after is None or (after == before and not backup):
                return WriteResult(where.place, before, before, changed=False)
            make_folder(self.root, os.path.dirname(where.place))
            seen = stat_of(where.place)
            is_new = seen is not None and 0 <= time.time_ns() - seen.st_mtime_ns < _BUSY_WITHIN
            recent = Recent(where)
            is_busy = is_new and not recent.made(before)
            recent.look(before)
            self._keep(where.place, before, after)
            done = Install(
                where,
                before,
                after,
                self.recorder,
                change=self._apply,
                modified=self.modified,
                durable=self.durable,
                together=self.together,
            ).run()
            if done.changed and done.before is None and self.mode:
                with suppress(OSError):  # a file system without permission bits
                    os.chmod(where.place, self.mode)
            backup_error = ""
            if backup and before is not None:
                backup_error = _back_up(self.root, self.path, before, mode_of(where.place), self.recorder)
            if done.changed or done.after == done.wanted:
                self.recorder.record_merged(self.path, done.before, done.wanted or b"", done.after)
                is_new = not self.recorder.carries(self.path)
                watched = self.watched and done.confirmed
                Recent(where).remember(done.before, done.after, made=done.wanted, watched=watched, is_new=is_new)
            self._refuse_unkept(done)
            done = done._replace(backup_error=backup_error, is_busy=done.is_busy or is_busy)
        return confirming.confirm_all(self.root, {self.path: done}, self.recorder)[self.path] if confirm else done

    def _find_place(self) -> Where:
        """Locate the file, and save what interrupted writes have left in its folder."""
        where = locate(self.root, self.path)
        if os.path.isdir(folder := os.path.dirname(where.place)):
            _sweep(self.path, folder, self.recorder)
        if self.together is None:
            late_writes.take_all(self.root, where.state("displaced"), self.recorder)
        return where

    def _read(self, where: Where) -> bytes | None:
        """The content of the file once nobody is writing it."""
        displaced.wait_for_writer(where.place, self.recorder.waits)
        if not self.recorder.waits.patience.left and displaced.writer_at(where.place):
            raise NotKept(where.place, f"{printable_path(where.place)}: it was given up to wait. Nothing was written.")
        before = present(where.place)
        if before is not None:
            refuse_protected(where.place)
            with suppress(StoreError):
                self.recorder.written.setdefault(self.path, files.look(where.place).mtime_ns)
        elif self.modified is not None:
            self.recorder.written.setdefault(self.path, self.modified)
        swap.step("read")
        return before

    def _apply(self, before: bytes | None) -> bytes | None:
        """Apply the change to a text. Raises if the agent's rules forbid the result."""
        after = self.change(before)
        if after is not None:
            self.recorder.ask(self.path, before, after)
        return after

    def _keep(self, place: str, before: bytes | None, after: bytes) -> None:
        """Record the text that will be replaced in the journal, and the new one. Raises `WriteFailed` if lines would be lost."""
        if after == before:
            self.recorder.record_displaced(self.path, before, durable=self.durable)
        elif not self.recorder.record_plan(self.path, before, after, durable=self.durable):
            refuse_loss(place, before, after, self.recorder)

    def _refuse_unkept(self, done: WriteResult) -> None:
        """Raise `NotKept` or `WriteFailed` if the new text is not in the file, or may not be on disk."""
        if not done.confirmed:
            why = "others keep writing it" if self.recorder.waits.patience.left else "it was given up to wait"
            raise NotKept(done.path, f"{printable_path(done.path)}: {why}. {_NOT_KEPT}", _WHERE)
        if done.unsynced:
            raise failed(done.path, done.unsynced, "It was written, but may not survive a power cut.")


def _locked(root: str, path: str) -> str:
    """The folder to lock against our other processes: the store's root, or the file's own folder if it is in no store."""
    if root != os.sep:
        return root
    folder = os.path.dirname(resolve(root, path))
    make_folder(root, folder)
    return folder


def refuse_protected(place: str, nothing: str = "Nothing was written.") -> None:
    """Raise `WriteFailed`, with a message that ends in `nothing`, if a file certainly cannot be written or created."""
    folder = os.path.dirname(place)
    there = {each: seen for each in (folder, place) if (seen := stat_of(each, follow_symlinks=False))}
    closed = {each: seen for each, seen in there.items() if not os.access(each, os.W_OK)}
    if place in closed and os.path.lexists(place):  # it may have gone meanwhile
        is_by_mode = all(seen.st_uid == os.geteuid() and not seen.st_mode & stat.S_IWUSR for seen in closed.values())
        command = f"chmod u+w {' '.join(map(shlex.quote, closed))}"
        hint = f"`{command}` lets it be written." if is_by_mode else "See its owner, `lsattr` and the disk."
        raise WriteFailed(place, f"{printable_path(place)} is write-protected. {nothing}", printable_path(hint))
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        reason = "it is not a folder" if not os.path.isdir(folder) else "permission denied"
        raise WriteFailed(folder, f"{printable_path(folder)}: {reason}. {nothing}")


def remove(
    root: str,
    path: str,
    *,
    backup: bool = False,
    dry_run: bool = False,
    expected: bytes | None = None,
    recorder: Recorder | None = None,
) -> WriteResult:
    """Delete the file at `path`; with `backup`, its content is written to a `.bak` file.

    It is deleted only after its content is recorded. With `expected`, it is kept if it has any other content. Raises `Missing`,
    `OutsideStore` or `WriteFailed`; nothing has been deleted then.
    """
    if not os.path.isdir(root):
        raise missing(os.path.join(root, path))
    recorder = recorder or own_recorder(root, path)
    with lock.writer(_locked(root, path)):
        where = locate(root, path)
        place = where.place
        displaced.wait_for_writer(place, recorder.waits)
        before = present(place)
        if before is None:
            raise missing(place)
        if expected is not None and before != expected:
            raise WriteConflict(place, before, f"{printable_path(place)} changed meanwhile. It was not deleted.")
        recorder.ask(path, before, None)
        if dry_run:
            return WriteResult(place, before, None, changed=True)
        if not recorder.record_plan(path, before, None):
            refuse_loss(place, before, None, recorder)
        mode = mode_of(place)
        with failing(place, "It was not deleted."):
            held = _take_away(root, path, before, recorder)
        backup_error = _back_up(root, path, before, mode, recorder) if backup else ""
        recorder.record_written(path, before, None)
        note_removed(root, path, before)
        return WriteResult(place, before, None, changed=True, backup_error=backup_error, late=held)


def note_removed(root: str, path: str, before: bytes | None) -> None:
    """Note that a file was deleted here: its absence must not be taken for somebody else's change."""
    lost_updates.forget(root, path)
    Recent(locate(root, path)).remember(before, None, watched=False)


def _take_away(root: str, path: str, before: bytes, recorder: Recorder) -> tuple[displaced.Displaced, ...]:
    """Rename the file to a temporary name and delete that, so that a text written at the last moment is noticed and given back."""
    wanted, home = os.path.join(root, path), displaced.home_of(root)
    folder = os.path.dirname(wanted)
    temp = os.path.join(folder, temp_name(os.path.basename(wanted)))
    note = displaced.begin(home, path, temp)
    try:
        os.rename(wanted, temp)
        swap.step("taken away")
        swap.refuse_outside(temp, os.path.realpath(root), wanted)
        found = files.read(temp)[0]
    except (OSError, StoreError) as error:
        _give_back(temp, wanted, home, note)
        if isinstance(error, StoreError):
            reason = error.reason
            raise WriteFailed(wanted, f"{reason}. It was not deleted.", error.hint) from error
        raise
    if found != before:
        recorder.record_displaced(path, found)
        _give_back(temp, wanted, home, note)
        raise WriteConflict(wanted, found, f"{printable_path(wanted)} changed meanwhile. It was not deleted.")
    if displaced.writer_at(temp):
        return (displaced.hold(home, note, path, temp, found, partial(recorder.record_leftover, path)),)
    try:
        os.unlink(temp)
    except OSError:
        _give_back(temp, wanted, home, note)
        raise
    displaced.finish(home, note)
    try:
        sync_folder(folder)
    except OSError as error:
        recorder.problem = f"{printable_path(folder)}: {error.strerror}. The deletion may not survive a power cut."
    return ()


def _give_back(temp: str, wanted: str, home: str, note: str) -> None:
    """Rename a file back; if somebody has created a new one meanwhile, it stays noted for the next start."""
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
    """Change the case of a file's name, as one step. Raises `OutsideStore` or `WriteFailed`."""
    recorder = recorder or own_recorder(root, old)
    with lock.writer(root):
        place, target = resolve(root, old), os.path.join(root, new)
        raw = present(place)
        recorder.ask(old, raw, None)
        recorder.ask(new, None, raw)
        recorder.record_plan(old, raw, None)
        recorder.record_plan(new, None, raw)
        with failing(place, "It was not renamed."):
            if os.path.lexists(target) and not os.path.samefile(place, target):
                raise FileExistsError(17, "There is a file of that name already", target)
            os.rename(place, target)
        recorder.record_written(old, raw, None)
        recorder.record_written(new, None, raw)
        lost_updates.moved(root, old, new)
        with failing(place, "It was renamed, but that may not survive a power cut."):
            sync_folder(os.path.dirname(target))


def _back_up(root: str, path: str, content: bytes, mode: int, recorder: Recorder) -> str:
    """Write a text to the `.bak` file, with these permission bits; return why that failed, or an empty string."""
    beside = os.path.splitext(path)[0] + BACKUP_SUFFIX
    try:
        where = locate(root, beside)
        before = present(where.place)
        if not recorder.record_displaced(beside, before):
            refuse_loss(where.place, before, content, recorder)
        done = Install(where, before, content, recorder, change=lambda _: content, mode=mode or None).run()
    except StoreError as error:
        return str(error.__cause__ or error).removesuffix(" Nothing was written.")  # the file itself was or will be written
    return str(done.unsynced or "") if done.confirmed else f"others keep writing {printable_path(where.place)}"


def put_back(root: str, recorder: Recorder, *, only: int | None = None) -> list[tuple[str, int]]:
    """Restore lines of our changes that were lost to a stale copy: (path, number of lines added).

    Nothing in a file is removed. With `only`, just the losses of the process with that pid. A change is restored once, and only if
    it went at once. Raises `StoreError`.
    """
    lost = {each.path for each in lost_updates.losses(root) if each.is_put_back and only in (None, each.noted.pid)}
    done = []
    for path in sorted(lost):
        if os.path.lexists(os.path.join(root, path)):
            mended = Mended(locate(root, path), only)
            update(root, path, mended, recorder=recorder, make_root=False, watched=False)
            done += [(path, mended.lines)] if mended.lines else []
    return done


def _sweep(path: str, folder: str, recorder: Recorder) -> None:
    """Record what an interrupted write has left behind, then delete it."""
    parent = path.rpartition("/")[0]

    def keep(name: str, raw: bytes) -> bool:
        leftover = Recorder(recorder.home, time.time_ns, label=LEFT_OVER)
        return leftover.record_leftover(f"{parent}/{name}" if parent else name, raw)

    sweep(folder, keep)
