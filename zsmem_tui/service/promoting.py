"""Promote: facts go from memory into an instruction file, between its markers. Demote is the reverse. One step over both stores.

A plan first, with what every file would hold; it is done only while each still holds what the plan was made from, so that nothing
is written whose diff was not shown. What arrives is written before anything is taken away.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zsmem_tui.core import memory_block
from zsmem_tui.core.errors import BadTarget, Conflict, WriteFailed
from zsmem_tui.core.fact_edits import Block, NoHeading, inserted, without
from zsmem_tui.core.fact_prompt import prompt_of
from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.finding import Finding
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.layout import place_of
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.service import instructions
from zsmem_tui.service.facts.acts import Target, carried, located
from zsmem_tui.service.facts.rows import FactRow, name_of
from zsmem_tui.service.file_change import FileChange
from zsmem_tui.service.joint import joint_batches, undo_problem
from zsmem_tui.service.outgoing_secrets import NOTHING_FOUND, Gate, Handling, going_out, in_texts, masked_changes, shown
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.write_path.locating import resolve

_REFUSED: Final = "Nothing was written."


@dataclass(frozen=True, slots=True)
class Promotion:
    """What a promote or demote would do: `changes` has every file, the one that gains facts first. `sessions` in that order.

    `findings` are what is to be known of the words before an agent takes them for orders.
    """

    label: str
    done: str
    sessions: tuple[Session, Session]
    changes: tuple[FileChange, ...]
    findings: tuple[Finding, ...] = ()
    gate: Gate = NOTHING_FOUND
    """The credentials that would come into the other store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteResult(VerbResult):
    """What was done; `places` are the files that changed."""

    places: tuple[str, ...] = ()


def plan_promote(
    session: Session, rows: Sequence[FactRow], told: Session, to: str = "", *, secrets: Handling = Handling.STOP
) -> Promotion:
    """What moving facts of `session` into the instruction file `to` of the store `told` would do (default: the first that can).

    `secrets` is what becomes of credentials in them: instructions are read, and shared, by others than the memory is.
    Raises `BadTarget` for a file that takes none, `BadContent` for broken markers, `Conflict` for a fact that is gone,
    `OutsideStore` or `StoreError`.
    """
    goal = instructions.ref_of(told, to or instructions.TAKE_MEMORY[0])
    if goal.path not in instructions.TAKE_MEMORY:
        raise BadTarget(f"Facts are promoted to {' or '.join(instructions.TAKE_MEMORY)} only. {_REFUSED}")
    if session.layout.kind == instructions.KIND:
        raise BadTarget(f"What stands in instructions is promoted already. {_REFUSED}")
    texts, in_order = _found(session, rows, lambda text: facts(text))
    blocks = _blocks(rows, in_order, goal, secrets)
    old = _text(told, goal)
    gains = [FileChange(told, goal, _bytes(old), memory_block.added(old or "", blocks).encode())]
    losses = [_taken(session, path, texts, own, without) for path, own in _by_path(rows, in_order).items()]
    what = _what(rows)
    done = f"Promoted {counted(len(rows), 'fact')} to {goal.path}."
    found = _promotion(f"Promoted to {goal.path}: {what}", done, (told, session), (*gains, *losses))
    found = replace(found, findings=tuple(each for block in blocks for each in hazards(block.text)))
    return _decided(found, texts, rows, secrets)


def plan_demote(
    told: Session,
    rows: Sequence[FactRow],
    session: Session,
    target: Target | None = None,
    *,
    secrets: Handling = Handling.STOP,
) -> Promotion:
    """What moving promoted facts (`promoted`) back into memory would do (default: into long-term memory).

    Raises what `plan_promote` does.
    """
    goal = target or Target(place_of(session.layout, Role.FACTS, session.project))
    texts, in_order = _found(told, rows, memory_block.facts_between)
    blocks = _blocks(rows, in_order, goal.ref, secrets)
    old = _text(session, goal.ref)
    gains = [FileChange(session, goal.ref, _bytes(old), _with(old, blocks, goal).encode())]
    losses = [_taken(told, path, texts, own, memory_block.taken) for path, own in _by_path(rows, in_order).items()]
    done = f"Demoted {counted(len(rows), 'fact')} to {goal.ref.path}."
    found = _promotion(f"Demoted to {goal.ref.path}: {_what(rows)}", done, (session, told), (*gains, *losses))
    return _decided(found, texts, rows, secrets)


