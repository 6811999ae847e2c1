"""What a write displaces and makes, on disk before anything is replaced: the history takes it from here later.

An entry is one small file in the state folder, or for a step over several files, whose texts are in its note until it ends, one for
all of them. Writing it needs no history to be open, so a save neither waits for one nor fails with one (specification, section 19).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import HistoryError, StoreError, WriteFailed
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store.disk import files, processes, state
from zsmem_tui.store.disk.waiting import Waits

LARGEST_TEXT: Final = 32 * 1024 * 1024
"""Bytes. A larger text is not kept: history has its size and digest, and says so."""

_ENDING: Final = ".entry"
_CARRIED_OUT: Final = ".wrote.entry"
"""Ends the name of a plan that was carried out."""

_counter = itertools.count()
_STARTED: Final = time.time_ns()


def is_of_here(batch: str) -> bool:
    """Whether a step was made by this process."""
    when, _, rest = batch.partition("-")
    return rest.partition("-")[0] == str(os.getpid()) and when.isdecimal() and int(when) >= _STARTED


def pending_folder(root: str) -> str:
    """Where the entries of a store wait."""
    return os.path.join(state.folder("history", root), "pending")


class Text(NamedTuple):
    """The bytes of a file, or for one that is too large only `size` and `digest`."""

    raw: bytes | None
    size: int
    digest: str


class Entry(NamedTuple):
    """One entry of the journal.

    `kind` is `seen` (`before` stood there), `plans` (and `after` is about to; `intents` tells whether it came to that), `wrote`
    (`before` became `after`; None: no file), `left` (`before` was left by an interrupted write) or `mark` (a step is done).
    A plan that came out as it was meant is given a name that says so, and is what was written.
    """

    name: str
    kind: str
    path: str
    when: int
    origin: Origin
    who: str
    batch: str
    label: str
    relation: str
    before: Text | None
    after: Text | None
    written: int = 0
    """When what stood there was written, as the file itself said; 0: nobody has looked."""


def held(raw: bytes | None) -> Text | None:
    """A text as the journal keeps it."""
    if raw is None:
        return None
    digest = hashlib.sha256(raw).hexdigest()
    return Text(raw if len(raw) <= LARGEST_TEXT else None, len(raw), digest)


class Change(NamedTuple):
    """A file of a step with what it held and holds then (None: no file), each read when it is asked for."""

    path: str
    before: Callable[[], bytes | None]
    after: Callable[[], bytes | None]


def change(path: str, before: bytes | None, after: bytes | None) -> Change:
    """One whose texts are in hand."""
    return Change(path, lambda: before, lambda: after)


Guard = Callable[[str, bytes | None, bytes | None], None]
"""Asked before a file at a path becomes what it shall (None: no file); raises where that is forbidden."""


class Recorder:
    """Takes down one batch of writes. It never stops a write: what goes wrong is in `problem`, as a sentence.

    Its `guard`, where it has one, may: it is asked before each. `waits` is how long the batch may still wait for other programs.
    `hidden` are texts of others' that were out of sight for an instant, each behind ours that stood there meanwhile. `noted` is a
    change whose texts are on disk already, in the note of its step: nothing more is taken down while it is made as it was meant,
    and it is in `made` then, for `record_step`.
    """

    def __init__(
        self,
        home: str,
        when: Callable[[], int],
        *,
        label: str = "",
        origin: Origin = Origin.YOU,
        who: str = "",
        relation: str = "",
    ) -> None:
        self.batch = f"{time.time_ns():020d}-{os.getpid()}-{next(_counter)}"
        self.label = label
        self.problem = ""
        self.guard: Guard | None = None
        self.waits = Waits()
        self.hidden: list[tuple[bytes, bytes]] = []
        self.noted: Change | None = None
        self.writers: Mapping[str, str] = {}
        """Who wrote the text of a file, by its path, where that is not the same for all."""
        self.written: dict[str, int] = {}
        """When a file was written that this found, by its path, as the file itself said."""
        self.made: dict[str, Change] = {}
        self.home = home
        self._when = when
        self._origin = origin
        self._who = who
        self._relation = relation
        self._last: int | None = None
        self._name = ""
        self._plan: tuple[str, Change] | None = None
        """The last plan: the name of its entry. It is no more once something else is taken down of its file."""
        self.waiting = 0
        """Entries that waited when the first of this recorder was made."""

    def about(self) -> dict[str, Any]:
        """What makes the same recorder `again` in another process, but for its guard."""
        return {
            "home": self.home,
            "batch": self.batch,
            "label": self.label,
            "origin": self._origin.value,
            "who": self._who,
            "relation": self._relation,
            "writers": dict(self.writers),
        }

    @classmethod
    def again(cls, about: Mapping[str, Any], when: Callable[[], int]) -> Recorder:
        """The recorder that `about` tells of. Raises `KeyError` or `ValueError` for what is none."""
        made = cls(
            str(about["home"]),
            when,
            label=str(about["label"]),
            origin=Origin(about["origin"]),
            who=str(about["who"]),
            relation=str(about["relation"]),
        )
        made.batch = str(about["batch"])
        made.writers = {str(path): str(who) for path, who in about.get("writers", {}).items()}
        return made

    def ask(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Raises what the guard raises where a file must not become this."""
        if self.guard is not None and before != after:
            self.guard(path, before, after)

    def record_displaced(self, path: str, raw: bytes | None, *, durable: bool = True) -> bool:
        """Keep what stands at `path`, which is about to be replaced. False when that failed.

        Without `durable` it outlives the program, but not a power cut.
        """
        if raw is None or self._is_noted(path, raw):
            return True
        return self._put("seen", [change(path, raw, None)], durable=durable)

    def record_plan(self, path: str, before: bytes | None, after: bytes | None, *, durable: bool = True) -> bool:
        """The same, and what it is about to become: a write that is killed half-way is known as one of this step."""
        if self._is_noted(path, before, after):
            return True
        plan = change(path, before, after)
        is_kept = self._put("plans", [plan], durable=durable and before is not None)
        self._plan = (self._name, plan) if is_kept else None
        return is_kept

    def record_deletion(self, path: str, raw: bytes) -> bool:
        """Keep a text whole that is about to be deleted, or say no: one that is too large is only known by its digest."""
        return len(raw) <= LARGEST_TEXT and self.record_plan(path, raw, None)

    def record_leftover(self, path: str, raw: bytes) -> bool:
        """Keep durably what an interrupted write has left beside `path`."""
        return self._put("left", [change(path, raw, None)], durable=True)

    def record_written(self, path: str, before: bytes | None, after: bytes | None) -> bool:
        """Take down that `before` was replaced by `after`."""
        if before == after:
            return True
        if self._is_noted(path, before, after):
            self.made |= {path: self.noted} if self.noted else {}
            return True
        return self._is_carried_out(path, before, after) or self._put("wrote", [change(path, before, after)], durable=False)

    def record_merged(self, path: str, before: bytes | None, wanted: bytes, after: bytes | None) -> None:
        """Take down that `before` should become `wanted`, and with what others wrote meanwhile became `after`.

        What stands there but for our own change is theirs, so undoing ours leaves it.
        """
        theirs: bytes | None = before
        if after != wanted:
            found = merge(wanted, before or b"", after or b"")
            if not isinstance(found, Overlap):
                theirs = found.text
                self.record_displaced(path, theirs)
        self.record_written(path, theirs, after)

    def record_step(self) -> bool:
        """Take down what was made as it was noted."""
        made, self.made = self.made, {}
        return not made or self._put("wrote", list(made.values()), durable=False)

    def taken_down(self, path: str, is_whole: bool) -> Change | None:
        """What was made of a file as it was noted, if `is_whole`; else that is taken down by itself, and there is none."""
        if is_whole or path not in self.made:
            return self.made.get(path)
        self._put("wrote", [self.made.pop(path)], durable=False)
        return None

    def _is_carried_out(self, path: str, before: bytes | None, after: bytes | None) -> bool:
        """Whether just this was planned last; its entry says then that it was done."""
        plan, self._plan = self._plan, None
        if plan is None or (plan[1].path, plan[1].before(), plan[1].after()) != (path, before, after):
            return False
        place = os.path.join(self.home, plan[0])
        try:
            state.rename(place, place.removesuffix(_ENDING) + _CARRIED_OUT)
        except OSError:
            return False  # a history has taken it already, as the text that stood there
        return True

    def _is_noted(self, path: str, before: bytes | None, *after: bytes | None) -> bool:
        """Whether the note of the step has this file with these texts."""
        noted = self.noted
        return (
            noted is not None and noted.path == path and noted.before() == before and all(each == noted.after() for each in after)
        )

    def fail(self, problem: str) -> None:
        """Say that this step cannot be undone, and why."""
        self._when()  # whoever gave the clock learns that the recorder was used
        self.problem = problem

    def record_step_end(self) -> bool:
        """Take down that this step is done, though it may have changed nothing."""
        return self._put("mark", [change("", None, None)], durable=False)

    def _stamp(self) -> int:
        """The time, but later than that of every entry that waits: a clock that was put back does not change their order."""
        if self._last is None:
            waiting = names(self.home)
            self.waiting = len(waiting)
            self._last = int(digits) if waiting and (digits := waiting[-1].partition("-")[0]).isdecimal() else 0
        self._last = max(time.time_ns(), self._last + 1)
        return self._last

    def _put(self, kind: str, changes: Sequence[Change], *, durable: bool) -> bool:
        head = {
            "kind": kind,
            "when": self._when(),
            "origin": self._origin.value,
            "who": self._who,
            "batch": self.batch,
            "label": self.label,
            "relation": self._relation,
            "files": [[each.path, [_about(each.before()), _about(each.after())]] for each in changes],
            "writers": {each.path: self.writers[each.path] for each in changes if each.path in self.writers},
            "written": {each.path: self.written[each.path] for each in changes if each.path in self.written},
        }
        texts = (raw for each in changes for raw in (each.before(), each.after()) if raw is not None and len(raw) <= LARGEST_TEXT)
        if self._plan is not None and any(each.path == self._plan[1].path for each in changes):
            self._plan = None
        self._name = f"{self._stamp():020d}-{next(_counter):08d}-{os.getpid()}{_ENDING}"
        place, parts = os.path.join(self.home, self._name), itertools.chain([json.dumps(head).encode(), b"\n"], texts)
        try:
            state.make(place, parts, "It can be written, but not undone.", durable=durable)
        except WriteFailed as error:
            self.problem = error.message
            return False
        return True


