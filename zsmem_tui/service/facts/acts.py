"""Verbs on facts, for many facts in many files: one write per file and one undoable step, all or nothing.

A verb makes a `Plan` for `applying.apply`; `effect` tells what it would do to the prompt. Facts are found again by their words and
lines in the current texts. A moved fact is written to its new place first and removed from the old one only if it is unchanged
there, so none is lost.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core import block_edits
from zsmem_tui.core.block_edits import Block, Edge, NoHeading, Place, inserted, without
from zsmem_tui.core.checks.finding import without_secrets
from zsmem_tui.core.errors import BadContent, BadName, BadTarget, Conflict, StoreError
from zsmem_tui.core.fact_prompt import Effect, lacks_room
from zsmem_tui.core.fact_prompt import effect as effect_of
from zsmem_tui.core.facts import Fact, Kind, facts, find_again
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.layout import Folder, find_ref, group_word, in_project, main_file
from zsmem_tui.core.list_edits import line_start
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import clipped, counted, grouped, printable_path, raw_lines, trim
from zsmem_tui.core.tree import read_if_there
from zsmem_tui.service import previewing
from zsmem_tui.service.facts.rows import FactRow, headings, name_of, names_of
from zsmem_tui.service.fit import note_name
from zsmem_tui.service.plan import EVERY_PROMPT, Plan, drafted, stood_there
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import projects_to_choose
from zsmem_tui.service.titles import for_all
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree

if TYPE_CHECKING:
    from zsmem_tui.store.steps import Batch

_QUOTED: Final = 80
"""The most characters of a line quoted in a sentence."""

_LISTED: Final = 12
"""The most words of an unloaded fact in the index line of its note, if that is to be much shorter than the fact."""

_LEAST_LISTED: Final = 4
"""The fewest words of it, by which the agent can find the note."""


INSTRUCTED: Final = {
    True: "is in every prompt already, as an instruction",
    False: "stands in instructions where the agent does not load it",
}
"""What is said of a fact of instructions by whether it is loaded: a comment is not, nor a rule for some files."""


class Target(NamedTuple):
    """Where facts go: a file and a place in it (`Edge.TOP`, `Edge.END`, or a path of headings)."""

    ref: MemRef
    place: Place = Edge.END
    store: str = ""
    """The name of the store, if it is another than that of the facts."""


def effect(session: Session, plan: Plan, project: str = "") -> Effect:
    """What a project's prompt (default: the session's) would gain and lose by a plan; writes nothing."""
    about = previewing.subject(session, project)
    then = {edit.ref.path: (edit.after or b"").decode() for edit in plan.changes}
    before, after = previewing.preview(session, about), previewing.preview(session, about, unsaved=then)
    had, has = ([text for _, text in previewing.own_instructions(session, unsaved)] for unsaved in ({}, then))
    return effect_of(before, after, had, has)


def pushed_out(plan: Plan, found: Effect) -> str:
    """A sentence on the lines that a plan pushes out of a prompt although they stay in their files; empty if there are none."""
    gone: Counter[str] = Counter()
    for edit in plan.changes:
        before, after = (Counter(raw_lines((raw or b"").decode("utf-8", "replace"))) for raw in (edit.before, edit.after))
        gone += before - after
    out = [line for line in found.dropped if not gone[line]]
    more = f" and {counted(len(out) - 1, 'more line')}" if out[1:] else ""
    return f"Out goes: {quoted(out[0]).removesuffix('.')}{more}." if out else ""


def quoted(line: str) -> str:
    """A line as a sentence quotes it."""
    return clipped(without_secrets(trim(line)), _QUOTED)


def without_room(session: Session, ref: MemRef, text: str, words: Collection[str]) -> int:
    """How many facts with these words would not be complete in the prompt if the file had this text.

    For a file that is in no prompt, that is 0.
    """
    about = previewing.subject(session, ref.project)
    seen = previewing.in_block(session, about, unsaved={ref.path: text}).get(ref.path)
    return sum(lacks_room(fact, seen) for fact in facts(text) if fact.says in words) if seen else 0


def delete(session: Session, rows: Sequence[FactRow]) -> Plan:
    """Delete facts from their files."""
    plan = in_place(session, rows, "Deleted", "deleted", lambda text, found, _: without(text, found))
    return replace_fields(plan, deletes=True)


def shift(session: Session, row: FactRow, step: int) -> Plan:
    """Move a fact down (`step` 1) or up (-1) by one, below its heading."""
    way = "down" if step > 0 else "up"
    return in_place(session, [row], f"Moved {way}", "moved", lambda text, found, _: block_edits.shifted(text, found[0], step))


def reword(session: Session, row: FactRow, words: str) -> Plan:
    """Replace the words of a fact's first line; bullet and box stay. Raises `BadContent` for an empty text."""
    _refuse_empty(words)
    return in_place(session, [row], "Edited", "changed", lambda old, found, _: block_edits.reworded(old, found[0], words))


