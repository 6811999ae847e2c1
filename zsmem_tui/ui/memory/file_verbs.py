"""The actions on files: create, rename, copy, move and delete, with the dialogs they need."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.facts import facts
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, lines, printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import editing as editing_verbs
from zsmem_tui.service import file_ops
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.editing import why_read_only
from zsmem_tui.service.facts.rows import name_of
from zsmem_tui.service.file_ops import FileOpResult
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import wording
from zsmem_tui.ui.dialogs.ask import ask_line, ask_until, choose
from zsmem_tui.ui.memory import editing
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import At, OpenStore
from zsmem_tui.ui.perform import attempt, copy, perform, show

if TYPE_CHECKING:
    from zsmem_tui.core.outcomes import VerbResult
    from zsmem_tui.service.plan import Handling, Plan
    from zsmem_tui.ui.memory.screen import MainScreen


_Question = tuple[str, str, str]
"""A dialog's title, its question, and the initial value of its input."""

_OF_A_LINE: Final[dict[str | None, tuple[str, str, Callable[[Session, str, str], FileOpResult]]]] = {
    "entry": ("Entry in today's log", "What is it about?", file_ops.new_entry),
    "item": ("Open item", "What is to be done?", file_ops.new_item),
    "fact": ("Fact", "What is to be remembered?", file_ops.first_fact),
}
"""What is added by one line: the title of the dialog, its question, and the verb."""


async def add(main: MainScreen, project: str) -> None:
    """Ask what to add, and add it: a note, an entry in today's log, a scratchpad or an item of it, or a fact."""
    session = main.session
    if project == EVERYBODY and not session.layout.global_folders():
        chosen = await _group_of_new(main)
        if chosen is None:
            return
        project = chosen
    answers = await asyncio.to_thread(file_ops.additions, session, project)
    if not answers:
        main.warn(f"{session.layout.title} has nothing that could be added here: e edits what there is.")
        return
    kind = await choose(main, "Add", f"Add to {main.here.group_name(project)}:", answers)
    if kind in ("note", file_ops.ALONE):
        noun = file_ops.word_of_new(session, project)
        index = await asyncio.to_thread(file_ops.index_of_new_notes, session, project)
        rule = "anything but slashes and dots. " if noun == "note" else ""
        question = (f"New {noun}", f"Its name: {rule}{session.layout.dress.naming}".rstrip(), "")
        says = f"What does it say, in one sentence? That is what {session.layout.title} sees of it in {index}."
        verb = partial(file_ops.new_note, session, project=project, alone=kind == file_ops.ALONE)
        made = await named(
            main,
            question,
            lambda name, says: verb(name, content=f"{says}\n" if says else ""),
            about=says if index else "",
            check=lambda name: file_ops.new_name(session, name, project),
        )
        if made:
            await editing.edit(main, made.ref, at_end=True)
    elif kind in _OF_A_LINE:
        title, asks, write = _OF_A_LINE[kind]
        if made := await named(main, (title, asks, ""), lambda it, _: write(session, it, project)):
            main.post_message(FileChosen(made.ref, store=main.here.key))
    elif kind == "scratchpad" and (made := await performed(main, lambda: file_ops.new_scratchpad(session, project))):
        await editing.edit(main, made.ref, at_end=True)


async def _group_of_new(main: MainScreen) -> str | None:
    """Ask for the group of a new file, in a store without global memory; None if there is no group or the person cancelled."""
    here = main.here
    groups = [project.slug for project in here.catalog.projects] if here.catalog else []
    if not groups:
        how = f"begin with {here.title} itself, or 9 exports to one that you name"
        main.warn(f"{here.title} has nobody yet whose memory it could be: {how}. Nothing was added.")
        return None
    return await choose(main, "Add", "Whose memory?", [(group, here.group_name(group)) for group in groups], names=True)


async def if_there(main: MainScreen, ref: MemRef, verb: Callable[[MainScreen, MemRef], Awaitable[None]]) -> None:
    """Run `verb` on a file; if the file is gone, say so instead."""
    gone = await asyncio.to_thread(file_ops.why_gone, main.session, ref)
    main.warn(gone) if gone else await verb(main, ref)


