"""Picks the front end and imports only that one: a verb runs headless, no verb opens the full-screen program."""

from __future__ import annotations

import gc
import os
import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

from zsmem_tui.config import locate
from zsmem_tui.core.light_imports import load_asyncio, load_hashlib

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from zsmem_tui.config.model import Config


def main() -> None:
    """The `zsmem` and `zsmem-tui` scripts."""
    gc.disable()  # nothing that is made while starting becomes garbage; looking for some costs 2 ms
    _refuse_odd_clock()
    if {"_ARGCOMPLETE", "COMP_LINE", "COMP_POINT"} <= locate.environment().keys():
        from zsmem_tui.cli.completion import answer  # for a key in the shell

        answer()
    plain = plain_options(sys.argv[1:])
    if plain is not None:
        sys.exit(_screen(plain))
    from zsmem_tui.cli import main as cli  # argparse, which both front ends need, and nothing of Textual

    if cli.find_verb(sys.argv[1:]) is not None or any(word in sys.argv[1:] for word in ("-h", "--help", "--version")):
        _leave(cli.main(sys.argv[1:], _check_screen))
    args = cli.parse_program(sys.argv[1:])
    if isinstance(args, int):
        sys.exit(args)
    sys.exit(_screen(args))


def _refuse_odd_clock() -> None:
    """End with a sentence where the clock is beyond the 64 bits of nanoseconds that Python counts: nothing could be dated."""
    try:
        time.time_ns()
    except OverflowError:
        from zsmem_tui.cli import main as cli  # as above
        from zsmem_tui.cli.output import say  # the same

        say("This machine's clock stands before the year 1678 or after 2261, which Python cannot count. Nothing was done.")
        say("Set the clock.")
        _leave(0 if cli.find_verb(sys.argv[1:]) == "hook" else 4)


def plain_options(argv: Sequence[str]) -> SimpleNamespace | None:
    """What `cli.main.parse_program` says of the plainest command lines, those that start the program every day; None of all others.

    argparse and what reads verbs take a twentieth of the start.
    """
    args = dict.fromkeys(("root", "project", "cwd", "store", "group", "user", "profile", "color"))
    plain = ("--root", "--cwd") if "--cwd" in argv else ("--root", "--project")
    for option, value in zip(argv[::2], argv[1::2], strict=False):
        if option not in plain or args[option[2:]] is not None or not value or value.startswith("-"):
            return None
        args[option[2:]] = value
    return None if len(argv) % 2 else SimpleNamespace(**args, demo=False, tour=False)


def _screen(args: Namespace | SimpleNamespace) -> int:
    """Run the full-screen program; its exit code."""
    load_asyncio()
    load_hashlib()
    from zsmem_tui.ui.run import run  # 200 ms of Textual, only for the screen

    return run(args)


def _check_screen(config: Config) -> list[tuple[str, str, str]]:
    """What the screen has against the settings; only `zsmem config --check` asks."""
    from zsmem_tui.ui.themes import problems  # 200 ms of Textual

    return problems(config)


def _leave(code: int) -> None:
    """End now: taking the interpreter apart piece by piece would take a verb 4 ms longer and change nothing."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            code = code or 4  # it could not be printed
    os._exit(code)
