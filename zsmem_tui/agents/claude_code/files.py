"""The files in Claude Code's folder: memory of projects and sub-agents, instructions, and much that is never read.

Based on public documents and reports. A project's folder name cannot be decoded, so its folder is taken from the start of its
newest transcript; there may be gigabytes of these.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.places import GLOBAL, Machine, Place, upwards, visible
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Heads

INDEX: Final = "MEMORY.md"
LONGEST: Final = 200
"""The most characters of a name; the rest is replaced by a hash."""

_OTHERS: Final = re.compile(r"[^A-Za-z0-9]+")


def encoded(folder: str) -> str:
    """The folder name for a project's memory: all but ASCII letters and digits become `-`, per UTF-16 unit."""
    name = _OTHERS.sub(lambda found: "-" * sum(2 if char > "\uffff" else 1 for char in found[0]), folder)
    if len(name) <= LONGEST:
        return name
    units = folder.encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    value = 0
    for code in codes:
        value = (31 * value + code) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >> 31 else value)
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f"{name[:LONGEST]}-{digits or '0'}"


PROJECTS: Final = "projects"
MEMORY: Final = "memory"
SUB_AGENTS: Final = ("agent-memory", "agent-memory-local")
RULES: Final = "rules"
ORDERS: Final = "CLAUDE.md"
LOCAL_ORDERS: Final = "CLAUDE.local.md"
OWN_FOLDER: Final = ".claude"
FOLDER_SETTINGS: Final = ".claude.json"
TYPES: Final = ("user", "feedback", "project", "reference")
"""The types of topics; file names start with the type."""

CWD_BYTES: Final = 64 * 1024
"""The most bytes read of a transcript to find its folder."""

_SLUG: Final = re.compile(r"[\W_]+")
_SLUG_LENGTH: Final = 60


def _slug(title: str, longest: int | None = _SLUG_LENGTH) -> str:
    return _SLUG.sub("_", title.lower()).strip("_")[:longest]


def cwd_of(head: bytes) -> str | None:
    """The working folder named at the start of a transcript; None if no complete line names one."""
    for line in head.split(b"\n"):
        if isinstance(cwd := (json_object(line) or {}).get("cwd"), str) and cwd:
            return cwd
    return None


def instruction_places(folder: str) -> list[str]:
    """The instruction files that may be loaded for a folder, from `/` down, in the order of loading."""
    parts = [part for part in folder.split("/") if part]
    out: list[str] = []
    for count in range(len(parts) + 1):
        home = "/" + "/".join(parts[:count])
        base = home.rstrip("/")
        out += [f"{base}/{ORDERS}", f"{base}/{OWN_FOLDER}/{ORDERS}", f"{base}/{LOCAL_ORDERS}", f"{base}/{OWN_FOLDER}/{RULES}"]
    return out


def reads_other_orders(there: Iterable[str]) -> bool:
    """Whether `AGENTS.md` is read: only if there is no file of Claude Code's own in the folder or its parents."""
    return not any(path.rpartition("/")[2] in (ORDERS, LOCAL_ORDERS) for path in there)


_ENDING: Final = ".jsonl"
_LONGEST_PATH: Final = 4096
"""In bytes: the longest path on Linux (PATH_MAX)."""


