"""Find facts that occur more than once: literally, in other words, or in an instruction file of the same prompt."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product, takewhile
from typing import Final, NamedTuple, TypeVar

from zsmem_tui.core.checks.document import UNDER, Document, Form, Saying, Text, deletion, is_part, read_document
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Place, Rule, without_secrets
from zsmem_tui.core.checks.words import NEGATIONS, ORDER, SMALL, Bag, bag, is_comparable, key, names_nothing, stem, subject
from zsmem_tui.core.refs import Role
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import clipped, one_line

ALIKE: Final = 0.79
"""The share of common content words, relative to the longer fact, from which on two facts say the same: a fifth may differ."""

_MASK_BITS: Final = 60
"""Bits that stand for the words of a fact: a number of that size is compared much faster than a set."""

MOST_CANDIDATES: Final = 64
"""The most facts that one is compared with per rare word: if more have that word, it is not rare."""


_OF_PROCEDURES: Final = (Form.STEP, Form.TASK)
_LEADING: Final = (":", "\uff1a")
"""The last characters of words that introduce the lines below them."""

_MUCH: Final = 8
"""Content words from which on an item means the same anywhere: a shorter one depends on its heading."""

_SHORT: Final = 60
"""Characters from which on an item that is too short to compare is none of words."""

_SHORT_STATEMENT: Final = re.compile(r"(?!see )\S+ \S")
_MOST_APART: Final = 16
"""The most facts of equal words but different meaning that are kept for comparison with the next."""

_LABEL: Final = re.compile(r"[^:.]{2,40}:(?= )")
"""A label at the start of a fact that names its subject."""

_TARGET: Final = re.compile(r"\]\(([^()\s]+)|(https?://\S+)")
_CODE: Final = re.compile(r"`+([^`]+)`+")
_NAME: Final = re.compile(
    r"(?<![\w/])(?:--?[a-z][\w-]*|[\w.@-]*/[\w./@*()\[\]-]*\w|\w+(?:_\w+)+|\w+\.(?:[a-z]{2,4})\b|[a-z]+[A-Z]\w*|\w+:\w+|@\w[\w/-]*"
    r"|[B-HJ-Zb-hj-rt-z](?![\w'-]))"
)
"""Options, paths and names (also of one letter) in a sentence that are not in backticks."""

_DENIED: Final = re.compile(
    r"\b(?:not|never|no|don't|doesn't|avoid|without|nor|cannot|nicht|nie|kein\w{0,2}|ohne)\s+(?:(?:use|using|an?|the|any|be|have|to)\s+)*([\w-]+)"
    r"|(?:不使用|不要|禁止|不|非)([㐀-鿿]{1,2})"
)
"""The first word after a negation."""

_DIRECTION: Final = re.compile(
    r"\b(?:from|von) (?:(?:the|der|dem|den) )?([\w-]+) (?:to|into|nach|zu) (?:(?:the|der|dem|den) )?([\w-]+)"
)
"""A direction from one thing to another: the reverse has the same words but another meaning."""

_BELONGS: Final = re.compile(
    r"\b([\w-]+) (?:of|for|von) (?:(?:the|an?|our|its|der|dem|den|des) )?([\w-]+)|\b([\w-]+) (?:des|der) ([\w-]+)"
)
"""A possession: "the port of the shop" equals "the shop's port"."""

_COUNTED: Final = re.compile(r"(?<![\w.,:])([0-9]+(?:[.,:][0-9]+)*)[ -]?((?:[^\W\d_]+|%)(?: [^\W\d_]+)*)")
"""A number and the words after it."""

_BETWEEN: Final = SMALL | NEGATIONS
"""Words that end what a number counts."""

_SECONDS: Final = ("s", "sec", "secs", "second", "seconds", "sekunde", "sekunden")

Each = TypeVar("Each")

_NO_BAG: Final = bag("")
_LONGEST_QUOTED: Final = 200
"""The most characters of the other fact that a message quotes."""

_SAME: Final = ("The same stands in {other}.", "A sentence of this line stands in {other} too: {text}")
_NEAR: Final = (
    "The same stands in other words in {other}: {text}",
    "A sentence of this line stands in other words in {other}: {text}",
)
_DELETE: Final = ("Delete this line and keep the other one.", "Delete that sentence, not the line, and keep the other one.")
_DELETE_UNLOADED: Final = (
    "Delete this line: the one in every prompt stays.",
    "Delete that sentence, not the line: the one in every prompt stays.",
)
_PERHAPS: Final = "Perhaps twice: here below {text} in {other}."
_APART: Final = "Twice: here below {text} in {other}."
_LONGEST_LEAD: Final = 60
_OF_THE_PROJECT: Final = "The file is no memory: others may have written it, and work with it."
_CHOSEN: Final = "Delete this line."
_WHICH: Final = "Delete the one of the two that is not needed."
_UNLOADED: Final = "The prompt then has neither: the line that stays is read on demand."
_PAID: Final = (
    "{other} has this too: it is paid for twice in every prompt.",
    "{other} has a sentence of this line too, paid for twice in every prompt: {text}",
)
_PAID_THERE: Final = (
    "{other} has this too: it is paid for twice in the prompts there. This line is for all projects, and stays.",
    "{other} has a sentence of this line, which is for all projects, too, paid for twice in the prompts there: {text}",
)
_LOADED_THERE: Final = (
    "{other}, in every prompt, has this too.",
    "{other}, in every prompt, has a sentence of this line too: {text}",
)
_KEPT_THERE: Final = ("Delete this line; {file} keeps it.", "Delete that sentence, not the line; {file} keeps it.")
"""Each for a fact that is whole lines, and for a sentence of a line that has more."""

LOADED: Final = (Role.FACTS, Role.INDEX)
"""Files whose facts are in every prompt."""

HEED_EVERY: Final = 256
"""Facts processed between two calls of `cancelled`."""


class Told(NamedTuple):
    """A fact of a file: `owner` is its project (empty: shared), `key` its normalized text, empty if too short to compare."""

    path: str
    owner: str
    saying: Saying
    key: str
    bag: Bag
    page: Document
    is_loaded: bool
    """Whether it is in every prompt in which its file can be read."""

    def covers(self, other: Told) -> bool:
        """Whether this fact can be read wherever the other can."""
        return self.owner in ("", other.owner)

    def replaces(self, other: Told) -> bool:
        """Whether no prompt lacks the fact once the other is deleted."""
        return self.covers(other) and (self.is_loaded or not other.is_loaded)

    @property
    def deletion(self) -> tuple[LineEdit, ...]:
        """The edit that deletes the fact."""
        return deletion(self.path, self.page, self.saying)

    @property
    def is_part(self) -> bool:
        """Whether its lines have more words."""
        return is_part(self.page, self.saying)

    @property
    def rows(self) -> tuple[str, ...]:
        """The fact's text as in the file: a sentence, or whole lines."""
        is_part = self.saying.form is Form.SENTENCE
        return (self.saying.text,) if is_part else tuple(self.page.rows[self.saying.line : self.saying.stop])


