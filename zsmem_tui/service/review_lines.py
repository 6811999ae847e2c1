"""Review by lines: accept or revert changes by others, by single lines, hunks, files or several at a time.

Accepting moves the reviewed baseline by exactly these lines; reverting changes the file by exactly these lines. Both are checked
against the current content.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from zsmem_tui.core import line_changes
from zsmem_tui.core.errors import BadName, Conflict, HistoryError, WriteConflict
from zsmem_tui.core.line_changes import LineChange, LineKey
from zsmem_tui.core.merge import changed_lines, split
from zsmem_tui.core.outcomes import Conflicted, Saved, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.core.version import Version
from zsmem_tui.service import losses, reviewing
from zsmem_tui.service.history import texts
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session
from zsmem_tui.store import steps
from zsmem_tui.store.history import review_baseline
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.history.review_baseline import Move
from zsmem_tui.store.steps import Batch, Store

_ID_LETTERS = 8
"""Hex digits of an id (32 bits)."""


class ReviewLine(NamedTuple):
    """A line change to review: its index in the file, its key, and the version that made it."""

    number: int
    change: LineChange
    key: LineKey
    version: Version | None = None


class Pick(NamedTuple):
    """A selection in a file to review: the line changes with these indexes, or all of it (None)."""

    change: PendingReview
    numbers: frozenset[int] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it covers all changes in the file."""
        return self.numbers is None or len(self.numbers) == len(_changes(self.change))

    @property
    def is_new_file(self) -> bool:
        """Whether it is all of a file that was not there before."""
        return self.change.reviewed is None and self.is_whole

    @property
    def words(self) -> str:
        """`3 lines of MEMORY.md`, or the file that came, went or is not known by its lines."""
        path, change = printable_path(self.change.ref.path), self.change
        if change.came_from is not None and self.numbers is None:
            more = f" and {counted(self.how_many, 'line')} of it" * bool(change.added or change.removed)
            return f"the new name of {printable_path(change.came_from.ref.path)}{more}"
        is_gone = change.now is None and self.is_whole
        if change.note or self.is_new_file or is_gone:
            return f"the {'new ' * self.is_new_file}{'deleted ' * is_gone}file {path}"
        return f"{counted(self.how_many, 'line')} of {path}"

    @property
    def how_many(self) -> int:
        """The number of lines, without the blank ones that go with others."""
        change = self.change
        return how_many(picked(self)) if self.numbers is not None or (change.reviewed and change.now) else sum(change.told)


def lines(change: PendingReview) -> list[ReviewLine]:
    """Every line change to review in a file, top to bottom, without versions."""
    return between(change.reviewed or b"", change.now or b"", _changes(change))


def between(old: bytes, new: bytes, found: Sequence[LineChange]) -> list[ReviewLine]:
    """These changes from one text to another, without versions."""
    known = line_changes.keys(old, new, found)
    return [ReviewLine(number, each, key) for number, (each, key) in enumerate(zip(found, known, strict=True))]


def picked(pick: Pick) -> list[ReviewLine]:
    """The line changes of a selection."""
    found = lines(pick.change)
    return found if pick.numbers is None else [found[number] for number in sorted(pick.numbers)]


def how_many(found: Collection[ReviewLine]) -> int:
    """How many lines these are, without the blank ones that go with others."""
    return len(_with_words([*found]))


def stops(found: Sequence[ReviewLine]) -> list[int]:
    """For each of a file's changed lines, the one that it is judged with: itself, or for a blank one its neighbour.

    That is the next one with words or the one before, rather one of its hunk. If no line has words, each is judged by itself.
    """
    own, near = _with_words(found), list[int]()
    for at, line in enumerate(found):
        place = bisect_left(own, at)
        beside = own[place : place + 1] + own[max(place - 1, 0) : place]
        near.append(min(beside, key=lambda each: found[each].change.hunk != line.change.hunk))
    return near


