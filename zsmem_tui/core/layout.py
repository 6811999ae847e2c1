"""The shape of a store: what a `Layout` answers, and what everything else asks it.

A layout turns targets into relative paths, says which folders the agent lists and searches, and composes what goes into its
prompt. Listing, search, the catalogue and the tree work on what a layout says, so a store of another shape needs a layout and
nothing more. Each agent's own stands in `agents/<name>/layout.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from zsmem_tui.core.checks.by_kind import NO_CHECKS, Checks
from zsmem_tui.core.errors import BadName, BadTarget
from zsmem_tui.core.frontmatter import NO_DRESS, Dress
from zsmem_tui.core.index_file import NO_LISTS, Lists
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import MemRef, Role

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.core.context import Block, Moment, Reader
    from zsmem_tui.core.tree import Tree


class Listing(Protocol):
    """The folders of a store, by their paths. No file is looked at."""

    def __call__(self, folder: str) -> list[str]:
        """The names of the folders in a folder, by name; hidden ones are left out."""

    def has(self, folder: str) -> bool:
        """Whether there is such a folder; what lies beside it, which may be thousands of files, is not looked at."""


class Folder(NamedTuple):
    """One folder of memory files; with `deep`, those below it too, but hidden ones.

    `path` is relative to the root (empty: the root itself). `only` limits it to these file names; `main` is the one file that
    `role` speaks of, where others may lie beside it. `searched` says whether the agent lists and searches it; `dated` whether its
    file names are dates that count when hits tie; hits in files called `first` come before all others. `place` says by its path
    what a file is, None for one that is no memory, where names alone do not tell; `only`, `role` and `main` are not asked then. It
    is asked only of names that end in one of `endings` (in small letters; none: of all): there may be tens of thousands of others.
    With `inside`, links that lead out of the store are passed over.
    """

    path: str
    project: str = ""
    role: Role | None = None
    only: tuple[str, ...] = ()
    searched: bool = True
    dated: bool = False
    main: str = ""
    first: str = ""
    place: Callable[[str], MemRef | None] | None = None
    deep: bool = False
    endings: tuple[str, ...] = ()
    inside: bool = False

    def holds(self, file_name: str) -> bool:
        """Whether a file of this name in here is memory."""
        if self.place is not None:
            return self.place(self._path_of(file_name)) is not None
        return is_memory_name(file_name) and (not self.only or file_name in self.only)

    def at(self, path: str) -> MemRef | None:
        """The memory file at a relative path; None when it is not in here."""
        parent, _, name = path.rpartition("/")
        inside = not self.path or parent.startswith(f"{self.path}/")
        if parent != self.path and not (self.deep and inside):
            return None
        here = self._replace(path=parent)
        return here.ref(name) if here.holds(name) else None

    def ref(self, file_name: str) -> MemRef:
        """The memory file called `file_name` in here."""
        path = self._path_of(file_name)
        if self.place is not None:
            return self.place(path) or MemRef(path)
        if self.role and (self.only or file_name == self.main):
            return MemRef(path, self.role, self.project)
        return MemRef(path, None if self.main else self.role, self.project, file_name.removesuffix(EXTENSION))

    def _path_of(self, file_name: str) -> str:
        return f"{self.path}/{file_name}" if self.path else file_name


class Disk(NamedTuple):
    """What a layout may ask of files outside its store, by absolute paths.

    `read` gives the text of a file (None: there is none, or it is no text), `below` all files below a folder by their paths.
    """

    read: Callable[[str], str | None]
    below: Callable[[str], Sequence[str]]


class Layout(ABC):
    """The shape of one kind of store: where its files are, what they are, what the agent sees, and what it has not.

    All paths are relative to its root, with `/`. A *group* is whom files belong to: a project, a personality, a user; files of
    no group belong to everybody. `MemRef.project` and `Folder.project` name it. What a kind does not say itself is answered here:
    each group is a folder in `projects_folder`, or there are none.
    """

    kind = ""
    """The kind's name, as in sentences."""
    title = ""
    """The agent's name as people write it."""
    projects_folder = ""
    """The folder that has one folder a project; empty when this kind has no projects."""
    context_files: tuple[str, ...] = ()
    """Files of a folder, and of those above it, that the agent puts into every prompt beside its memory.

    The first of them is also read from beside the store.
    """
    block_end = ""
    """The text that would end the prompt's block early, where a memory file holds it; empty when none would."""
    has_profiles = False
    """Whether what goes into the prompt depends on the agent's profile and on the day that it is asked for."""
    programs: tuple[str, ...] = ()
    """What the agent's processes are called: a lock file counts only while one of these holds it."""
    has_others = False
    """Whether its root also holds what is no memory, such as the agent's settings or a person's work."""
    lists: Lists = NO_LISTS
    """Which of its files speak of others, such as an index."""
    checks: Checks = NO_CHECKS
    """What the doctor finds by the rules of this kind alone."""
    dress: Dress = NO_DRESS
    """What its files have around their texts, such as frontmatter."""

    def groups(self, folders: Listing) -> list[str]:
        """The groups that the store has, by name, from the names of its folders alone."""
        return sorted(folders(self.projects_folder)) if self.projects_folder else []

    def group_of(self, path: str) -> str:
        """The group that a relative path belongs to; empty when it is everybody's."""
        home = self.projects_folder
        inside = path.removeprefix(f"{home}/") if home else path
        return inside.split("/", 1)[0] if inside != path and "/" in inside else ""

    def home_of(self, group: str) -> str:
        """The folder that is a group's own; empty when it has none."""
        return f"{self.projects_folder}/{group}" if self.projects_folder else ""

    def group_named_after(self, folder: str) -> str:
        """The group that is named after a folder of this path; empty for a kind that names none after folders."""
        return ""

    def global_folders(self) -> tuple[Folder, ...]:
        """The folders that belong to no group, in the agent's order."""
        return ()

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The folders of one group, in the agent's order; none when this kind has no such groups."""
        return ()

    @abstractmethod
    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """Where a write to `role` goes; None when this kind has no such file. `name` is a stem or a date, already checked."""

    def archive(self, project: str) -> str | None:
        """Where finished checklist items go when a person archives them; None when this kind has no place for them."""
        return None

    def label(self, role: Role) -> str:
        """What a file of this target is called."""
        return role.value

    def part(self, role: Role | None) -> str:
        """What the share that files of this role have in the prompt is called, in a word; None: of a file of no role."""
        return role.value if role else "other"

    def inject_limit(self, role: Role) -> int | None:
        """Bytes above which the agent leaves a whole file out of the prompt; None when it knows no such limit."""
        return None

    def locks(self, tree: Tree, path: str) -> list[str]:
        """The agent's lock files that keep others from writing to `path`, whether anybody holds them or not."""
        return []

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Raises `RuleBroken` where the agent's rules forbid that a file becomes this (None: it is deleted)."""
        return  # any text is welcome

    def finds(self, text: str, query: str) -> bool:
        """Whether the agent's own search would find a text that holds some word of the query."""
        return True

    def has_prompt(self, group: str) -> bool:
        """Whether agents make a prompt for a group; one without files may still have none. Any other name: for everybody."""
        return True

    @abstractmethod
    def block(self, reader: Reader, moment: Moment) -> Block:
        """What goes into the prompt."""

    def unloaded(self, path: str, before: bytes | None, after: bytes | None) -> str:
        """That the agent does not load a line which an index gained, as a sentence; empty where it loads all it gained."""
        return ""

    def as_of(self, now: Callable[[], datetime]) -> Layout:
        """The same with another clock: the block of another time."""
        return self

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """The store's own instruction files that are in every prompt beside that: by path, the lines (from 0) that get there."""
        return {}

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """The instruction files outside the store that are in every prompt of a folder: their paths and texts.

        Those called as `context_files` say are not among them.
        """
        return ()

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """The instruction files of a folder that the agent reads and facts can be added to, by their paths in it.

        The one that is meant first is the first.
        """
        return ()


