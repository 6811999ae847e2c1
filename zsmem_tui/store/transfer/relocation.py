"""Taking the memory of projects to other places of one store: byte for byte where nothing lies, merged where something does.

Everything is in its new place before anything leaves the old one, so that whatever happens between, nothing is in neither. What an
agent writes into the old place meanwhile is taken along, again and again; what still comes then stays and is said. What is undone
gets its folders back, empty ones too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import MemError, Missing, WriteFailed
from zsmem_tui.core.layout import Layout, find_ref
from zsmem_tui.core.merge import Merged, merge
from zsmem_tui.core.project_merge import Home, merged_lines, merged_log, moved_path
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import interrupted, step_record
from zsmem_tui.store.disk import files, folders
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.step_record import Moved
from zsmem_tui.store.steps import Batch

_ROUNDS: Final = 6
"""Times that a place is looked at again for what came meanwhile. Only somebody who writes without a pause fills them all."""

_FAILED: Final = "Nothing was moved."
_OURS: Final = ".zsmem-"
"""What the names of our own temporary files have in them."""


class Fate(StrEnum):
    """What becomes of a file that moves."""

    MOVED = "moved"
    MERGED = "merged"
    ONCE = "once"
    """The same bytes are there already."""
    BESIDE = "beside"
    """Another text has its name there: it gets a name of its own."""


class Planned(NamedTuple):
    """A file and where it goes."""

    path: str
    to: str
    fate: Fate
    size: int


class PlannedText(NamedTuple):
    """The same with the text of the file that it lands in, before (None: there is none) and after."""

    file: Planned
    before: bytes | None
    after: bytes


class Relocated(NamedTuple):
    """What was done; `carried` has the new path of each file that went.

    `stays` are files that were still written when all was done; not `lasting`: somebody writes over it.
    """

    files: tuple[Planned, ...]
    carried: dict[str, str]
    stays: tuple[str, ...] = ()
    lasting: bool = True


def plan(root: str, layout: Layout, homes: Sequence[Home]) -> list[Planned]:
    """What would go where. Raises `StoreError` where something cannot be read, or is no ordinary file."""
    return [each.file for each in plan_texts(root, layout, homes)]


def plan_texts(root: str, layout: Layout, homes: Sequence[Home]) -> Iterator[PlannedText]:
    """The same, with what each file would lie in before and after. Raises what `plan` raises."""
    planned: dict[str, bytes] = {}
    for path in _waiting(root, homes):
        raw = files.read(os.path.join(root, path))[0]
        to, fate, text = _goal(root, layout, moved_path(homes, path), raw, planned)
        before = planned[to] if to in planned else files.read_if_there(os.path.join(root, to))
        planned[to] = text
        yield PlannedText(Planned(path, to, fate, len(raw)), before, text)


def files_of(root: str, home: str) -> list[str]:
    """Every file of a project. Raises `WriteFailed` where something is no ordinary file, or cannot be listed."""
    return _waiting(root, [Home(home, "")])


def relocate(root: str, layout: Layout, homes: Sequence[Home], recorder: Recorder) -> Relocated:
    """Do it, as one step. Raises `StoreError`: nothing has changed then, or the sentence says what has."""
    wanted = plan(root, layout, homes)
    moved = Moved(tuple(_made(root, wanted)), tuple(_folders(root, homes)), {})
    carried: dict[str, tuple[str, bytes]] = {}
    lasting = True
    try:
        lasting = _round(root, layout, homes, recorder, carried, moved)
    except MemError:
        step_record.drop(recorder.batch)
        raise
    with contextlib.suppress(MemError):  # what comes later and cannot be taken along stays, and is said
        for _ in range(_ROUNDS):
            if not _waiting(root, homes):
                break
            lasting = _round(root, layout, homes, recorder, carried, moved) and lasting
    return Relocated(tuple(wanted), _paths(carried), tuple(_waiting(root, homes)), lasting)


def _round(
    root: str, layout: Layout, homes: Sequence[Home], recorder: Recorder, carried: dict[str, tuple[str, bytes]], moved: Moved
) -> bool:
    """Take everything that waits to its new place, then away from the old one; whether it lasts. Raises `StoreError`."""
    with Batch(root, recorder, make_root=False, nothing=_FAILED) as batch:
        batch.removes_folders = _folders(root, homes)
        waiting = _waiting(root, homes)
        for path in waiting:
            with contextlib.suppress(Missing):  # it went since it was listed
                carried[path] = _carry(root, layout, homes, path, batch, carried)
        for path in waiting:
            if path in carried:
                _take_away(path, carried[path][1], batch)
        step_record.put(recorder.batch, moved._replace(carried=_paths(carried))._asdict(), _FAILED)
    return batch.lasting


def _paths(carried: Mapping[str, tuple[str, bytes]]) -> dict[str, str]:
    return {path: to for path, (to, _) in carried.items()}


def _carry(
    root: str, layout: Layout, homes: Sequence[Home], path: str, batch: Batch, carried: dict[str, tuple[str, bytes]]
) -> tuple[str, bytes]:
    """Make one file's text be in its new place, too; where that is, and the text."""
    place = os.path.join(root, path)
    raw, mark = files.read(place)
    before = carried.get(path)
    if before is not None:
        to = before[0]
        batch.update(to, lambda now: _again(before[1], raw, now))
        return to, raw
    to, fate, _ = _goal(root, layout, moved_path(homes, path), raw, {})

    def change(now: bytes | None) -> bytes | None:
        return raw if now is None else _joined(layout, to, now, raw) or keep_both(now, raw)

    if fate is not Fate.ONCE:
        batch.update(to, change, modified=mark.mtime_ns if fate is not Fate.MERGED else None, mode=folders.mode_of(place))
    if fate is Fate.BESIDE:  # what lists such files knows it by no name: that of the other one is taken
        for path, rewrite in layout.lists.companions(DiskTree(root), None, to, raw).items():
            batch.update(path, rewrite)
    return to, raw


