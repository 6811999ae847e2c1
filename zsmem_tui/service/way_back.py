"""What goes back to where it came from: files as they were there, and texts that still stand in theirs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Held, Ours, Outgoing
from zsmem_tui.core.append import line_key
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.core.text import raw_lines
from zsmem_tui.service.export_sources import spots_of
from zsmem_tui.service.export_targets import Target, Targets
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.transfer.records import Imported, Original

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
        self._first = ours.held()
        self._now: list[Held | None] = [*self._first]
        self._from: dict[str, list[int]] = {}
        for at, each in enumerate(self._first):
            for path in dict.fromkeys((each.source, *each.also)):
                self._from.setdefault(path, []).append(at)
        self._writer = writer
        self._targets = targets
        self._used: set[tuple[str, str]] = set()

    def rest(self) -> Ours:
        """What is left."""
        now = {id(before): after for before, after in zip(self._first, self._now, strict=True)}
        return self._ours.changed(lambda each: now[id(each)])

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
        at = self._at(each.path, each.text)
        now = self._now[at] if at >= 0 else None
        there = self._where(each.file or each.source.partition(":")[0]) if now is not None else None
        if now is None or there is None or (there.spot, there.place) in self._used:
            return
        found = _back(each, now, self._targets.by_spot[there.spot], there)
        if found is not None:
            self.out.append(found)
            if not self._drop(each.path, each.text):
                self._now[at] = None

    def _stands(self, original: Original) -> bool:
        """Whether each text of a file is where it went, as it came."""
        return bool(original.parts or original.follows) and all(
            any(_without(self._first[at].text, part.text) is not None for at in self._from.get(part.path, ()))
            for part in original.parts
        )

    def _at(self, path: str, text: str) -> int:
        """Which of our texts is from a file and has these words, or else is from it; -1 where none is."""
        own = [(at, held) for at in self._from.get(path, ()) if (held := self._now[at]) is not None]
        return next((at for at, held in own if _without(held.text, text) is not None), own[0][0] if own else -1)

    def _drop(self, path: str, text: str) -> bool:
        """Take a text out of what is left; whether it was there."""
        at = self._at(path, text)
        now = self._now[at] if at >= 0 else None
        left = None if now is None else _without(now.text, text)
        if now is None or left is None:
            return False
        spots = spots_of(left, [(line, now.spot(number)) for number, line in enumerate(raw_lines(now.text))])
        self._now[at] = now._replace(text=left, spots=spots) if left.strip() else None
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
        return Outgoing(each.path, text, path=path, spot=spot, join=lambda _: None) if stands and is_in else None
    if not there.is_written:
        return None
    bare = text.removeprefix("- ")  # what went into a list was none there
    whole = [f"{each.head}{body}" for body in (text, f"{text}\n", text.rstrip("\n"), bare, f"{bare}\n")]
    exact = next((one for one in whole if digest_of(one.encode("utf-8", "surrogateescape")) == each.digest), None)
    if stands and exact is not None:
        return Outgoing(each.path, exact, path=path, spot=spot, is_written=True)
    if held.name and _is_note(each, held):
        return Outgoing(held.source, f"{each.head}{held.text}", path=path, spot=spot, is_written=True)
    return None


def _is_in(text: str, there: bytes) -> bool:
    """Whether a text is in a file of theirs: a line as a line or a paragraph of it, with whatever list mark, several as they stand.

    The heading of an entry of a log counts for nothing: it is ours.
    """
    known, text = (each.removeprefix("\ufeff").replace("\r\n", "\n") for each in (there.decode("utf-8", "surrogateescape"), text))
    wanted = _HEADING.sub("", text.strip())
    if "\n" in wanted:
        return wanted in known
    key = line_key(_MARK.sub("", wanted))
    paragraphs = (" ".join(each.split()) for each in known.split("\n\n"))
    return bool(key) and any(line_key(_MARK.sub("", each)) == key for each in (*raw_lines(known), *paragraphs))


def _is_note(each: Imported, held: Held) -> bool:
    """Whether a file of ours came from one of theirs as a whole: a note, not one entry of a day among others."""
    is_whole = each.source == each.file if each.file else ":" not in each.source
    return bool(each.head) and is_whole and not held.text.lstrip("\n").startswith("### ")
