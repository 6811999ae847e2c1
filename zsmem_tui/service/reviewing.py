"""Changes by others since the user last reviewed, and texts that were wiped.

Changes need no approval: they are in force. Here they are only accepted, reverted, or moved elsewhere.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile
from typing import Final, NamedTuple, TypeVar

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import HistoryError, StoreError
from zsmem_tui.core.growth import is_alike
from zsmem_tui.core.hazards import hazards_that_came
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.merge import bare_lines, changed_lines, split
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.outcomes import Saved, Unchanged, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, grouped, listed, printable_path, trim
from zsmem_tui.core.version import AuthorKind, Version, is_wiped, lost_lines
from zsmem_tui.service import losses
from zsmem_tui.service.history import since_when, text_if_kept
from zsmem_tui.service.losses import Dropped
from zsmem_tui.service.patience import current
from zsmem_tui.service.results import ended, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.files import list_all, read_if_there
from zsmem_tui.store.disk.folders import common_mode
from zsmem_tui.store.disk.state import has_history
from zsmem_tui.store.history.review_baseline import BRINGS_BACK, UnreviewedFile
from zsmem_tui.store.history.version_log import LogReading
from zsmem_tui.store.write_path.locating import make_folder

_MOST_TRIED: Final = 256
"""The most versions that are compared to find those that made what waits (0.3 ms each)."""

_MOST_ASKED: Final = 20
"""From this number of files on, versions are not looked up one by one (10 ms each in a long history)."""

_MOST_KEPT: Final = 64
"""The size of each cache about the texts of changed files."""

Answer = TypeVar("Answer")


class PendingReview(NamedTuple):
    """A file changed by others: the reviewed and the current text (None: no file), and the versions between.

    `added` and `removed` count the changed lines, blank ones too, as in the history. `note` says why a text is unavailable.
    """

    ref: MemRef
    reviewed: bytes | None
    now: bytes | None
    versions: tuple[Version, ...]
    added: int = 0
    removed: int = 0
    note: str = ""
    now_id: str = ""
    """The id of the current text."""
    dropped: Dropped | None = None
    """The user's own last changes that another program's write dropped."""
    mended: tuple[Dropped, ...] = ()
    """Changes that another program's write had dropped and that were restored since, newest first."""
    reviewed_id: str = ""
    """The id of the reviewed text."""
    hazards: tuple[Notice, ...] = ()
    """Notices about the added lines: possible orders, hidden text, credentials."""
    wiped: bool = False
    """Whether text is missing that others wiped."""
    came_from: PendingReview | None = None
    """The file that went when this one came with its text, or most of its lines, if it was renamed; `reviewed` is its text."""
    told: tuple[int, int] = (0, 0)
    """How many lines others wrote and deleted as a review counts them: without blank ones that go with others, and none of a file
    that came and went unseen.
    """
    is_unseen: bool = False
    """Whether it came and went before the person saw it; `reviewed` is its text."""

    @property
    def authors(self) -> tuple[str, ...]:
        """Who wrote the versions between, each once, who wrote last first."""
        return tuple(dict.fromkeys(str(version.author) for version in self.versions))


@dataclass(frozen=True, slots=True)
class Wipe:
    """A text that was emptied or lost half of its lines, and the id of the text before. `agents` said that they did it.

    `gone` is the group whose files all vanished with this one; empty: the whole memory; None: other files are left. `deleted`:
    there is no file any more. `fuller` is the id of an earlier text of which only a rest was left in the text before, if any.
    """

    ref: MemRef
    before: str
    lines: int
    agents: tuple[str, ...] = ()
    gone: str | None = None
    deleted: bool = False
    fuller: str = field(default="", repr=False)


def pending(session: Session, among: Collection[MemRef] | None = None) -> list[PendingReview]:
    """The files changed by others since the last review, by project and path; with `among`, only these. Raises `HistoryError`."""
    session.history.drain()
    found: list[PendingReview] = []
    lost = {each.path: each for each in losses.dropped(session)}
    names = _waiting(session, session.history.pending_review())
    waiting = [each for each in names if among is None or session.ref_at(each.path) in among]
    seen = session.history.last_seen([each.path for each in waiting if not each.now])
    unseen = {path for path, id in seen.items() if text_if_kept(session, id) == b""}
    for some in session.history.in_pieces(waiting, partial(_kept, session, lost, names)):
        for each in some:  # compared while the history is closed
            (added, removed), told = _line_counts(each.reviewed or b"", each.now or b"")
            hazards = _hazards(each.reviewed or b"", each.now or b"")
            is_unseen = each.ref.path in unseen
            told = (0, 0) if is_unseen else told
            found.append(each._replace(added=added, removed=removed, told=told, hazards=hazards, is_unseen=is_unseen))
    return sorted(found, key=lambda each: (each.ref.project, each.ref.path))


