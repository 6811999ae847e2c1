"""Find contradictory facts: equal words except for one value or a negation, or use and ban of a thing, both unconditional.

A value is a measure, a clock time, a port, a default, or one of a few mutually exclusive words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from zsmem_tui.core.checks.document import UNDER, Form
from zsmem_tui.core.checks.duplicates import Pair, Told, can_meet, heeding, to_choose
from zsmem_tui.core.checks.finding import Finding, Fix, Level, Rule
from zsmem_tui.core.checks.words import ORDER, SMALL, bag, key, stem
from zsmem_tui.core.list_edits import is_item
from zsmem_tui.core.markdown import columns
from zsmem_tui.core.search import never
from zsmem_tui.core.text import trim
from zsmem_tui.core.text import words as listed

_MEASURE: Final = (-1,)
"""The start of a value that is a measure or a default."""

MOST_SAME: Final = 8
"""The most facts about one subject that are compared with another, and the most contradictions of one shape in one file: more are
a list, such as of events, not forgotten facts."""

NEAR: Final = 40
"""Facts fewer lines apart than this are in the same place of a file."""

LONGEST: Final = 400
"""The most characters of a fact to examine: longer ones are narrative."""


_END: Final = re.compile(r"[,;(\u2013\u2014\u3001\u3002]|[.!?](?:\s|$)| - | -- ")
_SCOPED: Final = re.compile(r"\W*(?:(?:in|on|for|at|during|within|per|every|by|im|am|bei|für|unter)\b|[\w-]+\W*(?:[,)]|$))")
"""A phrase after a clause that limits it to a person, place or time."""
_MEASURED: Final = re.compile(
    r"[0-2]?[0-9]:[0-5][0-9]|\bport(?: (?:of|for) (?:the )?[^ ]+?)?(?::| is| =)? [0-9]+"
    r"|[\w.,]+ (?:ms|s|secs?|seconds?|min|minutes?|hours?|days?|weeks?|months?|years?"
    r"|[kmgt]i?b|px|%|percent|[cm]?m|kg|[kmg]?hz|workers?|threads?|retries|connections|characters|lines|columns|spaces|replicas"
    r"|approvals|reviewers|sekunden|minuten|stunden|tage|wochen|monate|jahre|zeichen|zeilen|prozent|uhr)\b"
)
"""A number that is a value, not part of a name."""
_LED_TO: Final = re.compile(r"(?:(?<=: )|(?<== )|(?<= is )|(?<= are )|(?<= on )|(?<= at )|(?<= to ))[0-9]+(?:[.,][0-9]+)*$")
"""A bare number that a label or a verb leads to, at the end of a clause: a value in a prompt, while notes record past ones, too."""
_DEFAULT: Final = re.compile(r"((?:[^ ]+ )*default (?:[^ ]+ ){1,3})is (?![^ ]{2,}ed$)([^ ]+)")
"""A statement of a default, of which there is only one, in a word that is no participle."""
_EXCLUSIVE: Final = {
    stem(word): row
    for row, words in enumerate(
        (
            "tabs spaces",
            "npm pnpm yarn bun",
            "pip uv poetry",
            "single double",
            "enabled disabled",
            "ascending descending",
            "uppercase lowercase",
            "monday tuesday wednesday thursday friday saturday sunday",
        )
    )
    for word in words.split()
}
"""Mutually exclusive words, with the number of their group."""
_EMPTY: Final = frozenset(map(stem, ("use", "used", "using", "prefer", "always", "need", "please", "set")))
_OPEN: Final = re.compile(
    r"(?i)^to |\b(?:if|then|when|whenever|where|wherever|unless|except|only|until|till|while|instead|otherwise|either|or|vs|than"
    r"|may|might|can|could|optional(?:ly)?|was|were|had|formerly|previously|earlier|originally|old|legacy|now|temporar(?:y|ily)"
    r"|exception|example|e\.g|so far|used to|no longer|not (?:any ?more|yet|just|necessarily)|wenn|falls|bis|früher|war"
    r"|waren|außer|nur|oder)\b|[?\u2192]|->|=>"
)
"""Marks a fact with a condition, an exception, an alternative or a past tense."""
_DENIES: Final = re.compile(
    r"(?i)\b(?:do not|don'?ts?|never|not|no|avoid|bad|wrong|anti|without|forbidden|except|nicht|kein)\b|[\u274c\u2717\u2718\u26d4]"
)
"""A heading over things that are not to be done."""

_FOR: Final = re.compile(r" (?:for|in|on|at|with|within|inside|during|from|to|as|by|into|über|via) | (?=(?:before|after) )")
"""Prepositions before a purpose or place; of a time, the word is a part of it."""
_HIRAGANA: Final = re.compile("[\u3041-\u3096]+")
_WHOLLY: Final = ("us", "run")
"""The verbs "use" and "run": a general ban of a thing covers every purpose. Others apply to some things and not to others."""
_WHATEVER: Final = frozenset(map(stem, listed("anything anywhere everything everywhere here repo repository project codebase")))
"""Words of a scope that exclude nothing."""


class _Clause(NamedTuple):
    """The first clause of a fact: its subject, its value, and whether it is negated."""

    about: frozenset[str]
    value: tuple[int | str, ...]
    """The number of the word group (`_MEASURE`: none), then the word or the numbers."""
    denies: bool


class _Order(NamedTuple):
    """An order or a ban: (verb, thing), and its scope (empty: any)."""

    done: tuple[str, tuple[str, ...]]
    scope: frozenset[str]
    denies: bool

    @property
    def about(self) -> tuple[str, tuple[str | int, ...]]:
        """The verb and thing, with a number instead of each of mutually exclusive words."""
        return self.done[0], tuple(_EXCLUSIVE.get(word, word) for word in self.done[1])


def contradictions(told: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Pairs of facts that cannot both hold. Takes about linear time. Raises `Cancelled`."""
    known: dict[tuple[int, int], Pair] = {}
    values = [(pair, _shape(pair)) for pair in _values(told, cancelled)]
    many = Counter(shape for _, shape in values)
    alone = (pair for pair, shape in values if pair.stays.path != pair.other.path or many[shape] <= MOST_SAME)
    for pair in chain(alone, _orders(told, cancelled)):
        known.setdefault((id(pair.stays), id(pair.other)), pair)
    yield from known.values()


