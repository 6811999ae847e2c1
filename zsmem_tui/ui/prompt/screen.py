"""The prompt screen: what the agent sees, what each section takes, and every lost line, with the actions on facts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual import on, work
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.layout import find_ref, group_word
from zsmem_tui.core.moments import CALLED, clock_time, when_words
from zsmem_tui.core.notice import NoticeKind, brief, sentences, side_by_side
from zsmem_tui.core.past import Point
from zsmem_tui.core.preview import Preview, Told
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import past, previewing, prompts
from zsmem_tui.service.facts.rows import FactRow, fact_at
from zsmem_tui.service.fit import can_help
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.prompts import PromptOf
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import TYPED, ask_until, choose, show_page
from zsmem_tui.ui.facts.verbs import FactVerbs
from zsmem_tui.ui.open_store import OpenStore, are_several
from zsmem_tui.ui.perform import attempt, copy
from zsmem_tui.ui.prompt import moments, wording
from zsmem_tui.ui.prompt.costs import groups_of
from zsmem_tui.ui.prompt.moments import MomentBar, Moments
from zsmem_tui.ui.prompt.rows import BlockPane, PromptRows, UseList
from zsmem_tui.ui.tool import Answer, ListScreen
from zsmem_tui.ui.widgets.bars import end_of
from zsmem_tui.ui.widgets.budget import BudgetBar
from zsmem_tui.ui.widgets.frame import Notice, pane
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import folder_name, named_finding, size

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.memory.screen import MainScreen

TURN_SECONDS = 0.05
"""Seconds between two steps of the search in the history."""

_OF_A_LINE = ("prompt.top", "prompt.edit", "prompt.delete")
_OF_NOW = ("prompt.top", "prompt.fit", "prompt.edit", "prompt.delete", "prompt.profile")
_OF_THE_PAST = ("prompt.later", "prompt.profiles")
"""Actions in the key bar only for the present, or only for past moments."""

_ALSO_THEN = "Instruction files were in the prompt, too: they are shown as they are now only."

TICK_SECONDS = 0.5
"""Seconds between checks of the date."""

BORDERS = 4
"""Cells beside the title of a pane."""


class PromptScreen(FactVerbs):
    """The prompt screen: a budget bar, the sections and lost lines, and the block."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"uses": "uses", "block": "block"}
    PAGE = "prompt"
    about: Subject

    def __init__(self, host: ZsmemApp, about: Subject, against: Point | None = None) -> None:
        super().__init__(host)
        self.about, self.project = about, about.project
        self._against = against
        """The moment to compare the shown past moment with."""
        self._opened = about.at, against
        self._can_fit = False
        self.moments = Moments()
        self.store = host.main.here
        self._from = self.store
        self.folder: str | None = None
        """The folder whose agents `E` cycles through; None: that of the prompt, still unknown."""
        self.chosen: dict[int, str] = {}
        """For each store, by its index among the open ones, the group that was shown last."""
        self.rows = PromptRows(self)
        self._today = ""
        self.above = (BudgetBar(id="budget"), MomentBar())
        self._warnings: list[str] = []

    def compose_body(self) -> Iterable[Widget]:
        """Yield the list with warnings above it, and the block."""
        yield pane("list", "What the agent sees", Notice("L shows all", id="warnings"), UseList(self.rows.draw, id="uses"))
        yield BlockPane()

    def on_mount(self) -> None:
        """Start to watch for a change of the date."""
        self.set_interval(TICK_SECONDS, lambda: self.load() if self._today and self._today != today(self.session) else None)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Load the prompt, then the moments at which it changed."""
        if self.host.main.here is not self.store and not self.host.conversations.under_way and self.host.main.editor.ref is None:
            self.host.main.use(self.store)  # back from a file of another store
        await self.read()
        self._find_changes()

    @work(exclusive=True, group="moments")
    async def _find_changes(self) -> None:
        """Find the moments at which the prompt changed, in small steps that leave time for other work."""
        found, about = self.moments, self.about._replace(day="", at=None)
        found.begin(self.session, about)
        self._tell_moment()
        while not found.is_done:
            await self.asking(found.look_further)
            self._tell_moment()
            await asyncio.sleep(TURN_SECONDS)

    def _tell_moment(self, compared: tuple[Point, Point] | None = None) -> None:
        """Update the moment bar, with the moment shown, those `compared`, or the one when the line under the cursor was lost."""
        until, at = self.host.now_ns(), self.about.at
        fell = self.moments.fell(self.rows.lost_line, at) if self.rows.lost_line and not (at or compared) else None
        said = moments.until_words(fell, until) if fell is not None else self.moments.words(compared[1] if compared else at, until)
        if compared and self.moments.beside(compared[1], -1) != compared:  # several changes
            said = f"from {' to '.join(when_words(each.when, until) for each in compared)}"
        elif compared and at == compared[0]:
            said = f"what came next: {said}"
        self.query_one(MomentBar).show(self.moments, at, said, until)

    async def read(self) -> None:
        """Compute and show the block; does nothing once the screen is closed."""
        self._today = today(self.session)
        about = self.about
        seen = await self.asking(previewing.preview, self.session, about)
        found = await self.asking(previewing.findings, self.session, about, seen)
        seen = await self.asking(self._explained, seen)
        beside = await self.asking(_told, self.host.main, self._current)
        if about.at is None:
            seen = seen._replace(beside=beside)
            seen = await self.asking(previewing.with_apart, self.session, about, seen)
        warnings = [each for each in found if each.kind not in (NoticeKind.LOST_LINES, NoticeKind.CONTEXT_SIZE)]  # shown beside
        layout = self.session.layout
        named = [named_finding(each, self.session) for each in warnings]
        self._warnings = sentences(named)
        self._warnings += [f"{each} It is left out." for each in self.session.for_group(about.project).folder_problems()]
        self._warnings += [_ALSO_THEN] if beside and about.at is not None else []
        version = await self.asking(previewing.by_other_version, self.session, about, seen) if about.at is None else ""
        is_told = bool(version) and await self.asking(previewing.has_traces_of_1_7, self.session, about)
        self._warnings += [f"{version} (E shows it)."] if is_told else []
        told = [*brief(named), *self._warnings[len(named) :]]
        told = [f"! {visible_line(each)}" for each in told] + ([seen.rule] if seen.rule and seen.uses else [])
        self.query_one(Notice).show("\n".join(told))
        title, self.query_one(BlockPane).named = self._titles(seen, differs=bool(version))
        self.query_one(".tool-list").border_title = Content(title)
        refs = {use.path: find_ref(layout, use.path) for use in seen.uses}
        self.query_one(BudgetBar).show(seen, {path: layout.part(ref.role if ref else None) for path, ref in refs.items()})
        self._can_fit = await self.asking(can_help, self.session, about, seen)
        self.rows.show(seen)
        self._tell_moment()

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        self.rows.moved(event.key)
        self._tell_moment()
        self.show_keys()

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        if event.key.kind in ("lost", "told"):
            self.action_jump()
        elif event.key.kind == "apart":
            self.host.action_facts()
            if isinstance(tool := self.host.tool, ListScreen):
                tool.switch("which", "not loaded")
        else:
            self.query_one(BlockPane).view.focus()

    def offered(self, action: Action) -> Action | None:
        """Leave out what does not apply to the present or the past, or to the row, and Fit if nothing is lost."""
        is_past, is_listed = self.about.at is not None, self.focused is self.query_one(UseList)
        path = self.rows.place_meant()[0] if is_listed and action.id in _OF_A_LINE else "shown"
        if not path or os.path.isabs(path):
            return None
        if action.id == "prompt.profile" and not (self.session.layout.has_profiles or are_several(self.host.main.stores)):
            return None
        if action.id == "prompt.fit" and not self._can_fit:
            return None
        if action.id == "prompt.filter":
            return action._replace(label={"lost": "Only lost", "all": "All"}.get(self.rows.next_show, "Part"))
        return None if action.id in (_OF_NOW if is_past else _OF_THE_PAST) else action

    def back(self) -> None:
        """Go from a comparison or search back to the block, then to the first moment, then close."""
        block = self.query_one(BlockPane) if self.is_mounted else None
        if block is not None and block.compares:
            self.show(self.about)
        elif block is None or not block.close_find():
            if block is not None and self.about.at != self._opened[0]:
                self.action_show_moment(*self._opened)
            else:
                super().back()

    @in_turn
    async def action_jump(self) -> None:
        """Open the file of the row at its line, also in another open store; `esc` returns."""
        if self.rows.seen is None:
            await self.read()  # the key came before the block
        path, line = self.rows.place_meant()
        stores = self.host.main.stores if os.path.isabs(path) else [self.store]
        found = next(filter(None, (_in_store(store, path) for store in stores)), None)
        if found is None and not path:
            self.warn("This line is not from a file: the agent adds it.")
        elif found is None:
            self.warn(f"This line is from {folder_name(path)}, which is in no open store.")
        elif self.host.main.use(found[0]):
            self.host.read_file(found[1], line, store=found[0].key)

    def action_to_block(self) -> None:
        """Focus the block."""
        self.query_one(BlockPane).view.focus()

    def action_in_full(self) -> None:
        """Show all warnings and lost lines with reasons as a page."""
        if self.rows.seen is not None:
            show_page(self.app, "What the agent sees", wording.in_full(self.rows.seen, self._warnings))

    def action_copy_block(self) -> None:
        """Copy the block to the clipboard."""
        if text := self.rows.seen.text if self.rows.seen else None:
            copy(self, text, "the block")
        else:
            self.warn("No memory goes into the prompt.")

    @in_turn
    async def action_choose_project(self) -> None:
        """Choose another project or group and show its prompt."""
        layout, catalog = self.session.layout, self.store.catalog
        slugs = [project.slug for project in catalog.projects] if catalog else []
        answers = [(slug, self.store.group_name(slug)) for slug in slugs]
        word = group_word(layout).capitalize()
        if not answers:
            self.warn(f"There is no {word.lower()} yet to choose.")
        elif answer := await choose(self, word, f"The prompt of which {word.lower()}?", answers, names=True):
            self.folder = None
            self.show(self.about._replace(project=answer))

    @in_turn
    async def action_step_change(self, step: int) -> None:
        """Go to the previous or next change of the prompt; past the ends, to the beginning or to now."""
        found = await self._find_when_loaded(lambda: self.moments.beside(self.about.at, step), is_newer=step > 0)
        if found is not None:
            self.action_show_moment(*found)
        elif step < 0:
            self.warn(self.moments.problem or "Nothing is recorded of this prompt before that.")
        elif self.about.at is None:
            self.warn("This is the prompt of now: no later change is known.")
        else:
            self.action_show_moment()

    async def _find_when_loaded(self, find: Callable[[], Answer | None], *, is_newer: bool = False) -> Answer | None:
        """Call `find` until it returns a result, while changes are being loaded; newer ones (`is_newer`) are always loaded."""
        while (found := find()) is None and not is_newer and not self.moments.is_done:
            await asyncio.sleep(TURN_SECONDS)
            if self.closed:
                raise asyncio.CancelledError
        return found

    @in_turn
    async def action_moment(self) -> None:
        """Ask for a moment, one at which the prompt changed or one that is typed, and show the prompt at that time."""

        point_of, changes = partial(self.asking, past.point_of, self.session), self.moments.changes
        rows = [("", "another, which you type"), *moments.rows(changes, self.host.now_ns())]
        title, when = "At a moment", f"When: {CALLED}."
        is_time = partial(past.is_time, now_ns=self.host.now_ns())
        chosen = await choose(self, title, "It changed:", rows, names=True, first=1, typed=is_time) if changes else ""
        if chosen is None:
            return
        problems: list[str] = []
        words = chosen.removeprefix(TYPED)
        if words == chosen:
            point = changes[int(chosen)].point if chosen else None
        else:
            point = await attempt(point_of(words), problems.append)
        if not chosen or problems:
            point = await ask_until(self, title, when, point_of, words, may_be_empty=False, problem="".join(problems))
        if point is not None:
            before = self.about.at
            self.action_show_moment(point, before if before is not None else await self.asking(past.now, self.session))

    @in_turn
    async def action_show_fall(self) -> None:
        """Go to the moment at which the line under the cursor was lost."""
        if not (line := self.rows.lost_line):
            self.warn("This line is not lost: put the cursor on one that is.")
            return
        found = await self._find_when_loaded(lambda: self.moments.fell(line, self.about.at))
        if found is None:
            self.warn(self.moments.problem or "This line has not been in the prompt, as far back as anything is recorded.")
        else:
            self.say(moments.until_words(found, self.host.now_ns()))
            self.action_show_moment(found.point, found.before)

    def action_show_moment(self, point: Point | None = None, against: Point | None = None) -> None:
        """Show the prompt at a moment (None: now); `|` compares it with `against`."""
        self._against = against
        self.show(self.about._replace(day="", at=point))

    def action_turn_day(self, step: int) -> None:
        """Show the prompt of the previous or next day; 0: today."""
        if not self.session.layout.has_profiles:
            self._tell_only_one()
            return
        today = self.session.clock().date()
        day = date.fromisoformat(self.about.day) if self.about.day else today
        wanted = today if step == 0 else day + timedelta(days=step)
        self.show(self.about._replace(day="" if wanted == today else wanted.isoformat(), at=None))

    @in_turn
    async def action_next_agent(self) -> None:
        """Show the next prompt: the agent's other profile, then the folder's next agent."""
        main, before = self.host.main, self._current
        found = await self._next()
        if found == before:
            self._tell_only_one()
            return
        self.chosen[before.store] = before.about.project
        self.store = main.stores[found.store]
        self.session = self.store.session
        self.last_target = None  # that target is in the former store
        if main.editor.ref is None:
            main.use(self.store)
        self.show(found.about)
        here, there = [await asyncio.to_thread(_seen, main, each) for each in (found, before)]
        if self.closed or self.about != found.about or self.store is not main.stores[found.store]:
            return
        following = await self._next()
        then = f"| compares with {_name(main, following)}" if len(main.stores) > 1 else "| shows the difference"
        if found.store == before.store:
            self.say(side_by_side([wording.difference(found.about.profile, here, there), then], " · "))
        else:
            told = side_by_side([f"{_name(main, each)}: {_size(seen)}" for each, seen in ((found, here), (before, there))], "; ")
            self.say(side_by_side([told, then], " · "))

    def action_compare(self) -> None:
        """Toggle between the block and a comparison with the next prompt, or for the past, with the other moment."""
        if self.query_one(BlockPane).compares:
            self.show(self.about)
        elif self.about.at is not None and self._against is not None:
            self._compare_moments(self._against, self.about.at)
        else:
            self._compare()

    @in_turn
    async def _compare_moments(self, one: Point, other: Point) -> None:
        """Compare two moments, the earlier one as the old text."""
        about, sides = self.about, sorted((one, other), key=lambda each: each.order)
        old, new = [await self.asking(previewing.preview, self.session, about._replace(at=each)) for each in sides]
        if about == self.about:
            names = ["before", "after"] if sides[0].when == sides[1].when else [clock_time(each.when) for each in sides]
            self.query_one(BlockPane).compare(f"- {names[0]}   + {names[1]}", old.text, new.text)
            self._tell_moment((sides[0], sides[1]))

    @in_turn
    async def _compare(self) -> None:
        main, about, store = self.host.main, self.about, self.store
        current, following = self._current, await self._next()
        if current == following:
            self._tell_only_one()
            return
        here, there = [await asyncio.to_thread(_seen, main, each) for each in (current, following)]
        if self.closed or self.about != about or self.store is not store:
            return
        names = [_name(main, each) for each in (current, following)]
        if current.store == following.store:
            names = [wording.profile_words(each.about.profile) for each in (current, following)]
        self.query_one(BlockPane).compare(f"- {names[0]}   + {names[1]}", *(wording.in_all(seen) for seen in (here, there)))
        for name, seen in zip(names, (here, there), strict=True):
            if not wording.in_all(seen):
                self.warn(f"{name}: no memory goes into the prompt. {seen.rule}".rstrip())

    @property
    def _current(self) -> PromptOf:
        return PromptOf(self.host.main.stores.index(self.store), self.about._replace(at=None))

    async def _next(self) -> PromptOf:
        """The prompt after the current one in the cycle."""
        groups, current = groups_of(self.host.main), self._current
        if self.folder is None:
            self.folder = await asyncio.to_thread(prompts.folder_of, groups[current.store], current.about.project)
        order = await asyncio.to_thread(prompts.order_from, groups, self.folder, current)
        found = prompts.after(order, current)
        was = self.chosen.get(found.store)
        if was and not groups[found.store].session.layout.has_prompt(found.about.project):
            return found._replace(about=found.about._replace(project=was))
        return found

    def _tell_only_one(self) -> None:
        self.warn(f"{self.session.layout.title} has one prompt, the same on every day and in every profile.")

    def _explained(self, seen: Preview) -> Preview:
        """Add to a preview without a prompt which groups have one, if none was chosen. Slow: it may read folders."""
        groups = groups_of(self.host.main)[self.host.main.stores.index(self.store)]
        choice = prompts.persons(groups) if seen.text is None and seen.rule else []
        if not choice or self.about.project in choice:
            return seen
        labels = [self.store.group_name(group) for group in choice]
        return seen._replace(rule=f"{seen.rule} C chooses one: {', '.join(labels)}.")

    @property
    def scope_name(self) -> str:
        """Whose prompt is shown."""
        whose = visible_line(prompts.whose(self.session, self.about.project))
        return f"{self.store.title} · {whose}" if are_several(self.host.main.stores) else whose

    def _titles(self, seen: Preview, *, differs: bool) -> tuple[str, str]:
        """The titles of the list and of the block; `differs`: whether another version of the agent loads other lines."""
        layout, about = self.session.layout, self.about
        own = wording.title(about, is_daily=layout.has_profiles, differs=differs)
        whose = visible_line(prompts.whose(self.session, about.project))
        left = self.query_one(".tool-list").size.width - len(f"{own} ·") - BORDERS
        own = f"{own} · {whose if cell_len(whose) < left else end_of(whose, left)}" if about.project else own
        if layout.has_profiles and not are_several(self.host.main.stores):
            return own, "The block"
        return own, f"{_name(self.host.main, self._current)} · {wording.cap_of(seen)}"

    async def meant(self, *, at_cursor: bool = False, anywhere: bool = False) -> list[FactRow]:
        """The innermost fact at the line under the cursor, as a list; empty, with a message, if there is none."""
        if not self.host.main.use(self.store) or self._is_past():
            return []
        if self.rows.seen is None:
            await self.read()  # the key came before the block
        path, line = self.rows.place_meant()
        path = path.removeprefix(f"{self.session.root}/")
        if not path:
            self.warn("This is not a line of a file: put the cursor on one first.")
            return []
        if os.path.isabs(path):
            self.warn("This line is of another store, which the agent adds to the prompt: enter goes to it.")
            return []
        row = await asyncio.to_thread(fact_at, self.session, self.session.ref_at(path), line)
        if row is None:
            self.warn("This line is no fact: headings and rules only group them.")
            return []
        return [row]

    def edit_file(self, row: FactRow) -> None:
        """Edit the file at the line; leaving the editor returns to the prompt."""
        self.host.edit_file(row.ref, self.rows.place_meant()[1], row=self.rows.screen_row())

    def next_after(self, items: Sequence[Any], *, edited: bool = False) -> None:
        """Nothing to do, except after an edit: keep the cursor on the fact."""
        for row in items if edited else ():
            self.rows.go_to_line(row.ref.path, row.fact.line)

    @in_turn
    async def action_fit(self) -> None:
        """Propose moves so that no line marked to stay is lost."""
        if not self._is_past() and self.host.main.use(self.store):
            from zsmem_tui.ui.prompt.fit import fit  # deferred: imports the plan dialog and the diff

            await fit(self, self.about)

    def _is_past(self) -> bool:
        """Whether a past moment is shown; if so, say that nothing can be changed there."""
        if self.about.at is not None:
            self.warn(f"This is the prompt of {clock_time(self.about.at.when)}: nothing is changed in the past. esc goes back.")
        return self.about.at is not None

    def action_find(self) -> None:
        """Open the find line for the block and lost lines."""
        block = self.query_one(BlockPane)
        if block.compares:
            self.show(self.about)
        block.action_open_find()

    def action_filter(self) -> None:
        """Cycle between everything, lost lines only, and the cursor's section only."""
        self.rows.next_filter()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close the screen and restore the former current store."""
        if not self.closed and not self.host.conversations.under_way and self.host.main.editor.ref is None:
            self.host.main.use(self._from)
        return super().dismiss(result)

    def show(self, about: Subject) -> None:
        """Show the block of this prompt, and nothing of another's until it is read."""
        is_anothers = (self.home, self.about.project) != (self.store, about.project)
        self.about, self.home, self.project = about, self.store, about.project
        if is_anothers:
            self.rows.forget()
            self.query_one(".tool-list").border_title = Content("What the agent sees · reading …")
            self.query_one(BudgetBar).show(None)
            self.query_one(Notice).show("")
        self.host.main.tell_right()
        self.query_one(BlockPane).show_block()
        self.load()