def add_below(session: Session, row: FactRow, text: str) -> Plan:
    """Add a typed text as a fact below another, with the same bullet or box. Raises `BadContent` for an empty text."""
    _refuse_empty(text)
    plan = in_place(session, [row], "Added", "added", lambda old, found, _: block_edits.added_below(old, found[0], text))
    return replace_fields(plan, label=_added(text), done=f"Added 1 fact to {row.ref.path}.")


def add_first(session: Session, project: str, text: str) -> Plan:
    """Add a typed text as an item at the end of the file of a project that is in every prompt, made if missing.

    Raises `BadContent` for an empty text, or `BadTarget` if there is no such file.
    """
    _refuse_empty(text)
    ref, nothing, model = main_file(session.layout, project), "Nothing was added.", "- fact\n"
    new = block_edits.blocks(facts(block_edits.added_below(model, facts(model)[0], text)))[1:]
    with _drafting(session, _added(text), nothing) as batch:
        batch.update(ref.path, lambda raw: inserted(_decoded(session, ref.path, raw, nothing), new, Edge.END).encode())
    return drafted(session, batch, f"Added 1 fact to {ref.path}.")


def move(session: Session, rows: Sequence[FactRow], target: Target) -> Plan:
    """Move facts to another file or another place in theirs. Facts that are already there verbatim are not repeated."""
    return _carry(session, rows, target, "Moved", keep=False)


def copy(session: Session, rows: Sequence[FactRow], target: Target) -> Plan:
    """Copy facts to another file."""
    return _carry(session, rows, target, "Copied", keep=True)


def unload(session: Session, rows: Sequence[FactRow], target: Target) -> Plan:
    """Move facts out of the prompt, to a note. Raises `BadTarget` if that would not make their file shorter, or as
    `refuse_unloaded` does.
    """
    refuse_unloaded(session, rows)
    plan, own = move(session, rows, target), {row.ref.path for row in rows}
    for edit in plan.changes:
        more = len(edit.after or b"") - len(edit.before or b"")
        if edit.ref.path in own and more >= 0:
            other = "A shorter name may do, or d." if more < 2 * len(target.ref.name or "") else "d takes it out."
            raise BadTarget(
                f"No smaller prompt: the line about the note is {counted(more, 'byte')} longer than what leaves it. {other}"
                " Nothing was moved."
            )
    return plan


def refuse_unloaded(session: Session, rows: Sequence[FactRow]) -> None:
    """Raise `BadTarget` for facts that no prompt has, since agents put no lines of their files there, and for lines of an index
    about a note.
    """
    lists, tree = session.layout.lists, DiskTree(session.root)
    for row in rows:
        told = lists.told(tree, row.ref.path, read_if_there(tree, row.ref.path) or b"") if row.ref.role is Role.INDEX else {}
        if about := told.get(row.fact.line + 1):
            raise BadTarget(
                f"{names_of([row])} is about a note, which has its text already: d takes it out. The note is "
                f"{printable_path(about.path)}. Nothing was moved."
            )
    out = [row for row in rows if row.is_out]
    for row in out:
        if row.ref.role is Role.INSTRUCTIONS:
            refuse_promoted(row.ref, "", names_of([row]), is_loaded=False)
    if out:
        name, *others = dict.fromkeys(printable_path(row.ref.path) for row in out)
        where = "their files" if others else name
        is_are = "is" if len(out) == 1 else "are"
        raise BadTarget(
            f"{names_of(out)} {is_are} not loaded: no prompt takes in {where}. m moves what is there. Nothing was moved."
        )


