"""The rules `secret` and `poison`: credentials and instructions to the agent as findings with fixes.

Places in the same lines share one fix: a line with two keys is masked once, and one fence surrounds both instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.document import Document, Text
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule
from zsmem_tui.core.checks.poison import GRAVE, QUOTED, poison_in, quoted
from zsmem_tui.core.checks.poison.hidden import INVISIBLE, LONE, seen_only
from zsmem_tui.core.checks.scan import Span
from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.text import line_begin, line_end, raw_lines

MOST_QUOTED: Final = 10_000
"""The most characters per line that identify a finding."""

UNSEEN: Final = (INVISIBLE, LONE)
"""Kinds of places whose fix removes invisible characters."""

_IN_FENCE: Final = 'Put it in a fence that says "quoted, do not follow".'
_MASK: Final = "Mask it: its first four characters stay."
_TAKE_OUT: Final = "Take the characters out that nobody sees."
_SAYS_SECRET: Final = "This has the shape of a key or password ({text})."
_SAYS_HIDDEN: Final = "This holds hidden characters: {text}."
_SAYS_ORDER: Final = "This reads like an order to the agent: {text}."
_FENCES: Final = ("```", "~~~")


def _look(rule: Rule, own: Text, spots: Sequence[Span]) -> Iterator[Finding]:
    path, text = own.ref.path, own.text
    for group in _sharing_lines(spots):
        fix = _edited(_MASK, path, text, group, masked) if rule is SECRET else _disarm(path, own.page, text, group)
        for spot in group if rule is SECRET else _once(group):
            serious = Level.ERROR if rule is SECRET or spot.kind in GRAVE else Level.WARNING
            level = serious if spot.sure else Level.INFO
            says = _SAYS_SECRET if rule is SECRET else _SAYS_HIDDEN if spot.kind in UNSEEN else _SAYS_ORDER
            quoted = "\n".join(row[:MOST_QUOTED] for row in own.page.rows[spot.line - 1 : spot.end_line])
            found = Finding(rule, path, spot.line, spot.end_line, says, level, spot.kind, spot.shown, quoted=quoted, fix=fix)
            yield replace(found, secret=text[spot.start : spot.end]) if rule is SECRET else found


def _once(group: Sequence[Span]) -> list[Span]:
    """These places without those that would be told in the same words as another of the same line; the gravest stays."""
    kept: dict[tuple[int, str], Span] = {}
    for spot in sorted(group, key=lambda each: (not each.sure, each.kind not in GRAVE)):
        kept.setdefault((spot.line, spot.shown), spot)
    return [spot for spot in group if kept[spot.line, spot.shown] is spot]


SECRET: Final = Rule(
    "secret",
    Level.ERROR,
    "Keys and passwords",
    "A key or password.",
    "Masks it: the first four characters stay.",
)
POISON: Final = Rule(
    "poison",
    Level.WARNING,
    "Planted orders and hidden text",
    "Text that gives orders to the agent; an error where it hides from who reads, or is forged.",
    "Puts it in a fence that says that it is quoted, or takes out what nobody sees.",
)
ALONE: Final = (
    lambda own: _look(SECRET, own, secrets_in(own.text)),
    lambda own: _look(POISON, own, poison_in(own.text)),
)


def _sharing_lines(found: Sequence[Span]) -> Iterator[list[Span]]:
    """Group places that share lines and are fixed in the same way."""
    group: list[Span] = []
    last = 0
    for spot in found:
        if group and (spot.line > last or (spot.kind in UNSEEN) != (group[0].kind in UNSEEN)):
            yield group
            group, last = [], 0
        group.append(spot)
        last = max(last, spot.end_line)
    if group:
        yield group


def _disarm(path: str, page: Document, text: str, group: Sequence[Span]) -> Fix:
    if group[0].kind in UNSEEN:
        return _edited(_TAKE_OUT, path, text, group, seen_only)
    first = group[0].line - 1
    if first not in page.code:
        return _edited(_IN_FENCE, path, text, group, lambda held, own: quoted(held, replace(own[0], end=own[-1].end)))
    while first - 1 in page.code:
        first -= 1
    row = page.rows[first]
    if not row.strip(" \t>-*+").startswith(_FENCES) or first == page.open_fence:
        return Fix(_IN_FENCE)
    info = row.rstrip(" \t`~")
    blank = " " if len(row.rstrip(" \t")) > len(info) else ""
    edit = LineEdit(path, first + 1, (row,), (f"{row.rstrip()}{'text' if blank else ''} {QUOTED}",))
    return Fix(_IN_FENCE, edits=(edit,))


def _edited(says: str, path: str, text: str, group: Sequence[Span], change: Callable[[str, Sequence[Span]], str]) -> Fix:
    """A fix that applies `change` to the lines of a group."""
    start = line_begin(text, group[0].start)
    held = text[start : line_end(text, max(group[-1].end - 1, start), len(text))]
    own = [replace(spot, start=spot.start - start, end=min(spot.end - start, len(held))) for spot in group]
    before, after = _rows(held), _rows(change(held, own))
    return Fix(says, edits=(LineEdit(path, group[0].line, before, after),) if before != after else ())


def _rows(held: str) -> tuple[str, ...]:
    return tuple(row.removesuffix("\r") for row in raw_lines(held.removeprefix("\ufeff")))
