"""What was deleted, kept in our state folder until a person wants it back. Never inside the agent's store."""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files, state


class Kept(NamedTuple):
    """One deleted file: `path` is relative to its root, `when` in nanoseconds since 1970, `reason` a word."""

    id: str
    path: str
    when: int
    reason: str


def keep(root: str, path: str, content: bytes, reason: str) -> str:
    """Keep the bytes of a file durably; the id under which they can be taken back. Raises `WriteFailed`."""
    when = time.time_ns()
    id = f"{when}-{os.getpid()}-{hashlib.sha256(content).hexdigest()[:8]}"
    about = json.dumps({"path": path, "when": when, "reason": reason, "root": printable_path(root)}).encode()
    place = os.path.join(state.folder("trash", root), id)
    state.put(f"{place}.bin", content, "Nothing was deleted.")
    state.put(f"{place}.json", about, "Nothing was deleted.")
    return id


def listing(root: str) -> list[Kept]:
    """What is kept for a store, the latest first."""
    found = [
        Kept(id, about["path"], about["when"], about["reason"])
        for id, about in state.documents(state.folder("trash", root))
        if isinstance(about.get("path"), str) and isinstance(about.get("when"), int) and isinstance(about.get("reason"), str)
    ]
    return sorted(found, key=lambda kept: -kept.when)


def content(root: str, id: str) -> bytes:
    """The bytes kept under `id`. Raises `Missing` or `Unreadable`."""
    return files.read(os.path.join(state.folder("trash", root), f"{id}.bin"))[0]


def drop(root: str, id: str) -> None:
    """Forget what was taken back."""
    for ending in (".json", ".bin"):
        state.drop(os.path.join(state.folder("trash", root), f"{id}{ending}"))
