"""The folders that agents of this machine have worked in, as far as their own stores tell."""

from __future__ import annotations

import os
from typing import NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.places import Machine
from zsmem_tui.config import locate
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.listing import DiskHeads


class KnownFolder(NamedTuple):
    """A folder that somebody works in, and what of a store is of it: `store` is `KIND:ROOT`, `group` one of its groups.

    Both are empty for the folder worked in, which nobody need tell.
    """

    folder: str
    store: str = ""
    group: str = ""


def known_folders(cwd: str = "") -> list[KnownFolder]:
    """The folder worked in (`cwd`, default: here), then those that stores tell of; one folder may be there for several groups.

    `service.stores.sessions` takes folders from anywhere; whoever knows more of them adds them there. This reads: of a project of
    Claude Code's, at most the first 64 KiB of its newest transcript. So it is for after the first frame, and not for each question.
    """
    here = locate.absolute(cwd) if cwd else locate.working_folder()
    found = [KnownFolder(here)] if here else []
    machine = Machine(locate.environment(), locate.home_folder(), here, os.path.exists)
    for kind, agent in registry.kinds().items():
        for root in agent.roots(machine):
            found += [KnownFolder(folder, f"{kind}:{root}", group) for group, folder in agent.folders(DiskHeads(root))]
    return found


def machine(session: Session) -> Machine:
    """Where the session's formats look for what is theirs."""
    return Machine(locate.environment(), locate.home_folder(), session.folder or locate.working_folder(), os.path.exists)
