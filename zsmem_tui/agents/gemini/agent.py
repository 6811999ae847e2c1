"""The description of Gemini CLI as an agent. Based on public documents."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code.files import Files, TopicAgent, is_path
from zsmem_tui.agents.hook_shape import HookShape, below
from zsmem_tui.agents.places import Machine, Place
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.tree import Heads

ORDERS: Final = "GEMINI.md"
_LIST: Final = "projects.json"
_DRAFTS: Final = "skills"
_LONGEST_LIST: Final = 1024 * 1024


ANSWER: Final = below("hookSpecificOutput", "additionalContext")


class GeminiFiles(Files):
    """An index and notes for each project, under an id from its list of projects."""

    own_folder = ".gemini"
    variable = ""
    orders = (ORDERS,)
    rules = ""
    projects = "tmp"
    sub_agents = ()
    has_types = False

    def place(self, path: str) -> Place | None:
        """The place of a file; drafts of skills are no memory."""
        return None if path.split("/")[3:4] == [_DRAFTS] else super().place(path)

    def is_project_of(self, project: str, folder: str) -> bool:
        """False, since an id says nothing about the folder."""
        return False

    def folder_of(self, heads: Heads, project: str) -> str:
        """The folder of an id; empty if it is not in the list."""
        return next((folder for folder, name in _listed(heads).items() if name == project), "")

    def group_of(self, folder: str, heads: Heads) -> str:
        """The project of a folder; empty if it is not in the list. For `/`, a placeholder that shows the form of groups."""
        found = _listed(heads).get(folder, "-" if folder == "/" else "")
        return f"project:{found}" if found else ""

    def folders(self, heads: Heads) -> list[tuple[str, str]]:
        """All folders of the list."""
        return [(f"project:{name}", folder) for folder, name in _listed(heads).items()]


FILES: Final = GeminiFiles()


def _listed(heads: Heads) -> dict[str, str]:
    """The ids of folders; empty if the list is damaged."""
    projects = (json_object(heads.head(_LIST, _LONGEST_LIST, lambda head: False)) or {}).get("projects")
    every = projects.items() if isinstance(projects, dict) else ()
    named = ((path, name) for path, name in every if isinstance(name, str) and name and is_path(path))
    return {path: name for path, name in named if "/" not in name and not name.startswith(".") and name.isprintable()}


class Gemini(TopicAgent):
    """Notes of each project, and global instructions."""

    name = "gemini"
    title = "Gemini CLI"
    hook = HookShape("gemini", start=("SessionStart",), answer=ANSWER)
    files = FILES

    def traces(self, on: Machine) -> list[str]:
        """The folders of projects, and the global instructions."""
        root = FILES.root(on.env, on.home)
        return [f"{root}/{FILES.projects}", f"{root}/{ORDERS}"]


AGENT: Final = Gemini()
