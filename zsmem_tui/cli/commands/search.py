"""The `zsmem search` command."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from zsmem_tui.cli.colour import Paint, Span, found_spans, is_coloured, put_spans
from zsmem_tui.cli.output import Exit, of_store, put, put_json, say
from zsmem_tui.cli.usage import count_from_1
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.excerpts import each_line
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.refs import Role
from zsmem_tui.core.search import MatchedLine, SearchHit, SearchResults, best_line, matched_lines, render_hit, render_results
from zsmem_tui.core.text import counted, lines, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.core.whole_words import occurrences
from zsmem_tui.service.searching import Query, Scope, Sought, search
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem search redis port
  zsmem search --json scheduler | jq -r '.hits[].path'
  zsmem search 検索 --cwd ~/code/lantern
  vim -q <(zsmem search --all --vimgrep scheduler)"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words; a file matches when it holds any of them")
    parser.add_argument("--all", action="store_true", help="in every project, and in scratchpads too, which the agent leaves out")
    parser.add_argument(
        "--all-stores", action="store_true", help="in what every agent remembers of this folder; with --all, of any"
    )
    parser.add_argument("--word", action="store_true", help="only words of their own: port, not report, which the agent finds too")
    parser.add_argument(
        "--limit", metavar="N", type=count_from_1, help="files at most, with --vimgrep lines (default: as the agent, all)"
    )
    parser.add_argument("--vimgrep", action="store_true", help="one matching line a line, as FILE:LINE:COLUMN:TEXT, for editors")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print what the agent's search would return, or more if asked for."""
    if args.json and args.vimgrep:
        raise BadContent("--json and --vimgrep are two ways to print the same. Nothing was done.")
    if any(printable_path(word) != word for word in args.query):
        raise BadContent("the query is not valid UTF-8. Nothing was searched.")
    scope = Scope.ALL if args.all else Scope.AGENT
    if args.all_stores:
        return _all_stores(session, args, scope)
    every = [session, *session.beside]
    if not session.is_default:
        from zsmem_tui.service.prompts import stores_told  # deferred: imports the rules of all agents

        every += (told for told, _ in stores_told(session))
    return _search_in(every, args, scope, session)


def _all_stores(session: Session, args: argparse.Namespace, scope: Scope) -> int:
    """Search all stores on this machine, each by its agent's rules, with one common ranking."""
    from zsmem_tui.service.folders import every_store  # deferred: imports the rules of all agents

    named = session if args.root or args.store else None
    every = every_store(session.config, cwd=args.cwd or "", clock=session.clock, also=named)
    for each in every:
        if problem := each.root_problem():
            say(f"{problem} It was not searched.")
    return _search_in([each for each in every if not each.root_problem()], args, scope)


def _search_in(every: Sequence[Session], args: argparse.Namespace, scope: Scope, only: Session | None = None) -> int:
    """Search stores with one ranking; `only` is the store that they are parts of."""
    results = _search(every, args, scope)
    is_one = only is not None and not every[1:]
    found = _first(args, results) if args.json else ()
    return _put(args, results, [({} if is_one else of_store(every[hit.store])) | _as_json(hit) for hit in found], only)


def _search(every: Sequence[Session], args: argparse.Namespace, scope: Scope) -> SearchResults:
    """Search; if no whole word matches, print in how many files the letters are within other words."""
    query = Query(" ".join(args.query), tuple(map(Sought, every)), scope, whole_words=args.word, once=True)
    results = search(query, near=True)
    for _, why in results.unread:
        say(f"{why.rstrip('.')}. It was not searched.")
    if not args.all and results.ranked and results.missed() and (elsewhere := _said_of_unsearched(query, results)):
        results.near = ()
        say(elsewhere)
    elif results.near:
        from zsmem_tui.core.recall.near_words import sentence  # deferred: imports word lists

        say(sentence(results.near, results.apart(), "this" if args.all else _agent_of(every)))
    if not results.terms:
        say("The query holds no word to search for.")
    elif args.word and not results.ranked and (count := len(search(query._replace(whole_words=False)).ranked)):
        say(f"As a part of words it is in {counted(count, 'file')}: leave out --word.")
    elif not results.ranked and any(os.path.isdir(each.root) for each in every):
        count = 0 if args.all else len(search(query._replace(scope=Scope.ALL)).ranked)
        more = f", as its agent searches here; in every project, with scratchpads, --all finds {counted(count, 'file')}"
        say(f"Found in none of {counted(results.searched, 'file')}{'' if args.all else more}.")
    return results


