"""Other memories in, this one out: what is there, what each item would become, and the very file it would land in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from textual import on, work
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.conflict import Conflicts
from zsmem_tui.core.errors import Conflict, MemError
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import formats, import_reading, importing
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Policy
from zsmem_tui.service.tasks import every_project
from zsmem_tui.ui import plans as planning
from zsmem_tui.ui.dialogs.ask import ask_line, choose, resolve, show_page
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.perform import attempt, show
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.transfer import wording as format_transfer
from zsmem_tui.ui.transfer.destinations import goal_of
from zsmem_tui.ui.transfer.jobs import Job, Pulse, bring_in, carry, pack, take_back, take_to, unpack
from zsmem_tui.ui.transfer.rows import LandingView, Progress, Reasons, TransferList, TransferRows
from zsmem_tui.ui.transfer.wording import IN, Source
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import folder_name

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_NO_PLACE: Final = "Nothing was typed: name a place, or esc closes."
"""Why an empty line is asked for again."""

_OTHER: Final = "+"
"""The answer for a name, or a folder, that is not among those shown."""

CHOOSE_FIRST: Final = "Choose what to bring in, or where to take this memory, with enter first. Nothing was written."


class TransferScreen(ToolScreen):
    """Left what can be brought in and taken out, then the plan of one; right why, and the diff of the file it lands in."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"transfer": "transfer", "landing": "landing"}
    PAGE = "transfer"

    def __init__(self, host: ZsmemApp, group: str) -> None:
        """Import and export of a group of the store in use."""
        super().__init__(host)
        self.session = host.main.session.for_group(group)
        self.job: Job | None = None
        self.rows = TransferRows(self)
        self.progress = Progress(self)
        self.is_stale = False
        self._about: Source | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list", id="transfer-list") as left:
            left.border_title = Content("Import and export")
            yield FilterLine("words of an item", id="transfer-filter", rows="transfer")
            yield TransferList(self.rows.draw, id="transfer")
        with Vertical(classes="pane tool-side", id="transfer-side") as right:
            right.border_title = Content("What it is")
            yield Reasons("L in full", id="reasons")
            view = LandingView(id="landing")
            view.display = False
            yield view

    @property
    def source(self) -> Source | None:
        """What the cursor is on among the sources; once there is a plan, what that is about."""
        return self._about if self.job is not None else self.rows.source

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is on this machine; or the plan, anew."""
        if self.job is not None:
            await self.start(self.job)
            return
        self.rows.looking()
        try:
            found = await self.asking(importing.detect, self.session)
        except MemError:
            found = []
        there = [format_transfer.detected(each, formats.title_of(each.format)) for each in found]
        self.rows.found([*there, *format_transfer.ways({each.format for each in found})])
        if self.job is None:
            self.rows.show_sources()

    async def start(self, job: Job) -> None:
        """Plan something, and show it."""
        is_new = job is not self.job
        about = self.source
        pulse = Pulse()
        self.progress.begin(job.title, pulse)
        self.is_stale = False
        try:
            plan = await self.asking(job.plan, pulse)
        except MemError:
            if self.job is not None:
                self.leave_plan()
            raise  # told where every refusal is
        finally:
            was_told = self.progress.end(pulse)
        self.job, self._about, self.rows.plan = job, about, plan
        self.query_one(LandingView).display = True
        self.rows.show_plan(job, is_new=is_new)
        if is_new or was_told:
            would = f"{counted(plan.files, 'file')} would change" if plan.files else "No file would change"
            self.say(f"{would}: nothing is written before A. {job.losses()}")

    def plan_anew(self) -> None:
        """Plan again: the person has changed something."""
        self.is_stale = True
        self.load()

    def leave_plan(self) -> None:
        """Back to the sources, the cursor where the plan came from."""
        about, self.job, self._about = self._about, None, None
        self.query_one(FilterLine).close()
        view = self.query_one(LandingView)
        view.compare(b"", b"")
        if self.focused is view:
            self.widget_of().focus()
        view.display = False
        self.rows.show_sources(about)
        self.load()

    def back(self) -> None:
        """Stops what is under way; from the diff to the list, to the sources, away."""
        if self.progress.stop() or self.query_one(FilterLine).close():
            return
        if self.focused is self.widget_of() and self.job is not None:
            self.leave_plan()
        else:
            super().back()

    def action_tick(self, which: Literal["one", "all"] = "one") -> None:
        """Take it, or leave it; or all that are shown and can be taken, or none of them."""
        number = self.rows.number
        if self.job is None or number is None:
            self.say(CHOOSE_FIRST if self.job is None else "Nothing selected.", warning=True)
            return
        ticks = self.rows.ticks(every=which == "all")
        if not ticks:
            self.say(f"This cannot be taken. {self.job.words(number)[0]}", warning=True)
            return
        self.job.wishes.ticks = {**self.job.wishes.ticks, **ticks}
        if which == "one":
            self.rows.widget.action_move(1)
        self.plan_anew()

    def action_cycle(self, which: Literal["fate", "policy"]) -> None:
        """Show only what has the next fate; or what becomes of a name that another text has."""
        job = self.job
        if job is None:
            self.say(CHOOSE_FIRST, warning=True)
        elif which == "fate":
            self.rows.next_fate()
            self.rows.show_plan(job)
        elif job.way.is_in:
            every = list(Policy)
            job.wishes.policy = every[(every.index(job.wishes.policy) + 1) % len(every)]
            self.plan_anew()
        else:
            self.say("What stands there already is never written over: there is nothing to choose.", warning=True)

    def action_read(self, how: Literal["filter", "full"]) -> None:
        """Type words that items must have; or all that is said of the row, as a page."""
        if how == "full":
            show_page(self.app, "Import and export", "\n\n".join(self.rows.told(self.job)))
        elif self.job is None:
            self.say(CHOOSE_FIRST, warning=True)
        else:
            self.query_one(FilterLine).begin()

    @on(Input.Changed, "#transfer-filter")
    def _filtered(self) -> None:
        if self.job is not None:
            self.rows.show_plan(self.job)

    def action_talk(self, about: Literal["edit", "target", "project", "apply", "to", "remove"]) -> None:
        """Other words for an item, another file, another project for all; another agent; do it, or take it out again."""
        flows = {
            "edit": _edit,
            "target": _retarget,
            "project": _project,
            "apply": _apply,
            "to": _to_agent,
            "remove": _take_out,
        }
        self.host.talk(flows[about](self), self)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        kind, which = event.key
        if kind == "source":
            self.host.talk(_begin(self, self.rows.source_of(which)), self)
        else:
            self.query_one(LandingView).focus()

    @on(RowList.Moved)
    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        job, number, view = self.job, self.rows.number, self.query_one(LandingView)
        told = self.rows.told(job)
        if job is None or number is None:
            self.rows.tell("What it is", told)
            return
        try:
            sides = await self.asking(job.sides, number)
            shown = await self.asking(redacted, sides.before, sides.after)
        except MemError:
            self.rows.tell("What would be written", told)
            view.compare(b"", b"")
            raise  # told where every refusal is
        if self.job is job:
            self.rows.tell(sides.name, told)
            view.compare(*shown)


async def _begin(screen: TransferScreen, source: Source) -> None:
    """Ask for what is not known: the folder, whose memory there, the section; then plan."""
    await _at_place(screen, partial(_place, screen, source), partial(_begin_at, screen, source), is_known=bool(source.path))


async def _at_place(
    screen: TransferScreen,
    ask: Callable[[str, str], Awaitable[str | None]],
    plan: Callable[[str], Awaitable[None]],
    *,
    is_known: bool,
) -> None:
    """Plan with the place that is asked for; one that is refused is there to be mended, with the reason."""
    path, problem = "", ""
    while (place := await ask(path, problem)) is not None:
        problems: list[str] = []
        await attempt(plan(place), problems.append)
        if not problems:
            return
        if is_known:
            screen.say(problems[0], warning=True)
            return
        path, problem = place, problems[0]


async def _begin_at(screen: TransferScreen, source: Source, path: str) -> None:
    """Plan with what is at a place. Raises `MemError`."""
    session, name = screen.session, source.format
    if name == formats.BUNDLE:
        await screen.start((pack if source.out else unpack)(session, path))
    elif source.out:
        goal = await goal_of(screen, name, path)
        if goal is not None:
            await screen.start(take_to(session, goal))
    else:
        choice = await _section(screen, name, path)
        if choice is not None:
            await screen.start(bring_in(session, name, path, choice))


async def _take_out(screen: TransferScreen) -> None:
    """Plan to take out of another agent's memory again what exports put there."""
    source = screen.source
    if source is None or not source.out:
        screen.say("d is for what was taken out: choose an agent under Take out.", warning=True)
        return
    if source.format == formats.BUNDLE:
        screen.say("A bundle is a file of its own: delete it. Nothing was done.", warning=True)
        return
    path = await _place(screen, source)
    goal = await goal_of(screen, source.format, path) if path is not None else None
    if goal is not None:
        await screen.start(take_back(screen.session, goal))


