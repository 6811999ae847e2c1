"""Apply all rules to the texts of a store. What depends on a single text is computed once (`read`) and cached by the caller.

Daily logs are records of a day: they are only checked for damage, size, secrets and instructions to the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zsmem_tui.core.checks.around import Around
from zsmem_tui.core.checks.contradiction import against
from zsmem_tui.core.checks.document import Document, Text, read_document
from zsmem_tui.core.checks.duplicates import LOADED, Standing, Told, paid_twice, told
from zsmem_tui.core.checks.finding import WEIGHT, Finding
from zsmem_tui.core.checks.rules import ALONE, AMONG, BESIDE
from zsmem_tui.core.checks.span_faults import POISON, SECRET
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import never
from zsmem_tui.core.text import earlier

_HOLDS_FACTS: Final = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.NOTE)
_NO_PAGE: Final = Document([])
"""Stands for a text without facts, whose lines are not needed after reading."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What can be derived from one text alone: its lines, its facts, and findings that need no other file."""

    ref: MemRef
    document: Document
    told: tuple[Told, ...]
    faults: tuple[Finding, ...]


def read(ref: MemRef, text: str, block_end: str, *, has_head: bool = False, cancelled: Callable[[], bool] = never) -> Reading:
    """Read a text and apply the rules that need no other file. Raises `Cancelled`."""
    has_facts = ref.role in _HOLDS_FACTS
    own = Text(ref, read_document(text, has_facts=has_facts), text, block_end, has_head)
    faults = tuple(fault for look in ALONE for fault in look(own))
    return Reading(ref, own.page if has_facts else _NO_PAGE, told(own, cancelled), faults)


def about_text(reading: Reading, around: Around) -> Iterator[Finding]:
    """Findings about the facts of one text that depend on its surroundings."""
    for look in BESIDE:
        yield from look(Text(reading.ref, reading.document, ""), around)


def compared(own: Sequence[Reading], owner: str, *, cancelled: Callable[[], bool] = never) -> list[Finding]:
    """Findings about duplicates and contradictions among the texts of one project and the shared ones.

    `owner` is the project; empty: only shared texts are compared with each other. Raises `Cancelled`.
    """
    facts = [each for reading in own for each in reading.told]
    return [fault for look in AMONG for fault in look(facts, owner, cancelled)]


def loaded_together(
    orders: Sequence[tuple[MemRef, str]], own: Iterable[Reading], roots: Collection[str], where: str
) -> list[Finding]:
    """Findings about contradictions with instruction files, which are `where`; those with paths in `roots` can be changed here."""
    read_now = [read(ref._replace(role=Role.FACTS), text, "") for ref, text in orders]
    loaded = [reading for reading in own if reading.ref.role in LOADED]
    mine = {*roots, *(reading.ref.path for reading in loaded)}
    told, memory = ([fact for reading in every for fact in reading.told] for every in (read_now, loaded))
    return list(against(told, memory, mine.__contains__, where))


def paid_for_twice(
    own: Iterable[Reading], instructions: Mapping[str, Standing], owner: str, *, of_all: bool = True
) -> list[Finding]:
    """Findings about facts of an owner that are also in an instruction file: one of every prompt with them, if `of_all`."""
    facts = (each for reading in own for each in reading.told if each.owner == owner)
    return list(paid_twice(facts, instructions, of_all=of_all))


def in_order(faults: Iterable[Finding]) -> list[Finding]:
    """Sort findings by severity, those that can do harm first, then by file and line; those with equal ids get different `nth`."""
    harmful = (SECRET, POISON)
    found = sorted(faults, key=lambda each: (WEIGHT[each.level], each.rule not in harmful, each.path, each.line, each.rule.name))
    same = earlier(fault.id for fault in found)
    return [replace(fault, nth=nth) if nth else fault for fault, nth in zip(found, same, strict=True)]
