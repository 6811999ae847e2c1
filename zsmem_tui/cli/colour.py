"""Colours for terminal output: only the 16 standard ones, and never as the only distinction."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from zsmem_tui.cli.output import put
from zsmem_tui.core.whole_words import occurrences

if TYPE_CHECKING:
    from zsmem_tui.core.diff import DiffRow

WHENS: Final = ("auto", "always", "never")
"""The values of `--color`; `auto` means on a terminal, unless `NO_COLOR` is set."""


class Paint(StrEnum):
    """The kinds of text, with their SGR parameters (ECMA-48)."""

    PLAIN = ""
    PLACE = "35"
    NUMBER = "32"
    FOUND = "1;31"
    ADDED = "32"
    REMOVED = "31"
    ERROR = "1;31"
    WARNING = "33"
    FAINT = "2"


Span = tuple[str, str]
"""A text and its SGR parameters; empty for none."""


def put_spans(args: argparse.Namespace, spans: Iterable[Span]) -> None:
    """Print the spans, coloured if wanted. Without colour, paths are printed unchanged, as programs need them."""
    from zsmem_tui.core.visible import visible  # deferred: needed only to print a file's text

    if is_coloured(args):
        safe = ((visible(text), paint) for text, paint in spans)
        put("".join(text if not paint else f"\x1b[{paint}m{text}\x1b[0m" for text, paint in safe), is_safe=True)
    else:
        put("".join(text if paint is Paint.PLACE else visible(text) for text, paint in spans))


def diff_spans(place: str, rows: Sequence[DiffRow]) -> Iterator[Span]:
    """A file's diff: its path, if given, then the lines with their signs."""
    if place:
        yield f"{place}\n", Paint.PLACE
    for row in rows:
        yield f"{row.side}{row.text}\n", {"+": Paint.ADDED, "-": Paint.REMOVED, "~": Paint.FAINT}.get(row.side, Paint.PLAIN)


def found_spans(text: str, terms: Sequence[str], *, whole_words: bool = False) -> Iterator[Span]:
    """A text with all matches of the terms marked."""
    at = 0
    places = {place for term in terms for place in occurrences(text, term, whole_words=whole_words)}
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if start >= at:
            yield text[at:start], Paint.PLAIN
            yield text[start:end], Paint.FOUND
            at = end
    yield text[at:], Paint.PLAIN


def is_coloured(args: argparse.Namespace) -> bool:
    """Whether to use colours, by `--color`, `NO_COLOR` and the terminal."""
    when = getattr(args, "color", None) or "auto"
    if when != "auto":
        return bool(when == "always")
    from zsmem_tui.config.locate import wants_no_colour  # deferred: the settings have imported it already

    return sys.stdout is not None and sys.stdout.isatty() and not wants_no_colour()
