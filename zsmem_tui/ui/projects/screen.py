"""Every project of the store in use: which folder it belongs to, what became of that, and one key for each thing that mends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import applying
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.known import KnownProjects, known_projects, last_sessions, memory_for, with_entries
from zsmem_tui.service.projects.own import has_folders, own_folder
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import ask_line, choose, show_page
from zsmem_tui.ui.dialogs.plan import plan_and_show
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.projects import naming
from zsmem_tui.ui.projects import rows as project_rows
from zsmem_tui.ui.projects.rows import ORDERS, WHICH, ArchiveDraft, MoveDraft, ProjectRow
from zsmem_tui.ui.tool import ListScreen, pane
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.page_view import Scrolling
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.wording import folder_name, refusal

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

TELL_SECONDS: Final = 0.5
"""Seconds between two looks at how far the search for folders is."""

QUIET_SECONDS: Final = 0.1
"""Seconds that the cursor rests on a project before what would move is worked out."""

_OTHER: Final = "\0other"
"""The answer for a folder that is not in the list."""

_SOME_FOLDER: Final = "~/"
"""What stands in the line for a folder at first."""

_OF_FOLDERS: Final = frozenset({"projects.follow", "projects.move", "projects.merge", "projects.label", "projects.archive"})
"""The actions for memory that is named after a folder."""


class ProjectRows(MarkList[ProjectRow], keys="projects"):
    """The projects; the rows between them are headings and problems."""

    HEADINGS = ()  # they have columns


class ProjectPane(VerticalScroll, Scrolling, keys="project"):
    """Why, what would move, what is held."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(
            "Where the memory of the chosen project belongs, and why that is thought, shows up here.",
            id="project-detail",
            markup=False,
        )

    @work(exclusive=True, group="plan")
    async def tell(
        self, session: Session, rows: Sequence[ProjectRow], every: Mapping[str, ProjectRow], now_ns: int, beside: Sequence[Session]
    ) -> None:
        """Tell of these projects at once, and what would move once the cursor rests; an older question is answered no more."""
        text = self.query_one("#project-detail", Static)
        self.scroll_home(animate=False)
        if not rows:
            return
        text.update(Content.assemble(*project_rows.about(rows, every, now_ns)))
        folders = [row.known.verdict.moved_to for row in rows if row.known.verdict.moved_to]
        if not folders:
            return
        await asyncio.sleep(QUIET_SECONDS)
        try:
            planned = await asyncio.to_thread(moving.follow, session, [row.slug for row in rows], beside)
            would = project_rows.would_move(planned.rows, folders, planned.notes)
        except MemError as error:
            would = [(f"\n{visible(refusal(error))}\n", "$warning")]
        text.update(Content.assemble(*project_rows.about(rows, every, now_ns, would)))


