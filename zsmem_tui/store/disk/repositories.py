"""Find the repository that contains a folder, without git, which is not installed everywhere."""

from __future__ import annotations

import os
from typing import Final

from zsmem_tui.config.locate import repository_of
from zsmem_tui.store.disk import files

_LONGEST: Final = 8192
"""The most bytes read of git's small files about work trees."""

_GITDIR: Final = "gitdir:"


def main_folder(folder: str) -> str:
    """The top folder of the repository that contains a folder; for a linked work tree, of its main repository.

    Empty if there is none. A submodule is a repository of its own.
    """
    top = repository_of(folder)
    own, common = git_folders(top) if top else ("", "")
    return os.path.dirname(common) if common != own and os.path.basename(common) == ".git" else top


def git_folders(top: str) -> tuple[str, str]:
    """git's folders for the work tree at `top` and for its repository; empty if unknown."""
    own = os.path.join(top, ".git")
    if os.path.isfile(own):
        line = first_line(own)
        own = os.path.normpath(os.path.join(top, line.removeprefix(_GITDIR).strip(" "))) if line.startswith(_GITDIR) else ""
    shared = first_line(os.path.join(own, "commondir")) if own else ""
    return own, os.path.normpath(os.path.join(own, shared)) if shared else own


def first_line(path: str) -> str:
    """The first line of one of git's small files; empty if it cannot be read."""
    head = files.read_head(path, _LONGEST, lambda head: b"\n" in head)
    return os.fsdecode(head.partition(b"\n")[0]).strip(" \r")
