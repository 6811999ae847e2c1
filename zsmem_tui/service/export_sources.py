"""What of a store goes out: facts, tasks, notes and logs of one group, without their dress; and every file as it stands.

What stays behind of these is looked up in the files as they would be: nobody has to say it, so nobody can forget to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.outgoing import Held, Ours, Whole
from zsmem_tui.agents.registry import KINDS
from zsmem_tui.core.constants import EXTENSION
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.import_item import stem_of
from zsmem_tui.core.layout import kept_folders
from zsmem_tui.core.left_lines import LeftLine, left_lines, says
from zsmem_tui.core.listed import About
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, raw_lines, trim_end
from zsmem_tui.service.export_targets import folder_of
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree

_LINE: Final = re.compile(r":\d+\Z")
_BETWEEN: Final = re.compile(r"[\W_]+")
_ENDINGS = (".markdown", ".md")


def ours_of(session: Session) -> tuple[Ours, list[str]]:
    """What goes out of the session's store, and of those that are read as one with it, and which files cannot, as sentences.

    Instructions and what a person has archived are named among the whole files, and go nowhere.
    """
    left: list[str] = []
    main, tasks = (session.layout.ref(role, session.project) for role in (Role.FACTS, Role.CHECKLIST))
    found: dict[Role, list[Held]] = {role: [] for role in (Role.FACTS, Role.CHECKLIST, Role.NOTE, Role.LOG)}
    whole: list[Whole] = []
    names: dict[Role, set[str]] = {Role.NOTE: set(), Role.LOG: set()}
    every = [(each, ref) for each in (session, *session.beside) for ref in _refs(each)]
    for of, ref in every:
        read = _held(of, ref, left, ref.path if of is session else of.path(ref))
        if read is None:
            continue
        text, held = read
        told = of.layout.lists.told(DiskTree(of.root), ref.path, text.encode("utf-8", "surrogateescape")) if of is session else {}
        whole.append(Whole(held.source, text, told=told))
        role = _goes_as(ref, tasks)
        if role is None or not held.text.strip():
            continue
        if role is Role.LOG and held.name in names[Role.LOG]:
            role, held = Role.NOTE, held._replace(name=stem_of(ref.path))
        if role is Role.NOTE:
            held = held._replace(name=_free(held.name, names[Role.NOTE]))
        names.setdefault(role, set()).add(held.name.casefold() if role is Role.NOTE else held.name)
        found[role].append(held)
    first = next((held for held in found[Role.FACTS] if main is None or held.source == main.path), None)
    notes, logs = (tuple(sorted(found[role], key=lambda held: held.name)) for role in (Role.NOTE, Role.LOG))
    agent = KINDS.get(session.layout.kind)
    is_of_one = agent is not None and bool(agent.folder_of(session.root))
    return Ours(
        session.project,
        folder_of(session),
        first,
        next(iter(found[Role.CHECKLIST]), None),
        notes,
        logs,
        more_facts=tuple(held for held in found[Role.FACTS] if held is not first),
        is_shared=main is not None and not main.project and not is_of_one,
        whole=tuple(whole),
        agent=session.layout.title,
    ), left


def _refs(session: Session) -> Iterator[MemRef]:
    """Every file that is everybody's, or of the group; then what a person has archived of it."""
    catalog = scan.scan(session.root, session.layout)
    group = catalog.project(session.project)
    yield from dict.fromkeys(entry.ref for entry in (*catalog.shared, *(group.files if group else ())))
    for folder in kept_folders(session.layout, session.project):
        for name in files.list_names(os.path.join(session.root, folder.path)):
            if folder.holds(name):
                yield MemRef(f"{folder.path}/{name}", Role.INSTRUCTIONS)


def _goes_as(ref: MemRef, tasks: MemRef | None) -> Role | None:
    """What a file is on its way out; None for one that goes nowhere."""
    match ref.role:
        case Role.INSTRUCTIONS:
            return None
        case Role.FACTS | Role.INDEX:
            return Role.FACTS
        case Role.CHECKLIST if tasks is not None and ref.path == tasks.path:
            return Role.CHECKLIST
        case Role.LOG:
            return Role.LOG
        case _:
            return Role.NOTE


