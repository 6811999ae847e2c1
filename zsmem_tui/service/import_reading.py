"""Read another agent's memory for an import: find it, select, and parse it into items. Read once, planned often."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.agents.fact_lines import taken_apart
from zsmem_tui.agents.format import Format, Opened, Source, text_of
from zsmem_tui.agents.markdown_files import facts, whole_file
from zsmem_tui.config import locate
from zsmem_tui.core.append import line_key
from zsmem_tui.core.errors import BadContent, BadTarget, Missing
from zsmem_tui.core.globs import Globs, matches_any
from zsmem_tui.core.growth import grown
from zsmem_tui.core.import_item import ImportItem, file_of, line_of, stem_of
from zsmem_tui.core.layout import find_ref, named_role
from zsmem_tui.core.line_changes import lines_of
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import grouped, printable_path, raw_lines, trim
from zsmem_tui.service import formats
from zsmem_tui.service.known_folders import known_folders, machine
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import machine_at
from zsmem_tui.store import project_register
from zsmem_tui.store.disk.files import digest_of, read_head
from zsmem_tui.store.disk.listing import DiskHeads
from zsmem_tui.store.disk.places import overlap
from zsmem_tui.store.transfer import records, sources
from zsmem_tui.store.transfer.records import Written
from zsmem_tui.store.transfer.sources import TreeRead

_LONGEST_SETTING: Final = 256 * 1024
"""The most bytes read of an agent's settings."""

_NOTHING: Final = "Nothing was imported."


class Choice(NamedTuple):
    """What to take from a memory; empty fields: everything. `only` are patterns for the sources of items, `group` whose memory it
    is, with or without its kind, `user` a user in addition, `section` a section that the format offers. Notes whose source matches
    `as_facts` are split into facts, line by line; what belongs together stays a note.
    """

    only: Globs = ""
    group: str = ""
    user: str = ""
    section: str = ""
    as_facts: Globs = ""


class Incoming(NamedTuple):
    """What was read: the format's name, the folder, the selected items, and the content of their files by digest."""

    format: str
    place: str
    items: tuple[ImportItem, ...]
    originals: Mapping[str, bytes] = MappingProxyType({})

    def file_of(self, own: Sequence[ImportItem]) -> bytes | None:
        """The content of the file if these facts are all of its non-blank lines; else None."""
        if not own:
            return None
        from_one = {(each.digest, each.role) for each in own}
        raw = self.originals.get(own[0].digest) if from_one == {(own[0].digest, Role.FACTS)} else None
        # compared with byte order mark and carriage returns, since facts of another kind lose these and would not be found again
        text = text_of(raw or b"")[0] if own[0].to else (raw or b"").decode("utf-8", "surrogateescape")
        own_lines = [line for each in own for line in raw_lines(each.as_written)]
        return raw if list(filter(trim, own_lines)) == list(filter(trim, raw_lines(text))) else None


def read(
    session: Session,
    format: Format,
    path: str = "",
    choice: Choice | None = None,
    *,
    by_file: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
) -> Incoming:
    """Read the items of the memory at `path`, or of the project there (default: the agent's place for this folder).

    `by_file`: those of a memory of the store's own kind are its files as they are.

    Raises `Missing`, `BadTarget`, `BadContent` or `StoreError`.
    """
    wanted = choice or Choice()
    if wanted.section and not format.has_sections:
        raise BadTarget(f"A {format.name} memory has no sections to pick. {_NOTHING}")
    if "\0" in path:
        raise BadTarget(f"A folder's name cannot hold a NUL byte. {_NOTHING}")
    on = machine(session)
    places = [os.path.normpath(locate.expanded(path))] if path else _own_places(session, format)
    found: list[ImportItem] = []
    originals: dict[str, bytes] = {}
    opened = [each for place in places for each in format.opened(place, on)]
    is_one, own = False, _places_of_project(format, places[0]) if path else ""
    is_plain = not any(each.root or each.prefix for each in opened)
    for each in opened if not (own and is_plain) else ():  # a project's own Markdown is no memory
        if overlap(place := os.path.join(each.folder, each.name) if each.name else each.folder, session.root):
            raise BadTarget(
                f"{printable_path(place)} is, or holds, or lies in the store itself. {_NOTHING}",
                "Move or copy its files to another project in the tree, or merge two projects in Projects.",
            )
        items = _items(session, format, each, wanted, originals, cancelled)
        is_one = is_one or items is not None
        found += items or []
    if not is_one and own:
        return read(session, format, own, choice, by_file=by_file, cancelled=cancelled)
    if not is_one:
        where = printable_path(opened[0].folder)
        raise BadTarget(f"{where} is no {format.name} memory: nothing in it looks like one. {_NOTHING}")
    if by_file and format.name == session.layout.kind:
        out = {(each.place, each.source) for each in _sent(session, found, originals)}
        apart = {each.file for each in found if matches(each, wanted.as_facts)}
        found = _as_files(session, format, found, originals, apart, out)
    kept = [each for each in found if not any(wanted.only) or matches(each, wanted.only)]
    kept = of_group(kept, wanted)
    if wanted.as_facts:
        kept = [part for each in kept for part in (_as_facts(each) if matches(each, wanted.as_facts) else [each])]
    wanted_files = {each.digest for each in kept}
    raws = {digest: raw for digest, raw in originals.items() if digest in wanted_files}
    sent = {(each.place, each.source): each for each in _sent(session, kept, raws)}
    return Incoming(format.name, places[0], tuple(sent.get((each.place, each.source), each) for each in kept), raws)


