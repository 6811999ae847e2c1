"""The `zsmem today` command: what waits in a folder, over all agents."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
from collections.abc import Sequence
from itertools import chain
from typing import Any

from zsmem_tui.cli.main import which_memory
from zsmem_tui.cli.output import Exit, put_json, put_line, say
from zsmem_tui.core.errors import HistoryError, MemError
from zsmem_tui.core.limits import AT_REST_BYTES
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import checkups, folders, history, prompts, today
from zsmem_tui.service.news import Kind, Row, Today
from zsmem_tui.service.projects.known import belongs_here, known_projects, memory_for
from zsmem_tui.service.projects.own import has_folders, own_folder
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import title_of
from zsmem_tui.service.today_rows import FATES

EXAMPLES = """\
  zsmem today
  zsmem today --json | jq -r '.rows[] | select(.fate == "lost") | .text'
  zsmem today && zsmem
  zsmem review accept --all"""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print what waits in the folder, over all agents or in the store given."""
    others = _other_stores(session, args)
    found = _today([session, *others])
    if args.json:
        files = len({(id(row.session), row.ref) for row in found.rows if row.ref is not None}) + found.files
        counts = {"lines": found.lines, "files": files, "errors": found.errors, "unchecked": found.unchecked}
        put_json({"waits": found.waits, **counts, "rows": [_as_json(row) for row in found.rows]})
    else:
        heading = ""
        for row in found.rows:
            own = _heading(row)
            if own != heading:
                put_line(own)
            heading = own
            put_line(_line(row))
    if found.waits:
        return Exit.DONE
    if _is_named(args):  # whose prompt has instruction files of the folder, which that command looks into as well
        found = found._replace(found=found.found + sum(_found_in(*each) for each in prompts.stores_told(session)))
    verb = _doctor(args, is_everywhere=bool(others) and not _is_named(args))
    say(found.nothing(int(session.clock().timestamp() * 10**9), verb))
    return Exit.NOTHING if found.is_whole else Exit.FILE


def _is_named(args: argparse.Namespace) -> bool:
    return bool(args.root or args.store)


def _doctor(args: argparse.Namespace, *, is_everywhere: bool) -> str:
    """The command that lists the findings that were counted."""
    words = ["zsmem", "doctor", *(["--all-stores"] if is_everywhere else []), *chain(*which_memory(args))]
    return shlex.join(map(printable_path, words))


def _found_in(session: Session, paths: frozenset[str]) -> int:
    """The number of findings in these files of a store."""
    return sum(each.path in paths for each in checkups.look_here(session, most=AT_REST_BYTES).to_decide)


def _other_stores(session: Session, args: argparse.Namespace) -> list[Session]:
    """The other agents' stores; empty if one was named."""
    if _is_named(args):
        return list(session.beside)
    found = folders.beside(session, session.config, cwd=args.cwd or "")
    for each in (session, *found.sessions):
        folders.name_groups(each, found.folders_of.get(f"{each.layout.kind}:{each.root}", {}))
    return found.sessions


def _today(sessions: list[Session]) -> Today:
    """Collect what waits in these stores, including the doctor's findings."""
    news, faults, left = [], [], 0
    for session in sessions:
        problem = ""
        try:
            if not (session.root_problem() or session.store_problem()):
                history.look_at_all(session)
        except HistoryError as error:
            problem = error.message
            say(f"{problem} {error.hint}".rstrip())
        found = today.news(session)
        news.append(found._replace(problem=found.problem or problem))
        if not news[-1].problem and not session.refusal and os.path.isdir(session.root):
            found_here = checkups.look_here(session, most=AT_REST_BYTES)
            faults.append((session, found_here.to_decide))
            left += found_here.left_here
    is_open = any(each.here or each.unread for each in news)
    agents = [(each, today.unconnected(each)) for each in sessions] if is_open else []
    count = sum(prompts.is_here(session, session.ref_at(each.path)) for session, own in faults for each in own)
    return today.today(news, faults, _hints(sessions), agents, left)._replace(found=count)


def _hints(sessions: Sequence[Session]) -> list[tuple[Session, str]]:
    """Hints on memory that seems to belong to this folder, each folder once."""
    found: dict[str, tuple[Session, str]] = {}
    for session in filter(has_folders, sessions):
        with contextlib.suppress(MemError):
            belongs = memory_for(session, known_projects(session), own_folder(session))
            if belongs is not None:
                found.setdefault(belongs.verdict.folder, (session, belongs_here(belongs)))
    return list(found.values())


def _heading(row: Row) -> str:
    return f"{row.session.layout.title}  {title_of(row.ref, row.session) if row.ref is not None else ''}".rstrip()


def _line(row: Row) -> str:
    id = row.ids[0] if row.ids else ""
    sign = "- " if row.is_gone else "~ " if row.before else "+ " if row.kind is Kind.LINE else ""
    facts = [FATES[row.fate]] if row.fate is not None else []
    return f"  {id:<8}  {sign}{row.text}" + "".join(f"  ({each})" for each in [*facts, *row.doubts])


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "kind": row.kind.value,
        "waits": row.waits,
        "store": f"{row.session.layout.kind}:{printable_path(row.session.root)}",
        "path": printable_path(row.ref.path) if row.ref is not None else None,
        "line": row.at + 1 if row.ref is not None else None,
        "text": row.text,
        "before": row.before or None,
        "gone": row.is_gone,
        "author": row.author or None,
        "when": row.when // 10**9 or None,
        "fate": FATES[row.fate] if row.fate is not None else None,
        "doubts": list(row.doubts),
        "ids": list(row.ids),
    }
