"""The parts of `zsmem context` for past moments: `--at`, `--between` and `--changes`."""

from __future__ import annotations

import argparse
from difflib import unified_diff
from typing import Any

from zsmem_tui.cli.commands.history import as_json as version_as_json
from zsmem_tui.cli.output import Exit, put_json, put_lines, put_rows, say
from zsmem_tui.core.moments import clock_time
from zsmem_tui.core.notice import OF_THE_PAST, sentence
from zsmem_tui.core.past import SECOND
from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.service import past, previewing
from zsmem_tui.service.past import Change, Walk
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session


def subject_at(session: Session, words: str, about: Subject) -> Subject:
    """The subject `about` at the moment given by `words`."""
    return about._replace(at=past.point_of(session, words))


def put_difference(session: Session, args: argparse.Namespace, about: Subject) -> int:
    """Print the diff of the block between two moments."""
    sides = [subject_at(session, words, about) for words in args.between]
    seen = [previewing.preview(session, each) for each in sides]
    noticed = dict.fromkeys(
        sentence(each)
        for side, own in zip(sides, seen, strict=True)
        for each in previewing.findings(session, side, own)
        if each.kind in OF_THE_PAST
    )
    old, new = (raw_lines(each.text) if each.text else [] for each in seen)
    times = [each.at.when for each in sides if each.at is not None]
    names = [f"context at {clock_time(each)}" for each in times]
    rows = list(unified_diff(old, new, names[0], names[1], lineterm=""))
    if args.json:
        told = {"from": times[0] // SECOND, "to": times[1] // SECOND, "diff": rows, "warnings": list(noticed)}
        put_json(told, session)
    elif rows:
        put_lines("\n".join(rows))
    for each in noticed:
        say(each)
    if not rows:
        say("The block was the same at both moments.")
    return Exit.DONE if rows else Exit.NOTHING


def put_changes(session: Session, args: argparse.Namespace, about: Subject) -> int:
    """Print all changes of the block, the newest first."""
    past.now(session)
    walk = Walk(session, about, 0 if args.since is None else past.since(session, args.since))
    nothing = "The block has not changed, as far as anything is recorded."
    return put_rows(args, "changes", list(walk.every()), _as_json, _line, nothing, session)


def _as_json(change: Change) -> dict[str, Any]:
    return {
        "when": change.point.when // SECOND,
        "who": past.who_wrote(change),
        "files": [printable_path(each.path) for each in change.versions],
        "versions": [version_as_json(each) for each in change.versions],
        "lines_in": len(change.came),
        "lines_out": len(change.fell),
        "pushed_out_bytes": change.pushed,
        "wanted_bytes": change.wanted,
        "bytes": change.fits,
    }


def _line(change: Change) -> str:
    id = change.versions[0].id if change.versions else ""
    return f"{clock_time(change.point.when)}  {id:<16}  {past.told(change)}"
