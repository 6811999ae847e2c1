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
from zsmem_tui.core.checks.contradiction import CONTRADICTION, contradictions
from zsmem_tui.core.checks.copies import (
    DUPLICATE,
    HEED_EVERY,
    NEAR_DUPLICATE,
    PAID_TWICE,
    Pair,
    Told,
    duplicates,
    heeding,
    near_duplicates,
    paid_twice,
)
from zsmem_tui.core.checks.finding import WEIGHT, Finding, Fix, Level, LineEdit, Place, Rule
from zsmem_tui.core.checks.links import DEAD_LINK, Dead, Links, dead_links
from zsmem_tui.core.checks.paths import DEAD_PATH, Tree, dead_paths
from zsmem_tui.core.checks.sheet import Form, Saying, Sheet, sheet
from zsmem_tui.core.checks.spot_faults import spot_faults
from zsmem_tui.core.checks.stale import STALE, stale
from zsmem_tui.core.checks.words import bag, is_comparable, key
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import never
from zsmem_tui.core.text import one_line

_HOLDS_FACTS: Final = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.NOTE)
MOST_EDITED: Final = 10_000
"""Characters of a line in which a fix changes a word: there may be as many faults as words in a longer one."""

MOST_AROUND: Final = 80
"""Characters of blanks and quote marks that may stand around a sentence that is a line of its own."""

_LONGEST_TARGET: Final = 200
"""Characters of a target, or of another fact, that a sentence quotes."""

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
    faults: tuple[Finding, ...]


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


def about_text(reading: Reading, around: Surroundings, today: date) -> Iterator[Finding]:
    """What is wrong with the facts of one text, given what lies around it."""
    ref, page = reading.ref, reading.sheet
    if ref.role not in _HOLDS_FACTS:
        return
    if (
        around.tree is not None or not ref.project
    ):  # a link may lead to a file of the project: where that is not known, nobody can say
        for dead in dead_links(page, ref.path, around.home, around.links):
            yield _dead(DEAD_LINK, "The link leads to {text}, which is not there.", "Link to {name} instead.", ref.path, page, dead)
    if around.tree is not None:
        for dead in dead_paths(page, around.tree, around.names):
            yield _dead(DEAD_PATH, "The project's folder has no {text}.", "Write {name} instead.", ref.path, page, dead)
    yield from (_stale(ref.path, page, end.saying, end.shown) for end in stale(page, today, ref.name))


def across(
    readings: Iterable[Reading],
    instructions: Mapping[str, tuple[str, int]],
    owner: str,
    *,
    cancelled: Callable[[], bool] = never,
) -> list[Finding]:
    """What stands twice or contradicts itself among the texts of one project and those for all, seen from the project.

    `owner` is the project; empty: only the texts for all, compared with each other. Raises `Cancelled`.
    """
    own = list(readings)
    return [*compared(own, owner, cancelled=cancelled), *paid_for_twice(own, instructions, owner)]


def compared(own: Sequence[Reading], owner: str, *, cancelled: Callable[[], bool] = never) -> list[Finding]:
    """What stands twice or contradicts itself among these texts, as `across` has it. Raises `Cancelled`."""
    pages = {reading.ref.path: reading.sheet for reading in own}
    told = [each for reading in own for each in reading.told]
    faults: list[Finding] = []
    taken: set[tuple[str, int]] = set()
    for pair in duplicates(told):
        if _concerns(pair, owner):
            taken.add((pair.other.path, pair.other.saying.line))
            faults.append(_doubled(DUPLICATE, "The same stands in {other}.", pair, pages))
    for pair in near_duplicates(told, cancelled=cancelled):
        spot = (pair.other.path, pair.other.saying.line)
        if _concerns(pair, owner) and spot not in taken:
            taken.add(spot)
            faults.append(_doubled(NEAR_DUPLICATE, "The same stands in other words in {other}: {text}", pair, pages))
    faults += (_clash(pair, pages) for pair in contradictions(told, cancelled=cancelled) if _concerns(pair, owner))
    return faults