async def _to_agent(screen: TransferScreen) -> None:
    """Plan to take another agent's memory to a third at once."""
    source = screen.source
    if source is None or source.out or source.format == formats.BUNDLE:
        screen.say("t is for another agent's memory: choose one under Bring in.", warning=True)
        return
    path = await _place(screen, source)
    if path is None:
        return
    answers = _ways_on(screen, source.format)
    answer = await choose(screen, "To another agent", f"Take the memory of {source.title} to:", answers, names=True)
    if answer is None:
        return
    name, _, place = answer.partition("\n")
    plan = partial(_to_agent_at, screen, source.format, path, name)
    if place != _OTHER:
        await _at_place(screen, partial(_known, place), plan, is_known=True)
    else:
        await _at_place(screen, partial(_named_place, screen, formats.title_of(name), "The folder:"), plan, is_known=False)


async def _known(place: str, path: str, problem: str) -> str:
    """A place that nobody has to be asked for."""
    return place


async def _to_agent_at(screen: TransferScreen, source: str, path: str, name: str, place: str) -> None:
    """Plan to take a memory to that of the agent `name` at a place. Raises `MemError`."""
    goal = await goal_of(screen, name, place)
    if goal is not None:
        await screen.start(carry(screen.session, source, path, goal))


async def _edit(screen: TransferScreen) -> None:
    """Other words for an item."""
    job, number = screen.job, screen.rows.number
    if job is None or job.way is not IN or number is None:
        _only_imports(screen, "other words")
        return
    item = job.planned.rows[number]
    if "\n" in item.text.strip("\n"):
        screen.say("It has several lines: take it, then edit the file.", warning=True)
        return
    answer = await ask_line(screen, "Edit", "The words to take:", item.text.strip("\n"), mend=True)
    if answer and trim(answer):
        job.wishes.edits[item.key] = answer + ("\n" if item.text.endswith("\n") else "")
        screen.plan_anew()


