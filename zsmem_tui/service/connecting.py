"""Connect an agent: put our server and hooks into its settings (planned, shown, applied as one step), and take them out again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from shutil import which
from typing import Final

from zsmem_tui.agents import registry
from zsmem_tui.agents.connection import Client, Entry, Scope, Setup, What
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.settings.errors import HasComments, NotEditable
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, Conflict, MemError, WriteFailed
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.service import agent_command
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import interrupted, steps, writing
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.interrupted import SETTINGS, Foreign
from zsmem_tui.store.steps import Batch
from zsmem_tui.store.transfer import connections
from zsmem_tui.store.transfer.connections import Connection, Edit, FileChange

_BOM: Final = b"\xef\xbb\xbf"
_PROGRAM: Final = "zsmem"
_NOTHING: Final = "Nothing was written."
_OUTCOMES: Final = (_NOTHING, "It was not changed.", "It was written, but may not survive a power cut.")
"""Sentences about the outcome that are removed from the error of one file, since the error of the whole step says it."""

_PASS: Final = "`zsmem undo --skip` passes over this step."


@dataclass(frozen=True, slots=True)
class Wish:
    """What to connect, or with `remove` to disconnect. `scope` empty: the agent's usual one; `plugin`: the folder for a plugin."""

    scope: str = ""
    server: bool = True
    hooks: bool = True
    remove: bool = False
    plugin: str = ""

    def takes(self, entry: Entry) -> bool:
        """Whether an entry is among what is wished for."""
        return self.server if entry.what is What.SERVER else self.hooks or bool(self.plugin)


@dataclass(frozen=True, slots=True)
class FilePlan:
    """The planned change of one settings file; `edit` makes it, also if the file has changed by then.

    If the file is left alone, `left` says why and `snippet` is what to add by hand. `run` is the agent's own command that changes
    our server in the file; the file is edited only if it fails. `entries` are the entries concerned.
    """

    place: str
    what: tuple[What, ...]
    before: bytes | None
    after: bytes | None
    left: str = ""
    snippet: str = ""
    run: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    edit: Edit = lambda now: now

    @property
    def changes(self) -> bool:
        """Whether the file will be changed."""
        return not self.left and self.before != self.after


@dataclass(frozen=True, slots=True)
class ConnectPlan:
    """What connecting an agent would do. `notes` are what the user has to know or do in addition.

    `gives` is a sentence that says whose memory the agent gets; empty when disconnecting, or if that memory is the agent's own.
    """

    agent: str
    title: str
    wish: Wish
    setup: Setup
    files: tuple[FilePlan, ...]
    notes: tuple[str, ...] = ()
    gives: str = ""

    @property
    def parts(self) -> list[str]:
        """What the files are for: `server`, `hooks`, `plugin`."""
        return [str(each) for each in What if any(each in file.what for file in self.files)]

    @property
    def changed(self) -> tuple[FilePlan, ...]:
        """The files that will be changed."""
        return tuple(each for each in self.files if each.changes)

    @property
    def places(self) -> str:
        """Their names for display."""
        return ", ".join(printable_path(locate.shortened(each.place)) for each in self.changed)

    @property
    def left(self) -> tuple[FilePlan, ...]:
        """The files that the user has to change by hand."""
        return tuple(each for each in self.files if each.left)


@dataclass(frozen=True, slots=True)
class Connected:
    """What is connected in an agent's settings of one scope. `problem`: a sentence about a file that cannot be read."""

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
        """What is connected, in words."""
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
    """One agent: whether it is `installed`, what is connected, and (`gives`) whose memory it gets by that, as a sentence.

    `has_program` is False if only its files or its memory tell that it is: its program may be where PATH does not lead. `takes` are
    the parts that its settings can have.
    """

    name: str
    title: str
    installed: bool
    connected: tuple[Connected, ...]
    gives: str = ""
    has_program: bool = True
    takes: frozenset[str] = frozenset()


def machine(session: Session) -> Machine:
    """The machine as clients see it: environment, home folder, and the top of the current repository."""
    home, folder = locate.home_folder(), os.path.abspath(session.folder or locate.working_folder() or "/")
    top = locate.repository_of(folder)
    of_all = (os.path.realpath(home), "/")  # some keep their home folder in a repository too
    return Machine(locate.environment(), home, folder if os.path.realpath(top or "/") in of_all else top, os.path.lexists)


