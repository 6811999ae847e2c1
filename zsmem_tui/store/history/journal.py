"""The journal: records what a write displaces and creates, before anything is replaced, for the history to pick up later.

An entry is one small file in the state folder; a step over several files, whose texts are in its note until it ends, has one for
all of them. Writing an entry does not need the history to be open, so a save neither waits for it nor fails with it (specification,
section 19).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import HistoryError, StoreError, WriteFailed
from zsmem_tui.core.json_value import json_value, typed
from zsmem_tui.core.limits import LATEST_NS
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store.disk import files, processes, state
from zsmem_tui.store.disk.waiting import Waits

LARGEST_TEXT: Final = 32 * 1024 * 1024
"""Bytes. Of a larger text, only size and digest are recorded."""

_ENDING: Final = ".entry"
_CARRIED_OUT: Final = ".wrote.entry"
"""The suffix of a plan that was carried out."""

_counter = itertools.count()
_STARTED: Final = time.time_ns()


def is_of_here(batch: str) -> bool:
    """Whether a step (by its batch id) was made by this process."""
    when, _, rest = batch.partition("-")
    return rest.partition("-")[0] == str(os.getpid()) and when.isdecimal() and int(when) >= _STARTED


def pending_folder(root: str) -> str:
    """The folder of a store's journal entries."""
    return os.path.join(state.folder("history", root), "pending")


class Text(NamedTuple):
    """The bytes of a file; if too large, only `size` and `digest`, and `raw` is None."""

    raw: bytes | None
    size: int
    digest: str


