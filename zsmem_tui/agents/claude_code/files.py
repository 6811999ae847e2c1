"""What lies in Claude Code's folder: memory of projects and sub-agents, instructions, and much that is never read.

From public documents and reports, not from running the program. Which folders projects are of, only the transcripts beside the
memory say, for their names cannot be decoded: of each project the start of the newest one, as there may be gigabytes of them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.places import GLOBAL, Machine, Place
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Heads

INDEX: Final = "MEMORY.md"
LONGEST: Final = 200
"""Characters of a name before a hash takes the place of the rest."""

_OTHERS: Final = re.compile(r"[^A-Za-z0-9]+")


def encoded(folder: str) -> str:
    """The name of a folder's memory: everything but ASCII letters and digits becomes `-`, by UTF-16 unit."""
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
"""What a topic can be about; its file is named after that."""

CWD_BYTES: Final = 64 * 1024
"""Bytes of a transcript that are looked at for the folder it belongs to; no more of any is ever read."""

_SLUG: Final = re.compile(r"[\W_]+")
_SLUG_LENGTH: Final = 60


def folder_settings(root: str) -> str:
    """The file with what is set for single folders: beside the folder of a home, else in the one that is named."""
    above, _, name = root.rpartition("/")
    return f"{above}/{FOLDER_SETTINGS}" if name == OWN_FOLDER else f"{root}/{FOLDER_SETTINGS}"


def cwd_of(head: bytes) -> str | None:
    """The folder that the start of a transcript names; None when it names none in whole lines."""
    for line in head.split(b"\n"):
        try:
            found = json_value(line)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(cwd := found.get("cwd"), str) and cwd:
            return cwd
    return None


def instruction_places(folder: str) -> list[str]:
    """The instruction files that may be loaded for a folder, from the root of the file system down, in the order of loading."""
    parts = [part for part in folder.split("/") if part]
    out: list[str] = []
    for count in range(len(parts) + 1):
        home = "/" + "/".join(parts[:count])
        base = home.rstrip("/")
        out += [f"{base}/{ORDERS}", f"{base}/{OWN_FOLDER}/{ORDERS}", f"{base}/{LOCAL_ORDERS}", f"{base}/{OWN_FOLDER}/{RULES}"]
    return out


def reads_other_orders(there: Iterable[str]) -> bool:
    """Whether `AGENTS.md` is read: only where no file of Claude Code's own is anywhere up the tree."""
    return not any(path.rpartition("/")[2] in (ORDERS, LOCAL_ORDERS) for path in there)


_ENDING: Final = ".jsonl"
_LONGEST_PATH: Final = 4096
"""Bytes. Linux has no longer paths (PATH_MAX)."""


