"""The actions of the doctor: what is done with a finding, and with the text beside it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action, decide_keys, list_keys


def _verb(name: str, key: str, label: str, help: str, *, bar: bool = False, palette: bool = True) -> Action:
    return Action(f"findings.{name}", "findings", key, f"screen.{name}", label, help, bar=bar, palette=palette)


DOCTOR_ACTIONS: Final = (
    *list_keys("findings"),
    _verb("open", "enter", "Go there", "Read the file at this finding; esc comes back.", bar=True, palette=False),
    _verb("fix", "x", "Fix", "Do what the sentence beside x says; more than one line is shown first.", bar=True),
    _verb("ignore", "minus", "Ignore", "Show the finding no more, as long as its text is the same; or again.", bar=True),
    _verb("edit", "e", "Edit", "Edit the file at this finding; esc comes back.", bar=True),
    *decide_keys("findings", "finding"),
    Action("findings.filter", "findings", "slash", "screen.filter", "Filter", "Show only findings with these words.", bar=True),
    Action(
        "findings.which",
        "findings",
        "f",
        "screen.cycle('which')",
        "Which",
        "Those to decide, the ignored ones, or all.",
        bar=True,
        bare=True,
    ),
    Action("findings.by", "findings", "full_stop", "screen.cycle('group')", "Group", "By rule, file or project.", bar=True),
    _verb("copy_text", "y", "Copy text", "Copy the finding to the clipboard, with its place."),
    _verb("history", "H", "History", "All versions of the file."),
    Action("finding.down", "finding", "j,down", "scroll_down", "Down", "One row down.", palette=False),
    Action("finding.up", "finding", "k,up", "scroll_up", "Up", "One row up.", palette=False),
    Action("finding.page_down", "finding", "space,pagedown", "page_down", "Page down", "One page down.", palette=False),
    Action("finding.page_up", "finding", "pageup", "page_up", "Page up", "One page up.", palette=False),
    Action("finding.first", "finding", "g,home", "scroll_home", "Top", "To the top.", palette=False),
    Action("finding.last", "finding", "G,end", "scroll_end", "End", "To the end.", palette=False),
    Action("finding.open", "finding", "enter", "screen.open", "Go there", "Read the file there.", bar=True, palette=False),
    Action("finding.fix", "finding", "x", "screen.fix", "Fix", "Do the fix of this finding.", bar=True, palette=False),
    Action("finding.edit", "finding", "e", "screen.edit", "Edit", "Edit the file there.", bar=True, palette=False),
)
