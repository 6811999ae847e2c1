"""The `zsmem list` command."""

from __future__ import annotations

import argparse
import os

from zsmem_tui.cli.output import put_rows
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem list
  zsmem list --project lantern-2cf21588 | xargs -d '\\n' wc -c"""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the paths, one per line."""
    found = [path for each in (session, *session.beside) for path in each.mem().list()]
    if not session.is_default:
        from zsmem_tui.service.prompts import stores_told  # deferred: imports the rules of all agents

        found += [os.path.join(each.root, path) for each, paths in stores_told(session) for path in sorted(paths)]
    nothing = f"There is no memory yet for {session.project} in {printable_path(session.root)}."
    return put_rows(args, "files", found, str, str, nothing, session)
