"""The rows of the tree: stores, groups and files, or folders with what each agent remembers of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.catalog import FileEntry, ProjectEntry
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.layout import is_unread, only_instructions
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import titles
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.open_store import At, OpenStore

if TYPE_CHECKING:
    from zsmem_tui.core.notice import Notice

MOST_UNFOLDED: Final = 20
"""Up to this many files of a folder, all agents' groups are unfolded."""

MOST_OF_PROJECT: Final = 100
"""Up to this many files, the current project is unfolded at the start."""

MAX_FILTERED: Final = 300
"""Maximum number of files shown for a filter; rebuilding the tree with these takes 25 ms."""

_IN_ORDER: Final = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.LOG, Role.NOTE, Role.INSTRUCTIONS, Role.DERIVED, None)
_UNLISTED: Final = "unlisted"
_UNREAD: Final = "! not read"
LINKS: Final = {"dead-link": "dead link", "double-link": "double link", "link-case": "misspelled link", "away-link": "outside link"}
"""The word for a problem with a link of an index, by the value of the finding's kind."""


class Node(NamedTuple):
    """A row of the tree. `below` returns its child rows; None for a leaf.

    `facts` are shown at the right edge, `brief` in their place if the name needs more room, and `hidden`, the problems of files
    below the row, while it is folded. For a folder of several agents, `first` is the first agent's group, to which actions apply.
    `told` are the keys of other stores with files below the row.
    """

    at: At
    name: str
    facts: str = ""
    here: bool = False
    warn: bool = False
    below: Callable[[], list[Node]] | None = None
    unfolded: bool = False
    brief: str = ""
    hidden: str = ""
    first: At | None = None
    told: Sequence[str] = ()

    @property
    def meant(self) -> At:
        """What an action applies to while the cursor is on this row."""
        return self.first or self.at


class _AgentFiles(NamedTuple):
    """One agent's files for a folder: a group of its store (empty: global memory) with its entries."""

    store: OpenStore
    group: str
    entries: list[FileEntry]

    @property
    def waiting(self) -> int:
        """How many of the files others have changed since the person last looked."""
        return sum(entry.ref in self.store.unreviewed for entry in self.entries)

    @property
    def found(self) -> int:
        """The number of errors and warnings in the files."""
        return sum(map(self.store.checkup.count_of, (entry.ref for entry in self.entries)))


