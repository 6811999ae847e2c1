"""Plan the import of another agent's memory: a row per item with its target, fate and reason, applied as one undoable step."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.agents.format import Format
from zsmem_tui.core.errors import BadContent, BadName, BadTarget, Conflict, RuleBroken, StoreError
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.globs import Globs
from zsmem_tui.core.growth import extends, grown
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.layout import find_ref, foreign_problem, in_project, main_file
from zsmem_tui.core.markdown import heading_level
from zsmem_tui.core.names import note_stem, project_name
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.task_edits import as_items
from zsmem_tui.core.text import counted, grouped, printable_path, raw_lines, trim
from zsmem_tui.core.version import Origin
from zsmem_tui.service import import_reading
from zsmem_tui.service.export_sources import as_text
from zsmem_tui.service.export_targets import Target
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.import_reading import Choice, Incoming
from zsmem_tui.service.import_targets import TargetFile, bodies, encoded, key_of, new_lines, other_head, sent_into
from zsmem_tui.service.named_project import goal
from zsmem_tui.service.plan import EVERY_PROMPT, IS_THERE, NO_FILE, YOU_LEFT_IT, Edit, Fate, Plan, Policy, Row, shared_growth
from zsmem_tui.service.previewing import preview, subject
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.stores import group_of_folder
from zsmem_tui.service.way_back import Notes, notes_there
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.transfer import records
from zsmem_tui.store.transfer.records import Imported, Original, Part, Records

_NOTHING: Final = "Nothing was imported."
_RENEWED: Final = "it takes the place of what was imported before"
_GROWS: Final = "part of it is there"
_CHANGED: Final = "it was changed there since both were the same"

_MOST_REASONS: Final = 2
"""The most reasons for which items were left out that a message tells."""

_CAN_BE: Final = frozenset((Fate.ADD, Fate.CONFLICT, Fate.IMPORTED, Fate.RETURNED, Fate.LEFT))

_HERE: Final = {
    Fate.DUPLICATE: ("stands there already", "stand there already"),
    Fate.RETURNED: ("went out from here", "went out from here"),
    Fate.IMPORTED: ("was imported before", "were imported before"),
}
"""What is said of one item, and of several, that are not taken since they are here or were."""

_SHARED: Final = frozenset({Role.LOG, Role.CHECKLIST})
"""Roles whose items are counted per file, since one file (a day, a task list) holds several items."""


def plan(
    session: Session,
    format: Format,
    path: str = "",
    *,
    into: str = "",
    only: Globs = "",
    also: Globs = "",
    choice: Choice | None = None,
    policy: Policy = Policy.SKIP,
    ticks: Mapping[str, bool] | None = None,
    targets: Mapping[str, str] | None = None,
    edits: Mapping[str, str] | None = None,
    again: Plan | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Plan:
    """Plan the import of the memory at `path` (default: where that agent keeps it).

    `into` names the target project. `only` are glob patterns for the sources of items, `also` those for items to take that are left
    out by default; `choice` limits further what is read. `ticks`, `targets` and `edits` are the user's changes by item key: whether
    to take it, the path of another target file, and another text. `again` is an earlier plan whose parsed input is reused. Raises
    `Missing`, `BadTarget`, `BadName`, `BadContent` or `StoreError`.
    """
    wanted = (choice or Choice())._replace(only=only or (choice.only if choice else ""))
    read: Incoming = again.read if again else import_reading.read(session, format, path, wanted, by_file=True, cancelled=cancelled)
    if into and len({each.project for each in read.items if each.project}) > 1:
        raise BadTarget("There are several projects in it: name one with --only 'projects/SLUG/*'. Nothing was imported.")
    wishes = _Wishes(ticks or {}, targets or {}, edits or {}, also, cancelled)
    home = goal(session, into, "Nothing was imported.") if into else ""
    planner = _Planner(session, format, home, policy, wishes, read.originals)
    placed = [planner.place(each) for each in read.items]
    placed = planner.copy_whole_files(placed, read)
    changes = planner.edits(placed)
    written = {edit.ref.path: (edit.after or b"").decode("utf-8", "replace") for edit in changes}
    groups = dict.fromkeys(edit.ref.project for edit in changes if edit.ref.project) or [into or session.project]
    now = {each: preview(session, subject(session, each)) for each in groups}
    then = {each: preview(session, subject(session, each), unsaved=written) for each in groups}
    paths = {edit.ref.path for edit in changes}
    came = [each for each in placed if each.row.ticked and each.row.ref.path in paths]
    is_kin = not session.is_default and any(each.found.to for each in came) and not any(each.found.head for each in came)
    title, rest = title_of(format.name), _of_the_rest(placed)
    unloaded = filter(None, (session.layout.unloaded(edit.ref.path, edit.before, edit.after) for edit in changes))
    done = f"Imported {_what_came(came)} from {title}. {rest}".rstrip()
    imported = tuple(_as_imported(format.recorded_as, each) for each in came)
    whole = tuple(_whole_files(format.recorded_as, read, placed, planner.done))
    return Plan(
        f"Imported from {title}",
        done,
        changes,
        nothing=_NOTHING,
        rows=tuple(each.row for each in placed),
        unchanged=done,
        origin=Origin.IMPORTED,
        format=format.name,
        losses="" if is_kin else format.lost_in(each.found for each in came),
        rest=rest,
        grows={each: then[each].size - seen.size for each, seen in now.items()},
        notes=(*shared_growth((each.row for each in came), changes), *unloaded),
        lost=sum(len(then[each].lost) - len(seen.lost) for each, seen in now.items()),
        within=partial(records.kept, Records(root=session.root, imported=imported, originals=whole)),
        read=read,
    )


class _Placed(NamedTuple):
    """An item after planning, with its row."""

    row: Row
    found: ImportItem


def _of_the_rest(placed: Iterable[_Placed]) -> str:
    """Say how many items are marked for a look, and how many are not taken and why, as sentences; empty if there are none."""
    placed = list(placed)
    marked = sum(row.ticked and bool(found.mark) for row, found in placed)
    left = [row for row, _ in placed if not row.ticked and row.fate not in _HERE]
    said = []
    if marked:
        said.append(f"{counted(marked, 'item')} {'is' if marked == 1 else 'are'} marked to be looked at.")
    fates = Counter(row.fate for row, _ in placed if not row.ticked)
    said += [f"{counted(fates[fate], 'item')} {words[fates[fate] > 1]}." for fate, words in _HERE.items() if fates[fate]]
    if left:
        said.append(f"{counted(len(left), 'item')} {'is' if len(left) == 1 else 'are'} left out: {_named(left)}.")
    return " ".join(said)


def _named(left: Sequence[Row]) -> str:
    """Say which items are left out and why, those of the most frequent reasons, each by the first of them."""
    by_reason = sorted(grouped((row.reason.partition(",")[0], row) for row in left).items(), key=lambda each: -len(each[1]))
    said = [
        f"{printable_path(own[0].source)}{f' and {len(own) - 1} more' * (len(own) > 1)} ({reason or YOU_LEFT_IT})"
        for reason, own in by_reason[:_MOST_REASONS]
    ]
    rest = sum(len(own) for _, own in by_reason[_MOST_REASONS:])
    return ", ".join([*said, *([f"and {rest} for other reasons"] if rest else ())])


def _what_came(came: Iterable[_Placed]) -> str:
    """Say how many facts, notes, days and task lists were imported, as a list in words."""
    own = (
        (row, found)
        for row, found in came
        if not (found.about or (found.to and found.role is Role.FACTS and heading_level(found.text)))
    )
    every = {(found.role, row.ref.path if found.role in _SHARED else row.key) for row, found in own}
    words = {Role.FACTS: "fact", Role.NOTE: "note", Role.LOG: "day", Role.CHECKLIST: "task list"}
    there = Counter(words.get(role, "item") for role, _ in every)
    parts = [counted(there[word], word) for word in (*words.values(), "item") if there[word]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"


def _as_imported(format: str, each: _Placed) -> Imported:
    """The record that is kept of an imported item, so that an export can return it to its place."""
    row, found = each
    place, within = found.origin
    known = {"head": found.head, "digest": found.digest, "file": found.file, "place": place, "within": within, "key": row.key}
    return Imported(row.ref.path, format, found.source, found.as_written, **known)


def _whole_files(format: str, read: Incoming, placed: Iterable[_Placed], done: Mapping[str, Imported]) -> list[Original]:
    """The source files whose items are all here after the import; an export can restore them. `done`: earlier records by key.

    None of those that an export made.
    """
    own = grouped(((each.found.file, each.found.digest), each) for each in placed if each.found.file)
    out = []
    for (file, digest), items in own.items():
        if any(found.was for _, found in items):
            continue
        parts: list[Part] = []
        for row, found in ((row, found) for row, found in items if not found.skip):
            here = row.ref.path if row.ticked or row.fate is Fate.DUPLICATE else ""
            if row.fate in (Fate.IMPORTED, Fate.RETURNED) and row.key in done:
                here = done[row.key].path
            if not here or records.item_key(format, found.source, found.text) != row.key:
                break
            parts += [Part(here, text) for text in (found.parts if found.to else (found.as_written,))]
        else:
            follows = tuple(found.about for _, found in items if found.about)
            raw = read.originals.get(digest)
            if raw is not None and (parts or follows):
                out.append(Original(format, file, digest, raw, tuple(parts), follows, items[0].found.place))
    return out


def _onto(now: bytes | None, own: Sequence[_Placed]) -> bytes:
    """Add these items to a file that changed since the plan. Raises `Conflict` if a note has appeared or was changed."""
    file = TargetFile(now)
    for row, found in own:
        if found.role is Role.NOTE and now is not None and row.fate is Fate.ADD:
            what = "was changed" if row.reason.startswith((_RENEWED, _GROWS, _CHANGED)) else "has appeared"
            raise Conflict(f"{printable_path(row.ref.path)} {what} meanwhile. {_NOTHING}", "Make the plan anew.")
        if not file.has(found):
            file.put(found, Policy.MERGE)
    return file.now or b""


def _clauses(*parts: str) -> str:
    return ", ".join(filter(None, parts))


class _Wishes(NamedTuple):
    """The user's changes to a plan, by item key, the `also` pattern, and whether the user stops it."""

    ticks: Mapping[str, bool]
    targets: Mapping[str, str]
    edits: Mapping[str, str]
    also: Globs
    cancelled: Callable[[], bool]