def _waiting(session: Session, found: Sequence[UnreviewedFile]) -> dict[UnreviewedFile, UnreviewedFile | None]:
    """The `found` files that wait, each with the one of its group that went and had its text, or most of its lines: so that it was
    renamed, and is no other. If it may have been one of several with most of its lines, it is none.
    """
    lost = [each for each in found if not each.now]
    seen = session.history.last_seen([each.path for each in lost])  # with lines nobody saw, it is more than a new name
    own = (each for each in lost if seen.get(each.path, each.reviewed) == each.reviewed)
    gone = grouped(((session.ref_at(each.path).project, each.reviewed), each) for each in own)
    names: dict[UnreviewedFile, UnreviewedFile | None] = {}
    for each in found:
        same = gone.get((session.ref_at(each.path).project, each.now)) if not each.reviewed else None
        names[each] = same.pop(0) if same else None
    came = grouped((session.ref_at(each.path).project, each) for each, old in names.items() if not (each.reviewed or old))
    for group, new in came.items():
        left = [each for (own, _), some in gone.items() if own == group for each in some]
        names |= _edited(session, left, new) if 0 < len(left) * len(new) <= _MOST_KEPT else {}
    former = {*names.values()}
    return {each: old for each, old in names.items() if each not in former}


def _edited(
    session: Session, gone: Sequence[UnreviewedFile], came: Sequence[UnreviewedFile]
) -> dict[UnreviewedFile, UnreviewedFile]:
    """Those of the files that came that are like just one of those that went, which is like no other, with that one."""
    with session.history.opened():  # opened once, not for each text
        texts = {each: text_if_kept(session, each.reviewed or each.now) or b"" for each in (*gone, *came)}
    pairs = [(new, old) for new in came for old in gone if _is_alike(texts[old], texts[new])]
    found = Counter(chain.from_iterable(pairs))
    return {new: old for new, old in pairs if found[new] == found[old] == 1}


def _kept(
    session: Session,
    lost: Mapping[str, Dropped],
    names: Mapping[UnreviewedFile, UnreviewedFile | None],
    each: UnreviewedFile,
    log: LogReading,
) -> PendingReview:
    """What the history has of a file, without what its texts say."""
    note, old = "", names.get(each)
    try:
        seen, now = session.history.text(each.reviewed if old is None else old.reviewed), session.history.text(each.now)
    except HistoryError as error:
        if session.history.problem:
            raise
        seen, now, note = b"", b"", error.message
    every = _versions_since(session, log, each.path, each.reviewed)
    return PendingReview(
        session.ref_at(each.path),
        seen,
        now,
        tuple(each for each in every if not each.origin.is_ours or _brings_hazards(session, each)),
        note=note,
        now_id=each.now,
        dropped=lost.get(each.path),
        mended=_mended(session, each.path, every),
        reviewed_id=each.reviewed,
        wiped=any(is_wiped(text_if_kept(session, wipe.before), now) for wipe in _wiping(every) if wipe.wiped),
        came_from=None if old is None else _kept(session, lost, names, old, log),
    )


def has_words(line: bytes) -> bool:
    """Whether a line is not blank."""
    bare = line.strip()  # most lines are told by their first byte
    return bool(bare) and (bare[0] < 0x80 or bool(trim(bare.decode("utf-8", "replace"))))


def _kept_by_content(find: Callable[[bytes, bytes], Answer]) -> Callable[[bytes, bytes], Answer]:
    """Cache what a function finds in two texts, since the screen asks on every key press."""
    known: dict[tuple[int, int, int, int], Answer] = {}

    def kept(seen: bytes, now: bytes) -> Answer:
        key = hash(seen), hash(now), len(seen), len(now)  # the texts themselves may be large
        if (answer := known.get(key)) is None:
            answer = find(seen, now)
            while len(known) >= _MOST_KEPT:
                known.pop(next(iter(known)), None)
            known[key] = answer
        return answer

    return kept


@_kept_by_content
def _line_counts(seen: bytes, now: bytes) -> tuple[tuple[int, int], tuple[int, int]]:
    """How many lines came and went, and how many of these are not blank; if all are blank, all."""
    went, came = changed_lines(split(seen), split(now))
    every, told = (len(came), len(went)), (sum(map(has_words, came)), sum(map(has_words, went)))
    return every, told if any(told) else every


