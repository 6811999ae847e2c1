"""The pages of help that are shipped with the program."""

from __future__ import annotations

import os
from typing import Final

_HOME: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "help")

GUIDE: Final = {
    "cli": "Command line",
    "settings": "Settings",
    "formats": "Formats",
    "architecture": "Architecture",
    "changes": "What is new",
    "specification": "The exact behaviour",
}
"""The pages that explain no pane, with their titles, in the order in which help shows them. Keys are shown as they are set."""


def read(name: str) -> str:
    """The Markdown of a page such as `keys` or `panes/tree`."""
    with open(os.path.join(_HOME, f"{name}.md"), encoding="utf-8") as stream:
        return stream.read()
