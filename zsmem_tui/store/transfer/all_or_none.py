"""Many files into a store at once: all of them or none, also when the program is killed in between.

What shall be written is put into one file in the state folder first and synced. Then each text goes through the write path, if its
place is still as it was when the step was planned. A failure takes back what was written before it; a step that a dead process
left is finished by `recover`.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import Conflict, RuleBroken, StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store import writing
from zsmem_tui.store.disk import processes, state
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.history.journal import Recorder, pending_folder

NOTHING: Final = ""
"""The digest of a place where no file is."""

EXPORT: Final = "export"
"""The relation of a step that wrote outside the store."""

_ENDING: Final = ".landing"
_OLD: Final = ".zsmem-import-"
"""Beginning of the folders that the first release put into a store, with a process id behind it."""

_LATEST_NS: Final = 2**62
_counter = itertools.count()


class Item(NamedTuple):
    """A text for a place that held what `expected` is the digest of.

    A new file gets these permission bits (0: the usual ones) and this time (None: now). `before` is what stood there, once it was
    looked at; with `backup`, it is copied to the `.bak` name first.
    """

    path: str
    expected: str
    raw: bytes
    mode: int
    modified: int | None
    before: bytes | None = None
    backup: bool = False


class _Done(NamedTuple):
    path: str
    before: bytes | None
    after: bytes


def digest_of(raw: bytes | None) -> str:
    """What tells one text from every other; `NOTHING` for no file."""
    return NOTHING if raw is None else hashlib.sha256(raw).hexdigest()


def standing(root: str, path: str) -> bytes | None:
    """What stands where a file would be written; None: nothing. Raises `OutsideStore` or `WriteFailed` when it could not be."""
    return writing.update(root, path, lambda _: None, dry_run=True).before


def put_in(
    root: str, items: Iterable[Item], recorder: Recorder, nothing: str = "Nothing was imported", *, step: Recorder | None = None
) -> list[str]:
    """Write all of these; the paths that were not so already. `nothing` are the words for a failure.

    `step` is the step of another store that this belongs to; it is marked as done at the end, also when that is after a kill.

    Raises `Conflict` when a place is no longer as it was planned, `StoreError` when something cannot be written: nothing has
    changed then, or the sentence says what has. Whatever `items` raises goes through, before anything is written.
    """
    with _Staged(root, nothing) as staged:
        try:
            staged.fill(items, recorder, step)
        except OSError as error:
            raise WriteFailed(staged.place, f"{printable_path(staged.place)}: {error.strerror}. {nothing}.") from error
        landing = _Landing(root, recorder, nothing)
        try:
            for item in staged.items():
                landing.write(item)
        except (StoreError, Conflict, RuleBroken, OSError) as error:
            raise landing.taken_back(error) from error
        os.sync()  # before the file goes that would write it again; one for all is far quicker than two for each
        if step is not None and not step.problem:
            step.record_step_end()
        return [each.path for each in landing.done if each.before != each.after]


def recover(root: str) -> None:
    """Finish what dead processes had begun to write, and clear away what they had not decided yet."""
    home = state.folder("imports", root)
    for name in _names(home, lambda name: name.endswith(_ENDING)):
        with (
            contextlib.suppress(OSError, StoreError, ValueError, KeyError, TypeError),
            open(os.path.join(home, name), "r+b") as stream,
        ):
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)  # whoever writes it holds it
            _finish(root, stream)
            os.unlink(stream.name)
    for name in _names(root, lambda name: name.startswith(_OLD)):
        pid = name.removeprefix(_OLD)
        place = os.path.join(root, name)
        if pid.isdigit() and not os.path.islink(place) and not processes.owns(int(pid), _changed(place)):
            shutil.rmtree(place, ignore_errors=True)


def recover_all() -> None:
    """Finish or clear away what dead processes had begun to write, wherever that was."""
    base = os.path.join(locate.state_folder(), "imports")
    for key in _names(base, lambda name: True):
        for name in _names(os.path.join(base, key), lambda name: name.endswith(_ENDING)):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError), open(os.path.join(base, key, name), "rb") as stream:
                recover(str(json.loads(stream.readline())["root"]))


def _finish(root: str, stream: IO[bytes]) -> None:
    """Write what is left of a decided step. Raises `StoreError`; the file stays then, for the next time."""
    if not _is_decided(stream) or not os.path.isdir(os.path.dirname(root)):
        return
    head, items = _read(stream)
    label, home = str(head["label"]), head["step"]
    recorder = Recorder(pending_folder(root), time.time_ns, label=label, origin=Origin.YOU if home else Origin.IMPORTED)
    recorder.batch = str(head["batch"])
    landing = _Landing(root, recorder)
    for item in items:
        with contextlib.suppress(Conflict):
            landing.write(item)
            if landing.done[-1].before == item.raw != item.before:  # written before the end, but perhaps not taken down
                recorder.record_written(item.path, item.before, item.raw)
    if home:
        step = Recorder(str(home), time.time_ns, label=label, relation=EXPORT)
        step.batch = recorder.batch
        step.record_step_end()


class _Landing:
    """Writes one item after another and knows how to take them back."""

    def __init__(self, root: str, recorder: Recorder, nothing: str = "") -> None:
        self.done: list[_Done] = []
        self._root = root
        self._nothing = nothing
        self._recorder = recorder
        self._folders: list[str] = []

    def write(self, item: Item) -> None:
        """Write one, if its place is as expected or holds the text already."""
        folder = os.path.dirname(os.path.join(self._root, item.path))
        while len(folder) > len(self._root) and not os.path.lexists(folder):
            self._folders.append(folder)
            folder = os.path.dirname(folder)

        def change(now: bytes | None) -> bytes:
            if now != item.raw and digest_of(now) != item.expected:
                raise Conflict(f"{printable_path(item.path)} changed since the plan was made.", "Make the plan anew.")
            self.done.append(_Done(item.path, now, item.raw))
            return item.raw

        done = writing.update(
            self._root,
            item.path,
            change,
            recorder=self._recorder,
            modified=item.modified,
            backup=item.backup and not self._is_there(item),
            durable=False,
        )
        if item.expected == NOTHING and item.mode:
            with contextlib.suppress(PermissionError):  # a file system without permission bits
                os.chmod(done.path, item.mode)

    def _is_there(self, item: Item) -> bool:
        return standing(self._root, item.path) == item.raw

    def taken_back(self, error: StoreError | Conflict | RuleBroken | OSError) -> StoreError | Conflict:
        """Undo what was written; the error to raise."""
        stay = [each.path for each in reversed(self.done) if not self._is_back(each)]
        for folder in sorted(set(self._folders), key=len, reverse=True):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        words = _words(error)
        if stay:
            shown = ", ".join(map(printable_path, stay))
            return WriteFailed(self._root, f"{words} It stopped there: {shown} could not be taken back.", "Undo takes them back.")
        message = f"{words} {self._nothing}" + ("; what had been written before was taken back." if self.done else ".")
        return Conflict(message, error.hint) if isinstance(error, Conflict) else WriteFailed(self._root, message)

    def _is_back(self, each: _Done) -> bool:
        try:
            if each.before == each.after:
                return True
            if standing(self._root, each.path) == each.before:
                return True
            if each.before is None:
                writing.remove(self._root, each.path, expected=each.after, recorder=self._recorder)
            else:
                before = each.before
                done = writing.update(
                    self._root, each.path, lambda now: before if now == each.after else None, recorder=self._recorder
                )
                return done.after == before
        except StoreError:
            return False
        return True


class _Staged:
    """The file in the state folder that holds what is to be written; it is locked as long as this process is at it."""

    def __init__(self, root: str, nothing: str) -> None:
        self._root = root
        self._nothing = nothing
        self.place = os.path.join(state.folder("imports", root), f"{os.getpid()}-{next(_counter)}-{time.time_ns()}{_ENDING}")

    def __enter__(self) -> _Staged:
        try:
            make_private(os.path.dirname(self.place))
            handle = os.open(self.place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            self._stream: IO[bytes] = os.fdopen(handle, "r+b")
        except OSError:
            self._stream = self._elsewhere()
        with contextlib.suppress(OSError):
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self

    def _elsewhere(self) -> IO[bytes]:
        """Where the state folder cannot be written: a file without a name, which does not survive a kill."""
        try:
            return tempfile.TemporaryFile()
        except OSError as error:
            raise WriteFailed(self.place, f"{printable_path(self.place)}: {error.strerror}. {self._nothing}.") from error

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self.place)
        with contextlib.suppress(OSError):
            self._stream.close()

    def fill(self, items: Iterable[Item], recorder: Recorder, step: Recorder | None = None) -> None:
        """Put all of it on disk, unless a place has changed since the plan. Raises `Conflict`, `StoreError` or `OSError`."""
        about: dict[str, Any] = {"root": os.path.abspath(self._root), "label": recorder.label, "batch": recorder.batch}
        _put(self._stream, about | {"step": step.home if step else None})
        changed = []
        for item in items:
            now = standing(self._root, item.path)
            if now != item.raw and digest_of(now) != item.expected:
                changed.append(item.path)
            about = {
                "path": item.path,
                "expected": item.expected,
                "mode": item.mode,
                "modified": item.modified,
                "backup": item.backup,
            }
            _put(self._stream, about | {"size": len(item.raw), "before": None if now is None else len(now)})
            self._stream.write(item.raw)
            self._stream.write(now or b"")
        if changed:
            shown = ", ".join(map(printable_path, changed[:5])) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
            raise Conflict(f"Somebody changed {shown} since the plan was made. {self._nothing}.", "Make the plan anew.")
        _put(self._stream, {"decided": True})
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def items(self) -> Iterator[Item]:
        """What was put there."""
        return _read(self._stream)[1]


def _put(stream: IO[bytes], about: dict[str, Any]) -> None:
    stream.write(json.dumps(about).encode() + b"\n")


def _is_decided(stream: IO[bytes]) -> bool:
    last = json.dumps({"decided": True}).encode() + b"\n"
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - len(last)))
    return stream.read() == last


def _read(stream: IO[bytes]) -> tuple[dict[str, Any], Iterator[Item]]:
    stream.seek(0)
    head = json.loads(stream.readline())

    def items() -> Iterator[Item]:
        while "path" in (about := json.loads(stream.readline())):
            raw = stream.read(about["size"])
            before = None if about["before"] is None else stream.read(about["before"])
            modified = about["modified"] if _is_time(about["modified"]) else None
            yield Item(about["path"], about["expected"], raw, about["mode"], modified, before, bool(about.get("backup")))

    return head, items()


def _is_time(modified: object) -> bool:
    return isinstance(modified, int) and 0 <= modified < _LATEST_NS


def _names(folder: str, wanted: Any) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if wanted(name))
    except OSError:
        return []


def _changed(place: str) -> int:
    try:
        return os.stat(place).st_mtime_ns
    except OSError:
        return 0


def _words(error: StoreError | Conflict | RuleBroken | OSError) -> str:
    """What went wrong, without what it says about the one file."""
    if isinstance(error, OSError):
        return f"{printable_path(str(error.filename or ''))}: {error.strerror}."
    words = error.message.removesuffix(" Nothing was written.").removesuffix(" It was written, but may not survive a power cut.")
    return f"{words.rstrip('.')}."
