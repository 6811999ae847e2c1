"""Which repository a folder is in, without asking git: a program that is not there on every machine."""

from __future__ import annotations

import os
from typing import Final

from zsmem_tui.config.locate import repository_of
from zsmem_tui.core.errors import StoreError
from zsmem_tui.store.disk import files

_LONGEST: Final = 8192
"""Bytes looked at of the small files in which git notes where a work tree belongs."""


def main_folder(folder: str) -> str:
    """The top of the repository that a folder is in; from a linked work tree, of the one that it belongs to.

    Empty where there is none. A submodule is a repository of its own.
    """
    top = repository_of(folder)
    own = _noted(os.path.join(top, ".git"), "gitdir: ") if top else ""
    shared = _noted(os.path.join(top, own, "commondir"), "") if own else ""
    if not shared:
        return top
    common = os.path.normpath(os.path.join(top, own, shared))
    return os.path.dirname(common) if os.path.basename(common) == ".git" else top


def _noted(path: str, before: str) -> str:
    """The path that the first line of a file names; empty where it names none."""
    if not os.path.isfile(path):
        return ""
    try:
        head = files.read_head(path, _LONGEST, lambda head: b"\n" in head)
    except StoreError:
        return ""
    line = os.fsdecode(head.split(b"\n")[0])
    return line.removeprefix(before).strip(" \r") if line.startswith(before) else ""