def _sent(session: Session, items: Iterable[ImportItem], raws: Mapping[str, bytes]) -> Iterator[ImportItem]:
    """The items that an export from this store put there and that are still in it, marked as such.

    An item of which not every line was put there has its text as it stands there, or is an entry of a log.
    """
    root = os.path.realpath(session.root)

    @cache
    def exported(home: str) -> dict[str, list[Written]]:
        return grouped((os.path.join(home, each.path), each) for each in records.written(home) if each.origin == root)

    numbered = ((max(0, line_of(each.source) - 1), each) for each in items)
    by_file = grouped(((each.place, each.digest), (number, each)) for number, each in numbered)
    for (place, digest), own in by_file.items():
        sent = next((there[place] for home in PurePath(place).parents if place in (there := exported(str(home)))), [])
        froms = grouped((file_of(each.source), each.text) for each in sent)
        still = {path: texts for path, texts in froms.items() if os.path.lexists(os.path.join(root, path))}
        raw = raws.get(digest, b"")
        lines = raw_lines(raw.decode("utf-8", "surrogateescape"))
        known = {number for texts in still.values() for text in texts for number in lines_of(raw, text)}
        keys = {path: _keys(b"\n".join(texts).decode("utf-8", "surrogateescape")) for path, texts in still.items()}
        starts = sorted({start for start, _ in own})
        ends = dict(zip(starts, [*starts[1:], len(lines)], strict=True))
        for start, item in own if still else ():
            within = [at for at in range(start, ends[start] if item.source != item.file else len(lines)) if lines[at].strip()]
            stands, added = ({line_key(lines[at]) for at in numbers} for numbers in (within, {*within} - known))
            told = _keys(item.text)
            is_ours = not known.isdisjoint(within) and added.isdisjoint(told)
            ours = {line_key(lines[at]) for at in known.intersection(within)} - {""}
            if item.role is Role.LOG and not is_ours:
                entry = "\n".join(lines[at] for at in within).encode("utf-8", "surrogateescape")
                was = next((text for texts in still.values() for text in texts if grown(text, entry) is not None), b"")
                ours |= _keys(was.decode("utf-8", "surrogateescape"))
            if is_ours or (told and told <= stands) or (item.role is Role.LOG and ours):
                shared = {path: len(own & stands) for path, own in keys.items()}
                paths = tuple(path for path, count in shared.items() if count == max(shared.values()))
                rest = "\n".join(line for line in raw_lines(item.text) if line_key(line) not in ours)
                was = next((each.text for each in sent if each.is_whole and each.source in paths and item.source == item.file), b"")
                yield item._replace(
                    is_ours=is_ours,
                    sent_from=paths,
                    was=was.decode("utf-8", "surrogateescape"),
                    rest="" if is_ours or not ours else rest,
                )


def _keys(text: str) -> set[str]:
    return {*map(line_key, raw_lines(text))} - {""}


