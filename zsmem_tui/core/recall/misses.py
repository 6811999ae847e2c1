"""Find searches that missed, but were followed by one in other words that led to a file that was read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from zsmem_tui.core.recall.word_forms import is_misspelled, plain, stem, words_of
from zsmem_tui.core.text import plain_words

LONGEST_SECONDS: Final = 600.0
"""The most seconds between a search and the read that counts as its success: later, it was about something else."""

REWORDED_SECONDS: Final = 360.0
"""The most seconds between a search and its rewording, which usually follows within minutes."""

MOST_REWORDED: Final = 2
"""The most searches before a successful one that count as the same question reworded; with more, they were several questions."""

COMMONEST: Final = 1 / 5
"""The largest share of notes that contain a word for it to be useful in an alias."""

LONGEST_ALIAS: Final = 60
"""The most characters of a search that becomes an alias; a longer one is no name."""

_LEAST_START: Final = 6
"""Letters from which on the start of a word tells which word it is."""


class Miss(NamedTuple):
    """A search that missed, and the file read in the end. `at` is in seconds."""

    query: str
    client: str
    at: float
    path: str
    instead: str
    """The search that found the file."""


def missed_searches(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Derive aliases from missed searches: for each file, the queries by which it was not found.

    An event is `{"t": seconds, "client": str, "op": "search", "query": str, "hits": [paths in order]}` or `{"t", "client", "op":
    "read", "path"}`. The result is a list of `{"path", "aliases"}`, in the order in which the files were found.
    """
    aliases: dict[str, dict[str, None]] = defaultdict(dict)
    for miss in made_up_for(events):
        aliases[miss.path][alias_of(miss.query)] = None
    return [{"path": path, "aliases": list(found)} for path, found in aliases.items()]


def made_up_for(events: Iterable[Mapping[str, Any]]) -> list[Miss]:
    """All searches without a read hit for which the same client read a hit of another search within ten minutes.

    The other search must share no word with the first, forms of a word counting as equal.
    """
    by_client: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for event in events:
        by_client[str(event["client"])].append(event)
    found = [miss for client, each in by_client.items() for miss in _of_client(client, sorted(each, key=lambda event: event["t"]))]
    return sorted(found, key=lambda miss: miss.at)


def _of_client(client: str, events: Sequence[Mapping[str, Any]]) -> Iterator[Miss]:
    waiting: list[Mapping[str, Any]] = []
    """Searches none of whose hits were read so far, oldest first."""
    for event in events:
        waiting = [each for each in waiting if event["t"] - each["t"] <= LONGEST_SECONDS]
        if event["op"] == "search":
            waiting.append(event)
            continue
        path = event["path"]
        answered = next((each for each in reversed(waiting) if path in each["hits"]), None)
        if answered is None:
            continue
        at = waiting.index(answered)
        before = [each for each in waiting[:at] if answered["t"] - each["t"] <= REWORDED_SECONDS]
        asked = list(dict.fromkeys(each["query"] for each in before))[-MOST_REWORDED:]
        for each in before:
            query = each["query"]
            if query in asked and alias_of(query) and not _share_a_word(query, answered["query"]):
                yield Miss(query, client, each["t"], path, answered["query"])
        waiting = waiting[at + 1 :]


def alias_of(query: str) -> str:
    """A query as an alias, without commas and brackets; empty if it is too long or has no words."""
    words = plain_words(query, ",[]")
    return words if len(words) <= LONGEST_ALIAS and any(letter.isalnum() for letter in words) else ""


def _share_a_word(one: str, other: str) -> bool:
    pairs = product(words_of(one), words_of(other))
    return any(stem(a) == stem(b) or is_misspelled(a, b) or _begin_alike(a, b) for a, b in pairs)


def _begin_alike(one: str, other: str) -> bool:
    """Whether the shorter word, but for its last two letters, starts the other: `bounceback` and `bounces`."""
    short, long = sorted((plain(one), plain(other)), key=len)
    return len(short) >= _LEAST_START and long.startswith(short[:-2])


def occasions(misses: Iterable[Miss]) -> int:
    """The number of occasions on which these searches were made: those within ten minutes of each other are one."""
    times = sorted(each.at for each in misses)
    return sum(not at or times[at] - times[at - 1] > LONGEST_SECONDS for at in range(len(times)))


def too_common(found: Iterable[int], notes: int) -> bool:
    """Whether every word of an alias is in too many notes to be useful; `found` has the number of notes for each word."""
    return all(number > notes * COMMONEST for number in found)


def share_of_misses(events: Iterable[Mapping[str, Any]], misses: Collection[Miss]) -> tuple[int, int]:
    """(number of searches, number of those that missed: without a hit, or followed by a successful rewording)."""
    searches = [event for event in events if event["op"] == "search"]
    taught = Counter((miss.client, miss.at) for miss in misses)
    return len(searches), sum(not each["hits"] or (each["client"], each["t"]) in taught for each in searches)
