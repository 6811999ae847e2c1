"""The `zsmem doctor` command: check memory, print findings, apply fixes."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from zsmem_tui.cli.colour import Paint, put_spans
from zsmem_tui.cli.output import Exit, of_store, put_json, say
from zsmem_tui.cli.usage import day
from zsmem_tui.core.checks.finding import MOST_OF_ONE, WEIGHT, Finding, Level, Place, Rule
from zsmem_tui.core.checks.rules import RULES
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import checkups, doctor, doctor_fixes, prompts
from zsmem_tui.service.doctor import Diagnosis, Sorted, by_ignored
from zsmem_tui.service.folders import every_store, name_groups
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.projects.known import folders_here
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import place_of

EXAMPLES = """\
  zsmem doctor
  zsmem doctor --all --fail-on warning
  zsmem doctor --store claude-code --all
  zsmem doctor --all-stores
  zsmem doctor --all --json | jq -r '.findings[] | "\\(.path):\\(.line) \\(.message)"'
  zsmem doctor --fix hidden-item duplicate --dry-run"""

_OLDER = "Older versions still hold a key that was masked: `zsmem history forget TEXT --files` takes it out of them, for good."

_PAINTS = {Level.ERROR: Paint.ERROR, Level.WARNING: Paint.WARNING, Level.INFO: Paint.FAINT}

_RULES = [rule.name for rule in RULES]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--all", action="store_true", help="every project, not only this one and what is for all")
    parser.add_argument(
        "--rule", action="append", choices=_RULES, metavar="RULE", help="only this rule; may be given several times"
    )
    parser.add_argument("--all-rules", action="store_true", help="every rule, as without it")
    parser.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")
    parser.add_argument(
        "--fail-on",
        choices=[Level.ERROR.value, Level.WARNING.value],
        default=Level.ERROR.value,
        help="the exit code is 1 from here on: warning counts errors, too (default: error)",
    )
    parser.add_argument("--today", metavar="DATE", type=day, help="the day to judge by, as YYYY-MM-DD (default: today)")
    parser.add_argument("--folders", metavar="DIR", help="a folder whose direct children may be the folders of projects")
    parser.add_argument("--all-stores", action="store_true", help="every agent's memory of this machine; see zsmem stores")
    parser.add_argument("--ignored", action="store_true", help="also the findings that you ignore; they never make the exit code 1")
    parser.add_argument("--fix", nargs="+", choices=_RULES, metavar="RULE", help="do the fixes of these rules, as one step")


class _StoreFindings(NamedTuple):
    """The result for a store: all findings, and which of them are ignored."""

    session: Session
    found: Diagnosis
    sorted: Sorted


def run(session: Session, args: argparse.Namespace) -> int:
    """Examine, print the findings, and with `--fix` apply fixes."""
    if args.json and args.sarif:
        raise BadContent("--json and --sarif are two ways to print the same. Nothing was done.")
    today = date.fromisoformat(args.today) if args.today else None
    if args.all_stores:
        return _all_stores(session, args, today)
    physician = doctor.Doctor(session, _folders(session, args))
    seen = _examine_store(session, args, today, physician)
    if args.fix:
        wanted = [*seen.sorted.to_decide, *(seen.sorted.ignored if args.ignored else ())]
        code = _apply_fixes(session, args, [fault for fault in wanted if fault.rule.name in args.fix], wanted)
        if code == Exit.DONE and not args.dry_run and not args.json:
            left = by_ignored(session, _examined(physician, session, args, today).faults).to_decide
            say(f"{counted(len(left), 'finding')} left.")
        return code
    own = [seen, *(_examine_store(each, args, today) for each in session.beside)]
    own += (_examine_store(each, args, today, paths=paths) for each, paths in prompts.stores_told(session))
    return _put(own, args, None if session.beside else session)


def _examine_store(
    session: Session,
    args: argparse.Namespace,
    today: date | None,
    physician: doctor.Doctor | None = None,
    *,
    paths: frozenset[str] | None = None,
) -> _StoreFindings:
    """Examine a store, or these instruction files of a folder; print what could not be checked."""
    found = _examined(physician or doctor.Doctor(session, _folders(session, args)), session, args, today)
    if paths is not None:
        found = replace(found, faults=tuple(fault for fault in found.faults if fault.path in paths), files=len(paths))
    split = by_ignored(session, [each for each in found.faults if args.fix or not args.rule or each.rule.name in args.rule])
    for problem in found.problems:
        say(f"{problem.rstrip('.')}. It was not checked.")
    if split.problem:
        say(split.problem)
    return _StoreFindings(session, found, split)


def _examined(physician: doctor.Doctor, session: Session, args: argparse.Namespace, today: date | None) -> Diagnosis:
    name_groups(session)  # a sentence may name another project
    since, groups = time.time_ns(), None if args.all else checkups.groups_here(session)
    found = physician.examine(groups, today)
    if today is None:
        checkups.remember(session, found, since, groups)
    return found


def _all_stores(session: Session, args: argparse.Namespace, today: date | None) -> int:
    """Examine all stores on this machine; without `--all`, only this folder's and global memory."""
    if args.fix:
        raise BadContent("--fix mends one store: name it with --store. Nothing was done.")
    own: list[_StoreFindings] = []
    is_unreadable = False
    named = session if args.root or args.store or args.project or args.group else None
    for each in every_store(session.config, cwd=args.cwd or "", clock=session.clock, also=named):
        if each.is_elsewhere and not args.all:
            continue  # it is memory or instructions of another folder
        if problem := each.root_problem():
            say(f"{problem} It was not checked.")
            is_unreadable = True
            continue
        own.append(_examine_store(each, args, today))
    return _put(own, args, is_unreadable=is_unreadable)


