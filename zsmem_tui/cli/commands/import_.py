"""The `zsmem import` command: import another agent's memory, Markdown or a bundle."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from zsmem_tui.cli.commands import export
from zsmem_tui.cli.output import WAS_DRY, Exit, put_rows, say, tell
from zsmem_tui.cli.reporting import (
    OF_BUNDLES,
    OF_IMPORTS,
    check_meant,
    from_input,
    globs_argument,
    handling,
    put_rows_of,
    secrets_arguments,
)
from zsmem_tui.core.errors import BadContent, MemError
from zsmem_tui.core.layout import group_word
from zsmem_tui.core.text import counted, plural, printable_path
from zsmem_tui.service import applying, bundles, formats, import_detection, importing, transferring
from zsmem_tui.service.import_detection import MemorySource
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate, Policy
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem import detect
  zsmem import claude-code --dry-run
  zsmem import claude-code ~/.claude --only '*/-home-ann-*'
  zsmem import ethos --group personality:engineer --user 4be1c09a77d2
  zsmem import instructions --section Decisions
  zsmem import oh-my-pi --as-facts '*/learned.md'
  zsmem import oh-my-pi --also '*/rollout_summaries/*'
  zsmem import markdown ~/notes --only 'deploy*' --on-conflict rename
  zsmem import claude-code --to oh-my-pi
  zsmem import claude-code ~/.claude --to ethos --group engineer
  zsmem import bundle memory.tar.gz
  ssh other zsmem export bundle - | zsmem import bundle -"""


_OF_AGENTS = ("only", "also", "as_facts", "section", "to", "to_group", "to_user")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    sections = ", ".join(each.name for each in formats.every() if each.has_sections)
    parser.add_argument("format", metavar="FORMAT|detect", help=f"{', '.join(formats.names())}; or detect: what is on this machine")
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        default="",
        help="its folder or file (default: where that agent keeps it); - for a bundle on standard input",
    )
    parser.add_argument("--into", metavar="SLUG", help="the project that it goes to (default: this one)")
    globs_argument(parser, "--only", "only items whose source matches")
    globs_argument(parser, "--also", "take items whose source matches although they are not by default")
    globs_argument(parser, "--as-facts", "notes whose source matches come as facts of every project, one a line")
    parser.add_argument("--section", metavar="HEADING", default="", help=f"{sections}: the section whose items are taken")
    parser.add_argument("--to", metavar="FORMAT[:ROOT]", help="into another agent's memory at once, not into ours")
    parser.add_argument("--to-group", metavar="NAME", help="whose memory it becomes there (default: --group, if free)")
    parser.add_argument("--to-user", metavar="ID", help="the user that it becomes the memory of there")
    parser.add_argument(
        "--on-conflict", choices=[each.value for each in Policy], default="skip", help="a name that another text has (default skip)"
    )
    secrets_arguments(parser)


