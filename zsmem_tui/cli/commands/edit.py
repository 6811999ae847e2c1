"""`zsmem edit`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.reporting import content_of, named_ref, put_report, target_of
from zsmem_tui.core.errors import BadContent, BadTarget, NotExactlyOnce
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem edit scratchpad --old '- [ ] rotate the key' --new '- [x] rotate the key'
  zsmem edit note:deploy --old 'port 6379' --new 'port 6380' --dry-run
  zsmem edit note:obsolete --delete"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where, and what becomes of what."""
    parser.add_argument(
        "target", metavar="TARGET", help="long_term, scratchpad, daily, daily:DATE or note:NAME; with --store also a path in it"
    )
    parser.add_argument("--old", metavar="TEXT", help="the passage to replace; it must occur exactly once")
    parser.add_argument("--new", metavar="TEXT", default="", help="what to put there; - for standard input (default: nothing)")
    parser.add_argument("--delete", action="store_true", help="delete the whole note")


def run(session: Session, args: argparse.Namespace) -> int:
    """Edit, and say what was done."""
    if (args.old is None) != args.delete or args.old == "":
        raise BadContent("edit needs either --old TEXT or --delete. Nothing was changed.")
    ref = named_ref(session, args.target)
    target, name = ("", None) if ref is not None else target_of(args.target, dated=True)
    if args.delete and target != "note":
        raise BadTarget("--delete deletes a note; other files are emptied with `zsmem clear`. Nothing was changed.")
    new = content_of(args.new) if args.new == "-" else args.new
    try:
        mem = session.mem(dry_run=args.dry_run)
        report = mem.edit(target, name, args.old, new) if ref is None else mem.edit_at(ref, args.old, new)
    except NotExactlyOnce as error:
        raise NotExactlyOnce(f"{error.message.replace('old_str', '--old', 1)}. Nothing was changed.") from error
    return put_report(report, as_json=args.json, dry_run=args.dry_run, session=session)
