"""What stands in the target already, and imported texts that return to their origin, whole files byte for byte."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Held, Ours, Outgoing, bare_facts, newer, stands
from zsmem_tui.core.append import in_lf, line_key
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.facts import facts
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.growth import extends
from zsmem_tui.core.import_item import file_of
from zsmem_tui.core.layout import find_ref, in_project
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.core.merge import merged_into
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import grouped, raw_lines
from zsmem_tui.core.tree import Tree
from zsmem_tui.service.export_sources import ours_of, spots_of
from zsmem_tui.service.export_targets import Target, Targets
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.transfer.records import Imported, Original, written

_HEADING: Final = re.compile(r"\A### [^\n]*\n+")
_MARK: Final = re.compile(r"\A\s*[-*+] +")


class Known(NamedTuple):
    """What earlier imports recorded: single texts, and files of which everything was imported."""

    items: tuple[Imported, ...] = ()
    files: tuple[Original, ...] = ()


def outgoing(ours: Ours, known: Known, writer: Format, targets: Targets, trees: Mapping[str, Tree]) -> list[Outgoing]:
    """What becomes of our texts: those that return to their origin or stand there already, then the rest.

    A file of which all texts are unchanged here is restored byte for byte. A text whose file still exists is left out of the
    export; if the file is gone, it is restored with the frontmatter around the text. What changed in a note here goes into the
    file that it came from, merged with what changed there since both were the same.
    """
    way = _WayBack(ours, writer, targets)
    mine = [each for each in known.files if each.format == writer.recorded_as]
    for original in way.in_order(mine):
        way.take_file(original)
    latest = {(item.path, item.origin): item for item in known.items if item.source == item.file}  # what both had last
    for item in known.items:
        if item.format == writer.recorded_as and latest.get((item.path, item.origin), item) is item:
            way.take_text(item)
    for spot, target in targets.by_spot.items():
        way.take_facts(spot, _facts_there(target))
    rest = way.rest()
    others = {held.source: held.also for held in rest.held()}
    return [*way.out, *(each._replace(also=others.get(each.source, ())) for each in writer.out(rest, targets.wish, trees))]


NOTHING_KNOWN: Final = Known()


class _Origin(NamedTuple):
    """The origin of a text: spot, path below its root, whether it is of the wanted group, and whether it is written by us."""

    spot: str
    place: str
    is_own: bool
    is_written: bool


class _WayBack:
    """Moves texts that return to their origin from our texts to `out`."""

    def __init__(self, ours: Ours, writer: Format, targets: Targets) -> None:
        self.out: list[Outgoing] = []
        self._ours = ours
        self._first = ours.held()
        self._notes = {id(each) for each in ours.notes}
        self._now: list[Held | None] = [*self._first]
        self._from = grouped((path, at) for at, each in enumerate(self._first) for path in dict.fromkeys((each.source, *each.also)))
        self._writer = writer
        self._targets = targets
        self._used: set[tuple[str, str]] = set()
        self._said: dict[str, Collection[str]] = {}

    def rest(self) -> Ours:
        """Our texts that do not return."""
        now = {id(before): after for before, after in zip(self._first, self._now, strict=True)}
        return self._ours.changed(lambda each: now[id(each)])

    def in_order(self, known: list[Original]) -> Iterator[Original]:
        """The originals that are unchanged here: the wanted group's first, and an index before the files that it lists."""
        whole = {each.file for each in known if self._is_unchanged(each)}
        standing = [each for each in known if each.file in whole and whole.issuperset(each.follows)]
        places = {each.file: self._origin_of(each.file) for each in standing}
        found = [(there, each) for each in standing if (there := places[each.file]) is not None and there.is_written]
        yield from (each for _, each in sorted(found, key=lambda pair: (not pair[0].is_own, not pair[1].follows)))

    def take_file(self, original: Original) -> None:
        """Return a file byte for byte. If it still exists there is nothing to do; if it changed, its texts return one by one."""
        there = self._origin_of(original.file)
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
        back = Outgoing(
            source, text, path=there.place, spot=there.spot, also=tuple(part.path for part in original.parts), is_original=True
        )
        self.out.append(back._replace(is_written=True) if now is None else back._replace(join=lambda _: None))
        for part in original.parts:
            self._drop(part.path, part.text)

    def take_text(self, each: Imported) -> None:
        """Return a single text whose file is not the original one any more."""
        at = self._index_of(each.path, each.text)
        now = self._now[at] if at >= 0 else None
        there = self._origin_of(each.file) if now is not None else None
        if now is None or there is None or (there.spot, there.place) in self._used:
            return
        is_note = id(self._first[at]) in self._notes and (each.source == each.file if each.file else ":" not in each.source)
        found = _returned_text(each, now, self._targets.by_spot[there.spot], there, is_note=is_note)
        if found is not None:
            self.out.append(found)
            if is_note or not self._drop(each.path, each.text):
                self._now[at] = None

    def take_facts(self, spot: str, there: Mapping[str, str]) -> None:
        """Leave out the facts that stand there already."""
        held = self.rest().facts
        if held is None or not there:
            return
        for source, fact in bare_facts(held):
            if fact.says in there and self._drop(file_of(source), fact.text):
                also = tuple(file for file in held.also if fact.says in self._said_in(file))
                self.out.append(Outgoing(source, fact.text, path=there[fact.says], spot=spot, join=stands, also=also))

    def _said_in(self, file: str) -> Collection[str]:
        """The words of the facts of a file of ours."""
        if file not in self._said:
            parts = (text for held in self._first for path, text in held.parts if path == file)
            self._said[file] = {fact.says for text in parts for fact in facts(text)}
        return self._said[file]

    def _is_unchanged(self, original: Original) -> bool:
        """Whether all texts of an original are unchanged in our files, a note as a whole."""
        return bool(original.parts or original.follows) and all(
            any(self._has(self._first[at], part.text) for at in self._from.get(part.path, ())) for part in original.parts
        )

    def _has(self, held: Held, text: str) -> bool:
        left = _without_lines(held.text, text)
        return left is not None and not (id(held) in self._notes and left.strip())

    def _index_of(self, path: str, text: str) -> int:
        """The index of our text that is from a file and contains these words, or else is from it; -1 if none."""
        own = [(at, held) for at in self._from.get(path, ()) if (held := self._now[at]) is not None]
        return next((at for at, held in own if _without_lines(held.text, text) is not None), own[0][0] if own else -1)

    def _drop(self, path: str, text: str) -> bool:
        """Remove a text from what is left; return whether it was there."""
        at = self._index_of(path, text)
        now = self._now[at] if at >= 0 else None
        left = None if now is None else _without_lines(now.text, text)
        if now is None or left is None:
            return False
        spots = spots_of(left, [(line, now.spot(number)) for number, line in enumerate(raw_lines(now.text))])
        is_left = split_frontmatter(left.encode("utf-8", "surrogateescape"))[1].strip()  # without a text, no note would be made
        self._now[at] = now._replace(text=left, spots=spots) if is_left else None
        return True

    def _origin_of(self, file: str) -> _Origin | None:
        """The place of a file in the target's memory; None if there is none."""
        came = self._writer.came_from(file)
        target = self._targets.by_spot.get(came.spot) if came is not None else None
        if came is None or target is None or target.problem:
            return None
        for candidate in (came.path, target.path_of(came.path), f"{target.layout.home_of(target.group)}/{came.path}"):
            ref = find_ref(target.layout, candidate)
            if ref is None:
                continue
            is_own = not ref.project or ref.project == target.group
            if not is_own:
                candidate = in_project(target.layout, candidate, target.group)
            return _Origin(came.spot, target.place(candidate), is_own, came.is_written)
        return None


