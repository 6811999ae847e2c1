"""Connecting an agent: our server and our hooks in its settings, planned, shown, done as one step, and taken out again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from shutil import which
from typing import Final

from zsmem_tui.agents import clients
from zsmem_tui.agents.base import Machine
from zsmem_tui.agents.connection import Client, Entry, Scope, Setup, What
from zsmem_tui.agents.settings.errors import HasComments, NotEditable
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, Conflict, MemError, WriteFailed
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer import connections
from zsmem_tui.store.transfer.connections import Connection, FileChange

_BOM: Final = b"\xef\xbb\xbf"
_PROGRAM: Final = "zsmem"
_PASS: Final = "`zsmem undo --skip` passes over this step."


@dataclass(frozen=True, slots=True)
class Wish:
    """What shall be connected, or with `remove` taken out. `scope` empty: the agent's usual one; `plugin`: the folder for one."""

    scope: str = ""
    server: bool = True
    hooks: bool = True
    remove: bool = False
    plugin: str = ""

    def takes(self, entry: Entry) -> bool:
        """Whether it is about an entry."""
        return self.server if entry.what is What.SERVER else self.hooks or bool(self.plugin)


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What becomes of one of an agent's files. `left` says why it is left alone, `snippet` what goes into it by hand."""

    place: str
    what: tuple[What, ...]
    before: bytes | None
    after: bytes | None
    left: str = ""
    snippet: str = ""

    @property
    def changes(self) -> bool:
        """Whether it becomes another."""
        return not self.left and self.before != self.after


@dataclass(frozen=True, slots=True)
class ConnectPlan:
    """What connecting an agent would do. `notes` are what the person has to know or do besides."""

    agent: str
    title: str
    wish: Wish
    setup: Setup
    files: tuple[FilePlan, ...]
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[FilePlan, ...]:
        """The files that become others."""
        return tuple(each for each in self.files if each.changes)

    @property
    def left(self) -> tuple[FilePlan, ...]:
        """The files that a person has to change by hand."""
        return tuple(each for each in self.files if each.left)


@dataclass(frozen=True, slots=True)
class Connected:
    """What of ours is in an agent's settings of a scope. `problem`: a file cannot be read, as a sentence."""

    scope: Scope
    server: tuple[str, ...] = ()
    hooks: int = 0
    plugin: bool = False
    is_current: bool = True
    problem: str = ""

    def __bool__(self) -> bool:
        return bool(self.server or self.hooks or self.plugin)

    @property
    def words(self) -> str:
        """What there is of ours, in words."""
        parts = []
        if self.server:
            parts.append(f"server `{printable_path(locate.shortened(' '.join(self.server)))}`")
        if self.hooks:
            parts.append(counted(self.hooks, "hook"))
        if self.plugin:
            parts.append("plugin")
        return ", ".join(parts) + ("" if self.is_current else " (not as it would be written now)")


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One agent: whether it is installed here, and what of ours it has."""

    name: str
    title: str
    installed: bool
    connected: tuple[Connected, ...]


def machine(session: Session) -> Machine:
    """Where settings are looked for: the person's home, and the top of the repository worked in."""
    home, folder = locate.home_folder(), os.path.abspath(session.folder or locate.working_folder() or "/")
    top = locate.repository_of(folder)
    of_all = (os.path.realpath(home), "/")  # which some keep in a repository too
    return Machine(locate.environment(), home, folder if os.path.realpath(top or "/") in of_all else top, os.path.lexists)


def scopes(client: Client, on: Machine) -> tuple[Scope, ...]:
    """Whose settings an agent may have here: those of a project only in one."""
    return tuple(scope for scope in client.scopes if scope is not Scope.PROJECT or not why_no_project(on))


def why_no_project(on: Machine) -> str:
    """Why the folder worked in has no settings of its own, as a sentence; empty for a project."""
    if not os.path.isdir(on.folder):
        return f"There is no folder {printable_path(on.folder)}."
    if os.path.realpath(on.folder) in (os.path.realpath(on.home), "/"):
        return f"{printable_path(locate.shortened(on.folder))} is no project."
    return ""


def own_command() -> str:
    """How an agent starts us: by name where that is found, else by the path of this program."""
    if which(_PROGRAM):
        return _PROGRAM
    own = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == _PROGRAM else ""
    return own or os.path.join(os.path.dirname(sys.executable), _PROGRAM)


def agents(session: Session) -> list[AgentLine]:
    """Every agent that can be connected, those first that are installed here."""
    on = machine(session)
    lines = [_line(clients.client(name), on) for name in clients.NAMES]
    return sorted(lines, key=lambda line: not (line.installed or any(line.connected)))


