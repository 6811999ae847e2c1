"""The versions of a file, and restoring one of them or a part of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from zsmem_tui.core.errors import BadContent, BadName, Conflict, HistoryError, StoreError
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.line_changes import line_changes, put_back
from zsmem_tui.core.merge import changed_lines, same_line, split
from zsmem_tui.core.outcomes import Conflicted, Unchanged, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, listed, printable_path
from zsmem_tui.core.version import Version
from zsmem_tui.service.results import Clash, Resolution, ended, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import drafts, interrupted, scan, step_record, writing
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import every_file, inside
from zsmem_tui.store.history import retention
from zsmem_tui.store.write_path import late_writes

SHORTEST_SECRET = 4
"""In bytes. Shorter texts occur in so many files that purging them would destroy these."""

_MOST_SEARCHED = 4_000_000
"""Bytes of the texts of a version before and after it that are searched for words: larger ones take over a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts before and after a version; None: no file. `note` says why a text is unavailable."""

    before: bytes | None
    after: bytes | None
    note: str = ""


def look_at_all(session: Session) -> None:
    """Record changes made while nobody watched, including displaced files. Raises `HistoryError`."""
    late_writes.keep_all(session.root, session.recorder())
    interrupted.recover()
    session.history.catch_up(scan.scan(session.root, session.layout))


def text_if_kept(session: Session, id: str) -> bytes | None:
    """A text; None for no file or one too large to be kept. Raises `HistoryError` if the history is unreadable."""
    try:
        return session.history.text(id)
    except HistoryError:
        if session.history.problem:
            raise
        return None


def since_when(session: Session, path: str, id: str) -> int | None:
    """When a file got the text with this id, other than by an undo; None if that is not known. Raises `HistoryError`."""
    made = (each for each in session.history.versions(path) if each.after == id)
    return next((each.since for each in made if not each.relation.startswith(("undoes ", "redoes "))), None)


def of_file(session: Session, ref: MemRef) -> list[Version]:
    """The versions of a file including its current state, newest first, and discarded drafts of it. Raises `HistoryError`."""
    with session.history.opened():
        session.history.observe([ref.path])
        return session.history.versions(ref.path, discarded=True)


def latest(session: Session, limit: int, group: str | None = None) -> list[Version]:
    """The latest versions of all files, or of a group's, newest first, and discarded drafts. Raises `HistoryError`."""
    session.history.drain()
    every = (version for version in session.history.latest(discarded=True) if version.path)
    own = every if group is None else (version for version in every if session.ref_at(version.path).project == group)
    return list(islice(own, max(limit, 0)))


def timeline(session: Session, limit: int) -> list[Version]:
    """Like `latest`, with steps that wrote no file here, such as reviewing or ignoring. Raises `HistoryError`.

    Such a step has no path, and its batch name as its id.
    """
    session.history.drain()
    found = list(islice(session.history.latest(discarded=True), max(limit, 0)))
    wrote = {version.batch for version in found if version.path}
    return [
        version if version.path else version._replace(id=version.batch)
        for version in found
        if version.path or (version.batch and version.batch not in wrote)
    ]


def with_words(session: Session, versions: Sequence[Version], words: str) -> set[str]:
    """The ids of those of these versions whose changed lines hold all these words; those with huge texts are left out."""
    found: set[str] = set()
    terms = terms_of(words)
    with session.history.opened():
        for version in versions if terms else ():
            before, after = (text_if_kept(session, id) or b"" for id in (version.before, version.after))
            if len(before) + len(after) <= _MOST_SEARCHED:
                lines = Counter(split(after))
                lines.subtract(split(before))
                changed = b"".join(line for line, count in lines.items() if count)
                if holds(changed.decode("utf-8", "replace"), terms):
                    found.add(version.id)
    return found


def find(session: Session, id: str) -> Version:
    """The version with this id or prefix. Raises `BadName` if there is none or more than one, or `HistoryError`."""
    session.history.drain()
    found = [version for version in session.history.named(id) if id and version.path]
    exact = [version for version in found if version.id == id]
    if len(exact or found) != 1:
        raise BadName(f"{len(found) or 'no'} versions begin with {id!r}. Nothing was done.", "`zsmem history` lists them.")
    return (exact or found)[0]


def texts(session: Session, version: Version, *, until_now: bool = False) -> Texts:
    """The two texts of a version; with `until_now`, its text and the file's. Raises `HistoryError` if the history is unreadable."""
    found: list[bytes | None] = []
    note = ""
    for id in (version.after,) if until_now else (version.before, version.after):
        try:
            found.append(session.history.text(id))
        except HistoryError as error:
            if session.history.problem:
                raise
            found.append(b"")
            note = error.message
    if until_now:
        found.append(files.read_if_there(os.path.join(session.root, version.path)) if version.path else found[0])
    return Texts(found[0], found[1], note)


