"""The folders that agents on this machine have worked in, according to their stores."""

from __future__ import annotations

import os
from typing import NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.places import Machine
from zsmem_tui.config import locate
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import machine_at
from zsmem_tui.store import project_register
from zsmem_tui.store.disk.listing import DiskHeads


class KnownFolder(NamedTuple):
    """A folder that agents work in, with the store (`KIND:ROOT`) and group that are about it.

    Both are empty for the current folder.
    """

    folder: str
    store: str = ""
    group: str = ""


def known_folders(cwd: str = "") -> list[KnownFolder]:
    """The current folder (`cwd`, default: here), then those that stores or the register know; one may occur for several groups.

    Slow: it reads up to 64 KiB of the newest transcript per Claude Code project. Call it after the first frame, and rarely.
    """
    here = locate.folder_meant(cwd)
    found, own = [KnownFolder(here)] if here else [], machine_at(here)
    for kind, agent in registry.kinds().items():
        for root in filter(os.path.isabs, agent.roots(own)):  # none of a folder that is gone
            listed = ((each.slug, folder) for each in project_register.load(root).records.values() for folder in each.folders)
            groups = dict.fromkeys([*agent.folders(DiskHeads(root)), *(each for each in listed if os.path.isdir(each[1]))])
            found += [KnownFolder(folder, f"{kind}:{root}", group) for group, folder in groups]
    return found


def machine(session: Session) -> Machine:
    """The machine as the session's formats see it."""
    return machine_at(session.folder or locate.working_folder())
