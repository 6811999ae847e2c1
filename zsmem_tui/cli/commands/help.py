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

PAGES = {"keys": "Keys", **help.GUIDE}
"""The topics with their titles. Any other verb's name is answered like `--help` after the verb."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("topic", choices=list(PAGES), nargs="?", help="the page, or a verb; without one, all pages are listed")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a page, or the list of pages."""
    if args.topic:
        put(help.read(args.topic))
    else:
        for name, title in PAGES.items():
            put_line(f"{name:<14} {title}")
    return Exit.DONE
