"""Read and change agents' settings files as one step, and remember their previous content for undo.

They are in no store, so the write path treats them as paths below `/`. An edit is a function from bytes to bytes, which is applied
anew to whatever another program writes meanwhile; a file being written is waited for, and left alone if that takes too long.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from zsmem_tui.agents.settings.errors import NotEditable
from zsmem_tui.agents.settings.together import put_together
from zsmem_tui.config import locate
from zsmem_tui.core.errors import Conflict, InUse, MemError, StoreError, Unreadable, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import writing
from zsmem_tui.store.disk import displaced, files, processes, state, waiting
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.files import failed
from zsmem_tui.store.disk.folders import delete_if_possible, make_private, stat_of
from zsmem_tui.store.disk.places import begun_folder
from zsmem_tui.store.disk.swap import refuse_irregular
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.write_path import install_file
from zsmem_tui.store.write_path.confirming import CONFIRM_AFTER, CONFIRM_BUSY
from zsmem_tui.store.write_path.install_file import WriteResult

RELATION: Final = "connect"
"""The relation of a step that changed an agent's settings."""

LARGEST: Final = 16 * 1024 * 1024
"""The most bytes of a settings file; a larger file is refused."""

WAIT: Final = 2.0
"""Seconds to wait for a program that is writing a settings file."""

_EMPTY_FOR: Final = 60.0
"""Seconds after which an empty file, of a kind that may be empty, is taken as intended."""

LATEST: Final = 5.0
"""The fewest seconds for which a displaced file is kept: a program may have been about to open it."""

_PAUSE: Final = 0.005
_MOST_ATTEMPTS: Final = 3
"""The most times that an edit is repeated after somebody wrote over it."""

_KEPT: Final = 20
"""The number of steps per store that can be undone, and of texts kept aside."""

_KIND: Final = "connections"
_NOTHING: Final = "Nothing was written."
_ROOT: Final = "/"

Edit = Callable[[bytes | None], bytes | None]
"""From the content of a settings file (None: no file) to its new content (None: no file). Raises `NotEditable`."""


class FileChange(NamedTuple):
    """A settings file with its content before and after (None: no file)."""

    place: str
    before: bytes | None
    after: bytes | None
    aside: tuple[str, ...] = ()
    """Paths of our files with texts that other programs wrote meanwhile and that could not be merged."""


class Connection(NamedTuple):
    """One step: the agent connected, its scope and command, and every file changed."""

    agent: str
    scope: str
    command: str
    home: str
    folder: str
    changes: tuple[FileChange, ...]


def read(place: str) -> bytes | None:
    """The bytes of a settings file, following links; None if it does not exist. Raises `WriteFailed` or `Unreadable`."""
    real = _real(place)
    refuse_irregular(real, place)
    try:
        if os.path.lexists(real) and files.look(real).size > LARGEST:
            raise Unreadable(place, f"{printable_path(place)}: it has more than {LARGEST} bytes. {_NOTHING}")
        return files.read_if_there(real)
    except Unreadable as error:
        raise Unreadable(place, f"{error.message.removesuffix(_NOTHING).rstrip(' .')}. {_NOTHING}") from error


def read_settled(place: str) -> bytes | None:
    """`read`, after waiting briefly until nobody is writing the file. Raises `Conflict` if it stays empty or in use."""
    deadline, patience = time.monotonic() + WAIT, waiting.current()
    while True:
        raw = read(place)
        is_late = time.monotonic() > deadline or not patience.left
        is_quiet = not displaced.writer_at(_real(place)) and read(place) == raw  # otherwise it may have been read half-written
        if not _is_cut(place, raw) and (is_late or is_quiet):
            return raw
        if is_late:
            raise _at_work(place)
        patience.pause(_PAUSE)


def _is_cut(place: str, raw: bytes | None) -> bool:
    """Whether a file is empty because somebody is about to write it. TOML may stay empty; JSON never does."""
    seen = stat_of(place) if raw == b"" else None
    if seen is None:
        return False
    age = (time.time_ns() - seen.st_mtime_ns) / 10**9
    return not place.endswith(".toml") or age < _EMPTY_FOR or displaced.writer_at(_real(place)) is True


def _at_work(place: str) -> Conflict:
    shown = printable_path(place)
    with contextlib.suppress(MemError):
        if _is_cut(place, read(place)):
            words = f"{shown} is empty: a program may be writing it just now. {_NOTHING}"
            return Conflict(words, "Try again when that program is done; where there is none, delete the empty file first.")
    return Conflict(f"{shown}: another program is writing it just now. {_NOTHING}", "Try again when it is done.")


