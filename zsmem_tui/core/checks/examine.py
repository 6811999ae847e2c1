"""All rules over the texts of a store. What a text says by itself is worked out once for each (`read`), and kept by whoever asks.

Daily logs are records of a day: only what is broken or too long, secret or an order is looked for in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zsmem_tui.core.checks.around import Around
from zsmem_tui.core.checks.contradiction import against
from zsmem_tui.core.checks.document import Document, Text, read_document
from zsmem_tui.core.checks.duplicates import Told, paid_twice, told
from zsmem_tui.core.checks.finding import WEIGHT, Finding
from zsmem_tui.core.checks.rules import ALONE, AMONG, BESIDE
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import never

_HOLDS_FACTS: Final = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.NOTE)
_IN_EVERY_PROMPT: Final = (Role.FACTS, Role.INDEX)
_NO_PAGE: Final = Document([])
"""The lines of a text that holds no facts: all that is asked of it is found when it is read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one text says by itself: its lines, its facts ready for comparing, and the faults that need no other file."""

    ref: MemRef
    document: Document
    told: tuple[Told, ...]
    faults: tuple[Finding, ...]


def read(ref: MemRef, text: str, block_end: str, *, cancelled: Callable[[], bool] = never) -> Reading:
    """A text with all that it says by itself. Raises `Cancelled`."""
    has_facts = ref.role in _HOLDS_FACTS
    own = Text(ref, read_document(text, has_facts=has_facts), text, block_end)
    faults = tuple(fault for look in ALONE for fault in look(own))
    return Reading(ref, own.page if has_facts else _NO_PAGE, told(own, cancelled), faults)


def about_text(reading: Reading, around: Around) -> Iterator[Finding]:
    """What is wrong with the facts of one text, given what lies around it."""
    for look in BESIDE:
        yield from look(Text(reading.ref, reading.document, ""), around)


def compared(own: Sequence[Reading], owner: str, *, cancelled: Callable[[], bool] = never) -> list[Finding]:
    """What stands twice or contradicts itself among the texts of one project and those for all, seen from the project.

    `owner` is the project; empty: only the texts for all, compared with each other. Raises `Cancelled`.
    """
    facts = [each for reading in own for each in reading.told]
    return [fault for look in AMONG for fault in look(facts, owner, cancelled)]


def loaded_together(orders: Sequence[tuple[MemRef, str]], own: Iterable[Reading], roots: Collection[str]) -> list[Finding]:
    """What contradicts the instruction files that are in the same prompt, of which those with these paths can be mended here."""
    read_now = [read(ref._replace(role=Role.FACTS), text, "") for ref, text in orders]
    loaded = [reading for reading in own if reading.ref.role in _IN_EVERY_PROMPT]
    mine = {*roots, *(reading.ref.path for reading in loaded)}
    told, memory = ([fact for reading in every for fact in reading.told] for every in (read_now, loaded))
    return list(against(told, memory, mine.__contains__))


def paid_for_twice(own: Iterable[Reading], instructions: Mapping[str, tuple[str, int]], owner: str) -> list[Finding]:
    """What of these texts is in every prompt of the project's folder anyway."""
    return [
        fault
        for reading in own
        if reading.ref.role is not Role.INSTRUCTIONS
        for fault in paid_twice(
            (each for each in reading.told if each.owner == owner), instructions, is_loaded=reading.ref.role is not Role.NOTE
        )
    ]


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
