"""Decide which folder a project's memory belongs to and whether the folder has moved, from recorded and current facts only.

Nothing is guessed from a name alone: a folder counts as another's successor only by properties that survive a move and that no
other folder has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.text import counted, grouped, printable_path

FEWEST_ALIKE: Final = 3
"""The fewest common names at the top of two folders for them to count as alike."""

TOP: Final = "."
"""The path of the repository's top folder inside the repository."""


class State(StrEnum):
    """The state of the folder that a memory belongs to."""

    HERE = "here"
    MOVED = "moved"
    MAYBE = "maybe"
    GONE = "gone"
    UNKNOWN = "unknown"


class Identity(NamedTuple):
    """A file system's identifier of a folder or file, independent of its name. May be reused after deletion."""

    device: int
    inode: int


class Child(NamedTuple):
    """An entry of a folder: name, inode and modification time."""

    name: str
    inode: int
    modified_ns: int


class Repository(NamedTuple):
    """What git has recorded about the work tree that contains a folder.

    `common` is the git folder shared by all work trees of the repository, `within` the folder's path in its work tree. `made_ns` is
    the creation time of what `identity` identifies, from a file that git never touches again (0: unknown). `remote` is canonical.
    `roots` are the first commits; empty if not requested or not available. `first_log` is a digest of the oldest line of the reflog
    of HEAD.
    """

    common: str
    within: str = TOP
    identity: Identity | None = None
    made_ns: int = 0
    is_linked: bool = False
    remote: str = ""
    roots: tuple[str, ...] = ()
    first_log: str = ""


class FolderFacts(NamedTuple):
    """What was seen of an existing folder. `entries` are its first entries by name, in the form of `packed`."""

    path: str
    identity: Identity
    entries: str = ""
    repository: Repository | None = None

    @property
    def children(self) -> tuple[Child, ...]:
        """The parsed entries; parsed on demand, since a start reads hundreds of records and needs few of these."""
        fields = [each.split(" ", 2) for each in self.entries.split("/") if each]
        return tuple([Child(name, int(inode), int(modified)) for inode, modified, name in fields])


def packed(children: Iterable[Child]) -> str:
    """Serialize the entries of a folder to a string. Names contain no slash."""
    return "/".join(f"{each.inode} {each.modified_ns} {each.name}" for each in children)


class ProjectRecord(NamedTuple):
    """What is remembered about one slug.

    `folders` are the known paths with this slug; `facts` is what was last seen of one of them. `label` is the name given by the
    person, `formerly` are slugs whose memory was moved here. `candidates` are folders that looked like the missing folder in the
    last search; if no folder has this slug, the one that the memory's own sessions ran in.
    """

    slug: str
    folders: tuple[str, ...] = ()
    facts: FolderFacts | None = None
    first_seen_ns: int = 0
    last_seen_ns: int = 0
    label: str = ""
    formerly: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """The result for a memory's folder.

    `folder` is the last known one; empty if there never was one or there are several: those are `candidates`, as are the folders
    that it may be now. `moved_to` is its likely new path. `family` is an id shared by the memories of one repository. `why` is a
    sentence.
    """

    state: State
    folder: str = ""
    moved_to: str = ""
    family: str = ""
    why: str = ""
    candidates: tuple[str, ...] = ()


def normal(path: str) -> str:
    r"""Normalize a path for comparison only: `C:\x` to `/mnt/c/x`, `/private/var` to `/var`."""
    if path[1:3] in (":\\", ":/") and path[0].isascii() and path[0].isalpha():
        return f"/mnt/{path[0].lower()}/" + path[3:].replace("\\", "/").strip("/")
    if path.startswith("/mnt/") and path[6:7] in ("/", ""):
        return f"/mnt/{path[5:6].lower()}{path[6:]}".rstrip("/")
    for private in ("/private/var", "/private/tmp", "/private/etc"):
        if path == private or path.startswith(f"{private}/"):
            return path.removeprefix("/private")
    return path.rstrip("/") or "/"


def other_spellings(path: str) -> list[str]:
    """Other paths of the same folder, as used by agents in another system on the same machine (WSL, macOS); their slugs differ."""
    if path.startswith("/mnt/") and path[5:6].isascii() and path[5:6].isalpha() and path[6:7] in ("/", ""):
        rest = path[7:].replace("/", "\\")
        return [f"{letter}:\\{rest}" for letter in (path[5].upper(), path[5].lower())]
    for place in ("/var", "/tmp", "/etc"):
        if path.startswith(f"/private{place}/"):
            return [path.removeprefix("/private")]
        if path.startswith(f"{place}/"):
            return [f"/private{path}"]
    return []


