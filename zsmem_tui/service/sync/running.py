"""Run one sync without asking: read, fetch, merge, write here as one step, commit, push. The next run continues a broken one."""

from __future__ import annotations

import contextlib
import errno
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any, Final, NamedTuple

from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import (
    BadTarget,
    Conflict,
    HistoryError,
    HistoryIncomplete,
    MemError,
    NotKept,
    RemoteFailed,
    StoreError,
    WriteFailed,
)
from zsmem_tui.core.merge import lasts
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.sync import branch_files
from zsmem_tui.core.sync.branch_files import Groups, group_of, moved_path
from zsmem_tui.core.sync.texts import FORGOTTEN, Shape, joined
from zsmem_tui.core.sync.trees import Merged, Texts, merged
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.core.version import AuthorKind, Origin, Version, line_counts
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying
from zsmem_tui.service.facts.provenance import author_of
from zsmem_tui.service.outgoing_secrets import going_out
from zsmem_tui.service.plan import Edit, Gate, Handling, Plan
from zsmem_tui.service.sync import groups, reading, taken_back
from zsmem_tui.service.sync.deciding import pairs_of, still_there
from zsmem_tui.service.sync.forgetting import begin_anew, followed
from zsmem_tui.service.sync.groups import Places
from zsmem_tui.service.sync.reading import Here
from zsmem_tui.store import interrupted
from zsmem_tui.store.disk import files
from zsmem_tui.store.scan import scan
from zsmem_tui.store.sync import branch, remembered
from zsmem_tui.store.sync.branch import BASE, Branch
from zsmem_tui.store.sync.place import Place, Remote
from zsmem_tui.store.sync.remembered import Setup
from zsmem_tui.store.sync.remote import opened

TRIES: Final = 5
"""How many refused pushes (another machine was first) make a run give up."""

_ROUNDS: Final = 25
"""How many times a run starts over at most, including when it noticed before the push that it came too late."""

_MOST_COUNTED: Final = 1_000
"""The largest number of changed files for which lines are counted and the history is asked for authors."""

_PAUSE: Final = 0.05
"""The longest first wait in seconds before a run starts over; it grows, and is random so that machines do not stay in step."""

_TOO_LARGE: Final = "-"
"""Stands in for the object id of a text that is too large for any machine to take."""

RELATION: Final = "syncs "
"""The prefix of the `relation` of a step that wrote what other machines sent."""

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENOMEM})


