"""Two facts that cannot both hold: the same words but for one value or a denial, or use and ban of a thing, without a condition.

A value is a measure, a clock time, a port, or one of a few words that exclude each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from zsmem_tui.core.checks.document import UNDER, Form
from zsmem_tui.core.checks.duplicates import Pair, Told, can_meet, heeding
from zsmem_tui.core.checks.finding import Finding, Fix, Level, Rule
from zsmem_tui.core.checks.words import bag, key, stem
from zsmem_tui.core.search import never
from zsmem_tui.core.text import words as listed

MOST_SAME: Final = 8
"""Facts about one subject with which another is compared: more are a list, not facts that somebody forgot."""

NEAR: Final = 40
"""Lines from one fact to another in one place of a file."""

LONGEST: Final = 400
"""Characters of a fact that is looked at: a longer one tells a story."""

_END: Final = re.compile(r"[,;(\u2013\u2014\u3001\u3002]|[.!?](?:\s|$)| - | -- ")
_SCOPED: Final = re.compile(r"\W*(?:(?:in|on|for|at|during|within|per|every|by|im|am|bei|für|unter)\b|[\w-]+\W*(?:[,)]|$))")
"""What follows a clause and says for whom, where or when it holds."""
_MEASURED: Final = re.compile(
    r"[0-2]?[0-9]:[0-5][0-9]|\bport [0-9]+|[\w.,]+ (?:ms|s|secs?|seconds?|min|minutes?|hours?|days?|weeks?|months?|years?"
    r"|[kmgt]i?b|px|%|percent|[cm]?m|kg|[kmg]?hz|workers?|threads?|retries|connections|characters|lines|columns|spaces|replicas"
    r"|approvals|reviewers|sekunden|minuten|stunden|tage|wochen|monate|jahre|zeichen|zeilen|prozent|uhr)\b"
)
"""A number that is a value, not the name of a thing."""
_EXCLUSIVE: Final = {
    stem(word): row
    for row, words in enumerate(
        (
            "tabs spaces",
            "npm pnpm yarn",
            "enabled disabled",
            "ascending descending",
            "uppercase lowercase",
            "monday tuesday wednesday thursday friday saturday sunday",
        )
    )
    for word in words.split()
}
"""Words of which one excludes the others of its row."""
_EMPTY: Final = frozenset(map(stem, ("use", "used", "using", "prefer", "always", "need", "please", "set")))
_OPEN: Final = re.compile(
    r"(?i)^to |\b(?:if|then|when|whenever|where|wherever|unless|except|only|until|till|while|instead|otherwise|either|or|vs|than"
    r"|may|might|can|could|optional(?:ly)?|was|were|had|formerly|previously|earlier|originally|old|legacy|now|temporar(?:y|ily)"
    r"|exception|example|e\.g|so far|used to|no longer|not (?:any ?more|yet|just|necessarily)|wenn|falls|bis|früher|war"
    r"|waren|außer|nur|oder)\b|[?\u2192]|->|=>"
)
"""What makes of a fact one with a condition, an exception, a choice or a past."""
_DENIES: Final = re.compile(
    r"(?i)\b(?:do not|don'?ts?|never|not|no|avoid|bad|wrong|anti|without|forbidden|except|nicht|kein)\b|[\u274c\u2717\u2718\u26d4]"
)
"""A heading below which things stand that are not to be done."""

_ORDER: Final = re.compile(
    r"(?:please |always )*(?:(?P<verb>use|prefer|run|call|write|commit|push|merge|add|put|keep|store|import|install|deploy|log|send"
    r"|edit|delete|change|start|restart|mock|pin|ask)"
    r"|(?:(?:never|do not|don't|must not|mustn't)(?: ever)?|avoid) (?P<forbidden>[a-z]+)) "
)
"""How a sentence begins that orders something, or forbids it."""
_FOR: Final = re.compile(r" (?:for|in|on|at|with|within|inside|during|from|to|as|by|into|über|via) ")
"""What stands before what something is for, or where it holds."""
_USE: Final = "us"
"""To use a thing: forbidden at all, it is for everything. Other things are done to some, and not to others."""
_WHATEVER: Final = frozenset(map(stem, listed("anything anywhere everything everywhere here repo repository project codebase")))
"""Words of a scope that leave nothing out."""


class _Clause(NamedTuple):
    """What a fact says first: what it is about, the value it gives, and whether it denies."""

    about: frozenset[str]
    value: tuple[int | str, ...]
    """Of which row of words it is (-1: a measure), and which one."""
    denies: bool


class _Order(NamedTuple):
    """An order, or a prohibition: what is to be done, or not, with which thing, and for what (empty: whatever it is for)."""

    done: tuple[str, tuple[str, ...]]
    scope: frozenset[str]
    denies: bool


def contradictions(told: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that cannot both hold, in time that grows with their number, not with its square. Raises `Cancelled`."""
    known: dict[tuple[int, int], Pair] = {}
    for pair in chain(_values(told, cancelled), _orders(told, cancelled)):
        known.setdefault((id(pair.stays), id(pair.other)), pair)
    yield from known.values()