def place_of(layout: Layout, role: Role, project: str, name: str = "") -> MemRef:
    """Where a write to `role` goes. Raises `BadTarget` when this kind of store has no such file, `BadName` for its name."""
    ref = layout.ref(role, project, name)
    if ref is None and role is Role.NOTE and layout.ref(role, project, "note") is not None:
        raise BadName(f"{layout.title} cannot call a file {name!r}. Nothing was done.", "Letters and digits will do.")
    if ref is None:
        index = layout.ref(Role.INDEX, project) if role is Role.FACTS else None
        hint = f"What it has in every prompt is {index.name or index.path.rpartition('/')[2]}." if index is not None else ""
        raise BadTarget(f"{layout.title} has no {WORDS[role]}. Nothing was done.", hint)
    return ref


def group_label(layout: Layout, group: str) -> str:
    """What a group is called where its store is known: its name, with of whom it is where that is no folder."""
    kind, _, name = group.partition(":")
    if layout.projects_folder or not name:
        return group
    return name if kind in ("project", "folder") else f"{kind} {name}"


def is_named_after_folder(layout: Layout, group: str) -> bool:
    """Whether a group of this name is that of a folder, in a kind that has such groups beside others."""
    kind, colon, _ = layout.group_named_after("/").partition(":")
    return bool(kind) and (not colon or group.startswith(f"{kind}:"))


def group_word(layout: Layout) -> str:
    """What those are called that files belong to: `project` where they are named after folders or have one each, else `group`."""
    return "project" if layout.projects_folder or layout.group_named_after("/") else "group"


def makes_project(layout: Layout) -> str:
    """What begins a project in a store of this kind, as words with "or"; empty where memory is not kept by project."""
    groups = [name for name in ("name", "project:name") if layout.project_folders(name)]
    roles = {Role.INDEX: "index", Role.LOG: "log", Role.NOTE: "note", Role.CHECKLIST: "scratchpad"}
    words = [word for role, word in roles.items() if any(layout.ref(role, group, "name") is not None for group in groups)]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def only_instructions(layout: Layout) -> bool:
    """Whether a store of this kind holds no memory, but what tells agents what to do."""
    return layout.ref(Role.INSTRUCTIONS, "group") is not None and layout.ref(Role.NOTE, "group", "name") is None


