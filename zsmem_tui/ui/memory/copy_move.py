"""Copying and moving files of the tree: under another name, into another group, into another agent's store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import file_ops
from zsmem_tui.service.editing import why_read_only
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui import wording
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.memory import file_verbs
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.perform import attempt, show

if TYPE_CHECKING:
    from zsmem_tui.core.outcomes import VerbResult
    from zsmem_tui.service.plan import Handling, Plan
    from zsmem_tui.ui.memory.screen import MainScreen

Part = tuple[OpenStore, Sequence[MemRef]]
"""Files of a store."""

_NAME: Final = "name"
"""The answer for another name in the same place."""


class _Goal(NamedTuple):
    """A group of an open store."""

    store: OpenStore
    group: str

    def label(self, main: MainScreen) -> str:
        """What it is called, seen from the store in use; two stores of one agent are told apart by where they are."""
        whole = self.store.folders.get("", "")
        named = "for everybody" if self.group == EVERYBODY else self.store.group_name(self.group)
        shown = printable_path(shortened(whole)) if whole else named
        if len(main.stores) == 1:
            return shown
        is_double = sum(each.title == self.store.title for each in main.stores) > 1
        place = f" {printable_path(shortened(self.store.session.root))}" if is_double and not whole else ""
        return f"{self.store.title}{place} · {shown}"


async def carry(main: MainScreen, parts: Sequence[Part], *, is_move: bool) -> None:
    """Copy or move files of one or several stores, or give a single one another name; a single store is in use."""
    refs = [ref for _, own in parts for ref in own]
    if is_move:
        problems = [await asyncio.to_thread(why_read_only, store.session, ref) for store, own in parts for ref in own]
        if all(problems):
            main.say(problems[0], warning=True)
            return
    goals = {str(number): goal for number, goal in enumerate(_goals(main, parts, is_move=is_move))}
    answers = [(id, goal.label(main)) for id, goal in goals.items()]
    if len(refs) == 1 and not (is_move and file_ops.why_not(refs[0], "renamed")):
        answers.insert(len(answers) if is_move else 0, (_NAME, "Another name, in the same place …"))
    verb = "Move" if is_move else "Copy"
    of_all = f" of {counted(len(parts), 'store')}" if len(parts) > 1 else ""
    what = wording.title_of(refs[0], main.session) if len(refs) == 1 else f"{counted(len(refs), 'file')}{of_all}"
    if not answers or (is_move and not goals):
        problem = file_ops.why_not(refs[0], "moved to another project")
        main.say(problem or f"There is no other project or agent to {verb.lower()} it to.", warning=True)
        return
    is_only_name = [id for id, _ in answers] == [_NAME]
    answer = _NAME if is_only_name else await choose(main, verb, f"{verb} {what} to:", answers, names=True)
    if answer is None:
        return
    if answer == _NAME:
        await (file_verbs.rename if is_move else _copy_here)(main, refs[0])
        return
    goal = goals[answer]
    if is_move and goal.store is main.here and len(refs) == 1:
        await file_verbs.performed(main, lambda: file_ops.move(main.session, refs[0], goal.group), refs[0])
        return
    await _plan_and_do(main, parts, goal, is_move=is_move, title=f"{verb} to {goal.label(main)}")


async def _copy_here(main: MainScreen, ref: MemRef) -> None:
    """A copy under another name."""
    question = ("Copy", f"The name of a note to copy {wording.title_of(ref, main.session)} to:", f"{ref.name or 'copy'}-2")
    await file_verbs.named(main, question, lambda name: file_ops.duplicate(main.session, ref, name))


def _goals(main: MainScreen, parts: Sequence[Part], *, is_move: bool) -> list[_Goal]:
    """Where files can go: first the other groups of the store in use, then those of the others."""
    out = []
    for store in (main.here, *(each for each in main.stores if each is not main.here)):
        layout = store.session.layout
        known = [project.slug for project in store.catalog.projects] if store.catalog else []
        everybody = [EVERYBODY] if layout.global_folders() and not layout.projects_folder else []
        groups = list(dict.fromkeys([store.session.project, *known, *everybody]))
        if EVERYBODY not in everybody:
            groups = [group for group in groups if group != EVERYBODY]
        refs = next((own for each, own in parts if each is store), ())
        own = {ref.project or EVERYBODY for ref in refs}
        if is_move and any(file_ops.why_not(ref, "moved to another project") for ref in refs):
            groups = []
        elif len(parts) == len(own) == 1:
            groups = [group for group in groups if group not in own]
        out += [_Goal(store, group) for group in groups]
    return out


async def _plan_and_do(main: MainScreen, parts: Sequence[Part], goal: _Goal, *, is_move: bool, title: str) -> None:
    """Show what would become of the files, as long as the person changes names in it; then do it."""
    from zsmem_tui.service import copying  # with import and its formats, before something goes to another store
    from zsmem_tui.ui.dialogs.plan import plan_and_show  # with the diff
    from zsmem_tui.ui.plans import FilesDraft  # likewise

    stores, target = [store for store, _ in parts], goal.store.session
    sources = [(store.session, refs) for store, refs in parts]
    names: dict[str, str] = {}

    def make(secrets: Handling) -> Plan:
        return copying.plan(sources, target, move=is_move, group=goal.group, names=names, secrets=secrets)

    def shows(plan: Plan) -> bool:
        return stores != [goal.store] or not all(each.is_taken and not each.losses for each in plan.rows)

    draft = FilesDraft(title, make, target, names, is_move=is_move)
    plan = await plan_and_show(main, draft, shows=shows)
    if plan is not None:
        await _do(main, plan, goal.store, stores)


async def _do(main: MainScreen, plan: Plan, store: OpenStore, sources: Sequence[OpenStore]) -> None:
    """Do what was planned, and go to the first file in its new place."""
    from zsmem_tui.service import applying  # with the write path

    every = tuple(dict.fromkeys((*sources, store)))

    async def apply() -> VerbResult:
        async with AsyncExitStack() as held:
            for each in every:
                await held.enter_async_context(each.looking)  # what is written here is no news from others
            return await asyncio.to_thread(applying.apply, plan)

    async def refresh(_: VerbResult) -> None:
        for each in every:
            await main.look_now(each)

    done = await attempt(apply(), lambda reason: main.say(reason, warning=True))
    if done is None:
        return
    await show(main.host, done, main, refresh=refresh)
    if not done.changed:
        return
    main.tree_pane.project_tree.unmark()
    there = next((each.ref for each in plan.rows if each.is_taken and each.ref.path), None)
    if there is not None and store.has(there):
        main.tree_pane.reveal(store.key, there)
        if main.use(store):
            main.post_message(FileChosen(there, store=store.key))
