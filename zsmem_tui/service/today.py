"""What waits for the person in the folder they work in: a view over review, prompts, doctor and projects, as rows.

Nothing is judged here: what others wrote comes from `reviewing`, what of it is loaded from `previewing`, what is doubtful from the
doctor. A front end draws the rows, and does with one what its review does with the same lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.checks.contradiction import CONTRADICTION
from zsmem_tui.core.checks.duplicates import DUPLICATE, NEAR_DUPLICATE
from zsmem_tui.core.checks.finding import Finding, Level
from zsmem_tui.core.checks.span_faults import POISON, SECRET
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.facts import facts
from zsmem_tui.core.notice import NoticeKind, reason
from zsmem_tui.core.preview import InBlock, Prompt, prompt_of_line
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.version import AuthorKind, Version
from zsmem_tui.service import previewing, prompts, review_lines, reviewing
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session

MOST_LINES: Final = 24
"""Lines of others that are rows: with what stands between and below them, two pages of a small terminal."""

MOST_FILES: Final = 8
"""Files of which lines are rows; of more, the newest."""

LEAST_LINES: Final = 3
"""Lines that each of them has at least."""

MOST_FINDINGS: Final = 3
"""Errors of the doctor that are rows."""

_QUOTED: Final = 40
"""Characters of a fact that is named in a sentence."""

_DOUBTS: Final = {
    CONTRADICTION.name: "contradicts",
    DUPLICATE.name: "stands twice",
    NEAR_DUPLICATE.name: "stands twice",
    SECRET.name: "credential",
    POISON.name: "reads like an order",
}
_HAZARDS: Final = {NoticeKind.SECRET: "credential", NoticeKind.ORDER: "reads like an order"}
"""The same of lines that just came."""


class Kind(StrEnum):
    """What a row is about. The values are an interface."""

    LINE = "line"
    FILE = "file"
    MORE = "more"
    FELL = "fell-out"
    ELSEWHERE = "elsewhere"
    BELONGS = "belongs"
    FINDING = "finding"
    PROBLEM = "problem"


class Row(NamedTuple):
    """One thing that waits, or that is to be said beside it.

    `leads` is the screen that has more of it. `pick` is what is meant where it is seen, or put back. `text` are the words: of a
    line of others what it says, with what it said `before`; `at` is its number in the file, from 0. A line may be gone (`is_gone`).
    """

    kind: Kind
    session: Session
    text: str
    key: tuple[str, ...]
    leads: str = ""
    pick: Pick | None = None
    at: int = 0
    before: str = ""
    is_gone: bool = False
    author: str = ""
    when: int = 0
    fate: Prompt | None = None
    doubts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    lines: int = 0
    """How many lines of others it stands for."""
    files: int = 0
    """Of how many files the lines were not counted."""

    @property
    def ref(self) -> MemRef | None:
        """The file that it is about."""
        return self.pick.change.ref if self.pick is not None else None

    @property
    def waits(self) -> bool:
        """Whether there is something to decide here; what waits elsewhere, or cannot be read, is only said."""
        return self.kind not in (Kind.ELSEWHERE, Kind.PROBLEM)


class News(NamedTuple):
    """What others wrote in a store: changes `here`, in the folder worked in, with their lines; of files `elsewhere` how many.

    `unread` are files of the folder, older ones, that were not looked into. `fates` says what of a file is in the prompt.
    """

    session: Session
    here: tuple[tuple[PendingReview, tuple[ReviewLine, ...]], ...] = ()
    unread: int = 0
    elsewhere: tuple[tuple[str, int], ...] = ()
    fates: dict[str, InBlock] | None = None
    fell: tuple[str, ...] = ()
    last: Version | None = None
    problem: str = ""
    is_first: bool = False
    """Whether nothing was known of the store before."""


class Today(NamedTuple):
    """All rows, in order; what others wrote last; and whether all this is new to the person."""

    rows: tuple[Row, ...] = ()
    last: Version | None = None

    @property
    def waits(self) -> bool:
        """Whether there is anything to decide."""
        return any(each.waits for each in self.rows)

    @property
    def is_whole(self) -> bool:
        """Whether all of it could be read; else more may wait than is known."""
        return not any(each.kind is Kind.PROBLEM for each in self.rows)

    @property
    def lines(self) -> int:
        """How many lines of others wait, those without a row too, but for those of `files`."""
        return sum(each.lines for each in self.rows)

    @property
    def files(self) -> int:
        """How many files wait that were not looked into."""
        return sum(each.files for each in self.rows)


def is_here(session: Session, ref: MemRef) -> bool:
    """Whether a file is of the folder worked in: of its group, or for all; every file where groups are of no folders."""
    return ref.project in ("", session.project) or not prompts.own_group(session, "/")


def unseen(session: Session) -> tuple[frozenset[MemRef], frozenset[MemRef]]:
    """The files that others changed, and those of them that are of the folder worked in. Raises `HistoryError`."""
    refs = reviewing.unreviewed(session)
    return refs, frozenset(ref for ref in refs if is_here(session, ref))


def news(session: Session) -> News:
    """What others wrote in a store since the person last looked. A history that cannot be used is a sentence of the answer."""
    if problem := session.root_problem() or session.store_problem():
        return News(session, problem="" if session.refusal else problem)
    try:
        return _news(session)
    except MemError as error:
        return News(session, problem=error.message)


def _news(session: Session) -> News:
    waiting = reviewing.unreviewed(session)
    own = [ref for ref in waiting if is_here(session, ref)]
    rest = Counter(ref.project for ref in waiting.difference(own))
    chosen = _newest(session, own)
    here = [(change, tuple(review_lines.with_versions(session, change))) for change in reviewing.pending(session, chosen) if own]
    here.sort(key=lambda each: -max((version.when for version in each[0].versions), default=0))
    fates, fell = _prompt(session, [change for change, _ in here]) if here else ({}, ())
    last = None if waiting else reviewing.last_of_others(session)
    newest = None if waiting or last else next(iter(session.history.latest()), None)
    is_first = newest is not None and newest.author.kind is AuthorKind.BEFORE
    unread = len(own) - len(chosen)
    return News(session, tuple(here), unread, tuple(sorted(rest.items())), fates, fell, last, is_first=is_first)


def _newest(session: Session, refs: Sequence[MemRef]) -> list[MemRef]:
    """Those of the files that others wrote last. Raises `HistoryError`."""
    if len(refs) <= MOST_FILES:
        return list(refs)
    wanted = {ref.path: ref for ref in refs}
    found: list[MemRef] = []
    for version in session.history.latest():
        if not version.origin.is_ours and (ref := wanted.pop(version.path, None)) is not None:
            found.append(ref)
        if len(found) == MOST_FILES or not wanted:
            break
    return found


def _prompt(session: Session, changes: Sequence[PendingReview]) -> tuple[dict[str, InBlock], tuple[str, ...]]:
    """What of each file is in the prompt now, and the facts that fell out of it because of these changes."""
    try:
        fates = previewing.in_block(session)
        after = previewing.preview(session)
        seen = {each.ref.path: (each.reviewed or b"").decode("utf-8", "replace") for each in changes if not each.note}
        if not after.lost or not seen.keys() & fates.keys():
            return fates, ()
        before = previewing.preview(session, unsaved=seen)
    except MemError:
        return {}, ()
    had = Counter(trim(row.text) for row in before.rows if row.path and not row.lost and trim(row.text))
    lost: dict[str, set[int]] = {}
    for each in after.lost:
        if had[trim(each.text)] > 0:
            had[trim(each.text)] -= 1
            lost.setdefault(each.path, set()).add(each.line)
    fell: list[str] = []
    for path, lines in lost.items():
        try:
            text = open_file(session, session.ref_at(path)).text
        except MemError:
            continue
        fell += [fact.says for fact in facts(text) if not lines.isdisjoint(range(fact.line, fact.stop))]
    return fates, tuple(fell)


def today(
    found: Sequence[News],
    faults: Sequence[tuple[Session, Sequence[Finding]]] = (),
    hints: Sequence[tuple[Session, str]] = (),
) -> Today:
    """The rows: what others wrote, by agent and file, what became of the prompts, then the rest.

    `faults` is what the doctor found and the person does not ignore, as far as it has looked; `hints` says which memory seems to
    belong to the folder.
    """
    by_store = {id(session): list(own) for session, own in faults}
    rows: list[Row] = []
    files = sum(len(each.here) for each in found)
    most = max(LEAST_LINES, MOST_LINES // max(files, 1))
    for each in found:
        rows += _of_store(each, by_store.get(id(each.session), []), most)
    listed = {(id(row.session), row.ref.path, row.at) for row in rows if row.ref is not None and not row.is_gone}
    for session, text in hints:
        rows.append(Row(Kind.BELONGS, session, text, (_place(session), "belongs", text), "projects"))
    for session, own in faults:
        rows += _errors(session, own, listed)
    for each in found:
        rows += _elsewhere(each)
    rows += [Row(Kind.PROBLEM, each.session, each.problem, (_place(each.session), "problem")) for each in found if each.problem]
    last = max((each.last for each in found if each.last is not None), key=lambda version: version.when, default=None)
    return Today(tuple(rows), last)


def _of_store(found: News, faults: Sequence[Finding], most: int) -> Iterator[Row]:
    session, place = found.session, _place(found.session)
    for change, lines in found.here:
        yield from _of_file(found, change, lines, faults, most)
    if found.unread:
        text = f"… and {counted(found.unread, 'file')} more"
        yield Row(Kind.MORE, session, text, (place, "more"), "review", files=found.unread)
    if found.fell:
        first = found.fell[0] if len(found.fell[0]) <= _QUOTED else f"{found.fell[0][: _QUOTED - 1]}…"
        what = f"{counted(len(found.fell), 'fact')} fell out of the prompt because of this: “{first}”"
        more = f" and {len(found.fell) - 1} more" if len(found.fell) > 1 else ""
        yield Row(Kind.FELL, session, f"{what}{more}", (place, "fell"), "prompt")


def _of_file(
    found: News, change: PendingReview, lines: Sequence[ReviewLine], faults: Sequence[Finding], most: int
) -> Iterator[Row]:
    session, path = found.session, change.ref.path
    key = (_place(session), path)
    version = change.versions[0] if change.versions else None
    base = Row(Kind.FILE, session, "", key, "review", Pick(change), ids=(review_lines.file_id(change),))
    base = base._replace(author=_agent(version), when=version.when if version else 0)
    if change.note or change.reviewed is None or change.now is None or not lines:
        fate, count = _file_fate(found, change, lines), max(change.added + change.removed, 1)
        yield base._replace(text=_file_words(change), doubts=_of_whole(change, faults), fate=fate, lines=count)
        return
    own = [fault for fault in faults if fault.path == path]
    groups = list(_groups(change, lines))
    for group in groups[:most]:
        first = group[0]
        version = next((line.version for line in group if line.version is not None), None)
        at, gone = first.change.added, first.change.added is None
        yield base._replace(
            kind=Kind.LINE,
            text=_shown(group, gone=gone),
            key=(*key, *(_part(first.key.removed), _part(first.key.added), str(first.key.before))),
            pick=Pick(change, frozenset(line.number for line in group)),
            at=at if at is not None else _near(lines, first),
            before=_text(first.key.removed) if not gone and first.key.removed is not None else "",
            is_gone=gone,
            author=_agent(version) or base.author,
            when=version.when if version else base.when,
            fate=None if gone or at is None else _fate(found, change, at),
            doubts=() if gone else _doubts(change, group, own),
            ids=tuple(review_lines.line_id(path, line) for line in group),
            lines=len(group),
        )
    if len(groups) > most:
        left = sum(len(group) for group in groups[most:])
        text = f"… and {counted(left, 'line')} more of {printable_path(path)}"
        yield Row(Kind.MORE, session, text, (*key, "more"), "review", lines=left)


def _groups(change: PendingReview, lines: Sequence[ReviewLine]) -> Iterator[list[ReviewLine]]:
    """The changed lines as a person judges them: blank lines, and the further lines of a fact, go with the line above."""
    starts = {fact.line for fact in facts((change.now or b"").decode("utf-8", "replace"))}
    own: list[ReviewLine] = []
    for line in lines:
        is_blank = not any(trim(_text(text)) for text in (line.key.removed, line.key.added) if text is not None)
        goes_on = bool(own) and line.change.hunk == own[-1].change.hunk and (is_blank or _is_next_of(own, line, starts))
        was_blank = bool(own) and all(not _text(each.key.added) and not _text(each.key.removed) for each in own)
        if own and not goes_on and not (was_blank and line.change.hunk == own[-1].change.hunk):
            yield own
            own = []
        own = [line, *own] if was_blank and own and not is_blank else [*own, line]
    if own:
        yield own


def _is_next_of(own: Sequence[ReviewLine], line: ReviewLine, starts: Collection[int]) -> bool:
    """Whether a line that came is indented, and goes on with a fact whose line before came with it."""
    at, before, text = line.change.added, own[-1].change.added, line.key.added
    if at is None or before != at - 1 or text is None or line.change.removed is not None:
        return False
    return at not in starts and text[:1] in (b" ", b"\t")


def _doubts(change: PendingReview, group: Sequence[ReviewLine], faults: Sequence[Finding]) -> tuple[str, ...]:
    numbers = {line.change.added + 1 for line in group if line.change.added is not None}
    found = [_HAZARDS.get(each.kind, reason(each)) for each in change.hazards if each.line in numbers]
    for fault in faults:
        word = _DOUBTS.get(fault.rule.name, "")
        if word and not numbers.isdisjoint(range(fault.line, fault.last_line + 1)):
            at = f" {printable_path(fault.related[0].path)}:{fault.related[0].line}" if fault.related else ""
            found.append(f"{word}{at}")
        elif word and any(place.path == change.ref.path and place.line in numbers for place in fault.related):
            found.append(f"{word} {printable_path(fault.path)}:{fault.line}")
    return tuple(dict.fromkeys(found))


def _of_whole(change: PendingReview, faults: Sequence[Finding]) -> tuple[str, ...]:
    """What is doubtful in a file that came as a whole."""
    found = [_HAZARDS.get(each.kind, reason(each)) for each in change.hazards]
    found += [_DOUBTS[each.rule.name] for each in faults if each.path == change.ref.path and each.rule.name in _DOUBTS]
    return tuple(dict.fromkeys(found))


def _file_words(change: PendingReview) -> str:
    if change.note:
        return change.note
    if change.now is None:
        return f"the file was deleted, {counted(change.removed, 'line')}"
    if change.reviewed is not None:
        return "nothing of its lines changed"
    first = next((fact.says for fact in facts(change.now.decode("utf-8", "replace"))), "")
    return f"a new file, {counted(change.added, 'line')}{f': {first}' if first else ''}"


def _file_fate(found: News, change: PendingReview, lines: Sequence[ReviewLine]) -> Prompt | None:
    """What of a new file is in the prompt: the worst that befell a line of it."""
    if change.now is None or change.note:
        return None
    fates = {
        _fate(found, change, line.change.added) for line in lines if line.change.added is not None and trim(_text(line.key.added))
    }
    return next((each for each in (Prompt.LOST, Prompt.CUT, Prompt.WHOLE) if each in fates), Prompt.NEVER)


def _fate(found: News, change: PendingReview, at: int) -> Prompt:
    seen = (found.fates or {}).get(change.ref.path)
    return Prompt.NEVER if seen is None else prompt_of_line(at, seen)


def _errors(session: Session, faults: Sequence[Finding], listed: Collection[tuple[int, str, int]]) -> Iterator[Row]:
    """What the doctor calls an error here, but for lines that have a row."""
    own = [
        each
        for each in faults
        if each.level is Level.ERROR
        and is_here(session, session.ref_at(each.path))
        and not any((id(session), each.path, line - 1) in listed for line in range(each.line, each.last_line + 1))
    ]
    for fault in own[:MOST_FINDINGS]:
        place = f"{printable_path(fault.path)}:{fault.line}"
        yield Row(
            Kind.FINDING, session, f"{place} {fault.message}", (_place(session), "finding", fault.id), "doctor", at=fault.line - 1
        )
    if len(own) > MOST_FINDINGS:
        text = f"… and {counted(len(own) - MOST_FINDINGS, 'error')} more of the doctor"
        yield Row(Kind.MORE, session, text, (_place(session), "findings"), "doctor")


def _elsewhere(found: News) -> Iterator[Row]:
    """What waits in other projects of a store: one line for all of them, in which the largest are named."""
    if not found.elsewhere:
        return
    by_count = sorted(found.elsewhere, key=lambda each: (-each[1], each[0]))
    named = ", ".join(f"{counted(count, 'file')} of {found.session.group_name(project)}" for project, count in by_count[:2])
    more = f", {counted(sum(count for _, count in by_count[2:]), 'file')} of {len(by_count) - 2} more" if len(by_count) > 2 else ""
    yield Row(Kind.ELSEWHERE, found.session, f"Elsewhere: {named}{more}", (_place(found.session), "elsewhere"), "review")


def _agent(version: Version | None) -> str:
    """The agent that said that it wrote; empty for who said nothing."""
    return version.author.name if version is not None and version.author.kind is AuthorKind.AGENT else ""


def _near(lines: Sequence[ReviewLine], line: ReviewLine) -> int:
    """About where a line that is gone stood in the text that is there."""
    before = [each.change.added for each in lines[: line.number] if each.change.added is not None]
    return before[-1] if before else 0


def _shown(group: Iterable[ReviewLine], *, gone: bool) -> str:
    """The words of a row: of a line its text, of several the first ones."""
    texts = [trim(_text(line.key.removed if gone else line.key.added)) for line in group]
    return " ".join(filter(None, texts)) or "an empty line"


def _text(line: bytes | None) -> str:
    return (line or b"").decode("utf-8", "replace").rstrip("\r\n")


def _part(line: bytes | None) -> str:
    return "" if line is None else f"={line.decode('utf-8', 'surrogateescape')}"


def _place(session: Session) -> str:
    return f"{session.layout.kind}:{session.root}"
