"""Qwen Code, whose memory has the form of Claude Code's. Based on public documents."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.agent import GoesBy, in_folder
from zsmem_tui.agents.claude_code.files import Files, TopicAgent
from zsmem_tui.agents.gemini.agent import ANSWER
from zsmem_tui.agents.hook_shape import HookShape
from zsmem_tui.agents.places import Machine

OWN_FOLDER: Final = ".qwen"
TEAM_FOLDER: Final = f"{OWN_FOLDER}/team-memory"
ORDERS: Final = "QWEN.md"
LOCAL_ORDERS: Final = f"{OWN_FOLDER}/QWEN.local.md"


class PrivateFiles(Files):
    """Its folder in the user's home: memory of each project, and for all."""

    own_folder = OWN_FOLDER
    variable = ""
    orders = (ORDERS,)
    rules = ""
    sub_agents = ()
    everybody = "memories"
    sessions = ("", "/chats")
    is_encoded = False


class TeamFiles(Files):
    """A repository's memory, shared by everybody who works on it."""

    orders = sub_agents = ()
    rules = projects = ""
    is_memory = True


PRIVATE: Final = PrivateFiles()
TEAM: Final = TeamFiles()


class QwenCode(TopicAgent):
    """An index and topics for each project, for all projects, and for a team."""

    name = "qwen-code"
    title = "Qwen Code"
    goes_by = GoesBy.WORKTREE
    hook = HookShape("qwen-code", start=("SessionStart",), answer=ANSWER, summary_event="PostCompact", summary="compact_summary")
    files = PRIVATE

    def roots(self, on: Machine) -> list[str]:
        """Its folder, and a team's in the project's folder."""
        return [*super().roots(on), posixpath.join(on.folder, TEAM_FOLDER)]

    def folder_of(self, root: str) -> str:
        """The repository of a team's memory."""
        return in_folder(root, TEAM_FOLDER)


AGENT: Final = QwenCode()
