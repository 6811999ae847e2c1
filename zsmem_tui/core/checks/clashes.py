"""Facts that contradict each other: the same subject, and the opposite or another value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Final

from zsmem_tui.core.checks.clauses import SCOPE_WORDS, Clause, clauses, kept_clauses
from zsmem_tui.core.checks.copies import ENDS_IN_A_STATE, Pair, Told, can_meet, heeding
from zsmem_tui.core.checks.sheet import Form
from zsmem_tui.core.checks.words import stem
from zsmem_tui.core.search import never

MOST_SAME: Final = 32
"""Clauses about the same subject that one is compared with."""

MANY: Final = 16_384
"""Facts of texts whose clauses are not kept for the next time: they would push out those of all other projects."""

_COUNTS_ONE: Final = re.compile(r"\b(?:one|single|eine?[nmr]?) \w")
"""One of something: a number, though no word of the fact is one."""

_COMPOUND: Final = 10
"""Letters of a word that is put together of several, as in German."""
_COMPOUND_CJK: Final = 4
"""The same in kanji."""


def _of(fact: Told, *, kept: bool) -> Sequence[Clause]:
    """The clauses of a fact; a row of a table has none."""
    if fact.saying.form is Form.ROW:
        return ()
    return kept_clauses(fact.key) if kept else clauses(fact.key)


def _candidates(facts: Sequence[Told], cancelled: Callable[[], bool]) -> list[tuple[Told, Sequence[Clause]]]:
    """The facts that may clash with another, with their clauses: those that give a value or deny, and those about the same."""
    found: dict[int, Sequence[Clause]] = {}
    denied: set[str] = set()
    plain: list[int] = []
    kept = len(facts) < MANY
    for number, fact in enumerate(heeding(facts, cancelled)):
        if not fact.key:
            continue
        if fact.bag.denies:
            found[number] = _of(fact, kept=kept)
            denied.update(fact.bag.words)
        elif fact.bag.numbers or fact.bag.has_pair or _COUNTS_ONE.search(fact.key) or ENDS_IN_A_STATE.search(fact.key):
            found[number] = _of(fact, kept=kept)
        else:
            plain.append(number)
    for number in plain if denied else ():
        fact = facts[number]
        if sum(1 for word in fact.bag.words if word in denied) > 1:
            found[number] = _of(fact, kept=kept)
    return [(facts[number], own) for number, own in sorted(found.items()) if own]


class _Bucket:
    """The first clauses about one subject, which others are compared with: each by the place of its fact."""

    __slots__ = ("first", "is_of_one_mind")

    def __init__(self, *first: tuple[int, Clause]) -> None:
        self.first = [*first]
        self.is_of_one_mind = True
        """Whether all of those say the same: what says it too need not be compared with each."""

    def add(self, number: int, clause: Clause) -> None:
        if len(self.first) < MOST_SAME:
            self.is_of_one_mind = self.is_of_one_mind and self.first[0][1].says_the_same(clause)
            self.first.append((number, clause))


def contradictions(told: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that cannot both hold, in time that grows with their number, not with its square. Raises `Cancelled`."""
    facts = _candidates(told, cancelled)
    buckets: dict[int, tuple[int, Clause] | _Bucket] = {}
    for number, (_, own) in enumerate(heeding(facts, cancelled)):
        for clause in own:
            _add(buckets, _sign(clause.core), (number, clause))
    seen: set[tuple[int, int]] = set()
    for number, (fact, own) in enumerate(heeding(facts, cancelled)):
        for clause in own:
            for other_number, other in _near(buckets, clause):
                if other_number == number or clause.says_the_same(other):
                    continue
                pair = (min(number, other_number), max(number, other_number))
                two, theirs = facts[other_number]
                if pair not in seen and can_meet(fact, two) and _clash(clause, other, own, theirs) and _same_scope(fact, two):
                    seen.add(pair)
                    yield Pair(facts[pair[0]][0], facts[pair[1]][0])


def _add(buckets: dict[int, tuple[int, Clause] | _Bucket], key: int, entry: tuple[int, Clause]) -> None:
    """Put a clause to those of its subject; most subjects have only one, so that one alone has no bucket of its own."""
    known = buckets.get(key)
    if known is None:
        buckets[key] = entry
    else:
        if not isinstance(known, _Bucket):
            known = buckets[key] = _Bucket(known)
        known.add(*entry)


def _near(buckets: Mapping[int, tuple[int, Clause] | _Bucket], clause: Clause) -> Iterator[tuple[int, Clause]]:
    """The clauses about the subject of one, and about that without one of its words, that may say something else."""
    core = clause.core
    whole = _sign(core)
    keys = [whole]
    if len(core) > 2 or clause.loose:
        keys += [whole ^ hash(word) for word in sorted(core)]  # in the same order in every process
    for key in keys:
        found = buckets.get(key)
        if isinstance(found, tuple):
            yield found
        elif found is not None and not (found.is_of_one_mind and clause.says_the_same(found.first[0][1])):
            yield from found.first


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
    if len(extra) > 1 or extra & SCOPE_WORDS or not extra <= narrower.core:
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
    return frozenset(stem(word) for word in heading.lower().split()) & SCOPE_WORDS


def _sign(core: frozenset[str]) -> int:
    """A number for a set of words, from which that of the set without one word is made by taking that out again."""
    return reduce(xor, map(hash, core))
