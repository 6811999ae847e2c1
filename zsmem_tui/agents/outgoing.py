"""The way out: what another agent's memory would hold of ours, as values. Nothing here opens a file.

A format says where its stores lie (`spots`) and what each thing of ours becomes there (`out`). Where a text of a role goes
in a store, what stands around it and which index follows is asked of that store's layout, as when files are copied between stores.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.index_file import About
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim, trim_end

MAIN: Final = ""
"""The name of the spot that most formats have alone."""

_OF_NAMES: Final = re.compile("[^a-z0-9]+")


class Held(NamedTuple):
    """One text of ours. `source` is the file that it is from, `name` a note's stem or a log's date, `text` what it says.

    `head` is what stands before it in that file: frontmatter; `about` what the file says of itself. `spots` has where each line of
    `text` stands, as a file with a line or without; of one that is not said, it is that line of `source`. `parts` are the files
    that it is from with their words in it.
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
        """The file, and which of its lines the line of `text` with that number, from 0, is: as people count."""
        return (line < len(self.spots) and self.spots[line]) or f"{self.source}:{line + 1}"

    @property
    def also(self) -> tuple[str, ...]:
        """The other files that it is from."""
        return tuple(file for file, _ in self.parts if file != self.source)


class Whole(NamedTuple):
    """A file that is read to go out, with everything in it. `told` has the lines of an index that are about another file."""

    source: str
    text: str
    told: Mapping[int, About] = MappingProxyType({})


class Stays(NamedTuple):
    """A text that goes nowhere, with the reason as a clause."""

    source: str
    text: str
    why: str


class Ours(NamedTuple):
    """What goes out: the facts; tasks, notes and logs of one project. `folder` is empty where it is not known.

    `is_shared` says whether facts are everybody's here, not one project's. `whole` has every file that there is, also what of it is
    no text for others, `stays` what of it goes nowhere. `agent` is whose memory it is, as people call it.
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

    def name_of(self, what: str) -> str:
        """What `what` of it is called where it becomes a file of its own, or is marked: `claude-code-memory`."""
        return f"{_OF_NAMES.sub('-', self.agent.lower()).strip('-')}-{what}"

    @property
    def facts_name(self) -> str:
        """What the facts are called there."""
        return self.name_of("memory")

    @property
    def tasks_name(self) -> str:
        """What the tasks are called there."""
        return self.name_of("scratchpad")

    def held(self) -> list[Held]:
        """Every text."""
        mains = [held for held in (self.facts, self.tasks) if held is not None]
        return [*mains, *self.notes, *self.logs]

    def every(self) -> list[tuple[str, str]]:
        """Every text with its source."""
        return [(held.source, held.text) for held in self.held()]

    def changed(self, become: Callable[[Held], Held | None]) -> Ours:
        """The same with each text as it has become; None: without it."""
        facts, tasks = (become(each) if each is not None else None for each in (self.facts, self.tasks))
        notes, logs = (tuple(new for each in held if (new := become(each)) is not None) for held in (self.notes, self.logs))
        return self._replace(facts=facts, tasks=tasks, notes=notes, logs=logs)


class Outgoing(NamedTuple):
    """One thing of ours, as it would go out.

    With `join`, it becomes part of a file that may be there: from its bytes (None: no file) to those with it, None where it is
    in it already. Without, it is a file of its own with `text` in it. The file is that of `role` and `name` in the spot's store,
    or lies at `path`. `skip` says, as a clause, why it goes nowhere; `losses` what does not go along, `warnings` what else is to be
    known, as sentences. `in_prompt` says whether the agent has it before it on every turn.
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
    """Whether a file of its own takes more lines in, when there is another of that name."""
    is_written: bool = False
    """Whether `text` is all that the file holds, so that nothing is put around it."""
    skip: str = ""
    losses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    in_prompt: bool = False
    also: tuple[str, ...] = ()
    """Sources of others of our texts that are in it."""


class Spot(NamedTuple):
    """One store that a format writes to: its kind, its root, and the group there (empty: whichever there is one of).

    `strip` is a folder that the layout sees and that is not there, where a path names the memory folder itself. `problem` says as
    a clause why nothing can go there.
    """

    kind: str
    root: str
    group: str = ""
    strip: str = ""
    problem: str = ""
    beside: tuple[tuple[str, bytes], ...] = ()
    """Files that the agent puts into the folder when it makes it, with what they hold."""


def _nothing(source: str) -> bool:
    """Nothing that was not asked for."""
    return False


class Wish(NamedTuple):
    """Where to: the path that a person named (empty: none), the folder of the project (empty: not known), home, environment.

    `is_there` looks whether something has a path. `group` and `user` are those that were named. `also` says of a file of ours
    whether it goes although such files stay by default, `in_prompt` whether to where the agent has it before it on every turn.
    """

    path: str
    folder: str
    home: str
    env: Mapping[str, str]
    is_there: Callable[[str], bool]
    group: str = ""
    user: str = ""
    also: Callable[[str], bool] = _nothing
    in_prompt: Callable[[str], bool] = _nothing


class CameFrom(NamedTuple):
    """Where a file that was imported lies when it goes back: at `path` in the store of a `spot`, as its layout has it.

    `is_written` says whether such a file is ever made by an export; else only what stands in it still is looked at.
    """

    spot: str
    path: str
    is_written: bool = True


def bare_facts(held: Held | None) -> list[tuple[str, Fact]]:
    """Facts one by one, with their sources."""
    return [(held.spot(fact.line), fact) for fact in facts(held.text)] if held is not None else []


def stands_in(text: str, there: str) -> bool:
    """Whether a text stands in another as lines of it, whatever white space ends them."""
    wanted, held = ("\n".join(map(trim_end, raw_lines(each))) for each in (text, there))
    return f"\n{wanted.strip(chr(10))}\n" in f"\n{held}\n"


def slug_of(name: str, longest: int, gap: str = "-") -> str:
    """A name in ASCII letters and digits, everything else as `gap`; empty where nothing is left."""
    kept = "".join(char if char.isascii() and char.isalnum() else " " for char in name.lower())
    return gap.join(kept.split())[:longest].strip(gap)


def distinct(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """From wanted names, each with the one it is made from, to names that differ without regard to case, by the latter."""
    out: dict[str, str] = {}
    used: set[str] = set()
    for source, wanted in names:
        name, number = wanted, 2
        while name.casefold() in used:
            name, number = f"{wanted}-{number}", number + 1
        used.add(name.casefold())
        out[source] = name
    return out


def mark_of(*parts: str) -> str:
    """What tells one thing from others, in a few letters."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:12]


class DayEntry(NamedTuple):
    """One entry of a log. `time` is HH:MM, empty where the log says none."""

    line: int
    time: str
    heading: str
    body: str


def day_entries(text: str) -> list[DayEntry]:
    """The entries of a log, as `### HH:MM — heading` with what stands below; what stands above the first has no time."""
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
        is_time = len(first) == 5 and first[2] == ":" and (first[:2] + first[3:]).isdecimal() and first < "24" and first[3] < "6"
        time = first if is_time else ""
        heading = rest.lstrip("—–- ") if is_time else trim(line[4:])
    close()
    return out
