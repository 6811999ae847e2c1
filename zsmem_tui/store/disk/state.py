"""Files of our own in the state folder: written durably, readable by their owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zsmem_tui.config import locate
from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, lock
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.disk.replace import replacing, sweep


def folder(kind: str, root: str) -> str:
    """Where things of a kind are kept for a store: the same place for every way to write the root's path."""
    return os.path.join(locate.state_folder(), kind, _key(root))


def folders_of(root: str) -> list[str]:
    """Every folder in which something is kept for a store."""
    base = locate.state_folder()
    try:
        kinds = os.listdir(base)
    except OSError:
        return []
    return [place for kind in kinds if os.path.isdir(place := os.path.join(base, kind, _key(root)))]


def _key(root: str) -> str:
    import hashlib  # OpenSSL with it, which the first frame can do without

    return hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]


def put(place: str, raw: bytes, outcome: str, *, durable: bool = True) -> None:
    """Write a file in one step, synced when `durable`. Raises `WriteFailed`, whose sentence ends with `outcome`."""
    try:
        home = os.path.dirname(place)
        make_private(home)
        sweep(home)
        with replacing(place, durable=durable) as stream:
            stream.write(raw)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error


@contextmanager
def held(home: str, outcome: str) -> Iterator[None]:
    """Keep our other processes and threads out of a folder of the state, to read and write a file as one step.

    Raises `WriteFailed`, whose sentence ends with `outcome`.
    """
    try:
        make_private(home)
    except OSError as error:
        raise WriteFailed(home, f"{printable_path(home)}: {error.strerror}. {outcome}") from error
    with lock.writer(home):
        yield


def documents(home: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON documents in a folder with their names, without the ending; what cannot be read is passed over."""
    try:
        names = sorted(name for name in os.listdir(home) if name.endswith(".json"))
    except OSError:
        return
    for name in names:
        found = document(os.path.join(home, name))
        if found is not None:
            yield name.removesuffix(".json"), found


def document(place: str) -> dict[str, Any] | None:
    """The JSON document in a file; None when it cannot be read or is none."""
    try:
        raw = files.read(place)[0]
        import json  # a first start has no such file

        found = json.loads(raw)
    except (StoreError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def drop(place: str) -> None:
    """Delete a file, if it is there."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return
