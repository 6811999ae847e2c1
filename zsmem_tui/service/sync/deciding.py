"""Adjacent lines that two machines changed differently: decide about them file by file, as in a merge conflict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from zsmem_tui.core.conflict import Conflicts, Region
from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.merge import split
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.sync.trees import Merged
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.service.plan import Edit, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.sync.groups import Places
from zsmem_tui.store.disk import files
from zsmem_tui.store.sync import remembered


class Undecided(NamedTuple):
    """A file with such lines: its text, and the regions to decide."""

    place: str
    text: bytes
    found: Conflicts


def undecided() -> list[Undecided]:
    """The files that still have such lines. Raises `ConfigError`."""
    by_place = grouped((str(each["path"]), each) for each in still_there(remembered.load().both))
    texts = ((place, files.read_if_there(place), own) for place, own in by_place.items())
    return [Undecided(place, text, _conflicts(text, own)) for place, text, own in texts if text is not None]


def _conflicts(text: bytes, own: Sequence[dict[str, Any]]) -> Conflicts:
    lines = split(text)
    between: list[tuple[bytes, ...]] = []
    regions: list[Region] = []
    at = 0
    for each in sorted(own, key=lambda each: int(each["line"])):
        start = int(each["line"]) - 1
        if start < at:
            continue
        first, second = (tuple(line.encode() for line in each[side]) for side in ("first", "second"))
        between.append(tuple(lines[at:start]))
        regions.append(Region(first, second))
        at = start + len(first) + len(second)
    ends = not text or text.endswith(b"\n")
    return Conflicts((*between, tuple(lines[at:])), tuple(regions), (ends, ends, ends))


def plan(sessions: Sequence[Session], each: Undecided, decided: bytes) -> Plan:
    """Plan writing the decided text of a file. Raises `Missing` if its store is not open."""
    session, ref = _place(sessions, each)
    words = f"Decided {counted(len(each.found.regions), 'place')} in {printable_path(ref.path)}"
    return Plan(words, f"{words}.", (Edit(session, ref, each.text, decided),))


def keep(sessions: Sequence[Session], each: Undecided, typed: bytes) -> None:
    """Record a text that was typed to decide, and given up. Raises `Missing` or `WriteFailed`."""
    from zsmem_tui.service import editing  # deferred: the write path

    editing.put_beside(*_place(sessions, each), typed)


def _place(sessions: Sequence[Session], each: Undecided) -> tuple[Session, MemRef]:
    around = [session for session in sessions if each.place.startswith(f"{session.root}/")]
    if not around:
        raise Missing(each.place, f"{printable_path(each.place)} is in no store that is open. Nothing was written.")
    session = max(around, key=lambda session: len(session.root))  # a store may lie in the folder of another
    return session, session.ref_at(os.path.relpath(each.place, session.root))


def decide(sessions: Sequence[Session], each: Undecided, decided: bytes) -> VerbResult:
    """Write the decided text as an undoable step. Raises `Conflict` or `StoreError`."""
    from zsmem_tui.service import applying  # deferred: the write path

    done = applying.apply(plan(sessions, each, decided))
    with remembered.held():
        setup = remembered.load()
        setup.both = [pair for pair in setup.both if pair["path"] != each.place]  # also if both lines were kept
        remembered.save(setup)
    return done


def pairs_of(found: Merged, places: Places, failed: set[str]) -> list[dict[str, Any]]:
    """The lines that two machines changed, in the form that is stored until they are decided."""
    out = []
    for path, pair in found.pairs:
        local = places.of(path)
        if local is not None and path not in failed:
            place = local.session.path(local.ref(path))
            sides = [[line.decode("utf-8", "replace") for line in lines] for lines in pair[:2]]
            out.append({"path": place, "line": pair.at + 1, "first": sides[0], "second": sides[1]})
    return out


def still_there(both: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those pairs of lines that are still adjacent in their files, without repetition, with updated line numbers."""
    out: list[dict[str, Any]] = []
    for each in both:
        try:
            lines = split(files.read(each["path"])[0])
            block = [line.encode() for line in (*each["first"], *each["second"])]
        except (StoreError, KeyError, TypeError):
            continue
        at = next((at for at in range(len(lines) - len(block) + 1) if lines[at : at + len(block)] == block), None)
        if at is not None and (now := {**each, "line": at + 1}) not in out:
            out.append(now)
    return out