def put(place: str, edit: Edit, label: str) -> FileChange:
    """Apply `edit` to a settings file; return its content without our edit, and the new one.

    What others write meanwhile is edited, too, even in a displaced file. Raises `Conflict` if somebody uses the file for too long,
    `NotEditable`, or `StoreError`.
    """
    with _begun(place) as home:
        recorder = _Keeper(home, label)
        work = _Put(place, edit, recorder)
        try:
            done = work.run()
        except MemError as error:
            work.clear()
            error.message = " ".join([*map(_said_aside, recorder.aside), error.message])
            error.args = (error.message,)
            raise
        return done._replace(aside=tuple(recorder.aside))


def become(place: str, source: bytes | None, goal: bytes | None) -> None:
    """Change a settings file from `source` to `goal`, merged with what others wrote since. Raises `Conflict` or `StoreError`."""
    recover()

    def edit(now: bytes | None) -> bytes | None:
        if now in (source, goal):
            return goal
        if now is None or goal is None:
            raise NotEditable("it changed since")
        return _together(place)(source or b"", goal, now)

    try:
        done = put(place, edit, "")
        _remember_original(done)
    except NotEditable as error:
        raise Conflict(f"{printable_path(place)}: {error.reason}. {_NOTHING}") from error


def _said_aside(kept: str) -> str:
    return f"What another program wrote meanwhile is kept in {printable_path(kept)}."


class _Keeper(Recorder):
    """Records displaced texts until the edit is made; those not merged by then are kept as files, listed in `aside`."""

    def __init__(self, home: str, label: str) -> None:
        super().__init__(home, time.time_ns, label=label)
        self.aside: list[str] = []

    def record_leftover(self, path: str, raw: bytes) -> bool:
        """Keep another program's text as a file of ours."""
        kept = _keep_aside(os.path.join(_ROOT, path), raw)
        self.aside += [kept] if kept else []
        return bool(kept)


class _Put:
    def __init__(self, place: str, edit: Edit, recorder: Recorder) -> None:
        self._place = place
        self._path = _path_of(place)
        self._edit = edit
        self._recorder = recorder
        self._patience = recorder.waits.patience
        self._deadline = time.monotonic() + WAIT
        self._stands: bytes | None = None  # what we put in place last

    def run(self) -> FileChange:
        """Write, then watch briefly whether it lasts; return the content without our edit, and the new one."""
        done, is_busy = self._write()
        begun = time.monotonic()
        until, attempts = begun + (CONFIRM_BUSY if is_busy else CONFIRM_AFTER), 0
        while True:
            self._patience.pause(_PAUSE)
            until = begun + WAIT / 2 if self._recorder.hidden else until
            late = _waiting(self._place)
            for each in late:
                done = self._take_late(each, done)
            if self._recorder.hidden:
                self._recorder.hidden = [each for each in self._recorder.hidden if self._is_hidden_safe(*each)]
            if read(self._place) != self._stands and attempts < _MOST_ATTEMPTS:
                self._deadline = begun + WAIT
                stood = self._stands
                try:
                    again, _ = self._write()
                except (Conflict, NotEditable):  # somebody uses it for longer and decides whether our edit lasts
                    return done
                if again.before != self._stands and self._stands != stood:  # ours had been overwritten
                    done, attempts, until = again, attempts + 1, time.monotonic() + CONFIRM_BUSY
            is_open = any(each.has_writer() for each in late)
            if time.monotonic() > (begun + WAIT if is_open else until) or not self._patience.left:
                return done

    def _is_hidden_safe(self, ours: bytes, text: bytes) -> bool:
        """Whether no other program's text, hidden by ours for an instant, was lost; otherwise it is merged or kept aside."""
        try:
            self._edit(text)
        except NotEditable:
            return False  # half-written: its writer still has it open in its place
        found = self._merge_in(ours, text)
        if found is None:
            self._recorder.record_leftover(self._path, text)
        return found is not None and found == read(self._place)

    def clear(self) -> None:
        """Delete displaced files after a failure; texts written into them, and hidden ones, are kept aside."""
        for _, hidden in self._recorder.hidden:
            self._recorder.record_leftover(self._path, hidden)
        for each in _waiting(self._place):
            with contextlib.suppress(StoreError):
                text = each.text()
                if not each.has_writer() and (not text or text == each.was or self._recorder.record_leftover(self._path, text)):
                    each.drop()

    def _write(self) -> tuple[FileChange, bool]:
        while True:
            try:
                return self._write_once()
            except (InUse, NotEditable) as error:
                if time.monotonic() > self._deadline or not self._patience.left:
                    if isinstance(error, NotEditable):
                        raise
                    raise _at_work(self._place) from error
            self._patience.pause(_PAUSE)

    def _write_once(self) -> tuple[FileChange, bool]:
        now = read(self._place)
        if self._made(now) is None:
            if now is not None:
                if displaced.writer_at(_real(self._place)):
                    raise install_file.in_use(self._place)
                writing.remove(_ROOT, _real(self._place).lstrip("/"), expected=now, recorder=self._recorder)
            self._stands = None
            return FileChange(self._place, now, None), False
        done = self._update(self._made)
        self._stands = done.after
        return FileChange(self._place, done.before, done.after), done.is_busy

    def _made(self, raw: bytes | None) -> bytes | None:
        if _is_cut(self._place, raw):
            raise install_file.in_use(self._place)
        return self._edit(raw)

    def _take_late(self, each: Displaced, done: FileChange) -> FileChange:
        """Merge what was written into a file after it was displaced. It is left alone while somebody may be writing."""
        if each.has_writer():
            return done
        text = each.text()
        if each.has_writer() or each.text() != text:  # somebody has just started writing
            return done
        if not text or text == each.was:
            if each.age > LATEST:
                each.drop()
            return done
        ours = done.after if done.before == each.was else None  # then no newer text is there
        now = self._merge_in(each.was or b"", text, ours)
        if (now is not None or self._recorder.record_leftover(self._path, text)) and each.text() == text:
            each.drop()
        return FileChange(self._place, text, self._stands) if now is not None and now == ours else done

    def _merge_in(self, base: bytes, text: bytes, ours: bytes | None = None) -> bytes | None:
        """Merge the change from `base` to `text` into the file; if `ours` is there, `text` itself is edited and replaces it.

        Returns the content before; None if it could not be merged.
        """
        while True:
            now = read(self._place)
            try:
                if now is None or _is_cut(self._place, now):
                    raise install_file.in_use(self._place)
                made = self._edit(text if now == ours else _together(self._place)(base, text, now))
                if made != now:
                    self._update(lambda there, now=now, made=made: made if there == now else self._give_up())  # type: ignore[misc]
                    self._stands = made
                return now
            except (MemError, NotEditable):
                if time.monotonic() > self._deadline or not self._patience.left:
                    return None
            self._patience.pause(_PAUSE)

    def _give_up(self) -> bytes:
        raise install_file.in_use(self._place)

    def _update(self, change: Edit) -> WriteResult:
        together = _together(self._place)
        return writing.update(_ROOT, self._path, change, recorder=self._recorder, watched=False, together=together)


