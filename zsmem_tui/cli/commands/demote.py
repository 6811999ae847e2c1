"""The `zsmem demote` command: move promoted facts back into memory."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.commands.promote import at_line, chosen, instructions_of, told_in
from zsmem_tui.cli.reporting import carry_out, handling, secrets_arguments, target_ref
from zsmem_tui.service import instructions, promoting
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem demote AGENTS.md:12 --dry-run
  zsmem demote ARCHITECTURE.md:5 --to note:design"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("facts", metavar="FILE:LINE", nargs="*", help="an instruction file and a line between its markers")
    parser.add_argument("--to", metavar="TARGET", help="long_term or the index (the default), note:NAME, or a path in the store")
    told_in(parser)
    secrets_arguments(parser)


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the changes and make them."""
    told = instructions_of(session, args)
    rows = [at_line(promoting.promoted(told, instructions.ref_of(told, word.rpartition(":")[0])), word) for word in chosen(args)]
    target = Target(target_ref(session, args.to)) if args.to else None
    return carry_out(session, args, promoting.plan_demote(told, rows, session, target, secrets=handling(args)))
