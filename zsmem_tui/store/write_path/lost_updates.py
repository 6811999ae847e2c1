"""Remember the changes made here in the last minutes, so that a loss of any of them is noticed.

An agent that read a file before our write may replace it afterwards, also a while later; the lost text is in the history, but
nobody would know. Each change is noted in the state folder, so that all our processes can check it (see `core.lost_update`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate, chain, pairwise
from typing import Any, Final, NamedTuple
from zlib import crc32

from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.lost_update import Edit, Lines, Loss, edits, edits_between, following, lines_of, loss, put_back, without
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.disk.folders import delete_if_possible, stat_of
from zsmem_tui.store.write_path.locating import Where

REMEMBERED: Final = 600.0
"""Seconds for which a change is watched."""

KEPT: Final = 86_400.0
"""Seconds for which a loss is reported, unless it is repaired or the person has looked at the file."""

MOST_ATTEMPTS: Final = 1
"""The most times that a change is restored: who removes it once more means it, so that is only reported."""

PUT_BACK_WITHIN: Final = 3.0
"""Seconds for which a program may hold an outdated copy: a change that goes later is removed on purpose, and only reported."""

_SETTLED_AFTER: Final = 2.0
"""Seconds after which a program that rewrites a file with our lines in it must have read them: later removals are intended."""

_MOST: Final = 64
"""The most changes remembered per file, and the most lost ones before them; beyond that, the oldest are forgotten."""

_MOST_TOGETHER: Final = 16 * 1024
"""The most bytes of lines remembered per file, newest changes first."""

_MOST_BYTES: Final = 1024 * 1024
"""The most bytes of one change to note, since every later write of the file reads the note: with 30 MB each took 2 s. Of a larger
change only the beginning is watched, and its loss is reported but not repaired.
"""


class Noted(NamedTuple):
    """One change, made at `when` (nanoseconds since 1970) by process `pid`; `digest` is that of the resulting text.

    `lost` is when others took away the last of the lines that are lost of it, as first seen; 0 if none is. `lacks` are checksums of
    those lines; that the file went counts as a line.
    """

    when: int
    pid: int
    digest: str
    attempts: int
    edits: tuple[Edit, ...]
    lost: int = 0
    lacks: tuple[int, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether its lines were written here first, not brought back or moved."""
        return self.attempts <= MOST_ATTEMPTS

    def is_put_back(self, changed: int) -> bool:
        """Whether its loss is repaired, not only reported; `changed` (nanoseconds since 1970) is when the file last changed."""
        return self.attempts < MOST_ATTEMPTS and changed - self.when < PUT_BACK_WITHIN * 10**9

    def has_place(self, present: Lines, ours: Set[bytes]) -> bool:
        """Whether a text has any of the lines around it, other than `ours`; if not, it was emptied or replaced as a whole."""
        around = {line.rstrip() for edit in self.edits for line in (*edit.anchor, *edit.removed, *edit.tail)} - ours - {b""}
        return not around.isdisjoint(present) if around else any(present)

    def seen_in(self, present: Lines, changed: int, *, gone: bool) -> tuple[Noted, Loss]:
        """This change, with when it was lost to a text with these lines, and what is lost.

        Others `changed` the file last at that time.
        """
        missing, returned = found = loss(self.edits, present)
        lacks = tuple(map(crc32, (*missing, *returned, *[b""] * gone))) if missing or returned else ()
        is_more = not {*lacks} <= {*self.lacks}
        return self._replace(lost=changed if is_more else self.lost if lacks else 0, lacks=lacks), found


class Lost(NamedTuple):
    """What the file at `path` lacks of a change made here, and whether that is repaired; none if it is back (`losses`)."""

    path: str
    noted: Noted
    loss: Loss
    is_put_back: bool
    gone: bool