Notes = Mapping[tuple[str, bytes], Sequence[str]]
"""Paths of notes, by their group and words."""


def notes_there(target: Target) -> Notes:
    """The notes that stand there, for everybody and of the group, by their words."""
    session, found = target.session, list[tuple[tuple[str, bytes], str]]()
    group = (not target.strip and target.group) or session.project
    folders = (*session.layout.global_folders(), *session.layout.project_folders(group))
    for path in (each.ref.path for folder in folders for each in scan.entries(session.root, folder)):
        ref = find_ref(target.layout, target.path_of(path))
        if ref is not None and ref.role is Role.NOTE:
            with suppress(StoreError):
                words = target.words(path, files.read_if_there(os.path.join(session.root, path)) or b"")
                found += [((ref.project, words), path)] if words else []
    return grouped(found)


def _facts_there(target: Target) -> dict[str, str]:
    """The file of each fact that an import takes out of the notes and indexes that stand there, by its words.

    What an export put there whole is left out: a new one takes its place.
    """
    if target.problem:
        return {}
    mine = {each.path for each in written(target.session.root) if each.is_whole}
    every = ((fact.says, file_of(source)) for source, fact in bare_facts(ours_of(target.session)[0].facts))
    roles = (Role.NOTE, Role.INDEX)
    return {says: path for says, path in every if path not in mine and target.session.ref_at(path).role in roles}


