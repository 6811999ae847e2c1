"""The `zsmem read` command."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put, put_json, say
from zsmem_tui.cli.reporting import name_argument, named_ref, named_target
from zsmem_tui.cli.usage import day
from zsmem_tui.core.errors import BadContent, Undecodable, Unreadable
from zsmem_tui.core.limits import MAX_INJECT_BYTES, TRUNCATED_MARK
from zsmem_tui.core.text import printable_path, truncate
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem read long_term
  zsmem read daily:2026-05-24
  zsmem read note:deploy --all
  zsmem read list"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="long_term, scratchpad, daily, daily:DATE, note:NAME or list; or the path of a file in the store",
    )
    parser.add_argument("word", metavar="NAME", nargs="?", help="the note's name or the log's date, as a word of its own")
    name_argument(parser)
    parser.add_argument("--all", action="store_true", help=f"the whole file, not only its first {MAX_INJECT_BYTES} bytes")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a file, cut at the agent's limit unless `--all` is given."""
    ref = named_ref(session, args.source)
    if args.word is not None and (args.name is not None or ref is not None):
        raise BadContent(f"read takes no {args.word!r} here: the file is named already. Nothing was done.")
    args.name = args.name if args.word is None else args.word
    source, name = ("list", None) if ref is not None else named_target(session, args.source, args.name, what="source")
    if source == "list" and ref is None:
        text, path = "\n".join(path for each in (session, *session.beside) for path in each.mem().list()), session.root
    else:
        file = open_file(session, ref or session.mem().source_ref(source, name))
        text, path = file.text, file.path
        if file.missing:
            say(_missing(path, (name or "") if source == "daily" else ""))
            return Exit.NOTHING
        if file.undecodable:
            raise Undecodable(path, f"{printable_path(path)} is not valid UTF-8. Nothing was printed.")
        if file.problem:
            raise Unreadable(path, f"{file.problem}. Nothing was printed.")
        if file.outside:
            say(f"{printable_path(path)} is a link that leaves the store, to {file.outside}.")
    shown = text if args.all or (source == "list" and ref is None) else truncate(text, MAX_INJECT_BYTES, TRUNCATED_MARK)
    if args.json:
        put_json({"path": printable_path(path), "text": shown, "truncated": shown != text}, session)
    else:
        put(shown)
    if not text:
        say(f"{printable_path(path)} is empty.")
    return Exit.DONE if text else Exit.NOTHING


def _missing(path: str, date: str) -> str:
    """Say that a file does not exist; of the log of a `date`, first of all if there is no such day."""
    try:
        return f"{printable_path(path)} does not exist." if not date or day(date) else ""
    except argparse.ArgumentTypeError as error:
        return f"{error}, and there is no log of that name."