def of_store(session: Session, format: Format, tree: TreeRead) -> Incoming:
    """Parse files of the session's store as an import would: those of its group and those for everybody.

    Files of the group are parsed separately if possible, since then the store tells whose they are.
    """
    on, root = machine(session), session.root
    home = os.path.join(root, session.layout.home_of(session.project))
    own = {path for path in tree.files if os.path.join(root, path).startswith(f"{home}/")}
    parts: list[tuple[str, Collection[str]]] = [(home, own), (root, [path for path in tree.files if path not in own])]
    if not any(format.claims([each.prefix + path for path in _below(root, own, each.folder)]) for each in format.opened(home, on)):
        parts = [(root, list(tree.files))]
    found: list[ImportItem] = []
    originals: dict[str, bytes] = {}
    for folder, paths in parts:
        for each in format.opened(folder, on) if paths else ():
            names = {name: path for name, path in _below(root, paths, each.folder).items() if format.wants(each.prefix + name)}
            files = {name: tree.files[path] for name, path in names.items()}
            times = {name: tree.times_ns[path] for name, path in names.items()}
            shown = {each.prefix + name: path for name, path in names.items()}
            for item in _parsed(session, format, each, TreeRead(files, times, {}), Choice(), originals):
                path = shown.get(item.file, item.file)
                about = shown.get(item.about, item.about)
                found.append(item._replace(source=path + item.source.removeprefix(item.file), file=path, about=about))
    return Incoming(format.name, root, tuple(found), originals)


def _below(root: str, paths: Iterable[str], folder: str) -> dict[str, str]:
    """The paths below a root that lie in a folder, by their path relative to that folder."""
    places = {path: os.path.join(root, path) for path in paths}
    return {place.removeprefix(f"{folder}/"): path for path, place in places.items() if place.startswith(f"{folder}/")}


def matches(found: ImportItem, globs: Globs) -> bool:
    """Whether an item's source, with or without its line number, matches a glob pattern."""
    return matches_any(found.source, globs) or matches_any(found.source.partition(":")[0], globs)


def _items(
    session: Session,
    format: Format,
    opened: Opened,
    wanted: Choice,
    originals: dict[str, bytes],
    cancelled: Callable[[], bool],
) -> list[ImportItem] | None:
    """The items in a folder; None if it is no such memory. Adds the files to `originals`, by digest."""
    prefix = opened.prefix
    tree = sources.read(
        opened.folder,
        lambda path: format.wants(prefix + path),
        lambda path: format.enters(prefix + path),
        name=opened.name,
        links=format.reads_links,
        cancelled=cancelled,
    )
    if cancelled():
        raise BadContent(f"Stopped while reading. {_NOTHING}")
    if not format.claims([prefix + path for path in tree.files]) and not tree.problems:
        return None
    found = _parsed(session, format, opened, tree, wanted, originals)
    problems = tree.problems.items()
    return found + [ImportItem(prefix + name, Role.NOTE, stem_of(name), "", skip=reason) for name, reason in problems]


def _parsed(
    session: Session, format: Format, opened: Opened, tree: TreeRead, wanted: Choice, originals: dict[str, bytes]
) -> list[ImportItem]:
    """Parse files that were read into items, and add the files to `originals`."""
    source = _source(session, opened, tree, wanted)
    digests = {path: digest_of(raw) for path, raw in source.files.items()}
    originals.update((digests[path], raw) for path, raw in source.files.items())
    home = os.path.realpath(opened.folder)
    found = [_from_file(each, digests, home, opened.prefix, source.times_ns) for each in format.parse(source)]
    if wanted.section and not any(not each.skip for each in found):
        there = dict.fromkeys(each.group for each in format.parse(source._replace(section="")) if not each.skip)
        hint = f"Sections with items are {', '.join(map(printable_path, there))}." if there else "No section has items."
        raise BadTarget(f"There is no section {wanted.section!r} with items. {_NOTHING}", hint)
    return found


