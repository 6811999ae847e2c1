"""The review screen: what others wrote since the person last looked, judged line by line."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.content import Content
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fold import fold, terms_of
from zsmem_tui.core.line_changes import LineKey
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.text import counted, grouped, plural, printable_path
from zsmem_tui.core.version import LOST_MOST, Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import losses, prompts, review_lines, reviewing
from zsmem_tui.service.news import Row, nobody_since
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.open_store import none
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.review import verbs
from zsmem_tui.ui.review.page import SHOWS_UP
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.frame import FilterLine, pane
from zsmem_tui.ui.widgets.line_diff import LineDiff
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import ago, kind_of, name_of, title_of, wider, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.open_store import OpenStore

Which = Literal["line", "file", "whole", "all"]
"""The target of an action if nothing is marked; `whole` and `all` ignore marks."""


FileKey = tuple[str, str]
"""A changed file: the key of its store, and its path."""


class ReviewMarks:
    """The pending files, and the marked lines of each."""

    def __init__(self) -> None:
        self.pending: dict[FileKey, PendingReview] = {}
        self._marked: dict[FileKey, set[LineKey]] = {}
        self._lines: dict[FileKey, list[ReviewLine]] = {}

    def show(self, store: str, found: Sequence[PendingReview]) -> None:
        """Set the pending files of a store; marks in others of it are dropped."""
        new = {(store, each.ref.path): each for each in found}
        self.pending = {key: each for key, each in self.pending.items() if key[0] != store} | new
        self._lines = {key: own for key, own in self._lines.items() if key[0] != store}
        self._marked = {key: keys for key, keys in self._marked.items() if key in self.pending}

    def lines(self, file: FileKey) -> list[ReviewLine]:
        """The changed lines of a file, without authors."""
        if file not in self._lines:
            self._lines[file] = review_lines.lines(self.pending[file])
        return self._lines[file]

    def of(self, file: FileKey) -> set[LineKey]:
        """The marked lines of a file, to be changed in place."""
        return self._marked.setdefault(file, set())

    def clear(self) -> bool:
        """Remove all marks; False if there were none."""
        found, self._marked = bool(self.files), {}
        return found

    @property
    def files(self) -> set[FileKey]:
        """The files with marked lines."""
        return {file for file, keys in self._marked.items() if keys}

    @property
    def keys(self) -> list[LineKey]:
        """The marked lines."""
        return [key for keys in self._marked.values() for key in keys]

    def picks(self, which: Which, file: FileKey | None, number: int | None) -> dict[str, list[Pick]]:
        """The targets of an action by store, with the cursor at the changed line `number` (None: at none) of `file`."""
        if which == "all":
            return grouped((key[0], Pick(each)) for key, each in self.pending.items())
        if self.files and which != "whole":
            every = sorted(self.files)
            return grouped((key[0], Pick(self.pending[key], self._with_blank(key, self._marked[key]))) for key in every)
        if file not in self.pending or file is None:
            return {}
        own = {self.lines(file)[number].key} if which == "line" and number is not None else None
        return {file[0]: [Pick(self.pending[file], None if own is None else self._with_blank(file, own))]}

    def match(
        self, wanted: str, files: Sequence[FileKey], here: tuple[FileKey | None, int], step: int
    ) -> tuple[FileKey, int] | None:
        """The changed line that contains these words, as (file, number): the one at `here` or the next.

        With `step`, the next or previous one after `here`. `files` are in display order; wraps around.
        """
        found = [(place, number) for place, file in enumerate(files) for number in _matching(self.lines(file), wanted)]
        if not found:
            return None
        at = (files.index(here[0]) if here[0] in files else 0, here[1])
        if step < 0:
            place, number = next((each for each in reversed(found) if each < at), found[-1])
        else:
            place, number = next((each for each in found if each > at or (each == at and not step)), found[0])
        return files[place], number

    def _with_blank(self, file: FileKey, keys: Collection[LineKey]) -> frozenset[int]:
        """The numbers of these lines and of the blank ones that are judged with them."""
        own = self.lines(file)
        return frozenset(number for number, stop in enumerate(review_lines.stops(own)) if own[stop].key in keys)


class ChangeList(RowList, keys="changes"):
    """The list of changed files, by project."""


class ChangeDiff(LineDiff, keys="change"):
    """The diff of a file."""

    NOTHING = "What others wrote into the file chosen in the list shows up here, line by line: x takes note of it, b reverts it."

    async def action_next(self, step: int) -> None:
        """Go to the next or previous match; without a search, to the next or previous hunk."""
        await self.run_action(f"screen.go({step})")


class ReviewScreen(ToolScreen):
    """The full screen: changed files at the left, changed lines at the right. Changes are in effect already.

    It shows what waits in the folder that the person works in, of all agents, or everything.
    """

    SCOPE_OF: ClassVar[dict[str, str]] = {"changes": "changes", "change-diff": "change"}
    PAGE = "review"
    OF_FOLDER = True

    def __init__(self, host: ZsmemApp, row: Row | None = None, *, into: bool = False, wider: bool = False) -> None:
        """`row` is where the cursor begins, `into` its line; `wider`: of all memories."""
        super().__init__(host)
        wiped = {self.is_shown(store, each.ref.path) for store in host.main.stores for each in store.wipes}
        self.is_of_all = wider or wiped == {False}
        self.marks = ReviewMarks()
        self.lines: list[ReviewLine] = []
        """The changed lines of the file at the right."""
        self._begins, self._into = row, into
        self._at_a_line = False
        """Whether the person came to a line of the page, and has not been in the list yet: it is no step on the way back."""
        self._reading = asyncio.Lock()
        self._refused: dict[str, str] = {}
        """Why the changes of a store cannot be read, by its key."""
        self._read: set[str] = set()
        """The keys of the stores whose changes were read."""
        self._hidden: list[str] = []

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        yield pane("list", "", ChangeList(self._row, id="changes"))
        words = FilterLine("words that a changed line holds", id="line-find", rows="change-diff")
        yield pane("side", "Changes", words, ChangeDiff(id="change-diff"))

    @property
    def memories(self) -> list[OpenStore]:
        """All stores, `home` first."""
        return [self.home, *(store for store in self.host.main.stores if store is not self.home)]

    def is_shown(self, store: OpenStore, path: str) -> bool:
        """Whether a file is of the folder, or all are shown."""
        return self.is_of_all or prompts.is_here(store.session, store.session.ref_at(path))

    @property
    def scope_name(self) -> str:
        """The folder that the person works in, or "all memories"."""
        first = self.host.main.stores[0].session
        folder = printable_path(shortened(first.folder)) or first.whose(first.project)
        return "all memories" if self.is_of_all else visible_line(folder)

    async def read(self) -> None:
        """Read and show the pending changes, keeping cursor and marks; does nothing once the screen is closed."""
        async with self._reading:
            for gone in {key for key, _ in self.marks.pending} - {each.key for each in self.memories}:
                self.marks.show(gone, [])
            first = self._begins.session if self._begins is not None else None
            for store in sorted(self.memories, key=lambda each: each.session is not first):
                await self._read_store(store)
                if self.query(ChangeList) and self.marks.pending:
                    self._show()
            nothing = ""
            if not self.marks.pending:
                last, problem = None, "\n".join(self._refused.values())
                for store in self.memories if not problem else ():
                    version = await attempt(asyncio.to_thread(reviewing.last_not_ours, store.session), lambda _: None)
                    last = max(filter(None, (last, version)), key=lambda each: each.when, default=None)
                elsewhere = sum(len(each.unreviewed) for each in self.host.main.stores) - self.host.counts.review
                nothing = problem or none(
                    nothing_pending(last, self.host.now_ns(), is_of_all=self.is_of_all, elsewhere=elsewhere),
                    self.memories,
                )
            self._hidden = await asyncio.to_thread(self._find_hidden)
            if self.query(ChangeList):
                self._show("\n".join(self._hidden) or nothing)

    async def _read_store(self, store: OpenStore) -> None:
        """Read the changes of a store."""
        found: list[PendingReview] = []
        if store is self.home or store.unreviewed:
            loop = asyncio.get_running_loop()
            self._refused.pop(store.key, None)
            work = asyncio.to_thread(
                reviewing.pending, store.session, tell=lambda *about: loop.call_soon_threadsafe(self._tell_read, *about)
            )
            found = await attempt(work, partial(self._refused.__setitem__, store.key)) or []
        self.marks.show(store.key, [each for each in found if self.is_shown(store, each.ref.path)])
        self._read.add(store.key)
        store.seen_wipes.update(each for each in store.wipes if (store.key, each.ref.path) in self.marks.pending)

    def _tell_read(self, done: int, of: int) -> None:
        """Show how many of the changed files are read, if it takes more than one go."""
        for list in self.query(".tool-list") if done < of else ():
            list.border_subtitle = Content(f"{done} of {counted(of, 'file')} read")

    def _show(self, nothing: str = "") -> None:
        """Show the pending files; `nothing` is shown if there are none."""
        rows, begins = self.query_one(ChangeList), self._begins
        self.host.main.tell_right()
        keys = self._grouped()
        files = [key for key in keys if isinstance(key, tuple)]
        if not self.marks.pending and self._refused:
            keys = []
        if not keys and not nothing:
            return  # more is still read
        rows.nothing = nothing
        start = next((key for key in self.marks.pending if begins is not None and _is_at(begins, key, self.host.main.stores)), None)
        rows.show([*(f"\0{each}" for each in self._hidden if keys), *keys], cursor=start)
        own = self.marks.pending.values()
        lines = f" · +{sum(each.added for each in own)} -{sum(each.removed for each in own)}" if len(files) == len(own) else ""
        self.query_one(".tool-list").border_subtitle = Content(f"{counted(len(files), 'file')}{lines}" if files else "")
        self._compare()
        if start is not None and begins is not None:
            if begins.pick is not None and begins.pick.numbers is not None:
                key = review_lines.picked(begins.pick)[0].key
                self.diff.go(next((line.number for line in self.lines if line.key == key), 0))
            if self._into:
                self.diff.focus()
                self._at_a_line = True
        elif begins is not None and begins.ref is not None:
            rows.seen = begins.key  # it has gone: no key may act on another one instead
        self._begins = None
        if not keys and self.focused is self.diff:
            rows.focus()

    def _find_hidden(self) -> list[str]:
        """Sentences on folders that cannot be read."""
        found = [each.removesuffix(".") for store in self.memories for each in store.session.folder_problems()]
        found += [each for store in self.memories if self.is_of_all and store.catalog is not None for each in store.catalog.hidden]
        return [f"! {each}. What others wrote there is unknown." for each in dict.fromkeys(found)]

    def _grouped(self) -> list[str | FileKey]:
        """The keys of all pending files with headings; of a store that was not read, those known to wait."""
        by_store = grouped((key[0], each.ref) for key, each in self.marks.pending.items())
        for store in self.memories:
            if store.key not in self._read or store.key in self._refused:
                by_store[store.key] = [ref for ref in store.unreviewed if self.is_shown(store, ref.path)]
        keys: list[str | FileKey] = []
        is_mixed = sum(map(bool, by_store.values())) > 1
        for store in self.memories:
            if (why := self._refused.get(store.key)) and by_store[store.key]:
                keys.append(f"\0! {store.title}: {why}")
            heading = ""
            own = by_store.get(store.key, [])
            for ref in sorted(own, key=lambda ref: (ref.project not in ("", store.session.project), ref.project, ref.path)):
                name = f"{store.title} · {visible_line(store.session.whose(ref.project))}" if is_mixed else ""
                if (over := name or self.name_of(store, ref.project)) != heading:
                    keys.append(f"\0{over}")
                    heading = over
                keys.append((store.key, ref.path))
        return keys

    def _row(self, key: Hashable) -> ListRow:
        if isinstance(key, str):
            return ListRow([(key[1:], "warn" if key.startswith("\0! ") else "head")], heading=True)
        assert isinstance(key, tuple)
        if key in self.marks.pending:
            return pending_row(self.marks.pending[key], self.host.now_ns())
        ref = self.host.main.store_of(key[0]).session.ref_at(key[1])  # its changes are not read yet
        return ListRow([(f"  {kind_of(ref)}{name_of(ref)}  ", "text")])

    @property
    def at(self) -> FileKey | None:
        """The file under the cursor, or None."""
        key = self.query_one(ChangeList).key
        return key if isinstance(key, tuple) else None

    @property
    def _store(self) -> OpenStore:
        """The store of the file under the cursor."""
        return self.host.main.store_of(self.at[0]) if self.at is not None else self.memory

    @property
    def change(self) -> PendingReview | None:
        """The changes of the file under the cursor, or None."""
        return self.marks.pending.get(self.at) if self.at is not None else None

    async def _is_ready(self) -> bool:
        """Wait until the changes are read; False, with a message, if that failed for the file under the cursor or came too late."""
        async with self._reading:
            pass
        if self.closed:
            self.warn("Review was left while it still read the changes. Nothing was done.")
            return False
        self.session = self._store.session
        rows = self.query_one(ChangeList)
        if not rows.marked:
            (self.diff if self.focused is self.diff else rows).check_seen()
        if self._store.key in self._refused:
            await self.read()  # it may be readable by now
        if why := self._refused.get(self._store.key):
            self.warn(why)
        return not why and not self.closed

    diff = query_one(ChangeDiff)

    @on(RowList.Moved)
    @on(RowList.Chosen)
    def _moved(self, event: RowList.Moved | RowList.Chosen) -> None:
        self.look_at(self._store)
        self._compare()
        if isinstance(event, RowList.Chosen):
            self.diff.focus()
        elif self.change is not None and (told := dropped_words(self.change)):
            words = with_titles(told, self.host.main.here, self.host.main.stores)
            self.query_one(StatusLine).mention(words, warning=True)  # any result replaces it

    def _compare(self) -> None:
        """Show the file under the cursor."""
        at, change, side = self.at, self.change, self.query_one(".tool-side")
        self.query_one(".tool-list").border_title = Content("Review · all changes")
        if change is None or at is None:
            self.lines = []
            self.diff.show_lines("", b"", b"", [], [], set())
            side.border_title = Content("Changes")
        else:
            self.lines = self.marks.lines(at)
            keys = [line.key for line in self.lines]
            stops = review_lines.stops(self.lines)
            self.diff.show_lines("\0".join(at), change.reviewed, change.now, keys, stops, self.marks.of(at))
            side.border_title = Content(pending_title(change, self._store.session))
            self._find_authors(change)
        self._tell()

    @work(exclusive=True, group="authors")
    async def _find_authors(self, change: PendingReview) -> None:
        """Find out who wrote each line, by looking at all versions."""
        try:
            found = await self.asking(review_lines.with_versions, self._store.session, change)
        except MemError:
            return  # the authors stay unknown
        if change is self.change:
            self.lines = found
            self._tell()

    @on(LineDiff.Changed)
    def _tell(self) -> None:
        """Show the line's author and the marks."""
        change, at = self.change, self.diff.at
        line = self.lines[at] if change is not None and at < len(self.lines) else None
        facts = ""
        if change is not None and line is not None:
            count, hazard = (at + 1, len(self.lines)), hazard_of(change, line)
            facts = line_facts(line, count, len(self.marks.keys), self.host.now_ns(), hazard)
        self.query_one(".tool-side").border_subtitle = Content(change.note if change is not None and change.note else facts)
        rows = self.query_one(ChangeList)
        if rows.marked != self.marks.files:
            rows.marked = self.marks.files
            rows.refresh()
        self.show_keys()

    def offered(self, action: Action) -> Action | None:
        """The action, named after what it would show."""
        return action._replace(label="This folder") if self.is_of_all and action.act == "screen.widen" else action

    def back(self) -> None:
        """Drop the search, else the marks, else go one step back."""
        if self.query_one(FilterLine).close():
            return
        if self.marks.clear():
            self._compare()
        elif self._at_a_line and self.focused is self.diff:
            self.dismiss(None)
        else:
            super().back()

    @on(DescendantFocus, "ChangeList")
    def _in_the_list(self) -> None:
        self._at_a_line = False

    def _parts(self, which: Which) -> dict[OpenStore, list[Pick]]:
        """The targets of an action by store; if there are none, say so."""
        picks = self.marks.picks(which, self.at, self.diff.at if self.diff.key is not None else None)
        if not picks:
            self.warn("Nothing selected: there is no changed file.")
        return {store: picks[store.key] for store in self.memories if store.key in picks}

    async def _meant(self) -> PendingReview | None:
        """The file under the cursor; if there is none, say so."""
        if not await self._is_ready():
            return None
        if self.change is None:
            self.warn("Nothing selected: there is no changed file.")
        return self.change

    @in_turn
    async def action_accept(self, which: Which) -> None:
        """Accept the targets; all are those of every memory in the list."""
        if await self._is_ready() and (parts := self._parts(which)):
            await verbs.accept(self, parts)

    @in_turn
    async def action_put_back(self, which: Which) -> None:
        """Revert the targets."""
        if await self._is_ready() and (parts := self._parts(which)):
            await verbs.revert(self, parts)

    @in_turn
    async def action_move(self) -> None:
        """Move the marked lines, or the one under the cursor, to another file."""
        if await self._is_ready():
            for store, picks in list(self._parts("line").items())[:1]:
                await verbs.move(self, store, picks)

    @in_turn
    async def action_raise(self) -> None:
        """Move the marked lines, or the one under the cursor, into the prompt."""
        if await self._is_ready():
            for store, picks in list(self._parts("line").items())[:1]:
                await verbs.lift(self, store, picks)

    @in_turn
    async def action_open(self) -> None:
        """Read the file at the line; esc returns here."""
        if (change := await self._meant()) is not None:
            if change.now is None:
                self.warn("The file was deleted: b reverts that.")
            else:
                self.host.read_file(change.ref, self.diff.line(), store=self._store.key)

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the line; leaving the editor returns here."""
        if change := await self._meant():
            lines = self.diff
            self.host.edit_file(change.ref, lines.line(), row=lines.cursor_row())

    @in_turn
    async def action_history(self) -> None:
        """Show the versions of the line, in the list of files of the file; if nothing waits, of all files."""
        if not self.marks.pending:
            if await self._is_ready():
                self.host.open_history(None)
        elif change := await self._meant():
            line = self.lines[self.diff.at] if self.focused is self.diff and self.diff.at < len(self.lines) else None
            added = line.change.added if line is not None else None
            self.host.open_history(change.ref, -1 if added is None else added)

    @in_turn
    async def action_show_then(self) -> None:
        """Show the prompt just before the line, or in the list of files the file, was written."""
        if (change := await self._meant()) is None:
            return
        line = self.lines[self.diff.at] if self.focused is self.diff and self.diff.at < len(self.lines) else None
        await verbs.show_before(self, self._store, change.ref, line.version if line is not None else None)

    def action_mark(self) -> None:
        """Toggle the mark of the line; in the list of files, of all changed lines."""
        if self.focused is self.diff:
            self.diff.toggle_mark()
        else:
            self.diff.action_mark_all()

    def action_find(self) -> None:
        """Open the search line."""
        self.query_one(FilterLine).begin()

    @on(Input.Changed, "#line-find")
    def _find_changed(self) -> None:
        self.action_go(0)

    def action_go(self, step: int) -> None:
        """Go to the next or previous match (0: the first from here); without a search, to the next or previous hunk."""
        wanted = self.query_one(FilterLine).words
        if not wanted:
            if step:
                self.diff.hunk(step)
            return
        rows = self.query_one(ChangeList)
        files = [key for key in rows.keys if key in self.marks.pending]
        found = self.marks.match(wanted, files, (self.at, self.diff.at), step)
        if found is None:
            self.warn("No changed line has these words.")
            return
        if self.at != found[0]:
            rows.show(rows.keys, cursor=found[0])
            self._compare()
        self.diff.go(found[1])


def _is_at(row: Row, key: FileKey, stores: Iterable[OpenStore]) -> bool:
    """Whether a row of the page is about this file."""
    path = row.ref.path if row.ref is not None else row.key[1] if row.lines else ""
    return path == key[1] and any(store.key == key[0] and store.session is row.session for store in stores)


def _matching(lines: Sequence[ReviewLine], wanted: str) -> list[int]:
    """The numbers of the changed lines that contain all of these words."""
    terms = terms_of(wanted)
    texts = ((line.number, fold((line.key.added or b"") + (line.key.removed or b""))) for line in lines)
    return [number for number, text in texts if all(term in text for term in terms)]


def pending_row(change: PendingReview, now_ns: int) -> ListRow:
    """Render a changed file."""
    state = "new " if change.reviewed is None else "deleted " if change.now is None else ""
    doubts = [LOST_MOST] if change.wiped and change.now is not None else []
    doubts += [f"dropped lines that were {change.dropped.how}"] if change.dropped else ["lines put back"] if change.mended else []
    doubts += ["look"] if change.hazards else []
    pieces = [
        (f"  {kind_of(change.ref)}{name_of(change.ref)}  ", "text"),
        (state, "mark"),
        (f"! {', '.join(doubts)} " if doubts else "", "warn"),
        (f"+{change.added}", "added"),
        (f" -{change.removed}", "removed"),
    ]
    if not change.versions:
        return ListRow(pieces)
    first, *others = change.authors
    return ListRow(pieces, f"{first}{' and others' if others else ''} · {ago(change.versions[0].when, now_ns)}")


def pending_title(change: PendingReview, session: Session) -> str:
    """The title of a file's changes."""
    count = len(change.versions)
    evidence = f" · {', '.join(change.authors)}" if change.versions else ""
    return f"{title_of(change.ref, session)}{evidence}" + (f" · {count} {plural('write', count)}" if count > 1 else "")