def _together(place: str) -> install_file.Together:
    return partial(put_together, is_toml=place.endswith(".toml"))


def _real(place: str) -> str:
    """The real path of a settings file, which many people keep elsewhere behind a link. Raises `WriteFailed`."""
    try:
        real = os.path.realpath(place)
    except (OSError, ValueError) as error:
        raise failed(place, error) from error
    if os.path.islink(place) and not os.path.lexists(real):
        raise WriteFailed(place, f"{printable_path(place)} is a link that leads nowhere: {printable_path(real)}. {_NOTHING}")
    return real


def _path_of(place: str) -> str:
    """The path of a file relative to `/`, for the write path."""
    return os.path.abspath(place).lstrip("/")


def _waiting(place: str) -> list[Displaced]:
    """Displaced versions of a settings file that are not dealt with yet."""
    return [each for each in displaced.waiting(displaced.home_of(_ROOT)) if each.path == _path_of(place)]


@contextlib.contextmanager
def _begun(place: str) -> Iterator[str]:
    """A journal folder for displaced texts during a step; if its process dies, it shows that there is something to clean up."""
    home = os.path.join(begun_folder(), processes.unique_name())
    with contextlib.suppress(OSError):
        make_private(home)
    try:
        yield home
    finally:
        if _waiting(place):  # somebody may still have one open: the next start checks again
            for name in journal.names(home):
                delete_if_possible(os.path.join(home, name))
        else:
            shutil.rmtree(home, ignore_errors=True)
            with contextlib.suppress(OSError):
                os.rmdir(begun_folder())


