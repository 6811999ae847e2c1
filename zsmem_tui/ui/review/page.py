"""The list of Review: what others wrote since the person last looked, and what else waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Hashable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Static

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.errors import Conflict, MemError
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import clipped, counted, grouped, printable_path
from zsmem_tui.core.version import LOST_MOST
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import history, review_facts, review_lines, today
from zsmem_tui.service.news import Kind, Row, Today, nobody_since
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session
from zsmem_tui.service.today_rows import FATES, MOST_SHOWN
from zsmem_tui.ui import signs
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.messages import Selected
from zsmem_tui.ui.open_store import none
from zsmem_tui.ui.perform import attempt, show_then
from zsmem_tui.ui.review import verbs
from zsmem_tui.ui.widgets.cursored import Cursored
from zsmem_tui.ui.widgets.frame import FilterLine, Pane
from zsmem_tui.ui.widgets.row_list import HEADING, ListRow, MarkList, RowList
from zsmem_tui.ui.wording import age, folder_name, in_several, refusal, title_of, with_titles

if TYPE_CHECKING:
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.core.version import Version
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import Extent, OpenStore
    from zsmem_tui.ui.tool import Place

    Again = Callable[[Extent], Coroutine[Any, Any, None]]

LOW_ROWS: Final = 5
"""The height up to which the page has no sentence."""

SHOWS_UP: Final = "What other programs write to the memory shows up here, with who, when and a diff. H shows all versions."
"""What an empty list of changes says."""

Which = Literal["line", "whole", "all"]
"""What an action is about: what is marked, else the row at the cursor; or the whole files of that; or all that is listed."""


class Spot(NamedTuple):
    """What is under a cursor: file (None: none), line, that of the history (-1: none), its version, and the row of the screen."""

    store: OpenStore
    ref: MemRef | None
    at: int = 0
    line: int = -1
    version: Version | None = None
    row: int | None = None


class Judging(Cursored):
    """The keys for what others wrote: of the list of it, and of the changes of a file."""

    @property
    def around(self) -> ReviewPage:
        """The page with the list."""
        raise LookupError("every list has its page")

    def parts(self, which: Which = "line") -> verbs.Parts:
        """What an action is about; if that is nothing, say so. Raises `Conflict` if it came there unseen."""
        raise LookupError("every list has its rows")

    def spot(self) -> Spot:
        """What is under the cursor."""
        raise LookupError("every cursor is somewhere")

    @property
    def host(self) -> ZsmemApp:
        """The app."""
        return self.around.main.host

    @property
    def place(self) -> Place:
        """The screen."""
        return self.around.place

    @in_turn
    async def action_seen(self, which: Which = "line") -> None:
        """Mark this as seen, in one step."""
        if parts := self.parts(which):
            (first, picks), *rest = parts.items()
            also = {store.session: own for store, own in rest}
            await verbs.run(self.place, lambda: review_lines.accept(first.session, picks, also), parts)

    @in_turn
    async def action_put_back(self, which: Which = "line") -> None:
        """Take out what others added and put back what they took, in one step for each store."""
        parts = self.parts(which)

        def act() -> VerbResult:
            done, refused = list[VerbResult](), list[str]()
            for store, picks in parts.items():
                try:
                    done.append(review_lines.revert(store.session, picks))
                except MemError as error:
                    if len(parts) == 1:
                        raise
                    refused.append(f"{store.title}: {refusal(error)}")
            if not done:
                raise Conflict(" ".join(refused))
            changed, warning = sum(each.changed for each in done), bool(refused) or any(each.warning for each in done)
            said = " ".join([*(each.message for each in done), *refused])
            return replace(done[-1], message=said, changed=changed, warning=warning)

        if parts:
            await verbs.run(self.place, act, parts)

    @in_turn
    async def action_carry(self) -> None:
        """Move the lines to another file."""
        await self.with_one(self.parts(), verbs.move)

    @in_turn
    async def action_raise(self) -> None:
        """Move the lines into the prompt."""
        await self.with_one(self.parts(), verbs.lift)

    async def with_one(self, parts: verbs.Parts, act: Callable[[Place, OpenStore, Sequence[Pick]], Awaitable[None]]) -> None:
        """Call `act` with these parts if they are of one store; if they are of several, say so."""
        if len(parts) > 1:
            self.place.warn(in_several(store.title for store in parts))
            return
        for store, picks in parts.items():
            await act(self.place, store, picks)

    @in_turn
    async def action_then(self) -> None:
        """Show the prompt just before this was written, by default as the newest version of others."""
        spot, place = self.spot(), self.place
        if (ref := spot.ref) is None or not self.around.main.use(spot.store):
            return
        if (version := spot.version) is None:
            found = await attempt(asyncio.to_thread(history.of_file, spot.store.session, ref), place.warn) or []
            version = next((each for each in found if not each.origin.is_ours), None)
        if version is None:
            place.warn("No version of this file by others is recorded.")
        else:
            await show_then(place, spot.store.session, version)

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the line; leaving the editor returns here."""
        self.check_seen()
        spot = self.spot()
        if (ref := spot.ref) is None:
            self.place.warn("This row is no line of a file: enter shows more of it.")
        else:
            self.around.main.in_store(spot.store, lambda: self.host.edit_file(ref, spot.at, row=spot.row))

    def action_history(self) -> None:
        """Show the versions of the line, or without a file all of the store."""
        spot = self.spot()
        self.around.main.in_store(spot.store, lambda: self.host.open_history(spot.ref, spot.line))

    def action_wider(self) -> None:
        """List all memories, or the folder alone."""
        now = self.around.main.extent
        self.around.list_so_much(now._replace(is_of_all=not now.is_of_all, files=0))