def is_same_by_identity(was: FolderFacts, now: FolderFacts) -> bool:
    """Whether two folders are the same by their file system identifiers.

    An equal inode alone proves nothing, since a new folder may get the number of a deleted one. In addition, either the
    repository's inode and the folder's place in it must be equal with no contrary evidence, or an entry inside must be unreplaced
    and unchanged.
    """
    if was.identity != now.identity or differ(was.repository, now.repository):
        return False
    mine, theirs = was.repository, now.repository
    if mine and theirs and mine.identity and mine.identity == theirs.identity and mine.within == theirs.within:
        if mine.made_ns and mine.made_ns == theirs.made_ns:
            return True
        if not (mine.made_ns and theirs.made_ns) and mine.first_log == theirs.first_log:
            return True
    known = {each for each in was.children if each.modified_ns}
    return any(each in known for each in now.children)


def differ(was: Repository | None, now: Repository | None) -> bool:
    """Whether two work trees certainly belong to different repositories."""
    if was is None or now is None:
        return False
    if was.roots and now.roots:
        return not set(was.roots) & set(now.roots)
    is_one = was.identity is not None and was.identity == now.identity
    return is_one and bool(was.made_ns and now.made_ns) and was.made_ns != now.made_ns


def _made_at_other_times(was: FolderFacts, now: FolderFacts) -> bool:
    """Whether the repositories of two folders were created at different times: then the inode was reused."""
    mine, theirs = was.repository, now.repository
    return bool(mine and theirs and mine.made_ns and theirs.made_ns and mine.made_ns != theirs.made_ns)


def is_same_by_history(was: FolderFacts, now: FolderFacts) -> bool:
    """Whether both folders have the same remote, first commits and place in the repository, all of them known."""
    mine, theirs = was.repository, now.repository
    if mine is None or theirs is None or not may_follow(mine, theirs):
        return False
    return bool(mine.roots) and set(mine.roots) == set(theirs.roots)


def is_same_remote(was: FolderFacts, now: FolderFacts) -> bool:
    """Whether both folders have the same remote, but first commits are unknown for one of them."""
    mine, theirs = was.repository, now.repository
    return mine is not None and theirs is not None and may_follow(mine, theirs) and not (mine.roots and theirs.roots)


def may_follow(was: Repository, now: Repository) -> bool:
    """Whether a folder may be the moved one: same remote and place, but not another work tree of the same repository."""
    has_remote = bool(was.remote) and was.remote == now.remote
    return has_remote and was.within == now.within and was.is_linked == now.is_linked and was.common != now.common


def is_worth_a_look(was: FolderFacts, now: FolderFacts) -> bool:
    """Whether there is any evidence that `now` is the missing folder `was`; `judge` decides whether it is enough."""
    mine, theirs = was.repository, now.repository
    if was.identity == now.identity or (mine is not None and theirs is not None and may_follow(mine, theirs)):
        return True
    names = {each.name for each in was.children}
    return is_alike(len(names & {each.name for each in now.children}), len(names))


def is_alike(common: int, known: int) -> bool:
    """Whether the common names are at least half of the known ones, and three or more."""
    return common >= FEWEST_ALIKE and 2 * common >= known


def judge(
    slugs: Collection[str],
    records: Mapping[str, ProjectRecord],
    present: Mapping[str, FolderFacts],
    slug_of: Callable[[str], str],
) -> dict[str, Verdict]:
    """Decide the state of the folder of each of these memories.

    `present` maps paths to the folders that exist and were examined; `slug_of` computes the slug of a path.
    """
    judging = _FolderIndex(slugs, records, present, slug_of)
    found = {slug: judging.verdict(records.get(slug)) for slug in slugs}
    families = _families({slug: present[each.folder] for slug, each in found.items() if each.state is State.HERE})
    return {slug: each._replace(family=families.get(slug, "")) for slug, each in found.items()}


