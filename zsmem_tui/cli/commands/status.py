"""`zsmem status`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import losses
from zsmem_tui.service.losses import dropped
from zsmem_tui.service.session import Session
from zsmem_tui.service.status import describe, status

EXAMPLES = """\
  zsmem status
  zsmem status --cwd ~/code/lantern --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the state of the project's memory."""
    found, lost = status(session), dropped(session)
    if args.json:
        put_json(
            {
                "root": printable_path(session.root),
                "project": session.project,
                "profile": session.profile.value,
                "long_term_bytes": found.long_term_bytes,
                "open_items": found.open_items,
                "today_entries": found.today_entries,
                "dropped": [
                    {"path": printable_path(each.path), "lines": each.lines, "when": each.when // 10**9, "returned": each.returned}
                    for each in lost
                ],
            },
            session,
        )
    else:
        put_line(describe(found, session.layout))
        for each in lost:
            say(losses.describe(each))
            for line in (*each.lines, *each.returned):
                say(f"  {line}")
    return Exit.DONE