def is_path(said: str) -> bool:
    """Whether a system could have a folder of that name."""
    try:
        size = len(said.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return False  # half a character
    return said.startswith("/") and "\0" not in said and size <= _LONGEST_PATH


def upwards(folder: str) -> Iterator[str]:
    """A folder and those above it."""
    while True:
        yield folder
        above = posixpath.dirname(folder)
        if above == folder:
            return
        folder = above


def below(home: str, path: str) -> str:
    """A path in a folder; an empty one is the root of the store."""
    return f"{home}/{path}" if home else path


def in_memory(group: str, path: str) -> Place:
    """What a file of a memory is, by its path in that."""
    return Place(group, Role.INDEX if path == INDEX else Role.NOTE, path)


class Files:
    """Where an agent that keeps an index with topics for each project has them, seen from its own folder."""

    own_folder = OWN_FOLDER
    """Below home, and in a project."""
    variable = "CLAUDE_CONFIG_DIR"
    """What the environment calls another place of it; empty where nothing does."""
    orders: tuple[str, ...] = (ORDERS,)
    """Its instruction files for everybody."""
    rules = RULES
    projects = PROJECTS
    sub_agents: tuple[str, ...] = SUB_AGENTS
    everybody = ""
    """The folder with the memory of all projects; empty where there is none."""
    sessions: tuple[str, ...] = ("",)
    """Where below a project's folder its transcripts lie."""
    has_types = True
    """Whether topics are named after their types."""
    is_memory = False
    """Whether the folder is itself the one memory, of everybody."""

    def root(self, env: Mapping[str, str], home: str) -> str:
        """The agent's folder: below home, unless the environment has it elsewhere."""
        return (env.get(self.variable) if self.variable else "") or f"{home}/{self.own_folder}"

    def place(self, path: str) -> Place | None:
        """What a file below the agent's folder is; None for transcripts, sessions, caches, settings and anything hidden."""
        if not path.endswith(".md") or any(part.startswith(".") for part in path.split("/")):
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

    def listed_by(self, path: str) -> tuple[str, str] | None:
        """The index that a topic should stand in, and what it is called there; None for what is no topic."""
        found = self.place(path)
        if found is None or found.role is not Role.NOTE:
            return None
        return below(path.removesuffix(found.label).removesuffix("/"), INDEX), found.label

    def homes(self, group: str) -> list[str]:
        """The folders with the memory of a group, the one that new files go to first."""
        kind, _, name = group.partition(":")
        if kind in ("", GLOBAL):
            return [self.everybody] if self.everybody or self.is_memory else []
        if kind == "project" and name and self.projects:
            return [f"{self.projects}/{name}/{MEMORY}"]
        return [f"{home}/{name}" for home in self.sub_agents] if kind == "agent" and name else []

    def new_path(self, role: Role, group: str, name: str = "", kind: str = "project") -> str | None:
        """Where a new file of a role goes; None: there is no checklist, and no log of days.

        A topic is named after its type and its title.
        """
        home = next(iter(self.homes(group)), None)
        if role is Role.INSTRUCTIONS and group == GLOBAL:
            return next(iter(self.orders), None)
        if home is None or role not in (Role.INDEX, Role.NOTE):
            return None
        if role is Role.INDEX:
            return below(home, INDEX)
        slug = _SLUG.sub("_", name.lower()).strip("_")[:_SLUG_LENGTH]
        if not slug or (kind not in TYPES):
            return None
        return below(home, f"{kind}_{slug.removeprefix(f'{kind}_')}.md" if self.has_types else f"{slug}.md")

    def is_project_of(self, project: str, folder: str) -> bool:
        """Whether a project's name may stand for a folder: what is above 200 characters, and the case of a drive, are not compared.

        Several folders can share a name; `cwd_of` a transcript tells which is meant.
        """
        wanted = encoded(folder)
        if len(wanted) > LONGEST:
            return project[:LONGEST] == wanted[:LONGEST]
        has_drive = folder[1:2] == ":"
        return project == wanted or (has_drive and project[:1].lower() + project[1:] == wanted[:1].lower() + wanted[1:])

    def folder_of(self, heads: Heads, project: str) -> str:
        """The folder that a project is of; empty when its newest transcript does not tell.

        A session that has gone into a folder below says that one; the project is of the folder above that it is named after.
        """
        homes = [f"{self.projects}/{project}{below}" for below in self.sessions]
        home, name = next(((home, name) for home in homes if (name := heads.newest(home, _ENDING))), ("", ""))
        said = cwd_of(heads.head(f"{home}/{name}", CWD_BYTES, lambda head: cwd_of(head) is not None)) if name else None
        if said is None or not is_path(said):
            return ""
        cwd = posixpath.normpath(said)
        above = [each for each in upwards(cwd) if len(each) <= len(project) or len(project) > LONGEST]
        exact = [each for each in above if encoded(each) == project]
        return next(iter([*exact, *(each for each in above if self.is_project_of(project, each)), cwd]))

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """Each project's group with the folder that it is of, where that can be told."""
        found = [(f"project:{name}", self.folder_of(heads, name)) for name in heads.folders(self.projects)]
        return [(group, folder) for group, folder in found if folder]

    def group_of(self, folder: str, heads: Heads) -> str:
        """The group of a folder. Nothing is looked at unless builds of the agent write such a name in different ways."""
        name = encoded(folder)
        if len(name) <= LONGEST and folder[1:2] != ":":
            return f"project:{name}"
        names = heads.folders(self.projects)
        alike = [] if name in names else [each for each in names if self.is_project_of(each, folder)]
        told = {each: self.folder_of(heads, each) for each in alike}
        sure = [each for each in alike if told[each] == folder]
        unsure = [each for each in alike if not told[each]]
        return f"project:{(sure or (unsure if len(alike) == 1 else []) or [name])[0]}"


class TopicAgent(Agent):
    """An agent with such files."""

    has_stores = has_format = has_client = True
    files: Files

    def roots(self, on: Machine) -> list[str]:
        """Its folder."""
        return [self.files.root(on.env, on.home)]

    def group(self, folder: str, heads: Heads) -> str:
        """The project of a folder."""
        return self.files.group_of(folder, heads)

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """What transcripts tell."""
        return self.files.folders(heads)


CLAUDE: Final = Files()
