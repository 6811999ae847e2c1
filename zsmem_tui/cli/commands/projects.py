"""The `zsmem projects` command: list, move, merge, archive and label projects."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zsmem_tui.cli.output import Exit, put_done, put_json, put_line, say, tell
from zsmem_tui.cli.reporting import check_meant, line_of, meanings, unknown_action
from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.errors import BadContent, WriteFailed
from zsmem_tui.core.moments import to_the_minute
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import plural, printable_path
from zsmem_tui.service import applying, which_store
from zsmem_tui.service.plan import Applied, Plan
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.known import KnownProject, group_called, known_projects, with_entries
from zsmem_tui.service.projects.naming import name_projects, refresh
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem projects --scan
  zsmem projects follow --dry-run
  zsmem projects move foo-1a2b3c4d --to ~/git/bar
  zsmem projects merge foo-1a2b3c4d foo-fix-5e6f7a8b --into ~/git/foo
  zsmem projects --json | jq -r '.projects[] | select(.state == "gone") | .slug'"""

ACTIONS = {
    "list": "every project, and what has become of its folder",
    "move": "SLUG --to FOLDER or SLUG",
    "merge": "SLUG... --into FOLDER or SLUG",
    "follow": "move what belongs to folders that have moved, for sure",
    "archive": "SLUG: a bundle in the state folder, and no more in the store",
    "label": "SLUG TEXT: a name for it; without TEXT, none",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("words", metavar="ACTION [SLUG]", nargs="*", help=meanings(ACTIONS))
    parser.add_argument("--scan", action="store_true", help="look for every project's folder first, all over the home folder")
    parser.add_argument("--to", metavar="PLACE", help="move: the folder or slug whose memory it becomes")
    parser.add_argument("--into", metavar="PLACE", help="merge: the folder or slug whose memory they become")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action."""
    action, *words = args.words or ["list"]
    if action not in ACTIONS:
        raise unknown_action("projects", action, ACTIONS)
    _check(action, words, args)
    session.dry_run = args.dry_run
    slugs = words[:1] if action == "label" else words
    words = [*(group_called(session, each) for each in slugs), *words[len(slugs) :]]
    if args.scan:
        for problem in name_projects(session).problems:
            say(problem)
    match action:
        case "list":
            return _list(session, args)
        case "move":
            return _moved(session, moving.move(session, words[0], args.to), args)
        case "merge":
            return _moved(session, moving.merge(session, words, args.into), args)
        case "follow":
            return _moved(session, moving.follow(session, beside=_other_stores(session, args)), args)
        case "archive":
            return _put(session, _apply(moving.archive(session, words[0]), args), args)
        case _:
            return _put(session, moving.label(session, words[0], " ".join(words[1:])), args)


def _check(action: str, words: Sequence[str], args: argparse.Namespace) -> None:
    """Check the number of words and the options; raise `BadContent` if they do not fit the action."""
    least, most = {"list": (0, 0), "move": (1, 1), "merge": (1, 10_000), "follow": (0, 0), "archive": (1, 1)}.get(
        action, (1, 10_000)
    )
    if not least <= len(words) <= most:
        raise BadContent(f"projects {action} takes {ACTIONS[action].partition(':')[0] if most else 'no SLUG'}. Nothing was done.")
    only = {"to": ["move"], "into": ["merge"]}
    check_meant("projects", action, args, only)
    for option, owners in only.items():
        if action in owners and not getattr(args, option):
            raise BadContent(f"projects {action} needs --{option}. Nothing was done.")


def _list(session: Session, args: argparse.Namespace) -> int:
    """Print a line per project: name, state of its folder, open items, files, bytes, last change."""
    problems: tuple[str, ...] = ()
    if not args.scan and not args.dry_run:
        try:
            problems = refresh(session)
        except WriteFailed as error:
            say(error.message)
    known = known_projects(session)
    found = with_entries(session, known)
    if args.json:
        put_json({"projects": [_as_json(entry, each) for entry, each in found]}, session)
    elif found:
        width = min(max(len(each.label) for _, each in found), 50)
        for entry, each in found:
            counts = (
                f"{entry.open_items:>4} open  {len(entry.files):>5} {plural('file', len(entry.files)):<5}  {entry.size:>10} bytes"
            )
            when = to_the_minute(entry.modified_ns) if entry.modified_ns else "no files"
            line = f"{each.label:<{width}}  {each.verdict.state if each.of_folder else '-':<7}  {counts}  {when:<16}"
            put_line(f"{line}  {_where(each)}")
    for problem in dict.fromkeys((*problems, *known.problems)):
        say(problem)
    for sentence in moving.also_of(session, known.projects, _other_stores(session, args)) if not args.dry_run else ():
        say(sentence)
    for entry, _ in found:
        for problem in (entry.problem, *(each.problem for each in entry.files)):
            if problem:
                say(problem)
    if not found:
        say(f"There is no project in {printable_path(session.root)}.")
    return Exit.DONE if found else Exit.NOTHING


def _moved(session: Session, plan: Plan, args: argparse.Namespace) -> int:
    """Apply a plan, and print each file with its new place."""
    done = _apply(plan, args)
    tell(args, done.message)
    rows = []
    for row in plan.rows:
        store = row.store or session
        words = {"path": printable_path(row.source), "to": printable_path(row.ref.path), "fate": row.fate.value}
        rows.append({**words, "store": f"{store.layout.kind}:{printable_path(store.root)}"})
        if not args.json:
            whole = row if store is session else row._replace(source=store.path(row.file))
            put_line(line_of(whole, row.ref.path if store is session else row.place))
    return _put(session, done, args, {"files": rows, "stays": [printable_path(path) for path in done.stays]})


def _other_stores(session: Session, args: argparse.Namespace) -> list[Session]:
    """The other agents' stores, whose memory of the same folders moves along; empty if a store was named."""
    return [] if args.store or args.root else which_store.elsewhere(session, args.cwd or "")


def _apply(plan: Plan, args: argparse.Namespace) -> Applied:
    """Apply a plan; with `--dry-run`, only describe it."""
    done = applying.apply(plan)
    if not args.dry_run:
        return done
    return replace(done, message=" ".join([plan.unchanged, *plan.notes]), changed=int(plan.follow is not None))


def _put(session: Session, done: VerbResult, args: argparse.Namespace, more: dict[str, Any] | None = None) -> int:
    message = done.message
    warnings = [message] if done.warning else []
    put_done(args, message, session, path=printable_path(session.root), written=done.changed, warnings=warnings, **(more or {}))
    return Exit.CONFLICT if done.warning else Exit.DONE if done.changed else Exit.NOTHING


def _where(each: KnownProject) -> str:
    """The slug, and the state of the folder unless it is normal."""
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
        "modified": to_the_minute(entry.modified_ns) if entry.modified_ns else None,
        "folder": printable_path(verdict.folder) or None,
        "label": each.label,
        "state": verdict.state.value,
        "moved_to": printable_path(verdict.moved_to) or None,
        "family": printable_path(verdict.family) or None,
        "why": verdict.why,
        "candidates": [printable_path(path) for path in verdict.candidates],
    }
