"""The actions of the doctor: what is done with a finding, and with the text beside it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, TEXT, Action, Room, Scope


def _verb(name: str, key: str, label: str, help: str, *, bar: bool = False, palette: bool = True) -> Action:
    return Action(f"findings.{name}", key, f"screen.{name}", label, help, bar=bar, palette=palette)


_ACTIONS: Final = (
    _verb("open", "enter", "Go there", "Read the file at this finding; esc comes back.", bar=True, palette=False),
    _verb("fix", "x", "Fix", "Do what the sentence beside x says; more than one line is shown first.", bar=True),
    _verb("ignore", "minus", "Ignore", "Show the finding no more, as long as its text is the same; or again.", bar=True),
    _verb("edit", "e", "Edit", "Edit the file at this finding; esc comes back.", bar=True),
    Action("findings.filter", "slash", "screen.filter", "Filter", "Show only findings with these words.", bar=True),
    Action(
        "findings.which", "f", "screen.cycle('which')", "Which", "Those to decide, the ignored ones, or all.", bar=True, bare=True
    ),
    Action("findings.by", "full_stop", "screen.cycle('group')", "Arrange", "By rule, file or project.", bar=True),
    Action(
        "findings.wider",
        "w",
        "screen.cycle('scope')",
        "All projects",
        "Findings of this project and of what all share, or of all projects.",
        bar=True,
        bare=True,
    ),
    _verb("copy_text", "y", "Copy text", "Copy the finding to the clipboard, with its place."),
    _verb("history", "H", "History", "All versions of the file."),
    Action("finding.open", "enter", "screen.open", "Go there", "Read the file there.", bar=True, palette=False),
    Action("finding.fix", "x", "screen.fix", "Fix", "Do the fix of this finding.", bar=True, palette=False),
    Action("finding.edit", "e", "screen.edit", "Edit", "Edit the file there.", bar=True, palette=False),
)

ROOM: Final = Room(
    "doctor",
    "Doctor",
    (Scope("findings", "Doctor: findings", MARKED), Scope("finding", "Doctor: the text", TEXT)),
    _ACTIONS,
)