async def _retarget(screen: TransferScreen) -> None:
    """Another file for an item."""
    job, number = screen.job, screen.rows.number
    if job is None or job.way is not IN or number is None:
        _only_imports(screen, "another file")
        return
    item = job.planned.rows[number]
    mem = screen.session.mem(job.wishes.into or screen.session.project)
    targets = [mem.ref(Role.FACTS), mem.ref(Role.CHECKLIST), mem.ref(Role.LOG)]
    answers = [(ref.path, visible_line(printable_path(ref.path))) for ref in targets]
    answers.append(("note", "A note, under a name that you give"))
    answer = await choose(screen, "To another file", "Take it into:", answers)
    if answer == "note":
        name = await ask_line(screen, "Note", "The name of the note:", item.ref.name)
        if not name or not trim(name):
            return
        answer = screen.session.place_of(Role.NOTE, mem.project, trim(name).replace("/", "-").replace(".", "-")).path
    if answer and find_ref(screen.session.layout, answer):
        job.wishes.targets[item.key] = answer
        screen.plan_anew()


async def _project(screen: TransferScreen) -> None:
    """The project that everything goes into."""
    job = screen.job
    if job is None or not job.way.is_in:
        _only_imports(screen, "another project")
        return
    slugs = await asyncio.to_thread(every_project, screen.session)
    answers = [(slug, visible_line(screen.session.group_name(slug))) for slug in dict.fromkeys([screen.session.project, *slugs])]
    answer = await choose(screen, "Into", "Everything goes into:", answers)
    if answer:
        job.wishes.into = answer
        screen.plan_anew()


async def _apply(screen: TransferScreen) -> None:
    """Do what is ticked."""
    job = screen.job
    if job is None:
        screen.say(CHOOSE_FIRST, warning=True)
        return
    if screen.is_stale:
        await screen.start(job)
    if not screen.rows.plan.files:
        screen.say("Nothing is ticked that would change a file. Nothing was written.", warning=True)
        return
    if not await _secrets_decided(screen, job):
        return
    texts = await attempt(_decided(screen, job), lambda reason: screen.say(reason, warning=True))
    if texts is None:
        return
    done = await attempt(_do(screen, job, texts), lambda reason: screen.say(reason, warning=True))
    if done is None:
        return
    main = screen.host.main
    stores = _written(screen, job)

    async def refresh(_: VerbResult) -> None:
        for store in stores:
            await main.look_now(store)
        screen.leave_plan()

    await show(screen.host, done, main, screen, refresh=refresh)


def _only_imports(screen: TransferScreen, what: str) -> None:
    """Say why this is not for the row under the cursor."""
    words = f"Only what is brought in can be given {what}." if screen.job is not None else "Nothing selected."
    screen.say(words, warning=True)


