"""The `zsmem help` command."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put, put_line
from zsmem_tui.service import help
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem help
  zsmem help settings
  zsmem help specification | less"""

_PAGES = {"keys": "Keys", **help.GUIDE}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("topic", choices=list(_PAGES), nargs="?", help="the page; without one, all are listed")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a page, or the list of pages."""
    if args.topic:
        put(help.read(args.topic))
    else:
        for name, title in _PAGES.items():
            put_line(f"{name:<14} {title}")
    return Exit.DONE
