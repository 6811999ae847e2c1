"""Set up sync between machines (showing first what would be sent), its status, joining groups, and switching it off."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, ConfigError
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.core.sync.branch_files import group_of
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.service.stores import kinds
from zsmem_tui.service.sync import groups
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside
from zsmem_tui.store.sync import branch, remembered
from zsmem_tui.store.sync.place import Place, checked, is_folder, make_repository
from zsmem_tui.store.sync.remembered import Machine, Setup
from zsmem_tui.store.sync.remote import opened

_NOTHING: Final = "Nothing was set up."

_NO_BRANCH: Final = re.compile(r"\A[-/.]|[/.]\Z|\.lock(?:/|\Z)|//|/\.|\.\.|@\{|[\x00-\x20\x7f~^:?*\[\\]")
"""What the name of a branch has not in it."""


class GroupGoing(NamedTuple):
    """One group that would be sent: its branch folder, and its number of files and bytes."""

    group: str
    folder: str
    files: int
    size: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What a setup would send and where, before anything is sent."""

    setup: Setup
    going: tuple[GroupGoing, ...]
    left: tuple[str, ...]
    has_branch: bool
    """Whether the branch exists at the remote, so that files may come in too."""
    is_new: bool = False
    """Whether the repository does not exist yet and would be created."""

    @property
    def said(self) -> str:
        """The offer in a sentence."""
        count, size = sum(each.files for each in self.going), sum(each.size for each in self.going)
        missing = "That repository is not there yet: it is made." if self.is_new else "That branch is not there yet."
        there = "What is in that branch comes here." if self.has_branch else missing
        return (
            f"{counted(count, 'file')} of {counted(len(self.going), 'group')}, {size:,} bytes, would go to {self.setup.shown}, "
            f"branch {self.setup.branch}, from the machine {self.setup.machine.name}. {there}"
        )


def offer(config: Config, remote: str, *, branch_name: str = "zsmem", stores: Sequence[str] = (), machine: str = "") -> Offer:
    """Prepare a setup without sending or storing anything. Raises `BadTarget` or `RemoteFailed`."""
    url = checked(remote, locate.working_folder())
    if not branch_name or _NO_BRANCH.search(branch_name):
        raise BadTarget(f"{printable_path(branch_name)!r} cannot be a branch. {_NOTHING}")
    for kind in stores:
        if kind not in kinds():
            raise BadTarget(
                f"There is no kind of store {kind!r}.{did_you_mean(kind, kinds())} {_NOTHING}", f"Kinds are {', '.join(kinds())}."
            )
    try:
        setup = remembered.load()
    except ConfigError:  # it is replaced
        setup = Setup()
    if not setup.machine.id or machine:
        setup.machine = Machine(remembered.new_machine(machine).name, setup.machine.id or remembered.new_machine().id)
    if (setup.remote, setup.branch) != (url, branch_name):
        setup.base, setup.groups, setup.both = "", {}, []
    setup.remote, setup.branch, setup.is_on = url, branch_name, True
    by_default = (kind for kind in kinds() if (found := registry.agent(kind)) is not None and found.travels)
    setup.stores = list(dict.fromkeys(stores or setup.stores or by_default))
    setup.placed, setup.unwritten, setup.made, setup.writing = [], {}, "", {}
    setup.signature = setup.problem = ""
    places = groups.found_here(config, setup, {})
    if is_folder(url):
        _check_folder(url, places)
    branch.make_anew()
    is_new = is_folder(url) and not files.list_all(url)
    has_branch = False if is_new else bool(opened(Place(url, branch_name, branch.home())).head())
    going, left = [], list(places.problems)
    for folder, local in sorted(places.groups.items()):
        count = size = 0
        for ref, mark in local.files():
            if said := local.left_out(ref, mark):
                left.append(said)
            elif mark is not None:
                count, size = count + 1, size + mark.size
        if count:
            going.append(GroupGoing(folder, local.folder, count, size))
    return Offer(setup, tuple(going), tuple(left), has_branch, is_new)


def confirm(made: Offer) -> None:
    """Set up what was offered. Raises `BadTarget`, `RemoteFailed` or `WriteFailed`."""
    if is_folder(made.setup.remote):
        make_repository(made.setup.remote)
    with remembered.held():
        remembered.save(made.setup)


