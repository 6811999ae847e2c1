"""The `zsmem export` command: export to another agent's format, Markdown or a bundle."""

from __future__ import annotations

import argparse
import io
import sys
from collections import Counter
from collections.abc import Sequence

from zsmem_tui.cli.output import WAS_DRY, Exit, put_json, put_line, say, tell
from zsmem_tui.cli.reporting import OF_EXPORTS, check_meant, globs_argument, handling, put_rows_of, secrets_arguments
from zsmem_tui.core.errors import BadContent, OutputFailed
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, bundles, export_targets, exporting, formats, taking_out
from zsmem_tui.service.outgoing_secrets import shown
from zsmem_tui.service.plan import Fate, Handling, Plan
from zsmem_tui.service.projects.known import group_called
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem export bundle memory.tar.gz
  zsmem export bundle lantern.tar.gz --projects lantern-2cf21588
  zsmem export bundle - | ssh other zsmem import bundle -
  zsmem export markdown ~/notes/lantern
  zsmem export claude-code --dry-run
  zsmem export claude-code --also '*/daily/*'
  zsmem export opencode --in-prompt '*/notes/deploy.md'
  zsmem export ethos --group engineer
  zsmem export markdown ~/notes/lantern --mask
  zsmem export oh-my-pi --remove"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("format", metavar="FORMAT", help=", ".join(formats.names()))
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        default="",
        help="the folder that all goes into (default: where the agent reads it), or the bundle's file; - for standard output",
    )
    parser.add_argument(
        "--projects", metavar="SLUG,SLUG", action="append", help="bundle: only these projects (default: the whole store)"
    )
    globs_argument(parser, "--also", "take files that match although such files stay by default: logs")
    globs_argument(parser, "--in-prompt", "notes that match go where the agent has them on every turn, such as blocks")
    parser.add_argument(
        "--remove", action="store_true", help="take out again what was exported there and still stands as it was written"
    )
    secrets_arguments(parser)


def run(session: Session, args: argparse.Namespace) -> int:
    """Export, or with `--remove`, take a former export back."""
    is_bundle = args.format == formats.BUNDLE
    check_meant("export", args.format, args, {"also": (), "in_prompt": ()} if is_bundle else {"projects": [formats.BUNDLE]})
    if args.format == formats.BUNDLE and args.remove:
        raise BadContent("a bundle is a file of its own: delete it. Nothing was done.")
    if args.format == formats.BUNDLE:
        return _bundle(session, args)
    if args.path == "-":
        raise BadContent("only a bundle goes to standard output: name a folder, ./- for one called so. Nothing was exported.")
    group, user = ("", "") if args.store else (args.group or "", args.user or "")
    format = formats.of_agent(args.format, also=[formats.BUNDLE])
    if args.remove:
        wanted = taking_out.plan(session, format, args.path, group=group, user=user)
    else:
        more = {"also": args.also, "in_prompt": args.in_prompt}
        wanted = exporting.plan(session, format, args.path, group=group, user=user, secrets=handling(args), **more)
    return carry_out(session, args, wanted)


