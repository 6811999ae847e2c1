"""What each letter and sign means, wherever it is a key: one verb has one key on every screen, and one key one verb.

What is not here: words that are typed, keys with names such as `enter` and `space`, which act on whatever has the focus, and the
conflict, which is a question: its letters are its answers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

EXEMPT: Final = ("conflict", "query", "editor", "line")
"""Scopes whose letters are text, or answers."""


class Verb(NamedTuple):
    """What a key means, and what it is called where."""

    meaning: str
    labels: frozenset[str]


def _verb(meaning: str, *labels: str) -> Verb:
    return Verb(meaning, frozenset(labels))


VERBS: Final = {
    "a": _verb("Add", "Add"),
    "b": _verb("Put back what stood there before", "Put back", "Restore"),
    "c": _verb("Copy to another place", "Copy"),
    "d": _verb("Take away; `u` brings it back", "Delete", "Archive", "Take out", "Take out again"),
    "e": _verb("Edit here", "Edit"),
    "f": _verb("Which are shown, or meant", "Whose", "All / lost / section", "Open / done / all", "Which", "What"),
    "g": _verb("To the first", "First", "Top"),
    "h": _verb("Fold, go out, or to the link before", "Fold", "Link before"),
    "i": _verb("Tell about it", "About", "Story"),
    "j": _verb("Down", "Down"),
    "k": _verb("Up", "Up"),
    "l": _verb(
        "Unfold, go in, or to the next link",
        *("Unfold", "All lines", "Show what it changed", "Changes", "To the block", "To the file", "Its prompt"),
        *("Show its lines", "Why", "Choose", "Its changes", "Next link"),
    ),
    "m": _verb("Move to another place", "Move", "To another file"),
    "n": _verb("The next", "Next", "More"),
    "o": _verb("Edit in your own editor", "Own editor"),
    "p": _verb("Promote, or demote", "Promote", "Promote / demote"),
    "r": _verb("Give another name", "Rename", "Name", "Other name"),
    "s": _verb("Search", "Search"),
    "t": _verb("Take over to another kind", "To a note", "To an agent"),
    "u": _verb("Undo", "Undo"),
    "v": _verb("Mark a range, or select text", "Range", "Select"),
    "w": _verb(
        "Wider, or of another project", "Wider", "All files", "All projects", "Scope", "Whose settings", "Other project", "Into"
    ),
    "x": _verb("Done with it", "Done", "Seen", "Fix"),
    "y": _verb("Copy the text to the clipboard", "Copy text", "Copy slug"),
    "z": _verb("The pane on the whole screen", "Maximise"),
    "A": _verb("Apply what is shown", "Apply", "Follow"),
    "B": _verb("Put the whole file back", "Restore", "Put back all"),
    "C": _verb("Costs", "What costs what"),
    "D": _verb("Sample store", "Sample store"),
    "E": _verb("As the next agent", "Next agent"),
    "F": _verb("Facts", "Facts"),
    "G": _verb("To the last", "Last", "End"),
    "H": _verb("History", "History"),
    "I": _verb("What becomes of what is there already", "On conflict"),
    "J": _verb("One place down", "Move down"),
    "K": _verb("One place up", "Move up"),
    "L": _verb("In full, as a page", "In full"),
    "M": _verb("Merge", "Merge"),
    "N": _verb("The one before", "Previous"),
    "O": _verb("Outline", "Outline"),
    "P": _verb("Projects", "Projects"),
    "Q": _verb("One after another, one key each", "Run"),
    "R": _verb("Raw, or rendered", "Raw"),
    "S": _verb("Look whether it is so", "Scan", "Try it"),
    "T": _verb("Triage", "Triage"),
    "U": _verb("Redo", "Redo"),
    "V": _verb("Mark the group, or select whole lines", "The hunk", "The group", "Select lines"),
    "W": _verb("Bring back what was wiped", "Bring back"),
    "X": _verb("Done with all of it", "All seen", "File seen", "Log"),
    "Y": _verb("Copy all of it to the clipboard", "Copy block"),
    "Z": _verb("Put what is done away", "Archive done"),
    "/": _verb("Find, or show only what holds words", "Filter", "Find", "Change words"),
    "*": _verb("Mark all that are shown", "All shown"),
    ".": _verb("Group", "Group", "By folder"),
    ",": _verb("Sort", "Sort"),
    "+": _verb("To the top", "To the top"),
    "-": _verb("Ignore", "Ignore"),
    "=": _verb("Make it fit", "Fit"),
    "!": _verb("Wanted in the prompt", "Wanted"),
    "%": _verb("Prompt marks", "Prompt marks"),
    "|": _verb("Side by side", "Difference"),
    "<": _verb("One step out", "Outdent"),
    ">": _verb("One step in", "Indent"),
    "[": _verb("Back: a day, or a link", "Day before", "Link back"),
    "]": _verb("On again: a day, or a link", "Day after", "Link forward"),
    "(": _verb("The left or upper pane smaller", "Smaller"),
    ")": _verb("The left or upper pane larger", "Larger"),
    "&": _verb("The panes divided as at first", "Edge back"),
    "\\": _verb("Line breaks", "Line breaks"),
    "_": _verb("Today", "Today"),
    "?": _verb("All keys", "All keys"),
    ";": _verb("What was said", "Messages"),
    "@": _verb("Connect an agent", "Connect an agent"),
    "0": _verb("Projects", "Projects"),
    "1": _verb("The tree", "Tree"),
    "2": _verb("The text", "Viewer"),
    "3": _verb("Search", "Search"),
    "4": _verb("What the agent sees", "What the agent sees"),
    "5": _verb("Review", "Review"),
    "6": _verb("Triage", "Triage"),
    "7": _verb("Facts", "Facts"),
    "8": _verb("Doctor", "Doctor"),
    "9": _verb("Import and export", "Import and export"),
}
"""Every letter and sign that is a key."""
