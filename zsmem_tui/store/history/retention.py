"""Remove versions from a history for good: a secret from all of them, or old versions beyond the retention bounds."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, HistoryError, StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Version
from zsmem_tui.store import interrupted, project_register, step_record
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.disk.places import steps_folder
from zsmem_tui.store.history import journal, review_baseline
from zsmem_tui.store.history.commit_message import Meta, message
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.review_baseline import current_ids
from zsmem_tui.store.history.version_log import Row
from zsmem_tui.store.transfer import archives

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository


FORGOTTEN: Final = b"[forgotten]"
"""Replaces a secret in a version."""

_DAY_NS: Final = 86_400 * 10**9
_ROUNDS: Final = 8


class ForgetResult(NamedTuple):
    """The number of versions with the secret, and of different texts."""

    versions: int
    texts: int


def forget(history: History, secret: bytes, *, dry_run: bool = False) -> ForgetResult:
    """Replace `secret` in every version of every file; with `dry_run`, only count. Raises `HistoryError`."""
    history.drain()
    with history.opened() as repo:
        changed: dict[str, str] = {}

        def change(id: str) -> str:
            if id and id not in changed:
                raw = repo.text(id)
                new = FORGOTTEN.decode() if dry_run else ""
                changed[id] = id if secret not in raw else new or repo.put(raw.replace(secret, FORGOTTEN))
            return changed.get(id, "")

        rows = list(history.log.rows())[::-1]
        count = sum(change(row.version.after) != row.version.after for row in rows)
        reviewed = sum(change(id) != id for id in repo.every(repo.reviewed).values())
        if dry_run:
            return ForgetResult(count, sum(new != old for old, new in changed.items()))
        if count or reviewed or is_said(rows, secret):
            _rewrite(history, repo, rows, lambda _: False, change, partial(_masked, secret))
        else:
            repo.pack_all()  # an interrupted run may have left it in an old pack
        return ForgetResult(count, sum(new != old for old, new in changed.items()))


def is_said(rows: Iterable[Row], secret: bytes) -> bool:
    """Whether the labels of steps, or names of projects in them, contain `secret`."""
    return any(_relabelled(row.version, partial(_masked, secret)) != row.version for row in rows)


def _masked(secret: bytes, words: str) -> str:
    return words.replace(secret.decode("utf-8", "surrogateescape"), FORGOTTEN.decode())


def _relabelled(version: Version, relabel: Callable[[str], str]) -> Version:
    relation = project_register.relabelled(version.relation, relabel)
    return version._replace(label=relabel(version.label), relation=relation)


def apply_retention(history: History, now: int, days: int, size: int) -> int:
    """Drop versions beyond the bounds, but never a file's newest; return the number dropped. Raises `HistoryError`.

    Of versions older than `days`, the last of each day is kept for each file. While the repository takes more than `size` bytes,
    the older half of the droppable versions is dropped. A bound of 0 is ignored. If the clock is far ahead of the newest record,
    `days` is ignored. Step records as old are deleted once no history has the step.
    """
    history.drain()
    if not os.path.isdir(history.home):
        return 0  # none is begun to drop something from it
    with history.opened() as repo:
        rows = list(history.log.rows())[::-1]
        newest = max((row.version.when for row in rows), default=0)
        if days and now - newest > days * _DAY_NS:
            days = 0
        if days:
            _forget_steps(now - days * _DAY_NS)
        dropped = 0
        for _ in range(_ROUNDS):
            going = _too_old(rows, now - days * _DAY_NS) if days else set()
            if size and _size(repo) > size:
                going |= _oldest_half(rows)
            if not going:
                break
            dropped += len(going)
            _rewrite(history, repo, rows, going.__contains__, lambda id: id, lambda label: label)
            rows = list(history.log.rows())[::-1]
        return dropped


def _forget_steps(before: int) -> None:
    """Delete the step records older than `before` whose steps are in no store's history or journal. If one is unreadable, none."""
    left = {each: each.encode() for each in step_record.known() if each[:20].isdecimal() and int(each[:20]) < before}
    homes = os.path.join(locate.state_folder(), "history")
    for name in sorted(files.list_all(homes)) if left else ():
        one = History("", lambda: 0, os.path.join(homes, name))
        places = [os.path.join(one.pending, each) for each in journal.names(one.pending)]
        if os.path.isdir(os.path.join(one.home, "git")):
            places.append(one.log.place)
        try:
            raws = [files.read(place)[0] for place in places]
        except StoreError:
            return  # its steps are unknown now
        left = {each: needle for each, needle in left.items() if not any(needle in raw for raw in raws)}
    for each in left:
        step_record.drop(each)