def _values(told: Sequence[Told], cancelled: Callable[[], bool]) -> Iterator[Pair]:
    """Facts in the same words but for a value or a denial."""
    seen: dict[frozenset[str], list[tuple[Told, _Clause]]] = {}
    for fact in heeding(told, cancelled):
        own = _clause(fact.key) if fact.key and _is_told(fact) else None
        if own is None:
            continue
        same = seen.setdefault(own.about, [])
        for before, other in same:
            if can_meet(before, fact) and _clash(own, other) and _same_scope(before, fact, own):
                yield Pair(before, fact)
        if len(same) < MOST_SAME:
            same.append((fact, own))


def _orders(told: Sequence[Told], cancelled: Callable[[], bool]) -> Iterator[Pair]:
    """Something to be done, and the same forbidden: for the same, or at all. In such plain words also right beside each other."""
    every = [(fact, own) for fact in heeding(told, cancelled) if (own := _order(key(fact.saying.text))) is not None]
    forbidden = {own.done for _, own in every if own.denies}
    seen: dict[tuple[str, tuple[str, ...]], list[tuple[Told, _Order]]] = {}
    for fact, own in every:
        if own.done not in forbidden or not _is_told(fact):
            continue
        same = seen.setdefault(own.done, [])
        for before, other in same:
            if can_meet(before, fact) and _forbids(own, other) and _same_place(before, fact):
                yield Pair(before, fact)
        if len(same) < MOST_SAME:
            same.append((fact, own))


def _is_told(fact: Told) -> bool:
    """Whether a fact says what holds, and its heading not the opposite."""
    place = fact.saying.heading
    return fact.saying.form is not Form.ROW and not _DENIES.search(place) and not _OPEN.search(place)


def _order(text: str) -> _Order | None:
    """What the key of a fact orders or forbids, without a condition."""
    told = _ORDER.match(text)
    if told is None or (said := _said(text)) is None:
        return None
    verb = (told["verb"] or told["forbidden"]).removesuffix("ing").removesuffix("e")
    thing, _, scope = _FOR.sub("\n", said[told.end() :], count=1).partition("\n")
    own, whole = bag(thing), bag(scope)
    if not (own.words or own.numbers) or own.denies or whole.denies:
        return None
    about = frozenset((*whole.words, *whole.numbers)) - _WHATEVER
    return _Order((_USE if verb == "prefer" else verb, (*own.words, *own.numbers)), about, told["verb"] is None)


def _forbids(one: _Order, other: _Order) -> bool:
    """Whether one of two forbids what the other orders."""
    ban, order = (one, other) if one.denies else (other, one)
    return ban.denies and not order.denies and (ban.scope == order.scope or (not ban.scope and ban.done[0] == _USE))