def text(session: Session, version: Version) -> bytes | None:
    """The text of a version; None if the file was deleted. Raises `HistoryError` if it was too large to be kept."""
    return session.history.text(version.after)


@says_undo
def restore(session: Session, version: Version, *, dry_run: bool = False) -> VerbResult:
    """Restore the file as of a version; delete it if it was deleted then. If it is changing, or a dry run, nothing is written.

    The current text stays in the history; lines of others in it that were not reviewed are said. Raises `HistoryError`,
    `StoreError`, or `BadContent` if there was no file then nor is now.
    """
    wanted, path = text(session, version), version.path
    now = files.read_if_there(os.path.join(session.root, path))
    shown = printable_path(path)
    if wanted is None and now is None:
        raise BadContent(f"There was no {shown} then, and there is none now. Nothing was done.")
    if dry_run:
        would = VerbResult(f"Would {'delete' if wanted is None else 'restore'} {shown}.", 1)
        return would if wanted is None or now != wanted else ended(Unchanged(wanted), "", "")
    went = _unseen(session, path, now, wanted)
    lost = f"{counted(went, 'line')} of others that you had not seen went: History keeps what went." if went else ""
    recorder = session.recorder(f"Restored {path}")
    recorder.carried = (path,)
    if wanted is None:
        step_record.add_gone(recorder.batch, session.root, [path])
        writing.remove(session.root, path, expected=now, recorder=recorder)
        return VerbResult(f"Deleted {shown}, as it was then. {lost}".rstrip(), 1, warning=bool(lost))
    was = _was(session, version) if now is None else step_record.UNKNOWN
    outcome = writing.save(session.root, path, wanted, now, recorder=recorder, mode=was.mode, modified=was.modified)
    done = ended(outcome, f"Restored {shown}, as it was in this version", f"{shown} changed just now. Nothing was written.")
    return replace(done, message=f"{done.message} {lost}", warning=True) if lost and done.changed else done


def _was(session: Session, version: Version) -> step_record.Gone:
    """What the file of a version was like when a step deleted it; its time only if it had this text until then."""
    gone = next((each for each in session.history.versions(version.path) if not each.after), None)
    found = step_record.gone(gone.batch, session.root).get(version.path) if gone is not None else None
    if gone is None or found is None:
        return step_record.UNKNOWN
    return found if gone.before == version.after else found._replace(modified=None)


def _unseen(session: Session, path: str, now: bytes | None, wanted: bytes | None) -> int:
    """How many lines of a file that wait for review would go. Raises `HistoryError`."""
    session.history.observe([path])
    seen = next((each.reviewed for each in session.history.pending_review() if each.path == path), None)
    if seen is None:
        return 0
    known = Counter(split(text_if_kept(session, seen) or b""))
    return sum(bool(line.strip()) for line in (Counter(split(now or b"")) - known - Counter(split(wanted or b""))).elements())


