"""The doctor: find what is wrong, duplicated, outdated or broken in a store, and recompute after a change only what it affects.

Findings about one text are cached as long as the file is the same; those about a project's texts together, as long as all are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.checks.around import Around, Links, links, named
from zsmem_tui.core.checks.checkup import UNPLACED
from zsmem_tui.core.checks.duplicates import Standing, keys_of
from zsmem_tui.core.checks.examine import Reading, about_text, compared, in_order, loaded_together, paid_for_twice, read
from zsmem_tui.core.checks.finding import Finding, Fix, Level
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.missed import missed
from zsmem_tui.core.checks.redact import without
from zsmem_tui.core.checks.structure import OVER_BUDGET, PASSED_OVER, TOO_MUCH, UNSEEN, broken_at
from zsmem_tui.core.context import Block, LeftOut
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.errors import BadContent, BadName, Missing, StoreError
from zsmem_tui.core.fact_prompt import lost_facts
from zsmem_tui.core.index_file import NO_LISTS
from zsmem_tui.core.layout import Layout, needs_utf8, only_instructions
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.moments import moment
from zsmem_tui.core.names import note_stem, project_slug
from zsmem_tui.core.preview import InBlock, Loss
from zsmem_tui.core.recode import recoded
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.service import dead_ends, previewing, prompts, recall
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store import ignored, search_log
from zsmem_tui.store.disk import files, listing
from zsmem_tui.store.disk.project_tree import ProjectFolder
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.reader import StoreReader
from zsmem_tui.store.scan import scan, unplaced, unreadable

Result = TypeVar("Result")

_TEMPORARY: Final = ".tmp"

_BROKEN: Final = {
    "note-name": "Agents refuse this name for a note ({text}): they cannot read or edit it.",
    "temporary": "A left-over temporary file of a write that was cut off: no agent reads it.",
    "unreadable": "No permission to read the file: agents read nothing of it.",
    "link-out": "A link that leaves the store, to {text}: agents may read it; here it is only shown, not checked or searched.",
    "link-dead": "A link to {text}, where no file is: agents read nothing of it.",
    UNPLACED: "No agent reads this file: {text} looks for none of its name there.",
    "future-log": "The name of the log {text} comes after today's: the released agent takes it for the newest.",
}
"""Messages for findings about file names, by kind."""

_SAYS_SHARED: Final = "The file takes {size:,} bytes of every prompt, and only {limit:,} fit: what follows it is cut off."
_SAYS_CUT: Final = "The prompt's block of this project needs {size:,} bytes today, and only {limit:,} fit: its end is cut off."


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings, worst first. `problems` are sentences about files that could not be examined."""

    faults: tuple[Finding, ...]
    files: int
    size: int
    problems: tuple[str, ...] = ()
    is_unreadable: bool = False
    left: int = 0
    """How many files were not examined because the limit in bytes was reached."""
    left_here: int = 0
    """How many of those belong to the current folder."""
    troubled: Mapping[str, str] = field(default_factory=dict)
    """The projects that problems are about, by the problem; others are about what all share."""