class Came(NamedTuple):
    """A file that came in or went out. The line counts are None if there were too many files to count."""

    path: str
    store: str
    group: str
    lines_added: int | None
    lines_removed: int | None
    writers: str = ""
    machine: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a sync. `left` are sentences about files not synced, `both` are lines that two machines changed."""

    remote: str
    machine: str
    pulled: tuple[Came, ...] = ()
    pushed: tuple[Came, ...] = ()
    both: tuple[dict[str, Any], ...] = ()
    waiting: tuple[dict[str, Any], ...] = ()
    left: tuple[str, ...] = ()
    last: int = 0
    undo_problem: str = ""
    masked: str = ""
    is_dry: bool = False

    @property
    def changed(self) -> int:
        """How many files came in or went out."""
        return len(self.pulled) + len(self.pushed)

    @property
    def said(self) -> str:
        """A sentence that sums up the sync, or what a dry run would do."""
        if not self.changed:
            return "Nothing to sync: this machine and the remote have the same."
        verbs = ("would come in", "would go out") if self.is_dry else ("came in", "went out")
        came = f"{counted(len(self.pulled), 'file')} {verbs[0]}" if self.pulled else ""
        went = f"{counted(len(self.pushed), 'file')} {verbs[1]}" if self.pushed else ""
        return f"{', '.join(filter(None, (came, went)))}."

    @property
    def told(self) -> str:
        """The same in the program, with the machines that it came from, and what is left to do."""
        machines = sorted({each.machine for each in self.pulled if each.machine})
        words = f"{counted(len(self.pulled), 'file')} came in from {', '.join(machines)}." if machines else self.said
        sent = f"{counted(len(self.pushed), 'file')} went out." if machines and self.pushed else ""
        both = f"{counted(len(self.both), 'place')} that both changed: see the palette." if self.both else ""
        return " ".join(filter(None, (words, sent, both, *self.left[:1])))


class _TooLate(Exception):
    """Another machine pushed first (`was_refused`), or somebody wrote here meanwhile: the run starts over."""

    def __init__(self, *, was_refused: bool = False) -> None:
        super().__init__()
        self.was_refused = was_refused


def sync(
    config: Config,
    *,
    secrets: Handling = Handling.STOP,
    dry_run: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Sync this machine with the remote.

    Raises `BadTarget` if sync is not set up, `RuleBroken` for credentials that would be sent, `RemoteFailed`, `Conflict` after too
    many refused pushes, and the errors of writing.
    """
    with branch.at_work():
        setup = remembered.load()
        if not setup.is_on:
            raise BadTarget("Sync is not set up. Nothing was sent.", "`zsmem sync setup REMOTE` shows what would go, and asks.")
        interrupted.recover()
        branch.make_anew()
        remote = opened(Place(setup.remote, setup.branch, branch.home()), cancelled)
        try:
            return _Run(config, setup, remote, secrets, dry_run).go()
        except MemError as error:
            if isinstance(error, HistoryError):  # its message is about saving memory, which does not fit here
                words = f"{error.message.partition('. ')[0].rstrip('.')}. The sync ended half-way, and nothing is lost."
                error = WriteFailed(branch.home(), words, "Once that is mended, sync again: it goes on.")
            if not dry_run:
                setup.problem = error.message
                with contextlib.suppress(WriteFailed):
                    remembered.save(setup)
            raise error


