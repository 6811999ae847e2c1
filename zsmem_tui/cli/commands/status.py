"""The `zsmem status` command."""

from __future__ import annotations

import argparse
from typing import Final

from zsmem_tui.cli.output import Exit, put_json, put_line, put_lines, say
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.service.status import (
    describe,
    errors_known,
    full_percent,
    left_out,
    line,
    lost_lately,
    status,
    to_review,
    what_is_gone,
)

EXAMPLES = """\
  zsmem status
  zsmem status --cwd ~/code/lantern --json | jq .prompt.percent
  PS1='$(zsmem status --line 2>/dev/null) \\$ '"""


_MOST_TOLD: Final = 3
"""Most files of which status tells what they lost, and most of these lines of each."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--line", action="store_true", help="one short line for a shell's prompt or a status bar")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the state of the project's memory."""
    found, gone = status(session), what_is_gone(session)
    if args.line or args.json:
        from zsmem_tui.service.previewing import preview  # deferred: 13 ms, with the preview

        seen = preview(session)
        told = gone or line(found, seen, to_review(session), errors_known(session))
    if args.line and not args.json:
        put_line(visible_line(told))
        return Exit.DONE
    lost = lost_lately(session)
    if args.json:
        put_json(
            {
                "root": printable_path(session.root),
                "project": session.project,
                "profile": session.profile.value,
                "long_term_bytes": found.long_term_bytes,
                "open_items": found.open_items,
                "today_entries": found.today_entries,
                "files": found.files,
                "bytes": found.bytes,
                "prompt": {
                    "bytes": seen.size,
                    "needed": seen.needed,
                    "cap": seen.most,
                    "unit": seen.unit,
                    "percent": full_percent(seen),
                    "lost_lines": len(seen.lost),
                    "lost_facts": seen.loss().facts,
                    "left_out": [printable_path(use.path) for use in seen.uses if use.state.is_left_out],
                },
                "line": told,
                "dropped": [
                    {"path": printable_path(each.path), "lines": each.lines, "when": each.when // 10**9, "returned": each.returned}
                    for each in lost
                ],
            },
            session,
        )
        return Exit.DONE
    put_lines(describe(found, session.layout))
    if gone:
        say(f"{gone} `zsmem review back` brings them back.")
    for sentence in sentences(left_out(session)):
        say(sentence)
    for each in lost[:_MOST_TOLD]:
        from zsmem_tui.service import losses  # deferred: needed only for a message

        say(losses.describe(each))
        texts = (*each.lines, *each.returned)
        for text in texts[:_MOST_TOLD]:
            say(f"  {text}")
        if left := texts[_MOST_TOLD:]:
            say(f"  and {counted(len(left), 'line')} more")
    if more := lost[_MOST_TOLD:]:
        count = sum(len(each.lines) + len(each.returned) for each in more)
        say(f"The same happened to {counted(count, 'line')} in {counted(len(more), 'more file')}: `zsmem review` lists them.")
    return Exit.DONE
