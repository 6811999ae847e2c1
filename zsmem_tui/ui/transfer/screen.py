"""The screen for import and export: choose a source or target; the transfer is then shown as a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.widget import Widget

from zsmem_tui.core.conflict import Conflicts
from zsmem_tui.core.errors import BadName, Conflict, MemError
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import editing, export_targets, formats, import_detection, import_reading
from zsmem_tui.service.import_detection import MemorySource
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import Answer, Typed, ask_until, choose, resolve
from zsmem_tui.ui.dialogs.plan import show_plan
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.perform import attempt, show
from zsmem_tui.ui.plans import Progress, Pulse
from zsmem_tui.ui.tool import ListScreen
from zsmem_tui.ui.transfer import rows as source_rows
from zsmem_tui.ui.transfer.rows import Job, Source, bring_in, carry, pack, take_back, take_to, unpack
from zsmem_tui.ui.widgets.frame import FilterLine, Notice, pane
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.wording import folder_name

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_ORIGIN: Final = "The folder with the memory, or its project's:"
_GOAL: Final = "The folder to write to:"

_Question = tuple[str, str, str]
"""A dialog's title, its question, and the answer that stands there, which leaves the choice to the agent; empty for none."""

_NOBODY: Final = "-"
"""The answer for no user."""

_OTHER: Final = "+"
"""The answer for a name or folder that is not listed."""


class TransferList(MarkList[Source], keys="transfer"):
    """The list of sources and targets."""


