"""Find and restore changes that another program's write dropped because it saved an outdated copy."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeVar

from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.moments import moment
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import PUT_BACK
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import displaced, files, lock
from zsmem_tui.store.history.review_baseline import PUTS_BACK
from zsmem_tui.store.write_path import late_writes, lost_updates
from zsmem_tui.store.write_path.locating import locate

Found = TypeVar("Found", list["Dropped"], frozenset[MemRef])

_MOST_ASKED: Final = 1_000
"""Up to this many changed files, it is checked whether we made the change, in half a second; more are reported unchecked."""

_WAIT_SECONDS: Final = 1.0
"""Seconds to wait for a step of another zsmem, before which it cannot be told what is its work."""


class Dropped(NamedTuple):
    """Lines without line ends that were written to the file at `path` here and dropped by another program's write.

    `when` is the time of that write in nanoseconds since 1970, the last if there were several, `since` that of the first; for a
    deleted file (`gone`), that of the last change of its folder then. `returned` are lines that were deleted here and are back.
    Lines that are not `new` were only brought back here.
    """

    path: str
    lines: tuple[str, ...]
    when: int
    returned: tuple[str, ...] = ()
    gone: bool = False
    new: bool = True
    since: int = 0

    @property
    def how(self) -> str:
        """How the lines came into the file, as the end of a clause."""
        return "written here" if self.new else "brought back here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended(VerbResult):
    """The result of `mend`: (path, number of lines) restored, and what is still dropped.

    The message is about the first of these that is not empty; it is empty if nothing was lost.
    """

    put_back: tuple[tuple[str, int], ...]
    dropped: tuple[Dropped, ...]


def dropped(session: Session) -> list[Dropped]:
    """The recent changes that are lost now, by path; what a zsmem is just moving is not. Writes nothing in the store."""
    try:
        found = _at_rest(session, _dropped(session), partial(_dropped, session, keep=True))
    except WriteFailed:
        return []
    return [each for each in found if each.lines or each.returned]


def _at_rest(session: Session, found: Found, look_again: Callable[[], Found]) -> Found:
    """What was found; if anything, what is found again while no zsmem writes. Raises `WriteFailed` if one does for too long."""
    if not found or not os.path.isdir(session.root):
        return found
    with lock.writer(session.root, wait=_WAIT_SECONDS):  # each write is noted after it is made
        return look_again()


def _dropped(session: Session, *, keep: bool = False) -> list[Dropped]:
    """What is lost now, by path; without lines what was lost and is back. `keep` as in `lost_updates.losses`."""
    found: dict[str, Dropped] = {}
    for lost in lost_updates.losses(session.root, keep=keep):
        noted = lost.noted
        before = found.setdefault(lost.path, Dropped(lost.path, (), 0, new=False))
        if noted.lost:
            found[lost.path] = Dropped(
                lost.path,
                _more(before.lines, lost.loss.missing),
                max(before.when, noted.lost),
                _more(before.returned, lost.loss.returned),
                lost.gone,
                before.new or noted.is_new,
                min(before.since or noted.lost, noted.lost),
            )
    return [found[path] for path in sorted(found)]


@says_undo
def mend(session: Session) -> Mended:
    """Restore lines that this process wrote and that are lost, and merge late writes to displaced files.

    Lines deleted here that another program wrote again stay, and are reported. For a program that stays open. Raises `StoreError`
    if the store is not writable.
    """
    recorder = session.recorder(PUT_BACK, relation=PUTS_BACK)
    late_writes.take_in(session.root, recorder)
    lost = {each.path: each for each in dropped(session)}
    back = writing.put_back(session.root, recorder, only=os.getpid())
    left = tuple(dropped(session))
    message = ""
    if back:
        names = ", ".join(printable_path(path) for path, _ in back)
        lines = counted(sum(count for _, count in back), "line")
        message = f"Put back {lines} in {names} that another program's write had dropped."
        again = sum(len(lost[path].returned) for path, _ in back if path in lost)
        message += f" It also wrote {counted(again, 'line')} again that you had deleted." if again else ""
        gone = [each.path for each in left if each.path in {path for path, _ in back}]
        if gone:
            message += f" {', '.join(map(printable_path, gone))} {'lacks' if len(gone) == 1 else 'lack'} lines written here again."
    elif left:
        message = describe(left[0]) + (f" {len(left) - 1} more." if len(left) > 1 else "")
    return Mended(message=message, changed=len(back), warning=bool(message), put_back=tuple(back), dropped=left)


def needs_look(session: Session) -> bool:
    """Whether `mend` could find anything: a recent change or a displaced file."""
    noted = files.list_all(lost_updates.home_of(session.root))
    return bool(noted or displaced.waiting(displaced.home_of(session.root)))


def others(session: Session, refs: Collection[MemRef]) -> frozenset[MemRef]:
    """Those of these files whose content differs from what was written here, so that others changed them.

    What became of one that cannot be read is unknown. Raises `WriteFailed` if a zsmem is writing here for too long to tell.
    """
    found = _others(session, refs)
    return _at_rest(session, found, lambda: _others(session, found) if len(refs) <= _MOST_ASKED else found)


def _others(session: Session, refs: Collection[MemRef]) -> frozenset[MemRef]:
    places = ((ref, session.path(ref)) for ref in refs)
    known = [ref for ref, place in places if os.access(place, os.R_OK) or files.is_gone(place)]
    return frozenset(ref for ref in known if len(refs) > _MOST_ASKED or _maker(session, ref) is None)


def writer(session: Session, ref: MemRef) -> str:
    """Who wrote what stands in a file, or deleted it: `somebody`, unless a zsmem did in the last minutes."""
    pid = _maker(session, ref)
    return "somebody" if pid is None else "this zsmem" if pid == os.getpid() else "another zsmem"


def _maker(session: Session, ref: MemRef) -> int | None:
    """The process of ours that wrote what stands in a file, or deleted it, in the last minutes; None if none is known to have."""
    with suppress(StoreError):
        return lost_updates.Recent(locate(session.root, ref.path)).maker(files.read_if_there(session.path(ref)))
    return None


def accept(session: Session, path: str) -> None:
    """Stop tracking a file that the user has looked at, so that nothing missing in it is reported."""
    lost_updates.forget(session.root, path)


def describe(each: Dropped) -> str:
    """Describe one loss in a sentence, with its local time."""
    since, clock = (moment((when or each.when) / 10**9).strftime("%H:%M") for when in (each.since, each.when))
    name, many = printable_path(each.path), f"writes from {since} to {clock}"
    if each.gone:
        return f"{name}: another program deleted it, at {clock} or before, with {counted(len(each.lines), 'line')} {each.how}."
    parts = []
    if each.lines:
        parts.append(f"dropped {counted(len(each.lines), 'line')} {each.how}")
    if each.returned:
        parts.append(f"wrote {counted(len(each.returned), 'line')} again that you had deleted")
    return f"{name}: another program's {many if since != clock else f'write at {clock}'} {' and '.join(parts)}."


def _more(known: tuple[str, ...], lines: tuple[bytes, ...]) -> tuple[str, ...]:
    texts = (line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)
    return known + tuple(text for text in texts if text not in known)
