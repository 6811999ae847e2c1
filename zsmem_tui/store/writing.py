"""The one write path: every byte that this project puts into a store goes through `update` or `remove`.

The text that is about to be displaced is in the journal first. Then the new one is put in its place (`swapping`), and what it
displaced looked at: when it is not the text that the new one was made from, an agent wrote in between, and both are merged and
put in place the same way. Afterwards the file is read back: an agent that had read before us may have written after us. A
symbolic link is written through when its target lies inside the store and refused when it leaves (specification, section 15).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.constants import BACKUP_SUFFIX
from zsmem_tui.core.errors import Missing, OutsideStore, StoreError, WriteFailed
from zsmem_tui.core.merge import Overlap, lasts, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files, lock, swapping
from zsmem_tui.store.folders import make_folders, sync_folder
from zsmem_tui.store.journal import LARGEST_TEXT, Recorder, pending_folder
from zsmem_tui.store.swapping import Keep, failed, present, swap, sweep, temp_name

Change = Callable[[bytes | None], bytes | None]
"""From the bytes a file has now (None: no file) to those it shall have (None: leave it alone)."""

_ATTEMPTS: Final = 12
"""Times that a text is put in place anew because somebody else wrote meanwhile; then the person is told."""


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


def update(
    root: str,
    path: str,
    change: Change,
    *,
    backup: bool = False,
    dry_run: bool = False,
    recorder: Recorder | None = None,
    modified: int | None = None,
) -> Written:
    """Make the file at `path` (relative to `root`) what `change` makes of its present bytes.

    `change` is called while no other process of ours can write, and may raise to give up. With `backup`, the old bytes go to
    the same name with `.bak` first; when that fails, the reason is in `backup_error`. Folders are made as needed.
    With `dry_run`, what would be written is worked out and nothing is touched. A `recorder` takes down every text displaced.
    `modified` (nanoseconds since 1970) is the time that the file gets, unless others wrote meanwhile and it is merged.
    Raises `OutsideStore` or `WriteFailed`; nothing has been written then.
    """
    if dry_run:
        return _planned(_resolve(root, path), change)
    _make_folder(root, root)
    with lock.writer(root):
        place = _resolve(root, path)
        _make_folder(root, os.path.dirname(place))
        _sweep(root, path, os.path.dirname(place), recorder)
        before = present(place)
        if before is not None and not os.access(place, os.W_OK):
            raise WriteFailed(place, f"{printable_path(place)} is write-protected. Nothing was written.")
        swapping.step("read")
        after = change(before)
        if after is None or (after == before and not backup):
            return Written(place, before, before, changed=False)
        noting = _Noting(path, recorder)
        noting.keep(before)
        backup_error = _back_up(place, before, noting.beside(BACKUP_SUFFIX)) if backup and before is not None else ""
        done = _put(place, before, after, noting, modified)._replace(backup_error=backup_error)
        noting.wrote_merged(before, after, done.after)
        return done


def confirm(root: str, path: str, written: Written, recorder: Recorder | None = None) -> Written:
    """Look again, a moment later, whether what was written lasts; put it back, merged, when somebody wrote over it.

    Worth doing some milliseconds after `update`: an agent that read the file before us and writes it after us leaves no other
    trace. Raises `WriteFailed`.
    """
    if not written.changed or written.after is None:
        return written
    with lock.writer(root):
        now = present(written.path)
        if now is not None and lasts(written.before or b"", written.after, now):
            return written
        found = merge(written.before or b"", written.after, now or b"")
        if isinstance(found, Overlap) or now is None:
            return written._replace(confirmed=False)
        noting = _Noting(path, recorder)
        noting.keep(now)
        done = _put(written.path, now, found.text, noting)
        noting.wrote_merged(written.before, written.after, done.after)
        return done._replace(before=written.before, kept_lines=found.kept_lines)


def _planned(place: str, change: Change) -> Written:
    """What a write would do, or `WriteFailed` where it is plain that it could not."""
    folder = os.path.dirname(place)
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        reason = "it is not a folder" if not os.path.isdir(folder) else "permission denied"
        raise WriteFailed(folder, f"{printable_path(folder)}: {reason}. Nothing would be written.")
    before = present(place)
    after = change(before)
    unchanged = after is None or after == before
    return Written(place, before, before if unchanged else after, changed=not unchanged)


def remove(
    root: str,
    path: str,
    *,
    backup: bool = False,
    dry_run: bool = False,
    expected: bytes | None = None,
    recorder: Recorder | None = None,
) -> Written:
    """Delete the file at `path`, after a `.bak` copy when asked for.

    With a `recorder`, it is deleted only once what it holds is kept. With `expected`, it is left alone when it holds anything else.
    Raises `Missing`, `OutsideStore` or `WriteFailed`; nothing has been deleted then.
    """
    if not os.path.isdir(root):
        raise Missing(path, f"{printable_path(os.path.join(root, path))}: No such file or directory")
    with lock.writer(root):
        place = _resolve(root, path)
        before = present(place)
        if before is None:
            raise Missing(place, f"{printable_path(place)}: No such file or directory")
        if expected is not None and before != expected:
            raise WriteFailed(place, f"{printable_path(place)} changed meanwhile. It was not deleted.")
        if dry_run:
            return Written(place, before, None, changed=True)
        noting = _Noting(path, recorder)
        if not noting.can_keep(before):
            raise WriteFailed(
                place, f"{printable_path(place)} was not deleted: it could not be kept first. {noting.problem}".rstrip(" ")
            )
        backup_error = _back_up(place, before, noting.beside(BACKUP_SUFFIX)) if backup else ""
        try:
            _take_away(root, path, before, noting)
            sync_folder(os.path.dirname(place))
        except OSError as error:
            raise failed(place, error, "It was not deleted.") from error
        noting.wrote(before, None)
        return Written(place, before, None, changed=True, backup_error=backup_error)


def _take_away(root: str, path: str, before: bytes, noting: _Noting) -> None:
    """Unlink a file under a name of ours, so that a text somebody put there a moment ago is seen and kept."""
    wanted = os.path.join(root, path)
    temp = os.path.join(os.path.dirname(wanted), temp_name(os.path.basename(wanted)))
    os.rename(wanted, temp)
    swapping.step("taken away")
    with contextlib.suppress(StoreError):
        displaced = files.read(temp)[0]
        if displaced != before:
            noting.keep(displaced)
    os.unlink(temp)


class _Noting:
    """What a write of one file tells its recorder, when it has one."""

    def __init__(self, path: str, recorder: Recorder | None) -> None:
        self._path = path
        self._recorder = recorder

    @property
    def problem(self) -> str:
        """Why something could not be kept."""
        return self._recorder.problem if self._recorder else ""

    def keep(self, raw: bytes | None) -> bool:
        """Keep a text that is about to be displaced."""
        return self._recorder is None or self._recorder.seen(self._path, raw)

    def can_keep(self, raw: bytes) -> bool:
        """Keep a text whole, or say no: one that is too large is only known by its digest."""
        return self._recorder is None or (len(raw) <= LARGEST_TEXT and self._recorder.seen(self._path, raw))

    def beside(self, suffix: str) -> Keep:
        """Keeps what stands in the file of the same name with another extension."""
        other = _Noting(os.path.splitext(self._path)[0] + suffix, self._recorder)
        return other.keep

    def wrote_merged(self, before: bytes | None, wanted: bytes, after: bytes | None) -> None:
        """Take down that `before` should become `wanted`, and with what others wrote meanwhile became `after`.

        What stands there but for our own change is theirs, so undoing ours leaves it.
        """
        theirs: bytes | None = before
        if after != wanted:
            found = merge(wanted, before or b"", after or b"")
            if not isinstance(found, Overlap):
                theirs = found.text
                self.keep(theirs)
        self.wrote(theirs, after)

    def wrote(self, before: bytes | None, after: bytes | None) -> None:
        """Take down what was done."""
        if self._recorder and before != after:
            self._recorder.wrote(self._path, before, after)


def rename(root: str, old: str, new: str, recorder: Recorder | None = None) -> None:
    """Change the case of a file's name, in one step. Raises `OutsideStore` or `WriteFailed`."""
    with lock.writer(root):
        place, target = _resolve(root, old), os.path.join(root, new)
        raw = present(place)
        _Noting(old, recorder).keep(raw)
        try:
            os.rename(place, target)
            sync_folder(os.path.dirname(target))
        except OSError as error:
            raise failed(place, error, "It was not renamed.") from error
        _Noting(old, recorder).wrote(raw, None)
        _Noting(new, recorder).wrote(None, raw)


