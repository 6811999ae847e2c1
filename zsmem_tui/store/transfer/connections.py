"""Settings files of agents: read, changed as one step, and remembered as they were, so that the step can be taken back.

They lie outside every store. Each is written through `swap`, which hands back what it displaced: a text that the agent wrote in
that moment is put back, and nothing is changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import Conflict, MemError, StoreError, Unreadable, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.disk.folders import make_folders, sync_folder
from zsmem_tui.store.disk.swap import failed, refuse_irregular, swap
from zsmem_tui.store.history.journal import Recorder

RELATION: Final = "connect"
"""The relation of a step that changed an agent's settings."""

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of a settings file; more is none."""

_KEPT: Final = 20
"""Steps of a store that can be undone."""

_KIND: Final = "connections"
_NOTHING: Final = "Nothing was written."


class FileChange(NamedTuple):
    """A settings file and what becomes of it (None: no file)."""

    place: str
    before: bytes | None
    after: bytes | None


class Connection(NamedTuple):
    """One step: which agent was connected, for whom and how, and every file that changed."""

    agent: str
    scope: str
    command: str
    home: str
    folder: str
    changes: tuple[FileChange, ...]


def read(place: str) -> bytes | None:
    """The bytes of a settings file, links followed; None when there is none. Raises `WriteFailed` or `Unreadable`."""
    real = _real(place)
    refuse_irregular(real, place)
    try:
        if os.path.lexists(real) and files.look(real).size > LARGEST:
            raise Unreadable(place, f"{printable_path(place)}: it has more than {LARGEST} bytes. {_NOTHING}")
        return files.read_if_there(real)
    except Unreadable as error:
        raise Unreadable(place, f"{error.message.removesuffix(_NOTHING).rstrip(' .')}. {_NOTHING}") from error


def apply(changes: Sequence[FileChange]) -> None:
    """Make every file what it shall be, or none. Raises `Conflict` where one changed since it was read, or `StoreError`."""
    done: list[FileChange] = []
    try:
        for change in changes:
            _write(change)
            done.append(change)
    except MemError:
        for change in reversed(done):
            with contextlib.suppress(MemError):
                _write(FileChange(change.place, change.after, change.before))
        raise


def _write(change: FileChange) -> None:
    place, shown = _real(change.place), printable_path(change.place)
    if read(change.place) != change.before:
        raise Conflict(f"{shown} changed meanwhile. {_NOTHING}", "Try again.")
    if change.before is not None and not os.access(place, os.W_OK):
        raise WriteFailed(change.place, f"{shown} is write-protected. {_NOTHING}")
    if change.after is None:
        _delete(change, place)
        return
    try:
        make_folders(os.path.dirname(place))
    except (OSError, ValueError) as error:
        raise failed(os.path.dirname(place), error) from error
    found = swap(place, change.after, lambda raw: None)
    if found != change.before:
        if found is not None:
            swap(place, found, lambda raw: None)
        raise Conflict(f"{shown} changed just now. What was written there stays, and ours was taken back.", "Try again.")


def _delete(change: FileChange, place: str) -> None:
    if change.before is None:
        return
    try:
        state.drop(place)
        sync_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(place, error, "It was not deleted.") from error


def _real(place: str) -> str:
    """Where a settings file lies: many people keep theirs elsewhere, behind a link. Raises `WriteFailed`."""
    try:
        real = os.path.realpath(place)
    except (OSError, ValueError) as error:
        raise failed(place, error) from error
    if os.path.islink(place) and not os.path.lexists(real):
        raise WriteFailed(place, f"{printable_path(place)} is a link that leads nowhere: {printable_path(real)}. {_NOTHING}")
    return real


def remember(root: str, recorder: Recorder, made: Connection) -> None:
    """Keep what this step is about to change. When that fails, the step's `problem` says why it cannot be undone."""
    document = made._asdict() | {"changes": [_packed(each) for each in made.changes]}
    try:
        state.put(_step_place(root, recorder.batch), json.dumps(document).encode(), "The connection cannot be undone.")
        _drop_old(root)
        for each in made.changes:
            _remember_original(each)
    except WriteFailed as error:
        recorder.fail(error.message)


def forget(root: str, batch: str) -> None:
    """The step came to nothing."""
    with contextlib.suppress(OSError):
        state.drop(_step_place(root, batch))


def get(root: str, batch: str) -> Connection | None:
    """What that step changed; None when it is not known any more."""
    found = state.document(_step_place(root, batch))
    try:
        if found is None:
            return None
        agent, scope, command, home, folder = (str(found[key]) for key in Connection._fields[:-1])
        return Connection(agent, scope, command, home, folder, tuple(_unpacked(each) for each in found["changes"]))
    except (KeyError, TypeError, ValueError):
        return None


def original(place: str, now: bytes | None) -> FileChange | None:
    """How a file was before anything of ours was in it, where it is still as we left it; None otherwise."""
    with contextlib.suppress(KeyError, TypeError, ValueError, StoreError):
        found = _unpacked(state.document(_place_of(place)))
        return found if found.after == now else None
    return None


def _remember_original(change: FileChange) -> None:
    before = original(change.place, change.before)
    first = change if before is None else change._replace(before=before.before)
    if first.before == first.after:  # ours is out again, and nothing of it needs to be kept
        with contextlib.suppress(OSError):
            state.drop(_place_of(change.place))
        return
    state.put(_place_of(change.place), json.dumps(_packed(first)).encode(), "It cannot be taken out byte for byte.")


def _drop_old(root: str) -> None:
    """Forget the oldest steps: settings hold keys and tokens, of which no more copies are kept than undo is used for."""
    home = state.folder(_KIND, root)
    for name in sorted(name for name in files.list_all(home) if name.endswith(".json"))[:-_KEPT]:
        with contextlib.suppress(OSError):
            state.drop(os.path.join(home, name))


def _packed(change: FileChange) -> dict[str, str | None]:
    """A change as a document, with bytes as texts in which a key that is to be forgotten is found."""
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