class ReviewList(Judging, MarkList[Row], keys="today"):
    """The list of what waits, by agent and file."""

    @property
    def around(self) -> ReviewPage:
        """The page around it."""
        return self.query_ancestor(ReviewPage)

    def offers(self, action: str) -> bool:
        """Whether an action applies to the chosen rows."""
        rows = self.chosen()
        match action:
            case "today.seen_all":
                return any(row.pick is not None for row in self.listed())
            case "today.seen" | "today.put_back" | "today.put_back_all" | "today.then" | "marks.mark":
                return any(row.pick is not None for row in rows) or (action == "today.seen" and _hidden(rows) is not None)
            case "today.move":
                return any(review_facts.has_facts(row) for row in rows)
            case "today.raise":
                return any(review_facts.has_facts(row) and row.fate is not Prompt.WHOLE for row in rows)
            case "today.edit":
                return any(row.ref is not None for row in rows)
            case "today.wider" | "today.history" | "today.filter":
                return True
            case _:
                return bool(rows) or not action.startswith("today.")

    def can_mark(self, key: Hashable) -> bool:
        """Whether it is a row that can be judged."""
        return key in self.items and self.items[key].pick is not None

    def action_mark_all(self, which: str = "all") -> None:
        """Mark as every list does; say of how many lines and files there are no rows to mark."""
        super().action_mark_all(which)
        lines, files = sum(row.lines for row in self.listed() if row.is_rest), sum(row.files for row in self.listed())
        left = " and ".join(counted(many, what) for many, what in ((lines, "line"), (files, "file")) if many)
        if left and self.marked:
            self._say(f"{self.count_marks()}; {left} not listed: enter on “… and more” lists them.")

    def listed(self) -> list[Row]:
        """The rows that the filter leaves."""
        return [self.items[key] for key in self.keys if key in self.items]

    def spot(self) -> Spot:
        """The row under the cursor."""
        row = self.at_cursor()
        if row is None:
            return Spot(self.around.main.here, None)
        return Spot(self.around.store_of(row), row.ref, row.at, row.line, row=self.screen_row)

    def parts(self, which: Which = "line") -> dict[OpenStore, list[Pick]]:
        """The changes of these rows, by store; if the chosen rows have none, say so."""
        rows = [row for row in (self.listed() if which == "all" else self.meant()) if row.pick is not None]
        if not rows and which != "all":
            leads = "enter shows more of it" if self.at_cursor() is not None else "nothing waits"
            self.place.warn(f"This row is no line of others: {leads}.")
        found = {store: review_facts.picks(own) for store, own in grouped((self.around.store_of(row), row) for row in rows).items()}
        return found if which != "whole" else {store: [Pick(each.change) for each in own] for store, own in found.items()}

    def action_seen(self, which: Which = "line") -> None:
        """Mark these rows as seen; a hint on unconnected agents is hidden for good."""
        row = _hidden(self.chosen()) if which == "line" else None
        if row is None:
            super().action_seen(which)
        else:
            hide = partial(today.hide, row.session, row.key[2:])
            self.host.talk(verbs.run(self.place, hide, [self.around.store_of(row)]))

    def action_filter(self) -> None:
        """Open the filter line."""
        self.around.find.begin()

    @in_turn
    async def action_carry(self) -> None:
        """Move the lines to another file, or the files."""
        main, rows = self.around.main, self.meant()
        files = grouped((self.around.store_of(row), row.ref) for row in rows if row.kind is Kind.FILE and row.ref is not None)
        if not files:
            await self.with_one(self.parts(), verbs.move)
        elif any(row.kind is not Kind.FILE for row in rows):
            self.place.warn("Some of these are lines and some whole files. Mark only lines, or only files. Nothing was done.")
        elif main.use(next(iter(files))):
            from zsmem_tui.ui.memory import file_verbs  # deferred: imports the plans

            await file_verbs.carry(main, [*files.items()], is_move=True)
            for store in files:
                await main.look_after(store)


