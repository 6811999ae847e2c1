"""Shell completion through argcomplete: candidates from the parser, the store and this machine."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from argcomplete.completers import BaseCompleter, DirectoriesCompleter, FilesCompleter
from argcomplete.finders import CompletionFinder
from argcomplete.lexers import split_line

from zsmem_tui.cli.main import build_parser, find_verb, open_session
from zsmem_tui.cli.verbs import VERBS, command, parser_of
from zsmem_tui.config import locate
from zsmem_tui.core.errors import MemError
from zsmem_tui.service import completing
from zsmem_tui.service.completing import Word
from zsmem_tui.service.session import Session

Source = Callable[[Session], Iterable[Word]]

_OF_ACTION: Final = re.compile(r"ACTION \[(.*)\]")
"""The placeholder of arguments whose first word is an action."""


def _no_words(session: Session) -> Iterable[Word]:
    """For free text, numbers and dates: no candidates."""
    return ()


SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        "SOURCE": lambda session: [*completing.targets(session), Word("list", "the files that the agent lists")],
        "TARGET": completing.targets,
        "FILE": completing.targets,
        "FILE:LINE": completing.facts,
        "SLUG": completing.projects,
        "SLUG,SLUG": completing.projects,
        "PLACE": completing.projects,
        "KIND[:ROOT]": completing.stores,
        "FORMAT": completing.formats,
        "FORMAT|detect": lambda session: [*completing.formats(session), Word("detect", "what is on this machine")],
        "FORMAT[:ROOT]": completing.formats,
        "AGENT": completing.agents,
    }
)
"""The candidates by placeholder in the help; none for any other."""

OF_PLACE: Final[Mapping[tuple[str, str], Source]] = MappingProxyType(
    {
        ("", "--group"): completing.projects,
        ("file", "--into-group"): _no_words,
        ("fit", "--without"): completing.fitting,
        ("history", "ID|TEXT"): completing.versions,
        ("promote", "--to"): lambda session: map(Word, ("AGENTS.md", "ARCHITECTURE.md")),
        ("read", "NAME"): completing.names,
        ("review", "ID"): completing.reviews,
        ("scratch", "ID|TEXT"): completing.items,
        ("write", "TARGET"): lambda session: (each for each in completing.targets(session) if not each.text.startswith("daily:")),
    }
)
"""The candidates by (verb, option or placeholder); an empty verb means all verbs."""

PATHS: Final[Mapping[str, type[BaseCompleter]]] = MappingProxyType(
    {"DIR": DirectoriesCompleter, "PATH": FilesCompleter, "PLACE": DirectoriesCompleter}
)
"""The file completer by placeholder, in addition to the candidates above."""

_FREE_ACTIONS: Final = {("scratch", "add"), ("history", "forget"), ("history", "list"), ("review", "list"), ("scratch", "list")}
"""(verb, action) pairs whose next words are free text, or that take none."""


class _Finder(CompletionFinder):
    def collect_completions(
        self, active_parsers: list[argparse.ArgumentParser], parsed_args: argparse.Namespace, cword_prefix: str
    ) -> list[str]:
        """Drop unprintable candidates, and options unless a dash was typed or nothing else is possible."""
        found = super().collect_completions(active_parsers, parsed_args, cword_prefix)
        words = [word for word in found if word.isprintable()]
        return [word for word in words if not word.startswith("-")] or words


def answer(exit_method: Callable[[int], object] = os._exit) -> None:
    """Print the candidates for the word being typed, and exit.

    If the store cannot be read or the line is invalid, only the parser's own words are offered.
    """
    typed = locate.environment()
    words = split_line(typed["COMP_LINE"], int(typed["COMP_POINT"]))[3]
    verb = find_verb(words[1:])
    program = build_parser((verb,) if verb in VERBS else ())
    if verb is None:
        verbs = program.add_argument("verb", nargs="?")
        verbs.completer = lambda **_: {name: each.help for name, each in VERBS.items()}  # type: ignore[attr-defined]
    elif verb not in VERBS:
        exit_method(0)
    parsers = [program, *([parser_of(program, verb)] if verb in VERBS else [])]
    for action in (action for parser in parsers for action in parser._actions if action.nargs != 0):
        if not hasattr(action, "completer") and not isinstance(action, argparse._SubParsersAction):
            action.completer = partial(_candidates, verb or "")  # type: ignore[attr-defined]
    _Finder()(program, always_complete_options="long", exit_method=exit_method)


def _candidates(
    verb: str, *, prefix: str, action: argparse.Action, parser: argparse.ArgumentParser, parsed_args: argparse.Namespace
) -> dict[str, str]:
    """The candidates for an argument, each with its description."""
    there = getattr(parsed_args, action.dest, None)
    before = list(map(str, there)) if isinstance(there, list) else []
    about = getattr(command(verb), "ACTIONS", {}) if verb else {}
    kind = str(action.metavar or "")
    if found := _OF_ACTION.fullmatch(kind):
        kind = found[1]
        if not before:
            return dict(about)
    if action.choices:
        return {str(each): str(about.get(each, "")) for each in action.choices if each not in before}
    option = next(iter(action.option_strings), "")
    places = ((verb, option), ("", option), (verb, kind))
    source = next((OF_PLACE[place] for place in places if place in OF_PLACE), SOURCES.get(kind, _no_words))
    words: dict[str, str] = {}
    session = _session(verb, parsed_args)
    acts = {(verb, act) for act in (getattr(parsed_args, "action", ""), *before[:1])}
    if session is not None and not acts & _FREE_ACTIONS:
        with contextlib.suppress(MemError):
            words = {word.text: word.about for word in source(session) if word.text not in before}
    paths = PATHS[kind]()(prefix=prefix, action=action, parser=parser, parsed_args=parsed_args) if kind in PATHS else ()
    return words | dict.fromkeys(paths, "")


def _session(verb: str, args: argparse.Namespace) -> Session | None:
    """The session selected by the options typed so far; None if it cannot be opened."""
    known = {"all": False, "root": None, "project": None, "cwd": None, "group": None, "user": None, "store": None, "profile": None}
    try:
        return open_session(argparse.Namespace(**known | vars(args) | {"verb": verb or "read"}))
    except MemError:
        return None
