"""Collect what waits in a store for the "today" list, and make its rows.

Nothing is judged here: changes by others come from `reviewing`, what is loaded from `previewing`, doubts from the doctor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Final

from zsmem_tui.core import checklist, line_changes
from zsmem_tui.core.append import in_lf
from zsmem_tui.core.checklist import Box
from zsmem_tui.core.checks.contradiction import CONTRADICTION
from zsmem_tui.core.checks.duplicates import DUPLICATE, NEAR_DUPLICATE
from zsmem_tui.core.checks.finding import Finding, Level
from zsmem_tui.core.checks.redact import hidden_lines
from zsmem_tui.core.checks.secret import masked_each
from zsmem_tui.core.checks.span_faults import POISON, SECRET
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.facts import facts
from zsmem_tui.core.hazards import HIDDEN_KINDS
from zsmem_tui.core.layout import group_word, items_apart
from zsmem_tui.core.merge import bare_lines, split
from zsmem_tui.core.notice import NoticeKind, reason
from zsmem_tui.core.preview import BlockRow, InBlock, Prompt, prompt_of_line
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import clipped, counted, grouped, listed, printable_path, raw_lines, trim
from zsmem_tui.core.version import AuthorKind, Version
from zsmem_tui.service import previewing, prompts, review_lines, reviewing
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.history import text_if_kept
from zsmem_tui.service.news import Kind, News, Row
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session

MOST_LINES: Final = 1_000
"""How many changed lines get a row, of all files together: with more, each look at the memory would be felt."""

MOST_FILES: Final = 100
"""The most files that get rows: those in the prompt first, then the newest. To read so many takes a quarter of a second."""

LEAST_LINES: Final = 3
"""The least number of lines that each of these files gets."""

MOST_FINDINGS: Final = 3
"""The most errors of the doctor that get a row."""

MOST_SHOWN: Final = 200
"""The most characters of a row's text."""

_MOST_COMPARED: Final = 2_000
"""The most characters of what stood there before: more than of the text, so that what the text has no room for is not missed."""

_MOST_NAMED: Final = 3
"""How many new items a combined row names."""

_MOST_KEPT: Final = 64
"""The size of the cache of texts with their credentials masked."""

_MOST_READ: Final = 1_000
"""The most lines of a new file in which its first fact is looked for."""

_HELD_BYTES: Final = 1024 * 1024
"""The size up to which masked texts are cached, and of the start of a larger new file in which its first fact is looked for."""

_QUOTED: Final = 40
"""The most characters of a fact quoted in a sentence."""

FATES: Final = {Prompt.WHOLE: "loaded", Prompt.CUT: "cut", Prompt.LOST: "lost", Prompt.NEVER: "not loaded by design"}
"""Words for what the prompt does with a line."""

_NEW, _GONE = "new", "deleted"

_HIDDEN: Final = "hidden"
_DOUBTS: Final = {
    CONTRADICTION.name: "contradicts",
    DUPLICATE.name: "stands twice",
    NEAR_DUPLICATE.name: "stands twice",
    SECRET.name: "credential",
    POISON.name: "reads like an order",
    _HIDDEN: "holds hidden characters",
}
_HAZARDS: Final = {
    NoticeKind.SECRET: _DOUBTS[SECRET.name],
    NoticeKind.ORDER: _DOUBTS[POISON.name],
    NoticeKind.HIDDEN_CHARACTERS: _DOUBTS[_HIDDEN],
}
"""Words for notices about lines that just arrived."""


def news(session: Session, waiting: frozenset[MemRef], is_of_all: bool, most_files: int) -> News:
    """Collect what others wrote in these files, which are all that wait for review. Raises `MemError`."""
    own = [ref for ref in waiting if is_of_all or prompts.is_here(session, ref)]
    rest = Counter(ref.project for ref in waiting.difference(own))
    fates: dict[str, InBlock] = {}
    with suppress(MemError):  # the prompt cannot be computed
        fates = previewing.in_block(session) if own else {}
    chosen, unread = _chosen(session, own, fates, most_files)
    here = [(change, tuple(_groups(change, _lines(session, change)))) for change in reviewing.pending(session, chosen)]
    here.sort(key=lambda each: -max((version.when for version in each[0].versions), default=0))
    for change, groups in here:
        if groups:
            _lines_shown(change)  # fills the cache here, since a screen makes the rows between two key presses
    fell = _facts_pushed_out(session, fates, [change for change, _ in here]) if here else ()
    items = tuple(each for change, groups in here for each in _new_items(session, change, chain.from_iterable(groups)))
    outside = sorted(printable_path(path) for path in session.history.outside if prompts.is_here(session, session.ref_at(path)))
    what = f"Links that leave the store: their files are not searched, checked, kept or changed: {', '.join(outside)}."
    problem = clipped(what, MOST_SHOWN) if outside else ""
    return News(session, tuple(here), unread, tuple(sorted(rest.items())), fates, fell, items, problem=problem)


