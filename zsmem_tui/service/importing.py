"""Bringing another memory in: a plan first, every item with a target, a fate and a reason; then one step that can be undone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatch
from typing import Final, NamedTuple

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.agents.registry import FORMATS
from zsmem_tui.config import locate
from zsmem_tui.core import checklist
from zsmem_tui.core.append import appended, deduplicate
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadContent, BadTarget, Missing, RuleBroken, StoreError, WriteFailed
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.names import note_stem, project_name
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.default_place import default_place
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import overlap
from zsmem_tui.store.transfer import manifest, sources

_ENTRY: Final = re.compile(r"(?m)^(?=### )")


class Fate(StrEnum):
    """What becomes of an item."""

    ADD = "add"
    DUPLICATE = "duplicate"
    IMPORTED = "already imported"
    CONFLICT = "conflict"
    SKIPPED = "skipped"


class Policy(StrEnum):
    """What becomes of a note whose name is taken by another text."""

    SKIP = "skip"
    RENAME = "rename"
    REPLACE = "replace"
    MERGE = "merge"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult(VerbResult):
    """What an import did: the paths written, and what stopped it, if anything did."""

    written: tuple[str, ...]
    problem: str = ""


class MemorySource(NamedTuple):
    """A memory that is on this machine: how many items it has, and how many of them are new."""

    format: str
    path: str
    items: int
    new: int


def plan(
    session: Session,
    format: AgentFormat,
    path: str = "",
    *,
    into: str = "",
    only: str = "",
    policy: Policy = Policy.SKIP,
    ticks: Mapping[str, bool] | None = None,
    targets: Mapping[str, str] | None = None,
    edits: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ImportPlan:
    """What an import of the memory at `path` (default: where that agent keeps it) would do.

    `into` names the project; `only` is a pattern that an item's source must match. `ticks`, `targets` and `edits` say, by an item's
    mark, what the person changed: whether it is taken, the relative path of another file, other words. Raises `Missing`,
    `BadTarget`, `BadName`, `BadContent` or `StoreError`.
    """
    folder = locate.expanded(path) or _own_place(session, format)
    _refuse_own(session, folder)
    raw, problems = sources.read_tree(folder, format.wants, cancelled)
    if cancelled():
        raise BadContent("Stopped while reading. Nothing was imported.")
    if not format.claims(list(raw)) and not problems:
        raise BadTarget(f"{printable_path(folder)} is no {format.name} memory: nothing in it looks like one. Nothing was imported.")
    found = [
        each for each in format.parse(raw) if not only or fnmatch(each.source, only) or fnmatch(each.source.partition(":")[0], only)
    ]
    found += [
        ImportItem(name, Role.NOTE, stem_of(name), "", skip=reason)
        for name, reason in problems.items()
        if not only or fnmatch(name, only)
    ]
    if into and len({each.project for each in found if each.project}) > 1:
        raise BadTarget("There are several projects in it: name one with --only 'projects/SLUG/*'. Nothing was imported.")
    wishes = _Wishes(ticks or {}, targets or {}, edits or {})
    chosen = _Planner(session, format, project_name(into) if into else "", policy, wishes)
    items = tuple(chosen.place(each) for each in found)
    now = preview(session)
    texts = {name: after.decode("utf-8", "replace") for name, (_, after) in chosen.changes.items()}
    then = preview(session, unsaved=texts)
    grows, lost = then.needed - now.needed, len(then.lost) - len(now.lost)
    return ImportPlan(format.name, folder, items, chosen.changes, grows, lost, format.losses)


@says_undo
def apply(session: Session, wanted: ImportPlan) -> ImportResult:
    """Do what was planned, on the files as they are now. One step to undo; a failure says what landed."""
    recorder = session.recorder(f"Imported from {wanted.format}", Origin.IMPORTED)
    by_path: dict[str, list[PlannedItem]] = {}
    for item in wanted.items:
        if item.ticked:
            by_path.setdefault(item.ref.path, []).append(item)
    written: list[str] = []
    marks: dict[str, str] = {}
    problem = ""
    for path, (before, after) in wanted.changes.items():
        own = by_path[path]
        made: list[bytes] = []

        def change(
            now: bytes | None,
            before: bytes | None = before,
            after: bytes = after,
            own: list[PlannedItem] = own,
            made: list[bytes] = made,
        ) -> bytes:
            if now != before:
                after = _onto(now, own)
            made.append(after)
            return after

        try:
            writing.update(session.root, path, change, recorder=recorder)
        except (RuleBroken, StoreError) as error:
            problem = error.message.removesuffix(" Nothing was written.")
            if not made or not _holds(session, path, made[-1]):
                break
        written.append(path)
        marks |= {item.key: path for item in own}
        if problem:
            break
    count = sum(len(by_path[path]) for path in written)
    message = f"Imported {counted(count, 'item')} from {wanted.format} into {counted(len(written), 'file')}."
    if problem:
        message += f" Then it stopped: {problem} These were written: {', '.join(map(printable_path, written)) or 'none'}."
    if marks:
        try:
            manifest.remember(session.root, marks)
        except StoreError as error:
            message += f" {error.message}"
    return ImportResult(message=message, changed=len(written), warning=bool(problem), written=tuple(written), problem=problem)


def _onto(now: bytes | None, own: list[PlannedItem]) -> bytes:
    """A file that changed since the plan, with these items in it. Raises `WriteFailed` when a note has appeared."""
    for item in own:
        if item.incoming.role is Role.NOTE and now is not None and item.fate is Fate.ADD:
            raise WriteFailed(item.ref.path, f"{printable_path(item.ref.path)} has appeared meanwhile. Nothing was written.")
        now = _joined(now, item.incoming, Policy.MERGE)
    return now or b""


def _holds(session: Session, path: str, text: bytes) -> bool:
    """Whether a write that failed has put its text in place all the same."""
    try:
        return files.read_if_there(os.path.join(session.root, path)) == text
    except StoreError:
        return False


def detect(session: Session) -> list[MemorySource]:
    """The memories of other agents on this machine that belong to the session's folder."""
    out = []
    for format in FORMATS:
        for place in format.places(locate.home_folder(), session.folder or locate.working_folder()):
            if os.path.isdir(place) and not overlap(place, session.root):
                found = plan(session, format, place)
                kept = [item for item in found.items if item.fate is not Fate.SKIPPED]
                out.append(
                    MemorySource(format.name, place, len(kept), sum(item.fate in (Fate.ADD, Fate.CONFLICT) for item in kept))
                )
    return out


