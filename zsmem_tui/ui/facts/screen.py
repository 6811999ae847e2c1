"""Every fact of a file, a project or all: what of it agents see, who wrote it when, one key for each thing to do with it."""

from __future__ import annotations

import asyncio
import threading
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.errors import HistoryError, MemError
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.layout import has_main_file, only_instructions
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import history, wanted
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import new_note, proposed_note
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactList, FactReader, FactRow, Scope, find_row
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.facts import rows as fact_rows
from zsmem_tui.ui.facts.rows import FactId, Key, fact_id
from zsmem_tui.ui.facts.verbs import FactVerbs, can_fit, goes_down
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.open_store import FactsAbout
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.tool import DecidingScreen, Make, pane
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.row_list import HEADING, PROBLEM, ListRow, MarkList, RowList
from zsmem_tui.ui.wording import refusal

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore


FILES_AT_ONCE: Final = 25
"""Files whose history is followed before the screen is shown again."""


class Known:
    """What was read of the facts of a store: rows by key, with what the history says of them, and which are wanted."""

    def __init__(self, session: Session, store: str = "") -> None:
        """With the key of the `store` where facts of others are beside them: their keys begin with it then."""
        self._session = session
        self._before = f"{store}\0" if store else ""
        self._reader = FactReader(session)
        self._provenance = Provenance(session)
        self._reading, self._asking = threading.Lock(), threading.Lock()
        """A thread whose answer nobody waits for any more still runs to its end: the next of its kind waits for it."""
        self._looked = False
        self._past: dict[Key, tuple[int, str, bool]] = {}
        self._folded: Mapping[Key, bytes] = {}
        self.rows: dict[Key, FactRow] = {}
        self.problems: Mapping[str, str] = {}
        self.wanted: set[Key] = set()
        self.complete = True
        """Whether these are all, or the rest is still being read."""

    def parts(
        self, project: str | None, least: int, at: str, is_shown: Callable[[str], bool]
    ) -> Iterator[tuple[FactList, set[Key]]]:
        """The facts of a project (None: of all), in files that are shown, and those wanted; for threads, the first before all."""
        parts = self._reader.parts(Scope.ALL if project is None else Scope.PROJECT, project=project or "", least=least, below=at)
        while True:
            with self._reading:
                found = next(parts, None)
            if found is None:
                return
            shown = {path: is_shown(path) for path in {row.ref.path for row in found.rows}}
            problems = {path: problem for path, problem in found.problems.items() if is_shown(path)}
            found = found._replace(rows=tuple(row for row in found.rows if shown[row.ref.path]), problems=problems)
            flags = wanted.is_wanted(self._session, found.rows)
            if self._before:
                rows = tuple(row._replace(key=(f"{self._before}{row.key[0]}", *row.key[1:])) for row in found.rows)
                found = found._replace(rows=rows)
            if past := dict(self._past):
                rows = tuple(row if (known := past.get(row.key)) is None else _with(row, known) for row in found.rows)
                found = found._replace(rows=rows)
            yield found, {row.key for row, is_so in zip(found.rows, flags, strict=True) if is_so}

    def take(self, found: FactList, wanted: set[Key]) -> Callable[[Key], Key | None]:
        """Hold what was read; answers what a fact of before is called now, None when it is gone."""
        before = self.rows
        self.rows = {row.key: row for row in found.rows}
        self.problems, self.wanted, self.complete = found.problems, wanted, found.complete
        self._folded = {}
        of_path: dict[str, list[FactRow]] = {}

        def renamed(key: Key) -> Key | None:
            if key in self.rows or key not in before:
                return key if key in self.rows else None
            old = before[key]
            if not of_path:
                for row in found.rows:
                    of_path.setdefault(row.ref.path, []).append(row)
            again = find_row(old, of_path.get(old.ref.path, []))
            return None if again is None else again.key

        return renamed

    def ask(self, rows: list[FactRow]) -> tuple[FactRow, ...]:
        """What the history says of facts; for a thread. Raises `HistoryError`."""
        with self._asking:
            if not self._looked:
                history.look_at_all(self._session)
                self._looked = True
            return self._provenance.fill(rows)

    def learn(self, filled: Iterable[FactRow]) -> None:
        """Hold what the history says of some of them."""
        for row in filled:
            self._past[row.key] = known = (row.since, row.author, row.is_new)
            if (own := self.rows.get(row.key)) is not None:
                self.rows[row.key] = _with(own, known)

    def first_at(self, about: FactsAbout) -> Key | None:
        """The fact where the person was reading."""
        own = [row for row in self.rows.values() if about.ref is not None and row.ref.path == about.ref.path]
        return next((row.key for row in own if row.fact.stop > about.line), own[-1].key if own else None)

    def by_files(self, seen: Iterable[Any]) -> list[list[FactRow]]:
        """All facts, some files at a time: first the files of those that are `seen`, by their keys."""
        of_path: dict[str, list[FactRow]] = {self.rows[key].ref.path: [] for key in seen if key in self.rows}
        first = len(of_path)
        for row in self.rows.values():
            of_path.setdefault(row.ref.path, []).append(row)
        files = list(of_path.values())
        cuts = [0, first, *range(first + FILES_AT_ONCE, len(files) + FILES_AT_ONCE, FILES_AT_ONCE)]
        return [[row for rows in files[start:stop] for row in rows] for start, stop in pairwise(cuts) if files[start:stop]]

    def folded(self) -> Mapping[Key, bytes]:
        """What a filter looks through, by the key of the fact; made when it is asked for first."""
        if not self._folded:
            self._folded = dict(zip(self.rows, fact_rows.searched(list(self.rows.values())), strict=True))
        return self._folded