def _from_file(found: ImportItem, digests: Mapping[str, str], home: str, prefix: str, times_ns: Mapping[str, int]) -> ImportItem:
    """The item with its file; its source is the file's path, or that with `:LINE` or `#SECTION:LINE` appended."""
    ends = (at for at in range(len(found.source) - 1, 0, -1) if found.source[at] in ":#")
    names = (found.source, *(found.source[:at] for at in ends))
    file = next((name for name in names if name in digests), "")
    place = os.path.join(home, file.removeprefix(prefix)) if file else ""
    return found._replace(file=file, digest=digests.get(file, ""), place=place, modified_ns=times_ns.get(file, 0))


def _as_facts(found: ImportItem) -> list[ImportItem]:
    """Split a note into facts, and a note with the rest."""
    if found.role is not Role.NOTE or found.skip:
        return [found]
    apart = taken_apart(found.text)
    out = [
        found._replace(source=f"{found.source}:{fact.line}", role=Role.FACTS, name="", text=fact.text, listed=True)
        for fact in apart.facts
    ]
    return [*out, found._replace(text=apart.rest.strip("\n") + "\n")] if apart.has_rest or not out else out


def _source(session: Session, opened: Opened, tree: TreeRead, wanted: Choice) -> Source:
    def known() -> list[str]:
        registers = (project_register.load(root) for root in (session.root, opened.root) if root)
        recorded = (folder for found in registers for each in found.records.values() for folder in each.folders)
        return list(dict.fromkeys([*(each.folder for each in known_folders(session.folder)), *recorded]))

    return Source(
        {opened.prefix + path: raw for path, raw in tree.files.items()},
        {opened.prefix + path: when for path, when in tree.times_ns.items()},
        session.folder or locate.working_folder(),
        known,
        DiskHeads(opened.root) if opened.root else None,
        bool(opened.prefix),
        [raw for path in opened.beside if (raw := read_head(path, _LONGEST_SETTING, lambda found: False))],
        local=None,
        section=wanted.section,
    )


def has_group(found: Iterable[ImportItem], name: str) -> bool:
    """Whether any item belongs to the group with that name, with or without its kind."""
    return any(name in (each.group, each.group.partition(":")[2]) for each in found if each.group)


def of_group(found: list[ImportItem], wanted: Choice) -> list[ImportItem]:
    """The items of the wanted group and user. Raises `BadTarget` if there are none."""
    named = [each for each in (wanted.group, f"user:{wanted.user}" if wanted.user else "") if each]
    if not named:
        return found
    groups = dict.fromkeys(each.group for each in found if each.group)
    for name in named:
        if not has_group(found, name):
            hint = f"There are {', '.join(map(printable_path, groups))}." if groups else ""
            raise BadTarget(f"There is no group {printable_path(name)} in it. {_NOTHING}", hint)
    return [each for each in found if any(name in (each.group, each.group.partition(":")[2]) for name in named)]


def _own_places(session: Session, format: Format) -> list[str]:
    """The agent's existing places for this folder. Raises `Missing`."""
    on = machine(session)
    places = format.places(on)
    there = [
        place for place in places if os.path.exists(place) and any(os.path.isdir(at.folder) for at in format.opened(place, on))
    ]
    if there:
        return there
    looked = f" Looked for {printable_path(places[0])}." if places else ""
    raise Missing(
        "",
        f"No {format.name} memory was found for this folder.{looked} {_NOTHING}",
        "Name its folder; `zsmem import detect` says what there is.",
    )


def usual_places(session: Session, name: str) -> list[str]:
    """Where that agent keeps the memory of the session's folder, from which an import reads that names no place; those there."""
    return [place for place in formats.of_agent(name).places(machine(session)) if os.path.lexists(place)]


def _places_of_project(format: Format, folder: str) -> str:
    """Where the agent keeps the memory of a project's folder alone; empty if there is none."""
    wider = format.places(machine_at(os.path.dirname(folder)))
    own = (place for place in format.places(machine_at(folder)) if place not in (*wider, folder))
    return next(filter(os.path.isdir, own), "")


_IN_PROMPT: Final = (Role.FACTS, Role.INDEX)
_COPIED: Final = (*_IN_PROMPT, Role.CHECKLIST, Role.LOG, Role.NOTE)
_OF_DEFAULT: Final = (Role.FACTS,)  # all else of that kind is read as it is


