"""Find words of a memory similar to a term that it lacks: inflected forms, spellings, abbreviations, synonyms, aliases."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pkgutil import get_data
from posixpath import commonprefix
from typing import Any, Final, NamedTuple

from zsmem_tui.core.markdown import BOM, MAX_FIELDS, front_matter
from zsmem_tui.core.recall.aliases import SIGN, aliases_of
from zsmem_tui.core.recall.word_forms import (
    LONGEST_TERM,
    before_participle,
    between_runs,
    distance,
    inflected,
    mistakes,
    plain,
    runs_of,
    sound,
    spellings,
    stem,
    words_of,
)
from zsmem_tui.core.text import counted, lines

MOST_WORDS: Final = 5
"""The most words suggested for a term."""

MOST_OTHERS: Final = 3
"""The most words that are suggested where each term was found, but no file has all."""

MOST_TERMS: Final = 16
"""The most terms of a query for which words are suggested, limited by time and the length of the answer."""

_LEAST_FORM: Final = 3
_LEAST_VERB: Final = 4
_LEAST_BEGINNING: Final = 4
_LONG: Final = 8
"""From this length on, a word may have two wrong letters; in shorter ones that would make another word."""
_START_LETTERS: Final = 6
"""Letters from which the start key is computed: two letters may be one sound."""

_GROWING: Final = "aeiouysn"
"""Letters of endings in which a noun differs from its plural."""

_PARTICLES: Final = frozenset(("in", "on", "off", "out", "up", "down", "to", "of", "by", "at"))

_FIELD: Final = re.compile(r"[ \t]*(?:- +)?[\w.-]+[ \t]*:(?=\s|$)")
_MOST_CONTAINING: Final = 200
_LEAST_HEAD: Final = 5
_LEAST_TAIL: Final = 4


class NearWord(NamedTuple):
    """A word of the memory, the number of files with it, and why it is suggested: form, spelling, synonym, alias, part."""

    word: str
    files: int
    why: str


class Near(NamedTuple):
    """The suggestions for a term that the memory lacks, as it was asked for: at most five words, best first."""

    term: str
    words: tuple[NearWord, ...]


class Counted(NamedTuple):
    """What a vocabulary counted for a text, so that it can be subtracted without the text."""

    words: array[int]
    keys: array[int]
    aliases: tuple[str, ...]


class Vocabulary:
    """The words of some texts with the number of texts that have each, and the groups of words in their aliases."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self._keys: Counter[str] = Counter()
        """Texts that have a word only as a key in their front matter: a search finds them, but the word is not content."""
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        """Words by number: each text is stored as an array of such numbers."""
        self._aliases: Counter[tuple[str, ...]] = Counter()
        self._by_alias: dict[str, dict[tuple[str, ...], None]] = defaultdict(dict)
        """Groups of aliases, by the stems of their words."""
        self._by_start: dict[str, dict[str, None]] = defaultdict(dict)
        """Words by their first letters, normalized by sound."""
        self._by_letter: dict[tuple[int, int, str], dict[str, None]] = defaultdict(dict)
        """Words by (length, position 0 or 1, letter at that position)."""
        self._joined = ""

    def add(self, text: str) -> Counted:
        """Count the words of a text."""
        keys, rest = _split_keys(text)
        found = _all_words(rest)
        for word in found:
            if word not in self.files:
                for table, key in self._places(word):
                    table[key][word] = None
        self.files.update(found)
        keys -= found
        self._keys.update(keys)
        counted = Counted(self._numbered(found), self._numbered(keys), _alias_group(text))
        if counted.aliases:
            self._aliases[counted.aliases] += 1
            for key in _stems(counted.aliases):
                self._by_alias[key][counted.aliases] = None
        self._joined = ""
        return counted

    def remove(self, counted: Counted) -> None:
        """Subtract the counts of a text."""
        found = [self._names[number] for number in counted.words]
        self._keys.subtract(self._names[number] for number in counted.keys)
        self.files.subtract(found)
        for word in found:
            if not self.files[word]:
                del self.files[word]
                for table, key in self._places(word):
                    table[key].pop(word, None)
        if counted.aliases:
            self._aliases[counted.aliases] -= 1
            if not self._aliases[counted.aliases]:
                del self._aliases[counted.aliases]
                for key in _stems(counted.aliases):
                    self._by_alias[key].pop(counted.aliases, None)
        self._joined = ""

    def _numbered(self, words: Iterable[str]) -> array[int]:
        numbers = self._numbers
        for word in words:
            if word not in numbers:
                numbers[word] = len(self._names)
                self._names.append(word)
        return array("I", map(numbers.__getitem__, words))

    def texts_with(self, word: str) -> int:
        """The number of texts that contain the word as a whole word."""
        return self.files.get(word, 0) + self._keys.get(word, 0)

    def _places(self, word: str) -> Iterator[tuple[dict[Any, dict[str, None]], object]]:
        if len(word) > 1 and not word.isdigit():
            yield self._by_start, _start(word)
            yield self._by_letter, (len(word), 0, word[0])
            yield self._by_letter, (len(word), 1, word[1])

    def groups(self, stems: Iterable[str]) -> list[tuple[str, ...]]:
        """The alias groups that contain a word with one of these stems."""
        return list(dict.fromkeys(group for each in stems for group in self._by_alias.get(each, ())))

    def forms(self, term: str) -> list[str]:
        """The words that are forms of a term."""
        wanted, bare = stem(term), before_participle(term)
        found = [word for word in self._by_start.get(_start(term), ()) if stem(word) == wanted and _begin_alike(word, term)]
        participles = self._by_start.get(_start(f"ge{term}"), ()) if len(term) > _LEAST_VERB else ()
        found += [word for word in participles if (own := before_participle(word)) and stem(own) == wanted]
        return found + (self.forms(bare) if bare else [])

    def inflections(self, word: str) -> list[str]:
        """Those forms that differ only in number, case or tense."""
        return [form for form in self.forms(word) if inflected(form) == inflected(word)]

    def beginning(self, term: str) -> Iterable[str]:
        """The words with the same start as a term."""
        return self._by_start.get(_start(term), ())

    def similar(self, term: str, most: int) -> Iterator[str]:
        """The words that may equal the term but for `most` letters: of similar length, and with one of its first letters at their
        start.
        """
        for length in range(len(term) - most, len(term) + most + 1):
            for place, letter in ((0, term[0]), (0, term[1]), (1, term[0])):
                yield from self._by_letter.get((length, place, letter), ())

    def containing(self, part: str) -> list[str]:
        """The words that contain a string."""
        joined = self._joined = self._joined or f"\n{chr(10).join(self.files)}\n"
        found: list[str] = []
        at = joined.find(part)
        while at >= 0 and len(found) < _MOST_CONTAINING:
            begin, end = joined.rfind("\n", 0, at) + 1, joined.find("\n", at)
            found.append(joined[begin:end])
            at = joined.find(part, end)
        return found

    def has(self, phrase: str) -> str:
        """A word or phrase in the form the memory has it; empty if it lacks one of its words."""
        found = []
        words = _words(phrase)
        if len(words) == 2 and not _PARTICLES.isdisjoint(words):
            return ""  # a particle is in every text, and the other word alone means something else
        for each in words:
            if each in self.files:
                found.append(each)
            elif len(each) > _LEAST_FORM and (forms := [form for form in self.inflections(each) if _is_grown(each, form)]):
                found.append(min(forms, key=lambda word: (len(word), word)))
            else:
                return ""
        return " ".join(found)