def promote(session: Session, rows: Sequence[FactRow], place: Place = Edge.END) -> Plan:
    """Move facts to their project's file that is in every prompt.

    Raises `BadTarget` for a fact that is there, for facts of several projects, or if there is no such file.
    """
    ref, *others = dict.fromkeys(main_file(session.layout, row.ref.project or session.project) for row in rows)
    for row in rows:
        main = main_file(session.layout, row.ref.project or session.project).path
        refuse_promoted(row.ref, main, names_of([row]), is_loaded=row.prompt is Prompt.WHOLE)
    if others:
        raise BadTarget("These are of several projects, each of which has a prompt of its own. Nothing was moved.")
    tasks = [row._replace(ref=row.ref._replace(role=Role.CHECKLIST)) for row in rows]  # treated as tasks, to lose their boxes
    return move(session, tasks, Target(ref, place))


def refuse_promoted(ref: MemRef, main: str, name: str, *, is_loaded: bool = True) -> None:
    """Raise `BadTarget` for a fact of instructions, which may be a comment there or for some files only, or of the main file."""
    if ref.role is Role.INSTRUCTIONS:
        raise BadTarget(f"{printable_path(name)} {INSTRUCTED[is_loaded]}: m moves it. Nothing was moved.")
    if ref.path == main:
        raise BadTarget(f"{printable_path(name)} is in {printable_path(main)} already. Nothing was moved.")


def in_place(
    session: Session, rows: Sequence[FactRow], verb: str, refused: str, change: Callable[[str, list[Fact], str], str]
) -> Plan:
    """The plan of a verb that changes each file independently: `change` gets its text, the facts in it and its path."""
    nothing = f"Nothing was {refused}."
    rows = once(session, rows)
    own = _by_path(rows)
    named = [f"{path}{for_all(session.ref_at(path), session)}" for path in own]
    places = ", ".join(named) if len(own) < 3 else f"{len(own):,} files"
    done = f"{verb} {names_of(rows)} in {places}."
    with _drafting(session, f"{verb} {names_of(rows)}", nothing) as batch:
        for path, wanted in own.items():

            def rewrite(raw: bytes | None, path: str = path, wanted: list[Fact] = wanted) -> bytes:
                text = _decoded(session, path, raw, nothing)
                return change(text, located(text, wanted, path, nothing), path).encode()

            batch.update(path, rewrite)
    return drafted(session, batch, done, unchanged=_so_already(rows, places, nothing))


def _so_already(rows: Sequence[FactRow], where: str, nothing: str) -> str:
    return f"{names_of(rows)} {'is' if len(rows) == 1 else 'are'} like that in {where} already. {nothing}"


def leaving(session: Session, refs: Sequence[MemRef]) -> str:
    """A sentence on facts that go out of files in the prompt of every project; empty if none does."""
    own = [ref for ref in refs if session.is_in_every_prompt(ref) or for_all(ref, session)]
    what = "It leaves" if len(own) == 1 else f"{len(own):,} of them leave" if len(own) < len(refs) else "They leave"
    return f"{what} the prompt of every {group_word(session.layout)}." if own else ""