def _lines(session: Session, change: PendingReview) -> Sequence[ReviewLine]:
    """The lines to review of a file; none if one row tells it all, as of one that came, went or was renamed.

    A long one would take seconds.
    """
    is_one = (
        change.reviewed is None
        or change.now is None
        or change.came_from is not None
        or bare_lines(change.reviewed) == bare_lines(change.now)
    )
    return () if is_one else review_lines.with_versions(session, change)


def _new_items(session: Session, change: PendingReview, lines: Iterable[ReviewLine]) -> Iterator[str]:
    """The texts of open items that were not in the version the user last saw, without those that are reworded in its `lines`."""
    is_list = change.ref.role is Role.CHECKLIST if items_apart(session.layout) else change.ref.role not in (None, Role.DERIVED)
    if not is_list or not checklist.may_hold_items(change.now or b""):
        return
    seen, now = ("\n".join(_masked((text or b"").decode("utf-8", "replace"))) for text in (change.reviewed, change.now))
    was, found = ([each for each in checklist.items(text) if each.box is Box.OPEN] for text in (seen, now))
    stood = {each.line for each in was}
    reworded = {line.change.added for line in lines if line.change.removed in stood}
    came = Counter(each.text for each in found if each.line not in reworded)
    yield from (came - Counter(each.text for each in was)).elements()


def _chosen(
    session: Session, refs: Sequence[MemRef], fates: Collection[str], most: int
) -> tuple[list[MemRef], tuple[tuple[MemRef, str], ...]]:
    """The `most` files that get rows, and the others, with what became of them.

    Those in the prompt come first, then the newest, deleted ones last. Raises `HistoryError`.
    """
    if len(refs) <= most:
        return list(refs), ()
    became = {
        each.path: _NEW if not each.reviewed else "changed" if each.now else _GONE for each in session.history.pending_review()
    }
    wanted = {ref.path: ref for ref in refs}
    newest = dict.fromkeys(version.path for version in session.history.latest() if not version.origin.is_ours)
    every = [wanted[path] for path in {**newest, **dict.fromkeys(wanted)} if path in wanted]
    every.sort(key=lambda ref: (ref.path not in fates, became.get(ref.path) == _GONE))
    return every[:most], tuple((ref, became.get(ref.path, "")) for ref in every[most:])


def _facts_pushed_out(session: Session, fates: Collection[str], changes: Sequence[PendingReview]) -> tuple[str, ...]:
    """The facts that these changes pushed out of the prompt: texts that it had before and has fewer times now.

    What came after the first of these changes is not among them: there was no room for it then.
    """
    known = [each for each in changes if not each.note]
    if not any(each.ref.path in fates for each in known):
        return ()
    try:
        texts = {each.ref.path: each.reviewed or b"" for each in known}
        if wiped := [each.ref.path for each in known if each.wiped]:
            texts |= {path: text_if_kept(session, id) or b"" for path, id in session.history.last_seen(wiped).items()}
        after, unsaved = previewing.preview(session), {path: text.decode("utf-8", "replace") for path, text in texts.items()}
        before = previewing.preview(session, unsaved=unsaved) if after.lost else after
    except MemError:
        return ()
    loaded = {(row.path, row.line): trim(row.text) for row in before.rows if _is_loaded(row)}
    missing = Counter(loaded.values()) - Counter(trim(row.text) for row in after.rows if _is_loaded(row))
    stood = {each.ref.path: _unchanged(texts[each.ref.path], each.now or b"") for each in known}
    origins = [(each, (each.path, stood[each.path].get(each.line, -1) if each.path in stood else each.line)) for each in after.lost]
    paths = {each.path for each in after.lost} if missing else set()
    stood_first = _stood_before(session, paths, {version.id for each in known for version in each.versions})
    lost: dict[str, set[int]] = {}
    for each, origin in sorted(origins, key=lambda pair: pair[1] not in loaded):
        text = loaded.get(origin, trim(each.text))
        if missing[text] > 0:
            missing[text] -= 1
            if text not in stood_first.get(each.path, (text,)):
                continue
            lost.setdefault(each.path, set()).add(each.line)
    fell: list[str] = []
    for path, lines in lost.items():
        try:
            text = "\n".join(_masked(open_file(session, session.ref_at(path)).text))
        except MemError:
            continue
        fell += [fact.says for fact in facts(text) if not lines.isdisjoint(range(fact.line, fact.stop))]
    return tuple(fell)


