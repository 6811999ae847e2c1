"""The `zsmem review` command: list, accept and revert what others wrote, and bring back what they wiped."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from string import hexdigits
from typing import Any

from zsmem_tui.cli.output import LONGEST_LINE, WAS_DRY, Exit, put_either, put_json, put_line, say
from zsmem_tui.cli.reporting import meanings, target_ref, unknown_action
from zsmem_tui.core.checks.secret import masked_each
from zsmem_tui.core.errors import BadContent, HistoryError, MemError
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path, raw_lines, truncate
from zsmem_tui.core.version import Author, AuthorKind
from zsmem_tui.service import folders, history, review_lines, reviewing
from zsmem_tui.service.folders import name_groups
from zsmem_tui.service.review_lines import Listed, Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.titles import in_words, title_of

EXAMPLES = """\
  zsmem review
  zsmem review accept 1f3a9c02 77b2e410
  zsmem review revert 5d0c
  zsmem review --json | jq -r '.files[].hunks[].lines[] | select(.added | test("TODO"))? | .id'
  zsmem review accept --all"""

ACTIONS = {
    "list": "what others wrote since you last looked, each file, hunk and line with its id",
    "accept": "mark files, hunks or lines as seen",
    "revert": "take out what others added, put back what they took; undo brings it again",
    "back": "bring back what was wiped, also a whole memory that is gone; its folder is made anew if it is missing",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "words", metavar="ACTION [ID]", nargs="*", help=f"{meanings(ACTIONS)}. An id's first letters do; note:NAME is a file"
    )
    parser.add_argument("--all", action="store_true", help="accept: everything that waits")
    parser.add_argument("--dry-run", action="store_true", help="accept, revert, back: say what would happen, and change nothing")


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action."""
    action, *ids = args.words or ["list"]
    if action not in ACTIONS:
        raise unknown_action("review", action, ACTIONS)
    if args.all and (action != "accept" or ids):
        raise BadContent("--all is for `review accept` without ids. Nothing was done.")
    is_alone = action in ("list", "back")
    if ids if is_alone else not ids and not args.all:
        needs = "nothing more" if is_alone else "the ids of files, hunks or lines"
        raise BadContent(f"review {action} needs {needs}. Nothing was done.")
    history.look_at_all(session)
    name_groups(session)
    if action == "back":
        return _bring_back(session, args)
    if gone := reviewing.gone_words(session, reviewing.wipes(session)):
        say(f"{gone} `zsmem review back` brings them back.")
    found = sorted(review_lines.listed(session), key=lambda each: bool(_other_project(session, each.change)))
    if action == "list":
        return _list(session, found, args)
    picks = (
        [Pick(each.change) for each in found]
        if args.all
        else review_lines.by_ids(found, [_id_of(session, found, word) for word in ids])
    )
    return _judge(session, action, picks, args)


def _id_of(session: Session, found: list[Listed], word: str) -> str:
    """The id of the pending file that a word such as `note:deploy` names; else the word itself, as an id."""
    if not set(word) - set(hexdigits):
        return word
    try:
        ref = target_ref(session, word)
    except MemError:
        return word
    return next((each.id for each in found if each.change.ref.path == ref.path), word)


def _list(session: Session, found: list[Listed], args: argparse.Namespace) -> int:
    if args.json:
        put_json({"files": [_as_json(each) for each in found]}, session)
    else:
        for other, some in groupby(found, key=lambda each: _other_project(session, each.change)):
            if other:
                put_line(f"{other}, another project:")
            for each in some:
                _put_file(session, each)
    others = [] if args.json or args.root or args.store else _in_other_stores(session, args.cwd or "")
    if not found:
        say(f"Nothing to review in the memory of {session.layout.title}." if others else "Nothing to review.")
    for sentence in others:
        say(sentence)
    return Exit.DONE if found else Exit.NOTHING


def _in_other_stores(session: Session, cwd: str) -> list[str]:
    """Say for each other agent's memory how many of its files others changed, and how to see them."""
    stores, found = folders.beside(session, session.config, cwd=cwd).sessions, []
    kinds = Counter(each.layout.kind for each in (session, *stores))
    for each in stores:
        with suppress(HistoryError):  # `today` says it
            if each.root_problem() or each.store_problem():
                continue
            history.look_at_all(each)
            if count := len(reviewing.unreviewed(each)):
                where = each.layout.kind if kinds[each.layout.kind] == 1 else shlex.quote(printable_path(each.store))
                found.append(
                    f"Others changed {counted(count, 'file')} of {each.layout.title}: `zsmem review --store {where}` lists them."
                )
    return found


def _bring_back(session: Session, args: argparse.Namespace) -> int:
    wipes = reviewing.wipes(session)
    if not wipes:
        say("Nothing to bring back: no text that others deleted is missing.")
        return Exit.NOTHING
    if args.dry_run:
        return _say_dry(session, args, "bring back", (title_of(each.ref, session) for each in wipes))
    done = reviewing.restore_wiped(session, wipes)
    _put_result(session, done, done.changed, args)
    return Exit.DONE if done.changed else Exit.NOTHING