def _hidden(rows: Sequence[Row]) -> Row | None:
    """The row about unconnected agents among these; None if there are rows to review."""
    is_judged = any(row.pick is not None for row in rows)
    return next((row for row in rows if row.kind is Kind.AGENTS and not is_judged), None)


class ReviewPage(Pane):
    """A sentence with what waits and which keys to press, and the rows.

    While the person is on it, its files keep their order, and the row under the cursor its place on the screen.
    """

    def __init__(self, main: MainScreen, place: Place, again: Again, choose: Callable[[Row], object], *, id: str) -> None:
        """`place` is the screen that it is on, `again` lists another extent, `choose` shows the changes of a row."""
        super().__init__(id=id)
        self.main, self.place, self._again, self._choose = main, place, again, choose
        self.found = Today()
        self._files: dict[Hashable, int] = {}
        """The places of the files, in the order in which they were first shown."""

    def compose(self) -> ComposeResult:
        """Yield the sentence, the filter line and the list."""
        yield Static("", id="today-says", markup=False)
        yield FilterLine("words that a row holds", id="today-find", rows="today-list")
        yield ReviewList(self._row, id="today-list")

    rows = query_one(ReviewList)
    find = query_one(FilterLine)

    def begin(self) -> None:
        """Show everything that waits, from the top."""
        self._files = {}
        self.show(self.found, is_anew=True)

    def show(self, found: Today, *, is_anew: bool = False) -> None:
        """Update the rows."""
        self.found = found
        rows = self.rows
        starts = self.main.opens_today and not self.main.host.has_keys
        is_read = self._is_in_file or self.screen.focused in (rows, self.find) or self.app.screen is not self.screen
        reads = is_read and bool(rows.keys) and not starts
        self._files = self._files if reads else {}
        every, place, was = self._in_order(found.rows), rows.screen_row, rows.at_cursor()
        terms = terms_of(self.find.words)
        shown = {row.key: row for row in every if not terms or row.is_rest or row.files or _has(row, terms)}
        judged = [row for row in shown.values() if row.pick is not None]
        is_other = {row.key for row in judged}.isdisjoint(rows.keys)
        if is_other:
            rows.seen = rows.key if reads else None  # no key may act on what came in its place
        goes_to: Hashable = None
        if is_anew or starts or (is_other and rows.cursor <= 1):  # the first to decide, until the person goes from it
            goes_to = next((row.key for row in (*judged, *shown.values())), None)
        elif was is not None and was.key not in shown and rows.before_undo is None:
            goes_to = self._in_its_place(was, judged)
        rows.items = {row.key: row for row in every}
        rows.nothing = "No row has these words." if terms else none(f"{SHOWS_UP} w shows all memories.", self.main.stores)
        rows.show(keys_of(shown.values(), self.main.stores), cursor=goes_to)
        if reads and not is_anew:
            rows.hold(place)
        self.say()

    @property
    def _is_in_file(self) -> bool:
        """Whether the person goes by the lines of the file beside the list."""
        return self.place is not self.main and self.screen.focused not in (self.rows, self.find)

    def _in_its_place(self, gone: Row, judged: Sequence[Row]) -> Hashable:
        """What is to decide in place of a row that has gone: what was written into its file near it, else the nearest row."""
        rows, own = self.rows, [row for row in judged if row.key[:2] == gone.key[:2]]
        if came := [row for row in own if row.key not in rows.keys]:
            return min(came, key=lambda row: abs(row.at - gone.at)).key
        left = {row.key for row in (self._is_in_file and own) or judged}
        return next((key for key in (*rows.keys[rows.cursor :], *reversed(rows.keys[: rows.cursor])) if key in left), None)

    def _in_order(self, found: Sequence[Row]) -> list[Row]:
        """The rows with the files in the order in which they were first shown, new ones after those of their store."""
        stores = {id(session): at for at, session in enumerate(dict.fromkeys(row.session for row in found))}
        is_of_file = [row.ref is not None or row.is_rest for row in found]
        own = list(compress(found, is_of_file))
        for row in own:
            self._files.setdefault(row.key[:2], len(self._files))
        in_order = iter(sorted(own, key=lambda row: (stores[id(row.session)], self._files[row.key[:2]])))
        return [next(in_order) if its else row for row, its in zip(found, is_of_file, strict=True)]

    @property
    def is_there(self) -> bool:
        """Whether its parts are there; they come after it, and go one after the other."""
        return self.is_mounted and bool(self.query(ReviewList))

    def on_resize(self) -> None:
        """Show the sentence where it has room."""
        if self.is_there:
            self.say()

    def say(self) -> None:
        """Update the sentence and the title."""
        self.rows.title = f"5 Review · {scope_name(self.main)}"
        says, stores = self.query_one("#today-says", Static), self.main.stores
        words = sentence(self.found, self.main.host.now_ns())
        if any(store.is_comparing for store in stores) and not any(row.waits for row in self.found.rows):
            words = "Reading what others wrote …"
        elif not all(store.told_news for store in stores if store.is_comparing):
            words += " Reading on …"
        says.update(Content(words))
        says.display = self.size.height > LOW_ROWS  # else there are no rows below it

    def close(self) -> bool:
        """Drop the filter, else the marks; False if there were none."""
        return self.find.close() or self.rows.unmark()

    @on(Input.Changed, "#today-find")
    def _filter(self) -> None:
        self.rows.call_next(lambda: self.show(self.found))  # a message that the page sent would not come further than here

    def list_so_much(self, extent: Extent) -> None:
        """List so much."""
        self.main.host.run_worker(self._again(extent), group="extent")

    def _row(self, key: Hashable) -> ListRow:
        row, stores = self.rows.items[key], self.main.stores
        named = partial(with_titles, here=self.store_of(row), stores=stores)
        return drawn(row, self.main.host.now_ns(), named, is_plain=self.app.current_theme.ansi)

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
        host, now = self.main.host, self.main.extent
        if row.is_rest:
            self.list_so_much(now._replace(lines=row.lines + len(self.rows.items)))
        elif row.files:
            self.list_so_much(now._replace(files=row.files + len({each.ref for each in self.rows.items.values()})))
        elif row.kind is Kind.ELSEWHERE:
            self.rows.action_wider()
        elif row.leads in ("", "review"):
            self._choose(row)
        else:
            self.main.in_store(self.store_of(row), partial(host.run_worker, host.run_action(row.leads)))

    def store_of(self, row: Row) -> OpenStore:
        """The store of a row."""
        return next((store for store in self.main.stores if store.session is row.session), self.main.here)


