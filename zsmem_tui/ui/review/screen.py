"""The review screen: what others wrote since the person last looked, judged line by line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fold import fold, terms_of
from zsmem_tui.core.line_changes import LineKey
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, plural
from zsmem_tui.core.version import LOST_MOST, Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import history, losses, review_lines, reviewing
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.history.verbs import show_then
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.tool import ToolScreen, pane
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.line_diff import LineDiff
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import ago, kind_of, name_of, nobody_since, refusal, title_of, wider, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore

Which = Literal["line", "file", "whole", "all"]
"""The target of an action if nothing is marked; `whole` and `all` ignore marks."""


class ReviewMarks:
    """The pending files by path, and the marked lines of each."""

    def __init__(self) -> None:
        self.pending: dict[str, PendingReview] = {}
        self._marked: dict[str, set[LineKey]] = {}
        self._lines: dict[str, list[ReviewLine]] = {}

    def show(self, found: Sequence[PendingReview]) -> None:
        """Set the pending files; marks in others are dropped."""
        self.pending = {each.ref.path: each for each in found}
        self._lines = {}
        self._marked = {path: keys for path, keys in self._marked.items() if path in self.pending}

    def lines(self, path: str) -> list[ReviewLine]:
        """The changed lines of a file, without authors."""
        if path not in self._lines:
            self._lines[path] = review_lines.lines(self.pending[path])
        return self._lines[path]

    def of(self, path: str) -> set[LineKey]:
        """The marked lines of a file, to be changed in place."""
        return self._marked.setdefault(path, set())

    def clear(self) -> bool:
        """Remove all marks; False if there were none."""
        found, self._marked = bool(self.paths), {}
        return found

    @property
    def paths(self) -> set[str]:
        """The files with marked lines."""
        return {path for path, keys in self._marked.items() if keys}

    @property
    def count(self) -> int:
        """The number of marked lines."""
        return sum(map(len, self._marked.values()))

    def picks(self, which: Which, path: str, number: int | None) -> list[Pick]:
        """The targets of an action, with the cursor at the changed line `number` (None: at none) of `path`."""
        if which == "all":
            return [Pick(each) for each in self.pending.values()]
        if self.paths and which != "whole":
            return [Pick(self.pending[each], self._with_blank(each, self._marked[each])) for each in sorted(self.paths)]
        change = self.pending.get(path)
        if change is None:
            return []
        if which != "line" or number is None:
            return [Pick(change)]
        return [Pick(change, self._with_blank(path, {self.lines(path)[number].key}))]

    def match(self, wanted: str, paths: Sequence[str], here: tuple[str, int], step: int) -> tuple[str, int] | None:
        """The changed line that contains these words, as (path, number): the one at `here` or the next.

        With `step`, the next or previous one after `here`. `paths` are in display order; wraps around.
        """
        found = [(place, number) for place, path in enumerate(paths) for number in _matching(self.lines(path), wanted)]
        if not found:
            return None
        at = (paths.index(here[0]) if here[0] in paths else 0, here[1])
        if step < 0:
            place, number = next((each for each in reversed(found) if each < at), found[-1])
        else:
            place, number = next((each for each in found if each > at or (each == at and not step)), found[0])
        return paths[place], number

    def _with_blank(self, path: str, keys: Collection[LineKey]) -> frozenset[int]:
        """The numbers of these lines and of the blank ones that are judged with them."""
        own = self.lines(path)
        return frozenset(number for number, stop in enumerate(review_lines.stops(own)) if own[stop].key in keys)


class ChangeList(RowList, keys="changes"):
    """The list of changed files, by project."""


class ChangeDiff(LineDiff, keys="change"):
    """The diff of a file."""

    NOTHING = "What others wrote into the file chosen in the list shows up here, line by line: x takes note of it, b puts it back."

    async def action_next(self, step: int) -> None:
        """Go to the next or previous match; without a search, to the next or previous hunk."""
        await self.run_action(f"screen.go({step})")


class ReviewScreen(ToolScreen):
    """The review screen: changed files at the left, changed lines at the right. Changes are in effect already."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"changes": "changes", "change-diff": "change"}
    PAGE = "review"
    OF_ALL = True

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.is_of_all = {self.is_shown(store, each.ref.path) for store in host.main.stores for each in store.wipes} == {False}
        self.marks = ReviewMarks()
        self.lines: list[ReviewLine] = []
        """The changed lines of the file at the right."""
        self._reading = asyncio.Lock()
        self._shown = self.session  # whose changes are shown; `session` may differ until its changes are read
        self._marks_of: dict[Session, ReviewMarks] = {self.session: self.marks}
        self._unread = True
        """Whether the changes of the shown store are not read: not yet, or it failed."""
        self._hidden: list[str] = []

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        yield pane("list", "", ChangeList(self._row, id="changes"))
        words = FilterLine("words that a changed line holds", id="line-find", rows="change-diff")
        yield pane("side", "Changes", words, ChangeDiff(id="change-diff"))

    async def read(self) -> None:
        """Read and show the pending changes, keeping cursor and marks; does nothing once the screen is closed."""
        async with self._reading:
            await self.find_told()
            nothing, session, store = "", self.session, self.memory
            loop = asyncio.get_running_loop()
            found: list[PendingReview] | None = None
            try:
                every = await asyncio.to_thread(
                    reviewing.pending, session, tell=lambda *about: loop.call_soon_threadsafe(self._tell_read, *about)
                )
                found = [each for each in every if self.is_shown(store, each.ref.path)]
                last = None if found else await asyncio.to_thread(reviewing.last_not_ours, session)
                elsewhere = sum(len(each.unreviewed) for each in self.host.main.stores) - self.host.counts.review
                nothing = nothing_pending(last, self.host.now_ns(), is_of_all=self.is_of_all, elsewhere=elsewhere)
                self._hidden = await asyncio.to_thread(self._find_hidden)
                nothing = "\n".join(self._hidden) or nothing
            except MemError as error:
                nothing = refusal(error)
            if session is not self._shown:
                self._shown, self.marks = session, self._marks_of.setdefault(session, ReviewMarks())
            if self.query(ChangeList):
                self._show(found, nothing)
                self._read_others()

    @work(exclusive=True, group="others")
    async def _read_others(self) -> None:
        """Read the changes of the memories that are not shown, for their rows."""
        for store in [each for each in self.memories if each.unreviewed and each.session is not self._shown]:
            with suppress(MemError):  # reported when the cursor is there
                every = await self.asking(reviewing.pending, store.session)
                if store.session is not self._shown:
                    found = [each for each in every if self.is_shown(store, each.ref.path)]
                    self._marks_of.setdefault(store.session, ReviewMarks()).show(found)
                    self.query_one(ChangeList).refresh()

    def _tell_read(self, done: int, of: int) -> None:
        """Show how many of the changed files are read, if it takes more than one go."""
        for list in self.query(".tool-list") if done < of else ():
            list.border_subtitle = Content(f"{done} of {counted(of, 'file')} read")

    def _show(self, found: Sequence[PendingReview] | None, nothing: str) -> None:
        """Show the pending files; None: reading failed, and `nothing` tells why."""
        rows = self.query_one(ChangeList)
        rows.nothing, self._unread = nothing, found is None
        self.marks.show(found or ())
        self._store.seen_wipes.update(each for each in self._store.wipes if each.ref.path in self.marks.pending)
        self.host.main.tell_right()
        keys = self._grouped(found)
        keys[:0] = [f"\0{each}" for each in self._hidden if keys]
        if found is None:
            is_alone = all(isinstance(key, str) or key[0] == self._store.key for key in keys)
            keys = [] if is_alone else keys  # a remaining row would keep keys from the row that the cursor moves to
            if keys:
                self.warn(nothing)
        rows.show(keys, cursor=self._cursor(keys))
        files = [key for key in keys if isinstance(key, tuple)]
        lines = f" · +{sum(each.added for each in found)} -{sum(each.removed for each in found)}" if found else ""
        told = f"{counted(len(files), 'file')}{'' if len(files) > len(found or ()) else lines}" if files else ""
        self.query_one(".tool-list").border_subtitle = Content(told)
        self._compare()
        if not found and self.focused is self.diff:
            rows.focus()

    def _find_hidden(self) -> list[str]:
        """Sentences on folders that cannot be read."""
        if self.is_of_all:
            found = [each for store in self.memories if store.catalog is not None for each in store.catalog.hidden]
        else:
            found = [each.removesuffix(".") for each in self.home.session.for_group(self.project).folder_problems()]
        return [f"! {each}. What others wrote there is unknown." for each in found]

    def _grouped(self, found: Sequence[PendingReview] | None) -> list[str | tuple[str, str]]:
        """The keys of all pending files with headings; `found` are those of the shown store, None if reading failed."""
        keys: list[str | tuple[str, str]] = []
        is_mixed = sum(bool(each.unreviewed) for each in self.memories) > 1
        for store in self.memories:
            is_told = store.session is self._shown and found is not None
            own = (
                [each.ref for each in found or ()]
                if is_told
                else [ref for ref in store.unreviewed if self.is_shown(store, ref.path)]
            )
            heading = ""
            for ref in sorted(own, key=lambda ref: (ref.project not in ("", store.session.project), ref.project, ref.path)):
                name = f"{store.title} · {visible_line(store.session.whose(ref.project))}" if is_mixed else ""
                if (over := name or self.name_of(store, ref.project)) != heading:
                    keys.append(f"\0{over}")
                    heading = over
                keys.append((store.key, ref.path))
        return keys

    def _cursor(self, keys: Sequence[str | tuple[str, str]]) -> Hashable:
        """The key for the cursor: unchanged within the shown store, else that store's first file."""
        at, own = self.query_one(ChangeList).key, self._store.key
        if isinstance(at, tuple) and at[0] == own:
            return None
        return next((key for key in keys if key[0] == own), None)

    def _row(self, key: Hashable) -> ListRow:
        if isinstance(key, str):
            return ListRow([(key[1:], "head")], heading=True)
        store, path = self._at(key)
        if (marks := self._marks_of.get(store.session)) is not None and path in marks.pending:
            return pending_row(marks.pending[path], self.host.now_ns())
        ref = store.session.ref_at(path)  # its changes are not read yet
        return ListRow([(f"  {kind_of(ref)}{name_of(ref)}  ", "text")])

    def _at(self, key: Hashable) -> tuple[OpenStore, str]:
        """The store and the path of a row."""
        assert isinstance(key, tuple)
        return self.host.main.store_of(key[0]), key[1]

    @property
    def _store(self) -> OpenStore:
        """The store that is shown."""
        main = self.host.main
        return next((store for store in main.stores if store.session is self._shown), main.here)

    @property
    def change(self) -> PendingReview | None:
        """The file under the cursor, or None."""
        key = self.query_one(ChangeList).key
        if key is None or self._at(key)[0].session is not self._shown:
            return None
        return self.marks.pending.get(key[1])

    async def _read_store_at_cursor(self, *, again: bool = True) -> bool:
        """Read the store under the cursor if it is not shown yet, or is unread and `again`; False if it failed or came too late."""
        async with self._reading if again else nullcontext():
            pass  # it may be read already
        if self.closed:
            self.warn("Review was left while it still read the changes. Nothing was done.")
            return False
        rows = self.query_one(ChangeList)
        if again and not rows.marked:
            (self.diff if self.focused is self.diff else rows).check_seen()
        store = self._at(rows.key)[0] if rows.key is not None else self._store
        if store.session is self._shown and store.session is self.session and not (again and self._unread):
            return True
        self.session = store.session
        await self.read()
        return not self._unread and not self.closed

    @work(exclusive=True, group="arrive")
    async def _follow(self) -> None:
        await self._read_store_at_cursor(again=False)  # each read shows the rows, which leads here again

    diff = query_one(ChangeDiff)

    @on(RowList.Moved)
    @on(RowList.Chosen)
    def _moved(self, event: RowList.Moved | RowList.Chosen) -> None:
        self._compare()
        self._follow()
        if isinstance(event, RowList.Chosen):
            self.diff.focus()
        elif self.change is not None and (told := dropped_words(self.change)):
            words = with_titles(told, self.host.main.here, self.host.main.stores)
            self.query_one(StatusLine).mention(words, warning=True)  # any result replaces it

    def _compare(self) -> None:
        """Show the file under the cursor."""
        change, side = self.change, self.query_one(".tool-side")
        self.query_one(".tool-list").border_title = Content(f"Review: {self.scope_name}")
        if change is None:
            self.lines = []
            self.diff.show_lines("", b"", b"", [], [], set())
            side.border_title = Content("Changes")
        else:
            path = change.ref.path
            self.lines = self.marks.lines(path)
            keys = [line.key for line in self.lines]
            stops = review_lines.stops(self.lines)
            self.diff.show_lines(path, change.reviewed, change.now, keys, stops, self.marks.of(path))
            side.border_title = Content(pending_title(change, self._shown))
            self._find_authors(change)
        self._tell()

    @work(exclusive=True, group="authors")
    async def _find_authors(self, change: PendingReview) -> None:
        """Find out who wrote each line, by looking at all versions."""
        try:
            found = await self.asking(review_lines.with_versions, self._shown, change)
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
            count, hazard = review_lines.place_in(self.lines, at), hazard_of(change, line)
            facts = line_facts(line, count, self.marks.count, self.host.now_ns(), hazard)
        self.query_one(".tool-side").border_subtitle = Content(change.note if change is not None and change.note else facts)
        rows = self.query_one(ChangeList)
        every = {store.key: self._marks_of.get(store.session) for store in self.host.main.stores}
        marked = {(key, path) for key, marks in every.items() if marks is not None for path in marks.paths}
        if rows.marked != marked:
            rows.marked = marked
            rows.refresh()

    def back(self) -> None:
        """Drop the search, else the marks, else go one step back."""
        if self.query_one(FilterLine).close():
            return
        if self.marks.clear():
            self._compare()
        else:
            super().back()

    def _picks(self, which: Which) -> list[Pick]:
        path, lines = self.change.ref.path if self.change else "", self.diff
        return self.marks.picks(which, path, lines.at if lines.key is not None else None)

    async def _meant(self) -> PendingReview | None:
        """The file under the cursor; if there is none, say so."""
        if not await self._read_store_at_cursor():
            return None
        if self.change is None:
            self.warn("Nothing selected: there is no changed file.")
        return self.change

    async def _decide(self, verb: Callable[[Session], VerbResult], also: Sequence[OpenStore] = ()) -> None:
        """Run `verb` in the shown store, as the cursor may move to another one meanwhile, and `also` in these."""
        store = self._store

        async def refresh(_: VerbResult) -> None:
            for each in (store, *also):
                await self.host.main.look_after(each)
            await self.read()

        if await perform(self.host, lambda: verb(store.session), self, refresh=refresh) is None:
            await self.read()

    @in_turn
    async def action_accept(self, which: Which) -> None:
        """Accept the targets; all are those of every memory in the list, as far as they are read."""
        if await self._read_store_at_cursor():
            known = self._marks_of.keys() - {self._shown}
            others = [each for each in self.memories if which == "all" and each.unreviewed and each.session in known]
            picks, also = self._picks(which), {each.session: self._marks_of[each.session].picks("all", "", None) for each in others}
            await self._decide(lambda session: review_lines.accept(session, picks, also), others)

    @in_turn
    async def action_put_back(self, which: Which) -> None:
        """Revert the targets."""
        if await self._read_store_at_cursor():
            picks = self._picks(which)
            await self._decide(lambda session: review_lines.revert(session, picks))

    @in_turn
    async def action_move(self) -> None:
        """Move the marked lines, or the one under the cursor, to another file."""
        if (change := await self._meant()) is None:
            return
        chosen = set(self.diff.chosen())
        added = (line.change.added for line in self.lines if line.key in chosen)
        lines = frozenset(line for line in added if line is not None)
        if not lines:
            self.warn("This change added no line that could be moved.")
            return
        session = self._shown
        project = change.ref.project or session.project
        layout, own = session.layout, session.group_name(project)
        every = {
            "memory": (layout.ref(Role.FACTS, project), f"{layout.label(Role.FACTS)}, for every project"),
            "scratchpad": (layout.ref(Role.CHECKLIST, project), f"the scratchpad of {own}"),
            "daily": (layout.ref(Role.LOG, project, session.mem(project).today), f"today's log of {own}"),
            "inbox": (layout.ref(Role.NOTE, project, "inbox"), f"the note inbox of {own}"),
        }
        targets = {name: (ref, words) for name, (ref, words) in every.items() if ref is not None and ref.path != change.ref.path}
        answers = [(name, f"{words}{'' if session.has(ref) else ' (new)'}") for name, (ref, words) in targets.items()]
        answer = await choose(self, "Move", f"Move {counted(len(lines), 'line')} to:", answers, names=True)
        if answer:
            await self._decide(lambda session: reviewing.move_lines(session, change, lines, targets[answer][0]))

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the line; leaving the editor returns here."""
        if change := await self._meant():
            lines = self.diff
            self.host.edit_file(change.ref, lines.line(), row=lines.cursor_row())

    @in_turn
    async def action_history(self) -> None:
        """Show the versions of the file."""
        if change := await self._meant():
            self.host.open_history(change.ref)

    @in_turn
    async def action_show_then(self) -> None:
        """Show the prompt just before the line, or in the list of files the file, was written."""
        if (change := await self._meant()) is None:
            return
        line = self.lines[self.diff.at] if self.focused is self.diff and self.diff.at < len(self.lines) else None
        version = line.version if line is not None else None
        if version is None:
            found = await attempt(asyncio.to_thread(history.of_file, self._shown, change.ref), self.warn) or []
            version = next((each for each in found if not each.origin.is_ours), None)
        if version is None:
            self.warn("No version of this file by others is recorded.")
        else:
            await show_then(self.host, version, self)

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
        rows, here = self.query_one(ChangeList), self.change
        own = [key for key in rows.keys if isinstance(key, tuple) and self._at(key)[0].session is self._shown]
        paths = [path for _, path in own]
        found = self.marks.match(wanted, paths, (here.ref.path if here else "", self.diff.at), step)
        if found is None:
            self.warn("No changed line has these words.")
            return
        if here is None or here.ref.path != found[0]:
            rows.show(rows.keys, cursor=(own[0][0], found[0]))
            self._compare()
        self.diff.go(found[1])


def _matching(lines: Sequence[ReviewLine], wanted: str) -> list[int]:
    """The numbers of the changed lines that contain all of these words."""
    terms = terms_of(wanted)
    texts = ((line.number, fold((line.key.added or b"") + (line.key.removed or b""))) for line in lines)
    return [number for number, text in texts if all(term in text for term in terms)]


def pending_row(change: PendingReview, now_ns: int) -> ListRow:
    """Render a changed file."""
    state = "new " if change.reviewed is None else "deleted " if change.now is None else ""
    doubts = [LOST_MOST] if change.wiped and change.now is not None else []
    doubts += [f"took lines {change.dropped.how}"] if change.dropped else ["lines put back"] if change.mended else []
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
    last = change.versions[0]
    return ListRow(pieces, f"{last.author} · {ago(last.when, now_ns)}")


def pending_title(change: PendingReview, session: Session) -> str:
    """The title of a file's changes."""
    count = len(change.versions)
    evidence = f" · {change.versions[0].author}" if change.versions else ""
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
    return f"{losses.describe(change.dropped)} b puts back what is marked, x lets it be"


def nothing_pending(last: Version | None, now_ns: int, *, is_of_all: bool = True, elsewhere: int = 0) -> str:
    """The text for an empty review; `elsewhere` files of other memories wait."""
    told = f"Nothing to review.{nobody_since(last, now_ns)}{'' if is_of_all else wider(elsewhere)}"
    return f"{told}\n\nWhat other programs write to the memory shows up here, with who, when and a diff."