class TreeNodes:
    """Makes the rows of the tree from the catalogs of the stores. Child rows are made on demand."""

    def __init__(self, stores: Sequence[OpenStore], now_ns: Callable[[], int], *, folders: Sequence[str] | None = None) -> None:
        """Group by agent, or with `folders`, the known ones, by folder.

        A single agent gets no row of its own, and by agent, instructions are listed with the memory of their folder.
        """
        several = any(not (store.empty or only_instructions(store.session.layout)) for store in stores[1:])
        read = [store for store in stores if store.catalog is not None]
        self.listed = [store for store in read if not (several and store is stores[0] and store.empty and not _problem(store))]
        """The stores with rows."""
        self._now_ns = now_ns
        self._folders = folders if len(self.listed) > 1 else None
        self._told: dict[tuple[OpenStore, str], list[_AgentFiles]] = {}
        self._placed: dict[OpenStore, list[FileEntry]] = {}
        agents = [store for store in self.listed if not only_instructions(store.session.layout)]
        for store in self.listed if self._folders is None else ():
            if store not in agents:
                self._place_with(agents, store)
        nested = [store for store, placed in self._placed.items() if len(placed) == len(_entries(store, ""))]
        self._top = [store for store in self.listed if store not in nested]
        self._for_all = [each.store for (agent, _), told in self._told.items() for each in told if _is_global(each.store, agent)]
        self._waiting = {store.key: Counter(ref.project for ref in store.unreviewed) for store in stores}

    def _place_with(self, agents: Sequence[OpenStore], told: OpenStore) -> None:
        """List each of a folder's instruction files with the first agent that reads it and has memory of the folder."""
        left = _entries(told, "")
        for agent, group in (found := _memories_beside(told, agents)):
            reads = agent.reads(told.session.root, _entries(told, "")) if left and not _is_global(told, agent) else ()
            own = [entry for entry in left if entry.ref.path in reads or _is_global(told, agent)]
            left = [entry for entry in left if entry not in own]
            if own:
                self._told.setdefault((agent, group), []).append(_AgentFiles(told, "", own))
        if found:
            self._placed[told] = [entry for entry in _entries(told, "") if entry not in left]

    def top(self, wanted: str = "", kept: Collection[At] = ()) -> list[Node]:
        """The top-level rows; with a filter, those whose names, with the rows above them, contain all its words, and the `kept`."""
        if wanted.strip():
            return self._filtered(wanted, kept)
        if self._folders is not None:
            return self._by_folder(self._folders)
        return self._store_rows(self._top[0]) if len(self._top) == 1 else [self._store(store) for store in self._top]

    def _filtered(self, wanted: str, kept: Collection[At]) -> list[Node]:
        terms = terms_of(wanted)
        room = MAX_FILTERED
        out: list[Node] = []
        for store in self._top:
            row = self._store(store) if self._top != [store] else None
            found = self._matching_rows(store, terms, kept, room)
            if row is not None and not found:
                if holds(row.name, terms):
                    out.append(row._replace(unfolded=False))
                    continue
                found = self._matching_rows(store, terms, kept, room, f"{row.name} ")
            room -= sum(len(node.below()) if node.below and node.unfolded else 1 for node in found)
            if row is None:
                out += found
            elif found or row.at in kept:
                out.append(row._replace(below=partial(list, found), unfolded=True))
            if room <= 0:
                break
        return out

    def _store(self, store: OpenStore) -> Node:
        told = [each for (agent, _), its in self._told.items() if agent is store for each in its]
        beside, placed = [entry for each in told for entry in each.entries], self._placed.get(store, [])
        shared = [entry for entry in (store.catalog.shared if store.catalog else ()) if entry not in placed]
        catalog = store.catalog._replace(shared=(*shared, *beside)) if store.catalog else None
        gone = _AgentFiles(store, "", placed)
        waiting = wording.row_mark(signs.OTHERS, len(store.unreviewed) - gone.waiting + sum(each.waiting for each in told))
        is_found = store.checkup.count > gone.found or any(each.found for each in told)
        waiting += wording.row_mark(signs.LOOK, is_found, count=False)  # the strip counts those of one memory
        facts = wording.facts_of_store(catalog, self._now_ns(), store.wipes) if catalog else ""
        problem = _problem(store)
        is_double = sum(each.title == store.title for each in self.listed) > 1
        name = f"{waiting}{store.title}{f' {visible_line(printable_path(self._place(store)))}' if is_double else ''}"
        below, keys = partial(self._store_rows, store), [each.store.key for each in told]
        return Node(At(store.key), name, facts, False, bool(problem), below, store is self.listed[0], told=keys)

    def _place(self, store: OpenStore) -> str:
        """Where a store is, without the end that those of its title have in common: a narrow tree shows the end alone."""
        parts = shortened(store.session.root).split("/")
        others = [
            shortened(each.session.root).split("/") for each in self.listed if each.title == store.title and each is not store
        ]
        while len(parts) > 1 and others and all(len(own) > 1 and own[-1] == parts[-1] for own in others):
            parts, others = parts[:-1], [own[:-1] for own in others]
        return "/".join(parts)

    def _store_rows(self, store: OpenStore) -> list[Node]:
        """Global files, then the groups; the current folder's group comes first, even if it has no files yet."""
        return [*self._files(store, ""), *(self._group(store, project) for project in self._ordered(store))]

    def _group(self, store: OpenStore, project: ProjectEntry) -> Node:
        told = self._told.get((store, project.slug), [])
        counts = store.checkup.counts
        found = sum(counts.get(entry.ref.path, 0) for entry in project.files) if counts else 0
        found += sum(each.found for each in told)
        waiting = self._waiting[store.key][project.slug] + sum(each.waiting for each in told)
        marks = wording.row_mark(signs.OTHERS, waiting) + wording.row_mark(signs.LOOK, found)
        wrong = _index_problems(store, project.files)
        if told:
            project = project._replace(files=(*project.files, *self.beside(store, project.slug)))
        name, here = marks + label_of_group(store, project.slug), project.slug == store.session.project
        facts, brief = (wording.facts_of_project(project, self._now_ns(), brief=each) for each in (False, True))
        wrong = wrong.removeprefix(f"{signs.LOOK} ") if found else wrong
        at, unfolded = At(store.key, project.slug), here and len(project.files) <= MOST_OF_PROJECT
        keys = [each.store.key for each in told]
        return Node(at, name, facts, here, False, lambda: self._files(store, project.slug), unfolded, brief, wrong, None, keys)

    def _ordered(self, store: OpenStore) -> list[ProjectEntry]:
        """The groups of a store, and those of folders of which it has instructions alone."""
        found = _ordered(store)
        known = {"", *(project.slug for project in found)}
        alone = sorted(group for agent, group in self._told if agent is store and group not in known)
        return [*found, *(ProjectEntry(group, ()) for group in alone)]

    def _held(self, store: OpenStore, group: str) -> list[tuple[OpenStore, FileEntry]]:
        """The files listed in a group (empty: global ones) with their stores: instructions first."""
        told = [(each.store, entry) for each in self._told.get((store, group), ()) for entry in each.entries]
        placed = () if group else self._placed.get(store, ())
        return [*told, *((store, entry) for entry in _entries(store, group) if entry not in placed)]

    def beside(self, store: OpenStore, group: str) -> list[FileEntry]:
        """The instruction files listed with the files of a group."""
        return [entry for each in self._told.get((store, group), ()) for entry in each.entries]

    def _files(self, store: OpenStore, group: str) -> list[Node]:
        return [self._file(*each) for each in self._held(store, group)]

    def _file(self, store: OpenStore, entry: FileEntry) -> Node:
        mark = wording.row_mark(signs.OTHERS, entry.ref in store.unreviewed, count=False)
        wrong = _UNREAD if is_unread(store.session.layout, entry.ref) else listing_mark(store.listed(entry.ref))
        wrong = "" if entry.problem else wrong  # nothing counts more than that it cannot be read
        mark += wording.row_mark(signs.LOOK, store.checkup.count_of(entry.ref) and not wrong, count=False)
        name = f"{mark}{self._name(store, entry)}"
        at = At(store.key, entry.ref.project, entry.ref)
        facts, brief = wording.facts_of_file(entry, self._now_ns()), f"{wording.age(entry.modified_ns, self._now_ns()):>4}"
        return Node(at, name, wrong or facts, warn=bool(entry.problem or entry.missing or wrong), brief=brief)

    def _name(self, store: OpenStore, entry: FileEntry) -> str:
        whose = " for all projects" if store in self._for_all else ""
        return f"{wording.name_of(entry.ref)}{whose or titles.for_all(entry.ref, store.session)}"

    def _matching_rows(
        self, store: OpenStore, wanted: Sequence[bytes], kept: Collection[At], room: int, above: str = ""
    ) -> list[Node]:
        """The rows of a store that are `kept` or whose names contain all words; `above` are the words of the rows above them."""

        def fits(held: tuple[OpenStore, FileEntry], label: str) -> bool:
            return holds(label, wanted) or At(held[0].key, held[1].ref.project, held[1].ref) in kept

        out = [self._file(*each) for each in self._held(store, "") if fits(each, above + self._name(*each))]
        count = len(out)
        for project in self._ordered(store):
            if count >= room:
                break
            node = self._group(store, project)
            label = f"{above}{project.slug} {label_of_group(store, project.slug)}"
            if self._folders is not None:
                label += f" {shortened(store.folders.get(project.slug, ''))}"
            if holds(label, wanted):
                out.append(node)
                count += 1
                continue
            found = [each for each in self._held(store, project.slug) if fits(each, f"{label} {wording.name_of(each[1].ref)}")]
            if found or node.at in kept:
                rows = [self._file(*each) for each in found[: room - count]]
                out.append(node._replace(below=partial(list, rows), unfolded=True))
                count += len(found)
        return out

    def _by_folder(self, folders: Sequence[str]) -> list[Node]:
        from zsmem_tui.service.folders import StoreGroups, by_folder  # deferred: imports every kind of store

        groups = [
            StoreGroups(store.session, [project.slug for project in _ordered(store) if project.files], store.folders)
            for store in self.listed
        ]
        out = []
        for number, memory in enumerate(by_folder(groups, folders)):
            parts = [
                _AgentFiles(self.listed[part.store], part.group, _entries(self.listed[part.store], part.group))
                for part in memory.parts
            ]
            entries = [entry for part in parts for entry in part.entries]
            is_here = not number and bool(folders)
            label = memory.label
            if not memory.path:  # a group of a single store, shown by its name there
                label = label_of_group(parts[0].store, parts[0].group) if parts[0].group else "For everybody"
            name = visible_line(printable_path(shortened(label)) if memory.path else label)
            facts = wording.facts_of_files(entries, self._now_ns()) if entries else "empty"
            waiting = sum(entry.ref in part.store.unreviewed for part in parts for entry in part.entries)
            name = wording.row_mark(signs.OTHERS, waiting) + name
            at = At("", folder=memory.path or f"\0{memory.label}")
            first = next((At(part.store.key, part.group, folder=at.folder) for part in parts if part.entries), at)
            out.append(Node(at, name, facts, is_here, below=partial(self._agent_rows, parts), unfolded=is_here, first=first))
        return out

    def _agent_rows(self, parts: Sequence[_AgentFiles]) -> list[Node]:
        """A row per agent that remembers something of a folder; unfolded if these are few files in total."""
        out = []
        little = sum(len(part.entries) for part in parts) <= MOST_UNFOLDED
        for store, group, entries in parts:
            if entries:
                rows = [self._file(store, entry) for entry in entries]
                facts = wording.facts_of_files(entries, self._now_ns())
                wrong = _index_problems(store, entries)
                out.append(Node(At(store.key, group), store.title, facts, below=partial(list, rows), unfolded=little, hidden=wrong))
        return out