class _Run:
    def __init__(self, config: Config, setup: Setup, remote: Remote, secrets: Handling, dry_run: bool) -> None:
        self._config = config
        self._setup = setup
        self._remote = remote
        self._secrets = secrets
        self._dry_run = dry_run
        self._pulled: dict[str, Came] = {}
        self._problem = self._masked_message = ""
        self._forgotten: list[bytes] = []

    def go(self) -> Outcome:
        refused = 0
        for number in range(_ROUNDS):
            try:
                done = self._run_once(is_late=number > 0)
                if self._forgotten and not self._dry_run:
                    begin_anew(self._remote, self._setup.base, self._setup)
                return done
            except _TooLate as late:
                refused += late.was_refused
                if refused == TRIES:
                    break
                time.sleep(random.uniform(0, _PAUSE * min(number + 1, TRIES) ** 2))
            except HistoryIncomplete:
                if number:
                    raise
                branch.put_aside()
                remembered.forget_looks()
                branch.make_anew()
        raise Conflict("Others were first each time, here or at the remote. Nothing was sent.", "Sync again in a moment.")

    def _run_once(self, *, is_late: bool) -> Outcome:
        setup = self._setup
        head = self._remote.head()
        is_quiet = bool(head and setup.signature) and head == setup.base
        is_quiet = is_quiet and not (setup.made or setup.waiting or setup.unwritten)
        if is_quiet and reading.looks_now(self._config, setup) == setup.signature:
            return self._outcome((), ())
        with contextlib.closing(Branch()) as repo:
            if head and not repo.has(head):
                try:
                    head = self._remote.fetch()
                except RemoteFailed:
                    repo.told_since(setup.base)  # raises `HistoryIncomplete` if git stumbled over the local copy
                    raise
            return self._merge_with(repo, head, is_late=is_late)

    def _merge_with(self, repo: Branch, head: str, *, is_late: bool) -> Outcome:
        """Merge with the remote's commit `head`, write and push. If `is_late` (not the first try), push before writing here."""
        setup = self._setup
        there, about = repo.listed(head), repo.about(head)
        if about is None and there.files:
            raise BadTarget(
                f"The branch {setup.branch} of the remote is not one of zsmem's. Nothing was synced.", "Name another with --branch."
            )
        known = branch_files.unpacked(about) if about is not None else {}
        places = groups.found_here(self._config, setup, known)
        groups_then, moves = _known_groups(places, known, self._id)
        here = reading.read(repo, places, setup.masked, keep_looks=not self._dry_run)
        since = self._base(repo, head)
        self._settle(repo, head, here)
        base_commit = self._base(repo, head)
        if base_commit != setup.base:
            setup.unwritten = dict.fromkeys(setup.unwritten, "")
        known_files = there.files if base_commit == head else repo.listed(base_commit).files
        base = {moved_path(path, moves): id for path, id in known_files.items()}
        for path, id in setup.unwritten.items():
            base.pop(path, None)
            base |= {path: id} if id else {}
        for path in there.refused:  # a link in the place of a text does not delete the text: ours is sent there again
            base.pop(moved_path(path, moves), None)
        new = {path: id for path, id in there.files.items() if base.get(moved_path(path, moves)) != id}
        large = branch.too_large(self._remote.sizes, new)
        others = {moved_path(path, moves): id for path, id in there.files.items() if path not in large}
        others |= {path: base[path] for path in large if path in base}
        reading.fill(here, base, others, places, setup)
        texts = Texts(repo.text, repo.put, groups.shape_by(places, groups_then))
        found = merged(base, self._forgotten_replaced(repo, here.ids), others, texts)
        gate = self._gate(repo, found, others, places)
        if gate.stops:
            gate.check("Nothing was sent.")
        if gate.found and gate.handling is Handling.MASK:
            self._mask(repo, found, others, here)
        left = [*here.left, *places.problems]
        left += [
            f"{visible_line(printable_path(path))} of the branch was not taken: {why}."
            for path, why in {**there.refused, **large}.items()
        ]
        wanted = _files_to_write(found, here, places, left)
        has = {*map(group_of, found.files), *known}  # without new groups that have no file
        told_of = branch_files.packed({folder: group for folder, group in groups_then.items() if folder in has})
        tree = _tree(repo, head, found, there.files, large, told_of, about)
        is_news = tree != (repo.folder_of(head) if head else repo.with_changes("", {}))
        told = _authors_since(repo, head, since, moves, setup.machine.id)
        row = partial(_row, repo, places, is_counted=len(wanted) <= _MOST_COUNTED)
        pulled = {path: row(path, here.ids.get(path), id, told=told.get(path) or told.get("")) for path, id in wanted.items()}
        going = [path for path in sorted({*found.files, *others}) if found.files.get(path) != others.get(path)]
        row = partial(_row, repo, places, is_counted=len(going) <= _MOST_COUNTED)
        pushed = [row(path, others.get(path), found.files.get(path)) for path in going]
        waits = groups.waiting(groups_then, places, setup.stores, self._id)
        left += [f"{printable_path(path)} was deleted on one machine and changed on another: it stays." for path in found.kept]
        left += taken_back.before_push(repo, found.files, others, places, dry_run=self._dry_run)
        if self._dry_run:
            self._pulled |= pulled
            return self._outcome(pushed, left, waits)
        commit = head
        if is_news:
            says = branch.message(setup.machine.name, setup.machine.id, self._writers(found, base, here, places))
            commit = repo.commit_on(head, tree, says, time.time_ns(), setup.machine.name)
        setup.groups = groups.names_of(places, setup)
        setup.writing = {
            path: [*(each.get(path, "") for each in (base, here.ids, found.files, others))]
            for path in {*found.files, *here.ids}
            if places.of(path) is not None and found.files.get(path) != here.ids.get(path)
        }
        for path in {moved_path(each, moves) for each in large}:
            setup.writing[path] = [base.get(path, ""), base.get(path, ""), _TOO_LARGE, base.get(path, "")]
        setup.made = commit
        if setup.writing or is_news:
            setup.signature = ""
            remembered.save(setup)
        if is_late and is_news:
            if self._remote.head() != head:
                raise _TooLate
            if not self._remote.push(commit, head):
                raise _TooLate(was_refused=True)
        failed = self._write(repo, wanted, here, places, told, texts.shape, left) if wanted else set()
        self._pulled |= {path: each for path, each in pulled.items() if path not in failed}
        setup.both = still_there([*setup.both, *pairs_of(found, places, failed)])
        is_sent = is_late or not is_news or self._remote.push(commit, head)
        setup.placed, setup.waiting = sorted(places.groups), waits
        self._keep_base(wanted.keys() - failed, is_sent=is_sent)
        remembered.save(setup)
        repo.point(BASE, setup.base)
        if not is_sent:
            raise _TooLate(was_refused=True)
        if not wanted and not here.unread:
            setup.signature = remembered.signature(here.marks)
        return self._outcome(pushed, left)

    # -- what both sides have -------------------------------------------------------------------------------------------

    @property
    def _id(self) -> str:
        return f"{self._setup.machine.id} {self._setup.machine.name}"

    def _base(self, repo: Branch, head: str) -> str:
        """The last common commit; if the branch was rewritten, the last one that it still contains."""
        base = self._setup.base if repo.has(self._setup.base) else ""
        if not base or not head:
            return ""
        if repo.follows(head, base):
            return base
        goal, self._forgotten = followed(repo, head, base)
        return goal or repo.common(head, base)

    def _forgotten_replaced(self, repo: Branch, ids: Mapping[str, str]) -> Mapping[str, str]:
        """The local object ids, after replacing texts that another machine purged, so that they are not sent back."""
        if not self._forgotten:
            return ids
        out = dict(ids)
        for path, id in ids.items():
            raw = new = repo.text(id)
            for secret in self._forgotten:
                new = new.replace(secret, FORGOTTEN)
            if new != raw:
                out[path] = repo.put(new)
        return out

    def _settle(self, repo: Branch, head: str, here: Here) -> None:
        """Find out from the branch and the local files how far an interrupted run came, and update the base."""
        setup = self._setup
        if not setup.made or not repo.has(setup.made):
            return
        written = set()
        for path, (_, before, after, _) in setup.writing.items():
            now = here.ids.get(path, "")
            if now == after or (
                now
                and after not in ("", _TOO_LARGE)
                and lasts(repo.text(before) if before else b"", repo.text(after), repo.text(now))
            ):
                written.add(path)
        is_sent = repo.follows(head, setup.made)
        if is_sent or repo.follows(head, repo.parent(setup.made)):
            self._keep_base(written, is_sent=is_sent)

    def _keep_base(self, written: Collection[str], *, is_sent: bool) -> None:
        """Store the base for the next run: the commit if it was sent; else one per file, by what was written here."""
        setup = self._setup
        if is_sent:
            setup.base = setup.made
            setup.unwritten = {path: before for path, (_, before, _, _) in setup.writing.items() if path not in written}
        else:
            setup.unwritten |= {path: there if path in written else base for path, (base, _, _, there) in setup.writing.items()}
        setup.made, setup.writing = "", {}

    def _outcome(self, pushed: Sequence[Came], left: Sequence[str], waits: list[dict[str, Any]] | None = None) -> Outcome:
        setup = self._setup
        if not self._dry_run:
            setup.last, setup.problem = time.time_ns(), ""
            remembered.save(setup)
        return Outcome(
            setup.shown,
            setup.machine.name,
            tuple(self._pulled.values()),
            tuple(pushed),
            tuple(setup.both),
            tuple(setup.waiting if waits is None else waits),
            tuple(left),
            setup.last,
            self._problem,
            self._masked_message,
            self._dry_run,
        )

    # -- credentials ----------------------------------------------------------------------------------------------------

    def _gate(self, repo: Branch, found: Merged, others: Mapping[str, str], places: Places) -> Gate:
        """Find the credentials that would be added to the branch."""
        self._leaks: dict[str, Notice] = {}
        for path, id in found.files.items():
            local = places.of(path)
            if local is not None and id != others.get(path):
                old = repo.text(others[path]) if path in others else None
                self._leaks |= going_out([Edit(local.session, local.ref(path), old, repo.text(id))], ())
        gate = Gate(self._secrets, tuple(self._leaks.values()))
        self._masked_message = gate.said if not gate.stops else ""
        return gate

    def _mask(self, repo: Branch, found: Merged, others: Mapping[str, str], here: Here) -> None:
        """Mask the credentials in the branch, now and in later runs; the local files keep them."""
        self._setup.masked = sorted({*self._setup.masked, *map(reading.digest_of, self._leaks)})
        if not self._dry_run:
            remembered.forget_looks()  # they name the texts with the credentials
        for ids in (found.files, here.ids):
            for path, id in [(path, id) for path, id in ids.items() if id != others.get(path)]:
                raw = repo.text(id)
                out = reading.masked(raw, self._setup.masked)
                if out != raw:
                    ids[path] = repo.put(out)

    # -- writing here ---------------------------------------------------------------------------------------------------

    def _write(
        self,
        repo: Branch,
        wanted: Mapping[str, str | None],
        here: Here,
        places: Places,
        told: Mapping[str, tuple[str, str]],
        shape: Callable[[str], Shape],
        left: list[str],
    ) -> set[str]:
        """Write the files here as one step; return the paths that failed. Raises `_TooLate` or `StoreError`."""
        failed: set[str] = set()
        while True:
            edits = {
                path: self._edit(repo, path, id, here, places, shape(path)) for path, id in wanted.items() if path not in failed
            }
            label = f"Synced with {' and '.join(sorted({machine for _, machine in told.values() if machine})) or 'the remote'}"
            plan = Plan(
                label[:100],
                "",
                tuple(edit for edit in edits.values() if edit is not None),
                origin=Origin.SYNCED,
                relation=f"{RELATION}{self._setup.made}",
                writers={edit.place: _who(told, path) for path, edit in edits.items() if edit is not None},
            )
            if not plan.edits:
                return failed
            try:
                self._problem = applying.apply(plan).undo_problem
                return failed
            except (Conflict, NotKept) as error:
                raise _TooLate from error
            except StoreError as error:
                culprit = next((path for path, edit in edits.items() if edit is not None and edit.place == error.path), "")
                if not culprit or getattr(error.__cause__, "errno", None) in _NO_ROOM:
                    raise
                failed.add(culprit)
                left.append(error.message)

    def _edit(self, repo: Branch, path: str, id: str | None, here: Here, places: Places, shape: Shape) -> Edit | None:
        """The edit for one file; None if nothing changes, or if somebody changed a file that should be deleted."""
        local = places.of(path)
        assert local is not None
        ref = local.ref(path)
        seen = repo.text(here.ids[path]) if path in here.ids else None
        now = files.read_if_there(local.session.path(ref))
        if id is None:
            is_same = now is not None and reading.masked(now, self._setup.masked) == seen
            return Edit(local.session, ref, now, None, is_left=True) if is_same else None
        change = partial(_merged_in, seen, repo.text(id), shape)
        after = change(now)
        return Edit(local.session, ref, now, after, changes=(change,)) if after != now else None

    # -- the report -----------------------------------------------------------------------------------------------------

    def _writers(self, found: Merged, base: Mapping[str, str], here: Here, places: Places) -> dict[str, list[str]]:
        """The authors of each file that changed here since the last sync, as far as the history knows them."""
        changed = [path for path in sorted({*here.ids, *base}) if here.ids.get(path) != base.get(path) and places.of(path)]
        if len(changed) > _MOST_COUNTED:
            return {}
        placed = ((path, local) for path in changed if (local := places.of(path)) is not None)
        by_root = grouped((local.session.root, (path, local)) for path, local in placed)
        out: dict[str, list[str]] = {}
        for own in by_root.values():
            history = own[0][1].session.history
            with contextlib.suppress(HistoryError):
                with history.opened() as repo:
                    is_first = not repo.reviewed
                if is_first and len(here.marks) > _MOST_COUNTED:
                    continue  # recording all of it takes long, and the authors are unknown anyway
                if is_first:
                    history.catch_up(scan(own[0][1].session.root, own[0][1].session.layout))
                else:
                    history.observe([local.path_here(path) for path, local in own])
                for path, local in own:
                    out[path] = _writers_since(history.versions(local.path_here(path)), base.get(path, ""))
        return out


