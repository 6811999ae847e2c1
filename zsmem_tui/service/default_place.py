"""Where another agent keeps the memory of the session's folder."""

from __future__ import annotations

import os

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.config import locate
from zsmem_tui.service.session import Session


def default_place(session: Session, format: AgentFormat) -> tuple[str, bool]:
    """The folder, and whether it is there. One that is there goes first; empty when the format has no place of its own."""
    places = format.places(locate.home_folder(), session.folder or locate.working_folder())
    there = next((place for place in places if os.path.isdir(place)), "")
    return (there, True) if there else (places[0] if places else "", False)
