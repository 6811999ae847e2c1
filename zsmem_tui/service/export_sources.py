"""What of a store goes out: facts, tasks, notes and logs of one group, without their dress; and every file as it stands.

What stays behind of these is looked up in the files as they would be: nobody has to say it, so nobody can forget to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Held, Ours, Outgoing, Whole
from zsmem_tui.core.append import line_key
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.import_item import stem_of
from zsmem_tui.core.index_file import About
from zsmem_tui.core.layout import find_ref, kept_folders
from zsmem_tui.core.left_lines import LeftLine, left_lines, says
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, raw_lines, trim_end
from zsmem_tui.service.export_targets import Target, Targets, folder_of
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.transfer.records import Imported, Original

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
    agent = registry.kind(session.layout.kind)
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
        session.refuse_link_out(ref)
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
        for name in names_of(source):
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


def names_of(source: str) -> tuple[str, str]:
    """What the source of a row may be: a file, or a line of one."""
    return source, _LINE.sub("", source)


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


_HEADING: Final = re.compile(r"\A### [^\n]*\n+")
_MARK: Final = re.compile(r"\A\s*[-*+] +")


class Known(NamedTuple):
    """What is known of earlier imports into a store: single texts, and files of which everything came in."""

    items: tuple[Imported, ...] = ()
    files: tuple[Original, ...] = ()


def returning(ours: Ours, known: Known, writer: Format, targets: Targets) -> tuple[list[Outgoing], Ours]:
    """What goes back to where it came from, and what else there is.

    A file of which every text still stands here is made again byte for byte. A text whose file is still there stays out of the
    export; where the file is not there any more, it is made again with what stood around the text. A note that was changed here
    keeps what stood around it.
    """
    way = _WayBack(ours, writer, targets)
    mine = [each for each in known.files if each.format == writer.recorded_as]
    for original in way.in_order(mine):
        way.take_file(original)
    for item in known.items:
        if item.format == writer.recorded_as:
            way.take_text(item)
    return way.out, way.rest()


NOTHING_KNOWN: Final = Known()


class _There(NamedTuple):
    """Where something came from: the spot, the place below its root, whether it is of the group that is meant, and is written."""

    spot: str
    place: str
    is_own: bool
    is_written: bool


class _WayBack:
    """Takes out of what we have what goes back; `out` is that."""

    def __init__(self, ours: Ours, writer: Format, targets: Targets) -> None:
        self.out: list[Outgoing] = []
        self._ours = ours
        self._first = {each.source: each for each in ours.held()}
        self._held = dict(self._first)
        self._writer = writer
        self._targets = targets
        self._used: set[tuple[str, str]] = set()

    def rest(self) -> Ours:
        """What is left."""
        return self._ours.changed(lambda each: self._held.get(each.source))

    def in_order(self, known: list[Original]) -> Iterator[Original]:
        """Those that are here as they came: of the group that is meant first, an index before what it speaks of."""
        whole = {each.file for each in known if self._stands(each)}
        standing = [each for each in known if each.file in whole and whole.issuperset(each.follows)]
        places = {each.file: self._where(each.file) for each in standing}
        found = [(there, each) for each in standing if (there := places[each.file]) is not None and there.is_written]
        yield from (each for _, each in sorted(found, key=lambda pair: (not pair[0].is_own, not pair[1].follows)))

    def take_file(self, original: Original) -> None:
        """A file as it was there: nothing is to be done where it still is, and where it became another its texts go one by one."""
        there = self._where(original.file)
        if there is None or (there.spot, there.place) in self._used:
            return
        try:
            now = files.read_if_there(os.path.join(self._targets.by_spot[there.spot].session.root, there.place))
        except StoreError:
            return
        if now is not None and digest_of(now) != original.digest:
            return
        self._used.add((there.spot, there.place))
        source = original.parts[0].path if original.parts else original.file
        text = original.raw.decode("utf-8", "surrogateescape")
        back = Outgoing(source, text, path=there.place, spot=there.spot, also=tuple(part.path for part in original.parts))
        self.out.append(back._replace(is_written=True) if now is None else back._replace(join=lambda _: None))
        for part in original.parts:
            self._drop(part.path, part.text)

    def take_text(self, each: Imported) -> None:
        """One text, where its file is not the one that it was."""
        now = self._held.get(each.path)
        there = self._where(each.file or each.source.partition(":")[0]) if now is not None else None
        if now is None or there is None or (there.spot, there.place) in self._used:
            return
        found = _back(each, now, self._targets.by_spot[there.spot], there)
        if found is not None:
            self.out.append(found)
            if not self._drop(each.path, each.text):
                del self._held[each.path]

    def _stands(self, original: Original) -> bool:
        """Whether each text of a file is where it went, as it came."""
        return bool(original.parts or original.follows) and all(
            part.path in self._first and _without(self._first[part.path].text, part.text) is not None for part in original.parts
        )

    def _drop(self, path: str, text: str) -> bool:
        """Take a text out of what is left; whether it was there."""
        now = self._held.get(path)
        left = None if now is None else _without(now.text, text)
        if now is None or left is None:
            return False
        if left.strip():
            self._held[path] = now._replace(text=left)
        else:
            del self._held[path]
        return True

    def _where(self, file: str) -> _There | None:
        """Where a file of their memory lies; None where there is no such place."""
        came = self._writer.came_from(file)
        target = self._targets.by_spot.get(came.spot) if came is not None else None
        if came is None or target is None or target.problem:
            return None
        parts = came.path.split("/")
        for count in range(len(parts)):
            before, path = "/".join(parts[:count]), "/".join(parts[count:])
            if before and not f"/{target.session.root}".endswith(f"/{before}"):
                continue
            for candidate in (path, target.path_of(path), f"{target.layout.home_of(target.group)}/{path}"):
                ref = find_ref(target.layout, candidate)
                if ref is None:
                    continue
                is_own = not ref.project or ref.project == target.group
                if not is_own:
                    home = target.layout.home_of(ref.project)
                    candidate = f"{target.layout.home_of(target.group)}/{candidate.removeprefix(home + '/')}"
                return _There(came.spot, target.place(candidate), is_own, came.is_written)
        return None


def _without(text: str, lines: str) -> str | None:
    """A text without these lines of it; None where they are not in it."""
    left = without_lines(text.encode("utf-8", "surrogateescape"), lines.encode("utf-8", "surrogateescape"))
    return None if left is None else left.decode("utf-8", "surrogateescape")


def _back(each: Imported, held: Held, target: Target, there: _There) -> Outgoing | None:
    """One text on its way back; None where it goes out like any other."""
    text, path, spot = each.text, there.place, there.spot
    stands = _without(held.text, text) is not None
    try:
        now = files.read_if_there(os.path.join(target.session.root, path))
    except StoreError:
        return None
    if now is not None:
        is_in = (bool(each.digest) and digest_of(now) == each.digest) or _is_in(text, now)
        return Outgoing(held.source, text, path=path, spot=spot, join=lambda _: None) if stands and is_in else None
    if not there.is_written:
        return None
    bare = text.removeprefix("- ")  # what went into a list was none there
    whole = [f"{each.head}{body}" for body in (text, f"{text}\n", text.rstrip("\n"), bare, f"{bare}\n")]
    exact = next((one for one in whole if digest_of(one.encode("utf-8", "surrogateescape")) == each.digest), None)
    if stands and exact is not None:
        return Outgoing(held.source, exact, path=path, spot=spot, is_written=True)
    if held.name and _is_note(each, held):
        return Outgoing(held.source, f"{each.head}{held.text}", path=path, spot=spot, is_written=True)
    return None


def _is_in(text: str, there: bytes) -> bool:
    """Whether a text is in a file of theirs: a line as a line of it, with whatever list mark, several lines as they stand.

    The heading of an entry of a log counts for nothing: it is ours.
    """
    known = there.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    wanted = _HEADING.sub("", text.strip())
    if "\n" in wanted:
        return wanted in known
    key = line_key(_MARK.sub("", wanted))
    return bool(key) and any(line_key(_MARK.sub("", line)) == key for line in raw_lines(known))


def _is_note(each: Imported, held: Held) -> bool:
    """Whether a file of ours came from one of theirs as a whole: a note, not one entry of a day among others."""
    is_whole = each.source == each.file if each.file else ":" not in each.source
    return bool(each.head) and is_whole and not held.text.lstrip("\n").startswith("### ")
