"""The local copy of the sync branch: a bare repository in the state folder, with its commits and their metadata."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dulwich.objects import Commit, ObjectID
from dulwich.refs import Ref

from zsmem_tui.config import locate
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.sync.branch_files import ABOUT, MOST_BYTES, MOST_FILES, name_problem
from zsmem_tui.core.text import plain_words, printable_path, raw_lines
from zsmem_tui.store.disk import state
from zsmem_tui.store.disk.files import failing
from zsmem_tui.store.history.git_files import make_repository
from zsmem_tui.store.history.packing import FOLDER, history_errors, object_of, unescape_part
from zsmem_tui.store.history.repository import Repository, in_use
from zsmem_tui.store.sync import remembered

BASE: Final = "refs/zsmem/base"
"""The last commit that both sides had, which a fetch need not transfer."""

_MACHINE: Final = "Machine: "
_WROTE: Final = "Wrote: "
_WAS: Final = "Was: "
_MOST_TOLD: Final = 2_000
"""The most files whose authors are listed in one commit."""

_MOST_COMMITS: Final = 100_000


class Listing(NamedTuple):
    """The files of a commit: text ids by path, and refused paths with the reason."""

    files: dict[str, str]
    refused: dict[str, str]


class Told(NamedTuple):
    """The metadata of a commit: the machine that made it, and authors by path."""

    machine: str
    writers: Mapping[str, str]
    machine_id: str = ""
    was: str = ""
    """The commit that this one replaced when a text was forgotten."""


def home() -> str:
    """The folder of the local copy."""
    return os.path.join(locate.state_folder(), "sync", "git")


def read_reference(name: str) -> str:
    """The commit of a reference in the local copy; empty if there is none. Reads the file only."""
    try:
        with open(os.path.join(home(), name), encoding="ascii") as stream:
            return stream.read().strip()
    except (OSError, ValueError):
        return ""


class Branch(Repository):
    """The local copy, opened."""

    def __init__(self) -> None:
        super().__init__(home(), "the branch that machines share")

    def point(self, name: str, commit: str) -> None:
        """Set a reference to a commit, or delete it if empty."""
        if commit:
            self._set(Ref(name.encode()), ObjectID(commit.encode()), "")
            return
        with history_errors(self.home):
            if os.path.lexists(place := os.path.join(self.home, name)):
                os.unlink(place)

    def listed(self, commit: str) -> Listing:
        """The files of a commit except `zsmem.json`, checked by name; empty for no commit."""
        found = Listing({}, {})
        if commit:
            with history_errors(self.home):
                for path, mode, id in self._entries(self.folder_of(commit).encode(), ""):
                    if path == ABOUT:
                        continue
                    problem = name_problem(path) or ("" if stat.S_ISREG(mode) else _kind(mode))
                    if not problem and path.count("/") < 2:
                        problem = "it is in no group"
                    if len(found.files) >= MOST_FILES:
                        raise HistoryError(f"The branch has more than {MOST_FILES} files. Nothing was synced.")
                    (found.refused if problem else found.files)[path] = problem or id
        return found

    def about(self, commit: str) -> bytes | None:
        """The content of `zsmem.json` in a commit; None if there is none."""
        id = self.find(self.folder_of(commit), ABOUT) if commit else ""
        return self.text(id) if id else None

    def follows(self, commit: str, earlier: str) -> bool:
        """Whether `earlier` is the commit or an ancestor of it."""
        return any(each.id.decode() == earlier for each in self._line(commit))

    def common(self, one: str, other: str) -> str:
        """The last common ancestor; empty if there is none."""
        known = {each.id for each in self._line(one)} if one else set()
        return next((each.id.decode() for each in self._line(other) if each.id in known), "")

    def told_since(self, commit: str, known: str = "") -> list[tuple[str, Told]]:
        """(id, metadata) of the commits after `known`, oldest first."""
        out = []
        for each in self._line(commit):
            if each.id.decode() == known:
                break
            out.append((each.id.decode(), told(each.message.decode("utf-8", "replace"))))
        return out[::-1]

    def parent(self, commit: str) -> str:
        """The parent of a commit; empty for the first one."""
        return next((each.id.decode() for each in self._line(commit) if each.id.decode() != commit), "")

    def made(self, commit: str) -> tuple[int, str]:
        """When a commit was made (nanoseconds since 1970), and the name of the machine that made it."""
        with history_errors(self.home):
            found = object_of(self._store, ObjectID(commit.encode()), Commit)
            return int(found.commit_time) * 10**9, str(found.author.decode("utf-8", "replace").partition(" <")[0])

    def _line(self, commit: str) -> Iterator[Commit]:
        """A commit and its ancestors, each once, newest first."""
        seen: set[bytes] = set()
        wait = [commit.encode()] if commit else []
        with history_errors(self.home):
            while wait and len(seen) < _MOST_COMMITS:
                id = wait.pop(0)
                if id in seen:
                    continue
                seen.add(id)
                found = object_of(self._store, ObjectID(id), Commit)
                wait += found.parents
                yield found

    def _entries(self, folder: bytes, above: str) -> Iterator[tuple[str, int, str]]:
        if above.count("/") > 30:
            yield above, FOLDER, ""
            return
        for name, mode, id in self._tree(folder).items():
            try:
                path = above + unescape_part(name)
            except ValueError:  # a name that our programs never write
                yield above + os.fsdecode(name).replace("%", "\\"), FOLDER, ""
                continue
            if mode == FOLDER:
                problem = name_problem(path)
                if problem:
                    yield path, FOLDER, ""
                else:
                    yield from self._entries(id, f"{path}/")
            else:
                yield path, mode, id.decode()


def _kind(mode: int) -> str:
    return {0o120000: "it is a link", 0o160000: "it is another repository"}.get(mode & 0o170000, "it is no ordinary file")


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """Lock the sync of this machine, after deleting leftovers of a dead run in the local copy. Raises `WriteFailed`."""
    with remembered.held(), in_use(remembered.home(), home()):
        yield


def make_anew() -> None:
    """Create an empty local copy, if there is none. Raises `WriteFailed`."""
    place = home()
    if os.path.isdir(os.path.join(place, "objects")):
        return
    with failing(place, "Nothing was synced."):
        make_repository(place, {"zsmem-format": b"1\n", "description": b"What machines share\n"})


def put_aside() -> None:
    """Remove a local copy that cannot be read; the remote has everything."""
    aside = f"{home()}.damaged-{time.time_ns()}"
    try:
        state.rename(home(), aside)
    except OSError as error:
        raise HistoryError(f"{printable_path(home())}: {error.strerror}. Nothing was synced.") from error
    shutil.rmtree(aside, ignore_errors=True)


def drop() -> None:
    """Delete the local copy."""
    shutil.rmtree(home(), ignore_errors=True)


def message(machine: str, id: str, writers: Mapping[str, Sequence[str]], was: str = "") -> str:
    """The message of a commit: the machine, and who wrote which file since the last one."""
    lines = [f"Sync from {_one_line(machine)}", "", f"{_MACHINE}{_one_line(id)} {_one_line(machine)}"]
    lines += [f"{_WAS}{was}"] if was else []
    told = list(writers.items())[:_MOST_TOLD]
    lines += [f"{_WROTE}{_one_line(', '.join(who))} | {_one_line(path)}" for path, who in told if who]
    return "\n".join([*lines, ""])


def with_former(message: str, was: str) -> str:
    """The message for a commit that replaces commit `was`."""
    kept = [line for line in raw_lines(message.rstrip("\n")) if not line.startswith(_WAS)]
    return "\n".join([*kept, f"{_WAS}{was}", ""])


def told(message: str) -> Told:
    """Parse a message; it comes from elsewhere, so long values are cut."""
    machine = id = was = ""
    writers: dict[str, str] = {}
    for line in raw_lines(message)[: _MOST_TOLD + 10]:
        if line.startswith(_MACHINE):
            id, _, name = line.removeprefix(_MACHINE).partition(" ")
            machine = _shown(name)
        elif line.startswith(_WAS):
            was = line.removeprefix(_WAS).strip()[:64]
        elif line.startswith(_WROTE):
            who, _, path = line.removeprefix(_WROTE).partition(" | ")
            writers[path] = _shown(who)
    return Told(machine, writers, id, was)


def _shown(name: str) -> str:
    """A name from elsewhere as one line of at most 60 characters."""
    return plain_words(name)[:60]


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def too_large(sizes: Callable[[Sequence[str]], Mapping[str, int]], files: Mapping[str, str]) -> dict[str, str]:
    """The files that are larger than accepted, with the reason."""
    found = sizes(list(dict.fromkeys(files.values()))) if files else {}
    return {path: "it is too large" for path, id in files.items() if found.get(id, MOST_BYTES + 1) > MOST_BYTES}