def is_path(said: str) -> bool:
    """Whether a text is a possible absolute path."""
    try:
        size = len(said.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return False  # a lone surrogate
    return said.startswith("/") and "\0" not in said and size <= _LONGEST_PATH


def below(home: str, path: str) -> str:
    """Join a path to a folder; an empty folder is the root of the store."""
    return f"{home}/{path}" if home else path


def in_memory(group: str, path: str) -> Place:
    """The place of a file within a memory folder."""
    return Place(group, Role.INDEX if path == INDEX else Role.NOTE, path)


class Files:
    """The paths of an agent that keeps topics with an index for each project, relative to the agent's folder."""

    own_folder = OWN_FOLDER
    """The name of the agent's folder, in the home folder and in projects."""
    variable = "CLAUDE_CONFIG_DIR"
    """The environment variable for another location; empty if there is none."""
    project_variable = "CLAUDE_CODE_PROJECT_DIR_NAME"
    """The environment variable that, at such a location, names the current project."""
    orders: tuple[str, ...] = (ORDERS,)
    """The agent's global instruction files."""
    rules = RULES
    projects = PROJECTS
    sub_agents: tuple[str, ...] = SUB_AGENTS
    everybody = ""
    """The folder with the memory for all projects; empty if there is none."""
    sessions: tuple[str, ...] = ("",)
    """The folders of transcripts within a project's folder."""
    is_encoded = True
    """Whether projects are named as `encoded` says; else the folder that a session names decides."""
    has_types = True
    """Whether topics' file names start with their types."""
    is_memory = False
    """Whether the agent's folder is itself the only memory, for all projects."""

    def root(self, env: Mapping[str, str], home: str) -> str:
        """The agent's folder: in the home folder, unless the environment says otherwise."""
        return posixpath.normpath((env.get(self.variable) if self.variable else "") or f"{home}/{self.own_folder}")

    def place(self, path: str) -> Place | None:
        """The place of a file in the agent's folder; None for transcripts, caches, settings and anything hidden."""
        if not path.endswith(".md") or not visible(path):
            return None
        if self.is_memory:
            return in_memory(GLOBAL, path)
        match path.split("/"):
            case [name] if name in self.orders:
                return Place(GLOBAL, Role.INSTRUCTIONS, name)
            case [folder, *_] if folder == self.rules:
                return Place(GLOBAL, Role.INSTRUCTIONS, path)
            case [root, project, folder, *rest] if root == self.projects and folder == MEMORY and rest:
                return in_memory(f"project:{project}", "/".join(rest))
            case [root, name, *rest] if root in self.sub_agents and rest:
                return in_memory(f"agent:{name}", "/".join(rest))
            case [root, *rest] if root == self.everybody and rest:
                return in_memory(GLOBAL, "/".join(rest))
            case _:
                return None

    def named_group(self, env: Mapping[str, str], root: str) -> str:
        """The group that the environment names for the current folder; empty if there is none, or it would not be one folder."""
        group = f"project:{env.get(self.project_variable, '')}"
        found = [self.place(f"{home}/{INDEX}") for home in self.homes(group)] if env.get(self.variable) else []
        return group if root == self.root(env, "") and any(each and each.group == group for each in found) else ""

    def listed_by(self, path: str) -> tuple[str, str] | None:
        """The index that should list a topic, and the topic's path in it; None for other files."""
        found = self.place(path)
        if found is None or found.role is not Role.NOTE:
            return None
        return below(path.removesuffix(found.label).removesuffix("/"), INDEX), found.label

    def homes(self, group: str) -> list[str]:
        """The memory folders of a group; new files go to the first."""
        kind, _, name = group.partition(":")
        if kind in ("", GLOBAL):
            return [self.everybody] if self.everybody or self.is_memory else []
        if kind == "project" and name and self.projects:
            return [f"{self.projects}/{name}/{MEMORY}"]
        return [f"{home}/{name}" for home in self.sub_agents] if kind == "agent" and name else []

    def new_path(self, role: Role, group: str, name: str = "", kind: str = "project") -> str | None:
        """The path for a new file of a role; None if there is none, as for checklists and logs.

        A topic's name is made of its type and title.
        """
        home = next(iter(self.homes(group)), None)
        if role is Role.INSTRUCTIONS and group == GLOBAL:
            return next(iter(self.orders), None)
        if home is None or role not in (Role.INDEX, Role.NOTE):
            return None
        if role is Role.INDEX:
            return below(home, INDEX)
        slug = _slug(name)
        if not slug or (kind not in TYPES):
            return None
        return below(home, f"{kind}_{slug.removeprefix(f'{kind}_')}.md" if self.has_types else f"{slug}.md")

    def are_alike(self, one: str, other: str) -> bool:
        """Whether two names would be written alike, or would if one had the type of the other."""
        (kind, title), (its, own) = map(self._parts, (one, other))
        return title == own and (kind == its or not (kind and its))

    def _parts(self, name: str) -> tuple[str, str]:
        """The type at the start of a name, empty if there is none, and the rest as a file name has it, in full length."""
        kind, _, title = (whole := _slug(name, None)).partition("_")
        return (kind, title) if self.has_types and title and kind in TYPES else ("", whole)

    def is_project_of(self, project: str, folder: str) -> bool:
        """Whether a project's name may stand for a folder, ignoring what follows 200 characters and the case of a drive letter.

        Several folders may share a name; `cwd_of` a transcript tells which is meant.
        """
        wanted = encoded(folder)
        if len(wanted) > LONGEST:
            return project[:LONGEST] == wanted[:LONGEST]
        has_drive = folder[1:2] == ":"
        return project == wanted or (has_drive and project[:1].lower() + project[1:] == wanted[:1].lower() + wanted[1:])

    def folder_of(self, heads: Heads, project: str) -> str:
        """The folder of a project; empty if its newest transcript does not tell.

        A session may have changed to a subfolder; then the parent with the project's name is taken.
        """
        homes = [f"{self.projects}/{project}{below}" for below in self.sessions]
        home, name = next(((home, name) for home in homes if (name := heads.newest(home, _ENDING))), ("", ""))
        said = cwd_of(heads.head(f"{home}/{name}", CWD_BYTES, lambda head: cwd_of(head) is not None)) if name else None
        if said is None or not is_path(said):
            return ""
        cwd = posixpath.normpath(said)
        above = [each for each in (*upwards(cwd), "/") if len(each) <= len(project) or len(project) > LONGEST]
        exact = [each for each in above if encoded(each) == project]
        return next(iter([*exact, *(each for each in above if self.is_project_of(project, each)), cwd]))

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """(group, folder) for each project whose folder is known."""
        found = [(f"project:{name}", self.folder_of(heads, name)) for name in heads.folders(self.projects)]
        return [(group, folder) for group, folder in found if folder]

    def group_of(self, folder: str, heads: Heads) -> str:
        """The group of a folder. Looks at files only if the agent, or a version of it, may encode the name differently."""
        name = encoded(folder)
        if self.is_encoded and len(name) <= LONGEST and folder[1:2] != ":":
            return f"project:{name}"
        names = [] if name in (every := heads.folders(self.projects)) else every
        alike = [each for each in names if self.is_project_of(each, folder)]
        told = {each: self.folder_of(heads, each) for each in (alike if self.is_encoded else names)}
        sure = [each for each in told if told[each] == folder]
        unsure = [each for each in alike if not told[each]]
        return f"project:{(sure or (unsure if len(alike) == 1 else []) or [name])[0]}"


class TopicAgent(Agent):
    """An agent with such files."""

    has_stores = has_format = has_client = True
    files: Files

    def roots(self, on: Machine) -> list[str]:
        """The agent's folder."""
        return [self.files.root(on.env, on.home)]

    def group(self, folder: str, heads: Heads) -> str:
        """The project of a folder."""
        return self.files.group_of(folder, heads)

    def named_group(self, env: Mapping[str, str], root: str) -> str:
        """The project that the environment names."""
        return self.files.named_group(env, root)

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """The folders of projects according to transcripts."""
        return self.files.folders(heads)


CLAUDE: Final = Files()