def with_versions(session: Session, change: PendingReview) -> list[ReviewLine]:
    """Like `lines`, each with the newest version that made it, if known; of one that went and came back, the first.

    Raises `HistoryError`.
    """
    found, back = lines(change), dict[int, Version]()
    for version in change.versions:
        came, went = _changed_lines(session, version)
        for place, line in enumerate(found):
            source, text = (came, line.key.added) if line.key.added is not None else (went, line.key.removed)
            if line.version is not None and source is came and text is not None and went[text] > 0:
                went[text] -= 1
                back[place] = line.version
                found[place] = line._replace(version=None)
            elif line.version is None and text is not None and source[text] > 0:
                source[text] -= 1
                found[place] = line._replace(version=version)
    return [line if line.version else line._replace(version=back.get(place)) for place, line in enumerate(found)]


def authors(wanted: Iterable[ReviewLine]) -> str:
    """The authors of these lines, each once; empty if unknown."""
    return ", ".join(dict.fromkeys(str(line.version.author) for line in wanted if line.version is not None))


@says_undo
def accept(session: Session, picks: Sequence[Pick], also: Mapping[Session, Sequence[Pick]] = MappingProxyType({})) -> VerbResult:
    """Mark exactly this as reviewed, `also` in other stores: an undoable step that writes no file.

    Raises `HistoryError`, `StoreGone`, or `Conflict` if another part of one of the files was reviewed meanwhile.
    """
    by_store = {own: some for own, some in {session: picks, **also}.items() if some}
    every = list(chain.from_iterable(by_store.values()))
    if not every:
        return VerbResult("Nothing to mark as seen.", warning=True)
    _check(every)
    words, recorders = f"Marked {_description(every)} as seen", list[Recorder]()
    with ExitStack() as opened:  # all are looked at before any is marked
        moves: dict[Session, dict[str, Move]] = {}
        for own, some in by_store.items():
            own.require_store()
            moves[own] = {path: move for each in some for path, move in _moves(each.change, _accepted_text(each)).items()}
        repos = {own: opened.enter_context(own.history.opened()) for own in sorted(by_store, key=lambda own: own.root)}
        outdated = [path for own, repo in repos.items() for path in review_baseline.outdated(repo, moves[own])]
        if outdated:
            shown = printable_path(outdated[0])
            raise Conflict(f"{shown} has been reviewed elsewhere meanwhile. Nothing was marked as seen.")
        for own, repo in repos.items():
            made = review_baseline.move(repo, moves[own])
            recorders.append(own.recorder(words, relation=review_baseline.relation_of(made)))
        steps.join(recorders, [Store(own.layout.kind, own.root, own.project, own.folder) for own in repos])
        for recorder in recorders:
            recorder.record_step_end()
    for own, some in by_store.items():
        for each in some:
            if each.is_whole:
                losses.accept(own, each.change.ref.path)
    return VerbResult(f"{words}.", len(every))


def saw(session: Session, ref: MemRef, shown: Collection[bytes]) -> None:
    """Mark lines by others as reviewed that the user decided to leave as they are: no step, for nothing was written.

    Deletions in hunks that add only such lines are included. Raises `HistoryError`.
    """
    session.history.observe([ref.path])
    known = {line.rstrip(b"\r\n") for line in shown}
    for change in reviewing.pending(session, [ref]):
        old, now = change.reviewed or b"", change.now or b""
        text = line_changes.with_seen(old, now, lambda line: line.rstrip(b"\r\n") in known)
        if text != old and not change.note:
            moves = _moves(change, text)
            with session.history.opened() as repo:
                if not review_baseline.outdated(repo, moves):
                    review_baseline.move(repo, moves)


def judging(plan: Plan, picks: Sequence[Pick]) -> Plan:
    """The plan with these lines marked as reviewed in the same step, since moving facts elsewhere implies it."""
    wanted = {each.change.ref.path: (each.change.reviewed_id, each.change.now_id, _moved_numbers(each)) for each in picks}
    return replace(plan, relation=review_baseline.judging(wanted))


def _moved_numbers(pick: Pick) -> frozenset[int] | None:
    """The selected line numbers; in a renamed file, each line counts as added."""
    if pick.change.came_from is None or pick.numbers is None:
        return pick.numbers
    return frozenset(line.change.added for line in picked(pick) if line.change.added is not None)