async def rename(main: MainScreen, ref: MemRef) -> None:
    """Ask for a new name for a note and rename it."""
    if problem := file_ops.why_not(main.session.layout, ref, "renamed") or await asyncio.to_thread(
        why_read_only, main.session, ref
    ):
        main.warn(problem)
        return
    rule = await asyncio.to_thread(file_ops.name_rule, main.session, ref)
    question = ("Rename", f"A new name for {wording.title_of(ref, main.session)}{rule}:", ref.name)
    await named(main, question, lambda name, _: file_ops.rename(main.session, ref, name), ref)


async def add_aliases(main: MainScreen, ref: MemRef) -> None:
    """Ask for aliases of a note and add them; if they are refused, ask again with the same input."""
    from zsmem_tui.service import recall  # deferred: imports the log of searches

    session = main.session
    if ref.role is not Role.NOTE:
        main.warn(recall.why_no_aliases(ref))
        return
    own = await asyncio.to_thread(recall.aliases, session, ref)
    known = f"It is also found as {visible_line(', '.join(own))}. " if own else ""
    question = f"{known}By which words would somebody else look for {wording.title_of(ref, session)}? Commas between them:"

    async def write(answer: str) -> VerbResult | None:
        words = [word for each in answer.split(",") if (word := trim(each))]
        return await asyncio.to_thread(recall.write_aliases, session, ref, words) if words else None

    if (done := await ask_until(main, "Alias", question, write)) is not None:
        await show(main.host, done, main)


async def delete(main: MainScreen, ref: MemRef) -> None:
    """Delete a file. Nothing is asked: one that the history could not bring back is not deleted."""
    await performed(main, lambda: file_ops.delete(main.session, ref))


async def delete_marked(main: MainScreen, parts: Sequence[Part]) -> None:
    """Delete the marked files as one step."""
    plan = file_ops.plan_deleting([(store.session, refs) for store, refs in parts])
    await _do(main, plan, main.here, [store for store, _ in parts], goes_along=False)


async def delete_read(main: MainScreen, ref: MemRef) -> None:
    """Delete the selected lines of the viewer; if there are none, the whole file, or what is chosen of one opened at a line."""
    viewer = main.viewer
    file, selecting = viewer.file, viewer.view.selecting
    if file is None or file.ref != ref:
        await delete(main, ref)
        return
    raw, numbers, is_read = file.raw, range(0), main.current == "viewer"
    if is_read and selecting.is_lost:
        selecting.stop()
        main.warn("The text has changed, and nothing is selected any more. Nothing was deleted.")
        return
    if is_read and not (numbers := selecting.numbers) and (selecting.is_on or viewer.view.text_selection is not None):
        main.warn("Only whole lines are deleted here: V selects them. Nothing was deleted.")
        return
    if not numbers and main.is_at_line:
        line = viewer.view.line_meant
        fact = next((each for each in facts(file.text) if each.line <= line < each.stop), None)
        first = ("", f"Only “{visible_line(name_of(fact))}”" if fact else "Leave it")
        whole = ("file", f"The whole file, {counted(len(lines(file.text)), 'line')}")
        chosen = await choose(main, "Delete", f"Delete of {wording.title_of(ref, main.session)}:", (first, whole))
        if chosen is None or not (fact or chosen):
            return
        numbers = range(fact.line, fact.stop) if fact and not chosen else numbers
    if numbers:
        await perform(main.host, lambda: editing_verbs.delete_lines(main.session, ref, raw, numbers), main)
        viewer.stop_selecting()
    else:
        await delete(main, ref)


async def copy_text(main: MainScreen, ref: MemRef) -> None:
    """Copy the text of a file to the terminal's clipboard; on a line of a hit, only that line."""
    row = main.search.row_at_cursor() if main.current == "search" else None
    if row is not None and row.line is not None:
        copy(main, row.line.text, "the line")
        return
    file = await asyncio.to_thread(open_file, main.session, ref)
    if not file.text:
        why = "cannot be read" if file.problem else "is empty"
        main.warn(f"Nothing to copy: {wording.title_of(ref, main.session)} {why}.")
    else:
        copy(main, file.text, wording.title_of(ref, main.session))