def _alias_group(text: str) -> tuple[str, ...]:
    """The aliases in a text's `aliases:` line; empty without one."""
    return tuple(alias.casefold() for alias in aliases_of(text)) if SIGN in text else ()


def _split_keys(text: str) -> tuple[set[str], str]:
    """Separate the keys of a text's front matter from the rest: (words in keys, text without the keys)."""
    if not text.startswith(("---", BOM)):
        return set(), text
    lines = text.split("\n", MAX_FIELDS)
    end = front_matter(lines)
    fields = [_FIELD.match(line) for line in lines[:end]]
    values = [line[found.end() :] if found else line for line, found in zip(lines, fields, strict=False)]
    return words_of(" ".join(found[0] for found in fields if found)), "\n".join([*values, *lines[end:]])


def _stems(aliases: Sequence[str]) -> set[str]:
    return {stem(word) for alias in aliases for word in _words(alias)}


def _all_words(text: str) -> set[str]:
    found = {word for word in words_of(text) if len(word) <= LONGEST_TERM or runs_of(word)}
    if not text.isascii():
        for word in [word for word in found if not word.isascii()]:
            for run in runs_of(word):
                found.update((run, *(run[at : at + size] for size in (2, 3) for at in range(len(run) - size + 1))))
            found.update(between_runs(word))
    return found


