"""Which other agents' memories there are on this machine, with what each would bring in."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.agents.registry import FORMATS
from zsmem_tui.core.errors import BadContent, BadTarget, Missing, StoreError
from zsmem_tui.service.default_place import machine
from zsmem_tui.service.importing import plan
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.places import overlap


class MemorySource(NamedTuple):
    """A memory that is on this machine: how many items it has, and how many are new; `problem` says why that is not known."""

    format: str
    path: str
    items: int
    new: int
    problem: str = ""


def detect(session: Session) -> list[MemorySource]:
    """The memories of other agents on this machine: those of the session's folder, and those of everything that an agent keeps."""
    on = machine(session)
    out: list[MemorySource] = []
    for format in FORMATS:
        places = format.places(on)
        own: list[MemorySource] = []
        for place in dict.fromkeys((*places, *format.whole(on))):
            found = _source(session, format, place) if on.is_there(place) and not overlap(place, session.root) else None
            if found is not None and (place in places or all(found[2:] != each[2:] for each in own)):
                own.append(found)  # a whole that holds no more than the part already told of is no news
        out += own
    return out


def _source(session: Session, format: AgentFormat, place: str) -> MemorySource | None:
    """What lies at a place; None when that is nothing."""
    try:
        found = plan(session, format, place)
    except (BadTarget, Missing):
        return None
    except (BadContent, StoreError) as error:
        return MemorySource(format.name, place, 0, 0, error.message.removesuffix(" Nothing was imported."))
    kept = [item for item in found.rows if item.fate is not Fate.SKIPPED]
    new = sum(item.fate in (Fate.ADD, Fate.CONFLICT, Fate.LEFT) for item in kept)
    return MemorySource(format.name, place, len(kept), new) if kept else None
