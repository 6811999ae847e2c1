"""`zsmem list`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem list
  zsmem list --project lantern-2cf21588 | xargs -d '\\n' wc -c"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the paths, one a line."""
    found = [path for each in (session, *session.beside) for path in each.mem().list()]
    if args.json:
        put_json({"files": found}, session)
    elif found:
        put_line("\n".join(found))
    if found:
        return Exit.DONE
    say(f"There is no memory yet for {session.project} in {printable_path(session.root)}.")
    return Exit.NOTHING
