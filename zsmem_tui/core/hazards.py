"""Find what has to be reviewed before a text is accepted: credentials, orders to the agent, hidden characters."""

from __future__ import annotations

from dataclasses import replace

from zsmem_tui.core.limits import BLOCK_END
from zsmem_tui.core.merge import split
from zsmem_tui.core.notice import Notice, NoticeKind

HIDDEN_KINDS = frozenset(("invisible text", "invisible character", "letters of another script inside a word"))
"""What the rules about orders call a place that only has hidden characters."""

_IN_ORDER = (NoticeKind.SECRET, NoticeKind.ORDER, NoticeKind.HIDDEN_CHARACTERS)
"""Most severe first."""


def hazards(text: str) -> tuple[Notice, ...]:
    """Notices on why a text should be reviewed, one per kind with its first line.

    The rules are those of the doctor. Only hidden text is quoted (decoded), since a notice may be shown, logged or sent.
    """
    every = hazard_lines(text)
    first = {each.kind: each for each in reversed(every)}
    told = (first[rule] for rule in _IN_ORDER if rule in first)
    return (
        *ends_block(text),
        *(each if each.kind is NoticeKind.HIDDEN_CHARACTERS else replace(each, text="") for each in told),
    )


def hazard_lines(text: str) -> list[Notice]:
    """Notices for every place in a text that should be reviewed, top to bottom, quoting only what may be shown."""
    from zsmem_tui.core.checks.poison import poison_in  # deferred: every start imports this module, few need the rules
    from zsmem_tui.core.checks.secret import secrets_in  # deferred as well

    found = [Notice(NoticeKind.SECRET, "", spot.line, f"{spot.kind}, {spot.shown}") for spot in secrets_in(text) if spot.sure]
    for spot in poison_in(text):
        if BLOCK_END not in text[spot.start : spot.end]:
            rule = NoticeKind.HIDDEN_CHARACTERS if spot.kind in HIDDEN_KINDS else NoticeKind.ORDER
            found.append(Notice(rule, "", spot.line, spot.shown))
    return sorted(found, key=lambda each: each.line)


def hazards_that_came(before: bytes, after: bytes) -> list[Notice]:
    """Notices for lines of `after` that `before` did not have, including the mark that ends the prompt block."""
    if before == after or not after:
        return []
    known, now = frozenset(split(before)), split(after)
    text = after.decode("utf-8", "replace")
    ends = (
        Notice(NoticeKind.ENDS_BLOCK, "", number, BLOCK_END) for number, line in enumerate(now, 1) if BLOCK_END.encode() in line
    )
    found = sorted((*hazard_lines(text), *ends), key=lambda each: each.line)
    return [each for each in found if each.line > len(now) or now[each.line - 1] not in known]


def without_hazards(text: bytes, before: bytes, after: bytes) -> bytes:
    """`text` without the hazardous lines that are new in `after`."""
    lines = split(after)
    marked = {lines[each.line - 1] for each in hazards_that_came(before, after) if each.line <= len(lines)}
    return b"".join(line for line in split(text) if line not in marked) if marked else text


def ends_block(text: str, place: str = "", end: str = BLOCK_END) -> tuple[Notice, ...]:
    """A notice for the first mark that ends the prompt block, if the text contains one."""
    at = text.find(end)
    return (Notice(NoticeKind.ENDS_BLOCK, place, text.count("\n", 0, at) + 1, end),) if at >= 0 else ()