def near_words(terms: Iterable[str], vocabulary: Vocabulary, *, are_found: bool = False) -> list[Near]:
    """Suggest words of the memory for each term; terms without suggestions are left out.

    Neighboring terms may be one phrase, such as `pull request`: suggestions for it are listed with the first term. For terms
    that `are_found`, no other spelling is suggested, and no word that only shares another one with it.
    """
    asked: dict[str, str] = {}
    for term in terms:
        asked.setdefault(term.casefold(), term)
    every = list(asked)[:MOST_TERMS]
    found: dict[str, list[NearWord]] = {term: [] for term in every}
    for at, term in enumerate(every):
        listed = found[term]
        for said, why in _candidates(term, every[at + 1 :], vocabulary, is_found=are_found):
            word = NearWord(said, min(map(vocabulary.texts_with, _words(said)), default=0), why)
            if are_found and not _is_other_word(term, word):
                continue
            if len(listed) < MOST_WORDS and all(said != each.word for each in listed):
                listed.append(word)
    return [Near(asked[term], tuple(words)) for term, words in found.items() if words]


def _is_other_word(term: str, word: NearWord) -> bool:
    """Whether a word is worth a search beside a term that is found: another name, or another number, case or tense."""
    return word.why in ("synonym", "alias") or (word.why == "form" and inflected(word.word) == inflected(term))


def joined(found: Sequence[Sequence[Near]]) -> list[Near]:
    """Combine the suggestions of several memories for the same terms: their words in turn, with the numbers of files added."""
    if len(found) == 1:
        return list(found[0])
    terms = dict.fromkeys(near.term for each in found for near in each)
    out = []
    for term in terms:
        own = [near for each in found for near in each if near.term == term]
        files: Counter[str] = Counter()
        for near in own:
            files.update({word.word: word.files for word in near.words})
        words = [word._replace(files=files[word.word]) for word in in_turn(own)]
        out.append(Near(term, tuple(words[:MOST_WORDS])))
    return out


def sentence(near: Sequence[Near], apart: Sequence[str] = (), by: str = "this") -> str:
    """A sentence on what was not found and what the memory has instead; empty if there is nothing to suggest.

    `apart` are the terms searched for, if each is found but no file has all that is searched `by` an agent.
    """
    every = in_turn(near)[: MOST_OTHERS if apart else None]
    words = [f"{each.word} ({counted(each.files, 'file') if not at else f'{each.files:,}'})" for at, each in enumerate(every)]
    if not words:
        return ""
    missing = ", ".join(each.term[:LONGEST_TERM] for each in near)
    lead = f"{none_has_all(apart, by)} This memory has other words for them" if apart else f"Not found: {missing}. This memory has"
    return f"{lead}: {', '.join(words)}."


def none_has_all(terms: Iterable[str], by: str) -> str:
    """A sentence that no file searched `by` an agent has all of these terms."""
    return f"No file that {by} searches has all of: {', '.join(term[:LONGEST_TERM] for term in terms)}."


def in_turn(near: Sequence[Near]) -> list[NearWord]:
    """The suggestions for all terms in turn: the first of each, then the second of each. No word twice."""
    longest = max((len(each.words) for each in near), default=0)
    every = [each.words[at] for at in range(longest) for each in near if at < len(each.words)]
    return list({word.word: word for word in every}.values())