_is_alike = _kept_by_content(is_alike)
_hazards = _kept_by_content(lambda seen, now: tuple(hazards_that_came(seen, now)))


def last_not_ours(session: Session, concerns: Callable[[MemRef], bool] = lambda ref: True) -> Version | None:
    """The newest version by somebody else of files that it `concerns`; of the first look if none came since.

    Raises `HistoryError`.
    """
    versions = (each for each in session.history.latest() if not each.origin.is_ours and each.path and not each.relation)
    first = None
    for each in versions:
        if concerns(session.ref_at(each.path)):
            if not each.author.is_before:
                return each
            first = first or each
    return first


def last_written(session: Session, path: str) -> Version | None:
    """The newest version of a file by somebody else; after an undo of ours, the content is theirs again."""
    return next((each for each in session.history.versions(path) if not each.origin.is_ours), None)


def unreviewed(session: Session) -> frozenset[MemRef]:
    """The files changed by others since the last review; of a renamed one, its new name. Raises `HistoryError`."""
    session.history.drain()
    return frozenset(session.ref_at(each.path) for each in _waiting(session, session.history.pending_review()))


def wipes(session: Session) -> list[Wipe]:
    """The wiped texts that the user has not reviewed and that are still missing, with what vanished as a whole first.

    Raises `HistoryError`.
    """
    if not list_all(session.history.home):
        return []
    session.history.drain()
    with session.history.opened():  # opened once, not for each text
        every = session.history.missed() if _is_emptied(session) else {}
        if every:
            found = [Wipe(session.ref_at(path), id, 0, gone="") for path, id in sorted(every.items())]
            session.expect_store(gone_words(session, found))
            return found
        return sorted(_wipes(session), key=lambda each: each.gone is None)


def _is_emptied(session: Session) -> bool:
    """Whether nothing is in the store's folder, which may be renamed or not mounted; False if it cannot be read."""
    return not session.root_problem() and not list_all(session.root)


def what_is_gone(session: Session) -> str:
    """A sentence that the history has files of this memory and its folder has none; else empty, also without a history."""
    try:
        return gone_words(session, wipes(session)) if _is_emptied(session) else ""
    except HistoryError:
        return ""


def has_all_of(session: Session, gone: Session) -> bool:
    """Whether a store has, or its history had, each file that the history of a missing one has, with the same text."""
    try:
        texts = gone.history.every()
        return bool(texts) and all(_had(session, path, id, text_if_kept(gone, id)) for path, id in texts.items())
    except (HistoryError, StoreError):
        return False


def _had(session: Session, path: str, id: str, text: bytes | None) -> bool:
    if text is not None and read_if_there(session.path(session.ref_at(path))) == text:
        return True
    return has_history(session.root) and any(id in (each.before, each.after) for each in session.history.versions(path))


def give_up(session: Session, found: Sequence[Wipe]) -> VerbResult:
    """Mark it as seen that these texts vanished, so that they are not reported again. Raises `HistoryError`."""
    session.history.mark_reviewed({each.ref.path: "" for each in found})
    return VerbResult(f"{counted(len(found), 'file')} stay away. The history keeps their texts.")


def gone_words(session: Session, found: Sequence[Wipe]) -> str:
    """A sentence that the first of these wipes is a whole memory or group; empty if it is not."""
    group = found[0].gone if found else None
    if group is None:
        return ""
    count = sum(each.gone == group for each in found)
    whose = session.group_name(group) if group else session.layout.title
    more = " and more lost text" if count < len(found) else ""
    lost = f"{whose}'s memory is gone"
    if only_instructions(session.layout):
        lost = f"The instructions of {printable_path(shortened(session.root))} are gone"
    return f"{lost}{more}: {counted(len(found), 'file')}."


def lost_of(session: Session, found: Sequence[Wipe]) -> str:
    """`3 files of shop`: the number of these texts, and whose memory it is."""
    groups = dict.fromkeys(each.ref.project for each in found)
    whose = [session.group_name(group) if group else session.layout.title for group in groups]
    return f"{counted(len(found), 'file')} of {listed(whose, 2)}"


