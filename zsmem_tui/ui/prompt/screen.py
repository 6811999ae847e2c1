"""Exactly what the agent sees: the block, what each section takes, and every line that is lost, with the verbs of facts on each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.await_complete import AwaitComplete
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.notice import NoticeKind, sentences
from zsmem_tui.service import previewing
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.places import named_finding
from zsmem_tui.ui.prompt import verbs as turning
from zsmem_tui.ui.prompt import wording as format_prompt
from zsmem_tui.ui.prompt.rows import PromptRows, UseList
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.block_pane import BlockPane
from zsmem_tui.ui.widgets.budget_bar import BudgetBar
from zsmem_tui.ui.widgets.notice import Notice
from zsmem_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.prompt.facts import PromptFacts

TICK_SECONDS = 0.5
"""Seconds between two looks at the calendar."""


class PromptScreen(ToolScreen):
    """On top the budget, left what each section takes and what is lost, right the block itself."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"uses": "uses", "block": "block"}
    PAGE = "prompt"

    def __init__(self, host: ZsmemApp, about: Subject) -> None:
        super().__init__(host)
        self.about = about
        self.store = host.main.here
        self._from = self.store
        self.folder: str | None = None
        """Whose agents `E` goes through; None: that of the prompt, which is not known yet."""
        self.chosen: dict[int, str] = {}
        """The group of each store that was shown last, by the store's place among those that are open."""
        self._facts: PromptFacts | None = None
        self.rows = PromptRows(self)
        self._today = ""
        self.above = (BudgetBar(id="budget"),)
        self._warnings: list[str] = []

    def compose_body(self) -> Iterable[Widget]:
        """Warnings over the list at the left; the block at the right, or once it is asked for, how two prompts differ."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("What the agent sees")
            yield Notice("L in full", id="warnings")
            yield UseList(self.rows.draw, id="uses")
        yield BlockPane()

    def on_mount(self) -> None:
        """Another day may begin."""
        self.set_interval(TICK_SECONDS, lambda: self.load() if self._today and self._today != today(self.session) else None)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Work the block out."""
        if self.host.main.here is not self.store and not self.host.conversations.under_way and self.host.main.editor.ref is None:
            self.host.main.use(self.store)  # the person has come back from a file
        await self.read()

    async def read(self) -> None:
        """Work the block out, and show it; once the screen is closed, nothing."""
        self._today = today(self.session)
        about = self.about
        seen = await self.asking(previewing.preview, self.session, about)
        found = await self.asking(previewing.findings, self.session, about, seen)
        seen = await self.asking(turning.explained, self, seen)
        warnings = [each for each in found if each.kind is not NoticeKind.LOST_LINES]  # the budget says that already
        layout = self.session.layout
        self._warnings = sentences(named_finding(each, self.session) for each in warnings)
        told = [f"! {warning}" for warning in self._warnings] + ([seen.rule] if seen.rule and seen.uses else [])
        self.query_one(Notice).show("\n".join(told))
        title, self.query_one(BlockPane).named = turning.titles(self, seen)
        self.query_one(".tool-list").border_title = Content(title)
        refs = {use.path: find_ref(layout, use.path) for use in seen.uses}
        self.query_one(BudgetBar).show(seen, {path: layout.part(ref.role if ref else None) for path, ref in refs.items()})
        self.rows.show(seen)

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        self.rows.moved(event.key)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        if event.key[0] == "lost":
            self.action_jump()
        else:
            self.query_one(BlockPane).view.focus()

    def offered(self, action: Action) -> Action | None:
        """Fit makes room in a prompt that is cut as a whole: of other prompts its key says why it cannot."""
        return None if action.id == "prompt.fit" and not self.session.layout.has_profiles else action

    def back(self) -> None:
        """From the difference between two prompts to the block, from what is found to the block, then as everywhere."""
        block = self.query_one(BlockPane)
        if block.compares:
            self.show(self.about)
        elif not block.close_find():
            super().back()

    def action_jump(self) -> None:
        """Go to the file and line that the row comes from; esc there comes back."""
        if self.rows.seen is None:
            self.host.talk(turning.when_read(self, self.action_jump), self)  # typed ahead
            return
        turning.jump(self, *self.rows.place_meant())

    def action_turn(self, name: str, step: int = 0) -> None:
        """Another day, agent or project; how two prompts differ; all warnings in full; the block to the clipboard."""
        if name == "day" and not self.session.layout.has_profiles:
            self.say(f"{self.session.layout.title} has one prompt, the same on every day and in every profile.", warning=True)
            return
        match name:
            case "day":
                turning.turn_to_day(self, step)
            case "project":
                self.host.talk(turning.choose_project(self), self)
            case "block":
                self.query_one(BlockPane).view.focus()
            case "profile":
                self.host.talk(turning.turn(self), self)
            case "profiles" if self.query_one(BlockPane).compares:
                self.show(self.about)
            case "words":
                if self.rows.seen is not None:
                    show_page(self.app, "What the agent sees", format_prompt.in_full(self.rows.seen, self._warnings))
            case "profiles":
                self.host.talk(turning.compare(self), self)
            case _:
                turning.copy_block(self, self.rows.seen)

    def action_verb(self, name: str) -> None:
        """Do something with the fact under the cursor."""
        from zsmem_tui.ui.prompt.facts import PromptFacts  # with the verbs of facts 30 ms, not before one is wanted

        async def act() -> None:
            if turning.in_own_store(self):
                if self._facts is None or self._facts.session is not self.session:
                    self._facts = PromptFacts(self)
                await self._facts.act(name)

        self.host.talk(act(), self)

    def action_find(self, step: int = 0) -> None:
        """Find words in the block and in what is lost; with a step, go to the next match, or the one before."""
        block = self.query_one(BlockPane)
        if block.compares:
            self.show(self.about)
        if not step:
            block.open_find()
        elif why_not := block.next_match(step):
            self.say(why_not, warning=True)

    def action_filter(self) -> None:
        """Everything, then what is lost, then the one section of the cursor."""
        self.rows.next_filter()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close, and go on in the store that was in use before."""
        if not self.closed and not self.host.conversations.under_way and self.host.main.editor.ref is None:
            self.host.main.use(self._from)
        return super().dismiss(result)

    def show(self, about: Subject) -> None:
        """Show this prompt, as a block."""
        self.about = about
        self.query_one(BlockPane).show_block()
        self.load()


def today(session: Session) -> str:
    """The day that the prompt of today is about."""
    return session.clock().date().isoformat()
