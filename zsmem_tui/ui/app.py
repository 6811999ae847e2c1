"""The app: the verbs that work on every screen, and the ways from one to another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.actions import parse
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.events import Key
from textual.reactive import var
from textual.screen import ModalScreen
from textual.widget import Widget

from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.ui import themes
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import bindings, elsewhere, remapped
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.memory.pane_focus import next_of
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.messages import FileChosen, Told
from zsmem_tui.ui.open_store import FactsAbout
from zsmem_tui.ui.program import Program
from zsmem_tui.ui.widgets.strip import Counts

if TYPE_CHECKING:
    from zsmem_tui.ui import connect, perform, sync
    from zsmem_tui.ui.dialogs import help
    from zsmem_tui.ui.doctor import screen as doctor
    from zsmem_tui.ui.facts import screen as facts
    from zsmem_tui.ui.history import screen as history
    from zsmem_tui.ui.history import verbs as history_verbs
    from zsmem_tui.ui.memory import editing
    from zsmem_tui.ui.projects import screen as projects
    from zsmem_tui.ui.prompt import screen as prompt
    from zsmem_tui.ui.review import screen as review
    from zsmem_tui.ui.today import opening as today
    from zsmem_tui.ui.transfer import screen as transfer
    from zsmem_tui.ui.triage import screen as triage
else:  # each takes 5 to 10 ms, and a first frame needs none
    connect, doctor, facts, history = late_modules("zsmem_tui.ui", "connect doctor.screen facts.screen history.screen")
    projects, prompt, review = late_modules("zsmem_tui.ui", "projects.screen prompt.screen review.screen")
    transfer, triage = late_modules("zsmem_tui.ui", "transfer.screen triage.screen")
    editing, help, history_verbs, perform, sync, today = late_modules(
        "zsmem_tui.ui", "memory.editing dialogs.help history.verbs perform sync today.opening"
    )

if TYPE_CHECKING:
    from zsmem_tui.core.past import Point
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.ui.dialogs.finder import Palette
    from zsmem_tui.ui.facts.rows import FactId
    from zsmem_tui.ui.open_store import MoreStores, OpenStore
    from zsmem_tui.ui.tool import ToolScreen
    from zsmem_tui.ui.tour import Tour

MOST_TOLD: Final = 200
"""Sentences of the status line that are kept."""

LAST_WAIT_SECONDS: Final = 1.0
"""Seconds that what is under way still waits for other programs once the person wants to leave."""

_OF_AN_AGENT: Final = ("prompt", "triage")
"""The screens that are about an agent also where the person is in its instructions."""

MOST_STASHED: Final = 3
"""How often tools are kept for going back: from a viewer to one, from an editor to another."""


class ZsmemApp(Program):
    """zsmem on a full screen: a main screen, and tools that lie over it."""

    TITLE = "zsmem"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]

    tour_line: var[str] = var("")
    """What the tour says now."""
    counts: var[Counts] = var(Counts())
    """What waits behind each screen."""

    def __init__(
        self,
        session: Session,
        *,
        beside: Sequence[Session] = (),
        more: MoreStores | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        follow: bool = True,
        open_demo: Callable[[], tuple[Session, MoreStores]] | None = None,
        log_crash: Callable[[BaseException], str] | None = None,
        few_colours: bool = False,
        tour: bool = False,
    ) -> None:
        """A program over the store of `session`, with those `beside` it, and those that `more` finds.

        `open_demo` makes the sample, where there is one to offer; `few_colours` says that the terminal has 16; `tour` begins one.
        """
        super().__init__(log_crash)
        self.now_ns = now_ns
        self._session = session
        self._beside = beside
        self._more = more
        self._follow = follow
        self._open_demo = open_demo
        self.tours = tour
        """Whether a tour begins with the start."""
        self.tour: Tour | None = None
        self.left_over: Sequence[str] = ()
        """What is to be said of steps that were killed before this start."""
        self._leaving = 0  # how many wishes to leave are under way
        self.actions: tuple[Action, ...] = remapped(session.config.keys)
        """What a person can do, with their own keys."""
        self._latest = ""
        """The action that was run last, as bindings say it."""
        self._palette: Palette | None = None
        self._decided: set[str] = set()
        self._judged: set[FactId] = set()
        self._stashed: list[list[ToolScreen]] = []
        """Tools that something may lead back to, those stashed last at the end; each with the ones that were under it."""
        if session.config.keys:  # without own keys the bindings are right as they are; to go over them takes 6 ms of every key
            self.set_keymap({action.id: ",".join(action.bound) for action in self.actions if action.bound})
        self.look_like(session.config.theme, few_colours=few_colours)

    def get_default_screen(self) -> MainScreen:
        """The main screen itself: an empty one below it would cost the first frame 60 ms."""
        return self.sized(MainScreen(self, (self._session, *self._beside), follow=self._follow, more=self._more))

    def on_mount(self) -> None:
        """Say what is left over from before, and begin the tour where one is wanted."""
        for sentence in self.left_over:
            self.call_after_refresh(self.say, sentence, warning=True)
        if self.tours:
            self.call_after_refresh(self.action_tour)

    @property
    def tool(self) -> ToolScreen | None:
        """The tool that lies over the main screen."""
        return self.tools[-1] if self.tools else None

    @property
    def tools(self) -> list[ToolScreen]:
        """All tools that lie over it, the one on top last."""
        if len(self.screen_stack) < 2:
            return []
        from zsmem_tui.ui.tool import ToolScreen  # with its lists, after the first frame

        return [screen for screen in self.screen_stack if isinstance(screen, ToolScreen)]

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result where the person looks."""
        (self.tool or self.main).say(text, warning=warning)

    def talk(self, conversation: Coroutine[Any, Any, Any], about: Overlay[Any] | None = None) -> None:
        """Start a conversation once the one before has ended, in the store that is in use now.

        One `about` a screen that is closed by then is not begun.
        """
        main = self.main
        doing = next((each.label for each in self.actions if each.act.removeprefix("app.") == self._latest), "")
        self.conversations.start(conversation, partial(main.use, main.here), about, doing=doing)

    async def run_action(self, action: Any, default_namespace: DOMNode | None = None, namespaces: Any = None) -> bool:
        """As always, but of what holds the widget of a key where that itself has no such action: a pane has those of its lists.

        What comes of it is known by the name of the action.
        """
        self._latest = str(action).removeprefix("app.")
        if isinstance(default_namespace, Widget) and isinstance(action, str):
            name = f"action_{parse(action)[1]}"
            every = default_namespace.ancestors_with_self
            default_namespace = next((node for node in every if hasattr(node, name)), default_namespace)
        return await super().run_action(action, default_namespace, namespaces)

    def on_key(self, event: Key) -> None:
        """A letter that nothing took: say so instead of keeping silent."""
        if not event.is_printable or not event.character or isinstance(self.screen, ModalScreen):
            return
        if not any(key in self.screen.active_bindings for key in event.aliases):
            quits = next(key_name(action.listed[0]) for action in self.actions if action.id == "app.quit")
            known = elsewhere(self.actions, event.key)
            nothing = f"{visible_line(event.character)} does nothing here{': ' if known else ''}{known}"
            words = f"{quits} quits" if event.character == "q" else nothing
            self.say(f"{words} · ? shows all keys.", warning=True)

    def show_store(self, session: Session, more: MoreStores) -> None:
        """Show another store, and those that `more` finds; the one below is not looked at meanwhile."""
        self._session = session
        self.workers.cancel_node(self.main)
        self.push_screen(MainScreen(self, (session,), follow=self._follow, more=more))

    def on_told(self, message: Told) -> None:
        """Keep what was said: it may be longer than its line, or gone before it was read."""
        self.told = (*self.told, (self.now_ns(), message.text))[-MOST_TOLD:]

    def is_busy(self) -> bool:
        """On the main screen letters after `e` are for the editor that the conversation opens."""
        return self.conversations.begun > 0 and self.screen is self.main

    def gives_up(self, event: Key) -> bool:
        """Leaving does not wait for other programs for long, and `esc` not at all; a tour ends."""
        if event.key in self._quits:
            self.conversations.give_up(LAST_WAIT_SECONDS)
        if event.key != "escape":
            return False
        if self.conversations.waits:
            self.conversations.give_up(0)
            return True
        if self.tour is not None and not isinstance(self.screen, ModalScreen):
            self.tour.end()
            return True
        return False

    @property
    def _quits(self) -> list[str]:
        return next(action.bound for action in self.actions if action.id == "app.quit")

    async def action_quit(self) -> None:
        """Leave; with unsaved text, ask once: quitting once more keeps it as a draft. What else is being asked is answered no."""
        while isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        main = self.main
        if main.editor.ref is not None:
            self._leaving += 1
            self.talk(self._leave(main, asks=self._leaving == 1))
        else:
            self.exit()

    async def _leave(self, main: MainScreen, *, asks: bool) -> None:
        try:
            if await (editing.leave(main) if asks else editing.keep_draft(main)):
                self.exit()
        finally:
            self._leaving -= 1

    def action_focus_pane(self, name: str) -> None:
        """Go to a pane of the main screen; tools over it are closed."""
        while (tool := self._tool_on_top()) is not None:
            tool.dismiss()
        self.main.focus_pane(name)

    def action_next_pane(self, step: int) -> None:
        """Go to the next pane: on the main screen left to right: tree, search with its hits, viewer or editor."""
        tool, main = self._tool_on_top(), self.main
        if tool is not None:
            next_of(self.screen, tool.SCOPE_OF, step)
        else:
            next_of(self.screen, ("tree-view", "query", "hits", main.reader), step)

    def action_step_back(self) -> None:
        """One step back, never out."""
        tool = self._tool_on_top()
        if tool is not None:
            tool.back()
        else:
            self.talk(self.main.back())

    def _tool_on_top(self) -> ToolScreen | None:
        return self.tool if self.tool is not None and self.tool.is_active else None

    def action_split(self, step: int) -> None:
        """Move the edge between the panes; by 0, back to where it was at first."""
        (self.tool or self.main).split.step(step)

    def action_maximize_pane(self) -> None:
        """Give the whole screen to one pane, and take it back."""
        (self.tool or self.main).toggle_class("-max")

    def action_undo(self, redo: bool = False) -> None:
        """The last step back; or what was undone, once more."""
        self.talk(history_verbs.undo(self, redo=redo))

    def action_bring_back(self) -> None:
        """Bring back a text that was wiped."""
        self.talk(history_verbs.bring_back(self))

    def action_reload(self) -> None:
        """Read the store again."""
        main = self.main
        main.session.texts.forget()
        main.follow()
        main.search.search_again()
        main.say("Read the store again.")

    def action_switch_theme(self) -> None:
        """Light or dark."""
        self.theme = themes.other(self.current_theme)
        self.main.say(f"{'Dark' if self.current_theme.dark else 'Light'} theme. The setting `theme` makes it last.")

    def action_show_keys(self) -> None:
        """All keys, those of the pane in use first; the pages of help are behind them."""
        help.show_keys(self)

    def action_show_help(self) -> None:
        """The pane in use, explained; all keys and the other pages are behind it."""
        help.show_help(self)

    def action_show_messages(self) -> None:
        """What the status line said, the latest first."""
        help.show_messages(self, self.told)

    def action_palette(self) -> None:
        """Find any action, a page of help or a file by its name."""
        self._finder.show_actions()

    def action_quick_open(self) -> None:
        """A file of any open store."""
        self._finder.show_files()

    @property
    def _finder(self) -> Palette:
        from zsmem_tui.ui.dialogs.finder import Palette  # a first frame finds nothing

        if self._palette is None:
            self._palette = Palette(self)
        return self._palette

    def action_tour(self) -> None:
        """Begin the tour, or go on with it."""
        if self.tour is None:
            from zsmem_tui.ui.tour import Tour  # with its page; a first frame tours nothing

            self.tour = Tour(self)
        else:
            self.tour.go_on()

    def action_demo(self) -> None:
        """Open the sample, where there is no other memory."""
        if self._open_demo is None or not self.main.empty:
            self.main.say("`zsmem --demo` shows the sample: there is memory here already.", warning=True)
        else:
            self.talk(self._show_demo(self._open_demo))

    async def _show_demo(self, open_demo: Callable[[], tuple[Session, MoreStores]]) -> None:
        sample = await perform.attempt(asyncio.to_thread(open_demo), lambda why: self.main.say(why, warning=True))
        if sample is not None:
            self.show_store(*sample)
            tour = "" if self.tour is not None else " F7 begins a tour."
            said = f"A sample, in {sample[0].root}: nothing here is yours, and it goes when you leave.{tour}"
            self.call_after_refresh(lambda: self.main.say(said))

    def action_prompt(self) -> None:
        """What the agent sees of the project that is meant."""
        self._over("prompt", self._prompt)

    def _prompt(self) -> None:
        self.open_prompt(prompt.subject_of(self.main, self.main.project_in_view()))

    def open_prompt(self, about: Subject, against: Point | None = None) -> None:
        """Show what the agent sees; `against` is the moment that one of the past is compared with."""
        if self._goes_into() is not None:
            self.push_screen(prompt.PromptScreen(self, about, against))

    def action_costs(self) -> None:
        """What every project's memory costs."""
        self._over("prompt", self._prompt)
        if isinstance(self.tool, prompt.PromptScreen):
            self.tool.show_costs()

    def action_triage(self) -> None:
        """The scratchpad items of the project that is meant."""
        self._over("triage", lambda: self.push_screen(triage.TriageScreen(self, self._decided)))

    def action_facts(self) -> None:
        """The facts of the project that is meant, the cursor where the person reads."""
        self._over("facts", self._facts)

    def _facts(self) -> None:
        main = self.main
        ref = main.file_meant()
        about = FactsAbout(main.project_in_view(), ref, main.line_meant(ref) if ref is not None else 0)
        self.push_screen(facts.FactsScreen(self, about, self._judged))

    def action_projects(self) -> None:
        """Every project, and which folder it belongs to."""
        self._over("projects", lambda: self.push_screen(projects.ProjectsScreen(self)))

    def action_sync(self) -> None:
        """Bring this machine and the others together."""
        self.talk(sync.sync(self))

    def action_sync_both(self) -> None:
        """Lines that two machines changed."""
        self.talk(sync.decide(self))

    def action_connect(self) -> None:
        """Agents and what of ours they have."""
        self._over("connect", lambda: self.push_screen(connect.ConnectScreen(self)))

    def action_transfer(self) -> None:
        """Import and export."""
        self._over("transfer", self._transfer)

    def _transfer(self) -> None:
        main = self.main
        session = main.session
        if only_instructions(session.layout):
            has_agent = any(not (store.empty or only_instructions(store.session.layout)) for store in main.stores)
            there = "go to an agent in the tree, where AGENTS.md can be brought in and written to"
            goes_on = there if has_agent else "9 is about that, once an agent has some here"
            main.say(f"Instructions are no agent's memory: {goes_on}.", warning=True)
            return
        group = prompt.subject_of(main, main.project_in_view()).project
        if session.layout.ref(Role.NOTE, group, "name") is None and session.layout.ref(Role.FACTS, group) is None:
            main.say(f"{main.here.title} keeps memory by group: go to one in the tree, and 9 is about that.", warning=True)
            return
        self.push_screen(transfer.TransferScreen(self, group))

    def action_review(self) -> None:
        """What others wrote."""
        self._over("review", lambda: self.push_screen(review.ReviewScreen(self)))

    def action_today(self) -> None:
        """What waits, in the reader's place; tools over it are closed."""
        while (tool := self._tool_on_top()) is not None:
            tool.dismiss()
        self.talk(today.open_again(self.main))

    def action_doctor(self) -> None:
        """What is wrong."""
        self._over("doctor", lambda: self.push_screen(doctor.DoctorScreen(self)))

    def open_history(self, ref: MemRef | None) -> None:
        """Show the versions of a file (None: of all files)."""
        if self._goes_into() is not None:
            self.push_screen(history.HistoryScreen(self, ref))

    def _over(self, page: str, show: Callable[[], object]) -> None:
        """Show a screen for the store that is meant; over another one, for the store of that, also one that is below it."""
        main, tool = self.main, self.tool
        if tool is None or (page != tool.PAGE and not self._back_to(page, tool)):
            store = main.store_meant() if tool is None else main.here
            main.in_store(main.agent_of(store) if page in _OF_AN_AGENT else store, show)

    def _back_to(self, page: str, tool: ToolScreen) -> bool:
        """Close what lies over a screen for the same store that is below `tool`; False where there is none."""
        tools = list(self.tools)
        at = next((place for place, each in enumerate(tools) if page == each.PAGE and each.home is tool.home), None)
        if at is None:
            return False
        for each in reversed(tools[at + 1 :]):
            each.dismiss()
        tools[at].load()
        return True

    def read_file(self, ref: MemRef, line: int, *, store: str = "") -> None:
        """Show a file of a store in the viewer, at `line`; `esc` there leads back to where the person is, as it is."""
        if (into := self._goes_into(store)) is not None:
            self.main.post_message(FileChosen(ref, enter=True, line=line, store=into.key, back=self._stash_tools()))

    def edit_file(self, ref: MemRef, line: int | None = None, *, row: int | None = None) -> None:
        """Edit a file on the main screen, the cursor on `line`, at `row` of the screen where the person saw it.

        Leaving the editor leads back to where the person is, as it is.
        """
        if self._goes_into() is None:
            return
        back = self._stash_tools()
        main = self.main
        main.post_message(FileChosen(ref, line=line, row=row, store=main.here.key))
        self.talk(editing.edit(main, ref, line=line, row=row, back=back))

    def _goes_into(self, key: str = "") -> OpenStore | None:
        """Use the store of what is opened (default: that of the screen), which is said where it is another; None when not."""
        main = self.main
        before, store = main.here, main.store_of(key) if key else self.tool.memory if self.tool is not None else main.here
        if not main.use(store):
            return None
        if store is not before:
            self.call_after_refresh(lambda: self.say(f"{store.title} is in use now."))
        return store

    def _stash_tools(self) -> Callable[[], object] | None:
        """Go to the main screen; what leads back to the tools that were over it, as they are. None when there was none."""
        tools: list[ToolScreen] = []
        while (tool := self.tool) is not None:
            tool.stash()
            tools.insert(0, tool)
        if not tools:
            return None
        self._stashed.append(tools)
        while len(self._stashed) > MOST_STASHED:
            for tool in self._stashed.pop(0):
                tool.drop()

        def back() -> None:
            if tools not in self._stashed:
                self.main.focus_pane("tree")
                return
            self._stashed.remove(tools)
            for tool in tools:
                tool.restore()

        return back