class Pair(NamedTuple):
    """Two facts of which one should go: the one that stays, and the other, later one."""

    stays: Told
    other: Told

    @property
    def fix(self) -> Fix | None:
        """The fix that deletes the other; None if that one is in a prompt without the one that stays."""
        if not self.stays.replaces(self.other):
            return None
        says = _DELETE_UNLOADED if self.stays.is_loaded and not self.other.is_loaded else _DELETE
        return Fix(says[self.other.is_part], edits=self.other.deletion)

    def concerns(self, owner: str) -> bool:
        """Whether to report it when a project is examined; pairs of shared facts are reported separately."""
        return owner in (self.stays.owner, self.other.owner)

    def finding(self, rule: Rule, says: str, fix: Fix | None) -> Finding:
        """The finding about the other fact."""
        stays, other = self
        related = (Place(stays.path, stays.saying.line + 1),)
        text, quoted = _quotable(stays.saying.text), "\n".join((*other.rows, *stays.rows))
        line, stop = other.saying.line + 1, other.saying.stop
        return Finding(rule, other.path, line, stop, says, text=text, related=related, quoted=quoted, fix=fix)

    def copy(self, rule: Rule, says: tuple[str, str]) -> Finding:
        """The finding that the other fact is a copy, as a whole or as a sentence of its lines.

        Of two equal ones below different things, the fix is a choice of the one that goes, or to leave both.
        """
        found = _or_perhaps(self.finding(rule, says[self.other.is_part], self.fix), self.stays.saying, self.other.saying)
        either = Fix(_WHICH, choices=to_choose((self, Pair(self.other, self.stays))))
        return replace(found, fix=either) if found.says == _APART else found


def to_choose(pairs: Iterable[Pair]) -> tuple[Fix, ...]:
    """For each pair the fix that deletes the other, to choose from."""
    return tuple(Fix(_CHOSEN, edits=other.deletion, notes="" if stays.replaces(other) else _UNLOADED) for stays, other in pairs)