def _without_lines(text: str, lines: str) -> str | None:
    """A text without these lines; None if it does not contain them."""
    left = without_lines(text.encode("utf-8", "surrogateescape"), lines.encode("utf-8", "surrogateescape"))
    return None if left is None else left.decode("utf-8", "surrogateescape")


def _returned_text(each: Imported, held: Held, target: Target, there: _Origin, *, is_note: bool) -> Outgoing | None:
    """One text to return; None if it is exported like any other.

    If it `is_note`, a complete one that was a file, its changes are merged with what is there.
    """
    text, path, spot = each.text, there.place, there.spot
    is_here = _without_lines(held.text, text) is not None
    try:
        now = files.read_if_there(os.path.join(target.session.root, path))
    except StoreError:
        return None
    bare = text.removeprefix("- ")  # the list mark was added by the import
    whole = [f"{each.head}{body}" for body in (text, f"{text}\n", text.rstrip("\n"), bare, f"{bare}\n")]
    exact = next((one for one in whole if digest_of(one.encode("utf-8", "surrogateescape")) == each.digest), None)
    base = (exact or whole[0]).encode("utf-8", "surrogateescape").removeprefix(BOM_UTF8)
    back = _as_file(each, held, base)._replace(path=path, spot=spot)
    if now is not None and there.is_written and is_note:
        return _merged(back, base, now)
    if now is not None:
        is_in = (bool(each.digest) and digest_of(now) == each.digest) or _is_in(text, now)
        return Outgoing(each.path, text, path=path, spot=spot, join=lambda _: None) if is_here and is_in else None
    if not there.is_written:
        return None
    if is_here and exact is not None and not (is_note and held.text.strip("\n") != text.strip("\n")):
        return Outgoing(each.path, exact, path=path, spot=spot, is_written=True)
    return back if is_note else None


def _merged(back: Outgoing, base: bytes, now: bytes) -> Outgoing:
    """A note that goes into the file that it came from, which was `base` when both were the same and is `now`."""
    mine = back.text.encode("utf-8", "surrogateescape")
    after = merged_into(now, base, mine)
    if after is None:
        return back._replace(record=None)
    is_newer = after == now and not extends(in_lf(mine), in_lf(now.removeprefix(BOM_UTF8)))
    return back._replace(join=newer if is_newer else lambda _: after)


def _as_file(each: Imported, held: Held, base: bytes) -> Outgoing:
    """A note as it would be in the file that it came from, with the frontmatter and blank lines that `base` has around it.

    Frontmatter that it has here alone stays here.
    """
    raw, head = (text.encode("utf-8", "surrogateescape") for text in (held.text, each.head.removeprefix("\ufeff")))
    was, words = base.removeprefix(head), split_frontmatter(raw)[1]
    own = words.lstrip(b"\n") if words != raw and not split_frontmatter(was)[0] else raw
    lead, end = was[: len(was) - len(was.lstrip(b"\n"))], was[len(was.rstrip(b"\n")) :]
    whole = head + lead + own.removeprefix(BOM_UTF8).strip(b"\n") + end
    record = each._replace(text=own.decode("utf-8", "surrogateescape"), digest=digest_of(whole), key="")
    return Outgoing(held.source, whole.decode("utf-8", "surrogateescape"), is_written=True, record=record)


def _is_in(text: str, there: bytes) -> bool:
    """Whether a file contains a text: one line as a line or paragraph with any list mark, several lines verbatim.

    The heading of a log entry is ignored, since the import added it.
    """
    known, text = (each.removeprefix("\ufeff").replace("\r\n", "\n") for each in (there.decode("utf-8", "surrogateescape"), text))
    wanted = _HEADING.sub("", text.strip())
    if "\n" in wanted:
        return wanted in known
    key = line_key(_MARK.sub("", wanted))
    paragraphs = (" ".join(each.split()) for each in known.split("\n\n"))
    return bool(key) and any(line_key(_MARK.sub("", each)) == key for each in (*raw_lines(known), *paragraphs))
