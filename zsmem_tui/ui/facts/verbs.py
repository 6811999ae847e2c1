"""The actions on facts, for the facts screen and the prompt screen."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from zsmem_tui.core.block_edits import Edge, split_words
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import has_main_file, main_file, only_instructions
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, previewing, review_facts, wanted
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.acts import Target, new_note, proposed_note, targets
from zsmem_tui.service.facts.rows import FactRow, names_of
from zsmem_tui.service.plan import Handling, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import projects_to_choose
from zsmem_tui.service.titles import in_prompt_of
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import Asked, choose, lets_in
from zsmem_tui.ui.facts import rows as fact_rows
from zsmem_tui.ui.perform import attempt, copy, perform
from zsmem_tui.ui.tool import Make, VerbScreen, verb
from zsmem_tui.ui.widgets.frame import begin
from zsmem_tui.ui.wording import name_of, title_of

if TYPE_CHECKING:
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.ui.open_store import FactsAbout, OpenStore
    from zsmem_tui.ui.tool import Place

LONGEST_LINE: Final = 350
"""In characters, five rows of a question. Longer facts are edited in the editor instead of an input, so as to be seen whole."""

MAIN: Final = "main"
"""The answer for the file of the store that is in every prompt."""

_HERE: Final = "here"
"""The answer for the file that the facts are in."""

_NEW_NOTE: Final = "\0note"
"""The answer for a new note."""


class PromotingScreen(VerbScreen):
    """A tool screen with items that can be brought into the prompt."""

    def within(self, project: str) -> str:
        """The file of the store that is in every prompt, and whose prompt that is; empty if there is none."""
        layout = self.session.layout
        if not has_main_file(layout, project):
            return ""
        name = "Long-term memory" if layout.ref(Role.FACTS, project) is not None else "The index, MEMORY.md"
        return f"{name} · {in_prompt_of(main_file(layout, project), self.session)}"

    async def ask_where(
        self, items: Sequence[Any], rows: Sequence[FactRow], own: Mapping[str, str], noun: str = "fact"
    ) -> str | None:
        """Ask where to load items if there are several places: the store's `own`, each with its name, and instructions.

        None if the person cancelled, or chose an instruction file: then they were moved there.
        """
        from zsmem_tui.service import instructions, promoting  # deferred: imports every kind of store

        is_told = any(row.ref.role is Role.INSTRUCTIONS for row in rows)
        ask = partial(asyncio.to_thread, promoting.named_takers, self.session, {row.ref.project for row in rows})
        place, takers = (None if is_told else await attempt(ask(), self.warn)) or ("", ())
        answers = [*own.items(), *takers]
        if not answers:
            why = "has no file that is in every prompt, and no instructions of this folder that it reads are known"
            if not is_told:
                self.warn(f"{self.session.layout.title} {why}. Nothing was done.")
            return MAIN if is_told else None  # which is refused with the reason
        question = f"Load {meant_name(rows, noun)}, moving {'them' if rows[1:] else 'it'} to:"
        answer = await choose(self, "Load", question, answers, names=True) if answers[1:] else answers[0][0]
        if answer is None or answer in own:
            return answer
        every = (store.session for store in self.host.main.stores if store.session.layout.kind == instructions.KIND)
        into = next((each for each in every if each.root == place), None)
        into = into or instructions.open_folder(self.session.config, place, clock=self.session.clock)
        plan = partial(promoting.plan_promote, self.session, rows, into, answer)
        await self.show_and_do(items, f"Load into {answer}", lambda secrets: plan(secrets=secrets))
        return None

    async def with_room(self, rows: Sequence[FactRow], make: Make, top: Make) -> Make | None:
        """`make`, or if its text would not fit in the prompt, what the person chose: `top`, `make` or None."""

        def missing() -> str:
            for edit in make().changes:
                if acts.without_room(self.session, edit.ref, (edit.after or b"").decode(), {row.fact.says for row in rows}):
                    return title_of(edit.ref, self.session)
            return ""

        name = await attempt(asyncio.to_thread(missing), self.warn)
        if not name:
            return make if name == "" else None
        answers = [("top", f"The top of {name}, where it is loaded"), ("end", "There all the same, where it is lost")]
        words = f"{name} is full: {meant_name(rows).capitalize()} would be lost there, and the agent would not see it."
        return {"top": top, "end": make}.get(await choose(self, "Lost there", words, answers) or "")

    async def show_and_do(self, items: Sequence[Any], title: str, make: Callable[[Handling], Plan]) -> None:
        """Show what every file would contain, then apply the plan as one step."""
        from zsmem_tui.ui.dialogs.plan import plan_and_show  # deferred: imports the diff
        from zsmem_tui.ui.plans import Draft  # deferred: likewise

        plan = await plan_and_show(self, Draft(title, make, is_move=True))
        if plan is None:
            return

        async def refresh(_: VerbResult) -> None:
            for store in (known := [each for each in self.host.main.stores if each.session in plan.sessions]):
                await self.host.main.look_now(store, more=len(known) < len(plan.sessions))
            if not self.closed:
                await self.read_again(items)

        if await perform(self.host, lambda: applying.apply(plan), self, refresh=refresh) is not None and not self.closed:
            self.next_after(items)


class FactVerbs(PromotingScreen):
    """A screen with facts and the actions on them."""

    about: FactsAbout | Subject
    last_target: Target | None = None
    """The last target of a move or copy."""

    async def read_again(self, items: Sequence[Any]) -> None:
        """Read again after an action, and poll the store, since the doctor's findings have moved."""
        await self.read()
        main, store = self.host.main, self.memory
        begin(main, partial(main.look_now, store), group="own step")

    def edit_file(self, row: FactRow) -> None:
        """Edit the file at a fact; leaving the editor returns here."""
        raise LookupError("every screen knows at which of its rows the fact is seen")

    @in_turn
    async def action_open(self) -> None:
        """Open the file at the fact."""
        for row in await self.meant(at_cursor=True):
            self.host.read_file(row.ref, row.fact.line)

    action_delete = verb(acts.delete)
    action_shift = verb(lambda session, rows, step: acts.shift(session, rows[0], step))

    @in_turn
    async def action_top(self) -> None:
        """Bring the facts into the prompt, where the person says; if others have to go for that, show them first."""
        rows = await self.meant(anywhere=True)
        is_one = len({self.store_of(row).key for row in rows}) == 1
        to = await self.ask_where(rows, rows, await asyncio.to_thread(self._own_places, rows)) if is_one else _HERE
        if not rows or to is None or not await lets_in(self, [row.fact.text for row in rows]):
            return
        way = raising.to_main if to == MAIN else raising.into_prompt if is_one else raising.to_top
        plan = await attempt(asyncio.to_thread(self.planned, rows, way), self.warn)
        if plan is None:
            await self.read()
        elif plan.read is None:
            await self.do(rows, lambda: plan, lifts=True)
        else:
            from zsmem_tui.ui.prompt.fit import fit  # deferred: imports the plan dialog and the diff

            await fit(self, plan.read.about, rows)

    def _own_places(self, rows: Sequence[FactRow]) -> dict[str, str]:
        """The places of the store where facts can be loaded, by answer: where their files are, and the main file. Slow."""
        session, project = self.session, self.about.project
        first, *others = {row.ref for row in rows}
        name = "their files" if others else title_of(first, session)
        if not others and first.role in (Role.FACTS, Role.INDEX):
            name += f" · {in_prompt_of(first, session)}"
        is_whole = all(row.prompt is Prompt.WHOLE for row in rows)
        found = {_HERE: f"the {'top' if is_whole else 'loaded part'} of {name}", MAIN: self.within(project)}
        if all(row.is_out for row in rows):
            del found[_HERE]
        if not found[MAIN] or goes_down(session, rows, project):
            del found[MAIN]
        return {id: name + raising.below(session, rows, in_main=id == MAIN) for id, name in found.items()}

    @in_turn
    async def action_edit(self) -> None:
        """Edit the fact's text in an input; if it is long or has several lines, in the editor."""
        for row in await self.meant(at_cursor=True):
            if row.fact.lines > 1 or len(row.fact.text) > LONGEST_LINE:
                self.edit_file(row)
            else:
                await self.ask_and_do([row], partial(self._new_words, row), edited=True)

    async def _new_words(self, row: FactRow, asked: Asked) -> Make | None:
        words = split_words(row.fact)[1]
        text = await asked.line("Edit", "The words of this fact:", words, mend=True)
        return (lambda: acts.reword(self.session, row, text)) if text and text != words else None

    @in_turn
    async def action_move(self) -> None:
        """Move to another file, heading or project."""
        if rows := await self.meant():
            await self.ask_and_do(rows, partial(self._place, rows, "Move", acts.move))

    @in_turn
    async def action_copy(self) -> None:
        """Copy to another file, heading or project."""
        if rows := await self.meant():
            await self.ask_and_do(rows, partial(self._place, rows, "Copy", acts.copy))

    async def _place(self, rows: list[FactRow], title: str, carry: Callable[..., Plan], asked: Asked) -> Make | None:
        """Ask for a target; the last one is offered first."""
        session = self.session
        beside = [store for store in self.host.main.stores if store is not self.memory]
        target = await choose_target(self, session, rows, self.about.project, asked, title, self.last_target, beside=beside)
        if target is None:
            return None
        if target.store:
            from zsmem_tui.service import promoting  # deferred: imports every kind of store

            into = self.host.main.store_of(target.store)
            plan = partial(promoting.plan_copy, session, rows, into.session, target.ref.project, move=carry is acts.move)
            await self.show_and_do(rows, f"{title} to {into.title}", lambda how: review_facts.by_hand(plan(secrets=how), rows))
            return None
        self.last_target = target
        top = target._replace(place=Edge.TOP)
        return await self.with_room(rows, lambda: carry(session, rows, target), lambda: carry(session, rows, top))

    @in_turn
    async def action_wanted(self) -> None:
        """Mark the facts to stay in the prompt; if all are marked, unmark them."""
        rows, session = await self.meant(), self.session

        def mark() -> VerbResult:
            return wanted.mark(session, rows, wanted=not all(wanted.is_wanted(session, rows)))

        if rows:
            await perform(self.host, mark, self, refresh=lambda _: self.read_again(rows))

    @in_turn
    async def action_fit(self) -> None:
        """Propose moves so that no fact marked to stay is lost."""
        from zsmem_tui.ui.prompt.fit import fit  # deferred: imports the plan dialog and the diff

        await fit(self, previewing.subject(self.session, self.about.project))

    @in_turn
    async def action_copy_text(self) -> None:
        """Copy the facts' text to the terminal's clipboard."""
        if rows := await self.meant():
            text = "".join(row.fact.text if row.fact.text.endswith("\n") else f"{row.fact.text}\n" for row in rows)
            copy(self, text, counted(len(rows), "fact"))

    @in_turn
    async def action_history(self) -> None:
        """Show the versions in which the fact changed."""
        for row in await self.meant(at_cursor=True):
            self.host.open_history(row.ref, row.fact.line)

    @in_turn
    async def action_demote(self) -> None:
        """Move to a note; what was loaded into instructions, back into memory."""
        if (rows := await self.meant()) and only_instructions(self.session.layout):
            await self._demote_from_instructions(rows)
        elif rows:
            await self.ask_and_do(rows, partial(self._note_below, rows), lifts=True)

    async def _note_below(self, rows: list[FactRow], asked: Asked) -> Make | None:
        acts.refuse_unloaded(self.session, rows)
        new_note(self.session, self.about.project, "name")  # refused before it is asked for if there are no notes
        leaves = f"\n{found}" if (found := acts.leaving(self.session, [row.ref for row in rows])) else ""
        session, project = self.session, self.about.project
        question = f"The note that {visible_line(names_of(rows))} goes to:{leaves}{_naming(session)}"
        name = await asked.line("Unload", question, await asyncio.to_thread(proposed_note, session, project, rows[0]))
        return (lambda: acts.unload(session, rows, new_note(session, project, name))) if name else None

    async def _demote_from_instructions(self, rows: list[FactRow]) -> None:
        """Move promoted facts back into the long-term memory of an agent."""
        from zsmem_tui.service import instructions, promoting  # deferred: imports every kind of store

        told = self.session
        found = await attempt(asyncio.to_thread(promoting.between_markers, told, rows), self.warn)
        if found is None:
            return
        if len(found) < len(rows):
            self.warn("Only facts between the markers of memory can be unloaded: this stands outside them.")
            return
        names = {row.ref.path for row in rows}
        stores = [store for store in self.host.main.stores if has_main_file(store.session.layout, store.session.project)]

        def reading() -> list[OpenStore]:
            return [each for each in stores if names <= {*instructions.goals(each.session, told.root)}]

        open_now = {store.key: store for store in await asyncio.to_thread(reading)}
        if not open_now:
            files = printable_path(" and ".join(sorted(names)))
            self.warn(f"No agent that is open reads {files} and has memory to unload to. Nothing was done.")
            return
        answers = [
            (key, f"{main_file(store.session.layout, store.session.project).path} of {store.title}")
            for key, store in open_now.items()
        ]
        one = answers[0][0] if len(answers) == 1 else None
        key = one or await choose(self, "Unload", f"Unload {meant_name(rows)} to:", answers, names=True)
        if key is not None:
            plan = partial(promoting.plan_demote, told, found, open_now[key].session)
            await self.show_and_do(rows, f"Unload to {open_now[key].title}", lambda secrets: plan(secrets=secrets))

    def apply(self, make: Make, items: Sequence[FactRow], *, lifts: bool) -> VerbResult:
        """Apply the plan, and add its effect on the prompt to the message. Slow. Raises `MemError`."""
        return applied(
            self.session,
            lambda: review_facts.by_hand(make(), items),
            (items[0].ref.project if items else "") or self.about.project,
            lifts=lifts,
        )


