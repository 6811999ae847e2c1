"""Unsaved editor text, kept against a crash in our state folder: one draft for each file."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NamedTuple

from zsmem_tui.store.disk import state


class Draft(NamedTuple):
    """`text` was being made from `base` (None: no file) at `path`, relative to its root."""

    path: str
    text: bytes
    base: bytes | None


def put(root: str, draft: Draft) -> None:
    """Keep a draft, in place of an older one of the same file. Raises `WriteFailed`."""
    base = None if draft.base is None else draft.base.decode("latin-1")
    about = {"path": draft.path, "text": draft.text.decode("latin-1"), "base": base}
    state.put(_place(root, draft.path), json.dumps(about).encode(), "No draft is kept.")


def get(root: str, path: str) -> Draft | None:
    """The draft of a file, if there is one that can be read."""
    return _draft(state.document(_place(root, path)))


def drop(root: str, path: str) -> None:
    """Forget the draft of a file."""
    state.drop(_place(root, path))


def listing(root: str) -> list[str]:
    """The paths of the files that have a draft."""
    found = (_draft(about) for _, about in state.documents(state.folder("drafts", root)))
    return sorted(draft.path for draft in found if draft is not None)


def _draft(about: Any) -> Draft | None:
    match about:
        case {"path": str(path), "text": str(text), "base": None | str() as base}:
            return Draft(path, text.encode("latin-1", "replace"), None if base is None else base.encode("latin-1", "replace"))
    return None


def _place(root: str, path: str) -> str:
    name = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return os.path.join(state.folder("drafts", root), f"{name}.json")
