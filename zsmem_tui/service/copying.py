"""Plan copying and moving memory files from one or several stores into another of any kind, as one undoable step.

A move writes all new files before it deletes old ones, so that an interruption loses no text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from zsmem_tui.agents.outgoing import Whole
from zsmem_tui.core.errors import BadTarget, Conflict, MemError
from zsmem_tui.core.frontmatter import Carried
from zsmem_tui.core.import_item import file_of
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.layout import only_instructions, same_in
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, grouped, is_utf8, printable_path
from zsmem_tui.service import formats
from zsmem_tui.service.editing import refuse_read_only
from zsmem_tui.service.export_sources import lines_left, of_files
from zsmem_tui.service.export_targets import JOINED, goal_of, joined
from zsmem_tui.service.exporting import Exports
from zsmem_tui.service.file_ops import follows, links_behind, links_said, why_not
from zsmem_tui.service.outgoing_secrets import OutgoingTexts
from zsmem_tui.service.plan import IS_THERE, NO_FILE, Draft, Edit, Fate, Handling, Plan, Row
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_below, overlap
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.step_record import Moved

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_OF_ITS_STORE: Final[Mapping[Role | None, str]] = MappingProxyType(
    {
        Role.INDEX: "an index lists the files of its own store: take those",
        Role.INSTRUCTIONS: "instructions are no memory: load and unload facts",
    }
)


def plan(
    parts: Sequence[tuple[Session, Sequence[MemRef]]],
    target: Session,
    *,
    move: bool = False,
    group: str = "",
    role: Role | None = None,
    names: Mapping[str, str] = _NOTHING,
    secrets: Handling = Handling.STOP,
) -> Plan:
    """Plan copying or moving these files of several stores to `target`; each sees what the earlier ones would write.

    `group` is the target group (default: the session's), `role` the role there (default: the same, or for another kind of store
    what an export would choose), `names` other names by path, `secrets` how to treat credentials that leave their store. Raises
    `BadTarget` if there is nothing to do.
    """
    if not any(refs for _, refs in parts):
        raise BadTarget("There is nothing to copy or move. Nothing was done.")
    group = group or target.project
    planner = _Planner(target, move, group, role, names, secrets)
    rows = tuple(row for source, refs in parts for row in planner.place(source, refs))
    taken = [each for each in rows if each.is_taken]
    places = {each.store.path(each.file) for each in taken if each.store is not None}
    edits, gate = planner.outgoing.decided(planner.gains(), planner.losses(), places)
    told = places | {row.place for row in rows}
    also = [(each.session, each.ref) for each in edits if each.place not in told]
    came = taken if move else [each for each in taken if each.fate is Fate.ADD]
    what = printable_path(came[0].source) if len(came) == 1 else counted(len(came), "file")
    roots = {os.path.realpath(each.root) for each in (target, *(source for source, refs in parts if refs))}
    is_inside = roots == {os.path.realpath(target.root)}
    goal = target.group_name(group) if is_inside else target.layout.title
    label = f"{'Moved' if move else 'Copied'} {what} to {goal}"
    left, there = len(rows) - len(taken), len(taken) - len(came)
    done = f"{label}.{follows(also)}"
    done += f" {counted(there, 'file')} {'stands' if there == 1 else 'stand'} there already." if there else ""
    done += f" {counted(left, 'file')} stayed." if left else ""
    done += f" {counted(planner.signs_lost, 'line')} went without < and >." if planner.signs_lost else ""
    for store in dict.fromkeys(each.store for each in taken if each.store is not None and move):
        gone, follow = [each.file for each in taken if each.store is store], [ref for own, ref in also if own.root == store.root]
        done += links_said(links_behind(store, gone), follow, f"to where {'they were' if taken[1:] else 'it was'}")
    first = next((each for each in rows if each.reason), rows[0])
    nothing = f"{printable_path(first.source)}: {first.reason}. Nothing was {'moved' if move else 'copied'}."
    moved = {target: Moved(carried={each.source: each.ref.path for each in taken})} if move and is_inside and taken else {}
    beside = tuple(planner.beside.values())
    own = [*(source for source, _ in parts), target]
    is_outside = any(each.session not in own for each in edits) and all(each.session is not target for each in edits)
    return Plan(
        label,
        done,
        edits,
        rows=rows,
        gate=gate,
        unchanged=nothing,
        warning=left > 0 or planner.signs_lost > 0,
        moved=moved,
        beside=beside,
        marks=target if is_outside else None,
    )


def _without_own_words(source: Session, ref: MemRef, raw: bytes) -> Rewrite | None:
    """A rewrite that removes an index's own prose but keeps its lines about files; None if the whole file moves."""
    tree, lists = DiskTree(source.root), source.layout.lists
    words = lists.own_words(tree, ref.path, raw) if ref.role is Role.INDEX else b""
    if not words or lists.without_words(tree, ref.path, raw, words) is None:
        return None
    return lambda now: None if now is None else lists.without_words(tree, ref.path, now, words) or b""


