"""Resolve where an export goes: the stores of another agent and the group in each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import MAIN, Spot, Wish
from zsmem_tui.agents.places import Where
from zsmem_tui.config import locate
from zsmem_tui.core.append import appended_alike, deduplicate, in_lf
from zsmem_tui.core.errors import BadTarget, MemError, WriteFailed
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.globs import Globs, matches_any
from zsmem_tui.core.layout import WORDS, Layout, foreign_problem, group_label
from zsmem_tui.core.names import note_stem, project_slug
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import grouped, is_utf8, printable_path
from zsmem_tui.service import formats, instructions, stores
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk.files import list_problem, root_problem
from zsmem_tui.store.disk.listing import DiskHeads
from zsmem_tui.store.disk.places import overlap
from zsmem_tui.store.disk.tree import BelowTree, DiskTree, ListedTree
from zsmem_tui.store.scan import project_slugs

NOTHING: Final = "Nothing was exported"
_FOLDER: Final = "DIR"
"""Stands for a folder that somebody names."""


@dataclass(frozen=True, slots=True)
class Target:
    """One store to write to. `problem` is a clause that says why nothing can go there; the other fields are void then.

    The layout's paths may be below `strip`, a folder that does not exist (`agents.outgoing.Spot`).
    """

    session: Session
    layout: Layout
    tree: DiskTree
    group: str = ""
    strip: str = ""
    problem: str = ""
    beside: tuple[tuple[str, bytes], ...] = ()

    def place(self, path: str) -> str:
        """Convert a path of the layout to one relative to the session's root."""
        return path.removeprefix(f"{self.strip}/") if self.strip else path

    def path_of(self, place: str) -> str:
        """Convert a path relative to the session's root to one of the layout."""
        return f"{self.strip}/{place}" if self.strip else place

    def bare(self, place: str, raw: bytes) -> bytes:
        """The text of a file there, without the frontmatter of its kind."""
        return in_lf(self.layout.dress.unwrapped(self.path_of(place), raw).body).strip(b"\n")

    def words(self, place: str, raw: bytes) -> bytes:
        """The text of a note there without any frontmatter, by which it is known whatever its name; empty if it has none."""
        return split_frontmatter(self.bare(place, raw))[1].strip(b"\n")


@dataclass(frozen=True, slots=True)
class Targets:
    """The stores of a format by the writer's name for them, and the wish with the group resolved."""

    wish: Wish
    by_spot: Mapping[str, Target]


def open_targets(
    session: Session,
    writer: Format,
    path: str,
    group: str,
    user: str,
    also: Globs = "",
    in_prompt: Globs = "",
    *,
    is_store: bool = False,
) -> Targets:
    """The stores that an export of the session's project goes to, inside of `path`; of a store (`is_store`) also what is beside it.

    Raises `BadTarget`, `ConfigError` or `StoreError`.
    """
    taken, prompted = (partial(matches_any, globs=globs) for globs in (also, in_prompt))
    wish = _wish(session, writer, path, group, user)._replace(also=taken, in_prompt=prompted)
    spots = writer.spots(wish)
    if not spots:
        raise BadTarget(f"Name the folder to export {writer.name} to. {NOTHING}.", f"As in {_in_folder(writer.name)}.")
    found = {name: _target(session, writer, _inside(spot, "" if is_store else wish.path), user) for name, spot in spots.items()}
    for target in found.values():
        if not target.problem:
            _refuse_no_folder(target.session.root)
        if not target.problem and overlap(target.session.root, session.root):
            shown = printable_path(target.session.root)
            raise BadTarget(f"{shown} is, or holds, or lies in the store itself. {NOTHING}.")
    return Targets(wish._replace(group=found[MAIN].group), found)


def _inside(spot: Spot, path: str) -> Spot:
    """A spot with a problem if it is neither below the named path nor around it."""
    if not path or spot.problem or overlap(spot.root, path):
        return spot
    where, named = (printable_path(locate.shortened(each)) for each in (spot.root, path))
    return spot._replace(problem=f"its place is {where}, which is outside of {named}")


class Whose(NamedTuple):
    """The choices if a group has to be named: the kind of group, the existing groups, and users.

    With `by_folder`, another group is named by its folder.
    """

    kind: str
    groups: tuple[str, ...]
    users: tuple[str, ...]
    by_folder: bool = False