def _apart(one: Saying, other: Saying, *, is_one_file: bool) -> str:
    """What two facts are below, if the same words may mean another thing there; empty if not."""
    there, here = ({subject(each): each for each in (*own.above, *own.heading.split(UNDER)) if each} for own in (one, other))
    own = [[lead for each, lead in mine.items() if each not in others] for mine, others in ((here, there), (there, here))]
    if all(map(names_nothing, chain(*own))) or not (is_one_file or _needs_its_place(one) or _needs_its_place(other)):
        return ""
    leads = (next(reversed(mine or [*every.values()]), "") for mine, every in zip(own, (here, there), strict=True))
    named = (f"“{clipped(without_secrets(lead.strip('*_')), _LONGEST_LEAD)}”" if lead else "no heading" for lead in leads)
    return ", below ".join(named)


def _needs_its_place(own: Saying) -> bool:
    """Whether a fact depends on what it is below: a step, a row, one of a list or paragraph that a line leads to, a short order."""
    said = key(own.text)
    is_short_order = ORDER.match(said) is not None and len(bag(said).words) < _MUCH
    return own.form in (Form.STEP, Form.ROW) or UNDER in own.heading or is_short_order


def _or_perhaps(found: Finding, one: Saying, other: Saying) -> Finding:
    """The finding; without a fix if the two are below different things, and no more than perhaps so if either needs its place."""
    below = _apart(one, other, is_one_file=found.path == found.related[0].path)
    if not below:
        return found
    level, says = (Level.INFO, _PERHAPS) if _needs_its_place(one) or _needs_its_place(other) else (found.level, _APART)
    return replace(found, says=says, text=below, level=level, fix=None)


def _quotable(text: str) -> str:
    """A fact's words for a message."""
    text = one_line(text)
    if len(text) > _LONGEST_QUOTED:
        return without_secrets(text)[:_LONGEST_QUOTED]  # before shortening, since half a credential would not be recognized
    return text


def told(text: Text, cancelled: Callable[[], bool] = never) -> tuple[Told, ...]:
    """The facts of a text, prepared for comparing."""
    ref, out = text.ref, []
    is_list = ref.role is Role.CHECKLIST
    for saying in heeding(text.page.facts, cancelled) if len(text.page.facts) > HEED_EVERY else text.page.facts:
        own = key(saying.text)
        is_long = is_comparable(own)
        is_loaded = ref.role in LOADED or (is_list and saying.form is Form.TASK)
        about = bag(own) if is_long else _NO_BAG
        out.append(Told(ref.path, ref.project, saying, own if is_long else "", about, text.page, is_loaded))
    return tuple(out)


def heeding(facts: Iterable[Each], cancelled: Callable[[], bool]) -> Iterator[Each]:
    """Yield the items, checking `cancelled` from time to time. Raises `Cancelled`."""
    for number, each in enumerate(facts):
        if not number % HEED_EVERY and cancelled():
            raise Cancelled
        yield each


def can_meet(one: Told, other: Told) -> bool:
    """Whether an agent ever sees both facts: they are of the same project, or one is shared."""
    return one.covers(other) or other.covers(one)


def duplicates(facts: Sequence[Told]) -> Iterator[Pair]:
    """Pairs of facts with equal keys. The shared fact stays rather than a project's copy."""
    by_key: dict[str, list[Told]] = defaultdict(list)
    for fact in facts:
        if own := fact.key or _short_key(fact):
            by_key[own].append(fact)
    for same in by_key.values():
        if len(same) < 2:
            continue
        first: dict[str, list[Told]] = {}
        for fact in sorted(same, key=lambda each: bool(each.owner)):
            known = (*first.get("", ()), *(first.get(fact.owner, ()) if fact.owner else ()))
            stays = next((each for each in known if _is_same_fact(each, fact)), None)
            if stays is None:
                first.setdefault(fact.owner, []).append(fact)
                del first[fact.owner][_MOST_APART:]
            else:
                yield _pair_keeping_links(stays, fact)


def _short_key(fact: Told) -> str:
    """The key of an item, or an order on a line of its own, too short to be compared elsewhere; empty if it is no statement."""
    saying = fact.saying
    own = key(saying.text) if saying.form in (Form.ITEM, Form.SENTENCE) and len(saying.text) < _SHORT else ""
    if saying.form is Form.SENTENCE and not (ORDER.match(own) and fact.deletion):
        return ""
    return own if _SHORT_STATEMENT.match(own) and not own.endswith(_LEADING) else ""