def hazard_of(change: PendingReview, line: ReviewLine) -> str:
    """Why the line should be checked; empty if there is no reason."""
    at = line.change.added
    found = [each for each in change.hazards if at is not None and each.line == at + 1]
    return f"! {visible_line(reasons(found))}" if found else ""


def line_facts(line: ReviewLine, count: tuple[int, int], marked: int, now_ns: int, hazard: str = "") -> str:
    """The facts on a changed line: doubts, author, age, its number, and the number of marked lines."""
    version = line.version
    facts = [hazard] if hazard else []
    facts += [f"{version.author} · {ago(version.when, now_ns)}"] if version else []
    facts += [f"line {count[0]} of {count[1]}"]
    return " · ".join([*facts, f"{marked} marked"] if marked else facts)


def dropped_words(change: PendingReview) -> str:
    """A warning if a write removed lines that were written here; empty if not."""
    if change.dropped is None:
        return f"{losses.describe(change.mended[0]).removesuffix('.')}: put back." if change.mended else ""
    return f"{losses.describe(change.dropped)} b reverts what is marked, x lets it be"


def nothing_pending(last: Version | None, now_ns: int, *, is_of_all: bool = True, elsewhere: int = 0) -> str:
    """The text for an empty review; `elsewhere` files of other memories wait."""
    told = f"Nothing to review. {nobody_since(last, now_ns)}{'' if is_of_all else wider(elsewhere)}"
    return f"{told}\n\n{SHOWS_UP}"
