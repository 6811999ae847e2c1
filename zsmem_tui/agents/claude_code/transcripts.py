"""Which folders Claude Code's projects are of. Only the transcripts beside the memory say: the names of projects cannot be decoded.

Of each project, the newest transcript alone is looked at, and of that its first 64 KiB at most: there may be gigabytes of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from zsmem_tui.agents.claude_code.files import CWD_BYTES, PROJECTS, cwd_of, is_project_of
from zsmem_tui.agents.claude_code.naming import LONGEST, encoded
from zsmem_tui.core.tree import Heads

_ENDING: Final = ".jsonl"

_LONGEST_PATH: Final = 4096
"""Bytes. Linux has no longer paths (PATH_MAX)."""


def folder_of(heads: Heads, project: str) -> str:
    """The folder that a project is of; empty when its newest transcript does not tell.

    A session that has gone into a folder below says that one; the project is of the folder above that it is named after.
    """
    home = f"{PROJECTS}/{project}"
    name = heads.newest(home, _ENDING)
    said = cwd_of(heads.head(f"{home}/{name}", CWD_BYTES, lambda head: cwd_of(head) is not None)) if name else None
    if said is None or not _is_path(said):
        return ""
    cwd = posixpath.normpath(said)
    above = [each for each in _upwards(cwd) if len(each) <= len(project) or len(project) > LONGEST]
    exact = [each for each in above if encoded(each) == project]
    return next(iter([*exact, *(each for each in above if is_project_of(project, each)), cwd]))


def folders(heads: Heads) -> list[tuple[str, str]]:
    """Each project's group with the folder that it is of, where that can be told."""
    found = [(f"project:{name}", folder_of(heads, name)) for name in heads.folders(PROJECTS)]
    return [(group, folder) for group, folder in found if folder]


def group_of(folder: str, heads: Heads) -> str:
    """The group of a folder. Nothing is looked at unless builds of Claude Code write such a name in different ways."""
    name = encoded(folder)
    if len(name) <= LONGEST and folder[1:2] != ":":
        return f"project:{name}"
    names = heads.folders(PROJECTS)
    alike = [] if name in names else [each for each in names if is_project_of(each, folder)]
    told = {each: folder_of(heads, each) for each in alike}
    sure = [each for each in alike if told[each] == folder]
    unsure = [each for each in alike if not told[each]]
    return f"project:{(sure or (unsure if len(alike) == 1 else []) or [name])[0]}"


def _is_path(said: str) -> bool:
    """Whether a system could have a folder of that name."""
    try:
        size = len(said.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return False  # half a character
    return said.startswith("/") and "\0" not in said and size <= _LONGEST_PATH


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = posixpath.dirname(folder)
        if above == folder:
            return
        folder = above
