"""`zsmem projects`."""

from __future__ import annotations

import argparse
from datetime import datetime

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.projects import project_of
from zsmem_tui.service.session import Session
from zsmem_tui.service.status import projects

EXAMPLES = """\
  zsmem projects
  zsmem projects --json | jq -r '.projects[] | select(.open_items > 0) | .slug'"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a line a project: slug, open items, files, bytes, last change."""
    found = projects(session)
    known = {entry.slug: project_of(session, entry.slug) for entry in found}
    rows = [
        {
            "slug": printable_path(project.slug),
            "path": printable_path(known[project.slug].place),
            "open_items": project.open_items,
            "files": len(project.files),
            "bytes": project.size,
            "modified": _when(project.modified_ns),
        }
        for project in found
    ]
    if args.json:
        put_json({"projects": rows}, session)
    elif rows:
        width = min(max(len(project.label) for project in known.values()), 50)
        for project, row in zip(known.values(), rows, strict=True):
            counts = f"{row['open_items']:>4} open  {row['files']:>5} files  {row['bytes']:>10} bytes"
            put_line(f"{project.label:<{width}}  {counts}  {row['modified'] or 'no files'}")
    for each in found:
        for problem in (each.problem, *(entry.problem for entry in each.files)):
            if problem:
                say(problem)
    if not rows:
        say(f"There is no project in {printable_path(session.root)}.")
    return Exit.DONE if rows else Exit.NOTHING


def _when(modified_ns: int) -> str | None:
    return datetime.fromtimestamp(modified_ns // 10**9).isoformat(" ", "minutes") if modified_ns else None