def _size(repo: Repository) -> int:
    """Bytes on disk of all objects."""
    places = os.walk(os.path.join(repo.home, "objects"))
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in places for name in names)


def _too_old(rows: list[Row], before: int) -> set[str]:
    """The ids of versions older than `before` that are not the last of their day for their file."""
    last: dict[tuple[str, int], str] = {}
    old = [row.version for row in rows if row.version.when < before and row.version.path]
    for version in old:
        last[version.path, version.when // _DAY_NS] = version.id
    kept = {*last.values(), *_newest(rows)}
    return {version.id for version in old if version.id not in kept}


def _oldest_half(rows: list[Row]) -> set[str]:
    kept = _newest(rows)
    free = [row.version.id for row in rows if row.version.path and row.version.id not in kept]
    return set(free[: (len(free) + 1) // 2])


def _newest(rows: list[Row]) -> set[str]:
    return set({row.version.path: row.version.id for row in rows}.values())


def _rewrite(
    history: History,
    repo: Repository,
    rows: list[Row],
    drop: Callable[[str], bool],
    change: Callable[[str], str],
    relabel: Callable[[str], str],
) -> None:
    """Rebuild the history from these rows, oldest first. A change whose previous version is dropped can no longer be undone."""
    last: dict[str, str] = {}
    cut: dict[str, int] = {}
    commits: list[tuple[dict[str, str], str, int, str]] = []
    groups: list[tuple[int, list[Version]]] = []
    for commit, group in groupby(rows, key=lambda row: row.commit):
        kept: list[Version] = []
        for _, version in group:
            path = version.path
            if path and drop(version.id):
                cut.setdefault(path, version.dropped or version.when)
                continue
            if path:
                before, after = last.get(path, ""), change(version.after)
                last[path] = after
                if path in cut:
                    version = version._replace(batch="", dropped=cut.pop(path))
                version = version._replace(before=before, after=after)
            version = version._replace(relation=review_baseline.renamed(repo, version.relation, change))
            kept.append(_relabelled(version, relabel))
        changes = {version.path: version.after for version in kept if version.path}
        if changes:
            first = next(version for version in kept if version.path)
            meta = Meta(first.when, first.origin, first.who, first.batch, first.label, first.relation)
            pairs = {version.path: (version.before, version.after) for version in kept if version.path}
            seen = current_ids(repo, review_baseline.moved_in(repo.message(commit), pairs), change)
            dropped, written = ({each.path: getattr(each, name) for each in kept} for name in ("dropped", "written"))
            commits.append((changes, message(meta, pairs, (), seen, dropped, written), meta.when, meta.who or meta.origin.value))
        groups.append((len(commits) - 1, kept))
    ids = repo.rewrite(commits, change, repo.reviewed)
    history.log.replace(_renamed(groups, ids))


def _renamed(groups: list[tuple[int, list[Version]]], ids: list[str]) -> list[Row]:
    """The rows with the ids of the new commits."""
    rows: list[Row] = []
    for place, kept in groups:
        commit = ids[place] if place >= 0 else ""
        number = 0
        for version in kept:
            id = commit[:12] + (f".{number}" if number else "")
            number += bool(version.path)
            rows.append(Row(commit, version._replace(id=id if version.path else "")))
    return rows


_OF_A_HISTORY: Final = frozenset({"versions", "known", "at-work"})
"""Files that belong to a history and are rewritten with it."""


def forget_everywhere(own: History, secret: bytes, now: Callable[[], int], *, dry_run: bool) -> tuple[int, list[str]]:
    """Mask `secret` in the whole state folder except the history `own`: (number of histories and files with it, problems).

    In the note of a step that is not finished it stays, and is a problem.
    """
    base = locate.state_folder()
    if not dry_run:
        interrupted.recover()
    count = 0
    problems: list[str] = []
    homes = os.path.join(base, "history")
    for name in sorted(files.list_all(homes)):
        home = os.path.join(homes, name)
        other = History("", now, home)
        is_one = os.path.isdir(os.path.join(home, "git")) or other.waiting()
        if is_one and os.path.realpath(home) != os.path.realpath(own.home):
            try:
                count += _forget_in(other, secret, dry_run)
            except HistoryError as error:
                problems.append(error.message)
    for folder, folders, names in os.walk(base):
        if os.path.dirname(folder) == homes:
            folders[:] = [name for name in folders if name != "git"]
            names = [name for name in names if name not in _OF_A_HISTORY]
        if folder == steps_folder():  # a note that is changed counts as incomplete: half of its step would stay
            notes = (os.path.join(folder, name) for name in names)
            held = (printable_path(note) for note in notes if secret in files.read_or_empty(note))
            problems += (f"{shown}: a step that is not finished yet." for shown in held)
            continue
        for name in names:
            try:
                count += not name.endswith(".entry") and _mask(os.path.join(folder, name), secret, dry_run)
            except StoreError as error:
                problems.append(error.message)
    return count, problems


def _forget_in(other: History, secret: bytes, dry_run: bool) -> bool:
    """Mask it in the history of another store or export folder; return whether it was there."""
    other.drain()
    with other.opened() as repo:
        if not repo.holds(secret) and not is_said(other.log.rows(), secret):
            return False
    if not dry_run:
        forget(other, secret)
    return True


def _mask(place: str, secret: bytes, dry_run: bool) -> bool:
    """Mask `secret` in one of our files, also inside a bundle of an archived project; return whether it was there."""
    raw = files.read_or_empty(place)
    if _without(secret, raw, place) == raw:
        return False
    if not dry_run:
        outcome = f"It still holds the text: delete {printable_path(place)}."
        with state.held(os.path.dirname(place), outcome):
            state.put(place, _without(secret, files.read(place)[0], place), outcome)  # what others wrote into it meanwhile stays
    return True


def _without(secret: bytes, raw: bytes, place: str) -> bytes:
    """The content of our file at `place` with `secret` masked."""
    new: bytes | None = None
    if place.endswith(".json"):
        new = _masked_json(raw, secret)
    elif ".jsonl" in os.path.basename(place):  # also one that was put aside as damaged
        rows = ((line, _masked_json(line, secret)) for line in raw.split(b"\n"))
        new = b"\n".join(line.replace(secret, FORGOTTEN) if own is None else own for line, own in rows)
    elif place.endswith(archives.ENDING):
        from zsmem_tui.store.transfer import bundle  # deferred: loads gzip and tarfile

        with contextlib.suppress(BadContent, StoreError):  # not one of our bundles
            new = bundle.replaced(place, secret, FORGOTTEN, DEFAULT) or raw
    return raw.replace(secret, FORGOTTEN) if new is None else new


def _masked_json(raw: bytes, secret: bytes) -> bytes | None:
    """A JSON document with `secret` masked in its strings, which may encode bytes as Latin-1; None if it is not JSON."""
    try:
        found = json_value(raw)
    except ValueError:
        return None
    words = {secret.decode("utf-8", "surrogateescape"), secret.decode("latin-1")}
    masked = _masked_value(found, words)
    return raw if masked == found else json.dumps(masked).encode()


def _masked_value(value: Any, words: set[str]) -> Any:
    match value:
        case str():
            for word in words:
                value = value.replace(word, FORGOTTEN.decode())
            return value
        case list():
            return [_masked_value(each, words) for each in value]
        case dict():
            return {key: _masked_value(each, words) for key, each in value.items()}
    return value
