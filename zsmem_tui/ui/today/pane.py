"""The today list: what others wrote since the person last looked, to be judged line by line, and what else waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Static

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import review_lines, today, today_facts
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.news import Kind, Row, Today
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session
from zsmem_tui.service.today_rows import FATES
from zsmem_tui.ui import signs
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import choose, lets_in
from zsmem_tui.ui.facts.verbs import applied, choose_target
from zsmem_tui.ui.messages import Selected
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.tool import Asked
from zsmem_tui.ui.widgets.frame import Pane
from zsmem_tui.ui.widgets.row_list import HEADING, ListRow, MarkList, RowList
from zsmem_tui.ui.wording import age, title_of, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


_EVERY: Final = "every"
"""The answer for all facts."""


class TodayList(MarkList[Row], keys="today"):
    """The list of what waits, by agent and file."""

    @property
    def _main(self) -> MainScreen:
        return self.query_ancestor(TodayPane).main

    @property
    def host(self) -> ZsmemApp:
        """The app."""
        return self._main.host

    def offers(self, action: str) -> bool:
        """Whether an action applies to the chosen rows."""
        rows = self.chosen()
        match action:
            case "today.seen" | "today.put_back" | "marks.mark":
                return any(row.pick is not None for row in rows) or (action == "today.seen" and bool(today_facts.hidden(rows)))
            case "today.move":
                return any(today_facts.has_facts(row) for row in rows)
            case "today.raise":
                return any(today_facts.has_facts(row) and row.fate is not Prompt.WHOLE for row in rows)
            case "today.history" | "today.edit":
                return any(row.ref is not None for row in rows)
            case _:
                return bool(rows) or not action.startswith("today.")

    def action_mark(self) -> None:
        """Toggle the mark of the row under the cursor."""
        self.toggle_mark()

    @in_turn
    async def action_seen(self) -> None:
        """Mark the chosen rows as seen; a hint on unconnected agents is hidden for good."""
        if row := today_facts.hidden(self.meant()):
            await self._done(partial(today.hide, row.session, row.key[2:]), [self._store(row)])
        else:
            await self._judge(review_lines.accept)

    @in_turn
    async def action_put_back(self) -> None:
        """Revert the chosen changes."""
        await self._judge(review_lines.revert)

    def action_move(self, step: int = 0) -> None:
        """Move the cursor by rows; without a step, move the line to another file."""
        if step:
            super().action_move(step)
        else:
            self.host.talk(self._move())

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the line."""
        self.check_seen()
        row = self.at_cursor()
        if row is None or row.ref is None:
            self._main.warn("This row is no line of a file: enter shows more of it.")
            return
        ref, at, place = row.ref, row.at, self.screen_row
        self._main.in_store(self._store(row), lambda: self.host.edit_file(ref, at, row=place))

    def _store(self, row: Row) -> OpenStore:
        main = self._main
        return next((store for store in main.stores if store.session is row.session), main.here)

    def _meant(self) -> list[Row]:
        """The chosen rows of lines and files; if there are none, say so."""
        found = [row for row in self.meant() if row.pick is not None]
        if not found:
            leads = "enter shows more of it" if self.at_cursor() is not None else "nothing waits"
            self._main.warn(f"This row is no line of others: {leads}.")
        return found

    async def _judge(self, verb: Callable[[Session, Sequence[Pick]], VerbResult]) -> None:
        """Accept or revert the chosen rows, as one step per store."""
        rows = self._meant()
        stores = list(dict.fromkeys(map(self._store, rows)))
        parts = [(store, today_facts.picks(row for row in rows if row.session is store.session)) for store in stores]

        def judge() -> VerbResult:
            done = [verb(store.session, picks) for store, picks in parts]
            changed, warning = sum(each.changed for each in done), any(each.warning for each in done)
            return replace(done[-1], message=" ".join(each.message for each in done), changed=changed, warning=warning)

        if rows:
            await self._done(judge, stores)

    async def _done(self, verb: Callable[[], VerbResult], stores: Sequence[OpenStore]) -> None:
        """Run `verb` and poll these stores."""

        async def refresh(_: VerbResult | None = None) -> None:
            for store in stores:
                await self._main.look_after(store)

        if await perform(self.host, verb, refresh=refresh) is None:
            await refresh()

    async def _facts(self, wanted: Callable[[Row], bool]) -> tuple[OpenStore, list[FactRow], list[Pick]] | None:
        """The store and facts of the chosen rows, and the changes that an action on them accepts.

        None, with a message, if there are none.
        """
        rows = [row for row in self._meant() if today_facts.has_facts(row) and wanted(row)]
        store = self._store(rows[0]) if rows else self._main.here
        rows = [row for row in rows if row.session is store.session]
        found = await attempt(asyncio.to_thread(today_facts.facts_of, rows), self._main.warn)
        if not found:
            if found is not None and self.chosen() and self.chosen()[0].pick is not None:
                self._main.warn("This is no fact of a file: enter reads it, e edits it.")
            return None
        picks = today_facts.picks(rows)
        if any(row.kind is Kind.FILE for row in rows) and len(found) > 1:
            answers = [
                (_EVERY, f"All {counted(len(found), 'fact')}"),
                *((str(at), today_facts.words(row)) for at, row in enumerate(found)),
            ]
            answer = await choose(self._main, "Into the prompt", "Which facts does the agent always need?", answers, names=True)
            if answer is None:
                return None
            if answer != _EVERY:
                found = [found[int(answer)]]
                picks = today_facts.picks_of(found[0], picks)
        return (store, found, picks) if self._main.use(store) else None

    async def _move(self) -> None:
        marked = [row for row in self.meant() if row.kind is Kind.FILE and row.pick is not None and row.pick.change.now is not None]
        if marked and len(marked) == len(self.chosen()):
            await self._move_files(marked)
            return
        found = await self._facts(lambda row: row.kind is Kind.LINE)
        if found is None:
            return
        store, facts, picks = found
        main, project = self._main, facts[0].ref.project or store.session.project
        where = choose_target(main, store.session, facts, project, Asked(main), "Move", leaves=True)
        target = await attempt(where, main.warn)
        if target is not None:
            await self._apply(store, partial(acts.move, store.session, facts, target), picks, project, lifts=False)

    async def _move_files(self, rows: Sequence[Row]) -> None:
        from zsmem_tui.ui.memory import file_verbs  # deferred: imports the plans

        store = self._store(rows[0])
        refs = [row.ref for row in rows if row.ref is not None and row.session is store.session]
        if self._main.use(store):
            await file_verbs.carry(self._main, [(store, refs)], is_move=True)
            await self._main.look_after(store)

    @in_turn
    async def action_raise(self) -> None:
        """Move the lines into the prompt; of several, only those in the same state as the first that is not loaded."""
        fates = [row.fate for row in self.meant() if today_facts.has_facts(row)]
        fate = next((each for each in fates if each is not Prompt.WHOLE), Prompt.WHOLE)
        if fates and fate is Prompt.WHOLE:
            self._main.warn("It is loaded already.")
            return
        ways = (Prompt.NEVER,) if fate is Prompt.NEVER else (Prompt.CUT, Prompt.LOST)
        found = await self._facts(lambda row: row.kind in _JUDGED and row.fate in ways)
        if found is None:
            return
        store, facts, picks = found
        if not await lets_in(self._main, [each.fact.text for each in facts]):
            return
        project = facts[0].ref.project or store.session.project
        await self._apply(store, partial(raising.to_top, store.session, facts), picks, project, lifts=True)

    async def _apply(self, store: OpenStore, make: Callable[[], Plan], picks: Sequence[Pick], project: str, *, lifts: bool) -> None:
        """Apply the plan, accept these changes with it, and show the effect on the prompt."""

        def plan() -> Plan:
            return review_lines.judging(make(), picks)

        await self._done(lambda: applied(store.session, plan, project, lifts=lifts), [store])


