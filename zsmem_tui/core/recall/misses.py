"""Searches that found nothing, or nothing that was read, and were made up for by another one with other words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.core.recall.word_forms import are_forms, is_misspelled, plain, words_of
from zsmem_tui.core.text import plain_words

LONGEST_SECONDS: Final = 600.0
"""From a search to what was read in the end: later, it was about something else."""

REWORDED_SECONDS: Final = 360.0
"""From a search to the one that makes up for it: whoever rewords a question does so within a few minutes."""

MOST_REWORDED: Final = 2
"""Questions before the one that found it that count as the same one in other words: who asked more of them asked several things."""

COMMONEST: Final = 1 / 5
"""The share of notes that a word may lead to and still be worth an alias."""

LONGEST_ALIAS: Final = 60
"""Characters of a search that become an alias; a longer one is no name of anything."""


class Miss(NamedTuple):
    """A search that missed, and what was read in the end. `at` is in seconds."""

    query: str
    client: str
    at: float
    path: str
    instead: str
    """The search that found it."""


def missed_searches(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What searches that missed teach: for each file, the aliases under which it was looked for.

    An event is `{"t": seconds, "client": str, "op": "search", "query": str, "hits": [paths in order]}` or
    `{"t", "client", "op": "read", "path"}`. The answer is a list of `{"path", "aliases"}`, in the order in which
    the files were found.
    """
    aliases: dict[str, dict[str, None]] = defaultdict(dict)
    for miss in made_up_for(events):
        aliases[miss.path][alias_of(miss.query)] = None
    return [{"path": path, "aliases": list(found)} for path, found in aliases.items()]


def made_up_for(events: Iterable[Mapping[str, Any]]) -> list[Miss]:
    """Every search without a hit, or whose hits nobody read, that the same client made up for within ten minutes.

    It did so with a search that shares no word with it, forms of a word counted as equal, and by reading a hit of that.
    """
    by_client: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for event in events:
        by_client[str(event["client"])].append(event)
    found = [miss for client, each in by_client.items() for miss in _of_client(client, sorted(each, key=lambda event: event["t"]))]
    return sorted(found, key=lambda miss: miss.at)


def _of_client(client: str, events: Sequence[Mapping[str, Any]]) -> Iterator[Miss]:
    waiting: list[Mapping[str, Any]] = []
    """Searches of which nothing was read so far, oldest first."""
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
    """A search as an alias: its words, without what would end a line of aliases; empty for one that is no name."""
    words = plain_words(query, ",[]")
    return words if len(words) <= LONGEST_ALIAS and any(letter.isalnum() for letter in words) else ""


def _share_a_word(one: str, other: str) -> bool:
    return any(are_forms(a, b) or is_misspelled(a, b) or _begin_alike(a, b) for a in words_of(one) for b in words_of(other))


def _begin_alike(one: str, other: str) -> bool:
    """Whether a word begins with another: `bounceback` and `bounces`, `Liegeplatz` and `Liegeplätze`."""
    short, long = sorted((plain(one), plain(other)), key=len)
    return len(short) >= _LEAST_START and long[: len(short) - 2] == short[: len(short) - 2]


_LEAST_START: Final = 6


def too_common(found: Iterable[int], notes: int) -> bool:
    """Whether every word of an alias leads to so many notes that it would lead to nothing; `found` has the number for each."""
    return all(number > notes * COMMONEST for number in found)


def share_of_misses(events: Iterable[Mapping[str, Any]], misses: Collection[Miss]) -> tuple[int, int]:
    """How many searches there were, and how many of them missed: had no hit, or were made up for by another one."""
    searches = [event for event in events if event["op"] == "search"]
    taught = Counter((miss.client, miss.at) for miss in misses)
    return len(searches), sum(not each["hits"] or (each["client"], each["t"]) in taught for each in searches)