def _known_groups(places: Places, known: Groups, machine: str) -> tuple[dict[str, branch_files.Group], dict[str, str]]:
    """The groups known to this machine or the branch, merged; and a map of renamed folders, for groups found to be the same.

    The groups of this machine get the folder names that they have in the branch.
    """
    every = branch_files.together(known, groups.known_by(places, machine))
    moves = branch_files.same_groups(every)
    out: dict[str, branch_files.Group] = {}
    for folder, group in every.items():
        out = branch_files.together(out, {moves.get(folder, folder): group})
    for folder in [each for each in places.groups if each in moves]:
        local = places.groups.pop(folder)
        if moves[folder] not in places.groups:
            local.branch = moves[folder]
            places.groups[local.branch] = local
    return out, moves


def _files_to_write(found: Merged, here: Here, places: Places, left: list[str]) -> dict[str, str | None]:
    """The files to write here: path to new object id (None: delete). Files without a place here are reported in `left`."""
    out: dict[str, str | None] = {}
    for path in sorted(found.files.keys() | here.ids.keys()):
        local, id = places.of(path), found.files.get(path)
        if local is None or id == here.ids.get(path) or path in here.unread:
            continue
        problem = local.problem(path) if id is not None and path not in here.ids else ""
        if problem:
            left.append(f"{printable_path(path)} of the branch was not written here: {problem}.")
        else:
            out[path] = id
    return out


