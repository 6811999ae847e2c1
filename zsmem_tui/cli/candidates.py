"""The words that may stand at the end of a command line, out of the parser, the store and this machine."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from types import MappingProxyType
from typing import Final

from zsmem_tui.cli.expected import ACTION, Expected, expected
from zsmem_tui.cli.main import SAY_WHICH, build_parser, find_verb, open_session
from zsmem_tui.cli.verbs import VERBS, command
from zsmem_tui.core.errors import MemError
from zsmem_tui.service import completing
from zsmem_tui.service.completing import Word
from zsmem_tui.service.session import Session

Source = Callable[[Session], Iterable[Word]]


class Files(StrEnum):
    """What of the file system may stand there beside the words: the shell knows it best."""

    NONE = "words"
    FILES = "files"
    FOLDERS = "folders"


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may stand there, and whether paths may."""

    words: tuple[Word, ...] = ()
    files: Files = Files.NONE


def _none(session: Session) -> Iterable[Word]:
    """Free text, a number, a date: nobody can know."""
    return ()


def _with_list(session: Session) -> Iterable[Word]:
    return chain(completing.targets(session), [Word("list", "the files that the agent lists")])


def _writable(session: Session) -> Iterable[Word]:
    return [word for word in completing.targets(session) if not word.text.startswith("daily:")]


def _imported(session: Session) -> Iterable[Word]:
    return chain(completing.formats(session), [Word("detect", "what is on this machine")])


_SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        "SOURCE": _with_list,
        "TARGET": completing.targets,
        "FILE": completing.targets,
        "FILE:LINE": completing.facts,
        "SLUG": completing.projects,
        "SLUG,SLUG": completing.projects,
        "PLACE": completing.projects,
        "KIND[:ROOT]": completing.stores,
        "FORMAT": completing.formats,
        "FORMAT|detect": _imported,
        "FORMAT[:ROOT]": completing.formats,
        "AGENT": completing.agents,
    }
)
"""What an argument may be, by the placeholder that help shows for it."""

_OF_PLACE: Final[Mapping[tuple[str, str], Source]] = MappingProxyType(
    {
        ("", "--group"): completing.projects,
        ("file", "--into-group"): _none,
        ("fit", "--without"): completing.fitting,
        ("history", "ID|TEXT"): completing.versions,
        ("promote", "--to"): lambda session: map(Word, ("AGENTS.md", "ARCHITECTURE.md")),
        ("read", "NAME"): completing.names,
        ("review", "ID"): completing.reviews,
        ("scratch", "ID|TEXT"): completing.items,
        ("write", "TARGET"): _writable,
    }
)
"""What an option, or the placeholder of an argument, means for one verb, or for all."""

_PATHS: Final[Mapping[str, Files]] = MappingProxyType({"DIR": Files.FOLDERS, "PATH": Files.FILES, "PLACE": Files.FOLDERS})

FREE: Final = frozenset(
    {"ADDR", "AGE", "CONTENT", "DATE", "GLOB", "HEADING", "I/N", "ID", "N", "NAME", "NEW", "PREFIX", "QUERY", "SECONDS", "TEXT"}
)
"""Placeholders of what nobody can know before."""

_FREE_ACTIONS: Final = {("scratch", "add"), ("history", "forget"), ("history", "list"), ("review", "list"), ("scratch", "list")}
"""Actions whose next words are texts, or that take none."""


def is_known(kind: str) -> bool:
    """Whether somebody has thought of what a placeholder may be."""
    return kind in _SOURCES or kind in _PATHS or kind in FREE or any(kind == place for _, place in _OF_PLACE)


def candidates(words: Sequence[str]) -> Candidates:
    """What the last of these words, which is being typed, may be; the first is the program's name.

    Where a store cannot be read, or a line before means nothing, there are only the words of the parser.
    """
    before = list(words[1:])
    current = before.pop() if before else ""
    verb = find_verb(before)
    if verb is None:
        return _of_program(before, current)
    if verb not in VERBS:
        return Candidates()
    place = before.index(verb)
    parser = _of_verb(verb)
    rest = [*before[place + 1 :], current]
    wanted = expected(parser, rest)
    found = _words(verb, wanted, _session(verb, before))
    return replace(found, words=_that_begin(found.words, current))


def _of_program(before: Sequence[str], current: str) -> Candidates:
    """Before a verb: an option of the program, its value, or the verb."""
    program = build_parser(())
    wanted = expected(program, [*before, current])
    found = _words("", wanted, _session("", before))
    verbs = [] if wanted.kind or wanted.choices or wanted.prefix else [Word(name, verb.help) for name, verb in VERBS.items()]
    every = (*verbs, *(each for each in found.words if current.startswith("-") or wanted.kind or wanted.choices))
    return Candidates(_that_begin(every, current), found.files)


def _that_begin(words: Iterable[Word], typed: str) -> tuple[Word, ...]:
    """Those that go on from what was typed, and that a line can hold."""
    return tuple(each for each in words if each.text.startswith(typed) and each.text.isprintable())


def _of_verb(verb: str) -> argparse.ArgumentParser:
    every = next(each for each in build_parser((verb,))._actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = every.choices[verb]
    return found


def _words(verb: str, wanted: Expected, session: Session | None) -> Candidates:
    """Every word, the expected ones first; options only where a dash was typed, or nothing else is expected."""
    about = getattr(command(verb), "ACTIONS", {}) if verb else {}
    if wanted.kind == ACTION:
        first = [Word(name, str(text)) for name, text in about.items()]
    elif wanted.choices:
        first = [Word(choice, str(about.get(choice, ""))) for choice in wanted.choices]
    else:
        first = _found(verb, wanted, session)
    prefixed = [word._replace(text=f"{wanted.prefix}{word.text}") for word in first]
    options = [Word(name, text) for name, text in wanted.options]
    is_open = wanted.kind or wanted.choices
    return Candidates(tuple(prefixed if is_open else options), _PATHS.get(wanted.kind, Files.NONE))


def _found(verb: str, wanted: Expected, session: Session | None) -> list[Word]:
    """What the store and the machine know; nothing where they cannot be asked."""
    places = ((verb, wanted.option), ("", wanted.option), (verb, wanted.kind))
    source = next((_OF_PLACE[place] for place in places if place in _OF_PLACE), _SOURCES.get(wanted.kind))
    if session is None or source is None or (verb, wanted.first) in _FREE_ACTIONS:
        return []
    try:
        return [word for word in source(session) if word.text not in wanted.before]
    except MemError:
        return []


def _session(verb: str, words: Sequence[str]) -> Session | None:
    """The session that the line asks for, as far as it is typed; None where there is none."""
    asked: dict[str, list[str]] = {}
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        values = [value] if equals else words[place + 1 : place + 2]
        if name in SAY_WHICH and values:
            asked.setdefault(name, []).extend(values)
    last = {name.removeprefix("--"): asked[name][-1] if name in asked else None for name in SAY_WHICH}
    args = argparse.Namespace(**last | {"verb": verb or "read", "store": asked.get("--store"), "all": False, "profile": None})
    try:
        return open_session(args)
    except MemError:
        return None