def scopes(client: Client, on: Machine) -> tuple[Scope, ...]:
    """The settings scopes that an agent can have here; the project scope only inside a project."""
    return tuple(scope for scope in client.scopes if scope is not Scope.PROJECT or not why_no_project(on))


def why_no_project(on: Machine) -> str:
    """Why the current folder is not a project, as a sentence; empty if it is one."""
    if not os.path.isdir(on.folder):
        return f"There is no folder {printable_path(on.folder)}."
    if os.path.realpath(on.folder) in (os.path.realpath(on.home), "/"):
        return f"{printable_path(locate.shortened(on.folder))} is no project."
    return ""


def own_command() -> str:
    """The command by which an agent starts this program: its name if that is on the PATH, otherwise a path."""
    if which(_PROGRAM):
        return _PROGRAM
    own = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == _PROGRAM else ""
    return own or os.path.join(os.path.dirname(sys.executable), _PROGRAM)


def agents(session: Session) -> list[AgentLine]:
    """List every agent that can be connected, installed ones first."""
    from zsmem_tui.service import stores  # deferred: loads the rules of every agent

    on, found = machine(session), [session]
    with suppress(MemError):
        found += stores.sessions(session.config, cwd=session.folder, clock=session.clock)
    kinds = {each.layout.kind for each in found if os.path.isdir(each.root)}
    lines = [_line(session, client_called(name), on, has_memory=name in kinds) for name in registry.with_clients()]
    return sorted(lines, key=lambda line: not (line.installed or any(line.connected)))


def _line(session: Session, client: Client, on: Machine, *, has_memory: bool) -> AgentLine:
    has_program = any(which(program) for program in client.programs)
    installed = has_program or has_memory or any(on.is_there(folder) for folder in client.folders(on))
    setups = [Setup(on, scope, own_command()) for scope in scopes(client, on)]
    found = tuple(_connected(client, setup) for setup in setups)
    takes = frozenset(str(entry.what) for setup in setups for entry in client.entries(setup))
    return AgentLine(client.name, client.title, installed, found, _gives(session, client), has_program, takes)


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


def client_called(name: str) -> Client:
    """The client of the agent with that name. Raises `BadTarget`."""
    found = registry.agent(name)
    if found is None or not found.has_client:
        names = ", ".join(registry.with_clients())
        raise BadTarget(f"There is no agent {name!r} to connect. Nothing was written.", f"Agents are {names}.")
    return found.client()


def plan(session: Session, name: str, wish: Wish) -> ConnectPlan:
    """Plan the changes. Raises `BadTarget`, or `StoreError` or `WriteFailed` for a file that is unreadable or broken."""
    client = client_called(name)
    setup = Setup(machine(session), client.scope(wish.scope), own_command())
    if setup.scope is Scope.PROJECT and not wish.plugin and (why := why_no_project(setup.on)):
        raise BadTarget(f"{why} Nothing was written.", "Go to a project's folder, or name it with --cwd.")
    if wish.plugin:
        if client.plugin is None:
            raise BadTarget(f"{client.title} takes no plugin folder from us. Nothing was written.", "Leave out --plugin.")
        entries = client.plugin(setup, locate.absolute(wish.plugin))
    else:
        entries = client.entries(setup)
    by_place = grouped((entry.place, entry) for entry in entries)
    files = [_file(client, setup, place, every, wish) for place, every in by_place.items()]
    found = tuple(each for each in files if each is not None)
    what = {each for file in found for each in file.what}
    notes = [note for about, note in client.notes.items() if about in what and not wish.remove]
    if What.HOOKS in what and not wish.remove:
        notes += _hooks_elsewhere(client, setup)
    notes += _wrapper_notes(found)
    return ConnectPlan(name, client.title, wish, setup, found, tuple(notes), "" if wish.remove else _gives(session, client))


def is_given(session: Session) -> bool:
    """Whether the session's store is the one that agents reach through our server and hooks."""
    return session.is_default and os.path.realpath(session.root) == os.path.realpath(_given_root(session))


def given(session: Session) -> str:
    """Name the memory that agents get through our server and hooks, in words."""
    root = _given_root(session)
    there = "" if os.path.isdir(root) else ", where nothing is yet; zerostack need not be installed"
    return f"zerostack's memory of the folder it works in ({printable_path(locate.shortened(root))}{there})"


def _given_root(session: Session) -> str:
    return locate.absolute(session.config.root) or locate.memory_root()


