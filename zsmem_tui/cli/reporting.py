"""Shared by verbs that write: parsing targets, reading content from standard input, printing reports."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from zsmem_tui.cli.colour import diff_spans, put_spans
from zsmem_tui.cli.output import Exit, put_done, put_json, put_line, say, tell
from zsmem_tui.core.errors import BadContent, BadName, BadTarget, Unreadable, encoded
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.outcomes import WriteReport
from zsmem_tui.core.refs import MemRef, Role, WriteTarget
from zsmem_tui.core.remotes import without_user
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.service.plan import Handling, Plan, Row

T = TypeVar("T")

_MOST_NAMED: Final = 2
"""Most actions that a sentence names as those which an option is for."""

_OF_ALL: Final = ("source", "target", "fate", "reason")
"""The JSON fields for each row; below, with those of bundles, of imports, and of exports."""

OF_BUNDLES: Final = (*_OF_ALL, "text")
OF_IMPORTS: Final = (*_OF_ALL, "taken", "group", "text", "warnings")
OF_EXPORTS: Final = (*_OF_ALL, "also", "text", "losses", "warnings", "every_turn")


def named_target(
    session: Session, word: str, name: str | None = None, *, what: str = "target", dated: bool = True
) -> tuple[str, str | None]:
    """Parse `TARGET:NAME`, or target and name as two arguments. `dated`: a log's date may be named. `what` is the first argument's
    name.

    Raises `BadTarget` with a suggestion for an unknown target, `BadContent` if the name is given twice, `BadName` for a note
    without one.
    """
    known = [*WriteTarget, *(["list"] if what == "source" else [])]
    named = (WriteTarget.NOTE, WriteTarget.DAILY) if dated else (WriteTarget.NOTE,)
    target, colon, own = word.partition(":")
    if target not in known:
        raise _unknown(session, word, known, what)
    if colon and name is not None:
        raise BadContent(f"{target} is named twice, as {own!r} and as {name!r}. Nothing was done.")
    if name is not None and target not in named:
        raise BadContent(f"{target} takes no name. Nothing was done.")
    if colon and target not in named:
        raise BadTarget(f"{target} takes no name: {word!r} means no file. Nothing was done.")
    if target == WriteTarget.NOTE and not (own or name):
        raise BadName("a note needs a name. Nothing was done.", "As in note:NAME.")
    return target, own if colon else name


_CALLED: Final = {"memory": Role.FACTS, "todo": Role.CHECKLIST, "tasks": Role.CHECKLIST, "today": Role.LOG}
"""What people call the files that a target names; the role's own name is another word for it."""


def _unknown(session: Session, word: str, known: Sequence[str], what: str) -> BadTarget:
    from zsmem_tui.core.suggest import near  # deferred: needed only after a mistake

    if path := _other_file(session, word):
        title = session.layout.title
        said = f"{path} is no memory: {title} looks for none of its name there. It is not reviewed, and no version of it is kept."
        return BadTarget(f"{said} Nothing was done.", "Both are done with Markdown files where its memory lies.")
    ref, day = session.layout.ref, session.clock().date().isoformat()  # as a name, a date is valid for notes and logs
    there = [each for each in known if each == "list" or ref(WriteTarget(each).role, session.project, day) is not None]
    note = near(word, names_of_files(session))
    role = _CALLED.get(word, word)
    found = next((each for each in there if each != "list" and WriteTarget(each).role == role), "") or near(word, there)
    found = found or (note if note.endswith(EXTENSION) else note and f"{WriteTarget.NOTE}:{note}")
    topic = named_ref(session, f"{word}{EXTENSION}")
    index = ref(Role.INDEX, session.project) if word == Role.INDEX else None  # as `status` calls it
    found = index.path.rpartition("/")[2] if index is not None else found
    found = found or (f"{WriteTarget.NOTE}:{word}" if topic is not None and os.path.lexists(session.path(topic)) else "")
    guess = f" Did you mean '{printable_path(found)}'?" if found else ""
    *others, last = [*there, "the path of a file in the store"]
    return BadTarget(
        f"unknown {what}: {printable_path(word)}.{guess} Nothing was done.", f"{what.title()}s are {', '.join(others)} and {last}."
    )