def paid_for_twice(own: Sequence[Reading], instructions: Mapping[str, tuple[str, int]], owner: str) -> list[Finding]:
    """What of these texts is in every prompt of the project's folder anyway, as `across` has it."""
    pages = {reading.ref.path: reading.sheet for reading in own}
    faults: list[Finding] = []
    told = (each for reading in own for each in reading.told if each.owner == owner)
    for fact, place, line in paid_twice(told, {owner: instructions}):
        faults.append(
            Finding(
                PAID_TWICE,
                fact.path,
                fact.saying.line + 1,
                fact.saying.stop,
                says="{other} has this too: it is paid for twice in every prompt.",
                text=place,
                related=(Place(place, line),),
                quoted=fact.saying.text,
                fix=Fix("Delete this line; {file} keeps it.", place, _deletion(fact, pages[fact.path])),
            )
        )
    return faults


def in_order(faults: Iterable[Finding]) -> list[Finding]:
    """Findings with the worst first, then by file and line; those that are the same in all that they quote are numbered."""
    found = sorted(faults, key=lambda each: (WEIGHT[each.level], each.path, each.line, each.rule.name))
    seen: dict[str, int] = {}
    out = []
    for fault in found:
        id = fault.id
        nth = seen.get(id, 0)
        seen[id] = nth + 1
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
    if fact.key.endswith(":") and any(row.strip() for row in page.rows[saying.stop : saying.stop + 2]):
        return ()  # what stands below it would be left without what it is about
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


def _doubled(rule: Rule, says: str, pair: Pair, pages: Mapping[str, Sheet]) -> Finding:
    fix = Fix("Delete this line and keep the other one.", edits=_deletion(pair.other, pages[pair.other.path]))
    return _of_pair(rule, says, pair, pages, fix)


def _clash(pair: Pair, pages: Mapping[str, Sheet]) -> Finding:
    choices = tuple(Fix("Delete this line.", edits=_deletion(each, pages[each.path])) for each in (pair.other, pair.stays))
    fix = Fix("Delete the one of the two that does not hold.", choices=choices)
    return _of_pair(CONTRADICTION, "This contradicts {other}.", pair, pages, fix)


def _of_pair(rule: Rule, says: str, pair: Pair, pages: Mapping[str, Sheet], fix: Fix) -> Finding:
    """What is wrong with the later of two facts."""
    later = pair.other.saying
    related = (Place(pair.stays.path, pair.stays.saying.line + 1),)
    quoted = "\n".join((*_rows(pair.other, pages), *_rows(pair.stays, pages)))
    text = one_line(pair.stays.saying.text)[:_LONGEST_TARGET]
    return Finding(rule, pair.other.path, later.line + 1, later.stop, says, text=text, related=related, quoted=quoted, fix=fix)


def _stale(path: str, page: Sheet, saying: Saying, shown: str) -> Finding:
    rows = tuple(page.rows[saying.line : saying.stop])
    if saying.form is Form.TASK:
        box = re.sub(r"\[[ \t]?\]", "[x]", rows[0], count=1)
        fix = Fix("Mark the item done.", edits=(LineEdit(path, saying.line + 1, rows[:1], (box,)),) if box != rows[0] else ())
    else:
        fix = Fix("Delete this line.", edits=_deletion(Told(path, "", saying, "", _NO_BAG), page))
    says = "This ended on {text}."
    return Finding(STALE, path, saying.line + 1, saying.stop, says, text=shown, quoted=saying.text, fix=fix)


def _dead(rule: Rule, says: str, does: str, path: str, page: Sheet, dead: Dead) -> Finding:
    """That words of a line lead to a target that is not there; with what is nearest instead of them, where something is."""
    row = page.rows[dead.line]
    quoted = f"{dead.words}\0{row}" if len(row) <= MOST_EDITED else dead.words
    fix = None
    if dead.nearest:
        changed = row.replace(dead.words, dead.nearest, 1) if len(row) <= MOST_EDITED else row
        edits = (LineEdit(path, dead.line + 1, (row,), (changed,)),) if changed != row else ()
        fix = Fix(does, dead.nearest, edits)
    return Finding(rule, path, dead.line + 1, says=says, text=dead.target[:_LONGEST_TARGET], quoted=quoted, fix=fix)


def weigh(faults: Sequence[Finding]) -> dict[Level, int]:
    """How many faults there are of each level."""
    return {level: sum(1 for each in faults if each.level is level) for level in Level}
