"""Apply the doctor's fixes: a plan with the new content of every file, applied as one undoable step.

A fix searches for exactly the lines of the finding. If they are gone, it is left out, and that is reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.finding import Finding, Fix
from zsmem_tui.core.checks.redact import without
from zsmem_tui.core.checks.secret import secrets_in
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.errors import Conflict, MemError, StoreError
from zsmem_tui.core.recode import recoded
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, is_utf8, printable_path, raw_lines, trim
from zsmem_tui.service import fit, previewing
from zsmem_tui.service.export_targets import joined
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import quoted
from zsmem_tui.service.plan import Draft, Edit, Plan
from zsmem_tui.service.session import Session

_LEFT: Final = "It stays as it is."


def plan(session: Session, faults: Iterable[Finding], known: Iterable[Finding] = ()) -> Plan:
    """Plan fixing these findings; writes nothing. `left` has sentences about those that are not fixed, `read` the others' ids.

    `known` are all findings: those about deleted lines are counted as fixed too.
    """
    draft = Draft()
    left: list[str] = []
    unready: dict[bool, list[Finding]] = defaultdict(list)
    done: list[str] = []
    made: set[Fix] = set()
    wanted_ones = sorted(faults, key=_sort_key)
    for fault in wanted_ones:
        shown = f"{printable_path(fault.path)}:{fault.line}"
        repair = fault.fix
        if repair in made or _is_gone(fault, made):  # another finding has the same fix, or one that deletes these lines
            done.append(fault.id)
            continue
        if repair is None or not repair.is_ready:
            unready[repair is None].append(fault)
            continue
        try:
            wanted = _fixed_files(session, fault, draft)
            is_there = wanted is not None or _fixed_files(session, fault, Draft()) is not None
        except (StoreError, Conflict) as error:
            left.append(f"{error.message} {_LEFT}")
            continue
        if wanted is None:
            why = "another fix changes the same line: look again" if is_there else "the text that was found there is gone"
            left.append(f"{shown}: {why}. {_LEFT}")
            continue
        for path, after in wanted.items():
            draft.put(session, path, after)
        made.add(repair)
        done.append(fault.id)
    left += map(_not_ready, unready.values())
    asked = {fault.id for fault in wanted_ones}
    more = sum(each.id not in asked and (each.fix in made or _is_gone(each, made)) for each in known)
    changes = draft.edits()
    changes.sort(key=lambda each: len(each.before or b"") - len(each.after or b""))  # files that gain lines are written first
    where = printable_path(changes[0].ref.path) if len(changes) == 1 else counted(len(changes), "file")
    what = f"ended {counted(len(done), 'finding')} in {where}"
    label, said = f"Doctor: m{what}", f"M{what}."
    said += f" {more:,} more {'was' if more == 1 else 'were'} about the same lines." if more else ""
    said += _what_changed(made, changes, [each.secret for each in (*wanted_ones, *known) if each.secret])
    made_plan = Plan(
        label,
        said,
        tuple(changes),
        nothing="Nothing was mended.",
        left=tuple(left),
        count=len(done),
        lines=sum(repair.lines for repair in made),
        read=frozenset(done),
        unchanged="There was nothing to mend. Nothing was written.",
    )
    return replace(made_plan, notes=(*(repair.notes for repair in made if repair.notes), *_pushed_out(session, made_plan)))


def _what_changed(made: Collection[Fix], changes: Sequence[Edit], secrets: Sequence[str]) -> str:
    """What these fixes did, as a sentence with a blank before: the words of a single line, else counts of lines. Empty for none."""
    edits = [edit.own for repair in made for edit in repair.edits]
    if len(made) == 1 and len(edits) == 1:
        [(_, line, before, after)] = edits
        words = f"“{quoted(without((after or before)[0], secrets))}”{' …' if (after or before)[1:] else ''}"
        rows = [row.removesuffix("\r") for edit in changes for row in raw_lines((edit.before or b"").decode("utf-8", "replace"))]
        where = f"Line {line}" if (*rows[line - 1 : line - 1 + len(before)],) == before else "A line"  # it was found elsewhere
        return f" {where} went: {words}." if not after else f" {where} is now {words}." if before else f" Added {words}."
    if len(made) == 1:
        return f" Done: {without(next(iter(made)).sentence, secrets)}"
    went = sum(max(len(edit.before) - len(edit.after), 0) for edit in edits)
    others = sum(len(edit.after) for edit in edits)
    said = [f"{counted(went, 'line')} went"] * bool(went) + [f"{counted(others, 'line')} written"] * bool(others)
    return f" {', '.join(said)}." if said else ""


def _not_ready(faults: Sequence[Finding]) -> str:
    """A sentence about findings that only a person can mend, with a choice or by hand."""
    fix, count = faults[0].fix, len(faults)
    chooses = " to choose" if all(each.fix is not None and each.fix.choices for each in faults) else ""
    if count > 1:
        return f"{count:,} findings {f'take a person{chooses}' if fix else 'have no known fix'}. They stay as they are."
    why = f"{fix.sentence.rstrip('.')}, which takes a person{chooses}" if fix else "no fix is known for this"
    return f"{printable_path(faults[0].path)}:{faults[0].line}: {why}. {_LEFT}"


def fitted(session: Session, found: Finding) -> Plan:
    """The plan of a fix that shortens a file, under the name of Fit."""
    where = printable_path(found.path)
    return replace(plan(session, [found]), label=f"Made {where} fit", done=f"Made {where} fit into the prompt.")


def _pushed_out(session: Session, plan: Plan) -> Iterator[str]:
    """Sentences about lines that the plan pushes out of a prompt although they stay in their file."""
    gone = 0
    for edit in plan.changes:
        before, after = (Counter(raw_lines((raw or b"").decode("utf-8", "replace"))) for raw in (edit.before, edit.after))
        gone += sum(count for line, count in (before - after).items() if trim(line))
    for project in dict.fromkeys(edit.ref.project or session.project for edit in plan.changes):
        try:
            found = acts.effect(session, plan, project)
        except (MemError, UnicodeDecodeError):
            continue  # without a prompt, nothing can be pushed out
        if out := acts.pushed_out(plan, found):
            others = gone - len(found.dropped)
            unseen = f" The other {counted(others, 'line')} that leave a file were not in it." if others > 0 else ""
            yield f"The prompt: {found.words}. {out}{unseen}"


def picked(fault: Finding, number: int) -> Finding:
    """The finding with one of the fixes to choose from."""
    assert fault.fix is not None
    return replace(fault, fix=fault.fix.choices[number])


def masked(faults: Iterable[Finding]) -> tuple[str, ...]:
    """The full credentials that the fixes of these findings mask, so that they can be purged from the history."""
    repairs = dict.fromkeys(fault.fix for fault in faults if fault.rule == SECRET and fault.fix is not None)
    found: list[str] = []
    for edit in (edit for repair in repairs for edit in repair.edits):
        text = "\n".join(edit.before)
        found += (text[spot.start : spot.end] for spot in secrets_in(text))
    return tuple(dict.fromkeys(found))


def _fixed_files(session: Session, fault: Finding, draft: Draft) -> dict[str, bytes | None] | None:
    """The new content of the files of one fix, by path; None if its lines are gone. Raises `StoreError`."""
    repair = fault.fix
    assert repair is not None
    if repair.fits:
        return _fit_files(session, fault, draft)
    out: dict[str, bytes | None] = {}
    whole = filter(None, (repair.removes, repair.becomes, repair.recodes))
    for path in dict.fromkeys((*(edit.path for edit in repair.edits), *whole)):
        out[path] = draft.now(session, path)
    for edit in repair.edits:
        raw = out[edit.path]
        if not edit.line:
            if raw is not None:
                raise Conflict(f"{printable_path(edit.path)} is there already.", "Look again: zsmem doctor.")
        elif raw is None:
            return None
        if (edited := edit.applied(raw)) is None:
            return None
        out[edit.path] = edited
    if repair.removes:
        gone = out[repair.removes]
        if gone is None:
            return None
        if repair.becomes:
            there = out[repair.becomes]
            if there is not None and session.ref_at(repair.becomes).role is not Role.LOG:
                raise Conflict(f"{printable_path(repair.becomes)} is there already: give it another name.")
            out[repair.becomes] = gone if there is None else joined(there, gone, Role.LOG) or there
        out[repair.removes] = None
    if repair.recodes:
        held = out[repair.recodes]
        if held is None or is_utf8(held):
            return None
        out[repair.recodes] = recoded(held).text.encode()
    return out


def _sort_key(fault: Finding) -> tuple[int, str, int, bool]:
    """The sort key for applying fixes: bottom to top in each file, then those that shrink the prompt, then those without a fix.

    For the same line, a deletion comes first, since it makes the others unnecessary.
    """
    repair = fault.fix
    last = 2 if repair is None or not repair.is_ready else int(bool(repair.fits))
    return (last, fault.path, -fault.line, repair is None or any(edit.after for edit in repair.edits))


def _is_gone(fault: Finding, made: Iterable[Fix]) -> bool:
    """Whether these fixes delete all lines of a finding."""
    lines = set(range(fault.line, fault.last_line + 1))
    for repair in made:
        if repair.removes == fault.path and not repair.becomes:
            return True
        for edit in repair.edits:
            if edit.path == fault.path and edit.before and not edit.after:
                lines.difference_update(range(edit.line, edit.line + len(edit.before)))
    return not lines


def _fit_files(session: Session, fault: Finding, draft: Draft) -> dict[str, bytes | None]:
    """The files of a project after moving what does not fit into its prompt. Raises `Conflict` if that does not help."""
    assert fault.fix is not None
    shown = printable_path(fault.path)
    found = fit.propose(session, previewing.subject(session, fault.fix.fits))
    edits = fit.plan(session, found, found.fit.moves).edits
    known = {path: text.encode() for path, text in found.store.texts.items()} | {edit.ref.path: edit.before for edit in edits}
    if any(draft.now(session, path) != raw for path, raw in known.items()):
        raise Conflict(f"{shown}: what does not fit is moved in a step of its own, once the other fixes are made.")
    if not edits:
        raise Conflict(f"{shown}: nothing in it can be moved without a person.")
    return {edit.ref.path: edit.after for edit in edits}
