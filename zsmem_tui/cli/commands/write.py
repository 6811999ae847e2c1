"""`zsmem write`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.reporting import content_of, named_ref, put_report, target_of
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem write long_term '- prefers tabs over spaces'
  zsmem write scratchpad '- [ ] rotate the deploy key'
  git diff --stat | zsmem write daily -
  zsmem write note:deploy --mode overwrite < deploy.md
  zsmem write long_term '- a fact' --dry-run"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, what, and how."""
    parser.add_argument(
        "target", metavar="TARGET", help="long_term, scratchpad, daily or note:NAME; with --store also a path in it"
    )
    parser.add_argument("content", metavar="CONTENT", nargs="?", help="the text; standard input when it is missing or -")
    parser.add_argument("--mode", choices=["append", "overwrite"], default="append", help="add at the end (default), or replace")


def run(session: Session, args: argparse.Namespace) -> int:
    """Write, and say what was written."""
    ref = named_ref(session, args.target)
    if ref is not None:
        done = session.mem(dry_run=args.dry_run).write_at(ref, content_of(args.content), args.mode)
        return put_report(done, as_json=args.json, dry_run=args.dry_run, session=session)
    target, name = target_of(args.target)
    content = content_of(args.content)
    return put_report(
        session.mem(dry_run=args.dry_run).write(target, content, args.mode, name),
        as_json=args.json,
        dry_run=args.dry_run,
        session=session,
    )