def _put(
    own: Sequence[_StoreFindings], args: argparse.Namespace, only: Session | None = None, *, is_unreadable: bool = False
) -> Exit:
    """Print the findings of these stores; return the exit code. Stores are named unless there is the `only` one.

    `is_unreadable`: a store beside them could not be read.
    """
    shown = [(seen, [*seen.sorted.to_decide, *(seen.sorted.ignored if args.ignored else ())]) for seen in own]
    files, ignored = sum(seen.found.files for seen in own), sum(len(seen.sorted.ignored) for seen in own)
    if args.sarif:
        from zsmem_tui.cli.sarif import sarif  # deferred: needed only for SARIF

        put_json(
            sarif(
                [("" if only is seen.session else printable_path(seen.session.store), faults) for seen, faults in shown],
                {fault.id for seen in own for fault in seen.sorted.ignored},
            )
        )
    elif args.json:
        rows = [
            (of_store(seen.session) if only is None else {}) | _as_json(seen, fault, args, only)
            for seen, faults in shown
            for fault in faults
        ]
        checked = {"files": files, "bytes": sum(seen.found.size for seen in own)}
        put_json({"findings": rows, "ignored": ignored, "checked": checked}, only)
    else:
        _put_list(args, shown, only)
        count = sum(len(seen.sorted.to_decide) for seen in own)
        looked = f"{counted(files, 'file')} checked"
        if args.all_stores and not args.all:
            looked += ": of this folder and for all; --all checks every project"
        more = "" if args.ignored else ": --ignored shows them"
        hidden = f" {counted(ignored, 'finding')} you ignore{more}." if ignored else ""
        perhaps = sum(fault.level is Level.INFO for seen in own for fault in seen.sorted.to_decide)
        looked = f"{perhaps} of them info, {looked}" if perhaps else looked
        is_none = not (files or args.all_stores or any(seen.found.problems for seen in own))
        nothing = "There is no memory here to look into." if is_none else f"Nothing was found, {looked}.{hidden}"
        say(f"{counted(count, 'finding')}, {looked}.{hidden}" if count else nothing)
    if is_unreadable or any(seen.found.is_unreadable for seen in own):
        return Exit.FILE
    worst = WEIGHT[Level(args.fail_on)]
    is_bad = any(WEIGHT[fault.level] <= worst for seen in own for fault in seen.sorted.to_decide)
    return Exit.NOTHING if is_bad else Exit.DONE


