"""The projects screen: all projects of a store with their folders, and actions to move, merge, rename and archive them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

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
from zsmem_tui.ui.dialogs.ask import ask_until, choose, show_page
from zsmem_tui.ui.dialogs.plan import plan_and_show
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.messages import FileChosen, GroupChosen
from zsmem_tui.ui.open_store import At, are_several, none
from zsmem_tui.ui.perform import attempt, copy, perform, show
from zsmem_tui.ui.plans import Draft
from zsmem_tui.ui.projects import naming
from zsmem_tui.ui.projects import rows as project_rows
from zsmem_tui.ui.projects.rows import ORDERS, WHICH, ArchiveDraft, MoveDraft, ProjectRow
from zsmem_tui.ui.tool import ListScreen
from zsmem_tui.ui.widgets.frame import FilterLine, pane
from zsmem_tui.ui.widgets.page_view import Scrolling
from zsmem_tui.ui.widgets.row_list import MarkList, RowList
from zsmem_tui.ui.wording import folder_name, refusal

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

TELL_SECONDS: Final = 0.5
"""Seconds between updates on the search for folders."""

QUIET_SECONDS: Final = 0.1
"""Seconds that the cursor must rest before the plan for a project is computed."""

NOTHING: Final = "Where the memory of the chosen project belongs, and why that is thought, shows up here."

_OTHER: Final = "\0other"
"""The answer for another folder."""

_SOME_FOLDER: Final = "~/"
"""The initial value when asking for a folder."""

_OF_FOLDERS: Final = frozenset({"projects.follow", "projects.move", "projects.merge", "projects.label", "projects.archive"})
"""Actions that apply only to memory named after a folder."""


class ProjectRows(MarkList[ProjectRow], keys="projects"):
    """The list of projects, with headings and problems."""

    HEADINGS = ()  # the headings have columns, so they are drawn by the owner


class ProjectPane(VerticalScroll, Scrolling, keys="project"):
    """The details of a project: why, what would move, and what it contains."""

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield Static(NOTHING, id="project-detail", markup=False)

    @work(exclusive=True, group="plan")
    async def tell(
        self, session: Session, rows: Sequence[ProjectRow], every: Mapping[str, ProjectRow], now_ns: int, beside: Sequence[Session]
    ) -> None:
        """Show details of these projects, and what would move once the cursor rests; cancels the computation before."""
        text = self.query_one("#project-detail", Static)
        self.scroll_home(animate=False)
        if not rows:
            text.update(NOTHING)
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
    """The projects screen: the list at the left, details at the right."""

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
        self._looks = False
        """Whether folders are looked for, or will be at once."""
        self._sessions: Mapping[str, int] | None = None
        self._cursor = ""
        """The project to put the cursor on at the next `show`."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield the filter and list, and the details."""
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
        """Start to follow the search for folders."""
        super().on_mount()
        self.set_interval(TELL_SECONDS, self._follow_search)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the projects, then add the times of agents' last sessions."""
        await self.read()
        if self._sessions is None:
            self._sessions = await self.asking(last_sessions, self.session)
            await self.read()

    async def read(self, *, cursor: str = "") -> None:
        """Read the projects again; put the cursor on `cursor`, at first on the one that seems to belong to this folder.

        If the project under the cursor is gone, as after undo, the cursor goes to a new one.
        """
        session, store, is_first = self.session, self._store, self._known is None
        was, known = store.known, await asyncio.to_thread(known_projects, session)
        entries = await asyncio.to_thread(with_entries, session, known)
        if self.closed:
            return
        before, latest = self.every, self._sessions or {}
        rows = (ProjectRow(entry, each, latest.get(each.slug, 0), self._looks) for entry, each in entries)
        self.every = {row.slug: row for row in rows}
        here = [session.folder] if session.folder else []
        self.folders = tuple(dict.fromkeys([*here, *self.host.main.folders]))
        if is_first:
            belongs = memory_for(session, known, await asyncio.to_thread(own_folder, session))
            cursor = belongs.slug if belongs is not None else session.project
        elif not cursor and self.rows.key not in self.every:
            cursor = next((slug for slug in self.every if slug not in before), "")
        self._known, self._cursor = known, cursor or self._cursor
        if store.known is was:  # else a search ended meanwhile and found more, which the next look shows
            store.known = known
        self.show()
        if known != was:
            await naming.show_known(self.host.main, store)  # the tree names it so, too

    def show(self) -> None:
        """Show the projects with filter and order; does nothing once the screen is closed."""
        if not self.query("#project-filter") or self._known is None:
            return
        rows, wanted = self.rows, self.words
        keys = project_rows.arranged(list(self.every.values()), which=self.way["which"], order=self.way["order"], wanted=wanted)
        nothing = project_rows.nothing(len(self.every), self.way["which"], wanted, self.session.layout)
        rows.items, rows.nothing = self.every, none(nothing, self.memories)
        self._problems = self._store.naming_problems
        problems = dict.fromkeys([*self._known.problems, *self._problems])
        cursor, self._cursor = self._cursor, ""
        rows.show([*project_rows.problem_keys(problems, rows.size.width), *keys], cursor=cursor if cursor in keys else None)
        agent, count = (self._store.title if are_several(self.host.main.stores) else ""), sum(key in self.every for key in keys)
        rows.title = project_rows.title(self.way, count, len(self.every), agent)
        self._follow_search()
        self._tell()

    def offered(self, action: Action) -> Action | None:
        """Leave out actions that do not apply to the chosen projects."""
        rows = self.rows.chosen()
        if action.id == "projects.follow":
            return action if any(row.known.verdict.moved_to for row in rows) else None
        return action if action.id not in _OF_FOLDERS or (rows and all(row.known.of_folder for row in rows)) else None

    @on(RowList.Moved)
    def _tell(self) -> None:
        self.show_keys()
        self.query_one(ProjectPane).tell(self.session, self.rows.chosen(), self.every, self.host.now_ns(), self._beside)

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(ProjectPane).focus()

    @property
    def _beside(self) -> list[Session]:
        """The other stores, whose memory of the same folders moves along."""
        return [each.session for each in self.host.main.stores if each is not self._store and not each.session.root_problem()]

    def _follow_search(self) -> None:
        """Show the progress of the search for folders; reload if something was found, search again if more is missing."""
        store = self._store
        if self.closed or not self.query("#project-list"):
            return
        words = project_rows.progress(store.naming.progress) if store.naming is not None else ""
        self.query_one("#project-list").border_subtitle = Content(words)
        if self._known is None:
            return
        is_due = store.naming is None and store.sought is not None and bool(self._known.gone - store.sought)
        looks = is_due or store.naming is not None or store.sought is None
        if store.known != self._known or store.naming_problems != self._problems:
            self.load()
        elif is_due:
            store.names_wanted.set()  # folders that have disappeared since the last search looked
        if looks != self._looks:
            self._looks, self.every = looks, {slug: row._replace(is_sought=looks) for slug, row in self.every.items()}
            self.show()

    def action_scan(self) -> None:
        """Search for the folders of all projects, or stop the search."""
        naming = self._store.naming
        if naming is not None:
            naming.stop.set()
            self.say("Stopped looking: what was found is kept. S looks again.")
        elif not has_folders(self.session):
            self.warn(f"{self.session.layout.title} does not name its memory after folders: there is none to look for.")
        else:
            self._store.sought = None
            self._store.names_wanted.set()
            self.say("Looking for the folder of every project …")

    def _meant(self, *, of_folders: bool = True, at_cursor: bool = False) -> list[ProjectRow]:
        """The chosen projects; empty, with a message, if there are none or, with `of_folders`, one has no folder name."""
        rows: list[ProjectRow] = self.rows.meant(at_cursor=at_cursor)
        if not rows:
            self.warn("Nothing selected: put the cursor on a project first.")
        other = next((row for row in rows if not row.known.of_folder), None)
        if other is not None and of_folders:
            self.warn(f"{other.known.label}: {other.known.verdict.why} Nothing was done.")
            return []
        return rows

    @in_turn
    async def action_open(self) -> None:
        """Open the project's first file."""
        for row in self._meant(of_folders=False, at_cursor=True):
            if row.entry.files:
                self.host.read_file(row.entry.files[0].ref, None)
            else:
                self.warn(f"{row.known.label} has no files to read.")

    @in_turn
    async def action_about(self) -> None:
        """Show everything known about the project as a page."""
        for row in self._meant(of_folders=False, at_cursor=True):
            show_page(self.app, f"About {row.known.label}", project_rows.about_page(row, self.every, self.host.now_ns()))

    @in_turn
    async def action_copy(self) -> None:
        """Copy the slugs of the projects."""
        if rows := self._meant(of_folders=False):
            copy(self, "\n".join(printable_path(row.slug) for row in rows), counted(len(rows), "name"))

    @in_turn
    async def action_follow(self) -> None:
        """Move memory to where its folder has moved; show the plan first if that is not certain."""
        if not (rows := self._meant()):
            return
        moved = [row for row in rows if row.known.verdict.moved_to]
        if not moved:
            self.warn("Only what has moved can be followed: m gives a project a folder. Nothing was done.")
            return
        unsure = [row.known.verdict.why for row in moved if row.known.verdict.state is State.MAYBE]

        def make(_: object) -> Plan:
            plan = moving.follow(self.session, [row.slug for row in moved], self._beside)
            return replace(plan, notes=(*unsure, *plan.notes))

        draft = MoveDraft(f"Follow {_named(moved)}", make, is_move=True)
        await self._show_and_do(draft, is_seen=len(rows) == 1 and not unsure)  # beside the list

    @in_turn
    async def action_move(self) -> None:
        """Move memory to another folder or project."""
        await self._carry("Move", is_merge=False)

    @in_turn
    async def action_merge(self) -> None:
        """Merge several projects."""
        await self._carry("Merge", is_merge=True)

    async def _carry(self, verb: str, *, is_merge: bool) -> None:
        """Ask for a target and move or merge there."""
        if not (rows := self._meant()):
            return
        session = self.session

        async def target_of(word: str) -> tuple[str, str, str] | None:
            word = trim(word)
            return (word, *await asyncio.to_thread(moving.target_of, session, word)) if word else None

        word = await self._target(rows, verb, is_merge=is_merge)
        if word == _OTHER:
            found = await ask_until(self, verb, "The folder whose memory it shall be:", target_of, _SOME_FOLDER, mend=True)
        else:
            found = await attempt(target_of(word), self.warn)
        if found is None:
            return
        word, target, folder = found
        slugs = [row.slug for row in rows if row.slug != target] or [rows[0].slug]
        is_one = not is_merge and len(slugs) == 1
        make = partial(moving.move, session, slugs[0], word) if is_one else partial(moving.merge, session, slugs, word)
        there = self.every.get(target)
        name = there.known.label if there is not None else visible_line(printable_path(folder or target))
        await self._show_and_do(MoveDraft(f"{verb} {_named(rows)} to {name}", lambda _: make(), is_move=True))

    async def _target(self, rows: Sequence[ProjectRow], verb: str, *, is_merge: bool) -> str:
        """Ask for a known project or folder; `_OTHER` for another one, empty if cancelled."""
        own, chosen = rows[0].known.verdict, {row.slug for row in rows}
        projects = [row for row in self.every.values() if row.known.of_folder and (len(rows) > 1 or row.slug not in chosen)]
        kin = {row.slug for row in projects if own.family and row.known.verdict.family == own.family}
        projects.sort(key=lambda row: (row.slug not in chosen, row.slug not in kin, row.slug))
        answers = [(row.slug, project_rows.answer(row)) for row in projects]
        if not is_merge:
            known = dict.fromkeys([*filter(None, [own.moved_to]), *own.candidates, *self.folders])
            group_of = self.session.layout.group_named_after
            folders = [(path, f"{folder_name(path)}  (no memory yet)") for path in known if group_of(path) not in self.every]
            answers = [*folders, (_OTHER, "Another folder …"), *answers]
        elif not answers:
            self.warn("There is no other project to merge it into.")
            return ""
        return await choose(self, verb, f"{verb} the memory of {_named(rows)} to:", answers, names=True) or ""

    async def _show_and_do(self, draft: Draft, *, is_seen: bool = False) -> None:
        """Show the plan, unless the person has seen it, and apply it."""
        plan = await plan_and_show(self, draft, shows=lambda _: not is_seen)
        if plan is not None:
            await perform(self.host, partial(applying.apply, plan), self, refresh=partial(self._follow_files, plan))

    async def _follow_files(self, plan: Plan, done: VerbResult) -> None:
        """Update everything; the tree and the viewer go along with what they were on."""
        main = self.host.main
        at, line = main.tree_pane.at_cursor() or At(""), main.viewer.view.top_line
        own = [row for row in plan.rows if row.store is main.store_of(at.store).session and row.ref.path]
        ref = next((row.ref for row in own if row.file == at.ref), None)
        group = next((row.ref.project for row in own if row.file.project == at.group), "")
        folder = next((way.folder for way in plan.read or () if at.folder and way.target == group), "")
        if goes := bool(group) and (ref is not None) == (at.ref is not None):
            main.tree_pane.go_along(at := At(at.store, group, ref, folder))
        await self._refresh(plan.read[0].target if plan.read else "", done)
        if goes:
            main.post_message(FileChosen(ref, line=line, store=at.store) if ref is not None else GroupChosen(at))

    @in_turn
    async def action_archive(self) -> None:
        """Archive projects as a bundle."""
        if rows := self._meant():
            slugs = [row.slug for row in rows]
            draft = ArchiveDraft(f"Archive {_named(rows)}", lambda _: moving.archive(self.session, *slugs))
            await self._show_and_do(draft)

    @in_turn
    async def action_label(self) -> None:
        """Ask for a name of the project."""
        if not (rows := self._meant(at_cursor=True)):
            return
        known = rows[0].known
        question = f"What {known.label} is called (empty: no name of yours):"
        name = lambda answer: asyncio.to_thread(moving.label, self.session, known.slug, answer)  # noqa: E731
        if (done := await ask_until(self, "Name", question, name, known.record.label)) is not None:
            await show(self.host, done, self, refresh=partial(self._refresh, known.slug))

    async def _refresh(self, cursor: str, _: VerbResult) -> None:
        """Update everything after an action."""
        main = self.host.main
        for store in main.stores:
            await main.look_now(store)
            await naming.show_known(main, store)
        await main.look_now(more=True)
        main.tell_right()
        self.rows.marked.clear()
        await self.read(cursor=cursor)


def _named(rows: Sequence[ProjectRow]) -> str:
    return rows[0].known.label if len(rows) == 1 else counted(len(rows), "project")
