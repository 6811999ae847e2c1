"""Read the local files for sync: every file by its path in the branch, with its object id."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from zsmem_tui.config.model import Config
from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.checks.redact import secret_words
from zsmem_tui.core.checks.secret import mask
from zsmem_tui.core.errors import StoreError
from zsmem_tui.service.sync import groups
from zsmem_tui.service.sync.groups import Places
from zsmem_tui.store.disk import files
from zsmem_tui.store.sync.branch import Branch
from zsmem_tui.store.sync.remembered import Looks, Setup, signature

_AT_ONCE: Final = 24 * 1024 * 1024
"""The size in bytes of texts written in one pack."""

_FEW: Final = 8
_MANY_GONE: Final = 20
"""If a store loses all of at least this many files at once, it counts as unavailable, not as deleted."""


@dataclass
class Here:
    """The local files: `ids` by branch path, `unread` those that cannot be read, `left` sentences about those not synced.

    `marks` has the fingerprint of each file, taken before it was read, by local path.
    """

    ids: dict[str, str] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    left: list[str] = field(default_factory=list)
    marks: dict[str, Fingerprint] = field(default_factory=dict)


def read(repo: Branch, places: Places, masks: Collection[str], *, keep_looks: bool = True) -> Here:
    """Read the local files. `masks` are the digests of credentials that are sent masked."""
    out, looks = Here(), Looks()
    waits: list[tuple[str, str, Fingerprint, bytes]] = []

    def keep() -> None:
        raws = [raw for _, _, _, raw in waits]
        ids = repo.put_many(raws) if len(raws) > _FEW else [repo.put(raw) for raw in raws]
        for (path, place, mark, _), id in zip(waits, ids, strict=True):
            out.ids[path] = id
            looks.learn(place, mark, id)
        waits.clear()

    size = 0
    for local in places.groups.values():
        for ref, mark in local.files():
            path, place = local.path_there(ref.path), os.path.join(local.session.root, ref.path)
            if mark is not None:
                out.marks[place] = mark
            if said := local.left_out(ref, mark):
                out.left.append(said)
                continue
            if mark is not None and (id := looks.id_of(place, mark)):
                out.ids[path] = id
                continue
            try:
                raw, mark = files.read(place)
            except StoreError as error:
                if os.path.lexists(place):
                    out.unread.add(path)
                    out.left.append(f"{error.message}. It is left as it is.")
                continue
            waits.append((path, place, mark, masked(raw, masks)))
            size += len(raw)
            if size > _AT_ONCE:
                keep()
                size = 0
    keep()
    if keep_looks:
        looks.save()
    return out


def looks_now(config: Config, setup: Setup) -> str:
    """A signature of the state of all local files; empty if it cannot be computed."""
    marks: dict[str, Fingerprint] = {}
    for local in groups.every_group(config, setup):
        for ref, mark in local.files():
            if mark is None:
                return ""
            marks[os.path.join(local.session.root, ref.path)] = mark
    return signature(marks)


def fill(here: Here, base: dict[str, str], others: dict[str, str], places: Places, setup: Setup) -> None:
    """Complete the local state: files about which this machine says nothing are taken from the branch.

    Files that could never be written here, or whose group is new here, do not count as deleted: they are removed from `base`.
    """
    for folder in _unavailable(here, base, places):
        del places.groups[folder]
        places.problems.append(f"Nothing is left here of {folder}. It was deleted nowhere else; `zsmem sync setup` brings it back.")
    for path in {*base, *others}:
        local = places.of(path)
        if local is None:
            for files_ in (here.ids, base):
                files_.pop(path, None)
                if path in others:
                    files_[path] = others[path]
            continue
        if path not in setup.unwritten and not local.was_here:
            base.pop(path, None)
        if path in here.unread and path in base:
            here.ids[path] = base[path]


def _unavailable(here: Here, base: Iterable[str], places: Places) -> list[str]:
    """The groups of stores that had files and have none now: the store is unavailable, and its files were not deleted."""
    had = Counter(local.session.root for path in base if (local := places.of(path)) is not None and local.was_here)
    has = {local.session.root for path in (*here.ids, *here.unread) if (local := places.of(path)) is not None}
    away = {root for root, count in had.items() if root not in has and (count >= _MANY_GONE or not files.list_all(root))}
    return [folder for folder, local in places.groups.items() if local.session.root in away]


def masked(raw: bytes, masks: Collection[str]) -> bytes:
    """The text with those credentials masked whose digests are in `masks`."""
    if not masks:
        return raw
    text = raw.decode("utf-8", "surrogateescape")
    for secret in secret_words(text):
        if secret and digest_of(secret) in masks:
            raw = raw.replace(secret.encode("utf-8", "surrogateescape"), mask(secret).encode())
    return raw


def digest_of(secret: str) -> str:
    """A digest by which a credential is remembered without storing it."""
    return sha256(b"zsmem\0" + secret.encode("utf-8", "surrogateescape")).hexdigest()