def _memories_beside(told: OpenStore, agents: Sequence[OpenStore]) -> list[tuple[OpenStore, str]]:
    """The agents and the groups (empty: global files) of the folder of instructions: those that have memory of it come first."""
    root = told.session.root
    for agent in agents:
        if _is_global(told, agent):
            return [(agent, "")]
    found = [(agent, agent.group_beside(told)) for agent in agents if root in (agent.session.folder, *agent.folders.values())]
    if agents[1:]:  # what is of a single folder is not for everybody
        found = [each for each in found if each[1] != EVERYBODY]
    full = [each for each in found if any(each[1] in ("", project.slug) for project in _ordered(each[0]) if project.files)]
    return [(agent, "" if group == EVERYBODY else group) for agent, group in dict.fromkeys((*full, *found))]


def _is_global(told: OpenStore, agent: OpenStore) -> bool:
    """Whether instructions are those of an agent for all folders, beside its memory."""
    return told.session.root == os.path.dirname(agent.session.root)


def label_of_group(store: OpenStore, group: str) -> str:
    """The name of a group in the tree: of a project its folder if known, with a mark for a moved or related project."""
    found = store.names.get(group)
    return f"{found.mark if found is not None else ''}{store.group_name(group)}"


def _index_problems(store: OpenStore, entries: Sequence[FileEntry]) -> str:
    """A short text on problems between the files and their index; empty if there are none."""
    return listing_marks([each for entry in entries for each in store.listed(entry.ref)]) if store.listing else ""


