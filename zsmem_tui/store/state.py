"""Files of our own in the state folder: written durably, readable by their owner alone."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any

from zsmem_tui.config import locate
from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files
from zsmem_tui.store.folders import sync_folder


def folder(kind: str, root: str) -> str:
    """Where things of a kind are kept for a store: the same place for every way to write the root's path."""
    key = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    return os.path.join(locate.state_folder(), kind, key)


def put(place: str, raw: bytes, outcome: str, *, durable: bool = True) -> None:
    """Write a file in one step, synced when `durable`. Raises `WriteFailed`, whose sentence ends with `outcome`."""
    try:
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        handle = os.open(f"{place}.part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        os.replace(f"{place}.part", place)
        if durable:
            sync_folder(os.path.dirname(place))
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error


def documents(home: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON documents in a folder with their names, without the ending; what cannot be read is passed over."""
    try:
        names = sorted(name for name in os.listdir(home) if name.endswith(".json"))
    except OSError:
        return
    for name in names:
        try:
            found = json.loads(files.read(os.path.join(home, name))[0])
        except (StoreError, ValueError):
            continue
        if isinstance(found, dict):
            yield name.removesuffix(".json"), found


def drop(place: str) -> None:
    """Delete a file, if it is there."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return
