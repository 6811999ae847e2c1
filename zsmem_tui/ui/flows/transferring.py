"""The conversations of import and export: which folder, other words, another file, and doing it."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

from zsmem_tui.core.errors import Conflict
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import bundles, exporting, formats, import_conflicts, importing
from zsmem_tui.service.bundles import BundlePlan
from zsmem_tui.service.importing import ImportPlan, PlannedItem, Policy
from zsmem_tui.service.tasks import every_project
from zsmem_tui.ui.flows.asking import ask_line, choose, resolve
from zsmem_tui.ui.flows.perform import attempt, perform, show
from zsmem_tui.ui.host import Place


class Source(NamedTuple):
    """Something that can be done here: bring in `format` from `path` (empty: ask), or with `out`, write it."""

    format: str
    path: str
    words: str
    out: bool = False


class Transfer(Place, Protocol):
    """The screen of import and export, as far as its conversations know it."""

    source: Source | None
    plan: ImportPlan | None
    bundle: BundlePlan | None
    targets: dict[str, str]
    edits: dict[str, str]
    into: str
    policy_now: Policy

    def item(self) -> PlannedItem | None:
        """The item under the cursor."""

    def load(self) -> object:
        """The sources, or the plan anew."""

    async def make_plan(self) -> None:
        """Plan what was chosen."""

    def leave_plan(self) -> None:
        """Back to the sources."""


async def begin(screen: Transfer, source: Source) -> None:
    """Ask for the folder where it is not known, then plan, or write."""
    path = source.path
    if not path:
        format = formats.called(source.format)
        what = "The .tar.gz file:" if format.one_file else "The folder:"
        knows = source.out and format.finds_its_place
        if knows:
            what = f"The folder (empty: where {format.name} keeps this project's memory):"
        answer = await ask_line(screen, source.words, what)
        if answer is None or (not trim(answer) and not knows):
            return
        path = trim(answer)
    if source.out:
        await _write(screen, source.format, path)
        return
    screen.source = source._replace(path=path)
    await screen.make_plan()


async def edit(screen: Transfer) -> None:
    """Other words for an item."""
    item = screen.item()
    if item is None:
        screen.say("Nothing selected.", warning=True)
        return
    if "\n" in item.incoming.text.strip("\n"):
        screen.say("It has several lines: take it, then edit the file.", warning=True)
        return
    answer = await ask_line(screen, "Edit", "The words to take:", item.incoming.text.strip("\n"), mend=True)
    if answer and trim(answer):
        screen.edits[item.key] = answer + ("\n" if item.incoming.text.endswith("\n") else "")
        screen.load()


async def retarget(screen: Transfer) -> None:
    """Another file for an item."""
    item = screen.item()
    if item is None:
        screen.say("Nothing selected.", warning=True)
        return
    mem = screen.session.mem(screen.into or screen.session.project)
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
        screen.targets[item.key] = answer
        screen.load()


async def project(screen: Transfer) -> None:
    """The project that everything goes into."""
    slugs = await asyncio.to_thread(every_project, screen.session)
    answers = [(slug, visible_line(screen.session.group_name(slug))) for slug in dict.fromkeys([screen.session.project, *slugs])]
    answer = await choose(screen, "Into", "Everything goes into:", answers)
    if answer:
        screen.into = answer
        screen.load()


async def apply(screen: Transfer) -> None:
    """Write what is ticked."""
    plan, bundle, main = screen.plan, screen.bundle, screen.host.main
    if screen.source is None:
        screen.say("Choose what to bring in first, with enter. Nothing was written.", warning=True)
        return
    if not any(file.ticked for file in bundle.files) if bundle is not None else plan is None or not plan.changes:
        screen.say("Nothing is ticked that would change a file. Nothing was written.", warning=True)
        return
    texts = await attempt(_decided(screen), lambda reason: screen.say(reason, warning=True))
    if texts is None:
        return
    screen.say("Writing …")

    done = await attempt(_bring_in(screen, texts), lambda reason: screen.say(reason, warning=True))
    if done is None:
        return

    async def refresh(_: VerbResult) -> None:
        await main.look_now()
        screen.leave_plan()

    await show(screen.host, done, main, screen, refresh=refresh)


async def _decided(screen: Transfer) -> dict[str, bytes] | None:
    """The texts that shall stand where both memories say something else and are to be merged; None: nothing shall be written."""
    plan, bundle, session = screen.plan, screen.bundle, screen.session
    if bundle is not None:
        found = await asyncio.to_thread(import_conflicts.of_bundle, session, bundle)
    else:
        found = {} if plan is None else await asyncio.to_thread(import_conflicts.of_import, plan, screen.policy_now)
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


async def _bring_in(screen: Transfer, texts: dict[str, bytes]) -> VerbResult:
    """Write what was planned, with the `texts` that were decided.

    Raises `MemError`; where something clashes with the plan, there is a new one then.
    """
    plan, bundle, session = screen.plan, screen.bundle, screen.session
    try:
        async with screen.host.main.here.looking:  # what is written here is no news from others
            if bundle is not None:
                return await asyncio.to_thread(bundles.apply, session, bundle, texts)
            assert plan is not None
            return await asyncio.to_thread(importing.apply, session, import_conflicts.decided(plan, texts))
    except Conflict as error:
        await screen.make_plan()
        raise Conflict(f"{error.message} This is the plan as it is now.") from error


async def _write(screen: Transfer, format: str, path: str) -> None:
    """Export."""
    session = screen.session
    if format == formats.BUNDLE:
        await perform(screen.host, lambda: bundles.export_to(session, path), screen)
        return
    wanted = formats.of_agent(format)
    planned = asyncio.to_thread(lambda: exporting.export(session, wanted, path, dry_run=True))
    first = await attempt(planned, lambda reason: screen.say(reason, warning=True))
    if first is None:
        return
    if not first.written:
        screen.say("Everything is there already. Nothing was written.")
        return
    names = "\n".join(f"{size:>8}  {visible_line(printable_path(place))}" for place, size in first.written[:12])
    more = f"\n… and {len(first.written) - 12} more" if len(first.written) > 12 else ""
    answers = [("no", "Write nothing"), ("yes", "Write them")]
    text = f"{first.message}\n{names}{more}\n\n{first.losses}"
    if await choose(screen, "Export", text, answers) == "yes":
        await perform(screen.host, lambda: exporting.export(session, wanted, path), screen)
    else:
        screen.say("Nothing was written.")