def _ways_on(screen: TransferScreen, name: str) -> list[tuple[str, str]]:
    """Where a memory of a format can go: where each other agent keeps its own, to the stores that are open, to a named folder."""
    others = {each.name: formats.title_of(each.name) for each in formats.every() if each.name != name and not each.one_file}
    own = [each for each in others if formats.called(each).finds_its_place]
    answers = [(f"{each}\n", f"{others[each]} · where it keeps the memory of this folder") for each in own]
    for store in screen.host.main.stores:
        root = store.session.root
        at = next((each for each, title in others.items() if title == store.title), "")
        if at and root != screen.session.root:
            answers.append((f"{at}\n{root}", f"{store.title} · {folder_name(root)}, which is open"))
    return [*answers, *((f"{each}\n{_OTHER}", f"{title} · a folder that you name") for each, title in others.items())]


async def _place(screen: TransferScreen, source: Source, path: str = "", problem: str = "") -> str | None:
    """Where it is, or goes; None when the person does not say. A plan that is there knows it.

    `problem` is why `path`, the answer before, was refused.
    """
    if source.path:
        return source.path
    format = formats.called(source.format)
    knows = source.out and format.finds_its_place
    what = "The .tar.gz file:" if format.one_file else "The folder:"
    if knows:
        what = f"The folder (empty: where {source.title} keeps this folder's memory):"
    title = f"{'To' if source.out else 'From'} {source.title}"
    return await _named_place(screen, title, what, path, problem, may_be_empty=knows)


async def _named_place(
    screen: TransferScreen, title: str, what: str, path: str, problem: str, *, may_be_empty: bool = False
) -> str | None:
    """The place that a person types; None when they do not."""
    while (answer := await ask_line(screen, title, what, path, problem=problem)) is not None:
        if trim(answer) or may_be_empty:
            return trim(answer)
        path, problem = "", _NO_PLACE
    return None


async def _section(screen: TransferScreen, name: str, path: str) -> Choice | None:
    """Which part of it the person wants, asked where a format has parts; None when they do not say. Raises `MemError`."""
    if not formats.called(name).has_sections:
        return Choice()
    found = await asyncio.to_thread(import_reading.read, screen.session, formats.of_agent(name), path)
    sections = list(dict.fromkeys(each.group for each in found.items if each.group and not each.skip))
    if not sections:
        return Choice()
    answers = [(section, visible_line(section)) for section in sections]
    answers.append((_OTHER, "All of them: nothing is ticked at first"))
    title = formats.title_of(name)
    answer = await choose(screen, title, "Take the items of this section:", answers, names=True)
    return None if answer is None else Choice() if answer == _OTHER else Choice(section=answer)


async def _secrets_decided(screen: TransferScreen, job: Job) -> bool:
    """Whether what becomes of credentials that would go out is decided; it is asked once for each plan."""
    if not job.planned.gate.stops:
        return True
    answer = await planning.decided(screen, job.planned.gate)
    if answer is None:
        return False
    job.wishes.secrets = answer
    await screen.start(job)
    return bool(screen.rows.plan.files)


async def _decided(screen: TransferScreen, job: Job) -> dict[str, bytes] | None:
    """The texts that shall stand where both memories say something else and are to be merged; None: nothing shall be written."""
    found: dict[str, Conflicts] = await asyncio.to_thread(job.planned.conflicts)
    texts: dict[str, bytes] = {}
    for number, (name, each) in enumerate(found.items()):
        left = f" (file {number + 1} of {len(found)})" if len(found) > 1 else ""
        title = f"{visible_line(printable_path(name))}{left}"
        text = await resolve(screen, title, each, names=("Theirs, brought in", "Mine, here"), leaving="write nothing")
        if text is None:
            screen.say("Nothing was written.")
            return None
        texts[name] = text
    return texts


def _written(screen: TransferScreen, job: Job) -> list[OpenStore]:
    """The open stores that it writes to, the one in use first."""
    main = screen.host.main
    return [main.here, *(store for store in main.stores if store is not main.here and store.session.root in job.roots)]


async def _do(screen: TransferScreen, job: Job, texts: dict[str, bytes]) -> VerbResult:
    """Do what was planned, with the `texts` that were decided.

    Raises `MemError`; where something clashes with the plan, there is a new one then.
    """
    pulse = Pulse()
    screen.progress.begin("Writing", pulse, screen.rows.plan.files)
    try:
        async with AsyncExitStack() as held:
            for store in _written(screen, job):
                await held.enter_async_context(store.looking)  # what is written here is no news from others
            return await asyncio.to_thread(job.apply, texts, pulse)
    except Conflict as error:
        await screen.start(job)
        raise Conflict(f"{error.message} This is the plan as it is now.") from error
    finally:
        screen.progress.end(pulse)