def whose(session: Session, name: str, path: str) -> Whose | None:
    """Whose memory an export to that format may go to; None if there is no choice.

    Raises `BadTarget`, `ConfigError` or `StoreError`.
    """
    writer = formats.of_agent(name, NOTHING)
    wish = _wish(session, writer, path, "", "")
    spot = next(iter(writer.spots(wish).values()), None)
    if spot is None or spot.problem or not writer.group_kinds:
        return None
    there = project_slugs(spot.root, stores.kind_of(spot.kind).layout(_where(session, spot)))
    by_folder = _is_by_folder(writer, spot)
    own = spot.group or (_own_group(session, writer, spot) if by_folder else "")
    groups = () if own else tuple(each for each in there if each.partition(":")[0] in writer.group_kinds)
    users = tuple(each.partition(":")[2] for each in there if each.startswith("user:"))
    is_plain = (bool(own) or (len(groups) == 1 and not by_folder)) and not users
    return None if is_plain else Whose(writer.group_kinds[0], groups or ((own,) if own else ()), users, by_folder)


def unknown_folder(session: Session, name: str) -> str:
    """A clause on the folder of the session's memory if that agent has to work in it before it keeps memory of it; else empty."""
    with suppress(MemError):  # the plan says why
        found, folder = whose(session, name, ""), folder_of(session)
        return _not_yet(formats.of_agent(name), folder) if found is not None and found.by_folder and folder else ""
    return ""


def usual_places(session: Session, name: str) -> list[str]:
    """Where that agent keeps the memory of the session's folder, to which an export goes that names no place; empty if unknown."""
    writer = formats.of_agent(name, NOTHING)
    with suppress(MemError):  # the plan says why
        spots = writer.spots(_wish(session, writer, "", "", "")).values()
        roots = grouped((os.path.dirname(each.root), each.root) for each in spots if not each.problem)
        return [above if len(own) > 1 else own[0] for above, own in roots.items()]
    return []


def _not_yet(writer: Format, folder: str) -> str:
    return f"{writer.title} has not worked in {printable_path(locate.shortened(folder))} yet: start it there once"


def is_here(session: Session, name: str) -> bool:
    """Whether the agent of that format keeps this folder's memory in the session's own store."""
    writer = formats.of_agent(name, NOTHING)
    spots = writer.spots(_wish(session, writer, "", "", ""))
    is_own_place = writer.finds_its_place and not spots  # there is no other one
    return is_own_place or any(bool(spot.root) and overlap(spot.root, session.root) for spot in spots.values())


def group_problem(session: Session, name: str, path: str, group: str) -> str:
    """Why nothing can be exported to that group, as a sentence; empty if it can."""
    try:
        main = next(iter(open_targets(session, formats.of_agent(name, NOTHING), path, group, "").by_spot.values()))
    except MemError as error:
        return error.message
    return f"{main.problem[:1].upper()}{main.problem[1:]}." if main.problem else ""


def other_place(session: Session, name: str) -> str:
    """How to export into a folder instead, as a sentence; empty if nothing could be exported there either."""
    return f"Or name a folder, as in {_in_folder(name)}." if not group_problem(session, name, _FOLDER, "") else ""


def _in_folder(name: str) -> str:
    return f"`zsmem export {name} {_FOLDER}`, or `zsmem import FORMAT --to {name}:{_FOLDER}`"


def _wish(session: Session, writer: Format, path: str, group: str, user: str) -> Wish:
    named = locate.expanded(path)
    if "\0" in named:
        raise BadTarget(f"A folder's name cannot hold a NUL byte. {NOTHING}.")
    if named:
        named = os.path.normpath(os.path.join(locate.working_folder(), named))
    elif writer.name == DEFAULT.kind:
        usual = locate.absolute(session.config.root) or locate.memory_root()
        named = "" if overlap(usual, session.root) else usual
    if group and not writer.group_kinds and writer.name != DEFAULT.kind:
        raise BadTarget(
            f"{writer.title} keeps no memory by group, and --group {printable_path(group)} says whose it becomes there. {NOTHING}.",
            f"Beside --store it says whose goes out: `zsmem export {writer.name} --store {session.layout.kind} --group NAME`.",
        )
    agent = registry.kind(writer.name)
    folder = folder_of(session) if agent is None else stores.project_folder(agent, folder_of(session))
    wish = Wish(named, folder, locate.home_folder(), locate.environment(), os.path.isdir, group, user)
    if writer.name == DEFAULT.kind and not group:
        own = session.project if session.layout.kind == DEFAULT.kind else ""
        wish = wish._replace(group=own or (project_slug(wish.folder) if wish.folder else ""))
    return wish


