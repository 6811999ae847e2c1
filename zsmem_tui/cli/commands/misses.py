"""The `zsmem misses` command: searches that found nothing, and aliases to fix them."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.output import Exit, of_store, put_json, put_line, say
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
What agents searched through `zsmem mcp`, which is zerostack's memory, is listed too. Searches are noted on this machine alone;
`search_log = false` in the settings ends that."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--apply", action="store_true", help="write each alias into its note, as one step")


def run(session: Session, args: argparse.Namespace) -> int:
    """List searches that found nothing, or write aliases for them."""
    is_named = args.store or args.root or args.group or args.project
    found = {each: recall.misses(each) for each in (session, *(() if is_named else recall.searched_beside(session)))}
    for problem in filter(None, (each.problem for each in found.values())):
        say(problem)
    if args.apply:
        return carry_out(session, args, recall.mend([(each, row) for each, misses in found.items() for row in misses.offered]))
    if args.json:
        searches, missed = (sum(each) for each in zip(*((each.searches, each.missed) for each in found.values()), strict=True))
        rows = [of_store(each) | _as_json(row) for each, misses in found.items() for row in misses.rows]
        put_json({"searches": searches, "missed": missed, "days": recall.SIGNAL_DAYS, "misses": rows}, session)
    else:
        for each, misses in found.items():
            put_line(f"{each.layout.title}: {misses.says}" if len(found) > 1 else misses.says)
            for row in misses.rows:
                put_line(_line(row))
    return Exit.DONE if any(each.rows for each in found.values()) else Exit.NOTHING


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