_JUDGED = (Kind.LINE, Kind.FILE)

_WORDS: Final = Pattern(r"\w+|\W")


def keys_of(rows: Collection[Row], stores: Sequence[OpenStore]) -> list[Hashable]:
    """The keys of the list with headings: by agent and file, other rows under a heading of their own."""
    found: list[Hashable] = []
    heading, left = "", {row.key[:2]: row.lines for row in rows if row.is_rest}
    for row in rows:
        own = heading_of(row, _agent_of(row.session, stores), heading, left.get(row.key[:2], 0))
        found += [f"{HEADING}{own}", row.key] if own != heading else [row.key]
        heading = own
    return found


def _agent_of(session: Session, stores: Sequence[OpenStore]) -> str:
    """The name of an agent; of one with several stores, with the place of this one."""
    title = session.layout.title
    is_one = sum(store.title == title for store in stores) < 2 or only_instructions(session.layout)  # whose files say the place
    return title if is_one else f"{title} {folder_name(session.root)}"


def heading_of(row: Row, agent: str, before: str = "", left: int = 0) -> str:
    """The heading of a row of an agent's store, whose file has `left` lines without a row; a continuation row stays `before`'s."""
    if row.pick is not None and row.ref is not None:
        change = row.pick.change
        doubts = [LOST_MOST] if change.wiped and change.now is not None else []
        dropped = f"dropped lines that were {change.dropped.how}" if change.dropped else "lines put back" * bool(change.mended)
        told = f" · {signs.LOOK} {', '.join(filter(None, (*doubts, dropped)))}" if doubts or dropped else ""
        who = f" · {visible_line(row.author)}" if row.author else ""
        more = f" · {counted(left, 'line')} not listed" if left else ""
        return f"{agent} › {title_of(row.ref, row.session)}{more}{who}{told}"
    if row.is_rest and before:
        return before
    if row.errors:
        return "Doctor"
    return agent if row.kind in (Kind.FELL, Kind.ITEMS) or row.files else "Besides"