def _check_folder(url: str, places: groups.Places) -> None:
    """Raise `BadTarget` if the remote folder lies in memory or contains it."""
    for root in (*dict.fromkeys(each.session.root for each in places.groups.values()), locate.state_folder()):
        if is_inside(url, root) or is_inside(root, url):
            raise BadTarget(
                f"{printable_path(url)} cannot be the remote: it lies in {printable_path(root)}, or has that in it. {_NOTHING}"
            )


def status() -> Setup:
    """The setup with those `both` that are still there, without asking the remote. Raises `ConfigError`."""
    from zsmem_tui.service.sync.deciding import still_there  # deferred: loads the merge, which the status line does not need

    setup = remembered.load()
    if not setup.remote:
        return Setup(branch="")
    setup.both = still_there(setup.both)
    return setup


def join(config: Config, group: str, folder: str, *, dry_run: bool = False) -> str:
    """Record which local folder belongs to a group of another machine; the next sync writes it there. Raises `BadTarget`."""
    with remembered.held():
        setup = remembered.load()
        if not setup.is_on:
            raise BadTarget("Sync is not set up. Nothing was joined.", "`zsmem sync setup REMOTE` shows what would go, and asks.")
        place = os.path.normpath(os.path.join(locate.working_folder(), locate.expanded(folder)))
        if not os.path.isdir(place):
            raise BadTarget(f"{printable_path(place)} is no folder. Nothing was joined.")
        known = [str(each["group"]) for each in setup.waiting]
        named = _named(group, known) or [str(each["group"]) for each in setup.waiting if each.get("name") == group]
        if len(named) != 1:
            why = "means several groups" if named else "is no group that waits for a folder"
            raise BadTarget(
                f"{printable_path(group)} {why}. Nothing was joined.", f"Groups that wait: {', '.join(named or known) or 'none'}."
            )
        setup.joins[named[0]] = place
        kind = named[0].partition("/")[0]
        key = groups.key_of(config, kind, place)
        own = setup.groups.get(kind, {})
        if key in own:
            own[key] = named[0]  # the folder's existing memory becomes part of the group
        setup.placed = [each for each in setup.placed if each != named[0]]
        setup.signature = ""
        if not dry_run:
            remembered.save(setup)
        return f"{named[0]} {_is(dry_run)} {printable_path(place)} from now on. `zsmem sync` brings it there."


def texts_of(group: str) -> dict[str, bytes]:
    """The files of a group in the branch as of the last sync, by path, even without a folder here. Raises `BadTarget`."""
    setup = remembered.load()
    if not setup.base or not branch.read_reference(branch.BASE):
        raise BadTarget("Nothing was synced yet: of no group is it known what it holds.", "`zsmem sync` brings it.")
    with closing(branch.Branch()) as repo:
        held = repo.listed(setup.base).files
        every = dict.fromkeys(map(group_of, held))
        named = _named(group, every)
        if len(named) != 1:
            why = "means several groups" if named else "is no group of the branch"
            raise BadTarget(
                f"{printable_path(group)} {why}. Nothing was read.", f"Groups are {', '.join(named or every) or 'none'}."
            )
        return {path: repo.text(id) for path, id in held.items() if group_of(path) == named[0]}


def _named(group: str, known: Iterable[str]) -> list[str]:
    """The groups that a name means: the full name, or without the kind of store."""
    return [each for each in known if group in (each, each.partition("/")[2])]


def candidates(config: Config) -> dict[str, str]:
    """Map waiting groups to the local folder that they may belong to, if exactly one has the same name."""
    setup = remembered.load()
    known, _ = groups.stores_of(config, setup)
    named = grouped((os.path.basename(folder), folder) for folder in known)
    same = {str(each["group"]): named.get(each.get("name", ""), []) for each in setup.waiting}
    return {group: folders[0] for group, folders in same.items() if len(folders) == 1}


def _is(dry_run: bool) -> str:
    return "would be" if dry_run else "is"


def off(*, forget_remote: bool = False, dry_run: bool = False) -> str:
    """Switch sync off: nothing is sent or fetched any more. Raises `ConfigError` or `WriteFailed`."""
    with remembered.held():
        setup = remembered.load()
        if not setup.remote and not forget_remote:
            raise BadTarget("Sync is not set up. Nothing was done.")
        if forget_remote and not dry_run:
            remembered.forget()
            branch.drop()
        if forget_remote:
            done = _is(dry_run)
            return f"Sync {done} off, and what was remembered of the remote {done} gone. The remote keeps what it has."
        setup.is_on = False
        if not dry_run:
            remembered.save(setup)
        return f"Sync {_is(dry_run)} off. {setup.shown} keeps what it has, and so does this machine."
