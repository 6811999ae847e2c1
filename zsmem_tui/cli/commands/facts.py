"""The `zsmem facts` command: list facts with their state in the prompt."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from zsmem_tui.cli.output import Exit, put_either, say
from zsmem_tui.cli.reporting import target_ref
from zsmem_tui.core.checks.secret import masked_each
from zsmem_tui.core.errors import BadContent, HistoryError, Unreadable
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import history, prompts, wanted
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem facts MEMORY.md
  zsmem facts --lost
  zsmem facts --all --twice --json | jq -r '.facts[] | "\\(.path):\\(.line)"'

\u2713 loaded into the prompt, \u2702 cut there, \u2717 lost: no room, or no agent reads its file, \u25cc not loaded by design."""

SIGNS = {Prompt.WHOLE: "\u2713", Prompt.CUT: "\u2702", Prompt.LOST: "\u2717", Prompt.NEVER: "\u25cc"}
"""The sign for each state in the prompt: loaded, cut, lost, not loaded by design."""

_ASKED = {"lost": "is lost", "new": "is new", "twice": "stands twice"}
"""What each option asks of a fact."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="long_term, scratchpad, daily:DATE, note:NAME, or a path in the store"
    )
    parser.add_argument(
        "--all", action="store_true", help="of all projects, not only of this one, the shared files and its instructions"
    )
    parser.add_argument("--lost", action="store_true", help="only those that are cut from the prompt or lost")
    parser.add_argument("--new", action="store_true", help="only those that others wrote since the last review")
    parser.add_argument("--twice", action="store_true", help="only those whose words stand elsewhere, too")


def run(session: Session, args: argparse.Namespace) -> int:
    """List the facts."""
    if args.file is not None and args.all:
        raise BadContent("--all is for the whole store: it takes no file. Nothing was done.")
    memory = (session, *session.beside)
    own = [(each, "", _rows(each, args)) for each in memory]
    for each, paths in () if args.file is not None else prompts.stores_told(session):
        own.append((each, f"{each.root}/", [row for row in _rows(each, args) if row.ref.path in paths]))
    document = {"facts": [row for each, folder, rows in own for row in _as_json(each, folder, rows)]} if args.json else {}
    put_either(args, document, (line for _, folder, rows in own for line in _lines(folder, rows)), session)
    if any(rows for _, _, rows in own):
        return Exit.DONE
    asked = " and ".join(says for option, says in _ASKED.items() if getattr(args, option))
    of = f" of {printable_path(args.file)}" if args.file else ""
    if args.file or args.all or any(each.mem().list() for each in memory):
        say(f"No fact{of} {asked}." if asked else f"There is no fact{of}.")
    else:
        say(f"There is no memory yet for {session.project} in {printable_path(session.root)}.")
    return Exit.NOTHING


def _rows(session: Session, args: argparse.Namespace) -> list[FactRow]:
    """The facts of a store that match the options."""
    reader = FactReader(session)
    if args.file is not None:
        found = reader.read(Scope.FILE, target_ref(session, args.file))
    else:
        found = reader.read(Scope.ALL if args.all else Scope.PROJECT)
    for problem in found.problems.values():
        if args.file:
            raise Unreadable(session.root, f"{problem}. No fact was listed.")
        say(f"{problem}. Its facts are left out.")
    asked = (row for row in found.rows if row.prompt in (Prompt.CUT, Prompt.LOST) or not args.lost)
    rows = [row for row in asked if row.twice or not args.twice]
    if args.new or args.json:
        rows = _with_history(session, rows, needed=args.new)
        rows = [row for row in rows if row.is_new or not args.new]
    return rows


def _with_history(session: Session, rows: list[FactRow], *, needed: bool) -> list[FactRow]:
    try:
        history.look_at_all(session)
        return list(Provenance(session).fill(rows))
    except HistoryError as error:
        if needed:
            raise
        say(f"{error.message} Ages and authors are left out.")
        return rows


def _lines(folder: str, rows: Sequence[FactRow]) -> Iterator[str]:
    """A line for each fact, with credentials masked, as the Facts screen has them."""
    for row, says in zip(rows, masked_each([row.fact.says for row in rows]), strict=True):
        more = f"  (+{counted(row.fact.lines - 1, 'line')})" if row.fact.lines > 1 else ""
        yield f"{SIGNS[row.prompt]} {printable_path(folder + row.ref.path)}:{row.fact.line + 1}: {says}{more}"


def _as_json(session: Session, folder: str, rows: Sequence[FactRow]) -> list[dict[str, Any]]:
    texts = masked_each([row.fact.text for row in rows])
    return [
        {
            "path": printable_path(folder + row.ref.path),
            "project": printable_path(row.ref.project),
            "line": row.fact.line + 1,
            "lines": row.fact.lines,
            "kind": row.fact.kind.value,
            "headings": list(row.fact.headings),
            "text": text,
            "prompt": row.prompt.value,
            "reason": row.reason or None,
            "bytes": row.size,
            "tokens": row.tokens,
            "twice": row.twice,
            "wanted": is_wanted,
            "new": row.is_new,
            "since": row.since // 10**9 or None,
            "author": row.author or None,
        }
        for row, text, is_wanted in zip(rows, texts, wanted.is_wanted(session, rows), strict=True)
    ]
