"""Bringing another memory in: a plan first, every item with a target, a fate and a reason; then one step that can be undone."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.core.errors import BadTarget, Conflict, RuleBroken, StoreError
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.layout import find_ref, foreign_problem
from zsmem_tui.core.names import note_stem, project_name
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service import import_reading
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.import_reading import Choice, Incoming
from zsmem_tui.service.import_targets import Policy as Policy  # what `plan` takes
from zsmem_tui.service.import_targets import TargetFile, joined
from zsmem_tui.service.import_words import what_came
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.transfer import manifest, originals
from zsmem_tui.store.transfer.originals import Original, Part

YOU_LEFT_IT: Final = "you left it out"
"""Why an item stays that somebody unticked."""

_NOTHING: Final = "Nothing was imported."
_RENEWED: Final = "it takes the place of what was imported before"


class PlannedItem(NamedTuple):
    """An item with its target (`ref`), its fate and why. `ticked`: it will be taken. `key` tells it from every other item."""

    incoming: ImportItem
    ref: MemRef
    fate: Fate
    reason: str
    ticked: bool
    key: str


class ImportPlan(NamedTuple):
    """What an import would do. `changes` has each file's bytes before (None: no file) and after; nothing is written yet.

    `grows` is how many bytes more the prompt of the session's project would take, `lost` how many more lines of it would be lost.
    """

    format: str
    source: str
    items: tuple[PlannedItem, ...]
    changes: Mapping[str, tuple[bytes | None, bytes]]
    grows: int
    lost: int
    losses: str
    incoming: Incoming
    """What was read: plan again with it, and nothing is read twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult(VerbResult):
    """What an import did: the paths written."""

    written: tuple[str, ...]


