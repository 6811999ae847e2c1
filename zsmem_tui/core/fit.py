"""Find the fewest moves of text between files after which the memory block fits its cap, without losing a line from disk.

First to go are done items and duplicate facts, then what the prompt loses anyway. Of the rest go logs of earlier days, sections of
long-term memory (into a file beside it) if much has to go, then single facts. Open tasks and today's log are last. Shared memory
stays shared. What the person marked stays; if not enough may go, it moves to the top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import count
from typing import Final, NamedTuple

from zsmem_tui.core.block_edits import Edge, blocks, inserted, without_pieces
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.facts import Fact, Kind, Piece, divide, facts
from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.preview import Preview, State
from zsmem_tui.core.text import raw_lines, trim

SHORTEST_DOUBLE: Final = 12
"""Shorter facts, in characters, do not count as duplicates: they are often meant twice."""

SPARE: Final = 2_048
"""A section is moved only if it has at most this many bytes more than needed, and a loaded one only if more than this is needed;
else single facts go instead."""


ROOM: Final = 20
"""What part of the cap is left free, so that the next line of an agent cuts nothing. No open task or today's log goes for it, and
nothing much larger."""


SMALL: Final = 8
"""What part of that room may be missing in the end, rather than that something goes that frees less."""


class MoveKind(StrEnum):
    """The kind of a move. `DOUBLE` deletes copies of facts that stay, `TOP` moves facts to where a cut does not reach them."""

    DONE = "done"
    DOUBLE = "double"
    LOG = "log"
    SECTION = "section"
    FACTS = "facts"
    TOP = "top"


class FitMove(NamedTuple):
    """Lines of a file to move.

    `ranges` are the lines (0-based, stop excluded) in the text that the move was computed for. `target` is the file that gains
    them; empty for `DOUBLE`, the file itself for `TOP`. `frees` is their size in bytes. `lost`: the prompt has none of them whole.
    """

    id: str
    kind: MoveKind
    path: str
    ranges: tuple[tuple[int, int], ...]
    target: str
    title: str
    frees: int
    lost: bool = False


class FitStore(NamedTuple):
    """The files that a fit works on.

    `texts` are the files of the block: long-term memory, logs (oldest first), checklist. `others` are the files that may gain
    lines. `logs` are the logs that may go as a whole. `note` and `archive` return the path of a file of the project, `shared` of
    one beside long-term memory, which every project has as well; an empty path means that there is no such place.
    """

    texts: Mapping[str, str]
    others: Mapping[str, str]
    long_term: str
    checklist: str
    logs: tuple[str, ...]
    note: Callable[[str], str]
    archive: Callable[[str], str]
    shared: Callable[[str], str]


class Fit(NamedTuple):
    """The moves, and the block before and after them. `missing` counts the marked lines that still do not fit."""

    moves: tuple[FitMove, ...]
    before: Preview
    after: Preview
    missing: int


Measure = Callable[[Mapping[str, str]], Preview]
"""Compute the block for the case that the files at these paths have these texts."""


def fit(
    store: FitStore,
    measure: Measure,
    wanted: Mapping[str, Collection[int]],
    without: Iterable[FitMove] = (),
    *,
    leaves_room: bool = True,
) -> Fit:
    """Propose moves that leave the lines of `without` in place. `wanted` maps paths to the lines that the person marked."""
    before = measure({})
    chosen = _Choice(store, measure, before, wanted, without)
    if leaves_room and chosen.over > 0:
        chosen.ask(before.cap // ROOM)
    sorts = (_done_and_doubles, _old_logs, _sections, _single_facts)
    for chosen.spares_last, chosen.spares_loaded in ((True, True), (True, False), (False, True), (False, False)):
        if not chosen.spares_last and chosen.over > 0:
            chosen.ask(max(chosen.room - chosen.over, 0))
        for candidates in sorts:
            chosen.take(candidates)
    chosen.prune()
    chosen.lift(wanted)
    moves = _gathered(store, settled(store, chosen.moves))
    after = measure(applied(store, moves))
    while (fewer := settled(store, moves, {trim(row.text) for row in after.rows if not row.lost})) != moves:
        moves, after = fewer, measure(applied(store, fewer))
    return Fit(tuple(moves), before, after, _missing(store, moves, after, wanted))


def _gathered(store: FitStore, moves: Sequence[FitMove]) -> list[FitMove]:
    """The moves with their sections in file order; several that would each make a file share one that agents read whole."""
    sizes = {path: len(text.encode()) for path, text in store.others.items()}
    sections = sorted((move for move in moves if move.kind is MoveKind.SECTION), key=lambda move: move.ranges)
    alone = [move.id for move in sections if move.target in sizes]
    if len(sections) - len(alone) > 1:
        for place, move in enumerate(sections):
            for number in count(1) if move.id not in alone else ():
                target = store.shared("sections" if number == 1 else f"sections {number}")
                size = sizes.get(target, 0)
                if not target or not size or size + move.frees <= MAX_INJECT_BYTES:
                    sizes[target] = size + move.frees
                    sections[place] = move._replace(target=target or move.target)
                    break
    in_order = iter(sections)
    return [next(in_order) if move.kind is MoveKind.SECTION else move for move in moves]


def settled(store: FitStore, moves: Sequence[FitMove], loaded: Collection[str] | None = None) -> list[FitMove]:
    """The moves, without deleting duplicates that another move takes along, or of which no copy would stay in place.

    With `loaded`, the lines of the prompt, a copy has to be in it as well.
    """
    others, staying = [move for move in moves if move.kind is not MoveKind.DOUBLE], set[str]()
    twice = {(move.path, start) for move in moves if move.kind is MoveKind.DOUBLE for start, _ in move.ranges}
    deleted: set[tuple[str, int]] = set()
    for is_copy in (False, True):
        for path, fact in _left_in_place(store, others) if twice else ():
            key, place = trim(fact.text), (path, fact.line)
            if is_copy != (place in twice):
                continue
            if key in staying and is_copy:
                deleted.add(place)
            elif loaded is None or all(trim(line) in loaded for line in raw_lines(key)):
                staying.add(key)
    out = []
    for move in moves:
        if move.kind is MoveKind.DOUBLE and any((move.path, start) not in deleted for start, _ in move.ranges):
            gone = [fact for fact in _facts_of(store, move) if (move.path, fact.line) in deleted]
            move = move._replace(ranges=tuple((fact.line, fact.stop) for fact in gone), frees=_size(gone))
        if move.ranges:
            out.append(move)
    return out


def _left_in_place(store: FitStore, moves: Sequence[FitMove]) -> Iterator[tuple[str, Fact]]:
    """The facts that these moves leave where they are, with the paths of their files."""
    taking = [move for move in moves if move.kind is not MoveKind.TOP]
    for path, text in store.texts.items():
        ranges = [each for move in taking if move.path == path for each in move.ranges]
        yield from ((path, fact) for fact in facts(text) if not any(start <= fact.line < stop for start, stop in ranges))


def leaving(store: FitStore, moves: Iterable[FitMove], before: Preview) -> int:
    """Count the facts that these moves take out of the prompt `before`, not counting copies of facts that stay."""
    gone = [move for move in moves if move.kind not in (MoveKind.DOUBLE, MoveKind.TOP)]
    moved = {(move.path, line) for move in gone for lines in move.ranges for line in range(*lines)} & _loaded(before)
    return sum(
        any((path, line) in moved for line in range(fact.line, fact.stop))
        for path in {path for path, _ in moved}
        for fact in facts(store.texts[path])
    )


def _loaded(seen: Preview) -> set[tuple[str, int]]:
    """The (path, line) of each line that is whole in a prompt."""
    return {(row.path, row.line) for row in seen.rows if not row.lost and trim(row.text)}


def applied(store: FitStore, moves: Iterable[FitMove]) -> dict[str, str]:
    """The texts of all changed files after these moves, by path; empty for a log that was moved as a whole."""
    moves = list(moves)
    out: dict[str, str] = {}
    taken = {path: _first_lines(divide(text), [move for move in moves if move.path == path]) for path, text in store.texts.items()}
    for path, text in store.texts.items():
        top = [fact for fact in facts(text) if fact.line in taken[path].get(MoveKind.TOP, set())]
        if taken[path]:
            gone = set().union(*taken[path].values())
            left = without_pieces(text, gone)
            out[path] = inserted(left, blocks(top), Edge.TOP) if top else left
    for move in moves:
        if not move.target or move.kind is MoveKind.TOP:
            continue
        text = store.texts[move.path]
        old = out.get(move.target, store.others.get(move.target, ""))
        if move.kind in (MoveKind.DONE, MoveKind.FACTS):
            starts = {start for start, _ in move.ranges}
            new = inserted(old, blocks(fact for fact in facts(text) if fact.line in starts), Edge.END)
        else:
            elsewhere = set().union(*(lines for kind, lines in taken[move.path].items() if kind in (MoveKind.DONE, MoveKind.TOP)))
            pieces = (piece for piece in divide(text) if any(start <= piece.line < stop for start, stop in move.ranges))
            inside = "".join(piece.text for piece in pieces if piece.line not in elsewhere)
            joint = "" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n"
            new = f"{old}{joint}{inside}"
        out[move.target] = new if new.endswith("\n") else f"{new}\n"
    return out


class _Choice:
    """The moves chosen so far, and `over`, the number of bytes still above the cap less `room`, which is to be left free."""

    def __init__(
        self,
        store: FitStore,
        measure: Measure,
        before: Preview,
        wanted: Mapping[str, Collection[int]],
        without: Iterable[FitMove],
    ) -> None:
        self.store = store
        self.measure = measure
        self.refused: dict[str, set[int]] = {}
        """The lines that the person left in place, by path."""
        for move in without:
            self.refused.setdefault(move.path, set()).update(*(range(*each) for each in move.ranges))
        self.stays = {path: {*wanted.get(path, ()), *self.refused.get(path, ())} for path in store.texts}
        """The lines that must not leave their file, by path."""
        self.spares_loaded = True
        """Whether logs, sections and facts with lines that the prompt has now must not be moved out."""
        self.spares_last = True
        """Whether open tasks and facts of today's log must not be moved out."""
        self.loaded = _loaded(before)
        self.tasks = {
            path: frozenset(item.line for item in items(text) if item.box is Box.OPEN) for path, text in store.texts.items()
        }
        """The first lines of the open tasks, by path."""
        self.moves: list[FitMove] = []
        self.room = 0
        self.over = self._over(before)

    def _over(self, seen: Preview) -> int:
        """The number of bytes above the wanted size, including a file of the fit that is left out for its size."""
        skipped = (use.full for use in seen.uses if use.state is State.SKIPPED and use.path in self.store.texts)
        return seen.needed + sum(skipped) - seen.cap + self.room

    def ask(self, room: int) -> None:
        """Ask for this much free room."""
        self.room, self.over = room, self.over - self.room + room

    def take(self, candidates: Callable[[_Choice], Iterable[FitMove]]) -> None:
        """Choose among the candidate moves until the block fits or none is left."""
        known = {move.id for move in self.moves}
        left = [move for move in candidates(self) if move.id not in known]
        while self.over > 0 and left:
            tried = list(self.moves)
            over = self.over
            while over > 0 and (best := self._best(left, tried, over)):
                left.remove(best)
                tried = [*(each for each in tried if not _overlaps(each, [best])), best]
                over -= best.frees
            if tried == self.moves:
                return
            over = self._over(self.after(tried))
            if over < self.over:
                self.moves, self.over = tried, over

    def prune(self) -> None:
        """Drop moves that later ones made unnecessary, smallest first, of what the prompt has before what it loses."""
        for move in [each for each in self.moves if each.kind is MoveKind.FACTS and not each.lost]:
            self._shorten(move)
        for move in sorted(self.moves, key=lambda move: (move.lost, move.frees)):
            if move.frees <= -self.over:
                fewer = [each for each in self.moves if each is not move]
                over = self._over(self.after(fewer))
                if over <= 0:
                    self.moves, self.over = fewer, over
        for move in [each for each in self.moves if each.kind is MoveKind.FACTS]:
            self._shorten(move)
        large = [(each, self.room) for each in self.moves if each.frees > 2 * self.room]
        least, stays_gone = self.room // SMALL, (MoveKind.DONE, MoveKind.DOUBLE)
        small = [(each, least) for each in self.moves[::-1] if each.frees <= least and each.kind not in stays_gone]
        for move, missing in (*large, *small):
            fewer = [each for each in self.moves if each is not move]
            if (over := self._over(self.after(fewer))) <= missing:
                self.moves, self.over = fewer, over

    def _shorten(self, move: FitMove) -> None:
        """Leave as many facts of a move in place as have room, the first of the file first."""
        own, back, room = _facts_of(self.store, move), 0, -self.over
        while back < len(own) - 1 and (room := room - _size(own[back : back + 1])) >= 0:
            back += 1
        while back:
            kept = own[back:]
            lost = all(self.is_lost(move.path, fact.line, fact.stop) for fact in kept)
            less = _move(MoveKind.FACTS, move.path, kept, move.target, move.title, _size(kept), lost)
            tried = [less if each is move else each for each in self.moves]
            over = self._over(self.after(tried))
            if over <= 0:
                self.moves, self.over = tried, over
                return
            back -= max(1, back // 8)  # what stays may keep a heading or a blank line, too

    def _best(self, left: list[FitMove], tried: Sequence[FitMove], over: int) -> FitMove | None:
        """The smallest move that is enough, else the largest; no section that has much more than needed."""
        free = [move for move in left if not _overlaps(move, tried)]
        free = [move for move in free if move.kind is not MoveKind.SECTION or move.frees <= over + SPARE]
        enough = [move for move in free if move.frees >= over]
        return min(enough, key=lambda move: move.frees) if enough else max(free, key=lambda move: move.frees, default=None)

    def after(self, moves: Sequence[FitMove]) -> Preview:
        """The block after these moves."""
        return self.measure(applied(self.store, settled(self.store, moves)))

    def is_lost(self, path: str, start: int, stop: int) -> bool:
        """Whether the prompt has none of these lines whole."""
        return not any((path, line) in self.loaded for line in range(start, stop))

    def lift(self, marked: Mapping[str, Collection[int]]) -> None:
        """If the block is still too large, move marked facts to the top of their files."""
        if self.over <= 0:
            return
        for path, lines in marked.items():
            refused = self.refused.get(path, ())
            own = [each for each in facts(self.store.texts.get(path, "")) if _touches(each, lines) and not _touches(each, refused)]
            move = _move(MoveKind.TOP, path, own, path, "to the top", 0)
            if own and path != self.store.checklist:
                self.moves.append(move)


def _overlaps(move: FitMove, others: Iterable[FitMove]) -> bool:
    """Whether a move of a section or of single facts shares lines with another chosen move."""
    if move.kind not in (MoveKind.SECTION, MoveKind.FACTS):
        return False
    return any(
        each.path == move.path and each.kind in (MoveKind.SECTION, MoveKind.LOG) and start < stop2 and start2 < stop
        for each in others
        for start, stop in each.ranges
        for start2, stop2 in move.ranges
    )


def _done_and_doubles(choice: _Choice) -> Iterator[FitMove]:
    """Moves for done items and duplicates, one of each per file. Of duplicates, the first in file order stays."""
    seen: set[str] = set()
    for path, text in choice.store.texts.items():
        every = facts(text)
        is_list = path == choice.store.checklist
        refused = choice.refused.get(path, ())
        done = [] if is_list else [fact for fact in _done_items(text, every) if not _touches(fact, refused)]
        target = choice.store.shared("done") if path == choice.store.long_term else choice.store.archive(path)
        if done and target:
            yield _move(MoveKind.DONE, path, done, target, "done items", _size(done))
        twice: list[Fact] = []
        for fact in every:
            key = trim(fact.text)
            if fact in done or fact.kind is Kind.ROW or len(key) < SHORTEST_DOUBLE:
                continue
            twice += [fact] if key in seen and not _touches(fact, refused) else []
            seen.add(key)
        if twice:
            yield _move(MoveKind.DOUBLE, path, twice, "", "what stands twice", _size(twice))


def _old_logs(choice: _Choice) -> Iterator[FitMove]:
    for path in choice.store.logs:
        text = choice.store.texts[path]
        target = choice.store.archive(path)
        lines = text.count("\n") + 1
        lost = choice.is_lost(path, 0, lines)
        is_spared = choice.stays[path] or (choice.spares_last and choice.tasks[path]) or (choice.spares_loaded and not lost)
        if not target or not trim(text) or is_spared:
            continue
        move = FitMove(f"log:{path}:0", MoveKind.LOG, path, ((0, lines),), target, "the whole log", len(text.encode()), lost)
        if any(use.path not in choice.store.texts for use in choice.after([move]).uses):  # an older log would come in for it
            first = _first_piece(divide(text))
            start = first.stop if first else lines
            rest = "".join(piece.text for piece in divide(text) if piece.line >= start)
            move = move._replace(ranges=((start, lines),), title="all but its first lines", frees=len(rest.encode()))
        if move.frees:
            yield move


def _sections(choice: _Choice) -> list[FitMove]:
    """Moves for sections of long-term memory; none that is loaded for little, and none where most must be single facts anyway."""
    out: list[FitMove] = []
    path = choice.store.long_term
    text = choice.store.texts.get(path, "")
    pieces = divide(text)
    stays, first = choice.stays.get(path, ()), _first_piece(pieces)
    for at, piece in enumerate(pieces):
        if piece.kind is not Kind.HEADING or (piece.level == 1 and piece is first):
            continue
        below = (each.line for each in pieces[at + 1 :] if each.kind is Kind.HEADING and each.level <= piece.level)
        stop = next(below, pieces[-1].stop)
        size = sum(len(each.text.encode()) for each in pieces if piece.line <= each.line < stop)
        title = piece.headings[-1] or "memory"
        target = choice.store.shared(title)
        lost = choice.is_lost(path, piece.line, stop)
        spared = [*stays, *(choice.tasks.get(path, ()) if choice.spares_last else ())]
        is_spared = any(piece.line <= line < stop for line in spared) or (choice.spares_loaded and not lost)
        least = choice.over if lost or not choice.spares_last else choice.over - SPARE
        if not target or is_spared or least <= 0:
            continue
        out.append(
            FitMove(f"section:{path}:{piece.line}", MoveKind.SECTION, path, ((piece.line, stop),), target, title, size, lost)
        )
    return out if 2 * sum(move.frees for move in out) > choice.over else []


def _single_facts(choice: _Choice) -> Iterator[FitMove]:
    """Moves for as many facts of each file as needed, last first, without those that are spared."""
    taken = {(each.path, line) for each in choice.moves for start, stop in each.ranges for line in range(start, stop)}
    for path, text in choice.store.texts.items():
        every = [fact for fact in facts(text) if (path, fact.line) not in taken and not _touches(fact, choice.stays[path])]
        if path == choice.store.checklist:
            every = [fact for fact in every if fact.line in choice.tasks[path]]
        is_log = path not in (choice.store.long_term, choice.store.checklist)
        if choice.spares_last:
            is_today = is_log and path not in choice.store.logs
            every = [fact for fact in every if not is_today and not _touches(fact, choice.tasks[path])]
        if choice.spares_loaded:
            every = [fact for fact in every if choice.is_lost(path, fact.line, fact.stop)]
        own: list[Fact] = []
        size = 0
        for fact in reversed(every):
            if size > choice.over + SPARE:
                break  # some more than needed, since headings may come in with facts that stay
            own.append(fact)
            size += len(fact.text.encode())
        if own:
            target = choice.store.shared("memory") if path == choice.store.long_term else choice.store.note("later")
            if is_log:
                target = choice.store.archive(path) or choice.store.note("log")
            own.sort()
            if target:
                lost = all(choice.is_lost(path, fact.line, fact.stop) for fact in own)
                yield _move(MoveKind.FACTS, path, own, target, "single facts", size, lost)


def _move(kind: MoveKind, path: str, own: Sequence[Fact], target: str, title: str, frees: int, lost: bool = False) -> FitMove:
    ranges = tuple((fact.line, fact.stop) for fact in own)
    return FitMove(f"{kind}:{path}:{ranges[0][0] if ranges else 0}", kind, path, ranges, target, title, frees, lost)


def _facts_of(store: FitStore, move: FitMove) -> list[Fact]:
    """The facts that a move of single facts takes."""
    lines = frozenset(move.ranges)
    return [fact for fact in facts(store.texts[move.path]) if (fact.line, fact.stop) in lines]


def _done_items(text: str, every: Sequence[Fact]) -> list[Fact]:
    """The items that are done, including all their children."""
    boxes = {item.line: item.box for item in items(text)}
    return [
        fact
        for fact in every
        if fact.kind is Kind.ITEM
        and boxes.get(fact.line) is Box.DONE
        and all(boxes.get(child, Box.DONE) is Box.DONE for child in fact.children)
    ]


def _first_lines(pieces: Sequence[Piece], moves: Sequence[FitMove]) -> dict[MoveKind, set[int]]:
    """The first lines of the pieces that the moves take, by kind of move."""
    out: dict[MoveKind, set[int]] = {}
    for move in moves:
        own = out.setdefault(move.kind, set())
        if move.kind in (MoveKind.SECTION, MoveKind.LOG):
            own |= {piece.line for piece in pieces if any(start <= piece.line < stop for start, stop in move.ranges)}
        else:
            own |= {start for start, _ in move.ranges}
    return out


def _first_piece(pieces: Iterable[Piece]) -> Piece | None:
    """The first piece that is neither blank nor front matter."""
    return next((piece for piece in pieces if piece.kind not in (Kind.BLANK, Kind.FRONT_MATTER)), None)


def _touches(fact: Fact, lines: Collection[int]) -> bool:
    return any(line in lines for line in range(fact.line, fact.stop))


def _size(own: Iterable[Fact]) -> int:
    return sum(len(fact.text.encode()) for fact in own)


def _missing(store: FitStore, moves: Sequence[FitMove], after: Preview, wanted: Mapping[str, Collection[int]]) -> int:
    """Count the marked lines that are not whole in the block after the moves."""
    there: dict[str, int] = {}
    for row in after.rows:
        if row.path and not row.lost:
            there[trim(row.text)] = there.get(trim(row.text), 0) + 1
    missing = 0
    for path, lines in wanted.items():
        texts = raw_lines(store.texts.get(path, ""))
        for number in lines:
            words = trim(texts[number]) if number < len(texts) else ""
            missing += bool(words) and not there.get(words)
    return missing
