"""The usage lines of a verb's help, laid out the same in every Python version, and numbers that options take."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

_BEGINNING: Final = "usage: "

_DIGITS: Final = 9
"""Most digits of a number that an option takes."""


def count_from_1(word: str) -> int:
    """The number that an option was given. Raises what `argparse` tells of."""
    number = int(word) if word.isascii() and word.isdecimal() and len(word) <= _DIGITS else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is no number from 1 to {10**_DIGITS - 1}")
    return number


def day(word: str) -> str:
    """The day that an option was given, as YYYY-MM-DD. Raises what `argparse` tells of."""
    try:
        if date.fromisoformat(word).isoformat() == word:
            return word
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{word!r} is no day as YYYY-MM-DD")


def usage(
    prog: str,
    actions: Iterable[argparse.Action],
    groups: Iterable[argparse._MutuallyExclusiveGroup],
    formatter: argparse.HelpFormatter,
    width: int,
) -> str:
    """The usage: options, then arguments. Mutually exclusive options stay on one line."""
    shown = [action for action in actions if action.help is not argparse.SUPPRESS]
    options = list(_parts([action for action in shown if action.option_strings], groups, formatter))
    words = list(_parts([action for action in shown if not action.option_strings], groups, formatter))
    line = " ".join([_BEGINNING + prog, *options, *words])
    if len(line) <= width:
        return f"{line}\n\n"
    indent = " " * len(f"{_BEGINNING}{prog} ")
    rows = [*_rows(options, width - len(indent)), *_rows(words, width - len(indent))]
    return f"{_BEGINNING}{prog} " + f"\n{indent}".join(rows) + "\n\n"


def _parts(
    actions: Sequence[argparse.Action], groups: Iterable[argparse._MutuallyExclusiveGroup], formatter: argparse.HelpFormatter
) -> Iterator[str]:
    """Yield the parts that are not broken across lines."""
    group_of = {id(action): group for group in groups for action in group._group_actions}
    said: list[argparse._MutuallyExclusiveGroup] = []
    for action in actions:
        group = group_of.get(id(action))
        if group is None:
            part = _part(action, formatter)
            yield part if action.required or not action.option_strings else f"[{part}]"
        elif group not in said:
            said.append(group)
            inner = " | ".join(_part(each, formatter) for each in actions if group_of.get(id(each)) is group)
            yield f"({inner})" if group.required else f"[{inner}]"


def _part(action: argparse.Action, formatter: argparse.HelpFormatter) -> str:
    if not action.option_strings:
        return formatter._format_args(action, formatter._get_default_metavar_for_positional(action))
    value = "" if action.nargs == 0 else formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
    return f"{action.option_strings[0]} {value}".rstrip()


def _rows(parts: Iterable[str], width: int) -> Iterator[str]:
    row = ""
    for part in parts:
        if row and len(row) + 1 + len(part) > width:
            yield row
            row = ""
        row += f" {part}" if row else part
    if row:
        yield row