def groups(
    parts: Sequence[tuple[Session, Sequence[MemRef]]], target: Session, known: Iterable[str], *, move: bool = False
) -> list[str]:
    """The groups of a store that have a place for any of these files, its own first, then of those that are `known`.

    None of which all the files are already, and none of a store out of which they cannot be moved.
    """
    layout = target.layout
    takes = any(layout.ref(role, EVERYBODY, "name") is not None for role in (Role.FACTS, Role.NOTE))  # not instructions alone
    everybody = [EVERYBODY] if layout.global_folders() and not layout.projects_folder and takes else []
    every = dict.fromkeys((target.project, *known, *everybody))
    has_facts = any(ref.role not in (Role.NOTE, Role.LOG, Role.CHECKLIST) for _, refs in parts for ref in refs)
    refs = next((refs for source, refs in parts if source is target), ())
    is_fixed = move and any(why_not(layout, ref, "moved to another project") for ref in refs)
    if is_fixed or (only_instructions(layout) and not has_facts):
        return []
    own = {ref.project or EVERYBODY for ref in refs}
    here = own if len(parts) == len(own) == 1 else ()
    return [
        group
        for group in every
        if group not in here
        and (group != EVERYBODY or everybody)
        and any(_may_hold(source, ref, target, group) for source, refs in parts for ref in refs)
    ]


def _may_hold(source: Session, ref: MemRef, target: Session, group: str) -> bool:
    """Whether a group of the target has a place for such a file; of an index and of instructions a plan says it."""
    layout = target.layout
    if source.layout.kind != layout.kind and ref.role not in _OF_ITS_STORE:
        kinds = formats.of_agent(layout.kind).group_kinds
        return group == EVERYBODY or not kinds or group.partition(":")[0] in kinds
    role = Role.NOTE if ref.role in (None, Role.DERIVED) else ref.role
    return role in _OF_ITS_STORE or any(layout.ref(role, group, name) for name in (ref.name, "name", ""))