def _candidates(term: str, after: Sequence[str], vocabulary: Vocabulary, *, is_found: bool) -> Iterator[tuple[str, str]]:
    asked, term, after = term, plain(term[:LONGEST_TERM]), [plain(each[:LONGEST_TERM]) for each in after]
    parts = _words(term)
    parts = [each for each in parts if each not in _PARTICLES] or parts
    if runs_of(term):
        yield from ((part, "part") for part in _known_parts(term, vocabulary))
        parts = [piece for each in parts for piece in between_runs(each)] or parts
    for each in parts:
        if each in vocabulary.files and each != asked:
            yield each, "form"
    forms = [word for each in parts for word in _forms(each, vocabulary)]
    yield from ((word, "form") for word in forms)
    spelled = [(word, "spelling") for each in parts if not forms for word in _spelled(each, vocabulary)]
    is_word = term in _table().close  # if a known word, it is spelled right: synonyms come first
    yield from () if is_word else spelled
    yield from ((word, "alias") for word in _aliases(parts, vocabulary))
    yield from ((word, "synonym") for word in _related(term, after, vocabulary, close=is_found))
    yield from spelled if is_word else ()
    if not forms and not spelled:
        yield from ((word, "form") for each in parts for word in _of_compound(each, vocabulary))


def _forms(term: str, vocabulary: Vocabulary) -> list[str]:
    """Other forms of a term, inflected ones first, then the shortest, since it is part of longer ones."""
    if len(term) < _LEAST_FORM or term.isdigit() or runs_of(term):
        return []
    found = [word for word in vocabulary.forms(term) if word != term]
    irregular = [vocabulary.has(other) for other in _irregular().get(term, ())]
    own = inflected(term)
    within = [] if found else _containing(term, vocabulary)
    return [*sorted({*found, *within}, key=lambda word: (inflected(word) != own, len(word), word)), *filter(None, irregular)]


def _containing(term: str, vocabulary: Vocabulary) -> list[str]:
    """Compounds that contain the term, in another form or with umlauts spelled differently."""
    if len(term) < _LEAST_HEAD:
        return []
    within = [part for part in spellings(term) if len(part) >= _LEAST_HEAD]
    return [word for part in within for word in vocabulary.containing(part) if word != term]


def _spelled(term: str, vocabulary: Vocabulary) -> list[str]:
    """Words that differ from the term in one or two letters, the nearest and most common first."""
    most = mistakes(term)
    if not most:
        return []
    letters, is_long = set(term), len(term) >= _LONG
    found = set()
    for word in vocabulary.similar(term, most):
        if len(letters.symmetric_difference(word)) > (2 * most + 1 if is_long else 2) or word == term:
            continue
        steps = distance(term, word, most)
        is_form_of_it = word[0] == term[0] and len(word) > _LEAST_VERB and distance(term, inflected(word), 1) <= 1
        if (steps <= most and (steps < 2 or term[0] in word[:2])) or is_form_of_it:
            found.add((steps, word[0] != term[0], -vocabulary.files[word], word))
    return [word for *_, word in sorted(found)]


def _of_compound(term: str, vocabulary: Vocabulary) -> list[str]:
    """Parts of a compound that are in the memory, and compounds with the same start."""
    if len(term) < _LEAST_HEAD + _LEAST_TAIL or not term.isalpha():
        return []
    found = []
    for cut in range(len(term) - _LEAST_TAIL, _LEAST_HEAD - 1, -1):
        head, tail = term[:cut], term[cut:]
        parts = (head, tail) if len(tail) >= _LEAST_HEAD else (head,)
        found += [word for part in parts for word in vocabulary.inflections(part) if len(word) >= _LEAST_TAIL]
    heads = vocabulary.beginning(term)
    own = sound(term)
    alike = sorted((-_shared(own, sound(word)), len(word), word) for word in heads if word != term)
    found += [word for shared, _, word in alike[:3] if -shared > _LEAST_HEAD]
    return list(dict.fromkeys(found))


def _begin_alike(one: str, other: str) -> bool:
    """Whether two words have a long enough common start: short stems are shared by many words."""
    one, other = sound(one), sound(other)
    return _shared(one, other) >= min(len(one), len(other), _LEAST_BEGINNING)


def _is_grown(word: str, form: str) -> bool:
    """Whether a form has the word but for an ending of vowels, `s` and `n`: by other endings, a chart would be chars."""
    return _shared(sound(word), sound(form)) >= len(sound(word).rstrip(_GROWING))


