"""Promote facts from memory into the marked block of an instruction file, or demote them back, in one step over both stores.

A plan shows the new content of every file and is applied only while the files are unchanged. What arrives is written before
anything is removed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Final

from zsmem_tui.agents.instructions.layout import HIDES_OTHERS, NOT_BEGUN
from zsmem_tui.config import locate
from zsmem_tui.core import memory_block
from zsmem_tui.core.block_edits import Block, without
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.errors import BadTarget, WriteFailed
from zsmem_tui.core.fact_prompt import prompt_of
from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.layout import main_file
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import instructions, previewing, prompts
from zsmem_tui.service.editing import refuse_read_only
from zsmem_tui.service.facts.acts import INSTRUCTED, Target, begun, carried, listed_in, located_in, once, with_blocks, without_room
from zsmem_tui.service.facts.rows import FactRow, names_of
from zsmem_tui.service.folders import StoreGroups, folders_of
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.outgoing_secrets import Text, going_out, in_texts, masked_changes, shown
from zsmem_tui.service.plan import Edit, Gate, Handling, Plan
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.projects.own import own_folder
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.write_path.locating import resolve

_REFUSED: Final = "Nothing was written."

AGENTS: Final = "AGENTS.md"


def takers(session: Session, groups: Collection[str]) -> tuple[str, Sequence[str]]:
    """The folder of these groups (empty: everybody), and its instruction files that their facts can be promoted to.

    None if there are several groups, or if the folder is unknown, missing, or has no instructions of its own.
    """
    own = {group for group in groups if group} or {session.project}
    group, place = own.pop(), ""
    if not own:
        place = session.folder if group == session.project else ""
        place = place or prompts.folder_of(StoreGroups(session, (), session.folders), group) or _known_folder(session, group)
    is_place = instructions.is_place(place) and (place == session.folder or os.path.isdir(place))
    return place, instructions.goals(session, place) if is_place else ()


def named_takers(session: Session, groups: Collection[str]) -> tuple[str, list[tuple[str, str]]]:
    """The folder of `takers`, and its files, each with what it is called in a list to choose from."""
    place, names = takers(session, groups)
    whose = f", the instructions of {printable_path(locate.shortened(place))}"
    there = {name for name in names if os.path.lexists(os.path.join(place, name))}
    offered = [name for name in names if name in there or name != NOT_BEGUN]
    return place, [(name, f"{name}{whose}{'' if name in there else ' (new)'}") for name in offered]


def _known_folder(session: Session, group: str) -> str:
    known = known_projects(session).of(group)
    return known.verdict.moved_to or known.verdict.folder if known is not None else ""


def folder_named(session: Session) -> str:
    """The folder of the session's group, which may not be the current folder; empty if unknown. Slow.

    For a group without a folder, it is the current one.
    """
    own = prompts.own_group(session, own_folder(session)) if session.folder else ""
    kind, _, name = own.partition(":")
    is_of_one = bool(own) and (not name or session.project.partition(":")[0] == kind) and session.project not in (own, EVERYBODY)
    if session.folder and not is_of_one:
        return session.folder
    found = folders_of(session, [each.folder for each in known_folders(session.folder)]).get(session.project, "")
    return found or _known_folder(session, session.project)


def plan_promote(
    session: Session, rows: Sequence[FactRow], told: Session, to: str = "", *, secrets: Handling = Handling.STOP
) -> Plan:
    """Plan moving facts of `session` into the instruction file `to` of the store `told` (default: the first possible one).

    `secrets` says how to treat credentials, since instructions are shared more widely than memory. Raises `BadTarget` for an
    impossible file, `BadContent` for broken markers, `Conflict` for a missing fact, `OutsideStore` or `StoreError`.
    """
    if session.layout.kind == instructions.KIND:
        raise BadTarget(f"What stands in instructions is loaded already. {_REFUSED}")
    if told_now := [row for row in rows if row.ref.role is Role.INSTRUCTIONS]:
        raise BadTarget(f"It {INSTRUCTED[all(row.prompt is Prompt.WHOLE for row in told_now)]}. {_REFUSED}")
    takers, agent = instructions.goals(session, told.root), session.layout.title
    if not takers:
        raise BadTarget(f"{agent} is not known to read any instruction file of a folder. {_REFUSED}")
    goal = instructions.ref_of(told, to or takers[0])
    if goal.path not in takers:
        shown = printable_path(goal.path)
        raise BadTarget(f"{agent} does not get facts from {shown}: they are loaded into {' or '.join(takers)} only. {_REFUSED}")
    rows, texts, taken, in_order = _locate_facts(session, rows, facts)
    blocks = _blocks(rows, in_order, goal, secrets)
    old = _text(told, goal)
    gains = [Edit(told, goal, _bytes(old), memory_block.added(old or "", blocks, _name(told, goal)).encode())]
    losses = [_removal_edit(session, path, texts, own, without) for path, own in taken.items()]
    done = f"Loaded {counted(len(rows), 'fact')} into {goal.path}."
    edits, gate = _with_secrets_decided(gains, losses, texts, rows, secrets)
    found = tuple(each for block in blocks for each in hazards(block.text))
    notes = _promotion_notes(session, rows, told, goal)
    if memory_block.region(old or "") is None:
        notes += (
            f"They go between {memory_block.BEGIN} and its end, by which they are unloaded again, whichever agent's they are.",
        )
    return Plan(f"Loaded {names_of(rows)} into {goal.path}", done, edits, findings=found, gate=gate, notes=notes)


def plan_demote(
    told: Session,
    rows: Sequence[FactRow],
    session: Session,
    target: Target | None = None,
    *,
    secrets: Handling = Handling.STOP,
) -> Plan:
    """Plan moving promoted facts (`promoted`) back into memory (default: long-term memory or the index).

    Raises what `plan_promote` does.
    """
    goal = target or Target(main_file(session.layout, session.project))
    rows, texts, taken, in_order = _locate_facts(told, rows, memory_block.facts_between)
    blocks = _blocks(rows, in_order, goal.ref, secrets)
    old = _text(session, goal.ref)
    gains = _gain_edits(session, goal, old, with_blocks(old, blocks, goal, _REFUSED))
    losses = [_removal_edit(told, path, texts, own, memory_block.taken) for path, own in taken.items()]
    done = f"Unloaded {counted(len(rows), 'fact')} to {goal.ref.path}."
    edits, gate = _with_secrets_decided(gains, losses, texts, rows, secrets)
    notes = _demotion_notes(session, rows, goal.ref, edits)
    return Plan(f"Unloaded {names_of(rows)} to {goal.ref.path}", done, edits, gate=gate, notes=notes)


def plan_copy(
    session: Session, rows: Sequence[FactRow], into: Session, group: str = "", *, move: bool, secrets: Handling = Handling.STOP
) -> Plan:
    """Plan copying facts, or with `move` moving them, into the file of another memory that is in every prompt of a group there.

    The default is that of the session `into`. Raises what `plan_promote` does.
    """
    for row in rows if move else ():
        refuse_read_only(session, row.ref)
    goal = Target(main_file(into.layout, group or into.project))
    rows, texts, taken, in_order = _locate_facts(session, rows, facts)
    losses = [_removal_edit(session, path, texts, own, without) for path, own in taken.items() if move]
    old = _text(into, goal.ref)
    blocks = _blocks(rows, in_order, goal.ref, secrets)
    made, lost = _as_learned(into, rows, old, blocks) or (with_blocks(old, blocks, goal, _REFUSED).encode(), ())
    gain = Edit(into, goal.ref, _bytes(old), made)
    place = f"{goal.ref.path} of {into.layout.title}"
    edits, gate = _with_secrets_decided([gain], losses, texts, rows, secrets)
    says = _no_room(into, rows, goal.ref, [each for each in edits if each.session is into])
    verb = "Moved" if move else "Copied"
    done = " ".join((f"{verb} {counted(len(rows), 'fact')} to {place}.", *lost))
    unchanged = f"It is there already: {place}. {_REFUSED}"
    return Plan(f"{verb} {names_of(rows)} to {place}", done, edits, gate=gate, notes=(*lost, *says), unchanged=unchanged)


def _as_learned(
    into: Session, rows: Sequence[FactRow], old: str | None, blocks: Sequence[Block]
) -> tuple[bytes | None, tuple[str, ...]] | None:
    """(content, sentences on losses) of a file of facts that are written as its agent does it; None if they may be any text."""
    now, lost = _bytes(old), dict[str, list[FactRow]]()
    for row, block in zip(rows, blocks, strict=True):
        is_task = row.ref.role is Role.CHECKLIST and any(item.box is Box.OPEN for item in items(row.fact.text)[:1])
        learned = into.layout.learned(now, block.text, is_task=is_task)
        if learned is None:
            return None
        now = now if learned.after is None else learned.after
        for sentence in learned.losses:
            lost.setdefault(sentence, []).append(row)
    return now, tuple(f"{names_of(own)}: {sentence}" for sentence, own in lost.items())


def between_markers(told: Session, rows: Sequence[FactRow]) -> list[FactRow]:
    """The facts that are between the markers for promoted ones. Raises `BadContent` or `StoreError`."""
    found = (row for ref in dict.fromkeys(row.ref for row in rows) for row in promoted(told, ref))
    between = {(row.ref.path, row.fact.line, row.fact.says) for row in found}
    return [row for row in rows if (row.ref.path, row.fact.line, row.fact.says) in between]


def promoted(told: Session, ref: MemRef) -> list[FactRow]:
    """The facts between the markers of an instruction file, which can be demoted. Raises `BadContent` or `StoreError`."""
    found = memory_block.facts_between(_text(told, ref) or "", _name(told, ref))
    return [FactRow(ref, fact, prompt_of(fact, None), twice=False, key=(ref.path, fact.line, fact.says)) for fact in found]


def _name(told: Session, ref: MemRef) -> str:
    return printable_path(told.path(ref))


def _promotion_notes(session: Session, rows: Sequence[FactRow], told: Session, goal: MemRef) -> tuple[str, ...]:
    """Sentences about the prompts that gain or lose the facts when they go to an instruction file."""
    agent, name = session.layout.title, printable_path(goal.path)
    place = printable_path(locate.shortened(told.root))
    says = [f"{name} is in every prompt of {agent} in {place}."]
    is_here = f"{session.folder}/".startswith(f"{told.root.rstrip('/')}/")
    seen = [row.ref.project for row in rows if row.prompt in (Prompt.WHOLE, Prompt.CUT)]
    everybodys = sum(not project for project in seen)
    others = sum(bool(project) and not (is_here and project == session.project) for project in seen)
    says += [f"{_facts_leave(everybodys)} the prompts of all other folders."] if everybodys else []
    says += [f"{_facts_leave(others)} the prompt of {'its' if others == 1 else 'their'} own project."] if others else []
    if goal.path == HIDES_OTHERS and AGENTS in instructions.goals(session, told.root)[:1]:
        says.append(f"Once there is a {HIDES_OTHERS}, {agent} does not read {AGENTS}.")
    return tuple(says)


def _demotion_notes(session: Session, rows: Sequence[FactRow], goal: MemRef, changes: Sequence[Edit]) -> tuple[str, ...]:
    """Sentences about the prompts that lose the facts when they go back into memory."""
    names = ", ".join(dict.fromkeys(printable_path(row.ref.path) for row in rows))
    agent = session.layout.title
    says = [f"{_facts_leave(len(rows))} {names}, and with it the prompts of all other agents that read it."]
    text = next((each.after for each in changes if each.session is session and each.ref == goal), None)
    if text is not None:
        about = previewing.subject(session, goal.project)
        seen = previewing.in_block(session, about, unsaved={goal.path: text.decode()}).get(goal.path)
        words = {row.fact.says for row in rows}
        missing = sum(prompt_of(fact, seen) is not Prompt.WHOLE for fact in facts(text.decode()) if fact.says in words)
        said = f"{_facts_leave(missing)} the prompt of {agent} too: there it is lost, or {goal.path} is not read."
        says += [said] if missing else []
    return tuple(says)


def _no_room(session: Session, rows: Sequence[FactRow], goal: MemRef, changes: Sequence[Edit]) -> tuple[str, ...]:
    """A sentence if the prompt has no room for the added facts; else empty."""
    text = next((each.after for each in changes if each.ref == goal), None)
    missing = without_room(session, goal, text.decode(), {row.fact.says for row in rows}) if text is not None else 0
    said = f"{counted(missing, 'fact')} of it would not be in the prompt of {session.layout.title}: {goal.path} is full there."
    return (said,) if missing else ()


def _facts_leave(count: int) -> str:
    return f"{counted(count, 'fact')} {'leaves' if count == 1 else 'leave'}"


def _blocks(rows: Sequence[FactRow], in_order: Sequence[Fact], goal: MemRef, secrets: Handling) -> list[Block]:
    """The facts as blocks for their new file, with credentials masked if wanted."""
    made = [carried(fact, row.ref, goal) for fact, row in zip(in_order, rows, strict=True)]
    return [block._replace(text=shown(block.text)) for block in made] if secrets is Handling.MASK else made


def _with_secrets_decided(
    gains: Sequence[Edit], losses: Sequence[Edit], texts: dict[str, str], rows: Sequence[FactRow], secrets: Handling
) -> tuple[tuple[Edit, ...], Gate]:
    """The changed files with credentials treated as decided, and the gate that lists these."""
    whole = [Text(path, text) for path, text in texts.items()]
    leaks = going_out(gains, whole)
    noticed = tuple(leaks.values())
    if secrets is Handling.MASK:
        gains = masked_changes(gains, leaks)
        spans = [(row.ref.path, range(row.fact.line + 1, row.fact.stop + 1)) for row in rows]
        found = in_texts(whole, texts)
        moved = [each for each in found if any(each.place == path and each.line in own for path, own in spans)]
        noticed = tuple(dict.fromkeys((*moved, *noticed)))
    return tuple(each for each in (*gains, *losses) if each.before != each.after), Gate(secrets, noticed)


def _locate_facts(
    session: Session, rows: Sequence[FactRow], find: Callable[[str], list[Fact]]
) -> tuple[list[FactRow], dict[str, str], dict[str, list[Fact]], list[Fact]]:
    """The rows, each `once`, the texts of their files, and the facts in them: by path, and in the order of the rows."""
    if not rows:
        raise BadTarget(f"No fact was chosen. {_REFUSED}")
    rows = once(session, rows)
    texts = {row.ref.path: _text(session, row.ref) or "" for row in rows}
    return (rows, texts, *located_in(texts, rows, _REFUSED, find))


def _gain_edits(session: Session, goal: Target, old: str | None, text: str) -> list[Edit]:
    """The edit of the file that gets the facts; for a new note also those of its index files."""
    made = begun(session, goal.ref, _bytes(old), text.encode())
    out = [Edit(session, goal.ref, _bytes(old), made)]
    for path, rewrite in listed_in(session, goal.ref, made).items() if old is None else ():
        now = files.read_if_there(os.path.join(session.root, path))
        out.append(Edit(session, session.ref_at(path), now, rewrite(now), (rewrite,)))
    return out


def _removal_edit(
    session: Session, path: str, texts: dict[str, str], own: list[Fact], take: Callable[[str, list[Fact]], str]
) -> Edit:
    return Edit(session, session.ref_at(path), texts[path].encode(), take(texts[path], own).encode())


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(session: Session, ref: MemRef) -> str | None:
    """The content of a file (None: no file). Raises `OutsideStore` for a link out of the store, or `StoreError`."""
    if os.path.isdir(session.root):
        resolve(session.root, ref.path)
    raw = files.read_if_there(session.path(ref))
    try:
        return None if raw is None else raw.decode()
    except UnicodeDecodeError as error:
        place = session.path(ref)
        raise WriteFailed(place, f"{printable_path(place)} is not valid UTF-8. {_REFUSED}") from error