def _wipes(session: Session) -> list[Wipe]:
    found = []
    waiting, log = session.history.pending_review(), session.history.log.reading()
    gone = _groups_gone(session, waiting)
    there = grouped((id, path) for path, id in session.history.every().items()) if waiting else {}
    former = {*_waiting(session, waiting).values()}
    is_all = len(waiting) > 1 and not any(each.now for each in waiting) and not there
    seen, last = session.history.last_seen([each.path for each in waiting]), dict[str, Version]()
    for version in session.history.latest() if len(waiting) > _MOST_ASKED else ():
        last.setdefault(version.path, version)
    for each in waiting:
        newest = last.get(each.path)  # with many files, the newest version is used if it alone made the change
        is_one = newest is not None and (newest.before, newest.after) == (each.reviewed, each.now) and not newest.origin.is_ours
        if newest is not None and is_one:
            versions = [newest]
        else:
            versions = _wiping(_versions_since(session, log, each.path, each.reviewed))
        ref = session.ref_at(each.path)
        group = "" if is_all else ref.project if not each.now and ref.project in gone else None
        wiped = [version for version in versions if version.wiped or group is not None]
        if not wiped or each in former or (group is None and _is_renamed(log, wiped[0], there)):
            continue
        now = text_if_kept(session, each.now)
        ids = (*(version.before for version in wiped), seen.get(each.path, each.reviewed))
        known = ((id, text_if_kept(session, id)) for id in ids)
        texts = {id: text for id, text in known if text and (group is not None or is_wiped(text, now))}
        if texts:
            stood = next(iter(texts))  # also if it was written after the review
            of_rest = [id for id, text in texts.items() if _is_rest(texts[stood], text)]
            fuller = max(of_rest, key=lambda id: lost_lines(texts[id], now), default="")
            text = keep_both(texts[fuller], texts[stood]) if fuller else texts[stood]
            count = lost_lines(text, now) if each.now else len(split(text))  # of a whole file, blank lines count, too
            authors = dict.fromkeys(version.author for version in wiped)
            agents = tuple(author.name for author in authors if author.kind is AuthorKind.AGENT)
            found.append(Wipe(ref, stood, count, agents, group, not each.now, fuller))
    return found


def _is_rest(text: bytes, before: bytes) -> bool:
    """Whether a text is what a wipe left of one before, or the few lines that it put there, and not another in its place."""
    is_short = 2 * len(bare_lines(text)) <= len(bare_lines(before))
    return is_wiped(before, text) and (is_short or not is_wiped(text, before))


def _is_renamed(log: LogReading, gone: Version, there: Mapping[str, list[str]]) -> bool:
    """Whether a text that went stands in a file that came with the same look; one that stood there before is a copy."""
    homes = there.get(gone.before, []) if not gone.after else []
    return any(not each.before and each.look == gone.look for path in homes for each in log.of(path))


def _wiping(versions: Iterable[Version]) -> list[Version]:
    """Those of these versions, newest first, that others made since wiped text was last brought back."""
    since = takewhile(lambda each: each.relation != BRINGS_BACK, _without_undone(versions))
    return [each for each in since if not each.origin.is_ours]


def _without_undone(versions: Iterable[Version]) -> Iterator[Version]:
    """These versions, newest first, without those that undo took back."""
    undone: dict[str, bool] = {}
    for version in versions:
        verb, _, batch = version.relation.partition(" ")
        if verb in ("undoes", "redoes"):
            undone.setdefault(batch, verb == "undoes")
        if not undone.get(version.batch):
            yield version


def _groups_gone(session: Session, waiting: Sequence[UnreviewedFile]) -> frozenset[str]:
    """The groups that lost several files and have none left."""
    lost = grouped((session.ref_at(each.path).project, each) for each in waiting if not each.now)
    lost = {group: files for group, files in lost.items() if group and len(files) > 1}
    left = {session.ref_at(path).project for path in session.history.every()} if lost else set()
    return frozenset(lost.keys() - left)