def _judge(session: Session, action: str, picks: list[Pick], args: argparse.Namespace) -> int:
    if not picks:
        say("Nothing to review.")
        return Exit.NOTHING
    if args.dry_run:
        _say_whose(session, picks)
        act = "mark as seen" if action == "accept" else "revert"
        return _say_dry(session, args, act, (in_words(each.words, [session]) for each in picks))
    done = (review_lines.accept if action == "accept" else review_lines.revert)(session, picks)
    if done.conflicted:
        say(in_words(done.message, [session]))
        return Exit.CONFLICT
    _put_result(session, done, 0 if action == "accept" else done.changed, args)
    _say_whose(session, picks)
    if action == "accept":
        return Exit.DONE
    return Exit.CONFLICT if done.warning else Exit.DONE if done.changed else Exit.NOTHING


def _other_project(session: Session, change: PendingReview) -> str:
    """The name of the project that the file is of; empty for a file of the session's memory."""
    group = change.ref.project
    return "" if group in ("", EVERYBODY, session.project) else session.group_name(group)


def _say_whose(session: Session, picks: list[Pick]) -> None:
    """Say of which other projects the files are, if there are any."""
    others = Counter(filter(None, (_other_project(session, each.change) for each in picks)))
    if others:
        of = ", ".join(f"{count:,} of {project}" for project, count in others.items())
        say(f"Of the {counted(len(picks), 'file')}, other projects have {others.total():,}: {of}.")


def _say_dry(session: Session, args: argparse.Namespace, act: str, what: Iterable[str]) -> int:
    message = f"Would {act}: {', '.join(what)}."
    put_either(args, {"path": printable_path(session.root), "message": message, "written": 0, "warnings": []}, [message], session)
    say(WAS_DRY)
    return Exit.DONE


def _put_result(session: Session, done: VerbResult, written: int, args: argparse.Namespace) -> None:
    warnings = [done.message] if done.warning else []
    document = {"path": printable_path(session.root), "message": done.message, "written": written, "warnings": warnings}
    put_either(args, document, [in_words(done.message, [session])], session)


def _put_file(session: Session, each: Listed) -> None:
    """Print a file with its hunks and lines as a diff with ids."""
    change = each.change
    newest = change.versions[0].author if change.versions else Author(AuthorKind.UNNAMED)
    who = review_lines.authors(line for _, line in each.lines) or newest
    title = title_of(change.ref, session)
    state = f"  {_state(change)}{', before you reviewed it' * change.is_unseen}".rstrip()
    came, went = (change.added, change.removed) if change.is_unseen else change.told
    put_line(f"{each.id}  {title}  +{came} -{went}{state}  ({who})")
    if change.note:
        say(f"{title}: {change.note}")
    hunk = -1
    said = _texts(change)
    for id, line in each.lines:
        if line.change.hunk != hunk:
            hunk = line.change.hunk
            put_line(f"  {each.hunks[hunk]}  @ line {_line(line)}")
        for sign, text in zip("-+", said(line), strict=True):
            if text is not None:
                put_line(f"    {id}  {sign}{truncate(printable_path(text), LONGEST_LINE, '… (cut: --json has it whole)')}")
        if doubt := _warning_of(change, line):
            put_line(f"    {' ' * len(id)}  ! {doubt}")


def _state(change: PendingReview) -> str:
    """What became of the file as a whole; empty for one that was there and is."""
    return "renamed" if change.came_from else "new" if change.reviewed is None else "deleted" if change.now is None else ""


def _as_json(each: Listed) -> dict[str, Any]:
    change, said = each.change, _texts(each.change)
    return {
        "id": each.id,
        "path": printable_path(change.ref.path),
        "project": printable_path(change.ref.project),
        "state": _state(change) or "changed",
        "unseen": change.is_unseen,
        "added": change.told[0],
        "removed": change.told[1],
        "note": change.note or None,
        "when": change.versions[0].since // 10**9 if change.versions else None,
        "authors": sorted(change.authors),
        "hunks": [
            {
                "id": id,
                "author": review_lines.authors(line for _, line in each.lines if line.change.hunk == number) or None,
                "lines": [
                    _line_as_json(own, line, *said(line)) | {"warning": _warning_of(change, line) or None}
                    for own, line in each.lines
                    if line.change.hunk == number
                ],
            }
            for number, id in enumerate(each.hunks)
        ],
    }


def _line_as_json(id: str, line: ReviewLine, removed: str | None, added: str | None) -> dict[str, Any]:
    return {
        "id": id,
        "line": _line(line),
        "removed": removed,
        "added": added,
        "author": str(line.version.author) if line.version else None,
        "when": line.version.since // 10**9 if line.version else None,
    }


def _warning_of(change: PendingReview, line: ReviewLine) -> str:
    """Why an added line should be checked; empty if there is no reason."""
    at = line.change.added
    return reasons(each for each in change.hazards if at is not None and each.line == at + 1)


def _line(line: ReviewLine) -> int:
    """The 1-based number of a line in the new text, or of a removed line in the reviewed text."""
    at = line.change.added if line.change.added is not None else line.change.removed
    return (at or 0) + 1


def _texts(change: PendingReview) -> Callable[[ReviewLine], tuple[str | None, str | None]]:
    """What gives the old and the new text of a line of this file, with credentials masked; some of these span several lines."""
    seen, now = (masked_each(raw_lines((text or b"").decode("utf-8", "surrogateescape"))) for text in (change.reviewed, change.now))

    def said(line: ReviewLine) -> tuple[str | None, str | None]:
        removed, added = line.change.removed, line.change.added
        return (
            None if removed is None else seen[removed].removesuffix("\r"),
            None if added is None else now[added].removesuffix("\r"),
        )

    return said
