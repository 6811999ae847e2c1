"""The `zsmem sync` command: set up sync, run it, and show its status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, Final

from zsmem_tui.cli.output import Exit, put_done, put_either, put_json, put_line, say, tell
from zsmem_tui.cli.reporting import check_meant, handling, meanings, said_yes, secrets_arguments, unknown_action
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.moments import to_the_minute
from zsmem_tui.core.text import counted, printable_path, raw_lines
from zsmem_tui.service.session import Session
from zsmem_tui.service.sync import running, setting_up
from zsmem_tui.service.sync.running import Came
from zsmem_tui.service.sync.setting_up import Offer

EXAMPLES = """\
  zsmem sync setup ~/nas/memory.git
  zsmem sync setup git@example.org:me/memory.git --store claude-code
  zsmem sync --dry-run
  zsmem sync
  zsmem sync join claude-code/api-1a2b3c4d ~/code/api
  zsmem sync status --json | jq .last"""

_MOST_LISTED: Final = 20
"""Maximum number of files listed in each direction."""

ACTIONS = {
    "setup": "REMOTE: show what would go there, ask, and remember it",
    "status": "how it stands, or with GROUP what that holds in the branch; the remote is not asked",
    "join": "GROUP FOLDER: the folder here of a group of another machine",
    "off": "send and fetch nothing any more",
}


_ONLY = {"branch": ["setup"], "machine": ["setup"], "store": ["setup"], "yes": ["setup"], "forget_remote": ["off"]}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("words", metavar="ACTION [PLACE]", nargs="*", help=f"{meanings(ACTIONS)}; without one: sync now")
    parser.add_argument("--branch", metavar="NAME", help="setup: the branch (default: zsmem)")
    parser.add_argument("--machine", metavar="NAME", help="setup: what this machine is called (default: its host name)")
    parser.add_argument("--yes", action="store_true", help="setup: do it without asking")
    parser.add_argument("--forget-remote", action="store_true", help="off: drop what is remembered of the remote, too")
    secrets_arguments(parser)


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action."""
    action, *words = args.words or ["now"]
    if action not in (*ACTIONS, "now") or (action == "now" and args.words):
        raise unknown_action("sync", action, ACTIONS)
    counts = {"setup": 1, "join": 2}
    if len(words) != counts.get(action, 0) and (action, len(words)) != ("status", 1):
        takes = ACTIONS[action] if action in counts else "one group at most" if action == "status" else "nothing more"
        raise BadContent(f"sync {action} takes {takes}. Nothing was done.")
    check_meant("sync", action, args, _ONLY)
    for option in ("mask", "allow_secrets"):
        if getattr(args, option) and action != "now":
            raise BadContent(f"--{option.replace('_', '-')} belongs to `zsmem sync`, which sends. Nothing was done.")
    match action:
        case "setup":
            return _set_up(session, args, words[0])
        case "status":
            return _held(session, args, words[0]) if words else _status(session, args)
        case "join":
            put_done(args, setting_up.join(session.config, *words, dry_run=args.dry_run), session)
        case "off":
            put_done(args, setting_up.off(forget_remote=args.forget_remote, dry_run=args.dry_run), session)
        case _:
            return _sync(session, args)
    return Exit.DONE


def _set_up(session: Session, args: argparse.Namespace, remote: str) -> int:
    name, kinds, machine = args.branch or "zsmem", args.store or (), args.machine or ""
    made = setting_up.offer(session.config, remote, branch_name=name, stores=kinds, machine=machine)
    if not args.json:
        for each in made.going:
            put_line(
                f"{each.files:>6} files {each.size:>12} bytes  {printable_path(each.group)}  {printable_path(each.folder)}".rstrip()
            )
        for sentence in made.left:
            say(sentence)
    is_sure = not args.dry_run and (args.yes or _is_sure(made))
    if is_sure:
        setting_up.confirm(made)
    done = "It is set up: `zsmem sync` sends it, and stops before a credential."
    ends = done if is_sure else "Nothing was set up, and nothing is sent."
    if is_sure:
        tell(args, done)
    if args.json:
        put_json({**_offer_json(made), "set_up": is_sure, "message": ends, "dry_run": args.dry_run}, session)
    else:
        put_line(f"{made.said} {ends}")
    return Exit.DONE if is_sure else Exit.NOTHING if args.dry_run else Exit.REFUSED


