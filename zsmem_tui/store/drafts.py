"""Unsaved editor text, kept against a crash in our state folder: one draft for each file."""

from __future__ import annotations

import hashlib
import json
import os
from typing import NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import StoreError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import files, trash


class Draft(NamedTuple):
    """`text` was being made from `base` (None: no file) at `path`, relative to its root."""

    path: str
    text: bytes
    base: bytes | None


def put(root: str, draft: Draft) -> None:
    """Keep a draft, in place of an older one of the same file. Raises `WriteFailed`."""
    place = _place(root, draft.path)
    about = {
        "path": draft.path,
        "text": draft.text.decode("latin-1"),
        "base": None if draft.base is None else draft.base.decode("latin-1"),
    }
    try:
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        handle = os.open(f"{place}.part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(json.dumps(about).encode())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(f"{place}.part", place)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. No draft is kept.") from error


def get(root: str, path: str) -> Draft | None:
    """The draft of a file, if there is one that can be read."""
    try:
        about = json.loads(files.read(_place(root, path))[0])
        base = about["base"]
        return Draft(str(about["path"]), about["text"].encode("latin-1"), None if base is None else base.encode("latin-1"))
    except (StoreError, ValueError, KeyError, AttributeError, TypeError):
        return None


def drop(root: str, path: str) -> None:
    """Forget the draft of a file."""
    try:
        os.unlink(_place(root, path))
    except FileNotFoundError:
        return


def listing(root: str) -> list[str]:
    """The paths of the files that have a draft."""
    folder = os.path.dirname(_place(root, ""))
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = []
    for name in names:
        try:
            found.append(str(json.loads(files.read(os.path.join(folder, name))[0])["path"]))
        except (StoreError, ValueError, KeyError, TypeError):
            continue
    return sorted(found)


def _place(root: str, path: str) -> str:
    name = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return os.path.join(locate.state_folder(), "drafts", trash.store_key(root), f"{name}.json")
