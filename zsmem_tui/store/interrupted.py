"""Journal notes for steps over several files, by which the next start completes or reverts a step of a process that died.

A note is written and synced before its step writes anything. It contains the old and new text of each file. An incomplete note
means that its step had not begun.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from types import TracebackType
from typing import IO, Any, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import Conflict, MemError, Missing, WriteConflict, WriteFailed
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.limits import LATEST_NS
from zsmem_tui.core.merge import Merged, Overlap, lasts, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import TOOK_BACK, Origin
from zsmem_tui.store import writing
from zsmem_tui.store.disk import folders, replace, waiting
from zsmem_tui.store.disk.files import digest_of_file, failing, list_all
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.disk.places import steps_folder
from zsmem_tui.store.disk.processes import unique_name
from zsmem_tui.store.disk.swap import present
from zsmem_tui.store.disk.waiting import Patience
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Change, Recorder
from zsmem_tui.store.write_path import late_writes
from zsmem_tui.store.write_path.install_file import Transform
from zsmem_tui.store.write_path.locating import resolve

_VERSION: Final = 1
"""Version of the note format. Notes of a newer version are left to newer programs."""

_ENDING: Final = ".step"
SETTINGS: Final = "/"
"""A pseudo root for agents' settings files, which are in no store: they are merged by meaning, not by lines."""

_DECIDED: Final = b"+"
TAKEN_BACK: Final = b"<"
"""The first byte of a note says what to do if the program is killed: `+` complete the step, `<` revert it."""

_NO_STATE: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EEXIST})
"""Errors that mean nothing can be stored in the state folder: steps are made all the same, without recovery (or undo)."""

_CHUNK: Final = 1 << 20


class Foreign(NamedTuple):
    """How to change a file in no store, and to revert that; `undo` raises `WriteFailed` if part of the change stays."""

    do: Callable[[], object]
    undo: Callable[[], object]


class Done(NamedTuple):
    """The change of one file that was, or was about to be, written."""

    root: str
    path: str
    before: bytes | None
    after: bytes | None
    renamed: str = ""
    foreign: Foreign | None = None


class Edit(NamedTuple):
    """The planned change of one file of a step.

    `after` is `before` with all `changes` applied in turn (None: no file). With `is_left`, a file that changed in the meantime is
    left alone and the step continues. `mode` are the permission bits of a new file (0: default), `modified` its time in nanoseconds
    since 1970 (None: now). `renamed` is the new path of a file if only the case of its name changes.
    """

    path: str
    before: Callable[[], bytes | None]
    after: Callable[[], bytes | None]
    changes: tuple[Transform, ...] = ()
    is_left: bool = False
    mode: int = 0
    modified: int | None = None
    renamed: str = ""
    foreign: Foreign | None = None


class Place(NamedTuple):
    """One store of a step.

    With `ends`, the end of the step is recorded in the history even if nothing changed. `makes_folders` exist after the step,
    `removes_folders` are removed if empty; `made` are folders created for its files.
    """

    root: str
    recorder: Recorder
    ends: bool = False
    make_root: bool = True
    makes_folders: tuple[str, ...] = ()
    removes_folders: tuple[str, ...] = ()
    made: tuple[str, ...] = ()

    def settle(self) -> None:
        """Create and remove folders so that they are as they should be after the step."""
        for folder in self.makes_folders:
            with contextlib.suppress(OSError):
                folders.make_folders(os.path.join(self.root, folder))
        folders.remove_empty(self.root, self.removes_folders)

    def about(self) -> dict[str, object]:
        """All fields as a JSON document."""
        return {name: value for name, value in self._asdict().items() if name != "recorder"} | self.recorder.about()

    @classmethod
    def again(cls, about: Mapping[str, Any]) -> Place:
        """Parse the result of `about`. Raises `KeyError`, `TypeError` or `ValueError` if it is invalid."""
        names = (tuple(map(str, about[name])) for name in ("makes_folders", "removes_folders", "made"))
        recorder = Recorder.again(about, time.time_ns)
        return cls(str(about["root"]), recorder, bool(about["ends"]), bool(about["make_root"]), *names)


class Outside(NamedTuple):
    """A file outside all stores that is replaced atomically: the step was made if it has this digest (empty: never)."""

    place: str
    digest: str = ""


