"""`zsmem export`."""

from __future__ import annotations

import argparse
import io
import sys

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import bundles, exporting, formats
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem export bundle memory.tar.gz
  zsmem export bundle lantern.tar.gz --projects lantern-2cf21588
  zsmem export bundle - | ssh other zsmem import bundle -
  zsmem export markdown ~/notes/lantern
  zsmem export claude-code --dry-run"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which format, to where."""
    parser.add_argument("format", metavar="FORMAT", help=", ".join(formats.names()))
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default="", help="the folder, or the bundle's file; - for standard output"
    )
    parser.add_argument(
        "--projects", metavar="SLUG,SLUG", default="", help="bundle: only these projects (default: the whole store)"
    )


def run(session: Session, args: argparse.Namespace) -> int:
    """Write it."""
    if args.format == formats.BUNDLE:
        return _bundle(session, args)
    done = exporting.export(session, formats.of_agent(args.format), args.path, dry_run=args.dry_run)
    if args.json:
        files = [{"path": printable_path(path), "bytes": size} for path, size in done.written]
        said = {"left": list(done.left), "losses": done.losses, "dry_run": args.dry_run}
        put_json({"format": args.format, "written": files} | said, session)
    else:
        for path, size in done.written:
            put_line(f"{size:>8}  {printable_path(path)}")
    say(f"{done.message} {done.losses}")
    for problem in done.left:
        say(f"Left out: {problem}")
    return Exit.DONE if done.written else Exit.NOTHING


def _bundle(session: Session, args: argparse.Namespace) -> int:
    if not args.path:
        raise BadContent("export bundle needs a file, or - for standard output. Nothing was written.")
    projects = [slug for slug in args.projects.split(",") if slug] or None
    if args.dry_run:
        count = bundles.export(session, io.BytesIO(), projects)
        say(f"Would write {count} files. This was a dry run: nothing was written.")
        return Exit.DONE
    if args.path == "-":
        if sys.stdout.isatty():
            raise BadContent("a bundle is not for a terminal: name a file, or pipe it. Nothing was written.")
        bundles.export(session, sys.stdout.buffer, projects)
        return Exit.DONE
    say(bundles.export_to(session, args.path, projects).message)
    return Exit.DONE