def _carry(session: Session, rows: Sequence[FactRow], target: Target, verb: str, *, keep: bool) -> Plan:
    nothing, rows = f"Nothing was {verb.lower()}.", once(session, rows)
    goal = target.ref.path
    stay = [row for row in rows if row.ref.path == goal] if not keep and not isinstance(target.place, tuple) else []
    rows = [row for row in rows if row not in stay]
    if stay and not rows:
        raise BadTarget(f"{names_of(stay)} {'is' if len(stay) == 1 else 'are'} in {printable_path(goal)} already. {nothing}")
    where = f"{goal}{for_all(target.ref, session)}" + (f", below {target.place[-1]}" if isinstance(target.place, tuple) else "")
    done = f"{verb} {counted(len(rows), 'fact')} to {where}."
    if session.is_in_every_prompt(target.ref) and any(row.ref.project for row in rows):
        done += f" {EVERY_PROMPT}"
    elif not keep and (left := leaving(session, [row.ref for row in rows if row.ref != target.ref])):
        done += f" {left}"
    with _drafting(session, f"{verb} {names_of(rows)} to {goal}", nothing) as batch:
        for ref in dict.fromkeys(row.ref for row in rows):
            session.refuse_link_out(ref)
        texts = {
            path: _decoded(session, path, files.read_if_there(os.path.join(session.root, path)), nothing) for path in _by_path(rows)
        }
        taken, in_order = located_in(texts, rows, nothing)
        blocks = [carried(fact, row.ref, target.ref) for fact, row in zip(in_order, rows, strict=True)]

        def put(raw: bytes | None) -> bytes:
            text = None if raw is None else _decoded(session, goal, raw, nothing)
            if goal in taken and not keep:
                text = without(text or "", located(text or "", taken[goal], goal, nothing, exactly=True))
            return begun(session, target.ref, raw, with_blocks(text, blocks, target, nothing).encode())

        made, unloaded = batch.update(goal, put), ""
        there = len(blocks) - len(_lacking((made.before or b"").decode("utf-8", "replace"), blocks)) if goal not in taken else 0
        done += stood_there(there + len(stay))
        for path, own in taken.items() if not keep else ():
            if path != goal:

                def take(raw: bytes | None, path: str = path, own: list[Fact] = own) -> bytes:
                    text = _decoded(session, path, raw, nothing)
                    return without(text, located(text, own, path, nothing, exactly=True)).encode()

                raw = files.read_if_there(os.path.join(session.root, path))
                if _is_left(session, path, take(raw)):
                    batch.update(path, take)
                    continue
                batch.remove(path, expected=raw)
                done += f" {path.rpartition('/')[2]}, which has no other fact, is deleted."
                for place, rewrite in session.layout.lists.companions(DiskTree(session.root), path, None, b"").items():
                    batch.update(place, rewrite)
        for path, rewrite in listed_in(session, target.ref, made.after or b"").items() if made.before is None else ():
            went = () if keep else taken.get(path, ())
            gone = sum(len(fact.text.encode()) for fact in went)
            index = batch.update(path, _listed_for(session, target.ref, path, made.after or b"", went) if went else rewrite)
            more = len(index.after or b"") - len(index.before or b"")
            if 0 < gone <= more:
                done += f" Its line in {path.rpartition('/')[2]} is longer than what leaves it, by {counted(more - gone, 'byte')}."
            unloaded = session.layout.unloaded(path, texts[path].encode() if path in texts else index.before, index.after)
    return drafted(session, batch, done, unchanged=_so_already(rows, where, nothing), notes=(unloaded,) if unloaded else ())