class Recent:
    """The recent changes of the file `where`, oldest first. The caller must hold the store's lock."""

    def __init__(self, where: Where) -> None:
        self._path, self._file = where.own, where.place
        self._place = _note_in(where.state("recent"), where.own)
        path, noted = _load(self._place)
        self._noted = noted if path == self._path else []

    def mended(self, now: bytes, only: int | None = None) -> tuple[bytes, int]:
        """Restore the lines of these changes that `now` lacks: (text, number of lines); with `only`, just those of that pid.

        Every line of `now` stays. A change is restored once, if it went at once, and only into a text that has lines around it; not
        if somebody who rewrote the file had left it in before.
        """
        count, changed = 0, _changed(self._file)
        present = lines_of(now)
        if not self.made(now):
            settled = time.time_ns() - int(_SETTLED_AFTER * 10**9)
            self._noted = [each for each in self._noted if each.when > settled or loss(each.edits, present) != Loss((), ())]
        ours = {line.rstrip() for each in self._noted for edit in each.edits for line in edit.added}
        for number, each in enumerate(self._noted):
            is_due = each.is_put_back(changed) and each.has_place(present, ours)
            if not is_due or only not in (None, each.pid):
                continue
            text = put_back(each.edits, now)
            if text != now:
                count += len(loss(each.edits, present).missing)
                now, present = text, lines_of(text)
                count -= len(loss(each.edits, present).missing)
                self._noted[number] = each._replace(attempts=each.attempts + 1)
        return now, count

    def look(self, now: bytes | None) -> None:
        """Note when others took away what the file, with the content `now`, lacks, before a write of ours is the last one."""
        if not self._noted:
            return
        present, changed = lines_of(now or b""), _written(self._file)
        seen = [each.seen_in(present, changed, gone=now is None)[0] for each in self._noted]
        if seen != self._noted:
            self._noted = seen
            self.save()

    def made(self, now: bytes | None, since: bytes | None = None) -> bool:
        """Whether we wrote this text in the last minutes; with `since`, after we wrote that text."""
        made = [each.digest for each in self._noted]
        if since is not None and (was := digest_of(since)) in made:
            made = made[len(made) - made[::-1].index(was) :]
        return digest_of(now) in made

    def maker(self, now: bytes | None) -> int | None:
        """The pid of our process that wrote this text in the last minutes, the latest if several did; None if none."""
        return next((each.pid for each in reversed(self._noted) if each.digest == digest_of(now)), None)

    def remember(
        self,
        before: bytes | None,
        after: bytes | None,
        *,
        made: bytes | None = None,
        watched: bool = True,
        is_new: bool = True,
    ) -> None:
        """Note a change. Lines of earlier changes that it removes are not lost. Errors are ignored.

        `made` is what we made of `before`, if others' changes are in `after`, too. If not `watched`, it is only known to be ours.
        If not `is_new`, its lines stood in the memory before: who takes them away may have written them, so that is only reported.
        """
        moment, was, own = time.time_ns(), lines_of(before or b""), lines_of((after if made is None else made) or b"")
        earlier = [edit for each in self._noted for edit in each.edits]
        change, is_whole = _bounded(following(edits_between(was, own), earlier) if watched else ())
        mine = Noted(moment, os.getpid(), digest_of(after), 0 if is_whole and is_new else MOST_ATTEMPTS + (not is_new), change)
        kept = [each._replace(edits=without(each.edits, own, was)) for each in self._noted]
        kept.append(mine._replace(edits=without(mine.edits, own, Lines())))
        recent = [each for each in kept if moment - each.when < REMEMBERED * 10**9 and (each.edits or each is kept[-1])]
        newest, present = _newest(recent), lines_of(after or b"")
        lost = [each for each in recent[: len(recent) - len(newest)] if loss(each.edits, present) != Loss((), ())]
        self._noted = [*_newest(lost), *newest]  # a loss is told however many changes came after it
        self.save()

    def watch(self, before: bytes, theirs: bytes) -> None:
        """Watch the lines that others added to `before`, too, because they were out of sight for an instant. To be saved."""
        added, is_whole = _bounded(each._replace(removed=()) for each in edits(before, theirs) if each.added)
        if added:
            self._noted.append(Noted(time.time_ns(), os.getpid(), "", 0 if is_whole else MOST_ATTEMPTS, added))

    def save(self) -> None:
        """Write the note for other processes. Errors are ignored."""
        with contextlib.suppress(OSError):
            if self._noted:
                state.put_over_own(self._place, _packed(self._path, self._noted))
            else:
                state.drop(self._place)