def run(session: Session, args: argparse.Namespace) -> int:
    """Plan the import and apply it; with `--dry-run`, only plan."""
    if args.format == "detect":
        check_meant("import", "detect", args, dict.fromkeys((*_OF_AGENTS, "into"), ()))
        if args.path:
            raise BadContent("import detect looks where each agent keeps its memory, and takes no path. Nothing was done.")
        own = "" if session.is_default else f" than {session.layout.title}'s"
        nothing = f"No other agent's memory{own} was found for this folder."
        return put_rows(args, "found", import_detection.detect(session), _as_json, _line, nothing, session)
    if session.is_default and args.to == session.layout.kind:
        args.to = None  # that is a plain import into the open store
    if not args.to and (args.mask or args.allow_secrets):
        raise BadContent("--mask and --allow-secrets are for what goes out: use them with --to. Nothing was imported.")
    if not args.to and (args.to_group or args.to_user):
        raise BadContent("--to-group and --to-user say whose memory it becomes there: use them with --to. Nothing was imported.")
    if args.to and args.into:
        raise BadContent("--into is for what comes into the open store, --to for another: use one of them. Nothing was imported.")
    policy = Policy(args.on_conflict)
    if args.format == formats.BUNDLE:
        check_meant("import", formats.BUNDLE, args, dict.fromkeys(_OF_AGENTS, ()))
        return _bundle(session, args, policy)
    choice = Choice(args.only, *(("", "") if args.store else (args.group or "", args.user or "")), args.section, args.as_facts)
    format = formats.of_agent(args.format, also=[formats.BUNDLE, "detect"])
    if args.to:
        goal = replace(transferring.goal_of(args.to), group=args.to_group or "", user=args.to_user or "")
        secrets = handling(args)
        wanted = transferring.plan(session, format, args.path, goal, choice=choice, also=args.also, policy=policy, secrets=secrets)
        return export.carry_out(session, args, wanted)
    plan = importing.plan(session, format, args.path, into=args.into or "", also=args.also, choice=choice, policy=policy)
    is_any = any(row.ticked for row in plan.rows)
    is_said = session.is_default or args.store or args.to
    place = [] if is_said or not is_any else [f"Into the memory of {session.layout.title}; --store names another."]
    if args.dry_run or not is_any:
        put_rows_of(session, args, plan.format, plan.rows, OF_IMPORTS, written=[], notes=plan.notes)
        told = [WAS_DRY if args.dry_run else "Nothing new to import. Nothing was written."]
        if args.dry_run and any(plan.grows.values()):
            whose = [session.whose(each) for each in plan.grows]
            of = f"s of {counted(len(whose), group_word(session.layout))}" if whose[1:] else f" of {whose[0]}"
            told.append(f"The prompt{of} would change by {plan.growth}.")
        told += (*place, *plan.notes)
        if args.dry_run and plan.losses:
            told.append(f"Lost on the way: {plan.losses}")
        say(" ".join([*told, plan.rest]).rstrip())
        return Exit.DONE if is_any else Exit.NOTHING
    done = applying.apply(plan)
    tell(args, done.message)
    written = [printable_path(edit.place) for edit in plan.changes]
    put_rows_of(session, args, plan.format, plan.rows, OF_IMPORTS, written=written, notes=plan.notes)
    say(" ".join([done.message, *place, *plan.notes]))
    return Exit.DONE


def _bundle(session: Session, args: argparse.Namespace, policy: Policy) -> int:
    if not args.path:
        raise BadContent("import bundle needs a file, or - for standard input. Nothing was imported.")
    if args.path != "-":
        return _bundle_at(session, args, args.path, policy)
    with bundles.taken_from(from_input(lambda stream: stream, "Nothing was imported.")) as place:
        try:
            return _bundle_at(session, args, place, policy)
        except MemError as error:
            error.message = error.message.replace(place, "standard input")
            raise


def _bundle_at(session: Session, args: argparse.Namespace, place: str, policy: Policy) -> int:
    plan = bundles.plan(session, place, into=args.into or "", policy=policy)
    taken = [printable_path(row.place) for row in plan.rows if row.ticked]
    rows = list(plan.rows)
    if args.json and plan.later:
        texts = {
            each.ref: (each.merged or each.after or b"").decode("utf-8", "replace") for each in plan.later([r.key for r in rows])
        }
        rows = [row._replace(text=texts.get(row.ref, "")) for row in rows]
    if args.dry_run:
        put_rows_of(session, args, formats.BUNDLE, rows, OF_BUNDLES, written=[])
        say(" ".join([WAS_DRY, *plan.notes]))
    else:
        done = applying.apply(plan)
        tell(args, done.message)
        put_rows_of(session, args, formats.BUNDLE, rows if args.json else [], OF_BUNDLES, written=taken)
        say(done.message)
    for hint in plan.hints if taken or args.dry_run else ():
        say(hint)
    if args.dry_run:
        say(plan.rest)
    is_whole = all(row.ticked or row.fate is Fate.DUPLICATE for row in plan.rows)
    return Exit.DONE if is_whole and (taken or args.dry_run) else Exit.NOTHING


def _as_json(each: MemorySource) -> dict[str, Any]:
    return each._asdict() | {"path": printable_path(each.path)}


def _line(each: MemorySource) -> str:
    count = each.problem or f"{each.items:>5} {plural('item', each.items)}, {each.new} new"
    return f"{each.format:<21}  {count}  {printable_path(each.path)}"
