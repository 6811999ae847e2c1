"""What the doctor finds in Ethos' memory beside what any memory can have: text that is in none of its sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.agents.ethos import files
from zsmem_tui.agents.javascript import decode
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.checks.finding import Finding, Level
from zsmem_tui.core.checks.whole import UNSEEN
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

_SECTION: Final = re.compile(r"###[ \t]+\S")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")


class SectionChecks(Checks):
    """The rule of sections."""

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """What is wrong with the memory of a personality, a user or a team."""
        kind, _, name = group.partition(":")
        if kind in ("personality", "user") and files.is_id(name):
            path = files.path_of(group, files.MEMORY)
            yield from _before_sections(read_if_there(tree, path) or b"", path)


def _before_sections(raw: bytes, path: str) -> Iterator[Finding]:
    """Text before the first section of a memory that has sections; headings above them are no text."""
    rows = raw_lines(decode(raw).removeprefix("\ufeff"))
    first = next((number for number, row in enumerate(rows) if _SECTION.match(row)), 0)
    above = [number for number, row in enumerate(rows[:first], 1) if row.strip() and not _HEADING.match(row)]
    if above:
        row = rows[above[0] - 1]
        says = "Text stands before the first section of {file}: the agent goes by sections, and it is in none."
        yield Finding(UNSEEN, path, above[0], says=says, level=Level.INFO, kind="before-sections", quoted=row)