def meant_name(items: Sequence[Any], noun: str = "fact") -> str:
    """The items in words, for a question."""
    return f"this {noun}" if len(items) == 1 else counted(len(items), noun)


def _naming(session: Session) -> str:
    """A line of a question on what the file of a note is called; empty if it is just called so."""
    return f"\n{session.layout.dress.naming}" if session.layout.dress.naming else ""


async def choose_target(
    place: Place,
    session: Session,
    rows: Sequence[FactRow],
    project: str,
    asked: Asked,
    title: str,
    last: Target | None = None,
    *,
    leaves: bool = False,
    beside: Sequence[OpenStore] = (),
) -> Target | None:
    """Ask for the target of facts, with `last` offered first; None if cancelled. Raises `MemError`.

    If `leaves`, their own file is offered last. The main files of the stores in `beside` follow the first, which may have many;
    those of their other projects come last.
    """
    found = await asyncio.to_thread(targets, session, rows, project)
    if leaves:
        found.sort(key=lambda target: target.ref == rows[0].ref)
    if last is not None:
        found = [last, *(target for target in found if target != last)]
    places = {"\0".join([each.ref.path, *(each.place if isinstance(each.place, tuple) else ())]): each for each in found}
    others = [store for store in beside if has_main_file(store.session.layout, store.session.project)]
    agents = {store.key: Target(main_file(store.session.layout, store.session.project), store=store.key) for store in others}
    own = {target.ref for target in found if target.ref.project in ("", project)}  # others are named with their group anyway
    count = Counter(name_of(ref) for ref in [*own, *(target.ref for target in agents.values())])
    agent = session.layout.title if others else ""
    of = {id: agent if target.ref in own and count[name_of(target.ref)] > 1 else None for id, target in places.items()}
    label = fact_rows.target_label
    answers = await asyncio.to_thread(lambda: [(id, label(to, project, session, of[id])) for id, to in places.items()])
    elsewhere = [target.ref.project not in ("", project) and target != last for target in found]
    if session.layout.ref(Role.NOTE, project, "name") is not None:
        answers.insert(elsewhere.index(True) if True in elsewhere else len(answers), (_NEW_NOTE, "a new note …"))
    far = await asyncio.to_thread(_in_other_projects, beside)
    places |= agents | {id: to for id, (to, _) in far.items() if to not in agents.values()}
    answers += [(id, words) for id, (_, words) in far.items() if id in places]
    answers[1:1] = [(store.key, fact_rows.target_label(agents[store.key], "", store.session, store.title)) for store in others]
    answer = await choose(place, title, f"{title} {visible_line(names_of(rows))} to:", answers, names=True)
    if answer != _NEW_NOTE:
        return places.get(answer or "")
    name = await asked.line(
        "Note", f"The name of the note:{_naming(session)}", await asyncio.to_thread(proposed_note, session, project, rows[0])
    )
    return new_note(session, project, name) if name else None


