"""The facts screen: all facts of a file, a project or a store, with their state in the prompt, author and age."""

from __future__ import annotations

import asyncio
import threading
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.core.errors import HistoryError, MemError
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.layout import group_word, has_main_file, main_file, only_instructions
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import history, titles, wanted
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.acts import note_for
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactList, FactReader, FactRow, Scope, find_row, names_of
from zsmem_tui.service.fit import can_help
from zsmem_tui.service.previewing import subject
from zsmem_tui.service.session import Session
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import Asked
from zsmem_tui.ui.facts import rows as fact_rows
from zsmem_tui.ui.facts.rows import FactId, Key, fact_id
from zsmem_tui.ui.facts.verbs import FactVerbs, goes_down, prompt_meant
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.open_store import FactsAbout, none
from zsmem_tui.ui.perform import attempt, late
from zsmem_tui.ui.tool import DecidingScreen, Make
from zsmem_tui.ui.widgets.frame import Detail, FilterLine, pane
from zsmem_tui.ui.widgets.row_list import HEADING, PROBLEM, ListRow, MarkList, RowList
from zsmem_tui.ui.wording import refusal, short_path

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore

FILES_AT_ONCE: Final = 25
"""Number of files whose history is read in one step."""


class Known:
    """The facts read from a store: rows by key, with data from the history, and which are marked to stay."""

    def __init__(self, session: Session, store: str = "") -> None:
        """If facts of several stores are shown together, the key of `store` is prefixed to the facts' keys."""
        self._session = session
        self._before = f"{store}\0" if store else ""
        self._reader = FactReader(session)
        self._provenance = Provenance(session)
        self._reading, self._asking = threading.Lock(), threading.Lock()
        """A thread whose result is no longer needed still runs to its end; the next one of its kind waits for it."""
        self._looked = False
        self._past: dict[Key, tuple[int, str, bool, tuple[str, ...]]] = {}
        self._folded: Mapping[Key, bytes] = {}
        self.rows: dict[Key, FactRow] = {}
        self.problems: Mapping[str, str] = {}
        self.wanted: set[Key] = set()
        self.complete = True
        """Whether all facts have been read."""
        self.can_fit = False
        """Whether Fit may help with the prompt."""

    def parts(
        self, project: str | None, least: int, at: str, is_shown: Callable[[str], bool]
    ) -> Iterator[tuple[FactList, set[Key]]]:
        """Yield the facts of a project (None: all) in the files shown, with the keys marked to stay: a first part, then all.

        Runs in threads.
        """
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
                rows = tuple(row if (known := past.get(row.key)) is None else _with_history(row, known) for row in found.rows)
                found = found._replace(rows=rows)
            yield found, {row.key for row, is_so in zip(found.rows, flags, strict=True) if is_so}

    def take(self, found: FactList, wanted: set[Key]) -> Callable[[Key], Key | None]:
        """Store what was read; return a function that maps an old key to the fact's new key, or None if it is gone."""
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
        """Read age, author and novelty of facts from the history. Runs in a thread. Raises `HistoryError`."""
        with self._asking:
            if not self._looked:
                history.look_at_all(self._session)
                self._looked = True
            return self._provenance.fill(rows)

    def learn(self, filled: Iterable[FactRow]) -> None:
        """Store data from the history."""
        for row in filled:
            self._past[row.key] = known = (row.since, row.author, row.is_new, row.others)
            if (own := self.rows.get(row.key)) is not None:
                self.rows[row.key] = _with_history(own, known)

    def first_at(self, about: FactsAbout) -> Key | None:
        """The key of the fact where the person was reading, or None."""
        own = [row for row in self.rows.values() if about.ref is not None and row.ref.path == about.ref.path]
        return next((row.key for row in own if row.fact.stop > about.line), own[-1].key if own else None)

    def by_files(self, seen: Iterable[Any]) -> list[list[FactRow]]:
        """All facts in batches of files; first the files of the visible keys `seen`."""
        of_path: dict[str, list[FactRow]] = {self.rows[key].ref.path: [] for key in seen if key in self.rows}
        first = len(of_path)
        for row in self.rows.values():
            of_path.setdefault(row.ref.path, []).append(row)
        files = list(of_path.values())
        cuts = [0, first, *range(first + FILES_AT_ONCE, len(files) + FILES_AT_ONCE, FILES_AT_ONCE)]
        return [[row for rows in files[start:stop] for row in rows] for start, stop in pairwise(cuts) if files[start:stop]]

    def folded(self) -> Mapping[Key, bytes]:
        """The text searched by the filter, by key; computed on first use."""
        if not self._folded:
            self._folded = dict(zip(self.rows, fact_rows.searched(list(self.rows.values())), strict=True))
        return self._folded


