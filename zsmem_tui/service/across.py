"""Copying and moving memory files from one or several stores into another, of whatever kinds: a plan, then one step with one undo.

A move writes the texts in their new places before it takes any from the old: whatever stops it, no text is in neither.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from zsmem_tui.core.carried import Carried
from zsmem_tui.core.errors import BadTarget, Conflict, MemError
from zsmem_tui.core.listed import Rewrite
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, is_utf8, printable_path
from zsmem_tui.service.file_change import FileChange
from zsmem_tui.service.importing import Fate
from zsmem_tui.service.joint import joint_batches, undo_problem
from zsmem_tui.service.outgoing_secrets import NOTHING_FOUND, Gate, Handling
from zsmem_tui.service.outgoing_texts import OutgoingTexts
from zsmem_tui.service.placing import JOINED, goal_of, joined, taken
from zsmem_tui.service.protection import refuse_read_only
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.write_path.batch import Batch

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_OF_ITS_STORE: Final[Mapping[Role | None, str]] = MappingProxyType(
    {
        Role.INDEX: "an index lists the files of its own store: take those",
        Role.INSTRUCTIONS: "instructions are no memory: promote and demote facts",
    }
)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file of a store, where it goes (None: nowhere), what becomes of it and why.

    `losses` say what does not go along, as sentences.
    """

    store: Session
    source: MemRef
    target: MemRef | None
    fate: Fate
    reason: str = ""
    losses: tuple[str, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether its text stands in the target afterwards, so that a move takes it from the source."""
        return self.fate in (Fate.ADD, Fate.DUPLICATE)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a copy, or with `is_move` a move, would do. `changes` has every file that becomes another, those that gain first."""

    sources: tuple[Session, ...]
    target: Session
    is_move: bool
    files: tuple[PlannedFile, ...]
    changes: tuple[FileChange, ...]
    puts: tuple[tuple[str, Rewrite], ...]
    takes: tuple[tuple[Session, MemRef, bytes], ...]
    """What a move takes away, if it still holds just this."""
    group: str = ""
    """The group of the target that they go to."""
    gate: Gate = NOTHING_FOUND
    """The credentials that would come into the target from other stores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossResult(VerbResult):
    """What was done with which files; `places` are those that changed."""

    files: tuple[PlannedFile, ...]
    places: tuple[str, ...] = ()


def plan(
    source: Session,
    refs: Sequence[MemRef],
    target: Session,
    *,
    move: bool = False,
    group: str = "",
    role: Role | None = None,
    names: Mapping[str, str] = _NOTHING,
    secrets: Handling = Handling.STOP,
) -> Plan:
    """What would become of these files of `source` in `target`. Nothing is written.

    `group` is the group there (default: the session's), `role` what the files shall be there (default: what they are here), `names`
    has other names for some, by their paths here. Raises `BadTarget` when there is nothing to do.
    """
    by_place = {os.path.join(source.root, path): name for path, name in names.items()}
    return plan_all([(source, refs)], target, move=move, group=group, role=role, names=by_place, secrets=secrets)


def plan_all(
    parts: Sequence[tuple[Session, Sequence[MemRef]]],
    target: Session,
    *,
    move: bool = False,
    group: str = "",
    role: Role | None = None,
    names: Mapping[str, str] = _NOTHING,
    secrets: Handling = Handling.STOP,
) -> Plan:
    """The same of files of several stores, each of which sees what those before it would have made of the target.

    `names` are by where the files lie, `secrets` is what becomes of credentials that leave their store. Raises `BadTarget` when
    there is nothing to do.
    """
    if not any(refs for _, refs in parts):
        raise BadTarget("There is nothing to copy or move. Nothing was done.")
    group = group or target.project
    planner = _Planner(target, move, group, role, names, secrets)
    found = tuple(planner.place(source, ref) for source, refs in parts for ref in dict.fromkeys(refs))
    sources = tuple(source for source, refs in parts if refs)
    taken = {each.store.path(each.source) for each in found if each.is_taken}
    changes, puts, gate = planner.outgoing.decided(planner.changes(), planner.puts, taken)
    return Plan(sources, target, move, found, changes, puts, tuple(planner.takes), group, gate)


def copy(
    source: Session,
    refs: Sequence[MemRef],
    target: Session,
    *,
    group: str = "",
    role: Role | None = None,
    names: Mapping[str, str] = _NOTHING,
    secrets: Handling = Handling.STOP,
) -> AcrossResult:
    """Copy files into another store, as one step there. Raises what `apply` raises."""
    return apply(plan(source, refs, target, group=group, role=role, names=names, secrets=secrets))


def move(
    source: Session,
    refs: Sequence[MemRef],
    target: Session,
    *,
    group: str = "",
    role: Role | None = None,
    names: Mapping[str, str] = _NOTHING,
    secrets: Handling = Handling.STOP,
) -> AcrossResult:
    """Move files into another store, as one step of both. Raises what `apply` raises."""
    return apply(plan(source, refs, target, move=True, group=group, role=role, names=names, secrets=secrets))


def apply(wanted: Plan) -> AcrossResult:
    """Do what was planned, all of it or nothing; one undo takes it back from whichever store.

    What others wrote since is kept: texts are added to what stands there now. Raises `Conflict` when a name was taken, or a text
    that shall be moved was changed, meanwhile; `RuleBroken` or `StoreError`. Nothing was written then, or the sentence says what.
    Nothing is while a credential would go out that nobody has decided about.
    """
    wanted.gate.check()
    target = wanted.target
    taken = [each for each in wanted.files if each.is_taken]
    left = len(wanted.files) - len(taken)
    verb = "Moved" if wanted.is_move else "Copied"
    if not wanted.puts and not wanted.takes:
        return AcrossResult(message=_nothing(wanted), warning=True, files=wanted.files)
    names = printable_path(taken[0].source.path) if len(taken) == 1 else counted(len(taken), "file")
    is_inside = {os.path.realpath(each.root) for each in (target, *wanted.sources)} == {os.path.realpath(target.root)}
    label = f"{verb} {names} to {target.group_name(wanted.group) if is_inside else target.layout.title}"
    written = {os.path.realpath(each.root): each for each in (target, *(wanted.sources if wanted.is_move else ()))}
    dry = any(each.dry_run for each in (target, *wanted.sources))
    places = [each.place for each in wanted.changes] if dry else _write(wanted, label, written)
    message = f"{label}." + (f" {counted(left, 'file')} stayed." if left else "")
    changed, problem = len(set(places)), "" if dry else undo_problem(list(written.values()))
    return AcrossResult(
        message=message,
        changed=changed,
        undo_problem=problem,
        warning=left > 0,
        files=wanted.files,
        places=tuple(dict.fromkeys(places)),
    )


def _write(wanted: Plan, label: str, stores: Mapping[str, Session]) -> list[str]:
    """Put the texts in their new places, then take them from the old ones; where what changed lies.

    `stores` are those that are written, by where they really are.
    """
    places: list[str] = []

    def change(batch: Batch, session: Session, path: str, rewrite: Rewrite) -> None:
        if batch.update(path, rewrite).changed:
            places.append(os.path.join(session.root, path))

    with joint_batches(label, list(stores.values())) as opened:
        batches = dict(zip(stores, opened, strict=True))
        for path, rewrite in wanted.puts:
            change(opened[0], wanted.target, path, rewrite)
        for source, ref, raw in wanted.takes:
            batch = batches[os.path.realpath(source.root)]
            for path, rewrite in source.layout.lists.companions(DiskTree(source.root), ref.path, None, b"").items():
                change(batch, source, path, rewrite)
            batch.remove(ref.path, expected=raw)
            places.append(source.path(ref))
    return places


class _Planner:
    """Places files one by one; each sees what those before it would have made of the target."""

    def __init__(
        self, target: Session, is_move: bool, group: str, role: Role | None, names: Mapping[str, str], secrets: Handling
    ) -> None:
        self.puts: list[tuple[str, Rewrite]] = []
        self.takes: list[tuple[Session, MemRef, bytes]] = []
        self._source = self._target = target
        self._is_move = is_move
        self._group, self._role, self._names = group, role, names
        self.outgoing = OutgoingTexts(target, secrets)
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}

    def place(self, source: Session, ref: MemRef) -> PlannedFile:
        """What becomes of one file of a store."""
        self._source = source
        try:
            if self._is_move:
                refuse_read_only(self._source, ref)
            raw = files.read(self._source.path(ref))[0]
            if self._is_move and self._source.guard is not None:
                self._source.guard(ref.path, raw, None)
            found = self._placed(ref, self.outgoing.leaving(source, ref, raw))
        except MemError as error:
            return PlannedFile(
                self._source, ref, None, Fate.SKIPPED, error.message.removesuffix(" Nothing was written.").rstrip(".")
            )
        if self._is_move and found.is_taken:
            self.takes.append((source, ref, raw))
        return found

    def changes(self) -> tuple[FileChange, ...]:
        """Every file that becomes another."""
        gains = [
            FileChange(self._target, self._target.ref_at(path), self._before[path], after)
            for path, after in self._after.items()
            if after != self._before[path]
        ]
        gone = [change for source in dict.fromkeys(source for source, _, _ in self.takes) for change in self._gone(source)]
        return (*gains, *gone)

    def _gone(self, source: Session) -> list[FileChange]:
        """What a move takes away from a store, and how other files of that follow."""
        tree = DiskTree(source.root)
        before: dict[str, bytes | None] = {}
        after: dict[str, bytes | None] = {}
        for ref, raw in [(ref, raw) for each, ref, raw in self.takes if each is source]:
            before[ref.path], after[ref.path] = raw, None
            for path, rewrite in source.layout.lists.companions(tree, ref.path, None, b"").items():
                if path not in after:
                    before[path] = after[path] = files.read_if_there(os.path.join(source.root, path))
                made = rewrite(after[path])
                after[path] = after[path] if made is None else made
        changed = [path for path in after if after[path] != before[path]]
        return [FileChange(source, source.ref_at(path), before[path], after[path]) for path in changed]

    def _placed(self, ref: MemRef, raw: bytes) -> PlannedFile:
        role = self._role or (Role.NOTE if ref.role in (None, Role.DERIVED) else ref.role)
        if ref.role in _OF_ITS_STORE:
            return PlannedFile(self._source, ref, None, Fate.SKIPPED, _OF_ITS_STORE[ref.role])
        goal = self._goal(ref, role)
        if isinstance(goal, str):
            return PlannedFile(self._source, ref, None, Fate.SKIPPED, goal)
        place = self._target.path(goal)
        if os.path.realpath(place) == os.path.realpath(self._source.path(ref)):
            return PlannedFile(self._source, ref, goal, Fate.SKIPPED, "it is that file itself")
        text, content = self._dressed(ref, goal, raw)
        if content != raw and not is_utf8(raw):
            return PlannedFile(self._source, ref, goal, Fate.SKIPPED, "it is not valid UTF-8, and would not stay as it is")
        now = self._now(goal.path)
        is_joined = role in JOINED and now is not None
        losses = self._losses(ref, goal, text, is_joined)

        def put(found: bytes | None) -> bytes | None:
            if is_joined:
                return content if found is None else joined(found, text.body, role)
            return _same(found, now, goal, content)

        after = put(now)
        if after is None or now in (content, text.body):
            self._put(goal, put, only_move=True)
            return PlannedFile(self._source, ref, goal, Fate.DUPLICATE, "its text stands there already", losses)
        taken = "" if is_joined else goal.path if now is not None else self._taken(goal)
        if taken:
            return PlannedFile(
                self._source, ref, goal, Fate.CONFLICT, f"there is a {printable_path(taken)} already: give it another name", losses
            )
        if self._target.guard is not None:
            self._target.guard(goal.path, now, after)
        self._put(goal, put)
        if now is None:
            tree = DiskTree(self._target.root)
            for path, rewrite in self._target.layout.lists.companions(tree, None, goal.path, content).items():
                self._put(self._target.ref_at(path), rewrite)
        return PlannedFile(self._source, ref, goal, Fate.ADD, "", losses)

    def _goal(self, ref: MemRef, role: Role) -> MemRef | str:
        """Where it goes, or why it goes nowhere."""
        layout = self._target.layout
        stem = ref.path.rpartition("/")[2].removesuffix(".md")
        same = self._source.layout.kind == layout.kind
        name = (
            self._names.get(self._source.path(ref))
            or ref.name
            or (stem if role not in (Role.FACTS, Role.CHECKLIST) or same else "")
        )
        return goal_of(self._target.root, layout, role, self._group, name, self._target.group_name(self._group))

    def _dressed(self, ref: MemRef, goal: MemRef, raw: bytes) -> tuple[Carried, bytes]:
        """The bare text, and what a new file of the target would hold."""
        text = self._source.layout.dress.unwrapped(ref.path, raw)
        if self._source.layout.kind == self._target.layout.kind:
            return text, raw
        return text, self._target.layout.dress.wrapped(goal.path, text)

    def _losses(self, ref: MemRef, goal: MemRef, text: Carried, is_joined: bool) -> tuple[str, ...]:
        out = []
        layout = self._target.layout
        kept = () if is_joined else text.fields if layout.kind == self._source.layout.kind else layout.dress.kept_fields
        lost = [field for field in text.fields if field not in kept]
        if lost:
            out.append(f"Of its frontmatter these are not taken along: {', '.join(map(printable_path, lost))}.")
        if ref.project and not goal.project:
            out.append(f"It belongs to {self._source.group_name(ref.project)} here, and to everybody there.")
        if goal.project and not ref.project:
            out.append(f"It is everybody's here, and belongs to {self._target.group_name(goal.project)} there.")
        return tuple(out)

    def _now(self, path: str) -> bytes | None:
        if path not in self._after:
            self._before[path] = self._after[path] = files.read_if_there(os.path.join(self._target.root, path))
        return self._after[path]

    def _put(self, goal: MemRef, rewrite: Rewrite, *, only_move: bool = False) -> None:
        """Note a change, and what it makes of the file; one that only makes sure is for moves."""
        if only_move and not self._is_move:
            return
        now = self._now(goal.path)
        made = rewrite(now)
        self._after[goal.path] = now if made is None else made
        self.puts.append((goal.path, rewrite))

    def _taken(self, goal: MemRef) -> str:
        """The name of a file there that some systems take for the same; empty when there is none."""
        return taken(self._target.root, goal.path, [path for path, after in self._after.items() if after is not None])


def _same(now: bytes | None, planned: bytes | None, goal: MemRef, content: bytes) -> bytes:
    """A new file's text, where nobody put another there since it was planned."""
    if now is not None and now != planned and now != content:
        raise Conflict(f"There is another {printable_path(goal.path)} now. Nothing was written over.", "Look at the plan again.")
    return content if now is None else now


def _nothing(wanted: Plan) -> str:
    """Why nothing was done, by the first file that says so."""
    done = f"Nothing was {'moved' if wanted.is_move else 'copied'}."
    first = next((each for each in wanted.files if each.reason), wanted.files[0])
    return f"{printable_path(first.source.path)}: {first.reason}. {done}"