def _stood_before(session: Session, paths: Collection[str], ids: Collection[str]) -> dict[str, frozenset[str]]:
    """The lines that those of these files that changed since had before the first of these versions. Raises `HistoryError`."""
    before, left = dict[str, str](), set(ids) if paths else set()
    for version in session.history.latest():
        if not left:
            break
        if version.path in paths:
            before[version.path] = version.before
        left.discard(version.id)
    texts = {path: (text_if_kept(session, id) or b"").decode("utf-8", "replace") for path, id in before.items()}
    return {path: frozenset(map(trim, raw_lines(text))) for path, text in texts.items()}


def _unchanged(seen: bytes, now: bytes) -> dict[int, int]:
    return line_changes.unchanged(len(split(seen)), len(split(now)), line_changes.line_changes(seen, now))


def _is_loaded(row: BlockRow) -> bool:
    """Whether a row of the prompt preview is a complete line of a file."""
    return bool(row.path and not row.lost and trim(row.text))


def _masked(text: str) -> tuple[str, ...]:
    """The lines of a text with its credentials masked; some of these span several lines."""
    return (_masked_kept if len(text) <= _HELD_BYTES else _masked_once)(text)


def _masked_once(text: str) -> tuple[str, ...]:
    return tuple(line.rstrip("\r") for line in masked_each(raw_lines(text)))


_masked_kept = lru_cache(_MOST_KEPT)(_masked_once)


def hidden(before: bytes | None, after: bytes | None) -> dict[str, str]:
    """The lines of both texts that hold credentials, with these masked. Fast for those of a change that has a row."""
    texts = [(text or b"").decode("utf-8", "replace") for text in (before, after)]
    lines = [line.rstrip("\r") for text in texts for line in raw_lines(text)]
    return hidden_lines(lines, [line for text in texts for line in _masked(text)])