def _with_history(row: FactRow, known: tuple[int, str, bool, tuple[str, ...]]) -> FactRow:
    return row._replace(since=known[0], author=known[1], is_new=known[2], others=known[3])


QUIET_SECONDS: Final = 0.15
"""Seconds that the cursor must rest before effects are computed."""

WEIGHING: Final = "Working out what each key would do …"

NOTHING: Final = "At a fact, or marked ones of one agent: what each key does to the prompt."

_COLOURS: Final = {"added": "$success", "removed": "$error", "quiet": "$text-muted"}


class FactRows(MarkList[FactRow], keys="facts"):
    """The list of facts, with headings and problems."""

    same = staticmethod(lambda key: key if isinstance(key, str) else (key[0], key[2]))  # without the line number

    def draw_heading(self, key: str) -> ListRow:
        """The row for a heading; a path of headings on one line, cut in its middle."""
        return super().draw_heading(f"{key[0]}{short_path(key[1:], self.scrollable_content_region.width)}")


class Weighed(NamedTuple):
    """An action by its id and name (none: not shown), with its effect on the prompt and what else is to be said, or why not."""

    id: str
    name: str
    effect: Effect | None
    problem: str = ""


class PromptEffect(Static):
    """Shows the effects of actions on the prompt for the chosen facts; actions with the same effect are listed together.

    What can be done comes first.
    """

    refused: frozenset[str] = frozenset()
    """The ids of the actions that cannot be done with the facts weighed last."""
    about: object = None
    """What it was last asked about; None once the files may have changed."""
    _found: Sequence[Weighed] = ()
    """What is shown; empty while something else is."""

    def forget(self, words: str = "…") -> None:
        """Show these words instead of the effects, which are those of before or of another fact."""
        self._found = ()
        self.update(words, layout=False)

    @work(exclusive=True, group="effect")
    async def weigh(self, session: Session, rows: Sequence[FactRow], project: str) -> None:
        """Compute and show the effects once the cursor rests; cancels the computation before."""
        before, self.about = self.about, ([row.key for row in rows], project)
        if self.about != before:  # what is on display is about another fact
            self.forget("…" if rows else NOTHING)
        if not rows or not self.display:
            return
        await asyncio.sleep(QUIET_SECONDS)
        over = threading.Event()
        try:
            weighing = asyncio.to_thread(weighed, session, rows, project, over.is_set)
            found = await late(weighing, lambda: self.forget(WEIGHING))
        finally:
            over.set()
        possible = {each.id for each in found if each.effect is not None or not each.problem}
        self.refused = frozenset(each.id for each in found) - possible
        self.post_message(RowList.Shown())  # the keys of the row are known
        self._found = found
        self.on_resize()

    def on_resize(self) -> None:
        """Show the effects, each with as many of its lines as leave room for all others; of the last, if need be, fewer rows."""
        if not self._found:
            return
        width, height = max(self.content_size.width, 1), self.content_size.height
        most = max((height - len(self._found)) // (2 * len(self._found)), 0)
        while (over := sum(map(len, drawn := [part.wrap(width) for part in self._drawn(most)])) - height) > 0 and most:
            most -= 1
        for rows in reversed(drawn[1:]):
            kept = min(len(rows), max(len(rows) - over, 1))
            over -= len(rows) - kept
            rows[kept - 1 :] = [Content(" ").join(rows[kept - 1 :]).truncate(width, ellipsis=True)]
        self.update(Content("\n").join(chain.from_iterable(drawn)), layout=False)  # the size is fixed

    def _drawn(self, most: int) -> list[Content]:
        """All actions, each with at most this many lines that come in and that go out, in rows."""
        alike: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
        told, asks = set[str](), {each.id for each in self._found if each.effect is None and not each.problem}
        for id, name, effect, problem in sorted(filter(attrgetter("name"), self._found), key=lambda each: each.effect is None):
            words = ". ".join(filter(None, (effect.words if effect else "", problem)))
            does = words, tuple(fact_rows.effect_lines(effect, most) if effect else ())
            first = f"{name} (asks where)" if id in asks else name
            alike.setdefault(does, []).append(f"or {name.partition(' ')[2]}" if id in told else first)  # one key for both
            told.add(id)
        parts: list[Content] = []
        for (words, lines), names in alike.items():
            parts.append(Content.assemble((" · ".join(names), "bold"), f": {words}" if words else ""))
            parts += [Content.styled(text, _COLOURS[style]) for text, style in lines]
        return parts


class FactsScreen(DecidingScreen[FactRow], FactVerbs):
    """The facts screen: at the left the list and details, at the right the effects on the prompt."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"facts": "facts"}
    PAGE = "facts"
    WAYS = fact_rows.WAYS
    NOUN = "fact"
    KEYS = "space keep · d delete · m move · + load · e edit"

    def __init__(self, host: ZsmemApp, about: FactsAbout, judged: set[FactId]) -> None:
        super().__init__(host, judged)
        self._about = about
        self.project = about.project
        self._knows: dict[str, Known] = {}
        self._cursor: Key | None = None
        """The key to put the cursor on at the next `show`; at first, where the person was reading."""

    @property
    def about(self) -> FactsAbout:  # type: ignore[override]
        """The project whose prompt is considered: that of the store of the fact under the cursor."""
        return self._about if self.memory is self.home else FactsAbout(self.session.project)

    def _known_facts_of(self, store: OpenStore) -> Known:
        if store.key not in self._knows:
            self._knows[store.key] = Known(store.session, "" if store is self.home else store.key)
        return self._knows[store.key]

    @property
    def _shown(self) -> dict[str, Known]:
        """The facts of the stores shown, by store key."""
        return {store.key: self._known_facts_of(store) for store in self.memories}

    @property
    def _is_complete(self) -> bool:
        return all(known.complete for known in self._shown.values())

    def _store_of(self, key: Key) -> OpenStore:
        store, nul, _ = key[0].partition("\0")
        return self.host.main.store_of(store) if nul else self.home

    def store_of(self, item: FactRow) -> OpenStore:
        """The store of a fact."""
        return self._store_of(item.key)

    def compose_body(self) -> Iterable[Widget]:
        """Yield the filter, list and details, and the effects."""
        yield pane(
            "list",
            "Facts",
            FilterLine("words that the fact, its heading or its file holds", id="fact-filter", rows="facts"),
            Static("", classes="notice", id="run", markup=False),
            FactRows(self._row, id="facts"),
            Detail(id="fact-detail"),
            id="fact-list",
        )
        effect = PromptEffect(NOTHING, id="fact-effect", markup=False)
        yield pane("side", "If you press", effect, id="fact-side")

    @in_turn
    async def action_add(self) -> None:
        """Add one or more facts below this one; if there is no fact yet, to the file that is in every prompt."""
        session, project, first = self.session, self.about.project, self._first_file
        rows = [] if first else await self.meant(at_cursor=True)

        async def how(asked: Asked) -> Make | None:
            where = f"for {first}" if first else f"below {visible_line(names_of(rows))}"
            if not await asked.line("Add", f"A fact {where}:", lines=True):
                return None
            return lambda: acts.add_below(session, rows[0], asked.text) if rows else acts.add_first(session, project, asked.text)

        if rows or (first and not self.closed):
            await self.ask_and_do(rows, how)

    @property
    def _first_file(self) -> str:
        """The name of the file that a first fact goes to; empty if there are facts or no such file."""
        layout, project = self.session.layout, self.about.project
        is_there = not self.rows.items and has_main_file(layout, project)
        return main_file(layout, project).path.rpartition("/")[2] if is_there else ""

    @in_turn
    async def action_show_fall(self) -> None:
        """Show the prompt at the moment when the fact under the cursor was lost from it."""
        from zsmem_tui.service import past, previewing  # deferred: imports the history

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
        """Read and show the facts, then add ages and authors."""
        await self.read()
        try:
            await self._add_history()
        except HistoryError as error:
            self.query_one("#fact-list").border_subtitle = Content(visible_line(refusal(error)))

    async def read(self) -> None:
        """Read the facts again, keeping cursor and marks.

        With many files, the first part is shown while the rest is read. The rest is shown in a single step together with the scroll
        bar, and with ages if they are known by then, so that nothing jumps.
        """
        rows = self.rows
        as_read = self.way["which"] == "all" and self.way["order"] == "place" and self.way["group"] in ("place", "none")
        in_parts = as_read and not (rows.marked or rows.hidden) and not self.words
        here = rows.at_cursor()
        at = here.ref.path if here else self._about.ref.path if self._about.ref is not None and not rows.items else ""
        await self.find_told()
        self.query_one(PromptEffect).about = None
        for store in self.memories:
            known, is_home = self._known_facts_of(store), store is self.home
            least = rows.size.height if in_parts and is_home else 0
            parts = known.parts(self.project if is_home and not self.is_of_all else None, least, at, partial(self.is_shown, store))
            while (part := await asyncio.to_thread(next, parts, None)) is not None and not self.closed:
                before, is_first = known.rows, store.key == self._about.store and not known.rows
                renamed = known.take(*part)
                rows.marked, rows.hidden = (
                    {new for each in marks if (new := renamed(each) if each in before else each) is not None}
                    for marks in (rows.marked, rows.hidden)
                )
                if rows.key in before or is_first:
                    self._cursor = known.first_at(self._about) if is_first else renamed(rows.key)
                rows.styles.scrollbar_visibility = "visible" if known.complete else "hidden"
                self.show()
                if not known.complete:
                    self.run_worker(self._add_history_of_first(), exclusive=True, group="first")
            about = subject(store.session, self.project if is_home else "")
            known.can_fit = await self.asking(can_help, store.session, about)
        self.show_keys()

    async def _add_history(self) -> None:
        """Read the history: of the visible facts first, then of all, in batches."""
        for known in self._shown.values():
            for some in known.by_files(_visible_keys(self.rows)):
                await self._learn(known, some)
        if not {"age", "author", "new", "yours", "others'", fact_rows.OLD}.isdisjoint(self.way.values()):
            self.show()
        self.tell()

    def show(self) -> None:
        """Show what was read, with filter, grouping and order; does nothing once the screen is closed."""
        if not self.query("#fact-filter"):
            return
        rows, pane, every = self.rows, self.query_one("#fact-list"), self._shown
        rows.items = next(iter(every.values())).rows if len(every) == 1 else ChainMap(*(known.rows for known in every.values()))
        now_ns, words = self.host.now_ns(), self.words
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
            problems += [f"{PROBLEM}{fact_rows.unread(path, why, store.session)}" for path, why in known.problems.items()]
            if words and not found and which != "all":
                others += len(fact_rows.kept(own, "all", words, known.folded, now_ns))
        more = 0 if listed else others
        nothing = fact_rows.nothing(bool(rows.items), which, words, more, self._first_file, is_of_all=self.is_of_all)
        rows.nothing = none(nothing, self.memories, "" if rows.items else self.project)
        cursor, self._cursor = self._cursor, None
        problems = problems if which == "all" and not words else []
        rows.show([*problems, *([f"{HEADING}{rows.nothing}"] if problems and not listed else []), *keys], stays=cursor)
        count = len(listed) if self._is_complete else None
        rows.title = f"{fact_rows.title(which, group, order, count, len(rows.items))} · {self.scope_name}"
        pane.border_subtitle = Content(fact_rows.legend(rows.items.values()) if self._is_complete else "")
        self.tell()

    def sizes(self, what: str) -> Mapping[str, int]:
        """How many facts each kind has, once the history of all is read."""
        if what != "which" or not self._is_complete:
            return {}
        now_ns, words = self.host.now_ns(), self.words
        every = [(list(known.rows.values()), known.folded) for known in self._shown.values()]
        return {way: sum(len(fact_rows.kept(own, way, words, folded, now_ns)) for own, folded in every) for way in self.WAYS[what]}

    def _row(self, key: Key) -> ListRow:
        store = self._store_of(key)
        known = self._known_facts_of(store)
        return fact_rows.fact_row(
            known.rows[key],
            is_wanted=key in known.wanted,
            group=self.way["group"],
            now_ns=self.host.now_ns(),
            width=self.rows.size.width,
            session=store.session,
            checkup=store.checkup,
            words=self.words,
        )

    async def read_again(self, items: Sequence[FactRow]) -> None:
        """Read again and clear the marks."""
        self.rows.marked.clear()
        self.query_one(PromptEffect).forget()
        await super().read_again(items)

    def edit_file(self, row: FactRow) -> None:
        """Edit the file at a fact; leaving the editor returns here."""
        self.host.edit_file(row.ref, row.fact.line, row=self.rows.screen_row)

    def named(self) -> Mapping[FactId, Key]:
        """Facts are identified by ids that survive changed line numbers."""
        rows = self.rows
        return {fact_id(rows.items[key]): key for key in rows.keys if key in rows.items}

    def names_after(self, items: Sequence[FactRow], *, edited: bool) -> Iterable[FactId]:
        """The ids of decided facts, including the new ones of edited or moved facts."""
        known = self.rows.items
        places, words = {row.key[:2] for row in items}, {row.fact.says for row in items}
        target = self.last_target.ref.path if self.last_target is not None else ""
        yield from (fact_id(row) for row in items if row.key in known or row.fact.same == 1)
        for row in known.values():
            if (edited and row.key[:2] in places) or (row.ref.path == target and row.fact.says in words):
                yield fact_id(row)

    def offered(self, action: Action) -> Action | None:
        """Offer Unload if the facts can only go down; leave out Fit if it cannot help, and what is refused."""
        may_fit = action.id != "facts.fit" or self._known_facts_of(self.memory).can_fit
        if action.id in self.query_one(PromptEffect).refused or not may_fit:
            return None
        chosen = self.rows.chosen()
        if action.id == "facts.demote" and not goes_down(self.session, chosen, prompt_meant(self.about, chosen)):
            return None
        return super().offered(action)

    @on(RowList.Moved)
    def tell(self) -> None:
        """Update progress, details and effects for the fact under the cursor."""
        super().tell()
        if self.rows.at_cursor():
            self.look_at(self._store_of(self.rows.key))
        self._tell_detail()
        chosen = [row for row in self.rows.chosen() if self._store_of(row.key) is self.memory]
        project = prompt_meant(self.about, chosen)
        whose = f": prompt of {visible_line(self.session.group_name(project))}" if self.is_of_all else ""
        self.query_one("#fact-side").border_title = Content(f"If you press{whose}")
        is_one = len(chosen) == len(self.rows.chosen())
        self.query_one(PromptEffect).weigh(self.session, chosen if is_one else [], project)

    async def _add_history_of_first(self) -> None:
        """Read the history of the visible facts while the rest is being read; nothing is drawn before that is done."""
        with suppress(HistoryError):  # reported when the history of all is read
            known = self._known_facts_of(self.home)
            for some in known.by_files(_visible_keys(self.rows))[:1]:
                await self._learn(known, some)

    async def _learn(self, known: Known, some: list[FactRow]) -> None:
        known.learn(await self.asking(known.ask, some))
        if self._is_complete:
            self.rows.refresh()
            self._tell_detail()

    def _tell_detail(self) -> None:
        row, store = self.rows.at_cursor(), self._store_of(self.rows.key) if self.rows.at_cursor() else self.home
        is_wanted = row is not None and row.key in self._known_facts_of(store).wanted
        words = fact_rows.detail(row, self.host.now_ns(), store.session, is_wanted=is_wanted) if row else ""
        self.query_one(Detail).tell(words)


def _visible_keys(rows: MarkList[FactRow]) -> Sequence[Any]:
    """The keys of the visible rows."""
    return rows.keys[rows.scroll_offset.y :][: rows.size.height]


def considered(session: Session, rows: Sequence[FactRow], project: str) -> list[tuple[str, str, Make]]:
    """The actions whose effects are shown: id, key with words, and a function that makes the plan."""
    everybody = f" for all {group_word(session.layout)}s"
    is_out, home = all(row.is_out for row in rows), rows[0].ref.project or project
    is_widened = is_out and has_main_file(session.layout, home) and session.is_in_every_prompt(main_file(session.layout, home))
    top = ("facts.top", f"+ load{everybody * is_widened}", lambda: raising.into_prompt(session, rows))
    delete = ("facts.delete", "d delete", lambda: acts.delete(session, rows))
    if only_instructions(session.layout):
        return [delete]
    if not has_main_file(session.layout, project):
        return [top, delete]
    if goes_down(session, rows, project):
        to_note = lambda: acts.unload(session, rows, note_for(session, project, rows[0]))  # noqa: E731
        everybodys = everybody if acts.leaving(session, [row.ref for row in rows]) else ""
        return [top, delete, ("facts.demote", f"- unload{everybodys}, into a note", to_note)]
    if is_out:
        return [top, delete]  # it is the same
    name = main_file(session.layout, project).path.rpartition("/")[2]
    return [top, ("facts.top", f"+ into {name}", lambda: raising.to_main(session, rows)), delete]


def weighed(
    session: Session, rows: Sequence[FactRow], project: str, cancelled: Callable[[], bool] = lambda: False
) -> list[Weighed]:
    """The effect of each action on a project's prompt, of one into instructions none. Nothing is written.

    Not shown, and so without a name, are loading what is loaded, and into instructions what another action loads, too. Stops early
    once `cancelled` says so, since it would hold up what the person does.
    """
    from zsmem_tui.service import promoting  # deferred: imports every kind of store

    out = []

    def said(words: str) -> str:
        about = titles.in_words(words.replace(names_of(rows), "it" if len(rows) == 1 else "these"), [session])
        return about.partition(" Nothing was ")[0]

    for id, name, make in considered(session, rows, project):
        if cancelled():
            break
        try:
            plan = make()
            moves = f", by {counted(len(plan.read.fit.moves), 'move')} that it shows" if plan.read is not None else ""
            effect = acts.effect(session, plan, project) if plan.changes else None
            gone = (f"{visible_line(edit.ref.path.rpartition('/')[2])} goes." for edit in plan.changes if edit.after is None)
            out.append(Weighed(id, f"{name}{moves}", effect, said(" ".join([*gone, *plan.notes]) if effect else plan.unchanged)))
        except MemError as error:
            out.append(Weighed(id, name, None, said(visible_line(refusal(error)))))
    for at, each in enumerate(out if all(row.prompt is Prompt.WHOLE for row in rows) else ()):
        if each.id == "facts.top" and not (each.effect and each.effect.gained):
            name = each.name.replace("+ load", "+ to the top") if each.effect else ""  # it needs no loading, but the key acts
            out[at] = Weighed(each.id, name, None, each.effect.words if each.effect else each.problem)
    tops = [each.name for each in out if each.id == "facts.top" and Role.INSTRUCTIONS not in {row.ref.role for row in rows}]
    if tops and promoting.takers(session, {row.ref.project for row in rows})[1]:
        out.append(Weighed("facts.top", "" if any(tops) else "+ load into instructions", None))
    return out
