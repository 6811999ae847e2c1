"""The `zsmem promote` command; its helpers are shared with `zsmem demote`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from typing import Final

from zsmem_tui.cli.reporting import carry_out, handling, secrets_arguments, target_ref
from zsmem_tui.core.errors import BadContent, BadTarget
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import instructions, promoting
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem promote MEMORY.md:3 MEMORY.md:7 --dry-run
  zsmem promote note:deploy:1 --to ARCHITECTURE.md
  zsmem facts --lost"""

_FACT: Final = re.compile(r"(?s).+:\d{1,9}")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("facts", metavar="FILE:LINE", nargs="*", help="a file and a line of a fact, as `zsmem facts` prints them")
    parser.add_argument(
        "--to",
        metavar="FILE",
        help="an instruction file that the agent reads (default: AGENTS.md; of Claude Code, CLAUDE.md)",
    )
    told_in(parser)
    secrets_arguments(parser)


def told_in(parser: argparse.ArgumentParser) -> None:
    """Add the `--in` option: the folder of the instructions."""
    parser.add_argument("--in", dest="told", metavar="DIR", help="the folder of the instructions (default: the one worked in)")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the changes and make them."""
    rows = [_row(session, word) for word in chosen(args)]
    told, secrets = instructions_of(session, args), handling(args)
    return carry_out(session, args, promoting.plan_promote(session, rows, told, args.to or "", secrets=secrets))


def chosen(args: argparse.Namespace) -> Sequence[str]:
    """The FILE:LINE arguments, each once. Raises `BadContent` if there are none, `BadTarget` for one without a line."""
    if not args.facts:
        raise BadContent("FILE:LINE is missing. Nothing was done.", "`zsmem facts` prints them.")
    for word in args.facts:
        if not _FACT.fullmatch(word):
            raise _no_fact(word)
    return list(dict.fromkeys(args.facts))


def instructions_of(session: Session, args: argparse.Namespace) -> Session:
    """The session of the instructions. Raises `BadTarget` if their folder is unknown, or the named one is none."""
    folder = session.folder if args.told is None else args.told
    if not folder:
        raise BadTarget("Name the folder of the instructions with --in. Nothing was done.")
    if args.told and not os.path.isdir(folder):
        raise BadTarget(f"{printable_path(folder)} is not a folder. Nothing was done.")
    return instructions.open_folder(session.config, folder, clock=session.clock)


def at_line(rows: Sequence[FactRow], word: str) -> FactRow:
    """The fact at the line of a FILE:LINE argument. Raises `BadTarget` if there is none."""
    line = word.rpartition(":")[2]
    found = next((row for row in rows if row.fact.line < int(line) <= row.fact.stop), None)
    if found is None:
        raise _no_fact(word)
    return found


def _no_fact(word: str) -> BadTarget:
    return BadTarget(f"There is no fact at {printable_path(word)}. Nothing was done.", "`zsmem facts` prints them as FILE:LINE.")


def _row(session: Session, word: str) -> FactRow:
    found = FactReader(session).read(Scope.FILE, target_ref(session, word.rpartition(":")[0]))
    for problem in found.problems.values():
        raise BadContent(f"{problem}. Nothing was done.")
    return at_line(found.rows, word)