def _other_file(session: Session, word: str) -> str:
    """The path below the root of a file that is there and no memory; empty if the word names none."""
    home, inside = session.layout.home_of(session.project), os.path.normpath(word.removeprefix(f"{session.root}/"))
    for path in (inside, *([f"{home}/{inside}"] if home else [])):
        ref = MemRef(path)  # as no place of memory gives it
        if os.path.isfile(session.path(ref)) and session.ref_at(path) == ref and not session.leaves_store(ref):
            return printable_path(path)
    return ""


def names_of_files(session: Session) -> list[str]:
    """The names of notes and of the file always in the prompt; in stores of another kind, the paths of all files."""
    from zsmem_tui.service.completing import targets  # deferred: needed only after a mistake

    words = [each.text for each in targets(session)]
    facts = session.layout.ref(Role.FACTS, session.project)
    own = [facts.path] if facts is not None and not session.store else []
    mark = f"{WriteTarget.NOTE}:"
    return [*own, *(word.removeprefix(mark) for word in words if word.startswith(mark) or session.store)]


def meanings(actions: Mapping[str, str]) -> str:
    """What each first word of a verb does."""
    return "; ".join(f"{name}: {text}" for name, text in actions.items())


def unknown_action(verb: str, word: str, actions: Mapping[str, str], hint: str = "") -> BadContent:
    """The error for an unknown first word of a verb, which names the known ones behind a `hint`."""
    from zsmem_tui.cli.mistaken import SYNONYMS  # deferred: needed only after a mistake
    from zsmem_tui.core.suggest import did_you_mean  # the same

    guess = did_you_mean(SYNONYMS.get(word, word), actions)
    return BadContent(
        f"{verb} has no action {printable_path(without_user(word))!r}.{guess} Nothing was done.",
        f"{hint}It has {', '.join(actions)}: `zsmem {verb} --help` says what each does.",
    )


def check_meant(verb: str, action: str, args: argparse.Namespace, only: Mapping[str, Sequence[str]]) -> None:
    """Raise `BadContent` if an option is given that means nothing to this action; `only` says to which each means something."""
    for option, actions in only.items():
        if getattr(args, option) and action not in actions:
            owners = " and ".join(f"`{verb} {each}`" for each in actions)
            own = f" It is for {owners}." if 0 < len(actions) <= _MOST_NAMED else ""
            raise BadContent(f"--{option.replace('_', '-')} means nothing to `{verb} {action}`.{own} Nothing was done.")


def globs_argument(parser: argparse.ArgumentParser, option: str, help: str) -> None:
    """Add an option for a glob pattern, which may be given several times."""
    parser.add_argument(option, metavar="GLOB", action="append", default=[], help=help)


def note_name(word: str) -> str:
    """The name of a note, given as is or as `note:NAME`. Raises `BadTarget` for another target."""
    target, colon, name = word.partition(":")
    if colon and target in (*WriteTarget,) and target != WriteTarget.NOTE:
        raise BadTarget(f"{target} takes no name: {word!r} is no note. Nothing was done.")
    return name if colon and target == WriteTarget.NOTE else word


def target_ref(session: Session, word: str) -> MemRef:
    """The file for a path in the store, even if it does not exist, or for a target.

    Raises `BadTarget`, `BadName` or `BadContent`.
    """
    found = named_ref(session, word) or (None if word.startswith("/") else find_ref(session.layout, word))
    return session.mem().source_ref(*named_target(session, word)) if found is None else found


def name_argument(parser: argparse.ArgumentParser, *, dated: bool = True) -> None:
    """Add the `--name` option: the name of a note, or if `dated`, the date of a log."""
    what = "the note's name or the log's date" if dated else "the note's name"
    parser.add_argument("--name", metavar="NAME", help=f"{what}, where no colon has it")