class Mended:
    """A change function that restores lines of our changes lost from a file; with `only`, just those of that pid."""

    def __init__(self, where: Where, only: int | None) -> None:
        self._where = where
        self._only = only
        self.lines = 0
        """The number of lines restored."""

    def __call__(self, now: bytes | None) -> bytes | None:
        """The new content of a file that has the content `now`."""
        self.lines = 0
        if now is None:
            return None
        recent = Recent(self._where)
        text, self.lines = recent.mended(now, self._only)
        recent.save()
        return text


def _bounded(change: Iterable[Edit]) -> tuple[tuple[Edit, ...], bool]:
    """The part of a change that fits into a note, and whether that is all of it."""
    left, found = _MOST_BYTES, []
    for edit in change:
        parts: list[tuple[bytes, ...]] = []
        for lines in edit.texts:
            sizes = list(accumulate(map(len, lines)))
            fitting = bisect_right(sizes, left)
            parts.append(lines[:fitting])
            left = left - sum(map(len, parts[-1])) if fitting == len(lines) else 0
        anchor, removed, added, tail, former = parts
        found.append(Edit(anchor, removed, added, tail, edit.stood[: len(added)], former))
        if not left:
            return tuple(found), False
    return tuple(found), True


def home_of(root: str) -> str:
    """The folder with the notes of a store."""
    return state.folder("recent", root)


def forget(root: str, path: str) -> None:
    """Forget the changes of a file: the person has looked at it, or we deleted it."""
    delete_if_possible(_note_of(root, path))


def moved(root: str, old: str, new: str) -> None:
    """Move the note of a file that we renamed."""
    noted = _load(_note_of(root, old))[1]
    forget(root, old)
    if noted:
        with contextlib.suppress(OSError):
            state.put_over_own(_note_of(root, new), _packed(_own_path(root, new), noted))


def losses(root: str, *, keep: bool = False) -> list[Lost]:
    """The losses among recent changes, and those that were lost before and are back. Writes nothing in the store.

    Changes that were left in by somebody who rewrote the file, and removed later, are not lost, nor what was removed after the
    watch. With `keep`, it is noted when each was lost: the caller must hold the store's lock.
    """
    found = []
    for note, path, noted in _every(home_of(root)):
        place = os.path.join(root, path)
        try:
            now = files.read_if_there(place)
        except StoreError:
            continue
        present, written = lines_of(now or b""), _written(place)
        every = [each.seen_in(present, written, gone=now is None) for each in noted]
        for (each, missing), before in zip(every, noted, strict=True):
            if (each.lost and (now is None or each.lost - each.when < REMEMBERED * 10**9)) or (before.lost and not each.lost):
                found.append(Lost(path, each, missing, bool(missing.missing) and each.is_put_back(_changed(place)), now is None))
        if keep and (seen := [each for each, _ in every]) != noted:
            with contextlib.suppress(OSError):
                state.put_over_own(note, _packed(path, seen))
    return found


def _every(home: str) -> Iterator[tuple[str, str, list[Noted]]]:
    for name in sorted(files.list_all(home)):
        place = os.path.join(home, name)
        path, noted = _load(place)
        oldest = time.time_ns() - KEPT * 10**9
        if noted and max(each.when for each in noted) > oldest:
            yield place, path, noted
        elif (seen := stat_of(place)) and seen.st_mtime_ns < oldest:  # an invalid note may be just being written
            delete_if_possible(place)