def plan(
    session: Session,
    format: AgentFormat,
    path: str = "",
    *,
    into: str = "",
    only: str = "",
    also: str = "",
    choice: Choice | None = None,
    policy: Policy = Policy.SKIP,
    ticks: Mapping[str, bool] | None = None,
    targets: Mapping[str, str] | None = None,
    edits: Mapping[str, str] | None = None,
    incoming: Incoming | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ImportPlan:
    """What an import of the memory at `path` (default: where that agent keeps it) would do.

    `into` names the project; `only` is a pattern that an item's source must match, `also` one of items that are taken although they
    are not by default; `choice` says more of what is wanted. `ticks`, `targets` and `edits` say, by an item's mark, what the person
    changed: whether it is taken, the relative path of another file, other words. `incoming` is what an earlier plan has read: then
    nothing is read again. Raises `Missing`, `BadTarget`, `BadName`, `BadContent` or `StoreError`.
    """
    wanted = (choice or Choice())._replace(only=only or (choice.only if choice else ""))
    read = incoming or import_reading.read(session, format, path, wanted, cancelled=cancelled)
    if into and len({each.project for each in read.items if each.project}) > 1:
        raise BadTarget("There are several projects in it: name one with --only 'projects/SLUG/*'. Nothing was imported.")
    wishes = _Wishes(ticks or {}, targets or {}, edits or {}, also)
    chosen = _Planner(session, format, project_name(into) if into else "", policy, wishes)
    items = tuple(chosen.place(each) for each in read.items)
    changes = chosen.changes()
    now = preview(session)
    texts = {name: after.decode("utf-8", "replace") for name, (_, after) in changes.items()}
    then = preview(session, unsaved=texts)
    grows, lost = then.needed - now.needed, len(then.lost) - len(now.lost)
    return ImportPlan(format.name, read.place, items, changes, grows, lost, format.losses, read)


@says_undo
def apply(session: Session, wanted: ImportPlan, *, cancelled: Callable[[], bool] = lambda: False) -> ImportResult:
    """Do what was planned, on the files as they are now: all of it or nothing, as one step.

    `cancelled` is asked before each file. Raises `Conflict` where that is so, or where a note has appeared or changed since;
    `RuleBroken` or `StoreError`. Nothing has changed then, or the sentence says what has.
    """
    by_path: dict[str, list[PlannedItem]] = {}
    for item in wanted.items:
        if item.ticked:
            by_path.setdefault(item.ref.path, []).append(item)

    def go_on(number: int, of: int) -> None:
        if cancelled():
            raise Conflict(f"You stopped it. {_NOTHING}")

    label = f"Imported from {title_of(wanted.format)}"
    with session.batch(label, Origin.IMPORTED, nothing=_NOTHING, progress=go_on) as batch:
        for path, (before, after) in wanted.changes.items():

            def change(
                now: bytes | None,
                before: bytes | None = before,
                after: bytes = after,
                own: Sequence[PlannedItem] = by_path[path],
            ) -> bytes:
                return after if now == before else _onto(now, own)

            batch.update(path, change)
    message = f"Imported {what_came(by_path)} from {title_of(wanted.format)}. {of_the_rest(wanted.items)}".rstrip()
    marks = {item.key: _as_imported(wanted.format, item, batch.recorder.batch) for path in wanted.changes for item in by_path[path]}
    if marks and not session.dry_run:
        try:
            manifest.remember(session.root, marks)
            originals.remember(session.root, _whole_files(session, wanted, marks))
        except StoreError as error:
            message += f" {error.message}"
    return ImportResult(message=message, changed=len(wanted.changes), written=tuple(wanted.changes))


def of_the_rest(items: Collection[PlannedItem]) -> str:
    """How many items are marked to be looked at, and how many stay out, as sentences; empty when there are none."""
    marked = sum(item.ticked and bool(item.incoming.mark) for item in items)
    left = sum(not item.ticked and item.fate not in (Fate.DUPLICATE, Fate.IMPORTED) for item in items)
    said = []
    if marked:
        said.append(f"{counted(marked, 'item')} {'is' if marked == 1 else 'are'} marked to be looked at.")
    if left:
        said.append(f"{counted(left, 'item')} {'is' if left == 1 else 'are'} left out: each row of the plan says why.")
    return " ".join(said)


def _as_imported(format: str, item: PlannedItem, batch: str) -> manifest.Imported:
    """What is kept of an item, so that it finds its way back."""
    found = item.incoming
    text = found.as_written
    return manifest.Imported(item.ref.path, format, found.source, text, found.head, found.digest, found.file, *found.origin, batch)


def _whole_files(session: Session, wanted: ImportPlan, marks: Collection[str]) -> list[Original]:
    """The files of which everything that there is to take is here by now, as it was there."""
    own: dict[tuple[str, str], list[PlannedItem]] = {}
    for item in wanted.items:
        if item.incoming.file:
            own.setdefault((item.incoming.file, item.incoming.digest), []).append(item)
    done = manifest.items(session.root)
    out = []
    for (file, digest), items in own.items():
        parts: list[Part] = []
        for item in (each for each in items if not each.incoming.skip):
            found = item.incoming
            is_as_read = manifest.item_key(wanted.format, found.source, found.text) == item.key
            here = item.ref.path if item.key in marks or item.fate is Fate.DUPLICATE else ""
            if item.fate is Fate.IMPORTED and item.key in done:
                here = done[item.key].path
            if not (is_as_read and here):
                break
            parts.append(Part(here, found.as_written))
        else:
            follows = tuple(each.incoming.about for each in items if each.incoming.about)
            raw = wanted.incoming.originals.get(digest)
            if raw is not None and (parts or follows):
                out.append(Original(wanted.format, file, digest, raw, tuple(parts), follows, items[0].incoming.place))
    return out


def _onto(now: bytes | None, own: Sequence[PlannedItem]) -> bytes:
    """A file that changed since the plan, with these items in it. Raises `Conflict` when a note has appeared."""
    file = TargetFile(now)
    for item in own:
        if item.incoming.role is Role.NOTE and now is not None and item.fate is Fate.ADD:
            what = "was changed" if item.reason.startswith(_RENEWED) else "has appeared"
            raise Conflict(f"{printable_path(item.ref.path)} {what} meanwhile. {_NOTHING}", "Make the plan anew.")
        if not file.has(item.incoming):
            file.put(item.incoming, Policy.MERGE)
    return file.now or b""


def _is_taken(found: ImportItem, wanted: bool | None) -> bool:
    return not found.stays if wanted is None else wanted


def _left(found: ImportItem, ref: MemRef, key: str) -> PlannedItem:
    """An item that stays where it is: nobody asked for it, or somebody unticked it."""
    return PlannedItem(found, ref, Fate.LEFT, _clauses(found.stays or YOU_LEFT_IT, found.mark), False, key)


def _clauses(*parts: str) -> str:
    return ", ".join(filter(None, parts))


class _Wishes(NamedTuple):
    """What the person changed of a plan, by an item's mark."""

    ticks: Mapping[str, bool]
    targets: Mapping[str, str]
    edits: Mapping[str, str]
    also: str


class _Planner:
    """Places one item after another, on the files as those before would leave them."""

    def __init__(
        self,
        session: Session,
        format: AgentFormat,
        into: str,
        policy: Policy,
        wishes: _Wishes,
    ) -> None:
        self._files: dict[str, TargetFile] = {}
        self._session = session
        self._format = format
        self._into = into
        self._policy = policy
        self._wishes = wishes
        self._done = manifest.items(session.root)
        self._last = {each.origin: each for each in self._done.values() if each.place}

    def changes(self) -> dict[str, tuple[bytes | None, bytes]]:
        """Each file that becomes another: its bytes before and after."""
        both = ((path, file.before, file.now) for path, file in self._files.items())
        return {path: (before, now) for path, before, now in both if now is not None and now != before}

    def place(self, found: ImportItem) -> PlannedItem:
        """An item with its fate; what it changes is added to `changes`. What the store has no place for, or forbids, is left."""
        key = manifest.item_key(self._format.name, found.source, found.text)
        try:
            return self._place(found, key)
        except (BadTarget, RuleBroken, StoreError) as error:
            reason = found.skip or error.message.removesuffix(" Nothing was done.").removesuffix(" Nothing was written.")
            return PlannedItem(found, MemRef(""), Fate.SKIPPED, reason.rstrip("."), False, key)

    def _place(self, found: ImportItem, key: str) -> PlannedItem:
        if key in self._wishes.edits:
            found = found._replace(text=self._wishes.edits[key])
        ref = self._target(found, key)
        if found.skip:
            return PlannedItem(found, ref, Fate.SKIPPED, found.skip, False, key)
        renewed = self._renewed(found, ref, key)
        file = self._file((renewed or ref).path)
        if file.problem:
            return PlannedItem(found, ref, Fate.SKIPPED, f"the target {file.problem}", False, key)
        if file.has(found):
            return PlannedItem(found, ref, Fate.DUPLICATE, "it is there already", False, key)
        wanted = self._wishes.ticks.get(key)
        if wanted is None and self._wishes.also and import_reading.matches(found, self._wishes.also):
            wanted = True
        if renewed is not None:
            return self._renew(found, renewed, key, wanted)
        if key in self._done and not wanted:
            return PlannedItem(found, ref, Fate.IMPORTED, "it was imported before", False, key)
        if found.role is Role.NOTE and file.is_there:
            return self._conflict(found, ref, key, wanted)
        if not _is_taken(found, wanted):
            return _left(found, ref, key)
        self._put(ref.path, found, Policy.MERGE)
        return PlannedItem(found, ref, Fate.ADD, found.mark, True, key)

    def _renewed(self, found: ImportItem, ref: MemRef, key: str) -> MemRef | None:
        """The note that an earlier import made of what is there under the same source, where nobody has touched it since."""
        last = self._last.get((self._format.name, *found.origin)) if found.role is Role.NOTE and found.place else None
        if last is None or (last.path != ref.path and (key in self._wishes.targets or found.source != found.file)):
            return None
        there = self._session.ref_at(last.path)
        is_untouched = self._file(last.path).now == last.text.encode("utf-8", "surrogateescape")
        return there if there.role is Role.NOTE and there.project == ref.project and is_untouched else None

    def _renew(self, found: ImportItem, ref: MemRef, key: str, wanted: bool | None) -> PlannedItem:
        if not _is_taken(found, wanted):
            return _left(found, ref, key)
        self._put(ref.path, found, Policy.REPLACE)
        return PlannedItem(found, ref, Fate.ADD, _clauses(_RENEWED, found.mark), True, key)

    def _conflict(self, found: ImportItem, ref: MemRef, key: str, wanted: bool | None) -> PlannedItem:
        """A note of that name that says something else."""
        if found.stays and not wanted:
            return _left(found, ref, key)
        ticked = self._policy is not Policy.SKIP if wanted is None else wanted
        policy = Policy.RENAME if self._policy is Policy.SKIP and ticked else self._policy
        reason = f"there is another note of that name: {policy}"
        if policy is Policy.RENAME:
            ref = self._free(ref)
        if ticked:
            self._put(ref.path, found, policy)
        return PlannedItem(found, ref, Fate.CONFLICT, _clauses(reason, found.mark), ticked, key)

    def _target(self, found: ImportItem, key: str) -> MemRef:
        ref = self._wanted_target(found, key)
        if problem := foreign_problem(self._session.layout, ref.path):
            raise BadTarget(f"{printable_path(ref.path)}: {problem}.")
        return ref

    def _wanted_target(self, found: ImportItem, key: str) -> MemRef:
        session = self._session
        given = self._wishes.targets.get(key)
        if given and (ref := find_ref(session.layout, given)):
            return ref
        project = self._into or found.project or session.project
        if found.role is Role.FACTS:
            return session.place_of(found.role, project)
        name = note_stem(stem_of(found.name)) if found.role is Role.NOTE else found.name
        return session.place_of(found.role, project_name(project), name)

    def _file(self, path: str) -> TargetFile:
        if path not in self._files:
            self._files[path] = TargetFile(files.read_if_there(os.path.join(self._session.root, path)))
        return self._files[path]

    def _put(self, path: str, found: ImportItem, policy: Policy) -> None:
        file = self._file(path)
        if self._session.guard is None:
            file.put(found, policy)
            return
        after = joined(file.now, found, policy)
        self._session.guard(path, file.now, after)
        file.replace(after)

    def _free(self, ref: MemRef) -> MemRef:
        for number in range(2, 10_000):
            free = self._session.place_of(Role.NOTE, ref.project, f"{ref.name}-{number}")
            if not self._file(free.path).is_there:
                return free
        raise BadTarget(f"{printable_path(ref.name)} is taken ten thousand times. Nothing was imported.")