def today(session: Session) -> str:
    """The present date, as used in prompts."""
    return session.clock().date().isoformat()


def subject_of(main: MainScreen, group: str) -> Subject:
    """The prompt of a group in the current store; if no group is given and only one has a prompt, that one's."""
    about = previewing.subject(main.session)._replace(project=group)
    choice = prompts.persons(groups_of(main)[main.stores.index(main.here)]) if group == EVERYBODY else []
    return about._replace(project=choice[0]) if len(choice) == 1 else about


def _in_store(store: OpenStore, path: str) -> tuple[OpenStore, MemRef] | None:
    """The file at a path, relative to the store or with its root; None if it is not in this store."""
    inside = path.removeprefix(f"{store.session.root}/")
    ref = find_ref(store.session.layout, inside) if inside and not os.path.isabs(inside) else None
    return (store, ref) if ref is not None else None


def _seen(main: MainScreen, prompt: PromptOf) -> Preview:
    seen = previewing.preview(main.stores[prompt.store].session, prompt.about)
    return seen._replace(beside=_told(main, prompt))


def _told(main: MainScreen, prompt: PromptOf) -> tuple[Told, ...]:
    """The instruction files in a prompt. Slow: it reads folders."""
    groups = groups_of(main)[prompt.store]
    return previewing.instructions_beside(groups.session, prompts.folder_of(groups, prompt.about.project))


def _name(main: MainScreen, prompt: PromptOf) -> str:
    """The name of a prompt among those of several agents: with its version, or the person whose it is, such as a personality."""
    session, group = main.stores[prompt.store].session, prompt.about.project
    if prompts.is_of_person(session, group):
        return f"{session.layout.title} · {visible_line(session.group_name(group))}"
    version = f" {wording.profile_words(prompt.about.profile)}" if session.layout.has_profiles else ""
    return f"{session.layout.title}{version}"


def _size(seen: Preview) -> str:
    if seen.text is None:
        return visible_line(seen.instructed or f"nothing. {seen.rule}".strip())
    lost = f", {seen.loss()}" if seen.lost else ""
    return f"{size(seen.size)}, {seen.tokens:,} tokens{lost}"
