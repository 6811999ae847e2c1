"""The conversations of import and export: which folder, whose memory, other words, another file, and doing it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Final, Protocol

from zsmem_tui.core.conflict import Conflicts
from zsmem_tui.core.errors import Conflict
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import formats, import_reading
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.tasks import every_project
from zsmem_tui.ui.flows import gating
from zsmem_tui.ui.flows.asking import ask_line, choose, resolve
from zsmem_tui.ui.flows.goals import goal_of
from zsmem_tui.ui.flows.perform import attempt, show
from zsmem_tui.ui.flows.transfer_jobs import Job, Pulse, bring_in, carry, pack, take_back, take_to, unpack
from zsmem_tui.ui.format.transfer import IN, Source, folder_name
from zsmem_tui.ui.host import Place
from zsmem_tui.ui.open_store import OpenStore

_NO_PLACE: Final = "Nothing was typed: name a place, or esc closes."
"""Why an empty line is asked for again."""

_OTHER: Final = "+"
"""The answer for a name, or a folder, that is not among those shown."""

CHOOSE_FIRST: Final = "Choose what to bring in, or where to take this memory, with enter first. Nothing was written."


class Rows(Protocol):
    """What the list of it shows."""

    plan: Plan

    @property
    def number(self) -> int | None:
        """The row of the plan that the cursor is on."""


class Progress(Protocol):
    """Says what is being done once it takes long, how far that is, and that esc stops it."""

    def begin(self, words: str, pulse: Pulse, of: int = 0) -> None:
        """Work begins that asks `pulse`, so often in all where that is known."""

    def end(self, pulse: Pulse) -> bool:
        """It has ended; whether it was said how far it is."""


class Transfer(Place, Protocol):
    """The screen of import and export, as far as its conversations know it."""

    job: Job | None
    is_stale: bool
    """Whether the person has changed something since the plan was made."""

    @property
    def rows(self) -> Rows:
        """What the list shows."""

    @property
    def progress(self) -> Progress:
        """How far work is."""

    @property
    def source(self) -> Source | None:
        """What the cursor is on among the sources; once there is a plan, what that is about."""

    def plan_anew(self) -> None:
        """Plan again: the person has changed something."""

    async def start(self, job: Job) -> None:
        """Plan something, and show it."""

    def leave_plan(self) -> None:
        """Back to the sources."""


async def begin(screen: Transfer, source: Source) -> None:
    """Ask for what is not known: the folder, whose memory there, the section; then plan. What is refused is asked again."""
    path, problem = "", ""
    while True:
        place = await _place(screen, source, path, problem)
        if place is None:
            return
        problems: list[str] = []
        await attempt(_begin_at(screen, source, place), problems.append)
        if not problems:
            return
        if source.path:
            screen.say(problems[0], warning=True)
            return
        path, problem = place, problems[0]


async def _begin_at(screen: Transfer, source: Source, path: str) -> None:
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


async def take_out(screen: Transfer) -> None:
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


async def to_agent(screen: Transfer) -> None:
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
    typed, problem, place = place == _OTHER, "", "" if place == _OTHER else place
    while True:
        if typed:
            typed_place = await ask_line(screen, formats.title_of(name), "The folder:", place, problem=problem)
            if typed_place is None:
                return
            if not (place := trim(typed_place)):
                problem = _NO_PLACE
                continue
        problems: list[str] = []
        await attempt(_to_agent_at(screen, source.format, path, name, place), problems.append)
        if not problems:
            return
        if not typed:
            screen.say(problems[0], warning=True)
            return
        problem = problems[0]


async def _to_agent_at(screen: Transfer, source: str, path: str, name: str, place: str) -> None:
    """Plan to take a memory to that of the agent `name` at a place. Raises `MemError`."""
    goal = await goal_of(screen, name, place)
    if goal is not None:
        await screen.start(carry(screen.session, source, path, goal))


async def edit(screen: Transfer) -> None:
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


async def retarget(screen: Transfer) -> None:
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


async def project(screen: Transfer) -> None:
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


async def apply(screen: Transfer) -> None:
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


def _only_imports(screen: Transfer, what: str) -> None:
    """Say why this is not for the row under the cursor."""
    words = f"Only what is brought in can be given {what}." if screen.job is not None else "Nothing selected."
    screen.say(words, warning=True)


def _ways_on(screen: Transfer, name: str) -> list[tuple[str, str]]:
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


async def _place(screen: Transfer, source: Source, path: str = "", problem: str = "") -> str | None:
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
    while (answer := await ask_line(screen, title, what, path, problem=problem)) is not None:
        if trim(answer) or knows:
            return trim(answer)
        path, problem = "", _NO_PLACE
    return None


async def _section(screen: Transfer, name: str, path: str) -> Choice | None:
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


async def _secrets_decided(screen: Transfer, job: Job) -> bool:
    """Whether what becomes of credentials that would go out is decided; it is asked once for each plan."""
    if not job.planned.gate.stops:
        return True
    answer = await gating.decided(screen, job.planned.gate)
    if answer is None:
        return False
    job.wishes.secrets = answer
    await screen.start(job)
    return bool(screen.rows.plan.files)


async def _decided(screen: Transfer, job: Job) -> dict[str, bytes] | None:
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


def _written(screen: Transfer, job: Job) -> list[OpenStore]:
    """The open stores that it writes to, the one in use first."""
    main = screen.host.main
    return [main.here, *(store for store in main.stores if store is not main.here and store.session.root in job.roots)]


async def _do(screen: Transfer, job: Job, texts: dict[str, bytes]) -> VerbResult:
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