def has_checklist(layout: Layout) -> bool:
    """Whether stores of this kind keep tasks in a file of their own."""
    return layout.ref(Role.CHECKLIST, "group") is not None


def items_apart(layout: Layout) -> bool:
    """Whether tasks stand in checklists alone: where each project has one, a box elsewhere is text of a note or a log."""
    return has_checklist(layout) and bool(layout.projects_folder)


def is_memory_name(file_name: str) -> bool:
    """True when a directory entry of this name is memory: its extension is exactly `md` (specification, section 5)."""
    return bool(memory_names((file_name,)))


def memory_names(names: Iterable[str]) -> list[str]:
    """Those of the names that are memory."""
    return [name for name in names if name.endswith(EXTENSION) and name != EXTENSION]


def searched_folders(layout: Layout, project: str) -> tuple[Folder, ...]:
    """The folders that the agent lists and searches in `project`, in its order."""
    every = (*layout.global_folders(), *layout.project_folders(project))
    return tuple(folder for folder in every if folder.searched)


def project_of(layout: Layout, path: str) -> str:
    """The project that a relative path lies in; empty when it lies in none."""
    return layout.group_of(path)


def has_main_file(layout: Layout, project: str) -> bool:
    """Whether the agent has a file for a project that goes into every prompt (`main_file`)."""
    return any(layout.ref(role, project) is not None for role in (Role.FACTS, Role.INDEX))


def main_file(layout: Layout, project: str) -> MemRef:
    """The file that goes into every prompt of a project: long-term memory, or the index. Raises `BadTarget` where there is none."""
    found = layout.ref(Role.FACTS, project) or layout.ref(Role.INDEX, project)
    return found if found is not None else place_of(layout, Role.FACTS, project)


def in_project(layout: Layout, path: str, project: str) -> str:
    """The path that a file of one project has in another; that of a file of none stays as it is."""
    own = project_of(layout, path)
    return f"{layout.home_of(project)}/{path.removeprefix(f'{layout.home_of(own)}/')}" if own else path


def store_prefix(layout: Layout, path: str) -> str | None:
    """What stands before a store's own path in a longer one; None when nothing in it looks like such a store."""
    home = layout.projects_folder
    at = f"/{path}".find(f"/{home}/") if home else -1
    if at >= 0:
        return path[:at]
    name = path.rpartition("/")[2]
    mains = [folder for folder in layout.global_folders() if name and name in (folder.main, *folder.only)]
    for folder in mains:
        own = f"{folder.path}/{name}" if folder.path else name
        if f"/{path}".endswith(f"/{own}"):
            return path.removesuffix(own)
    return None


def find_ref(layout: Layout, path: str) -> MemRef | None:
    """The memory file at a relative path, or None when the layout has no such place."""
    project = project_of(layout, path)
    for folder in layout.project_folders(project) if project else layout.global_folders():
        if (found := folder.at(path)) is not None:
            return found
    return None


def foreign_problem(layout: Layout, path: str) -> str:
    """Why a file that comes from others, or goes to them, cannot have this relative path, as a clause; empty: it can.

    What programs run by themselves is called `.git/hooks/pre-commit` or `.envrc`, or is an agent's settings: no name may begin with
    a dot but those that stores of this kind have, and where a root holds more than memory, only what is memory counts.
    """
    is_known = find_ref(layout, path) is not None
    *above, name = path.split("/")
    if is_known:
        own = max((each.path for each in layout.global_folders() if path.startswith(f"{each.path}/")), key=len, default="")
        above = above[len(own.split("/")) if own else 0 :]
    if any(part.startswith(".") for part in above):
        return "it is in a hidden folder"
    if name.startswith(".") and not is_known:
        return "its name begins with a dot"
    is_kept = any(folder.at(path) for folder in kept_folders(layout, project_of(layout, path)))
    return "it is no memory" if layout.has_others and not is_known and not is_kept else ""


def kept_folders(layout: Layout, project: str) -> tuple[Folder, ...]:
    """Where what a person archived of a project lies, if its kind has such a place: the agent neither lists nor searches it."""
    folder = (layout.archive(project) or "").rpartition("/")[0]
    return (Folder(folder, project, searched=False),) if folder else ()


def ref_at(layout: Layout, path: str) -> MemRef:
    """The memory file at a relative path, or the archived one, or one that the layout has no place for."""
    found = find_ref(layout, path)
    kept = (folder.at(path) for folder in kept_folders(layout, project_of(layout, path)))
    return found or next((ref for ref in kept if ref is not None), None) or MemRef(path)


WORDS: Final = {
    Role.FACTS: "long-term memory",
    Role.INDEX: "index",
    Role.CHECKLIST: "checklist",
    Role.LOG: "daily logs",
    Role.NOTE: "notes",
    Role.INSTRUCTIONS: "instruction files",
    Role.DERIVED: "files that it makes itself",
}
"""What the files of a role are called in a sentence, whatever kind of store they are in."""