def _line(client: Client, on: Machine) -> AgentLine:
    installed = any(which(program) for program in client.programs) or any(on.is_there(folder) for folder in client.folders(on))
    found = tuple(_connected(client, Setup(on, scope, own_command())) for scope in scopes(client, on))
    return AgentLine(client.name, client.title, installed, found)


def _connected(client: Client, setup: Setup) -> Connected:
    out = Connected(setup.scope)
    for entry in client.entries(setup):
        try:
            commands = tuple(entry.found(text_at(entry.place)))
        except (MemError, NotEditable) as error:
            out = replace(out, problem=_sentence(entry.place, error))
            continue
        if commands:
            current = out.is_current and list(commands) == list(entry.wanted)
            match entry.what:
                case What.SERVER:
                    out = replace(out, server=commands, is_current=current)
                case What.HOOKS:
                    out = replace(out, hooks=len(commands), is_current=current)
                case What.PLUGIN:
                    out = replace(out, plugin=True, is_current=current)
    return out


def plan(session: Session, name: str, wish: Wish) -> ConnectPlan:
    """What would be written. Raises `BadTarget`, and `StoreError` or `WriteFailed` for a file that cannot be read or is broken."""
    client = clients.client(name)
    setup = Setup(machine(session), client.scope(wish.scope), own_command())
    if setup.scope is Scope.PROJECT and not wish.plugin and (why := why_no_project(setup.on)):
        raise BadTarget(f"{why} Nothing was written.", "Go to a project's folder, or name it with --cwd.")
    if wish.plugin:
        if client.plugin is None:
            raise BadTarget(f"{client.title} takes no plugin folder from us. Nothing was written.", "Leave out --plugin.")
        entries = client.plugin(setup, os.path.abspath(locate.expanded(wish.plugin)))
    else:
        entries = client.entries(setup)
    by_place: dict[str, list[Entry]] = {}
    for entry in entries:
        by_place.setdefault(entry.place, []).append(entry)
    files = [_file(place, every, wish) for place, every in by_place.items()]
    found = tuple(each for each in files if each is not None)
    what = {each for file in found for each in file.what}
    notes = [note for about, note in client.notes.items() if about in what and not wish.remove]
    if What.HOOKS in what and not wish.remove:
        notes += _doubled(client, setup)
    return ConnectPlan(name, client.title, wish, setup, found, tuple(notes))


def _doubled(client: Client, setup: Setup) -> list[str]:
    """That the agent has our hooks already in its settings of another scope, in a sentence."""
    others = [_connected(client, setup._replace(scope=scope)) for scope in scopes(client, setup.on) if scope is not setup.scope]
    return [
        f"{client.title} has our hooks in its {each.scope.value} settings too, so memory may go in twice: "
        f"`zsmem connect {client.name} --remove --scope {each.scope.value}` takes those out."
        for each in others
        if each.hooks
    ]


def _file(place: str, entries: Sequence[Entry], wish: Wish) -> FilePlan | None:
    own = [entry for entry in entries if wish.takes(entry)]
    if not own:
        return None
    before = connections.read(place)
    what = tuple(entry.what for entry in own)
    try:
        mark, text = _decoded(place, before)
        made = _chained(text, [entry.take if wish.remove else entry.put for entry in own])
    except NotEditable as error:
        whole = all(entry.is_whole for entry in own)
        if isinstance(error, HasComments) or whole:
            snippet = "" if wish.remove or whole else _chained("", [entry.put for entry in own])
            return FilePlan(place, what, before, before, _sentence(place, error), snippet)
        raise WriteFailed(place, _sentence(place, error)) from error
    after: bytes | None = mark + made.encode()
    if wish.remove and made != text:
        after = _as_it_was(place, before, entries, own, after)
    elif made == text:
        after = before
    if wish.remove and all(entry.is_whole for entry in own) and not made.strip():
        after = None
    return FilePlan(place, what, before, after)


def _as_it_was(place: str, before: bytes | None, every: Sequence[Entry], own: Sequence[Entry], after: bytes | None) -> bytes | None:
    """The text from before we were in it, byte for byte, where nobody has changed it since and nothing else of ours would go."""
    known = connections.original(place, before)
    if known is None:
        return after
    text, now = _decoded(place, known.before)[1], _decoded(place, before)[1]
    same = all((not each.found(text)) if each in own else each.found(text) == each.found(now) for each in every)
    return known.before if same else after


def _chained(text: str, steps: Sequence[Callable[[str], str]]) -> str:
    for step in steps:
        text = step(text)
    return text


