"""The `zsmem edit` command: replace a passage, or delete a note."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.reporting import content_of, name_argument, named_ref, named_target, put_report
from zsmem_tui.core.errors import BadContent, BadTarget, NotExactlyOnce
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem edit scratchpad --old '- [ ] rotate the key' --new '- [x] rotate the key'
  zsmem edit note:deploy --old 'port 6379' --new 'port 6380' --dry-run
  zsmem edit note:obsolete --delete"""

HINT = "What is replaced stands behind --old, what takes its place behind --new: `zsmem edit TARGET --old TEXT --new TEXT`."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="long_term, scratchpad, daily, daily:DATE or note:NAME; or the path of a file in the store",
    )
    parser.add_argument("word", metavar="NAME", nargs="?", help="the note's name or the log's date, as a word of its own")
    name_argument(parser)
    parser.add_argument("--old", metavar="TEXT", help="the passage to replace; it must occur exactly once")
    parser.add_argument("--new", metavar="TEXT", default="", help="what to put there; - for standard input (default: nothing)")
    parser.add_argument("--delete", action="store_true", help="delete the whole note, and the line about it in an index")


def run(session: Session, args: argparse.Namespace) -> int:
    """Edit and print the report."""
    if (args.old is None) != args.delete or args.old == "":
        raise BadContent("edit needs either --old TEXT or --delete. Nothing was changed.", HINT)
    ref = named_ref(session, args.target)
    if args.word is not None and (args.name is not None or ref is not None):
        raise BadContent(f"edit takes no {args.word!r} here: the file is named already. Nothing was changed.")
    args.name = args.name if args.word is None else args.word
    target, name = ("", None) if ref is not None else named_target(session, args.target, args.name)
    if args.delete and target != "note":
        raise BadTarget("--delete deletes a note; other files are emptied with `zsmem clear`. Nothing was changed.")
    new = content_of(args.new) if args.new == "-" else args.new
    try:
        mem = session.mem(dry_run=args.dry_run)
        report = mem.edit(target, name, args.old, new) if ref is None else mem.edit_at(ref, args.old, new)
    except NotExactlyOnce as error:
        raise NotExactlyOnce(f"{error.message.replace('old_str', '--old', 1)}. Nothing was changed.") from error
    return put_report(session, args, report)