def _lines_shown(change: PendingReview) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of the version that the user last saw and of the current one, with credentials masked."""
    seen, now = (_masked((text or b"").decode("utf-8", "replace")) for text in (change.reviewed, change.now))
    return seen, now


def rows(
    found: Sequence[News],
    faults: Sequence[tuple[Session, Sequence[Finding]]],
    hints: Sequence[tuple[Session, str]],
    agents: Sequence[tuple[Session, Mapping[str, str]]],
    most_lines: int = MOST_LINES,
) -> list[Row]:
    """All rows: changes by others by agent and file, effects on the prompts, errors, then the rest (see `today.today`)."""
    by_store = {id(session): list(own) for session, own in faults}
    rows: list[Row] = []
    most = _most_each([len(groups) for each in found for _, groups in each.here], most_lines)
    for each in found:
        rows += _store_rows(each, by_store.get(id(each.session), []), most)
    doubted = (row for row in rows if row.doubts and not row.is_gone)  # other rows do not say that anything is wrong
    listed = {(id(row.session), row.ref.path, row.at) for row in doubted if row.ref is not None}
    rows = _with_errors(rows, faults, listed)
    rows += [row for session, own in faults for row in _errors(session, own, listed)]
    rows += [row for each in found if id(each.session) not in by_store for row in _known_errors(each)]
    for session, text in hints:
        rows.append(Row(Kind.BELONGS, session, text, (_place(session), "belongs", text), "projects"))
    for each in found:
        rows += _elsewhere(each, several=len(found) > 1)
    for session, names in agents:
        *most_names, last = names.values()
        who = f"{', '.join(most_names)} and {last} are" if most_names else f"{last} is"
        text = f"{who} not connected: no search of {session.layout.title}'s memory for {'them' if most_names else 'it'}."
        rows.append(Row(Kind.AGENTS, session, text, (_place(session), "agents", *names), "connect"))  # it ends with their ids
    rows += [Row(Kind.PROBLEM, each.session, each.problem, (_place(each.session), "problem")) for each in found if each.problem]
    return rows


def _most_each(sizes: Sequence[int], left: int) -> int:
    """How many lines of each file get a row: an equal share, to which files with fewer leave their rest."""
    share = left
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            break
        left -= size
    return max(share, LEAST_LINES)


def _store_rows(found: News, faults: Sequence[Finding], most: int) -> Iterator[Row]:
    session, place = found.session, _place(found.session)
    if found.fell:
        first = listed([f"“{clipped(each, _QUOTED)}”" for each in found.fell], 1)
        text = f"{counted(len(found.fell), 'fact')} fell out of the prompt because of this: {first}"
        yield Row(Kind.FELL, session, text, (place, "fell"), "prompt")
    files = [list(_file_rows(found, change, groups, faults, most)) for change, groups in found.here]
    for rows in sorted(files, key=lambda rows: (min(_rank(found, row) for row in rows), rows[-1].kind is Kind.MORE)):
        yield from rows
    yield from _unread(found, faults)
    if found.items:
        first = listed([f"“{clipped(each, _QUOTED)}”" for each in found.items], _MOST_NAMED)
        text = f"{counted(len(found.items), 'open item')} {'is' if len(found.items) == 1 else 'are'} new: {first}"
        yield Row(Kind.ITEMS, session, text, (place, "items"), "triage")


def _rank(found: News, row: Row) -> int:
    """The sort rank of a row: 0 lost or doubtful, 1 loaded, 2 other."""
    if row.doubts or row.fate in (Prompt.LOST, Prompt.CUT):
        return 0
    is_loaded = row.fate is Prompt.WHOLE or (row.is_gone and row.ref is not None and row.ref.path in (found.fates or {}))
    return 1 if is_loaded else 2


def _unread(found: News, faults: Sequence[Finding]) -> Iterator[Row]:
    """The row for files without rows of their own."""
    if paths := {ref.path for ref, _ in found.unread}:
        became = Counter(word for _, word in found.unread if word)
        doubts = Counter(word for fault in faults if fault.path in paths and (word := _doubt_of(fault)))
        doubts["loaded"] = len(paths & (found.fates or {}).keys())
        said = ", ".join(became if len(became) == 1 else _tally(became))
        text = f"… and {counted(len(paths), 'file')} more{f': {said}' if said else ''}"
        more = Row(Kind.MORE, found.session, text, (_place(found.session), "more"), "review", doubts=_tally(doubts))
        yield more._replace(files=len(paths), new=became[_NEW], gone=became[_GONE])


def _word(doubt: str) -> str:
    """The doubt without the place it names."""
    return next((word for word in _DOUBTS.values() if doubt.startswith(word)), doubt)


def _tally(found: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{count:,} {word}" for word, count in found.items() if count)


def _file_rows(
    found: News, change: PendingReview, groups: Sequence[Sequence[ReviewLine]], faults: Sequence[Finding], most: int
) -> Iterator[Row]:
    session, path = found.session, change.ref.path
    key, is_here = (_place(session), path), prompts.is_here(session, change.ref)
    version = change.versions[0] if change.versions else reviewing.last_written(session, path)
    base = Row(Kind.FILE, session, "", key, "review", Pick(change), ids=(review_lines.file_id(change),))
    base = base._replace(author=_agent(version), when=version.since if version else 0)
    if found.checked_ns is not None and version is not None and version.when > found.checked_ns:
        faults = ()  # they name lines of the text before
    if change.note or change.reviewed is None or change.now is None or not groups:
        fate, count = _file_fate(found, change), change.removed if change.is_unseen else change.told[change.now is None]
        text = clipped(_file_words(change, count), MOST_SHOWN)
        own = key if change.now is not None else (*key, "gone")  # no key is for either
        row = base._replace(text=text, key=own, doubts=_file_doubts(change, faults), fate=fate)
        yield row._replace(lines=max(count, 1))
        return
    came, known = _doubts(change, ()), _doubts(change, faults)
    seen, now = _lines_shown(change)
    lines = sorted((line for group in groups for line in group), key=lambda line: line.number)
    counts = [review_lines.how_many(group) for group in groups]
    judged = [_judged_row(found, base, group, came) for group in groups]
    order = sorted(range(len(groups)), key=lambda place: _rank(found, judged[place]))
    judged = [_judged_row(found, base, group, known) for group in groups] if len(known) > len(came) else judged
    first = set(order[:most])  # what the doctor finds later adds rows but removes none
    first.update([place for place in order[most:] if judged[place].doubts][:LEAST_LINES])
    for place in sorted(first, key=lambda place: (_rank(found, judged[place]), place)):
        group, row = groups[place], judged[place]
        head, gone = group[0], row.is_gone
        version = next((line.version for line in group if line.version is not None), None)
        said = [_line_at(seen, line.change.removed) if gone else _line_at(now, line.change.added) for line in group]
        text = " ".join(filter(None, map(trim, said))) or "an empty line"
        text, before = _at_change(text, "" if gone else trim(_line_at(seen, head.change.removed)))
        yield row._replace(
            text=clipped(text, MOST_SHOWN),
            is_cut=len(text) > MOST_SHOWN,
            key=(*key, *(_key_part(head.key.removed), _key_part(head.key.added), str(head.key.before))),
            pick=Pick(change, frozenset(line.number for line in group)),
            at=head.change.added
            if head.change.added is not None
            else max((each.change.added or 0 for each in lines[: head.number]), default=0),
            before=clipped(before, _MOST_COMPARED),
            fate=row.fate if is_here else None,
            author=base.author if version is None else _agent(version),
            when=version.since if version else base.when,
            ids=tuple(review_lines.line_id(path, line) for line in group),
            lines=counts[place],
        )
    if rest := [place for place in range(len(groups)) if place not in first]:
        lost = Counter(
            _fate(found, change, line.change.added).value
            for place in rest
            for line in groups[place]
            if line.change.added is not None and trim(_text(line.key.added))
        )
        told = Counter({word: lost[word] for word in (Prompt.LOST.value, Prompt.CUT.value)})
        told.update(_word(doubt) for place in rest for doubt in judged[place].doubts)
        left = sum(counts[place] for place in rest)
        text = f"… and {counted(left, 'line')} more of {printable_path(path)}"
        yield Row(Kind.MORE, session, text, (*key, "more"), "review", doubts=_tally(told), lines=left)


def _judged_row(found: News, base: Row, group: Sequence[ReviewLine], doubts: Mapping[int, Sequence[str]]) -> Row:
    """The row with what the prompt does with its lines, and the doubts about them."""
    at = group[0].change.added
    change = base.pick.change if base.pick is not None else None
    if at is None or change is None:
        return base._replace(kind=Kind.LINE, is_gone=True)
    fates = {_fate(found, change, line.change.added) for line in group if line.change.added is not None}
    own = [doubt for line in group if line.change.added is not None for doubt in doubts.get(line.change.added, ())]
    fate = _fate(found, change, at) if Prompt.LOST not in fates else Prompt.LOST
    return base._replace(kind=Kind.LINE, fate=fate, doubts=tuple(dict.fromkeys(own)))


def _groups(change: PendingReview, lines: Sequence[ReviewLine]) -> Iterator[tuple[ReviewLine, ...]]:
    """The changed lines in groups that are judged together: blank and continuation lines go with the line above."""
    if not lines:
        return
    starts = {fact.line for fact in facts((change.now or b"").decode("utf-8", "replace"))}
    own: list[ReviewLine] = []
    for line in lines:
        is_blank = not any(trim(_text(text)) for text in (line.key.removed, line.key.added) if text is not None)
        goes_on = bool(own) and line.change.hunk == own[-1].change.hunk and (is_blank or _is_next_of(own, line, starts))
        was_blank = bool(own) and all(not _text(each.key.added) and not _text(each.key.removed) for each in own)
        if own and not goes_on and not (was_blank and line.change.hunk == own[-1].change.hunk):
            yield tuple(own)
            own = []
        own = [line, *own] if was_blank and own and not is_blank else [*own, line]
    if own:
        yield tuple(own)


def _is_next_of(own: Sequence[ReviewLine], line: ReviewLine, starts: Collection[int]) -> bool:
    """Whether an added line is indented and continues a fact whose previous line was added too."""
    at, before, text = line.change.added, own[-1].change.added, line.key.added
    if at is None or before != at - 1 or text is None or line.change.removed is not None:
        return False
    return at not in starts and text[:1] in (b" ", b"\t")


def _doubts(change: PendingReview, faults: Sequence[Finding]) -> dict[int, list[str]]:
    """The doubts about the current text, by 0-based line."""
    found = grouped((each.line - 1, _HAZARDS.get(each.kind, reason(each))) for each in change.hazards)
    path = change.ref.path
    for fault in faults:
        if not (word := _doubt_of(fault)):
            continue
        if fault.path == path:
            at = f" {printable_path(fault.related[0].path)}:{fault.related[0].line}" if fault.related else ""
            for line in range(fault.line, fault.last_line + 1):
                found.setdefault(line - 1, []).append(f"{word}{at}")
        for place in fault.related:
            if place.path == path:
                found.setdefault(place.line - 1, []).append(f"{word} {printable_path(fault.path)}:{fault.line}")
    return found


def _doubt_of(fault: Finding) -> str:
    """The doubt that a finding is, in words; empty if it is none."""
    return _DOUBTS.get(_HIDDEN if fault.rule == POISON and fault.kind in HIDDEN_KINDS else fault.rule.name, "")


def _file_doubts(change: PendingReview, faults: Sequence[Finding]) -> tuple[str, ...]:
    """The doubts about a file that is new as a whole."""
    found = [_HAZARDS.get(each.kind, reason(each)) for each in change.hazards]
    found += [word for each in faults if each.path == change.ref.path and (word := _doubt_of(each))]
    return tuple(dict.fromkeys(found))


def _file_words(change: PendingReview, count: int) -> str:
    """What became of a file that has one row; `count` are its lines, without blank ones if it has others."""
    if change.note:
        return change.note
    of_text = " of text" * (count < (change.removed if change.now is None else change.added))
    lines = f"{counted(count, 'line')}{of_text}"
    if change.now is None:
        said = "came and went before you reviewed it" if change.is_unseen else "the file was deleted"
        return f"{said}, {lines}"
    now = change.now
    if change.came_from is not None:
        home, _, name = change.came_from.ref.path.rpartition("/")
        is_beside = home == change.ref.path.rpartition("/")[0]
        wrote, went = change.told
        did = [f"{counted(wrote, 'line')} new"] if wrote else []
        did += [f"{went if wrote else counted(went, 'line')} deleted"] if went else []
        return ", ".join([f"renamed from {printable_path(name if is_beside else change.came_from.ref.path)}", *did])
    if change.reviewed is not None:
        is_same = in_lf(change.reviewed) == in_lf(now)
        what = "line ends changed" if is_same else "white space at line ends changed"
        return f"{what}, {counted(count, 'line')}" if count else "nothing of its lines changed"
    start = now if len(now) <= _HELD_BYTES else now[: now.rfind(b"\n", 0, _HELD_BYTES) + 1]
    first = next((fact.says for fact in facts("\n".join(_masked(start.decode("utf-8", "replace"))[:_MOST_READ]))), "")
    return f"a new file, {lines}{f': {first}' if first else ''}"


def _file_fate(found: News, change: PendingReview) -> Prompt | None:
    """What the folder's prompt does with a new file of it: the worst among its lines."""
    if change.now is None or change.note or not prompts.is_here(found.session, change.ref):
        return None
    seen = (found.fates or {}).get(change.ref.path)
    if seen is None:
        return previewing.unseen(found.session, change.ref)
    return Prompt.LOST if seen.lost else Prompt.CUT if seen.begun else Prompt.WHOLE if seen.whole else Prompt.NEVER