def listing_marks(found: Sequence[Notice]) -> str:
    """Summarise problems of several files: how many are not in the index, and the first other problem."""
    loose = sum(each.kind == _UNLISTED for each in found)
    rest = listing_mark([each for each in found if each.kind != _UNLISTED])
    if not loose:
        return rest
    return f"! {loose} not in index" + (f", {rest.removeprefix('! ').partition(', ')[0]}" if rest else "")


def listing_mark(found: Sequence[Notice]) -> str:
    """Summarise the problems of one file; empty if there are none."""
    if any(each.kind == _UNLISTED for each in found):
        return "! not in index"
    lost = sum(each.facts or each.count for each in found if each.kind == "lost-lines")
    parts = [f"{lost} lost"] if lost else []
    parts += [counted(count, word) for kind, word in LINKS.items() if (count := sum(each.kind == kind for each in found))]
    return f"! {', '.join(parts[:2])}" if parts else ""


def _problem(store: OpenStore) -> str:
    return store.catalog.problem if store.catalog else ""


def _entries(store: OpenStore, group: str) -> list[FileEntry]:
    """The files of a group (empty: the global ones) by role; logs newest first, others by name."""
    catalog = store.catalog
    project = None if catalog is None else catalog.project(group) if group else ProjectEntry("", catalog.shared)
    return [entry for role in _IN_ORDER for entry in project.of(role)] if project is not None else []


def _ordered(store: OpenStore) -> list[ProjectEntry]:
    catalog, own = store.catalog, store.session.project
    if catalog is None:
        return []
    rest = _families_together([project for project in catalog.projects if project.slug != own], store, own)
    if own == EVERYBODY and not catalog.project(own):
        return rest
    return [catalog.project(own) or ProjectEntry(own, ()), *rest]


def _families_together(projects: list[ProjectEntry], store: OpenStore, own: str) -> list[ProjectEntry]:
    """Sort projects of the same repository next to each other, at the place of the first one; `own`'s family comes first."""
    if not any(name.family for name in store.names.values()):
        return projects
    first: dict[str, int] = {}
    if own in store.names and store.names[own].family:
        first[store.names[own].family] = -1
    place = []
    for number, project in enumerate(projects):
        family = store.names[project.slug].family if project.slug in store.names else ""
        place.append((first.setdefault(family, number) if family else number, number))
    return [projects[number] for _, number in sorted(place)]