def drawn(row: Row, now_ns: int, named: Callable[[str], str], *, is_plain: bool = False) -> ListRow:
    """Render a row: state, text and doubts; at the right how much of it is loaded, and its age. `is_plain`: with few colours."""
    if row.kind not in _JUDGED:
        style = "warn" if row.kind in (Kind.FELL, Kind.PROBLEM) or row.errors else "text"
        mark = f"{signs.DANGER if row.errors else signs.LOOK} " if style == "warn" else "  "
        says = (visible_line(named(row.text)), "text" if style == "warn" else "quiet")
        hide = ", x: Hide" if row.kind is Kind.AGENTS else ""
        changes = "All lines" if row.is_rest else "All files" if row.files else "All memories"
        changes = "Changes" if row.kind not in (Kind.MORE, Kind.ELSEWHERE) else changes
        leads = changes if row.leads == "review" else row.leads.capitalize()
        return ListRow([(mark, style), says, *_doubts(row, named)], f"enter: {leads}{hide}" if leads else "")
    fate = "" if row.fate is None else row.fate.value
    pieces = [(f"{signs.FACT_SIGNS.get(fate, ' ')} ", "text" if row.fate is Prompt.NEVER else "warn")]
    sign = ("-", "removed") if row.is_gone else ("~", "mark") if row.before else ("+", "added")
    pieces += [sign, (f"{signs.COLUMN} ", "quiet")] if row.kind is Kind.LINE else []
    pieces += _changed(row, is_plain) if row.before else [(visible_line(row.text), "strike" if row.is_gone else "text")]
    pieces += _doubts(row, named)
    words = FATES[row.fate] if row.fate is not None else ""
    return ListRow(pieces, "  ".join(filter(None, (words, age(row.when, now_ns)))))


def scope_name(main: MainScreen) -> str:
    """What is reviewed: the folder that the person works in, or "all memories"."""
    own = main.stores[0].session
    name = "all memories" if main.extent.is_of_all else printable_path(shortened(own.folder))
    return visible_line(name or own.whose(own.project))


