"""The git repository that stores every version: texts, folders and commits, written by this process.

It is an ordinary bare repository, so `git log` works on it. There is one line of commits on `main`; `refs/zsmem/reviewed` is the
tree of texts that the person has reviewed. All its errors become `HistoryError`.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from zsmem_tui.core.errors import HistoryError, HistoryIncomplete
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import processes
from zsmem_tui.store.disk.folders import delete_if_possible, stat_of
from zsmem_tui.store.disk.replace import is_temporary
from zsmem_tui.store.history.commit_message import REVIEWED
from zsmem_tui.store.history.git_files import BLOB, FAST, Packed, make_repository, packed, set_reference, write_loose, write_pack
from zsmem_tui.store.history.packing import FOLDER, Packer, commits, history_errors, object_id, object_of, unescape_part

FORMAT: Final = 1
"""The version of our format. A repository with a higher one was written by a newer program and is not touched."""

LOOSE_LIMIT: Final = 128
"""The number of loose objects from which on they are packed."""

PACKS_LIMIT: Final = 40
"""The number of packs above which all are packed into one."""

_FEW: Final = 16
"""The most new folders stored as loose objects; more go into one pack, which is synced once."""

_MAIN: Final = Ref(b"refs/heads/main")
_REVIEWED: Final = Ref(REVIEWED.encode())
_AUTHOR: Final = b" <zsmem@localhost>"
_FILE: Final = 0o100644

_FORBIDDEN: Final = frozenset({b"", b".", b"..", b".git", b"git~1"})


def gone() -> HistoryError:
    """The error for a version that was listed and then removed by another program."""
    hint = "It was forgotten, or dropped as too old; `zsmem history list` names those that are kept."
    return HistoryIncomplete("The history does not hold this version any more.", hint)


Trees = Callable[[bytes], Tree]
"""Returns a git tree by its id."""

TreeEdits = Mapping[str, str]
"""Maps relative paths to the id of their new text; empty: the file is deleted."""


class Record(NamedTuple):
    """One commit as read back: its full `message`, and `changes` as (text id before, after) by path."""

    id: str
    message: str
    changes: dict[str, tuple[str, str]]


class Repository:
    """One open repository."""

    def __init__(self, home: str, about: str) -> None:
        """Open the repository in the folder `home`, or create it. Raises `HistoryError`."""
        self.home = home
        with history_errors(home):
            self.is_new = not os.path.isdir(os.path.join(home, "objects"))
            """Whether it was just created."""
            if self.is_new:
                told = f"What zsmem saw of {about}\n".encode(errors="backslashreplace")
                make_repository(home, {"description": told, "zsmem-format": f"{FORMAT}\n".encode()})
            _check_format(home)
            self._repo = Repo(home)
            self._store = self._repo.object_store
            self._store.fsync_object_files = True
            self._objects = os.path.join(home, "objects")
            self._packs = os.path.join(self._objects, "pack")
            self._trees: dict[bytes, Tree] = {}

    def close(self) -> None:
        """Close all files, even if another thread is still reading."""
        with history_errors(self.home):
            packs = list(self._store._iter_cached_packs())
            with contextlib.suppress(BufferError):
                self._repo.close()
            for pack in packs * 2:  # dulwich stops at the first pack in use; the second call closes the others
                with contextlib.suppress(BufferError):
                    pack.close()

    @property
    def head(self) -> str:
        """The id of the last commit; empty if there is none."""
        return self._ref(_MAIN)

    @property
    def reviewed(self) -> str:
        """The id of the tree that the person has reviewed; empty if there is none."""
        return self._ref(_REVIEWED)

    def folder_of(self, commit: str) -> str:
        """The tree id of a commit; empty for no commit."""
        with history_errors(self.home):
            return object_of(self._store, object_id(commit), Commit).tree.decode() if commit else ""

    def has(self, *ids: str) -> bool:
        """Whether all these texts, trees and commits exist; False if an id is empty."""
        with history_errors(self.home):
            packed = {id for pack in self._store.packs for id, _, _ in pack.index.iterentries()} if len(ids) > _FEW else set()
            return all(id and (bytes.fromhex(id) in packed or object_id(id) in self._store) for id in ids)

    def message(self, commit: str) -> str:
        """The message of a commit; empty for no commit."""
        with history_errors(self.home):
            return object_of(self._store, object_id(commit), Commit).message.decode("utf-8", "replace") if commit else ""

    def put(self, raw: bytes) -> str:
        """Store a text; return its id."""
        blob = Blob.from_string(raw)
        self._add(blob)
        return blob.id.decode()

    def put_many(self, texts: Iterable[bytes]) -> list[str]:
        """Store many texts in one pack; return their ids."""
        found = [packed(BLOB, raw) for raw in texts]
        self._add_many(found)
        return [each.id for each in found]

    def text(self, id: str) -> bytes:
        """The text with this id. Raises `HistoryError`."""
        if (found := self.text_if_there(id)) is None:
            raise gone()
        return found

    def text_if_there(self, id: str) -> bytes | None:
        """The text with this id, or None. Raises `HistoryError`."""
        with history_errors(self.home):
            try:
                return object_of(self._store, object_id(id), Blob).data
            except KeyError:  # asking first whether it is there would unpack it twice
                if self.has(id):
                    raise
            return None

    def holds(self, raw: bytes) -> bool:
        """Whether any stored object contains these bytes, including unreachable ones. Raises `HistoryError`."""
        with history_errors(self.home):
            return any(raw in self._store[id].as_raw_string() for id in self._store)

    def find(self, folder: str, path: str) -> str:
        """The id of the text at `path` in a tree; empty if there is none."""
        with history_errors(self.home):
            at: bytes = folder.encode()
            parts = [escape_part(part) for part in path.split("/")]
            for number, part in enumerate(parts):
                folder_here = self._tree(at) if at else Tree()
                if part not in folder_here:
                    return ""
                mode, at = folder_here[part]
                if (mode == FOLDER) == (number == len(parts) - 1):
                    return ""
            return at.decode()

    def every(self, folder: str) -> dict[str, str]:
        """Map every path in a tree to the id of its text."""
        with history_errors(self.home):
            return dict(_every(self._tree, folder.encode(), "")) if folder else {}

    def differences(self, old: str, new: str) -> dict[str, tuple[str, str]]:
        """The paths whose texts differ between two trees, with both ids."""
        with history_errors(self.home):
            return dict(_differences(self._tree, old.encode(), new.encode(), ""))

    def with_changes(self, folder: str, changes: TreeEdits) -> str:
        """Create a tree equal to `folder` except for `changes`; return its id."""
        split = {tuple(escape_part(part) for part in path.split("/")): id.encode() for path, id in changes.items()}
        made: list[Tree] = []
        with history_errors(self.home):
            top = _changed_tree(self._tree, self._trees, folder.encode(), split, made).decode()
            if len(made) > _FEW:
                self._add_many([Packed(Tree.type_num, each.as_raw_string(), each.id.decode()) for each in made])
            else:
                for each in made:
                    self._add(each)
        return top

    def commit(self, folder: str, message: str, when: int, who: str) -> str:
        """Create a commit on top of `main`; return its id. `when` is in nanoseconds."""
        head = self.head
        made = self.commit_on(head, folder, message, when, who)
        self._set(_MAIN, object_id(made), head)
        return made

    def commit_on(self, parent: str, folder: str, message: str, when: int, who: str) -> str:
        """Create a commit on top of another (empty: a first one); return its id. No reference is changed."""
        made = Commit()
        made.tree = object_id(folder)
        made.parents = [object_id(parent)] if parent else []
        made.author = made.committer = who.translate(_NOT_IN_A_NAME).encode("utf-8", "replace") + _AUTHOR
        made.author_time = made.commit_time = max(0, when // 10**9)
        made.author_timezone = made.commit_timezone = 0
        made.encoding = b"UTF-8"
        made.message = message.encode("utf-8", "replace")
        self._add(made)
        return made.id.decode()

    def set_reviewed(self, folder: str) -> None:
        """Set the tree that the person has reviewed."""
        self._set(_REVIEWED, object_id(folder), self.reviewed)

    def since(self, known: str) -> list[Record]:
        """The commits after `known` (empty: all), oldest first. Raises `HistoryError` if `known` is not an ancestor."""
        with history_errors(self.home):
            found = list(commits(self._store, self.head, known))
            oldest = found[-1].parents[:1] if found else [object_id(self.head)]
            if [each.decode() for each in oldest if each] != ([known] if known else []):
                raise HistoryError(f"{known} is not in the history")
            records = []
            before = self.folder_of(known)
            for commit in reversed(found):
                folder = commit.tree.decode()
                records.append(
                    Record(commit.id.decode(), commit.message.decode("utf-8", "replace"), self.differences(before, folder))
                )
                before = folder
            return records

    def repack_if_needed(self) -> None:
        """Pack loose objects, with deltas, if there are many; join packs if there are many."""
        with history_errors(self.home):
            loose = list(self._store._iter_loose_objects())
            if len(loose) >= LOOSE_LIMIT:
                Packer(self._store, self._packs, self._tree, self.head).pack(loose)
            if len(self._store.packs) > PACKS_LIMIT:
                self.pack_all()

    def pack_all(self) -> None:
        """Write one pack with everything reachable; all else is deleted for good."""
        with history_errors(self.home):
            packer = Packer(self._store, self._packs, self._tree, self.head)
            made = packer.pack(packer.reachable(self.reviewed))
            for pack in list(self._store.packs):
                if made and pack.name() != made:
                    self._store._remove_pack(pack)

    def rewrite(self, wanted: Iterable[tuple[TreeEdits, str, int, str]], change: Callable[[str], str], reviewed: str) -> list[str]:
        """Replace all commits by these (changes, message, time, author), oldest first; return the new ids.

        `change` maps a text id to its replacement, for the reviewed tree. Everything else is deleted for good.
        """
        made: list[str] = []
        with history_errors(self.home):
            folder = ""
            for changes, message, when, who in wanted:
                folder = self.with_changes(folder, changes)
                made.append(self.commit_on(made[-1] if made else "", folder, message, when, who))
            seen = self.with_changes("", {path: change(id) for path, id in self.every(reviewed).items()})
            if made:
                self._set(_MAIN, object_id(made[-1]), self.head)
            self._set(_REVIEWED, object_id(seen), self.reviewed)
            self.pack_all()
        return made

    # -- below: git's objects, as dulwich has them --------------------------------------------------------------------

    def _ref(self, name: Ref) -> str:
        with history_errors(self.home):
            try:
                return self._repo.refs[name].decode()
            except KeyError:
                return ""

    def _set(self, name: Ref, id: ObjectID, old: str) -> None:
        with history_errors(self.home):
            set_reference(self.home, name.decode(), old, id.decode(), lambda: self._ref(name))

    def _add(self, made: ShaFile) -> None:
        with history_errors(self.home):
            if made.id not in self._store:
                write_loose(self._objects, made.type_name, made.as_raw_string(), made.id.decode())

    def _add_many(self, found: Iterable[Packed]) -> None:
        with history_errors(self.home):
            wanted = {each.id: each for each in found}
            news = [each for id, each in wanted.items() if object_id(id) not in self._store]
            if news:
                write_pack(self._packs, [each.id for each in news], news, FAST)

    def _tree(self, id: bytes) -> Tree:
        found = self._trees.get(id)
        if found is None:
            if len(self._trees) > 4_096:
                self._trees.clear()
            found = self._trees[id] = object_of(self._store, id, Tree)
        return found


def _changed_tree(
    tree: Trees, trees: dict[bytes, Tree], folder: bytes, changes: Mapping[tuple[bytes, ...], bytes], all_made: list[Tree]
) -> bytes:
    """Create a tree equal to `folder` except for `changes`; return its id. New trees are added to `trees` and `all_made`."""
    made = Tree()
    for name, mode, id in tree(folder).items() if folder else ():
        made.add(name, mode, id)
    below: dict[bytes, dict[tuple[bytes, ...], bytes]] = {}
    for parts, text in changes.items():
        if len(parts) > 1:
            below.setdefault(parts[0], {})[parts[1:]] = text
        elif text:
            made.add(parts[0], _FILE, ObjectID(text))
        elif parts[0] in made:
            del made[parts[0]]
    for name, inner in below.items():
        old = made[name][1] if name in made and made[name][0] == FOLDER else b""
        new = _changed_tree(tree, trees, old, inner, all_made)
        if len(tree(new)):
            made.add(name, FOLDER, ObjectID(new))
        elif name in made:
            del made[name]
    all_made.append(made)
    trees[made.id] = made
    return made.id


def escape_part(part: str) -> bytes:
    """Encode a part of a path for git: names that git forbids start with `%` and two hex digits."""
    raw = os.fsencode(part)
    if raw.lower().rstrip(b". ") in _FORBIDDEN or raw.startswith(b"%"):
        return b"%%%02x" % raw[0] + raw[1:] if raw else b"%"
    return raw


def _every(tree: Trees, folder: bytes, above: str) -> Iterator[tuple[str, str]]:
    for name, mode, id in tree(folder).items():
        path = above + unescape_part(name)
        if mode == FOLDER:
            yield from _every(tree, id, f"{path}/")
        else:
            yield path, id.decode()


def _differences(tree: Trees, old: bytes, new: bytes, above: str) -> Iterator[tuple[str, tuple[str, str]]]:
    if old == new:
        return
    sides = [{name: (mode, id) for name, mode, id in tree(each).items()} if each else {} for each in (old, new)]
    for name in sides[0].keys() | sides[1].keys():
        left, right = sides[0].get(name), sides[1].get(name)
        if left == right:
            continue
        path = above + unescape_part(name)
        folders = [side[1] if side and side[0] == FOLDER else b"" for side in (left, right)]
        texts = [side[1].decode() if side and side[0] != FOLDER else "" for side in (left, right)]
        if any(folders):
            yield from _differences(tree, folders[0], folders[1], f"{path}/")
        if any(texts):
            yield path, (texts[0], texts[1])


def _check_format(home: str) -> None:
    place = os.path.join(home, "zsmem-format")
    with open(place, "rb") as stream:
        found = int(stream.read(20).strip())
    if found > FORMAT:
        raise HistoryError(
            f"{printable_path(home)} was written by a newer zsmem (format {found}; this one knows {FORMAT}).",
            "Update zsmem, or move that folder away to begin a new history.",
        )


_NOT_IN_A_NAME: Final = dict.fromkeys(map(ord, "<>\n\r\0"))
"""Characters that git forbids in author names, which come from other programs."""


_MARKER: Final = "at-work"
_STALE_NS: Final = 3_600 * 10**9
"""Nanoseconds after which one of git's lock files is abandoned: normally it is held for milliseconds."""


