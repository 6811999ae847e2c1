"""Unsaved editor text, saved in our state folder in case of a crash: one draft per file and process.

A process holds a lock while it has drafts; the system releases it when the process dies, on any host. Until then no other process
sees its drafts; afterwards the first process to take one owns it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import lock, processes, state
from zsmem_tui.store.disk.files import failing
from zsmem_tui.store.disk.folders import delete_if_possible, make_private, stat_of

_OWNER: Final = ".owner"
_OUTCOME: Final = "No draft is kept."


class Draft(NamedTuple):
    """`text` was edited from `base` (None: no file) at `path`, relative to its root."""

    path: str
    text: bytes
    base: bytes | None


class _Kept(NamedTuple):
    """A draft with its file name, the id of the process that wrote it (empty: unknown), and its time in nanoseconds."""

    draft: Draft
    name: str
    owner: str
    made_ns: int


class _Own(NamedTuple):
    """The id of this process as an owner of drafts, and the file descriptor that holds its lock."""

    pid: int
    owner: str
    handle: int


_own: dict[str, _Own] = {}
"""By drafts folder."""

_guard: Final = threading.RLock()


def put(root: str, draft: Draft) -> None:
    """Save a draft, replacing this process's older draft of the same file. Raises `WriteFailed`."""
    home = state.folder("drafts", root)
    with _guard:
        owner = _own_id(home)
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(_release, home, owner)
            _write(home, _name(draft.path, owner), draft)
            on_failure.pop_all()  # on success keep the lock: checking for other drafts would read them all each second


def get(root: str, path: str) -> Draft | None:
    """The draft of a file: this process's own, else the newest one of a dead process; None if there is none."""
    found = _found(state.folder("drafts", root), path)
    return found[0].draft if found else None


def take(root: str, path: str) -> Draft | None:
    """Like `get`, and make the draft this process's own. Raises `WriteFailed`."""
    home = state.folder("drafts", root)
    with _guard:
        for each in _found(home, path):
            if _is_mine(home, each.owner):
                return each.draft
            try:
                state.rename(os.path.join(home, each.name), os.path.join(home, _name(path, _own_id(home))))
            except FileNotFoundError:
                continue  # another process was quicker
            except OSError as error:
                raise WriteFailed(home, f"{printable_path(home)}: {error.strerror}. The draft stays where it is.") from error
            _release(home, each.owner)
            return each.draft
    return None


def drop(root: str, path: str, only: Draft | None = None) -> None:
    """Delete this process's draft of a file; or only the draft `only`, also if a dead process left it."""
    home = state.folder("drafts", root)
    with _guard:
        for each in _found(home, path):
            if each.draft == only or (only is None and _is_mine(home, each.owner)):
                state.drop(os.path.join(home, each.name))
                _release(home, each.owner)


def move(root: str, path: str, to: str) -> None:
    """Change the path of a file's drafts. Raises `WriteFailed`, maybe after some are changed."""
    home = state.folder("drafts", root)
    with _guard:
        for each in _found(home, path):
            _write(home, _name(to, each.owner), each.draft._replace(path=to))
            state.drop(os.path.join(home, each.name))


def listing(root: str) -> list[str]:
    """The paths of files with a draft visible to `get`."""
    return sorted({each.draft.path for each in _found(state.folder("drafts", root))})


def every(root: str) -> Iterator[Draft]:
    """All drafts, including those of other live processes."""
    return (each.draft for each in _kept(state.folder("drafts", root)))


def _found(home: str, path: str | None = None) -> list[_Kept]:
    """This process's drafts, then those of dead processes, newest first."""
    kept = [each for each in _kept(home) if path is None or each.draft.path == path]
    mine = [each for each in kept if _is_mine(home, each.owner)]
    left = [each for each in kept if each not in mine and not _is_alive(home, each.owner)]
    return mine + sorted(left, key=lambda each: -each.made_ns)


def _kept(home: str) -> Iterator[_Kept]:
    for name, about in state.documents(home):
        draft, seen = _draft(about), stat_of(os.path.join(home, f"{name}.json"))
        if draft is not None and seen is not None:
            yield _Kept(draft, f"{name}.json", name.partition(".")[2], seen.st_mtime_ns)


def _draft(about: Any) -> Draft | None:
    match about:
        case {"path": str(path), "text": str(text), "base": None | str() as base}:
            return Draft(path, text.encode("latin-1", "replace"), None if base is None else base.encode("latin-1", "replace"))
    return None


def _write(home: str, name: str, draft: Draft) -> None:
    base = None if draft.base is None else draft.base.decode("latin-1")
    about = {"path": draft.path, "text": draft.text.decode("latin-1"), "base": base}
    state.put(os.path.join(home, name), json.dumps(about).encode(), _OUTCOME)


def _name(path: str, owner: str) -> str:
    """The name of a draft's file."""
    key = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return f"{key}.{owner}.json" if owner else f"{key}.json"


def _own_id(home: str) -> str:
    """The owner id of this process for a drafts folder, created and locked on first use. Raises `WriteFailed`."""
    own = _own.get(home)
    if own is None or own.pid != os.getpid():
        owner = f"{time.time_ns()}-{os.getpid()}"
        with failing(home, _OUTCOME):
            make_private(home)
            own = _Own(os.getpid(), owner, lock.hold(os.path.join(home, owner + _OWNER)))
        _own[home] = own
    return own.owner


def _is_mine(home: str, owner: str) -> bool:
    own = _own.get(home)
    return own is not None and own.pid == os.getpid() and own.owner == owner


def _is_alive(home: str, owner: str) -> bool:
    """Whether the process with this owner id is still running."""
    held = lock.is_held(os.path.join(home, owner + _OWNER)) if owner else False
    return processes.is_of_living(owner) if held is None else held


def _release(home: str, owner: str) -> None:
    """Release the owner id of this process, or delete that of a dead one, if it has no drafts left."""
    if not owner or any(each.owner == owner for each in _kept(home)):
        return
    delete_if_possible(os.path.join(home, owner + _OWNER))
    if _is_mine(home, owner):
        os.close(_own.pop(home).handle)
