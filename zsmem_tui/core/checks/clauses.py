"""The clauses of a fact: what each says something about, which values it gives, and whether it denies."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.core.checks.vocabulary import (
    CONDITIONS,
    CONDITIONS_JA,
    EARLIER,
    EARLIER_PHRASES,
    GENERIC,
    KANJI_DIGITS,
    NEGATIONS,
    NUMBER_WORDS,
    PAIR_OF,
    SCOPES,
    SMALL,
    UNITS,
    UNIVERSAL,
    listed,
)
from zsmem_tui.core.checks.words import denies_in_japanese, stem

MOST_CLAUSES: Final = 4
"""Clauses of a fact that are looked at: what it is about stands at its beginning."""

LONGEST: Final = 600
"""Characters of a fact that are looked at."""

MOST_KEPT: Final = 16_384
"""Facts whose clauses are kept for the next time: those of some projects, in about 15 MB."""

_CLAUSES: Final = re.compile(
    r"[,;:](?=\s)|[、。；]|[.!?](?=\s)|\s[–—-]\s|\s\((?=\w)|\)\s|\b(?:because|so that|otherwise|weil|sonst|damit)\b"
)
_EARLIER: Final = re.compile(EARLIER_PHRASES)
_CONDITION: Final = re.compile(CONDITIONS_JA)
_STATES: Final = {"on": "on", "off": "off", "an": "on", "aus": "off"}
"""What something is switched to, where it is the last word of a clause."""
_EDGES: Final = ".,;:!?()'\""
_CONDITIONAL: Final = frozenset(
    ["in", "on", "for", "at", "of", "under", "during", "within", "bei", "für", "im", "auf", "am", "beim", "während", "unter"]
)
_TOKEN: Final = re.compile(
    r"[0-9]{1,2}:[0-9]{2}|[0-9]+(?:[.,][0-9]+)*|[%°€$]|[〇零一二三四五六七八九十百千]+(?=時|分|秒|日|件|回|人|円|個|本|枚|名|週|年|月|台|点|倍)"
    r"|[月火水木金土日]曜日?"
    r"|(?:か月|ヶ月|ミリ秒|時間|週間|文字|[時分秒日件回人円個本枚名週年月台点倍])(?<=[0-9〇零一二三四五六七八九十百千][^a-z])"
    r"|(?:(?![月火水木金土日]曜|[〇零一二三四五六七八九十百千]+[時分秒回件人円個枚名台])[\u3005\u3400-\u4dbf\u4e00-\u9fff])+"
    r"|[\u3005\u3400-\u4dbf\u4e00-\u9fff]|[\u30a1-\u30fa\u30fc]+"
    r"|[^\W\d_\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff][^\W\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff]*(?:'[a-z]+)?"
)
_VALUE_AHEAD: Final = frozenset(
    listed(
        """is are = to at of on port be was after every for than least most within up listen listens
        ist sind auf bei um von alle nach lauscht"""
    )
)
_COUNTS: Final = frozenset(listed("has have needs need requires require allows allow takes hat haben braucht brauchen"))
"""Words behind which a number counts what comes next, and is no part of a name."""

_GENERIC: Final = frozenset(stem(word) for word in GENERIC)
SCOPE_WORDS: Final = frozenset(stem(word) for word in SCOPES)
_UNITS: Final = frozenset(UNITS)
_ALIASES: Final = {"tabulator": "tabs", "leerzeichen": "spaces"}
_UNIT_NAMES: Final = {
    name: names[0]
    for names in (
        ("month", "months", "monat", "monate", "monaten", "か月", "ヶ月"),
        ("year", "years", "jahr", "jahre", "jahren", "年"),
        ("%", "percent", "prozent"),
        ("€", "euro", "euros", "eur"),
        ("clock", "uhr", "時", "am", "pm", "o'clock"),
    )
    for name in names
}
_MEASURES: Final = {
    name: (measure, size)
    for measure, size, names in (
        ("time", 0.001, listed("ms ミリ秒 millisecond milliseconds millisekunden")),
        ("time", 1, listed("s sec secs second seconds sekunde sekunden 秒 秒間")),
        ("time", 60, listed("min mins minute minutes minuten 分 分間")),
        ("time", 3_600, listed("h hr hrs hour hours stunde stunden 時間")),
        ("time", 86_400, listed("d day days tag tage tagen 日 日間")),
        ("time", 604_800, listed("week weeks woche wochen 週間 週")),
        ("bytes", 1, listed("b byte bytes")),
        ("bytes", 1_024, listed("kb kib")),
        ("bytes", 1_048_576, listed("mb mib")),
        ("bytes", 1_073_741_824, listed("gb gib")),
    )
    for name in names
}
"""Units of one measure, so that a minute and 60 seconds are the same and 5 minutes another value than 60 seconds."""

_ONE: Final = frozenset(listed("one single ein eine einen einem einer"))
"""Words that count only before what can be counted."""

_LONGEST_LABEL: Final = 4
"""Words of a label before a colon that say something."""

_ONLY: Final = re.compile(
    r"\b(?:only|nur)(?= (?:(?:on|at|in|by|every|after|from|within|for|am|um|ab|alle|jeden) ){0,2}(?:(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)days?\b"
    r"|(?:mon|diens|donners|frei|sams|sonn)tags?\b|mittwochs?\b|[0-9]))"
    r"|(?<=day )only\b|(?<=days )only\b"
    r"|(?<=[月火水木金土日]曜)(?:日)?(?:だけ|のみ)"
)
"""`only` that belongs to a day or a number: it makes no exception, it says that there is no other value."""


_NAMED_BEHIND: Final = re.compile(
    r"(?:,\s|\s[–—-]\s|\s\()((?:in|on|for|at|bei|für|im|auf|am|beim|under|during|within|während|unter)\s"
    r"(?!(?:example|instance|now|ever|general|short|fact|order|case|all|least|most|once|beispiel|allgemeinen|jetzt|immer|prinzip)\b)"
    r"[^\W\d][\w-]{0,40}(?:\s[^\W\d][\w-]{0,40}){0,2})\)?(?=[.,;]|$)"
    r"|\s\(([^\W\d][\w-]{0,40})\)(?=[\s.,;]|$)"
    r"|(?:,|\s[–—-])\s([^\W\d][\w-]{0,40})(?=[.,;]|$)"
)
"""What stands behind a clause and only says where, when or for whom it holds: `, in staging`, `(Berlin)`, `– production`."""


class Value(NamedTuple):
    """A value that a clause gives: what it measures (a unit, a clock time, one of a pair) and how much."""

    kind: str
    amount: str


class Clause(NamedTuple):
    """What one clause of a fact says: about what, with which values, and whether it denies."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    """The pairs of words that exclude each other of which it has one."""
    values: tuple[Value, ...]
    denies: bool
    conditional: bool
    loose: frozenset[str]
    """Words that may be missing in the other clause: they only say that it holds everywhere."""

    @property
    def core(self) -> frozenset[str]:
        """What it is about. Made anew each time: most clauses are about something that no other is about."""
        return frozenset([*self.pairs, *(word for word in self.words if word[0] != "@" and word not in _GENERIC)])

    def says_the_same(self, other: Clause) -> bool:
        """Whether both give the same values, and deny or do not: two such never clash."""
        return self.values == other.values and self.denies == other.denies


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a fact's key that can contradict another; none of one that speaks of an earlier state or an exception."""
    text = text[:LONGEST]
    if "only" in text or "nur" in text or not text.isascii():
        text = _ONLY.sub("", text)
    own = text.split(" ")
    if not EARLIER.isdisjoint(own) or not EARLIER.isdisjoint([word.strip(_EDGES) for word in own if not word.isalnum()]):
        return ()
    if _EARLIER.search(text):
        return ()
    if "," in text or "(" in text or " – " in text or " — " in text or " - " in text:
        text = _NAMED_BEHIND.sub(_joined_place, text)
    parts = [part for part in map(str.strip, _CLAUSES.split(text, MOST_CLAUSES * 2)) if part]
    found = [_clause(part) for part in _joined_labels(text, parts)[:MOST_CLAUSES]]
    return tuple([clause for clause in found if clause is not None])


