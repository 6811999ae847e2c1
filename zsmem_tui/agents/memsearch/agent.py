"""The description of memsearch as an agent."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.agent import Agent, GoesBy, in_folder
from zsmem_tui.agents.memsearch import files
from zsmem_tui.agents.places import Machine


class Memsearch(Agent):
    """The journals of one project."""

    name = "memsearch"
    title = "memsearch"
    travels = True
    has_stores = has_format = is_below = True
    goes_by = GoesBy.WORKTREE

    def roots(self, on: Machine) -> list[str]:
        """The journals of all folders in `MEMSEARCH_DIR`, and those of the folder, for not every plugin knows the variable."""
        named = on.env.get("MEMSEARCH_DIR")
        shared = [posixpath.normpath(posixpath.join(on.folder, named, files.MEMORY))] if named else []
        return [*shared, posixpath.join(on.folder, files.FOLDER, files.MEMORY)]

    def folder_of(self, root: str) -> str:
        """The project's folder."""
        return in_folder(root, f"{files.FOLDER}/{files.MEMORY}")


AGENT: Final = Memsearch()
