"""The git repository that holds every version: texts, folders and commits, written in this process.

An ordinary bare repository, so `git log` works on it. One line of commits on `main`; `refs/zsmem/reviewed` names the folder of
texts that the person has seen. Whatever is wrong with it becomes a `HistoryError`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.history.git_files import BLOB, FAST, Packed, make_repository, packed, set_reference, write_loose, write_pack
from zsmem_tui.store.history.packing import FOLDER, Packer, commits, history_errors, object_of, unescape_part

FORMAT: Final = 1
"""Version of what we write. A higher one was written by a newer program and is left alone."""

LOOSE_LIMIT: Final = 128
"""Objects that lie about in files of their own before they are packed."""

PACKS_LIMIT: Final = 40
"""Packs after which all are packed into one."""

_FEW: Final = 16
"""Folders that are kept in files of their own; more of them go into a pack at once, which is synced once."""

_MAIN: Final = Ref(b"refs/heads/main")
_REVIEWED: Final = Ref(b"refs/zsmem/reviewed")
_AUTHOR: Final = b" <zsmem@localhost>"
_FILE: Final = 0o100644

_FORBIDDEN: Final = frozenset({b"", b".", b"..", b".git", b"git~1"})
GONE: Final = "The history does not hold this version any more."
"""What is said of a version that somebody was shown before another program took it out."""

Trees = Callable[[bytes], Tree]
"""Gives a folder by its id."""

TreeEdits = Mapping[str, str]
"""Relative paths with the id of their new text; empty: the file is gone."""


class Record(NamedTuple):
    """One commit as it is read back: `message` is all of it, `changes` what it changed, as pairs of text ids."""

    id: str
    message: str
    changes: dict[str, tuple[str, str]]


class Repository:
    """One open repository."""

    def __init__(self, home: str, about: str) -> None:
        """Open the repository in the folder `home`, or make it. Raises `HistoryError`."""
        self.home = home
        with history_errors(home):
            self.is_new = not os.path.isdir(os.path.join(home, "objects"))
            """Whether it was made just now."""
            if self.is_new:
                make_repository(home, _own_files(about))
            _check_format(home)
            self._repo = Repo(home)
            self._store = self._repo.object_store
            self._store.fsync_object_files = True
            self._objects = os.path.join(home, "objects")
            self._packs = os.path.join(self._objects, "pack")
            self._trees: dict[bytes, Tree] = {}

    def close(self) -> None:
        """Let go of open files; what another thread is still reading goes with that."""
        with history_errors(self.home):
            packs = list(self._store._iter_cached_packs())
            with contextlib.suppress(BufferError):
                self._repo.close()
            for pack in packs * 2:  # dulwich gives up at the first that is read; that one is closed when it is told so again
                with contextlib.suppress(BufferError):
                    pack.close()

    @property
    def head(self) -> str:
        """The id of the last commit; empty when there is none."""
        return self._ref(_MAIN)

    @property
    def reviewed(self) -> str:
        """The id of the folder that the person has seen; empty when there is none."""
        return self._ref(_REVIEWED)

    def folder_of(self, commit: str) -> str:
        """The id of a commit's folder; empty for no commit."""
        with history_errors(self.home):
            return object_of(self._store, _id(commit), Commit).tree.decode() if commit else ""

    def has(self, *ids: str) -> bool:
        """Whether all of these texts, folders and commits are there; an empty id names none."""
        with history_errors(self.home):
            packed = {id for pack in self._store.packs for id, _, _ in pack.index.iterentries()} if len(ids) > _FEW else set()
            return all(id and (bytes.fromhex(id) in packed or _id(id) in self._store) for id in ids)

    def message(self, commit: str) -> str:
        """What a commit says; empty for no commit."""
        with history_errors(self.home):
            return object_of(self._store, _id(commit), Commit).message.decode("utf-8", "replace") if commit else ""

    def put(self, raw: bytes) -> str:
        """Keep a text; its id."""
        blob = Blob.from_string(raw)
        self._add(blob)
        return blob.id.decode()

    def put_many(self, texts: Iterable[bytes]) -> list[str]:
        """Keep many texts at once, in one pack; their ids."""
        found = [packed(BLOB, raw) for raw in texts]
        self._add_many(found)
        return [each.id for each in found]

    def text(self, id: str) -> bytes:
        """The text called `id`. Raises `HistoryError`."""
        with history_errors(self.home):
            if id and not self.has(id):
                raise HistoryError(GONE, "It was forgotten, or dropped as too old; `zsmem history list` names those that are kept.")
            return object_of(self._store, _id(id), Blob).data

    def find(self, folder: str, path: str) -> str:
        """The id of the text at `path` below a folder; empty when there is none."""
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
        """Every path below a folder with the id of its text."""
        with history_errors(self.home):
            return dict(_every(self._tree, folder.encode(), "")) if folder else {}

    def differences(self, old: str, new: str) -> dict[str, tuple[str, str]]:
        """The paths whose texts differ between two folders, with both ids."""
        with history_errors(self.home):
            return dict(_differences(self._tree, old.encode(), new.encode(), ""))

    def with_changes(self, folder: str, changes: TreeEdits) -> str:
        """The id of a folder that is like `folder` but for `changes`."""
        split = {tuple(escape_part(part) for part in path.split("/")): id.encode() for path, id in changes.items()}
        made: list[Tree] = []
        with history_errors(self.home):
            top = _with(self._tree, self._trees, folder.encode(), split, made).decode()
            if len(made) > _FEW:
                self._add_many([Packed(Tree.type_num, each.as_raw_string(), each.id.decode()) for each in made])
            else:
                for each in made:
                    self._add(each)
        return top

    def commit(self, folder: str, message: str, when: int, who: str) -> str:
        """Put a commit on top of `main`; its id. `when` is in nanoseconds."""
        head = self.head
        made = _commit(folder, [head] if head else [], message, when, who)
        self._add(made)
        self._set(_MAIN, made.id, head)
        return made.id.decode()

    def commit_with(self, parents: list[str], folder: str, message: str, when: int, who: str) -> str:
        """A commit that follows these; its id. No reference names it yet. `when` is in nanoseconds."""
        made = _commit(folder, parents, message, when, who)
        self._add(made)
        return made.id.decode()

    def set_reviewed(self, folder: str) -> None:
        """Say what the person has seen."""
        self._set(_REVIEWED, _id(folder), self.reviewed)

    def since(self, known: str) -> list[Record]:
        """The commits after `known` (empty: all), oldest first. Raises `HistoryError` when `known` is not among them."""
        with history_errors(self.home):
            found = list(commits(self._store, self.head, known))
            oldest = found[-1].parents[:1] if found else [_id(self.head)]
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
        """Pack what lies about, with deltas, when it has become much."""
        with history_errors(self.home):
            loose = list(self._store._iter_loose_objects())
            if len(loose) >= LOOSE_LIMIT:
                Packer(self._store, self._packs, self._tree, self.head).pack(loose)
            if len(self._store.packs) > PACKS_LIMIT:
                self.pack_all()

    def pack_all(self) -> None:
        """One pack of everything that can be reached; the rest is gone for good."""
        with history_errors(self.home):
            packer = Packer(self._store, self._packs, self._tree, self.head)
            made = packer.pack(packer.reachable(self.reviewed))
            for pack in list(self._store.packs):
                if made and pack.name() != made:
                    self._store._remove_pack(pack)

    def rewrite(self, wanted: Iterable[tuple[TreeEdits, str, int, str]], change: Callable[[str], str], reviewed: str) -> list[str]:
        """Replace all commits by these (changes, message, time, who), oldest first; their new ids.

        `change` gives the id that replaces a text's in what the person has seen. Everything else is gone for good afterwards.
        """
        made: list[str] = []
        with history_errors(self.home):
            folder = ""
            for changes, message, when, who in wanted:
                folder = self.with_changes(folder, changes)
                commit = _commit(folder, made[-1:], message, when, who)
                self._add(commit)
                made.append(commit.id.decode())
            seen = self.with_changes("", {path: change(id) for path, id in self.every(reviewed).items()})
            if made:
                self._set(_MAIN, _id(made[-1]), self.head)
            self._set(_REVIEWED, _id(seen), self.reviewed)
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
            news = [each for id, each in wanted.items() if _id(id) not in self._store]
            if news:
                write_pack(self._packs, [each.id for each in news], news, FAST)

    def _tree(self, id: bytes) -> Tree:
        found = self._trees.get(id)
        if found is None:
            if len(self._trees) > 4_096:
                self._trees.clear()
            found = self._trees[id] = object_of(self._store, id, Tree)
        return found