def _gives(session: Session, client: Client) -> str:
    """The sentence for `gives`; empty for the agent whose own memory it is."""
    from zsmem_tui.service import formats  # deferred: loads the rules of every agent

    if client.name == DEFAULT.kind:
        return ""
    how = f" `zsmem import {client.name}` copies what {client.title} remembers itself there, too."
    said = f"With it, {client.title} searches and writes, beside its own memory, {given(session)}."
    return said + how * (client.name in formats.names())


def _hooks_elsewhere(client: Client, setup: Setup) -> list[str]:
    """Sentences that say that the agent has our hooks in its settings of another scope already."""
    others = [_connected(client, setup._replace(scope=scope)) for scope in scopes(client, setup.on) if scope is not setup.scope]
    return [
        f"{client.title} has zsmem's hooks in its {each.scope.value} settings too, so memory may go in twice: "
        f"`zsmem connect {client.name} --remove --scope {each.scope.value}` takes those out."
        for each in others
        if each.hooks
    ]


def _wrapper_notes(found: Sequence[FilePlan]) -> list[str]:
    """Sentences about the user's own commands that wrap ours."""
    said = []
    for file in found:
        with suppress(NotEditable):
            text, place = _decoded(file.place, file.before)[1], printable_path(locate.shortened(file.place))
            around = [command for entry in file.entries for command in entry.wrapped(text)]
            said += [f"{place} has a hook of yours that runs zsmem's, and it stays as it is: `{each}`." for each in around]
    return said


def _file(client: Client, setup: Setup, place: str, entries: Sequence[Entry], wish: Wish) -> FilePlan | None:
    own = tuple(entry for entry in entries if wish.takes(entry))
    if not own:
        return None
    before = connections.read_settled(place)
    what = tuple(entry.what for entry in own)
    edit = partial(_edited, place, every=entries, own=own, removes=wish.remove)
    try:
        after = edit(before)
    except NotEditable as error:
        whole = all(entry.is_whole for entry in own)
        if isinstance(error, HasComments) or whole:
            snippet = "" if wish.remove or whole else reduce(lambda text, entry: entry.put(text), own, "")
            return FilePlan(place, what, before, before, _sentence(place, error), snippet, entries=own)
        raise WriteFailed(place, _sentence(place, error)) from error
    run = () if wish.plugin or after == before else _command(client, setup, own, _decoded(place, before)[1], removes=wish.remove)
    return FilePlan(place, what, before, after, run=run, entries=own, edit=edit)


def _command(client: Client, setup: Setup, own: Sequence[Entry], text: str, *, removes: bool) -> tuple[str, ...]:
    """The agent's own command that adds or removes our server; empty if there is none or it is not needed."""
    servers = [entry for entry in own if entry.what is What.SERVER]
    command = client.own(setup) if servers else None
    if command is None:
        return ()
    words = (command.remove if servers[0].found(text) else ()) if removes else () if servers[0].started(text) else command.add
    program = agent_command.usable(command, setup.on) if words else ""
    return (program, *words) if program else ()


def _edited(place: str, now: bytes | None, every: Sequence[Entry], own: Sequence[Entry], *, removes: bool) -> bytes | None:
    """The content of a file with our entries added or removed (None: delete the file). Raises `NotEditable`."""
    mark, text = _decoded(place, now)
    made = reduce(lambda made, entry: entry.take(made) if removes else entry.put(made), own, text)
    if removes and not made.strip() and all(entry.is_whole for entry in own):
        return None
    if made == text:
        return now
    after = mark + made.encode()
    return _restored(place, now, every, own, after) if removes else after


def _restored(place: str, before: bytes | None, every: Sequence[Entry], own: Sequence[Entry], after: bytes | None) -> bytes | None:
    """The original text from before we connected if nothing else changed and no other entry of ours would go; else `after`."""
    known = connections.original(place, before)
    if known is None:
        return after
    text, now = _decoded(place, known.before)[1], _decoded(place, before)[1]
    same = all((not each.found(text)) if each in own else each.found(text) == each.found(now) for each in every)
    return known.before if same else after


def text_at(place: str) -> str:
    """The text of a settings file; empty if there is none. Raises `NotEditable`, `Unreadable` or `WriteFailed`."""
    return _decoded(place, connections.read(place))[1]


