"""What may stand at the end of a command line, as the parser of its verb has it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_OF_ACTION: Final = re.compile(r"ACTION \[(.*)\]")
"""What a verb calls words of which the first says what to do."""

ACTION: Final = "ACTION"
"""The kind of the first of them."""


class Expected(NamedTuple):
    """What the word that is being typed may be.

    `kind` is the placeholder that help shows for it (`TARGET`, `SLUG`), empty where `choices` are all there is, or nothing is
    expected. `option` is the one whose value it is, `options` have what may begin with a dash, each with its help, `prefix` what
    stands before the value in the same word (`--root=`), `before` the words before it in its place, for verbs that take several,
    and `first` the first word of the verb.
    """

    kind: str = ""
    choices: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    prefix: str = ""
    before: tuple[str, ...] = ()
    option: str = ""
    first: str = ""


def expected(parser: argparse.ArgumentParser, words: Sequence[str]) -> Expected:
    """What may follow: `words` are those behind the verb, the last one being typed."""
    *before, current = words
    options = {name: action for action in parser._actions for name in action.option_strings}
    places = [action for action in parser._actions if not action.option_strings]
    taken, used, waiting = list[str](), set[str](), None
    is_literal = False
    for word in before:
        if not is_literal and word.startswith("-") and word != "-":
            name, equals, _ = word.partition("=")
            found = options.get(name)
            is_literal = word == "--"
            used.add(name)
            waiting = found if found is not None and found.nargs != 0 and not equals else None
        elif waiting is not None:
            waiting = waiting if waiting.nargs in ("+", "*") else None
        else:
            taken.append(word)
    name, equals, _ = current.partition("=")
    first = taken[0] if taken else ""
    if waiting is not None and not current.startswith("-"):
        return _value(waiting)
    if not is_literal and equals and name in options:
        return _value(options[name], prefix=f"{name}=")
    offered = _options(parser, used) if not is_literal else ()
    if current.startswith("-") and not is_literal:
        return Expected(options=offered)
    for place in places:
        if place.nargs in ("+", "*"):
            return _value(place, taken, offered)._replace(first=first)
        if not taken:
            return _value(place, (), offered)._replace(first=first)
        taken = taken[1:]
    return Expected(options=offered)


def _value(
    action: argparse.Action, before: Sequence[str] = (), options: tuple[tuple[str, str], ...] = (), prefix: str = ""
) -> Expected:
    kind = "" if action.choices else str(action.metavar or "")
    if found := _OF_ACTION.fullmatch(kind):
        kind = found[1] if before else ACTION
    option = next(iter(action.option_strings), "")
    return Expected(kind, tuple(map(str, action.choices or ())), options, prefix, tuple(before), option)


def _options(parser: argparse.ArgumentParser, used: set[str]) -> tuple[tuple[str, str], ...]:
    """Every long option that is not there yet, or may be there again; one form of an option rules the others out."""
    return tuple(
        (name, (action.help or "").replace("%%", "%"))
        for action in parser._actions
        if not used.intersection(action.option_strings) or isinstance(action, argparse._AppendAction)
        for name in action.option_strings
        if name.startswith("--")
    )