def _with(row: FactRow, known: tuple[int, str, bool]) -> FactRow:
    return row._replace(since=known[0], author=known[1], is_new=known[2])


def prompt_meant(about: FactsAbout, rows: Sequence[FactRow]) -> str:
    """The project whose prompt counts for these facts: their own, else the one that is shown."""
    own = {row.ref.project for row in rows}
    return own.pop() if len(own) == 1 and "" not in own else about.project


QUIET_SECONDS: Final = 0.15
"""Seconds that the cursor rests on a fact before what would become of the prompt is worked out."""

LONG_SECONDS: Final = 0.3
"""Seconds after which it says that this is being worked out."""

WEIGHING: Final = "Working out what each key would do …"

NOTHING: Final = "Go to a fact: what each key would do to the prompt shows up here."

_COLOURS: Final = {"added": "$success", "removed": "$error", "quiet": "$text-muted"}


def _words_in(key: Key | str) -> object:
    """The file and the words: lines come and go."""
    return key if isinstance(key, str) else (key[0], key[2])


class FactRows(MarkList[FactRow], keys="facts"):
    """The facts; the rows between them are headings and problems."""

    same = staticmethod(_words_in)

    _ids: tuple[object, object, dict[FactId, Key]] = (None, None, {})

    def ids(self) -> dict[FactId, Key]:
        """The facts that are shown, by what names them while lines come and go."""
        keys, items, found = self._ids
        if keys is not self.keys or items is not self.items:
            found = {fact_id(self.items[key]): key for key in self.keys if key in self.items}
            self._ids = (self.keys, self.items, found)
        return found


class Weighed(NamedTuple):
    """An act, and what it does to the prompt, or why it cannot be done."""

    name: str
    effect: Effect | None
    problem: str = ""