def _is_same_fact(one: Told, other: Told) -> bool:
    """Whether two facts with equal words mean the same; steps of two procedures, or lists of two things, may read alike."""
    mine, theirs = one.saying, other.saying
    is_one_file = one.path == other.path
    is_one_place = mine.heading == theirs.heading and (not is_one_file or mine.above == theirs.above)
    if (is_one_file and mine.line == theirs.line) or _is_task_of_one(one, other):
        return False
    if not one.key and not is_one_place:
        return is_one_file and _holds_for_both(mine, theirs)
    if mine.form in _OF_PROCEDURES and theirs.form in _OF_PROCEDURES:
        return not is_one_file and is_one_place
    if is_one_file and one.key.endswith(_LEADING):
        return False
    if not is_one_file or is_one_place or len(one.bag.words) >= _MUCH:
        return True
    is_prose = Form.SENTENCE in (mine.form, theirs.form) and UNDER not in mine.heading + theirs.heading
    return is_prose or _holds_for_both(mine, theirs)


def _is_task_of_one(one: Told, other: Told) -> bool:
    """Whether exactly one of the two facts is a task: what is to be done is no copy of what is so."""
    return (one.saying.form is Form.TASK) is not (other.saying.form is Form.TASK)


def _holds_for_both(one: Saying, other: Saying) -> bool:
    """Whether equal sayings are orders, and neither stands below a heading or a line that names what it is about."""
    if not ORDER.match(key(one.text)) or UNDER in one.heading + other.heading:
        return False
    return all(map(names_nothing, {*one.above} ^ {*other.above}))


def _pair_keeping_links(one: Told, other: Told) -> Pair:
    """A pair of which the later fact goes, unless it has links that the earlier one lacks."""
    more = one.owner == other.owner and not set(_TARGET.findall(other.saying.text)) <= set(_TARGET.findall(one.saying.text))
    return _pair(other, one) if more else _pair(one, other)


def _pair(one: Told, other: Told) -> Pair:
    """A pair of which the first stays, unless only the other is in every prompt that either is in."""
    return Pair(other, one) if other.replaces(one) and not one.replaces(other) else Pair(one, other)


def near_duplicates(facts: Sequence[Told], *, cancelled: Callable[[], bool] = never) -> Iterator[Pair]:
    """Pairs of facts that say the same in other words; the longer one stays. Raises `Cancelled`.

    Facts are compared only if they share one of their rarest words, since only such pairs can be similar enough: the number of
    comparisons grows about linearly with the number of facts.
    """
    known = [fact for fact in facts if fact.key and len(fact.bag.words) > 2 and sum(map(len, fact.bag[:2])) + fact.bag.denies > 3]
    sets = [frozenset(fact.bag.words) for fact in known]
    count = Counter(chain.from_iterable(sets))
    rank = {word: place for place, word in enumerate(sorted(sorted(count), key=count.__getitem__))}
    alone = sum(1 for times in count.values() if times == 1)  # the number of words that occur in one fact only; these come first
    posted: list[list[int]] = [[] for _ in rank]
    sizes = [*map(len, sets)]
    masks = [sum({1 << rank[word] % _MASK_BITS for word in own}) for own in sets]
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
        kind, mask = kinds[number], masks[number]
        least = needed[size] - (size - mask.bit_count())  # common words have common bits, apart from those that share one here
        for before in sorted(at for at in seen if kinds[at] == kind and (masks[at] & mask).bit_count() >= least):
            one, other = known[before], known[number]
            if len(own & sets[before]) < needed[max(size, sizes[before])]:
                continue
            if can_meet(one, other) and one.key != other.key and _say_the_same(one, other, sets[before], own):
                yield _pair(other, one) if len(other.key) > len(one.key) else _pair(one, other)


def keys_of(text: str) -> dict[str, Saying]:
    """Map the keys of the facts of an instruction file to these, the first of equal ones; its title is over none of them."""
    found: dict[str, Saying] = {}
    facts = read_document(text).facts
    tops = {saying.above[:1] for saying in facts}
    title = next(iter(tops)) if len(tops) == 1 else ()
    for saying in facts:
        if is_comparable(own := key(saying.text)):
            found.setdefault(own, _below_title(saying, *title))
    return found


def _below_title(saying: Saying, title: str = "") -> Saying:
    """A fact without the one title of its file among its headings."""
    own, _, leads = saying.heading.partition(UNDER)
    heading = saying.heading if own != title else f"{UNDER}{leads}" if leads else ""
    return saying._replace(above=saying.above[1:], heading=heading) if title else saying


