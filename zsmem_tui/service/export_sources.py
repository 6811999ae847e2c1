"""Collect what is exported from a memory: facts, tasks, notes and logs of one group, and every file as it is.

What is left behind is computed by searching for these texts in the resulting files.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.outgoing import Held, Ours, Stays, Whole
from zsmem_tui.agents.places import visible
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.globs import Globs
from zsmem_tui.core.import_item import ImportItem, file_of, line_of, stem_of
from zsmem_tui.core.index_file import About
from zsmem_tui.core.layout import kept_folders
from zsmem_tui.core.left_lines import LeftLine, left_lines, says
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.names import free_name, note_stem
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, listed, printable_path, raw_lines, trim
from zsmem_tui.service import formats, import_reading
from zsmem_tui.service.export_targets import folder_of
from zsmem_tui.service.import_reading import Incoming
from zsmem_tui.service.import_targets import TargetFile
from zsmem_tui.service.plan import Policy, Row
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.transfer.sources import TreeRead

_MOST_NAMED: Final = 3
"""The most files that a sentence names."""

_LINK: Final = re.compile(r"\[\[([^\]|#]+)|\]\((?![a-z]+:)([^()\s#]+)\.md")
_MARK: Final = re.compile(r"\A[-*+] +")
_BETWEEN: Final = re.compile(r"[\W_]+")


def ours_of(session: Session, also: Globs = "") -> tuple[Ours, list[str]]:
    """What to export from the session's store and those read together with it, and sentences about unreadable files.

    It is read as an import from there would read it. Files matching `also` are exported although they stay by default. Instructions
    and archived files are among the whole files, but are not exported.
    """
    left: list[str] = []
    whole: list[Whole] = []
    items: list[ImportItem] = []
    originals: dict[str, bytes] = {}
    other: list[Stays] = []
    format = formats.of_agent(session.layout.kind)
    for of in (session, *session.beside):
        tree = TreeRead({}, {}, {})
        left += scan.unreadable(of.root, (*of.layout.global_folders(), *of.layout.project_folders(of.project)))
        for ref in _refs(of):
            raw = _raw_of(of, ref, left)
            if not raw:
                continue
            told = of.layout.lists.told(DiskTree(of.root), ref.path, raw)
            whole.append(Whole(_shown(session, of, ref.path), as_text(raw), told))
            if ref.role is not Role.INSTRUCTIONS:
                entry = DiskTree(of.root).entry(ref.path)
                tree.files[ref.path], tree.times_ns[ref.path] = raw, entry.modified_ns if entry else 0
        read = import_reading.of_store(of, format, tree)
        originals |= read.originals
        for path in tree.files.keys() - {each.file for each in read.items}:
            is_hidden = not visible(path)
            why = "its name begins with a dot" if is_hidden else f"{session.layout.title} keeps no memory for others in it"
            other.append(Stays(_shown(session, of, path), as_text(tree.files[path]), why))
        for each in read.items:
            file = _shown(session, of, each.file)
            items.append(each._replace(source=file + each.source.removeprefix(each.file), file=file))
    read = Incoming(format.name, session.root, tuple(items), originals)
    ours = as_ours(session, read, items, also=also)
    return ours._replace(whole=tuple(whole), stays=(*ours.stays, *sorted(other))), left


def of_files(session: Session, raws: Mapping[str, bytes]) -> Ours:
    """These files of a store, with the given content, as our own texts, including those that stay by default."""
    entries = {path: DiskTree(session.root).entry(path) for path in raws}
    tree = TreeRead(dict(raws), {path: entry.modified_ns if entry else 0 for path, entry in entries.items()}, {})
    read = import_reading.of_store(session, formats.of_agent(session.layout.kind), tree)
    return as_ours(session, read, read.items, also="*")


def _shown(session: Session, of: Session, path: str) -> str:
    """A file's name for display: its relative path in the session's own store, else its absolute path."""
    return path if of is session or not path else os.path.join(of.root, path)


def as_ours(session: Session, read: Incoming, items: Sequence[ImportItem], *, also: Globs = "") -> Ours:
    """Some items of what was read, as our own texts; those matching `also` are taken although they stay by default."""
    format = formats.of_agent(read.format)
    stays: list[Stays] = []
    texts: dict[tuple[Role, str], list[ImportItem]] = {}
    used: set[str] = set()
    for each in items:
        why = each.skip or ("" if also and import_reading.matches(each, also) else each.stays)
        if why:
            stays.append(Stays(each.source, each.text, why))
        else:
            name = each.name if each.role is Role.LOG else ""
            name = free_name(note_stem(stem_of(each.name)), used) if each.role is Role.NOTE else name
            texts.setdefault((each.role, name), []).append(each)
    late = session.now_ns()
    held = {at: _join_items(read, at[1], own)._replace(modified_ns=own[0].modified_ns or late) for at, own in texts.items()}
    notes, logs = (
        tuple(sorted((each for (role, _), each in held.items() if role is wanted), key=lambda each: each.name))
        for wanted in (Role.NOTE, Role.LOG)
    )
    files = dict.fromkeys((each.file, each.digest) for each in items if each.digest in read.originals)
    return Ours(
        session.project,
        folder_of(session),
        held.get((Role.FACTS, "")),
        held.get((Role.CHECKLIST, "")),
        notes,
        logs,
        is_shared=format.shares_facts,
        whole=tuple(Whole(file, as_text(read.originals[digest])) for file, digest in files),
        stays=tuple(stays),
        agent=format.title,
        of_person=frozenset(each.file or each.source for each in items if each.is_of_person),
    )


def _join_items(read: Incoming, name: str, own: Sequence[ImportItem]) -> Held:
    """Join the items for one text, as an import does; facts that are a whole file are taken verbatim."""
    file = TargetFile(None)
    parts: dict[str, list[str]] = {}
    lines: list[tuple[str, str]] = []
    for (source, digest), each in itertools.groupby(own, lambda item: (item.file or item.source, item.digest)):
        found, rows = list(each), list[str]()
        raw = read.file_of(found) if file.now is None else None
        if raw is not None:
            file.replace(raw)
        for item in found:
            if not file.has(item):
                file.put(item, Policy.MERGE)
            if item.role is not Role.NOTE:
                rows = rows or [_bare(row) for row in raw_lines(as_text(read.originals.get(digest, b"")))]
                lines += _lines(item, rows)
        parts.setdefault(source, []).append(as_text(raw) if raw is not None else "\n".join(item.as_written for item in found))
    first = own[0]
    is_whole = first.role is Role.NOTE and first.source == first.file
    source = first.source if first.role is Role.NOTE else first.file or first.source
    text = as_text(file.now or b"")
    return Held(
        source,
        name,
        text,
        about=first.described if is_whole else "",
        head=first.head if is_whole else "",
        spots=() if first.role is Role.NOTE else spots_of(text, lines),
        parts=tuple((source, "\n".join(own)) for source, own in parts.items()),
    )


def _lines(each: ImportItem, rows: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each line of an item with its `FILE:LINE`; with the item's source if it is not found in the file.

    `rows` are the lines of the file without list marks.
    """
    at = max(0, line_of(each.source) - 1)
    for line in raw_lines(each.as_written):
        wanted = _bare(line)
        row = next((row for row in range(at, len(rows)) if rows[row] == wanted), -1) if wanted else -1
        at = row + 1 if row >= 0 else at
        yield line, f"{each.file}:{row + 1}" if row >= 0 else each.source


