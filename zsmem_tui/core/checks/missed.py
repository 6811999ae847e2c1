"""The rule `missed`: notes that were searched for by words that they do not contain."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule
from zsmem_tui.core.recall.aliases import with_aliases
from zsmem_tui.core.text import common_ends, lines

MISSED: Final = Rule(
    "missed",
    Level.INFO,
    "Looked for in vain",
    "A note that searches on several occasions did not lead to, and that was read once other words had found it.",
    "Writes those words as an alias, below the heading of the note.",
)


def missed(path: str, text: str, alias: str, who: str) -> Finding:
    """A finding about a note that `who` searched for as `alias` and found in the end. Raises `BadContent` for an invalid alias."""
    before, after = lines(text), lines(with_aliases(text, [alias]))
    same, kept = common_ends(before, after)
    first = max(same - 1, 0)  # the fix includes one existing line, by which its place is found again
    kept = min(kept, len(before) - first - 1)
    edit = LineEdit(path, first + 1, tuple(before[first : len(before) - kept]), tuple(after[first : len(after) - kept]))
    fix = Fix("Write {name} as an alias of the note.", alias, edits=(edit,))
    says = f"{who} looked for it as {{text}}, which it does not say."
    return Finding(MISSED, path, first + 1, says=says, level=Level.INFO, text=alias, quoted=alias, fix=fix)
