"""The history screen: versions of a file or a store, with their changes, which can be reverted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.line_changes import line_changes
from zsmem_tui.core.moments import moment, when_words
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import LOST_MOST, AuthorKind, Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import history, review_lines
from zsmem_tui.service.facts.provenance import Chapter, story
from zsmem_tui.service.facts.rows import FactRow, fact_at, name_of
from zsmem_tui.service.history import PutBackResult
from zsmem_tui.service.results import Resolution
from zsmem_tui.service.review_lines import ReviewLine
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import Typed
from zsmem_tui.ui.history.verbs import resolve_clash
from zsmem_tui.ui.perform import attempt, late, perform, show, show_then
from zsmem_tui.ui.tool import ListScreen
from zsmem_tui.ui.widgets.frame import FilterLine, pane
from zsmem_tui.ui.widgets.line_diff import LineDiff
from zsmem_tui.ui.widgets.row_list import ListRow, MarkList, RowList
from zsmem_tui.ui.wording import ago, refusal, title_of, with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action

WHOSE: Final = ("everybody's", "yours", "others'")
"""The filter by author."""

AGAINST: Final = ("the version before", "now")
"""What a version is compared with."""

TIMELINE = 5_000
"""Maximum number of versions of a whole store; reading them takes 50 ms."""

_ROOMY: Final = 100
"""Columns of a screen that has room for the moment of a version instead of its age."""

AT_ONCE = 50
"""Versions whose changed lines are searched at a time: as many show up together, and the screen's other questions wait for them."""


class VersionList(MarkList[Version], keys="versions"):
    """The list of versions, newest first."""

    def seek_new(self, over: Callable[[], bool]) -> None:
        """Stay: what an undo brings back is no version here, but the undo makes one."""


class VersionDiff(LineDiff, keys="version"):
    """The changes of a version."""

    NOTHING = "What the chosen version changed shows up here; b reverts a line or what is marked, B restores the whole file."


_ENDS: Final = ("of", "in")

_LEADS: Final = ("to", "into", "from", "and", "with")
"""Words before a title at the end of a step's: those that go with it, and those without which it would say nothing."""


def without_title(label: str, title: str) -> str:
    """The title of a step without that of its file at the end, unless it would end in the air."""
    if not title or not label.endswith(f" {title}"):
        return label
    short = label.removesuffix(title).rstrip()
    before, _, last = short.rpartition(" ")
    return before if last in _ENDS else label if last in _LEADS else short


