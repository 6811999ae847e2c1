"""Facts that stand more than once: word for word, in other words, or in a file that is in every prompt anyway."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from zsmem_tui.core.checks.sheet import Form, Saying, sheet
from zsmem_tui.core.checks.words import Bag, is_comparable, key, stem
from zsmem_tui.core.search import Cancelled, never

ALIKE: Final = 0.79
"""The share of the longer fact's content words that two have in common when they say the same: about a fifth may differ."""

MOST_CANDIDATES: Final = 64
"""Facts that one is compared with for each of its rare words: more have the word because it is not rare after all."""


_BITS: Final = 59
"""Bits of the number for a set of words: no more than Python adds in two steps."""

_MAY_GO: Final = re.compile(r"\bfrom |\bvon |\bfrom:|から")
_DIRECTION: Final = re.compile(
    r"\b(?:from|von) (?:(?:the|der|dem|den) )?([\w-]{1,60}) (?:to|into|nach|zu|zum|zur|in) (?:(?:the|der|dem|den"
    r"|das) )?([\w-]{1,60})"
    r"|([^\W\u3041-\u309f]{1,40})から([^\W\u3041-\u309f]{1,40})[へに]"
)


_LETTER: Final = re.compile(r"\b(\w{1,40}) ([a-z])(?= |$)")
ENDS_IN_A_STATE: Final = re.compile(r"\b(?:on|off|an|aus)(?=[.,;:)]|$)")
"""What something is switched to, at the end of a clause."""

Each = TypeVar("Each")

HEED_EVERY: Final = 256
"""Facts that are compared between two looks at whether anybody still waits."""


class Told(NamedTuple):
    """A fact of a file: `owner` is the project it is of (empty: all), `key` its key, empty for one too short to compare."""

    path: str
    owner: str
    saying: Saying
    key: str
    bag: Bag


class Pair(NamedTuple):
    """Two facts that should not stand beside each other: the one that stays, and the later one."""

    stays: Told
    other: Told


def heeding(facts: Iterable[Each], cancelled: Callable[[], bool]) -> Iterator[Each]:
    """These, as long as somebody waits for what is found in them. Raises `Cancelled`."""
    for number, each in enumerate(facts):
        if not number % HEED_EVERY and cancelled():
            raise Cancelled
        yield each


def can_meet(one: Told, other: Told) -> bool:
    """Whether two facts are ever in front of the same agent: both of one project, or one of them for all."""
    return one.owner == other.owner or not one.owner or not other.owner


def duplicates(facts: Sequence[Told]) -> Iterator[Pair]:
    """Facts with the same key as an earlier one. A project's copy is the other one, that for all stays."""
    by_key: dict[str, list[Told]] = defaultdict(list)
    for fact in facts:
        if fact.key:
            by_key[fact.key].append(fact)
    for same in by_key.values():
        if len(same) < 2:
            continue
        first: dict[str, Told] = {}
        for fact in sorted(same, key=lambda each: bool(each.owner)):
            stays = first.get("") or first.get(fact.owner)
            if stays is None:
                first[fact.owner] = fact
            elif (stays.path, stays.saying.line) != (fact.path, fact.saying.line):
                yield Pair(stays, fact)


