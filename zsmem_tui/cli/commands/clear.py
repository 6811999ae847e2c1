"""The `zsmem clear` command: empty the scratchpad or today's log."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, say
from zsmem_tui.cli.reporting import put_report
from zsmem_tui.core.text import counted, lines, printable_path, trim
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem clear scratchpad --dry-run
  zsmem clear daily"""

HINT = "A note is emptied by `zsmem write note:NAME '' --mode overwrite`, and deleted by `zsmem edit note:NAME --delete`."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("target", choices=["scratchpad", "daily"], help="the scratchpad, or today's log")


def run(session: Session, args: argparse.Namespace) -> int:
    """Empty the file, like `/memory clear`; a missing or empty one is left as it is."""
    mem = session.mem(dry_run=args.dry_run)
    file = open_file(session, mem.source_ref(args.target))
    if file.missing or (file.fingerprint and not file.raw):
        say(f"{printable_path(file.path)} {'does not exist' if file.missing else 'is empty'}: there is nothing to clear.")
        return Exit.NOTHING
    if args.dry_run:
        say(f"It would take out {counted(sum(bool(trim(line)) for line in lines(file.text)), 'line')}.")
    return put_report(session, args, mem.write(args.target, "", "overwrite"))
