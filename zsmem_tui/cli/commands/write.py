"""The `zsmem write` command: add to a memory file, or replace it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from zsmem_tui.cli.output import say
from zsmem_tui.cli.reporting import carry_out, content_of, name_argument, named_ref, named_target, put_report
from zsmem_tui.core.errors import BadContent, BadName
from zsmem_tui.core.refs import Role, WriteTarget
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem write long_term '- prefers tabs over spaces'
  zsmem write scratchpad '- [ ] rotate the deploy key'
  git diff --stat | zsmem write daily -
  zsmem write note:deploy --mode overwrite < deploy.md
  zsmem write note deploy 'a line more'
  zsmem write note --name redis --alias cache --alias 'in-memory store'
  zsmem write long_term '- a fact' --dry-run
  zsmem write MEMORY.md '- a fact' --store claude-code

A new note of Claude Code's also gets its line in MEMORY.md, by which the agent finds it, in the same step."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="long_term, scratchpad, daily or note:NAME, as far as the agent has such files; or the path of a file in the store",
    )
    parser.add_argument(
        "words",
        metavar="CONTENT",
        nargs="*",
        default=[],
        help="the text, behind the name where the target is just note; standard input when it is missing or -",
    )
    name_argument(parser, dated=False)
    parser.add_argument(
        "--alias",
        metavar="WORDS",
        action="append",
        default=[],
        help="for a note, repeatable: words by which somebody else would look for it; alone, only these are written",
    )
    parser.add_argument("--mode", choices=["append", "overwrite"], default="append", help="add at the end (default), or replace")


def run(session: Session, args: argparse.Namespace) -> int:
    """Write and print the report."""
    ref = named_ref(session, args.target)
    words = list(args.words)
    if ref is None and args.target == WriteTarget.NOTE and args.name is None and len(words) > 1:  # a single word may be either
        args.name = words.pop(0)
    if ref is None and args.target == WriteTarget.NOTE and args.name is None and words:
        raise BadName(
            f"a note needs a name, and {printable_path(words[0])!r} may be that or the text. Nothing was written.",
            "As in `zsmem write note:NAME TEXT`; without TEXT it comes from standard input.",
        )
    target, name = ("", None) if ref is not None else named_target(session, args.target, args.name, dated=False)
    if len(words) > 1:
        raise BadContent(f"write takes one text, and there is also {words[1]!r}. Nothing was written.", "Put it in quotes.")
    if ref is not None and not ref.path.isprintable() and not os.path.lexists(session.path(ref)):
        raise BadName("a new file has a name that can be read: no line breaks, no control characters. Nothing was written.")
    content = _content(words, args)
    mem = session.mem(dry_run=args.dry_run)
    if args.alias and not content:
        from zsmem_tui.service import recall  # deferred: imports the search

        return carry_out(session, args, recall.add_aliases(session, ref or mem.source_ref(target, name), args.alias))
    from zsmem_tui.service import previewing  # deferred: 13 ms, with the preview

    if not content.strip() and not (
        args.mode == "overwrite" and os.path.lexists(session.path(ref or mem.source_ref(target, name)))
    ):
        is_note = target == WriteTarget.NOTE or (ref is not None and ref.role is Role.NOTE)
        hint = "`zsmem file new note:NAME` makes an empty note." if is_note else "`--mode overwrite` empties a file."
        raise BadContent("the text is empty. Nothing was written.", hint)
    place = mem.source_ref(target) if ref is None and target != WriteTarget.NOTE else ref
    before = 0 if place is None else previewing.lost_lines(session, place)
    if ref is None:
        done = mem.write(target, content, args.mode, name, aliases=args.alias)
    else:
        done = mem.write_at(ref, content, args.mode, aliases=args.alias)
    if args.dry_run and done.changed and os.path.lexists(done.path):  # not for a new file
        say(f"It would {'be added at the end' if args.mode == 'append' else 'take the place of what is there'}.")
    more = 0 if place is None or not done.changed else previewing.lost_lines(session, place, done.after) - before
    full = f"The prompt is full: {counted(more, 'line')} more {'is' if more == 1 else 'are'} lost. `zsmem fit` makes room."
    return put_report(session, args, done, [full] if more > 0 else [])


def _content(words: Sequence[str], args: argparse.Namespace) -> str:
    """The text to write; empty if only aliases are to be written."""
    if not words and args.alias and (sys.stdin is None or sys.stdin.isatty()):
        return ""
    return content_of(words[0] if words else None)