@contextmanager
def in_use(home: str, repository: str) -> Iterator[None]:
    """Mark `home`, whose lock is held, as in use; delete what a dead process left in `repository`."""
    marker = os.path.join(home, _MARKER)
    _clear(marker, repository)
    with contextlib.suppress(OSError), open(marker, "wb") as stream:
        stream.write(b"%d" % os.getpid())
    try:
        yield
    finally:
        delete_if_possible(marker)


def _clear(marker: str, repository: str) -> None:
    made = stat_of(marker)
    if made is not None:
        with contextlib.suppress(OSError, ValueError), open(marker, "rb") as stream:
            pid = int(stream.read(20))
            if pid != os.getpid() and processes.owns(pid, made.st_mtime_ns):
                return  # a file system without locks, and the other process is using it now
    died = made is not None
    for folder, folders, names in os.walk(repository):
        if not died and folder == repository:
            folders[:] = [name for name in folders if name == "refs"]
        for name in names:
            is_ours = name.endswith(".lock") or (died and (name.startswith("tmp") or is_temporary(name)))
            place = os.path.join(folder, name)
            is_stale = is_ours and (died or ((seen := stat_of(place)) and time.time_ns() - seen.st_mtime_ns > _STALE_NS))
            if is_stale:
                delete_if_possible(place)