def _resolve(root: str, path: str) -> str:
    """The real place of `path`, which must lie inside `root` however many links lead there."""
    wanted = os.path.join(root, path)
    try:
        real_root, place = os.path.realpath(root), os.path.realpath(wanted)
        if os.path.islink(place):
            raise WriteFailed(wanted, f"{printable_path(wanted)}: Too many levels of symbolic links. Nothing was written.")
    except (OSError, ValueError) as error:
        raise failed(wanted, error) from error
    if not place.startswith(real_root.rstrip("/") + "/"):
        raise OutsideStore(
            wanted,
            f"{printable_path(wanted)} is a link that leaves the store, to {printable_path(place)}. Nothing was written.",
            "Edit that file where it lies, or replace the link by a file.",
        )
    return place if place != os.path.join(real_root, path) else wanted


def _put(place: str, before: bytes | None, after: bytes, noting: _Noting, modified: int | None = None) -> Written:
    """Make `place`, which was read as `before`, hold `after`, merged with whatever others write meanwhile."""
    expected, wanted, kept = before, after, 0
    giving_back = False
    known = [before]

    def keep(displaced: bytes) -> None:
        if displaced not in known:
            noting.keep(displaced)

    for _ in range(_ATTEMPTS):
        known.append(wanted)
        displaced = swap(place, wanted, keep, modified if wanted is after else None)
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
    now = present(place)
    swapping.step("read back")
    if now is None or lasts(before or b"", wanted, now):
        return None
    merged = merge(before or b"", wanted, now)
    return None if isinstance(merged, Overlap) else (now, merged.text)


def _back_up(place: str, content: bytes, keep: Keep) -> str:
    """Keep `content` under the `.bak` name; the reason in words when that fails, else an empty string."""
    try:
        swap(os.path.splitext(place)[0] + BACKUP_SUFFIX, content, keep)
    except WriteFailed as error:
        return str(error.__cause__ or error)
    return ""


def _sweep(root: str, path: str, folder: str, recorder: Recorder | None) -> None:
    """Keep what an interrupted write has left behind, then clear it away."""
    parent = path.rpartition("/")[0]
    home = recorder.home if recorder else pending_folder(root)

    def keep(name: str, raw: bytes) -> None:
        leftover = Recorder(home, time.time_ns, label="Left by an interrupted write")
        leftover.left(f"{parent}/{name}" if parent else name, raw)

    sweep(folder, keep)


def _make_folder(root: str, folder: str) -> None:
    try:
        make_folders(folder)
    except (OSError, ValueError) as error:
        if isinstance(error, FileExistsError | NotADirectoryError):
            where = root if folder == root else folder
            raise WriteFailed(where, f"{printable_path(where)} is not a folder. Nothing was written.") from error
        raise failed(folder, error) from error