def _held(session: Session, ref: MemRef, left: list[str], source: str) -> tuple[str, Held] | None:
    """A file as it stands, and as it goes out, called `source`; None for one that is empty, not there, or cannot be read."""
    place = session.path(ref)
    try:
        files.read_text(place)  # with its own words for what is no text
        raw, _ = files.read(place)
    except StoreError as error:
        if os.path.lexists(place):
            left.append(error.message)
        return None
    tree = DiskTree(session.root)
    bare = session.layout.dress.unwrapped(ref.path, raw)
    body = session.layout.lists.own_words(tree, ref.path, raw) if ref.role is Role.INDEX else bare.body
    entry = tree.entry(ref.path)
    name = ref.name or stem_of(_bare_name(ref.path))
    head = raw[: max(raw.rfind(body), 0)] if body and ref.role is not Role.INDEX else b""
    rows = () if body == raw else _rows(raw, body, len(head))
    held = Held(source, name, _text(body), entry.modified_ns if entry else 0, bare.about, _text(head), rows)
    return (_text(raw), held) if raw else None


def _rows(raw: bytes, body: bytes, skipped: int) -> tuple[int, ...]:
    """The row in a file of each line of what is left of it, behind as many bytes; lines keep their order."""
    rows: list[int] = []
    there = enumerate(trim_end(line) for line in raw_lines(_text(raw[skipped:])))
    before = raw[:skipped].count(b"\n")
    for line in raw_lines(_text(body)):
        row = next((row for row, each in there if each.lstrip("\ufeff") == trim_end(line).lstrip("\ufeff")), None)
        if row is None:
            break  # its dress is not lines of its own: then it is counted on
        rows.append(before + row)
    return tuple(rows)


def _bare_name(path: str) -> str:
    name = path.rpartition("/")[2]
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)


def _free(name: str, used: set[str]) -> str:
    """A name that no other note has, however it is spelled."""
    found, number = name, 2
    while found.casefold() in used:
        found, number = f"{name}-{number}", number + 1
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def lines_left(whole: Iterable[Whole], goes: Iterable[tuple[str, str]], after: Mapping[str, bytes | None]) -> tuple[LeftLine, ...]:
    """The lines of whole files that are nowhere afterwards.

    `goes` has each text that is there then, by its source, and where its file lies; `after` what files become, by place.
    """
    places: dict[str, dict[str, None]] = {}
    for source, place in goes:
        for name in (source, _LINE.sub("", source)):
            places.setdefault(name, {})[place] = None
    texts: dict[str, str] = {}

    def text(place: str) -> str:
        if place not in texts:
            texts[place] = _text((after[place] if place in after else _read(place)) or b"")
        return texts[place]

    out: list[LeftLine] = []
    for each in whole:
        there = dict.fromkeys(place for name in (each.source, *each.goes_as) for place in places.get(name, ()))
        for line in left_lines(each.source, each.text, [text(place) for place in there]):
            about = each.told.get(line.number)
            goals = places.get(about.path, ()) if about is not None else ()
            is_said = about is not None and bool(goals) and _is_said(about, goals, [text(place) for place in goals])
            out.append(line._replace(is_changed=line.is_changed or is_said))
    return tuple(out)


def _is_said(about: About, places: Iterable[str], texts: Sequence[str]) -> bool:
    """Whether a file says by itself, where it went, what an index says of it: it is called so, and its text has the rest."""
    stem = _stem(about.path)
    is_called_so = stem in "\n".join([*map(_stem, places), *texts]) and _called(about.title) in _called(stem)
    return says(texts, about.rest) and (is_called_so or says(texts, about.title))


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(EXTENSION)


def _called(name: str) -> str:
    """A name in words, whatever stands between them, each with a hyphen on both sides."""
    return f"-{_BETWEEN.sub('-', name.casefold()).strip('-')}-"


def left_said(lines: Sequence[LeftLine], files_left: int = 0) -> str:
    """What stays behind, counted, as a sentence; or that nothing does."""
    gone = [each for each in lines if not each.is_changed]
    parts = [f"{counted(len(gone), 'line')} of {counted(len({each.source for each in gone}), 'file')}"] if gone else []
    parts += [f"{counted(files_left, 'file')} that cannot be read"] if files_left else []
    found = [f"left out: {' and '.join(parts)}"] if parts else []
    changed = len(lines) - len(gone)
    found += [f"of {counted(changed, 'line')} only the words go along"] if changed else []
    text = "; ".join(found)
    return f"{text[:1].upper()}{text[1:]}." if text else "Nothing is lost: every line goes along."


def _read(place: str) -> bytes | None:
    try:
        return files.read_if_there(place)
    except StoreError:
        return None
