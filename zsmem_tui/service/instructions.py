"""The instruction files of a folder as a store: read, searched and edited, with history and undo like any memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.instructions import layout as names
from zsmem_tui.agents.instructions.layout import InstructionsLayout
from zsmem_tui.agents.places import Where
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import EVERYBODY, Session, local_clock
from zsmem_tui.store import scan
from zsmem_tui.store.disk.tree import DISK

if TYPE_CHECKING:
    from datetime import datetime

KIND: Final = InstructionsLayout.kind
"""The kind of such a store."""


def open_folder(config: Config, folder: str, *, clock: Callable[[], datetime] = local_clock) -> Session:
    """Open a session on the instruction files of a folder, existing or not. No other file in it is read or written."""
    place = os.path.abspath(folder)
    layout = InstructionsLayout(Where(place, place, locate.home_folder(), "", clock))
    layout.loads_comments = os.path.isdir(config.root or locate.memory_root())

    def guard(path: str, before: bytes | None, after: bytes | None) -> None:
        if layout.place(path) is None:
            raise BadTarget(f"{printable_path(path)} is no instruction file. Nothing was written.")

    session = Session(place, EVERYBODY, config=config, clock=clock, layout=layout, folder=place, guard=guard)
    session.is_about_folder = True
    session.store = f"{KIND}:{place}"
    return session


def is_place(folder: str) -> bool:
    """Whether a folder may have its own instruction files; not the home folder and `/`, whose files apply to everything below."""
    place = os.path.realpath(folder) if folder else "/"
    return place not in ("/", os.path.realpath(locate.home_folder()))


def goals(session: Session, folder: str) -> Sequence[str]:
    """The instruction files in a folder that a store's agent reads, as relative paths, the preferred one first.

    Facts can be promoted to these; empty if the agent is not known to read any.
    """
    return session.layout.takes_facts(folder, DISK)


def is_own(session: Session, path: str) -> bool:
    """Whether a file is in a folder of the agent's own, such as a rule that it loads for some files only."""
    return "/" in path and names.owner(path) == session.layout.kind


def among(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Those of these paths that are instruction files of a folder: by store name, with relative paths."""
    found: dict[str, frozenset[str]] = {}
    for path in map(PurePath, paths):
        root = next((each for each in path.parents if names.place(str(path.relative_to(each))) is not None), None)
        if root is not None and is_place(str(root)):
            store = f"{KIND}:{root}"
            found[store] = found.get(store, frozenset()) | {str(path.relative_to(root))}
    return found


def refs(session: Session) -> list[MemRef]:
    """The existing instruction files in the order of display."""
    return [entry.ref for entry in scan.scan(session.root, session.layout).shared]


def folders(folder: str) -> list[str]:
    """This folder and its parents that have instruction files, nearest first; none of a folder that is not known."""
    return [place for place, _ in _found(folder)]


def agent_of(folder: str) -> str:
    """The kind of the agent whose own files are the instructions nearest to a folder; empty if there is none."""
    return next((kind for _, paths in _found(folder) for path in paths if (kind := names.owner(path))), "")


def _found(folder: str) -> Iterator[tuple[str, list[str]]]:
    """The folders that `folders` lists, each with the relative paths of its instruction files."""
    if not folder:  # the current folder, and it was deleted
        return
    nearest = PurePath(os.path.abspath(folder))
    for place in map(str, (nearest, *nearest.parents)):
        seen = scan.scan(place, InstructionsLayout(Where(place, place, "", "", local_clock))).shared
        if seen:
            yield place, [entry.ref.path for entry in seen]


def ref_of(session: Session, name: str) -> MemRef:
    """The file for a name such as `AGENTS.md`, `agents-md` or `agents`. Raises `BadTarget`."""
    found = session.layout.ref(Role.INSTRUCTIONS, "", name)
    if found is None:
        raise BadTarget(f"There is no instruction file {name!r}. Nothing was done.", f"There are {', '.join(names.AT_THE_TOP)}.")
    return found
