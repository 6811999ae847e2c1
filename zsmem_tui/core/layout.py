"""The interface that describes an agent's kind of store (`Layout`), and functions that derive answers from it.

A layout maps targets to relative paths, names the folders that the agent lists and searches, and composes the memory block.
Listing, search, catalog and tree are built on it, so a new kind of store needs only a layout. The layouts are in
`agents/<name>/layout.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from zsmem_tui.core.checks.by_kind import NO_CHECKS, Checks
from zsmem_tui.core.errors import BadName, BadTarget
from zsmem_tui.core.frontmatter import NO_DRESS, Dress, loses_head
from zsmem_tui.core.index_file import NO_LISTS, Lists
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import MemRef, Role

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.core.context import Block, Moment, Reader
    from zsmem_tui.core.tree import Tree


class Listing(Protocol):
    """Lists the folders of a store by path, without looking at files."""

    def __call__(self, folder: str) -> list[str]:
        """The names of the folders in `folder`, sorted, without hidden ones."""

    def has(self, folder: str) -> bool:
        """Whether the folder exists, without listing its parent, which may have thousands of entries."""


class Folder(NamedTuple):
    """One folder of memory files; with `deep`, including non-hidden subfolders.

    `path` is relative to the root (empty: the root itself). `only` limits it to these file names; `main` is the one file that has
    `role`, if there may be others beside it. `searched`: the agent lists and searches it; `dated`: its file names are dates, which
    break ties between hits; hits in files named `first` come before all others. `place` maps a path to its memory file, or None if
    it is no memory, for folders where names alone do not tell; it replaces `only`, `role` and `main`. It is called only for names
    that end in one of `endings` (lower case; empty: all), since there may be tens of thousands of others. With `inside`, links that
    lead out of the store are skipped.
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
        """Whether a file with this name in this folder is memory."""
        if self.place is not None:
            return self.place(self._path_of(file_name)) is not None
        return bool(memory_names((file_name,))) and (not self.only or file_name in self.only)

    def at(self, path: str) -> MemRef | None:
        """The memory file at a relative path; None if the path is not in this folder or is no memory."""
        parent, _, name = path.rpartition("/")
        inside = not self.path or parent.startswith(f"{self.path}/")
        if parent != self.path and not (self.deep and inside):
            return None
        here = self._replace(path=parent)
        return here.ref(name) if here.holds(name) else None

    def ref(self, file_name: str) -> MemRef:
        """The memory file with this name in this folder."""
        path = self._path_of(file_name)
        if self.place is not None:
            return self.place(path) or MemRef(path)
        if self.role and (self.only or file_name == self.main):
            return MemRef(path, self.role, self.project)
        return MemRef(path, None if self.main else self.role, self.project, file_name.removesuffix(EXTENSION))

    def _path_of(self, file_name: str) -> str:
        return f"{self.path}/{file_name}" if self.path else file_name


class Disk(NamedTuple):
    """Access to files outside the store, by absolute path.

    `read` returns the text of a file (None if missing or not text), `below` the paths of all files in a folder, recursively.
    """

    read: Callable[[str], str | None]
    below: Callable[[str], Sequence[str]]


class Learned(NamedTuple):
    """A file with a fact as its agent adds one (None: it has that fact), and sentences about what of the fact is lost."""

    after: bytes | None
    losses: tuple[str, ...] = ()