def _fate(found: News, change: PendingReview, at: int) -> Prompt:
    seen = (found.fates or {}).get(change.ref.path)
    return previewing.unseen(found.session, change.ref) if seen is None else prompt_of_line(at, seen)


_Line = tuple[int, str, int]
"""A line that has a row: the id of its session, the path, and the 0-based number."""


def _errors_of(session: Session, faults: Sequence[Finding], listed: Collection[_Line]) -> Iterator[tuple[Finding, _Line | None]]:
    """The doctor's errors for the current folder, with the first of their lines that has a row."""
    for each in faults:
        if each.level is Level.ERROR and prompts.is_here(session, session.ref_at(each.path)):
            lines = ((id(session), each.path, line - 1) for line in range(each.line, each.last_line + 1))
            yield each, next((line for line in lines if line in listed), None)


def _with_errors(rows: Iterable[Row], faults: Sequence[tuple[Session, Sequence[Finding]]], listed: Collection[_Line]) -> list[Row]:
    """The rows of lines, with the number of errors that the doctor found in them, and these as the first of their doubts."""
    every = (each for session, own in faults for each in _errors_of(session, own, listed))
    found = grouped((line, _doubt_of(fault) or fault.message.removesuffix(".")) for fault, line in every if line is not None)
    own = ((row, row.ref is not None and not row.is_gone and (id(row.session), row.ref.path, row.at)) for row in rows)
    return [row.with_errors(found.pop(line, [])) if line else row for row, line in own]