def _said(text: str) -> str | None:
    """What a fact says first, where that has no condition."""
    if not text or len(text) > LONGEST or text.endswith(":") or _OPEN.search(text):
        return None
    end = _END.search(text)
    if end and end.end() < len(text) and _SCOPED.match(text, end.end()):
        return None
    return text[: end.start()] if end else text


@lru_cache(maxsize=16_384)  # of the facts of a project all but one are the same after a change
def _clause(text: str) -> _Clause | None:
    """What the key of a fact says, where it says it of one thing and without a condition."""
    clause = _said(text)
    if clause is None:
        return None
    said = bag(clause)
    words = [word for word in said.words if word not in _EMPTY]
    values: list[tuple[int | str, ...]] = [(_EXCLUSIVE[word], word) for word in words if word in _EXCLUSIVE]
    measure = _MEASURED.search(clause) if said.numbers else None
    if measure:
        values.append((-1, *said.numbers))
    about = frozenset((*(word for word in words if word not in _EXCLUSIVE), *(() if measure else said.numbers)))
    if len(values) > 1 or len(said.numbers) > 1 or len(about) < (3 if measure and " " in measure[0] else 2):
        return None
    return _Clause(about, values[0] if values else (), said.denies)


def _clash(one: _Clause, other: _Clause) -> bool:
    """Whether two clauses about the same cannot both hold."""
    if one.value[:1] != other.value[:1]:
        return False
    if one.denies != other.denies:
        return one.value == other.value and len(one.about) + bool(one.value) > 2
    return one.value != other.value and not one.denies


def _same_scope(one: Told, other: Told, clause: _Clause) -> bool:
    """Whether nothing around two facts says that they are about different things; near each other only measures are no choice."""
    if one.path == other.path and other.saying.line - one.saying.line < NEAR and clause.value[:1] != (-1,):
        return False
    return _same_place(one, other)


def _same_place(one: Told, other: Told) -> bool:
    """Whether no heading says that two facts are about different things."""
    here, there = one.saying.heading, other.saying.heading
    return here == there or (one.path != other.path and UNDER not in here + there)


def _look(told: Sequence[Told], owner: str, cancelled: Callable[[], bool]) -> Iterator[Finding]:
    for pair in contradictions(told, cancelled=cancelled):
        if pair.concerns(owner):
            choices = tuple(Fix("Delete this line.", edits=each.deletion) for each in (pair.other, pair.stays))
            fix = Fix("Delete the one of the two that does not hold.", choices=choices)
            yield pair.finding(CONTRADICTION, "This contradicts {other}.", fix)


def against(orders: Sequence[Told], memory: Sequence[Told], owns: Callable[[str], bool]) -> Iterator[Finding]:
    """What contradicts instructions that are loaded with it: the memory of that prompt, or other instructions.

    `owns` says of a path whether its file can be mended here: of the others nothing is told, and none of their lines is deleted.
    """
    told = {fact.path for fact in orders}
    for pair in contradictions([*orders, *memory]):
        mine, theirs = (pair.stays, pair.other) if owns(pair.stays.path) and not owns(pair.other.path) else (pair.other, pair.stays)
        if not owns(mine.path) or not {mine.path, theirs.path} & told or mine.path == theirs.path:
            continue
        choices = tuple(Fix("Delete this line.", edits=each.deletion) for each in (mine, theirs) if owns(each.path))
        fix = Fix("Delete the one of the two that does not hold.", choices=choices)
        yield Pair(theirs, mine).finding(CONTRADICTION, "This contradicts {other}, which is in the same prompt.", fix)


CONTRADICTION: Final = Rule(
    "contradiction",
    Level.WARNING,
    "Contradictions",
    "Two facts in the same words but for one value or a denial, or one that forbids what the other uses; neither with a condition.",
)
AMONG: Final = (_look,)
