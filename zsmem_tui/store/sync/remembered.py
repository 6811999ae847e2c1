"""What this machine remembers of syncing: the remote and its own name, which group is which, and how its files looked last."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypedDict, get_args, get_origin, get_type_hints, is_typeddict

from zsmem_tui.config import locate
from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import ConfigError, StoreError, WriteFailed
from zsmem_tui.core.text import plain_words, printable_path
from zsmem_tui.store.disk import state

FORMAT: Final = 1
_NOTHING: Final = "Nothing was synced."
_ID: Final = re.compile("(?:[0-9a-f]{40})?|-")
_RACY_NS: Final = 100_000_000
"""How long before it was read a file must have been left alone for its looks to tell whether it is the same."""


@dataclass
class Machine:
    """One machine, by the name that people read and an id that no other has."""

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


@dataclass
class Setup:
    """All of it. `groups` has the folder in the branch of each group by the kind of its store, `joins` the folder here of groups.

    `placed` are the folders of the branch whose files were here after the last run, `unwritten` files of which
    both sides have another text than that of `base`, with its id (empty: none). `made` is the commit of a run that goes on or ended
    half-way, `writing` the files that were not here as it has them: their ids in the base, here, in it and there. `masked` are
    digests of credentials that go out masked.

    `base` is the commit that both sides had last, `last` when that was, in nanoseconds. `both` are lines that two machines changed,
    each with its place, and `waiting` groups without a folder here, with the machines that have them.
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
    """Why the last run came to nothing, as a sentence."""
    signature: str = ""
    """What all files looked like after the last run that changed nothing more."""


def home() -> str:
    """Where it is kept."""
    return os.path.join(locate.state_folder(), "sync")


def load() -> Setup:
    """What is remembered; nothing for who never set it up. Raises `ConfigError` for what a newer program wrote, or is damaged."""
    place = os.path.join(home(), "setup.json")
    if not os.path.lexists(place):
        return Setup()
    found = state.document(place)
    try:
        if found is None:
            raise ValueError("no document")
        if found["format"] > FORMAT:
            raise ConfigError(f"{printable_path(place)}: a newer zsmem wrote it. {_NOTHING}", "Update zsmem.")
        known = {name: value for name, value in found.items() if name in Setup.__dataclass_fields__}
        made = Setup(**known)
        made.machine = Machine(**known["machine"])
        kinds = {**get_type_hints(Setup), "both": list[_Pair], "waiting": list[_Waiting]}
        if not all(_is_a(getattr(made, name), kind) for name, kind in kinds.items()):
            raise TypeError("not as it was written")
        ids = [made.base, made.made, *made.unwritten.values(), *(id for four in made.writing.values() for id in four)]
        if not all(map(_ID.fullmatch, ids)) or any(len(four) != 4 for four in made.writing.values()):
            raise ValueError("no ids")
        return made
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{printable_path(place)} is damaged. {_NOTHING}", "`zsmem sync setup` makes it anew.") from error


def _is_a(value: Any, kind: Any) -> bool:
    """Whether a value is of a type, and so is all that it holds."""
    of = get_args(kind)
    match get_origin(kind) or kind:
        case origin if origin is list:
            return isinstance(value, list) and all(_is_a(each, of[0]) for each in value)
        case origin if origin is dict:
            return isinstance(value, dict) and all(_is_a(each, of[1]) for each in value.values())
        case origin if origin is Machine:
            return isinstance(value, Machine) and _has(vars(value), origin)
        case origin if is_typeddict(origin):
            return isinstance(value, dict) and _has(value, origin)
        case origin:
            return type(value) is origin


def _has(values: Mapping[str, Any], kind: Any) -> bool:
    return all(name in values and _is_a(values[name], each) for name, each in get_type_hints(kind).items())


def save(setup: Setup) -> None:
    """Remember it. Raises `WriteFailed`."""
    raw = json.dumps({"format": FORMAT, **asdict(setup)}, indent=1).encode()
    state.put(os.path.join(home(), "setup.json"), raw, "What was synced is not remembered.")


def forget() -> None:
    """Remember nothing any more."""
    for name in ("setup.json", "files.json"):
        with contextlib.suppress(OSError):
            state.drop(os.path.join(home(), name))


def forget_looks() -> None:
    """Forget which text each file had: the local copy has them no more."""
    with contextlib.suppress(OSError):
        state.drop(os.path.join(home(), "files.json"))


@contextmanager
def held() -> Iterator[None]:
    """Keep other runs on this machine out. Raises `WriteFailed` where one goes on for too long."""
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
    """This machine, by the name that was given or its own."""
    return Machine(plain_words(name or socket.gethostname(), "|,")[:40] or "machine", os.urandom(8).hex())


class Looks:
    """The ids of the texts of files by how they look, so that what did not change is not read."""

    def __init__(self) -> None:
        self._place = os.path.join(home(), "files.json")
        self._known: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._is_loaded = False

    def id_of(self, place: str, mark: Fingerprint) -> str:
        """The id of the text of a file that looks so; empty where it has to be read."""
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
        """That a file that looked so before it was read has this text."""
        if _is_old(mark):
            self._new[place] = f"{_said(mark)} {id}"

    def save(self) -> None:
        """Keep what was learnt, and forget files that were not asked for."""
        if self._new != self._known:
            try:
                state.put(self._place, json.dumps(self._new, separators=(",", ":")).encode(), "", durable=False)
            except StoreError:
                return  # they are read again
            self._known = dict(self._new)


def signature(marks: Mapping[str, Fingerprint]) -> str:
    """What tells all files as they look from any other state; empty where one was changed just now, and may change unseen."""
    from hashlib import sha256  # OpenSSL with it, which a status can do without

    if not all(map(_is_old, marks.values())):
        return ""
    return sha256(
        "\n".join([f"{place}\0{_said(mark)}" for place, mark in marks.items()]).encode("utf-8", "surrogateescape")
    ).hexdigest()


def _said(mark: Fingerprint) -> str:
    return f"{mark.mtime_ns} {mark.size} {mark.inode} {mark.ctime_ns}"


def _is_old(mark: Fingerprint) -> bool:
    return max(mark.mtime_ns, mark.ctime_ns) + _RACY_NS < time.time_ns()