def _shared(one: str, other: str) -> int:
    return len(commonprefix((one, other)))


def _aliases(parts: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """The aliases that a note groups with the term."""
    named = dict.fromkeys(stem(part) for part in parts)
    return [each for group in vocabulary.groups(named) for each in group if stem(each) not in named and vocabulary.has(each)]


def _related(term: str, after: Sequence[str], vocabulary: Vocabulary, *, close: bool) -> list[str]:
    """Synonyms of the term, or of a phrase that begins with it, whose words are in the memory: only the `close` ones, or all."""
    phrases = [" ".join((term, *after[:count])) for count in range(min(2, len(after)), -1, -1)]
    table = _table()
    strong: list[str] = []
    weak: list[str] = []
    for phrase in phrases:
        forms = (phrase, phrase.removesuffix("s"), " ".join(map(stem, _words(phrase))))
        key = next((each for each in forms if each in table.close), "")
        strong += table.close.get(key, ())
        weak += table.wide.get(key, ())
    further = [other for name in strong for other in table.close.get(name, ())]
    found = [vocabulary.has(other) for other in dict.fromkeys((*strong, *(() if close else (*weak, *further))))]
    return [each for each in dict.fromkeys(found) if each and each not in phrases]


def _known_parts(term: str, vocabulary: Vocabulary) -> list[str]:
    """Parts of a term, in a script without blanks, that the memory has: long and rare ones first."""
    runs = runs_of(term)
    whole = [run for run in runs if run in vocabulary.files]
    pieces = [part for run in runs if run not in vocabulary.files for part in _cut(run, vocabulary.files)]
    return sorted(dict.fromkeys((*whole, *pieces)), key=lambda part: (-min(len(part), 3), vocabulary.files[part]))


def _cut(run: str, files: Mapping[str, int]) -> list[str]:
    """Cut a run of text into known parts that cover as much of it as possible."""
    best: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    for end in range(1, len(run) + 1):
        options = [best[end - 1]]
        for size in (2, 3):
            if end >= size and (part := run[end - size : end]) in files:
                covered, rare, parts = best[end - size]
                options.append((covered + size, rare - files[part], (*parts, part)))
        best.append(max(options))
    return list(best[-1][2])


def _words(phrase: str) -> list[str]:
    return [part for part in re.split(r"[\W_]+", phrase) if part]


def _start(word: str) -> str:
    return _start_of(word[:_START_LETTERS])


@lru_cache(maxsize=65536)
def _start_of(letters: str) -> str:
    return sound(letters)[:3]


class _Table(NamedTuple):
    close: Mapping[str, tuple[str, ...]]
    """Synonyms of a word: the first name of its line with the other names, and vice versa."""
    wide: Mapping[str, tuple[str, ...]]
    """Other names in the same lines."""


@cache
def _table() -> _Table:
    close: dict[str, list[str]] = defaultdict(list)
    wide: dict[str, list[str]] = defaultdict(list)
    for head, *others in related_lines():
        for other in others:
            _relate(close, head, other)
            _relate(close, other, head)
        for other in others:
            for another in others:
                if other != another:
                    _relate(wide, other, another)
    return _Table(
        {key: tuple(dict.fromkeys(found)) for key, found in close.items()}, {key: tuple(found) for key, found in wide.items()}
    )


def _relate(table: dict[str, list[str]], one: str, other: str) -> None:
    table[one].append(other)
    if (key := " ".join(stem(word) for word in _words(one))) != one and len(key) > 2:
        table[key].append(other)


@cache
def _irregular() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in related_lines("= "):
        for word in line:
            found[word] += [other for other in line if other != word]
    return {word: tuple(others) for word, others in found.items()}


def related_lines(mark: str = "") -> Iterator[list[str]]:
    """The groups of words that developers use for one thing, one a line; behind `= ` the forms of a word that no rule covers."""
    for line in lines((get_data(__package__, "related_words.txt") or b"").decode()):
        if line.startswith("= ") == bool(mark):
            yield [each.strip() for each in line.removeprefix("= ").split(",")]
