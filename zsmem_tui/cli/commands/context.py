"""The `zsmem context` command: the memory block of the prompt, now or in the past."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.output import Exit, put, put_json, say
from zsmem_tui.cli.usage import day
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.moments import CALLED
from zsmem_tui.core.notice import brief, sentence, sentences
from zsmem_tui.core.preview import Preview, State
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible
from zsmem_tui.service import previewing
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem context
  zsmem context --profile zerostack-1.7 | diff <(zsmem context) -
  zsmem context --explain
  zsmem context --explain --json | jq '.lost_lines[].path'
  zsmem context --at "yesterday 14:00"
  zsmem context --changes --since 3d
  zsmem context --between 3d now"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--explain", action="store_true", help="say what each section takes, and name every line that is lost")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--day", metavar="DATE", type=day, help="as it is on this day, as YYYY-MM-DD (default: today)")
    when.add_argument(
        "--at",
        metavar="WHEN",
        help=f"as it was at a moment: {CALLED}: just after it",
    )
    when.add_argument("--between", metavar=("WHEN", "WHEN"), nargs=2, help="how the block differs between two moments, as a diff")
    when.add_argument("--changes", action="store_true", help="every moment at which the block changed, the newest first, and why")
    parser.add_argument("--since", metavar="WHEN", help="with --changes: none before this moment")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print exactly the block, without an added line break; with `--explain`, its sections."""
    about = previewing.subject(session)._replace(day=args.day or "")
    if args.since is not None and not args.changes:
        raise ConfigError("--since is for --changes. Nothing was shown.")
    if args.explain and (args.between or args.changes):
        raise ConfigError("--explain is for one moment: --between and --changes are about several. Nothing was shown.")
    if args.at is not None or args.between or args.changes:
        from zsmem_tui.cli.commands import context_past  # deferred: imports the history

        if args.changes:
            return context_past.put_changes(session, args, about)
        if args.between:
            return context_past.put_difference(session, args, about)
        about = context_past.subject_at(session, args.at, about)
    if args.group or args.project:
        from zsmem_tui.service.promoting import folder_named  # deferred: imports the rules of all agents

        session.folder = folder_named(session)
    seen = previewing.preview(session, about)
    noticed = previewing.findings(session, about, seen)
    if (args.explain or seen.text is None) and about.at is None:
        seen = previewing.with_instructions(session, seen)
    if args.explain and about.at is None:
        seen = previewing.with_apart(session, about, seen)
    if args.json:
        put_json(_as_json(session, seen, sentences(noticed), explained=args.explain), session)
    elif args.explain:
        put(visible(_explained(session, seen)))
    else:
        put(seen.text or "")
    explained = [f"{sentence(each)} {each.kind.helps}".rstrip(" ") for each in noticed]
    for told in explained if args.explain else brief(noticed, "zsmem doctor"):
        say(told)
    if seen.text is None:
        nothing = "No memory goes into the prompt: there is no memory that agents could read."
        there = "There" if seen.is_of_each else "In the prompt"
        instead = f"{there} are {seen.instructed}." if seen.instructed else "No memory is in the prompt."
        say(f"{instead} {seen.rule}".rstrip() if seen.rule or seen.instructed else nothing)
    return Exit.NOTHING if seen.text is None else Exit.DONE


def _as_json(session: Session, seen: Preview, noticed: list[str], *, explained: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"text": seen.text or "", "bytes": seen.size, "cap": seen.most, "tokens": seen.tokens}
    if explained:
        document["sections"] = [
            {
                "title": visible(use.title),
                "path": printable_path(f"{session.root}/{use.path}"),
                "bytes": use.size,
                "full_bytes": use.full,
                "tokens": use.tokens,
                "lines": use.total,
                "whole_lines": use.lines,
                "state": use.state.value,
            }
            for use in seen.uses
        ]
        document["lost_lines"] = [
            {"path": printable_path(f"{session.root}/{lost.path}"), "line": lost.line + 1, "text": lost.text, "cut": lost.cut}
            for lost in seen.lost
        ]
        document["lost_facts"] = seen.loss().facts
        document["unread"] = [printable_path(f"{session.root}/{each.ref.path}") for each in seen.unread]
    if explained and seen.beside:
        places = [(printable_path(each.path), len(each.text.encode())) for each in seen.beside]
        document["instructions"] = [{"path": place, "bytes": count} for place, count in places]
    return document | {"warnings": noticed}


def _explained(session: Session, seen: Preview) -> str:
    """The sections and the lost lines as a table."""
    rows = [f"{'bytes':>7} {'tokens':>7} {'lines':>9}  section"]
    for use in seen.uses:
        state = "" if use.state is State.WHOLE else f"  ({use.state.says}, {use.full} bytes in all)"
        rows.append(f"{use.size:>7} {use.tokens:>7} {use.lines:>4}/{use.total:<4}  {use.title}{state}")
    unit = "" if seen.unit == "bytes" else f" {seen.unit}"
    cap = "no cap" if seen.most is None else f"cap {seen.most}{unit}"
    counts = min(seen.needed, seen.cap)
    around = f": {counts} count, {seen.size - counts} are wrapper and marks" if session.is_default and seen.size > counts else ""
    rows.append(f"{seen.size:>7} {seen.tokens:>7} {'':>9}  the whole block ({cap}{around})")
    if seen.beside:
        rows += ["", "in the prompt of each agent that reads it:" if seen.is_of_each else "in the prompt, too:"]
    rows += [f"{len(each.text.encode()):>7} {'':>17}  {printable_path(each.path)}" for each in seen.beside]
    if seen.lost or seen.unread:
        rows += ["", f"{seen.loss()}:"]
    for lost in seen.lost:
        cut = " cut" if lost.cut else ""
        rows.append(f"{printable_path(lost.path)}:{lost.line + 1}:{cut} {lost.text}")
    rows += [f"{printable_path(each.ref.path)}: {previewing.UNREAD}" for each in seen.unread]
    return "\n".join(rows) + "\n"