def _errors(session: Session, faults: Sequence[Finding], listed: Collection[_Line]) -> Iterator[Row]:
    """The doctor's errors for the current folder, except for lines that have a row."""
    own = [each for each, line in _errors_of(session, faults, listed) if line is None]
    for fault in own[:MOST_FINDINGS]:
        place = f"{printable_path(fault.path)}:{fault.line}"
        key = (_place(session), "finding", fault.id)
        yield Row(Kind.FINDING, session, f"{place} {fault.message}", key, "doctor", at=fault.line - 1, errors=1)
    if (more := len(own) - MOST_FINDINGS) > 0:
        yield _more_errors(session, more)


def _known_errors(found: News) -> Iterator[Row]:
    """The files with known errors, for a store that the doctor has not examined in this run."""
    for path, count in found.errors[:MOST_FINDINGS]:
        text = f"{printable_path(path)} {counted(count, 'error')}"
        yield Row(Kind.FINDING, found.session, text, (_place(found.session), "finding", path), "doctor", errors=count)
    if more := sum(count for _, count in found.errors[MOST_FINDINGS:]):
        yield _more_errors(found.session, more)


def _more_errors(session: Session, count: int) -> Row:
    text = f"… and the doctor found {counted(count, 'more error')}"
    return Row(Kind.MORE, session, text, (_place(session), "findings"), "doctor", errors=count)