class Note:
    """A note file in the state folder, locked while this process executes its step.

    The first byte says what to do if the program is killed; then follow a head, each file with both texts, and a digest of it all.
    """

    def __init__(self, nothing: str) -> None:
        self.is_needed = False
        """Whether the note must stay after the step for the next start: a change could not be reverted or recorded."""
        self._nothing = nothing
        self._place = os.path.join(steps_folder(), f"{unique_name()}{_ENDING}")
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Note:
        try:
            make_private(os.path.dirname(self._place))
            handle = os.open(self._place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno not in _NO_STATE:
                raise WriteFailed(self._place, f"{printable_path(self._place)}: {error.strerror}. {self._nothing}") from error
            return self
        self._stream = os.fdopen(handle, "r+b", buffering=_CHUNK)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self.is_needed:
            self.drop()
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.close()

    def fill(self, places: Sequence[Place], edits: Iterable[tuple[int, Edit]] = (), outside: Outside | None = None) -> None:
        """Write the whole note and sync it: from then on the step will be completed. Raises `WriteFailed`.

        `edits` are (index in `places`, edit); `outside` is the file of a step without edits.
        """
        stream = self._stream
        if stream is None:
            return
        head = {"version": _VERSION, "stores": [place.about() for place in places], "outside": outside}
        digest = hashlib.sha256()

        def put(raw: bytes) -> None:
            digest.update(raw)
            stream.write(raw)

        with failing(self._place, self._nothing):
            stream.write(_DECIDED)
            put(json.dumps(head).encode() + b"\n")
            for number, edit in edits:
                texts = (edit.before(), edit.after())
                about = {
                    "store": number,
                    "path": edit.path,
                    "sizes": [None if text is None else len(text) for text in texts],
                    "mode": edit.mode,
                    "modified": edit.modified,
                    "is_left": edit.is_left,
                    "renamed": edit.renamed,
                }
                put(json.dumps(about).encode() + b"\n")
                for text in texts:
                    put(text or b"")
            stream.write(digest.hexdigest().encode())
            stream.flush()
            os.fsync(stream.fileno())
            folders.sync_folder(os.path.dirname(self._place))

    @property
    def is_kept(self) -> bool:
        """Whether the note is on disk."""
        return self._stream is not None

    def mark(self, what: bytes) -> None:
        """Overwrite the first byte, which says what to do if the program is killed now; this needs no disk space."""
        with contextlib.suppress(OSError):
            if self._stream is not None:
                os.pwrite(self._stream.fileno(), what, 0)
                os.fsync(self._stream.fileno())

    def drop(self) -> None:
        """Delete the note: the step has ended."""
        if self._stream is not None:
            folders.delete_if_possible(self._place)


_is_held_off: ContextVar[bool] = ContextVar("is_held_off", default=False)


def hold_off() -> None:
    """From here on, let `recover` only say, in this context, what waits to be completed: for a dry run."""
    _is_held_off.set(True)


def recover() -> list[str]:
    """Complete or revert the steps of dead processes; return a sentence for each.

    A step waits if its store is not mounted, or if a newer program began it.
    """
    said: list[str] = []
    for name in sorted(name for name in list_all(steps_folder()) if name.endswith(_ENDING)):
        with contextlib.suppress(OSError), open(os.path.join(steps_folder(), name), "r+b") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held by the process that executes the step
            if not os.path.lexists(stream.name):
                continue
            found = _read(stream)
            if _is_held_off.get():
                what = found.stores[0].recorder.label if found is not None and found.stores else ""
                said.append(f"{printable_path(what or 'a step')}: interrupted. The next command that is no dry run ends it.")
            elif found is None:
                os.unlink(stream.name)  # incomplete note: nothing had been written
            else:
                words, is_ended = _recovered(found, stream)
                said += [words] if words not in said else []
                if is_ended:
                    os.unlink(stream.name)
    return said


class _Left(NamedTuple):
    """One file of a step that a dead process left."""

    store: Place
    path: str
    before: bytes | None
    after: bytes | None
    mode: int
    modified: int | None
    is_left: bool
    renamed: str


class _Begun(NamedTuple):
    """A step that a dead process left; if `is_newer`, its note cannot be read."""

    is_newer: bool = False
    is_taken_back: bool = False
    stores: tuple[Place, ...] = ()
    files: tuple[_Left, ...] = ()
    outside: Outside | None = None


def _read(stream: IO[bytes]) -> _Begun | None:
    """Parse a note; None if it is incomplete."""
    try:
        whole, first, head = os.fstat(stream.fileno()).st_size, stream.read(1), stream.readline()
        about = json_value(head)
        if about["version"] != _VERSION:
            return _Begun(is_newer=True)
        digest = hashlib.sha256(head)
        stores = tuple(Place.again(each) for each in about["stores"])
        outside = Outside(*map(str, about["outside"])) if about["outside"] else None
        left = []
        while (line := stream.readline()).endswith(b"\n"):
            digest.update(line)
            each = json_value(line)
            if any(size is not None and not 0 <= size <= whole for size in each["sizes"]):
                return None
            before, after = (None if size is None else stream.read(size) for size in each["sizes"])
            digest.update((before or b"") + (after or b""))
            modified = each["modified"]
            time_of = modified if isinstance(modified, int) and 0 <= modified < LATEST_NS else None
            left.append(
                _Left(
                    stores[each["store"]],
                    str(each["path"]),
                    before,
                    after,
                    int(each["mode"]),
                    time_of,
                    bool(each["is_left"]),
                    str(each["renamed"]),
                )
            )
        if line.decode() != digest.hexdigest():
            return None
        return _Begun(False, first == TAKEN_BACK, stores, tuple(left), outside)
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def _recovered(found: _Begun, stream: IO[bytes]) -> tuple[str, bool]:
    """Complete a step or revert it: (sentence, whether it is finished)."""
    if found.is_newer:
        return "A newer zsmem was interrupted in the middle of a step. It is left to that one.", False
    what = printable_path(found.stores[0].recorder.label or "a step")
    gone = next((each for each in found.stores if not each.make_root and not os.path.isdir(each.root)), None)
    if gone is not None:
        return f"{what}: interrupted, and it waits until {printable_path(gone.root)} is back.", False
    if found.outside is not None:
        try:
            if not _was_replaced(found.outside):
                return f"Took back what was interrupted: {what}.", True
        except OSError as error:
            return f"{what}: interrupted, and it waits. {printable_path(found.outside.place)}: {error.strerror}.", False
    if problem := _record_written(found.files):
        return f"{what}: interrupted, and it waits. {problem}", False
    clash = ""
    if not found.is_taken_back:
        try:
            stay = [printable_path(each.path) for each in found.files if not _finish(each)]
            for store in found.stores:
                if store.root != SETTINGS:
                    late_writes.take_in(store.root, store.recorder)  # a file that was being removed
                store.settle()
                if store.ends:
                    store.recorder.record_step_end()
            os.sync()
            more = f" Written meanwhile, and so still there: {', '.join(stay)}." if stay else ""
            return f"Finished what was interrupted: {what}.{more}", True
        except (MemError, OSError) as error:
            clash = f" {error.message}" if isinstance(error, MemError) else f" {error}"
            os.pwrite(stream.fileno(), TAKEN_BACK, 0)
    done = [Done(each.store.root, each.path, each.before, each.after, each.renamed) for each in found.files]
    left = take_back(done, found.stores)
    if why := next((each.why for each in left if each.why), ""):
        return f"{what}: interrupted, and it waits to be taken back. {why.removesuffix(' Nothing was written.')}", False
    if left:
        return f"{what}: interrupted, and could not be taken back in {', '.join(each.path for each in left)}.{clash}", True
    return f"Took back what was interrupted: {what}.{clash.removesuffix(' Nothing was written.')}", True


def _record_written(files: Sequence[_Left]) -> str:
    """Record in the journal what a step had written before its process died: usually that is done when a step ends.

    Returns a sentence on why it cannot be recorded; empty if it was.
    """
    stores = {each.store.root: each.store.recorder for each in files if each.store.root != SETTINGS}
    known = {root: journal.written(recorder.home, recorder.batch) for root, recorder in stores.items()}
    for each in files:
        if each.store.root not in stores or each.renamed or each.path in known[each.store.root]:
            continue
        with contextlib.suppress(MemError):
            now = standing(each.store.root, each.path)
            is_made = now == each.after
            if now is not None and each.after is not None and now != each.before:
                is_made = is_made or lasts(each.before or b"", each.after, now)
            if is_made and not each.store.recorder.record_written(each.path, each.before, each.after):
                return each.store.recorder.problem
    return ""


def _was_replaced(outside: Outside) -> bool:
    """Whether the file was replaced; removes leftover temporary files. Raises `OSError` if it cannot be determined."""
    for folder in {os.path.dirname(outside.place), os.path.dirname(os.path.realpath(outside.place))}:
        replace.sweep(folder, again=True)
    try:
        return digest_of_file(outside.place) == outside.digest
    except FileNotFoundError:
        return False


def _finish(each: _Left) -> bool:
    """Write the planned text of one file, merged with what others wrote since. Raises `Conflict` or `StoreError`.

    Returns False for a file that was to be deleted but was changed since, and so stays.
    """
    root, recorder = each.store.root, each.store.recorder
    if root == SETTINGS:
        return _settings_become(os.path.join(root, each.path), each.before, each.after)
    if each.renamed:
        if each.path.rpartition("/")[2] in list_all(os.path.dirname(os.path.join(root, each.path))):
            writing.rename(root, each.path, each.renamed, recorder)
        return True
    now = standing(root, each.path)
    if now == each.after:
        if now is None:
            writing.note_removed(root, each.path, each.before)
        return True
    if each.after is None:
        if now != each.before:
            if each.is_left:
                return False
            raise Conflict(f"{printable_path(each.path)} changed since.")
        writing.remove(root, each.path, expected=each.before, recorder=recorder)
        return True
    after = each.after

    def change(now: bytes | None) -> bytes | None:
        if now in (each.before, after):
            return after
        if now is not None and lasts(each.before or b"", after, now):
            return None
        if now is None and each.before is not None:
            raise Conflict(f"{printable_path(each.path)} was deleted since.")
        merged = merge(each.before or b"", after, now or b"")
        if isinstance(merged, Overlap):
            raise Conflict(f"{printable_path(each.path)} changed since.")
        return merged.text

    writing.update(
        root, each.path, change, recorder=recorder, modified=each.modified, mode=each.mode, make_root=each.store.make_root
    )
    return True


def _settings_become(place: str, source: bytes | None, goal: bytes | None) -> bool:
    """Apply a step's change to an agent's settings, merged with what others wrote since. Raises `Conflict` or `StoreError`."""
    from zsmem_tui.store.transfer import connections  # deferred: few steps are about settings

    connections.become(place, source, goal)
    return True


class Stays(NamedTuple):
    """A file that could not be reverted, and why, as a sentence; empty: others have changed the same lines."""

    path: str
    why: str = ""


def take_back(done: Sequence[Done], stores: Sequence[Place]) -> list[Stays]:
    """Revert these changes, the last one first, and remove the folders made for them; return what could not be reverted.

    A file that returns to its old text needs no room in the journal, which has no record of it yet (`Recorder.made`): on a full
    disk, new files can still be removed. No new file is removed if the file its text came from could not be restored.
    """
    with waiting.patient(Patience(waiting.AFTER_A_WRITE)):  # even if the caller has given up: a step must not stay half done
        stay = _taken_back(done, stores)
    for store in stores:
        folders.remove_empty(store.root, store.made)
    return stay


def _taken_back(done: Sequence[Done], stores: Sequence[Place]) -> list[Stays]:
    back: dict[str, Recorder] = {}
    for store in stores:
        label, relation = f"{TOOK_BACK}{store.recorder.label}", f"undoes {store.recorder.batch}"
        back[store.root] = Recorder(store.recorder.home, time.time_ns, label=label, origin=Origin.UNDO, relation=relation)
    told = {store.root: store.recorder for store in stores}
    stay: dict[str, Stays] = {}
    for each in reversed(done):
        shown = locate.shortened(os.path.join(each.root, each.path)) if each.root == SETTINGS else each.path
        path, recorder = printable_path(shown), back[each.root]
        try:
            if each.foreign is not None:
                each.foreign.undo()
                continue
            if each.before is None and any(other.why for other in stay.values()):
                stay[path] = Stays(path, next(other.why for other in stay.values() if other.why))
                continue
            change = told[each.root].taken_down(each.path, each.root != SETTINGS and standing(each.root, each.path) == each.after)
            recorder.noted = change and Change(each.path, change.after, change.before)
            if not _restored(each, recorder):
                stay[path] = Stays(path)
            elif change is not None:
                del told[each.root].made[each.path]
        except (Conflict, Missing, WriteConflict):
            stay[path] = Stays(path)
        except (MemError, OSError) as error:
            stay[path] = Stays(path, error.message if isinstance(error, MemError) else f"{path}: {error.strerror}.")
        finally:
            recorder.noted = None
    for root in dict.fromkeys(each.root for each in done if each.root != SETTINGS) if not stay else ():
        if journal.written(told[root].home, told[root].batch):
            back[root].record_step_end()
    return list(reversed(stay.values()))


def _restored(each: Done, recorder: Recorder) -> bool:
    """Whether a file no longer has what was written; False if others changed the same lines. Raises `StoreError`."""
    if each.renamed:
        if each.renamed.rpartition("/")[2] in list_all(os.path.dirname(os.path.join(each.root, each.renamed))):
            writing.rename(each.root, each.renamed, each.path, recorder)
        return True
    if each.root == SETTINGS:
        return _settings_become(os.path.join(each.root, each.path), each.after, each.before)
    now = standing(each.root, each.path)
    if now == each.before:
        return True
    if now is not None and (each.after is None or not lasts(each.before or b"", each.after, now)):
        return True  # nothing of ours is in it: it was not deleted, or others created it anew
    if each.before is None:
        writing.remove(each.root, each.path, expected=each.after, recorder=recorder)
        return True
    is_back = True

    def change(now: bytes | None) -> bytes | None:
        nonlocal is_back
        if now in (each.before, each.after):
            return each.before
        found = merge(each.after or b"", each.before or b"", now or b"")
        is_back = isinstance(found, Merged)
        return found.text if isinstance(found, Merged) else None

    writing.update(each.root, each.path, change, recorder=recorder, make_root=False)
    return is_back


def standing(root: str, path: str) -> bytes | None:
    """The content of a file; None if there is none. Raises `OutsideStore`, or `WriteFailed` if it cannot be read."""
    return present(resolve(root, path))