def _is_sure(made: Offer) -> bool:
    """Ask whether to set it up; False if there is no standard input."""
    if sys.stdin is None:
        return False
    if sys.stdin.isatty():
        print(f"{made.said} Set it up? [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a question
    return said_yes("Nothing was set up, and nothing is sent.")


def _sync(session: Session, args: argparse.Namespace) -> int:
    done = running.sync(session.config, secrets=handling(args), dry_run=args.dry_run)
    tell(args, done.said)
    if args.json:
        put_json(
            {
                "remote": done.remote,
                "machine": done.machine,
                "pulled": [_row(each) for each in done.pulled],
                "pushed": [_row(each) for each in done.pushed],
                "both": _both(done.both),
                "waiting": _waiting(done.waiting),
                "left": list(done.left),
                "dry_run": args.dry_run,
                "last": to_the_minute(done.last) if done.last else None,
            },
            session,
        )
    else:
        for sign, rows in (("<", done.pulled), (">", done.pushed)):
            for each in rows[:_MOST_LISTED]:
                counts = f"+{each.lines_added} -{each.lines_removed}" if each.lines_added is not None else ""
                who = f"  {each.writers} on {each.machine}" if each.writers else f"  {each.machine}" if each.machine else ""
                put_line(f"{sign} {each.path}  {counts}{who}".rstrip())
            if len(rows) > _MOST_LISTED:
                put_line(f"{sign} … and {counted(len(rows) - _MOST_LISTED, 'file')} more; --json lists all")
        for pair in _both(done.both):
            say(f"{pair['path']}:{pair['line']}: both machines changed this; both stand there. Review it.")
        for group in _waiting(done.waiting):
            say(f"{group['group']} is on {group['machine'] or 'another machine'} only: `zsmem sync join {group['group']} FOLDER`.")
        for sentence in (*done.left, *filter(None, (done.masked, done.undo_problem))):
            say(sentence)
        put_line(done.said)
    return Exit.DONE if done.changed else Exit.NOTHING


def _status(session: Session, args: argparse.Namespace) -> int:
    found = setting_up.status()
    if args.json:
        about = {
            "on": found.is_on,
            "remote": found.shown or None,
            "branch": found.branch or None,
            "machine": found.machine.name or None,
            "stores": found.stores,
            "both": _both(found.both),
            "waiting": _waiting(found.waiting),
            "last": to_the_minute(found.last) if found.last else None,
            "problem": found.problem or None,
        }
        put_json(about, session)
        return Exit.DONE if found.is_on else Exit.NOTHING
    if not found.remote:
        put_line("Sync is not set up. `zsmem sync setup REMOTE` shows what would go, and asks.")
        return Exit.NOTHING
    put_line(
        f"{'on' if found.is_on else 'off'}: {found.shown}, branch {found.branch}, as {found.machine.name}; "
        f"{', '.join(found.stores)}"
    )
    put_line(f"last: {to_the_minute(found.last) if found.last else 'never'}")
    for each in _both(found.both):
        put_line(f"both changed: {each['path']}:{each['line']}")
    for group in _waiting(found.waiting):
        put_line(f"on {group['machine'] or 'another machine'} only: {group['group']}")
    if found.problem:
        put_line(f"last problem: {found.problem}")
    return Exit.DONE if found.is_on else Exit.NOTHING


def _held(session: Session, args: argparse.Namespace, group: str) -> int:
    texts = {printable_path(path): raw.decode("utf-8", "replace") for path, raw in setting_up.texts_of(group).items()}
    document = {"files": [{"path": path, "text": text} for path, text in texts.items()]}
    put_either(args, document, (row for path, text in texts.items() for row in (f"== {path}", *raw_lines(text.rstrip()))), session)
    return Exit.DONE


def _offer_json(made: Offer) -> dict[str, Any]:
    return {
        "remote": made.setup.shown,
        "branch": made.setup.branch,
        "machine": made.setup.machine.name,
        "groups": [
            {"group": each.group, "folder": each.folder or None, "files": each.files, "bytes": each.size} for each in made.going
        ],
        "left": list(made.left),
    }


def _row(each: Came) -> dict[str, Any]:
    return {**each._asdict(), "writers": [who for who in each.writers.split(", ") if who], "machine": each.machine or None}


def _both(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"path": printable_path(each["path"]), "line": each["line"]} for each in found]


def _waiting(found: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"group": printable_path(each["group"]), "machine": printable_path(", ".join(each["machines"]))} for each in found]