def text_at(place: str) -> str:
    """What a settings file says, empty for none. Raises `NotEditable`, `Unreadable` or `WriteFailed`."""
    return _decoded(place, connections.read(place))[1]


def _decoded(place: str, raw: bytes | None) -> tuple[bytes, str]:
    """A byte order mark, where there is one, and the text behind it. Raises `NotEditable`."""
    raw = raw or b""
    mark = _BOM if raw.startswith(_BOM) else b""
    try:
        return mark, raw[len(mark) :].decode()
    except UnicodeDecodeError as error:
        good = raw[len(mark) : len(mark) + error.start]
        line = good.count(b"\n") + 1
        column = len(good.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise NotEditable("it is not valid UTF-8", line, column) from error


def _sentence(place: str, error: MemError | NotEditable) -> str:
    if isinstance(error, MemError):
        return error.message
    where = f", line {error.line}, column {error.column}" if error.line else ""
    return f"{printable_path(place)}{where}: {error.reason}. It was not changed."


@says_undo
def apply(session: Session, wanted: ConnectPlan) -> VerbResult:
    """Do what was planned, all files or none; `zsmem undo` takes it back. Raises `Conflict` where a file changed since."""
    changes = tuple(FileChange(each.place, each.before, each.after) for each in wanted.changed)
    if not changes:
        return VerbResult(_ended(wanted), warning=bool(wanted.left))
    verb = "Disconnected" if wanted.wish.remove else "Connected"
    on = wanted.setup.on
    recorder = session.recorder(f"{verb} {wanted.title}", relation=connections.RELATION)
    made = Connection(wanted.agent, wanted.setup.scope.value, wanted.setup.command, on.home, on.folder, changes)
    connections.remember(session.root, recorder, made)
    try:
        connections.apply(changes)
    except MemError:
        connections.forget(session.root, recorder.batch)
        raise
    if not recorder.problem:
        recorder.record_step_end()
    return VerbResult(_ended(wanted), len(changes), warning=bool(wanted.left))


def _ended(wanted: ConnectPlan) -> str:
    places = ", ".join(printable_path(locate.shortened(each.place)) for each in wanted.changed)
    if not places and wanted.left:
        return f"{wanted.title}: nothing was written."
    if not places:
        return f"{wanted.title} {'has nothing of ours' if wanted.wish.remove else 'is connected already'}. Nothing was written."
    return f"Took ours out of {places}." if wanted.wish.remove else f"Connected {wanted.title}: {places}."


def would(wanted: ConnectPlan) -> str:
    """What `apply` would say, with nothing written."""
    places = ", ".join(printable_path(locate.shortened(each.place)) for each in wanted.changed)
    return f"Would change {places}." if places else _ended(wanted)


def take_back(root: str, batch: str, *, redo: bool, dry_run: bool) -> tuple[str, ...]:
    """Undo a step that connected an agent, or make it again: the places that change.

    A file that is as the step left it becomes what it was, byte for byte; of one that the agent changed since, only our entry goes,
    or comes back. None for a step that is not known any more. Raises `Conflict` or `WriteFailed` where that cannot be.
    """
    made = connections.get(root, batch)
    if made is None:
        return ()
    changes = list(_turned(made, redo=redo))
    if not dry_run:
        connections.apply(changes)
    return tuple(each.place for each in made.changes)


def _turned(made: Connection, *, redo: bool) -> Iterator[FileChange]:
    environ = locate.environment()
    setup = Setup(Machine(environ, made.home, made.folder, os.path.lexists), Scope(made.scope), made.command)
    entries = clients.client(made.agent).entries(setup)
    for change in made.changes:
        source, goal = (change.before, change.after) if redo else (change.after, change.before)
        now = connections.read(change.place)
        if now not in (source, goal):
            own = [entry for entry in entries if entry.place == change.place and not entry.is_whole]
            if not own:
                raise Conflict(f"{printable_path(change.place)} changed since. Nothing was undone.", _PASS)
            goal = _carried(change.place, now, goal, own)
        if now != goal:
            yield FileChange(change.place, now, goal)


def _carried(place: str, now: bytes | None, goal: bytes | None, entries: Sequence[Entry]) -> bytes:
    """The present text with our entries as they are in `goal`: there, or not."""
    try:
        mark, text = _decoded(place, now)
        wanted = _decoded(place, goal)[1]
        for entry in entries:
            text = entry.put(text) if entry.found(wanted) else entry.take(text)
    except NotEditable as error:
        raise WriteFailed(place, _sentence(place, error), _PASS) from error
    return mark + text.encode()
