"""The app: actions available on every screen, and opening, stacking and closing of screens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.actions import parse
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.events import Key
from textual.reactive import var
from textual.screen import ModalScreen
from textual.widget import Widget

from zsmem_tui.core.layout import has_checklist, only_instructions
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import view_state
from zsmem_tui.service.session import Session
from zsmem_tui.ui import themes
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.keys.bindings import bindings, elsewhere, next_of, usable, while_typing
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.messages import FileChosen, Said, Told
from zsmem_tui.ui.open_store import FactsAbout
from zsmem_tui.ui.program import Program
from zsmem_tui.ui.textual_private import is_going
from zsmem_tui.ui.widgets.bars import Act, StatusLine, acting
from zsmem_tui.ui.widgets.cursored import Cursored
from zsmem_tui.ui.widgets.frame import SplitBody, keep_view
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.widgets.strip import Counts
from zsmem_tui.ui.wording import is_typed, pressed

if TYPE_CHECKING:
    from zsmem_tui.core.past import Point
    from zsmem_tui.service.news import Row
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.ui import connect, perform, sync
    from zsmem_tui.ui import tool as tool_screen
    from zsmem_tui.ui.dialogs import help
    from zsmem_tui.ui.dialogs.finder import Palette
    from zsmem_tui.ui.doctor import screen as doctor
    from zsmem_tui.ui.facts import screen as facts
    from zsmem_tui.ui.facts.rows import FactId
    from zsmem_tui.ui.history import screen as history
    from zsmem_tui.ui.history import verbs as history_verbs
    from zsmem_tui.ui.memory import editing
    from zsmem_tui.ui.open_store import MoreStores, OpenStore
    from zsmem_tui.ui.projects import screen as projects
    from zsmem_tui.ui.prompt import costs
    from zsmem_tui.ui.prompt import screen as prompt
    from zsmem_tui.ui.review import opening
    from zsmem_tui.ui.review import screen as review
    from zsmem_tui.ui.tour import Tour
    from zsmem_tui.ui.transfer import screen as transfer
    from zsmem_tui.ui.triage import screen as triage
else:  # 5 to 10 ms each, not needed for the first frame
    connect, doctor, facts, history = late_modules("zsmem_tui.ui", "connect doctor.screen facts.screen history.screen")
    projects, costs, prompt, review = late_modules("zsmem_tui.ui", "projects.screen prompt.costs prompt.screen review.screen")
    transfer, triage, tool_screen = late_modules("zsmem_tui.ui", "transfer.screen triage.screen tool")
    editing, help, history_verbs, perform, sync, opening = late_modules(
        "zsmem_tui.ui", "memory.editing dialogs.help history.verbs perform sync review.opening"
    )

AGES_SECONDS: Final = 30.0
"""Seconds after which ages on the screen are looked at again."""

MOST_TOLD: Final = 200
"""Maximum number of status messages that are kept."""

LAST_WAIT_SECONDS: Final = 1.0
"""Seconds that a running action still waits for other programs once the person wants to quit."""

_ENDS: Final = " The program ends with the answer; esc stays."
"""Said beside the question about unsaved text when the person wants to quit."""

_OPEN_LINES: Final = ("search", "quick", "palette", "filter", "find")
"""The last parts of the ids of actions behind which letters are typed."""

_MOVES: Final = frozenset(("move", "page", "edge", "next", "unfold", "fold", "mark_range"))
"""The actions behind which a range of marks goes on."""


def _opens(page: str, show: Callable[[ZsmemApp], object]) -> Callable[[ZsmemApp], None]:
    """Make an action that opens a tool screen for the memory in view, or for that of the tool on top.

    One that is open comes to the top.
    """

    def act(app: ZsmemApp) -> None:
        main, tool = app.main, app.tool
        is_on_top = tool is not None and page == tool.PAGE and tool.HAS_KEY
        if tool is None or not (is_on_top or tool_screen.return_to(app, page)):
            main.in_store(main.in_view, lambda: show(app))

    return act


def _talks(conversation: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make an action of a conversation."""
    return lambda app, *about: app.talk(conversation(app, *about))