class HistoryScreen(ListScreen):
    """The history screen: versions of a file, or of the store by day, at the left; changes at the right."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"versions": "versions", "version-diff": "version"}
    PAGE = "history"
    WAYS: ClassVar[Mapping[str, Sequence[str]]] = {"whose": WHOSE, "against": AGAINST}

    def __init__(self, host: ZsmemApp, ref: MemRef | str | None, line: int = -1) -> None:
        super().__init__(host)
        self._ref = ref
        """The file, or the group of files; None: all files."""
        self._line = line
        """A line of the file at whose fact to look; -1: at the whole file."""
        self._home = (ref, line)
        self._fact: FactRow | None = None
        self._told: Mapping[str, Chapter] = {}
        """What each version did to the fact, by its id."""

    diff = query_one(VersionDiff)

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        words = FilterLine(
            "words of the changed lines, the file's name, the author or the step", id="version-filter", rows="versions"
        )
        yield pane("list", self._title, words, VersionList(self._row, id="versions"))
        yield pane("side", "What this version changed", VersionDiff(id="version-diff"))

    async def read(self) -> None:
        """Read the versions."""
        rows, ref = self.rows, self._ref
        found: list[Version] = []
        try:
            is_line = isinstance(ref, MemRef) and self._line >= 0
            self._fact = fact = await self.asking(fact_at, self.session, ref, self._line) if is_line else None
            self._line = self._line if fact is not None else -1
            told = await self.asking(story, self.session, fact) if fact is not None else []
            self._told = {each.version.id: each for each in told}
            if fact is not None:
                found = [each.version for each in told]
            elif isinstance(ref, MemRef):
                found = await self.asking(history.of_file, self.session, ref)
            elif ref is not None:
                found = await self.asking(history.latest, self.session, TIMELINE, ref)
            else:
                found = await self.asking(history.timeline, self.session, TIMELINE)
            rows.nothing = "No version is recorded yet. Every change, yours or an agent's, makes one: e edits the file."
        except MemError as error:
            rows.nothing = refusal(error)
        rows.items = {version.id: version for version in found}
        self.show()

    def show(self) -> None:
        """Show the versions that match the filters; those found by their lines follow."""
        self._show_found(is_looking=bool(self.words))
        self._find_in_lines()

    @work(exclusive=True, group="words")
    async def _find_in_lines(self) -> None:
        """Look for the words in what the versions changed, the newest first, and add those that have them."""
        wanted, every, held = self.words, list(self.rows.items.values()), set[str]()
        for at in range(0, len(every) if wanted else 0, AT_ONCE):
            held |= await self.asking(history.with_words, self.session, every[at : at + AT_ONCE], wanted)
            self._show_found(held, is_looking=at + AT_ONCE < len(every))

    def _show_found(self, held: Collection[str] = (), *, is_looking: bool = False) -> None:
        rows, wanted = self.rows, self.words
        found = wanted_versions(rows.items.values(), self.way["whose"], wanted, held)
        if rows.items and not found:
            nothing = "No version is like this: f shows those of everybody, esc drops the words."
            rows.nothing = "Looking for it in the changed lines …" if is_looking else nothing
        rows.show([version.id for version in found] if isinstance(self._ref, MemRef) else by_day(found))
        pane = self.query_one(".tool-list")
        pane.border_title = Content(self._title)
        pane.border_subtitle = Content(counted(len(found), "version"))
        if not found:
            self.diff.show_nothing()

    @property
    def _title(self) -> str:
        ref, session = self._ref, self.session
        name = title_of(ref, session) if isinstance(ref, MemRef) else session.group_name(ref) if ref else "all files"
        name = f"“{visible_line(name_of(self._fact.fact, 30))}” in {name}" if self._fact is not None else name
        return f"History of {name}" + (f" · {self.way['whose']}" if self.way["whose"] != WHOSE[0] else "")

    def action_cycle(self, what: str) -> None:
        """Go from a fact to its file, from a file to all files and back, or change the filter by author."""
        if what != "scope":
            super().action_cycle(what)
            return
        version = self.rows.at_cursor()
        if self._line >= 0:
            self._line = -1
        elif self._ref is not None:
            self._home = self._home if self._home[0] is not None else (self._ref, -1)
            self._ref = None
        elif self._home[0] is None and version is not None and version.path:
            self._ref = self.session.ref_at(version.path)
        else:
            self._ref, self._line = self._home
        self.load()

    def _row(self, key: str) -> ListRow:
        version = self.rows.items[key]
        title = title_of(self.session.ref_at(version.path), self.session) if version.path else ""
        main = self.host.main
        label = without_title(with_titles(version.label, main.here, main.stores), title)  # the row or the pane has it
        said, name = ago if self.size.width < _ROOMY else when_words, "" if isinstance(self._ref, MemRef) else title
        return version_row(version._replace(label=label), self.host.now_ns(), name, said)

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.diff.focus()

    @on(RowList.Moved)
    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        version, view, right = self.rows.at_cursor(), self.diff, self.query_one(".tool-side")
        if version is None:
            view.show_nothing()
            return
        right.border_title, right.border_subtitle = Content(str(version.author)), Content("")
        since = self.way["against"] == AGAINST[1]
        found, hidden, lines = await late(self.asking(_texts_shown, self.session, version, since), view.show_nothing)
        if self.rows.key == version.id:
            view.show_lines(version.id, found.before, found.after, lines, hidden)
            if (chapter := self._told.get(version.id)) is not None and not since:
                view.go_to_line((chapter.after or chapter.before).partition("\n")[0])
            changes = counted(view.page.changes, "change")
            whose = "from this version to now" if since else version.author
            right.border_title = Content(f"{whose} · {changes if version.path else 'this step wrote no file'}")
            right.border_subtitle = Content(found.note or (version.who if version.author.kind is AuthorKind.UNNAMED else ""))

    def action_mark(self) -> None:
        """Toggle the mark of the line."""
        self.diff.toggle_mark()

    def back(self) -> None:
        """Drop the marks, else go one step back."""
        if not (self.focused is self.diff and self.diff.unmark()):
            super().back()

    async def _refresh(self, done: VerbResult) -> None:
        if not done.conflicted:
            await self.host.main.look_after(self.host.main.here)
        self.load()

    @in_turn
    async def action_restore(self) -> None:
        """Restore the file to this version."""
        version = self.rows.at_cursor()
        if version is None:
            return
        if not version.path:
            self.warn("This step wrote no file: u takes it back, once it is the last.")
        else:
            await perform(self.host, lambda: history.restore(self.session, version), self, refresh=self._refresh)

    @in_turn
    async def action_show_then(self) -> None:
        """Show the prompt just before the version was written."""
        version = self.rows.at_cursor()
        if version is None or not version.path:
            self.warn("This step wrote no file.")
        else:
            await show_then(self, self.session, version)

    def offered(self, action: Action) -> Action | None:
        """Leave out what is about a version's own changes while those since then are shown."""
        is_about_others = self.way["against"] == AGAINST[1] and action.act in ("screen.put_back", "screen.edit")
        return None if is_about_others else super().offered(action)

    def _compared(self) -> Version | None:
        """The version whose own changes are shown; None, with a message, if there is none."""
        version: Version | None = self.rows.at_cursor()
        if self.way["against"] == AGAINST[1]:
            self.warn("The side shows what has changed since: B takes that back, and | shows what the version itself changed.")
        elif version is None or self.diff.key is None:
            self.warn("This version changed no line.")
        else:
            return version
        return None

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the change's present place; leaving the editor returns here."""
        if (version := self._compared()) is None:
            return
        line, row = self.diff.line(), self.diff.cursor_row()
        now = await attempt(asyncio.to_thread(history.line_now, self.session, version, line), self.warn)
        if now is not None:
            self.host.edit_file(self.session.ref_at(version.path), now, row=row)

    @in_turn
    async def action_put_back(self) -> None:
        """Revert the line of the version, or what is marked; from the list, all of it."""
        if (version := self._compared()) is None:
            return
        view = self.diff
        numbers = view.numbers() if view.has_focus else None
        async with Typed(self) as typed:
            done = await attempt(self._put_back(version, numbers, typed), lambda why: self.say(why, warning=True))
        if done is not None:
            if done.changed:
                view.unmark(shown=True)
            await show(self.host, done, self, refresh=self._refresh)

    async def _put_back(self, version: Version, numbers: Collection[int] | None, typed: Typed) -> PutBackResult:
        """Revert changes, asking about each conflict; if one remains in the result, the person cancelled. Raises `MemError`."""
        resolved: Resolution | None = None
        while True:
            done = await asyncio.to_thread(history.put_back_change, self.session, version, numbers, resolved=resolved)
            if done.clash is None:
                typed.written()
                return done
            await typed.keep()  # it was about a text that is there no more
            resolved = await resolve_clash(self.host.main, done.clash, mine="Without this change", typed=typed)
            if resolved is None:
                return done


