"""`zsmem doctor`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from typing import Any

from zsmem_tui.cli.colour import Paint, put_spans
from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json
from zsmem_tui.core.checks.describe import fix, message
from zsmem_tui.core.checks.fault import WEIGHT, Check, Fault, Level
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import doctor, doctor_fixes
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.projects.known import folders_here
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem doctor
  zsmem doctor --all --fail-on warning
  zsmem doctor --store claude-code --all
  zsmem doctor --all-stores
  zsmem doctor --all --json | jq -r '.findings[] | "\\(.path):\\(.line) \\(.message)"'
  zsmem doctor --fix hidden-item duplicate --dry-run"""

_OLDER = "Older versions still hold a key that was masked: `zsmem history forget TEXT --files` takes it out of them, for good."

_PAINTS = {Level.ERROR: Paint.ERROR, Level.WARNING: Paint.WARNING, Level.INFO: Paint.FAINT}

_RULES = [check.value for check in Check]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is looked at, and how it is told."""
    parser.add_argument("--all", action="store_true", help="every project, not only this one and what is for all")
    parser.add_argument(
        "--rule", action="append", choices=_RULES, metavar="RULE", help="only this rule; may be given several times"
    )
    parser.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")
    parser.add_argument(
        "--fail-on", choices=[Level.ERROR.value, Level.WARNING.value], default=Level.ERROR.value, help="what makes the exit code 1"
    )
    parser.add_argument("--today", metavar="DATE", help="the day to judge by, as YYYY-MM-DD (default: today)")
    parser.add_argument("--folders", metavar="DIR", help="a folder whose direct children may be the folders of projects")
    parser.add_argument("--all-stores", action="store_true", help="every agent's memory of this machine; see zsmem stores")
    parser.add_argument("--fix", nargs="+", choices=_RULES, metavar="RULE", help="do the fixes of these rules, as one step")


def run(session: Session, args: argparse.Namespace) -> int:
    """Examine, tell, and with `--fix` mend."""
    today = _day(args.today)
    if args.all_stores:
        return _all_stores(session, args, today)
    physician = doctor.Doctor(session, _folders(session, args))
    found = physician.examine(None if args.all else [session.project], today)
    faults = doctor.chosen(found, map(Check, args.rule or ()))
    for problem in found.problems:
        say(f"{problem.rstrip('.')}. It was not checked.")
    if args.fix:
        return _mend(session, args, doctor.chosen(found, map(Check, args.fix)))
    if args.sarif:
        _put_sarif([("", faults)])
    elif args.json:
        checked = {"files": found.files, "bytes": found.size}
        put_json({"findings": [_as_json(fault) for fault in faults], "checked": checked}, session)
    else:
        _put_list(args, faults, found.files)
    return _code(args, faults, is_unreadable=found.is_unreadable)


def _all_stores(session: Session, args: argparse.Namespace, today: date | None) -> int:
    """Examine every memory of this machine: all of it with `--all`, else what is of this folder or for all."""
    from zsmem_tui.service.stores import group_of, sessions  # every agent's rules, which zerostack can do without

    if args.fix:
        raise BadContent("--fix mends one store: name it with --store. Nothing was done.")
    cwd = args.cwd or ""
    every = sessions(session.config, cwd=cwd, folders=[each.folder for each in known_folders(cwd)], clock=session.clock)
    own: list[tuple[Session, Sequence[Fault]]] = []
    rules = [Check(rule) for rule in args.rule or ()]
    count = size = 0
    is_unreadable = False
    for each in every:
        if problem := each.root_problem():
            say(f"{problem} It was not checked.")
            is_unreadable = True
            continue
        found = doctor.Doctor(each, _folders(each, args)).examine(None if args.all else [each.project], today)
        own.append((each, doctor.chosen(found, rules)))
        count, size, is_unreadable = count + found.files, size + found.size, is_unreadable or found.is_unreadable
        for problem in found.problems:
            say(f"{problem.rstrip('.')}. It was not checked.")
    if args.sarif:
        _put_sarif([(printable_path(each.store), faults) for each, faults in own])
    elif args.json:
        rows = [
            {"store": printable_path(each.store), "group": group_of(each)} | _as_json(fault)
            for each, faults in own
            for fault in faults
        ]
        put_json({"findings": rows, "checked": {"files": count, "bytes": size}})
    else:
        _put_list(
            args, [fault for _, faults in own for fault in faults], count, [each.store for each, faults in own for _ in faults]
        )
    return _code(args, [fault for _, faults in own for fault in faults], is_unreadable=is_unreadable)


def _put_sarif(every: Sequence[tuple[str, Sequence[Fault]]]) -> None:
    from zsmem_tui.cli.sarif import sarif  # asked for by build servers only

    put_json(sarif(every))


def _code(args: argparse.Namespace, faults: Sequence[Fault], *, is_unreadable: bool) -> int:
    if is_unreadable:
        return Exit.FILE
    worst = WEIGHT[Level(args.fail_on)]
    return Exit.NOTHING if any(WEIGHT[fault.level] <= worst for fault in faults) else Exit.DONE


def _folders(session: Session, args: argparse.Namespace) -> list[str]:
    if args.folders is not None:
        return doctor.folders_in(args.folders)
    return [*(known.folder for known in known_folders() if args.all), *folders_here(session)]


def _day(word: str | None) -> date | None:
    if word is None:
        return None
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise BadContent(f"--today takes a day as YYYY-MM-DD, not {word!r}. Nothing was done.") from None


def _mend(session: Session, args: argparse.Namespace, faults: Sequence[Fault]) -> int:
    from zsmem_tui.cli.reporting import put_step  # only a fix writes

    plan = doctor_fixes.plan(session, faults)
    session.dry_run = args.dry_run
    done = doctor_fixes.apply(session, plan)
    left = [*plan.left, *([_OLDER] if plan.changes and any(fault.check is Check.SECRET for fault in faults) else [])]
    return put_step(
        session, args, done, [each._replace(before=_shown(each.before), after=_shown(each.after)) for each in plan.changes], left
    )


def _shown(raw: bytes | None) -> bytes | None:
    """A text whose lines may be printed."""
    if raw is None:
        return None
    from zsmem_tui.service.outgoing_secrets import Handling, of_files  # only a fix prints texts

    return of_files({"": raw}, Handling.MASK)[1][""]


def _as_json(fault: Fault) -> dict[str, Any]:
    return {
        "id": fault.id,
        "rule": fault.check.value,
        "severity": fault.level.value,
        "path": printable_path(fault.path),
        "line": fault.line,
        "end_line": fault.last_line,
        "message": message(fault),
        "related": [{"path": printable_path(place.path), "line": place.line} for place in fault.related],
        "fix": fix(fault.repair),
    }


def _put_list(args: argparse.Namespace, faults: Sequence[Fault], files: int, stores: Sequence[str] = ()) -> None:
    """A line for each; `stores` has the store of each, where there are several."""
    for number, fault in enumerate(faults):
        whose = f"{printable_path(stores[number])} " if stores else ""
        place = (f"{whose}{printable_path(fault.path)}:{fault.line}", Paint.PLACE)
        put_spans(args, [place, (": ", ""), (fault.level, _PAINTS[fault.level]), (f": {message(fault)} [{fault.check}]\n", "")])
    looked = f"{counted(files, 'file')} checked"
    say(f"{counted(len(faults), 'finding')}, {looked}." if faults else f"Nothing was found, {looked}.")