class ProjectsScreen(ListScreen):
    """Left every project with the state of its folder; right why, what it holds, and what would move."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"projects": "projects", "project": "project"}
    PAGE = "projects"
    WAYS: ClassVar[Mapping[str, Sequence[str]]] = {"which": WHICH, "order": ORDERS}

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._store = host.main.here
        self.every: Mapping[str, ProjectRow] = {}
        self.folders: Sequence[str] = ()
        self._known: KnownProjects | None = None
        self._problems: tuple[str, ...] = ()
        self._sessions: Mapping[str, int] | None = None
        self._cursor = ""
        """The project that the cursor goes to when projects are shown next."""

    def compose_body(self) -> Iterable[Widget]:
        """Filter line and list; what is known of one."""
        words = FilterLine("words of a name or a folder", id="project-filter", rows="projects")
        rows = ProjectRows(
            lambda key: project_rows.row(
                key, self.every, self.host.now_ns(), self.rows.size.width, self.way["order"], self.session.project
            ),
            id="projects",
        )
        yield pane("list", "Projects", words, rows, id="project-list")
        yield pane("side", "Why, and what would move", ProjectPane(id="project"), id="project-side")

    def on_mount(self) -> None:
        """As every tool; and follow the search for folders."""
        super().on_mount()
        self.set_interval(TELL_SECONDS, self._follow_search)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is known; then when agents were there last."""
        await self.read()
        if self._sessions is None:
            self._sessions = await self.asking(last_sessions, self.session)
            await self.read()

    async def read(self, *, cursor: str = "") -> None:
        """Read the projects again; the cursor goes to this one, at first to the one whose memory seems to belong here.

        Where the one under the cursor is gone, as after undo, it goes to one that has come instead.
        """
        session, store, is_first = self.session, self._store, self._known is None
        known = await asyncio.to_thread(known_projects, session)
        entries = await asyncio.to_thread(with_entries, session, known)
        if self.closed:
            return
        before, latest = self.every, self._sessions or {}
        self.every = {each.slug: ProjectRow(entry, each, latest.get(each.slug, 0)) for entry, each in entries}
        here = [session.folder] if session.folder else []
        self.folders = tuple(dict.fromkeys([*here, *self.host.main.folders]))
        if is_first:
            belongs = memory_for(session, known, await asyncio.to_thread(own_folder, session))
            cursor = belongs.slug if belongs is not None else session.project
        elif not cursor and self.rows.key not in self.every:
            cursor = next((slug for slug in self.every if slug not in before), "")
        self._known, self._cursor = known, cursor or self._cursor
        store.known = known
        if store.naming is None and store.sought is not None and known.gone - store.sought:
            store.names_wanted.set()  # it went since somebody looked
        self.show()

    @on(Input.Changed, "#project-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#project-filter") or self._known is None:
            return
        rows, pane, wanted = self.rows, self.query_one("#project-list"), self.query_one(FilterLine).words
        rows.items = self.every
        keys = project_rows.arranged(list(self.every.values()), which=self.way["which"], order=self.way["order"], wanted=wanted)
        rows.nothing = project_rows.nothing(len(self.every), self.way["which"], wanted, self.session.layout)
        self._problems = self._store.naming_problems
        problems = dict.fromkeys([*self._known.problems, *self._problems])
        cursor, self._cursor = self._cursor, ""
        rows.show([*project_rows.problem_keys(problems, rows.size.width), *keys], cursor=cursor if cursor in keys else None)
        count = sum(key in self.every for key in keys)
        pane.border_title = Content(project_rows.title(self.way["which"], self.way["order"], count, len(self.every)))
        self._follow_search()
        self._tell()

    def offered(self, action: Action) -> Action | None:
        """What can be done with the chosen projects."""
        rows = self.rows.chosen()
        if action.id == "projects.follow":
            return action if any(row.known.verdict.moved_to for row in rows) else None
        is_possible = action.id not in _OF_FOLDERS or (rows and all(row.known.of_folder for row in rows))
        return action if is_possible else None

    @on(RowList.Moved)
    def _tell(self) -> None:
        self.show_keys()
        self.query_one(ProjectPane).tell(self.session, self.rows.chosen(), self.every, self.host.now_ns(), self._beside)

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(ProjectPane).focus()

    @property
    def _beside(self) -> list[Session]:
        """The other stores, whose memory of the same folders goes along."""
        return [each.session for each in self.host.main.stores if each is not self._store and not each.session.root_problem()]

    def _follow_search(self) -> None:
        """How far the search for folders is; once something new is known, show it."""
        store = self._store
        if self.closed or not self.query("#project-list"):
            return
        words = project_rows.progress(store.naming.progress) if store.naming is not None else ""
        self.query_one("#project-list").border_subtitle = Content(words)
        is_news = store.known != self._known or store.naming_problems != self._problems
        if self._known is not None and is_news:
            self.load()

    def action_scan(self) -> None:
        """Look for the folders of all; while that goes on, stop."""
        naming = self._store.naming
        if naming is not None:
            naming.stop.set()
            self.say("Stopped looking: what was found is kept. S looks again.")
        elif not has_folders(self.session):
            self.say(
                f"{self.session.layout.title} does not name its memory after folders: there is none to look for.", warning=True
            )
        else:
            self._store.sought = None
            self._store.names_wanted.set()
            self.say("Looking for the folder of every project …")

    def _meant(self, *, of_folders: bool = True, at_cursor: bool = False) -> list[ProjectRow]:
        """The projects that are meant; none where there is none, or one is not named after a folder, which is said."""
        here = self.rows.at_cursor()
        rows: list[ProjectRow] = self.rows.chosen() if not at_cursor else [here] if here is not None else []
        if not rows:
            self.warn("Nothing selected: put the cursor on a project first.")
        other = next((row for row in rows if not row.known.of_folder), None)
        if other is not None and of_folders:
            self.warn(f"{other.known.label}: {other.known.verdict.why} Nothing was done.")
            return []
        return rows

    @in_turn
    async def action_open(self) -> None:
        """Read what the project remembers."""
        for row in self._meant(of_folders=False, at_cursor=True):
            if row.entry.files:
                self.host.read_file(row.entry.files[0].ref, 0)
            else:
                self.warn(f"{row.known.label} has no files to read.")

    @in_turn
    async def action_about(self) -> None:
        """All that is known of the project, as a page."""
        for row in self._meant(of_folders=False, at_cursor=True):
            show_page(self.app, f"About {row.known.label}", project_rows.about_page(row, self.every, self.host.now_ns()))

    @in_turn
    async def action_copy(self) -> None:
        """Copy the names that the projects have in the store."""
        if rows := self._meant(of_folders=False):
            self.app.copy_to_clipboard("\n".join(printable_path(row.slug) for row in rows))
            self.say(f"Sent {counted(len(rows), 'name')} to the terminal's clipboard.")

    @in_turn
    async def action_follow(self) -> None:
        """Memory goes to where its folder is now. Of a folder that only may be it, that is asked."""
        if not (rows := self._meant()):
            return
        moved = [row for row in rows if row.known.verdict.moved_to]
        if not moved:
            self.warn("Only what has moved can be followed: m gives a project a folder. Nothing was done.")
            return
        unsure = [row.known.verdict.why for row in moved if row.known.verdict.state is State.MAYBE]
        if unsure:
            answers = [("no", "No, leave it"), ("yes", f"Yes: show what would move ({counted(len(moved), 'project')})")]
            if await choose(self, "Follow", "\n".join([*unsure, "Is that so?"]), answers) != "yes":
                return
        make = partial(moving.follow, self.session, [row.slug for row in moved], self._beside)
        is_seen = len(rows) == 1 and not unsure  # what would move stands beside the list
        await self._plan_and_do(make, f"Follow {_named(moved)}", is_seen=is_seen)

    @in_turn
    async def action_move(self) -> None:
        """Memory goes to another folder or project."""
        await self._carry("Move", is_merge=False)

    @in_turn
    async def action_merge(self) -> None:
        """Several memories become one."""
        await self._carry("Merge", is_merge=True)

    async def _carry(self, verb: str, *, is_merge: bool) -> None:
        """To another folder or project, which is merged with where it has memory."""
        if not (rows := self._meant()):
            return
        session = self.session
        word = await self._target(rows, verb, is_merge=is_merge)
        if word == _OTHER:
            word = _SOME_FOLDER
        problem, typed = "", word == _SOME_FOLDER
        while True:
            if typed:
                question = "The folder whose memory it shall be:"
                word = trim(await ask_line(self, verb, question, word, mend=True, problem=problem) or "")
            if not word:
                return
            problems: list[str] = []
            found = await attempt(asyncio.to_thread(moving.target_of, session, word), problems.append)
            if found is not None:
                break
            if not typed:
                self.warn(problems[0])
                return
            problem = problems[0]
        target, folder = found
        slugs = [row.slug for row in rows if row.slug != target] or [rows[0].slug]
        is_one = not is_merge and len(slugs) == 1
        make = partial(moving.move, session, slugs[0], word) if is_one else partial(moving.merge, session, slugs, word)
        there = self.every.get(target)
        name = there.known.label if there is not None else visible_line(printable_path(folder or target))
        await self._plan_and_do(make, f"{verb} {_named(rows)} to {name}")

    async def _target(self, rows: Sequence[ProjectRow], verb: str, *, is_merge: bool) -> str:
        """The project or folder that the person chose of those that are known; `_OTHER` for one that they type, empty for none."""
        own, chosen = rows[0].known.verdict, {row.slug for row in rows}
        projects = [row for row in self.every.values() if row.known.of_folder and (len(rows) > 1 or row.slug not in chosen)]

        def nearness(row: ProjectRow) -> tuple[bool, bool, str]:
            return row.slug not in chosen, not (own.family and row.known.verdict.family == own.family), row.slug

        answers = [(row.slug, project_rows.answer(row)) for row in sorted(projects, key=nearness)]
        if not is_merge:
            known = dict.fromkeys([*filter(None, [own.moved_to]), *own.candidates, *self.folders])
            group_of = self.session.layout.group_named_after
            folders = [(path, f"{folder_name(path)}  (no memory yet)") for path in known if group_of(path) not in self.every]
            answers = [*folders, (_OTHER, "Another folder …"), *answers]
        elif not answers:
            self.warn("There is no other project to merge it into.")
            return ""
        return await choose(self, verb, f"{verb} the memory of {_named(rows)} to:", answers, names=True) or ""

    async def _plan_and_do(self, make: Callable[[], Plan], title: str, *, is_seen: bool = False) -> None:
        """Do what would move, once the person has seen it."""
        plan = await plan_and_show(self, MoveDraft(title, lambda _: make(), is_move=True), shows=lambda _: not is_seen)
        if plan is not None:
            await self._do(partial(applying.apply, plan), plan.read[0].target if plan.read else "")

    @in_turn
    async def action_archive(self) -> None:
        """Put projects away as a bundle."""
        if rows := self._meant():
            slugs = [row.slug for row in rows]
            draft = ArchiveDraft(f"Archive {_named(rows)}", lambda _: moving.archive(self.session, *slugs))
            plan = await plan_and_show(self, draft)
            if plan is not None:
                await self._do(partial(applying.apply, plan))

    @in_turn
    async def action_label(self) -> None:
        """Give a project a name of the person's own; asked again with the reason where it is refused."""
        for row in self._meant(at_cursor=True):
            text, problem = row.known.record.label, ""
            while True:
                question = f"What {row.known.label} is called (empty: no name of yours):"
                answer = await ask_line(self, "Name", question, text, problem=problem)
                if answer is None:
                    return
                problems: list[str] = []
                await self._do(partial(moving.label, self.session, row.slug, answer), row.slug, refused=problems.append)
                if not problems:
                    return
                text, problem = answer, problems[0]

    async def _do(
        self, verb: Callable[[], VerbResult], cursor: str = "", *, refused: Callable[[str], object] | None = None
    ) -> None:
        """Do it, and show how things are then."""
        main = self.host.main

        async def refresh(_: VerbResult) -> None:
            for store in main.stores:
                await main.look_now(store)
                await naming.show_known(main, store)
            main.tell_right()
            self.rows.marked.clear()
            await self.read(cursor=cursor)

        await perform(self.host, verb, self, refresh=refresh, refused=refused)


def _named(rows: Sequence[ProjectRow]) -> str:
    return rows[0].known.label if len(rows) == 1 else counted(len(rows), "project")