class TransferScreen(ListScreen):
    """Sources and targets at the left, a description at the right; plans are shown in a dialog."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"transfer": "transfer"}
    PAGE = "transfer"

    def __init__(self, host: ZsmemApp, group: str, kept: dict[str, dict[str, Any]]) -> None:
        """`group` is the group of the current store to import to and export from. `kept`, by group, outlives the screen."""
        super().__init__(host)
        self.session = self.home.session.for_group(group)
        if self.session is not self.home.session:
            self.session.folder = self.home.folder_of(group)
        self.sources: dict[tuple[str, str, bool], Source] = {}
        self._found: list[MemorySource] = []
        self._kept = kept.setdefault(group, {"unfolded": set()})
        self._own: list[str] = []
        self._progress = Progress(self)

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        words = FilterLine("words of a row, or of what it is", id="transfer-filter", rows="transfer")
        rows = TransferList(lambda key: source_rows.source_row(self.sources[key]), id="transfer")
        yield pane("list", "Import and export", words, rows, id="transfer-list")
        yield pane("side", "What it is", Notice(id="reasons"), id="transfer-side")

    @property
    def scope_name(self) -> str:
        """The name of the group that is imported to and exported from."""
        return self.name_of(self.home, self.session.project)

    @property
    def source(self) -> Source | None:
        """The choice under the cursor."""
        return self.sources.get(self.rows.key)

    async def read(self) -> None:
        """Find the memories on this machine."""
        if not self.sources:
            self.rows.nothing = "Looking for other memories …"
        try:
            found = await self.asking(import_detection.detect, self.session)
        except MemError:
            found = []
        is_known = self.session is self.home.session or bool(self.session.folder)
        self._found = [each for each in found if is_known or each.is_whole]  # others are of the current folder, not this group
        kind = self.session.layout.kind
        self._own = [kind] if await attempt(self.asking(export_targets.is_here, self.session, kind), str) else []
        self.show()

    def show(self) -> None:
        """Show the choices that match the filter, which looks into those that are folded, too."""
        every, terms = self._sources(self._kept["unfolded"]), terms_of(self.words)
        if terms:
            held = {out: [each for each in own if not each.format] for out, own in every.items()}
            every = self._sources((False, True))
            every = {
                out: [each for each in (*own, *held[out]) if holds(source_rows.searched(each), terms)] for out, own in every.items()
            }
            self.rows.nothing = "No row has these words. esc drops the filter."
        self.sources = {each.key: each for own in every.values() for each in own}
        self.rows.show(list(self.sources), cursor=None if self.rows.is_filled else self._kept.get("cursor"))
        self._tell()

    def _sources(self, shown: Collection[bool]) -> dict[bool, list[Source]]:
        agents = [self.home.title, *(store.title for store in self.host.main.stores)]
        return source_rows.sources(self._found, agents, shown, self._own)

    @on(RowList.Moved)
    def _tell(self) -> None:
        source = self.source
        if self.rows.is_filled:
            self._kept["cursor"] = self.rows.key
        words = source_rows.source_words(source) if source is not None else [source_rows.EXPLAINED]
        self.query_one(Notice).show("\n".join(words))
        self.show_keys()

    def offered(self, action: Action) -> Action | None:
        """Leave out what the chosen row is not for."""
        is_for = self.source.act if self.source is not None else ""
        return None if action.id in ("transfer.to", "transfer.remove") and action.id != is_for else super().offered(action)

    def back(self) -> None:
        """Stop running work, or leave."""
        if not self._progress.stop():
            super().back()

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        source = self.sources[event.key]
        if source.format:
            self.begin(source)
        else:
            before = len(self._sources(self._kept["unfolded"])[source.out])  # the row was the last of these
            self._kept["unfolded"].add(source.out)
            self.query_one(FilterLine).close()
            self.show()
            self.rows.show(self.rows.keys, cursor=[key for key in self.sources if key[2] == source.out][before - 1])

    @in_turn
    async def begin(self, source: Source) -> None:
        """Ask for what is not known yet, such as the folder, and show the plan."""
        await self.show_job(await self._job_at(source.path or None, await self._question(source), partial(self._job, source)))

    @in_turn
    async def action_to(self) -> None:
        """Transfer another agent's memory directly to a third."""
        source = self.source
        if source is None or source.act != "transfer.to":
            self.warn("c is for another agent's memory: choose an import.")
            return
        path = source.path or await self._ask_place(await self._question(source), lambda typed: asyncio.sleep(0, typed))
        if path is None:
            return
        answers = await asyncio.to_thread(self._other_targets, source.format)
        answer = await choose(self, "To another agent", f"Take the memory of {source.title} to:", answers, names=True)
        if answer is None:
            return
        name, _, place = answer.partition("\n")

        async def job(there: str) -> Job | None:
            goal = await self._goal(name, there)
            return carry(self.session, source.format, path, goal) if goal is not None else None

        question = formats.title_of(name), _GOAL, ""
        await self.show_job(await self._job_at(None if place == _OTHER else place, question, job))

    @in_turn
    async def action_remove(self) -> None:
        """Remove from another agent's memory what was exported there."""
        source = self.source
        if source is None or source.act != "transfer.remove":
            self.warn("d is for what was exported: choose an export to an agent. A bundle is a file of its own: delete that.")
            return

        async def job(path: str) -> Job | None:
            goal = await self._goal(source.format, path)
            return take_back(self.session, goal) if goal is not None else None

        await self.show_job(await self._job_at(None, await self._question(source), job))

    async def _job_at(self, place: str | None, question: _Question, make: Callable[[str], Awaitable[Job | None]]) -> Job | None:
        """Plan a transfer at a place; if that is None, ask for it, and again with the reason if it is refused."""

        async def planned(path: str) -> Job | None:
            job = await make(path)
            if job is not None:
                await self.start(job)
            return job

        return await (attempt(planned(place), self.warn) if place is not None else self._ask_place(question, planned))

    async def _ask_place(self, question: _Question, use: Callable[[str], Awaitable[Answer]]) -> Answer | None:
        """Ask for a path and await `use` with it, until that is not refused; None if cancelled."""
        title, what, usual = question
        taken = {usual: ""}  # an empty path leaves the place to the agent
        return await ask_until(self, title, what, lambda typed: use(taken.get(typed, trim(typed))), usual, may_be_empty=bool(usual))

    async def start(self, job: Job) -> None:
        """Plan a transfer, showing progress. Raises `MemError`."""
        pulse = Pulse()
        self._progress.begin(job.title, pulse)
        try:
            job.take(await self.asking(job.make, pulse))
        finally:
            self._progress.end(pulse)

    async def show_job(self, job: Job | None) -> None:
        """Show the plan and apply it if confirmed; if that fails, show it again with the reason."""
        problems: list[str] = []
        while job is not None and await show_plan(self, job, "".join(problems)) is not None:
            problems.clear()
            async with Typed(self) as typed:
                texts = await attempt(self._decided(job, typed), problems.append)
                if texts is None and not problems:
                    return
                done = await attempt(self._do(job, texts), problems.append) if texts is not None else None
                if done is not None:
                    typed.written()
            if done is not None:
                await show(self.host, done, self.host.main, self, refresh=partial(self._look_again, job))
                return

    async def _look_again(self, job: Job, _: VerbResult) -> None:
        for store in self._written_stores(job):
            await self.host.main.look_now(store)
        await self.host.main.look_now(more=True)
        self.load()

    async def _job(self, source: Source, path: str) -> Job | None:
        """The draft for a source at a place; None if cancelled. Raises `MemError`."""
        session, name = self.session, source.format
        if name == formats.BUNDLE:
            return (pack if source.out else unpack)(session, path)
        if source.out:
            goal = await self._goal(name, path)
            return take_to(session, goal) if goal is not None else None
        choice = await self._section(name, path)
        return bring_in(session, name, path, choice) if choice is not None else None

    def _other_targets(self, name: str) -> list[tuple[str, str]]:
        """The targets for another agent's memory: the default places of other agents, open stores, or a named folder."""
        others = {each.name: formats.title_of(each.name) for each in formats.every() if each.name != name and not each.one_file}
        own = [each for each in others if formats.called(each).finds_its_place and each not in self._own]
        own = [each for each in own if not export_targets.unknown_folder(self.session, each)]
        answers = [(f"{each}\n", f"{others[each]} · where it keeps the memory of this folder") for each in own]
        for store in self.host.main.stores:
            root = store.session.root
            at = next((each for each, title in others.items() if title == store.title), "")
            if at and root != self.session.root:
                answers.append((f"{at}\n{root}", f"{store.title} · {folder_name(root)}, which is open"))
        return [*answers, *((f"{each}\n{_OTHER}", f"{title} · a folder that you name") for each, title in others.items())]

    async def _question(self, source: Source) -> _Question:
        """The question for the path of a source or target."""
        format = formats.called(source.format)
        what, usual = "The .tar.gz file:" if format.one_file else _GOAL if source.out else _ORIGIN, ""
        if format.finds_its_place and format.name not in self._own:
            why = await self.asking(export_targets.unknown_folder, self.session, format.name) if source.out else ""
            places = export_targets.usual_places if source.out else import_reading.usual_places
            usual = "" if why else " and ".join(map(folder_name, await self.asking(places, self.session, format.name)))
            if why or usual:
                what = f"{why}, or name a folder:" if why else f"Where {source.title} keeps this folder's memory, or another:"
        return f"{'To' if source.out else 'From'} {source.title}", what, usual

    async def _section(self, name: str, path: str) -> Choice | None:
        """Ask which section to import, if the format has sections; None if cancelled. Raises `MemError`."""
        if not formats.called(name).has_sections:
            return Choice()
        found = await asyncio.to_thread(import_reading.read, self.session, formats.of_agent(name), path)
        sections = list(dict.fromkeys(each.group for each in found.items if each.group and not each.skip))
        if not sections:
            return Choice()
        answers = [*((each, visible_line(each)) for each in sections), (_OTHER, "All of them: nothing is ticked at first")]
        answer = await choose(self, formats.title_of(name), "Take the items of this section:", answers, names=True)
        return None if answer is None else Choice() if answer == _OTHER else Choice(section=answer)

    async def _goal(self, name: str, path: str) -> Goal | None:
        """Ask whose memory is meant at the target, if there are several; None if cancelled. Raises `MemError`."""
        goal, title = Goal(formats.of_agent(name), path), formats.title_of(name)
        whose = await asyncio.to_thread(export_targets.whose, self.session, name, path)
        if whose is None:
            return goal
        group = whose.groups[0] if len(whose.groups) == 1 and not whose.by_folder else _OTHER
        if whose.groups and group == _OTHER:
            answers = [(each, visible_line(printable_path(each.partition(":")[2]))) for each in whose.groups]
            answers.append((_OTHER, f"Another {whose.kind}, by its {'folder' if whose.by_folder else 'name'}"))
            group = await choose(self, title, f"The {whose.kind} that gets it:", answers, names=True) or ""
        if group == _OTHER:
            group = await self._named_group(goal, whose)
        if not group:
            return None
        if not whose.users:
            return replace(goal, group=group)
        users = [(each, f"User {visible_line(printable_path(each))}") for each in whose.users]
        user = await choose(
            self,
            title,
            "Facts about the person, or for every project, go to:",
            [(_NOBODY, f"The {whose.kind} itself"), *users],
            names=True,
        )
        return None if user is None else replace(goal, group=group, user="" if user == _NOBODY else user)

    async def _named_group(self, goal: Goal, whose: export_targets.Whose) -> str:
        """Ask for the folder or the name of a group. Empty if cancelled."""
        name, kind = goal.format.name, whose.kind

        async def group(given: str) -> str:
            if why := await asyncio.to_thread(export_targets.group_problem, self.session, name, goal.path, f"{kind}:{given}"):
                raise BadName(why)
            return f"{kind}:{given}"

        what = "The folder whose memory it becomes:" if whose.by_folder else f"The name of the {kind} that gets it:"
        return await self._ask_place((formats.title_of(name), what, ""), group) or ""

    async def _decided(self, job: Job, typed: Typed) -> dict[str, bytes] | None:
        """Let the person resolve conflicts of texts to be merged; None: write nothing."""
        found: dict[str, Conflicts] = await asyncio.to_thread(job.plan.conflicts)
        texts: dict[str, bytes] = {}
        for number, (name, each) in enumerate(found.items()):
            left = f" (file {number + 1} of {len(found)})" if len(found) > 1 else ""
            title = f"{visible_line(printable_path(name))}{left}"
            session = next(iter(job.plan.sessions), self.session)
            keep = partial(editing.put_beside, session, session.ref_at(name))
            names = ("Theirs, brought in", "Mine, here")
            text = await resolve(self, title, each, names=names, leaving="write nothing", keep=keep, typed=typed)
            if text is None:
                self.say("Nothing was written.")
                return None
            texts[name] = text
        return texts

    def _written_stores(self, job: Job) -> list[OpenStore]:
        """The open stores that the transfer writes to, the current one first."""
        main, roots = self.host.main, {each.root for each in job.plan.sessions}
        return [main.here, *(store for store in main.stores if store is not main.here and store.session.root in roots)]

    async def _do(self, job: Job, texts: dict[str, bytes]) -> VerbResult:
        """Apply the plan with the `texts` chosen for conflicts.

        Raises `MemError`; on a conflict with the plan, it has been made again by then.
        """
        pulse = Pulse()
        self._progress.begin("Writing", pulse, job.plan.files)
        try:
            async with self.host.main.unpolled(self._written_stores(job)):
                return await asyncio.to_thread(job.apply, texts, pulse)
        except Conflict as error:
            job.plan = replace(job.plan, read=None)  # so that everything is read anew
            await self.start(job)
            raise Conflict(f"{error.message} This is the plan as it is now.") from error
        finally:
            self._progress.end(pulse)
