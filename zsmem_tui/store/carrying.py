"""What the person writes is no news to them: the texts that they have seen follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.merge import Merged, merge

if TYPE_CHECKING:
    from zsmem_tui.store.repository import Repository


def carry(repo: Repository, pairs: dict[str, tuple[str, str]]) -> None:
    """What we write ourselves is no news: do the same to the texts that the person has seen."""
    seen = repo.reviewed
    changes: dict[str, str] = {}
    came_from = {before: path for path, (before, after) in pairs.items() if before and not after}
    for path, (before, after) in pairs.items():
        old = repo.find(seen, path)
        if not before and after in came_from:
            changes[path] = repo.find(seen, came_from[after])
            continue
        if old == before or not after:
            changes[path] = after
        elif old:
            found = merge(repo.text(before) if before else b"", repo.text(after), repo.text(old))
            if isinstance(found, Merged):
                changes[path] = repo.put(found.text)
    repo.set_reviewed(repo.with_changes(seen, changes))