def _as_files(
    session: Session,
    format: Format,
    items: Sequence[ImportItem],
    raws: Mapping[str, bytes],
    apart: Collection[str],
    sent: Set[tuple[str, str]],
) -> list[ImportItem]:
    """The items, with those of a file that has a place in this kind of store replaced by the file as it is.

    Of a file in the prompt, each line is an item. The files `apart` are left as they were read, and so are those with a text that
    went out from here, by (place, source) in `sent`, in which what was put around it would look like a change.
    """
    out: list[ImportItem] = []
    roles = _OF_DEFAULT if session.is_default else _COPIED
    for own in grouped(((each.place, each.file), each) for each in items).values():
        ref, raw = _ref_here(session, format, own[0].file), raws.get(own[0].digest)
        went = ref is not None and ref.role not in _IN_PROMPT and not sent.isdisjoint((each.place, each.source) for each in own)
        is_beside = any(each.role is Role.LOG for each in own) and ref is not None and ref.role is not Role.LOG
        is_note = ref is not None and ref.role is Role.INDEX and own[0].source == own[0].file  # it was not read by its lines
        is_left = went or is_beside or is_note or own[0].file in apart or not any(each.text for each in own)
        if ref is None or ref.role not in roles or raw is None or text_of(raw)[1] or is_left:
            out += own
        else:
            out += _copies(session, ref, raw, own)
    groups = {session.layout.group_of(each.to) for each in out if each.to}
    alike = {each for each in groups if owner(each) == owner(session.project)}
    of_some = {each.group for each in items if each.folder or not each.skip}  # a folder that nobody knows has its own name
    own_home = (alike if len(alike) > 1 else set()) | {each.group for each in items} - of_some
    for at, each in enumerate(out):
        if each.to and not each.folder:  # it names a project that has a home of its own, or the one that is open
            group = session.layout.group_of(each.to)
            out[at] = each._replace(project=group if group in own_home else "")
    return out


def owner(group: str) -> str:
    """The kind of owner in the name of a group."""
    return group.rpartition(":")[0]


def _ref_here(session: Session, format: Format, file: str) -> MemRef | None:
    """The place here of a file, as the format calls it: that in a whole store, or that in the session's memory."""
    came = format.came_from(file) if file else None
    if came is None:
        return None
    home = session.layout.home_of(session.project)
    return find_ref(session.layout, came.path) or (find_ref(session.layout, f"{home}/{came.path}") if home else None)


def _copies(session: Session, ref: MemRef, raw: bytes, own: Sequence[ImportItem]) -> Iterator[ImportItem]:
    """A file as one item; one with facts or an index by lines, of which each knows the line above it."""
    first, parts = own[0], tuple(each.as_written for each in own if not each.skip)
    bare = first._replace(to=ref.path, head="", about="", described="", skip="", listed=False, doubts=(), parts=())
    lines = raw_lines(text_of(raw)[0])
    if ref.role is Role.INDEX:
        for each in own:
            number = _number(each)
            text = "\n".join(lines[number - 1 : number + each.text.count("\n")])
            line = bare._replace(source=each.source, text=text, doubts=each.doubts, about=each.about, follows=_above(lines, number))
            yield line if each.skip else line._replace(parts=(each.as_written,))
    elif ref.role is Role.FACTS and named_role(session.layout, ref.project) is not Role.FACTS:
        for each in facts(first.file, raw):
            said = bare._replace(source=each.source, role=Role.FACTS, name="", text=each.text, doubts=each.doubts)
            yield said._replace(parts=parts, follows=_above(lines, _number(said)))
            parts = ()
    else:
        role = ref.role if ref.role in (Role.CHECKLIST, Role.LOG) else Role.NOTE
        whole = whole_file(first.file, raw, role, ref.name)
        doubts = tuple(dict.fromkeys([*(doubt for each in own for doubt in each.doubts), *whole.doubts]))
        yield bare._replace(
            source=first.file, role=role, name=ref.name, text=whole.text, skip=whole.skip, doubts=doubts, parts=parts
        )


def _number(found: ImportItem) -> int:
    return int(found.source.removeprefix(found.file)[1:])


def _above(lines: Sequence[str], number: int) -> str:
    """The line above that with this number, and the blank one between."""
    at = next((at for at in range(number - 2, -1, -1) if lines[at].strip()), -1)
    return "" if at < 0 else lines[at] + "\n" * (1 + (at < number - 2))