def _tree(
    repo: Branch, head: str, found: Merged, there: Mapping[str, str], large: Mapping[str, str], about: bytes, was: bytes | None
) -> str:
    """The id of the next commit's folder: the one of `head` with the changes. Files that were too large to take stay."""
    changes = {path: "" for path in there if path not in found.files and path not in large}
    changes |= {path: id for path, id in found.files.items() if there.get(path) != id and path not in large}
    if about != was and (changes or was is not None):
        changes[branch_files.ABOUT] = repo.put(about)
    return repo.with_changes(repo.folder_of(head), changes)


def _authors_since(repo: Branch, head: str, base: str, moves: Mapping[str, str], own: str) -> dict[str, tuple[str, str]]:
    """The (author, machine) of each path changed since `base` on other machines; the key "" has the last machine."""
    out: dict[str, tuple[str, str]] = {}
    for _, each in repo.told_since(head, base):
        if each.machine_id == own:
            continue
        out[""] = ("", each.machine)
        out |= {moved_path(path, moves): (who, each.machine) for path, who in each.writers.items()}
    return out


def _who(told: Mapping[str, tuple[str, str]], path: str) -> str:
    """Who wrote a file that came in, in words."""
    writers, machine = told.get(path) or told.get("") or ("", "")
    return f"{writers} on {machine or 'another machine'}" if writers else machine or "another machine"


