"""Credentials and orders to the agent as faults with their fixes: places in a text that no other file has a say in.

All that stands in the same lines has one fix: a line with two keys is masked once, and a fence goes round both orders in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.fault import Check, Fault, Level, LineEdit, Repair
from zsmem_tui.core.checks.poison import QUOTED, poison_in, quoted
from zsmem_tui.core.checks.poison_hidden import INVISIBLE, LONE
from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.checks.sheet import Sheet
from zsmem_tui.core.checks.spot import Spot
from zsmem_tui.core.text import raw_lines

TextRule = Callable[[str], list[Spot]]
"""A rule that looks at one text alone, wherever something may stand in it."""

TEXT_RULES: Final[dict[Check, TextRule]] = {Check.SECRET: secrets_in, Check.POISON: poison_in}
"""Rules that look into every text, code and logs included."""

MOST_QUOTED: Final = 10_000
"""Characters of a line by which a fault is known again."""

UNSEEN: Final = (INVISIBLE, LONE)
"""Kinds of places whose fix takes characters out that nobody sees."""

_FENCES: Final = ("```", "~~~")


def spot_faults(path: str, page: Sheet, text: str) -> Iterator[Fault]:
    """What the rules about places find in a text."""
    for check, rule in TEXT_RULES.items():
        for group in _sharing_lines(rule(text)):
            repair = _mask(path, text, group) if check is Check.SECRET else _disarm(path, page, text, group)
            for spot in group:
                level = Level.ERROR if spot.sure else Level.INFO
                words = "\n".join(row[:MOST_QUOTED] for row in page.rows[spot.line - 1 : spot.end_line])
                secret = text[spot.start : spot.end] if check is Check.SECRET else ""
                found = Fault(check, level, path, spot.line, spot.end_line, kind=spot.kind, text=spot.shown, quoted=words)
                yield replace(found, repair=repair, secret=secret)


def _sharing_lines(found: Sequence[Spot]) -> Iterator[list[Spot]]:
    """Places in groups of those that stand in the same lines, and are mended in the same way."""
    group: list[Spot] = []
    last = 0
    for spot in found:
        if group and (spot.line > last or (spot.kind in UNSEEN) != (group[0].kind in UNSEEN)):
            yield group
            group, last = [], 0
        group.append(spot)
        last = max(last, spot.end_line)
    if group:
        yield group


def _mask(path: str, text: str, group: Sequence[Spot]) -> Repair:
    return _edited("mask", path, text, group, masked)


def _disarm(path: str, page: Sheet, text: str, group: Sequence[Spot]) -> Repair:
    if group[0].kind in UNSEEN:
        return _edited("unhide", path, text, group, _without)
    first = group[0].line - 1
    if first not in page.code:
        return _edited("fence", path, text, group, lambda held, own: quoted(held, replace(own[0], end=own[-1].end)))
    while first - 1 in page.code:
        first -= 1
    row = page.rows[first]
    if not row.strip(" \t>-*+").startswith(_FENCES) or first == page.open_fence:
        return Repair("fence")
    info = row.rstrip(" \t`~")
    blank = " " if len(row.rstrip(" \t")) > len(info) else ""
    edit = LineEdit(path, first + 1, (row,), (f"{row.rstrip()}{'text' if blank else ''} {QUOTED}",))
    return Repair("fence", edits=(edit,))


def _edited(kind: str, path: str, text: str, group: Sequence[Spot], change: Callable[[str, Sequence[Spot]], str]) -> Repair:
    """The lines of a group with a change made to them."""
    start = text.rfind("\n", 0, group[0].start) + 1
    end = text.find("\n", max(group[-1].end - 1, start))
    held = text[start : end if end >= 0 else len(text)]
    own = [replace(spot, start=spot.start - start, end=min(spot.end - start, len(held))) for spot in group]
    before, after = _rows(held), _rows(change(held, own))
    return Repair(kind, edits=(LineEdit(path, group[0].line, before, after),) if before != after else ())


def _rows(held: str) -> tuple[str, ...]:
    return tuple(row.removesuffix("\r") for row in raw_lines(held.removeprefix("\ufeff")))


def _without(held: str, own: Sequence[Spot]) -> str:
    out, at = [], 0
    for spot in own:
        out.append(held[at : spot.start])
        at = spot.end
    return "".join((*out, held[at:]))