def _values(told: Sequence[Told], cancelled: Callable[[], bool]) -> Iterator[Pair]:
    """Pairs of facts in the same words except for a value or a negation."""
    seen: dict[frozenset[str], list[tuple[Told, _Clause]]] = {}
    for fact in heeding(told, cancelled):
        text = fact.key or (key(fact.saying.text) if fact.is_loaded else "")
        own = _clause(text, is_loaded=fact.is_loaded) if text and _is_plain_statement(fact) else None
        if own is None or not (fact.key or own.value[:1] == _MEASURE):
            continue
        same = seen.setdefault(own.about, [])
        for before, other in same:
            if can_meet(before, fact) and _clash(own, other) and _same_scope(before, fact, own):
                yield Pair(before, fact)
        if len(same) < MOST_SAME:
            same.append((fact, own))


def _shape(pair: Pair) -> tuple[str, str, tuple[str, ...]]:
    """The files of a pair, and the first clause of the other fact: of its words only those without a meaning, and hiragana."""
    words = (_first_clause(pair.other.key) or "").split(" ")
    frame = tuple(word if word in SMALL else "" if word.isascii() else "".join(_HIRAGANA.findall(word)) for word in words)
    return pair.stays.path, pair.other.path, frame


def _orders(told: Sequence[Told], cancelled: Callable[[], bool]) -> Iterator[Pair]:
    """Pairs of an order and a ban of the same, or of orders that exclude each other. These may also be close to each other."""
    every = [(fact, own) for fact in heeding(told, cancelled) if (own := _order(key(fact.saying.text))) is not None]
    forbidden = {own.done for _, own in every if own.denies}
    seen: dict[tuple[str, tuple[str | int, ...]], list[tuple[Told, _Order]]] = {}
    for fact, own in every:
        if (own.done not in forbidden and own.about == own.done) or not _is_plain_statement(fact):
            continue
        same = seen.setdefault(own.about, [])
        for before, other in same:
            if can_meet(before, fact) and _exclude_each_other(own, other) and _same_place(before, fact):
                yield Pair(before, fact)
        if len(same) < MOST_SAME:
            same.append((fact, own))


def _is_plain_statement(fact: Told) -> bool:
    """Whether a fact is a plain statement and its heading does not negate or limit it."""
    place = fact.saying.heading
    return fact.saying.form is not Form.ROW and not _DENIES.search(place) and not _OPEN.search(place)


def _order(text: str) -> _Order | None:
    """Parse an unconditional order or ban from a fact's key; None if it is none."""
    told = ORDER.match(text)
    if told is None or (said := _first_clause(text.removesuffix(" now"))) is None:
        return None
    verb = (told["verb"] or told["forbidden"] or "use").removesuffix("ing").removesuffix("e")
    thing, _, scope = _FOR.sub("\n", said[told.end() :].partition(" over ")[0], count=1).partition("\n")
    own, whole = bag(thing), bag(scope)
    if not (own.words or own.numbers) or own.denies or whole.denies:
        return None
    about = frozenset((*whole.words, *whole.numbers)) - _WHATEVER
    return _Order(("us" if verb == "prefer" else verb, (*own.words, *own.numbers)), about, told["verb"] is None)


def _exclude_each_other(one: _Order, other: _Order) -> bool:
    """Whether one of the two bans what the other orders, or orders what excludes it."""
    ban, order = (one, other) if one.denies else (other, one)
    if order.denies or (one.done == other.done) != ban.denies:
        return False
    return ban.scope == order.scope or (ban.denies and not ban.scope and ban.done[0] in _WHOLLY)


