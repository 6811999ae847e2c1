"""A tour of the screens: what each stop shows and says."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.text import one_line
from zsmem_tui.service import help

STOPS: Final = {
    "Memory": ("focus_pane", "tree"),
    "Prompt": ("prompt",),
    "Facts": ("facts",),
    "Review": ("review",),
    "Triage": ("triage",),
    "Search": ("focus_pane", "search"),
    "Doctor": ("doctor",),
    "Import and export": ("transfer",),
    "Projects": ("projects",),
    "Undo": ("focus_pane", "tree"),
}
"""What opens the screen of each stop; the stops are the headings of the page of help."""


class Stop(NamedTuple):
    """One of the stops: what opens its screen, and what is said there."""

    opens: tuple[str, ...]
    text: str


def stops() -> list[Stop]:
    """All of them, in order."""
    _, *sections = help.read("tour").split("\n## ")
    told = dict(section.split("\n", 1) for section in sections)
    found = []
    for number, (title, opens) in enumerate(STOPS.items(), 1):
        onwards = "goes on" if number < len(STOPS) else "ends the tour"
        text = f"Tour {number} of {len(STOPS)} · {title}: {one_line(told[title])} `F7` {onwards}."
        found.append(Stop(opens, text))
    return found
