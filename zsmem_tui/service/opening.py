"""Which stores the full-screen program opens beside the first, and what it knows of folders."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config.model import Config
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import sessions


class Beside(NamedTuple):
    """The other stores, and the folders that are known, the one worked in first; `folders_of` has those of each store's groups.

    A store is named there as `KIND:ROOT`.
    """

    sessions: list[Session]
    folders: list[str]
    folders_of: dict[str, dict[str, str]]


def beside(first: Session, config: Config, *, cwd: str = "") -> Beside:
    """Every store of this machine but `first`. Slow: it looks at the start of a file for each group that may say its folder."""
    folders = list(dict.fromkeys(each.folder for each in known_folders(cwd)))
    found = sessions(config, cwd=cwd, folders=folders)
    others = [each for each in found if not (each.layout is ZEROSTACK and each.root == first.root)]
    return Beside(others, folders, {f"{each.layout.kind}:{each.root}": folders_of(each, folders) for each in (first, *others)})
