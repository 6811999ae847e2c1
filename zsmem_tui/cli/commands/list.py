"""The `zsmem list` command."""

from __future__ import annotations

import argparse
import os

from zsmem_tui.cli.output import put_rows, say
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem list
  zsmem list --project lantern-2cf21588 | xargs -d '\\n' wc -c"""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the paths, one per line."""
    every = [each.mem() for each in (session, *session.beside)]
    found = [path for mem in every for path in mem.list()]
    for path in sorted(set(found).difference(path for mem in every for path in mem.list(inside=True))):
        say(f"{path} is a link that leaves the store. What it leads to is not read.")
    if not session.is_default:
        from zsmem_tui.service.prompts import stores_told  # deferred: imports the rules of all agents

        found += [os.path.join(each.root, path) for each, paths in stores_told(session) for path in sorted(paths)]
    nothing = f"There is no memory yet for {session.project} in {printable_path(session.root)}."
    return put_rows(args, "files", found, str, str, nothing, session)