def _elsewhere(found: News, *, several: bool) -> Iterator[Row]:
    """One row for what waits in other projects of a store, naming the two largest, and of `several` stores whose it is."""
    if not found.elsewhere:
        return
    by_count = sorted(found.elsewhere, key=lambda each: (-each[1], each[0]))
    named = ", ".join(f"{counted(count, 'file')} of {found.session.whose(project)}" for project, count in by_count[:2])
    others, rest = f"other {group_word(found.session.layout)}", by_count[2:]
    more = f", {counted(sum(count for _, count in rest), 'file')} of {counted(len(rest), others)}" if rest else ""
    whose = f" · {found.session.layout.title}" if several else ""
    yield Row(Kind.ELSEWHERE, found.session, f"Elsewhere: {named}{more}{whose}", (_place(found.session), "elsewhere"), "review")


def _agent(version: Version | None) -> str:
    """The name of the agent or machine that wrote a version; empty if the writer did not say."""
    is_named = version is not None and version.author.kind in (AuthorKind.AGENT, AuthorKind.SYNCED)
    return version.author.name if version is not None and is_named else ""


def _line_at(shown: Sequence[str], line: int | None) -> str:
    return shown[line] if line is not None and line < len(shown) else ""


def _at_change(text: str, before: str) -> tuple[str, str]:
    """A changed line, now and before, without most of what is the same in front of the change, where that is long."""
    same = next((at for at, (new, old) in enumerate(zip(text, before, strict=False)) if new != old), len(before)) - _QUOTED
    return (f"…{text[same:]}", f"…{before[same:]}") if same > _QUOTED else (text, before)


def _text(line: bytes | None) -> str:
    return (line or b"").decode("utf-8", "replace").rstrip("\r\n")


def _key_part(line: bytes | None) -> str:
    return "" if line is None else f"={line.decode('utf-8', 'surrogateescape')}"


def _place(session: Session) -> str:
    return f"{session.layout.kind}:{session.root}"