def _texts_shown(session: Session, version: Version, since: bool) -> tuple[history.Texts, Mapping[str, str], list[ReviewLine]]:
    """The texts of a version, or its and the present one, with credentials masked, and the changes. Raises `HistoryError`."""
    from zsmem_tui.service.today_rows import hidden  # deferred: many patterns, which no start needs

    found = history.texts(session, version, until_now=since)
    old, new = found.before or b"", found.after or b""
    return found, hidden(old, new), review_lines.between(old, new, line_changes(old, new))


def version_row(version: Version, now_ns: int, name: str = "", said: Callable[[int, int], str] = ago) -> ListRow:
    """Render a version, with the file's name if given, and its time as it is `said` now."""
    other = not (version.origin.is_ours or version.is_beside)
    is_order = bool(version.before and version.after != version.before and version.after) and not version.added + version.removed
    pieces = [
        (f"{signs.OTHERS} " if other else "  ", "mark"),
        (f"{name}  " if name else "", "text"),
        (f"+{version.added}" if version.path and not is_order else "", "added"),
        (f" -{version.removed}  " if version.path and not is_order else "", "removed"),
        ("lines moved  " if is_order else "", "text"),
        ("deleted  " if version.path and not version.after else "", "warn"),
        (f"! {LOST_MOST}  " if version.wiped and version.after else "", "warn"),
        (visible_line(printable_path(version.label if version.label and not other else str(version.author))), "text"),
    ]
    return ListRow(pieces, said(version.when if version.origin.is_step else version.since, now_ns))


def wanted_versions(found: Iterable[Version], whose: str, wanted: str, held: Collection[str] = ()) -> list[Version]:
    """The versions by `whose` (one of `WHOSE`) with these words in path, author or label, or whose ids are in `held`."""
    terms = terms_of(wanted)
    return [
        version
        for version in found
        if whose in (WHOSE[0], WHOSE[1] if version.origin.is_ours or version.is_beside else WHOSE[2])
        and (version.id in held or holds(f"{printable_path(version.path)} {version.author} {version.label}", terms))
    ]


def by_day(found: Iterable[Version]) -> list[str]:
    """The ids of versions under headings with their local date; a heading begins with `\\0`."""
    days = groupby(found, lambda version: moment(version.when / 10**9).strftime("%Y-%m-%d"))
    return [key for day, its in days for key in (f"\0{day}", *(version.id for version in its))]