def _in_other_projects(beside: Sequence[OpenStore]) -> dict[str, tuple[Target, str]]:
    """The main files of all projects of other stores as targets, with their labels, by answer. Slow."""
    found: dict[str, tuple[Target, str]] = {}
    for store in beside:
        session = store.session
        for group in projects_to_choose(session):
            if has_main_file(session.layout, group):
                to = Target(main_file(session.layout, group), store=store.key)
                found[f"{to.store}\0{to.ref.path}"] = to, fact_rows.target_label(to, "", session, store.title)
    return found


def prompt_meant(about: FactsAbout, rows: Sequence[FactRow]) -> str:
    """The project whose prompt to consider: that of the facts if unique, else the one shown."""
    own = {row.ref.project for row in rows}
    return own.pop() if len(own) == 1 and "" not in own else about.project


def goes_down(session: Session, rows: Sequence[FactRow], project: str) -> bool:
    """Whether all facts are in instructions or in the file that is in every prompt, so that they can only be unloaded."""
    if not rows or not has_main_file(session.layout, project):
        return only_instructions(session.layout)
    return all(row.ref.path == main_file(session.layout, row.ref.project or project).path for row in rows)


def applied(session: Session, make: Make, project: str, *, lifts: bool) -> VerbResult:
    """Apply a plan and, unless it is over several stores, say its effect on the prompt; if it `lifts` facts, also if none.

    Raises `MemError` if it was not applied.
    """
    plan, said = make(), ""
    with suppress(MemError):  # a project without a prompt, or a file that cannot be read, should not prevent the action
        effect = acts.effect(session, plan, project) if not plan.sessions[1:] else None
        if effect is not None and (effect.gained or effect.dropped):
            said = f" The prompt: {effect.words}. {' '.join(plan.notes) or acts.pushed_out(plan, effect)}".rstrip()
        elif effect is not None and lifts:
            said = f" {effect.words[0].upper()}{effect.words[1:]}."
    done = applying.apply(plan)
    return replace(done, message=f"{done.message}{said if done.changed else ''}")