def carry_out(session: Session, args: argparse.Namespace, plan: Plan) -> int:
    """Apply a plan unless `--dry-run`; print what happens to each item; return the exit code."""
    written = plan.changes
    said = applying.apply(plan).message if not args.dry_run else plan.done if written else plan.unchanged
    tell(args, said)
    is_plain = plan.gate.handling is Handling.ALLOW
    about: dict[str, object] = {
        "left": list(plan.left),
        "losses": plan.losses,
        "grows": next(iter(plan.grows.values()), None),
    }
    files = [{"path": printable_path(each.place), "bytes": len(each.after or b"")} for each in (*written, *plan.beside)]
    lines = [_left(each, plain=is_plain) for each in plan.left_lines] if args.json else []
    about |= {"written": files, "left_lines": lines}
    counts = Counter(row.reason for row in plan.rows if not args.json)
    shared = [why for why in plan.problems if counts[why] > 1]  # it is said once
    for why in shared:
        put_line(visible_line(f"{Fate.SKIPPED.value:<9}  {counted(counts[why], 'item')}: {why}"))
    left = plan.left_lines if not args.json and (written or not shared) else ()
    rows = [row for row in plan.rows if row.reason not in shared]
    put_rows_of(session, args, plan.format, rows, OF_EXPORTS, plain=is_plain, **about)
    for each in left if args.dry_run else ():
        what = "loses <>" if each.loses_signs else "changed" if each.is_changed else "left out"
        put_line(f"{what:<9}  {printable_path(each.source)}:{each.number}: {visible_line(shown(each.text))}")
    if shared and not written:
        said = f"{plan.nothing} {export_targets.other_place(session, plan.format)}".rstrip()
    said = f"Would write{said.removeprefix('Wrote')}" if args.dry_run and said.startswith("Wrote") else said
    say(f"{said} {plan.losses if written else ''}".rstrip())
    if args.dry_run:
        say(WAS_DRY)
    if any(plan.grows.values()) and written:
        say(f"Its prompt {'would change' if args.dry_run else 'changes'} by {plan.growth} on every turn.")
    for problem in plan.left:
        say(f"Left out: {problem}")
    listed = "--dry-run lists these lines." if left and not args.dry_run else ""
    for sentence in filter(None, (*(plan.notes if args.dry_run else ()), plan.gate.said, f"{plan.rest} {listed}".strip())):
        say(sentence)
    if plan.gate.stops:
        return Exit.REFUSED
    return Exit.DONE if written and plan.is_whole else Exit.NOTHING


def _left(each: LeftLine, *, plain: bool) -> dict[str, object]:
    """A line that is not exported, as JSON."""
    text = each.text.encode("utf-8", "replace").decode()
    return {
        "source": printable_path(each.source),
        "line": each.number,
        "text": text if plain else shown(text),
        "words_go": each.is_changed,
        "loses_signs": each.loses_signs,
    }


def _bundle(session: Session, args: argparse.Namespace) -> int:
    if not args.path:
        raise BadContent("export bundle needs a file, or - for standard output. Nothing was written.")
    slugs = [] if args.projects is None else ",".join(args.projects).split(",")
    if "" in slugs:
        raise BadContent("--projects has an empty name. Nothing was exported.")
    projects = [group_called(session, slug) for slug in slugs] or None
    left = bundles.left_out(session, projects)
    done = Exit.NOTHING if left else Exit.DONE
    if args.dry_run:
        count = bundles.export(session, io.BytesIO(), projects, secrets=handling(args), told=say)
        _put_bundle(session, args, left)
        said = f"Would write {counted(count, 'file')}. This was a dry run: nothing was written."
        say(f"{said} {bundles.left_said(left)}".rstrip(" "))
        return done
    if args.path == "-":
        if sys.stdout is None:
            raise OutputFailed("There is no standard output to write the bundle to. Nothing was written.")
        if sys.stdout.isatty():
            raise BadContent("a bundle is not for a terminal: name a file, or pipe it. Nothing was written.")
        bundles.export(session, sys.stdout.buffer, projects, secrets=handling(args), told=say)
        if left:
            say(bundles.left_said(left))
        return done
    result = bundles.export_to(session, args.path, projects, secrets=handling(args))
    tell(args, result.message)
    _put_bundle(session, args, left)
    say(result.message)
    return Exit.NOTHING if result.warning else Exit.DONE


def _put_bundle(session: Session, args: argparse.Namespace, left: Sequence[tuple[str, str]]) -> None:
    """Print what a bundle leaves out, file by file."""
    if args.json:
        out = [{"path": printable_path(path), "reason": why} for path, why in left]
        put_json({"format": formats.BUNDLE, "left": out, "dry_run": args.dry_run}, session)
    for path, why in left if args.dry_run and not args.json else ():
        put_line(f"{Fate.LEFT.value:<9}  {printable_path(path)}: {why}")
