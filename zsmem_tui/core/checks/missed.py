"""Notes that were looked for in vain, under a name that they do not say."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule
from zsmem_tui.core.recall.aliases import with_aliases
from zsmem_tui.core.text import lines

MISSED: Final = Rule(
    "missed",
    Level.INFO,
    "Looked for in vain",
    "A note that a search did not lead to, and that was read once another one with other words had found it.",
    "Writes those words as an alias, below the heading of the note.",
)


def missed(path: str, text: str, alias: str, who: str) -> Finding:
    """A note that `who` looked for by `alias`, and found in the end. Raises `BadContent` for what can be no alias."""
    before, after = lines(text), lines(with_aliases(text, [alias]))
    same = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), min(len(before), len(after)))
    first = max(same - 1, 0)  # one line that was there stands in the fix: it is found again by that
    kept, most = 0, min(len(before) - first - 1, len(after) - same)
    while kept < most and before[-1 - kept] == after[-1 - kept]:
        kept += 1
    edit = LineEdit(path, first + 1, tuple(before[first : len(before) - kept]), tuple(after[first : len(after) - kept]))
    fix = Fix("Write {name} as an alias of the note.", alias, edits=(edit,))
    says = f"{who} looked for it as {{text}}, which it does not say."
    return Finding(MISSED, path, first + 1, says=says, level=Level.INFO, text=alias, quoted=alias, fix=fix)
