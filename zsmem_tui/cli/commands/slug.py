"""The `zsmem slug` command."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put_either
from zsmem_tui.service.projects.own import folder_slug
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem slug
  zsmem slug /home/ann/code/lantern"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", nargs="?", help="a folder, as given (default: the current one)")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the slug of a folder, which need not exist."""
    slug = session.project if args.path is None else folder_slug(session, args.path)
    put_either(args, {"slug": slug}, [slug], session)
    return Exit.DONE
