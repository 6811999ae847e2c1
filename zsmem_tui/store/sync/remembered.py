"""The remembered state of syncing: remote, machine name, which group is which, and the stat values of synced files."""

from __future__ import annotations

import json
import os
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple, TypedDict

from zsmem_tui.config import locate
from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import ConfigError, StoreError, WriteFailed
from zsmem_tui.core.json_value import typed
from zsmem_tui.core.text import plain_words, printable_path
from zsmem_tui.store.disk import state
from zsmem_tui.store.disk.folders import delete_if_possible
from zsmem_tui.store.sync.place import Place

FORMAT: Final = 1
_NOTHING: Final = "Nothing was synced."
_ID: Final = re.compile("(?:[0-9a-f]{40})?|-")
_RACY_NS: Final = 100_000_000
"""Nanoseconds that a file must have been unmodified before it was read for its stat values to be trusted."""


@dataclass
class Machine:
    """One machine, with a display name and a unique id."""

    name: str = ""
    id: str = ""


class _Pair(TypedDict):
    path: str
    line: int
    first: list[str]
    second: list[str]


class _Waiting(TypedDict):
    group: str
    name: str
    machines: list[str]


class _Lists(NamedTuple):
    both: list[_Pair]
    waiting: list[_Waiting]


@dataclass
class Setup:
    """The whole state.

    `groups` maps kind of store and group key to a folder in the branch, `joins` groups to local folders. `placed` are the folders
    of the branch whose files were here after the last run, `unwritten` maps files that both sides changed from `base` to the id in
    it (empty: none). `made` is the commit of a run in progress or interrupted, `writing` the files that differ from it here: (ids
    in base, here, in `made`, there). `masked` are digests of credentials that are masked before they are sent.

    `base` is the last commit that both sides had, `last` its time in nanoseconds. `both` are lines that two machines changed, with
    their places, and `waiting` groups without a folder here, with the machines that have them.
    """

    remote: str = ""
    branch: str = "zsmem"
    machine: Machine = field(default_factory=Machine)
    stores: list[str] = field(default_factory=list)
    groups: dict[str, dict[str, str]] = field(default_factory=dict)
    placed: list[str] = field(default_factory=list)
    unwritten: dict[str, str] = field(default_factory=dict)
    made: str = ""
    writing: dict[str, list[str]] = field(default_factory=dict)
    masked: list[str] = field(default_factory=list)
    joins: dict[str, str] = field(default_factory=dict)
    is_on: bool = False
    base: str = ""
    last: int = 0
    both: list[dict[str, Any]] = field(default_factory=list)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    problem: str = ""
    """Why the last run failed, as a sentence."""
    signature: str = ""
    """The signature of all files after the last run without further changes."""

    @property
    def shown(self) -> str:
        """The remote for display, without credentials."""
        return Place(self.remote, self.branch, "").shown


def home() -> str:
    """The folder of this state."""
    return os.path.join(locate.state_folder(), "sync")


def load() -> Setup:
    """Load the state; empty if sync was never set up. Raises `ConfigError` if it is damaged or from a newer program."""
    place = os.path.join(home(), "setup.json")
    if not os.path.lexists(place):
        return Setup()
    found = state.document(place)
    try:
        if found is None:
            raise ValueError("no document")
        if found["format"] > FORMAT:
            raise ConfigError(f"{printable_path(place)}: a newer zsmem wrote it. {_NOTHING}", "Update zsmem.")
        made: Setup = typed(found, Setup)
        typed([made.both, made.waiting], _Lists)
        ids = [made.base, made.made, *made.unwritten.values(), *(id for four in made.writing.values() for id in four)]
        if not all(map(_ID.fullmatch, ids)) or any(len(four) != 4 for four in made.writing.values()):
            raise ValueError("no ids")
        return made
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{printable_path(place)} is damaged. {_NOTHING}", "`zsmem sync setup` makes it anew.") from error


def save(setup: Setup) -> None:
    """Save the state. Raises `WriteFailed`."""
    raw = json.dumps({"format": FORMAT, **asdict(setup)}, indent=1).encode()
    state.put(os.path.join(home(), "setup.json"), raw, "What was synced is not remembered.")


def forget() -> None:
    """Delete the state."""
    delete_if_possible(os.path.join(home(), "setup.json"))
    forget_looks()


def forget_looks() -> None:
    """Delete the cache of text ids, because the local copy no longer has the texts."""
    delete_if_possible(os.path.join(home(), "files.json"))


@contextmanager
def held() -> Iterator[None]:
    """Lock out other runs on this machine. Raises `WriteFailed` if one takes too long."""
    try:
        with state.held(home(), _NOTHING):
            yield
    except WriteFailed as error:
        if error.path == home() and "another zsmem" in error.message:
            raise WriteFailed(
                home(), f"Another sync of this machine is at work. {_NOTHING}", "Try again when it is done."
            ) from error
        raise


def new_machine(name: str = "") -> Machine:
    """Create the identity of this machine, with the given name or its host name."""
    return Machine(plain_words(name or socket.gethostname(), "|,")[:40] or "machine", os.urandom(8).hex())


class Looks:
    """A cache of text ids of files by their stat values, so that unchanged files are not read."""

    def __init__(self) -> None:
        self._place = os.path.join(home(), "files.json")
        self._known: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._is_loaded = False

    def id_of(self, place: str, mark: Fingerprint) -> str:
        """The cached text id of a file with these stat values; empty if it has to be read."""
        if not self._is_loaded:
            self._is_loaded = True
            found = state.document(self._place)
            self._known = found if found is not None and all(isinstance(each, str) for each in found.values()) else {}
        said, _, id = self._known.get(place, "").rpartition(" ")
        if said == _said(mark):
            self._new[place] = f"{said} {id}"
            return id
        return ""

    def learn(self, place: str, mark: Fingerprint, id: str) -> None:
        """Cache the text id of a file that had these stat values before it was read."""
        if _is_old(mark):
            self._new[place] = f"{_said(mark)} {id}"

    def save(self) -> None:
        """Write the cache, without files that were not requested."""
        if self._new != self._known:
            try:
                state.put(self._place, json.dumps(self._new, separators=(",", ":")).encode(), "", durable=False)
            except StoreError:
                return  # the files are read again next time
            self._known = dict(self._new)


def signature(marks: Mapping[str, Fingerprint]) -> str:
    """A digest of the stat values of all files; empty if one was modified just now, since it may change unnoticed."""
    from hashlib import sha256  # deferred: loads OpenSSL, which a status does not need

    if not all(map(_is_old, marks.values())):
        return ""
    return sha256(
        "\n".join([f"{place}\0{_said(mark)}" for place, mark in marks.items()]).encode("utf-8", "surrogateescape")
    ).hexdigest()


def _said(mark: Fingerprint) -> str:
    return f"{mark.mtime_ns} {mark.size} {mark.inode} {mark.ctime_ns}"


def _is_old(mark: Fingerprint) -> bool:
    return max(mark.mtime_ns, mark.ctime_ns) + _RACY_NS < time.time_ns()
