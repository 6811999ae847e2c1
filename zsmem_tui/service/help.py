"""The help pages that are shipped with the program."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.store.disk import files

GUIDE: Final = {
    "five_minutes": "Claude Code in five minutes",
    "cli": "Command line",
    "settings": "Settings",
    "memory": "What agents read",
    "formats": "Formats",
    "recall": "What is there and not found",
    "sync": "Several machines, one memory",
    "rules": "The doctor's rules",
    "architecture": "Architecture",
    "speed": "Speed",
    "compare": "Beside other tools",
    "tour": "A tour",
    "changes": "What is new",
    "specification": "The exact behaviour",
}
"""The help pages that are not about a pane, with titles, in order of display."""


_ABOUT: Final = {"five_minutes": "Claude Code"}
"""The agent that a page is about, if it is about one."""


def guide(agents: Collection[str]) -> dict[str, str]:
    """The pages and titles for a user of these agents: pages about other agents come last."""
    return dict(sorted(GUIDE.items(), key=lambda page: page[0] in _ABOUT and _ABOUT[page[0]] not in agents))


def read(name: str) -> str:
    """The Markdown of a page such as `keys` or `panes/tree`."""
    return files.read_text(locate.shipped("help", f"{name}.md"))


def man_page() -> str:
    """The manual page in man(7) format."""
    return files.read_text(locate.shipped("help", "zsmem.1"))
