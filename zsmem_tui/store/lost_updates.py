"""The changes made here in the last minutes, so that none of them is lost without a word.

An agent that had read a file before us may replace it after us, also a while after us; what it takes away is in the history, but
nobody would know. Each change is noted in the state folder, so that any process of ours can tell (`core.lost_update` has the rule).
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import time
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.lost_update import Edit, Loss, edits, loss, put_back, without
from zsmem_tui.store import files, state

REMEMBERED: Final = 600.0
"""Seconds for which a change is watched."""

KEPT: Final = 86_400.0
"""Seconds for which a loss that was seen is reported, unless it is mended or the person has looked."""

MOST_ATTEMPTS: Final = 3
"""Times that a change is put back; then it is only reported, and nothing is fought over."""

_SETTLED_AFTER: Final = 2.0
"""Seconds after which somebody who rewrites a file and leaves our lines in it has read them: what they take out later is meant."""

_MOST: Final = 64
"""Changes remembered of one file; of more, those that are in the file are forgotten, the oldest first."""

_counter = itertools.count()


class Noted(NamedTuple):
    """One change: of the file at `path` at `when` (nanoseconds since 1970), by process `pid`; `digest` is of the text it made."""

    name: str
    path: str
    when: int
    pid: int
    digest: str
    attempts: int
    edits: tuple[Edit, ...]


class Lost(NamedTuple):
    """What a file lacks of a change made here at `when` (nanoseconds since 1970)."""

    noted: Noted
    loss: Loss


def home_of(root: str) -> str:
    """Where the changes of a store are noted."""
    return state.folder("recent", root)


def remember(home: str, path: str, before: bytes | None, after: bytes | None) -> None:
    """Note a change that was made. What it takes out of earlier ones is no loss. Nothing happens when that fails."""
    made = without(edits(before or b"", after or b""), after or b"")
    mine = Noted(_new_name(path), path, time.time_ns(), os.getpid(), _digest(after), 0, made)
    earlier = noted(home, path)
    for each in earlier:
        left = without(each.edits, after or b"")
        if left != each.edits:
            _put(home, each._replace(edits=left))
    if after is None:
        forget(home, path)
    elif made:
        _put(home, mine)
    for each in earlier[: max(0, len(earlier) - _MOST)]:
        if loss(each.edits, after or b"") == Loss((), ()):
            _drop(home, each)


def forget(home: str, path: str) -> None:
    """The person has looked at this file, or it is gone by our own hand: nothing of it is missing."""
    for each in noted(home, path):
        _drop(home, each)


def noted(home: str, path: str | None = None) -> list[Noted]:
    """The changes remembered, of one file or all, the oldest first."""
    mark = "" if path is None else _key(path)
    try:
        names = sorted(name for name in os.listdir(home) if name.endswith(".json") and mark in name)
    except OSError:
        return []
    found = [each for name in names if (each := _get(home, name)) is not None]
    return [each for each in found if path in (None, each.path)]


def losses(root: str, home: str) -> list[Lost]:
    """What of the changes of the last minutes is not in the files any more. Reads, and writes nothing in the store.

    A change that somebody has read and left in its place, or that has lasted long enough, is forgotten.
    """
    found = []
    texts: dict[str, bytes | None] = {}
    for each in noted(home):
        place = os.path.join(root, each.path)
        if each.path not in texts:
            try:
                texts[each.path] = files.read_if_there(place)
            except StoreError:
                texts[each.path] = None
        now = texts[each.path]
        age = (time.time_ns() - each.when) / 10**9
        missing = loss(each.edits, now or b"")
        if missing != Loss((), ()):
            if age < KEPT and _written_within(place, each.when):
                found.append(Lost(each, missing))
            else:
                _drop(home, each)
        elif age > REMEMBERED or (age > _SETTLED_AFTER and not is_ours(home, each.path, now)):
            _drop(home, each)
    return found


def mended(home: str, path: str, now: bytes, *, only: int | None = None) -> tuple[bytes, int]:
    """`now` with the changes put back that are lost in it, and how many lines that are; `only` those of one process.

    Each is put back three times at most.
    """
    count = 0
    for each in noted(home, path):
        missing = loss(each.edits, now)
        if missing == Loss((), ()) or each.attempts >= MOST_ATTEMPTS or only not in (None, each.pid):
            continue
        text = put_back(each.edits, now)
        if text != now:
            count += len(missing.missing) + len(missing.returned)
            now = text
            _put(home, each._replace(attempts=each.attempts + 1))
    return now, count


def is_ours(home: str, path: str, now: bytes | None) -> bool:
    """Whether the text is one that we wrote in the last minutes."""
    digest = _digest(now)
    return any(each.digest == digest for each in noted(home, path))


def _written_within(place: str, when: int) -> bool:
    """Whether the file was last written while the change was still watched; a missing file counts as written now."""
    try:
        return os.stat(place).st_mtime_ns - when < REMEMBERED * 10**9
    except OSError:
        return True


def _get(home: str, name: str) -> Noted | None:
    place = os.path.join(home, name)
    try:
        about = json.loads(files.read(place)[0])
        return _noted(name, about)
    except (StoreError, ValueError):
        return None


def _noted(name: str, about: Any) -> Noted | None:
    match about:
        case {
            "path": str(path),
            "when": int(when),
            "pid": int(pid),
            "digest": str(digest),
            "attempts": int(attempts),
            "edits": list(found),
        }:
            made = []
            for edit in found:
                match edit:
                    case [list(anchor), list(removed), list(added)]:
                        made.append(Edit(_lines(anchor), _lines(removed), _lines(added)))
            return Noted(name, path, when, pid, digest, attempts, tuple(made))
    return None


def _lines(part: list[Any]) -> tuple[bytes, ...]:
    return tuple(str(line).encode("latin-1", "replace") for line in part)


def _put(home: str, each: Noted) -> None:
    if not each.edits:
        _drop(home, each)
        return
    about = each._asdict() | {
        "edits": [[[line.decode("latin-1") for line in part] for part in edit] for edit in each.edits],
    }
    with contextlib.suppress(WriteFailed):
        state.put(os.path.join(home, each.name), json.dumps(about).encode(), "", durable=False)


def _drop(home: str, each: Noted) -> None:
    with contextlib.suppress(OSError):
        state.drop(os.path.join(home, each.name))


def _new_name(path: str) -> str:
    return f"{time.time_ns():020d}-{os.getpid()}-{next(_counter)}-{_key(path)}.json"


def _key(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _digest(raw: bytes | None) -> str:
    return "" if raw is None else hashlib.sha256(raw).hexdigest()