def line_now(session: Session, version: Version, line: int) -> int:
    """The line number in the current file of a version's line, or of the nearest one. Raises `MemError`."""
    then = split(texts(session, version).after or b"")
    now = split(files.read_if_there(os.path.join(session.root, version.path)) or b"")
    return same_line(line, then, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBackResult(VerbResult):
    """The result of reverting a change. With a `clash`, others changed its lines since, and nothing was written."""

    clash: Clash | None = None


@says_undo
def put_back_change(
    session: Session, version: Version, numbers: Collection[int] | None = None, *, resolved: Resolution | None = None
) -> PutBackResult:
    """Revert these line changes of a version, or all, in the current file; of a deletion, bring the file back.

    If others changed the same lines since, nothing is written: call again with the wanted content in `resolved`. Raises
    `HistoryError` or `StoreError`.
    """
    found = texts(session, version)
    if found.note:
        raise HistoryError(found.note)
    ref, base = session.ref_at(version.path), found.after or b""
    before = found.before or b""
    every = range(len(line_changes(before, base)))
    mine = put_back(before, base, every if numbers is None else numbers)
    recorder = session.recorder(f"Reverted a change of {version.path}")
    recorder.carried = (version.path,)
    if resolved is not None and resolved.text is None:
        return PutBackResult(message="Left deleted, as it is. Nothing was written.")
    if version.author.is_before:
        raise HistoryError(
            "This text stood there before zsmem first looked: what came before it is not known. Nothing was written."
        )
    wanted, now = (mine, found.after) if resolved is None or resolved.text is None else (resolved.text, resolved.theirs)
    outcome = writing.save(session.root, version.path, wanted, now, recorder=recorder)
    lines = [*chain(*changed_lines(split(base), split(mine)))]
    some = counted(len([*filter(bytes.strip, lines)]) or len(lines), "line")  # blank ones go with others
    words = "Reverted this change" if numbers is None or len(numbers) == len(every) else f"Reverted {some} of this change"
    done = ended(outcome, words, "These lines have changed since. Nothing was written.")
    clash = Clash(ref, mine, outcome.theirs, base, session.root) if isinstance(outcome, Conflicted) else None
    return PutBackResult(message=done.message, changed=done.changed, warning=done.warning, conflicted=done.conflicted, clash=clash)


@dataclass(frozen=True, slots=True)
class Forgotten(VerbResult):
    """The result of forgetting a text. `changed` counts the kinds of places that held it; `doubts` says where it may still be."""

    doubts: str = ""


def forget(session: Session, secret: str, *, dry_run: bool = False, in_files: bool = False) -> Forgotten:
    """Purge a text from all versions and other places where we keep it.

    If a file or draft still has it, raises `Conflict`; with `in_files`, masks it there too. Raises `BadContent`, `HistoryError` or
    `StoreError`.
    """
    raw = secret.encode("utf-8", "surrogateescape")
    if len(raw) < SHORTEST_SECRET:
        raise BadContent(f"a text of fewer than {SHORTEST_SECRET} bytes stands in too many places. Nothing was forgotten.")
    interrupted.recover()
    holding, unread = _files_with(session, raw)
    unsaved = sorted({each.path for each in drafts.every(session.root) if raw in each.text or raw in (each.base or b"")})
    if (holding or unsaved) and not in_files:
        shown = [printable_path(os.path.join(session.root, path)) for path in holding]
        shown += [f"the unsaved text of {printable_path(path)}" for path in unsaved]
        verb = "holds" if len(shown) == 1 else "hold"
        raise Conflict(
            f"{listed(shown, 5)} still {verb} it. Nothing was forgotten.",
            "Take it out there first, or add --files: it becomes [forgotten] there too.",
        )
    batch = session.batch("Masked a text that was to be forgotten", nothing="No file and no version was changed.")
    for path in holding:  # failures show up here, before anything is written
        batch.update(path, lambda now: now and now.replace(raw, retention.FORGOTTEN))
    if not dry_run:
        batch.apply()
    try:
        done = retention.forget(session.history, raw, dry_run=dry_run)
    except HistoryError as error:
        if not holding or dry_run:
            raise
        masked = f"It is masked in {counted(len(holding), 'file')}, but the versions may still hold it: forget it once more."
        raise HistoryError(f"{error.message} {masked}", error.hint) from error
    elsewhere, problems = retention.forget_everywhere(session.history, raw, session.now_ns, dry_run=dry_run)
    named = sorted({version.path for version in session.history.latest() if secret in version.path})
    doubts = [f"It stands in the name of {printable_path(named[0])}: names are not forgotten."] if named else []
    places = [counted(done.versions, "version")] if done.texts else []
    places += [counted(len(holding), "file")] if holding else []
    places += [f"{counted(elsewhere, 'other place')} where zsmem keeps things"] if elsewhere else []
    doubts += [f"It may still stand elsewhere: {problem}" for problem in (*unread, *problems)]
    did = f"{'Would forget' if dry_run else 'Forgot'} it in {' and '.join(places)}." if places else "No version holds it."
    return Forgotten(message=" ".join([did, *doubts]), changed=len(places), doubts=" ".join(doubts))


def files_holding(session: Session, secrets: Iterable[str]) -> list[str]:
    """The files of the store in which one of these texts still stands."""
    return sorted({path for each in secrets for path in _files_with(session, each.encode("utf-8", "surrogateescape"))[0]})


def _files_with(session: Session, raw: bytes) -> tuple[list[str], list[str]]:
    """All files in the store's folder that contain these bytes, and sentences about what cannot be read."""
    found, unread = list[str](), list[str]()
    for path in every_file(session.root):
        place = os.path.join(session.root, path)
        try:
            found += [path] if raw in files.read(place)[0] else []
        except StoreError as error:
            unread += [f"{error.message.rstrip('.')}."] if os.path.isfile(place) else []
    try:
        inside(session.root)
    except OSError as error:
        unread.append(f"{printable_path(str(error.filename))}: {error.strerror}.")
    return found, unread