def _refuse_no_folder(root: str) -> None:
    """Raise `WriteFailed` if a file is in the way of a store's root, or the root cannot be listed: it would be taken for empty."""
    place = root
    while not os.path.lexists(place) and os.path.dirname(place) != place:
        place = os.path.dirname(place)
    if problem := root_problem(place) or list_problem(place):
        raise WriteFailed(place, f"{problem} {NOTHING}.")


def folder_of(session: Session) -> str:
    """The folder of the session's project; empty if unknown.

    In a store for many folders, that of the session's group, which may differ from the current folder.
    """
    working = locate.working_folder()
    folder = session.folder or (working if working and project_slug(working) == session.project else "")
    agent = registry.kind(session.layout.kind)
    if agent is None:
        return folder if folder or session.project == EVERYBODY else _registered(session)
    heads = DiskHeads(session.root)
    here = stores.project_folder(agent, folder) if folder else ""
    if own := agent.folder_of(session.root):
        return folder if here == own else own
    group = agent.group(here, heads) if here else ""
    if session.project == EVERYBODY or group == session.project or not agent.group("/", heads):
        return folder
    if session.project.partition(":")[0] != agent.group("/", heads).partition(":")[0]:
        return folder  # a group without a folder, such as a sub-agent's
    told = dict(agent.folders(heads)).get(session.project, "")
    known = (each.folder for each in known_folders(folder))
    found = next((each for each in known if agent.group(stores.project_folder(agent, each), heads) == session.project), "")
    return told or found or _registered(session)


def _registered(session: Session) -> str:
    """The existing folder of the session's project according to the register; empty if it has none."""
    known = known_projects(session).of(session.project)
    return known.verdict.folder if known is not None and known.verdict.state is State.HERE else ""


def _target(session: Session, writer: Format, spot: Spot, user: str) -> Target:
    if spot.problem:
        return Target(session, session.layout, DiskTree(""), problem=spot.problem)
    if spot.strip:
        other = stores.open_store(session.config, f"markdown:{spot.root}", cwd=session.folder, clock=session.clock)
        where = Where(spot.root, session.folder, locate.home_folder(), user, session.clock)
        return Target(other, stores.kind_of(spot.kind).layout(where), BelowTree(spot.root, spot.strip), spot.group, spot.strip)
    group, problem = _group(session, writer, spot)
    if problem:
        return Target(session, session.layout, DiskTree(""), problem=problem)
    if spot.kind == instructions.KIND:
        other = instructions.open_folder(session.config, spot.root, clock=session.clock)
    else:
        place = f"{spot.kind}:{spot.root}"
        other = stores.open_store(session.config, place, group=group, cwd=session.folder, user=user, clock=session.clock)
    return Target(other, other.layout, ListedTree(spot.root), group, beside=spot.beside)


def _where(session: Session, spot: Spot) -> Where:
    return Where(spot.root, session.folder, locate.home_folder(), "", session.clock)


def _is_by_folder(writer: Format, spot: Spot) -> bool:
    """Whether a group of the format's first kind belongs to a folder."""
    return stores.kind_of(spot.kind).group("/", DiskHeads(spot.root)).startswith(f"{writer.group_kinds[0]}:")