class TodayPane(Pane):
    """The today page: a sentence with what waits and which keys to press, and the rows.

    While the person is on it, new rows are only counted, so that the others do not move.
    """

    def __init__(self, main: MainScreen, fit: Callable[[], Awaitable[None]]) -> None:
        """`fit` makes the rows anew for another `room`."""
        super().__init__(id="today")
        self.main = main
        self._fit = fit
        self.found = Today()
        self._late: set[Hashable] = set()
        self._room = 0
        self._known: set[Hashable] = set()
        """All rows since the page was opened; undo may bring them back."""

    def compose(self) -> ComposeResult:
        """Yield the sentence and the list."""
        yield Static("", id="today-says", markup=False)
        yield TodayList(self._row, id="today-list")

    rows = query_one(TodayList)

    def begin(self) -> None:
        """Show everything that waits, from the top."""
        self._known = set()
        self.show(self.found, is_anew=True)

    def show(self, found: Today, *, is_anew: bool = False, fits: bool = False) -> None:
        """Update the rows. While the person reads, new rows are only counted, except for errors and doubts.

        With `fits`, only the room has changed: what was not counted before is shown.
        """
        self.found = found
        rows = self.rows
        is_read = rows.has_focus or self.app.screen is not self.screen
        starts = self.main.opens_today and not self.main.host.has_keys
        reads = bool(self._known) and is_read and bool(rows.items) and not starts
        is_new = (row for row in found.rows if row.waits and not (row.errors or row.doubts or row.key in self._known))
        late = [row for row in is_new if reads and (not fits or row.key in self._late)]
        shown = [row for row in found.rows if row not in late]
        if not any(row.pick is not None and row.key in self._known for row in shown):
            late, shown, rows.seen = [], list(found.rows), rows.key if reads else None  # no row would be moved
        judged = [row.key for row in shown if row.pick is not None]
        self._known |= {row.key for row in shown}
        rows.items = {row.key: row for row in shown}
        keys = keys_of(shown)
        first = shown[0].key if is_anew and shown and not starts else judged[0] if judged and (starts or not rows.keys) else None
        there = {key for key in keys if not isinstance(key, str)}
        near = (*rows.keys[rows.cursor :], *reversed(rows.keys[: rows.cursor]))
        rows.show(keys, cursor=first, stays=next((key for key in near if key in there), None))
        self._late = {row.key for row in late}
        self._say()

    @property
    def room(self) -> int:
        """The rows that the list has below a sentence of two."""
        return self.size.height - 2

    def on_resize(self) -> None:
        """Show as many rows as there is room for."""
        if self.size.height and self.room != self._room:
            self._room = self.room
            self.call_later(self._fit)
        self._say()

    def _say(self) -> None:
        """Update the sentence and the title; without a border, the title replaces the sentence."""
        late = len(self._late)
        more = f" · {late} more: T shows {'it' if late == 1 else 'them'}" if late else ""
        self.rows.title = title = f"2 Today{more}"
        is_bare = bool(late) and self.screen.has_class("-low")
        self.query_one("#today-says", Static).update(Content(title if is_bare else sentence(self.found)))

    def _row(self, key: Hashable) -> ListRow:
        row, stores = self.rows.items[key], self.main.stores
        return drawn(row, self.main.host.now_ns(), partial(with_titles, here=self.rows._store(row), stores=stores))

    @on(RowList.Moved)
    @on(RowList.Shown)
    def _moved(self) -> None:
        self.main.tell_right()
        self.post_message(Selected())

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        row = self.rows.items.get(event.key)
        if row is None:
            return
        main, store = self.main, self.rows._store(row)
        if row.ref is not None and row.pick is not None and row.pick.change.now is not None:
            main.host.read_file(row.ref, row.at, store=store.key)
        else:
            main.in_store(store, partial(main.host.run_worker, main.host.run_action(row.leads or "review")))