def near_duplicates(facts: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that say the same in other words; the longer one stays. Raises `Cancelled`.

    Two facts are compared when they share one of their rarest words, for only such can be alike: the number of comparisons grows
    with the number of facts, not with its square.
    """
    known = [fact for fact in facts if fact.key and fact.bag.is_long and len(fact.bag.words) > 2]
    sets = [frozenset(fact.bag.words) for fact in known]
    count = Counter(chain.from_iterable(sets))
    rank = {word: place for place, word in enumerate(sorted(sorted(count), key=count.__getitem__))}
    alone = sum(1 for times in count.values() if times == 1)  # words of one fact, which come first
    posted: list[list[int]] = [[] for _ in rank]
    sizes = [*map(len, sets)]
    needed = [ALIKE * size for size in range(max(sizes, default=0) + 1)]
    known_kinds: dict[tuple[tuple[str, ...], bool], int] = {}
    signs = [_sign(map(rank.__getitem__, own)) for own in sets]
    kinds = [known_kinds.setdefault((fact.bag.numbers, fact.bag.denies), len(known_kinds)) for fact in known]
    for number, own in enumerate(heeding(sets, cancelled)):
        size = sizes[number]
        rare = sorted(map(rank.__getitem__, own))[: size - int(size * ALIKE + 0.999) + 1]
        if rare[-1] < alone:
            continue
        seen: set[int] = set()
        for place in rare:
            if place >= alone:
                row = posted[place]
                seen.update(row[-MOST_CANDIDATES:])
                row.append(number)
        kind = kinds[number]
        sign, most_apart = signs[number], size - needed[size]
        near = [at for at in seen if kinds[at] == kind and (sign & ~signs[at]).bit_count() <= most_apart]
        for before in sorted(near):
            one, other = known[before], known[number]
            if len(own & sets[before]) < needed[max(size, sizes[before])]:
                continue
            if can_meet(one, other) and one.key != other.key and _say_the_same(one, other, sets[before], own):
                yield _ordered(one, other)


def _sign(ranks: Iterable[int]) -> int:
    """A number for a set of words: bits that are not in that of another are of words that the other has not.

    To compare two costs a tenth of finding the words in common.
    """
    found = 0
    for rank in ranks:
        found |= 1 << rank % _BITS
    return found


def keys_of(text: str) -> dict[str, int]:
    """The keys of the facts of a file that agents read anyway, and of the sentences in them, with their lines (from 1)."""
    found: dict[str, int] = {}
    for saying in sheet(text).facts:
        if is_comparable(own := key(saying.text)):
            found.setdefault(own, saying.line + 1)
    return found


def paid_twice(facts: Iterable[Told], instructions: Mapping[str, Mapping[str, tuple[str, int]]]) -> Iterator[tuple[Told, str, int]]:
    """Facts that a file of their project's folder has too: with the file and its line.

    `instructions` has by project, then by key, the file and the line (from 1) of what agents are told in every prompt anyway.
    """
    anywhere: dict[str, tuple[str, int]] = {}
    for told in instructions.values():
        for own, place in told.items():
            anywhere.setdefault(own, place)
    for fact in facts:
        found = (instructions.get(fact.owner, {}) if fact.owner else anywhere).get(fact.key) if fact.key else None
        if found:
            yield fact, *found


def _ordered(one: Told, other: Told) -> Pair:
    """The longer one stays; of a project and what is for all, what is for all."""
    if bool(one.owner) != bool(other.owner):
        return Pair(other, one) if one.owner else Pair(one, other)
    return Pair(other, one) if len(other.key) > len(one.key) else Pair(one, other)


def _say_the_same(one: Told, other: Told, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two facts with the same numbers and enough words in common say the same."""
    if one.saying.form is Form.ROW and other.saying.form is Form.ROW:
        return False
    if _directions(one.key) != _directions(other.key):
        return False
    if ENDS_IN_A_STATE.findall(one.key) != ENDS_IN_A_STATE.findall(other.key) or _lettered(one.key, other.key):
        return False
    common = len(mine & theirs)
    if common == len(mine) or common == len(theirs):
        return True
    return not _swapped(one.bag.words, other.bag.words, mine & theirs)


def _lettered(one: str, other: str) -> bool:
    """Whether something has another letter for a name in one text than in the other: `gate a` and `gate b`."""
    mine, theirs = _LETTER.findall(one), _LETTER.findall(other)
    for (word, letter), names in [*((own, theirs) for own in mine), *((own, mine) for own in theirs)]:
        if letter not in "ai" and (word, letter) not in names and any(word == named for named, _ in names):
            return True
    return False


def _directions(text: str) -> list[tuple[str, str]]:
    """From where to where a text goes: the way back is another way, in the same words."""
    return [(stem(a or c), stem(b or d)) for a, b, c, d in _DIRECTION.findall(text)] if _MAY_GO.search(text) else []


def _swapped(one: Sequence[str], other: Sequence[str], common: frozenset[str]) -> bool:
    """Whether each side has a word of its own in the same place: then they are about two things."""
    around = {place for at, word in enumerate(one) if word not in common for place in _places(one, at)}
    return any(place in around for at, word in enumerate(other) if word not in common for place in _places(other, at))


def _places(own: Sequence[str], at: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """What a word stands behind, and before."""
    return ("behind", own[at - 1] if at else ""), ("before", own[at + 1] if at + 1 < len(own) else "")