Standing = tuple[str, Saying]
"""Where an instruction file has a fact: the file, and the fact in it."""


def paid_twice(facts: Iterable[Told], instructions: Mapping[str, Standing], *, of_all: bool = True) -> Iterator[Finding]:
    """Findings about facts that another file already puts in the prompt; `instructions` maps keys to places in it.

    Only those that are loaded, too, are said to be paid for twice. Unless the other file is in the prompts `of_all` projects that
    these facts are in, they stay.
    """
    keys = ((fact, fact.key if fact.saying.form is not Form.TASK else "") for fact in facts if of_all or fact.is_loaded)
    for fact, (file, there) in ((fact, instructions[own]) for fact, own in keys if own in instructions):
        says = _LOADED_THERE if not fact.is_loaded else _PAID if of_all else _PAID_THERE
        fix = Fix(_KEPT_THERE[fact.is_part], file, fact.deletion) if of_all else None
        line, stop = fact.saying.line + 1, fact.saying.stop
        text, related = fact.saying.text, (Place(file, there.line + 1),)
        said = says[fact.is_part]
        found = Finding(PAID_TWICE, fact.path, line, stop, said, text=_quotable(text), related=related, quoted=text, fix=fix)
        yield _or_perhaps(found, there, fact.saying)


def _say_the_same(one: Told, other: Told, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two facts with equal numbers and enough common words mean the same."""
    forms = (one.saying.form, other.saying.form)
    if forms == (Form.ROW, Form.ROW) or _is_task_of_one(one, other) or any(each.key.endswith(_LEADING) for each in (one, other)):
        return False  # rows distinguish things, and an introduction to a list is no fact
    if one.saying.heading != other.saying.heading:
        if Form.TASK in forms or (one.path == other.path and Form.STEP in forms):
            return False  # such a list repeats on purpose what is said elsewhere
        if one.path == other.path and Form.SENTENCE not in forms and min(len(mine), len(theirs)) < _MUCH:
            return False
    labels = [found[0] if (found := _LABEL.match(each.key)) else "" for each in (one, other)]
    if all(labels) and bag(labels[0]).words != bag(labels[1]).words:
        return False
    heads = {found[0] for each in (one, other) if (found := _CODE.match(each.saying.text))}  # what an item begins with, it is about
    if len(heads) > 1 or _code(one) != _code(other) or _negated_words(one) != _negated_words(other):
        return False
    if _DIRECTION.findall(one.key) != _DIRECTION.findall(other.key):
        return False
    units, their_units = _units(one), _units(other)
    if any(units[number].isdisjoint(their_units[number]) for number in units.keys() & their_units.keys()):
        return False
    common = len(mine & theirs)
    if not _alike_in_prose(one, other) or _exchanged(one.bag.words, other.bag.words):
        return False
    (first, names), (second, others) = _with_owners_first(one), _with_owners_first(other)
    if names | others and _exchanged(first, second, names | others):
        return False
    if common == len(mine) or common == len(theirs):
        return True
    return not (_swapped(one.bag.words, other.bag.words, mine & theirs) or _swapped(first, second, mine & theirs))


def _with_owners_first(fact: Told) -> tuple[tuple[str, ...], frozenset[str]]:
    """The content words of a fact, with owners put in front as in "shop's port", and the set of owner words."""
    names = frozenset(stem(each[2] or each[4]) for each in _BELONGS.finditer(fact.key))
    found = _BELONGS.sub(lambda each: f"{each[2] or each[4]} {each[1] or each[3]}", fact.key) if names else ""
    return bag(found).words if names else fact.bag.words, names


def _code(fact: Told) -> set[str]:
    """The commands, paths and code names in a fact."""
    text = fact.saying.text
    found = {" ".join(code.split()) for code in _CODE.findall(text)} if "`" in text else set()
    return found | {name.strip(".") for name in _NAME.findall(_CODE.sub(" ", text))}


def _alike_in_prose(one: Told, other: Told) -> bool:
    """Whether two facts with the same code have at least half of the words around it in common."""
    if "`" not in one.saying.text and "/" not in one.key:
        return True
    mine, theirs = (set(bag(key(_NAME.sub(" ", _CODE.sub(" ", each.saying.text)))).words) for each in (one, other))
    return 2 * len(mine & theirs) >= max(len(mine), len(theirs))


def _units(fact: Told) -> dict[str, set[str]]:
    """What each number of a fact counts or measures: the words after it, up to one without a meaning of its own."""
    found: dict[str, set[str]] = {}
    for number, after in _COUNTED.findall(fact.key) if fact.bag.numbers else ():
        counted = takewhile(lambda word: word in _SECONDS or word not in _BETWEEN, after.split(" "))
        words = ["second" if word in _SECONDS else word for word in counted]
        if own := bag(" ".join(words)).words if words else ():
            found.setdefault(number, set()).update(own)
    return found


def _negated_words(fact: Told) -> set[str]:
    return {stem(word or signs) for word, signs in _DENIED.findall(fact.key)}


def _swapped(one: Sequence[str], other: Sequence[str], common: frozenset[str]) -> bool:
    """Whether each fact has a word of its own at the same position: then they are about different things."""
    around = {place for at, word in enumerate(one) if word not in common for place in _neighbors(one, at)}
    return any(place in around for at, word in enumerate(other) if word not in common for place in _neighbors(other, at))


def _exchanged(one: Sequence[str], other: Sequence[str], among: Collection[str] = ()) -> bool:
    """Whether two facts have different words at the same position, one of which is elsewhere in the other fact.

    Then they have the same words in swapped roles. With `among`, only swaps of one of these words count.
    """
    mine, theirs = _gaps(one), _gaps(other)
    swaps = {(word, instead) for gap in mine.keys() & theirs.keys() for word, instead in product(mine[gap], theirs[gap])}
    swaps = {each for each in swaps if not among or not set(each).isdisjoint(among)}
    known = (frozenset(one), frozenset(other))
    return any(
        word != instead and (word not in known[1] or instead not in known[0] or (instead, word) in swaps) for word, instead in swaps
    )


def _gaps(own: Sequence[str]) -> dict[tuple[str, str], set[str]]:
    """Map (word before, word after) to the words between them."""
    found: dict[tuple[str, str], set[str]] = {}
    for before, word, after in zip(("", *own), own, (*own[1:], ""), strict=False):
        found.setdefault((before, after), set()).add(word)
    return found


def _neighbors(own: Sequence[str], at: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """The two neighbors of a word, as ("behind", word) and ("before", word)."""
    return ("behind", own[at - 1] if at else ""), ("before", own[at + 1] if at + 1 < len(own) else "")


def _copies(told: Sequence[Told], owner: str, cancelled: Callable[[], bool]) -> Iterator[Finding]:
    """Findings about facts that occur twice, literally or in other words: at most one per line for the latter."""
    taken: set[tuple[str, int]] = set()
    same = ((DUPLICATE, _SAME, pair) for pair in duplicates(told))
    near = ((NEAR_DUPLICATE, _NEAR, pair) for pair in near_duplicates(told, cancelled=cancelled))
    for rule, says, pair in chain(same, near):
        spot = (pair.other.path, pair.other.saying.line)
        if pair.concerns(owner) and (rule is DUPLICATE or spot not in taken):
            taken.add(spot)
            yield pair.copy(rule, says)


def _within(text: Text) -> Iterator[Finding]:
    """Findings about facts that stand twice in one instruction file; it is not compared with others, as each agent has its own."""
    own = told(text._replace(page=read_document(text.text))) if text.ref.role is Role.INSTRUCTIONS else ()
    for pair in duplicates(own):
        found = pair.copy(DUPLICATE, _SAME)
        yield replace(found, fix=found.fix._replace(notes=_OF_THE_PROJECT)) if found.fix else found


DUPLICATE: Final = Rule(
    "duplicate",
    Level.WARNING,
    "Twice the same",
    "A fact that stands twice, apart from list mark, emphasis and case; of few words, only where no heading names another subject; "
    "not the steps of two procedures.",
    "Deletes the later one, or the one without the links of the other; never one that a prompt has without the other, nor one below"
    " another heading or lead; a step, a row or a short order there is only perhaps a copy.",
)
NEAR_DUPLICATE: Final = Rule(
    "near-duplicate",
    Level.WARNING,
    "Twice in other words",
    "A fact that stands twice in other words, with the same numbers and units, commands, paths and denials.",
    "Keeps the longer one, or the one that is in more prompts.",
)
PAID_TWICE: Final = Rule(
    "paid-twice",
    Level.WARNING,
    "In instructions too",
    "A fact that an instruction file which is in the same prompt, or in that of its project, has too.",
    "Deletes it from memory, if the file is in each prompt with it.",
)
ALONE: Final = (_within,)
AMONG: Final = (_copies,)