_JUDGED = (Kind.LINE, Kind.FILE)


def keys_of(rows: Iterable[Row]) -> list[Hashable]:
    """The keys of the list with headings: by agent and file, other rows under a heading of their own."""
    found: list[Hashable] = []
    heading = ""
    for row in rows:
        own = heading_of(row, heading)
        if own != heading:
            found.append(f"{HEADING}{own}")
            heading = own
        found.append(row.key)
    return found


def heading_of(row: Row, before: str = "") -> str:
    """The heading of a row; a continuation row stays under the heading `before`."""
    if row.ref is not None:
        who = f" · {visible_line(row.author)}" if row.author else ""
        return f"{row.session.layout.title} › {title_of(row.ref, row.session)}{who}"
    if row.kind is Kind.MORE and row.lines and before:
        return before
    if row.errors:
        return "Doctor"
    return f"{row.session.layout.title}" if row.kind in (Kind.FELL, Kind.ITEMS) or row.files else "Besides"


def drawn(row: Row, now_ns: int, named: Callable[[str], str]) -> ListRow:
    """Render a row: state, text and doubts; at the right how much of it is loaded, and its age."""
    if row.kind not in _JUDGED:
        style = "warn" if row.kind in (Kind.FELL, Kind.FINDING, Kind.PROBLEM) else "text"
        mark = f"{signs.LOOK} " if style == "warn" else "  "
        says = (visible_line(named(row.text)), "text" if style == "warn" else "quiet")
        hide = ", x: Hide" if row.kind is Kind.AGENTS else ""
        return ListRow([(mark, style), says, *_doubts(row, named)], f"enter: {row.leads.capitalize()}{hide}" if row.leads else "")
    fate = "" if row.fate is None else row.fate.value
    pieces = [(f"{signs.FACT_SIGNS.get(fate, ' ')} ", "text" if row.fate is Prompt.NEVER else "warn")]
    pieces += [("- ", "removed")] if row.is_gone else [("+ ", "added")] if row.kind is Kind.LINE else []
    pieces.append((visible_line(row.text), "strike" if row.is_gone else "text"))
    if row.before:
        pieces.append((f"  before: {visible_line(row.before.strip())}", "quiet"))
    pieces += _doubts(row, named)
    words = FATES[row.fate] if row.fate is not None else ""
    return ListRow(pieces, "  ".join(filter(None, (words, age(row.when, now_ns)))))