class _Planner:
    """Places items one by one; each sees the target files with the items before it already added."""

    def __init__(
        self, session: Session, format: Format, into: str, policy: Policy, wishes: _Wishes, originals: Mapping[str, bytes]
    ) -> None:
        self._files: dict[str, TargetFile] = {}
        self._rewrites: dict[str, list[Rewrite]] = {}
        self._topics: dict[str, _Placed] = {}
        self._listed_by: dict[str, set[str]] = {}
        self._notes: dict[str, Notes] = {}
        self._session = session
        self._format = format
        self._into = into
        self._policy = policy
        self._wishes = wishes
        self._originals = originals
        self.done = records.imported(session.root)
        self._last = {each.origin: each for each in self.done.values() if each.place and (each.within or each.source == each.file)}

    def edits(self, placed: Iterable[_Placed]) -> tuple[Edit, ...]:
        """The edit for each changed file. A single note that meets an existing one gets a merge to decide about."""
        by_path = grouped((each.row.ref.path, each) for each in placed if each.row.ticked)
        out = []
        for path, file in self._files.items():
            if (after := file.now) is None or after == file.before:
                continue
            own = by_path.get(path, [])
            asks = self._policy is Policy.MERGE and file.before is not None and [each.row.fate for each in own] == [Fate.CONFLICT]
            merged = encoded(own[0].found) if asks else None
            put: list[Rewrite] = [partial(_onto, own=own)] if own else []
            changes = (*put, *self._rewrites.get(path, ()))
            out.append(Edit(self._session, self._session.ref_at(path), file.before, after, changes, merged=merged))
        return tuple(out)

    def copy_whole_files(self, placed: Sequence[_Placed], read: Incoming) -> list[_Placed]:
        """Return `placed`; a source file of which all items go to an empty target is copied byte for byte.

        Each new copy is added to the index that lists it, if its own line there has not come with it.
        """
        out, ticks = list(placed), self._wishes.ticks
        numbers = grouped((each.row.ref.path, number) for number, each in enumerate(out))
        for path, file in self._files.items():
            at = numbers.get(path, [])
            own = [out[number] for number in at if out[number].row.ticked or out[number].row.fate is Fate.DUPLICATE]
            is_all = len(own) == len(at) and all(ticks.get(each.row.key, True) for each in own)
            raw = None if file.before or not is_all else read.file_of([found for _, found in own])
            if raw is not None and self._may_be(path, raw, is_copy=bool(own[0].found.to)):
                file.replace(raw)
                for number, (row, found) in zip(at, own, strict=True):
                    out[number] = _Placed(row._replace(fate=Fate.ADD, reason=found.mark, ticked=True), found)
        for each in out:
            if each.found.to and each.row.ticked and self._file(each.row.ref.path).before is None:
                self._listed(each)
        return out

    def _may_be(self, path: str, raw: bytes, *, is_copy: bool) -> bool:
        """Whether a new file may have this content; a file of another kind goes by its items where an agent has rules."""
        with suppress(RuleBroken, StoreError):
            if is_copy and self._session.guard is not None:
                self._session.guard(path, None, raw)
            return is_copy or self._session.guard is None
        return False

    def place(self, found: ImportItem) -> _Placed:
        """Decide the fate of one item, and draft its changes. What the store has no place for, or forbids, is skipped.

        Raises `BadContent` when cancelled.
        """
        if self._wishes.cancelled():
            raise BadContent(f"Stopped while planning. {_NOTHING}")
        key = records.item_key(self._format.recorded_as, found.source, found.text)
        try:
            placed = self._place(found, key)
            self._topics |= {found.file: placed} if found.role is Role.NOTE else {}
            return placed
        except (BadName, BadTarget, RuleBroken, StoreError) as error:
            return self._row(found, NO_FILE, Fate.SKIPPED, found.skip or error.reason, key)

    def _row(self, found: ImportItem, ref: MemRef, fate: Fate, reason: str, key: str, *, ticked: bool = False) -> _Placed:
        place = self._session.path(ref) if ref.path else ""
        can_be, text, group = fate in _CAN_BE, found.text, found.group
        told = (EVERY_PROMPT,) if can_be and self._session.is_in_every_prompt(ref) else ()
        there = bodies(self._file(ref.path).before or b"", found)[0] if fate is Fate.CONFLICT else b""
        row = Row(found.source, place, fate, reason, text, (), told, key=key, ticked=ticked, ref=ref, group=group, can_be=can_be)
        return _Placed(row._replace(looks=can_be and bool(found.mark), made=as_text(there)), found)

    def _left(self, found: ImportItem, ref: MemRef, key: str) -> _Placed:
        """The row of an item that is not taken: by default, or because the user unticked it."""
        return self._row(found, ref, Fate.LEFT, _clauses(found.stays or YOU_LEFT_IT, found.mark), key)

    def _place(self, found: ImportItem, key: str) -> _Placed:
        if key in self._wishes.edits:
            found = found._replace(text=self._wishes.edits[key], rest="")
        ref = self._target(found, key)
        if key in self._wishes.targets:
            found = sent_into(ref.role, found, is_there=self._file(ref.path).is_there)
        if found.to and found.about:
            topic = self._topics.get(found.about)
            if topic is not None and topic.row.fate in (Fate.IMPORTED, Fate.RETURNED):
                return self._row(found, ref, topic.row.fate, topic.row.reason, key)
            if (line := self._line_of_topic(found, ref, topic)) is None:
                return self._row(found, ref, Fate.SKIPPED, "the index has a line about that note", key)
            found = line
        if (grows := self._grows(found, key)) is not None:
            ref, found = grows
        if found.skip:
            return self._row(found, ref, Fate.SKIPPED, found.skip, key)
        renewed = self._renewed(found, ref, key)
        file = self._file((renewed or ref).path)
        whole = found
        is_known = (
            bool(found.rest) and not found.to and self._is_read_in(ref.project, found.sent_from) and key not in self._wishes.targets
        )
        if grows is None and is_known and not file.grows_by(found):
            found = found._replace(text=found.rest, digest="")
        if file.problem:
            return self._row(found, ref, Fate.SKIPPED, f"the target {file.problem}", key)
        if file.has(found) or self._has_all_of(found, file):
            return self._row(found, ref, Fate.DUPLICATE, IS_THERE, key)
        wanted = self._wishes.ticks.get(key)
        if wanted is None and self._wishes.also and import_reading.matches(found, self._wishes.also):
            wanted = True
        is_taken = not found.stays if wanted is None else wanted
        if renewed is not None and is_taken:
            self._put(renewed.path, found, Policy.REPLACE)
            return self._row(found, renewed, Fate.ADD, _clauses(_RENEWED, found.mark), key, ticked=True)
        if renewed is not None:
            return self._left(found, renewed, key)
        if not wanted and found.is_ours and self._is_read_in(ref.project or self._into or self._session.project, found.sent_from):
            ref = self._session.ref_at(found.sent_from[0])
            return self._row(found, ref, Fate.RETURNED, "it went out from here, and stands there unchanged", key)
        if not wanted and (known := self.done.get(key)) and self._is_read_in(ref.project, (known.path,)):
            return self._row(found, ref, Fate.IMPORTED, "it was imported before", key)
        merged = file.merged(self._with_base(found, ref), ref.path)
        if merged and merged == as_text(file.now or b""):
            return self._row(found, ref, Fate.DUPLICATE, IS_THERE, key)
        is_other = found.role is Role.NOTE and file.is_there and not file.is_part_of(found)
        if is_other and not merged:
            return self._conflict(whole, ref, key, wanted)
        if not is_taken:
            return self._left(found, ref, key)
        before = file.now
        self._put(ref.path, found, Policy.MERGE, merged)
        own = sum(map(bool, map(trim, raw_lines(found.text))))
        new = own if before is None else new_lines(before, file.now or b"")
        part = f"{_GROWS}: {new} of its {own} lines {'is' if new == 1 else 'are'} new" if new < own else ""
        why = _CHANGED if is_other else part
        placed = self._row(found, ref, Fate.ADD, _clauses(why, found.mark), key, ticked=True)
        return self._listed(placed) if before is None and not found.to else placed

    def _line_of_topic(self, found: ImportItem, ref: MemRef, topic: _Placed | None) -> ImportItem | None:
        """A topic's line of an index, with the name that the topic has here; None if the index has one.

        Raises `BadTarget` if the topic does not come.
        """
        folder, name = os.path.dirname(ref.path), os.path.relpath(found.about, os.path.dirname(found.file))
        was = os.path.join(folder, name)
        here = was if topic is None else topic.row.ref.path if topic.row.ticked or topic.row.fate is Fate.DUPLICATE else ""
        if not here or not self._file(here).is_there:
            raise BadTarget("the line of a note that does not come")
        lists, tree, file = self._session.layout.lists, DiskTree(self._session.root), self._file(ref.path)
        if ref.path not in self._listed_by:
            self._listed_by[ref.path] = {each.path for each in lists.told(tree, ref.path, file.before or b"").values()}
        line = lists.companions(tree, was, here, b"")[ref.path](encoded(found)) if here != was else None
        found = found if line is None else found._replace(text=line.decode("utf-8", "surrogateescape"))
        is_listed = here in self._listed_by[ref.path]
        if not is_listed and file.before and self._file(here).before is None:  # the index may have waited for the topic
            is_listed = lists.companions(tree, None, here, b"")[ref.path](file.before) == file.before
        return None if is_listed and not file.has(found) else found

    def _listed(self, placed: _Placed) -> _Placed:
        """Add a new note to the index files that list notes, if the layout has such."""
        if placed.found.role is Role.NOTE:
            tree, text = DiskTree(self._session.root), encoded(placed.found)
            about = placed.found.described
            for path, rewrite in self._session.layout.lists.companions(tree, None, placed.row.ref.path, text, about=about).items():
                file = self._file(path)
                after = rewrite(file.now)
                if after is not None and after != file.now and not file.is_outside:
                    file.replace(after)
                    self._rewrites.setdefault(path, []).append(rewrite)
        return placed

    def _whole(self, found: ImportItem) -> bytes:
        """The file that became a fact; empty if it is no such fact."""
        return self._originals.get(found.digest, b"") if found.source == found.file and found.role is Role.FACTS else b""

    def _has_all_of(self, found: ImportItem, file: TargetFile) -> bool:
        """Whether every line of the file that became a fact stands in this one."""
        text = split_frontmatter(self._whole(found))[1]
        return bool(text.strip()) and extends(text, file.now or b"")

    def _same_note(self, raw: bytes, ref: MemRef, project: str) -> MemRef:
        """The note of a project that has the words of a text already, whatever its name and its frontmatter; else `ref`."""
        target = Target(self._session, self._session.layout, DiskTree(self._session.root), project)
        if project not in self._notes:
            self._notes[project] = notes_there(target)
        same = self._notes[project].get((project, target.words(ref.path, raw)), ())
        return ref if not same or ref.path in same else self._session.ref_at(same[0])

    def _is_read_in(self, project: str, paths: Iterable[str]) -> bool:
        """Whether any of the files belongs to the project or to all."""
        return any(self._session.ref_at(each).project in ("", EVERYBODY, project) for each in paths)

    def _grows(self, found: ImportItem, key: str) -> tuple[MemRef, ImportItem] | None:
        """The file that an item went out from, and the item as it goes in there, if it has most of its lines there; else None."""
        if (
            found.to
            or found.is_ours
            or not found.sent_from
            or found.role is Role.LOG
            or key in self._wishes.targets
            or self._into not in ("", self._session.project)
        ):
            return None
        ref, there = self._session.ref_at(found.sent_from[0]), self._file(found.sent_from[0]).now
        if ref.role is None or there is None:
            return None
        if found.was and ref.role is Role.NOTE:  # also what the format takes for a fact
            raw = encoded(found) if found.role is Role.NOTE else split_frontmatter(self._originals[found.digest])[1]
            return ref, found._replace(role=ref.role, text=raw.decode("utf-8", "surrogateescape"))
        goes = found._replace(role=ref.role, text=as_items(found.text) if ref.role is Role.CHECKLIST else found.text)
        is_known = bool(found.was) and ref.role is Role.FACTS
        return (ref, goes) if is_known or grown(there, encoded(goes), key_of(ref.role)) is not None else None

    def _renewed(self, found: ImportItem, ref: MemRef, key: str) -> MemRef | None:
        """The note made by an earlier import from the same source, if nobody has changed it since; else None."""
        last = self._last_of(found)
        if last is None or (last.path != ref.path and (key in self._wishes.targets or found.source != found.file)):
            return None
        there = self._session.ref_at(last.path)
        is_untouched = self._file(last.path).now == last.text.encode("utf-8", "surrogateescape")
        return there if there.role is Role.NOTE and there.project == ref.project and is_untouched else None

    def _with_base(self, found: ImportItem, ref: MemRef) -> ImportItem:
        """A note with the text that both sides had last, if it came from there before."""
        last = self._last_of(found)
        if last is None or last.path != ref.path or found.source != found.file:
            return found
        return found._replace(was=last.text, sent_from=(last.path,))

    def _last_of(self, found: ImportItem) -> Imported | None:
        """What is recorded of the place that a note is from, the latest; None if nothing is."""
        return self._last.get((self._format.recorded_as, *found.origin)) if found.role is Role.NOTE else None

    def _conflict(self, found: ImportItem, ref: MemRef, key: str, wanted: bool | None) -> _Placed:
        """The row of a note whose name is taken by a note with other content, according to the policy."""
        if found.stays and not wanted:
            return self._left(found, ref, key)
        ticked = self._policy is not Policy.SKIP if wanted is None else wanted
        policy = Policy.RENAME if self._policy is Policy.SKIP and ticked else self._policy
        reason = f"there is another note of that name: {policy}"
        if policy is Policy.MERGE and other_head(self._file(ref.path).now or b"", encoded(found)):
            reason = _clauses(reason, "without its frontmatter")
        if policy is Policy.RENAME:
            ref = self._free(ref, is_copy=bool(found.to))
        is_new = not self._file(ref.path).is_there
        if ticked:
            self._put(ref.path, found, policy)
        placed = self._row(found, ref, Fate.CONFLICT, _clauses(reason, found.mark), key, ticked=ticked)
        return self._listed(placed) if ticked and is_new and not found.to else placed

    def _target(self, found: ImportItem, key: str) -> MemRef:
        ref = self._wanted_target(found, key)
        if problem := foreign_problem(self._session.layout, ref.path):
            raise BadTarget(f"{printable_path(ref.path)}: {problem}.")
        return ref

    def _group_of(self, found: ImportItem) -> str:
        """The project that an item names, as this store calls it; empty if it names none."""
        session = self._session
        if session.is_default or not found.folder:
            return found.project
        return session.project if found.folder == session.folder else group_of_folder(session, found.folder)

    def _wanted_target(self, found: ImportItem, key: str) -> MemRef:
        session = self._session
        given = self._wishes.targets.get(key)
        if given and (ref := find_ref(session.layout, given)):
            return ref
        project = self._into or self._group_of(found) or session.project
        if found.to and (ref := find_ref(session.layout, self._copy_to(found.to, project_name(project)))):
            return ref
        if found.role is Role.FACTS:
            home = self._home_of_facts(found, project)
            is_ours = found.is_ours or self._file(home.path).has(found)
            return home if is_ours else self._same_note(self._whole(found), home, project_name(project))
        name = note_stem(stem_of(found.name)) if found.role is Role.NOTE else found.name
        ref = session.place_of(found.role, project_name(project), name)
        own = find_ref(session.layout, f"{os.path.dirname(ref.path)}/{name}.md") if found.role is Role.NOTE else None
        is_known = own is not None and (own.role, own.project) == (ref.role, ref.project) and self._file(own.path).is_there
        ref = own if own is not None and is_known else ref  # the note may exist under its unsanitized name, as it was exported
        return self._same_note(encoded(found), ref, ref.project) if ref.role is Role.NOTE and not found.to else ref

    def _copy_to(self, path: str, project: str) -> str:
        """Where a copy goes: to the project, or to its own if that has another kind of owner and no project was named."""
        own = self._session.layout.group_of(path)
        is_apart = not self._into and import_reading.owner(own) != import_reading.owner(project)
        return path if is_apart else in_project(self._session.layout, path, project)

    def _home_of_facts(self, found: ImportItem, project: str) -> MemRef:
        """The project's main file. Raises `BadTarget` for an index line that links to a file which does not exist."""
        home = main_file(self._session.layout, project)
        if home.role is Role.INDEX:
            folder = os.path.dirname(os.path.join(self._session.root, home.path))
            if gone := [name for name in _LINK.findall(found.text) if not os.path.lexists(os.path.join(folder, name))]:
                raise BadTarget(f"It leads to {printable_path(gone[0])}, which is not there. Nothing was done.")
        return home

    def _file(self, path: str) -> TargetFile:
        if path not in self._files:
            place = os.path.join(self._session.root, path)
            self._files[path] = TargetFile(files.read_if_there(place), is_outside=not is_inside(place, self._session.root))
        return self._files[path]

    def _put(self, path: str, found: ImportItem, policy: Policy, whole: str = "") -> None:
        """Add an item to a file, or make this `whole` text of it."""
        file = self._file(path)
        before = file.now
        file.replace(whole.encode("utf-8", "surrogateescape")) if whole else file.put(found, policy)
        try:
            if self._session.guard is not None:
                self._session.guard(path, before, file.now)
        except (RuleBroken, StoreError):
            file.replace(before)
            raise

    def _free(self, ref: MemRef, *, is_copy: bool) -> MemRef:
        stem, ending = os.path.splitext(ref.path)
        for number in range(2, 10_000):
            name = f"{stem}-{number}{ending}"
            if is_copy and len(os.fsencode(os.path.basename(name))) > _LONGEST_NAME:
                break
            beside = find_ref(self._session.layout, name) if is_copy else None
            free = beside or self._session.place_of(Role.NOTE, ref.project, f"{ref.name}-{number}")
            if not self._file(free.path).is_there:
                return free
        raise BadTarget(f"{printable_path(ref.name)} is taken and no other name is free. {_NOTHING}")


_LONGEST_NAME: Final = 255
"""In bytes: file systems take no longer name."""

_LINK: Final = re.compile(r"\]\(([^/\\():#]+\.md)\)")
"""A Markdown link to a file in the same folder, as lines of an index have it."""