class PromptEffect(Static):
    """The acts that are weighed for the chosen facts, with the lines that come into the prompt and go; what does alike as one."""

    @work(exclusive=True, group="effect")
    async def weigh(self, session: Session, rows: Sequence[FactRow], project: str) -> None:
        """Show it for these facts, once the cursor rests; an older question is not answered any more."""
        if not rows or not self.display:
            self.update(NOTHING if not rows else "", layout=False)
            return
        await asyncio.sleep(QUIET_SECONDS)
        weighing = asyncio.ensure_future(asyncio.to_thread(weighed, session, rows, project))
        if not (await asyncio.wait({weighing}, timeout=LONG_SECONDS))[0]:
            self.update(WEIGHING, layout=False)  # what stands there is about another fact
        found = await weighing
        most = max((self.size.height - len(found)) // (2 * len(found)), 0)
        alike: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
        for name, effect, problem in found:
            does = (problem, ()) if effect is None else (effect.words, tuple(fact_rows.effect_lines(effect, most)))
            alike.setdefault(does, []).append(name)
        parts: list[Content] = []
        for (words, lines), names in alike.items():
            parts.append(Content.assemble((" · ".join(names), "bold"), f": {words}"))
            parts += [Content.styled(text, _COLOURS[style]) for text, style in lines]
        self.update(Content("\n").join(parts), layout=False)  # its size is given


class FactsScreen(DecidingScreen[FactRow], FactVerbs):
    """Left the list and what is known of the fact under the cursor, right what the prompt would gain and lose."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"facts": "facts"}
    PAGE = "facts"
    WAYS = fact_rows.WAYS
    OF_ALL = True
    NOUN = "fact"
    KEYS = "space keep · d delete · m move · p promote · + top · e edit"

    def __init__(self, host: ZsmemApp, about: FactsAbout, judged: set[FactId]) -> None:
        super().__init__(host, judged)
        self._about = about
        self.project = about.project
        self._knows: dict[str, Known] = {}
        self._side_title = ""
        self._cursor: Key | None = None
        """What the fact under the cursor is called when facts are shown next; at first, the one where the person was reading."""

    @property
    def rows(self) -> FactRows:
        """The list."""
        return self.query_one(FactRows)

    @property
    def about(self) -> FactsAbout:  # type: ignore[override]
        """The project whose prompt is meant: that of the store that is looked at."""
        return self._about if self.memory is self.home else FactsAbout(self.session.project)

    def _knows_of(self, store: OpenStore) -> Known:
        if store.key not in self._knows:
            self._knows[store.key] = Known(store.session, "" if store is self.home else store.key)
        return self._knows[store.key]

    @property
    def _shown(self) -> dict[str, Known]:
        """What is known of the stores that are shown, by the key of the store."""
        return {store.key: self._knows_of(store) for store in self.memories}

    @property
    def _is_complete(self) -> bool:
        return all(known.complete for known in self._shown.values())

    def _store_of(self, key: Key) -> OpenStore:
        store, nul, _ = key[0].partition("\0")
        return self.host.main.store_of(store) if nul else self.home

    async def meant(self, *, at_cursor: bool = False) -> list[FactRow]:
        """The chosen facts, when they are in one store."""
        found = await super().meant(at_cursor=at_cursor)
        return found if self.is_in_one(self._store_of(row.key) for row in found) else []

    def compose_body(self) -> Iterable[Widget]:
        """Filter line, list, detail; the prompt before and after."""
        yield pane(
            "list",
            "Facts",
            FilterLine("words that the fact, its heading or its file holds", id="fact-filter", rows="facts"),
            Static("", classes="notice", id="run", markup=False),
            FactRows(self._row, id="facts"),
            Static("", id="fact-detail", markup=False),
            id="fact-list",
        )
        effect = PromptEffect(NOTHING, id="fact-effect", markup=False)
        yield pane("side", "If you press: the prompt", effect, id="fact-side")

    @in_turn
    async def action_show_fall(self) -> None:
        """The moment at which the fact under the cursor fell out of the prompt."""
        from zsmem_tui.service import past, previewing  # with the history, which facts can do without

        for row in await self.meant(at_cursor=True):
            about = previewing.subject(self.session)._replace(project=row.ref.project or self.about.project)
            if row.prompt is Prompt.WHOLE:
                self.warn("This fact is in the prompt.")
                continue
            why_not: list[str] = []
            found = await attempt(asyncio.to_thread(past.pushed_out, self.session, about, row.fact.text), why_not.append)
            if found is not None:
                self.host.open_prompt(about._replace(at=found.point), found.before)
            else:
                self.warn(*why_not or ["This fact has not fallen out of the prompt, as far back as anything is recorded."])

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the facts, show them, then find out how old they are and who wrote them."""
        try:
            await self.read()
        finally:
            self.ready.set()
        try:
            await self._fill()
        except HistoryError as error:
            self.query_one("#fact-list").border_subtitle = Content(visible_line(refusal(error)))

    async def read(self) -> None:
        """Read the facts again; the cursor and the marks stay on theirs.

        Of many files, the first are shown while the rest is read. That comes in one step: with the scroll bar, which would jump
        otherwise, and with the ages of those on the screen, where these are known by then.
        """
        rows = self.rows
        in_parts = self._is_as_read and not rows.marked and not self.query_one(FilterLine).words
        here = rows.at_cursor()
        at = here.ref.path if here else self._about.ref.path if self._about.ref is not None and not rows.items else ""
        await self.find_told()
        for store in self.memories:
            known, is_home = self._knows_of(store), store is self.home
            least = rows.size.height if in_parts and is_home else 0
            parts = known.parts(self.project if is_home and not self.is_of_all else None, least, at, partial(self.is_shown, store))
            while (part := await asyncio.to_thread(next, parts, None)) is not None and not self.closed:
                before, is_first = known.rows, not rows.items
                renamed = known.take(*part)
                rows.marked = {new for each in rows.marked if (new := renamed(each) if each in before else each) is not None}
                if rows.key in before or is_first:
                    self._cursor = known.first_at(self._about) if is_first else renamed(rows.key)
                rows.styles.scrollbar_visibility = "visible" if known.complete else "hidden"
                self.show()
                if not known.complete:
                    self.run_worker(self._ask_of_the_first(), exclusive=True, group="first")

    async def _fill(self) -> None:
        """Ask the history: of what is on the screen first, then of everything, some files at a time."""
        for known in self._shown.values():
            for some in known.by_files(_in_sight(self.rows)):
                await self._learn(known, some)
        if self._needs_history:
            self.show()
        self.tell()

    @on(Input.Changed, "#fact-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#fact-filter"):
            return
        rows, pane, every = self.rows, self.query_one("#fact-list"), self._shown
        rows.items = next(iter(every.values())).rows if len(every) == 1 else ChainMap(*(known.rows for known in every.values()))
        now_ns, words = self.host.now_ns(), self.query_one(FilterLine).words
        which, group, order = (self.way[what] for what in self.WAYS)
        listed: list[FactRow] = []
        keys: list[Key | str] = []
        problems: list[str] = []
        others = 0
        for store in self.memories:
            known = every[store.key]
            own = list(known.rows.values())
            found = fact_rows.kept(own, which, words, known.folded, now_ns)
            listed += found
            if found and (over := self.heading_of(store)):
                keys.append(f"{HEADING}{over}")
            keys += fact_rows.arranged(found, group, order, now_ns, store.session)
            problems += [f"{PROBLEM}{path}: {reason.rpartition(': ')[2]}" for path, reason in known.problems.items()]
            if words and not found and which != "all":
                others += len(fact_rows.kept(own, "all", words, known.folded, now_ns))
        rows.nothing = fact_rows.nothing(bool(rows.items), which, words, 0 if listed else others)
        cursor, self._cursor = self._cursor, None
        rows.show([*problems, *([f"{HEADING}{rows.nothing}"] if problems and not listed else []), *keys], stays=cursor)
        is_complete = self._is_complete
        title = fact_rows.title(self.scope_name, which, group, order, len(listed) if is_complete else None)
        pane.border_title = Content(title)
        pane.border_subtitle = Content(fact_rows.legend(listed) if is_complete else "")
        self.tell()

    def _row(self, key: Key) -> ListRow:
        store = self._store_of(key)
        known = self._knows_of(store)
        return fact_rows.fact_row(
            known.rows[key],
            is_wanted=key in known.wanted,
            group=self.way["group"],
            now_ns=self.host.now_ns(),
            width=self.rows.size.width,
            session=store.session,
            checkup=store.checkup,
        )

    @property
    def _needs_history(self) -> bool:
        """Whether what the history says decides what is shown, or where."""
        return not {"age", "author", "new", "mine", "theirs", "old"}.isdisjoint(self.way.values())

    @property
    def _is_as_read(self) -> bool:
        """Whether the facts stand in the order in which they are read, so that the first of them can be shown first."""
        return self.way["which"] == "all" and self.way["order"] == "place" and self.way["group"] in ("place", "none")

    async def read_again(self, items: Sequence[FactRow]) -> None:
        """Nothing is marked any more after a verb."""
        self.rows.marked.clear()
        await super().read_again(items)

    def edit_file(self, row: FactRow) -> None:
        """Edit the file at a fact; leaving the editor comes back to it."""
        self.host.edit_file(row.ref, row.fact.line, row=self.rows.screen_row)

    def named(self) -> Mapping[FactId, Key]:
        """A fact is named by what stays while lines come and go."""
        return self.rows.ids()

    def names_after(self, items: Sequence[FactRow], *, edited: bool) -> Iterable[FactId]:
        """What named them, and what names them where they were edited, or where they come up again once they are moved."""
        known = self.rows.items
        places, words = {row.key[:2] for row in items}, {row.fact.says for row in items}
        target = self.last_target.ref.path if self.last_target is not None else ""
        yield from (fact_id(row) for row in items if row.key in known or row.fact.same == 1)
        for row in known.values():
            if (edited and row.key[:2] in places) or (row.ref.path == target and row.fact.says in words):
                yield fact_id(row)

    def offered(self, action: Action) -> Action | None:
        """Promote is called demote where the facts can only go down; Fit is there where it can make room."""
        if action.id == "facts.fit" and not can_fit(self.session, self.about.project):
            return None
        if action.id != "facts.promote":
            return super().offered(action)
        chosen = self.rows.chosen()
        is_down = goes_down(self.session, chosen, prompt_meant(self.about, chosen))
        return action._replace(label="Demote") if is_down else action

    @on(RowList.Moved)
    def tell(self) -> None:
        """How far it is one after another, what is known of the fact under the cursor, and what keys would do to the prompt."""
        super().tell()
        if self.rows.at_cursor():
            self.look_at(self._store_of(self.rows.key))
        self._tell_detail()
        self.show_keys()
        chosen = [row for row in self.rows.chosen() if self._store_of(row.key) is self.memory]
        project = prompt_meant(self.about, chosen)
        title = f"If you press: prompt of {visible_line(self.session.group_name(project))}"
        if title != self._side_title:
            self._side_title = title
            self.query_one("#fact-side").border_title = Content(title)
        self.query_one(PromptEffect).weigh(self.session, chosen, project)

    async def _ask_of_the_first(self) -> None:
        """Ask the history about what is on the screen, while the rest is read: nothing is drawn before that is."""
        with suppress(HistoryError):  # it is said when all are asked about
            known = self._knows_of(self.home)
            for some in known.by_files(_in_sight(self.rows))[:1]:
                await self._learn(known, some)

    async def _learn(self, known: Known, some: list[FactRow]) -> None:
        known.learn(await self.asking(known.ask, some))
        if self._is_complete:
            self.rows.refresh()
            self._tell_detail()

    def _tell_detail(self) -> None:
        row, store = self.rows.at_cursor(), self._store_of(self.rows.key) if self.rows.at_cursor() else self.home
        is_wanted = row is not None and row.key in self._knows_of(store).wanted
        words = fact_rows.detail(row, self.host.now_ns(), store.session, is_wanted=is_wanted) if row else ""
        self.query_one("#fact-detail", Static).update(Content(visible(words)), layout=False)  # its size is given


def _in_sight(rows: FactRows) -> Sequence[Any]:
    """The keys of the rows on the screen."""
    return rows.keys[rows.scroll_offset.y :][: rows.size.height]


def considered(session: Session, rows: Sequence[FactRow], project: str) -> list[tuple[str, Make]]:
    """The acts that are weighed before a key is pressed: its key with what it does, and how it is made."""
    top = ("+ to the top", lambda: acts.to_top(session, rows))
    delete = ("d delete", lambda: acts.delete(session, rows))
    if only_instructions(session.layout):
        return [delete]
    if not has_main_file(session.layout, project):
        return [top, delete]
    if goes_down(session, rows, project):
        note = new_note(session, project, proposed_note(rows[0]))
        return [top, delete, ("p demote, into a note", lambda: acts.move(session, rows, note))]
    return [top, delete, ("p promote", lambda: acts.promote(session, rows))]


def weighed(session: Session, rows: Sequence[FactRow], project: str) -> list[Weighed]:
    """What each act that is considered would do to the prompt of a project; nothing is written."""
    out = []
    for name, make in considered(session, rows, project):
        try:
            out.append(Weighed(name, acts.effect(session, make(), project)))
        except MemError as error:
            out.append(Weighed(name, None, visible_line(refusal(error))))
    return out