def _bare(line: str) -> str:
    return _MARK.sub("", trim(line.lstrip("\ufeff")))


def spots_of(text: str, lines: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The `FILE:LINE` of each line of a text, from `lines` in the same order; empty for a line not among them."""
    out, at = [], 0
    for line in raw_lines(text):
        row = next((row for row in range(at, len(lines)) if trim(lines[row][0]) == trim(line)), -1) if trim(line) else -1
        at = row + 1 if row >= 0 else at
        out.append(lines[row][1] if row >= 0 else "")
    return tuple(out)


def _refs(session: Session) -> Iterator[MemRef]:
    """Every file of the group or for everybody, those at places where the agent does not look, then those archived by the user."""
    catalog = scan.scan(session.root, session.layout)
    group = catalog.project(session.project)
    listed = dict.fromkeys(entry.ref for entry in (*catalog.shared, *(group.files if group else ())))
    yield from listed
    paths = (path for of in dict.fromkeys(("", session.project)) for path in scan.unplaced(session.root, session.layout, of))
    yield from (ref for ref in map(session.ref_at, paths) if ref not in listed)
    for folder in kept_folders(session.layout, session.project):
        for name in files.list_names(os.path.join(session.root, folder.path)):
            if folder.holds(name):
                yield MemRef(f"{folder.path}/{name}", Role.INSTRUCTIONS)


def _raw_of(session: Session, ref: MemRef, left: list[str]) -> bytes:
    """The content of a file; empty if it is missing or unreadable, which is reported in `left`."""
    place = session.path(ref)
    try:
        session.refuse_link_out(ref)
        files.read_text(place)  # for its error about invalid UTF-8
        return files.read(place)[0]
    except StoreError as error:
        if os.path.lexists(place):
            left.append(error.message)
    return b""


def as_text(raw: bytes) -> str:
    """The text of a file; bytes that are none come back by encoding it the same way."""
    return raw.decode("utf-8", "surrogateescape")


def lines_left(whole: Iterable[Whole], rows: Iterable[Row]) -> tuple[LeftLine, ...]:
    """The lines of whole files that did not become part of what these rows made of them."""
    made: dict[str, dict[str, None]] = {}
    of_line: dict[str, dict[int, str]] = {}
    places: dict[str, dict[str, None]] = {}
    for row in rows:
        for source in (row.source, *row.also):
            for name in (source, file_of(source)):
                made.setdefault(name, {})[row.made] = None
                places.setdefault(name, {})[row.place] = None
            if number := line_of(source):
                of_line.setdefault(file_of(source), {})[number] = row.made
    out: list[LeftLine] = []
    for each in whole:
        own = of_line.get(each.source, {})
        for line in left_lines(each.source, each.text, [*made.get(each.source, ())], own):
            about = each.told.get(line.number)
            goals = places.get(about.path, ()) if about is not None else ()
            is_said = about is not None and bool(goals) and _is_said(about, goals, [*made[about.path]])
            out.append(line._replace(is_changed=True, loses_signs=False) if is_said else line)
    return tuple(out)


def _is_said(about: About, places: Iterable[str], texts: Sequence[str]) -> bool:
    """Whether a file's name and text in the target say already what an index says about it."""
    stem = stem_at(about.path)
    is_called_so = stem in "\n".join([*map(stem_at, places), *texts]) and _hyphenated(about.title) in _hyphenated(stem)
    return says(texts, about.rest) and (is_called_so or says(texts, about.title))


def broken_links(text: str, there: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence if a text links to files that have another name `there`, by their names here (`stem_at`); else none."""
    links = (link for _, line, outside in outside_code(raw_lines(text)) if outside for link in _LINK.finditer(line))
    names = dict.fromkeys(stem_at(trim(link[1] or link[2])) for link in links)
    gone = [name for name in names if there.get(name, name) != name]
    return (f"It links to what has another name there: {printable_path(listed(gone, _MOST_NAMED))}.",) if gone else ()


def stem_at(path: str) -> str:
    """The name of a file without its extension."""
    return os.path.basename(path).removesuffix(EXTENSION)


def _hyphenated(name: str) -> str:
    """A name in lower case with hyphens between and around its words."""
    return f"-{_BETWEEN.sub('-', name.casefold()).strip('-')}-"


ALL_GOES: Final = "Every line goes along."


def left_said(lines: Sequence[LeftLine], files_left: int = 0) -> str:
    """Sum up what is left behind in a sentence, or say that nothing is."""
    gone = [each for each in lines if not each.is_changed]
    sources = sorted({each.source for each in gone})
    where = printable_path(listed(sources, _MOST_NAMED))
    parts = [f"{counted(len(gone), 'line')} of {where}"] if gone else []
    parts += [f"{counted(files_left, 'file')} that cannot be read"] if files_left else []
    found = [f"left out: {' and '.join(parts)}"] if parts else []
    same, less = sum(each.is_kept for each in lines), sum(each.loses_signs for each in lines)
    ways = ((same, "in the same words, marked up otherwise"), (less, "without < and >, which may change what is said"))
    found += [f"{counted(count, 'line')} {'goes' if count == 1 else 'go'} along {how}" for count, how in ways if count]
    text = "; ".join(found)
    return f"{text[:1].upper()}{text[1:]}." if text else ALL_GOES