def _decoded(place: str, raw: bytes | None) -> tuple[bytes, str]:
    """Split into byte order mark (may be empty) and decoded text. Raises `NotEditable`."""
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
    """Apply the plan, all files or none; `zsmem undo` reverts it. Changes by others since the plan are kept.

    Raises `Conflict` if another program keeps changing a file, or `StoreError`; the message says what was written.
    """
    if not wanted.changed:
        return VerbResult(_done_sentence(wanted), warning=bool(wanted.left))
    verb = "Disconnected" if wanted.wish.remove else "Connected"
    on = wanted.setup.on
    recorder = session.recorder(f"{verb} {wanted.title}", relation=connections.RELATION)
    planned = tuple(FileChange(each.place, each.before, each.after) for each in wanted.changed)
    made = Connection(wanted.agent, wanted.setup.scope.value, wanted.setup.command, on.home, on.folder, planned)
    connections.remember(session.root, recorder, made)
    if recorder.problem and any(each.before is not None for each in wanted.changed):  # what it holds could not be kept either
        raise WriteFailed(session.root, f"{recorder.problem} {_NOTHING}", "`ZSMEM_STATE_DIR` names another folder for it.")
    try:
        done, said = _change_all(wanted.changed, on, session.root, recorder, removes=wanted.wish.remove)
    except MemError:
        connections.forget(session.root, recorder.batch)
        raise
    connections.remember(session.root, recorder, made._replace(changes=tuple(done)), is_done=True)
    return VerbResult(" ".join([_done_sentence(wanted), *said]), len(wanted.changed), warning=bool(wanted.left or said))


def _change_all(
    wanted: Sequence[FilePlan], on: Machine, root: str, recorder: Recorder, *, removes: bool
) -> tuple[list[FileChange], list[str]]:
    """Change every file as a step of the store at `root`; return the changes made and sentences for the user.

    Raises `MemError`, whose message says what was written.
    """
    store = Batch(root, recorder, ends=not recorder.problem)
    settings = Batch(SETTINGS, recorder)
    every = [_Changing(file, on, removes=removes) for file in wanted]
    for each in every:
        writing.refuse_protected(os.path.realpath(each.file.place))
        path, file = os.path.abspath(each.file.place).lstrip("/"), each.file
        before, after = partial(getattr, file, "before"), partial(getattr, file, "after")
        settings.edits[path] = interrupted.Edit(path, before, after, foreign=Foreign(each.do, each.undo))
    steps.apply([store, settings])
    return [each.done for each in every if each.done is not None], [words for each in every for words in each.said]


class _Changing:
    """One file of a step: `done` is the change that was made, `said` are sentences for the user."""

    def __init__(self, file: FilePlan, on: Machine, *, removes: bool) -> None:
        self.file = file
        self.done: FileChange | None = None
        self.said: list[str] = []
        self._on = on
        self._removes = removes

    def do(self) -> None:
        """Make the planned change. Raises `MemError`."""
        try:
            self._change(self.file)
        except (MemError, NotEditable) as error:
            found = error if isinstance(error, MemError) else WriteFailed(self.file.place, _sentence(self.file.place, error))
            for outcome in _OUTCOMES:
                found.message = found.message.removesuffix(outcome).rstrip()
            found.message = f"{found.message} {_NOTHING}"
            found.args = (found.message,)
            raise found from (error.__cause__ if found is error else error)

    def _change(self, file: FilePlan) -> None:
        edit, before = file.edit, None
        if file.run:
            before = connections.read(file.place)
            problem = agent_command.run(file.run, self._on) or self._command_problem(file)
            if problem:
                self.said.append(f"{agent_command.shown(file.run)} did not do it ({problem}), so the file was edited.")
            else:
                self.done = FileChange(file.place, before, connections.read(file.place))
                rest = [entry for entry in file.entries if entry.what is not What.SERVER]
                if not rest:
                    return
                edit = partial(_edited, file.place, every=rest, own=rest, removes=self._removes)
        change = connections.put(file.place, edit, _PROGRAM)
        self.said += [f"What another program wrote meanwhile is kept in {printable_path(each)}." for each in change.aside]
        self.done = change._replace(before=before) if self.done is not None else change
        if not _has_same_entries(file, file.after):
            self.said.append(f"Another program keeps writing over {printable_path(file.place)}: look again whether it lasts.")

    def _command_problem(self, file: FilePlan) -> str:
        """Why the result of the agent's command is wrong; empty if our server is now in the file, or out of it, as planned."""
        try:
            text = text_at(file.place)
            is_there = all(entry.found(text) for entry in file.entries if entry.what is What.SERVER)
        except (MemError, NotEditable) as error:
            return str(error)
        return "" if is_there is not self._removes else f"ours is {'still' if self._removes else 'not'} in the file"

    def undo(self) -> None:
        """Revert the change but keep what others wrote since. Raises `WriteFailed` if something of ours stays."""
        file = self.file
        with suppress(MemError, NotEditable):
            connections.put(file.place, self._reverted, _PROGRAM)
        if not _has_same_entries(file, file.before):
            raise WriteFailed(file.place, f"{printable_path(locate.shortened(file.place))} could not be put back as it was.")

    def _reverted(self, now: bytes | None) -> bytes | None:
        if self.done is not None and now == self.done.after:
            return self.done.before
        file = self.file
        return file.before if now == file.after else _with_entries_of(file.place, now, file.before, file.entries)


