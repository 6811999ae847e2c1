"""A page of help with only what holds some words, and where its links lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.fuzzy import folded_text
from zsmem_tui.core.link_target import LeadsTo, by_path
from zsmem_tui.core.text import lines, words
from zsmem_tui.service.help import GUIDE

_HEAD: Final = 2
"""Lines of the head of a table: the titles, and the rule below them."""


class HelpPlace(NamedTuple):
    """A page of help by its place among those that are shown, and the heading on it that is meant (empty: none)."""

    page: int
    heading: str


def help_link(target: str, titles: Sequence[str], here: int) -> HelpPlace | None:
    """Where a link on the page at `here` leads, of the pages with these titles; None where that is no page of help."""
    found = by_path(target, "", "", [f"{name}.md" for name in GUIDE])
    if not isinstance(found, LeadsTo):
        return None
    if not found.path:
        return HelpPlace(here, found.heading)
    title = GUIDE[found.path.removesuffix(".md")]
    return HelpPlace(titles.index(title), found.heading) if title in titles else None


def only(text: str, query: str) -> str:
    """The lines of a page of Markdown that hold every word of `query`, below their headings; the whole page where there is none.

    Rows of a table stand below its head; of a table whose head holds them, every row does. Where no line does, a sentence.
    """
    wanted = [folded_text(word) for word in words(query)]
    if not wanted:
        return text
    kept: list[str] = []
    headings: list[str] = []
    head: list[str] = []
    """The first two lines of the table that the line is in."""
    for line in lines(text):
        holds = all(word in folded_text(line) for word in wanted)
        head = ([*head, line] if len(head) < _HEAD else head) if line.startswith("|") else []
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            headings = [each for each in headings if len(each) - len(each.lstrip("#")) < level] + [line]
            continue
        if not holds and not (head and all(word in folded_text(head[0]) for word in wanted)):
            continue
        for each in headings:
            kept += ["", each, ""]
        headings = []
        if head and line not in head and not any(each is head[0] for each in kept):
            kept += ["", *head]
        kept.append(line if line.startswith(("- ", "|", " ")) else f"- {line}")
    return "\n".join(kept) if kept else f"Nothing on this page holds “{query}”. esc shows all of it again."
