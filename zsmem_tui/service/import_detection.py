"""Find the memories of other agents on this machine, each with how much of it an import would take."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.format import Format
from zsmem_tui.core.errors import BadContent, BadTarget, Missing, StoreError
from zsmem_tui.core.text import trim
from zsmem_tui.service import importing
from zsmem_tui.service.known_folders import machine
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.places import overlap


class MemorySource(NamedTuple):
    """A memory found on this machine, with the number of all items and of `new` ones that a plan takes; `problem`: why not known.

    `is_whole`: the place holds memory for every project, not only the memory of the session's folder.
    """

    format: str
    path: str
    items: int
    new: int
    problem: str = ""
    is_whole: bool = False


def detect(session: Session) -> list[MemorySource]:
    """Find the memories of other agents on this machine: those for the session's folder, and each agent's whole memory."""
    on = machine(session)
    out: list[MemorySource] = []
    for format in registry.formats():
        places = format.places(on)
        own: list[MemorySource] = []
        for place in dict.fromkeys((*places, *format.whole(on))):
            found = _source(session, format, place) if on.is_there(place) and not overlap(place, session.root) else None
            if found is not None and (place in places or all(found[2:] != each[2:] for each in own)):  # no same counts twice
                own.append(found._replace(is_whole=place not in places or place in format.whole(on)))
        out += own
    return out


def _source(session: Session, format: Format, place: str) -> MemorySource | None:
    """Count the items at a place, also those that come only if they are named alone; None if there are none."""
    try:
        found = importing.plan(session, format, place)
    except (BadTarget, Missing):
        return None
    except (BadContent, StoreError) as error:
        return MemorySource(format.name, place, 0, 0, error.message.removesuffix(" Nothing was imported."))
    is_any = any(item.fate is not Fate.SKIPPED or trim(item.text) for item in found.rows)
    return MemorySource(format.name, place, len(found.rows), sum(item.ticked for item in found.rows)) if is_any else None