kept_clauses = lru_cache(maxsize=MOST_KEPT)(clauses)
"""The same, for facts that are asked for again."""


def _joined_place(found: re.Match[str]) -> str:
    """What a clause is for, as a part of it; a bare word behind a comma only where it is known to say that."""
    with_word, in_brackets, bare = found.groups()
    if bare:
        return f" in {bare}" if stem(bare) in SCOPE_WORDS else found[0]
    return f" {with_word or f'in {in_brackets}'}"


def _joined_labels(text: str, parts: list[str]) -> list[str]:
    """A label and what stands behind its colon are one clause: `uplink slot: 17 seconds`."""
    if len(parts) < 2:
        return parts
    own = parts[0].split()
    is_label = text[len(parts[0]) : len(parts[0]) + 1] == ":" and sum(1 for word in own if word not in SMALL) <= _LONGEST_LABEL
    if is_label or len(own) <= 3:
        return [f"{parts[0]} {parts[1]}", *parts[2:]]
    return parts


class _Kind(Enum):
    """What a token of a clause is."""

    SMALL = 0
    WORD = 1
    PAIR = 2
    DENIAL = 3
    NUMBER = 4
    """A number, where what stands beside it does not say otherwise."""


class _Token(NamedTuple):
    """What a token is, its form, and whether what comes next is seen as behind it."""

    kind: _Kind
    folded: str
    leads: bool


_DIGITS: Final = _Token(_Kind.NUMBER, "", leads=True)


def _sorted(token: str) -> _Token:
    """What a token is that is no number."""
    leads = token in UNIVERSAL or token not in SMALL or token in _CONDITIONAL
    if token in NEGATIONS or token.endswith("n't"):
        return _Token(_Kind.DENIAL, "", leads)
    if token in PAIR_OF:
        return _Token(_Kind.PAIR, "", leads)
    if token in SMALL or token in UNIVERSAL:
        return _Token(_Kind.SMALL, "", leads)
    return _Token(_Kind.WORD, stem(token), leads)


