"""What the doctor found in a store: the worst first, with the text it is about, and one key for each thing to do with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.checks.checkup import NOT_LOOKED, Checkup
from zsmem_tui.core.checks.finding import Finding, Place
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.checkups import Passage, passage
from zsmem_tui.service.session import Session
from zsmem_tui.ui import wording as format
from zsmem_tui.ui.doctor import rows as format_doctor
from zsmem_tui.ui.doctor import verbs as diagnosing
from zsmem_tui.ui.doctor.rows import GROUPS, WHICH, Shown
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.places import place_name
from zsmem_tui.ui.reading.line_marks import LineMarks
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.mark_list import MarkList
from zsmem_tui.ui.widgets.notice import Notice
from zsmem_tui.ui.widgets.page_view import PageView
from zsmem_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_ABOVE = 2
"""Lines that are seen above those that are meant, where there is room."""


_LEAST_WORDS = 3
"""Rows of sentences where the panes stand one over the other."""


class FindingRows(MarkList[Finding]):
    """The findings, under the headings of their groups."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("findings")]


class PassageView(PageView):
    """Some lines of a file, as they stand there; `!` stands beside those that are meant."""

    NOTHING = "The text that the chosen finding is about."

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("finding")]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._raw = True
        self.line_marks: LineMarks = LineMarks()

    def present(self, title: str, shown: Passage) -> None:
        """Show a passage, called `title`."""
        self.border_title = Content(title)
        self.line_marks.marks = format.with_findings("", shown.marked)
        above = 0 if self.screen.has_class("-low") else _ABOVE
        page = Page(shown.text)
        page.first_number = shown.start + 1
        self.show(page, line=max(0, shown.marked.start - above))


class FindingWords(Notice):
    """What is wrong, and what the key would do: both are seen also where there is little room."""

    @property
    def _most(self) -> int:
        return _LEAST_WORDS if self.screen.has_class("-narrow") else super()._most


