"""Facts that stand more than once: word for word, in other words, or in a file that is in every prompt anyway."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Final, NamedTuple, TypeVar

from zsmem_tui.core.checks.document import UNDER, Document, Form, Saying, Text, deletion, read_document
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Place, Rule, without_secrets
from zsmem_tui.core.checks.words import Bag, bag, is_comparable, key, stem
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import one_line

ALIKE: Final = 0.79
"""The share of the longer fact's content words that two have in common when they say the same: about a fifth may differ."""

MOST_CANDIDATES: Final = 64
"""Facts that one is compared with for each of its rare words: more have the word because it is not rare after all."""


_OF_PROCEDURES: Final = (Form.STEP, Form.TASK)
_LEADING: Final = (":", "\uff1a")
"""How words end that lead into what stands below them."""

_MUCH: Final = 8
"""Content words of an item that says the same wherever it stands: a shorter one is about what its heading names."""

_MOST_APART: Final = 16
"""Facts of the same words that are kept apart, to be compared with the next."""

_LABEL: Final = re.compile(r"[^:.]{2,40}:(?= )")
"""What a fact is about, where it says so first."""

_TARGET: Final = re.compile(r"\]\(([^()\s]+)|(https?://\S+)")
_CODE: Final = re.compile(r"`+([^`]+)`+")
_NAME: Final = re.compile(
    r"(?<![\w/])(?:--?[a-z][\w-]*|[\w.@-]*/[\w./@*()\[\]-]*\w|\w+(?:_\w+)+|\w+\.(?:[a-z]{2,4})\b|[a-z]+[A-Z]\w*|\w+:\w+|@\w[\w/-]*"
    r"|[B-HJ-Zb-hj-rt-z](?![\w'-]))"
)
"""Options, paths and names that stand in a sentence without ticks, of one letter as well."""

_DENIED: Final = re.compile(
    r"\b(?:not|never|no|don't|doesn't|avoid|without|nor|cannot|nicht|nie|kein\w{0,2}|ohne)\s+(?:(?:use|using|an?|the|any|be|have|to)\s+)*([\w-]+)"
    r"|(?:不使用|不要|禁止|不|非)([㐀-鿿]{1,2})"
)
"""What is denied: the first word behind the denial."""

_DIRECTION: Final = re.compile(
    r"\b(?:from|von) (?:(?:the|der|dem|den) )?([\w-]+) (?:to|into|nach|zu) (?:(?:the|der|dem|den) )?([\w-]+)"
)
"""From where to where something goes: the way back is another way, in the same words."""

_BELONGS: Final = re.compile(
    r"\b([\w-]+) (?:of|for|von) (?:(?:the|an?|our|its|der|dem|den|des) )?([\w-]+)|\b([\w-]+) (?:des|der) ([\w-]+)"
)
"""What something is of: the port of the shop is the shop's port."""

Each = TypeVar("Each")

_NO_BAG: Final = bag("")
_LONGEST_QUOTED: Final = 200
"""Characters of another fact that a sentence quotes."""

HEED_EVERY: Final = 256
"""Facts that are compared between two looks at whether anybody still waits."""


class Told(NamedTuple):
    """A fact of a file: `owner` is the project it is of (empty: all), `key` its key, empty for one too short to compare."""

    path: str
    owner: str
    saying: Saying
    key: str
    bag: Bag
    page: Document

    @property
    def deletion(self) -> tuple[LineEdit, ...]:
        """Taking it away."""
        return deletion(self.path, self.page, self.saying)

    @property
    def rows(self) -> tuple[str, ...]:
        """Its words as they stand there."""
        is_part = self.saying.form is Form.SENTENCE
        return (self.saying.text,) if is_part else tuple(self.page.rows[self.saying.line : self.saying.stop])


