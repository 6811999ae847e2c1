"""`zsmem clear`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.reporting import put_report
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem clear scratchpad --dry-run
  zsmem clear daily"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file."""
    parser.add_argument("target", choices=["scratchpad", "daily"], help="the scratchpad, or today's log")


def run(session: Session, args: argparse.Namespace) -> int:
    """Make the file empty, as `/memory clear` does."""
    return put_report(session.mem(dry_run=args.dry_run).write(args.target, "", "overwrite"), as_json=args.json)