@says_undo
def revert(session: Session, picks: Sequence[Pick]) -> VerbResult:
    """Revert exactly this to the reviewed version, in one step; a new file that is picked as a whole is deleted.

    What others wrote stays in the history. If somebody changed the same lines meanwhile, nothing is written. Raises `StoreError` or
    `HistoryError`, or `Conflict` for a file just put back: the lines that still wait in it were there before.
    """
    if not picks:
        return VerbResult("Nothing to revert.", warning=True)
    _check(picks)
    for each in picks:
        _refuse_brought(session, each)
    new = [each for each in picks if each.is_new_file]
    named = f"{'Deleted' if len(new) == len(picks) == 1 else 'Reverted'} {_description(picks)}"
    named += f" and deleted {counted(len(new), 'new file')}" * (bool(new) and len(picks) > 1)
    try:
        with session.batch(named, relation=review_baseline.PUTS_BACK) as batch:
            written = sum(_put_back(batch, each) for each in picks)
    except WriteConflict as error:
        return VerbResult(error.message, warning=True, conflicted=True)
    if not written:
        return VerbResult("The files hold just this already. Nothing was written.")
    if not batch.lasting:
        words = f"{named}, but somebody keeps writing over it: look again whether it lasts."
        return VerbResult(words, written, warning=True)
    return VerbResult(f"{named}.", written)


class Listed(NamedTuple):
    """A file to review, with the command line's ids for it, its hunks and its lines."""

    change: PendingReview
    id: str
    lines: list[tuple[str, ReviewLine]]
    """Each with its id; a blank one with that of the line that it is judged with."""
    hunks: list[str]
    """The ids of the hunks, by the hunk number of a line."""


def listed(session: Session) -> list[Listed]:
    """Everything to review, with ids that stay valid as long as the content does. Raises `HistoryError`."""
    found = session.history.in_pieces(reviewing.pending(session), lambda change, _: _listed(session, change))
    return list(chain.from_iterable(found))


def line_id(path: str, line: ReviewLine) -> str:
    """The command line's id of a line in a file to review."""
    key = line.key
    texts = ("" if text is None else text.decode("utf-8", "surrogateescape") for text in (key.removed, key.added))
    return _id("line", path, *texts, str(key.removed is None), str(key.added is None), str(key.before))


def file_id(change: PendingReview) -> str:
    """The command line's id of a file to review."""
    return _id("file", change.ref.path, change.now_id)


def by_ids(found: Sequence[Listed], ids: Sequence[str]) -> list[Pick]:
    """The selection for these ids or unique prefixes. Raises `BadName` for an unknown or ambiguous one."""
    meant = list[Pick]()
    for id in ids:
        picks = [pick for each in found for own, pick in _ids(each) if id and own.startswith(id)]
        exact = [pick for each in found for own, pick in _ids(each) if own == id]
        if len(exact or picks) != 1:
            count = len(picks) or "no"
            hint = "`zsmem review` lists what waits now: a line that has changed, or was dealt with, has its id no more."
            raise BadName(f"{count} files, hunks or lines to review have the id {id!r}. Nothing was done.", hint)
        meant += exact or picks
    return together(meant)


def together(picks: Iterable[Pick]) -> list[Pick]:
    """These selections, combined per file."""
    found: dict[str, Pick] = {}
    for pick in picks:
        path = pick.change.ref.path
        before = found.get(path, Pick(pick.change, frozenset()))
        numbers = None if before.numbers is None or pick.numbers is None else before.numbers | pick.numbers
        found[path] = Pick(pick.change, numbers)
    return list(found.values())


def _with_words(found: Sequence[ReviewLine]) -> list[int]:
    """The places of the lines that are not blank; all, if every line is."""
    texts = (b"".join(filter(None, (line.key.removed, line.key.added))) for line in found)
    return [at for at, text in enumerate(texts) if reviewing.has_words(text)] or list(range(len(found)))


def _changes(change: PendingReview) -> list[LineChange]:
    return line_changes.line_changes(change.reviewed or b"", change.now or b"")


def _check(picks: Sequence[Pick]) -> None:
    """Raise `HistoryError` for lines picked in a text that was too large to be kept."""
    for each in picks:
        if each.change.note and each.numbers is not None:
            raise HistoryError(f"{each.change.note} Nothing was done.")


