"""`zsmem misses`."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.cli.reporting import carry_out
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import recall
from zsmem_tui.service.recall import Missed
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem misses
  zsmem misses --apply --dry-run
  zsmem misses --json | jq -r '.misses[] | "\\(.alias): \\(.path)"'

A search missed when it found nothing, or nothing that was read, and another one with other words led to a note within ten
minutes. Its words are then an alias of that note: a line `aliases:` below its heading, so that every search finds it.
Searches are noted on this machine alone; `search_log = false` in the settings ends that."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to write them."""
    parser.add_argument("--apply", action="store_true", help="write each alias into its note, as one step")


def run(session: Session, args: argparse.Namespace) -> int:
    """List what was looked for in vain, or write the aliases that mend it."""
    found = recall.misses(session)
    if found.problem:
        say(found.problem)
    if args.apply:
        return carry_out(session, args, recall.mend(session, found.offered))
    if args.json:
        own = {"searches": found.searches, "missed": found.missed, "days": recall.SIGNAL_DAYS}
        put_json(own | {"misses": [_as_json(row) for row in found.rows]}, session)
    else:
        put_line(found.says)
        for row in found.rows:
            put_line(_line(row))
    return Exit.DONE if found.rows else Exit.NOTHING


def _line(row: Missed) -> str:
    times = f", {row.times} times" if row.times > 1 else ""
    why = f" ({row.problem})" if row.problem else ""
    alias, path, who, instead = map(printable_path, (row.alias, row.ref.path, ", ".join(row.clients), row.instead))
    return f"{alias}: {path}, by {who}{times}, found with {instead}{why}"


def _as_json(row: Missed) -> dict[str, Any]:
    return {
        "alias": row.alias,
        "path": printable_path(row.ref.path),
        "project": printable_path(row.ref.project) or None,
        "clients": list(row.clients),
        "times": row.times,
        "instead": row.instead,
        "last": int(row.last),
        "problem": row.problem or None,
    }
