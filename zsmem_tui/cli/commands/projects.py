"""`zsmem projects`."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import Any

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.projects.known import KnownProject, known_projects, with_entries
from zsmem_tui.service.projects.naming import name_projects, refresh
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem projects
  zsmem projects --scan
  zsmem projects --json | jq -r '.projects[] | select(.state == "gone") | .slug'"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to look for folders."""
    parser.add_argument("--scan", action="store_true", help="look for every memory's folder first, all over the home folder")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a line a project: name, state of its folder, open items, files, bytes, last change."""
    if args.scan:
        for problem in name_projects(session).problems:
            say(problem)
    known = known_projects(session)
    if not args.scan:
        try:
            refresh(session)
        except WriteFailed as error:
            say(error.message)
    found = with_entries(session, known)
    if args.json:
        put_json({"projects": [_as_json(entry, each) for entry, each in found]}, session)
    elif found:
        width = min(max(len(each.label) for _, each in found), 50)
        for entry, each in found:
            counts = f"{entry.open_items:>4} open  {len(entry.files):>5} files  {entry.size:>10} bytes"
            line = f"{each.label:<{width}}  {each.verdict.state:<7}  {counts}  {_when(entry.modified_ns) or 'no files':<16}"
            put_line(f"{line}  {_where(each)}")
    for problem in known.problems:
        say(problem)
    for entry, _ in found:
        for problem in (entry.problem, *(each.problem for each in entry.files)):
            if problem:
                say(problem)
    if not found:
        say(f"There is no project in {printable_path(session.root)}.")
    return Exit.DONE if found else Exit.NOTHING


def _where(each: KnownProject) -> str:
    """The slug, and what has become of the folder where that is not plain."""
    verdict = each.verdict
    folder = printable_path(verdict.folder)
    to = f" -> {printable_path(verdict.moved_to)}" if verdict.moved_to else ""
    return f"{printable_path(each.slug)}  {folder}{to}".rstrip(" ")


def _as_json(entry: ProjectEntry, each: KnownProject) -> dict[str, Any]:
    verdict = each.verdict
    return {
        "slug": printable_path(entry.slug),
        "path": printable_path(each.place),
        "open_items": entry.open_items,
        "files": len(entry.files),
        "bytes": entry.size,
        "modified": _when(entry.modified_ns),
        "folder": printable_path(verdict.folder) or None,
        "label": each.label,
        "state": verdict.state.value,
        "moved_to": printable_path(verdict.moved_to) or None,
        "family": printable_path(verdict.family) or None,
        "why": verdict.why,
        "candidates": [printable_path(path) for path in verdict.candidates],
    }


def _when(modified_ns: int) -> str | None:
    return datetime.fromtimestamp(modified_ns // 10**9).isoformat(" ", "minutes") if modified_ns else None