def _by_folder(writer: Format, spot: Spot, name: str) -> tuple[str, str]:
    """(group, reason) like `_group`, looking only at this folder, or at the agent's name for a folder's memory."""
    agent, heads = stores.kind_of(spot.kind), DiskHeads(spot.root)
    if "/" in name or name.startswith(("~", ".", "$HOME")) or os.path.isdir(name):
        folder = locate.absolute(name)
        if not os.path.isdir(folder):
            return "", f"there is no folder {printable_path(locate.shortened(folder))}"
        found = agent.group(stores.project_folder(agent, folder), heads)
        return (found, "") if found else ("", _not_yet(writer, folder))
    group = f"{writer.group_kinds[0]}:{name}"
    if name.startswith("-") or group in dict(agent.folders(heads)):
        return group, ""
    return "", f"{printable_path(name)!r} is neither a folder nor a project of {writer.title}: name the project's folder"


def _own_group(session: Session, writer: Format, spot: Spot) -> str:
    """The group of the project's folder; empty if the agent has none for it."""
    agent, folder = stores.kind_of(spot.kind), folder_of(session)
    own = agent.group(stores.project_folder(agent, folder), DiskHeads(spot.root)) if folder else ""
    return own if own.partition(":")[0] in writer.group_kinds else ""


def _group(session: Session, writer: Format, spot: Spot) -> tuple[str, str]:
    """(group, reason): the group to write to, or a clause that says why there is none."""
    if not writer.group_kinds:
        return spot.group, ""
    layout = stores.kind_of(spot.kind).layout(_where(session, spot))
    first = writer.group_kinds[0]
    by_folder = _is_by_folder(writer, spot)
    if spot.group:
        named = spot.group if ":" in spot.group else f"{first}:{spot.group}"
        kind, _, name = named.partition(":")
        if by_folder and kind == first and named not in project_slugs(spot.root, layout):
            named, problem = _by_folder(writer, spot, name)
            if problem:
                return "", problem
        if kind in writer.group_kinds and layout.project_folders(named):
            return named, ""
        if layout.project_folders(named):
            return "", f"{writer.title} takes it for a {first}, not for {printable_path(group_label(layout, named))}"
        return "", f"{writer.title} takes no group called {printable_path(spot.group)!r}"
    if by_folder:
        if own := _own_group(session, writer, spot):
            return own, ""
        if folder := folder_of(session):
            return "", _not_yet(writer, folder)
        return "", "the folder of this memory is not known: name it with --group"
    there = [each for each in project_slugs(spot.root, layout) if each.partition(":")[0] in writer.group_kinds]
    if len(there) == 1:
        return there[0], ""
    shown = ", ".join(printable_path(each.partition(":")[2]) for each in there[:5])
    has = f"more than one {first} ({shown})" if there else f"no {first} yet"
    return "", f"{writer.title} has {has}: name one with --group"


JOINED: Final = (Role.FACTS, Role.CHECKLIST, Role.LOG)
"""Roles of files to which text is appended."""


def goal_of(root: str, layout: Layout, role: Role, group: str, name: str, shown: str = "") -> MemRef | str:
    """The target for a text of a role and name in a group of the store at `root`; or a clause that says why there is none.

    `shown` is the displayed name of the group, if it differs.
    """
    if role is Role.NOTE:
        name = note_stem(name.replace(".", "-").replace("/", "-"))
    found = layout.ref(role, group, name)
    if found is not None:
        problem = foreign_problem(layout, found.path)
        return f"{printable_path(found.path)}: {problem}" if problem else found
    if layout.ref(role, group, "name") is not None or layout.ref(role, group, "2026-01-01") is not None:
        return f"{layout.kind} does not take the name {printable_path(name)!r}: give it another"
    if any(layout.ref(role, each, "name") is not None for each in project_slugs(root, layout)):
        whose = "for everybody" if group == EVERYBODY else f"in {shown or printable_path(group)}"
        return f"{layout.title} has no {WORDS[role]} {whose}: choose another group"
    return f"{layout.title} has no {WORDS[role]}"


def joined(now: bytes, body: bytes, role: Role) -> bytes | None:
    """`now` with `body` appended, without lines that it has already; None if it has all of them."""
    more = in_lf(body.removeprefix(b"\xef\xbb\xbf")).strip(b"\n")
    if not more.strip() or more in in_lf(now):
        return None
    if role is not Role.LOG and is_utf8(now) and is_utf8(more):
        kept = deduplicate(now.decode(), more.decode()).kept
        if kept is None:
            return None
        more = kept.encode()
    elif role is Role.LOG:
        more = b"\n" + more
    return appended_alike(now, more)