def _doubts(row: Row, named: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(f"  {signs.LOOK} {visible_line(named(each))}", "warn") for each in row.doubts]


def sentence(found: Today) -> str:
    """What waits and which keys to press, in a sentence or two."""
    judged = [row for row in found.rows if row.kind in _JUDGED]
    if judged:
        files = {(id(row.session), row.ref) for row in judged}
        agents = sorted({row.session.layout.title for row in judged})
        where = f"{counted(len(files), 'file')} of {' and '.join(agents)}"
        verb = "changed" if any(row.is_gone for row in judged) else "wrote"
        more = f" and changed {counted(found.files, 'file')} more" if found.files else ""
        wrong = f" The doctor found {counted(found.errors, 'error')}." if found.errors else ""
        return f"Others {verb} {counted(found.lines, 'line')} in {where}{more}: x Seen, b Put back.{wrong}"
    first = next((row for row in found.rows if row.waits), None)
    match first.kind if first is not None else None:
        case None if not found.is_whole:
            return found.nothing
        case None:
            return "Everything here is seen. u takes the last step back, esc goes to the tree."
        case Kind.BELONGS:
            return "A memory seems to belong to this folder: enter shows it in Projects."
        case Kind.FINDING:
            return f"The doctor found {counted(found.errors, 'error')}: enter shows what helps."
        case Kind.FELL:
            return "Facts fell out of a prompt: enter shows which, and makes room."
        case _:
            return "Others changed files here since you looked: enter shows them."
