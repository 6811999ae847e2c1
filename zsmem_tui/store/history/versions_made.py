"""Versions as commits tell of them: what goes into the list of all versions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.version import Version, is_wiped, line_counts
from zsmem_tui.store.history.commit_message import Meta, meta_of
from zsmem_tui.store.history.version_log import Row, VersionLog

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository

Lines = Mapping[str, int]
"""How many lines texts have, by their ids: those that were counted already."""

NOT_COUNTED: Final[Lines] = MappingProxyType({})


def version_of(
    repo: Repository, number: int, commit: str, path: str, pair: tuple[str, str], meta: Meta, lines: Lines = NOT_COUNTED
) -> Version:
    """What a commit did to the file at `path`, which is the one at `number` among those it changed. Raises `HistoryError`."""
    id = commit[:12] + (f".{number}" if number else "")
    if not pair[0] and pair[1] in lines:
        return Version(id, path, *meta, *pair, lines[pair[1]], 0, False)
    old, new = (repo.text(id) if id else None for id in pair)
    added, removed = line_counts(old, new)
    wiped = not meta.origin.is_ours and not meta.relation and is_wiped(old, new)
    return Version(id, path, *meta, *pair, added, removed, wiped)


def made_anew(log: VersionLog, repo: Repository) -> None:
    """Make the list of versions say what the commits say. Raises `HistoryError`."""
    last = log.last_commit()
    try:
        records = repo.since(last)
        rows = list(log.rows())[::-1] if last else []
    except HistoryError:
        records, rows = repo.since(""), []
    for record in records:
        meta = meta_of(record.message)
        rows += [
            Row(record.id, version_of(repo, number, record.id, path, pair, meta))
            for number, (path, pair) in enumerate(sorted(record.changes.items()))
        ]
        if not record.changes:
            rows.append(Row(record.id, Version("", "", *meta, "", "", 0, 0)))
    log.replace(rows)