class Entry(NamedTuple):
    """One entry of the journal, for one file.

    `kind` is `seen` (`before` was there), `plans` (`before` is about to become `after`; `intents` decides whether it did), `wrote`
    (`before` became `after`; None: no file), `left` (`before` was left by an interrupted write) or `mark` (a step is done). A plan
    carried out as intended is renamed, and then counts as `wrote`.
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
    """The modification time of the file with the text `before`, in nanoseconds; 0: unknown."""


def held(raw: bytes | None) -> Text | None:
    """Make a journal text from bytes; None for None."""
    if raw is None:
        return None
    digest = hashlib.sha256(raw).hexdigest()
    return Text(raw if len(raw) <= LARGEST_TEXT else None, len(raw), digest)


class Change(NamedTuple):
    """The change of one file of a step: functions that return its content before and after (None: no file)."""

    path: str
    before: Callable[[], bytes | None]
    after: Callable[[], bytes | None]


def change(path: str, before: bytes | None, after: bytes | None) -> Change:
    """A change with given texts."""
    return Change(path, lambda: before, lambda: after)


Guard = Callable[[str, bytes | None, bytes | None], None]
"""Called before the file at a path is changed (None: no file); raises if that is forbidden."""


class Recorder:
    """Records one batch of writes. It never raises: errors are in `problem`, as a sentence.

    A `guard`, if set, is called before each write and may stop it. `waits` is the remaining time to wait for other programs.
    `hidden` are other programs' texts that were invisible for an instant, each preceded by the text of ours that was there
    meanwhile. `noted` is a change whose texts are already on disk in the note of its step: if it is made exactly so, nothing is
    recorded at once; it is added to `made`, for `record_step`.
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
        self.batch = processes.unique_name()
        self.label = label
        self.problem = ""
        self.guard: Guard | None = None
        self.waits = Waits()
        self.hidden: list[tuple[bytes, bytes]] = []
        self.noted: Change | None = None
        self.writers: Mapping[str, str] = {}
        """Author by path, for files whose author differs from `who`."""
        self.written: dict[str, int] = {}
        """By path: the modification time in nanoseconds of a file that this recorder found."""
        self.made: dict[str, Change] = {}
        self.carried: Collection[str] = ()
        """The paths of files that get lines which stood in the memory before: nobody has typed them now."""
        self.home = home
        self._when = when
        self._origin = origin
        self._who = who
        self._relation = relation
        self._last: int | None = None
        self._name = ""
        self._plan: tuple[str, Change] | None = None
        """The last plan and its entry's name; None once another entry about that file is written."""
        self.waiting = 0
        """The number of entries in the journal before this recorder's first one."""

    def about(self) -> dict[str, Any]:
        """The data with which `again` recreates this recorder in another process, without its guard."""
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
        """Recreate a recorder from `about`. Raises `KeyError` or `ValueError` if it is invalid."""
        made = cls(
            str(about["home"]),
            when,
            label=str(about["label"]),
            origin=Origin(about["origin"]),
            who=str(about["who"]),
            relation=str(about["relation"]),
        )
        made.batch = str(about["batch"])
        made.writers = {str(path): str(who) for path, who in dict(about.get("writers", {})).items()}
        return made

    def carries(self, path: str) -> bool:
        """Whether what it writes to a file is brought back or comes from elsewhere in the memory."""
        return bool(self._relation) or path in self.carried

    def ask(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Call the guard, which raises if the change is forbidden."""
        if self.guard is not None and before != after:
            self.guard(path, before, after)

    def record_displaced(self, path: str, raw: bytes | None, *, durable: bool = True) -> bool:
        """Record the content of `path`, which is about to be replaced. False if that failed, or it is too large to be kept whole.

        Without `durable` the entry is not synced.
        """
        if raw is None or self._is_noted(path, raw):
            return True
        return self._put("seen", [change(path, raw, None)], durable=durable) and len(raw) <= LARGEST_TEXT

    def record_plan(self, path: str, before: bytes | None, after: bytes | None, *, durable: bool = True) -> bool:
        """Like `record_displaced`, with the planned content: if interrupted, the write is still known to belong to this step."""
        if self._is_noted(path, before, after):
            return True
        plan = change(path, before, after)
        is_kept = self._put("plans", [plan], durable=durable and before is not None)
        self._plan = (self._name, plan) if is_kept else None
        return is_kept and (before is None or len(before) <= LARGEST_TEXT)

    def record_leftover(self, path: str, raw: bytes) -> bool:
        """Record, synced, what an interrupted write has left beside `path`."""
        return self._put("left", [change(path, raw, None)], durable=True)

    def record_written(self, path: str, before: bytes | None, after: bytes | None) -> bool:
        """Record that `before` was replaced by `after`."""
        if before == after:
            return True
        if self._is_noted(path, before, after):
            self.made |= {path: self.noted} if self.noted else {}
            return True
        return self._is_carried_out(path, before, after) or self._put("wrote", [change(path, before, after)], durable=False)

    def record_merged(self, path: str, before: bytes | None, wanted: bytes, after: bytes | None) -> None:
        """Record that `before` should become `wanted`, and became `after` together with what others wrote meanwhile.

        Everything except our own change is recorded as theirs, so that undoing ours keeps it.
        """
        theirs: bytes | None = before
        if after != wanted:
            found = merge(wanted, before or b"", after or b"")
            theirs = found.proposal if isinstance(found, Overlap) else found.text  # where they went on with our lines, both
            self.record_displaced(path, theirs)
        self.record_written(path, theirs, after)

    def record_step(self) -> bool:
        """Record the changes that were made exactly as noted."""
        made, self.made = self.made, {}
        return not made or self._put("wrote", list(made.values()), durable=False)

    def taken_down(self, path: str, is_whole: bool) -> Change | None:
        """The noted change made to a file, if `is_whole`; otherwise record it by itself and return None."""
        if is_whole or path not in self.made:
            return self.made.get(path)
        self._put("wrote", [self.made.pop(path)], durable=False)
        return None

    def _is_carried_out(self, path: str, before: bytes | None, after: bytes | None) -> bool:
        """Whether this is the last plan, which is then renamed to say that it was carried out."""
        plan, self._plan = self._plan, None
        if plan is None or (plan[1].path, plan[1].before(), plan[1].after()) != (path, before, after):
            return False
        place = os.path.join(self.home, plan[0])
        try:
            state.rename(place, place.removesuffix(_ENDING) + _CARRIED_OUT)
        except OSError:
            return False  # the history has already taken it as a displaced text
        return True

    def _is_noted(self, path: str, before: bytes | None, *after: bytes | None) -> bool:
        """Whether the note of the step has this file with these texts."""
        noted = self.noted
        return (
            noted is not None and noted.path == path and noted.before() == before and all(each == noted.after() for each in after)
        )

    def fail(self, problem: str) -> None:
        """Set `problem`: why this step cannot be undone."""
        self._when()  # tells the owner of the clock that the recorder was used
        self.problem = problem

    def record_step_end(self) -> bool:
        """Record that this step is done, even if it changed nothing."""
        return self._put("mark", [change("", None, None)], durable=False)

    def _stamp(self) -> int:
        """The current time, but later than all waiting entries, so that a clock set back does not change their order."""
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
            state.make(place, parts, "Without it nothing can be undone.", durable=durable)
        except WriteFailed as error:
            self.problem = error.message
            return False
        return True


def _about(raw: bytes | None) -> list[Any] | None:
    """The metadata of a text in an entry's head."""
    text = held(raw)
    return text and [text.size, text.digest, text.raw is not None]


def own_recorder(root: str, path: str) -> Recorder:
    """A recorder for a single write that forms a step of its own."""
    return Recorder(pending_folder(root), time.time_ns, label=f"Wrote {path}")


def names(home: str) -> list[str]:
    """The names of the waiting entries, oldest first."""
    return sorted(name for name in files.list_all(home) if name.endswith(_ENDING))


def read(home: str, name: str) -> list[Entry]:
    """Parse an entry into one `Entry` per file; empty if it is incomplete (see `is_under_way`)."""
    try:
        raw = files.read(os.path.join(home, name))[0]
        end = raw.index(b"\n")
        head = json_value(raw[:end])
        origin, when = Origin(head["origin"]), typed(head["when"], int)
        kind, author, batch, label, relation = (typed(head[each], str) for each in ("kind", "who", "batch", "label", "relation"))
        kind = "wrote" if name.endswith(_CARRIED_OUT) else kind
        writers, written = typed(head.get("writers", {}), dict[str, str]), typed(head.get("written", {}), dict[str, int])
        if not all(0 <= each < LATEST_NS for each in (when, *written.values())):
            return []
        found: list[Entry] = []
        at = end + 1
        for path, about in head.get("files") or [(head["path"], head["texts"])]:
            texts: list[Text | None] = []
            for each in about:
                if each is None:
                    texts.append(None)
                    continue
                size, digest, is_held = typed(each[0], int), typed(each[1], str), each[2]
                body = raw[at : at + size] if is_held else None
                if size < 0 or (body is not None and len(body) != size):
                    return []
                at += size if is_held else 0
                texts.append(Text(body, size, digest))
            who, [before, after] = writers.get(path, author), texts
            step = batch, label, relation, before, after
            found.append(Entry(name, kind, typed(path, str), when, origin, who, *step, written.get(path, 0)))
        return [] if any("\0" in each.path for each in found) else found
    except (StoreError, ValueError, LookupError, TypeError):
        return []


def is_under_way(name: str) -> bool:
    """Whether the process that writes an entry may still be running, so that it may be incomplete."""
    match name.partition(".")[0].split("-"):
        case [made, _, pid] if made.isdecimal() and pid.isdecimal():
            return processes.owns(int(pid), int(made))
    return False


def written(home: str, batch: str) -> set[str]:
    """The files that a step has written or planned to write, according to the waiting entries."""
    every = (found for name in names(home) for found in read(home, name))
    return {found.path for found in every if found.batch == batch and found.kind in ("plans", "wrote")}


def drop(home: str, name: str) -> None:
    """Delete an entry that is in the history now. Raises `HistoryError`."""
    try:
        state.drop(os.path.join(home, name))
    except OSError as error:
        raise HistoryError(f"{printable_path(home)}: {error.strerror}. Earlier versions cannot be used now.") from error
