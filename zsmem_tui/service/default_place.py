"""Where another agent keeps the memory of the session's folder."""

from __future__ import annotations

import os

from zsmem_tui.agents.base import AgentFormat, Machine
from zsmem_tui.config import locate
from zsmem_tui.service.session import Session


def default_place(session: Session, format: AgentFormat) -> tuple[str, bool]:
    """The folder, and whether it is there. One that is there goes first; empty when the format has no place of its own."""
    places = format.places(machine(session))
    there = next((place for place in places if os.path.isdir(place)), "")
    return (there, True) if there else (places[0] if places else "", False)


def machine(session: Session) -> Machine:
    """Where the session's formats look for what is theirs."""
    return Machine(locate.environment(), locate.home_folder(), session.folder or locate.working_folder(), os.path.exists)