def _refuse_brought(session: Session, pick: Pick) -> None:
    """Raise `Conflict` if a whole file is to be reverted while lines that the last revert brought back still wait in it."""
    path = pick.change.ref.path
    newest = next(iter(session.history.versions(path)), None) if pick.numbers is None else None
    if newest is None or newest.relation not in (review_baseline.PUTS_BACK, review_baseline.BRINGS_BACK):
        return
    came, _ = _changed_lines(session, newest)
    if any(line.key.added in came for line in lines(pick.change) if line.key.added is not None):
        shown = printable_path(path)
        raise Conflict(f"What waits in {shown} came back with what was put back. Nothing was done.", "Judge it line by line.")


def _accepted_text(pick: Pick) -> str | bytes:
    """The file's reviewed version after accepting this: the id of a text, or a text."""
    change = pick.change
    if pick.numbers is None or pick.is_whole:
        return change.now_id
    return line_changes.accepted(change.reviewed or b"", change.now or b"", pick.numbers)


def _moves(change: PendingReview, to: str | bytes) -> dict[str, Move]:
    """The moves of the reviewed texts, such that `to` is that of the file; of a renamed one, its name is reviewed, too."""
    old = change.came_from
    return {change.ref.path: Move(change.reviewed_id, to)} | ({old.ref.path: Move(old.reviewed_id, "")} if old is not None else {})


def _put_back(batch: Batch, pick: Pick) -> int:
    """Revert the selection; return 1 if the file was written, else 0. Raises `StoreError`."""
    change, path, stands = pick.change, pick.change.ref.path, pick.change.now
    if change.note:
        raise HistoryError(f"{change.note} Nothing was put back.")
    if pick.is_new_file:
        return int(batch.remove(path, expected=change.now).changed)
    if renamed := change.came_from is not None and pick.numbers is None:
        path, text, stands = change.came_from.ref.path, change.reviewed or b"", None
    elif pick.numbers is None:
        text = change.reviewed or b""
    else:
        text = line_changes.put_back(change.reviewed or b"", change.now or b"", pick.numbers)
    outcome = batch.save(path, text, stands)
    if isinstance(outcome, Conflicted):
        raise WriteConflict(path, outcome.theirs or b"")
    if renamed:
        batch.remove(change.ref.path, expected=change.now)
    return int(isinstance(outcome, Saved))


def _description(picks: Sequence[Pick]) -> str:
    """The selection in words."""
    unseen = sum(each.change.is_unseen for each in picks)
    if 0 < unseen < len(picks) and any(each.numbers is not None for each in picks):
        seen = _description([each for each in picks if not each.change.is_unseen])
        return f"{seen} and {counted(unseen, 'file')} that came and went"
    if len(picks) == 1:
        return picks[0].words
    if all(each.numbers is None for each in picks):
        return counted(len(picks), "file")
    return f"{counted(sum(each.how_many for each in picks), 'line')} of {counted(len(picks), 'file')}"


def _changed_lines(session: Session, version: Version) -> tuple[Counter[bytes], Counter[bytes]]:
    """Count the lines added and removed by a version; empty if its texts were too large to be kept."""
    found = texts(session, version)
    if found.note:
        return Counter(), Counter()
    gone, came = changed_lines(split(found.before or b""), split(found.after or b""))
    return Counter(came), Counter(gone)


def _listed(session: Session, change: PendingReview) -> Listed:
    path = change.ref.path
    found = with_versions(session, change)
    ids = [line_id(path, line) for line in found]
    by_hunk = grouped((line.change.hunk, id) for line, id in zip(found, ids, strict=True))
    own = [(ids[stop], line) for stop, line in zip(stops(found), found, strict=True)]
    return Listed(change, file_id(change), own, [_id("hunk", path, *some) for some in by_hunk.values()])


def _ids(found: Listed) -> list[tuple[str, Pick]]:
    """Every id of a file with its selection."""
    hunks = [
        (id, Pick(found.change, frozenset(line.number for _, line in found.lines if line.change.hunk == number)))
        for number, id in enumerate(found.hunks)
    ]
    judged = grouped((id, line.number) for id, line in found.lines)
    path = found.change.ref.path  # Today has the ids of blank lines, too
    own = [(line_id(path, line), Pick(found.change, frozenset(judged[id]))) for id, line in found.lines]
    return [(found.id, Pick(found.change)), *hunks, *own]


def _id(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:_ID_LETTERS]