def _said_of_unsearched(query: Query, results: SearchResults) -> str:
    """A sentence on files that the agent does not search and that have all words, as none has that it does; empty if none has."""
    found = search(query._replace(scope=Scope.PROJECT, unsearched=True)).ranked
    own = [hit for hit in found if len(hit.terms) == len(results.terms)]
    if not own:
        return ""
    from zsmem_tui.core.recall.near_words import none_has_all  # deferred: imports word lists

    is_pad = all(hit.ref.role is Role.CHECKLIST for hit in own)
    where, (have, them) = "the scratchpad" if is_pad else "what it leaves out", ("have", "them") if own[1:] else ("has", "it")
    none = none_has_all((term for term, _ in results.terms), _agent_of([each.session for each in query.stores]))
    return f"{none} {len(own):,} more in {where} {have}: --all shows {them}."


def _agent_of(every: Sequence[Session]) -> str:
    """Who searches these stores."""
    agents = [each.layout.title for each in every if not only_instructions(each.layout)]
    return agents[0] if len(agents) == 1 else "each agent"


def _put(args: argparse.Namespace, results: SearchResults, hits: list[dict[str, Any]], session: Session | None = None) -> int:
    """Print the results in the requested format; return the exit code."""
    if args.json:
        near = [{"term": each.term, "words": [word._asdict() for word in each.words]} for each in results.near]
        put_json({"terms": results.terms, "hits": hits, "near": near}, session)
    elif args.vimgrep:
        for spans in islice(_vimgrep_lines(results), args.limit):
            put_spans(args, spans)
    elif results.ranked:
        shown: list[SearchHit] = []
        blocks = (render_hit(visible_line(hit.path), hit.matched_terms, hit.body) for hit in _noted(_first(args, results), shown))
        text = render_results(results.terms, len(results.ranked), blocks, MAX_INJECT_BYTES)
        put_spans(args, _painted(text, shown)) if is_coloured(args) else put(f"{text}\n")
    return Exit.DONE if results.ranked else Exit.NOTHING


def _noted(hits: Iterable[SearchHit], seen: list[SearchHit]) -> Iterator[SearchHit]:
    """Yield hits on demand, appending each to `seen`."""
    for hit in hits:
        seen.append(hit)
        yield hit


def _painted(text: str, hits: Sequence[SearchHit]) -> Iterator[Span]:
    """The text of the agent's tool with paths and matched words coloured."""
    heads = {render_hit(visible_line(hit.path), hit.matched_terms, "").rstrip("\n"): hit for hit in hits}
    within: SearchHit | None = None
    for line in lines(text):
        if hit := heads.get(line):
            within = hit
            yield line, Paint.PLACE
        else:
            yield from _marked(line, within) if within else [(line, Paint.PLAIN)]
        yield "\n", Paint.PLAIN


def _vimgrep_lines(results: SearchResults) -> Iterator[list[Span]]:
    """Every matching line in the order of the hits; for a hit by file name, the file's first line."""
    for hit in results.ranked:
        place = hit.os_path if "\n" not in hit.os_path else visible_line(hit.path)  # editors cannot read a path with a line break
        matched = matched_lines(hit) or [MatchedLine(0, next(each_line(hit.file.raw), ""), 0)]
        for line in matched:
            where = [(place, Paint.PLACE), (":", ""), (str(line.number + 1), Paint.NUMBER), (f":{_column(hit, line.text)}:", "")]
            yield [*where, *_marked(line.text, hit), ("\n", Paint.PLAIN)]


def _marked(text: str, hit: SearchHit) -> Iterator[Span]:
    return found_spans(text, hit.matched_terms, whole_words=hit.whole_words)


def _column(hit: SearchHit, text: str) -> int:
    """The 1-based byte column of the first match in a line."""
    starts = [start for term in hit.matched_terms for start, _ in occurrences(text, term, whole_words=hit.whole_words)[:1]]
    return len(text[: min(starts, default=0)].encode()) + 1


def _first(args: argparse.Namespace, results: SearchResults) -> Sequence[SearchHit]:
    return results.ranked if args.limit is None else results.ranked[: args.limit]


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
        "lines": [
            {"line": each.number + 1, "column": _column(hit, each.text), "words": each.words, "text": each.text}
            for each in matched_lines(hit)
        ],
        "filename_only": hit.filename_only,
        "date": hit.date,
        "is_memory_md": hit.is_memory_md,
        "body": hit.body,
    }