def _about(raw: bytes | None) -> list[Any] | None:
    """What the head of an entry says of a text."""
    text = held(raw)
    return text and [text.size, text.digest, text.raw is not None]


def own_recorder(root: str, path: str) -> Recorder:
    """What takes down a write that nobody else does, as a step of its own."""
    return Recorder(pending_folder(root), time.time_ns, label=f"Wrote {path}")


def names(home: str) -> list[str]:
    """The entries that wait, the oldest first."""
    try:
        return sorted(name for name in os.listdir(home) if name.endswith(_ENDING))
    except OSError:
        return []


def read(home: str, name: str) -> list[Entry]:
    """What one entry says of each of its files; nothing while it is not whole (`is_under_way`)."""
    try:
        raw = files.read(os.path.join(home, name))[0]
        end = raw.index(b"\n")
        head = json_value(raw[:end])
        origin, step, writers = Origin(head["origin"]), (head["batch"], head["label"], head["relation"]), head.get("writers", {})
        written = head.get("written", {})
        kind = "wrote" if name.endswith(_CARRIED_OUT) else head["kind"]
        found: list[Entry] = []
        at = end + 1
        for path, about in head.get("files") or [(head["path"], head["texts"])]:
            texts: list[Text | None] = []
            for each in about:
                if each is None:
                    texts.append(None)
                    continue
                size, digest, is_held = each
                body = raw[at : at + size] if is_held else None
                if body is not None and len(body) != size:
                    return []
                at += size if is_held else 0
                texts.append(Text(body, size, digest))
            who, [before, after] = writers.get(path, head["who"]), texts
            found.append(Entry(name, kind, path, head["when"], origin, who, *step, before, after, written.get(path, 0)))
        return found
    except (StoreError, ValueError, KeyError, TypeError):
        return []


def is_under_way(name: str) -> bool:
    """Whether the process that makes an entry may be at it: what it has of it by now says nothing."""
    match name.partition(".")[0].split("-"):
        case [made, _, pid] if made.isdecimal() and pid.isdecimal():
            return processes.owns(int(pid), int(made))
    return False


def written(home: str, batch: str) -> set[str]:
    """The files that a step is known to have written, or to have been about to, while its entries wait."""
    every = (found for name in names(home) for found in read(home, name))
    return {found.path for found in every if found.batch == batch and found.kind in ("plans", "wrote")}


def drop(home: str, name: str) -> None:
    """Forget an entry that the history has taken. Raises `HistoryError`."""
    try:
        state.drop(os.path.join(home, name))
    except OSError as error:
        raise HistoryError(f"{printable_path(home)}: {error.strerror}. Earlier versions cannot be used now.") from error
