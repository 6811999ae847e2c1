"""What was deleted, kept in our state folder until a person wants it back. Never inside the agent's store."""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files


class Kept(NamedTuple):
    """One deleted file: `path` is relative to its root, `when` in nanoseconds since 1970, `reason` a word."""

    id: str
    path: str
    when: int
    reason: str


def keep(root: str, path: str, content: bytes, reason: str) -> str:
    """Keep the bytes of a file durably; the id under which they can be taken back. Raises `WriteFailed`."""
    folder = _folder(root)
    when = time.time_ns()
    id = f"{when}-{os.getpid()}-{hashlib.sha256(content).hexdigest()[:8]}"
    about = json.dumps({"path": path, "when": when, "reason": reason, "root": printable_path(root)}).encode()
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        for name, raw in ((f"{id}.bin", content), (f"{id}.json", about)):
            place = os.path.join(folder, name)
            handle = os.open(f"{place}.part", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                view = memoryview(raw)
                while view:
                    view = view[os.write(handle, view) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            os.rename(f"{place}.part", place)
    except OSError as error:
        raise WriteFailed(folder, f"{printable_path(folder)}: {error.strerror}. Nothing was deleted.") from error
    return id


def listing(root: str) -> list[Kept]:
    """What is kept for a store, the latest first."""
    folder = _folder(root)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = []
    for name in names:
        try:
            about = json.loads(files.read(os.path.join(folder, name))[0])
            found.append(Kept(name.removesuffix(".json"), str(about["path"]), int(about["when"]), str(about["reason"])))
        except (StoreError, ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda kept: -kept.when)


def content(root: str, id: str) -> bytes:
    """The bytes kept under `id`. Raises `Missing` or `Unreadable`."""
    return files.read(os.path.join(_folder(root), f"{id}.bin"))[0]


def drop(root: str, id: str) -> None:
    """Forget what was taken back."""
    for ending in (".json", ".bin"):
        try:
            os.unlink(os.path.join(_folder(root), f"{id}{ending}"))
        except FileNotFoundError:
            continue


def _folder(root: str) -> str:
    return os.path.join(locate.state_folder(), "trash", store_key(root))


def store_key(root: str) -> str:
    """A short name for a store in our state folder: the same for every way to write its path."""
    return hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