def _has(row: Row, terms: Sequence[bytes]) -> bool:
    """Whether a row holds all of these words; that of a file, any of its lines."""
    change = row.pick.change if row.pick is not None and row.kind is Kind.FILE else None
    own = () if change is None else (change.reviewed, change.now)
    texts = ((text or b"").decode("utf-8", "replace") for text in own)
    return holds("\n".join([*texts, row.text, row.before, heading_of(row, row.session.layout.title)]), terms)


def _changed(row: Row, is_plain: bool) -> Iterator[tuple[str, str]]:
    """A changed line: what stood there is struck through, before what stands there now; if `is_plain`, both are in brackets."""
    old, new = ([word.group() for word in _WORDS.finditer(visible_line(each))] for each in (row.before, row.text))
    if row.is_cut:
        del new[-2:-1]  # a word may be cut, and what stands behind it may be there still
    for _, at, stop, new_at, new_stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, came = clipped("".join(old[at:stop]), MOST_SHOWN), "".join(new[new_at:new_stop])
        if row.is_cut and new_stop == len(new):
            gone = came if came == "…" else ""
        if gone == came:
            yield came, "text"
            continue
        old_words, new_words = (gone and f"[-{gone}-]", came and f"{{+{came}+}}") if is_plain else (gone, came)
        yield from ((old_words, "strike"), (" " * bool(gone and came), "text"), (new_words, "added"))


def _doubts(row: Row, named: Callable[[str], str]) -> list[tuple[str, str]]:
    """The doubts about a row, errors first, each with its sign."""
    marked = [(signs.DANGER if at < row.wrong else signs.LOOK, each) for at, each in enumerate(row.doubts)]
    return [(f"  {sign} {visible_line(named(each))}", "warn") for sign, each in marked]


def sentence(found: Today, now_ns: int) -> str:
    """What waits and which keys to press, in a sentence or two."""
    judged = [row for row in found.rows if row.kind in _JUDGED]
    if judged or found.files:
        unseen = 0 if found.files else sum(row.pick is not None and row.pick.change.is_unseen for row in judged)
        count = len({(id(row.session), row.ref) for row in judged}) - unseen + found.files
        agents = sorted({row.session.layout.title for row in found.rows if row in judged or row.files})
        (wrote, gone), lost = found.counts, sum(row.deleted or row.gone for row in found.rows) - unseen
        new = found.files and sum(row.new or bool(row.pick and row.pick.is_new_file) for row in found.rows)
        did = [f"wrote {counted(wrote, 'line')}"] if wrote else []
        did += [f"deleted {f'{gone:,}' if wrote else counted(gone, 'line')}"] if gone else []
        counts = f"{' and '.join(did)} in" if did and not found.files else "changed"  # else only some are counted
        what = "deleted" if lost == count else "wrote" if new == count else counts
        whats = [f"{new} of these files {'is' if new == 1 else 'are'} new"] if 0 < new < count else []
        whats += [f"{lost}{' of these files' * (not whats)} {'was' if lost == 1 else 'were'} deleted"] if 0 < lost < count else []
        more = f" {' and '.join(whats)}." if whats else ""
        went = f"came and went before you reviewed {'it' if unseen == 1 else 'them'}."
        more += f" {counted(unseen, 'more file')} {went}" if unseen else ""
        wrong = f" The doctor found {counted(found.errors, 'error')}." if found.errors else ""
        if not count:
            return f"{counted(unseen, 'file')} of {' and '.join(agents)} {went}{wrong}"
        return f"Others {what} {counted(count, 'new file' if what == 'wrote' else 'file')} of {' and '.join(agents)}.{more}{wrong}"
    first = next((row for row in found.rows if row.waits), None)
    match first.kind if first is not None else None:
        case None if not found.is_whole:
            return found.nothing(now_ns, "8")
        case None:
            return f"Nothing to review. {nobody_since(found.last, now_ns)}"
        case Kind.BELONGS:
            return "A memory seems to belong to this folder: enter shows it in Projects."
        case Kind.FINDING:
            return f"The doctor found {counted(found.errors, 'error')}: enter shows what helps."
        case Kind.FELL:
            return "Facts fell out of a prompt: enter shows which, and makes room."
        case _:
            return "Others changed files here since you looked: enter shows them."
