"""`zsmem read`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put, put_json
from zsmem_tui.cli.reporting import named_ref, target_of
from zsmem_tui.core.constants import MAX_INJECT_BYTES, TRUNCATED_MARK
from zsmem_tui.core.errors import BadContent, Undecodable, Unreadable
from zsmem_tui.core.text import printable_path, truncate
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem read long_term
  zsmem read daily:2026-05-24
  zsmem read note:deploy --all
  zsmem read list"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file, and how much of it."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="long_term, scratchpad, daily, daily:DATE, note:NAME or list; with --store also a path in it",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the note's name or the log's date, as a word of its own")
    parser.add_argument("--all", action="store_true", help=f"the whole file, not only its first {MAX_INJECT_BYTES} bytes")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the text as it is, cut where the agent's view ends unless all of it is asked for."""
    mem = session.mem()
    ref = named_ref(session, args.source)
    source, name = ("list", None) if ref is not None else target_of(args.source, dated=True)
    if name is not None and args.name is not None:
        raise BadContent(f"{source} is named twice, as {name!r} and as {args.name!r}. Nothing was printed.")
    name = args.name if name is None else name
    if name is not None and source not in ("daily", "note"):
        raise BadContent(f"{source} takes no name. Nothing was printed.")
    if source == "list" and ref is None:
        text, path = "\n".join(mem.list()), session.root
    else:
        file = open_file(session, ref or mem.source_ref(source, name))
        text, path = file.text, file.path
        if file.missing:
            say(f"{printable_path(path)} does not exist.")
            return Exit.NOTHING
        if file.undecodable:
            raise Undecodable(path, f"{printable_path(path)} is not valid UTF-8. Nothing was printed.")
        if file.problem:
            raise Unreadable(path, f"{file.problem}. Nothing was printed.")
    shown = text if args.all or (source == "list" and ref is None) else truncate(text, MAX_INJECT_BYTES, TRUNCATED_MARK)
    if args.json:
        put_json({"path": printable_path(path), "text": shown, "truncated": shown != text}, session)
    else:
        put(shown)
    if not text:
        say(f"{printable_path(path)} is empty.")
    return Exit.DONE if text else Exit.NOTHING
