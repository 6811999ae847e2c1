"""The description of oh-my-pi with its local backend as an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.oh_my_pi import files

if TYPE_CHECKING:
    from zsmem_tui.agents.places import Machine
    from zsmem_tui.core.tree import Heads


class OhMyPi(Agent):
    """Lessons of each folder."""

    name = "oh-my-pi"
    title = "oh-my-pi"
    travels = True
    has_stores = has_format = is_below = True

    def roots(self, on: Machine) -> list[str]:
        """The folder of all memories."""
        return [files.root(on.env, on.home, on.is_there, on.folder)]

    def folder_name(self, folder: str, platform: str) -> str:
        """The folder's encoded path."""
        return files.encoded(folder, platform)

    def group(self, folder: str, heads: Heads) -> str:
        """The group of the folder's encoded path."""
        return f"folder:{files.encoded(folder)}"


AGENT: Final = OhMyPi()