def target_meant(session: Session, word: str, called: str) -> str:
    """A question with the existing note that a missing one, named by a target and `--name`, may be a misspelling of; or empty."""
    from zsmem_tui.core.suggest import near  # deferred: needed only if nothing was found

    target, _, name = word.partition(":")
    name = name or called
    is_path = named_ref(session, word) is not None
    if not is_path and (target != WriteTarget.NOTE or not name):
        return ""
    known, name = names_of_files(session), word if is_path else name
    found = "" if name in known else near(name, known)
    said = found if found.endswith(EXTENSION) else f"{WriteTarget.NOTE}:{found}"
    what = "file" if is_path else "note"
    return f"There is no {what} {printable_path(name)}. Did you mean {printable_path(said)}?" if found else ""


def named_ref(session: Session, word: str) -> MemRef | None:
    """The file at a path: absolute, below the root, below the group's folder, or the file name of an existing note.

    In zerostack's store, a missing file must be one that a target could name; else None.
    """
    layout, home = session.layout, session.layout.home_of(session.project)
    if word.startswith("/"):
        inside = word.removeprefix(f"{session.root}/")
        return find_ref(layout, inside) if inside != word else None
    found = [ref for each in (word, f"{home}/{word}" if home else word) if (ref := find_ref(layout, each)) is not None]
    is_name = word.endswith(EXTENSION) and "/" not in word
    note = layout.ref(Role.NOTE, session.project, word.removesuffix(EXTENSION)) if is_name else None
    there = next((ref for ref in (*found, note) if ref is not None and os.path.lexists(session.path(ref))), None)
    if there is not None or session.store:
        return there or next(iter(found), None)
    return next((ref for ref in found if ref.role and layout.ref(ref.role, session.project, ref.name) == ref), None)


def content_of(word: str | None) -> str:
    """The content argument; standard input for `-` or None. Raises `BadContent`."""
    if word is not None and word != "-":
        return text_of(word)
    raw = from_input(lambda stream: stream.read(), "Nothing was written.")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadContent("standard input is not valid UTF-8. Nothing was written.") from error


def text_of(word: str) -> str:
    """An argument that becomes text of a file. Raises `BadContent` for bytes that are none."""
    encoded(word)
    return word


def from_input(take: Callable[[BinaryIO], T], outcome: str) -> T:
    """What `take` reads of standard input. Raises `BadContent` or `Unreadable`, which say with `outcome` what was not done."""
    if sys.stdin is None:
        raise BadContent(f"there is no standard input to read from. {outcome}")
    try:
        return take(sys.stdin.buffer)
    except OSError as error:
        raise Unreadable("", f"standard input could not be read: {error.strerror or error}. {outcome}") from error


def said_yes(outcome: str) -> bool:
    """Whether the next line of standard input agrees. Raises like `from_input`."""
    return from_input(lambda stream: stream.readline(), outcome).strip().lower() in (b"y", b"yes")


def put_rows_of(
    session: Session,
    args: argparse.Namespace,
    format: str,
    rows: Sequence[Row],
    told: Sequence[str],
    plain: bool = False,
    **more: Any,
) -> None:
    """Print rows of a plan as lines, or as the `items` of a JSON document together with `more`.

    `told` are the fields in the JSON. Credentials are masked unless `plain`.
    """
    if args.json:
        put_json(
            {"format": format, "items": [_as_json(row, told, plain=plain) for row in rows], "dry_run": args.dry_run, **more},
            session,
        )
    for row in rows if not args.json else ():
        put_line(line_of(row, row.place if told is OF_EXPORTS else row.ref.path))