def apply(wanted: Promotion) -> PromoteResult:
    """Do what was planned, as one step: all of it, or nothing. Raises `Conflict` when a file is not as it was shown any more.

    Else `RuleBroken` or `StoreError`; nothing was written then, or the sentence says what was. Nothing is while a credential would
    go out that nobody has decided about.
    """
    wanted.gate.check()
    if not wanted.changes:
        return PromoteResult(message="It is so already. Nothing was written.")
    if not any(session.dry_run for session in wanted.sessions):
        with joint_batches(wanted.label, wanted.sessions) as batches:
            for change in wanted.changes:
                into = batches[wanted.sessions.index(change.session)]

                def put(now: bytes | None, change: FileChange = change) -> bytes | None:
                    if now != change.before:
                        shown = printable_path(change.place)
                        raise Conflict(f"{shown} is not as it was shown any more. {_REFUSED}", "Look at the changes again.")
                    return change.after

                into.update(change.ref.path, put)
    places = tuple(change.place for change in wanted.changes)
    problem = undo_problem(wanted.sessions)
    return PromoteResult(message=printable_path(wanted.done), changed=len(places), undo_problem=problem, places=places)


def promoted(told: Session, ref: MemRef) -> list[FactRow]:
    """The facts between the markers of an instruction file: those that can be demoted. Raises `BadContent` or `StoreError`."""
    found = memory_block.facts_between(_text(told, ref) or "")
    return [FactRow(ref, fact, prompt_of(fact, None), twice=False, key=(ref.path, fact.line, fact.says)) for fact in found]


def _promotion(label: str, done: str, sessions: tuple[Session, Session], changes: Sequence[FileChange]) -> Promotion:
    return Promotion(label, done, sessions, tuple(each for each in changes if each.before != each.after))


def _blocks(rows: Sequence[FactRow], in_order: Sequence[Fact], goal: MemRef, secrets: Handling) -> list[Block]:
    """The facts as their new file needs them."""
    made = [carried(fact, row.ref, goal) for fact, row in zip(in_order, rows, strict=True)]
    return [block._replace(text=shown(block.text)) for block in made] if secrets is Handling.MASK else made


def _decided(found: Promotion, texts: dict[str, str], rows: Sequence[FactRow], secrets: Handling) -> Promotion:
    """The plan with what was decided about credentials in what it moves."""
    gains = [change for change in found.changes if change.session is found.sessions[0]]
    losses = [change for change in found.changes if change.session is not found.sessions[0]]
    leaks = going_out(gains, list(texts.items()))
    if secrets is not Handling.MASK:
        return replace(found, gate=Gate(secrets, tuple(leaks.values())))
    spans = [(row.ref.path, range(row.fact.line + 1, row.fact.stop + 1)) for row in rows]
    moved = [each for each in in_texts(texts.items(), texts) if any(each.place == path and each.line in own for path, own in spans)]
    noticed = tuple(dict.fromkeys((*moved, *leaks.values())))
    return replace(found, changes=(*masked_changes(gains, leaks), *losses), gate=Gate(secrets, noticed))


def _found(session: Session, rows: Sequence[FactRow], find: Callable[[str], list[Fact]]) -> tuple[dict[str, str], list[Fact]]:
    """The texts of the facts' files, and the facts as they are in them, in the order of the rows."""
    if not rows:
        raise BadTarget(f"No fact was chosen. {_REFUSED}")
    texts = {row.ref.path: _text(session, row.ref) or "" for row in rows}
    own: dict[str, list[Fact]] = {}
    for row in rows:
        own.setdefault(row.ref.path, []).append(row.fact)
    now = {path: iter(located(find(texts[path]), each, path, _REFUSED)) for path, each in own.items()}
    return texts, [next(now[row.ref.path]) for row in rows]


def _by_path(rows: Sequence[FactRow], in_order: Sequence[Fact]) -> dict[str, list[Fact]]:
    out: dict[str, list[Fact]] = {}
    for row, fact in zip(rows, in_order, strict=True):
        out.setdefault(row.ref.path, []).append(fact)
    return out


def _taken(
    session: Session, path: str, texts: dict[str, str], own: list[Fact], take: Callable[[str, list[Fact]], str]
) -> FileChange:
    return FileChange(session, session.ref_at(path), texts[path].encode(), take(texts[path], own).encode())


def _with(text: str | None, blocks: list[Block], goal: Target) -> str:
    there = {trim(fact.text) for fact in facts(text or "")}
    new = [block for block in blocks if trim(block.text) not in there]
    if text is None and goal.ref.role is Role.NOTE:
        text = f"# {goal.ref.name}\n"
    try:
        return inserted(text or "", new, goal.place)
    except NoHeading as error:
        raise BadTarget(f"There is no heading {error} in {printable_path(goal.ref.path)}. {_REFUSED}") from None


def _what(rows: Sequence[FactRow]) -> str:
    return name_of(rows[0]) if len(rows) == 1 else counted(len(rows), "fact")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(session: Session, ref: MemRef) -> str | None:
    """What stands in a file of the store (None: no file). Raises `OutsideStore` for a link out of it, or `StoreError`."""
    if os.path.isdir(session.root):
        resolve(session.root, ref.path)
    raw = files.read_if_there(session.path(ref))
    try:
        return None if raw is None else raw.decode()
    except UnicodeDecodeError as error:
        place = session.path(ref)
        raise WriteFailed(place, f"{printable_path(place)} is not valid UTF-8. {_REFUSED}") from error
