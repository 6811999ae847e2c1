"""Purge a text from the sync branch and its history at the remote; other machines notice that and purge it too."""

from __future__ import annotations

from contextlib import closing

from zsmem_tui.core.errors import BadTarget, Conflict, HistoryError
from zsmem_tui.core.sync.texts import FORGOTTEN, forgotten_in
from zsmem_tui.core.text import counted
from zsmem_tui.store.sync import branch, remembered
from zsmem_tui.store.sync.branch import BASE, Branch
from zsmem_tui.store.sync.place import Place, Remote
from zsmem_tui.store.sync.remote import opened


def remote_holding(secret: bytes) -> str:
    """The remote that has a text too, as of the last sync; empty if it does not. Raises `ConfigError` or `HistoryError`."""
    setup = remembered.load()
    if not setup.base or not branch.read_reference(BASE):
        return ""
    with closing(Branch()) as repo:
        texts, _, _ = _rewritten(repo, setup.base, secret, dry_run=True)
    return setup.shown if texts else ""


def forget(secret: bytes, *, dry_run: bool = False) -> str:
    """Rewrite the branch without a text, here and at the remote; return a summary. Raises `BadTarget`, `RemoteFailed` or
    `Conflict`.
    """
    with branch.at_work():
        setup = remembered.load()
        if not setup.remote:
            raise BadTarget("Sync is not set up: there is no remote to forget it at. Nothing was forgotten there.")
        branch.make_anew()
        place = Place(setup.remote, setup.branch, branch.home())
        remote = opened(place)
        head = remote.head()
        with closing(Branch()) as repo:
            if not head:
                return f"{place.shown} has no branch {setup.branch}: nothing to forget there."
            if not repo.has(head):
                remote.fetch()
            texts, made, changed = _rewritten(repo, head, secret, dry_run)
        if not texts:
            return f"{place.shown} does not hold it."
        if dry_run:
            return f"Would take it out of {counted(texts, 'text')} at {place.shown}."
        if not remote.push(made, head, force=True):
            raise Conflict("Another machine was first. Nothing was forgotten at the remote.", "Sync, then forget it once more.")
        setup.both = [each for each in setup.both if secret.decode("utf-8", "replace") not in str(each)]
        begin_anew(remote, changed.get(setup.base, ""), setup)
    return f"{place.shown} does not hold it any more: {counted(texts, 'text')} changed. Its own copies and backups may."


def _rewritten(repo: Branch, head: str, secret: bytes, dry_run: bool) -> tuple[int, str, dict[str, str]]:
    """Rewrite all commits without a text: (number of texts changed, last commit, map from old to new commits)."""
    texts: dict[str, str] = {}

    def without(id: str) -> str:
        if id not in texts:
            raw = repo.text(id)
            texts[id] = repo.put(raw.replace(secret, FORGOTTEN)) if secret in raw and not dry_run else "!" if secret in raw else id
        return texts[id]

    made: dict[str, str] = {}
    before = last = ""
    for commit, _ in repo.told_since(head):
        folder = repo.folder_of(commit)
        now = repo.every(folder)
        changes = {path: without(id) for path, id in now.items() if without(id) != id}
        if dry_run:
            continue
        goal = repo.with_changes(folder, changes)
        said = repo.message(commit).replace(secret.decode("utf-8", "replace"), FORGOTTEN.decode())
        last = repo.commit_on(before, goal, branch.with_former(said, commit), *repo.made(commit))
        made[commit] = before = last
    return sum(new != id for id, new in texts.items()), last, made


def begin_anew(remote: Remote, base: str, setup: remembered.Setup) -> None:
    """Recreate the local copy of the branch without old objects. Raises `RemoteFailed`."""
    branch.drop()
    remembered.forget_looks()
    branch.make_anew()
    setup.base, setup.signature = base, ""
    remembered.save(setup)
    remote.fetch()
    with closing(Branch()) as repo:
        if base and repo.has(base):
            repo.point(BASE, base)


def followed(repo: Branch, head: str, old: str) -> tuple[str, list[bytes]]:
    """The rewritten commit for an old one, and the purged texts; empty if it was not rewritten."""
    commit = next((commit for commit, told in repo.told_since(head) if told.was == old), "")
    if not commit:
        return "", []
    try:
        before, after = repo.listed(old).files, repo.listed(commit).files
        pairs = [(repo.text(id), repo.text(after[path])) for path, id in before.items() if after.get(path, id) != id]
    except HistoryError:
        return commit, []
    return commit, [secret for secret in dict.fromkeys(forgotten_in(*pair) for pair in pairs) if secret]
