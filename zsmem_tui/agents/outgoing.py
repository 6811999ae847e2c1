"""Values for exports: what another agent's memory would contain of ours. No file is opened here.

A format says where its stores are (`spots`) and what our texts become there (`out`). Paths, frontmatter and indexes are the
business of the target's layout, as when files are copied between stores.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.import_item import file_of
from zsmem_tui.core.index_file import About
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.names import free_name
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim, trim_end

MAIN: Final = ""
"""The name of the main spot; most formats have no other."""

FACTS_OF_ALL: Final = "Facts that hold for every project"
_FACTS_OF_ONE: Final = MappingProxyType(
    {
        (True, False): "Facts of this project",
        (True, True): "Facts of this project and about the user",
        (False, False): "Facts, each of one project",
        (False, True): "Facts, each of one project or about the user",
    }
)
"""By whether the project is known, and whether some are about the user."""

_FACTS_OF_PERSON: Final = "Facts about the user"
ABOUT_FACTS: Final = (FACTS_OF_ALL, *_FACTS_OF_ONE.values(), _FACTS_OF_PERSON)
"""Every description of exported facts."""

_OF_NAMES: Final = re.compile("[^a-z0-9]+")
_TIME: Final = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Held(NamedTuple):
    """One text of ours. `source` is its file, `name` a note's stem or a log's date, `text` the content.

    `head` is the frontmatter before it, `about` the file's description. `spots` has the origin of each line as `FILE:LINE` or
    `FILE`; if missing, it is the same line of `source`. `parts` has the (file, text) pairs it was made of.
    """

    source: str
    name: str
    text: str
    modified_ns: int = 0
    about: str = ""
    head: str = ""
    spots: tuple[str, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()

    def spot(self, line: int) -> str:
        """The `FILE:LINE` of the 0-based line `line` of `text`."""
        return (line < len(self.spots) and self.spots[line]) or f"{self.source}:{line + 1}"

    @property
    def also(self) -> tuple[str, ...]:
        """The other files that it is from."""
        return tuple(file for file, _ in self.parts if file != self.source)


class Whole(NamedTuple):
    """A complete file of the exported memory. `told` maps lines of an index to what they say about another file."""

    source: str
    text: str
    told: Mapping[int, About] = MappingProxyType({})


class Stays(NamedTuple):
    """A text that is not exported, with the reason as a clause."""

    source: str
    text: str
    why: str


class Ours(NamedTuple):
    """What is exported: facts, tasks, notes and logs of one project. `folder` is empty if unknown.

    `is_shared` says whether facts are shared by all projects here. `whole` are all complete files, `stays` the texts that are not
    exported. `agent` is the title of the source agent; `of_person` are files whose facts are about the user.
    """

    project: str
    folder: str = ""
    facts: Held | None = None
    tasks: Held | None = None
    notes: tuple[Held, ...] = ()
    logs: tuple[Held, ...] = ()
    is_shared: bool = True
    whole: tuple[Whole, ...] = ()
    stays: tuple[Stays, ...] = ()
    agent: str = "zerostack"
    of_person: frozenset[str] = frozenset()

    def is_of_person(self, source: str) -> bool:
        """Whether the fact from there, a `FILE:LINE` or `FILE`, is about the user."""
        return file_of(source) in self.of_person

    def name_of(self, what: str) -> str:
        """A name for a file or mark in the target: `claude-code-memory`."""
        return f"{_OF_NAMES.sub('-', self.agent.lower()).strip('-')}-{what}"

    @property
    def about_facts(self) -> str:
        """The description of the facts in the target."""
        if self.is_shared:
            return FACTS_OF_ALL
        of_person = {self.is_of_person(source) for source, _ in bare_facts(self.facts)}
        return _FACTS_OF_PERSON if of_person == {True} else _FACTS_OF_ONE[bool(self.folder), True in of_person]

    def held(self) -> list[Held]:
        """Every text."""
        mains = [held for held in (self.facts, self.tasks) if held is not None]
        return [*mains, *self.notes, *self.logs]

    def every(self) -> list[tuple[str, str]]:
        """(source, text) of every text."""
        return [(held.source, held.text) for held in self.held()]

    def changed(self, become: Callable[[Held], Held | None]) -> Ours:
        """A copy with `become` applied to each text; texts for which it returns None are removed."""
        facts, tasks = (become(each) if each is not None else None for each in (self.facts, self.tasks))
        notes, logs = (tuple(new for each in held if (new := become(each)) is not None) for held in (self.notes, self.logs))
        return self._replace(facts=facts, tasks=tasks, notes=notes, logs=logs)


class Outgoing(NamedTuple):
    """One text to export.

    With `join`, it is added to a file: `join` maps the file's bytes (None: no file) to the new ones, or None if it is in there
    already. Without, it is a file of its own with `text`. The file is given by `role` and `name` in the spot's store, or by `path`.
    `skip` is a clause that says why it is not exported; `losses` are sentences about what is lost, `warnings` other sentences.
    `in_prompt` says whether the agent reads it on every turn.
    """

    source: str
    text: str
    role: Role | None = None
    name: str = ""
    path: str = ""
    spot: str = MAIN
    about: str = ""
    join: Callable[[bytes | None], bytes | None] | None = None
    adds_lines: bool = False
    """Whether a file of its own is extended line by line if it exists."""
    is_written: bool = False
    """Whether `text` is the complete content, so that no frontmatter is added."""
    is_original: bool = False
    """Whether it is all of a file of this format, as it was."""
    skip: str = ""
    losses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    in_prompt: bool = False
    also: tuple[str, ...] = ()
    """The sources of further texts of ours that are in it."""
    record: object = None
    """What is remembered of a text that goes back into a file that stays theirs, once it is written."""


def stands(now: bytes | None) -> bytes | None:
    """The `join` of a text that stands in the file already."""
    return now


def newer(now: bytes | None) -> bytes | None:
    """The `join` of a text that has changed in the file alone since both were the same."""
    return now


class Spot(NamedTuple):
    """One store that a format writes to: its kind, root, and group (empty: to be determined).

    `strip` is a path prefix that the layout expects and the disk does not have, if the path names the memory folder itself.
    `problem` is a clause that says why nothing can be exported.
    """

    kind: str
    root: str
    group: str = ""
    strip: str = ""
    problem: str = ""
    beside: tuple[tuple[str, bytes], ...] = ()
    """(name, content) of files that the agent itself puts into a new folder."""


class Wish(NamedTuple):
    """The target of an export: the named path (empty: none), the project's folder (empty: unknown), home and environment.

    `is_there` tests whether a path exists. `group` and `user` were named by the user. `also` says whether a file is exported
    although such files stay by default, `in_prompt` whether it goes where the agent reads it on every turn.
    """

    path: str
    folder: str
    home: str
    env: Mapping[str, str]
    is_there: Callable[[str], bool]
    group: str = ""
    user: str = ""
    also: Callable[[str], bool] = lambda source: False
    in_prompt: Callable[[str], bool] = lambda source: False


class CameFrom(NamedTuple):
    """The place of an imported file when it is exported again: at `path` in the store of `spot`, as its layout has it.

    `is_written` says whether an export creates such a file; if not, only existing ones are compared.
    """

    spot: str
    path: str
    is_written: bool = True


def bare_facts(held: Held | None) -> list[tuple[str, Fact]]:
    """(source, fact) for each fact."""
    return [(held.spot(fact.line), fact) for fact in facts(held.text)] if held is not None else []


def about_both(was: str, now: str) -> str:
    """The description of facts that come to others with one of their own; what somebody else wrote stays."""
    if was == now or was not in ABOUT_FACTS or FACTS_OF_ALL in (was, now):
        return was
    is_known = bool({was, now} & {_FACTS_OF_ONE[True, False], _FACTS_OF_ONE[True, True]})
    return _FACTS_OF_ONE[is_known, True]


def stands_in(text: str, there: str) -> bool:
    """Whether a text occurs in another as complete lines, ignoring trailing white space."""
    wanted, held = ("\n".join(map(trim_end, raw_lines(each))) for each in (text, there))
    return f"\n{wanted.strip(chr(10))}\n" in f"\n{held}\n"


def slug_of(name: str, longest: int, gap: str = "-") -> str:
    """A name reduced to ASCII letters and digits joined by `gap`; may be empty."""
    kept = "".join(char if char.isascii() and char.isalnum() else " " for char in name.lower())
    return gap.join(kept.split())[:longest].strip(gap)


def distinct(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Map sources to unique names, ignoring case, from (source, wanted name) pairs."""
    used: set[str] = set()
    return {source: free_name(wanted, used) for source, wanted in names}


def mark_of(*parts: str) -> str:
    """A short hash that identifies these parts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:12]


class DayEntry(NamedTuple):
    """One entry of a log. `time` is HH:MM, or empty if unknown."""

    line: int
    time: str
    heading: str
    body: str


def day_entries(text: str) -> list[DayEntry]:
    """Split a log into entries at `### HH:MM — heading`; the text before the first has no time."""
    out: list[DayEntry] = []
    time, heading, at = "", "", 0
    held: list[str] = []

    def close() -> None:
        body = "\n".join(held).strip("\n")
        if trim(body) or heading:
            out.append(DayEntry(at, time, heading, body))

    for number, line, outside in outside_code(raw_lines(text)):
        if not outside or not line.startswith("### "):
            held.append(line.removesuffix("\r"))
            continue
        close()
        held, at = [], number
        first, _, rest = trim(line[4:]).partition(" ")
        is_time = _TIME.fullmatch(first) is not None
        time = first if is_time else ""
        heading = rest.lstrip("—–- ") if is_time else trim(line[4:])
    close()
    return out