class Pair(NamedTuple):
    """Two facts that should not stand beside each other: the one that stays, and the later one."""

    stays: Told
    other: Told

    def concerns(self, owner: str) -> bool:
        """Whether it is to be told of when a project is looked at: what is for all is told of by itself."""
        return owner in (self.stays.owner, self.other.owner)

    def finding(self, rule: Rule, says: str, fix: Fix) -> Finding:
        """What is wrong with the later of the two."""
        stays, other = self
        related = (Place(stays.path, stays.saying.line + 1),)
        text, quoted = one_line(stays.saying.text), "\n".join((*other.rows, *stays.rows))
        if len(text) > _LONGEST_QUOTED:
            text = without_secrets(text)[:_LONGEST_QUOTED]  # half a credential is not known as one
        line, stop = other.saying.line + 1, other.saying.stop
        return Finding(rule, other.path, line, stop, says, text=text, related=related, quoted=quoted, fix=fix)


def told(text: Text, cancelled: Callable[[], bool] = never) -> tuple[Told, ...]:
    """The facts of a text, ready for comparing."""
    ref, out = text.ref, []
    for saying in heeding(text.page.facts, cancelled) if len(text.page.facts) > HEED_EVERY else text.page.facts:
        own = key(saying.text)
        is_long = is_comparable(own)
        out.append(Told(ref.path, ref.project, saying, own if is_long else "", bag(own) if is_long else _NO_BAG, text.page))
    return tuple(out)


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
        first: dict[str, list[Told]] = {}
        for fact in sorted(same, key=lambda each: bool(each.owner)):
            known = (*first.get("", ()), *(first.get(fact.owner, ()) if fact.owner else ()))
            stays = next((each for each in known if _is_one_fact(each, fact)), None)
            if stays is None:
                first.setdefault(fact.owner, []).append(fact)
                del first[fact.owner][_MOST_APART:]
            else:
                yield _fuller(stays, fact)


def _is_one_fact(one: Told, other: Told) -> bool:
    """Whether two facts of the same words say the same: the steps of two procedures may read alike, or lists of two things."""
    mine, theirs = one.saying, other.saying
    is_one_file, is_one_place = one.path == other.path, mine.heading == theirs.heading
    if is_one_file and mine.line == theirs.line:
        return False
    if mine.form in _OF_PROCEDURES and theirs.form in _OF_PROCEDURES:
        return not is_one_file and is_one_place
    if is_one_file and one.key.endswith(_LEADING):
        return False
    if not is_one_file or is_one_place or len(one.bag.words) >= _MUCH:
        return True
    return Form.SENTENCE in (mine.form, theirs.form) and UNDER not in mine.heading + theirs.heading


def _fuller(one: Told, other: Told) -> Pair:
    """Two facts of the same words, of which the later goes unless it has links that the earlier has not."""
    more = one.owner == other.owner and not set(_TARGET.findall(other.saying.text)) <= set(_TARGET.findall(one.saying.text))
    return Pair(other, one) if more else Pair(one, other)