def _folders(session: Session, args: argparse.Namespace) -> list[str]:
    if args.folders is not None:
        return doctor.folders_in(args.folders)
    return [*(known.folder for known in known_folders() if args.all), *folders_here(session)]


def _apply_fixes(session: Session, args: argparse.Namespace, faults: Sequence[Finding], known: Sequence[Finding]) -> int:
    from zsmem_tui.cli.reporting import carry_out  # deferred: needed only to write

    plan = doctor_fixes.plan(session, faults, known)
    is_older = plan.changes and not args.dry_run and any(fault.rule == SECRET for fault in faults)
    return carry_out(session, args, replace(plan, notes=(_OLDER,)) if is_older else plan)


def _path(seen: _StoreFindings, path: str, only: Session | None) -> str:
    """A path in a store; if this is not the `only` one that is named, but holds its instructions, as an absolute one."""
    return printable_path(path if only in (None, seen.session) else os.path.join(seen.session.root, path))


def _as_json(seen: _StoreFindings, fault: Finding, args: argparse.Namespace, only: Session | None) -> dict[str, Any]:
    """A finding as JSON, with whether it is ignored if `--ignored` is given."""
    is_ignored = {"ignored": fault in seen.sorted.ignored} if args.ignored else {}
    return is_ignored | {
        "id": fault.id,
        "rule": fault.rule.name,
        "severity": fault.level.value,
        "path": _path(seen, fault.path, only),
        "line": fault.line,
        "end_line": fault.last_line,
        "message": fault.message,
        "related": [{"path": _path(seen, place.path, only), "line": place.line} for place in fault.related],
        "fix": fault.fix.sentence if fault.fix is not None else None,
    }


def _put_list(args: argparse.Namespace, shown: Sequence[tuple[_StoreFindings, Sequence[Finding]]], only: Session | None) -> None:
    """Print the findings as lines; of many of one rule in one file the first, and how many more, unless the rule is asked for."""
    for seen, faults in shown:
        whose = "" if only is not None else f"{printable_path(seen.session.store)} "
        decided = len(seen.sorted.to_decide)
        folds = [(number >= decided, fault.path, fault.rule, fault.level) for number, fault in enumerate(faults)]
        often, listed = Counter(folds), Counter[tuple[bool, str, Rule, Level]]()
        for fold, fault in zip(folds, faults, strict=True):
            listed[fold] += 1
            more = often[fold] - MOST_OF_ONE
            place, words = f"{whose}{_path(seen, fault.path, only)}", f"{more} more: --rule {fault.rule.name} lists all."
            if args.rule or more < 2 or listed[fold] <= MOST_OF_ONE:  # to count one takes as much room as to list it
                place, words = f"{place}:{fault.line}", visible_line(_with_places(fault, seen.session).message)
            elif listed[fold] > MOST_OF_ONE + 1:
                continue
            said = (f": {words} [{fault.rule.name}]{' (ignored)' * fold[0]}\n", "")
            put_spans(args, [(visible_line(place), Paint.PLACE), (": ", ""), (fault.level, _PAINTS[fault.level]), said])


def _with_places(fault: Finding, session: Session) -> Finding:
    """The finding whose sentence names instruction files from the home folder on: a project's may have the same name."""
    every = ((each, session.ref_at(each.path)) for each in fault.related)
    return replace(
        fault, related=tuple(each if os.path.isabs(each.path) else Place(place_of(ref, session), each.line) for each, ref in every)
    )