class DoctorScreen(ToolScreen):
    """Left the findings of one store, right what is said of the one under the cursor, its text, and the text it is about."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"findings": "findings", "finding-text": "finding", "finding-other": "finding"}
    PAGE = "doctor"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self.found: Checkup | None = None
        self._shown: Session | None = None
        """Whose findings are on the screen: `session` may be another one, until that is looked at."""
        self._told: tuple[str, ...] = ()
        """What could not be looked into, as it was said."""
        self._group, self._which = GROUPS[0], WHICH[0]
        self._turn = 0
        """How often what is to be shown was another."""

    def compose_body(self) -> Iterable[Widget]:
        """Two panes; in the second one text, or two."""
        with Vertical(classes="pane tool-list", id="finding-list") as left:
            left.border_title = Content("Doctor")
            yield FilterLine("words of a finding, its rule or its file", id="finding-filter", rows="findings")
            yield FindingRows(
                lambda key: format_doctor.row(key, self.found or NOT_LOOKED, self._group, self.session), id="findings"
            )
        with Vertical(classes="pane tool-side", id="finding-side") as right:
            right.border_title = Content("What it is")
            yield FindingWords("enter goes there", id="finding-words")
            with Container(id="finding-texts"):
                yield PassageView(id="finding-text")
                yield PassageView(id="finding-other")

    @property
    def rows(self) -> FindingRows:
        """The list."""
        return self.query_one(FindingRows)

    @property
    def store(self) -> OpenStore:
        """The store that is looked at."""
        main = self.host.main
        return next((store for store in main.stores if store.session is self.session), main.here)

    def chosen(self) -> list[Finding]:
        """The marked findings, else the one under the cursor."""
        return self.rows.chosen()

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Look for findings, and show them."""
        await self.read()

    async def read(self) -> None:
        """Look for findings again, and show them: cursor and marks stay on theirs. Nothing once this is closed."""
        store = self.store
        if self._shown is not store.session:
            self.found = store.checkup if store.checkup is not NOT_LOOKED else None
            self.show()
        left = store.checkup.left
        if left:
            self.say(f"Looking into {counted(left, 'file')} that nobody has looked into yet.")
        found = await diagnosing.look(self.host.main, store)
        if found is not None and store is self.store and not self.closed:
            self._shown, self.found = store.session, found
            self.show()
            if left:
                self.say("Every file has been looked into.")
            if found.problems and found.problems != self._told:
                more = f" And {len(found.problems) - 1} more." if len(found.problems) > 1 else ""
                self.say(f"{found.problems[0]}{more}", warning=True)
            self._told = found.problems

    @on(Input.Changed, "#finding-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it."""
        if not self.query(FilterLine):
            return
        self._turn += 1
        turn = self._turn
        found, wanted = self.found or NOT_LOOKED, self.query_one(FilterLine).words
        arrange = partial(
            format_doctor.arranged,
            found,
            self.session,
            group=self._group,
            which=self._which,
            wanted=wanted,
            cancelled=lambda: turn != self._turn,
        )
        if wanted and len(found.ids) > format_doctor.MOST_ROWS:
            self._show_found(arrange, turn)
        else:
            self._put(arrange())

    @work(exclusive=True, group="arrange")
    async def _show_found(self, arrange: Callable[[], Shown], turn: int) -> None:
        """Look for words in more findings than a keystroke has time for; not shown once something else is wanted."""
        shown = await self.asking(arrange)
        if turn == self._turn:
            self._put(shown)

    def _put(self, shown: Shown) -> None:
        rows, found = self.rows, self.found
        rows.items = found.ids if found is not None else {}
        rows.nothing = format_doctor.nothing(found, self._which, self.query_one(FilterLine).words)
        rows.show(shown.keys)
        name = self.store.title if len(self.host.main.stores) > 1 else ""
        pane = self.query_one("#finding-list")
        pane.border_title = Content(format_doctor.title(name, self._group, self._which, shown.total))
        pane.border_subtitle = Content(format_doctor.counts(found) if found is not None else "")
        self._tell()

    @on(RowList.Moved)
    @work(exclusive=True, group="tell")
    async def _tell(self) -> None:
        """What is said of the finding under the cursor, and its text."""
        fault, found = self.rows.at_cursor(), self.found
        text, other = self.query_one("#finding-text", PassageView), self.query_one("#finding-other", PassageView)
        words, side = self.query_one(FindingWords), self.query_one("#finding-side")
        if fault is None or found is None:
            words.show("")
            side.border_title = Content("What it is")
            text.display = other.display = False
            return
        words.show(format_doctor.detail(fault, found, self.session))
        side.border_title = Content(format_doctor.about(fault, self.session))
        text.display = True
        other.display = bool(fault.related)
        places = [Place(fault.path, fault.line), *fault.related[:1]]
        for view, place, last in zip((text, other), places, (fault.last_line, 0), strict=False):
            view.present(_title(place, self.session), await self.asking(_passage, self.session, place, last))

    def back(self) -> None:
        """Drop the filter, then the marks, then one step back."""
        if self.query_one(FilterLine).close():
            return
        if self.rows.marked:
            self.rows.marked.clear()
            self.rows.refresh()
        else:
            super().back()

    def action_mark(self) -> None:
        """Mark the finding, or not."""
        self.rows.mark()

    def action_filter(self) -> None:
        """Type words."""
        self.query_one(FilterLine).begin()

    def action_cycle(self, what: Literal["group", "which"]) -> None:
        """Other groups, or others of the findings."""
        if what == "group":
            self._group = GROUPS[(GROUPS.index(self._group) + 1) % len(GROUPS)]
        else:
            self._which = WHICH[(WHICH.index(self._which) + 1) % len(WHICH)]
        self.show()

    def action_verb(self, name: str) -> None:
        """Do something with the chosen findings."""
        self.host.talk(diagnosing.act(self, name), self)


def _passage(session: Session, place: Place, last: int) -> Passage:
    """A passage, or in its place why it cannot be read."""
    try:
        return passage(session, place, last)
    except MemError as error:
        return Passage(visible_line(error.message))


def _title(place: Place, session: Session) -> str:
    return f"{visible_line(place_name(place.path, session))} · line {place.line}"
