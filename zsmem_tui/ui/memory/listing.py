"""What is wrong between files and what lists them, as words: only other agents have such lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.core.notice import Notice, NoticeKind, sentence
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs

_LINKS: Final = {
    NoticeKind.DEAD_LINK: "dead",
    NoticeKind.DOUBLE_LINK: "double",
    NoticeKind.LINK_CASE: "case",
    NoticeKind.AWAY_LINK: "away",
}
"""What is wrong with a link of an index, in a word."""


def listing_mark(found: Sequence[Notice]) -> str:
    """What is wrong between a file and what lists it, in as few words as the tree has room for; empty: nothing."""
    if any(each.kind is NoticeKind.UNLISTED for each in found):
        return "! not in index"
    lost = sum(each.facts or each.count for each in found if each.kind is NoticeKind.LOST_LINES)
    parts = [f"{lost} past the cut"] if lost else []
    parts += [f"{count} {word}" for rule, word in _LINKS.items() if (count := sum(each.kind is rule for each in found))]
    return f"! {', '.join(parts[:2])}" if parts else ""


def listing_marks(found: Sequence[Notice]) -> str:
    """The same of all files of a group together."""
    loose = sum(each.kind is NoticeKind.UNLISTED for each in found)
    rest = listing_mark([each for each in found if each.kind is not NoticeKind.UNLISTED])
    if not loose:
        return rest
    return f"! {loose} not in index" + (f", {rest.removeprefix('! ').partition(', ')[0]}" if rest else "")


def listing_notice(found: Sequence[Notice]) -> str:
    """The same in full sentences: the first two, and how many more there are."""
    more = f" And {len(found) - 2} more." if len(found) > 2 else ""
    return visible_line(" ".join(sentence(replace(each, place=each.place.rpartition("/")[2])) for each in found[:2]) + more)


def with_links(marks: str, found: Sequence[Notice]) -> str:
    """The marks of an index, with a sign at lines whose links are wrong; what is lost stays the mark of a line."""
    wrong = {each.line - 1 for each in found if each.kind in _LINKS}
    return "".join(
        signs.LOOK if place in wrong and mark not in f"{signs.LOST}{signs.CUT}" else mark for place, mark in enumerate(marks)
    )