def recover() -> list[str]:
    """Clean up after steps of killed processes; return sentences about texts kept aside."""
    dead = [name for name in files.list_all(begun_folder()) if not processes.is_of_living(name)]
    if not dead:
        return []
    homes = [os.path.join(begun_folder(), name) for name in dead]
    entries = [found for home in homes for name in journal.names(home) for found in journal.read(home, name)]
    said: list[str] = []
    is_open = False
    for each in displaced.waiting(displaced.home_of(_ROOT)):
        if processes.is_of_living(each.name):
            continue
        if each.has_writer() or (each.is_held and each.age < LATEST):
            is_open = True
            continue
        with contextlib.suppress(StoreError):
            said += _clear(each, [entry for entry in entries if entry.path == each.path])
    if not is_open:
        for home in homes:
            shutil.rmtree(home, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.rmdir(begun_folder())
    return said


def _clear(left: Displaced, entries: list[journal.Entry]) -> list[str]:
    """Delete a file that a killed step left beside a settings file; a text that is nowhere else is merged or kept aside.

    If the place has only that step's own text, the other text is the agent's newest.
    """
    place = os.path.join(_ROOT, left.path)
    text = left.text()
    known = [each.raw for entry in entries for each in (entry.before, entry.after) if each is not None]
    if not text or text in (left.was, read(place)) or text in known:
        left.drop()
        return []
    was = left.was or next((entry.before.raw for entry in reversed(entries) if entry.before is not None), None) or b""

    ours = [entry.after.raw for entry in entries if entry.after and entry.before and entry.before.raw == was]

    def edit(now: bytes | None) -> bytes | None:
        return text if now in ours else _together(place)(was, text, now or b"")

    said = []
    try:
        put(place, edit, "")
    except (MemError, NotEditable):
        kept = _keep_aside(place, text)
        if not kept:
            return []
        said.append(f"{printable_path(place)} was being changed when zsmem was killed. {_said_aside(kept)}")
    left.drop()
    return said


def _keep_aside(place: str, raw: bytes) -> str:
    """Save a text of a settings file as a file of ours; return its path, or an empty string on failure."""
    home = os.path.join(locate.state_folder(), _KIND, "aside")
    kept = os.path.join(home, f"{processes.unique_name()}-{os.path.basename(place)}")
    try:
        state.put(kept, raw, "")
    except WriteFailed:
        return ""
    _drop_old(home)
    return kept


def remember(root: str, recorder: Recorder, made: Connection, *, is_done: bool = False) -> None:
    """Store what this step is about to change, and later what it did. On failure, the recorder's `problem` says why undo is off."""
    document = made._asdict() | {"changes": [_packed(each) for each in made.changes]}
    try:
        state.put(_step_place(root, recorder.batch), json.dumps(document).encode(), "The connection cannot be undone.")
        _drop_old(state.folder(_KIND, root), ".json")
        for each in made.changes if is_done else ():
            _remember_original(each)
    except WriteFailed as error:
        recorder.fail(error.message)


def forget(root: str, batch: str) -> None:
    """Delete the record of a step that changed nothing."""
    delete_if_possible(_step_place(root, batch))


def get(root: str, batch: str) -> Connection | None:
    """The changes of that step; None if they are not known any more."""
    found = state.document(_step_place(root, batch))
    try:
        if found is None:
            return None
        agent, scope, command, home, folder = (str(found[key]) for key in Connection._fields[:-1])
        return Connection(agent, scope, command, home, folder, tuple(_unpacked(each) for each in found["changes"]))
    except (KeyError, TypeError, ValueError):
        return None


def original(place: str, now: bytes | None) -> FileChange | None:
    """The content of a file before our first edit, if it is still as we left it; else None."""
    with contextlib.suppress(KeyError, TypeError, ValueError, StoreError):
        found = _unpacked(state.document(_place_of(place)))
        return found if found.after == now else None
    return None


def _remember_original(change: FileChange) -> None:
    before = original(change.place, change.before)
    first = change if before is None else change._replace(before=before.before)
    if first.before == first.after:  # our edits are out again: nothing to remember
        delete_if_possible(_place_of(change.place))
        return
    state.put(_place_of(change.place), json.dumps(_packed(first)).encode(), "It cannot be taken out byte for byte.")


def _drop_old(home: str, ending: str = "") -> None:
    """Delete the oldest files in a folder: settings contain tokens, so no more copies are kept than needed."""
    for name in sorted(name for name in files.list_all(home) if name.endswith(ending))[:-_KEPT]:
        delete_if_possible(os.path.join(home, name))


def _packed(change: FileChange) -> dict[str, str | None]:
    """A change as a JSON document, with bytes as Latin-1 text, so that a secret to be forgotten can be found in it."""
    return {
        "place": change.place,
        "was": None if change.before is None else change.before.decode("latin-1"),
        "is": None if change.after is None else change.after.decode("latin-1"),
    }


def _unpacked(found: Any) -> FileChange:
    before, after = (None if found[key] is None else str(found[key]).encode("latin-1") for key in ("was", "is"))
    return FileChange(str(found["place"]), before, after)


def _step_place(root: str, batch: str) -> str:
    return os.path.join(state.folder(_KIND, root), f"{batch}.json")


def _place_of(place: str) -> str:
    digest = hashlib.sha256(os.fsencode(_real(place))).hexdigest()[:32]
    return os.path.join(locate.state_folder(), _KIND, "files", f"{digest}.json")