class ZsmemApp(Program):
    """The full-screen program: a main screen with tool screens over it."""

    TITLE = "zsmem"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]

    tour_line: var[str] = var("")
    """The current text of the tour."""
    counts: var[Counts] = var(Counts())
    """The counts on the strip."""
    can_undo: var[bool] = var(False)  # whether any open store has a step that is not undone

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
        """The app over the store of `session`, the stores `beside` it, and those that `more` returns.

        `open_demo` opens the sample; `few_colours`: the terminal has 16; `tour`: start the tour.
        """
        super().__init__(log_crash)
        self.now_ns, self.opened_ns = now_ns, now_ns()
        self._session = session
        self._beside = beside
        self._more = more
        self._follow = follow
        self._open_demo = open_demo
        self.tours = tour
        """Whether to start the tour."""
        self.tour: Tour | None = None
        self.actions, wrong = usable(session.config.keys)
        """All actions, with the person's own keys."""
        lines = (action for action in self.actions if action.id.rpartition(".")[2] in _OPEN_LINES)
        self.line_keys = frozenset(key for action in lines for key in action.bound if not key.isdigit())
        self.left_over: Sequence[str] = [
            f"{why} The default stays: `zsmem config --check` names all." for why in [*wrong.values()][:1]
        ]
        """Messages about the settings, and about steps that were interrupted before this start."""
        self._quit_requests = 0  # the number of pending requests to quit
        self._palette: Palette | None = None
        self._decided: set[str] = set()
        self._judged: set[FactId] = set()
        self._transfers: dict[str, dict[str, Any]] = {}
        self.unanswered: dict[tuple[str, str, str], str] = {}
        """What was typed into questions that were closed, by what was asked."""
        self.stashed: list[list[tool_screen.ToolScreen]] = []
        """Stacks of tools that something may lead back to, the latest last."""
        if session.config.keys:  # only with own keys: it costs 6 ms per key press
            self.set_keymap({action.id: ",".join(action.bound) for action in self.actions if action.bound})
        switched = view_state.read("theme").get("switched_from") == session.config.theme
        lists = any(has_checklist(each.layout) for each in (session, *beside))
        self.set_reactive(ZsmemApp.counts, Counts(has_lists=lists))
        self.look_like(session.config.theme, few_colours=few_colours, switched=switched)

    def get_default_screen(self) -> MainScreen:
        """The main screen; an empty default screen below it would delay the first frame by 60 ms."""
        return self.sized(MainScreen(self, (self._session, *self._beside), follow=self._follow, more=self._more))

    def on_mount(self) -> None:
        """Show the messages from before the start, and begin the tour if wanted."""
        for sentence in self.left_over:
            self.call_after_refresh(self.say, sentence, warning=True)
        if self.tours:
            self.call_after_refresh(self.action_tour)
        self.set_interval(AGES_SECONDS, self.tick)

    def tick(self) -> None:
        """Redraw the ages that have changed on the visible screen."""
        for screen in self.screen_stack[-1:]:  # none once it ends
            for each in (*screen.query(TreePane), *screen.query(RowList)):
                if not is_going(each):
                    each.tick()

    @property
    def tool(self) -> tool_screen.ToolScreen | None:
        """The topmost tool screen, or None."""
        return self.tools[-1] if self.tools else None

    @property
    def tools(self) -> list[tool_screen.ToolScreen]:
        """All tool screens on the stack, the topmost last."""
        return [each for each in self.screen_stack if isinstance(each, tool_screen.ToolScreen)] if self.screen_stack[1:] else []

    def say(self, text: str, *, warning: bool = False, refused: bool = False) -> None:
        """Show a message on the visible screen; `refused`: until a key does something."""
        if any(isinstance(each, MainScreen) for each in self.screen_stack):  # there is none once the program ends
            (self.tool or self.main).say(text, warning=warning, refused=refused)

    def warn(self, text: str) -> None:
        """Say on the visible screen why nothing was done."""
        self.say(text, warning=True, refused=True)

    def on_said(self, event: Said) -> None:
        """Show what a widget says; a warning of its own is why it did nothing."""
        self.say(event.text, warning=event.warning, refused=event.warning if event.passes is None else event.passes)

    def talk(self, conversation: Coroutine[Any, Any, Any], about: Overlay[Any] | None = None) -> None:
        """Run a conversation after the one that is running, with the store that is current now.

        It is dropped if the screen that it is `about` is closed by then, or if it was begun before one was refused.
        """
        main, here, pressed = self.main, self.main.here, self.pressed
        self.conversations.start(conversation, lambda: pressed >= self.refused and main.use(here), about)

    @property
    def _is_dropped(self) -> bool:
        """Whether what the key under way begins will be dropped, as what was queued before it was refused."""
        running = self.conversations
        return self.pressed < max(self.refused, running.act.refused if running.under_way and not running.acted else 0)

    async def run_action(self, action: Any, default_namespace: DOMNode | None = None, namespaces: Any = None) -> bool:
        """Run an action on the nearest ancestor of the widget that defines it, so that panes can have their lists' actions.

        The action's label is kept to describe a running conversation, which an action of its dialogs describes better.
        """
        if self.types:
            return False
        own: Sequence[BindingType] = getattr(default_namespace, "BINDINGS", ())
        every = own if (is_of_dialog := isinstance(self.screen, ModalScreen)) else (*self.BINDINGS, *own)
        named = {each.action: each.description for each in every if isinstance(each, Binding) and each.id}
        self.conversations.name(named.get(str(action).removeprefix("app."), ""), is_of_dialog=is_of_dialog)
        for line in () if self._is_dropped else self.screen.query(StatusLine):
            line.key_taken()
        marks: object = self.focused
        if isinstance(marks, Cursored) and parse(str(action))[1] not in _MOVES:
            marks.end_range()
        if isinstance(default_namespace, Widget) and isinstance(action, str):
            name = f"action_{parse(action)[1]}"
            default_namespace = next((n for n in default_namespace.ancestors_with_self if hasattr(n, name)), default_namespace)
        outer = acting.set(act := Act())
        try:
            is_done = await super().run_action(action, default_namespace, namespaces)
            if act.refused:
                self.drop_keys(act.refused)
        finally:
            acting.reset(outer)
        return is_done

    def is_known(self, event: Key) -> bool:
        """Whether a key does something, here or elsewhere."""
        return super().is_known(event) or bool(elsewhere(self.actions, event.key))

    def on_key(self, event: Key) -> None:
        """If no binding takes a printable key, or one that has a meaning elsewhere, say so."""
        char, bound = event.character if event.is_printable else "", self.screen.active_bindings
        if any(key in bound for key in event.aliases) or self._is_dropped:
            return
        if isinstance(self.screen, ModalScreen):
            self.refuse_key(event.key, visible_line(char or "").strip())
        elif (known := elsewhere(self.actions, event.key, self._scope) if char or "+" in event.key else "") or char:
            name = visible_line(char or "").strip() or key_name(event.key)
            self.action_help_quit("" if char == "q" else f"{name} does nothing here{': ' if known else ''}{known}")

    @property
    def _scope(self) -> str:
        """The scope of the widget with the focus, empty if it has none."""
        return (self.tool.SCOPE_OF if self.tool is not None else SCOPE_OF).get((self.focused and self.focused.id) or "", "")

    def refuse_key(self, key: str, name: str = "") -> None:
        """Say in the open dialog that a key does nothing there; letters behind one that opens a line are for no other."""
        if isinstance(dialog := self.screen, Overlay):
            dialog.say_dead(name or key_name(key))
        if key in self.line_keys:
            self.drop_letters()

    def action_help_quit(self, instead: str = "") -> None:
        """Say which key quits, or this; Textual runs it on ctrl+c."""
        self.warn(f"{instead or f'{self._quit_key()} quits'} · {pressed('?', is_typed(self.screen))} shows all keys.")

    def _quit_key(self) -> str:
        quits = next(action for action in self.actions if action.id == "app.quit")
        return key_name(next(iter(while_typing(quits)), pressed(quits.listed[0], is_typed(self.screen))))

    def on_told(self, message: Told) -> None:
        """Keep a message for the list of messages; of equal ones in a row, and of those on how far a thing is, the last."""
        start = message.text.partition(" …")[0]
        kept = self.told[:-1] if any(text.partition(" …")[0] == start for _, text in self.told[-1:]) else self.told
        self.told = (*kept, (self.now_ns(), message.text))[-MOST_TOLD:]

    def is_busy(self) -> bool:
        """Whether keys wait: for what a conversation may open, a file, hits, or first rows. Those that leave a tool need not."""
        tool, key = self._tool_on_top(), self._ahead[0] if self._ahead else None
        if isinstance(main := self.screen, MainScreen):
            awaits_hits = isinstance(key, Key) and main.is_mounted and main.search.awaits_hits(key)
            return self.conversations.begun > 0 or awaits_hits or (main.is_mounted and main.awaits_file)
        begins = self.conversations.begun > 0 and isinstance(key, Key) and key.key != "escape"
        if tool is None or not isinstance(key, Key) or not (tool.awaits_rows or begins):
            return False
        bound = self.screen.active_bindings
        return all(bound[name].node is not self for name in key.aliases if name in bound)

    def gives_up(self, event: Key) -> bool:
        """On a quit key, limit the wait for others; on `esc`, end that, a row of steps or the tour. True if `esc` was used up."""
        if not event.is_printable and event.key in next(action.bound for action in self.actions if action.id == "app.quit"):
            self.conversations.give_up(LAST_WAIT_SECONDS)
        if event.key != "escape":
            return False
        if self.conversations.waits:
            self.conversations.give_up(0)
        elif self.tour is not None and not isinstance(self.screen, ModalScreen):
            self.tour.end()
        elif not (self.conversations.under_way and history_verbs.end_row(self)):
            return False
        return True

    async def action_quit(self) -> None:
        """Quit; ask about unsaved text the first time, the second time keep it as a draft. Open questions are cancelled.

        One into which something was typed says first that this is dropped.
        """
        while isinstance(self.screen, ModalScreen):
            if isinstance(self.screen, Overlay) and self.screen.holds(self._quit_key()):
                return
            self.screen.dismiss(None)
        main = self.main
        if main.editor.ref is not None:
            self._quit_requests += 1
            self.conversations.start(self._leave(main, asks=self._quit_requests == 1), lambda: True)
        elif self.conversations.under_way and main.here.looking.locked():  # it writes
            self.conversations.start(self._leave_after(), lambda: True)
        else:
            self.exit()

    async def _leave_after(self) -> None:
        self.last_words = f"zsmem: {visible_line(' '.join(each.said for each in self.screen.query(StatusLine)))}"
        self.exit()

    async def _leave(self, main: MainScreen, *, asks: bool) -> None:
        try:
            if await (editing.leave(main, ends=_ENDS) if asks else editing.keep_draft(main)):
                self.exit()
        finally:
            self._quit_requests -= 1

    def leave_tools(self) -> None:
        """Close all tools."""
        while (tool := self._tool_on_top()) is not None:
            tool.dismiss()

    def action_focus_pane(self, name: str) -> None:
        """Focus a pane of the main screen, closing tools over it."""
        self.leave_tools()
        self.main.focus_pane(name)

    def action_next_pane(self, step: int) -> None:
        """Focus the next or previous pane, as they are read."""
        tool, reader = self._tool_on_top(), self.main.reader
        is_above = all(each.region for each in self.main.query(f"#query, #{reader}"))  # the search line, over the text
        order = ("tree-view", "query", "hits", reader) if is_above else ("tree-view", reader, "query", "hits")
        next_of(self.screen, tool.SCOPE_OF if tool is not None else order, step)

    def action_step_back(self) -> None:
        """Go one step back; never quits."""
        if (tool := self._tool_on_top()) is not None:
            tool.back()
        else:
            self.talk(self.main.back())

    def _tool_on_top(self) -> tool_screen.ToolScreen | None:
        return self.tool if self.tool is not None and self.tool.is_active else None

    def action_split(self, step: int) -> None:
        """Move the edge between the panes by `step`; 0 resets it."""
        (self.tool or self.main).split.step(step)

    def action_maximize_pane(self) -> None:
        """Toggle between one pane and all panes."""
        screen = (self.tool or self.main).toggle_class("-max")
        for body in screen.query(SplitBody):
            body.divide()

    action_undo = _talks(lambda app, redo=False: history_verbs.undo(app, redo=redo))
    action_bring_back = _talks(lambda app: history_verbs.bring_back(app))
    action_sync = _talks(lambda app: sync.sync(app))
    action_sync_both = _talks(lambda app: sync.decide(app))

    def action_reload(self) -> None:
        """Read the stores again."""
        main = self.main
        main.session.texts.forget()
        main.more = main.every_store
        main.follow()
        main.search.search_again()
        main.say("Read the store again.")

    def action_switch_theme(self) -> None:
        """Switch between light and dark, also for the next start."""
        self.theme = themes.other(self.current_theme) if self.theme == self.own_theme else self.own_theme
        setting = self._session.config.theme
        keep_view(self.main, "theme", lambda: {"switched_from": None if self.theme == self.own_theme else setting}, self.say)
        self.say(f"{'Dark' if self.current_theme.dark else 'Light'} theme.")

    def action_show_keys(self) -> None:
        """Show all keys, the focused pane's first."""
        help.show_help(self, keys=True)

    def action_show_help(self) -> None:
        """Show the help page of the focused pane."""
        help.show_help(self)

    def action_show_messages(self) -> None:
        """Show past status messages, the latest first."""
        help.show_messages(self, self.told)

    def action_palette(self) -> None:
        """Open the palette of actions, help pages and files."""
        self._finder.show_actions()

    def action_quick_open(self) -> None:
        """Open the palette of files in all stores; unsaved text is asked about first, and what is typed then is for no answer."""
        if not self.main.editor.unsaved or isinstance(self.screen, ModalScreen):
            self._finder.show_files()
            return
        self.drop_letters()
        self.leave_editor_for(self._finder.show_files)

    def leave_editor_for(self, go_on: Callable[[], None]) -> None:
        """Leave the editor, asking about unsaved text, and go on if it was left."""

        async def leave() -> None:
            if await editing.leave(self.main):
                go_on()

        self.conversations.start(leave(), lambda: True)

    @property
    def _finder(self) -> Palette:
        from zsmem_tui.ui.dialogs.finder import Palette  # deferred: not needed for the first frame

        if self._palette is None:
            self._palette = Palette(self)
        return self._palette

    def action_tour(self) -> None:
        """Begin the tour, or go to its next step."""
        if self.tour is None:
            from zsmem_tui.ui.tour import Tour  # deferred: not needed for the first frame

            self.tour = Tour(self)
        else:
            self.tour.go_on()

    def action_demo(self) -> None:
        """Open the sample, if there is no other memory."""
        if self._open_demo is None or not self.main.empty:
            self.main.warn("`zsmem --demo` shows the sample: there is memory here already.")
        else:
            self.talk(self._show_demo(self._open_demo))

    async def _show_demo(self, open_demo: Callable[[], tuple[Session, MoreStores]]) -> None:
        sample = await perform.attempt(asyncio.to_thread(open_demo), lambda why: self.main.say(why, warning=True))
        if sample is not None:
            self._session, more = sample
            self.workers.cancel_node(self.main)  # the screen below polls no longer
            self.push_screen(MainScreen(self, (self._session,), follow=self._follow, more=more))
            tour = "" if self.tour is not None else " F7 begins a tour."
            said = f"A sample, in {self._session.root}: nothing here is yours, and it goes when you leave.{tour}"
            self.call_after_refresh(lambda: self.main.say(said))

    def open_prompt(self, about: Subject, against: Point | None = None) -> None:
        """Show a prompt; `against` is the past moment to compare it with."""
        if self._switch_store(self.main.in_view.key) is not None:
            self.push_screen(prompt.PromptScreen(self, about, against))

    def action_costs(self) -> None:
        """Show what each project's memory costs."""
        if not isinstance(self.tool, costs.CostScreen):
            self.main.in_store(self.main.in_view, lambda: self.push_screen(costs.CostScreen(self)))

    action_prompt = _opens("prompt", lambda app: app.open_prompt(prompt.subject_of(app.main, app.main.project_in_view())))
    action_transfer = _opens("transfer", lambda app: app._transfer())
    action_triage = _opens("triage", lambda app: app.push_screen(triage.TriageScreen(app, app._decided)))
    action_projects = _opens("projects", lambda app: app.push_screen(projects.ProjectsScreen(app)))
    action_connect = _opens("connect", lambda app: app.push_screen(connect.ConnectScreen(app)))
    action_review = _talks(lambda app: opening.open_review(app.main))
    action_doctor = _opens("doctor", lambda app: app.push_screen(doctor.DoctorScreen(app)))
    action_facts = _opens("facts", lambda app: app.push_screen(facts.FactsScreen(app, app._facts_in_view(), app._judged)))

    def _facts_in_view(self) -> FactsAbout:
        """The facts of the current project, with the cursor at the line being read."""
        main = self.main
        ref = main.file_meant()
        line = main.line_meant(ref) if ref is not None else 0
        return FactsAbout(main.project_in_view(), ref, line, main.store_meant().key)

    def _transfer(self) -> None:
        main, layout = self.main, self.main.session.layout
        group = prompt.subject_of(main, main.project_in_view()).project
        if only_instructions(layout):
            main.warn("Instructions are no agent's memory: 9 is about that, once an agent has some here.")
        elif layout.ref(Role.NOTE, group, "name") is None and layout.ref(Role.FACTS, group) is None:
            main.warn(main.here.by_group)
        else:
            self.push_screen(transfer.TransferScreen(self, group, self._transfers))

    def show_changes(self, row: Row | None = None, *, into: bool = False) -> None:
        """Show Review with the changes beside the list, with the cursor at this row of the page, `into` its line."""
        _opens("review", lambda app: app.push_screen(review.ReviewScreen(app, row, into=into)))(self)

    def open_history(self, ref: MemRef | str | None, line: int = -1) -> None:
        """Show the versions of a file, of the fact at a line of it, or of all files of a group; None: of the whole store."""
        if self._switch_store() is not None:
            self.push_screen(history.HistoryScreen(self, ref, line))

    def read_file(self, ref: MemRef, line: int | None, *, store: str = "") -> None:
        """Show a file in the viewer, at `line` if one is meant; `esc` returns to the present screens."""
        if (into := self._switch_store(store)) is not None:
            self.main.wanted = event = FileChosen(ref, enter=True, line=line, store=into.key, back=tool_screen.stash(self))
            self.main.post_message(event)

    def edit_file(self, ref: MemRef, line: int | None = None, *, row: int | None = None) -> None:
        """Edit a file on the main screen, with the cursor on `line` at screen row `row`.

        Leaving the editor returns to the present screens.
        """
        if self._switch_store() is None:
            return
        back = tool_screen.stash(self)
        self.main.post_message(FileChosen(ref, line=line, row=row, store=self.main.here.key))
        self.talk(editing.edit(self.main, ref, line=line, row=row, back=back))

    def _switch_store(self, key: str = "") -> OpenStore | None:
        """Switch to the store with this key (default: the tool's), with a message if it changes; None if that is not possible."""
        main = self.main
        before, store = main.here, main.store_of(key) if key else self.tool.memory if self.tool is not None else main.here
        if not main.use(store):
            return None
        if store is not before:
            self.call_after_refresh(lambda: self.say(f"You are in the memory of {store.title} now."))
        return store
