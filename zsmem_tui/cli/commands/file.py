"""The `zsmem file` command: create, rename, copy, move, delete and restore files."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put_done, put_rows
from zsmem_tui.cli.reporting import (
    carry_out,
    check_meant,
    handling,
    meanings,
    named_target,
    note_name,
    secrets_arguments,
    target_ref,
)
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Version
from zsmem_tui.service import file_ops
from zsmem_tui.service.file_ops import FileOpResult
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem file new note:deploy
  zsmem file entry "moved the redis port"
  zsmem file rename note:deploy release
  zsmem file copy note:release release-2
  zsmem file move note:release --to harbor-api-d08a5407
  zsmem file rm note:release-2
  zsmem file move note:release --into claude-code --dry-run
  zsmem file rm feedback_old.md --store claude-code --dry-run
  zsmem file trash
  zsmem file restore"""

ACTIONS = {
    "new": "make an empty note (note:NAME) or scratchpad",
    "entry": "add a timestamped entry to today's log",
    "rename": "give a note another name",
    "copy": "copy a file to a new note, or into the store that --into names",
    "move": "move a note or log to the project that --to names, or any file into the store that --into names",
    "rm": "delete a file; what it held is kept",
    "list": "put a file into the index of its store, where no line names it",
    "unlist": "take the lines that name a file out of the index of its store",
    "trash": "list the deleted files that can be brought back",
    "restore": "bring back the file deleted last, or the one with this id",
}


ROLES = {role.value: role for role in (Role.FACTS, Role.NOTE, Role.LOG, Role.CHECKLIST)}
"""The roles that a file can get in another store."""


_ONLY = {
    "to": ["move"],
    "into": ["copy", "move"],
    "alone": ["new", "rename", "copy", "move", "rm", "restore"],
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=list(ACTIONS), help=meanings(ACTIONS))
    parser.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        help="note:NAME, daily:DATE, scratchpad, long_term, or a path in the store; a heading; an id",
    )
    parser.add_argument("new", metavar="NEW", nargs="?", help="the new name")
    parser.add_argument("--to", metavar="SLUG", help="the project to move to")
    parser.add_argument("--into", metavar="KIND[:ROOT]", help="the store to copy or move into; its changes are shown")
    parser.add_argument("--into-group", metavar="NAME", help="whose memory there (default: the folder's)")
    parser.add_argument("--as", dest="role", choices=list(ROLES), help="what it shall be there (default: as an export has it)")
    parser.add_argument("--alone", action="store_true", help="leave the index that lists the file as it is")
    secrets_arguments(parser)


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action and print the outcome."""
    session.dry_run = args.dry_run
    check_meant("file", args.action, args, _ONLY)
    takes = {"trash": 0, "rename": 2, "copy": 2, "move": 2 if args.into else 1}.get(args.action, 1)
    for word in filter(None, (args.target, args.new)[takes:]):
        raise BadContent(f"file {args.action} takes no {printable_path(word)!r}. Nothing was done.")
    if args.action == "trash":
        nothing = "There is no deleted file to bring back."
        return put_rows(args, "trash", file_ops.deleted(session), _as_json, _line, nothing, session)
    if args.into:
        return _across(session, args)
    if args.mask or args.allow_secrets:
        raise BadContent("--mask and --allow-secrets are for what goes out: use them with --into. Nothing was done.")
    if args.role or args.into_group:
        raise BadContent("--as and --into-group are for another store: use them with --into. Nothing was done.")
    if args.action == "entry":
        report = file_ops.log_entry(session, _given(args.target, "a heading"))
        done = FileOpResult(message=report.message, changed=int(report.changed), ref=session.mem().source_ref("daily"))
    else:
        done = _arrange(session, args)
    also = [printable_path(session.path(ref)) for ref in done.also]
    put_done(args, done.message, session, path=printable_path(session.path(done.ref)), also=also, written=0, warnings=[])
    return Exit.DONE if done.changed or args.action not in ("list", "unlist") else Exit.NOTHING


def _arrange(session: Session, args: argparse.Namespace) -> FileOpResult:
    match args.action:
        case "restore":
            return file_ops.restore(session, args.target, alone=args.alone)
        case "new" if _given(args.target, "note:NAME or scratchpad") == "scratchpad":
            return file_ops.new_scratchpad(session)
        case "new":
            target, name = named_target(session, args.target, dated=False)
            if target != "note":
                raise BadContent("only a note or the scratchpad can be made. Nothing was done.")
            return file_ops.new_note(session, name or "", alone=args.alone)
        case "rename":
            return file_ops.rename(session, _ref(session, args.target), note_name(_given(args.new, "a new name")), alone=args.alone)
        case "copy":
            ref, name = _ref(session, args.target), note_name(_given(args.new, "a new name"))
            return file_ops.duplicate(session, ref, name, alone=args.alone)
        case "move":
            return file_ops.move(session, _ref(session, args.target), _given(args.to, "--to SLUG"), alone=args.alone)
        case "list":
            return file_ops.add_listing(session, _ref(session, args.target))
        case "unlist":
            return file_ops.remove_listing(session, _ref(session, args.target))
        case _:
            return file_ops.delete(session, _ref(session, args.target), alone=args.alone)


def _across(session: Session, args: argparse.Namespace) -> int:
    """Copy or move a file into another store; print the diffs and the outcome."""
    from zsmem_tui.service import copying, stores  # deferred: imports the rules of all agents

    ref = _ref(session, args.target)
    target = stores.open_store(session.config, args.into, group=args.into_group or "", cwd=session.folder, clock=session.clock)
    names = {session.path(ref): note_name(args.new)} if args.new else {}
    wanted = copying.plan(
        [(session, [ref])], target, move=args.action == "move", role=ROLES.get(args.role), names=names, secrets=handling(args)
    )
    return carry_out(session, args, wanted)


def _as_json(version: Version) -> dict[str, object]:
    return {"id": version.id, "path": printable_path(version.path), "origin": version.origin}


def _line(version: Version) -> str:
    return f"{version.id:<16}  {printable_path(version.path)}"


def _ref(session: Session, word: str | None) -> MemRef:
    return target_ref(session, _given(word, "which file"))


def _given(word: str | None, what: str) -> str:
    if not word:
        raise BadContent(f"{what} is missing. Nothing was done.")
    return word