def near_duplicates(facts: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Facts that say the same in other words; the longer one stays. Raises `Cancelled`.

    Two facts are compared when they share one of their rarest words, for only such can be alike: the number of comparisons grows
    with the number of facts, not with its square.
    """
    known = [fact for fact in facts if fact.key and len(fact.bag.words) > 2 and sum(map(len, fact.bag[:2])) + fact.bag.denies > 3]
    sets = [frozenset(fact.bag.words) for fact in known]
    count = Counter(chain.from_iterable(sets))
    rank = {word: place for place, word in enumerate(sorted(sorted(count), key=count.__getitem__))}
    alone = sum(1 for times in count.values() if times == 1)  # words of one fact, which come first
    posted: list[list[int]] = [[] for _ in rank]
    sizes = [*map(len, sets)]
    needed = [ALIKE * size for size in range(max(sizes, default=0) + 1)]
    known_kinds: dict[tuple[tuple[str, ...], bool], int] = {}
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
        for before in sorted(at for at in seen if kinds[at] == kind):
            one, other = known[before], known[number]
            if len(own & sets[before]) < needed[max(size, sizes[before])]:
                continue
            if can_meet(one, other) and one.key != other.key and _say_the_same(one, other, sets[before], own):
                yield _ordered(one, other)


def keys_of(text: str) -> dict[str, int]:
    """The keys of the facts of a file that agents read anyway, and of the sentences in them, with their lines (from 1)."""
    found: dict[str, int] = {}
    for saying in read_document(text).facts:
        if is_comparable(own := key(saying.text)):
            found.setdefault(own, saying.line + 1)
    return found


def paid_twice(facts: Iterable[Told], instructions: Mapping[str, tuple[str, int]], *, is_loaded: bool = True) -> Iterator[Finding]:
    """Facts that are in the prompt by another file; `instructions` has by key what every prompt has anyway, and where.

    `is_loaded` says whether the file of these facts is in every prompt, too.
    """
    says = "{other} has this too: it is paid for twice in every prompt." if is_loaded else "{other}, in every prompt, has this too."
    for fact in facts:
        if fact.key and (place := instructions.get(fact.key)):
            fix = Fix("Delete this line; {file} keeps it.", place[0], fact.deletion)
            line, stop = fact.saying.line + 1, fact.saying.stop
            own = fact.saying.text
            yield Finding(PAID_TWICE, fact.path, line, stop, says, text=place[0], related=(Place(*place),), quoted=own, fix=fix)


def _ordered(one: Told, other: Told) -> Pair:
    """The longer one stays; of a project and what is for all, what is for all."""
    if bool(one.owner) != bool(other.owner):
        return Pair(other, one) if one.owner else Pair(one, other)
    return Pair(other, one) if len(other.key) > len(one.key) else Pair(one, other)


def _say_the_same(one: Told, other: Told, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two facts with the same numbers and enough words in common say the same."""
    forms = (one.saying.form, other.saying.form)
    if forms == (Form.ROW, Form.ROW) or any(each.key.endswith(_LEADING) for each in (one, other)):
        return False  # rows tell things apart, and what leads into a list is no fact
    if one.saying.heading != other.saying.heading:
        if Form.TASK in forms or (one.path == other.path and Form.STEP in forms):
            return False  # such a list says again what stands elsewhere, in its own place
        if one.path == other.path and Form.SENTENCE not in forms and min(len(mine), len(theirs)) < _MUCH:
            return False
    labels = [found[0] if (found := _LABEL.match(each.key)) else "" for each in (one, other)]
    if all(labels) and bag(labels[0]).words != bag(labels[1]).words:
        return False
    heads = {found[0] for each in (one, other) if (found := _CODE.match(each.saying.text))}  # what an item begins with, it is about
    if len(heads) > 1 or _code(one) != _code(other) or _denied(one) != _denied(other):
        return False
    if _DIRECTION.findall(one.key) != _DIRECTION.findall(other.key):
        return False
    common = len(mine & theirs)
    if not _alike_in_prose(one, other) or _exchanged(one.bag.words, other.bag.words):
        return False
    (first, names), (second, others) = _names_first(one), _names_first(other)
    if names | others and _exchanged(first, second, names | others):
        return False
    if common == len(mine) or common == len(theirs):
        return True
    return not (_swapped(one.bag.words, other.bag.words, mine & theirs) or _swapped(first, second, mine & theirs))


def _names_first(fact: Told) -> tuple[tuple[str, ...], frozenset[str]]:
    """The content words of a fact, what something is of before it, and which those are."""
    names = frozenset(stem(each[2] or each[4]) for each in _BELONGS.finditer(fact.key))
    found = _BELONGS.sub(lambda each: f"{each[2] or each[4]} {each[1] or each[3]}", fact.key) if names else ""
    return bag(found).words if names else fact.bag.words, names


def _code(fact: Told) -> set[str]:
    """The commands, paths and names of code in a fact."""
    text = fact.saying.text
    found = {" ".join(code.split()) for code in _CODE.findall(text)} if "`" in text else set()
    return found | {name.strip(".") for name in _NAME.findall(_CODE.sub(" ", text))}


def _alike_in_prose(one: Told, other: Told) -> bool:
    """Whether two facts with the same code say the same about it: half of the words around it at least."""
    if "`" not in one.saying.text and "/" not in one.key:
        return True
    mine, theirs = (set(bag(key(_NAME.sub(" ", _CODE.sub(" ", each.saying.text)))).words) for each in (one, other))
    return 2 * len(mine & theirs) >= max(len(mine), len(theirs))


def _denied(fact: Told) -> set[str]:
    return {stem(word or signs) for word, signs in _DENIED.findall(fact.key)}


def _swapped(one: Sequence[str], other: Sequence[str], common: frozenset[str]) -> bool:
    """Whether each side has a word of its own in the same place: then they are about two things."""
    around = {place for at, word in enumerate(one) if word not in common for place in _places(one, at)}
    return any(place in around for at, word in enumerate(other) if word not in common for place in _places(other, at))


def _exchanged(one: Sequence[str], other: Sequence[str], among: Collection[str] = ()) -> bool:
    """Whether another word stands in one and the same gap of both, though one of the two is elsewhere in the other fact.

    Then the words are the same, and two things are in the roles of each other, or one is in the role of the other. One of
    them is `among` these, where any are named.
    """
    mine, theirs = _gaps(one), _gaps(other)
    swaps = {(word, instead) for gap in mine.keys() & theirs.keys() for word, instead in product(mine[gap], theirs[gap])}
    swaps = {each for each in swaps if not among or not set(each).isdisjoint(among)}
    known = (frozenset(one), frozenset(other))
    return any(
        word != instead and (word not in known[1] or instead not in known[0] or (instead, word) in swaps) for word, instead in swaps
    )


def _gaps(own: Sequence[str]) -> dict[tuple[str, str], set[str]]:
    """The words by what they stand between."""
    found: dict[tuple[str, str], set[str]] = {}
    for before, word, after in zip(("", *own), own, (*own[1:], ""), strict=False):
        found.setdefault((before, after), set()).add(word)
    return found


def _places(own: Sequence[str], at: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """What a word stands behind, and before."""
    return ("behind", own[at - 1] if at else ""), ("before", own[at + 1] if at + 1 < len(own) else "")


def _copies(told: Sequence[Told], owner: str, cancelled: Callable[[], bool]) -> Iterator[Finding]:
    """Facts that stand twice, in the same words or in others: one finding for each."""
    taken: set[tuple[str, int]] = set()
    same = ((DUPLICATE, "The same stands in {other}.", pair) for pair in duplicates(told))
    near = (
        (NEAR_DUPLICATE, "The same stands in other words in {other}: {text}", pair)
        for pair in near_duplicates(told, cancelled=cancelled)
    )
    for rule, says, pair in chain(same, near):
        spot = (pair.other.path, pair.other.saying.line)
        if pair.concerns(owner) and (rule is DUPLICATE or spot not in taken):
            taken.add(spot)
            yield pair.finding(rule, says, Fix("Delete this line and keep the other one.", edits=pair.other.deletion))


DUPLICATE: Final = Rule(
    "duplicate",
    Level.WARNING,
    "Twice the same",
    "A fact that stands twice, apart from list mark, emphasis and case; not the steps of two procedures.",
    "Deletes the later one, or the one without the links of the other; of a project's and one for all, the project's.",
)
NEAR_DUPLICATE: Final = Rule(
    "near-duplicate",
    Level.WARNING,
    "Twice in other words",
    "A fact that stands twice in other words, with the same numbers, commands, paths and denials.",
    "Keeps the longer one.",
)
PAID_TWICE: Final = Rule(
    "paid-twice",
    Level.WARNING,
    "Paid for twice",
    "A fact that an instruction file which is in the same prompt has too.",
    "Deletes it from memory.",
)
AMONG: Final = (_copies,)