class Doctor:
    """Examines one store any number of times; only what changed since the last time is recomputed.

    `folders` are possible folders of the store's projects.
    """

    def __init__(self, session: Session, folders: Iterable[str] = ()) -> None:
        self._session = session
        self._folders: dict[str, str] = {}
        self.know(folders)
        self._files: dict[str, Kept] = {}
        self._found: dict[tuple[str, str], tuple[object, Any]] = {}
        """By kind, and file or group: the evidence, and what was found."""
        self._trees: dict[str, ProjectFolder] = {}
        """By folder."""
        limits = {role: session.layout.inject_limit(role) for role in Role}
        self._limits = {role: limit for role, limit in limits.items() if limit is not None}
        """The bytes above which agents leave out a file."""
        self._loads: dict[str, tuple[tuple[str, str], ...]] = {}
        self._problems: dict[str, str] = {}
        """With the project that each is about; empty: what all share."""
        self._bytes_left: int | None = None
        self._left = self._left_here = self._unread = 0
        self._cancelled = never

    def know(self, folders: Iterable[str]) -> None:
        """Replace the possible folders of projects; caches about texts are kept."""
        self._folders = {project_slug(folder): folder for folder in folders}
        if self._session.folder:
            self._folders.setdefault(self._session.project, self._session.folder)

    def examine(
        self,
        projects: Sequence[str] | None = None,
        today: date | None = None,
        *,
        most: int | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Diagnosis:
        """Find everything wrong in these projects and in shared files (`projects` None: in every project).

        With `most`, files never examined before are skipped beyond that many bytes; the session's own project comes first. Raises
        `Cancelled` if `cancelled` says so; what was read stays cached.
        """
        session = self._session
        self._bytes_left, self._left, self._left_here, self._unread, self._cancelled = most, 0, 0, 0, cancelled
        today = today or session.clock().date()
        catalog = scan(session.root, session.layout)
        shared = [catalog.problem] if catalog.problem else unreadable(session.root, session.layout.global_folders())
        self._problems = dict.fromkeys(shared, "")
        self._loads.clear()
        for folder in self._trees.keys() - self._folders.values():
            del self._trees[folder]
        every = {project.slug: project.files for project in catalog.projects}
        chosen = [slug for slug in every if projects is None or slug in projects]
        chosen.sort(key=lambda slug: slug != session.project)
        self._problems |= {each.problem: each.slug for each in catalog.projects if each.problem and each.slug in chosen}
        known = (catalog.shared, catalog.kept, *every.values())
        targets = links(frozenset(entry.ref.path for own in known for entry in own))
        names = frozenset(path.rpartition("/")[2] for path in targets.paths)
        groups = {"": catalog.shared, **{slug: every[slug] for slug in chosen}}
        if session.layout.projects_folder and (projects is None or session.project in projects):
            groups.setdefault(session.project, ())  # its prompt has what all share, also while it has no files
        within = {owner: [entry for entry in own if self._is_in_time(entry)] for owner, own in groups.items()}
        seen = {owner: [self._read(entry) for entry in own] for owner, own in within.items()}
        targets = named(
            targets, {kept.reading.ref.path: kept.names for own in seen.values() for kept in own if kept and kept.reading}
        )
        faults: list[Finding] = []
        for owner, own in groups.items():
            if cancelled():
                raise Cancelled
            around = self._surroundings(owner, targets, names, today)
            mine = [kept for kept in seen[owner] if kept is not None]
            faults += (fault for kept in mine for fault in kept.faults)
            faults += self._about_texts(mine, around)
            faults += self._compared_findings(owner, mine if not owner else [*(each for each in seen[""] if each), *mine])
            faults += self._name_findings(owner, own, around)
            told = (kept.reading.ref for kept in mine if kept.reading and kept.reading.ref.role is Role.INSTRUCTIONS)
            faults += (fault for ref in told for fault in dead_ends.in_instructions(session, ref))
            faults += self._agent_findings(owner, own, catalog.shared, today)
        faults += (fault for fault in self._missed_search_findings() if session.ref_at(fault.path).project in groups)
        entries = [entry for own in groups.values() for entry in own]
        gone = self._files.keys() - {entry.ref.path for own in (catalog.shared, *every.values()) for entry in own}
        for path in gone:
            del self._files[path]
        return Diagnosis(
            tuple(in_order(dict.fromkeys(_without_secrets(dead_ends.elsewhere(session, faults, targets.paths))))),
            len(entries) - self._unread,
            sum(entry.size for entry in entries),
            tuple(self._problems),
            bool(self._problems),
            self._left,
            self._left_here,
            {problem: owner for problem, owner in self._problems.items() if owner},
        )

    def _is_in_time(self, entry: FileEntry) -> bool:
        """Whether to examine a file now; one never examined before counts against the byte limit."""
        if self._bytes_left is None or entry.ref.path in self._files:
            return True
        if entry.size > self._bytes_left:
            self._left += 1
            self._left_here += prompts.is_here(self._session, entry.ref)
            return False
        self._bytes_left -= entry.size
        return True

    def _read(self, entry: FileEntry) -> Kept | None:
        """Examine one file, from the cache if it has not changed; None if it cannot be read, unless that is only forbidden."""
        ref, known = entry.ref, self._files.get(entry.ref.path)
        if known is not None and entry.fingerprint is not None and known.evidence == entry.fingerprint:
            return known
        if entry.missing or entry.is_out:
            return None
        try:
            kept = self._look(entry)
        except Missing:
            return None
        except StoreError as error:
            self._problems[error.message] = ref.project
            self._unread += 1
            fix = Fix("Let its owner read it: chmod u+r.")
            is_shut = isinstance(error.__cause__, PermissionError)
            return Kept(None, None, (_broken(ref.path, "unreadable", "", fix),)) if is_shut else None
        self._files[ref.path] = kept
        if self._cancelled():
            raise Cancelled
        return kept

    def _look(self, entry: FileEntry) -> Kept:
        """Examine one file. Raises `StoreError` (`Missing` if the file is gone) or `Cancelled`."""
        ref, layout, size = entry.ref, self._session.layout, entry.size
        if size > LARGEST:
            says = (
                "The file has {size:,} bytes, more than the {limit:,} that are looked into: "
                "whatever else is wrong in it is not told."
            )
            unread = Finding(OVER_BUDGET, ref.path, says=says, kind="unread", size=size, limit=LARGEST)
            return Kept(entry.fingerprint, None, (*self._too_large(ref, size), unread))
        raw, fingerprint = files.read(self._session.path(ref))
        large = self._too_large(ref, len(raw))
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            quoted = raw[:200].decode("utf-8", "replace")
            reads = "cannot read it, and load none of it" if needs_utf8(layout, ref.role) else "may not be able to read it"
            says = f"The file is not valid UTF-8: agents {reads}."
            fix = Fix(f"Convert the file to UTF-8: {recoded(raw).how}.", recodes="" if b"\0" in raw else ref.path)
            return Kept(fingerprint, None, (broken_at(ref.path, 1, "not-utf8", says, "", quoted, fix), *large))
        reading = read(ref, text, layout.block_end, has_head=layout.reads_head(ref.path), cancelled=self._cancelled)
        return Kept(fingerprint, reading, (*reading.faults, *large), layout.lists.names(ref.path, raw))

    def _too_large(self, ref: MemRef, size: int) -> list[Finding]:
        limit = self._limits.get(ref.role) if ref.role else None
        if limit is None or size <= limit:
            return []
        says = "The file has {size:,} bytes: agents load none of it when it is over {limit:,}."
        found = Finding(OVER_BUDGET, ref.path, says=says, level=Level.ERROR, kind="file", size=size, limit=limit)
        return [replace(found, fix=out_of_prompt(self._session.project))]

    def _surroundings(self, owner: str, targets: Links, names: frozenset[str], today: date) -> Around:
        home = self._session.layout.home_of(owner) if owner else ""
        folder = self._folders.get(owner, "") if owner else ""
        known = self._trees.setdefault(folder, ProjectFolder(folder)).tree() if folder else None
        outside = known.files | known.folders if known is not None else frozenset()
        return Around(home, replace(targets, outside=outside), known, names, today)

    def _instructions(self, folder: str) -> dict[str, Standing]:
        """The keys of what the instruction files of a folder put into every prompt, with where it stands."""
        found: dict[str, Standing] = {}
        for place, text in self._loaded(folder):
            for key, saying in self._kept("keys", place, (text,), partial(keys_of, text)).items():
                found.setdefault(key, (place, saying))
        return found

    def _orders(self, owner: str) -> tuple[tuple[str, str], ...]:
        """The (path, text) of instruction files, read once per examination: those that a project's folder puts into the prompt, or
        in a store of such files, all of them, whichever agents read them.
        """
        if not owner and only_instructions(self._session.layout):
            found = ((path, files.text_or_none(self._session.path(self._session.ref_at(path)))) for path in self._files)
            return tuple((path, text) for path, text in found if text is not None)
        return next((self._loaded(folder) for folder in self._folders_of(owner)), ()) if owner else ()

    def _loaded(self, folder: str) -> tuple[tuple[str, str], ...]:
        if folder not in self._loads:
            self._loads[folder] = previewing.loaded_orders(self._session, folder)
        return self._loads[folder]

    def _about_texts(self, own: Iterable[Kept], around: Around) -> Iterable[Finding]:
        links = hash((around.links.paths, around.links.names))
        for kept in own:
            if kept.reading is None:
                continue
            evidence = (kept.reading, around.today, links, around.tree)
            yield from self._kept("text", kept.reading.ref.path, evidence, partial(self._about_text, kept.reading, around))

    def _about_text(self, reading: Reading, around: Around) -> list[Finding]:
        """Findings about one text, without dead links that the layout's own checks cover: in an index of the layout's files."""
        is_covered = reading.ref.role is Role.INDEX and self._session.layout.lists is not NO_LISTS
        return [fault for fault in about_text(reading, around) if not (is_covered and fault.rule == DEAD_LINK)]

    def _kept(self, kind: str, about: str, evidence: tuple[object, ...], find: Callable[[], Result]) -> Result:
        """What was found of a kind about a file or group, found again only if the evidence has changed."""
        known = self._found.get((kind, about))
        if known is None or not _same(known[0], evidence):
            known = self._found[kind, about] = (evidence, find())
        found: Result = known[1]
        return found

    def _compared_findings(self, owner: str, own: Sequence[Kept]) -> list[Finding]:
        texts = [kept.reading for kept in own if kept.reading is not None and kept.reading.told]  # those that can be compared
        found = self._kept("compared", owner, tuple(texts), lambda: compared(texts, owner, cancelled=self._cancelled))
        found = [*found, *self._against_orders(owner, texts)]
        every = [self._instructions(folder) for folder in self._folders_of(owner)]
        in_all = {key: place for key, place in (every or [{}])[-1].items() if all(key in each for each in every)}
        in_some = {key: place for each in reversed(every) for key, place in each.items() if key not in in_all} if not owner else {}
        for told, of_all in ((in_all, True), (in_some, False)):
            if told:
                evidence, look = (*texts, tuple(told.items())), partial(paid_for_twice, texts, told, owner, of_all=of_all)
                found += self._kept(f"paid {of_all}", owner, evidence, look)
        return found

    def _against_orders(self, owner: str, texts: Sequence[Reading]) -> list[Finding]:
        """Contradictions with or between instruction files."""
        orders = self._orders(owner)
        if not orders:
            return []
        own = [path for path, _ in orders if not os.path.isabs(path)]
        told = [(MemRef(path, project="" if path in own else owner), text) for path, text in orders]
        where = "" if only_instructions(self._session.layout) else ", which is in the same prompt"
        return self._kept("orders", owner, (*texts, orders), lambda: loaded_together(told, texts, own, where))

    def _folders_of(self, owner: str) -> list[str]:
        """The known folders of a project; of what all share, every known one, and the root for those that are not known."""
        layout = self._session.layout
        if not owner:
            has_projects = layout.home_of(layout.group_named_after(os.sep))  # else the store is that of one folder
            return [*self._folders.values(), *([os.sep] if has_projects else [])]
        named = (each for each in self._folders.values() if layout.group_named_after(each) == owner)
        return [self._folders[owner]] if owner in self._folders else list(named)

    def _name_findings(self, owner: str, own: Iterable[FileEntry], around: Around) -> Iterable[Finding]:
        """Findings from file names alone: notes that agents refuse, logs of future days, left-over temporary files."""
        for entry in own:
            ref = entry.ref
            if entry.is_out:
                found = _broken(ref.path, "link-out", os.path.realpath(self._session.path(ref)), Fix("Put a file in its place."))
                yield replace(found, level=Level.WARNING)
            elif entry.missing and (goal := self._session.link_target(ref)):
                yield replace(_broken(ref.path, "link-dead", goal, Fix("Put a file in its place.")), level=Level.WARNING)
            if ref.role is Role.LOG and is_log_name(f"{ref.name}.md") and ref.name > around.today.isoformat():
                name = ref.path.rpartition("/")[2]
                yield _broken(ref.path, "future-log", name, self._on_its_day(owner, entry, around.today))
            if ref.role is Role.NOTE and self._session.layout is DEFAULT and (better := _refused(ref.name)):
                name = f"{ref.path.rpartition('/')[0]}/{better}.md"
                fix = Fix("Rename the note to {name}.", better, removes=ref.path, becomes=name)
                yield _broken(ref.path, "note-name", ref.name, fix)
        layout = self._session.layout
        listed = {entry.ref.path for entry in own}
        for path in unplaced(self._session.root, layout, owner):
            fix = _into_notes(layout, owner, path, listed)
            text = files.text_or_none(os.path.join(self._session.root, path)) if fix.becomes else None
            note = read(self._session.ref_at(fix.becomes or path), text or "", "")
            if brings := len(list(about_text(note, around))):
                fix = fix._replace(notes=f"It brings {counted(brings, 'finding')}: nobody looks into what no agent reads.")
            found = _broken(path, UNPLACED, layout.title, fix)
            says = found.says if path in listed else f"{found.says} It is not reviewed, and no version of it is kept."
            yield replace(found, says=says, level=Level.WARNING)
        folders = layout.project_folders(owner) if owner else layout.global_folders()
        for folder in listing.expanded(self._session.root, folders):
            home = os.path.join(self._session.root, folder.path) if folder.path else self._session.root
            for name in sorted(name for name in files.list_all(home) if name.endswith(_TEMPORARY) and not name.startswith(".")):
                path = f"{folder.path}/{name}" if folder.path else name
                if os.path.isfile(os.path.join(home, name)):
                    yield _broken(path, "temporary", name, Fix("Delete the file; the history keeps it.", removes=path))

    def _on_its_day(self, owner: str, entry: FileEntry, today: date) -> Fix:
        """The fix for a log of a future day: move it to the day it was written, by its modification time."""
        written = moment(entry.fingerprint.mtime_ns / 1e9).date() if entry.fingerprint is not None else today
        day = min(written, today).isoformat()
        goal = self._session.layout.ref(Role.LOG, owner, day)
        return Fix("Move its entries to {name}.", day, removes=entry.ref.path if goal else "", becomes=goal.path if goal else "")

    def _agent_findings(self, owner: str, own: Sequence[FileEntry], shared: Sequence[FileEntry], today: date) -> list[Finding]:
        """Findings by the agent's own rules and by its prompt for a group; cached until a file of the group changes."""

        def find() -> list[Finding]:
            block = self._prompt(owner, today)
            left_out = block.composed.left_out if block is not None and block.composed is not None else ()
            found = by_layout(self._session, owner, [entry.ref for entry in own], left_out)
            return [*found, *(self._cut_findings(owner, block) if owner and block is not None else ())]

        files = ((entry.ref.path, entry.fingerprint or object()) for entry in (*own, *shared))  # unknown ones equal nothing
        return self._kept("agent", owner, (today, *files), find)

    def _missed_search_findings(self) -> Iterator[Finding]:
        """Notes searched for on several occasions by a word they do not contain; recomputed when the search log changed."""
        evidence = search_log.evidence(self._session.root)
        if evidence is None:
            return
        for row in self._kept("missed", "", evidence, lambda: recall.misses(self._session).offered):
            if row.occasions < 2:
                continue
            text = files.text_or_none(self._session.path(row.ref))
            if text is not None and row.alias.casefold() not in text.casefold():
                with suppress(BadContent):  # the note may have the largest number of aliases by now
                    yield missed(row.ref.path, text, row.alias, " and ".join(row.clients))

    def _prompt(self, owner: str, today: date) -> Block | None:
        """The prompt block of a group today; None if it has none or a file cannot be read."""
        session = self._session
        if session.layout.projects_folder and not owner:
            return None
        try:
            about = previewing.Subject(owner or EVERYBODY, today.isoformat(), session.profile)
            return session.layout.block(StoreReader(session.root), previewing.moment_of(session, about))
        except (BadName, StoreError):
            return None

    def _cut_findings(self, owner: str, block: Block) -> Iterable[Finding]:
        """A finding if the block of a project does not fit and is cut."""
        if block.composed is None and block.cap and block.needed > block.cap and block.sections:
            sizes = {section.path: len(section.text.encode()) for section in block.sections}
            own = {path: size for path, size in sizes.items() if self._session.ref_at(path).project}
            shared = next((path for path, size in sizes.items() if path not in own and size > block.cap), "")
            largest = shared or max(own or sizes, key=lambda path: sizes[path])
            yield Finding(
                OVER_BUDGET,
                largest,
                says=_SAYS_SHARED if shared else _SAYS_CUT,
                kind="shared-block" if shared else "block",
                size=sizes[shared] if shared else block.needed,
                limit=block.cap,
                quoted="" if shared else owner,
                fix=out_of_prompt(self._session.project if shared else owner),
            )


def _without_secrets(faults: Iterable[Finding]) -> list[Finding]:
    """The findings, with credentials of the related file removed from the text they quote."""
    found = list(faults)
    secrets = grouped((fault.path, fault.secret) for fault in found if fault.secret)
    for at, fault in enumerate(found if secrets else ()):
        if fault.related and (own := secrets.get(fault.related[0].path)):
            found[at] = replace(fault, text=without(fault.text, sorted(own, key=len, reverse=True)))
    return found


def _broken(path: str, kind: str, text: str, fix: Fix) -> Finding:
    """A finding about a file name."""
    return broken_at(path, 1, kind, _BROKEN[kind], text, text, fix)


def _into_notes(layout: Layout, owner: str, path: str, known: Collection[str]) -> Fix:
    """The fix that makes a note of a file that no agent reads; for a person to do if it cannot keep its name."""
    name = path.rpartition("/")[2].removesuffix(EXTENSION)
    goal = layout.ref(Role.NOTE, owner, name) if owner and not _refused(name) else None
    if goal is None or goal.path in known:
        return Fix("Put what is worth keeping into a file that is read.")
    return Fix("Move it to {file}.", goal.path, removes=path, becomes=goal.path)


def _refused(name: str) -> str:
    """For a note name that agents refuse, a similar one that they accept; empty if the name is fine."""
    try:
        note_stem(name)
    except BadName:
        return "".join("-" if char in "./\\" else char for char in name).strip("-") or "note"
    return ""


def _same(known: object, now: object) -> bool:
    """Whether two tuples of cache evidence are equal; readings are compared by identity, since comparing texts is slow."""
    if not isinstance(known, tuple) or not isinstance(now, tuple) or len(known) != len(now):
        return False
    return all(one is two or (not isinstance(one, Reading) and one == two) for one, two in zip(known, now, strict=True))


def folders_in(place: str) -> list[str]:
    """The subfolders of a folder, as possible project folders. Raises `BadName` if there is no such folder."""
    if not os.path.isdir(place):
        raise BadName(f"{printable_path(place)} is no folder. Nothing was done.")
    return [os.path.join(place, name) for name in sorted(files.list_all(place)) if os.path.isdir(os.path.join(place, name))]


class Sorted(NamedTuple):
    """Findings split into open and ignored ones. `problem` says why the ignored ones are unknown; then all are open."""

    to_decide: tuple[Finding, ...]
    ignored: tuple[Finding, ...] = ()
    problem: str = ""


def by_ignored(session: Session, faults: Sequence[Finding]) -> Sorted:
    """Split the findings of a store by what the user has ignored."""
    known = ignored.read(session.root)
    left = tuple(fault for fault in faults if fault.id not in known.ids)
    return Sorted(left, tuple(fault for fault in faults if fault.id in known.ids), known.problem)


def by_layout(session: Session, group: str, refs: Collection[MemRef], left_out: Iterable[LeftOut]) -> list[Finding]:
    """Findings about a group's files (empty: files of no group) by the agent's own rules and by what its prompt leaves out.

    A file that cannot be read gets none here; reading it reports the error.
    """
    tree = DiskTree(session.root)
    try:
        found = list(session.layout.checks.faults(tree, group))
    except StoreError:
        found = []
    judged = {fault.path for fault in found if fault.kind == PASSED_OVER}
    roles = {ref.path: ref.role for ref in refs if ref.path not in judged}
    paths = {path for path, role in roles.items() if role is not Role.LOG}  # logs drop out with age by design
    return [*found, *_lost_lines(session, tree, (each for each in left_out if each.path in paths))]


def _lost_lines(session: Session, tree: DiskTree, left_out: Iterable[LeftOut]) -> Iterator[Finding]:
    """Findings about what does not reach the agent, one per file and reason."""
    reader = StoreReader(session.root)
    for (path, reason, for_size), own in grouped(((each.path, each.reason, each.for_size), each) for each in left_out).items():
        line = own[0].line + 1
        gone = frozenset(each.line for each in own)
        known = reader.text(path) or ""
        fix: Fix | None = TOO_MUCH if for_size else None
        if for_size:
            with suppress(StoreError):
                fix = session.layout.checks.shortened(tree, path) or TOO_MUCH
        facts = lost_facts(known, InBlock("", frozenset(range(len(known))) - gone, frozenset(), gone))
        lost = str(Loss(facts, len(gone))).replace(" lost", "") + (" is" if (facts or len(gone)) == 1 else " are")
        yield Finding(
            OVER_BUDGET if for_size else UNSEEN,
            path,
            line,
            says=f"{lost} not whole in the prompt: {{text}}. The first is {{file}} line {line}.",
            kind="lost-lines",
            text=reason,
            size=len(own),
            quoted=reason,
            fix=fix,
        )


LARGEST: Final = 32 * 1024 * 1024
"""The size in bytes above which a file is not examined."""


class Kept(NamedTuple):
    """What is cached about a file: the evidence of its state, and the findings."""

    evidence: object
    reading: Reading | None
    faults: tuple[Finding, ...]
    names: tuple[str, ...] = ()
    """Further names by which links may refer to it."""


def out_of_prompt(project: str) -> Fix:
    """The fix that moves what does not fit out of a project's prompt."""
    return Fix("Move what does not fit out of the prompt: into notes and the archive of {group}.", fits=project)