def _merged_in(seen: bytes | None, new: bytes, shape: Shape, now: bytes | None) -> bytes:
    """The content `now` merged with the change from `seen` to `new`. Raises `Conflict`."""
    if now is None or now == seen:
        return new
    found = joined(seen, new, now, shape)
    if found is None:
        raise Conflict("Somebody wrote it meanwhile. Nothing was written.")
    return found.text


def _row(
    repo: Branch,
    places: Places,
    path: str,
    before: str | None,
    after: str | None,
    *,
    is_counted: bool,
    told: Sequence[str] | None = None,
) -> Came:
    local = places.of(path)
    counts = line_counts(*(repo.text(id) if id else None for id in (before, after))) if is_counted else (None, None)
    shown = local.session.path(local.ref(path)) if local is not None else path
    return Came(printable_path(shown), path.partition("/")[0], group_of(path).partition("/")[2], *counts, *(told or ()))


def _writers_since(versions: Sequence[Version], base: str) -> list[str]:
    """The authors of the versions after the text with id `base`, without repetition."""
    since = takewhile(lambda version: version.after != base, versions)
    here = (each for each in since if each.author.kind not in (AuthorKind.BEFORE, AuthorKind.SYNCED))
    return list(dict.fromkeys(map(author_of, here)))  # of what came in, the sending machine names the author