@says_undo
def restore_wiped(session: Session, found: Sequence[Wipe]) -> VerbResult:
    """Restore the missing lines of these texts and keep the current ones, as one step; a vanished folder is made anew.

    Raises `HistoryError` or `StoreError`.
    """
    if any(each.gone == "" for each in found):
        make_folder(session.root, session.root)
        session.history.observe([each.ref.path for each in found])  # the history has to know that they vanished
    texts = {each.ref.path: text for each in found if (text := _text_before(session, each)) is not None}
    with session.history.opened():
        times = {each.ref.path: since_when(session, each.ref.path, each.before) for each in found if each.deleted}
    folders = {os.path.dirname(path) for path in times}
    modes = {folder: common_mode(os.path.join(session.root, folder)) for folder in folders}
    names = printable_path(found[0].ref.path) if len(found) == 1 else lost_of(session, found)
    with session.batch(f"Brought back {names}", relation=BRINGS_BACK) as batch:
        for number, (path, text) in enumerate(texts.items()):
            current().far = number, len(texts)
            mode = modes.get(os.path.dirname(path), 0)
            batch.update(path, partial(_with_lost, text), modified=times.get(path), mode=mode)
    session.history.drain()
    changed = sum(each.changed for each in batch.written.values())
    done = ended(Saved(b"", confirmed=batch.lasting) if changed else Unchanged(b""), f"Brought back {names}", "")
    if left := len(found) - len(texts):
        done = replace(done, message=f"{done.message} The history has not the text of {counted(left, 'file')}.", warning=True)
    with session.history.opened():  # opened once, not for each text
        left_over = [text_if_kept(session, each.now) if each.now else b"" for each in session.history.pending_review()]
    short = sum(text is not None and not text.strip() for text in left_over)
    if short and changed:
        words = f"{counted(short, 'file')} stay{'s' * (short == 1)} deleted or empty: the review shows which."
        done = replace(done, message=f"{done.message} {words}", warning=True)
    return replace(done, changed=changed)


def _text_before(session: Session, wipe: Wipe) -> bytes | None:
    text, fuller = text_if_kept(session, wipe.before), text_if_kept(session, wipe.fuller) if wipe.fuller else None
    return keep_both(fuller, text or b"") if fuller else text


def _with_lost(before: bytes, now: bytes | None) -> bytes:
    now = now or b""
    ours, theirs = (b"\n".join(bare_lines(each)) for each in (before, now))
    if ours.startswith(theirs):  # half a line is none of its own
        now = now[: now.rfind(b"\n") + 1]
    return keep_both(before, now)


def _brings_hazards(session: Session, version: Version) -> bool:
    if not version.origin.is_import:
        return False
    return bool(_hazards(text_if_kept(session, version.before) or b"", text_if_kept(session, version.after) or b""))


def _mended(session: Session, path: str, every: Sequence[Version]) -> tuple[Dropped, ...]:
    found = []
    for version in _without_undone(every):
        if not version.puts_back:
            continue
        before, after = (split(text_if_kept(session, id) or b"") for id in (version.before, version.after))
        came = filter(has_words, changed_lines(before, after)[1])
        lines = tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in came)
        others = (each.when for each in every[every.index(version) :] if not each.origin.is_ours)
        found.append(Dropped(path, lines, next(others, version.when)))
    return tuple(found)


def _versions_since(session: Session, log: LogReading, path: str, seen: str) -> list[Version]:
    """The versions since the reviewed text, newest first.

    The reviewed text may not be a version, after a merge or after accepting single lines. Then these are the versions that made
    what waits, or else those since the user's last write.
    """
    every = [each for each in log.followed(path) if not each.is_beside]
    brought = (place for place, each in enumerate(every) if each.origin.is_import or not each.origin.is_ours)
    others = next(brought, len(every))
    stands = {each.id for each in _without_undone(every)}
    same = [place for place, each in enumerate(every) if each.after == seen and each.id in stands]
    same += [len(every)] if not seen else []  # before the first version there was no file
    # a version that the user restored equals the reviewed text too; if it was undone, the changes before it count
    place = next((place for place in same if place > others), next(iter(same), None))
    if place is None:
        place = _made_since(session, every, stands, seen)
    if place is None:
        own = (place for place, each in enumerate(every) if each.origin.is_ours and not each.puts_back)
        place = next((place for place in own if place > others), None)
    return list(every[: len(every) if place is None else max(place, 1)])


def _made_since(session: Session, every: Sequence[Version], stands: Collection[str], seen: str) -> int | None:
    """How many of these versions, newest first, made together what the current text has unlike the text `seen`; None if unknown."""

    def changed(before: str, after: str) -> tuple[Counter[bytes], Counter[bytes]]:
        old, new = (Counter(filter(has_words, split(text_if_kept(session, id) or b""))) for id in (before, after))
        return new - old, old - new

    came, went = changed(seen, every[0].after if every else "")
    for place, version in enumerate(every[:_MOST_TRIED]):
        if version.id in stands and (version.origin.is_import or not version.origin.is_ours):
            added, removed = changed(version.before, version.after)
            came, went = came - added, went - removed
            if not came and not went:
                return place + 1
    return _MOST_TRIED if len(every) > _MOST_TRIED else None
