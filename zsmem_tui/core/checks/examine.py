"""All rules over the texts of a store. What a text says by itself is worked out once for each (`read`), and kept by whoever asks.

Daily logs are records of a day: only what is broken or too long is looked for in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.checks import whole
from zsmem_tui.core.checks.clashes import contradictions
from zsmem_tui.core.checks.copies import HEED_EVERY, Pair, Told, duplicates, heeding, near_duplicates, paid_twice
from zsmem_tui.core.checks.fault import WEIGHT, Check, Fault, Level, LineEdit, Place, Repair
from zsmem_tui.core.checks.links import DeadLink, Links, dead_links
from zsmem_tui.core.checks.paths import Tree, dead_paths
from zsmem_tui.core.checks.sheet import Form, Saying, Sheet, sheet
from zsmem_tui.core.checks.spot_faults import spot_faults
from zsmem_tui.core.checks.stale import stale
from zsmem_tui.core.checks.words import bag, is_comparable, key
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import never

_HOLDS_FACTS: Final = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.NOTE)
MOST_EDITED: Final = 10_000
"""Characters of a line in which a fix changes a word: there may be as many faults as words in a longer one."""

MOST_AROUND: Final = 80
"""Characters of blanks and quote marks that may stand around a sentence that is a line of its own."""

_NO_BAG: Final = bag("")
_NO_PAGE: Final = Sheet([])
"""The lines of a text that holds no facts: all that is asked of it is found when it is read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one text says by itself: its lines, its facts ready for comparing, and the faults that need no other file."""

    ref: MemRef
    size: int
    sheet: Sheet
    told: tuple[Told, ...]
    faults: tuple[Fault, ...]


class Surroundings(NamedTuple):
    """What the rules about one project need to know beside its texts.

    `tree` is its folder's (None: not known), `instructions` the keys of what is in every prompt of that folder anyway, with file
    and line; `names` are the names of the store's files.
    """

    home: str
    links: Links
    tree: Tree | None
    instructions: Mapping[str, tuple[str, int]]
    names: frozenset[str]


def read(ref: MemRef, text: str, block_end: str, *, cancelled: Callable[[], bool] = never) -> Reading:
    """A text with all that it says by itself. Raises `Cancelled`."""
    page = sheet(text, has_facts=ref.role in _HOLDS_FACTS)
    faults = [*whole.broken(page, ref.path, block_end), *whole.long_lines(page, ref.path)]
    if ref.role is Role.CHECKLIST:
        faults += whole.hidden(text, ref.path)
    faults += spot_faults(ref.path, page, text)
    told = tuple(
        [_told(ref, saying) for saying in (heeding(page.facts, cancelled) if len(page.facts) > HEED_EVERY else page.facts)]
    )
    return Reading(ref, len(text), page if ref.role in _HOLDS_FACTS else _NO_PAGE, told, tuple(faults))


def about_text(reading: Reading, around: Surroundings, today: date) -> Iterator[Fault]:
    """What is wrong with the facts of one text, given what lies around it."""
    ref, page = reading.ref, reading.sheet
    if ref.role not in _HOLDS_FACTS:
        return
    for dead in dead_links(page, ref.path, around.home, around.links):
        yield _dead_link(ref.path, page, dead)
    if around.tree is not None:
        for gone in dead_paths(page, around.tree, around.names):
            row = page.rows[gone.line]
            shown = gone.elsewhere or f"~~{gone.shown}~~"
            if len(row) > MOST_EDITED:
                yield Fault(Check.DEAD_PATH, Level.WARNING, ref.path, gone.line + 1, text=gone.shown, quoted=gone.shown)
                continue
            after = row.replace(f"`{gone.shown}`", f"`{shown}`" if gone.elsewhere else f"~~`{gone.shown}`~~", 1)
            after = row.replace(gone.shown, shown, 1) if after == row else after
            repair = Repair(
                "other-path" if gone.elsewhere else "strike", shown, (LineEdit(ref.path, gone.line + 1, (row,), (after,)),)
            )
            yield Fault(
                Check.DEAD_PATH,
                Level.WARNING,
                ref.path,
                gone.line + 1,
                text=gone.shown,
                quoted=f"{gone.shown}\0{row}",
                repair=repair,
            )
    for end in stale(page, today, ref.name):
        yield _stale(ref.path, page, end.saying, end.shown)


def across(
    readings: Iterable[Reading],
    instructions: Mapping[str, tuple[str, int]],
    owner: str,
    *,
    cancelled: Callable[[], bool] = never,
) -> list[Fault]:
    """What stands twice or contradicts itself among the texts of one project and those for all, seen from the project.

    `owner` is the project; empty: only the texts for all, compared with each other. Raises `Cancelled`.
    """
    own = list(readings)
    return [*compared(own, owner, cancelled=cancelled), *paid_for_twice(own, instructions, owner)]


def compared(own: Sequence[Reading], owner: str, *, cancelled: Callable[[], bool] = never) -> list[Fault]:
    """What stands twice or contradicts itself among these texts, as `across` has it. Raises `Cancelled`."""
    pages = {reading.ref.path: reading.sheet for reading in own}
    told = [each for reading in own for each in reading.told]
    faults: list[Fault] = []
    taken: set[tuple[str, int]] = set()
    for pair in duplicates(told):
        if _concerns(pair, owner):
            taken.add((pair.other.path, pair.other.saying.line))
            faults.append(_doubled(Check.DUPLICATE, pair, pages))
    for pair in near_duplicates(told, cancelled=cancelled):
        spot = (pair.other.path, pair.other.saying.line)
        if _concerns(pair, owner) and spot not in taken:
            taken.add(spot)
            faults.append(_doubled(Check.NEAR_DUPLICATE, pair, pages))
    faults += (_clash(pair, pages) for pair in contradictions(told, cancelled=cancelled) if _concerns(pair, owner))
    return faults


def paid_for_twice(own: Sequence[Reading], instructions: Mapping[str, tuple[str, int]], owner: str) -> list[Fault]:
    """What of these texts is in every prompt of the project's folder anyway, as `across` has it."""
    pages = {reading.ref.path: reading.sheet for reading in own}
    faults: list[Fault] = []
    told = (each for reading in own for each in reading.told if each.owner == owner)
    for fact, place, line in paid_twice(told, {owner: instructions}):
        repair = Repair("delete", place, _deletion(fact, pages[fact.path]))
        faults.append(
            Fault(
                Check.PAID_TWICE,
                Level.WARNING,
                fact.path,
                fact.saying.line + 1,
                fact.saying.stop,
                text=place,
                related=(Place(place, line),),
                quoted=fact.saying.text,
                repair=repair,
            )
        )
    return faults


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Faults with the worst first, then by file and line; those that are the same in all that they quote are numbered."""
    found = sorted(faults, key=lambda each: (WEIGHT[each.level], each.path, each.line, each.check))
    seen: dict[str, int] = {}
    out = []
    for fault in found:
        nth = seen.get(fault.id, 0)
        seen[fault.id] = nth + 1
        out.append(replace(fault, nth=nth) if nth else fault)
    return out


def _told(ref: MemRef, saying: Saying) -> Told:
    own = key(saying.text)
    if not is_comparable(own):
        return Told(ref.path, ref.project, saying, "", _NO_BAG)
    return Told(ref.path, ref.project, saying, own, bag(own))


def _concerns(pair: Pair, owner: str) -> bool:
    """Whether a pair is to be told of when a project is looked at: what is for all is told of by itself."""
    return owner in (pair.stays.owner, pair.other.owner)


def _rows(fact: Told, pages: Mapping[str, Sheet]) -> tuple[str, ...]:
    if fact.saying.form is Form.SENTENCE:
        return (fact.saying.text,)
    return tuple(pages[fact.path].rows[fact.saying.line : fact.saying.stop])


def _deletion(fact: Told, page: Sheet) -> tuple[LineEdit, ...]:
    """Taking a fact away; none where its lines hold other facts too, or others hang below it."""
    saying = fact.saying
    if saying.form is Form.SENTENCE:
        if len(page.rows[saying.line]) > len(saying.text) + MOST_AROUND:
            return ()
        rows = page.rows[saying.line : saying.stop]
        return (
            (LineEdit(fact.path, saying.line + 1, tuple(rows), ()),) if " ".join(row.strip() for row in rows) == saying.text else ()
        )
    if saying.stop < len(page.rows):
        row, below = page.rows[saying.line], page.rows[saying.stop]
        if saying.form is not Form.ROW and below.strip() and _indent(below) > _indent(row):
            return ()
    return (LineEdit(fact.path, saying.line + 1, tuple(page.rows[saying.line : saying.stop]), ()),)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))


def _doubled(check: Check, pair: Pair, pages: Mapping[str, Sheet]) -> Fault:
    gone = pair.other
    return Fault(
        check,
        Level.WARNING,
        gone.path,
        gone.saying.line + 1,
        gone.saying.stop,
        related=(Place(pair.stays.path, pair.stays.saying.line + 1),),
        quoted="\n".join((*_rows(gone, pages), *_rows(pair.stays, pages))),
        repair=Repair("delete-copy", edits=_deletion(gone, pages[gone.path])),
    )


def _clash(pair: Pair, pages: Mapping[str, Sheet]) -> Fault:
    return Fault(
        Check.CONTRADICTION,
        Level.WARNING,
        pair.other.path,
        pair.other.saying.line + 1,
        pair.other.saying.stop,
        related=(Place(pair.stays.path, pair.stays.saying.line + 1),),
        quoted="\n".join((*_rows(pair.other, pages), *_rows(pair.stays, pages))),
        repair=Repair(
            "pick-one",
            choices=tuple(Repair("delete", edits=_deletion(each, pages[each.path])) for each in (pair.other, pair.stays)),
        ),
    )


def _stale(path: str, page: Sheet, saying: Saying, shown: str) -> Fault:
    rows = tuple(page.rows[saying.line : saying.stop])
    if saying.form is Form.TASK:
        box = re.sub(r"\[[ \t]?\]", "[x]", rows[0], count=1)
        repair = Repair("mark-done", edits=(LineEdit(path, saying.line + 1, rows[:1], (box,)),) if box != rows[0] else ())
    else:
        repair = Repair("delete", edits=_deletion(Told(path, "", saying, "", _NO_BAG), page))
    return Fault(Check.STALE, Level.WARNING, path, saying.line + 1, saying.stop, text=shown, quoted=saying.text, repair=repair)


def _dead_link(path: str, page: Sheet, dead: DeadLink) -> Fault:
    row = page.rows[dead.line]
    if len(row) > MOST_EDITED:
        return Fault(Check.DEAD_LINK, Level.WARNING, path, dead.line + 1, text=dead.target, quoted=dead.link)
    put = dead.nearest or dead.unlinked
    edits = (LineEdit(path, dead.line + 1, (row,), (row.replace(dead.link, put, 1),)),) if put and put != dead.link else ()
    repair = Repair("link-nearest" if dead.nearest else "unlink", dead.nearest, edits)
    return Fault(Check.DEAD_LINK, Level.WARNING, path, dead.line + 1, text=dead.target, quoted=f"{dead.link}\0{row}", repair=repair)


def weigh(faults: Sequence[Fault]) -> dict[Level, int]:
    """How many faults there are of each level."""
    return {level: sum(1 for each in faults if each.level is level) for level in Level}
