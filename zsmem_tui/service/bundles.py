"""The whole store, or some projects, as one file; and back."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import IO, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.changes import Origin
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadTarget, Missing, StoreError, WriteFailed
from zsmem_tui.core.names import project_name
from zsmem_tui.core.render import counted
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.importing import Fate, Policy
from zsmem_tui.service.session import Session
from zsmem_tui.store import bundle, files


class Placed(NamedTuple):
    """A file of a bundle with its target in the store and its fate."""

    source: str
    path: str
    fate: Fate
    reason: str
    ticked: bool


class BundlePlan(NamedTuple):
    """What an import of a bundle would do; all of it was checked, and nothing is written yet."""

    place: str
    contents: bundle.Contents
    files: tuple[Placed, ...]
    policy: Policy


def export(session: Session, out: IO[bytes], projects: list[str] | None = None) -> int:
    """Write the store, or these projects, as a bundle; how many files. Raises `Missing` or `StoreError`."""
    paths = []
    for folder, folders, names in os.walk(session.root):
        folders[:] = sorted(name for name in folders if not name.startswith(".zsmem"))
        for name in names:
            whole = os.path.join(folder, name)
            path = os.path.relpath(whole, session.root)
            if os.path.isfile(whole) and not os.path.islink(whole) and ".zsmem-" not in name and _is_wanted(path, projects):
                paths.append(path)
    if not paths:
        raise Missing(session.root, f"{printable_path(session.root)}: there is nothing to export.")
    known = {session.project: session.folder} if session.folder and (projects is None or session.project in projects) else {}
    return bundle.write(session.root, paths, known, out)


def export_to(session: Session, place: str, projects: list[str] | None = None) -> int:
    """Write a bundle to a file, in one step; how many files are in it. Raises `BadTarget`, `Missing` or `StoreError`."""
    place = locate.expanded(place)
    if os.path.realpath(place).startswith(f"{os.path.realpath(session.root)}/"):
        raise BadTarget(f"{printable_path(place)} lies in the store itself. Nothing was written.")
    part = f"{place}.part"
    try:
        with open(part, "wb") as stream:
            count = export(session, stream, projects)
        os.replace(part, place)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. Nothing was written.") from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)
    return count


def plan(session: Session, place: str, *, into: str = "", policy: Policy = Policy.SKIP) -> BundlePlan:
    """What an import would do. `into` gives the bundle's only project another slug. Raises `BadTarget`, `BadContent`, `BadName`."""
    place = locate.expanded(place)
    if not os.path.isfile(place):
        raise Missing(place, f"{printable_path(place)}: No such file. Nothing was imported.")
    bundle.recover(session.root)
    contents = bundle.look(place)
    slugs = {member.path.split("/")[1] for member in contents.members if member.path.startswith("projects/")}
    if into and len(slugs) != 1:
        raise BadTarget(f"The bundle has {len(slugs)} projects, so --into cannot say which one is meant. Nothing was imported.")
    own = project_name(into) if into else ""
    placed = []
    for member, raw in bundle.texts(place, contents):
        path = f"projects/{own}/{member.path.split('/', 2)[2]}" if own and member.path.startswith("projects/") else member.path
        placed.append(_fate(session, member.path, path, raw, policy))
    return BundlePlan(place, contents, tuple(placed), policy)


def apply(session: Session, wanted: BundlePlan) -> str:
    """Put in what was planned, all or none; a sentence. One step to undo. Raises `BadContent` or `StoreError`."""
    targets = {each.source: each.path for each in wanted.files if each.ticked}
    recorder = session.recorder(f"Imported {os.path.basename(wanted.place)}", Origin.IMPORTED)

    def batch() -> Iterator[tuple[str, bytes, int]]:
        for member, raw in bundle.texts(wanted.place, wanted.contents):
            path = targets.get(member.path)
            if path is not None:
                yield path, _merged(session, path, raw) if wanted.policy is Policy.MERGE else raw, member.mode

    written = bundle.put_in(session.root, batch(), recorder) if targets else []
    left = len(wanted.files) - len(written)
    return f"Imported {counted(len(written), 'file')}; {left} were there already or left out."


def texts(session: Session, wanted: BundlePlan, source: str) -> tuple[bytes | None, bytes]:
    """What stands where a file of the bundle would go (None: nothing), and what would stand there. Raises `BadContent`."""
    path = next(each.path for each in wanted.files if each.source == source)
    try:
        now: bytes | None = files.read(os.path.join(session.root, path))[0]
    except StoreError:
        now = None
    for member, raw in bundle.texts(wanted.place, wanted.contents):
        if member.path == source:
            return now, _merged(session, path, raw) if wanted.policy is Policy.MERGE else raw
    return now, b""


def _fate(session: Session, source: str, path: str, raw: bytes, policy: Policy) -> Placed:
    try:
        now = files.read_if_there(os.path.join(session.root, path))
    except StoreError as error:
        return Placed(source, path, Fate.SKIPPED, error.message, False)
    if now == raw:
        return Placed(source, path, Fate.DUPLICATE, "it is there already", False)
    if now is None:
        return Placed(source, path, Fate.ADD, "", True)
    if policy is Policy.RENAME:
        stem, ending = os.path.splitext(path)
        free = next(
            f"{stem}-{number}{ending}"
            for number in range(2, 10_000)
            if not os.path.lexists(f"{session.root}/{stem}-{number}{ending}")
        )
        return Placed(source, free, Fate.CONFLICT, "another text has its name: rename", True)
    taken = policy in (Policy.REPLACE, Policy.MERGE)
    return Placed(source, path, Fate.CONFLICT, f"another text has its name: {policy}", taken)


def _merged(session: Session, path: str, raw: bytes) -> bytes:
    now = files.read_if_there(os.path.join(session.root, path))
    return raw if now is None else keep_both(now, raw)


def _is_wanted(path: str, projects: list[str] | None) -> bool:
    if projects is None:
        return True
    parts = path.split("/")
    return parts[0] == "projects" and len(parts) > 2 and parts[1] in projects
