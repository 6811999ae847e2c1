"""`zsmem slug`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.exit_codes import Exit
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.service.projects.own import folder_slug
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem slug
  zsmem slug /home/ann/code/lantern"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which folder."""
    parser.add_argument("path", metavar="PATH", nargs="?", help="a folder, as given (default: the current one)")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the slug; the folder need not exist."""
    slug = session.project if args.path is None else folder_slug(session, args.path)
    if args.json:
        put_json({"slug": slug}, session)
    else:
        put_line(slug)
    return Exit.DONE
