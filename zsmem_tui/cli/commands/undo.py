"""The `zsmem undo` command."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import WAS_DRY, Exit, put_either, say
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.folders import name_groups
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import in_words
from zsmem_tui.service.undoing import skip, undo, when_and_where

EXAMPLES = """\
  zsmem undo --dry-run
  zsmem undo
  zsmem undo --redo"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--redo", action="store_true", help="do again what was undone last")
    either.add_argument("--skip", action="store_true", help="pass over the last step: change nothing, and undo the one before next")


def run(session: Session, args: argparse.Namespace) -> int:
    """Undo the last step made on this machine, in the program or by a verb."""
    done = skip(session, dry_run=args.dry_run) if args.skip else undo(session, redo=args.redo, dry_run=args.dry_run)
    for each in (session, *done.sessions):
        name_groups(each)
    titled = in_words(done.message, [session, *done.sessions])
    paths = [printable_path(place) for place in done.places]
    path = paths[0] if paths else None
    document = {"path": path, "paths": paths, "message": done.message, "written": len(paths), "warnings": []}
    put_either(args, document, [titled] if done.done else [], session)
    if not done.done:
        say(titled)
    elif done.step is not None:
        say(when_and_where(session, done.step))
    if done.done and args.dry_run:
        say(WAS_DRY)
    if done.clashes:
        say("The program shows both sides (zsmem, then u); `zsmem undo --skip` passes over this step.")
        return Exit.CONFLICT
    return Exit.DONE if done.done else Exit.NOTHING