def _as_json(row: Row, told: Sequence[str], *, plain: bool) -> dict[str, Any]:
    """A row as JSON. Exports show the absolute target, others the path in the store."""
    from zsmem_tui.service.outgoing_secrets import shown  # deferred: imports the patterns for credentials

    text = row.text.encode("utf-8", "replace").decode()
    every = {
        "source": printable_path(row.source),
        "also": [printable_path(each) for each in row.also if each != row.source],
        "target": printable_path(row.place if told is OF_EXPORTS else row.ref.path),
        "fate": row.fate.value,
        "reason": row.reason,
        "taken": row.ticked,
        "group": printable_path(row.group),
        "text": text if plain or "text" not in told else shown(text),
        "losses": list(row.losses),
        "warnings": list(row.warnings),
        "every_turn": row.cost,
    }
    return {name: every[name] for name in told}


def line_of(row: Row, goes_to: str) -> str:
    """A row as a line: what happens to an item, its target, the reason, and notes."""
    from zsmem_tui.core.visible import visible_line  # deferred: only rows of plans need it

    goes = f" -> {printable_path(goes_to)}" if goes_to else ""
    stop = "." if row.losses or row.warnings else ""
    why = f": {row.reason}{stop}" if row.reason else ""
    cost = f" [{counted(row.cost, 'byte')} on every turn]" if row.cost else ""
    said = "".join(f" {sentence}" for sentence in (*row.losses, *row.warnings))
    sources = ", ".join(map(printable_path, dict.fromkeys((row.source, *row.also))))
    return visible_line(f"{row.fate.value:<9}  {sources}{goes}{why}{cost}{said}")


def put_changes(args: argparse.Namespace, place: str, before: bytes | None, after: bytes | None) -> dict[str, Any]:
    """Print the diff of a file and return it for a JSON document. Credentials are masked."""
    from zsmem_tui.core.checks.redact import redacted  # deferred: imports the patterns for credentials
    from zsmem_tui.core.diff import diff  # deferred: imports the merge
    from zsmem_tui.core.visible import visible_line  # deferred: as below

    sides = redacted(before, after)
    rows = diff(sides[0] or b"", sides[1] or b"")
    if not args.json:
        put_spans(args, diff_spans(visible_line(printable_path(place)), rows))
    return {"path": printable_path(place), "diff": [f"{row.side}{row.text}" for row in rows]}


def carry_out(session: Session, args: argparse.Namespace, plan: Plan) -> int:
    """Apply a plan, or with `--dry-run` do not. Print each changed file and the outcome; return the exit code."""
    from zsmem_tui.service import applying  # deferred: imports the write path

    for each in plan.sessions:
        each.dry_run = args.dry_run
    done = applying.apply(plan)
    tell(args, done.message)
    losses = (loss for row in plan.rows for loss in row.losses)
    warnings = [*plan.left, *plan.notes, *sentences(plan.findings), *losses, *filter(None, (plan.gate.said,))]
    changes = [put_changes(args, each.place, each.before, each.after) for each in plan.changes]
    for warning in warnings if not args.json else ():
        say(warning)
    fate = {"fate": plan.rows[0].fate.value} if plan.rows else {}
    put_done(args, done.message, session, undo_problem=done.undo_problem, **fate, changes=changes, warnings=warnings)
    return Exit.DONE if done.changed else Exit.NOTHING


def put_report(session: Session, args: argparse.Namespace, report: WriteReport, more: Sequence[str] = ()) -> int:
    """Print a write report; warnings, and `more` of them, go to standard error."""
    warnings = [*report.warnings, *more]
    put_done(args, report.message, session, path=printable_path(report.path), written=report.written, warnings=warnings)
    for warning in warnings:
        say(warning)
    return Exit.DONE if report.changed else Exit.NOTHING


def secrets_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for credentials that would leave the store; without either, nothing leaves."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--mask", action="store_true", help="mask credentials that would go out: their first four characters; the store keeps them"
    )
    either.add_argument("--allow-secrets", action="store_true", help="let credentials go out as they are")


def handling(args: argparse.Namespace) -> Handling:
    """How to handle credentials, according to the options."""
    from zsmem_tui.service.plan import Handling  # deferred: imports the messages of findings

    return Handling.MASK if args.mask else Handling.ALLOW if args.allow_secrets else Handling.STOP
