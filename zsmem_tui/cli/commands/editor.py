"""The `zsmem editor` command: edit a file in the person's own editor."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put_either, report
from zsmem_tui.cli.reporting import target_ref
from zsmem_tui.core.layout import main_file
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.editing import head_lost
from zsmem_tui.service.external import EditConflict, edit_in_editor
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem editor
  zsmem editor scratchpad
  EDITOR='code --wait' zsmem editor note:deploy"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        help="long_term, scratchpad, daily, note:NAME, or a path in the store (default: what is in every prompt of the project)",
    )


def run(session: Session, args: argparse.Namespace) -> int:
    """Open a copy in the editor and save the result; the file itself is not touched meanwhile."""
    ref = target_ref(session, args.target) if args.target is not None else main_file(session.layout, session.project)
    if args.dry_run:
        message, size = f"Would edit {printable_path(session.path(ref))}", 0
    else:
        try:
            done = edit_in_editor(session, ref)
        except EditConflict as error:
            report(error)
            return Exit.CONFLICT
        message = f"{'Saved' if done.is_saved else 'Nothing changed in'} {printable_path(done.path)}"
        if done.kept_lines:
            message += f", keeping {counted(done.kept_lines, 'line')} written meanwhile"
        message += head_lost(session, ref, done.before, done.outcome.text)
        size = done.size if done.is_saved else 0
    document = {"path": printable_path(session.path(ref)), "message": message, "written": size, "warnings": []}
    put_either(args, document, [message], session)
    return Exit.DONE if size or args.dry_run else Exit.NOTHING