class Layout(ABC):
    """One kind of store: where its files are, what they are, and what the agent sees of them.

    All paths are relative to its root, with `/`. A *group* is the owner of files: a project, a personality, a user; files of no
    group are shared by all. `MemRef.project` and `Folder.project` hold its name. The defaults here suit a kind in which each group
    is a folder in `projects_folder`, or which has no groups.
    """

    kind = ""
    """The name of the kind as used in sentences."""
    title = ""
    """The agent's name as people write it."""
    has_search = True
    """Whether the agent has a search of its own, which does not look at all of a store."""
    projects_folder = ""
    """The folder with one subfolder per project; empty if this kind has no projects."""
    context_files: tuple[str, ...] = ()
    """Files in a folder and its parents that the agent puts into every prompt beside its memory.

    The first name is also read from beside the store.
    """
    block_end = ""
    """Text in a memory file that would end the prompt's block early; empty if there is none."""
    has_profiles = False
    """Whether the prompt depends on the agent's profile and on the day."""
    programs: tuple[str, ...] = ()
    """Names of the agent's processes: a lock file counts only while one of these holds it."""
    has_others = False
    """Whether its root also contains other files than memory, such as the agent's settings or a person's work."""
    old_files: tuple[str, ...] = ()
    """Files in its root that were memory in older versions; the agent puts them into no prompt now."""

    @property
    def lists(self) -> Lists:
        """How its files describe each other, such as an index."""
        return NO_LISTS

    @property
    def checks(self) -> Checks:
        """The doctor's checks that apply to this kind only."""
        return NO_CHECKS

    @property
    def dress(self) -> Dress:
        """What its files have around their text, such as frontmatter."""
        return NO_DRESS

    def reads_head(self, path: str) -> bool:
        """Whether the agent reads the frontmatter of the file at this path; otherwise it is text like any other."""
        return self.dress is not NO_DRESS

    def loses_head(self, path: str, before: bytes | None, after: bytes | None) -> bool:
        """Whether a change leaves the file at this path without the frontmatter that the agent read in it."""
        return self.reads_head(path) and loses_head(self.dress, path, before, after)

    def groups(self, folders: Listing) -> list[str]:
        """The names of the groups in the store, sorted, derived from folder names alone."""
        return sorted(folders(self.projects_folder)) if self.projects_folder else []

    def group_of(self, path: str) -> str:
        """The group of the file at a relative path; empty if it is shared by all."""
        home = self.projects_folder
        inside = path.removeprefix(f"{home}/") if home else path
        return inside.split("/", 1)[0] if inside != path and "/" in inside else ""

    def home_of(self, group: str) -> str:
        """The folder of a group; empty if it has none."""
        return f"{self.projects_folder}/{group}" if self.projects_folder else ""

    def group_named_after(self, folder: str) -> str:
        """The name of the group for a folder with this absolute path; empty if this kind does not name groups after folders."""
        return ""

    def global_folders(self) -> tuple[Folder, ...]:
        """The folders that belong to no group, in the agent's order."""
        return ()

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The folders of one group, in the agent's order; empty if this kind has no such groups."""
        return ()

    def may_mean(self, name: str, path: str) -> bool:
        """Whether a name may mean the note at a path, though a new note of that name would have another one."""
        return False

    @abstractmethod
    def ref(self, role: Role, project: str, name: str = "") -> MemRef | None:
        """The file that a write to `role` goes to; None if this kind has none. `name` is a stem or a date, already checked."""

    def archive(self, project: str) -> str | None:
        """The file for checklist items that a person archives; None if this kind has no place for them."""
        return None

    def label(self, role: Role) -> str:
        """The display name of this target."""
        return role.value

    def part(self, role: Role | None) -> str:
        """The one-word name of the part of the prompt that files of this role take; None stands for files of no role."""
        return role.value if role else "other"

    def inject_limit(self, role: Role) -> int | None:
        """The size in bytes above which the agent leaves a whole file out of the prompt; None if there is no limit."""
        return None

    def locks(self, tree: Tree, path: str) -> list[str]:
        """The agent's lock files that protect `path`, whether or not they are held."""
        return []

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Raise `RuleBroken` if the agent's rules forbid the change from `before` to `after` (None: no file, or deleted)."""
        return  # any text is allowed

    def learned(self, raw: bytes | None, text: str, *, is_task: bool) -> Learned | None:
        """The file of facts with one added that is written as the agent does it; None if it may be any text.

        Raises `RuleBroken`.
        """
        return None

    def is_made_anew(self, path: str) -> bool:
        """Whether the agent makes this file anew from others, although a person may write into it."""
        return False

    def finds(self, text: str, query: str) -> bool:
        """Whether the agent's own search would find the text for a word of the query."""
        return True

    def has_prompt(self, group: str) -> bool:
        """Whether agents build a prompt for a group, even if it has no files. Other names stand for the shared prompt."""
        return True

    @abstractmethod
    def block(self, reader: Reader, moment: Moment) -> Block:
        """Compose the memory block for the prompt."""

    def unloaded(self, path: str, before: bytes | None, after: bytes | None) -> str:
        """A sentence saying that the agent will not load a line added to an index; empty if it loads all added lines."""
        return ""

    def as_of(self, now: Callable[[], datetime]) -> Layout:
        """The same layout with another clock, to compose the block of another time."""
        return self

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """The store's own instruction files that are in every prompt beside the block: by path, the 0-based lines that are
        included.
        """
        return {}

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """(path, text) of instruction files outside the store that are in every prompt in a folder.

        Those named in `context_files` are not included.
        """
        return ()

    def dead_imports(self, path: str, text: str, is_there: Callable[[str], bool]) -> Sequence[tuple[int, str]]:
        """(0-based line, path as written) of the imports in an instruction file that lead nowhere; all paths are absolute."""
        return ()

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """The instruction files of a folder, by relative path, that the agent reads and that facts can be added to.

        The default one comes first.
        """
        return ()


