"""Claude Code's index and topics as `core.index_file.Lists`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from zsmem_tui.agents.claude_code import index
from zsmem_tui.agents.claude_code.files import INDEX, Files, below
from zsmem_tui.agents.claude_code.topics import frontmatter_name, title_and_hook
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.index_file import About, Lists, Rewrite
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree, read_if_there, walk


class IndexLists(Lists):
    """Each memory folder has one index, which lists its topics."""

    def __init__(self, files: Files, *, is_cut: bool = True) -> None:
        self._files = files
        self._is_cut = is_cut

    def companions(
        self, tree: Tree, before: str | None, after: str | None, text: bytes, free: int = 0, about: str = ""
    ) -> dict[str, Rewrite]:
        """Add, change or remove a topic's line in the index; between two indexes, the line keeps title and description.

        The links in the topics beside a renamed one follow, too; those by a name that its frontmatter keeps lead to it still.
        """
        old = self._files.listed_by(before) if before is not None else None
        new = self._files.listed_by(after) if after is not None else None
        if old is not None and new is not None and old[0] == new[0]:
            topics, names = topics_of(tree, old[0], self._files), (old[1], new[1])
            keeps = frontmatter_name(text).replace("_", "-") == old[1].removesuffix(EXTENSION).replace("_", "-")

            def follow(raw: bytes | None, *, by_name: bool = not keeps) -> bytes | None:
                return None if raw is None else index.renamed(raw, *names, topics, by_name=by_name)

            beside = [
                below(old[0].rpartition("/")[0], each) for each in topics if "/" not in f"{each}{old[1]}" and each not in names
            ]
            linking = [each for each in beside if follow(there := read_or_empty(tree, each)) != there]
            return {old[0]: partial(follow, by_name=True), **dict.fromkeys(linking, follow)}
        out: dict[str, Rewrite] = {}
        words = title_and_hook(new[1], text, about) if new is not None else ("", "")
        if old is not None:
            place, file = old
            known = topics_of(tree, place, self._files)
            words = index.said(read_if_there(tree, place) or b"", file, known) or words
            out[place] = lambda raw: None if raw is None else index.removed(raw, file, known)
        if new is not None:
            goal, name = new
            others = topics_of(tree, goal, self._files)
            out[goal] = lambda raw: index.added(raw, name, *words, others, is_cut=self._is_cut, free=free)
        return out

    def findings(self, tree: Tree, group: str) -> list[Notice]:
        """The mismatches between the group's indexes and its topics."""
        every = [found for home in self._files.homes(group) for found in findings_of(tree, home, self._files)]
        return [found for found in every if self._is_cut or found.kind is not NoticeKind.LOST_LINES]

    def names(self, path: str, raw: bytes) -> tuple[str, ...]:
        """The `name` in a topic's frontmatter, and its file name with hyphens."""
        if self._files.listed_by(path) is None:
            return ()
        stem = path.rpartition("/")[2].removesuffix(EXTENSION).replace("_", "-")
        return tuple(name for name in (frontmatter_name(raw), stem) if name)

    def own_words(self, tree: Tree, path: str, raw: bytes) -> bytes:
        """Everything except lines about topics."""
        return index.own_words(raw, topics_of(tree, path, self._files))

    def told(self, tree: Tree, path: str, raw: bytes) -> Mapping[int, About]:
        """The lines that begin with a link to a topic, each with title and description."""
        home, topics = path.rpartition("/")[0], topics_of(tree, path, self._files)
        return {number: About(below(home, file), *words) for number, file, words in index.hooks(raw, topics)}

    def without_words(self, tree: Tree, path: str, raw: bytes, words: bytes) -> bytes | None:
        """The lines about topics, and other lines that are not among these words."""
        return index.without_words(raw, words, topics_of(tree, path, self._files))


def findings_of(tree: Tree, home: str, files: Files) -> list[Notice]:
    """The mismatches between the topics of a folder and its index."""
    path = below(home, INDEX)
    topics = topics_of(tree, path, files)
    raw = read_if_there(tree, path)
    if raw is None and not topics:
        return []
    names = {}
    if b"[[" in (raw or b""):
        names = {frontmatter_name(read_or_empty(tree, below(home, topic))): topic for topic in topics}
    found = index.findings(raw or b"", topics, printable_path(path), names)
    loose = {each.text for each in found if each.kind is NoticeKind.UNLISTED}
    hidden = {name for each in topics if (name := printable_path(each)) in loose and not _is_readable(tree, below(home, each))}
    return [each for each in found if each.kind is not NoticeKind.UNLISTED or each.text not in hidden]


def _is_readable(tree: Tree, path: str) -> bool:
    """Whether a topic can be read, without leaving the memory: what others have does not belong in a prompt unasked."""
    try:
        tree.read(path)
    except StoreError:
        return False
    entry = tree.entry(path)
    return entry is not None and not (entry.is_link and tree.real(path).startswith("/"))


def topics_of(tree: Tree, path: str, files: Files) -> list[str]:
    """The topics that belong in an index, as relative paths; none if the file is no index."""
    home, _, name = path.rpartition("/")
    every = walk(tree, home, ordinary=True) if name == INDEX else ()
    return [each for each in every if files.listed_by(below(home, each)) == (path, each)]


def read_or_empty(tree: Tree, path: str) -> bytes:
    """The bytes of a file; empty if it cannot be read, which is reported elsewhere."""
    try:
        return tree.read(path)
    except StoreError:
        return b""
