"""Check and prepare sync remotes, and the interface of a connection to one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, RemoteFailed
from zsmem_tui.core.remotes import has_password, without_user
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import delete_if_possible, inside, make_folders, remove_empty
from zsmem_tui.store.disk.replace import replacing, sweep

_FOLDERS: Final = ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info")
_ABOVE: Final = ("objects", "refs")
_FILES: Final = {
    "config": b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
    "HEAD": b"ref: refs/heads/main\n",
}
"""The files of an empty bare repository."""

THERE: Final = "refs/zsmem/there"
"""The reference in the local copy for the last commit of the remote."""


class Remote(Protocol):
    """A connection to a remote. All methods raise `RemoteFailed`."""

    def head(self) -> str:
        """The id of the branch's last commit; empty if there is no such branch."""

    def fetch(self) -> str:
        """Fetch the branch into the local repository; return the id of its last commit."""

    def sizes(self, ids: Sequence[str]) -> dict[str, int]:
        """The size in bytes of each of these objects, without unpacking it."""

    def push(self, commit: str, expected: str, *, force: bool = False) -> bool:
        """Push `commit`, which follows `expected`; False if somebody else has pushed meanwhile.

        With `force`, the commit replaces `expected`.
        """


class Place(NamedTuple):
    """A remote, its branch, and the local repository."""

    url: str
    branch: str
    home: str

    @property
    def shown(self) -> str:
        """The remote for display, without credentials."""
        return printable_path(self.url if is_folder(self.url) else without_user(self.url))

    def told(self, said: str) -> str:
        """A message of git without credentials, even if it quotes only part of the URL."""
        query = "" if is_folder(self.url) else self.url.partition("?")[2]
        return without_user(said.replace(query, "…") if query else said)


def checked(url: str, working_folder: str) -> str:
    """Validate a remote; a folder becomes an absolute path. Raises `BadTarget` if it is invalid."""
    scheme, mark, rest = url.partition("://")
    if scheme.lower() != "file" and not url.startswith(("/", ".", "~")) and has_password(url):
        raise BadTarget(
            "There is a password or a query in that remote, and zsmem keeps none. Nothing was set up.",
            "Name it without, and let git sign in: by a credential helper or an ssh key.",
        )
    if not url or url.startswith("-") or any(ord(char) < 32 for char in url) or "::" in url.partition("/")[0]:
        shown = printable_path(without_user(url).partition("?")[0])
        raise BadTarget(f"{shown!r} is no remote: name a folder, ssh://, https:// or host:path. Nothing was set up.")
    if mark:
        if scheme.lower() == "file":
            return checked(rest if rest.startswith("/") else "/" + rest.partition("/")[2], working_folder)
        if scheme.lower() not in ("ssh", "https", "http", "git", "git+ssh"):
            raise BadTarget(f"{printable_path(scheme)}:// is no way to a remote. Nothing was set up.")
        if rest.startswith("-") or not rest.partition("/")[0]:
            raise BadTarget(f"{printable_path(without_user(url))!r} names no host. Nothing was set up.")
        return url
    host, colon, _ = url.partition(":")
    if colon and "/" not in host and not os.path.exists(os.path.join(working_folder, url)):
        return url
    return os.path.normpath(os.path.join(working_folder, locate.expanded(url)))


def is_folder(url: str) -> bool:
    """Whether a remote is a folder on this machine."""
    return url.startswith("/")


def make_repository(place: str) -> None:
    """Create a bare repository in a folder that is empty or does not exist. Raises `BadTarget` or `RemoteFailed`.

    On failure nothing is left; a repository left incomplete by a killed program is completed.
    """
    above, parent = [], place
    while not os.path.lexists(parent):
        above.append(parent)
        parent = os.path.dirname(parent)
    try:
        if os.path.lexists(os.path.join(place, ".git")) or (os.path.isfile(os.path.join(place, "HEAD")) and not _is_begun(place)):
            return
        if os.path.lexists(place) and (not os.path.isdir(place) or not _is_begun(place)):
            raise BadTarget(f"{printable_path(place)} is no git repository, and not empty. Nothing was set up.")
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(_take_back, place, above)
            for folder in _FOLDERS:
                make_folders(os.path.join(place, folder))
            for name, text in _FILES.items():  # the files that make it a repository come last
                with replacing(os.path.join(place, name), mode=0o666) as stream:
                    stream.write(text)
            on_failure.pop_all()
    except OSError as error:
        raise RemoteFailed(f"{printable_path(place)}: {error.strerror}. Nothing was set up.") from error


def _take_back(place: str, above: Sequence[str]) -> None:
    for name in _FILES:
        delete_if_possible(os.path.join(place, name))
    remove_empty(place, [*_FOLDERS, *_ABOVE])
    remove_empty("", above)


def _is_begun(place: str) -> bool:
    """Whether a folder has only what an interrupted `make_repository` creates."""
    sweep(place, again=True)
    made = inside(place)
    if made.others or not {*_FOLDERS, *_ABOVE}.issuperset(made.folders):
        return False
    is_whole = [name for name, text in _FILES.items() if name in made.files and files.read(os.path.join(place, name))[0] == text]
    return len(is_whole) < len(_FILES) and all(
        name in _FILES and _FILES[name].startswith(files.read(os.path.join(place, name))[0]) for name in made.files
    )