def _changed(place: str) -> int:
    """When a file last got its content or its name, in nanoseconds since 1970: an old file that is moved there has its old time."""
    seen = stat_of(place)
    return seen.st_ctime_ns if seen else time.time_ns()


def _written(place: str) -> int:
    """When a file last got its content; of a missing one, when its folder last changed, or now."""
    seen = stat_of(place) or stat_of(os.path.dirname(place))
    return max(seen.st_mtime_ns, 1) if seen else time.time_ns()


def _newest(noted: list[Noted]) -> list[Noted]:
    """The last of these changes, as many as can be read and written quickly with each write; always at least the very last."""
    noted, room = noted[-_MOST:], _MOST_TOGETHER
    for number in range(len(noted) - 1, -1, -1):
        room -= sum(len(line) for edit in noted[number].edits for part in edit.texts for line in part)
        if room < 0:
            return noted[min(number + 1, len(noted) - 1) :]
    return noted


def _packed(path: str, noted: Sequence[Noted]) -> bytes:
    """Serialize a note: one line of JSON, followed by the bytes of the lines."""
    lines: list[bytes] = []
    changes = []
    for each in noted:
        edits = []
        for edit in each.edits:
            lines += chain(*edit.texts)
            edits.append([*(list(map(len, part)) for part in edit.texts), edit.stood])
        changes.append([each.when, each.pid, each.digest, each.attempts, edits, each.lost, each.lacks])
    return b"".join((json.dumps({"path": path, "changes": changes}).encode(), b"\n", *lines))


def _load(place: str) -> tuple[str, list[Noted]]:
    """Parse a note: (path, changes); empty if it is invalid."""
    try:
        head, _, rest = files.read(place)[0].partition(b"\n")
        about = json_value(head)
        texts = _Texts(rest)
        noted = [
            Noted(int(when), int(pid), str(digest), int(attempts), tuple(_edit(each, texts) for each in edits), *_lost(lost))
            for when, pid, digest, attempts, edits, *lost in about["changes"]
        ]
        path = about["path"]
        return (path, noted) if isinstance(path, str) and "\0" not in path else ("", [])
    except (StoreError, ValueError, KeyError, TypeError, OverflowError):
        return "", []


def _lost(about: list[Any]) -> tuple[int, tuple[int, ...]]:
    """When a change was lost, and the checksums of its lines that are; of a note of an earlier version, that nothing is known."""
    return (int(about[0]), tuple(map(int, about[1]))) if about else (0, ())


class _Texts:
    """Reads the lines of a note from its bytes, in order."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._at = 0

    def take(self, sizes: list[int]) -> tuple[bytes, ...]:
        """The next lines with these sizes. Raises `ValueError` at the end."""
        ends = list(accumulate(sizes, initial=self._at))
        if ends[-1] > len(self._raw):
            raise ValueError
        self._at = ends[-1]
        return tuple(self._raw[start:stop] for start, stop in pairwise(ends))


def _edit(about: list[Any], texts: _Texts) -> Edit:
    *parts, stood = about
    anchor, removed, added, tail, *former = map(texts.take, parts)
    return Edit(anchor, removed, added, tail, tuple(map(int, stood)), *former)


def _note_of(root: str, path: str) -> str:
    """The note for one file: the same for every link to it."""
    return _note_in(home_of(root), _own_path(root, path))


def _note_in(home: str, own: str) -> str:
    raw = own.encode("utf-8", "surrogateescape")
    return os.path.join(home, f"{hashlib.sha256(raw).hexdigest()[:24]}.lines")


def _own_path(root: str, path: str) -> str:
    """The real path of a file relative to the real root."""
    return os.path.relpath(os.path.realpath(os.path.join(root, path)), os.path.realpath(root))
