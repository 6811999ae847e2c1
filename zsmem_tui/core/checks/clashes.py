"""Facts that contradict each other: the same subject, and the opposite or another value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from zsmem_tui.core.checks.clauses import PLACES, Clause, clauses
from zsmem_tui.core.checks.copies import ENDS_IN_A_STATE, Pair, Told, can_meet, heeding
from zsmem_tui.core.checks.words import stem
from zsmem_tui.core.search import never

MOST_SAME: Final = 32
"""Clauses about the same subject that one is compared with."""

_COUNTS_ONE: Final = re.compile(r"\b(?:one|single|eine?[nmr]?) \w")
_COMPOUND: Final = 10
"""Letters of a word that is put together of several, as in German."""
_COMPOUND_CJK: Final = 4
"""The same in kanji."""


def _candidates(facts: Sequence[Told], cancelled: Callable[[], bool]) -> list[tuple[Told, Sequence[Clause]]]:
    """The facts that may clash with another, with their clauses: those that give a value or deny, and those about the same."""
    found: dict[int, Sequence[Clause]] = {}
    denied: set[str] = set()
    plain: list[int] = []
    for number, fact in enumerate(heeding(facts, cancelled)):
        if not fact.key:
            continue
        if fact.bag.denies:
            found[number] = clauses(fact)
            denied.update(fact.bag.words)
        elif fact.bag.numbers or fact.bag.has_pair or _COUNTS_ONE.search(fact.key) or ENDS_IN_A_STATE.search(fact.key):
            found[number] = clauses(fact)
            plain.append(number)
        else:
            plain.append(number)
    for number in plain:
        fact = facts[number]
        if number not in found and sum(1 for word in fact.bag.words if word in denied) > 1:
            found[number] = clauses(fact)
    return [(facts[number], own) for number, own in sorted(found.items()) if own]


def contradictions(told: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that cannot both hold, in time that grows with their number, not with its square. Raises `Cancelled`."""
    facts = _candidates(told, cancelled)
    by_core: dict[int, list[tuple[int, Clause]]] = defaultdict(list)
    entries: list[tuple[int, Clause]] = []
    for number, (_, own) in enumerate(facts):
        entries += ((number, clause) for clause in own)
    for entry in entries:
        by_core[_sign(entry[1].core)].append(entry)
    seen: set[tuple[int, int]] = set()
    for number, clause in heeding(entries, cancelled):
        whole = _sign(clause.core)
        keys = [whole]
        if len(clause.core) > 2 or clause.loose:
            keys += (whole ^ _hash(word) for word in sorted(clause.core))  # in the same order in every process
        for key in keys:
            for other_number, other in by_core.get(key, ())[:MOST_SAME]:
                pair = (min(number, other_number), max(number, other_number))
                if number == other_number or pair in seen:
                    continue
                one, two = facts[number][0], facts[other_number][0]
                if can_meet(one, two) and _same_scope(one, two) and _clash(clause, other, facts[number][1], facts[other_number][1]):
                    seen.add(pair)
                    yield Pair(facts[pair[0]][0], facts[pair[1]][0])


def _clash(one: Clause, other: Clause, mine: Sequence[Clause], theirs: Sequence[Clause]) -> bool:
    """Whether two clauses cannot both hold; `mine` and `theirs` are all clauses of their facts."""
    if one.conditional != other.conditional or not _same_subject(one, other):
        return False
    if one.denies != other.denies:
        denial = one if one.denies else other
        same = sorted(one.values) == sorted(other.values) or (not denial.values and one.core == other.core and len(one.core) > 1)
        return same and min(_weight(one), _weight(other)) >= 2
    if one.denies or min(_subject(one), _subject(other)) < 2 or len(one.values) != len(other.values):
        return False
    left, right = sorted(set(one.values) - set(other.values)), sorted(set(other.values) - set(one.values))
    if len({value.kind for value in left}) != 1 or [value.kind for value in left] != [value.kind for value in right]:
        return False
    here = {value for clause in mine for value in clause.values}
    there = {value for clause in theirs for value in clause.values}
    return not (here.intersection(right) or there.intersection(left))  # a line with both values tells them apart itself


def _same_subject(one: Clause, other: Clause) -> bool:
    extra = one.core ^ other.core
    if not extra:
        return True
    narrower = one if extra <= one.core else other
    if len(extra) > 1 or extra & PLACES or not extra <= narrower.core:
        return False
    return extra <= narrower.loose or (
        len(one.core & other.core) >= 3 and not any(f"@{word}" in narrower.words or word[0] == "#" for word in extra)
    )


def _weight(clause: Clause) -> int:
    """How much a clause says."""
    return _subject(clause) + len(clause.values)


def _subject(clause: Clause) -> int:
    """How many words say what a clause is about; one that is put together of several counts as two."""
    own = {word for word in clause.words if word[0] not in "@#"}
    return len(own) + any(len(word) >= _COMPOUND or (len(word) >= _COMPOUND_CJK and word[0] >= "\u3041") for word in own)


def _same_scope(one: Told, other: Told) -> bool:
    """Whether neither stands below a heading that says for what it holds and the other does not."""
    return one.path != other.path or _scopes(one.saying.heading) == _scopes(other.saying.heading)


def _scopes(heading: str) -> frozenset[str]:
    return frozenset(stem(word) for word in heading.lower().split()) & PLACES


def _hash(word: str) -> int:
    return hash(("subject", word))


def _sign(core: frozenset[str]) -> int:
    """A number for a set of words, from which that of the set without one word is made by taking that out again."""
    found = 0
    for word in core:
        found ^= _hash(word)
    return found
