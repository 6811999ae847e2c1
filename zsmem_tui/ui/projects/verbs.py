"""The verbs of projects: asking where to, showing what would move, doing it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.projects import moving
from zsmem_tui.ui.dialogs.ask import ask_line, choose, confirm_plan, show_page
from zsmem_tui.ui.dialogs.plan_rows import APPLY, PlanRow
from zsmem_tui.ui.host import Place
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.projects import naming
from zsmem_tui.ui.projects import rows as format_projects
from zsmem_tui.ui.projects.rows import ProjectRow

if TYPE_CHECKING:
    from collections.abc import Mapping

_OTHER: Final = "\0other"
"""The answer for a folder that is not in the list."""

_SOME_FOLDER: Final = "~/"
"""What stands in the line for a folder at first."""

_OF_FOLDERS: Final = frozenset({"follow", "move", "merge", "label", "archive"})
"""What can be done only with memory that is named after a folder."""

_AT_CURSOR: Final = frozenset({"open", "label", "about"})
"""What is about the project under the cursor, whatever is marked."""


class Rows(Protocol):
    """The list of projects, as far as verbs know it."""

    marked: set[Any]

    def at_cursor(self) -> ProjectRow | None:
        """The project under the cursor."""

    def chosen(self) -> list[ProjectRow]:
        """The marked projects, else the one under the cursor."""


class Projects(Place, Protocol):
    """The screen of projects, as far as its verbs know it."""

    every: Mapping[str, ProjectRow]
    """All projects, by slug."""
    folders: Sequence[str]
    """The folders that are known."""

    @property
    def rows(self) -> Rows:
        """The list of projects."""

    async def read(self, *, cursor: str = "") -> None:
        """Read the projects again; the cursor goes to this one."""


def can_be_done(verb: str, rows: Sequence[ProjectRow]) -> bool:
    """Whether a verb has something to do with these."""
    if verb == "follow":
        return any(row.known.verdict.moved_to for row in rows)
    return verb not in _OF_FOLDERS or (bool(rows) and all(row.known.of_folder for row in rows))


async def act(screen: Projects, verb: str) -> None:
    """Do one thing with the chosen projects."""
    here = screen.rows.at_cursor()
    rows = screen.rows.chosen() if verb not in _AT_CURSOR else [here] if here is not None else []
    if not rows:
        screen.say("Nothing selected: put the cursor on a project first.", warning=True)
        return
    other = next((row for row in rows if not row.known.of_folder), None)
    if other is not None and verb in _OF_FOLDERS:
        screen.say(f"{other.known.label}: {other.known.verdict.why} Nothing was done.", warning=True)
        return
    match verb:
        case "open":
            _open(screen, rows[0])
        case "about":
            text = format_projects.about_page(rows[0], screen.every, screen.host.now_ns())
            show_page(screen.app, f"About {rows[0].known.label}", text)
        case "copy":
            screen.app.copy_to_clipboard("\n".join(printable_path(row.slug) for row in rows))
            screen.say(f"Sent {counted(len(rows), 'slug')} to the terminal's clipboard.")
        case "follow":
            await _follow(screen, rows)
        case "label":
            await _label(screen, rows[0])
        case "archive":
            await _archive(screen, rows)
        case _:
            await _carry(screen, rows, is_merge=verb == "merge")


def _open(screen: Projects, row: ProjectRow) -> None:
    if row.entry.files:
        screen.host.openers.read(row.entry.files[0].ref, 0)
    else:
        screen.say(f"{row.known.label} has no files to read.", warning=True)


async def _follow(screen: Projects, rows: Sequence[ProjectRow]) -> None:
    """Memory goes to where its folder is now. Of a folder that only may be it, that is asked."""
    wanted = [row for row in rows if row.known.verdict.moved_to]
    if not wanted:
        screen.say("Only what has moved can be followed: m gives a project a folder. Nothing was done.", warning=True)
        return
    unsure = [row.known.verdict.why for row in wanted if row.known.verdict.state is State.MAYBE]
    if unsure:
        answers = [("no", "No, leave it"), ("yes", f"Yes: show what would move ({counted(len(wanted), 'project')})")]
        if await choose(screen, "Follow", "\n".join([*unsure, "Is that so?"]), answers) != "yes":
            return
    session, slugs = screen.session, [row.slug for row in wanted]
    is_seen = len(rows) == 1 and not unsure  # what would move stands beside the list
    await _confirm(screen, partial(moving.follow, session, slugs), f"Follow {_what(wanted)}", is_seen=is_seen)


async def _carry(screen: Projects, rows: Sequence[ProjectRow], *, is_merge: bool) -> None:
    """To another folder or project, which is merged with where it has memory."""
    verb = "Merge" if is_merge else "Move"
    session = screen.session
    word = await _target(screen, rows, verb, is_merge=is_merge)
    if word == _OTHER:
        word = _SOME_FOLDER
    problem, typed = "", word == _SOME_FOLDER
    while True:
        if typed:
            word = trim(
                await ask_line(screen, verb, "The folder whose memory it shall be:", word, mend=True, problem=problem) or ""
            )
        if not word:
            return
        problems: list[str] = []
        found = await attempt(asyncio.to_thread(moving.target_of, session, word), problems.append)
        if found is not None:
            break
        if not typed:
            screen.say(problems[0], warning=True)
            return
        problem = problems[0]
    target, folder = found
    slugs = [row.slug for row in rows if row.slug != target] or [rows[0].slug]
    is_one = not is_merge and len(slugs) == 1
    make = partial(moving.move, session, slugs[0], word) if is_one else partial(moving.merge, session, slugs, word)
    await _confirm(screen, make, f"{verb} {_what(rows)} to {_named(screen, target, folder)}")


async def _target(screen: Projects, rows: Sequence[ProjectRow], verb: str, *, is_merge: bool) -> str:
    """The slug or folder that the person chose of those that are known; `_OTHER` for one that they type, empty for none."""
    own, chosen = rows[0].known.verdict, {row.slug for row in rows}
    projects = [row for row in screen.every.values() if row.known.of_folder and (len(rows) > 1 or row.slug not in chosen)]
    near = sorted(
        projects, key=lambda row: (row.slug not in chosen, not (own.family and row.known.verdict.family == own.family), row.slug)
    )
    of_projects = [(row.slug, format_projects.answer(row)) for row in near]
    known = dict.fromkeys([*filter(None, [own.moved_to]), *own.candidates, *screen.folders])
    group_of = screen.session.layout.group_named_after
    of_folders = [(path, format_projects.folder_answer(path)) for path in known if group_of(path) not in screen.every]
    answers = of_projects if is_merge else [*of_folders, (_OTHER, "Another folder …"), *of_projects]
    if is_merge and not answers:
        screen.say("There is no other project to merge it into.", warning=True)
        return ""
    answer = await choose(screen, verb, f"{verb} the memory of {_what(rows)} to:", answers, names=True)
    return answer or ""


async def _confirm(screen: Projects, make: Callable[[], Plan], title: str, *, is_seen: bool = False) -> None:
    """Do what would move, once the person has seen it."""
    plan = await attempt(asyncio.to_thread(make), lambda reason: screen.say(reason, warning=True))
    if plan is not None and (is_seen or await _wants(screen, title, format_projects.plan_rows(plan))):
        await _do(screen, partial(moving.apply, screen.session, plan), plan.read[0].target if plan.read else "")


async def _wants(screen: Projects, title: str, rows: Sequence[PlanRow]) -> bool:
    return await confirm_plan(screen, title, rows) == APPLY


async def _archive(screen: Projects, rows: Sequence[ProjectRow]) -> None:
    session, slugs = screen.session, [row.slug for row in rows]
    if await _wants(screen, f"Archive {_what(rows)}", format_projects.archive_rows(rows)):
        await _do(screen, lambda: moving.archive(session, *slugs), "")


async def _label(screen: Projects, row: ProjectRow) -> None:
    """A name of the person's own; asked again with the reason where it is refused."""
    text, problem = row.known.record.label, ""
    while True:
        answer = await ask_line(screen, "Name", f"What {row.slug} is called (empty: no name of yours):", text, problem=problem)
        if answer is None:
            return
        problems: list[str] = []
        await _do(screen, partial(moving.label, screen.session, row.slug, answer), row.slug, refused=problems.append)
        if not problems:
            return
        text, problem = answer, problems[0]


async def _do(
    screen: Projects, verb: Callable[[], VerbResult], cursor: str, *, refused: Callable[[str], object] | None = None
) -> None:
    """Do it, and show how things are then."""
    main = screen.host.main

    async def refresh(_: VerbResult) -> None:
        await main.look_now()
        await naming.show_known(main, main.here)
        screen.rows.marked.clear()
        await screen.read(cursor=cursor)

    await perform(screen.host, verb, screen, refresh=refresh, refused=refused)


def _what(rows: Sequence[ProjectRow]) -> str:
    return rows[0].known.label if len(rows) == 1 else counted(len(rows), "project")


def _named(screen: Projects, slug: str, folder: str) -> str:
    row = screen.every.get(slug)
    return row.known.label if row is not None else visible_line(printable_path(folder or slug))