def _has_same_entries(file: FilePlan, like: bytes | None) -> bool:
    """Whether a file has the same entries of ours as the text `like`; True if it cannot be read or parsed."""
    try:
        text, wanted = text_at(file.place), _decoded(file.place, like)[1]
        return all(list(entry.found(text)) == list(entry.found(wanted)) for entry in file.entries)
    except (MemError, NotEditable):
        return True


def _done_sentence(wanted: ConnectPlan) -> str:
    if wanted.changed:
        return f"Took zsmem out of {wanted.places}." if wanted.wish.remove else f"Connected {wanted.title}: {wanted.places}."
    if wanted.left:
        return f"{wanted.title}: nothing was written."
    why = "has nothing of zsmem's in its settings" if wanted.wish.remove else "is connected already"
    return f"{wanted.title} {why}. Nothing was written."


def would(wanted: ConnectPlan) -> str:
    """The sentence for a dry run: what `apply` would do."""
    runs = ", ".join(agent_command.shown(each.run) for each in wanted.changed if each.run)
    return f"Would {f'run {runs} and ' * bool(runs)}change {wanted.places}." if wanted.changed else _done_sentence(wanted)


def take_back(root: str, batch: str, recorder: Recorder, *, redo: bool, dry_run: bool) -> tuple[str, ...]:
    """Undo or redo a step that connected an agent; return the paths that change.

    A file unchanged since the step is restored byte for byte; in one that the agent changed since, only our entry is removed or
    added. Returns nothing for an unknown step. `recorder` is that of the undoing step. Raises `Conflict` or `WriteFailed` if it is
    impossible.
    """
    made = connections.get(root, batch)
    if made is None:
        return ()
    on = Machine(locate.environment(), made.home, made.folder, os.path.lexists)
    client, setup = client_called(made.agent), Setup(on, Scope(made.scope), made.command)
    entries = client.entries(setup)
    files = [_reversed_plan(client, setup, change, entries, redo=redo) for change in made.changes]
    if not dry_run:
        _change_all([each for each in files if each.changes], on, root, recorder, removes=not redo)
    return tuple(each.place for each in made.changes)


def _reversed_plan(client: Client, setup: Setup, change: FileChange, entries: Sequence[Entry], *, redo: bool) -> FilePlan:
    """The plan that reverses one file of a step. Raises `Conflict` or `WriteFailed` if it is impossible."""
    place = change.place
    source, goal = (change.before, change.after) if redo else (change.after, change.before)
    own = tuple(entry for entry in entries if entry.place == place)

    def edit(now: bytes | None) -> bytes | None:
        if now in (source, goal):
            return goal
        if not own or any(entry.is_whole for entry in own):
            raise Conflict(f"{printable_path(place)} changed since. Nothing was undone.", _PASS)
        return _with_entries_of(place, now, goal, own)

    now = connections.read_settled(place)
    try:
        after = edit(now)
        text, wanted = _decoded(place, now)[1], _decoded(place, goal)[1]
        turned = [each for each in own if bool(each.found(text)) is not bool(each.found(wanted))] if after != goal else []
        run = _command(client, setup, turned, text, removes=not redo) if after != now else ()
    except NotEditable as error:
        raise WriteFailed(place, _sentence(place, error), _PASS) from error
    return FilePlan(place, tuple(each.what for each in own), now, after, run=run, entries=own, edit=edit)


def _with_entries_of(place: str, now: bytes | None, goal: bytes | None, entries: Sequence[Entry]) -> bytes | None:
    """The current content with our entries present or absent as in `goal`. Raises `NotEditable`."""
    mark, text = _decoded(place, now)
    wanted, made = _decoded(place, goal)[1], text
    for entry in entries:
        made = entry.put(made) if entry.found(wanted) else entry.take(made)
    return now if made == text else mark + made.encode()
