"""The `zsmem history` command: list, show, diff, restore and forget versions."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from zsmem_tui.cli.colour import diff_spans, put_spans
from zsmem_tui.cli.output import Exit, put, put_either, put_json, put_rows, say
from zsmem_tui.cli.reporting import check_meant, meanings, said_yes, target_ref, unknown_action
from zsmem_tui.cli.usage import count_from_1
from zsmem_tui.core.diff import diff
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.moments import to_the_minute
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import AuthorKind, Version
from zsmem_tui.service import history
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem history
  zsmem history --file MEMORY.md --limit 5
  zsmem history diff 1f3a
  zsmem history show 1f3a > before.md
  zsmem history restore 1f3a
  zsmem history forget sk-live-0123456789 --files --yes"""

ACTIONS = {
    "list": "the latest versions, of all files or of the one that --file names",
    "show": "print what a version holds",
    "diff": "print what a version changed",
    "restore": "make the file what it was in a version",
    "forget": "take a text, such as a leaked secret, out of every version",
}


_ONLY = {"file": ["list"], "now": ["diff"], "limit": ["list"], "files": ["forget"], "remote": ["forget"], "yes": ["forget"]}
_LISTED = 50


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("words", metavar="ACTION [ID|TEXT]", nargs="*", help=f"{meanings(ACTIONS)}. An id's first letters do")
    parser.add_argument("--file", metavar="TARGET", help="long_term, scratchpad, daily:DATE, note:NAME, or a path in the store")
    parser.add_argument("--limit", metavar="N", type=count_from_1, help="versions listed at most (default 50)")
    parser.add_argument("--now", action="store_true", help="diff: print what has changed since, which restore takes back")
    parser.add_argument("--files", action="store_true", help="forget: where a file still holds the text, put [forgotten] there too")
    parser.add_argument("--remote", action="store_true", help="forget: take it out of the branch that is synced, too")
    parser.add_argument("--yes", action="store_true", help="forget --files: do it without asking; no undo brings the text back")
    parser.add_argument("--dry-run", action="store_true", help="restore, forget: say what would happen, and change nothing")


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action."""
    action, *what = args.words or ["list"]
    if action not in ACTIONS:
        raise unknown_action("history", action, ACTIONS, "`zsmem history --file TARGET` lists the versions of one file. ")
    if len(what) != (action != "list"):
        needs = "nothing more" if action == "list" else "one text" if action == "forget" else "the id of one version"
        raise BadContent(f"history {action} needs {needs}. Nothing was done.")
    check_meant("history", action, args, _ONLY)
    if action == "list":
        return _list(session, args)
    if action == "forget":
        if args.files and not args.dry_run and not args.yes and not _is_wanted(session, what[0]):
            say("Nothing was forgotten.")
            return Exit.NOTHING
        done = history.forget(session, what[0], dry_run=args.dry_run, in_files=args.files)
        _put_message(session, args, " ".join([done.message, *_at_the_remote(what[0], args)]))
        return Exit.DONE if done.changed or args.remote else Exit.NOTHING
    found = history.find(session, what[0])
    if action == "show":
        return _show(session, args, found)
    if action == "diff":
        return _diff(session, args, found)
    return _restore(session, args, found)


def _at_the_remote(text: str, args: argparse.Namespace) -> list[str]:
    """What was forgotten at the sync remote, or that it still holds the text; empty without sync."""
    from zsmem_tui.service.sync import forgetting  # deferred: imports git

    secret = text.encode("utf-8", "surrogateescape")
    if args.remote:
        return [forgetting.forget(secret, dry_run=args.dry_run)]
    holding = forgetting.remote_holding(secret)
    return [f"{holding} holds it, too: --remote takes it out there."] if holding else []


def _put_message(session: Session, args: argparse.Namespace, message: str) -> None:
    """Print what was done, or would be."""
    put_either(args, {"message": message}, [message], session)


def _is_wanted(session: Session, text: str) -> bool:
    """Ask for confirmation, since it cannot be undone. Raises `BadContent` if there is no terminal to ask on."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        raise BadContent(
            "history forget --files changes files, and no undo brings the text back. Nothing was forgotten.",
            "Look with --dry-run what it would do, then add --yes.",
        )
    say(f"{history.forget(session, text, dry_run=True, in_files=True).message} No undo brings it back.")
    sys.stderr.write("Type yes to go on: ")
    sys.stderr.flush()
    return said_yes("Nothing was forgotten.")


def _list(session: Session, args: argparse.Namespace) -> int:
    history.look_at_all(session)
    most = args.limit or _LISTED
    found = history.of_file(session, target_ref(session, args.file)) if args.file is not None else history.latest(session, most)
    found = found[:most]
    return put_rows(args, "versions", found, as_json, _line, "No version is recorded.", session)


def _line(version: Version) -> str:
    when = to_the_minute(version.when)
    return (
        f"{version.id:<16}  {when}  +{version.added:<4} -{version.removed:<4}  {printable_path(version.path)}  ({version.author})"
    )


def as_json(version: Version) -> dict[str, Any]:
    """A version as JSON; `who` is the agent's name, `evidence` how the history identified the writer."""
    return {
        "id": version.id,
        "path": printable_path(version.path),
        "when": version.when // 10**9,
        "origin": version.origin.value,
        "who": version.author.name if version.author.kind is AuthorKind.AGENT else None,
        "evidence": version.who,
        "label": printable_path(version.label),
        "added": version.added,
        "removed": version.removed,
        "wiped": version.wiped,
    }


def _show(session: Session, args: argparse.Namespace, version: Version) -> int:
    raw = history.text(session, version)
    if args.json:
        put_json({"version": as_json(version), "text": None if raw is None else raw.decode("utf-8", "replace")}, session)
        return Exit.NOTHING if raw is None else Exit.DONE
    if raw is None:
        say(f"{printable_path(version.path)} was deleted in this version.")
        return Exit.NOTHING
    put(raw.decode("utf-8", "surrogateescape"))
    return Exit.DONE


def _diff(session: Session, args: argparse.Namespace, version: Version) -> int:
    found = history.texts(session, version, until_now=args.now)
    rows = [] if found.note else diff(found.before or b"", found.after or b"")
    if args.json:
        lines = [{"side": row.side, "text": printable_path(row.text)} for row in rows]
        put_json({"version": as_json(version), "lines": lines, "note": found.note}, session)
        return Exit.NOTHING if found.note else Exit.DONE
    if found.note:
        say(found.note)
        return Exit.NOTHING
    put_spans(args, diff_spans("", rows))
    return Exit.DONE


def _restore(session: Session, args: argparse.Namespace, version: Version) -> int:
    done = history.restore(session, version, dry_run=args.dry_run)
    if done.conflicted:
        say(done.message)
        return Exit.CONFLICT
    _put_message(session, args, done.message)
    return Exit.DONE if done.changed else Exit.NOTHING