def place_of(layout: Layout, role: Role, project: str, name: str = "") -> MemRef:
    """The file that a write to `role` goes to. Raises `BadTarget` if this kind has none, `BadName` if the name is refused."""
    ref = layout.ref(role, project, name)
    if ref is None and name and role is named_role(layout, project):
        raise BadName(f"{layout.title} cannot call a file {name!r}. Nothing was done.", "Letters and digits will do.")
    if ref is None:
        index = layout.ref(Role.INDEX, project) if role is Role.FACTS else None
        hint = f"What it has in every prompt is {index.name or index.path.rpartition('/')[2]}." if index is not None else ""
        if role is Role.NOTE and named_role(layout, project) is Role.FACTS:
            hint = f"It has {layout.part(Role.FACTS)}, each named as its file, such as {name or 'name'}{EXTENSION}."
        raise BadTarget(f"{layout.title} has no {WORDS[role]}. Nothing was done.", hint)
    return ref


def named_role(layout: Layout, project: str) -> Role | None:
    """The role of the files that a person gives names: notes, else facts if each of their files has a name; None for neither."""
    if layout.ref(Role.NOTE, project, "note") is not None:
        return Role.NOTE
    named = layout.ref(Role.FACTS, project, "note")
    return Role.FACTS if named is not None and named != layout.ref(Role.FACTS, project) else None


def can_add(layout: Layout, project: str) -> bool:
    """Whether the agent has any files that a person can add to a project, or to which a fact can be added."""
    others = (layout.ref(Role.LOG, project, "2026-01-01"), layout.ref(Role.CHECKLIST, project))
    return named_role(layout, project) is not None or has_main_file(layout, project) or others != (None, None)


def group_label(layout: Layout, group: str) -> str:
    """The display name of a group: its name, with the kind of owner in front unless that is a project or folder."""
    kind, _, name = group.partition(":")
    if layout.projects_folder or not name:
        return group
    return name if kind in ("project", "folder") else f"{kind} {name}"


def is_named_after_folder(layout: Layout, group: str) -> bool:
    """Whether a group with this name belongs to a folder, in a kind that also has other groups."""
    kind, colon, _ = layout.group_named_after("/").partition(":")
    return bool(kind) and (not colon or group.startswith(f"{kind}:"))


def group_word(layout: Layout) -> str:
    """The word for a group: `project` if groups are folders or named after folders, else `group`."""
    return "project" if layout.projects_folder or layout.group_named_after("/") else "group"


def makes_project(layout: Layout) -> str:
    """The kinds of files that start a project, joined with "or"; empty if memory is not kept by project."""
    groups = [name for name in ("name", "project:name") if layout.project_folders(name)]
    roles = {Role.INDEX: "index", Role.LOG: "log", Role.NOTE: "note", Role.CHECKLIST: "scratchpad"}
    words = [word for role, word in roles.items() if any(layout.ref(role, group, "name") is not None for group in groups)]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def only_instructions(layout: Layout) -> bool:
    """Whether this kind of store holds only instruction files for agents and no memory."""
    return layout.ref(Role.INSTRUCTIONS, "group") is not None and layout.ref(Role.NOTE, "group", "name") is None


