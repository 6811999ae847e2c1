"""A project as a person knows it."""

from __future__ import annotations

from dataclasses import dataclass

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line


@dataclass(frozen=True, slots=True)
class Project:
    """One project: its slug, the place of its memory, and what is known of the folder that it is the memory of.

    `folder` is the working folder that the slug was made of, empty when nobody has said: a slug does not tell. `repository` is the
    folder of the repository which that lies in, empty when it lies in none.
    """

    slug: str
    place: str
    folder: str = ""
    repository: str = ""

    @property
    def label(self) -> str:
        """What it is called where it is shown: fit for a screen, whatever bytes its folder's name has."""
        return visible_line(printable_path(self.slug))
