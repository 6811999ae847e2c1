"""opencode's journal: entries of all projects in one folder, read through tools, never in the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cmp_to_key
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import fields, split, text_field, wrong
from zsmem_tui.agents.opencode.prompt import iso
from zsmem_tui.agents.yaml.reading import Value
from zsmem_tui.agents.yaml.writing import string

_ISO: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_WORD: Final = re.compile(r"\(.*?\)|([A-Za-z]+)|(\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?|([+-]\d\d:?(?:\d\d)?)(?!\d)|(\d+)", re.ASCII)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def parsed(text: str, local: tzinfo = UTC) -> datetime | None:
    """Parse a time as JavaScript's `Date` does; None if it is invalid.

    A date alone is in UTC; a time without a zone, or after a space instead of `T`, is local, as is every other form.
    """
    found = _ISO.fullmatch(text.strip())
    try:
        when = _in_words(text, local) if found is None else _of_iso(found, local)
        when.astimezone(UTC)  # raises if it is outside of the calendar there
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when


def _of_iso(found: re.Match[str], local: tzinfo) -> datetime:
    year, month, day, mark, hour, minute, second, fraction, zone = found.groups()
    micro = int(((fraction or "") + "000")[:3]) * 1000
    is_midnight = (hour, minute, second or "00", micro) == ("24", "00", "00", 0)
    clock = (0 if is_midnight else int(hour or 0), int(minute or 0), int(second or 0), micro)
    when = datetime(int(year), int(month or 1), int(day or 1), *clock, _zone(zone) if zone else local if mark else UTC)
    return when + timedelta(days=is_midnight)


def _zone(text: str) -> tzinfo:
    if text == "Z":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _in_words(text: str, local: tzinfo) -> datetime:
    """Parse a time in other forms, such as `8/3/2026`, `Aug 3, 2026 9:45 PM`, `Mon Aug 03 2026 09:45:12 GMT+0200 (CEST)`."""
    numbers: list[int] = []
    clock: list[int] = []
    month, zone, half = 0, local, ""
    for word, time, offset, number in _WORD.findall(text):
        start = word[:3].lower()
        if start in _MONTHS:
            month = _MONTHS.index(start) + 1
        elif start in ("am", "pm"):
            half = start
        elif start in ("gmt", "utc", "z"):
            zone = UTC
        elif start and start not in _WEEKDAYS:
            raise ValueError(word)
        elif time:
            clock = [int(each) for each in time.split(":")]
        elif offset and clock:
            zone = _zone(offset.ljust(5, "0"))
        elif number or offset:
            numbers.append(int(number or offset[1:].replace(":", "")))
    if half and clock and clock[0] <= 12:
        clock[0] = clock[0] % 12 + (12 if half == "pm" else 0)
    year = numbers.pop(0 if numbers[0] > 31 else -1)
    first, day = (month, *(numbers or [1])) if month else numbers
    hour, minute, second = (*clock, 0, 0, 0)[:3]
    century = 2000 if year < 50 else 1900 if year < 100 else 0
    return datetime(century + year, first, day, hour, minute, second, tzinfo=zone)


USUAL_COUNT: Final = 20
MOST_AT_ONCE: Final = 50
_TEXTS: Final = ("project", "model", "provider", "agent", "session_id")


class JournalEntry(NamedTuple):
    """One entry. `created` is None if its time is invalid."""

    id: str
    title: str
    created: datetime | None
    body: str
    project: str = ""
    model: str = ""
    provider: str = ""
    agent: str = ""
    session_id: str = ""
    tags: tuple[str, ...] = ()

    @property
    def created_as_listed(self) -> str:
        """Its time as opencode lists it: `invalid` if there is none."""
        return iso(self.created) if self.created is not None else "invalid"


class Query(NamedTuple):
    """The criteria of a search for entries."""

    text: str = ""
    project: str = ""
    tags: tuple[str, ...] = ()
    limit: int = USUAL_COUNT
    offset: int = 0


class Listing(NamedTuple):
    """One page of entries, the total number, and all tags of all readable entries."""

    entries: list[JournalEntry]
    total: int
    tags: list[str]


def parse(name: str, raw: bytes, now: datetime, local: tzinfo = UTC) -> JournalEntry:
    """Parse a journal file. Raises `RuleBroken` if opencode ignores it, for lack of frontmatter or an unquoted time."""
    yaml, body = split(js.decode(raw))
    if yaml is None:
        raise wrong(name, "it has no frontmatter")
    found = fields(yaml, name)
    title = text_field(found, "title", name, may_be_empty=False)
    if title is None:
        raise wrong(name, "it has no title")
    created = text_field(found, "created", name)
    texts = {key: text_field(found, key, name) or "" for key in _TEXTS}
    when = parsed(created, local) if created else now
    return JournalEntry(name.removesuffix(".md"), title, when, js.trim(body), **texts, tags=_tags(found, name))


def listing(entries: Iterable[JournalEntry], query: Query) -> Listing:
    """The entries that match. With a text, sorted by file name in reverse, otherwise newest first."""
    every = sorted(entries, key=lambda each: js.sort_key(f"{each.id}.md"), reverse=True)
    found = [each for each in every if _matches(each, query)]
    if not query.text:
        found.sort(key=cmp_to_key(_newest_first))
    limit = min(max(query.limit, 1), MOST_AT_ONCE)
    start = max(query.offset, 0)
    tags = sorted({tag for each in every for tag in each.tags}, key=js.sort_key)
    return Listing(found[start : start + limit], len(found), tags)


def file_name(now: datetime) -> str:
    """The file name for a new entry. opencode overwrites one of the same millisecond: use the next free one."""
    when = now.astimezone(UTC)
    return f"{when:%Y%m%d-%H%M%S}-{when.microsecond // 1000:03d}.md"


def written(entry: JournalEntry) -> str:
    """The content of an entry's file as opencode writes it: sorted keys without empty ones, the time in single quotes."""
    values: Mapping[str, str] = {key: getattr(entry, key) for key in (*_TEXTS, "title")}
    lines = {key: f"{key}: {string(value)}" for key, value in values.items() if value}
    if entry.created is not None:
        lines["created"] = f"created: '{iso(entry.created)}'"
    if entry.tags:
        lines["tags"] = "\n".join(("tags:", *(f"  - {string(tag, in_list=True)}" for tag in entry.tags)))
    return "\n".join(("---", *(lines[key] for key in sorted(lines)), "---", js.trim(entry.body), ""))


def _tags(found: dict[str, Value], name: str) -> tuple[str, ...]:
    if "tags" not in found:
        return ()
    tags = found["tags"]
    if not isinstance(tags, list):
        raise wrong(name, "tags is no list")
    texts = tuple(tag for tag in tags if isinstance(tag, str) and tag)
    if len(texts) != len(tags):
        raise wrong(name, "a tag is empty or not text")
    return texts


def _matches(entry: JournalEntry, query: Query) -> bool:
    has: Sequence[str] = [tag.lower() for tag in entry.tags]
    return (
        (not query.project or entry.project == query.project)
        and all(tag.lower() in has for tag in query.tags)
        and query.text.lower() in f"{entry.title}\n{entry.body}".lower()
    )


def _newest_first(one: JournalEntry, other: JournalEntry) -> int:
    """An invalid time compares equal to any other."""
    if one.created is None or other.created is None or one.created == other.created:
        return 0
    return -1 if one.created > other.created else 1
