"""`zsmem search`."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.constants import MAX_INJECT_BYTES
from zsmem_tui.core.hit_lines import best_line, matched_lines
from zsmem_tui.core.search import SearchHit
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.searching import Sought, search, search_stores
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem search redis port
  zsmem search --json scheduler | jq -r '.hits[].path'
  zsmem search 検索 --cwd ~/code/lantern"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The words to look for."""
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words; a file matches when it holds any of them")
    parser.add_argument("--all-stores", action="store_true", help="in every agent's memory of this machine; see zsmem stores")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print what the agent would be given for these words."""
    if args.all_stores:
        return _all_stores(session, args)
    results = search(session, " ".join(args.query))
    if args.json:
        put_json({"terms": results.terms, "hits": [_as_json(hit) for hit in results.hits]}, session)
    else:
        put_line(results.render(MAX_INJECT_BYTES))
    return Exit.DONE if results.hits else Exit.NOTHING


def _all_stores(session: Session, args: argparse.Namespace) -> int:
    """Search every store of this machine, each as its agent does; the hits stand in one order."""
    from zsmem_tui.service.known_folders import known_folders  # every agent's rules, which zerostack can do without
    from zsmem_tui.service.stores import group_of, sessions  # the same

    cwd = args.cwd or ""
    every = sessions(session.config, cwd=cwd, folders=[each.folder for each in known_folders(cwd)], clock=session.clock)
    for each in every:
        if problem := each.root_problem():
            say(f"{problem} It was not searched.")
    every = [each for each in every if not each.root_problem()]
    found = search_stores([Sought(each) for each in every], " ".join(args.query))
    results = found.results
    if args.json:
        hits = []
        for hit in results.hits:
            own = every[found.place(hit)]
            hits.append({"store": printable_path(own.store), "group": group_of(own)} | _as_json(hit))
        put_json({"terms": results.terms, "hits": hits})
    else:
        put_line(results.render(MAX_INJECT_BYTES))
    return Exit.DONE if results.hits else Exit.NOTHING


def _as_json(hit: SearchHit) -> dict[str, Any]:
    ref, best = hit.ref, best_line(hit)
    return {
        "path": hit.path,
        "target": ref.target,
        "project": printable_path(ref.project) or None,
        "name": printable_path(ref.name) or None,
        "matched_terms": hit.matched_terms,
        "total_hits": hit.total_hits,
        "line": None if best is None else best + 1,
        "lines": [{"line": each.number + 1, "words": each.words, "text": each.text} for each in matched_lines(hit)],
        "filename_only": hit.filename_only,
        "date": hit.date,
        "is_memory_md": hit.is_memory_md,
        "body": hit.body,
    }