def _first_clause(text: str) -> str | None:
    """The first clause of a fact; None if the fact is conditional, too long or limited in scope."""
    if not text or len(text) > LONGEST or text.endswith(":") or _OPEN.search(text):
        return None
    end = _END.search(text)
    if end and end.end() < len(text) and _SCOPED.match(text, end.end()):
        return None
    return text[: end.start()] if end else text


@lru_cache(maxsize=16_384)  # after a change, all but one of a project's facts are the same
def _clause(text: str, *, is_loaded: bool) -> _Clause | None:
    """Parse a fact's key as an unconditional statement about one subject; None if it is none.

    One that `is_loaded` into every prompt may have a bare number for its value.
    """
    clause = _first_clause(text)
    if clause is None:
        return None
    default = _DEFAULT.fullmatch(clause)
    if default and stem(default[2]) in _EXCLUSIVE:
        default = None
    said = bag(default[1] if default else clause)
    words = [word for word in said.words if word not in _EMPTY]
    values: list[tuple[int | str, ...]] = [(_EXCLUSIVE[word], word) for word in words if word in _EXCLUSIVE]
    values += [(*_MEASURE, default[2])] if default else []
    measure = ((is_loaded and _LED_TO.search(clause)) or _MEASURED.search(clause)) if said.numbers else None
    if measure:
        values.append((*_MEASURE, *said.numbers))
    about = frozenset((*(word for word in words if word not in _EXCLUSIVE), *(() if measure else said.numbers)))
    has_unit = measure is not None and " " in measure[0] and not measure[0].startswith("port")
    if len(values) > 1 or len(said.numbers) > 1 or len(about) < 2 + has_unit:
        return None
    return _Clause(about, values[0] if values else (), said.denies)


def _clash(one: _Clause, other: _Clause) -> bool:
    """Whether two clauses about the same subject cannot both hold."""
    if one.value[:1] != other.value[:1]:
        return False
    if one.denies != other.denies:
        return one.value == other.value and len(one.about) + bool(one.value) > 2
    return one.value != other.value and not one.denies


def _same_scope(one: Told, other: Told, clause: _Clause) -> bool:
    """Whether nothing suggests that two facts are about different things.

    Close to each other only measures count, and words that exclude each other, unless one list or paragraph has both.
    """
    if one.path == other.path and other.saying.line - one.saying.line < NEAR and clause.value[:1] != _MEASURE:
        return bool(clause.value) and not clause.denies and _are_apart(one, other) and _same_place(one, other)
    return _same_place(one, other)


def _are_apart(one: Told, other: Told) -> bool:
    """Whether two facts of a file are in no list or paragraph together: they differ in form, or other text is between them."""
    if one.saying.form is not other.saying.form:
        return True
    rows = one.page.rows[one.saying.stop : other.saying.line]
    between = [row for row in rows if trim(row)]
    return len(between) < len(rows) and any(not is_item(row) and not columns(row) for row in between)


def _same_place(one: Told, other: Told) -> bool:
    """Whether no heading suggests that two facts are about different things."""
    here, there = one.saying.heading, other.saying.heading
    return here == there or (one.path != other.path and UNDER not in here + there)


def _look(told: Sequence[Told], owner: str, cancelled: Callable[[], bool]) -> Iterator[Finding]:
    for pair in contradictions(told, cancelled=cancelled):
        if pair.concerns(owner):
            yield pair.finding(CONTRADICTION, "This contradicts {other}.", _choice(pair.other, pair.stays))


def _choice(one: Told, other: Told, owns: Callable[[str], bool] = lambda _: True) -> Fix:
    """The choice which of the two to delete: none that is read where the other is not, or that is in a file of others."""
    pairs = [Pair(stays, goes) for goes, stays in ((one, other), (other, one)) if owns(goes.path) and stays.covers(goes)]
    does = "Delete the one of the two that does not hold."
    if len(pairs) == 1:
        whose = "for all projects" if owns(pairs[0].stays.path) else "not of this memory"
        does = f"Delete the one that can go from here, if it does not hold: the other is {whose}."
    return Fix(does, choices=to_choose(pairs))


def against(orders: Sequence[Told], memory: Sequence[Told], owns: Callable[[str], bool], where: str) -> Iterator[Finding]:
    """Contradictions between instructions and other texts: memory or further instructions, which are `where`.

    `owns` says whether a file can be changed here: findings are only about such files, and only their lines may be deleted.
    """
    told = {fact.path for fact in orders}
    for pair in contradictions([*orders, *memory]):
        mine, theirs = (pair.stays, pair.other) if owns(pair.stays.path) and not owns(pair.other.path) else (pair.other, pair.stays)
        if not owns(mine.path) or not {mine.path, theirs.path} & told or mine.path == theirs.path:
            continue
        yield Pair(theirs, mine).finding(CONTRADICTION, f"This contradicts {{other}}{where}.", _choice(mine, theirs, owns))


CONTRADICTION: Final = Rule(
    "contradiction",
    Level.WARNING,
    "Contradictions",
    "Two facts in the same words but for a measure, time, port, default, opposite or denial, or one that forbids what the"
    " other uses; neither with a condition. More than eight of one shape in one file are a list, and none.",
)
AMONG: Final = (_look,)
