"""Read git's metadata about a folder from its files: git need not be installed, and nothing of a repository is executed.

Only `first_commits` runs git.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import subprocess
from collections.abc import Mapping
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.core.project_folders import TOP, Child, FolderFacts, Identity, Repository, packed
from zsmem_tui.core.remotes import canonical
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of
from zsmem_tui.store.disk.repositories import first_line, git_folders

_LONGEST: Final = 64 * 1024
"""The most bytes of a repository's configuration to read."""

MOST_ENTRIES: Final = 24
"""The most entries of a folder that are remembered, first by name. With 500 memories, more would slow down each start."""

GIT_SECONDS: Final = 10.0
"""Seconds that git may take to find the first commits; for 900,000 commits it took 4."""

_SECTION: Final = re.compile(rb'^\s*\[\s*remote\s+"origin"\s*\]', re.IGNORECASE)
_OTHER: Final = re.compile(rb"^\s*\[")
_URL: Final = re.compile(rb"^\s*url\s*=\s*(.*?)\s*$", re.IGNORECASE)


def observed(path: str) -> FolderFacts | None:
    """What can be observed of a folder without git; None if it does not exist or cannot be read."""
    try:
        own = os.stat(path)
        if not stat.S_ISDIR(own.st_mode):
            return None
        entries = _entries(path)
    except (OSError, ValueError):
        return None
    return FolderFacts(path, Identity(own.st_dev, own.st_ino), packed(entries), repository_of(path))


def identity_of(path: str) -> Identity | None:
    """The file system's identifier of a folder; None if it does not exist."""
    own = stat_of(path)
    return Identity(own.st_dev, own.st_ino) if own is not None and stat.S_ISDIR(own.st_mode) else None


def _entries(path: str) -> tuple[Child, ...]:
    """The entries of a folder except `.git`, which is identified separately."""
    names = sorted((name for name in os.listdir(path) if name != ".git"), key=os.fsencode)[:MOST_ENTRIES]
    out = []
    for name in names:
        with contextlib.suppress(OSError):  # deleted since it was listed
            own = os.lstat(os.path.join(path, name))
            out.append(Child(name, own.st_ino, own.st_mtime_ns))
    return tuple(out)


def repository_of(folder: str) -> Repository | None:
    """The repository that contains a folder; None if there is none."""
    top = locate.repository_of(folder)
    place = os.path.join(top, ".git")
    own = stat_of(place) if top else None
    home, common = git_folders(top) if own is not None else ("", "")
    if own is None or not home:
        return None
    made = own if stat.S_ISREG(own.st_mode) else stat_of(os.path.join(place, "description"), follow_symlinks=False)
    return Repository(
        common=common,
        within=os.path.relpath(folder, top) if folder != top else TOP,
        identity=Identity(own.st_dev, own.st_ino),
        made_ns=made.st_mtime_ns if made else 0,
        is_linked=common != home,
        remote=_remote(os.path.join(common, "config")),
        first_log=_digest(first_line(os.path.join(home, "logs", "HEAD"))),
    )


def first_commits(folder: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The root commits of a repository's HEAD, sorted.

    Empty if git is missing or fails, if there is no commit, or in a shallow clone.
    """
    found = repository_of(folder)
    if found is None or os.path.lexists(os.path.join(found.common, "shallow")):
        return ()
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    own = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    command = ["git", "-C", folder, "rev-list", "--max-parents=0", "HEAD"]
    try:
        done = subprocess.run(
            command, capture_output=True, env=own | quiet, timeout=GIT_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return ()
    return tuple(sorted(done.stdout.decode("ascii", "replace").split())) if done.returncode == 0 else ()


def _digest(line: str) -> str:
    """A digest of a line. The line itself may contain the clone's URL with a password."""
    return hashlib.sha256(os.fsencode(line)).hexdigest()[:16] if line else ""


def _remote(config: str) -> str:
    """The canonical URL of the remote "origin", without credentials."""
    is_inside, found = False, b""
    for line in files.read_head(config, _LONGEST, lambda head: False).split(b"\n"):
        if _OTHER.match(line):
            is_inside = bool(_SECTION.match(line))
        elif is_inside and (match := _URL.match(line)):
            found = match[1].strip(b'"')
    return canonical(found.decode("utf-8", "surrogateescape"))