class _Tokens(dict[str, _Token]):
    """What is known of the tokens of clauses, which are the same few thousand again and again."""

    def __missing__(self, token: str) -> _Token:
        if "0" <= token[0] <= "9":
            return _DIGITS
        found = _sorted(token)
        is_number = token in _ONE or token in NUMBER_WORDS or token[0] in KANJI_DIGITS or token[0] in "十百千"
        if is_number and found.kind is not _Kind.DENIAL:
            found = _Token(_Kind.NUMBER, found.folded, found.leads)
        if len(self) >= _MOST_TOKENS:
            self.clear()
        self[token] = found
        return found


_MOST_TOKENS: Final = 16_384
_TOKENS: Final = _Tokens()


def _clause(part: str) -> Clause | None:
    tokens = _TOKEN.findall(part)
    words: list[str] = []
    marked: list[str] = []
    pairs: list[str] = []
    values: list[Value] = []
    loose: list[str] = []
    denies = False
    behind = ""
    at, count = 0, len(tokens)
    while at < count:
        token = tokens[at]
        kind, folded, leads = _TOKENS[token]
        if kind is _Kind.NUMBER:
            after, before = tokens[at + 1] if at + 1 < count else "", tokens[at - 1] if at else ""
            number = _number(token, after, before)
            if number is None:
                kind, folded, _ = _sorted(token)
            elif after not in PAIR_OF:  # two spaces are spaces
                at += _take_value(number, token, after, behind, before, words, values)
        if at + 1 == count > 1 and token in _STATES:
            values.append(Value("pair state", _STATES[token]))
            pairs.append("pair state")
        elif kind is _Kind.WORD:
            if folded not in words:
                words.append(folded)
                if behind in UNIVERSAL:
                    loose.append(folded)
                elif behind in _CONDITIONAL:
                    marked.append(f"@{folded}")
        elif kind is _Kind.DENIAL:
            denies = True
        elif kind is _Kind.PAIR:
            pair, member = PAIR_OF[token]
            values.append(Value(pair, _ALIASES.get(member, member)))
            pairs.append(pair)
        if leads:
            behind = token
        at += 1
    is_ascii = part.isascii()
    if not denies and not is_ascii:
        denies = denies_in_japanese(part)
    if len(words) + len(values) < 2 or (not pairs and _GENERIC.issuperset(words)):
        return None
    conditional = not CONDITIONS.isdisjoint(tokens) or (not is_ascii and bool(_CONDITION.search(part)))
    return Clause((*words, *marked), tuple(pairs), tuple(values), denies, conditional, frozenset(loose))


def _take_value(number: str, token: str, after: str, behind: str, just_before: str, words: list[str], values: list[Value]) -> int:
    """Take a number as a value or as a name; how many tokens behind it belong to it."""
    if ":" in token:
        values.append(Value("clock", number))
        return 1 if after == "uhr" else 0
    if (measure := _MEASURES.get(after)) is not None:
        values.append(Value(measure[0], _measured(number, measure[1])))
        return 1
    if after in _UNITS or after in _UNIT_NAMES:
        values.append(Value(_UNIT_NAMES.get(after, stem(after)), number))
        return 1
    counts = token in NUMBER_WORDS or just_before in _COUNTS
    if counts and after and after not in SMALL and after[0].isalpha() and after not in _VALUE_AHEAD:
        values.append(Value(stem(after), number))
        words.append(stem(after))
        return 1
    if just_before == "port" or just_before in _VALUE_AHEAD or (not after and just_before and just_before in _GENERIC):
        values.append(Value("port" if "port" in (just_before, behind) or "port" in words else "number", number))
        return 0
    words.append(f"#{number}")
    return 0


def _number(token: str, after: str, before: str) -> str | None:
    first = token[0]
    if token in _ONE:
        return "1" if after in _UNITS or before in _COUNTS else None
    if "0" <= first <= "9":
        return token.lstrip("0") or "0" if ":" not in token else token.lstrip("0")
    if token in NUMBER_WORDS:
        return str(NUMBER_WORDS[token])
    if first in KANJI_DIGITS or first in "十百千":
        return _kanji(token) if all(char in KANJI_DIGITS or char in "十百千" for char in token) else None
    return None


def _measured(number: str, size: float) -> str:
    """How much a number of units is in the smallest of its measure; a number that is none (`1.2.3`) as it stands."""
    head, comma, tail = number.partition(",")
    plain = head + tail if len(tail) == 3 else f"{head}.{tail}" if comma else number
    try:
        return f"{float(plain) * size:g}"
    except ValueError:
        return number


def _kanji(token: str) -> str:
    total = digit = 0
    for char in token:
        if char in KANJI_DIGITS:
            digit = digit * 10 + KANJI_DIGITS[char]
        else:
            total += max(digit, 1) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0
    return str(total + digit)