class _Wishes(NamedTuple):
    """What the person changed of a plan, by an item's mark."""

    ticks: Mapping[str, bool]
    targets: Mapping[str, str]
    edits: Mapping[str, str]


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
        self.changes: dict[str, tuple[bytes | None, bytes]] = {}
        self._session = session
        self._format = format
        self._into = into
        self._policy = policy
        self._wishes = wishes
        self._done = manifest.imported(session.root)

    def place(self, found: ImportItem) -> PlannedItem:
        """An item with its fate; what it changes is added to `changes`. What the store has no place for, or forbids, is left."""
        known = dict(self.changes)
        try:
            return self._place(found)
        except (BadTarget, RuleBroken) as error:
            self.changes = known
            key = manifest.item_key(self._format.name, found.source, found.text)
            reason = found.skip or error.message.removesuffix(" Nothing was done.").removesuffix(" Nothing was written.")
            return PlannedItem(found, MemRef(""), Fate.SKIPPED, reason.rstrip("."), False, key)

    def _place(self, found: ImportItem) -> PlannedItem:
        key = manifest.item_key(self._format.name, found.source, found.text)
        if key in self._wishes.edits:
            found = found._replace(text=self._wishes.edits[key])
        ref = self._target(found, key)
        if found.skip:
            return PlannedItem(found, ref, Fate.SKIPPED, found.skip, False, key)
        now = self._now(ref.path)
        problem = "" if now is None else _unreadable(now)
        if problem:
            return PlannedItem(found, ref, Fate.SKIPPED, f"the target {problem}", False, key)
        if _joined(now, found, Policy.MERGE) == now:
            return PlannedItem(found, ref, Fate.DUPLICATE, "it is there already", False, key)
        wanted = self._wishes.ticks.get(key)
        if key in self._done and not wanted:
            return PlannedItem(found, ref, Fate.IMPORTED, "it was imported before", False, key)
        if found.role is Role.NOTE and now is not None:
            return self._conflict(found, ref, now, key, wanted)
        ticked = not found.doubt if wanted is None else wanted
        if ticked:
            self._change(ref.path, _joined(now, found, Policy.MERGE))
        return PlannedItem(found, ref, Fate.ADD, found.doubt, ticked, key)

    def _conflict(self, found: ImportItem, ref: MemRef, now: bytes, key: str, wanted: bool | None) -> PlannedItem:
        """A note of that name that says something else."""
        ticked = (self._policy is not Policy.SKIP and not found.doubt) if wanted is None else wanted
        policy = Policy.RENAME if self._policy is Policy.SKIP and ticked else self._policy
        reason = f"there is another note of that name: {policy}"
        if policy is Policy.RENAME:
            ref = self._free(ref)
            now_free: bytes | None = None
        else:
            now_free = now
        if ticked:
            self._change(ref.path, _joined(now_free, found, policy))
        return PlannedItem(found, ref, Fate.CONFLICT, ", ".join(part for part in (reason, found.doubt) if part), ticked, key)

    def _target(self, found: ImportItem, key: str) -> MemRef:
        session = self._session
        given = self._wishes.targets.get(key)
        if given and (ref := find_ref(session.layout, given)):
            return ref
        project = self._into or found.project or session.project
        if found.role is Role.FACTS:
            return session.place_of(found.role, project)
        name = note_stem(stem_of(found.name)) if found.role is Role.NOTE else found.name
        return session.place_of(found.role, project_name(project), name)

    def _now(self, path: str) -> bytes | None:
        if path in self.changes:
            return self.changes[path][1]
        return files.read_if_there(os.path.join(self._session.root, path))

    def _change(self, path: str, after: bytes | None) -> None:
        before = self.changes[path][0] if path in self.changes else self._now(path)
        if after is not None and after != before:
            if self._session.guard is not None:
                self._session.guard(path, before, after)
            self.changes[path] = (before, after)

    def _free(self, ref: MemRef) -> MemRef:
        for number in range(2, 10_000):
            free = self._session.place_of(Role.NOTE, ref.project, f"{ref.name}-{number}")
            if self._now(free.path) is None:
                return free
        raise BadTarget(f"{printable_path(ref.name)} is taken ten thousand times. Nothing was imported.")


