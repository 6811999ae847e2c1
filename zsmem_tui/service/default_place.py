"""Where other agents' memory is looked for."""

from __future__ import annotations

import os

from zsmem_tui.agents.base import Machine
from zsmem_tui.config import locate
from zsmem_tui.service.session import Session


def machine(session: Session) -> Machine:
    """Where the session's formats look for what is theirs."""
    return Machine(locate.environment(), locate.home_folder(), session.folder or locate.working_folder(), os.path.exists)