async def named(
    main: MainScreen,
    question: _Question,
    verb: Callable[[str, str], FileOpResult],
    old: MemRef | None = None,
    about: str = "",
    check: Callable[[str], object] = bool,
) -> FileOpResult | None:
    """Ask for a line and call `verb` with it; if that is refused, ask again with the same input.

    `about` is a second, optional question, whose answer is the verb's second argument; `check` raises before it for a bad line.
    """
    title, text, value = question
    problems, says, of = [""], "", f"{main.here.key} {main.project_meant()} {value}"
    while (answer := await ask_line(main, title, text, value, problem=problems[-1], about=of)) is not None:
        if not (value := trim(answer)):
            problems.append("Type a name first; esc leaves without one.")
        elif about and not await attempt(asyncio.to_thread(check, value), problems.append):
            continue
        elif (more := await ask_line(main, f"{title} {value}", about, says, about=of) if about else "") is None:
            break
        elif (done := await performed(main, partial(verb, value, says := trim(more)), old, problems.append)) is not None:
            return done
    return None


async def performed(
    main: MainScreen, verb: Callable[[], FileOpResult], old: MemRef | None = None, refused: Callable[[str], object] | None = None
) -> FileOpResult | None:
    """Run `verb` and put the tree's cursor on its file; if the file `old` was on the screen, show the new one instead."""

    async def refresh(done: FileOpResult) -> None:
        if old is not None and main.is_shown(old) and old != done.ref:
            main.post_message(FileChosen(done.ref, line=main.viewer.view.top_line, store=main.here.key))
        await main.look_now()
        main.tree_pane.reveal(main.here.key, done.ref)
        main.tree_pane.came_from[At(main.here.key, done.ref.project, done.ref)] = before

    before = main.tree_pane.at_cursor() or At("")
    return await perform(main.host, verb, main, refresh=refresh, refused=refused)


Part = tuple[OpenStore, Sequence[MemRef]]
"""Some files of one store."""

_NAME: Final = "name"
"""The answer for another name in the same place."""


class _Destination(NamedTuple):
    """The target of a copy or move: a group of an open store."""

    store: OpenStore
    group: str

    def label(self, main: MainScreen) -> str:
        """The target's name in the dialog; two stores of the same agent are told apart by their paths."""
        whole = self.store.folders.get("", "")
        named = "for everybody" if self.group == EVERYBODY else self.store.group_name(self.group)
        shown = printable_path(shortened(whole)) if whole else named
        if len(main.stores) == 1:
            return shown
        is_double = sum(each.title == self.store.title for each in main.stores) > 1
        place = f" {printable_path(shortened(self.store.session.root))}" if is_double and not whole else ""
        return f"{self.store.title}{place} · {shown}"


async def carry(main: MainScreen, parts: Sequence[Part], *, is_move: bool) -> None:
    """Ask for a target and copy or move files of one or more stores there; a single file can get another name instead."""
    refs = [ref for _, own in parts for ref in own]
    checks = [asyncio.to_thread(file_ops.why_gone, store.session, ref) for store, own in parts for ref in own]
    if gone := next(filter(None, await asyncio.gather(*checks)), ""):
        main.warn(gone)
        return
    fixed = [await asyncio.to_thread(why_read_only, store.session, ref) for store, own in parts for ref in own if is_move]
    if fixed and all(fixed):
        main.warn(fixed[0])
        return
    goals = {str(number): goal for number, goal in enumerate(_destinations(main, parts, is_move=is_move))}
    answers = [(id, goal.label(main)) for id, goal in goals.items()]
    if len(refs) == 1 and not (is_move and file_ops.why_not(main.session.layout, refs[0], "renamed")):
        answers.insert(len(answers) if is_move else 0, (_NAME, "Another name, in the same place …"))
    verb = "Move" if is_move else "Copy"
    of_all = f" of {counted(len(parts), 'store')}" if len(parts) > 1 else ""
    what = wording.title_of(refs[0], main.session) if len(refs) == 1 else f"{counted(len(refs), 'file')}{of_all}"
    if not answers or (is_move and not goals):
        problems = [file_ops.why_not(main.session.layout, ref, "moved to another project") for ref in refs if is_move]
        main.warn(next(filter(None, problems), f"There is no other project or agent to {verb.lower()} it to."))
        return
    answer = _NAME if not goals else await choose(main, verb, f"{verb} {what} to:", answers, names=True)
    if answer == _NAME:
        await (rename if is_move else _copy_here)(main, refs[0])
    elif answer is not None and (goal := goals[answer]).store is main.here and is_move and len(refs) == 1:
        await performed(main, lambda: file_ops.move(main.session, refs[0], goal.group), refs[0])
    elif answer is not None:
        await _plan_and_do(main, parts, goal, is_move=is_move, title=f"{verb} to {goal.label(main)}")