def _joined(now: bytes | None, found: ImportItem, policy: Policy) -> bytes | None:
    """What a file holds once an item is in it; `now` itself when it is there already."""
    raw = found.as_written.encode("utf-8", "surrogateescape")
    if now is None:
        return raw if found.role is not Role.FACTS else appended(b"", raw)
    old = now.decode("utf-8", "surrogateescape")
    match found.role:
        case Role.FACTS if "\n" in found.text:
            return now if found.text in old else appended(now, raw)
        case Role.FACTS:
            is_there = any(deduplicate(old, text).kept is None for text in (found.text, found.as_written))
            return now if is_there else appended(now, raw)
        case Role.CHECKLIST:
            return _with_items(old, found.text).encode("utf-8", "surrogateescape")
        case Role.LOG:
            missing = [part for part in _ENTRY.split(found.text) if part.strip() and part.strip() not in old]
            return appended(now, "".join(missing).encode("utf-8", "surrogateescape")) if missing else now
        case _:
            return raw if now == raw or policy is Policy.REPLACE else keep_both(now, raw)


def _with_items(old: str, new: str) -> str:
    """A checklist with those blocks of another that it has not."""
    have = {item.text for item in checklist.items(old)}
    top = [item for item in checklist.items(new) if item.depth == 0]
    missing = [item for item in top if item.text not in have]
    for block in checklist.blocks(new, missing):
        old = checklist.added(old, block)
    return old


def _unreadable(raw: bytes) -> str:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "is not valid UTF-8"
    return ""


def _own_place(session: Session, format: AgentFormat) -> str:
    place, is_there = default_place(session, format)
    if is_there:
        return place
    looked = f" Looked for {printable_path(place)}." if place else ""
    raise Missing("", f"No {format.name} memory was found for this folder.{looked} Nothing was imported.", "Name its folder.")


def _refuse_own(session: Session, folder: str) -> None:
    """The store inside the source, or the other way round, would feed on itself."""
    if overlap(folder, session.root):
        raise BadTarget(f"{printable_path(folder)} is, or holds, or lies in the store itself. Nothing was imported.")
