"""Error messages for invalid command lines, with suggestions. Loaded only after a mistake."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Final

from zsmem_tui.cli.verbs import VERBS, command, parser_of
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.remotes import without_user
from zsmem_tui.core.suggest import did_you_mean, near
from zsmem_tui.core.text import printable_path

SYNONYMS: Final = {"delete": "rm", "remove": "rm", "mv": "move", "cp": "copy", "tick": "done", "seen": "accept"}
"""Common words for actions of verbs, and the program's."""

_WRONG_ACTION: Final = re.compile("argument action: invalid choice: '(.*)' \\(choose from")
"""What argparse says of an action that a verb does not have."""

_MISSING: Final = "the following arguments are required: "
"""What argparse says before the names of arguments that are missing."""

_OF_PROGRAM: Final = {"prompt": "context", "triage": "scratch", "memory": "list", "redo": "undo --redo"}
"""The verb for what the program calls so."""


def unknown_verb(name: str, argv: Sequence[str], program: argparse.ArgumentParser) -> ConfigError:
    """The error for an unknown verb. A word that is an action of some verbs is suggested before similarly spelled verbs.

    If an option is misspelled, its value was taken for the verb; then the error is about the option.
    """
    before = argv[: argv.index(name)]
    if any(_name(word) not in _options(program) for word in before if word.startswith("--")):
        return misread(before, "", program, "")
    act = SYNONYMS.get(name, name)
    does = (
        [f"'{_OF_PROGRAM[name]}'"]
        if name in _OF_PROGRAM
        else [f"'{verb} {act}'" for verb in sorted(VERBS) if act in getattr(command(verb), "ACTIONS", ())]
    )
    first, last = does[:-1], does[-1:]
    guess = f" Did you mean {' or '.join([', '.join(first), *last] if first else last)}?" if does else did_you_mean(name, VERBS)
    says = f"there is no verb {printable_path(without_user(name))!r}.{guess} Nothing was done."
    return ConfigError(says, "`zsmem --help` lists the verbs.")


def misread(argv: Sequence[str], verb: str, parser: argparse.ArgumentParser, why: str, extra: Sequence[str] = ()) -> ConfigError:
    """The error for a command line that argparse rejected, with its message `why` or the arguments left over in `extra`."""
    own = _options(parser_of(parser, verb) if verb else parser)
    every = own | _options(parser)
    before = argv[: argv.index("--")] if "--" in argv else argv
    options = [_name(word) for word in (*before, *extra) if word.startswith("-") and word.strip("-") and " " not in word]
    unknown = next((each for each in options if each not in every and (each.startswith("--") or each in extra)), "")
    misplaced = next((each for each in options if verb and each in extra and each in own), "")
    hint = f"`zsmem {verb} --help` says what it takes." if verb else "`zsmem --help` lists options and verbs."
    if unknown:
        who = f"{verb} has" if verb else "there is"
        meant = near(unknown.strip("-"), (each.removeprefix("--") for each in own if each.startswith("--")))
        act = SYNONYMS.get(word := unknown.strip("-"), word)
        meant = f"--{meant}" if meant else f"{verb} {act}" if verb and act in getattr(command(verb), "ACTIONS", ()) else ""
        guess = f" Did you mean '{meant}'?" if meant else ""
        text = f"{who} no option {printable_path(unknown)!r}.{guess}"
    elif misplaced:
        text = f"{misplaced!r} goes behind the verb: zsmem {verb} {misplaced} …"
    elif extra:
        text = f"{verb} takes no {printable_path(extra[0])!r}." if verb else f"there is no verb {printable_path(extra[0])!r}."
    elif (wrong := _WRONG_ACTION.match(why)) and verb:
        known = list(getattr(command(verb), "ACTIONS", ()))
        guess = did_you_mean(SYNONYMS.get(wrong[1], wrong[1]), known) or f" It has {', '.join(known)}."
        text = f"{verb} has no action {printable_path(wrong[1])!r}.{guess}"
    elif verb and (needs := why.removeprefix(_MISSING)) != why:
        known = list(getattr(command(verb), "ACTIONS", ()))
        text = f"{verb} needs an action: {', '.join(known)}." if needs == "action" else f"{verb} needs {needs}."
    else:
        text = f"{verb}: {printable_path(why)}." if verb else f"{printable_path(why)}."
    return ConfigError(f"{without_user(text)} Nothing was done.", getattr(command(verb), "HINT", hint) if verb else hint)


def _options(parser: argparse.ArgumentParser) -> set[str]:
    return {name for action in parser._actions for name in action.option_strings}


def _name(option: str) -> str:
    return option.partition("=")[0]