def _listed_for(session: Session, ref: MemRef, path: str, text: bytes, gone: Sequence[Fact]) -> Rewrite:
    """A rewrite of an index that lists a new note, with this text, for facts that go there from the index: where they stood, if the
    agent loads no line at its end; and in half of their bytes, with the first words of a fact, or with the fewest of these.
    """
    free, most = min(fact.line for fact in gone) + 1, sum(len(fact.text.encode()) for fact in gone)
    words = without_secrets(gone[0].says).split()[:_LISTED]
    heads = [f"{' '.join(words[:count]).rstrip(',;:.–—-')}…" for count in range(len(words) - 1, _LEAST_LISTED - 1, -1)]
    texts = [text, *(f"# {ref.name}\n\n{head}\n".encode() for head in heads)]
    tries = [listed_in(session, ref, each, free)[path] for each in texts]

    def listed(raw: bytes | None) -> bytes | None:
        return next((new for each in tries if (new := each(raw)) and len(new) - len(raw or b"") <= most // 2), tries[-1](raw))

    return listed


def _is_left(session: Session, path: str, raw: bytes) -> bool:
    """Whether a file still has something to say: a note that has only frontmatter would be an empty shell."""
    head, body = split_frontmatter(raw)
    return session.ref_at(path).role is not Role.NOTE or not head or bool(body.strip())


def carried(fact: Fact, source: MemRef, goal: MemRef) -> Block:
    """The block for a fact in another file: it gets a check box in a checklist, where agents look for one.

    The box is removed when it goes from a checklist to long-term memory, or from elsewhere to instructions.
    """
    if source.path == goal.path:
        return Block(fact.text, fact.kind, fact.header)
    [block] = block_edits.blocks([fact])
    text = block.text
    start = line_start(text.partition("\n")[0])
    is_told = goal.role is Role.INSTRUCTIONS and source.role is not Role.INSTRUCTIONS
    if is_told or (goal.role in (Role.FACTS, Role.INDEX) and source.role is Role.CHECKLIST):
        return block._replace(text=text[: start.length - len(start.box)] + text[start.length :])
    if goal.role is not Role.CHECKLIST or start.box:
        return block
    if fact.kind is Kind.ITEM:
        return block._replace(text=f"- [ ] {text[start.length :]}" if start.bullet else text)
    if fact.kind is Kind.PARAGRAPH:
        return Block("- [ ] " + text.replace("\n", "\n  ").removesuffix("  "), Kind.ITEM)
    return block


def with_blocks(text: str | None, blocks: Sequence[Block], target: Target, nothing: str) -> str:
    """A file's text (None: no file) with the blocks it lacks inserted. Raises `BadTarget` if the place is gone."""
    new = _lacking(text or "", blocks)
    if text is None and target.ref.role is Role.NOTE:
        text = f"# {target.ref.name}\n"
    try:
        return inserted(text or "", new, target.place)
    except NoHeading as error:
        raise BadTarget(f"There is no heading {error} in {printable_path(target.ref.path)} any more. {nothing}") from None


def _lacking(text: str, blocks: Sequence[Block]) -> list[Block]:
    there = {trim(fact.text) for fact in facts(text)}
    return [block for block in blocks if trim(block.text) not in there]


def begun(session: Session, ref: MemRef, before: bytes | None, text: bytes) -> bytes:
    """The text to write: a new note gets the frontmatter or title of its kind."""
    return session.layout.dress.begun(ref.path, text) if before is None and ref.role is Role.NOTE else text


def listed_in(session: Session, ref: MemRef, text: bytes, free: int = 0) -> Mapping[str, Rewrite]:
    """The rewrites, by path, of the index files that list a new file with this text, if need be at the line `free`."""
    return session.layout.lists.companions(DiskTree(session.root), None, ref.path, text, free)


def located_in(
    texts: Mapping[str, str], rows: Sequence[FactRow], nothing: str, find: Callable[[str], list[Fact]] = facts
) -> tuple[dict[str, list[Fact]], list[Fact]]:
    """The facts of rows as they are in the current texts: by path, and in the order of the rows. Raises `Conflict`."""
    found = {path: located(find(texts[path]), own, path, nothing) for path, own in _by_path(rows).items()}
    next_of = {path: iter(own) for path, own in found.items()}
    return found, [next(next_of[row.ref.path]) for row in rows]


def once(session: Session, rows: Sequence[FactRow]) -> list[FactRow]:
    """The facts, with one path for each file: a link to a file lists its facts again."""
    real = {ref: os.path.realpath(session.path(ref)) for ref in dict.fromkeys(row.ref for row in rows)}
    path_of = {place: ref for ref, place in reversed(real.items())}
    found = [row._replace(ref=path_of[real[row.ref]]) for row in rows]
    return list({(row.ref, row.fact.line): row for row in found}.values())


def _by_path(rows: Sequence[FactRow]) -> dict[str, list[Fact]]:
    return grouped((row.ref.path, row.fact) for row in rows)


def located(text: str | Sequence[Fact], wanted: Sequence[Fact], path: str, refused: str, *, exactly: bool = False) -> list[Fact]:
    """The wanted facts as they are in a text or among facts, in the same order.

    Raises `Conflict` for the first one that is gone. With `exactly`, a fact whose lines differ counts as gone, since its old lines
    were copied elsewhere.
    """
    by_words = grouped((fact.says, fact) for fact in (facts(text) if isinstance(text, str) else text))
    free = {fact.line for found in by_words.values() for fact in found}
    out = []
    for fact in wanted:
        here = find_again(fact, by_words.get(fact.says, ()))
        if here is None or here.line not in free or (exactly and here.text.rstrip("\r\n") != fact.text.rstrip("\r\n")):
            how = "changed just now in" if here is not None and here.line in free else "is no longer in"
            raise Conflict(f"“{name_of(fact)}” {how} {printable_path(path)}. {refused}", "Look at the file again.")
        free.discard(here.line)
        out.append(here)
    return out


def _added(text: str) -> str:
    return f"Added “{without_secrets(' '.join(text.split()))[:60]}”"


def _refuse_empty(text: str) -> None:
    if not trim(text):
        raise BadContent("A fact needs words. Nothing was changed.", "Delete it to take it out.")


@contextmanager
def _drafting(session: Session, label: str, nothing: str) -> Iterator[Batch]:
    """A batch to draft a plan in. Errors of the store get the sentence `nothing` appended."""
    try:
        yield session.batch(label, nothing=nothing)
    except StoreError as error:
        if nothing not in error.message:
            error.message = f"{error.message.partition(' Nothing was ')[0].removesuffix('.')}. {nothing}"
        raise


def _decoded(session: Session, path: str, raw: bytes | None, nothing: str) -> str:
    return files.decoded(os.path.join(session.root, path), raw or b"", f". {nothing}")


_FIRST: Final = (Role.FACTS, Role.CHECKLIST, Role.LOG)
"""Roles that are offered even if there is no such file yet, in this order."""


def targets(session: Session, rows: Sequence[FactRow], project: str) -> list[Target]:
    """The possible targets: headings of the facts' own file, files of the project and shared ones, then other projects.

    Long-term memory and the checklist are listed with their headings. Files of other projects that match the facts' own come first.
    What is no file, such as a folder called like a note, is left out.
    """
    own = rows[0].ref if len({row.ref.path for row in rows}) == 1 else None
    found = [*_below(session, own)] if own is not None else []
    mem = session.mem(project)
    days = {Role.LOG: mem.today}
    main = [ref for role in _FIRST if (ref := session.layout.ref(role, project, days.get(role, ""))) is not None]
    here = _files(session, (*session.layout.global_folders(), *session.layout.project_folders(project)))
    for ref in dict.fromkeys([*(ref for ref in main if not os.path.isdir(session.path(ref))), *here]):
        if ref != own:  # where it is already
            found.append(Target(ref))
        if ref.role in (Role.FACTS, Role.CHECKLIST) and ref != own:
            found += _below(session, ref)
    others = [slug for slug in projects_to_choose(session) if slug != project]
    alike = (_matching_file(session, rows[0], slug) for slug in others)
    matching = [ref for ref in alike if ref is not None and not os.path.isdir(session.path(ref))]
    theirs = _files(session, [folder for slug in others for folder in session.layout.project_folders(slug)])
    return found + [Target(ref) for ref in dict.fromkeys([*matching, *theirs])]


def _files(session: Session, folders: Iterable[Folder]) -> list[MemRef]:
    every = (entry for folder in folders for entry in scan.entries(session.root, folder))
    return [entry.ref for entry in every if not entry.problem]


def new_note(session: Session, project: str, name: str) -> Target:
    """A note of a project as a target, created if missing; one that the name means, or that differs only by case, is that note.

    Raises `BadName`, or `BadTarget` if there are no notes.
    """
    ref = session.mem(project).ref(Role.NOTE, note_stem(name))
    folder, _, file = ref.path.rpartition("/")
    there = files.list_names(os.path.join(session.root, folder))
    same = next((each for each in there if each.casefold() == file.casefold()), file)
    return Target(ref if file in there else session.ref_at(f"{folder}/{same}"))


def note_for(session: Session, project: str, row: FactRow) -> Target:
    """The note that a fact goes to, called like the heading above it, but not the fact's own file. Raises what `new_note` does."""
    found = new_note(session, project, _called(row))
    return found if found.ref.path != row.ref.path else new_note(session, project, "notes")


def proposed_note(session: Session, project: str, row: FactRow) -> str:
    """The name of the note that a fact goes to, as this kind of store calls the file."""
    try:
        return note_for(session, project, row).ref.name or _called(row)
    except (BadName, BadTarget):
        return _called(row)


def _called(row: FactRow) -> str:
    return note_name(row.fact.headings[-1] if row.fact.headings else "")


def _below(session: Session, ref: MemRef) -> list[Target]:
    return [Target(ref, path) for path in headings(session, ref)]


def _matching_file(session: Session, row: FactRow, project: str) -> MemRef | None:
    """The file of another project that matches a fact's own; a note, for a fact that is in a shared file."""
    layout = session.layout
    if row.ref.project:
        return find_ref(layout, in_project(layout, row.ref.path, project))
    try:
        return note_for(session, project, row).ref
    except BadTarget:
        return None
