"""Two facts that cannot both hold: one subject, one attribute, two values, both said without a condition.

Only what is explicit is reported. Two clauses are about the same thing when all their words are the same but for the value: a
number with its unit, a clock time, a port, a weekday, one of a few words that exclude each other, or a denial.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.core.checks.copies import Pair, Told, can_meet, heeding
from zsmem_tui.core.checks.finding import Level, Rule
from zsmem_tui.core.checks.sheet import UNDER, Form
from zsmem_tui.core.checks.vocabulary import NEGATIONS, NUMBER_WORDS, SMALL, listed
from zsmem_tui.core.checks.words import stem
from zsmem_tui.core.search import never

CONTRADICTION: Final = Rule(
    "contradiction",
    Level.WARNING,
    "Contradictions",
    "Two facts in the same words but for one value or a denial, neither with a condition.",
)

MOST_SAME: Final = 8
"""Clauses about one subject with which another is compared: more are a list, not facts that somebody forgot."""

LONGEST: Final = 400
"""Characters of a fact that is looked at: a longer one tells a story."""

FEWEST: Final = 2
"""Content words that say what a clause is about."""

_END: Final = re.compile(r"[,;(\u2013\u2014\u3001\u3002]|[.!?](?:\s|$)| - | -- ")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[.:'/_-]+[^\W_]+)*|[%\u00b0]")
_CLOCK: Final = re.compile(r"[0-2]?[0-9]:[0-5][0-9]")
_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_GLUED: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([a-z]{1,4})")

_UNITS: Final = frozenset(
    listed("""ms s sec seconds second min minutes minute h hours hour days day weeks week months month years year bytes byte
    kb mb gb tb kib mib gib px pixels % percent mm cm m km kg g hz khz mhz ghz fps rpm workers threads retries
    attempts connections characters chars lines columns spaces replicas pages users people copies times requests
    approvals reviewers versions sekunden minuten stunden tage wochen monate jahre zeichen zeilen prozent uhr""")
)
"""What a number counts or measures."""

_EXCLUSIVE: Final = {
    word: (number, word.rstrip("s"))
    for number, row in enumerate(
        (
            "tab tabs space spaces",
            "npm pnpm yarn",
            "camelcase snake_case kebab-case pascalcase",
            "enabled disabled",
            "ascending descending",
            "uppercase lowercase",
            "monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays"
            " sunday sundays",
        )
    )
    for word in row.split()
}
"""Words of which one excludes the others of its row."""

_EMPTY: Final = frozenset(
    listed("use uses using used prefer always must should shall need needs every each any please only set is")
)
"""Words that one of two clauses about the same may have more than the other."""

_OPEN: Final = re.compile(
    r"\b(?:if|when|whenever|where|wherever|unless|except|only|until|till|while|instead|otherwise|either|or|vs|than|may|might|can"
    r"|could"
    r"|optional(?:ly)?|was|were|had|formerly|previously|earlier|originally|old|legacy|now|temporar(?:y|ily)|exception|example|e\.g"
    r"|so far"
    r"|used to|no longer|not (?:any ?more|yet|just|necessarily)|wenn|falls|bis|früher|war|waren|außer|nur|oder)\b|[?\u2192]|->|=>"
)
"""What makes a fact one with a condition, an exception, a choice or a past."""

_DENIES: Final = re.compile(
    r"(?i)\b(?:do not|don'?ts?|never|not|no|avoid|bad|wrong|anti|without|forbidden|except|nicht|kein)\b|[\u274c\u2717\u2718\u26d4]"
)
"""A heading below which things stand that are not to be done."""


_SCOPED: Final = re.compile(r"\W*(?:(?:in|on|for|at|during|within|per|every|by|im|am|bei|für|unter)\b|[\w-]+\W*(?:[,)]|$))")
"""What follows a clause and says for whom, where or when it holds."""


class _Clause(NamedTuple):
    """What a fact says first: what it is about, the value it gives (kind, value), and whether it denies."""

    about: frozenset[str]
    kind: str
    value: str
    denies: bool


def contradictions(told: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that cannot both hold, in time that grows with their number, not with its square. Raises `Cancelled`."""
    seen: dict[frozenset[str], list[tuple[Told, _Clause]]] = {}
    for fact in heeding(told, cancelled):
        own = _clause(fact.key) if fact.saying.form is not Form.ROW else None
        if own is None:
            continue
        same = seen.setdefault(own.about, [])
        for before, other in same:
            if not can_meet(before, fact) or not _clash(own, other) or not _same_scope(before, fact):
                continue
            if _holds_always(before) and _holds_always(fact):
                yield Pair(before, fact)
        if len(same) < MOST_SAME:
            same.append((fact, own))


@lru_cache(maxsize=16_384)  # of the facts of a project all but one are the same after a change
def _clause(text: str) -> _Clause | None:
    """What the key of a fact says, where it says it of one thing and without a condition."""
    if not text or len(text) > LONGEST or text.endswith(":"):
        return None
    end = _END.search(text)
    if end and end.end() < len(text) and _SCOPED.match(text, end.end()):
        return None
    words = _TOKEN.findall(text[: end.start()] if end else text)
    about: set[str] = set()
    values: list[tuple[str, str]] = []
    denies = is_unit = False
    for at, word in enumerate(words):
        kind, value = _sorted(word)
        if is_unit:
            is_unit = False
        elif kind == "number":
            unit = words[at + 1] if at + 1 < len(words) else ""
            is_unit = unit in _UNITS
            if is_unit or (at and words[at - 1] == "port"):
                values.append((stem(unit) if is_unit else "port", value))
            else:
                about.add(value)  # the number of a thing
        elif kind == "word":
            about.add(value)
        elif kind == "denial":
            denies = not denies
        elif kind:
            values.append((kind, value))
    if len(values) > 1 or len(about) < FEWEST:
        return None
    return _Clause(frozenset(about), *(values[0] if values else ("", "")), denies)


@lru_cache(maxsize=16_384)
def _sorted(word: str) -> tuple[str, str]:
    """What a word of a clause is, or what its value is of, and the value; a small word is nothing."""
    if word in NEGATIONS or word.endswith("n't"):
        return "denial", ""
    if word in SMALL or word in _EMPTY:
        return "", ""
    if _CLOCK.fullmatch(word):
        return "time", word.lstrip("0")
    if word in NUMBER_WORDS or _NUMBER.fullmatch(word):
        return "number", str(NUMBER_WORDS.get(word, word))
    if (glued := _GLUED.fullmatch(word)) and glued[2] in _UNITS:
        return stem(glued[2]), glued[1]
    if word in _EXCLUSIVE:
        row, member = _EXCLUSIVE[word]
        return f"row {row}", member
    return "word", stem(word)


def _holds_always(fact: Told) -> bool:
    """Whether a fact is said without a condition or an exception, and as it is today; so is what it stands below."""
    place = fact.saying.heading
    return not (_OPEN.search(fact.key) or _DENIES.search(place) or _OPEN.search(place.lower()))


def _clash(one: _Clause, other: _Clause) -> bool:
    """Whether two clauses about the same cannot both hold."""
    if one.kind != other.kind:
        return False
    if one.denies != other.denies:
        return one.value == other.value and len(one.about) + bool(one.value) > FEWEST
    return one.value != other.value and not one.denies


def _same_scope(one: Told, other: Told) -> bool:
    """Whether nothing around two facts says that they are about different things."""
    if one.saying.heading == other.saying.heading:
        return True
    return one.path != other.path and UNDER not in one.saying.heading + other.saying.heading