async def _copy_here(main: MainScreen, ref: MemRef) -> None:
    """Ask for a name and copy the file to it, within its folder."""
    rule = await asyncio.to_thread(file_ops.name_rule, main.session, ref)
    question = ("Copy", f"The name of a note to copy {wording.title_of(ref, main.session)} to{rule}:", f"{ref.name or 'copy'}-2")
    await named(main, question, lambda name, _: file_ops.duplicate(main.session, ref, name))


def _destinations(main: MainScreen, parts: Sequence[Part], *, is_move: bool) -> list[_Destination]:
    """The possible targets: the groups of the current store first, then those of the others."""
    from zsmem_tui.service import copying  # deferred: imports all formats

    sources, out = [(store.session, refs) for store, refs in parts], []
    for store in (main.here, *(each for each in main.stores if each is not main.here)):
        known = [project.slug for project in store.catalog.projects] if store.catalog else []
        out += [_Destination(store, group) for group in copying.groups(sources, store.session, known, move=is_move)]
    return out


async def _plan_and_do(main: MainScreen, parts: Sequence[Part], goal: _Destination, *, is_move: bool, title: str) -> None:
    """Show what would happen to the files, let the person change names, and apply the plan."""
    from zsmem_tui.service import copying  # deferred: imports all formats
    from zsmem_tui.service.plan import Fate  # deferred: likewise
    from zsmem_tui.ui.dialogs.plan import plan_and_show  # deferred: imports the diff
    from zsmem_tui.ui.plans import FilesDraft  # deferred: likewise

    stores, target = [store for store, _ in parts], goal.store.session
    sources = [(store.session, refs) for store, refs in parts]
    names: dict[str, str] = {}

    def make(secrets: Handling) -> Plan:
        return copying.plan(sources, target, move=is_move, group=goal.group, names=names, secrets=secrets)

    def shows(plan: Plan) -> bool:
        return stores != [goal.store] or not all(each.fate is Fate.ADD and not each.losses for each in plan.rows)

    draft = FilesDraft(title, make, target, names, is_move=is_move)
    if (plan := await plan_and_show(main, draft, shows=shows)) is not None:
        await _do(main, plan, goal.store, stores, goes_along=is_move)


async def _do(main: MainScreen, plan: Plan, store: OpenStore, sources: Sequence[OpenStore], *, goes_along: bool) -> None:
    """Apply the plan; `goes_along`: show the first file in its new place."""
    from zsmem_tui.service import applying  # deferred: imports the write path

    every = tuple(dict.fromkeys((*sources, store)))

    async def refresh(_: VerbResult) -> None:
        for each in every:
            await main.look_now(each)

    done = await perform(main.host, partial(applying.apply, plan), main, refresh=refresh)
    if done is None or not done.changed:
        return
    main.tree_pane.project_tree.unmark(shown=True)
    there = next((each.ref for each in plan.rows if each.is_taken and each.ref.path), None)
    if goes_along and there is not None and store.has(there) and main.use(store):
        main.post_message(FileChosen(there, store=store.key))
