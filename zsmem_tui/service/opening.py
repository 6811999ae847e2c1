"""Which stores the full-screen program opens beside the first, and what it knows of folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zsmem_tui.config.model import Config
from zsmem_tui.service import instructions
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import has_folder, sessions


class Beside(NamedTuple):
    """The other stores, and the folders that are known, the one worked in first; `folders_of` has those of each store's groups.

    A store is named there as `KIND:ROOT`.
    """

    sessions: list[Session]
    folders: list[str]
    folders_of: dict[str, dict[str, str]]


def beside(first: Session, config: Config, *, cwd: str = "") -> Beside:
    """Every store of this machine but `first`, and the instruction files of the known folders.

    Slow: it looks at the start of a file for each group that may say its folder.
    """
    folders = list(dict.fromkeys(each.folder for each in known_folders(cwd)))
    found = sessions(config, cwd=cwd, folders=folders)
    others = [each for each in found if (each.layout.kind, each.root) != (first.layout.kind, first.root)]
    others += _instructions([first, *others], config, folders)
    return Beside(others, folders, {f"{each.layout.kind}:{each.root}": folders_of(each, folders) for each in (first, *others)})


def _instructions(stores: list[Session], config: Config, folders: Sequence[str]) -> list[Session]:
    """A store for each folder that has instruction files, unless they are in another store already. From names alone."""
    found = []
    for folder in folders:
        if not instructions.is_place(folder) or any(has_folder(each, folder) for each in stores):
            continue
        session = instructions.open_folder(config, folder, clock=stores[0].clock)
        if instructions.refs(session):
            found.append(session)
    return found