class _FolderIndex:
    """The existing folders indexed by identity, remote and names, so that each memory takes look-ups only."""

    def __init__(
        self,
        slugs: Collection[str],
        records: Mapping[str, ProjectRecord],
        present: Mapping[str, FolderFacts],
        slug_of: Callable[[str], str],
    ) -> None:
        self._records = records
        self._present = present
        self._owner = {path: slug for slug in slugs if slug in records for path in records[slug].folders}
        self._has_memory = {path for path in present if slug_of(path) in slugs}
        nameless = (records[slug] for slug in slugs if slug in records and not records[slug].folders)
        self._claims = Counter(path for each in nameless for path in each.candidates if path in present)
        every, known = present.values(), self._has_memory
        self._by_identity = grouped((each.identity, each) for each in every)
        self._by_remote = grouped((own.remote, each) for each in every if (own := each.repository) and own.remote)
        self._by_name = grouped((child.name, each) for each in every if each.path not in known for child in each.children)

    def verdict(self, record: ProjectRecord | None) -> Verdict:
        """The state of one memory's folder."""
        if record is None or not record.folders:
            return self._by_sessions(record.candidates if record is not None else ())
        living = [path for path in record.folders if path in self._present]
        if len(living) == 1:
            return Verdict(State.HERE, living[0], why=f"{printable_path(living[0])} is there.")
        if living:
            return Verdict(State.UNKNOWN, why=f"{_several(living)} have this memory.", candidates=tuple(living))
        if len(record.folders) > 1:
            why = f"{_several(record.folders)} had this memory, and none of them is there."
            return Verdict(State.GONE, why=why, candidates=record.folders)
        folder = record.folders[0]
        gone = Verdict(State.GONE, folder, why=f"{printable_path(folder)} is not there, and nothing like it is known.")
        return gone if record.facts is None else self._successor(record, record.facts, folder) or gone

    def _by_sessions(self, said: Sequence[str]) -> Verdict:
        """The existing folder that the sessions beside a memory ran in, although the memory's name is not the folder's."""
        there = tuple(path for path in said if self._claims[path])
        if not there:
            return Verdict(State.UNKNOWN, why="No folder was found that this is about.")
        ran = f"Its sessions ran in {printable_path(there[0])}, but the agent looks for that folder's memory under another name"
        if len(there) == 1 and self._claims[there[0]] == 1 and there[0] not in self._has_memory:
            return Verdict(State.MAYBE, there[0], there[0], why=f"{ran} now.")
        other = "which exists" if there[0] in self._has_memory else "and other memory says the same"
        return Verdict(State.UNKNOWN, why=f"{ran}, {other}.", candidates=there)

    def _successor(self, record: ProjectRecord, was: FolderFacts, folder: str) -> Verdict | None:
        """The folder that the missing one has certainly or maybe become; None if nothing is like it."""
        numbered = self._by_identity.get(was.identity, [])
        remote = was.repository.remote if was.repository else ""
        related = self._by_remote.get(remote, []) if remote else []
        sure = [each for each in numbered if is_same_by_identity(was, each)]
        proof = "it is the same folder under another name"
        if not sure:
            later = [each for each in related if not _existed_together(record, self._records.get(self._owner.get(each.path, "")))]
            sure = [each for each in later if is_same_by_history(was, each)]
            proof = "it has the same remote and the same first commits"
        if len(sure) == 1:
            why = f"{printable_path(folder)} is now {printable_path(sure[0].path)}: {proof}."
            return Verdict(State.MOVED, folder, sure[0].path, why=why)
        if sure:
            return _undecided(folder, sure)
        count = Counter(each.path for child in was.children for each in self._by_name.get(child.name, ()))
        named = [self._present[path] for path, common in count.items() if is_alike(common, len(was.children))]
        for alike, reason in (
            ([each for each in related if is_same_remote(was, each)], "it has the same remote, and no first commits are known"),
            (named, "half of what lay in it has the same names there"),
            (
                [each for each in numbered if not _made_at_other_times(was, each)],
                "the file system gives it the same number, which is no proof",
            ),
        ):
            free = [each for each in alike if each.path not in self._has_memory and not differ(was.repository, each.repository)]
            if len(free) == 1:
                why = f"{printable_path(folder)} is not there. It may be {printable_path(free[0].path)}: {reason}."
                return Verdict(State.MAYBE, folder, free[0].path, why=why)
            if free:
                return _undecided(folder, free)
        return None


def _existed_together(record: ProjectRecord, other: ProjectRecord | None) -> bool:
    """Whether the other memory's folder existed while this one's did: then it is a second copy and no successor."""
    return other is not None and bool(other.first_seen_ns) and other.first_seen_ns <= record.last_seen_ns


def _undecided(folder: str, found: Sequence[FolderFacts]) -> Verdict:
    paths = tuple(sorted(each.path for each in found))
    return Verdict(
        State.GONE, folder, why=f"{printable_path(folder)} is not there. {_several(paths)} could be it.", candidates=paths
    )


def _several(paths: Sequence[str]) -> str:
    return f"{counted(len(paths), 'folder')} ({', '.join(map(printable_path, paths))})"


def _families(living: Mapping[str, FolderFacts]) -> dict[str, str]:
    """Map slugs to the first slug of their repository: same common folder, or same remote and first commits."""
    members: dict[object, list[str]] = {}
    for slug, facts in sorted(living.items()):
        if (own := facts.repository) is not None:
            members.setdefault(("folder", normal(own.common)), []).append(slug)
            if own.remote and own.roots:
                members.setdefault(("history", own.remote, own.roots), []).append(slug)
    name: dict[str, str] = {}
    for group in members.values():
        if len(group) > 1:
            merged = {name.get(slug, slug) for slug in group}
            first = min(merged)
            for slug, each in list(name.items()):
                if each in merged:
                    name[slug] = first
            name.update(dict.fromkeys(group, first))
    return name