def _with(
    tree: Trees, trees: dict[bytes, Tree], folder: bytes, changes: Mapping[tuple[bytes, ...], bytes], all_made: list[Tree]
) -> bytes:
    """The id of a folder that is like `folder` but for `changes`; it and those below it go to `trees` and `all_made`."""
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
        new = _with(tree, trees, old, inner, all_made)
        if len(tree(new)):
            made.add(name, FOLDER, ObjectID(new))
        elif name in made:
            del made[name]
    all_made.append(made)
    trees[made.id] = made
    return made.id


def holds(repo: Repository, raw: bytes) -> bool:
    """Whether these bytes stand in anything that is kept, also in what nothing leads to any more. Raises `HistoryError`."""
    with history_errors(repo.home):
        return any(raw in repo._store[id].as_raw_string() for id in repo._store)


def escape_part(part: str) -> bytes:
    """A part of a path as git takes it: names that git forbids begin with `%` and two hex digits."""
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


def _own_files(about: str) -> dict[str, bytes]:
    """What a repository of ours has beside git's files."""
    return {
        "description": f"What zsmem saw of {about}\n".encode(errors="backslashreplace"),
        "zsmem-format": f"{FORMAT}\n".encode(),
    }


_NOT_IN_A_NAME: Final = dict.fromkeys(map(ord, "<>\n\r\0"))
"""What git allows in no author: programs say themselves what they are called."""


def _commit(folder: str, parents: list[str], message: str, when: int, who: str) -> Commit:
    made = Commit()
    made.tree = _id(folder)
    made.parents = [_id(parent) for parent in parents]
    made.author = made.committer = who.translate(_NOT_IN_A_NAME).encode("utf-8", "replace") + _AUTHOR
    made.author_time = made.commit_time = max(0, when // 10**9)
    made.author_timezone = made.commit_timezone = 0
    made.encoding = b"UTF-8"
    made.message = message.encode("utf-8", "replace")
    return made


def _id(id: str) -> ObjectID:
    return ObjectID(id.encode())
