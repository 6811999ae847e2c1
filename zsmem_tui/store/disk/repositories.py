"""Which repository a folder is in, without asking git: a program that is not there on every machine."""

from __future__ import annotations

import os
from typing import Final

from zsmem_tui.config.locate import repository_of
from zsmem_tui.core.errors import StoreError
from zsmem_tui.store.disk import files

_LONGEST: Final = 8192
"""Bytes looked at of the small files in which git notes where a work tree belongs."""

_LEADS_TO: Final = "gitdir:"


def main_folder(folder: str) -> str:
    """The top of the repository that a folder is in; from a linked work tree, of the one that it belongs to.

    Empty where there is none. A submodule is a repository of its own.
    """
    top = repository_of(folder)
    own, common = git_folders(top) if top else ("", "")
    return os.path.dirname(common) if common != own and os.path.basename(common) == ".git" else top


def git_folders(top: str) -> tuple[str, str]:
    """Where git keeps what is of the work tree at `top`, and what is of its repository; empty where that is not told."""
    own = os.path.join(top, ".git")
    if os.path.isfile(own):
        line = first_line(own)
        own = os.path.normpath(os.path.join(top, line.removeprefix(_LEADS_TO).strip(" "))) if line.startswith(_LEADS_TO) else ""
    shared = first_line(os.path.join(own, "commondir")) if own else ""
    return own, os.path.normpath(os.path.join(own, shared)) if shared else own


def first_line(path: str) -> str:
    """The first line of a small file of git's; empty where it cannot be read."""
    try:
        head = files.read_head(path, _LONGEST, lambda head: b"\n" in head)
    except StoreError:
        return ""
    return os.fsdecode(head.partition(b"\n")[0]).strip(" \r")