def has_checklist(layout: Layout) -> bool:
    """Whether stores of this kind keep tasks in a file of their own."""
    return layout.ref(Role.CHECKLIST, "group") is not None


def needs_utf8(layout: Layout, role: Role | None) -> bool:
    """Whether agents surely read nothing of a file with this role that is not UTF-8; of what they open on demand, nobody knows."""
    return layout.has_profiles or role in (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.INSTRUCTIONS)


def items_apart(layout: Layout) -> bool:
    """Whether only checklists hold tasks: if each project has one, a check box in a note or log is just text."""
    return has_checklist(layout) and bool(layout.projects_folder)


def memory_names(names: Iterable[str]) -> list[str]:
    """Filter the names that are memory files."""
    return [name for name in names if name.endswith(EXTENSION) and name != EXTENSION]


def searched_folders(layout: Layout, project: str) -> tuple[Folder, ...]:
    """The folders that the agent lists and searches in `project`, in its order."""
    every = (*layout.global_folders(), *layout.project_folders(project))
    return tuple(folder for folder in every if folder.searched)


def has_main_file(layout: Layout, project: str) -> bool:
    """Whether the agent has a file for a project that goes into every prompt (`main_file`)."""
    return any(layout.ref(role, project) is not None for role in (Role.FACTS, Role.INDEX))


def main_file(layout: Layout, project: str) -> MemRef:
    """The file that goes into every prompt of a project: long-term memory, or the index. Raises `BadTarget` if there is none."""
    found = layout.ref(Role.FACTS, project) or layout.ref(Role.INDEX, project)
    return found if found is not None else place_of(layout, Role.FACTS, project)


def in_project(layout: Layout, path: str, project: str) -> str:
    """Map the path of a project's file to the same file of another project; a path in no project is returned unchanged."""
    own = layout.group_of(path)
    return f"{layout.home_of(project)}/{path.removeprefix(f'{layout.home_of(own)}/')}" if own else path


def same_in(layout: Layout, ref: MemRef, project: str) -> MemRef | None:
    """A project's file in another project, under its own name; None for a file or a goal that is everybody's."""
    return find_ref(layout, in_project(layout, ref.path, project)) if ref.project and project else None


def store_prefix(layout: Layout, path: str) -> str | None:
    """The part of a longer path that precedes a store's relative path; None if the path does not look like such a store."""
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
    """The memory file at a relative path; None if the layout has no such place."""
    project = layout.group_of(path)
    for folder in layout.project_folders(project) if project else layout.global_folders():
        if (found := folder.at(path)) is not None:
            return found
    return None


def foreign_problem(layout: Layout, path: str) -> str:
    """Why a file that is imported or exported cannot have this relative path, as a clause; empty if it can.

    Guards against files that programs execute (`.git/hooks/pre-commit`, `.envrc`, agents' settings): no name may begin with a dot
    except those this kind of store uses, and where a root holds more than memory, only memory is accepted.
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
    is_kept = any(folder.at(path) for folder in kept_folders(layout, layout.group_of(path)))
    return "it is no memory" if layout.has_others and not is_known and not is_kept else ""


def kept_folders(layout: Layout, project: str) -> tuple[Folder, ...]:
    """The folder of a project's archived files, if this kind has one; the agent neither lists nor searches it."""
    folder = (layout.archive(project) or "").rpartition("/")[0]
    return (Folder(folder, project, searched=False),) if folder else ()


def is_unread(layout: Layout, ref: MemRef) -> bool:
    """Whether a file that is listed among a group's memory is at a place where the agent does not look."""
    return ref.role is None and any(folder.at(ref.path) for folder in layout.project_folders(ref.project) if not folder.searched)


def ref_at(layout: Layout, path: str) -> MemRef:
    """The memory file or archived file at a relative path; one without a role if the layout has no place for it."""
    found = find_ref(layout, path)
    kept = (folder.at(path) for folder in kept_folders(layout, layout.group_of(path)))
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
"""The name of a role's files in a sentence, for any kind of store."""