class _Planner:
    """Places files one by one; each sees the target as the earlier ones would leave it."""

    def __init__(
        self, target: Session, is_move: bool, group: str, role: Role | None, names: Mapping[str, str], secrets: Handling
    ) -> None:
        self._takes: list[tuple[Session, MemRef, bytes]] = []
        self._source = self._target = target
        self._is_move = is_move
        self._group, self._role, self._names = group, role, names
        self.outgoing = OutgoingTexts(target, secrets)
        self.beside: dict[str, Edit] = {}
        self.signs_lost = 0
        """The lines that lose `<` or `>` at the target."""
        self._draft = Draft()

    def place(self, source: Session, refs: Iterable[MemRef]) -> list[Row]:
        """The rows of files of a store."""
        self._source = source
        found: dict[MemRef, Row] = {}
        raws: dict[MemRef, bytes] = {}
        arrives: dict[MemRef, bytes] = {}
        every = list(dict.fromkeys(refs))
        for ref in every:
            try:
                if self._is_move:
                    refuse_read_only(self._source, ref)
                source.refuse_link_out(ref)
                raws[ref] = files.read(source.path(ref))[0]
                if self._is_move and self._source.guard is not None:
                    self._source.guard(ref.path, raws[ref], None)
                arrives[ref] = self.outgoing.leaving(source, ref, raws[ref])
            except MemError as error:
                found[ref] = self._row(ref, None, Fate.SKIPPED, error.reason)
        out = {ref: raw for ref, raw in arrives.items() if self._is_exported(ref) and is_utf8(raw)}
        went: dict[MemRef, Row] = {}
        for project in dict.fromkeys(ref.project for ref in out):
            went |= self._as_exported(project, {ref: raw for ref, raw in out.items() if ref.project == project})
        for ref, raw in arrives.items():
            try:
                found[ref] = went[ref] if ref in went else self._placed(ref, raw)
            except MemError as error:
                found[ref] = self._row(ref, None, Fate.SKIPPED, error.reason)
        self._takes += ((source, ref, raws[ref]) for ref, row in found.items() if self._is_move and row.is_taken)
        return [found[ref] for ref in every]

    def gains(self) -> list[Edit]:
        """The edits of files that get new content."""
        root = os.path.realpath(self._target.root)
        every = self._draft.edits()
        return [each._replace(session=self._target) if os.path.realpath(each.session.root) == root else each for each in every]

    def losses(self) -> list[Edit]:
        """The edits that a move makes in the source stores, including their index files."""
        edits: dict[tuple[Session, str], Edit] = {}
        for source, ref, raw in self._takes:
            left, tree = _without_own_words(source, ref, raw), DiskTree(source.root)
            rewrites = {ref.path: left} if left is not None else source.layout.lists.companions(tree, ref.path, None, b"")
            for path, rewrite in rewrites.items():
                if (source, path) not in edits:
                    now = files.read_if_there(os.path.join(source.root, path))
                    edits[source, path] = Edit(source, source.ref_at(path), now, now)
                known = edits[source, path]
                made, changes = rewrite(known.after), (*known.changes, rewrite)
                edits[source, path] = known._replace(after=known.after if made is None else made, changes=changes)
            if left is None:
                edits[source, ref.path] = Edit(source, ref, raw, None)
        return list(edits.values())

    def _placed(self, ref: MemRef, raw: bytes) -> Row:
        if ref.role is Role.INDEX:
            whole, raw = raw, self._source.layout.lists.own_words(DiskTree(self._source.root), ref.path, raw)
            listed = sum(map(bool, map(bytes.strip, whole.split(b"\n")))) - sum(map(bool, map(bytes.strip, raw.split(b"\n"))))
        if ref.role is Role.INSTRUCTIONS or (ref.role is Role.INDEX and not raw):
            return self._row(ref, None, Fate.SKIPPED, _OF_ITS_STORE[ref.role])
        role = self._role_of(ref)
        goal = self._goal(ref, role, raw)
        if isinstance(goal, str):
            return self._row(ref, None, Fate.SKIPPED, goal)
        place = self._target.path(goal)
        if os.path.realpath(place) == os.path.realpath(self._source.path(ref)):
            return self._row(ref, goal, Fate.SKIPPED, "it is that file itself")
        text = self._source.layout.dress.unwrapped(ref.path, raw)
        is_alike = self._source.layout.kind == self._target.layout.kind
        content = raw if is_alike else self._target.layout.dress.wrapped(goal.path, text)
        if content != raw and not is_utf8(raw):
            return self._row(ref, goal, Fate.SKIPPED, "it is not valid UTF-8, and would not stay as it is")
        now = self._draft.now(self._target, goal.path)
        is_joined = role in (*JOINED, Role.INDEX) and now is not None
        losses = self._losses(ref, goal, text, is_joined)
        if ref.role is Role.INDEX and listed:
            losses = (*losses, f"{counted(listed, 'line')} about the files that it lists {'stays' if listed == 1 else 'stay'}.")

        def put(found: bytes | None) -> bytes | None:
            if is_joined:
                return content if found is None else joined(found, text.body, role)
            if found is not None and found not in (now, content):  # it was put there after planning
                said = f"There is another {printable_path(goal.path)} now. Nothing was written over."
                raise Conflict(said, "Look at the plan again.")
            return content if found is None else found

        after = put(now)
        if after is None or now in (content, text.body):
            self._put(goal, put, only_move=True)
            return self._row(ref, goal, Fate.DUPLICATE, "its text stands there already", losses)
        taken = "" if is_joined else goal.path if now is not None else self._draft.clash(self._target, goal.path)
        if taken:
            return self._conflict(ref, goal, taken, losses)
        if self._target.guard is not None:
            self._target.guard(goal.path, now, after)
        self._put(goal, put)
        warnings: list[str] = []
        if now is None:
            tree = DiskTree(self._target.root)
            for path, rewrite in self._target.layout.lists.companions(tree, None, goal.path, content, about=text.about).items():
                index = self._draft.now(self._target, path)
                self._put(self._target.ref_at(path), rewrite)
                warnings.append(self._target.layout.unloaded(path, index, self._draft.now(self._target, path)))
        return self._row(ref, goal, Fate.ADD, "", losses)._replace(warnings=tuple(filter(None, warnings)))

    def _is_exported(self, ref: MemRef) -> bool:
        """Whether a file is converted as in an export: it goes to another kind of store, and the user gave no role or name."""
        is_said = self._role is not None or self._source.path(ref) in self._names or ref.role in _OF_ITS_STORE
        is_other = self._source.layout.kind != self._target.layout.kind
        return is_other and not is_said and not overlap(self._source.root, self._target.root)

    def _as_exported(self, project: str, raws: dict[MemRef, bytes]) -> dict[MemRef, Row]:
        """The rows of files of one group, converted as in an export: each file goes as a whole, or stays."""
        out: dict[MemRef, Row] = {}
        while raws:
            before = self._draft.so_far()
            try:
                exports = self._exported(project, raws)
            except MemError as error:
                return out | {ref: self._row(ref, None, Fate.SKIPPED, error.reason) for ref in raws}
            named = ((row, (row.source, *row.also)) for row in exports.rows)
            own = grouped((path, row) for row, sources in named for path in {*sources, *map(file_of, sources)})
            read = {ref: raw for ref, raw in raws.items() if ref.path in own}  # any other is copied unconverted
            found = {ref: self._row_of_exported(ref, raw, own[ref.path]) for ref, raw in read.items()}
            stay = {ref: row for ref, row in found.items() if not row.is_taken}
            if not stay:
                self.beside |= exports.beside
                for edit in self._draft.same(each.place for each in exports.rows) if self._is_move else ():
                    self._draft.put(edit.session, edit.ref.path, edit.after, partial(_unchanged, planned=edit.after, goal=edit.ref))
                return out | found
            self._draft.go_back(before)
            out |= stay
            raws = {ref: raw for ref, raw in read.items() if ref not in stay}
        return out

    def _exported(self, project: str, raws: Mapping[MemRef, bytes]) -> Exports:
        """An export of only these files, onto the drafted target files. Raises what an export raises."""
        self._target.store_problem()  # so that a store that disappears is not recreated
        source = self._source.for_group(project) if project else self._source
        writer = formats.of_agent(self._target.layout.kind)
        group = self._group if (writer.group_kinds or self._target.layout.projects_folder) and self._group != EVERYBODY else ""
        exports = Exports(source, writer, self._target.root, group, "", secrets=Handling.ALLOW, draft=self._draft, is_store=True)
        ours = of_files(source, {ref.path: raw for ref, raw in raws.items()})
        exports.add(source, ours, os.path.realpath(source.root), also="*")
        return exports

    def _row_of_exported(self, ref: MemRef, raw: bytes, rows: Sequence[Row]) -> Row:
        """Combine the rows that an export made of one file into its row."""
        out = next((each for each in rows if not each.is_taken), None)
        if out is not None and out.fate is Fate.CONFLICT:
            return self._conflict(ref, self._target_ref(out.place), self._target_ref(out.place).path or out.place)
        text = self._source.layout.dress.unwrapped(ref.path, raw)
        start = raw.count(b"\n") - text.body.count(b"\n")  # of what stands below the frontmatter
        every = lines_left([Whole(ref.path, raw.decode())], [each for each in rows if each.is_taken])
        left = [each for each in every if each.number > start and not each.is_kept]
        self.signs_lost += sum(each.loses_signs for each in left)
        gone = [each for each in left if not each.is_changed]
        behind = f"{counted(len(gone), 'line')} of it {'has' if len(gone) == 1 else 'have'} no place there" if gone else ""
        has_words = any(any(map(str.isalnum, each.text)) and not each.text.lstrip().startswith(("#", "<!--")) for each in gone)
        there = [each for each in rows if each.is_taken]
        if not there or (self._is_move and (out is not None or has_words)):
            return self._row(ref, None, Fate.SKIPPED, out.reason if out is not None else f"{behind}: copy it")
        goal = self._target_ref(there[0].place)
        said = (loss for each in there for loss in (*each.losses, *each.warnings))
        losses = (*said, *([f"{behind}."] if behind else []), *self._losses(ref, goal if goal.path else ref, text, is_joined=True))
        is_new = any(each.fate is Fate.ADD for each in there)
        brought = (each.reason for each in there if each.reason != IS_THERE)
        fate, reason = (Fate.ADD, "") if is_new else (Fate.DUPLICATE, next(brought, "its text stands there already"))
        return self._row(ref, goal, fate, reason, tuple(dict.fromkeys(losses)))._replace(place=there[0].place)

    def _target_ref(self, place: str) -> MemRef:
        """The reference to a target's file at a path; `NO_FILE` if it is in another store."""
        root = os.path.realpath(self._target.root)
        return self._target.ref_at(os.path.relpath(place, root)) if is_below(os.path.realpath(place), root) else NO_FILE

    def _conflict(self, ref: MemRef, goal: MemRef, taken: str, losses: tuple[str, ...] = ()) -> Row:
        return self._row(ref, goal, Fate.CONFLICT, f"{printable_path(taken)} is there already: give it another name", losses)

    def _row(self, file: MemRef, goal: MemRef | None, fate: Fate, reason: str = "", losses: tuple[str, ...] = ()) -> Row:
        place = self._target.path(goal) if goal is not None else ""
        return Row(file.path, place, fate, reason, losses=losses, ref=goal or NO_FILE, store=self._source, file=file)

    def _role_of(self, ref: MemRef) -> Role:
        """The role of a file in the target: an index's own prose joins an index, else facts, else a note."""
        layout = self._target.layout
        role = self._role or (Role.NOTE if ref.role in (None, Role.DERIVED) else ref.role)
        if role is Role.INDEX and layout.ref(role, self._group) is None:
            role = Role.FACTS
        is_note = ref.role is Role.INDEX and role is Role.FACTS and layout.ref(role, self._group) is None
        return Role.NOTE if is_note and layout.ref(Role.NOTE, self._group, "name") is not None else role

    def _goal(self, ref: MemRef, role: Role, raw: bytes) -> MemRef | str:
        """The target file, or a clause that says why there is none. A given name is adapted to the store's naming of notes."""
        layout = self._target.layout
        stem = ref.path.rpartition("/")[2].removesuffix(".md")
        same = self._source.layout.kind == layout.kind
        given = self._names.get(self._source.path(ref), "")
        kept = same_in(layout, ref, self._group) if same and not given else None
        if kept is not None and kept.role is role:
            return kept
        name = (
            (layout.dress.called(ref.path, raw, given) if given and same and role is Role.NOTE else given)
            or ref.name
            or (stem if role not in (Role.FACTS, Role.CHECKLIST) or same else "")
        )
        return goal_of(self._target.root, layout, role, self._group, name, self._target.group_name(self._group))

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

    def _put(self, goal: MemRef, rewrite: Rewrite, *, only_move: bool = False) -> None:
        """Apply a rewrite to the draft; with `only_move`, only for moves, where it ensures that the text stays."""
        if only_move and not self._is_move:
            return
        now = self._draft.now(self._target, goal.path)
        made = rewrite(now)
        self._draft.put(self._target, goal.path, now if made is None else made, rewrite)


def _unchanged(now: bytes | None, planned: bytes | None, goal: MemRef) -> bytes | None:
    """The unchanged content of a file whose text is moved. Raises `Conflict` if it has changed since planning."""
    if now != planned:
        raise Conflict(f"There is another {printable_path(goal.path)} now. Nothing was taken away.", "Look at the plan again.")
    return now
