"""The verbs on facts, for many facts in many files: one write a file, one step to undo, all of it or nothing.

A verb makes an `Act`: `apply` does it, `effect` says what it would do to the prompt, `texts_after` what would stand in the files.
Facts are found again by their words and lines in the texts that are there when it is written. What is moved is written in its new
place first, and only taken from the old one when it stands there unchanged: a move never loses a fact.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.core import fact_edits
from zsmem_tui.core.errors import BadContent, BadTarget, Conflict, StoreError, WriteFailed
from zsmem_tui.core.fact_edits import Block, Edge, NoHeading, Place, inserted, without
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.fact_prompt import effect as effect_of
from zsmem_tui.core.facts import Fact, facts, find_again
from zsmem_tui.core.layout import place_of
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.piece import Kind
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.service import previewing
from zsmem_tui.service.facts.rows import FactRow, name_of
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

Change = Callable[[str | None], str]
"""From the text of a file (None: no file) to the one it shall have. Raises `Conflict` or `BadTarget`."""

Read = Callable[[str], str | None]
"""The text of a file now, by its path; None when there is none."""

_BOX: Final = re.compile(
    "^(?P<front>[ \t]*(?:[-*+\u2022]|[0-9]{1,9}[.)])[ \t]+)(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])[ \t]+"
)
_BULLET: Final = re.compile("^(?P<front>[ \t]*(?:[-*+\u2022]|[0-9]{1,9}[.)])[ \t]+)")


class Target(NamedTuple):
    """Where facts go: a memory file, and a place in it (`Edge.TOP`, `Edge.END`, or a path of headings)."""

    ref: MemRef
    place: Place = Edge.END


@dataclass(frozen=True, slots=True)
class Act:
    """Something to do with facts. `label` names it in the list of steps, `done` says that it was done, `refused` that nothing was.

    `build` makes the changes of files, those that gain facts first, from the texts that are there now.
    """

    label: str
    done: str
    refused: str
    build: Callable[[Read], list[tuple[str, Change]]]


@says_undo
def apply(session: Session, act: Act) -> VerbResult:
    """Do it, as one step. Raises `Conflict` when a fact is gone, `BadTarget` for a heading that is, or `StoreError`.

    Nothing was written then, or the sentence says what was.
    """
    changed = 0
    with session.batch(act.label) as batch:
        for path, change in act.build(lambda path: _read(session, path, act.refused)):

            def rewrite(now: bytes | None, path: str = path, change: Change = change) -> bytes:
                return change(None if now is None else _decoded(session, path, now, act.refused)).encode()

            changed += batch.update(path, rewrite).changed
    message = act.done if changed else "It is so already."
    return VerbResult(printable_path(message), changed)


def texts_after(session: Session, act: Act) -> dict[str, str]:
    """What the files would hold if an act were done now, by path. Raises what `apply` raises before it writes."""
    changes = act.build(lambda path: _read(session, path, act.refused))
    return {path: change(_read(session, path, act.refused)) for path, change in changes}


def effect(session: Session, act: Act, project: str = "") -> Effect:
    """What the prompt of a project (default: the session's) would gain and lose; nothing is written.

    Raises what `texts_after` does.
    """
    about = previewing.subject(session)._replace(project=project or session.project)
    before = previewing.preview(session, about)
    return effect_of(before, previewing.preview(session, about, unsaved=texts_after(session, act)))


def delete(rows: Sequence[FactRow]) -> Act:
    """Take facts out of their files."""
    return _in_place(rows, "Deleted", "deleted", lambda text, found: without(text, found))


def to_top(rows: Sequence[FactRow]) -> Act:
    """Put facts above everything in their files but front matter and title, where a cut does not reach them."""
    return _in_place(rows, "Moved to the top", "moved", fact_edits.to_top)


def shift(row: FactRow, step: int) -> Act:
    """Move a fact one place down (`step` 1) or up (-1) below its heading."""
    way = "down" if step > 0 else "up"
    return _in_place([row], f"Moved {way}", "moved", lambda text, found: fact_edits.shifted(text, found[0], step))


def replace(row: FactRow, text: str) -> Act:
    """Give a fact other lines. Raises `BadContent` for none."""
    _need_words(text)
    return _in_place([row], "Edited", "changed", lambda old, found: fact_edits.replaced(old, found[0], text))


def reword(row: FactRow, words: str) -> Act:
    """Give the first line of a fact other words; bullet and box stay. Raises `BadContent` for none."""
    _need_words(words)
    return _in_place([row], "Edited", "changed", lambda old, found: fact_edits.reworded(old, found[0], words))


def add_below(row: FactRow, text: str) -> Act:
    """Add what a person typed as a fact below another, shaped like it. Raises `BadContent` for no words."""
    _need_words(text)
    act = _in_place([row], "Added", "added", lambda old, found: fact_edits.added_below(old, found[0], text))
    label = f"Added: {' '.join(text.split())[:60]}"
    return Act(label, f"Added 1 fact to {row.ref.path}.", act.refused, act.build)


def move(rows: Sequence[FactRow], target: Target) -> Act:
    """Move facts to another file, or to another place of theirs. What stands there already, letter for letter, is not put twice."""
    return _carry(rows, target, "Moved", keep=False)


def copy(rows: Sequence[FactRow], target: Target) -> Act:
    """Copy facts to another file."""
    return _carry(rows, target, "Copied", keep=True)


def promote(session: Session, rows: Sequence[FactRow], place: Place = Edge.END) -> Act:
    """Move facts to `MEMORY.md`. Raises `BadTarget` for one that is there."""
    ref = place_of(session.layout, Role.FACTS, session.project)
    if any(row.ref.path == ref.path for row in rows):
        raise BadTarget(f"{printable_path(name_of(rows[0]))} is in {printable_path(ref.path)} already. Nothing was moved.")
    return move(rows, Target(ref, place))


def demote(session: Session, rows: Sequence[FactRow], note: str) -> Act:
    """Move facts to a note of the session's project, which is made when there is none. Raises `BadName`."""
    return move(rows, Target(place_of(session.layout, Role.NOTE, session.project, note_stem(note))))


def _in_place(rows: Sequence[FactRow], verb: str, refused: str, change: Callable[[str, list[Fact]], str]) -> Act:
    """A verb that changes each file by itself."""
    nothing = f"Nothing was {refused}."

    def build(read: Read) -> list[tuple[str, Change]]:
        made: list[tuple[str, Change]] = []
        for path, own in _by_path(rows).items():

            def rewrite(now: str | None, path: str = path, own: list[Fact] = own) -> str:
                text = now or ""
                return change(text, located(text, own, path, nothing))

            rewrite(read(path))  # what is gone is found before anything is written
            made.append((path, rewrite))
        return made

    places = ", ".join(dict.fromkeys(row.ref.path for row in rows)) if len(_by_path(rows)) < 3 else f"{len(_by_path(rows))} files"
    return Act(f"{verb}: {_names(rows)}", f"{verb} {counted(len(rows), 'fact')} in {places}.", nothing, build)


def _carry(rows: Sequence[FactRow], target: Target, verb: str, *, keep: bool) -> Act:
    nothing = f"Nothing was {verb.lower()}."
    goal = target.ref.path

    def build(read: Read) -> list[tuple[str, Change]]:
        taken = {path: located(read(path) or "", own, path, nothing) for path, own in _by_path(rows).items()}
        next_of = {path: iter(found) for path, found in taken.items()}
        in_order = [next(next_of[row.ref.path]) for row in rows]
        blocks = [carried(fact, row.ref, target.ref) for fact, row in zip(in_order, rows, strict=True)]

        def put(now: str | None) -> str:
            text = now or ""
            if goal in taken and not keep:
                text = without(text, located(text, taken[goal], goal, nothing, exactly=True))
            there = {trim(fact.text) for fact in facts(text)}
            new = [block for block in blocks if trim(block.text) not in there]
            if now is None and target.ref.role is Role.NOTE:
                text = f"# {target.ref.name}\n"
            try:
                return inserted(text, new, target.place)
            except NoHeading as error:
                raise BadTarget(f"There is no heading {error} in {printable_path(goal)} any more. {nothing}") from None

        made: list[tuple[str, Change]] = [(goal, put)]
        for path, own in taken.items() if not keep else ():
            if path != goal:

                def take(now: str | None, path: str = path, own: list[Fact] = own) -> str:
                    return without(now or "", located(now or "", own, path, nothing, exactly=True))

                made.append((path, take))
        return made

    where = goal if not isinstance(target.place, tuple) else f"{goal}, below {target.place[-1]}"
    return Act(f"{verb} to {goal}: {_names(rows)}", f"{verb} {counted(len(rows), 'fact')} to {where}.", nothing, build)


def carried(fact: Fact, source: MemRef, goal: MemRef) -> Block:
    """A fact as its new file needs it: an item gets a box in a checklist, where agents see it, and loses it in long-term memory."""
    if source.path == goal.path:
        return Block(fact.text, fact.kind, fact.header)
    [block] = fact_edits.blocks([fact])
    text = block.text
    if goal.role in (Role.FACTS, Role.INSTRUCTIONS) and source.role is Role.CHECKLIST:
        return block._replace(text=_BOX.sub(lambda found: found["front"], text, count=1))
    if goal.role is not Role.CHECKLIST or _BOX.match(text):
        return block
    if fact.kind is Kind.ITEM:
        return block._replace(text=_BULLET.sub("- [ ] ", text, count=1))
    if fact.kind is Kind.PARAGRAPH:
        return Block("- [ ] " + text.replace("\n", "\n  ").removesuffix("  "), Kind.ITEM)
    return block


def _by_path(rows: Sequence[FactRow]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for row in rows:
        found.setdefault(row.ref.path, []).append(row.fact)
    return found


def located(text: str | Sequence[Fact], wanted: Sequence[Fact], path: str, refused: str, *, exactly: bool = False) -> list[Fact]:
    """The wanted facts as they are in a text, or among its facts, in the same order.

    Raises `Conflict`, which names the first that is gone.

    `exactly`: also when its lines are others than were read, because those were put elsewhere.
    """
    by_words: dict[str, list[Fact]] = {}
    for fact in facts(text) if isinstance(text, str) else text:
        by_words.setdefault(fact.says, []).append(fact)
    free = {fact.line for found in by_words.values() for fact in found}
    out = []
    for fact in wanted:
        here = find_again(fact, by_words.get(fact.says, ()))
        if here is None or here.line not in free or (exactly and here.text.rstrip("\r\n") != fact.text.rstrip("\r\n")):
            shown = fact.says if len(fact.says) <= 60 else f"{fact.says[:59]}…"
            how = "changed just now in" if here is not None and here.line in free else "is no longer in"
            raise Conflict(f"“{shown}” {how} {printable_path(path)}. {refused}", "Look at the file again.")
        free.discard(here.line)
        out.append(here)
    return out


def _need_words(text: str) -> None:
    if not trim(text):
        raise BadContent("A fact needs words. Nothing was changed.", "Delete it to take it out.")


def _names(rows: Sequence[FactRow]) -> str:
    return name_of(rows[0]) if len(rows) == 1 else counted(len(rows), "fact")


def _read(session: Session, path: str, refused: str) -> str | None:
    try:
        raw = files.read_if_there(os.path.join(session.root, path))
    except StoreError as error:
        error.message = f"{error.message}. {refused}"
        raise
    return None if raw is None else _decoded(session, path, raw, refused)


def _decoded(session: Session, path: str, raw: bytes, refused: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        place = os.path.join(session.root, path)
        raise WriteFailed(place, f"{printable_path(place)} is not valid UTF-8. {refused}") from error