def _again(base: bytes, mine: bytes, now: bytes | None) -> bytes:
    """What came into a file after it was taken along, in its new place."""
    if now is None:
        return mine
    found = merge(base, mine, now)
    return found.text if isinstance(found, Merged) else keep_both(now, mine)


def _take_away(path: str, raw: bytes, batch: Batch) -> None:
    """Delete a file whose text is in its new place, unless it holds another now: that waits for the next round."""
    if interrupted.standing(batch.root, path) == raw:
        batch.remove(path, expected=raw, is_left=True)


def _goal(root: str, layout: Layout, to: str, raw: bytes, planned: Mapping[str, bytes]) -> tuple[str, Fate, bytes]:
    """Where a text goes that should go to `to`, what becomes of it there, and what stands there then.

    `planned` has the texts that will stand in places before it comes.
    """
    stem, ending = os.path.splitext(to)
    for number in range(1, 10_000):
        free = to if number == 1 else f"{stem}-{number}{ending}"
        now = planned[free] if free in planned else files.read_if_there(os.path.join(root, free))
        if now is None:
            return free, Fate.MOVED if number == 1 else Fate.BESIDE, raw
        if now == raw:
            return free, Fate.ONCE, now
        if number == 1 and (joined := _joined(layout, free, now, raw)) is not None:
            return free, Fate.ONCE if joined == now else Fate.MERGED, joined
    raise WriteFailed(to, f"{printable_path(to)} is taken ten thousand times. {_FAILED}")


def _joined(layout: Layout, path: str, mine: bytes, theirs: bytes) -> bytes | None:
    """The two texts as one, where the kind of file says how; None where both have to be kept."""
    ref = find_ref(layout, path)
    if ref is not None and ref.role in (Role.CHECKLIST, Role.INDEX, Role.FACTS):
        return merged_lines(mine, theirs)
    return merged_log(mine, theirs) if ref is not None and ref.role is Role.LOG else None


def _waiting(root: str, homes: Sequence[Home]) -> list[str]:
    """The files that are to move. Raises `WriteFailed` where something is no ordinary file, or cannot be listed."""
    found = []
    for home in homes:
        inside = _inside(root, home.source)
        for path in inside.others:
            whole = os.path.join(root, home.source, path)
            if os.path.lexists(whole):
                raise WriteFailed(
                    whole, f"{printable_path(whole)} is a link, or no ordinary file. {_FAILED}", "Take it away first."
                )
        found += [f"{home.source}/{path}" for path in inside.files if _OURS not in os.path.basename(path)]
    return found


def _folders(root: str, homes: Sequence[Home]) -> list[str]:
    found = []
    for home in homes:
        if os.path.isdir(os.path.join(root, home.source)):
            found += [home.source, *(f"{home.source}/{path}" for path in _inside(root, home.source).folders)]
    return found


def _inside(root: str, home: str) -> folders.Inside:
    try:
        return folders.inside(os.path.join(root, home))
    except OSError as error:
        place = error.filename or os.path.join(root, home)
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {_FAILED}") from error


def _made(root: str, wanted: Sequence[Planned]) -> Iterator[str]:
    """The folders that are not there yet and will be made."""
    seen: set[str] = set()
    for each in wanted:
        folder = os.path.dirname(each.to)
        while folder and folder not in seen and not os.path.isdir(os.path.join(root, folder)):
            seen.add(folder)
            yield folder
            folder = os.path.dirname(folder)
