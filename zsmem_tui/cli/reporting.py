"""What the writing verbs share: targets, content from standard input, the report at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from zsmem_tui.cli.colour import diff_spans, put_spans
from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.errors import BadContent, BadTarget, OutputFailed
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.outcomes import VerbResult, WriteReport
from zsmem_tui.core.refs import MemRef, WriteTarget
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.service.file_change import FileChange


def target_of(word: str, *, dated: bool = False) -> tuple[str, str | None]:
    """`note:NAME` as target and name, with `dated` also `daily:DATE`. Raises `BadTarget` where a name has no meaning."""
    target, colon, name = word.partition(":")
    if colon and target != "note" and not (dated and target == "daily"):
        raise BadTarget(f"{target} takes no name: {word!r} means no file. Nothing was done.")
    return target, name if colon else None


def note_name(word: str) -> str:
    """The name of a note, given as such or as `note:NAME`. Raises `BadTarget` for another target."""
    target, colon, name = word.partition(":")
    if colon and target in (*WriteTarget,) and target != WriteTarget.NOTE:
        raise BadTarget(f"{target} takes no name: {word!r} is no note. Nothing was done.")
    return name if colon and target == WriteTarget.NOTE else word


def target_ref(session: Session, word: str) -> MemRef:
    """The memory file that a path in the store names, or a target. Raises `BadTarget` or `BadName`."""
    found = find_ref(session.layout, word) or named_ref(session, word)
    return session.mem().source_ref(*target_of(word, dated=True)) if found is None else found


def named_ref(session: Session, word: str) -> MemRef | None:
    """The file that a path names in a store that the person named: below its root, or below the folder of its group."""
    if not session.store:
        return None
    home = session.layout.home_of(session.project)
    return find_ref(session.layout, word) or (find_ref(session.layout, f"{home}/{word}") if home else None)


def content_of(word: str | None) -> str:
    """The content given on the command line, or standard input for `-` or nothing. Raises `BadContent`."""
    if word is not None and word != "-":
        return word
    if sys.stdin is None:
        raise BadContent("there is no standard input to read the content from. Nothing was written.")
    raw = sys.stdin.buffer.read()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadContent("standard input is not valid UTF-8. Nothing was written.") from error


def put_step(
    session: Session,
    args: argparse.Namespace,
    done: VerbResult,
    changes: Sequence[FileChange],
    warnings: Sequence[str],
    more: Mapping[str, object] = MappingProxyType({}),
) -> int:
    """Print every file that a step changed, or with `--dry-run` would change, line by line, and how it ended; the exit code.

    Credentials are cut down in what is printed. `more` stands in the JSON beside the message.
    """
    from zsmem_tui.core.checks.redact import redacted  # with every shape of them, which verbs on one file do without
    from zsmem_tui.core.diff import diff  # with the merge, likewise

    sides = [(each.place, *redacted(each.before, each.after)) for each in changes]
    shown = [(printable_path(place), diff(before or b"", after or b"")) for place, before, after in sides]
    if args.json:
        rows = [{"path": place, "diff": [f"{row.side}{row.text}" for row in lines]} for place, lines in shown]
        said = {"message": done.message, **more, "changes": rows, "warnings": list(warnings), "dry_run": args.dry_run}
        put_json(said, session)
    else:
        for place, lines in shown:
            put_spans(args, diff_spans(place, lines))
        put_line(done.message)
        for warning in warnings:
            say(warning)
    if args.dry_run:
        say("This was a dry run: nothing was written.")
    if done.undo_problem:
        say(f"Undo is off. {done.undo_problem}")
    return Exit.DONE if done.changed else Exit.NOTHING


def put_report(report: WriteReport, *, as_json: bool, dry_run: bool, session: Session) -> int:
    """Print what was done, or with `dry_run` would be; warnings go to standard error."""
    document = {
        "path": printable_path(report.path),
        "message": report.message,
        "written": report.written,
        "warnings": report.warnings,
        "dry_run": dry_run,
    }
    try:
        put_json(document, session) if as_json else put_line(report.message)
    except OutputFailed as error:
        raise OutputFailed(f"{error.message} It was done all the same: {report.message}") from error
    if dry_run:
        say("This was a dry run: nothing was written.")
    for warning in report.warnings:
        say(warning)
    if not report.confirmed:
        say("Another program keeps writing over it. It was put back three times and is in the history: zsmem history.")
        return Exit.CONFLICT
    return Exit.DONE if report.changed else Exit.NOTHING
